// Several pages on one flight: roles, rights, handing over, the instructor's faults, and all of it in the recording.
#define _GNU_SOURCE
#define FOLDER HAWSER_BINARY_DIR "/test/crew_flights"
#include "host.h"

#include "hawser/flight.h"

#define INSTRUCTOR "the instructor's own secret"

static Host g_host;

static void Connect(Ws* ws, const char* name, const char* instructor) {
    WsOpen(ws, g_host.port, NULL, NULL, NULL);
    assert_int_equal(ws->status, 101);
    json_t* reply = WsAsk(ws, "{\"type\": \"hello\", \"version\": 1, \"name\": \"%s\"%s%s%s", name,
                          instructor != NULL ? ", \"instructor\": \"" : "",
                          instructor != NULL ? instructor : "", instructor != NULL ? "\"" : "");
    WsDo(reply);
}

// On 20 m of tether that nobody minds.
static void Fly(Ws* ws, char flight[64], char secret[64]) {
    json_t* reply = WsGood(WsAsk(ws, "{\"type\": \"start\", \"options\": {\"surroundings\": \"round_pool\", "
                                     "\"tether\": {\"type\": \"fathom\", \"length\": 40, \"out\": 8}, "
                                     "\"handler\": \"hold\"}"));
    snprintf(flight, 64, "%s", WsString(reply, "flight"));
    snprintf(secret, 64, "%s", WsString(reply, "secret"));
    json_decref(reply);
    WsDo(WsAsk(ws, "{\"type\": \"command\", \"name\": \"arm\", \"value\": true"));
}

// The secret of an invitation.
static void Invite(Ws* ws, const char* role, char secret[64]) {
    json_t* reply = WsGood(WsAsk(ws, "{\"type\": \"invite\", \"role\": \"%s\"", role));
    snprintf(secret, 64, "%s", WsString(reply, "secret"));
    json_decref(reply);
}

// A refusal with code `order` whose sentence says this.
static void Refused(json_t* reply, const char* words) {
    assert_string_equal(WsString(reply, "type"), "error");
    assert_string_equal(WsString(reply, "code"), "order");
    if (strstr(WsString(reply, "message"), words) == NULL) fail_msg("%s", WsString(reply, "message"));
    json_decref(reply);
}

static double Out(const Ws* ws) {
    size_t at = FrameSection(ws, 4, NULL);
    return at != 0 ? FrameFloat(ws, at + 4) : 0.0;
}

static json_int_t Holder(const Ws* ws, const char* control) {
    return json_integer_value(json_object_get(json_object_get(ws->crew, "holders"), control));
}

static json_int_t You(const Ws* ws) {
    return json_integer_value(json_object_get(ws->crew, "you"));
}

static void test_HandlerJoinsByLinkAndHasTheTether(void** state) {
    (void)state;
    Ws pilot, handler, reserve, observer;
    char flight[64], secret[64], link[64];
    Connect(&pilot, "Ada", NULL);
    Fly(&pilot, flight, secret);
    WS_UNTIL(&pilot, pilot.crew != NULL && pilot.frames > 0);
    assert_int_equal(Holder(&pilot, "tether"), You(&pilot));
    Invite(&pilot, "handler", link);
    Connect(&handler, "Bo", NULL);
    assert_true(WsIsError(WsAsk(&handler,
                                "{\"type\": \"join\", \"flight\": \"%s\", \"role\": \"handler\", "
                                "\"secret\": \"0000\"",
                                flight),
                          "token"));
    // a link is of one role
    assert_true(WsIsError(WsAsk(&handler,
                                "{\"type\": \"join\", \"flight\": \"%s\", \"role\": \"winch\", "
                                "\"secret\": \"%s\"",
                                flight, link),
                          "token"));
    assert_true(WsIsError(WsAsk(&handler,
                                "{\"type\": \"join\", \"flight\": \"%s\", \"role\": \"pilot\", "
                                "\"secret\": \"%s\"",
                                flight, secret),
                          "token"));
    WsDo(WsAsk(&handler, "{\"type\": \"join\", \"flight\": \"%s\", \"role\": \"handler\", \"secret\": \"%s\"",
               flight, link));
    WS_UNTIL(&handler, handler.crew != NULL && handler.scene != NULL && handler.frames > 0);
    assert_string_equal(WsString(handler.scene, "session"), "watch");
    WS_UNTIL(&pilot, Holder(&pilot, "tether") == You(&handler));
    assert_int_equal(Holder(&pilot, "vehicle"), You(&pilot));
    // one hand at a time, and the other is told whose it is
    Refused(WsAsk(&pilot, "{\"type\": \"tether\", \"action\": \"haul_in\""),
            "Bo: the tether handler has the tether");
    Refused(WsAsk(&handler, "{\"type\": \"command\", \"name\": \"arm\", \"value\": false"),
            "Ada: the pilot has the vehicle");
    Refused(WsAsk(&handler, "{\"type\": \"pilot\", \"seq\": 1, \"axes\": [1, 0, 0, 0]"), "Ada");
    Refused(WsAsk(&handler, "{\"type\": \"pause\", \"paused\": true"), "Ada: the pilot has the time");
    double out = Out(&handler);
    WsDo(WsAsk(&handler, "{\"type\": \"tether\", \"action\": \"pay_out\", \"rate\": 1"));
    WS_UNTIL(&handler, Out(&handler) > out + 0.5);
    WsDo(WsAsk(&handler, "{\"type\": \"tether\", \"action\": \"hold\""));
    // who comes second waits, until the first has gone
    Connect(&reserve, "Cy", NULL);
    WsDo(WsAsk(&reserve, "{\"type\": \"join\", \"flight\": \"%s\", \"role\": \"handler\", \"secret\": \"%s\"",
               flight, link));
    Refused(WsAsk(&reserve, "{\"type\": \"tether\", \"action\": \"haul_in\""), "Bo");
    Connect(&observer, "Di", NULL);
    WsDo(WsAsk(&observer, "{\"type\": \"open\", \"kind\": \"watch\", \"flight\": \"%s\"", flight));
    Refused(WsAsk(&observer, "{\"type\": \"tether\", \"action\": \"haul_in\""), "only watches");
    Refused(WsAsk(&observer, "{\"type\": \"invite\", \"role\": \"handler\""), "only the pilot");
    WsClose(&handler);
    WS_UNTIL(&reserve, reserve.crew != NULL && Holder(&reserve, "tether") == You(&reserve));
    WsDo(WsAsk(&reserve, "{\"type\": \"tether\", \"action\": \"hold\""));
    // the last one gone, the automatic handler minds it, and the pilot may again
    WsDo(WsAsk(&reserve, "{\"type\": \"stop\""));
    WS_UNTIL(&pilot, strstr(pilot.alerts, "handler") != NULL);
    WS_UNTIL(&pilot, Holder(&pilot, "tether") == You(&pilot));
    WsDo(WsAsk(&pilot, "{\"type\": \"tether\", \"action\": \"hold\""));
    WsDo(WsAsk(&pilot, "{\"type\": \"stop\""));
    WsClose(&pilot);
    WsClose(&reserve);
    WsClose(&observer);
}

static void test_SeatsAreHandedOver(void** state) {
    (void)state;
    Ws pilot, other, again;
    char flight[64], secret[64], link[64];
    Connect(&pilot, "Ada", NULL);
    Fly(&pilot, flight, secret);
    Invite(&pilot, "observer", link);
    Connect(&other, "Bo", NULL);
    WsDo(WsAsk(&other, "{\"type\": \"join\", \"flight\": \"%s\", \"role\": \"observer\", \"secret\": \"%s\"",
               flight, link));
    WS_UNTIL(&other, other.crew != NULL);
    assert_true(WsIsError(WsAsk(&pilot, "{\"type\": \"hand_over\", \"member\": 999999"), "value"));
    Refused(WsAsk(&other, "{\"type\": \"hand_over\", \"member\": %lld", (long long)You(&pilot)), "hand over");
    WsDo(WsAsk(&pilot, "{\"type\": \"hand_over\", \"member\": %lld", (long long)You(&other)));
    WS_UNTIL(&other, other.seat != NULL && strcmp(WsString(other.scene, "session"), "flight") == 0);
    WsDo(WsAsk(&other, "{\"type\": \"command\", \"name\": \"lights\", \"value\": 0.5"));
    Refused(WsAsk(&pilot, "{\"type\": \"command\", \"name\": \"lights\", \"value\": 0"), "only watches");
    WS_UNTIL(&pilot, strcmp(WsString(pilot.scene, "session"), "watch") == 0);
    // the old secret opens nothing, the new one does
    WsOpen(&again, g_host.port, NULL, NULL, NULL);
    json_t* reply = WsGood(WsAsk(&again,
                                 "{\"type\": \"hello\", \"version\": 1, \"resume\": {\"flight\": \"%s\", "
                                 "\"secret\": \"%s\"}",
                                 flight, secret));
    assert_false(json_is_true(json_object_get(reply, "resumed")));
    json_decref(reply);
    WsClose(&again);
    WsOpen(&again, g_host.port, NULL, NULL, NULL);
    reply = WsGood(WsAsk(&again,
                         "{\"type\": \"hello\", \"version\": 1, \"resume\": {\"flight\": \"%s\", "
                         "\"secret\": \"%s\"}",
                         flight, WsString(other.seat, "secret")));
    assert_true(json_is_true(json_object_get(reply, "resumed")));
    json_decref(reply);
    WsDo(WsAsk(&again, "{\"type\": \"stop\""));
    WsClose(&again);
    WsClose(&other);
    WsClose(&pilot);
}

static uint64_t ReplayHash(const char* id, char* events, size_t size) {
    char path[600];
    hwError error;
    snprintf(path, sizeof(path), "%s/%s", FOLDER, id);
    hwFlight* flight = hwLoadFlight(path, &error);
    if (flight == NULL) fail_msg("%s", error.message);
    snprintf(events, size, "%s", hwFlight_GetEvents(flight));
    hwWorld* world = hwFlight_CreateWorld(flight, &error);
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

static double Condition(const Ws* ws, const char* key) {
    return json_number_value(json_object_get(ws->conditions, key));
}

static double Lost(const Ws* ws, size_t thruster) {
    return json_number_value(json_array_get(json_object_get(ws->conditions, "thrusters"), thruster));
}

// Who writes a name into the logbook has it in the class, whatever the page was called when it came.
static void test_TheClassHasTheNamesOfTheLogbook(void** state) {
    (void)state;
    Ws pilot, teacher;
    Connect(&pilot, "somebody", NULL);
    char flight[64];
    json_t* reply = WsGood(WsAsk(
        &pilot, "{\"type\": \"start\", \"options\": {\"surroundings\": \"round_pool\", \"pilot\": \"Ada\"}"));
    snprintf(flight, sizeof(flight), "%s", WsString(reply, "flight"));
    json_decref(reply);
    Connect(&teacher, "Eve", INSTRUCTOR);
    reply = WsGood(WsAsk(&teacher, "{\"type\": \"class\""));
    size_t i;
    json_t* entry;
    const char* name = "";
    json_array_foreach(json_object_get(reply, "flights"), i, entry) {
        if (strcmp(WsString(entry, "flight"), flight) == 0) name = WsString(entry, "pilot");
    }
    assert_string_equal(name, "Ada");
    json_decref(reply);
    WsDo(WsAsk(&pilot, "{\"type\": \"stop\""));
    WsClose(&pilot);
    WsClose(&teacher);
}

static void test_InstructorTeachesAndTheRecordingHoldsIt(void** state) {
    (void)state;
    Ws pilot, teacher, stranger;
    char flight[64], secret[64];
    Connect(&pilot, "Ada", NULL);
    Fly(&pilot, flight, secret);
    WsOpen(&stranger, g_host.port, NULL, NULL, NULL);
    assert_true(WsIsError(
        WsAsk(&stranger, "{\"type\": \"hello\", \"version\": 1, \"instructor\": \"a guess\""), "token"));
    WsClose(&stranger);
    Refused(WsAsk(&pilot, "{\"type\": \"class\""), "only an instructor");
    Refused(WsAsk(&pilot, "{\"type\": \"take\", \"control\": \"vehicle\""), "only an instructor");
    Connect(&teacher, "Eve", INSTRUCTOR);
    json_t* reply = WsGood(WsAsk(&teacher, "{\"type\": \"class\""));
    const json_t* first = json_array_get(json_object_get(reply, "flights"), 0);
    assert_string_equal(WsString(first, "flight"), flight);
    assert_string_equal(WsString(first, "pilot"), "Ada");
    json_decref(reply);
    WsDo(WsAsk(&teacher, "{\"type\": \"join\", \"flight\": \"%s\", \"role\": \"instructor\"", flight));
    WS_UNTIL(&pilot,
             Holder(&pilot, "time") == Holder(&pilot, "teaching") && Holder(&pilot, "time") != You(&pilot));
    WS_UNTIL(&teacher, teacher.frames > 0 && teacher.crew != NULL);
    Refused(WsAsk(&pilot, "{\"type\": \"pause\", \"paused\": true"), "Eve: the instructor has the time");
    Refused(WsAsk(&pilot, "{\"type\": \"current\", \"speed\": 0"), "Eve");
    WS_PASS(&teacher, 1.0);
    double before = FrameTime(&pilot);
    WsDo(WsAsk(&teacher, "{\"type\": \"fault\", \"kind\": \"thruster\", \"thruster\": 1, \"value\": 0.6"));
    WsDo(WsAsk(&teacher, "{\"type\": \"fault\", \"kind\": \"camera\", \"value\": 1"));
    WsDo(WsAsk(&teacher, "{\"type\": \"fault\", \"kind\": \"leak\", \"value\": 8"));
    assert_true(WsIsError(
        WsAsk(&teacher, "{\"type\": \"fault\", \"kind\": \"thruster\", \"thruster\": 14, \"value\": 1"),
        "value"));
    assert_true(
        WsIsError(WsAsk(&teacher, "{\"type\": \"fault\", \"kind\": \"leak\", \"value\": 1e9"), "value"));
    WS_UNTIL(&pilot, pilot.conditions != NULL && Condition(&pilot, "leak") == 8.0);
    assert_true(json_is_false(json_object_get(pilot.conditions, "camera")));
    assert_close(Lost(&pilot, 1), 0.6, 0.0);
    double depth = VehicleFloat(&pilot, 52);
    WS_UNTIL(&pilot, VehicleFloat(&pilot, 52) > depth + 0.3); // it sinks
    // back to before the faults: they are gone, from world, page and recording
    WsDo(WsAsk(&teacher, "{\"type\": \"seek\", \"time\": %.17g", before - 0.5));
    WS_UNTIL(&pilot,
             Condition(&pilot, "leak") == 0.0 && json_is_true(json_object_get(pilot.conditions, "camera")));
    assert_close(Lost(&pilot, 1), 0.0, 0.0);
    WsDo(WsAsk(&teacher, "{\"type\": \"pause\", \"paused\": false"));
    // the next event comes by itself
    WsDo(WsAsk(&teacher,
               "{\"type\": \"fault\", \"kind\": \"thruster\", \"thruster\": 2, \"value\": 1, \"in\": 0.5"));
    WS_UNTIL(&teacher, Lost(&teacher, 2) == 1.0);
    WsDo(WsAsk(&teacher, "{\"type\": \"current\", \"speed\": 0.2, \"direction_deg\": 90"));
    WsDo(WsAsk(&teacher, "{\"type\": \"visibility\", \"value\": 2"));
    WsDo(WsAsk(&teacher, "{\"type\": \"note\", \"text\": \"too fast\""));
    // sticks over a bad link come late
    WsDo(WsAsk(&teacher, "{\"type\": \"fault\", \"kind\": \"command_delay\", \"value\": 1"));
    double sent = FrameTime(&pilot);
    WsDo(WsAsk(&pilot, "{\"type\": \"pilot\", \"seq\": 7, \"axes\": [1, 0, 0, 0], \"hold\": true"));
    WS_UNTIL(&pilot, FrameWord(&pilot, 20) == 7);
    assert_true(FrameTime(&pilot) >= sent + 0.9);
    WsDo(WsAsk(&teacher, "{\"type\": \"fault\", \"kind\": \"command_delay\", \"value\": 0"));
    // the instructor takes the vehicle, and gives it back
    WsDo(WsAsk(&teacher, "{\"type\": \"take\", \"control\": \"vehicle\""));
    Refused(WsAsk(&pilot, "{\"type\": \"pilot\", \"seq\": 8, \"axes\": [1, 0, 0, 0]"),
            "Eve: the instructor has the vehicle");
    WsDo(WsAsk(&teacher, "{\"type\": \"pilot\", \"seq\": 9, \"axes\": [0, 0, 0, 1], \"hold\": true"));
    WS_UNTIL(&pilot, VehicleFloat(&pilot, 140) > 0.9); // yaw
    WsDo(WsAsk(&teacher, "{\"type\": \"give\", \"control\": \"vehicle\""));
    WsDo(WsAsk(&pilot, "{\"type\": \"pilot\", \"seq\": 10, \"axes\": [0, 0, 0, 0]"));
    // no comms: only the instructor is heard
    WsDo(WsAsk(&pilot, "{\"type\": \"say\", \"text\": \"five metres please\""));
    WS_UNTIL(&teacher, teacher.said != NULL);
    assert_string_equal(WsString(teacher.said, "text"), "five metres please");
    WsDo(WsAsk(&teacher, "{\"type\": \"comms\", \"on\": false"));
    Refused(WsAsk(&pilot, "{\"type\": \"say\", \"text\": \"hello\""), "no comms");
    WsDo(WsAsk(&teacher, "{\"type\": \"say\", \"text\": \"surface\""));
    WS_UNTIL(&pilot, pilot.said != NULL && strcmp(WsString(pilot.said, "text"), "surface") == 0);
    WsDo(WsAsk(&pilot, "{\"type\": \"stop\""));
    WS_UNTIL(&pilot, pilot.ended != NULL);
    char wanted[24], events[4000];
    snprintf(wanted, sizeof(wanted), "0x%016llx",
             (unsigned long long)ReplayHash(flight, events, sizeof(events)));
    assert_string_equal(WsString(pilot.ended, "hash"), wanted);
    assert_null(strstr(events, "camera")); // cut with what came after
    assert_non_null(strstr(events, "\"kind\":\"thruster\""));
    assert_non_null(strstr(events, "\"type\":\"visibility\""));
    assert_non_null(strstr(events, "too fast"));
    WsClose(&teacher);
    WsClose(&pilot);
}

// In a lesson water and faults are the instructor's alone, and the recording says that time went back.
static void test_LessonsAreNotMadeEasier(void** state) {
    (void)state;
    Ws pilot, teacher;
    char flight[64], events[4000];
    Connect(&pilot, "Ada", NULL);
    json_t* reply = WsGood(WsAsk(&pilot, "{\"type\": \"start\", \"options\": {\"scene\": \"first_flight\"}"));
    snprintf(flight, sizeof(flight), "%s", WsString(reply, "flight"));
    json_decref(reply);
    WS_UNTIL(&pilot, FrameTime(&pilot) > 1.0);
    Refused(WsAsk(&pilot, "{\"type\": \"current\", \"speed\": 0, \"direction_deg\": 0"),
            "only an instructor");
    Connect(&teacher, "Eve", INSTRUCTOR);
    WsDo(WsAsk(&teacher, "{\"type\": \"join\", \"flight\": \"%s\", \"role\": \"instructor\"", flight));
    WsDo(WsAsk(&teacher, "{\"type\": \"current\", \"speed\": 0.1, \"direction_deg\": 0"));
    WsDo(WsAsk(&teacher, "{\"type\": \"visibility\", \"value\": 2"));
    double before = FrameTime(&pilot);
    WsDo(WsAsk(&teacher, "{\"type\": \"seek\", \"time\": 0.5"));
    WS_UNTIL(&pilot, FrameTime(&pilot) < before);
    WsDo(WsAsk(&teacher, "{\"type\": \"pause\", \"paused\": false"));
    WS_UNTIL(&pilot, FrameTime(&pilot) > 0.8);
    WsDo(WsAsk(&pilot, "{\"type\": \"stop\""));
    WS_UNTIL(&pilot, pilot.ended != NULL);
    ReplayHash(flight, events, sizeof(events));
    assert_non_null(strstr(events, "\"type\":\"rewind\""));
    WsClose(&teacher);
    WsClose(&pilot);
}

// Where a lesson is about minding the tether, there is no handler who does it for the pilot, not even when one has left.
static void test_TethersToBeMindedByHandAreMindedByHand(void** state) {
    (void)state;
    Ws pilot, handler;
    char flight[64], link[64];
    Connect(&pilot, "Ada", NULL);
    json_t* reply =
        WsGood(WsAsk(&pilot, "{\"type\": \"start\", \"options\": {\"scene\": \"slack_discipline\"}"));
    snprintf(flight, sizeof(flight), "%s", WsString(reply, "flight"));
    json_decref(reply);
    WS_UNTIL(&pilot, FrameTime(&pilot) > 0.3);
    Refused(WsAsk(&pilot, "{\"type\": \"tether\", \"action\": \"auto\""), "no handler");
    Invite(&pilot, "handler", link);
    Connect(&handler, "Bo", NULL);
    WsDo(WsAsk(&handler, "{\"type\": \"join\", \"flight\": \"%s\", \"role\": \"handler\", \"secret\": \"%s\"",
               flight, link));
    double out = Out(&pilot);
    WsDo(WsAsk(&handler, "{\"type\": \"tether\", \"action\": \"pay_out\", \"rate\": 1"));
    WS_UNTIL(&pilot, Out(&pilot) > out + 0.3);
    WsClose(&handler);
    WS_UNTIL(&pilot, json_array_size(json_object_get(pilot.crew, "members")) == 1);
    double time = FrameTime(&pilot);
    WS_UNTIL(&pilot, FrameTime(&pilot) > time + 1.5); // it comes to rest
    out = Out(&pilot);
    WS_UNTIL(&pilot, FrameTime(&pilot) > time + 2.5);
    assert_close(Out(&pilot), out, 0.01);
    WsClose(&pilot);
}

static int SetUp(void** state) {
    (void)state;
    RemoveFlights();
    g_host.def = hwDefaultWebServerDef();
    g_host.def.instructor = INSTRUCTOR;
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
        cmocka_unit_test(test_HandlerJoinsByLinkAndHasTheTether),
        cmocka_unit_test(test_SeatsAreHandedOver),
        cmocka_unit_test(test_InstructorTeachesAndTheRecordingHoldsIt),
        cmocka_unit_test(test_LessonsAreNotMadeEasier),
        cmocka_unit_test(test_TethersToBeMindedByHandAreMindedByHand),
        cmocka_unit_test(test_TheClassHasTheNamesOfTheLogbook),
    };
    return cmocka_run_group_tests(tests, SetUp, TearDown);
}
