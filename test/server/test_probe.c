// A lesson that stops to ask: time stands until the pilot has answered, and the recording gives the same score again.
#define _GNU_SOURCE
#define FOLDER HAWSER_BINARY_DIR "/test/probe_flights"
#define LESSON HAWSER_BINARY_DIR "/test/probe_lesson.yaml"
#include "host.h"

#include "hawser/pilot.h"

static Host g_host;

static const char g_lesson[] =
    "hawser: 1\ninclude: round_pool\nname: probe\n"
    "vehicles: [{name: rov, model: bluerov2_heavy, position: [0, 0, -1.5]}]\n"
    "lesson:\n  title: Probe\n  par: 10\n  limit: 2.5\n"
    "  objectives: [{name: down, conditions: [{channel: rov.depth, above: 400}]}]\n"
    "  weights: {task: 0.5, awareness: 0.5}\n"
    "  probes: {count: 1, first: 1, spread: 0.5, questions: 4, seed: 3}\n";

static void test_TimeStandsUntilTheAnswer(void** state) {
    (void)state;
    Ws ws;
    WsOpen(&ws, g_host.port, NULL, NULL, NULL);
    WsDo(WsAsk(&ws, "{\"type\": \"hello\", \"version\": 1"));
    json_t* reply = WsGood(WsAsk(&ws, "{\"type\": \"start\", \"options\": {\"scene\": \"preset\"}"));
    char flight[64], path[600];
    snprintf(flight, sizeof(flight), "%s", WsString(reply, "flight"));
    json_decref(reply);
    assert_true(WsIsError(WsAsk(&ws, "{\"type\": \"answer\", \"probe\": 0, \"answers\": {}"), "order"));
    WS_UNTIL(&ws, ws.probe != NULL);
    assert_int_equal(json_array_size(json_object_get(ws.probe, "items")), 4);
    WS_UNTIL(&ws, (FrameWord(&ws, 4) & 1) == 1);
    double time = FrameTime(&ws), depth = VehicleFloat(&ws, 52);
    // time is nobody's now, and answers are judged before they count
    reply = WsAsk(&ws, "{\"type\": \"pause\", \"paused\": false");
    assert_non_null(strstr(WsString(reply, "message"), "until the questions are answered"));
    json_decref(reply);
    reply = WsAsk(&ws, "{\"type\": \"answer\", \"probe\": 0, \"answers\": {\"depth\": \"deep\"}");
    assert_non_null(strstr(WsString(reply, "message"), "answers.depth must be a number"));
    json_decref(reply);
    reply = WsAsk(&ws, "{\"type\": \"answer\", \"probe\": 0, \"answers\": {\"confidence\": 7}");
    assert_non_null(strstr(WsString(reply, "message"), "from 0 to 1"));
    json_decref(reply);
    WsDo(WsAsk(
        &ws,
        "{\"type\": \"answer\", \"probe\": 0, \"answers\": {\"depth\": %.6f, \"heading\": 0, \"turns\": 0, "
        "\"unwind\": 0, \"confidence\": 0.8}",
        depth));
    WS_UNTIL(&ws, FrameTime(&ws) > time + 0.5);
    WsDo(WsAsk(&ws, "{\"type\": \"stop\""));
    WS_UNTIL(&ws, ws.ended != NULL);
    WsClose(&ws);
    // from the rows and the answers alone, and from the inputs flown again
    snprintf(path, sizeof(path), "%s/%s", FOLDER, flight);
    hwError error;
    hwFlight* recorded = hwLoadFlight(path, &error);
    assert_non_null(recorded);
    const char* text = hwFlight_GetScene(recorded);
    hwScene* scene = hwParseScene(text, strlen(text), "scene", NULL, &error);
    assert_non_null(scene);
    hwScene_SetSolver(scene, HW_SOLVER_REALTIME);
    hwFlyResult *rows = calloc(1, sizeof(*rows)), *again = calloc(1, sizeof(*again));
    char results[700];
    snprintf(results, sizeof(results), "%s/results.h5", path);
    assert_int_equal(hwScoreFlight(recorded, scene, results, rows, &error), HW_OK);
    assert_int_equal(rows->probeCount, 1);
    assert_true(rows->probes[0].answered);
    assert_close(rows->probes[0].points[HW_PROBE_DEPTH], 1.0, 1e-4); // six digits were answered
    assert_close(rows->probes[0].answer.confidence, 0.8, 0.0);
    assert_close(rows->score.terms[HW_TERM_AWARENESS], 1.0, 1e-3);
    hwFlyDef def = {.scene = scene, .flight = recorded};
    assert_int_equal(hwFlyLesson(&def, again, &error), HW_OK);
    assert_true(again->hash == hwFlight_GetInfo(recorded)->hash);
    assert_true(again->score.score == rows->score.score);
    free(rows->events);
    free(again->events);
    free(rows);
    free(again);
    hwDestroyScene(scene);
    hwDestroyFlight(recorded);
}

static int SetUp(void** state) {
    (void)state;
    RemoveFlights();
    FILE* file = fopen(LESSON, "w");
    assert_non_null(file);
    fputs(g_lesson, file);
    fclose(file);
    g_host.def = hwDefaultWebServerDef();
    g_host.def.preset = LESSON;
    StartHost(&g_host);
    return 0;
}

static int TearDown(void** state) {
    (void)state;
    StopHost(&g_host);
    RemoveFlights();
    remove(LESSON);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_TimeStandsUntilTheAnswer)};
    return cmocka_run_group_tests(tests, SetUp, TearDown);
}
