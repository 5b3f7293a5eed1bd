// The predictive ghost: with commands that arrive a second late the server says where the vehicle will be, and there it then is.
#define _GNU_SOURCE
#define FOLDER HAWSER_BINARY_DIR "/test/ghost_flights"
#include "host.h"

#define STEPS 14
#define AHEAD 5 // steps of 0.2 s: the delay

static double Number(const json_t* ghost, const char* key) {
    return json_number_value(json_object_get(ghost, key));
}

static double Place(const json_t* ghost, size_t axis) {
    return json_number_value(json_array_get(json_object_get(ghost, "position"), axis));
}

static void GhostsAreWhereTheVehicleWillBe(void** state) {
    (void)state;
    Host host = {.def = hwDefaultWebServerDef()};
    Ws ws;
    StartHost(&host);
    WsOpen(&ws, host.port, NULL, NULL, NULL);
    WsDo(WsAsk(&ws, "{\"type\": \"hello\", \"version\": 1"));
    WsDo(WsAsk(&ws, "{\"type\": \"start\", \"options\": {\"surroundings\": \"open_water\", \"tether\": null, "
                    "\"current\": {\"speed\": 0.2, \"direction_deg\": 90}}"));
    WsDo(WsAsk(&ws, "{\"type\": \"command\", \"name\": \"arm\", \"value\": true"));
    WsDo(WsAsk(&ws, "{\"type\": \"fault\", \"kind\": \"command_delay\", \"value\": 1"));
    WsPause(&ws);
    // to a multiple of the 0.2 s at which ghosts are made
    double now = FrameTime(&ws), first = 0.2 * ceil(now / 0.2 + 1e-6);
    WsDo(WsAsk(&ws, "{\"type\": \"step\", \"seconds\": %.9f", first - now));
    WS_UNTIL(&ws, fabs(FrameTime(&ws) - first) < 1e-6);
    WsDo(WsAsk(&ws, "{\"type\": \"pilot\", \"seq\": 1, \"axes\": [0.8, 0, -0.3, 0], \"hold\": true"));
    double at[STEPS], foreseen[STEPS][3], seen[STEPS][3];
    for (int i = 0; i < STEPS; ++i) {
        double time = first + 0.2 * (i + 1);
        if (i == 2)
            WsDo(WsAsk(&ws, "{\"type\": \"pilot\", \"seq\": 2, \"axes\": [0, 0, 0, 0.9], \"hold\": true"));
        WsDo(WsAsk(&ws, "{\"type\": \"step\", \"seconds\": 0.2"));
        WS_UNTIL(&ws, fabs(FrameTime(&ws) - time) < 1e-6 && ws.ghost != NULL &&
                          fabs(Number(ws.ghost, "time") - time) < 1e-6);
        at[i] = Number(ws.ghost, "at");
        for (size_t k = 0; k < 3; ++k) {
            foreseen[i][k] = Place(ws.ghost, k);
            seen[i][k] = VehicleFloat(&ws, 4 * k);
        }
    }
    // frames have single precision; from the fourth on no more messages came
    bool moved = false;
    for (int i = 3; i + AHEAD < STEPS; ++i) {
        assert_close(at[i], first + 0.2 * (i + 1 + AHEAD), 1e-6);
        for (size_t k = 0; k < 3; ++k) assert_close(foreseen[i][k], seen[i + AHEAD][k], 1e-5);
        moved |= fabs(foreseen[i][0] - seen[i][0]) > 0.05;
    }
    assert_true(moved);
    WsClose(&ws);
    StopHost(&host);
    RemoveFlights();
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(GhostsAreWhereTheVehicleWillBe)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
