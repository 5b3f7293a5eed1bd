// How much of a shape lies below a plane: exact for every shape at every attitude.
//
// In the shape's own frame the plane is n . x = d and the wet part is n . x < d. Vertices exactly on the plane count as
// dry, so a cut through vertices, edges or faces needs no case of its own: a face that coincides with the plane from
// below gives the whole face as cut, from above nothing.
#include "geom/shape_data.h"

#include "base/error.h"
#include "geom/box.h"
#include "geom/round_cut.h"

// Below this a volume or an area has too few bits left for a quotient.
#define TINY 1e-290

typedef struct Plane {
    hwVec3 normal; // unit, out of the water
    double offset; // n . x on the plane
    hwVec3 u, v;   // axes of the cut's moments
} Plane;

// Sums over a clipped surface about `origin`, a point of the cut. The lid of the wet part lies in the plane, so seen
// from there it spans no volume and needs no triangles.
typedef struct Sums {
    hwVec3 origin;
    double volume;     // times 6
    hwVec3 moment;     // first moment of the volume, times 24
    double area;       // times 2
    double x, y;       // first moments of the cut, times 6
    double xx, yy, xy; // second moments, times 12, 12, 24
} Sums;

static inline void AddTetrahedron(Sums* sums, hwVec3 a, hwVec3 b, hwVec3 c) {
    double det = hwDot(a, hwCross(b, c));
    sums->volume += det;
    sums->moment = hwMulAdd(sums->moment, det, hwAdd(a, hwAdd(b, c)));
}

// Green's theorem: integrals over the cut from its directed edge p -> q.
static inline void AddCutEdge(Sums* sums, const Plane* plane, hwVec3 p, hwVec3 q) {
    double px = hwDot(p, plane->u), py = hwDot(p, plane->v);
    double qx = hwDot(q, plane->u), qy = hwDot(q, plane->v);
    double cross = px * qy - qx * py;
    sums->area += cross;
    sums->x += cross * (px + qx);
    sums->y += cross * (py + qy);
    sums->xx += cross * (px * px + px * qx + qx * qx);
    sums->yy += cross * (py * py + py * qy + qy * qy);
    sums->xy += cross * (px * (2.0 * py + qy) + qx * (py + 2.0 * qy));
}

// Where the edge from a wet to a dry vertex meets the plane. Both triangles of an edge get the same bits.
static inline hwVec3 CutEdge(hwVec3 wet, double wetHeight, hwVec3 dry, double dryHeight) {
    return hwMulAdd(wet, wetHeight / (wetHeight - dryHeight), hwSub(dry, wet));
}

// One triangle with the heights of its corners above the plane.
static inline void AddTriangle(Sums* sums, const Plane* plane, hwVec3 a, hwVec3 b, hwVec3 c, double ha,
                               double hb, double hc) {
    int wet = (ha < 0.0) + (hb < 0.0) + (hc < 0.0);
    if (wet == 0) return;
    a = hwSub(a, sums->origin);
    b = hwSub(b, sums->origin);
    c = hwSub(c, sums->origin);
    if (wet == 3) {
        AddTetrahedron(sums, a, b, c);
        return;
    }
    // Turn the corners until a is the odd one out.
    bool odd = wet == 1;
    if ((hb < 0.0) == odd) {
        hwVec3 v = a;
        double h = ha;
        a = b, b = c, c = v;
        ha = hb, hb = hc, hc = h;
    } else if ((hc < 0.0) == odd) {
        hwVec3 v = a;
        double h = ha;
        a = c, c = b, b = v;
        ha = hc, hc = hb, hb = h;
    }
    if (odd) {
        hwVec3 p = CutEdge(a, ha, b, hb), q = CutEdge(a, ha, c, hc);
        AddTetrahedron(sums, a, p, q);
        AddCutEdge(sums, plane, q, p);
    } else {
        hwVec3 p = CutEdge(c, hc, a, ha), q = CutEdge(b, hb, a, ha);
        AddTetrahedron(sums, b, c, p);
        AddTetrahedron(sums, b, p, q);
        AddCutEdge(sums, plane, q, p);
    }
}

// In the shape's frame.
static hwSubmergence FinishSums(const Sums* sums, const Plane* plane) {
    hwSubmergence out = {0};
    if (sums->volume > TINY) {
        out.volume = sums->volume / 6.0;
        out.centroid = hwMulAdd(sums->origin, 0.25 / sums->volume, sums->moment);
    }
    if (sums->area > TINY) {
        out.area = 0.5 * sums->area;
        double x = sums->x / (3.0 * sums->area), y = sums->y / (3.0 * sums->area);
        out.cutCentroid = hwMulAdd(hwMulAdd(sums->origin, x, plane->u), y, plane->v);
        out.cutMoment[0] = hwMax(0.0, sums->xx / 12.0 - out.area * x * x);
        out.cutMoment[1] = hwMax(0.0, sums->yy / 12.0 - out.area * y * y);
        out.cutMoment[2] = sums->xy / 24.0 - out.area * x * y;
    }
    return out;
}

static hwSubmergence SubmergeMesh(const hwMeshData* mesh, const Plane* plane) {
    const hwVec3* v = mesh->vertices;
    Sums sums = {.origin = v[0]}; // serves when nothing is cut
    for (int i = 0; i < mesh->triangleCount; ++i) {
        const int* t = mesh->triangles[i];
        double h[3];
        for (int k = 0; k < 3; ++k) h[k] = hwDot(plane->normal, v[t[k]]) - plane->offset;
        int wetCorners = (h[0] < 0.0) + (h[1] < 0.0) + (h[2] < 0.0);
        if (wetCorners == 0 || wetCorners == 3) continue;
        int wet = h[0] < 0.0 ? 0 : h[1] < 0.0 ? 1 : 2, dry = h[0] >= 0.0 ? 0 : h[1] >= 0.0 ? 1 : 2;
        sums.origin = CutEdge(v[t[wet]], h[wet], v[t[dry]], h[dry]);
        break;
    }
    for (int i = 0; i < mesh->triangleCount; ++i) {
        const int* t = mesh->triangles[i];
        hwVec3 a = v[t[0]], b = v[t[1]], c = v[t[2]];
        AddTriangle(&sums, plane, a, b, c, hwDot(plane->normal, a) - plane->offset,
                    hwDot(plane->normal, b) - plane->offset, hwDot(plane->normal, c) - plane->offset);
    }
    return FinishSums(&sums, plane);
}

// Corner i has x, y, z positive where bits 0, 1, 2 of i are set. Faces across x, y, z, each counter-clockwise from
// outside.
static const int boxFaces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                   {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

typedef struct BoxCorner {
    double x[3]; // from the origin of the sums
    double height;
} BoxCorner;

// The wet part of a face across axis i: a polygon in the coordinates j, k. Its pyramid from the origin has a third of
// distance times area as volume, and its centroid at three quarters of the way to the polygon's.
static void AddBoxFace(Sums* sums, double total[3], const Plane* plane, const BoxCorner* corners, int face) {
    const int i = face / 2, j = (i + 1) % 3, k = (i + 2) % 3;
    const int* ring = boxFaces[face];
    double entry[3] = {0.0}, leave[3] = {0.0}, area = 0.0, moment[2] = {0.0, 0.0};
    bool isCut = false;
    const BoxCorner* a = &corners[ring[3]];
    for (int corner = 0; corner < 4; ++corner) {
        const BoxCorner* b = &corners[ring[corner]];
        if (a->height < 0.0 || b->height < 0.0) {
            const double *p = a->x, *q = b->x;
            if ((a->height < 0.0) != (b->height < 0.0)) {
                isCut = true;
                const BoxCorner *wet = a->height < 0.0 ? a : b, *dry = a->height < 0.0 ? b : a;
                double* at = wet == a ? leave : entry;
                double share = wet->height / (wet->height - dry->height);
                for (int axis = 0; axis < 3; ++axis)
                    at[axis] = wet->x[axis] + share * (dry->x[axis] - wet->x[axis]);
                if (wet == a) {
                    q = leave;
                } else {
                    p = entry;
                }
            }
            double cross = p[j] * q[k] - p[k] * q[j];
            area += cross;
            moment[0] += cross * (p[j] + q[j]);
            moment[1] += cross * (p[k] + q[k]);
        }
        a = b;
    }
    if (isCut) {
        double cross = leave[j] * entry[k] - leave[k] * entry[j];
        area += cross;
        moment[0] += cross * (leave[j] + entry[j]);
        moment[1] += cross * (leave[k] + entry[k]);
        AddCutEdge(sums, plane, hwMakeVec3(entry[0], entry[1], entry[2]),
                   hwMakeVec3(leave[0], leave[1], leave[2]));
    }
    // The ring runs counter-clockwise from outside; in (j, k) that is the sign of the outward normal along i.
    double distance = corners[ring[0]].x[i];
    sums->volume += distance * area;
    total[i] += 3.0 * distance * distance * area;
    total[j] += distance * moment[0];
    total[k] += distance * moment[1];
}

static hwSubmergence SubmergeBox(hwVec3 size, const Plane* plane) {
    hwVec3 h = hwScale(0.5, size), n = plane->normal;
    double reach = fabs(n.x) * h.x + fabs(n.y) * h.y + fabs(n.z) * h.z;
    if (plane->offset <= -reach) return (hwSubmergence){0};
    if (plane->offset >= reach) return (hwSubmergence){.volume = size.x * size.y * size.z};
    BoxCorner corners[8];
    for (int i = 0; i < 8; ++i) {
        double x = i & 1 ? h.x : -h.x, y = i & 2 ? h.y : -h.y, z = i & 4 ? h.z : -h.z;
        corners[i] = (BoxCorner){{x, y, z}, n.x * x + n.y * y + n.z * z - plane->offset};
    }
    // The lowest corner is wet; walk up to the first dry one for the origin.
    int wet = (n.x < 0.0 ? 1 : 0) | (n.y < 0.0 ? 2 : 0) | (n.z < 0.0 ? 4 : 0), dry = wet;
    for (int bit = 1; bit < 8 && corners[dry].height < 0.0; bit <<= 1) {
        wet = dry;
        dry ^= bit;
    }
    const BoxCorner *a = &corners[wet], *b = &corners[dry];
    Sums sums = {.origin = {a->x[0], a->x[1], a->x[2]}};
    if (a->height < 0.0 && b->height >= 0.0) {
        sums.origin = CutEdge(sums.origin, a->height, hwMakeVec3(b->x[0], b->x[1], b->x[2]), b->height);
    }
    for (int i = 0; i < 8; ++i) {
        corners[i].x[0] -= sums.origin.x;
        corners[i].x[1] -= sums.origin.y;
        corners[i].x[2] -= sums.origin.z;
    }
    double total[3] = {0.0};
    for (int face = 0; face < 6; ++face) AddBoxFace(&sums, total, plane, corners, face);
    sums.moment = hwMakeVec3(total[0], total[1], total[2]);
    return FinishSums(&sums, plane);
}

// Shapes of revolution are cut in the plane of their axis z and the normal: n = sine x + cosine z with cosine >= 0,
// turning z round when it must be.
static hwSubmergence SubmergeRound(const hwShapeDef* shape, const Plane* plane) {
    hwVec3 n = plane->normal;
    double sine = sqrt(n.x * n.x + n.y * n.y), cosine = fabs(n.z);
    hwRoundCut cut = shape->kind == HW_SHAPE_CYLINDER
                         ? hwCutCylinder(shape->radius, shape->length, cosine, sine, plane->offset)
                         : hwCutCapsule(shape->radius, shape->length, cosine, sine, plane->offset);
    hwVec3 z = hwMakeVec3(0.0, 0.0, n.z < 0.0 ? -1.0 : 1.0);
    hwVec3 x = sine > 0.0 ? hwMakeVec3(n.x / sine, n.y / sine, 0.0) : hwMakeVec3(1.0, 0.0, 0.0);
    hwVec3 y = hwCross(z, x);
    hwVec3 slope = hwMulAdd(hwScale(cosine, x), -sine, z);
    hwSubmergence out = {0};
    if (cut.volume > TINY) {
        out.volume = cut.volume;
        out.centroid = hwMulAdd(hwScale(cut.across / cut.volume, x), cut.along / cut.volume, z);
    }
    if (cut.piece.area > TINY) {
        out.area = cut.piece.area;
        out.cutCentroid = hwMulAdd(hwScale(plane->offset, n), cut.piece.center, slope);
        double su = hwDot(slope, plane->u), sv = hwDot(slope, plane->v), yu = hwDot(y, plane->u),
               yv = hwDot(y, plane->v);
        double ww = cut.piece.slopeMoment, yy = cut.piece.levelMoment;
        out.cutMoment[0] = ww * su * su + yy * yu * yu;
        out.cutMoment[1] = ww * sv * sv + yy * yv * yv;
        out.cutMoment[2] = ww * su * sv + yy * yu * yv;
    }
    return out;
}

// A sphere needs no axes. The wet cap has height h: V = pi/3 h^2 (3R - h), first moment about the centre -pi/4 r^4 n.
static hwSubmergence SubmergeSphere(double radius, hwVec3 center, double offset, hwVec3 normal) {
    hwSubmergence out = {0};
    double height = radius + offset;
    if (height >= 2.0 * radius) {
        out.volume = 4.0 / 3.0 * HW_PI * radius * radius * radius;
        out.centroid = center;
    } else if (height > 0.0) {
        double square = height * (2.0 * radius - height), quarter = 0.25 * HW_PI * square * square;
        double volume = HW_PI / 3.0 * height * height * (3.0 * radius - height);
        if (!(volume > TINY)) return out;
        out.volume = volume;
        out.centroid = hwMulAdd(center, -quarter / volume, normal);
        out.area = HW_PI * square;
        out.cutCentroid = hwMulAdd(center, offset, normal);
        out.cutMoment[0] = quarter;
        out.cutMoment[1] = quarter;
    }
    return out;
}

hwSubmergence hwShape_Submerge(const hwShapeDef* shape, hwPose pose, hwVec3 point, hwVec3 normal) {
    if (shape->kind == HW_SHAPE_SPHERE) {
        hwVec3 center = hwTransformPoint(pose, shape->pose.p);
        return SubmergeSphere(shape->radius, center, hwDot(normal, hwSub(point, center)), normal);
    }
    pose = hwMulPose(pose, shape->pose);
    hwMat3 r = hwMat3FromQuat(pose.q);
    hwVec3 u = hwPerpendicular(normal), v = hwCross(normal, u);
    Plane plane = {hwMulTV(r, normal), hwDot(normal, hwSub(point, pose.p)), hwMulTV(r, u), hwMulTV(r, v)};
    hwSubmergence out = {0};
    switch (shape->kind) {
    case HW_SHAPE_BOX:
        out = SubmergeBox(shape->size, &plane);
        break;
    case HW_SHAPE_SPHERE:
    case HW_SHAPE_CYLINDER:
    case HW_SHAPE_CAPSULE:
        out = SubmergeRound(shape, &plane);
        break;
    case HW_SHAPE_HULL:
    case HW_SHAPE_MESH:
        out = SubmergeMesh(&shape->mesh, &plane);
        break;
    }
    if (out.volume > 0.0) out.centroid = hwAdd(pose.p, hwMulMV(r, out.centroid));
    if (out.area > 0.0) out.cutCentroid = hwAdd(pose.p, hwMulMV(r, out.cutCentroid));
    return out;
}

void hwSubmergence_Add(hwSubmergence* sum, const hwSubmergence* part, hwVec3 normal) {
    double volume = sum->volume + part->volume;
    if (volume > 0.0) {
        double share = part->volume / volume;
        sum->centroid = hwMulAdd(sum->centroid, share, hwSub(part->centroid, sum->centroid));
        sum->volume = volume;
    }
    double area = sum->area + part->area;
    if (area > 0.0) {
        double share = part->area / area;
        hwVec3 apart = hwSub(part->cutCentroid, sum->cutCentroid), u = hwPerpendicular(normal);
        double x = hwDot(apart, u), y = hwDot(apart, hwCross(normal, u));
        double reduced = sum->area * share; // parallel axes, of the two about their common centroid
        sum->cutMoment[0] += part->cutMoment[0] + reduced * x * x;
        sum->cutMoment[1] += part->cutMoment[1] + reduced * y * y;
        sum->cutMoment[2] += part->cutMoment[2] + reduced * x * y;
        sum->cutCentroid = hwMulAdd(sum->cutCentroid, share, apart);
        sum->area = area;
    }
}

hwStatus hwShape_ComputeSubmergence(const hwShapeDef* shape, hwPose pose, hwVec3 point, hwVec3 normal,
                                    hwSubmergence* out, hwError* error) {
    hwStatus status = hwShape_Check(shape, -1, error);
    if (status != HW_OK) return status;
    double length = hwLength(normal);
    if (!(fabs(length - 1.0) < 1e-6) || !hwIsFiniteVec3(point)) {
        hwFail(error, HW_ERROR_ARGUMENT, NULL,
               "the plane's point is not finite or its normal, %g long, not a unit vector", length);
        hwFail_Hint(error, "use hwNormalize on the normal");
        return HW_ERROR_ARGUMENT;
    }
    double turn = pose.q.w * pose.q.w + pose.q.x * pose.q.x + pose.q.y * pose.q.y + pose.q.z * pose.q.z;
    if (!hwIsFiniteVec3(pose.p) || !(fabs(turn - 1.0) < 1e-6)) {
        hwFail(error, HW_ERROR_ARGUMENT, NULL,
               "the pose is not finite or its quaternion is not of unit length");
        hwFail_Hint(error, "use hwPose_identity, or normalize the quaternion");
        return HW_ERROR_ARGUMENT;
    }
    hwShapeDef unit = *shape;
    unit.pose.q = hwNormalizeQuat(shape->pose.q);
    pose.q = hwNormalizeQuat(pose.q);
    *out = hwShape_Submerge(&unit, pose, point, hwNormalize(normal));
    return HW_OK;
}
