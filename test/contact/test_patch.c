// Overlaps of parts: exact where they should be, close to the exact ones elsewhere, and the matrices their derivatives.
#include "contact/field.h"
#include "contact/patch.h"
#include "geom/overlap.h"
#include "geom/shape_data.h"
#include "support.h"

static char scratch[1 << 18];
static const hwPatchTools tools = {scratch, sizeof(scratch)};

static hwSolidPart MakePart(hwShapeKind kind, const hwHull* hull) {
    hwSolidPart part = {0};
    part.shape = hwDefaultShapeDef();
    part.shape.kind = kind;
    part.shape.size = hwMakeVec3(1.0, 0.7, 0.5);
    part.shape.radius = 0.3;
    part.shape.length = 0.8;
    assert_true(hwConvex_FromShape(&part.shape, hull, &part.convex));
    hwSolidPart_Measure(&part);
    return part;
}

static hwPose Moved(hwPose pose, hwVec3 about, hwVec3 d, hwVec3 r) {
    hwQuat turn = hwQuatFromRotationVector(r);
    hwPose moved = {hwAdd(hwAdd(about, hwRotate(turn, hwSub(pose.p, about))), d),
                    hwNormalizeQuat(hwMulQuat(turn, pose.q))};
    return moved;
}

// On a plane the volume times the centroid's depth is the energy of the bed: the force V n at the centroid is minus its
// gradient, and the matrix its second derivative.
static void OnAPlaneForceAndMatrixComeFromTheEnergy(void** state) {
    (void)state;
    uint64_t seed = 1;
    const hwShapeKind kinds[4] = {HW_SHAPE_BOX, HW_SHAPE_SPHERE, HW_SHAPE_CYLINDER, HW_SHAPE_CAPSULE};
    for (int k = 0; k < 200; ++k) {
        hwSolidPart part = MakePart(kinds[k % 4], NULL);
        hwVec3 up = hwNormalize(TestRandomVec3(&seed)), at = TestRandomVec3(&seed);
        hwPose pose = {at, TestRandomQuat(&seed)};
        // sunk by a third of its reach
        double low = hwSolidPart_GetSupport(&part, pose, hwNeg(up));
        pose.p = hwMulAdd(at, 0.8 * low, up);
        hwPatch patch, moved[2];
        assert_true(hwPatch_OnPlane(&part, pose, at, up, &patch));
        hwSpatialSym m;
        hwPatch_GetMatrix(&patch, &m);
        const double step = 1e-5;
        for (int c = 0; c < 6; ++c) {
            hwVec3 d = hwVec3_zero, r = hwVec3_zero;
            (&(c < 3 ? &d : &r)->x)[c % 3] = step;
            assert_true(hwPatch_OnPlane(&part, Moved(pose, patch.point, d, r), at, up, &moved[0]));
            assert_true(
                hwPatch_OnPlane(&part, Moved(pose, patch.point, hwNeg(d), hwNeg(r)), at, up, &moved[1]));
            double slope =
                (moved[0].volume * moved[0].height - moved[1].volume * moved[1].height) / (2.0 * step);
            double expected = c < 3 ? patch.volume * (&patch.normal.x)[c] : 0.0;
            assert_close(slope, expected,
                         1e-7); // differences of 1e-5: 1e-10 of size, 1e-11 / 1e-5 of rounding
            hwSpatial motion = {hwScale(1.0 / step, d), hwScale(1.0 / step, r)};
            double rate = (moved[0].volume - moved[1].volume) / (2.0 * step);
            assert_close(rate, hwPatch_GetRate(&patch, motion), 1e-6);
            // torque about the point that moves along
            hwVec3 torque[2];
            for (int side = 0; side < 2; ++side) {
                hwVec3 about = side == 0 ? hwAdd(patch.point, d) : hwSub(patch.point, d);
                torque[side] =
                    hwCross(hwSub(moved[side].point, about), hwScale(moved[side].volume, moved[side].normal));
            }
            hwVec3 turning = hwScale(0.5 / step, hwSub(torque[0], torque[1]));
            hwVec3 column = hwAdd(hwMulTV(m.la, motion.l), hwMulSym3(m.aa, motion.a));
            assert_close_vec3(turning, column, 1e-6);
        }
    }
}

static void ASphereOnAFaceIsACap(void** state) {
    (void)state;
    hwSolidPart ball = MakePart(HW_SHAPE_SPHERE, NULL), box = MakePart(HW_SHAPE_BOX, NULL);
    hwPose above = {hwMakeVec3(0.1, -0.05, 0.25 + 0.3 - 0.02), hwQuat_identity};
    hwPatch patch, other;
    assert_true(hwPatch_Between(&ball, above, &box, hwPose_identity, NULL, tools, &patch));
    double d = 0.02, volume = HW_PI * d * d * (0.3 - d / 3.0);
    assert_close(patch.volume, volume, 1e-15);
    assert_close(patch.depth, d, 1e-15);
    assert_close(patch.normal.z, -1.0, 1e-15);
    // the other way round
    assert_true(hwPatch_Between(&box, hwPose_identity, &ball, above, NULL, tools, &other));
    assert_close(other.volume, volume, 1e-15);
    assert_close(other.normal.z, 1.0, 1e-15);
    above.p.z = 0.56;
    assert_false(hwPatch_Between(&ball, above, &box, hwPose_identity, NULL, tools, &patch));
}

static void TwoSpheresShareALens(void** state) {
    (void)state;
    hwSolidPart a = MakePart(HW_SHAPE_SPHERE, NULL), b = a;
    for (double d = 1e-4; d < 0.02; d *= 3.0) {
        hwPose apart = {hwMakeVec3(0.6 - d, 0.0, 0.0), hwQuat_identity};
        hwPatch patch;
        assert_true(hwPatch_Between(&a, hwPose_identity, &b, apart, NULL, tools, &patch));
        double cap = 0.5 * d, lens = 2.0 * HW_PI * cap * cap * (0.3 - cap / 3.0);
        assert_close(patch.volume, lens, lens * d / 0.3); // paraboloids: to the depth over the radius
        assert_close(patch.normal.x, 1.0, 1e-12);
    }
}

static void ACapsuleOnItsSideIsAStrip(void** state) {
    (void)state;
    hwSolidPart capsule = MakePart(HW_SHAPE_CAPSULE, NULL), table = MakePart(HW_SHAPE_BOX, NULL);
    table.shape.size = hwMakeVec3(5.0, 5.0, 1.0);
    assert_true(hwConvex_FromShape(&table.shape, NULL, &table.convex));
    hwSolidPart_Measure(&table);
    double d = 0.01;
    hwPose lying = {hwMakeVec3(0.0, 0.0, 0.5 + 0.3 - d), hwQuatFromRpy(0.0, 0.5 * HW_PI, 0.3)};
    hwPatch patch, plane;
    assert_true(hwPatch_Between(&capsule, lying, &table, hwPose_identity, NULL, tools, &patch));
    assert_true(
        hwPatch_OnPlane(&capsule, lying, hwMakeVec3(0.0, 0.0, 0.5), hwMakeVec3(0.0, 0.0, 1.0), &plane));
    assert_close(patch.volume, plane.volume, 1e-12);
    // across a narrow one: over its edges a round line sags by the distance to them, which adds to the volume
    hwSolidPart narrow = table;
    narrow.shape.size = hwMakeVec3(0.4, 5.0, 1.0);
    assert_true(hwConvex_FromShape(&narrow.shape, NULL, &narrow.convex));
    hwSolidPart_Measure(&narrow);
    lying.q = hwQuatFromRpy(0.0, 0.5 * HW_PI, 0.0);
    assert_true(hwPatch_Between(&capsule, lying, &narrow, hwPose_identity, NULL, tools, &patch));
    double angle = acos(1.0 - d / 0.3), segment = 0.09 * (angle - sin(angle) * cos(angle));
    assert_close(patch.volume, 0.4 * segment,
                 0.25 * 0.4 * segment); // measured: 21 %
}

// Prisms of triangles fit together: their volumes add up to that below the plane, whatever the triangles are.
static void TrianglesAddUpToTheirPlane(void** state) {
    (void)state;
    uint64_t seed = 5;
    hwVec3 corners[5] = {
        {0.13, 0.07, 0.0}, {3.0, 2.5, 0.0}, {-3.0, 2.0, 0.0}, {-2.5, -3.0, 0.0}, {3.0, -2.0, 0.0}};
    for (int k = 0; k < 50; ++k) {
        hwQuat tilt = hwQuatFromRpy(0.4 * TestRandom(&seed), 0.4 * TestRandom(&seed), 0.0);
        hwVec3 up = hwRotate(tilt, hwMakeVec3(0.0, 0.0, 1.0)), straight = {0.0, 0.0, -1.0};
        hwSolidPart box = MakePart(HW_SHAPE_BOX, NULL);
        hwPose pose = {hwScale(0.2, up), TestRandomQuat(&seed)};
        hwPatch plane, patch;
        assert_true(hwPatch_OnPlane(&box, pose, hwVec3_zero, up, &plane));
        for (int way = 0; way < 2; ++way) {
            double volume = 0.0;
            hwVec3 point = hwVec3_zero;
            for (int t = 1; t < 5; ++t) {
                const hwVec3 triangle[3] = {hwRotate(tilt, corners[0]), hwRotate(tilt, corners[t]),
                                            hwRotate(tilt, corners[t % 4 + 1])};
                if (!hwPatch_OnTriangle(&box, pose, triangle, way == 0 ? hwNeg(up) : straight, 20.0, tools,
                                        &patch))
                    continue;
                volume += patch.volume;
                point = hwMulAdd(point, patch.volume, patch.point);
                assert_close_vec3(patch.normal, hwNeg(up), 1e-12);
            }
            assert_close(volume, plane.volume, 1e-12);
            assert_close_vec3(hwScale(1.0 / volume, point), plane.point, 1e-11);
        }
    }
}

static void ASphereRollsOverTrianglesWithoutAStep(void** state) {
    (void)state;
    hwSolidPart ball = MakePart(HW_SHAPE_SPHERE, NULL);
    const hwVec3 triangles[2][3] = {{{-2.0, -2.0, 0.0}, {2.0, -2.0, 0.0}, {2.0, 2.0, 0.0}},
                                    {{-2.0, -2.0, 0.0}, {2.0, 2.0, 0.0}, {-2.0, 2.0, 0.0}}};
    double volume = HW_PI * 0.01 * 0.01 * (0.3 - 0.01 / 3.0);
    for (double x = -1.0; x < 1.0; x += 0.01) {
        hwPose pose = {hwMakeVec3(x, -0.3 * x, 0.29), hwQuat_identity};
        hwPatch patch;
        assert_true(hwPatch_OnTriangles(&ball, pose, 2, triangles, &patch));
        assert_close(patch.volume, volume, 1e-12);
        assert_close(patch.normal.z, -1.0, 1e-12);
        // deep in the ground it is still pushed up
        pose.p.z = -0.1;
        assert_true(hwPatch_OnTriangles(&ball, pose, 2, triangles, &patch));
        assert_close(patch.normal.z, -1.0, 1e-12);
    }
}

// A box that sinks into a larger one: from where it is wholly inside on, the volume that pushes goes on growing by its
// cross-section, out by the shortest way, and there is no step.
static void ContainmentGoesOnFromTheVolumeThatEntered(void** state) {
    (void)state;
    hwSolidPart tank = MakePart(HW_SHAPE_BOX, NULL), pig = MakePart(HW_SHAPE_BOX, NULL);
    tank.convex = hwMakeBox(hwMakeVec3(8.0, 8.0, 8.0));
    hwSolidPart_Measure(&tank);
    for (int i = 0; i <= 200; ++i) {
        double depth = 0.01 + 0.01 * i; // of the lower face, up to 2 m; the box is 0.5 m high
        hwPose at = {{0.4, -0.3, 4.0 + 0.25 - depth}, {1.0, 0.0, 0.0, 0.0}};
        hwPatch patch;
        assert_true(hwPatch_Between(&pig, at, &tank, hwPose_identity, NULL, tools, &patch));
        assert_close(patch.volume, 0.7 * depth, 1e-12);
        assert_close(patch.normal.z, -1.0, 1e-12);
        assert_close(patch.area, 0.7, 1e-12);
        assert_close(patch.height, 0.5 * depth, 1e-12);
        assert_close(patch.depth, depth, 1e-12);
    }
    // exactly in the middle: out by one of the ways that are shortest
    hwPatch patch;
    hwSolidPart cube = MakePart(HW_SHAPE_BOX, NULL);
    cube.convex = hwMakeBox(hwMakeVec3(1.0, 1.0, 1.0));
    hwSolidPart_Measure(&cube);
    assert_true(hwPatch_Between(&cube, hwPose_identity, &tank, hwPose_identity, NULL, tools, &patch));
    assert_close(patch.depth, 4.5, 1e-12);
    assert_close(patch.volume, 4.5, 1e-12);
    assert_close(hwLength(patch.normal), 1.0, 1e-12);
}

// Also of what is wholly inside: the force is minus the slope of the energy.
static void DeepRoundPartsKeepTheirEnergy(void** state) {
    (void)state;
    const hwShapeKind kinds[2] = {HW_SHAPE_SPHERE, HW_SHAPE_CAPSULE};
    hwSolidPart block = MakePart(HW_SHAPE_BOX, NULL);
    block.convex = hwMakeBox(hwMakeVec3(10.0, 10.0, 8.0));
    hwSolidPart_Measure(&block);
    for (int k = 0; k < 2; ++k) {
        hwSolidPart part = MakePart(kinds[k], NULL);
        hwQuat lying = hwQuatFromRotationVector(hwMakeVec3(0.5 * HW_PI, 0.0, 0.0));
        for (double depth = 0.05; depth < 1.5; depth += 0.0317) {
            hwPatch at, in, out;
            const double step = 1e-5;
            hwPose pose = {{0.3, 0.2, 4.0 + 0.3 - depth}, lying};
            assert_true(hwPatch_Between(&part, pose, &block, hwPose_identity, NULL, tools, &at));
            pose.p.z -= step;
            assert_true(hwPatch_Between(&part, pose, &block, hwPose_identity, NULL, tools, &in));
            pose.p.z += 2.0 * step;
            assert_true(hwPatch_Between(&part, pose, &block, hwPose_identity, NULL, tools, &out));
            double slope = (in.volume * in.height - out.volume * out.height) / (2.0 * step);
            assert_close(slope, at.volume, 1e-6); // differences of 1e-5, as on the plane
        }
    }
}

// The area that a line cuts off a circle of radius 1: exact values with fifty digits, from a touch to almost half of it.
static void test_CircleIsCutToTheLastDigits(void** state) {
    (void)state;
    const double cuts[][2] = {{1e-9, 5.9628479391050125564e-14}, {1e-6, 1.8856178003213888753e-9},
                              {9e-4, 5.0904814615120707786e-5},  {1.1e-3, 6.8781412556221703609e-5},
                              {0.02, 0.0053173046502220817288},  {0.1, 0.058725906877601817683},
                              {0.2499, 0.22652360076333789063},  {0.2501, 0.22678817589214053704},
                              {0.6, 0.79267342513094135862},     {0.99, 1.5507966601332301134}};
    for (size_t i = 0; i < sizeof(cuts) / sizeof(cuts[0]); ++i) {
        double width, x = cuts[i][0], cut = hwCircle_Cut(1.0, x, &width);
        assert_close(cut / cuts[i][1], 1.0, 3e-15);
        assert_close(width, 2.0 * sqrt(x * (2.0 - x)), 1e-15);
        assert_close(hwCircle_Cut(0.5, 0.5 * x, &width) / cut, 0.25, 1e-15);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_CircleIsCutToTheLastDigits),
        cmocka_unit_test(OnAPlaneForceAndMatrixComeFromTheEnergy),
        cmocka_unit_test(ASphereOnAFaceIsACap),
        cmocka_unit_test(TwoSpheresShareALens),
        cmocka_unit_test(ACapsuleOnItsSideIsAStrip),
        cmocka_unit_test(TrianglesAddUpToTheirPlane),
        cmocka_unit_test(ASphereRollsOverTrianglesWithoutAStep),
        cmocka_unit_test(ContainmentGoesOnFromTheVolumeThatEntered),
        cmocka_unit_test(DeepRoundPartsKeepTheirEnergy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
