// Random attitudes and sample meshes for the tests of geom.
#ifndef HW_TEST_SAMPLE_SHAPES_H
#define HW_TEST_SAMPLE_SHAPES_H

#include "base/random.h"
#include "hawser/shape.h"

#include <stdlib.h>
#include <string.h>

// Uniform over rotations (Shoemake 1992).
static inline hwQuat RandomQuat(hwRandom* random) {
    double u = hwRandom_Uniform(random), a = 2.0 * HW_PI * hwRandom_Uniform(random),
           b = 2.0 * HW_PI * hwRandom_Uniform(random);
    hwQuat q = {sqrt(1.0 - u) * sin(a), sqrt(1.0 - u) * cos(a), sqrt(u) * sin(b), sqrt(u) * cos(b)};
    return q;
}

static inline hwVec3 RandomUnit(hwRandom* random) {
    return hwRotate(RandomQuat(random), hwMakeVec3(0.0, 0.0, 1.0));
}

static inline hwVec3 RandomVec3(hwRandom* random, double range) {
    double x = hwRandom_Range(random, -range, range), y = hwRandom_Range(random, -range, range);
    return hwMakeVec3(x, y, hwRandom_Range(random, -range, range));
}

static inline hwPose RandomPose(hwRandom* random, double range) {
    hwPose pose = {RandomVec3(random, range), RandomQuat(random)};
    return pose;
}

typedef struct SampleMesh {
    int vertexCount, triangleCount;
    hwVec3* vertices;
    int (*triangles)[3];
} SampleMesh;

static inline SampleMesh NewMesh(int vertexCount, int triangleCount) {
    SampleMesh mesh = {vertexCount, triangleCount, malloc((size_t)vertexCount * sizeof(hwVec3)),
                       malloc((size_t)triangleCount * sizeof(int[3]))};
    return mesh;
}

static inline void FreeMesh(SampleMesh* mesh) {
    free(mesh->vertices);
    free(mesh->triangles);
}

static inline hwMeshData GetMeshData(const SampleMesh* mesh) {
    hwMeshData data = {mesh->vertexCount, mesh->vertices, mesh->triangleCount,
                       (const int(*)[3])mesh->triangles};
    return data;
}

// Corner i has x, y, z high where bits 0, 1, 2 of i are set.
static inline SampleMesh MakeBoxMesh(hwVec3 low, hwVec3 high) {
    static const int faces[12][3] = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4},
                                     {2, 6, 7}, {2, 7, 3}, {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
    SampleMesh mesh = NewMesh(8, 12);
    for (int i = 0; i < 8; ++i) {
        mesh.vertices[i] = hwMakeVec3(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z);
    }
    memcpy(mesh.triangles, faces, sizeof(faces));
    return mesh;
}

static inline SampleMesh MakeTetrahedron(double size) {
    static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    SampleMesh mesh = NewMesh(4, 4);
    mesh.vertices[0] = hwMakeVec3(0.0, 0.0, 0.0);
    mesh.vertices[1] = hwMakeVec3(size, 0.0, 0.0);
    mesh.vertices[2] = hwMakeVec3(0.0, size, 0.0);
    mesh.vertices[3] = hwMakeVec3(0.0, 0.0, size);
    memcpy(mesh.triangles, faces, sizeof(faces));
    return mesh;
}

// An icosahedron, each triangle split into 4 `level` times: 20 * 4^level triangles with vertices on the sphere.
static inline SampleMesh MakeIcosphere(double radius, int level) {
    static const int faces[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                     {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                     {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                     {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    const double g = 0.5 * (1.0 + sqrt(5.0));
    const hwVec3 corners[12] = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                                {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
    int triangles = 20;
    for (int i = 0; i < level; ++i) triangles *= 4;
    int vertices = triangles / 2 + 2;
    SampleMesh mesh = NewMesh(vertices, triangles);
    for (int i = 0; i < 12; ++i) mesh.vertices[i] = hwNormalize(corners[i]);
    memcpy(mesh.triangles, faces, sizeof(faces));
    mesh.vertexCount = 12;
    mesh.triangleCount = 20;
    for (int pass = 0; pass < level; ++pass) {
        int edgeCapacity = 3 * mesh.triangleCount / 2, edgeCount = 0;
        int(*edges)[3] = malloc((size_t)edgeCapacity * sizeof(int[3])); // low vertex, high vertex, middle
        int* first = malloc((size_t)mesh.vertexCount * sizeof(int));    // list of edges by low vertex
        int* next = malloc((size_t)edgeCapacity * sizeof(int));
        for (int i = 0; i < mesh.vertexCount; ++i) first[i] = -1;
        int old = mesh.triangleCount;
        for (int t = 0; t < old; ++t) {
            int middle[3], corner[3];
            memcpy(corner, mesh.triangles[t], sizeof(corner));
            for (int k = 0; k < 3; ++k) {
                int a = corner[k], b = corner[(k + 1) % 3], low = a < b ? a : b, high = a < b ? b : a,
                    e = first[low];
                while (e >= 0 && edges[e][1] != high) e = next[e];
                if (e < 0) {
                    e = edgeCount++;
                    edges[e][0] = low;
                    edges[e][1] = high;
                    edges[e][2] = mesh.vertexCount;
                    next[e] = first[low];
                    first[low] = e;
                    mesh.vertices[mesh.vertexCount++] =
                        hwNormalize(hwAdd(mesh.vertices[a], mesh.vertices[b]));
                }
                middle[k] = edges[e][2];
            }
            for (int k = 0; k < 3; ++k) {
                int(*out)[3] = &mesh.triangles[k == 0 ? t : mesh.triangleCount++];
                (*out)[0] = corner[k];
                (*out)[1] = middle[k];
                (*out)[2] = middle[(k + 2) % 3];
            }
            memcpy(mesh.triangles[mesh.triangleCount++], middle, sizeof(middle));
        }
        free(edges);
        free(first);
        free(next);
    }
    for (int i = 0; i < mesh.vertexCount; ++i) mesh.vertices[i] = hwScale(radius, mesh.vertices[i]);
    return mesh;
}

#endif
