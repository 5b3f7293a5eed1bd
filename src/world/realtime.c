// The built-in solver: TR-BDF2 (Bank et al. 1985) on displacements and velocities, with Newton's method on the whole
// world and step sizes from its embedded error estimate (Hosea & Shampine 1996).
//
// With g = 2 - sqrt 2 and d = g/2 both stages have the form
//     a = (v - vBase) / (h d),   displacement = dBase + h d v,
// so that one matrix M + (h d) D + (h d)^2 K serves both. Displacements are in the space of velocities and measured from
// the start of the step: rotations are exponentials of them, which keeps second order (the neglected commutator is of
// third order in h).
#include "world/world_internal.h"

#include <math.h>
#include <string.h>

#define GAMMA 0.58578643762690495120     // 2 - sqrt 2
#define C1 1.20710678118654752440        // 1 / (g (2 - g))
#define C0 0.20710678118654752440        // (1 - g)^2 / (g (2 - g))
#define ERROR_SCALE -0.04044011451988173 // (-3 g^2 + 4 g - 2) / (12 (2 - g))

#define MAX_ITERATIONS 12
#define NEWTON_TOLERANCE 1e-9  // of the largest velocity
#define DEFAULT_TOLERANCE 1e-4 // relative local error
#define SLOWEST 1e-3           // m/s and rad/s: slower motion is not resolved in relative terms

// Largest linear and angular velocity, to measure changes against.
typedef struct Scales {
    double linear, angular;
} Scales;

typedef struct Stage {
    double time; // at its end
    double hd;
    const double* vBase;
    const double* dBase;
} Stage;

static bool IsAngular(const hwLink* link, int k) {
    return link->joint == HW_LINK_REVOLUTE || link->joint == HW_LINK_BALL ||
           (link->joint == HW_LINK_FREE && k >= 3);
}

// Largest |x| over linear and over angular freedoms.
static Scales Measure(const hwForest* forest, const double* x) {
    Scales s = {0.0, 0.0};
    for (int i = 0; i < forest->linkCount; ++i) {
        const hwLink* link = &forest->links[i];
        int count = hwJoint_CountFreedoms(link->joint);
        for (int k = 0; k < count; ++k) {
            double size = fabs(x[link->freedom + k]);
            double* largest = IsAngular(link, k) ? &s.angular : &s.linear;
            // written so that a NaN is kept
            if (!(size <= *largest)) *largest = size;
        }
    }
    return s;
}

static double Ratio(Scales x, Scales unit) {
    double linear = x.linear / unit.linear, angular = x.angular / unit.angular;
    return linear > angular || isnan(linear) ? linear : angular;
}

// Residual of the stage equation at the current velocities; leaves matrices and powers in the work arrays.
static void EvaluateStage(hwWorld* world, const Stage* stage) {
    hwWork* work = &world->work;
    int count = world->model.forest.freedomCount;
    for (int i = 0; i < count; ++i) {
        work->a[i] = (work->v[i] - stage->vBase[i]) / stage->hd;
        work->d[i] = stage->dBase[i] + stage->hd * work->v[i];
    }
    hwForest_Displace(&world->model.forest, work->q0, work->d, world->state.q);
    hwWorld_Evaluate(world, stage->time, world->state.q, work->v, work->zBase, stage->hd);
    hwWorld_ComputeResidual(world, work->a, work->residual);
    hwWorld_AddReactionWork(world, work->a, work->v, stage->hd);
}

static double Dot(int count, const double* x, const double* y) {
    double sum = 0.0;
    for (int i = 0; i < count; ++i) sum += x[i] * y[i];
    return sum;
}

// Moves along the Newton step as far as the work of the residual does not reverse by more than 0.8: a force-only line
// search by regula falsi. Returns with the residual of the accepted point evaluated.
static void LineSearch(hwWorld* world, const Stage* stage, double startWork) {
    hwWork* work = &world->work;
    int count = world->model.forest.freedomCount;
    double taken = 0.0, target = 1.0;
    double low = 0.0, lowWork = startWork;
    for (int trial = 0; trial < 6; ++trial) {
        for (int i = 0; i < count; ++i) work->v[i] += (target - taken) * work->step[i];
        taken = target;
        EvaluateStage(world, stage);
        double workThere = Dot(count, work->residual, work->step);
        if (!(workThere < -0.8 * startWork) && isfinite(workThere)) return;
        if (isfinite(workThere)) {
            target = low + (taken - low) * lowWork / (lowWork - workThere);
            target = hwClamp(target, low + 0.1 * (taken - low), low + 0.9 * (taken - low));
        } else {
            target = low + 0.25 * (taken - low);
        }
    }
}

typedef enum StageResult { STAGE_CONVERGED, STAGE_SLOW, STAGE_FAILED } StageResult;

static StageResult SolveStage(hwWorld* world, const Stage* stage, hwError* error) {
    hwWork* work = &world->work;
    hwCounters* counters = &world->state.header->counters;
    const hwForest* forest = &world->model.forest;
    int count = forest->freedomCount;
    double gravity = hwEnvironment_GetDef(world->environment)->gravity;
    EvaluateStage(world, stage);
    double previous = INFINITY;
    for (int iteration = 0; iteration < MAX_ITERATIONS; ++iteration) {
        counters->iterations += 1;
        if (hwWorld_Factor(world, stage->hd, error) != HW_OK) return STAGE_FAILED;
        for (int i = 0; i < count; ++i) work->step[i] = stage->hd * work->residual[i];
        hwWorld_SolveFactored(world, work->step, work->step);
        double startWork = Dot(count, work->residual, work->step);
        if (!isfinite(startWork)) return STAGE_FAILED;
        LineSearch(world, stage, startWork);
        Scales unit = Measure(forest, work->v);
        unit.linear = fmax(unit.linear, stage->hd * gravity) + SLOWEST;
        unit.angular = fmax(unit.angular, stage->hd) + SLOWEST;
        double change = Ratio(Measure(forest, work->step), unit);
        if (!isfinite(change)) return STAGE_FAILED;
        if (change <= NEWTON_TOLERANCE) return STAGE_CONVERGED;
        // what the next iterations would still change, by the rate at which the last one converged
        double rate = change / previous;
        if (iteration > 0 && rate < 0.5 && change * rate / (1.0 - rate) <= NEWTON_TOLERANCE)
            return STAGE_CONVERGED;
        // at the level of rounding nothing improves any more
        if (change <= 1e3 * NEWTON_TOLERANCE && change >= 0.5 * previous) return STAGE_CONVERGED;
        previous = change;
    }
    return STAGE_SLOW;
}

static void SetError(hwWorld* world, double h, hwError* error) {
    int worst = 0;
    const hwWork* work = &world->work;
    for (int i = 0; i < world->model.forest.freedomCount; ++i) {
        if (!isfinite(work->residual[i]) || fabs(work->residual[i]) > fabs(work->residual[worst])) worst = i;
        if (!isfinite(work->residual[i])) break;
    }
    const char* name = hwWorld_NameFreedom(world, worst);
    hwFail(error, HW_ERROR_NUMERIC, name, "%s: no solution was found at %.6g s, even with a step of %.3g s",
           name, world->state.header->time, h);
    hwFail_At(error, -1, world->state.header->time);
    hwFail_Hint(error, "look for forces that jump or grow without bound, or allow smaller steps");
}

// Embedded estimate of the local error in velocities and displacements, relative to how fast things move. Stiff
// components are damped by the step's own matrix, as the method damps them.
static double EstimateError(hwWorld* world, double h) {
    hwWork* work = &world->work;
    const hwForest* forest = &world->model.forest;
    int count = forest->freedomCount;
    const double c = 2.0 * ERROR_SCALE * h, g = GAMMA;
    for (int i = 0; i < count; ++i) {
        work->step[i] = c * (work->a0[i] / g - work->a1[i] / (g * (1.0 - g)) + work->a[i] / (1.0 - g));
    }
    hwWorld_MultiplyMass(world, work->step, work->estimate);
    hwWorld_SolveFactored(world, work->estimate, work->estimate);
    Scales unit = Measure(forest, work->v), start = Measure(forest, work->v0);
    unit.linear = fmax(unit.linear, start.linear) + SLOWEST;
    unit.angular = fmax(unit.angular, start.angular) + SLOWEST;
    double error = Ratio(Measure(forest, work->estimate), unit);
    for (int i = 0; i < count; ++i) {
        // displacements: the same with velocities, per time
        work->estimate[i] =
            2.0 * ERROR_SCALE * (work->v0[i] / g - work->v1[i] / (g * (1.0 - g)) + work->v[i] / (1.0 - g));
    }
    return fmax(error, Ratio(Measure(forest, work->estimate), unit));
}

// Back to the start of the sub-step; only the counters remember.
static void Restore(hwWorld* world) {
    hwCounters counters = world->state.header->counters;
    memcpy(world->state.block, world->work.backup, world->state.size);
    world->state.header->counters = counters;
}

// One sub-step of size h from the state's time. On success the state has moved on; otherwise it is as it was.
static hwStatus TrySubStep(hwWorld* world, double h, double end, double* errorRatio, hwError* error) {
    hwWork* work = &world->work;
    hwState* state = &world->state;
    const hwForest* forest = &world->model.forest;
    size_t bytes = (size_t)forest->freedomCount * sizeof(double);
    size_t auxiliaryBytes = (size_t)world->model.auxiliaryCount * sizeof(double);
    double time = state->header->time, hd = 0.5 * GAMMA * h;
    memcpy(work->backup, state->block, state->size);
    memcpy(work->q0, state->q, (size_t)forest->coordinateCount * sizeof(double));
    memcpy(work->v0, state->v, bytes);
    memcpy(work->a0, state->a, bytes);
    memcpy(work->z0, state->z, auxiliaryBytes);
    memcpy(work->zdot0, state->zdot, auxiliaryBytes);

    // first stage: trapezoidal rule to time + g h; its bases live in the arrays that receive its result
    for (int i = 0; i < forest->freedomCount; ++i) {
        work->v1[i] = work->v0[i] + hd * work->a0[i];
        work->d1[i] = hd * work->v0[i];
    }
    for (int i = 0; i < world->model.auxiliaryCount; ++i) work->zBase[i] = work->z0[i] + hd * work->zdot0[i];
    memcpy(work->v, work->v0, bytes);
    Stage first = {time + GAMMA * h, hd, work->v1, work->d1};
    StageResult one = SolveStage(world, &first, error);
    StageResult two = STAGE_FAILED;
    if (one != STAGE_FAILED) {
        memcpy(work->v1, work->v, bytes);
        memcpy(work->a1, work->a, bytes);
        // second stage: BDF2 to the end
        for (int i = 0; i < forest->freedomCount; ++i) {
            work->estimate[i] = C1 * work->v1[i] - C0 * work->v0[i];
            work->d1[i] = C1 * work->d[i];
        }
        memcpy(work->z1, work->z, auxiliaryBytes);
        for (int i = 0; i < world->model.auxiliaryCount; ++i)
            work->zBase[i] = C1 * work->z1[i] - C0 * work->z0[i];
        Stage second = {end, hd, work->estimate, work->d1};
        two = SolveStage(world, &second, error);
    }
    if (one != STAGE_CONVERGED || two != STAGE_CONVERGED) {
        if (one == STAGE_SLOW || two == STAGE_SLOW) state->header->counters.unconverged += 1;
        Restore(world);
        return HW_ERROR_NUMERIC;
    }
    *errorRatio = EstimateError(world, h);
    memcpy(state->v, work->v, bytes);
    memcpy(state->a, work->a, bytes);
    memcpy(state->z, work->z, auxiliaryBytes);
    memcpy(state->zdot, work->zdot, auxiliaryBytes);
    state->header->time = end;
    return HW_OK;
}

// Size of the next sub-step: what was wanted last, cut so that equal steps reach the end.
static double ChooseStep(const hwWorld* world, double remaining) {
    const hwSolverDef* solver = &world->def.solver;
    double h = world->state.header->nextStep;
    if (!(h > 0.0)) h = solver->initial > 0.0 ? solver->initial : remaining;
    if (solver->max > 0.0) h = fmin(h, solver->max);
    if (h >= remaining) return remaining;
    return remaining / ceil(remaining / h - 1e-9);
}

hwStatus hwRealtime_Advance(hwWorld* world, double end, hwError* error) {
    hwStateHeader* header = world->state.header;
    const hwSolverDef* solver = &world->def.solver;
    double tolerance = solver->tolerance > 0.0 ? solver->tolerance : DEFAULT_TOLERANCE;
    double smallest = solver->min > 0.0 ? solver->min : 1e-9;
    hwStatus status = hwWorld_UpdateAccelerations(world, error);
    if (status != HW_OK) return status;
    while (header->time < end) {
        double remaining = end - header->time;
        double h = ChooseStep(world, remaining);
        double to = h < remaining ? header->time + h : end;
        double ratio = 0.0;
        status = TrySubStep(world, h, to, &ratio, error);
        double factor = 0.25;
        if (status == HW_OK) factor = hwClamp(0.9 * cbrt(tolerance / fmax(ratio, 1e-300)), 0.2, 4.0);
        bool accepted = status == HW_OK && (ratio <= tolerance || h <= smallest);
        if (!accepted) {
            if (status == HW_OK) Restore(world);
            header->counters.rejected += 1;
            if (h <= smallest) {
                SetError(world, h, error);
                return HW_ERROR_NUMERIC;
            }
            header->nextStep = fmax(h * fmin(factor, 0.5), smallest);
            continue;
        }
        header->counters.steps += 1;
        header->counters.lastStep = h;
        // a step cut short by the end of the interval says nothing against longer ones
        double wanted = h * factor;
        header->nextStep = h < header->nextStep ? fmax(header->nextStep, wanted) : wanted;
        if (solver->max > 0.0) header->nextStep = fmin(header->nextStep, solver->max);
    }
    return HW_OK;
}
