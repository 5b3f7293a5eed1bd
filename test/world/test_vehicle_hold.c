// Modes that hold the place, the height above the bottom, or follow a route.
#include "hawser/hawser.h"
#include "hawser/vehicle_type.h"

#include "support.h"

typedef struct Rig {
    hwWorld* world;
    hwVehicleId vehicle;
} Rig;

typedef struct RigDef {
    hwVehicleMode mode;
    hwVec3 current;
    int routeCount;
    const hwVec3* route;
    bool slope; // of the bottom: 1 in 10 along x, 20 m down at the origin
} RigDef;

static Rig MakeRig(const RigDef* given) {
    Rig rig;
    hwError error;
    hwVehicleType* type = hwLoadVehicleType("bluerov2_heavy", NULL, &error);
    if (type == NULL) fail_msg("%s", error.message);
    hwWorldDef worldDef = hwDefaultWorldDef();
    rig.world = hwCreateWorld(&worldDef, &error);
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    sea.waterDensity = 1025.0;
    hwSignalTerm flow = hwConstantTerm(given->current);
    sea.current.uniform = (hwSignal){1, &flow};
    double heights[9];
    for (int i = 0; i < 9; ++i) heights[i] = 5.0 * (i % 3);
    if (given->slope) {
        sea.seabed.kind = HW_SEABED_HEIGHTFIELD;
        sea.seabed.columns = sea.seabed.rows = 3;
        sea.seabed.spacing = 50.0;
        sea.seabed.origin = hwMakeVec3(-50.0, -50.0, -25.0);
        sea.seabed.heights = heights;
    }
    if (hwWorld_SetEnvironment(rig.world, &sea, &error) != HW_OK) fail_msg("%s", error.message);
    hwVehicleDef def = hwVehicleType_GetDef(type);
    def.body.name = "rov";
    def.body.position = hwMakeVec3(0.0, 0.0, -10.0);
    def.armed = true;
    def.gain = 1.0;
    def.mode = given->mode;
    def.routeCount = given->routeCount;
    def.route = given->route;
    for (int i = 0; i < HW_AXIS_COUNT; ++i) def.axes[i] = (hwAxisDef){.sensitivity = 1.0};
    rig.vehicle = hwWorld_AddVehicle(rig.world, &def, &error);
    if (HW_IS_NULL(rig.vehicle)) fail_msg("%s", error.message);
    if (hwWorld_Prepare(rig.world, &error) != HW_OK) fail_msg("%s", error.message);
    hwDestroyVehicleType(type);
    return rig;
}

static void Set(Rig* rig, const char* input, double value) {
    hwError error;
    int index = hwWorld_FindInput(rig->world, input);
    if (index < 0) fail_msg("no input %s", input);
    if (hwWorld_SetInput(rig->world, index, value, &error) != HW_OK) fail_msg("%s", error.message);
}

static double Read(const Rig* rig, const char* channel) {
    int index = hwWorld_FindChannel(rig->world, channel);
    if (index < 0) fail_msg("no channel %s", channel);
    return hwWorld_ReadChannel(rig->world, index);
}

static void Run(Rig* rig, double seconds) {
    hwError error;
    for (int i = 0; i < (int)round(60.0 * seconds); ++i) {
        if (hwWorld_Step(rig->world, 1.0 / 60.0, &error) < HW_OK) fail_msg("%s", error.message);
    }
}

static void test_StationIsKeptInACurrent(void** state) {
    (void)state;
    Rig rig = MakeRig(&(RigDef){.mode = HW_MODE_STATION, .current = {0.3, 0.4, 0.0}});
    double worst = 0.0;
    for (int i = 0; i < 200; ++i) {
        Run(&rig, 0.1);
        worst = fmax(worst, hypot(Read(&rig, "rov.position.x"), Read(&rig, "rov.position.y")));
    }
    Run(&rig, 20.0);
    assert_true(worst < 0.4); // the current is there at once
    // the integral settles with kp / ki = 2.7 s: after 40 s nothing is left
    assert_close(Read(&rig, "rov.position.x"), 0.0, 0.01);
    assert_close(Read(&rig, "rov.position.y"), 0.0, 0.01);
    assert_close(Read(&rig, "rov.depth"), 10.0, 0.01);
    assert_close(Read(&rig, "rov.target.x"), 0.0, 1e-12);
    assert_true(isnan(Read(&rig, "rov.route.progress")));
    hwDestroyWorld(rig.world);
}

static void test_SticksMoveThePlace(void** state) {
    (void)state;
    Rig rig = MakeRig(&(RigDef){.mode = HW_MODE_STATION});
    Set(&rig, "rov.pilot.sway", 1.0);
    Run(&rig, 10.0);
    Set(&rig, "rov.pilot.sway", 0.0);
    Run(&rig, 20.0);
    // 0.3 m/s to starboard for 10 s, slowed down while it runs ahead
    double y = Read(&rig, "rov.position.y");
    assert_true(y < -1.5 && y > -3.0);
    assert_close(y, Read(&rig, "rov.target.y"), 0.02);
    assert_close(Read(&rig, "rov.position.x"), 0.0, 0.02);
    Set(&rig, "rov.hold.x", 1.0);
    Run(&rig, 30.0);
    assert_close(Read(&rig, "rov.position.x"), 1.0, 0.02);
    hwDestroyWorld(rig.world);
}

static void test_HeightAboveASlopingBottomIsKept(void** state) {
    (void)state;
    Rig rig = MakeRig(&(RigDef){.mode = HW_MODE_ALTITUDE, .slope = true});
    assert_close(Read(&rig, "rov.altitude"), 10.0, 1e-9);
    assert_close(Read(&rig, "rov.target.altitude"), 10.0, 1e-9);
    assert_true(isnan(Read(&rig, "rov.target.depth")));
    Set(&rig, "rov.pilot.surge", 0.3);
    Run(&rig, 30.0);
    double x = Read(&rig, "rov.position.x");
    assert_true(x > 5.0);
    Set(&rig, "rov.pilot.surge", 0.0);
    Run(&rig, 20.0);
    x = Read(&rig, "rov.position.x");
    assert_close(Read(&rig, "rov.altitude"), 10.0, 0.05);
    assert_close(Read(&rig, "rov.depth"), 10.0 - 0.1 * x, 0.05); // the bottom rises
    Set(&rig, "rov.hold.altitude", 8.0);
    Run(&rig, 30.0);
    assert_close(Read(&rig, "rov.altitude"), 8.0, 0.05);
    hwDestroyWorld(rig.world);
}

static void test_RouteIsFollowedToItsEnd(void** state) {
    (void)state;
    static const hwVec3 route[] = {{4.0, 0.0, -10.0}, {4.0, -4.0, -12.0}, {4.0, -4.0, -9.0}};
    Rig rig = MakeRig(
        &(RigDef){.mode = HW_MODE_ROUTE, .current = {0.1, 0.1, 0.0}, .routeCount = 3, .route = route});
    double worst = 0.0, least = 1e9;
    for (int i = 0; i < 1200; ++i) {
        Run(&rig, 0.1);
        double away = hypot(Read(&rig, "rov.position.x") - 4.0, Read(&rig, "rov.position.y"));
        least = fmin(least, away);
        worst = fmax(worst, Read(&rig, "rov.depth"));
    }
    assert_true(least < 0.3);  // it came by the first corner
    assert_true(worst > 11.7); // and by the deepest place
    assert_close(Read(&rig, "rov.route.progress"), 4.0 + sqrt(20.0) + 3.0,
                 5e-3); // a step of 1/60 s may go past
    // its end by less than what the place moves in it
    assert_close(Read(&rig, "rov.position.x"), 4.0, 0.05);
    assert_close(Read(&rig, "rov.position.y"), -4.0, 0.05);
    assert_close(Read(&rig, "rov.depth"), 9.0, 0.05);
    assert_close(Read(&rig, "rov.heading"), 0.5 * HW_PI,
                 0.1); // east, as on the second leg; the last goes straight up
    hwDestroyWorld(rig.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_StationIsKeptInACurrent),
        cmocka_unit_test(test_SticksMoveThePlace),
        cmocka_unit_test(test_HeightAboveASlopingBottomIsKept),
        cmocka_unit_test(test_RouteIsFollowedToItsEnd),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
