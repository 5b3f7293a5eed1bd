// ArduPilot's interface: packets, and north-east-down, forward-right-down and specific force against poses worked by hand.
#define _POSIX_C_SOURCE 200809L
#include "connect/ardupilot.h"
#include "hawser/hawser.h"
#include "hawser/vehicle_type.h"

#include "support.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <unistd.h>

static void PutU16(unsigned char* data, unsigned value) {
    data[0] = (unsigned char)(value & 0xff);
    data[1] = (unsigned char)(value >> 8);
}

static void test_PacketsAreReadOrRefused(void** state) {
    (void)state;
    unsigned char data[80] = {0};
    hwServoPacket packet;
    PutU16(data, 18458);
    PutU16(data + 2, 1200);
    PutU16(data + 4, 0x5678);
    PutU16(data + 6, 0x1234);
    PutU16(data + 8, 1100);
    PutU16(data + 8 + 2 * 15, 1900);
    assert_true(hwServoPacket_Read(&packet, data, 40));
    assert_int_equal(packet.count, 16);
    assert_int_equal(packet.rate, 1200);
    assert_int_equal(packet.frame, 0x12345678);
    assert_int_equal(packet.pulses[0], 1100);
    assert_int_equal(packet.pulses[15], 1900);
    assert_false(hwServoPacket_Read(&packet, data, 39));
    assert_false(hwServoPacket_Read(&packet, data, 41));
    assert_false(hwServoPacket_Read(&packet, data, 72)); // its magic is that of 16 outputs
    PutU16(data, 29569);
    assert_true(hwServoPacket_Read(&packet, data, 72));
    assert_int_equal(packet.count, 32);
    PutU16(data + 2, 0);
    assert_false(hwServoPacket_Read(&packet, data, 72)); // no rate
}

static void test_PulsesAreCommands(void** state) {
    (void)state;
    assert_close(hwServo_GetCommand(1500), 0.0, 0.0);
    assert_close(hwServo_GetCommand(1900), 1.0, 0.0);
    assert_close(hwServo_GetCommand(1100), -1.0, 0.0);
    assert_close(hwServo_GetCommand(1600), 0.25, 0.0);
    assert_close(hwServo_GetCommand(2000), 1.0, 0.0);
    assert_close(hwServo_GetCommand(0), 0.0, 0.0); // no pulse
    assert_close(hwServo_GetCommand(65535), 0.0, 0.0);
}

static void CheckVector(hwVec3 is, hwVec3 wanted, double tolerance) {
    assert_close(is.x, wanted.x, tolerance);
    assert_close(is.y, wanted.y, tolerance);
    assert_close(is.z, wanted.z, tolerance);
}

typedef struct Pose {
    hwVec3 position, rpy, velocity, rate; // world and body axes of ours; attitude by Z-Y'-X''
    hwVec3 down, speed, gyro;             // north-east-down, north-east-down, forward-right-down
    hwVec3 force;                         // m/s2, felt when it is held up
    double heading, roll, pitch;          // rad
} Pose;

// A vehicle in a dry world falls freely and feels nothing; held up by a force equal to its weight it feels -g along down,
// wherever its own axes point.
static void CheckPose(const Pose* pose) {
    hwError error;
    hwVehicleType* type = hwLoadVehicleType("bluerov2_heavy", NULL, &error);
    assert_non_null(type);
    hwWorldDef worldDef = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&worldDef, &error);
    hwVehicleDef def = hwVehicleType_GetDef(type);
    def.body.name = "rov";
    def.body.position = pose->position;
    def.body.attitude = hwQuatFromRpy(pose->rpy.x, pose->rpy.y, pose->rpy.z);
    def.body.velocity = pose->velocity;
    def.body.rate = pose->rate;
    memset(&def.body.hydro, 0, sizeof(def.body.hydro)); // dry, and nothing of air either
    hwVehicleId vehicle = hwWorld_AddVehicle(world, &def, &error);
    if (HW_IS_NULL(vehicle)) fail_msg("%s", error.message);
    assert_status(hwWorld_Prepare(world, &error), HW_OK);
    hwNedState ned;
    assert_true(hwNedState_Read(&ned, world, vehicle));
    CheckVector(ned.position, pose->down, 1e-12);
    CheckVector(ned.velocity, pose->speed, 1e-12);
    CheckVector(ned.rate, pose->gyro, 1e-12);
    assert_close(ned.roll, pose->roll, 1e-12);
    assert_close(ned.pitch, pose->pitch, 1e-12);
    assert_close(ned.yaw, pose->heading, 1e-12);
    // the quaternion takes forward to where the bow points
    hwVec3 bow = hwRotate(ned.attitude, hwMakeVec3(1.0, 0.0, 0.0));
    hwVec3 wanted = hwMakeVec3(cos(pose->pitch) * cos(pose->heading), cos(pose->pitch) * sin(pose->heading),
                               -sin(pose->pitch));
    CheckVector(bow, wanted, 1e-12);
    CheckVector(ned.specificForce, hwMakeVec3(0.0, 0.0, 0.0), 1e-9); // it falls
    assert_status(hwBody_ApplyWrench(world, hwVehicle_GetBody(world, vehicle),
                                     hwMakeVec3(0.0, 0.0, 9.81 * def.body.mass), hwMakeVec3(0.0, 0.0, 0.0),
                                     pose->position, HW_FRAME_WORLD, &error),
                  HW_OK);
    assert_true(hwNedState_Read(&ned, world, vehicle));
    CheckVector(ned.specificForce, pose->force, 1e-9);
    hwDestroyWorld(world);
    hwDestroyVehicleType(type);
}

static void test_PosesWorkedByHand(void** state) {
    (void)state;
    const double g = 9.81, right = 0.5 * HW_PI, third = HW_PI / 6.0;
    const Pose poses[] = {
        // level, bow north, 3 m north, 2 m west of the origin, 5 m down; going north and up, turning to port
        {.position = {3, 2, -5},
         .velocity = {1, 0, 0.5},
         .down = {3, -2, 5},
         .speed = {1, 0, -0.5},
         .force = {0, 0, -g}},
        // bow east: turned to starboard, which is minus about our z; going west
        {.rpy = {0, 0, -right},
         .velocity = {0, 1, 0},
         .speed = {0, -1, 0},
         .heading = right,
         .force = {0, 0, -g}},
        // bow west: half a turn less
        {.rpy = {0, 0, right}, .heading = -right, .force = {0, 0, -g}},
        // bow 30 degrees up: minus about our y, plus about right; forward feels part of the weight's support
        {.rpy = {0, -third, 0}, .pitch = third, .force = {g * 0.5, 0, -g * 0.86602540378443865}},
        // 30 degrees to starboard: the right side is low and feels minus
        {.rpy = {third, 0, 0}, .roll = third, .force = {0, -g * 0.5, -g * 0.86602540378443865}},
        // rates: about our y is minus about right, about our z minus about down. Dry, so that nothing slows it; the
        // origin is the centre of mass
        {.rate = {0.1, 0.2, 0.3}, .gyro = {0.1, -0.2, -0.3}, .force = {0, 0, -g}},
    };
    for (size_t i = 0; i < sizeof(poses) / sizeof(poses[0]); ++i) CheckPose(&poses[i]);
}

static bool SetInput(void* context, int input, double value) {
    return hwWorld_SetInput(context, input, value, NULL) == HW_OK;
}

typedef struct Line {
    hwWorld* world;
    hwVehicleType* type;
    hwConnector* connector;
    hwUdpAddress to;
    int sockets[2];
} Line;

// A vehicle in open water with ArduPilot's connector, by its own clock, and two peers.
static Line OpenLine(void) {
    Line line = {0};
    hwError error;
    hwUdpAddress own;
    hwWorldDef worldDef = hwDefaultWorldDef();
    hwArduPilotDef pilot = {.free = true};
    line.type = hwLoadVehicleType("bluerov2_heavy", NULL, &error);
    assert_non_null(line.type);
    line.world = hwCreateWorld(&worldDef, &error);
    hwVehicleDef def = hwVehicleType_GetDef(line.type);
    def.body.name = "rov";
    pilot.vehicle = hwVehicleType_Add(line.type, &def, line.world, &error);
    assert_status(hwWorld_Prepare(line.world, &error), HW_OK);
    assert_true(hwUdpAddress_Parse(&pilot.listen, "1", "test", &error));
    pilot.listen.at.four.sin_port = 0; // a free one
    own = pilot.listen;
    line.connector = hwCreateArduPilot(line.world, &pilot, &error);
    if (line.connector == NULL) fail_msg("%s", error.message);
    char text[200];
    line.connector->type->describe(line.connector, text, sizeof(text));
    line.to = own;
    line.to.at.four.sin_port = htons((uint16_t)atoi(strrchr(text, ':') + 1));
    for (int i = 0; i < 2; ++i) {
        hwUdpAddress address = own;
        line.sockets[i] = hwUdp_Open(&address, &error);
        assert_true(line.sockets[i] >= 0);
    }
    return line;
}

static void CloseLine(Line* line) {
    for (int i = 0; i < 2; ++i) close(line->sockets[i]);
    line->connector->type->destroy(line->connector);
    hwDestroyWorld(line->world);
    hwDestroyVehicleType(line->type);
}

// Pulses of outputs that the vehicle's file gives to lights, camera and gripper move these; without a pulse they stay.
static void test_ServosMoveEquipment(void** state) {
    (void)state;
    Line line = OpenLine();
    const struct {
        unsigned lights, tilt, gripper;
        double wanted[3]; // of lights, degrees, opening
    } trials[] = {{1900, 1500, 1100, {1.0, 0.0, 0.0}},
                  {1300, 1900, 1900, {0.25, 90.0, 1.0}},
                  {0, 0, 2400, {0.25, 90.0, 1.0}}}; // no pulses: as before
    for (size_t i = 0; i < sizeof(trials) / sizeof(trials[0]); ++i) {
        unsigned char data[40] = {0x1a, 0x48, 0x90, 0x01, (unsigned char)(i + 1)};
        for (int k = 0; k < 16; ++k) {
            unsigned pulse = k == 12   ? trials[i].lights
                             : k == 15 ? trials[i].tilt
                             : k == 9  ? trials[i].gripper
                                       : 1500;
            data[8 + 2 * k] = (unsigned char)(pulse & 0xff);
            data[9 + 2 * k] = (unsigned char)(pulse >> 8);
        }
        assert_true(hwUdp_Send(line.sockets[0], data, sizeof(data), &line.to));
        hwConnection connection = {
            .world = line.world, .clock = (double)i, .setInput = SetInput, .context = line.world};
        line.connector->type->update(line.connector, &connection);
        const char* const inputs[3] = {"rov.lights", "rov.camera.tilt_deg", "rov.gripper"};
        for (int k = 0; k < 3; ++k)
            assert_close(hwWorld_ReadInput(line.world, hwWorld_FindInput(line.world, inputs[k])),
                         trials[i].wanted[k], 1e-9);
    }
    CloseLine(&line);
}

// Factors of roll, pitch, yaw, throttle, forward and lateral of each output in ArduSub's frames (AP_Motors6DOF.cpp).
typedef struct Frame {
    const char* vehicle;
    int count;
    double factors[8][6];
} Frame;

static const Frame g_frames[] = {
    {"bluerov2",
     6,
     {{0, 0, 1, 0, -1, 1},
      {0, 0, -1, 0, -1, -1},
      {0, 0, -1, 0, 1, 1},
      {0, 0, 1, 0, 1, -1},
      {1, 0, 0, -1, 0, 0},
      {-1, 0, 0, -1, 0, 0}}},
    {"bluerov2_heavy",
     8,
     {{0, 0, 1, 0, -1, 1},
      {0, 0, -1, 0, -1, -1},
      {0, 0, -1, 0, 1, 1},
      {0, 0, 1, 0, 1, -1},
      {1, -1, 0, -1, 0, 0},
      {-1, -1, 0, -1, 0, 0},
      {1, 1, 0, -1, 0, 0},
      {-1, 1, 0, -1, 0, 0}}},
    {"work_class_rov",
     8,
     {{0, 0, 1, 0, -1, 1},
      {0, 0, -1, 0, -1, -1},
      {0, 0, -1, 0, 1, 1},
      {0, 0, 1, 0, 1, -1},
      {1, -1, 0, -1, 0, 0},
      {-1, -1, 0, -1, 0, 0},
      {1, 1, 0, -1, 0, 0},
      {-1, 1, 0, -1, 0, 0}}},
    {"videoray_pro", 3, {{0, 0, -1, 0, 1, 0}, {0, 0, 1, 0, 1, 0}, {0, 0, 0, -1, 0, 0}}},
};

// Force and moment, forward-right-down, that a vehicle's thrusters give for one axis of its frame.
static void FindWrench(const hwVehicleDef* def, const Frame* frame, int axis, double wrench[6]) {
    memset(wrench, 0, 6 * sizeof(*wrench));
    for (int i = 0; i < def->thrusterCount; ++i) {
        const hwThrusterDef* thruster = &def->thrusters[i];
        int output = thruster->servo != 0 ? abs(thruster->servo) - 1 : i;
        assert_true(output < frame->count);
        double command = frame->factors[output][axis] * (thruster->servo < 0 ? -1.0 : 1.0);
        hwVec3 force = hwScale(command / hwLength(thruster->axis), thruster->axis);
        hwVec3 moment = hwCross(hwSub(thruster->position, def->body.com), force);
        wrench[0] += force.x;
        wrench[1] -= force.y;
        wrench[2] -= force.z;
        wrench[3] += moment.x;
        wrench[4] -= moment.y;
        wrench[5] -= moment.z;
    }
}

// Every vehicle that comes with Hawser moves the way that ArduSub means, in the frame that docs/clients.md names for it.
static void test_OutputsFitArduSubsFrames(void** state) {
    (void)state;
    // roll, pitch and yaw are moments about forward, right and down; throttle is up
    static const int component[6] = {3, 4, 5, 2, 0, 1};
    static const double sign[6] = {1, 1, 1, -1, 1, 1};
    for (size_t i = 0; i < sizeof(g_frames) / sizeof(g_frames[0]); ++i) {
        hwError error;
        hwVehicleType* type = hwLoadVehicleType(g_frames[i].vehicle, NULL, &error);
        if (type == NULL) fail_msg("%s", error.message);
        hwVehicleDef def = hwVehicleType_GetDef(type);
        for (int axis = 0; axis < 6; ++axis) {
            bool used = false;
            for (int k = 0; k < g_frames[i].count; ++k) used = used || g_frames[i].factors[k][axis] != 0.0;
            double wrench[6];
            FindWrench(&def, &g_frames[i], axis, wrench);
            double wanted = sign[axis] * wrench[component[axis]];
            if (used && !(wanted > 0.05)) fail_msg("%s, axis %d: %g", g_frames[i].vehicle, axis, wanted);
            // the other forces, or the other moments, are small beside it
            int first = component[axis] < 3 ? 0 : 3;
            for (int k = first; k < first + 3; ++k) {
                if (used && k != component[axis] && fabs(wrench[k]) > 0.3 * wanted)
                    fail_msg("%s, axis %d also gives %g along %d", g_frames[i].vehicle, axis, wrench[k], k);
            }
        }
        hwDestroyVehicleType(type);
    }
}

// A packet with all outputs at a pulse.
static void Say(const Line* line, int peer, unsigned frame, unsigned pulse) {
    unsigned char data[40] = {0x1a, 0x48, 0x90, 0x01, (unsigned char)frame};
    for (int k = 0; k < 16; ++k) PutU16(data + 8 + 2 * k, pulse);
    assert_true(hwUdp_Send(line->sockets[peer], data, sizeof(data), &line->to));
}

// The connector's look at what has come; returns the command of the third thruster.
static double Hear(const Line* line, double clock) {
    hwConnection connection = {
        .world = line->world, .clock = clock, .setInput = SetInput, .context = line->world};
    line->connector->type->update(line->connector, &connection);
    return hwWorld_ReadInput(line->world, hwWorld_FindInput(line->world, "rov.thruster[2].command"));
}

// An autopilot that leaves in the middle leaves no thrusters running; a second one is not heard while the first one speaks, and
// takes over when that has been silent for a second.
static void test_SilenceStopsThrustersAndFreesTheSeat(void** state) {
    (void)state;
    Line line = OpenLine();
    Say(&line, 0, 1, 1700);
    Say(&line, 1, 1, 1100); // another one, at the same moment
    assert_close(Hear(&line, 10.0), 0.5, 1e-12);
    Say(&line, 1, 2, 1100);
    assert_close(Hear(&line, 10.9), 0.5, 1e-12);
    assert_close(Hear(&line, 11.1), 0.0, 0.0); // speed controllers without pulses
    Say(&line, 1, 3, 1300);
    assert_close(Hear(&line, 11.2), -0.5, 1e-12);
    Say(&line, 0, 2, 1700);
    assert_close(Hear(&line, 11.3), -0.5, 1e-12);
    char text[300];
    line.connector->type->report(line.connector, text, sizeof(text));
    assert_non_null(strstr(text, "ArduPilot: 2 packets, 0 repeated, 0 malformed and ignored"));
    assert_non_null(strstr(text, "3 of others ignored, 0 that no queue had room for"));
    CloseLine(&line);
}

// Whoever floods the port with what looks right and what does not, thousands of packets between two of the autopilot's, keeps none of
// these from being heard: the queue holds a few hundred, and all are taken by it if anybody's may enter. Each packet is counted, by us or
// by the system.
static void test_FloodsKeepNobodyOut(void** state) {
    (void)state;
    Line line = OpenLine();
    Say(&line, 0, 1, 1500);
    assert_close(Hear(&line, 0.0), 0.0, 0.0);
    for (unsigned i = 1; i <= 20; ++i) {
        for (unsigned k = 0; k < 5000; ++k) {
            if (k % 2 == 0) Say(&line, 1, k & 0xff, 1900);
            if (k % 2 == 1) assert_true(hwUdp_Send(line.sockets[1], "\x1a\x48 no packet", 12, &line.to));
        }
        Say(&line, 0, 1 + i, 1500 + 10 * i);
        assert_close(Hear(&line, 0.01 * i), 10.0 * i / 400.0, 1e-12);
    }
    unsigned long long packets = 0, malformed = 0, others = 0, lost = 0;
    for (int i = 0; i < 1000 && malformed + others + lost < 100000; ++i) { // what is still in the queue
        char text[300];
        Hear(&line, 0.21);
        line.connector->type->report(line.connector, text, sizeof(text));
        assert_int_equal(
            sscanf(text,
                   "ArduPilot: %llu packets, %*u repeated, %llu malformed and ignored, %*u answers, "
                   "%*u not sent, %llu of others ignored, %llu that",
                   &packets, &malformed, &others, &lost),
            4);
    }
    assert_int_equal(packets, 21);
    assert_int_equal(malformed + others + lost, 100000);
    assert_true(malformed > 100 && others > 100);
    CloseLine(&line);
}

static void test_AnswerIsWhatArduPilotReads(void** state) {
    (void)state;
    hwNedState ned = {.time = 12.5,
                      .position = {1.0, -2.0, 3.0},
                      .velocity = {0.1, 0.2, 0.3},
                      .attitude = {1.0, 0.0, 0.0, 0.0},
                      .rate = {0.01, 0.02, 0.03},
                      .specificForce = {0.0, 0.0, -9.81},
                      .altitude = 17.0};
    char text[1024];
    size_t size = hwArduPilot_WriteState(&ned, false, text, sizeof(text));
    assert_int_equal(size, strlen(text));
    assert_string_equal(text, "\n{\"timestamp\":12.500000000,\"imu\":{\"gyro\":[0.01,0.02,0.03],"
                              "\"accel_body\":[0,0,-9.81]},\"position\":[1,-2,3],\"quaternion\":[1,0,0,0],"
                              "\"velocity\":[0.1,0.2,0.3],\"rng_1\":17}\n");
    ned.altitude = (double)NAN; // no bottom: nothing is said of it
    size = hwArduPilot_WriteState(&ned, true, text, sizeof(text));
    assert_int_equal(size, strlen(text));
    assert_null(strstr(text, "rng"));
    assert_null(strstr(text, "nan"));
    assert_non_null(strstr(text, ",\"no_time_sync\":1,\"no_lockstep\":1}\n"));
}

static void test_AddressesAreRead(void** state) {
    (void)state;
    hwUdpAddress address;
    hwError error;
    char text[80];
    const struct {
        const char *given, *is;
        bool loopback;
    } good[] = {{"9002", "127.0.0.1:9002", true},
                {"localhost:14550", "127.0.0.1:14550", true},
                {"192.168.2.1:14550", "192.168.2.1:14550", false},
                {"0.0.0.0:9002", "0.0.0.0:9002", false},
                {"[::1]:9002", "[::1]:9002", true}};
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); ++i) {
        assert_true(hwUdpAddress_Parse(&address, good[i].given, "--ardupilot", &error));
        hwUdpAddress_Print(&address, text, sizeof(text));
        assert_string_equal(text, good[i].is);
        assert_int_equal(hwUdpAddress_IsLoopback(&address), good[i].loopback);
    }
    static const char* const bad[] = {
        "", "0", "65536", "x", "12x", ":9002", "host.example:9002", "1.2.3:9002", "1.2.3.4:", "1.2.3.4:-5"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); ++i)
        assert_false(hwUdpAddress_Parse(&address, bad[i], "--ardupilot", &error));
    assert_false(hwUdpAddress_Parse(&address, "pool.example:9002", "--mavlink", &error));
    assert_string_equal(error.message, "--mavlink: \"pool.example\" is no numeric address");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_PacketsAreReadOrRefused),
        cmocka_unit_test(test_PulsesAreCommands),
        cmocka_unit_test(test_PosesWorkedByHand),
        cmocka_unit_test(test_AnswerIsWhatArduPilotReads),
        cmocka_unit_test(test_AddressesAreRead),
        cmocka_unit_test(test_ServosMoveEquipment),
        cmocka_unit_test(test_OutputsFitArduSubsFrames),
        cmocka_unit_test(test_SilenceStopsThrustersAndFreesTheSeat),
        cmocka_unit_test(test_FloodsKeepNobodyOut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
