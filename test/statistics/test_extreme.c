// Fits to extremes: known samples are recovered, the likelihood is greatest there, and bounds hold as often as they say.
#include "hawser/statistics.h"
#include "support.h"

static double Uniform(uint64_t* state) {
    double u = 0.5 * (TestRandom(state) + 1.0);
    return u > 0.0 ? u : 0x1p-53;
}

static double DrawGumbel(uint64_t* state) {
    return 40.0 - 3.0 * log(-log(Uniform(state)));
}
static double DrawWeibull(uint64_t* state) {
    return 2.0 + 5.0 * pow(-log(Uniform(state)), 1.0 / 1.7);
}
static double DrawPareto(uint64_t* state) {
    return 10.0 + 2.0 / 0.15 * (pow(Uniform(state), -0.15) - 1.0);
}

enum { N = 20000 };

static void Draw(double (*draw)(uint64_t*), uint64_t seed, int count, double* values) {
    for (int i = 0; i < count; ++i) values[i] = draw(&seed);
}

// Five standard errors of the estimates: fails by chance once in two million samples, and the sample is always the same.
static void test_known_parameters_are_recovered(void** state) {
    (void)state;
    double* values = malloc(N * sizeof(double));
    hwExtremeFit fit;
    Draw(DrawGumbel, 1, N, values);
    assert_status(hwFitGumbel(N, values, &fit, NULL), HW_OK);
    assert_close(fit.location, 40.0, 5.0 * 3.0 * sqrt(1.1087 / N));
    assert_close(fit.scale, 3.0, 5.0 * 3.0 * sqrt(0.6079 / N));
    assert_true(fit.distance < 1.63 / sqrt((double)N)); // Kolmogorov's 1 % point
    Draw(DrawWeibull, 2, N, values);
    assert_status(hwFitWeibull(N, values, 2.0, &fit, NULL), HW_OK);
    assert_close(log(fit.scale), log(5.0), 5.0 / 1.7 * sqrt(1.1087 / N));
    assert_close(1.0 / fit.shape, 1.0 / 1.7, 5.0 / 1.7 * sqrt(0.6079 / N));
    assert_true(fit.distance < 1.63 / sqrt((double)N));
    Draw(DrawPareto, 3, N, values);
    assert_status(hwFitPeaks(N, values, 10.0, &fit, NULL), HW_OK);
    assert_close(fit.shape, 0.15, 5.0 * 1.15 / sqrt((double)N));
    assert_close(fit.scale, 2.0, 5.0 * 2.0 * sqrt(2.0 * 1.15 / N));
    assert_true(fit.distance < 1.63 / sqrt((double)N));
    free(values);
}

static double Likelihood(const hwExtremeFit* fit, int count, const double* x) {
    double sum = 0.0;
    for (int i = 0; i < count; ++i) {
        double z = (x[i] - fit->location) / fit->scale;
        if (fit->kind == HW_EXTREME_GUMBEL) sum += -log(fit->scale) - z - exp(-z);
        if (fit->kind == HW_EXTREME_WEIBULL)
            sum += log(fit->shape / fit->scale) + (fit->shape - 1.0) * log(z) - pow(z, fit->shape);
        if (fit->kind == HW_EXTREME_PARETO)
            sum += -log(fit->scale) - (1.0 / fit->shape + 1.0) * log1p(fit->shape * z);
    }
    return sum;
}

// An independent check of the solution: densities written down from the book, changed parameters are less likely.
static void test_fits_are_most_likely(void** state) {
    (void)state;
    double values[60];
    for (int kind = 0; kind < 3; ++kind) {
        hwExtremeFit fit;
        Draw(kind == 0 ? DrawGumbel : kind == 1 ? DrawWeibull : DrawPareto, 7 + (uint64_t)kind, 60, values);
        hwStatus status = kind == 0   ? hwFitGumbel(60, values, &fit, NULL)
                          : kind == 1 ? hwFitWeibull(60, values, 2.0, &fit, NULL)
                                      : hwFitPeaks(60, values, 10.0, &fit, NULL);
        assert_status(status, HW_OK);
        double most = Likelihood(&fit, 60, values);
        for (int k = 0; k < 8; ++k) {
            hwExtremeFit other = fit;
            double by = (k & 1 ? 1e-3 : -1e-3) * (k & 4 ? 10.0 : 1.0);
            if (k & 2) {
                other.scale *= 1.0 + by;
            } else if (kind == 0) {
                other.location += by * fit.scale;
            } else {
                other.shape *= 1.0 + by;
            }
            assert_true(Likelihood(&other, 60, values) < most);
        }
    }
}

// 90 % bounds of the 90 % quantile, many times. From 40 values the estimates are biased by 1/n and not yet normal: the delta
// method covers 85 to 93 % of the truths (error of the count: 0.8 %). Peaks of a heavy tail need more of them: 300 here.
static void test_bounds_cover_the_truth(void** state) {
    (void)state;
    enum { MOST = 300 };
    double values[MOST];
    for (int kind = 0; kind < 3; ++kind) {
        int covered = 0, used = 0, samples = kind == 2 ? 500 : 1500, size = kind == 2 ? MOST : 40;
        double single = pow(0.9, 1.0 / 5.0); // of five draws
        double truth = kind == 0   ? 40.0 - 3.0 * log(-log(single))
                       : kind == 1 ? 2.0 + 5.0 * pow(-log(1.0 - single), 1.0 / 1.7)
                                   : 10.0 + 2.0 / 0.15 * (pow(1.0 - single, -0.15) - 1.0);
        uint64_t seed = 100;
        for (int s = 0; s < samples; ++s) {
            double low, high;
            for (int i = 0; i < size; ++i)
                values[i] = kind == 0   ? DrawGumbel(&seed)
                            : kind == 1 ? DrawWeibull(&seed)
                                        : DrawPareto(&seed);
            hwExtremeFit fit;
            hwStatus status = kind == 0   ? hwFitGumbel(size, values, &fit, NULL)
                              : kind == 1 ? hwFitWeibull(size, values, 2.0, &fit, NULL)
                                          : hwFitPeaks(size, values, 10.0, &fit, NULL);
            assert_status(status, HW_OK);
            ++used;
            hwExtremeFit_GetBounds(&fit, 5.0, 0.9, 0.9, &low, &high);
            covered += low <= truth && truth <= high;
        }
        double share = (double)covered / used;
        if (!(share > 0.85 && share < 0.93)) fail_msg("kind %d: %g of the bounds hold", kind, share);
    }
}

// Drawn in blocks: the largest of 18 has the distribution that `repeats` says.
static void test_quantiles_of_the_largest_of_many(void** state) {
    (void)state;
    hwExtremeFit fit = {.kind = HW_EXTREME_PARETO, .count = 1, .location = 10.0, .scale = 2.0, .shape = 0.15};
    double q = hwExtremeFit_GetQuantile(&fit, 18.0, 0.5);
    int below = 0;
    uint64_t seed = 5;
    for (int s = 0; s < 10000; ++s) {
        double most = 0.0;
        for (int i = 0; i < 18; ++i) most = fmax(most, DrawPareto(&seed));
        below += most < q;
    }
    assert_close(below / 10000.0, 0.5, 0.02); // four standard errors
    hwExtremeFit gumbel = {.kind = HW_EXTREME_GUMBEL, .count = 1, .location = 40.0, .scale = 3.0};
    assert_close(hwExtremeFit_GetQuantile(&gumbel, 18.0, exp(-1.0)), 40.0 + 3.0 * log(18.0), 1e-12);
    for (int kind = 0; kind < 3; ++kind) {
        fit.kind = (hwExtremeKind)kind;
        fit.shape = kind == HW_EXTREME_WEIBULL ? 1.5 : 0.15;
        for (double p = 0.05; p < 1.0; p += 0.05)
            assert_close(hwExtremeFit_GetProbability(&fit, hwExtremeFit_GetQuantile(&fit, 1.0, p)), p, 1e-13);
    }
    assert_true(isnan(hwExtremeFit_GetQuantile(&fit, 0.0, 0.5)));
}

static void test_unusable_samples_are_refused(void** state) {
    (void)state;
    hwExtremeFit fit;
    hwError error;
    const double same[6] = {3, 3, 3, 3, 3, 3}, some[6] = {1, 2, 3, 4, 5, 6};
    assert_status(hwFitGumbel(6, same, &fit, &error), HW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "equal values"));
    assert_status(hwFitWeibull(6, same, 0.0, &fit, &error), HW_ERROR_ARGUMENT);
    assert_status(hwFitWeibull(6, some, 1.5, &fit, &error), HW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "Value 0 is 1, which is not above"));
    assert_status(hwFitPeaks(4, some, 0.0, &fit, &error), HW_ERROR_ARGUMENT);
    assert_status(hwFitPeaks(6, some, 1.5, &fit, &error), HW_ERROR_ARGUMENT);
    const double cut[8] = {1.0, 2.0, 9.5, 9.6, 9.7, 9.8, 9.9, 10.0};
    assert_status(hwFitPeaks(8, cut, 0.0, &fit, &error), HW_ERROR_NUMERIC);
    assert_non_null(strstr(error.message, "ends abruptly"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_parameters_are_recovered),
        cmocka_unit_test(test_fits_are_most_likely),
        cmocka_unit_test(test_bounds_cover_the_truth),
        cmocka_unit_test(test_quantiles_of_the_largest_of_many),
        cmocka_unit_test(test_unusable_samples_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
