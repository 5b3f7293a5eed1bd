// Saved actions in the trainer: noted, saved, flown again, refused with line and column, ended by a hand on the sticks.
#define _GNU_SOURCE
#define FOLDER HAWSER_BINARY_DIR "/test/action_flights"
#include "host.h"

// The message of an error.
static void Refused(json_t* reply, const char* part) {
    assert_string_equal(WsString(reply, "type"), "error");
    if (strstr(WsString(reply, "message"), part) == NULL) fail_msg("%s", WsString(reply, "message"));
    json_decref(reply);
}

static void ActionsAreSavedAndFlown(void** state) {
    (void)state;
    Host host = {.def = hwDefaultWebServerDef()};
    Ws ws;
    StartHost(&host);
    WsOpen(&ws, host.port, NULL, NULL, NULL);
    WsDo(WsAsk(&ws, "{\"type\": \"hello\", \"version\": 1"));
    WsDo(WsAsk(&ws,
               "{\"type\": \"start\", \"options\": {\"surroundings\": \"open_water\", \"tether\": null}"));
    Refused(WsAsk(&ws, "{\"type\": \"action\", \"do\": \"save\""), "note");
    Refused(WsAsk(&ws, "{\"type\": \"action\", \"do\": \"play\", \"script\": \"hawser_pilot: 1\\nactions:\\n "
                       " - {fly: 1}\\n\""),
            "line 3, column");
    // noted while a script dives
    WsDo(WsAsk(&ws, "{\"type\": \"speed\", \"factor\": 8"));
    WsDo(WsAsk(&ws, "{\"type\": \"action\", \"do\": \"note\""));
    json_t* reply = WsGood(WsAsk(
        &ws,
        "{\"type\": \"action\", \"do\": \"play\", \"script\": \"hawser_pilot: 1\\nframe: start\\nactions:\\n"
        "  - {arm: true}\\n  - {mode: hold}\\n  - {go: {to: [2, 0, -2]}}\\n\""));
    assert_int_equal(json_integer_value(json_object_get(reply, "count")), 3);
    json_decref(reply);
    WS_UNTIL(&ws, ws.action != NULL);
    assert_string_equal(WsString(ws.action, "ended"), "done");
    assert_int_equal(json_integer_value(json_object_get(ws.action, "given_up")), 0);
    reply = WsGood(WsAsk(&ws, "{\"type\": \"action\", \"do\": \"save\""));
    const char* script = WsString(reply, "script");
    assert_non_null(strstr(script, "frame: start"));
    assert_non_null(strstr(script, "{arm: true}"));
    assert_non_null(strstr(script, "go: {to: "));
    // flown again as it was given, and taken over by a hand
    json_t* play = json_pack("{s:s, s:s, s:s}", "type", "action", "do", "play", "script", script);
    char* text = json_dumps(play, JSON_COMPACT);
    text[strlen(text) - 1] = 0; // WsAsk adds the id
    WsDo(WsAsk(&ws, "%s", text));
    WsSendText(&ws, "{\"type\": \"pilot\", \"seq\": 1, \"axes\": [0, 0, 0, 0.05]}");
    WsSendText(&ws, "{\"type\": \"pilot\", \"seq\": 2, \"axes\": [0.5, 0, 0, 0]}");
    WS_UNTIL(&ws, strcmp(WsString(ws.action, "ended"), "taken over") == 0);
    free(text);
    json_decref(play);
    json_decref(reply);
    WsClose(&ws);
    StopHost(&host);
    RemoveFlights();
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ActionsAreSavedAndFlown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
