// The mirror of a real vehicle: telemetry by UDP, logs and tracks; gaps, jumps, damage; the tether follows.
#define _POSIX_C_SOURCE 200809L
#include "connect/mirror.h"
#include "connect/telemetry.h"
#include "connect/tlog.h"
#include "hawser/hawser.h"
#include "hawser/scene.h"

#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define STEP (1.0 / 60.0)

typedef struct Rig {
    hwScene* scene;
    hwWorld* world;
    hwConnector* mirror;
    double clock;
} Rig;

static const char g_scene[] =
    "hawser: 1\nduration: 100\nenvironment: {water: {}, seabed: {depth: 60}}\n"
    "vehicles: [{name: rov, model: bluerov2_heavy, position: [0, 0, -5]}]\n"
    "cables:\n  - {name: tether, sections: [{length: 30, elements: 15, diameter: 0.0076, density: 1025, EA: "
    "1.2e5, EI: 0.05, "
    "damping: {axial: 300}}], ends: {a: {on: earth, at: [0, 0, 0]}, b: {on: rov, at: tether}}}\n"
    "winches: [{name: drum, cable: tether, end: a, mode: velocity, setpoint: 0, longest: 90}]\n";

static Rig MakeRig(const char* source) {
    Rig rig = {.clock = 100.0};
    hwError error;
    rig.scene = hwParseScene(g_scene, strlen(g_scene), "test", NULL, &error);
    if (rig.scene == NULL) fail_msg("%d: %s", error.line, error.message);
    rig.world = hwScene_CreateWorld(rig.scene, NULL, &error);
    if (rig.world == NULL) fail_msg("%d: %s", error.line, error.message);
    hwMirrorDef def = {.hasOrigin = true, .latitude = 60.0, .longitude = 10.0};
    if (!hwMirrorDef_Parse(&def, source, &error)) fail_msg("%s", error.message);
    if (def.path == NULL) def.listen.at.four.sin_port = 0; // a free one
    hwWorld_GetVehicles(rig.world, 1, &def.vehicle);
    rig.mirror = hwCreateMirror(rig.world, &def, &error);
    if (rig.mirror == NULL) fail_msg("%s", error.message);
    return rig;
}

static void FreeRig(Rig* rig) {
    rig->mirror->type->destroy(rig->mirror);
    hwDestroyWorld(rig->world);
    hwDestroyScene(rig->scene);
}

static bool SetInput(void* context, int input, double value) {
    return hwWorld_SetInput(context, input, value, NULL) == HW_OK;
}

static void Run(Rig* rig, double seconds) {
    hwError error;
    for (int i = 0; i < (int)(seconds / STEP + 0.5); ++i) {
        if (hwWorld_Step(rig->world, STEP, &error) < HW_OK) fail_msg("%s", error.message);
        rig->clock += STEP;
        hwConnection connection = {
            .world = rig->world, .clock = rig->clock, .setInput = SetInput, .context = rig->world};
        rig->mirror->type->update(rig->mirror, &connection);
    }
}

static double Read(const Rig* rig, const char* channel) {
    int index = hwWorld_FindChannel(rig->world, channel);
    if (index < 0) fail_msg("no channel %s", channel);
    return hwWorld_ReadChannel(rig->world, index);
}

// Frames of a vehicle ------------------------------------------------------------------------------------------------------

static size_t WriteAttitude(unsigned char* data, double roll, double pitch, double yaw) {
    hwMavFrame frame = {.message = HW_MAV_ATTITUDE, .system = 1, .component = 1};
    hwMav_PutFloat(&frame, 4, roll);
    hwMav_PutFloat(&frame, 8, pitch);
    hwMav_PutFloat(&frame, 12, yaw);
    return hwMav_Write(&frame, data);
}

static size_t WritePlace(unsigned char* data, hwVec3 ned, hwVec3 velocity) {
    hwMavFrame frame = {.message = HW_MAV_LOCAL_POSITION_NED, .system = 1, .component = 1};
    const double values[6] = {ned.x, ned.y, ned.z, velocity.x, velocity.y, velocity.z};
    for (int i = 0; i < 6; ++i) hwMav_PutFloat(&frame, 4 + 4 * i, values[i]);
    return hwMav_Write(&frame, data);
}

static size_t WriteNamed(unsigned char* data, const char* name, double value) {
    hwMavFrame frame = {.message = HW_MAV_NAMED_VALUE_FLOAT, .system = 1, .component = 1};
    hwMav_PutFloat(&frame, 4, value);
    hwMav_PutText(&frame, 8, 10, name);
    return hwMav_Write(&frame, data);
}

static int OpenSocket(void) {
    hwUdpAddress own;
    hwError error;
    assert_true(hwUdpAddress_Parse(&own, "1", "test", &error));
    own.at.four.sin_port = 0;
    int socket = hwUdp_Open(&own, &error);
    if (socket < 0) fail_msg("%s", error.message);
    return socket;
}

static int FindPort(const Rig* rig) {
    char text[200];
    rig->mirror->type->describe(rig->mirror, text, sizeof(text));
    return atoi(strrchr(text, ':') + 1);
}

static void Send(int socket, int port, const unsigned char* data, size_t size) {
    hwUdpAddress to;
    char text[32];
    snprintf(text, sizeof(text), "%d", port);
    assert_true(hwUdpAddress_Parse(&to, text, "test", NULL));
    assert_true(hwUdp_Send(socket, data, size, &to));
}

// Ten messages a second for `seconds`, of a vehicle that goes north from `x` at 0.4 m/s, 8 m deep, 3 m to the east.
static double Fly(Rig* rig, int socket, int port, double x, double seconds) {
    unsigned char data[2 * HW_MAV_LARGEST];
    for (int i = 0; i < (int)(10.0 * seconds + 0.5); ++i) {
        size_t size = WriteAttitude(data, 0.1, 0.05, 0.7);
        size += WritePlace(data + size, hwMakeVec3(x, 3.0, 8.0), hwMakeVec3(0.4, 0.0, 0.0));
        Send(socket, port, data, size);
        Run(rig, 0.1);
        x += 0.04;
    }
    return x;
}

static void test_TelemetryByUdpDrivesTheVehicle(void** state) {
    (void)state;
    Rig rig = MakeRig("udp:1");
    int port = FindPort(&rig), socket = OpenSocket();
    assert_true(socket >= 0 && port > 0);
    // nothing yet: it floats by itself
    Run(&rig, 0.5);
    assert_true(isnan(Read(&rig, "rov.mirror.age")));
    double x = Fly(&rig, socket, port, 0.0, 8.0);
    // it has caught up by then, at 3 m/s: 0.4 m/s * 0.1 s of age, and what a second-order follower is behind
    assert_close(Read(&rig, "rov.position.x"), x, 0.06);
    assert_close(Read(&rig, "rov.position.y"), -3.0, 0.02);
    assert_close(Read(&rig, "rov.depth"), 8.0, 0.02);
    assert_close(Read(&rig, "rov.heading"), 0.7, 0.01);
    assert_close(Read(&rig, "rov.roll"), 0.1, 0.01);
    assert_close(Read(&rig, "rov.pitch"), 0.05, 0.01);
    assert_close(Read(&rig, "rov.speed"), 0.4, 0.05);
    assert_true(Read(&rig, "rov.mirror.age") < 0.2);
    // the tether is where the real vehicle would have it: its end moves along
    assert_true(Read(&rig, "tether.length") > 29.0);
    // a gap: it goes on for half a second and rests; the age grows
    Run(&rig, 4.0);
    assert_close(Read(&rig, "rov.position.x"), x + 0.4 * 0.5, 0.1);
    assert_close(Read(&rig, "rov.speed"), 0.0, 0.02);
    assert_close(Read(&rig, "rov.mirror.age"), 4.0, 0.21);
    // a jump of 9 m is caught up with, not jumped: at 3.4 m/s
    Fly(&rig, socket, port, x + 9.0, 1.0);
    assert_true(Read(&rig, "rov.position.x") < x + 5.0);
    assert_true(Read(&rig, "rov.speed") < 4.0);
    Fly(&rig, socket, port, x + 9.4, 4.0);
    assert_close(Read(&rig, "rov.position.x"), x + 11.0, 0.1);
    close(socket);
    FreeRig(&rig);
}

static void test_TurnsAndTetherLengthFollow(void** state) {
    (void)state;
    Rig rig = MakeRig("udp:1");
    int port = FindPort(&rig), socket = OpenSocket();
    unsigned char data[HW_MAV_LARGEST];
    double x = Fly(&rig, socket, port, 0.0, 1.0);
    Send(socket, port, data, WriteNamed(data, "TetherTrn", -3.0));
    Send(socket, port, data, WriteNamed(data, "TetherLen", 33.0));
    Fly(&rig, socket, port, x, 9.0);
    assert_close(Read(&rig, "rov.turns"), -3.0, 1.0);
    assert_close(Read(&rig, "tether.length"), 33.0, 0.1);
    close(socket);
    FreeRig(&rig);
}

static void test_DamageIsCountedAndIgnored(void** state) {
    (void)state;
    Rig rig = MakeRig("udp:1");
    int port = FindPort(&rig), socket = OpenSocket();
    double x = Fly(&rig, socket, port, 0.0, 3.0);
    unsigned char data[HW_MAV_LARGEST];
    size_t size = WriteAttitude(data, 0.0, 0.0, 3.0);
    data[14] ^= 0x40; // a wrong byte
    Send(socket, port, data, size);
    size = WriteAttitude(data, 0.0, 0.0, 3.0);
    Send(socket, port, data, size - 3);                   // cut
    Send(socket, port, (const unsigned char*)"hello", 5); // nothing like it
    Send(socket, port, (const unsigned char*)"hello", 5);
    Send(socket, port, data, 0);                                                        // empty
    Send(socket, port, data, WriteAttitude(data, 0.0, (double)NAN, 3.0));               // no number
    Send(socket, port, data, WritePlace(data, hwMakeVec3(1e9, 0.0, 0.0), hwVec3_zero)); // nowhere
    Send(socket, port, data,
         WritePlace(data, hwMakeVec3(1.0, 0.0, 0.0), hwMakeVec3(1e3, 0.0, 0.0))); // too fast
    hwMavFrame other = {.message = HW_MAV_ATTITUDE, .system = 7, .component = 1};
    hwMav_PutFloat(&other, 12, 3.0);
    Send(socket, port, data, hwMav_Write(&other, data)); // of another vehicle
    Fly(&rig, socket, port, x, 1.0);
    assert_close(Read(&rig, "rov.heading"), 0.7, 0.02);
    char text[300];
    rig.mirror->type->report(rig.mirror, text, sizeof(text));
    if (strstr(text, ", 5 malformed") == NULL || strstr(text, "3 implausible") == NULL ||
        strstr(text, "1 of others") == NULL)
        fail_msg("%s", text);
    close(socket);
    FreeRig(&rig);
}

// A log ----------------------------------------------------------------------------------------------------------------------

static void WriteStamp(FILE* file, double time) {
    uint64_t stamp = (uint64_t)(1e6 * time);
    for (int i = 7; i >= 0; --i) fputc((int)(stamp >> 8 * i & 0xff), file);
}

static void WriteLog(const char* path, bool damaged) {
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    double clock = 1.7e9;
    for (int i = 0; i < 120; ++i) {
        unsigned char data[2 * HW_MAV_LARGEST];
        size_t size = WriteAttitude(data, 0.0, 0.0, -1.0);
        if (damaged && i % 20 == 10) data[12] ^= 1;
        WriteStamp(file, clock);
        fwrite(data, 1, size, file);
        size = WritePlace(data, hwMakeVec3(0.05 * i, -2.0, 6.0), hwMakeVec3(0.5, 0.0, 0.0));
        WriteStamp(file, clock + 1e-3);
        fwrite(data, 1, size, file);
        if (damaged && i % 20 == 15) fputs("rubbish", file);
        clock += 0.1;
        if (damaged && i == 60) clock -= 1e6; // its clock was set
    }
    fclose(file);
}

static void test_LogsAreFollowed(void** state) {
    (void)state;
    const char* path = "mirror_test.tlog";
    for (int damaged = 0; damaged < 2; ++damaged) {
        WriteLog(path, damaged == 1);
        Rig rig = MakeRig(path);
        Run(&rig, 10.0);
        // 0.5 m/s for 10 s; by 0.1 s less or more where the clock jumped
        assert_close(Read(&rig, "rov.position.x"), 5.0, damaged ? 0.15 : 0.08);
        assert_close(Read(&rig, "rov.position.y"), 2.0, 0.02);
        assert_close(Read(&rig, "rov.heading"), 2.0 * HW_PI - 1.0, 0.02);
        Run(&rig, 6.0); // beyond its end: it rests, and grows old
        assert_close(Read(&rig, "rov.speed"), 0.0, 0.02);
        assert_true(Read(&rig, "rov.mirror.age") > 3.0);
        char text[300];
        rig.mirror->type->report(rig.mirror, text, sizeof(text));
        assert_non_null(strstr(text, damaged ? ", 12 malformed" : "240 messages to the end, 0 malformed"));
        if (damaged && strstr(text, "234 messages") == NULL) fail_msg("%s", text);
        FreeRig(&rig);
    }
    unlink(path);
}

// Times with a flipped bit, half a second to half an hour ahead or behind, hold nothing up; a true gap is waited for.
static void test_WrongTimesInLogsHoldNothingUp(void** state) {
    (void)state;
    const char* path = "mirror_times.tlog";
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    double clock = 1.7e9;
    int wrong = 0;
    for (int i = 0; i < 240; ++i) {
        static const double off[6] = {0.524288, 134.2, 1800.0, -0.524288, -134.2, -1800.0};
        unsigned char data[2 * HW_MAV_LARGEST];
        size_t size = WritePlace(data, hwMakeVec3(0.025 * i, -2.0, 6.0), hwMakeVec3(0.5, 0.0, 0.0));
        WriteStamp(file, clock + (i % 7 == 0 ? off[i / 7 % 6] : 0.0));
        wrong += i % 7 == 0 && i > 0;
        fwrite(data, 1, size, file);
        clock += i == 121 ? 2.05 : 0.05;
    }
    fclose(file);
    Rig rig = MakeRig(path);
    Run(&rig, 6.0);
    assert_close(Read(&rig, "rov.position.x"), 3.0, 0.1);
    Run(&rig, 2.0); // the gap
    assert_close(Read(&rig, "rov.position.x"), 3.2, 0.15);
    Run(&rig, 5.0);
    assert_close(Read(&rig, "rov.position.x"), 5.5, 0.15);
    Run(&rig, 3.0);
    char text[300], expected[64];
    snprintf(expected, sizeof(expected), "240 messages to the end, %d malformed", wrong);
    rig.mirror->type->report(rig.mirror, text, sizeof(text));
    if (strstr(text, expected) == NULL) fail_msg("%s", text);
    FreeRig(&rig);
    unlink(path);
}

static void test_TracksAreFollowed(void** state) {
    (void)state;
    const char* path = "mirror_test.csv";
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "time,x,y,z,roll,pitch,yaw\n");
    for (int i = 0; i <= 40; ++i)
        fprintf(file, "%g,%g,%g,%g,0,0,%g\n", 50.0 + 0.25 * i, 0.1 * i, 1.0, -7.0, 0.02 * i);
    fclose(file);
    Rig rig = MakeRig(path);
    Run(&rig, 10.0);
    assert_close(Read(&rig, "rov.position.x"), 4.0, 0.1);
    assert_close(Read(&rig, "rov.position.z"), -7.0, 0.02);
    assert_close(Read(&rig, "rov.heading"), 2.0 * HW_PI - 0.8, 0.03);
    FreeRig(&rig);
    unlink(path);
}

// A place on the earth, a depth by itself, an attitude by its quaternion.
static void test_OtherWordsForTheSame(void** state) {
    (void)state;
    hwTelemetry t = hwMakeTelemetry();
    hwMavFrame frame = {.message = HW_MAV_VFR_HUD, .system = 3};
    hwMav_PutFloat(&frame, 8, -12.5);
    hwMav_PutFloat(&frame, 12, 0.2);
    hwTelemetry_Take(&t, &frame, 1.0);
    assert_int_equal(t.system, 3);
    assert_close(t.depth, 12.5, 1e-6);
    assert_true(isinf(t.placed));
    t.hasOrigin = true;
    t.latitude = 60.0;
    t.longitude = 10.0;
    frame = (hwMavFrame){.message = HW_MAV_GLOBAL_POSITION_INT, .system = 3};
    hwMav_PutI32(&frame, 4, 600001000); // 1e-4 degrees north: 11.13 m
    hwMav_PutI32(&frame, 8, 100002000); // 2e-4 degrees east at 60 degrees: 11.13 m
    hwMav_PutI32(&frame, 16, -4000);    // 4 m deep
    hwMav_PutI16(&frame, 22, 50);       // 0.5 m/s east
    hwTelemetry_Take(&t, &frame, 2.0);
    assert_close(t.position.x, 11.132, 1e-2);
    assert_close(t.position.y, -11.132, 1e-2);
    assert_close(t.position.z, -4.0, 1e-9);
    assert_close(t.velocity.y, -0.5, 1e-9);
    // a quarter turn to starboard about down: heading 90 degrees
    frame = (hwMavFrame){.message = HW_MAV_ATTITUDE_QUATERNION, .system = 3};
    hwMav_PutFloat(&frame, 4, sqrt(0.5));
    hwMav_PutFloat(&frame, 16, sqrt(0.5));
    hwTelemetry_Take(&t, &frame, 3.0);
    assert_close(t.heading, 0.5 * HW_PI, 1e-6);
    assert_close(hwTelemetry_GetNewest(&t), 3.0, 0.0);
}

static void test_WrongSourcesAreRefused(void** state) {
    (void)state;
    const struct {
        const char *source, *words;
    } wrong[] = {{"udp:nowhere:5", "--mirror"},
                 {"flight.txt", "udp:PORT"},
                 {"no_such.tlog", "cannot be read"},
                 {"udp:99999", "--mirror"}};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); ++i) {
        hwMirrorDef def = {0};
        hwError error;
        assert_false(hwMirrorDef_Parse(&def, wrong[i].source, &error));
        if (strstr(error.message, wrong[i].words) == NULL) fail_msg("%s", error.message);
    }
    // without a host it listens on loopback
    hwMirrorDef def = {0};
    hwError error;
    assert_true(hwMirrorDef_Parse(&def, "udp:14550", &error));
    assert_true(hwUdpAddress_IsLoopback(&def.listen));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_TelemetryByUdpDrivesTheVehicle),
        cmocka_unit_test(test_TurnsAndTetherLengthFollow),
        cmocka_unit_test(test_DamageIsCountedAndIgnored),
        cmocka_unit_test(test_LogsAreFollowed),
        cmocka_unit_test(test_WrongTimesInLogsHoldNothingUp),
        cmocka_unit_test(test_TracksAreFollowed),
        cmocka_unit_test(test_OtherWordsForTheSame),
        cmocka_unit_test(test_WrongSourcesAreRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
