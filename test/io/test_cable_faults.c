// What goes wrong with cables, by scene: mistakes are told with the cable and its element, faults leave the state as it was,
// and what breaks or is cut goes on as two.
#include "scene_text.h"

#include "hawser/hawser.h"

#include <math.h>

#define START "hawser: 1\nduration: 10\n"
#define CABLE(model, section, ends, more)                                                                    \
    "cables:\n  - name: wire\n    model: " model "\n    sections: [{" section                                \
    ", diameter: 0.02, mass_per_length: 2, EA: 1e6, damping: {axial: 1e3}}]\n    ends: {" ends "}\n" more
#define HELD "a: {on: earth, at: [0, 0, 0]}, b: {on: earth, at: [9, 0, 0]}"

static hwWorld* Make(const char* text) {
    hwError error;
    hwScene* scene = Take(text);
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    if (world == NULL) fail_msg("%d:%d: %s", error.line, error.column, error.message);
    hwDestroyScene(scene);
    return world;
}

static double Read(const hwWorld* world, const char* channel) {
    int index = hwWorld_FindChannel(world, channel);
    if (index < 0) fail_msg("no channel %s", channel);
    return hwWorld_ReadChannel(world, index);
}

// The scene is read, but makes no world.
static void RefuseWorld(const char* text, const char* part) {
    hwError error;
    hwScene* scene = Take(text);
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    assert_null(world);
    if (strstr(error.message, part) == NULL) fail_msg("\"%s\" lacks \"%s\"", error.message, part);
    assert_non_null(strstr(error.message, "wire"));
    hwDestroyScene(scene);
}

static void impossible_sections_are_refused(void** state) {
    (void)state;
    RefuseAt(START CABLE("dynamic", "length: 10, elements: 0", HELD, ""), 6, 0, "`elements` is 0");
    RefuseAt(START CABLE("dynamic", "length: 0", HELD, ""), 6, 0, "`length` is 0");
    RefuseAt(START CABLE("pid", "length: -3", HELD, ""), 6, 0, "`length` is -3");
    RefuseAt(START CABLE("pid", "length: .nan", HELD, ""), 6, 0, "`length`");
    RefuseAt(START CABLE("dynamic", "length: 10", HELD, "    pid: {kp: 5}\n"), 8, 0,
             "only with `model: pid`");
}

// Ends farther apart than the cable reaches, or in one place.
static void impossible_starts_name_the_element(void** state) {
    (void)state;
    static const char* const models[] = {"dynamic", "pid", "line", "vee", "catenary"};
    for (int i = 0; i < 5; i++) {
        char text[600];
        snprintf(text, sizeof(text),
                 START "cables:\n  - {name: wire, model: %s, sections: [{length: 5, diameter: 0.02, density: "
                       "5000, EA: 1e6}],\n"
                       "     ends: {" HELD "}}\n",
                 models[i]);
        RefuseWorld(text, "element 0 is stretched");
    }
    RefuseWorld(START CABLE("dynamic", "length: 10", "a: {on: earth}, b: {on: earth}", ""),
                "element 0 has no length");
    // a catenary may begin and end in one place
    hwDestroyWorld(Make(
        START CABLE("dynamic", "length: 10", "a: {on: earth}, b: {on: earth}", "    shape: catenary\n")));
    hwDestroyWorld(Make(START CABLE("catenary", "length: 10", "a: {on: earth}, b: {on: earth}", "")));
}

// A step that fails keeps the last good state: not before the last frame, and all of it finite.
static void FailStep(hwWorld* world, double until, const char* part) {
    hwError error;
    hwStatus status = HW_OK;
    double time = 0.0;
    for (int i = 0; status >= HW_OK && i < (int)lround(60.0 * until); i++) {
        time = Read(world, "world.time");
        status = hwWorld_Step(world, 1.0 / 60.0, &error);
    }
    assert_true(status < HW_OK);
    if (strstr(error.message, part) == NULL) fail_msg("\"%s\" lacks \"%s\"", error.message, part);
    assert_non_null(strstr(error.message, "wire"));
    double now = Read(world, "world.time");
    assert_true(now >= time && now <= time + 1.0 / 60.0);
    assert_true(isfinite(Read(world, "wire.node[1].position.z")));
}

static void end_attached_twice_ends_the_run(void** state) {
    (void)state;
    hwWorld* world = Make(START CABLE(
        "dynamic", "length: 10", HELD,
        "    shape: catenary\n") "events: [{at: 0.5, attach: {end: wire.b, on: earth, at: [9, 0, 0]}}]\n");
    FailStep(world, 2.0, "attached already");
    hwDestroyWorld(world);
}

static void winch_past_the_last_element_ends_the_run(void** state) {
    (void)state;
    static const char* const models[] = {"dynamic", "pid", "catenary", "vee", "line"};
    for (int i = 0; i < 5; i++) {
        char text[700];
        snprintf(text, sizeof(text),
                 START "cables:\n  - {name: wire, model: %s, sections: [{length: 10, elements: 5, diameter: "
                       "0.02, density: 5000, "
                       "EA: 1e6, damping: {axial: 1e3}}],\n     ends: {a: {on: earth}, b: {joint: free}}}\n"
                       "winches: [{name: winch, cable: wire, end: a, mode: velocity, setpoint: -4}]\n",
                 models[i]);
        hwWorld* world = Make(text);
        FailStep(world, 8.0, i < 2 ? "haul in the last element" : "hauled in all but");
        hwDestroyWorld(world);
    }
}

static void Spoil(int count, const hwVec3* points, double time, hwVec3* velocity, hwVec3* acceleration,
                  void* context) {
    (void)points;
    (void)acceleration;
    (void)context;
    for (int i = 0; i < count; i++) velocity[i].x += time > 0.5 ? (double)NAN : 0.1;
}

static void current_that_is_not_a_number_ends_the_run(void** state) {
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        hwError error;
        hwWorldDef worldDef = hwDefaultWorldDef();
        hwWorld* world = hwCreateWorld(&worldDef, &error);
        hwEnvironmentDef environment = hwDefaultEnvironmentDef();
        environment.water = true;
        environment.current.function = Spoil;
        assert_int_equal(hwWorld_SetEnvironment(world, &environment, &error), HW_OK);
        hwCableSectionDef section = hwDefaultCableSectionDef();
        section.length = 10.0;
        section.elements = 8;
        section.diameter = 0.02;
        section.massPerLength = 2.0;
        section.EA = 1e6;
        hwCableDef def = hwDefaultCableDef();
        def.name = "wire";
        def.kind = kind == 0 ? HW_CABLE_DYNAMIC : HW_CABLE_PID;
        def.sectionCount = 1;
        def.sections = &section;
        def.shape = HW_CABLE_CATENARY_SHAPE;
        def.ends[0] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .at = {0.0, 0.0, -5.0}};
        def.ends[1] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .at = {9.0, 0.0, -5.0}};
        assert_false(HW_IS_NULL(hwWorld_AddCable(world, &def, &error)));
        assert_int_equal(hwWorld_Prepare(world, &error), HW_OK);
        FailStep(world, 2.0, "the forces on node 0 (element 0) are not finite");
        hwDestroyWorld(world);
    }
}

// Beyond `break` it becomes two cables, and the run goes on.
static void overloaded_cables_part(void** state) {
    (void)state;
    static const char* const models[] = {"dynamic", "pid", "catenary"};
    for (int i = 0; i < 3; i++) {
        char text[800];
        snprintf(text, sizeof(text),
                 START "bodies: [{name: load, mass: 500, inertia: [50, 50, 50], position: [0, 0, -8]}]\n"
                       "cables:\n  - {name: wire, model: %s, sections: [{length: 10, elements: 5, diameter: "
                       "0.02, density: 5000, "
                       "EA: 1e6, damping: {axial: 1e3}, break: 2e4}],\n"
                       "     ends: {a: {on: earth}, b: {on: load}}, shape: {points: [[0, 0, 0], [2.9, 0, "
                       "-4], [0, 0, -8]]}%s}\n",
                 models[i], i == 1 ? ", pid: {kp: 1e6}" : "");
        hwError error;
        hwWorld* world = Make(text);
        for (int k = 0; k < 180; k++) {
            if (hwWorld_Step(world, 1.0 / 60.0, &error) < HW_OK) fail_msg("%s: %s", models[i], error.message);
        }
        assert_true(Read(world, "load.position.z") < -20.0); // it falls
        double sum = Read(world, "wire.length") + Read(world, "wire-2.length");
        if (!(fabs(sum - 10.0) < 1e-9)) fail_msg("%s: %.12g", models[i], sum);
        hwDestroyWorld(world);
    }
}

// A weight on a wire that is weak below its middle, dropped: `more` goes into the cable.
static hwWorld* MakeWeak(const char* more) {
    char text[900];
    snprintf(text, sizeof(text),
             START
             "bodies: [{name: load, mass: 500, inertia: [50, 50, 50], position: [0, 0, -8]}]\n"
             "cables:\n  - {name: wire, sections: [{length: 5, elements: 5, diameter: 0.02, density: 5000, "
             "EA: 1e6, "
             "damping: {axial: 1e3}}, {length: 5, elements: 5, diameter: 0.02, density: 5000, EA: 1e6, "
             "damping: {axial: 1e3}, break: 2e4}],\n"
             "     ends: {a: {on: earth}, b: {on: load}}, shape: {points: [[0, 0, 0], [2.9, 0, -4], [0, 0, "
             "-8]]}%s}\n",
             more);
    return Make(text);
}

// Without memory for another part the run ends there, and says in which element.
static void parting_more_often_than_planned_ends_the_run(void** state) {
    (void)state;
    hwWorld* world = MakeWeak(", cuts: 0");
    hwError error;
    hwStatus status = HW_OK;
    for (int i = 0; status >= HW_OK && i < 180; i++) status = hwWorld_Step(world, 1.0 / 60.0, &error);
    assert_int_equal(status, HW_ERROR_LIMIT);
    assert_string_equal(error.object, "wire");
    assert_true(error.index >= 5 && error.index < 10); // in the weak section
    char element[32];
    snprintf(element, sizeof(element), "element %d", error.index);
    assert_non_null(strstr(error.message, element));
    assert_non_null(strstr(error.hint, "cuts"));
    double now = Read(world, "world.time");
    assert_true(error.time == now && now > 0.0);
    snprintf(element, sizeof(element), "wire.element[%d].tension", error.index);
    assert_true(Read(world, element) > 2e4);
    assert_true(fabs(Read(world, "wire.length") - 10.0) < 1e-9);
    // it does not go on as if nothing had happened
    assert_int_equal(hwWorld_Step(world, 1.0 / 60.0, &error), HW_ERROR_LIMIT);
    hwDestroyWorld(world);
    world = MakeWeak("");
    for (int i = 0; i < 180; i++) {
        if (hwWorld_Step(world, 1.0 / 60.0, &error) < HW_OK) fail_msg("%s", error.message);
    }
    assert_true(Read(world, "load.position.z") < -20.0);
    hwDestroyWorld(world);
}

static void cut_cables_go_on_as_two(void** state) {
    (void)state;
    hwError error;
    hwWorld* world =
        Make(START CABLE("dynamic", "length: 10", HELD,
                         "    shape: catenary\n") "events: [{at: 0.5, cut: {cable: wire, at: 4}}]\n");
    for (int k = 0; k < 120; k++) {
        if (hwWorld_Step(world, 1.0 / 60.0, &error) < HW_OK) fail_msg("%s", error.message);
    }
    assert_true(fabs(Read(world, "wire.length") - 4.0) < 0.6 && Read(world, "wire-2.b.tension") > 0.0);
    assert_true(fabs(Read(world, "wire.length") + Read(world, "wire-2.length") - 10.0) < 1e-9);
    hwDestroyWorld(world);
}

// What a winch at end b hauls stays on it when the cable is cut; the part that it has lost lies still.
static void a_winch_at_end_b_keeps_what_it_holds(void** state) {
    (void)state;
    hwError error;
    hwWorld* world =
        Make(START CABLE("dynamic", "length: 10", HELD,
                         "    shape: catenary\n") "winches: [{name: winch, cable: wire, end: b, mode: "
                                                  "velocity, setpoint: -0.2}]\n"
                                                  "events: [{at: 0.5, cut: {cable: wire, at: 4}}]\n");
    hwEnergy before = hwWorld_GetEnergy(world);
    for (int k = 0; k < 36; k++) assert_true(hwWorld_Step(world, 1.0 / 60.0, &error) >= HW_OK);
    double first = Read(world, "wire.length"), whole = first + Read(world, "wire-2.length");
    for (int k = 0; k < 84; k++) {
        if (hwWorld_Step(world, 1.0 / 60.0, &error) < HW_OK) fail_msg("%s", error.message);
    }
    double hauled = 0.2 * 84.0 / 60.0;
    assert_true(fabs(Read(world, "wire.length") - first) < 1e-12);
    assert_true(fabs(first + Read(world, "wire-2.length") - (whole - hauled)) < 1e-9);
    assert_true(Read(world, "wire-2.b.tension") > 0.0 && Read(world, "wire.b.tension") == 0.0);
    hwEnergy after = hwWorld_GetEnergy(world);
    double change = after.kinetic + after.potential + after.elastic + after.dissipated - after.work -
                    before.kinetic - before.potential - before.elastic;
    // of the parts' kinetic energy in free fall, a few hundred J
    assert_true(fabs(change) < 0.03 * after.kinetic);
    hwDestroyWorld(world);
}

// A set point of tension is no speed: what is reserved for the winch does not grow with it.
static void a_tension_reserves_no_length(void** state) {
    (void)state;
    hwWorld* world = Make(START CABLE(
        "dynamic", "length: 10, elements: 5", HELD,
        "    shape: catenary\n") "winches: [{name: winch, cable: wire, end: a, mode: velocity, "
                                 "setpoint: 0}]\n"
                                 "events: [{at: 1, set: {winch.mode: 1, winch.setpoint: 1e4}}]\n");
    assert_true(hwWorld_GetStateSize(world) < 100000);
    hwDestroyWorld(world);
}

static void winches_change_while_running(void** state) {
    (void)state;
    hwError error;
    hwWorld* world =
        Make(START CABLE("dynamic", "length: 10, elements: 5", HELD,
                         "    shape: catenary\n") "winches: [{name: winch, cable: wire, end: a, mode: "
                                                  "velocity, setpoint: 0.2}]\n"
                                                  "events:\n  - {at: 1, set: {winch.setpoint: -0.1, "
                                                  "winch.acceleration: 1, winch.deceleration: -1}}\n"
                                                  "  - {at: 3, set: {winch.mode: 1, winch.setpoint: 150, "
                                                  "winch.kp: 1e-3, winch.ki: 1e-3}}\n");
    for (int k = 0; k < 60; k++) assert_true(hwWorld_Step(world, 1.0 / 60.0, &error) >= HW_OK);
    assert_true(fabs(Read(world, "winch.rate") - 0.2) < 1e-9);
    for (int k = 0; k < 60; k++) assert_true(hwWorld_Step(world, 1.0 / 60.0, &error) >= HW_OK);
    assert_true(fabs(Read(world, "winch.rate") + 0.1) < 1e-9);
    for (int k = 0; k < 1200; k++) {
        if (hwWorld_Step(world, 1.0 / 60.0, &error) < HW_OK) fail_msg("%s", error.message);
    }
    // nothing damps the wire in air: it still swings
    assert_true(fabs(Read(world, "winch.tension") - 150.0) < 15.0);
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impossible_sections_are_refused),
        cmocka_unit_test(impossible_starts_name_the_element),
        cmocka_unit_test(end_attached_twice_ends_the_run),
        cmocka_unit_test(winch_past_the_last_element_ends_the_run),
        cmocka_unit_test(current_that_is_not_a_number_ends_the_run),
        cmocka_unit_test(overloaded_cables_part),
        cmocka_unit_test(parting_more_often_than_planned_ends_the_run),
        cmocka_unit_test(cut_cables_go_on_as_two),
        cmocka_unit_test(winches_change_while_running),
        cmocka_unit_test(a_winch_at_end_b_keeps_what_it_holds),
        cmocka_unit_test(a_tension_reserves_no_length),
    };
    return cmocka_run_group_tests(tests, MakeFolder, NULL);
}
