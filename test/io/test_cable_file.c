// Cable files: those that come with Hawser, sections that name one, and what is refused.
#define _XOPEN_SOURCE 700
#include "scene_text.h"

#include "cable_file.h"
#include "hawser/hawser.h"
#include "scene_store.h"

#include <math.h>

#include <sys/stat.h>
#include <unistd.h>

#define HEAD "hawser: 1\nduration: 1\ncables:\n  - name: wire\n    sections: [{length: 10, "
#define TAIL "}]\n    ends: {a: {on: earth}, b: {joint: free}}\n"

static double ReadWeight(const char* text) {
    hwError error;
    hwScene* scene = Take(text);
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    if (world == NULL) fail_msg("%s", error.message);
    double weight = -hwWorld_ReadChannel(world, hwWorld_FindChannel(world, "wire.energy.potential"));
    hwDestroyWorld(world);
    hwDestroyScene(scene);
    return weight / (5.0 * 9.81 * 10.0); // kg/m, of ten metres hanging from z = 0
}

// Every one loads, says where its numbers come from, and is plausible: of a density between fibres and steel, not stiffer
// than a solid steel bar, and parting at a strain of 0.3 to 30 %.
static void cables_that_come_along_are_plausible(void** state) {
    (void)state;
    assert_true(hwCableFile_GetBuiltInCount() >= 10);
    for (int i = 0; i < hwCableFile_GetBuiltInCount(); ++i) {
        const char* name = hwCableFile_GetBuiltIn(i);
        hwStore store;
        hwStore_Init(&store, NULL);
        hwCableFile file;
        hwError error;
        if (!hwLoadCableFile(&store, name, NULL, &file, &error)) fail_msg("%s: %s", name, error.message);
        double d = file.section.diameter, area = 0.25 * HW_PI * d * d;
        double density = file.section.massPerLength / area, modulus = file.section.EA / area;
        if (!(density > 500.0 && density < 7900.0)) fail_msg("%s has the density %g", name, density);
        if (!(modulus < 210e9 && modulus > 1e7)) fail_msg("%s has the modulus %g", name, modulus);
        double strain = file.section.breakLoad / file.section.EA;
        if (!(strain > 0.003 && strain < 0.5)) fail_msg("%s parts at a strain of %g", name, strain);
        if (!(file.section.EI <= modulus * HW_PI / 64.0 * d * d * d * d))
            fail_msg("%s is too stiff in bending", name);
        assert_true(strlen(file.source) > 40 && strlen(file.title) > 5);
        hwStore_Free(&store);
    }
    assert_null(hwCableFile_GetBuiltIn(-1));
}

static void section_takes_what_it_does_not_say(void** state) {
    (void)state;
    double own = ReadWeight(HEAD "type: wire_rope_24" TAIL);
    assert_true(fabs(own - 2.356) < 0.01); // EN 12385-4: 0.409 * 5.76; EA lengthens it a little
    assert_true(fabs(ReadWeight(HEAD "type: wire_rope_24, mass_per_length: 5" TAIL) - 5.0) < 0.01);
    // a density goes with the file's diameter: 1000 * pi/4 * 0.024^2
    assert_true(fabs(ReadWeight(HEAD "type: wire_rope_24, density: 1000" TAIL) - 0.4524) < 0.001);
}

static void RefuseCable(const char* text, int line, const char* part) {
    hwError error;
    hwScene* scene = hwParseScene(text, strlen(text), "test.yaml", NULL, &error);
    assert_null(scene);
    if (strstr(error.message, part) == NULL) fail_msg("\"%s\" lacks \"%s\"", error.message, part);
    assert_int_equal(error.line, line);
}

static void unknown_cables_are_refused(void** state) {
    (void)state;
    RefuseCable(HEAD "type: wire_rope_25" TAIL, 5, "did you mean `wire_rope_24`");
    RefuseCable(HEAD "type: no_such_thing_at_all" TAIL, 5, "there is no cable `no_such_thing_at_all`");
    RefuseCable(HEAD "type: ../../etc/passwd" TAIL, 5, "there is no cable");
    RefuseCable(HEAD "diameter: 0.1" TAIL, 5, "or a `type`");
}

// A folder `cables` beside the scene comes first; a mistake in a file is told with its line there.
static void files_near_the_scene_come_first(void** state) {
    (void)state;
    char folder[] = "/tmp/hawser-cables-XXXXXX", path[128];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/cables", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof(path), "%s/cables/wire_rope_24.yaml", folder);
    WriteText(path,
              "hawser_cable: 1\ntitle: mine\nsource: mine\ndiameter: 0.1\nmass_per_length: 7\nEA: 1e9\n");
    char scene[128];
    snprintf(scene, sizeof(scene), "%s/scene.yaml", folder);
    WriteText(scene, HEAD "type: wire_rope_24" TAIL);
    hwError error;
    hwScene* loaded = hwLoadScene(scene, &error);
    assert_non_null(loaded);
    hwWorld* world = hwScene_CreateWorld(loaded, NULL, &error);
    assert_non_null(world);
    double potential = hwWorld_ReadChannel(world, hwWorld_FindChannel(world, "wire.energy.potential"));
    assert_true(fabs(potential + 7.0 * 9.81 * 50.0) < 0.1);
    hwDestroyWorld(world);
    hwDestroyScene(loaded);
    WriteText(scene, HEAD "type: cables/wire_rope_24.yaml" TAIL);
    loaded = hwLoadScene(scene, &error);
    assert_non_null(loaded);
    hwDestroyScene(loaded);
    WriteText(path,
              "hawser_cable: 1\ntitle: mine\nsource: mine\ndiameter: -0.1\nmass_per_length: 7\nEA: 1e9\n");
    assert_null(hwLoadScene(scene, &error));
    assert_non_null(strstr(error.message, "line 4"));
    assert_int_equal(error.line, 5);
    unlink(path);
    unlink(scene);
    snprintf(path, sizeof(path), "%s/cables", folder);
    rmdir(path);
    rmdir(folder);
}

// The guide names every one of them.
static void guide_lists_them(void** state) {
    (void)state;
    FILE* file = fopen(HAWSER_SOURCE_DIR "/docs/cables.md", "r");
    assert_non_null(file);
    static char text[100000];
    text[fread(text, 1, sizeof(text) - 1, file)] = 0;
    fclose(file);
    for (int i = 0; i < hwCableFile_GetBuiltInCount(); ++i) {
        char name[80];
        snprintf(name, sizeof(name), "`%s`", hwCableFile_GetBuiltIn(i));
        if (strstr(text, name) == NULL) fail_msg("docs/cables.md does not name %s", name);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cables_that_come_along_are_plausible),
        cmocka_unit_test(section_takes_what_it_does_not_say),
        cmocka_unit_test(unknown_cables_are_refused),
        cmocka_unit_test(files_near_the_scene_come_first),
        cmocka_unit_test(guide_lists_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
