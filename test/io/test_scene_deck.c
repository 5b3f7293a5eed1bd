// Deck systems in scenes: cables over sheaves, heave compensation, hooks that catch and let go.
#include "scene_text.h"

#include "hawser/hawser.h"

#include <math.h>
#include <stdio.h>

#define HEAD "hawser: 1\nduration: 1\n"

static void Step(hwWorld* world, double time) {
    hwError error;
    if (hwWorld_Step(world, time, &error) < HW_OK) fail_msg("%s", error.message);
}

// Two sections and a sheave: the legs have what the sections say, ends and winch are where they belong.
static void LegsAreCutFromSections(void** state) {
    (void)state;
    hwScene* scene =
        Take(HEAD "bodies: [{name: hook, mass: 100, inertia: [1, 1, 1], position: [0, 0, -6]}]\n"
                  "cables:\n"
                  "  - name: wire\n"
                  "    sections:\n"
                  "      - {length: 4, elements: 4, diameter: 0.02, mass_per_length: 1, EA: 1e6}\n"
                  "      - {length: 12, elements: 6, diameter: 0.03, mass_per_length: 2, EA: 2e6}\n"
                  "    ends: {a: {on: earth, at: [-10, 0, 0]}, b: {on: hook}}\n"
                  "    via: [{name: sheave, on: earth, at: [0, 0, 0], length: 10, inertia: 1, radius: 0.2}]\n"
                  "winches: [{name: winch, cable: wire, end: a, setpoint: 0.1}]\n"
                  "events: [{at: 0.5, detach: wire.b}]\n");
    hwWorld* world = MakeWorld(scene);
    hwDestroyScene(scene);
    assert_true(Channel(world, "wire.length") == 10.0 && Channel(world, "wire_2.length") == 6.0);
    hwCableView view;
    assert_int_equal(hwCable_GetView(world, hwWorld_FindCable(world, "wire"), &view, NULL), HW_OK);
    assert_int_equal(view.elementCount, 4 + 3);
    assert_int_equal(hwCable_GetView(world, hwWorld_FindCable(world, "wire_2"), &view, NULL), HW_OK);
    assert_int_equal(view.elementCount, 3);
    hwSheaveState sheave;
    assert_int_equal(hwSheave_GetState(world, hwWorld_FindSheave(world, "sheave"), &sheave, NULL), HW_OK);
    assert_true(fabs(sheave.angle - 0.5 * HW_PI) < 1e-9);
    Step(world, 0.25);
    assert_true(Channel(world, "wire_2.b.tension") > 0.0 && Channel(world, "winch.rate") > 0.09);
    Step(world, 0.5);
    assert_true(Channel(world, "wire_2.b.tension") == 0.0); // let go
    hwDestroyWorld(world);
}

static void MistakesHaveTheirPlace(void** state) {
    (void)state;
    static const char format[] = HEAD "cables:\n"
                                      "  - name: wire\n"
                                      "    sections: [{length: 20, diameter: 0.02, density: 500, EA: 4e6}]\n"
                                      "    ends: {a: {on: earth}, b: {joint: free}}\n"
                                      "    via:\n"
                                      "      - {on: %s, length: %s}\n%s";
    char text[600];
    snprintf(text, sizeof(text), format, "earth", "25", "");
    RefuseAt(text, 8, 9, "leave nothing of the cable's 20 m");
    snprintf(text, sizeof(text), format, "nowhere", "5", "");
    RefuseAt(text, 8, 0, "nowhere");
    snprintf(text, sizeof(text), format, "earth", "5", "    masses: [{at: 2, mass: 1}]\n");
    RefuseAt(text, 4, 0, "without `masses`");
    static const char legs[] = HEAD "cables:\n"
                                    "  - name: wire\n"
                                    "    sections: [{length: 20, diameter: 0.02, density: 500, EA: 4e6}]\n"
                                    "    ends: {a: {on: earth}, b: {on: earth, at: [30, 0, 0]}}\n"
                                    "    via: [{on: earth, at: [5, 0, 0], length: 5}]\n";
    hwError error;
    hwScene* scene = Take(legs);
    assert_null(hwScene_CreateWorld(scene, NULL, &error));
    assert_true(error.line == 5 && strstr(error.message, "wire_2: element 0 is stretched") != NULL);
    hwDestroyScene(scene);
    snprintf(text, sizeof(text), format, "earth", "5",
             "winches: [{name: winch, cable: wire, compensation: {on: nothing}}]\n");
    RefuseAt(text, 9, 0, "nothing");
}

// The scene in the repository: compensation takes most of the heave out, slack tag lines are let go.
static void SheaveAndTagLines(void** state) {
    (void)state;
    hwError error;
    hwScene* scene = hwLoadScene(HAWSER_SOURCE_DIR "/scenes/sheave_and_tag_lines.yaml", &error);
    if (scene == NULL) fail_msg("%d: %s", error.line, error.message);
    hwWorld* world = MakeWorld(scene);
    hwDestroyScene(scene);
    double heave[2];
    for (int part = 0; part < 2; part++) {
        Step(world, part == 0 ? 4.0 : 12.0);
        double low = 1e9, high = -1e9;
        for (int i = 0; i < 160; i++) {
            Step(world, 0.05);
            low = fmin(low, Channel(world, "load.position.z"));
            high = fmax(high, Channel(world, "load.position.z"));
        }
        heave[part] = 0.5 * (high - low);
    }
    assert_true(heave[0] > 0.6);            // the ship's heave is 0.8 m
    assert_true(heave[1] < 0.4 * heave[0]); // roll and tag lines are left
    hwIncident list[256];
    for (int i = 0; i < 400; i++) Step(world, 0.05);
    int count = hwWorld_GetIncidents(world, 256, list), released = 0;
    for (int i = 0; i < count; i++) released += list[i].kind == HW_INCIDENT_DETACHED;
    assert_int_equal(released, 2);
    hwDestroyWorld(world);
}

// Thirteen legs: 36 m hauled in lift the block by a twelfth of that, in the phase of the heave in which it started.
static void TwelveFalls(void** state) {
    (void)state;
    hwError error;
    hwScene* scene = hwLoadScene(HAWSER_SOURCE_DIR "/scenes/twelve_fall_reeving.yaml", &error);
    if (scene == NULL) fail_msg("%d: %s", error.line, error.message);
    hwWorld* world = MakeWorld(scene);
    hwDestroyScene(scene);
    double z = Channel(world, "block.position.z");
    // bearings lose 2 % of the tension on each sheave once it turns; at rest all falls pull alike
    assert_true(
        fabs(Channel(world, "wire_2.element[0].tension") / Channel(world, "wire_13.element[0].tension") -
             1.0) < 0.01);
    for (int i = 0; i < 54 * 60; i++) Step(world, 1.0 / 60.0);
    assert_true(fabs(Channel(world, "block.position.z") - z - 3.0) < 0.1); // the roll is in another phase
    double length = 0.0;
    hwCableView view;
    for (int i = 1; i <= 13; i++) {
        char name[16];
        snprintf(name, sizeof(name), i > 1 ? "wire_%d" : "wire", i);
        assert_int_equal(hwCable_GetView(world, hwWorld_FindCable(world, name), &view, NULL), HW_OK);
        length += view.length;
    }
    assert_true(fabs(length + 36.0 - 277.046) < 0.05); // the winch follows its set point with 0.5 m/s2
    hwDestroyWorld(world);
}

static hwWorld* LoadWithThreads(const char* name, int threads) {
    char path[256], text[32768];
    snprintf(path, sizeof(path), HAWSER_SOURCE_DIR "/scenes/%s.yaml", name);
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof(text), file);
    fclose(file);
    assert_true(size > 0 && size + 64 < sizeof(text));
    text[size] = 0;
    char given[32];
    int length = snprintf(given, sizeof(given), "threads: %d, ", threads);
    char* solver = strstr(text, "\nsolver: {");
    if (solver == NULL) {
        size += (size_t)snprintf(text + size, sizeof(text) - size, "\nsolver: {threads: %d}\n", threads);
    } else {
        solver += strlen("\nsolver: {");
        memmove(solver + length, solver, strlen(solver) + 1);
        memcpy(solver, given, (size_t)length);
        size += (size_t)length;
    }
    hwError error;
    hwScene* scene = hwParseScene(text, size, name, HAWSER_SOURCE_DIR "/scenes", &error);
    if (scene == NULL) fail_msg("%d: %s", error.line, error.message);
    assert_int_equal(hwScene_GetInfo(scene)->threads, threads);
    hwWorld* world = MakeWorld(scene);
    hwDestroyScene(scene);
    return world;
}

// Waves, ships by response operators, contact, winches, sheaves and events: the same bits with one thread and with two.
static void ThreadsDoNotMatter(void** state) {
    (void)state;
    const char* names[] = {"all_sim_objects", "launch_and_recovery", "two_crane_lift", "replenishment_at_sea",
                           "flagship"};
    for (int k = 0; k < 5; ++k) {
        hwWorld* one = LoadWithThreads(names[k], 1);
        hwWorld* two = LoadWithThreads(names[k], 2);
        for (int i = 0; i < 8; ++i) {
            Step(one, 0.5);
            Step(two, 0.5);
            if (hwWorld_HashState(one) != hwWorld_HashState(two)) {
                fail_msg("%s differs at %g s", names[k], hwWorld_GetTime(one));
            }
        }
        hwDestroyWorld(one);
        hwDestroyWorld(two);
    }
}

typedef struct Rows {
    int count, velocity;
    double worst; // m/s off the closed form
} Rows;

static double TakeRow(const hwWorld* world, void* context) {
    Rows* rows = context;
    double time = hwWorld_GetTime(world);
    // 30 and 20 kg, once their bouncing has died down
    if (time >= 0.5) {
        double off = hwWorld_ReadChannel(world, rows->velocity) + 9.81 * time / 5.0;
        rows->worst = fmax(rows->worst, fabs(off));
    }
    rows->count += 1;
    return 0.01 * rows->count;
}

// Atwood's machine on wire that weighs next to nothing: its elements come and go at the sheave at 4 m/s, and what is found between
// steps is as good as the steps. One row had velocities of 1e43 m/s.
static void RowsAreThereWhereWireRunsFast(void** state) {
    (void)state;
    hwError error;
    hwScene* scene =
        Take("hawser: 1\nduration: 2.4\nbodies:\n"
             "  - {name: m1, mass: 30, inertia: [1, 1, 1], position: [0, 0, -5]}\n"
             "  - {name: m2, mass: 20, inertia: [1, 1, 1], position: [0, 0, -10]}\n"
             "contact: {off: true}\ncables:\n  - name: c\n"
             "    sections: [{length: 15, elements: 15, diameter: 0.01, mass_per_length: 1e-4, EA: 1e5,\n"
             "                damping: {axial: 4000}, drag: {normal: 0, tangential: 0}}]\n"
             "    ends: {a: {on: m1}, b: {on: m2}}\n"
             "    via: [{name: sheave, on: earth, at: [0, 0, 0], length: 5}]\n");
    hwWorld* world = MakeWorld(scene);
    hwScene_UseRunSolver(world);
    hwDestroyScene(scene);
    Rows rows = {.velocity = hwWorld_FindChannel(world, "m1.velocity.z")};
    assert_int_equal(hwWorld_SetSampler(world, 0.0, TakeRow, &rows, &error), HW_OK);
    Step(world, 2.4);
    assert_true(rows.count >= 239);
    if (rows.worst > 0.05) fail_msg("velocities off by %g m/s", rows.worst);
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(LegsAreCutFromSections), cmocka_unit_test(MistakesHaveTheirPlace),
        cmocka_unit_test(SheaveAndTagLines),      cmocka_unit_test(TwelveFalls),
        cmocka_unit_test(ThreadsDoNotMatter),     cmocka_unit_test(RowsAreThereWhereWireRunsFast),
    };
    return cmocka_run_group_tests(tests, MakeFolder, NULL);
}
