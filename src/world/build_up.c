// The time before a run, in which the sea and given motions grow to what they are: hwWorldDef.buildUp. Of a given motion, term
// by term, sines grow about their offsets, what goes with one velocity all the time (a tow) goes on with it, and everything
// else grows from where it is when the build-up begins.
#include "world/part.h"

#include <math.h>

#define MOMENTS 8 // at which the velocity of a term is looked at
#define SAME 1e-9 // of its size: two velocities are one

double hwWorld_GetFirstTime(const hwWorld* world) {
    return world->def.time - world->def.buildUp;
}

static bool IsSteady(const hwSignal* term, double from, double span) {
    hwVec3 rate = hwSignal_Evaluate(term, from).rate;
    for (int i = 1; i <= MOMENTS; ++i) {
        hwVec3 later = hwSignal_Evaluate(term, from + span * i / MOMENTS).rate;
        if (hwDistance(rate, later) > SAME * hwLength(rate)) return false;
    }
    return true;
}

hwSignalValue hwWorld_FollowPath(const hwWorld* world, const hwSignal* signal, double time) {
    double span = world->def.buildUp, from = hwWorld_GetFirstTime(world);
    bool built = span > 0.0 && time < world->def.time;
    if (!built && hwEnvironment_GetLull(world->environment) == 0.0) return hwSignal_Evaluate(signal, time);
    hwVec3 g = hwEnvironment_GetGrowth(world->environment, time);
    hwSignalValue sum = {hwVec3_zero, hwVec3_zero, hwVec3_zero};
    for (int i = 0; i < signal->termCount; ++i) {
        hwSignal term = {1, &signal->terms[i]};
        hwSignalValue x = hwSignal_Evaluate(&term, time);
        bool sine = signal->terms[i].kind == HW_SIGNAL_SINE;
        if (sine || (built && !IsSteady(&term, from, span))) {
            hwVec3 base = sine ? signal->terms[i].offset : hwSignal_Evaluate(&term, from).value;
            hwVec3 way = hwSub(x.value, base);
            x.acceleration = hwMulAdd(hwMulAdd(hwScale(g.x, x.acceleration), 2.0 * g.y, x.rate), g.z, way);
            x.rate = hwMulAdd(hwScale(g.x, x.rate), g.y, way);
            x.value = hwMulAdd(base, g.x, way);
        }
        sum.value = hwAdd(sum.value, x.value);
        sum.rate = hwAdd(sum.rate, x.rate);
        sum.acceleration = hwAdd(sum.acceleration, x.acceleration);
    }
    return sum;
}

hwStatus hwWorld_CheckBuildUp(const hwWorld* world, const hwEnvironmentDef* environment, hwError* error) {
    if (!(world->def.buildUp > 0.0) || !(environment->waveRamp > 0.0)) return HW_OK;
    hwStatus status =
        hwFailField(error, HW_ERROR_ARGUMENT, "environment", "waveRamp",
                    "the waves grow with the build-up of %g s before the start; a ramp of their own, "
                    "%g s from the start on, contradicts it",
                    world->def.buildUp, environment->waveRamp);
    hwFail_Hint(error, "take out one of the two: `start.build_up` or `waves.ramp`");
    return status;
}

hwStatus hwWorld_BuildUp(hwWorld* world, hwError* error) {
    hwClearError(error);
    hwStatus status = hwWorld_RequirePrepared(world, error);
    if (status != HW_OK) return status;
    double left = world->def.time - hwWorld_GetTime(world);
    if (!(world->def.buildUp > 0.0) || !(left > 0.0)) return HW_OK;
    status = hwWorld_Step(world, left, error);
    if (status < HW_OK) return status;
    // by rounding of the sum
    world->state.header->time = world->def.time;
    world->state.header->counters = (hwCounters){0};
    return HW_OK;
}
