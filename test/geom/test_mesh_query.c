// Trees over triangles answer as a search over all triangles does; moving things stop where they touch.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "geom/mesh_query.h"
#include "geom/sample_shapes.h"
#include "geom/sweep.h"
#include "geom/triangle.h"

#include <stdio.h>

static hwMeshTree PlantTree(const SampleMesh* mesh) {
    hwMeshTree tree;
    hwAllocator allocator = hwDefaultAllocator();
    hwMeshData data = GetMeshData(mesh);
    assert_int_equal(hwMeshTree_Init(&tree, &allocator, &data, NULL), HW_OK);
    return tree;
}

static void FellTree(hwMeshTree* tree) {
    hwAllocator allocator = hwDefaultAllocator();
    hwMeshTree_Free(tree, &allocator);
}

static void GetCorners(const SampleMesh* mesh, int t, hwVec3 c[3]) {
    for (int k = 0; k < 3; ++k) c[k] = mesh->vertices[mesh->triangles[t][k]];
}

// A ball with bumps: not convex.
static SampleMesh MakePotato(int level) {
    SampleMesh mesh = MakeIcosphere(1.0, level);
    for (int i = 0; i < mesh.vertexCount; ++i) {
        hwVec3 v = mesh.vertices[i];
        mesh.vertices[i] = hwScale(1.0 + 0.3 * sin(5.0 * v.x) * cos(4.0 * v.y + v.z), v);
    }
    return mesh;
}

// Nearest point by searching along the segment, for each triangle: a method of its own.
static double SearchDistance(hwVec3 p, hwVec3 q, const hwVec3 c[3]) {
    double low = 0.0, high = 1.0;
    for (int k = 0; k < 80; ++k) { // the distance to a convex set is convex along a line
        double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0;
        hwVec3 x = hwMulAdd(p, a, hwSub(q, p)), y = hwMulAdd(p, b, hwSub(q, p));
        double fa = hwDistance(x, hwTriangle_GetNearest(c[0], c[1], c[2], x));
        double fb = hwDistance(y, hwTriangle_GetNearest(c[0], c[1], c[2], y));
        if (fa <= fb) {
            high = b;
        } else {
            low = a;
        }
    }
    hwVec3 x = hwMulAdd(p, low, hwSub(q, p));
    return hwDistance(x, hwTriangle_GetNearest(c[0], c[1], c[2], x));
}

static void SegmentsAndTrianglesMatchASearch(void** state) {
    (void)state;
    hwRandom random = {1};
    int crossing = 0;
    for (int i = 0; i < 20000; ++i) {
        hwVec3 c[3], p = RandomVec3(&random, 1.0), q = RandomVec3(&random, 1.0);
        for (int k = 0; k < 3; ++k) c[k] = RandomVec3(&random, 1.0);
        if (i % 5 == 0) q.z = p.z = 0.5, c[0].z = c[1].z = c[2].z = 0.25; // parallel
        if (i % 7 == 0) q = p;
        hwSegmentTriangle near = hwSegmentTriangle_GetNearest(p, q, c[0], c[1], c[2]);
        double expected = SearchDistance(p, q, c);
        // A minimum is searched to the square root of rounding.
        if (!(fabs(sqrt(near.distance2) - expected) < 1e-7))
            fail_msg("%g instead of %g", sqrt(near.distance2), expected);
        assert_true(sqrt(near.distance2) <= expected + 1e-12);
        assert_true(fabs(hwDistance(near.onSegment, near.onTriangle) - sqrt(near.distance2)) < 1e-12);
        assert_true(hwDistance(near.onSegment, hwMulAdd(p, near.s, hwSub(q, p))) < 1e-12);
        crossing += near.crosses;
    }
    assert_true(crossing > 500);
}

static void NearestTrianglesMatchASearchOverAll(void** state) {
    (void)state;
    SampleMesh mesh = MakePotato(3);
    hwMeshTree tree = PlantTree(&mesh);
    hwRandom random = {2};
    for (int i = 0; i < 600; ++i) {
        hwVec3 p = RandomVec3(&random, 1.5), q = hwAdd(p, RandomVec3(&random, i % 3 == 0 ? 0.0 : 0.5));
        double best = HUGE_VAL, reach = i % 2 ? 10.0 : 0.2;
        int within = 0;
        for (int t = 0; t < mesh.triangleCount; ++t) {
            hwVec3 c[3];
            GetCorners(&mesh, t, c);
            double d2 = hwSegmentTriangle_GetNearest(p, q, c[0], c[1], c[2]).distance2;
            best = fmin(best, d2);
            within += d2 <= 0.04;
        }
        hwMeshHit hit, hits[400];
        bool found = hwMesh_FindNearest(&tree, p, q, reach, &hit);
        assert_true(found == (sqrt(best) <= reach));
        if (found) assert_true(fabs(hit.distance - sqrt(best)) < 1e-12);
        int count = hwMesh_FindWithin(&tree, p, q, 0.2, hits, 400);
        assert_int_equal(count, within);
        // With room for fewer, the nearest are kept.
        int some = hwMesh_FindWithin(&tree, p, q, 0.2, hits, 3);
        assert_int_equal(some, within);
        for (int k = 0; k < some && k < 3; ++k) {
            bool isFirst = fabs(hits[k].distance - sqrt(best)) < 1e-12;
            if (isFirst) break;
            assert_true(k < 2 && k + 1 < some);
        }
    }
    FellTree(&tree);
    FreeMesh(&mesh);
}

// Winding number: the solid angles of all triangles (van Oosterom & Strackee 1983).
static double GetWinding(const SampleMesh* mesh, hwVec3 x) {
    double sum = 0.0;
    for (int t = 0; t < mesh->triangleCount; ++t) {
        hwVec3 c[3];
        GetCorners(mesh, t, c);
        hwVec3 a = hwSub(c[0], x), b = hwSub(c[1], x), d = hwSub(c[2], x);
        double la = hwLength(a), lb = hwLength(b), ld = hwLength(d);
        sum += 2.0 * atan2(hwDot(a, hwCross(b, d)),
                           la * lb * ld + hwDot(a, b) * ld + hwDot(b, d) * la + hwDot(d, a) * lb);
    }
    return sum / (4.0 * HW_PI);
}

static void InsideAndOutsideMatchTheWindingNumber(void** state) {
    (void)state;
    // A potato, and a tetrahedron whose sharp corners make the nearest triangle ambiguous.
    SampleMesh meshes[2] = {MakePotato(2), MakeTetrahedron(1.5)};
    hwRandom random = {3};
    for (int m = 0; m < 2; ++m) {
        hwMeshTree tree = PlantTree(&meshes[m]);
        int inside = 0;
        for (int i = 0; i < 3000; ++i) {
            hwVec3 x = RandomVec3(&random, 1.5);
            double winding = GetWinding(&meshes[m], x);
            assert_true(fabs(winding - round(winding)) < 1e-6);
            assert_true(hwMesh_Contains(&tree, x) == (winding > 0.5));
            inside += winding > 0.5;
            hwMeshHit hit;
            assert_true(hwMesh_FindNearest(&tree, x, x, 10.0, &hit));
            assert_true((hit.side < 0.0) == (winding > 0.5));
            // From a convex solid the normal leads straight out.
            if (m == 1 && hit.distance > 1e-3) {
                assert_true(!hwMesh_Contains(&tree, hwMulAdd(hit.onMesh, 1e-6, hit.normal)));
            }
        }
        assert_true(inside > 20);
        FellTree(&tree);
        FreeMesh(&meshes[m]);
    }
}

static void RaysMatchASearchOverAll(void** state) {
    (void)state;
    SampleMesh mesh = MakePotato(3);
    hwMeshTree tree = PlantTree(&mesh);
    hwRandom random = {4};
    int hitting = 0;
    for (int i = 0; i < 3000; ++i) {
        hwVec3 from = RandomVec3(&random, 2.0), d = RandomUnit(&random);
        if (i % 3 == 0) d = hwMakeVec3(i % 2, 1 - i % 2, 0); // along an axis
        double best = HUGE_VAL;
        for (int t = 0; t < mesh.triangleCount; ++t) {
            // The plane, then the three sides: independent of the sheared test.
            hwVec3 c[3];
            GetCorners(&mesh, t, c);
            hwVec3 n = hwCross(hwSub(c[1], c[0]), hwSub(c[2], c[0]));
            double rate = hwDot(n, d), s = hwDot(n, hwSub(c[0], from)) / rate;
            if (!(s >= 0.0 && s < best)) continue;
            hwVec3 x = hwMulAdd(from, s, d);
            bool in = true;
            for (int k = 0; k < 3; ++k) {
                in = in && hwDot(n, hwCross(hwSub(c[(k + 1) % 3], c[k]), hwSub(x, c[k]))) >= 0.0;
            }
            if (in) best = s;
        }
        hwCastHit hit;
        bool found = hwMesh_CastRay(&tree, from, d, 100.0, &hit);
        assert_true(found == (best < HUGE_VAL));
        if (!found) continue;
        hitting += 1;
        assert_true(fabs(hit.t - best) < 1e-12);
        assert_true(hwDot(hit.normal, d) <= 0.0);
        assert_false(hwMesh_CastRay(&tree, from, d, 0.999 * best, &hit));
    }
    assert_true(hitting > 500);
    // Straight at shared vertices and edges: no ray slips through.
    for (int i = 0; i < mesh.vertexCount; ++i) {
        hwVec3 target = mesh.vertices[i], from = hwScale(3.0, target);
        hwCastHit hit;
        assert_true(hwMesh_CastRay(&tree, from, hwNeg(from), 1.0, &hit));
        target =
            hwScale(0.5, hwAdd(mesh.vertices[mesh.triangles[i][0]], mesh.vertices[mesh.triangles[i][1]]));
        from = hwScale(3.0, target);
        assert_true(hwMesh_CastRay(&tree, from, hwNeg(from), 1.0, &hit));
    }
    FellTree(&tree);
    FreeMesh(&mesh);
}

static double MeshDistance(const SampleMesh* mesh, hwVec3 p, hwVec3 q) {
    double best = HUGE_VAL;
    for (int t = 0; t < mesh->triangleCount; ++t) {
        hwVec3 c[3];
        GetCorners(mesh, t, c);
        best = fmin(best, hwSegmentTriangle_GetNearest(p, q, c[0], c[1], c[2]).distance2);
    }
    return sqrt(best);
}

static void MovingBallsStopAtTheFirstTouch(void** state) {
    (void)state;
    SampleMesh mesh = MakePotato(2);
    hwMeshTree tree = PlantTree(&mesh);
    hwRandom random = {5};
    int hits = 0;
    for (int i = 0; i < 1500; ++i) {
        hwVec3 from = hwScale(2.5, RandomUnit(&random)), d = hwSub(RandomVec3(&random, 0.8), from);
        double radius = hwRandom_Range(&random, 0.01, 0.5);
        hwCastHit hit;
        bool found = hwMesh_SweepBall(&tree, from, d, radius, 1.0, &hit);
        double end = found ? hit.t : 1.0;
        // Never nearer than the radius on the way; exactly as near at the end.
        for (int k = 0; k < 20; ++k) {
            hwVec3 x = hwMulAdd(from, end * k / 20.0, d);
            assert_true(MeshDistance(&mesh, x, x) > radius - 1e-9);
        }
        if (!found) continue;
        hits += 1;
        hwVec3 x = hwMulAdd(from, hit.t, d);
        assert_true(fabs(MeshDistance(&mesh, x, x) - radius) < 1e-9);
        assert_true(fabs(hwDistance(x, hit.point) - radius) < 1e-9);
        assert_true(hwDistance(hwMulAdd(hit.point, radius, hit.normal), x) < 1e-9);
        // A capsule without length is a ball.
        hwCastHit capsule;
        hwVec3 to = hwAdd(from, d);
        assert_true(hwMesh_SweepCapsule(&tree, from, from, to, to, radius, &capsule));
        assert_true(fabs(capsule.t - hit.t) < 1e-8);
    }
    assert_true(hits > 500);
    FellTree(&tree);
    FreeMesh(&mesh);
}

static void MovingCapsulesStopAtTheFirstTouch(void** state) {
    (void)state;
    SampleMesh mesh = MakePotato(2);
    hwMeshTree tree = PlantTree(&mesh);
    hwRandom random = {6};
    int hits = 0;
    for (int i = 0; i < 600; ++i) {
        hwVec3 p0 = hwScale(2.5, RandomUnit(&random)), q0 = hwAdd(p0, RandomVec3(&random, 0.4));
        hwVec3 p1 = RandomVec3(&random, 1.5),
               q1 = hwAdd(p1, RandomVec3(&random, 0.4)); // turns and stretches too
        double radius = hwRandom_Range(&random, 0.001, 0.2);
        hwCastHit hit;
        bool found = hwMesh_SweepCapsule(&tree, p0, q0, p1, q1, radius, &hit);
        double end = found ? hit.t : 1.0;
        for (int k = 0; k < 20; ++k) {
            double t = end * k / 20.0;
            hwVec3 p = hwMulAdd(p0, t, hwSub(p1, p0)), q = hwMulAdd(q0, t, hwSub(q1, q0));
            assert_true(MeshDistance(&mesh, p, q) > radius - 1e-8);
        }
        if (!found) continue;
        hits += 1;
        hwVec3 p = hwMulAdd(p0, hit.t, hwSub(p1, p0)), q = hwMulAdd(q0, hit.t, hwSub(q1, q0));
        assert_true(fabs(MeshDistance(&mesh, p, q) - radius) < 1e-8);
        hwVec3 on = hwMulAdd(p, hit.s, hwSub(q, p));
        assert_true(fabs(hwDistance(on, hit.point) - radius) < 1e-8);
    }
    assert_true(hits > 300);
    // Fast and thin: 10 m/s, 1/60 s, a 1 mm line against a plate of 1 mm. Nothing tunnels.
    SampleMesh plate = MakeBoxMesh(hwMakeVec3(-1, -1, -0.0005), hwMakeVec3(1, 1, 0.0005));
    hwMeshTree thin = PlantTree(&plate);
    for (int i = 0; i < 500; ++i) {
        hwVec3 p = hwMakeVec3(-0.5, hwRandom_Range(&random, -0.5, 0.5), hwRandom_Range(&random, 0.002, 0.16));
        hwVec3 q = hwMakeVec3(0.5, hwRandom_Range(&random, -0.5, 0.5), hwRandom_Range(&random, 0.002, 0.16));
        hwVec3 fall = hwMakeVec3(0.01, 0.02, -10.0 / 60.0);
        hwCastHit hit;
        assert_true(hwMesh_SweepCapsule(&thin, p, q, hwAdd(p, fall), hwAdd(q, fall), 0.0005, &hit));
        double lower = fmin(p.z, q.z);
        assert_true(fabs(hit.t * 10.0 / 60.0 - (lower - 0.001)) < 1e-8);
        assert_true(hit.normal.z > 0.999999);
    }
    FellTree(&thin);
    FreeMesh(&plate);
    FellTree(&tree);
    FreeMesh(&mesh);
}

static void SweepsAndRaysAgainstConvexBodies(void** state) {
    (void)state;
    hwRandom random = {7};
    hwConvex bodies[4] = {hwMakeBox(hwMakeVec3(1.0, 0.5, 0.8)), hwMakeSphere(0.6), hwMakeCapsule(0.3, 1.0),
                          hwMakeCylinder(0.4, 1.2)};
    int hits[8] = {0}; // of rays at each body, then of balls
    for (int i = 0; i < 4000; ++i) {
        const hwConvex* body = &bodies[i % 4];
        hwPose pose = RandomPose(&random, 0.5);
        hwVec3 from = hwScale(3.0, RandomUnit(&random)), d = hwSub(RandomVec3(&random, 0.8), from);
        double radius = i % 8 < 4 ? 0.0 : 0.2;
        hwCastHit hit;
        bool found = radius > 0.0 ? hwConvex_SweepBall(body, pose, from, d, radius, 1.0, &hit)
                                  : hwConvex_CastRay(body, pose, from, d, 1.0, &hit);
        hwConvex ball = hwMakeSphere(radius);
        double end = found ? hit.t : 1.0;
        for (int k = 0; k < 10; ++k) {
            hwPose at = {hwMulAdd(from, end * k / 10.0, d), hwQuat_identity};
            assert_true(hwConvex_FindClosest(body, pose, &ball, at, NULL).distance > -1e-8);
        }
        if (!found) continue;
        hits[i % 8] += 1;
        hwPose at = {hwMulAdd(from, hit.t, d), hwQuat_identity};
        assert_true(fabs(hwConvex_FindClosest(body, pose, &ball, at, NULL).distance) < 1e-8);
        assert_true(hwDistance(hwMulAdd(hit.point, radius, hit.normal), at.p) < 1e-7);
        // The same as a sweep of a convex ball, and as a capsule without length.
        hwCastHit other;
        hwPose start = {from, hwQuat_identity};
        assert_true(hwConvex_Sweep(&ball, start, d, body, pose, &other));
        assert_true(fabs(other.t - hit.t) < 1e-7);
        hwMovingCapsule capsule = {from, from, d, d, radius};
        other = (hwCastHit){.t = 1.0};
        assert_true(hwMovingCapsule_MeetConvex(&capsule, body, pose, &other));
        assert_true(fabs(other.t - hit.t) < 1e-7);
        // From inside: at once.
        hwVec3 center = pose.p;
        assert_true(hwConvex_CastRay(body, pose, center, d, 1.0, &other) && other.t == 0.0);
    }
    for (int k = 0; k < 8; ++k) assert_true(hits[k] > 100);
}

static bool EdgesCross(const hwVec3 a[3], const hwVec3 b[3]) {
    for (int k = 0; k < 3; ++k) {
        if (hwSegmentTriangle_GetNearest(a[k], a[(k + 1) % 3], b[0], b[1], b[2]).crosses) return true;
        if (hwSegmentTriangle_GetNearest(b[k], b[(k + 1) % 3], a[0], a[1], a[2]).crosses) return true;
    }
    return false;
}

static void PairsOfTrianglesMatchASearchOverAll(void** state) {
    (void)state;
    SampleMesh a = MakePotato(2), b = MakeIcosphere(0.7, 2);
    hwMeshTree ta = PlantTree(&a), tb = PlantTree(&b);
    hwRandom random = {8};
    static hwTrianglePair pairs[4000];
    int total = 0;
    for (int i = 0; i < 30; ++i) {
        hwPose pose = RandomPose(&random, 1.0);
        int count = hwMeshes_FindPairs(&ta, &tb, pose, pairs, 4000), expected = 0;
        static char found[320][320];
        memset(found, 0, sizeof(found));
        for (int k = 0; k < count; ++k) {
            assert_false(found[pairs[k].a][pairs[k].b]); // each once
            found[pairs[k].a][pairs[k].b] = 1;
            // The common segment lies on both.
            hwVec3 c[3], ends[2] = {pairs[k].from, pairs[k].to};
            for (int e = 0; e < 2; ++e) {
                GetCorners(&a, pairs[k].a, c);
                assert_true(hwDistance(ends[e], hwTriangle_GetNearest(c[0], c[1], c[2], ends[e])) < 1e-12);
                GetCorners(&b, pairs[k].b, c);
                hwVec3 x = hwInvTransformPoint(pose, ends[e]);
                assert_true(hwDistance(x, hwTriangle_GetNearest(c[0], c[1], c[2], x)) < 1e-12);
            }
        }
        for (int s = 0; s < a.triangleCount; ++s) {
            hwVec3 first[3], second[3];
            GetCorners(&a, s, first);
            for (int t = 0; t < b.triangleCount; ++t) {
                GetCorners(&b, t, second);
                for (int k = 0; k < 3; ++k) second[k] = hwTransformPoint(pose, second[k]);
                bool cross = EdgesCross(first, second);
                expected += cross;
                if (cross != found[s][t]) fail_msg("pair %d %d", s, t);
            }
        }
        assert_int_equal(count, expected);
        assert_int_equal(hwMeshes_FindPairs(&ta, &tb, pose, pairs, 5), expected);
        total += count;
    }
    assert_true(total > 1000);
    // Coplanar triangles that overlap, and that do not.
    hwVec3 one[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, two[3] = {{0.2, 0.2, 0}, {2, 0.2, 0}, {0.2, 2, 0}},
           three[3] = {{2, 2, 0}, {3, 2, 0}, {2, 3, 0}},
           four[3] = {{0.1, 0.1, 0}, {0.2, 0.1, 0}, {0.1, 0.2, 0}};
    hwVec3 from, to;
    assert_true(hwTriangles_Intersect(one, two, &from, &to));
    assert_false(hwTriangles_Intersect(one, three, &from, &to));
    assert_true(hwTriangles_Intersect(one, four, &from, &to));
    FellTree(&ta);
    FellTree(&tb);
    FreeMesh(&a);
    FreeMesh(&b);
}

// A mesh that breathes: refitted in place it answers like one built anew.
static void DeformedMeshesAreRefittedInPlace(void** state) {
    (void)state;
    SampleMesh mesh = MakeIcosphere(1.0, 3);
    hwMeshTree tree = PlantTree(&mesh);
    for (int step = 0; step < 5; ++step) {
        for (int i = 0; i < mesh.vertexCount; ++i) {
            hwVec3 v = mesh.vertices[i];
            tree.vertices[i] = hwScale(1.0 + 0.2 * sin(3.0 * v.x + step), v);
        }
        hwMeshTree_Refit(&tree);
        SampleMesh moved = {mesh.vertexCount, mesh.triangleCount, tree.vertices, mesh.triangles};
        hwMeshTree fresh = PlantTree(&moved);
        hwRandom random = {9};
        for (int i = 0; i < 200; ++i) {
            hwVec3 p = RandomVec3(&random, 1.5), q = RandomVec3(&random, 1.5);
            hwMeshHit a, b;
            assert_true(hwMesh_FindNearest(&tree, p, q, 10.0, &a) &&
                        hwMesh_FindNearest(&fresh, p, q, 10.0, &b));
            assert_true(fabs(a.distance - b.distance) < 1e-14);
        }
        FellTree(&fresh);
    }
    FellTree(&tree);
    FreeMesh(&mesh);
}

static void BoxQueriesFindEveryTriangle(void** state) {
    (void)state;
    SampleMesh mesh = MakePotato(3);
    hwMeshTree tree = PlantTree(&mesh);
    hwRandom random = {10};
    for (int i = 0; i < 300; ++i) {
        hwVec3 at = RandomVec3(&random, 1.3), size = hwMakeVec3(0.1, 0.2, 0.3);
        hwBox box = {hwSub(at, size), hwAdd(at, size)};
        int expected = 0, found[2000], count = hwMesh_FindInBox(&tree, box, found, 2000);
        for (int t = 0; t < mesh.triangleCount; ++t) {
            hwVec3 c[3];
            GetCorners(&mesh, t, c);
            hwBox own = hwBox_AddPoint(hwBox_OfSegment(c[0], c[1]), c[2]);
            expected += hwBox_Overlaps(&own, &box);
        }
        assert_int_equal(count, expected);
    }
    FellTree(&tree);
    FreeMesh(&mesh);
    // Many equal triangles have equal centres: the tree must still be built.
    SampleMesh heap = NewMesh(3, 1000);
    heap.vertices[0] = hwVec3_zero;
    heap.vertices[1] = hwMakeVec3(1, 0, 0);
    heap.vertices[2] = hwMakeVec3(0, 1, 0);
    for (int i = 0; i < 1000; ++i) {
        for (int k = 0; k < 3; ++k) heap.triangles[i][k] = k;
    }
    tree = PlantTree(&heap);
    hwBox box = {{0, 0, 0}, {1, 1, 1}};
    assert_int_equal(hwMesh_FindInBox(&tree, box, NULL, 0), 1000);
    FellTree(&tree);
    FreeMesh(&heap);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(SegmentsAndTrianglesMatchASearch),
        cmocka_unit_test(NearestTrianglesMatchASearchOverAll),
        cmocka_unit_test(InsideAndOutsideMatchTheWindingNumber),
        cmocka_unit_test(RaysMatchASearchOverAll),
        cmocka_unit_test(MovingBallsStopAtTheFirstTouch),
        cmocka_unit_test(MovingCapsulesStopAtTheFirstTouch),
        cmocka_unit_test(SweepsAndRaysAgainstConvexBodies),
        cmocka_unit_test(PairsOfTrianglesMatchASearchOverAll),
        cmocka_unit_test(DeformedMeshesAreRefittedInPlace),
        cmocka_unit_test(BoxQueriesFindEveryTriangle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
