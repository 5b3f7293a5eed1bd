// Marine growth on cables: weight in water by hand, and the same as a cable that is given thicker and heavier.
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

static hwWorld* MakeWorld(double current, const char* section) {
    char text[1000];
    snprintf(text, sizeof(text),
             "hawser: 1\nname: line\nduration: 1\nstart: {statics: true}\nenvironment: {water: {density: "
             "1025}, current: "
             "[%g, 0, 0]}\n"
             "cables:\n  - name: line\n    sections: [{length: 50, elements: 10, EA: 1e8, %s}]\n"
             "    ends: {a: {on: earth, at: [0, 0, -5]}, b: {joint: free}}\n",
             current, section);
    hwError error;
    hwScene* scene = hwParseScene(text, strlen(text), "line.yaml", NULL, &error);
    if (!scene) fail_msg("%s", error.message);
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    if (!world) fail_msg("%s", error.message);
    hwDestroyScene(scene);
    return world;
}

static double Read(const hwWorld* world, const char* channel) {
    return hwWorld_ReadChannel(world, hwWorld_FindChannel(world, channel));
}

static void WeightIsThatOfTheLayer(void** state) {
    (void)state;
    static const char plainText[] = "diameter: 0.1, mass_per_length: 60";
    static const char grownText[] = "diameter: 0.1, mass_per_length: 60, growth: {thickness: 0.05}";
    hwWorld *plain = MakeWorld(0.0, plainText), *grown = MakeWorld(0.0, grownText);
    // in water: (m - rho A) g L, and a layer of pi/4 (0.2^2 - 0.1^2) m2 of 1325 kg/m3; statics leave 1e-8 of the force
    double layer = 0.25 * HW_PI * (0.04 - 0.01), core = 0.25 * HW_PI * 0.01;
    assert_close(Read(plain, "line.a.force.z"), -(60.0 - 1025.0 * core) * 9.81 * 50.0, 1e-2);
    assert_close(Read(grown, "line.a.force.z"),
                 -(60.0 + 1325.0 * layer - 1025.0 * (core + layer)) * 9.81 * 50.0, 1e-2);
    hwDestroyWorld(plain);
    hwDestroyWorld(grown);
    plain = MakeWorld(0.2, plainText);
    grown = MakeWorld(0.2, grownText);
    // twice the diameter, twice the force of the current on a line that hangs nearly straight
    double ratio = Read(grown, "line.a.force.x") / Read(plain, "line.a.force.x");
    assert_true(fabs(ratio - 2.0) < 0.01);
    hwWorld* given = MakeWorld(0.2, "diameter: 0.2, mass_per_length: 91.21957699504857");
    assert_close(Read(given, "line.a.force.z"), Read(grown, "line.a.force.z"), 1e-3);
    assert_close(Read(given, "line.a.force.x"), Read(grown, "line.a.force.x"), 1e-3);
    hwDestroyWorld(plain);
    hwDestroyWorld(grown);
    hwDestroyWorld(given);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(WeightIsThatOfTheLayer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
