// Worlds against the clock: pace, commands, replay, rewind, branches, failure.
#define _POSIX_C_SOURCE 200809L
#include "live_rig.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static void test_TimeKeepsPaceWithoutDrift(void** state) {
    (void)state;
    Rig rig;
    MakeRig(&rig, g_scene);
    for (int i = 1; i <= 40; ++i) {
        RunClock(&rig, 0.731);
        // whole steps that fit into the time passed
        assert_int_equal(rig.steps, (int)floor(60.0 * 0.731 * i + 1e-6));
    }
    assert_close(hwLive_GetStatus(rig.live).time, rig.steps / 60.0, 1e-9); // sums of 1/60
    assert_close(hwLive_GetStatus(rig.live).measured, 1.0, 0.03);          // a step more or less in a second
    // pictures keep their own rhythm
    assert_close(rig.frames, 30.0 * 0.731 * 40, 2.0);
    FreeRig(&rig);
}

static void test_SpeedsOtherThanOne(void** state) {
    (void)state;
    const double speeds[] = {0.25, 2.0, 8.0};
    for (int i = 0; i < 3; ++i) {
        Rig rig;
        MakeRig(&rig, g_scene);
        assert_int_equal(hwLive_SetSpeed(rig.live, speeds[i]), HW_OK);
        hwLive_Poll(rig.live);
        RunClock(&rig, 3.0);
        assert_close(rig.steps, 180.0 * speeds[i], 1.0);
        assert_close(rig.frames, 90.0, 2.0);
        FreeRig(&rig);
    }
    Rig rig;
    MakeRig(&rig, g_scene);
    assert_int_equal(hwLive_SetSpeed(rig.live, 0.0), HW_ERROR_ARGUMENT);
    assert_int_equal(hwLive_SetSpeed(rig.live, (double)NAN), HW_ERROR_ARGUMENT);
    FreeRig(&rig);
}

static void test_PauseAndSingleSteps(void** state) {
    (void)state;
    Rig rig;
    MakeRig(&rig, g_scene);
    RunClock(&rig, 1.0);
    int before = rig.steps, frames = rig.frames;
    hwLive_Pause(rig.live, true);
    RunClock(&rig, 5.0);
    assert_int_equal(rig.steps, before);
    assert_true(hwLive_GetStatus(rig.live).paused);
    assert_true(rig.frames - frames >= 20 && rig.frames - frames <= 30); // 5 a second
    hwLive_TakeSteps(rig.live, 3);
    RunClock(&rig, 0.1);
    assert_int_equal(rig.steps, before + 3);
    hwLive_Pause(rig.live, false);
    RunClock(&rig, 1.0);
    // the time of the pause is not made up for
    assert_close(rig.steps, before + 63, 1.0);
    assert_int_equal(rig.paces, 2);
    FreeRig(&rig);
}

// Commands of the past act in the step that their time falls into, also when many steps are taken at once.
static void test_InputsActInTheirStep(void** state) {
    (void)state;
    Rig rig;
    MakeRig(&rig, g_scene);
    double start = rig.clock, value = 0.5;
    int surge = FindInput(&rig, "rov.pilot.surge"), yaw = FindInput(&rig, "rov.pilot.yaw");
    rig.clock = start + 0.15;                                     // nine steps are due
    hwLive_SetInputs(rig.live, 1, &surge, &value, start + 0.055); // in step 3
    hwLive_SetInputs(rig.live, 1, &yaw, &value, start + 0.121);   // in step 7
    value = 0.0;
    hwLive_SetInputs(rig.live, 1, &surge, &value, start + 99.0); // not before now
    hwLive_Poll(rig.live);
    size_t count;
    const hwInputEvent* log = hwLive_GetLog(rig.live, &count);
    assert_true(count >= 2);
    assert_int_equal(log[0].step, 3);
    assert_int_equal(log[0].input, surge);
    assert_int_equal(log[1].step, 7);
    RunClock(&rig, 0.1);
    log = hwLive_GetLog(rig.live, &count);
    assert_int_equal(count, 3);
    assert_int_equal(log[2].step, 8); // the step that ends at the time of the call, or the next
    // an input that has its value already is not set again
    hwLive_SetInputs(rig.live, 1, &surge, &value, (double)NAN);
    RunClock(&rig, 0.1);
    hwLive_GetLog(rig.live, &count);
    assert_int_equal(count, 3);
    FreeRig(&rig);
}

static void Fly(Rig* rig) {
    Set(rig, "rov.pilot.surge", 0.6);
    RunClock(rig, 1.3);
    Set(rig, "rov.mode", HW_MODE_DEPTH_HOLD);
    Set(rig, "rov.pilot.yaw", -0.4);
    Set(rig, "rov.lights", 0.7);
    RunClock(rig, 0.9);
    Set(rig, "rov.pilot.heave", 0.5);
    Set(rig, "environment.current.y", 0.2);
    RunClock(rig, 1.7);
    Set(rig, "rov.pilot.surge", 0.0);
    Set(rig, "rov.camera.tilt_deg", -20.0);
    RunClock(rig, 0.8);
}

static uint64_t Replay(const hwLive* live, const char* text) {
    size_t count;
    const hwInputEvent* log = hwLive_GetLog(live, &count);
    hwWorld* world = MakeWorld(text);
    hwError error;
    hwStatus status = hwReplayInputs(world, hwLive_GetStep(live), hwLive_GetStatus(live).steps, count, log,
                                     NULL, NULL, &error);
    if (status != HW_OK) fail_msg("%s", error.message);
    uint64_t hash = hwHashFlight(world);
    hwDestroyWorld(world);
    return hash;
}

static void test_ReplayReachesTheSameBits(void** state) {
    (void)state;
    Rig rig;
    MakeRig(&rig, g_scene);
    Fly(&rig);
    assert_int_equal(rig.inputs, 8);
    assert_true(Replay(rig.live, g_scene) == hwHashFlight(hwLive_GetWorld(rig.live)));
    FreeRig(&rig);
}

// Events of the scene leave accelerations unknown at the end of a step; pictures look at them, replays do not.
static void test_ReplayWithEventsOfTheScene(void** state) {
    (void)state;
    static const char text[] =
        "hawser: 1\nduration: 60\nenvironment: {water: {}}\n"
        "vehicles: [{name: rov, model: videoray_pro, position: [0, 0, -5], armed: true}]\n"
        "events: [{at: 0.5, set: {rov.pilot.surge: 1}}, {at: 0.7123, set: {rov.pilot.yaw: 1}}]\n";
    Rig rig;
    MakeRig(&rig, text);
    RunClock(&rig, 0.5);
    Set(&rig, "rov.gain", 0.3);
    RunClock(&rig, 1.0);
    assert_true(Replay(rig.live, text) == hwHashFlight(hwLive_GetWorld(rig.live)));
    FreeRig(&rig);
}

static void test_RewindIsExact(void** state) {
    (void)state;
    Rig rig;
    MakeRig(&rig, g_scene);
    Fly(&rig);
    // the truth, from a replay of the first 150 steps
    size_t count;
    const hwInputEvent* log = hwLive_GetLog(rig.live, &count);
    hwWorld* world = MakeWorld(g_scene);
    size_t early = 0;
    while (early < count && log[early].step < 150) early += 1;
    assert_int_equal(hwReplayInputs(world, 1.0 / 60.0, 150, early, log, NULL, NULL, NULL), HW_OK);
    uint64_t wanted = hwHashFlight(world);
    hwDestroyWorld(world);

    hwLive_Rewind(rig.live, 2.5001);
    hwLive_Poll(rig.live);
    assert_int_equal(rig.rewinds, 1);
    hwLiveStatus status = hwLive_GetStatus(rig.live);
    assert_true(status.paused);
    assert_int_equal(status.steps, 150);
    assert_close(status.time, 2.5, 1e-9);
    assert_true(hwHashFlight(hwLive_GetWorld(rig.live)) == wanted);
    hwLive_GetLog(rig.live, &count);
    assert_int_equal(count, early);
    // and it goes on from there, with a log that still replays
    hwLive_Pause(rig.live, false);
    Fly(&rig);
    assert_true(Replay(rig.live, g_scene) == hwHashFlight(hwLive_GetWorld(rig.live)));
    // to the very beginning
    hwLive_Rewind(rig.live, -5.0);
    hwLive_Poll(rig.live);
    assert_int_equal(hwLive_GetStatus(rig.live).steps, 0);
    hwLive_GetLog(rig.live, &count);
    assert_int_equal(count, 0);
    FreeRig(&rig);
}

static void test_HistoryIsBounded(void** state) {
    (void)state;
    Rig rig;
    memset(&rig, 0, sizeof(rig));
    hwLiveDef def = RigDef(&rig, MakeWorld(g_scene));
    def.history = 3.0;
    def.snapshots = 0.5;
    hwError error;
    rig.live = hwCreateLive(&def, &error);
    assert_non_null(rig.live);
    RunClock(&rig, 20.0);
    double earliest = hwLive_GetStatus(rig.live).earliest;
    assert_true(earliest >= 16.0 && earliest <= 17.5);
    hwLive_Rewind(rig.live, 1.0);
    hwLive_Poll(rig.live);
    assert_close(hwLive_GetStatus(rig.live).time, earliest, 1e-9); // as far as it goes
    FreeRig(&rig);
}

static void test_BranchesAreIndependent(void** state) {
    (void)state;
    Rig rig, other;
    MakeRig(&rig, g_scene);
    Fly(&rig);
    Set(&rig, "rov.pilot.sway", 0.3);
    hwLive_Pause(rig.live, true);
    hwLive_Poll(rig.live);
    // the input was set at this very step: part of the branch's state and log
    memset(&other, 0, sizeof(other));
    other.clock = 5.0;
    hwLiveDef def = RigDef(&other, NULL);
    hwError error;
    other.live = hwLive_Branch(rig.live, &def, &error);
    if (other.live == NULL) fail_msg("%s", error.message);
    hwLive_TakeSteps(rig.live, 60);
    hwLive_TakeSteps(other.live, 60);
    RunClock(&rig, 0.1);
    RunClock(&other, 0.1);
    assert_true(hwHashFlight(hwLive_GetWorld(rig.live)) == hwHashFlight(hwLive_GetWorld(other.live)));
    Set(&other, "rov.pilot.surge", -1.0);
    hwLive_TakeSteps(rig.live, 60);
    hwLive_TakeSteps(other.live, 60);
    RunClock(&rig, 0.1);
    RunClock(&other, 0.1);
    assert_true(hwHashFlight(hwLive_GetWorld(rig.live)) != hwHashFlight(hwLive_GetWorld(other.live)));
    assert_true(Replay(other.live, g_scene) == hwHashFlight(hwLive_GetWorld(other.live)));
    // back to where it began, and on
    hwLive_Rewind(other.live, 0.0);
    hwLive_Pause(other.live, false);
    RunClock(&other, 1.0);
    assert_true(Replay(other.live, g_scene) == hwHashFlight(hwLive_GetWorld(other.live)));
    FreeRig(&rig);
    FreeRig(&other);
}

static void BadWater(const hwHydroInput* input, hwHydroOutput* output, void* context) {
    (void)context;
    output->wrench[0] = input->pose.p.x > 1.0 ? (double)NAN : 100.0;
}

static void test_FailureStopsAtTheBeginningOfTheStep(void** state) {
    (void)state;
    hwError error;
    hwWorldDef worldDef = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&worldDef, &error);
    hwBodyDef body = hwDefaultBodyDef();
    body.name = "box";
    body.mass = 10.0;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
    body.hydroFn = BadWater;
    assert_false(HW_IS_NULL(hwWorld_AddBody(world, &body, &error)));
    assert_status(hwWorld_Prepare(world, &error), HW_OK);
    Rig rig;
    memset(&rig, 0, sizeof(rig));
    hwLiveDef def = RigDef(&rig, world);
    rig.live = hwCreateLive(&def, &error);
    RunClock(&rig, 2.0);
    assert_int_equal(rig.failures, 1);
    hwLiveStatus status = hwLive_GetStatus(rig.live);
    assert_true(status.failed && status.paused);
    assert_close(status.time, status.steps / 60.0, 1e-12); // between steps, not within one
    assert_true(hwLive_GetError(rig.live)->message[0] != 0);
    hwLive_Pause(rig.live, false);
    RunClock(&rig, 0.5);
    assert_true(hwLive_GetStatus(rig.live).paused); // nothing to go on with
    hwLive_Rewind(rig.live, 0.1);
    hwLive_Pause(rig.live, false);
    RunClock(&rig, 0.2);
    assert_false(hwLive_GetStatus(rig.live).failed);
    assert_true(hwLive_GetStatus(rig.live).steps > 6);
    FreeRig(&rig);
}

static void test_SlowWorldsAreToldAndStayResponsive(void** state) {
    (void)state;
    Rig rig;
    MakeRig(&rig, g_scene);
    rig.stepCost = 0.05; // three times too slow
    for (int i = 0; i < 60; ++i) {
        rig.clock += 0.001;
        hwLive_Poll(rig.live);
    }
    assert_true(hwLive_GetStatus(rig.live).slow);
    assert_close(hwLive_GetStatus(rig.live).measured, 1.0 / 3.0, 0.05);
    assert_int_equal(rig.slows, 1);
    assert_true(rig.frames >= 20); // pictures come between the steps
    rig.stepCost = 0.0;
    RunClock(&rig, 3.0);
    assert_false(hwLive_GetStatus(rig.live).slow);
    assert_int_equal(rig.slows, 2);
    FreeRig(&rig);
}

static void test_QueueIsBounded(void** state) {
    (void)state;
    Rig rig;
    memset(&rig, 0, sizeof(rig));
    hwLiveDef def = RigDef(&rig, MakeWorld(g_scene));
    def.queue = 10;
    hwError error;
    rig.live = hwCreateLive(&def, &error);
    int input = FindInput(&rig, "rov.lights");
    double value = 0.5;
    for (int i = 0; i < 10; ++i) assert_int_equal(hwLive_SetInputs(rig.live, 1, &input, &value, 0.0), HW_OK);
    assert_int_equal(hwLive_SetInputs(rig.live, 1, &input, &value, 0.0), HW_ERROR_LIMIT);
    assert_int_equal(hwLive_Pause(rig.live, true), HW_ERROR_LIMIT);
    RunClock(&rig, 0.1);
    assert_int_equal(hwLive_SetInputs(rig.live, 1, &input, &value, 0.0), HW_OK);
    // nonsense from outside changes nothing
    int wrong = 99999;
    value = (double)NAN;
    assert_int_equal(hwLive_SetInputs(rig.live, 1, &wrong, &value, 0.0), HW_OK);
    assert_int_equal(hwLive_SetInputs(rig.live, 1, &input, &value, 0.0), HW_OK);
    RunClock(&rig, 0.1);
    size_t count;
    hwLive_GetLog(rig.live, &count);
    assert_int_equal(count, 1);
    FreeRig(&rig);
}

static void CountCall(hwLive* live, void* context) {
    (void)live;
    *(int*)context += 1;
}

static void CountTurn(hwLive* live, void* context) {
    (void)live;
    atomic_fetch_add((atomic_int*)context, 1);
}

static void* RunThread(void* context) {
    hwLive_Run(context);
    return NULL;
}

// The real clock and a real thread: what comes out depends on the machine, but it replays.
static void test_ThreadedFlightReplays(void** state) {
    (void)state;
    hwLiveDef def = hwDefaultLiveDef();
    hwError error;
    def.world = MakeWorld(g_scene);
    def.speed = 4.0;
    hwLive* live = hwCreateLive(&def, &error);
    assert_non_null(live);
    int inputs[2] = {hwWorld_FindInput(def.world, "rov.pilot.surge"),
                     hwWorld_FindInput(def.world, "rov.pilot.yaw")};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, RunThread, live), 0);
    int calls = 0;
    atomic_int turns = 0;
    for (int i = 0; i < 40; ++i) {
        double values[2] = {0.02 * i, 0.5 - 0.01 * i};
        assert_int_equal(hwLive_SetInputs(live, 2, inputs, values, (double)NAN), HW_OK);
        if (i % 10 == 0) hwLive_Call(live, CountCall, &calls);
        nanosleep(&(struct timespec){0, 10000000}, NULL);
        // until the thread has had its turn, however busy the machine is; a minute is a hang
        hwLive_Call(live, CountTurn, &turns);
        for (int wait = 0; wait < 12000 && atomic_load(&turns) <= i; ++wait)
            nanosleep(&(struct timespec){0, 5000000}, NULL);
    }
    hwLive_Stop(live);
    pthread_join(thread, NULL);
    assert_int_equal(calls, 4);
    size_t count;
    hwLive_GetLog(live, &count);
    assert_true(count > 10);
    assert_true(hwLive_GetStatus(live).steps > 0);
    assert_true(Replay(live, g_scene) == hwHashFlight(hwLive_GetWorld(live)));
    hwDestroyLive(live);
}

static void test_BadDefsAreRefused(void** state) {
    (void)state;
    hwError error;
    hwLiveDef def = hwDefaultLiveDef();
    assert_null(hwCreateLive(&def, &error));
    assert_int_equal(error.status, HW_ERROR_ORDER);
    hwWorldDef worldDef = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&worldDef, &error);
    def.world = world;
    assert_null(hwCreateLive(&def, &error)); // not prepared
    def.step = -1.0;
    assert_null(hwCreateLive(&def, &error));
    assert_int_equal(error.status, HW_ERROR_ARGUMENT);
    hwDestroyWorld(world);
    hwDestroyLive(NULL);
}

// A clock whose readings take time, as the system's does, and what frames told by it: how old the world in them was.
typedef struct Watch {
    double clock, least, most;
    int frames;
} Watch;

static double ReadWatch(void* context) {
    Watch* watch = context;
    return watch->clock += 1e-6;
}

static void LookAtFrame(hwLive* live, void* context) {
    Watch* watch = context;
    double age = watch->clock - hwWorld_GetTime(hwLive_GetWorld(live));
    watch->frames += 1;
    if (watch->frames < 3) return;
    watch->least = hwFmin(watch->least, age);
    watch->most = hwFmax(watch->most, age);
}

// However promptly the thread wakes, after a change of pace too, and when what a pilot sends wakes it between two steps: a frame
// shows the step that has just been taken, never the one before because it was due a moment earlier.
static void test_FramesShowTheStepJustTaken(void** state) {
    (void)state;
    for (int changed = 0; changed < 2; ++changed) {
        hwError error;
        Watch watch = {0.0, 1e9, -1e9, 0};
        hwLiveDef def = hwDefaultLiveDef();
        def.world = MakeWorld(g_scene);
        def.clock = ReadWatch;
        def.clockContext = def.context = &watch;
        def.onFrame = LookAtFrame;
        hwLive* live = hwCreateLive(&def, &error);
        assert_non_null(live);
        if (changed) {
            hwLive_Poll(live);
            watch.clock += 0.0071;
            assert_int_equal(hwLive_SetFrameRate(live, 30.0), HW_OK);
        }
        for (int i = 0; watch.clock < 10.0; ++i) {
            double next = hwLive_Poll(live);
            if (i % 5 == 2) { // woken early
                watch.clock = hwFmax(watch.clock, next - 1e-3 * (i % 8));
                continue;
            }
            watch.clock = hwFmax(watch.clock, next) + (i % 7 == 3 ? 2e-3 : (i % 3) * 1e-5); // wakes late
        }
        assert_true(watch.frames >= 295 && watch.frames <= 305);
        assert_true(watch.most - watch.least < 0.0025);
        hwDestroyLive(live);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_FramesShowTheStepJustTaken),
        cmocka_unit_test(test_TimeKeepsPaceWithoutDrift),
        cmocka_unit_test(test_SpeedsOtherThanOne),
        cmocka_unit_test(test_PauseAndSingleSteps),
        cmocka_unit_test(test_InputsActInTheirStep),
        cmocka_unit_test(test_ReplayReachesTheSameBits),
        cmocka_unit_test(test_ReplayWithEventsOfTheScene),
        cmocka_unit_test(test_RewindIsExact),
        cmocka_unit_test(test_HistoryIsBounded),
        cmocka_unit_test(test_BranchesAreIndependent),
        cmocka_unit_test(test_FailureStopsAtTheBeginningOfTheStep),
        cmocka_unit_test(test_SlowWorldsAreToldAndStayResponsive),
        cmocka_unit_test(test_QueueIsBounded),
        cmocka_unit_test(test_ThreadedFlightReplays),
        cmocka_unit_test(test_BadDefsAreRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
