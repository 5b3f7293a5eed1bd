// The world as a first-order system y' = f(t, y), for integrators that plug in. y = (coordinates, velocities, auxiliary
// variables).
#include "world/world_internal.h"

#include <math.h>
#include <string.h>

int hwSystem_GetSize(const hwWorld* world) {
    return world->model.forest.coordinateCount + world->model.forest.freedomCount +
           world->model.auxiliaryCount;
}

hwSolverDef hwSystem_GetSolverDef(const hwWorld* world) {
    return world->def.solver;
}

void hwSystem_GetState(const hwWorld* world, double* y) {
    const hwForest* forest = &world->model.forest;
    memcpy(y, world->state.q, (size_t)forest->coordinateCount * sizeof(double));
    y += forest->coordinateCount;
    memcpy(y, world->state.v, (size_t)forest->freedomCount * sizeof(double));
    memcpy(y + forest->freedomCount, world->state.z, (size_t)world->model.auxiliaryCount * sizeof(double));
}

void hwSystem_GetScales(const hwWorld* world, double* scales) {
    int size = hwSystem_GetSize(world);
    for (int i = 0; i < size; ++i) scales[i] = 1.0;
    // the energy audit rides along and chooses steps only where powers jump
    double* z = scales + size - world->model.auxiliaryCount;
    z[HW_AUX_DISSIPATED] = z[HW_AUX_WORK] = 1e4;
}

// Failing forces are reported with the object they act on.
static hwStatus FindBadForce(hwWorld* world, double time, const double* a, hwError* error) {
    for (int i = 0; i < world->model.forest.freedomCount; ++i) {
        if (isfinite(a[i])) continue;
        const char* name = hwWorld_NameFreedom(world, i);
        hwStatus status = hwFail(error, HW_ERROR_NUMERIC, name, "%s: the forces on it are not finite", name);
        hwFail_At(error, -1, time);
        return status;
    }
    return HW_OK;
}

hwStatus hwSystem_Evaluate(hwWorld* world, double time, const double* y, double* ydot, hwError* error) {
    const hwForest* forest = &world->model.forest;
    const double* q = y;
    const double* v = y + forest->coordinateCount;
    double* a = ydot + forest->coordinateCount;
    hwWorld_Evaluate(world, time, q, v, v + forest->freedomCount, 0.0);
    hwStatus status = hwWorld_SolveForward(world, v, a, error);
    if (status != HW_OK) return status;
    hwForest_ComputeRates(forest, q, v, ydot);
    memcpy(a + forest->freedomCount, world->work.zdot, (size_t)world->model.auxiliaryCount * sizeof(double));
    world->fresh = false;
    return FindBadForce(world, time, a, error);
}

hwStatus hwSystem_SetState(hwWorld* world, double time, const double* y, double step, hwError* error) {
    hwState* state = &world->state;
    const hwForest* forest = &world->model.forest;
    hwClearError(error);
    for (int i = 0; i < hwSystem_GetSize(world); ++i) {
        if (!isfinite(y[i]))
            return hwFail(error, HW_ERROR_NUMERIC, NULL, "the state is not finite at %g s", time);
    }
    memcpy(state->q, y, (size_t)forest->coordinateCount * sizeof(double));
    memcpy(state->v, y + forest->coordinateCount, (size_t)forest->freedomCount * sizeof(double));
    memset(world->work.d, 0, (size_t)forest->freedomCount * sizeof(double));
    memcpy(world->work.q0, state->q, (size_t)forest->coordinateCount * sizeof(double));
    hwForest_Displace(forest, world->work.q0, world->work.d, state->q); // normalises
    memcpy(state->z, y + forest->coordinateCount + forest->freedomCount,
           (size_t)world->model.auxiliaryCount * sizeof(double));
    state->header->time = time;
    state->header->accelerationValid = 0;
    world->fresh = false;
    if (step > 0.0) {
        state->header->counters.steps += 1;
        state->header->counters.lastStep = step;
    }
    return HW_OK;
}

hwStatus hwSystem_Factor(hwWorld* world, double time, const double* y, double gamma, hwError* error) {
    const double* v = y + world->model.forest.coordinateCount;
    hwWorld_Evaluate(world, time, y, v, v + world->model.forest.freedomCount, 0.0);
    world->fresh = false;
    memcpy(world->work.q0, y, (size_t)world->model.forest.coordinateCount * sizeof(double));
    world->work.gamma = gamma;
    return hwWorld_Factor(world, gamma, error);
}

// With x = (xq, xv), b = (bq, bv) and q' = v, M v' = f: xq - g xv = bq and M xv + g (D xv + K xq) = M bv give
// (M + g D + g^2 K) xv = M bv - g K bq.
hwStatus hwSystem_Solve(hwWorld* world, const double* b, double* x, hwError* error) {
    const hwForest* forest = &world->model.forest;
    hwWork* work = &world->work;
    hwClearError(error);
    int nq = forest->coordinateCount, nv = forest->freedomCount;
    hwForest_TangentOf(forest, work->q0, b, work->d);
    hwWorld_MultiplyMass(world, b + nq, work->step);
    hwWorld_MultiplyStiffness(world, work->d, work->estimate);
    for (int i = 0; i < nv; ++i) work->step[i] -= work->gamma * work->estimate[i];
    hwWorld_SolveFactored(world, work->step, work->step);
    double* xq = x;
    hwForest_ComputeRates(forest, work->q0, work->step, work->rates);
    for (int i = 0; i < nq; ++i) xq[i] = b[i] + work->gamma * work->rates[i];
    memcpy(x + nq, work->step, (size_t)nv * sizeof(double));
    memcpy(x + nq + nv, b + nq + nv, (size_t)world->model.auxiliaryCount * sizeof(double));
    return HW_OK;
}
