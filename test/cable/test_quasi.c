// Cables without inertia: shapes and forces.
#include "support.h"

#include "cable/quasi.h"

static const double g_length = 30.0, g_weight = 20.0;

static hwQuasiDef MakeDef(hwQuasiKind kind, hwVec3 a, hwVec3 b) {
    hwQuasiDef def = {.kind = kind,
                      .held = {true, true},
                      .ends = {a, b},
                      .length = g_length,
                      .weight = g_weight,
                      .EA = 1e6};
    return def;
}

static hwQuasi Solve(const hwQuasiDef* def) {
    hwQuasi q;
    assert_status(hwQuasi_Solve(def, &q, NULL), HW_OK);
    return q;
}

static const hwVec3 g_pairs[][2] = {
    {{0.0, 0.0, 0.0}, {20.0, 5.0, 3.0}},  // slack
    {{0.0, 0.0, 0.0}, {29.99, 0.0, 1.0}}, // nearly taut
    {{0.0, 0.0, 0.0}, {25.0, 18.0, 5.0}}, // stretched
    {{0.0, 0.0, 0.0}, {2.0, 0.0, 25.0}},  // nearly upright
    {{1.0, 2.0, 3.0}, {1.0, 2.0, -10.0}}, // one below the other
};
#define PAIRS (int)(sizeof(g_pairs) / sizeof(g_pairs[0]))

static const hwQuasiKind g_kinds[] = {HW_QUASI_LINE, HW_QUASI_VEE, HW_QUASI_CATENARY};

// What holds the ends holds the weight, and nothing sideways.
static void ends_carry_the_weight(void** state) {
    (void)state;
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < PAIRS; ++i) {
            hwQuasiDef def = MakeDef(g_kinds[k], g_pairs[i][0], g_pairs[i][1]);
            hwQuasi q = Solve(&def);
            hwVec3 sum = hwAdd(q.force[0], q.force[1]);
            double scale = hwLength(q.force[0]) + hwLength(q.force[1]);
            // the V's bend is in balance to 1e-12 of its tensions, which are differences of lengths
            assert_close_vec3(sum, hwMakeVec3(0.0, 0.0, -g_weight * g_length), 1e-8 * scale);
        }
    }
}

// The blocks are the derivative of the forces: central differences, second order in a step of 1e-5 m.
static void stiffness_is_the_derivative(void** state) {
    (void)state;
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < PAIRS; ++i) {
            if (i == 4) continue; // upright and slack: the half that hangs free has no stiffness but swings
            hwQuasiDef def = MakeDef(g_kinds[k], g_pairs[i][0], g_pairs[i][1]);
            hwQuasi q = Solve(&def);
            double scale = hwLength(q.bb.cx) + hwLength(q.bb.cy) + hwLength(q.bb.cz);
            const hwVec3 columns[3] = {q.bb.cx, q.bb.cy, q.bb.cz}, cross[3] = {q.ab.cx, q.ab.cy, q.ab.cz};
            for (int axis = 0; axis < 3; ++axis) {
                const double step = 1e-5;
                hwVec3 move = {axis == 0, axis == 1, axis == 2};
                hwQuasiDef there = def, back = def;
                there.ends[1] = hwMulAdd(def.ends[1], step, move);
                back.ends[1] = hwMulAdd(def.ends[1], -step, move);
                hwQuasi p = Solve(&there), m = Solve(&back);
                hwVec3 b = hwScale(-0.5 / step, hwSub(p.force[1], m.force[1]));
                hwVec3 a = hwScale(-0.5 / step, hwSub(p.force[0], m.force[0]));
                assert_close_vec3(columns[axis], b, 1e-4 * (scale + 1.0));
                assert_close_vec3(cross[axis], a, 1e-4 * (scale + 1.0));
            }
        }
    }
}

// Halves of one length, meeting where the heavy middle hangs: an isosceles triangle when the ends are level.
static void vee_is_a_triangle(void** state) {
    (void)state;
    hwQuasiDef def = MakeDef(HW_QUASI_VEE, hwVec3_zero, hwMakeVec3(24.0, 0.0, 0.0));
    hwQuasi q = Solve(&def);
    // depth sqrt(15^2 - 12^2) = 9; EA = 1e6 stretches 1e-4
    assert_close_vec3(q.bend, hwMakeVec3(12.0, 0.0, -9.0), 1e-2);
    double lean = 15.0 / 9.0; // tension over its vertical part
    assert_close(q.tension[0], 0.25 * g_weight * g_length * lean, 0.5);
    assert_close(q.tension[0], q.tension[1], 1e-6);
}

// With the ends one above the other the middle hangs from the upper one.
static void vee_hangs_from_the_upper_end(void** state) {
    (void)state;
    hwQuasiDef def = MakeDef(HW_QUASI_VEE, hwMakeVec3(0.0, 0.0, 5.0), hwVec3_zero);
    hwQuasi q = Solve(&def);
    assert_close_vec3(q.bend, hwMakeVec3(0.0, 0.0, -10.0), 1e-2);
    assert_close(q.tension[0], 0.5 * g_weight * g_length, 1e-6);
    assert_close(q.tension[1], 0.0, 1e-9);
}

static void vee_rests_on_the_bottom(void** state) {
    (void)state;
    hwQuasiDef def = MakeDef(HW_QUASI_VEE, hwVec3_zero, hwMakeVec3(20.0, 0.0, 0.0));
    def.hasFloor = true;
    def.floor = -5.0;
    hwQuasi q = Solve(&def);
    assert_close(q.bend.z, -5.0, 0.0);
    assert_close(q.tension[0], 0.0, 0.0); // more than enough of it
}

static void free_end_hangs_down(void** state) {
    (void)state;
    for (int end = 0; end < 2; ++end) {
        hwQuasiDef def = MakeDef(HW_QUASI_CATENARY, hwMakeVec3(1.0, 2.0, 3.0), hwMakeVec3(1.0, 2.0, 3.0));
        def.held[1 - end] = false;
        hwQuasi q = Solve(&def);
        assert_close_vec3(q.force[end], hwMakeVec3(0.0, 0.0, -g_weight * g_length), 1e-9);
        double tension;
        hwVec3 tip = hwQuasi_GetPoint(&q, end == 0 ? g_length : 0.0, &tension);
        assert_close_vec3(tip, hwMakeVec3(1.0, 2.0, 3.0 - g_length), 1e-12);
        assert_close(tension, 0.0, 1e-12);
        def.hasFloor = true;
        def.floor = -7.0;
        q = Solve(&def);
        assert_close(q.force[end].z, -g_weight * 10.0, 1e-9);
    }
}

static void slack_line_only_weighs(void** state) {
    (void)state;
    hwQuasiDef def = MakeDef(HW_QUASI_LINE, hwVec3_zero, hwMakeVec3(20.0, 0.0, 0.0));
    hwQuasi q = Solve(&def);
    assert_close_vec3(q.force[1], hwMakeVec3(0.0, 0.0, -300.0), 1e-12);
    def.compression = 1.0;
    q = Solve(&def);
    assert_close(q.force[1].x, 1e6 / 3.0, 1e-6); // a bar, a third too short
}

static void what_is_not_finite_is_refused(void** state) {
    (void)state;
    hwError error;
    hwQuasi q;
    for (int k = 0; k < 3; ++k) {
        hwQuasiDef def = MakeDef(g_kinds[k], hwVec3_zero, hwMakeVec3((double)NAN, 0.0, 0.0));
        assert_status(hwQuasi_Solve(&def, &q, &error), HW_ERROR_NUMERIC);
        def = MakeDef(g_kinds[k], hwVec3_zero, hwMakeVec3(1.0, 0.0, 0.0));
        def.length = 0.0;
        assert_status(hwQuasi_Solve(&def, &q, &error), HW_ERROR_NUMERIC);
    }
}

static double GetEnergy(const hwQuasiDef* def) {
    hwQuasi q = Solve(def);
    double height, stretch;
    hwQuasi_GetEnergy(&q, &height, &stretch);
    return height + stretch;
}

// Through the surface too, forces are the slopes of an energy: nothing is gained by going round. Central differences of
// 1e-4 m; energies of 1e4 J are known to 1e-12.
static void forces_are_slopes_of_the_energy(void** state) {
    (void)state;
    const double surfaces[] = {-20.0, -3.0, 1.0, 40.0}, lifts[] = {0.6, 1.4}; // of the weight: heavy, afloat
    for (int n = 0; n < 2 * PAIRS * 4 * 2; ++n) {
        int pair = n / 2 % PAIRS;
        hwQuasiDef def =
            MakeDef(n % 2 == 0 ? HW_QUASI_LINE : HW_QUASI_VEE, g_pairs[pair][0], g_pairs[pair][1]);
        if (def.kind == HW_QUASI_LINE && pair != 2) continue; // one that is slack pushes with its fraction
        def.surface = surfaces[n / (2 * PAIRS) % 4];
        def.lift = lifts[n / (8 * PAIRS)] * g_weight;
        def.radius = 0.1;
        hwQuasi q = Solve(&def);
        for (int end = 0; end < 2; ++end) {
            for (int axis = 0; axis < 3; ++axis) {
                const double step = 1e-4;
                hwVec3 move = {axis == 0, axis == 1, axis == 2};
                hwQuasiDef there = def, back = def;
                there.ends[end] = hwMulAdd(def.ends[end], step, move);
                back.ends[end] = hwMulAdd(def.ends[end], -step, move);
                double slope = (GetEnergy(&there) - GetEnergy(&back)) / (2.0 * step);
                assert_close(hwDot(q.force[end], move), -slope, 1e-4 * (1.0 + hwLength(q.force[end])));
            }
        }
    }
}

// Of the catenary, hanging in one fluid. The quadrature of the sharpest turn here is good to 1e-4 of the weight.
static void the_catenary_has_an_energy(void** state) {
    (void)state;
    for (int i = 0; i < PAIRS; ++i) {
        hwQuasiDef def = MakeDef(HW_QUASI_CATENARY, g_pairs[i][0], g_pairs[i][1]);
        hwQuasi q = Solve(&def);
        for (int axis = 0; axis < 3; ++axis) {
            const double step = 1e-3;
            hwVec3 move = {axis == 0, axis == 1, axis == 2};
            hwQuasiDef there = def, back = def;
            there.ends[1] = hwMulAdd(def.ends[1], step, move);
            back.ends[1] = hwMulAdd(def.ends[1], -step, move);
            double slope = (GetEnergy(&there) - GetEnergy(&back)) / (2.0 * step);
            assert_close(hwDot(q.force[1], move), -slope,
                         1e-3 * (g_weight * g_length + hwLength(q.force[1])));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_carry_the_weight),
        cmocka_unit_test(stiffness_is_the_derivative),
        cmocka_unit_test(vee_is_a_triangle),
        cmocka_unit_test(vee_hangs_from_the_upper_end),
        cmocka_unit_test(vee_rests_on_the_bottom),
        cmocka_unit_test(free_end_hangs_down),
        cmocka_unit_test(slack_line_only_weighs),
        cmocka_unit_test(what_is_not_finite_is_refused),
        cmocka_unit_test(forces_are_slopes_of_the_energy),
        cmocka_unit_test(the_catenary_has_an_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
