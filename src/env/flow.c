#include "env/flow.h"

#include "control/signal_data.h"

#include <string.h>

// The profile at a level and its slope (1/s).
static hwVec3 GetProfile(const hwFlowDef* def, double level, hwVec3* slope) {
    *slope = hwVec3_zero;
    int last = def->count - 1;
    if (last < 0) return hwVec3_zero;
    if (!(level > def->levels[0])) return def->velocities[0];
    if (level >= def->levels[last]) return def->velocities[last];
    int low = 0, high = last;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (level < def->levels[middle]) {
            high = middle;
        } else {
            low = middle;
        }
    }
    double step = def->levels[high] - def->levels[low];
    hwVec3 change = hwSub(def->velocities[high], def->velocities[low]);
    *slope = hwScale(1.0 / step, change);
    return hwMulAdd(def->velocities[low], (level - def->levels[low]) / step, change);
}

double hwComputeMeanSpeed(const hwFlowDef* def) {
    hwVec3 slope;
    hwVec3 profile = GetProfile(def, 10.0, &slope);
    double sum = 0.0;
    for (int i = 0; i < 360; i++) {
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
    hwVec3* velocities = HW_TAKE(arena, hwVec3, def->count);
    flow->def.levels = levels;
    flow->def.velocities = velocities;
    if (arena->base == NULL) return;
    if (def->count > 0) {
        memcpy(levels, def->levels, (size_t)def->count * sizeof(double));
        memcpy(velocities, def->velocities, (size_t)def->count * sizeof(hwVec3));
    }
    if (def->gust > 0.0) hwGust_Fill(&flow->gust, def->gust, hwComputeMeanSpeed(&flow->def), def->gustSeed);
}

hwFlowMoment hwFlow_GetMoment(const hwFlow* flow, double time) {
    if (flow->def.uniform.termCount == 0 && flow->gust.amplitude == 0.0) {
        return (hwFlowMoment){hwVec3_zero, hwVec3_zero, 1.0, 0.0};
    }
    hwSignalValue uniform = hwSignal_Evaluate(&flow->def.uniform, time);
    hwFlowMoment moment = {uniform.value, uniform.rate, 0.0, 0.0};
    hwGust_Evaluate(&flow->gust, time, &moment.factor, &moment.factorRate);
    moment.factor += 1.0;
    return moment;
}

// V = (1 + g(t)) (U(t) + P(z)); a particle is carried with V, so its acceleration is dV/dt + V_z dV/dz. The last term
// is zero for horizontal flow; for a profile that also rises or sinks it is what steady shear gives.
void hwFlow_Evaluate(const hwFlow* flow, const hwFlowMoment* moment, double z, hwVec3* velocity,
                     hwVec3* acceleration) {
    hwVec3 slope;
    hwVec3 mean = hwAdd(moment->uniform, GetProfile(&flow->def, flow->upwards * (z - flow->surface), &slope));
    double factor = moment->factor;
    *velocity = hwScale(factor, mean);
    hwVec3 change = hwMulAdd(moment->rate, velocity->z * flow->upwards, slope);
    *acceleration = hwMulAdd(hwScale(factor, change), moment->factorRate, mean);
}
