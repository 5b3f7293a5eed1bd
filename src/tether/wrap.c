// The update of a wrapped tether: sweeps, slides and releases until all is where friction holds it.
#include "tether/wrap_update.h"

#include <string.h>

#define STILL 0.02  // radii: a span that has moved by less since its curve was seen to be free is there yet
#define SLIDES 8    // rounds of sliding in one update
#define ENOUGH 0.25 // radii: sliding by less in a round is enough for one update, and goes on in the next
#define PART 2.0    // radii: by more solids do not move at once where they are near
#define MOST_PARTS 64.0
#define JOINED 96 // a curve of more is swept before another is joined to it

size_t hwWrapWork_GetSize(void) {
    return sizeof(hwWrapWork);
}

void hwWrapUpdate_Commit(hwWrapUpdate* u) {
    hwWrapState* state = u->state;
    memcpy(state->rest, u->path->rest, (size_t)(state->count + 1) * sizeof(double));
    for (int e = 0; e < 2; ++e) {
        state->ends[e] = u->ends[e];
        state->material[e] = u->material[e];
    }
}

// Whether span k is where its curve is: the same, or nearly at its ends and quarters, between which shapes of one family do not
// leave each other by more. Its curve stays where it was, so that small moves add up until they count.
static bool IsStill(const hwWrapUpdate* u, int k) {
    const hwWrapCurve* curve = &u->work->curve[k];
    const hwWrapSpan* span = &u->path->span[k];
    if (hwWrapKey_IsSame(&curve->key, &span->key)) return true;
    if (curve->key.known == 0) return false;
    double limit = STILL * u->setup->radius;
    int n = curve->count - 1, stride = n >= 4 ? n / 4 : 1;
    if (hwDistance(curve->point[0], span->shape.a) > limit ||
        hwDistance(curve->point[n], span->shape.b) > limit)
        return false;
    for (int j = stride; j < n; j += stride) {
        hwVec3 p = hwWrapSpan_GetPoint(span, curve->share[j] * span->rest, NULL);
        if (hwDistance(p, curve->point[j]) > limit) return false;
    }
    return true;
}

// Corners beside spans that have changed are looked at again.
static void WakeCorners(hwWrapUpdate* u) {
    const hwWrapPath* path = u->path;
    for (int k = 0; k < path->spanCount; ++k) {
        u->still[k] = IsStill(u, k);
        if (u->still[k]) continue;
        for (int c = path->interval[k]; c < path->count; ++c) { // the arc behind it
            u->state->corners[c].quiet = 0;
            if (!path->joined[c + 1]) break;
        }
        for (int c = path->interval[k] - 1; c >= 0; --c) { // and before it
            u->state->corners[c].quiet = 0;
            if (!path->joined[c]) break;
        }
    }
}

void hwWrapUpdate_Solve(hwWrapUpdate* u) {
    hwWrap_Solve(u->setup, u->state, u->ends, u->material, u->path);
    hwWrapUpdate_Commit(u);
    WakeCorners(u);
    // an arc over which material ran in this update slips, although it no longer does when the rest is settled
    for (int k = 0; k < HW_WRAP_SPANS; ++k) {
        if (k + 1 >= u->path->spanCount)
            u->state->slip[k] = 0;
        else if (u->path->slip[k] != 0)
            u->state->slip[k] = u->path->slip[k];
    }
}

static bool HasLongCurve(const hwWrapUpdate* u) {
    for (int k = 0; k < u->path->spanCount; ++k) {
        if (u->work->curve[k].count > JOINED) return true;
    }
    return false;
}

static void Settle(hwWrapUpdate* u, double enough) {
    hwWrapUpdate_SweepAll(u);
    for (int round = 0; round < SLIDES && u->state->count > 0 && u->changes < HW_WRAP_CHANGES; ++round) {
        bool tidied = hwWrapUpdate_TidyArcs(u);
        if (tidied) hwWrapUpdate_Solve(u);
        while (u->changes < HW_WRAP_CHANGES && hwWrapUpdate_RemoveZigzag(u)) {
            u->changes += 1;
            hwWrapUpdate_Solve(u);
            hwWrapUpdate_SweepAll(u);
        }
        double most = hwWrapUpdate_SlideAll(u, round > 0 ? enough : 0.0);
        bool slid = most > 0.0, gone = false;
        if (slid) hwWrapUpdate_Solve(u);
        while (u->changes < HW_WRAP_CHANGES && hwWrapUpdate_ReleaseOne(u)) {
            u->changes += 1;
            gone = true;
            hwWrapUpdate_Solve(u);
            if (HasLongCurve(u)) hwWrapUpdate_SweepAll(u);
        }
        if (tidied || slid || gone) hwWrapUpdate_SweepAll(u);
        if (!gone && most <= enough) break;
    }
    hwWrapState* state = u->state;
    // a span whose way was not seen to be free, because there was no room or there were too many changes, may have passed through
    for (int k = 0; k < u->path->spanCount; ++k) state->lost += !u->still[k];
    for (int k = 0; k < u->path->spanCount; ++k)
        hwWrapCurve_Store(u->setup, &u->path->span[k], u->still[k], &u->work->curve[k], state, k);
    state->started = 1;
}

static void Begin(hwWrapUpdate* u, const hwWrapSetup* setup, hwWrapState* state, const hwVec3 ends[2],
                  const double material[2], hwWrapWork* work, hwWrapPath* path) {
    u->setup = setup;
    u->state = state;
    u->work = work;
    u->path = path;
    u->changes = u->turns = 0;
    for (int e = 0; e < 2; ++e) {
        u->ends[e] = ends[e];
        u->material[e] = material[e];
    }
    memset(u->side, 0, sizeof(u->side));
    memset(u->still, 0, sizeof(u->still));
}

void hwWrap_Update(const hwWrapSetup* setup, hwWrapState* state, const hwVec3 ends[2],
                   const double material[2], const hwPose* before, hwWrapWork* work, hwWrapPath* path) {
    hwWrapUpdate u;
    Begin(&u, setup, state, ends, material, work, path);
    int spans = hwWrapState_CountSpans(state);
    for (int k = 0; k < spans; ++k) hwWrapCurve_Load(state, k, &work->curve[k]);
    memset(state->slip, 0, sizeof(state->slip));
    if (before != NULL) {
        for (int c = 0; c < state->count; ++c)
            state->corners[c].smooth = 0; // another solid may have come near
        hwWrap_Place(setup, state, ends, material, path);
        hwWrapUpdate_Commit(&u);
        hwWrapUpdate_SweepSolids(&u, before);
    }
    hwWrapUpdate_Solve(&u);
    Settle(&u, ENOUGH * setup->radius);
}

// How far the corners of a solid's box go from one pose of its frame to another.
static double MeasureWay(const hwSpaceSolid* solid, hwPose before, hwPose now) {
    double most = 0.0;
    for (int k = 0; k < 8; ++k) {
        hwVec3 p = {(k & 1) != 0 ? solid->box.high.x : solid->box.low.x,
                    (k & 2) != 0 ? solid->box.high.y : solid->box.low.y,
                    (k & 4) != 0 ? solid->box.high.z : solid->box.low.z};
        most = hwFmax(most, hwDistance(p, hwTransformPoint(before, hwInvTransformPoint(now, p))));
    }
    return most;
}

static int CountParts(const hwWrapSetup* setup, const hwWrapState* state, const hwVec3 ends[2],
                      const hwPose* before, const hwPose* now) {
    hwBox box = hwBox_OfSegment(ends[0], ends[1]);
    int spans = hwWrapState_CountSpans(state);
    for (int k = 0; k < spans; ++k) {
        for (int j = 0; j <= state->samples[k]; ++j) box = hwBox_AddPoint(box, state->curve[k][j]);
    }
    double way = 0.0, longest = PART * setup->radius;
    for (int s = 0; s < setup->space->count; ++s) {
        if (hwHaveSameBits(&before[s], &now[s], sizeof(hwPose))) continue;
        const hwSpaceSolid* solid = &setup->space->solids[s];
        double its = MeasureWay(solid, before[s], now[s]);
        hwBox near = hwBox_Grow(solid->box, its + longest);
        if (its > way && hwBox_Overlaps(&near, &box)) way = its;
    }
    return (int)hwFmin(ceil(way / longest), MOST_PARTS);
}

static hwPose Between(hwPose a, hwPose b, double part) {
    if (hwHaveSameBits(&a, &b, sizeof(a))) return a;
    hwQuat p = a.q, q = b.q;
    double sign = p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z < 0.0 ? -1.0 : 1.0;
    hwQuat sum = {p.w + part * (sign * q.w - p.w), p.x + part * (sign * q.x - p.x),
                  p.y + part * (sign * q.y - p.y), p.z + part * (sign * q.z - p.z)};
    return (hwPose){hwWrap_Between(a.p, b.p, part), hwNormalizeQuat(sum)};
}

void hwWrap_UpdateAmong(const hwWrapSetup* setup, hwTetherSpace* space, hwWrapState* state,
                        const hwVec3 ends[2], const double material[2], hwPose* before, const hwPose* now,
                        hwWrapWork* work, hwWrapPath* path) {
    for (int s = 0; s < space->count; ++s) hwTetherSpace_Place(space, s, now[s]);
    int parts = CountParts(setup, state, ends, before, now);
    for (int left = parts > 1 ? parts : 1; left > 0; --left) {
        hwVec3 to[2] = {ends[0], ends[1]};
        double fed[2] = {material[0], material[1]}, part = 1.0 / left;
        for (int e = 0; e < 2 && left > 1; ++e) {
            to[e] = hwWrap_Between(state->ends[e], ends[e], part);
            fed[e] = state->material[e] + part * (material[e] - state->material[e]);
        }
        for (int s = 0; s < space->count && parts > 1; ++s)
            hwTetherSpace_Place(space, s, left > 1 ? Between(before[s], now[s], part) : now[s]);
        hwWrap_Update(setup, state, to, fed, before, work, path);
        for (int s = 0; s < space->count; ++s)
            before[s] = left > 1 ? Between(before[s], now[s], part) : now[s];
    }
}

void hwWrap_Start(const hwWrapSetup* setup, hwWrapState* state, hwPolyline along, const double material[2],
                  hwWrapWork* work, hwWrapPath* path) {
    memset(state, 0, sizeof(*state));
    hwWrapUpdate u;
    const hwVec3 ends[2] = {along.points[0], along.points[along.count - 1]};
    Begin(&u, setup, state, ends, material, work, path);
    for (int e = 0; e < 2; ++e) state->material[e] = material[e];
    state->rest[0] = material[1] - material[0];
    // the polyline as one curve; too many points are thinned
    hwWrapCurve* curve = &work->curve[0];
    double length = hwTether_GetLength(along), s = 0.0;
    int room = JOINED, stride = (along.count + room - 2) / (room - 1);
    if (stride < 1) stride = 1;
    curve->count = 0;
    for (int j = 0; j < along.count; ++j) {
        if (j > 0) s += hwDistance(along.points[j - 1], along.points[j]);
        if (j > 0 && j + 1 < along.count && j % stride != 0) continue;
        curve->share[curve->count] = length > 0.0 ? s / length : (j > 0);
        curve->point[curve->count++] = along.points[j];
    }
    curve->share[curve->count - 1] = 1.0;
    curve->key.known = 0;
    hwWrapUpdate_Solve(&u);
    Settle(&u, 0.0);
}
