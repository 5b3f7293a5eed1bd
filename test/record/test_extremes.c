// Extremes and means from steps of any length: exact for what a parabola is exact for, better than steps alone for the rest,
// and no overshoot where values jump.
#include "support.h"

#include "hawser/extremes.h"

#include <math.h>

#define PI 3.14159265358979323846

static hwExtreme Measure(int count, const double* times, const double* values, double level) {
    hwError error;
    hwExtremes* extremes = hwCreateExtremes(1, &error);
    assert_non_null(extremes);
    if (!isnan(level)) hwExtremes_SetLevel(extremes, 0, level);
    for (int i = 0; i < count; ++i) hwExtremes_Add(extremes, times[i], &values[i]);
    hwExtreme out;
    hwExtremes_Get(extremes, &out);
    hwDestroyExtremes(extremes);
    return out;
}

// y = 10 - (t - 1.3)^2, steps of many lengths, the first and last away from the top.
static void a_parabola_is_measured_exactly(void** state) {
    (void)state;
    const double times[] = {0.0, 0.2, 0.25, 0.6, 1.1, 1.7, 1.75, 2.2, 2.6};
    double values[9];
    for (int i = 0; i < 9; ++i) values[i] = 10.0 - (times[i] - 1.3) * (times[i] - 1.3);
    hwExtreme e = Measure(9, times, values, 9.75);
    assert_close(e.max, 10.0, 1e-14);
    assert_close(e.maxTime, 1.3, 1e-13);
    assert_close(e.min, 10.0 - 1.69, 1e-14);
    assert_close(e.minTime, 0.0, 0.0);
    // the first and the last piece are straight: chords, each h^3/6 below
    double missing = (0.2 * 0.2 * 0.2 + 0.4 * 0.4 * 0.4) / 6.0;
    assert_close(e.mean, 10.0 - 2.0 * 1.3 * 1.3 * 1.3 / 3.0 / 2.6 - missing / 2.6, 1e-13);
    // above 9.75 for half a second to either side
    assert_close(e.above, 1.0, 1e-13);
}

// A sine in 14 steps a period that miss its peaks: the largest step is off by (h w)^2/8, what is between them by less than a
// hundredth of that.
static void peaks_between_steps_are_found(void** state) {
    (void)state;
    double times[141], values[141];
    for (int i = 0; i < 141; ++i) {
        times[i] = 0.1 * i + 0.02 * sin(7.0 * i);
        values[i] = 5.0 + 2.0 * sin(2.0 * PI * times[i] / 1.4 + 0.2);
    }
    hwExtreme e = Measure(141, times, values, 6.0);
    double largest = -HUGE_VAL;
    for (int i = 0; i < 141; ++i) largest = fmax(largest, values[i]);
    assert_close(e.max, 7.0, 5e-3);
    assert_close(e.min, 3.0, 5e-3);
    assert_true(fabs(e.max - 7.0) <= 7.0 - largest + 1e-3);
    assert_close(e.mean, 5.0, 5e-3);
    assert_close(e.deviation, sqrt(2.0), 1e-2);
    // above 6 for a third of the time
    assert_close(e.above / (times[140] - times[0]), 1.0 / 3.0, 5e-3);
}

static void jumps_do_not_overshoot(void** state) {
    (void)state;
    // an angle that passes half a turn, and a force that sets in
    double times[40], angle[40], force[40];
    for (int i = 0; i < 40; ++i) {
        times[i] = 0.1 * i;
        angle[i] = remainder(0.2 * i, 2.0 * PI);
        force[i] = i < 20 ? 0.0 : 100.0;
    }
    hwExtreme e = Measure(40, times, angle, NAN);
    assert_true(e.max <= PI && e.min >= -PI);
    e = Measure(40, times, force, NAN);
    assert_true(e.max == 100.0 && e.min == 0.0);
    assert_close(e.maxTime, 2.0, 0.0);
    assert_true(isnan(e.above));
}

static void values_at_one_time_and_missing_ones(void** state) {
    (void)state;
    const double times[] = {0.0, 1.0, 1.0, 2.0}, values[] = {1.0, 1.0, 3.0, 3.0};
    hwExtreme e = Measure(4, times, values, NAN);
    assert_true(e.min == 1.0 && e.max == 3.0 && e.maxTime == 1.0);
    const double absent[] = {NAN, NAN, 4.0, 4.0}, later[] = {0.0, 1.0, 2.0, 3.0};
    e = Measure(4, later, absent, NAN);
    assert_true(e.min == 4.0 && e.minTime == 2.0 && e.mean == 4.0 && e.deviation == 0.0);
    e = Measure(2, later, absent, NAN);
    assert_true(isnan(e.min) && isnan(e.max) && isnan(e.mean) && isnan(e.deviation));
    e = Measure(1, times, values, NAN);
    assert_true(e.min == 1.0 && e.mean == 1.0 && e.deviation == 0.0);
}

// A wire slack between two steps: the parabola through its neighbours would push. What has been on both sides of zero may pass it.
static void a_magnitude_stays_above_zero(void** state) {
    (void)state;
    const double times[] = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0};
    double values[] = {500.0, 1000.0, 20.0, 20.0, 1000.0, 500.0};
    hwExtreme e = Measure(6, times, values, (double)NAN);
    assert_close(e.min, 20.0, 0.0);
    for (int i = 0; i < 6; ++i) values[i] = -values[i];
    e = Measure(6, times, values, (double)NAN);
    assert_close(e.max, -20.0, 0.0);
    values[0] = 1.0;
    e = Measure(6, times, values, (double)NAN);
    assert_true(e.max > 50.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_parabola_is_measured_exactly),
        cmocka_unit_test(peaks_between_steps_are_found),
        cmocka_unit_test(jumps_do_not_overshoot),
        cmocka_unit_test(values_at_one_time_and_missing_ones),
        cmocka_unit_test(a_magnitude_stays_above_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
