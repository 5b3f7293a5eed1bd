// One stage of a diagonally implicit method on y = (coordinates, velocities, auxiliary variables), for integrators that plug in:
// y = base + gamma f(t, y). Newton's method on accelerations' residuals M a - F rather than on M^-1 F: one evaluation, one
// factorisation and one solution an iteration, where y' = f(t, y) and a solver for 1 - gamma df/dy need two of each.
// Auxiliary variables follow z = base + gamma z' inside the evaluation, so that the matrices know of them.
#include "math/vectors.h"
#include "world/part.h"

#include <math.h>
#include <string.h>

#define LEAST_AHEAD 1e-3 // s: contacts are looked for at least as far ahead
#define OVERSHOT 0.8     // of the residual's work: reversed by more, a correction was too long
#define HARDLY_CHANGED                                                                                       \
    0.7                // of the residual's work: with more left, a correction that was cut was cut too much
#define MOST_TRIALS 12 // of a line search
#define FORESEEN_UNTIL                                                                                       \
    8 // iterations in which forces with kinks are evaluated on the branch that a correction leads to
#define WHOLE_UNTIL 3   // iterations in which corrections onto a stiffer branch are taken whole
#define MOST_FOLLOWS 40 // iterations for attitudes
#define FOLLOWED 1e-15
#define CLEAR_RATE 0.3 // of the correction before: what shrinks faster shrinks on

typedef struct Newton {
    hwWorld* world;
    const hwSystemStage* stage;
    double *y, *start, *x; // where it is, velocities where a correction began, the correction
    uint64_t number;       // of the stage, 0 without waves
    bool foreseen;
} Newton;

static int CountMoving(const hwWorld* world) {
    return world->model.coordinateCount + world->model.freedomCount;
}

// Behind them are rows of nodes that do not exist: zeros.
static int CountCoordinates(const hwWorld* world) {
    return world->model.coordinateCount - (world->model.freedomCount - world->work->freedomsInUse);
}

// Takes what the evaluation has put elsewhere.
static void TakePlaces(const Newton* n, int first, int count) {
    const double* placed = n->world->work->y;
    for (int i = first; i < first + count; ++i) {
        if (placed[i] == n->y[i]) continue;
        n->y[i] = placed[i];
        n->stage->placed[i] = 1;
    }
}

// Coordinates that go with the velocities, q = base + gamma q'(q, v). Those of nodes simply add; rates of attitudes depend on
// these, and are iterated: false where they turn too far in a stage.
static bool FollowVelocities(const Newton* n) {
    const hwWorld* world = n->world;
    const hwSystemStage* stage = n->stage;
    const hwForest* forest = &world->model.forest;
    const double *base = stage->base, *v = n->y + world->model.coordinateCount;
    double *q = n->y, *rates = world->work->rates, change = 0.0;
    int tree = forest->coordinateCount, nodes = world->work->freedomsInUse - forest->freedomCount;
    for (int k = 0; k < MOST_FOLLOWS; ++k) {
        hwForest_ComputeRates(forest, q, v, rates);
        change = 0.0;
        for (int i = 0; i < tree; ++i) {
            double to = base[i] + stage->gamma * rates[i];
            change = hwFmax(change, fabs(to - q[i]) - FOLLOWED * fabs(to));
            q[i] = to;
        }
        if (!(change > FOLLOWED)) break;
    }
    q += tree, base += tree, v += forest->freedomCount;
    for (int i = 0; i < nodes; ++i) q[i] = base[i] + stage->gamma * v[i];
    return !(change > FOLLOWED);
}

// The residual at n->y; ends of cables and whatever else has no motion of its own are put in their places.
static void EvaluateStage(Newton* n) {
    hwWorld* world = n->world;
    hwWork* work = world->work;
    const hwSystemStage* stage = n->stage;
    int nq = world->model.coordinateCount, nv = world->model.freedomCount;
    hwWorld_FindContacts(world, &hwMode_running, LEAST_AHEAD, true);
    memcpy(work->y, n->y, (size_t)(nq + nv) * sizeof(double));
    hwEvaluation there = {.time = stage->time,
                          .since = stage->time - world->state.header->time,
                          .q = work->y,
                          .v = work->y + nq,
                          .zBase = stage->base + nq + nv,
                          .hd = stage->gamma,
                          .matrix = true,
                          .step = stage->gamma,
                          .mode = hwMode_running,
                          .stage = n->number,
                          .reuse = stage->within,
                          .foreseen = n->foreseen,
                          .relaxes = true};
    hwWorld_Evaluate(world, &there);
    TakePlaces(n, 0, CountCoordinates(world));
    TakePlaces(n, nq, work->freedomsInUse);
    double inverse = 1.0 / stage->gamma;
    for (int i = 0; i < work->freedomsInUse; ++i) work->a[i] = (n->y[nq + i] - stage->base[nq + i]) * inverse;
    hwWorld_ComputeResidual(world, work->a, work->residual);
    hwWorld_AddReactionWork(world, work->a, n->y + nq, stage->gamma);
    if (!hwModel_HasCables(&world->model)) return;
    HW_EACH_PART(world, part, auditRates) part->auditRates(world, work->zdot, true);
    for (int k = 0; k < world->model.auditCount; ++k) {
        int i = world->model.audited[k];
        work->z[i] = stage->base[nq + nv + i] + stage->gamma * work->zdot[i];
    }
}

// n->x: the correction of coordinates and velocities, and work->step that of velocities.
static hwStatus SolveNewton(Newton* n, hwError* error) {
    hwWorld* world = n->world;
    hwWork* work = world->work;
    const hwSystemStage* stage = n->stage;
    const hwForest* forest = &world->model.forest;
    int nq = world->model.coordinateCount, used = work->freedomsInUse, tree = forest->coordinateCount;
    for (int i = 0; i < used; ++i) work->step[i] = stage->gamma * work->residual[i];
    hwStatus status = hwWorld_Factor(world, stage->gamma, work->step, error);
    if (status != HW_OK) return status;
    hwWorld_SolveFactored(world, work->step, work->step);
    for (int i = 0; i < used; ++i) n->x[nq + i] = stage->placed[nq + i] ? 0.0 : work->step[i];
    hwForest_ComputeRates(forest, n->y, work->step, work->rates);
    for (int i = 0; i < tree; ++i) n->x[i] = stage->placed[i] ? 0.0 : stage->gamma * work->rates[i];
    const double* nodes = work->step + forest->freedomCount - tree;
    for (int i = tree; i < CountCoordinates(world); ++i)
        n->x[i] = stage->placed[i] ? 0.0 : stage->gamma * nodes[i];
    return HW_OK;
}

static double AddSquares(const Newton* n, int first, int count) {
    double sum = 0.0;
    for (int i = first; i < first + count; ++i) {
        double part = n->x[i] * n->stage->weights[i];
        sum += part * part;
    }
    return sum;
}

static double MeasureCorrection(const Newton* n) {
    const hwWorld* world = n->world;
    double sum = AddSquares(n, 0, CountCoordinates(world));
    sum += AddSquares(n, world->model.coordinateCount, world->work->freedomsInUse);
    return sqrt(sum);
}

// To where the work of the residual along the correction has neither reversed nor hardly changed, see LineSearch of stage.c.
static void MoveAlong(Newton* n, double startWork, bool whole) {
    const hwWork* work = n->world->work;
    int nq = n->world->model.coordinateCount, used = work->freedomsInUse;
    memcpy(n->start, n->y + nq, (size_t)used * sizeof(double));
    double target = 1.0, low = 0.0, lowWork = startWork, high = 1.0, highWork = 0.0;
    int lastSide = 0;
    for (int trial = 0; trial < MOST_TRIALS; ++trial) {
        for (int i = 0; i < used; ++i) n->y[nq + i] = n->start[i] + target * n->x[nq + i];
        FollowVelocities(n);
        EvaluateStage(n);
        double workThere = hwVector_Dot(used, work->residual, n->x + nq);
        if (whole && isfinite(workThere)) return;
        int side = workThere >= -OVERSHOT * startWork || !(startWork > 0.0) ? -1 : 1;
        if (side < 0 && (trial == 0 || workThere <= HARDLY_CHANGED * startWork)) return;
        if (side < 0) {
            low = target;
            lowWork = workThere;
            if (lastSide < 0) highWork *= 0.5;
        } else {
            high = target;
            highWork = workThere;
            if (lastSide > 0) lowWork *= 0.5;
        }
        lastSide = side;
        target = low + (high - low) * (isfinite(highWork) ? lowWork / (lowWork - highWork) : 0.1);
        if (side < 0 && high > 4.0 * low) target = hwFmax(target, sqrt(high * low));
    }
}

hwStatus hwSystem_SolveStage(hwWorld* world, const hwSystemStage* stage, double* y, hwError* error) {
    hwWork* work = world->work;
    int count = CountMoving(world), nq = world->model.coordinateCount, used = work->freedomsInUse;
    Newton n = {.world = world, .stage = stage, .y = y, .start = stage->scratch, .x = stage->scratch + count};
    double previous = INFINITY;
    hwClearError(error);
    work->stages += 1;
    if (hwEnvironment_HasWaves(world->environment)) n.number = work->stages;
    if (!FollowVelocities(&n)) return HW_ERROR_NUMERIC;
    EvaluateStage(&n);
    for (int iteration = 0; iteration < stage->most; ++iteration) {
        world->state.header->counters.iterations += 1;
        if (SolveNewton(&n, error) != HW_OK) return HW_ERROR_NUMERIC;
        bool settled = true, stiffens = false;
        if (n.foreseen || iteration < FORESEEN_UNTIL) {
            HW_EACH_PART(world, part, foresee)
            settled = part->foresee(world, work->step, &stiffens) && settled;
        }
        n.foreseen = iteration < FORESEEN_UNTIL;
        double change = MeasureCorrection(&n), startWork = hwVector_Dot(used, work->residual, n.x + nq);
        if (!isfinite(change) || !isfinite(startWork)) return HW_ERROR_NUMERIC;
        bool small = change <= stage->left;
        if (iteration > 0 && change <= CLEAR_RATE * previous)
            small = small || change * change <= stage->left * (previous - change);
        if (small && settled) {
            for (int i = nq; i < nq + used; ++i) y[i] += n.x[i];
            memcpy(n.start, y, (size_t)nq * sizeof(double));
            if (!FollowVelocities(&n)) return HW_ERROR_NUMERIC;
            for (int i = 0; i < nq; ++i) y[i] = stage->placed[i] ? n.start[i] : y[i];
            memcpy(y + count, work->z, (size_t)world->model.auxiliaryCount * sizeof(double));
            return HW_OK;
        }
        previous = change;
        bool whole = stiffens && iteration < WHOLE_UNTIL;
        if (whole) HW_EACH_PART(world, part, countTouches) whole = whole && part->countTouches(world) == 0;
        MoveAlong(&n, startWork, whole);
    }
    return hwFail(error, HW_ERROR_NUMERIC, NULL, "a stage at %g s was not solved in %d iterations",
                  stage->time, stage->most);
}
