// Sweeps of a wrapped tether. Whatever changes the path is a sweep: the curve before and the curve after bound a strip of triangles,
// and a corner is put where the strip first meets a solid. So nothing is passed through, however far the ends have moved, and the
// path stays in its homotopy class.
#include "tether/wrap_update.h"

#include <string.h>

#define WEDGES 12        // steps to where a crotch is as wide as the tether
#define MOST_BESIDE 16.0 // radii beside a corner that are left out of a sweep at most
#define TURNS 16         // of spans about corners in one update
#define BAND 4           // pieces of a strip that are looked at together first

static bool IsSpaceEmpty(const hwTetherSpace* space, const hwBox* box) {
    for (int i = 0; i < space->count; ++i) {
        if (hwBox_Overlaps(&space->solids[i].box, box)) return false;
    }
    return true;
}

// A strip between two polylines that are walked by the same shares.
typedef struct Strip {
    int count;
    const double* share;
    const hwVec3 *from, *to;
    double within[2]; // shares, between which it is looked at
    int solid;        // that is in its way alone, -1: all
} Strip;

static bool IsPieceFree(const hwWrapSetup* setup, const Strip* strip, int j, double part) {
    double radius = HW_WRAP_NEARER * setup->radius;
    hwVec3 a = strip->from[j], b = strip->from[j + 1];
    hwVec3 c = hwWrap_Between(a, strip->to[j], part), d = hwWrap_Between(b, strip->to[j + 1], part);
    if (strip->solid < 0) return hwTetherSpace_IsStripFree(setup->space, a, b, d, c, radius);
    return hwTetherSpace_IsFreeOf(setup->space, strip->solid, a, b, d, radius) &&
           hwTetherSpace_IsFreeOf(setup->space, strip->solid, a, d, c, radius);
}

// The piece of a strip that is in something's way first, and how much of the way all pieces are free to go. -1: none is.
static int FindFirst(const hwWrapSetup* setup, const Strip* strip, double* first) {
    bool clear[HW_WRAP_STRIP];
    int at = -1;
    *first = 1.0;
    for (int j = 0; j + 1 < strip->count; ++j)
        clear[j] = !(strip->share[j + 1] > strip->within[0] && strip->share[j] < strip->within[1]);
    for (int j = 0; strip->solid < 0 && j + 1 < strip->count; j += BAND) {
        int count = strip->count - j < BAND + 1 ? strip->count - j : BAND + 1;
        if (!hwTetherSpace_IsBandClear(setup->space, count, strip->from + j, strip->to + j,
                                       HW_WRAP_NEARER * setup->radius))
            continue;
        for (int i = j; i + 1 < j + count; ++i) clear[i] = true;
    }
    // pieces are warped: one that is free all of the way may not be free on a part of it, so all are looked at again
    for (int pass = 0; pass < 4; ++pass) {
        double before = *first;
        for (int j = 0; j + 1 < strip->count; ++j) {
            if (clear[j] || j == at || IsPieceFree(setup, strip, j, *first)) continue;
            double low = 0.0, high = *first;
            for (int half = 0; half < 12; ++half) {
                double part = 0.5 * (low + high);
                *(IsPieceFree(setup, strip, j, part) ? &low : &high) = part;
            }
            *first = low;
            at = j;
        }
        if (*first == before) break;
    }
    return at;
}

// The corner at which piece `at` of a strip has come to lie. False: nothing is that near.
static bool FindCorner(const hwWrapSetup* setup, const Strip* strip, int at, double first, hwVec3* corner,
                       hwVec3* normal, int* solid, double* part) {
    hwVec3 a = hwWrap_Between(strip->from[at], strip->to[at], first),
           b = hwWrap_Between(strip->from[at + 1], strip->to[at + 1], first);
    double move = hwFmax(hwDistance(strip->from[at], strip->to[at]),
                         hwDistance(strip->from[at + 1], strip->to[at + 1]));
    double place;
    // the way was halved twelve times
    double here = hwTetherSpace_GetSegmentClearance(setup->space, a, b, 1.01 * setup->radius + move / 1024.0,
                                                    &place, normal, solid);
    if (!isfinite(here)) return false;
    *corner = hwMulAdd(hwWrap_Between(a, b, place), setup->radius - here, *normal);
    // in a crotch a radius off both sides, where it is as wide as the tether
    for (int n = 0; n < WEDGES; ++n) {
        hwVec3 out;
        double gap = hwTetherSpace_GetClearance(setup->space, *corner, setup->radius, NULL, &out);
        if (!(gap < 0.99 * setup->radius)) break;
        *corner = hwMulAdd(*corner, setup->radius - gap, out);
    }
    *part = strip->share[at] + place * (strip->share[at + 1] - strip->share[at]);
    *part = hwClamp(*part, 1e-6, 1.0 - 1e-6);
    return true;
}

// A span that turns about a corner by more than a right angle would come nearer to it on its straight way than it was and is: it
// goes half of the way first, with all points as far from the corner as they are to be, on its free side. True: `to` is half way.
static bool TurnAtCorners(hwWrapUpdate* u, int i, const hwWrapCurve* curve, const double within[2],
                          hwVec3* to) {
    double near = 0.6 * HW_WRAP_BESIDE * u->setup->radius;
    bool halfway = false;
    for (int end = 0; end < 2 && !halfway; ++end) {
        if (end == 0 ? i == 0 : i == u->state->count) continue;
        hwVec3 corner = u->path->point[i + end];
        for (int j = 1; j + 1 < curve->count && !halfway; ++j) {
            if (curve->share[j] < within[0] || curve->share[j] > within[1]) continue;
            hwVec3 a = hwSub(curve->point[j], corner), b = hwSub(to[j], corner), d = hwSub(b, a);
            double square = hwLengthSquared(d), part = square > 0.0 ? -hwDot(a, d) / square : 0.0;
            double least = 0.6 * hwFmin(hwLength(a), hwLength(b));
            halfway = part > 0.0 && part < 1.0 && hwLength(hwMulAdd(a, part, d)) < hwFmin(near, least);
        }
    }
    if (!halfway || u->turns >= TURNS) return false;
    u->turns += 1;
    for (int j = 0; j < curve->count; ++j) to[j] = hwWrap_Between(curve->point[j], to[j], 0.5);
    for (int end = 0; end < 2; ++end) {
        if (end == 0 ? i == 0 : i == u->state->count) continue;
        const hwWrapCorner* its = &u->state->corners[end == 0 ? i - 1 : i];
        hwVec3 corner = u->path->point[i + end], normal = hwWrap_GetNormal(u->setup, its);
        double away = HW_WRAP_BESIDE * u->setup->radius;
        for (int j = 1; j + 1 < curve->count; ++j) {
            hwVec3 d = hwSub(to[j], corner);
            double share = end == 0 ? curve->share[j] : 1.0 - curve->share[j],
                   out = hwFmax(hwDot(d, normal), 0.0);
            double reach = hwFmin(away, share * u->path->span[hwWrapState_FindSpan(u->state, i)].rest);
            if (hwLength(d) >= reach) continue;
            // as far as it is, and the more out the less aside
            hwVec3 aside = hwMulAdd(d, -hwDot(d, normal), normal);
            double left = reach * reach - hwLengthSquared(aside);
            to[j] = hwAdd(corner, hwMulAdd(aside, hwFmax(sqrt(hwFmax(left, 0.0)), out), normal));
        }
    }
    return true;
}

// Whether a corner at p would be where one at an end of the strip is already, which then holds it there. More of the strip beside that
// corner is left out: up to the share `within`, of the end `end`.
static bool IsBeside(const hwWrapUpdate* u, int i, const hwWrapCurve* curve, const Strip* strip, int at,
                     double first, hwVec3 p, int* end, double* within) {
    double radius = u->setup->radius;
    for (int e = 0; e < 2; ++e) {
        if (e == 0 ? i == 0 : i == u->state->count) continue;
        hwVec3 corner = u->path->point[i + e];
        if (!(hwDistance(p, corner) < 0.5 * radius)) continue;
        // along the piece from its point that is nearer to that end
        int near = e == 0 ? at : at + 1, far = e == 0 ? at + 1 : at;
        hwVec3 a = hwSub(hwWrap_Between(strip->from[near], strip->to[near], first), corner);
        hwVec3 b = hwSub(hwWrap_Between(strip->from[far], strip->to[far], first), corner);
        double reach = hwFmax(2.0 * HW_WRAP_BESIDE * radius, 2.0 * hwLength(a)), part = 1.0;
        if (hwLength(b) > reach) {
            hwVec3 d = hwSub(b, a);
            double square = hwLengthSquared(d), half = hwDot(a, d) / square;
            part = -half + sqrt(half * half + (reach * reach - hwLengthSquared(a)) / square);
        }
        double share = strip->share[near] + part * (strip->share[far] - strip->share[near]);
        double most = hwWrapCurve_FindShare(curve, e, MOST_BESIDE * radius);
        if ((e == 0 ? share : 1.0 - share) > most) return false;
        *end = e;
        *within = share;
        return true;
    }
    return false;
}

// Where the way of span k, interval i, from its curve to its shape first meets something: puts a corner there. False: nothing
// is in its way, and the curve is where the span is now.
//
// Beside a corner the span may turn into what that lies on, by no more than its own thickness: there its way is not looked at, but
// for that of the points up to which it is not.
static bool SweepSpan(hwWrapUpdate* u, int k, int i) {
    const hwWrapSetup* setup = u->setup;
    const hwWrapSpan* span = &u->path->span[k];
    hwWrapCurve* curve = &u->work->curve[k];
    if (u->still[k]) return false;
    int n = hwWrapCurve_CountSamples(setup, span);
    hwWrapCurve_Refine(curve, n);
    double within[2] = {0.0, 1.0};
    for (int end = 0; end < 2; ++end) {
        if (end == 0 ? i == 0 : i == u->state->count) continue; // no corner
        double reach = HW_WRAP_BESIDE * setup->radius;
        double share = hwFmin(hwFmin(hwWrapCurve_FindShare(curve, end, reach), reach / span->rest), 0.5);
        within[end] = end == 0 ? share : 1.0 - share;
        hwWrapCurve_AddPoint(curve, within[end]);
    }
    hwVec3 to[HW_WRAP_STRIP], p, normal;
    double first = 1.0, part;
    int at = -1, solid, beside;
    bool found = false;
    for (;;) {
        hwBox box = hwBox_Empty();
        for (int j = 0; j < curve->count; ++j) {
            to[j] = hwWrapSpan_GetPoint(span, curve->share[j] * span->rest, NULL);
            box = hwBox_AddPoint(hwBox_AddPoint(box, to[j]), curve->point[j]);
        }
        to[0] = span->shape.a;
        to[curve->count - 1] = span->shape.b;
        box = hwBox_Grow(box, setup->radius);
        if (IsSpaceEmpty(setup->space, &box)) break;
        bool halfway = TurnAtCorners(u, i, curve, within, to);
        Strip strip = {curve->count, curve->share, curve->point, to, {within[0], within[1]}, -1};
        at = FindFirst(setup, &strip, &first);
        if (at < 0 && halfway) {
            memcpy(curve->point, to, (size_t)curve->count * sizeof(hwVec3));
            curve->key.known = 0;
            return true;
        }
        if (at < 0) break;
        found = FindCorner(setup, &strip, at, first, &p, &normal, &solid, &part);
        double share;
        if (!found || !IsBeside(u, i, curve, &strip, at, first, p, &beside, &share)) break;
        // where it comes to lie on a corner that is there, that corner holds it, and what is farther goes on
        int count = curve->count;
        if (count >= HW_WRAP_STRIP || !(beside == 0 ? share > within[0] : share < within[1])) break;
        within[beside] = share;
        hwWrapCurve_AddPoint(curve, share);
    }
    if (at < 0) {
        hwWrapCurve_Sample(setup, span, curve);
        u->still[k] = true;
        return false;
    }
    // the spans go on from where they are now
    for (int j = 0; j < curve->count; ++j) curve->point[j] = hwWrap_Between(curve->point[j], to[j], first);
    curve->key.known = 0;
    if (found) return hwWrapUpdate_InsertCorner(u, i, part, solid, p, normal);
    if (first > 0.0) return true;
    // in the way and yet not near: what a warped piece passes is not known
    u->state->lost += 1;
    hwWrapCurve_Sample(setup, span, curve);
    u->still[k] = true;
    return false;
}

void hwWrapUpdate_SweepAll(hwWrapUpdate* u) {
    for (bool again = true; again && u->changes < HW_WRAP_CHANGES;) {
        again = false;
        for (int k = 0; k < u->path->spanCount && !again; ++k) {
            again = SweepSpan(u, k, u->path->interval[k]);
        }
        if (!again) return;
        u->changes += 1;
        hwWrapUpdate_Solve(u);
    }
}

// Where a point of the last update would be, had it moved with a solid.
static hwVec3 MoveWith(const hwSpaceSolid* solid, hwPose before, hwVec3 p) {
    hwVec3 own = hwInvTransformPoint(solid->own, hwInvTransformPoint(before, p));
    return hwTransformPoint(solid->pose, own);
}

// A solid that has moved while the tether stayed: seen from it the tether came from where it would be had it moved along. Puts
// a corner where the way of span k between the two first meets it.
static bool SweepMoved(hwWrapUpdate* u, int k, int i, int index, hwPose before) {
    const hwWrapSetup* setup = u->setup;
    hwWrapCurve* curve = &u->work->curve[k];
    double within[2] = {0.0, 1.0};
    for (int end = 0; end < 2; ++end) {
        if (end == 0 ? i == 0 : i == u->state->count) continue; // no corner
        double share = hwFmin(hwWrapCurve_FindShare(curve, end, HW_WRAP_BESIDE * setup->radius), 0.5);
        within[end] = end == 0 ? share : 1.0 - share;
        hwWrapCurve_AddPoint(curve, within[end]);
    }
    hwVec3 from[HW_WRAP_STRIP];
    for (int j = 0; j < curve->count; ++j)
        from[j] = MoveWith(&setup->space->solids[index], before, curve->point[j]);
    Strip strip = {curve->count, curve->share, from, curve->point, {within[0], within[1]}, index};
    double first, part;
    int at = FindFirst(setup, &strip, &first), solid;
    if (at < 0) return false;
    hwVec3 p, normal;
    if (!FindCorner(setup, &strip, at, first, &p, &normal, &solid, &part) || solid != index) {
        u->state->lost += 1;
        return false;
    }
    return hwWrapUpdate_InsertCorner(u, i, part, index, p, normal);
}

void hwWrapUpdate_SweepSolids(hwWrapUpdate* u, const hwPose* before) {
    const hwTetherSpace* space = u->setup->space;
    for (int s = 0; s < space->count; ++s) {
        const hwSpaceSolid* solid = &space->solids[s];
        hwVec3 there = MoveWith(solid, before[s], hwVec3_zero), far = {1e3, 1e3, 1e3};
        // a kilometre away it has moved by less than a micrometre: it stands still
        if (hwLength(there) + hwDistance(MoveWith(solid, before[s], far), far) < 1e-6) continue;
        for (int k = 0; k < u->path->spanCount; ++k) {
            if (u->changes >= HW_WRAP_CHANGES || !SweepMoved(u, k, u->path->interval[k], s, before[s]))
                continue;
            // the path before and behind the new corner: where its ends were, so that spans go on from there
            u->changes += 1;
            hwWrap_Place(u->setup, u->state, u->ends, u->material, u->path);
            hwWrapUpdate_Commit(u);
        }
    }
}
