// The life of an instance and its variables.
#define _POSIX_C_SOURCE 200809L
#include "apps/fmu/component_internal.h"

#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// All living instances, so that a pointer that is none is refused and not followed.
static pthread_mutex_t g_lock = PTHREAD_MUTEX_INITIALIZER;
static hwFmu* g_instances;

bool hwFmu_IsValid(const hwFmu* fmu) {
    pthread_mutex_lock(&g_lock);
    const hwFmu* at = g_instances;
    while (at != NULL && at != fmu) at = at->next;
    pthread_mutex_unlock(&g_lock);
    return at != NULL;
}

void hwFmu_Log(hwFmu* fmu, bool failed, const char* text) {
    if (fmu->def.log != NULL) fmu->def.log(fmu->def.logContext, failed, text);
}

bool hwFmu_Fail(hwFmu* fmu, const char* format, ...) {
    char text[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    hwFmu_Log(fmu, true, text);
    return false;
}

bool hwFmu_FailWith(hwFmu* fmu, const hwError* error) {
    if (error->line > 0)
        return hwFmu_Fail(fmu, "%d:%d: %s %s", error->line, error->column, error->message, error->hint);
    return hwFmu_Fail(fmu, "%s %s", error->message, error->hint);
}

void* hwFmu_GetLogContext(const hwFmu* fmu) {
    return fmu->def.logContext;
}

hwFmuPhase hwFmu_GetPhase(const hwFmu* fmu) {
    return fmu->phase;
}

double hwFmu_GetTime(const hwFmu* fmu) {
    return fmu->time;
}

bool hwFmu_Require(hwFmu* fmu, unsigned phases, const char* call) {
    static const char* const names[] = {
        "instantiated", "in initialization mode", "stepping", "in event mode", "terminated", "in error"};
    if (phases & 1u << fmu->phase) return true;
    return hwFmu_Fail(fmu, "%s is not allowed while the instance is %s.", call, names[fmu->phase]);
}

// Instances ------------------------------------------------------------------------------------------------------------------

void hwFmuState_Free(hwFmuState* state) {
    free(state->values);
    free(state->block);
    free(state);
}

void hwFmu_DropWorld(hwFmu* fmu) {
    hwDestroyWorld(fmu->world);
    hwDestroyScene(fmu->scene);
    fmu->world = NULL;
    fmu->scene = NULL;
    fmu->fresh = false;
}

static void FreeFmu(hwFmu* fmu) {
    hwFmu_DropWorld(fmu);
    while (fmu->states != NULL) {
        hwFmuState* next = fmu->states->next;
        hwFmuState_Free(fmu->states);
        fmu->states = next;
    }
    for (int i = 0; i < fmu->count; ++i) free(fmu->variables[i].name);
    for (int i = 0; i < fmu->endCount; ++i) free(fmu->ends[i].cable);
    for (int i = 0; i < fmu->portCount; ++i) free(fmu->ports[i].body);
    free(fmu->variables);
    free(fmu->starts);
    free(fmu->numbers.values);
    free(fmu->ends);
    free(fmu->ports);
    free(fmu->folder);
    free(fmu->scenePath);
    free(fmu);
}

static void ResetNumbers(hwFmu* fmu) {
    for (int i = 0; i < fmu->count; ++i) {
        fmu->numbers.values[i] = fmu->starts[i];
        fmu->numbers.applied[i] = (double)NAN;
    }
}

hwFmu* hwCreateFmu(const hwFmuDef* def) {
    hwFmu* fmu = calloc(1, sizeof(*fmu));
    if (fmu == NULL) return NULL;
    fmu->def = *def;
    fmu->folder = def->resources != NULL ? hwFmu_CopyText(def->resources, strlen(def->resources)) : NULL;
    bool good = true;
    if (fmu->folder == NULL) {
        good = hwFmu_Fail(fmu, "The unit needs the folder of its resources.");
    } else {
        good = hwFmu_ReadTable(fmu, def->token);
    }
    if (good) {
        fmu->numbers.values = malloc(2 * (size_t)fmu->count * sizeof(double));
        good = fmu->numbers.values != NULL;
        fmu->numbers.applied = fmu->numbers.values + fmu->count;
    }
    if (!good) {
        FreeFmu(fmu);
        return NULL;
    }
    ResetNumbers(fmu);
    fmu->lastStep = fmu->expectedStep;
    pthread_mutex_lock(&g_lock);
    fmu->next = g_instances;
    g_instances = fmu;
    pthread_mutex_unlock(&g_lock);
    return fmu;
}

void hwDestroyFmu(hwFmu* fmu) {
    pthread_mutex_lock(&g_lock);
    hwFmu** link = &g_instances;
    while (*link != NULL && *link != fmu) link = &(*link)->next;
    if (*link != NULL) *link = fmu->next;
    pthread_mutex_unlock(&g_lock);
    FreeFmu(fmu);
}

// Life ---------------------------------------------------------------------------------------------------------------------

bool hwFmu_SetExperiment(hwFmu* fmu, bool toleranceDefined, double tolerance, double start, bool stopDefined,
                         double stop) {
    if (toleranceDefined && (!isfinite(tolerance) || tolerance < 0.0)) {
        return hwFmu_Fail(fmu, "The tolerance is not a finite number of at least 0.");
    }
    if (!isfinite(start)) return hwFmu_Fail(fmu, "The start time is not a finite number.");
    if (stopDefined && !(stop > start)) return hwFmu_Fail(fmu, "The stop time must be after the start time.");
    fmu->experimentStart = fmu->time = start;
    fmu->startDefined = true;
    return true;
}

bool hwFmu_Break(hwFmu* fmu) {
    fmu->phase = HW_FMU_FAILED;
    return false;
}

bool hwFmu_EnterInitialization(hwFmu* fmu) {
    if (!hwFmu_MakeWorld(fmu)) return hwFmu_Break(fmu);
    if (!fmu->startDefined) fmu->experimentStart = fmu->time = fmu->worldStart;
    fmu->phase = HW_FMU_INITIALIZATION;
    return true;
}

bool hwFmu_ExitInitialization(hwFmu* fmu) {
    fmu->fresh = false;
    if (!hwFmu_MakeWorld(fmu)) return hwFmu_Break(fmu);
    if (!hwFmu_StartCouplings(fmu)) return false;
    if (!hwFmu_ReadOutputs(fmu)) return hwFmu_Break(fmu);
    fmu->phase = fmu->def.eventMode ? HW_FMU_EVENT : HW_FMU_STEPPING;
    return true;
}

bool hwFmu_HasEventMode(const hwFmu* fmu) {
    return fmu->def.eventMode;
}

bool hwFmu_EnterEventMode(hwFmu* fmu) {
    if (!fmu->def.eventMode) return hwFmu_Fail(fmu, "This instance was made without event mode.");
    fmu->phase = HW_FMU_EVENT;
    return true;
}

bool hwFmu_EnterStepMode(hwFmu* fmu) {
    fmu->phase = HW_FMU_STEPPING;
    return true;
}

bool hwFmu_Terminate(hwFmu* fmu) {
    fmu->phase = HW_FMU_TERMINATED;
    return true;
}

bool hwFmu_Reset(hwFmu* fmu) {
    hwFmu_DropWorld(fmu);
    ResetNumbers(fmu);
    fmu->phase = HW_FMU_INSTANTIATED;
    fmu->startDefined = false;
    fmu->time = 0.0;
    fmu->lastStep = fmu->expectedStep;
    fmu->stale = false;
    return true;
}

// Variables ------------------------------------------------------------------------------------------------------------------

static bool CheckReference(hwFmu* fmu, uint32_t reference) {
    if (reference < (uint32_t)fmu->count) return true;
    return hwFmu_Fail(fmu, "There is no variable with the value reference %u.", reference);
}

bool hwFmu_Get(hwFmu* fmu, const uint32_t* references, size_t count, double* values) {
    if (count > 0 && (references == NULL || values == NULL))
        return hwFmu_Fail(fmu, "Getting needs value references and room for the values.");
    for (size_t i = 0; i < count; ++i) {
        if (!CheckReference(fmu, references[i])) return false;
        const Variable* variable = &fmu->variables[references[i]];
        if (variable->source == SOURCE_TIME) {
            values[i] = fmu->time;
            continue;
        }
        bool placed = variable->source == SOURCE_END && fmu->world == NULL;
        if ((!variable->writable || placed) && fmu->phase != HW_FMU_FAILED && !hwFmu_ReadOutputs(fmu))
            return false;
        values[i] = fmu->numbers.values[references[i]];
    }
    return true;
}

static bool IsRunning(const hwFmu* fmu) {
    return fmu->phase == HW_FMU_STEPPING || fmu->phase == HW_FMU_EVENT;
}

static bool CheckSettable(hwFmu* fmu, uint32_t reference, double value) {
    if (!CheckReference(fmu, reference)) return false;
    const Variable* variable = &fmu->variables[reference];
    if (!variable->writable)
        return hwFmu_Fail(fmu, "Variable %u is no input or parameter and cannot be set.", reference);
    if (!isfinite(value)) return hwFmu_Fail(fmu, "Variable %u cannot be set to %g.", reference, value);
    if (variable->source == SOURCE_PARAMETER && IsRunning(fmu))
        return hwFmu_Fail(fmu, "The parameter %s is fixed once the unit runs.", variable->name);
    return true;
}

static bool SetOne(hwFmu* fmu, uint32_t reference, double value) {
    const Variable* variable = &fmu->variables[reference];
    if (variable->source == SOURCE_PARAMETER) {
        if (value != fmu->numbers.values[reference]) fmu->stale = true;
        fmu->numbers.values[reference] = value;
        return true;
    }
    // An input is the scene's own doing until it is given a value other than the one it has had: masters that pass every start
    // value on do not stop what the scene does with it.
    bool same = value == fmu->numbers.values[reference];
    fmu->numbers.values[reference] = value;
    if (variable->source != SOURCE_INPUT) {
        fmu->numbers.applied[reference] = value;
        return true;
    }
    if (fmu->world == NULL || fmu->stale || (same && isnan(fmu->numbers.applied[reference]))) return true;
    if (!IsRunning(fmu)) fmu->fresh = false;
    return hwFmu_ApplyInput(fmu, (int)reference);
}

bool hwFmu_Set(hwFmu* fmu, const uint32_t* references, size_t count, const double* values) {
    if (count > 0 && (references == NULL || values == NULL))
        return hwFmu_Fail(fmu, "Setting needs value references and values.");
    // all or nothing: a call that fails leaves the instance as it was
    for (size_t i = 0; i < count; ++i) {
        if (!CheckSettable(fmu, references[i], values[i])) return false;
    }
    for (size_t i = 0; i < count; ++i) {
        if (!SetOne(fmu, references[i], values[i])) return false;
    }
    return true;
}
