// What a real vehicle tells of itself by MAVLink, as one picture of its newest words.
#ifndef HW_CONNECT_TELEMETRY_H
#define HW_CONNECT_TELEMETRY_H

#include "connect/mavlink.h"
#include "hawser/math.h"

#define HW_TELEMETRY_SERVOS 16

typedef struct hwTelemetry {
    int system;           // of the vehicle: the first that told an attitude or a place; -1: none yet
    double placed;        // s, when the place was told last; -inf: never
    hwVec3 position;      // m, world axes (x north, y west, z up), z from the mean surface
    hwVec3 velocity;      // m/s, likewise
    double sounded;       // s, when the depth was told without a place
    double depth, climb;  // m, m/s upwards
    double turned;        // s, when the attitude was told
    double roll, pitch;   // rad, to starboard and bow up
    double heading, rate; // rad and rad/s, clockwise from north
    bool armed;           // by its heartbeat
    int servoCount;       // entries of `servos`
    unsigned servos[HW_TELEMETRY_SERVOS]; // us; 0: not told
    double turns;                         // in its tether; NaN: not told
    double tether;                        // m that are out; NaN: not told
    double tilt;                          // 0..1 of the camera's range; NaN: not told
    double lights, gripper;               // 0..1; NaN: not told
    uint64_t implausible;                 // messages with values that no vehicle has, ignored
    uint64_t others;                      // of other systems, ignored
    // where on the earth the scene's origin is; without it places on the earth count for their height only
    bool hasOrigin;
    double latitude, longitude; // degrees
} hwTelemetry;

hwTelemetry hwMakeTelemetry(void);

// Takes a frame that came at `now`, s.
void hwTelemetry_Take(hwTelemetry* telemetry, const hwMavFrame* frame, double now);
// Takes a place, as of a track.
void hwTelemetry_TakePlace(hwTelemetry* telemetry, hwVec3 position, hwVec3 velocity, double now);
// Takes an attitude; the rate of the heading is found from the one before.
void hwTelemetry_TakeAttitude(hwTelemetry* telemetry, double roll, double pitch, double heading, double now);

// When it has spoken last of how or where it is; -inf: never.
double hwTelemetry_GetNewest(const hwTelemetry* telemetry);

#endif
