// The trainer with connectors: an autopilot at the other end of ArduPilot's interface flies what the page shows.
#define _GNU_SOURCE
#define FOLDER HAWSER_BINARY_DIR "/test/connect_flights"
#include "host.h"

#include "connect/ardupilot.h"
#include "hawser/scene.h"

#include <sys/socket.h>

static int Connect(void* context, const hwScene* scene, const hwWorld* world, hwConnector** connectors,
                   hwError* error) {
    (void)scene;
    hwArduPilotDef def = {.follow = true};
    hwUdpAddress* at = context;
    hwWorld_GetVehicles(world, 1, &def.vehicle);
    def.listen = *at;
    connectors[0] = hwCreateArduPilot(world, &def, error);
    return connectors[0] != NULL ? 1 : -1;
}

static void Put(unsigned char* data, unsigned value) {
    data[0] = (unsigned char)(value & 0xff);
    data[1] = (unsigned char)(value >> 8);
}

typedef struct Peer {
    int socket;
    hwUdpAddress server;
    uint32_t frame;
    double rollRate; // rad/s, as last answered
} Peer;

// Sends pulses and waits for the answer; the time in it, or -1.
static double Exchange(Peer* peer, const uint16_t pulses[8], double* down) {
    unsigned char data[40] = {0};
    char text[2048];
    hwUdpAddress from;
    Put(data, 18458);
    Put(data + 2, 400);
    peer->frame += 1;
    Put(data + 4, peer->frame & 0xffff);
    Put(data + 6, peer->frame >> 16);
    for (int i = 0; i < 8; ++i) Put(data + 8 + 2 * i, pulses[i]);
    assert_true(hwUdp_Send(peer->socket, data, sizeof(data), &peer->server));
    for (int tries = 0; tries < 100; ++tries) {
        hwUdp_Wait(peer->socket, 0.1);
        long size = hwUdp_Receive(peer->socket, text, sizeof(text) - 1, &from);
        if (size < 0) continue;
        text[size] = 0;
        const char* time = strstr(text, "\"timestamp\":");
        const char* place = strstr(text, "\"position\":[");
        assert_non_null(time);
        assert_non_null(place);
        double x, y;
        assert_int_equal(sscanf(place + 12, "%lf,%lf,%lf", &x, &y, down), 3);
        const char* gyro = strstr(text, "\"gyro\":[");
        assert_non_null(gyro);
        assert_int_equal(sscanf(gyro + 8, "%lf", &peer->rollRate), 1);
        return atof(time + 12);
    }
    return -1.0;
}

// A trainer with the interface and a flight in open water begun.
static void Begin(Host* host, Peer* peer, Ws* ws, hwUdpAddress* at, const char* options) {
    hwError error;
    // a port that is free now
    hwUdpAddress own;
    assert_true(hwUdpAddress_Parse(at, "1", "test", &error));
    at->at.four.sin_port = 0;
    own = *at;
    int probe = hwUdp_Open(at, &error);
    assert_true(probe >= 0);
    close(probe);
    peer->server = *at;
    peer->socket = hwUdp_Open(&own, &error);
    host->def.connect = Connect;
    host->def.connectContext = at;
    StartHost(host);
    WsOpen(ws, host->port, NULL, NULL, NULL);
    WsDo(WsAsk(ws, "{\"type\": \"hello\", \"version\": 1"));
    WsDo(WsAsk(ws, options));
}

static void End(Host* host, Peer* peer, Ws* ws) {
    WsClose(ws);
    StopHost(host);
    close(peer->socket);
    RemoveFlights();
}

static const char g_start[] =
    "{\"type\": \"start\", \"options\": {\"surroundings\": \"open_water\", \"tether\": null}";

static void test_AutopilotFliesWhatThePageShows(void** state) {
    (void)state;
    Host host = {.def = hwDefaultWebServerDef()};
    Peer peer = {0};
    hwUdpAddress at;
    Ws ws;
    Begin(&host, &peer, &ws, &at, g_start);
    // all four vertical thrusters down: 5 to 8 push down when the pulse grows
    static const uint16_t rest[8] = {1500, 1500, 1500, 1500, 1500, 1500, 1500, 1500};
    static const uint16_t dive[8] = {1500, 1500, 1500, 1500, 1800, 1800, 1800, 1800};
    double down = 0.0, before = 0.0;
    double start = Exchange(&peer, rest, &before), time = start, last = start;
    assert_true(start >= 0.0);
    int exchanges = 0, brief = 0;
    while (time < start + 3.0) {
        time = Exchange(&peer, dive, &down);
        assert_true(time >= last);
        exchanges += 1;
        brief += time - last < 0.006;
        last = time;
    }
    assert_true(down > before + 0.5);
    // at 400 Hz, with what does not divide a step of 1/60 s once a step; a machine that is busy elsewhere for longer than a
    // step waits makes some longer
    assert_true(exchanges > 600);
    assert_true(brief > 0.8 * exchanges);
    End(&host, &peer, &ws);
}

// ArduSub's loops of the angular rates go unstable with a delay of a sixtieth of a second: with `connectPace` the rates that it gets are
// those of finer steps. Between steps they stay the same, so that they change as often as steps are taken.
static void test_FineStepsForFastLoops(void** state) {
    (void)state;
    Host host = {.def = hwDefaultWebServerDef()};
    Peer peer = {0};
    hwUdpAddress at;
    Ws ws;
    host.def.connectPace = 4;
    Begin(&host, &peer, &ws, &at, g_start);
    // rolls by two thrusters against two
    static const uint16_t roll[8] = {1500, 1500, 1500, 1500, 1700, 1300, 1700, 1300};
    double down, start = Exchange(&peer, roll, &down), time = start, last = peer.rollRate;
    int changes = 0;
    while (time < start + 2.0) {
        time = Exchange(&peer, roll, &down);
        assert_true(time >= 0.0);
        changes += peer.rollRate != last;
        last = peer.rollRate;
    }
    assert_true(fabs(peer.rollRate) > 0.2);
    // 240 a second, 60 without; some are lost where the peer comes later than a step waits
    if (changes < 360) fail_msg("%d changes in 2 s", changes);
    End(&host, &peer, &ws);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_AutopilotFliesWhatThePageShows),
                                       cmocka_unit_test(test_FineStepsForFastLoops)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
