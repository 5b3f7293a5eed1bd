// Vehicles go both ways: pushed in pitch at speed they come back, ahead and astern.
#include "hawser/hawser.h"
#include "hawser/scene.h"

#include "support.h"

static void Set(hwWorld* world, const char* input, double value) {
    hwError error;
    if (hwWorld_SetInput(world, hwWorld_FindInput(world, input), value, &error) != HW_OK)
        fail_msg("%s: %s", input, error.message);
}

// Largest pitch in the two seconds after ten seconds at full command, of which one with a push of `torque` N m.
static double FindPitch(const char* model, double surge, double torque) {
    char text[300];
    hwError error;
    snprintf(text, sizeof(text),
             "hawser: 1\nduration: 20\nenvironment: {water: {}}\nvehicles: [{name: rov, model: %s, position: "
             "[0, 0, -20], armed: true, mode: manual}]\n",
             model);
    hwScene* scene = hwParseScene(text, strlen(text), "test", NULL, &error);
    if (scene == NULL) fail_msg("%s", error.message);
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    if (world == NULL) fail_msg("%s", error.message);
    int pitch = hwWorld_FindChannel(world, "rov.attitude.pitch");
    double largest = 0.0;
    Set(world, "rov.gain", 1.0);
    Set(world, "rov.pilot.surge", surge);
    for (int i = 0; i < 720; ++i) {
        Set(world, "rov.torque.y", i >= 240 && i < 300 ? torque : 0.0);
        if (hwWorld_Step(world, 1.0 / 60.0, &error) < HW_OK) fail_msg("%s", error.message);
        if (i >= 600) largest = fmax(largest, fabs(hwWorld_ReadChannel(world, pitch)));
    }
    hwDestroyWorld(world);
    hwDestroyScene(scene);
    return largest;
}

// Munk's moment would turn them over from 0.35 m/s on if nothing at the trailing end took it up: 1.1 rad and more astern.
static void test_PushedVehiclesComeBack(void** state) {
    (void)state;
    static const char* const models[] = {"bluerov2_heavy"};
    for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); ++i) {
        for (double surge = -1.0; surge <= 1.0; surge += 2.0) {
            double pitch = FindPitch(models[i], surge, 0.5);
            if (!(pitch < 0.12)) fail_msg("%s, surge %g: %g rad", models[i], surge, pitch);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_PushedVehiclesComeBack)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
