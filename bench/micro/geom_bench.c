// Time per query of the geometry module: wet parts, distance and depth, common volumes, meshes, terrain, broad phase.
//
//   gcc -std=c17 -O3 -march=x86-64-v3 -fno-math-errno -fno-trapping-math -ffp-contract=fast -Isrc -Iinclude -Itest
//       -o geom_bench bench/micro/geom_bench.c src/geom/*.c src/base/*.c -lm -pthread
#define _POSIX_C_SOURCE 200809L

#include "base/memory.h"
#include "geom/broad_phase.h"
#include "geom/mesh_query.h"
#include "geom/overlap.h"
#include "geom/sample_shapes.h"
#include "geom/solid.h"
#include "geom/terrain.h"

#include <stdio.h>
#include <time.h>

#define POSES 1024

static hwPose first[POSES], second[POSES];
static char scratch[1 << 20];
static double sink; // keeps results alive

// Processor time, so that other work on the machine does not count.
static double GetSeconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double Round(double seconds, int count, double best) {
    double each = seconds / count;
    return each < best ? each : best;
}

#define REPEAT 7
// Best of several rounds of `body` over i = 0..count - 1, in s per turn.
#define MEASURE(result, count, body)                                                                         \
    do {                                                                                                     \
        (result) = HUGE_VAL;                                                                                 \
        for (int round_ = 0; round_ < REPEAT; ++round_) {                                                    \
            double start_ = GetSeconds();                                                                    \
            for (int i = 0; i < (count); ++i) body;                                                          \
            (result) = Round(GetSeconds() - start_, (count), (result));                                      \
        }                                                                                                    \
    } while (0)

static void Print(const char* what, double seconds) {
    if (seconds < 1e-5) {
        printf("%-58s %9.0f ns\n", what, 1e9 * seconds);
    } else {
        printf("%-58s %9.1f us\n", what, 1e6 * seconds);
    }
}

static void BenchWater(void) {
    hwRandom random = {1};
    for (int i = 0; i < POSES; ++i) first[i] = RandomPose(&random, 0.2);
    SampleMesh ball = MakeIcosphere(1.0, 3);
    const char* names[] = {"wet part: box", "wet part: sphere", "wet part: cylinder", "wet part: capsule",
                           "wet part: mesh of 1,280 triangles"};
    for (int kind = 0; kind < 5; ++kind) {
        hwShapeDef shape = hwDefaultShapeDef();
        shape.kind = kind == 4 ? HW_SHAPE_MESH : (hwShapeKind)kind;
        shape.radius = 0.5;
        shape.length = 2.0;
        shape.mesh = GetMeshData(&ball);
        hwSolid solid;
        hwSolid_Init(&solid, 1, &shape, NULL);
        double time;
        MEASURE(time, 20 * POSES, {
            sink +=
                hwSolid_ComputeSubmergence(&solid, first[i % POSES], hwVec3_zero, hwMakeVec3(0, 0, 1)).volume;
        });
        Print(names[kind], time);
    }
    FreeMesh(&ball);
}

static hwHull MakeHullOf(SampleMesh mesh) {
    hwAllocator allocator = hwDefaultAllocator();
    hwMeshData data = GetMeshData(&mesh);
    hwHull hull;
    if (hwHull_Init(&hull, &allocator, &data, NULL) != HW_OK) abort();
    FreeMesh(&mesh);
    return hull;
}

// Pairs `depth` deep in each other.
static void PlacePairs(const hwConvex* body, double depth, uint64_t seed) {
    hwRandom random = {seed};
    for (int i = 0; i < POSES; ++i) {
        first[i] = RandomPose(&random, 1.0);
        second[i] = (hwPose){hwMulAdd(first[i].p, 0.8, RandomUnit(&random)), RandomQuat(&random)};
        hwClosest near = hwConvex_FindClosest(body, first[i], body, second[i], NULL);
        second[i].p = hwMulAdd(second[i].p, -(near.distance + depth), near.normal);
    }
}

// A pair that turns a milliradian or so from query to query.
static double BenchMoving(const hwConvex* body, double depth, bool remember) {
    hwRandom random = {7};
    double total = 0.0;
    enum { PATHS = 20, STEPS = 5000 };
    for (int path = 0; path < PATHS; ++path) {
        PlacePairs(body, depth, 100 + (uint64_t)path);
        hwPose a = first[0], b = second[0];
        hwPairCache cache = {0};
        hwVec3 swing = RandomVec3(&random, 0.02);
        double best = HUGE_VAL;
        for (int round = 0; round < 3; ++round) {
            double start = GetSeconds();
            for (int i = 0; i < STEPS; ++i) {
                hwPose at = {hwMulAdd(b.p, 0.01 * sin(0.02 * i), swing),
                             hwMulQuat(hwQuatFromRotationVector(hwScale(sin(0.01 * i), swing)), b.q)};
                sink += hwConvex_FindClosest(body, a, body, at, remember ? &cache : NULL).distance;
            }
            best = Round(GetSeconds() - start, STEPS, best);
        }
        total += best;
    }
    return total / PATHS;
}

static void BenchConvex(void) {
    hwHull hulls[4] = {MakeHullOf(MakeBoxMesh(hwMakeVec3(-0.5, -0.5, -0.5), hwMakeVec3(0.5, 0.5, 0.5))),
                       MakeHullOf(MakeTetrahedron(1.0)), MakeHullOf(MakeIcosphere(0.7, 1)),
                       MakeHullOf(MakeIcosphere(0.7, 3))};
    const char* names[] = {"box", "hull of a box", "tetrahedron", "hull of 80 faces", "hull of 1,280 faces"};
    char text[96];
    for (int k = 0; k < 5; ++k) {
        hwConvex body = k == 0 ? hwMakeBox(hwMakeVec3(1, 1, 1)) : hwMakeHull(&hulls[k - 1]);
        snprintf(text, sizeof(text), "depth and normal, %s twice, remembered", names[k]);
        Print(text, BenchMoving(&body, 0.05, true));
        snprintf(text, sizeof(text), "  the same, first time");
        Print(text, BenchMoving(&body, 0.05, false));
        snprintf(text, sizeof(text), "distance, %s twice, remembered", names[k]);
        Print(text, BenchMoving(&body, -0.3, true));
        const double depths[] = {0.02, 0.2};
        for (int d = 0; d < 2; ++d) {
            PlacePairs(&body, depths[d], 3);
            double time;
            MEASURE(time, POSES, {
                hwOverlap out;
                hwConvex_FindOverlap(&body, first[i], &body, second[i], scratch, sizeof(scratch), &out);
                sink += out.volume;
            });
            snprintf(text, sizeof(text), "volume, centroid, plane, %s twice, %g m deep", names[k], depths[d]);
            Print(text, time);
        }
    }
    hwAllocator allocator = hwDefaultAllocator();
    for (int k = 0; k < 4; ++k) hwHull_Free(&hulls[k], &allocator);
}

// A torus with waves, of exactly 2 * around * across triangles.
static SampleMesh MakeWavyTorus(int around, int across) {
    SampleMesh mesh = NewMesh(around * across, 2 * around * across);
    for (int i = 0; i < around; ++i) {
        for (int j = 0; j < across; ++j) {
            double a = 2.0 * HW_PI * i / around, b = 2.0 * HW_PI * j / across;
            double minor = 0.5 + 0.05 * sin(7.0 * a) * cos(3.0 * b), r = 1.5 + minor * cos(b);
            mesh.vertices[i * across + j] = hwMakeVec3(r * cos(a), r * sin(a), minor * sin(b));
            int i1 = (i + 1) % around, j1 = (j + 1) % across;
            int v[4] = {i * across + j, i1 * across + j, i * across + j1, i1 * across + j1};
            const int faces[2][3] = {{v[0], v[1], v[3]}, {v[0], v[3], v[2]}};
            memcpy(mesh.triangles[2 * (i * across + j)], faces, sizeof(faces));
        }
    }
    return mesh;
}

// Capsules a few triangles long that just touch the surface.
static void BenchMesh(int around, int across) {
    hwAllocator allocator = hwDefaultAllocator();
    SampleMesh mesh = MakeWavyTorus(around, across);
    hwMeshData data = GetMeshData(&mesh);
    hwMeshTree tree;
    double start = GetSeconds();
    hwMeshTree_Init(&tree, &allocator, &data, NULL);
    double build = GetSeconds() - start, edge = 2.0 * HW_PI * 1.5 / around, time;
    printf("mesh of %d triangles, about %.3f m each\n", mesh.triangleCount, edge);
    Print("  building the tree", build);
    MEASURE(time, 3, hwMeshTree_Refit(&tree));
    Print("  refitting it", time);
    static hwVec3 p[POSES], q[POSES], up[POSES];
    const double radii[] = {0.02, 0.02, 0.2 * edge}, lengths[] = {0.05, 0.2, 2.0 * edge};
    for (int k = 0; k < 3; ++k) {
        hwRandom random = {5};
        for (int i = 0; i < POSES; ++i) {
            int t = (int)(hwRandom_Next(&random) % (uint64_t)mesh.triangleCount);
            hwVec3 c[3];
            for (int j = 0; j < 3; ++j) c[j] = mesh.vertices[mesh.triangles[t][j]];
            hwVec3 n = hwNormalize(hwCross(hwSub(c[1], c[0]), hwSub(c[2], c[0])));
            hwVec3 along = hwScale(0.5 * lengths[k], hwNormalize(hwCross(n, RandomUnit(&random))));
            hwVec3 middle = hwMulAdd(c[0], 0.9 * radii[k], n);
            p[i] = hwSub(middle, along);
            q[i] = hwAdd(middle, along);
            up[i] = n;
        }
        char text[96];
        snprintf(text, sizeof(text), "  capsule %.3f m long, %.3f m thick: nearest triangle", lengths[k],
                 2.0 * radii[k]);
        MEASURE(time, POSES, {
            hwMeshHit hit;
            if (hwMesh_FindNearest(&tree, p[i], q[i], radii[k], &hit)) sink += hit.distance;
        });
        Print(text, time);
        double total = 0.0;
        MEASURE(time, POSES, {
            hwMeshHit hits[32];
            total += hwMesh_FindWithin(&tree, p[i], q[i], radii[k], hits, 32);
        });
        snprintf(text, sizeof(text), "    all triangles that touch it (%.1f)", total / (REPEAT * POSES));
        Print(text, time);
        MEASURE(time, POSES, {
            hwMeshHit hit;
            hwVec3 away = hwScale(0.2, up[i]);
            if (hwMesh_FindNearest(&tree, hwAdd(p[i], away), hwAdd(q[i], away), radii[k], &hit))
                sink += hit.distance;
        });
        Print("    0.2 m away from it", time);
        MEASURE(time, POSES, {
            hwCastHit hit;
            hwVec3 away = hwScale(0.16, up[i]); // 10 m/s in 1/60 s
            if (hwMesh_SweepCapsule(&tree, hwAdd(p[i], away), hwAdd(q[i], away), p[i], q[i], radii[k], &hit))
                sink += hit.t;
        });
        Print("    swept over 0.16 m", time);
    }
    MEASURE(time, POSES, {
        hwCastHit hit;
        if (hwMesh_CastRay(&tree, hwMulAdd(p[i], 1.0, up[i]), hwNeg(up[i]), 10.0, &hit)) sink += hit.t;
    });
    Print("  ray", time);
    static hwTrianglePair pairs[4096];
    hwPose moved = {{0.7, 0.2, 0.3}, hwQuatFromRpy(0.5, 0.4, 0.3)};
    int count = hwMeshes_FindPairs(&tree, &tree, moved, pairs, 4096);
    MEASURE(time, 3, sink += hwMeshes_FindPairs(&tree, &tree, moved, pairs, 4096));
    char text[96];
    snprintf(text, sizeof(text), "  triangle pairs of two such meshes (%d)", count);
    Print(text, time);
    hwMeshTree_Free(&tree, &allocator);
    FreeMesh(&mesh);
}

static void BenchTerrain(void) {
    enum { N = 512 };
    hwAllocator allocator = hwDefaultAllocator();
    double* heights = malloc(sizeof(double) * N * N);
    hwRandom random = {6};
    for (int i = 0; i < N * N; ++i) heights[i] = hwRandom_Uniform(&random);
    hwTerrain* terrain = hwCreateHeightfield(&allocator, N, N, 1.0, hwVec3_zero, heights, NULL);
    static hwVec3 p[POSES], q[POSES];
    double time;
    for (int i = 0; i < POSES; ++i) {
        p[i] = hwMakeVec3(hwRandom_Range(&random, 5, 500), hwRandom_Range(&random, 5, 500), 0.6);
        q[i] = hwAdd(p[i], hwMakeVec3(1.0, 0.5, 0.1));
    }
    MEASURE(time, POSES, {
        double z;
        hwVec3 n;
        hwTerrain_GetHeight(terrain, p[i].x, p[i].y, &z, &n);
        sink += z + n.x;
    });
    Print("heightfield 512 x 512: height and normal", time);
    MEASURE(time, POSES, {
        hwMeshHit hit;
        if (hwTerrain_FindNearest(terrain, p[i], q[i], 0.1, &hit)) sink += hit.distance;
    });
    Print("  capsule of 1.1 m, nearest triangle", time);
    hwDestroyTerrain(terrain);
    free(heights);
}

static void BenchBroadPhase(int count, double speed) {
    hwAllocator allocator = hwDefaultAllocator();
    hwBroadPhase* broad = hwCreateBroadPhase(&allocator, count, 20 * count, 0.05, NULL);
    hwRandom random = {8};
    hwBox* boxes = malloc((size_t)count * sizeof(hwBox));
    hwVec3* velocity = malloc((size_t)count * sizeof(hwVec3));
    double side = cbrt((double)count) * 1.5;
    for (int i = 0; i < count; ++i) {
        hwVec3 at = hwScale(0.5 * side, RandomVec3(&random, 1.0));
        boxes[i] = (hwBox){hwSub(at, hwMakeVec3(0.5, 0.5, 0.5)), hwAdd(at, hwMakeVec3(0.5, 0.5, 0.5))};
        velocity[i] = hwScale(speed / 60.0, RandomUnit(&random));
        hwProxyDef def = {boxes[i], 1, 1, i, 0, 0};
        hwBroadPhase_Add(broad, &def);
    }
    hwBroadPhase_Update(broad, NULL);
    const int steps = 300;
    int pairs = 0;
    double start = GetSeconds();
    for (int step = 0; step < steps; ++step) {
        for (int i = 0; i < count; ++i) {
            if (fabs(boxes[i].low.x) > 0.5 * side) velocity[i].x = -velocity[i].x;
            if (fabs(boxes[i].low.y) > 0.5 * side) velocity[i].y = -velocity[i].y;
            if (fabs(boxes[i].low.z) > 0.5 * side) velocity[i].z = -velocity[i].z;
            boxes[i] = (hwBox){hwAdd(boxes[i].low, velocity[i]), hwAdd(boxes[i].high, velocity[i])};
            hwBroadPhase_Move(broad, i, boxes[i], hwScale(2.0, velocity[i]));
        }
        hwBroadPhase_Update(broad, NULL);
        int now;
        hwBroadPhase_GetPairs(broad, &now);
        pairs += now;
    }
    char text[96];
    snprintf(text, sizeof(text), "broad phase, %d boxes of 1 m at %g m/s, %d pairs, per step", count, speed,
             pairs / steps);
    Print(text, (GetSeconds() - start) / steps);
    hwDestroyBroadPhase(broad);
    free(boxes);
    free(velocity);
}

int main(void) {
    BenchWater();
    BenchConvex();
    BenchMesh(32, 16);
    BenchMesh(100, 50);
    BenchMesh(320, 160);
    BenchTerrain();
    BenchBroadPhase(1000, 1.0);
    BenchBroadPhase(1000, 10.0);
    BenchBroadPhase(10000, 1.0);
    return sink == 0.123 ? 1 : 0;
}
