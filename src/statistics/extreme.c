// Distributions fitted to extremes by maximum likelihood.
#include "base/error.h"
#include "base/memory.h"
#include "hawser/elementary.h"
#include "hawser/math.h"
#include "statistics/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double g_euler = 0.57721566490153286061;

// Gumbel -------------------------------------------------------------------------------------------------------------------

// Weighted mean of x with weights exp(-(x - low)/scale); *weight: the mean weight.
static double Gumbel_WeightMean(int64_t count, const double* x, double low, double scale, double* weight) {
    double sum = 0.0, moment = 0.0;
    for (int64_t i = 0; i < count; ++i) {
        double w = hwExp(-(x[i] - low) / scale);
        sum += w;
        moment += w * (x[i] - low);
    }
    *weight = sum / (double)count;
    return low + moment / sum;
}

// The likelihood's equations leave one unknown (Johnson, Kotz & Balakrishnan 1995, 22.96): scale = mean - weighted mean,
// whose right side falls short of the left for large scales and exceeds it for small ones. Bisection to the last digit.
static void Gumbel_Solve(int64_t count, const double* x, const hwSeriesStatistics* moments, double* location,
                         double* scale) {
    double weight = 1.0, low = moments->deviation * 1e-6, high = moments->deviation;
    while (moments->mean - Gumbel_WeightMean(count, x, moments->min, high, &weight) > high) high *= 2.0;
    for (int i = 0; i < 200; ++i) {
        double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) break;
        bool above = moments->mean - Gumbel_WeightMean(count, x, moments->min, middle, &weight) < middle;
        *(above ? &high : &low) = middle;
    }
    *scale = 0.5 * (low + high);
    Gumbel_WeightMean(count, x, moments->min, *scale, &weight);
    *location = moments->min - *scale * hwLog(weight);
}

// Inverse of Fisher's information (Johnson, Kotz & Balakrishnan 1995, 22.9).
static void Gumbel_SetCovariance(double scale, int64_t count, double covariance[2][2]) {
    double unit = scale * scale / (double)count, six = 6.0 / (HW_PI * HW_PI);
    covariance[0][0] = unit * (1.0 + six * (1.0 - g_euler) * (1.0 - g_euler));
    covariance[0][1] = covariance[1][0] = unit * six * (1.0 - g_euler);
    covariance[1][1] = unit * six;
}

static int CompareUp(const void* first, const void* second) {
    double a = *(const double*)first, b = *(const double*)second;
    return a < b ? -1 : a > b ? 1 : 0;
}

// Kolmogorov and Smirnov's distance.
static hwStatus Fit_FindDistance(hwExtremeFit* fit, const double* values, hwError* error) {
    const hwAllocator allocator = hwDefaultAllocator();
    double* sorted = hwAllocate(&allocator, (size_t)fit->count * sizeof(double));
    if (sorted == NULL) return hwFail_Memory(error, NULL);
    memcpy(sorted, values, (size_t)fit->count * sizeof(double));
    qsort(sorted, (size_t)fit->count, sizeof(double), CompareUp);
    double n = (double)fit->count, most = 0.0;
    for (int64_t i = 0; i < fit->count; ++i) {
        double p = hwExtremeFit_GetProbability(fit, sorted[i]);
        most = hwFmax(most, hwFmax(p - (double)i / n, (double)(i + 1) / n - p));
    }
    fit->distance = most;
    hwRelease(&allocator, sorted);
    return HW_OK;
}

hwStatus hwFitGumbel(int64_t count, const double* maxima, hwExtremeFit* out, hwError* error) {
    hwStatus status = hwSeries_Check(count, 2, maxima, error);
    if (status != HW_OK) return status;
    hwSeriesStatistics moments;
    hwSeries_Describe(count, maxima, &moments, NULL);
    if (!(moments.deviation > 0.0))
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "All maxima are %g: no distribution fits equal values.",
                      moments.min);
    hwExtremeFit fit = {.kind = HW_EXTREME_GUMBEL, .count = count};
    Gumbel_Solve(count, maxima, &moments, &fit.location, &fit.scale);
    Gumbel_SetCovariance(fit.scale, count, fit.covariance);
    status = Fit_FindDistance(&fit, maxima, error);
    if (status == HW_OK) *out = fit;
    return status;
}

// Weibull ------------------------------------------------------------------------------------------------------------------

// -ln(x - location) of a Weibull variable is Gumbel's, with location -ln(scale) and scale 1/shape: the same likelihood.
hwStatus hwFitWeibull(int64_t count, const double* values, double location, hwExtremeFit* out,
                      hwError* error) {
    hwStatus status = hwSeries_Check(count, 2, values, error);
    if (status != HW_OK) return status;
    const hwAllocator allocator = hwDefaultAllocator();
    double* logs = hwAllocate(&allocator, (size_t)count * sizeof(double));
    if (logs == NULL) return hwFail_Memory(error, NULL);
    for (int64_t i = 0; i < count && status == HW_OK; ++i) {
        if (!(values[i] > location))
            status = hwFail(error, HW_ERROR_ARGUMENT, NULL,
                            "Value %lld is %g, which is not above the distribution's location %g.",
                            (long long)i, values[i], location);
        else
            logs[i] = -hwLog(values[i] - location);
    }
    hwSeriesStatistics moments = {0};
    if (status == HW_OK) {
        hwSeries_Describe(count, logs, &moments, NULL);
        if (!(moments.deviation > 0.0))
            status = hwFail(error, HW_ERROR_ARGUMENT, NULL,
                            "All values are %g: no distribution fits equal values.", values[0]);
    }
    if (status == HW_OK) {
        hwExtremeFit fit = {.kind = HW_EXTREME_WEIBULL, .count = count, .location = location};
        double logScale, inverse;
        Gumbel_Solve(count, logs, &moments, &logScale, &inverse);
        fit.scale = hwExp(-logScale);
        fit.shape = 1.0 / inverse;
        Gumbel_SetCovariance(inverse, count, fit.covariance);
        fit.covariance[0][1] = fit.covariance[1][0] = -fit.covariance[0][1];
        status = Fit_FindDistance(&fit, values, error);
        if (status == HW_OK) *out = fit;
    }
    hwRelease(&allocator, logs);
    return status;
}

// Peaks over a threshold -----------------------------------------------------------------------------------------------------

// Log-likelihood for each peak over ratio = shape/scale, the scale eliminated (Grimshaw 1993): shape = mean ln(1 + ratio y).
static double Pareto_GetLikelihood(int64_t count, const double* peaks, double threshold, double ratio,
                                   double* shape, double* scale) {
    double sum = 0.0, mean = 0.0;
    for (int64_t i = 0; i < count; ++i) {
        sum += hwLog1p(ratio * (peaks[i] - threshold));
        mean += peaks[i] - threshold;
    }
    *shape = sum / (double)count;
    *scale = ratio != 0.0 ? *shape / ratio : mean / (double)count;
    return -hwLog(*scale) - *shape - 1.0;
}

static const double g_leastShape = -0.5;

hwStatus hwFitPeaks(int64_t count, const double* peaks, double threshold, hwExtremeFit* out, hwError* error) {
    hwStatus status = hwSeries_Check(count, 5, peaks, error);
    if (status != HW_OK) return status;
    hwSeriesStatistics moments;
    hwSeries_Describe(count, peaks, &moments, NULL);
    if (!(moments.min > threshold) || !(moments.deviation > 0.0))
        return hwFail(
            error, HW_ERROR_ARGUMENT, NULL,
            "Peaks from %g to %g cannot be fitted over the threshold %g: they must differ and lie above it.",
            moments.min, moments.max, threshold);
    double mean = moments.mean - threshold, end = mean / (moments.max - threshold);
    // ratio = t / mean, t from -end (the tail ends at the largest peak) to 1000, on a grid that is fine near 0; then golden
    // section between the neighbours of the best.
    enum { GRID = 400 };
    double best = 0.0, most = -(double)INFINITY, below = 0.0, above = 0.0, shape, scale;
    double last = 0.0;
    bool next = false;
    for (int i = 0; i <= GRID; ++i) {
        double s = -1.0 + 2.0 * i / GRID;
        double t = s < 0.0 ? -end * (1.0 - (1.0 + s) * (1.0 + s)) * (1.0 - 1e-9) : 1e3 * s * s * s;
        double value = Pareto_GetLikelihood(count, peaks, threshold, t / mean, &shape, &scale);
        if (next) above = t;
        next = false;
        if (shape >= g_leastShape && value > most) {
            most = value;
            best = t;
            below = last;
            next = true;
        }
        last = t;
    }
    if (next) above = best;
    if (below > best) below = best;
    const double golden = 0.61803398874989484820;
    for (int i = 0; i < 90; ++i) {
        double a = above - golden * (above - below), b = below + golden * (above - below);
        double first = Pareto_GetLikelihood(count, peaks, threshold, a / mean, &shape, &scale);
        double second = Pareto_GetLikelihood(count, peaks, threshold, b / mean, &shape, &scale);
        *(first < second ? &below : &above) = first < second ? a : b;
    }
    Pareto_GetLikelihood(count, peaks, threshold, 0.5 * (below + above) / mean, &shape, &scale);
    if (shape <= g_leastShape)
        return hwFail(error, HW_ERROR_NUMERIC, NULL,
                      "The tail of the peaks over %g ends abruptly (shape %.3g below -1/2): nothing can be "
                      "said of its error.",
                      threshold, shape);
    hwExtremeFit fit = {
        .kind = HW_EXTREME_PARETO, .count = count, .location = threshold, .scale = scale, .shape = shape};
    // Smith (1987)
    double n = (double)count;
    fit.covariance[0][0] = 2.0 * scale * scale * (1.0 + shape) / n;
    fit.covariance[0][1] = fit.covariance[1][0] = -scale * (1.0 + shape) / n;
    fit.covariance[1][1] = (1.0 + shape) * (1.0 + shape) / n;
    status = Fit_FindDistance(&fit, peaks, error);
    if (status == HW_OK) *out = fit;
    return status;
}

// Quantiles ------------------------------------------------------------------------------------------------------------------

double hwExtremeFit_GetProbability(const hwExtremeFit* fit, double x) {
    double z = (x - fit->location) / fit->scale;
    switch (fit->kind) {
    case HW_EXTREME_GUMBEL:
        return hwExp(-hwExp(-z));
    case HW_EXTREME_WEIBULL:
        return z > 0.0 ? -hwExpm1(-hwPow(z, fit->shape)) : 0.0;
    case HW_EXTREME_PARETO:
        break;
    }
    if (z <= 0.0) return 0.0;
    if (fabs(fit->shape) < 1e-9) return -hwExpm1(-z);
    double inside = 1.0 + fit->shape * z;
    return inside <= 0.0 ? 1.0 : -hwExpm1(-hwLog(inside) / fit->shape);
}

// The quantile and its derivatives by the two estimates.
static double Fit_FindQuantile(const hwExtremeFit* fit, double repeats, double probability, double slope[2]) {
    double exponent = -hwLog(probability) / repeats; // -ln p of one draw
    double tail = -hwExpm1(-exponent);               // 1 - p of one draw
    if (fit->kind == HW_EXTREME_GUMBEL) {
        double reduced = -hwLog(exponent);
        slope[0] = 1.0;
        slope[1] = reduced;
        return fit->location + fit->scale * reduced;
    }
    if (fit->kind == HW_EXTREME_WEIBULL) {
        double reduced = hwLog(-hwLog(tail));
        double x = fit->scale * hwExp(reduced / fit->shape);
        slope[0] = x; // by ln scale
        slope[1] = x * reduced;
        return fit->location + x;
    }
    double shape = fit->shape, log = -hwLog(tail);
    double factor = fabs(shape) < 1e-9 ? log : hwExpm1(shape * log) / shape;
    slope[0] = factor;
    slope[1] = fit->scale * (fabs(shape) < 1e-4 ? 0.5 * log * log * (1.0 + 2.0 / 3.0 * shape * log)
                                                : (log * hwExp(shape * log) - factor) / shape);
    return fit->location + fit->scale * factor;
}

double hwExtremeFit_GetQuantile(const hwExtremeFit* fit, double repeats, double probability) {
    double slope[2];
    if (!(repeats > 0.0 && probability > 0.0 && probability < 1.0)) return (double)NAN;
    return Fit_FindQuantile(fit, repeats, probability, slope);
}

// The delta method. Of Weibull and Pareto it bounds the logarithm of what lies above the location: there a Weibull quantile is
// linear in the estimates, and a Pareto quantile, whose estimates are skewed upwards, covers the truth more often.
void hwExtremeFit_GetBounds(const hwExtremeFit* fit, double repeats, double probability, double confidence,
                            double* low, double* high) {
    *low = *high = (double)NAN;
    if (!(repeats > 0.0 && probability > 0.0 && probability < 1.0 && confidence > 0.0 && confidence < 1.0))
        return;
    double slope[2], x = Fit_FindQuantile(fit, repeats, probability, slope), variance = 0.0;
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) variance += slope[i] * slope[j] * fit->covariance[i][j];
    }
    double reach = hwNormal_GetQuantile(0.5 + 0.5 * confidence) * sqrt(hwFmax(variance, 0.0));
    if (fit->kind != HW_EXTREME_GUMBEL) {
        double above = x - fit->location;
        *low = fit->location + above * hwExp(-reach / above);
        *high = fit->location + above * hwExp(reach / above);
    } else {
        *low = x - reach;
        *high = x + reach;
    }
}
