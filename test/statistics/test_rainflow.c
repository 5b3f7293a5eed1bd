// Rainflow counts, S-N curves and Miner's sum.
#include "hawser/statistics.h"
#include "support.h"

static double CountRange(int count, const hwRainflowCycle* cycles, double range) {
    double sum = 0.0;
    for (int i = 0; i < count; ++i) sum += cycles[i].range == range ? cycles[i].count : 0.0;
    return sum;
}

// ASTM E1049-85, figure 6: A -2, B 1, C -3, D 5, E -1, F 3, G -4, H 4, I -2.
static void test_the_example_of_astm_e1049(void** state) {
    (void)state;
    const double loads[] = {-2, 1, -3, 5, -1, 3, -4, 4, -2};
    hwRainflowCycle cycles[16];
    int64_t count = hwSeries_CountRainflow(9, loads, 16, cycles);
    assert_true(count == 7);
    assert_close(CountRange((int)count, cycles, 3), 0.5, 0.0);
    assert_close(CountRange((int)count, cycles, 4), 1.5, 0.0);
    assert_close(CountRange((int)count, cycles, 6), 0.5, 0.0);
    assert_close(CountRange((int)count, cycles, 8), 1.0, 0.0);
    assert_close(CountRange((int)count, cycles, 9), 0.5, 0.0);
    assert_close(cycles[0].mean, -0.5, 0.0); // A-B
    assert_close(cycles[2].mean, 1.0, 0.0);  // E-F, the one whole cycle
    assert_close(cycles[2].count, 1.0, 0.0);
}

static void test_points_between_reversals_do_not_count(void** state) {
    (void)state;
    const double plain[] = {0, 4, -2, 5}, fine[] = {0, 1, 1, 3, 4, 4, 2, -1, -2, -2, 0, 4.5, 5};
    hwRainflowCycle first[8], second[8];
    int64_t count = hwSeries_CountRainflow(4, plain, 8, first);
    assert_true(hwSeries_CountRainflow(13, fine, 8, second) == count);
    assert_memory_equal(first, second, (size_t)count * sizeof(hwRainflowCycle));
    assert_true(hwSeries_CountRainflow(1, plain, 8, first) == 0);
    const double bad[] = {0.0, (double)NAN};
    assert_true(hwSeries_CountRainflow(2, bad, 8, first) == -1);
}

// Every cycle takes two ranges between neighbours apart: the path's length is twice the sum of count times range.
static void test_ranges_add_up_to_the_path(void** state) {
    (void)state;
    enum { N = 5000 };
    uint64_t seed = 11;
    double* values = malloc(N * sizeof(double));
    hwRainflowCycle* cycles = malloc(N * sizeof(hwRainflowCycle));
    double path = 0.0, sum = 0.0, low = 0.0, high = 0.0, widest = 0.0;
    for (int i = 0; i < N; ++i) {
        values[i] = TestRandom(&seed) + 2.0 * sin(0.01 * i);
        if (i > 0) path += fabs(values[i] - values[i - 1]);
        low = fmin(low, values[i]);
        high = fmax(high, values[i]);
    }
    int64_t count = hwSeries_CountRainflow(N, values, N, cycles);
    for (int64_t i = 0; i < count; ++i) {
        sum += 2.0 * cycles[i].count * cycles[i].range;
        widest = fmax(widest, cycles[i].range);
    }
    assert_close(sum, path, 1e-9 * path);
    assert_close(widest, high - low, 0.0);
    free(values);
    free(cycles);
}

static void test_life_has_two_slopes(void** state) {
    (void)state;
    hwFatigueCurve curve = hwDefaultFatigueCurve(); // DNV-RP-C203 D in sea water with cathodic protection
    curve.logA = 11.764;
    curve.kneeLife = 1e6;
    assert_close(hwFatigueCurve_GetLife(&curve, 100.0), pow(10.0, 11.764 - 6.0), 1e-6);
    assert_close(hwFatigueCurve_GetLife(&curve, 10.0) / pow(10.0, 15.606 - 5.0), 1.0,
                 1e-2); // its log a2, rounded
    curve.factor = 2.0;
    assert_close(hwFatigueCurve_GetLife(&curve, 50.0), pow(10.0, 11.764 - 6.0), 1e-6);
    curve.limit = 20.0;
    assert_true(isinf(hwFatigueCurve_GetLife(&curve, 9.0)));
    assert_true(isinf(hwFatigueCurve_GetLife(&curve, 0.0)));
}

// Equal cycles: n/N. A narrow band of normal amplitude: (2 sqrt(2) s)^m Gamma(1 + m/2)/a for each cycle.
static void test_miners_sum_in_closed_form(void** state) {
    (void)state;
    hwFatigueCurve curve = hwDefaultFatigueCurve();
    curve.logA = 9.0;
    enum { N = 200000 };
    hwRainflowCycle* cycles = malloc(N * sizeof(hwRainflowCycle));
    for (int i = 0; i < N; ++i) cycles[i] = (hwRainflowCycle){20.0, 0.0, 1.0};
    assert_close(hwFatigueCurve_SumDamage(&curve, N, cycles), N * 8000.0 / 1e9, 1e-9);
    for (int i = 0; i < N; ++i) // Rayleigh's amplitudes by equal probabilities
        cycles[i].range = 2.0 * 5.0 * sqrt(-2.0 * log((i + 0.5) / N));
    double exact = N * pow(2.0 * sqrt(2.0) * 5.0, 3.0) * tgamma(2.5) / 1e9;
    assert_close(hwFatigueCurve_SumDamage(&curve, N, cycles) / exact, 1.0,
                 1e-4); // the tail beyond 1/400000 is cut
    free(cycles);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_example_of_astm_e1049),
        cmocka_unit_test(test_points_between_reversals_do_not_count),
        cmocka_unit_test(test_ranges_add_up_to_the_path),
        cmocka_unit_test(test_life_has_two_slopes),
        cmocka_unit_test(test_miners_sum_in_closed_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
