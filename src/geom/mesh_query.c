#include "geom/mesh_query.h"

#include "geom/sweep.h"
#include "geom/triangle.h"

#include <string.h>

// A segment prepared to be tested against boxes: p + t d, 0 <= t <= end.
typedef struct Line {
    double p[3];
    double inverse[3]; // of d
    double end;
} Line;

static Line MakeLine(hwVec3 p, hwVec3 d, double end) {
    Line line = {.p = {p.x, p.y, p.z}, .end = end};
    const double component[3] = {d.x, d.y, d.z};
    for (int k = 0; k < 3; ++k) {
        // Huge but finite along axes it does not move: products with zero stay zero.
        double c = component[k];
        line.inverse[k] = fabs(c) > 1e-200 ? 1.0 / c : 1e200;
    }
    return line;
}

// Does the line pass the box grown by `reach`? (Slabs; Kay & Kajiya 1986.) Writes where it enters.
static inline bool HitsBox(const Line* line, const hwTreeNode* node, double reach, double end,
                           double* enter) {
    double low = 0.0, high = end;
    for (int k = 0; k < 3; ++k) {
        double a = ((double)node->low[k] - reach - line->p[k]) * line->inverse[k];
        double b = ((double)node->high[k] + reach - line->p[k]) * line->inverse[k];
        low = hwMax(low, hwMin(a, b));
        high = hwMin(high, hwMax(a, b));
    }
    *enter = low;
    return low * (1.0 - 1e-14) <= high; // a ray at a corner must not slip through by rounding (Ize 2013)
}

static void GetCorners(const hwMeshTree* tree, int triangle, hwVec3 corner[3]) {
    const int* t = tree->triangles[triangle];
    for (int k = 0; k < 3; ++k) corner[k] = tree->vertices[t[k]];
}

static hwMeshHit MakeHit(const hwMeshTree* tree, int triangle, const hwVec3 c[3],
                         const hwSegmentTriangle* near) {
    hwMeshHit hit = {.triangle = tree->ids[triangle],
                     .distance = sqrt(near->distance2),
                     .s = near->s,
                     .onSegment = near->onSegment,
                     .onMesh = near->onTriangle,
                     .crosses = near->crosses};
    hwVec3 apart = hwSub(near->onSegment, near->onTriangle);
    hwVec3 n = hwNormalize(hwCross(hwSub(c[1], c[0]), hwSub(c[2], c[0])));
    double facing = hwDot(apart, n);
    hit.side = facing >= 0.0 ? 1.0 : -1.0;
    bool apartEnough =
        hit.distance > 1e-12 * (fabs(near->onSegment.x) + fabs(near->onSegment.y) + fabs(near->onSegment.z));
    hit.normal = apartEnough ? hwScale(hit.side / hit.distance, apart) : n;
    return hit;
}

// How squarely the triangle faces the segment's point: 1 over its face, less over an edge seen aslant.
static double GetFacing(const hwVec3 c[3], const hwSegmentTriangle* near) {
    hwVec3 n = hwCross(hwSub(c[1], c[0]), hwSub(c[2], c[0])),
           apart = hwSub(near->onSegment, near->onTriangle);
    double cosine = hwDot(apart, n), scale = near->distance2 * hwLengthSquared(n);
    return scale > 0.0 ? cosine * cosine / scale : 0.0;
}

// Tests both children of a node; pushes those within reach and returns the one to go on with, or -1.
static inline int DescendTree(const hwMeshTree* tree, const Line* line, int index, double reach, int* stack,
                              int* top) {
    double first, second;
    bool a = HitsBox(line, &tree->nodes[index], reach, 1.0, &first);
    bool b = HitsBox(line, &tree->nodes[index + 1], reach, 1.0, &second);
    if (a && b) {
        int swap = second < first;
        stack[(*top)++] = index + 1 - swap;
        return index + swap;
    }
    return a ? index : b ? index + 1 : -1;
}

bool hwMesh_FindNearest(const hwMeshTree* tree, hwVec3 p, hwVec3 q, double reach, hwMeshHit* hit) {
    Line line = MakeLine(p, hwSub(q, p), 1.0);
    hwSegmentTriangle best = {.distance2 = reach * reach};
    // Distances that differ by less are the same point seen by neighbours.
    double rounding = 1e-14 * (fabs(p.x) + fabs(p.y) + fabs(p.z) + fabs(q.x) + fabs(q.y) + fabs(q.z));
    int found = -1, stack[HW_TREE_STACK], top = 0, at = 0;
    double facing = -1.0, bound = reach, bound2 = reach * reach;
    while (at >= 0) {
        const hwTreeNode* node = &tree->nodes[at];
        if (node->count == 0) {
            at = DescendTree(tree, &line, node->index, bound, stack, &top);
        } else {
            for (int k = 0; k < node->count; ++k) {
                hwVec3 c[3];
                GetCorners(tree, node->index + k, c);
                hwSegmentTriangle near;
                if (!hwSegmentTriangle_FindWithin(p, q, c, bound2, &near)) continue;
                double faces = GetFacing(c, &near), distance = sqrt(near.distance2);
                bool tie = found >= 0 && distance >= bound - 2.0 * rounding;
                if (tie && faces <= facing) continue;
                best = near;
                facing = faces;
                found = node->index + k;
                bound = distance + rounding;
                bound2 = bound * bound;
            }
            at = -1;
        }
        if (at < 0 && top > 0) at = stack[--top];
    }
    if (found < 0) return false;
    hwVec3 c[3];
    GetCorners(tree, found, c);
    *hit = MakeHit(tree, found, c, &best);
    return true;
}

void hwMeshHit_KeepNearest(hwMeshHit* hits, int capacity, int total, const hwMeshHit* hit) {
    if (total < capacity) {
        hits[total] = *hit;
        return;
    }
    int farthest = 0;
    for (int i = 1; i < capacity; ++i) {
        if (hits[i].distance > hits[farthest].distance) farthest = i;
    }
    if (capacity > 0 && hit->distance < hits[farthest].distance) hits[farthest] = *hit;
}

int hwMesh_FindWithin(const hwMeshTree* tree, hwVec3 p, hwVec3 q, double reach, hwMeshHit* hits,
                      int capacity) {
    Line line = MakeLine(p, hwSub(q, p), 1.0);
    int stack[HW_TREE_STACK], top = 0, at = 0, total = 0;
    while (at >= 0) {
        const hwTreeNode* node = &tree->nodes[at];
        if (node->count == 0) {
            at = DescendTree(tree, &line, node->index, reach, stack, &top);
        } else {
            for (int k = 0; k < node->count; ++k) {
                hwVec3 c[3];
                GetCorners(tree, node->index + k, c);
                hwSegmentTriangle near;
                if (!hwSegmentTriangle_FindWithin(p, q, c, reach * reach, &near)) continue;
                hwMeshHit hit = MakeHit(tree, node->index + k, c, &near);
                hwMeshHit_KeepNearest(hits, capacity, total, &hit);
                total += 1;
            }
            at = -1;
        }
        if (at < 0 && top > 0) at = stack[--top];
    }
    return total;
}

int hwMesh_FindInBox(const hwMeshTree* tree, hwBox box, int* triangles, int capacity) {
    float low[3], high[3];
    hwTree_RoundBox(box.low, box.high, low, high);
    int stack[HW_TREE_STACK], top = 0, at = 0, total = 0;
    for (;;) {
        const hwTreeNode* node = &tree->nodes[at];
        if (hwTreeNode_Overlaps(node, low, high)) {
            if (node->count == 0) {
                stack[top++] = node->index + 1;
                at = node->index;
                continue;
            }
            for (int k = 0; k < node->count; ++k) {
                hwVec3 c[3];
                GetCorners(tree, node->index + k, c);
                hwBox own = hwBox_AddPoint(hwBox_OfSegment(c[0], c[1]), c[2]);
                if (!hwBox_Overlaps(&own, &box)) continue;
                if (total < capacity) triangles[total] = node->index + k;
                total += 1;
            }
        }
        if (top == 0) return total;
        at = stack[--top];
    }
}

bool hwMesh_Contains(const hwMeshTree* tree, hwVec3 point) {
    const hwTreeNode* root = &tree->nodes[0];
    const double x[3] = {point.x, point.y, point.z};
    double size = 0.0;
    for (int k = 0; k < 3; ++k) {
        if (x[k] < (double)root->low[k] || x[k] > (double)root->high[k]) return false;
        size += (double)root->high[k] - (double)root->low[k];
    }
    hwMeshHit hit;
    return hwMesh_FindNearest(tree, point, point, size, &hit) && hit.side < 0.0;
}

// Moving things share one traversal: nodes are visited in the order in which the path enters them.
typedef bool TouchFn(const hwMeshTree* tree, int triangle, const void* mover, hwCastHit* hit);

static bool CastRay(const hwMeshTree* tree, const Line* line, double reach, TouchFn* touch, const void* mover,
                    hwCastHit* hit) {
    struct {
        int node;
        double enter;
    } stack[HW_TREE_STACK];
    int top = 0;
    bool found = false;
    double enter;
    if (HitsBox(line, &tree->nodes[0], reach, hit->t, &enter)) {
        stack[top].node = 0;
        stack[top++].enter = enter;
    }
    while (top > 0) {
        top -= 1;
        if (stack[top].enter > hit->t) continue;
        const hwTreeNode* node = &tree->nodes[stack[top].node];
        for (int k = 0; k < node->count; ++k) {
            if (touch(tree, node->index + k, mover, hit)) found = true;
        }
        if (node->count > 0) continue;
        double first, second;
        bool a = HitsBox(line, &tree->nodes[node->index], reach, hit->t, &first);
        bool b = HitsBox(line, &tree->nodes[node->index + 1], reach, hit->t, &second);
        int near = a && b && second < first; // pushed last, visited first
        for (int k = 0; k < 2; ++k) {
            int child = k == 0 ? 1 - near : near;
            if (!(child == 0 ? a : b)) continue;
            stack[top].node = node->index + child;
            stack[top++].enter = child == 0 ? first : second;
        }
    }
    return found;
}

typedef struct Ball {
    hwVec3 origin, direction;
    double radius;
} Ball;

static bool TouchRay(const hwMeshTree* tree, int triangle, const void* mover, hwCastHit* hit) {
    const Ball* ray = mover;
    hwVec3 c[3];
    double t;
    GetCorners(tree, triangle, c);
    if (!hwTriangle_CastRay(ray->origin, ray->direction, hit->t, c[0], c[1], c[2], &t)) return false;
    if (hit->triangle >= 0 && t >= hit->t) return false;
    hwVec3 n = hwNormalize(hwCross(hwSub(c[1], c[0]), hwSub(c[2], c[0])));
    *hit = (hwCastHit){
        .triangle = tree->ids[triangle], .t = t, .point = hwMulAdd(ray->origin, t, ray->direction)};
    hit->normal = hwDot(n, ray->direction) > 0.0 ? hwNeg(n) : n;
    return true;
}

bool hwMesh_CastRay(const hwMeshTree* tree, hwVec3 origin, hwVec3 direction, double tMax, hwCastHit* hit) {
    Line line = MakeLine(origin, direction, tMax);
    Ball ray = {origin, direction, 0.0};
    *hit = (hwCastHit){.triangle = -1, .t = tMax};
    return CastRay(tree, &line, 0.0, TouchRay, &ray, hit);
}

static bool TouchBall(const hwMeshTree* tree, int triangle, const void* mover, hwCastHit* hit) {
    const Ball* ball = mover;
    hwVec3 c[3], normal;
    double t;
    GetCorners(tree, triangle, c);
    if (!hwTriangle_SweepBall(ball->origin, ball->direction, ball->radius, hit->t, c[0], c[1], c[2], &t,
                              &normal)) {
        return false;
    }
    if (hit->triangle >= 0 && t >= hit->t) return false;
    hwVec3 center = hwMulAdd(ball->origin, t, ball->direction);
    *hit = (hwCastHit){.triangle = tree->ids[triangle], .t = t, .normal = normal};
    hit->point =
        t > 0.0 ? hwMulAdd(center, -ball->radius, normal) : hwTriangle_GetNearest(c[0], c[1], c[2], center);
    return true;
}

bool hwMesh_SweepBall(const hwMeshTree* tree, hwVec3 origin, hwVec3 direction, double radius, double tMax,
                      hwCastHit* hit) {
    Line line = MakeLine(origin, direction, tMax);
    Ball ball = {origin, direction, radius};
    *hit = (hwCastHit){.triangle = -1, .t = tMax};
    return CastRay(tree, &line, radius, TouchBall, &ball, hit);
}

static bool TouchCapsule(const hwMeshTree* tree, int triangle, const void* mover, hwCastHit* hit) {
    const hwMovingCapsule* capsule = mover;
    hwVec3 c[3];
    GetCorners(tree, triangle, c);
    hwCastHit own = {.triangle = tree->ids[triangle], .t = hit->t};
    if (!hwMovingCapsule_MeetTriangle(capsule, c, &own)) return false;
    if (hit->triangle >= 0 && own.t >= hit->t) return false;
    *hit = own;
    return true;
}

bool hwMesh_SweepCapsule(const hwMeshTree* tree, hwVec3 p0, hwVec3 q0, hwVec3 p1, hwVec3 q1, double radius,
                         hwCastHit* hit) {
    hwMovingCapsule capsule = {p0, q0, hwSub(p1, p0), hwSub(q1, q0), radius};
    // The middle of the axis runs along a line; half the axis's extent, at its largest, and the radius go round it.
    hwVec3 from = hwScale(0.5, hwAdd(p0, q0)), to = hwScale(0.5, hwAdd(p1, q1));
    double half = 0.5 * hwMax(hwDistance(p0, q0), hwDistance(p1, q1));
    Line line = MakeLine(from, hwSub(to, from), 1.0);
    *hit = (hwCastHit){.triangle = -1, .t = 1.0};
    return CastRay(tree, &line, half + radius, TouchCapsule, &capsule, hit);
}

typedef struct PairSearch {
    const hwMeshTree *a, *b;
    hwMat3 r, absR;
    hwVec3 p;
    hwTrianglePair* pairs;
    int capacity, total;
} PairSearch;

// B's box as it lies in A's frame, within an upright box.
static inline bool BoxesMeet(const PairSearch* search, const hwTreeNode* a, const hwTreeNode* b) {
    hwVec3 low = hwMakeVec3((double)b->low[0], (double)b->low[1], (double)b->low[2]);
    hwVec3 high = hwMakeVec3((double)b->high[0], (double)b->high[1], (double)b->high[2]);
    hwVec3 c = hwAdd(search->p, hwMulMV(search->r, hwScale(0.5, hwAdd(low, high))));
    hwVec3 h = hwMulMV(search->absR, hwScale(0.5, hwSub(high, low)));
    return c.x - h.x <= (double)a->high[0] && c.x + h.x >= (double)a->low[0] &&
           c.y - h.y <= (double)a->high[1] && c.y + h.y >= (double)a->low[1] &&
           c.z - h.z <= (double)a->high[2] && c.z + h.z >= (double)a->low[2];
}

static void PairLeaves(PairSearch* search, const hwTreeNode* a, const hwTreeNode* b) {
    for (int j = 0; j < b->count; ++j) {
        hwVec3 second[3];
        GetCorners(search->b, b->index + j, second);
        for (int k = 0; k < 3; ++k) second[k] = hwAdd(search->p, hwMulMV(search->r, second[k]));
        for (int i = 0; i < a->count; ++i) {
            hwVec3 first[3];
            hwTrianglePair pair = {
                search->a->ids[a->index + i], search->b->ids[b->index + j], {0, 0, 0}, {0, 0, 0}};
            GetCorners(search->a, a->index + i, first);
            if (!hwTriangles_Intersect(first, second, &pair.from, &pair.to)) continue;
            if (search->total < search->capacity) search->pairs[search->total] = pair;
            search->total += 1;
        }
    }
}

int hwMeshes_FindPairs(const hwMeshTree* a, const hwMeshTree* b, hwPose pose, hwTrianglePair* pairs,
                       int capacity) {
    PairSearch search = {
        .a = a, .b = b, .r = hwMat3FromQuat(pose.q), .p = pose.p, .pairs = pairs, .capacity = capacity};
    const hwMat3 r = search.r;
    search.absR = (hwMat3){{fabs(r.cx.x), fabs(r.cx.y), fabs(r.cx.z)},
                           {fabs(r.cy.x), fabs(r.cy.y), fabs(r.cy.z)},
                           {fabs(r.cz.x), fabs(r.cz.y), fabs(r.cz.z)}};
    struct {
        int a, b;
    } stack[2 * HW_TREE_STACK] = {{0, 0}};
    int top = 1;
    while (top > 0) {
        top -= 1;
        const hwTreeNode *na = &a->nodes[stack[top].a], *nb = &b->nodes[stack[top].b];
        int ia = stack[top].a, ib = stack[top].b;
        if (!BoxesMeet(&search, na, nb)) continue;
        if (na->count > 0 && nb->count > 0) {
            PairLeaves(&search, na, nb);
            continue;
        }
        // The larger box is opened.
        float sizeA = na->high[0] - na->low[0] + na->high[1] - na->low[1] + na->high[2] - na->low[2];
        float sizeB = nb->high[0] - nb->low[0] + nb->high[1] - nb->low[1] + nb->high[2] - nb->low[2];
        bool openA = nb->count > 0 || (na->count == 0 && sizeA >= sizeB);
        for (int k = 0; k < 2; ++k) {
            stack[top].a = openA ? na->index + k : ia;
            stack[top++].b = openA ? ib : nb->index + k;
        }
    }
    return search.total;
}
