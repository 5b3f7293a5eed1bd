#include "connect/telemetry.h"

#include <math.h>
#include <string.h>

#define FARTHEST 1e5      // m
#define FASTEST 30.0      // m/s
#define STEEPEST 7.0      // rad
#define METRES 111319.491 // of a degree on the equator
#define ARMED 0x80        // of a heartbeat's base mode
#define GROUND_STATION 6  // type of a heartbeat

hwTelemetry hwMakeTelemetry(void) {
    double never = -(double)INFINITY, unknown = (double)NAN;
    hwTelemetry telemetry = {.system = -1,
                             .placed = never,
                             .sounded = never,
                             .turned = never,
                             .turns = unknown,
                             .tether = unknown,
                             .tilt = unknown,
                             .lights = unknown,
                             .gripper = unknown};
    return telemetry;
}

static bool Within(double value, double most) {
    return isfinite(value) && fabs(value) <= most;
}

static bool IsPlausible(hwVec3 v, double most) {
    return Within(v.x, most) && Within(v.y, most) && Within(v.z, most);
}

void hwTelemetry_TakePlace(hwTelemetry* t, hwVec3 position, hwVec3 velocity, double now) {
    if (!IsPlausible(position, FARTHEST) || !IsPlausible(velocity, FASTEST)) {
        t->implausible += 1;
        return;
    }
    t->position = position;
    t->velocity = velocity;
    t->placed = now;
}

static double FindShortest(double angle) {
    return angle - 2.0 * HW_PI * floor(angle / (2.0 * HW_PI) + 0.5);
}

void hwTelemetry_TakeAttitude(hwTelemetry* t, double roll, double pitch, double heading, double now) {
    if (!Within(roll, STEEPEST) || !Within(pitch, STEEPEST) || !Within(heading, STEEPEST)) {
        t->implausible += 1;
        return;
    }
    double passed = now - t->turned;
    t->rate = passed > 1e-3 && passed < 2.0 ? FindShortest(heading - t->heading) / passed : 0.0;
    t->roll = roll;
    t->pitch = pitch;
    t->heading = heading;
    t->turned = now;
}

static void TakeDepth(hwTelemetry* t, double depth, double climb, double now) {
    if (!Within(depth, FARTHEST) || !Within(climb, FASTEST)) {
        t->implausible += 1;
        return;
    }
    t->depth = depth;
    t->climb = climb;
    t->sounded = now;
}

// A place on the earth: on the plane that touches it at the origin, which is right to millimetres within some kilometres.
static void TakeGlobal(hwTelemetry* t, const hwMavFrame* frame, double now) {
    double depth = -1e-3 * hwMav_GetI32(frame, 16), climb = -0.01 * hwMav_GetI16(frame, 24);
    if (!t->hasOrigin) {
        TakeDepth(t, depth, climb, now);
        return;
    }
    double north = (1e-7 * hwMav_GetI32(frame, 4) - t->latitude) * METRES;
    double east = (1e-7 * hwMav_GetI32(frame, 8) - t->longitude) * METRES * cos(t->latitude * HW_DEGREE);
    hwVec3 velocity = {0.01 * hwMav_GetI16(frame, 20), -0.01 * hwMav_GetI16(frame, 22), climb};
    hwTelemetry_TakePlace(t, hwMakeVec3(north, -east, -depth), velocity, now);
}

static void TakeQuaternion(hwTelemetry* t, const hwMavFrame* frame, double now) {
    double w = hwMav_GetFloat(frame, 4), x = hwMav_GetFloat(frame, 8), y = hwMav_GetFloat(frame, 12),
           z = hwMav_GetFloat(frame, 16);
    double square = w * w + x * x + y * y + z * z;
    if (!(fabs(square - 1.0) < 0.1)) {
        t->implausible += 1;
        return;
    }
    double roll = atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y));
    double sine = 2.0 * (w * y - z * x);
    double pitch = asin(sine > 1.0 ? 1.0 : (sine < -1.0 ? -1.0 : sine));
    double yaw = atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z));
    hwTelemetry_TakeAttitude(t, roll, pitch, yaw, now);
}

static void TakeServos(hwTelemetry* t, const hwMavFrame* frame) {
    if (hwMav_GetU8(frame, 20) != 0) return; // of another port
    t->servoCount = HW_TELEMETRY_SERVOS;
    for (int i = 0; i < HW_TELEMETRY_SERVOS; ++i)
        t->servos[i] = hwMav_GetU16(frame, i < 8 ? 4 + 2 * i : 21 + 2 * (i - 8));
}

static void TakeNamed(hwTelemetry* t, const hwMavFrame* frame) {
    char name[11];
    hwMav_GetText(frame, 8, 10, name);
    double value = hwMav_GetFloat(frame, 4);
    const struct {
        const char* name;
        double* field;
        double most;
    } names[] = {{"TetherTrn", &t->turns, 1e4},
                 {"TetherLen", &t->tether, 2e4},
                 {"CamTilt", &t->tilt, 1.0},
                 {"Lights1", &t->lights, 1.0},
                 {"Gripper", &t->gripper, 1.0}};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {
        if (strcmp(name, names[i].name) != 0) continue;
        if (Within(value, names[i].most) && (value >= 0.0 || names[i].field == &t->turns)) {
            *names[i].field = value;
        } else {
            t->implausible += 1;
        }
    }
}

// Whether this frame is of the vehicle. The first that tells how it lies or where it is becomes it.
static bool IsOwn(hwTelemetry* t, const hwMavFrame* frame) {
    bool tells = frame->message == HW_MAV_ATTITUDE || frame->message == HW_MAV_ATTITUDE_QUATERNION ||
                 frame->message == HW_MAV_LOCAL_POSITION_NED ||
                 frame->message == HW_MAV_GLOBAL_POSITION_INT || frame->message == HW_MAV_VFR_HUD;
    if (t->system < 0 && tells) t->system = frame->system;
    if (t->system >= 0 && frame->system != t->system) t->others += 1;
    return t->system >= 0 && frame->system == t->system;
}

void hwTelemetry_Take(hwTelemetry* t, const hwMavFrame* frame, double now) {
    if (!IsOwn(t, frame)) return;
    switch (frame->message) {
    case HW_MAV_ATTITUDE:
        hwTelemetry_TakeAttitude(t, hwMav_GetFloat(frame, 4), hwMav_GetFloat(frame, 8),
                                 hwMav_GetFloat(frame, 12), now);
        break;
    case HW_MAV_ATTITUDE_QUATERNION:
        TakeQuaternion(t, frame, now);
        break;
    case HW_MAV_LOCAL_POSITION_NED: {
        hwVec3 position = {hwMav_GetFloat(frame, 4), -hwMav_GetFloat(frame, 8), -hwMav_GetFloat(frame, 12)};
        hwVec3 velocity = {hwMav_GetFloat(frame, 16), -hwMav_GetFloat(frame, 20), -hwMav_GetFloat(frame, 24)};
        hwTelemetry_TakePlace(t, position, velocity, now);
        break;
    }
    case HW_MAV_GLOBAL_POSITION_INT:
        TakeGlobal(t, frame, now);
        break;
    case HW_MAV_VFR_HUD:
        TakeDepth(t, -hwMav_GetFloat(frame, 8), hwMav_GetFloat(frame, 12), now);
        break;
    case HW_MAV_HEARTBEAT:
        if (hwMav_GetU8(frame, 4) != GROUND_STATION) t->armed = (hwMav_GetU8(frame, 6) & ARMED) != 0;
        break;
    case HW_MAV_SERVO_OUTPUT_RAW:
        TakeServos(t, frame);
        break;
    case HW_MAV_NAMED_VALUE_FLOAT:
        TakeNamed(t, frame);
        break;
    default:
        break;
    }
}

double hwTelemetry_GetNewest(const hwTelemetry* t) {
    return fmax(t->turned, fmax(t->placed, t->sounded));
}
