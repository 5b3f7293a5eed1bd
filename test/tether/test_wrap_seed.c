// The tether of seed 000, chapters 2 and 3: lengths, the collision point of 3.4, the rules of 3.5.
#include "test/support.h"

#include "tether/wrap_seed.h"

static hwSeedSetup MakeSetup(const hwTetherSpace* space, hwTetherBend bend, hwVec3 load) {
    return (hwSeedSetup){.space = space,
                         .bend = bend,
                         .load = load,
                         .radius = 0.01,
                         .EA = 1e5,
                         .rejoinAngle = 185.0 * HW_PI / 180.0,
                         .stuckAngle = HUGE_VAL};
}

static hwTetherSpace* MakeSpace(int count, const hwShapeDef* shapes) {
    hwTetherSolid solids[4] = {0};
    hwError error;
    for (int i = 0; i < count; ++i) solids[i] = (hwTetherSolid){&shapes[i], hwPose_identity};
    hwTetherSpace* space = hwCreateTetherSpace(count, solids, NULL, &error);
    if (space == NULL) fail_msg("%s", error.message);
    return space;
}

static double MeasureCurve(const hwSeedSetup* setup, const hwSeedPath* path, int pieces) {
    double sum = 0.0, whole = hwSeedPath_GetLength(path);
    hwVec3 before = path->ends[0];
    for (int i = 1; i <= pieces; ++i) {
        hwVec3 p = hwSeedPath_GetPoint(setup, path, whole * i / pieces);
        sum += hwDistance(before, p);
        before = p;
    }
    return sum;
}

// Lengths are kept to 1e-9 by the numbers that define a shape, and its points lie on a curve of that length: to 1e-5 of it with
// 2,000 chords of a curve that turns by pi at most (pi^2 / (24 n^2)); for linear depth as well, where the seed lost it.
static void vee_and_catenary_keep_their_length(void** state) {
    (void)state;
    hwTetherSpace* space = MakeSpace(0, NULL);
    hwSeedState none = {0};
    uint64_t seed = 3;
    for (int i = 0; i < 60; ++i) {
        hwVec3 current = hwScale(0.5, TestRandomVec3(&seed));
        current.z = 0.0;
        hwVec3 load = hwTether_GetSeedLoad(current, 1.0, TestRandom(&seed));
        hwSeedSetup setup = MakeSetup(space, i % 2 ? HW_BEND_VEE : HW_BEND_CATENARY, load);
        setup.linearDepth = i % 3 == 0;
        hwVec3 ends[2] = {TestRandomVec3(&seed), hwScale(20.0, TestRandomVec3(&seed))};
        double length = hwDistance(ends[0], ends[1]) * (1.01 + fabs(TestRandom(&seed)));
        hwSeedPath path;
        hwSeed_Solve(&setup, &none, ends, length, &path);
        assert_true(path.bent[0] && !path.taut);
        assert_true(fabs(hwSeedPath_GetLength(&path) - length) < 1e-9 * length);
        assert_true(hwDistance(hwSeedPath_GetPoint(&setup, &path, length), ends[1]) < 1e-9 * length);
        double chords = MeasureCurve(&setup, &path, 2000);
        // a V's bend lies within one of the chords, which is shorter than what it cuts off
        assert_true(fabs(chords / length - 1.0) < (i % 2 ? 1e-3 : 1e-5));
    }
    hwDestroyTetherSpace(space);
}

// Equation 2-1 at its three constraints.
static void the_bend_of_a_vee_is_that_of_equation_2_1(void** state) {
    (void)state;
    hwTetherSpace* space = MakeSpace(0, NULL);
    hwSeedSetup setup = MakeSetup(space, HW_BEND_VEE, hwMakeVec3(0.0, 1.0, 0.0));
    hwSeedState none = {0};
    hwSeedPath path;
    const double length = 10.0, width = 6.0, against[3] = {0.0, -7.9, 7.9}; // L sin(theta) = 8
    for (int i = 0; i < 3; ++i) {
        // dz is positive against the current
        hwVec3 ends[2] = {{0.0, 0.0, 0.0}, {width, -against[i], 0.0}};
        hwSeed_Solve(&setup, &none, ends, length, &path);
        double link = 0.5 * length - against[i] / (2.0 * 0.8);
        assert_true(fabs(path.span[0].link - link) < 1e-12 * length);
    }
    hwDestroyTetherSpace(space);
}

// 3.4 on a wall that a straight link passes through at right angles: intersections all in its plane, so the mean point moves by
// sqrt(2) radii along the wall's normal.
static void the_collision_point_is_off_the_wall_by_root_two_radii(void** state) {
    (void)state;
    static const hwVec3 corners[4] = {{0.0, -3.0, -3.0}, {0.0, 3.0, -3.0}, {0.0, 3.0, 3.0}, {0.0, -3.0, 3.0}};
    static const int triangles[2][3] = {{0, 1, 2}, {0, 2, 3}};
    hwShapeDef wall = hwDefaultShapeDef();
    wall.kind = HW_SHAPE_MESH;
    wall.mesh.vertexCount = 4;
    wall.mesh.vertices = corners;
    wall.mesh.triangleCount = 2;
    wall.mesh.triangles = triangles;
    hwTetherSpace* space = MakeSpace(1, &wall);
    hwSeedSetup setup = MakeSetup(space, HW_BEND_LINE, hwMakeVec3(0.0, 0.0, -1.0));
    hwSeedState none = {0};
    hwSeedPath path;
    const hwVec3 ends[2] = {{-2.0, 0.7, 0.4}, {2.0, 0.7, 0.4}};
    hwSeed_Solve(&setup, &none, ends, 4.0, &path);
    hwSeedPoint point;
    hwVec3 mean;
    assert_true(hwSeed_FindCollision(&setup, &path, 0, &point, &mean));
    // eight edges, of which the diagonals lie evenly about the axis in the middle of the link
    assert_true(hwDistance(mean, hwMakeVec3(0.0, 0.7, 0.4)) < 1e-9);
    assert_true(hwDistance(point.at, hwMakeVec3(sqrt(2.0) * setup.radius, 0.7, 0.4)) < 1e-9);
    assert_true(hwDistance(point.normal, hwMakeVec3(1.0, 0.0, 0.0)) < 1e-12);
    hwDestroyTetherSpace(space);
}

static hwShapeDef MakePile(void) {
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = HW_SHAPE_CYLINDER;
    shape.radius = 0.5;
    shape.length = 40.0;
    return shape;
}

// Round a pile and back: collisions come and, at 185 degrees, go; the length is kept on the way. While it is stuck paying out
// changes nothing, and the vehicle is held when the last segment is taut.
static void it_winds_sticks_holds_and_comes_free(void** state) {
    (void)state;
    hwShapeDef pile = MakePile();
    hwTetherSpace* space = MakeSpace(1, &pile);
    for (int bend = HW_BEND_LINE; bend <= HW_BEND_CATENARY; ++bend) {
        hwSeedSetup setup =
            MakeSetup(space, (hwTetherBend)bend, hwTether_GetSeedLoad(hwMakeVec3(0.0, 0.2, 0.0), 1.0, 0.0));
        setup.stuckAngle = 60.0 * HW_PI / 180.0;
        hwSeedState tether = {0};
        static hwSeedPath path;
        const double length = 16.0;
        const int steps = 400;
        int most = 0, stuckAt = -1;
        for (int i = 0; i <= 2 * steps; ++i) {
            int at = i <= steps ? i : 2 * steps - i;
            double angle = 0.5 * HW_PI - 1.25 * HW_PI * at / steps;
            hwVec3 ends[2] = {{-8.0, 1.2, 0.0}, {4.0 * cos(angle), 4.0 * sin(angle), 0.0}};
            hwSeed_Update(&setup, &tether, ends, length, &path);
            if (tether.count > most) most = tether.count;
            if (tether.stuck && stuckAt < 0) stuckAt = i;
            if (bend != HW_BEND_LINE && !path.taut)
                assert_true(fabs(hwSeedPath_GetLength(&path) - length) < 1e-9 * length);
            if (i != steps) continue;
            assert_true(tether.count >= 2 && tether.stuck);
            hwSeedPath more;
            hwSeed_Solve(&setup, &tether, ends, length + 5.0, &more); // paid out: without effect
            assert_true(fabs(hwSeedPath_GetLength(&more) - hwSeedPath_GetLength(&path)) < 1e-12);
            // as far again as the last segment is long: held, by the stretch of that segment
            int last = path.count - 1;
            double own = tether.fixed[last];
            hwVec3 corner = path.ends[last], out = hwNormalize(hwSub(ends[1], corner));
            hwVec3 far[2] = {ends[0], hwMulAdd(corner, 1.01 * own, out)};
            hwSeed_Solve(&setup, &tether, far, length, &more);
            assert_true(more.taut);
            assert_true(fabs(more.tension[1] - 0.01 * setup.EA) < 1e-6 * setup.EA);
            hwVec3 near[2] = {ends[0], hwMulAdd(corner, 0.99 * own, out)};
            hwSeed_Solve(&setup, &tether, near, length, &more);
            assert_true(!more.taut || more.tension[1] == 0.0);
        }
        assert_true(stuckAt > 0 && most >= 2);
        assert_int_equal(tether.count, 0);
        assert_false(tether.stuck);
        assert_int_equal(tether.lost, 0);
    }
    hwDestroyTetherSpace(space);
}

// Sliding: with one collision and no stuck state the vehicle draws the slack through it, the longest segment alone is bent, and
// it is taut when both segments are straight.
static void slack_runs_through_a_collision_point(void** state) {
    (void)state;
    hwShapeDef pile = MakePile();
    hwTetherSpace* space = MakeSpace(1, &pile);
    hwSeedSetup setup = MakeSetup(space, HW_BEND_CATENARY, hwMakeVec3(0.0, 1.0, 0.0));
    hwSeedState tether = {0};
    static hwSeedPath path;
    double before = HUGE_VAL;
    bool taut = false, shrank = false;
    int points = 0;
    const double length = 13.2;
    for (int i = 0; i <= 400; ++i) {
        double angle = 0.5 * HW_PI - 1.25 * HW_PI * i / 400;
        hwVec3 ends[2] = {{-8.0, 1.2, 0.0}, {4.0 * cos(angle), 4.0 * sin(angle), 0.0}};
        hwSeed_Update(&setup, &tether, ends, length, &path);
        int bent = 0;
        for (int k = 0; k < path.count; ++k) bent += path.bent[k];
        assert_true(bent <= 1);
        taut = taut || path.taut;
        if (path.taut) continue;
        assert_true(fabs(hwSeedPath_GetLength(&path) - length) < 1e-9 * length);
        // as the vehicle goes round, the bent segment gives what the others need
        if (tether.count == points && points > 0 && path.bent[0]) {
            assert_true(path.length[0] < before);
            shrank = true;
        }
        points = tether.count;
        before = path.length[0];
    }
    assert_true(shrank);
    assert_true(taut);
    hwDestroyTetherSpace(space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vee_and_catenary_keep_their_length),
        cmocka_unit_test(the_bend_of_a_vee_is_that_of_equation_2_1),
        cmocka_unit_test(the_collision_point_is_off_the_wall_by_root_two_radii),
        cmocka_unit_test(it_winds_sticks_holds_and_comes_free),
        cmocka_unit_test(slack_runs_through_a_collision_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
