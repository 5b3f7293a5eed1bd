// Defs and handles that a program gets wrong: refused with a sentence, and the world is as it was.
#include "world/rig.h"

#include <limits.h>
#include <math.h>

static hwBodyDef Ball(const char* name) {
    hwBodyDef def = hwDefaultBodyDef();
    def.name = name;
    def.mass = 20.0;
    for (int i = 0; i < 3; ++i) def.inertia[i] = 3.0;
    return def;
}

static hwCableDef Line(const char* name, const hwCableSectionDef* section, hwBodyId body) {
    hwCableDef def = hwDefaultCableDef();
    def.name = name;
    def.sectionCount = 1;
    def.sections = section;
    def.ends[0] = Pin(earth, hwVec3_zero);
    def.ends[1] = Pin(body, hwVec3_zero);
    return def;
}

static hwCableSectionDef Section(void) {
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 10.0;
    section.elements = 8;
    section.diameter = 0.02;
    section.massPerLength = 1.0;
    section.EA = 1e6;
    return section;
}

typedef struct Rig {
    hwWorld* world;
    hwBodyId ball;
    hwCableId wire;
} Rig;

// A ball that hangs 10 m below the origin.
static Rig Hang(void) {
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    Rig rig = {.world = hwCreateWorld(&def, &error)};
    hwBodyDef ball = Ball("ball");
    ball.position.z = -10.0;
    rig.ball = hwWorld_AddBody(rig.world, &ball, &error);
    hwCableSectionDef section = Section();
    hwCableDef wire = Line("wire", &section, rig.ball);
    rig.wire = hwWorld_AddCable(rig.world, &wire, &error);
    assert_false(HW_IS_NULL(rig.wire));
    return rig;
}

static void ExpectRefused(hwError* error, const char* field, const char* words) {
    assert_int_equal(error->status, HW_ERROR_ARGUMENT);
    assert_string_equal(error->field, field);
    if (strstr(error->message, words) == NULL) fail_msg("\"%s\" lacks \"%s\"", error->message, words);
}

static void test_NullNamesFindNothing(void** state) {
    (void)state;
    Rig rig = Hang();
    Prepare(rig.world);
    assert_true(HW_IS_NULL(hwWorld_FindBody(rig.world, NULL)));
    assert_true(HW_IS_NULL(hwWorld_FindMechanism(rig.world, NULL)));
    assert_true(HW_IS_NULL(hwWorld_FindCable(rig.world, NULL)));
    assert_true(HW_IS_NULL(hwWorld_FindWinch(rig.world, NULL)));
    assert_true(HW_IS_NULL(hwWorld_FindSheave(rig.world, NULL)));
    assert_true(HW_IS_NULL(hwWorld_FindVehicle(rig.world, NULL)));
    assert_true(HW_IS_NULL(hwWorld_FindMaterial(rig.world, NULL)));
    assert_true(HW_IS_NULL(hwWorld_FindInstrument(rig.world, NULL)));
    assert_int_equal(hwWorld_FindChannel(rig.world, NULL), -1);
    assert_int_equal(hwWorld_FindInput(rig.world, NULL), -1);
    hwDestroyWorld(rig.world);
}

// A count without its array, or a negative one.
static void test_ArraysThatAreNotThere(void** state) {
    (void)state;
    hwError error;
    hwWorldDef worldDef = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&worldDef, &error);
    hwCableSectionDef section = Section();
    hwCableDef cable = Line("wire", NULL, earth);
    assert_true(HW_IS_NULL(hwWorld_AddCable(world, &cable, &error)));
    ExpectRefused(&error, "sections", "wire: `sections` is null, but its count is 1");
    cable.sections = &section;
    cable.sectionCount = -1;
    assert_true(HW_IS_NULL(hwWorld_AddCable(world, &cable, &error)));
    ExpectRefused(&error, "sections", "wire: `sections` cannot have -1 entries");
    cable.sectionCount = 1;
    cable.massCount = 2;
    assert_true(HW_IS_NULL(hwWorld_AddCable(world, &cable, &error)));
    ExpectRefused(&error, "masses", "null");
    cable.massCount = 0;
    cable.shape = HW_CABLE_POINTS;
    cable.pointCount = 3;
    assert_true(HW_IS_NULL(hwWorld_AddCable(world, &cable, &error)));
    ExpectRefused(&error, "points", "null");

    hwBodyDef body = Ball("ball");
    body.shapeCount = 1;
    assert_true(HW_IS_NULL(hwWorld_AddBody(world, &body, &error)));
    ExpectRefused(&error, "shapes", "null");
    hwShapeDef mesh = hwDefaultShapeDef();
    mesh.kind = HW_SHAPE_MESH;
    mesh.mesh.vertexCount = 4;
    body.shapes = &mesh;
    assert_true(HW_IS_NULL(hwWorld_AddBody(world, &body, &error)));
    ExpectRefused(&error, "shapes[].mesh.vertices", "null");
    assert_string_equal(error.object, "ball");
    body.shapeCount = 0;
    body.hydro.stripCount = 2;
    assert_true(HW_IS_NULL(hwWorld_AddBody(world, &body, &error)));
    ExpectRefused(&error, "hydro.strips", "null");
    body.hydro.stripCount = 0;
    body.hydro.liftCount = 2;
    assert_true(HW_IS_NULL(hwWorld_AddBody(world, &body, &error)));
    ExpectRefused(&error, "hydro.lifts", "null");

    hwVehicleDef vehicle = hwDefaultVehicleDef();
    vehicle.body = Ball("rov");
    vehicle.thrusterCount = 1;
    assert_true(HW_IS_NULL(hwWorld_AddVehicle(world, &vehicle, &error)));
    ExpectRefused(&error, "thrusters", "null");
    vehicle.thrusterCount = 0;
    vehicle.pointCount = 1;
    assert_true(HW_IS_NULL(hwWorld_AddVehicle(world, &vehicle, &error)));
    ExpectRefused(&error, "points", "null");

    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    sea.current.timeCount = INT_MAX;
    assert_int_equal(hwWorld_SetEnvironment(world, &sea, &error), HW_ERROR_ARGUMENT);
    ExpectRefused(&error, "times", "the profile has 2147483647 times but no rows");

    cable = Line("tether", &section, earth);
    hwCableId id = hwWorld_AddCable(world, &cable, &error);
    hwEntanglementDef watch = hwDefaultEntanglementDef();
    watch.cable = id;
    watch.axisCount = 1;
    assert_int_equal(hwWorld_WatchEntanglement(world, &watch, &error), HW_ERROR_ARGUMENT);
    ExpectRefused(&error, "axes", "null");
    assert_null(hwCreateTetherSpace(1, NULL, NULL, &error));
    ExpectRefused(&error, "solids", "null");
    hwHydroDef hydro;
    assert_int_equal(hwHydroDef_EstimateFromShapes(0, NULL, 1025.0, &hydro, &error), HW_ERROR_ARGUMENT);
    assert_int_equal(hwHydroDef_EstimateFromShapes(2, NULL, 1025.0, &hydro, &error), HW_ERROR_ARGUMENT);
    ExpectRefused(&error, "shapes", "null");
    assert_int_equal(hwSignal_Check(NULL, &error), HW_ERROR_ARGUMENT);
    assert_int_equal(hwWorld_SetSolver(world, NULL, &error), HW_ERROR_ARGUMENT);
    assert_int_equal(hwMakeStiffener(NULL, &section, true, &section, &error), HW_ERROR_ARGUMENT);
    hwDestroyWorld(world);
}

// A shape that does not come from hwDefaultShapeDef may hold anything: nothing of it is read but its cookie.
static void test_ShapesWithoutACookie(void** state) {
    (void)state;
    hwError error;
    hwWorldDef worldDef = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&worldDef, &error);
    hwShapeDef shape;
    memset(&shape, 0x55, sizeof(shape));
    hwBodyDef body = Ball("ball");
    body.shapeCount = 1;
    body.shapes = &shape;
    assert_true(HW_IS_NULL(hwWorld_AddBody(world, &body, &error)));
    assert_non_null(strstr(error.message, "hwDefaultShapeDef"));
    hwDestroyWorld(world);
}

static void test_NodesHaveABound(void** state) {
    (void)state;
    hwError error;
    hwWorldDef worldDef = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&worldDef, &error);
    static hwCableSectionDef sections[3000];
    for (int i = 0; i < 3000; ++i) {
        sections[i] = Section();
        sections[i].elements = 1000000;
    }
    hwCableDef cable = Line("wire", sections, earth);
    cable.sectionCount = 3000; // more than an int holds
    assert_true(HW_IS_NULL(hwWorld_AddCable(world, &cable, &error)));
    ExpectRefused(&error, "sections[].elements", "3000000000 elements");
    sections[0].elements = 8;
    cable.sectionCount = 1;
    cable.contactNodes = INT_MAX;
    assert_true(HW_IS_NULL(hwWorld_AddCable(world, &cable, &error)));
    ExpectRefused(&error, "contactNodes", "2147483647");
    cable.contactNodes = -1;
    cable.ends[1].joint = (hwAttachKind)7;
    assert_true(HW_IS_NULL(hwWorld_AddCable(world, &cable, &error)));
    ExpectRefused(&error, "ends[1].joint", "joint 7");
    hwDestroyWorld(world);
}

// What holds something else is not removed: an end of a cable would be left without a body.
static void test_BodiesInUseStay(void** state) {
    (void)state;
    hwError error;
    Rig rig = Hang();
    assert_int_equal(hwWorld_RemoveBody(rig.world, rig.ball, &error), HW_ERROR_ORDER); // as described
    assert_non_null(strstr(error.message, "ball: end b of cable `wire` is attached to it"));
    Prepare(rig.world);
    Run(rig.world, 0.1);
    assert_int_equal(hwWorld_RemoveBody(rig.world, rig.ball, &error), HW_ERROR_ORDER);
    assert_true(hwBody_IsValid(rig.world, rig.ball));
    hwWinchDef winch = hwDefaultWinchDef();
    winch.name = "winch";
    winch.cable = rig.wire;
    winch.follow = rig.ball;
    hwWinchId id = hwWorld_AddWinch(rig.world, &winch, &error);
    assert_false(HW_IS_NULL(id));
    Prepare(rig.world);
    assert_status(hwCable_Detach(rig.world, rig.wire, 1, &error), HW_OK);
    assert_int_equal(hwWorld_RemoveBody(rig.world, rig.ball, &error), HW_ERROR_ORDER);
    assert_non_null(strstr(error.message, "winch `winch` follows it"));
    assert_status(hwWorld_RemoveWinch(rig.world, id, &error), HW_OK);
    hwCablePointState before, after;
    Prepare(rig.world);
    Run(rig.world, 0.2);
    assert_status(hwCable_GetPoint(rig.world, rig.wire, 10.0, &before, &error), HW_OK);
    // let go while running, although it was described as held: the end stays where it has come to
    assert_status(hwWorld_RemoveBody(rig.world, rig.ball, &error), HW_OK);
    Prepare(rig.world);
    assert_status(hwCable_GetPoint(rig.world, rig.wire, 10.0, &after, &error), HW_OK);
    assert_memory_equal(&before.position, &after.position, sizeof(hwVec3));
    Run(rig.world, 0.2);
    hwDestroyWorld(rig.world);
}

// A winch goes; what it has paid out stays.
static void test_LengthStaysWithoutItsWinch(void** state) {
    (void)state;
    hwError error;
    Rig rig = Hang();
    hwSignalTerm rate = hwConstantTerm(hwMakeVec3(1.0, 0.0, 0.0));
    hwWinchDef winch = hwDefaultWinchDef();
    winch.name = "winch";
    winch.cable = rig.wire;
    winch.setpoint = (hwSignal){1, &rate};
    hwWinchId id = hwWorld_AddWinch(rig.world, &winch, &error);
    Prepare(rig.world);
    Run(rig.world, 2.0);
    hwCableView before, after;
    assert_status(hwCable_GetView(rig.world, rig.wire, &before, &error), HW_OK);
    double length = before.length;
    hwVec3 end = before.positions[before.nodeCount - 1];
    assert_true(length > 11.5);
    assert_status(hwWorld_RemoveWinch(rig.world, id, &error), HW_OK);
    Prepare(rig.world);
    assert_status(hwCable_GetView(rig.world, rig.wire, &after, &error), HW_OK);
    assert_true(after.length == length);
    assert_true(hwDistance(after.positions[after.nodeCount - 1], end) <
                1e-12); // read from its body, to rounding
    Run(rig.world, 0.5);
    hwDestroyWorld(rig.world);
}

static void test_LinksInUseStay(void** state) {
    (void)state;
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&def, &error);
    hwLinkDef link = hwDefaultLinkDef();
    link.body = Ball("jib");
    hwMechanismDef crane = hwDefaultMechanismDef();
    crane.name = "crane";
    crane.linkCount = 1;
    crane.links = &link;
    hwMechanismId id = hwWorld_AddMechanism(world, &crane, &error);
    hwCableSectionDef section = Section();
    hwCableDef cable = Line("wire", &section, hwMechanism_GetLink(world, id, 0));
    cable.ends[0].at.z = -10.0;
    hwCableId wire = hwWorld_AddCable(world, &cable, &error);
    assert_false(HW_IS_NULL(wire));
    assert_int_equal(hwWorld_RemoveMechanism(world, id, &error), HW_ERROR_ORDER);
    assert_non_null(strstr(error.message, "crane.jib: end b of cable `wire` is attached to it"));
    assert_status(hwWorld_RemoveCable(world, wire, &error), HW_OK);
    assert_status(hwWorld_RemoveMechanism(world, id, &error), HW_OK);
    hwDestroyWorld(world);
}

// Events go with the cable or the body that they are about.
static void test_EventsOfWhatIsRemoved(void** state) {
    (void)state;
    hwError error;
    Rig rig = Hang();
    hwBodyDef def = Ball("other");
    def.position = hwMakeVec3(0.0, 0.0, -10.1);
    hwBodyId other = hwWorld_AddBody(rig.world, &def, &error);
    hwCableEventDef let = hwDefaultCableEventDef(), grab = hwDefaultCableEventDef();
    let.time = 0.05;
    let.cable = grab.cable = rig.wire;
    let.end = grab.end = 1;
    grab.kind = HW_CABLE_EVENT_ATTACH;
    grab.time = 0.06;
    grab.within = 1e-6; // waits
    grab.attach = Pin(other, hwVec3_zero);
    assert_status(hwWorld_AddCableEvent(rig.world, &let, &error), HW_OK);
    assert_status(hwWorld_AddCableEvent(rig.world, &grab, &error), HW_OK);
    Prepare(rig.world);
    Run(rig.world, 0.1);
    assert_status(hwWorld_RemoveBody(rig.world, other, &error), HW_OK);
    Prepare(rig.world);
    Run(rig.world, 0.1);
    let.time = 0.25;
    assert_status(hwWorld_AddCableEvent(rig.world, &let, &error), HW_OK);
    assert_status(hwWorld_RemoveCable(rig.world, rig.wire, &error), HW_OK);
    Prepare(rig.world);
    Run(rig.world, 0.1);
    hwDestroyWorld(rig.world);
}

// A Prepare that fails leaves what ran as it was: what is mended goes on from there, to the bit.
static void test_FailedPrepareLosesNothing(void** state) {
    (void)state;
    hwError error;
    Rig rig = Hang(), twin = Hang();
    hwCableSectionDef section = Section();
    hwCableDef second = Line("second", &section, earth);
    second.ends[0].at = hwMakeVec3(5.0, 0.0, 0.0);
    second.ends[1].at = hwMakeVec3(8.0, 0.0, 0.0);
    assert_false(HW_IS_NULL(hwWorld_AddCable(rig.world, &second, &error)));
    assert_false(HW_IS_NULL(hwWorld_AddCable(twin.world, &second, &error)));
    Prepare(rig.world);
    Prepare(twin.world);
    Run(rig.world, 0.3);
    Run(twin.world, 0.3);
    // three times too long for its length: found when the parts begin, after some of them have
    hwCableDef wrong = Line("wrong", &section, earth);
    wrong.ends[1].at.x = 30.0;
    hwCableId bad = hwWorld_AddCable(rig.world, &wrong, &error);
    hwCableDef third = Line("third", &section, earth);
    third.ends[0].at = hwMakeVec3(5.0, 5.0, 0.0);
    third.ends[1].at = hwMakeVec3(8.0, 5.0, 0.0);
    hwCableId late = hwWorld_AddCable(rig.world, &third, &error);
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(hwWorld_Prepare(rig.world, &error), HW_ERROR_MODEL);
        assert_non_null(strstr(error.message, "wrong: element 0 is stretched"));
        assert_int_equal(hwWorld_Step(rig.world, 0.1, &error), HW_ERROR_ORDER);
    }
    assert_status(hwWorld_RemoveCable(rig.world, bad, &error), HW_OK);
    assert_status(hwWorld_RemoveCable(rig.world, late, &error), HW_OK);
    Prepare(rig.world);
    Prepare(twin.world);
    assert_int_equal(hwWorld_HashState(rig.world), hwWorld_HashState(twin.world));
    Run(rig.world, 0.2);
    Run(twin.world, 0.2);
    assert_int_equal(hwWorld_HashState(rig.world), hwWorld_HashState(twin.world));
    hwDestroyWorld(rig.world);
    hwDestroyWorld(twin.world);
}

static void test_LookAheadSeesHandles(void** state) {
    (void)state;
    hwError error;
    Rig rig = Hang();
    Prepare(rig.world);
    hwLookAhead out;
    hwLookAheadDef def = hwDefaultLookAheadDef();
    def.duration = 0.05;
    def.cable = (hwCableId){7, 7};
    assert_int_equal(hwWorld_LookAhead(rig.world, 1, &def, &out, &error), HW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "the cable is not in this world"));
    def.cable = rig.wire;
    def.body = (hwBodyId){9, 1};
    assert_int_equal(hwWorld_LookAhead(rig.world, 1, &def, &out, &error), HW_ERROR_ARGUMENT);
    def.body = rig.ball;
    def.commandCount = 1;
    assert_int_equal(hwWorld_LookAhead(rig.world, 1, &def, &out, &error), HW_ERROR_ARGUMENT);
    def.commandCount = 0;
    def.taut = (double)NAN;
    assert_int_equal(hwWorld_LookAhead(rig.world, 1, &def, &out, &error), HW_ERROR_ARGUMENT);
    assert_int_equal(hwWorld_LookAhead(rig.world, 1, NULL, &out, &error), HW_ERROR_ARGUMENT);
    assert_int_equal(hwBody_SetState(rig.world, rig.ball, NULL, &error), HW_ERROR_ARGUMENT);
    assert_int_equal(hwCable_Attach(rig.world, rig.wire, 1, NULL, &error), HW_ERROR_ARGUMENT);
    hwDestroyWorld(rig.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_NullNamesFindNothing),
        cmocka_unit_test(test_ArraysThatAreNotThere),
        cmocka_unit_test(test_ShapesWithoutACookie),
        cmocka_unit_test(test_NodesHaveABound),
        cmocka_unit_test(test_BodiesInUseStay),
        cmocka_unit_test(test_LinksInUseStay),
        cmocka_unit_test(test_LengthStaysWithoutItsWinch),
        cmocka_unit_test(test_EventsOfWhatIsRemoved),
        cmocka_unit_test(test_FailedPrepareLosesNothing),
        cmocka_unit_test(test_LookAheadSeesHandles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
