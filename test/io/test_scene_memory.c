// Memory that runs out while a scene is read: at every single allocation an error, no crash, nothing lost.
#define _POSIX_C_SOURCE 200809L
#include "scene_text.h"

typedef struct Counter {
    int allocations, alive, failAt;
} Counter;

static void* Allocate(void* context, size_t size) {
    Counter* counter = context;
    if (++counter->allocations == counter->failAt) return NULL;
    counter->alive++;
    return malloc(size);
}

static void Release(void* context, void* memory) {
    ((Counter*)context)->alive--;
    free(memory);
}

static const char scene[] =
    "hawser: 1\nduration: 1\nname: x\nenvironment: {water: {}, waves: {airy: {height: 1, period: 4}}, "
    "current: [1, 0, 0]}\n"
    "materials: {steel: {young: 1}}\ncontact: {ignore: [[a, b]]}\n"
    "bodies:\n"
    "  - {name: a, mass: 1, inertia: [1, 1, 5], shapes: [{box: [1, 1, 1], material: steel}, {hull: {points: "
    "[[0, 0, 0], [1, 0, 0], "
    "[0, 1, 0], [0, 0, 1]]}, scale: 2}], drag: {strips: [{from: [0, 0, 0], to: [1, 0, 0], diameter: 1}]}}\n"
    "  - {name: b, motion: {prescribed: {position: {sum: [[0, 0, 1], {table: {time: [0, 1], value: [[0, 0, "
    "0], [1, 1, 1]]}}]}}}}\n"
    "mechanisms: [{name: m, base: {on: earth}, links: [{name: l, parent: base, joint: revolute, mass: 1, "
    "inertia: [1, 1, 1], q: 1}]}]\n"
    "cables: [{name: w, sections: [{length: 1, type: wire_rope_24}], ends: {a: {on: earth}, b: {joint: "
    "free}}}]\n"
    "forces: [{on: a, force: [0, 0, 1]}]\nevents: [{at: 1, set: {a.b: 1, c.d: word}}]\nrecord: "
    "[a.node[1].x]\n";

static hwScene* Parse(Counter* counter, hwError* error) {
    hwAllocator allocator = {Allocate, Release, counter};
    // A chunk of 0: every block is an allocation of its own.
    return hwParseScene_With(&allocator, 0, scene, sizeof(scene) - 1, "test.yaml", NULL, error);
}

static void EveryFailureIsReportedAndNothingIsLost(void** state) {
    (void)state;
    Counter counter = {0};
    hwError error;
    hwScene* good = Parse(&counter, &error);
    if (good == NULL) fail_msg("%s", error.message);
    int total = counter.allocations;
    assert_true(total > 300);
    hwDestroyScene(good);
    assert_int_equal(counter.alive, 0);
    for (int i = 1; i <= total; i++) {
        counter = (Counter){.failAt = i};
        assert_null(Parse(&counter, &error));
        assert_int_equal(error.status, HW_ERROR_MEMORY);
        assert_int_equal(counter.alive, 0);
    }
}

static void ErrorsMayBeIgnored(void** state) {
    (void)state;
    assert_null(hwParseScene("hawser: x", 9, NULL, NULL, NULL));
    assert_null(hwLoadScene("/nowhere", NULL));
    hwDestroyScene(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(EveryFailureIsReportedAndNothingIsLost),
        cmocka_unit_test(ErrorsMayBeIgnored),
    };
    return cmocka_run_group_tests(tests, MakeFolder, NULL);
}
