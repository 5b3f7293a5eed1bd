#include "tether/wrap_seed.h"

#include "geom/sweep.h"
#include "geom/triangle.h"

#include <string.h>

#define HITS 64      // intersections of one link at most
#define COLLISIONS 8 // new collision points of one step

static hwVec3 GetPlace(const hwSeedSetup* setup, const hwSeedPoint* point) {
    return hwTransformPoint(setup->space->solids[point->solid].pose, point->at);
}

static hwVec3 GetNormal(const hwSeedSetup* setup, const hwSeedPoint* point) {
    return hwRotate(setup->space->solids[point->solid].pose.q, point->normal);
}

// Shapes ------------------------------------------------------------------------------------------------------------------

// 2.4.1 with its length kept: the shape in plan has what the depth leaves of the length, sqrt(L^2 - dz^2), and the depth changes
// evenly along it. Of a V the bend is then at dz_b' = sqrt(ll^2 - dx_b^2 - (ratio dy)^2), as there.
static void SolveSegment(const hwSeedSetup* setup, hwVec3 a, hwVec3 b, double length, hwTetherBend bend,
                         hwTetherSpan* out) {
    hwVec3 load = setup->load;
    if (setup->linearDepth && bend != HW_BEND_LINE) {
        double deep = b.z - a.z, plan = length > fabs(deep) ? sqrt((length - deep) * (length + deep)) : 0.0;
        a.z = b.z = load.z = 0.0;
        if (!(hwLength(load) > 0.0)) load = hwMakeVec3(1.0, 0.0, 0.0);
        length = plan;
    }
    hwTetherSpan_Solve(bend, a, b, length, load, out);
}

static hwVec3 GetSegmentPoint(const hwSeedSetup* setup, const hwSeedPath* path, int k, double share) {
    hwVec3 a = path->ends[k], b = path->ends[k + 1];
    if (!path->bent[k]) return hwMulAdd(a, share, hwSub(b, a));
    hwVec3 p = hwTetherSpan_GetPoint(&path->span[k], share * path->span[k].length);
    if (setup->linearDepth) p.z = a.z + share * (b.z - a.z);
    return p;
}

static bool IsStraight(const hwSeedState* state, int k) {
    return k == 0 ? state->straight != 0 : state->points[k - 1].straight != 0;
}

// Which segment is bent: the longest that has not been made a rubber band; where all have, the longest, for the length is kept.
static int FindBent(const hwSeedState* state, const hwSeedPath* path) {
    int longest = -1, any = 0;
    double most = -1.0;
    for (int k = 0; k < path->count; ++k) {
        double distance = hwDistance(path->ends[k], path->ends[k + 1]);
        if (distance > hwDistance(path->ends[any], path->ends[any + 1])) any = k;
        if (!IsStraight(state, k) && distance > most) most = distance, longest = k;
    }
    return longest >= 0 ? longest : any;
}

void hwSeed_Solve(const hwSeedSetup* setup, const hwSeedState* state, const hwVec3 ends[2], double length,
                  hwSeedPath* path) {
    int n = state->count, last = n;
    path->count = n + 1;
    path->ends[0] = ends[0];
    path->ends[n + 1] = ends[1];
    for (int c = 0; c < n; ++c) path->ends[c + 1] = GetPlace(setup, &state->points[c]);
    double sum = 0.0, distance[HW_SEED_POINTS + 1];
    for (int k = 0; k <= n; ++k) {
        distance[k] = hwDistance(path->ends[k], path->ends[k + 1]);
        sum += distance[k];
    }
    int bent = FindBent(state, path);
    path->taut =
        state->stuck ? distance[last] > state->fixed[last] || distance[0] > state->fixed[0] : sum > length;
    path->tension[0] = path->tension[1] = path->stiffness = 0.0;
    for (int k = 0; k <= n; ++k) {
        // sliding: the bent one has what the others leave; stuck: each has its own
        double own = state->stuck ? state->fixed[k] : k == bent ? length - (sum - distance[k]) : distance[k];
        bool bends = setup->bend != HW_BEND_LINE && (state->stuck || k == bent) && own > distance[k];
        path->bent[k] = bends;
        path->length[k] = bends || setup->bend == HW_BEND_LINE ? own : hwFmax(own, 0.0);
        SolveSegment(setup, path->ends[k], path->ends[k + 1], hwFmax(own, 0.0),
                     bends ? setup->bend : HW_BEND_LINE, &path->span[k]);
        path->bent[k] = bends && !path->span[k].taut;
    }
    for (int e = 0; e < 2 && path->taut; ++e) {
        int k = e == 0 ? 0 : last;
        double own = hwFmax(state->stuck ? state->fixed[k] : length, 1e-9),
               now = state->stuck ? distance[k] : sum;
        path->tension[e] = hwFmax(setup->EA * (now / own - 1.0), 0.0);
        if (e == 1) path->stiffness = setup->EA / own;
    }
}

double hwSeedPath_GetLength(const hwSeedPath* path) {
    double sum = 0.0;
    for (int k = 0; k < path->count; ++k)
        sum += path->bent[k] ? path->length[k] : hwDistance(path->ends[k], path->ends[k + 1]);
    return sum;
}

hwVec3 hwSeedPath_GetPoint(const hwSeedSetup* setup, const hwSeedPath* path, double s) {
    for (int k = 0; k < path->count; ++k) {
        double own = path->bent[k] ? path->length[k] : hwDistance(path->ends[k], path->ends[k + 1]);
        if (s <= own || k + 1 == path->count)
            return GetSegmentPoint(setup, path, k, own > 0.0 ? hwClamp(s / own, 0.0, 1.0) : 0.0);
        s -= own;
    }
    return path->ends[path->count];
}

// Collisions (3.4) ----------------------------------------------------------------------------------------------------------

typedef struct Hits {
    int count;
    hwVec3 point[HITS], normal[HITS]; // and its plane
    int solid;
} Hits;

static void AddHit(Hits* hits, int solid, hwVec3 point, hwVec3 normal) {
    if (hits->count == 0) hits->solid = solid;
    if (hits->count >= HITS || solid != hits->solid) return; // one object at a time
    hits->point[hits->count] = point;
    hits->normal[hits->count++] = normal;
}

// t = n . (v1 - R1) / (u . n) on each triangle that the edge r1 r2 of the tether passes through.
static void MeetMesh(const hwSpaceSolid* solid, int index, hwVec3 r1, hwVec3 r2, Hits* hits) {
    hwVec3 a = hwInvTransformPoint(solid->pose, r1), b = hwInvTransformPoint(solid->pose, r2),
           u = hwSub(b, a);
    int found[HITS];
    int count = hwMesh_FindInBox(&solid->tree, hwBox_OfSegment(a, b), found, HITS);
    for (int i = 0; i < count && i < HITS; ++i) {
        const int* t = solid->tree.triangles[found[i]];
        const hwVec3* v = solid->tree.vertices;
        double at;
        if (!hwTriangle_CastRay(a, u, 1.0, v[t[0]], v[t[1]], v[t[2]], &at)) continue;
        hwVec3 normal = hwNormalize(hwCross(hwSub(v[t[1]], v[t[0]]), hwSub(v[t[2]], v[t[0]])));
        AddHit(hits, index, hwTransformPoint(solid->pose, hwMulAdd(a, at, u)),
               hwRotate(solid->pose.q, normal));
    }
}

// A round or flat solid has triangles as fine as one likes: where the edge enters and leaves it, and the planes that touch there.
static void MeetConvex(const hwSpaceSolid* solid, int index, hwVec3 r1, hwVec3 r2, Hits* hits) {
    for (int side = 0; side < 2; ++side) {
        hwVec3 from = side == 0 ? r1 : r2, to = side == 0 ? r2 : r1;
        hwCastHit hit;
        if (!hwConvex_CastRay(&solid->convex, solid->pose, from, hwSub(to, from), 1.0, &hit) ||
            !(hit.t > 0.0))
            continue;
        AddHit(hits, index, hit.point, hit.normal);
    }
}

// A link is drawn as a bar of square section, half as wide as the tether: its four long edges and the diagonals of its sides.
static void MeetLink(const hwSeedSetup* setup, hwVec3 p, hwVec3 q, Hits* hits) {
    hwVec3 along = hwNormalize(hwSub(q, p)), x = hwPerpendicular(along), y = hwCross(along, x);
    const double sides[4][2] = {{1.0, 1.0}, {-1.0, 1.0}, {-1.0, -1.0}, {1.0, -1.0}};
    hwBox box = hwBox_Grow(hwBox_OfSegment(p, q), 2.0 * setup->radius);
    for (int i = 0; i < setup->space->count; ++i) {
        const hwSpaceSolid* solid = &setup->space->solids[i];
        if (!hwBox_Overlaps(&solid->box, &box)) continue;
        for (int e = 0; e < 8; ++e) {
            const double *from = sides[e % 4], *to = sides[(e + e / 4) % 4];
            hwVec3 r1 = hwMulAdd(hwMulAdd(p, setup->radius * from[0], x), setup->radius * from[1], y);
            hwVec3 r2 = hwMulAdd(hwMulAdd(q, setup->radius * to[0], x), setup->radius * to[1], y);
            if (solid->mesh) {
                MeetMesh(solid, i, r1, r2, hits);
            } else {
                MeetConvex(solid, i, r1, r2, hits);
            }
        }
        if (hits->count > 0) return;
    }
}

bool hwSeed_FindCollision(const hwSeedSetup* setup, const hwSeedPath* path, int k, hwSeedPoint* out,
                          hwVec3* mean) {
    int links = !path->bent[k] ? 1 : path->span[k].bend == HW_BEND_VEE ? 2 : HW_SEED_LINKS;
    hwVec3 before = path->ends[k];
    double bend = path->bent[k] && links == 2 && path->span[k].length > 0.0
                      ? path->span[k].link / path->span[k].length
                      : 0.5;
    for (int j = 1; j <= links; ++j) {
        double share = links == 2 && j == 1 ? bend : (double)j / links;
        hwVec3 now = j == links ? path->ends[k + 1] : GetSegmentPoint(setup, path, k, share);
        Hits hits = {0};
        if (hwDistance(before, now) > 0.0) MeetLink(setup, before, now, &hits);
        before = now;
        if (hits.count == 0) continue;
        hwVec3 p = hwVec3_zero, n = hwVec3_zero;
        for (int i = 0; i < hits.count; ++i) {
            p = hwMulAdd(p, 1.0 / hits.count, hits.point[i]);
            n = hwMulAdd(n, 1.0 / hits.count, hits.normal[i]);
        }
        // through a thin wall the normals of both faces cancel: the first decides
        n = hwLength(n) > 1e-6 ? hwNormalize(n) : hits.normal[0];
        double farthest = 0.0;
        for (int i = 0; i < hits.count; ++i)
            farthest = hwFmax(farthest, fabs(hwDot(hits.normal[i], hwSub(p, hits.point[i]))));
        *mean = p;
        p = hwMulAdd(p, farthest + sqrt(2.0) * setup->radius, n);
        const hwSpaceSolid* solid = &setup->space->solids[hits.solid];
        *out =
            (hwSeedPoint){hwInvTransformPoint(solid->pose, p), hwInvRotate(solid->pose.q, n), hits.solid, 0};
        return true;
    }
    return false;
}

// Resolution (3.5) ------------------------------------------------------------------------------------------------------------

double hwSeed_GetAngle(const hwSeedSetup* setup, const hwSeedState* state, const hwSeedPath* path, int c) {
    // directions of the links beside it
    double step = 1.0 / HW_SEED_LINKS;
    hwVec3 at = path->ends[c + 1];
    hwVec3 back = hwSub(path->bent[c] ? GetSegmentPoint(setup, path, c, 1.0 - step) : path->ends[c], at);
    hwVec3 on = hwSub(path->bent[c + 1] ? GetSegmentPoint(setup, path, c + 1, step) : path->ends[c + 2], at);
    double angle = hwAtan2(hwLength(hwCross(back, on)), hwDot(back, on));
    hwVec3 sum = hwAdd(hwNormalize(back), hwNormalize(on));
    return hwDot(sum, GetNormal(setup, &state->points[c])) > 0.0 ? 2.0 * HW_PI - angle : angle;
}

static void Rejoin(hwSeedState* state, int c) {
    if (state->stuck) {
        state->fixed[c] += state->fixed[c + 1];
        memmove(state->fixed + c + 1, state->fixed + c + 2, (size_t)(state->count - c - 1) * sizeof(double));
    }
    memmove(state->points + c, state->points + c + 1, (size_t)(state->count - c - 1) * sizeof(hwSeedPoint));
    state->count -= 1;
}

static bool Split(const hwSeedSetup* setup, hwSeedState* state, const hwSeedPath* path, int k,
                  const hwSeedPoint* point) {
    if (state->count >= HW_SEED_POINTS) {
        state->lost += 1;
        return false;
    }
    memmove(state->points + k + 1, state->points + k, (size_t)(state->count - k) * sizeof(hwSeedPoint));
    memmove(state->fixed + k + 1, state->fixed + k, (size_t)(state->count + 1 - k) * sizeof(double));
    state->points[k] = *point;
    state->count += 1;
    if (state->stuck) { // the part before the collision becomes straight
        double whole = state->fixed[k], first = hwDistance(path->ends[k], GetPlace(setup, point));
        state->fixed[k] = hwFmin(first, whole);
        state->fixed[k + 1] = whole - state->fixed[k];
    }
    return true;
}

static void SetStraight(hwSeedState* state, int k) {
    if (k == 0) {
        state->straight = 1;
    } else {
        state->points[k - 1].straight = 1;
    }
}

static void Stick(const hwSeedSetup* setup, hwSeedState* state, const hwSeedPath* path, double length) {
    int n = state->count;
    double angle = 0.0;
    if (n > 1) {
        hwVec3 a = GetNormal(setup, &state->points[0]), b = GetNormal(setup, &state->points[n - 1]);
        angle = hwAtan2(hwLength(hwCross(a, b)), hwDot(a, b));
    }
    bool stuck = angle > setup->stuckAngle || (setup->stuckCount > 0 && n >= setup->stuckCount);
    if (stuck && !state->stuck) {
        state->length = length;
        for (int k = 0; k <= n; ++k)
            state->fixed[k] = path->bent[k] ? path->length[k] : hwDistance(path->ends[k], path->ends[k + 1]);
    }
    state->stuck = stuck;
}

void hwSeed_Update(const hwSeedSetup* setup, hwSeedState* state, const hwVec3 ends[2], double length,
                   hwSeedPath* path) {
    hwSeed_Solve(setup, state, ends, length, path);
    for (int c = state->count - 1; c >= 0; --c) { // the last collision comes undone first
        if (c >= state->count || hwSeed_GetAngle(setup, state, path, c) < setup->rejoinAngle) continue;
        Rejoin(state, c);
        if (state->count == 0) state->straight = 0;
        hwSeed_Solve(setup, state, ends, length, path);
    }
    for (int added = 0; added < COLLISIONS; ++added) {
        hwSeedPoint point;
        hwVec3 mean;
        int k = path->count - 1;
        while (k >= 0 && !hwSeed_FindCollision(setup, path, k, &point, &mean)) k -= 1;
        if (k < 0 || !Split(setup, state, path, k, &point)) break;
        hwSeed_Solve(setup, state, ends, length, path);
        // back side: what would rejoin at once has a straight second segment
        if (hwSeed_GetAngle(setup, state, path, k) >= setup->rejoinAngle) {
            SetStraight(state, k + 1);
            hwSeed_Solve(setup, state, ends, length, path);
            if (hwSeed_GetAngle(setup, state, path, k) >= setup->rejoinAngle) SetStraight(state, k);
        }
        // immediate re-collision: one segment, then the other is made straight
        for (int side = 1; side >= 0; --side) {
            hwSeed_Solve(setup, state, ends, length, path);
            if (path->bent[k + side] && hwSeed_FindCollision(setup, path, k + side, &point, &mean))
                SetStraight(state, k + side);
        }
        hwSeed_Solve(setup, state, ends, length, path);
    }
    Stick(setup, state, path, length);
    hwSeed_Solve(setup, state, ends, length, path);
}
