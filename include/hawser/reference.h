/// @file reference.h
/// The reference solver: adaptive integrators of SUNDIALS. A library of its own, hawser-reference.
#ifndef HAWSER_REFERENCE_H
#define HAWSER_REFERENCE_H

#include "hawser/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Which integrator.
typedef enum hwReferenceMethod {
    HW_REFERENCE_AUTO, ///< explicit or implicit Runge-Kutta, whichever takes fewer evaluations, tried out as it goes
    HW_REFERENCE_EXPLICIT, ///< explicit Runge-Kutta of order 8 (ARKODE)
    HW_REFERENCE_BDF,      ///< backward differentiation of order 1 to 5 (CVODE)
    HW_REFERENCE_DIRK ///< diagonally implicit Runge-Kutta of order 5 (ARKODE): stable for fast undamped vibrations
} hwReferenceMethod;

/// Makes `world` use the reference solver from now on, with the tolerance of its hwSolverDef (default 1e-9).
HW_API hwStatus hwWorld_UseReference(hwWorld* world, hwReferenceMethod method, hwError* error);

#ifdef __cplusplus
}
#endif
#endif
