/// @file profile.h
/// Where a step's time goes, by the host's clock.
#ifndef HAWSER_PROFILE_H
#define HAWSER_PROFILE_H

#include "hawser/base.h"
#include "hawser/body.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Stages of a step. One that another needs counts in both.
typedef enum hwStage {
    HW_STAGE_FIND_CONTACTS, ///< which things may touch during the next sub-step
    HW_STAGE_EVALUATE,      ///< all forces at a point
    HW_STAGE_FACTOR,        ///< of the implicit solver's matrix
    HW_STAGE_SOLVE,         ///< with these factors
    HW_STAGE_FINISH,        ///< after an accepted sub-step: friction's memory, payout, parting
    HW_STAGE_COUNT          ///< 5
} hwStage;

/// Seconds by any clock that does not go back; called in the thread that steps.
typedef double hwClockFn(void* context);

/// Times the stages from now on with this clock, from zero; null ends it. Without a clock a stage costs one comparison.
HW_API void hwWorld_SetClock(hwWorld* world, hwClockFn* clock, void* context);

/// Times since hwWorld_SetClock or hwWorld_ResetProfile.
typedef struct hwProfile {
    double seconds[HW_STAGE_COUNT]; ///< s, of each stage
    uint64_t calls[HW_STAGE_COUNT]; ///< how often each was entered
    double step;                    ///< s, within hwWorld_Step as a whole
    uint64_t steps;                 ///< calls of hwWorld_Step
} hwProfile;

/// The times now; zeros without a clock.
HW_API hwProfile hwWorld_GetProfile(const hwWorld* world);
/// Starts again from zero.
HW_API void hwWorld_ResetProfile(hwWorld* world);
/// The stage in a few words, for example "find contacts". Never null.
HW_API const char* hwStage_GetText(hwStage stage);

#ifdef __cplusplus
}
#endif
#endif
