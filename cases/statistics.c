// Statistics against standards and closed forms.
#include "cases/cases.h"
#include "cases/harness.h"
#include "hawser/elementary.h"
#include "hawser/math.h"
#include "hawser/statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Uniform in (0, 1), the same everywhere: Knuth's MMIX generator.
static double Draw(uint64_t* state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(*state >> 11) + 0.5) * 0x1.0p-53;
}

static void Rainflow(hwCaseContext* context) {
    static const double loads[] = {-2, 1, -3, 5, -1, 3, -4, 4, -2};
    static const double exact[][2] = {{3, 0.5}, {4, 1.5}, {6, 0.5}, {8, 1.0}, {9, 0.5}};
    hwRainflowCycle cycles[16];
    int64_t count = hwSeries_CountRainflow(9, loads, 16, cycles);
    for (int k = 0; k < 5; ++k) {
        double sum = 0.0;
        char name[48];
        for (int64_t i = 0; i < count; ++i) sum += cycles[i].range == exact[k][0] ? cycles[i].count : 0.0;
        snprintf(name, sizeof(name), "cycles of range %g", exact[k][0]);
        hwCase_Check(context, HW_MADE_DIRECT, name, exact[k][1], sum, 0.0, NULL);
    }
}

static void Miner(hwCaseContext* context) {
    // A sine through the whole chain: count, curve, sum. 1000 cycles and the two halves at the ends.
    enum { CYCLES = 1000, POINTS = 40, N = CYCLES * POINTS + 1 };
    double* values = malloc(N * sizeof(double));
    hwRainflowCycle* cycles = malloc(N * sizeof(hwRainflowCycle));
    if (!values || !cycles) abort();
    for (int i = 0; i < N; ++i) values[i] = 10.0 * hwCos(2.0 * HW_PI * (i % POINTS) / POINTS);
    hwFatigueCurve curve = hwDefaultFatigueCurve();
    curve.logA = 9.0;
    int64_t count = hwSeries_CountRainflow(N, values, N, cycles);
    hwCase_Check(context, HW_MADE_DIRECT, "Miner's sum of 1000 cycles of range 20", CYCLES * 8000.0 / 1e9,
                 hwFatigueCurve_SumDamage(&curve, count, cycles), 1e-12, NULL);
    free(values);
    free(cycles);

    // A narrow-banded normal process of deviation s: (2 sqrt(2) s)^m Gamma(1 + m/2) / a each cycle (Miles 1954). Its
    // amplitudes by equal probabilities.
    enum { CLASSES = 200000 };
    hwRainflowCycle* classes = malloc(CLASSES * sizeof(hwRainflowCycle));
    if (!classes) abort();
    for (int i = 0; i < CLASSES; ++i)
        classes[i] = (hwRainflowCycle){10.0 * sqrt(-2.0 * hwLog((i + 0.5) / CLASSES)), 0.0, 1.0};
    hwCase_Check(context, HW_MADE_DIRECT, "Miner's sum of a narrow band, m = 3",
                 CLASSES * hwPow(10.0 * sqrt(2.0), 3.0) * hwGamma(2.5) / 1e9,
                 hwFatigueCurve_SumDamage(&curve, CLASSES, classes), 1e-4,
                 "amplitudes beyond the most frequent 200,000 classes are cut");
    free(classes);
}

static void Extremes(hwCaseContext* context) {
    enum { N = 20000 };
    double* values = malloc(N * sizeof(double));
    if (!values) abort();
    hwExtremeFit fit;
    hwError error;
    uint64_t seed = 1;
    static const char note[] = "tolerance: four standard errors of 20,000 values";
    for (int i = 0; i < N; ++i) values[i] = 40.0 - 3.0 * hwLog(-hwLog(Draw(&seed)));
    if (hwFitGumbel(N, values, &fit, &error) != HW_OK) hwCase_AddError(context, "Gumbel", &error);
    hwCase_Check(context, HW_MADE_DIRECT, "Gumbel location", 40.0, fit.location,
                 4.0 * 3.0 / 40.0 * sqrt(1.1087 / N), note);
    hwCase_Check(context, HW_MADE_DIRECT, "Gumbel scale", 3.0, fit.scale, 4.0 * sqrt(0.6079 / N), note);
    for (int i = 0; i < N; ++i) values[i] = 5.0 * hwPow(-hwLog(Draw(&seed)), 1.0 / 1.7);
    if (hwFitWeibull(N, values, 0.0, &fit, &error) != HW_OK) hwCase_AddError(context, "Weibull", &error);
    hwCase_Check(context, HW_MADE_DIRECT, "Weibull scale", 5.0, fit.scale, 4.0 / 1.7 * sqrt(1.1087 / N),
                 note);
    hwCase_Check(context, HW_MADE_DIRECT, "Weibull shape", 1.7, fit.shape, 4.0 * sqrt(0.6079 / N), note);
    for (int i = 0; i < N; ++i) values[i] = 10.0 + 2.0 / 0.15 * (hwPow(Draw(&seed), -0.15) - 1.0);
    if (hwFitPeaks(N, values, 10.0, &fit, &error) != HW_OK) hwCase_AddError(context, "peaks", &error);
    hwCase_Check(context, HW_MADE_DIRECT, "Pareto scale of peaks over a threshold", 2.0, fit.scale,
                 4.0 * sqrt(2.0 * 1.15 / N), note);
    hwCase_Check(context, HW_MADE_DIRECT, "Pareto shape of peaks over a threshold", 0.15, fit.shape,
                 4.0 * 1.15 / 0.15 / sqrt((double)N), note);
    free(values);
}

// A sea of harmonics with the amplitudes of a Pierson-Moskowitz spectrum, each on a frequency of its own.
static void Welch(hwCaseContext* context) {
    enum { N = 1 << 16, SEGMENT = 1024, HARMONICS = 400, FIRST = 200 };
    const double dt = 0.5, df = 1.0 / (N * dt) * 8.0, hs = 3.0, tp = 9.0;
    double* values = calloc(N, sizeof(double));
    double density[HW_SPECTRUM_COUNT(SEGMENT)];
    if (!values) abort();
    uint64_t seed = 4;
    double m0 = 0.0, m2 = 0.0;
    for (int h = 0; h < HARMONICS; ++h) {
        double f = (FIRST + h) * df, ratio = hwPow(tp * f, -4.0);
        double s = 0.3125 * hs * hs * hwPow(tp, -4.0) * hwPow(f, -5.0) * hwExp(-1.25 * ratio);
        double amplitude = sqrt(2.0 * s * df), phase = 2.0 * HW_PI * Draw(&seed);
        for (int i = 0; i < N; ++i) values[i] += amplitude * hwCos(2.0 * HW_PI * f * dt * i + phase);
        m0 += s * df;
        m2 += s * df * f * f;
    }
    hwError error;
    if (hwSeries_FindSpectrum(N, values, dt, SEGMENT, density, &error) != HW_OK)
        hwCase_AddError(context, "Welch", &error);
    double step = 1.0 / (SEGMENT * dt);
    double found = hwSpectrum_GetMoment(HW_SPECTRUM_COUNT(SEGMENT), density, step, 0.0);
    double second = hwSpectrum_GetMoment(HW_SPECTRUM_COUNT(SEGMENT), density, step, 2.0);
    hwCase_Check(context, HW_MADE_DIRECT, "significant height of a known sea, m", 4.0 * sqrt(m0),
                 4.0 * sqrt(found), 5e-3, "overlapping segments do not weigh the ends of the record");
    hwCase_Check(context, HW_MADE_DIRECT, "zero-crossing period of a known sea, s", sqrt(m0 / m2),
                 sqrt(found / second), 5e-3, NULL);
    hwCycleStatistics cycles;
    if (hwSeries_CountCycles(N, values, dt, 0.0, &cycles, &error) != HW_OK)
        hwCase_AddError(context, "crossings", &error);
    hwCase_Check(context, HW_MADE_DIRECT, "period between counted crossings, s", sqrt(m0 / m2), cycles.period,
                 0.01, "one record of 9 hours: its own scatter (Rice 1944)");
    free(values);
}

const hwCase hwStatisticsCases[] = {
    {"statistics/rainflow", "ASTM E1049-85 (2017), 5.4.4, figure 6",
     "Rainflow count of the standard's example.", Rainflow},
    {"statistics/miner", "Palmgren 1924; Miner 1945; Miles 1954",
     "Damage of equal cycles and of a narrow-banded process.", Miner},
    {"statistics/extremes", "Gumbel 1958; Weibull 1951; Pickands 1975",
     "Parameters of known samples by maximum likelihood.", Extremes},
    {"statistics/welch", "Welch 1967; Pierson & Moskowitz 1964",
     "Spectrum and zero crossings of a sea of known harmonics.", Welch},
    {0},
};
