// A running tether that goes on as another model: length, ends, windings and tension stay.
#include "support.h"

#include "hawser/hawser.h"
#include "hawser/scene.h"

// A tether that lies half round a pile, 20 N on it by a winch, its other end going to and fro slowly.
static const char g_scene[] =
    "hawser: 1\nduration: 20\nenvironment: {gravity: 9.81, water: {}, current: "
    "{uniform: [0, 0.1, 0]}}\n"
    "materials: {steel: {young: 200e9, friction: {static: 0.3, kinetic: 0.3}}}\n"
    "bodies:\n"
    "  - {name: pile, motion: fixed, shapes: [{cylinder: {radius: 0.4, length: 20}, material: steel}]}\n"
    "  - {name: end, motion: {prescribed: {position: {sine: {offset: [6, -2, 0], amplitude: [0, 0.5, 0], "
    "period: 20}}}}}\n"
    "cables:\n"
    "  - name: tether\n    model: MODEL\n"
    "    sections: [{length: 15, elements: 15, type: rov_tether_7_6, material: steel}]\n"
    "    ends: {a: {on: earth, at: [-6, -2, 0]}, b: {on: end}}\n"
    "    shape: {points: [[-6, -2, 0], [-0.3, 0.5, 0], [0.3, 0.5, 0], [6, -2, 0]]}\n"
    "winches: [{name: winch, cable: tether, end: a, longest: 30, mode: tension, setpoint: 20, kp: 0.02}]\n"
    "entanglement: [{cable: tether, find: false, axes: [{name: pile, from: [0, 0, -10], to: [0, 0, 10]}]}]\n";

// The same without the pile, between two ends that stand still.
static const char g_straight[] =
    "hawser: 1\nduration: 20\nenvironment: {gravity: 9.81, water: {}, current: "
    "{uniform: [0, 0.1, 0]}}\n"
    "cables:\n"
    "  - name: tether\n    model: MODEL\n"
    "    sections: [{length: 15, elements: 15, type: rov_tether_7_6}]\n"
    "    ends: {a: {on: earth, at: [-6, -2, 0]}, b: {on: earth, at: [6, -2, 0]}}\n"
    "winches: [{name: winch, cable: tether, end: a, longest: 30, mode: tension, setpoint: 20, kp: 0.02}]\n";

static hwWorld* MakeWorldOfText(const char* text) {
    hwError error;
    hwScene* scene = hwParseScene(text, strlen(text), "test", NULL, &error);
    if (scene == NULL) fail_msg("%s", error.message);
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    if (world == NULL) fail_msg("%s", error.message);
    hwDestroyScene(scene);
    return world;
}

static hwWorld* MakeWorldOf(const char* pattern, const char* model) {
    char text[2048];
    const char* place = strstr(pattern, "MODEL");
    snprintf(text, sizeof(text), "%.*s%s%s", (int)(place - pattern), pattern, model, place + 5);
    return MakeWorldOfText(text);
}

static hwWorld* MakeWorld(const char* model) {
    return MakeWorldOf(g_scene, model);
}

static double Read(const hwWorld* world, const char* name) {
    int channel = hwWorld_FindChannel(world, name);
    if (channel < 0) fail_msg("there is no channel %s", name);
    return hwWorld_ReadChannel(world, channel);
}

static void Advance(hwWorld* world, double seconds) {
    hwError error;
    for (int i = 0; i < (int)(60.0 * seconds + 0.5); ++i) {
        if (hwWorld_Step(world, 1.0 / 60.0, &error) < HW_OK) fail_msg("%s", error.message);
    }
}

static hwCableView GetView(const hwWorld* world) {
    hwCableView view;
    hwError error;
    assert_int_equal(hwCable_GetView(world, hwWorld_FindCable(world, "tether"), &view, &error), HW_OK);
    return view;
}

// Nearest of the lines between nodes to the pile's axis.
static double GetNearest(const hwWorld* world) {
    hwCableView view = GetView(world);
    double nearest = HUGE_VAL;
    for (int k = 0; k < 16 * view.elementCount; ++k) {
        hwVec3 x = view.positions[k / 16], d = hwSub(view.positions[k / 16 + 1], x),
               p = hwMulAdd(x, (k % 16) / 16.0, d);
        nearest = fmin(nearest, hypot(p.x, p.y));
    }
    return nearest;
}

static void Switch(hwWorld* world, hwCableKind kind) {
    hwError error;
    hwCableView before = GetView(world);
    double length = before.length, swept = Read(world, "tether.around.pile.turns");
    double pull = Read(world, "tether.b.tension");
    hwCableKind had = hwCable_GetDef(world, hwWorld_FindCable(world, "tether"))->kind;
    hwVec3 ends[2] = {before.positions[0], before.positions[before.nodeCount - 1]};
    if (hwCable_SetModel(world, hwWorld_FindCable(world, "tether"), kind, NULL, &error) != HW_OK)
        fail_msg("%s", error.message);
    hwCableView after = GetView(world);
    assert_close(after.length, length, 1e-12);
    assert_true(hwDistance(after.positions[0], ends[0]) < 1e-12);
    assert_true(hwDistance(after.positions[after.nodeCount - 1], ends[1]) < 1e-12);
    // elements pull at once as it did, but for damping of what the links of a controller change by; a curve that was bent by
    // inertia becomes another
    double share = had == HW_CABLE_PID || kind == HW_CABLE_PID ? 0.5 : 0.05;
    if (kind != HW_CABLE_WRAP) assert_close(Read(world, "tether.b.tension"), pull, share * pull);
    // the side of the pile on which it passes
    assert_close(Read(world, "tether.around.pile.turns"), swept, 0.02);
}

// The ways from model to model: length, ends and side stay at once; two seconds later the tension is that of a tether that was of
// the new model all along, and it lies on the pile.
static void TryRoute(const char* first, int count, const hwCableKind* kinds, const char* const* names) {
    hwWorld* world = MakeWorld(first);
    Advance(world, 4.0);
    double time = 4.0;
    for (int i = 0; i < count; ++i) {
        Switch(world, kinds[i]);
        Advance(world, 4.0);
        time += 4.0;
        hwWorld* other = MakeWorld(names[i]);
        Advance(other, time);
        // what a controller holds depends on its past; friction on the pile does too, by less
        for (int e = 0; e < 2 && kinds[i] != HW_CABLE_PID; ++e) {
            double alone = Read(other, e == 0 ? "tether.a.tension" : "tether.b.tension");
            assert_close(Read(world, e == 0 ? "tether.a.tension" : "tether.b.tension"), alone, 0.1 * alone);
        }
        assert_true(kinds[i] == HW_CABLE_PID || GetNearest(world) > 0.4);
        hwDestroyWorld(other);
    }
    hwDestroyWorld(world);
}

static void a_wound_tether_goes_on_as_another_model(void** state) {
    (void)state;
    const hwCableKind kinds[3] = {HW_CABLE_WRAP, HW_CABLE_DYNAMIC, HW_CABLE_WRAP};
    const char* const names[3] = {"wrap", "dynamic", "wrap"};
    TryRoute("dynamic", 3, kinds, names);
}

// Wound so many times round a pile of 0.4 m, drawn by a winch, in elements of 2 m; without current and weight.
static hwWorld* MakeWound(double turns, double pull) {
    static char text[16000];
    int used = snprintf(
        text, sizeof(text),
        "hawser: 1\nduration: 20\nenvironment: {gravity: 0, water: {}}\n"
        "materials: {steel: {young: 200e9, friction: {static: 0.2, kinetic: 0.2}}}\n"
        "bodies:\n"
        "  - {name: pile, motion: fixed, shapes: [{cylinder: {radius: 0.2, length: 12}, material: steel}]}\n"
        "cables:\n  - name: tether\n    model: wrap\n    contact_nodes: 128\n"
        "    shape: {points: [[-10, 0.21, 0]");
    double length = 10.0, angle = 0.0, z = 0.0;
    hwVec3 last = {0.0, 0.21, 0.0};
    for (; angle < 2.0 * HW_PI * turns; angle += 0.2) {
        z = -0.0045 * angle;
        last = hwMakeVec3(0.21 * sin(angle), 0.21 * cos(angle), z);
        used += snprintf(text + used, sizeof(text) - (size_t)used, ", [%.6f, %.6f, %.6f]", last.x, last.y,
                         last.z);
        length += 0.042;
    }
    hwVec3 end = {last.x + 3.0 * cos(angle), last.y - 3.0 * sin(angle), z};
    snprintf(text + used, sizeof(text) - (size_t)used,
             ", [%.6f, %.6f, %.6f]]}\n"
             "    sections: [{length: %.6f, elements: 7, type: rov_tether_7_6, material: steel}]\n"
             "    ends: {a: {on: earth, at: [-10, 0.21, 0]}, b: {on: earth, at: [%.6f, %.6f, %.6f]}}\n"
             "winches: [{name: winch, cable: tether, end: a, longest: 30, mode: tension, setpoint: %g, kp: "
             "0.02}]\n"
             "entanglement: [{cable: tether, find: false, axes: [{name: pile, from: [0, 0, -10], to: [0, 0, "
             "10]}]}]\n",
             end.x, end.y, end.z, length + 3.0, end.x, end.y, end.z, pull);
    return MakeWorldOfText(text);
}

// From a path to nodes and back, wound: nodes are enough for all of the corners, the tether stays round the pile, and what it pulls with
// goes on.
static void a_tether_wound_often_stays_wound_and_taut(void** state) {
    (void)state;
    hwError error;
    static const double turns[3] = {0.7, 1.35, 2.1};
    for (int n = 0; n < 3; ++n) {
        hwWorld* world = MakeWound(turns[n], 30.0);
        hwCableId id = hwWorld_FindCable(world, "tether");
        Advance(world, 6.0);
        double wrap = Read(world, "tether.wrap"), swept = Read(world, "tether.around.pile.turns");
        assert_close(Read(world, "tether.a.tension"), 30.0, 0.5);
        assert_int_equal(hwCable_SetModel(world, id, HW_CABLE_DYNAMIC, NULL, &error), HW_OK);
        Advance(world, 2.0);
        print_message("wound %.2f turns, %.2f rad: %.2f rad on nodes, %d of them\n", turns[n], wrap,
                      Read(world, "tether.wrap"), GetView(world).nodeCount);
        assert_close(Read(world, "tether.wrap"), wrap, 0.1);
        assert_close(Read(world, "tether.around.pile.turns"), swept, 0.05);
        double pulls[2] = {Read(world, "tether.a.tension"), Read(world, "tether.b.tension")};
        assert_int_equal(hwCable_SetModel(world, id, HW_CABLE_WRAP, NULL, &error), HW_OK);
        Advance(world, 1.0 / 60.0);
        print_message("  at once, as a path: %.2f and %.2f N for %.2f and %.2f\n",
                      Read(world, "tether.a.tension"), Read(world, "tether.b.tension"), pulls[0], pulls[1]);
        assert_close(Read(world, "tether.a.tension"), pulls[0], 0.05 * pulls[0]);
        assert_close(Read(world, "tether.b.tension"), pulls[1], 0.1 * pulls[1]);
        hwDestroyWorld(world);
    }
}

// Largest and smallest of both ends' tensions in the next seconds.
static void Watch(hwWorld* world, double seconds, double range[2]) {
    range[0] = HUGE_VAL;
    range[1] = -HUGE_VAL;
    for (int i = 0; i < (int)(60.0 * seconds + 0.5); ++i) {
        Advance(world, 1.0 / 60.0);
        for (int e = 0; e < 2; ++e) {
            double tension = Read(world, e == 0 ? "tether.a.tension" : "tether.b.tension");
            range[0] = fmin(range[0], tension);
            range[1] = fmax(range[1], tension);
        }
    }
}

// Where both models have the same shape and tension nothing is to be seen of the change: 0.5 %. Where the links of the controller are
// 5 % off their length and the winch is hauling in, the new cable stops stretching at once, and the winch takes up what does not fit:
// while that went in a second the winch was pulled at with 256 N where 20 were set, and the tether fell into the pile.
static void what_a_controller_held_is_given_back_without_a_jolt(void** state) {
    (void)state;
    hwError error;
    double range[2];
    hwWorld* world = MakeWorldOf(g_straight, "pid");
    Advance(world, 240.0);
    assert_close(Read(world, "tether.b.tension"), 20.0, 0.002);
    hwCableId id = hwWorld_FindCable(world, "tether");
    assert_int_equal(hwCable_SetModel(world, id, HW_CABLE_DYNAMIC, NULL, &error), HW_OK);
    Watch(world, 10.0, range);
    if (range[0] < 19.9 || range[1] > 20.1) fail_msg("%g to %g N", range[0], range[1]);
    hwDestroyWorld(world);

    world = MakeWorld("dynamic");
    Advance(world, 4.0);
    id = hwWorld_FindCable(world, "tether");
    assert_int_equal(hwCable_SetModel(world, id, HW_CABLE_PID, NULL, &error), HW_OK);
    Advance(world, 4.0);
    double before = Read(world, "tether.a.tension");
    assert_int_equal(hwCable_SetModel(world, id, HW_CABLE_DYNAMIC, NULL, &error), HW_OK);
    assert_close(Read(world, "tether.a.tension"), before, 0.01 * before);
    Watch(world, 4.0, range);
    if (range[1] > 50.0) fail_msg("%g to %g N", range[0], range[1]);
    hwDestroyWorld(world);
}

// The controller's memory takes the tension over, and gives it back.
static void a_controlled_tether_takes_the_tension_over(void** state) {
    (void)state;
    const hwCableKind kinds[4] = {HW_CABLE_PID, HW_CABLE_DYNAMIC, HW_CABLE_WRAP, HW_CABLE_PID};
    const char* const names[4] = {"pid", "dynamic", "wrap", "pid"};
    TryRoute("dynamic", 4, kinds, names);
}

static double GetBalance(const hwWorld* world) {
    hwEnergy e = hwWorld_GetEnergy(world);
    return e.kinetic + e.potential + e.elastic + e.dissipated + e.method - e.work;
}

// What cannot be is refused with a sentence and changes nothing; what changes is booked.
static void what_cannot_be_is_refused(void** state) {
    (void)state;
    hwError error;
    hwWorld* world = MakeWorld("dynamic");
    hwCableId id = hwWorld_FindCable(world, "tether");
    Advance(world, 0.5);
    uint64_t hash = hwWorld_HashState(world);
    assert_int_equal(hwCable_SetModel(world, id, HW_CABLE_VEE, NULL, &error), HW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "dynamic, pid and wrap"));
    hwWrapDef seed = hwCable_GetDef(world, id)->wrap;
    seed.rules = HW_WRAP_SEED;
    assert_int_equal(hwCable_SetModel(world, id, HW_CABLE_WRAP, &seed, &error), HW_ERROR_ARGUMENT);
    assert_int_equal(hwCable_SetModel(world, (hwCableId){99, 1}, HW_CABLE_WRAP, NULL, &error),
                     HW_ERROR_ARGUMENT);
    assert_int_equal(hwCable_SetModel(world, id, HW_CABLE_DYNAMIC, NULL, &error), HW_OK);
    assert_true(hwWorld_HashState(world) == hash);
    double balance = GetBalance(world);
    assert_int_equal(hwCable_SetModel(world, id, HW_CABLE_WRAP, NULL, &error), HW_OK);
    assert_close(GetBalance(world), balance, 1e-9 * (1.0 + fabs(balance)));
    assert_int_equal(hwCable_GetDef(world, id)->kind, HW_CABLE_WRAP);
    assert_int_equal(hwCable_GetDef(world, id)->pointCount, 4);
    hwWrapDef vee = hwCable_GetDef(world, id)->wrap;
    vee.bend = HW_BEND_VEE;
    assert_int_equal(hwCable_SetModel(world, id, HW_CABLE_WRAP, &vee, &error), HW_OK);
    Advance(world, 0.5);
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_wound_tether_goes_on_as_another_model),
                                       cmocka_unit_test(a_tether_wound_often_stays_wound_and_taut),
                                       cmocka_unit_test(a_controlled_tether_takes_the_tension_over),
                                       cmocka_unit_test(what_a_controller_held_is_given_back_without_a_jolt),
                                       cmocka_unit_test(what_cannot_be_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
