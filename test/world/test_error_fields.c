// Errors carry the field of the def that is wrong, as data.
#include "support.h"

#include "hawser/hawser.h"

#include <math.h>
#include <string.h>

static void ExpectField(const hwError* error, const char* object, const char* field, int index) {
    if (strcmp(error->field, field) != 0)
        fail_msg("field `%s`, not `%s`: %s", error->field, field, error->message);
    assert_string_equal(error->object, object);
    assert_int_equal(error->index, index);
}

static hwBodyDef MakeBody(void) {
    hwBodyDef def = hwDefaultBodyDef();
    def.name = "load";
    def.mass = 10.0;
    for (int i = 0; i < 3; ++i) def.inertia[i] = 1.0;
    return def;
}

static void RefuseBody(const hwBodyDef* def, const char* field, int index) {
    hwError error;
    hwWorldDef worldDef = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&worldDef, &error);
    assert_non_null(world);
    assert_true(HW_IS_NULL(hwWorld_AddBody(world, def, &error)));
    ExpectField(&error, "load", field, index);
    hwDestroyWorld(world);
}

static void BodiesNameTheirFields(void** state) {
    (void)state;
    hwBodyDef def = MakeBody();
    def.mass = -1.0;
    RefuseBody(&def, "mass", -1);
    def = MakeBody();
    def.velocity.y = (double)NAN;
    RefuseBody(&def, "velocity", -1);
    def = MakeBody();
    def.comAttitude.w = 2.0;
    RefuseBody(&def, "comAttitude", -1);
    def = MakeBody();
    def.hydro.quadraticDrag[4] = -1.0;
    RefuseBody(&def, "hydro.quadraticDrag", -1);
    def = MakeBody();
    def.hydro.skinArea = 1.0;
    RefuseBody(&def, "hydro.skinLength", -1);
    def = MakeBody();
    hwSignalTerm term = {.kind = HW_SIGNAL_RAMP, .start = 2.0, .end = 1.0};
    def.motion = HW_MOTION_PRESCRIBED;
    def.prescribedPosition = (hwSignal){1, &term};
    RefuseBody(&def, "prescribedPosition", 0);
    def = MakeBody();
    hwShapeDef shapes[2] = {hwDefaultShapeDef(), hwDefaultShapeDef()};
    for (int i = 0; i < 2; ++i) {
        shapes[i].kind = HW_SHAPE_SPHERE;
        shapes[i].radius = 1.0 - i;
    }
    def.shapeCount = 2;
    def.shapes = shapes;
    RefuseBody(&def, "shapes[].radius", 1);
}

static void CablesNameTheirFields(void** state) {
    (void)state;
    hwError error;
    hwWorldDef worldDef = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&worldDef, &error);
    hwCableSectionDef sections[2] = {hwDefaultCableSectionDef(), hwDefaultCableSectionDef()};
    for (int i = 0; i < 2; ++i) {
        sections[i].length = 10.0;
        sections[i].elements = 4;
        sections[i].diameter = 0.02;
        sections[i].massPerLength = 1.0;
        sections[i].EA = 1e6;
    }
    hwCableDef def = hwDefaultCableDef();
    def.name = "wire";
    def.sectionCount = 2;
    def.sections = sections;
    def.ends[0].joint = HW_ATTACH_PIN;
    sections[1].EA = -1.0;
    assert_true(HW_IS_NULL(hwWorld_AddCable(world, &def, &error)));
    ExpectField(&error, "wire", "sections[].EA", 1);
    sections[1].EA = 1e6;
    def.ends[1].at.z = (double)INFINITY;
    assert_true(HW_IS_NULL(hwWorld_AddCable(world, &def, &error)));
    ExpectField(&error, "wire", "ends[1].at", -1);
    def.ends[1].at.z = 0.0;
    hwCableId wire = hwWorld_AddCable(world, &def, &error);
    assert_false(HW_IS_NULL(wire));
    hwWinchDef winch = hwDefaultWinchDef();
    winch.name = "winch";
    winch.cable = wire;
    winch.brake = -1.0;
    assert_true(HW_IS_NULL(hwWorld_AddWinch(world, &winch, &error)));
    ExpectField(&error, "winch", "brake", -1);
    hwDestroyWorld(world);
}

static void MechanismsNameTheirLinks(void** state) {
    (void)state;
    hwError error;
    hwWorldDef worldDef = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&worldDef, &error);
    hwLinkDef links[2] = {hwDefaultLinkDef(), hwDefaultLinkDef()};
    for (int i = 0; i < 2; ++i) {
        links[i].body.name = i == 0 ? "boom" : "jib";
        links[i].body.mass = 1.0;
        for (int k = 0; k < 3; ++k) links[i].body.inertia[k] = 1.0;
        links[i].joint = HW_JOINT_REVOLUTE;
        links[i].parent = i - 1;
    }
    hwMechanismDef def = hwDefaultMechanismDef();
    def.name = "crane";
    def.linkCount = 2;
    def.links = links;
    links[1].limits.low = 2.0;
    links[1].limits.high = 1.0;
    assert_true(HW_IS_NULL(hwWorld_AddMechanism(world, &def, &error)));
    ExpectField(&error, "crane", "links[].limits.low", 1);
    links[1].limits = hwDefaultLinkDef().limits;
    links[1].body.hydro.linearDrag[0] = -1.0;
    assert_true(HW_IS_NULL(hwWorld_AddMechanism(world, &def, &error)));
    ExpectField(&error, "crane.jib", "links[].body.hydro.linearDrag", 1);
    hwDestroyWorld(world);
}

static void EnvironmentsNameTheirFields(void** state) {
    (void)state;
    hwError error;
    hwWorldDef worldDef = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&worldDef, &error);
    hwEnvironmentDef def = hwDefaultEnvironmentDef();
    hwAiryDef airy[2] = {{.height = 1.0, .period = 8.0}, {.height = 1.0, .period = -8.0}};
    def.water = true;
    def.airyCount = 2;
    def.airy = airy;
    assert_true(hwWorld_SetEnvironment(world, &def, &error) != HW_OK);
    ExpectField(&error, "environment", "airy[].period", 1);
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(BodiesNameTheirFields),
        cmocka_unit_test(CablesNameTheirFields),
        cmocka_unit_test(MechanismsNameTheirLinks),
        cmocka_unit_test(EnvironmentsNameTheirFields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
