// Wave spectra: their integrals, their limits, and seas made of tables.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "hawser/hawser.h"
#include "support.h"

#include <math.h>

typedef double Density(const hwSpectrumPeak* peaks, double omega);

static double Ochi(const hwSpectrumPeak* peaks, double omega) {
    return hwSpectrum_GetOchiHubble(2, peaks, omega);
}

static double FindMoment(Density* density, const hwSpectrumPeak* peaks, double from, double to) {
    enum { CELLS = 20000 };
    double sum = 0.0, cell = (to - from) / CELLS;
    for (int i = 0; i < CELLS; ++i) sum += density(peaks, from + (i + 0.5) * cell) * cell;
    return sum;
}

static void IntegralsAreTheVariance(void** state) {
    (void)state;
    static const double gammas[] = {1.0, 2.0, 3.3, 7.0};
    for (int i = 0; i < 4; ++i) {
        hwSpectrumPeak peak = {3.0, 9.0, gammas[i]};
        // above 30 rad/s there is g(4 v^4)^-1 with v = 43: 1e-7 of it
        assert_close(FindMoment(hwSpectrum_GetJonswap, &peak, 1e-3, 30.0), 9.0 / 16.0, 2e-6);
    }
    static const double seas[][2] = {{3.0, 6.0}, {3.0, 9.5}, {3.0, 14.0}, {1.0, 18.0}, {8.0, 11.0}};
    for (int i = 0; i < 5; ++i) {
        hwSpectrumPeak peaks[2];
        hwTorsethaugen_Split(seas[i][0], seas[i][1], peaks);
        assert_close(peaks[0].hs * peaks[0].hs + peaks[1].hs * peaks[1].hs, seas[i][0] * seas[i][0], 1e-12);
        assert_close(peaks[0].tp, seas[i][1], 0.0);
        // its tail is v^-4: above 60 rad/s about 1e-5 of it
        assert_close(FindMoment(hwSpectrum_GetTorsethaugen, peaks, 1e-3, 60.0) /
                         (seas[i][0] * seas[i][0] / 16.0),
                     1.0, 1e-4);
    }
    hwSpectrumPeak humps[2] = {{1.5, 13.0, 3.0}, {2.0, 7.0, 1.2}};
    assert_close(FindMoment(Ochi, humps, 1e-3, 60.0), (1.5 * 1.5 + 2.0 * 2.0) / 16.0, 1e-6);
}

// lambda = 1 is Pierson and Moskowitz's spectrum, as gamma = 1 is.
static void OchiHubbleOfOneIsPiersonMoskowitz(void** state) {
    (void)state;
    hwSpectrumPeak peak = {2.5, 8.0, 1.0};
    for (double omega = 0.3; omega < 4.0; omega += 0.05)
        assert_close(hwSpectrum_GetOchiHubble(1, &peak, omega), hwSpectrum_GetJonswap(&peak, omega), 1e-12);
}

// Numbers worked out by hand from the formulas for hs = 4 m: the fully developed period is 6.6 4^(1/3) = 10.4768 s.
static void TorsethaugenSharesTheSea(void** state) {
    (void)state;
    hwSpectrumPeak peaks[2];
    hwTorsethaugen_Split(4.0, 8.0,
                         peaks); // wind sea: e = 2.4768/6.4768 = 0.38241, share 0.7 + 0.3 exp(-0.58496)
    assert_close(peaks[0].hs, 4.0 * (0.7 + 0.3 * exp(-4.0 * 0.38241 * 0.38241)), 2e-4);
    assert_close(peaks[1].tp, 12.4768, 1e-4);
    assert_close(peaks[0].shape, 35.0 * pow(2.0 * HW_PI * peaks[0].hs / (9.81 * 64.0), 0.857), 1e-9);
    hwTorsethaugen_Split(4.0, 15.0, peaks); // swell: e = 4.5232/14.5232 = 0.31145
    assert_close(peaks[0].hs, 4.0 * (0.6 + 0.4 * exp(-pow(0.31145 / 0.3, 2.0))), 2e-4);
    assert_close(peaks[1].tp, 6.6 * pow(peaks[1].hs, 1.0 / 3.0), 1e-9);
    // at the border both give one developed sea
    hwTorsethaugen_Split(4.0, 6.6 * pow(4.0, 1.0 / 3.0) - 1e-9, peaks);
    assert_close(peaks[0].hs, 4.0, 1e-9);
    double wind = peaks[0].shape;
    hwTorsethaugen_Split(4.0, 6.6 * pow(4.0, 1.0 / 3.0) + 1e-9, peaks);
    assert_close(peaks[0].hs, 4.0, 1e-9);
    assert_close(peaks[0].shape, wind, 1e-6);
}

// A sea made of a table has its variance, in each band too, and goes where it is told.
static void SeasFollowTheirTables(void** state) {
    (void)state;
    static const double frequencies[] = {0.4, 0.6, 0.8, 1.2}, densities[] = {0.0, 2.0, 0.5, 0.0};
    hwSeaDef sea = {4, frequencies, densities, 0.7, 0.0, 5, 400};
    hwEnvironmentDef def = hwDefaultEnvironmentDef();
    def.water = true;
    def.seas = &sea;
    def.seaCount = 1;
    hwWorldDef worldDef = hwDefaultWorldDef();
    hwError error;
    hwWorld* world = hwCreateWorld(&worldDef, &error);
    assert_status(hwWorld_SetEnvironment(world, &def, &error), HW_OK);
    assert_status(hwWorld_Prepare(world, &error), HW_OK);
    hwWaveComponent list[400];
    assert_int_equal(hwWorld_GetWaves(world, 400, list), 400);
    double sum = 0.0, band = 0.0;
    for (int i = 0; i < 400; ++i) {
        double variance = 0.5 * list[i].amplitude * list[i].amplitude;
        sum += variance;
        if (list[i].omega < 0.6) band += variance;
        assert_close(list[i].direction, 0.7, 0.0);
        assert_true(list[i].omega >= 0.4 && list[i].omega <= 1.2);
    }
    assert_close(sum, 0.2 + 0.25 + 0.1, 1e-12);
    assert_close(band, 0.2, 2e-3); // the bin that 0.6 is in
    sea.count = 1;
    assert_status(hwWorld_SetEnvironment(world, &def, &error), HW_ERROR_ARGUMENT);
    sea.count = 4;
    static const double falling[] = {0.4, 0.8, 0.6, 1.2};
    sea.frequencies = falling;
    assert_status(hwWorld_SetEnvironment(world, &def, &error), HW_ERROR_ARGUMENT);
    sea.frequencies = frequencies;
    sea.components = 3000;
    assert_status(hwWorld_SetEnvironment(world, &def, &error), HW_ERROR_LIMIT);
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(IntegralsAreTheVariance),
        cmocka_unit_test(OchiHubbleOfOneIsPiersonMoskowitz),
        cmocka_unit_test(TorsethaugenSharesTheSea),
        cmocka_unit_test(SeasFollowTheirTables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
