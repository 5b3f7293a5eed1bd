// The server from outside: flights, replays, dropped and hostile connections.
#define _GNU_SOURCE
#define FOLDER HAWSER_BINARY_DIR "/test/server_flights"
#include "host.h"

#include "hawser/flight.h"

#include <sys/resource.h>

// The server that most tests share.
static Host g_host;

static void Connect(Ws* ws) {
    WsOpen(ws, g_host.port, NULL, NULL, NULL);
    assert_int_equal(ws->status, 101);
    WsDo(WsAsk(ws, "{\"type\": \"hello\", \"version\": 1"));
}

// Starts a flight in a pool without tether; id and secret are those of the reply.
static void Fly(Ws* ws, char* flight, char* secret) {
    json_t* reply = WsGood(
        WsAsk(ws, "{\"type\": \"start\", \"options\": {\"surroundings\": \"round_pool\", \"tether\": null, "
                  "\"handler\": \"hold\", \"title\": \"test \\\"flight\\\"\"}"));
    if (flight != NULL) snprintf(flight, 64, "%s", WsString(reply, "flight"));
    if (secret != NULL) snprintf(secret, 64, "%s", WsString(reply, "secret"));
    json_decref(reply);
    WsDo(WsAsk(ws, "{\"type\": \"command\", \"name\": \"arm\", \"value\": true"));
    WsDo(WsAsk(ws, "{\"type\": \"command\", \"name\": \"mode\", \"value\": \"depth_hold\""));
}

static void SendAxes(Ws* ws, unsigned seq, double surge, double yaw) {
    char text[160];
    snprintf(text, sizeof(text), "{\"type\": \"pilot\", \"seq\": %u, \"t\": 1.5, \"axes\": [%g, 0, 0, %g]}",
             seq, surge, yaw);
    assert_true(WsSendText(ws, text));
}

static void test_HelloComesFirst(void** state) {
    (void)state;
    Ws ws;
    WsOpen(&ws, g_host.port, NULL, NULL, NULL);
    assert_int_equal(ws.status, 101);
    assert_true(WsIsError(WsAsk(&ws, "{\"type\": \"start\""), "order"));
    assert_true(WsIsError(WsAsk(&ws, "{\"type\": \"hello\""), "type"));
    json_t* reply = WsGood(WsAsk(&ws, "{\"type\": \"hello\", \"version\": 1"));
    const json_t* catalog = json_object_get(reply, "catalog");
    assert_true(json_array_size(json_object_get(catalog, "vehicles")) >= 2);
    assert_true(json_array_size(json_object_get(catalog, "surroundings")) >= 4);
    assert_int_equal(json_array_size(json_object_get(catalog, "modes")), 10);
    assert_string_equal(WsString(reply, "mode"), "train");
    json_decref(reply);
    assert_true(WsIsError(WsAsk(&ws, "{\"type\": \"hello\", \"version\": 1"), "order"));
    assert_true(WsIsError(WsAsk(&ws, "{\"type\": \"pause\""), "order"));
    assert_true(WsIsError(WsAsk(&ws, "{\"type\": \"nonsense\""), "type"));
    reply = WsGood(WsAsk(&ws, "{\"type\": \"ping\", \"t\": 12.5"));
    assert_close(json_number_value(json_object_get(reply, "t")), 12.5, 0.0);
    json_decref(reply);
    WsClose(&ws);
    WsOpen(&ws, g_host.port, NULL, NULL, NULL);
    assert_true(WsIsError(WsAsk(&ws, "{\"type\": \"hello\", \"version\": 99"), "version"));
    int opcode = WsReceive(&ws, 2.0);
    assert_true(opcode == WS_CLOSE || opcode == WS_GONE);
    WsClose(&ws);
}

static void test_FlightMovesAndIsToldInFrames(void** state) {
    (void)state;
    Ws ws;
    Connect(&ws);
    Fly(&ws, NULL, NULL);
    assert_non_null(ws.scene);
    assert_int_equal(json_array_size(json_object_get(ws.scene, "vehicles")), 1);
    const json_t* vehicle = json_array_get(json_object_get(ws.scene, "vehicles"), 0);
    assert_int_equal(json_array_size(json_object_get(vehicle, "thrusters")), 8);
    assert_true(json_array_size(json_object_get(vehicle, "parts")) > 3);
    for (unsigned i = 1; i <= 20; ++i) {
        SendAxes(&ws, i, 1.0, 0.0);
        WsPump(&ws, 0.1, 0);
    }
    WS_UNTIL(&ws, FrameWord(&ws, 20) == 20); // the last pilot message
    assert_true(ws.frameSize < 10000);
    size_t length = 0;
    FrameSection(&ws, 2, &length);
    assert_int_equal(length, 176);
    FrameSection(&ws, 3, &length);
    assert_int_equal(length, 8 * 16);
    assert_true(VehicleFloat(&ws, 72) > 0.15);     // speed at half gain
    assert_true(VehicleFloat(&ws, 0) > 0.1);       // north
    assert_close(VehicleFloat(&ws, 52), 1.0, 0.2); // depth is held
    assert_close(VehicleFloat(&ws, 68), 4.0, 0.2); // altitude above 5 m
    // At most 30 a second, and the world is never ahead of the clock; a slow machine may be behind it. The first of them may have
    // been waiting: a fifth of a second.
    int frames = ws.frames;
    double time = FrameTime(&ws), clock = WsClock();
    WS_UNTIL(&ws, ws.frames - frames > 45);
    assert_true(ws.frames - frames <= 30.0 * (WsClock() - clock + 0.2) + 1.0);
    assert_true(FrameTime(&ws) - time <= WsClock() - clock + 0.2);
    assert_true(FrameTime(&ws) > time);
    WsDo(WsAsk(&ws, "{\"type\": \"stop\""));
    WS_UNTIL(&ws, ws.ended != NULL);
    assert_string_equal(WsString(ws.ended, "reason"), "stopped");
    WsClose(&ws);
}

static void test_PilotSilenceStopsTheAxes(void** state) {
    (void)state;
    Ws ws;
    Connect(&ws);
    Fly(&ws, NULL, NULL);
    WS_UNTIL(&ws, ws.frames > 0);
    // said again until it shows: a busy machine may take it for silence already
    for (unsigned i = 1; VehicleFloat(&ws, 128) < 0.9 && i < 1000; ++i) {
        SendAxes(&ws, i, 1.0, 0.0);
        WsPump(&ws, 0.1, 0);
    }
    assert_true(VehicleFloat(&ws, 128) > 0.9);
    WS_UNTIL(&ws, VehicleFloat(&ws, 128) == 0.0 && strstr(ws.alerts, "pilot") != NULL);
    // input hold keeps them
    WsSendText(&ws, "{\"type\": \"pilot\", \"seq\": 2000, \"axes\": [1, 0, 0, 0], \"hold\": true}");
    WS_UNTIL(&ws, VehicleFloat(&ws, 128) > 0.9);
    WS_PASS(&ws, 2.0);
    assert_true(VehicleFloat(&ws, 128) > 0.9);
    WsClose(&ws);
}

static void test_CommandsReachTheVehicle(void** state) {
    (void)state;
    Ws ws;
    Connect(&ws);
    Fly(&ws, NULL, NULL);
    WsDo(WsAsk(&ws, "{\"type\": \"command\", \"name\": \"lights\", \"value\": 0.5"));
    WsDo(WsAsk(&ws, "{\"type\": \"command\", \"name\": \"lights_step\", \"value\": 0.25"));
    WsDo(WsAsk(&ws, "{\"type\": \"command\", \"name\": \"gain_step\", \"value\": 1"));
    WsDo(WsAsk(&ws, "{\"type\": \"command\", \"name\": \"gripper\", \"value\": \"open\""));
    WsDo(WsAsk(&ws, "{\"type\": \"command\", \"name\": \"camera_tilt_deg\", \"value\": -20"));
    WsDo(WsAsk(&ws, "{\"type\": \"command\", \"name\": \"camera_zoom_rate\", \"value\": 2"));
    WsDo(WsAsk(&ws, "{\"type\": \"command\", \"name\": \"fail_thruster\", \"value\": {\"thruster\": 3, "
                    "\"failed\": true}"));
    WsDo(WsAsk(&ws, "{\"type\": \"tune\", \"axes\": {\"yaw\": {\"invert\": true, \"expo\": 0}}"));
    WsDo(WsAsk(&ws, "{\"type\": \"current\", \"speed\": 0.2, \"direction_deg\": 90"));
    assert_true(WsIsError(
        WsAsk(&ws, "{\"type\": \"command\", \"name\": \"fail_thruster\", \"value\": {\"thruster\": 12}"),
        "value"));
    assert_true(WsIsError(WsAsk(&ws, "{\"type\": \"command\", \"name\": \"lights\", \"value\": 7"), "value"));
    assert_true(WsIsError(WsAsk(&ws, "{\"type\": \"set\", \"inputs\": {\"rov.nonsense\": 1}"), "value"));
    WsDo(WsAsk(&ws, "{\"type\": \"set\", \"inputs\": {\"rov.hold.depth\": 2}"));
    WS_PASS(&ws, 0.9);
    assert_close(VehicleFloat(&ws, 92), 0.75, 1e-6);
    assert_close(VehicleFloat(&ws, 100), 0.75, 1e-6);
    assert_true(VehicleFloat(&ws, 96) > 0.2);          // opening
    assert_close(VehicleFloat(&ws, 84), -0.349, 0.03); // tilt
    assert_true(VehicleFloat(&ws, 88) > 1.5);          // zooming in
    for (unsigned i = 1; VehicleFloat(&ws, 140) == 0.0 && i < 1000; ++i) {
        SendAxes(&ws, i, 0.0, 1.0);
        WsPump(&ws, 0.1, 0);
    }
    assert_close(VehicleFloat(&ws, 140), -1.0, 1e-6); // yaw, inverted
    assert_close(VehicleFloat(&ws, 120), 0.2, 1e-6);  // the water goes west
    assert_close(VehicleFloat(&ws, 104), 2.0, 0.1);   // depth set point
    size_t at = FrameSection(&ws, 2, NULL);
    assert_int_equal(ws.frame[at + 112], 2);     // depth_hold
    assert_int_equal(ws.frame[at + 113] & 1, 1); // armed
    assert_int_equal(ws.frame[at + 114], 8);     // thruster 3
    assert_non_null(strstr(ws.alerts, "thruster"));
    json_t* inputs = WsGood(WsAsk(&ws, "{\"type\": \"inputs\""));
    assert_true(json_array_size(json_object_get(inputs, "inputs")) > 40);
    json_decref(inputs);
    WsClose(&ws);
}

static void test_DroppedConnectionResumesTheSameWorld(void** state) {
    (void)state;
    Ws ws, other;
    char flight[64], secret[64];
    Connect(&ws);
    Fly(&ws, flight, secret);
    WsDo(WsAsk(&ws, "{\"type\": \"command\", \"name\": \"fail_thruster\", \"value\": {\"thruster\": 3, "
                    "\"failed\": true}"));
    SendAxes(&ws, 7, 1.0, 0.0);
    WS_UNTIL(&ws, FrameTime(&ws) > 0.5);
    double before = FrameTime(&ws), then = WsClock();
    // gone without a word
    struct linger hard = {1, 0};
    setsockopt(ws.fd, SOL_SOCKET, SO_LINGER, &hard, sizeof(hard));
    WsClose(&ws);
    WsSleep(0.3);
    double dropped = WsClock();
    WsOpen(&ws, g_host.port, NULL, NULL, NULL);
    assert_int_equal(ws.status, 101);
    json_t* reply = WsGood(WsAsk(
        &ws, "{\"type\": \"hello\", \"version\": 1, \"resume\": {\"flight\": \"%s\", \"secret\": \"%s\"}",
        flight, secret));
    assert_true(json_is_true(json_object_get(reply, "resumed")));
    json_decref(reply);
    WS_UNTIL(&ws, ws.frames > 0);
    // what is promised in seconds, where the machine is idle
    if (getenv("HAWSER_TIMED") != NULL) assert_true(WsClock() - dropped < 2.0);
    // it went on meanwhile, and no faster than the clock; frames may have waited for a fifth of a second
    assert_true(FrameTime(&ws) > before && FrameTime(&ws) < before + WsClock() - then + 0.2);
    WS_UNTIL(&ws, ws.scene != NULL);
    assert_string_equal(WsString(ws.scene, "flight"), flight);
    WS_UNTIL(&ws, VehicleFloat(&ws, 128) == 0.0);         // nobody at the sticks
    WS_UNTIL(&ws, strstr(ws.alerts, "thruster") != NULL); // what is still wrong is said again
    // a wrong secret is nobody
    WsOpen(&other, g_host.port, NULL, NULL, NULL);
    reply = WsGood(
        WsAsk(&other,
              "{\"type\": \"hello\", \"version\": 1, \"resume\": {\"flight\": \"%s\", \"secret\": \"%040d\"}",
              flight, 0));
    assert_false(json_is_true(json_object_get(reply, "resumed")));
    json_decref(reply);
    WsClose(&other);
    // the right one takes the flight away
    WsOpen(&other, g_host.port, NULL, NULL, NULL);
    reply = WsGood(WsAsk(
        &other, "{\"type\": \"hello\", \"version\": 1, \"resume\": {\"flight\": \"%s\", \"secret\": \"%s\"}",
        flight, secret));
    assert_true(json_is_true(json_object_get(reply, "resumed")));
    json_decref(reply);
    WS_UNTIL(&ws, ws.ended != NULL);
    assert_string_equal(WsString(ws.ended, "reason"), "taken");
    WsClose(&ws);
    WsDo(WsAsk(&other, "{\"type\": \"stop\""));
    WsPump(&other, 0.5, 0);
    WsClose(&other);
}

static uint64_t ReplayHash(const char* id) {
    char path[700];
    hwError error;
    snprintf(path, sizeof(path), "%s/%s", FOLDER, id);
    hwFlight* flight = hwLoadFlight(path, &error);
    if (flight == NULL) fail_msg("%s", error.message);
    hwWorld* world = hwFlight_CreateWorld(flight, &error);
    if (world == NULL) fail_msg("%s", error.message);
    const hwFlightInfo* info = hwFlight_GetInfo(flight);
    size_t count;
    hwInputEvent* log = hwFlight_ResolveLog(flight, world, info->steps, &count, &error);
    assert_non_null(log);
    assert_int_equal(hwReplayInputs(world, info->step, info->steps, count, log, NULL, NULL, &error), HW_OK);
    uint64_t hash = hwHashFlight(world);
    free(log);
    hwDestroyWorld(world);
    hwDestroyFlight(flight);
    return hash;
}

static void EndAndCheck(Ws* ws, const char* flight) {
    WsDo(WsAsk(ws, "{\"type\": \"stop\""));
    WS_UNTIL(ws, ws->ended != NULL);
    char wanted[24];
    snprintf(wanted, sizeof(wanted), "0x%016llx", (unsigned long long)ReplayHash(flight));
    assert_string_equal(WsString(ws->ended, "hash"), wanted);
}

static void test_RecordedFlightReplaysToTheSameHash(void** state) {
    (void)state;
    Ws ws;
    char flight[64];
    Connect(&ws);
    Fly(&ws, flight, NULL);
    for (unsigned i = 1; i <= 25; ++i) {
        SendAxes(&ws, i, 0.04 * i, 0.5 - 0.03 * i);
        if (i == 10) WsDo(WsAsk(&ws, "{\"type\": \"command\", \"name\": \"mode\", \"value\": \"hold\""));
        if (i == 15) WsDo(WsAsk(&ws, "{\"type\": \"mark\", \"text\": \"here\""));
        WsPump(&ws, 0.04, 0);
    }
    WS_UNTIL(&ws, FrameTime(&ws) > 1.0);
    // back, and on from there
    WsDo(WsAsk(&ws, "{\"type\": \"seek\", \"time\": 0.7"));
    WS_UNTIL(&ws, FrameWord(&ws, 4) & 1); // paused
    WS_UNTIL(&ws, fabs(FrameTime(&ws) - 0.7) < 0.02);
    assert_true(WsIsError(WsAsk(&ws, "{\"type\": \"seek\", \"time\": 100"), "value"));
    WsDo(WsAsk(&ws, "{\"type\": \"step\", \"seconds\": 0.1"));
    WS_UNTIL(&ws, fabs(FrameTime(&ws) - 0.8) < 0.02);
    WsDo(WsAsk(&ws, "{\"type\": \"speed\", \"factor\": 4"));
    WsDo(WsAsk(&ws, "{\"type\": \"pause\", \"paused\": false"));
    SendAxes(&ws, 30, -0.5, 0.0);
    WS_PASS(&ws, 1.0);
    json_t* history = WsGood(
        WsAsk(&ws, "{\"type\": \"history\", \"channels\": [\"rov.depth\", \"nonesuch\"], \"points\": 9"));
    assert_int_equal(json_array_size(json_object_get(history, "time")), 9);
    json_decref(history);
    // what channels say now
    json_t* now = WsGood(WsAsk(&ws, "{\"type\": \"read\", \"channels\": [\"rov.depth\", \"nonesuch\"]"));
    const json_t* values = json_object_get(now, "values");
    assert_int_equal(json_array_size(values), 2);
    assert_true(fabs(json_number_value(json_array_get(values, 0)) - VehicleFloat(&ws, 52)) < 0.5);
    assert_true(json_is_null(json_array_get(values, 1)));
    json_decref(now);
    // a branch is another flight with the same beginning
    json_t* branch = WsGood(WsAsk(&ws, "{\"type\": \"branch\""));
    char second[64];
    snprintf(second, sizeof(second), "%s", WsString(branch, "flight"));
    json_decref(branch);
    assert_string_not_equal(flight, second);
    SendAxes(&ws, 31, 0.9, 0.0);
    WS_PASS(&ws, 1.0);
    EndAndCheck(&ws, second);
    assert_true(ReplayHash(flight) != 0);
    json_t* list = WsGood(WsAsk(&ws, "{\"type\": \"flights\""));
    const json_t* newest = json_array_get(json_object_get(list, "flights"), 0);
    assert_string_equal(WsString(newest, "title"), "test \"flight\"");
    assert_string_equal(WsString(newest, "status"), "completed");
    json_decref(list);
    WsClose(&ws);
}

static void test_ReplayIsShownAndTakenOver(void** state) {
    (void)state;
    Ws ws;
    char flight[64], again[64];
    Connect(&ws);
    Fly(&ws, flight, NULL);
    for (unsigned i = 1; i <= 20; ++i) {
        SendAxes(&ws, i, 1.0, 0.3);
        WsPump(&ws, 0.1, 0);
    }
    WS_UNTIL(&ws, FrameTime(&ws) > 1.6);
    WsDo(WsAsk(&ws, "{\"type\": \"stop\""));
    WS_UNTIL(&ws, ws.ended != NULL);
    assert_true(WsIsError(WsAsk(&ws, "{\"type\": \"open\", \"kind\": \"replay\", \"flight\": \"../secret\""),
                          "value"));
    assert_true(WsIsError(
        WsAsk(&ws, "{\"type\": \"open\", \"kind\": \"replay\", \"flight\": \"20200101-000000-xxx\""),
        "failed"));
    json_t* reply =
        WsGood(WsAsk(&ws, "{\"type\": \"open\", \"kind\": \"replay\", \"flight\": \"%s\"", flight));
    double end = json_number_value(json_object_get(reply, "end"));
    assert_true(end > 1.5);
    json_decref(reply);
    WsDo(WsAsk(&ws, "{\"type\": \"seek\", \"time\": 1.23"));
    WS_UNTIL(&ws, fabs(FrameTime(&ws) - 1.23) < 1e-6);
    assert_true((FrameWord(&ws, 4) & 3) == 3); // paused, replay
    assert_true(VehicleFloat(&ws, 0) > 0.01);
    WsDo(WsAsk(&ws, "{\"type\": \"plot\", \"channels\": [\"rov.depth\"]"));
    WsDo(WsAsk(&ws, "{\"type\": \"speed\", \"factor\": 0.25"));
    double clock = WsClock();
    WsDo(WsAsk(&ws, "{\"type\": \"pause\", \"paused\": false"));
    // a quarter of the clock's speed and no faster; a frame is 1/30 s
    WS_UNTIL(&ws, FrameTime(&ws) > 1.33);
    assert_true(FrameTime(&ws) - 1.23 < 0.25 * (WsClock() - clock) + 0.05);
    size_t at = FrameSection(&ws, 6, NULL);
    assert_true(at != 0);
    assert_close(FrameFloat(&ws, at), VehicleFloat(&ws, 52), 1e-6);
    assert_true(WsIsError(WsAsk(&ws, "{\"type\": \"command\", \"name\": \"arm\", \"value\": true"), "order"));
    // flying on from here
    WsDo(WsAsk(&ws, "{\"type\": \"pause\", \"paused\": true"));
    reply = WsGood(WsAsk(&ws, "{\"type\": \"branch\""));
    snprintf(again, sizeof(again), "%s", WsString(reply, "flight"));
    json_decref(reply);
    SendAxes(&ws, 1, -1.0, 0.0);
    WS_UNTIL(&ws, FrameTime(&ws) > 1.5);
    json_decref(ws.ended);
    ws.ended = NULL;
    EndAndCheck(&ws, again);
    WsClose(&ws);
}

static double Visibility(const json_t* message) {
    const json_t* value = json_object_get(message, "visibility");
    return json_is_number(value) ? json_number_value(value) : 0.0; // 0: as the scene has it
}

static void StartIn(Ws* ws, const char* options, char* flight) {
    json_decref(ws->scene);
    ws->scene = NULL;
    json_t* reply = WsGood(WsAsk(ws, "{\"type\": \"start\", \"options\": {%s}", options));
    snprintf(flight, 64, "%s", WsString(reply, "flight"));
    json_decref(reply);
    WS_UNTIL(ws, ws->scene != NULL && FrameTime(ws) > 0.3);
}

// Whoever is judged by a lesson does not make it easier.
static void RefuseInLesson(Ws* ws) {
    static const char* const changes[] = {
        "{\"type\": \"visibility\", \"value\": 20",
        "{\"type\": \"current\", \"speed\": 0, \"direction_deg\": 90",
        "{\"type\": \"fault\", \"kind\": \"leak\", \"value\": 2",
        "{\"type\": \"set\", \"inputs\": {\"environment.current.x\": 0}",
        "{\"type\": \"set\", \"inputs\": {\"rov.force.x\": 5}",
        "{\"type\": \"command\", \"name\": \"fail_thruster\", \"value\": {\"thruster\": 0, \"failed\": true}",
    };
    json_t* read = WsGood(WsAsk(ws, "{\"type\": \"read\", \"channels\": [\"rov.water.x\"]"));
    assert_close(json_number_value(json_array_get(json_object_get(read, "values"), 0)), 0.0, 0.0);
    json_decref(read);
    for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); ++i) {
        json_t* reply = WsAsk(ws, "%s", changes[i]);
        assert_string_equal(WsString(reply, "code"), "order");
        assert_non_null(strstr(WsString(reply, "message"), "only an instructor"));
        json_decref(reply);
    }
    // notes and hints are words
    WsDo(WsAsk(ws, "{\"type\": \"note\", \"text\": \"murky\""));
}

// Every water has its own visibility unless the pilot asks for another, and so has every lesson, which the pilot does not change. What was
// changed in a flight is so in its replay at that time, and goes on in a flight that begins there, with the faults.
static void test_VisibilityIsTheWatersOwn(void** state) {
    (void)state;
    static const struct {
        const char* options;
        double visibility; // m
    } cases[] = {{"\"surroundings\": \"round_pool\", \"tether\": null", 25.0},
                 {"\"surroundings\": \"round_pool\", \"tether\": null, \"visibility\": 7", 7.0},
                 {"\"scene\": \"sonar_search\", \"visibility\": 20, \"current\": {\"speed\": 1}", 1.0}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        Ws ws;
        char flight[64];
        Connect(&ws);
        StartIn(&ws, cases[i].options, flight);
        assert_close(Visibility(json_object_get(ws.scene, "environment")), cases[i].visibility, 0.0);
        WS_UNTIL(&ws, FrameTime(&ws) > 1.0);
        if (strstr(cases[i].options, "scene") != NULL) {
            RefuseInLesson(&ws);
            WsClose(&ws);
            continue;
        }
        WsDo(WsAsk(&ws, "{\"type\": \"visibility\", \"value\": 3"));
        WsDo(WsAsk(&ws, "{\"type\": \"fault\", \"kind\": \"camera\", \"value\": 1"));
        WsDo(WsAsk(&ws, "{\"type\": \"fault\", \"kind\": \"leak\", \"value\": 2"));
        WsDo(WsAsk(&ws, "{\"type\": \"fault\", \"kind\": \"load_cell\", \"value\": 40, \"in\": 0.6"));
        WS_UNTIL(&ws, FrameTime(&ws) > 2.0);
        WsDo(WsAsk(&ws, "{\"type\": \"stop\""));
        WS_UNTIL(&ws, ws.ended != NULL);
        json_decref(ws.scene);
        json_decref(ws.conditions);
        ws.scene = ws.conditions = NULL;
        WsDo(WsAsk(&ws, "{\"type\": \"open\", \"kind\": \"replay\", \"flight\": \"%s\"", flight));
        WS_UNTIL(&ws, ws.scene != NULL);
        assert_close(Visibility(json_object_get(ws.scene, "environment")), cases[i].visibility, 0.0);
        WsDo(WsAsk(&ws, "{\"type\": \"seek\", \"time\": 1.9"));
        WS_UNTIL(&ws, ws.conditions != NULL && Visibility(ws.conditions) == 3.0);
        WsDo(WsAsk(&ws, "{\"type\": \"seek\", \"time\": 0.5"));
        WS_UNTIL(&ws, Visibility(ws.conditions) == 0.0);
        WsDo(WsAsk(&ws, "{\"type\": \"seek\", \"time\": 1.9"));
        WS_UNTIL(&ws, Visibility(ws.conditions) == 3.0);
        json_decref(ws.conditions);
        ws.conditions = NULL;
        WsDo(WsAsk(&ws, "{\"type\": \"branch\""));
        WS_UNTIL(&ws, ws.conditions != NULL);
        assert_close(Visibility(ws.conditions), 3.0, 0.0);
        assert_true(json_is_false(json_object_get(ws.conditions, "camera")));
        assert_close(json_number_value(json_object_get(ws.conditions, "leak")), 2.0, 0.0);
        assert_close(json_number_value(json_object_get(ws.conditions, "load_cell")), 40.0, 0.0);
        WsClose(&ws);
    }
}

static void test_ScenesRunInTheSamePage(void** state) {
    (void)state;
    Ws ws;
    Connect(&ws);
    assert_true(
        WsIsError(WsAsk(&ws, "{\"type\": \"open\", \"kind\": \"scene\", \"name\": \"nonesuch\""), "value"));
    assert_true(WsIsError(WsAsk(&ws, "{\"type\": \"open\", \"kind\": \"preset\""), "value"));
    WsDo(WsAsk(&ws, "{\"type\": \"open\", \"kind\": \"scene\", \"name\": \"floating_box\""));
    json_t* channels = WsGood(WsAsk(&ws, "{\"type\": \"channels\", \"filter\": \"*.position.z\""));
    const json_t* first = json_array_get(json_object_get(channels, "channels"), 0);
    assert_non_null(first);
    WsDo(WsAsk(&ws, "{\"type\": \"plot\", \"channels\": [\"%s\"]", WsString(first, "name")));
    json_decref(channels);
    assert_true(WsIsError(WsAsk(&ws, "{\"type\": \"plot\", \"channels\": [\"nonesuch\"]"), "value"));
    WS_UNTIL(&ws, ws.frames > 0 && ws.scene != NULL && FrameSection(&ws, 6, NULL) != 0);
    assert_true(FrameSection(&ws, 1, NULL) != 0);
    assert_true(json_array_size(json_object_get(ws.scene, "bodies")) > 0);
    assert_true(WsIsError(WsAsk(&ws, "{\"type\": \"command\", \"name\": \"arm\", \"value\": true"), "order"));
    WsClose(&ws);
}

static void test_WatchersSeeAndTouchNothing(void** state) {
    (void)state;
    Ws pilot, watcher;
    char flight[64];
    Connect(&pilot);
    Fly(&pilot, flight, NULL);
    Connect(&watcher);
    WsDo(WsAsk(&watcher, "{\"type\": \"open\", \"kind\": \"watch\", \"flight\": \"%s\"", flight));
    WS_UNTIL(&watcher, watcher.frames > 5 && watcher.scene != NULL);
    assert_true(
        WsIsError(WsAsk(&watcher, "{\"type\": \"command\", \"name\": \"arm\", \"value\": false"), "order"));
    assert_true(WsIsError(WsAsk(&watcher, "{\"type\": \"pilot\", \"axes\": [0, 0, 0, 0]"), "order"));
    WsClose(&watcher);
    WS_UNTIL(&pilot, pilot.frames > 10);
    WsClose(&pilot);
}

// Hostile clients ------------------------------------------------------------------------------------------------------

static void test_FloodHurtsNobodyElse(void** state) {
    (void)state;
    Ws good, bad;
    Connect(&good);
    Fly(&good, NULL, NULL);
    Connect(&bad);
    WsPump(&good, 0.5, 0);
    int before = good.frames;
    double start = WsClock();
    int sent = 0;
    while ((good.frames - before <= 25 || sent <= 500) && WsClock() - start < WS_HANG) {
        for (int i = 0; i < 50 && bad.fd >= 0; ++i) {
            if (!WsSendText(&bad, "{\"type\": \"channels\"}")) break;
            sent += 1;
        }
        WsPump(&good, 0.005, 0);
        WsPump(&bad, 0.001, 0);
    }
    assert_true(sent > 500);
    assert_true(good.frames - before > 25);
    WS_UNTIL(&bad, strstr(bad.alerts, "error:rate") != NULL);
    WsDo(WsAsk(&good, "{\"type\": \"ping\", \"t\": 1"));
    WsClose(&bad);
    WsClose(&good);
}

static void test_RubbishIsRefused(void** state) {
    (void)state;
    uint64_t random = 77;
    for (int round = 0; round < 30; ++round) {
        Ws ws;
        Connect(&ws);
        char text[600];
        int size = 1 + (int)(299.0 * (1.0 + TestRandom(&random)));
        for (int i = 0; i < size; ++i) text[i] = (char)(32 + (int)(47.0 * (1.0 + TestRandom(&random))));
        WsSendFrame(&ws, WS_TEXT, text, (size_t)size);
        WsSendText(&ws, "{\"type\": [1, 2, {\"a\": null}]}");
        WsSendText(&ws, "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[");
        WsSendText(&ws, "{\"type\": \"pilot\", \"axes\": [1e999, 0, 0, 0]}");
        WsDo(WsAsk(&ws, "{\"type\": \"ping\", \"t\": 1"));
        WsClose(&ws);
    }
    // bytes that are no frames at all
    for (int round = 0; round < 20; ++round) {
        Ws ws;
        Connect(&ws);
        unsigned char bytes[400];
        for (int i = 0; i < 400; ++i) bytes[i] = (unsigned char)(127.5 * (1.0 + TestRandom(&random)));
        WsWrite(ws.fd, bytes, sizeof(bytes));
        WsPump(&ws, 0.02, 0);
        WsClose(&ws);
    }
    for (int round = 0; round < 20; ++round) {
        int fd = TcpConnect(g_host.port);
        unsigned char bytes[300];
        for (int i = 0; i < 300; ++i) bytes[i] = (unsigned char)(127.5 * (1.0 + TestRandom(&random)));
        WsWrite(fd, bytes, sizeof(bytes));
        close(fd);
    }
    Ws ws;
    Connect(&ws);
    WsClose(&ws);
}

static void test_SizesAreBounded(void** state) {
    (void)state;
    Ws ws;
    Connect(&ws);
    size_t size = 70000;
    char* large = malloc(size + 1);
    memset(large, ' ', size);
    large[size] = 0;
    WsSendFrame(&ws, WS_TEXT, large, size);
    WsPump(&ws, 2.0, 0);
    assert_true(ws.fd == -1 || ws.length >= 2);
    WsClose(&ws);
    Connect(&ws);
    WsSendFrame(&ws, WS_BINARY, large, 100);
    int opcode = WsReceive(&ws, 2.0);
    assert_true(opcode == WS_CLOSE || opcode == WS_GONE);
    if (opcode == WS_CLOSE) assert_int_equal(ws.data[0] << 8 | ws.data[1], 1003);
    WsClose(&ws);
    free(large);
}

static int CloseCode(Ws* ws) {
    for (;;) {
        int opcode = WsReceive(ws, 10.0);
        if (opcode == WS_CLOSE && ws->length >= 2) return ws->data[0] << 8 | ws->data[1];
        if (opcode == WS_CLOSE || opcode == WS_GONE || opcode == WS_NOTHING) return opcode;
    }
}

// What RFC 6455 allows and forbids, by the codes of the protocol.
static void test_FramesAreJudged(void** state) {
    (void)state;
    Ws ws;
    // before hello: ping is answered, and an array is an error that closes nothing
    WsOpen(&ws, g_host.port, NULL, NULL, NULL);
    WsDo(WsAsk(&ws, "{\"type\": \"ping\", \"t\": 1"));
    WsSendText(&ws, "[1, 2]");
    json_t* error = NULL;
    assert_int_equal(WsReceive(&ws, 10.0), WS_TEXT);
    error = json_loads((const char*)ws.data, 0, NULL);
    assert_null(json_object_get(error, "id"));
    assert_true(WsIsError(error, "json"));
    WsDo(WsAsk(&ws, "{\"type\": \"hello\", \"version\": 1"));
    // a text in fragments, with a ping of the WebSocket in between
    WsSendPart(&ws, WS_TEXT, false, "{\"type\": \"pi", 12);
    WsSendPart(&ws, 9, true, "here", 4);
    WsSendPart(&ws, 0, false, "ng\", \"t\": 2.5, ", 14);
    WsSendPart(&ws, 0, true, "\"id\": 77}", 9);
    assert_int_equal(WsReceive(&ws, 10.0), 10); // pong
    assert_memory_equal(ws.data, "here", 4);
    json_t* reply = WsGood(WsPump(&ws, 10.0, 77));
    assert_close(json_number_value(json_object_get(reply, "t")), 2.5, 0.0);
    json_decref(reply);
    WsClose(&ws);
    // what closes the connection
    static const unsigned char reserved[] = {0x83, 0x80, 0, 0, 0, 0};
    static const unsigned char extended[] = {0xc1, 0x80, 0, 0, 0, 0};
    static const unsigned char huge[] = {0x81, 0xff, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 'x'};
    const struct {
        const void* bytes;
        size_t size;
        int code;
    } cases[] = {
        {reserved, sizeof(reserved), 1002}, {extended, sizeof(extended), 1002}, {huge, sizeof(huge), 1009}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        Connect(&ws);
        WsWrite(ws.fd, cases[i].bytes, cases[i].size);
        int code = CloseCode(&ws);
        // a connection that breaks the framing may be cut without a word
        if (code != cases[i].code && !(code == WS_GONE && cases[i].code == 1002))
            fail_msg("case %zu: %d", i, code);
        WsClose(&ws);
    }
    Connect(&ws);
    WsSendFrame(&ws, WS_TEXT, "{\"type\": \"\xc0\xaf\"}", 13);
    assert_int_equal(CloseCode(&ws), 1007);
    WsClose(&ws);
    Connect(&ws);
    WsSendFrame(&ws, WS_BINARY, "{}", 2);
    assert_int_equal(CloseCode(&ws), 1003);
    WsClose(&ws);
}

// A client that takes nothing: its frames are left out, others get theirs.
static void test_StalledClientHurtsNobodyElse(void** state) {
    (void)state;
    Ws stalled, good;
    Connect(&stalled);
    int small = 4096;
    setsockopt(stalled.fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small));
    WsSendText(&stalled,
               "{\"type\": \"start\", \"options\": {\"surroundings\": \"complex_area\", \"tether\": null}}");
    WsSendText(&stalled, "{\"type\": \"frames\", \"rate\": 60}");
    for (int i = 0; i < 20; ++i) WsSendText(&stalled, "{\"type\": \"channels\", \"id\": 3}");
    Connect(&good);
    Fly(&good, NULL, NULL);
    int before = good.frames;
    WS_UNTIL(&good, good.frames - before > 35);
    WsClose(&good);
    WsClose(&stalled);
}

static void test_StrangersAreKeptOut(void** state) {
    (void)state;
    Ws ws;
    char own[64], other[64];
    snprintf(own, sizeof(own), "http://127.0.0.1:%d", g_host.port);
    snprintf(other, sizeof(other), "http://127.0.0.1:%d", g_host.port + 1);
    const struct {
        const char *host, *origin;
        int status;
    } cases[] = {{NULL, own, 101},
                 {NULL, NULL, 101},
                 {"LOCALHOST", NULL, 101},
                 {NULL, "http://evil.example", 403},
                 {NULL, other, 403},
                 {"evil.example", NULL, 403},
                 {"evil.example", "http://evil.example", 403},
                 {NULL, "null", 403}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        WsOpen(&ws, g_host.port, cases[i].host, cases[i].origin, NULL);
        if (ws.status != cases[i].status) fail_msg("case %zu gave %d", i, ws.status);
        WsClose(&ws);
    }
    static const char* const protocols[] = {"other.protocol", "http", "(page)", "(page), hawser.2"};
    for (size_t i = 0; i < sizeof(protocols) / sizeof(protocols[0]); ++i) {
        WsOpen(&ws, g_host.port, NULL, NULL, protocols[i]);
        assert_int_equal(ws.status, 400);
        WsClose(&ws);
    }
}

static void test_TokenIsAskedFor(void** state) {
    (void)state;
    Host host = {.def = hwDefaultWebServerDef()};
    host.def.token = "0123456789abcdef";
    host.def.maxFlights = 1;
    StartHost(&host);
    Ws ws, second;
    WsOpen(&ws, host.port, NULL, NULL, NULL);
    assert_true(WsIsError(WsAsk(&ws, "{\"type\": \"hello\", \"version\": 1"), "token"));
    WsClose(&ws);
    WsOpen(&ws, host.port, NULL, NULL, NULL);
    WsDo(WsAsk(&ws, "{\"type\": \"hello\", \"version\": 1, \"token\": \"0123456789abcdef\""));
    Fly(&ws, NULL, NULL);
    WsOpen(&second, host.port, NULL, NULL, NULL);
    WsDo(WsAsk(&second, "{\"type\": \"hello\", \"version\": 1, \"token\": \"0123456789abcdef\""));
    assert_true(WsIsError(WsAsk(&second, "{\"type\": \"start\""), "busy"));
    WsClose(&second);
    WsClose(&ws);
    // five wrong ones, and the right one is not heard either
    for (int i = 0; i < 5; ++i) {
        WsOpen(&ws, host.port, NULL, NULL, NULL);
        WsIsError(WsAsk(&ws, "{\"type\": \"hello\", \"version\": 1, \"token\": \"wrong\""), "token");
        WsClose(&ws);
    }
    WsOpen(&ws, host.port, NULL, NULL, NULL);
    assert_true(WsIsError(WsAsk(&ws, "{\"type\": \"hello\", \"version\": 1, \"token\": \"0123456789abcdef\""),
                          "token"));
    WsClose(&ws);
    StopHost(&host);
}

// A flight that nobody flies ends, with its pilot there and silent; one that is flown goes on beside it.
static void test_IdleFlightIsClosed(void** state) {
    (void)state;
    Host host = {.def = hwDefaultWebServerDef()};
    assert_close(host.def.flightIdle, 1800.0, 0.0);
    host.def.flightIdle =
        3.0; // s; the other client speaks every 0.15 s, which a busy machine may make a second
    StartHost(&host);
    Ws idle, busy;
    char flight[64];
    WsOpen(&idle, host.port, NULL, NULL, NULL);
    WsDo(WsAsk(&idle, "{\"type\": \"hello\", \"version\": 1"));
    Fly(&idle, flight, NULL);
    WsOpen(&busy, host.port, NULL, NULL, NULL);
    WsDo(WsAsk(&busy, "{\"type\": \"hello\", \"version\": 1"));
    Fly(&busy, NULL, NULL);
    double start = WsClock();
    for (unsigned i = 1; WsClock() - start < WS_HANG && idle.ended == NULL; ++i) {
        SendAxes(&busy, i, 0.0, 0.0);
        WsSendText(&idle, "{\"type\": \"frames\", \"rate\": 30}");
        WsPump(&busy, 0.1, 0);
        WsPump(&idle, 0.05, 0);
    }
    assert_non_null(idle.ended);
    assert_true(WsClock() - start > 1.0);
    assert_string_equal(WsString(idle.ended, "reason"), "idle");
    assert_string_equal(WsString(idle.ended, "flight"), flight);
    // its recording is whole, and it may fly again
    assert_true(ReplayHash(flight) != 0);
    Fly(&idle, NULL, NULL);
    assert_null(busy.ended);
    WsClose(&idle);
    WsClose(&busy);
    StopHost(&host);
}

// Without a terminal nobody ends it by hand.
static void test_ServerEndsWhenNobodyComes(void** state) {
    (void)state;
    Host host = {.def = hwDefaultWebServerDef()};
    host.def.idle = 0.8;
    StartHost(&host);
    Ws ws;
    WsOpen(&ws, host.port, NULL, NULL, NULL);
    WsDo(WsAsk(&ws, "{\"type\": \"hello\", \"version\": 1"));
    WsPump(&ws, 1.6, 0); // longer than that, with a page
    WsDo(WsAsk(&ws, "{\"type\": \"ping\", \"t\": 1"));
    WsClose(&ws);
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 30;
    assert_int_equal(pthread_timedjoin_np(host.thread, NULL, &until), 0);
    assert_int_equal(host.status, HW_OK);
}

// HTTP -----------------------------------------------------------------------------------------------------------------

static int HttpAsk(int port, const char* method, const char* path, char* body, size_t size) {
    char request[600];
    int fd = TcpConnect(port), status = 0;
    int length = snprintf(request, sizeof(request), "%s %s HTTP/1.1\r\nHost: localhost:%d\r\n\r\n", method,
                          path, port);
    WsWrite(fd, request, (size_t)length);
    size_t used = 0;
    for (;;) { // to the end of the connection, which carries no second answer
        ssize_t got = recv(fd, body + used, size - 1 - used, 0);
        if (got <= 0 || used + (size_t)got + 1 >= size) break;
        used += (size_t)got;
    }
    body[used] = 0;
    const char* announced = strcasestr(body, "content-length:");
    const char* end = strstr(body, "\r\n\r\n");
    assert_true(announced != NULL && end != NULL);
    size_t content = strcmp(method, "HEAD") == 0 ? 0 : (size_t)atol(announced + 15);
    assert_int_equal(used, (size_t)(end + 4 - body) + content);
    close(fd);
    sscanf(body, "HTTP/1.1 %d", &status);
    return status;
}

static int HttpGet(int port, const char* path, char* body, size_t size) {
    return HttpAsk(port, "GET", path, body, size);
}

static void test_PageAndRecordingsOverHttp(void** state) {
    (void)state;
    size_t size = 4 << 20;
    char* body = malloc(size);
    assert_int_equal(HttpGet(g_host.port, "/", body, size), 200);
    assert_non_null(strstr(body, "<title>Hawser"));
    char policy[100];
    snprintf(policy, sizeof(policy), "connect-src 'self' ws://localhost:%d wss://localhost:%d;", g_host.port,
             g_host.port);
    assert_non_null(strstr(body, "content-security-policy"));
    assert_non_null(strstr(body, policy));
    // HEAD: the same without content
    assert_int_equal(HttpAsk(g_host.port, "HEAD", "/", body, size), 200);
    assert_non_null(strcasestr(body, "content-type: text/html"));
    assert_int_equal(HttpAsk(g_host.port, "HEAD", "/nonesuch", body, size), 404);
    assert_int_equal(HttpAsk(g_host.port, "POST", "/", body, size), 405);
    const char* const bad[] = {"/nonesuch",
                               "/../etc/passwd",
                               "/flights/",
                               "/flights/../x/results.h5",
                               "/flights/20200101-000000-xxx/results.h5",
                               "/flights/20200101-000000-xxx/results.csv",
                               "/flights/x/scene.yaml/../../y"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); ++i) {
        int status = HttpGet(g_host.port, bad[i], body, size);
        if (status < 400 || status > 499) fail_msg("%s gave %d", bad[i], status);
    }
    Ws ws;
    char flight[64], path[200];
    Connect(&ws);
    Fly(&ws, flight, NULL);
    SendAxes(&ws, 1, 1.0, 0.0);
    WS_UNTIL(&ws, FrameTime(&ws) > 0.5);
    WsDo(WsAsk(&ws, "{\"type\": \"stop\""));
    WS_UNTIL(&ws, ws.ended != NULL);
    WsClose(&ws);
    snprintf(path, sizeof(path), "/flights/%s/results.csv", flight);
    assert_int_equal(HttpGet(g_host.port, path, body, size), 200);
    assert_non_null(strstr(body, "world.time"));
    assert_non_null(strstr(body, "rov.depth"));
    snprintf(path, sizeof(path), "/flights/%s/inputs.csv", flight);
    assert_int_equal(HttpGet(g_host.port, path, body, size), 200);
    assert_non_null(strstr(body, "rov.pilot.surge"));
    snprintf(path, sizeof(path), "/flights/%s/results.h5", flight);
    assert_int_equal(HttpGet(g_host.port, path, body, size), 200);
    snprintf(path, sizeof(path), "/flights/%s/debrief.html", flight);
    assert_int_equal(HttpGet(g_host.port, path, body, size), 200);
    assert_non_null(strcasestr(body, "content-type: text/html"));
    assert_non_null(strstr(body, "Where this comes from"));
    snprintf(path, sizeof(path), "/flights/%s/debrief.csv", flight);
    assert_int_equal(HttpGet(g_host.port, path, body, size), 200);
    assert_non_null(strstr(body, "time,x,y,z,heading"));
    assert_int_equal(HttpGet(g_host.port, "/flights/20200101-000000-xxx/debrief.html", body, size), 404);
    free(body);
}

static void test_FullDiskEndsRecordingNotFlying(void** state) {
    (void)state;
    Ws ws;
    Connect(&ws);
    Fly(&ws, NULL, NULL);
    WS_UNTIL(&ws, FrameWord(&ws, 4) & 4); // recording
    struct rlimit before, none;
    getrlimit(RLIMIT_FSIZE, &before);
    none = before;
    none.rlim_cur = 4096;
    setrlimit(RLIMIT_FSIZE, &none);
    for (unsigned i = 0; i < 3000 && strstr(ws.alerts, "recording") == NULL; ++i) {
        SendAxes(&ws, i + 1, 0.001 * (i % 1000), 0.0);
        WsPump(&ws, 0.03, 0);
    }
    setrlimit(RLIMIT_FSIZE, &before);
    assert_non_null(strstr(ws.alerts, "recording"));
    double time = FrameTime(&ws);
    WS_UNTIL(&ws, FrameTime(&ws) > time + 0.3); // flying goes on
    assert_false(FrameWord(&ws, 4) & 4);
    WsDo(WsAsk(&ws, "{\"type\": \"stop\""));
    WS_UNTIL(&ws, ws.ended != NULL);
    // and where it is full from the start, the flight begins without a recording
    ws.alerts[0] = 0;
    setrlimit(RLIMIT_FSIZE, &none);
    Fly(&ws, NULL, NULL);
    WS_UNTIL(&ws, strstr(ws.alerts, "recording") != NULL);
    setrlimit(RLIMIT_FSIZE, &before);
    int later = ws.frames + 20;
    WS_UNTIL(&ws, ws.frames > later);
    assert_false(FrameWord(&ws, 4) & 4);
    WsClose(&ws);
}

static int SetUp(void** state) {
    (void)state;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    RemoveFlights();
    g_host.def = hwDefaultWebServerDef();
    StartHost(&g_host);
    return 0;
}

static int TearDown(void** state) {
    (void)state;
    StopHost(&g_host);
    RemoveFlights();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_HelloComesFirst),
        cmocka_unit_test(test_FlightMovesAndIsToldInFrames),
        cmocka_unit_test(test_PilotSilenceStopsTheAxes),
        cmocka_unit_test(test_CommandsReachTheVehicle),
        cmocka_unit_test(test_DroppedConnectionResumesTheSameWorld),
        cmocka_unit_test(test_RecordedFlightReplaysToTheSameHash),
        cmocka_unit_test(test_ReplayIsShownAndTakenOver),
        cmocka_unit_test(test_VisibilityIsTheWatersOwn),
        cmocka_unit_test(test_ScenesRunInTheSamePage),
        cmocka_unit_test(test_WatchersSeeAndTouchNothing),
        cmocka_unit_test(test_FloodHurtsNobodyElse),
        cmocka_unit_test(test_RubbishIsRefused),
        cmocka_unit_test(test_SizesAreBounded),
        cmocka_unit_test(test_FramesAreJudged),
        cmocka_unit_test(test_StalledClientHurtsNobodyElse),
        cmocka_unit_test(test_StrangersAreKeptOut),
        cmocka_unit_test(test_TokenIsAskedFor),
        cmocka_unit_test(test_IdleFlightIsClosed),
        cmocka_unit_test(test_ServerEndsWhenNobodyComes),
        cmocka_unit_test(test_PageAndRecordingsOverHttp),
        cmocka_unit_test(test_FullDiskEndsRecordingNotFlying),
    };
    return cmocka_run_group_tests(tests, SetUp, TearDown);
}
