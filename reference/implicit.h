// The implicit Runge-Kutta method of the reference solver.
#ifndef HW_REFERENCE_IMPLICIT_H
#define HW_REFERENCE_IMPLICIT_H

#include "hawser/solver.h"

#include <stdbool.h>

typedef struct Implicit Implicit;

// Null: there is not enough memory.
Implicit* Implicit_Create(hwWorld* world);
void Implicit_Destroy(Implicit* method);
// Begins at y, without history. `floors` [size of y]: absolute tolerances.
hwStatus Implicit_Start(Implicit* method, double time, const double* y, double tolerance,
                        const double* floors, hwError* error);
// One step that its error allows, to `end` at most; y and *time are those that it reached.
hwStatus Implicit_Step(Implicit* method, double end, double* time, double* y, hwError* error);
// y at a time within the last step: one more step of the method from the same start.
bool Implicit_Sample(Implicit* method, double time, double* y, hwError* error);
// Iterations so far, samples left out.
double Implicit_GetCost(const Implicit* method);

#endif
