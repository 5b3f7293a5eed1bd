// The packets of ArduPilot's JSON interface, without sockets and worlds.
#include "connect/ardupilot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAGIC_16 18458
#define MAGIC_32 29569

static unsigned ReadU16(const unsigned char* p) {
    return (unsigned)p[0] | (unsigned)p[1] << 8;
}

bool hwServoPacket_Read(hwServoPacket* packet, const unsigned char* data, size_t size) {
    memset(packet, 0, sizeof(*packet));
    if (size != 8 + 2 * 16 && size != 8 + 2 * 32) return false;
    packet->count = (int)(size - 8) / 2;
    if (ReadU16(data) != (packet->count == 16 ? MAGIC_16 : MAGIC_32)) return false;
    packet->rate = (int)ReadU16(data + 2);
    packet->frame = (uint32_t)ReadU16(data + 4) | (uint32_t)ReadU16(data + 6) << 16;
    for (int i = 0; i < packet->count; ++i) packet->pulses[i] = (uint16_t)ReadU16(data + 8 + 2 * i);
    return packet->rate > 0;
}

double hwServo_GetCommand(uint16_t pulse) {
    if (pulse < 800 || pulse > 2200) return 0.0;
    double command = (pulse - 1500.0) / 400.0;
    return command < -1.0 ? -1.0 : (command > 1.0 ? 1.0 : command);
}

double hwServo_GetShare(uint16_t pulse) {
    if (pulse < 800 || pulse > 2200) return (double)NAN;
    return 0.5 * (1.0 + hwServo_GetCommand(pulse));
}

size_t hwArduPilot_WriteState(const hwNedState* ned, bool free, char* text, size_t size) {
    // `velocity` before anything that begins with it; no space before a colon, no number that is not finite
    int length = snprintf(
        text, size,
        "\n{\"timestamp\":%.9f,\"imu\":{\"gyro\":[%.9g,%.9g,%.9g],\"accel_body\":[%.9g,%.9g,%.9g]},"
        "\"position\":[%.12g,%.12g,%.12g],\"quaternion\":[%.9g,%.9g,%.9g,%.9g],\"velocity\":[%.9g,%.9g,%.9g]",
        ned->time, ned->rate.x, ned->rate.y, ned->rate.z, ned->specificForce.x, ned->specificForce.y,
        ned->specificForce.z, ned->position.x, ned->position.y, ned->position.z, ned->attitude.w,
        ned->attitude.x, ned->attitude.y, ned->attitude.z, ned->velocity.x, ned->velocity.y, ned->velocity.z);
    size_t used = (size_t)length < size ? (size_t)length : size - 1;
    if (isfinite(ned->altitude))
        used += (size_t)snprintf(text + used, size - used, ",\"rng_1\":%.6g", ned->altitude);
    if (free) used += (size_t)snprintf(text + used, size - used, ",\"no_time_sync\":1,\"no_lockstep\":1");
    used += (size_t)snprintf(text + used, size - used, "}\n");
    return used;
}
