// Reading the times of stages.
#include "api/profile.h"

#include "world/cable_slots.h"

#include <string.h>

void hwWorld_SetClock(hwWorld* world, hwClockFn* clock, void* context) {
    world->work->timer.clock = clock;
    world->work->timer.context = context;
    hwWorld_ResetProfile(world);
}

hwProfile hwWorld_GetProfile(const hwWorld* world) {
    return world->work->timer.profile;
}

void hwWorld_ResetProfile(hwWorld* world) {
    memset(&world->work->timer.profile, 0, sizeof(world->work->timer.profile));
}

const char* hwStage_GetText(hwStage stage) {
    switch (stage) {
    case HW_STAGE_FIND_CONTACTS:
        return "find contacts";
    case HW_STAGE_EVALUATE:
        return "evaluate";
    case HW_STAGE_FACTOR:
        return "factor";
    case HW_STAGE_SOLVE:
        return "solve";
    case HW_STAGE_FINISH:
        return "finish";
    case HW_STAGE_COUNT:
        break;
    }
    return "unknown stage";
}
