// Pulling tight against shortest curves known in closed form, homotopy kept, and the way home.
#include "test/support.h"

#include "hawser/tether.h"

static const hwPolyline g_none = {0, NULL};
#define ROOM 4000

static hwShapeDef MakePile(double radius, double x, double y) {
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = HW_SHAPE_CYLINDER;
    shape.radius = radius;
    shape.length = 40.0;
    shape.pose.p = hwMakeVec3(x, y, 0.0);
    return shape;
}

static hwTetherSpace* MakeSpace(int count, const hwShapeDef* shapes) {
    hwTetherSolid solids[16];
    hwError error;
    for (int i = 0; i < count; ++i) solids[i] = (hwTetherSolid){&shapes[i], hwPose_identity};
    hwTetherSpace* space = hwCreateTetherSpace(count, solids, NULL, &error);
    if (space == NULL) fail_msg("%s", error.message);
    return space;
}

static hwTetherAxis MakeAxis(double x, double y) {
    hwTetherAxis axis = {
        .point = {x, y, 0.0}, .direction = {0.0, 0.0, 1.0}, .from = -HUGE_VAL, .to = HUGE_VAL};
    return axis;
}

// Wound round a pile and pulled tight, its length is that of the helix between the tangents: in the unrolled plane a straight
// line.
static void a_tether_round_a_pile_becomes_the_geodesic(void** state) {
    (void)state;
    static hwVec3 points[ROOM], loose[200];
    const double pile = 0.4, radius = 0.004;
    hwShapeDef shape = MakePile(pile, 0.0, 0.0);
    hwTetherSpace* space = MakeSpace(1, &shape);
    hwTetherAxis axis = MakeAxis(0.0, 0.0);
    for (int turns = 0; turns <= 3; ++turns) {
        for (double rise = 0.0; rise <= 2.0; rise += 2.0) {
            int count = 0;
            // from (-5, -1) past the pile to (5, -1), wound `turns` times at 1.5 m with a wave in it
            hwVec3 from = {-5.0, -1.0, 0.0}, to = {5.0, -1.0, rise};
            loose[count++] = from;
            int steps = 40 * turns + 1;
            for (int i = 0; i < steps; ++i) {
                double s = steps > 1 ? (double)i / (steps - 1) : 0.5;
                double angle = -0.5 * HW_PI + 2.0 * HW_PI * turns * s;
                double r = 1.5 + 0.3 * sin(9.0 * s);
                loose[count++] = hwMakeVec3(r * cos(angle), r * sin(angle), rise * s + 0.4 * sin(11.0 * s));
            }
            loose[count++] = to;
            hwPolyline tether = {count, loose};
            int before = hwTether_CountWinding(tether, g_none, &axis).count;
            int tight = hwTetherSpace_Tighten(space, tether, radius, ROOM, points);
            assert_true(tight >= 2);
            hwPolyline result = {tight, points};
            assert_int_equal(hwTether_CountWinding(result, g_none, &axis).count, before);
            double length = hwTether_GetLength(result);
            double exact = hwDistance(from, to);
            if (turns > 0) {
                double rho = pile + radius, d = sqrt(26.0), tangent = sqrt(d * d - rho * rho);
                // angle between the ends as seen from the axis, and that between each and its tangent point
                double ends = 2.0 * atan2(5.0, 1.0), each = acos(rho / d);
                double wound = 2.0 * HW_PI * turns + ends - 2.0 * each;
                double flat = 2.0 * tangent + rho * wound;
                exact = sqrt(flat * flat + rise * rise);
            }
            // chords up to half a radius inside the circle, corners on it; what is promised is 1e-3
            assert_true(length > exact * (1.0 - 1e-3));
            assert_true(length < exact * (1.0 + 1e-3));
            double friction = 0.3;
            hwTetherArc arcs[8];
            int arcCount = hwTetherSpace_FindArcs(space, result, radius, &friction, 8, arcs);
            assert_int_equal(arcCount, turns > 0 ? 1 : 0);
            if (turns > 0 && rise == 0.0) {
                double rho = pile + radius, d = sqrt(26.0);
                double wound = 2.0 * HW_PI * turns + 2.0 * atan2(5.0, 1.0) - 2.0 * acos(rho / d);
                assert_close(arcs[0].angle, wound, 0.005 * wound); // corners zigzag by less than a radius
                assert_close(log(arcs[0].factor), friction * wound, 0.02 * friction * wound);
            }
        }
    }
    hwDestroyTetherSpace(space);
}

// A corner that lies metres along a bar from where the tight tether passes it, between chords that are long against the
// steps that its surface allows: it slides there all the same.
static void a_kink_slides_along_a_bar_until_the_tether_is_straight(void** state) {
    (void)state;
    static hwVec3 points[ROOM];
    const double bar = 0.5, radius = 0.0038, rho = bar + radius;
    for (int lean = 0; lean < 3; ++lean) {
        hwShapeDef shape = MakePile(bar, 0.0, 0.0);
        hwPose pose = {hwMakeVec3(3.0, -2.0, 1.0),
                       hwQuatFromRotationVector(hwMakeVec3(0.3 * lean, -0.2 * lean, 0.5 * lean))};
        shape.pose = pose;
        hwTetherSpace* space = MakeSpace(1, &shape);
        // in the bar's frame: a kink 4.6 m below the straight way past it
        hwVec3 loose[3] = {
            {-6.2313, -11.3137, 12.7531}, {-0.43799, 0.24974, 3.42183}, {3.3124, 5.8649, 7.4469}};
        hwVec3 from = loose[0], to = loose[2];
        double da = hypot(from.x, from.y), dc = hypot(to.x, to.y);
        double wound = 2.0 * HW_PI + atan2(from.y, from.x) - atan2(to.y, to.x);
        wound -= acos(rho / da) + acos(rho / dc);
        double flat = sqrt(da * da - rho * rho) + sqrt(dc * dc - rho * rho) + rho * wound;
        double exact = sqrt(flat * flat + (to.z - from.z) * (to.z - from.z));
        for (int i = 0; i < 3; ++i) loose[i] = hwTransformPoint(pose, loose[i]);
        int tight = hwTetherSpace_Tighten(space, (hwPolyline){3, loose}, radius, ROOM, points);
        assert_true(tight >= 3);
        // chords and corners up to half a radius off the curve
        assert_close(hwTether_GetLength((hwPolyline){tight, points}), exact, 1e-4 * exact);
        hwDestroyTetherSpace(space);
    }
}

static void a_tether_is_never_pulled_through_a_pile_and_the_way_home_frees_it(void** state) {
    (void)state;
    static hwVec3 points[ROOM];
    static hwTetherWaypoint route[ROOM];
    hwShapeDef shapes[9];
    hwTetherFeature features[9];
    for (int i = 0; i < 9; ++i) {
        shapes[i] = MakePile(0.3, 4.0 * (i % 3), 4.0 * (i / 3));
        features[i] = (hwTetherFeature){.isAxis = true, .axis = MakeAxis(4.0 * (i % 3), 4.0 * (i / 3))};
        features[i].axis.curtain = hwNormalize(hwMakeVec3(0.31, 1.0, 0.0)); // not through other piles
    }
    hwTetherSpace* space = MakeSpace(9, shapes);
    uint64_t seed = 77;
    int wound = 0;
    for (int k = 0; k < 15; ++k) {
        // from the boat through random gaps: legs between cell centres never touch a pile
        hwVec3 loose[24];
        int count = 0, x = -1, y = -1;
        loose[count++] = hwMakeVec3(-4.3, -4.1, 5.0);
        for (int i = 0; i < 20; ++i) {
            loose[count++] = hwMakeVec3(4.0 * x + 2.01, 4.0 * y + 2.02, 3.0 * TestRandom(&seed));
            int way = (int)(2.0 + 2.0 * TestRandom(&seed));
            x += way == 0 && x < 2 ? 1 : (way == 1 && x > -1 ? -1 : 0);
            y += way == 2 && y < 2 ? 1 : (way == 3 && y > -1 ? -1 : 0);
        }
        hwPolyline tether = {count, loose};
        hwTetherLetter word[256], after[256];
        hwVec3 back[2] = {loose[count - 1], loose[0]};
        back[0].z = back[1].z = 19.0;
        int letters = hwTether_ReduceWord(tether, (hwPolyline){2, back}, 9, features, 256, word);
        assert_true(letters >= 0);
        wound += letters > 0;
        int tight = hwTetherSpace_Tighten(space, tether, 0.005, ROOM, points);
        hwPolyline result = {tight, points};
        int left = hwTether_ReduceWord(result, (hwPolyline){2, back}, 9, features, 256, after);
        assert_int_equal(left, letters);
        for (int i = 0; i < letters; ++i) {
            assert_int_equal(after[i].feature, word[i].feature);
            assert_int_equal(after[i].sign, word[i].sign);
        }
        assert_true(hwTether_GetLength(result) <= hwTether_GetLength(tether));
        // nothing is left to cut: every corner turns only where something is near
        for (int i = 1; i + 1 < tight; ++i)
            assert_true(hwTetherSpace_GetClearance(space, points[i], 1.0, NULL, NULL) < 0.02);
        int waypoints = hwTetherSpace_FindRoute(space, result, 0.005, 0.6, ROOM, route);
        assert_true(waypoints >= 2);
        assert_close_vec3(route[0].point, loose[count - 1], 0.0);
        assert_close_vec3(route[waypoints - 1].point, loose[0], 0.0);
        hwVec3 flown[ROOM];
        for (int i = 0; i < waypoints; ++i) {
            flown[i] = route[i].point;
            if (i > 0 && i + 1 < waypoints) assert_true(route[i].clearance > 0.25);
        }
        // tether and way home together enclose nothing
        assert_int_equal(hwTether_ReduceWord(tether, (hwPolyline){waypoints, flown}, 9, features, 256, after),
                         0);
    }
    assert_true(wound > 8);
    hwDestroyTetherSpace(space);
}

static void degenerate_tethers_and_open_meshes_are_taken(void** state) {
    (void)state;
    // one triangle in the way, open: the tether goes round it on its own side
    const hwVec3 vertices[3] = {{0.0, -1.0, -1.0}, {0.0, 1.0, -1.0}, {0.0, 0.0, 2.0}};
    const int triangle[1][3] = {{0, 1, 2}};
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = HW_SHAPE_MESH;
    shape.mesh = (hwMeshData){3, vertices, 1, triangle};
    hwTetherSpace* space = MakeSpace(1, &shape);
    hwVec3 over[3] = {{-3.0, 0.0, 0.0}, {0.0, 0.0, 5.0}, {3.0, 0.0, 0.0}}, points[64];
    int tight = hwTetherSpace_Tighten(space, (hwPolyline){3, over}, 0.01, 64, points);
    // over the tip at z = 2, or down one of its sides as far as the tether's other sides allow: never through it
    assert_true(tight >= 3);
    for (int i = 0; i + 1 < tight; ++i)
        assert_true(hwTetherSpace_IsFree(space, points[i], points[i + 1], points[i + 1], 0.0024));
    hwVec3 one[3] = {{1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}};
    assert_int_equal(hwTetherSpace_Tighten(space, (hwPolyline){3, one}, 0.01, 64, points), 2);
    assert_int_equal(hwTetherSpace_Tighten(space, (hwPolyline){1, one}, 0.01, 64, points), 1);
    assert_int_equal(hwTetherSpace_Tighten(space, (hwPolyline){3, one}, 0.01, 2, points), 0);
    one[1].x = (double)NAN;
    assert_int_equal(hwTetherSpace_Tighten(space, (hwPolyline){3, one}, 0.01, 64, points), 0);
    // an end inside a solid: what starts there stays there, and nothing hangs
    hwDestroyTetherSpace(space);
    hwShapeDef pile = MakePile(0.5, 0.0, 0.0);
    space = MakeSpace(1, &pile);
    hwVec3 inside[3] = {{-3.0, 0.0, 0.0}, {-1.0, 1.0, 0.0}, {0.1, 0.0, 0.0}};
    assert_true(hwTetherSpace_Tighten(space, (hwPolyline){3, inside}, 0.01, 64, points) >= 2);
    hwDestroyTetherSpace(space);
    hwDestroyTetherSpace(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tether_round_a_pile_becomes_the_geodesic),
        cmocka_unit_test(a_kink_slides_along_a_bar_until_the_tether_is_straight),
        cmocka_unit_test(a_tether_is_never_pulled_through_a_pile_and_the_way_home_frees_it),
        cmocka_unit_test(degenerate_tethers_and_open_meshes_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
