// The common volume of convex polyhedra against an enumeration of all vertices of the common half-spaces.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "geom/overlap.h"
#include "geom/sample_shapes.h"

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
    assert_int_equal(hwHull_Init(&body.hull, &allocator, &data, NULL), HW_OK);
    return body;
}

static void FreeBody(Body* body) {
    hwAllocator allocator = hwDefaultAllocator();
    hwHull_Free(&body->hull, &allocator);
    FreeMesh(&body->mesh);
}

static char scratch[1 << 20];

static hwOverlap Find(const hwConvex* a, hwPose pa, const hwConvex* b, hwPose pb) {
    hwOverlap out;
    assert_true(hwConvex_FindOverlap(a, pa, b, pb, scratch, sizeof(scratch), &out));
    return out;
}

// Independent: every three planes meet in a point; those inside all half-spaces are vertices. Each face's polygon is
// ordered by angle, and pyramids from the mean of the vertices are added.
static double VolumeByPlanes(const hwHull* a, hwPose pa, const hwHull* b, hwPose pb, hwVec3* centroid) {
    enum { MAX = 64 };
    static hwVec3 n[MAX], vertex[20000];
    static int on[20000][3];
    double d[MAX];
    int planes = 0, vertices = 0;
    for (int k = 0; k < 2; ++k) {
        const hwHull* hull = k ? b : a;
        hwPose pose = k ? pb : pa;
        for (int f = 0; f < hull->faceCount; ++f) {
            n[planes] = hwRotate(pose.q, hull->planes[f].normal);
            d[planes] = hull->planes[f].offset + hwDot(n[planes], pose.p);
            planes += 1;
        }
    }
    for (int i = 0; i < planes; ++i) {
        for (int j = i + 1; j < planes; ++j) {
            hwVec3 nij = hwCross(n[i], n[j]);
            for (int k = j + 1; k < planes; ++k) {
                double det = hwDot(nij, n[k]);
                if (fabs(det) < 1e-9) continue;
                hwVec3 x =
                    hwScale(1.0 / det, hwAdd(hwScale(d[i], hwCross(n[j], n[k])),
                                             hwAdd(hwScale(d[j], hwCross(n[k], n[i])), hwScale(d[k], nij))));
                bool inside = true;
                for (int m = 0; m < planes && inside; ++m) {
                    inside = m == i || m == j || m == k || hwDot(n[m], x) <= d[m] + 1e-12;
                }
                if (!inside) continue;
                vertex[vertices] = x;
                on[vertices][0] = i;
                on[vertices][1] = j;
                on[vertices++][2] = k;
            }
        }
    }
    if (vertices < 4) return 0.0;
    hwVec3 middle = hwVec3_zero, moment = hwVec3_zero;
    for (int i = 0; i < vertices; ++i) middle = hwMulAdd(middle, 1.0 / vertices, vertex[i]);
    double volume = 0.0;
    for (int f = 0; f < planes; ++f) {
        hwVec3 corner[512], mean = hwVec3_zero, u = hwPerpendicular(n[f]), v = hwCross(n[f], u);
        double angle[512];
        int count = 0;
        for (int i = 0; i < vertices; ++i) {
            if (on[i][0] == f || on[i][1] == f || on[i][2] == f) corner[count++] = vertex[i];
        }
        for (int i = 0; i < count; ++i) mean = hwMulAdd(mean, 1.0 / count, corner[i]);
        for (int i = 0; i < count; ++i) {
            angle[i] = atan2(hwDot(hwSub(corner[i], mean), v), hwDot(hwSub(corner[i], mean), u));
            for (int k = i; k > 0 && angle[k] < angle[k - 1]; --k) {
                double swap = angle[k];
                angle[k] = angle[k - 1];
                angle[k - 1] = swap;
                hwVec3 other = corner[k];
                corner[k] = corner[k - 1];
                corner[k - 1] = other;
            }
        }
        for (int i = 2; i < count; ++i) {
            hwVec3 p = hwSub(corner[0], middle), q = hwSub(corner[i - 1], middle),
                   r = hwSub(corner[i], middle);
            double part = hwDot(p, hwCross(q, r)) / 6.0;
            volume += part;
            moment = hwMulAdd(moment, 0.25 * part, hwAdd(p, hwAdd(q, r)));
        }
    }
    *centroid = volume > 0.0 ? hwMulAdd(middle, 1.0 / volume, moment) : hwVec3_zero;
    return volume;
}

#define BODIES 5

static void MakeBodies(Body* bodies) {
    bodies[0] = MakeBody(MakeBoxMesh(hwMakeVec3(-0.5, -0.3, -0.8), hwMakeVec3(0.5, 0.3, 0.8)));
    bodies[0].convex = hwMakeBox(hwMakeVec3(1.0, 0.6, 1.6));
    bodies[1] = MakeBody(MakeTetrahedron(1.2));
    bodies[2] = MakeBody(MakeIcosphere(0.7, 0));
    bodies[3] = MakeBody(MakeBoxMesh(hwMakeVec3(-0.2, -0.9, -0.1), hwMakeVec3(0.2, 0.9, 0.1)));
    bodies[3].convex = hwMakeBox(hwMakeVec3(0.4, 1.8, 0.2));
    bodies[4] = MakeBody(MakeIcosphere(0.7, 2));
    for (int i = 0; i < BODIES; ++i) {
        if (i != 0 && i != 3) bodies[i].convex = hwMakeHull(&bodies[i].hull);
    }
}

static void TenThousandRandomPosesMatchTheEnumeration(void** state) {
    (void)state;
    Body bodies[BODIES];
    MakeBodies(bodies);
    hwRandom random = {1};
    int overlapping = 0;
    for (int i = 0; i < 10000; ++i) {
        const Body *a = &bodies[i % 4], *b = &bodies[i / 4 % 4];
        if (i % 8 && a == &bodies[2] && b == a) a = &bodies[1]; // 40 planes take long to enumerate
        hwPose pa = RandomPose(&random, 0.5), pb = RandomPose(&random, 0.5);
        hwVec3 centroid = hwVec3_zero;
        double expected = VolumeByPlanes(&a->hull, pa, &b->hull, pb, &centroid);
        double smaller = fmin(a->hull.volume, b->hull.volume);
        hwOverlap found = Find(&a->convex, pa, &b->convex, pb);
        if (!(fabs(found.volume - expected) < 1e-9 * smaller)) {
            fail_msg("pose %d: volume %.15g instead of %.15g", i, found.volume, expected);
        }
        if (expected < 1e-9 * smaller) continue;
        // The centroid of a small piece is known as well as the piece: 1e-9 of the first moment.
        assert_true(hwDistance(found.centroid, centroid) * expected < 1e-9 * smaller);
        overlapping += 1;
    }
    assert_true(overlapping > 4000);
    for (int i = 0; i < BODIES; ++i) FreeBody(&bodies[i]);
}

static double Interval(double a, double b) {
    return fmax(0.0, fmin(0.5, b) - fmax(-0.5, a));
}

// Boxes with parallel faces, many of them flush: the product of three overlaps.
static void ParallelAndFlushBoxesMultiplyTheirOverlaps(void** state) {
    (void)state;
    hwConvex a = hwMakeBox(hwMakeVec3(1, 1, 1)), b = hwMakeBox(hwMakeVec3(0.5, 1, 2));
    SampleMesh mesh = MakeBoxMesh(hwMakeVec3(-0.25, -0.5, -1), hwMakeVec3(0.25, 0.5, 1));
    Body hull = MakeBody(mesh);
    hwConvex c = hwMakeHull(&hull.hull);
    hwRandom random = {2};
    for (int i = 0; i < 9 * 9 * 9; ++i) {
        hwVec3 move = hwMakeVec3(0.25 * (i % 9 - 4), 0.25 * (i / 9 % 9 - 4), 0.25 * (i / 81 - 4));
        double expected = Interval(move.x - 0.25, move.x + 0.25) * Interval(move.y - 0.5, move.y + 0.5) *
                          Interval(move.z - 1.0, move.z + 1.0);
        for (int k = 0; k < 3; ++k) {
            hwPose place = k == 0 ? hwPose_identity : RandomPose(&random, 3.0), moved = place;
            moved.p = hwTransformPoint(place, move);
            hwOverlap found = Find(&a, place, k == 2 ? &c : &b, moved);
            if (!(fabs(found.volume - expected) < 1e-14))
                fail_msg("%g instead of %g", found.volume, expected);
            hwOverlap back = Find(k == 2 ? &c : &b, moved, &a, place);
            assert_true(fabs(back.volume - expected) < 1e-14);
        }
    }
    FreeBody(&hull);
}

// Positions on a grid and turns by eighths, off by 1e-1 to 1e-17: faces, edges and corners nearly coincide in all ways.
// Seen from either body the volume is the same.
static void NearlyCoincidingFacesAgreeBothWays(void** state) {
    (void)state;
    Body bodies[BODIES];
    MakeBodies(bodies);
    hwRandom random = {6};
    for (int i = 0; i < 20000; ++i) {
        const Body *a = &bodies[i % 4], *b = &bodies[i / 4 % 4];
        double off = pow(10.0, -hwRandom_Range(&random, 1.0, 17.0));
        hwVec3 grid =
            hwScale(0.25, hwMakeVec3(hwRandom_Next(&random) % 9 - 4.0, hwRandom_Next(&random) % 9 - 4.0,
                                     hwRandom_Next(&random) % 9 - 4.0));
        hwVec3 axis = hwMakeVec3(i % 3 == 0, i % 3 == 1, i % 3 == 2);
        hwPose pa = RandomPose(&random, 1.0),
               relative = {grid, hwQuatFromAxisAngle(axis, 0.25 * HW_PI * (i / 7 % 8))};
        if (i % 5) relative.p = hwAdd(grid, RandomVec3(&random, off));
        if (i % 2) relative.q = hwMulQuat(hwQuatFromRotationVector(RandomVec3(&random, off)), relative.q);
        hwPose pb = hwMulPose(pa, relative);
        hwOverlap one = Find(&a->convex, pa, &b->convex, pb), two = Find(&b->convex, pb, &a->convex, pa);
        assert_true(fabs(one.volume - two.volume) < 1e-12);
        if (one.volume > 1e-6) assert_true(hwDistance(one.centroid, two.centroid) * one.volume < 1e-12);
        assert_true(hwIsFiniteVec3(one.normal) && hwIsFiniteVec3(one.areaMoment) && isfinite(one.depth));
    }
    for (int i = 0; i < BODIES; ++i) FreeBody(&bodies[i]);
}

// A cube sunk by d into a large one: volume d, a unit square as contact, the normal across it.
// Boxes that overlap by about as much as numbers of their size are rounded: whatever is reported lies in both, or nothing is.
static void OverlapsAsThinAsRoundingAreSane(void** state) {
    (void)state;
    hwConvex box = hwMakeBox(hwMakeVec3(1.0, 1.0, 1.0));
    int found = 0;
    for (int i = 0; i < 20000; ++i) {
        double thin = 1e-14 * pow(0.7, i % 20), lean = 1e-16 * (i % 7 - 3);
        hwPose a = {{0.03 * (i % 2), 0.02 * (i % 3), 0.5 + 7.0}, {1.0, lean, -0.5 * lean, 0.0}};
        hwPose b = {{0.01 * (i % 5), -0.02 * (i % 3), 0.5 + 8.0 - thin}, {1.0, -lean, 0.3 * lean, 0.0}};
        hwOverlap o = Find(&box, a, &box, b);
        if (!(o.volume > 0.0)) continue;
        found += 1;
        // within a metre of where the faces meet, and moments of an area of a square metre at most
        assert_true(hwDistance(o.centroid, hwMakeVec3(0.0, 0.0, 8.0)) < 1.0);
        for (int k = 0; k < 6; ++k) assert_true(fabs(o.plane[k]) < 1.0);
    }
    assert_true(found > 1000);
}

static void ContactPlaneOfACubeOnAFloor(void** state) {
    (void)state;
    hwConvex floor = hwMakeBox(hwMakeVec3(10, 10, 2)), cube = hwMakeBox(hwMakeVec3(1, 1, 1));
    hwRandom random = {3};
    for (int i = 0; i < 100; ++i) {
        double d = pow(10.0, hwRandom_Range(&random, -8.0, -0.5));
        hwPose world = RandomPose(&random, 2.0);
        hwPose ground = {{0, 0, -1}, hwQuat_identity},
               body = {{0.3, -0.2, 0.5 - d}, hwQuatFromRpy(0, 0, 0.4)};
        hwOverlap found = Find(&cube, hwMulPose(world, body), &floor, hwMulPose(world, ground));
        double rounding = 1e-14 / d;
        assert_true(fabs(found.volume - d) < d * rounding);
        assert_true(hwDistance(found.normal, hwRotate(world.q, hwMakeVec3(0, 0, -1))) < 1e-13 + rounding);
        assert_true(fabs(found.area - 1.0) < 1e-13 && fabs(found.depth - d) < 1e-14);
        assert_true(hwDistance(found.centroid, hwTransformPoint(world, hwMakeVec3(0.3, -0.2, -0.5 * d))) <
                    1e-13 + rounding);
        assert_true(hwLength(found.areaMoment) < 1e-13 + rounding);
    }
}

// dV = areaVector . dx + areaMoment . dr, by central differences.
static void GradientOfTheVolumeIsTheAreaVector(void** state) {
    (void)state;
    Body bodies[BODIES];
    MakeBodies(bodies);
    hwRandom random = {4};
    const double h = 1e-4;
    int count = 0;
    for (int i = 0; i < 3000; ++i) {
        const Body *a = &bodies[i % BODIES], *b = &bodies[i / BODIES % BODIES];
        hwPose pa = RandomPose(&random, 0.4), pb = RandomPose(&random, 0.4);
        hwOverlap found = Find(&a->convex, pa, &b->convex, pb), other = Find(&b->convex, pb, &a->convex, pa);
        if (found.volume < 1e-3) continue;
        count += 1;
        // Seen from B everything is opposite.
        assert_true(fabs(found.volume - other.volume) < 1e-13 &&
                    hwDistance(found.centroid, other.centroid) < 1e-11);
        assert_true(hwLength(hwAdd(found.areaVector, other.areaVector)) < 1e-12);
        assert_true(hwLength(hwAdd(found.areaMoment, other.areaMoment)) < 1e-12);
        hwVec3 d = RandomUnit(&random);
        hwPose up = pa, down = pa;
        up.p = hwMulAdd(pa.p, h, d);
        down.p = hwMulAdd(pa.p, -h, d);
        double slope =
            (Find(&a->convex, up, &b->convex, pb).volume - Find(&a->convex, down, &b->convex, pb).volume) /
            (2.0 * h);
        // Areas change with the length of their rims, some metres: h times that where an edge is passed.
        assert_true(fabs(slope - hwDot(found.areaVector, d)) < 10.0 * h);
        hwQuat turn = hwQuatFromAxisAngle(d, h), back = hwConjugate(turn);
        up.q = hwMulQuat(turn, pa.q);
        up.p = hwAdd(found.centroid, hwRotate(turn, hwSub(pa.p, found.centroid)));
        down.q = hwMulQuat(back, pa.q);
        down.p = hwAdd(found.centroid, hwRotate(back, hwSub(pa.p, found.centroid)));
        slope =
            (Find(&a->convex, up, &b->convex, pb).volume - Find(&a->convex, down, &b->convex, pb).volume) /
            (2.0 * h);
        assert_true(fabs(slope - hwDot(found.areaMoment, d)) < 10.0 * h);
    }
    assert_true(count > 1000);
    for (int i = 0; i < BODIES; ++i) FreeBody(&bodies[i]);
}

static void ContainedSeparateAndEqualBodies(void** state) {
    (void)state;
    Body bodies[BODIES];
    MakeBodies(bodies);
    hwRandom random = {5};
    hwConvex big = hwMakeBox(hwMakeVec3(10, 10, 10));
    for (int i = 0; i < BODIES; ++i) {
        hwPose pose = RandomPose(&random, 1.0);
        hwOverlap inside = Find(&bodies[i].convex, pose, &big, hwPose_identity);
        assert_true(fabs(inside.volume - bodies[i].hull.volume) < 1e-14);
        assert_true(inside.area == 0.0 && hwLength(inside.normal) == 0.0);
        assert_true(hwDistance(inside.centroid, hwTransformPoint(pose, bodies[i].hull.centroid)) < 1e-13);
        hwPose far = {hwMakeVec3(20, 0, 0), hwQuat_identity};
        assert_true(Find(&bodies[i].convex, pose, &big, far).volume == 0.0);
        hwOverlap same = Find(&bodies[i].convex, pose, &bodies[i].convex, pose);
        assert_true(fabs(same.volume - bodies[i].hull.volume) < 1e-12);
    }
    hwConvex sphere = hwMakeSphere(1.0);
    hwOverlap out;
    assert_false(hwConvex_FindOverlap(&sphere, hwPose_identity, &big, hwPose_identity, NULL, 0, &out));
    assert_false(hwConvex_FindOverlap(&bodies[4].convex, hwPose_identity, &bodies[4].convex, hwPose_identity,
                                      scratch, 100, &out));
    size_t size = hwOverlap_GetScratchSize(bodies[4].hull.faceCount, bodies[4].hull.faceCount);
    for (int shift = 0; shift < 64; shift += 8) { // any alignment does
        hwPose near = {hwMakeVec3(0.1, 0.2, 0.05), hwQuat_identity};
        assert_true(hwConvex_FindOverlap(&bodies[4].convex, hwPose_identity, &bodies[4].convex, near,
                                         scratch + shift, size, &out));
        assert_true(out.volume > 0.5);
    }
    for (int i = 0; i < BODIES; ++i) FreeBody(&bodies[i]);
}

// The lens of two equal balls, a distance 2 c apart: 2 pi/3 (r - c)^2 (2 r + c). Finer polyhedra approach it as h^2.
static void PolyhedraOfSpheresApproachTheLens(void** state) {
    (void)state;
    double last = 0.0, c = 0.6, exact = 2.0 * HW_PI / 3.0 * (1.0 - c) * (1.0 - c) * (2.0 + c);
    for (int level = 1; level <= 4; ++level) {
        Body ball = MakeBody(MakeIcosphere(1.0, level));
        hwConvex convex = hwMakeHull(&ball.hull);
        hwPose pose = {{2.0 * c, 0, 0}, hwQuatFromRpy(0.3, 0.5, 0.7)};
        double error = exact - Find(&convex, hwPose_identity, &convex, pose).volume;
        if (level > 2) assert_true(last / error > 3.0 && last / error < 5.0);
        last = error;
        FreeBody(&ball);
    }
}

// A regular prism along z: `sides` corners on a circle of radius 1, from z = 0 to 1.
static SampleMesh MakePrism(int sides) {
    SampleMesh mesh = NewMesh(2 * sides, 4 * sides - 4);
    int count = 0;
    for (int i = 0; i < sides; ++i) {
        double angle = 2.0 * HW_PI * i / sides;
        int next = (i + 1) % sides, wall[2][3] = {{i, next, sides + next}, {i, sides + next, sides + i}};
        for (int k = 0; k < 2; ++k) {
            mesh.vertices[k * sides + i] = hwMakeVec3(cos(angle), sin(angle), k);
            memcpy(mesh.triangles[count++], wall[k], sizeof(wall[k]));
        }
        int lid[2][3] = {{0, i, i - 1}, {sides, sides + i - 1, sides + i}};
        for (int k = 0; k < 2 && i > 1; ++k) memcpy(mesh.triangles[count++], lid[k], sizeof(lid[k]));
    }
    return mesh;
}

// Whatever the number of faces, with no more scratch memory than is asked for.
static void PrismsOfAnyNumberOfFacesMeet(void** state) {
    (void)state;
    hwConvex floor = hwMakeBox(hwMakeVec3(10, 10, 2));
    for (int sides = 3; sides < 30; ++sides) {
        Body prism = MakeBody(MakePrism(sides));
        assert_int_equal(prism.hull.faceCount, sides + 2);
        hwConvex convex = hwMakeHull(&prism.hull);
        double area = 0.5 * sides * sin(2.0 * HW_PI / sides);
        size_t size = hwOverlap_GetScratchSize(sides + 2, sides + 2);
        hwPose above = {hwMakeVec3(0.3, 0.2, 0.9), hwQuatFromRpy(0.0, 0.0, 0.4)};
        hwOverlap out;
        assert_true(hwConvex_FindOverlap(&convex, above, &floor, hwPose_identity, scratch, size, &out));
        assert_true(fabs(out.volume - 0.1 * area) < 1e-14);
        assert_true(hwConvex_FindOverlap(&floor, hwPose_identity, &convex, above, scratch, size, &out));
        assert_true(fabs(out.volume - 0.1 * area) < 1e-14);
        hwPose lifted = {hwMakeVec3(0.0, 0.0, 0.75), hwQuat_identity};
        assert_true(hwConvex_FindOverlap(&convex, hwPose_identity, &convex, lifted, scratch, size, &out));
        assert_true(fabs(out.volume - 0.25 * area) < 1e-14);
        FreeBody(&prism);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TenThousandRandomPosesMatchTheEnumeration),
        cmocka_unit_test(ParallelAndFlushBoxesMultiplyTheirOverlaps),
        cmocka_unit_test(NearlyCoincidingFacesAgreeBothWays),
        cmocka_unit_test(OverlapsAsThinAsRoundingAreSane),
        cmocka_unit_test(ContactPlaneOfACubeOnAFloor),
        cmocka_unit_test(GradientOfTheVolumeIsTheAreaVector),
        cmocka_unit_test(ContainedSeparateAndEqualBodies),
        cmocka_unit_test(PolyhedraOfSpheresApproachTheLens),
        cmocka_unit_test(PrismsOfAnyNumberOfFacesMeet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
