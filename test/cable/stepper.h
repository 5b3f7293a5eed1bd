// TR-BDF2 for one cable with known or free ends: Newton from a predicted state, with a line search.
//
// The prediction goes on with the last acceleration while Newton converges easily, and with none when it does
// not: the first makes long steps two to three times cheaper (a chord that goes straight on stretches falsely
// as it turns), the second does not blow up the noise of a stiff, slack cable.
#ifndef TEST_CABLE_STEPPER_H
#define TEST_CABLE_STEPPER_H

#include "cable/rig.h"

typedef struct EndMotion {
    hwVec3 position, velocity, acceleration;
} EndMotion;

typedef struct Stepper {
    Rig* rig;
    // Motion of an attached end; null: it stays where it is.
    EndMotion (*move)(void* context, int end, double time);
    // Fluid, seabed heights, clamp frames for the positions in the state; or null.
    void (*sample)(void* context, double time);
    // Adds the test's own loads to work.force; or null.
    void (*load)(void* context, double time);
    void* context;
    const hwCableSeabed* seabed;
    int maxIterations; // per stage
    double tolerance;  // of a node's last move over the shortest element
    bool noLineSearch;
    // state
    double time;
    bool started, calm;
    hwVec3* acceleration; // at `time`, consistent
    hwVec3 *x0, *v0, *x1, *v1, *base, *target, *rhs, *increment, *trial, *scratch;
    hwCableContact contact;
    // counters
    long steps, iterations, evaluations, unconverged, badPivots;
} Stepper;

static inline Stepper Stepper_Make(Rig* rig) {
    Stepper s = {.rig = rig, .maxIterations = 12, .tolerance = 1e-4};
    hwVec3** arrays[] = {&s.acceleration, &s.x0,  &s.v0,        &s.x1,    &s.v1,     &s.base,
                         &s.target,       &s.rhs, &s.increment, &s.trial, &s.scratch};
    for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); ++i) {
        *arrays[i] = calloc((size_t)rig->capacity, sizeof(hwVec3));
    }
    return s;
}

static inline void Stepper_Free(Stepper* s) {
    hwVec3* arrays[] = {s->acceleration, s->x0,  s->v0,        s->x1,    s->v1,     s->base,
                        s->target,       s->rhs, s->increment, s->trial, s->scratch};
    for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); ++i) free(arrays[i]);
}

static inline bool Stepper_IsHeld(const Stepper* s, int end) {
    return s->rig->input.ends[end].kind != HW_CABLE_FREE;
}

static inline void Stepper_PlaceEnds(Stepper* s, double time) {
    for (int end = 0; end < 2; ++end) {
        if (!Stepper_IsHeld(s, end)) continue;
        int node = end == 0 ? 0 : Rig_Last(s->rig);
        if (s->move == NULL) {
            s->rig->state.velocity[node] = hwVec3_zero;
            continue;
        }
        EndMotion m = s->move(s->context, end, time);
        s->rig->state.position[node] = m.position;
        s->rig->state.velocity[node] = m.velocity;
    }
}

static inline void Stepper_Evaluate(Stepper* s, double time, double hd, bool matrix) {
    Rig* rig = s->rig;
    if (s->sample != NULL) s->sample(s->context, time);
    rig->input.hd = hd;
    rig->input.matrix = matrix;
    hwCableWork_Evaluate(&rig->work, &rig->state, &rig->input);
    if (s->seabed != NULL) s->contact = hwCableWork_AddSeabed(&rig->work, &rig->state, s->seabed);
    if (s->load != NULL) s->load(s->context, time);
    s->evaluations += 1;
}

static inline void Stepper_FindAcceleration(Stepper* s) {
    Rig* rig = s->rig;
    double known[2][6] = {{0}};
    Stepper_PlaceEnds(s, s->time);
    Stepper_Evaluate(s, s->time, 0.0, true);
    for (int end = 0; end < 2 && s->move != NULL; ++end) {
        if (!Stepper_IsHeld(s, end)) continue;
        hwVec3 a = s->move(s->context, end, s->time).acceleration;
        known[end][0] = a.x;
        known[end][1] = a.y;
        known[end][2] = a.z;
    }
    s->badPivots += hwCableWork_Factor(&rig->work, NULL, 0);
    hwCableWork_Reduce(&rig->work, rig->work.force, NULL, known);
    hwCableWork_Solve(&rig->work, NULL, s->acceleration);
}

// rhs = hd f - M (v - target); rows of held ends zero.
static inline void Stepper_FillResidual(Stepper* s, double time, double hd, bool matrix) {
    Rig* rig = s->rig;
    int last = Rig_Last(rig);
    Stepper_Evaluate(s, time, hd, matrix);
    hwCableWork_FillResidual(&rig->work, hd, rig->state.velocity, s->target, s->rhs);
    if (Stepper_IsHeld(s, 0)) s->rhs[0] = hwVec3_zero;
    if (Stepper_IsHeld(s, 1)) s->rhs[last] = hwVec3_zero;
}

// Velocity = trial + fraction * increment, position follows.
static inline void Stepper_Apply(Stepper* s, double time, double hd, double fraction) {
    hwCableState* state = &s->rig->state;
    for (int i = 0; i <= Rig_Last(s->rig); ++i) {
        state->velocity[i] = hwMulAdd(s->trial[i], fraction, s->increment[i]);
        state->position[i] = hwMulAdd(s->base[i], hd, state->velocity[i]);
    }
    Stepper_PlaceEnds(s, time);
}

static inline double Stepper_GetWork(const Stepper* s) {
    double work = 0.0;
    for (int i = 0; i <= Rig_Last(s->rig); ++i) work += hwDot(s->increment[i], s->rhs[i]);
    return work;
}

// Moves along the increment: fully when the work of the residual has not reversed by more than 0.8, else to
// where regula falsi makes it small. Leaves forces, matrix and residual of where it stops.
static inline void Stepper_Search(Stepper* s, double time, double hd) {
    double start = Stepper_GetWork(s);
    Stepper_Apply(s, time, hd, 1.0);
    Stepper_FillResidual(s, time, hd, true);
    double end = Stepper_GetWork(s), low = 0.0, high = 1.0, workLow = start, workHigh = end;
    for (int k = 0; k < 8 && !s->noLineSearch && !(end > -0.8 * start); ++k) {
        double fraction = low + (high - low) * hwClamp(workLow / (workLow - workHigh), 0.1, 0.9);
        Stepper_Apply(s, time, hd, fraction);
        Stepper_FillResidual(s, time, hd, true);
        end = Stepper_GetWork(s);
        if (end > 0.0) {
            low = fraction;
            workLow = end;
        } else {
            high = fraction;
            workHigh = end;
        }
        if (fabs(end) < 0.8 * start) break;
    }
}

// Newton from a start that goes on with `acceleration` (at the start of the stage) for `ahead` s. True:
// converged.
static inline bool Stepper_Solve(Stepper* s, double time, double hd, const hwVec3* start,
                                 const hwVec3* acceleration, double ahead) {
    Rig* rig = s->rig;
    int last = Rig_Last(rig);
    double shortest = HUGE_VAL;
    for (int e = 0; e < last; ++e)
        shortest = fmin(shortest, rig->state.material[e + 1] - rig->state.material[e]);
    for (int i = 0; i <= last; ++i) {
        s->trial[i] = hwMulAdd(start[i], ahead, acceleration[i]);
        s->increment[i] = hwVec3_zero;
    }
    Stepper_Apply(s, time, hd, 0.0);
    Stepper_FillResidual(s, time, hd, true);
    for (int k = 0; k < s->maxIterations; ++k) {
        s->badPivots += hwCableWork_Factor(&rig->work, NULL, 0);
        hwCableWork_Reduce(&rig->work, s->rhs, NULL, NULL);
        hwCableWork_Solve(&rig->work, NULL, s->increment);
        s->iterations += 1;
        double move = 0.0;
        for (int i = 0; i <= last; ++i) {
            move = fmax(move, hwLengthSquared(s->increment[i]));
            s->trial[i] = rig->state.velocity[i];
        }
        if (hd * sqrt(move) <= s->tolerance * shortest) {
            Stepper_Apply(s, time, hd, 1.0);
            s->calm = k < 4;
            return true;
        }
        Stepper_Search(s, time, hd);
    }
    s->calm = false;
    return false;
}

static inline void Stepper_Stage(Stepper* s, double time, double hd, const hwVec3* start,
                                 const hwVec3* acceleration, double ahead) {
    if (s->calm && Stepper_Solve(s, time, hd, start, acceleration, ahead)) return;
    if (!Stepper_Solve(s, time, hd, start, acceleration, 0.0)) s->unconverged += 1;
}

static inline void Stepper_Step(Stepper* s, double h) {
    Rig* rig = s->rig;
    hwCableState* state = &rig->state;
    int last = Rig_Last(rig);
    if (!s->started) {
        Stepper_FindAcceleration(s);
        s->started = true;
        s->calm = false;
    }
    const double gamma = 2.0 - sqrt(2.0), hd = 0.5 * gamma * h;
    const double c1 = 1.0 / (gamma * (2.0 - gamma)), c0 = (1.0 - gamma) * (1.0 - gamma) * c1;
    for (int i = 0; i <= last; ++i) {
        s->x0[i] = state->position[i];
        s->v0[i] = state->velocity[i];
        s->base[i] = hwMulAdd(s->x0[i], hd, s->v0[i]);
        s->target[i] = hwMulAdd(s->v0[i], hd, s->acceleration[i]);
    }
    Stepper_Stage(s, s->time + gamma * h, hd, s->v0, s->acceleration, gamma * h);
    for (int i = 0; i <= last; ++i) {
        s->x1[i] = state->position[i];
        s->v1[i] = state->velocity[i];
        s->scratch[i] = hwScale(1.0 / hd, hwSub(s->v1[i], s->target[i]));
        s->base[i] = hwSub(hwScale(c1, s->x1[i]), hwScale(c0, s->x0[i]));
        s->target[i] = hwSub(hwScale(c1, s->v1[i]), hwScale(c0, s->v0[i]));
    }
    Stepper_Stage(s, s->time + h, hd, s->v1, s->scratch, (1.0 - gamma) * h);
    for (int i = 0; i <= last; ++i) {
        s->acceleration[i] = hwScale(1.0 / hd, hwSub(state->velocity[i], s->target[i]));
    }
    s->time += h;
    s->steps += 1;
    for (int end = 0; end < 2 && s->move != NULL; ++end) {
        if (Stepper_IsHeld(s, end))
            s->acceleration[end == 0 ? 0 : last] = s->move(s->context, end, s->time).acceleration;
    }
    Stepper_Evaluate(s, s->time, hd, false);
    if (s->seabed != NULL) hwCableWork_CommitSeabed(&rig->work, state, s->seabed);
    state->core->twist = rig->work.twist;
}

static inline void Stepper_Run(Stepper* s, double until, double h) {
    long count = lround((until - s->time) / h);
    for (long k = 0; k < count; ++k) Stepper_Step(s, h);
}

#endif
