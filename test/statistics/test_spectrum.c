// Spectra: Parseval, the plain sum of a Fourier transform, known spectra and known filters.
#include "hawser/statistics.h"
#include "support.h"

static double Normal(uint64_t* state) {
    double sum = 0.0;
    for (int i = 0; i < 12; ++i) sum += TestRandom(state);
    return 0.5 * sum; // variance 12/3/4 = 1
}

// One segment of a sine at a frequency of the grid: by hand, with Hann's window, the plain transform.
static void test_against_the_plain_sum(void** state) {
    (void)state;
    enum { N = 32 };
    double values[N], density[HW_SPECTRUM_COUNT(N)];
    uint64_t seed = 3;
    for (int i = 0; i < N; ++i) values[i] = TestRandom(&seed);
    assert_status(hwSeries_FindSpectrum(N, values, 0.25, N, density, NULL), HW_OK);
    double mean = 0.0, power = 0.0;
    for (int i = 0; i < N; ++i) mean += values[i] / N;
    for (int i = 0; i < N; ++i) power += pow(0.5 - 0.5 * cos(2.0 * HW_PI * i / N), 2);
    for (int k = 0; k <= N / 2; ++k) {
        double re = 0.0, im = 0.0;
        for (int i = 0; i < N; ++i) {
            double w = (0.5 - 0.5 * cos(2.0 * HW_PI * i / N)) * (values[i] - mean);
            re += w * cos(2.0 * HW_PI * i * k / N);
            im -= w * sin(2.0 * HW_PI * i * k / N);
        }
        double exact = (k == 0 || k == N / 2 ? 1.0 : 2.0) * 0.25 * (re * re + im * im) / power;
        assert_close(density[k], exact, 1e-14);
    }
}

static void test_variance_of_a_sine_is_the_integral(void** state) {
    (void)state;
    enum { N = 4096, SEGMENT = 512 };
    double* values = malloc(N * sizeof(double));
    double density[HW_SPECTRUM_COUNT(SEGMENT)];
    for (int i = 0; i < N; ++i) values[i] = 7.0 + 3.0 * cos(2.0 * HW_PI * 20.0 * i / SEGMENT);
    assert_status(hwSeries_FindSpectrum(N, values, 0.1, SEGMENT, density, NULL), HW_OK);
    double step = 1.0 / (0.1 * SEGMENT);
    assert_close(hwSpectrum_GetMoment(HW_SPECTRUM_COUNT(SEGMENT), density, step, 0.0), 4.5, 1e-10);
    assert_true(density[20] > 100.0 * density[25]); // Hann's window: nothing three bins away
    free(values);
}

// White noise through x[i] = 0.8 x[i-1] + e[i]: its spectrum and the transfer function are known in closed form.
static void test_filtered_noise_has_the_known_spectrum(void** state) {
    (void)state;
    enum { N = 1 << 18, SEGMENT = 256 };
    const double dt = 0.5;
    double *noise = malloc(N * sizeof(double)), *out = malloc(N * sizeof(double));
    double density[HW_SPECTRUM_COUNT(SEGMENT)], re[HW_SPECTRUM_COUNT(SEGMENT)],
        im[HW_SPECTRUM_COUNT(SEGMENT)], coherence[HW_SPECTRUM_COUNT(SEGMENT)];
    uint64_t seed = 9;
    double x = 0.0;
    for (int i = 0; i < N; ++i) {
        noise[i] = Normal(&seed);
        x = 0.8 * x + noise[i];
        out[i] = x;
    }
    assert_status(hwSeries_FindSpectrum(N, out, dt, SEGMENT, density, NULL), HW_OK);
    assert_status(hwSeries_FindTransfer(N, noise, out, dt, SEGMENT, re, im, coherence, NULL), HW_OK);
    for (int k = 4; k < SEGMENT / 2; ++k) {
        double w = 2.0 * HW_PI * k / SEGMENT; // per sample
        double exact = 2.0 * dt / (1.0 - 1.6 * cos(w) + 0.64);
        // About 2000 segments, overlapping by half: 1/sqrt(2000 * 0.9) = 2.4 % of standard error; five of them, and some
        // per mille of leakage where the spectrum bends.
        assert_close(density[k] / exact, 1.0, 0.12);
        // 1/(1 - 0.8 e^-iw)
        double a = 1.0 - 0.8 * cos(w), b = 0.8 * sin(w), square = a * a + b * b;
        assert_close(re[k], a / square, 0.02 / sqrt(square));
        assert_close(im[k], -b / square, 0.02 / sqrt(square));
        assert_true(coherence[k] > 0.99 && coherence[k] <= 1.0 + 1e-12);
    }
    free(noise);
    free(out);
}

static void test_bad_segments_are_refused(void** state) {
    (void)state;
    double values[16] = {0}, density[9];
    hwError error;
    assert_status(hwSeries_FindSpectrum(16, values, 1.0, 12, density, &error), HW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "power of two"));
    assert_status(hwSeries_FindSpectrum(16, values, 1.0, 32, density, &error), HW_ERROR_ARGUMENT);
    assert_status(hwSeries_FindSpectrum(16, values, -1.0, 16, density, &error), HW_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_the_plain_sum),
        cmocka_unit_test(test_variance_of_a_sine_is_the_integral),
        cmocka_unit_test(test_filtered_noise_has_the_known_spectrum),
        cmocka_unit_test(test_bad_segments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
