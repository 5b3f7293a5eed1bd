// The built-in solver: TR-BDF2 (Bank et al. 1985) on displacements and velocities, with Newton's method on the whole
// world and step sizes from its embedded error estimate (Hosea & Shampine 1996).
//
// With g = 2 - sqrt 2 and d = g/2 both stages have the form
//     a = (v - vBase) / (h d),   displacement = dBase + h d v,
// so that one matrix M + (h d) D + (h d)^2 K serves both. Displacements are in the space of velocities and measured from
// the start of the step: rotations are exponentials of them, which keeps second order (the neglected commutator is of
// third order in h). One stage is solved in stage.c, with what heaps need in crowd.c; bodies that spin are in spins.c, results
// within a step in inside.c.
#include "api/step_events.h"
#include "math/vectors.h"
#include "world/islands.h"
#include "world/realtime.h"

#include <math.h>
#include <string.h>

#define ERROR_SCALE -0.04044011451988173 // (-3 g^2 + 4 g - 2) / (12 (2 - g))

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
// Unless a tolerance is given, errors alone do not make steps shorter than this, s: what is faster is damped, not
// followed, and a frame takes a bounded number of steps.
#define SHORTEST_FOLLOWED 2e-3
// In a heap (crowd.c) some box is always striking another: steps as short as one impact asks for would be those of all of them
// all the time. There errors alone do not make steps shorter than half a frame, s,
#define SHORTEST_CROWDED 8.4e-3
// and steps that something else has cut grow back to that by this factor whatever the errors are.
#define REGROWN 1.5
// The first step is short where accelerations would change velocities by more than this in it, m/s or rad/s: what is far
// out of balance at the start is gone before steps are long.
#define FIRST_CHANGE 0.1
#define FIRST_STEP 1e-6 // s, at least
// A step that ends with this much more energy than it began with and work was done (see MeasureGain) is taken again in
// shorter ones, as long as that helps.
#define GAINED 0.005
#define HELPED 0.9            // of the gain before, or less
#define GROSS 0.1             // but always where so much was gained
#define SHORTEST_WATCHED 1e-6 // s
#define NEGLIGIBLE_SPEED                                                                                     \
    0.1 // m/s: with less than what everything has at this speed, gains are not told from noise
// After a step without a solution the next ones keep to this part of it; it is forgotten by this factor a step.
#define HELD 0.7
#define FORGOTTEN 1.15
#define LONGEST_HELD 0.1 // s
// Where a tolerance is given, a step whose error was too large is taken again shorter by what the error says, at least by
// this factor, and the next ones keep to this part of it as after one without a solution: where a cable lies on the bottom
// errors grow with a higher power of the step than the one by which steps are chosen, so that every second one would be refused.
// Where that did not help a jump makes the error, which is the same part of the way however short the step is: then by half, as
// always without a tolerance, when slack and snaps are told at the ends of steps of a tenth of a second.
#define SHORTENED 0.85
#define KEPT_BELOW 0.95
// And only one whose error is more than so many times the tolerance is taken again. To repeat a step costs as much as a step,
// while one in ten with up to twice the error adds little to what gathers over all of them; the next ones are shorter all the same.
#define REFUSED 2.0
// Splitting is for what has no moment on it: a rate gained in a step, of the whole rate, that is more than rounding and
// Newton's method explain counts as an error so many times, and the step is taken again in shorter ones.
#define SPLIT_ERROR 1e6
// Errors of stiff things are damped, so that they need not be followed. Not so those of trees whose heavy links turn fast on light
// ones: their velocity products are not in Newton's matrix either, and the method puts energy in as often as it takes it out. A step
// that changes the kinetic energy of trees by more than this part beside what forces do, and takes so many iterations, is such a one.
#define TREE_GAINED 1e-3
#define TREE_SLOW 12
// Nor where a spin asks for steps so many times shorter than usual: as many more of them, of which each may change it by that
// much less, however quickly it is solved.
#define SPIN_SHORTER 10.0
// One alone may be a kink, as of a foot that is put down: some, with no more than a few others between, are needed until it is doubted
// that the motion is followed. Then the tolerance is divided by one and a doubt that doubles with each, up to this, and is
// forgotten by this factor a step, and errors may shorten steps to this part of the shortest that they otherwise do. That costs less
// than the iterations do.
#define TREE_SUSPECTED 4.0
#define TREE_CLEARED 0.25 // of one, by each of the others
#define TREE_DOUBT 19.0
#define TREE_FORGOTTEN 0.985
#define TREE_CALM 0.05 // below that it is none, but the next one renews it
#define TREE_FOLLOWED 0.05
// The error of an angle is the same however many turns lie before it, and what something slow does must not be lost beside a rotor, nor the
// precession of a top beside its spin: of the way that links turn in a step no more than this counts, rad.
#define FARTHEST_TURN 0.1
#define FOLLOWED_SPIN 0.1 // rad: errors may shorten steps down to this angle of the fastest spin

double hwRealtime_GetTolerance(const hwWorld* world) {
    double asked = world->def.solver.tolerance;
    return asked > 0.0 ? asked : DEFAULT_TOLERANCE;
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

// Weights of the velocities in the error of displacements.
#define ERROR_START (2.0 * ERROR_SCALE / HW_GAMMA)
#define ERROR_MIDDLE (-(2.0 * ERROR_SCALE) / (HW_GAMMA * (1.0 - HW_GAMMA)))
#define ERROR_LAST (2.0 * ERROR_SCALE / (1.0 - HW_GAMMA))

static void SumError(int first, int last, void* context) {
    const hwWork* work = ((const hwWorld*)context)->work;
    for (int i = first; i < last; ++i)
        work->step[i] = ERROR_START * work->v0[i] + ERROR_MIDDLE * work->v1[i] + ERROR_LAST * work->v[i];
}

// Embedded estimate of the local error of displacements, relative to the way things go in the step. What is too stiff to
// be followed counts little: its share of the way is small, and the step's own matrix damps it as the method does. Where a
// cable that creeps is pressed in and let out counts against its own radius.
static double EstimateError(hwWorld* world, double h) {
    hwWork* work = world->work;
    const hwForest* forest = &world->model.forest;
    const double start = ERROR_START, middle = ERROR_MIDDLE, last = ERROR_LAST;
    hwWorld_EachFreedom(world, SumError, world);
    for (int k = 0; k < work->spinCount; ++k) { // motion without forces is exact
        const hwSpin* spin = &work->spins[k];
        double* own = work->step + spin->body.freedom;
        for (int j = spin->from; j < 6; ++j)
            own[j - spin->from] -=
                start * spin->start.v[j] + middle * spin->middle.v[j] + last * spin->end.v[j];
    }
    hwScales whole = hwScales_Measure(forest, work->step);
    hwWorld_MultiplyMass(world, work->step, work->estimate);
    hwWorld_SolveFactored(world, work->estimate, work->estimate);
    hwScales unit = hwScales_Measure(forest, work->v), before = hwScales_Measure(forest, work->v0);
    unit.linear = hwFmax(unit.linear, before.linear) + HW_SLOWEST;
    unit.angular = hwFmin(hwFmax(unit.angular, before.angular), FARTHEST_TURN / h) + HW_SLOWEST;
    double error = hwScales_GetRatio(hwScales_Measure(forest, work->estimate), unit);
    hwVector_Grow(&error, DRIVEN_LINKS * hwScales_GetRatio(whole, unit));
    HW_EACH_PART(world, part, measureError)
    hwVector_Grow(&error, part->measureError(world, h, work->estimate, work->step, DRIVEN_NODES));
    for (int k = 0; k < work->spinCount; ++k) {
        const hwSpin* spin = &work->spins[k];
        if (!spin->split) continue;
        const double *w = work->v + spin->body.freedom + 3 - spin->from, *f = spin->end.v + 3;
        double gained = hwLength(hwMakeVec3(w[0] - f[0], w[1] - f[1], w[2] - f[2]));
        hwVector_Grow(&error, SPLIT_ERROR * gained / hwLength(hwMakeVec3(f[0], f[1], f[2])));
    }
    return error;
}

void hwWorld_CopyAuxiliaries(const hwWorld* world, const double* from, double* to) {
    const hwWork* work = world->work;
    memcpy(to, from, (size_t)work->idleFrom * sizeof(double));
    memcpy(to + work->idleTo, from + work->idleTo,
           (size_t)(world->model.auxiliaryCount - work->idleTo) * sizeof(double));
}

// What a sub-step may change, put away: of the state, its header, its motion and the meshes of cables that winches haul.
// All else changes only between sub-steps. Nodes and velocities follow in BeginFirst.
static void KeepBackup(hwWorld* world) {
    hwWork* work = world->work;
    const hwState* state = &world->state;
    memcpy(work->backup, state->header, sizeof(*state->header));
    memcpy(work->backup + state->meshStart, state->block + state->meshStart, state->meshSize);
    memcpy(work->q0, state->q, (size_t)world->model.forest.coordinateCount * sizeof(double));
    hwWorld_CopyAuxiliaries(world, state->z, work->z0);
    hwWorld_CopyAuxiliaries(world, state->zdot, work->zdot0);
}

// Back to the start of the sub-step; only the counters remember.
static void RestoreBackup(hwWorld* world) {
    const hwWork* work = world->work;
    hwState* state = &world->state;
    size_t bytes = (size_t)world->work->freedomsInUse * sizeof(double);
    hwCounters counters = state->header->counters;
    memcpy(state->header, work->backup, sizeof(*state->header));
    memcpy(state->block + state->meshStart, work->backup + state->meshStart, state->meshSize);
    state->header->counters = counters;
    memcpy(state->q, work->q0, hwWorld_GetCoordinateBytes(world));
    memcpy(state->v, work->v0, bytes);
    memcpy(state->a, work->a0, bytes);
    hwWorld_CopyAuxiliaries(world, work->z0, state->z);
    hwWorld_CopyAuxiliaries(world, work->zdot0, state->zdot);
}

// Powers of the audit, summed with the weights that the step gives to forces: what holds a cable's end that moves steadily
// then does the work of the impulse that the cable has got, also where it snaps taut within a step.
static void AuditStep(hwWorld* world, const hwMode* mode, double h) {
    const hwWork* work = world->work;
    hwState* state = &world->state;
    const double last = 0.5 * HW_GAMMA, others = 0.5 - 0.5 * last;
    world->work->impulseShare = 0.0;
    HW_EACH_PART(world, part, audit) part->audit(world, mode, h);
    HW_EACH_PART(world, part, auditRates) part->auditRates(world, state->zdot, true);
    state->zdot[HW_AUX_METHOD] = hwWorld_RateStored(world, work->v, work->a);
    for (int k = 0; k < world->model.auditCount; ++k) {
        int i = world->model.audited[k];
        state->z[i] = work->z0[i] + h * (others * (work->zdot0[i] + work->zdot1[i]) + last * state->zdot[i]);
    }
}

// Notes the energies at the end of a sub-step; how much more there is than work explains, of what is in motion, stretched
// or changes hands. Where cables snap taut, the equations of a stage have solutions besides the one that the motion goes
// on to, and Newton's method may converge to a spurious one with thousands of times the energy. Contacts of cables are found anew for each
// step, and then hold other energies than before it: what they hold is not counted.
static double MeasureGain(hwWorld* world, double h) {
    const hwStateHeader* header = world->state.header;
    double mechanicalEnergy = header->mechanicalEnergy, conserved = header->conserved,
           moved = h * header->endPower;
    double found = hwWorld_NoteEnergy(world);
    double gain = header->conserved - conserved;
    moved +=
        fabs(gain - (header->mechanicalEnergy - mechanicalEnergy)); // to and from heights, and from outside
    gain -= found;
    return gain / (mechanicalEnergy + moved + 0.5 * world->model.mass * NEGLIGIBLE_SPEED * NEGLIGIBLE_SPEED);
}

// The time by which first guesses of links carry on, of one ahead.
static double GetCarriedAhead(const hwWorld* world, double ahead) {
    return (world->state.header->plainGuesses & HW_PLAIN_LINKS) == 0 ? ahead : 0.0;
}

// Sums of squares of what velocities, as they are and carried on, differ by from the solution of a stage.
typedef struct Squares {
    double plain, carried;
} Squares;

static Squares SumSquares(const double* solution, const double* v, const double* a, double ahead, int count) {
    hwWide plains = {0.0}, carries = {0.0};
    int i = 0;
    for (; i + 4 <= count; i += 4) {
        hwWide off = hwWide_Load(solution + i) - hwWide_Load(v + i), rest = off - ahead * hwWide_Load(a + i);
        plains += off * off;
        carries += rest * rest;
    }
    Squares sums = {(plains[0] + plains[1]) + (plains[2] + plains[3]),
                    (carries[0] + carries[1]) + (carries[2] + carries[3])};
    for (; i < count; ++i) {
        double off = solution[i] - v[i], rest = off - ahead * a[i];
        sums.plain += off * off;
        sums.carried += rest * rest;
    }
    return sums;
}

typedef struct Judgement {
    const hwWorld* world;
    const double *v, *a;
    double ahead;
} Judgement;

// Of lots; sums go to work->step.
static void JudgeLots(int first, int last, void* context) {
    const Judgement* j = context;
    const hwWork* work = j->world->work;
    int links = j->world->model.forest.freedomCount;
    for (int k = first; k < last; ++k) {
        int from = work->lots[k].freedom > links ? work->lots[k].freedom : links;
        Squares sums =
            SumSquares(work->v + from, j->v + from, j->a + from, j->ahead, work->lots[k + 1].freedom - from);
        work->step[2 * k] = sums.plain;
        work->step[2 * k + 1] = sums.carried;
    }
}

// After a stage that began with guesses from the same: which would have been the better ones.
static void JudgeGuesses(hwWorld* world, const double* v, const double* a, double ahead) {
    const hwWork* work = world->work;
    int links = world->model.forest.freedomCount, nodes = work->freedomsInUse - links;
    Squares ofLinks = SumSquares(work->v, v, a, ahead, links), ofNodes = {0.0, 0.0};
    Judgement judgement = {world, v, a, ahead};
    if (work->lotCount > 0) {
        hwWorld_EachLot(world, JudgeLots, &judgement);
    } else {
        ofNodes = SumSquares(work->v + links, v + links, a + links, ahead, nodes);
    }
    for (int k = 0; k < work->lotCount; ++k) {
        ofNodes.plain += work->step[2 * k];
        ofNodes.carried += work->step[2 * k + 1];
    }
    bool carryLinks = ofLinks.carried <= ofLinks.plain;
    bool carryNodes = ofNodes.carried <= CLEARLY_NEARER * ofNodes.plain;
    world->state.header->plainGuesses =
        (uint64_t)((carryLinks ? 0 : HW_PLAIN_LINKS) | (carryNodes ? 0 : HW_PLAIN_NODES));
}

// What a loop over freedoms does between stages.
typedef struct Stride {
    hwWorld* world;
    double hd;
    double links, nodes; // s, by which first guesses of velocities carry on with accelerations
} Stride;

static Stride MakeStride(hwWorld* world, double hd, double ahead) {
    bool plain = (world->state.header->plainGuesses & HW_PLAIN_NODES) != 0;
    Stride stride = {world, hd, GetCarriedAhead(world, ahead), plain ? 0.0 : ahead};
    return stride;
}

// First guesses of a stage: velocities `v` of links and nodes, carried on with the accelerations `a` or as they are.
static void GuessVelocities(const Stride* stride, const double* v, const double* a, int first, int last) {
    double* guess = stride->world->work->v;
    int links = stride->world->model.forest.freedomCount, i = first;
    for (; i < last && i < links; ++i) guess[i] = v[i] + stride->links * a[i];
    for (; i < last; ++i) guess[i] = v[i] + stride->nodes * a[i];
}

// Puts the motion away; bases of the first stage, which live in the arrays that receive its result.
static void BeginFirst(int first, int last, void* context) {
    const Stride* stride = context;
    hwWork* work = stride->world->work;
    const hwState* state = &stride->world->state;
    const hwForest* forest = &stride->world->model.forest;
    int shift = forest->coordinateCount - forest->freedomCount,
        node = first > forest->freedomCount ? first : forest->freedomCount;
    if (node < last)
        memcpy(work->q0 + shift + node, state->q + shift + node, (size_t)(last - node) * sizeof(double));
    for (int i = first; i < last; ++i) {
        double v = state->v[i], a = state->a[i];
        work->v0[i] = v;
        work->a0[i] = a;
        work->v1[i] = v + stride->hd * a;
        work->d1[i] = stride->hd * v;
    }
    GuessVelocities(stride, work->v0, work->a0, first, last);
}

// From the result of the first stage to the second.
static void BeginSecond(int first, int last, void* context) {
    const Stride* stride = context;
    hwWork* work = stride->world->work;
    for (int i = first; i < last; ++i) {
        double v = work->v[i];
        work->v1[i] = v;
        work->a1[i] = work->a[i];
        work->estimate[i] = HW_C1 * v - HW_C0 * work->v0[i];
        work->d1[i] = HW_C1 * work->d[i];
    }
    GuessVelocities(stride, work->v1, work->a1, first, last);
}

static void TakeMotion(int first, int last, void* context) {
    const hwWorld* world = context;
    size_t bytes = (size_t)(last - first) * sizeof(double);
    memcpy(world->state.v + first, world->work->v + first, bytes);
    memcpy(world->state.a + first, world->work->a + first, bytes);
}

// One sub-step of size h from the state's time. On success the state has moved on; otherwise it is as it was.
static hwStatus TrySubStep(hwWorld* world, const hwMode* mode, double h, double end, double* errorRatio,
                           double* gain, double* treeGain, hwError* error) {
    hwWork* work = world->work;
    hwState* state = &world->state;
    double time = state->header->time, hd = 0.5 * HW_GAMMA * h;
    double treeEnergy = state->header->treeEnergy, treePower = state->header->treePower, middlePower = 0.0;
    KeepBackup(world);

    // First stage: trapezoidal rule to time + g h
    Stride stride = MakeStride(world, hd, HW_GAMMA * h);
    hwWorld_EachFreedom(world, BeginFirst, &stride);
    hwSpins_Start(world, h);
    hwSpins_Begin(world, hd, GetCarriedAhead(world, HW_GAMMA * h));
    int auxiliaries = world->model.auxiliaryCount;
    for (int i = 0; i < auxiliaries; i = hwWork_NextAuxiliary(work, i))
        work->zBase[i] = work->z0[i] + hd * work->zdot0[i];
    hwSolverStage first = {
        time + HW_GAMMA * h, HW_GAMMA * h, hd, work->v1, work->d1, false, *mode, 0.0, 0, false};
    hwStageResult one = hwRealtime_SolveStage(world, first, error);
    hwStageResult two = HW_SOLVE_FAILED;
    if (one == HW_SOLVE_CONVERGED) {
        // what the audit needs of this stage, while its velocities are there
        HW_EACH_PART(world, part, auditRates) part->auditRates(world, work->zdot1, false);
        work->zdot1[HW_AUX_METHOD] = hwWorld_RateStored(world, work->v, work->a);
        double unused;
        middlePower = hwWorld_RateTrees(world, &unused);
        HW_EACH_PART(world, part, noteStage) part->noteStage(world);
        // second stage: BDF2 to the end
        JudgeGuesses(world, work->v0, work->a0, HW_GAMMA * h);
        stride = MakeStride(world, hd, (1.0 - HW_GAMMA) * h);
        hwWorld_EachFreedom(world, BeginSecond, &stride);
        hwSpins_GoOn(world, hd, GetCarriedAhead(world, (1.0 - HW_GAMMA) * h));
        for (int i = 0; i < auxiliaries; i = hwWork_NextAuxiliary(work, i))
            work->zBase[i] = HW_C1 * work->z[i] - HW_C0 * work->z0[i];
        hwSolverStage second = {end, h, hd, work->estimate, work->d1, true, *mode, 0.0, 0, false};
        two = hwRealtime_SolveStage(world, second, error);
        if (two == HW_SOLVE_CONVERGED) JudgeGuesses(world, work->v1, work->a1, (1.0 - HW_GAMMA) * h);
    }
    bool solved = one == HW_SOLVE_CONVERGED && two == HW_SOLVE_CONVERGED, passed = false;
    HW_EACH_PART(world, part, checkStep) passed = passed || (solved && !part->checkStep(world, h));
    HW_EACH_PART(world, part, endures) passed = passed || (solved && !part->endures(world, mode, h));
    if (one == HW_SOLVE_STOPPED || two == HW_SOLVE_STOPPED) {
        RestoreBackup(world);
        return HW_ERROR_STOPPED;
    }
    if (!solved || passed) {
        if (one == HW_SOLVE_SLOW || two == HW_SOLVE_SLOW) state->header->counters.unconverged += 1;
        RestoreBackup(world);
        if (!passed) state->header->failedStep = h;
        return HW_ERROR_NUMERIC;
    }
    *errorRatio = EstimateError(world, h);
    hwWorld_EachFreedom(world, TakeMotion, world);
    hwSpins_Finish(world);
    hwWorld_CopyAuxiliaries(world, work->z, state->z);
    hwWorld_CopyAuxiliaries(world, work->zdot, state->zdot);
    state->header->time = end;
    double before = state->header->stored;
    AuditStep(world, mode, h);
    *gain = MeasureGain(world, h);
    hwWorld_BookMethod(world, h, before);
    *treeGain = hwWorld_NoteTrees(world, h, treeEnergy, treePower, middlePower);
    return HW_OK;
}

static double ChooseFirstStep(const hwWorld* world) {
    const double* a = world->state.a;
    hwScales trees = hwScales_Measure(&world->model.forest, a);
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

// Whether errors alone shorten steps only so far.
static bool IsBounded(const hwSolverDef* solver) {
    return solver->followed > 0.0 || !(solver->tolerance > 0.0);
}

// The link that spins fastest where it does so freely, -1: none turns; *rate: rad/s.
static int FindFastest(const hwWorld* world, double* rate) {
    const hwForest* forest = &world->model.forest;
    int found = -1;
    double fastest = 0.0;
    for (int i = 0; i < forest->linkCount; ++i) {
        hwJointType joint = forest->links[i].joint;
        if (joint != HW_LINK_FREE && joint != HW_LINK_BALL) continue;
        const double* w = world->state.v + forest->links[i].freedom + (joint == HW_LINK_FREE ? 3 : 0);
        double square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
        if (square > fastest) found = i, fastest = square;
    }
    *rate = sqrt(fastest);
    return found;
}

// The shortest step that errors alone ask for, where fast spins are to be followed too.
static hwPace FindShortest(const hwWorld* world, double smallest) {
    const hwSolverDef* solver = &world->def.solver;
    hwPace pace = {.usual = smallest, .spin = -1};
    if (IsBounded(solver)) {
        double shortest = solver->followed > 0.0 ? solver->followed : SHORTEST_FOLLOWED;
        pace.usual = hwFmax(smallest, world->work->crowded ? hwFmax(shortest, SHORTEST_CROWDED) : shortest);
    }
    pace.shortest = pace.usual;
    int fastest = FindFastest(world, &pace.rate);
    if (pace.rate * pace.usual > FOLLOWED_SPIN) {
        pace.spin = fastest;
        pace.shortest = hwFmax(FOLLOWED_SPIN / pace.rate, smallest);
    }
    return pace;
}

// Whether trees are followed (see TREE_GAINED): below 0 minus the number of steps that spoke against it, above the doubt.
static double DoubtMore(double doubt) {
    if (doubt > 0.0) return hwFmin(2.0 * doubt + 3.0, TREE_DOUBT);
    return doubt - 1.0 > -TREE_SUSPECTED ? doubt - 1.0 : 3.0;
}

static double DoubtLess(double doubt) {
    if (doubt <= 0.0) return hwFmin(doubt + TREE_CLEARED, 0.0);
    return doubt > TREE_CALM ? TREE_FORGOTTEN * doubt : 1.0 - TREE_SUSPECTED;
}

hwStatus hwRealtime_Advance(hwWorld* world, const hwMode* mode, double end, hwError* error) {
    hwStateHeader* header = world->state.header;
    const hwSolverDef* solver = &world->def.solver;
    double whole = hwRealtime_GetTolerance(world);
    double smallest = solver->min > 0.0 ? solver->min : 1e-9;
    hwStatus status = hwWorld_UpdateAccelerations(world, mode, error);
    if (status != HW_OK) return status;
    double lastGain = INFINITY;
    bool refused = false; // the last attempt, by its error
    while (header->time < end && !(world->work->pauses && header->time >= world->work->pause)) {
        if (hwWorld_IsStopped(world)) return hwWorld_FailStopped(world, false, error);
        if (!mode->held) hwSleep_Begin(world);
        world->work->crowded = hwCrowd_IsThere(world);
        hwPace pace = FindShortest(world, smallest);
        double remaining = end - header->time, shortest = pace.shortest;
        double h = ChooseStep(world, remaining), chosen = h;
        double begin = hwStageTimer_Begin(&world->work->timer);
        status = hwWorld_PlanContacts(world, mode, &h, error);
        if (status != HW_OK) return status;
        if (world->model.sleeps)
            world->work->crowded = world->work->crowded || hwCrowd_IsThere(world); // of those woken
        HW_EACH_PART(world, part, find) h = hwFmin(h, part->find(world, mode, h, false));
        hwStageTimer_End(&world->work->timer, HW_STAGE_FIND_CONTACTS, begin);
        double from = header->time;
        double to = h < remaining ? header->time + h : end;
        double ratio = 0.0, gain = 0.0, treeGain = 0.0;
        hwStepTrouble trouble = h < 0.5 * chosen ? HW_STEP_CUT : HW_STEP_GOOD;
        uint64_t iterations = header->counters.iterations;
        hwTeam_BeginPass(world->team);
        status = TrySubStep(world, mode, h, to, &ratio, &gain, &treeGain, error);
        hwTeam_EndPass(world->team, (double)(header->counters.iterations - iterations));
        if (status == HW_ERROR_STOPPED) return hwWorld_FailStopped(world, false, error);
        if (status != HW_OK) trouble = HW_STEP_UNSOLVED;
        if (status == HW_OK && gain > GAINED && (gain < HELPED * lastGain || gain > GROSS) &&
            h > hwFmax(SHORTEST_WATCHED, 1.01 * smallest)) {
            RestoreBackup(world);
            header->failedStep = h;
            lastGain = gain;
            status = HW_ERROR_NUMERIC;
            trouble = HW_STEP_GAINED;
        }
        bool slow = header->counters.iterations - iterations >= TREE_SLOW;
        bool spins = SPIN_SHORTER * pace.shortest < pace.usual;
        bool tumbles = status == HW_OK && !world->work->crowded && (slow || spins) &&
                       fabs(treeGain) > (spins ? TREE_GAINED / SPIN_SHORTER : TREE_GAINED);
        double doubt = tumbles ? DoubtMore(header->treeDoubt) : header->treeDoubt, least = shortest;
        double tolerance = whole / (1.0 + hwFmax(doubt, 0.0));
        if (doubt > 0.0) least = hwFmax(TREE_FOLLOWED * shortest, smallest);
        double factor = 0.25;
        if (status == HW_OK) factor = hwClamp(0.9 * sqrt(tolerance / hwFmax(ratio, 1e-300)), 0.2, 4.0);
        bool asked = (solver->tolerance > 0.0 || doubt > 0.0) && !world->work->crowded;
        double most = asked && !hwSpins_AnySplit(world) ? REFUSED * tolerance : tolerance;
        bool accepted = status == HW_OK && (ratio <= most || h <= 1.01 * least);
        if (!accepted) {
            if (status == HW_OK) RestoreBackup(world);
            if (status == HW_OK && hwSpins_AnySplit(world)) header->failedStep = h;
            header->treeDoubt = doubt;
            header->counters.rejected += 1;
            if (h <= 1.01 * smallest) {
                SetError(world, h, error);
                return HW_ERROR_NUMERIC;
            }
            bool smooth = status == HW_OK && !refused && asked;
            header->nextStep =
                hwFmax(h * hwFmin(factor, smooth ? SHORTENED : 0.5), status == HW_OK ? least : smallest);
            if (smooth && !(header->failedStep > 0.0 && header->failedStep < h))
                header->failedStep = KEPT_BELOW / HELD * h;
            refused = status == HW_OK;
            if (refused && trouble == HW_STEP_GOOD) hwCrawl_NoteError(world);
            status = hwCrawl_Note(world, trouble, &pace, error);
            if (status != HW_OK) return status;
            continue;
        }
        if (hwWorld_CheckMotion(world, world->state.v, error) != HW_OK) {
            RestoreBackup(world);
            return HW_ERROR_NUMERIC;
        }
        lastGain = INFINITY;
        refused = false;
        if (asked && ratio > tolerance && h > 1.01 * least &&
            !(header->failedStep > 0.0 && header->failedStep < h))
            header->failedStep = KEPT_BELOW / HELD * h;
        header->treeDoubt = tumbles ? doubt : DoubtLess(doubt);
        header->counters.steps += 1;
        header->counters.lastStep = h;
        world->work->stepFrom = from;
        world->work->stepTaken = h;
        world->work->stepAnew = header->accelerationValid == HW_ACCELERATIONS_ANEW;
        header->accelerationValid = HW_ACCELERATIONS_KNOWN;
        if (!mode->held && hwWorld_HasSampleBefore(world, to - HW_SAMPLE_SLACK * h))
            hwRealtime_SampleStep(world, mode, from, h);
        begin = hwStageTimer_Begin(&world->work->timer);
        status = hwWorld_FinishStep(world, mode, h, error);
        if (status == HW_OK && !mode->held) hwSleep_Finish(world, h);
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
        double wanted = hwFmax(h * factor, hwFmin(regrown, least));
        header->nextStep = h < header->nextStep ? hwFmax(header->nextStep, wanted) : wanted;
        if (header->failedStep > 0.0) {
            header->nextStep = hwFmin(header->nextStep, hwFmax(h, HELD * header->failedStep));
            header->failedStep = header->failedStep < LONGEST_HELD ? FORGOTTEN * header->failedStep : 0.0;
        }
        if (solver->max > 0.0) header->nextStep = hwFmin(header->nextStep, solver->max);
        status = hwCrawl_Note(world, trouble, &pace, error);
        if (status != HW_OK) return status;
    }
    return HW_OK;
}
