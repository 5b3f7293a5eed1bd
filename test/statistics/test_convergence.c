// Discretisation errors from three meshes: exact powers are found, what is none is told.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "hawser/statistics.h"

#include <math.h>

static void PowersAreFound(void** state) {
    (void)state;
    static const double orders[] = {0.7, 1.0, 2.0, 4.0};
    for (int i = 0; i < 4; ++i) {
        for (int sign = -1; sign <= 1; sign += 2) {
            double values[3];
            for (int k = 0; k < 3; ++k) values[k] = 10.0 + sign * 0.3 * pow(1.5, -orders[i] * k);
            hwConvergence found = hwFindConvergence(values, 1.5);
            assert_true(fabs(found.order - orders[i]) < 1e-9); // differences of 0.03 have 14 digits
            assert_true(fabs(found.limit - 10.0) < 1e-9);
            assert_true(fabs(found.error - 1.25 * 0.3) < 1e-9);
        }
    }
}

static void DisorderHasNoOrder(void** state) {
    (void)state;
    static const double lists[][3] = {{1.0, 2.0, 1.5}, {1.0, 1.1, 1.3}, {1.0, 1.0, 1.2}, {1.0, 1.2, 1.2}};
    static const double errors[] = {3.0, 0.9, 0.6, 0.6};
    for (int i = 0; i < 4; ++i) {
        hwConvergence found = hwFindConvergence(lists[i], 2.0);
        assert_true(isnan(found.order));
        assert_true(found.limit == lists[i][2]);
        assert_true(fabs(found.error - errors[i]) < 1e-12);
    }
    static const double same[3] = {5.0, 5.0, 5.0}, none[3] = {1.0, NAN, 1.0};
    assert_true(hwFindConvergence(same, 1.5).error == 0.0);
    assert_true(isnan(hwFindConvergence(none, 1.5).error));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(PowersAreFound),
        cmocka_unit_test(DisorderHasNoOrder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
