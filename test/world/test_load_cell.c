// Feed-forward of the tether's pull: a vehicle that holds its place gives way less, and the load cell's reading is that of the tether.
#include "hawser/hawser.h"
#include "hawser/scene.h"

#include "support.h"

// A vehicle that keeps station in a current; the drum pulls with 5 N, from 20 s on with 40 N.
static const char g_text[] =
    "hawser: 1\nduration: 60\nenvironment: {water: {}, current: {uniform: [0.2, 0, 0]}}\n"
    "vehicles: [{name: rov, model: bluerov2_heavy, position: [12, 0, -5], armed: true, mode: station}]\n"
    "cables:\n  - {name: tether, sections: [{length: 14, elements: 10, diameter: 0.0076, density: 1025, EA: "
    "5e4, EI: 0.05, damping: {axial: 300}}], ends: {a: {on: earth}, b: {on: rov, at: tether}}}\n"
    "winches: [{name: drum, cable: tether, end: a, mode: tension, setpoint: 5, longest: 100, kp: 0.05, ki: "
    "0.02, acceleration: 3, deceleration: -3}]\n"
    "events: [{at: 20, set: {drum.setpoint: 40}}]\n";

static double Read(const hwWorld* world, const char* channel) {
    int index = hwWorld_FindChannel(world, channel);
    if (index < 0) fail_msg("no channel %s", channel);
    return hwWorld_ReadChannel(world, index);
}

static double ReadInput(const hwWorld* world, const char* input) {
    int index = hwWorld_FindInput(world, input);
    if (index < 0) fail_msg("no input %s", input);
    return hwWorld_ReadInput(world, index);
}

static hwWorld* MakeWorld(double share) {
    hwError error;
    hwScene* scene = hwParseScene(g_text, strlen(g_text), "test", NULL, &error);
    if (scene == NULL) fail_msg("%d:%d: %s", error.line, error.column, error.message);
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    if (world == NULL) fail_msg("%s", error.message);
    hwDestroyScene(scene);
    if (hwWorld_SetInput(world, hwWorld_FindInput(world, "rov.tether_forward"), share, &error) != HW_OK)
        fail_msg("%s", error.message);
    return world;
}

static double FindOffset(const hwWorld* world) {
    double x = Read(world, "rov.position.x") - 12.0, y = Read(world, "rov.position.y"),
           z = Read(world, "rov.position.z") + 5.0;
    return sqrt(x * x + y * y + z * z);
}

// The largest distance from its place between two times.
static double Run(hwWorld* world, double from, double to) {
    hwError error;
    double most = 0.0;
    while (hwWorld_GetTime(world) < to - 1e-9) {
        if (hwWorld_Step(world, 1.0 / 30.0, &error) < HW_OK) fail_msg("%s", error.message);
        if (hwWorld_GetTime(world) > from) most = fmax(most, FindOffset(world));
    }
    return most;
}

static void APullMovesTheVehicleLess(void** state) {
    (void)state;
    hwWorld *with = MakeWorld(1.0), *without = MakeWorld(0.0);
    double kept = Run(with, 20.0, 40.0), given = Run(without, 20.0, 40.0);
    // 0.20 m without, 0.07 m with: what is left comes from the cell's 0.3 s and the thrusters' lag
    assert_true(given > 0.15);
    assert_true(kept < 0.5 * given);
    // what the autopilot goes by is the pull at the vehicle: along the tether, from it to the drum
    double tension = Read(with, "rov.tether.tension");
    double x = ReadInput(with, "rov.load_cell.x"), y = ReadInput(with, "rov.load_cell.y"),
           z = ReadInput(with, "rov.load_cell.z");
    assert_close(sqrt(x * x + y * y + z * z), tension, 0.02 * tension);
    assert_true(x < -30.0 && z > 5.0);
    // a vehicle without it does not look
    assert_close(ReadInput(without, "rov.load_cell.x"), 0.0, 0.0);
    hwDestroyWorld(with);
    hwDestroyWorld(without);
}

// All it keeps is in the state: a branch goes the same way to the bit.
static void BranchesGoTheSameWay(void** state) {
    (void)state;
    hwError error;
    hwWorld* world = MakeWorld(1.0);
    Run(world, 0.0, 21.05);
    hwWorld* branch = hwWorld_Branch(world, &error);
    assert_non_null(branch);
    Run(world, 0.0, 24.0);
    Run(branch, 0.0, 24.0);
    assert_true(hwWorld_HashState(world) == hwWorld_HashState(branch));
    hwDestroyWorld(branch);
    hwDestroyWorld(world);
}

// A stiff rod between two walls, 1 mm longer than the way: it pushes, by EA times its strain (a fifth of what buckles it), and
// stretched by as much it pulls with the same force. A cell at either end tells one from the other.
static double ReadCell(double length, const char* cell) {
    char text[800];
    snprintf(
        text, sizeof(text),
        "hawser: 1\nduration: 1\nenvironment: {gravity: 0}\n"
        "cables:\n  - {name: rod, sections: [{length: %.4f, elements: 4, diameter: 0.02, mass_per_length: "
        "2, EA: 5e4, EI: 25, damping: {axial: 100, bending: 1}, compression: 1}], "
        "ends: {a: {on: earth, at: [0, 0, 0]}, b: {on: earth, at: [1, 0, 0]}}}\n"
        "instruments:\n  - {name: near, kind: load_cell, on: rod, end: a, rate: 100}\n"
        "  - {name: far, kind: load_cell, on: rod, end: b, rate: 100}\n",
        length);
    hwError error;
    hwScene* scene = hwParseScene(text, strlen(text), "test", NULL, &error);
    if (scene == NULL) fail_msg("%d:%d: %s", error.line, error.column, error.message);
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    if (world == NULL) fail_msg("%s", error.message);
    for (int i = 0; i < 20; ++i) {
        if (hwWorld_Step(world, 0.05, &error) < HW_OK) fail_msg("%s", error.message);
    }
    double force = Read(world, cell);
    hwDestroyScene(scene);
    hwDestroyWorld(world);
    return force;
}

static void ACellTellsAPushFromAPull(void** state) {
    (void)state;
    // 50 N by Hooke's law; a part in a thousand: the strain is counted of either length, and the rod has come to rest
    const char* const cells[] = {"near.force", "far.force"};
    for (int i = 0; i < 2; ++i) {
        assert_close(ReadCell(1.001, cells[i]), -50.0, 0.1);
        assert_close(ReadCell(0.999, cells[i]), 50.0, 0.1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(APullMovesTheVehicleLess),
                                       cmocka_unit_test(ACellTellsAPushFromAPull),
                                       cmocka_unit_test(BranchesGoTheSameWay)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
