// Wrapped tethers: how material runs over arcs, and how corners come, slide and go.
//
// Whatever changes the path is a sweep: the curve before and the curve after bound a strip of triangles, and a corner is put
// where the strip first meets a solid. So nothing is passed through, however far the ends have moved, and the path stays in
// its homotopy class.
#include "tether/wrap.h"

#include <string.h>

// Corners are a radius off a surface. What is between them may be this share of it nearer, so that chords of a curvature
// radius rho are up to sqrt(4 radius rho) long.
#define NEARER 0.5
#define SLIDING 0.25 // and as near while corners slide, so that chords as long as that are not held by it
#define CHANGES 200  // corners that come and go in one update
#define SLIDES 8     // rounds of sliding in one update
#define BALANCES 10  // rounds over all arcs
#define STRIP (2 * HW_WRAP_SAMPLES)

// Points of a free span, with their shares of its material.
typedef struct Curve {
    int count;
    double share[STRIP];
    hwVec3 point[STRIP];
} Curve;

struct hwWrapWork {
    Curve curve[HW_WRAP_SPANS]; // where spans were, those of intervals that have changed included
    Curve other;
};

size_t hwWrapWork_GetSize(void) {
    return sizeof(hwWrapWork);
}

static hwVec3 ToWorld(const hwTetherSpace* space, const hwWrapCorner* corner) {
    return hwTransformPoint(space->solids[corner->solid].pose, corner->at);
}

static hwVec3 ToSolid(const hwTetherSpace* space, int solid, hwVec3 p) {
    return hwInvTransformPoint(space->solids[solid].pose, p);
}

static double GetTurn(hwVec3 u, hwVec3 v) {
    return hwAtan2(hwLength(hwCross(u, v)), hwDot(u, v));
}

// The path --------------------------------------------------------------------------------------------------------------

static void PlacePath(const hwWrapSetup* setup, const hwWrapState* state, const hwVec3 ends[2],
                      const double material[2], hwWrapPath* path) {
    int n = state->count;
    path->count = n;
    path->point[0] = ends[0];
    path->point[n + 1] = ends[1];
    for (int i = 0; i < n; ++i) path->point[i + 1] = ToWorld(setup->space, &state->corners[i]);
    path->spanCount = 0;
    double length = material[1] - material[0], sum = 0.0;
    for (int i = 0; i <= n; ++i) {
        path->joined[i] = i > 0 && i < n && state->corners[i - 1].joined;
        path->rest[i] = path->joined[i] ? hwDistance(path->point[i], path->point[i + 1]) : state->rest[i];
        sum += path->rest[i];
        if (!path->joined[i]) path->interval[path->spanCount++] = i;
    }
    // what was fed at end a since the last update; all else, and what arcs have grown or shrunk by, is at end b
    double fed = state->material[0] - material[0], before = state->material[1] - state->material[0];
    path->rest[0] += fed;
    path->rest[n] += length - before - fed + (before - sum);
}

static void SolveSpan(const hwWrapSetup* setup, hwWrapPath* path, int k) {
    int i = path->interval[k];
    hwWrapSpan_Solve(setup, path->point[i], path->point[i + 1], path->rest[i], &path->span[k]);
}

// The arc behind span k: through which angle it turns, and the friction of what it lies on.
static void MeasureArc(const hwWrapSetup* setup, const hwWrapState* state, hwWrapPath* path, int k) {
    int first = path->interval[k], last = path->interval[k + 1] - 1; // corners
    hwVec3 before = path->span[k].tangent[1];
    double angle = 0.0, mu = 0.0;
    for (int c = first; c <= last; ++c) {
        hwVec3 after = c == last ? path->span[k + 1].tangent[0]
                                 : hwNormalize(hwSub(path->point[c + 2], path->point[c + 1]));
        double turn = GetTurn(before, after);
        angle += turn;
        mu += turn * setup->friction[state->corners[c].solid];
        before = after;
    }
    path->angle[k] = angle;
    path->mu[k] = angle > 0.0 ? mu / angle : setup->friction[state->corners[first].solid];
}

// Tension beside arc k on the side of end a or b.
static double GetBeside(const hwWrapPath* path, int k, int side) {
    return side == 0 ? path->span[k].tension[1] : path->span[k + 1].tension[0];
}

// Excess of the tension on one side over what friction holds, with `moved` m of material run there from the other side.
static double GetExcess(const hwWrapSetup* setup, const hwWrapState* state, hwWrapPath* path, int k, int high,
                        const double rest[2], double moved) {
    int at[2] = {path->interval[k], path->interval[k + 1]};
    for (int s = 0; s < 2; ++s) {
        path->rest[at[s]] = hwFmax(rest[s] + (s == high ? moved : -moved), 1e-9);
        SolveSpan(setup, path, k + s);
    }
    MeasureArc(setup, state, path, k);
    return GetBeside(path, k, high) - hwExp(path->mu[k] * path->angle[k]) * GetBeside(path, k, 1 - high);
}

// Lets material run over arc k until friction holds: a root of the excess, which falls as material runs towards the higher
// tension (regula falsi after Dowell & Jarratt 1971). Returns how far it ran.
static double BalanceArc(const hwWrapSetup* setup, const hwWrapState* state, hwWrapPath* path, int k) {
    MeasureArc(setup, state, path, k);
    double hold = hwExp(path->mu[k] * path->angle[k]), a = GetBeside(path, k, 0), b = GetBeside(path, k, 1);
    int high = a > b ? 0 : 1;
    // tensions are told to 1e-5; what is left runs in the next step
    double most = hwFmax(a, b), least = hwFmin(a, b), small = 1e-5 * most + 1e-12;
    if (!(most - hold * least > small)) return 0.0;
    const double rest[2] = {path->rest[path->interval[k]], path->rest[path->interval[k + 1]]};
    const hwWrapSpan* tight = &path->span[k + high];
    double low = 0.0, lowValue = most - hold * least, limit = rest[1 - high] - 1e-9;
    if (!(limit > 0.0)) return 0.0;
    // as far as the tight side alone would have it, then more
    double try = tight->stiffness > 0.0 ? hwFmin(lowValue / tight->stiffness, 0.5 * limit) : 1e-3 * limit;
    try = hwFmax(try, 1e-9 * limit);
    double far = try, farValue = GetExcess(setup, state, path, k, high, rest, far);
    for (int n = 0; n < 60 && farValue > 0.0 && far < limit; ++n) {
        low = far, lowValue = farValue;
        far = hwFmin(4.0 * far, limit);
        farValue = GetExcess(setup, state, path, k, high, rest, far);
    }
    double moved = far;
    int side = 0;
    for (int n = 0; n < 60 && farValue < -small && lowValue > small; ++n) {
        moved = low + (far - low) * lowValue / (lowValue - farValue);
        double value = GetExcess(setup, state, path, k, high, rest, moved);
        if (fabs(value) <= small || far - low <= 1e-15 * rest[high]) break;
        if (value > 0.0) {
            low = moved, lowValue = value;
            if (side > 0) farValue *= 0.5;
            side = 1;
        } else {
            far = moved, farValue = value;
            if (side < 0) lowValue *= 0.5;
            side = -1;
        }
    }
    path->slip[k] = high == 0 ? -1 : 1;
    return moved;
}

static void Balance(const hwWrapSetup* setup, const hwWrapState* state, hwWrapPath* path) {
    double length = 0.0;
    for (int i = 0; i <= path->count; ++i) length += path->rest[i];
    for (int k = 0; k < path->spanCount; ++k) {
        SolveSpan(setup, path, k);
        path->slip[k] = 0;
    }
    for (int round = 0; round < BALANCES; ++round) {
        double moved = 0.0;
        // there and back, so that what is pulled at either end runs through all arcs in one round
        for (int k = 0; k + 1 < path->spanCount; ++k) moved += BalanceArc(setup, state, path, k);
        for (int k = path->spanCount - 3; k >= 0; --k) moved += BalanceArc(setup, state, path, k);
        if (!(moved > 1e-9 * length) || path->spanCount < 3) break;
    }
    for (int k = 0; k + 1 < path->spanCount; ++k) MeasureArc(setup, state, path, k);
}

void hwWrap_Solve(const hwWrapSetup* setup, const hwWrapState* state, const hwVec3 ends[2],
                  const double material[2], hwWrapPath* out) {
    PlacePath(setup, state, ends, material, out);
    Balance(setup, state, out);
}

hwVec3 hwWrapPath_GetPoint(const hwWrapPath* path, double s, double* tension) {
    int k = 0;
    for (int i = 0; i <= path->count; ++i) {
        bool free = !path->joined[i];
        if (s <= path->rest[i] || i == path->count) {
            if (free) return hwWrapSpan_GetPoint(&path->span[k], s, tension);
            double share = path->rest[i] > 0.0 ? hwClamp(s / path->rest[i], 0.0, 1.0) : 0.0;
            // between those beside the arc
            if (tension != NULL) *tension = 0.5 * (GetBeside(path, k - 1, 0) + GetBeside(path, k - 1, 1));
            return hwMulAdd(path->point[i], share, hwSub(path->point[i + 1], path->point[i]));
        }
        s -= path->rest[i];
        k += free;
    }
    return path->point[path->count + 1];
}

double hwWrapPath_GetAngle(const hwWrapPath* path) {
    double sum = 0.0;
    for (int k = 0; k + 1 < path->spanCount; ++k) sum += path->angle[k];
    return sum;
}

// Curves ----------------------------------------------------------------------------------------------------------------

// Intervals of a span's curve: a power of two, so fine that chords leave it by a tenth of the radius, as far as there are.
static int CountSamples(const hwWrapSetup* setup, const hwWrapSpan* span) {
    const hwTetherSpan* shape = &span->shape;
    double distance = hwDistance(shape->a, shape->b), slack = shape->length - distance;
    if (shape->taut || shape->bend == HW_BEND_LINE || !(slack > 0.0)) return 1;
    // sag of an arc so much longer than its chord, an upper bound
    double sag = sqrt(0.375 * slack * (distance + slack)) + 0.5 * slack;
    int count = 1;
    while (count < HW_WRAP_SAMPLES - 1 && sag > 0.1 * setup->radius) {
        count *= 2;
        sag *= 0.25;
    }
    return count;
}

static void LoadCurve(const hwWrapState* state, int k, Curve* out) {
    int n = state->samples[k];
    out->count = n + 1;
    for (int j = 0; j <= n; ++j) {
        out->share[j] = (double)j / n;
        out->point[j] = state->curve[k][j];
    }
}

static void StoreCurve(const hwWrapSetup* setup, const hwWrapSpan* span, hwWrapState* state, int k) {
    int n = CountSamples(setup, span);
    state->samples[k] = n;
    for (int j = 0; j <= n; ++j) state->curve[k][j] = hwWrapSpan_GetPoint(span, span->rest * j / n, NULL);
    state->curve[k][0] = span->shape.a;
    state->curve[k][n] = span->shape.b;
}

// Adds points, on the curve's own chords, at shares that are multiples of 1 / n.
static void RefineCurve(Curve* curve, int n) {
    for (int j = 1; j < n; ++j) {
        double share = (double)j / n;
        int i = 0;
        while (i + 1 < curve->count && curve->share[i + 1] <= share) i += 1;
        if (curve->share[i] == share || i + 1 >= curve->count || curve->count >= STRIP) continue;
        double part = (share - curve->share[i]) / (curve->share[i + 1] - curve->share[i]);
        hwVec3 p = hwMulAdd(curve->point[i], part, hwSub(curve->point[i + 1], curve->point[i]));
        memmove(curve->point + i + 2, curve->point + i + 1, (size_t)(curve->count - i - 1) * sizeof(hwVec3));
        memmove(curve->share + i + 2, curve->share + i + 1, (size_t)(curve->count - i - 1) * sizeof(double));
        curve->point[i + 1] = p;
        curve->share[i + 1] = share;
        curve->count += 1;
    }
}

// Changes of the path -----------------------------------------------------------------------------------------------------

typedef struct Update {
    const hwWrapSetup* setup;
    hwWrapState* state;
    hwWrapWork* work;
    hwWrapPath* path;
    hwVec3 ends[2];
    double material[2];
    int changes;
    // how much of the way to where a corner, or an arc by its first, would rest it goes: less whenever it went too far
    double gain[2][HW_WRAP_CORNERS];
    int side[2][HW_WRAP_CORNERS];
} Update;

// The state takes what was solved: lengths of spans as material has run.
static void Commit(Update* u) {
    hwWrapState* state = u->state;
    memcpy(state->rest, u->path->rest, (size_t)(state->count + 1) * sizeof(double));
    for (int e = 0; e < 2; ++e) {
        state->ends[e] = u->ends[e];
        state->material[e] = u->material[e];
    }
}

static void SolveAgain(Update* u) {
    hwWrap_Solve(u->setup, u->state, u->ends, u->material, u->path);
    Commit(u);
    // an arc over which material ran in this update slips, although it no longer does when the rest is settled
    for (int k = 0; k < HW_WRAP_SPANS; ++k) {
        if (k + 1 >= u->path->spanCount)
            u->state->slip[k] = 0;
        else if (u->path->slip[k] != 0)
            u->state->slip[k] = u->path->slip[k];
    }
}

static int FindSpan(const hwWrapState* state, int interval) {
    int k = 0;
    for (int i = 1; i <= interval; ++i) k += !(i < state->count && state->corners[i - 1].joined);
    return k;
}

static int CountSpans(const hwWrapState* state) {
    return FindSpan(state, state->count) + 1;
}

// Whether the chord between two points lies along the surface of a solid.
static bool LiesOn(const hwWrapSetup* setup, int solid, hwVec3 a, hwVec3 b) {
    hwVec3 middle = hwScale(0.5, hwAdd(a, b));
    int nearest;
    double here = hwTetherSpace_GetClearance(setup->space, middle, 2.0 * setup->radius, &nearest, NULL);
    // one that cuts deeper is a free span yet, whose sweep finds the corners between
    return nearest == solid && here <= 1.05 * setup->radius && here >= 0.9 * NEARER * setup->radius;
}

// Splits free interval i at a corner. `part` is the share of the material before it. False: no room.
static bool InsertCorner(Update* u, int i, double part, int solid, hwVec3 p, hwVec3 normal) {
    hwWrapState* state = u->state;
    int k = FindSpan(state, i), spans = CountSpans(state), n = state->count;
    if (n >= HW_WRAP_CORNERS || spans >= HW_WRAP_SPANS) {
        state->lost += 1;
        return false;
    }
    hwVec3 before = u->path->point[i], after = u->path->point[i + 1];
    memmove(state->corners + i + 1, state->corners + i, (size_t)(n - i) * sizeof(hwWrapCorner));
    memmove(state->rest + i + 1, state->rest + i, (size_t)(n + 1 - i) * sizeof(double));
    state->count = n + 1;
    state->corners[i] = (hwWrapCorner){ToSolid(u->setup->space, solid, p),
                                       hwInvRotate(u->setup->space->solids[solid].pose.q, normal), solid, 0};
    double length = state->rest[i];
    bool first = i > 0 && state->corners[i - 1].solid == solid && LiesOn(u->setup, solid, before, p);
    bool second = i < n && state->corners[i + 1].solid == solid && LiesOn(u->setup, solid, p, after);
    double a = hwDistance(before, p), b = hwDistance(p, after);
    state->rest[i] = part * length;
    state->rest[i + 1] = length - state->rest[i];
    if (first) state->rest[i] = a, state->rest[i + 1] = length - a;
    if (second) state->rest[i + 1] = b, state->rest[i] = first ? a : length - b;
    if (i > 0) state->corners[i - 1].joined = first;
    state->corners[i].joined = second;
    // the curve in two, and what is on the surface none
    Curve* curve = u->work->curve;
    Curve* other = &u->work->other;
    Curve* whole = &curve[k];
    *other = (Curve){0};
    Curve left = {0};
    for (int j = 0; j < whole->count; ++j) {
        double share = whole->share[j];
        if (share < part) {
            left.share[left.count] = share / part;
            left.point[left.count++] = whole->point[j];
        } else if (share > part) {
            if (other->count == 0) other->point[other->count++] = p;
            other->share[other->count] = (share - part) / (1.0 - part);
            other->point[other->count++] = whole->point[j];
        }
    }
    left.share[left.count] = 1.0;
    left.point[left.count++] = p;
    if (other->count == 0) { // at the very end
        other->point[0] = p;
        other->count = 1;
    }
    int keep = !first + !second;
    memmove(curve + k + keep, curve + k + 1, (size_t)(spans - k - 1) * sizeof(Curve));
    if (!first) curve[k] = left;
    if (!second) curve[k + !first] = *other;
    return true;
}

// Takes corner c out and joins what is before and behind it.
static void RemoveCorner(Update* u, int c) {
    hwWrapState* state = u->state;
    int n = state->count, k = FindSpan(state, c), spans = CountSpans(state);
    bool before = c > 0 && state->corners[c - 1].joined, behind = state->corners[c].joined && c + 1 < n;
    double first = state->rest[c], second = state->rest[c + 1], sum = first + second;
    hwVec3 p = u->path->point[c + 1];
    Curve* curve = u->work->curve;
    Curve joined = {0};
    // a chord on the surface is a curve of two points
    Curve chord = {.count = 2, .share = {0.0, 1.0}};
    double part = sum > 0.0 ? first / sum : 0.5;
    int at = before ? k + 1 : k; // where the new span is among the curves
    const Curve *one = &chord, *two = &chord;
    if (before) {
        chord.point[0] = u->path->point[c], chord.point[1] = p;
    } else {
        one = &curve[k];
    }
    if (behind) {
        chord.point[0] = p, chord.point[1] = u->path->point[c + 2];
    } else {
        two = &curve[before ? k + 1 : k + 1];
    }
    Curve two0 = *two, one0 = *one;
    for (int j = 0; j < one0.count && joined.count < STRIP - 1; ++j) {
        joined.share[joined.count] = part * one0.share[j];
        joined.point[joined.count++] = one0.point[j];
    }
    int left = two0.count - 1, room = STRIP - HW_WRAP_SAMPLES - joined.count;
    // thinned where both were fine: every other point of the second
    int stride = left > room && room > 0 ? (left + room - 1) / room : 1;
    for (int j = 1; j < two0.count && joined.count < STRIP; ++j) {
        if (j + 1 < two0.count && j % stride != 0) continue;
        joined.share[joined.count] = part + (1.0 - part) * two0.share[j];
        joined.point[joined.count++] = two0.point[j];
    }
    int had = !before + !behind; // free spans beside it
    if (had == 2) memmove(curve + k + 1, curve + k + 2, (size_t)(spans - k - 2) * sizeof(Curve));
    if (had == 0) memmove(curve + at + 1, curve + at, (size_t)(spans - at) * sizeof(Curve));
    curve[had == 2 ? k : (before ? at : k)] = joined;
    if (c > 0) state->corners[c - 1].joined = 0;
    memmove(state->corners + c, state->corners + c + 1, (size_t)(n - c - 1) * sizeof(hwWrapCorner));
    memmove(state->rest + c + 1, state->rest + c + 2, (size_t)(n - c - 1) * sizeof(double));
    state->rest[c] = sum;
    state->count = n - 1;
}

// Sweeping ----------------------------------------------------------------------------------------------------------------

static bool IsStripFree(const hwWrapSetup* setup, hwVec3 a0, hwVec3 b0, hwVec3 a1, hwVec3 b1) {
    double radius = NEARER * setup->radius;
    return hwTetherSpace_IsFree(setup->space, a0, b0, b1, radius) &&
           hwTetherSpace_IsFree(setup->space, a0, b1, a1, radius);
}

static hwVec3 Between(hwVec3 a, hwVec3 b, double part) {
    return hwMulAdd(a, part, hwSub(b, a));
}

static bool IsSpaceEmpty(const hwTetherSpace* space, const hwBox* box) {
    for (int i = 0; i < space->count; ++i) {
        if (hwBox_Overlaps(&space->solids[i].box, box)) return false;
    }
    return true;
}

// Where the way of span k, interval i, from its curve to its shape first meets something: puts a corner there. False: nothing
// is in its way.
static bool SweepSpan(Update* u, int k, int i) {
    const hwWrapSetup* setup = u->setup;
    const hwWrapSpan* span = &u->path->span[k];
    Curve* curve = &u->work->curve[k];
    int n = CountSamples(setup, span);
    RefineCurve(curve, n);
    hwVec3 to[STRIP];
    hwBox box = hwBox_Empty();
    for (int j = 0; j < curve->count; ++j) {
        to[j] = hwWrapSpan_GetPoint(span, curve->share[j] * span->rest, NULL);
        box = hwBox_AddPoint(hwBox_AddPoint(box, to[j]), curve->point[j]);
    }
    to[0] = span->shape.a;
    to[curve->count - 1] = span->shape.b;
    box = hwBox_Grow(box, setup->radius);
    if (IsSpaceEmpty(setup->space, &box)) return false;
    double first = 2.0;
    int at = -1;
    for (int j = 0; j + 1 < curve->count; ++j) {
        hwVec3 a = curve->point[j], b = curve->point[j + 1], c = to[j], d = to[j + 1];
        if (IsStripFree(setup, a, b, c, d)) continue;
        double low = 0.0, high = hwFmin(first, 1.0);
        if (first <= 1.0 && IsStripFree(setup, a, b, Between(a, c, first), Between(b, d, first))) continue;
        for (int half = 0; half < 12; ++half) {
            double part = 0.5 * (low + high);
            bool free = IsStripFree(setup, a, b, Between(a, c, part), Between(b, d, part));
            *(free ? &low : &high) = part;
        }
        if (low < first) first = low, at = j;
    }
    if (at < 0) return false;
    // the spans go on from where they are now
    hwVec3 a = Between(curve->point[at], to[at], first), b = Between(curve->point[at + 1], to[at + 1], first);
    double move = hwFmax(hwDistance(curve->point[at], to[at]), hwDistance(curve->point[at + 1], to[at + 1]));
    double place, here;
    hwVec3 normal;
    int solid;
    here = hwTetherSpace_GetSegmentClearance(setup->space, a, b, 1.01 * setup->radius + move / 1024.0, &place,
                                             &normal, &solid);
    if (!isfinite(here)) return false;
    hwVec3 p = hwMulAdd(Between(a, b, place), setup->radius - here, normal);
    double part = curve->share[at] + place * (curve->share[at + 1] - curve->share[at]),
           margin = 0.3 * setup->radius;
    // beside an end, which stays where it is
    if (hwDistance(p, span->shape.a) < margin || hwDistance(p, span->shape.b) < margin || part <= 0.0 ||
        part >= 1.0)
        return false;
    for (int j = 0; j < curve->count; ++j) curve->point[j] = Between(curve->point[j], to[j], first);
    return InsertCorner(u, i, part, solid, p, normal);
}

// All spans, until nothing is in the way of any.
static void SweepAll(Update* u) {
    for (bool again = true; again && u->changes < CHANGES;) {
        again = false;
        for (int k = 0; k < u->path->spanCount && !again; ++k) {
            again = SweepSpan(u, k, u->path->interval[k]);
        }
        if (!again) return;
        u->changes += 1;
        SolveAgain(u);
    }
}

// Where a point of the last update would be, had it moved with a solid.
static hwVec3 MoveWith(const hwSpaceSolid* solid, hwPose before, hwVec3 p) {
    hwVec3 own = hwInvTransformPoint(solid->own, hwInvTransformPoint(before, p));
    return hwTransformPoint(solid->pose, own);
}

// A solid that has moved while the tether stayed: seen from it the tether came from where it would be had it moved along. Puts
// a corner where the way of span k between the two first meets it.
static bool SweepMoved(Update* u, int k, int i, int index, hwPose before) {
    const hwWrapSetup* setup = u->setup;
    const hwSpaceSolid* solid = &setup->space->solids[index];
    const Curve* curve = &u->work->curve[k];
    double first = 2.0, radius = NEARER * setup->radius;
    int at = -1;
    for (int j = 0; j + 1 < curve->count; ++j) {
        hwVec3 c = curve->point[j], d = curve->point[j + 1];
        hwVec3 a = MoveWith(solid, before, c), b = MoveWith(solid, before, d);
        double low = 0.0, high = 1.0;
        for (int half = 0; half < 13; ++half) {
            double part = half == 0 ? 1.0 : 0.5 * (low + high);
            hwVec3 p = Between(a, c, part), q = Between(b, d, part);
            bool free = hwTetherSpace_IsFreeOf(setup->space, index, a, b, q, radius) &&
                        hwTetherSpace_IsFreeOf(setup->space, index, a, q, p, radius);
            if (half == 0 && free) break;
            if (half > 0) *(free ? &low : &high) = part;
            if (half == 12 && low < first) first = low, at = j;
        }
    }
    if (at < 0) return false;
    hwVec3 c = curve->point[at], d = curve->point[at + 1];
    hwVec3 a = Between(MoveWith(solid, before, c), c, first),
           b = Between(MoveWith(solid, before, d), d, first);
    double place, here, reach = 1.01 * setup->radius + (hwDistance(a, c) + hwDistance(b, d)) / 1024.0;
    hwVec3 normal;
    int which;
    here = hwTetherSpace_GetSegmentClearance(setup->space, a, b, reach, &place, &normal, &which);
    if (!isfinite(here) || which != index) return false;
    hwVec3 p = hwMulAdd(Between(a, b, place), setup->radius - here, normal);
    double part = curve->share[at] + place * (curve->share[at + 1] - curve->share[at]);
    double margin = 0.3 * setup->radius;
    if (part <= 0.0 || part >= 1.0 || hwDistance(p, u->path->point[i]) < margin ||
        hwDistance(p, u->path->point[i + 1]) < margin)
        return false;
    return InsertCorner(u, i, part, index, p, normal);
}

static void SweepSolids(Update* u, const hwPose* before) {
    const hwTetherSpace* space = u->setup->space;
    for (int s = 0; s < space->count; ++s) {
        const hwSpaceSolid* solid = &space->solids[s];
        hwVec3 there = MoveWith(solid, before[s], hwVec3_zero), far = {1e3, 1e3, 1e3};
        // a kilometre away it has moved by less than a micrometre: it stands still
        if (hwLength(there) + hwDistance(MoveWith(solid, before[s], far), far) < 1e-6) continue;
        for (int k = 0; k < u->path->spanCount; ++k) {
            if (u->changes >= CHANGES || !SweepMoved(u, k, u->path->interval[k], s, before[s])) continue;
            // the path before and behind the new corner: where its ends were, so that spans go on from there
            u->changes += 1;
            PlacePath(u->setup, u->state, u->ends, u->material, u->path);
            Commit(u);
        }
    }
}

// Leaving -----------------------------------------------------------------------------------------------------------------

// Directions from corner c to either side, along spans as they leave it.
static void GetSides(const hwWrapPath* path, int c, hwVec3* back, hwVec3* on) {
    int k = 0;
    for (int i = 1; i <= c; ++i) k += !path->joined[i];
    *back = path->joined[c] ? hwNormalize(hwSub(path->point[c], path->point[c + 1]))
                            : hwNeg(path->span[k].tangent[1]);
    int next = path->joined[c + 1] ? k : k + 1;
    *on = path->joined[c + 1] ? hwNormalize(hwSub(path->point[c + 2], path->point[c + 1]))
                              : path->span[next].tangent[0];
}

static hwVec3 GetNormal(const hwWrapSetup* setup, const hwWrapCorner* corner) {
    return hwRotate(setup->space->solids[corner->solid].pose.q, corner->normal);
}

// A corner goes when the tether's pull on it no longer points into the solid.
static bool ReleaseOne(Update* u) {
    const hwWrapState* state = u->state;
    for (int c = 0; c < state->count; ++c) {
        bool inside = u->path->joined[c] && u->path->joined[c + 1];
        hwVec3 back, on, normal = GetNormal(u->setup, &state->corners[c]);
        GetSides(u->path, c, &back, &on);
        if (hwDot(hwAdd(back, on), normal) < (inside ? 1e-9 : 0.0)) continue;
        RemoveCorner(u, c);
        return true;
    }
    return false;
}

// Sliding -----------------------------------------------------------------------------------------------------------------

// Whether corner c may go to q: nothing lies between. On a surface, a radius off it.
static bool MayMove(const Update* u, int c, hwVec3* q, double reach, hwVec3* normal) {
    const hwWrapSetup* setup = u->setup;
    const hwWrapPath* path = u->path;
    int nearest;
    double off = hwTetherSpace_GetClearance(setup->space, *q, 8.0 * setup->radius + reach, &nearest, normal);
    if (nearest != u->state->corners[c].solid) return false;
    *q = hwMulAdd(*q, setup->radius - off, *normal);
    double radius = SLIDING * setup->radius;
    hwVec3 p = path->point[c + 1];
    return hwTetherSpace_IsFree(setup->space, path->point[c], p, *q, radius) &&
           hwTetherSpace_IsFree(setup->space, p, *q, path->point[c + 2], radius);
}

static void PutCorner(Update* u, int c, hwVec3 q, hwVec3 normal) {
    hwWrapCorner* corner = &u->state->corners[c];
    corner->at = ToSolid(u->setup->space, corner->solid, q);
    corner->normal = hwInvRotate(u->setup->space->solids[corner->solid].pose.q, normal);
    u->path->point[c + 1] = q;
}

// The way that a corner or arc (`kind` 1) takes by its estimate `move`. Bent spans turn otherwise than straight ones, so the
// estimate may go too far: when it turns round it goes half as far.
static double Damp(Update* u, int kind, int c, double aside, double move, double longest) {
    int side = aside > 0.0 ? 1 : -1;
    double* gain = &u->gain[kind][c];
    if (u->side[kind][c] == 0) *gain = 1.0;
    if (u->side[kind][c] == -side) *gain *= 0.5;
    u->side[kind][c] = side;
    return hwFmin(*gain * move, longest);
}

// An arc moves as a whole along what it lies on, the direction at right angles to its normals, where both free spans together
// pull it there by more than friction holds: corner by corner it would creep.
static double SlideArc(Update* u, int first, int last) {
    const hwWrapSetup* setup = u->setup;
    const hwWrapPath* path = u->path;
    hwVec3 from = GetNormal(setup, &u->state->corners[first]), along = hwVec3_zero;
    double hold = 0.0, most = 0.0;
    hwVec3 pull = hwVec3_zero;
    for (int c = first; c <= last; ++c) {
        hwVec3 back, on, normal = GetNormal(setup, &u->state->corners[c]), cross = hwCross(from, normal);
        GetSides(path, c, &back, &on);
        hold += setup->friction[u->state->corners[c].solid] * hwFmax(-hwDot(hwAdd(back, on), normal), 0.0);
        if (hwLength(cross) > most) most = hwLength(cross), along = cross;
        if (c == first) pull = hwAdd(pull, back);
        if (c == last) pull = hwAdd(pull, on);
    }
    if (!(most > 0.05)) return 0.0;
    along = hwScale(1.0 / most, along);
    double aside = hwDot(pull, along), left = fabs(aside) - hold;
    if (!(left > 1e-6)) return 0.0;
    double before = hwDistance(path->point[first], path->point[first + 1]);
    double behind = hwDistance(path->point[last + 1], path->point[last + 2]);
    double move =
        Damp(u, 1, first, aside, left / (1.0 / before + 1.0 / behind), 0.3 * hwFmin(before, behind));
    // the end that comes first in the direction of the pull leads, so that chords do not cross what is between
    hwVec3 step = hwScale(aside > 0.0 ? move : -move, along);
    bool free = true;
    hwVec3 to[HW_WRAP_CORNERS], normals[HW_WRAP_CORNERS];
    for (int half = 0; half < 6; ++half) {
        free = true;
        for (int c = first; c <= last && free; ++c) {
            hwVec3 p = path->point[c + 1];
            to[c] = hwAdd(p, step);
            int nearest;
            double reach = 8.0 * setup->radius + move, radius = SLIDING * setup->radius;
            double off = hwTetherSpace_GetClearance(setup->space, to[c], reach, &nearest, &normals[c]);
            free = nearest == u->state->corners[c].solid;
            if (!free) break;
            to[c] = hwMulAdd(to[c], setup->radius - off, normals[c]);
            // what the chord before it sweeps
            hwVec3 q = path->point[c], r = c == first ? q : to[c - 1];
            free = hwTetherSpace_IsFree(setup->space, q, p, to[c], radius) &&
                   hwTetherSpace_IsFree(setup->space, q, to[c], r, radius);
            if (free && c == last)
                free = hwTetherSpace_IsFree(setup->space, p, to[c], path->point[c + 2], radius);
        }
        if (free) break;
        step = hwScale(0.5, step);
        move *= 0.5;
    }
    if (!free) return 0.0;
    for (int c = first; c <= last; ++c) PutCorner(u, c, to[c], normals[c]);
    return move;
}

// Moves corners across the tether where its pull along the surface is more than friction holds: towards the shortest path. A
// corner that moves stays a radius off the surface, and what it sweeps must be free.
static bool SlideAll(Update* u) {
    const hwWrapSetup* setup = u->setup;
    hwWrapState* state = u->state;
    const hwWrapPath* path = u->path;
    double most = 0.0;
    for (int c = 0; c < state->count; ++c) {
        int last = c;
        while (last + 1 < state->count && path->joined[last + 1]) last += 1;
        if (last > c) most = hwFmax(most, SlideArc(u, c, last));
        c = last;
    }
    for (int c = 0; c < state->count; ++c) {
        hwVec3 back, on, normal = GetNormal(setup, &state->corners[c]), p = path->point[c + 1];
        GetSides(path, c, &back, &on);
        hwVec3 pull = hwAdd(back, on), along = hwSub(on, back);
        hwVec3 across = hwNormalize(hwCross(normal, along));
        double aside = hwDot(pull, across), press = hwFmax(-hwDot(pull, normal), 0.0);
        double hold = setup->friction[state->corners[c].solid] * press, left = fabs(aside) - hold;
        if (!(left > 1e-6)) continue;
        double before = hwDistance(path->point[c], p), behind = hwDistance(p, path->point[c + 2]);
        double move = left / (1.0 / before + 1.0 / behind);
        move = Damp(u, 0, c, aside, move, 0.5 * hwFmin(before, behind));
        hwVec3 q = hwMulAdd(p, aside > 0.0 ? move : -move, across);
        if (!MayMove(u, c, &q, move, &normal)) continue;
        PutCorner(u, c, q, normal);
        most = hwFmax(most, move);
    }
    return most > 0.02 * setup->radius;
}

// The update --------------------------------------------------------------------------------------------------------------

static void Settle(Update* u) {
    SweepAll(u);
    for (int round = 0; round < SLIDES && u->state->count > 0 && u->changes < CHANGES; ++round) {
        bool slid = SlideAll(u), gone = false;
        if (slid) SolveAgain(u);
        while (u->changes < CHANGES && ReleaseOne(u)) {
            u->changes += 1;
            gone = true;
            SolveAgain(u);
        }
        if (slid || gone) SweepAll(u);
        if (!slid && !gone) break;
    }
    hwWrapState* state = u->state;
    for (int k = 0; k < u->path->spanCount; ++k) StoreCurve(u->setup, &u->path->span[k], state, k);
    state->started = 1;
}

void hwWrap_Update(const hwWrapSetup* setup, hwWrapState* state, const hwVec3 ends[2],
                   const double material[2], const hwPose* before, hwWrapWork* work, hwWrapPath* path) {
    Update u = {.setup = setup, .state = state, .work = work, .path = path, .ends = {ends[0], ends[1]}};
    for (int e = 0; e < 2; ++e) u.material[e] = material[e];
    int spans = CountSpans(state);
    for (int k = 0; k < spans; ++k) LoadCurve(state, k, &work->curve[k]);
    memset(state->slip, 0, sizeof(state->slip));
    if (before != NULL) {
        PlacePath(setup, state, ends, material, path);
        Commit(&u);
        SweepSolids(&u, before);
    }
    SolveAgain(&u);
    Settle(&u);
}

void hwWrap_Start(const hwWrapSetup* setup, hwWrapState* state, hwPolyline along, const double material[2],
                  hwWrapWork* work, hwWrapPath* path) {
    memset(state, 0, sizeof(*state));
    Update u = {.setup = setup,
                .state = state,
                .work = work,
                .path = path,
                .ends = {along.points[0], along.points[along.count - 1]}};
    for (int e = 0; e < 2; ++e) state->material[e] = u.material[e] = material[e];
    state->rest[0] = material[1] - material[0];
    // the polyline as one curve; too many points are thinned
    Curve* curve = &work->curve[0];
    double length = hwTether_GetLength(along), s = 0.0;
    int room = HW_WRAP_SAMPLES, stride = (along.count + room - 2) / (room - 1);
    if (stride < 1) stride = 1;
    curve->count = 0;
    for (int j = 0; j < along.count; ++j) {
        if (j > 0) s += hwDistance(along.points[j - 1], along.points[j]);
        if (j > 0 && j + 1 < along.count && j % stride != 0) continue;
        curve->share[curve->count] = length > 0.0 ? s / length : (j > 0);
        curve->point[curve->count++] = along.points[j];
    }
    curve->share[curve->count - 1] = 1.0;
    SolveAgain(&u);
    Settle(&u);
}
