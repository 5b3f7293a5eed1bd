// Timing of stages inside a world.
#ifndef HW_API_PROFILE_H
#define HW_API_PROFILE_H

#include "hawser/profile.h"

typedef struct hwStageTimer {
    hwClockFn* clock; // null: nothing is timed
    void* context;
    hwProfile profile;
} hwStageTimer;

// The time now, to be given to hwStageTimer_End.
static inline double hwStageTimer_Begin(const hwStageTimer* timer) {
    return timer->clock != NULL ? timer->clock(timer->context) : 0.0;
}

static inline void hwStageTimer_End(hwStageTimer* timer, hwStage stage, double begin) {
    if (timer->clock == NULL) return;
    timer->profile.seconds[stage] += timer->clock(timer->context) - begin;
    timer->profile.calls[stage] += 1;
}

// Of hwWorld_Step as a whole.
static inline void hwStageTimer_EndStep(hwStageTimer* timer, double begin) {
    if (timer->clock == NULL) return;
    timer->profile.step += timer->clock(timer->context) - begin;
    timer->profile.steps += 1;
}

#endif
