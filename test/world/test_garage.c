// A work-class ROV and its garage: it leaves through the open front while the winch on the garage pays out its tether, comes back, is
// caught by the latch, and goes up with the garage.
#include "hawser/hawser.h"
#include "hawser/scene.h"

#include "support.h"

#include <stdio.h>
#include <string.h>

static const char g_scene[] =
    "hawser: 1\nname: garage\nduration: 90\n"
    "environment:\n  water: {density: 1025}\n  current: {uniform: [0.1, 0.05, 0]}\n  seabed: {depth: 200}\n"
    "vehicles:\n"
    "  - {name: tms, model: tms_garage, position: [0, 0, -50]}\n"
    "  - {name: rov, model: work_class_rov, position: [0.2, 0, -50.45], armed: true, mode: station}\n"
    "cables:\n"
    "  - name: umbilical\n"
    "    sections: [{length: 48.3, elements: 10, diameter: 0.033, mass_per_length: 3.6, EA: 4e7, damping: "
    "{axial: 1e5},\n"
    "                element_length: {min: 2, max: 8}}]\n"
    "    ends: {a: {on: earth, at: [0, 0, 0]}, b: {on: tms, at: umbilical}}\n"
    "  - name: tether\n"
    "    sections: [{length: 3, elements: 4, diameter: 0.03, density: 1025, EA: 5e5, EI: 5, damping: {axial: "
    "2e3},\n"
    "                element_length: {min: 0.5, max: 4}}]\n"
    "    ends: {a: {on: tms, at: tether}, b: {on: rov, at: tether}}\n"
    "  - name: latch\n"
    "    sections: [{length: 0.3, elements: 1, diameter: 0.02, mass_per_length: 1, EA: 1e6, damping: {axial: "
    "1e4}}]\n"
    "    ends: {a: {on: tms, at: [-1.5, 0, 0.6]}, b: {joint: free}}\n"
    "winches:\n"
    "  - {name: drum, cable: umbilical, end: a, mode: velocity, setpoint: 0, longest: 60}\n"
    "  - {name: tms_winch, cable: tether, end: a, mode: velocity, setpoint: 0, longest: 60}\n"
    "events:\n"
    "  - {at: 5, set: {tms_winch.setpoint: 0.32, rov.hold.x: 8}}\n"
    "  - {at: 33, set: {tms_winch.setpoint: 0}}\n"
    // home at half a metre a second: at 1.1 m/s, as it would go by itself, two tonnes throw the garage aside, whose opening is 0.23 m
    // wider than the vehicle on either side and stands 0.15 rad askew
    "  - {at: 36, set: {rov.hold.x: 6.5, tms_winch.setpoint: -0.25}}\n"
    "  - {at: 39, set: {rov.hold.x: 5}}\n"
    "  - {at: 42, set: {rov.hold.x: 4}}\n"
    "  - {at: 45, set: {rov.hold.x: 3}}\n"
    "  - {at: 48, set: {rov.hold.x: 2}}\n"
    "  - {at: 51, set: {rov.hold.x: 1}}\n"
    "  - {at: 54, set: {rov.hold.x: 0.2}}\n"
    // the latch snaps where the vehicle is home
    "  - {at: 55, attach: {end: latch.b, on: rov, at: [-1.3, 0, 0.8], within: 0.5}}\n"
    "  - {at: 68, set: {tms_winch.setpoint: 0, rov.armed: 0, drum.setpoint: -0.5}}\n";

static double Read(const hwWorld* world, const char* name) {
    int channel = hwWorld_FindChannel(world, name);
    if (channel < 0) fail_msg("there is no channel %s", name);
    return hwWorld_ReadChannel(world, channel);
}

static hwVec3 ReadPoint(const hwWorld* world, const char* name) {
    double point[3];
    for (int i = 0; i < 3; ++i) {
        char text[64];
        snprintf(text, sizeof(text), "%s.%c", name, "xyz"[i]);
        point[i] = Read(world, text);
    }
    return hwMakeVec3(point[0], point[1], point[2]);
}

static void RunTo(hwWorld* world, double time) {
    hwError error;
    while (hwWorld_GetTime(world) < time - 1e-9) {
        if (hwWorld_Step(world, 0.1, &error) < HW_OK) fail_msg("%s", error.message);
    }
}

// The place of the vehicle in the garage, m.
static hwVec3 Inside(const hwWorld* world) {
    return hwSub(ReadPoint(world, "rov.position"), ReadPoint(world, "tms.position"));
}

static void VehicleGoesOutAndComesHome(void** state) {
    (void)state;
    hwError error;
    hwScene* scene = hwParseScene(g_scene, strlen(g_scene), "garage", NULL, &error);
    if (scene == NULL) fail_msg("%d:%d: %s", error.line, error.column, error.message);
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    if (world == NULL) fail_msg("%s", error.message);
    // out: 8 m ahead of the garage's middle, which is 1.7 m from its front; the tether follows from the garage's winch
    RunTo(world, 35.0);
    assert_close(Read(world, "rov.position.x"), 8.0, 0.2);
    assert_close(Read(world, "tether.length"), 3.0 + 0.32 * 28.0, 0.5);
    // not yet caught
    assert_true(Read(world, "latch.b.tension") < 1.0);
    // home: within the sides (0.98 m from the middle, less half of its 1.5 m), on its place along them, and caught
    RunTo(world, 68.0);
    hwVec3 place = Inside(world);
    assert_close(place.x, 0.2, 0.45); // the garage swings below its umbilical
    assert_close(place.y, 0.0, 0.24);
    assert_close(Read(world, "tether.length"), 11.96 - 0.25 * 32.0, 0.5);
    // the latch's end is pinned to its place on the hull: it is there to rounding, and a centimetre is for the last step's motion
    hwQuat attitude = hwQuatFromRpy(Read(world, "rov.attitude.roll"), Read(world, "rov.attitude.pitch"),
                                    Read(world, "rov.attitude.yaw"));
    hwVec3 held = hwAdd(ReadPoint(world, "rov.position"), hwRotate(attitude, hwMakeVec3(-1.3, 0.0, 0.8)));
    assert_close(hwDistance(ReadPoint(world, "latch.node[1].position"), held), 0.0, 0.01);
    // recovered: disarmed, hoisted 10 m with the garage, and still inside, lighter than water under its roof
    double deep = Read(world, "tms.position.z");
    RunTo(world, 88.0);
    assert_close(Read(world, "tms.position.z") - deep, 0.5 * 20.0, 0.5);
    place = Inside(world);
    assert_close(place.y, 0.0, 0.3);
    assert_true(place.x > -0.6 && place.x < 0.7);
    // between floor (-1.58, less half of the hull's height below its origin) and roof
    assert_true(place.z > -1.0 && place.z < 0.2);
    hwDestroyWorld(world);
    hwDestroyScene(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(VehicleGoesOutAndComesHome)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
