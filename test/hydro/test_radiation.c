// Radiated waves in the time domain: the fit follows the tables and can only take energy.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "damper.h"
#include "hydro/radiation.h"
#include "math/dense.h"

#include <math.h>
#include <string.h>

enum { COUNT = 60 };
static double g_frequencies[COUNT], g_damping[COUNT][36], g_added[COUNT][36],
    g_weights[HW_RADIATION_LINES][36];

// Heave and pitch radiate by the same resonance from two places, which couples them: rank one in each frequency. Sway by another.
static hwPotentialDef MakeDef(double last) {
    static const double mode[6] = {0, 0, 1, 0, 2.5, 0};
    Damper heave = {4e5, 0.6, 0.9}, sway = {2e5, 0.9, 1.4};
    hwPotentialDef def = {.frequencyCount = COUNT, .frequencies = g_frequencies, .damping = g_damping[0]};
    memset(g_damping, 0, sizeof(g_damping));
    memset(g_added, 0, sizeof(g_added));
    for (int i = 0; i < 6; ++i) def.addedMass[i][i] = i == 0 || i == 3 || i == 5 ? 0 : 1e6;
    def.addedMass[1][1] = 5e5;
    for (int f = 0; f < COUNT; ++f) {
        double w = g_frequencies[f] = last * (f + 1) / COUNT;
        for (int i = 0; i < 6; ++i) {
            for (int j = 0; j < 6; ++j) {
                g_damping[f][6 * i + j] = mode[i] * mode[j] * Damper_B(&heave, w);
                g_added[f][6 * i + j] = def.addedMass[i][j] + mode[i] * mode[j] * Damper_A(&heave, w);
            }
        }
        g_damping[f][7] = Damper_B(&sway, w);
        g_added[f][7] += Damper_A(&sway, w);
    }
    return def;
}

static void TheFitFollowsDampingAndTherebyAddedMass(void** state) {
    (void)state;
    hwPotentialDef def = MakeDef(6.0);
    hwPotentialFit fit;
    hwError error;
    assert_int_equal(hwPotential_FindFit(&def, g_added[0], &fit, &error), HW_OK);
    // Straight lines between frequencies 0.1 rad/s apart are 1 % of the largest B off at the peak; the fit adds as much.
    if (!(fit.damping < 0.025 && fit.addedMass < 0.025))
        fail_msg("damping is off by %g, added mass by %g", fit.damping, fit.addedMass);
    // The last B is 2 % of the largest, which the table tells by itself.
    assert_true(fit.tail > 0.005 && fit.tail < 0.05);
    // A file without the limit of infinite frequency: found from the added masses that are given.
    double found[6][6];
    assert_int_equal(hwPotential_FindInfiniteMass(&def, g_added[0], found, &error), HW_OK);
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) {
            double size = sqrt((1e5 + def.addedMass[i][i]) * (1e5 + def.addedMass[j][j]));
            assert_true(fabs(found[i][j] - def.addedMass[i][j]) < 0.01 * size);
        }
    }
}

static void NoLineGivesEnergy(void** state) {
    (void)state;
    hwPotentialDef def = MakeDef(6.0);
    // A bad table: damping that is negative here and there, as irregular frequencies make it.
    for (int f = 20; f < 24; ++f)
        for (int n = 0; n < 36; ++n) g_damping[f][n] *= -0.5;
    hwRadiation radiation = {.weights = g_weights};
    hwAllocator allocator = hwDefaultAllocator();
    assert_true(hwRadiation_Fit(&allocator, &def, &radiation));
    assert_true(radiation.active[1] && radiation.active[2] && radiation.active[4] && !radiation.active[0]);
    for (int k = 0; k < HW_RADIATION_LINES; ++k) {
        double trace = 0;
        for (int i = 0; i < 6; ++i) trace += fabs(g_weights[k][7 * i]);
        // of rounding
        assert_true(hwSmallestEigenvalue(6, g_weights[k]) >= -1e-10 * trace);
    }
}

// What panel programs write of a body of revolution in short waves: entries that round, yaw that is none, and frequencies far
// above those that matter.
static void RoundingOfPanelsIsNotDamping(void** state) {
    (void)state;
    hwError error;
    hwPotentialFit fit, clean;
    hwPotentialDef def = MakeDef(6.0);
    assert_int_equal(hwPotential_FindFit(&def, g_added[0], &clean, &error), HW_OK);
    def.addedMass[5][5] = 1e-6;
    for (int f = 0; f < COUNT; ++f) {
        g_damping[f][35] = 1e-8 * (f + 1); // the largest is the last
        g_added[f][35] = 1e-6 * (1.0 + 0.2 * f / COUNT);
    }
    g_damping[COUNT - 1][2 * 6 + 4] *= 1.2; // a fifth more than its mirror image, little beside the largest
    assert_int_equal(hwPotential_FindFit(&def, g_added[0], &fit, &error), HW_OK);
    assert_true(fit.tail == clean.tail && fabs(fit.addedMass - clean.addedMass) < 1e-3);
    // the same body, its table continued to ten times the frequency: the fit is as good
    static double frequencies[COUNT + 54], damping[COUNT + 54][36], added[COUNT + 54][36];
    Damper heave = {4e5, 0.6, 0.9}, sway = {2e5, 0.9, 1.4};
    static const double mode[6] = {0, 0, 1, 0, 2.5, 0};
    def = MakeDef(6.0);
    for (int f = 0; f < COUNT + 54; ++f) {
        double w = frequencies[f] = f < COUNT ? g_frequencies[f] : 6.0 + (f - COUNT + 1);
        for (int n = 0; n < 36; ++n) {
            double m = mode[n / 6] * mode[n % 6];
            damping[f][n] = m * Damper_B(&heave, w) + (n == 7 ? Damper_B(&sway, w) : 0.0);
            added[f][n] =
                def.addedMass[n / 6][n % 6] + m * Damper_A(&heave, w) + (n == 7 ? Damper_A(&sway, w) : 0.0);
        }
    }
    def.frequencyCount = COUNT + 54;
    def.frequencies = frequencies;
    def.damping = damping[0];
    assert_int_equal(hwPotential_FindFit(&def, added[0], &fit, &error), HW_OK);
    if (!(fit.damping < 0.06 && fit.addedMass < 0.04))
        fail_msg("damping is off by %g, added mass by %g", fit.damping, fit.addedMass);
}

static void WrongTablesAreRefused(void** state) {
    (void)state;
    hwError error;
    hwPotentialFit fit;
    hwPotentialDef def = MakeDef(6.0);
    g_frequencies[3] = g_frequencies[2];
    assert_int_equal(hwPotential_FindFit(&def, NULL, &fit, &error), HW_ERROR_ARGUMENT);
    assert_non_null(
        strstr(error.message, "frequencies of hydrodynamic coefficients are above zero and increase"));
    def = MakeDef(6.0);
    g_damping[5][2 * 6 + 4] *= 3;
    assert_int_equal(hwPotential_FindFit(&def, NULL, &fit, &error), HW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "radiation damping is not symmetric"));
    def = MakeDef(6.0);
    def.frequencyCount = 1;
    assert_int_equal(hwPotential_FindFit(&def, NULL, &fit, &error), HW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "two frequencies at least"));
    def = MakeDef(6.0);
    def.addedMass[2][2] = -1;
    assert_int_equal(hwPotential_FindFit(&def, NULL, &fit, &error), HW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "added mass is negative"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TheFitFollowsDampingAndTherebyAddedMass),
        cmocka_unit_test(NoLineGivesEnergy),
        cmocka_unit_test(RoundingOfPanelsIsNotDamping),
        cmocka_unit_test(WrongTablesAreRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
