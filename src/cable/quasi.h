// Cables without inertia between their ends: an elastic line, two of them in a V, an elastic catenary.
//
// Cheap models of what a slow cable does: forces on the ends as a function of where they are. All hang in still water.
#ifndef HW_CABLE_QUASI_H
#define HW_CABLE_QUASI_H

#include "cable/cable.h"
#include "cable/catenary.h"

typedef enum hwQuasiKind {
    HW_QUASI_LINE, // straight; half of the weight at either end
    HW_QUASI_VEE,  // two straight halves; half of the weight where they meet, a quarter at either end
    HW_QUASI_CATENARY,
    HW_QUASI_CURVE // solved by somebody else, who says where it is
} hwQuasiKind;

// Points at rising unstretched distances s from a, and the tensions there.
typedef void hwQuasiCurveFn(const void* curve, int count, const double* s, hwVec3* out, double* tension);

typedef struct hwQuasiDef {
    hwQuasiKind kind;
    bool held[2];       // false: that end hangs down from the other one; one at least is held
    hwVec3 ends[2];     // m, of ends that are held
    double length;      // m, unstretched
    double weight;      // N/m, per unstretched length, in air; negative floats up
    double lift;        // N/m, what water takes off where it is wet
    double surface;     // m, of the water
    double radius;      // m
    double EA;          // N
    double compression; // fraction of EA with which a straight line pushes
    bool hasFloor;      // flat, for the V's bend, the catenary and free ends
    double floor;       // m
    double friction;    // of a catenary on it
} hwQuasiDef;

typedef struct hwQuasi {
    hwQuasiDef def;
    hwVec3 force[2]; // N, world, on what the ends are attached to
    // N/m, symmetric, not negative: the forces fall by aa times the displacement of a plus ab times that of b, and
    // ab^T, bb likewise
    hwMat3 aa, bb, ab;
    hwVec3 bend;             // m, where the halves of a V meet
    double tension[2];       // N, of a line; of the halves of a V
    hwCatenary catenary;     // the kind that is one, with both ends held
    hwQuasiCurveFn* curveFn; // of HW_QUASI_CURVE
    const void* curve;
} hwQuasi;

// Fails when a number is not finite or length or EA is not positive.
hwStatus hwQuasi_Solve(const hwQuasiDef* def, hwQuasi* out, hwError* error);

// Weight in the fluid, N/m, the mean over the length: what the catenary has everywhere, and what hangs from one end. The
// wet share is that of two straight halves down to the lowest point that the length reaches, or, where it floats up, of
// the line between the ends.
double hwQuasi_GetMeanWeight(const hwQuasiDef* def);

// Potential energy of weight and buoyancy of a piece between two heights, J per unstretched metre. A line's and a V's
// forces are its slopes.
double hwQuasi_GetHeight(const hwQuasiDef* def, double za, double zb);

// All of its potential energy of weight and buoyancy, and of stretch, J. Hanging from one end or from none: zero.
void hwQuasi_GetEnergy(const hwQuasi* quasi, double* height, double* stretch);

// The point at unstretched distance s from a, and the tension there.
hwVec3 hwQuasi_GetPoint(const hwQuasi* quasi, double s, double* tension);

// Puts nodes (but the ends that are held), tensions, lengths and tangents where the curve is. Velocities are those of the
// ends, by their share.
void hwQuasi_Show(const hwQuasi* quasi, const hwCableState* state, hwCableWork* work);

#endif
