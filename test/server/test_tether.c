// Flights on a tether, through the server: paying out and hauling in, the handler, drag, a rerun to the same hash.
#define _GNU_SOURCE
#define FOLDER HAWSER_BINARY_DIR "/test/server_tether_flights"
#include "host.h"

#include "hawser/debrief.h"
#include "hawser/flight.h"

static Host g_host;

static void Connect(Ws* ws) {
    WsOpen(ws, g_host.port, NULL, NULL, NULL);
    assert_int_equal(ws->status, 101);
    WsDo(WsAsk(ws, "{\"type\": \"hello\", \"version\": 1"));
}

// Disarmed at first, sixteen times faster than real time.
static void Fly(Ws* ws, const char* options, char* flight) {
    json_t* reply = WsGood(WsAsk(ws, "{\"type\": \"start\", \"options\": {%s}", options));
    if (flight != NULL) snprintf(flight, 64, "%s", WsString(reply, "flight"));
    json_decref(reply);
    WsDo(WsAsk(ws, "{\"type\": \"speed\", \"factor\": 16"));
}

static void Hold(Ws* ws) {
    WsDo(WsAsk(ws, "{\"type\": \"command\", \"name\": \"arm\", \"value\": true"));
    WsDo(WsAsk(ws, "{\"type\": \"command\", \"name\": \"mode\", \"value\": \"hold\""));
    WsDo(WsAsk(ws, "{\"type\": \"command\", \"name\": \"gain\", \"value\": 1"));
}

// Until so much simulated time has passed; axes are kept.
static void FlyFor(Ws* ws, double seconds, double surge) {
    char text[160];
    snprintf(text, sizeof(text), "{\"type\": \"pilot\", \"seq\": 1, \"axes\": [%g, 0, 0, 0], \"hold\": true}",
             surge);
    assert_true(WsSendText(ws, text));
    WsPump(ws, 0.1, 0);
    double until = FrameTime(ws) + seconds, clock = WsClock() + 2.0 * WS_HANG;
    while (FrameTime(ws) < until && WsClock() < clock) WsPump(ws, 0.05, 0);
    if (FrameTime(ws) < until) fail_msg("at %g s of %g: %s", FrameTime(ws), until, ws->alerts);
}

enum { CABLE_OUT = 4, CABLE_STRAIGHT = 8, CABLE_A = 12, CABLE_B = 16, CABLE_NODES = 24 };

static double Cable(const Ws* ws, size_t offset) {
    size_t at = FrameSection(ws, 4, NULL);
    assert_true(at != 0);
    return FrameFloat(ws, at + offset);
}

static int Nodes(const Ws* ws) {
    size_t at = FrameSection(ws, 4, NULL);
    return ws->frame[at] | ws->frame[at + 1] << 8;
}

static unsigned CableFlags(const Ws* ws) {
    size_t at = FrameSection(ws, 4, NULL);
    return (unsigned)ws->frame[at + 2];
}

// The same state, bit by bit, from the recorded inputs alone.
static void StopAndRerun(Ws* ws, const char* flight) {
    WsDo(WsAsk(ws, "{\"type\": \"stop\""));
    WS_UNTIL(ws, ws->ended != NULL);
    char path[600];
    snprintf(path, sizeof(path), FOLDER "/%s", flight);
    hwError error;
    hwFlight* recorded = hwLoadFlight(path, &error);
    if (recorded == NULL) fail_msg("%s", error.message);
    const hwFlightInfo* info = hwFlight_GetInfo(recorded);
    assert_string_equal(info->status, "completed");
    hwWorld* world = hwFlight_CreateWorld(recorded, &error);
    if (world == NULL) fail_msg("%s", error.message);
    size_t count = 0;
    hwInputEvent* log = hwFlight_ResolveLog(recorded, world, info->steps, &count, &error);
    assert_non_null(log);
    hwStatus status = hwReplayInputs(world, info->step, info->steps, count, log, NULL, NULL, &error);
    if (status < HW_OK) fail_msg("%s", error.message);
    assert_true(hwHashFlight(world) == info->hash);
    free(log);
    hwDestroyWorld(world);
    hwDestroyFlight(recorded);
}

static void test_TetherIsPaidOutAndHauledIn(void** state) {
    (void)state;
    Ws ws;
    char flight[64];
    Connect(&ws);
    Fly(&ws,
        "\"surroundings\": \"open_water\", \"tether\": {\"type\": \"fathom\", \"length\": 60, \"out\": 10}, "
        "\"handler\": \"manual\"",
        flight);
    WS_UNTIL(&ws, ws.frames > 0);
    assert_close(Cable(&ws, CABLE_OUT), 10.0, 1e-3);
    int before = Nodes(&ws);
    WsDo(WsAsk(&ws, "{\"type\": \"tether\", \"action\": \"pay_out\", \"rate\": 1"));
    FlyFor(&ws, 10.0, 0.0);
    assert_true(CableFlags(&ws) & 2); // paying out
    double out = Cable(&ws, CABLE_OUT);
    assert_true(out > 15.0 && Nodes(&ws) > before);
    WsDo(WsAsk(&ws, "{\"type\": \"tether\", \"action\": \"hold\""));
    FlyFor(&ws, 2.0, 0.0); // slowing down
    out = Cable(&ws, CABLE_OUT);
    FlyFor(&ws, 3.0, 0.0);
    assert_close(Cable(&ws, CABLE_OUT), out, 1e-3);
    WsDo(WsAsk(&ws, "{\"type\": \"tether\", \"action\": \"haul_in\", \"rate\": 1"));
    FlyFor(&ws, 6.0, 0.0);
    assert_true(CableFlags(&ws) & 4);
    assert_true(Cable(&ws, CABLE_OUT) < out - 3.0);
    // the drum ends
    WsDo(WsAsk(&ws, "{\"type\": \"tether\", \"action\": \"pay_out\", \"rate\": 2"));
    FlyFor(&ws, 45.0, 0.0);
    assert_true(Cable(&ws, CABLE_OUT) <= 60.5 && Cable(&ws, CABLE_OUT) > 59.0);
    StopAndRerun(&ws, flight);
    WsClose(&ws);
}

// The ghost's ends are where those of the true tether are, and a ghost that is no rubber band is as long.
static void CheckTwin(const Ws* ws, const char* model, double tolerance) {
    assert_non_null(ws->twin);
    assert_string_equal(WsString(ws->twin, "model"), model);
    const json_t* line = json_object_get(ws->twin, "line");
    size_t count = json_array_size(line), at = FrameSection(ws, 4, NULL) + CABLE_NODES;
    int nodes = Nodes(ws);
    assert_true(count >= 2);
    double ends = 0.0, length = 0.0;
    for (size_t k = 0; k < 3; ++k) {
        double a = json_number_value(json_array_get(json_array_get(line, 0), k));
        double b = json_number_value(json_array_get(json_array_get(line, count - 1), k));
        ends += fabs(a - FrameFloat(ws, at + 4 * k)) +
                fabs(b - FrameFloat(ws, at + 12 * (size_t)(nodes - 1) + 4 * k));
    }
    if (!(ends < tolerance)) fail_msg("%s: ends %g m off", model, ends);
    for (size_t i = 0; i + 1 < count; ++i) {
        double square = 0.0;
        for (size_t k = 0; k < 3; ++k) {
            double d = json_number_value(json_array_get(json_array_get(line, i + 1), k)) -
                       json_number_value(json_array_get(json_array_get(line, i), k));
            square += d * d;
        }
        length += sqrt(square);
    }
    double out = Cable(ws, CABLE_OUT);
    if (strcmp(model, "wrap_line") != 0 && fabs(length - out) > 0.02 * out)
        fail_msg("%s: %g m long, %g m are out", model, length, out);
    assert_true(json_number_value(json_object_get(ws->twin, "apart")) < out);
}

// The recording has the ghost twice a second, of all models that were shown, with the ends of the true tether in the recorded rows; the
// description of a replay says so, and the file is served.
static void CheckRecordedTwin(Ws* ws, const char* flight, const char* const* models, int modelCount) {
    char path[600];
    hwError error;
    snprintf(path, sizeof(path), FOLDER "/%s/results.h5", flight);
    hwResults* results = hwOpenResults(path, &error);
    if (results == NULL) fail_msg("%s", error.message);
    int columns = hwResults_GetChannelCount(results);
    double* row = calloc((size_t)columns, sizeof(*row));
    int first = hwResults_FindChannel(results, "tether.node[0].position.x");
    int body = hwResults_FindChannel(results, "rov.position.x");
    assert_true(first > 0 && body > 0);
    snprintf(path, sizeof(path), FOLDER "/%s", flight);
    hwGhosts* ghosts = hwLoadGhosts(path);
    int count, seen[8] = {0};
    const hwGhostLine* lines = hwGhosts_GetLines(ghosts, &count);
    assert_true(count > 8 * modelCount);
    for (int i = 0; i < count; ++i) {
        assert_close(remainder(lines[i].time, 0.5), 0.0, 1e-6);
        for (int k = 0; k < modelCount; ++k) seen[k] += strcmp(lines[i].model, models[k]) == 0;
        int64_t at = (int64_t)(10.0 * lines[i].time + 0.5);
        assert_int_equal(hwResults_ReadRows(results, at, 1, row, &error), HW_OK);
        assert_close(row[0], lines[i].time, 1e-6);
        hwVec3 a = lines[i].points[0], b = lines[i].points[lines[i].count - 1];
        assert_close(hwDistance(a, hwMakeVec3(row[first], row[first + 1], row[first + 2])), 0.0, 0.02);
        // the tether is made fast within the vehicle
        assert_close(hwDistance(b, hwMakeVec3(row[body], row[body + 1], row[body + 2])), 0.0, 0.4);
    }
    for (int k = 0; k < modelCount; ++k) assert_true(seen[k] >= 8);
    hwDestroyGhosts(ghosts);
    hwCloseResults(results);
    free(row);
    // the debrief tells of it, and draws it in the plan
    hwDebrief* debrief = hwCreateDebrief(path, false, &error);
    if (debrief == NULL) fail_msg("%s", error.message);
    char* text = hwDebrief_WriteJson(debrief);
    json_t* json = json_loads(text, 0, NULL);
    const json_t* ghost = json_object_get(json_object_get(json, "tether"), "ghost");
    assert_true(json_number_value(json_object_get(ghost, "end")) > 15.0);
    assert_true(json_number_value(json_object_get(ghost, "apart")) > 0.0);
    json_decref(json);
    free(text);
    assert_int_equal(hwDebrief_WriteHtml(debrief, FOLDER "/ghost.html", &error), HW_OK);
    hwDestroyDebrief(debrief);
    char page[1 << 18];
    FILE* file = fopen(FOLDER "/ghost.html", "r");
    assert_non_null(file);
    page[fread(page, 1, sizeof(page) - 1, file)] = 0;
    fclose(file);
    unlink(FOLDER "/ghost.html");
    assert_non_null(strstr(page, "class=\"ghost\" stroke"));
    assert_non_null(strstr(page, "a second tether was shown beside the true one"));
    json_decref(ws->scene);
    ws->scene = NULL;
    WsDo(WsAsk(ws, "{\"type\": \"open\", \"kind\": \"replay\", \"flight\": \"%s\"", flight));
    WS_UNTIL(ws, ws->scene != NULL);
    assert_true(json_is_true(json_object_get(ws->scene, "ghost")));
}

// A second tether of another model beside the flight: its ends are those of the true one, its shape is its own, and the flight is
// the same to the bit as without it.
static void test_TwinSharesTheEnds(void** state) {
    (void)state;
    static const char* const models[] = {"wrap_line", "wrap_vee", "wrap_catenary", "pid"};
    Ws ws;
    char flight[64];
    Connect(&ws);
    Fly(&ws,
        "\"surroundings\": \"open_water\", \"current\": {\"speed\": 0.2, \"direction_deg\": 90}, "
        "\"tether\": {\"type\": \"fathom\", \"length\": 60, \"out\": 20}, \"handler\": \"hold\"",
        flight);
    Hold(&ws);
    for (int i = 0; i < 4; ++i) {
        WsDo(WsAsk(&ws, "{\"type\": \"twin\", \"model\": \"%s\"", models[i]));
        FlyFor(&ws, 5.0, i % 2 == 0 ? 0.5 : -0.5);
        WsDo(WsAsk(&ws, "{\"type\": \"pause\", \"paused\": true"));
        WsPump(&ws, 0.3, 0);
        CheckTwin(&ws, models[i], 0.2); // it is told ten times a second
        WsDo(WsAsk(&ws, "{\"type\": \"pause\", \"paused\": false"));
    }
    json_t* refused = WsAsk(&ws, "{\"type\": \"twin\", \"model\": \"rope\"");
    assert_string_equal(WsString(refused, "type"), "error");
    json_decref(refused);
    WsDo(WsAsk(&ws, "{\"type\": \"twin\", \"model\": \"none\""));
    StopAndRerun(&ws, flight);
    CheckRecordedTwin(&ws, flight, models, 4);
    WsClose(&ws);
}

// A vehicle that runs to the end of its tether is stopped by it: the tension is what thrust is left.
static void test_TetherStopsTheVehicle(void** state) {
    (void)state;
    Ws ws;
    char flight[64];
    Connect(&ws);
    Fly(&ws,
        "\"surroundings\": \"open_water\", \"tether\": {\"type\": \"fathom\", \"length\": 20, \"out\": 20}, "
        "\"handler\": \"hold\"",
        flight);
    Hold(&ws);
    FlyFor(&ws, 60.0, 1.0);
    assert_close(Cable(&ws, CABLE_STRAIGHT), Cable(&ws, CABLE_OUT), 0.3); // straight
    assert_true(VehicleFloat(&ws, 72) < 0.02);                            // at rest
    // 2 thrusters of 50 N and 2 in reverse of 40.2 N at 45 degrees, less what the angle of the tether takes
    assert_close(VehicleFloat(&ws, 80), 2.0 * (50.0 + 40.2) * sqrt(0.5), 5.0);
    assert_non_null(strstr(ws.alerts, "tension"));
    StopAndRerun(&ws, flight);
    WsClose(&ws);
}

static void test_HandlerKeepsSomeSlack(void** state) {
    (void)state;
    Ws ws;
    char flight[64];
    Connect(&ws);
    Fly(&ws, "\"surroundings\": \"open_water\", \"handler\": \"auto\"", flight);
    Hold(&ws);
    FlyFor(&ws, 20.0, 0.7);
    double straight = Cable(&ws, CABLE_STRAIGHT), out = Cable(&ws, CABLE_OUT);
    assert_true(straight > 12.0);
    assert_true(out > straight && out < 1.3 * straight + 2.0);
    assert_true(VehicleFloat(&ws, 80) < 40.0);
    StopAndRerun(&ws, flight);
    WsClose(&ws);
}

// The boat goes up and down with the sea, and the winch does not follow each wave.
static void test_HandlerEasesTheTetherInWaves(void** state) {
    (void)state;
    Ws ws;
    char flight[64];
    Connect(&ws);
    Fly(&ws,
        "\"surroundings\": \"open_water\", \"handler\": \"auto\", \"waves\": {\"height\": 2, \"period\": 5, "
        "\"direction_deg\": 120}",
        flight);
    Hold(&ws);
    FlyFor(&ws, 10.0, 0.0);
    double least = 1e9, most = 0.0, tension = 0.0;
    for (int i = 0; i < 30; ++i) {
        FlyFor(&ws, 0.7, 0.0);
        least = fmin(least, Cable(&ws, CABLE_OUT) - Cable(&ws, CABLE_STRAIGHT));
        most = fmax(most, Cable(&ws, CABLE_OUT) - Cable(&ws, CABLE_STRAIGHT));
        tension = fmax(tension, VehicleFloat(&ws, 80));
    }
    assert_true(least > 0.0 && most > least + 0.2 && most < 6.0);
    assert_true(tension < 0.2 * 343.0);
    assert_null(strstr(ws.alerts, "Slack"));
    StopAndRerun(&ws, flight);
    WsClose(&ws);
}

static void test_CurrentDriftsTheVehicleAndBellsTheTether(void** state) {
    (void)state;
    Ws ws;
    char flight[64];
    Connect(&ws);
    Fly(&ws,
        "\"surroundings\": \"open_water\", \"tether\": {\"type\": \"fathom\", \"length\": 100, \"out\": 60}, "
        "\"handler\": \"hold\"",
        flight);
    Hold(&ws);
    FlyFor(&ws, 3.0, 0.0);
    double y = VehicleFloat(&ws, 4);
    WsDo(WsAsk(&ws, "{\"type\": \"current\", \"speed\": 0.3, \"direction_deg\": 90"));
    FlyFor(&ws, 20.0, 0.0);
    assert_true(VehicleFloat(&ws, 4) > y + 3.0); // to the west
    // the way back in time, then another way
    double before = FrameTime(&ws);
    WsDo(WsAsk(&ws, "{\"type\": \"seek\", \"time\": %g", before - 10.0));
    WS_UNTIL(&ws, fabs(FrameTime(&ws) - before + 10.0) < 0.02);
    WsDo(WsAsk(&ws, "{\"type\": \"current\", \"speed\": 0.2, \"direction_deg\": 270"));
    WsDo(WsAsk(&ws, "{\"type\": \"pause\", \"paused\": false"));
    FlyFor(&ws, 5.0, 0.5);
    StopAndRerun(&ws, flight);
    WsClose(&ws);
}

// As much as may be out where it is 60 m deep.
static void test_FramesOfALongTetherAreSmall(void** state) {
    (void)state;
    Ws ws;
    Connect(&ws);
    Fly(&ws,
        "\"surroundings\": \"open_water\", \"record\": false, \"handler\": \"hold\", "
        "\"tether\": {\"type\": \"fathom\", \"length\": 300, \"out\": 300}",
        NULL);
    WsDo(WsAsk(&ws, "{\"type\": \"speed\", \"factor\": 1"));
    WS_UNTIL(&ws, ws.frames > 0 && FrameTime(&ws) > 0.5);
    assert_true(Cable(&ws, CABLE_OUT) > 120.0 && Cable(&ws, CABLE_OUT) < 200.0);
    assert_true(Nodes(&ws) > 40);
    assert_true(ws.frameSize < 10000);
    int frames = ws.frames;
    double clock = WsClock();
    WS_UNTIL(&ws, ws.frames - frames > 30);
    // of 30 a second, where the machine is idle
    if (getenv("HAWSER_TIMED") != NULL) assert_true((ws.frames - frames) / (WsClock() - clock) > 15.0);
    WsClose(&ws);
}

static int SetUp(void** state) {
    (void)state;
    signal(SIGPIPE, SIG_IGN);
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
        cmocka_unit_test(test_TetherIsPaidOutAndHauledIn),
        cmocka_unit_test(test_TwinSharesTheEnds),
        cmocka_unit_test(test_TetherStopsTheVehicle),
        cmocka_unit_test(test_HandlerKeepsSomeSlack),
        cmocka_unit_test(test_HandlerEasesTheTetherInWaves),
        cmocka_unit_test(test_CurrentDriftsTheVehicleAndBellsTheTether),
        cmocka_unit_test(test_FramesOfALongTetherAreSmall),
    };
    return cmocka_run_group_tests(tests, SetUp, TearDown);
}
