// Saved actions: what was flown is written as a script, which does it again, elsewhere and in another current too.
#define _XOPEN_SOURCE 700
#include "hawser/elementary.h"
#include "hawser/live.h"
#include "hawser/pilot.h"
#include "hawser/scene.h"
#include "hawser/vehicle.h"
#include "support.h"

#include <stdlib.h>

#define STEP (1.0 / 60.0)
#define LOOK 6

static const char g_flown[] = "hawser_pilot: 1\nactions:\n"
                              "  - {arm: true}\n"
                              "  - {mode: hold}\n"
                              "  - {go: {to: [4, 0, -5], within: 0.2}}\n"
                              "  - {set: {input: .lights, value: 0.5}}\n"
                              "  - {hold: 4}\n"
                              "  - {turn: {by_deg: 450}}\n"
                              "  - {go: {to: [4, -3, -6], heading_deg: 90, within: 0.2}}\n"
                              "  - {set: {input: .gripper, value: 1}}\n"
                              "  - {hold: 3}\n";

typedef struct Flown {
    hwVec3 from, to;
    double heading, turned; // rad, at the end; in all
    double lights, gripper;
    hwVec3 lit; // where the lamps were switched
    int timeouts;
    double time;
} Flown;

static hwWorld* MakeWorld(const char* start, const char* current) {
    char text[800];
    hwError error;
    snprintf(text, sizeof(text),
             "hawser: 1\nduration: 600\nenvironment:\n  water: {density: 1025}\n  current: {uniform: %s}\n"
             "vehicles:\n  - {name: rov, model: bluerov2_heavy, %s}\n",
             current, start);
    hwScene* scene = hwParseScene(text, strlen(text), "action", NULL, &error);
    if (scene == NULL) fail_msg("%d: %s", error.line, error.message);
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    if (world == NULL) fail_msg("%s", error.message);
    hwDestroyScene(scene);
    return world;
}

static hwStatus Set(int input, double value, void* context) {
    hwWorld* world = context;
    return hwWorld_ReadInput(world, input) == value ? HW_OK : hwWorld_SetInput(world, input, value, NULL);
}

static double Read(const hwWorld* world, const char* name) {
    int channel = hwWorld_FindChannel(world, name);
    assert_true(channel >= 0);
    return hwWorld_ReadChannel(world, channel);
}

static hwVec3 ReadPlace(const hwWorld* world) {
    return hwMakeVec3(Read(world, "rov.position.x"), Read(world, "rov.position.y"),
                      Read(world, "rov.position.z"));
}

// Flies a script to its end; notes it unless `text` is null, which then is the saved action.
static Flown Fly(hwWorld* world, const char* script, const hwActionOptions* options, char** text) {
    hwError error;
    hwPilotScript* read = hwParsePilotScript(script, strlen(script), &error);
    if (read == NULL) fail_msg("%d:%d: %s\n%s", error.line, error.column, error.message, script);
    hwPilot* pilot = hwCreatePilot(read, world, "rov", &error);
    if (pilot == NULL) fail_msg("%s", error.message);
    hwActionNotes* notes = text != NULL ? hwCreateActionNotes(world, "rov", &error) : NULL;
    int lights = hwWorld_FindInput(world, "rov.lights");
    Flown flown = {.from = ReadPlace(world)};
    double last = Read(world, "rov.heading");
    for (int i = 0; i < 60 * 300; ++i) {
        if (i % LOOK == 0) {
            if (notes != NULL) assert_int_equal(hwActionNotes_Look(notes, world), HW_OK);
            double before = hwWorld_ReadInput(world, lights), now = Read(world, "rov.heading");
            flown.turned += remainder(now - last, 2.0 * HW_PI);
            last = now;
            bool on = hwPilot_Act(pilot, world, Set, world);
            if (hwWorld_ReadInput(world, lights) != before) flown.lit = ReadPlace(world);
            if (!on) break;
        }
        assert_true(hwWorld_Step(world, STEP, &error) >= HW_OK);
    }
    flown.to = ReadPlace(world);
    flown.heading = last;
    flown.lights = hwWorld_ReadInput(world, lights);
    flown.gripper = hwWorld_ReadInput(world, hwWorld_FindInput(world, "rov.gripper"));
    flown.timeouts = hwPilot_GetTimeouts(pilot);
    flown.time = hwWorld_GetTime(world);
    if (notes != NULL) *text = hwActionNotes_Write(notes, options, &error);
    if (notes != NULL && *text == NULL) fail_msg("%s", error.message);
    hwDestroyActionNotes(notes);
    hwDestroyPilot(pilot);
    hwDestroyPilotScript(read);
    return flown;
}

static hwVec3 Turn(hwVec3 v, double angle) {
    double s = hwSin(angle), c = hwCos(angle);
    return hwMakeVec3(c * v.x - s * v.y, s * v.x + c * v.y, v.z);
}

// Ends within the saved tolerance of where it did (0.3 m and what a script's `within` adds), having turned as far.
static void AssertSame(const Flown* first, const Flown* again, double angle) {
    assert_int_equal(again->timeouts, 0);
    hwVec3 way = Turn(hwSub(first->to, first->from), angle), other = hwSub(again->to, again->from);
    assert_true(hwDistance(way, other) < 0.45);
    hwVec3 lit = Turn(hwSub(first->lit, first->from), angle), otherLit = hwSub(again->lit, again->from);
    assert_true(hwDistance(lit, otherLit) < 0.6);
    assert_close(again->turned, first->turned, 0.25);
    assert_close(again->lights, 0.5, 0.0);
    assert_close(again->gripper, 1.0, 0.0);
    assert_close(again->time, first->time, 0.5 * first->time);
}

static void FlownAgainItEndsInTheSamePlace(void** state) {
    (void)state;
    hwActionOptions options = hwDefaultActionOptions();
    options.world = true;
    char* text = NULL;
    hwWorld* world = MakeWorld("position: [0, 0, -4]", "[0, 0, 0]");
    Flown first = Fly(world, g_flown, &options, &text);
    hwDestroyWorld(world);
    assert_non_null(strstr(text, "frame: world"));
    // the whole turn and a quarter is in it, and so are the rests
    assert_non_null(strstr(text, "turn"));
    assert_non_null(strstr(text, "hold: "));
    world = MakeWorld("position: [0, 0, -4]", "[0, 0, 0]");
    Flown again = Fly(world, text, NULL, NULL);
    AssertSame(&first, &again, 0.0);
    hwDestroyWorld(world);
    free(text);
}

static void FlownElsewhereInACurrentItDoesTheSame(void** state) {
    (void)state;
    hwActionOptions options = hwDefaultActionOptions();
    char* text = NULL;
    hwWorld* world = MakeWorld("position: [0, 0, -4]", "[0, 0, 0]");
    Flown first = Fly(world, g_flown, &options, &text);
    hwDestroyWorld(world);
    assert_non_null(strstr(text, "frame: start"));
    // begun 20 m away with the bow to the west (x is north, y west)
    world = MakeWorld("position: [-20, 7, -9], attitude: {rpy_deg: [0, 0, 90]}", "[0.1, 0.15, 0]");
    Flown again = Fly(world, text, NULL, NULL);
    AssertSame(&first, &again, 0.5 * HW_PI);
    hwDestroyWorld(world);
    // edited: the lamps are left out
    char* set = strstr(text, "  - {set: {input: \".lights\"");
    assert_non_null(set);
    memmove(set, strchr(set, '\n') + 1, strlen(strchr(set, '\n') + 1) + 1);
    world = MakeWorld("position: [0, 0, -4]", "[0, 0, 0]");
    Flown edited = Fly(world, text, NULL, NULL);
    assert_close(edited.lights, 0.0, 0.0);
    assert_close(edited.gripper, 1.0, 0.0);
    hwDestroyWorld(world);
    free(text);
}

// What is written depends on the tolerance alone: a way of straight lines needs a handful of places, whatever the number of looks.
static void CoarserIsShorter(void** state) {
    (void)state;
    hwActionOptions fine = hwDefaultActionOptions(), coarse = hwDefaultActionOptions();
    fine.within = 0.05;
    fine.angle = 0.05;
    coarse.within = 1.0;
    coarse.angle = 0.5;
    char *long_ = NULL, *brief = NULL;
    hwWorld* world = MakeWorld("position: [0, 0, -4]", "[0, 0, 0]");
    Fly(world, g_flown, &fine, &long_);
    hwDestroyWorld(world);
    world = MakeWorld("position: [0, 0, -4]", "[0, 0, 0]");
    Fly(world, g_flown, &coarse, &brief);
    hwDestroyWorld(world);
    assert_true(strlen(long_) > 2 * strlen(brief));
    assert_true(strlen(brief) < 1500);
    free(long_);
    free(brief);
}

// An arm at a valve: the scene's panel, the vehicle keeping station before it, in a current ------------------------------------

static hwWorld* MakePanel(const char* current) {
    hwError error;
    const char* const sets[] = {"vehicles.rov.position=[1.176, 0, -100]", current};
    hwScene* scene = hwLoadSceneWith(HAWSER_SOURCE_DIR "/scenes/valve_panel.yaml", 2, sets, &error);
    if (scene == NULL) fail_msg("%s", error.message);
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    if (world == NULL) fail_msg("%s", error.message);
    hwDestroyScene(scene);
    for (int i = 0; i < 60 * 20; ++i) assert_true(hwWorld_Step(world, STEP, &error) >= HW_OK);
    return world;
}

// A hand's rates for so long, noted.
static void Move(hwWorld* world, hwActionNotes* notes, const char* axis, double rate, double seconds) {
    char text[60];
    hwError error;
    snprintf(text, sizeof(text), "rov.arm.tool.%s", axis);
    int input = hwWorld_FindInput(world, text);
    assert_true(input >= 0);
    bool jaw = strcmp(axis, "jaw") == 0;
    assert_int_equal(hwWorld_SetInput(world, input, rate, &error), HW_OK);
    for (int i = 0; i < (int)(60.0 * seconds + 0.5); ++i) {
        if (i % LOOK == 0) assert_int_equal(hwActionNotes_Look(notes, world), HW_OK);
        assert_true(hwWorld_Step(world, STEP, &error) >= HW_OK);
    }
    if (!jaw) assert_int_equal(hwWorld_SetInput(world, input, 0.0, &error), HW_OK);
}

static void MoveTo(hwWorld* world, hwActionNotes* notes, const char* axis, double place) {
    char channel[60];
    snprintf(channel, sizeof(channel), "rov.arm.tool.position.%s", axis);
    for (int i = 0; i < 12; ++i) {
        double left = place - Read(world, channel), seconds = hwFmin(fmax(0.2, fabs(left) / 0.1), 1.0);
        if (fabs(left) < 0.01) return;
        Move(world, notes, axis, hwClamp(left / (0.25 * seconds), -0.4, 0.4), 0.1 * ceil(10.0 * seconds));
        Move(world, notes, "x", 0.0, 2.0); // at rest
    }
    fail_msg("%s is %g instead of %g", channel, Read(world, channel), place);
}

// Reaches for the valve, closes, turns the wrist, opens, and goes back: the saved action.
static char* TurnValve(hwWorld* world, const hwActionOptions* options) {
    hwError error;
    hwActionNotes* notes = hwCreateActionNotes(world, "rov", &error);
    assert_non_null(notes);
    MoveTo(world, notes, "z", -100.1);
    MoveTo(world, notes, "x", 4.0);
    MoveTo(world, notes, "y", -0.45);
    MoveTo(world, notes, "z", -100.1);
    MoveTo(world, notes, "x", 4.14);
    Move(world, notes, "jaw", 0.0, 3.0);
    Move(world, notes, "roll", 1.0, 6.0);
    assert_close(Read(world, "valve.handle.q"), 0.5 * HW_PI, 0.05);
    Move(world, notes, "jaw", 1.0, 3.0);
    MoveTo(world, notes, "x", 3.8);
    char* text = hwActionNotes_Write(notes, options, &error);
    if (text == NULL) fail_msg("%s", error.message);
    hwDestroyActionNotes(notes);
    return text;
}

static void Play(hwWorld* world, const char* script) {
    hwError error;
    hwPilotScript* read = hwParsePilotScript(script, strlen(script), &error);
    if (read == NULL) fail_msg("%d:%d: %s\n%s", error.line, error.column, error.message, script);
    hwPilot* pilot = hwCreatePilot(read, world, "rov", &error);
    if (pilot == NULL) fail_msg("%s", error.message);
    for (int i = 0; i < 60 * 200; ++i) {
        if (i % LOOK == 0 && !hwPilot_Act(pilot, world, Set, world)) break;
        assert_true(hwWorld_Step(world, STEP, &error) >= HW_OK);
    }
    assert_int_equal(hwPilot_GetTimeouts(pilot), 0);
    hwDestroyPilot(pilot);
    hwDestroyPilotScript(read);
}

// Leaves out the lines of a script that hold a text.
static void Cut(char* script, const char* part) {
    for (char* at = strstr(script, part); at != NULL; at = strstr(script, part)) {
        while (at > script && at[-1] != '\n') at -= 1;
        char* next = strchr(at, '\n') + 1;
        memmove(at, next, strlen(next) + 1);
    }
}

static void ArmTurnsTheValveAgain(void** state) {
    (void)state;
    hwActionOptions options = hwDefaultActionOptions();
    hwWorld* world = MakePanel("environment.current.uniform=[0, 0, 0]");
    char* text = TurnValve(world, &options);
    double tip = Read(world, "rov.arm.tool.position.x"), time = hwWorld_GetTime(world);
    hwDestroyWorld(world);
    assert_non_null(strstr(text, "{set: {input: \".arm.elbow.target\", value: "));
    assert_non_null(strstr(text, "over: "));
    assert_null(strstr(text, "grabber")); // the other arm was left alone
    // again, and in a current across, against which the vehicle keeps its place
    const char* const currents[] = {"environment.current.uniform=[0, 0, 0]",
                                    "environment.current.uniform=[0, 0.15, 0]"};
    for (int i = 0; i < 2; ++i) {
        world = MakePanel(currents[i]);
        Play(world, text);
        assert_close(Read(world, "valve.handle.q"), 0.5 * HW_PI, 0.05);
        assert_close(Read(world, "rov.arm.tool.position.x"), tip, 0.03);
        assert_close(hwWorld_GetTime(world), time, 1.0); // in its own time
        hwDestroyWorld(world);
    }
    // edited: without the jaw the hand turns round the handle, which stays
    Cut(text, "\".arm.left.target\"");
    Cut(text, "\".arm.right.target\"");
    world = MakePanel(currents[0]);
    Play(world, text);
    assert_true(Read(world, "valve.handle.q") < 0.8);
    hwDestroyWorld(world);
    free(text);
}

// An input set over some time: half of it is there after half of the time, and the script goes on meanwhile; after a rewind it goes
// on from where it was then.
static void InputsGoEvenly(void** state) {
    (void)state;
    static const char script[] = "hawser_pilot: 1\nactions:\n"
                                 "  - {set: {input: .lights, value: 1, over: 4}}\n"
                                 "  - {set: {input: .gripper, value: 1}}\n"
                                 "  - {wait: 1}\n"
                                 "  - {set: {input: .gripper, value: 0, over: 2}}\n";
    hwError error;
    hwWorld* world = MakeWorld("position: [0, 0, -4]", "[0, 0, 0]");
    hwPilotScript* read = hwParsePilotScript(script, sizeof(script) - 1, &error);
    hwPilot* pilot = hwCreatePilot(read, world, "rov", &error);
    assert_non_null(pilot);
    int lights = hwWorld_FindInput(world, "rov.lights"), gripper = hwWorld_FindInput(world, "rov.gripper");
    size_t size = hwWorld_GetStateSize(world);
    void* saved = malloc(size);
    bool rewound = false;
    for (int i = 0;; ++i) {
        if (i % LOOK == 0) {
            bool on = hwPilot_Act(pilot, world, Set, world);
            double time = hwWorld_GetTime(world);
            assert_close(hwWorld_ReadInput(world, lights), hwFmin(1.0, 0.25 * time), 1e-9);
            assert_close(hwWorld_ReadInput(world, gripper),
                         time < 1.0 - 1e-9 ? 1.0 : hwFmax(0.0, 1.0 - 0.5 * (time - 1.0)), 1e-9);
            assert_int_equal(on, time < 4.0 - 1e-9);
            if (i == 18 * LOOK && !rewound)
                assert_int_equal(hwWorld_SaveState(world, saved, size, &error), HW_OK);
            if (!on && rewound) break;
            if (!on) {
                rewound = true;
                assert_int_equal(hwWorld_RestoreState(world, saved, size, &error), HW_OK);
                hwPilot_Rewind(pilot, hwWorld_GetTime(world));
                i = 18 * LOOK;
            }
        }
        assert_true(hwWorld_Step(world, STEP, &error) >= HW_OK);
    }
    free(saved);
    hwDestroyPilot(pilot);
    hwDestroyPilotScript(read);
    hwDestroyWorld(world);
}

static void MistakesAreSaid(void** state) {
    (void)state;
    hwError error;
    hwWorld* world = MakeWorld("position: [0, 0, -4]", "[0, 0, 0]");
    assert_null(hwCreateActionNotes(world, "boat", &error));
    assert_non_null(strstr(error.message, "boat"));
    hwActionNotes* notes = hwCreateActionNotes(world, "rov", &error);
    hwActionOptions options = hwDefaultActionOptions();
    assert_null(hwActionNotes_Write(notes, &options, &error));
    assert_int_equal(error.status, HW_ERROR_ORDER);
    options.within = 0.0;
    assert_null(hwActionNotes_Write(notes, &options, &error));
    assert_int_equal(error.status, HW_ERROR_ARGUMENT);
    hwDestroyActionNotes(notes);
    // an input of the vehicle's own that is not there, by line and column
    static const char script[] = "hawser_pilot: 1\nactions:\n  - {set: {input: .laser, value: 1}}\n";
    hwPilotScript* read = hwParsePilotScript(script, sizeof(script) - 1, &error);
    assert_non_null(read);
    assert_null(hwCreatePilot(read, world, "rov", &error));
    assert_int_equal(error.line, 3);
    hwDestroyPilotScript(read);
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(FlownAgainItEndsInTheSamePlace),
                                       cmocka_unit_test(FlownElsewhereInACurrentItDoesTheSame),
                                       cmocka_unit_test(CoarserIsShorter),
                                       cmocka_unit_test(MistakesAreSaid),
                                       cmocka_unit_test(ArmTurnsTheValveAgain),
                                       cmocka_unit_test(InputsGoEvenly)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
