#include "geom/shape_data.h"

#include "base/error.h"
#include "geom/box.h"
#include "geom/mesh_check.h"
#include "geom/moments.h"

#include <stdio.h>

hwShapeDef hwDefaultShapeDef(void) {
    hwShapeDef shape = {
        .kind = HW_SHAPE_BOX,
        .size = {1.0, 1.0, 1.0},
        .radius = 0.5,
        .length = 1.0,
        .pose = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}},
        .filter = {1, HW_FILTER_ALL},
        .cookie = HW_SHAPE_COOKIE,
    };
    return shape;
}

static const char* GetKindText(hwShapeKind kind) {
    switch (kind) {
    case HW_SHAPE_BOX:
        return "box";
    case HW_SHAPE_SPHERE:
        return "sphere";
    case HW_SHAPE_CYLINDER:
        return "cylinder";
    case HW_SHAPE_CAPSULE:
        return "capsule";
    case HW_SHAPE_HULL:
        return "hull";
    case HW_SHAPE_MESH:
        return "mesh";
    }
    return "shape of unknown kind";
}

static hwStatus CheckSize(double value, const char* field, const char* what, hwError* error) {
    // Cubes of sizes must neither overflow nor vanish.
    if (value >= 1e-60 && value <= 1e60) return HW_OK;
    hwFailField(error, HW_ERROR_ARGUMENT, NULL, field, "%s: %s is %g m, but must be positive and finite",
                what, field, value);
    hwFail_Hint(error, "sizes are full lengths and radii in metres");
    return HW_ERROR_ARGUMENT;
}

static void DescribeShape(const hwShapeDef* shape, int index, char text[64]) {
    if (index >= 0) {
        snprintf(text, 64, "shape %d (%s)", index, GetKindText(shape->kind));
    } else {
        snprintf(text, 64, "the %s", GetKindText(shape->kind));
    }
}

hwStatus hwShape_CheckCookie(const hwShapeDef* shape, int index, hwError* error) {
    if (shape->cookie == HW_SHAPE_COOKIE) return HW_OK;
    char what[64];
    DescribeShape(shape, index, what);
    hwFail(error, HW_ERROR_ARGUMENT, NULL, "%s was not started from hwDefaultShapeDef()", what);
    hwFail_Hint(error, "write hwShapeDef shape = hwDefaultShapeDef(); and then set fields");
    return HW_ERROR_ARGUMENT;
}

hwStatus hwShape_Check(const hwShapeDef* shape, int index, hwError* error) {
    if (shape == NULL) return hwFail(error, HW_ERROR_ARGUMENT, NULL, "no shape was given");
    hwStatus cookie = hwShape_CheckCookie(shape, index, error);
    if (cookie != HW_OK) return cookie;
    char what[64];
    DescribeShape(shape, index, what);
    hwQuat q = shape->pose.q;
    double norm = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (!hwIsFiniteVec3(shape->pose.p) || !(fabs(norm - 1.0) < 1e-6)) {
        hwFailField(error, HW_ERROR_ARGUMENT, NULL, "pose",
                    "%s: its pose is not finite or its quaternion is not of unit length", what);
        hwFail_Hint(error, "use hwPose_identity, or normalize the quaternion");
        return HW_ERROR_ARGUMENT;
    }
    hwStatus status = HW_OK;
    switch (shape->kind) {
    case HW_SHAPE_BOX:
        status = CheckSize(shape->size.x, "size.x", what, error);
        if (status == HW_OK) status = CheckSize(shape->size.y, "size.y", what, error);
        if (status == HW_OK) status = CheckSize(shape->size.z, "size.z", what, error);
        return status;
    case HW_SHAPE_SPHERE:
        return CheckSize(shape->radius, "radius", what, error);
    case HW_SHAPE_CYLINDER:
    case HW_SHAPE_CAPSULE:
        status = CheckSize(shape->radius, "radius", what, error);
        if (status == HW_OK) status = CheckSize(shape->length, "length", what, error);
        return status;
    case HW_SHAPE_HULL:
    case HW_SHAPE_MESH:
        status = hwMesh_CheckTriangles(&shape->mesh, what, error);
        if (status == HW_OK) status = hwMesh_CheckClosed(&shape->mesh, what, error);
        if (status == HW_OK && shape->kind == HW_SHAPE_HULL)
            status = hwMesh_CheckConvex(&shape->mesh, what, error);
        if (status == HW_OK && shape->kind == HW_SHAPE_MESH)
            status = hwCheckArray(shape->partCount, shape->parts, NULL, "parts", error);
        for (int i = 0; i < shape->partCount && shape->kind == HW_SHAPE_MESH && status == HW_OK; ++i) {
            char part[96];
            snprintf(part, sizeof(part), "%s, part %d", what, i);
            status = hwMesh_CheckTriangles(&shape->parts[i], part, error);
            if (status == HW_OK) status = hwMesh_CheckClosed(&shape->parts[i], part, error);
            if (status == HW_OK) status = hwMesh_CheckConvex(&shape->parts[i], part, error);
        }
        return status;
    }
    hwFailField(error, HW_ERROR_ARGUMENT, NULL, "kind", "%s: kind %d does not exist", what, (int)shape->kind);
    hwFail_Hint(error, "use one of the HW_SHAPE_ enumerators");
    return HW_ERROR_ARGUMENT;
}

// Second moments of volume about the centroid, xx yy zz xy xz yz, to the tensor of inertia.
static void InertiaFromMoments(const double m[6], double inertia[6]) {
    inertia[0] = m[1] + m[2];
    inertia[1] = m[0] + m[2];
    inertia[2] = m[0] + m[1];
    inertia[3] = -m[3];
    inertia[4] = -m[4];
    inertia[5] = -m[5];
}

static hwMassProperties MeshMassProperties(const hwMeshData* mesh) {
    hwVec3 origin;
    double rounding;
    hwMoments m = hwMesh_ComputeMoments(mesh, &origin, &rounding);
    hwMoments_Finish(&m);
    hwMassProperties out = {.volume = m.volume, .centroid = hwAdd(origin, m.first)};
    InertiaFromMoments(m.second, out.inertia);
    return out;
}

// In the shape's own frame.
static hwMassProperties OwnMassProperties(const hwShapeDef* shape) {
    hwMassProperties out = {0};
    double m[6] = {0.0};
    double r = shape->radius, r2 = r * r, l = shape->length;
    switch (shape->kind) {
    case HW_SHAPE_BOX: {
        hwVec3 s = shape->size;
        out.volume = s.x * s.y * s.z;
        m[0] = out.volume * s.x * s.x / 12.0;
        m[1] = out.volume * s.y * s.y / 12.0;
        m[2] = out.volume * s.z * s.z / 12.0;
        break;
    }
    case HW_SHAPE_SPHERE:
        out.volume = 4.0 / 3.0 * HW_PI * r2 * r;
        m[0] = m[1] = m[2] = out.volume * r2 / 5.0;
        break;
    case HW_SHAPE_CYLINDER:
        out.volume = HW_PI * r2 * l;
        m[0] = m[1] = out.volume * r2 / 4.0;
        m[2] = out.volume * l * l / 12.0;
        break;
    case HW_SHAPE_CAPSULE: {
        // Two half spheres, each with its centroid 3/8 r beyond the end of the straight part.
        double tube = HW_PI * r2 * l, ball = 4.0 / 3.0 * HW_PI * r2 * r;
        out.volume = tube + ball;
        m[0] = m[1] = tube * r2 / 4.0 + ball * r2 / 5.0;
        m[2] = tube * l * l / 12.0 + ball * (r2 / 5.0 + 0.375 * r * l + 0.25 * l * l);
        break;
    }
    case HW_SHAPE_HULL:
    case HW_SHAPE_MESH:
        return MeshMassProperties(&shape->mesh);
    }
    InertiaFromMoments(m, out.inertia);
    return out;
}

hwMassProperties hwShape_GetMassProperties(const hwShapeDef* shape) {
    hwMassProperties out = OwnMassProperties(shape);
    hwPose pose = {shape->pose.p, hwNormalizeQuat(shape->pose.q)};
    out.centroid = hwTransformPoint(pose, out.centroid);
    // R I RT
    const double* i = out.inertia;
    hwMat3 tensor = {{i[0], i[3], i[4]}, {i[3], i[1], i[5]}, {i[4], i[5], i[2]}};
    hwMat3 r = hwMat3FromQuat(pose.q);
    hwMat3 turned = hwMulMM(hwMulMM(r, tensor), hwTransposeMat3(r));
    out.inertia[0] = turned.cx.x;
    out.inertia[1] = turned.cy.y;
    out.inertia[2] = turned.cz.z;
    out.inertia[3] = 0.5 * (turned.cx.y + turned.cy.x);
    out.inertia[4] = 0.5 * (turned.cx.z + turned.cz.x);
    out.inertia[5] = 0.5 * (turned.cy.z + turned.cz.y);
    return out;
}

hwStatus hwShape_ComputeMassProperties(const hwShapeDef* shape, hwMassProperties* out, hwError* error) {
    hwStatus status = hwShape_Check(shape, -1, error);
    if (status == HW_OK) *out = hwShape_GetMassProperties(shape);
    return status;
}

void hwShape_GetBounds(const hwShapeDef* shape, hwPose pose, hwVec3* low, hwVec3* high) {
    pose = hwMulPose(pose, shape->pose);
    hwMat3 r = hwMat3FromQuat(hwNormalizeQuat(pose.q));
    hwVec3 h = hwVec3_zero;
    double half = 0.5 * shape->length;
    switch (shape->kind) {
    case HW_SHAPE_BOX: {
        hwVec3 s = hwScale(0.5, shape->size);
        h = hwMakeVec3(fabs(r.cx.x) * s.x + fabs(r.cy.x) * s.y + fabs(r.cz.x) * s.z,
                       fabs(r.cx.y) * s.x + fabs(r.cy.y) * s.y + fabs(r.cz.y) * s.z,
                       fabs(r.cx.z) * s.x + fabs(r.cy.z) * s.y + fabs(r.cz.z) * s.z);
        break;
    }
    case HW_SHAPE_SPHERE:
        h = hwMakeVec3(shape->radius, shape->radius, shape->radius);
        break;
    case HW_SHAPE_CYLINDER:
        // Half width of a disc across the unit vector z, along x: R sqrt(1 - z_x^2).
        h = hwMakeVec3(fabs(r.cz.x) * half + shape->radius * sqrt(hwMax(0.0, 1.0 - r.cz.x * r.cz.x)),
                       fabs(r.cz.y) * half + shape->radius * sqrt(hwMax(0.0, 1.0 - r.cz.y * r.cz.y)),
                       fabs(r.cz.z) * half + shape->radius * sqrt(hwMax(0.0, 1.0 - r.cz.z * r.cz.z)));
        break;
    case HW_SHAPE_CAPSULE:
        h = hwMakeVec3(fabs(r.cz.x) * half + shape->radius, fabs(r.cz.y) * half + shape->radius,
                       fabs(r.cz.z) * half + shape->radius);
        break;
    case HW_SHAPE_HULL:
    case HW_SHAPE_MESH: {
        hwVec3 a = hwMakeVec3(HUGE_VAL, HUGE_VAL, HUGE_VAL), b = hwNeg(a);
        for (int i = 0; i < shape->mesh.vertexCount; ++i) {
            hwVec3 v = hwMulMV(r, shape->mesh.vertices[i]);
            a = hwMakeVec3(hwMin(a.x, v.x), hwMin(a.y, v.y), hwMin(a.z, v.z));
            b = hwMakeVec3(hwMax(b.x, v.x), hwMax(b.y, v.y), hwMax(b.z, v.z));
        }
        *low = hwAdd(pose.p, a);
        *high = hwAdd(pose.p, b);
        return;
    }
    }
    *low = hwSub(pose.p, h);
    *high = hwAdd(pose.p, h);
}

double hwShape_GetReach(const hwShapeDef* shape, hwVec3 center) {
    hwVec3 c = hwInvTransformPoint(shape->pose, center);
    double half = 0.5 * shape->length, across = hwHypot(c.x, c.y);
    switch (shape->kind) {
    case HW_SHAPE_BOX: {
        hwVec3 s = hwScale(0.5, shape->size);
        return hwLength(hwMakeVec3(fabs(c.x) + s.x, fabs(c.y) + s.y, fabs(c.z) + s.z));
    }
    case HW_SHAPE_SPHERE:
        return hwLength(c) + shape->radius;
    case HW_SHAPE_CYLINDER:
        return hwHypot(across + shape->radius, fabs(c.z) + half);
    case HW_SHAPE_CAPSULE:
        return hwHypot(across, fabs(c.z) + half) + shape->radius;
    case HW_SHAPE_HULL:
    case HW_SHAPE_MESH:
        break;
    }
    double reach = 0.0;
    for (int i = 0; i < shape->mesh.vertexCount; ++i) {
        reach = hwMax(reach, hwLengthSquared(hwSub(shape->mesh.vertices[i], c)));
    }
    return sqrt(reach);
}
