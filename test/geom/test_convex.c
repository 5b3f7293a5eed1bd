// Distance and depth of convex bodies against exhaustive searches over all features, for thousands of random poses.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "geom/convex.h"
#include "geom/sample_shapes.h"
#include "geom/shape_data.h"
#include "geom/triangle.h"

#include <stdio.h>

typedef struct Body {
    SampleMesh mesh;
    hwHull hull;
    hwConvex convex;
} Body;

static Body MakeBody(SampleMesh mesh) {
    Body body = {.mesh = mesh};
    hwAllocator allocator = hwDefaultAllocator();
    hwMeshData data = GetMeshData(&mesh);
    hwError error;
    if (hwHull_Init(&body.hull, &allocator, &data, &error) != HW_OK) fail_msg("%s", error.message);
    return body;
}

static void FreeBody(Body* body) {
    hwAllocator allocator = hwDefaultAllocator();
    hwHull_Free(&body->hull, &allocator);
    FreeMesh(&body->mesh);
}

static void Project(const SampleMesh* mesh, hwPose pose, hwVec3 n, double* low, double* high) {
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (int i = 0; i < mesh->vertexCount; ++i) {
        double x = hwDot(n, hwTransformPoint(pose, mesh->vertices[i]));
        *low = fmin(*low, x);
        *high = fmax(*high, x);
    }
}

// Depth by all separating axes: face normals and cross products of edges. Positive: they overlap.
static double DepthByAxes(const Body* a, hwPose pa, const Body* b, hwPose pb) {
    double best = HUGE_VAL;
    const SampleMesh *ma = &a->mesh, *mb = &b->mesh;
    int pairs = 9 * ma->triangleCount * mb->triangleCount;
    for (int i = -ma->triangleCount - mb->triangleCount; i < pairs; ++i) {
        hwVec3 n;
        if (i < 0) {
            bool first = -i <= ma->triangleCount;
            int t = first ? -i - 1 : -i - 1 - ma->triangleCount;
            const SampleMesh* m = first ? ma : mb;
            hwPose pose = first ? pa : pb;
            const int* v = m->triangles[t];
            n = hwRotate(pose.q, hwCross(hwSub(m->vertices[v[1]], m->vertices[v[0]]),
                                         hwSub(m->vertices[v[2]], m->vertices[v[0]])));
        } else {
            const int *v = ma->triangles[i / 3 % ma->triangleCount],
                      *w = mb->triangles[i / (9 * ma->triangleCount)];
            int k = i % 3, l = i / (3 * ma->triangleCount) % 3;
            if (v[k] > v[(k + 1) % 3] || w[l] > w[(l + 1) % 3]) continue; // each edge once
            hwVec3 e = hwRotate(pa.q, hwSub(ma->vertices[v[(k + 1) % 3]], ma->vertices[v[k]]));
            hwVec3 f = hwRotate(pb.q, hwSub(mb->vertices[w[(l + 1) % 3]], mb->vertices[w[l]]));
            n = hwCross(e, f);
            if (hwLength(n) < 1e-6 * hwLength(e) * hwLength(f)) continue;
        }
        n = hwNormalize(n);
        double lowA, highA, lowB, highB;
        Project(ma, pa, n, &lowA, &highA);
        Project(mb, pb, n, &lowB, &highB);
        best = fmin(best, fmin(highA - lowB, highB - lowA));
        if (best < 0.0) return best;
    }
    return best;
}

// Distance of separate bodies: the nearest of all edges of one and triangles of the other.
static double DistanceByFeatures(const Body* a, hwPose pa, const Body* b, hwPose pb) {
    double best = HUGE_VAL;
    for (int pass = 0; pass < 2; ++pass) {
        const SampleMesh *edges = pass ? &b->mesh : &a->mesh, *faces = pass ? &a->mesh : &b->mesh;
        hwPose pe = pass ? pb : pa, pf = pass ? pa : pb;
        for (int i = 0; i < 3 * edges->triangleCount; ++i) {
            int from = edges->triangles[i / 3][i % 3], to = edges->triangles[i / 3][(i % 3 + 1) % 3];
            if (from > to) continue;
            hwVec3 p = hwTransformPoint(pe, edges->vertices[from]),
                   q = hwTransformPoint(pe, edges->vertices[to]);
            for (int j = 0; j < faces->triangleCount; ++j) {
                const int* t = faces->triangles[j];
                hwSegmentTriangle near = hwSegmentTriangle_GetNearest(
                    p, q, hwTransformPoint(pf, faces->vertices[t[0]]),
                    hwTransformPoint(pf, faces->vertices[t[1]]), hwTransformPoint(pf, faces->vertices[t[2]]));
                best = fmin(best, near.distance2);
            }
        }
    }
    return sqrt(best);
}

#define BODIES 5

static void MakeBodies(Body* bodies) {
    bodies[0] = MakeBody(MakeBoxMesh(hwMakeVec3(-0.5, -0.3, -0.8), hwMakeVec3(0.5, 0.3, 0.8)));
    bodies[0].convex = hwMakeBox(hwMakeVec3(1.0, 0.6, 1.6));
    bodies[1] = MakeBody(MakeTetrahedron(1.2));
    bodies[2] = MakeBody(MakeIcosphere(0.7, 0));
    bodies[3] = MakeBody(MakeBoxMesh(hwMakeVec3(-0.2, -0.9, -0.1), hwMakeVec3(0.2, 0.9, 0.1)));
    bodies[3].convex = hwMakeBox(hwMakeVec3(0.4, 1.8, 0.2));
    bodies[4] = MakeBody(MakeIcosphere(0.8, 1)); // enough vertices for hill climbing
    for (int i = 0; i < BODIES; ++i) {
        if (i != 0 && i != 3) bodies[i].convex = hwMakeHull(&bodies[i].hull);
    }
}

static void CheckPair(const Body* a, hwPose pa, const Body* b, hwPose pb, const hwClosest* found,
                      double expected, const char* what) {
    (void)a;
    (void)b;
    // The bodies are about 1 m: the issue asks for 1e-9.
    if (!(fabs(found->distance - expected) < 1e-9)) {
        fail_msg("%s: %.15g instead of %.15g (off by %.2e) after %d iterations", what, found->distance,
                 expected, found->distance - expected, found->iterations);
    }
    assert_true(fabs(hwLength(found->normal) - 1.0) < 1e-12);
    (void)pa;
    (void)pb;
}

static void DepthAndDistanceMatchExhaustiveSearch(void** state) {
    (void)state;
    Body bodies[BODIES];
    MakeBodies(bodies);
    hwRandom random = {1};
    int apart = 0, overlapping = 0;
    for (int i = 0; i < 12000; ++i) {
        // The large pairs are slow to search exhaustively.
        int x = i % 4, y = i / 4 % 4;
        if (i % 120 == 0) x = y = 4;
        const Body *a = &bodies[x], *b = &bodies[y];
        hwPose pa = RandomPose(&random, 0.7), pb = RandomPose(&random, 0.7);
        hwClosest found = hwConvex_FindClosest(&a->convex, pa, &b->convex, pb, NULL);
        double depth = DepthByAxes(a, pa, b, pb);
        double expected = depth > 0.0 ? -depth : DistanceByFeatures(a, pa, b, pb);
        CheckPair(a, pa, b, pb, &found, expected, "cold");
        apart += depth < 0.0;
        overlapping += depth > 0.0;
        // The witnesses are that far apart, along the normal, and inside the bodies' extent along it.
        hwVec3 gap = hwSub(found.pointB, found.pointA);
        double low, high;
        assert_true(fabs(hwDot(gap, found.normal) - found.distance) < 1e-9);
        Project(&a->mesh, pa, found.normal, &low, &high);
        assert_true(fabs(hwDot(found.pointA, found.normal) - high) < 1e-9);
        Project(&b->mesh, pb, found.normal, &low, &high);
        assert_true(fabs(hwDot(found.pointB, found.normal) - low) < 1e-9);
        if (depth < 0.0) assert_true(hwDistance(gap, hwScale(found.distance, found.normal)) < 1e-9);
    }
    assert_true(apart > 2000 && overlapping > 2000);
    for (int i = 0; i < BODIES; ++i) FreeBody(&bodies[i]);
}

// Hulls of boxes go through GJK and EPA, boxes through their 15 axes; both must agree.
static void BoxesAndTheirHullsAgree(void** state) {
    (void)state;
    Body bodies[BODIES];
    MakeBodies(bodies);
    hwRandom random = {2};
    for (int i = 0; i < 20000; ++i) {
        hwPose pa = RandomPose(&random, 0.6), pb = RandomPose(&random, 0.6);
        if (i % 4 == 0) pb.q = pa.q; // parallel faces and edges
        if (i % 4 == 1) {            // nearly so, or turned by right angles
            hwVec3 axis = hwMakeVec3(i / 4 % 3 == 0, i / 4 % 3 == 1, i / 4 % 3 == 2);
            hwVec3 little = RandomVec3(&random, pow(10.0, -hwRandom_Range(&random, 3.0, 6.0)));
            if (i % 8 == 1) little = RandomVec3(&random, pow(10.0, -hwRandom_Range(&random, 10.0, 16.0)));
            pb.q = hwMulQuat(pa.q, hwMulQuat(hwQuatFromAxisAngle(axis, 0.5 * HW_PI * (i / 12 % 4)),
                                             hwQuatFromRotationVector(little)));
        }
        hwConvex hullA = hwMakeHull(&bodies[0].hull), hullB = hwMakeHull(&bodies[3].hull);
        hwClosest box = hwConvex_FindClosest(&bodies[0].convex, pa, &bodies[3].convex, pb, NULL);
        hwClosest hull = hwConvex_FindClosest(&hullA, pa, &hullB, pb, NULL);
        CheckPair(&bodies[0], pa, &bodies[3], pb, &hull, box.distance, "hulls of boxes");
    }
    for (int i = 0; i < BODIES; ++i) FreeBody(&bodies[i]);
}

// A body that wanders through another, remembered from query to query, gets the same answer as without memory.
static void RememberedPairsGiveTheSameAnswer(void** state) {
    (void)state;
    Body bodies[BODIES];
    MakeBodies(bodies);
    hwRandom random = {3};
    long cold = 0, warm = 0;
    for (int path = 0; path < 60; ++path) {
        const Body *a = &bodies[path % BODIES], *b = &bodies[path / BODIES % BODIES];
        hwPose pa = RandomPose(&random, 0.3), pb = RandomPose(&random, 0.8);
        hwVec3 velocity = RandomVec3(&random, 0.01), rate = RandomVec3(&random, 0.02);
        hwPairCache cache = {0};
        for (int step = 0; step < 200; ++step) {
            pb.p = hwAdd(pb.p, velocity);
            pb.q = hwNormalizeQuat(hwMulQuat(hwQuatFromRotationVector(rate), pb.q));
            if (step % 50 == 49) pb = RandomPose(&random, 0.8); // a jump must not hurt
            hwClosest fresh = hwConvex_FindClosest(&a->convex, pa, &b->convex, pb, NULL);
            hwClosest kept = hwConvex_FindClosest(&a->convex, pa, &b->convex, pb, &cache);
            CheckPair(a, pa, b, pb, &kept, fresh.distance, "remembered");
            cold += fresh.iterations;
            warm += kept.iterations;
        }
    }
    assert_true(2 * warm < cold); // memory pays
    for (int i = 0; i < BODIES; ++i) FreeBody(&bodies[i]);
}

// Whether two bodies are farther apart than a limit, asked alone, is what their distance says: limits well and hardly on either
// side of it, none at all, bodies of every kind.
static void BodiesAreApartWhereTheirDistanceSaysSo(void** state) {
    (void)state;
    Body bodies[BODIES];
    MakeBodies(bodies);
    hwConvex kinds[BODIES + 6] = {hwMakeSphere(0.3),
                                  hwMakeSphere(0.0),
                                  hwMakeCapsule(0.2, 1.1),
                                  hwMakeBox(hwMakeVec3(0.8, 0.5, 1.2)),
                                  hwMakeCylinder(0.4, 1.5),
                                  hwMakeTriangle(hwMakeVec3(0.5, 0.0, 0.1), hwMakeVec3(-0.4, 0.3, 0.0),
                                                 hwMakeVec3(0.0, -0.6, 0.2), 0.05)};
    for (int i = 0; i < BODIES; ++i) kinds[6 + i] = bodies[i].convex;
    hwRandom random = {11};
    int apart = 0, pairs = 0;
    for (int i = 0; i < 20000; ++i) {
        const hwConvex *a = &kinds[i % (BODIES + 6)], *b = &kinds[i / (BODIES + 6) % (BODIES + 6)];
        hwPose pa = RandomPose(&random, 0.5), pb = RandomPose(&random, 1.5);
        double distance = hwConvex_FindClosest(a, pa, b, pb, NULL).distance;
        const double limits[] = {0.0, 0.3, distance - 0.1, distance + 0.1, distance - 1e-7, distance + 1e-7};
        for (int k = 0; k < 6; ++k) {
            if (!(limits[k] >= 0.0) || fabs(distance - limits[k]) < 1e-8) continue;
            bool is = hwConvex_IsApart(a, pa, b, pb, limits[k]);
            if (is != (distance > limits[k])) fail_msg("%g apart, limit %g", distance, limits[k]);
            apart += is;
            pairs += 1;
        }
    }
    assert_true(5 * apart > pairs && 5 * apart < 4 * pairs);
    for (int i = 0; i < BODIES; ++i) FreeBody(&bodies[i]);
}

static void ShapesBecomeConvexBodies(void** state) {
    (void)state;
    hwShapeDef shape = hwDefaultShapeDef();
    hwConvex convex;
    hwRandom random = {9};
    for (int kind = HW_SHAPE_BOX; kind <= HW_SHAPE_CAPSULE; ++kind) {
        shape.kind = (hwShapeKind)kind;
        shape.size = hwMakeVec3(0.3, 0.8, 1.4);
        shape.radius = 0.35;
        shape.length = 1.1;
        assert_true(hwConvex_FromShape(&shape, NULL, &convex));
        for (int i = 0; i < 20; ++i) { // the same extent as the shape itself
            hwPose pose = RandomPose(&random, 2.0);
            hwBox box = hwConvex_GetBounds(&convex, pose);
            hwVec3 low, high;
            hwShape_GetBounds(&shape, pose, &low, &high);
            assert_true(hwDistance(low, box.low) < 1e-14 && hwDistance(high, box.high) < 1e-14);
        }
    }
    shape.kind = HW_SHAPE_HULL;
    assert_false(hwConvex_FromShape(&shape, NULL, &convex));
    shape.kind = HW_SHAPE_MESH;
    assert_false(hwConvex_FromShape(&shape, NULL, &convex));
}

static double NearestToBox(hwVec3 half, hwVec3 p) {
    hwVec3 out = hwMakeVec3(fmax(0.0, fabs(p.x) - half.x), fmax(0.0, fabs(p.y) - half.y),
                            fmax(0.0, fabs(p.z) - half.z));
    double outside = hwLength(out);
    if (outside > 0.0) return outside;
    return -fmin(half.x - fabs(p.x), fmin(half.y - fabs(p.y), half.z - fabs(p.z)));
}

static void SpheresAgainstBoxesMatchTheClosedForm(void** state) {
    (void)state;
    hwRandom random = {4};
    hwConvex box = hwMakeBox(hwMakeVec3(1.0, 2.0, 0.5)), ball = hwMakeSphere(0.3);
    for (int i = 0; i < 5000; ++i) {
        hwPose pose = RandomPose(&random, 1.0), other = RandomPose(&random, 1.2);
        hwClosest found = hwConvex_FindClosest(&box, pose, &ball, other, NULL);
        double expected = NearestToBox(hwMakeVec3(0.5, 1.0, 0.25), hwInvTransformPoint(pose, other.p)) - 0.3;
        assert_true(fabs(found.distance - expected) < 1e-12);
        hwClosest swapped = hwConvex_FindClosest(&ball, other, &box, pose, NULL);
        assert_true(fabs(swapped.distance - expected) < 1e-12);
        if (expected > -0.3) assert_true(hwDistance(found.normal, hwNeg(swapped.normal)) < 1e-7);
    }
}

static void CapsulesMatchTheirSegments(void** state) {
    (void)state;
    hwRandom random = {5};
    hwConvex a = hwMakeCapsule(0.1, 1.0), b = hwMakeCapsule(0.2, 2.0);
    for (int i = 0; i < 3000; ++i) {
        hwPose pa = RandomPose(&random, 0.5), pb = RandomPose(&random, 0.5);
        hwClosest found = hwConvex_FindClosest(&a, pa, &b, pb, NULL);
        // Search the segments in nested steps of a third.
        double s0 = -0.5, s1 = 0.5, best = HUGE_VAL;
        for (int k = 0; k < 60; ++k) {
            double f[2];
            for (int e = 0; e < 2; ++e) {
                double s = s0 + (s1 - s0) * (e + 1) / 3.0;
                hwVec3 p = hwTransformPoint(pa, hwMakeVec3(0, 0, s)), q = hwInvTransformPoint(pb, p);
                f[e] = hwLength(hwMakeVec3(q.x, q.y, q.z - hwClamp(q.z, -1.0, 1.0)));
                best = fmin(best, f[e]);
            }
            if (f[0] < f[1]) {
                s1 -= (s1 - s0) / 3.0;
            } else {
                s0 += (s1 - s0) / 3.0;
            }
        }
        assert_true(fabs(found.distance - (best - 0.3)) <
                    1e-8); // the search ends at the square root of rounding
    }
    // Axes that cross: the depth is both radii, across both.
    hwPose turned = {{0, 0, 0}, hwQuatFromAxisAngle(hwMakeVec3(1, 0, 0), 0.5 * HW_PI)};
    hwClosest crossed = hwConvex_FindClosest(&a, hwPose_identity, &b, turned, NULL);
    assert_true(fabs(crossed.distance + 0.3) < 1e-15 && fabs(fabs(crossed.normal.x) - 1.0) < 1e-12);
}

static void CylindersMatchClosedForms(void** state) {
    (void)state;
    hwConvex a = hwMakeCylinder(0.5, 2.0), ball = hwMakeSphere(0.25), b = hwMakeCylinder(0.3, 1.0);
    hwRandom random = {6};
    for (int i = 0; i < 3000; ++i) {
        hwPose pose = RandomPose(&random, 1.0), other = RandomPose(&random, 2.0);
        hwVec3 p = hwInvTransformPoint(pose, other.p);
        double across = hypot(p.x, p.y) - 0.5, along = fabs(p.z) - 1.0;
        double expected = across > 0.0 && along > 0.0 ? hypot(across, along) : fmax(across, along);
        hwClosest found = hwConvex_FindClosest(&a, pose, &ball, other, NULL);
        // The core is round: GJK and EPA close in to 1e-10 of the size.
        if (!(fabs(found.distance - (expected - 0.25)) < 1e-9)) {
            fail_msg("%g instead of %g", found.distance, expected - 0.25);
        }
    }
    // Crossed at right angles, axes d apart: distance d - 0.8 beyond, depth 0.8 - d inside.
    const double apart[] = {0.5, 0.7, 0.79, 0.81, 1.5};
    for (int i = 0; i < 5; ++i) {
        hwPose crossed = {{apart[i], 0, 0}, hwQuatFromAxisAngle(hwMakeVec3(1, 0, 0), 0.5 * HW_PI)};
        hwClosest found = hwConvex_FindClosest(&a, hwPose_identity, &b, crossed, NULL);
        if (!(fabs(found.distance - (apart[i] - 0.8)) < 1e-8)) fail_msg("%g", found.distance);
    }
}

// Touching, coinciding and degenerate placements must give finite answers and the right distance.
static void DegeneratePlacementsAreFine(void** state) {
    (void)state;
    Body bodies[BODIES];
    MakeBodies(bodies);
    for (int i = 0; i < BODIES; ++i) {
        hwClosest same = hwConvex_FindClosest(&bodies[i].convex, hwPose_identity, &bodies[i].convex,
                                              hwPose_identity, NULL);
        double depth = DepthByAxes(&bodies[i], hwPose_identity, &bodies[i], hwPose_identity);
        CheckPair(&bodies[i], hwPose_identity, &bodies[i], hwPose_identity, &same, -depth, "coinciding");
        // Moved along each axis until they just touch, and 1e-12 either side.
        for (int k = 0; k < 6; ++k) {
            hwVec3 n = hwMakeVec3(k % 3 == 0, k % 3 == 1, k % 3 == 2);
            if (k >= 3) n = hwNeg(n);
            double low, high, reach;
            Project(&bodies[i].mesh, hwPose_identity, n, &low, &high);
            reach = high - low;
            for (int e = -1; e <= 1; ++e) {
                hwPose moved = {hwScale(reach + 1e-12 * e, n), hwQuat_identity};
                hwClosest touch =
                    hwConvex_FindClosest(&bodies[i].convex, hwPose_identity, &bodies[i].convex, moved, NULL);
                assert_true(fabs(touch.distance) < 1e-9 && hwIsFiniteVec3(touch.normal) &&
                            hwIsFiniteVec3(touch.pointA));
            }
        }
    }
    // A segment through a triangle, in its plane, and at its edge.
    hwConvex triangle = hwMakeTriangle(hwMakeVec3(0, 0, 0), hwMakeVec3(1, 0, 0), hwMakeVec3(0, 1, 0), 0.0);
    hwConvex capsule = hwMakeCapsule(0.05, 2.0);
    hwPose pose = {{0.2, 0.2, 0.0}, hwQuat_identity};
    hwClosest found = hwConvex_FindClosest(&triangle, hwPose_identity, &capsule, pose, NULL);
    assert_true(found.distance < -0.05 + 1e-9 && found.distance > -0.3);
    pose.q = hwQuatFromAxisAngle(hwMakeVec3(1, 0, 0), 0.5 * HW_PI);
    found = hwConvex_FindClosest(&triangle, hwPose_identity, &capsule, pose, NULL);
    assert_true(fabs(found.distance + 0.05) < 1e-9 && fabs(fabs(found.normal.z) - 1.0) < 1e-9);
    hwConvex point = hwMakeSphere(0.0);
    found = hwConvex_FindClosest(&point, hwPose_identity, &point, hwPose_identity, NULL);
    assert_true(found.distance == 0.0 && hwLength(found.normal) == 1.0);
    for (int i = 0; i < BODIES; ++i) FreeBody(&bodies[i]);
}

// A box whose faces are cut into many triangles becomes six faces and eight corners again.
static void FlatFacesAreMerged(void** state) {
    (void)state;
    enum { N = 4 };
    SampleMesh mesh = NewMesh(6 * (N + 1) * (N + 1), 12 * N * N);
    int vertices = 0, triangles = 0;
    for (int face = 0; face < 6; ++face) {
        int axis = face / 2, base = vertices;
        double sign = face % 2 ? 1.0 : -1.0;
        for (int j = 0; j <= N; ++j) {
            for (int i = 0; i <= N; ++i) {
                double x[3];
                x[axis] = sign;
                x[(axis + 1) % 3] = 2.0 * i / N - 1.0;
                x[(axis + 2) % 3] = 2.0 * j / N - 1.0;
                mesh.vertices[vertices++] = hwMakeVec3(x[0], x[1], x[2]);
                if (i == N || j == N) continue;
                int a = base + j * (N + 1) + i, b = a + 1, c = a + N + 1, d = c + 1;
                const int up[2][3] = {{a, b, d}, {a, d, c}}, down[2][3] = {{a, d, b}, {a, c, d}};
                memcpy(mesh.triangles[triangles], sign > 0.0 ? up : down, sizeof(up));
                triangles += 2;
            }
        }
    }
    Body body = MakeBody(mesh);
    assert_int_equal(body.hull.faceCount, 6);
    assert_true(fabs(body.hull.volume - 8.0) < 1e-14 && hwLength(body.hull.centroid) < 1e-14);
    // Vertices inside faces are gone; those along edges may stay.
    assert_true(body.hull.vertexCount == 8 + 12 * (N - 1));
    for (int f = 0; f < 6; ++f) assert_true(fabs(body.hull.planes[f].offset - 1.0) < 1e-15);
    hwRandom random = {7};
    for (int i = 0; i < 1000; ++i) {
        hwVec3 d = RandomUnit(&random), v = body.hull.vertices[hwHull_FindSupport(&body.hull, d, i % 8)];
        assert_true(fabs(hwDot(v, d) - (fabs(d.x) + fabs(d.y) + fabs(d.z))) < 1e-14);
    }
    FreeBody(&body);
}

static void HillClimbingFindsTheHighestVertex(void** state) {
    (void)state;
    Body body = MakeBody(MakeIcosphere(1.0, 4));
    hwRandom random = {8};
    int at = 0;
    for (int i = 0; i < 2000; ++i) {
        hwVec3 d = RandomUnit(&random);
        double best = -2.0;
        for (int k = 0; k < body.hull.vertexCount; ++k) best = fmax(best, hwDot(d, body.hull.vertices[k]));
        at = hwHull_FindSupport(&body.hull, d, at);
        assert_true(hwDot(d, body.hull.vertices[at]) > best - 1e-15);
    }
    FreeBody(&body);
    // An open mesh is no hull.
    SampleMesh open = MakeTetrahedron(1.0);
    hwMeshData data = GetMeshData(&open);
    data.triangleCount = 3;
    hwHull hull;
    hwError error;
    hwAllocator allocator = hwDefaultAllocator();
    assert_int_equal(hwHull_Init(&hull, &allocator, &data, &error), HW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "0 neighbours"));
    FreeMesh(&open);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(FlatFacesAreMerged),
        cmocka_unit_test(HillClimbingFindsTheHighestVertex),
        cmocka_unit_test(DepthAndDistanceMatchExhaustiveSearch),
        cmocka_unit_test(BoxesAndTheirHullsAgree),
        cmocka_unit_test(RememberedPairsGiveTheSameAnswer),
        cmocka_unit_test(BodiesAreApartWhereTheirDistanceSaysSo),
        cmocka_unit_test(ShapesBecomeConvexBodies),
        cmocka_unit_test(SpheresAgainstBoxesMatchTheClosedForm),
        cmocka_unit_test(CapsulesMatchTheirSegments),
        cmocka_unit_test(CylindersMatchClosedForms),
        cmocka_unit_test(DegeneratePlacementsAreFine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
