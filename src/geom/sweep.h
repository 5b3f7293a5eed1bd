// Time of impact: things that move on straight lines against convex bodies and triangles.
#ifndef HW_GEOM_SWEEP_H
#define HW_GEOM_SWEEP_H

#include "geom/convex.h"
#include "geom/mesh_query.h"

// A capsule with its axis from p + t vp to q + t vq, 0 <= t <= 1.
typedef struct hwMovingCapsule {
    hwVec3 p, q, vp, vq;
    double radius;
} hwMovingCapsule;

// First touch before hit->t, which it replaces together with the rest of the hit. Overlap at the start gives t = 0.
bool hwMovingCapsule_MeetTriangle(const hwMovingCapsule* capsule, const hwVec3 corner[3], hwCastHit* hit);
bool hwMovingCapsule_MeetConvex(const hwMovingCapsule* capsule, const hwConvex* convex, hwPose pose,
                                hwCastHit* hit);

// The ray origin + t direction, 0 <= t <= tMax, against a convex body; from inside it hits at t = 0.
bool hwConvex_CastRay(const hwConvex* convex, hwPose pose, hwVec3 origin, hwVec3 direction, double tMax,
                      hwCastHit* hit);

// A ball whose centre runs along the ray.
bool hwConvex_SweepBall(const hwConvex* convex, hwPose pose, hwVec3 origin, hwVec3 direction, double radius,
                        double tMax, hwCastHit* hit);

// Body A moves by t times `travel`, 0 <= t <= 1, without turning, towards B at rest. `point` and `normal` as seen by A.
bool hwConvex_Sweep(const hwConvex* a, hwPose poseA, hwVec3 travel, const hwConvex* b, hwPose poseB,
                    hwCastHit* hit);

#endif
