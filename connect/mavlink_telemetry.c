// What the vehicle's endpoint sends by itself or on request.
#include "connect/mavlink_vehicle_internal.h"

#include "connect/ned.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TYPE_SUBMARINE 12
#define AUTOPILOT_GENERIC 0
#define VERSION 3
#define ATMOSPHERE 101325.0    // Pa
#define EARTH_RADIUS 6378137.0 // m
#define SHORTEST 0.01          // s between two of a kind

// Sensors that the simulated vehicle has: gyro, accelerometer, magnetometer, pressure; control of rates, attitude, yaw and height;
// motors. There is no battery and no satellite receiver.
#define SENSORS (1u | 2u | 4u | 8u | 1024u | 2048u | 4096u | 8192u | 32768u)

static const struct {
    uint32_t message;
    double interval; // s at the start
} g_streams[STREAM_COUNT] = {
    [STREAM_HEARTBEAT] = {HW_MAV_HEARTBEAT, 1.0},
    [STREAM_SYS_STATUS] = {HW_MAV_SYS_STATUS, 1.0},
    [STREAM_ATTITUDE] = {HW_MAV_ATTITUDE, 0.1},
    [STREAM_ATTITUDE_QUATERNION] = {HW_MAV_ATTITUDE_QUATERNION, 0.0},
    [STREAM_LOCAL_POSITION] = {HW_MAV_LOCAL_POSITION_NED, 0.25},
    [STREAM_GLOBAL_POSITION] = {HW_MAV_GLOBAL_POSITION_INT, 0.25},
    [STREAM_VFR_HUD] = {HW_MAV_VFR_HUD, 0.25},
    [STREAM_PRESSURE] = {HW_MAV_SCALED_PRESSURE2, 0.25},
    [STREAM_DISTANCE] = {HW_MAV_DISTANCE_SENSOR, 0.25},
    [STREAM_SERVOS] = {HW_MAV_SERVO_OUTPUT_RAW, 0.25},
    [STREAM_NAMED_VALUES] = {HW_MAV_NAMED_VALUE_FLOAT, 0.5},
};

static uint32_t GetTime(const hwNedState* ned) {
    return (uint32_t)(uint64_t)(1000.0 * ned->time + 0.5); // ms, wraps after 49 days as everybody's
}

static int ToInt(double value, double low, double high) {
    return (int)lround(value < low ? low : (value > high ? high : value));
}

static void SendHeartbeat(hwMavVehicle* v, int peer) {
    const hwVehicleState* s = &v->state;
    hwMavFrame frame = {.message = HW_MAV_HEARTBEAT};
    unsigned base = 1u | 64u | (s->armed ? 128u : 0u) | (s->mode != HW_MODE_MANUAL ? 16u : 0u);
    hwMav_PutU32(&frame, 0, (uint32_t)hwMavMode_FromVehicle(s->mode));
    hwMav_PutU8(&frame, 4, TYPE_SUBMARINE);
    hwMav_PutU8(&frame, 5, AUTOPILOT_GENERIC);
    hwMav_PutU8(&frame, 6, base);
    hwMav_PutU8(&frame, 7, v->pilot.failed && s->armed ? 5 : (s->armed ? 4 : 3)); // critical, active, standby
    hwMav_PutU8(&frame, 8, VERSION);
    hwMavVehicle_Send(v, &frame, peer);
}

static void SendSysStatus(hwMavVehicle* v, int peer) {
    hwMavFrame frame = {.message = HW_MAV_SYS_STATUS};
    hwMav_PutU32(&frame, 0, SENSORS);
    hwMav_PutU32(&frame, 4, v->state.armed ? SENSORS : SENSORS & ~32768u);
    hwMav_PutU32(&frame, 8, v->state.failed == 0 ? SENSORS : SENSORS & ~32768u);
    hwMav_PutU16(&frame, 14, 65535); // voltage, current, charge: not known
    hwMav_PutI16(&frame, 16, -1);
    hwMav_PutU8(&frame, 30, 255);
    hwMavVehicle_Send(v, &frame, peer);
}

static void SendAttitude(hwMavVehicle* v, const hwNedState* ned, int peer) {
    hwMavFrame frame = {.message = HW_MAV_ATTITUDE};
    const double fields[6] = {ned->roll, ned->pitch, ned->yaw, ned->rate.x, ned->rate.y, ned->rate.z};
    hwMav_PutU32(&frame, 0, GetTime(ned));
    for (int i = 0; i < 6; ++i) hwMav_PutFloat(&frame, 4 + 4 * i, fields[i]);
    hwMavVehicle_Send(v, &frame, peer);
}

static void SendQuaternion(hwMavVehicle* v, const hwNedState* ned, int peer) {
    hwMavFrame frame = {.message = HW_MAV_ATTITUDE_QUATERNION};
    const double fields[7] = {ned->attitude.w, ned->attitude.x, ned->attitude.y, ned->attitude.z,
                              ned->rate.x,     ned->rate.y,     ned->rate.z};
    hwMav_PutU32(&frame, 0, GetTime(ned));
    for (int i = 0; i < 7; ++i) hwMav_PutFloat(&frame, 4 + 4 * i, fields[i]);
    hwMavVehicle_Send(v, &frame, peer);
}

static void SendLocalPosition(hwMavVehicle* v, const hwNedState* ned, int peer) {
    hwMavFrame frame = {.message = HW_MAV_LOCAL_POSITION_NED};
    const double fields[6] = {ned->position.x, ned->position.y, ned->position.z,
                              ned->velocity.x, ned->velocity.y, ned->velocity.z};
    hwMav_PutU32(&frame, 0, GetTime(ned));
    for (int i = 0; i < 6; ++i) hwMav_PutFloat(&frame, 4 + 4 * i, fields[i]);
    hwMavVehicle_Send(v, &frame, peer);
}

// Only where the scene's place on the earth was said.
static void SendGlobalPosition(hwMavVehicle* v, const hwNedState* ned, int peer) {
    if (!v->def.hasOrigin) return;
    double latitude = v->def.latitude + ned->position.x / EARTH_RADIUS / HW_DEGREE;
    double across = EARTH_RADIUS * cos(v->def.latitude * HW_DEGREE);
    double longitude = v->def.longitude + ned->position.y / across / HW_DEGREE;
    hwMavFrame frame = {.message = HW_MAV_GLOBAL_POSITION_INT};
    hwMav_PutU32(&frame, 0, GetTime(ned));
    hwMav_PutI32(&frame, 4, (int32_t)lround(1e7 * latitude));
    hwMav_PutI32(&frame, 8, (int32_t)lround(1e7 * longitude));
    hwMav_PutI32(&frame, 12, ToInt(-1000.0 * ned->position.z, -2e9, 2e9));
    hwMav_PutI32(&frame, 16, ToInt(-1000.0 * ned->position.z, -2e9, 2e9));
    hwMav_PutI16(&frame, 20, ToInt(100.0 * ned->velocity.x, -32767, 32767));
    hwMav_PutI16(&frame, 22, ToInt(100.0 * ned->velocity.y, -32767, 32767));
    hwMav_PutI16(&frame, 24, ToInt(100.0 * ned->velocity.z, -32767, 32767));
    hwMav_PutU16(&frame, 26, (unsigned)ToInt(100.0 * v->state.heading / HW_DEGREE, 0, 35999));
    hwMavVehicle_Send(v, &frame, peer);
}

static void SendHud(hwMavVehicle* v, const hwNedState* ned, int peer) {
    const hwVehicleState* s = &v->state;
    double effort = 0.0;
    for (int i = 0; i < s->thrusterCount; ++i) effort += fabs(s->thrusters[i].command) / s->thrusterCount;
    hwVec3 water = hwSub(ned->velocity, hwNed_Turn(s->water));
    hwMavFrame frame = {.message = HW_MAV_VFR_HUD};
    hwMav_PutFloat(&frame, 0, hwLength(water)); // through the water
    hwMav_PutFloat(&frame, 4, hypot(ned->velocity.x, ned->velocity.y));
    hwMav_PutFloat(&frame, 8, -s->depth);
    hwMav_PutFloat(&frame, 12, -ned->velocity.z);
    hwMav_PutI16(&frame, 16, ToInt(floor(s->heading / HW_DEGREE), 0, 359));
    hwMav_PutU16(&frame, 18, (unsigned)ToInt(100.0 * effort, 0, 100));
    hwMavVehicle_Send(v, &frame, peer);
}

static void SendPressure(hwMavVehicle* v, const hwNedState* ned, int peer) {
    const hwEnvironmentDef* sea = hwWorld_GetEnvironment(v->connection->world);
    double weight = sea->water ? sea->waterDensity * sea->gravity : 0.0;
    double depth = v->state.depth > 0.0 ? v->state.depth : 0.0;
    hwMavFrame frame = {.message = HW_MAV_SCALED_PRESSURE2};
    hwMav_PutU32(&frame, 0, GetTime(ned));
    hwMav_PutFloat(&frame, 4, 0.01 * (ATMOSPHERE + weight * depth));
    hwMav_PutFloat(&frame, 8, 0.01 * weight * depth);
    hwMavVehicle_Send(v, &frame, peer);
}

static void SendDistance(hwMavVehicle* v, const hwNedState* ned, int peer) {
    if (!isfinite(ned->altitude)) return;
    hwMavFrame frame = {.message = HW_MAV_DISTANCE_SENSOR};
    hwMav_PutU32(&frame, 0, GetTime(ned));
    hwMav_PutU16(&frame, 4, 10);   // cm
    hwMav_PutU16(&frame, 6, 5000); // cm
    hwMav_PutU16(&frame, 8, (unsigned)ToInt(100.0 * ned->altitude, 0, 65535));
    hwMav_PutU8(&frame, 10, 1);  // ultrasound
    hwMav_PutU8(&frame, 12, 25); // looks down
    hwMav_PutU8(&frame, 13, 255);
    hwMavVehicle_Send(v, &frame, peer);
}

// Pulses as an electronic speed controller would get them, on the outputs that the vehicle's file names.
static void SendServos(hwMavVehicle* v, const hwNedState* ned, int peer) {
    hwMavFrame frame = {.message = HW_MAV_SERVO_OUTPUT_RAW};
    hwMav_PutU32(&frame, 0, (uint32_t)(uint64_t)(1e6 * ned->time));
    for (int i = 0; i < v->state.thrusterCount; ++i) {
        int servo = v->vehicle->thrusters[i].servo;
        int output = servo != 0 ? abs(servo) - 1 : i;
        double command = servo < 0 ? -v->state.thrusters[i].command : v->state.thrusters[i].command;
        if (output >= 16) continue;
        hwMav_PutU16(&frame, output < 8 ? 4 + 2 * output : 21 + 2 * (output - 8),
                     (unsigned)ToInt(1500.0 + 400.0 * command, 1100, 1900));
    }
    hwMavVehicle_Send(v, &frame, peer);
}

static void SendNamedValues(hwMavVehicle* v, const hwNedState* ned, int peer) {
    const hwVehicleState* s = &v->state;
    const hwCameraDef* camera = &v->vehicle->camera;
    double range = camera->tiltHigh - camera->tiltLow;
    const struct {
        const char* name;
        double value;
        bool lacks;
    } values[] = {{"CamTilt", range > 0.0 ? (s->cameraTilt - camera->tiltLow) / range : 0.5, false},
                  {"CamPan", 0.5, false},
                  {"TetherTrn", 0.25 * floor(4.0 * s->turns + 0.5), false}, // in quarter turns
                  {"Lights1", s->lights, false},
                  {"Lights2", s->lights, false},
                  {"PilotGain", s->gain, false},
                  {"InputHold", v->pilot.holding ? 1.0 : 0.0, false},
                  {"RollPitch", 0.0, false},
                  {"RFTarget", isfinite(s->altitudeTarget) ? s->altitudeTarget : 0.0, false},
                  {"Gripper", s->gripper, !v->vehicle->gripper.present},
                  {"TetherTns", s->tetherTension, !isfinite(s->tetherTension)}};
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); ++i) {
        if (values[i].lacks) continue;
        hwMavFrame frame = {.message = HW_MAV_NAMED_VALUE_FLOAT};
        hwMav_PutU32(&frame, 0, GetTime(ned));
        hwMav_PutFloat(&frame, 4, values[i].value);
        hwMav_PutText(&frame, 8, 10, values[i].name);
        hwMavVehicle_Send(v, &frame, peer);
    }
}

static void SendVersion(hwMavVehicle* v, int peer) {
    unsigned numbers[3] = {0, 0, 0};
    sscanf(hwGetVersion(), "%u.%u.%u", &numbers[0], &numbers[1], &numbers[2]);
    hwMavFrame frame = {.message = HW_MAV_AUTOPILOT_VERSION};
    hwMav_PutU64(&frame, 0, 2u | 8u | 8192u); // parameters as floats, COMMAND_INT, MAVLink 2
    hwMav_PutU32(&frame, 16, numbers[0] << 24 | numbers[1] << 16 | numbers[2] << 8 | 255u);
    hwMavVehicle_Send(v, &frame, peer);
}

static void SendStream(hwMavVehicle* v, StreamKind kind, const hwNedState* ned, int peer) {
    switch (kind) {
    case STREAM_HEARTBEAT:
        SendHeartbeat(v, peer);
        break;
    case STREAM_SYS_STATUS:
        SendSysStatus(v, peer);
        break;
    case STREAM_ATTITUDE:
        SendAttitude(v, ned, peer);
        break;
    case STREAM_ATTITUDE_QUATERNION:
        SendQuaternion(v, ned, peer);
        break;
    case STREAM_LOCAL_POSITION:
        SendLocalPosition(v, ned, peer);
        break;
    case STREAM_GLOBAL_POSITION:
        SendGlobalPosition(v, ned, peer);
        break;
    case STREAM_VFR_HUD:
        SendHud(v, ned, peer);
        break;
    case STREAM_PRESSURE:
        SendPressure(v, ned, peer);
        break;
    case STREAM_DISTANCE:
        SendDistance(v, ned, peer);
        break;
    case STREAM_SERVOS:
        SendServos(v, ned, peer);
        break;
    case STREAM_NAMED_VALUES:
        SendNamedValues(v, ned, peer);
        break;
    case STREAM_COUNT:
        break;
    }
}

void hwMavTelemetry_Reset(hwMavVehicle* v) {
    for (int i = 0; i < STREAM_COUNT; ++i) v->intervals[i] = g_streams[i].interval;
}

void hwMavTelemetry_SendDue(hwMavVehicle* v) {
    double now = v->connection->clock;
    hwNedState ned;
    bool read = false;
    for (int i = 0; i < STREAM_COUNT; ++i) {
        if (!(v->intervals[i] > 0.0) || now < v->next[i]) continue;
        if (!read && !hwNedState_Read(&ned, v->connection->world, v->def.vehicle)) return;
        read = true;
        SendStream(v, (StreamKind)i, &ned, MAV_EVERYBODY);
        // keep the pace, but do not make up for a long pause
        v->next[i] =
            v->next[i] + v->intervals[i] > now ? v->next[i] + v->intervals[i] : now + v->intervals[i];
    }
}

static int FindStream(uint32_t message) {
    for (int i = 0; i < STREAM_COUNT; ++i) {
        if (g_streams[i].message == message) return i;
    }
    return -1;
}

bool hwMavTelemetry_SendMessage(hwMavVehicle* v, uint32_t message, int peer) {
    hwNedState ned;
    int stream = FindStream(message);
    if (message == HW_MAV_AUTOPILOT_VERSION) {
        SendVersion(v, peer);
        return true;
    }
    if (stream < 0 || !hwNedState_Read(&ned, v->connection->world, v->def.vehicle)) return false;
    if (stream == STREAM_GLOBAL_POSITION && !v->def.hasOrigin) return false;
    SendStream(v, (StreamKind)stream, &ned, peer);
    return true;
}

bool hwMavTelemetry_SetInterval(hwMavVehicle* v, uint32_t message, double interval) {
    int stream = FindStream(message);
    if (stream < 0 || interval > 1e9) return false;
    if (interval < 0.0) {
        v->intervals[stream] = 0.0;
    } else if (interval > 0.0) {
        v->intervals[stream] = 1e-6 * interval > SHORTEST ? 1e-6 * interval : SHORTEST;
    } else {
        v->intervals[stream] = g_streams[stream].interval;
    }
    v->next[stream] = 0.0;
    return true;
}

double hwMavTelemetry_GetInterval(const hwMavVehicle* v, uint32_t message) {
    int stream = FindStream(message);
    if (stream < 0) return 0.0;
    return v->intervals[stream] > 0.0 ? 1e6 * v->intervals[stream] : -1.0;
}
