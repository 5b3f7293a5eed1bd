// The way home along the computed tight path of a tether.
//
// The way begins as the tight tether itself, in short legs, and is then moved away from what it lies on. A point b between a and c
// goes to q only where the triangles a b q and b q c are free of solids: the way never passes through anything, so it stays in
// the homotopy class of the tether.
#include "tether/space.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

#define SPACING 0.5  // of the clearance: legs
#define ROUNDS 300   // at most
#define NEARER 0.225 // of the radius: as near as a tight tether comes to surfaces, and a little nearer
#define KEPT 0.8     // of its clearance that a way keeps where corners are cut off

typedef struct Way {
    const hwTetherSpace* space;
    double radius, clearance;
    int count;
    hwVec3* points;
    double* clear; // m, of each point, as far as `clearance`
} Way;

// Clearance of a point, no more than `reach`, and the sum of what all solids within reach push with, each by what is missing to
// it. In a corner between two bars the sum leads out of it, where the nearest bar's normal leads from one to the other.
static double GetPush(const hwTetherSpace* space, hwVec3 point, double reach, hwVec3* push) {
    double least = reach;
    *push = hwVec3_zero;
    hwConvex dot = hwMakeSphere(0.0);
    hwPose at = {point, {1.0, 0.0, 0.0, 0.0}};
    for (int i = 0; i < space->count; ++i) {
        const hwSpaceSolid* solid = &space->solids[i];
        hwBox box = hwBox_Grow(solid->box, reach);
        if (!(point.x >= box.low.x && point.x <= box.high.x && point.y >= box.low.y &&
              point.y <= box.high.y && point.z >= box.low.z && point.z <= box.high.z)) {
            continue;
        }
        hwVec3 normal;
        double distance;
        if (solid->mesh) {
            hwVec3 own = hwInvTransformPoint(solid->pose, point);
            hwMeshHit hit;
            if (!hwMesh_FindNearest(&solid->tree, own, own, reach, &hit)) continue;
            hwVec3 away = hwSub(hit.onSegment, hit.onMesh);
            distance = hit.distance;
            normal = hwRotate(solid->pose.q, hit.distance > 0.0 ? hwNormalize(away) : hit.normal);
        } else {
            hwClosest closest = hwConvex_FindClosest(&solid->convex, solid->pose, &dot, at, NULL);
            distance = closest.distance;
            normal = closest.normal;
        }
        if (!(distance < reach)) continue;
        *push = hwMulAdd(*push, reach - distance, normal);
        least = hwFmin(least, distance);
    }
    return least;
}

// Moves a point if what that sweeps is free.
static bool MovePoint(Way* way, int i, hwVec3 q, double clear) {
    hwVec3 a = way->points[i - 1], b = way->points[i], c = way->points[i + 1];
    double radius = NEARER * way->radius;
    if (!hwTetherSpace_IsFree(way->space, a, b, q, radius) ||
        !hwTetherSpace_IsFree(way->space, b, q, c, radius)) {
        return false;
    }
    way->points[i] = q;
    way->clear[i] = clear;
    return true;
}

// Pushes a point away from all that is too near, if it is farther from the nearest then. Returns how far it went.
static double PushPoint(Way* way, int i) {
    hwVec3 push, unused, b = way->points[i];
    double here = GetPush(way->space, b, way->clearance, &push), size = hwLength(push);
    way->clear[i] = here;
    if (!(here < way->clearance) || !(size > 0.0)) return 0.0;
    // no farther at once than its legs are long, so that triangles stay small
    double step = hwFmin(way->clearance - here, SPACING * way->clearance);
    for (int k = 0; k < 5; ++k, step *= 0.5) {
        hwVec3 q = hwMulAdd(b, step / size, push);
        double there = GetPush(way->space, q, way->clearance, &unused);
        if (there > here + 0.01 * step && MovePoint(way, i, q, there)) return step;
    }
    return 0.0;
}

// Draws a point to the middle of its neighbours where nothing gets nearer by that.
static double StraightenPoint(Way* way, int i) {
    hwVec3 unused, b = way->points[i];
    hwVec3 q = hwScale(0.5, hwAdd(b, hwScale(0.5, hwAdd(way->points[i - 1], way->points[i + 1]))));
    double there = GetPush(way->space, q, way->clearance, &unused);
    if (there < way->clear[i] || !MovePoint(way, i, q, there)) return 0.0;
    return hwDistance(b, q);
}

// The tight tether from end b to end a in legs of no more than `spacing`. Only counts where there is no room.
static int Divide(hwPolyline tight, double spacing, hwVec3* out) {
    int count = 0;
    for (int i = tight.count - 1; i >= 0; --i) {
        hwVec3 p = tight.points[i];
        int pieces = 1;
        if (i + 1 < tight.count) {
            hwVec3 from = tight.points[i + 1];
            pieces = (int)hwFmin(ceil(hwDistance(from, p) / spacing), 1e6);
            for (int k = 1; k < pieces; ++k) {
                if (out != NULL) out[count] = hwMulAdd(from, (double)k / pieces, hwSub(p, from));
                count += 1;
            }
        }
        if (out != NULL) out[count] = p;
        count += 1;
    }
    return count;
}

// Takes out way-points that are not needed: the way keeps KEPT of the clearance that it has there.
static void Simplify(Way* way) {
    for (bool again = true; again;) {
        again = false;
        for (int i = 1; i + 1 < way->count; ++i) {
            double keep = KEPT * hwFmin(way->clear[i], hwFmin(way->clear[i - 1], way->clear[i + 1]));
            keep = hwFmax(keep, NEARER * way->radius);
            if (!hwTetherSpace_IsFree(way->space, way->points[i - 1], way->points[i], way->points[i + 1],
                                      keep))
                continue;
            size_t rest = (size_t)(way->count - i - 1);
            memmove(way->points + i, way->points + i + 1, rest * sizeof(hwVec3));
            memmove(way->clear + i, way->clear + i + 1, rest * sizeof(double));
            way->count -= 1;
            again = true;
        }
    }
}

int hwTetherSpace_FindRoute(const hwTetherSpace* space, hwPolyline tight, double radius, double clearance,
                            int capacity, hwTetherWaypoint* route) {
    if (tight.count < 1) return 0;
    double spacing = SPACING * hwFmax(clearance, 2.0 * radius);
    if (!(spacing > 0.0)) spacing = HUGE_VAL; // nothing to be kept: the way is the tight tether
    Way way = {
        .space = space, .radius = radius, .clearance = clearance, .count = Divide(tight, spacing, NULL)};
    hwVec3* block = hwAllocate(&space->allocator, (size_t)way.count * (sizeof(hwVec3) + sizeof(double)));
    if (block == NULL) return 0;
    way.points = block;
    way.clear = (double*)(void*)(block + way.count);
    Divide(tight, spacing, way.points);
    hwVec3 unused;
    for (int i = 0; i < way.count; ++i) way.clear[i] = GetPush(space, way.points[i], clearance, &unused);
    for (int round = 0; round < ROUNDS; ++round) {
        double most = 0.0;
        for (int i = 1; i + 1 < way.count; ++i) most = hwFmax(most, PushPoint(&way, i));
        for (int i = 1; i + 1 < way.count; ++i) most = hwFmax(most, StraightenPoint(&way, i));
        if (most < 0.01 * clearance) break;
    }
    Simplify(&way);
    for (int i = 0; i < way.count && i < capacity; ++i) {
        double here = hwTetherSpace_GetClearance(space, way.points[i], 100.0, NULL, NULL);
        route[i] = (hwTetherWaypoint){way.points[i], here};
    }
    hwRelease(&space->allocator, block);
    return way.count;
}
