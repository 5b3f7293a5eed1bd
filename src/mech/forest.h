// Trees of rigid links: kinematics, inverse dynamics and the articulated solve. A free body is a tree of one link.
//
// Links are numbered so that a parent comes before its children. Each link has a frame at its joint; spatial vectors
// are in link frames unless said otherwise. Generalised velocities of a joint:
//   revolute, prismatic   rate about or along `axis`
//   ball                  angular velocity relative to the parent, in link axes (3)
//   free                  velocity of the origin in the parent's axes (3), angular velocity in link axes (3)
// and its coordinates: angle or displacement; unit quaternion (w, x, y, z); position and quaternion.
#ifndef HW_MECH_FOREST_H
#define HW_MECH_FOREST_H

#include "base/memory.h"
#include "math/spatial.h"

typedef enum hwJointType {
    HW_LINK_FIXED,     // no freedom
    HW_LINK_REVOLUTE,  // 1
    HW_LINK_PRISMATIC, // 1
    HW_LINK_BALL,      // 3 freedoms, 4 coordinates
    HW_LINK_FREE,      // 6 freedoms, 7 coordinates
    HW_LINK_DRIVEN     // no freedom; placement, velocity and acceleration are given from outside
} hwJointType;

// What never changes about a link.
typedef struct hwLink {
    int parent; // -1: the earth
    hwJointType joint;
    int coordinate;      // index of its first coordinate
    int freedom;         // index of its first generalised velocity
    hwPlacement tree;    // of the joint in the parent's frame
    hwVec3 axis;         // unit, revolute and prismatic, in joint axes
    hwSpatialSym inertia; // rigid part, about the frame's origin
} hwLink;

// Motion of a driven link: its frame in its parent's (the earth's, for a root).
typedef struct hwDrive {
    hwPlacement placement;
    hwSpatial velocity;     // link frame, relative to the parent
    hwSpatial acceleration; // link frame: rate of change of the components of `velocity`
} hwDrive;

// What the forward pass computes for a link.
typedef struct hwLinkMotion {
    hwPlacement placement; // in the parent's frame
    hwPlacement world;     // in the world
    hwSpatial v;           // velocity
    hwSpatial c;           // velocity-dependent part of the acceleration across the joint
    hwSpatial a;           // acceleration (spatial: rate of change of the components of v)
} hwLinkMotion;

// What the articulated factorisation leaves at a link. Joints with several freedoms use rows of `U` and `D` shared by
// the forest, indexed by freedom.
typedef struct hwForest {
    int linkCount;
    int coordinateCount;
    int freedomCount;
    hwLink* links;
} hwForest;

// Work arrays, all written by the calls below.
typedef struct hwForestWork {
    hwLinkMotion* motion;    // [link] by hwForest_ComputeMotion, hwForest_ComputeAccelerations
    hwSpatial* force;        // [link] by hwForest_ComputeEfforts: force that the joint must pass to the link
    hwSpatialSym* articulated; // [link] by hwForest_Factor: articulated inertia
    hwSpatial* U;            // [freedom] by hwForest_Factor: articulated inertia times the joint's motion axes
    double* D;               // [freedom * 6] by hwForest_Factor: factors of the joint-space blocks
    hwSpatial* bias;         // [link] scratch of hwForest_Solve
    double* u;               // [freedom] scratch of hwForest_Solve
} hwForestWork;

int hwJoint_CountFreedoms(hwJointType joint);
int hwJoint_CountCoordinates(hwJointType joint);

// Lays out the arrays; counts must be final.
void hwForest_TakeWork(const hwForest* forest, hwArena* arena, hwForestWork* work);

// The joint's motion axes in link axes: `axes` receives one spatial vector per freedom.
void hwForest_GetAxes(const hwLink* link, const hwLinkMotion* motion, hwSpatial axes[6]);

// Forward pass: placements and velocities of all links from q and v; drives are indexed by link.
void hwForest_ComputeMotion(const hwForest* forest, const double* q, const double* v, const hwDrive* drives,
                            hwForestWork* work);

// Second half of the forward pass: accelerations from vdot.
void hwForest_ComputeAccelerations(const hwForest* forest, const double* vdot, const hwDrive* drives,
                                   hwForestWork* work);

// Inverse dynamics (recursive Newton-Euler): the joint efforts that go with the accelerations in `work`, given each
// link's total inertia (rigid plus added; null: rigid only) and the wrench on it (link frame). Velocity-product
// forces use the rigid inertia; those of added mass belong to the wrench.
void hwForest_ComputeEfforts(const hwForest* forest, const hwSpatialSym* inertia, const hwSpatial* wrench,
                             hwForestWork* work, double* efforts);

// y = M x, the joint-space inertia times a vector, at the placements in `work`.
void hwForest_MultiplyInertia(const hwForest* forest, const hwSpatialSym* inertia, hwForestWork* work, const double* x,
                              double* y);

// Factors A = sum over links of J^T K J + diag(joint), with K symmetric positive (semi)definite per link. False when
// a joint-space block is not positive definite; *failed then is the link.
bool hwForest_Factor(const hwForest* forest, const hwSpatialSym* K, const double* joint, hwForestWork* work,
                     int* failed);

// Solves A x = b with the last factors. b and x may be the same array.
void hwForest_Solve(const hwForest* forest, hwForestWork* work, const double* b, double* x);

// q = q0 (+) delta: advances coordinates by a displacement in the space of generalised velocities.
void hwForest_Displace(const hwForest* forest, const double* q0, const double* delta, double* q);

// Time derivative of the coordinates.
void hwForest_ComputeRates(const hwForest* forest, const double* q, const double* v, double* qdot);

// The displacement in the space of velocities that a small change `dq` of the coordinates q amounts to.
void hwForest_TangentOf(const hwForest* forest, const double* q, const double* dq, double* tangent);

// Joint-space inertia matrix (composite bodies), freedomCount x freedomCount, row-major; a check and a service to
// controllers, not part of a step. `composite` is scratch of linkCount.
void hwForest_ComputeMatrix(const hwForest* forest, const hwSpatialSym* inertia, const hwForestWork* work,
                            hwSpatialSym* composite, double* matrix);

#endif
