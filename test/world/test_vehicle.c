// Vehicles in worlds: thrust and motion, modes, instruments, inputs, failures, both solvers, state.
#include "hawser/hawser.h"
#include "hawser/reference.h"
#include "hawser/vehicle_type.h"

#include "support.h"

#define TWO_PI (2.0 * HW_PI)

typedef struct Rig {
    hwWorld* world;
    hwVehicleId vehicle;
    hwVehicleType* type;
} Rig;

static hwEnvironmentDef MakeSea(void) {
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    sea.seabed.kind = HW_SEABED_PLANE;
    sea.seabed.depth = 30.0;
    return sea;
}

static Rig MakeTurnedRig(const char* model, hwVehicleMode mode, bool armed, hwVec3 current, double heading,
                         bool reference) {
    Rig rig;
    hwError error;
    rig.type = hwLoadVehicleType(model, NULL, &error);
    if (rig.type == NULL) fail_msg("%s", error.message);
    hwWorldDef worldDef = hwDefaultWorldDef();
    if (reference) worldDef.solver.tolerance = 1e-10;
    rig.world = hwCreateWorld(&worldDef, &error);
    assert_non_null(rig.world);
    hwEnvironmentDef sea = MakeSea();
    hwSignalTerm flow = hwConstantTerm(current);
    sea.current.uniform = (hwSignal){1, &flow};
    assert_status(hwWorld_SetEnvironment(rig.world, &sea, &error), HW_OK);
    hwVehicleDef def = hwVehicleType_GetDef(rig.type);
    def.body.name = "rov";
    def.body.position = hwMakeVec3(0.0, 0.0, -10.0);
    def.body.attitude = hwQuatFromRpy(0.0, 0.0, -heading);
    def.mode = mode;
    def.armed = armed;
    def.gain = 1.0;
    for (int i = 0; i < HW_AXIS_COUNT; ++i) def.axes[i] = (hwAxisDef){.sensitivity = 1.0};
    rig.vehicle = hwWorld_AddVehicle(rig.world, &def, &error);
    if (HW_IS_NULL(rig.vehicle)) fail_msg("%s", error.message);
    if (reference) assert_status(hwWorld_UseReference(rig.world, HW_REFERENCE_EXPLICIT, &error), HW_OK);
    hwStatus status = hwWorld_Prepare(rig.world, &error);
    if (status != HW_OK) fail_msg("%s", error.message);
    return rig;
}

static Rig MakeRig(const char* model, hwVehicleMode mode, bool armed, hwVec3 current, bool reference) {
    return MakeTurnedRig(model, mode, armed, current, 0.0, reference);
}

static void FreeRig(Rig* rig) {
    hwDestroyWorld(rig->world);
    hwDestroyVehicleType(rig->type);
}

static void Set(Rig* rig, const char* input, double value) {
    hwError error;
    int index = hwWorld_FindInput(rig->world, input);
    if (index < 0) fail_msg("no input %s", input);
    hwStatus status = hwWorld_SetInput(rig->world, index, value, &error);
    if (status != HW_OK) fail_msg("%s", error.message);
}

static double Read(const Rig* rig, const char* channel) {
    int index = hwWorld_FindChannel(rig->world, channel);
    if (index < 0) fail_msg("no channel %s", channel);
    return hwWorld_ReadChannel(rig->world, index);
}

static void Run(Rig* rig, double duration) {
    hwError error;
    int frames = (int)round(60.0 * duration);
    for (int i = 0; i < frames; ++i) {
        if (hwWorld_Step(rig->world, duration / frames, &error) < HW_OK) fail_msg("%s", error.message);
    }
}

static const hwVec3 g_still = {0.0, 0.0, 0.0};

static void test_DisarmedGivesNoThrust(void** state) {
    (void)state;
    Rig rig = MakeRig("bluerov2_heavy", HW_MODE_HOLD, false, g_still, false);
    Set(&rig, "rov.pilot.surge", 1.0);
    Run(&rig, 2.0);
    assert_close(Read(&rig, "rov.velocity.x"), 0.0, 1e-9); // what Newton leaves of the rising
    hwVehicleState s;
    assert_status(hwVehicle_GetState(rig.world, rig.vehicle, &s, NULL), HW_OK);
    for (int i = 0; i < s.thrusterCount; ++i) assert_close(s.thrusters[i].force, 0.0, 0.0);
    assert_false(s.armed);
    assert_true(isnan(s.depthTarget));
    FreeRig(&rig);
}

static void test_EachAxisMovesItsOwnWay(void** state) {
    (void)state;
    const struct {
        const char *input, *channel;
        double sign;
    } axes[] = {{"rov.pilot.surge", "rov.velocity.x", 1.0},
                {"rov.pilot.sway", "rov.velocity.y", -1.0}, // starboard is -y
                {"rov.pilot.heave", "rov.velocity.z", 1.0},
                {"rov.pilot.yaw", "rov.rate.z", -1.0}}; // to starboard: clockwise from above
    for (int i = 0; i < 4; ++i) {
        Rig rig = MakeRig("bluerov2_heavy", HW_MODE_STABILIZE, true, g_still, false);
        Set(&rig, axes[i].input, 1.0);
        Run(&rig, 3.0);
        assert_true(axes[i].sign * Read(&rig, axes[i].channel) > 0.5);
        if (i == 3) assert_true(Read(&rig, "rov.heading") > 0.5);
        // the others stay nearly at rest (the vehicle is 2 N light)
        for (int k = 0; k < 3; ++k) {
            if (k != i) assert_true(fabs(Read(&rig, axes[k].channel)) < 0.1);
        }
        FreeRig(&rig);
    }
}

// In the steady state thrust along the axis equals drag.
static void test_TopSpeedIsWhereThrustEqualsDrag(void** state) {
    (void)state;
    Rig rig = MakeRig("bluerov2_heavy", HW_MODE_HOLD, true, g_still, false);
    Set(&rig, "rov.pilot.surge", 1.0);
    Run(&rig, 30.0);
    double v = Read(&rig, "rov.velocity.x"), thrust = 0.0;
    hwVehicleState s;
    assert_status(hwVehicle_GetState(rig.world, rig.vehicle, &s, NULL), HW_OK);
    for (int i = 0; i < 4; ++i)
        thrust += (i < 2 ? -1.0 : 1.0) * s.thrusters[i].force * sqrt(0.5); // noses amidships
    assert_close(thrust, 13.7 * v + 141.0 * v * v, 1e-3 * thrust);         // steady to a part in a thousand
    assert_close(v, 1.0, 0.1);                                             // as published, within a tenth
    FreeRig(&rig);
}

static void test_DepthAndHeadingAreHeld(void** state) {
    (void)state;
    Rig rig = MakeRig("bluerov2_heavy", HW_MODE_HOLD, true, hwMakeVec3(0.0, 0.4, 0.0), false);
    Run(&rig, 60.0);
    // the integrals have taken over buoyancy and what the current does
    assert_close(Read(&rig, "rov.depth"), 10.0, 1e-3);
    assert_close(fabs(remainder(Read(&rig, "rov.heading"), TWO_PI)), 0.0, 1e-3);
    // it drifts with the current all the same: position is not held
    assert_close(Read(&rig, "rov.velocity.y"), 0.4, 0.01);
    FreeRig(&rig);
}

static void test_HeaveMovesTheHeldDepth(void** state) {
    (void)state;
    Rig rig = MakeRig("bluerov2_heavy", HW_MODE_DEPTH_HOLD, true, g_still, false);
    Run(&rig, 5.0);
    Set(&rig, "rov.pilot.heave", -1.0);
    Run(&rig, 4.0);
    Set(&rig, "rov.pilot.heave", 0.0);
    Run(&rig, 20.0);
    double target = Read(&rig, "rov.target.depth");
    assert_true(target > 11.0 && target < 12.1); // 0.5 m/s for 4 s, less where it ran ahead
    assert_close(Read(&rig, "rov.depth"), target, 0.01);
    Set(&rig, "rov.hold.depth", 8.0);
    Run(&rig, 40.0);
    assert_close(Read(&rig, "rov.depth"), 8.0, 0.01);
    FreeRig(&rig);
}

static void test_TurnsAreCountedBothWays(void** state) {
    (void)state;
    Rig rig = MakeRig("bluerov2_heavy", HW_MODE_DEPTH_HOLD, true, g_still, false);
    Set(&rig, "rov.pilot.yaw", 0.6);
    Run(&rig, 20.0);
    double turns = Read(&rig, "rov.turns"), before = turns;
    assert_true(turns > 3.0);
    // the fraction is the compass's
    assert_close(turns - floor(turns), Read(&rig, "rov.heading") / TWO_PI, 1e-9);
    Set(&rig, "rov.pilot.yaw", -0.6);
    Run(&rig, 45.0);
    turns = Read(&rig, "rov.turns");
    assert_true(turns < -3.0);
    assert_close(turns - floor(turns), Read(&rig, "rov.heading") / TWO_PI, 1e-9);
    Set(&rig, "rov.turns.offset", turns);
    assert_close(Read(&rig, "rov.turns"), 0.0, 1e-12);
    assert_true(before > 3.0);
    FreeRig(&rig);
}

// Whatever way the bow points when it is put into the water, no turns are in the tether yet.
static void test_TurnsBeginAtZeroOnAnyHeading(void** state) {
    (void)state;
    for (int k = 0; k < 8; ++k) {
        Rig rig = MakeTurnedRig("bluerov2_heavy", HW_MODE_DEPTH_HOLD, true, g_still, 0.25 * HW_PI * k, false);
        assert_close(Read(&rig, "rov.heading"), 0.25 * HW_PI * k, 1e-12);
        assert_close(Read(&rig, "rov.turns"), 0.0, 1e-12);
        Set(&rig, "rov.pilot.yaw", k % 2 == 0 ? 0.6 : -0.6);
        Run(&rig, 4.0);
        double turns = Read(&rig, "rov.turns");
        assert_true(k % 2 == 0 ? turns > 0.2 : turns < -0.2);
        double beyond = turns + k / 8.0;
        assert_close(beyond - floor(beyond), Read(&rig, "rov.heading") / TWO_PI, 1e-9);
        FreeRig(&rig);
    }
}

static void test_FailedThrusterIsNotMadeUpFor(void** state) {
    (void)state;
    Rig rig = MakeRig("videoray_pro", HW_MODE_MANUAL, true, g_still, false);
    Set(&rig, "rov.thruster[0].failed", 1.0);
    Set(&rig, "rov.pilot.surge", 0.5);
    Run(&rig, 3.0);
    assert_close(Read(&rig, "rov.thruster[0].force"), 0.0, 0.05); // what its idle propeller drags
    assert_true(Read(&rig, "rov.thruster[1].force") > 2.0);
    // port pushes alone: it turns to starboard
    assert_true(Read(&rig, "rov.turns") > 0.05);
    assert_close(Read(&rig, "rov.failed"), 1.0, 0.0);
    FreeRig(&rig);
}

// Thrust grows with the square of a propeller's speed: one that has lost 60 % of its thrust turns at sqrt(0.4) of the other's.
static void test_WeakThrusterGivesWhatIsLeft(void** state) {
    (void)state;
    Rig rig = MakeRig("videoray_pro", HW_MODE_MANUAL, true, g_still, false);
    Set(&rig, "rov.thruster[0].failed", 0.6);
    Set(&rig, "rov.pilot.surge", 0.5);
    Run(&rig, 5.0);
    double weak = fabs(Read(&rig, "rov.thruster[0].speed")), good = fabs(Read(&rig, "rov.thruster[1].speed"));
    // at low speeds thrust falls a little faster than with the square: t^2 = x^2 (t + e), e below 1e-2 of these t
    assert_close(weak / good, sqrt(0.4), 0.005);
    FreeRig(&rig);
}

static void test_ReversedPropellerPushesTheOtherWay(void** state) {
    (void)state;
    Rig rig = MakeRig("videoray_pro", HW_MODE_MANUAL, true, g_still, false);
    Set(&rig, "rov.thruster[2].sense", -1.0);
    Set(&rig, "rov.pilot.heave", 1.0);
    Run(&rig, 2.0);
    assert_true(Read(&rig, "rov.thruster[2].force") < -1.0);
    assert_true(Read(&rig, "rov.velocity.z") < 0.0);
    assert_true(Read(&rig, "rov.thruster[2].speed") < 0.0);
    FreeRig(&rig);
}

static void test_NoThrustOutOfTheWater(void** state) {
    (void)state;
    Rig rig = MakeRig("bluerov2_heavy", HW_MODE_MANUAL, true, g_still, false);
    hwBodyState s;
    hwBodyId body = hwVehicle_GetBody(rig.world, rig.vehicle);
    assert_status(hwBody_GetState(rig.world, body, &s, NULL), HW_OK);
    s.position.z = 2.0;
    assert_status(hwBody_SetState(rig.world, body, &s, NULL), HW_OK);
    Set(&rig, "rov.pilot.surge", 1.0);
    Run(&rig, 0.3);
    assert_close(Read(&rig, "rov.thruster[0].force"), 0.0, 0.0);
    assert_true(Read(&rig, "rov.thruster[0].speed") != 0.0);
    FreeRig(&rig);
}

// The two solvers share forces but not their integration: a lively flight must come out the same.
static void Fly(Rig* rig) {
    Set(rig, "rov.pilot.surge", 0.7);
    Set(rig, "rov.pilot.yaw", 0.4);
    Run(rig, 3.0);
    Set(rig, "rov.pilot.sway", -0.5);
    Set(rig, "rov.mode", HW_MODE_DEPTH_HOLD);
    Run(rig, 3.0);
    Set(rig, "rov.pilot.heave", 0.6);
    Set(rig, "rov.camera.tilt_deg", -30.0);
    Set(rig, "rov.gripper", 1.0);
    Run(rig, 3.0);
}

static void test_BothSolversAgree(void** state) {
    (void)state;
    hwVec3 current = {0.1, 0.2, 0.0};
    Rig a = MakeRig("bluerov2_heavy", HW_MODE_MANUAL, true, current, true);
    Rig b = MakeRig("bluerov2_heavy", HW_MODE_MANUAL, true, current, false);
    hwSolverDef fine = {.tolerance = 1e-8};
    assert_status(hwWorld_SetSolver(b.world, &fine, NULL), HW_OK);
    Fly(&a);
    Fly(&b);
    const char* channels[] = {"rov.position.x", "rov.position.y",  "rov.position.z", "rov.depth",
                              "rov.turns",      "rov.camera.tilt", "rov.gripper",    "rov.target.depth"};
    for (size_t i = 0; i < sizeof(channels) / sizeof(channels[0]); ++i) {
        // second order at a tolerance of 1e-8: some 1e-5 over 9 s at speeds of order one
        assert_close(Read(&b, channels[i]), Read(&a, channels[i]), 1e-4);
    }
    FreeRig(&a);
    FreeRig(&b);
}

// The vehicle heads east; its camera looks there and up by the tilt. The lens: the zoom is how many times as long its focal length is.
static void test_CameraLooksWhereItIsTurned(void** state) {
    (void)state;
    Rig rig = MakeTurnedRig("bluerov2_heavy", HW_MODE_MANUAL, false, g_still, 0.5 * HW_PI, false);
    Set(&rig, "rov.camera.tilt_deg", 30.0);
    Set(&rig, "rov.camera.zoom", 2.0);
    Run(&rig, 3.0);
    hwBodyState body;
    assert_status(hwBody_GetState(rig.world, hwVehicle_GetBody(rig.world, rig.vehicle), &body, NULL), HW_OK);
    hwVehicleDef def = hwVehicleType_GetDef(rig.type);
    hwVec3 place = hwAdd(body.position, hwRotate(body.attitude, def.camera.position));
    assert_close(Read(&rig, "rov.camera.position.x"), place.x, 1e-12);
    assert_close(Read(&rig, "rov.camera.position.y"), place.y, 1e-12);
    assert_close(Read(&rig, "rov.camera.position.z"), place.z, 1e-12);
    hwQuat turned =
        hwQuatFromRpy(Read(&rig, "rov.camera.attitude.roll"), Read(&rig, "rov.camera.attitude.pitch"),
                      Read(&rig, "rov.camera.attitude.yaw"));
    double tilt = Read(&rig, "rov.camera.tilt");
    assert_close(tilt, 30.0 * HW_DEGREE, 1e-3); // the drive has come there
    hwVec3 view = hwRotate(turned, hwMakeVec3(1.0, 0.0, 0.0)),
           port = hwRotate(turned, hwMakeVec3(0.0, 1.0, 0.0));
    hwVec3 wanted = hwRotate(body.attitude, hwMakeVec3(cos(tilt), 0.0, sin(tilt)));
    assert_true(hwDistance(view, wanted) < 1e-12);
    assert_true(hwDistance(port, hwRotate(body.attitude, hwMakeVec3(0.0, 1.0, 0.0))) < 1e-12);
    // world axes are x north, y west, z up; nearly level, it lies still
    assert_close(view.y, -cos(tilt), 0.02);
    assert_close(view.z, sin(tilt), 0.02);
    double zoom = Read(&rig, "rov.camera.zoom");
    assert_close(Read(&rig, "rov.camera.field"), 2.0 * atan(tan(0.5 * def.camera.field) / zoom), 1e-12);
    FreeRig(&rig);
}

static void test_StateHoldsEverything(void** state) {
    (void)state;
    Rig a = MakeRig("bluerov2_heavy", HW_MODE_HOLD, true, g_still, false);
    Set(&a, "rov.pilot.surge", 0.8);
    Run(&a, 1.0);
    hwError error;
    size_t size = hwWorld_GetStateSize(a.world);
    void* saved = malloc(size);
    assert_status(hwWorld_SaveState(a.world, saved, size, &error), HW_OK);
    hwWorld* branch = hwWorld_Branch(a.world, &error);
    assert_non_null(branch);
    assert_false(HW_IS_NULL(hwWorld_FindVehicle(branch, "rov")));
    Rig b = {branch, hwWorld_FindVehicle(branch, "rov"), NULL};
    assert_true(HW_SAME_ID(a.vehicle, b.vehicle));
    Run(&a, 2.0);
    uint64_t hash = hwWorld_HashState(a.world);
    Run(&b, 2.0);
    assert_true(hash == hwWorld_HashState(b.world));
    assert_status(hwWorld_RestoreState(a.world, saved, size, &error), HW_OK);
    Run(&a, 2.0);
    assert_true(hash == hwWorld_HashState(a.world));
    free(saved);
    FreeRig(&b);
    FreeRig(&a);
}

static void test_PreparingAgainChangesNothing(void** state) {
    (void)state;
    Rig rig = MakeRig("bluerov2_heavy", HW_MODE_HOLD, true, g_still, false);
    Set(&rig, "rov.pilot.yaw", 0.5);
    Run(&rig, 3.0);
    double turns = Read(&rig, "rov.turns"), target = Read(&rig, "rov.target.heading");
    double speed = Read(&rig, "rov.thruster[0].speed");
    hwBodyDef def = hwDefaultBodyDef();
    def.name = "stone";
    def.mass = 1.0;
    def.inertia[0] = def.inertia[1] = def.inertia[2] = 1.0;
    hwError error;
    assert_false(HW_IS_NULL(hwWorld_AddBody(rig.world, &def, &error)));
    assert_status(hwWorld_Prepare(rig.world, &error), HW_OK);
    assert_close(Read(&rig, "rov.turns"), turns, 1e-12);
    assert_close(Read(&rig, "rov.target.heading"), target, 1e-12);
    assert_close(Read(&rig, "rov.thruster[0].speed"), speed, 1e-9);
    assert_status(hwWorld_RemoveVehicle(rig.world, rig.vehicle, &error), HW_OK);
    assert_true(HW_IS_NULL(hwWorld_FindBody(rig.world, "rov")));
    assert_status(hwWorld_Prepare(rig.world, &error), HW_OK);
    assert_int_equal(hwWorld_FindInput(rig.world, "rov.pilot.surge"), -1);
    FreeRig(&rig);
}

static void test_EnergyOfThrustIsWork(void** state) {
    (void)state;
    Rig rig = MakeRig("bluerov2_heavy", HW_MODE_MANUAL, true, g_still, false);
    hwSolverDef fine = {.tolerance = 1e-7};
    assert_status(hwWorld_SetSolver(rig.world, &fine, NULL), HW_OK);
    double before = Read(&rig, "world.energy.balance");
    Set(&rig, "rov.pilot.surge", 1.0);
    Set(&rig, "rov.pilot.yaw", 0.3);
    Run(&rig, 5.0);
    double work = Read(&rig, "world.energy.work");
    assert_true(work > 50.0);
    assert_close(Read(&rig, "world.energy.balance"), before, 1e-3 * work); // second order at this tolerance
    FreeRig(&rig);
}

static void test_MistakesAreNamed(void** state) {
    (void)state;
    hwError error;
    hwWorldDef worldDef = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&worldDef, &error);
    hwThrusterDef thruster = hwDefaultThrusterDef();
    hwVehicleDef def = hwDefaultVehicleDef();
    def.body.name = "rov";
    def.body.mass = 10.0;
    def.body.inertia[0] = def.body.inertia[1] = def.body.inertia[2] = 1.0;
    def.thrusterCount = 1;
    def.thrusters = &thruster;
    thruster.forward = thruster.reverse = 10.0;
    thruster.axis = hwMakeVec3(2.0, 0.0, 0.0);
    assert_true(HW_IS_NULL(hwWorld_AddVehicle(world, &def, &error)));
    assert_non_null(strstr(error.message, "thruster 0"));
    assert_int_equal(error.index, 0);
    thruster.axis = hwMakeVec3(1.0, 0.0, 0.0);
    def.axisWeights[0] = def.axisWeights[5] = 0.0;
    def.axisWeights[1] = def.axisWeights[2] = def.axisWeights[3] = def.axisWeights[4] = 1.0;
    assert_true(HW_IS_NULL(hwWorld_AddVehicle(world, &def, &error)));
    assert_non_null(strstr(error.message, "none of the axes"));
    def.axisWeights[0] = 1.0;
    hwVehicleId id = hwWorld_AddVehicle(world, &def, &error);
    assert_false(HW_IS_NULL(id));
    assert_true(HW_IS_NULL(hwWorld_AddVehicle(world, &def, &error)));
    assert_non_null(strstr(error.message, "already"));
    assert_status(hwWorld_Prepare(world, &error), HW_OK);
    assert_status(hwWorld_SetInput(world, hwWorld_FindInput(world, "rov.mode"), 10.0, &error),
                  HW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "depth_hold"));
    hwVehicleDef raw;
    memset(&raw, 0, sizeof(raw));
    assert_true(HW_IS_NULL(hwWorld_AddVehicle(world, &raw, &error)));
    hwDestroyWorld(world);
}

// Every failing allocation leaves the world as it was.
static void test_AddSurvivesLackOfMemory(void** state) {
    (void)state;
    hwError error;
    hwVehicleType* type = hwLoadVehicleType("bluerov2_heavy", NULL, &error);
    hwVehicleDef def = hwVehicleType_GetDef(type);
    def.body.name = "rov";
    for (long failAt = 0; failAt < 12; ++failAt) {
        TestHeap heap = {.failAt = -1};
        hwWorldDef worldDef = hwDefaultWorldDef();
        worldDef.allocator = TestHeap_GetAllocator(&heap);
        hwWorld* world = hwCreateWorld(&worldDef, &error);
        heap.failAt = heap.allocations + failAt;
        hwVehicleId id = hwWorld_AddVehicle(world, &def, &error);
        if (HW_IS_NULL(id)) {
            assert_int_equal(error.status, HW_ERROR_MEMORY);
            assert_true(HW_IS_NULL(hwWorld_FindBody(world, "rov")));
        }
        heap.failAt = -1;
        hwDestroyWorld(world);
        assert_int_equal(heap.live, 0);
    }
    hwDestroyVehicleType(type);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_DisarmedGivesNoThrust),
        cmocka_unit_test(test_EachAxisMovesItsOwnWay),
        cmocka_unit_test(test_TopSpeedIsWhereThrustEqualsDrag),
        cmocka_unit_test(test_DepthAndHeadingAreHeld),
        cmocka_unit_test(test_HeaveMovesTheHeldDepth),
        cmocka_unit_test(test_TurnsAreCountedBothWays),
        cmocka_unit_test(test_TurnsBeginAtZeroOnAnyHeading),
        cmocka_unit_test(test_FailedThrusterIsNotMadeUpFor),
        cmocka_unit_test(test_WeakThrusterGivesWhatIsLeft),
        cmocka_unit_test(test_ReversedPropellerPushesTheOtherWay),
        cmocka_unit_test(test_NoThrustOutOfTheWater),
        cmocka_unit_test(test_BothSolversAgree),
        cmocka_unit_test(test_CameraLooksWhereItIsTurned),
        cmocka_unit_test(test_StateHoldsEverything),
        cmocka_unit_test(test_PreparingAgainChangesNothing),
        cmocka_unit_test(test_EnergyOfThrustIsWork),
        cmocka_unit_test(test_MistakesAreNamed),
        cmocka_unit_test(test_AddSurvivesLackOfMemory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
