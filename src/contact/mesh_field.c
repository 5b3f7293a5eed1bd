// Signed distance of a point from a closed mesh, through its tree of boxes.
#include "contact/field.h"

#include "geom/triangle.h"

#include <math.h>

typedef struct Search {
    hwVec3 x, facing;
    double best, rounding; // m2, m: squared distance so far; distances that differ by less are one point
    double squarely;       // how squarely the best triangle faces the point
    double side;
    hwVec3 away, own; // from the best triangle's point, and that triangle's normal
    bool found, choosy;
} Search;

static inline double ToBox(const hwTreeNode* node, const double x[3]) {
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        double d = hwMax(hwMax((double)node->low[k] - x[k], x[k] - (double)node->high[k]), 0.0);
        sum += d * d;
    }
    return sum;
}

// Where several triangles share the nearest point, the one that faces it most tells the side (Baerentzen & Aanaes 2005).
static void TryTriangle(Search* s, const hwMeshTree* tree, int triangle) {
    const int* t = tree->triangles[triangle];
    hwVec3 a = tree->vertices[t[0]], b = tree->vertices[t[1]], c = tree->vertices[t[2]];
    hwVec3 away = hwSub(s->x, hwTriangle_GetNearest(a, b, c, s->x));
    double square = hwDot(away, away);
    if (square > s->best) return;
    hwVec3 n = hwNormalize(hwCross(hwSub(b, a), hwSub(c, a)));
    double f = hwDot(n, away), side = f < 0.0 ? -1.0 : 1.0, length = sqrt(square);
    hwVec3 push = length > s->rounding ? hwScale(side / length, away) : n;
    if (s->choosy && hwDot(push, s->facing) < HW_SAME_SIDE) return;
    double squarely = length > 0.0 ? fabs(f) / length : 1.0;
    bool tie = s->found && square > hwDot(s->away, s->away) - 2.0 * s->rounding * length;
    if (tie && squarely <= s->squarely) return;
    s->found = true;
    s->best = square + 2.0 * s->rounding * length;
    s->squarely = squarely;
    s->side = side;
    s->away = away;
    s->own = n;
}

double hwMesh_Measure(const hwMeshTree* tree, hwVec3 x, double reach, hwVec3 facing, hwVec3* normal) {
    const double point[3] = {x.x, x.y, x.z};
    Search s = {.x = x, .facing = facing, .best = reach * reach, .choosy = hwLengthSquared(facing) > 0.0};
    s.rounding = 1e-14 * (fabs(x.x) + fabs(x.y) + fabs(x.z) + reach);
    struct {
        int node;
        double distance;
    } stack[HW_TREE_STACK];
    int top = 0, at = 0;
    if (ToBox(&tree->nodes[0], point) > s.best) at = -1;
    while (at >= 0) {
        const hwTreeNode* node = &tree->nodes[at];
        at = -1;
        if (node->count == 0) {
            double first = ToBox(&tree->nodes[node->index], point);
            double second = ToBox(&tree->nodes[node->index + 1], point);
            int near = second < first;
            if (hwMax(first, second) <= s.best) {
                stack[top].node = node->index + 1 - near;
                stack[top++].distance = hwMax(first, second);
            }
            if (hwMin(first, second) <= s.best) at = node->index + near;
        } else {
            for (int k = 0; k < node->count; ++k) TryTriangle(&s, tree, node->index + k);
        }
        while (at < 0 && top > 0) {
            top -= 1;
            if (stack[top].distance <= s.best) at = stack[top].node;
        }
    }
    if (!s.found) {
        *normal = hwVec3_zero;
        return HUGE_VAL;
    }
    double length = hwLength(s.away);
    *normal = length > s.rounding ? hwScale(s.side / length, s.away) : s.own;
    return s.side * length;
}
