// The world of an instance: made of the scene with the parameters, read, stepped.
#define _POSIX_C_SOURCE 200809L
#include "apps/fmu/component_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_STEP 86400.0 // s; longer ones are mistakes of units

static void LogWorld(hwLogLevel level, const char* text, void* context) {
    if (level == HW_LOG_WARNING) hwFmu_Log(context, false, text);
}

static bool IsStopped(void* context) {
    return ((hwFmu*)context)->stop;
}

// After each sub-step: a step that may end early does so where something happened.
static void WatchEvents(const hwWorld* world, void* context) {
    const hwStepEvent* events;
    if (hwWorld_GetStepEvents(world, &events, NULL) > 0) ((hwFmu*)context)->stop = true;
}

// Channels of nodes and elements follow one another at equal strides; where they do not, nothing is noted.
static void FindNodes(const hwWorld* world, Variable* variable) {
    variable->stride = 0;
    const char *node = strstr(variable->name, ".node["), *element = strstr(variable->name, ".element[");
    const char* at = node != NULL ? node : element;
    if (at == NULL) return;
    char name[256];
    int own = atoi(strchr(at, '[') + 1), indices[2];
    const char* rest = strchr(at, ']');
    int head = (int)(strchr(at, '[') - variable->name);
    for (int i = 0; i < 2; ++i) {
        if (rest == NULL ||
            (size_t)snprintf(name, sizeof(name), "%.*s[%d%s", head, variable->name, i, rest) >= sizeof(name))
            return;
        indices[i] = hwWorld_FindChannel(world, name);
    }
    snprintf(name, sizeof(name), "%.*s", (int)(at - variable->name), variable->name);
    variable->cable = hwWorld_FindCable(world, name);
    int stride = indices[1] - indices[0];
    if (indices[0] < 0 || indices[1] < 0 || HW_IS_NULL(variable->cable) ||
        variable->index != indices[0] + own * stride)
        return;
    variable->first = indices[0];
    variable->stride = stride;
    variable->element = node == NULL;
}

// A node or element that is not paid out, or is back on the drum, has no numbers of its own. Masters do not take what is not a
// number: it is where the last one of the cable is, from where it comes and to where it goes.
static double ReadLast(const hwFmu* fmu, const Variable* variable) {
    hwCableView view;
    if (hwCable_GetView(fmu->world, variable->cable, &view, NULL) < HW_OK || view.nodeCount < 2)
        return (double)NAN;
    int last = view.nodeCount - (variable->element ? 2 : 1);
    return hwWorld_ReadChannel(fmu->world, variable->first + last * variable->stride);
}

static bool FindObjects(hwFmu* fmu) {
    for (int i = 0; i < fmu->count; ++i) {
        Variable* variable = &fmu->variables[i];
        if (variable->source == SOURCE_CHANNEL) {
            variable->index = hwWorld_FindChannel(fmu->world, variable->name);
            FindNodes(fmu->world, variable);
        }
        if (variable->source == SOURCE_INPUT) variable->index = hwWorld_FindInput(fmu->world, variable->name);
        if (variable->source >= SOURCE_CHANNEL && variable->source <= SOURCE_INPUT && variable->index < 0)
            return hwFmu_Fail(fmu, "With these parameters the scene has no %s.", variable->name);
    }
    for (int i = 0; i < fmu->endCount; ++i) {
        fmu->ends[i].id = hwWorld_FindCable(fmu->world, fmu->ends[i].cable);
        if (HW_IS_NULL(fmu->ends[i].id))
            return hwFmu_Fail(fmu, "With these parameters the scene has no cable %s.", fmu->ends[i].cable);
    }
    for (int i = 0; i < fmu->portCount; ++i) {
        fmu->ports[i].id = hwWorld_FindBody(fmu->world, fmu->ports[i].body);
        if (HW_IS_NULL(fmu->ports[i].id))
            return hwFmu_Fail(fmu, "With these parameters the scene has no body %s.", fmu->ports[i].body);
    }
    return true;
}

bool hwFmu_ApplyInput(hwFmu* fmu, int number) {
    double value = fmu->numbers.values[number];
    if (fmu->numbers.applied[number] == value) return true;
    hwError error;
    if (hwWorld_SetInput(fmu->world, fmu->variables[number].index, value, &error) < 0)
        return hwFmu_FailWith(fmu, &error);
    fmu->numbers.applied[number] = value;
    return true;
}

// Makes the world of the scene with the parameters that were set.
bool hwFmu_MakeWorld(hwFmu* fmu) {
    if (fmu->world != NULL && !fmu->stale) return true;
    hwFmu_DropWorld(fmu);
    int setCount = 0;
    char(*sets)[400] = malloc((size_t)fmu->count * sizeof(*sets));
    const char** list = malloc((size_t)fmu->count * sizeof(*list));
    bool good = sets != NULL && list != NULL;
    for (int i = 0; good && i < fmu->count; ++i) {
        bool changed = fmu->numbers.values[i] != fmu->starts[i];
        if (fmu->variables[i].source != SOURCE_PARAMETER || !changed) continue;
        snprintf(sets[setCount], sizeof(*sets), "%s=%.17g", fmu->variables[i].name, fmu->numbers.values[i]);
        list[setCount] = sets[setCount];
        setCount++;
    }
    hwError error;
    if (good) fmu->scene = hwLoadSceneWith(fmu->scenePath, setCount, list, &error);
    free(sets);
    free(list);
    if (!good) return hwFmu_Fail(fmu, "There is no memory.");
    if (fmu->scene == NULL) return hwFmu_FailWith(fmu, &error);
    hwWorldDef def = hwDefaultWorldDef();
    def.log = LogWorld;
    def.logContext = fmu;
    def.stop = IsStopped;
    def.stopContext = fmu;
    fmu->stop = false;
    fmu->world = hwScene_CreateWorld(fmu->scene, &def, &error);
    if (fmu->world == NULL) return hwFmu_FailWith(fmu, &error);
    if (hwWorld_BuildUp(fmu->world, &error) != HW_OK) return hwFmu_FailWith(fmu, &error);
    fmu->stale = false;
    fmu->worldStart = hwWorld_GetTime(fmu->world);
    if (!FindObjects(fmu) || !hwFmu_PlaceCouplings(fmu)) {
        hwFmu_DropWorld(fmu);
        return false;
    }
    for (int i = 0; i < fmu->count; ++i) {
        bool given = fmu->variables[i].source == SOURCE_INPUT && fmu->numbers.values[i] != fmu->starts[i];
        fmu->numbers.applied[i] =
            fmu->variables[i].source == SOURCE_INPUT ? (double)NAN : fmu->numbers.applied[i];
        if (given && !hwFmu_ApplyInput(fmu, i)) return false;
    }
    if (fmu->def.early) {
        hwStepEventDef events = hwDefaultStepEventDef();
        if (hwWorld_KeepStepEvents(fmu->world, &events, &error) < 0) return hwFmu_FailWith(fmu, &error);
        hwWorld_SetObserver(fmu->world, WatchEvents, fmu);
    }
    return true;
}

// Outputs are those of the end of the last step: they do not depend on inputs that are set afterwards.
bool hwFmu_ReadOutputs(hwFmu* fmu) {
    if (!hwFmu_MakeWorld(fmu)) return false;
    if (fmu->fresh) return true;
    for (int i = 0; i < fmu->count; ++i) {
        const Variable* variable = &fmu->variables[i];
        if (variable->source != SOURCE_CHANNEL) continue;
        double value = hwWorld_ReadChannel(fmu->world, variable->index);
        if (isnan(value) && variable->stride > 0) value = ReadLast(fmu, variable);
        fmu->numbers.values[i] = value;
    }
    if (!hwFmu_ReadCouplings(fmu)) return false;
    fmu->fresh = true;
    return true;
}

// Steps ----------------------------------------------------------------------------------------------------------------------

// How far the world goes for a step that ends at `end` of the master's clock. Steps such as 0.01 s are not exact in binary, but
// a hundred a second are: times that are such multiples within rounding are taken as that.
static double GetTarget(const hwFmu* fmu, double end, double step) {
    double since = end - fmu->experimentStart;
    double rate = round(1.0 / step), multiple = round(since * rate);
    bool whole = rate >= 1.0 && fabs(1.0 / step - rate) < 1e-9 * rate && fabs(since * rate - multiple) < 1e-6;
    return fmu->worldStart + (whole ? multiple / rate : since);
}

bool hwFmu_Step(hwFmu* fmu, double time, double step, double* reached, bool* event) {
    *reached = fmu->time;
    *event = false;
    if (!isfinite(time) || !isfinite(step) || !(step > 0.0) || step > LONGEST_STEP)
        return hwFmu_Fail(fmu, "A step is above 0 s and at most %g s, not %g s at %g s.", LONGEST_STEP, step,
                          time);
    if (fabs(time - fmu->time) > 1e-9 * fmax(1.0, fabs(fmu->time)))
        return hwFmu_Fail(fmu, "The step is to begin at %.12g s, but the unit is at %.12g s.", time,
                          fmu->time);
    double interval = GetTarget(fmu, time + step, step) - hwWorld_GetTime(fmu->world);
    if (!(interval > 1e-12 * fmax(1.0, fabs(fmu->time))))
        return hwFmu_Fail(fmu, "A step of %g s is too short to be told from none at %g s.", step, time);
    if (!hwFmu_CheckCouplings(fmu)) return false;
    if (!hwFmu_BeginCouplings(fmu, interval)) return hwFmu_Break(fmu);
    hwError error;
    fmu->stop = false;
    fmu->fresh = false;
    double before = hwWorld_GetTime(fmu->world);
    hwStatus status = hwWorld_Step(fmu->world, interval, &error);
    bool early = status == HW_ERROR_STOPPED;
    double now = hwWorld_GetTime(fmu->world), done = now - before;
    fmu->time = early ? fmu->experimentStart + (now - fmu->worldStart) : time + step;
    *reached = fmu->time;
    *event = fmu->stop;
    if (status < 0 && !early) {
        hwFmu_FailWith(fmu, &error);
        return hwFmu_Break(fmu);
    }
    fmu->lastStep = step;
    return (hwFmu_EndCouplings(fmu, done) && hwFmu_ReadOutputs(fmu)) || hwFmu_Break(fmu);
}
