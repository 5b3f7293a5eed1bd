// Messages from pages: what is taken and what is refused, with which words.
#include "apps/server/request.h"

#include "support.h"

static const hwWebFlightOptions g_defaults = {
    .vehicle = "a", .surroundings = "b", .visibility = 10.0, .wavePeriod = 5.0, .record = true};

static hwWebRequest g_request;
static hwWebRequestError g_error;

static bool Parse(const char* text) {
    return hwWebRequest_Parse(text, strlen(text), &g_defaults, &g_request, &g_error);
}

static void Take(const char* text) {
    if (!Parse(text)) fail_msg("%s: %s", text, g_error.message);
}

static void Refuse(const char* text, const char* code, const char* words) {
    if (Parse(text)) fail_msg("taken: %s", text);
    assert_string_equal(g_error.code, code);
    if (strstr(g_error.message, words) == NULL) fail_msg("%s says %s", text, g_error.message);
}

static void test_StartMergesWithDefaults(void** state) {
    (void)state;
    Take("{\"type\": \"start\", \"id\": 4, \"options\": {\"current\": {\"speed\": 0.5, \"direction_deg\": "
         "90}, \"tether\": {\"type\": "
         "\"fathom\", \"length\": 80}, \"waves\": {\"height\": 1}, \"handler\": \"auto\", \"record\": false, "
         "\"title\": \"é\"}}");
    const hwWebFlightOptions* o = &g_request.options;
    assert_int_equal(g_request.type, REQUEST_START);
    assert_int_equal(g_request.id, 4);
    assert_string_equal(o->vehicle, "a");
    assert_close(o->currentSpeed, 0.5, 0.0);
    assert_close(o->currentDirection, 0.5 * HW_PI, 1e-12);
    assert_true(o->tether && o->tetherLength == 80.0 && o->waveHeight == 1.0 && o->wavePeriod == 5.0);
    assert_true(o->handler == HANDLER_AUTO && !o->record);
    assert_string_equal(o->title, "é");
    Take("{\"type\": \"start\"}");
    assert_string_equal(g_request.options.surroundings, "b");
    Take("{\"type\": \"start\", \"options\": {\"tether\": null}}");
    assert_false(g_request.options.tether);
    Refuse("{\"type\": \"start\", \"options\": {\"current\": {\"speed\": 9}}}", "value", "from 0 to 3");
    Refuse("{\"type\": \"start\", \"options\": {\"visibility\": \"far\"}}", "type", "number");
    Refuse("{\"type\": \"start\", \"options\": {\"handler\": \"magic\"}}", "value", "hold, manual, auto");
    Refuse("{\"type\": \"start\", \"options\": []}", "type", "object");
    Refuse("{\"type\": \"start\", \"options\": {\"vehicle\": \"a\\u0000b\"}}", "json", "");
}

static void test_OptionsSurviveARoundTrip(void** state) {
    (void)state;
    hwWebFlightOptions o = g_defaults;
    o.tether = true;
    strcpy(o.tetherType, "fathom");
    o.tetherLength = 120.0;
    o.tetherOut = 15.0;
    o.currentSpeed = 0.7;
    o.currentDirection = -1.0;
    o.handler = HANDLER_MANUAL;
    json_t* json = json_pack("{s:s, s:o}", "type", "start", "options", hwWebFlightOptions_ToJson(&o));
    char* text = json_dumps(json, 0);
    Take(text);
    assert_string_equal(g_request.options.tetherType, "fathom");
    assert_close(g_request.options.tetherOut, 15.0, 0.0);
    assert_close(g_request.options.currentDirection, -1.0, 1e-12);
    assert_int_equal(g_request.options.handler, HANDLER_MANUAL);
    free(text);
    json_decref(json);
}

static void test_PilotAxesAreCutAndCounted(void** state) {
    (void)state;
    Take("{\"type\": \"pilot\", \"seq\": 4294967295, \"t\": 5, \"axes\": [2, -3, 0.5, 0]}");
    assert_true(g_request.axes[0] == 1.0 && g_request.axes[1] == -1.0 && g_request.axes[2] == 0.5);
    assert_true(g_request.seq == 4294967295u && !g_request.hold);
    Take("{\"type\": \"pilot\", \"axes\": [0, 0, 0, 0], \"hold\": true}");
    assert_true(g_request.hold);
    Refuse("{\"type\": \"pilot\", \"axes\": [0, 0, 0]}", "type", "four");
    Refuse("{\"type\": \"pilot\", \"axes\": [0, 0, 0, \"1\"]}", "type", "four");
    Refuse("{\"type\": \"pilot\"}", "type", "four");
}

static void test_CommandsAreChecked(void** state) {
    (void)state;
    Take("{\"type\": \"command\", \"name\": \"mode\", \"value\": \"heading_hold\"}");
    assert_close(g_request.value, 3.0, 0.0);
    Take("{\"type\": \"command\", \"name\": \"gripper\", \"value\": \"stop\"}");
    assert_true(g_request.gripperStop);
    Take("{\"type\": \"command\", \"name\": \"gripper\", \"value\": 0.4}");
    Take("{\"type\": \"command\", \"name\": \"reverse_thruster\", \"value\": {\"thruster\": 2, \"reversed\": "
         "false}}");
    assert_true(g_request.thruster == 2 && !g_request.flag);
    Take("{\"type\": \"command\", \"name\": \"reset_turns\"}");
    Refuse("{\"type\": \"command\", \"name\": \"explode\"}", "value", "no such command");
    Refuse("{\"type\": \"command\"}", "value", "no such command");
    Refuse("{\"type\": \"command\", \"name\": \"arm\"}", "type", "missing");
    Refuse("{\"type\": \"command\", \"name\": \"arm\", \"value\": 1}", "type", "true or false");
    Refuse("{\"type\": \"command\", \"name\": \"mode\", \"value\": 7}", "value", "depth_hold");
    Refuse("{\"type\": \"command\", \"name\": \"gain\", \"value\": 1.5}", "value", "from 0 to 1");
    Refuse("{\"type\": \"command\", \"name\": \"gripper\", \"value\": -1}", "value", "open, close");
    Refuse("{\"type\": \"command\", \"name\": \"fail_thruster\", \"value\": {\"thruster\": 16}}", "value",
           "0 to 15");
}

static void test_CountsAreWhole(void** state) {
    (void)state;
    Take("{\"type\": \"command\", \"name\": \"fail_thruster\", \"value\": {\"thruster\": 2.0}}");
    assert_int_equal(g_request.thruster, 2);
    Refuse("{\"type\": \"command\", \"name\": \"fail_thruster\", \"value\": {\"thruster\": 1.5}}", "value",
           "whole number from 0 to 15, it is 1.5");
    Refuse("{\"type\": \"command\", \"name\": \"reverse_thruster\", \"value\": {\"thruster\": -0.5}}",
           "value", "whole");
    Refuse("{\"type\": \"command\", \"name\": \"fail_thruster\", \"value\": {\"thruster\": \"1\"}}", "type",
           "number");
    Refuse("{\"type\": \"hello\", \"version\": 1.5}", "value", "whole");
    Refuse("{\"type\": \"pilot\", \"seq\": 1.5, \"axes\": [0, 0, 0, 0]}", "value", "whole");
    Refuse("{\"type\": \"history\", \"channels\": [\"x\"], \"points\": 2.5}", "value", "whole");
}

static void test_OnlyObjectsAreMessages(void** state) {
    (void)state;
    static const char* const others[] = {"[]",   "[1, 2]", "[{\"type\": \"ping\"}]", "1", "\"ping\"",
                                         "null", "true"};
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); ++i) Refuse(others[i], "json", "");
    Refuse("[{\"type\": \"ping\"}]", "json", "not an object");
    Refuse("", "json", "not JSON");
    Refuse("{\"type\": \"ping\"} x", "json", "not JSON");
    Refuse("{\"type\": \"ping\", \"type\": \"stop\"}", "json", "duplicate");
    Refuse("{\"type\": \"ping\", \"t\": 1e999}", "json", "");
    Refuse("{\"type\": \"ping\", \"t\": NaN}", "json", "");
    Refuse("{\"type\": \"pin\xc0\xaf\"}", "json", "");
}

static void test_TheRestIsChecked(void** state) {
    (void)state;
    Take("{\"type\": \"tune\", \"axes\": {\"sway\": {\"dead_zone\": 0.1, \"invert\": true}}}");
    assert_close(g_request.tune[1].values[0], 0.1, 0.0);
    assert_true(isnan(g_request.tune[1].values[1]) && g_request.tune[1].values[3] == 1.0 &&
                isnan(g_request.tune[0].values[0]));
    Refuse("{\"type\": \"tune\", \"axes\": {\"sway\": {\"dead_zone\": 0.9}}}", "value", "from 0 to 0.5");
    Take("{\"type\": \"set\", \"inputs\": {\"a.b\": 1, \"c\": -2.5}}");
    assert_int_equal(g_request.count, 2);
    Refuse("{\"type\": \"set\", \"inputs\": {\"a\": \"x\"}}", "type", "numbers");
    Take("{\"type\": \"history\", \"channels\": [\"x\"], \"points\": 50}");
    assert_int_equal(g_request.points, 50);
    Refuse("{\"type\": \"history\", \"channels\": [\"x\"], \"points\": 1e6}", "value", "2000");
    Refuse("{\"type\": \"plot\", \"channels\": \"x\"}", "type", "list");
    Take("{\"type\": \"tether\", \"action\": \"haul_in\"}");
    assert_close(g_request.value, 0.5, 0.0);
    Refuse("{\"type\": \"tether\", \"action\": \"bite\"}", "value", "pay_out");
    Take("{\"type\": \"open\", \"kind\": \"watch\", \"flight\": \"x\"}");
    Refuse("{\"type\": \"open\"}", "type", "kind");
    Refuse("{\"type\": \"speed\", \"factor\": 0}", "value", "0.1");
    Refuse("{\"type\": \"hello\", \"version\": 1, \"token\": 5}", "type", "text");
}

static void test_CrewAndInstructor(void** state) {
    (void)state;
    Take("{\"type\": \"join\", \"flight\": \"f\", \"role\": \"winch\", \"secret\": \"s\", \"name\": \"Bo\"}");
    assert_int_equal(g_request.role, ROLE_WINCH);
    assert_string_equal(g_request.name, "Bo");
    Refuse("{\"type\": \"join\", \"flight\": \"f\"}", "type", "role");
    Refuse("{\"type\": \"invite\", \"role\": \"captain\"}", "value",
           "pilot, handler, winch, instructor, observer");
    Take("{\"type\": \"take\", \"control\": \"tether\"}");
    assert_int_equal(g_request.control, CONTROL_TETHER);
    Refuse("{\"type\": \"give\", \"control\": \"everything\"}", "value", "vehicle");
    Take("{\"type\": \"hand_over\", \"member\": 7}");
    assert_true(g_request.member == 7);
    Refuse("{\"type\": \"hand_over\"}", "type", "member");
    Refuse("{\"type\": \"say\", \"text\": \"\"}", "type", "text");
    Take("{\"type\": \"comms\", \"on\": false}");
    assert_false(g_request.flag);
    Take("{\"type\": \"fault\", \"kind\": \"thruster\", \"thruster\": 3, \"value\": 0.25, \"in\": 5}");
    assert_int_equal(g_request.fault, FAULT_THRUSTER);
    assert_int_equal(g_request.thruster, 3);
    assert_close(g_request.after, 5.0, 0.0);
    Refuse("{\"type\": \"fault\", \"kind\": \"thruster\", \"value\": 1}", "type", "thruster");
    Refuse("{\"type\": \"fault\", \"kind\": \"loss\", \"value\": 1}", "value", "0.95");
    Refuse("{\"type\": \"fault\", \"kind\": \"mutiny\", \"value\": 1}", "value", "load_cell");
    Refuse("{\"type\": \"visibility\", \"value\": 0}", "value", "0.5");
    Take("{\"type\": \"answer\", \"probe\": 1, \"answers\": {\"depth\": 4.5}}");
    assert_string_equal(g_request.answer, "{\"depth\":4.5}");
    Refuse("{\"type\": \"answer\", \"probe\": 1}", "type", "answers");
    Take("{\"type\": \"action\", \"do\": \"save\", \"within\": 0.2, \"frame\": \"world\"}");
    assert_int_equal(g_request.action, ACTION_SAVE);
    assert_true(g_request.flag);
    Take("{\"type\": \"action\", \"do\": \"play\", \"script\": \"hawser_pilot: 1\"}");
    assert_string_equal(g_request.script, "hawser_pilot: 1");
    Refuse("{\"type\": \"action\"}", "type", "do");
    Refuse("{\"type\": \"action\", \"do\": \"play\"}", "type", "script");
    Refuse("{\"type\": \"action\", \"do\": \"save\", \"within\": 0}", "value", "within");
}

static void test_WhatIsNoMessageIsRefused(void** state) {
    (void)state;
    Refuse("", "json", "");
    Refuse("5", "json", "");
    Refuse("[]", "json", "");
    Refuse("{\"type\": \"ping\"", "json", "");
    Refuse("{\"type\": \"ping\", \"id\": 0}", "type", "id");
    Refuse("{\"type\": \"ping\", \"id\": \"x\"}", "type", "id");
    Refuse("{\"type\": 5}", "type", "no such message");
    Refuse("{}", "type", "no such message");
    Refuse("{\"a\": [[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]}", "json", "deep");
    Take("{\"type\": \"ping\", \"a\": \"[[[[[[[[[[[[[[[[[[[[\\\"[[\"}");
    // an id that could be read comes back with the error
    Refuse("{\"type\": \"nonsense\", \"id\": 9}", "type", "no such");
    assert_int_equal(g_request.id, 9);
    char* large = malloc(70000);
    memset(large, ' ', 69999);
    large[69999] = 0;
    Refuse(large, "json", "large");
    free(large);
}

// Any change of one character gives a request or an error with words, never anything else.
static void test_DamagedMessagesAreSafe(void** state) {
    (void)state;
    static const char* const good[] = {
        "{\"type\": \"start\", \"id\": 2, \"options\": {\"current\": {\"speed\": 0.3, \"direction_deg\": "
        "90}, \"tether\": {\"length\": 100}}}",
        "{\"type\": \"pilot\", \"seq\": 1041, \"t\": 83120.4, \"axes\": [0.5, 0, -0.2, 0]}",
        "{\"type\": \"command\", \"name\": \"fail_thruster\", \"value\": {\"thruster\": 2, \"failed\": "
        "true}}",
        "{\"type\": \"history\", \"channels\": [\"rov.depth\", \"x\"], \"from\": 0, \"to\": 120, \"points\": "
        "1000}"};
    uint64_t random = 3;
    for (int trial = 0; trial < 20000; ++trial) {
        char text[256];
        strcpy(text, good[trial % 4]);
        size_t length = strlen(text);
        for (int change = 0; change < 1 + trial % 3; ++change) {
            size_t at = (size_t)((double)length * 0.4999 * (1.0 + TestRandom(&random)));
            text[at] = (char)(1 + (int)(126.9 * 0.5 * (1.0 + TestRandom(&random))));
        }
        if (!Parse(text)) assert_true(g_error.code != NULL && g_error.message[0] != 0);
    }
}

// docs/protocol.md has every message of the table.
static void test_EveryMessageIsInTheProtocol(void** state) {
    (void)state;
    FILE* file = fopen(HAWSER_SOURCE_DIR "/docs/protocol.md", "r");
    assert_non_null(file);
    char* text = calloc(1, 1 << 20);
    assert_non_null(text);
    assert_in_range(fread(text, 1, (1 << 20) - 1, file), 1, (1 << 20) - 2);
    fclose(file);
    for (int type = 0; type < REQUEST_TYPES; ++type) {
        const char* name = hwWebRequestType_GetName((hwWebRequestType)type);
        assert_non_null(name);
        char wanted[64];
        snprintf(wanted, sizeof(wanted), "\"type\": \"%s\"", name);
        if (strstr(text, wanted) == NULL) fail_msg("docs/protocol.md does not show %s", wanted);
    }
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_EveryMessageIsInTheProtocol), cmocka_unit_test(test_StartMergesWithDefaults),
        cmocka_unit_test(test_OptionsSurviveARoundTrip),    cmocka_unit_test(test_PilotAxesAreCutAndCounted),
        cmocka_unit_test(test_CommandsAreChecked),          cmocka_unit_test(test_CountsAreWhole),
        cmocka_unit_test(test_OnlyObjectsAreMessages),      cmocka_unit_test(test_TheRestIsChecked),
        cmocka_unit_test(test_CrewAndInstructor),           cmocka_unit_test(test_WhatIsNoMessageIsRefused),
        cmocka_unit_test(test_DamagedMessagesAreSafe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
