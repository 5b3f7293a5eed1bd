// Displaced water: how much, where, and how it changes as the body moves.
#ifndef HW_HYDRO_BUOYANCY_H
#define HW_HYDRO_BUOYANCY_H

#include "geom/solid.h"
#include "hawser/hydro.h"
#include "math/spatial.h"

typedef struct hwDisplacement {
    hwSubmergence cut; // of the scaled solid, world axes
    double fraction;   // of the volume under water
    double wet;        // factor on added mass and drag, 0..1
    double wetSlope;   // d wet / d submerged volume, 1/m3
} hwDisplacement;

// Cuts the body at a plane water surface: its height at the buoyancy centre and its upward unit normal.
//
// `wet` scales coefficients that were given for the body in its usual place: 1 while at least half of the reference
// displacement (what the body displaces afloat, or its volume if it sinks) is under water, then fading smoothly to 0
// as it leaves. Coefficients of a floating body thus apply as given about its floating position. A body that displaces
// nothing is cut as if it were neutrally buoyant, for `wet` alone.
hwDisplacement hwComputeDisplacement(const hwHydroInput* input, double level, hwVec3 normal);

// The same for one piece of a long body, at the water of its own middle.
hwSubmergence hwComputePiece(const hwHydroInput* input, int piece);
// Fills everything but `cut` from it; `wet` is 1 before.
void hwDisplacement_Finish(hwDisplacement* result, const hwHydroInput* input);

#endif
