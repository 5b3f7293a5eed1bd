#include "geom/solid.h"

#include "base/error.h"
#include "geom/box.h"
#include "geom/shape_data.h"

#include <math.h>
#include <string.h>

static hwStatus CheckMeshArrays(const hwMeshData* mesh, hwError* error) {
    hwStatus status = hwCheckArray(mesh->vertexCount, mesh->vertices, NULL, "mesh.vertices", error);
    if (status == HW_OK)
        status = hwCheckArray(mesh->triangleCount, mesh->triangles, NULL, "mesh.triangles", error);
    return status;
}

hwStatus hwSolid_CheckArrays(int shapeCount, const hwShapeDef* shapes, hwError* error) {
    hwStatus status = hwCheckArray(shapeCount, shapes, NULL, "shapes", error);
    if (status != HW_OK) return status;
    for (int i = 0; i < shapeCount && status == HW_OK; ++i) {
        const hwShapeDef* shape = &shapes[i];
        status = hwShape_CheckCookie(shape, i, error);
        if (status == HW_OK && (shape->kind == HW_SHAPE_HULL || shape->kind == HW_SHAPE_MESH))
            status = CheckMeshArrays(&shape->mesh, error);
        if (status == HW_OK && shape->kind == HW_SHAPE_MESH) {
            status = hwCheckArray(shape->partCount, shape->parts, NULL, "parts", error);
            for (int k = 0; k < shape->partCount && status == HW_OK; ++k)
                status = CheckMeshArrays(&shape->parts[k], error);
        }
        if (status != HW_OK) {
            hwFail_At(error, i, (double)NAN);
            hwFail_Inside(error, "shapes[]");
        }
    }
    return status;
}

hwStatus hwSolid_Init(hwSolid* solid, int shapeCount, const hwShapeDef* shapes, hwError* error) {
    memset(solid, 0, sizeof(*solid));
    hwStatus arrays = hwCheckArray(shapeCount, shapes, NULL, "shapes", error);
    if (arrays != HW_OK) return arrays;
    for (int i = 0; i < shapeCount; ++i) {
        hwStatus status = hwShape_Check(&shapes[i], i, error);
        if (status != HW_OK) {
            hwFail_At(error, i, (double)NAN);
            hwFail_Inside(error, "shapes[]");
            return status;
        }
    }
    solid->shapeCount = shapeCount;
    solid->shapes = shapes;
    if (shapeCount == 0) return HW_OK;
    hwVec3 moment = hwVec3_zero, low = hwMakeVec3(HUGE_VAL, HUGE_VAL, HUGE_VAL), high = hwNeg(low);
    for (int i = 0; i < shapeCount; ++i) {
        hwMassProperties mass = hwShape_GetMassProperties(&shapes[i]);
        solid->volume += mass.volume;
        moment = hwMulAdd(moment, mass.volume, mass.centroid);
        hwVec3 a, b;
        hwShape_GetBounds(&shapes[i], hwPose_identity, &a, &b);
        low = hwMakeVec3(hwMin(low.x, a.x), hwMin(low.y, a.y), hwMin(low.z, a.z));
        high = hwMakeVec3(hwMax(high.x, b.x), hwMax(high.y, b.y), hwMax(high.z, b.z));
    }
    solid->centroid = hwScale(1.0 / solid->volume, moment);
    solid->center = hwScale(0.5, hwAdd(low, high));
    for (int i = 0; i < shapeCount; ++i) {
        solid->radius = hwMax(solid->radius, hwShape_GetReach(&shapes[i], solid->center));
    }
    return HW_OK;
}

// A deep copy; empty while measuring.
static hwMeshData CopyMesh(hwArena* arena, const hwMeshData* mesh) {
    hwVec3* vertices = HW_TAKE(arena, hwVec3, mesh->vertexCount);
    int(*triangles)[3] = hwArena_Take(arena, (size_t)mesh->triangleCount, sizeof(int[3]));
    hwMeshData copy = {0};
    if (vertices == NULL) return copy;
    memcpy(vertices, mesh->vertices, (size_t)mesh->vertexCount * sizeof(hwVec3));
    memcpy(triangles, mesh->triangles, (size_t)mesh->triangleCount * sizeof(int[3]));
    return (hwMeshData){mesh->vertexCount, vertices, mesh->triangleCount, (const int(*)[3])triangles};
}

const hwShapeDef* hwCopyShapes(hwArena* arena, int shapeCount, const hwShapeDef* shapes) {
    hwShapeDef* copies = HW_TAKE(arena, hwShapeDef, shapeCount);
    for (int i = 0; i < shapeCount; ++i) {
        const hwShapeDef* shape = &shapes[i];
        bool meshed = shape->kind == HW_SHAPE_HULL || shape->kind == HW_SHAPE_MESH;
        hwMeshData mesh = {0};
        if (meshed) mesh = CopyMesh(arena, &shape->mesh);
        int partCount = shape->kind == HW_SHAPE_MESH ? shape->partCount : 0;
        hwMeshData* parts = HW_TAKE(arena, hwMeshData, partCount);
        for (int k = 0; k < partCount; ++k) {
            hwMeshData part = CopyMesh(arena, &shape->parts[k]);
            if (parts != NULL) parts[k] = part;
        }
        size_t length = shape->material != NULL ? strlen(shape->material) + 1 : 0;
        char* material = HW_TAKE(arena, char, length);
        if (copies == NULL) continue; // measuring
        copies[i] = *shape;
        copies[i].pose.q = hwNormalizeQuat(shape->pose.q);
        copies[i].material = NULL;
        if (length > 0) copies[i].material = memcpy(material, shape->material, length);
        copies[i].mesh = mesh;
        copies[i].partCount = partCount;
        copies[i].parts = parts;
    }
    return copies;
}

hwSubmergence hwSolid_ComputeSubmergence(const hwSolid* solid, hwPose pose, hwVec3 point, hwVec3 normal) {
    hwSubmergence sum = {0};
    double above = hwDot(normal, hwSub(hwTransformPoint(pose, solid->center), point));
    if (above >= solid->radius || solid->shapeCount == 0) return sum;
    if (above <= -solid->radius) {
        sum.volume = solid->volume;
        sum.centroid = hwTransformPoint(pose, solid->centroid);
        return sum;
    }
    sum = hwShape_Submerge(&solid->shapes[0], pose, point, normal);
    for (int i = 1; i < solid->shapeCount; ++i) {
        hwSubmergence part = hwShape_Submerge(&solid->shapes[i], pose, point, normal);
        hwSubmergence_Add(&sum, &part, normal);
    }
    return sum;
}

#define MOST_LONG 16 // pieces along the longest edge
#define MOST_WIDE 4  // and along the next

static int CountAlong(double size, double longest, int most) {
    double count = ceil(size / longest - 1e-9);
    return count > most ? most : (count > 1.0 ? (int)count : 1);
}

// A box in n0 x n1 pieces along its two longest edges, or a cylinder in slices.
static int CutShape(const hwShapeDef* shape, double longest, hwShapeDef* pieces) {
    bool box = shape->kind == HW_SHAPE_BOX;
    if (!box && shape->kind != HW_SHAPE_CYLINDER) {
        if (pieces != NULL) pieces[0] = *shape;
        return 1;
    }
    double size[3] = {shape->size.x, shape->size.y, shape->size.z};
    int first = 2, second = 0;
    if (box) {
        for (int i = 0; i < 3; ++i) first = size[i] > size[first] ? i : first;
        second = first == 0 ? 1 : 0;
        for (int i = 0; i < 3; ++i) second = i != first && size[i] > size[second] ? i : second;
    } else {
        size[2] = shape->length;
    }
    int n0 = CountAlong(size[first], longest, MOST_LONG);
    int n1 = box ? CountAlong(size[second], longest, MOST_WIDE) : 1;
    for (int k = 0; pieces != NULL && k < n0 * n1; ++k) {
        double at[3] = {0.0, 0.0, 0.0}, edge[3] = {size[0], size[1], size[2]};
        at[first] = size[first] * ((k / n1 + 0.5) / n0 - 0.5);
        edge[first] = size[first] / n0;
        if (n1 > 1) {
            at[second] = size[second] * ((k % n1 + 0.5) / n1 - 0.5);
            edge[second] = size[second] / n1;
        }
        pieces[k] = *shape;
        pieces[k].size = hwMakeVec3(edge[0], edge[1], edge[2]);
        pieces[k].length = box ? shape->length : edge[2];
        pieces[k].pose.p = hwTransformPoint(shape->pose, hwMakeVec3(at[0], at[1], at[2]));
    }
    return n0 * n1;
}

int hwSolid_CutIntoPieces(const hwSolid* solid, double longest, hwShapeDef* pieces) {
    int count = 0;
    for (int i = 0; i < solid->shapeCount; ++i) {
        count += CutShape(&solid->shapes[i], longest, pieces != NULL ? pieces + count : NULL);
    }
    return count > solid->shapeCount ? count : 0;
}
