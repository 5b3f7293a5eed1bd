// Grippers: what they take, carry, let go and lose; that the state has it all.
#include "hawser/hawser.h"
#include "hawser/reference.h"
#include "hawser/vehicle_type.h"

#include "support.h"

typedef struct Rig {
    hwWorld* world;
    hwVehicleId vehicle;
    hwBodyId thing;
    hwVehicleType* type;
} Rig;

// A BlueROV2 10 m down that holds depth and heading, and a sphere of 4 cm between its jaws, 0.34 m ahead and 0.11 m below its
// origin, moved by `offset`. A `mass` of 0.0343 kg is that of the water it displaces.
static Rig MakeRig(hwVec3 offset, double radius, double mass, bool reference) {
    Rig rig;
    hwError error;
    rig.type = hwLoadVehicleType("bluerov2_heavy", NULL, &error);
    assert_non_null(rig.type);
    hwWorldDef worldDef = hwDefaultWorldDef();
    rig.world = hwCreateWorld(&worldDef, &error);
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    sea.seabed.kind = HW_SEABED_PLANE;
    sea.seabed.depth = 30.0;
    assert_status(hwWorld_SetEnvironment(rig.world, &sea, &error), HW_OK);
    hwVehicleDef def = hwVehicleType_GetDef(rig.type);
    def.body.name = "rov";
    def.body.position = hwMakeVec3(0.0, 0.0, -10.0);
    def.mode = HW_MODE_HOLD;
    def.armed = true;
    def.gain = 1.0;
    rig.vehicle = hwWorld_AddVehicle(rig.world, &def, &error);
    if (HW_IS_NULL(rig.vehicle)) fail_msg("%s", error.message);
    hwShapeDef ball = hwDefaultShapeDef();
    ball.kind = HW_SHAPE_SPHERE;
    ball.radius = radius;
    hwBodyDef body = hwDefaultBodyDef();
    body.name = "ball";
    body.mass = mass;
    double inertia = 0.4 * mass * radius * radius;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = inertia;
    body.shapeCount = 1;
    body.shapes = &ball;
    body.position = hwAdd(hwMakeVec3(0.32, 0.0, -10.11), offset);
    rig.thing = hwWorld_AddBody(rig.world, &body, &error);
    if (HW_IS_NULL(rig.thing)) fail_msg("%s", error.message);
    if (reference) assert_status(hwWorld_UseReference(rig.world, HW_REFERENCE_BDF, &error), HW_OK);
    if (hwWorld_Prepare(rig.world, &error) != HW_OK) fail_msg("%s", error.message);
    return rig;
}

static void FreeRig(Rig* rig) {
    hwDestroyWorld(rig->world);
    hwDestroyVehicleType(rig->type);
}

static void Set(Rig* rig, const char* input, double value) {
    hwError error;
    if (hwWorld_SetInput(rig->world, hwWorld_FindInput(rig->world, input), value, &error) != HW_OK)
        fail_msg("%s", error.message);
}

static double Read(const Rig* rig, const char* channel) {
    return hwWorld_ReadChannel(rig->world, hwWorld_FindChannel(rig->world, channel));
}

static hwVec3 ReadPlace(const Rig* rig, const char* name) {
    double p[3];
    for (int i = 0; i < 3; ++i) {
        char channel[48];
        snprintf(channel, sizeof(channel), "%s.position.%c", name, 'x' + i);
        p[i] = Read(rig, channel);
    }
    return hwMakeVec3(p[0], p[1], p[2]);
}

static void Run(Rig* rig, double duration) {
    hwError error;
    int frames = (int)round(60.0 * duration);
    for (int i = 0; i < frames; ++i) {
        if (hwWorld_Step(rig->world, duration / frames, &error) < HW_OK) fail_msg("%s", error.message);
    }
}

// Opens within a time in which the ball hardly moves, then closes.
static void OpenAndClose(Rig* rig) {
    Set(rig, "rov.gripper", 1.0);
    Run(rig, 3.0);
    Set(rig, "rov.gripper", 0.0);
    Run(rig, 3.0);
}

static void Pull(Rig* rig, hwVec3 force) {
    const char* names[3] = {"ball.force.x", "ball.force.y", "ball.force.z"};
    const double values[3] = {force.x, force.y, force.z};
    for (int i = 0; i < 3; ++i) Set(rig, names[i], values[i]);
}

#define WATER(r) (1025.0 * 4.0 / 3.0 * HW_PI * (r) * (r) * (r))

static void test_JawsTakeWhatIsBetweenThem(void** state) {
    (void)state;
    for (int reference = 0; reference < 2; ++reference) {
        Rig rig = MakeRig(hwMakeVec3(0.0, 0.005, 0.0), 0.02, WATER(0.02), reference == 1);
        assert_close(Read(&rig, "rov.gripper.held"), 0.0, 0.0);
        OpenAndClose(&rig);
        assert_close(Read(&rig, "rov.gripper.held"), 1.0, 0.0);
        hwVehicleState s;
        assert_status(hwVehicle_GetState(rig.world, rig.vehicle, &s, NULL), HW_OK);
        assert_true(HW_SAME_ID(s.held, rig.thing));
        // the jaws stop at its 4 cm of 6.2, as far as they moved between two looks
        assert_close(s.gripper, 0.04 / 0.062, 0.02);
        FreeRig(&rig);
    }
}

static void test_HeldBodyFollowsTheVehicle(void** state) {
    (void)state;
    Rig rig = MakeRig(hwVec3_zero, 0.02, WATER(0.02), false);
    OpenAndClose(&rig);
    assert_close(Read(&rig, "rov.gripper.held"), 1.0, 0.0);
    double before = hwDistance(ReadPlace(&rig, "rov"), ReadPlace(&rig, "ball"));
    Set(&rig, "rov.pilot.surge", 1.0);
    Set(&rig, "rov.pilot.yaw", 0.4);
    Run(&rig, 6.0);
    assert_close(Read(&rig, "rov.gripper.held"), 1.0, 0.0);
    assert_true(Read(&rig, "rov.speed") > 0.4);
    // spring of 5 kN/m, loads of a few newtons
    assert_close(hwDistance(ReadPlace(&rig, "rov"), ReadPlace(&rig, "ball")), before, 2e-3);
    // and its heading turns with the vehicle's
    double off = remainder(Read(&rig, "ball.attitude.yaw") - Read(&rig, "rov.attitude.yaw"), 2.0 * HW_PI);
    assert_close(off, 0.0, 0.05);
    // opening lets it go: the vehicle backs away from it
    Set(&rig, "rov.pilot.yaw", 0.0);
    Set(&rig, "rov.pilot.surge", -1.0);
    Set(&rig, "rov.gripper", 1.0);
    Run(&rig, 6.0);
    assert_close(Read(&rig, "rov.gripper.held"), 0.0, 0.0);
    assert_true(hwDistance(ReadPlace(&rig, "rov"), ReadPlace(&rig, "ball")) > 0.5);
    FreeRig(&rig);
}

// The vehicle carries the weight: thrust downwards less buoyancy grows by it.
static void test_VehicleFeelsTheWeight(void** state) {
    (void)state;
    double heave[2];
    for (int with = 0; with < 2; ++with) {
        // so light that it does not sink away before it is held
        Rig rig = MakeRig(hwVec3_zero, 0.02, WATER(0.02), false);
        if (with) OpenAndClose(&rig);
        if (with) {
            Pull(&rig, hwMakeVec3(0.0, 0.0, -2.0)); // then a weight of 2 N on it
        }
        Run(&rig, 40.0);
        assert_close(Read(&rig, "rov.gripper.held"), with, 0.0);
        heave[with] = 0.0;
        for (int i = 4; i < 8; ++i) {
            char name[48];
            snprintf(name, sizeof(name), "rov.thruster[%d].force", i);
            heave[with] -= Read(&rig, name); // noses down
        }
        FreeRig(&rig);
    }
    assert_close(heave[1] - heave[0], 2.0, 0.05); // level to a degree, settled to a percent
}

static void test_TooMuchSlipsOut(void** state) {
    (void)state;
    Rig rig = MakeRig(hwVec3_zero, 0.02, WATER(0.02), false);
    OpenAndClose(&rig);
    assert_close(Read(&rig, "rov.gripper.held"), 1.0, 0.0);
    Pull(&rig, hwMakeVec3(120.0, 0.0, 0.0));
    Run(&rig, 0.5);
    assert_close(Read(&rig, "rov.gripper.held"), 0.0, 0.0); // 97 N hold it
    FreeRig(&rig);
}

static void test_WhatIsNotBetweenThemStays(void** state) {
    (void)state;
    const struct {
        hwVec3 offset;
        double radius;
    } cases[] = {{{0.06, 0.0, 0.0}, 0.02},   // ahead of the tips
                 {{0.0, 0.07, 0.0}, 0.02},   // beside
                 {{0.0, 0.0, 0.06}, 0.02},   // above
                 {{-0.01, 0.0, 0.0}, 0.04}}; // too large
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        Rig rig = MakeRig(cases[i].offset, cases[i].radius, WATER(cases[i].radius), false);
        OpenAndClose(&rig);
        assert_close(Read(&rig, "rov.gripper.held"), 0.0, 0.0);
        assert_close(Read(&rig, "rov.gripper"), 0.0, 0.01);
        FreeRig(&rig);
    }
}

// Closed jaws that run into something do not hold it.
static void test_ClosedJawsTakeNothing(void** state) {
    (void)state;
    Rig rig = MakeRig(hwVec3_zero, 0.02, WATER(0.02), false);
    Set(&rig, "rov.gripper", 0.0);
    Run(&rig, 3.0);
    Set(&rig, "rov.pilot.surge", 0.2);
    Run(&rig, 2.0);
    assert_close(Read(&rig, "rov.gripper.held"), 0.0, 0.0);
    FreeRig(&rig);
}

static void test_GripIsPartOfTheState(void** state) {
    (void)state;
    Rig rig = MakeRig(hwVec3_zero, 0.02, WATER(0.02), false);
    OpenAndClose(&rig);
    size_t size = hwWorld_GetStateSize(rig.world);
    void* saved = malloc(size);
    hwError error;
    assert_status(hwWorld_SaveState(rig.world, saved, size, &error), HW_OK);
    Set(&rig, "rov.pilot.sway", 1.0);
    Run(&rig, 2.0);
    uint64_t hash = hwWorld_HashState(rig.world);
    Set(&rig, "rov.gripper", 1.0);
    Run(&rig, 2.0);
    assert_close(Read(&rig, "rov.gripper.held"), 0.0, 0.0);
    assert_status(hwWorld_RestoreState(rig.world, saved, size, &error), HW_OK);
    assert_close(Read(&rig, "rov.gripper.held"), 1.0, 0.0);
    Set(&rig, "rov.pilot.sway", 1.0);
    Run(&rig, 2.0);
    assert_true(hwWorld_HashState(rig.world) == hash);
    free(saved);
    FreeRig(&rig);
}

static void test_RemovedBodyIsNoLongerHeld(void** state) {
    (void)state;
    Rig rig = MakeRig(hwVec3_zero, 0.02, WATER(0.02), false);
    OpenAndClose(&rig);
    hwError error;
    assert_status(hwWorld_RemoveBody(rig.world, rig.thing, &error), HW_OK);
    assert_status(hwWorld_Prepare(rig.world, &error), HW_OK);
    assert_close(Read(&rig, "rov.gripper.held"), 0.0, 0.0);
    Run(&rig, 1.0);
    assert_close(Read(&rig, "rov.gripper"), 0.35, 0.3); // and the jaws go on closing
    FreeRig(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_JawsTakeWhatIsBetweenThem), cmocka_unit_test(test_HeldBodyFollowsTheVehicle),
        cmocka_unit_test(test_VehicleFeelsTheWeight),     cmocka_unit_test(test_TooMuchSlipsOut),
        cmocka_unit_test(test_WhatIsNotBetweenThemStays), cmocka_unit_test(test_ClosedJawsTakeNothing),
        cmocka_unit_test(test_GripIsPartOfTheState),      cmocka_unit_test(test_RemovedBodyIsNoLongerHeld),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
