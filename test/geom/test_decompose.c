// Solids cut into convex parts: exact where a few planes do, covering and close elsewhere.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "hawser/decompose.h"
#include "geom/mesh_check.h"
#include "geom/mesh_query.h"
#include "geom/sample_shapes.h"
#include "geom/shape_data.h"

#include <stdio.h>

// A small incremental convex hull. Points are shaken by 1e-9 of their size, so that no four lie in a plane.
typedef struct HullBuilder {
    hwVec3 points[60000];
    int faces[60000][3];
    int faceCount, calls;
} HullBuilder;

static double Height(const HullBuilder* builder, const int* f, hwVec3 p) {
    hwVec3 a = builder->points[f[0]];
    return hwDot(hwCross(hwSub(builder->points[f[1]], a), hwSub(builder->points[f[2]], a)), hwSub(p, a));
}

static void AddFace(HullBuilder* builder, int a, int b, int c) {
    int* f = builder->faces[builder->faceCount++];
    f[0] = a, f[1] = b, f[2] = c;
}

static void AddHullPoint(HullBuilder* builder, int p) {
    static int edges[20000][2];
    int edgeCount = 0, kept = 0;
    for (int f = 0; f < builder->faceCount; ++f) {
        int* v = builder->faces[f];
        if (Height(builder, v, builder->points[p]) <= 0.0) {
            memmove(builder->faces[kept++], v, sizeof(int[3]));
            continue;
        }
        for (int k = 0; k < 3; ++k) {
            int a = v[k], b = v[(k + 1) % 3], e = 0;
            while (e < edgeCount && !(edges[e][0] == b && edges[e][1] == a)) ++e;
            if (e < edgeCount) {
                memcpy(edges[e], edges[--edgeCount], sizeof(edges[e]));
            } else {
                edges[edgeCount][0] = a;
                edges[edgeCount++][1] = b;
            }
        }
    }
    builder->faceCount = kept;
    for (int e = 0; e < edgeCount; ++e) AddFace(builder, edges[e][0], edges[e][1], p);
}

static hwStatus BuildHull(int count, const hwVec3* points, hwMeshData* hull, void* context, hwError* error) {
    (void)error;
    HullBuilder* builder = context;
    builder->calls += 1;
    builder->faceCount = 0;
    hwRandom random = {(uint64_t)count};
    assert_true(count <= 60000);
    double size = 0.0;
    for (int i = 0; i < count; ++i) size = fmax(size, hwDistance(points[0], points[i]));
    static hwVec3 apart[60000]; // without those nearer together than the shaking
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        bool known = false;
        for (int k = 0; k < kept && !known; ++k) known = hwDistance(points[i], apart[k]) < 1e-6 * size;
        if (!known) apart[kept++] = points[i];
    }
    count = kept;
    points = apart;
    for (int i = 0; i < count; ++i) builder->points[i] = hwAdd(points[i], RandomVec3(&random, 1e-9 * size));
    int b = 0, c = 0, d = 0;
    double best = 0.0;
    for (int i = 1; i < count; ++i) {
        double x = hwDistance(points[0], points[i]);
        if (x > best) best = x, b = i;
    }
    best = 0.0;
    for (int i = 1; i < count; ++i) {
        double x = hwLength(hwCross(hwSub(points[b], points[0]), hwSub(points[i], points[0])));
        if (x > best) best = x, c = i;
    }
    best = 0.0;
    for (int i = 1; i < count; ++i) {
        double x = fabs(hwDot(hwCross(hwSub(points[b], points[0]), hwSub(points[c], points[0])),
                              hwSub(points[i], points[0])));
        if (x > best) best = x, d = i;
    }
    if (best < 1e-7 * size * size * size) return HW_OK; // flat
    const int first[3] = {0, b, c};
    bool up = Height(builder, first, builder->points[d]) > 0.0;
    AddFace(builder, 0, up ? c : b, up ? b : c);
    AddFace(builder, 0, up ? b : d, up ? d : b);
    AddFace(builder, b, up ? c : d, up ? d : c);
    AddFace(builder, c, up ? 0 : d, up ? d : 0);
    for (int i = 1; i < count; ++i) {
        if (i != b && i != c && i != d) AddHullPoint(builder, i);
    }
    *hull = (hwMeshData){count, builder->points, builder->faceCount, (const int(*)[3])builder->faces};
    return HW_OK;
}

static HullBuilder builder;

static double GetVolume(const hwMeshData* mesh) {
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = HW_SHAPE_MESH;
    shape.mesh = *mesh;
    return hwShape_GetMassProperties(&shape).volume;
}

static hwDecomposition Decompose(const SampleMesh* mesh, int parts, double tolerance) {
    hwAllocator allocator = hwDefaultAllocator();
    hwDecomposeDef def = hwDefaultDecomposeDef();
    def.buildHull = BuildHull;
    def.context = &builder;
    def.maxParts = parts;
    def.tolerance = tolerance;
    hwMeshData data = GetMeshData(mesh);
    hwDecomposition out;
    hwError error;
    if (hwDecompose(&data, &def, &allocator, &out, &error) != HW_OK) fail_msg("%s", error.message);
    double sum = 0.0, solid = GetVolume(&data);
    for (int i = 0; i < out.partCount; ++i) {
        if (hwMesh_CheckTriangles(&out.parts[i], "part", &error) ==
            HW_OK) { // shaken points may leave slivers
            assert_int_equal(hwMesh_CheckClosed(&out.parts[i], "part", &error), HW_OK);
            assert_int_equal(hwMesh_CheckConvex(&out.parts[i], "part", &error), HW_OK);
        }
        sum += GetVolume(&out.parts[i]);
    }
    // The boxes' volumes add up to the solid's: the measurement inside them is exact.
    if (!(fabs(sum / (1.0 + out.excess) - solid) < 1e-6 * solid)) {
        fail_msg("solid %.9g instead of %.9g", sum / (1.0 + out.excess), solid);
    }
    return out;
}

// Every point of the solid is in a part.
static void CheckCover(const SampleMesh* mesh, const hwDecomposition* parts) {
    hwAllocator allocator = hwDefaultAllocator();
    hwMeshData data = GetMeshData(mesh);
    hwMeshTree tree;
    assert_int_equal(hwMeshTree_Init(&tree, &allocator, &data, NULL), HW_OK);
    hwRandom random = {1};
    int inside = 0;
    for (int i = 0; i < 20000; ++i) {
        hwVec3 x = RandomVec3(&random, 3.5);
        if (!hwMesh_Contains(&tree, x)) continue;
        inside += 1;
        bool covered = false;
        for (int k = 0; k < parts->partCount && !covered; ++k) {
            const hwMeshData* part = &parts->parts[k];
            bool in = true;
            for (int f = 0; f < part->triangleCount && in; ++f) {
                hwVec3 a = part->vertices[part->triangles[f][0]], b = part->vertices[part->triangles[f][1]],
                       c = part->vertices[part->triangles[f][2]];
                hwVec3 n = hwCross(hwSub(b, a), hwSub(c, a));
                in = hwDot(n, hwSub(x, a)) <= 1e-6 * hwLength(n);
            }
            covered = in;
        }
        assert_true(covered);
    }
    assert_true(inside > 100);
    hwMeshTree_Free(&tree, &allocator);
}

static void FreeParts(hwDecomposition* parts) {
    hwAllocator allocator = hwDefaultAllocator();
    hwFreeDecomposition(parts, &allocator);
}

static void ConvexSolidsStayWhole(void** state) {
    (void)state;
    SampleMesh ball = MakeIcosphere(1.0, 2);
    hwDecomposition parts = Decompose(&ball, 16, 0.01);
    assert_int_equal(parts.partCount, 1);
    assert_true(fabs(parts.excess) < 1e-6);
    CheckCover(&ball, &parts);
    FreeParts(&parts);
    FreeMesh(&ball);
}

// A prism over a polygon given counter-clockwise, its ends fanned from vertex 0.
static SampleMesh MakePrism(int n, const double (*profile)[2], const int (*fan)[3]) {
    SampleMesh mesh = NewMesh(2 * n, 2 * (n - 2) + 2 * n);
    int t = 0;
    for (int i = 0; i < n; ++i) {
        mesh.vertices[i] = hwMakeVec3(profile[i][0], profile[i][1], 0.0);
        mesh.vertices[n + i] = hwMakeVec3(profile[i][0], profile[i][1], 1.0);
        int j = (i + 1) % n;
        const int side[2][3] = {{i, j, n + j}, {i, n + j, n + i}};
        memcpy(mesh.triangles[t], side, sizeof(side));
        t += 2;
    }
    for (int i = 0; i < n - 2; ++i) {
        const int ends[2][3] = {{fan[i][0], fan[i][2], fan[i][1]},
                                {n + fan[i][0], n + fan[i][1], n + fan[i][2]}};
        memcpy(mesh.triangles[t], ends, sizeof(ends));
        t += 2;
    }
    return mesh;
}

static void AnglesAndChannelsAreCutAtTheirCorners(void** state) {
    (void)state;
    static const double angle[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 3}, {0, 3}};
    static const int angleFan[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}};
    SampleMesh mesh = MakePrism(6, angle, angleFan);
    hwDecomposition parts = Decompose(&mesh, 16, 1e-5);
    assert_int_equal(parts.partCount, 2);
    assert_true(parts.excess < 1e-5);
    CheckCover(&mesh, &parts);
    FreeParts(&parts);
    FreeMesh(&mesh);
    // Two reentrant corners: three parts.
    static const double channel[8][2] = {{0, 0}, {3, 0}, {3, 2}, {2, 2}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    static const int channelFan[6][3] = {{0, 1, 4}, {1, 2, 3}, {1, 3, 4}, {0, 4, 5}, {0, 5, 6}, {0, 6, 7}};
    mesh = MakePrism(8, channel, channelFan);
    parts = Decompose(&mesh, 16, 1e-5);
    assert_int_equal(parts.partCount, 3);
    assert_true(parts.excess < 1e-5);
    CheckCover(&mesh, &parts);
    FreeParts(&parts);
    FreeMesh(&mesh);
}

static SampleMesh MakeTorus(double major, double minor, int around, int across) {
    SampleMesh mesh = NewMesh(around * across, 2 * around * across);
    for (int i = 0; i < around; ++i) {
        for (int j = 0; j < across; ++j) {
            double a = 2.0 * HW_PI * i / around, b = 2.0 * HW_PI * j / across, r = major + minor * cos(b);
            mesh.vertices[i * across + j] = hwMakeVec3(r * cos(a), r * sin(a), minor * sin(b));
            int i1 = (i + 1) % around, j1 = (j + 1) % across,
                v[4] = {i * across + j, i1 * across + j, i * across + j1, i1 * across + j1};
            const int faces[2][3] = {{v[0], v[1], v[3]}, {v[0], v[3], v[2]}};
            memcpy(mesh.triangles[2 * (i * across + j)], faces, sizeof(faces));
        }
    }
    return mesh;
}

// A ring in ever more parts gets ever closer; the hole stays open.
static void RingsGetCloserWithMoreParts(void** state) {
    (void)state;
    SampleMesh ring = MakeTorus(2.0, 0.5, 24, 10);
    double last = HUGE_VAL;
    const int counts[] = {1, 4, 8, 16};
    for (int k = 0; k < 4; ++k) {
        hwDecomposition parts = Decompose(&ring, counts[k], 0.0);
        assert_true(parts.partCount <= counts[k]);
        assert_true(parts.excess < 0.7 * last);
        last = parts.excess;
        if (counts[k] >= 8) CheckCover(&ring, &parts);
        FreeParts(&parts);
    }
    assert_true(last < 0.12);
    hwDecomposition parts = Decompose(&ring, 64, 0.3);
    assert_true(parts.excess <= 0.3 && parts.partCount < 16); // stops at the tolerance
    FreeParts(&parts);
    FreeMesh(&ring);
}

static void BadRequestsAreRefused(void** state) {
    (void)state;
    hwAllocator allocator = hwDefaultAllocator();
    SampleMesh mesh = MakeTetrahedron(1.0);
    hwMeshData data = GetMeshData(&mesh);
    hwDecomposeDef def = hwDefaultDecomposeDef();
    hwDecomposition out;
    hwError error;
    assert_int_equal(hwDecompose(&data, &def, &allocator, &out, &error), HW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "without buildHull"));
    def.buildHull = BuildHull;
    def.context = &builder;
    def.maxParts = 0;
    assert_int_equal(hwDecompose(&data, &def, &allocator, &out, &error), HW_ERROR_ARGUMENT);
    FreeMesh(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ConvexSolidsStayWhole),
        cmocka_unit_test(AnglesAndChannelsAreCutAtTheirCorners),
        cmocka_unit_test(RingsGetCloserWithMoreParts),
        cmocka_unit_test(BadRequestsAreRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
