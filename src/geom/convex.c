#include "geom/convex.h"

#include "geom/minkowski.h"
#include "geom/triangle.h"

hwConvex hwMakeSphere(double radius) {
    hwConvex convex = {.kind = HW_CONVEX_POINT, .radius = radius};
    return convex;
}

hwConvex hwMakeCapsule(double radius, double length) {
    hwConvex convex = {.kind = HW_CONVEX_SEGMENT, .radius = radius, .half = {0.0, 0.0, 0.5 * length}};
    return convex;
}

hwConvex hwMakeBox(hwVec3 size) {
    hwConvex convex = {.kind = HW_CONVEX_BOX, .half = {0.5 * size.x, 0.5 * size.y, 0.5 * size.z}};
    return convex;
}

hwConvex hwMakeCylinder(double radius, double length) {
    hwConvex convex = {.kind = HW_CONVEX_CYLINDER, .half = {radius, radius, 0.5 * length}};
    return convex;
}

hwConvex hwMakeTriangle(hwVec3 a, hwVec3 b, hwVec3 c, double radius) {
    hwConvex convex = {.kind = HW_CONVEX_TRIANGLE, .radius = radius, .corner = {a, b, c}};
    return convex;
}

hwConvex hwMakeHull(const hwHull* hull) {
    hwConvex convex = {.kind = HW_CONVEX_HULL, .hull = hull};
    return convex;
}

bool hwConvex_FromShape(const hwShapeDef* shape, const hwHull* hull, hwConvex* out) {
    switch (shape->kind) {
    case HW_SHAPE_BOX:
        *out = hwMakeBox(shape->size);
        return true;
    case HW_SHAPE_SPHERE:
        *out = hwMakeSphere(shape->radius);
        return true;
    case HW_SHAPE_CYLINDER:
        *out = hwMakeCylinder(shape->radius, shape->length);
        return true;
    case HW_SHAPE_CAPSULE:
        *out = hwMakeCapsule(shape->radius, shape->length);
        return true;
    case HW_SHAPE_HULL:
        *out = hwMakeHull(hull);
        return hull != NULL;
    case HW_SHAPE_MESH:
        break;
    }
    return false;
}

hwBox hwConvex_GetBounds(const hwConvex* convex, hwPose pose) {
    hwMat3 r = hwMat3FromQuat(pose.q);
    hwBox box = hwBox_Empty();
    switch (convex->kind) {
    case HW_CONVEX_POINT:
    case HW_CONVEX_SEGMENT:
    case HW_CONVEX_BOX: {
        hwBox own = {hwNeg(convex->half), convex->half};
        box = hwBox_Transform(&own, pose.p, &r);
        break;
    }
    case HW_CONVEX_TRIANGLE:
        for (int k = 0; k < 3; ++k) box = hwBox_AddPoint(box, hwTransformPoint(pose, convex->corner[k]));
        break;
    case HW_CONVEX_CYLINDER: {
        hwVec3 z = r.cz;
        hwVec3 h =
            hwMakeVec3(fabs(z.x) * convex->half.z + convex->half.x * sqrt(hwMax(0.0, 1.0 - z.x * z.x)),
                       fabs(z.y) * convex->half.z + convex->half.x * sqrt(hwMax(0.0, 1.0 - z.y * z.y)),
                       fabs(z.z) * convex->half.z + convex->half.x * sqrt(hwMax(0.0, 1.0 - z.z * z.z)));
        box = (hwBox){hwSub(pose.p, h), hwAdd(pose.p, h)};
        break;
    }
    case HW_CONVEX_HULL:
        if (convex->hull->vertexCount > 64) {
            box = hwBox_Transform(&convex->hull->bounds, pose.p, &r);
            break;
        }
        for (int i = 0; i < convex->hull->vertexCount; ++i) {
            box = hwBox_AddPoint(box, hwAdd(pose.p, hwMulMV(r, convex->hull->vertices[i])));
        }
        break;
    }
    return hwBox_Grow(box, convex->radius);
}

static double GetCoreSize(const hwConvex* convex) {
    switch (convex->kind) {
    case HW_CONVEX_POINT:
        return 0.0;
    case HW_CONVEX_TRIANGLE:
        return hwMax(hwLength(convex->corner[0]),
                     hwMax(hwLength(convex->corner[1]), hwLength(convex->corner[2])));
    case HW_CONVEX_HULL:
        return convex->hull->radius;
    case HW_CONVEX_SEGMENT:
    case HW_CONVEX_BOX:
    case HW_CONVEX_CYLINDER:
        break;
    }
    return convex->half.x + convex->half.y + convex->half.z;
}

hwMinkowski hwMakeMinkowski(const hwConvex* a, hwPose poseA, const hwConvex* b, hwPose poseB) {
    hwMinkowski m = {.a = a, .b = b};
    hwMat3 ra = hwMat3FromQuat(poseA.q), rb = hwMat3FromQuat(poseB.q);
    m.r = (hwMat3){hwMulTV(ra, rb.cx), hwMulTV(ra, rb.cy), hwMulTV(ra, rb.cz)};
    m.p = hwMulTV(ra, hwSub(poseB.p, poseA.p));
    m.size = GetCoreSize(a) + GetCoreSize(b);
    return m;
}

static inline int FindCoreSupport(const hwConvex* core, hwVec3 d, int start, hwVec3* point) {
    hwVec3 h = core->half;
    switch (core->kind) {
    case HW_CONVEX_POINT:
        *point = hwVec3_zero;
        return 0;
    case HW_CONVEX_SEGMENT:
        *point = hwMakeVec3(0.0, 0.0, d.z > 0.0 ? h.z : -h.z);
        return d.z > 0.0;
    case HW_CONVEX_TRIANGLE: {
        double x = hwDot(core->corner[0], d), y = hwDot(core->corner[1], d), z = hwDot(core->corner[2], d);
        int i = x >= y ? (x >= z ? 0 : 2) : (y >= z ? 1 : 2);
        *point = core->corner[i];
        return i;
    }
    case HW_CONVEX_BOX:
        *point = hwMakeVec3(d.x > 0.0 ? h.x : -h.x, d.y > 0.0 ? h.y : -h.y, d.z > 0.0 ? h.z : -h.z);
        return (d.x > 0.0) | (d.y > 0.0) << 1 | (d.z > 0.0) << 2;
    case HW_CONVEX_CYLINDER: {
        double across = sqrt(d.x * d.x + d.y * d.y), scale = across > 0.0 ? h.x / across : 0.0;
        *point = hwMakeVec3(scale * d.x, scale * d.y, d.z > 0.0 ? h.z : -h.z);
        return -1;
    }
    case HW_CONVEX_HULL: {
        int i = hwHull_FindSupport(core->hull, d, start);
        *point = core->hull->vertices[i];
        return i;
    }
    }
    return -1;
}

hwSupport hwMinkowski_FindSupport(const hwMinkowski* m, hwVec3 direction, int startA, int startB) {
    hwSupport s;
    hwVec3 b = hwVec3_zero;
    s.ia = FindCoreSupport(m->a, direction, startA, &s.a);
    s.ib = FindCoreSupport(m->b, hwNeg(hwMulTV(m->r, direction)), startB, &b);
    s.w = hwSub(s.a, hwAdd(m->p, hwMulMV(m->r, b)));
    return s;
}

static hwVec3 GetVertex(const hwConvex* core, int i) {
    hwVec3 h = core->half;
    switch (core->kind) {
    case HW_CONVEX_POINT:
        return hwVec3_zero;
    case HW_CONVEX_SEGMENT:
        return hwMakeVec3(0.0, 0.0, i ? h.z : -h.z);
    case HW_CONVEX_TRIANGLE:
        return core->corner[i];
    case HW_CONVEX_BOX:
        return hwMakeVec3(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z);
    case HW_CONVEX_HULL:
        return core->hull->vertices[i];
    case HW_CONVEX_CYLINDER:
        break;
    }
    return hwVec3_zero;
}

hwSupport hwMinkowski_GetPoint(const hwMinkowski* m, int ia, int ib) {
    hwSupport s = {.ia = ia, .ib = ib, .a = GetVertex(m->a, ia)};
    s.w = hwSub(s.a, hwAdd(m->p, hwMulMV(m->r, GetVertex(m->b, ib))));
    return s;
}

// Nearest points of points and segments, in A's frame: true when both cores are such.
static bool FindLineNearest(const hwMinkowski* m, hwVec3* onA, hwVec3* onB) {
    if (m->a->kind > HW_CONVEX_SEGMENT || m->b->kind > HW_CONVEX_SEGMENT) return false;
    hwVec3 half = hwScale(m->b->half.z, m->r.cz), tip = hwMakeVec3(0.0, 0.0, m->a->half.z);
    hwVec3 from = hwSub(m->p, half), to = hwAdd(m->p, half);
    double s, t;
    hwSegments_GetNearest(hwNeg(tip), tip, from, to, &s, &t);
    *onA = hwMakeVec3(0.0, 0.0, (2.0 * s - 1.0) * m->a->half.z);
    *onB = hwMulAdd(from, t, hwSub(to, from));
    return true;
}

static void StoreSimplex(const hwSimplex* simplex, hwPairCache* cache) {
    cache->count = 0;
    cache->faceCount = 0;
    for (int i = 0; i < simplex->count; ++i) {
        if (simplex->point[i].ia < 0 || simplex->point[i].ib < 0) return;
        cache->a[i] = simplex->point[i].ia;
        cache->b[i] = simplex->point[i].ib;
    }
    cache->count = simplex->count;
}

static void LoadSimplex(const hwMinkowski* m, const hwPairCache* cache, hwSimplex* simplex) {
    simplex->count = 0;
    if (cache == NULL) return;
    int count = cache->count < 4 ? cache->count : 4;
    for (int i = 0; i < count; ++i) simplex->point[i] = hwMinkowski_GetPoint(m, cache->a[i], cache->b[i]);
    simplex->count = count;
}

static hwVec3 MixPoints(const hwSimplex* simplex) {
    hwVec3 a = hwVec3_zero;
    for (int i = 0; i < simplex->count; ++i) a = hwMulAdd(a, simplex->share[i], simplex->point[i].a);
    return a;
}

// Turns the answer for the cores, in A's frame, into that for the surfaces, in the world.
static hwClosest FinishClosest(const hwMinkowski* m, hwPose poseA, double distance, hwVec3 normal, hwVec3 onA,
                               hwVec3 onB) {
    double ra = m->a->radius, rb = m->b->radius;
    hwClosest out = {.distance = distance - ra - rb, .normal = hwRotate(poseA.q, normal)};
    out.pointA = hwMulAdd(hwTransformPoint(poseA, onA), ra, out.normal);
    out.pointB = hwMulAdd(hwTransformPoint(poseA, onB), -rb, out.normal);
    return out;
}

// Some direction across both axes, for cores that touch and have no volume between them.
static hwVec3 GetFlatNormal(const hwMinkowski* m) {
    hwVec3 u = m->a->kind == HW_CONVEX_SEGMENT ? hwMakeVec3(0, 0, 1) : hwVec3_zero;
    hwVec3 v = m->b->kind == HW_CONVEX_SEGMENT ? m->r.cz : hwVec3_zero;
    hwVec3 n = hwCross(u, v);
    if (hwLengthSquared(n) > 1e-20) return hwNormalize(n);
    if (hwLengthSquared(u) > 0.0) return hwPerpendicular(u);
    if (hwLengthSquared(v) > 0.0) return hwPerpendicular(v);
    return hwMakeVec3(0.0, 0.0, 1.0);
}

hwClosest hwConvex_FindClosest(const hwConvex* a, hwPose poseA, const hwConvex* b, hwPose poseB,
                               hwPairCache* cache) {
    hwMinkowski m = hwMakeMinkowski(a, poseA, b, poseB);
    hwVec3 onA, onB, nearest;
    if (FindLineNearest(&m, &onA, &onB)) {
        hwVec3 apart = hwSub(onB, onA);
        double distance = hwLength(apart);
        hwVec3 n = distance > 0.0 ? hwScale(1.0 / distance, apart) : GetFlatNormal(&m);
        return FinishClosest(&m, poseA, distance, n, onA, onB);
    }
    hwDepth depth;
    hwSimplex simplex = {0};
    int iterations = 0;
    if (a->kind == HW_CONVEX_BOX && b->kind == HW_CONVEX_BOX) {
        hwVec3 axis;
        if (hwMinkowski_FindBoxDepth(&m, &depth, &axis)) {
            hwClosest out = FinishClosest(&m, poseA, -depth.depth, depth.normal, depth.a, depth.b);
            out.iterations = 1;
            return out;
        }
        LoadSimplex(&m, cache, &simplex);
        if (simplex.count == 0) {
            simplex.point[0] = hwMinkowski_FindSupport(&m, axis, 0, 0);
            simplex.count = 1;
        }
    } else if (cache != NULL && cache->faceCount > 0 && hwMinkowski_ResumeDepth(&m, cache, &depth)) {
        hwClosest out = FinishClosest(&m, poseA, -depth.depth, depth.normal, depth.a, depth.b);
        out.iterations = depth.iterations;
        return out;
    } else {
        LoadSimplex(&m, cache, &simplex);
    }
    if (!hwMinkowski_FindNearest(&m, &simplex, &nearest, &iterations)) {
        if (cache != NULL) StoreSimplex(&simplex, cache);
        double distance = hwLength(nearest);
        onA = MixPoints(&simplex);
        hwClosest out =
            FinishClosest(&m, poseA, distance, hwScale(-1.0 / distance, nearest), onA, hwSub(onA, nearest));
        out.iterations = iterations;
        return out;
    }
    depth = hwMinkowski_FindDepth(&m, &simplex, cache);
    hwClosest out = FinishClosest(&m, poseA, -depth.depth, depth.normal, depth.a, depth.b);
    out.iterations = iterations + depth.iterations;
    return out;
}

bool hwConvex_IsApart(const hwConvex* a, hwPose poseA, const hwConvex* b, hwPose poseB, double distance) {
    hwMinkowski m = hwMakeMinkowski(a, poseA, b, poseB);
    double limit = distance + a->radius + b->radius;
    hwVec3 onA, onB;
    if (FindLineNearest(&m, &onA, &onB)) return hwDistance(onA, onB) > limit;
    return hwMinkowski_IsApart(&m, limit);
}
