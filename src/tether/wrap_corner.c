// Corners of a wrapped tether: how they are inserted and removed, and arcs in the order that sliding needs.
#include "tether/wrap_update.h"

#include <string.h>

// Shares of the radius.
#define MERGE 0.3   // corners of an arc that are nearer to each other are one
#define DIPPED 0.4  // chords of an arc that are nearer to the surface get a corner more
#define WEDGED 0.05 // and as near a tether may come in a crotch

int hwWrapState_FindSpan(const hwWrapState* state, int interval) {
    int k = 0;
    for (int i = 1; i <= interval; ++i) k += !(i < state->count && state->corners[i - 1].joined);
    return k;
}

int hwWrapState_CountSpans(const hwWrapState* state) {
    return hwWrapState_FindSpan(state, state->count) + 1;
}

// Whether the chord between two points lies along the surface of a solid.
static bool LiesOn(const hwWrapSetup* setup, int solid, hwVec3 a, hwVec3 b) {
    hwVec3 middle = hwScale(0.5, hwAdd(a, b));
    int nearest;
    double here = hwTetherSpace_GetClearance(setup->space, middle, 2.0 * setup->radius, &nearest, NULL);
    // one that cuts deeper is a free span yet, whose sweep finds the corners between
    return nearest == solid && here <= 1.05 * setup->radius && here >= 0.9 * HW_WRAP_NEARER * setup->radius;
}

bool hwWrapUpdate_InsertCorner(hwWrapUpdate* u, int i, double part, int solid, hwVec3 p, hwVec3 normal) {
    hwWrapState* state = u->state;
    int k = hwWrapState_FindSpan(state, i), spans = hwWrapState_CountSpans(state), n = state->count;
    if (n >= HW_WRAP_CORNERS || spans >= HW_WRAP_SPANS) {
        state->lost += 1;
        return false;
    }
    hwVec3 before = u->path->point[i], after = u->path->point[i + 1];
    memmove(state->corners + i + 1, state->corners + i, (size_t)(n - i) * sizeof(hwWrapCorner));
    memmove(state->rest + i + 1, state->rest + i, (size_t)(n + 1 - i) * sizeof(double));
    state->count = n + 1;
    state->corners[i] = (hwWrapCorner){hwWrap_ToSolid(u->setup->space, solid, p),
                                       hwInvRotate(u->setup->space->solids[solid].pose.q, normal),
                                       solid,
                                       0,
                                       0,
                                       0};
    double length = state->rest[i];
    // the curve in two
    hwWrapCurve *curve = u->work->curve, *left = &u->work->left, *right = &u->work->right;
    hwWrapSpan* span = u->path->span;
    const hwWrapCurve* whole = &curve[k];
    left->count = right->count = 0;
    left->key.known = right->key.known = 0;
    right->share[right->count] = 0.0;
    right->point[right->count++] = p;
    for (int j = 0; j < whole->count; ++j) {
        double share = whole->share[j];
        if (share < part) {
            left->share[left->count] = share / part;
            left->point[left->count++] = whole->point[j];
        } else if (share > part && right->count < HW_WRAP_STRIP) {
            right->share[right->count] = (share - part) / (1.0 - part);
            right->point[right->count++] = whole->point[j];
        }
    }
    if (left->count == HW_WRAP_STRIP) left->count -= 1;
    left->share[left->count] = 1.0;
    left->point[left->count++] = p;
    // what is on the surface is none of its own, if it lies along it: a bight between two corners may hang round something else
    double a = hwDistance(before, p), b = hwDistance(p, after);
    bool first = i > 0 && state->corners[i - 1].solid == solid && hwWrapCurve_LiesAlong(u->setup, left, a) &&
                 LiesOn(u->setup, solid, before, p);
    bool second = i < n && state->corners[i + 1].solid == solid &&
                  hwWrapCurve_LiesAlong(u->setup, right, b) && LiesOn(u->setup, solid, p, after);
    state->rest[i] = part * length;
    state->rest[i + 1] = length - state->rest[i];
    // a chord has the material of its length; what it lacks comes from end b, as in hwWrap_Place
    if (first) state->rest[i] = a, state->rest[i + 1] = hwFmax(length - a, 1e-9);
    if (second) state->rest[i + 1] = b, state->rest[i] = first ? a : hwFmax(length - b, 1e-9);
    if (i > 0) {
        state->corners[i - 1].joined = first;
        state->corners[i - 1].smooth = 0;
    }
    state->corners[i].joined = second;
    int keep = !first + !second;
    memmove(curve + k + keep, curve + k + 1, (size_t)(spans - k - 1) * sizeof(hwWrapCurve));
    memmove(span + k + keep, span + k + 1, (size_t)(spans - k - 1) * sizeof(hwWrapSpan));
    if (!first) hwWrapCurve_Copy(&curve[k], left);
    if (!second) hwWrapCurve_Copy(&curve[k + !first], right);
    return true;
}

bool hwWrapUpdate_RemoveCorner(hwWrapUpdate* u, int c) {
    hwWrapState* state = u->state;
    int n = state->count, k = hwWrapState_FindSpan(state, c), spans = hwWrapState_CountSpans(state);
    bool before = c > 0 && state->corners[c - 1].joined, behind = state->corners[c].joined && c + 1 < n;
    double first = state->rest[c], second = state->rest[c + 1], sum = first + second;
    hwVec3 p = u->path->point[c + 1];
    hwWrapCurve *curve = u->work->curve, *joined = &u->work->left;
    hwWrapSpan* span = u->path->span;
    // a chord on the surface is a curve of two points
    hwVec3 chord[2][2] = {{u->path->point[c], p}, {p, u->path->point[c + 2]}};
    double beside[2] = {0.0, 0.0}; // share of a free span whose way beside the corner was not looked at
    for (int side = 0; side < 2; ++side) {
        if (side == 0 ? before : behind) continue;
        hwWrapCurve* its = &curve[k + side];
        beside[side] = hwFmin(hwWrapCurve_FindShare(its, 1 - side, HW_WRAP_BESIDE * u->setup->radius), 0.5);
        hwWrapCurve_AddPoint(its, side == 0 ? 1.0 - beside[side] : beside[side]);
    }
    static const double ends[2] = {0.0, 1.0};
    // shares pair the points of the curves before and after a sweep: they must rise, also along what has no material
    double part = sum > 0.0 ? hwClamp(first / sum, 1.0 / 64.0, 63.0 / 64.0) : 0.5;
    int at = before ? k + 1 : k; // where the new span is among the curves
    joined->count = 0;
    joined->key.known = 0;
    for (int side = 0; side < 2; ++side) {
        bool lies = side == 0 ? before : behind;
        const hwWrapCurve* its = &curve[k + side];
        int count = lies ? 2 : its->count;
        const double* share = lies ? ends : its->share;
        const hwVec3* point = lies ? chord[side] : its->point;
        for (int j = side; j < count; ++j) {
            bool end = j == 0 || j + 1 == count;
            if (!end && (side == 0 ? share[j] > 1.0 - beside[0] : share[j] < beside[1])) continue;
            // the last point is the end whatever there is room for
            if (joined->count == HW_WRAP_STRIP - 1 && !(side == 1 && j + 1 == count)) {
                state->lost += 1;
                continue;
            }
            joined->share[joined->count] = side == 0 ? part * share[j] : part + (1.0 - part) * share[j];
            joined->point[joined->count++] = point[j];
        }
    }
    int had = !before + !behind; // free spans beside it
    if (had == 2) {
        memmove(curve + k + 1, curve + k + 2, (size_t)(spans - k - 2) * sizeof(hwWrapCurve));
        memmove(span + k + 1, span + k + 2, (size_t)(spans - k - 2) * sizeof(hwWrapSpan));
    } else if (had == 0) {
        if (spans >= HW_WRAP_SPANS) return false;
        memmove(curve + at + 1, curve + at, (size_t)(spans - at) * sizeof(hwWrapCurve));
        memmove(span + at + 1, span + at, (size_t)(spans - at) * sizeof(hwWrapSpan));
    }
    hwWrapCurve_Copy(&curve[at], joined);
    if (c > 0) state->corners[c - 1].joined = state->corners[c - 1].smooth = 0;
    memmove(state->corners + c, state->corners + c + 1, (size_t)(n - c - 1) * sizeof(hwWrapCorner));
    memmove(state->rest + c + 1, state->rest + c + 2, (size_t)(n - c - 1) * sizeof(double));
    state->rest[c] = sum;
    state->count = n - 1;
    return true;
}

// Whether corner c, behind which the arc goes on, is one too many: it lies on the next one, and a corner slides by no more than it is
// away from its neighbours; or the arc turns on the surface there by more than 60 degrees, as in a hairpin, and is free to go
// straight.
static bool IsNeedless(const hwWrapUpdate* u, int c) {
    const hwWrapState* state = u->state;
    const hwVec3* p = u->path->point + c; // before it, itself, behind it
    double radius = u->setup->radius;
    bool twin = hwDistance(p[1], p[2]) < MERGE * radius;
    if (!twin) {
        if (c == 0 || !state->corners[c - 1].joined) return false;
        hwVec3 back = hwSub(p[0], p[1]), on = hwSub(p[2], p[1]);
        if (!(hwDot(back, on) > -0.5 * hwLength(back) * hwLength(on))) return false;
        if (!LiesOn(u->setup, state->corners[c].solid, p[0], p[2])) return false;
    }
    return hwTetherSpace_IsFree(u->setup->space, p[0], p[1], p[2], HW_WRAP_SLIDING * radius);
}

static bool MergeCorners(hwWrapUpdate* u) {
    hwWrapState* state = u->state;
    bool merged = false;
    for (int c = 0; c + 1 < state->count;) {
        if (!state->corners[c].joined || !IsNeedless(u, c)) {
            c += 1;
            continue;
        }
        int n = state->count;
        double sum = state->rest[c] + state->rest[c + 1];
        memmove(state->corners + c, state->corners + c + 1, (size_t)(n - c - 1) * sizeof(hwWrapCorner));
        memmove(state->rest + c, state->rest + c + 1, (size_t)(n - c) * sizeof(double));
        memmove(u->path->point + c + 1, u->path->point + c + 2, (size_t)(n - c) * sizeof(hwVec3));
        if (c > 0) state->corners[c - 1].smooth = 0;
        state->rest[c] = sum;
        state->count = n - 1;
        merged = true;
        if (c > 0) c -= 1;
    }
    return merged;
}

// A free span that has become so short that it lies on what both of its corners lie on belongs to their arc.
static bool JoinShortSpans(hwWrapUpdate* u) {
    hwWrapState* state = u->state;
    double radius = u->setup->radius;
    bool joined = false;
    for (int c = 0; c + 1 < state->count; ++c) {
        int solid = state->corners[c].solid;
        if (state->corners[c].joined || solid != state->corners[c + 1].solid) continue;
        hwVec3 a = u->path->point[c + 1], b = u->path->point[c + 2];
        double distance = hwDistance(a, b);
        if (distance > HW_WRAP_BESIDE * radius || state->rest[c + 1] > distance + HW_WRAP_BESIDE * radius)
            continue;
        int k = hwWrapState_FindSpan(state, c + 1), spans = hwWrapState_CountSpans(state);
        hwWrapCurve* curve = u->work->curve;
        if (!hwWrapCurve_LiesAlong(u->setup, &curve[k], distance) || !LiesOn(u->setup, solid, a, b)) continue;
        hwWrapSpan* span = u->path->span;
        memmove(curve + k, curve + k + 1, (size_t)(spans - k - 1) * sizeof(hwWrapCurve));
        memmove(span + k, span + k + 1, (size_t)(spans - k - 1) * sizeof(hwWrapSpan));
        state->corners[c].joined = 1;
        state->corners[c].smooth = 0;
        state->rest[c + 1] = distance;
        joined = true;
    }
    return joined;
}

// Corners that have slid apart leave chords too near to the surface to slide on: they get a corner more in the middle.
static bool RefineArcs(hwWrapUpdate* u) {
    hwWrapState* state = u->state;
    double radius = u->setup->radius;
    bool refined = false;
    for (int c = 0; c + 1 < state->count && state->count < HW_WRAP_CORNERS; ++c) {
        if (!state->corners[c].joined || state->corners[c].smooth) continue;
        hwVec3 a = u->path->point[c + 1], b = u->path->point[c + 2], normal;
        int solid = state->corners[c].solid, nearest, n = state->count;
        state->corners[c].smooth = 1;
        if (solid != state->corners[c + 1].solid || hwDistance(a, b) < 4.0 * radius) continue;
        hwVec3 middle = hwWrap_Between(a, b, 0.5);
        double here = hwTetherSpace_GetClearance(u->setup->space, middle, radius, &nearest, &normal);
        if (nearest != solid || here > DIPPED * radius) continue;
        hwVec3 p = hwMulAdd(middle, radius - here, normal);
        memmove(state->corners + c + 2, state->corners + c + 1, (size_t)(n - c - 1) * sizeof(hwWrapCorner));
        memmove(state->rest + c + 2, state->rest + c + 1, (size_t)(n - c) * sizeof(double));
        memmove(u->path->point + c + 3, u->path->point + c + 2, (size_t)(n - c) * sizeof(hwVec3));
        u->path->point[c + 2] = p;
        state->corners[c + 1] = (hwWrapCorner){hwWrap_ToSolid(u->setup->space, solid, p),
                                               hwInvRotate(u->setup->space->solids[solid].pose.q, normal),
                                               solid,
                                               1,
                                               0,
                                               0};
        state->corners[c].smooth = 0;
        state->rest[c + 1] = hwDistance(a, p);
        state->rest[c + 2] = hwDistance(p, b);
        state->count = n + 1;
        refined = true;
        c += 1;
    }
    return refined;
}

bool hwWrapUpdate_TidyArcs(hwWrapUpdate* u) {
    bool joined = JoinShortSpans(u), merged = MergeCorners(u), refined = RefineArcs(u);
    if (merged || refined)
        memset(u->path->measured, 0, sizeof(u->path->measured)); // points are there already
    return joined || merged || refined;
}

bool hwWrapUpdate_RemoveZigzag(hwWrapUpdate* u) {
    hwWrapState* state = u->state;
    double radius = u->setup->radius;
    for (int c = 0; c + 1 < state->count; ++c) {
        const hwVec3* p = u->path->point + c;
        if (state->corners[c].joined || state->corners[c].solid == state->corners[c + 1].solid) continue;
        if (!(hwDistance(p[1], p[2]) < HW_WRAP_BESIDE * radius)) continue;
        for (int k = 0; k < 2; ++k) { // the one or the other
            if (hwTetherSpace_IsFree(u->setup->space, p[k], p[k + 1], p[k + 2], WEDGED * radius) &&
                hwWrapUpdate_RemoveCorner(u, c + k))
                return true;
        }
    }
    return false;
}
