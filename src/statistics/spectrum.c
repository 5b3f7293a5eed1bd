// Spectra and transfer functions by averaged periodograms.
#include "base/error.h"
#include "base/memory.h"
#include "hawser/elementary.h"
#include "hawser/math.h"
#include "statistics/statistics.h"

#include <math.h>

// Room for the transforms of segments.
typedef struct Transform {
    int size;              // a power of two
    double* window;        // Hann's
    double *sine, *cosine; // of 2 pi k / size, k below half
    double* parts[4];      // real and imaginary of the input, then of the output
    void* block;
} Transform;

// Radix 2, decimation in time (Cooley & Tukey 1965).
static void Transform_Run(const Transform* t, double* real, double* imaginary) {
    int n = t->size;
    for (int i = 1, j = 0; i < n; ++i) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i >= j) continue;
        double a = real[i], b = imaginary[i];
        real[i] = real[j];
        imaginary[i] = imaginary[j];
        real[j] = a;
        imaginary[j] = b;
    }
    for (int half = 1; half < n; half *= 2) {
        int stride = n / (2 * half);
        for (int start = 0; start < n; start += 2 * half) {
            for (int k = 0; k < half; ++k) {
                double c = t->cosine[k * stride], s = -t->sine[k * stride];
                int a = start + k, b = a + half;
                double re = c * real[b] - s * imaginary[b], im = c * imaginary[b] + s * real[b];
                real[b] = real[a] - re;
                imaginary[b] = imaginary[a] - im;
                real[a] += re;
                imaginary[a] += im;
            }
        }
    }
}

static hwStatus Transform_Begin(Transform* t, int64_t count, double interval, int segment, hwError* error) {
    if (segment < 8 || (segment & (segment - 1)) != 0 || segment > count)
        return hwFail(error, HW_ERROR_ARGUMENT, NULL,
                      "A segment of %d samples is no power of two from 8 to the %lld samples of the series.",
                      segment, (long long)count);
    if (!(interval > 0.0 && isfinite(interval)))
        return hwFail(error, HW_ERROR_ARGUMENT, NULL,
                      "The interval between values is %g s; it must be positive.", interval);
    const hwAllocator allocator = hwDefaultAllocator();
    *t = (Transform){.size = segment};
    for (int pass = 0; pass < 2; ++pass) {
        hwArena arena = {.base = t->block};
        t->window = HW_TAKE(&arena, double, segment);
        t->sine = HW_TAKE(&arena, double, segment / 2);
        t->cosine = HW_TAKE(&arena, double, segment / 2);
        for (int i = 0; i < 4; ++i) t->parts[i] = HW_TAKE(&arena, double, segment);
        if (pass == 0) t->block = hwAllocate(&allocator, arena.used);
        if (t->block == NULL) return hwFail_Memory(error, NULL);
    }
    for (int i = 0; i < segment; ++i) t->window[i] = 0.5 - 0.5 * hwCos(2.0 * HW_PI * i / segment);
    for (int i = 0; i < segment / 2; ++i) hwSinAndCos(2.0 * HW_PI * i / segment, &t->sine[i], &t->cosine[i]);
    return HW_OK;
}

static void Transform_End(Transform* t) {
    const hwAllocator allocator = hwDefaultAllocator();
    hwRelease(&allocator, t->block);
}

// Transforms the segment from `first` on, its mean removed, into two of the parts.
static void Transform_Load(Transform* t, const double* values, int64_t first, int part) {
    double mean = 0.0;
    for (int i = 0; i < t->size; ++i) mean += values[first + i];
    mean /= t->size;
    for (int i = 0; i < t->size; ++i) {
        t->parts[part][i] = (values[first + i] - mean) * t->window[i];
        t->parts[part + 1][i] = 0.0;
    }
    Transform_Run(t, t->parts[part], t->parts[part + 1]);
}

hwStatus hwSeries_FindSpectrum(int64_t count, const double* values, double interval, int segment,
                               double* density, hwError* error) {
    Transform t = {0};
    hwStatus status = hwSeries_Check(count, 8, values, error);
    if (status == HW_OK) status = Transform_Begin(&t, count, interval, segment, error);
    if (status != HW_OK) return status;
    double power = 0.0;
    for (int i = 0; i < segment; ++i) power += t.window[i] * t.window[i];
    for (int k = 0; k <= segment / 2; ++k) density[k] = 0.0;
    int64_t segments = 0;
    for (int64_t first = 0; first + segment <= count; first += segment / 2, ++segments) {
        Transform_Load(&t, values, first, 0);
        for (int k = 0; k <= segment / 2; ++k)
            density[k] += t.parts[0][k] * t.parts[0][k] + t.parts[1][k] * t.parts[1][k];
    }
    for (int k = 0; k <= segment / 2; ++k) {
        double sides = k == 0 || k == segment / 2 ? 1.0 : 2.0;
        density[k] *= sides * interval / (power * (double)segments);
    }
    Transform_End(&t);
    return HW_OK;
}

hwStatus hwSeries_FindTransfer(int64_t count, const double* input, const double* output, double interval,
                               int segment, double* gainReal, double* gainImaginary, double* coherence,
                               hwError* error) {
    Transform t = {0};
    hwStatus status = hwSeries_Check(count, 8, input, error);
    if (status == HW_OK) status = hwSeries_Check(count, 8, output, error);
    if (status == HW_OK) status = Transform_Begin(&t, count, interval, segment, error);
    if (status != HW_OK) return status;
    const hwAllocator allocator = hwDefaultAllocator();
    double* sums = hwAllocate(&allocator, 4 * (size_t)HW_SPECTRUM_COUNT(segment) * sizeof(double));
    if (sums == NULL) {
        Transform_End(&t);
        return hwFail_Memory(error, NULL);
    }
    for (int64_t first = 0; first + segment <= count; first += segment / 2) {
        Transform_Load(&t, input, first, 0);
        Transform_Load(&t, output, first, 2);
        for (int k = 0; k <= segment / 2; ++k) {
            double a = t.parts[0][k], b = t.parts[1][k], c = t.parts[2][k], d = t.parts[3][k];
            double* sum = sums + 4 * k;
            sum[0] += a * a + b * b;
            sum[1] += c * c + d * d;
            sum[2] += a * c + b * d; // conjugate of the input times the output
            sum[3] += a * d - b * c;
        }
    }
    for (int k = 0; k <= segment / 2; ++k) {
        const double* sum = sums + 4 * k;
        if (gainReal) gainReal[k] = sum[0] > 0.0 ? sum[2] / sum[0] : 0.0;
        if (gainImaginary) gainImaginary[k] = sum[0] > 0.0 ? sum[3] / sum[0] : 0.0;
        if (coherence)
            coherence[k] =
                sum[0] > 0.0 && sum[1] > 0.0 ? (sum[2] * sum[2] + sum[3] * sum[3]) / (sum[0] * sum[1]) : 0.0;
    }
    hwRelease(&allocator, sums);
    Transform_End(&t);
    return HW_OK;
}

double hwSpectrum_GetMoment(int frequencyCount, const double* density, double frequencyStep, double order) {
    double sum = 0.0;
    for (int k = 0; k < frequencyCount; ++k) {
        double power = order == 0.0 ? 1.0 : k == 0 ? 0.0 : hwPow(k * frequencyStep, order);
        double ends = k == 0 || k == frequencyCount - 1 ? 0.5 : 1.0;
        sum += ends * power * density[k];
    }
    return sum * frequencyStep;
}
