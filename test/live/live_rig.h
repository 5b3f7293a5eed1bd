// A vehicle in a pool and a clock that the test moves.
#ifndef TEST_LIVE_RIG_H
#define TEST_LIVE_RIG_H

#include "hawser/hawser.h"
#include "hawser/live.h"
#include "hawser/scene.h"

#include "support.h"

static const char g_scene[] =
    "hawser: 1\nduration: 3600\nenvironment: {water: {}, seabed: {depth: 20}}\n"
    "vehicles: [{name: rov, model: bluerov2_heavy, position: [0, 0, -5], armed: true}]\n";

typedef struct Rig {
    double clock;
    double stepCost; // s of the clock that a step takes
    int frames, steps, inputs, rewinds, failures, paces, slows;
    hwLive* live;
} Rig;

static double RigClock(void* context) {
    return ((Rig*)context)->clock;
}

static void RigOnStep(hwLive* live, void* context) {
    (void)live;
    Rig* rig = context;
    rig->steps += 1;
    rig->clock += rig->stepCost;
}

static void RigOnFrame(hwLive* live, void* context) {
    Rig* rig = context;
    rig->frames += 1;
    // a picture reads the world
    assert_false(isnan(hwWorld_ReadChannel(hwLive_GetWorld(live), 0)));
}

static void RigOnInput(hwLive* live, const hwInputEvent* event, void* context) {
    (void)live;
    (void)event;
    ((Rig*)context)->inputs += 1;
}

static void RigOnChange(hwLive* live, hwLiveChange change, void* context) {
    (void)live;
    Rig* rig = context;
    if (change == HW_LIVE_REWOUND) rig->rewinds += 1;
    if (change == HW_LIVE_FAILED) rig->failures += 1;
    if (change == HW_LIVE_PACE) rig->paces += 1;
    if (change == HW_LIVE_SLOW) rig->slows += 1;
}

static inline hwWorld* MakeWorld(const char* text) {
    hwError error;
    hwScene* scene = hwParseScene(text, strlen(text), "test", NULL, &error);
    if (scene == NULL) fail_msg("%s", error.message);
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    if (world == NULL) fail_msg("%s", error.message);
    hwDestroyScene(scene);
    return world;
}

static inline hwLiveDef RigDef(Rig* rig, hwWorld* world) {
    hwLiveDef def = hwDefaultLiveDef();
    def.world = world;
    def.clock = RigClock;
    def.clockContext = rig;
    def.onStep = RigOnStep;
    def.onFrame = RigOnFrame;
    def.onInput = RigOnInput;
    def.onChange = RigOnChange;
    def.context = rig;
    return def;
}

static inline void MakeRig(Rig* rig, const char* text) {
    memset(rig, 0, sizeof(*rig));
    rig->clock = 1000.0;
    hwLiveDef def = RigDef(rig, MakeWorld(text));
    hwError error;
    rig->live = hwCreateLive(&def, &error);
    if (rig->live == NULL) fail_msg("%s", error.message);
}

static inline void FreeRig(Rig* rig) {
    hwDestroyLive(rig->live);
}

static inline int FindInput(const Rig* rig, const char* name) {
    int input = hwWorld_FindInput(hwLive_GetWorld(rig->live), name);
    if (input < 0) fail_msg("no input %s", name);
    return input;
}

static inline void Set(Rig* rig, const char* name, double value) {
    int input = FindInput(rig, name);
    assert_int_equal(hwLive_SetInputs(rig->live, 1, &input, &value, (double)NAN), HW_OK);
}

// Lets the clock run in ticks of a length that is no multiple of anything.
static inline void RunClock(Rig* rig, double duration) {
    double end = rig->clock + duration;
    while (rig->clock < end) {
        rig->clock = fmin(end, rig->clock + 0.00713);
        hwLive_Poll(rig->live);
    }
}

#endif
