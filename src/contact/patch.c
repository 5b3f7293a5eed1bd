#include "contact/patch.h"

#include "contact/field.h"
#include "geom/overlap.h"
#include "geom/shape_data.h"

#include <math.h>

// Parts --------------------------------------------------------------------------------------------------------------------

static double MeasureHullWidth(const hwHull* hull) {
    double width = HUGE_VAL;
    for (int f = 0; f < hull->faceCount; ++f) {
        double low = 0.0;
        for (int i = 0; i < hull->vertexCount; ++i) {
            low = hwMin(low, hwDot(hull->planes[f].normal, hull->vertices[i]) - hull->planes[f].offset);
        }
        width = hwMin(width, -low);
    }
    return width;
}

void hwSolidPart_Measure(hwSolidPart* part) {
    const hwConvex* c = &part->convex;
    switch (c->kind) {
    case HW_CONVEX_BOX:
        part->reach = hwLength(c->half);
        part->thickness = 2.0 * hwMin(c->half.x, hwMin(c->half.y, c->half.z));
        break;
    case HW_CONVEX_CYLINDER:
        part->reach = hwHypot(c->half.x, c->half.z);
        part->thickness = 2.0 * hwMin(c->half.x, c->half.z);
        break;
    case HW_CONVEX_HULL:
        part->reach = c->hull->radius;
        part->thickness = MeasureHullWidth(c->hull);
        break;
    case HW_CONVEX_POINT:
    case HW_CONVEX_SEGMENT:
    case HW_CONVEX_TRIANGLE:
        part->reach = c->half.z + c->radius;
        part->thickness = 2.0 * c->radius;
        break;
    }
}

static bool IsPolyhedron(const hwSolidPart* part) {
    return part->convex.kind == HW_CONVEX_BOX || part->convex.kind == HW_CONVEX_HULL;
}

static bool IsSphere(const hwSolidPart* part) {
    return part->convex.kind == HW_CONVEX_POINT;
}

static bool IsCapsule(const hwSolidPart* part) {
    return part->convex.kind == HW_CONVEX_SEGMENT;
}

double hwSolidPart_GetSupport(const hwSolidPart* part, hwPose pose, hwVec3 direction) {
    hwVec3 d = hwInvRotate(pose.q, direction);
    const hwConvex* c = &part->convex;
    if (part->shape.kind == HW_SHAPE_MESH) {
        double most = -HUGE_VAL;
        for (int i = 0; i < part->shape.mesh.vertexCount; ++i)
            most = hwMax(most, hwDot(d, part->shape.mesh.vertices[i]));
        return most;
    }
    switch (c->kind) {
    case HW_CONVEX_BOX:
        return fabs(d.x) * c->half.x + fabs(d.y) * c->half.y + fabs(d.z) * c->half.z;
    case HW_CONVEX_CYLINDER:
        return hwHypot(d.x, d.y) * c->half.x + fabs(d.z) * c->half.z;
    case HW_CONVEX_HULL:
        return hwDot(d, c->hull->vertices[hwHull_FindSupport(c->hull, d, 0)]);
    case HW_CONVEX_POINT:
    case HW_CONVEX_SEGMENT:
    case HW_CONVEX_TRIANGLE:
        break;
    }
    return fabs(d.z) * c->half.z + c->radius;
}

// Planes -------------------------------------------------------------------------------------------------------------------

static void AddProduct(hwSym3* m, double s, hwVec3 u, hwVec3 v) {
    m->xx += s * u.x * v.x;
    m->yy += s * u.y * v.y;
    m->zz += s * u.z * v.z;
    m->xy += 0.5 * s * (u.x * v.y + u.y * v.x);
    m->xz += 0.5 * s * (u.x * v.z + u.z * v.x);
    m->yz += 0.5 * s * (u.y * v.z + u.z * v.y);
}

// Pressure K depth on the submerged surface is that of a heavy liquid: the force is K V through the centroid of the
// volume, its energy K V times the centroid's depth, and its matrix K times the moments of the cut.
bool hwPatch_OnPlane(const hwSolidPart* part, hwPose pose, hwVec3 at, hwVec3 up, hwPatch* out) {
    double depth = hwSolidPart_GetSupport(part, pose, hwNeg(up)) - hwDot(up, hwSub(pose.p, at));
    if (!(depth > 0.0)) return false;
    hwSubmergence sub = hwShape_Submerge(&part->shape, pose, at, up);
    if (!(sub.volume > 0.0)) return false;
    out->volume = sub.volume;
    out->point = sub.centroid;
    out->normal = hwNeg(up);
    out->area = sub.area;
    out->depth = depth;
    out->height = hwDot(up, hwSub(at, sub.centroid));
    hwVec3 offset = sub.area > 0.0 ? hwSub(sub.cutCentroid, sub.centroid) : hwVec3_zero;
    out->offset = hwMulAdd(offset, -hwDot(offset, up), up);
    hwVec3 u = hwPerpendicular(up), v = hwCross(up, u);
    out->second = (hwSym3){0};
    AddProduct(&out->second, sub.cutMoment[0], u, u);
    AddProduct(&out->second, sub.cutMoment[1], v, v);
    AddProduct(&out->second, 2.0 * sub.cutMoment[2], u, v);
    AddProduct(&out->second, sub.area, out->offset, out->offset);
    return true;
}

// Polyhedra ----------------------------------------------------------------------------------------------------------------

// Width along a unit vector in world axes.
static double GetWidth(const hwConvex* c, hwPose pose, hwVec3 direction) {
    hwVec3 d = hwInvRotate(pose.q, direction);
    if (c->kind == HW_CONVEX_BOX)
        return 2.0 * (fabs(d.x) * c->half.x + fabs(d.y) * c->half.y + fabs(d.z) * c->half.z);
    const hwVec3* vertices = c->hull->vertices;
    return hwDot(d, vertices[hwHull_FindSupport(c->hull, d, 0)]) -
           hwDot(d, vertices[hwHull_FindSupport(c->hull, hwNeg(d), 0)]);
}

static double GetRoundVolume(const hwSolidPart* part) {
    double r = part->convex.radius;
    return HW_PI * r * r * (2.0 * part->convex.half.z + 4.0 / 3.0 * r);
}

static void FillColumn(double volume, double width, hwVec3 point, hwVec3 n, double depth, hwPatch* out) {
    double area = volume / width, spread = area * area / 12.0;
    *out = (hwPatch){.volume = area * depth,
                     .point = point,
                     .normal = n,
                     .area = area,
                     .second = {spread * (1.0 - n.x * n.x), spread * (1.0 - n.y * n.y),
                                spread * (1.0 - n.z * n.z), -spread * n.x * n.y, -spread * n.x * n.z,
                                -spread * n.y * n.z},
                     .depth = depth,
                     .height = 0.5 * depth};
}

// One body wholly inside the other: no part of a surface is better than another, the volume does not change, and no direction
// follows from it. It is pushed out by the shortest way, by a column as wide as the body on average and as long as that way:
// when the body begins to come out, that is its volume.
static bool FindContained(const hwConvex* a, hwPose poseA, const hwConvex* b, hwPose poseB,
                          const hwOverlap* overlap, hwPatch* out) {
    hwClosest closest = hwConvex_FindClosest(a, poseA, b, poseB, NULL);
    double depth = -closest.distance;
    if (!(depth > 0.0)) return false;
    hwVec3 n = closest.normal;
    double width = hwMin(GetWidth(a, poseA, n), GetWidth(b, poseB, n));
    FillColumn(overlap->volume, width, overlap->centroid, n, depth, out);
    return true;
}

static double GetSpan(const hwSolidPart* part, hwPose pose, hwVec3 n) {
    return hwSolidPart_GetSupport(part, pose, n) + hwSolidPart_GetSupport(part, pose, hwNeg(n));
}

void hwPatch_MakeColumn(const hwSolidPart* a, hwPose poseA, const hwSolidPart* b, hwPose poseB,
                        hwPatch* patch) {
    hwVec3 n = patch->normal;
    double volume = patch->volume, depth = patch->depth, width = depth, height = patch->height;
    if (hwSolidPart_IsRound(a) != hwSolidPart_IsRound(b)) {
        const hwSolidPart* round = hwSolidPart_IsRound(a) ? a : b;
        hwClosest closest = hwConvex_FindClosest(&a->convex, poseA, &b->convex, poseB, NULL);
        if (!(closest.distance < 0.0)) return;
        n = closest.normal;
        depth = -closest.distance;
        if (IsSphere(round)) {
            volume = GetRoundVolume(round);
            width = 2.0 * round->convex.radius;
        } else {
            width = hwMin(depth, hwMin(GetSpan(a, poseA, n), GetSpan(b, poseB, n)));
        }
        height = 0.5 * depth;
    }
    FillColumn(volume, width, patch->point, n, depth, patch);
    patch->height = height;
}

// `solid`: B pushes what is wholly inside it; the prism below a triangle does not.
static bool OverlapPolyhedra(const hwConvex* a, hwPose poseA, const hwConvex* b, hwPose poseB, bool solid,
                             hwPatchTools tools, hwPatch* out) {
    hwOverlap overlap;
    if (!hwConvex_FindOverlap(a, poseA, b, poseB, tools.scratch, tools.size, &overlap)) return false;
    if (!(overlap.volume > 0.0)) return false;
    if (!(overlap.area > 0.0)) return solid && FindContained(a, poseA, b, poseB, &overlap, out);
    out->volume = overlap.volume;
    out->point = overlap.centroid;
    out->normal = overlap.normal;
    out->area = overlap.area;
    // areaMoment is offset x areaVector
    out->offset = hwScale(1.0 / overlap.area, hwCross(out->normal, overlap.areaMoment));
    const double* m = overlap.plane;
    out->second = (hwSym3){m[0], m[1], m[2], m[3], m[4], m[5]};
    out->depth = overlap.depth;
    // of a body on a plane the centroid's depth, for that is where most of the volume is
    out->height = hwMin(overlap.ahead, overlap.depth - overlap.ahead);
    return true;
}

// Round parts --------------------------------------------------------------------------------------------------------------

// The face of a box or hull that looks most along `direction` (its own frame), and whether the ellipse with these second
// moments about `center` lies within it.
typedef struct Face {
    hwVec3 normal, point;
    int count;
    hwVec3 corners[4]; // of a box's
    const hwHull* hull;
    int index;
} Face;

static Face FindFace(const hwConvex* c, hwVec3 direction) {
    Face face = {0};
    if (c->kind == HW_CONVEX_BOX) {
        hwVec3 h = c->half, d = direction;
        double ax = fabs(d.x), ay = fabs(d.y), az = fabs(d.z), sign;
        hwVec3 u, v, w;
        if (ax >= ay && ax >= az) {
            sign = d.x < 0.0 ? -1.0 : 1.0;
            w = hwMakeVec3(sign * h.x, 0.0, 0.0), u = hwMakeVec3(0.0, h.y, 0.0),
            v = hwMakeVec3(0.0, 0.0, sign * h.z);
        } else if (ay >= az) {
            sign = d.y < 0.0 ? -1.0 : 1.0;
            w = hwMakeVec3(0.0, sign * h.y, 0.0), u = hwMakeVec3(0.0, 0.0, h.z),
            v = hwMakeVec3(sign * h.x, 0.0, 0.0);
        } else {
            sign = d.z < 0.0 ? -1.0 : 1.0;
            w = hwMakeVec3(0.0, 0.0, sign * h.z), u = hwMakeVec3(h.x, 0.0, 0.0),
            v = hwMakeVec3(0.0, sign * h.y, 0.0);
        }
        face.normal = hwNormalize(w);
        face.point = w;
        face.count = 4;
        face.corners[0] = hwSub(hwSub(w, u), v);
        face.corners[1] = hwSub(hwAdd(w, u), v);
        face.corners[2] = hwAdd(hwAdd(w, u), v);
        face.corners[3] = hwAdd(hwSub(w, u), v);
        return face;
    }
    const hwHull* hull = c->hull;
    double best = -2.0;
    for (int f = 0; f < hull->faceCount; ++f) {
        double x = hwDot(hull->planes[f].normal, direction);
        if (x > best) {
            best = x;
            face.index = f;
        }
    }
    face.hull = hull;
    face.normal = hull->planes[face.index].normal;
    face.count = hull->faceStart[face.index + 1] - hull->faceStart[face.index];
    face.point = hull->vertices[hull->faceVertices[hull->faceStart[face.index]]];
    return face;
}

static hwVec3 GetCorner(const Face* face, int k) {
    if (k == face->count) k = 0;
    if (face->hull == NULL) return face->corners[k];
    return face->hull->vertices[face->hull->faceVertices[face->hull->faceStart[face->index] + k]];
}

static bool FaceHolds(const Face* face, hwPose pose, const hwPatch* patch) {
    hwVec3 center = hwAdd(patch->point, patch->offset);
    if (!(patch->area > 0.0)) return false;
    for (int k = 0; k < face->count; ++k) {
        hwVec3 from = hwTransformPoint(pose, GetCorner(face, k)),
               to = hwTransformPoint(pose, GetCorner(face, k + 1));
        hwVec3 inward = hwNormalize(hwCross(hwNeg(patch->normal), hwSub(to, from)));
        double second = hwDot(inward, hwMulSym3(patch->second, inward)), o = hwDot(inward, patch->offset);
        double reach =
            2.0 * sqrt(hwMax(second / patch->area - o * o, 0.0)); // of an ellipse; more than a rectangle's
        if (hwDot(inward, hwSub(center, from)) < reach) return false;
    }
    return true;
}

static void FillDisc(hwPatch* out, hwVec3 normal, double halfA, double halfB, hwVec3 axisA) {
    hwVec3 axisB = hwCross(normal, axisA);
    out->second = (hwSym3){0};
    AddProduct(&out->second, 0.25 * out->area * halfA * halfA, axisA, axisA);
    AddProduct(&out->second, 0.25 * out->area * halfB * halfB, axisB, axisB);
    out->offset = hwVec3_zero;
}

// A sphere on what is flat there: a spherical cap.
static void FillCap(double radius, hwVec3 center, hwVec3 normal, double depth, hwPatch* out) {
    double d = hwMin(depth, 2.0 * radius), a2 = d * (2.0 * radius - d);
    out->volume = HW_PI * d * d * (radius - d / 3.0);
    out->area = HW_PI * hwMax(a2, radius * radius * 1e-12);
    double r2 = 2.0 * radius - d, out2 = 0.75 * r2 * r2 / (3.0 * radius - d);
    out->point = hwMulAdd(center, out2, normal);
    out->normal = normal;
    out->depth = depth;
    // of a ball that is wholly inside, the depth of its middle: the force stays, and the energy goes on with the way
    out->height = depth < 2.0 * radius ? d * (radius / 3.0 - d / 12.0) / (radius - d / 3.0) : depth - radius;
    double a = sqrt(hwMax(a2, 0.0));
    FillDisc(out, normal, a, a, hwPerpendicular(normal));
}

// Two curved surfaces whose gap grows as ka x^2 / 2 + kb y^2 / 2, x along `axis`: an elliptic paraboloid.
static void FillParaboloid(double ka, double kb, hwVec3 surface, hwVec3 normal, hwVec3 axis, double depth,
                           hwPatch* out) {
    double root = sqrt(ka * kb);
    out->volume = HW_PI * depth * depth / root;
    out->area = 2.0 * HW_PI * depth / root;
    out->point = hwMulAdd(surface, -0.5 * depth, normal);
    out->normal = normal;
    out->depth = depth;
    out->height = depth / 3.0;
    FillDisc(out, normal, sqrt(2.0 * depth / ka), sqrt(2.0 * depth / kb), axis);
}

// A sphere (A) on any other part. True curvature of spheres, capsules and cylinders, planes elsewhere.
static bool SphereOn(const hwSolidPart* a, hwPose poseA, const hwSolidPart* b, hwPose poseB, hwPatch* out) {
    double radius = a->convex.radius;
    hwVec3 local = hwInvTransformPoint(poseB, poseA.p), outward;
    double distance = hwConvex_Measure(&b->convex, local, &outward), depth = radius - distance;
    if (!(depth > 0.0)) return false;
    hwVec3 normal = hwNeg(hwRotate(poseB.q, outward));
    const hwConvex* c = &b->convex;
    double other = 0.0; // radius of curvature round B's axis
    bool both = false;  // and along it
    hwVec3 axis = hwPerpendicular(normal);
    if (c->kind == HW_CONVEX_POINT || c->kind == HW_CONVEX_SEGMENT) {
        other = c->radius;
        both = fabs(local.z) >= c->half.z;
    } else if (c->kind == HW_CONVEX_CYLINDER && outward.z == 0.0) {
        other = c->half.x;
    }
    if (!(other > 0.0)) {
        FillCap(radius, poseA.p, normal, depth, out);
        return true;
    }
    if (!both) axis = hwRotate(poseB.q, hwMakeVec3(0.0, 0.0, 1.0));
    double k = 1.0 / radius;
    hwVec3 surface = hwMulAdd(poseA.p, radius, normal);
    FillParaboloid(both ? k + 1.0 / other : k, k + 1.0 / other, surface, normal, axis, depth, out);
    return true;
}

static hwField MakeField(const hwSolidPart* part, hwPose pose) {
    hwField field = {.r = hwMat3FromQuat(pose.q), .p = pose.p, .convex = &part->convex};
    return field;
}

// A capsule (A) as a round line, with half a cap at each end.
static bool CapsuleOn(const hwSolidPart* a, hwPose poseA, hwField field, hwPatch* out) {
    double radius = a->convex.radius;
    hwVec3 half = hwRotate(poseA.q, hwMakeVec3(0.0, 0.0, a->convex.half.z));
    hwVec3 ends[2] = {hwSub(poseA.p, half), hwAdd(poseA.p, half)};
    hwLineOverlap line;
    if (!hwField_OverlapLine(&field, ends[0], ends[1], radius, &line)) return false;
    double length = 2.0 * a->convex.half.z;
    hwVec3 along = hwNormalize(half);
    *out = (hwPatch){.volume = line.volume, .area = line.area, .depth = line.depth};
    out->normal = hwNeg(line.normal);
    hwVec3 sum = hwScale(line.volume, line.point), middle = hwMulAdd(ends[0], line.areaAt * length, along);
    hwVec3 areaSum = hwScale(line.area, middle);
    double heights = line.volume * line.height;
    hwPatch caps[2];
    for (int e = 0; e < 2; ++e) {
        hwVec3 n;
        double depth = radius - hwField_Measure(&field, ends[e], &n);
        caps[e].volume = caps[e].area = 0.0;
        if (!(depth > 0.0)) continue;
        FillCap(radius, ends[e], hwNeg(n), depth, &caps[e]);
        caps[e].volume *= 0.5, caps[e].area *= 0.5;
        sum = hwMulAdd(sum, caps[e].volume, caps[e].point);
        areaSum = hwMulAdd(areaSum, caps[e].area, caps[e].point);
        out->volume += caps[e].volume;
        out->area += caps[e].area;
        heights += caps[e].volume * caps[e].height;
    }
    out->point = hwScale(1.0 / out->volume, sum);
    out->height = heights / out->volume;
    hwVec3 offset = hwSub(hwScale(1.0 / out->area, areaSum), out->point);
    out->offset = hwMulAdd(offset, -hwDot(offset, out->normal), out->normal);
    double wide = line.area / hwMax(length * 3.4 * line.areaSpread, line.depth); // mean width of the strip
    hwVec3 across = hwCross(out->normal, along), from = hwSub(middle, out->point);
    out->second = (hwSym3){0};
    AddProduct(&out->second, line.area * length * length * line.areaSpread * line.areaSpread, along, along);
    AddProduct(&out->second, line.area * wide * wide / 12.0, across, across);
    AddProduct(&out->second, line.area, from, from);
    for (int e = 0; e < 2; ++e) {
        if (!(caps[e].area > 0.0)) continue;
        hwVec3 arm = hwSub(caps[e].point, out->point);
        AddProduct(&out->second, caps[e].area, arm, arm);
    }
    return true;
}

// A capsule (A) wholly inside a box or hull, out by `closest`. The force stays what it was when the last of it entered, and the
// energy goes on with the way, as of a ball.
static bool CapsuleInside(const hwSolidPart* a, hwPose poseA, const hwSolidPart* b, hwPose poseB,
                          const hwClosest* closest, hwPatch* out) {
    double radius = a->convex.radius, depth = -closest->distance;
    hwVec3 half = hwRotate(poseA.q, hwMakeVec3(0.0, 0.0, a->convex.half.z)), n = closest->normal, outward;
    for (int e = 0; e < 2; ++e) {
        hwVec3 end = e == 0 ? hwSub(poseA.p, half) : hwAdd(poseA.p, half);
        if (hwConvex_Measure(&b->convex, hwInvTransformPoint(poseB, end), &outward) > -radius) return false;
    }
    double width = 2.0 * (fabs(hwDot(half, n)) + radius);
    double volume = GetRoundVolume(a), area = volume / width;
    double spread = area * area / 12.0;
    *out = (hwPatch){.volume = volume,
                     .point = poseA.p,
                     .normal = n,
                     .area = area,
                     .second = {spread * (1.0 - n.x * n.x), spread * (1.0 - n.y * n.y),
                                spread * (1.0 - n.z * n.z), -spread * n.x * n.y, -spread * n.x * n.z,
                                -spread * n.y * n.z},
                     .depth = depth,
                     .height = depth - 0.5 * width};
    return true;
}

// A round part (A) on a box or hull: exact where its area of contact lies within one face.
static bool RoundOnFaces(const hwSolidPart* a, hwPose poseA, const hwSolidPart* b, hwPose poseB,
                         hwPairCache* cache, hwPatchTools tools, hwPatch* out) {
    hwVec3 direction; // B's frame: from B to A
    if (IsSphere(a)) {
        hwVec3 local = hwInvTransformPoint(poseB, poseA.p);
        if (hwConvex_Measure(&b->convex, local, &direction) >= a->convex.radius) return false;
    } else {
        hwClosest closest = hwConvex_FindClosest(&a->convex, poseA, &b->convex, poseB, cache);
        if (!(closest.distance < 0.0)) return false;
        if (IsCapsule(a) && CapsuleInside(a, poseA, b, poseB, &closest, out)) return true;
        direction = hwInvRotate(poseB.q, hwNeg(closest.normal));
    }
    Face face = FindFace(&b->convex, direction);
    if (hwDot(face.normal, direction) > 0.99) {
        hwVec3 up = hwRotate(poseB.q, face.normal), at = hwTransformPoint(poseB, face.point);
        if (hwPatch_OnPlane(a, poseA, at, up, out) && FaceHolds(&face, poseB, out)) return true;
    }
    if (IsSphere(a)) return SphereOn(a, poseA, b, poseB, out);
    if (IsCapsule(a)) return CapsuleOn(a, poseA, MakeField(b, poseB), out);
    hwConvex prism = hwMakeHull(a->prism);
    return OverlapPolyhedra(&prism, poseA, &b->convex, poseB, true, tools, out);
}

static bool RoundOnRound(const hwSolidPart* a, hwPose poseA, const hwSolidPart* b, hwPose poseB,
                         hwPatchTools tools, bool* swapped, hwPatch* out) {
    *swapped = !IsSphere(a) && (IsSphere(b) || (!IsCapsule(a) && IsCapsule(b)));
    if (*swapped) {
        const hwSolidPart* part = a;
        hwPose pose = poseA;
        a = b, poseA = poseB;
        b = part, poseB = pose;
    }
    if (IsSphere(a)) return SphereOn(a, poseA, b, poseB, out);
    if (IsCapsule(a)) return CapsuleOn(a, poseA, MakeField(b, poseB), out);
    hwConvex prismA = hwMakeHull(a->prism), prismB = hwMakeHull(b->prism);
    return OverlapPolyhedra(&prismA, poseA, &prismB, poseB, true, tools, out);
}

bool hwPatch_Between(const hwSolidPart* a, hwPose poseA, const hwSolidPart* b, hwPose poseB,
                     hwPairCache* cache, hwPatchTools tools, hwPatch* out) {
    bool swapped = false, found;
    double far = a->reach + b->reach;
    hwVec3 between = hwSub(poseA.p, poseB.p);
    if (hwDot(between, between) >= far * far) return false;
    if (IsPolyhedron(a) && IsPolyhedron(b)) {
        found = OverlapPolyhedra(&a->convex, poseA, &b->convex, poseB, true, tools, out);
    } else if (IsPolyhedron(b)) {
        found = RoundOnFaces(a, poseA, b, poseB, cache, tools, out);
    } else if (IsPolyhedron(a)) {
        swapped = true;
        found = RoundOnFaces(b, poseB, a, poseA, cache, tools, out);
    } else {
        found = RoundOnRound(a, poseA, b, poseB, tools, &swapped, out);
    }
    if (found && swapped) out->normal = hwNeg(out->normal);
    return found;
}

// Triangles ----------------------------------------------------------------------------------------------------------------

// The prism below a triangle as a hull in the caller's storage.
typedef struct Prism {
    hwHull hull;
    hwVec3 vertices[6];
    hwPlane planes[5];
} Prism;

static void MakePrism(Prism* prism, const hwVec3 c[3], hwVec3 down, double thickness) {
    static const int start[6] = {0, 3, 6, 10, 14, 18};
    static const int ring[18] = {0, 1, 2, 5, 4, 3, 0, 3, 4, 1, 1, 4, 5, 2, 2, 5, 3, 0};
    static const int neighborStart[7] = {0, 3, 6, 9, 12, 15, 18};
    static const int neighbors[18] = {1, 2, 3, 0, 2, 4, 0, 1, 5, 0, 4, 5, 1, 3, 5, 2, 3, 4};
    hwVec3 n = hwNormalize(hwCross(hwSub(c[1], c[0]), hwSub(c[2], c[0])));
    hwVec3 mean = hwVec3_zero;
    hwBox box = hwBox_Empty();
    double radius = 0.0;
    for (int k = 0; k < 6; ++k) {
        prism->vertices[k] = k < 3 ? c[k] : hwMulAdd(c[k - 3], thickness, down);
        mean = hwMulAdd(mean, 1.0 / 6.0, prism->vertices[k]);
        box = hwBox_AddPoint(box, prism->vertices[k]);
        radius = hwMax(radius, hwLength(prism->vertices[k]));
    }
    prism->planes[0] = (hwPlane){n, hwDot(n, c[0])};
    prism->planes[1] = (hwPlane){hwNeg(n), -thickness * hwDot(n, down) - hwDot(n, c[0])};
    for (int k = 0; k < 3; ++k) {
        hwVec3 side = hwNormalize(hwCross(down, hwSub(c[(k + 1) % 3], c[k])));
        prism->planes[2 + k] = (hwPlane){side, hwDot(side, c[k])};
    }
    prism->hull = (hwHull){.vertexCount = 6,
                           .vertices = prism->vertices,
                           .faceCount = 5,
                           .planes = prism->planes,
                           .faceStart = start,
                           .faceVertices = ring,
                           .neighborStart = neighborStart,
                           .neighbors = neighbors,
                           .centroid = mean,
                           .radius = radius,
                           .bounds = box};
}

bool hwPatch_OnTriangle(const hwSolidPart* a, hwPose poseA, const hwVec3 corner[3], hwVec3 down,
                        double thickness, hwPatchTools tools, hwPatch* out) {
    hwVec3 up = hwNormalize(hwCross(hwSub(corner[1], corner[0]), hwSub(corner[2], corner[0])));
    double height = hwDot(up, hwSub(poseA.p, corner[0])) - hwSolidPart_GetSupport(a, poseA, hwNeg(up));
    if (!(height < 0.0) || height < -thickness) return false;
    Prism prism;
    MakePrism(&prism, corner, down, thickness);
    hwConvex below = hwMakeHull(&prism.hull), body = a->prism != NULL ? hwMakeHull(a->prism) : a->convex;
    if (!OverlapPolyhedra(&body, poseA, &below, hwPose_identity, false, tools, out)) return false;
    // the prism's sides are no surfaces: its top alone pushes
    out->normal = hwNeg(up);
    out->offset = hwMulAdd(out->offset, -hwDot(out->offset, up), up);
    return true;
}

bool hwPatch_OnTriangles(const hwSolidPart* a, hwPose poseA, int count, const hwVec3 (*triangles)[3],
                         hwPatch* out) {
    if (count == 0) return false;
    hwField field = {.r = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}},
                     .triangleCount = count,
                     .triangles = triangles};
    if (IsCapsule(a)) return CapsuleOn(a, poseA, field, out);
    hwVec3 outward;
    double depth = a->convex.radius - hwField_Measure(&field, poseA.p, &outward);
    if (!(depth > 0.0)) return false;
    FillCap(a->convex.radius, poseA.p, hwNeg(outward), depth, out);
    return true;
}

void hwPatch_GetMatrix(const hwPatch* patch, hwSpatialSym* out) {
    hwVec3 n = patch->normal, m = hwCross(patch->offset, n);
    double a = patch->area;
    out->ll =
        (hwSym3){a * n.x * n.x, a * n.y * n.y, a * n.z * n.z, a * n.x * n.y, a * n.x * n.z, a * n.y * n.z};
    out->la = (hwMat3){hwScale(a * m.x, n), hwScale(a * m.y, n), hwScale(a * m.z, n)};
    // (y x n)(y x n)^T = [n]x y y^T [n]x^T
    out->aa = hwRotateSym3(hwSkew(n), patch->second);
}
