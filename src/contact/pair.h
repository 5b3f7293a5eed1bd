// The force between two bodies that touch and its matrices, in plain numbers: what each of them gets of the patches on which they
// overlap and of friction, and what couples them.
//
// Everything is about the origin of the first body, a, in world axes; what the second, b, gets is the opposite, shifted to its own
// origin. Matrices act on the motion of a against b: with X = [1 -[r]x; 0 1], which takes a motion of b at its own origin to that of
// a, r away, and M = hd D + hd^2 K the parts of the system's matrix are
//     aa: M,   ab: -M X,   ba: -X^T M,   bb: X^T M X,
// so that a motion of both as one rigid body has no force.
#ifndef HW_CONTACT_PAIR_H
#define HW_CONTACT_PAIR_H

#include "contact/law.h"
#include "contact/patch.h"
#include "math/wide.h"

// Where a body's origin is and how it moves there; the caller's.
typedef struct hwPairFrame {
    const hwWide* p;        // m
    const hwWideSpatial* v; // m/s, rad/s
} hwPairFrame;

// What the last evaluation found for a pair.
typedef struct hwContactResult {
    // cleared by each evaluation, up to `first`
    bool touches, slides;
    bool limited;            // friction is at its limit: `pressing` and `rubbing` are filled
    double speed;            // m/s, of slip
    double volume, depth;    // m3, m
    double elastic, damping; // N
    hwVec3 point, normal;    // normal from a to b
    hwVec3 force;            // N, on a
    hwSpatial load;          // on a, about the world's origin
    double stored;           // J, by deformation
    double swelling;         // J/m3, by which that grows with the volume that pushes
    double fed; // W, to what is stored, by overlap of the start that begins to push; the caller's
    // kept
    hwSpatial first;  // the load of the step's first stage
    double firstFed;  // W, likewise
    hwSpatial start;  // motion of a against b at the world's origin when the step began,
    hwSpatial middle; // and at its first stage
    double powers[2]; // W, what it took then
    bool linked;      // both move and have touched since the step began
    int pair;         // index among the couplings, -1: none
    hwVec3
        apart; // a direction from a to b across which they were apart, or zero: where they still are, that is soon seen
    // if they touch, about the origin of a: matrices on the motion of a against b, and, when they were evaluated, that motion and
    // the load. Within a stage, hd > 0, all that anyone asks for is damping + hd stiffness, and that is `dampingMatrix`.
    hwWideSym dampingMatrix, stiffnessMatrix;
    bool whole; // it is
    hwWideSpatial motion, wrench;
    // how the normal force follows that motion within the stage, and friction at its limit the normal force; not symmetric, and so
    // in no matrix
    hwWideSpatial pressing, rubbing;
    double power;         // W, that its dashpots and friction take
    hwWideSpatial acting; // the load that goes to the links, about the origin of a's
    bool acts;
} hwContactResult;

// A pair while it is evaluated.
typedef struct hwContactPair {
    hwPairFrame a, b;
    bool alone;       // b is the ground, at rest
    hwContactLaw law; // set before its first patch is added
    double hd;        // s
    bool relaxes;     // of friction, see hwRubInput
    hwContactResult* result;
    // sums over the patches
    double force, area, rate; // N, m2, N s/m
    hwVec3 pointSum, normalSum;
    double polar; // m4, of the area about the patches' own centres
} hwContactPair;

// From the origin of b to that of a.
static inline hwWide hwContactPair_GetArm(const hwContactPair* pair) {
    return *pair->a.p - *pair->b.p;
}

// Motion of a against b at the origin of a.
static inline hwWideSpatial hwContactPair_GetMotion(const hwContactPair* pair) {
    hwWideSpatial v = *pair->a.v;
    if (pair->alone) return v;
    hwWideSpatial w = hwWideSpatial_MotionAt(*pair->b.v, hwContactPair_GetArm(pair));
    v.l -= w.l;
    v.a -= w.a;
    return v;
}

// What b gets the opposite of, about its own origin, when a gets `load` about its own.
static inline hwWideSpatial hwContactPair_GetLoadOnB(const hwContactPair* pair, hwWideSpatial load) {
    return hwWideSpatial_ForceFrom(load, hwContactPair_GetArm(pair));
}

// No patch yet.
static inline void hwContactPair_Begin(hwContactPair* pair) {
    pair->force = pair->area = pair->rate = pair->polar = 0.0;
    pair->pointSum = pair->normalSum = hwVec3_zero;
}

// Adds the pressure on a patch, `volume` m3 of whose overlap push; the first one of an evaluation begins the sums. The force acts
// at the centroid of the volume or, `atSurface`, between the deflected surfaces.
void hwContactPair_AddPatch(hwContactPair* pair, const hwPatch* patch, double volume, bool atSurface);
// After all patches, where they have an area. `base`, `out`: friction's springs, see hwContactLaw_Rub.
void hwContactPair_AddFriction(hwContactPair* pair, const double* base, bool sliding, hwRubOutput* out);
// The load after a change of the motion within a stage, by the matrices; friction at its limit follows the normal force. These are
// the forces with which the correction was solved for, so that the audit of a step whose last correction was not evaluated is that of
// its own forces.
static inline hwWideSpatial hwContactPair_Follow(const hwContactResult* result, hwWideSpatial change) {
    hwWideSpatial f = hwWideSym_Mul(&result->dampingMatrix, change);
    double pressed = result->limited ? hwWideSpatial_Dot(result->pressing, change) : 0.0;
    return (hwWideSpatial){result->wrench.l - f.l + pressed * result->rubbing.l,
                           result->wrench.a - f.a + pressed * result->rubbing.a};
}
// Rates by which friction's springs within their limit go with such a change.
void hwContactPair_FollowSprings(const hwContactPair* pair, hwWideSpatial change, double rates[HW_RUB_SIZE]);
// A load on a, about its origin, into the result: about the world's origin.
static inline void hwContactPair_NoteLoad(const hwContactPair* pair, hwWideSpatial load) {
    hwContactResult* result = pair->result;
    result->force = result->load.l = hwWide_ToVec3(load.l);
    result->load.a = hwWide_ToVec3(load.a + hwWide_Cross(*pair->a.p, load.l));
}

// M of a pair, with the hd of its evaluation if that had one. No vector of lanes by value here: how these are passed depends on the width for which a caller is compiled.
void hwContactPair_GetMatrix(const hwContactResult* result, double hd, hwWideSym* m);
// -M X: what the motion of b about its own origin does to a, whose origin is `between` m from there.
hwWideBlock hwContactPair_Couple(const hwWideSym* m, hwVec3 between);
// Minus hd times what friction at its limit gains, on a, as a motion of a against b changes the normal force.
static inline hwWideSpatial hwContactPair_Rub(const hwContactResult* result, double hd,
                                              hwWideSpatial relative) {
    double force = -hd * hwWideSpatial_Dot(result->pressing, relative);
    return (hwWideSpatial){force * result->rubbing.l, force * result->rubbing.a};
}

#endif
