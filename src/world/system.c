// The world as a first-order system y' = f(t, y), for integrators that plug in. y = (coordinates, velocities, auxiliary
// variables).
#include "api/step_events.h"
#include "world/islands.h"
#include "world/part.h"

#include <math.h>
#include <string.h>

#define LEAST_AHEAD 1e-3 // s: contacts are looked for at least as far ahead

int hwSystem_GetSize(const hwWorld* world) {
    return world->model.coordinateCount + world->model.freedomCount + world->model.auxiliaryCount;
}

hwSolverDef hwSystem_GetSolverDef(const hwWorld* world) {
    return world->def.solver;
}

static size_t CountBytes(int count) {
    return (size_t)count * sizeof(double);
}

void hwSystem_GetState(const hwWorld* world, double* y) {
    const hwModel* model = &world->model;
    memcpy(y, world->state.q, CountBytes(model->coordinateCount));
    y += model->coordinateCount;
    memcpy(y, world->state.v, CountBytes(model->freedomCount));
    memcpy(y + model->freedomCount, world->state.z, CountBytes(model->auxiliaryCount));
}

void hwSystem_GetScales(const hwWorld* world, double* scales) {
    int size = hwSystem_GetSize(world);
    for (int i = 0; i < size; ++i) scales[i] = 1.0;
    // the energy audit rides along and chooses steps only where powers jump
    double *v = scales + world->model.coordinateCount, *z = v + world->model.freedomCount;
    z[HW_AUX_DISSIPATED] = z[HW_AUX_IMPACT] = z[HW_AUX_WORK] = z[HW_AUX_METHOD] = HW_SCALE_ASIDE;
    HW_EACH_PART(world, part, scale) part->scale(world, scales, v, z);
}

// Evaluates at y; contacts are those found at the last state that the integrator has reached. The ends of cables are written into a copy.
static void EvaluateAt(hwWorld* world, double time, const double* y, double step) {
    int nq = world->model.coordinateCount, nv = world->model.freedomCount;
    hwWorld_FindContacts(world, &hwMode_running, LEAST_AHEAD, true);
    memcpy(world->work->y, y, CountBytes(nq + nv));
    hwEvaluation there = {.time = time,
                          .since = time - world->state.header->time,
                          .q = world->work->y,
                          .v = world->work->y + nq,
                          .zBase = y + nq + nv,
                          .matrix = true,
                          .step = step,
                          .mode = hwMode_running};
    hwWorld_Evaluate(world, &there);
}

hwStatus hwSystem_Evaluate(hwWorld* world, double time, const double* y, double* ydot, hwError* error) {
    int nq = world->model.coordinateCount, nv = world->model.freedomCount;
    const double* v = world->work->y + nq;
    double* a = ydot + nq;
    EvaluateAt(world, time, y, 0.0);
    hwStatus status = hwWorld_SolveForward(world, v, a, error);
    if (status != HW_OK) return status;
    hwWorld_ComputeRates(world, world->work->y, v, ydot);
    memcpy(a + nv, world->work->zdot, CountBytes(world->model.auxiliaryCount));
    return hwWorld_CheckForces(world, a, time, error);
}

hwStatus hwSystem_SetState(hwWorld* world, double time, const double* y, double step, hwError* error) {
    hwState* state = &world->state;
    const hwModel* model = &world->model;
    int nq = model->coordinateCount, nv = model->freedomCount;
    hwClearError(error);
    for (int i = 0; i < hwSystem_GetSize(world); ++i) {
        if (!isfinite(y[i]))
            return hwFail(error, HW_ERROR_NUMERIC, NULL, "the state is not finite at %g s", time);
    }
    if (hwWorld_CheckMotion(world, y + nq, error) != HW_OK) return HW_ERROR_NUMERIC;
    memset(world->work->d, 0, CountBytes(nv));
    hwWorld_Displace(world, y, world->work->d, state->q); // normalises
    memcpy(state->v, y + nq, CountBytes(nv));
    memcpy(state->z, y + nq + nv, CountBytes(model->auxiliaryCount));
    state->header->time = time;
    state->header->accelerationValid = 0;
    world->work->isCurrent = false;
    if (!(step > 0.0)) return HW_OK;
    state->header->counters.steps += 1;
    state->header->counters.lastStep = step;
    hwStatus status = HW_OK;
    bool touches = hwModel_HasCables(model) || model->bodiesTouch;
    if (touches) {
        hwEvaluation end = {.time = time,
                            .since = step,
                            .q = state->q,
                            .v = state->v,
                            .zBase = state->z,
                            .mode = hwMode_running};
        hwWorld_Evaluate(world, &end);
    }
    double begin = hwStageTimer_Begin(&world->work->timer);
    if (touches) status = hwWorld_FinishStep(world, &hwMode_running, step, error);
    hwStageTimer_End(&world->work->timer, HW_STAGE_FINISH, begin);
    begin = hwStageTimer_Begin(&world->work->timer);
    hwWorld_FindContacts(world, &hwMode_running, hwFmax(4.0 * step, LEAST_AHEAD), false);
    hwStageTimer_End(&world->work->timer, HW_STAGE_FIND_CONTACTS, begin);
    if (status == HW_OK) hwWorld_LogContacts(world);
    if (status == HW_OK && world->observer != NULL) world->observer(world, world->observerContext);
    if (status == HW_OK && world->cableObserver != NULL) hwIslands_ObserveCables(world);
    return status;
}

double hwSystem_GetSampleTime(const hwWorld* world) {
    return world->sampling.sampler != NULL ? world->sampling.next : (double)INFINITY;
}

void hwSystem_BeginSamples(hwWorld* world) {
    hwWorld_KeepForSamples(world);
}

void hwSystem_TakeSample(hwWorld* world, const double* y) {
    hwState* state = &world->state;
    const hwModel* model = &world->model;
    int nq = model->coordinateCount, nv = model->freedomCount;
    hwWorld_RestoreFromSample(world);
    memset(world->work->d, 0, CountBytes(nv));
    hwWorld_Displace(world, y, world->work->d, state->q); // normalises
    memcpy(state->v, y + nq, CountBytes(nv));
    memcpy(state->z, y + nq + nv, CountBytes(model->auxiliaryCount));
    HW_EACH_PART(world, part, fade) part->fade(world, world->sampling.next - state->header->time);
    state->header->time = world->sampling.next;
    state->header->accelerationValid = 0;
    hwWorld_Sample(world);
    hwWorld_RestoreFromSample(world);
}

void hwSystem_EndSamples(hwWorld* world) {
    hwWorld_RestoreFromSample(world);
}

// A plan looks a few steps ahead: a longer step than that could bring together what it did not see.
hwStatus hwSystem_PlanStep(hwWorld* world, double* step, hwError* error) {
    hwClearError(error);
    if (hwWorld_IsStopped(world)) return hwWorld_FailStopped(world, false, error);
    if (!world->model.bodiesTouch) return HW_OK;
    double last = world->state.header->counters.lastStep;
    *step = hwFmin(*step, hwFmax(5.0 * last, 1e-3));
    return hwWorld_PlanContacts(world, &hwMode_running, step, error);
}

bool hwSystem_MayTake(hwWorld* world, double time, const double* y, double step) {
    bool may = true;
    if (!world->model.mayPart) return may;
    EvaluateAt(world, time, y, 0.0);
    HW_EACH_PART(world, part, endures) may = may && part->endures(world, &hwMode_running, step);
    return may;
}

static hwStatus FactorAgain(hwWorld* world, hwError* error) {
    hwWork* work = world->work;
    EvaluateAt(world, work->factorTime, work->factorY, work->gamma);
    memcpy(work->q0, work->y, CountBytes(world->model.coordinateCount));
    memcpy(work->v0, work->y + world->model.coordinateCount, CountBytes(world->model.freedomCount));
    hwStatus status = hwWorld_Factor(world, work->gamma, NULL, error);
    work->factored = status == HW_OK;
    return status;
}

hwStatus hwSystem_Factor(hwWorld* world, double time, const double* y, double gamma, hwError* error) {
    memcpy(world->work->factorY, y, CountBytes(hwSystem_GetSize(world)));
    world->work->factorTime = time;
    world->work->gamma = gamma;
    return FactorAgain(world, error);
}

// With x = (xq, xv), b = (bq, bv) and q' = v, M v' = f: xq - g xv = bq and M xv + g (D xv + K xq) = M bv give
// (M + g D + g^2 K) xv = M bv - g K bq.
hwStatus hwSystem_Solve(hwWorld* world, const double* b, double* x, hwError* error) {
    hwWork* work = world->work;
    hwClearError(error);
    int nq = world->model.coordinateCount, nv = world->model.freedomCount;
    // evaluating since then has put the mass matrix in its place
    if (!work->factored && FactorAgain(world, error) != HW_OK) return HW_ERROR_NUMERIC;
    hwWorld_TangentOf(world, work->q0, b, work->d);
    hwWorld_MultiplyMass(world, b + nq, work->step);
    hwWorld_MultiplyStiffness(world, work->d, work->estimate);
    for (int i = 0; i < nv; ++i) work->step[i] -= work->gamma * work->estimate[i];
    hwWorld_SolveFactored(world, work->step, work->step);
    double* xq = x;
    hwWorld_ComputeRates(world, work->q0, work->step, work->rates);
    for (int i = 0; i < nq; ++i) xq[i] = b[i] + work->gamma * work->rates[i];
    memcpy(x + nq, work->step, CountBytes(nv));
    memcpy(x + nq + nv, b + nq + nv, CountBytes(world->model.auxiliaryCount));
    HW_EACH_PART(world, part, solveAuxiliaries)
    part->solveAuxiliaries(world, work->factorTime, work->factorY + nq + nv, work->gamma, x + nq + nv);
    return HW_OK;
}
