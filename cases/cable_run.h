// What cases about cables share: setting one up, and measuring its motion.
#ifndef HW_CASES_CABLE_RUN_H
#define HW_CASES_CABLE_RUN_H

#include "cases/harness.h"

// As hwCaseRun_Begin, with an implicit method from the start as the reference, and settling to equilibrium when `statics` is set.
void hwCableRun_Begin(hwCaseRun* run, hwCaseContext* context, bool reference,
                      const hwEnvironmentDef* environment, double tolerance, bool statics);

// A section without drag and added mass that can be pushed as well as pulled.
hwCableSectionDef hwMakeSection(double length, int elements, double diameter, double massPerLength,
                                double EA);
hwCableEndDef hwPinOnEarth(hwVec3 at);
hwCableEndDef hwPinOnBody(hwBodyId body, hwVec3 at);
// The cable goes on from the clamp in direction `tangent`; twist is measured against `normal`.
hwCableEndDef hwClampOnEarth(hwVec3 at, hwVec3 tangent, hwVec3 normal);

// A cable of one section called "line", straight.
hwCableDef hwMakeLine(const hwCableSectionDef* section, hwCableEndDef a, hwCableEndDef b);
hwCableId hwCaseRun_AddCable(hwCaseRun* run, const hwCableDef* def);
hwWinchId hwCaseRun_AddWinch(hwCaseRun* run, const hwWinchDef* def);
// A constant force along the cable.
void hwCaseRun_PushCable(hwCaseRun* run, hwCableId cable, double at, hwVec3 force);

hwVec3 hwCaseRun_ReadNode(hwCaseRun* run, hwCableId cable, int node);
hwVec3 hwCaseRun_ReadLoad(hwCaseRun* run, hwCableId cable, int end);

// Mean period of the oscillation of a channel about `centre`, read every `interval` s for `duration` s.
double hwCaseRun_FindPeriod(hwCaseRun* run, const char* channel, double centre, double interval,
                            double duration);

// y' = f(t, y) of at most HW_CASE_UNKNOWNS unknowns by `steps` equal steps of the classical Runge-Kutta method.
#define HW_CASE_UNKNOWNS 128
typedef void hwCaseSlopeFn(const void* context, double t, const double* y, double* slope);
void hwCase_Integrate(hwCaseSlopeFn* slope, const void* context, int count, double from, double to, int steps,
                      double* y);

// The root of f between `low` and `high`, where it changes sign, by bisection.
typedef double hwCaseRootFn(const void* context, double x);
double hwCase_FindRoot(hwCaseRootFn* f, const void* context, double low, double high);

#endif
