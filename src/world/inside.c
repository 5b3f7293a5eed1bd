// Results within a step of the built-in solver (realtime.c).
//
// A sample within a step that was accepted is a stage of the method about the motion that the step has found: velocities, places,
// impetus and auxiliary variables are interpolated between its ends, and with these, less hd times their rates, as bases, a stage is
// solved with the step's own hd. At both ends that is the end itself, between them it is of the method's order and balances forces and
// accelerations. What is stiff moves as little between the ends as it does at them: forces in a light rod are those of the motion, not of
// what its last digits would do by themselves, which a shorter stage from the step's start would show. Interpolated places
// alone would not do: a polynomial leaves the arc of a taut element by 0.01 of the fourth power of its turn, which a wire of 1e9 N feels.
#include "math/vectors.h"
#include "world/realtime.h"

#include <math.h>
#include <string.h>

#define FARTHEST 100.0 // a sample's largest velocity, of those at the step's ends

// A time within a step.
typedef struct Inside {
    double h, part; // the step's size, s, and how much of it is over then
    double hd;
    bool
        anew; // the accelerations at the step's start are not those of a stage, see hwStateHeader.accelerationValid
    double weights[3],
        slopes
            [3]; // of the step's start, its first stage and its end: the parabola through them, and its slope
} Inside;

static Inside MakeInside(const hwWorld* world, double begin, double h, double time) {
    double x = (time - begin) / h, g = HW_GAMMA;
    Inside in = {.h = h, .part = x, .hd = 0.5 * HW_GAMMA * h, .anew = world->work->stepAnew};
    in.weights[0] = (x - g) * (x - 1.0) / g, in.slopes[0] = (2.0 * x - g - 1.0) / (g * h);
    in.weights[1] = x * (1.0 - x) / (g * (1.0 - g)), in.slopes[1] = (1.0 - 2.0 * x) / (g * (1.0 - g) * h);
    in.weights[2] = x * (x - g) / (1.0 - g), in.slopes[2] = (2.0 * x - g) / ((1.0 - g) * h);
    return in;
}

// Cubic between values and slopes at the ends of a step; `slope` may be null.
static double InterpolateHermite(const Inside* in, double x0, double slope0, double x1, double slope1,
                                 double* slope) {
    double mean = (x1 - x0) / in->h, a = slope0 - mean, b = mean - slope1;
    double u = in->part, w = 1.0 - u;
    if (slope != NULL) *slope = mean + w * (1.0 - 3.0 * u) * a + u * (2.0 - 3.0 * u) * b;
    return x0 + in->h * u * (mean + w * (w * a + u * b));
}

// Of what has rates: the same, or, where those at the start say nothing about the step, the parabola through the start, the first stage and
// the end. Its slope at the end is the method's own.
static double InterpolateRated(const Inside* in, double x0, double slope0, double x1, double x2,
                               double slope2, double* slope) {
    if (!in->anew) return InterpolateHermite(in, x0, slope0, x2, slope2, slope);
    *slope = in->slopes[0] * x0 + in->slopes[1] * x1 + in->slopes[2] * x2;
    return in->weights[0] * x0 + in->weights[1] * x1 + in->weights[2] * x2;
}

// How a spin differs from its motion without forces at some moment: velocities, accelerations, in axes of `to`, and impetus
// with its rate by forces.
typedef struct Difference {
    double v[6], a[6];
    hwImpetus impetus, rate;
} Difference;

static Difference MakeDifference(const hwSpin* spin, const hwFreeMotion* from, const hwFreeMotion* to,
                                 const double* q, const double* v, const double* a) {
    hwFreeMotion now;
    hwSpin_TakePlace(spin, q, now.q);
    hwSpin_TakeRates(spin, v, now.v);
    hwFreeMotion_Advance(&now, &spin->body, 0.0);
    Difference off;
    hwSpin_TakeRates(spin, a, off.a);
    for (int j = 0; j < 6; ++j) {
        off.v[j] = now.v[j] - from->v[j];
        off.a[j] -= now.a[j];
    }
    off.impetus = hwLink_GetImpetus(&spin->body, now.q, now.v);
    off.rate = hwLink_GetImpetus(&spin->body, now.q, off.a);
    hwSpin_TurnDisplacement(from->q, to->q, off.v);
    hwSpin_TurnDisplacement(from->q, to->q, off.a);
    return off;
}

static double InterpolateImpetus(const Inside* in, double x0, double slope0, double x1, double x2,
                                 double slope2) {
    double slope, x = InterpolateRated(in, x0, slope0, x1, x2, slope2, &slope);
    return x - in->hd * slope;
}

static hwVec3 InterpolateVec3(const Inside* in, hwVec3 x0, hwVec3 slope0, hwVec3 x1, hwVec3 x2,
                              hwVec3 slope2) {
    return hwMakeVec3(InterpolateImpetus(in, x0.x, slope0.x, x1.x, x2.x, slope2.x),
                      InterpolateImpetus(in, x0.y, slope0.y, x1.y, x2.y, slope2.y),
                      InterpolateImpetus(in, x0.z, slope0.z, x1.z, x2.z, slope2.z));
}

// A spin's own, relative to its motion without forces, which is known at any time; it takes the place of that at the step's end.
static void InterpolateSpin(hwWorld* world, const Inside* in, hwSpin* spin) {
    hwWork* work = world->work;
    const hwState* state = &world->state;
    hwFreeMotion there = spin->start;
    hwFreeMotion_Advance(&there, &spin->body, in->part * in->h);
    Difference first = MakeDifference(spin, &spin->start, &there, work->q0, work->v0, work->a0);
    Difference last = MakeDifference(spin, &spin->end, &there, state->q, state->v, state->a);
    double middle[6], d[6];
    hwSpin_TakeRates(spin, work->v1, middle);
    for (int j = 0; j < 6; ++j) middle[j] -= spin->middle.v[j];
    hwSpin_TurnDisplacement(spin->middle.q, there.q, middle);
    hwSpin_TakeRates(spin, work->d, d);
    hwSpin_TurnDisplacement(spin->end.q, there.q, d);
    for (int j = spin->from; j < 6; ++j) {
        int i = spin->body.freedom + j - spin->from;
        double a, v = InterpolateRated(in, 0.0, first.a[j], middle[j], last.v[j], last.a[j], &a);
        work->step[i] = InterpolateHermite(in, 0.0, 0.0, d[j], last.v[j], NULL);
        work->v[i] = there.v[j] + v;
        work->a[i] = there.a[j] + a;
    }
    const hwImpetus *from = &first.impetus, *by = &spin->reached, *to = &last.impetus;
    spin->base.spin = InterpolateVec3(in, from->spin, first.rate.spin, by->spin, to->spin, last.rate.spin);
    spin->base.velocity = InterpolateVec3(in, from->velocity, first.rate.velocity, by->velocity, to->velocity,
                                          last.rate.velocity);
    spin->end = there;
}

// Velocities, accelerations, displacements and auxiliary variables within the step. First guess of the stage, and what a sample is
// where that has no solution.
static void InterpolateMotion(hwWorld* world, const Inside* in) {
    hwWork* work = world->work;
    const hwState* state = &world->state;
    for (int i = 0; i < work->freedomsInUse; ++i) {
        work->step[i] = InterpolateHermite(in, 0.0, work->v0[i], work->d[i], state->v[i], NULL);
        work->v[i] = InterpolateRated(in, work->v0[i], work->a0[i], work->v1[i], state->v[i], state->a[i],
                                      &work->a[i]);
    }
    for (int k = 0; k < work->spinCount; ++k) InterpolateSpin(world, in, &work->spins[k]);
    memcpy(work->d, work->step, (size_t)work->freedomsInUse * sizeof(double));
    // TrySubStep has left HW_C1 z1 - HW_C0 z0 in zBase
    for (int i = 0; i < world->model.auxiliaryCount; i = hwWork_NextAuxiliary(work, i)) {
        double z0 = work->z0[i], z1 = (work->zBase[i] + HW_C0 * z0) / HW_C1;
        work->z[i] =
            InterpolateRated(in, z0, work->zdot0[i], z1, state->z[i], state->zdot[i], &work->zdot[i]);
    }
}

// Bases of the stage about the interpolated motion; those of spins are there.
static void SetBasesInside(hwWorld* world, const Inside* in) {
    hwWork* work = world->work;
    for (int i = 0; i < work->freedomsInUse; ++i) {
        work->estimate[i] = work->v[i] - in->hd * work->a[i];
        work->d1[i] = work->d[i] - in->hd * work->v[i];
    }
    for (int i = 0; i < world->model.auxiliaryCount; i = hwWork_NextAuxiliary(work, i))
        work->zBase[i] = work->z[i] - in->hd * work->zdot[i];
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
    Inside in = MakeInside(world, begin, h, time);
    InterpolateMotion(world, &in);
    SetBasesInside(world, &in);
    hwSolverStage stage = {time, time - begin, in.hd, work->estimate, work->d1, true, *mode, 0.0, 0, false};
    double guessed = FindFastest(work, work->v);
    hwStageResult result = hwRealtime_SolveStage(world, stage, NULL);
    if (!IsWithinReach(work, state, guessed)) result = HW_SOLVE_FAILED;
    if (result != HW_SOLVE_CONVERGED) {
        hwWorld_RestoreFromSample(world);
        InterpolateMotion(world, &in);
        hwSpins_Displace(world, true);
        hwWorld_DisplaceNodes(world, work->d, 0, work->freedomsInUse);
    }
    for (int k = 0; k < world->model.auditCount; ++k) {
        int i = world->model.audited[k];
        work->z[i] = InterpolateHermite(&in, work->z0[i], work->zdot0[i], state->z[i], state->zdot[i], NULL);
    }
    double damped = state->z[HW_AUX_METHOD] - work->z0[HW_AUX_METHOD];
    work->z[HW_AUX_METHOD] = work->z0[HW_AUX_METHOD] + in.part * damped;
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
