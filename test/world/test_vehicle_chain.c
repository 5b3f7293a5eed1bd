// The chain from sticks to thrust entered at each of its blocks (Fabekovic et al. 2006, figure 2): whichever way in is taken,
// the same wanted force gives the same motion.
#include "hawser/hawser.h"
#include "hawser/vehicle_type.h"

#include "support.h"

typedef struct Rig {
    hwWorld* world;
    hwVehicleId vehicle;
} Rig;

typedef struct Blocks {
    hwAutopilotFn* autopilot;
    hwAllocationFn* allocation;
    void* context;
} Blocks;

static Rig MakeRig(bool armed, const Blocks* blocks) {
    Rig rig;
    hwError error;
    hwVehicleType* type = hwLoadVehicleType("bluerov2_heavy", NULL, &error);
    if (type == NULL) fail_msg("%s", error.message);
    hwWorldDef worldDef = hwDefaultWorldDef();
    rig.world = hwCreateWorld(&worldDef, &error);
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    assert_status(hwWorld_SetEnvironment(rig.world, &sea, &error), HW_OK);
    hwVehicleDef def = hwVehicleType_GetDef(type);
    def.body.name = "rov";
    def.body.position = hwMakeVec3(0.0, 0.0, -10.0);
    def.armed = armed;
    def.gain = 1.0;
    for (int i = 0; i < HW_AXIS_COUNT; ++i) def.axes[i] = (hwAxisDef){.sensitivity = 1.0};
    if (blocks != NULL) {
        def.autopilotFn = blocks->autopilot;
        def.allocationFn = blocks->allocation;
        def.chainContext = blocks->context;
    }
    rig.vehicle = hwWorld_AddVehicle(rig.world, &def, &error);
    if (HW_IS_NULL(rig.vehicle)) fail_msg("%s", error.message);
    assert_status(hwWorld_Prepare(rig.world, &error), HW_OK);
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

static void Run(Rig* rig, int frames) {
    hwError error;
    for (int i = 0; i < frames; ++i) {
        if (hwWorld_Step(rig->world, 1.0 / 60.0, &error) < HW_OK) fail_msg("%s", error.message);
    }
}

static void CheckSameMotion(const Rig* one, const Rig* other, double tolerance) {
    static const char* const channels[] = {"rov.position.x", "rov.position.y", "rov.position.z",
                                           "rov.velocity.x", "rov.velocity.y", "rov.velocity.z",
                                           "rov.rate.x",     "rov.rate.y",     "rov.rate.z"};
    for (size_t i = 0; i < sizeof(channels) / sizeof(channels[0]); ++i)
        assert_close(Read(one, channels[i]), Read(other, channels[i]), tolerance);
}

// Sticks, the force that they stand for, and the commands that the allocation made of it.
static void test_EveryEntryGivesTheSameMotion(void** state) {
    (void)state;
    Rig sticks = MakeRig(true, NULL), demand = MakeRig(true, NULL), commands = MakeRig(true, NULL);
    Set(&sticks, "rov.pilot.surge", 0.4);
    Set(&sticks, "rov.pilot.sway", 0.2);
    Set(&sticks, "rov.pilot.yaw", 0.1);
    const struct {
        const char* input;
        int axis;
        bool positive;
        double share;
    } wanted[] = {{"rov.demand.surge", 0, true, 0.4},
                  {"rov.demand.sway", 1, false, 0.2}, // to starboard: -y
                  {"rov.demand.yaw", 5, false, 0.1}}; // to starboard: clockwise from above
    for (int i = 0; i < 3; ++i) {
        double most =
            hwVehicle_GetAuthority(demand.world, demand.vehicle, wanted[i].axis, wanted[i].positive);
        Set(&demand, wanted[i].input, wanted[i].share * most);
    }
    for (int i = 0; i < 8; ++i) {
        char name[40];
        snprintf(name, sizeof(name), "rov.thruster[%d].command", i);
        double command = Read(&sticks, name);
        Set(&commands, name, command);
    }
    assert_close(Read(&demand, "rov.bypass"), HW_BYPASS_AUTOPILOT, 0.0);
    assert_close(Read(&commands, "rov.bypass"), HW_BYPASS_ALLOCATION, 0.0);
    assert_close(Read(&sticks, "rov.demand.sway"), Read(&demand, "rov.demand.sway"), 1e-12);
    Run(&sticks, 120);
    Run(&demand, 120);
    Run(&commands, 120);
    assert_true(hypot(Read(&sticks, "rov.position.x"), Read(&sticks, "rov.position.y")) > 0.2); // it moved
    // The same equations; what differs is the rounding of demands and of the thrusters' curve undone and done again.
    CheckSameMotion(&sticks, &demand, 1e-9);
    CheckSameMotion(&sticks, &commands, 1e-9);
    hwDestroyWorld(sticks.world);
    hwDestroyWorld(demand.world);
    hwDestroyWorld(commands.world);
}

static void test_DemandsHaveTheSignsOfInstruments(void** state) {
    (void)state;
    const struct {
        const char *input, *channel;
        double sign;
    } axes[] = {{"rov.demand.surge", "rov.velocity.x", 1.0}, {"rov.demand.sway", "rov.velocity.y", -1.0},
                {"rov.demand.heave", "rov.velocity.z", 1.0}, {"rov.demand.roll", "rov.roll", 1.0},
                {"rov.demand.pitch", "rov.pitch", 1.0},      {"rov.demand.yaw", "rov.rate.z", -1.0}};
    for (int i = 0; i < 6; ++i) {
        Rig rig = MakeRig(true, NULL);
        Set(&rig, axes[i].input, i < 3 ? 10.0 : 1.0);
        Run(&rig, 30);
        assert_true(axes[i].sign * Read(&rig, axes[i].channel) > 0.01);
        hwDestroyWorld(rig.world);
    }
}

static void PushForward(const hwVehicleSituation* situation, double demand[6], void* context) {
    assert_true(situation->armed);
    assert_true(situation->time >= 0.0);
    memset(demand, 0, 6 * sizeof(double));
    demand[0] = *(const double*)context;
}

// Four horizontal thrusters at 45 degrees push forward alike, the front ones in reverse (noses amidships, those of the vertical ones down); as
// they sit 85 mm low, the vertical ones at +-120 mm take up
// the pitching moment.
static void ShareForward(const hwVehicleSituation* situation, const double demand[6], double* forces,
                         void* context) {
    (void)situation;
    (void)context;
    for (int i = 0; i < 4; ++i) forces[i] = (i < 2 ? -1.0 : 1.0) * demand[0] / (4.0 * sqrt(0.5));
    for (int i = 4; i < 8; ++i) forces[i] = (i < 6 ? 1.0 : -1.0) * 0.085 * demand[0] / (4.0 * 0.120);
}

static void Spoil(const hwVehicleSituation* situation, double demand[6], void* context) {
    (void)situation;
    (void)context;
    for (int i = 0; i < 6; ++i) demand[i] = (double)NAN;
}

static void test_FunctionsReplaceBlocks(void** state) {
    (void)state;
    double force = 30.0;
    Blocks pilot = {.autopilot = PushForward, .context = &force};
    Blocks both = {.autopilot = PushForward, .allocation = ShareForward, .context = &force};
    Blocks bad = {.autopilot = Spoil};
    Rig input = MakeRig(true, NULL), first = MakeRig(true, &pilot), second = MakeRig(true, &both),
        spoilt = MakeRig(true, &bad);
    Set(&input, "rov.demand.surge", force);
    Rig* rigs[4] = {&input, &first, &second, &spoilt};
    for (int i = 0; i < 4; ++i) Run(rigs[i], 60);
    assert_true(Read(&input, "rov.velocity.x") > 0.1);
    CheckSameMotion(&input, &first, 0.0);
    CheckSameMotion(&input, &second, 1e-9); // the allocation finds the same shares, by another way
    assert_close(Read(&spoilt, "rov.velocity.x"), 0.0, 1e-9); // what is no number counts as nothing
    for (int i = 0; i < 4; ++i) hwDestroyWorld(rigs[i]->world);
}

static void test_AutopilotTakesOverWhereTheVehicleIs(void** state) {
    (void)state;
    Rig rig = MakeRig(true, NULL);
    Set(&rig, "rov.mode", HW_MODE_DEPTH_HOLD);
    Set(&rig, "rov.demand.heave", -20.0);
    assert_true(isnan(Read(&rig, "rov.target.depth"))); // nothing is held
    Run(&rig, 180);
    double depth = Read(&rig, "rov.depth");
    assert_true(depth > 10.5);
    Set(&rig, "rov.bypass", HW_BYPASS_NONE);
    assert_close(Read(&rig, "rov.target.depth"), depth, 1e-12);
    Run(&rig, 900);
    assert_close(Read(&rig, "rov.depth"), depth, 0.02); // as the modes hold depth
    hwError error;
    int bypass = hwWorld_FindInput(rig.world, "rov.bypass");
    assert_status(hwWorld_SetInput(rig.world, bypass, 3.0, &error), HW_ERROR_ARGUMENT);
    assert_string_equal(error.message, "rov.bypass: there is no bypass 3; 0 is none, 1 passes by the "
                                       "autopilot, 2 the allocation too");
    hwDestroyWorld(rig.world);
}

static void test_DisarmedThrustersIgnoreCommands(void** state) {
    (void)state;
    Rig rig = MakeRig(false, NULL);
    Set(&rig, "rov.thruster[0].command", 1.0);
    Run(&rig, 30);
    assert_close(Read(&rig, "rov.thruster[0].force"), 0.0, 0.0);
    Set(&rig, "rov.armed", 1.0);
    Run(&rig, 60);
    assert_close(Read(&rig, "rov.thruster[0].command"), 1.0, 0.0);
    assert_true(Read(&rig, "rov.thruster[0].force") > 40.0); // 50 N less some inflow
    Set(&rig, "rov.thruster[0].command", 5.0);
    assert_close(Read(&rig, "rov.thruster[0].command"), 1.0, 0.0);
    hwDestroyWorld(rig.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_EveryEntryGivesTheSameMotion),
        cmocka_unit_test(test_DemandsHaveTheSignsOfInstruments),
        cmocka_unit_test(test_FunctionsReplaceBlocks),
        cmocka_unit_test(test_AutopilotTakesOverWhereTheVehicleIs),
        cmocka_unit_test(test_DisarmedThrustersIgnoreCommands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
