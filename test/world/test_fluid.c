// Links deep under water take a shorter way through the hydrodynamics; it must lead to the same place.
#include "hawser/hawser.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static hwError error;

// The built-in model as a user's own: always takes the long way.
static void LongWay(const hwHydroInput* input, hwHydroOutput* output, void* context) {
    (void)context;
    hwHydro_Evaluate(input, output);
}

static hwBodyDef MakeBody(bool full) {
    hwBodyDef def = hwDefaultBodyDef();
    def.name = "body";
    def.mass = 50.0;
    def.inertia[0] = 3.0, def.inertia[1] = 4.0, def.inertia[2] = 5.0, def.inertia[3] = 0.2;
    def.com = hwMakeVec3(0.1, -0.05, 0.02);
    def.position = hwMakeVec3(3.0, -2.0, -8.0);
    def.attitude = hwQuatFromRpy(0.3, -0.4, 1.1);
    def.velocity = hwMakeVec3(0.5, -0.2, 0.3);
    def.rate = hwMakeVec3(0.4, 0.7, -0.5);
    def.hydro.volume = 0.04;
    def.hydro.hasBuoyancyCenter = true;
    def.hydro.buoyancyCenter = hwMakeVec3(0.02, 0.03, 0.2);
    for (int i = 0; i < 6; ++i) {
        def.hydro.addedMass[i][i] = 10.0 + 5.0 * i;
        def.hydro.linearDrag[i] = 3.0 + i;
        def.hydro.quadraticDrag[i] = 20.0 - 2.0 * i;
    }
    if (full) {
        def.hydro.addedMass[0][4] = def.hydro.addedMass[4][0] = 2.0;
        def.hydro.addedMass[1][2] = def.hydro.addedMass[2][1] = -1.0;
        def.hydro.addedMass[3][5] = def.hydro.addedMass[5][3] = 1.5;
    }
    return def;
}

static hwWorld* MakeWorld(bool moving, bool longWay, bool full) {
    hwWorldDef worldDef = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&worldDef, &error);
    assert_non_null(world);
    hwEnvironmentDef environment = hwDefaultEnvironmentDef();
    environment.water = true;
    hwSignalTerm current = hwSineTerm(hwMakeVec3(0.4, 0.3, -0.1), 7.0, 0.5);
    hwAiryDef wave = {.height = 2.0, .period = 6.0, .direction = 0.3};
    if (moving) {
        environment.current.uniform = (hwSignal){1, &current};
        environment.airyCount = 1;
        environment.airy = &wave;
    }
    assert_int_equal(hwWorld_SetEnvironment(world, &environment, &error), HW_OK);
    hwBodyDef body = MakeBody(full);
    if (longWay) body.hydroFn = LongWay;
    assert_false(HW_IS_NULL(hwWorld_AddBody(world, &body, &error)));
    assert_int_equal(hwWorld_Prepare(world, &error), HW_OK);
    return world;
}

// Both ways compute the same sums in another order: rounding only.
static void Compare(bool moving, bool full) {
    hwWorld* worlds[2] = {MakeWorld(moving, false, full), MakeWorld(moving, true, full)};
    for (int step = 0; step < 20; ++step) {
        hwBodyState s[2];
        hwEnergy e[2];
        for (int k = 0; k < 2; ++k) {
            assert_int_equal(hwBody_GetState(worlds[k], hwWorld_FindBody(worlds[k], "body"), &s[k], &error),
                             HW_OK);
            e[k] = hwWorld_GetEnergy(worlds[k]);
            assert_true(hwWorld_Step(worlds[k], 0.05, &error) >= HW_OK);
        }
        assert_true(hwDistance(s[0].acceleration, s[1].acceleration) < 1e-10);
        assert_true(hwDistance(s[0].rateAcceleration, s[1].rateAcceleration) < 1e-10);
        assert_true(fabs(e[0].potential - e[1].potential) < 1e-9);
        assert_true(fabs(e[0].work - e[1].work) < 1e-9);
        assert_true(fabs(e[0].dissipated - e[1].dissipated) < 1e-9);
    }
    // both used the same matrices: the same number of iterations
    assert_int_equal(hwWorld_GetCounters(worlds[0]).iterations, hwWorld_GetCounters(worlds[1]).iterations);
    hwDestroyWorld(worlds[0]);
    hwDestroyWorld(worlds[1]);
}

static void ShortWayInStillWater(void** state) {
    (void)state;
    Compare(false, false);
    Compare(false, true);
}

static void ShortWayInCurrentAndWaves(void** state) {
    (void)state;
    Compare(true, false);
    Compare(true, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ShortWayInStillWater),
        cmocka_unit_test(ShortWayInCurrentAndWaves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
