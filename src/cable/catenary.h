// The elastic catenary in closed form: hanging free, lying on a flat bottom, slack or nearly taut.
#ifndef HW_CABLE_CATENARY_H
#define HW_CABLE_CATENARY_H

#include "base/error.h"
#include "hawser/math.h"

typedef struct hwCatenaryDef {
    hwVec3 a, b;   // m, ends
    double length; // m, unstretched
    double weight; // N/m, per unstretched length, in the fluid; negative floats up, 0 is allowed
    double EA;     // N
    // The bottom is flat at `floor`, or at the lower end where that is below it. Ignored with negative weight.
    bool hasFloor;
    double floor; // m
    // On the bottom, against the end that hangs; ignored while both ends are off the bottom.
    double friction;
} hwCatenaryDef;

typedef struct hwCatenary {
    hwCatenaryDef def;
    hwVec3 along;              // unit, horizontal, from a to b (+x when one is above the other)
    double span, rise;         // m, horizontal and vertical distance from a to b
    double weight;             // N/m, not negative: the frame is turned upside down for a line that floats up
    double up;                 // +1, or -1 when turned
    double horizontal;         // N, tension's horizontal part, where it hangs
    double verticalA;          // N, tension's vertical part at a, along the way from a to b
    double verticalB;          // N, at b
    double hangA, lies, hangB; // m, unstretched length that hangs from a, lies on the bottom, hangs from b
    double floor;              // m, the bottom that it may lie on
    bool grounded;             // else all of it hangs as one, and the three lengths are 0, 0, length
    bool slack;                // more lies on the bottom than fits straight: no horizontal tension
    hwVec3 forceA, forceB;     // N, world, on what the ends are attached to
    hwMat3 stiffness; // N/m, world, symmetric: the force that holds b grows by this times b's displacement
} hwCatenary;

// Fails when a number is not finite, or length or EA is not positive.
hwStatus hwCatenary_Solve(const hwCatenaryDef* def, hwCatenary* out, hwError* error);

// The point at unstretched distance s from a; tangent (unit, towards b) and tension may be null.
hwVec3 hwCatenary_GetPoint(const hwCatenary* catenary, double s, hwVec3* tangent, double* tension);

#endif
