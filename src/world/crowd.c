// Newton's method in heaps, for the built-in solver (realtime.c).
#include "math/vectors.h"
#include "world/realtime.h"

#include <math.h>
#include <string.h>

#define CROWD 24 // pairs that touch
// In a heap Newton's method stops when what is left, by the rate at which corrections become smaller, is below so many times the
// tolerance, 2 % by default: root of the mean square over links, each of its own velocity or of what its weight does to it in a
// stage, of all links but a FEW no more than OUTLIERS times that, and of none more than WORST. It is the same for each link however
// many there are: the worst of ten thousand is worse than that of a hundred, and all would go on for the sake of one. Corrections
// of a few sliding contacts shrink slowly, because how friction follows the normal force is not in the symmetric matrix; the local errors of links that strike something are larger still. What is left
// is an error of places and velocities only: momentum and the energy audit are those of the forces that were solved with.
#define CROWDED_LEFT 10.0
#define OUTLIERS 10.0
#define FEW 0.01  // of the links
#define WORST 1.0 // of a link's velocity
#define SLOWEST_RATE 0.95
// The part of the matrix that is not symmetric, by which friction at its limit follows the normal force, is solved for in heaps:
// after the symmetric part, to this part of the correction: by x <- x0 - A^-1 U x, or, where that shrinks slowly, by GMRES in so many
// products.
#define FOLLOWED_TO 0.03
#define FOLLOWED_IN 8
#define FOLLOWED_QUICKLY 0.4
#define UNSURE 1.05
#define FIRST_SMALL 0.1 // of that, for a first correction, whose rate is not known

// Corrections of links, each of its own velocity.
typedef struct OwnChange {
    double largest, mean; // mean: root of the mean square
} OwnChange;

static double GetSquare(const double* x) {
    return x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
}

// Of a free body turning and going count together, each by the mass that it moves: a box that falls without turning and is set
// turning by a corner that it strikes has changed its motion by little. Apart, by angles alone, it would be the last to converge.
static double MeasureBody(const hwLinkData* link, const double* v, const double* step, double weight) {
    double least = weight + HW_SLOWEST;
    double size = hwLinkData_GetSize(link, GetSquare(v), GetSquare(v + 3));
    double change = hwLinkData_GetSize(link, GetSquare(step), GetSquare(step + 3));
    return sqrt(change / hwFmax(size, link->mass * least * least));
}

static double MeasureJoint(const hwLink* link, const double* v, const double* step, double weight,
                           double hd) {
    int count = hwJoint_CountFreedoms(link->joint);
    hwScales unit = {0.0, 0.0}, change = {0.0, 0.0};
    for (int k = 0; k < count; ++k) {
        bool angular = hwLink_IsAngular(link, k);
        hwVector_Grow(angular ? &unit.angular : &unit.linear, fabs(v[k]));
        hwVector_Grow(angular ? &change.angular : &change.linear, fabs(step[k]));
    }
    unit.linear = hwFmax(unit.linear, weight) + HW_SLOWEST;
    unit.angular = hwFmax(unit.angular, hd) + HW_SLOWEST;
    return hwScales_GetRatio(change, unit);
}

static double MeasureLink(const hwWorld* world, const hwSolverStage* stage, int i) {
    const hwForest* forest = &world->model.forest;
    const hwLink* link = &forest->links[i];
    const double *v = world->work->v + link->freedom, *step = world->work->step + link->freedom;
    double weight = stage->hd * hwEnvironment_GetDef(world->environment)->gravity;
    if (link->joint == HW_LINK_FREE && link->mass > 0.0)
        return MeasureBody(&forest->data[i], v, step, weight);
    return MeasureJoint(link, v, step, weight, stage->hd);
}

static OwnChange MeasureOwnChange(const hwWorld* world, const hwSolverStage* stage) {
    int links = world->model.forest.linkCount, count = 0;
    double sum = 0.0;
    OwnChange change = {0.0, 0.0};
    for (int i = 0; i < links; ++i) {
        if (hwForestWork_Skips(&world->work->forest, i)) continue;
        count += 1;
        double own = MeasureLink(world, stage, i);
        hwVector_Grow(&change.largest, own);
        sum += own * own;
    }
    change.mean = sqrt(sum / (double)count);
    return change;
}

static bool AreFewAbove(const hwWorld* world, const hwSolverStage* stage, double bound) {
    int links = world->model.forest.linkCount, count = 0, awake = 0;
    for (int i = 0; i < links; ++i) {
        if (hwForestWork_Skips(&world->work->forest, i)) continue;
        awake += 1;
        count += MeasureLink(world, stage, i) > bound;
    }
    return (double)count <= FEW * (double)awake;
}

double hwCrowd_GetTolerance(const hwWorld* world) {
    return CROWDED_LEFT * hwRealtime_GetTolerance(world);
}

// Whether `part` of a correction is little enough to be left.
static bool IsLittle(const hwWorld* world, const hwSolverStage* stage, OwnChange change, double part) {
    double enough = hwCrowd_GetTolerance(world);
    if (!(part * change.mean <= enough && part * change.largest <= WORST)) return false;
    return part * change.largest <= OUTLIERS * enough || AreFewAbove(world, stage, OUTLIERS * enough / part);
}

// Whether Newton's method may stop in a heap; *last is the mean change of the correction before, 0 at first.
bool hwCrowd_IsNearEnough(const hwWorld* world, const hwSolverStage* stage, double* last) {
    OwnChange change = MeasureOwnChange(world, stage);
    double before = *last;
    *last = change.mean;
    double* usual = &world->state.header->crowdRate;
    if (!(before > 0.0)) {
        if (change.largest <= FIRST_SMALL * hwCrowd_GetTolerance(world)) return true;
        // of a first correction the rate is that of the stages before, less sure the longer it was not measured
        if (!(*usual > 0.0 && *usual < SLOWEST_RATE)) return false;
        if (!IsLittle(world, stage, change, hwPow(*usual / (1.0 - *usual), 0.8))) return false;
        *usual = hwFmin(UNSURE * *usual, 1.0);
        return true;
    }
    double rate = change.mean / before;
    *usual = hwFmin(rate, 1.0);
    return rate < SLOWEST_RATE && IsLittle(world, stage, change, rate / (1.0 - rate));
}

// The whole Newton matrix, with what follows other forces, after the solve with the symmetric part: (1 + A^-1 U) x.
typedef struct WholeMatrix {
    const hwWorld* world;
    double hd;
} WholeMatrix;

// The answer to work->loads alone.
static void SolveLoads(const hwWorld* world, double* x) {
    hwWork* work = world->work;
    const hwForest* forest = &world->model.forest;
    memset(x, 0, (size_t)work->freedomsInUse * sizeof(double));
    if (hwModel_HasCables(&world->model)) {
        hwForest_AddForces(forest, &work->forest, work->loads, x);
        hwWorld_SolveFactored(world, x, x);
        return;
    }
    double begin = hwStageTimer_Begin(&work->timer);
    hwForest_Solve(forest, &work->forest, x, work->loads, x);
    hwStageTimer_End(&work->timer, HW_STAGE_SOLVE, begin);
}

static void MultiplyWhole(void* context, const double* x, double* y) {
    const WholeMatrix* whole = context;
    const hwWorld* world = whole->world;
    hwWork* work = world->work;
    const hwForest* forest = &world->model.forest;
    int count = work->freedomsInUse;
    hwForest_ComputeAccelerations(forest, x, &work->forest);
    memset(work->loads, 0, (size_t)forest->linkCount * sizeof(hwWideSpatial));
    HW_EACH_PART(world, part, multiplyFollowing) part->multiplyFollowing(world, whole->hd, work->loads);
    SolveLoads(world, y);
    for (int i = 0; i < count; ++i) y[i] += x[i];
}

static void CopyVector(void* context, const double* x, double* y) {
    const WholeMatrix* whole = context;
    memcpy(y, x, (size_t)whole->world->work->freedomsInUse * sizeof(double));
}

// step <- known - A^-1 U step; returns the size of the change.
static double FollowOnce(WholeMatrix* whole) {
    const hwWork* work = whole->world->work;
    int count = work->freedomsInUse;
    double* change = work->gmres.product;
    MultiplyWhole(whole, work->step, change);
    for (int i = 0; i < count; ++i) {
        change[i] = work->known[i] - change[i];
        work->step[i] += change[i];
    }
    return sqrt(hwVector_Dot(count, change, change));
}

// work->step is the solution with the symmetric part; goes on to that with the whole matrix. Friction that follows hardly moves
// what presses: A^-1 U has little to say of what it has made itself, a tenth mostly, and one product does where that is known from
// before. What it is comes from the products of those that took two.
void hwCrowd_SolveWhole(hwWorld* world, double hd) {
    hwWork* work = world->work;
    bool any = false;
    HW_EACH_PART(world, part, hasFollowing) any = any || part->hasFollowing(world);
    if (!any) return;
    WholeMatrix whole = {world, hd};
    int count = work->freedomsInUse;
    double* usual = &world->state.header->crowdFollowing;
    memcpy(work->known, work->step, (size_t)count * sizeof(double));
    double enough = FOLLOWED_TO * sqrt(hwVector_Dot(count, work->known, work->known));
    double first = FollowOnce(&whole);
    if (*usual > 0.0 && *usual * first <= enough) {
        *usual *= UNSURE;
        return;
    }
    double second = FollowOnce(&whole), rate = first > 0.0 ? second / first : 0.0;
    *usual = rate < 1.0 ? hwFmax(rate, FOLLOWED_TO) : 1.0;
    if (rate <= FOLLOWED_QUICKLY && rate * second <= enough) return;
    memcpy(work->step, work->known, (size_t)count * sizeof(double));
    work->gmres.size = count;
    hwGmres_Solve(&work->gmres, MultiplyWhole, CopyVector, &whole, work->known, work->step, FOLLOWED_TO,
                  FOLLOWED_IN);
}

// In a heap the last correction, work->step, is not so small that the audit and friction's springs could do without it.
void hwCrowd_FollowLast(hwWorld* world, const hwSolverStage* stage) {
    hwWork* work = world->work;
    hwForest_ComputeAccelerations(&world->model.forest, work->step, &work->forest);
    for (int i = 0; i < world->model.forest.linkCount; ++i) {
        work->forest.motion[i].v.l += work->forest.increment[i].l;
        work->forest.motion[i].v.a += work->forest.increment[i].a;
    }
    HW_EACH_PART(world, part, followLast) part->followLast(world, stage->hd);
    // rates of energies at the end, with which the next step begins, in a heap or not
    if (stage->last) hwForest_ComputeAccelerations(&world->model.forest, work->a, &work->forest);
}

bool hwCrowd_IsThere(const hwWorld* world) {
    int count = 0;
    HW_EACH_PART(world, part, countTouches) count += part->countTouches(world);
    return count >= CROWD;
}
