// The implicit Runge-Kutta method of the reference solver.
#ifndef HW_REFERENCE_IMPLICIT_H
#define HW_REFERENCE_IMPLICIT_H

#include "hawser/solver.h"

#include <stdbool.h>

typedef struct Implicit Implicit;

// Null: there is not enough memory.
Implicit* Implicit_Create(hwWorld* world);
void Implicit_Destroy(Implicit* method);
// Begins at y, without history.
hwStatus Implicit_Start(Implicit* method, double time, const double* y, double tolerance, hwError* error);
// One step that its error allows, to `end` at most; y and *time are those that it reached.
hwStatus Implicit_Step(Implicit* method, double end, double* time, double* y, hwError* error);
// y at a time within the last step: one more step of the method from the same start.
bool Implicit_Sample(Implicit* method, double time, double* y, hwError* error);
// Weights by which the squares of errors add up to 1 where their mean is what the tolerance allows; `scales` is for its own use.
// The mean is over what moves in the world as it is now: counting rows that a cable's nodes or contacts may take some day would
// loosen it by the root of their share.
void Implicit_Weigh(const hwWorld* world, double tolerance, const double* y, double* scales, double* weights);
// Iterations so far, samples left out.
double Implicit_GetCost(const Implicit* method);

#endif
