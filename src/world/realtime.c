// The built-in solver: TR-BDF2 (Bank et al. 1985) on displacements and velocities, with Newton's method on the whole
// world and step sizes from its embedded error estimate (Hosea & Shampine 1996).
//
// With g = 2 - sqrt 2 and d = g/2 both stages have the form
//     a = (v - vBase) / (h d),   displacement = dBase + h d v,
// so that one matrix M + (h d) D + (h d)^2 K serves both. Displacements are in the space of velocities and measured from
// the start of the step: rotations are exponentials of them, which keeps second order (the neglected commutator is of
// third order in h).
//
// Bodies that spin (StartSpins) are measured from the motion that they would have without forces, qf(t), vf(t), af(t), which
// is known (mech/free_motion.c): displacement and velocity less it are what the method advances, so that
//     a = af + (v - vf - wBase) / (h d),   displacement from qf = dBase + h d (v - vf).
// A body in free flight, offset centre of mass and all, is then where it should be, with its energy and angular momentum, at
// any rate of spin. Where it turns far in a stage (SPLIT_SPIN) Newton's method, whose matrix has no gyroscopic terms, would not
// converge on them; there they are those of the motion without forces, which is splitting, and counts as an error. In axes that turn with the body, or with the velocity of a point that goes round its centre of mass, the
// method itself gains or loses a part of h w to the fourth power a step.
#include "api/step_events.h"
#include "math/vectors.h"
#include "world/islands.h"
#include "world/part.h"

#include <math.h>
#include <string.h>

#define GAMMA 0.58578643762690495120     // 2 - sqrt 2
#define C1 1.20710678118654752440        // 1 / (g (2 - g))
#define C0 0.20710678118654752440        // (1 - g)^2 / (g (2 - g))
#define ERROR_SCALE -0.04044011451988173 // (-3 g^2 + 4 g - 2) / (12 (2 - g))

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
#define STALLED 0.5    // of the correction before: while they become smaller than that, they are left alone
#define TRUE_PART 1e-7 // of the largest velocity: step of the differences
#define TRUE_TO 0.03   // of the correction is left by GMRES,
#define TRUE_IN 12     // in at most so many products
// It stops, too, when by the rate at which corrections shrink the next one would be below this part of what is small enough,
// where that rate is clear. Of links only: nodes that come to touch or draw taut change their matrix from one correction to
// the next, and then rates say nothing.
#define NEXT_SMALL 0.3
#define CLEAR_RATE 0.1
// A stage starts from velocities that go on with the last acceleration where that was nearer to the solution of the stage
// before: of links at all, of nodes clearly, by this part of the squares. Where nodes touch and draw taut, accelerations come
// and go, and a wrong guess costs more corrections than a right one saves.
#define CLEARLY_NEARER 0.1
#define DEFAULT_TOLERANCE 2e-3 // local error of a step, of the way that things go in it
// What a link does because something stiff drives it, a wire or a stop, is damped out of the estimate as what the stiff thing
// does by itself is: of its error before that this part counts. Without it a load at rest under a winch that begins to turn
// would go through the whole beginning in one step. Nodes of cables vibrate by themselves: less of theirs.
#define DRIVEN_LINKS 0.3
#define DRIVEN_NODES 0.02
// Unless a tolerance is asked for, errors alone do not make steps shorter than this, s: what is faster is damped, not
// followed, and a frame takes a bounded number of steps.
#define SHORTEST_FOLLOWED 2e-3
// In a heap, so many pairs that touch, some box is always striking another: steps as short as one impact asks for would be those
// of all of them all the time. There errors alone do not make steps shorter than half a frame, s,
#define CROWD 24
#define SHORTEST_CROWDED 8.4e-3
// steps that something else has cut grow back to that by this factor whatever the errors are,
#define REGROWN 1.5
// and Newton's method stops when what is left, by the rate at which corrections become smaller, is below so many times the
// tolerance, 2 % by default: root of the mean square over links, each of its own velocity or of what its weight does to it in a stage, and of no
// link more than OUTLIERS times that. Corrections of a few sliding contacts shrink slowly, because how friction follows the
// normal force is not in the symmetric matrix; the local errors of links that strike something are larger still. What is left
// is an error of places and velocities only: momentum and the energy audit are those of the forces that were solved with.
#define CROWDED_LEFT 10.0
#define OUTLIERS 10.0
#define SLOWEST_RATE 0.95
// (contacts of links that are corrected by a smaller part of that follow their matrices)
#define FOLLOWS 0.2
// The part of the matrix that is not symmetric, by which friction at its limit follows the normal force, is solved for in heaps:
// by GMRES after the symmetric part, to this part of the correction, in so many products.
#define FOLLOWED_TO 0.03
#define FOLLOWED_IN 8
#define UNSURE 1.05
#define FIRST_SMALL 0.1 // of that, for a first correction, whose rate is not known
// The first step is short where accelerations would change velocities by more than this in it, m/s or rad/s: what is far
// out of balance at the start is gone before steps are long.
#define FIRST_CHANGE 0.1
#define FIRST_STEP 1e-6 // s, at least
// A step that ends with this much more energy than it began with and work was done (see MeasureGain) is taken again in
// shorter ones, as long as that helps.
#define GAINED 0.005
#define HELPED 0.9            // of the gain before, or less
#define GROSS 1.0             // but always where so much was gained
#define SHORTEST_WATCHED 1e-6 // s
#define FAINT 0.1 // m/s: with less than what everything has at this speed, gains are not told from noise
// After a step without a solution the next ones keep to this part of it; it is forgotten by this factor a step.
#define HELD 0.7
#define FORGOTTEN 1.15
#define LONGEST_HELD 0.1 // s
// rad in a step: below that what the method loses to spin is less than 1e-6 in 1,000 turns, 150 (h w)^3 of the energy.
#define SLOW_SPIN 1e-3
#define SPLIT_SPIN 0.1 // rad in h d
// Splitting is for what has no moment on it: a rate gained in a step, of the whole rate, that is more than rounding and
// Newton's method explain counts as an error so many times, and the step is taken again in shorter ones.
#define SPLIT_ERROR 1e6
#define TRAPEZOIDAL_PART                                                                                     \
    (1.001 * GAMMA)       // of a step: a sample up to there is a first stage, after it a second one
#define FOLLOWED_SPIN 0.1 // rad: errors may shorten steps down to this angle of the fastest spin

typedef struct Stage {
    double time; // at its end
    double hd;
    const double* vBase;
    const double* dBase;
    bool last; // of the two
    hwMode mode;
    double follow;   // of hwEvaluation, after the first evaluation
    uint64_t number; // not 0: samples of waves serve for all evaluations of it
} Stage;

static double GetTolerance(const hwWorld* world) {
    double asked = world->def.solver.tolerance;
    return asked > 0.0 ? asked : DEFAULT_TOLERANCE;
}

static bool IsAngular(const hwLink* link, int k) {
    return link->joint == HW_LINK_REVOLUTE || link->joint == HW_LINK_BALL ||
           (link->joint == HW_LINK_FREE && k >= 3);
}

// Sizes of what a vector of generalised velocities holds: the largest |x| of linear and of angular freedoms of trees.
typedef struct Scales {
    double linear, angular;
} Scales;

static Scales MeasureTrees(const hwForest* forest, const double* x) {
    Scales s = {0.0, 0.0};
    for (int i = 0; i < forest->linkCount; ++i) {
        const hwLink* link = &forest->links[i];
        int count = hwJoint_CountFreedoms(link->joint);
        for (int k = 0; k < count; ++k) {
            hwVector_Grow(IsAngular(link, k) ? &s.angular : &s.linear, fabs(x[link->freedom + k]));
        }
    }
    return s;
}

static double Ratio(Scales x, Scales unit) {
    double linear = x.linear / unit.linear, angular = x.angular / unit.angular;
    return linear > angular || isnan(linear) ? linear : angular;
}

// Bodies that turn by more than SLOW_SPIN in the coming sub-step, and their motion without forces.
static void StartSpins(hwWorld* world, double h) {
    hwWork* work = world->work;
    const hwForest* forest = &world->model.forest;
    work->spinCount = 0;
    for (int i = 0; i < forest->linkCount; ++i) {
        const hwLink* link = &forest->links[i];
        if (link->joint != HW_LINK_FREE) continue;
        const double* w = work->v0 + link->freedom + 3;
        if (!(h * h * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]) > SLOW_SPIN * SLOW_SPIN)) continue;
        if (!hwForest_IsFreeBody(forest, i)) continue;
        hwSpin* spin = &work->spins[work->spinCount++];
        spin->link = i;
        spin->split = h * hwLength(hwMakeVec3(w[0], w[1], w[2])) > SPLIT_SPIN / (0.5 * GAMMA);
        memcpy(spin->start.q, work->q0 + link->coordinate, sizeof(spin->start.q));
        memcpy(spin->start.v, work->v0 + link->freedom, sizeof(spin->start.v));
        hwFreeMotion_Advance(&spin->start, link, 0.0);
        spin->middle = spin->start;
        hwFreeMotion_Advance(&spin->middle, link, GAMMA * h);
        spin->end = spin->middle;
        hwFreeMotion_Advance(&spin->end, link, (1.0 - GAMMA) * h);
    }
}

static void DisplaceSpins(hwWorld* world, bool last) {
    hwWork* work = world->work;
    for (int k = 0; k < work->spinCount; ++k) {
        const hwSpin* spin = &work->spins[k];
        const hwLink* link = &world->model.forest.links[spin->link];
        hwLink_Displace(link, last ? spin->end.q : spin->middle.q, work->d + link->freedom,
                        world->state.q + link->coordinate);
    }
}

// Bases and first guess of the first stage, as in TrySubStep for everything else.
static void BeginSpins(hwWorld* world, double hd, double ahead) {
    hwWork* work = world->work;
    for (int k = 0; k < work->spinCount; ++k) {
        const hwSpin* spin = &work->spins[k];
        int first = world->model.forest.links[spin->link].freedom;
        for (int j = 0; j < 6; ++j) {
            double v = spin->middle.v[j], pushed = work->a0[first + j] - spin->start.a[j];
            work->v1[first + j] = v + hd * (pushed - spin->middle.a[j]);
            work->d1[first + j] = -hd * v;
            work->v[first + j] = v + ahead * pushed;
        }
    }
}

// And of the second; v1 holds the velocities of the first, d1 its displacements times C1.
static void GoOnWithSpins(hwWorld* world, double hd, double ahead) {
    hwWork* work = world->work;
    for (int k = 0; k < work->spinCount; ++k) {
        const hwSpin* spin = &work->spins[k];
        int first = world->model.forest.links[spin->link].freedom;
        for (int j = 0; j < 6; ++j) {
            double v = spin->end.v[j], apart = work->v1[first + j] - spin->middle.v[j];
            work->estimate[first + j] = v + C1 * apart - hd * spin->end.a[j];
            work->d1[first + j] -= hd * v;
            work->v[first + j] = v + apart + ahead * (work->a[first + j] - spin->middle.a[j]);
        }
    }
}

// Accelerations, displacements and coordinates that go with the current velocities.
static void FollowVelocities(hwWorld* world, const Stage* stage) {
    hwWork* work = world->work;
    double inverse = 1.0 / stage->hd;
    for (int i = 0; i < world->work->freedomsInUse; ++i) {
        work->a[i] = (work->v[i] - stage->vBase[i]) * inverse;
        work->d[i] = stage->dBase[i] + stage->hd * work->v[i];
    }
    hwWorld_Displace(world, work->q0, work->d, world->state.q);
    if (work->spinCount > 0) DisplaceSpins(world, stage->last);
}

// By how much the accelerations of the motion without forces differ between the velocities and places now and those it has.
static void CompareSpin(const hwWorld* world, const hwSpin* spin, bool last, hwFreeMotion* now,
                        double off[6]) {
    const hwLink* link = &world->model.forest.links[spin->link];
    const double* wanted = last ? spin->end.a : spin->middle.a;
    memcpy(now->q, world->state.q + link->coordinate, sizeof(now->q));
    memcpy(now->v, world->work->v + link->freedom, sizeof(now->v));
    hwFreeMotion_Advance(now, link, 0.0);
    for (int j = 0; j < 6; ++j) off[j] = wanted[j] - now->a[j];
}

// Gyroscopic forces of spins that are split. With those that the residual has, the inertia would ask for the accelerations
// that go with the velocities now; it is to ask for those of the motion without forces.
static void SplitSpins(hwWorld* world, bool last) {
    hwWork* work = world->work;
    for (int k = 0; k < work->spinCount; ++k) {
        const hwSpin* spin = &work->spins[k];
        if (!spin->split) continue;
        const hwLink* link = &world->model.forest.links[spin->link];
        hwFreeMotion now;
        double off[6], force[6];
        CompareSpin(world, spin, last, &now, off);
        hwLink_MultiplyInertia(link, now.q, off, force);
        for (int j = 0; j < 6; ++j) work->residual[link->freedom + j] += force[j];
    }
}

// At the end of a step their accelerations are given the gyroscopic part that goes with the velocities reached, from which
// the next step sets out: the difference of the two would grow by h w a step.
static void FinishSpins(hwWorld* world) {
    const hwWork* work = world->work;
    for (int k = 0; k < work->spinCount; ++k) {
        const hwSpin* spin = &work->spins[k];
        if (!spin->split) continue;
        hwFreeMotion now;
        double off[6];
        CompareSpin(world, spin, true, &now, off);
        double* a = world->state.a + world->model.forest.links[spin->link].freedom;
        for (int j = 0; j < 6; ++j) a[j] -= off[j];
    }
}

// Residual of the stage equation at the current velocities.
static void EvaluateResidual(hwWorld* world, const Stage* stage, bool matrix) {
    hwWork* work = world->work;
    FollowVelocities(world, stage);
    hwEvaluation evaluation = {.time = stage->time,
                               .q = world->state.q,
                               .v = work->v,
                               .zBase = work->zBase,
                               .hd = stage->hd,
                               .matrix = matrix,
                               .step = stage->hd,
                               .mode = stage->mode,
                               .stage = stage->number,
                               .reuse = GetTolerance(world),
                               .follow = stage->follow};
    hwWorld_Evaluate(world, &evaluation);
    hwWorld_ComputeResidual(world, work->a, work->residual);
    if (work->spinCount > 0) SplitSpins(world, stage->last);
}

// Leaves matrices and powers in the work arrays too.
static void EvaluateStage(hwWorld* world, const Stage* stage) {
    hwWork* work = world->work;
    EvaluateResidual(world, stage, true);
    hwWorld_AddReactionWork(world, work->a, work->v, stage->hd);
}

static double MoveAlong(hwWorld* world, const Stage* stage, double way) {
    hwWork* work = world->work;
    int count = world->work->freedomsInUse;
    for (int i = 0; i < count; ++i) work->v[i] += way * work->step[i];
    EvaluateStage(world, stage);
    return hwVector_Dot(count, work->residual, work->step);
}

// Moves along the Newton step to where the work of the residual along it has neither reversed by more than OVERSHOT nor
// hardly changed: a force-only line search. Cables that snap taut bend that work sharply, often within a millionth of the
// step. Short of such a bend the next Newton step would be as wrong as this one, so the search goes on until it is behind
// it: regula falsi with halved weights (Dowell & Jarratt 1971), and means of the logarithms where that creeps. Returns
// with the residual of the accepted point evaluated.
static void LineSearch(hwWorld* world, const Stage* stage, double startWork) {
    double taken = 0.0, target = 1.0, low = 0.0, lowWork = startWork, high = 1.0, highWork = 0.0;
    int lastSide = 0;
    for (int trial = 0; trial < MAX_TRIALS; ++trial) {
        double workThere = MoveAlong(world, stage, target - taken);
        taken = target;
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
static hwNewtonChange MeasureChange(const hwWorld* world, const Stage* stage) {
    const hwWork* work = world->work;
    double gravity = hwEnvironment_GetDef(world->environment)->gravity;
    Scales unit = MeasureTrees(&world->model.forest, work->v);
    unit.linear = TREE_TOLERANCE * (hwFmax(unit.linear, stage->hd * gravity) + HW_SLOWEST);
    unit.angular = TREE_TOLERANCE * (hwFmax(unit.angular, stage->hd) + HW_SLOWEST);
    hwNewtonChange change = {Ratio(MeasureTrees(&world->model.forest, work->step), unit), 0.0};
    HW_EACH_PART(world, part, measureChange) part->measureChange(world, stage->hd, &change);
    hwVector_Grow(&change.all, change.places);
    return change;
}

// Corrections of links, each of its own velocity.
typedef struct OwnChange {
    double largest, mean; // mean: root of the mean square
} OwnChange;

static OwnChange MeasureOwnChange(const hwWorld* world, const Stage* stage) {
    const hwWork* work = world->work;
    const hwForest* forest = &world->model.forest;
    double weight = stage->hd * hwEnvironment_GetDef(world->environment)->gravity, sum = 0.0;
    OwnChange change = {0.0, 0.0};
    for (int i = 0; i < forest->linkCount; ++i) {
        const hwLink* link = &forest->links[i];
        int count = hwJoint_CountFreedoms(link->joint);
        Scales v = {0.0, 0.0}, step = {0.0, 0.0};
        for (int k = 0; k < count; ++k) {
            bool angular = IsAngular(link, k);
            hwVector_Grow(angular ? &v.angular : &v.linear, fabs(work->v[link->freedom + k]));
            hwVector_Grow(angular ? &step.angular : &step.linear, fabs(work->step[link->freedom + k]));
        }
        v.linear = hwFmax(v.linear, weight) + HW_SLOWEST;
        v.angular = hwFmax(v.angular, stage->hd) + HW_SLOWEST;
        double own = Ratio(step, v);
        hwVector_Grow(&change.largest, own);
        sum += own * own;
    }
    change.mean = sqrt(sum / (double)forest->linkCount);
    return change;
}

static double GetCrowdTolerance(const hwWorld* world) {
    return CROWDED_LEFT * GetTolerance(world);
}

// Whether Newton's method may stop in a heap; *last is the mean change of the correction before, 0 at first.
static bool IsNearEnough(const hwWorld* world, const Stage* stage, double* last) {
    double enough = GetCrowdTolerance(world);
    OwnChange change = MeasureOwnChange(world, stage);
    double before = *last;
    *last = change.mean;
    double* usual = &world->state.header->crowdRate;
    if (!(before > 0.0)) {
        if (change.largest <= FIRST_SMALL * enough) return true;
        // of a first correction the rate is that of the stages before, less sure the longer it was not measured
        if (!(*usual > 0.0 && *usual < SLOWEST_RATE)) return false;
        double first = hwPow(*usual / (1.0 - *usual), 0.8);
        if (!(first * change.mean <= enough && first * change.largest <= OUTLIERS * enough)) return false;
        *usual = hwFmin(UNSURE * *usual, 1.0);
        return true;
    }
    double rate = change.mean / before, left = rate / (1.0 - rate);
    *usual = hwFmin(rate, 1.0);
    return rate < SLOWEST_RATE && left * change.mean <= enough && left * change.largest <= OUTLIERS * enough;
}

// The whole Newton matrix, with what follows other forces, after the solve with the symmetric part: (1 + A^-1 U) x.
typedef struct WholeMatrix {
    const hwWorld* world;
    double hd;
} WholeMatrix;

static void MultiplyWhole(void* context, const double* x, double* y) {
    const WholeMatrix* whole = context;
    const hwWorld* world = whole->world;
    hwWork* work = world->work;
    const hwForest* forest = &world->model.forest;
    int count = world->model.freedomCount;
    hwForest_ComputeAccelerations(forest, x, &work->forest);
    memset(work->loads, 0, (size_t)forest->linkCount * sizeof(hwWideSpatial));
    HW_EACH_PART(world, part, multiplyFollowing) part->multiplyFollowing(world, whole->hd, work->loads);
    memset(y, 0, (size_t)count * sizeof(double));
    hwForest_AddForces(forest, &work->forest, work->loads, y);
    hwWorld_SolveFactored(world, y, y);
    for (int i = 0; i < count; ++i) y[i] += x[i];
}

static void CopyVector(void* context, const double* x, double* y) {
    const WholeMatrix* whole = context;
    memcpy(y, x, (size_t)whole->world->model.freedomCount * sizeof(double));
}

// work->step is the solution with the symmetric part; goes on to that with the whole matrix.
static void SolveWhole(hwWorld* world, double hd) {
    hwWork* work = world->work;
    bool any = false;
    HW_EACH_PART(world, part, hasFollowing) any = any || part->hasFollowing(world);
    if (!any) return;
    WholeMatrix whole = {world, hd};
    memcpy(work->known, work->step, (size_t)world->model.freedomCount * sizeof(double));
    hwGmres_Solve(&work->gmres, MultiplyWhole, CopyVector, &whole, work->known, work->step, FOLLOWED_TO,
                  FOLLOWED_IN);
}

// In a heap the last correction, work->step, is not so small that the audit and friction's springs could do without it.
static void FollowLast(hwWorld* world, const Stage* stage) {
    hwWork* work = world->work;
    hwForest_ComputeAccelerations(&world->model.forest, work->step, &work->forest);
    for (int i = 0; i < world->model.forest.linkCount; ++i) {
        work->forest.motion[i].v.l += work->forest.increment[i].l;
        work->forest.motion[i].v.a += work->forest.increment[i].a;
    }
    HW_EACH_PART(world, part, followLast) part->followLast(world, stage->hd);
}

// The matrix that is factored leaves out what is not symmetric or not positive: forces that turn with a velocity, bounds of
// power, velocity products. Where corrections do not become small with it, they are solved for with the true one, whose
// products are differences of residuals, by GMRES with the factors as preconditioner.
typedef struct TrueMatrix {
    hwWorld* world;
    const Stage* stage;
    double size; // m/s or rad/s, largest velocity
} TrueMatrix;

static void MultiplyTrue(void* context, const double* x, double* y) {
    const TrueMatrix* m = context;
    hwWork* work = m->world->work;
    const double *v = work->y, *residual = work->rates;
    int count = work->freedomsInUse;
    double largest = 0.0;
    for (int i = 0; i < count; ++i) hwVector_Grow(&largest, fabs(x[i]));
    memset(y, 0, (size_t)m->world->model.freedomCount * sizeof(double));
    if (!(largest > 0.0) || !isfinite(largest)) return;
    double part = TRUE_PART * m->size / largest;
    for (int i = 0; i < count; ++i) work->v[i] = v[i] + part * x[i];
    EvaluateResidual(m->world, m->stage, false);
    for (int i = 0; i < count; ++i) y[i] = m->stage->hd * (residual[i] - work->residual[i]) / part;
}

static void PreconditionTrue(void* context, const double* x, double* y) {
    const TrueMatrix* m = context;
    memset(y, 0, (size_t)m->world->model.freedomCount * sizeof(double));
    hwWorld_SolveFactored(m->world, x, y);
}

// work->step is the solution with the factored matrix; goes on to that with the true one.
static void SolveTrue(hwWorld* world, const Stage* stage) {
    hwWork* work = world->work;
    size_t bytes = (size_t)world->model.freedomCount * sizeof(double);
    int count = work->freedomsInUse;
    TrueMatrix m = {world, stage, HW_SLOWEST};
    for (int i = 0; i < count; ++i) hwVector_Grow(&m.size, fabs(work->v[i]));
    memcpy(work->y, work->v, bytes);
    memcpy(work->rates, work->residual, bytes);
    memset(work->known, 0, bytes);
    for (int i = 0; i < count; ++i) work->known[i] = stage->hd * work->residual[i];
    hwGmres_Solve(&work->gmres, MultiplyTrue, PreconditionTrue, &m, work->known, work->step, TRUE_TO,
                  TRUE_IN);
    memcpy(work->v, work->y, bytes);
    memcpy(work->residual, work->rates, bytes);
}

static bool IsNearKink(const hwWorld* world, const hwNewtonChange* change) {
    double more = world->state.header->crawls ? CRAWLING : 1.0;
    return TREE_TOLERANCE * change->all <= more * NEAR_KINK * GetTolerance(world) &&
           change->places <= more * NEAR_PLACES;
}

typedef enum StageResult { STAGE_CONVERGED, STAGE_SLOW, STAGE_FAILED } StageResult;

// Newton's method. The last correction is added without evaluating there again: it is small, and what is left of the
// residual after it is smaller still.
static StageResult RunNewton(hwWorld* world, Stage* stage, hwError* error) {
    hwWork* work = world->work;
    int count = world->work->freedomsInUse;
    EvaluateStage(world, stage);
    if (work->crowded) stage->follow = FOLLOWS * GetCrowdTolerance(world);
    double previous = INFINITY, ownChange = 0.0;
    bool stalls = false;
    for (int iteration = 0; iteration < MAX_ITERATIONS; ++iteration) {
        world->state.header->counters.iterations += 1;
        if (hwWorld_Factor(world, stage->hd, error) != HW_OK) return STAGE_FAILED;
        for (int i = 0; i < count; ++i) work->step[i] = stage->hd * work->residual[i];
        hwWorld_SolveFactored(world, work->step, work->step);
        if (work->crowded) SolveWhole(world, stage->hd);
        // the last ones are judged: across a kink differences of residuals mean nothing
        bool slowly = stalls && iteration >= TRUE_FROM && iteration < TRUE_UNTIL;
        if (slowly && !work->crowded) SolveTrue(world, stage);
        double startWork = hwVector_Dot(count, work->residual, work->step);
        hwNewtonChange change = MeasureChange(world, stage);
        if (!isfinite(startWork) || !isfinite(change.all)) return STAGE_FAILED;
        // at the level of rounding nothing improves any more; the places of nodes never come near it
        double slow = iteration < MANY_ITERATIONS ? 0.5 : 0.1;
        bool enough = change.all <= 1e3 && change.all >= slow * previous && change.places <= 1.0;
        if (iteration == MAX_ITERATIONS - 1) enough = enough || IsNearKink(world, &change);
        if (iteration > 0 && change.places <= 1.0 && change.all <= CLEAR_RATE * previous)
            enough = enough || change.all * change.all <= NEXT_SMALL * previous;
        if (work->crowded && !enough) enough = IsNearEnough(world, stage, &ownChange) && change.places <= 1.0;
        if (change.all <= 1.0 || enough) {
            for (int i = 0; i < count; ++i) work->v[i] += work->step[i];
            FollowVelocities(world, stage);
            bool again = false;
            HW_EACH_PART(world, part, place) again = part->place(world) || again;
            if (again) {
                EvaluateStage(world, stage);
            } else if (work->crowded) {
                FollowLast(world, stage);
            }
            return STAGE_CONVERGED;
        }
        stalls = change.all > STALLED * previous;
        previous = change.all;
        LineSearch(world, stage, startWork);
    }
    return STAGE_SLOW;
}

static StageResult SolveStage(hwWorld* world, Stage stage, hwError* error) {
    world->work->stages += 1;
    stage.number = hwEnvironment_HasWaves(world->environment) ? world->work->stages : 0;
    return RunNewton(world, &stage, error);
}

static void SetError(hwWorld* world, double h, hwError* error) {
    int worst = 0;
    const hwWork* work = world->work;
    if (hwWorld_CheckForces(world, work->residual, world->state.header->time, error) != HW_OK) return;
    for (int i = 0; i < world->model.freedomCount; ++i) {
        if (fabs(work->residual[i]) > fabs(work->residual[worst])) worst = i;
    }
    hwFreedomName name = hwWorld_NameFreedom(world, worst);
    hwFail(error, HW_ERROR_NUMERIC, name.object,
           "%s: no solution was found for %s at %.6g s, even with a step of %.3g s", name.object, name.part,
           world->state.header->time, h);
    hwFail_At(error, name.node, world->state.header->time);
    hwFail_Hint(error, "look for forces that jump or grow without bound, or allow smaller steps");
}

// Embedded estimate of the local error of displacements, relative to the way things go in the step. What is too stiff to
// be followed counts little: its share of the way is small, and the step's own matrix damps it as the method does. Where a
// cable that creeps is pressed in and let out counts against its own radius.
static double EstimateError(hwWorld* world, double h) {
    hwWork* work = world->work;
    const hwForest* forest = &world->model.forest;
    const double c = 2.0 * ERROR_SCALE, g = GAMMA;
    const double start = c / g, middle = -c / (g * (1.0 - g)), last = c / (1.0 - g);
    for (int i = 0; i < world->work->freedomsInUse; ++i) {
        work->step[i] = start * work->v0[i] + middle * work->v1[i] + last * work->v[i];
    }
    for (int k = 0; k < work->spinCount; ++k) { // motion without forces is exact
        const hwSpin* spin = &work->spins[k];
        double* own = work->step + forest->links[spin->link].freedom;
        for (int j = 0; j < 6; ++j)
            own[j] -= start * spin->start.v[j] + middle * spin->middle.v[j] + last * spin->end.v[j];
    }
    Scales whole = MeasureTrees(forest, work->step);
    double nodes = 0.0;
    HW_EACH_PART(world, part, measureError)
    hwVector_Grow(&nodes, part->measureError(world, h, work->step));
    hwWorld_MultiplyMass(world, work->step, work->estimate);
    hwWorld_SolveFactored(world, work->estimate, work->estimate);
    Scales unit = MeasureTrees(forest, work->v), before = MeasureTrees(forest, work->v0);
    unit.linear = hwFmax(unit.linear, before.linear) + HW_SLOWEST;
    unit.angular = hwFmax(unit.angular, before.angular) + HW_SLOWEST;
    double error = Ratio(MeasureTrees(forest, work->estimate), unit);
    hwVector_Grow(&error, DRIVEN_LINKS * Ratio(whole, unit));
    hwVector_Grow(&error, DRIVEN_NODES * nodes);
    HW_EACH_PART(world, part, measureError)
    hwVector_Grow(&error, part->measureError(world, h, work->estimate));
    for (int k = 0; k < work->spinCount; ++k) {
        const hwSpin* spin = &work->spins[k];
        if (!spin->split) continue;
        const double *w = work->v + forest->links[spin->link].freedom + 3, *f = spin->end.v + 3;
        double gained = hwLength(hwMakeVec3(w[0] - f[0], w[1] - f[1], w[2] - f[2]));
        hwVector_Grow(&error, SPLIT_ERROR * gained / hwLength(hwMakeVec3(f[0], f[1], f[2])));
    }
    return error;
}

// What a sub-step may change, put away: of the state, its header, its motion and the meshes of cables that winches haul.
// All else changes only between sub-steps.
static void Keep(hwWorld* world) {
    hwWork* work = world->work;
    const hwState* state = &world->state;
    size_t bytes = (size_t)world->work->freedomsInUse * sizeof(double);
    size_t auxiliaryBytes = (size_t)world->model.auxiliaryCount * sizeof(double);
    memcpy(work->backup, state->header, sizeof(*state->header));
    memcpy(work->backup + state->meshStart, state->block + state->meshStart, state->meshSize);
    memcpy(work->q0, state->q, (size_t)world->model.coordinateCount * sizeof(double));
    memcpy(work->v0, state->v, bytes);
    memcpy(work->a0, state->a, bytes);
    memcpy(work->z0, state->z, auxiliaryBytes);
    memcpy(work->zdot0, state->zdot, auxiliaryBytes);
}

// Back to the start of the sub-step; only the counters remember.
static void Restore(hwWorld* world) {
    const hwWork* work = world->work;
    hwState* state = &world->state;
    size_t bytes = (size_t)world->work->freedomsInUse * sizeof(double);
    size_t auxiliaryBytes = (size_t)world->model.auxiliaryCount * sizeof(double);
    hwCounters counters = state->header->counters;
    memcpy(state->header, work->backup, sizeof(*state->header));
    memcpy(state->block + state->meshStart, work->backup + state->meshStart, state->meshSize);
    state->header->counters = counters;
    memcpy(state->q, work->q0, (size_t)world->model.coordinateCount * sizeof(double));
    memcpy(state->v, work->v0, bytes);
    memcpy(state->a, work->a0, bytes);
    memcpy(state->z, work->z0, auxiliaryBytes);
    memcpy(state->zdot, work->zdot0, auxiliaryBytes);
}

// Powers of the audit, summed with the weights that the step gives to forces: what holds a cable's end that moves steadily
// then does the work of the impulse that the cable has got, also where it snaps taut within a step.
static void AuditStep(hwWorld* world, const hwMode* mode, double h) {
    const hwWork* work = world->work;
    hwState* state = &world->state;
    const double last = 0.5 * GAMMA, others = 0.5 - 0.5 * last;
    HW_EACH_PART(world, part, audit) part->audit(world, mode, h);
    HW_EACH_PART(world, part, auditRates) part->auditRates(world, state->zdot);
    for (int k = 0; k < world->model.auditCount; ++k) {
        int i = world->model.audited[k];
        state->z[i] = work->z0[i] + h * (others * (work->zdot0[i] + work->zdot1[i]) + last * state->zdot[i]);
    }
}

// Notes the energies at the end of a sub-step; how much more there is than work explains, of what is in motion, stretched
// or changes hands. Where cables snap taut, the equations of a stage have solutions besides the one that the motion goes
// on to, and Newton's method may find one that is thousands of times as lively. Contacts of cables are found anew for each
// step, and then hold other energies than before it: what they hold is not counted.
static double MeasureGain(hwWorld* world, double h) {
    const hwStateHeader* header = world->state.header;
    double lively = header->lively, conserved = header->conserved, moved = h * header->traffic;
    double found = hwWorld_NoteEnergy(world);
    double gain = header->conserved - conserved;
    moved += fabs(gain - (header->lively - lively)); // to and from heights, and from outside
    gain -= found;
    return gain / (lively + moved + 0.5 * world->model.mass * FAINT * FAINT);
}

// The time by which first guesses of links carry on, of one ahead.
static double GetCarriedAhead(const hwWorld* world, double ahead) {
    return (world->state.header->plainGuesses & HW_PLAIN_LINKS) == 0 ? ahead : 0.0;
}

// First guesses of a stage: velocities `v` of links and nodes, carried on by `ahead` with the accelerations `a` or as they are.
static void GuessVelocities(const hwWorld* world, const double* v, const double* a, double ahead) {
    hwWork* work = world->work;
    double links = GetCarriedAhead(world, ahead);
    double nodes = (world->state.header->plainGuesses & HW_PLAIN_NODES) == 0 ? ahead : 0.0;
    int count = world->model.forest.freedomCount;
    for (int i = 0; i < count; ++i) work->v[i] = v[i] + links * a[i];
    for (int i = count; i < work->freedomsInUse; ++i) work->v[i] = v[i] + nodes * a[i];
}

// Whether velocities carried on would have been nearer to the solution of a stage, which are sums of squares.
static bool IsCarriedNearer(const double* solution, const double* v, const double* a, double ahead, int count,
                            double part) {
    double plain = 0.0, carried = 0.0;
    for (int i = 0; i < count; ++i) {
        double off = solution[i] - v[i], rest = off - ahead * a[i];
        plain += off * off;
        carried += rest * rest;
    }
    return carried <= part * plain;
}

// After a stage that began with guesses from the same: which would have been the better ones.
static void JudgeGuesses(hwWorld* world, const double* v, const double* a, double ahead) {
    const hwWork* work = world->work;
    int links = world->model.forest.freedomCount, nodes = work->freedomsInUse - links;
    bool carryLinks = IsCarriedNearer(work->v, v, a, ahead, links, 1.0);
    bool carryNodes = IsCarriedNearer(work->v + links, v + links, a + links, ahead, nodes, CLEARLY_NEARER);
    world->state.header->plainGuesses =
        (uint64_t)((carryLinks ? 0 : HW_PLAIN_LINKS) | (carryNodes ? 0 : HW_PLAIN_NODES));
}

// One sub-step of size h from the state's time. On success the state has moved on; otherwise it is as it was.
static hwStatus TrySubStep(hwWorld* world, const hwMode* mode, double h, double end, double* errorRatio,
                           double* gain, hwError* error) {
    hwWork* work = world->work;
    hwState* state = &world->state;
    size_t bytes = (size_t)world->work->freedomsInUse * sizeof(double);
    size_t auxiliaryBytes = (size_t)world->model.auxiliaryCount * sizeof(double);
    double time = state->header->time, hd = 0.5 * GAMMA * h;
    Keep(world);

    // First stage: trapezoidal rule to time + g h; its bases live in the arrays that receive its result.
    for (int i = 0; i < world->work->freedomsInUse; ++i) {
        double v = work->v0[i], a = work->a0[i];
        work->v1[i] = v + hd * a;
        work->d1[i] = hd * v;
    }
    GuessVelocities(world, work->v0, work->a0, GAMMA * h);
    StartSpins(world, h);
    BeginSpins(world, hd, GetCarriedAhead(world, GAMMA * h));
    for (int i = 0; i < world->model.auxiliaryCount; ++i) work->zBase[i] = work->z0[i] + hd * work->zdot0[i];
    Stage first = {time + GAMMA * h, hd, work->v1, work->d1, false, *mode, 0.0, 0};
    StageResult one = SolveStage(world, first, error);
    StageResult two = STAGE_FAILED;
    if (one == STAGE_CONVERGED) {
        // second stage: BDF2 to the end
        JudgeGuesses(world, work->v0, work->a0, GAMMA * h);
        for (int i = 0; i < world->work->freedomsInUse; ++i) {
            double v = work->v[i];
            work->v1[i] = v;
            work->a1[i] = work->a[i];
            work->estimate[i] = C1 * v - C0 * work->v0[i];
            work->d1[i] = C1 * work->d[i];
        }
        GuessVelocities(world, work->v1, work->a1, (1.0 - GAMMA) * h);
        GoOnWithSpins(world, hd, GetCarriedAhead(world, (1.0 - GAMMA) * h));
        HW_EACH_PART(world, part, auditRates) part->auditRates(world, work->zdot1);
        HW_EACH_PART(world, part, noteStage) part->noteStage(world);
        for (int i = 0; i < world->model.auxiliaryCount; ++i)
            work->zBase[i] = C1 * work->z[i] - C0 * work->z0[i];
        Stage second = {end, hd, work->estimate, work->d1, true, *mode, 0.0, 0};
        two = SolveStage(world, second, error);
        if (two == STAGE_CONVERGED) JudgeGuesses(world, work->v1, work->a1, (1.0 - GAMMA) * h);
    }
    bool solved = one == STAGE_CONVERGED && two == STAGE_CONVERGED, passed = false;
    HW_EACH_PART(world, part, checkStep) passed = passed || (solved && !part->checkStep(world, h));
    if (!solved || passed) {
        if (one == STAGE_SLOW || two == STAGE_SLOW) state->header->counters.unconverged += 1;
        Restore(world);
        if (!passed) state->header->failedStep = h;
        return HW_ERROR_NUMERIC;
    }
    *errorRatio = EstimateError(world, h);
    memcpy(state->v, work->v, bytes);
    memcpy(state->a, work->a, bytes);
    FinishSpins(world);
    memcpy(state->z, work->z, auxiliaryBytes);
    memcpy(state->zdot, work->zdot, auxiliaryBytes);
    state->header->time = end;
    AuditStep(world, mode, h);
    *gain = MeasureGain(world, h);
    return HW_OK;
}

// Results within a step ---------------------------------------------------------------------------------------------------
//
// A sample at a part of a step that was accepted is a stage of the method that ends there: the trapezoidal rule from the
// step's start up to the first stage, BDF2 through start and first stage after it. It agrees with both stages where they are,
// is of the method's order, and balances forces and accelerations, at the cost of a stage. Interpolated places would not do:
// a polynomial leaves the arc of a taut element by 0.01 of the fourth power of its turn, which a wire of 1e9 N feels.

// Cubic between values and slopes at the ends of a step of h; `slope` may be null.
static double Interpolate(double x0, double slope0, double x1, double slope1, double h, double part,
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
    for (int i = 0; i < world->model.freedomCount; ++i) {
        work->step[i] = Interpolate(0.0, work->v0[i], work->d[i], state->v[i], h, part, NULL);
        work->v[i] = Interpolate(work->v0[i], work->a0[i], state->v[i], state->a[i], h, part, &work->a[i]);
    }
    for (int k = 0; k < work->spinCount; ++k) {
        hwSpin* spin = &work->spins[k];
        const hwLink* link = &world->model.forest.links[spin->link];
        hwFreeMotion there = spin->start;
        hwFreeMotion_Advance(&there, link, part * h);
        for (int j = 0; j < 6; ++j) {
            int i = link->freedom + j;
            double pushed = work->a0[i] - spin->start.a[j], a = 0.0;
            double apart = state->v[i] - spin->end.v[j];
            work->step[i] = Interpolate(0.0, 0.0, work->d[i], apart, h, part, NULL);
            work->v[i] =
                there.v[j] + Interpolate(0.0, pushed, apart, state->a[i] - spin->end.a[j], h, part, &a);
            work->a[i] = there.a[j] + a;
        }
    }
    memcpy(work->d, work->step, (size_t)world->model.freedomCount * sizeof(double));
}

// Bases of the stage that ends at a part of the step; returns its hd. TrySubStep has left v1, C1 times the displacements of
// the first stage in d1, and C1 z1 - C0 z0 in zBase.
static double SetBasesInside(hwWorld* world, double h, double part) {
    hwWork* work = world->work;
    bool first = part <= TRAPEZOIDAL_PART;
    double w = part / GAMMA - 1.0, c1 = (1.0 + w) * (1.0 + w) / (1.0 + 2.0 * w), c0 = w * w / (1.0 + 2.0 * w);
    double hd = first ? 0.5 * part * h : (1.0 + w) / (1.0 + 2.0 * w) * (part - GAMMA) * h;
    double whole = 0.5 * GAMMA * h, *v = work->estimate;
    for (int i = 0; i < world->model.freedomCount; ++i) {
        v[i] = first ? work->v0[i] + hd * work->a0[i] : c1 * work->v1[i] - c0 * work->v0[i];
        work->d1[i] = first ? hd * work->v0[i] : c1 / C1 * work->d1[i];
    }
    for (int k = 0; k < work->spinCount; ++k) {
        hwSpin* spin = &work->spins[k];
        const hwLink* link = &world->model.forest.links[spin->link];
        hwFreeMotion there = spin->start;
        hwFreeMotion_Advance(&there, link, part * h);
        for (int j = 0; j < 6; ++j) {
            int i = link->freedom + j;
            double pushed =
                first ? hd * (work->a0[i] - spin->start.a[j]) : c1 * (work->v1[i] - spin->middle.v[j]);
            v[i] = there.v[j] + pushed - hd * there.a[j];
            work->d1[i] = (first ? 0.0 : work->d1[i] + c1 / C1 * whole * spin->end.v[j]) - hd * there.v[j];
        }
        spin->end = there;
    }
    for (int i = 0; i < world->model.auxiliaryCount; ++i) {
        double z0 = work->z0[i], z1 = (work->zBase[i] + C0 * z0) / C1;
        work->zBase[i] = first ? z0 + hd * work->zdot0[i] : c1 * z1 - c0 * z0;
    }
    return hd;
}

// The motion without forces of spins at a part of the step takes the place of that at its end.
static void MoveSpins(hwWorld* world, double h, double part) {
    for (int k = 0; k < world->work->spinCount; ++k) {
        hwSpin* spin = &world->work->spins[k];
        spin->end = spin->start;
        hwFreeMotion_Advance(&spin->end, &world->model.forest.links[spin->link], part * h);
    }
}

// Brings the world from the end of a step of h from `begin` to a time within it.
static void MoveInside(hwWorld* world, const hwMode* mode, double begin, double h, double time) {
    hwWork* work = world->work;
    hwState* state = &world->state;
    size_t bytes = (size_t)world->model.freedomCount * sizeof(double);
    size_t auxiliaryBytes = (size_t)world->model.auxiliaryCount * sizeof(double);
    double part = (time - begin) / h;
    InterpolateMotion(world, h, part);
    StageResult result = STAGE_FAILED;
    if (part >
        HW_SAMPLE_SLACK) { // nearer to the start, accelerations would be differences of equal velocities
        double hd = SetBasesInside(world, h, part);
        Stage stage = {time, hd, work->estimate, work->d1, true, *mode, 0.0, 0};
        result = SolveStage(world, stage, NULL);
    }
    if (result != STAGE_CONVERGED) {
        hwWorld_RestoreFromSample(world);
        InterpolateMotion(world, h, part);
        MoveSpins(world, h, part);
        hwWorld_Displace(world, work->q0, work->d, state->q);
        DisplaceSpins(world, true);
        for (int i = 0; i < world->model.auxiliaryCount; ++i)
            work->z[i] = Interpolate(work->z0[i], work->zdot0[i], state->z[i], state->zdot[i], h, part,
                                     &work->zdot[i]);
    }
    for (int k = 0; k < world->model.auditCount; ++k) {
        int i = world->model.audited[k];
        work->z[i] = Interpolate(work->z0[i], work->zdot0[i], state->z[i], state->zdot[i], h, part, NULL);
    }
    memcpy(state->v, work->v, bytes);
    memcpy(state->a, work->a, bytes);
    if (result == STAGE_CONVERGED) FinishSpins(world);
    memcpy(state->z, work->z, auxiliaryBytes);
    memcpy(state->zdot, work->zdot, auxiliaryBytes);
    state->header->time = time;
    if (result == STAGE_CONVERGED && hwEnvironment_HasWaves(world->environment)) {
        work->readStage = work->stages;
        work->readReuse = GetTolerance(world);
    }
}

void hwRealtime_MoveInside(hwWorld* world, double time) {
    MoveInside(world, &hwMode_running, world->work->stepFrom, world->work->stepTaken, time);
}

// Samples that are due within a step that was accepted and not yet finished.
static void SampleStep(hwWorld* world, const hwMode* mode, double begin, double h) {
    double last = world->state.header->time - HW_SAMPLE_SLACK * h;
    hwWorld_KeepForSamples(world);
    while (hwWorld_HasSampleBefore(world, last)) {
        MoveInside(world, mode, begin, h, world->sampling.next);
        hwWorld_Sample(world);
        hwWorld_RestoreFromSample(world);
    }
}

static double ChooseFirstStep(const hwWorld* world) {
    const double* a = world->state.a;
    Scales trees = MeasureTrees(&world->model.forest, a);
    double largest = hwFmax(trees.linear, trees.angular);
    HW_EACH_PART(world, part, measureAcceleration)
    largest = hwFmax(largest, part->measureAcceleration(world, a));
    return hwFmax(FIRST_CHANGE / largest, FIRST_STEP);
}

// Size of the next sub-step: what was wanted last, cut so that equal steps reach the end.
static double ChooseStep(const hwWorld* world, double remaining) {
    const hwSolverDef* solver = &world->def.solver;
    double h = world->state.header->nextStep;
    if (!(h > 0.0)) h = solver->initial > 0.0 ? solver->initial : ChooseFirstStep(world);
    if (solver->max > 0.0) h = hwFmin(h, solver->max);
    if (h >= remaining) return remaining;
    return remaining / ceil(remaining / h - 1e-9);
}

static bool HasSplitSpin(const hwWorld* world) {
    for (int k = 0; k < world->work->spinCount; ++k)
        if (world->work->spins[k].split) return true;
    return false;
}

// Whether errors alone shorten steps only so far.
static bool IsBounded(const hwSolverDef* solver) {
    return solver->followed > 0.0 || !(solver->tolerance > 0.0);
}

// The shortest step that errors alone ask for, where fast spins are to be followed too.
static double FollowSpins(const hwWorld* world, double followed) {
    const hwForest* forest = &world->model.forest;
    double fastest = 0.0;
    for (int i = 0; i < forest->linkCount; ++i) {
        if (forest->links[i].joint != HW_LINK_FREE) continue;
        const double* w = world->state.v + forest->links[i].freedom + 3;
        fastest = hwFmax(fastest, w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    }
    return fastest * followed * followed > FOLLOWED_SPIN * FOLLOWED_SPIN ? FOLLOWED_SPIN / sqrt(fastest)
                                                                         : followed;
}

// The shortest step that errors alone ask for.
static double FindShortest(const hwWorld* world, double smallest) {
    const hwSolverDef* solver = &world->def.solver;
    double followed = smallest;
    if (IsBounded(solver)) {
        double shortest = solver->followed > 0.0 ? solver->followed : SHORTEST_FOLLOWED;
        followed = hwFmax(smallest, world->work->crowded ? hwFmax(shortest, SHORTEST_CROWDED) : shortest);
    }
    return hwFmax(FollowSpins(world, followed), smallest);
}

static bool IsCrowded(const hwWorld* world) {
    int count = 0;
    HW_EACH_PART(world, part, countTouches) count += part->countTouches(world);
    return count >= CROWD;
}

hwStatus hwRealtime_Advance(hwWorld* world, const hwMode* mode, double end, hwError* error) {
    hwStateHeader* header = world->state.header;
    const hwSolverDef* solver = &world->def.solver;
    double tolerance = GetTolerance(world);
    double smallest = solver->min > 0.0 ? solver->min : 1e-9;
    hwStatus status = hwWorld_UpdateAccelerations(world, mode, error);
    if (status != HW_OK) return status;
    double lastGain = INFINITY;
    while (header->time < end && !(world->work->pauses && header->time >= world->work->pause)) {
        if (hwWorld_IsStopped(world)) return hwWorld_FailStopped(world, false, error);
        world->work->crowded = IsCrowded(world);
        double remaining = end - header->time, shortest = FindShortest(world, smallest);
        double h = ChooseStep(world, remaining), chosen = h;
        double begin = hwStageTimer_Begin(&world->work->timer);
        status = hwWorld_PlanContacts(world, mode, &h, error);
        if (status != HW_OK) return status;
        HW_EACH_PART(world, part, find) h = hwFmin(h, part->find(world, mode, h, false));
        hwStageTimer_End(&world->work->timer, HW_STAGE_FIND_CONTACTS, begin);
        double from = header->time;
        double to = h < remaining ? header->time + h : end;
        double ratio = 0.0, gain = 0.0;
        hwStepTrouble trouble = h < 0.5 * chosen ? HW_STEP_CUT : HW_STEP_GOOD;
        status = TrySubStep(world, mode, h, to, &ratio, &gain, error);
        if (status != HW_OK) trouble = HW_STEP_UNSOLVED;
        if (status == HW_OK && gain > GAINED && (gain < HELPED * lastGain || gain > GROSS) &&
            h > hwFmax(SHORTEST_WATCHED, 1.01 * smallest)) {
            Restore(world);
            header->failedStep = h;
            lastGain = gain;
            status = HW_ERROR_NUMERIC;
            trouble = HW_STEP_GAINED;
        }
        double factor = 0.25;
        if (status == HW_OK) factor = hwClamp(0.9 * sqrt(tolerance / hwFmax(ratio, 1e-300)), 0.2, 4.0);
        bool accepted = status == HW_OK && (ratio <= tolerance || h <= 1.01 * shortest);
        if (!accepted) {
            if (status == HW_OK) Restore(world);
            if (status == HW_OK && HasSplitSpin(world)) header->failedStep = h;
            header->counters.rejected += 1;
            if (h <= 1.01 * smallest) {
                SetError(world, h, error);
                return HW_ERROR_NUMERIC;
            }
            header->nextStep = hwFmax(h * hwFmin(factor, 0.5), status == HW_OK ? shortest : smallest);
            status = hwCrawl_Note(world, trouble, shortest, error);
            if (status != HW_OK) return status;
            continue;
        }
        if (hwWorld_CheckMotion(world, world->state.v, error) != HW_OK) {
            Restore(world);
            return HW_ERROR_NUMERIC;
        }
        lastGain = INFINITY;
        header->counters.steps += 1;
        header->counters.lastStep = h;
        world->work->stepFrom = from;
        world->work->stepTaken = h;
        if (!mode->held && hwWorld_HasSampleBefore(world, to - HW_SAMPLE_SLACK * h))
            SampleStep(world, mode, from, h);
        begin = hwStageTimer_Begin(&world->work->timer);
        status = hwWorld_FinishStep(world, mode, h, error);
        hwStageTimer_End(&world->work->timer, HW_STAGE_FINISH, begin);
        if (status == HW_OK && hwModel_HasCables(&world->model))
            status = hwWorld_UpdateAccelerations(world, mode, error);
        if (status != HW_OK) return status;
        if (!mode->held) hwWorld_LogContacts(world);
        if (world->observer != NULL && !mode->held) world->observer(world, world->observerContext);
        if (world->cableObserver != NULL && !mode->held) hwIslands_ObserveCables(world);
        if (!mode->held && header->time < end) hwWorld_SampleNow(world);
        // a step cut short by the end of the interval says nothing against longer ones
        double regrown = world->work->crowded && IsBounded(solver) ? REGROWN * h : h;
        double wanted = hwFmax(h * factor, hwFmin(regrown, shortest));
        header->nextStep = h < header->nextStep ? hwFmax(header->nextStep, wanted) : wanted;
        if (header->failedStep > 0.0) {
            header->nextStep = hwFmin(header->nextStep, hwFmax(h, HELD * header->failedStep));
            header->failedStep = header->failedStep < LONGEST_HELD ? FORGOTTEN * header->failedStep : 0.0;
        }
        if (solver->max > 0.0) header->nextStep = hwFmin(header->nextStep, solver->max);
        status = hwCrawl_Note(world, trouble, shortest, error);
        if (status != HW_OK) return status;
    }
    return HW_OK;
}
