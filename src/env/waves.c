#include "env/waves.h"

#include "base/random.h"
#include "env/kernels.h"
#include "env/wave_cells.h"

#include <math.h>
#include <stdlib.h>

// x tanh(x) = c by Newton's iteration for x = k depth, from the start c (1 - exp(-c^(5/4)))^(-2/5) (Guo 2002), which is
// within 1 % everywhere; each iteration squares the error, so the third is exact.
double hwSolveDispersion(double omega, double gravity, double depth) {
    double deep = omega * omega / gravity;
    double c = deep * depth;
    if (!(c < 20.0)) return deep; // 1 - tanh(20) is below half a unit in the last place
    double x = c * hwPow(-hwExpm1(-hwPow(c, 1.25)), -0.4);
    for (int i = 0; i < 8; i++) {
        double t = hwTanh(x);
        double change = (x * t - c) / (t + x * (1.0 - t) * (1.0 + t));
        x -= change;
        if (fabs(change) <= 1e-15 * x) break;
    }
    return x / depth;
}

// The random sea.
// JONSWAP (Hasselmann et al. 1973) over v = f / fp: S ~ v^-5 exp(-5/4 v^-4) gamma^exp(-(v - 1)^2 / (2 sigma^2)), with
// sigma = 0.07 below the peak and 0.09 above. Harmonics cover 0.5 fp to 4 fp; what lies outside, 0.5 % of the
// variance for gamma 1 and 0.3 % for 3.3, is given to the rest, so that the sum of amplitude^2 / 2 is hs^2 / 16 exactly.
// The range is cut into equal bins, one harmonic each, with the bin's variance and a frequency drawn from the
// spectrum within the bin: no common period, so the record does not repeat.
// Each harmonic has one direction: with several directions at one frequency crests would stand still in space
// (Jefferys 1987).

#define LOW_EDGE 0.5
#define HIGH_EDGE 4.0

static double JonswapShape(double v, double gamma) {
    double sigma = v < 1.0 ? 0.07 : 0.09;
    double d = (v - 1.0) / sigma;
    double inverse = 1.0 / (v * v);
    return inverse * inverse / v * hwExp(-1.25 * inverse * inverse) * hwPow(gamma, hwExp(-0.5 * d * d));
}

// Variance of the bin [low, low + width] by midpoint sums over `cells`, and the v below which the share u of it lies.
static double SampleBin(double low, double width, int cells, double gamma, double u, double* v) {
    double cell = width / cells, total = 0.0;
    for (int i = 0; i < cells; i++) total += JonswapShape(low + (i + 0.5) * cell, gamma);
    double left = u * total;
    *v = low + 0.5 * width;
    for (int i = 0; i < cells; i++) {
        double part = JonswapShape(low + (i + 0.5) * cell, gamma);
        if (left <= part) {
            *v = low + (i + left / part) * cell;
            break;
        }
        left -= part;
    }
    return total * cell;
}

#define SPREAD_CELLS 1024

// Integral of cos^2s(a/2) from 0 to the angle at each cell's end, over the angles where it is above 1e-12, as shares
// of the whole. Returns that largest angle.
static double TabulateSpreading(double s, double shares[SPREAD_CELLS + 1]) {
    double reach = 2.0 * hwAcos(hwPow(1e-12, 0.5 / s));
    double cell = reach / SPREAD_CELLS;
    shares[0] = 0.0;
    for (int i = 0; i < SPREAD_CELLS; i++) {
        shares[i + 1] = shares[i] + hwPow(hwCos(0.5 * (i + 0.5) * cell), 2.0 * s);
    }
    for (int i = 0; i <= SPREAD_CELLS; i++) shares[i] /= shares[SPREAD_CELLS];
    return reach;
}

// The angle from the mean direction below which the share u of the energy lies.
static double InvertSpreading(const double shares[SPREAD_CELLS + 1], double reach, double u) {
    double share = fabs(2.0 * u - 1.0);
    int low = 0, high = SPREAD_CELLS;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (share < shares[middle]) {
            high = middle;
        } else {
            low = middle;
        }
    }
    double angle = (low + (share - shares[low]) / (shares[high] - shares[low])) * reach / SPREAD_CELLS;
    return u < 0.5 ? -angle : angle;
}

static void AddJonswap(const hwJonswapDef* def, hwHarmonic* list) {
    hwRandom random = {def->seed};
    double shares[SPREAD_CELLS + 1];
    double reach = def->spreading > 0.0 ? TabulateSpreading(def->spreading, shares) : 0.0;
    double width = (HIGH_EDGE - LOW_EDGE) / def->components;
    int cells = def->components < 250 ? 4000 / def->components : 16;
    // Directions follow the golden-ratio sequence, which spreads any run of neighbours, and so any band of
    // frequencies, evenly over the distribution: the mean direction and the width hold with few harmonics.
    double turn = hwRandom_Uniform(&random);
    double variance = 0.0;
    for (int i = 0; i < def->components; i++) {
        double v;
        double bin = SampleBin(LOW_EDGE + i * width, width, cells, def->gamma, hwRandom_Uniform(&random), &v);
        list[i].amplitude = sqrt(2.0 * bin);
        list[i].omega = 2.0 * HW_PI * v / def->tp;
        list[i].phase = hwRandom_Range(&random, 0.0, 2.0 * HW_PI);
        list[i].direction = def->direction;
        if (def->spreading > 0.0) list[i].direction += InvertSpreading(shares, reach, turn);
        turn += 0.6180339887498949;
        turn -= floor(turn);
        variance += bin;
    }
    double scale = 0.25 * def->hs / sqrt(variance);
    for (int i = 0; i < def->components; i++) list[i].amplitude *= scale;
}

// The spectrum of a sea between two of its rows.
static double ReadDensity(const hwSeaDef* sea, double omega) {
    int low = 0, high = sea->count - 1;
    if (omega < sea->frequencies[0] || omega > sea->frequencies[high]) return 0.0;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (omega < sea->frequencies[middle]) {
            high = middle;
        } else {
            low = middle;
        }
    }
    double share = (omega - sea->frequencies[low]) / (sea->frequencies[high] - sea->frequencies[low]);
    return sea->densities[low] + share * (sea->densities[high] - sea->densities[low]);
}

static double SumVariance(const hwSeaDef* sea) {
    double sum = 0.0;
    for (int i = 1; i < sea->count; i++) {
        sum += 0.5 * (sea->frequencies[i] - sea->frequencies[i - 1]) *
               (sea->densities[i] + sea->densities[i - 1]);
    }
    return sum;
}

// As AddJonswap, from a table: the sum of amplitude^2 / 2 is the table's integral exactly.
static void AddSea(const hwSeaDef* sea, hwHarmonic* list) {
    enum { CELLS = 64 };
    hwRandom random = {sea->seed};
    double shares[SPREAD_CELLS + 1];
    double reach = sea->spreading > 0.0 ? TabulateSpreading(sea->spreading, shares) : 0.0;
    double width = (sea->frequencies[sea->count - 1] - sea->frequencies[0]) / sea->components;
    double turn = hwRandom_Uniform(&random), variance = 0.0;
    for (int i = 0; i < sea->components; i++) {
        double low = sea->frequencies[0] + i * width, cell = width / CELLS, total = 0.0;
        for (int k = 0; k < CELLS; k++) total += ReadDensity(sea, low + (k + 0.5) * cell);
        double left = hwRandom_Uniform(&random) * total;
        list[i].omega = low + 0.5 * width;
        for (int k = 0; k < CELLS; k++) {
            double part = ReadDensity(sea, low + (k + 0.5) * cell);
            if (left <= part && part > 0.0) {
                list[i].omega = low + (k + left / part) * cell;
                break;
            }
            left -= part;
        }
        list[i].amplitude = sqrt(2.0 * total * cell);
        list[i].phase = hwRandom_Range(&random, 0.0, 2.0 * HW_PI);
        list[i].direction = sea->direction;
        if (sea->spreading > 0.0) list[i].direction += InvertSpreading(shares, reach, turn);
        turn += 0.6180339887498949;
        turn -= floor(turn);
        variance += total * cell;
    }
    double scale = variance > 0.0 ? sqrt(SumVariance(sea) / variance) : 0.0;
    for (int i = 0; i < sea->components; i++) list[i].amplitude *= scale;
}

// The list of all harmonics

static int CountJonswap(const hwEnvironmentDef* def) {
    return def->jonswap.hs > 0.0 ? def->jonswap.components : 0;
}

void hwWaves_Layout(hwWaves* waves, hwArena* arena, const hwEnvironmentDef* def) {
    waves->count = def->airyCount + CountJonswap(def);
    for (int i = 0; i < def->seaCount; i++) waves->count += def->seas[i].components;
    waves->padded = (waves->count + HW_WAVE_LANES - 1) / HW_WAVE_LANES * HW_WAVE_LANES;
    double** arrays[] = {&waves->k,         &waves->kx,     &waves->ky, &waves->omega, &waves->phase,
                         &waves->amplitude, &waves->mirror, &waves->fx, &waves->fy,    &waves->fz};
    for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++) {
        *arrays[i] = HW_TAKE(arena, double, waves->padded);
    }
    waves->list = HW_TAKE(arena, hwHarmonic, waves->count);
    hwWaveWeights_Layout(waves, arena, def);
}

// A total order, so that the sorted list does not depend on the sorting method.
static int CompareHarmonics(const void* left, const void* right) {
    const hwHarmonic *a = left, *b = right;
    if (a->k != b->k) return a->k < b->k ? -1 : 1;
    if (a->direction != b->direction) return a->direction < b->direction ? -1 : 1;
    if (a->phase != b->phase) return a->phase < b->phase ? -1 : 1;
    if (a->amplitude != b->amplitude) return a->amplitude < b->amplitude ? -1 : 1;
    return 0;
}

void hwWaves_Fill(hwWaves* waves, const hwEnvironmentDef* def, double depth) {
    hwHarmonic* list = waves->list;
    waves->depth = depth;
    for (int i = 0; i < def->airyCount; i++) {
        const hwAiryDef* airy = &def->airy[i];
        hwHarmonic harmonic = {0.5 * airy->height, 2.0 * HW_PI / airy->period, 0.0, airy->direction,
                               airy->phase};
        list[i] = harmonic;
    }
    int filled = def->airyCount + CountJonswap(def);
    if (CountJonswap(def) > 0) AddJonswap(&def->jonswap, list + def->airyCount);
    for (int i = 0; i < def->seaCount; i++) {
        AddSea(&def->seas[i], list + filled);
        filled += def->seas[i].components;
    }
    for (int i = 0; i < waves->count; i++) list[i].k = hwSolveDispersion(list[i].omega, def->gravity, depth);
    if (waves->count > 0) qsort(list, (size_t)waves->count, sizeof(list[0]), CompareHarmonics);
    for (int i = 0; i < waves->count; i++) {
        double twice = -2.0 * list[i].k * depth;
        waves->k[i] = list[i].k;
        waves->kx[i] = list[i].k * hwCos(list[i].direction);
        waves->ky[i] = list[i].k * hwSin(list[i].direction);
        waves->omega[i] = list[i].omega;
        waves->phase[i] = list[i].phase;
        waves->amplitude[i] = list[i].amplitude;
        waves->mirror[i] = hwExp(twice);
        waves->fz[i] = list[i].omega / -hwExpm1(twice);
        waves->fx[i] = waves->fz[i] * hwCos(list[i].direction);
        waves->fy[i] = waves->fz[i] * hwSin(list[i].direction);
    }
    // Padding stays zero except for k, which must go on rising for the search in hwWaves_GetFlow.
    for (int i = waves->count; i < waves->padded; i++) waves->k[i] = waves->k[waves->count - 1];
    hwWaveWeights_Fill(waves);
}

// Evaluation

// Each loop below is either a map from arrays to arrays or a set of sums by lanes; compilers turn both into vector code,
// and a mixture of the two into something slower.

static double SumLanes(const double lanes[HW_WAVE_LANES]) {
    double sum = 0.0;
    for (int l = 0; l < HW_WAVE_LANES; l++) sum += lanes[l];
    return sum;
}

static void MapPhases(int count, double x, double y, double time, const double* restrict kx,
                      const double* restrict ky, const double* restrict omega, const double* restrict phase,
                      const double* restrict amplitude, double* restrict cosine, double* restrict sine) {
    for (int i = 0; i < count; i++) {
        double s, c;
        double angle = hwTimesPlus(kx[i], x, hwTimesPlus(ky[i], y, hwTimesPlus(-omega[i], time, phase[i])));
        hwSinCos(angle, &s, &c);
        cosine[i] = amplitude[i] * c;
        sine[i] = amplitude[i] * s;
    }
}

static void SumSurface(int count, const double* restrict kx, const double* restrict ky,
                       const double* restrict omega, const double* restrict cosine,
                       const double* restrict sine, hwWavePoint* restrict point) {
    double height[HW_WAVE_LANES] = {0.0}, rate[HW_WAVE_LANES] = {0.0};
    double alongX[HW_WAVE_LANES] = {0.0}, alongY[HW_WAVE_LANES] = {0.0};
    for (int i = 0; i < count; i += HW_WAVE_LANES) {
        for (int l = 0; l < HW_WAVE_LANES; l++) {
            height[l] += cosine[i + l];
            rate[l] = hwTimesPlus(omega[i + l], sine[i + l], rate[l]);
            alongX[l] = hwTimesPlus(kx[i + l], sine[i + l], alongX[l]);
            alongY[l] = hwTimesPlus(ky[i + l], sine[i + l], alongY[l]);
        }
    }
    point->elevation = SumLanes(height);
    point->rate = SumLanes(rate);
    point->slopeX = -SumLanes(alongX);
    point->slopeY = -SumLanes(alongY);
}

void hwWaves_MapPhases(const hwWaves* waves, int count, double x, double y, double time, double* cosine,
                       double* sine) {
    MapPhases(count, x, y, time, waves->kx, waves->ky, waves->omega, waves->phase, waves->amplitude, cosine,
              sine);
}

void hwWaves_GetSurface(const hwWaves* waves, double x, double y, double time, hwWavePoint* point) {
    hwWaves_MapPhases(waves, waves->padded, x, y, time, point->cosine, point->sine);
    SumSurface(waves->padded, waves->kx, waves->ky, waves->omega, point->cosine, point->sine, point);
}

// Wheeler (1970) stretching: the profile of linear theory between bottom and mean surface is laid between bottom and
// moving surface, zs = h (z - eta) / (h + eta), so that crests are not given the exploding exponentials above z = 0.
double hwWaves_Stretch(double depth, double z, double elevation) {
    double stretched = z - elevation;
    if (isfinite(depth)) {
        double total = depth + elevation;
        stretched = total > 0.0 ? stretched * depth / total : -depth;
        if (stretched < -depth) stretched = -depth;
    }
    return stretched < 0.0 ? stretched : 0.0;
}

int hwWaves_CountReaching(const hwWaves* waves, double z) {
    int low = 0, high = waves->padded;
    while (low < high) {
        int middle = (low + high) / 2;
        if (waves->k[middle] * z > -27.7) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return (low + HW_WAVE_LANES - 1) / HW_WAVE_LANES * HW_WAVE_LANES;
}

// cosh k(z + h) / sinh kh and sinh k(z + h) / sinh kh, both times 1 - e^-2kh: e^kz +- e^-2kh e^-kz, which no depth
// overflows. The last group may hold waves far too short for this z, hence the bound.
static void MapDecay(int count, double z, const double* restrict k, const double* restrict mirror,
                     double* restrict across, double* restrict along) {
    for (int i = 0; i < count; i++) {
        double down, up;
        double exponent = k[i] * z;
        hwExpBoth(exponent < -300.0 ? -300.0 : exponent, &down, &up);
        up *= mirror[i];
        across[i] = down + up;
        along[i] = down - up;
    }
}

void hwWaves_MapDecay(const hwWaves* waves, int count, double z, double* across, double* along) {
    MapDecay(count, z, waves->k, waves->mirror, across, along);
}

// The sums of u, v, w and of their rates, one array of lanes each.
static void SumFlow(int count, const hwWaves* waves, int start, const double* restrict across,
                    const double* restrict along, const double* restrict cosine, const double* restrict sine,
                    double sums[restrict 6][HW_WAVE_LANES]) {
    const double *omega = waves->omega + start, *fx = waves->fx + start, *fy = waves->fy + start;
    const double* fz = waves->fz + start;
    for (int i = 0; i < count; i += HW_WAVE_LANES) {
        for (int l = 0; l < HW_WAVE_LANES; l++) {
            int j = i + l;
            double acrossCosine = across[j] * cosine[j], acrossSine = across[j] * sine[j] * omega[j];
            double alongSine = along[j] * sine[j], alongCosine = along[j] * cosine[j] * omega[j];
            sums[0][l] = hwTimesPlus(fx[j], acrossCosine, sums[0][l]);
            sums[1][l] = hwTimesPlus(fy[j], acrossCosine, sums[1][l]);
            sums[2][l] = hwTimesPlus(fz[j], alongSine, sums[2][l]);
            sums[3][l] = hwTimesPlus(fx[j], acrossSine, sums[3][l]);
            sums[4][l] = hwTimesPlus(fy[j], acrossSine, sums[4][l]);
            sums[5][l] = hwTimesPlus(fz[j], alongCosine, sums[5][l]);
        }
    }
}

// Harmonics are taken in blocks of this many, a multiple of the lanes, to keep the decay on the stack.
#define BLOCK 256

// Linear potential flow over a flat bottom (Airy 1845), psi = k.x - omega t + phase, n the direction:
//   u = a omega cosh k(z + h) / sinh kh cos psi n,   w = a omega sinh k(z + h) / sinh kh sin psi,
// and accelerations by d/dt at a fixed point: the convective part is of second order, like all that linear theory
// leaves out.
void hwWaves_GetFlow(const hwWaves* waves, const hwWavePoint* point, double z, hwVec3* velocity,
                     hwVec3* acceleration) {
    double stretched = hwWaves_Stretch(waves->depth, z, point->elevation);
    int count = hwWaves_CountReaching(waves, stretched);
    double across[BLOCK], along[BLOCK];
    double sums[6][HW_WAVE_LANES] = {{0.0}};
    for (int start = 0; start < count; start += BLOCK) {
        int size = count - start < BLOCK ? count - start : BLOCK;
        MapDecay(size, stretched, waves->k + start, waves->mirror + start, across, along);
        SumFlow(size, waves, start, across, along, point->cosine + start, point->sine + start, sums);
    }
    *velocity = hwMakeVec3(SumLanes(sums[0]), SumLanes(sums[1]), SumLanes(sums[2]));
    *acceleration = hwMakeVec3(SumLanes(sums[3]), SumLanes(sums[4]), -SumLanes(sums[5]));
}
