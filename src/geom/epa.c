// The depth of two overlapping convex cores: a polytope inside A - B grows where its surface is nearest to the origin,
// until that surface is A - B's own (van den Bergen 2001).
//
// The polytope is kept as triangles that are all seen from the origin from inside. Then the tetrahedra over them fill a
// part of A - B, and the smallest distance of their planes bounds the depth from below; the support along that plane's
// normal bounds it from above. No triangle needs neighbours: the horizon of a new point is what remains of the edges of
// the removed triangles when opposite ones cancel. So a polytope can also be rebuilt from the numbers of its vertices
// in a new pose, which makes the next query cheap.
#include "geom/minkowski.h"

#include <string.h>

#define MAX_POINTS 256
#define MAX_FACES (2 * MAX_POINTS)

typedef struct Face {
    uint16_t v[3];
    hwVec3 normal; // unit
    double height; // of the plane above the origin; HUGE_VAL: too thin to have a plane
} Face;

typedef struct Polytope {
    const hwMinkowski* m;
    double size;
    int pointCount, faceCount;
    hwSupport point[MAX_POINTS];
    Face face[MAX_FACES];
} Polytope;

static void SetFace(Polytope* polytope, Face* face, int i, int j, int k) {
    hwVec3 a = polytope->point[i].w, b = polytope->point[j].w, c = polytope->point[k].w;
    hwVec3 n = hwCross(hwSub(b, a), hwSub(c, a));
    double length = hwLength(n);
    face->v[0] = (uint16_t)i;
    face->v[1] = (uint16_t)j;
    face->v[2] = (uint16_t)k;
    face->height = HUGE_VAL;
    face->normal = hwVec3_zero;
    // Less than this is the rounding of the product.
    if (!(length > 1e-15 * polytope->size * polytope->size)) return;
    face->normal = hwScale(1.0 / length, n);
    // The three heights differ by rounding; the mean is best.
    face->height = (hwDot(face->normal, a) + hwDot(face->normal, b) + hwDot(face->normal, c)) / 3.0;
}

typedef struct Rim {
    int count;
    struct {
        uint16_t from, to;
    } edge[MAX_POINTS];
} Rim;

static int FindEdge(const Rim* rim, uint16_t from, uint16_t to) {
    for (int e = 0; e < rim->count; ++e) {
        if (rim->edge[e].from == from && rim->edge[e].to == to) return e;
    }
    return -1;
}

// Opposite edges cancel. False: no room.
static bool AddToRim(Rim* rim, const Face* face) {
    for (int k = 0; k < 3; ++k) {
        uint16_t from = face->v[k], to = face->v[(k + 1) % 3];
        int opposite = FindEdge(rim, to, from);
        if (opposite >= 0) {
            rim->edge[opposite] = rim->edge[--rim->count];
        } else {
            if (rim->count == MAX_POINTS) return false;
            rim->edge[rim->count].from = from;
            rim->edge[rim->count++].to = to;
        }
    }
    return true;
}

static bool IsBeside(const Rim* rim, const Face* face) {
    return FindEdge(rim, face->v[1], face->v[0]) >= 0 || FindEdge(rim, face->v[2], face->v[1]) >= 0 ||
           FindEdge(rim, face->v[0], face->v[2]) >= 0;
}

static int FindFace(const Polytope* polytope, const bool* gone, uint16_t from, uint16_t to) {
    for (int f = 0; f < polytope->faceCount; ++f) {
        const uint16_t* v = polytope->face[f].v;
        if (gone[f]) continue;
        if ((v[0] == from && v[1] == to) || (v[1] == from && v[2] == to) || (v[2] == from && v[0] == to))
            return f;
    }
    return -1;
}

// Would the triangle of a rim's edge and w face the origin from outside, or have no area? Coplanar faces that were seen
// or not by rounding alone end up so.
static bool IsFolded(const Polytope* polytope, int from, int to, hwVec3 w) {
    hwVec3 a = polytope->point[from].w, b = polytope->point[to].w;
    hwVec3 n = hwCross(hwSub(b, a), hwSub(w, a));
    double square = polytope->size * polytope->size, thin = 1e-15 * square;
    // A plane through the origin is no fold: the simplex that GJK leaves may have the origin on its surface.
    return hwDot(n, w) < -1e-12 * square * polytope->size || !(hwLengthSquared(n) > thin * thin);
}

// Replaces the faces that w can see by the cone from w over their rim. They spread from the nearest, so that they stay
// in one piece, and take in neighbours until no face of the cone is folded: then the origin sees every face from inside
// again. False: no room, or the origin is not inside to within rounding; nothing is changed.
static bool AddPoint(Polytope* polytope, const hwSupport* support, int nearest) {
    if (polytope->pointCount == MAX_POINTS) return false;
    Rim rim = {0};
    int seen[MAX_FACES], seenCount = 0, removed = 1, kept = 0;
    bool gone[MAX_FACES];
    double margin = 1e-14 * polytope->size;
    for (int f = 0; f < polytope->faceCount; ++f) {
        const Face* face = &polytope->face[f];
        gone[f] = f == nearest;
        if (f != nearest && hwDot(face->normal, support->w) > face->height + margin) seen[seenCount++] = f;
    }
    AddToRim(&rim, &polytope->face[nearest]);
    for (bool spread = true; spread;) {
        spread = false;
        for (int i = 0; i < seenCount; ++i) {
            if (gone[seen[i]] || !IsBeside(&rim, &polytope->face[seen[i]])) continue;
            if (!AddToRim(&rim, &polytope->face[seen[i]])) return false;
            gone[seen[i]] = true;
            removed += 1;
            spread = true;
        }
    }
    for (int e = 0; e < rim.count;) {
        if (!IsFolded(polytope, rim.edge[e].from, rim.edge[e].to, support->w)) {
            e += 1;
            continue;
        }
        int f = FindFace(polytope, gone, rim.edge[e].to, rim.edge[e].from);
        if (f < 0 || !AddToRim(&rim, &polytope->face[f])) return false;
        gone[f] = true;
        removed += 1;
        e = 0;
    }
    if (rim.count < 3 || polytope->faceCount - removed + rim.count > MAX_FACES) return false;
    for (int f = 0; f < polytope->faceCount; ++f) {
        if (!gone[f]) polytope->face[kept++] = polytope->face[f];
    }
    int at = polytope->pointCount++;
    polytope->point[at] = *support;
    for (int e = 0; e < rim.count; ++e)
        SetFace(polytope, &polytope->face[kept++], rim.edge[e].from, rim.edge[e].to, at);
    polytope->faceCount = kept;
    return true;
}

static int FindLowest(const Polytope* polytope) {
    int best = -1;
    double height = HUGE_VAL;
    for (int f = 0; f < polytope->faceCount; ++f) {
        if (polytope->face[f].height < height) {
            height = polytope->face[f].height;
            best = f;
        }
    }
    return best;
}

static bool IsCorner(const Polytope* polytope, const Face* face, const hwSupport* s) {
    for (int k = 0; k < 3; ++k) {
        const hwSupport* p = &polytope->point[face->v[k]];
        if (p->ia == s->ia && p->ib == s->ib && p->ia >= 0 && p->ib >= 0) return true;
    }
    return false;
}

// Barycentric coordinates of the foot of the origin on a face, moved into the face where rounding put it outside.
static void GetShares(hwVec3 a, hwVec3 b, hwVec3 c, hwVec3 foot, double share[3]) {
    hwVec3 n = hwCross(hwSub(b, a), hwSub(c, a));
    double nn = hwLengthSquared(n);
    share[0] = hwMax(0.0, hwDot(hwCross(hwSub(b, foot), hwSub(c, foot)), n) / nn);
    share[1] = hwMax(0.0, hwDot(hwCross(hwSub(c, foot), hwSub(a, foot)), n) / nn);
    share[2] = hwMax(0.0, hwDot(hwCross(hwSub(a, foot), hwSub(b, foot)), n) / nn);
    double sum = share[0] + share[1] + share[2];
    for (int k = 0; k < 3; ++k) share[k] /= sum;
}

static hwDepth ReadFace(const Polytope* polytope, const Face* face) {
    hwDepth out = {.depth = face->height, .normal = face->normal};
    const hwSupport* p[3];
    for (int k = 0; k < 3; ++k) p[k] = &polytope->point[face->v[k]];
    double share[3];
    GetShares(p[0]->w, p[1]->w, p[2]->w, hwScale(face->height, face->normal), share);
    hwVec3 w = hwVec3_zero;
    for (int k = 0; k < 3; ++k) {
        out.a = hwMulAdd(out.a, share[k], p[k]->a);
        w = hwMulAdd(w, share[k], p[k]->w);
    }
    out.b = hwSub(out.a, w);
    return out;
}

// Is the face part of the boundary of A - B? Then it is what we look for. Else `s` is a point beyond it.
static bool IsFinal(const Polytope* polytope, const Face* face, hwSupport* s) {
    const hwMinkowski* m = polytope->m;
    // Curved cores are approached; flat ones end at a vertex already known.
    bool curved = m->a->kind == HW_CONVEX_CYLINDER || m->b->kind == HW_CONVEX_CYLINDER;
    double tolerance = (curved ? 1e-10 : 1e-14) * polytope->size;
    const hwSupport* start = &polytope->point[face->v[0]];
    *s = hwMinkowski_FindSupport(m, face->normal, start->ia, start->ib);
    return hwDot(face->normal, s->w) - face->height <= tolerance || IsCorner(polytope, face, s);
}

// Grows until the lowest face is on the boundary of A - B. Out of room, the smallest support found so far is the
// answer: it bounds the depth from above.
static hwDepth ExpandPolytope(Polytope* polytope) {
    hwDepth best = {.depth = HUGE_VAL, .normal = {0.0, 0.0, 1.0}};
    for (int iterations = 1;; ++iterations) {
        int lowest = FindLowest(polytope);
        if (lowest < 0) return best;
        const Face* face = &polytope->face[lowest];
        hwSupport s;
        if (IsFinal(polytope, face, &s)) {
            best = ReadFace(polytope, face);
            best.iterations = iterations;
            return best;
        }
        double reach = hwDot(face->normal, s.w);
        if (reach < best.depth) {
            best = ReadFace(polytope, face);
            best.depth = reach;
            best.b = hwMulAdd(best.a, -reach, best.normal);
        }
        best.iterations = iterations;
        if (!AddPoint(polytope, &s, lowest)) return best;
    }
}

static void StoreCache(const Polytope* polytope, hwPairCache* cache) {
    cache->count = 0;
    cache->faceCount = 0;
    if (polytope->pointCount > HW_CACHE_POINTS || polytope->faceCount > HW_CACHE_FACES) return;
    for (int i = 0; i < polytope->pointCount; ++i) {
        if (polytope->point[i].ia < 0 || polytope->point[i].ib < 0) return;
        cache->a[i] = polytope->point[i].ia;
        cache->b[i] = polytope->point[i].ib;
    }
    for (int f = 0; f < polytope->faceCount; ++f) {
        for (int k = 0; k < 3; ++k) cache->face[f][k] = (uint8_t)polytope->face[f].v[k];
    }
    cache->count = polytope->pointCount;
    cache->faceCount = polytope->faceCount;
}

// Drops points no face uses any more, so that a pair that lives long does not fill up.
static void DropUnused(Polytope* polytope) {
    int number[MAX_POINTS], count = 0;
    for (int i = 0; i < polytope->pointCount; ++i) number[i] = -1;
    for (int f = 0; f < polytope->faceCount; ++f) {
        for (int k = 0; k < 3; ++k) number[polytope->face[f].v[k]] = 0;
    }
    for (int i = 0; i < polytope->pointCount; ++i) {
        if (number[i] < 0) continue;
        polytope->point[count] = polytope->point[i];
        number[i] = count++;
    }
    for (int f = 0; f < polytope->faceCount; ++f) {
        for (int k = 0; k < 3; ++k) polytope->face[f].v[k] = (uint16_t)number[polytope->face[f].v[k]];
    }
    polytope->pointCount = count;
}

static bool IsConvex(const Polytope* polytope) {
    double margin = 1e-13 * polytope->size;
    for (int f = 0; f < polytope->faceCount; ++f) {
        const Face* face = &polytope->face[f];
        for (int i = 0; i < polytope->pointCount; ++i) {
            if (hwDot(face->normal, polytope->point[i].w) > face->height + margin) return false;
        }
    }
    return true;
}

bool hwMinkowski_ResumeDepth(const hwMinkowski* m, hwPairCache* cache, hwDepth* out) {
    Polytope polytope;
    polytope.m = m;
    polytope.size = m->size + hwLength(m->p);
    polytope.pointCount = cache->count;
    polytope.faceCount = cache->faceCount;
    for (int i = 0; i < cache->count; ++i)
        polytope.point[i] = hwMinkowski_GetPoint(m, cache->a[i], cache->b[i]);
    for (int f = 0; f < cache->faceCount; ++f) {
        const uint8_t* v = cache->face[f];
        SetFace(&polytope, &polytope.face[f], v[0], v[1], v[2]);
        // The origin must see every face from inside.
        if (!(polytope.face[f].height > 0.0) || polytope.face[f].height == HUGE_VAL) return false;
    }
    const Face* lowest = &polytope.face[FindLowest(&polytope)];
    hwSupport s;
    if (IsFinal(&polytope, lowest, &s)) {
        *out = ReadFace(&polytope, lowest);
        out->iterations = 1;
        return true;
    }
    if (!IsConvex(&polytope)) return false; // growing needs more than seeing
    *out = ExpandPolytope(&polytope);
    DropUnused(&polytope);
    StoreCache(&polytope, cache);
    return true;
}

// Adds a supporting point off the simplex's own flat, along +-direction. False: there is none, A - B is flat there.
static bool AddOff(const hwMinkowski* m, hwSimplex* simplex, hwVec3 direction, double size) {
    for (int sign = 0; sign < 2; ++sign) {
        hwVec3 d = sign ? hwNeg(direction) : direction;
        hwSupport s = hwMinkowski_FindSupport(m, d, 0, 0);
        if (fabs(hwDot(d, hwSub(s.w, simplex->point[0].w))) > 1e-12 * size * hwLength(d)) {
            simplex->point[simplex->count++] = s;
            return true;
        }
    }
    return false;
}

// Makes a tetrahedron of a simplex that only touches the origin. False and a normal: A - B is flat.
static bool CompleteSimplex(const hwMinkowski* m, hwSimplex* simplex, double size, hwVec3* normal) {
    static const hwVec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const hwSupport* p = simplex->point;
    for (int k = 0; k < 3 && simplex->count == 1; ++k) AddOff(m, simplex, axes[k], size);
    if (simplex->count == 1) {
        *normal = hwMakeVec3(0.0, 0.0, 1.0);
        return false;
    }
    if (simplex->count == 2) {
        hwVec3 u = hwPerpendicular(hwNormalize(hwSub(p[1].w, p[0].w)));
        hwVec3 v = hwCross(hwNormalize(hwSub(p[1].w, p[0].w)), u);
        if (!AddOff(m, simplex, u, size) && !AddOff(m, simplex, v, size)) {
            *normal = u;
            return false;
        }
    }
    if (simplex->count == 3) {
        hwVec3 n = hwNormalize(hwCross(hwSub(p[1].w, p[0].w), hwSub(p[2].w, p[0].w)));
        if (!(hwLengthSquared(n) > 0.0)) n = hwPerpendicular(hwNormalize(hwSub(p[1].w, p[0].w)));
        if (!AddOff(m, simplex, n, size)) {
            *normal = n;
            return false;
        }
    }
    return true;
}

hwDepth hwMinkowski_FindDepth(const hwMinkowski* m, const hwSimplex* start, hwPairCache* cache) {
    Polytope polytope;
    polytope.m = m;
    polytope.size = m->size + hwLength(m->p);
    hwSimplex simplex = *start;
    hwDepth flat = {0};
    for (int i = 0; i < start->count; ++i) flat.a = hwMulAdd(flat.a, start->share[i], start->point[i].a);
    if (!CompleteSimplex(m, &simplex, polytope.size, &flat.normal)) {
        if (cache != NULL) cache->count = cache->faceCount = 0;
        flat.b = flat.a;
        return flat;
    }
    for (int i = 0; i < 4; ++i) polytope.point[i] = simplex.point[i];
    polytope.pointCount = 4;
    polytope.faceCount = 4;
    hwVec3 w0 = simplex.point[0].w;
    double volume = hwDot(hwSub(simplex.point[1].w, w0),
                          hwCross(hwSub(simplex.point[2].w, w0), hwSub(simplex.point[3].w, w0)));
    static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    for (int f = 0; f < 4; ++f) {
        const int* t = faces[f];
        SetFace(&polytope, &polytope.face[f], t[0], volume > 0.0 ? t[1] : t[2], volume > 0.0 ? t[2] : t[1]);
    }
    hwDepth out = ExpandPolytope(&polytope);
    if (cache != NULL) {
        DropUnused(&polytope);
        StoreCache(&polytope, cache);
    }
    return out;
}
