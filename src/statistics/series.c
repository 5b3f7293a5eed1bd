// Moments, crossings, exceedance and peaks of time series.
#include "base/error.h"
#include "base/memory.h"
#include "hawser/elementary.h"
#include "statistics/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

hwStatus hwSeries_Check(int64_t count, int64_t least, const double* values, hwError* error) {
    if (count < least)
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "%lld values are too few; at least %lld are needed.",
                      (long long)count, (long long)least);
    for (int64_t i = 0; i < count; ++i) {
        if (!isfinite(values[i]))
            return hwFail(error, HW_ERROR_ARGUMENT, NULL, "Value %lld is %g; statistics need finite values.",
                          (long long)i, values[i]);
    }
    hwClearError(error);
    return HW_OK;
}

static hwStatus Series_CheckInterval(double interval, hwError* error) {
    if (interval > 0 && isfinite(interval)) return HW_OK;
    return hwFail(error, HW_ERROR_ARGUMENT, NULL, "The interval between values is %g s; it must be positive.",
                  interval);
}

// Two passes: the second about the mean, so that nothing cancels.
hwStatus hwSeries_Describe(int64_t count, const double* values, hwSeriesStatistics* out, hwError* error) {
    hwStatus status = hwSeries_Check(count, 1, values, error);
    if (status != HW_OK) return status;
    hwSeriesStatistics s = {.count = count, .min = values[0], .max = values[0]};
    double n = (double)count, sum = 0.0;
    for (int64_t i = 0; i < count; ++i) {
        sum += values[i] / n;
        s.min = hwFmin(s.min, values[i]);
        s.max = hwFmax(s.max, values[i]);
    }
    double rest = 0.0, second = 0.0, third = 0.0, fourth = 0.0;
    for (int64_t i = 0; i < count; ++i) {
        double d = values[i] - sum;
        rest += d;
        second += d * d;
        third += d * d * d;
        fourth += d * d * d * d;
    }
    s.mean = sum + rest / n;
    double variance = second / n;
    s.deviation = s.max > s.min ? sqrt(variance) : 0.0;
    if (s.max > s.min && variance > 0.0) {
        s.skewness = third / n / (variance * s.deviation);
        s.kurtosis = fourth / n / (variance * variance);
    }
    *out = s;
    return HW_OK;
}

static int CompareDown(const void* first, const void* second) {
    double a = *(const double*)first, b = *(const double*)second;
    return a < b ? 1 : a > b ? -1 : 0;
}

// Mean of the highest third, at least one; sorts.
static double MeanOfHighest(int64_t count, double* values) {
    if (count == 0) return (double)NAN;
    qsort(values, (size_t)count, sizeof(double), CompareDown);
    int64_t third = count / 3 > 0 ? count / 3 : 1;
    double sum = 0.0;
    for (int64_t i = 0; i < third; ++i) sum += values[i];
    return sum / (double)third;
}

hwStatus hwSeries_CountCycles(int64_t count, const double* values, double interval, double level,
                              hwCycleStatistics* out, hwError* error) {
    hwSeriesStatistics moments;
    hwStatus status = hwSeries_Describe(count, values, &moments, error);
    if (status == HW_OK) status = Series_CheckInterval(interval, error);
    if (status != HW_OK) return status;
    const hwAllocator allocator = hwDefaultAllocator();
    double* heights = hwAllocate(&allocator, (size_t)count * sizeof(double));
    double* maxima = hwAllocate(&allocator, (size_t)count * sizeof(double));
    if (heights == NULL || maxima == NULL) {
        hwRelease(&allocator, heights);
        hwRelease(&allocator, maxima);
        return hwFail_Memory(error, NULL);
    }
    hwCycleStatistics c = {0};
    double first = 0.0, last = 0.0, low = 0.0, high = 0.0;
    for (int64_t i = 1; i < count; ++i) {
        if (values[i - 1] < level && values[i] >= level) {
            last = ((double)(i - 1) + (level - values[i - 1]) / (values[i] - values[i - 1])) * interval;
            if (c.crossings == 0) {
                first = last;
            } else {
                heights[c.cycles] = high - low;
                maxima[c.cycles++] = high;
            }
            c.crossings += 1;
            low = high = values[i];
        }
        low = hwFmin(low, values[i]);
        high = hwFmax(high, values[i]);
    }
    c.period = c.cycles > 0 ? (last - first) / (double)c.cycles : (double)NAN;
    c.significantHeight = MeanOfHighest(c.cycles, heights);
    c.largestHeight = c.cycles > 0 ? heights[0] : (double)NAN;
    c.significantMaximum = MeanOfHighest(c.cycles, maxima);
    c.mostProbableMaximum =
        c.cycles > 1 ? level + moments.deviation * sqrt(2.0 * hwLog((double)c.cycles)) : (double)NAN;
    hwRelease(&allocator, heights);
    hwRelease(&allocator, maxima);
    *out = c;
    return HW_OK;
}

hwStatus hwSeries_FindExceedance(int64_t count, const double* values, double interval, double limit,
                                 hwExceedance* out, hwError* error) {
    hwStatus status = hwSeries_Check(count, 1, values, error);
    if (status == HW_OK) status = Series_CheckInterval(interval, error);
    if (status != HW_OK) return status;
    hwExceedance e = {.events = values[0] > limit};
    double above = 0.0, stay = 0.0; // intervals: in all, and of the stay that goes on
    for (int64_t i = 1; i < count; ++i) {
        double a = values[i - 1] - limit, b = values[i] - limit;
        bool before = a > 0.0, after = b > 0.0;
        double part = before && after ? 1.0 : before ? a / (a - b) : after ? b / (b - a) : 0.0;
        if (after && !before) e.events += 1;
        stay = before ? stay + part : part;
        above += part;
        e.longest = hwFmax(e.longest, stay * interval);
    }
    e.share = count > 1 ? above / (double)(count - 1) : (double)e.events;
    *out = e;
    return HW_OK;
}

int64_t hwSeries_FindPeaks(int64_t count, const double* values, double interval, double threshold, double gap,
                           int64_t capacity, double* peaks) {
    int64_t found = 0, left = 0; // index of the last value above the threshold
    for (int64_t i = 0; i < count; ++i) {
        if (!isfinite(values[i])) return 0;
    }
    double peak = 0.0;
    bool open = false;
    for (int64_t i = 0; i < count; ++i) {
        if (!(values[i] > threshold)) continue;
        bool anew = !open || (i > left + 1 && (double)(i - left) * interval >= gap);
        if (anew && open) {
            if (found < capacity) peaks[found] = peak;
            found += 1;
        }
        peak = anew ? values[i] : hwFmax(peak, values[i]);
        open = true;
        left = i;
    }
    if (open) {
        if (found < capacity) peaks[found] = peak;
        found += 1;
    }
    return found;
}
