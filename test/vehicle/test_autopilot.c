// The autopilot's modes on a simple vehicle: mass with drag in one axis.
#include "vehicle/autopilot.h"

#include "support.h"

static hwVehicleDef MakeAutopilot(void) {
    hwAutopilotDef autopilot = {.depth = {80.0, 10.0, 60.0, 30.0},
                                .heading = {6.0, 1.0, 4.0, 3.0},
                                .level = {8.0, 1.0, 3.0, 4.0},
                                .climbRate = 0.4,
                                .turnRate = 0.8,
                                .depthLead = 0.5,
                                .headingLead = 0.5,
                                .position = {50.0, 5.0, 40.0, 20.0},
                                .cruiseRate = 0.3,
                                .positionLead = 1.0};
    hwVehicleDef def = {.autopilot = autopilot};
    return def;
}

static const double g_rest[HW_AXIS_COUNT] = {0.0};
static const double g_full[HW_AXIS_COUNT] = {1.0, 1.0, 1.0, 1.0};

static void test_ManualDoesNothing(void** state) {
    (void)state;
    hwVehicleDef def = MakeAutopilot();
    hwHoldSense sense = {.depth = 3, .sinkRate = 1, .heading = 1, .headingRate = 1, .roll = 1, .pitch = 1};
    double base[HW_HOLD_COUNT] = {1, 2, 3, 4, 5, 6}, z[HW_HOLD_COUNT], rates[HW_HOLD_COUNT];
    hwHoldDemand d = hwAutopilot_Evaluate(&def, HW_MODE_MANUAL, &sense, g_full, base, 0.1, z, rates);
    assert_close(fabs(d.down) + fabs(d.yaw) + fabs(d.roll) + fabs(d.pitch), 0.0, 0.0);
    for (int i = 0; i < HW_HOLD_COUNT; ++i) {
        assert_close(z[i], base[i], 0.0);
        assert_close(rates[i], 0.0, 0.0);
    }
}

static void test_EachModeActsOnItsOwnAxes(void** state) {
    (void)state;
    hwVehicleDef def = MakeAutopilot();
    hwHoldSense sense = {
        .depth = 3.0, .heading = 1.0, .roll = 0.1, .pitch = -0.2, .altitude = (double)INFINITY};
    double base[HW_HOLD_COUNT] = {4.0, 1.5}, z[HW_HOLD_COUNT], rates[HW_HOLD_COUNT];
    for (int mode = 0; mode < HW_MODE_COUNT; ++mode) {
        hwHoldDemand d = hwAutopilot_Evaluate(&def, (hwVehicleMode)mode, &sense, g_rest, base, 0.0, z, rates);
        bool depth = mode == HW_MODE_DEPTH_HOLD || mode == HW_MODE_HOLD || mode == HW_MODE_ALTITUDE ||
                     mode == HW_MODE_STATION || mode == HW_MODE_HOME || // no bottom: depth in its place
                     mode == HW_MODE_UNWIND;
        bool heading = mode >= HW_MODE_HEADING_HOLD;
        bool level = mode != HW_MODE_MANUAL;
        assert_close(d.down, depth ? 80.0 : 0.0, 1e-12);
        assert_close(d.yaw, heading ? 3.0 : 0.0, 1e-12);
        assert_close(d.roll, level ? -0.8 : 0.0, 1e-12);
        assert_close(d.pitch, level ? 1.6 : 0.0, 1e-12);
        assert_close(rates[HW_HOLD_DEPTH_INTEGRAL], depth ? 10.0 : 0.0, 1e-12);
    }
}

// The stage equation z = base + hd z' must hold for every variable, whatever the regime.
static void test_StagesAreConsistent(void** state) {
    (void)state;
    hwVehicleDef def = MakeAutopilot();
    uint64_t random = 5;
    for (int trial = 0; trial < 1000; ++trial) {
        hwHoldSense sense = {
            .depth = TestRandom(&random), .heading = TestRandom(&random), .roll = TestRandom(&random)};
        double base[HW_HOLD_COUNT], z[HW_HOLD_COUNT], rates[HW_HOLD_COUNT],
            hd = 0.05 * (1.0 + TestRandom(&random));
        for (int i = 0; i < HW_HOLD_COUNT; ++i) base[i] = (i < 2 ? 1.0 : 30.0) * TestRandom(&random);
        double axes[HW_AXIS_COUNT];
        for (int i = 0; i < HW_AXIS_COUNT; ++i) axes[i] = TestRandom(&random);
        // every mode, with a route to follow
        hwVec3 route[2] = {{TestRandom(&random), TestRandom(&random), TestRandom(&random)}, {1.0, 2.0, 3.0}};
        def.routeCount = 2;
        def.route = route;
        hwVehicleMode mode = (hwVehicleMode)(trial % HW_MODE_COUNT);
        hwAutopilot_Evaluate(&def, mode, &sense, axes, base, hd, z, rates);
        for (int i = 0; i < HW_HOLD_COUNT; ++i) assert_close(z[i], base[i] + hd * rates[i], 1e-13);
        // an integral beyond its limit only comes back
        if (base[HW_HOLD_ROLL_INTEGRAL] > 4.0) assert_true(rates[HW_HOLD_ROLL_INTEGRAL] <= 0.0);
        if (fabs(base[HW_HOLD_ROLL_INTEGRAL]) <= 4.0)
            assert_true(fabs(z[HW_HOLD_ROLL_INTEGRAL]) <= 4.0 + 1e-12);
    }
}

// A vehicle that sinks by its own weight: the integral takes over the weight and the depth comes back exactly.
static void test_DepthHoldCarriesASteadyLoad(void** state) {
    (void)state;
    hwVehicleDef def = MakeAutopilot();
    double depth = 5.0, speed = 0.0, z[HW_HOLD_COUNT] = {5.0}, rates[HW_HOLD_COUNT], h = 0.01;
    for (int i = 0; i < 20000; ++i) {
        hwHoldSense sense = {.depth = depth, .sinkRate = speed};
        double base[HW_HOLD_COUNT];
        memcpy(base, z, sizeof(z));
        hwHoldDemand d = hwAutopilot_Evaluate(&def, HW_MODE_DEPTH_HOLD, &sense, g_rest, base, h, z, rates);
        speed += h * (12.0 + d.down - 40.0 * speed * fabs(speed)) / 30.0;
        depth += h * speed;
    }
    assert_close(depth, 5.0, 1e-6); // 200 s are over ten time constants of the integral
    assert_close(z[HW_HOLD_DEPTH_INTEGRAL], -12.0, 1e-5);
}

static void test_StickMovesTheSetpointNoFurtherThanItsLead(void** state) {
    (void)state;
    hwVehicleDef def = MakeAutopilot();
    double z[HW_HOLD_COUNT] = {5.0, 1.0}, rates[HW_HOLD_COUNT], h = 0.01;
    // a vehicle that cannot follow
    hwHoldSense sense = {.depth = 5.0, .heading = 1.0};
    for (int i = 0; i < 1000; ++i) {
        double base[HW_HOLD_COUNT];
        memcpy(base, z, sizeof(z));
        hwAutopilot_Evaluate(&def, HW_MODE_HOLD, &sense, g_full, base, h, z, rates);
    }
    assert_true(z[HW_HOLD_DEPTH] < 5.0 && z[HW_HOLD_DEPTH] > 4.5);     // up is less depth
    assert_true(z[HW_HOLD_HEADING] > 1.0 && z[HW_HOLD_HEADING] < 1.5); // to starboard
    assert_close(z[HW_HOLD_HEADING], 1.5, 1e-3);
    // and back without delay
    double base[HW_HOLD_COUNT];
    memcpy(base, z, sizeof(z));
    hwAutopilot_Evaluate(&def, HW_MODE_HOLD, &sense, (double[]){0.0, 0.0, -1.0, 0.0}, base, h, z, rates);
    assert_close(rates[HW_HOLD_DEPTH], 0.4, 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ManualDoesNothing),
        cmocka_unit_test(test_EachModeActsOnItsOwnAxes),
        cmocka_unit_test(test_StagesAreConsistent),
        cmocka_unit_test(test_DepthHoldCarriesASteadyLoad),
        cmocka_unit_test(test_StickMovesTheSetpointNoFurtherThanItsLead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
