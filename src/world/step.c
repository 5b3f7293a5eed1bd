// The step of a world, for both solvers.
//
//     hwWorld_Step            until the next event: advance, look, carry out events
//       plan, find contacts   room for pairs of bodies, places where cables may touch
//       Evaluate              drives, motion of links, then all parts: wrenches, inertia, matrices, rates of auxiliaries
//       ComputeResidual       what is missing in each equation at given accelerations
//       Factor, SolveFactored M + hd D + hd^2 K, links and cables in one system; Newton's method repeats these four
//       audit, FinishStep     energies; friction's memory, payout's mesh, parting, capture
//
// realtime.c takes TR-BDF2 steps with Newton's method on the whole world; system.c offers the same as y' = f(t, y) to
// solvers that plug in. What a part does in each of these is in its folder of src/parts.
#include "api/step_events.h"
#include "world/islands.h"
#include "world/part.h"

#include <math.h>
#include <string.h>

#define TOGETHER 1.0 // s that cables go together before it is seen whether they can go apart again

const hwMode hwMode_running = {0};

// Contacts -----------------------------------------------------------------------------------------------------------------

hwStatus hwWorld_PlanContacts(const hwWorld* world, const hwMode* mode, double* step, hwError* error) {
    hwStatus status = HW_OK;
    HW_EACH_PART(world, part, plan) {
        if (status == HW_OK) status = part->plan(world, mode, step, error);
    }
    return status;
}

void hwWorld_FindContacts(const hwWorld* world, const hwMode* mode, double ahead, bool lacking) {
    HW_EACH_PART(world, part, find) part->find(world, mode, ahead, lacking);
}

// One evaluation -----------------------------------------------------------------------------------------------------------

static void DriveLinks(const hwWorld* world, const hwMode* mode, double time) {
    world->work->isCurrent = world->work->factored = false;
    HW_EACH_PART(world, part, drive) part->drive(world, mode, time);
}

void hwWorld_ComputeLinkMotion(const hwWorld* world, const hwMode* mode, double time, const double* q,
                               const double* v) {
    DriveLinks(world, mode, time);
    hwForest_ComputeMotion(&world->model.forest, q, v, world->work->drives, &world->work->forest);
}

static void SetAuxiliary(hwWork* work, const hwEvaluation* e, int index, double rate) {
    work->zdot[index] = rate;
    work->z[index] = e->zBase[index] + e->hd * rate;
}

void hwWorld_Evaluate(const hwWorld* world, const hwEvaluation* given) {
    hwWork* work = world->work;
    hwEvaluation e = *given;
    double begin = hwStageTimer_Begin(&work->timer);
    if (e.mode.held) e.time = e.mode.heldTime;
    world->state.header->counters.evaluations += 1;
    DriveLinks(world, &e.mode, e.time);
    hwForest_ComputeRigidMotion(&world->model.forest, e.q, e.v, work->drives,
                                hwEnvironment_GetDef(world->environment)->gravity, &work->forest,
                                work->inertia, work->wrench);
    for (int i = 0; i < world->model.forest.linkCount; ++i) work->terms[i].kinds = 0;
    work->elastic = work->springs = work->impactPower = 0.0;
    work->powers = (hwPowers){0.0, 0.0, 0.0};
    HW_EACH_PART(world, part, evaluate) part->evaluate(world, &e);
    HW_EACH_PART(world, part, addPowers) part->addPowers(world, &work->powers);
    SetAuxiliary(work, &e, HW_AUX_DISSIPATED, work->powers.dissipation);
    SetAuxiliary(work, &e, HW_AUX_IMPACT, work->impactPower);
    SetAuxiliary(work, &e, HW_AUX_WORK, work->powers.work);
    SetAuxiliary(work, &e, HW_AUX_METHOD, 0.0);
    hwStageTimer_End(&work->timer, HW_STAGE_EVALUATE, begin);
}

void hwWorld_ComputeResidual(const hwWorld* world, const double* a, double* residual) {
    hwWork* work = world->work;
    const hwForest* forest = &world->model.forest;
    hwForest_ComputeAccelerations(forest, a, &work->forest);
    const hwWideSpatial* loads = work->wrench;
    if (hwModel_HasCables(&world->model)) {
        memcpy(work->loads, work->wrench, (size_t)forest->linkCount * sizeof(hwWideSpatial));
        HW_EACH_PART(world, part, residual) part->residual(world, a, residual, work->loads);
        loads = work->loads;
    }
    hwForest_ComputeEfforts(forest, work->inertia, loads, &work->forest, work->efforts);
    for (int i = 0; i < forest->freedomCount; ++i) {
        residual[i] = work->jointEffort[i] - work->jointInertia[i] * a[i] - work->efforts[i];
    }
    hwSleep_ClearRows(world, residual);
}

// The linear system ----------------------------------------------------------------------------------------------------------

static hwStatus UpdateCouplings(const hwWorld* world, hwError* error) {
    hwWork* work = world->work;
    if (!work->couplingsStale) return HW_OK;
    int count = 0;
    HW_EACH_PART(world, part, listPairs) count = part->listPairs(world, work->pairs, count);
    if (!hwForest_SetCouplings(&world->model.forest, work->forest.couplings, count, work->pairs)) {
        return hwFail(error, HW_ERROR_LIMIT, NULL,
                      "cables and contacts couple more bodies than memory was reserved for");
    }
    work->couplingsStale = false;
    return HW_OK;
}

static hwStatus FactorAll(const hwWorld* world, double hd, const double* b, hwError* error) {
    hwWork* work = world->work;
    const hwForest* forest = &world->model.forest;
    world->state.header->counters.factorizations += 1;
    for (int i = 0; i < forest->linkCount; ++i) {
        if (hwForestWork_Skips(&work->forest, i)) continue;
        work->K[i] = work->inertia[i];
        hwWork_AddTerms(work, i, hd, hd * hd, &work->K[i]);
    }
    if (work->forest.couplings != NULL) {
        hwStatus status = UpdateCouplings(world, error);
        if (status != HW_OK) return status;
        hwCouplings_Clear(work->forest.couplings);
    }
    HW_EACH_PART(world, part, factor) part->factor(world, hd, b);
    hwJointTerms joint = {work->jointDiagonal, work->jointOff};
    int failed = -1;
    if (!hwForest_Factor(forest, work->K, joint, &work->forest, &failed))
        return hwWorld_FailFactor(world, failed, error);
    hwStatus status = HW_OK;
    HW_EACH_PART_BACK(world, part, factorBorder) {
        if (status == HW_OK) status = part->factorBorder(world, hd, error);
    }
    return status;
}

hwStatus hwWorld_Factor(const hwWorld* world, double hd, const double* b, hwError* error) {
    double begin = hwStageTimer_Begin(&world->work->timer);
    hwStatus status = FactorAll(world, hd, b, error);
    hwStageTimer_End(&world->work->timer, HW_STAGE_FACTOR, begin);
    return status;
}

void hwWorld_SolveInside(const hwWorld* world, const double* b, double* x) {
    hwWork* work = world->work;
    HW_EACH_PART(world, part, reduce) part->reduce(world, b, work->loads);
    hwForest_Solve(&world->model.forest, &work->forest, b, work->loads, x);
    HW_EACH_PART(world, part, substitute) part->substitute(world, x);
}

void hwWorld_SolveFactored(const hwWorld* world, const double* b, double* x) {
    double begin = hwStageTimer_Begin(&world->work->timer);
    if (hwModel_HasCables(&world->model)) {
        memset(world->work->loads, 0, (size_t)world->model.forest.linkCount * sizeof(hwWideSpatial));
        HW_EACH_PART(world, part, beginSolve) part->beginSolve(world, b);
        hwWorld_SolveInside(world, b, x);
        HW_EACH_PART_BACK(world, part, correct) part->correct(world, x);
    } else {
        hwForest_Solve(&world->model.forest, &world->work->forest, b, NULL, x);
    }
    hwStageTimer_End(&world->work->timer, HW_STAGE_SOLVE, begin);
}

// Between steps --------------------------------------------------------------------------------------------------------------

hwStatus hwWorld_CheckMotion(const hwWorld* world, const double* v, hwError* error) {
    hwStatus status = HW_OK;
    HW_EACH_PART(world, part, checkMotion) {
        if (status == HW_OK) status = part->checkMotion(world, v, error);
    }
    return status;
}

hwStatus hwWorld_FinishStep(hwWorld* world, const hwMode* mode, double step, hwError* error) {
    bool changed = false;
    hwStatus status = HW_OK;
    HW_EACH_PART(world, part, finish) {
        if (status == HW_OK) status = part->finish(world, mode, step, &changed, error);
    }
    if (status != HW_OK) return status;
    bool adapted = false;
    HW_EACH_PART(world, part, adapt) adapted = part->adapt(world, mode) || adapted;
    if (!changed && !adapted) return HW_OK;
    if (changed) world->state.header->accelerationValid = 0;
    if (world->external.reset != NULL) world->external.reset(world->external.context);
    return HW_OK;
}

// The end of an advance: the end of the interval, the next event, or the next look of a part.
static double FindStop(const hwWorld* world, double end) {
    double stop = hwFmin(end, hwWorld_NextEventTime(world));
    HW_EACH_PART(world, part, getNextTime) stop = hwFmin(stop, part->getNextTime(world));
    return stop;
}

// By the built-in solver: cables that share nothing with anything apart, otherwise all together, for a while where that may
// change.
static hwStatus AdvanceTo(hwWorld* world, double stop, hwError* error) {
    hwStateHeader* header = world->state.header;
    hwStatus status = HW_OK;
    while (header->time < stop && status >= HW_OK) {
        double start = header->time, until = hwIslands_Plan(world, stop);
        if (until > start) status = hwIslands_Advance(world, until, error);
        if (status < HW_OK || header->time > start) continue;
        if (header->apart) header->accelerationValid = 0;
        header->apart = 0;
        double end = world->islands != NULL ? hwFmin(stop, start + TOGETHER) : stop;
        status = hwRealtime_Advance(world, &hwMode_running, end, error);
    }
    return status;
}

static hwStatus AdvanceBy(hwWorld* world, double interval, hwError* error) {
    hwStatus status = HW_OK;
    double end = world->state.header->time + interval;
    HW_EACH_PART(world, part, begin) part->begin(world);
    while (world->state.header->time < end) {
        double stop = FindStop(world, end);
        world->work->isCurrent = false;
        status = world->external.advance != NULL
                     ? world->external.advance(world->external.context, world, stop, error)
                     : AdvanceTo(world, stop, error);
        world->work->isCurrent = false;
        if (status < HW_OK) {
            hwWorld_SampleLast(world);
            return status;
        }
        HW_EACH_PART(world, part, look) part->look(world);
        hwStatus events = hwWorld_RunEvents(world, error);
        if (events != HW_OK) return events;
        hwWorld_SampleNow(world);
    }
    return status;
}

hwStatus hwWorld_Step(hwWorld* world, double interval, hwError* error) {
    hwClearError(error);
    hwStatus status = hwWorld_RequirePrepared(world, error);
    if (status != HW_OK) return status;
    if (!isfinite(interval) || interval < 0.0) {
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "a step of %g s is not possible", interval);
    }
    status = hwWorld_ReserveSampling(world, error);
    if (status != HW_OK) return status;
    double begin = hwStageTimer_Begin(&world->work->timer);
    hwWorld_BeginStepEvents(world);
    hwWorld_SampleNow(world);
    status = AdvanceBy(world, interval, error);
    hwStageTimer_EndStep(&world->work->timer, begin);
    return status;
}
