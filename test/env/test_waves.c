// Linear waves: dispersion, potential flow, boundary conditions, spectrum, spreading.
#include "support.h"

#include "base/random.h"
#include "env/waves.h"

#include <stdlib.h>
#include <string.h>

// Waves in a block to free.
static void* MakeWaves(const hwEnvironmentDef* def, double depth, hwWaves* waves) {
    hwArena arena = {NULL, 0};
    hwWaves_Layout(waves, &arena, def);
    void* block = calloc(1, arena.used);
    assert_non_null(block);
    arena.base = block;
    arena.used = 0;
    hwWaves_Layout(waves, &arena, def);
    hwWaves_Fill(waves, def, depth);
    return block;
}

static hwEnvironmentDef MakeSea(double spreading, uint64_t seed, int components) {
    hwEnvironmentDef def = hwDefaultEnvironmentDef();
    def.water = true;
    def.jonswap.hs = 3.0;
    def.jonswap.tp = 9.0;
    def.jonswap.direction = 0.7;
    def.jonswap.spreading = spreading;
    def.jonswap.seed = seed;
    def.jonswap.components = components;
    return def;
}

// Linear theory proper, not stretched to the moving surface.
static void GetLinear(const hwWaves* waves, hwVec3 p, double t, hwVec3* velocity, hwVec3* acceleration) {
    static hwWavePoint point;
    hwWaves_GetSurface(waves, p.x, p.y, t, &point);
    point.elevation = 0.0;
    hwWaves_GetFlow(waves, &point, p.z, velocity, acceleration);
}

// Dispersion

static void DispersionHoldsToRounding(void** state) {
    (void)state;
    for (double omega = 1e-3; omega < 1e2; omega *= 1.07) {
        for (double depth = 1e-2; depth < 1e5; depth *= 1.9) {
            double k = hwSolveDispersion(omega, 9.81, depth);
            // Three roundings on the left, and tanh's own.
            assert_close(9.81 * k * tanh(k * depth) / (omega * omega), 1.0, 2e-15);
        }
    }
}

static void DispersionHasTheDeepAndShallowLimits(void** state) {
    (void)state;
    assert_close(hwSolveDispersion(1.3, 9.81, HUGE_VAL) / (1.3 * 1.3 / 9.81), 1.0, 1e-15);
    assert_close(hwSolveDispersion(1.3, 9.81, 1e4) / (1.3 * 1.3 / 9.81), 1.0, 1e-15);
    // Shallow: omega = k sqrt(g h) (1 - (k h)^2 / 6 + ...)
    for (double omega = 1e-4; omega < 1e-2; omega *= 3.0) {
        double k = hwSolveDispersion(omega, 9.81, 10.0), kh = k * 10.0;
        assert_close(omega / (k * sqrt(9.81 * 10.0)), 1.0 - kh * kh / 6.0, kh * kh * kh * kh + 1e-15);
    }
}

// Potential flow

// Fourth-order central difference of the velocity along an axis (0, 1, 2: x, y, z; 3: time).
static hwVec3 Differentiate(const hwWaves* waves, hwVec3 p, double t, int axis) {
    static const double weights[4] = {1.0, -8.0, 8.0, -1.0}, places[4] = {-2.0, -1.0, 1.0, 2.0};
    double step = 0.01;
    hwVec3 sum = hwVec3_zero;
    for (int i = 0; i < 4; i++) {
        hwVec3 velocity, acceleration, q = p;
        double s = t, d = places[i] * step;
        if (axis == 0) q.x += d;
        if (axis == 1) q.y += d;
        if (axis == 2) q.z += d;
        if (axis == 3) s += d;
        GetLinear(waves, q, s, &velocity, &acceleration);
        sum = hwMulAdd(sum, weights[i] / (12.0 * step), velocity);
    }
    return sum;
}

// The step 0.01 with wave numbers and frequencies below 3.3 leaves (0.01 * 3.3)^4 / 30 = 4e-8 of the shortest waves'
// part, which is a few per cent of 1 m/s2; rounding of phases near 1000 rad adds 1e-13 / 0.01.
static void FlowIsIrrotationalAndFreeOfDivergence(void** state) {
    (void)state;
    const double depths[] = {7.0, 30.0, 3000.0, HUGE_VAL};
    hwEnvironmentDef def = MakeSea(3.0, 5, 60);
    hwRandom random = {3};
    for (int i = 0; i < 4; i++) {
        hwWaves waves;
        void* block = MakeWaves(&def, depths[i], &waves);
        for (int j = 0; j < 40; j++) {
            hwVec3 p = {hwRandom_Range(&random, -500, 500), hwRandom_Range(&random, -500, 500),
                        -hwRandom_Range(&random, 0.1, fmin(6.9, depths[i] - 0.1))};
            double t = hwRandom_Range(&random, 0.0, 1000.0);
            hwVec3 dx = Differentiate(&waves, p, t, 0), dy = Differentiate(&waves, p, t, 1);
            hwVec3 dz = Differentiate(&waves, p, t, 2), dt = Differentiate(&waves, p, t, 3);
            assert_close(dx.x + dy.y + dz.z, 0.0, 1e-8);
            assert_close_vec3(hwMakeVec3(dy.z - dz.y, dz.x - dx.z, dx.y - dy.x), hwVec3_zero, 1e-8);
            hwVec3 velocity, acceleration;
            GetLinear(&waves, p, t, &velocity, &acceleration);
            assert_close_vec3(dt, acceleration, 1e-8);
            assert_true(hwLength(velocity) > 1e-4);
        }
        free(block);
    }
}

// At the mean surface linear theory asks w = d(eta)/dt and, from Bernoulli, d(u)/dt = -g d(eta)/dx; at the bottom w = 0.
static void LinearBoundaryConditionsHold(void** state) {
    (void)state;
    const double depths[] = {5.0, 40.0, HUGE_VAL};
    hwEnvironmentDef def = MakeSea(3.0, 6, 100);
    hwRandom random = {4};
    for (int i = 0; i < 3; i++) {
        hwWaves waves;
        void* block = MakeWaves(&def, depths[i], &waves);
        for (int j = 0; j < 40; j++) {
            static hwWavePoint points[4], here;
            double x = hwRandom_Range(&random, -500, 500), y = hwRandom_Range(&random, -500, 500);
            double t = hwRandom_Range(&random, 0.0, 1000.0), d = 0.01;
            for (int k = 0; k < 4; k++) {
                hwWaves_GetSurface(&waves, x, y, t + d * (k < 2 ? k - 2 : k - 1), &points[k]);
            }
            double rise = (points[0].elevation - 8.0 * points[1].elevation + 8.0 * points[2].elevation -
                           points[3].elevation) /
                          (12.0 * d);
            hwWaves_GetSurface(&waves, x, y, t, &here);
            hwVec3 velocity, acceleration;
            GetLinear(&waves, hwMakeVec3(x, y, 0.0), t, &velocity, &acceleration);
            assert_close(velocity.z, rise, 1e-8); // (0.01 * 2.8)^4 / 30 of the shortest waves
            // Exact but for rounding and the dispersion relation's 1e-15.
            assert_close(acceleration.x, -9.81 * here.slopeX, 1e-13);
            assert_close(acceleration.y, -9.81 * here.slopeY, 1e-13);
            if (isfinite(depths[i])) {
                GetLinear(&waves, hwMakeVec3(x, y, -depths[i]), t, &velocity, &acceleration);
                assert_close(velocity.z, 0.0, 1e-15);
                assert_close(acceleration.z, 0.0, 1e-15);
                assert_true(fabs(velocity.x) > 1e-6);
            }
        }
        free(block);
    }
}

// What is left over in the exact conditions at the moving surface is of second order: a wave half as high leaves a
// quarter. Kinematic: d(eta)/dt + u.grad(eta) - w; and the local change of the stretched velocity against the
// acceleration given.
static void LeftoversAtTheMovingSurfaceAreOfSecondOrder(void** state) {
    (void)state;
    double kinematic[2] = {0.0, 0.0}, local[2] = {0.0, 0.0};
    for (int i = 0; i < 2; i++) {
        hwAiryDef airy = {i == 0 ? 2.0 : 1.0, 7.0, 0.4, 0.2};
        hwEnvironmentDef def = hwDefaultEnvironmentDef();
        def.water = true;
        def.airyCount = 1;
        def.airy = &airy;
        hwWaves waves;
        void* block = MakeWaves(&def, 20.0, &waves);
        for (double t = 0.0; t < 7.0; t += 0.1) {
            static hwWavePoint before, here, after;
            double d = 1e-3;
            hwWaves_GetSurface(&waves, 3.0, 4.0, t - d, &before);
            hwWaves_GetSurface(&waves, 3.0, 4.0, t, &here);
            hwWaves_GetSurface(&waves, 3.0, 4.0, t + d, &after);
            hwVec3 v, a, v0, v1, unused;
            hwWaves_GetFlow(&waves, &here, here.elevation, &v, &a);
            double rise = (after.elevation - before.elevation) / (2.0 * d);
            kinematic[i] = fmax(kinematic[i], fabs(rise + v.x * here.slopeX + v.y * here.slopeY - v.z));
            hwWaves_GetFlow(&waves, &before, -3.0, &v0, &unused);
            hwWaves_GetFlow(&waves, &after, -3.0, &v1, &unused);
            hwWaves_GetFlow(&waves, &here, -3.0, &v, &a);
            hwVec3 change = hwScale(0.5 / d, hwSub(v1, v0));
            local[i] = fmax(local[i], hwLength(hwSub(change, a)));
        }
        free(block);
    }
    // The differences' own error d^2/6 is 1e-7 of the first order; the third order is a ninth of the second.
    assert_close(kinematic[0] / kinematic[1], 4.0, 0.1);
    assert_close(local[0] / local[1], 4.0, 0.3);
}

// The second method: the textbook formula with libm, harmonic by harmonic, stretched.
static void Reference(const hwWaves* waves, hwVec3 p, double t, double* elevation, hwVec3* v, hwVec3* a) {
    double h = waves->depth, eta = 0.0;
    for (int i = 0; i < waves->count; i++) {
        const hwHarmonic* w = &waves->list[i];
        eta += w->amplitude *
               cos(w->k * (p.x * cos(w->direction) + p.y * sin(w->direction)) - w->omega * t + w->phase);
    }
    double z = isfinite(h) ? (p.z - eta) * h / (h + eta) : p.z - eta;
    *v = *a = hwVec3_zero;
    for (int i = 0; i < waves->count; i++) {
        const hwHarmonic* w = &waves->list[i];
        double psi = w->k * (p.x * cos(w->direction) + p.y * sin(w->direction)) - w->omega * t + w->phase;
        bool deep = !isfinite(h) || w->k * h > 300.0;
        double c = deep ? exp(w->k * z) : cosh(w->k * (z + h)) / sinh(w->k * h);
        double s = deep ? exp(w->k * z) : sinh(w->k * (z + h)) / sinh(w->k * h);
        double f = w->amplitude * w->omega;
        hwVec3 along = {cos(w->direction), sin(w->direction), 0.0};
        *v = hwMulAdd(*v, f * c * cos(psi), along);
        *a = hwMulAdd(*a, f * w->omega * c * sin(psi), along);
        v->z += f * s * sin(psi);
        a->z -= f * w->omega * s * cos(psi);
    }
    *elevation = eta;
}

static void KinematicsMatchTheTextbookFormulaAtAnyDepth(void** state) {
    (void)state;
    const double depths[] = {4.0, 25.0, 400.0, 1e5, HUGE_VAL};
    hwRandom random = {5};
    for (int i = 0; i < 5; i++) {
        hwEnvironmentDef def = MakeSea(2.0, 7, 77);
        hwAiryDef airy[2] = {{0.5, 0.5, 1.0, 0.1},
                             {0.3, 30.0, -2.0, 0.0}}; // far shorter and longer than the sea
        def.airyCount = 2;
        def.airy = airy;
        hwWaves waves;
        void* block = MakeWaves(&def, depths[i], &waves);
        assert_int_equal(waves.count, 79);
        for (int j = 0; j < 200; j++) {
            static hwWavePoint point;
            double lowest = fmin(depths[i], j % 2 == 0 ? 10.0 : 2000.0);
            hwVec3 p = {hwRandom_Range(&random, -1e3, 1e3), hwRandom_Range(&random, -1e3, 1e3),
                        -hwRandom_Range(&random, 0.0, lowest)};
            double t = hwRandom_Range(&random, 0.0, 3600.0), elevation;
            hwVec3 velocity, acceleration, v, a;
            Reference(&waves, p, t, &elevation, &v, &a);
            hwWaves_GetSurface(&waves, p.x, p.y, t, &point);
            assert_close(point.elevation, elevation, 1e-9);
            if (p.z > elevation) continue;
            hwWaves_GetFlow(&waves, &point, p.z, &velocity, &acceleration);
            // Phases reach 7e4 rad (the 0.5 s wave) and are rounded to 1e-11 of a radian; the cut at 1e-12 adds less.
            assert_close_vec3(velocity, v, 2e-9);
            assert_close_vec3(acceleration, a, 2e-8);
        }
        free(block);
    }
}

// A swell that reaches far down shares its group with a ripple whose exponential is below all numbers there.
static void RippleIsHarmlessBesideASwell(void** state) {
    (void)state;
    const hwAiryDef airy[2] = {{3.0, 25.0, 0.2, 0.0}, {0.01, 0.15, 0.5, 0.0}};
    const double depths[] = {400.0, HUGE_VAL};
    hwEnvironmentDef def = hwDefaultEnvironmentDef();
    def.airyCount = 2;
    def.airy = airy;
    for (int i = 0; i < 2; i++) {
        hwWaves waves;
        void* block = MakeWaves(&def, depths[i], &waves);
        for (double z = -5.0; z > -400.0; z *= 1.3) {
            static hwWavePoint point;
            double elevation;
            hwVec3 velocity, acceleration, v, a, p = {7.0, -3.0, z};
            Reference(&waves, p, 11.0, &elevation, &v, &a);
            hwWaves_GetSurface(&waves, p.x, p.y, 11.0, &point);
            hwWaves_GetFlow(&waves, &point, z, &velocity, &acceleration);
            assert_close_vec3(velocity, v, 1e-13); // phases up to 1e3 rad
            assert_close_vec3(acceleration, a, 1e-12);
        }
        free(block);
    }
}

static void CrestPassesTheOriginAtTimeZeroAndGoesItsWay(void** state) {
    (void)state;
    hwAiryDef airy = {2.0, 8.0, 0.5 * HW_PI, 0.0}; // towards +y
    hwEnvironmentDef def = hwDefaultEnvironmentDef();
    def.airyCount = 1;
    def.airy = &airy;
    hwWaves waves;
    void* block = MakeWaves(&def, HUGE_VAL, &waves);
    static hwWavePoint point;
    hwVec3 velocity, acceleration;
    hwWaves_GetSurface(&waves, 0.0, 0.0, 0.0, &point);
    assert_close(point.elevation, 1.0, 1e-15);
    assert_close(point.slopeY, 0.0, 1e-15);
    hwWaves_GetFlow(&waves, &point, 1.0, &velocity, &acceleration);
    assert_close(velocity.y, 2.0 * HW_PI / 8.0,
                 1e-14); // under the crest water moves with the wave, at a omega
    assert_close(velocity.x, 0.0, 1e-15);
    double celerity = 9.81 * 8.0 / (2.0 * HW_PI);
    hwWaves_GetSurface(&waves, 12.0, 3.0 * celerity, 3.0, &point);
    assert_close(point.elevation, 1.0, 1e-14);
    airy.phase = 0.25 * HW_PI;
    hwWaves_Fill(&waves, &def, HUGE_VAL);
    hwWaves_GetSurface(&waves, 0.0, 0.0, 1.0, &point); // an eighth of a turn, an eighth of a period later
    assert_close(point.elevation, 1.0, 1e-15);
    airy.phase = 0.0;
    hwWaves_Fill(&waves, &def, HUGE_VAL);
    // Ahead of the crest the surface falls.
    hwWaves_GetSurface(&waves, 0.0, 3.0, 0.0, &point);
    assert_true(point.slopeY < 0.0);
    free(block);
}

// The sea

// Pierson-Moskowitz (gamma 1) integrates in closed form: share below v = exp(-5/4 v^-4). With 140 bins of 0.025 the
// bands of 0.25 are ten bins each; midpoint sums over 28 cells a bin are right to 1e-6.
static void VarianceByBandFollowsPiersonMoskowitz(void** state) {
    (void)state;
    hwEnvironmentDef def = MakeSea(0.0, 8, 140);
    def.jonswap.gamma = 1.0;
    hwWaves waves;
    void* block = MakeWaves(&def, HUGE_VAL, &waves);
    double whole = exp(-1.25 / 256.0) - exp(-1.25 * 16.0), total = 0.0;
    for (int band = 0; band < 14; band++) {
        double low = 0.5 + 0.25 * band, high = low + 0.25, sum = 0.0;
        for (int i = 0; i < waves.count; i++) {
            double v = waves.list[i].omega * def.jonswap.tp / (2.0 * HW_PI);
            if (v >= low && v < high) sum += 0.5 * waves.list[i].amplitude * waves.list[i].amplitude;
        }
        double expected = (exp(-1.25 / pow(high, 4.0)) - exp(-1.25 / pow(low, 4.0))) / whole * 9.0 / 16.0;
        assert_close(sum, expected, 1e-5);
        total += sum;
    }
    assert_close(total, 9.0 / 16.0, 1e-14);
    free(block);
}

// The enhancement: ratio of the spectra with gamma 3.3 and 1 at the peak is 3.3, and the variance is hs^2/16 exactly
// whatever gamma, seed and number of harmonics.
static void VarianceIsExactAndThePeakEnhanced(void** state) {
    (void)state;
    const int counts[] = {1, 2, 7, 8, 9, 200, 2048};
    for (int i = 0; i < 7; i++) {
        hwEnvironmentDef def = MakeSea(i, (uint64_t)i, counts[i]);
        hwWaves waves;
        void* block = MakeWaves(&def, 50.0, &waves);
        double variance = 0.0;
        for (int j = 0; j < waves.count; j++) variance += 0.5 * waves.amplitude[j] * waves.amplitude[j];
        assert_close(variance / (9.0 / 16.0), 1.0, 1e-13);
        for (int j = 1; j < waves.padded; j++) assert_true(waves.k[j] >= waves.k[j - 1]);
        assert_int_equal(waves.padded % HW_WAVE_LANES, 0);
        free(block);
    }
    // Against gamma 1, relative to the tail: gamma at the peak, gamma^exp(-1/2) one sigma below and above it.
    // Bins 0.00175 wide: the factor is flat over one to 2 %, and that much the middle may be off.
    const int bins[] = {285, 245, 337, 1999}; // v = 1, 0.93, 1.09, 4
    double squares[2][4];
    for (int i = 0; i < 2; i++) {
        hwEnvironmentDef def = MakeSea(0.0, 1, 2000);
        def.jonswap.gamma = i == 0 ? 1.0 : 3.3;
        hwWaves waves;
        void* block = MakeWaves(&def, HUGE_VAL, &waves);
        for (int j = 0; j < 4; j++) squares[i][j] = waves.amplitude[bins[j]] * waves.amplitude[bins[j]];
        free(block);
    }
    double tail = squares[1][3] / squares[0][3];
    assert_close(squares[1][0] / squares[0][0] / tail, 3.3, 5e-3);
    assert_close(squares[1][1] / squares[0][1] / tail, pow(3.3, exp(-0.5)), 0.03);
    assert_close(squares[1][2] / squares[0][2] / tail, pow(3.3, exp(-0.5)), 0.03);
}

// A record of six hours, 2400 peak periods, twice a second: its own variance, without knowledge of the harmonics.
// Its spread from the beating of neighbouring harmonics is below 1 % here; the contract is 2 %.
static void LongRecordHasTheVarianceOfHs(void** state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        hwEnvironmentDef def = MakeSea(5.0, seed, 200);
        hwWaves waves;
        void* block = MakeWaves(&def, HUGE_VAL, &waves);
        static hwWavePoint point;
        double sum = 0.0, squares = 0.0;
        int count = 43200;
        for (int i = 0; i < count; i++) {
            hwWaves_GetSurface(&waves, 10.0, -20.0, 0.5 * i, &point);
            sum += point.elevation;
            squares += point.elevation * point.elevation;
        }
        double variance = squares / count - (sum / count) * (sum / count);
        assert_close(variance / (9.0 / 16.0), 1.0, 0.02);
        free(block);
    }
}

// The record's periodogram, summed over bands of a tenth of the peak frequency, is highest around the peak.
static void RecordPeaksAtThePeakPeriod(void** state) {
    (void)state;
    hwEnvironmentDef def = MakeSea(0.0, 11, 200);
    hwWaves waves;
    void* block = MakeWaves(&def, HUGE_VAL, &waves);
    enum { COUNT = 3600, PER_BAND = 20 };
    static double record[COUNT];
    static hwWavePoint point;
    for (int i = 0; i < COUNT; i++) {
        hwWaves_GetSurface(&waves, 0.0, 0.0, 0.5 * i, &point); // 1800 s, 200 peak periods
        record[i] = point.elevation;
    }
    double best = 0.0, bestBand = 0.0;
    for (int band = 5; band < 30; band++) {
        double power = 0.0;
        for (int j = 0; j < PER_BAND; j++) {
            double omega = 2.0 * HW_PI / 9.0 * 0.1 * (band - 0.5 + (j + 0.5) / PER_BAND), c = 0.0, s = 0.0;
            for (int i = 0; i < COUNT; i++) {
                c += record[i] * cos(omega * 0.5 * i);
                s += record[i] * sin(omega * 0.5 * i);
            }
            power += c * c + s * s;
        }
        if (power > best) {
            best = power;
            bestBand = band;
        }
    }
    assert_close(bestBand, 10.0, 0.0);
    free(block);
}

// Equal bins with fixed frequencies would repeat after 1 / (bin width); drawn ones must not.
static void RecordDoesNotRepeat(void** state) {
    (void)state;
    hwEnvironmentDef def = MakeSea(0.0, 12, 100);
    hwWaves waves;
    void* block = MakeWaves(&def, HUGE_VAL, &waves);
    double period = 9.0 / (3.5 / 100.0), product = 0.0, square = 0.0;
    static hwWavePoint now, later;
    for (int i = 0; i < 4000; i++) {
        hwWaves_GetSurface(&waves, 0.0, 0.0, 0.5 * i, &now);
        hwWaves_GetSurface(&waves, 0.0, 0.0, 0.5 * i + period, &later);
        product += now.elevation * later.elevation;
        square += now.elevation * now.elevation;
    }
    assert_true(fabs(product / square) < 0.5); // a repeating record gives 1
    free(block);
    // Places within narrow bins are uniform: mean 1/2, variance 1/12. Of 2000 draws the means scatter by
    // 1/sqrt(12 * 2000) = 0.0065 and 1/sqrt(180 * 2000) = 0.0017; four times that is allowed.
    def = MakeSea(0.0, 12, 2000);
    block = MakeWaves(&def, HUGE_VAL, &waves);
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < waves.count; i++) {
        double place = (waves.omega[i] * 9.0 / (2.0 * HW_PI) - 0.5) / (3.5 / 2000.0) - i;
        assert_true(place > -1e-6 && place < 1.0 + 1e-6);
        sum += place;
        squares += place * place;
    }
    assert_close(sum / 2000.0, 0.5, 0.026);
    assert_close(squares / 2000.0 - (sum / 2000.0) * (sum / 2000.0), 1.0 / 12.0, 0.007);
    free(block);
}

// For D ~ cos^2s(a/2): mean of cos(a) = s / (s + 1), of cos(2a) = s (s - 1) / ((s + 1)(s + 2)) (Longuet-Higgins et al.
// 1963), here weighted with the variance. 200 directions from a sequence of discrepancy log(n)/n: 1 %.
static void SpreadingHasItsMeanAndWidth(void** state) {
    (void)state;
    const double spreads[] = {0.5, 1.0, 4.0, 15.0, 75.0};
    for (int i = 0; i < 5; i++) {
        for (uint64_t seed = 1; seed <= 5; seed++) {
            double s = spreads[i], c1 = 0.0, s1 = 0.0, c2 = 0.0, variance = 0.0;
            hwEnvironmentDef def = MakeSea(s, seed, 200);
            hwWaves waves;
            void* block = MakeWaves(&def, HUGE_VAL, &waves);
            for (int j = 0; j < waves.count; j++) {
                double weight = 0.5 * waves.list[j].amplitude * waves.list[j].amplitude;
                double angle = waves.list[j].direction - def.jonswap.direction;
                assert_true(fabs(angle) <= HW_PI + 1e-12);
                variance += weight;
                c1 += weight * cos(angle);
                s1 += weight * sin(angle);
                c2 += weight * cos(2.0 * angle);
            }
            assert_close(c1 / variance, s / (s + 1.0), 0.015);
            assert_close(s1 / variance, 0.0, 0.02);
            assert_close(c2 / variance, s * (s - 1.0) / ((s + 1.0) * (s + 2.0)), 0.03);
            free(block);
        }
    }
    hwEnvironmentDef def = MakeSea(0.0, 1, 50);
    hwWaves waves;
    void* block = MakeWaves(&def, HUGE_VAL, &waves);
    for (int j = 0; j < waves.count; j++) assert_close(waves.list[j].direction, 0.7, 0.0);
    free(block);
}

static void SameSeedSameSeaAndAnotherSeedAnother(void** state) {
    (void)state;
    hwEnvironmentDef def = MakeSea(3.0, 21, 64);
    hwWaves one, two, other;
    void* first = MakeWaves(&def, 30.0, &one);
    void* second = MakeWaves(&def, 30.0, &two);
    def.jonswap.seed = 22;
    void* third = MakeWaves(&def, 30.0, &other);
    assert_memory_equal(one.list, two.list, 64 * sizeof(hwHarmonic));
    assert_memory_not_equal(one.list, other.list, 64 * sizeof(hwHarmonic));
    free(first);
    free(second);
    free(third);
}

// Deep trough over shallow ground, points in the crest, points below the bottom: finite, and never faster than linear
// theory at the mean surface.
static void StretchingStaysBounded(void** state) {
    (void)state;
    hwEnvironmentDef def = MakeSea(0.0, 2, 200);
    hwWaves waves;
    void* block =
        MakeWaves(&def, 1.0, &waves); // hs three times the depth: absurd, and must still be harmless
    double bound = 0.0;
    for (int i = 0; i < waves.count; i++) {
        bound += waves.amplitude[i] * waves.omega[i] / tanh(waves.k[i] * 1.0);
    }
    static hwWavePoint point;
    for (int i = 0; i < 2000; i++) {
        hwWaves_GetSurface(&waves, 0.3 * i, 0.0, 0.7 * i, &point);
        for (double z = -3.0; z < 3.0; z += 0.5) {
            hwVec3 velocity, acceleration;
            hwWaves_GetFlow(&waves, &point, z, &velocity, &acceleration);
            assert_true(hwIsFiniteVec3(acceleration));
            assert_true(hwLength(velocity) <= 1.5 * bound);
        }
    }
    free(block);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(DispersionHoldsToRounding),
        cmocka_unit_test(DispersionHasTheDeepAndShallowLimits),
        cmocka_unit_test(FlowIsIrrotationalAndFreeOfDivergence),
        cmocka_unit_test(LinearBoundaryConditionsHold),
        cmocka_unit_test(LeftoversAtTheMovingSurfaceAreOfSecondOrder),
        cmocka_unit_test(KinematicsMatchTheTextbookFormulaAtAnyDepth),
        cmocka_unit_test(RippleIsHarmlessBesideASwell),
        cmocka_unit_test(CrestPassesTheOriginAtTimeZeroAndGoesItsWay),
        cmocka_unit_test(VarianceByBandFollowsPiersonMoskowitz),
        cmocka_unit_test(VarianceIsExactAndThePeakEnhanced),
        cmocka_unit_test(LongRecordHasTheVarianceOfHs),
        cmocka_unit_test(RecordPeaksAtThePeakPeriod),
        cmocka_unit_test(RecordDoesNotRepeat),
        cmocka_unit_test(SpreadingHasItsMeanAndWidth),
        cmocka_unit_test(SameSeedSameSeaAndAnotherSeedAnother),
        cmocka_unit_test(StretchingStaysBounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
