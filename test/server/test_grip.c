// A weight taken from the bottom of the pool and set down somewhere else.
#define _GNU_SOURCE
#include "flight_world.h"

static hwWorld* MakeWorld(void) {
    hwWebCatalog catalog;
    hwError error;
    assert_true(hwWebCatalog_Init(&catalog, NULL, &error));
    hwWebFlightOptions options = catalog.defaults;
    strcpy(options.surroundings, "round_pool");
    strcpy(options.vehicle, "bluerov2_heavy");
    options.tether = false;
    hwWorld* world = MakeFlight(&catalog, &options);
    hwWebCatalog_Free(&catalog);
    return world;
}

static void Run(hwWorld* world, double seconds) {
    hwError error;
    for (int i = 0; i < (int)(60.0 * seconds); ++i) {
        if (hwWorld_Step(world, 1.0 / 60.0, &error) < HW_OK) fail_msg("%s", error.message);
    }
}

// Keeps the vehicle at a place while time passes.
static void StayAt(hwWorld* world, double x, double y, double seconds) {
    for (int i = 0; i < (int)(10.0 * seconds); ++i) {
        Set(world, "rov.pilot.surge",
            hwClamp(1.2 * (x - Read(world, "rov.position.x")) - Read(world, "rov.velocity.x"), -1.0, 1.0));
        Set(world, "rov.pilot.sway",
            hwClamp(-1.2 * (y - Read(world, "rov.position.y")) + Read(world, "rov.velocity.y"), -1.0, 1.0));
        Run(world, 0.1);
    }
}

static void test_WeightIsCarriedAway(void** state) {
    (void)state;
    hwWorld* world = MakeWorld();
    const char* axes[2] = {"surge", "sway"};
    for (int i = 0; i < 2; ++i) {
        char name[64];
        snprintf(name, sizeof(name), "rov.axis.%s.dead_zone", axes[i]);
        Set(world, name, 0.0);
    }
    // in front of the first weight, the jaws about it, just clear of the bottom
    hwBodyState place = {.position = {1.5 - 0.32, -1.0, -4.83}, .attitude = hwQuat_identity};
    hwError error;
    assert_status(hwBody_SetState(world, hwWorld_FindBody(world, "rov"), &place, &error), HW_OK);
    Set(world, "rov.armed", 1.0);
    Set(world, "rov.mode", HW_MODE_HOLD);
    Set(world, "rov.hold.depth", 4.83);
    Set(world, "rov.gain", 1.0);
    Set(world, "rov.gripper", 1.0);
    StayAt(world, 1.5 - 0.32, -1.0, 4.0);
    assert_close(Read(world, "weight_1.position.x"), 1.5, 0.05);
    assert_close(Read(world, "weight_1.position.z"), -4.942, 0.01); // stands on the bottom
    Set(world, "rov.gripper", 0.0);
    StayAt(world, 1.5 - 0.32, -1.0, 4.0);
    assert_close(Read(world, "rov.gripper.held"), 1.0, 0.0);
    assert_close(Read(world, "rov.gripper"), 0.05 / 0.062, 0.05);
    Set(world, "rov.hold.depth", 2.0);
    StayAt(world, 0.0, 0.0, 15.0);
    assert_close(Read(world, "rov.gripper.held"), 1.0, 0.0);
    assert_close(Read(world, "weight_1.position.x"), Read(world, "rov.position.x") + 0.32, 0.06);
    assert_true(Read(world, "weight_1.position.z") > -2.4);
    Set(world, "rov.gripper", 1.0);
    StayAt(world, 0.0, 0.0, 2.0);
    Set(world, "rov.pilot.surge", 0.0);
    Set(world, "rov.pilot.sway", 0.0);
    Run(world, 20.0);
    assert_close(Read(world, "rov.gripper.held"), 0.0, 0.0);
    assert_close(Read(world, "rov.depth"), 2.0, 0.3);
    // on the bottom again, standing or lying
    double z = Read(world, "weight_1.position.z");
    assert_true(z > -4.995 && z < -4.93);
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_WeightIsCarriedAway)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
