/// @file solver.h
/// How another integrator plugs into a world. hawser-reference (SUNDIALS) is one.
///
/// The world offers its equations as a first-order system y' = f(t, y) together with the structured linear solver
/// that its own implicit stepper uses.
#ifndef HAWSER_SOLVER_H
#define HAWSER_SOLVER_H

#include "hawser/base.h"
#include "hawser/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What the system asks of its integrator between two events.
typedef struct hwSolver {
    const char* name; ///< for messages
    void* context;    ///< given to the functions below
    /// Integrates from the world's time to exactly `end` and leaves the result in the world by hwSystem_SetState.
    hwStatus (*advance)(void* context, hwWorld* world, double end, hwError* error);
    /// The state was changed from outside: forget history.
    void (*reset)(void* context);
    /// The world was prepared anew: sizes may have changed.
    hwStatus (*prepare)(void* context, hwWorld* world, hwError* error);
    /// Plugs a solver of the same kind and settings into a copy of the world; null: the copy uses the built-in one.
    hwStatus (*copy)(const void* context, hwWorld* branch, hwError* error);
    /// The world is being destroyed, or another solver takes its place.
    void (*destroy)(void* context);
} hwSolver;

/// Plugs a solver into a world in place of the built-in one; null goes back to that. Takes ownership.
HW_API hwStatus hwWorld_SetExternalSolver(hwWorld* world, const hwSolver* solver, hwError* error);

/// Length of y.
HW_API int hwSystem_GetSize(const hwWorld* world);
/// The world's settings for solvers.
HW_API hwSolverDef hwSystem_GetSolverDef(const hwWorld* world);
/// Reads y out of the world.
HW_API void hwSystem_GetState(const hwWorld* world, double* y);
/// Puts time and y into the world; unit quaternions are normalised on the way. Counts one accepted step of size
/// `step` when that is positive.
HW_API hwStatus hwSystem_SetState(hwWorld* world, double time, const double* y, double step, hwError* error);
/// Before each step: shortens *step so that nothing that moves passes unseen through something else, and finds what may
/// touch during it. May forget friction of what has parted, and then resets the solver.
HW_API hwStatus hwSystem_PlanStep(hwWorld* world, double* step, hwError* error);
/// After each step, before its end is put into the world: false where a cable is loaded beyond its strength by more than a
/// thousandth. Then a shorter step is taken from the same start, so that it parts in time.
HW_API bool hwSystem_MayTake(hwWorld* world, double time, const double* y, double step);
/// Time of the next sample that is asked for (hwWorld_SetSampler), infinity: none.
HW_API double hwSystem_GetSampleTime(const hwWorld* world);
/// Samples within a step that the solver has taken and not yet put into the world: all of them between one Begin and one
/// End, each with y at hwSystem_GetSampleTime, by an interpolation of the solver's own order. Evaluating for it is allowed.
/// Afterwards the world is as it was before, bit by bit.
HW_API void hwSystem_BeginSamples(hwWorld* world);
/// Has one sample read.
HW_API void hwSystem_TakeSample(hwWorld* world, const double* y);
/// Puts the world back.
HW_API void hwSystem_EndSamples(hwWorld* world);
/// y' = f(t, y). Fails when a force is not finite.
HW_API hwStatus hwSystem_Evaluate(hwWorld* world, double time, const double* y, double* ydot, hwError* error);
/// Scales from this on belong to components that have no motion of their own, such as rows for nodes that a cable may get, or
/// that ride along, such as the energy audit. They should not count in means over components.
#define HW_SCALE_ASIDE 1e4
/// A typical magnitude of each component of y, to scale absolute tolerances with. It may change from step to step.
HW_API void hwSystem_GetScales(const hwWorld* world, double* scales);
/// Prepares to solve (1 - gamma df/dy) x = b approximately at (t, y).
HW_API hwStatus hwSystem_Factor(hwWorld* world, double time, const double* y, double gamma, hwError* error);
/// Solves with the last factors.
HW_API hwStatus hwSystem_Solve(hwWorld* world, const double* b, double* x, hwError* error);

/// A stage of a diagonally implicit method, y = base + gamma f(t, y).
typedef struct hwSystemStage {
    double time, gamma;
    const double* base;
    const double*
        weights;   ///< of corrections, 1 / what may be wrong; the root of the sum of their squares is judged
    double left;   ///< what may be left of that
    double within; ///< m, waves are not sampled again where iterations move things by about as much
    int most;      ///< iterations
    unsigned char* placed; ///< [component] becomes 1 where it has no motion of its own
    double* scratch;       ///< [2 times the size of y]
} hwSystemStage;

/// Solves a stage by Newton's method; `y` is the first guess and becomes the solution.
HW_API hwStatus hwSystem_SolveStage(hwWorld* world, const hwSystemStage* stage, double* y, hwError* error);

#ifdef __cplusplus
}
#endif
#endif
