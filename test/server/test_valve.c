// A valve turned and a hot stab plugged in by hand: with the messages that the page makes of keys and of a gamepad's sticks, in the
// scene that it offers, the vehicle afloat and keeping station. The hand is a person's: it looks where things are, moves, waits
// until the vehicle has come to rest, and corrects.
#define _GNU_SOURCE
#define FOLDER HAWSER_BINARY_DIR "/test/valve_flights"
#include "host.h"

#include <math.h>
#include <time.h>

// What the pilot sees, as channels.
enum { TIP_X, TIP_Y, TIP_Z, STAB_X, STAB_Y, STAB_Z, STAB_PITCH, STAB_YAW, VALVE, FINGER, ROV_X, CHANNELS };

#define TIP_SPEED 0.25 // m/s at full rate
#define TURN_SPEED 0.5 // rad/s
#define LONGEST 0.9    // s: the server stops what it has not heard of for a second
#define REST 2.0       // s in which the vehicle comes to rest

// The scene's places: the parked stab's middle, its end, the holes' mouths, the valve's handle.
#define STAB_HALF 0.17
#define MOUTH 4.25
#define HEIGHT -99.8
#define PARKED 0.1   // y
#define PLUGGED -0.2 // y

static double Look(const Ws* ws, int channel) {
    size_t length = 0, at = FrameSection(ws, 6, &length);
    assert_true(at != 0 && length == 4 * CHANNELS);
    return FrameFloat(ws, at + 4 * (size_t)channel);
}

static void Pass(Ws* ws, double seconds) {
    seconds = ceil(60.0 * seconds - 1e-6) / 60.0; // whole steps
    double end = FrameTime(ws) + seconds;
    // a move is two messages, of which the server takes 30 a second (docs/protocol.md); a fast machine would send more
    nanosleep(&(struct timespec){.tv_nsec = 72000000}, NULL);
    WsDo(WsAsk(ws, "{\"type\": \"step\", \"seconds\": %.9f", seconds));
    WS_UNTIL(ws, FrameTime(ws) > end - 0.001);
}

// What the page sends while the tip is moved (x ahead, y to port, z up), turned about these axes, or the jaw moves.
static void Move(Ws* ws, const double rates[6], double jaw, double seconds) {
    WsDo(WsAsk(ws,
               "{\"type\": \"manipulate\", \"arm\": 0, \"tool\": [%.2f, %.2f, %.2f, %.2f, %.2f, %.2f], "
               "\"jaw\": %g",
               rates[0], rates[1], rates[2], rates[3], rates[4], rates[5], jaw));
    Pass(ws, seconds);
}

static void Rest(Ws* ws) {
    Move(ws, (double[6]){0}, 0.0, REST);
}

static void Jaw(Ws* ws, double rate) {
    for (int i = 0; i < 3; ++i) Move(ws, (double[6]){0}, rate, LONGEST);
    Rest(ws);
}

static double Clamp(double value, double most) {
    return fmax(-most, fmin(most, value));
}

// With a gamepad: all axes at once, sticks as far over as the way that is left asks for, up to `most`.
static void MoveBySticks(Ws* ws, hwVec3 to, double most, double within) {
    for (int round = 0; round < 16; ++round) {
        const double left[3] = {to.x - Look(ws, TIP_X), to.y - Look(ws, TIP_Y), to.z - Look(ws, TIP_Z)};
        double way = fmax(fabs(left[0]), fmax(fabs(left[1]), fabs(left[2]))), rates[6] = {0};
        if (way < within) return;
        double seconds = fmin(LONGEST, fmax(0.2, way / (most * TIP_SPEED)));
        for (int k = 0; k < 3; ++k) rates[k] = Clamp(left[k] / (TIP_SPEED * seconds), most);
        Move(ws, rates, 0.0, seconds);
        if (seconds < LONGEST) Rest(ws);
    }
    fail_msg("the tip is at %g, %g, %g", Look(ws, TIP_X), Look(ws, TIP_Y), Look(ws, TIP_Z));
}

// With keys: full rates, one axis after the other, held for whole twentieths of a second.
static void MoveByKeys(Ws* ws, hwVec3 to, double within) {
    const double place[3] = {to.x, to.y, to.z};
    for (int round = 0; round < 8; ++round) {
        bool there = true;
        for (int k = 0; k < 3; ++k) {
            double left = place[k] - Look(ws, TIP_X + k), rates[6] = {0};
            if (fabs(left) < within) continue;
            there = false;
            rates[k] = left > 0.0 ? 1.0 : -1.0;
            Move(ws, rates, 0.0, fmin(LONGEST, fmax(0.05, 0.05 * floor(20.0 * fabs(left) / TIP_SPEED))));
            Rest(ws);
        }
        if (there) return;
    }
    fail_msg("the tip is at %g, %g, %g", Look(ws, TIP_X), Look(ws, TIP_Y), Look(ws, TIP_Z));
}

// The hand turned until what it holds points straight ahead.
static void Straighten(Ws* ws) {
    for (int round = 0; round < 8; ++round) {
        double pitch = -Look(ws, STAB_PITCH), yaw = -Look(ws, STAB_YAW);
        if (fmax(fabs(pitch), fabs(yaw)) < 0.01) return;
        double seconds = 0.3;
        Move(ws,
             (double[6]){0, 0, 0, 0, Clamp(pitch / (TURN_SPEED * seconds), 0.5),
                         Clamp(yaw / (TURN_SPEED * seconds), 0.5)},
             0.0, seconds);
        Rest(ws);
    }
    fail_msg("the stab points %g, %g off", Look(ws, STAB_PITCH), Look(ws, STAB_YAW));
}

// Where the tip must be for the middle of the stab to be at a place.
static hwVec3 TipFor(const Ws* ws, double x, double y, double z) {
    return hwMakeVec3(x + Look(ws, TIP_X) - Look(ws, STAB_X), y + Look(ws, TIP_Y) - Look(ws, STAB_Y),
                      z + Look(ws, TIP_Z) - Look(ws, STAB_Z));
}

static void StartFlight(Host* host, Ws* ws) {
    StartHost(host);
    WsOpen(ws, host->port, NULL, NULL, NULL);
    WsDo(WsAsk(ws, "{\"type\": \"hello\", \"version\": 1"));
    WsDo(WsAsk(ws, "{\"type\": \"start\", \"options\": {\"scene\": \"valve_panel\"}"));
    WS_UNTIL(ws, ws->scene != NULL && ws->frames > 1);
    WsPause(ws);
    WsDo(WsAsk(ws, "{\"type\": \"plot\", \"channels\": [\"rov.arm.tool.position.x\", "
                   "\"rov.arm.tool.position.y\", \"rov.arm.tool.position.z\", \"stab.position.x\", "
                   "\"stab.position.y\", \"stab.position.z\", \"stab.attitude.pitch\", "
                   "\"stab.attitude.yaw\", \"valve.handle.q\", \"rov.arm.left.q\", \"rov.position.x\"]"));
    Pass(ws, 8.0);
}

// Nearer to the panel: in station keeping the stick moves the place that is held.
static void FlyAhead(Ws* ws) {
    for (int i = 0; i < 20 && Look(ws, ROV_X) < 1.1; ++i) {
        WsSendText(ws, "{\"type\": \"pilot\", \"seq\": 1, \"axes\": [0.4, 0, 0, 0]}");
        Pass(ws, 0.4);
    }
    WsSendText(ws, "{\"type\": \"pilot\", \"seq\": 2, \"axes\": [0, 0, 0, 0]}");
    Pass(ws, 6.0);
    assert_true(Look(ws, ROV_X) > 1.1);
}

static void StabIsPluggedInByGamepad(Ws* ws) {
    double end = Look(ws, STAB_X) - STAB_HALF;
    MoveBySticks(ws, hwMakeVec3(end - 0.12, PARKED, HEIGHT), 0.6, 0.02);
    MoveBySticks(ws, hwMakeVec3(end - 0.04, PARKED, HEIGHT), 0.2, 0.01);
    MoveBySticks(ws, hwMakeVec3(end + 0.06, PARKED, HEIGHT), 0.3, 0.015);
    Jaw(ws, -1.0);
    assert_close(Look(ws, FINGER), 0.02, 2e-3); // half of the stab's 40 mm
    MoveBySticks(ws, TipFor(ws, MOUTH - STAB_HALF - 0.1, PARKED, HEIGHT), 0.3, 0.015);
    MoveBySticks(ws, TipFor(ws, MOUTH - STAB_HALF - 0.1, PLUGGED, HEIGHT), 0.4, 0.02);
    Straighten(ws);
    MoveBySticks(ws, TipFor(ws, MOUTH - STAB_HALF - 0.03, PLUGGED, HEIGHT), 0.2, 0.006);
    MoveBySticks(ws, TipFor(ws, MOUTH - STAB_HALF + 0.07, PLUGGED, HEIGHT), 0.3, 0.012);
    double in = Look(ws, STAB_X) + STAB_HALF - MOUTH;
    if (!(in > 0.05)) fail_msg("the stab is %g m inside", in);
    Jaw(ws, 1.0);
    MoveBySticks(ws, hwMakeVec3(Look(ws, TIP_X) - 0.3, Look(ws, TIP_Y), Look(ws, TIP_Z)), 0.4, 0.03);
    in = Look(ws, STAB_X) + STAB_HALF - MOUTH;
    if (!(in > 0.04)) fail_msg("the stab is %g m inside when the jaw has let go", in);
    assert_close(Look(ws, STAB_Y), PLUGGED, 0.01);
    assert_close(Look(ws, STAB_Z), HEIGHT, 0.01);
}

static void ValveIsTurnedByKeys(Ws* ws) {
    const hwVec3 handle = {4.14, -0.45, -100.1};
    assert_close(Look(ws, VALVE), 0.0, 1e-3);
    MoveByKeys(ws, hwMakeVec3(handle.x - 0.34, handle.y, handle.z), 0.03);
    MoveByKeys(ws, hwMakeVec3(handle.x - 0.14, handle.y, handle.z), 0.02);
    MoveByKeys(ws, handle, 0.02);
    Jaw(ws, -1.0);
    assert_close(Look(ws, FINGER), 0.015, 2e-3); // half of the handle's 30 mm
    for (int i = 0; i < 7; ++i) Move(ws, (double[6]){0, 0, 0, 1, 0, 0}, 0.0, LONGEST);
    assert_close(Look(ws, VALVE), 1.5708, 0.05); // at its stop
    Jaw(ws, 1.0);
    MoveByKeys(ws, hwMakeVec3(handle.x - 0.34, handle.y, handle.z), 0.03);
    assert_close(Look(ws, VALVE), 1.5708, 0.05);
}

static void PanelIsWorkedByHand(void** state) {
    (void)state;
    Host host = {.def = hwDefaultWebServerDef()};
    Ws ws;
    StartFlight(&host, &ws);
    FlyAhead(&ws);
    StabIsPluggedInByGamepad(&ws);
    ValveIsTurnedByKeys(&ws);
    WsClose(&ws);
    StopHost(&host);
    RemoveFlights();
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(PanelIsWorkedByHand)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
