// A flight of a scene with a build-up begins after it, at the scene's start with the sea grown, and repeats to the bit.
#define _GNU_SOURCE
#define FOLDER HAWSER_BINARY_DIR "/test/build_up_flights"
#define SCENE HAWSER_BINARY_DIR "/test/build_up_scene.yaml"
#include "host.h"

#include "hawser/flight.h"

static const char g_scene[] = "hawser: 1\nname: waves\nduration: 600\nstart: {build_up: 20}\n"
                              "environment:\n  water: {density: 1025}\n"
                              "  waves: {airy: {height: 1, period: 6}}\n"
                              "vehicles:\n  - {name: rov, model: bluerov2_heavy, position: [0, 0, -3]}\n";

static void FlightsBeginAfterTheBuildUp(void** state) {
    (void)state;
    Host host = {.def = hwDefaultWebServerDef()};
    Ws ws;
    FILE* file = fopen(SCENE, "w");
    assert_non_null(file);
    fputs(g_scene, file);
    fclose(file);
    host.def.preset = SCENE;
    StartHost(&host);
    WsOpen(&ws, host.port, NULL, NULL, NULL);
    WsDo(WsAsk(&ws, "{\"type\": \"hello\", \"version\": 1"));
    json_t* reply = WsGood(WsAsk(&ws, "{\"type\": \"start\", \"options\": {\"scene\": \"preset\"}"));
    char flight[64], path[600];
    snprintf(flight, sizeof(flight), "%s", WsString(reply, "flight"));
    json_decref(reply);
    WS_UNTIL(&ws, ws.frames > 0);
    assert_true(FrameTime(&ws) >= 0.0);
    WS_UNTIL(&ws, FrameTime(&ws) > 0.5);
    WsDo(WsAsk(&ws, "{\"type\": \"stop\""));
    WS_UNTIL(&ws, ws.ended != NULL);

    snprintf(path, sizeof(path), FOLDER "/%s", flight);
    hwError error;
    hwFlight* recorded = hwLoadFlight(path, &error);
    if (recorded == NULL) fail_msg("%s", error.message);
    hwWorld* world = hwFlight_CreateWorld(recorded, &error);
    if (world == NULL) fail_msg("%s", error.message);
    assert_true(hwWorld_GetTime(world) == 0.0);
    // waves have carried it about for 20 s
    hwBodyState body;
    assert_int_equal(hwBody_GetState(world, hwWorld_FindBody(world, "rov"), &body, &error), HW_OK);
    assert_true(hwLength(body.velocity) > 0.01);
    const hwFlightInfo* info = hwFlight_GetInfo(recorded);
    size_t count = 0;
    hwInputEvent* log = hwFlight_ResolveLog(recorded, world, info->steps, &count, &error);
    assert_non_null(log);
    assert_int_equal(hwReplayInputs(world, info->step, info->steps, count, log, NULL, NULL, &error), HW_OK);
    assert_true(info->hashed && hwHashFlight(world) == info->hash);
    free(log);
    hwDestroyWorld(world);
    hwDestroyFlight(recorded);
    WsClose(&ws);
    StopHost(&host);
    RemoveFlights();
    remove(SCENE);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(FlightsBeginAfterTheBuildUp)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
