// The world of an instance: made of the scene with the parameters, read, stepped, coupled at ends and ports.
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

static bool FindObjects(hwFmu* fmu) {
    for (int i = 0; i < fmu->count; ++i) {
        Variable* variable = &fmu->variables[i];
        if (variable->source == SOURCE_CHANNEL)
            variable->index = hwWorld_FindChannel(fmu->world, variable->name);
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

bool hwFmu_GetEndPoint(hwFmu* fmu, const End* end, hwVec3* position) {
    hwCableView view;
    hwError error;
    if (hwCable_GetView(fmu->world, end->id, &view, &error) < 0) return hwFmu_FailWith(fmu, &error);
    *position = view.positions[end->end == 0 ? 0 : view.nodeCount - 1];
    return true;
}

double* hwFmu_GetParts(hwFmu* fmu, Source source, int index) {
    for (int i = 0; i < fmu->count; ++i) {
        if (fmu->variables[i].source == source && fmu->variables[i].index == index)
            return fmu->numbers.values + i;
    }
    return NULL;
}

// An end that no master has moved stays where it is.
static bool PlaceEnds(hwFmu* fmu) {
    for (int i = 0; i < fmu->endCount; ++i) {
        double* parts = hwFmu_GetParts(fmu, SOURCE_END, i);
        const double* applied = fmu->numbers.applied + (parts - fmu->numbers.values);
        hwVec3 position = hwVec3_zero;
        if (!hwFmu_GetEndPoint(fmu, &fmu->ends[i], &position)) return false;
        double now[3] = {position.x, position.y, position.z};
        for (int k = 0; k < 3; ++k) {
            if (isnan(applied[HW_FMU_END_POSITION + k])) parts[HW_FMU_END_POSITION + k] = now[k];
        }
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
    if (!FindObjects(fmu) || !PlaceEnds(fmu)) {
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

static bool ReadEnd(hwFmu* fmu, int index) {
    const End* end = &fmu->ends[index];
    double* parts = hwFmu_GetParts(fmu, SOURCE_END, index);
    hwVec3 force, moment;
    double impedance[6][6];
    hwError error;
    hwCableView view;
    if (hwCable_PredictEndLoad(fmu->world, end->id, end->end, fmu->lastStep, &force, &moment, impedance,
                               &error) < 0 ||
        hwCable_GetView(fmu->world, end->id, &view, &error) < 0)
        return hwFmu_FailWith(fmu, &error);
    const double* missing = fmu->numbers.applied + (parts - fmu->numbers.values) + HW_FMU_END_FORCE;
    if (!isnan(missing[0]))
        force = hwMulAdd(force, 1.0 / fmu->lastStep, TakeVec3(missing)); // N s of all steps so far
    PutVec3(parts + HW_FMU_END_FORCE, force);
    int at = HW_FMU_END_IMPEDANCE;
    for (int i = 0; i < 3; ++i) {
        for (int j = i; j < 3; ++j) parts[at++] = impedance[i][j];
    }
    PutVec3(parts + HW_FMU_END_REFERENCE, view.velocities[end->end == 0 ? 0 : view.nodeCount - 1]);
    return true;
}

bool hwFmu_GetPortMotion(hwFmu* fmu, const Port* port, hwVec3* position, hwVec3* velocity) {
    hwBodyState state;
    hwError error;
    if (hwBody_GetState(fmu->world, port->id, &state, &error) < 0) return hwFmu_FailWith(fmu, &error);
    hwVec3 arm = hwRotate(state.attitude, port->at);
    *position = hwAdd(state.position, arm);
    *velocity = hwAdd(state.velocity, hwCross(hwRotate(state.attitude, state.rate), arm));
    return true;
}

static bool ReadPort(hwFmu* fmu, int index) {
    double* parts = hwFmu_GetParts(fmu, SOURCE_PORT, index);
    hwVec3 position, velocity;
    if (!hwFmu_GetPortMotion(fmu, &fmu->ports[index], &position, &velocity)) return false;
    PutVec3(parts + HW_FMU_PORT_POSITION, position);
    PutVec3(parts + HW_FMU_PORT_VELOCITY, velocity);
    return true;
}

// Outputs are those of the end of the last step: they do not depend on inputs that are set afterwards.
bool hwFmu_ReadOutputs(hwFmu* fmu) {
    if (!hwFmu_MakeWorld(fmu)) return false;
    if (fmu->fresh) return true;
    for (int i = 0; i < fmu->count; ++i) {
        if (fmu->variables[i].source == SOURCE_CHANNEL)
            fmu->numbers.values[i] = hwWorld_ReadChannel(fmu->world, fmu->variables[i].index);
    }
    for (int i = 0; i < fmu->endCount; ++i) {
        if (!ReadEnd(fmu, i)) return false;
    }
    for (int i = 0; i < fmu->portCount; ++i) {
        if (!ReadPort(fmu, i)) return false;
    }
    fmu->fresh = true;
    return true;
}

// Steps ----------------------------------------------------------------------------------------------------------------------

// The end goes straight to where the master wants it to be at the end of the step.
static bool MoveEnd(hwFmu* fmu, int index, double step) {
    const End* end = &fmu->ends[index];
    const double* parts = hwFmu_GetParts(fmu, SOURCE_END, index);
    hwVec3 from = hwVec3_zero, to = TakeVec3(parts + HW_FMU_END_POSITION);
    if (!hwFmu_GetEndPoint(fmu, end, &from)) return false;
    if (fmu->parallel) to = hwMulAdd(to, step, TakeVec3(parts + HW_FMU_END_VELOCITY));
    hwVec3 velocity = hwScale(1.0 / step, hwSub(to, from));
    hwError error;
    if (hwCable_GuideEnd(fmu->world, end->id, end->end, velocity, hwVec3_zero, &error) < 0)
        return hwFmu_FailWith(fmu, &error);
    return true;
}

static hwVec3 Resist(const double* d, hwVec3 v) {
    return hwMakeVec3(d[0] * v.x + d[1] * v.y + d[2] * v.z, d[1] * v.x + d[3] * v.y + d[4] * v.z,
                      d[2] * v.x + d[4] * v.y + d[5] * v.z);
}

// What the body at the other side has felt of the last prediction, F - D (V - u) with V its mean velocity, is not quite what the
// wire passed on. What it has not felt yet of all steps so far goes into the next force, so that momentum is kept
// (docs/numerics.md, Exchange by hand). A master that connects `felt`, or repeats steps, says what it was.
static bool SettleEnd(hwFmu* fmu, int index, double interval) {
    const End* end = &fmu->ends[index];
    double* parts = hwFmu_GetParts(fmu, SOURCE_END, index);
    double* applied = fmu->numbers.applied + (parts - fmu->numbers.values);
    hwCableView view;
    hwVec3 impulse;
    hwError error;
    if (hwCable_GetView(fmu->world, end->id, &view, &error) < 0 ||
        hwCable_GetEndImpulse(fmu->world, end->id, end->end, &impulse, NULL, &error) < 0)
        return hwFmu_FailWith(fmu, &error);
    double* estimate = applied + HW_FMU_END_MEAN; // N, of what was felt in this step, by what the end did
    hwVec3 owed = isnan(applied[HW_FMU_END_FORCE]) ? hwVec3_zero : TakeVec3(applied + HW_FMU_END_FORCE);
    hwVec3 told = TakeVec3(parts + HW_FMU_END_FELT);
    bool knows = !isnan(applied[HW_FMU_END_FELT]);
    // in parallel what is told is of the step before, for which the estimate stood
    if (fmu->parallel && knows && !isnan(estimate[0]))
        owed = hwMulAdd(owed, interval, hwSub(TakeVec3(estimate), told));
    hwVec3 mean = hwScale(1.0 / interval, hwAdd(impulse, owed));
    hwVec3 velocity = view.velocities[end->end == 0 ? 0 : view.nodeCount - 1];
    hwVec3 ahead = hwSub(velocity, TakeVec3(parts + HW_FMU_END_REFERENCE));
    hwVec3 felt = hwSub(TakeVec3(parts + HW_FMU_END_FORCE), Resist(parts + HW_FMU_END_IMPEDANCE, ahead));
    PutVec3(estimate, felt);
    if (!fmu->parallel && knows) felt = told;
    PutVec3(applied + HW_FMU_END_FORCE, hwScale(interval, hwSub(mean, felt)));
    PutVec3(parts + HW_FMU_END_MEAN, mean);
    return true;
}

// What a body has felt at a port that was at `from` when the step began.
static bool SettlePort(hwFmu* fmu, int index, hwVec3 from, double interval) {
    double* parts = hwFmu_GetParts(fmu, SOURCE_PORT, index);
    hwVec3 to = hwVec3_zero, velocity = hwVec3_zero;
    if (!hwFmu_GetPortMotion(fmu, &fmu->ports[index], &to, &velocity)) return false;
    hwVec3 mean = hwScale(1.0 / interval, hwSub(to, from));
    hwVec3 ahead = hwSub(mean, TakeVec3(parts + HW_FMU_PORT_REFERENCE));
    PutVec3(parts + HW_FMU_PORT_FELT,
            hwSub(TakeVec3(parts + HW_FMU_PORT_FORCE), Resist(parts + HW_FMU_PORT_IMPEDANCE, ahead)));
    return true;
}

// What acts at the ports: forces of the last step go first, then those of all ports of each body.
static bool LoadPorts(hwFmu* fmu) {
    hwError error;
    for (int i = 0; i < fmu->portCount; ++i) {
        if (hwBody_ClearForces(fmu->world, fmu->ports[i].id, &error) < 0) return hwFmu_FailWith(fmu, &error);
    }
    for (int i = 0; i < fmu->portCount; ++i) {
        Port* port = &fmu->ports[i];
        const double* parts = hwFmu_GetParts(fmu, SOURCE_PORT, i);
        const double* d = parts + HW_FMU_PORT_IMPEDANCE;
        const double impedance[6][6] = {{d[0], d[1], d[2]}, {d[1], d[3], d[4]}, {d[2], d[4], d[5]}};
        hwVec3 at = hwVec3_zero, velocity = hwVec3_zero;
        if (!hwFmu_GetPortMotion(fmu, port, &at, &velocity)) return false;
        port->from = at;
        if (hwBody_ApplyWrench(fmu->world, port->id, TakeVec3(parts + HW_FMU_PORT_FORCE), hwVec3_zero, at,
                               HW_FRAME_WORLD, &error) < 0 ||
            hwBody_ApplyImpedance(fmu->world, port->id, impedance, TakeVec3(parts + HW_FMU_PORT_REFERENCE),
                                  hwVec3_zero, at, &error) < 0)
            return hwFmu_FailWith(fmu, &error);
    }
    return true;
}

// How far the world goes for a step that ends at `end` of the master's clock. Steps such as 0.01 s are not exact in binary, but
// a hundred a second are: times that are such multiples within rounding are taken as that.
static double GetTarget(const hwFmu* fmu, double end, double step) {
    double since = end - fmu->experimentStart;
    double rate = round(1.0 / step), multiple = round(since * rate);
    bool whole = rate >= 1.0 && fabs(1.0 / step - rate) < 1e-9 * rate && fabs(since * rate - multiple) < 1e-6;
    return fmu->worldStart + (whole ? multiple / rate : since);
}

bool hwFmu_Step(hwFmu* fmu, double time, double step, double* reached) {
    *reached = fmu->time;
    if (!isfinite(time) || !isfinite(step) || !(step > 0.0) || step > LONGEST_STEP)
        return hwFmu_Fail(fmu, "A step is above 0 s and at most %g s, not %g s at %g s.", LONGEST_STEP, step,
                          time);
    if (fabs(time - fmu->time) > 1e-9 * fmax(1.0, fabs(fmu->time)))
        return hwFmu_Fail(fmu, "The step is to begin at %.12g s, but the unit is at %.12g s.", time,
                          fmu->time);
    double interval = GetTarget(fmu, time + step, step) - hwWorld_GetTime(fmu->world);
    if (!(interval > 1e-12 * fmax(1.0, fabs(fmu->time))))
        return hwFmu_Fail(fmu, "A step of %g s is too short to be told from none at %g s.", step, time);
    for (int i = 0; i < fmu->endCount; ++i) {
        if (!MoveEnd(fmu, i, interval)) return hwFmu_Break(fmu);
    }
    if (!LoadPorts(fmu)) return hwFmu_Break(fmu);
    hwError error;
    fmu->stop = false;
    fmu->fresh = false;
    double before = hwWorld_GetTime(fmu->world);
    hwStatus status = hwWorld_Step(fmu->world, interval, &error);
    bool early = status == HW_ERROR_STOPPED;
    double now = hwWorld_GetTime(fmu->world), done = now - before;
    fmu->time = early ? fmu->experimentStart + (now - fmu->worldStart) : time + step;
    *reached = fmu->time;
    if (status < 0 && !early) {
        hwFmu_FailWith(fmu, &error);
        return hwFmu_Break(fmu);
    }
    fmu->lastStep = step;
    for (int i = 0; i < fmu->endCount; ++i) {
        if (!SettleEnd(fmu, i, done)) return hwFmu_Break(fmu);
    }
    for (int i = 0; i < fmu->portCount; ++i) {
        if (!SettlePort(fmu, i, fmu->ports[i].from, done)) return hwFmu_Break(fmu);
    }
    return hwFmu_ReadOutputs(fmu) || hwFmu_Break(fmu);
}
