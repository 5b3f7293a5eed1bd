// Moments, crossings, exceedance, peaks, the normal distribution and the gamma function against exact values.
#include "hawser/statistics.h"
#include "support.h"

static void test_moments_of_a_sine_are_exact(void** state) {
    (void)state;
    // Over whole periods: deviation A/sqrt(2), no skewness, kurtosis 3/2; a large mean costs no digits.
    enum { N = 1000 };
    double values[N];
    for (int i = 0; i < N; ++i) values[i] = 1e6 + 2.0 * sin(2.0 * HW_PI * 10.0 * i / N);
    hwSeriesStatistics s;
    assert_status(hwSeries_Describe(N, values, &s, NULL), HW_OK);
    assert_close(s.mean, 1e6, 1e-9);            // one unit in the last place of 1e6 is 1.2e-10
    assert_close(s.deviation, sqrt(2.0), 1e-9); // likewise
    assert_close(s.skewness, 0.0, 1e-8);
    assert_close(s.kurtosis, 1.5, 1e-8);
    assert_true(s.count == N);
}

static void test_a_constant_has_no_shape(void** state) {
    (void)state;
    const double values[3] = {0.1, 0.1, 0.1};
    hwSeriesStatistics s;
    assert_status(hwSeries_Describe(3, values, &s, NULL), HW_OK);
    assert_true(s.deviation == 0.0 && s.skewness == 0.0 && s.kurtosis == 0.0);
}

static void test_bad_series_are_refused(void** state) {
    (void)state;
    const double values[2] = {1.0, (double)NAN};
    hwSeriesStatistics s;
    hwError error;
    assert_status(hwSeries_Describe(2, values, &s, &error), HW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "Value 1 is"));
    assert_status(hwSeries_Describe(0, values, &s, &error), HW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "too few"));
    hwCycleStatistics c;
    assert_status(hwSeries_CountCycles(1, values, 0.0, 0.0, &c, &error), HW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "interval"));
    assert_true(hwSeries_FindPeaks(2, values, 1.0, 0.0, 0.0, 0, NULL) == 0);
}

static void test_cycles_of_a_sine(void** state) {
    (void)state;
    // 20 periods of 8 s from a phase of half a period: 20 upward crossings, 19 cycles; crests and troughs are samples.
    enum { N = 1601 };
    double values[N];
    for (int i = 0; i < N; ++i) values[i] = 5.0 - 3.0 * sin(2.0 * HW_PI * 0.1 * i / 8.0);
    hwCycleStatistics c;
    hwSeriesStatistics moments;
    assert_status(hwSeries_Describe(N, values, &moments, NULL), HW_OK);
    assert_status(hwSeries_CountCycles(N, values, 0.1, 5.0, &c, NULL), HW_OK);
    assert_true(c.crossings == 20 || c.crossings == 19); // the last one is at the last sample, to rounding
    assert_close(c.period, 8.0, 1e-10);
    assert_close(c.largestHeight, 6.0, 1e-12);
    assert_close(c.significantHeight, 6.0, 1e-12);
    assert_close(c.significantMaximum, 8.0, 1e-12);
    assert_close(c.mostProbableMaximum, 5.0 + moments.deviation * sqrt(2.0 * log((double)c.cycles)), 1e-12);
}

static void test_significant_height_is_that_of_the_highest_third(void** state) {
    (void)state;
    // Cycles of heights 2, 4, ... 18, each a triangle: the mean of 18, 16, 14.
    double values[64];
    int n = 0;
    values[n++] = -1.0;
    for (int k = 1; k <= 9; ++k) {
        values[n++] = k;
        values[n++] = -k;
    }
    values[n++] = 1.0;
    hwCycleStatistics c;
    assert_status(hwSeries_CountCycles(n, values, 1.0, 0.0, &c, NULL), HW_OK);
    assert_true(c.cycles == 9);
    assert_close(c.significantHeight, 16.0, 0.0);
    assert_close(c.significantMaximum, 8.0, 0.0);
    assert_close(c.largestHeight, 18.0, 0.0);
}

static void test_exceedance_of_a_triangle(void** state) {
    (void)state;
    // 0 to 4 and back in 8 s, twice, above 3: 2 s of 8, lines joined exactly.
    double values[17];
    for (int i = 0; i < 17; ++i) values[i] = 4.0 - fabs((double)(i % 8) - 4.0);
    values[16] = 0.0;
    hwExceedance e;
    assert_status(hwSeries_FindExceedance(17, values, 1.0, 3.0, &e, NULL), HW_OK);
    assert_true(e.events == 2);
    assert_close(e.share, 0.25, 1e-15);
    assert_close(e.longest, 2.0, 1e-15);
    assert_status(hwSeries_FindExceedance(17, values, 1.0, -1.0, &e, NULL), HW_OK);
    assert_true(e.events == 1 && e.share == 1.0 && e.longest == 16.0);
}

static void test_peaks_over_a_threshold(void** state) {
    (void)state;
    const double values[] = {0, 3, 5, 1, 4, 0, 0, 0, 7, 2, 0};
    double peaks[4];
    assert_true(hwSeries_FindPeaks(11, values, 1.0, 2.5, 0.0, 4, peaks) == 3);
    assert_true(peaks[0] == 5 && peaks[1] == 4 && peaks[2] == 7);
    assert_true(hwSeries_FindPeaks(11, values, 1.0, 2.5, 3.0, 4, peaks) == 2); // 5 and 4 are one storm
    assert_true(peaks[0] == 5 && peaks[1] == 7);
    assert_true(hwSeries_FindPeaks(11, values, 1.0, 2.5, 0.0, 0, NULL) == 3);
}

static void test_normal_distribution(void** state) {
    (void)state;
    for (double x = -9.0; x <= 9.0; x += 0.0625) {
        double exact = 0.5 * erfc(-x / sqrt(2.0));
        assert_close(hwNormal_GetProbability(x), exact, 1e-13 * exact + 1e-300);
        if (x < 5.0)
            assert_close(hwNormal_GetQuantile(exact), x, x < 0.0 ? 1e-12 : 1e-15 / exp(-0.5 * x * x) * 10.0);
    }
    assert_close(hwNormal_GetQuantile(0.975), 1.959963984540054, 1e-14); // tables
    assert_true(isinf(hwNormal_GetQuantile(0.0)) && isinf(hwNormal_GetQuantile(1.0)));
    assert_true(isnan(hwNormal_GetQuantile(1.5)));
}

static void test_gamma_function(void** state) {
    (void)state;
    for (double x = 0.0625; x < 170.0; x *= 1.07) assert_close(hwGamma(x) / tgamma(x), 1.0, 1e-13);
    assert_close(hwGamma(0.5), sqrt(HW_PI), 1e-14);
    assert_true(isnan(hwGamma(0.0)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moments_of_a_sine_are_exact),
        cmocka_unit_test(test_a_constant_has_no_shape),
        cmocka_unit_test(test_bad_series_are_refused),
        cmocka_unit_test(test_cycles_of_a_sine),
        cmocka_unit_test(test_significant_height_is_that_of_the_highest_third),
        cmocka_unit_test(test_exceedance_of_a_triangle),
        cmocka_unit_test(test_peaks_over_a_threshold),
        cmocka_unit_test(test_normal_distribution),
        cmocka_unit_test(test_gamma_function),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
