// What a flight keeps of its world: which channels, and how many digits of each.
#include "hawser/flight.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool EndsWith(const char* text, const char* end) {
    size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
}

static bool IsWanted(const char* name) {
    static const char* const parts[] = {".acceleration.", ".curvature.", ".energy", ".qdd"};
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); ++i) {
        if (strstr(name, parts[i]) != NULL) return false;
    }
    if (strstr(name, ".node[") != NULL) return strstr(name, "].velocity.") == NULL;
    if (strstr(name, ".element[") != NULL) return EndsWith(name, "].tension");
    return true;
}

// Name of the body that a channel belongs to, when it is one that never moves.
static bool IsFixed(const hwWorld* world, int count, const hwBodyId* bodies, const char* name) {
    for (int i = 0; i < count; ++i) {
        const char* body = hwBody_GetName(world, bodies[i]);
        size_t length = strlen(body);
        if (strncmp(name, body, length) != 0 || name[length] != '.') continue;
        // contacts with it are news
        if (hwBody_GetDef(world, bodies[i])->motion == HW_MOTION_FIXED &&
            strncmp(name + length, ".contact", 8) != 0) {
            return true;
        }
    }
    return false;
}

int hwSelectFlightChannels(const hwWorld* world, int* channels) {
    int bodyCount = hwWorld_GetBodies(world, 0, NULL), count = 0;
    hwBodyId* bodies = calloc((size_t)bodyCount + 1, sizeof(*bodies));
    if (bodies == NULL) return 0;
    hwWorld_GetBodies(world, bodyCount, bodies);
    for (int i = 0; i < hwWorld_GetChannelCount(world); ++i) {
        const char* name = hwWorld_GetChannel(world, i).name;
        if (IsWanted(name) && !IsFixed(world, bodyCount, bodies, name)) channels[count++] = i;
    }
    free(bodies);
    return count;
}

// Places along cables: 2^-11 m, half a millimetre. What else nodes and elements have: 12 bits, 1/8000 of the value. They are for
// pictures, and many; the rest keeps the 24 bits of a float, and world.time and its fellows all.
typedef enum Rounding { ROUND_NONE, ROUND_SINGLE, ROUND_PLACE, ROUND_COARSE } Rounding;
#define PLACE_UNITS 2048.0
#define COARSE_BITS 12

void hwGetFlightRounding(const hwWorld* world, int count, const int* channels, unsigned char* rounding) {
    for (int i = 0; i < count; ++i) {
        const char* name = hwWorld_GetChannel(world, channels[i]).name;
        bool node = strstr(name, ".node[") != NULL, element = strstr(name, ".element[") != NULL;
        rounding[i] = (unsigned char)(strncmp(name, "world.", 6) == 0               ? ROUND_NONE
                                      : node && strstr(name, "].position.") != NULL ? ROUND_PLACE
                                      : node || element                             ? ROUND_COARSE
                                                                                    : ROUND_SINGLE);
    }
}

static double RoundValue(Rounding rounding, double value) {
    double size = fabs(value);
    // not for what is no number, nor for what a float or a whole number cannot hold
    if (!(size < 1e15)) return value;
    if (rounding == ROUND_SINGLE) return (double)(float)value;
    if (rounding == ROUND_PLACE) {
        double units = size * PLACE_UNITS + 0.5;
        return copysign((double)(int64_t)units / PLACE_UNITS, value);
    }
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    bits += (uint64_t)1 << (51 - COARSE_BITS);
    bits &= ~(((uint64_t)1 << (52 - COARSE_BITS)) - 1);
    memcpy(&value, &bits, sizeof(value));
    return value;
}

void hwRoundFlightRow(int count, const unsigned char* rounding, double* row) {
    for (int i = 0; i < count; ++i) {
        // most columns of a flight with spare tether hold nothing
        if (rounding[i] != ROUND_NONE && row[i] != 0.0) row[i] = RoundValue((Rounding)rounding[i], row[i]);
    }
}

void hwReadFlightRow(const hwWorld* world, int count, const int* channels, const unsigned char* rounding,
                     double* row) {
    hwWorld_ReadChannels(world, count, channels, row);
    hwRoundFlightRow(count, rounding, row);
}
