// Depth of two overlapping boxes by their separating axes.
#include "geom/minkowski.h"
#include "geom/triangle.h"

static double GetReach(hwVec3 half, const hwMat3* r, hwVec3 n) {
    return half.x * fabs(hwDot(r->cx, n)) + half.y * fabs(hwDot(r->cy, n)) + half.z * fabs(hwDot(r->cz, n));
}

// The corner of the box farthest along n; components that are square to n take the middle, so that the point of an edge
// or a face is its centre.
static hwVec3 GetCorner(hwVec3 half, hwVec3 n) {
    const double square = 1e-12;
    return hwMakeVec3(n.x > square    ? half.x
                      : n.x < -square ? -half.x
                                      : 0.0,
                      n.y > square    ? half.y
                      : n.y < -square ? -half.y
                                      : 0.0,
                      n.z > square    ? half.z
                      : n.z < -square ? -half.z
                                      : 0.0);
}

// Points of the two supporting features that lie over each other along the normal.
static void FindWitness(const hwMinkowski* m, hwDepth* out) {
    hwVec3 ha = m->a->half, hb = m->b->half, n = out->normal;
    hwVec3 onA = GetCorner(ha, n), local = GetCorner(hb, hwNeg(hwMulTV(m->r, n)));
    hwVec3 onB = hwAdd(m->p, hwMulMV(m->r, local));
    int freeA = (onA.x == 0.0) + (onA.y == 0.0) + (onA.z == 0.0);
    int freeB = (local.x == 0.0) + (local.y == 0.0) + (local.z == 0.0);
    if (freeA == 1 && freeB == 1) { // two edges
        hwVec3 edgeA =
            hwMakeVec3(onA.x == 0.0 ? ha.x : 0.0, onA.y == 0.0 ? ha.y : 0.0, onA.z == 0.0 ? ha.z : 0.0);
        hwVec3 edgeB = hwMulMV(m->r, hwMakeVec3(local.x == 0.0 ? hb.x : 0.0, local.y == 0.0 ? hb.y : 0.0,
                                                local.z == 0.0 ? hb.z : 0.0));
        double s, t;
        hwSegments_GetNearest(hwSub(onA, edgeA), hwAdd(onA, edgeA), hwSub(onB, edgeB), hwAdd(onB, edgeB), &s,
                              &t);
        out->a = hwMulAdd(onA, 2.0 * s - 1.0, edgeA);
        out->b = hwMulAdd(onB, 2.0 * t - 1.0, edgeB);
        return;
    }
    // The smaller feature keeps its place: a corner or an edge on a face. Two faces meet half way.
    hwVec3 apart = hwSub(onB, onA);
    apart = hwMulAdd(apart, -hwDot(apart, n), n);
    double share = freeA > freeB ? 1.0 : freeA < freeB ? 0.0 : 0.5;
    out->a = hwMulAdd(onA, share, apart);
    out->b = hwMulAdd(onB, share - 1.0, apart);
}

bool hwMinkowski_FindBoxDepth(const hwMinkowski* m, hwDepth* out, hwVec3* axis) {
    hwVec3 ha = m->a->half, hb = m->b->half, p = m->p;
    hwMat3 r = m->r, q = {{fabs(r.cx.x), fabs(r.cx.y), fabs(r.cx.z)},
                          {fabs(r.cy.x), fabs(r.cy.y), fabs(r.cy.z)},
                          {fabs(r.cz.x), fabs(r.cz.y), fabs(r.cz.z)}};
    double best = HUGE_VAL;
    hwVec3 n = hwVec3_zero;
    // A's faces
    const double reachB[3] = {q.cx.x * hb.x + q.cy.x * hb.y + q.cz.x * hb.z,
                              q.cx.y * hb.x + q.cy.y * hb.y + q.cz.y * hb.z,
                              q.cx.z * hb.x + q.cy.z * hb.y + q.cz.z * hb.z};
    const double halfA[3] = {ha.x, ha.y, ha.z}, halfB[3] = {hb.x, hb.y, hb.z}, place[3] = {p.x, p.y, p.z};
    const hwVec3 axesA[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, axesB[3] = {r.cx, r.cy, r.cz};
    for (int i = 0; i < 3; ++i) {
        double overlap = halfA[i] + reachB[i] - fabs(place[i]);
        if (overlap < best) {
            best = overlap;
            n = place[i] < 0.0 ? hwNeg(axesA[i]) : axesA[i];
        }
    }
    // B's faces
    const hwVec3 absB[3] = {q.cx, q.cy, q.cz};
    for (int i = 0; i < 3; ++i) {
        double apart = hwDot(p, axesB[i]), overlap = halfB[i] + hwDot(absB[i], ha) - fabs(apart);
        if (overlap < best) {
            best = overlap;
            n = apart < 0.0 ? hwNeg(axesB[i]) : axesB[i];
        }
    }
    if (best < 0.0) {
        *axis = n;
        return false;
    }
    // Edges: across e_i of A and b_j of B. Rounding spoils the overlap by 1e-16 of the size over the sine of their
    // angle; edges more parallel than 1e-7 only bevel an edge that the faces already bound within 1e-7 of the size.
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            hwVec3 cross = hwCross(axesA[i], axesB[j]);
            double length2 = hwLengthSquared(cross);
            if (length2 < 1e-14) continue;
            double apart = hwDot(p, cross);
            double reach =
                fabs(cross.x) * ha.x + fabs(cross.y) * ha.y + fabs(cross.z) * ha.z + GetReach(hb, &r, cross);
            double overlap = reach - fabs(apart);
            if (overlap < 0.0) {
                *axis = apart < 0.0 ? hwNeg(cross) : cross;
                return false;
            }
            if (overlap * overlap < best * best * length2) {
                double scale = 1.0 / sqrt(length2);
                best = overlap * scale;
                n = hwScale(apart < 0.0 ? -scale : scale, cross);
            }
        }
    }
    out->depth = best;
    out->normal = n;
    out->iterations = 1;
    FindWitness(m, out);
    return true;
}
