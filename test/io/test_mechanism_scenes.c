// The scenes of mechanisms do what they are there to show, frame by frame in the built-in solver.
#include "hawser/mechanism.h"
#include "hawser/scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static hwError error;

static hwWorld* Load(const char* name) {
    char path[512];
    snprintf(path, sizeof(path), "%s/scenes/%s.yaml", HAWSER_SOURCE_DIR, name);
    hwScene* scene = hwLoadScene(path, &error);
    if (scene == NULL) print_message("%s:%d: %s\n", name, error.line, error.message);
    assert_non_null(scene);
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    if (world == NULL) print_message("%s:%d: %s\n", name, error.line, error.message);
    assert_non_null(world);
    hwDestroyScene(scene);
    return world;
}

static double Read(const hwWorld* world, const char* name) {
    int channel = hwWorld_FindChannel(world, name);
    assert_true(channel >= 0);
    return hwWorld_ReadChannel(world, channel);
}

static void Run(hwWorld* world, double seconds) {
    int frames = (int)(seconds * 60.0 + 0.5);
    for (int i = 0; i < frames; ++i) {
        hwStatus status = hwWorld_Step(world, 1.0 / 60.0, &error);
        if (status < HW_OK) print_message("%s\n", error.message);
        assert_true(status >= HW_OK);
    }
}

// 28 bodies, 45 freedoms; a stride of 0.4 m every two seconds, level and straight.
static void WalkerWalks(void** state) {
    (void)state;
    hwWorld* world = Load("walker");
    assert_int_equal(hwMechanism_GetFreedomCount(world, hwWorld_FindMechanism(world, "walker")), 45);
    Run(world, 4.0);
    double x = Read(world, "walker.base.position.x");
    Run(world, 8.0);
    double gone = Read(world, "walker.base.position.x") - x;
    assert_true(gone > 1.4 && gone < 1.7); // 1.6 m less slip and give
    assert_true(fabs(Read(world, "walker.base.position.y")) < 0.05);
    assert_true(fabs(Read(world, "walker.base.attitude.roll")) < 0.02);
    assert_true(fabs(Read(world, "walker.base.attitude.pitch")) < 0.02);
    assert_true(fabs(Read(world, "walker.base.position.z") + 19.26) < 0.02);
    hwDestroyWorld(world);
}

static void FrameWalkerGoesAheadAndTurns(void** state) {
    (void)state;
    hwWorld* world = Load("frame_walker");
    Run(world, 16.0);
    // each half takes a stride of 0.8 m and turns by 0.4 rad
    assert_true(fabs(Read(world, "frame.base.attitude.yaw") - 0.4) < 0.02);
    double x = Read(world, "frame.base.position.x"), y = Read(world, "frame.base.position.y");
    assert_true(fabs(hypot(x, y) - 0.8) < 0.05);
    hwDestroyWorld(world);
}

static void RoverRolls(void** state) {
    (void)state;
    hwWorld* world = Load("articulated_rover");
    Run(world, 12.0);
    assert_true(Read(world, "rover.base.position.x") > 3.5);
    assert_true(fabs(Read(world, "rover.wheel0_left.qd") - 1.5) < 0.3);
    assert_true(Read(world, "rover.base.position.z") > 0.2 && Read(world, "rover.base.position.z") < 0.6);
    hwDestroyWorld(world);
}

static void ArmsMoveTheVehicle(void** state) {
    (void)state;
    hwWorld* world = Load("dual_arm_vehicle");
    Run(world, 20.0);
    // adrift with the current, turned by its arms, not far from its depth
    assert_true(Read(world, "rov.base.position.x") > 1.0);
    assert_true(fabs(Read(world, "rov.base.attitude.yaw")) > 0.01);
    assert_true(fabs(Read(world, "rov.base.position.z") + 30.0) < 2.0);
    assert_true(fabs(Read(world, "rov.base.attitude.roll")) < 0.3);
    hwDestroyWorld(world);
}

static void CraneReachesItsTargets(void** state) {
    (void)state;
    hwWorld* world = Load("palfinger_crane");
    double start = Read(world, "world.energy.balance");
    Run(world, 32.0);
    assert_true(fabs(Read(world, "crane.slew.q") - 1.2) < 1e-3);
    assert_true(fabs(Read(world, "crane.boom1.q") - 0.5) < 1e-3);
    assert_true(fabs(Read(world, "crane.tele4.q") - 0.9) < 1e-3);
    // all work is accounted for, the deck's included
    assert_true(fabs(Read(world, "world.energy.balance") - start) < 1.0);
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(WalkerWalks),
        cmocka_unit_test(FrameWalkerGoesAheadAndTurns),
        cmocka_unit_test(RoverRolls),
        cmocka_unit_test(ArmsMoveTheVehicle),
        cmocka_unit_test(CraneReachesItsTargets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
