// What the files of a wrapped tether's update share.
#ifndef HW_TETHER_WRAP_UPDATE_H
#define HW_TETHER_WRAP_UPDATE_H

#include "tether/wrap.h"

// Corners are a radius off a surface. What is between them may be this share of it nearer, so that chords of a curvature
// radius rho are up to sqrt(4 radius rho) long.
#define HW_WRAP_NEARER 0.5
// What is swept are chords of a span's curve. Where the curve leaves a chord by more than this share of the radius, and something is
// nearer to what the chord sweeps than by that way more, the chord is halved.
#define HW_WRAP_BULGE 0.25
// As near while corners slide, so that chords as long as that are not held by it.
#define HW_WRAP_SLIDING 0.25
// Radii: nearer to a corner along a span, what is in the span's way is what the corner lies on.
#define HW_WRAP_BESIDE 2.0
#define HW_WRAP_CHANGES 200 // corners that come and go in one update
#define HW_WRAP_STRIP 192   // points of a curve at most

// Points of a free span, with their shares of its material.
typedef struct hwWrapCurve {
    hwWrapKey
        key; // of the span whose samples these are and nothing else; unknown: it has been cut, joined or moved
    double length; // m, of that span's curve
    int count;
    double share[HW_WRAP_STRIP];
    hwVec3 point[HW_WRAP_STRIP];
} hwWrapCurve;

struct hwWrapWork {
    // where spans were when it was last seen that nothing is in the way, those of intervals that have changed included
    hwWrapCurve curve[HW_WRAP_SPANS];
    hwWrapCurve left, right;
};

typedef struct hwWrapUpdate {
    const hwWrapSetup* setup;
    hwWrapState* state;
    hwWrapWork* work;
    hwWrapPath* path;
    hwVec3 ends[2];
    double material[2];
    int changes, turns;
    // how much of the way to where a corner, or an arc by its first, would rest it goes: less whenever it went too far
    double gain[2][HW_WRAP_CORNERS];
    int side[2][HW_WRAP_CORNERS];
    bool still[HW_WRAP_SPANS];      // spans are where their curves are
    bool busy[HW_WRAP_CORNERS];     // corners that may slide
    hwVec3 across[HW_WRAP_CORNERS]; // unit, where to
    double move[HW_WRAP_CORNERS];   // m
} hwWrapUpdate;

static inline hwVec3 hwWrap_ToSolid(const hwTetherSpace* space, int solid, hwVec3 p) {
    return hwInvTransformPoint(space->solids[solid].pose, p);
}

static inline hwVec3 hwWrap_GetNormal(const hwWrapSetup* setup, const hwWrapCorner* corner) {
    return hwRotate(setup->space->solids[corner->solid].pose.q, corner->normal);
}

static inline hwVec3 hwWrap_Between(hwVec3 a, hwVec3 b, double part) {
    return hwMulAdd(a, part, hwSub(b, a));
}

// wrap_balance.c
// Corners, ends and material of the state put into a path, with nothing solved.
void hwWrap_Place(const hwWrapSetup* setup, const hwWrapState* state, const hwVec3 ends[2],
                  const double material[2], hwWrapPath* path);

// wrap_curve.c
bool hwWrapKey_IsSame(const hwWrapKey* a, const hwWrapKey* b);
// Intervals of a span's curve: a power of two, so fine that chords leave it by a tenth of the radius or so, as far as there are.
int hwWrapCurve_CountSamples(const hwWrapSetup* setup, const hwWrapSpan* span);
void hwWrapCurve_Load(const hwWrapState* state, int k, hwWrapCurve* out);
void hwWrapCurve_Sample(const hwWrapSetup* setup, const hwWrapSpan* span, hwWrapCurve* out);
// A curve of more than one span's samples is one that could not be swept: its span's samples are kept.
void hwWrapCurve_Store(const hwWrapSetup* setup, const hwWrapSpan* span, bool still, hwWrapCurve* curve,
                       hwWrapState* state, int k);
// Adds a point on the curve's own chord.
void hwWrapCurve_AddPoint(hwWrapCurve* curve, double share);
// At shares that are multiples of 1 / n.
void hwWrapCurve_Refine(hwWrapCurve* curve, int n);
// The share of a curve within `reach` m of an end, along it.
double hwWrapCurve_FindShare(const hwWrapCurve* curve, int end, double reach);
void hwWrapCurve_Copy(hwWrapCurve* out, const hwWrapCurve* from);
// Whether a curve goes from one end to the other without a bight.
bool hwWrapCurve_LiesAlong(const hwWrapSetup* setup, const hwWrapCurve* curve, double distance);

// wrap.c
// The state takes what was solved: lengths of spans as material has run.
void hwWrapUpdate_Commit(hwWrapUpdate* u);
// Solves the path for the state's corners, and finds which spans have left their curves.
void hwWrapUpdate_Solve(hwWrapUpdate* u);

// wrap_corner.c
// The free span of an interval, of a chord the one before it.
int hwWrapState_FindSpan(const hwWrapState* state, int interval);
int hwWrapState_CountSpans(const hwWrapState* state);
// Splits free interval i at a corner. `part` is the share of the material before it. False: no room.
bool hwWrapUpdate_InsertCorner(hwWrapUpdate* u, int i, double part, int solid, hwVec3 p, hwVec3 normal);
// Takes corner c out and joins what is before and behind it. False: no room for one more span.
bool hwWrapUpdate_RemoveCorner(hwWrapUpdate* u, int c);
// Arcs as a sweep and sliding want them: short spans joined, corners that are too many gone, long chords with one more. True: changed.
bool hwWrapUpdate_TidyArcs(hwWrapUpdate* u);
// In a crotch narrower than itself the tether would go to and fro between two solids, with a corner on each: one is enough there.
bool hwWrapUpdate_RemoveZigzag(hwWrapUpdate* u);

// wrap_sweep.c
// All spans, until nothing is in the way of any.
void hwWrapUpdate_SweepAll(hwWrapUpdate* u);
// The same for solids that have moved from the poses `before`.
void hwWrapUpdate_SweepSolids(hwWrapUpdate* u, const hwPose* before);

// wrap_slide.c
// A corner goes when the tether's pull on it no longer points into the solid.
bool hwWrapUpdate_ReleaseOne(hwWrapUpdate* u);
// Moves corners across the tether where its pull along the surface is more than friction holds: towards the shortest path. A
// corner that moves stays a radius off the surface, and what it sweeps must be free. Ways of no more than `enough` m are left for the
// next update. Returns the farthest move, m.
double hwWrapUpdate_SlideAll(hwWrapUpdate* u, double enough);

#endif
