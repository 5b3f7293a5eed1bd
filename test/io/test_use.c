// Utilisation channels: tension over break, joint effort and power over their bounds.
#include "support.h"

#include "hawser/hawser.h"
#include "hawser/scene.h"

static hwWorld* MakeWorld(const char* text) {
    hwError error;
    hwScene* scene = hwParseScene(text, strlen(text), "use.yaml", NULL, &error);
    if (scene == NULL) fail_msg("%s", error.message);
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    if (world == NULL) fail_msg("%s", error.message);
    hwDestroyScene(scene);
    return world;
}

static double Read(const hwWorld* world, const char* channel) {
    int index = hwWorld_FindChannel(world, channel);
    if (index < 0) fail_msg("there is no channel %s", channel);
    return hwWorld_ReadChannel(world, index);
}

// 100 kg on a weightless wire (1 g/m) with a weak piece of 2 kN and a strong one of 50 kN.
static void tension_over_break_is_that_of_the_weakest_piece(void** state) {
    (void)state;
    hwWorld* world = MakeWorld(
        "hawser: 1\nduration: 1\nstart: {statics: true}\nenvironment: {gravity: 10}\n"
        "bodies: [{name: load, mass: 100, inertia: [1, 1, 1], position: [0, 0, -20]}]\ncables:\n"
        "  - name: wire\n    sections:\n"
        "      - {length: 10, elements: 3, diameter: 0.01, mass_per_length: 0.001, EA: 1e6, break: 5e4}\n"
        "      - {length: 10, elements: 3, diameter: 0.01, mass_per_length: 0.001, EA: 1e6, break: 2e3}\n"
        "    ends: {a: {on: earth}, b: {on: load}}\n"
        "  - name: other\n    sections: [{length: 10, diameter: 0.01, mass_per_length: 1, EA: 1e6}]\n"
        "    ends: {a: {on: earth, at: [5, 0, 0]}, b: {joint: free}}\n");
    // 1000 N of 2000; the wire's own weight is 0.1 N of it at most
    assert_close(Read(world, "wire.tension.use"), 0.5, 1e-4);
    // what cannot part has no such channel
    assert_int_equal(hwWorld_FindChannel(world, "other.tension.use"), -1);
    hwDestroyWorld(world);
}

// An arm of 10 kg, its centre 1 m out, held level: 98.1 N m. Then driven with 30 N m and 100 W at the most.
static void effort_and_power_over_their_bounds(void** state) {
    (void)state;
    hwWorld* world = MakeWorld(
        "hawser: 1\nduration: 1\nenvironment: {gravity: 9.81}\nmechanisms:\n"
        "  - name: crane\n    base: {on: earth}\n    links:\n"
        "      - {name: boom, parent: base, joint: revolute, frame: {axis: [0, 1, 0]}, mass: 10, com: [1, "
        "0, 0], inertia: [1, 1, 1],\n"
        "         control: {mode: position, kp: 1e5, ki: 0, kd: 1e4, limit: 400, power: 100}}\n");
    hwError error;
    if (hwWorld_Step(world, 5.0, &error) < HW_OK) fail_msg("%s", error.message);
    double effort = Read(world, "crane.boom.effort"), rate = Read(world, "crane.boom.qd");
    assert_close(fabs(effort), 98.1, 0.1);
    assert_close(Read(world, "crane.boom.effort.use"), fabs(effort) / 400.0, 1e-12);
    assert_close(Read(world, "crane.boom.power"), effort * rate, 1e-12);
    assert_close(Read(world, "crane.boom.power.use"), fmax(effort * rate, 0.0) / 100.0, 1e-12);
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tension_over_break_is_that_of_the_weakest_piece),
        cmocka_unit_test(effort_and_power_over_their_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
