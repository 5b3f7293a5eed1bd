// The distance of two convex cores: a simplex of supporting points walks towards the origin (Gilbert, Johnson & Keerthi
// 1988), with barycentric coordinates by signed volumes (Montanari, Petrinic & Barbieri 2017), which stay right for
// flat and thin simplices.
#include "geom/minkowski.h"

typedef struct Nearest {
    double share[4]; // of the points, 0: not needed
    hwVec3 v;
    double vv;
} Nearest;

static void SolveSegment(const hwVec3* w, int i, int j, Nearest* out) {
    hwVec3 d = hwSub(w[j], w[i]);
    double dd = hwLengthSquared(d), t = dd > 0.0 ? hwClamp(-hwDot(w[i], d) / dd, 0.0, 1.0) : 0.0;
    for (int k = 0; k < 4; ++k) out->share[k] = 0.0;
    out->share[i] = 1.0 - t;
    out->share[j] = t;
    out->v = t >= 1.0 ? w[j] : hwMulAdd(w[i], t, d);
    out->vv = hwLengthSquared(out->v);
}

// Areas in the coordinate plane across the normal's largest component.
static double GetArea(hwVec3 a, hwVec3 b, hwVec3 c, int axis) {
    if (axis == 0) return (b.y - a.y) * (c.z - a.z) - (b.z - a.z) * (c.y - a.y);
    if (axis == 1) return (b.z - a.z) * (c.x - a.x) - (b.x - a.x) * (c.z - a.z);
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static void TakeBetter(Nearest* best, const Nearest* other) {
    if (other->vv < best->vv) *best = *other;
}

static void SolveTriangle(const hwVec3* w, int i, int j, int k, Nearest* out) {
    hwVec3 a = w[i], b = w[j], c = w[k], n = hwCross(hwSub(b, a), hwSub(c, a));
    double nn = hwLengthSquared(n), x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    Nearest edge;
    out->vv = HUGE_VAL;
    if (nn > 0.0) {
        int axis = x > y ? (x > z ? 0 : 2) : (y > z ? 1 : 2);
        double area = axis == 0 ? n.x : axis == 1 ? n.y : n.z;
        hwVec3 foot = hwScale(hwDot(a, n) / nn, n); // of the origin in the plane
        double u = GetArea(foot, b, c, axis) / area, v = GetArea(foot, c, a, axis) / area;
        double t = GetArea(foot, a, b, axis) / area;
        if (u > 0.0 && v > 0.0 && t > 0.0) {
            for (int m = 0; m < 4; ++m) out->share[m] = 0.0;
            double sum = u + v + t;
            out->share[i] = u / sum;
            out->share[j] = v / sum;
            out->share[k] = t / sum;
            out->v = foot;
            out->vv = hwLengthSquared(foot);
            return;
        }
        if (u <= 0.0) SolveSegment(w, j, k, out);
        if (v <= 0.0) {
            SolveSegment(w, k, i, &edge);
            TakeBetter(out, &edge);
        }
        if (t <= 0.0) {
            SolveSegment(w, i, j, &edge);
            TakeBetter(out, &edge);
        }
        return;
    }
    SolveSegment(w, i, j, out);
    SolveSegment(w, j, k, &edge);
    TakeBetter(out, &edge);
    SolveSegment(w, k, i, &edge);
    TakeBetter(out, &edge);
}

// True: the origin is inside.
static bool SolveTetrahedron(const hwVec3* w, Nearest* out) {
    static const int faces[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}}; // opposite each corner
    double part[4];
    part[0] = hwDot(w[1], hwCross(w[2], w[3]));
    part[1] = -hwDot(w[0], hwCross(w[2], w[3]));
    part[2] = hwDot(w[0], hwCross(w[1], w[3]));
    part[3] = -hwDot(w[0], hwCross(w[1], w[2]));
    double volume = hwDot(hwSub(w[1], w[0]), hwCross(hwSub(w[2], w[0]), hwSub(w[3], w[0])));
    double largest = fabs(part[0]) + fabs(part[1]) + fabs(part[2]) + fabs(part[3]);
    bool flat = !(fabs(volume) > 1e-15 * largest), inside = !flat;
    out->vv = HUGE_VAL;
    for (int k = 0; k < 4; ++k) {
        if (!flat && part[k] * volume > 0.0) continue;
        inside = false;
        Nearest face;
        SolveTriangle(w, faces[k][0], faces[k][1], faces[k][2], &face);
        TakeBetter(out, &face);
    }
    return inside;
}

static bool SolveSimplex(const hwSimplex* simplex, Nearest* out) {
    hwVec3 w[4];
    for (int i = 0; i < simplex->count; ++i) w[i] = simplex->point[i].w;
    switch (simplex->count) {
    case 1:
        *out = (Nearest){{1.0, 0.0, 0.0, 0.0}, w[0], hwLengthSquared(w[0])};
        return false;
    case 2:
        SolveSegment(w, 0, 1, out);
        return false;
    case 3:
        SolveTriangle(w, 0, 1, 2, out);
        return false;
    default:
        return SolveTetrahedron(w, out);
    }
}

// Keeps only the points that carry the nearest one.
static void ReduceSimplex(hwSimplex* simplex, const Nearest* nearest) {
    int count = 0;
    for (int i = 0; i < simplex->count; ++i) {
        if (!(nearest->share[i] > 0.0)) continue;
        simplex->point[count] = simplex->point[i];
        simplex->share[count++] = nearest->share[i];
    }
    simplex->count = count;
}

static bool IsKnown(const hwSimplex* simplex, const hwSupport* support) {
    for (int i = 0; i < simplex->count; ++i) {
        const hwSupport* p = &simplex->point[i];
        if (p->w.x == support->w.x && p->w.y == support->w.y && p->w.z == support->w.z) return true;
    }
    return false;
}

#define MAX_ITERATIONS 96

bool hwMinkowski_FindNearest(const hwMinkowski* m, hwSimplex* simplex, hwVec3* nearest, int* iterations) {
    if (simplex->count == 0) {
        simplex->point[0] = hwMinkowski_FindSupport(m, m->p, 0, 0);
        simplex->count = 1;
    }
    double scale = m->size + hwLength(m->p);
    Nearest best = {.vv = HUGE_VAL};
    for (int i = 0;; ++i) {
        *iterations += 1;
        Nearest now;
        if (SolveSimplex(simplex, &now)) return true;
        if (now.vv <= 1e-30 * scale * scale) { // the origin lies on the simplex to within rounding
            ReduceSimplex(simplex, &now);
            return true;
        }
        if (!(now.vv < best.vv) || i == MAX_ITERATIONS) { // the last point gained nothing but rounding
            simplex->count -= 1;
            break;
        }
        best = now;
        ReduceSimplex(simplex, &now);
        const hwSupport* p = &simplex->point[simplex->count - 1];
        hwSupport support = hwMinkowski_FindSupport(m, hwNeg(now.v), p->ia, p->ib);
        // v . w / |v| bounds the distance from below.
        double gap = now.vv - hwDot(now.v, support.w);
        if (gap <= 1e-13 * now.vv + 1e-15 * scale * sqrt(now.vv) || IsKnown(simplex, &support)) break;
        simplex->point[simplex->count++] = support;
    }
    *nearest = best.v;
    return false;
}

bool hwMinkowski_IsApart(const hwMinkowski* m, double limit) {
    hwSimplex simplex = {.count = 1, .point = {hwMinkowski_FindSupport(m, m->p, 0, 0)}};
    double scale = m->size + hwLength(m->p), limit2 = limit * limit;
    Nearest best = {.vv = HUGE_VAL};
    for (int i = 0;; ++i) {
        Nearest now;
        if (SolveSimplex(&simplex, &now) || now.vv <= limit2 || now.vv <= 1e-30 * scale * scale) return false;
        if (!(now.vv < best.vv) || i == MAX_ITERATIONS) return true;
        best = now;
        ReduceSimplex(&simplex, &now);
        const hwSupport* p = &simplex.point[simplex.count - 1];
        hwSupport support = hwMinkowski_FindSupport(m, hwNeg(now.v), p->ia, p->ib);
        double along = hwDot(now.v, support.w); // over |v| it bounds the distance from below
        if (along > 0.0 && along * along > limit2 * now.vv) return true;
        if (now.vv - along <= 1e-13 * now.vv + 1e-15 * scale * sqrt(now.vv) || IsKnown(&simplex, &support))
            return true; // this near and no nearer
        simplex.point[simplex.count++] = support;
    }
}
