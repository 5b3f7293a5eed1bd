// Tension by a table, bend restrictors and stiffeners in scenes: what they do, and their mistakes.
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

// A clamped line of 4 m with 500 kg at its other end.
static hwWorld* TryWorld(const char* section, const char* end, hwError* error) {
    char text[2000];
    snprintf(text, sizeof(text),
             "hawser: 1\nname: line\nduration: 1\nstart: {statics: true}\nenvironment: {}\n"
             "bodies: [{name: load, mass: 500, inertia: [10, 10, 10], position: [3, 0, -2]}]\ncables:\n"
             "  - name: line\n"
             "    sections: [{length: 4, elements: 20, diameter: 0.1, mass_per_length: 8, %s}]\n"
             "    ends:\n      a: {on: earth, %s}\n      b: {on: load}\n",
             section, end);
    hwScene* scene = hwParseScene(text, strlen(text), "line.yaml", NULL, error);
    if (scene == NULL) return NULL;
    hwWorld* world = hwScene_CreateWorld(scene, NULL, error);
    hwDestroyScene(scene);
    return world;
}

#define CLAMP "joint: clamp, p1: [0, 1, 0], p2: [0, 0, 1]" // along x

static double Read(const hwWorld* world, const char* channel) {
    return hwWorld_ReadChannel(world, hwWorld_FindChannel(world, channel));
}

// Largest curvature anywhere, and at the first node inside the stiffener's length.
static double FindLargest(hwWorld* world) {
    static hwVec3 curvatures[200];
    hwError error;
    hwCableId line = hwWorld_FindCable(world, "line");
    hwCableView view;
    assert_int_equal(hwCable_GetView(world, line, &view, &error), HW_OK);
    assert_int_equal(hwCable_GetCurvatures(world, line, 200, curvatures, &error), HW_OK);
    double most = 0.0;
    for (int i = 0; i < view.nodeCount; ++i) most = fmax(most, hwLength(curvatures[i]));
    return most;
}

static hwWorld* MakeWorld(const char* section, const char* end) {
    hwError error;
    hwWorld* world = TryWorld(section, end, &error);
    if (world == NULL) fail_msg("%s", error.message);
    return world;
}

static void StiffenersAndRestrictorsLimitBending(void** state) {
    (void)state;
    hwWorld* bare = MakeWorld("EA: 1e7, EI: 2e3", CLAMP);
    hwWorld* cone = MakeWorld("EA: 1e7, EI: 2e3", CLAMP
                              ", stiffener: {length: 1.5, root: 0.24, tip: 0.12, young: 1e8, density: 1100}");
    hwWorld* shells = MakeWorld("EA: 1e7, EI: 2e3, restrictor: {radius: 2, stiffness: 1e6}", CLAMP);
    // bent by 90 degrees in sqrt(EI/F): sharper than 1.5 1/m; each of the two halves it at least
    double most = FindLargest(bare);
    assert_true(most > 1.5);
    assert_true(FindLargest(cone) < 0.5 * most);
    // beyond 1/2 m by the moment over the stiffness: at most 5 kN 4 m / 1e6
    assert_true(FindLargest(shells) > 0.5 && FindLargest(shells) < 0.5 + 0.02);
    // the cone weighs rho pi/12 L (D^2 + D d + d^2 - 3 bore^2)
    double extra = 1100.0 * HW_PI / 12.0 * 1.5 * (0.0576 + 0.0288 + 0.0144 - 3.0 * 0.01) * 9.81;
    assert_close(Read(cone, "line.a.force.z") - Read(bare, "line.a.force.z"), -extra, 1e-2);
    hwDestroyWorld(bare);
    hwDestroyWorld(cone);
    hwDestroyWorld(shells);
}

static void CountWarnings(hwLogLevel level, const char* text, void* context) {
    (void)text;
    if (level == HW_LOG_WARNING) *(int*)context += 1;
}

// Whose end is free starts where its clamp points, upwards here, and stands: it had hung down from a fold in the clamp.
static void RodsStandOnTheirClamps(void** state) {
    (void)state;
    static const char format[] = "hawser: 1\nduration: 1\nstart: {statics: true}\ncables:\n  - name: rod\n"
                                 "    sections: [{length: 2, elements: 20, diameter: 0.05, mass_per_length: "
                                 "6, EA: 1e7, EI: %s, compression: 1}]\n"
                                 "    ends: {%s: {on: earth, at: [0, 0, 1], joint: clamp, p1: %s, p2: [0, 1, "
                                 "0]}, %s: {joint: free}}\n";
    static const char* const cases[][4] = {
        {"1e4", "a", "[1, 0, 0]", "b"}, {"1e4", "b", "[-1, 0, 0]", "a"}, {"0", "a", "[1, 0, 0]", "b"}};
    for (int i = 0; i < 3; ++i) {
        char text[500];
        snprintf(text, sizeof(text), format, cases[i][0], cases[i][1], cases[i][2], cases[i][3]);
        hwError error = {0};
        hwScene* scene = hwParseScene(text, strlen(text), "rod.yaml", NULL, &error);
        assert_non_null(scene);
        hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
        if (world == NULL) fail_msg("%s", error.message);
        const char* top = i == 1 ? "rod.node[0].position.z" : "rod.node[20].position.z";
        assert_close(Read(world, top), i == 2 ? -1.0 : 3.0, 1e-4);
        assert_close(Read(world, i == 1 ? "rod.b.force.z" : "rod.a.force.z"), -6.0 * 2.0 * 9.81, 1e-3);
        hwDestroyWorld(world);
        hwDestroyScene(scene);
    }
}

// A hose in shells that sticks out of a wall hangs down beside it. Place of its end and moment at the wall by an integration of
// M' = -w (L - s) cos a, a' = k(M) outside of this program (collocation, 1e-8), without stretch; 120 elements leave 1e-3. Newton's
// method alone goes from one set of locked joints to another here, and letting the hose fall took half a minute.
static void FineRestrictorsFindTheirRest(void** state) {
    (void)state;
    static const char text[] =
        "hawser: 1\nduration: 1\nstart: {statics: true}\ncables:\n  - name: hose\n"
        "    sections: [{length: 3, elements: 120, diameter: 0.05, mass_per_length: 6, EA: 1e7, EI: 60, "
        "restrictor: {radius: 1.5, stiffness: 1000}}]\n"
        "    ends: {a: {on: earth, " CLAMP "}, b: {joint: free}}\n";
    hwError error = {0};
    int warnings = 0;
    hwWorldDef def = hwDefaultWorldDef();
    def.log = CountWarnings;
    def.logContext = &warnings;
    hwScene* scene = hwParseScene(text, strlen(text), "hose.yaml", NULL, &error);
    assert_non_null(scene);
    hwWorld* world = hwScene_CreateWorld(scene, &def, &error);
    if (world == NULL) fail_msg("%s", error.message);
    assert_int_equal(warnings, 0);
    assert_close(Read(world, "hose.node[120].position.x"), 1.767094, 1e-3);
    assert_close(Read(world, "hose.node[120].position.z"), -2.146843, 1e-3);
    assert_close(Read(world, "hose.a.moment.y"), 192.932, 1e-3 * 192.932);
    hwDestroyWorld(world);
    hwDestroyScene(scene);
}

static void TensionFollowsTheTable(void** state) {
    (void)state;
    hwWorld* world =
        MakeWorld("stiffness_table: {strain: [0, 0.01, 0.05], tension: [0, 4e3, 12e3]}", "joint: pin");
    // 500 kg and, on average, 2 m of line: the strain of the second row's slope, 2e5 N
    double tension = 9.81 * (500.0 + 16.0), strain = 0.01 + (tension - 4e3) / 2e5;
    assert_close(-Read(world, "load.position.z"), 4.0 * (1.0 + strain), 1e-5);
    hwDestroyWorld(world);
}

static void MistakesHaveTheirPlace(void** state) {
    (void)state;
    static const char* const texts[][3] = {
        {"EA: 1e7, stiffness_table: {strain: [0, 1], tension: [0, 1]}", "joint: pin", "EA"},
        {"stiffness_table: {strain: [0, 0.1], tension: [0, 1, 2]}", "joint: pin", "have 2 and 3"},
        {"stiffness_table: {strain: [0.1, 0.2], tension: [0, 1]}", "joint: pin",
         "`strain` must begin with 0"},
        {"stiffness_table: {strain: [0, 0.2, 0.3], tension: [0, 5, 5]}", "joint: pin", "entry 3 is 5"},
        {"EA: 1e7, restrictor: {radius: 2}", "joint: pin", "stiffness"},
        {"EA: 1e7", "joint: pin, stiffener: {length: 1, root: 0.3, tip: 0.1, young: 1e8}",
         "needs `joint: clamp`"},
        {"EA: 1e7", CLAMP ", stiffener: {length: 5, root: 0.3, tip: 0.1, young: 1e8}",
         "shorter than the section"},
        {"EA: 1e7", CLAMP ", stiffener: {length: 1, root: 0.3, tip: 0.05, young: 1e8}",
         "diameter at its tip"},
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); ++i) {
        hwError error = {0};
        hwWorld* world = TryWorld(texts[i][0], texts[i][1], &error);
        if (world != NULL) fail_msg("accepted: %s, %s", texts[i][0], texts[i][1]);
        if (strstr(error.message, texts[i][2]) == NULL) fail_msg("%s: %s", texts[i][2], error.message);
        assert_true(error.line >= 9 && error.line <= 11 && error.column > 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(StiffenersAndRestrictorsLimitBending),
        cmocka_unit_test(FineRestrictorsFindTheirRest),
        cmocka_unit_test(RodsStandOnTheirClamps),
        cmocka_unit_test(TensionFollowsTheTable),
        cmocka_unit_test(MistakesHaveTheirPlace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
