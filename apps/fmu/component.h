// One instance of a scene as a functional mock-up unit: variables by number, steps, states. Both versions of FMI sit on it.
#ifndef HW_FMU_COMPONENT_H
#define HW_FMU_COMPONENT_H

#include "hawser/base.h"

// Where an instance is in its life.
typedef enum hwFmuPhase {
    HW_FMU_INSTANTIATED,
    HW_FMU_INITIALIZATION,
    HW_FMU_STEPPING,
    HW_FMU_EVENT, // inputs may change at once; only of instances with event mode
    HW_FMU_TERMINATED,
    HW_FMU_FAILED, // after an error; reset and free are allowed
} hwFmuPhase;

typedef struct hwFmu hwFmu;
typedef struct hwFmuState hwFmuState;

// Receives one sentence about a call that failed, or a warning.
typedef void hwFmuLogFn(void* context, bool failed, const char* text);

typedef struct hwFmuDef {
    const char* resources; // folder
    const char* token;     // that the master has from the description
    bool early;            // the master lets a step end early: at events
    bool eventMode;        // after initialization and after each event the master passes through event mode
    hwFmuLogFn* log;
    void* logContext;
} hwFmuDef;

// Null when the folder is not that of a scene or the token is another's; the reason goes to the log.
hwFmu* hwCreateFmu(const hwFmuDef* def);
void hwDestroyFmu(hwFmu* fmu);
// True while the pointer is that of a living instance: masters may pass anything.
bool hwFmu_IsValid(const hwFmu* fmu);

void* hwFmu_GetLogContext(const hwFmu* fmu);
hwFmuPhase hwFmu_GetPhase(const hwFmu* fmu);
double hwFmu_GetTime(const hwFmu* fmu);
// Logs a failure and returns false. A fatal one ends the instance's stepping.
bool hwFmu_Fail(hwFmu* fmu, const char* format, ...) __attribute__((format(printf, 2, 3)));
// False with a log line unless the instance is in one of the phases, given as bits 1 << phase.
bool hwFmu_Require(hwFmu* fmu, unsigned phases, const char* call);

// The tolerance is looked at, not used: the scene says how exact it is.
bool hwFmu_SetExperiment(hwFmu* fmu, bool toleranceDefined, double tolerance, double start, bool stopDefined,
                         double stop);
bool hwFmu_EnterInitialization(hwFmu* fmu);
bool hwFmu_ExitInitialization(hwFmu* fmu);
bool hwFmu_HasEventMode(const hwFmu* fmu);
// False with a log line when the instance was made without event mode.
bool hwFmu_EnterEventMode(hwFmu* fmu);
bool hwFmu_EnterStepMode(hwFmu* fmu);
bool hwFmu_Terminate(hwFmu* fmu);
bool hwFmu_Reset(hwFmu* fmu);

// `kinds` of variables by number; all are double-precision numbers.
bool hwFmu_Get(hwFmu* fmu, const uint32_t* references, size_t count, double* values);
bool hwFmu_Set(hwFmu* fmu, const uint32_t* references, size_t count, const double* values);

// Steps from `time` by `step`. `reached` is where it ended, which is earlier than asked only when that is allowed and
// something happened; `event` then says so, also where that was at the very end.
bool hwFmu_Step(hwFmu* fmu, double time, double step, double* reached, bool* event);

hwFmuState* hwFmu_SaveState(hwFmu* fmu, hwFmuState* into);
bool hwFmu_RestoreState(hwFmu* fmu, const hwFmuState* state);
bool hwFmu_FreeState(hwFmu* fmu, hwFmuState* state);
bool hwFmu_GetStateSize(hwFmu* fmu, const hwFmuState* state, size_t* size);
bool hwFmu_WriteState(hwFmu* fmu, const hwFmuState* state, unsigned char* bytes, size_t size);
hwFmuState* hwFmu_ReadState(hwFmu* fmu, const unsigned char* bytes, size_t size);

#endif
