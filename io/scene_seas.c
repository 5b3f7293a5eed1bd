// Random seas by their spectra, and recorded ones: from the sections of `waves` to tables and harmonics.
#include "hawser/spectrum.h"
#include "scene_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 600           // of a spectrum that a formula gives
#define MOST_RECORDED 8192 // rows of an elevation: its harmonics are found one by one
#define LARGEST_LOSS 0.01  // share of its variance that may be left out without a word
#define LONGEST 1000.0     // s, period of a wave
#define SHORTEST 0.1       // s

typedef double DensityFn(const void* context, double omega);

// Tables a spectrum between two frequencies; its integral becomes hs^2/16 where hs is not 0.
static bool Tabulate(hwReader* reader, double from, double to, double hs, DensityFn* density,
                     const void* context, hwSeaDef* sea) {
    double* rows = hwReader_Take(reader, 2 * ROWS, sizeof(double));
    if (rows == NULL) return false;
    double sum = 0.0, step = (to - from) / (ROWS - 1);
    for (int i = 0; i < ROWS; i++) {
        rows[i] = from + i * step;
        rows[ROWS + i] = density(context, rows[i]);
        sum += rows[ROWS + i] * step * (i == 0 || i == ROWS - 1 ? 0.5 : 1.0);
    }
    double scale = sum > 0.0 ? hs * hs / (16.0 * sum) : 1.0;
    for (int i = 0; i < ROWS; i++) rows[ROWS + i] *= scale;
    sea->count = ROWS;
    sea->frequencies = rows;
    sea->densities = rows + ROWS;
    return true;
}

// The range in which humps have their variance: half of the slowest peak's frequency to four times the fastest one's.
static void FindRange(int count, const hwSpectrumPeak* peaks, double* from, double* to) {
    *from = HUGE_VAL;
    *to = 0.0;
    for (int i = 0; i < count; i++) {
        if (!(peaks[i].hs > 0.0)) continue;
        double omega = 2.0 * HW_PI / peaks[i].tp;
        *from = hwFmin(*from, 0.5 * omega);
        *to = hwFmax(*to, 4.0 * omega);
    }
    *to = hwFmin(*to, 2.0 * HW_PI / SHORTEST);
}

static double ReadJonswap(const void* context, double omega) {
    return hwSpectrum_GetJonswap(context, omega);
}

bool hwTabulateJonswap(hwReader* reader, const hwJonswapDef* def, hwSeaDef* sea) {
    hwSpectrumPeak peak = {def->hs, def->tp, def->gamma};
    double from, to;
    *sea = (hwSeaDef){.direction = def->direction,
                      .spreading = def->spreading,
                      .seed = def->seed,
                      .components = def->components};
    FindRange(1, &peak, &from, &to);
    return Tabulate(reader, from, to, def->hs, ReadJonswap, &peak, sea);
}

static double ReadTorsethaugen(const void* context, double omega) {
    return hwSpectrum_GetTorsethaugen(context, omega);
}

bool hwCheckTorsethaugen(hwReader* reader, const hwYaml* node, void* item) {
    (void)node;
    hwSceneSea* sea = item;
    hwSpectrumPeak peaks[2];
    double from, to;
    hwTorsethaugen_Split(sea->hs, sea->tp, peaks);
    FindRange(2, peaks, &from, &to);
    return Tabulate(reader, from, to, sea->hs, ReadTorsethaugen, peaks, &sea->def);
}

typedef struct Humps {
    int count;
    hwSpectrumPeak peaks[2];
} Humps;

static double ReadOchiHubble(const void* context, double omega) {
    const Humps* humps = context;
    return hwSpectrum_GetOchiHubble(humps->count, humps->peaks, omega);
}

bool hwCheckOchiHubble(hwReader* reader, const hwYaml* node, void* item) {
    hwSceneSea* sea = item;
    Humps humps = {.count = 2};
    double sum = 0.0, from, to;
    for (int i = 0; i < 2; i++) {
        humps.peaks[i] =
            (hwSpectrumPeak){sea->heights.values[i], sea->periods.values[i], sea->lambdas.values[i]};
        sum += sea->heights.values[i] * sea->heights.values[i];
        if (!(sea->periods.values[i] > 0.0) || !(sea->lambdas.values[i] > 0.0))
            return hwReader_Fail(reader, node, "`tp` and `lambda` of an Ochi-Hubble sea must be positive");
    }
    if (!(sum > 0.0)) return hwReader_Fail(reader, node, "one of the heights `hs` must be positive");
    FindRange(2, humps.peaks, &from, &to);
    return Tabulate(reader, from, to, sqrt(sum), ReadOchiHubble, &humps, &sea->def);
}

// A measured spectrum: its rows as they are, in rad/s.
bool hwCheckSpectrum(hwReader* reader, const hwYaml* node, void* item) {
    hwSceneSea* sea = item;
    const char* column = sea->column;
    const double* frequencies;
    const hwVec3* densities;
    int count;
    if (!hwReadCsvColumns(reader, node, sea->file, sea->time, 1, &column, &count, &frequencies, &densities))
        return false;
    double turn = sea->unit == 0 ? 2.0 * HW_PI : 1.0, sum = 0.0;
    if (count < 2) return hwReader_Fail(reader, node, "a spectrum needs two rows or more");
    double* rows = hwReader_Take(reader, 2 * (size_t)count, sizeof(double));
    if (rows == NULL) return false;
    int kept = 0;
    for (int i = 0; i < count; i++) {
        double omega = frequencies[i] * turn;
        if (!(densities[i].x >= 0.0) || !isfinite(densities[i].x))
            return hwReader_Fail(reader, node, "the density %g at a frequency of %g is none", densities[i].x,
                                 frequencies[i]);
        // measured spectra begin at 0 and end at the sampling's half: no waves there
        if (omega < 2.0 * HW_PI / LONGEST || omega > 2.0 * HW_PI / SHORTEST) continue;
        rows[kept] = omega;
        rows[count + kept++] = densities[i].x / turn;
    }
    for (int i = 1; i < kept; i++)
        sum += 0.5 * (rows[i] - rows[i - 1]) * (rows[count + i] + rows[count + i - 1]);
    if (!(sum > 0.0))
        return hwReader_Fail(reader, node, "the spectrum has no waves between periods of %g and %g s",
                             SHORTEST, LONGEST);
    for (int i = 0; i < kept && sea->hs > 0.0; i++) rows[count + i] *= sea->hs * sea->hs / (16.0 * sum);
    sea->def.count = kept;
    sea->def.frequencies = rows;
    sea->def.densities = rows + count;
    return true;
}

// An elevation: the harmonics of its record, as regular waves ------------------------------------------------------------------

static int CompareHeights(const void* first, const void* second) {
    const hwAiryDef *a = first, *b = second;
    if (a->height != b->height) return a->height > b->height ? -1 : 1;
    return a->period > b->period ? -1 : a->period < b->period;
}

bool hwCheckElevation(hwReader* reader, const hwYaml* node, void* item) {
    hwSceneSea* sea = item;
    const char* column = sea->column;
    const double* times;
    const hwVec3* heights;
    int count;
    if (!hwReadCsvColumns(reader, node, sea->file, sea->time, 1, &column, &count, &times, &heights))
        return false;
    if (count < 4 || count > MOST_RECORDED)
        return hwReader_Fail(reader, node, "an elevation needs 4 to %d rows, not %d", MOST_RECORDED, count);
    double step = (times[count - 1] - times[0]) / (count - 1), mean = 0.0;
    for (int i = 0; i < count; i++) {
        // times with few digits are not quite equal
        if (fabs(times[i] - times[0] - i * step) > 0.02 * step)
            return hwReader_Fail(reader, node,
                                 "the times of an elevation must be at equal distances, but %g s is not",
                                 times[i]);
        if (!isfinite(heights[i].x))
            return hwReader_Fail(reader, node, "the elevation at %g s is no number", times[i]);
        mean += heights[i].x / count;
    }
    double whole = count * step;
    hwAiryDef* all = hwReader_Take(reader, (size_t)count / 2 + 1, sizeof(hwAiryDef));
    if (all == NULL) return false;
    int found = 0;
    double variance = 0.0, kept = 0.0;
    for (int i = 0; i < count; i++) variance += (heights[i].x - mean) * (heights[i].x - mean) / count;
    for (int k = 1; k <= count / 2; k++) {
        double omega = 2.0 * HW_PI * k / whole, re = 0.0, im = 0.0;
        if (omega < 2.0 * HW_PI / LONGEST || omega > 2.0 * HW_PI / SHORTEST) continue;
        for (int i = 0; i < count; i++) {
            // the phase of row i by a whole number of steps round: exact however long the record
            double angle = 2.0 * HW_PI * (double)((int64_t)k * i % count) / count;
            re += (heights[i].x - mean) * hwCos(angle);
            im += (heights[i].x - mean) * hwSin(angle);
        }
        double part = 2 * k == count ? 1.0 / count : 2.0 / count;
        double amplitude = part * sqrt(re * re + im * im);
        if (!(amplitude > 0.0)) continue;
        // amplitude cos(omega (t - t0) - atan2(im, re)), and a wave is a cos(... - omega t + phase)
        all[found++] = (hwAiryDef){2.0 * amplitude, 2.0 * HW_PI / omega, sea->def.direction,
                                   hwAtan2(im, re) + fmod(omega * times[0], 2.0 * HW_PI)};
    }
    if (found == 0) return hwReader_Fail(reader, node, "the elevation has no waves in it");
    qsort(all, (size_t)found, sizeof(all[0]), CompareHeights);
    sea->airy = all;
    sea->airyCount = found < sea->def.components ? found : sea->def.components;
    for (int i = 0; i < sea->airyCount; i++) kept += 0.125 * all[i].height * all[i].height;
    if (kept >= (1.0 - LARGEST_LOSS) * variance) return true;
    return hwReader_Warn(
        reader, node->line,
        "the %d highest harmonics of `%s` hold %.3g %% of its variance: hs is %.3g m where the record's is "
        "%.3g m%s",
        sea->airyCount, sea->column, 100.0 * kept / variance, 4.0 * sqrt(kept), 4.0 * sqrt(variance),
        found > sea->airyCount ? "; more `components` come nearer" : "");
}
