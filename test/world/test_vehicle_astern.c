// Vehicles at full stick stay upright whichever way they go: pushed in roll and pitch they come back.
#include "hawser/hawser.h"
#include "hawser/scene.h"

#include "support.h"

typedef struct Craft {
    const char* model;
    double torque; // N m: leans it by 0.2 to 0.4 rad at rest
} Craft;

static const Craft g_craft[] = {
    {"bluerov2", 0.5}, {"bluerov2_heavy", 0.5}, {"videoray_pro", 0.15}, {"work_class_rov", 1100.0}};

static void Set(hwWorld* world, const char* input, double value) {
    hwError error;
    if (hwWorld_SetInput(world, hwWorld_FindInput(world, input), value, &error) != HW_OK)
        fail_msg("%s: %s", input, error.message);
}

static hwWorld* Open(const char* model, const char* mode, hwScene** scene) {
    char text[300];
    hwError error;
    snprintf(text, sizeof(text),
             "hawser: 1\nduration: 20\nenvironment: {water: {}}\nvehicles: [{name: rov, model: %s, position: "
             "[0, 0, -40], armed: true, mode: %s}]\n",
             model, mode);
    *scene = hwParseScene(text, strlen(text), "test", NULL, &error);
    if (*scene == NULL) fail_msg("%s", error.message);
    hwWorld* world = hwScene_CreateWorld(*scene, NULL, &error);
    if (world == NULL) fail_msg("%s", error.message);
    return world;
}

// Largest roll or pitch from 10 to 12 s, pushed from 4 to 5 s.
static double FindLean(hwWorld* world, double torque) {
    hwError error;
    int roll = hwWorld_FindChannel(world, "rov.attitude.roll"),
        pitch = hwWorld_FindChannel(world, "rov.attitude.pitch");
    double largest = 0.0;
    for (int i = 0; i < 720; ++i) {
        double push = i >= 240 && i < 300 ? torque : 0.0;
        Set(world, "rov.torque.x", push);
        Set(world, "rov.torque.y", push);
        if (hwWorld_Step(world, 1.0 / 60.0, &error) < HW_OK) fail_msg("%s", error.message);
        if (i < 600) continue;
        largest = fmax(largest, fabs(hwWorld_ReadChannel(world, roll)));
        largest = fmax(largest, fabs(hwWorld_ReadChannel(world, pitch)));
    }
    return largest;
}

static void Close(hwWorld* world, hwScene* scene) {
    hwDestroyWorld(world);
    hwDestroyScene(scene);
}

// With a lifting surface at the stern the BlueROV2 turned over astern (1.6 rad), and the work-class vehicle leaned by 0.5 rad in combinations; with
// surfaces at both ends that stall the BlueROV2 still leaned by 0.6 rad where the stream comes at a large angle.
static void test_PushedVehiclesComeBack(void** state) {
    (void)state;
    static const double sticks[][3] = {{1, 0, 0},  {-1, 0, 0},  {0, 1, 0}, {1, 1, 0},  {-1, 1, 0},
                                       {1, 0, -1}, {-1, 0, -1}, {0, 1, 1}, {0, 1, -1}, {-1, 1, -1}};
    static const char* const modes[] = {"manual", "hold"}; // without and with the autopilot's levelling
    for (size_t c = 0; c < sizeof(g_craft) / sizeof(g_craft[0]); ++c) {
        for (size_t m = 0; m < 2; ++m) {
            for (size_t i = 0; i < sizeof(sticks) / sizeof(sticks[0]); ++i) {
                hwScene* scene;
                hwWorld* world = Open(g_craft[c].model, modes[m], &scene);
                Set(world, "rov.gain", 1.0);
                Set(world, "rov.pilot.surge", sticks[i][0]);
                Set(world, "rov.pilot.sway", sticks[i][1]);
                Set(world, "rov.pilot.heave", sticks[i][2]);
                double lean = FindLean(world, g_craft[c].torque);
                if (!(lean < 0.26))
                    fail_msg("%s, %s, sticks %g %g %g: %g rad", g_craft[c].model, modes[m], sticks[i][0],
                             sticks[i][1], sticks[i][2], lean);
                Close(world, scene);
            }
        }
    }
}

// The same without allocation in between, as ArduSub does it: plain commands of the four horizontal thrusters.
static void test_PlainCommandsAstern(void** state) {
    (void)state;
    static const double astern[4] = {1.0, 1.0, -1.0, -1.0}; // noses are amidships
    for (double part = 0.25; part <= 1.0; part += 0.25) {
        hwScene* scene;
        hwWorld* world = Open("bluerov2", "manual", &scene);
        for (int i = 0; i < 4; ++i) {
            char input[40];
            snprintf(input, sizeof(input), "rov.thruster[%d].command", i);
            Set(world, input, part * astern[i]);
        }
        double lean = FindLean(world, g_craft[0].torque);
        double speed = hwWorld_ReadChannel(world, hwWorld_FindChannel(world, "rov.velocity.x"));
        if (!(lean < 0.26)) fail_msg("command %g: %g rad", part, lean);
        if (part == 1.0) assert_close(speed, -0.9, 0.02);
        Close(world, scene);
    }
}

static double Read(const hwWorld* world, const char* channel) {
    return hwWorld_ReadChannel(world, hwWorld_FindChannel(world, channel));
}

// A BlueROV2 Heavy at full stick after 20 s, as docs/vehicles.md has it: rates, speeds and what it leans by.
static void test_FullStickIsAsTheDocumentationSays(void** state) {
    (void)state;
    const double degree = 3.14159265358979 / 180.0;
    for (int i = 0; i < 4; ++i) {
        hwScene* scene;
        hwWorld* world = Open("bluerov2_heavy", i % 2 == 0 ? "manual" : "stabilize", &scene);
        Set(world, "rov.gain", 1.0);
        Set(world, i < 2 ? "rov.pilot.yaw" : "rov.pilot.surge", 1.0);
        hwError error;
        for (int k = 0; k < 1200; ++k)
            if (hwWorld_Step(world, 1.0 / 60.0, &error) < HW_OK) fail_msg("%s", error.message);
        double roll = Read(world, "rov.attitude.roll") / degree,
               pitch = Read(world, "rov.attitude.pitch") / degree;
        if (i < 2) {
            assert_close(Read(world, "rov.rate.z") / degree, -271.0, 1.0);
            double lean = acos(cos(roll * degree) * cos(pitch * degree)) / degree;
            assert_close(lean, i == 0 ? 16.0 : 0.1, i == 0 ? 0.5 : 0.1);
        } else {
            assert_close(Read(world, "rov.velocity.x"), 0.90, 0.005);
            assert_close(pitch, 0.0, i == 2 ? 0.1 : 0.01);
            assert_close(roll, i == 2 ? 9.5 : 0.0, i == 2 ? 0.2 : 0.01);
        }
        Close(world, scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_PushedVehiclesComeBack),
                                       cmocka_unit_test(test_PlainCommandsAstern),
                                       cmocka_unit_test(test_FullStickIsAsTheDocumentationSays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
