// Heightfields and meshes as a bottom: height, normal, border, and the highest of several layers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "geom/sample_shapes.h"
#include "geom/terrain.h"

static hwAllocator allocator;

static void Near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance)) fail_msg("%.17g instead of %.17g", value, expected);
}

// Any plane is met exactly, inside; beyond the border the height stays and the slope across it is gone.
static void HeightfieldFollowsAPlane(void** state) {
    (void)state;
    double heights[5 * 4];
    for (int i = 0; i < 20; ++i) heights[i] = 0.5 * (i % 5) - 0.25 * (i / 5);
    hwVec3 origin = {10.0, -4.0, -100.0};
    hwTerrain* terrain = hwCreateHeightfield(&allocator, 5, 4, 2.0, origin, heights, NULL);
    assert_non_null(terrain);
    hwRandom random = {1};
    hwVec3 up = hwNormalize(hwMakeVec3(-0.25, 0.125, 1.0)), normal;
    double z;
    for (int i = 0; i < 1000; ++i) {
        double x = hwRandom_Range(&random, 10.0, 18.0), y = hwRandom_Range(&random, -4.0, 2.0);
        assert_true(hwTerrain_GetHeight(terrain, x, y, &z, &normal));
        Near(z, -100.0 + 0.25 * (x - 10.0) - 0.125 * (y + 4.0), 1e-12); // rounding of 100
        Near(hwDistance(normal, up), 0.0, 1e-14);
    }
    assert_true(hwTerrain_GetHeight(terrain, 30.0, -1.0, &z, &normal));
    Near(z, -100.0 + 2.0 - 0.375, 1e-12);
    Near(hwDistance(normal, hwNormalize(hwMakeVec3(0.0, 0.125, 1.0))), 0.0, 1e-14);
    assert_true(hwTerrain_GetHeight(terrain, -1e9, 1e9, &z, &normal));
    Near(z, -100.0 - 0.75, 1e-12);
    Near(hwDistance(normal, hwMakeVec3(0, 0, 1)), 0.0, 1e-14);
    assert_true(hwTerrain_GetHeight(terrain, 12.0, 0.0, NULL, NULL));
    Near(hwTerrain_GetMeanHeight(terrain), -100.0 + 1.0 - 0.375, 1e-12);
    hwVec3 low, high;
    hwTerrain_GetBounds(terrain, &low, &high);
    Near(hwDistance(low, hwMakeVec3(10, -4, -100.75)) + hwDistance(high, hwMakeVec3(18, 2, -98)), 0.0, 1e-12);
    hwDestroyTerrain(terrain);
}

static SampleMesh MakeGridMesh(int columns, int rows, double spacing, const double* heights) {
    SampleMesh mesh = NewMesh(columns * rows, 2 * (columns - 1) * (rows - 1));
    int count = 0;
    for (int j = 0; j < rows; ++j) {
        for (int i = 0; i < columns; ++i) {
            int at = j * columns + i;
            mesh.vertices[at] = hwMakeVec3(i * spacing, j * spacing, heights[at]);
            if (i + 1 == columns || j + 1 == rows) continue;
            const int faces[2][3] = {{at, at + 1, at + columns + 1}, {at, at + columns + 1, at + columns}};
            memcpy(mesh.triangles[count], faces, sizeof(faces));
            count += 2;
        }
    }
    return mesh;
}

// The same triangles once as a grid and once as a mesh, found by a tree, with normals and mean.
static void HeightfieldAndMeshAreTheSameSurface(void** state) {
    (void)state;
    enum { COLUMNS = 60, ROWS = 45 };
    static double heights[COLUMNS * ROWS];
    hwRandom random = {2};
    for (int i = 0; i < COLUMNS * ROWS; ++i) heights[i] = hwRandom_Range(&random, -3.0, 3.0);
    SampleMesh mesh = MakeGridMesh(COLUMNS, ROWS, 0.5, heights);
    // Winding must not matter.
    for (int i = 0; i < mesh.triangleCount; i += 3) {
        int swap = mesh.triangles[i][0];
        mesh.triangles[i][0] = mesh.triangles[i][1];
        mesh.triangles[i][1] = swap;
    }
    hwMeshData data = GetMeshData(&mesh);
    hwTerrain* grid = hwCreateHeightfield(&allocator, COLUMNS, ROWS, 0.5, hwVec3_zero, heights, NULL);
    hwTerrain* tree = hwCreateTerrainMesh(&allocator, &data, NULL);
    assert_non_null(grid);
    assert_non_null(tree);
    for (int i = 0; i < 20000; ++i) {
        // Every fifth point on a grid line, every seventh on both: no gaps along edges.
        double x = hwRandom_Range(&random, 0.0, 0.5 * (COLUMNS - 1)),
               y = hwRandom_Range(&random, 0.0, 0.5 * (ROWS - 1));
        if (i % 5 == 0) x = 0.5 * floor(2.0 * x);
        if (i % 7 == 0) y = 0.5 * floor(2.0 * y);
        double a, b;
        hwVec3 n, m;
        assert_true(hwTerrain_GetHeight(grid, x, y, &a, &n));
        assert_true(hwTerrain_GetHeight(tree, x, y, &b, &m));
        Near(a, b, 1e-12); // slopes of 12 over half a metre, rounding of 30 m
        if (i % 5 != 0 && i % 7 != 0) Near(hwDistance(n, m), 0.0, 1e-12);
    }
    Near(hwTerrain_GetMeanHeight(grid), hwTerrain_GetMeanHeight(tree), 1e-12);
    double z;
    hwVec3 normal;
    assert_false(hwTerrain_GetHeight(tree, -0.1, 5.0, &z, &normal));
    assert_true(isinf(z) && z < 0.0 && normal.z == 1.0);
    hwDestroyTerrain(grid);
    hwDestroyTerrain(tree);
    FreeMesh(&mesh);
}

// A sphere over a floor: the sphere's top counts where it is, the floor elsewhere; brute force agrees everywhere.
static void TheHighestLayerCounts(void** state) {
    (void)state;
    SampleMesh ball = MakeIcosphere(2.0, 3), mesh = NewMesh(ball.vertexCount + 4, ball.triangleCount + 2);
    memcpy(mesh.vertices, ball.vertices, (size_t)ball.vertexCount * sizeof(hwVec3));
    memcpy(mesh.triangles, ball.triangles, (size_t)ball.triangleCount * sizeof(int[3]));
    for (int i = 0; i < 4; ++i)
        mesh.vertices[ball.vertexCount + i] = hwMakeVec3(i & 1 ? 5 : -5, i & 2 ? 5 : -5, -3);
    int n = ball.vertexCount, floor[2][3] = {{n, n + 1, n + 3}, {n, n + 3, n + 2}};
    memcpy(mesh.triangles[ball.triangleCount], floor, sizeof(floor));
    hwMeshData data = GetMeshData(&mesh);
    hwTerrain* terrain = hwCreateTerrainMesh(&allocator, &data, NULL);
    assert_non_null(terrain);
    hwRandom random = {3};
    for (int i = 0; i < 3000; ++i) {
        double x = hwRandom_Range(&random, -4.0, 4.0), y = hwRandom_Range(&random, -4.0, 4.0), z,
               expected = -3.0;
        for (int t = 0; t < ball.triangleCount; ++t) { // the plane of the triangle above its shadow
            hwVec3 a = ball.vertices[ball.triangles[t][0]], b = ball.vertices[ball.triangles[t][1]];
            hwVec3 c = ball.vertices[ball.triangles[t][2]], m = hwCross(hwSub(b, a), hwSub(c, a));
            double ab = (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
            double bc = (c.x - b.x) * (y - b.y) - (c.y - b.y) * (x - b.x);
            double ca = (a.x - c.x) * (y - c.y) - (a.y - c.y) * (x - c.x);
            if (m.z > 0.0 && ab >= 0.0 && bc >= 0.0 && ca >= 0.0) {
                expected = a.z - (m.x * (x - a.x) + m.y * (y - a.y)) / m.z;
            }
        }
        hwVec3 normal;
        assert_true(hwTerrain_GetHeight(terrain, x, y, &z, &normal));
        Near(z, expected, 1e-11); // steep triangles at the rim lose a digit
        assert_true(normal.z > 0.0);
        Near(hwLength(normal), 1.0, 1e-14);
    }
    hwDestroyTerrain(terrain);
    FreeMesh(&ball);
    FreeMesh(&mesh);
}

// Capsules, rays and moving capsules see the same surface in the grid and in the mesh of its triangles.
static void GridAndMeshAnswerCapsulesAlike(void** state) {
    (void)state;
    enum { COLUMNS = 25, ROWS = 30 };
    static double heights[COLUMNS * ROWS];
    hwRandom random = {4};
    for (int i = 0; i < COLUMNS * ROWS; ++i) heights[i] = hwRandom_Range(&random, -0.4, 0.4);
    SampleMesh mesh = MakeGridMesh(COLUMNS, ROWS, 0.5, heights);
    hwMeshData data = GetMeshData(&mesh);
    hwTerrain* grid = hwCreateHeightfield(&allocator, COLUMNS, ROWS, 0.5, hwVec3_zero, heights, NULL);
    hwTerrain* tree = hwCreateTerrainMesh(&allocator, &data, NULL);
    int within = 0, rays = 0, sweeps = 0;
    for (int i = 0; i < 3000; ++i) {
        hwVec3 p = hwMakeVec3(hwRandom_Range(&random, 2.5, 9.5), hwRandom_Range(&random, 2.5, 12.0),
                              hwRandom_Range(&random, -0.8, 1.0));
        hwVec3 q = hwAdd(p, RandomVec3(&random, 0.6));
        hwMeshHit a, b, hits[200];
        bool first = hwTerrain_FindNearest(grid, p, q, 0.3, &a),
             second = hwTerrain_FindNearest(tree, p, q, 0.3, &b);
        assert_true(first == second);
        if (first) {
            Near(a.distance, b.distance, 1e-12);
            if (a.distance > 1e-6 && !a.crosses)
                assert_true(a.side == b.side && hwDistance(a.normal, b.normal) < 1e-6);
        }
        int count = hwTerrain_FindWithin(grid, p, q, 0.3, hits, 200);
        assert_int_equal(count, hwTerrain_FindWithin(tree, p, q, 0.3, NULL, 0));
        within += count;
        // Rays down, up and aslant.
        hwVec3 from = hwMakeVec3(p.x, p.y, 2.0), to = hwAdd(q, hwMakeVec3(0, 0, -1));
        hwCastHit c, d;
        first = hwTerrain_CastRay(grid, from, hwSub(to, from), 1.0, &c);
        second = hwTerrain_CastRay(tree, from, hwSub(to, from), 1.0, &d);
        assert_true(first == second);
        if (first) {
            Near(c.t, d.t, 1e-12);
            Near(hwDistance(c.normal, d.normal), 0.0, 1e-9);
        }
        rays += first;
        p.z = q.z = 0.7;
        hwVec3 fall = hwAdd(RandomVec3(&random, 1.0), hwMakeVec3(0, 0, -1.0));
        first = hwTerrain_SweepCapsule(grid, p, q, hwAdd(p, fall), hwAdd(q, fall), 0.05, &c);
        second = hwTerrain_SweepCapsule(tree, p, q, hwAdd(p, fall), hwAdd(q, fall), 0.05, &d);
        assert_true(first == second);
        if (first) Near(c.t, d.t, 1e-8);
        sweeps += first;
    }
    assert_true(within > 1000 && rays > 1000 && sweeps > 500);
    hwDestroyTerrain(tree);
    FreeMesh(&mesh);
    // Beyond the grid the ground goes on as hwTerrain_GetHeight says.
    for (int i = 0; i < 500; ++i) {
        double x = hwRandom_Range(&random, -40.0, 50.0), y = hwRandom_Range(&random, -40.0, 50.0), z;
        assert_true(hwTerrain_GetHeight(grid, x, y, &z, NULL));
        hwVec3 from = hwMakeVec3(x, y, 3.0), down = hwMakeVec3(0, 0, -1);
        hwCastHit hit;
        assert_true(hwTerrain_CastRay(grid, from, down, 10.0, &hit));
        Near(hit.t, 3.0 - z, 1e-9);
        hwMeshHit near;
        hwVec3 above = hwMakeVec3(x, y, z + 1e-3), below = hwMakeVec3(x, y, z - 1e-3);
        assert_true(hwTerrain_FindNearest(grid, above, above, 0.1, &near) && near.side > 0.0);
        assert_true(hwTerrain_FindNearest(grid, below, below, 0.1, &near) && near.side < 0.0);
        // A long fast fall across the border.
        hwVec3 far = hwMakeVec3(x - 30.0, y + 20.0, -5.0);
        assert_true(hwTerrain_SweepCapsule(grid, from, from, far, far, 0.1, &hit));
        hwVec3 at = hwMulAdd(from, hit.t, hwSub(far, from));
        assert_true(hwTerrain_FindNearest(grid, at, at, 0.2, &near));
        Near(near.distance, 0.1, 1e-7);
    }
    hwDestroyTerrain(grid);
}

static void BadTerrainIsRefusedWithAReason(void** state) {
    (void)state;
    double heights[4] = {0, 0, 0, (double)NAN};
    hwError error;
    assert_null(hwCreateHeightfield(&allocator, 1, 4, 1.0, hwVec3_zero, heights, &error));
    assert_non_null(strstr(error.message, "1 columns and 4 rows"));
    assert_null(hwCreateHeightfield(&allocator, 2, 2, 1.0, hwVec3_zero, NULL, &error));
    assert_non_null(strstr(error.message, "without heights"));
    assert_null(hwCreateHeightfield(&allocator, 2, 2, 0.0, hwVec3_zero, heights, &error));
    assert_non_null(strstr(error.message, "spacing"));
    assert_null(hwCreateHeightfield(&allocator, 2, 2, 1.0, hwVec3_zero, heights, &error));
    assert_non_null(strstr(error.message, "column 1, row 1"));
    assert_true(error.hint[0] != 0 && error.status == HW_ERROR_ARGUMENT);
    assert_null(hwCreateHeightfield(&allocator, 70000, 70000, 1.0, hwVec3_zero, heights, &error));
    hwVec3 wall[3] = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}};
    const int face[1][3] = {{0, 1, 2}}, bad[1][3] = {{0, 1, 3}};
    hwMeshData mesh = {3, wall, 1, face};
    assert_null(hwCreateTerrainMesh(&allocator, &mesh, &error));
    assert_non_null(strstr(error.message, "vertical"));
    mesh.triangles = bad;
    assert_null(hwCreateTerrainMesh(&allocator, &mesh, &error));
    assert_non_null(strstr(error.message, "triangle 0 uses vertex 3"));
    mesh.triangleCount = 0;
    assert_null(hwCreateTerrainMesh(&allocator, &mesh, &error));
    hwDestroyTerrain(NULL);
}

static int failAt, calls;

static void* FailingAllocate(void* context, size_t size) {
    (void)context;
    return calls++ == failAt ? NULL : malloc(size);
}

static void FailingRelease(void* context, void* memory) {
    (void)context;
    calls -= 100000; // counts releases in the high digits
    free(memory);
}

static void RunningOutOfMemoryLeavesNothingBehind(void** state) {
    (void)state;
    hwAllocator failing = {FailingAllocate, FailingRelease, NULL};
    double heights[4] = {0};
    SampleMesh ball = MakeIcosphere(1.0, 1);
    hwMeshData data = GetMeshData(&ball);
    for (int kind = 0; kind < 2; ++kind) {
        hwTerrain* terrain = NULL;
        for (failAt = 0; terrain == NULL; ++failAt) {
            hwError error = {0};
            calls = 0;
            terrain = kind == 0 ? hwCreateHeightfield(&failing, 2, 2, 1.0, hwVec3_zero, heights, &error)
                                : hwCreateTerrainMesh(&failing, &data, &error);
            if (terrain == NULL) assert_int_equal(error.status, HW_ERROR_MEMORY);
            assert_true(failAt < 10);
        }
        assert_true(failAt > 2); // each allocation failed once; leaks show under the address sanitizer
        hwDestroyTerrain(terrain);
    }
    FreeMesh(&ball);
}

int main(void) {
    allocator = hwDefaultAllocator();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(HeightfieldFollowsAPlane),
        cmocka_unit_test(HeightfieldAndMeshAreTheSameSurface),
        cmocka_unit_test(TheHighestLayerCounts),
        cmocka_unit_test(GridAndMeshAnswerCapsulesAlike),
        cmocka_unit_test(BadTerrainIsRefusedWithAReason),
        cmocka_unit_test(RunningOutOfMemoryLeavesNothingBehind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
