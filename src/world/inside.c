// Results within a step of the built-in solver (realtime.c).
//
// A sample at a part of a step that was accepted is a stage of the method that ends there: the trapezoidal rule from the
// step's start up to the first stage, BDF2 through start and first stage after it. It agrees with both stages where they are,
// is of the method's order, and balances forces and accelerations, at the cost of a stage. Interpolated places would not do:
// a polynomial leaves the arc of a taut element by 0.01 of the fourth power of its turn, which a wire of 1e9 N feels.
#include "math/vectors.h"
#include "world/realtime.h"

#include <math.h>
#include <string.h>

#define TRAPEZOIDAL_PART                                                                                     \
    (1.001 * HW_GAMMA) // of a step: a sample up to there is a first stage, after it a second one
#define FARTHEST 100.0 // a sample's largest velocity, of those at the step's ends

// Cubic between values and slopes at the ends of a step of h; `slope` may be null.
static double InterpolateHermite(double x0, double slope0, double x1, double slope1, double h, double part,
                                 double* slope) {
    double mean = (x1 - x0) / h, a = slope0 - mean, b = mean - slope1;
    double u = part, w = 1.0 - part;
    if (slope != NULL) *slope = mean + w * (1.0 - 3.0 * u) * a + u * (2.0 - 3.0 * u) * b;
    return x0 + h * u * (mean + w * (w * a + u * b));
}

// Velocities, accelerations and displacements at a part of the step from those at its ends, relative to the motion without
// forces where a body spins. First guess of the stage, and what a sample is where that has no solution.
static void InterpolateMotion(hwWorld* world, double h, double part) {
    hwWork* work = world->work;
    const hwState* state = &world->state;
    for (int i = 0; i < work->freedomsInUse; ++i) {
        work->step[i] = InterpolateHermite(0.0, work->v0[i], work->d[i], state->v[i], h, part, NULL);
        work->v[i] =
            InterpolateHermite(work->v0[i], work->a0[i], state->v[i], state->a[i], h, part, &work->a[i]);
    }
    for (int k = 0; k < work->spinCount; ++k) {
        hwSpin* spin = &work->spins[k];
        hwFreeMotion there = spin->start;
        hwFreeMotion_Advance(&there, &spin->body, part * h);
        for (int j = spin->from; j < 6; ++j) {
            int i = spin->body.freedom + j - spin->from;
            double pushed = work->a0[i] - spin->start.a[j], a = 0.0;
            double apart = state->v[i] - spin->end.v[j];
            work->step[i] = InterpolateHermite(0.0, 0.0, work->d[i], apart, h, part, NULL);
            work->v[i] = there.v[j] +
                         InterpolateHermite(0.0, pushed, apart, state->a[i] - spin->end.a[j], h, part, &a);
            work->a[i] = there.a[j] + a;
        }
    }
    memcpy(work->d, work->step, (size_t)work->freedomsInUse * sizeof(double));
}

// Bases of the stage that ends at a part of the step; returns its hd. TrySubStep has left v1, HW_C1 times the displacements of
// the first stage in d1, and HW_C1 z1 - HW_C0 z0 in zBase.
static double SetBasesInside(hwWorld* world, double h, double part) {
    hwWork* work = world->work;
    bool first = part <= TRAPEZOIDAL_PART;
    double w = part / HW_GAMMA - 1.0, c1 = (1.0 + w) * (1.0 + w) / (1.0 + 2.0 * w),
           c0 = w * w / (1.0 + 2.0 * w);
    double hd = first ? 0.5 * part * h : (1.0 + w) / (1.0 + 2.0 * w) * (part - HW_GAMMA) * h;
    double whole = 0.5 * HW_GAMMA * h, *v = work->estimate;
    for (int i = 0; i < work->freedomsInUse; ++i) {
        v[i] = first ? work->v0[i] + hd * work->a0[i] : c1 * work->v1[i] - c0 * work->v0[i];
        work->d1[i] = first ? hd * work->v0[i] : c1 / HW_C1 * work->d1[i];
    }
    for (int k = 0; k < work->spinCount; ++k) {
        hwSpin* spin = &work->spins[k];
        hwFreeMotion there = spin->start;
        hwFreeMotion_Advance(&there, &spin->body, part * h);
        double d[6];
        hwSpin_TakeRates(spin, work->d1, d);
        for (int j = 0; j < 6; ++j) d[j] += c1 / HW_C1 * whole * spin->end.v[j];
        hwSpin_TurnDisplacement(spin->end.q, there.q, d);
        spin->base = first ? hwSpin_GetFirstBase(spin, hd) : hwSpin_GetSecondBase(spin, c1);
        for (int j = spin->from; j < 6; ++j) {
            int i = spin->body.freedom + j - spin->from;
            double pushed =
                first ? hd * (work->a0[i] - spin->start.a[j]) : c1 * (work->v1[i] - spin->middle.v[j]);
            v[i] = there.v[j] + pushed - hd * there.a[j];
            work->d1[i] = (first ? 0.0 : d[j]) - hd * there.v[j];
        }
        spin->end = there;
    }
    for (int i = 0; i < world->model.auxiliaryCount; i = hwWork_NextAuxiliary(work, i)) {
        double z0 = work->z0[i], z1 = (work->zBase[i] + HW_C0 * z0) / HW_C1;
        work->zBase[i] = first ? z0 + hd * work->zdot0[i] : c1 * z1 - c0 * z0;
    }
    return hd;
}

// The motion without forces of spins at a part of the step takes the place of that at its end.
static void MoveSpins(hwWorld* world, double h, double part) {
    for (int k = 0; k < world->work->spinCount; ++k) {
        hwSpin* spin = &world->work->spins[k];
        spin->end = spin->start;
        hwFreeMotion_Advance(&spin->end, &spin->body, part * h);
    }
}

// Largest velocity of a freedom, whatever its kind.
static double FindFastest(const hwWork* work, const double* v) {
    double fastest = 0.0;
    for (int i = 0; i < work->freedomsInUse; ++i) hwVector_Grow(&fastest, fabs(v[i]));
    return fastest;
}

// Whether what a stage has found is within reach of the step: steps are held against energies and errors, samples are not.
static bool IsWithinReach(const hwWork* work, const hwState* state, double guessed) {
    double fastest = hwFmax(hwFmax(FindFastest(work, work->v0), FindFastest(work, state->v)), guessed);
    return FindFastest(work, work->v) <= FARTHEST * (fastest + HW_SLOWEST);
}

// Brings the world from the end of a step of h from `begin` to a time within it.
static void MoveInside(hwWorld* world, const hwMode* mode, double begin, double h, double time) {
    hwWork* work = world->work;
    hwState* state = &world->state;
    size_t bytes = (size_t)work->freedomsInUse * sizeof(double);
    double part = (time - begin) / h;
    InterpolateMotion(world, h, part);
    hwStageResult result = HW_SOLVE_FAILED;
    if (part >
        HW_SAMPLE_SLACK) { // nearer to the start, accelerations would be differences of equal velocities
        double hd = SetBasesInside(world, h, part);
        hwSolverStage stage = {time, time - begin, hd, work->estimate, work->d1, true, *mode, 0.0, 0, false};
        double guessed = FindFastest(work, work->v);
        result = hwRealtime_SolveStage(world, stage, NULL);
        if (!IsWithinReach(work, state, guessed)) result = HW_SOLVE_FAILED;
    }
    if (result != HW_SOLVE_CONVERGED) {
        hwWorld_RestoreFromSample(world);
        InterpolateMotion(world, h, part);
        MoveSpins(world, h, part);
        hwSpins_Displace(world, true);
        hwWorld_DisplaceNodes(world, work->d, 0, work->freedomsInUse);
        for (int i = 0; i < world->model.auxiliaryCount; i = hwWork_NextAuxiliary(work, i))
            work->z[i] = InterpolateHermite(work->z0[i], work->zdot0[i], state->z[i], state->zdot[i], h, part,
                                            &work->zdot[i]);
    }
    for (int k = 0; k < world->model.auditCount; ++k) {
        int i = world->model.audited[k];
        work->z[i] =
            InterpolateHermite(work->z0[i], work->zdot0[i], state->z[i], state->zdot[i], h, part, NULL);
    }
    double damped = state->z[HW_AUX_METHOD] - work->z0[HW_AUX_METHOD];
    work->z[HW_AUX_METHOD] = work->z0[HW_AUX_METHOD] + part * damped;
    memcpy(state->v, work->v, bytes);
    memcpy(state->a, work->a, bytes);
    if (result == HW_SOLVE_CONVERGED) hwSpins_Finish(world);
    hwWorld_CopyAuxiliaries(world, work->z, state->z);
    hwWorld_CopyAuxiliaries(world, work->zdot, state->zdot);
    state->header->time = time;
    HW_EACH_PART(world, one, fade) one->fade(world, time - begin);
    if (result == HW_SOLVE_CONVERGED && hwEnvironment_HasWaves(world->environment)) {
        work->readStage = work->stages;
        work->readReuse = hwRealtime_GetTolerance(world);
    }
}

void hwRealtime_MoveInside(hwWorld* world, double time) {
    MoveInside(world, &hwMode_running, world->work->stepFrom, world->work->stepTaken, time);
}

// Samples that are due within a step that was accepted and not yet finished.
void hwRealtime_SampleStep(hwWorld* world, const hwMode* mode, double begin, double h) {
    double last = world->state.header->time - HW_SAMPLE_SLACK * h;
    hwWorld_KeepForSamples(world);
    while (hwWorld_HasSampleBefore(world, last)) {
        MoveInside(world, mode, begin, h, world->sampling.next);
        hwWorld_Sample(world);
        hwWorld_RestoreFromSample(world);
    }
}
