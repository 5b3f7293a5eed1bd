// The program is killed in the middle of a lesson: what was finished is whole, what was broken off goes on from its last second.
#define _GNU_SOURCE
#define FOLDER HAWSER_BINARY_DIR "/test/kill_flights"
#define LESSON HAWSER_BINARY_DIR "/test/kill_lesson.yaml"
#include "host.h"

#include "hawser/flight.h"

#include <sys/wait.h>

static const char g_lesson[] = "hawser: 1\ninclude: round_pool\nname: kill\n"
                               "vehicles: [{name: rov, model: bluerov2_heavy, position: [0, 0, -1.5]}]\n"
                               "lesson:\n  title: Kill\n  par: 100\n  limit: 400\n"
                               "  objectives: [{name: armed, conditions: [{channel: rov.armed, above: 1}]}, "
                               "{name: deep, conditions: [{channel: rov.depth, above: 400}]}]\n"
                               "  weights: {task: 1}\n";

static int g_pipe[2];

static void TellPort(const char* url, const char* instructor, void* context) {
    (void)instructor;
    (void)context;
    int port = atoi(strrchr(url, ':') + 1);
    assert_int_equal(write(g_pipe[1], &port, sizeof(port)), sizeof(port));
}

static void Start(Ws* ws, int port, char flight[64]) {
    WsOpen(ws, port, NULL, NULL, NULL);
    WsDo(WsAsk(ws, "{\"type\": \"hello\", \"version\": 1"));
    json_t* reply = WsGood(WsAsk(ws, "{\"type\": \"start\", \"options\": {\"scene\": \"preset\"}"));
    snprintf(flight, 64, "%s", WsString(reply, "flight"));
    json_decref(reply);
    WsDo(WsAsk(ws, "{\"type\": \"command\", \"name\": \"arm\", \"value\": true"));
    WsDo(WsAsk(ws, "{\"type\": \"pilot\", \"seq\": 1, \"axes\": [0.6, 0, 0, 0.3], \"hold\": true"));
}

static void test_BrokenFlightGoesOnFromItsLastSecond(void** state) {
    (void)state;
    assert_int_equal(pipe(g_pipe), 0);
    pid_t child = fork();
    if (child == 0) {
        hwWebServerDef def = hwDefaultWebServerDef();
        def.flights = FOLDER;
        def.preset = LESSON;
        def.ready = TellPort;
        hwWebServer_Run(&def, NULL);
        _exit(1);
    }
    int port = 0;
    assert_int_equal(read(g_pipe[0], &port, sizeof(port)), sizeof(port));
    Ws ws;
    char whole[64], broken[64], path[600];
    Start(&ws, port, whole);
    WS_PASS(&ws, 1.0);
    WsDo(WsAsk(&ws, "{\"type\": \"stop\""));
    WS_UNTIL(&ws, ws.ended != NULL);
    WsClose(&ws);
    Start(&ws, port, broken);
    WsDo(WsAsk(&ws, "{\"type\": \"mark\", \"text\": \"remember this\""));
    WS_PASS(&ws, 3.5);
    double reached = FrameTime(&ws);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    WsClose(&ws);
    hwError error;
    snprintf(path, sizeof(path), "%s/%s", FOLDER, whole);
    hwFlight* flight = hwLoadFlight(path, &error);
    assert_non_null(flight);
    assert_string_equal(hwFlight_GetInfo(flight)->status, "completed");
    assert_true(hwFlight_GetInfo(flight)->hashed);
    hwDestroyFlight(flight);
    // another program finds the broken one and goes on
    static Host host;
    host.def = hwDefaultWebServerDef();
    host.def.preset = LESSON;
    StartHost(&host);
    WsOpen(&ws, host.port, NULL, NULL, NULL);
    WsDo(WsAsk(&ws, "{\"type\": \"hello\", \"version\": 1"));
    assert_true(WsIsError(WsAsk(&ws, "{\"type\": \"open\", \"kind\": \"resume\", \"flight\": \"no-such\""),
                          "failed"));
    json_t* reply =
        WsGood(WsAsk(&ws, "{\"type\": \"open\", \"kind\": \"resume\", \"flight\": \"%s\"", broken));
    assert_string_not_equal(WsString(reply, "flight"), broken);
    assert_true(strlen(WsString(reply, "secret")) > 10);
    json_decref(reply);
    WS_UNTIL(&ws, ws.frames > 0 && ws.scene != NULL);
    // recordings are flushed once a second of simulated time; a frame may be in flight
    assert_true(FrameTime(&ws) >= reached - 1.2 && FrameTime(&ws) <= reached + 1.0);
    assert_non_null(json_object_get(ws.scene, "lesson"));
    assert_true((FrameWord(&ws, 4) & 4) != 0); // recording
    double time = FrameTime(&ws);
    WS_UNTIL(&ws, FrameTime(&ws) > time + 0.3);
    WsDo(WsAsk(&ws, "{\"type\": \"stop\""));
    WS_UNTIL(&ws, ws.ended != NULL);
    WsClose(&ws);
    StopHost(&host);
    snprintf(path, sizeof(path), "%s/%s", FOLDER, broken);
    flight = hwLoadFlight(path, &error);
    assert_non_null(flight);
    assert_string_equal(hwFlight_GetInfo(flight)->status, "broken off");
    assert_non_null(strstr(hwFlight_GetMarks(flight), "remember this"));
    hwDestroyFlight(flight);
}

static int SetUp(void** state) {
    (void)state;
    RemoveFlights();
    FILE* file = fopen(LESSON, "w");
    assert_non_null(file);
    fputs(g_lesson, file);
    fclose(file);
    return 0;
}

static int TearDown(void** state) {
    (void)state;
    RemoveFlights();
    remove(LESSON);
    return 0;
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_BrokenFlightGoesOnFromItsLastSecond)};
    return cmocka_run_group_tests(tests, SetUp, TearDown);
}
