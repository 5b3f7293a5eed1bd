// Load charts of cranes: radius, load, use and angles of the wire by hand, and mistakes.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "hawser/hawser.h"
#include "hawser/scene.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A boom without freedom to fall: its joint is stiff; tip 8 m out and 10 m up, 2 t on 6 m of wire, drawn by a force.
static hwWorld* TryWorld(const char* capacity, const char* force, hwError* error) {
    char text[2000];
    snprintf(
        text, sizeof(text),
        "hawser: 1\nname: crane\nduration: 1\nstart: {statics: true}\nenvironment: {}\n"
        "bodies: [{name: load, mass: 2000, inertia: [100, 100, 100], position: [8, 0, 4]}]\nmechanisms:\n"
        "  - {name: crane, base: {on: earth, position: [0, 0, 10]},\n"
        "     capacity: %s,\n"
        "     links: [{name: boom, parent: base, joint: fixed, mass: 1, inertia: [1, 1, 1]}]}\n"
        "cables:\n  - name: wire\n    sections: [{length: 6, elements: 4, diameter: 0.02, mass_per_length: "
        "1e-3, "
        "EA: 1e9}]\n"
        "    ends: {a: {on: crane.boom, at: [8, 0, 0]}, b: {on: load}}\n"
        "forces: [{on: load, force: %s}]\n",
        capacity, force);
    hwScene* scene = hwParseScene(text, strlen(text), "crane.yaml", NULL, error);
    if (scene == NULL) return NULL;
    hwWorld* world = hwScene_CreateWorld(scene, NULL, error);
    hwDestroyScene(scene);
    return world;
}

static double Read(const hwWorld* world, const char* what) {
    char name[80];
    snprintf(name, sizeof(name), "crane.capacity.%s", what);
    int channel = hwWorld_FindChannel(world, name);
    assert_true(channel >= 0);
    return hwWorld_ReadChannel(world, channel);
}

static hwWorld* MakeWorld(const char* capacity, const char* force) {
    hwError error;
    hwWorld* world = TryWorld(capacity, force, &error);
    if (world == NULL) fail_msg("%s", error.message);
    return world;
}

static void UseIsLoadOverChart(void** state) {
    (void)state;
    static const char chart[] = "{cable: wire, radius: [4, 6, 10], load: [50e3, 40e3, 20e3]}";
    const double weight = 2000.0 * 9.81;
    hwWorld* world = MakeWorld(chart, "[0, 0, 0]");
    // 8 m: half way from 40 to 20 kN. Statics leave 1e-8 of the load; the wire weighs 0.06 N
    assert_close(Read(world, "radius"), 8.0, 1e-9);
    assert_close(Read(world, "load"), weight, 0.1);
    assert_close(Read(world, "allowed"), 30e3, 1e-5);
    assert_close(Read(world, "use"), weight / 30e3, 1e-5);
    assert_close(Read(world, "off_lead"), 0.0, 1e-6);
    assert_close(Read(world, "side_lead"), 0.0, 1e-6);
    hwDestroyWorld(world);
    // drawn away from the base and, less, to the left
    world = MakeWorld(chart, "[2000, 1000, 0]");
    assert_close(Read(world, "off_lead"), atan(2000.0 / weight), 1e-4);
    assert_close(Read(world, "side_lead"), atan(1000.0 / weight), 1e-4);
    assert_close(Read(world, "load"), sqrt(weight * weight + 5e6), 0.2);
    hwDestroyWorld(world);
    // nearer than the first row, and beyond the last
    world = MakeWorld("{cable: wire, radius: [9, 10], load: [50e3, 40e3]}", "[0, 0, 0]");
    assert_close(Read(world, "allowed"), 50e3, 0.0);
    hwDestroyWorld(world);
    world = MakeWorld("{cable: wire, radius: [4, 7], load: [50e3, 40e3]}", "[0, 0, 0]");
    assert_close(Read(world, "allowed"), 0.0, 0.0);
    assert_close(Read(world, "use"), 1000.0, 0.0);
    hwDestroyWorld(world);
}

static void MistakesHaveTheirPlace(void** state) {
    (void)state;
    static const char* const texts[][2] = {
        {"{cable: rope, radius: [4], load: [1]}", "rope"},
        {"{cable: wire, radius: [4, 5], load: [1]}", "have 2 and 1"},
        {"{cable: wire, radius: [4, 4], load: [1, 1]}", "4 follows 4"},
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); ++i) {
        hwError error;
        assert_null(TryWorld(texts[i][0], "[0, 0, 0]", &error));
        if (strstr(error.message, texts[i][1]) == NULL) fail_msg("%s: %s", texts[i][1], error.message);
        assert_int_equal(error.line, 9);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(UseIsLoadOverChart),
        cmocka_unit_test(MistakesHaveTheirPlace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
