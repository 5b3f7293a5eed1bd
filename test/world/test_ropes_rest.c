// Statics of cables that lie on cables: each stays on the side of the other on which it was given, and the shape is the one to which
// the same world comes to rest by itself.
#include "support.h"

#include "hawser/hawser.h"
#include "hawser/vehicle_type.h"

#include <stdio.h>
#include <string.h>

#define ELEMENTS 12
#define GRAVITY 9.81

typedef struct Log {
    char text[4096];
} Log;

static void Note(hwLogLevel level, const char* text, void* context) {
    Log* log = context;
    (void)level;
    size_t used = strlen(log->text);
    snprintf(log->text + used, sizeof(log->text) - used, "%s\n", text);
}

// A world without friction, which statics leaves out, with ropes in water.
static hwWorld* MakeWorld(bool statics, Log* log) {
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    def.statics = statics;
    def.log = Note;
    def.logContext = log;
    *log = (Log){0};
    hwWorld* world = hwCreateWorld(&def, &error);
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    sea.surface = 100.0;
    assert_status(hwWorld_SetEnvironment(world, &sea, &error), HW_OK);
    hwMaterialDef smooth = hwDefaultMaterialDef();
    smooth.name = "default";
    smooth.young = 1e8;
    smooth.staticFriction = smooth.kineticFriction = 0.0;
    assert_status(hwWorld_AddMaterial(world, &smooth, &error), HW_OK);
    return world;
}

static hwCableId AddRope(hwWorld* world, const char* name, double length, int elements, hwVec3 a, hwVec3 b,
                         bool held) {
    hwError error;
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = length;
    section.elements = elements;
    section.diameter = 0.02;
    section.massPerLength = 1.0;
    section.EA = 1e6;
    section.axialDamping = 1e4;
    section.dragNormal = 1.2;
    section.dragTangential = 0.1;
    hwCableDef cable = hwDefaultCableDef();
    cable.name = name;
    cable.sectionCount = 1;
    cable.sections = &section;
    cable.ends[0] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .at = a};
    cable.ends[1] = (hwCableEndDef){.joint = held ? HW_ATTACH_PIN : HW_ATTACH_FREE, .at = b, .placed = true};
    hwCableId id = hwWorld_AddCable(world, &cable, &error);
    if (HW_IS_NULL(id)) fail_msg("%s", error.message);
    return id;
}

static void Prepare(hwWorld* world) {
    hwError error;
    if (hwWorld_Prepare(world, &error) != HW_OK) fail_msg("%s", error.message);
}

static hwCableView View(const hwWorld* world, hwCableId cable) {
    hwCableView view;
    assert_status(hwCable_GetView(world, cable, &view, NULL), HW_OK);
    return view;
}

static double GetEndTension(const hwWorld* world, hwCableId cable, int end) {
    hwVec3 force;
    assert_status(hwCable_GetEndLoad(world, cable, end, &force, NULL, NULL), HW_OK);
    return hwLength(force);
}

static void ARopeOnARopeRestsWhereItComesToRest(void** state) {
    (void)state;
    hwWorld* worlds[2];
    hwCableId taut[2], slack[2];
    Log log[2];
    hwError error;
    for (int run = 0; run < 2; ++run) {
        worlds[run] = MakeWorld(run == 0, &log[run]);
        taut[run] =
            AddRope(worlds[run], "taut", 19.9, ELEMENTS, hwMakeVec3(-10, 0, 0), hwMakeVec3(10, 0, 0), true);
        slack[run] = AddRope(worlds[run], "slack", 23.0, ELEMENTS + 1, hwMakeVec3(2.3, -10, 0.5),
                             hwMakeVec3(2.6, 9, 0.5), true);
        Prepare(worlds[run]);
        assert_null(strstr(log[run].text, "statics"));
    }
    for (int i = 0; i < 150; ++i) assert_true(hwWorld_Step(worlds[1], 1.0, &error) >= HW_OK);
    // the run is still sliding along the taut rope, at 4e-4 m/s after 400 s
    for (int end = 0; end < 2; ++end) {
        assert_close(GetEndTension(worlds[0], taut[0], end) / GetEndTension(worlds[1], taut[1], end), 1.0,
                     1e-5);
        assert_close(GetEndTension(worlds[0], slack[0], end) / GetEndTension(worlds[1], slack[1], end), 1.0,
                     2e-4);
    }
    for (int cable = 0; cable < 2; ++cable) {
        hwCableView a = View(worlds[0], cable ? slack[0] : taut[0]),
                    b = View(worlds[1], cable ? slack[1] : taut[1]);
        for (int i = 0; i < a.nodeCount; ++i) assert_close_vec3(a.positions[i], b.positions[i], 2e-3);
    }
    // below the taut one its lowest node would be at -5.2 m, with a tension of 95.9 N
    assert_true(GetEndTension(worlds[0], slack[0], 0) < 60.0);
    // and it stays as it is
    hwVec3 before = View(worlds[0], slack[0]).positions[6];
    for (int i = 0; i < 5; ++i) assert_true(hwWorld_Step(worlds[0], 1.0, &error) >= HW_OK);
    // of what rounding of the contact's depth, in float, leaves at the start
    assert_close_vec3(View(worlds[0], slack[0]).positions[6], before, 1e-4);
    for (int run = 0; run < 2; ++run) hwDestroyWorld(worlds[run]);
}

// Held at one end and laid over a rope like a towel over a line, from which it would hang on the near side if it could pass.
static void WhatHangsOverARopeIsHeldByIt(void** state) {
    (void)state;
    Log log;
    hwWorld* world = MakeWorld(true, &log);
    hwCableId line =
        AddRope(world, "line", 19.9, ELEMENTS, hwMakeVec3(-10, 0, 0), hwMakeVec3(10, 0, 0), true);
    hwCableId towel =
        AddRope(world, "towel", 11.0, 44, hwMakeVec3(0.4, -3, 0.2), hwMakeVec3(0.4, 8, 0.2), false);
    Prepare(world);
    assert_null(strstr(log.text, "passed"));
    hwCableView view = View(world, towel);
    hwVec3 end = view.positions[view.nodeCount - 1];
    // straight down from the line, on its other side
    assert_true(end.y > 0.0 && end.y < 0.05 && end.z < -6.0);
    double weight = (1.0 - 1025.0 * HW_PI / 4.0 * 0.02 * 0.02) * GRAVITY; // N/m, in water
    hwVec3 held, sum = hwVec3_zero;
    for (int i = 0; i < 3; ++i) {
        hwVec3 force;
        assert_status(hwCable_GetEndLoad(world, i < 2 ? line : towel, i < 2 ? i : 0, &force, NULL, NULL),
                      HW_OK);
        sum = hwAdd(sum, force);
        held = force;
    }
    // the ends hold all weights, without a push to any side; statics leaves up to 1e-8 of the largest force, 5e-5 N, at each of
    // 57 nodes
    assert_close(fabs(sum.z), weight * 30.9, 3e-3);
    assert_close(sum.x, 0.0, 3e-3);
    assert_close(sum.y, 0.0, 3e-3);
    // more than half of the towel is on the line
    assert_true(fabs(held.z) < 0.5 * 11.0 * weight);
    hwDestroyWorld(world);
}

static void RopesThatMayNotTouchPass(void** state) {
    (void)state;
    for (int off = 0; off < 2; ++off) {
        Log log;
        hwError error;
        hwWorld* world = MakeWorld(true, &log);
        hwContactDef contact = hwDefaultContactDef();
        contact.off = off == 1;
        assert_status(hwWorld_SetContact(world, &contact, &error), HW_OK);
        AddRope(world, "taut", 19.9, ELEMENTS, hwMakeVec3(-10, 0, 0), hwMakeVec3(10, 0, 0), true);
        hwCableId slack = AddRope(world, "slack", 23.0, ELEMENTS, hwMakeVec3(0.3, -10, 0.5),
                                  hwMakeVec3(0.3, 10, 0.5), true);
        if (off == 0) assert_status(hwWorld_IgnoreContact(world, "taut", "slack", &error), HW_OK);
        Prepare(world);
        assert_null(strstr(log.text, "statics"));
        assert_true(View(world, slack).positions[6].z < -4.0);
        hwDestroyWorld(world);
    }
}

// A vehicle is held where it starts, so that nothing falls into place in its world; from far away Newton's method alone does not
// find the rest.
static void WhereNoRestIsFoundItIsSaid(void** state) {
    (void)state;
    for (int off = 0; off < 2; ++off) {
        Log log;
        hwError error;
        hwWorld* world = MakeWorld(true, &log);
        hwContactDef contact = hwDefaultContactDef();
        contact.off = off == 1; // nothing is in the way then
        assert_status(hwWorld_SetContact(world, &contact, &error), HW_OK);
        AddRope(world, "taut", 19.9, ELEMENTS, hwMakeVec3(-10, 0, 0), hwMakeVec3(10, 0, 0), true);
        AddRope(world, "slack", 23.0, ELEMENTS, hwMakeVec3(0.3, -10, 0.5), hwMakeVec3(0.3, 10, 0.5), true);
        AddRope(world, "beside", 23.0, ELEMENTS, hwMakeVec3(30, -10, 0.5), hwMakeVec3(30, 10, 0.5), true);
        hwVehicleType* type = hwLoadVehicleType("bluerov2", NULL, &error);
        assert_non_null(type);
        hwVehicleDef rov = hwVehicleType_GetDef(type);
        rov.body.name = "rov";
        rov.body.position = hwMakeVec3(50, 0, 0);
        assert_false(HW_IS_NULL(hwWorld_AddVehicle(world, &rov, &error)));
        Prepare(world);
        const char* said = strstr(log.text, "statics: taut and slack have passed through each other");
        assert_int_equal(said != NULL, off == 0);
        assert_null(strstr(log.text, "beside"));
        hwDestroyWorld(world);
        hwDestroyVehicleType(type);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ARopeOnARopeRestsWhereItComesToRest),
        cmocka_unit_test(WhatHangsOverARopeIsHeldByIt),
        cmocka_unit_test(RopesThatMayNotTouchPass),
        cmocka_unit_test(WhereNoRestIsFoundItIsSaid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
