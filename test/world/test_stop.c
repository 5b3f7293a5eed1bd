// A caller that wants to stop is heard in every sub-step and every iteration of statics.
#include "rig.h"

#include "hawser/reference.h"

typedef struct Patience {
    int asked, most; // it is over when it has been asked more often
} Patience;

static bool IsOver(void* context) {
    Patience* patience = context;
    return ++patience->asked > patience->most;
}

// A load on a wire from a point aside, far from where it will hang.
static hwWorld* MakeWorld(Patience* patience, bool statics) {
    hwWorldDef def = hwDefaultWorldDef();
    def.stop = patience != NULL ? IsOver : NULL;
    def.stopContext = patience;
    def.statics = statics;
    hwError error;
    hwWorld* world = hwCreateWorld(&def, &error);
    assert_non_null(world);
    hwBodyId load = AddLoad(world, "load", 500.0, hwMakeVec3(0.0, 0.0, -20.0));
    hwCableSectionDef wire = hwDefaultCableSectionDef();
    wire.length = 24.0;
    wire.elements = 20;
    wire.diameter = 0.03;
    wire.massPerLength = 3.6;
    wire.EA = 4e7;
    AddCable(world, "wire", &wire, Pin(earth, hwMakeVec3(3.0, 0.0, 0.0)),
             Pin(load, hwMakeVec3(0.0, 0.0, 0.4)), 0);
    return world;
}

static void steps_stop_at_a_good_state_and_go_on(void** state) {
    (void)state;
    for (int reference = 0; reference < 2; ++reference) {
        Patience patience = {0, 10};
        hwError error;
        hwWorld* world = MakeWorld(&patience, false);
        if (reference) assert_status(hwWorld_UseReference(world, HW_REFERENCE_AUTO, &error), HW_OK);
        patience.most = 1 << 30;
        Prepare(world);
        patience.asked = 0;
        patience.most = 10;
        assert_status(hwWorld_Step(world, 1000.0, &error), HW_ERROR_STOPPED);
        assert_non_null(strstr(error.message, "stopped at"));
        assert_int_equal(patience.asked, 11); // it is not asked again
        double time = hwWorld_GetTime(world);
        assert_true(time > 0.0 && time < 1000.0);
        assert_close(error.time, time, 0.0);
        // whole, and ready to go on
        assert_true(isfinite(Read(world, "load.position.z")));
        patience.most = 1 << 30;
        assert_status(hwWorld_Step(world, 0.1, &error), HW_OK);
        assert_close(hwWorld_GetTime(world), time + 0.1, 1e-12);
        hwDestroyWorld(world);
    }
}

// Wherever statics is when it is asked to stop, it does, and may begin again.
static void statics_stops_wherever_it_is(void** state) {
    (void)state;
    hwError error;
    Patience counted = {0, 1 << 30};
    hwWorld* world = MakeWorld(&counted, true);
    Prepare(world);
    double z = Read(world, "load.position.z");
    hwDestroyWorld(world);
    assert_true(counted.asked > 20);
    for (int most = 0; most < counted.asked; most += 1 + counted.asked / 40) {
        Patience patience = {0, most};
        world = MakeWorld(&patience, true);
        assert_status(hwWorld_Prepare(world, &error), HW_ERROR_STOPPED);
        assert_non_null(strstr(error.message, "static equilibrium"));
        // asked on the way out of nested searches, but not once for each of their iterations
        assert_true(patience.asked < most + 200);
        patience.most = 1 << 30;
        Prepare(world);
        assert_close(Read(world, "load.position.z"), z, 1e-9);
        hwDestroyWorld(world);
    }
}

// Being asked changes nothing.
static void patience_changes_no_bit(void** state) {
    (void)state;
    uint64_t hashes[2];
    for (int i = 0; i < 2; ++i) {
        Patience patience = {0, 1 << 30};
        hwError error;
        hwWorld* world = MakeWorld(i == 0 ? NULL : &patience, true);
        Prepare(world);
        assert_status(hwWorld_Step(world, 2.0, &error), HW_OK);
        hashes[i] = hwWorld_HashState(world);
        hwDestroyWorld(world);
    }
    assert_true(hashes[0] == hashes[1]);
}

// A buoy on three chains in a current. Newton's method gets nowhere from the shapes given, which slack elements on the bottom make
// hard to leave; chains made softer lead to the rest. The first attempt is to end soon: it took 80 iterations of 62 products
// each, now a sixth of that.
static void statics_leaves_a_hopeless_attempt(void** state) {
    (void)state;
    Patience counted = {0, 1 << 30};
    hwWorldDef def = hwDefaultWorldDef();
    def.statics = true;
    def.stop = IsOver;
    def.stopContext = &counted;
    hwError error;
    hwWorld* world = hwCreateWorld(&def, &error);
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    hwSignalTerm stream = hwConstantTerm(hwMakeVec3(0.5, 0.0, 0.0));
    sea.current.uniform = (hwSignal){1, &stream};
    sea.seabed.kind = HW_SEABED_PLANE;
    sea.seabed.depth = 100.0;
    assert_status(hwWorld_SetEnvironment(world, &sea, &error), HW_OK);
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = HW_SHAPE_CYLINDER;
    shape.radius = 2.5;
    shape.length = 4.0;
    hwBodyDef buoy = hwDefaultBodyDef();
    buoy.name = "buoy";
    buoy.mass = 40000.0;
    buoy.inertia[0] = buoy.inertia[1] = 120000.0;
    buoy.inertia[2] = 90000.0;
    buoy.com = hwMakeVec3(0.0, 0.0, -0.8);
    buoy.position = hwMakeVec3(0.0, 0.0, -0.3);
    buoy.shapeCount = 1;
    buoy.shapes = &shape;
    for (int k = 0; k < 3; ++k) buoy.hydro.quadraticDrag[k] = 12000.0;
    hwBodyId body = hwWorld_AddBody(world, &buoy, &error);
    for (int i = 0; i < 3; ++i) {
        static const char* const names[3] = {"one", "two", "three"};
        double angle = 2.0 * HW_PI / 3.0 * i;
        hwVec3 out = hwMakeVec3(hwCos(angle), hwSin(angle), 0.0);
        hwCableSectionDef section = hwDefaultCableSectionDef();
        section.length = 400.0;
        section.elements = 40;
        section.diameter = 0.07186;
        section.massPerLength = 31.84;
        section.EA = 1.317e8;
        section.dragNormal = 1.336;
        section.dragTangential = 0.2038;
        section.compression = 0.0;
        hwCableDef chain = hwDefaultCableDef();
        chain.name = names[i];
        chain.sectionCount = 1;
        chain.sections = &section;
        chain.shape = HW_CABLE_CATENARY_SHAPE;
        chain.ends[0] = Pin(earth, hwSub(hwScale(370.0, out), hwMakeVec3(0.0, 0.0, 100.0)));
        chain.ends[1] = Pin(body, hwSub(hwScale(2.5, out), hwMakeVec3(0.0, 0.0, 2.0)));
        assert_false(HW_IS_NULL(hwWorld_AddCable(world, &chain, &error)));
    }
    Prepare(world);
    if (!(counted.asked < 2500)) fail_msg("%d iterations and products", counted.asked);
    hwDestroyWorld(world);
}

typedef struct Told {
    bool said;
} Told;

static void Note(hwLogLevel level, const char* text, void* context) {
    Told* told = context;
    if (level == HW_LOG_WARNING &&
        strstr(text, "statics of line by itself takes more than ten times as long") != NULL)
        told->said = true;
}

static bool HasSaid(void* context) {
    const Told* told = context;
    return told->said;
}

// A line of which a quarter is slack, given straight: its nodes lie loose on the bottom, and the search is long.
static void a_long_search_says_why(void** state) {
    (void)state;
    Told told = {false};
    hwWorldDef def = hwDefaultWorldDef();
    def.statics = true;
    def.log = Note;
    def.logContext = def.stopContext = &told;
    def.stop = HasSaid;
    hwError error;
    hwWorld* world = hwCreateWorld(&def, &error);
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    hwSignalTerm stream = hwConstantTerm(hwMakeVec3(0.5, 0.0, 0.0));
    sea.current.uniform = (hwSignal){1, &stream};
    sea.seabed.kind = HW_SEABED_PLANE;
    sea.seabed.depth = 100.0;
    assert_status(hwWorld_SetEnvironment(world, &sea, &error), HW_OK);
    hwCableSectionDef line = hwDefaultCableSectionDef();
    line.length = 2500.0;
    line.elements = 600;
    line.diameter = 0.05;
    line.massPerLength = 10.0;
    line.EA = 1e8;
    line.dragNormal = 1.2;
    line.dragTangential = 0.05;
    AddCable(world, "line", &line, Pin(earth, hwMakeVec3(0.0, 0.0, -1.0)),
             Pin(earth, hwMakeVec3(2000.0, 0.0, -1.0)), 0);
    assert_status(hwWorld_Prepare(world, &error), HW_ERROR_STOPPED);
    assert_true(told.said);
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_stop_at_a_good_state_and_go_on),
        cmocka_unit_test(statics_stops_wherever_it_is),
        cmocka_unit_test(patience_changes_no_bit),
        cmocka_unit_test(statics_leaves_a_hopeless_attempt),
        cmocka_unit_test(a_long_search_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
