// Channels of cables that wrap: CABLE.wrap.*.
#include "parts/wraps/wraps.h"
#include "record/channels.h"

#include <math.h>
#include <stdio.h>

enum { WRAP_ARCS, WRAP_CORNERS, WRAP_ANGLE, WRAP_CAPSTAN, WRAP_SLIPS, WRAP_STUCK, WRAP_LENGTH, WRAP_LOST };

// By the rules of seed 000 corners are collision points, each an arc; all slip or all are stuck.
static double ReadSeed(const hwWorld* world, int number, int component) {
    const hwSeedState* state = world->state.wraps->stores[number].seed;
    switch (component) {
    case WRAP_ANGLE:
        return hwSeedWrap_GetAngle(world, number);
    case WRAP_CAPSTAN:
        return state->stuck ? HUGE_VAL : 1.0;
    case WRAP_SLIPS:
        return state->stuck ? 0.0 : state->count;
    case WRAP_STUCK:
        return state->stuck ? state->count : 0.0;
    case WRAP_LENGTH:
        return hwSeedPath_GetLength(&world->work->wraps->tools[number].seedPath);
    case WRAP_LOST:
        return state->lost;
    default:
        return state->count;
    }
}

static double ReadWrap(const hwWorld* world, int number, int component) {
    const hwWrap* wrap = &world->model.wraps->items[number];
    if (!hwWorld_HasCable(world, wrap->slot)) return (double)NAN;
    const hwWrapPath* path = &world->work->wraps->tools[number].path;
    const hwWrapState* state = world->state.wraps->stores[number].state;
    if (hwWraps_IsSeed(world, number)) return ReadSeed(world, number, component);
    double exponent = 0.0, slips = 0.0;
    for (int k = 0; k + 1 < path->spanCount; ++k) {
        exponent += path->mu[k] * path->angle[k];
        slips += state->slip[k] != 0;
    }
    switch (component) {
    case WRAP_ARCS:
        return hwFmax(path->spanCount - 1, 0.0);
    case WRAP_CORNERS:
        return path->count;
    case WRAP_ANGLE:
        return hwWrapPath_GetAngle(path);
    case WRAP_CAPSTAN:
        return hwExp(exponent);
    case WRAP_SLIPS:
        return slips;
    case WRAP_STUCK:
        return hwFmax(path->spanCount - 1, 0.0) - slips;
    case WRAP_LENGTH: {
        double sum = 0.0;
        for (int i = 0; i <= path->count; ++i) sum += path->rest[i];
        return sum;
    }
    default:
        return state->lost;
    }
}

static const hwChannelRow wrapRows[] = {
    {"wrap.arcs", "1", ReadWrap, WRAP_ARCS},      {"wrap.corners", "1", ReadWrap, WRAP_CORNERS},
    {"wrap.angle", "rad", ReadWrap, WRAP_ANGLE},  {"wrap.capstan", "1", ReadWrap, WRAP_CAPSTAN},
    {"wrap.slipping", "1", ReadWrap, WRAP_SLIPS}, {"wrap.stuck", "1", ReadWrap, WRAP_STUCK},
    {"wrap.length", "m", ReadWrap, WRAP_LENGTH},  {"wrap.lost", "1", ReadWrap, WRAP_LOST}};

void hwWraps_AddChannels(hwTableBuilder* builder, const hwWorld* world, const hwModel* model) {
    (void)world;
    for (int i = 0; i < model->wraps->count; ++i) {
        const char* cable = model->cables->slots[model->wraps->items[i].slot].name;
        hwTable_AddChannels(builder, cable, HW_ROW_COUNT(wrapRows), wrapRows, i);
    }
}
