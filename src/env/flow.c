#include "env/flow.h"

#include "control/signal_data.h"

#include <string.h>

// Which entry of an increasing list a value comes after, and how far it is on the way to the next, 0 to 1.
static int FindPlace(const double* list, int count, double value, double* share) {
    int low = 0, high = count - 1;
    *share = 0.0;
    if (!(value > list[0])) return 0;
    if (value >= list[high]) return high;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (value < list[middle]) {
            high = middle;
        } else {
            low = middle;
        }
    }
    *share = (value - list[low]) / (list[high] - list[low]);
    return low;
}

// Velocity of the profile at one of its levels, and its rate (m/s2).
static hwVec3 GetRow(const hwFlowDef* def, const hwFlowMoment* moment, int level, hwVec3* rate) {
    const hwVec3* row = def->velocities + (size_t)moment->row * (size_t)def->count + level;
    *rate = hwVec3_zero;
    if (moment->perSecond == 0.0) return *row;
    hwVec3 change = hwSub(row[def->count], *row);
    *rate = hwScale(moment->perSecond, change);
    return hwMulAdd(*row, moment->share, change);
}

// The profile at a level, its slope (1/s) and its rate (m/s2).
static hwVec3 GetProfile(const hwFlowDef* def, const hwFlowMoment* moment, double level, hwVec3* slope,
                         hwVec3* rate) {
    double share;
    *slope = *rate = hwVec3_zero;
    if (def->count <= 0) return hwVec3_zero;
    int low = FindPlace(def->levels, def->count, level, &share);
    hwVec3 velocity = GetRow(def, moment, low, rate);
    // at the ends, and exactly at the first level, the profile is that of one level
    bool between = low < def->count - 1 && level > def->levels[0];
    if (!between) return velocity;
    hwVec3 nextRate, next = GetRow(def, moment, low + 1, &nextRate), change = hwSub(next, velocity);
    *slope = hwScale(1.0 / (def->levels[low + 1] - def->levels[low]), change);
    *rate = hwMulAdd(*rate, share, hwSub(nextRate, *rate));
    return hwMulAdd(velocity, share, change);
}

static void FindTime(const hwFlowDef* def, double time, hwFlowMoment* moment) {
    if (def->timeCount <= 0) return;
    moment->row = FindPlace(def->times, def->timeCount, time, &moment->share);
    bool between = moment->row < def->timeCount - 1 && time > def->times[0];
    if (between) moment->perSecond = 1.0 / (def->times[moment->row + 1] - def->times[moment->row]);
}

double hwComputeMeanSpeed(const hwFlowDef* def) {
    double sum = 0.0;
    for (int i = 0; i < 360; i++) {
        hwVec3 slope, rate;
        hwFlowMoment moment = {0};
        FindTime(def, 10.0 * i, &moment);
        hwVec3 profile = GetProfile(def, &moment, 10.0, &slope, &rate);
        sum += hwLength(hwAdd(profile, hwSignal_Evaluate(&def->uniform, 10.0 * i).value));
    }
    return sum / 360.0;
}

void hwFlow_Layout(hwFlow* flow, hwArena* arena, const hwFlowDef* def, double upwards, double surface) {
    flow->def = *def;
    flow->upwards = upwards;
    flow->surface = surface;
    flow->def.uniform = hwCopySignal(arena, &def->uniform);
    double* levels = HW_TAKE(arena, double, def->count);
    int rows = def->timeCount > 0 ? def->timeCount : 1;
    hwVec3* velocities = HW_TAKE(arena, hwVec3, (size_t)rows * (size_t)def->count);
    double* times = HW_TAKE(arena, double, def->timeCount);
    flow->def.levels = levels;
    flow->def.velocities = velocities;
    flow->def.times = times;
    if (arena->base == NULL) return;
    if (def->count > 0) {
        memcpy(levels, def->levels, (size_t)def->count * sizeof(double));
        memcpy(velocities, def->velocities, (size_t)rows * (size_t)def->count * sizeof(hwVec3));
    }
    if (def->timeCount > 0) memcpy(times, def->times, (size_t)def->timeCount * sizeof(double));
    if (def->gust > 0.0) hwGust_Fill(&flow->gust, def->gust, hwComputeMeanSpeed(&flow->def), def->gustSeed);
}

hwFlowMoment hwFlow_GetMoment(const hwFlow* flow, double time) {
    hwFlowMoment moment = {.factor = 1.0};
    FindTime(&flow->def, time, &moment);
    if (flow->def.uniform.termCount == 0 && flow->gust.amplitude == 0.0) return moment;
    hwSignalValue uniform = hwSignal_Evaluate(&flow->def.uniform, time);
    moment.uniform = uniform.value;
    moment.rate = uniform.rate;
    hwGust_Evaluate(&flow->gust, time, &moment.factor, &moment.factorRate);
    moment.factor += 1.0;
    return moment;
}

// V = (1 + g(t)) (U(t) + P(z, t)); a particle is carried with V, so its acceleration is dV/dt + V_z dV/dz. The last term
// is zero for horizontal flow; for a profile that also rises or sinks it is what steady shear gives.
void hwFlow_Evaluate(const hwFlow* flow, const hwFlowMoment* moment, double z, hwVec3* velocity,
                     hwVec3* acceleration) {
    hwVec3 slope, rate;
    double level = flow->upwards * (z - flow->surface);
    hwVec3 mean = hwAdd(moment->uniform, GetProfile(&flow->def, moment, level, &slope, &rate));
    double factor = moment->factor;
    *velocity = hwScale(factor, mean);
    hwVec3 change = hwMulAdd(hwAdd(moment->rate, rate), velocity->z * flow->upwards, slope);
    *acceleration = hwMulAdd(hwScale(factor, change), moment->factorRate, mean);
}
