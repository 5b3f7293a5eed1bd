// Trees of rigid links: kinematics, inverse dynamics and the articulated solve. A free body is a tree of one link.
//
// Links are numbered so that a parent comes before its children. A link's frame is at its joint. All spatial quantities
// here are in world axes about the link's origin: a motion is the velocity of the origin and the angular velocity, its
// derivative the plain acceleration of both. In these axes going from a child to its parent is a shift, and only the
// links' own inertia is turned.
//
// Generalised velocities of a joint, and its coordinates:
//   revolute, prismatic   rate about or along `axis`; angle or displacement
//   ball                  angular velocity relative to the parent, in link axes (3); unit quaternion (w, x, y, z)
//   free                  velocity of the origin in the joint's axes (3), angular velocity in link axes (3); position
//                         and quaternion
//
// To add a joint type: its counts in forest.c and how coordinates move there; its placement, motion axes and accelerations in
// motion.c; its projection in inverse.c; its elimination and back substitution in articulated.c. Couplings and everything in
// the world work on those. Users meet it as a hwJointKind (mechanism.h; world/prepare.c translates) and in scenes
// (io/schema_mechanisms.c); test/mech/random_forest.h puts it into the trees that all checks run on.
#ifndef HW_MECH_FOREST_H
#define HW_MECH_FOREST_H

#include "base/memory.h"
#include "math/wide.h"

typedef enum hwJointType {
    HW_LINK_FIXED,     // no freedom
    HW_LINK_REVOLUTE,  // 1
    HW_LINK_PRISMATIC, // 1
    HW_LINK_BALL,      // 3 freedoms, 4 coordinates
    HW_LINK_FREE,      // 6 freedoms, 7 coordinates
    HW_LINK_DRIVEN     // no freedom; a root whose motion is given from outside
} hwJointType;

// A link as described.
typedef struct hwLink {
    int parent; // -1: the earth
    hwJointType joint;
    int coordinate;   // index of its first coordinate
    int freedom;      // index of its first generalised velocity
    hwPlacement tree; // of the joint in the parent's frame
    hwVec3 axis;    // unit, revolute and prismatic, in joint axes (which are the link's at displacement zero)
    double mass;    // kg
    hwVec3 com;     // link frame
    hwSym3 inertia; // about the centre of mass, link axes
} hwLink;

// What the sweeps read of a link.
typedef struct hwLinkData {
    hwWideMat tree;    // joint axes in the parent's, turned so that z is the axis
    hwWide position;   // of the joint in the parent's frame
    hwWide moment;     // mass times com, link frame
    hwWideMat inertia; // about the origin, link axes
    double mass;
    int parent;
    short joint;
    bool turned;   // `axis` is not z: `back` applies
    bool grounded; // neither it nor any ancestor has a freedom
    bool leaf;     // no link has it as parent
    bool opens;    // the first of its parent's children that a sweep from the leaves meets
    int coordinate, freedom;
    int angle; // revolute: index among the revolute joints
} hwLinkData;

// The square of a motion as what a body moves with it feels, kg m2/s2: of its mass all over, about its origin, whichever axis it
// turns about. Twice the kinetic energy, or more.
static inline double hwLinkData_GetSize(const hwLinkData* link, double linearSquare, double angularSquare) {
    double spread = link->inertia.x[0] + link->inertia.y[1] + link->inertia.z[2];
    return link->mass * linearSquare + 0.5 * spread * angularSquare;
}

// Motion of a driven link, world axes.
typedef struct hwDrive {
    hwPlacement placement;
    hwSpatial velocity;     // of the origin, and angular
    hwSpatial acceleration; // of the origin, and angular
} hwDrive;

typedef struct hwForest {
    int linkCount;
    int coordinateCount;
    int freedomCount;
    int revoluteCount;
    hwLink* links;
    hwLinkData* data;
    hwWideMat* back; // [link] link axes in the axes of `tree` at displacement zero
} hwForest;

// What the forward pass computes for a link.
typedef struct hwLinkMotion {
    hwWideMat R;      // columns: the link's axes
    hwWide p;         // origin
    hwWide arm;       // from the parent's origin to this one
    hwWide axis;      // of a revolute or prismatic joint
    hwWideSpatial v;  // velocity
    hwWideSpatial a0; // acceleration if all generalised accelerations were zero
} hwLinkMotion;

struct hwCouplings;

// Work arrays, all written by the calls below. Those by link have an element -1 that stands for the earth.
typedef struct hwForestWork {
    hwLinkMotion* motion;     // by hwForest_ComputeMotion
    hwWideSpatial* a;         // acceleration, by hwForest_ComputeAccelerations
    hwWideSpatial* increment; // a less a0, by hwForest_ComputeAccelerations; scratch of solves and products
    hwWideSpatial*
        force; // by hwForest_ComputeEfforts: force that the joint passes to the link; scratch of solves
    hwWideSym* articulated; // by hwForest_Factor
    hwWideSpatial* U;       // [freedom] by hwForest_Factor
    double* pivots;         // [freedom] by hwForest_Factor: inverses
    double* lower;          // [freedom * 6] by hwForest_Factor: factors within joints of several freedoms
    double* reduced;        // [freedom] scratch of solves
    double *angles, *sines, *cosines; // [revolute]
    struct hwCouplings* couplings;    // null: none were reserved
    // [link] not 0: it stays where it is with all links that move with it, their velocities and accelerations zero, and nothing is coupled
    // to them: solves and products give it nothing. Null: none does.
    const int32_t* asleep;
} hwForestWork;

static inline bool hwForestWork_Skips(const hwForestWork* work, int link) {
    return work->asleep != NULL && work->asleep[link] != 0;
}

int hwJoint_CountFreedoms(hwJointType joint);
int hwJoint_CountCoordinates(hwJointType joint);

// Lays out links and data for `linkCount` links (two passes, see hwArena).
void hwForest_Take(hwForest* forest, hwArena* arena);
// Derives counts and data from the links.
void hwForest_Compile(hwForest* forest);
// Lays out the work arrays; counts must be final.
void hwForest_TakeWork(const hwForest* forest, hwArena* arena, hwForestWork* work);
// Writes the elements that stand for the earth; once, after the layout.
void hwForest_StartWork(hwForestWork* work);

// Motion ---------------------------------------------------------------------------------------------------------------

// Placements and velocities of all links from q and v; drives are indexed by link.
void hwForest_ComputeMotion(const hwForest* forest, const double* q, const double* v, const hwDrive* drives,
                            hwForestWork* work);

// Accelerations from vdot.
void hwForest_ComputeAccelerations(const hwForest* forest, const double* vdot, hwForestWork* work);

// The joint's motion axes: `axes` receives one motion per freedom.
void hwForest_GetAxes(const hwForest* forest, const hwForestWork* work, int link, hwWideSpatial axes[6]);

static inline hwPlacement hwLinkMotion_GetPlacement(const hwLinkMotion* motion) {
    hwPlacement placement = {hwWideMat_ToMat3(&motion->R), hwWide_ToVec3(motion->p)};
    return placement;
}

// Forces and inertia ---------------------------------------------------------------------------------------------------

// A link's `wrench` is what would accelerate it if all generalised accelerations were zero: the forces on it less its
// inertia times a0 and less velocity products. What remains is M (J vdot) = wrench + joint forces, linear in vdot.

// Motion as above, and each link's rigid inertia in world axes with the wrench of its weight and inertia. `gravity` is
// downwards.
void hwForest_ComputeRigidMotion(const hwForest* forest, const double* q, const double* v,
                                 const hwDrive* drives, double gravity, hwForestWork* work,
                                 hwWideSym* inertia, hwWideSpatial* wrench);

// Inverse dynamics (recursive Newton-Euler): the joint efforts that go with the accelerations in `work`.
void hwForest_ComputeEfforts(const hwForest* forest, const hwWideSym* inertia, const hwWideSpatial* wrench,
                             hwForestWork* work, double* efforts);

// y = sum over links of J^T K J x, at the placements in `work`. Couplings are not part of it.
void hwForest_Multiply(const hwForest* forest, const hwWideSym* K, hwForestWork* work, const double* x,
                       double* y);

// y += sum over links of J^T force.
void hwForest_AddForces(const hwForest* forest, hwForestWork* work, const hwWideSpatial* force, double* y);

// The articulated solve --------------------------------------------------------------------------------------------------

// What a joint adds to A in its own freedoms; null arrays are zero.
typedef struct hwJointTerms {
    const double* diagonal; // [freedom], not negative
    const double* off; // [freedom] of ball joints: entries xy, xz, yz of the block whose diagonal is above
} hwJointTerms;

// Factors A = sum over links of J^T K J + joint terms + couplings, with K symmetric and not negative. False when a
// joint-space block is not positive definite; *failed then is the link.
bool hwForest_Factor(const hwForest* forest, const hwWideSym* K, hwJointTerms joint, hwForestWork* work,
                     int* failed);

// Solves A x = b + sum over links of J^T force with the last factors. `force` may be null. b and x may be the same.
void hwForest_Solve(const hwForest* forest, hwForestWork* work, const double* b, const hwWideSpatial* force,
                    double* x);

// Forward dynamics: generalised accelerations from each link's inertia and wrench, the joints' terms (such as the
// inertia of rotors) and efforts. Leaves the factors for further solves.
bool hwForest_ComputeForward(const hwForest* forest, const hwWideSym* inertia, const hwWideSpatial* wrench,
                             hwJointTerms joint, const double* efforts, hwForestWork* work, double* vdot,
                             int* failed);

// Coordinates ----------------------------------------------------------------------------------------------------------

// q = q0 (+) delta: advances coordinates by a displacement in the space of generalised velocities.
void hwForest_Displace(const hwForest* forest, const double* q0, const double* delta, double* q);
// The same for one link, its own coordinates and displacement given.
void hwLink_Displace(const hwLink* link, const double* from, const double* d, double* to);

// Time derivative of the coordinates.
void hwForest_ComputeRates(const hwForest* forest, const double* q, const double* v, double* qdot);

// The displacement in the space of velocities that a small change `dq` of the coordinates q amounts to.
void hwForest_TangentOf(const hwForest* forest, const double* q, const double* dq, double* tangent);

// Joint-space inertia matrix (composite bodies), freedomCount x freedomCount, row-major; a check and a service to
// controllers, not part of a step. `composite` is scratch of linkCount.
void hwForest_ComputeMatrix(const hwForest* forest, const hwWideSym* inertia, const hwForestWork* work,
                            hwWideSym* composite, double* matrix);

#endif
