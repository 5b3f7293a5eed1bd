#include "cases/platform_mesh.h"

#include <math.h>
#include <stdlib.h>

typedef struct Builder {
    hwVec3* vertices;
    int (*triangles)[3];
    int vertexCount, triangleCount;
    int sides, rings;
} Builder;

static void AddTriangle(Builder* b, int i, int j, int k) {
    int* t = b->triangles[b->triangleCount++];
    t[0] = i, t[1] = j, t[2] = k;
}

// A closed tube from p to q.
static void AddTube(Builder* b, hwVec3 p, hwVec3 q, double radius) {
    hwVec3 axis = hwNormalize(hwSub(q, p)), u = hwNormalize(hwPerpendicular(axis)), w = hwCross(axis, u);
    int first = b->vertexCount, n = b->sides;
    for (int r = 0; r <= b->rings; ++r) {
        hwVec3 center = hwMulAdd(p, (double)r / b->rings, hwSub(q, p));
        for (int k = 0; k < n; ++k) {
            double a = 2.0 * HW_PI * k / n;
            hwVec3 out = hwAdd(hwScale(radius * cos(a), u), hwScale(radius * sin(a), w));
            b->vertices[b->vertexCount++] = hwAdd(center, out);
        }
    }
    int low = b->vertexCount, high = low + 1;
    b->vertices[b->vertexCount++] = p;
    b->vertices[b->vertexCount++] = q;
    for (int k = 0; k < n; ++k) {
        int m = (k + 1) % n;
        for (int r = 0; r < b->rings; ++r) {
            int here = first + r * n, next = here + n;
            AddTriangle(b, here + k, here + m, next + k);
            AddTriangle(b, here + m, next + m, next + k);
        }
        AddTriangle(b, low, first + m, first + k);
        AddTriangle(b, high, first + b->rings * n + k, first + b->rings * n + m);
    }
}

#define TUBES 40

bool hwMakePlatform(int sides, int rings, hwMeshData* out) {
    Builder b = {.sides = sides, .rings = rings};
    b.vertices = malloc((size_t)(TUBES * ((rings + 1) * sides + 2)) * sizeof(hwVec3));
    b.triangles = malloc((size_t)(TUBES * (2 * rings + 2) * sides) * sizeof(int[3]));
    if (b.vertices == NULL || b.triangles == NULL) {
        free(b.vertices);
        free(b.triangles);
        return false;
    }
    const double half = 6.0, bay = 8.0;
    for (int k = 0; k < 4; ++k) {
        hwVec3 corner = hwMakeVec3(k == 0 || k == 3 ? half : -half, k < 2 ? half : -half, 0.0);
        hwVec3 next = hwMakeVec3(k == 0 || k == 1 ? -half : half, k == 0 || k == 3 ? half : -half, 0.0);
        AddTube(&b, hwMakeVec3(corner.x, corner.y, -3.0 * bay), corner, 0.5);
        for (int level = 0; level < 3; ++level) {
            double z = -bay * level, under = z - bay;
            hwVec3 from = hwMakeVec3(corner.x, corner.y, z), to = hwMakeVec3(next.x, next.y, z);
            AddTube(&b, from, to, 0.2);
            hwVec3 down =
                level % 2 == 0 ? hwMakeVec3(next.x, next.y, under) : hwMakeVec3(corner.x, corner.y, under);
            AddTube(&b, level % 2 == 0 ? from : to, down, 0.2);
        }
    }
    *out = (hwMeshData){b.vertexCount, b.vertices, b.triangleCount, (const int(*)[3])b.triangles};
    return true;
}

void hwFreePlatform(hwMeshData* mesh) {
    free((void*)(uintptr_t)mesh->vertices);
    free((void*)(uintptr_t)mesh->triangles);
}
