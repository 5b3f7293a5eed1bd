// One implicit stage of the built-in solver (realtime.c): Newton's method on the whole world.
#include "math/vectors.h"
#include "world/realtime.h"

#include <math.h>
#include <string.h>

#define MAX_ITERATIONS 20
#define MAX_TRIALS 12       // of a line search
#define OVERSHOT 0.8        // of the residual's work: reversed by more, a step was too long
#define HARDLY_CHANGED 0.7  // of the residual's work: with more left, a step that was cut was cut too much
#define TREE_TOLERANCE 1e-9 // Newton's last correction of a velocity, of the largest one
#define MANY_ITERATIONS 6   // from then on, what improves slowly is taken as it is
// Where a force has a kink (friction that sticks or slides, a stop, a bound of power) Newton's method may go to and fro across
// it for ever. What it goes by then is good enough when it is this part of the tolerance by which a step's own error is
// judged; a shorter step has the same kink. Places of nodes may then be off by so many times what is exact.
#define NEAR_KINK 0.05
#define NEAR_PLACES 10.0
#define CRAWLING 20.0 // times that, while steps have collapsed, see crawl.c
#define TRUE_FROM 10  // iterations: then with the true matrix, see SolveTrue
#define TRUE_UNTIL (MAX_ITERATIONS - 3)
// Until then forces with kinks are evaluated on the branch that a correction leads to, see hwPart.foresee. Where branches are
// not settled then, the geometry has changed more than a forecast is worth.
#define FORESEEN_UNTIL 8
// Where a correction leads to a stiffer branch, the residual there reverses by as much as that is stiffer, however right the
// correction is otherwise. The next one is solved for on that branch and takes it back: no search for a shorter one until then.
// Where something touches, the search is needed for that: without it a rope that folded up on a ball lost 2 % of its momentum.
#define WHOLE_UNTIL 3
#define STALLED 0.5    // of the correction before: while they become smaller than that, they are left alone
#define TRUE_PART 1e-7 // of the largest velocity: step of the differences
#define TRUE_TO 0.03   // of the correction is left by GMRES,
#define TRUE_IN 12     // in at most so many products
// It stops, too, when by the rate at which corrections shrink the next one would be below this part of what is small enough,
// where that rate is clear. Of links only: nodes that come to touch or draw taut change their matrix from one correction to
// the next, and then rates say nothing.
#define NEXT_SMALL 0.3
#define CLEAR_RATE 0.1
// In heaps contacts of links that are corrected by a smaller part of what may be left follow their matrices.
#define FOLLOWS 0.2

bool hwLink_IsAngular(const hwLink* link, int k) {
    return link->joint == HW_LINK_REVOLUTE || link->joint == HW_LINK_BALL ||
           (link->joint == HW_LINK_FREE && k >= 3);
}

static void GrowThree(double* largest, const double* x) {
    for (int k = 0; k < 3; ++k) hwVector_Grow(largest, fabs(x[k]));
}

hwScales hwScales_Measure(const hwForest* forest, const double* x) {
    hwScales s = {0.0, 0.0};
    for (int i = 0; i < forest->linkCount; ++i) {
        const double* own = x + forest->links[i].freedom;
        switch (forest->links[i].joint) {
        case HW_LINK_FREE:
            GrowThree(&s.linear, own);
            GrowThree(&s.angular, own + 3);
            break;
        case HW_LINK_BALL:
            GrowThree(&s.angular, own);
            break;
        case HW_LINK_REVOLUTE:
            hwVector_Grow(&s.angular, fabs(own[0]));
            break;
        case HW_LINK_PRISMATIC:
            hwVector_Grow(&s.linear, fabs(own[0]));
            break;
        case HW_LINK_FIXED:
        case HW_LINK_DRIVEN:
            break;
        }
    }
    return s;
}

double hwScales_GetRatio(hwScales x, hwScales unit) {
    double linear = x.linear / unit.linear, angular = x.angular / unit.angular;
    return linear > angular || isnan(linear) ? linear : angular;
}

typedef struct Follow {
    const hwWorld* world;
    const hwSolverStage* stage;
    double way; // of the correction, by which velocities go on before, or 0
} Follow;

static void FollowRange(int first, int last, void* context) {
    const Follow* follow = context;
    const hwSolverStage* stage = follow->stage;
    hwWork* work = follow->world->work;
    if (follow->way != 0.0) {
        for (int i = first; i < last; ++i) work->v[i] += follow->way * work->step[i];
    }
    double inverse = 1.0 / stage->hd;
    for (int i = first; i < last; ++i) {
        work->a[i] = (work->v[i] - stage->vBase[i]) * inverse;
        work->d[i] = stage->dBase[i] + stage->hd * work->v[i];
    }
    hwWorld_DisplaceNodes(follow->world, work->d, first, last);
}

// Velocities go on by `way` of the correction; accelerations, displacements and coordinates that go with them.
static void FollowVelocities(hwWorld* world, const hwSolverStage* stage, double way) {
    hwWork* work = world->work;
    Follow follow = {world, stage, way};
    hwWorld_EachFreedom(world, FollowRange, &follow);
    if (work->spinCount == 0) {
        hwWorld_DisplaceLinks(world, work->d);
        return;
    }
    hwSpins_Displace(world, stage->last);
    hwSpins_Accelerate(world, stage->hd);
}

// Residual of the stage equation at the current velocities and `way` of the correction.
static void EvaluateResidual(hwWorld* world, const hwSolverStage* stage, double way, bool matrix) {
    hwWork* work = world->work;
    FollowVelocities(world, stage, way);
    hwEvaluation evaluation = {.time = stage->time,
                               .since = stage->since,
                               .q = world->state.q,
                               .v = work->v,
                               .zBase = work->zBase,
                               .hd = stage->hd,
                               .matrix = matrix,
                               .step = stage->hd,
                               .mode = stage->mode,
                               .stage = stage->number,
                               .reuse = hwRealtime_GetTolerance(world),
                               .follow = stage->follow,
                               .foreseen = stage->foreseen};
    hwWorld_Evaluate(world, &evaluation);
    hwWorld_ComputeResidual(world, work->a, work->residual);
    if (work->spinCount > 0) hwSpins_Split(world, stage->last);
}

// Leaves matrices and powers in the work arrays too.
static void EvaluateStage(hwWorld* world, const hwSolverStage* stage, double way) {
    hwWork* work = world->work;
    EvaluateResidual(world, stage, way, true);
    hwWorld_AddReactionWork(world, work->a, work->v, stage->hd);
}

static double MoveAlong(hwWorld* world, const hwSolverStage* stage, double way) {
    hwWork* work = world->work;
    EvaluateStage(world, stage, way);
    return hwVector_Dot(work->freedomsInUse, work->residual, work->step);
}

// Moves along the Newton step to where the work of the residual along it has neither reversed by more than OVERSHOT nor
// hardly changed: a force-only line search. Cables that snap taut bend that work sharply, often within a millionth of the
// step. Short of such a bend the next Newton step would be as wrong as this one, so the search goes on until it is behind
// it: regula falsi with halved weights (Dowell & Jarratt 1971), and means of the logarithms where that creeps. Returns
// with the residual of the accepted point evaluated. `whole`: the whole step is taken, if it leads to numbers.
static void LineSearch(hwWorld* world, const hwSolverStage* stage, double startWork, bool whole) {
    double taken = 0.0, target = 1.0, low = 0.0, lowWork = startWork, high = 1.0, highWork = 0.0;
    int lastSide = 0;
    for (int trial = 0; trial < MAX_TRIALS; ++trial) {
        double workThere = MoveAlong(world, stage, target - taken);
        taken = target;
        if (whole && isfinite(workThere)) return;
        // a NaN is too far; of a step that does no work to begin with there is nothing to learn
        int side = workThere >= -OVERSHOT * startWork || !(startWork > 0.0) ? -1 : 1;
        if (side < 0 && (trial == 0 || workThere <= HARDLY_CHANGED * startWork)) return;
        if (side < 0) {
            low = taken;
            lowWork = workThere;
            if (lastSide < 0) highWork *= 0.5;
        } else {
            high = taken;
            highWork = workThere;
            if (lastSide > 0) lowWork *= 0.5;
        }
        lastSide = side;
        target = low + (high - low) * (isfinite(highWork) ? lowWork / (lowWork - highWork) : 0.1);
        if (side < 0 && high > 4.0 * low) target = hwFmax(target, sqrt(high * low));
    }
}

// How far the Newton correction is from being small enough.
static hwNewtonChange MeasureChange(const hwWorld* world, const hwSolverStage* stage) {
    const hwWork* work = world->work;
    double gravity = hwEnvironment_GetDef(world->environment)->gravity;
    hwScales unit = hwScales_Measure(&world->model.forest, work->v);
    unit.linear = TREE_TOLERANCE * (hwFmax(unit.linear, stage->hd * gravity) + HW_SLOWEST);
    unit.angular = TREE_TOLERANCE * (hwFmax(unit.angular, stage->hd) + HW_SLOWEST);
    hwNewtonChange change = {.all =
                                 hwScales_GetRatio(hwScales_Measure(&world->model.forest, work->step), unit)};
    HW_EACH_PART(world, part, measureChange) part->measureChange(world, stage->hd, &change);
    hwVector_Grow(&change.all, change.places);
    return change;
}

// The matrix that is factored leaves out what is not symmetric or not positive: forces that turn with a velocity, bounds of
// power, velocity products. Where corrections do not become small with it, they are solved for with the true one, whose
// products are differences of residuals, by GMRES with the factors as preconditioner.
typedef struct TrueMatrix {
    hwWorld* world;
    const hwSolverStage* stage;
    double size; // m/s or rad/s, largest velocity
} TrueMatrix;

static void MultiplyTrue(void* context, const double* x, double* y) {
    const TrueMatrix* m = context;
    hwWork* work = m->world->work;
    const double *v = work->y, *residual = work->rates;
    int count = work->freedomsInUse;
    double largest = 0.0;
    for (int i = 0; i < count; ++i) hwVector_Grow(&largest, fabs(x[i]));
    memset(y, 0, (size_t)m->world->work->freedomsInUse * sizeof(double));
    if (!(largest > 0.0) || !isfinite(largest)) return;
    double part = TRUE_PART * m->size / largest;
    for (int i = 0; i < count; ++i) work->v[i] = v[i] + part * x[i];
    EvaluateResidual(m->world, m->stage, 0.0, false);
    for (int i = 0; i < count; ++i) y[i] = m->stage->hd * (residual[i] - work->residual[i]) / part;
}

static void PreconditionTrue(void* context, const double* x, double* y) {
    const TrueMatrix* m = context;
    memset(y, 0, (size_t)m->world->work->freedomsInUse * sizeof(double));
    hwWorld_SolveFactored(m->world, x, y);
}

// work->step is the solution with the factored matrix; goes on to that with the true one.
static void SolveTrue(hwWorld* world, const hwSolverStage* stage) {
    hwWork* work = world->work;
    int count = work->freedomsInUse;
    size_t bytes = (size_t)count * sizeof(double);
    TrueMatrix m = {world, stage, HW_SLOWEST};
    for (int i = 0; i < count; ++i) hwVector_Grow(&m.size, fabs(work->v[i]));
    memcpy(work->y, work->v, bytes);
    memcpy(work->rates, work->residual, bytes);
    memset(work->known, 0, bytes);
    for (int i = 0; i < count; ++i) work->known[i] = stage->hd * work->residual[i];
    work->gmres.size = count;
    hwGmres_Solve(&work->gmres, MultiplyTrue, PreconditionTrue, &m, work->known, work->step, TRUE_TO,
                  TRUE_IN);
    memcpy(work->v, work->y, bytes);
    // forces, powers and what the audit sums are those of the last product: this may have been the last correction
    EvaluateStage(world, stage, 0.0);
}

static bool IsNearKink(const hwWorld* world, const hwNewtonChange* change) {
    if (change->strict) return false;
    double more = world->state.header->crawls ? CRAWLING : 1.0;
    return TREE_TOLERANCE * change->all <= more * NEAR_KINK * hwRealtime_GetTolerance(world) &&
           change->places <= more * NEAR_PLACES;
}

// Shortens a correction that leads too far for what it was solved for to hold there; returns by how much.
static double ShortenCorrection(hwWorld* world, double hd) {
    double share = 1.0;
    HW_EACH_PART(world, part, limitCorrection) share = hwFmin(share, part->limitCorrection(world, hd));
    if (share == 1.0) return 1.0;
    for (int i = 0; i < world->work->freedomsInUse; ++i) world->work->step[i] *= share;
    return share;
}

// Newton's method. The last correction is added without evaluating there again: it is small, and what is left of the
// residual after it is smaller still.
static hwStageResult RunNewton(hwWorld* world, hwSolverStage* stage, hwError* error) {
    hwWork* work = world->work;
    int count = world->work->freedomsInUse;
    EvaluateStage(world, stage, 0.0);
    if (work->crowded) stage->follow = FOLLOWS * hwCrowd_GetTolerance(world);
    double previous = INFINITY, ownChange = 0.0;
    bool stalls = false;
    for (int iteration = 0; iteration < MAX_ITERATIONS; ++iteration) {
        if (hwWorld_IsStopped(world)) return HW_SOLVE_STOPPED;
        world->state.header->counters.iterations += 1;
        for (int i = 0; i < count; ++i) work->step[i] = stage->hd * work->residual[i];
        if (hwWorld_Factor(world, stage->hd, work->step, error) != HW_OK) return HW_SOLVE_FAILED;
        hwWorld_SolveFactored(world, work->step, work->step);
        if (work->crowded) hwCrowd_SolveWhole(world, stage->hd);
        // the last ones are judged: across a kink differences of residuals mean nothing
        bool slowly = stalls && iteration >= TRUE_FROM && iteration < TRUE_UNTIL;
        if (slowly && !work->crowded) SolveTrue(world, stage);
        bool settled = true, stiffens = false;
        if (stage->foreseen || iteration < FORESEEN_UNTIL) {
            HW_EACH_PART(world, part, foresee)
            settled = part->foresee(world, work->step, &stiffens) && settled;
        }
        stage->foreseen = iteration < FORESEEN_UNTIL;
        double startWork = hwVector_Dot(count, work->residual, work->step);
        hwNewtonChange change = MeasureChange(world, stage);
        if (!isfinite(startWork) || !isfinite(change.all)) return HW_SOLVE_FAILED;
        // at the level of rounding nothing improves any more; the places of nodes never come near it
        double slow = iteration < MANY_ITERATIONS ? 0.5 : 0.1;
        bool enough = change.all <= 1e3 && change.all >= slow * previous && change.places <= 1.0;
        if (iteration == MAX_ITERATIONS - 1) enough = enough || IsNearKink(world, &change);
        if (iteration > 0 && change.places <= 1.0 && change.all <= CLEAR_RATE * previous)
            enough = enough || change.all * change.all <= NEXT_SMALL * previous;
        if (work->crowded && !enough)
            enough = hwCrowd_IsNearEnough(world, stage, &ownChange) && change.places <= 1.0;
        if ((change.all <= 1.0 || enough) && settled) {
            stage->foreseen = false;
            FollowVelocities(world, stage, 1.0);
            bool again = false;
            HW_EACH_PART(world, part, place) again = part->place(world) || again;
            if (again) {
                EvaluateStage(world, stage, 0.0);
            } else if (work->crowded) {
                hwCrowd_FollowLast(world, stage);
            }
            return HW_SOLVE_CONVERGED;
        }
        stalls = change.all > STALLED * previous;
        previous = change.all;
        bool whole = stiffens && iteration < WHOLE_UNTIL;
        if (whole) HW_EACH_PART(world, part, countTouches) whole = whole && part->countTouches(world) == 0;
        startWork *= ShortenCorrection(world, stage->hd);
        LineSearch(world, stage, startWork, whole);
    }
    return HW_SOLVE_SLOW;
}

hwStageResult hwRealtime_SolveStage(hwWorld* world, hwSolverStage stage, hwError* error) {
    world->work->stages += 1;
    stage.number = hwEnvironment_HasWaves(world->environment) ? world->work->stages : 0;
    return RunNewton(world, &stage, error);
}
