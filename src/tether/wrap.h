// A tether without inertia that lies round solids: free spans bent by weight and current, arcs on surfaces, and Coulomb
// friction on each arc (`model: wrap`, `rules: friction`).
//
// The path is end a, corners on surfaces, end b. A corner is a point one cable radius off a solid, kept in the frame of that
// solid; corners whose chord lies on the surface form an arc. Between arcs are free spans. Every span has a length of
// material of its own; their sum, with the chords of the arcs, is the length of the tether. Material runs over an arc only
// where the tensions beside it differ by more than e^(friction angle).
#ifndef HW_TETHER_WRAP_H
#define HW_TETHER_WRAP_H

#include "hawser/tether.h"
#include "tether/space.h"

#define HW_WRAP_CORNERS 320
#define HW_WRAP_SPANS 48
#define HW_WRAP_SAMPLES 17 // points of a span's curve, both ends included

// N/m, on a cable at right angles to the flow.
typedef struct hwWrapLoad {
    hwVec3 weight; // with buoyancy
    hwVec3 drag;
} hwWrapLoad;

// All that the shape of a span follows from: one that is asked for again with the same is not solved again.
typedef struct hwWrapKey {
    hwVec3 a, b;     // m
    hwWrapLoad load; // N/m
    double rest, EA; // m, N
    int32_t bend;
    int32_t known; // there is a span or curve of it
} hwWrapKey;

typedef void hwWrapLoadFn(const void* context, hwVec3 a, hwVec3 b, hwWrapLoad* out);

// What the tether is and what is around it.
typedef struct hwWrapSetup {
    const hwTetherSpace* space;
    const double* friction; // [solid]
    hwTetherBend bend;
    double radius, EA; // m, N
    hwWrapLoadFn* load;
    const void* context;
} hwWrapSetup;

// A span that is solved. Its tension changes along it with the work of the weight; drag acts across it alone. So a span under
// weight alone is an elastic catenary, and one in a uniform current alone, without weight and drag along it, is a catenary
// about the current's direction with the same tension everywhere (dT/ds = 0, T dphi/ds = D sin^2 phi); both exact but for the
// stretch, which is that of the tension at the lowest point. Under both together it is a catenary about their sum.
typedef struct hwWrapSpan {
    hwWrapKey key;
    hwTetherSpan shape; // stretched
    double rest;        // m of material
    hwVec3 weight;      // N/m
    double tension[2];  // N at a, b
    hwVec3 tangent[2];  // unit, from a to b
    hwVec3 pull[2];     // N on what is at a, b
    double stiffness;   // N/m, of the tension against the distance of the ends
    double slope[2];    // of a catenary against the load, at a, b
} hwWrapSpan;

hwWrapKey hwWrapSpan_MakeKey(const hwWrapSetup* setup, hwVec3 a, hwVec3 b, double rest);
void hwWrapSpan_SolveKey(const hwWrapSetup* setup, const hwWrapKey* key, hwWrapSpan* out);
void hwWrapSpan_Solve(const hwWrapSetup* setup, hwVec3 a, hwVec3 b, double rest, hwWrapSpan* out);
// The same for a span that was solved before, or is zero. False: it is as it was.
bool hwWrapSpan_SolveAgain(const hwWrapSetup* setup, hwVec3 a, hwVec3 b, double rest, hwWrapSpan* span);
// The same for one that was just solved between the same points, with more or less material.
bool hwWrapSpan_SetRest(const hwWrapSetup* setup, double rest, hwWrapSpan* span);
// At s metres of material from a.
hwVec3 hwWrapSpan_GetPoint(const hwWrapSpan* span, double s, double* tension);
// N, tension where share `share` of the material is at p.
double hwWrapSpan_GetTension(const hwWrapSpan* span, double share, hwVec3 p);
// At shares of its material that rise.
void hwWrapSpan_GetPoints(const hwWrapSpan* span, int count, const double* share, hwVec3* out);

typedef struct hwWrapCorner {
    hwVec3 at;     // m, frame of the solid
    hwVec3 normal; // unit, out of it, likewise
    int32_t solid;
    int32_t joined; // the chord to the next corner lies on the surface
    int32_t quiet;  // 1: seen to stay, 2: and not to go, since the spans beside its arc last changed
    int32_t smooth; // the chord to the next corner, as it is, was seen to need no corner more
} hwWrapCorner;

// Plain numbers, part of a world's state.
typedef struct hwWrapState {
    int32_t count;   // of corners
    int32_t started; // the curves are there
    int32_t
        lost; // corners, spans or points for which there was no room, and ways that were not swept to their ends
    int32_t unused;
    double material[2]; // m, coordinate of the material at the ends
    hwVec3 ends[2];     // m, of the last update
    hwWrapCorner corners[HW_WRAP_CORNERS];
    double rest[HW_WRAP_CORNERS + 1]; // m, of interval i, from corner i - 1 to corner i
    int32_t slip[HW_WRAP_SPANS];      // of each arc in the last update, as in hwWrapPath
    // where the free spans were when it was last seen that nothing is in the way: the k-th free interval
    int32_t samples[HW_WRAP_SPANS]; // intervals of a curve, a power of two
    hwWrapKey keys[HW_WRAP_SPANS];  // of the span whose points they are
    double lengths[HW_WRAP_SPANS];  // m, of its curve
    hwVec3 curve[HW_WRAP_SPANS][HW_WRAP_SAMPLES];
} hwWrapState;

#define HW_WRAP_BINS (HW_WRAP_SAMPLES - 1)

// How near solids are to a curve and to the chord between two corners, as found when they were last looked for, less what has moved
// since. Short ways need no search then; what is found is the same with and without.
typedef struct hwWrapGaps {
    const hwTetherSpace* space;
    uint64_t moves;           // of the space's solids
    hwWrapKey key;            // of the curve
    double within[2];         // shares of the curve of which something is known
    double gap[HW_WRAP_BINS]; // m, no solid is nearer to this sixteenth of the curve
    hwVec3 chord[2];          // m, its ends
    double chordGap;          // m, likewise of the chord
    uint64_t chordMoves;
} hwWrapGaps;

// The solved path. Zero before its first use: spans that have not changed since the last are not solved again.
typedef struct hwWrapPath {
    int count;                         // of corners
    hwVec3 point[HW_WRAP_CORNERS + 2]; // m, world, ends included
    double rest[HW_WRAP_CORNERS + 1];  // m
    bool joined[HW_WRAP_CORNERS + 1];  // interval i is a chord on a surface
    int spanOf[HW_WRAP_CORNERS + 1];   // span of interval i; of a chord the one before
    int spanCount;                     // of free intervals
    int interval[HW_WRAP_SPANS];       // of each span
    hwWrapSpan span[HW_WRAP_SPANS];
    double angle[HW_WRAP_SPANS];  // rad, of the arc behind a span
    double mu[HW_WRAP_SPANS];     // friction of the arc behind a span
    int slip[HW_WRAP_SPANS];      // that arc: 1 runs from a to b, -1 from b to a, 0 sticks
    bool measured[HW_WRAP_SPANS]; // angle and mu are of the spans and corners as they are
    bool sticks[HW_WRAP_SPANS];   // and it was found to stick
    hwWrapGaps gaps[HW_WRAP_SPANS];
} hwWrapPath;

// The path with the ends at `ends` and material from `material[0]` to `material[1]`: what was fed in since the last update is
// in the outer spans, and material has run over arcs until friction holds it. The state stays as it is.
void hwWrap_Solve(const hwWrapSetup* setup, const hwWrapState* state, const hwVec3 ends[2],
                  const double material[2], hwWrapPath* out);

// Room that an update needs.
typedef struct hwWrapWork hwWrapWork;
size_t hwWrapWork_GetSize(void);

// Moves the tether to where its ends are now. Everything that it would sweep through becomes a corner, corners that it no
// longer presses on go, and corners slide where friction does not hold them. `before`: poses of the solids at the last update,
// null: all stand still.
void hwWrap_Update(const hwWrapSetup* setup, hwWrapState* state, const hwVec3 ends[2],
                   const double material[2], const hwPose* before, hwWrapWork* work, hwWrapPath* path);
// The same where solids have moved from the poses `before` to `now`: what is near goes by no more than two radii at once, as far as 64
// parts do, with the ends in step. `before` is then as `now`, and the solids of `space`, which is the setup's, are there.
void hwWrap_UpdateAmong(const hwWrapSetup* setup, hwTetherSpace* space, hwWrapState* state,
                        const hwVec3 ends[2], const double material[2], hwPose* before, const hwPose* now,
                        hwWrapWork* work, hwWrapPath* path);
// Begins with a polyline: free spans and arcs follow from what it touches. The first and the last point are the ends.
void hwWrap_Start(const hwWrapSetup* setup, hwWrapState* state, hwPolyline along, const double material[2],
                  hwWrapWork* work, hwWrapPath* path);

// The tether as one of its ends feels it while it moves little: the span at that end as it is, and beyond its arc a spring.
typedef struct hwWrapOuter {
    double rest;    // m of material in the span
    double beyond;  // N, tension on the other side of the arc
    double give;    // m/N by which material comes from there
    double hold;    // friction times angle of the arc
    double outside; // m, coordinate of the material at that end
    bool slips;     // material ran over the arc in the last update
    // Of the last evaluation: one at the same point is not solved again, one near it begins from there.
    hwWrapKey key; // of the span with the material that was there
    double run,
        left;       // m that ran to it over the arc, to where it is more with `side`, and what is in the span
    double along;   // N/m
    int side, slip; // as in hwWrapPath, 0: it stuck
} hwWrapOuter;

// Of a path that was solved for the state, for both ends.
void hwWrap_FindOuter(const hwWrapState* state, const hwWrapPath* path, const double material[2],
                      hwWrapOuter out[2]);
// As hwWrap_Solve with the ends near to where they were then: only the outer spans are solved, and material runs over the arcs beside
// them alone. `along`: N/m, how the tension at either end rises when that end is drawn away.
void hwWrap_SolveOuter(const hwWrapSetup* setup, hwWrapOuter outer[2], const hwVec3 ends[2],
                       const double material[2], hwWrapPath* path, double along[2]);

// At s metres of material from end a.
hwVec3 hwWrapPath_GetPoint(const hwWrapPath* path, double s, double* tension);
// At rising s.
void hwWrapPath_GetPoints(const hwWrapPath* path, int count, const double* s, hwVec3* out, double* tension);
// Sum of the angles through which it turns on solids, rad.
double hwWrapPath_GetAngle(const hwWrapPath* path);

#endif
