// Many, slow and abandoned connections from one machine: what they cost the pilot who flies meanwhile. Bounded in count and
// time; judged by the numbers of the pilot's frames, not by clocks: a frame that the session made and the server was too
// busy to send leaves a gap in them, and a machine that is busy elsewhere makes all of them later but leaves none.
#define _GNU_SOURCE
#define FOLDER HAWSER_BINARY_DIR "/test/load_flights"
#include "host.h"

#include <sys/resource.h>

#define HALF_OPEN 600
// Frames that may be lost in a row. They come 30 a second; the fault this test is about lost 90 and more.
#define MOST_LOST 30

static Host g_host;

static void Greet(Ws* ws) {
    WsOpen(ws, g_host.port, NULL, NULL, NULL);
    assert_int_equal(ws->status, 101);
    WsDo(WsAsk(ws, "{\"type\": \"hello\", \"version\": 1"));
}

static void Fly(Ws* ws) {
    WsDo(WsAsk(ws, "{\"type\": \"start\", \"options\": {\"surroundings\": \"round_pool\", \"tether\": null, "
                   "\"record\": false}"));
}

typedef struct Gaps {
    uint32_t last, largest;
    int frames;
} Gaps;

// Takes what has come for the pilot, message by message.
static void Gaps_Follow(Gaps* gaps, Ws* ws, double seconds) {
    double until = WsClock() + seconds;
    do {
        int opcode = WsReceive(ws, until - WsClock());
        assert_true(opcode != WS_GONE && opcode != WS_CLOSE);
        if (opcode != WS_BINARY) continue;
        uint32_t number;
        memcpy(&number, ws->data + 16, sizeof(number));
        if (gaps->frames > 0 && number - gaps->last - 1 > gaps->largest)
            gaps->largest = number - gaps->last - 1;
        gaps->last = number;
        gaps->frames += 1;
    } while (WsClock() < until);
}

static void Gaps_Check(const Gaps* gaps, const char* under) {
    if (gaps->largest > MOST_LOST) fail_msg("%u frames in a row were lost under %s", gaps->largest, under);
    assert_true(gaps->frames > 10);
}

// Loopback without waiting for the server: the system takes the connection, or does not.
static int ConnectQuietly(void) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)g_host.port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(fd, (struct sockaddr*)&address, sizeof(address)) != 0 && errno != EINPROGRESS) {
        close(fd);
        return -1;
    }
    return fd;
}

static void test_HalfOpenConnectionsCostNoFramesAndLockNobodyOut(void** state) {
    (void)state;
    static int fds[HALF_OPEN];
    static const char beginning[] = "GET /ws HTTP/1.1\r\nHost: localhost\r\nX-Slow: ";
    Ws pilot, other;
    Gaps gaps = {0};
    Greet(&pilot);
    Fly(&pilot);
    for (int i = 0; i < HALF_OPEN; ++i) {
        fds[i] = ConnectQuietly();
        assert_true(fds[i] >= 0);
        // half say nothing, half begin a request
        if (i % 2 == 1) send(fds[i], beginning, strlen(beginning), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (i % 20 == 0) Gaps_Follow(&gaps, &pilot, 0.02);
    }
    // while all of them are there, somebody else comes, and flies
    Greet(&other);
    Fly(&other);
    // slow ones: a byte each, again and again
    for (int round = 0; round < 40; ++round) {
        for (int i = 1; i < HALF_OPEN; i += 2) send(fds[i], "x", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
        Gaps_Follow(&gaps, &pilot, 0.05);
    }
    Gaps_Check(&gaps, "half-open connections");
    WsDo(WsAsk(&other, "{\"type\": \"stop\""));
    for (int i = 0; i < HALF_OPEN; ++i) close(fds[i]);
    WsClose(&other);
    WsClose(&pilot);
}

// More connections than the server keeps: those that do nothing give way after a while, and are refused by a status before.
static void test_IdleWebSocketsGiveWay(void** state) {
    (void)state;
    enum { MOST = 64 };
    static Ws idle[MOST];
    Ws pilot, other;
    Greet(&pilot);
    Fly(&pilot);
    for (int i = 0; i < MOST - 1; ++i) Greet(&idle[i]);
    WsOpen(&other, g_host.port, NULL, NULL, NULL);
    assert_int_equal(other.status, 503);
    WsClose(&other);
    double start = WsClock();
    do {
        WsPump(&pilot, 0.5, 0);
        WsOpen(&other, g_host.port, NULL, NULL, NULL);
        if (other.status == 101) break;
        assert_int_equal(other.status, 503);
        WsClose(&other);
    } while (WsClock() - start < 60.0);
    assert_int_equal(other.status, 101);
    WsDo(WsAsk(&other, "{\"type\": \"hello\", \"version\": 1"));
    // not the one that flies
    WsDo(WsAsk(&pilot, "{\"type\": \"ping\", \"t\": 1"));
    for (int i = 0; i < MOST - 1; ++i) WsClose(&idle[i]);
    WsClose(&other);
    WsClose(&pilot);
}

// Flights begun and stopped, begun and abandoned, again and again.
static void test_StartAndStopChurnCostsNoFrames(void** state) {
    (void)state;
    enum { CHURNERS = 6 };
    static Ws churners[CHURNERS];
    Ws pilot;
    Gaps gaps = {0};
    Greet(&pilot);
    Fly(&pilot);
    for (int round = 0; round < 6; ++round) {
        for (int i = 0; i < CHURNERS; ++i) {
            Greet(&churners[i]);
            WsSendText(&churners[i],
                       "{\"type\": \"start\", \"options\": {\"surroundings\": \"complex_area\"}}");
            if (i % 2 == 0) WsSendText(&churners[i], "{\"type\": \"stop\"}");
            Gaps_Follow(&gaps, &pilot, 0.05);
        }
        // gone without a word, most of them before their flight is ready
        for (int i = 0; i < CHURNERS; ++i) WsClose(&churners[i]);
        Gaps_Follow(&gaps, &pilot, 0.2);
    }
    Gaps_Check(&gaps, "start and stop churn");
    // none of them holds a place: 36 were begun where 16 are allowed
    Ws other;
    Greet(&other);
    Fly(&other);
    WsClose(&other);
    WsClose(&pilot);
}

// A flight whose pilot is gone keeps its place for a while, then gives it to whoever wants to fly.
static void test_AbandonedFlightsGiveWay(void** state) {
    (void)state;
    Host host = {.def = hwDefaultWebServerDef()};
    assert_close(host.def.seatTime, 15.0, 0.0);
    host.def.maxFlights = 2;
    host.def.seatTime = 1.0;
    StartHost(&host);
    Ws lost[2], other, pilot;
    char flight[64], secret[64];
    WsOpen(&pilot, host.port, NULL, NULL, NULL);
    WsDo(WsAsk(&pilot, "{\"type\": \"hello\", \"version\": 1"));
    WsOpen(&lost[0], host.port, NULL, NULL, NULL);
    WsDo(WsAsk(&lost[0], "{\"type\": \"hello\", \"version\": 1"));
    Fly(&pilot);
    json_t* reply =
        WsGood(WsAsk(&lost[0], "{\"type\": \"start\", \"options\": {\"surroundings\": \"round_pool\"}"));
    snprintf(flight, sizeof(flight), "%s", WsString(reply, "flight"));
    snprintf(secret, sizeof(secret), "%s", WsString(reply, "secret"));
    json_decref(reply);
    WsOpen(&other, host.port, NULL, NULL, NULL);
    WsDo(WsAsk(&other, "{\"type\": \"hello\", \"version\": 1"));
    // with its pilot there it has its place as long as it likes
    for (int i = 0; i < 12; ++i) WsPump(&lost[0], 0.1, 0);
    assert_true(WsIsError(WsAsk(&other, "{\"type\": \"start\""), "busy"));
    WsClose(&lost[0]);
    double start = WsClock();
    bool flies = false;
    for (int i = 0; i < 30 && !flies; ++i) {
        reply = WsAsk(&other, "{\"type\": \"start\", \"options\": {\"surroundings\": \"round_pool\"}");
        flies = strcmp(WsString(reply, "type"), "reply") == 0;
        if (!flies)
            assert_true(strcmp(WsString(reply, "code"), "busy") == 0 ||
                        strcmp(WsString(reply, "code"), "rate") == 0);
        json_decref(reply);
        WsPump(&pilot, 0.5, 0);
    }
    assert_true(flies);
    assert_true(WsClock() - start > 0.9);
    assert_null(pilot.ended);
    // the one that gave way cannot be resumed
    WsOpen(&lost[1], host.port, NULL, NULL, NULL);
    reply = WsGood(WsAsk(&lost[1],
                         "{\"type\": \"hello\", \"version\": 1, \"resume\": {\"flight\": \"%s\", "
                         "\"secret\": \"%s\"}",
                         flight, secret));
    assert_false(json_is_true(json_object_get(reply, "resumed")));
    json_decref(reply);
    WsClose(&lost[1]);
    WsClose(&other);
    WsClose(&pilot);
    StopHost(&host);
}

static int SetUp(void** state) {
    (void)state;
    signal(SIGPIPE, SIG_IGN);
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    if (files.rlim_cur < 4096) files.rlim_cur = files.rlim_max < 4096 ? files.rlim_max : 4096;
    setrlimit(RLIMIT_NOFILE, &files);
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
        cmocka_unit_test(test_HalfOpenConnectionsCostNoFramesAndLockNobodyOut),
        cmocka_unit_test(test_IdleWebSocketsGiveWay),
        cmocka_unit_test(test_StartAndStopChurnCostsNoFrames),
        cmocka_unit_test(test_AbandonedFlightsGiveWay),
    };
    return cmocka_run_group_tests(tests, SetUp, TearDown);
}
