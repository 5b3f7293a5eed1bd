// Modes that know the tether: home along it, round a pile the way it came, and out of its turns.
#include "hawser/hawser.h"
#include "hawser/scene.h"

#include "support.h"

typedef struct Rig {
    hwScene* scene;
    hwWorld* world;
} Rig;

// A vehicle 20 m from where its tether begins, past a pile.
static const char g_text[] =
    "hawser: 1\nduration: 100\nenvironment: {water: {}, current: {uniform: [0, 0.05, 0]}}\n"
    "bodies: [{name: pile, motion: fixed, position: [10, 0, -10], shapes: [{cylinder: [0.5, 20]}]}]\n"
    "vehicles: [{name: rov, model: bluerov2_heavy, position: [3, 1, -8], armed: true, mode: route, route: "
    "[[10, 3, -8], [13, 0, -8], "
    "[10, -3, -8], [6, -3, -8]]}]\n"
    "cables:\n  - {name: tether, sections: [{length: 3.2, elements: 6, diameter: 0.0076, density: 1025, EA: "
    "2e4, EI: 0.05, "
    "damping: {axial: 300}, element_length: {min: 0.4, max: 1}}], ends: {a: {on: earth, at: [0, 0, -8]}, b: "
    "{on: rov, at: tether}}}\n"
    "winches: [{name: drum, cable: tether, end: a, mode: tension, setpoint: 4, longest: 60, kp: 0.05, "
    "acceleration: 1, deceleration: -1}]\n";

static Rig MakeRig(const char* text) {
    Rig rig;
    hwError error;
    rig.scene = hwParseScene(text, strlen(text), "test", NULL, &error);
    if (rig.scene == NULL) fail_msg("%d:%d: %s", error.line, error.column, error.message);
    rig.world = hwScene_CreateWorld(rig.scene, NULL, &error);
    if (rig.world == NULL) fail_msg("%d:%d: %s", error.line, error.column, error.message);
    return rig;
}

static void FreeRig(Rig* rig) {
    hwDestroyWorld(rig->world);
    hwDestroyScene(rig->scene);
}

static void Set(Rig* rig, const char* input, double value) {
    hwError error;
    int index = hwWorld_FindInput(rig->world, input);
    if (index < 0) fail_msg("no input %s", input);
    if (hwWorld_SetInput(rig->world, index, value, &error) != HW_OK) fail_msg("%s", error.message);
}

static double Read(const Rig* rig, const char* channel) {
    int index = hwWorld_FindChannel(rig->world, channel);
    if (index < 0) fail_msg("no channel %s", channel);
    return hwWorld_ReadChannel(rig->world, index);
}

static void Run(Rig* rig, double duration) {
    hwError error;
    for (int i = 0; i < (int)(30.0 * duration + 0.5); ++i) {
        if (hwWorld_Step(rig->world, 1.0 / 30.0, &error) < HW_OK) fail_msg("%s", error.message);
    }
}

// Bearing of the vehicle from the pile, counted on.
static double Bearing(const Rig* rig, double before) {
    double angle = atan2(Read(rig, "rov.position.y"), Read(rig, "rov.position.x") - 10.0);
    return before + remainder(angle - before, 2.0 * HW_PI);
}

// Out to the far side of the pile by one side and round to the other, so that the tether lies round it; home undoes that: the way
// back goes round the pile too, and at the end the vehicle is where its tether begins, with what is left of it straight.
static void test_HomeIsTheWayItCame(void** state) {
    (void)state;
    Rig rig = MakeRig(g_text);
    double bearing = Bearing(&rig, 2.5), begin = bearing;
    for (int i = 0; i < 75; ++i) {
        Run(&rig, 1.0);
        bearing = Bearing(&rig, bearing);
    }
    assert_true(begin - bearing > 4.0);              // past the far side and on
    assert_true(Read(&rig, "tether.length") > 15.0); // 10 m to the pile, half round it, 5 m to the vehicle
    assert_true(Read(&rig, "tether.contact.count") > 0.0);
    Set(&rig, "rov.mode", HW_MODE_HOME);
    for (int i = 0; i < 110; ++i) {
        Run(&rig, 1.0);
        bearing = Bearing(&rig, bearing);
    }
    if (!(fabs(bearing - begin) < 1.0))
        fail_msg("bearing %g after %g, at %g %g, tether %g m", bearing, begin, Read(&rig, "rov.position.x"),
                 Read(&rig, "rov.position.y"),
                 Read(&rig, "tether.length")); // round the pile the other way: not once more
    hwVec3 place = {Read(&rig, "rov.position.x"), Read(&rig, "rov.position.y"),
                    Read(&rig, "rov.position.z") + 8.0};
    if (!(hwLength(place) < 4.0)) fail_msg("at %g %g %g", place.x, place.y, place.z);
    assert_close(Read(&rig, "tether.contact.count"), 0.0, 0.0);
    FreeRig(&rig);
}

static void test_TurnsAreTakenOut(void** state) {
    (void)state;
    Rig rig = MakeRig("hawser: 1\nduration: 100\nenvironment: {water: {}}\n"
                      "vehicles: [{name: rov, model: bluerov2_heavy, position: [0, 0, -8], armed: true, "
                      "mode: depth_hold}]\n");
    Set(&rig, "rov.gain", 1.0);
    Set(&rig, "rov.pilot.yaw", -0.5);
    Run(&rig, 12.0);
    Set(&rig, "rov.pilot.yaw", 0.0);
    Run(&rig, 2.0);
    assert_true(Read(&rig, "rov.turns") < -1.5);
    Set(&rig, "rov.mode", HW_MODE_UNWIND);
    double x = Read(&rig, "rov.position.x"), y = Read(&rig, "rov.position.y");
    Run(&rig, 60.0);
    assert_close(Read(&rig, "rov.turns"), 0.0, 0.05);
    assert_close(hypot(Read(&rig, "rov.position.x") - x, Read(&rig, "rov.position.y") - y), 0.0, 0.5);
    Run(&rig, 20.0); // and stays there
    assert_close(Read(&rig, "rov.turns"), 0.0, 0.05);
    FreeRig(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_HomeIsTheWayItCame),
                                       cmocka_unit_test(test_TurnsAreTakenOut)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
