// Arms in the trainer: moved by joint and by tip from messages, stopped by silence, within stops, shown in frames, and recorded so
// that the flight can be flown again to the bit.
#define _GNU_SOURCE
#define FOLDER HAWSER_BINARY_DIR "/test/arm_flights"
#include "host.h"

#include "hawser/flight.h"
#include "hawser/live.h"
#include "hawser/scene.h"

// Displacement of a joint in the frame's section of the first arm.
static double Joint(const Ws* ws, int joint) {
    size_t length = 0, at = FrameSection(ws, 8, &length);
    assert_true(at != 0 && length == 8 * 6);
    return FrameFloat(ws, at + 8 * (size_t)joint);
}

static const json_t* FirstArm(const Ws* ws) {
    const json_t* vehicle = json_array_get(json_object_get(ws->scene, "vehicles"), 0);
    return json_array_get(json_object_get(vehicle, "arms"), 0);
}

// The hash of the recorded inputs flown again.
static uint64_t FlyAgain(const char* folder) {
    hwError error = {0};
    hwFlight* flight = hwLoadFlight(folder, &error);
    if (flight == NULL) fail_msg("%s", error.message);
    const char* text = hwFlight_GetScene(flight);
    hwScene* scene = hwParseScene(text, strlen(text), "scene", NULL, &error);
    assert_non_null(scene);
    hwScene_SetSolver(scene, HW_SOLVER_REALTIME);
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    assert_non_null(world);
    const hwFlightInfo* info = hwFlight_GetInfo(flight);
    size_t count = 0;
    hwInputEvent* log = hwFlight_ResolveLog(flight, world, info->steps, &count, &error);
    assert_non_null(log);
    assert_status(hwReplayInputs(world, info->step, info->steps, count, log, NULL, NULL, &error), HW_OK);
    uint64_t hash = hwHashFlight(world);
    free(log);
    hwDestroyWorld(world);
    hwDestroyScene(scene);
    hwDestroyFlight(flight);
    return hash;
}

static void ArmsMoveAsTold(void** state) {
    (void)state;
    Host host = {.def = hwDefaultWebServerDef()};
    Ws ws;
    StartHost(&host);
    WsOpen(&ws, host.port, NULL, NULL, NULL);
    WsDo(WsAsk(&ws, "{\"type\": \"hello\", \"version\": 1"));
    WsDo(WsAsk(&ws, "{\"type\": \"start\", \"options\": {\"scene\": \"valve_panel\"}"));
    WS_UNTIL(&ws, ws.scene != NULL && ws.frames > 1);
    const json_t* arm = FirstArm(&ws);
    assert_string_equal(WsString(arm, "name"), "rov.arm");
    assert_int_equal(json_array_size(json_object_get(arm, "joints")), 6);
    WsPause(&ws);

    // by joint: the wrist turns, and nothing else is asked for
    double wrist = Joint(&ws, 5), elbow = Joint(&ws, 2);
    WsDo(WsAsk(&ws, "{\"type\": \"manipulate\", \"arm\": 0, \"joints\": [0, 0, 0, 0, 0, 1]"));
    double start = FrameTime(&ws);
    WsDo(WsAsk(&ws, "{\"type\": \"step\", \"seconds\": 1"));
    WS_UNTIL(&ws, FrameTime(&ws) > start + 0.99);
    double turned = Joint(&ws, 5) - wrist;
    // full rate is 3 rad/s; the target leads by 0.3 s of it, the drive lags behind
    assert_true(turned > 0.5 && turned < 3.0);
    assert_true(fabs(Joint(&ws, 2) - elbow) < 0.1);
    // a second without a word, and it stands
    WsDo(WsAsk(&ws, "{\"type\": \"step\", \"seconds\": 2"));
    WS_UNTIL(&ws, FrameTime(&ws) > start + 2.99);
    wrist = Joint(&ws, 5);
    WsDo(WsAsk(&ws, "{\"type\": \"step\", \"seconds\": 1"));
    WS_UNTIL(&ws, FrameTime(&ws) > start + 3.99);
    assert_close(Joint(&ws, 5), wrist, 0.03); // what is left of the lead

    // by tip: ahead, so that the elbow stretches; and no further than its stop, however long it is asked for
    elbow = Joint(&ws, 2);
    for (int i = 0; i < 4; ++i) {
        WsDo(WsAsk(&ws, "{\"type\": \"manipulate\", \"arm\": 0, \"tool\": [1, 0, 0, 0, 0, 0], \"jaw\": -1"));
        WsDo(WsAsk(&ws, "{\"type\": \"step\", \"seconds\": 0.5"));
        WS_UNTIL(&ws, FrameTime(&ws) > start + 3.99 + 0.5 * (i + 1) - 0.01);
    }
    assert_true(Joint(&ws, 2) > elbow + 0.05);

    // what cannot be
    assert_true(WsIsError(WsAsk(&ws, "{\"type\": \"manipulate\", \"arm\": 9, \"joints\": [1]"), "value"));
    assert_true(WsIsError(WsAsk(&ws, "{\"type\": \"manipulate\", \"arm\": 0, \"joints\": [1], \"tool\": [1]"),
                          "type"));
    assert_true(WsIsError(
        WsAsk(&ws, "{\"type\": \"manipulate\", \"arm\": 0, \"joints\": [1, 1, 1, 1, 1, 1, 1, 1]"), "value"));
    assert_true(WsIsError(WsAsk(&ws, "{\"type\": \"manipulate\", \"arm\": 0, \"joints\": [\"a\"]"), "type"));

    WsDo(WsAsk(&ws, "{\"type\": \"stop\""));
    WS_UNTIL(&ws, ws.ended != NULL);
    char folder[400];
    snprintf(folder, sizeof(folder), "%s/%s", FOLDER, WsString(ws.ended, "flight"));
    assert_int_equal(FlyAgain(folder), strtoull(WsString(ws.ended, "hash"), NULL, 16));
    WsClose(&ws);
    StopHost(&host);
    RemoveFlights();
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ArmsMoveAsTold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
