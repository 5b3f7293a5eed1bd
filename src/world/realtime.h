// What the files of the built-in solver share: realtime.c (steps and their sizes), stage.c (Newton's method), crowd.c (heaps),
// spins.c (bodies that spin), inside.c (results within a step).
#ifndef HW_WORLD_REALTIME_H
#define HW_WORLD_REALTIME_H

#include "world/part.h"

#define HW_GAMMA 0.58578643762690495120 // 2 - sqrt 2
#define HW_C1 1.20710678118654752440    // 1 / (g (2 - g))
#define HW_C0 0.20710678118654752440    // (1 - g)^2 / (g (2 - g))

// A stage to be solved for its velocities, see realtime.c.
typedef struct hwSolverStage {
    double time;  // at its end
    double since; // s, from the start of the step to there
    double hd;
    const double* vBase;
    const double* dBase;
    bool last; // of the two
    hwMode mode;
    double follow;   // of hwEvaluation, after the first evaluation
    uint64_t number; // not 0: samples of waves serve for all evaluations of it
    bool foreseen;   // of hwEvaluation
} hwSolverStage;

typedef enum hwStageResult {
    HW_SOLVE_CONVERGED,
    HW_SOLVE_SLOW,
    HW_SOLVE_FAILED,
    HW_SOLVE_STOPPED // by the caller
} hwStageResult;

// Local error of a step, of the way that things go in it.
double hwRealtime_GetTolerance(const hwWorld* world);
// The next auxiliary variable in use behind i.
static inline int hwWork_NextAuxiliary(const hwWork* work, int i) {
    return i + 1 == work->idleFrom ? work->idleTo : i + 1;
}
// Samples that are due within a step that was accepted and not yet finished.
void hwRealtime_SampleStep(hwWorld* world, const hwMode* mode, double begin, double h);

// dynamics.c
// What hwWorld_DisplaceState does for the trees, and for those freedoms from `first` to before `last` that are behind them: nodes of
// cables and flows over sheaves.
void hwWorld_DisplaceLinks(const hwWorld* world, const double* delta);
void hwWorld_DisplaceNodes(const hwWorld* world, const double* delta, int first, int last);
// Loops over all lots of nodes and over all freedoms in use, on all threads where they are many.
void hwWorld_EachLot(const hwWorld* world, hwLoopFn* function, void* context);
void hwWorld_EachFreedom(const hwWorld* world, hwLoopFn* function, void* context);

// stage.c
hwStageResult hwRealtime_SolveStage(hwWorld* world, hwSolverStage stage, hwError* error);
bool hwLink_IsAngular(const hwLink* link, int k);
// Sizes of what a vector of generalised velocities holds: the largest |x| of linear and of angular freedoms of trees.
typedef struct hwScales {
    double linear, angular;
} hwScales;
hwScales hwScales_Measure(const hwForest* forest, const double* x);
double hwScales_GetRatio(hwScales x, hwScales unit);

// crowd.c
// Whether there is a heap.
bool hwCrowd_IsThere(const hwWorld* world);
// What Newton's method may leave there, of each link's own velocity.
double hwCrowd_GetTolerance(const hwWorld* world);
// Whether Newton's method may stop in a heap; *last is the mean change of the correction before, 0 at first.
bool hwCrowd_IsNearEnough(const hwWorld* world, const hwSolverStage* stage, double* last);
// work->step is the solution with the symmetric part of the matrix; goes on to that with the whole matrix.
void hwCrowd_SolveWhole(hwWorld* world, double hd);
// In a heap the last correction, work->step, is not so small that the audit and friction's springs could do without it.
void hwCrowd_FollowLast(hwWorld* world, const hwSolverStage* stage);

// spins.c
// Bodies that spin in the coming sub-step, and their motion without forces.
void hwSpins_Start(hwWorld* world, double h);
// Places of links from displacements in work->d, those of spins at the end of the last stage or of the first.
void hwSpins_Displace(hwWorld* world, bool last);
// Accelerations of spins that are not split, from how their momentum differs from the base's; places must be there.
void hwSpins_Accelerate(hwWorld* world, double hd);
// Its own of arrays of coordinates and of velocities, as those of a free joint.
void hwSpin_TakePlace(const hwSpin* spin, const double* q, double place[7]);
void hwSpin_TakeRates(const hwSpin* spin, const double* v, double rates[6]);
// Bases of stages: trapezoidal, and BDF2 with the weight c1 of what the first stage gained.
hwImpetus hwSpin_GetFirstBase(const hwSpin* spin, double hd);
hwImpetus hwSpin_GetSecondBase(const hwSpin* spin, double c1);
// A displacement in the axes of one place of the body, in those of another.
void hwSpin_TurnDisplacement(const double from[7], const double to[7], double d[6]);
// Bases and first guess of the first stage, and of the second.
void hwSpins_Begin(hwWorld* world, double hd, double ahead);
void hwSpins_GoOn(hwWorld* world, double hd, double ahead);
// Gyroscopic forces of spins that are split, in the residual.
void hwSpins_Split(hwWorld* world, bool last);
// Accelerations of split spins at the end of a step.
void hwSpins_Finish(hwWorld* world);
bool hwSpins_AnySplit(const hwWorld* world);

#endif
