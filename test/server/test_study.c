// A study in the trainer: participants come into groups by turns, see two recordings in an order of their own without a word which is
// which, and what they rate is kept with the models.
#define _GNU_SOURCE
#define FOLDER HAWSER_BINARY_DIR "/test/study_flights"
#include "hawser/logbook.h"
#include "hawser/protocol.h"
#include "host.h"

static void Refused(json_t* reply, const char* part) {
    assert_string_equal(WsString(reply, "type"), "error");
    if (strstr(WsString(reply, "message"), part) == NULL) fail_msg("%s", WsString(reply, "message"));
    json_decref(reply);
}

// A short recording; its name.
static void Record(Ws* ws, char* name, size_t size) {
    json_t* reply = WsGood(
        WsAsk(ws, "{\"type\": \"start\", \"options\": {\"surroundings\": \"open_water\", \"tether\": null}"));
    snprintf(name, size, "%s", WsString(reply, "flight"));
    json_decref(reply);
    WsDo(WsAsk(ws, "{\"type\": \"step\", \"seconds\": 0.2"));
    WsDo(WsAsk(ws, "{\"type\": \"stop\""));
}

// Which recording a participant sees as the first or the second.
static void FindClip(Ws* ws, const char* pilot, int clip, char* name, size_t size) {
    json_t* reply = WsGood(
        WsAsk(ws, "{\"type\": \"open\", \"kind\": \"clip\", \"pilot\": \"%s\", \"pair\": 0, \"clip\": %d",
              pilot, clip));
    snprintf(name, size, "%s", WsString(reply, "flight"));
    json_decref(reply);
}

static void RatingsAreBlindAndKept(void** state) {
    (void)state;
    Host host = {.def = hwDefaultWebServerDef()};
    Ws ws;
    char flights[2][64], text[900];
    StartHost(&host);
    WsOpen(&ws, host.port, NULL, NULL, NULL);
    WsDo(WsAsk(&ws, "{\"type\": \"hello\", \"version\": 1"));
    Refused(WsAsk(&ws, "{\"type\": \"study\", \"pilot\": \"Ann\""), "--protocol");
    Record(&ws, flights[0], sizeof(flights[0]));
    Record(&ws, flights[1], sizeof(flights[1]));
    WsClose(&ws);
    StopHost(&host);

    snprintf(
        text, sizeof(text),
        "hawser_protocol: 1\ntitle: Awareness\nseed: 3\ngroups: [a, b]\nsteps:\n  - {phase: pre, lesson: "
        "check_dive}\n  - {phase: training, lesson: pier_weave, runs: 2, group: a}\n  - {phase: rating, "
        "pair: "
        "p}\npairs:\n  - {name: p, first: {flight: %s, model: dynamic}, second: {flight: %s, model: wrap}}\n",
        flights[0], flights[1]);
    hwError error;
    hwProtocol* protocol = hwParseProtocol(text, strlen(text), &error);
    if (protocol == NULL) fail_msg("%d:%d: %s", error.line, error.column, error.message);
    host = (Host){.def = hwDefaultWebServerDef()};
    host.def.protocol = protocol;
    StartHost(&host);
    WsOpen(&ws, host.port, NULL, NULL, NULL);
    json_t* hello = WsGood(WsAsk(&ws, "{\"type\": \"hello\", \"version\": 1"));
    assert_true(json_is_true(json_object_get(hello, "study")));
    json_decref(hello);
    Refused(WsAsk(&ws, "{\"type\": \"study\""), "needs a name");
    Refused(
        WsAsk(&ws, "{\"type\": \"open\", \"kind\": \"clip\", \"pilot\": \"Ann\", \"pair\": 4, \"clip\": 0"),
        "no such pair");
    Refused(WsAsk(&ws, "{\"type\": \"rate\", \"pilot\": \"Ann\", \"pair\": 0, \"realism\": [8, 1]"),
            "1 to 7");

    // two participants: one in each group, and each sees the other order
    const char* const pilots[] = {"Ann", "Bo"};
    char seen[2][2][64];
    int steps = 0;
    for (int i = 0; i < 2; ++i) {
        json_t* reply = WsGood(WsAsk(&ws, "{\"type\": \"study\", \"pilot\": \"%s\"", pilots[i]));
        steps += (int)json_array_size(json_object_get(reply, "steps"));
        char* whole = json_dumps(reply, JSON_COMPACT);
        assert_null(strstr(whole, "dynamic")); // nothing tells the model
        assert_null(strstr(whole, "wrap"));
        free(whole);
        json_decref(reply);
        for (int k = 0; k < 2; ++k) FindClip(&ws, pilots[i], k, seen[i][k], sizeof(seen[i][k]));
    }
    assert_int_equal(steps, 3 + 2); // the training is of one group alone
    assert_string_equal(seen[0][0], seen[1][1]);
    assert_string_equal(seen[0][1], seen[1][0]);
    assert_string_not_equal(seen[0][0], seen[0][1]);

    WsDo(WsAsk(&ws,
               "{\"type\": \"rate\", \"pilot\": \"Ann\", \"pair\": 0, \"realism\": [2, 6], \"preferred\": 1, "
               "\"comment\": \"it hops\""));
    json_t* reply = WsGood(WsAsk(&ws, "{\"type\": \"study\", \"pilot\": \"Ann\""));
    json_t* list = json_object_get(reply, "steps");
    json_t* last = json_array_get(list, json_array_size(list) - 1);
    assert_true(json_is_true(json_object_get(last, "rated")));
    json_decref(reply);
    WsClose(&ws);
    StopHost(&host);

    // in the file stands which model was the one that Ann saw second
    int count;
    hwRatingLine* lines;
    assert_int_equal(hwRatings_Read(FOLDER "/ratings.csv", &count, &lines, &error), HW_OK);
    assert_int_equal(count, 1);
    bool swapped = strcmp(seen[0][0], flights[1]) == 0;
    assert_string_equal(lines[0].shown[0], swapped ? "wrap" : "dynamic");
    assert_string_equal(lines[0].shown[1], swapped ? "dynamic" : "wrap");
    assert_true(lines[0].realism[1] == 6.0);
    assert_int_equal(lines[0].preferred, 1);
    assert_string_equal(lines[0].comment, "it hops");
    free(lines);
    hwDestroyProtocol(protocol);
    RemoveFlights();
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(RatingsAreBlindAndKept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
