// The motion of a rigid body that nothing acts on: its centre of mass goes straight on, its angular momentum stays.
#ifndef HW_MECH_FREE_MOTION_H
#define HW_MECH_FREE_MOTION_H

#include "mech/forest.h"

// Coordinates, velocities and accelerations of a free joint (see forest.h) some time later.
typedef struct hwFreeMotion {
    double q[7], v[6], a[6];
} hwFreeMotion;

// Whether its mass and its inertia about all axes are positive.
bool hwLink_IsSolid(const hwLink* link);

// Whether a link is a body by itself that may move so: a free root without children whose inertia is positive.
bool hwForest_IsFreeBody(const hwForest* forest, int link);

// From motion->q and motion->v on for `time` seconds; updates all of it. Energy and angular momentum are kept to rounding,
// however many turns that is; the phase is of fourth order in angles of MOST_ANGLE. Time 0 fills the accelerations only.
void hwFreeMotion_Advance(hwFreeMotion* motion, const hwLink* link, double time);

// Angular momentum about the centre of mass, world axes, and that centre's velocity: neither changes without forces.
typedef struct hwImpetus {
    hwVec3 spin, velocity;
} hwImpetus;
// Of accelerations by forces alone, less those of the motion without them, it is their rates.
hwImpetus hwLink_GetImpetus(const hwLink* link, const double q[7], const double v[6]);
// x + factor y.
hwImpetus hwImpetus_MulAdd(hwImpetus x, double factor, hwImpetus y);
// Accelerations of a free joint with q and v that go with a rate of both.
void hwLink_AccelerateBy(const hwLink* link, const double q[7], const double v[6], hwImpetus rate,
                         double a[6]);

// The link's own inertia times an acceleration x, both of a free joint with the coordinates q: a force in the joint's axes and
// a moment about the origin in link axes.
void hwLink_MultiplyInertia(const hwLink* link, const double q[7], const double x[6], double out[6]);

#endif
