// Input conditioning of pilot axes.
#include "vehicle/axis.h"

#include "support.h"

static void test_PlainAxisPassesThrough(void** state) {
    (void)state;
    hwAxisDef axis = {.sensitivity = 1.0};
    for (int i = -10; i <= 10; ++i)
        assert_close(hwAxis_Condition(&axis, 0.1 * i), 0.1 * i, 1e-15); // rounding
    assert_close(hwAxis_Condition(&axis, 3.0), 1.0, 0.0);
    assert_close(hwAxis_Condition(&axis, -3.0), -1.0, 0.0);
}

static void test_DeadZoneIsSilentAndTheRestReachesFullRange(void** state) {
    (void)state;
    hwAxisDef axis = {.deadZone = 0.2, .sensitivity = 1.0};
    assert_close(hwAxis_Condition(&axis, 0.2), 0.0, 0.0);
    assert_close(hwAxis_Condition(&axis, -0.19), 0.0, 0.0);
    assert_close(hwAxis_Condition(&axis, 0.6), 0.5, 1e-15); // rounding
    assert_close(hwAxis_Condition(&axis, 1.0), 1.0, 1e-15);
    // no jump at its edge
    assert_close(hwAxis_Condition(&axis, 0.2 + 1e-9), 0.0, 2e-9);
}

static void test_ExpoSoftensTheMiddleAndKeepsTheEnds(void** state) {
    (void)state;
    hwAxisDef axis = {.sensitivity = 1.0, .expo = 0.4};
    assert_close(hwAxis_Condition(&axis, 0.5), 0.6 * 0.5 + 0.4 * 0.125, 1e-15);
    assert_close(hwAxis_Condition(&axis, 1.0), 1.0, 1e-15);
    axis.expo = 1.0;
    assert_close(hwAxis_Condition(&axis, -0.5), -0.125, 1e-15);
}

static void test_SensitivityAndInversion(void** state) {
    (void)state;
    hwAxisDef axis = {.sensitivity = 0.5, .invert = true};
    assert_close(hwAxis_Condition(&axis, 0.8), -0.4, 1e-15);
    axis.sensitivity = 2.0;
    assert_close(hwAxis_Condition(&axis, 0.8), -1.0, 0.0); // cut at the full range
}

static void test_IsOddAndNeverFalls(void** state) {
    (void)state;
    uint64_t random = 7;
    for (int trial = 0; trial < 200; ++trial) {
        hwAxisDef axis = {.deadZone = 0.45 * (1.0 + TestRandom(&random)),
                          .sensitivity = 1.0 + TestRandom(&random),
                          .expo = 0.5 * (1.0 + TestRandom(&random))};
        double before = -2.0;
        for (int i = -40; i <= 40; ++i) {
            double x = i / 40.0, y = hwAxis_Condition(&axis, x);
            assert_true(y >= before);
            assert_true(fabs(y) <= 1.0);
            assert_close(hwAxis_Condition(&axis, -x), -y, 0.0);
            before = y;
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_PlainAxisPassesThrough),
        cmocka_unit_test(test_DeadZoneIsSilentAndTheRestReachesFullRange),
        cmocka_unit_test(test_ExpoSoftensTheMiddleAndKeepsTheEnds),
        cmocka_unit_test(test_SensitivityAndInversion),
        cmocka_unit_test(test_IsOddAndNeverFalls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
