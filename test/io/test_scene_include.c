// Scenes that build on others, and scenes written back as text.
#define _XOPEN_SOURCE 700 // mkdtemp
#include "hawser/scene.h"
#include "support.h"

#include <stdlib.h>

static hwScene* Parse(const char* text, hwError* error) {
    return hwParseScene(text, strlen(text), "test", NULL, error);
}

static void TestIncludedObjectsComeFirst(void** state) {
    (void)state;
    hwError error;
    hwScene* scene = Parse(
        "hawser: 1\ninclude: open_water\nname: mine\nduration: 5\n"
        "environment: {water: {density: 1000}}\n"
        "bodies:\n  - {name: boat, position: [1, 2, 0.1]}\n  - {name: ball, mass: 2, inertia: [1, 1, 1]}\n",
        &error);
    assert_string_equal(error.message, "");
    assert_non_null(scene);
    const hwSceneInfo* info = hwScene_GetInfo(scene);
    assert_string_equal(info->name, "mine");
    assert_string_equal(info->included, "open_water");
    assert_true(info->duration == 5.0);
    assert_true(info->trainer.present);
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    assert_non_null(world);
    hwBodyId ids[8];
    int count = hwWorld_GetBodies(world, 8, ids);
    assert_string_equal(hwBody_GetName(world, ids[0]), "boat");
    bool ball = false;
    for (int i = 0; i < count; ++i) ball = ball || strcmp(hwBody_GetName(world, ids[i]), "ball") == 0;
    assert_true(ball);
    // replaced: where the boat is; kept: that it is moved by the sea
    assert_true(hwBody_GetDef(world, ids[0])->position.y == 2.0);
    assert_int_equal(hwBody_GetDef(world, ids[0])->motion, HW_MOTION_PRESCRIBED);
    // replaced: the density; kept beside it: the seabed
    assert_true(hwWorld_GetSeabed(world, 0.0, 0.0, NULL) == -60.0);
    hwDestroyWorld(world);
    hwDestroyScene(scene);
}

static uint64_t RunHash(const hwScene* scene) {
    hwError error;
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    assert_non_null(world);
    for (int i = 0; i < 20; ++i) assert_true(hwWorld_Step(world, 0.05, &error) >= HW_OK);
    uint64_t hash = hwWorld_HashState(world);
    hwDestroyWorld(world);
    return hash;
}

static void TestWrittenTextIsTheSameScene(void** state) {
    (void)state;
    static const char* const texts[] = {
        "hawser: 1\ninclude: rectangular_pool\nname: 'it''s: \"a, b\" #1'\n"
        "vehicles:\n  - {name: rov, model: bluerov2_heavy, position: [0, 0, -2]}\n",
        "hawser: 1\nduration: 1\nname: '12'\nbodies: [{name: a-b, mass: 1, inertia: [1, 2, 3], velocity: "
        "[1e-3, -.5, +2]}]\n"
        "record: [\"a-b.position.*\"]\n",
    };
    for (int i = 0; i < 2; ++i) {
        hwError error;
        hwScene* scene = Parse(texts[i], &error);
        assert_string_equal(error.message, "");
        char* text = hwScene_WriteText(scene);
        assert_null(strstr(text, "include"));
        hwScene* again = Parse(text, &error);
        assert_string_equal(error.message, "");
        assert_string_equal(hwScene_GetInfo(again)->name, hwScene_GetInfo(scene)->name);
        assert_int_equal(hwScene_GetInfo(again)->recordCount, hwScene_GetInfo(scene)->recordCount);
        assert_true(RunHash(again) == RunHash(scene));
        char* twice = hwScene_WriteText(again);
        assert_string_equal(twice, text);
        free(twice);
        free(text);
        hwDestroyScene(again);
        hwDestroyScene(scene);
    }
}

static void AssertRefused(const char* text, int line, const char* part) {
    hwError error;
    assert_null(Parse(text, &error));
    assert_int_equal(error.line, line);
    if (strstr(error.message, part) == NULL) fail_msg("`%s` is not in: %s", part, error.message);
}

static void TestMistakesAreNamed(void** state) {
    (void)state;
    AssertRefused("hawser: 1\ninclude: open_watr\nduration: 1\n", 2, "did you mean `open_water`?");
    AssertRefused("hawser: 1\nduration: 1\ninclude: [open_water]\n", 3, "`include` must be the name");
    // no folder, no files
    AssertRefused("hawser: 1\ninclude: other.yaml\nduration: 1\n", 2, "there is no surroundings");
    // a mistake in what goes over the included scene is at its own place
    AssertRefused("hawser: 1\ninclude: open_water\nbodies:\n  - {name: boat, mas: 3}\n", 4, "mas");
}

static void TestMistakesInTheIncludedFile(void** state) {
    (void)state;
    char folder[] = "/tmp/hawser-include-XXXXXX", path[64], text[200];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/base.yaml", folder);
    FILE* file = fopen(path, "w");
    fputs("hawser: 1\nduration: 1\nbodies:\n  - {name: a, mass: -1}\n", file);
    fclose(file);
    snprintf(text, sizeof(text), "hawser: 1\n\ninclude: base.yaml\n");
    hwError error;
    assert_null(hwParseScene(text, strlen(text), "test", folder, &error));
    assert_int_equal(error.line, 3);
    assert_non_null(strstr(error.message, "base.yaml`, line 4: "));
    remove(path);
    remove(folder);
}

// One level: a scene that includes itself is refused like any that includes another, however long the ring.
static void TestIncludesDoNotGoInCircles(void** state) {
    (void)state;
    char folder[] = "/tmp/hawser-include-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    const char* const names[] = {"a.yaml", "b.yaml"};
    for (int i = 0; i < 2; ++i) {
        snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
        FILE* file = fopen(path, "w");
        fprintf(file, "hawser: 1\nduration: 1\ninclude: %s\n", names[1 - i]);
        fclose(file);
    }
    snprintf(path, sizeof(path), "%s/own.yaml", folder);
    FILE* own = fopen(path, "w");
    fputs("hawser: 1\nduration: 1\ninclude: own.yaml\n", own);
    fclose(own);
    const char* const begins[] = {"own.yaml", "a.yaml"};
    for (int i = 0; i < 2; ++i) {
        hwError error;
        snprintf(path, sizeof(path), "%s/%s", folder, begins[i]);
        assert_null(hwLoadScene(path, &error));
        assert_int_equal(error.line, 3);
        assert_non_null(strstr(error.message, "an included scene must not include another one"));
        remove(path);
    }
    snprintf(path, sizeof(path), "%s/b.yaml", folder);
    remove(path);
    remove(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestIncludedObjectsComeFirst), cmocka_unit_test(TestWrittenTextIsTheSameScene),
        cmocka_unit_test(TestMistakesAreNamed),         cmocka_unit_test(TestMistakesInTheIncludedFile),
        cmocka_unit_test(TestIncludesDoNotGoInCircles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
