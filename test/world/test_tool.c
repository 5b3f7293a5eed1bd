// Manipulation: the tip goes where it is sent, jaws hold by friction, a valve is turned and a stab plugged in.
#include "hawser/hawser.h"
#include "hawser/vehicle_type.h"

#include "support.h"

#include <stdio.h>

typedef struct Rig {
    hwWorld* world;
    hwVehicleType* type;
} Rig;

#define DEPTH 1e3
#define TIP 1.922 // m ahead of the base, stretched

// An arm on a hull that is too heavy to be moved by it, at the origin, 1 km down.
static Rig MakeRig(const char* more) {
    char text[1000];
    snprintf(text, sizeof(text),
             "hawser_vehicle: 1\nmass: 1e9\ninertia: [1e9, 1e9, 1e9]\nhydro: {volume: 975609.7561}\n"
             "arms: [{include: titan4_arm, name: arm, links: [%s]}]\n",
             more);
    Rig rig;
    hwError error;
    rig.type = hwParseVehicleType(text, strlen(text), "test", &error);
    if (rig.type == NULL) fail_msg("%d:%d: %s", error.line, error.column, error.message);
    hwWorldDef worldDef = hwDefaultWorldDef();
    rig.world = hwCreateWorld(&worldDef, &error);
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    sea.waterDensity = 1025.0;
    assert_status(hwWorld_SetEnvironment(rig.world, &sea, &error), HW_OK);
    hwVehicleDef def = hwVehicleType_GetDef(rig.type);
    def.body.name = "rov";
    def.body.position.z = -DEPTH;
    if (HW_IS_NULL(hwVehicleType_Add(rig.type, &def, rig.world, &error))) fail_msg("%s", error.message);
    return rig;
}

static void Prepare(Rig* rig) {
    hwError error;
    if (hwWorld_Prepare(rig->world, &error) != HW_OK) fail_msg("%s", error.message);
}

static void FreeRig(Rig* rig) {
    hwDestroyWorld(rig->world);
    hwDestroyVehicleType(rig->type);
}

static double Read(const Rig* rig, const char* channel) {
    int index = hwWorld_FindChannel(rig->world, channel);
    if (index < 0) fail_msg("no channel %s", channel);
    return hwWorld_ReadChannel(rig->world, index);
}

static void Set(Rig* rig, const char* input, double value) {
    hwError error;
    int index = hwWorld_FindInput(rig->world, input);
    if (index < 0) fail_msg("no input %s", input);
    if (hwWorld_SetInput(rig->world, index, value, &error) != HW_OK) fail_msg("%s", error.message);
}

static void Run(Rig* rig, double duration) {
    hwError error;
    for (int i = 0; i < (int)(60.0 * duration + 0.5); ++i) {
        if (hwWorld_Step(rig->world, 1.0 / 60.0, &error) < HW_OK) fail_msg("%s", error.message);
    }
}

static hwVec3 ReadTip(const Rig* rig) {
    return hwMakeVec3(Read(rig, "rov.arm.tool.position.x"), Read(rig, "rov.arm.tool.position.y"),
                      Read(rig, "rov.arm.tool.position.z"));
}

// Commands of 0.25 m/s for two seconds along each axis: half a metre, less what the drives are behind; afterwards it stays.
static void test_TipGoesWhereItIsSent(void** state) {
    (void)state;
    static const char* const inputs[3] = {"rov.arm.tool.x", "rov.arm.tool.y", "rov.arm.tool.z"};
    for (int k = 0; k < 3; ++k) {
        Rig rig = MakeRig("");
        Prepare(&rig);
        Run(&rig, 1.0);
        hwVec3 before = ReadTip(&rig);
        double pitch =
            Read(&rig, "rov.arm.shoulder.q") + Read(&rig, "rov.arm.elbow.q") + Read(&rig, "rov.arm.pitch.q");
        double sign = k == 0 ? -1.0 : 1.0; // inwards; up and to port
        Set(&rig, inputs[k], 0.5 * sign);
        Run(&rig, 2.0);
        Set(&rig, inputs[k], 0.0);
        Run(&rig, 2.0);
        hwVec3 way = hwSub(ReadTip(&rig), before);
        const double ways[3] = {way.x, way.y, way.z};
        for (int i = 0; i < 3; ++i) assert_close(ways[i], i == k ? 0.25 * sign : 0.0, 0.01);
        // the hand keeps its attitude: six joints
        if (k != 1) {
            double after = Read(&rig, "rov.arm.shoulder.q") + Read(&rig, "rov.arm.elbow.q") +
                           Read(&rig, "rov.arm.pitch.q");
            assert_close(after, pitch, 0.01);
        }
        FreeRig(&rig);
    }
}

// Beyond its reach it stops stretched, no joint beyond its stop.
static void test_ReachEnds(void** state) {
    (void)state;
    Rig rig = MakeRig("");
    Prepare(&rig);
    Set(&rig, "rov.arm.tool.x", 1.0);
    Run(&rig, 15.0);
    hwVec3 tip = ReadTip(&rig);
    assert_true(tip.x > 1.7 && hwLength(hwMakeVec3(tip.x, tip.y, tip.z + DEPTH)) <= TIP + 0.01);
    assert_true(Read(&rig, "rov.arm.elbow.q") <= 70.0 * HW_DEGREE + 0.02);
    FreeRig(&rig);
}

static void test_PosesAreSolved(void** state) {
    (void)state;
    Rig rig = MakeRig("");
    Prepare(&rig);
    hwMechanismId arm = hwWorld_FindMechanism(rig.world, "rov.arm");
    hwVec3 place = {1.5, 0.25, 0.1};
    hwQuat attitude = hwQuatFromRpy(0.5, 0.2, 0.4);
    double q[8], off;
    hwError error;
    assert_status(hwMechanism_SolveTool(rig.world, arm, place, &attitude, 8, q, &off, &error), HW_OK);
    if (!(off < 1e-5)) fail_msg("off by %g: %g %g %g %g %g %g", off, q[0], q[1], q[2], q[3], q[4], q[5]);
    static const char* const names[8] = {"azimuth", "shoulder", "elbow", "pitch",
                                         "yaw",     "rotate",   "left",  "right"};
    for (int i = 0; i < 6; ++i) {
        char name[64];
        snprintf(name, sizeof(name), "rov.arm.%s.target", names[i]);
        Set(&rig, name, q[i]);
    }
    Run(&rig, 12.0);
    hwVec3 tip = ReadTip(&rig);
    // where forward dynamics puts it: the drives' integrals have taken up what is left
    assert_close(hwDistance(tip, hwMakeVec3(place.x, place.y, place.z - DEPTH)), 0.0, 2e-3);
    hwBodyState hand;
    assert_status(hwBody_GetState(rig.world, hwWorld_FindBody(rig.world, "rov.arm.rotate"), &hand, &error),
                  HW_OK);
    hwVec3 rest = hwRotationVectorFromQuat(hwMulQuat(attitude, hwConjugate(hand.attitude)));
    assert_close(hwLength(rest), 0.0, 5e-3);
    // what cannot be reached is told
    assert_status(hwMechanism_SolveTool(rig.world, arm, hwMakeVec3(5.0, 0.0, 0.0), NULL, 8, q, &off, &error),
                  HW_OK);
    assert_true(off > 3.0);
    FreeRig(&rig);
}

#define STRETCHED "{name: shoulder, q_deg: 0}, {name: elbow, q_deg: 0}, {name: pitch, q_deg: 0}"

static hwShapeDef MakeBox(double x, double y, double z) {
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = HW_SHAPE_BOX;
    shape.size = hwMakeVec3(x, y, z);
    return shape;
}

// Two fingers press with 4092 N each on a bar, with the friction 0.3 of the default material: 2455 N of pull slip.
static double PullBar(double force) {
    Rig rig = MakeRig(STRETCHED);
    hwError error;
    hwShapeDef box = MakeBox(0.2, 0.04, 0.04);
    hwBodyDef bar = hwDefaultBodyDef();
    bar.name = "bar";
    bar.mass = 0.328;
    for (int k = 0; k < 3; ++k) bar.inertia[k] = 0.001;
    bar.hydro.volume = 0.00032;
    bar.shapeCount = 1;
    bar.shapes = &box;
    bar.position = hwMakeVec3(TIP, 0.0, -DEPTH);
    hwBodyId id = hwWorld_AddBody(rig.world, &bar, &error);
    if (HW_IS_NULL(id)) fail_msg("%s", error.message);
    Prepare(&rig);
    Set(&rig, "rov.arm.tool.jaw", 0.0);
    Run(&rig, 3.0);
    double before = Read(&rig, "bar.position.x");
    assert_close(Read(&rig, "rov.arm.left.q"), 0.02, 1e-3);
    // pulled along the arm, which is stiff that way, little by little: a jolt would ask for up to twice the force
    for (int i = 0; i < 60; ++i) {
        assert_status(hwBody_ApplyWrench(rig.world, id, hwMakeVec3(force / 60.0, 0.0, 0.0), hwVec3_zero,
                                         hwVec3_zero, HW_FRAME_BODY, &error),
                      HW_OK);
        Run(&rig, 1.0 / 60.0);
    }
    Run(&rig, 0.5);
    double way = Read(&rig, "bar.position.x") - before;
    FreeRig(&rig);
    return way;
}

static void test_JawHoldsByFriction(void** state) {
    (void)state;
    double held = PullBar(0.9 * 2.0 * 0.3 * 4092.0), lost = PullBar(1.1 * 2.0 * 0.3 * 4092.0);
    if (!(held < 5e-3)) fail_msg("slips by %g m", held);
    if (!(lost > 0.2)) fail_msg("holds too much: %g m", lost);
}

// A T-handle on a spindle with dry friction, gripped and turned by the wrist through a quarter turn.
static double TurnValve(double friction) {
    Rig rig = MakeRig(STRETCHED);
    hwError error;
    hwShapeDef paddle = MakeBox(0.10, 0.03, 0.08);
    hwLinkDef handle = hwDefaultLinkDef();
    handle.body.name = "handle";
    handle.body.mass = 3.0;
    for (int k = 0; k < 3; ++k) handle.body.inertia[k] = 0.02;
    handle.body.hydro.volume = 3.0 / 1025.0;
    handle.body.shapeCount = 1;
    handle.body.shapes = &paddle;
    handle.frame.axis = hwMakeVec3(1.0, 0.0, 0.0);
    handle.friction.coulomb = friction;
    handle.limits = (hwLimitDef){.low = -0.1,
                                 .high = 0.5 * HW_PI,
                                 .swing = {(double)INFINITY, (double)INFINITY, (double)INFINITY},
                                 .stiffness = 1e5,
                                 .damping = 1e3};
    hwMechanismDef valve = hwDefaultMechanismDef();
    valve.name = "valve";
    valve.position = hwMakeVec3(TIP - 0.01, 0.0, -DEPTH);
    valve.links = &handle;
    valve.linkCount = 1;
    if (HW_IS_NULL(hwWorld_AddMechanism(rig.world, &valve, &error))) fail_msg("%s", error.message);
    Prepare(&rig);
    Set(&rig, "rov.arm.tool.jaw", 0.0);
    Run(&rig, 3.0);
    Set(&rig, "rov.arm.rotate.target", 0.5 * HW_PI);
    Run(&rig, 6.0);
    double turned = Read(&rig, "valve.handle.q");
    FreeRig(&rig);
    return turned;
}

// API 17D, class 1: 68 N m at most; the wrist turns with 170 N m.
static void test_ValveIsTurned(void** state) {
    (void)state;
    assert_close(TurnValve(68.0), 0.5 * HW_PI, 0.06); // within the jaw's play
    assert_true(TurnValve(250.0) < 0.3);              // stuck faster than the wrist is strong
}

// A stab of 40 mm in the jaw goes into a square hole of 46 mm, 0.1 m deep, and stays when the jaw lets go.
static void test_StabIsPluggedIn(void** state) {
    (void)state;
    Rig rig = MakeRig("{name: shoulder, q_deg: 50}, {name: elbow, q_deg: -100}, {name: pitch, q_deg: 50}");
    hwError error;
    hwShapeDef shaft = MakeBox(0.34, 0.04, 0.04);
    hwBodyDef stab = hwDefaultBodyDef();
    double tip = 0.13 + 0.85 * cos(50.0 * HW_DEGREE) + 0.42 * cos(50.0 * HW_DEGREE) + 0.522;
    double height = 0.85 * sin(50.0 * HW_DEGREE) - 0.42 * sin(50.0 * HW_DEGREE);
    stab.name = "stab";
    stab.mass = 1.025; // floats
    stab.inertia[0] = 0.001;
    stab.inertia[1] = stab.inertia[2] = 0.01;
    stab.hydro.volume = 0.001;
    stab.shapeCount = 1;
    stab.shapes = &shaft;
    stab.position = hwMakeVec3(tip + 0.11, 0.0, height - DEPTH);
    if (HW_IS_NULL(hwWorld_AddBody(rig.world, &stab, &error))) fail_msg("%s", error.message);
    // the hole begins 0.15 m ahead of the stab's end
    hwShapeDef walls[4];
    for (int k = 0; k < 4; ++k) {
        double side = k % 2 == 0 ? 1.0 : -1.0;
        walls[k] = k < 2 ? MakeBox(0.1, 0.05, 0.146) : MakeBox(0.1, 0.146, 0.05);
        walls[k].pose.p = k < 2 ? hwMakeVec3(0.05, 0.048 * side, 0.0) : hwMakeVec3(0.05, 0.0, 0.048 * side);
    }
    hwBodyDef panel = hwDefaultBodyDef();
    panel.name = "receptacle";
    panel.motion = HW_MOTION_FIXED;
    panel.shapeCount = 4;
    panel.shapes = walls;
    panel.position = hwMakeVec3(tip + 0.11 + 0.17 + 0.15, 0.0, height - DEPTH);
    if (HW_IS_NULL(hwWorld_AddBody(rig.world, &panel, &error))) fail_msg("%s", error.message);
    Prepare(&rig);
    Set(&rig, "rov.arm.tool.jaw", 0.0);
    Run(&rig, 3.0);
    // 0.25 m/s * 0.2 = 0.05 m/s for 4.6 s: 80 mm into the hole
    Set(&rig, "rov.arm.tool.x", 0.2);
    Run(&rig, 4.6);
    Set(&rig, "rov.arm.tool.x", 0.0);
    Run(&rig, 1.0);
    double inside = Read(&rig, "stab.position.x") + 0.17 - (tip + 0.11 + 0.17 + 0.15);
    if (!(inside > 0.05 && inside < 0.1)) fail_msg("%g m inside", inside);
    Set(&rig, "rov.arm.tool.jaw", 1.0);
    Run(&rig, 1.0);
    Set(&rig, "rov.arm.tool.x", -0.4);
    Run(&rig, 4.0);
    // it hangs in the hole, where the arm has left it
    inside = Read(&rig, "stab.position.x") + 0.17 - (tip + 0.11 + 0.17 + 0.15);
    if (!(inside > 0.04)) fail_msg("%g m inside after the jaw let go", inside);
    assert_close(Read(&rig, "stab.position.y"), 0.0, 0.01);
    FreeRig(&rig);
}

// Saving and going on gives the same bits, in the middle of a commanded motion.
static void test_StateHoldsTheCommand(void** state) {
    (void)state;
    Rig rig = MakeRig("");
    Prepare(&rig);
    Set(&rig, "rov.arm.tool.x", -0.7);
    Set(&rig, "rov.arm.tool.yaw", 0.3);
    Run(&rig, 0.55);
    hwError error;
    size_t size = hwWorld_GetStateSize(rig.world);
    void* saved = malloc(size);
    assert_status(hwWorld_SaveState(rig.world, saved, size, &error), HW_OK);
    hwWorld* branch = hwWorld_Branch(rig.world, &error);
    assert_non_null(branch);
    Run(&rig, 1.0);
    uint64_t hash = hwWorld_HashState(rig.world);
    assert_status(hwWorld_RestoreState(rig.world, saved, size, &error), HW_OK);
    Run(&rig, 1.0);
    assert_true(hash == hwWorld_HashState(rig.world));
    Rig other = {branch, NULL};
    Run(&other, 1.0);
    assert_true(hash == hwWorld_HashState(branch));
    free(saved);
    hwDestroyWorld(branch);
    FreeRig(&rig);
}

static void test_WrongToolsAreRefused(void** state) {
    (void)state;
    const struct {
        const char *text, *words;
    } wrong[] = {{"{link: nothing}", "nothing"},
                 {"{link: a, jaws: [b, c]}", "c"},
                 {"{link: a, jaws: [a, a, a, a, a]}", "at most 4"},
                 {"{link: a, speed: 0}", "speed"}};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); ++i) {
        char text[800];
        snprintf(text, sizeof(text),
                 "hawser_vehicle: 1\nmass: 1\ninertia: [1, 1, 1]\nhydro: {volume: 0.001}\narms:\n"
                 "  - name: arm\n    links:\n"
                 "      - {name: a, parent: base, joint: revolute, mass: 1, inertia: [1, 1, 1]}\n"
                 "      - {name: b, parent: a, joint: revolute, mass: 1, inertia: [1, 1, 1]}\n"
                 "    tool: %s\n",
                 wrong[i].text);
        hwError error;
        assert_null(hwParseVehicleType(text, strlen(text), "test", &error));
        if (strstr(error.message, wrong[i].words) == NULL || error.line != 10)
            fail_msg("line %d: %s", error.line, error.message);
    }
    hwWorldDef worldDef = hwDefaultWorldDef();
    hwError error;
    hwWorld* world = hwCreateWorld(&worldDef, &error);
    hwMechanismDef def = hwDefaultMechanismDef();
    hwLinkDef link = hwDefaultLinkDef();
    link.body.name = "a";
    link.body.mass = 1.0;
    for (int k = 0; k < 3; ++k) link.body.inertia[k] = 1.0;
    def.name = "arm";
    def.links = &link;
    def.linkCount = 1;
    def.tool = (hwToolDef){.present = true, .link = 1, .speed = 1.0, .turnRate = 1.0};
    assert_true(HW_IS_NULL(hwWorld_AddMechanism(world, &def, &error)));
    assert_string_equal(error.field, "tool.link");
    def.tool.link = 0;
    def.tool.jawCount = 1; // a joint without stops
    assert_true(HW_IS_NULL(hwWorld_AddMechanism(world, &def, &error)));
    assert_string_equal(error.field, "tool.jaws");
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_TipGoesWhereItIsSent), cmocka_unit_test(test_ReachEnds),
        cmocka_unit_test(test_PosesAreSolved),       cmocka_unit_test(test_JawHoldsByFriction),
        cmocka_unit_test(test_ValveIsTurned),        cmocka_unit_test(test_StabIsPluggedIn),
        cmocka_unit_test(test_StateHoldsTheCommand), cmocka_unit_test(test_WrongToolsAreRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
