// Vee and catenary in closed form: lengths, ends, the differential equation, and the whole domain.
#include "test/support.h"

#include "hawser/tether.h"

static double MeasureLength(const hwTetherSpan* span, int pieces) {
    double sum = 0.0;
    hwVec3 before = hwTetherSpan_GetPoint(span, 0.0);
    for (int i = 1; i <= pieces; ++i) {
        hwVec3 p = hwTetherSpan_GetPoint(span, span->length * i / pieces);
        sum += hwDistance(before, p);
        before = p;
    }
    return sum;
}

static void vee_and_catenary_keep_their_length_and_ends_everywhere(void** state) {
    (void)state;
    uint64_t seed = 3;
    for (int k = 0; k < 20000; ++k) {
        hwVec3 a = hwScale(30.0, TestRandomVec3(&seed)), b = hwScale(30.0, TestRandomVec3(&seed));
        hwVec3 load = TestRandomVec3(&seed);
        // from taut within 1e-12 to a billion times too long
        double distance = hwDistance(a, b),
               length = distance * (1.0 + pow(10.0, -12.0 + 21.0 * (k % 1000) / 1000.0));
        hwTetherSpan span;
        assert_true(hwTetherSpan_Solve(HW_BEND_VEE, a, b, length, load, &span));
        assert_false(span.taut);
        double links = hwDistance(a, span.bendPoint) + hwDistance(span.bendPoint, b);
        // the bend is sqrt(slack) off the line: with slack of 1e-12 half of the digits are left
        assert_close(links / length, 1.0, 1e-9);
        assert_true(span.link >= -1e-9 * length && span.link <= length * (1.0 + 1e-9));
        assert_true(hwTetherSpan_Solve(HW_BEND_CATENARY, a, b, length, load, &span));
        // both halves meet in the middle: the ends are where they should be, the one seen from the other
        hwVec3 left = hwTetherSpan_GetPoint(&span, 0.5 * length),
               right = hwTetherSpan_GetPoint(&span, nextafter(0.5 * length, HUGE_VAL));
        assert_close_vec3(left, right, 1e-9 * length); // what is promised; 1.4e-10 seen
        assert_close_vec3(hwTetherSpan_GetPoint(&span, 0.0), a, 0.0);
        assert_close_vec3(hwTetherSpan_GetPoint(&span, length), b, 0.0);
    }
}

static void the_catenary_satisfies_its_equation_and_has_unit_speed(void** state) {
    (void)state;
    uint64_t seed = 8;
    for (int k = 0; k < 200; ++k) {
        hwVec3 a = hwScale(10.0, TestRandomVec3(&seed)), b = hwScale(10.0, TestRandomVec3(&seed));
        hwVec3 load = TestRandomVec3(&seed);
        double length = hwDistance(a, b) * (1.05 + 0.01 * k);
        hwTetherSpan span;
        assert_true(hwTetherSpan_Solve(HW_BEND_CATENARY, a, b, length, load, &span));
        assert_close(MeasureLength(&span, 4000) / length, 1.0,
                     1e-4); // chords fall short by (curvature length / n)^2 / 24
        // the tension across the load is the same everywhere: the tangent's slope against the load rises evenly with s
        double h = 1e-4 * length, slope[3];
        for (int i = 0; i < 3; ++i) {
            double s = length * (0.3 + 0.2 * i);
            hwVec3 t = hwSub(hwTetherSpan_GetPoint(&span, s + h), hwTetherSpan_GetPoint(&span, s - h));
            slope[i] = hwDot(t, span.load) / hwDot(t, span.across);
        }
        assert_close(slope[2] - slope[1], slope[1] - slope[0],
                     1e-4 * (fabs(slope[2] - slope[0]) + 1.0)); // differences over 1e-4 of the length
        assert_close(slope[0] - slope[1], 0.2 * length / span.scale,
                     1e-3 * (0.2 * length / span.scale)); // s / A
    }
}

static void degenerate_spans_are_told(void** state) {
    (void)state;
    hwTetherSpan span;
    hwVec3 a = {0.0, 0.0, 0.0}, b = {3.0, 4.0, 0.0}, down = {0.0, 0.0, -2.0};
    assert_true(hwTetherSpan_Solve(HW_BEND_CATENARY, a, b, 5.0, down, &span));
    assert_true(span.taut);
    assert_close_vec3(hwTetherSpan_GetPoint(&span, 2.5), hwMakeVec3(1.5, 2.0, 0.0), 1e-15);
    assert_true(hwTetherSpan_Solve(HW_BEND_VEE, a, a, 0.0, down, &span));
    assert_true(span.taut);
    // both ends at one place: down and up again
    assert_true(hwTetherSpan_Solve(HW_BEND_CATENARY, a, a, 4.0, down, &span));
    assert_close_vec3(hwTetherSpan_GetPoint(&span, 2.0), hwMakeVec3(0.0, 0.0, -2.0), 1e-15);
    assert_close_vec3(hwTetherSpan_GetPoint(&span, 3.0), hwMakeVec3(0.0, 0.0, -1.0), 1e-15);
    assert_false(hwTetherSpan_Solve(HW_BEND_CATENARY, a, b, 9.0, hwVec3_zero, &span));
    assert_false(hwTetherSpan_Solve(HW_BEND_CATENARY, a, b, -1.0, down, &span));
    assert_false(hwTetherSpan_Solve(HW_BEND_CATENARY, a, b, (double)NAN, down, &span));
}

// Equation 2-1 at its three named places, and the sag factor of 2.4.2.
static void the_seed_s_own_conditions_hold(void** state) {
    (void)state;
    const hwVec3 a = {0.0, 0.0, 0.0}, current = {0.0, 1.0, 0.0};
    const double length = 10.0, width = 6.0, height = 8.0; // L sin(theta)
    hwTetherSpan span;
    hwTetherSpan_Solve(HW_BEND_VEE, a, hwMakeVec3(width, 0.0, 0.0), length, current, &span);
    assert_close(span.link, 0.5 * length, 1e-12); // dz = 0: in the middle
    hwTetherSpan_Solve(HW_BEND_VEE, a, hwMakeVec3(width, -0.999 * height, 0.0), length, current, &span);
    assert_close(span.link, 0.0005 * length, 1e-9); // against the current: at the start
    hwTetherSpan_Solve(HW_BEND_VEE, a, hwMakeVec3(width, 0.999 * height, 0.0), length, current, &span);
    assert_close(span.link, 0.9995 * length, 1e-9); // with it: at the end
    assert_close_vec3(hwTether_GetSeedLoad(hwMakeVec3(2.0, 0.0, 0.0), 2.0, -1.0), hwMakeVec3(1.0, 0.0, 0.0),
                      1e-15);
    hwVec3 half = hwTether_GetSeedLoad(hwMakeVec3(1.0, 0.0, 0.0), 2.0, -1.0);
    assert_close_vec3(half, hwMakeVec3(sqrt(0.5), 0.0, -sqrt(0.5)),
                      1e-15); // sag factor -1/2: 45 degrees down
    assert_close_vec3(hwTether_GetSeedLoad(hwVec3_zero, 2.0, 0.7), hwMakeVec3(0.0, 0.0, 1.0), 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vee_and_catenary_keep_their_length_and_ends_everywhere),
        cmocka_unit_test(the_catenary_satisfies_its_equation_and_has_unit_speed),
        cmocka_unit_test(degenerate_spans_are_told),
        cmocka_unit_test(the_seed_s_own_conditions_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
