// Static equilibrium by pseudo-transient continuation: each iteration is an implicit Euler step from rest,
//     (M / tau^2 + K) delta = r(q),
// with the true stiffness K (products by finite differences of r inside GMRES, the structured matrix as preconditioner).
// Short tau behaves like heavily damped motion, long tau like Newton's method. A step is taken as far as the forces have not
// reversed; tau grows while that is all of it, and shrinks otherwise. Near an unstable balance K is not positive and the
// step would climb towards it: then the structured matrix, which leaves out what makes K negative, gives one that falls.
//
// Wires that are slack and then taut are almost walls to run against: where that fails, cables are made as soft as ten
// times the largest force, settled, and made stiffer eightfold again and again, each time from the shape before. Freedoms on which no force acts stay where they are. So do vehicles: their pilots
// hold them where they start, whatever their tethers and the current do.
#include "world/cable_slots.h"
#include "world/part.h"

#include <math.h>
#include <string.h>

#define MAX_ITERATIONS 500
#define FIRST_ITERATIONS 80 // before cables are made softer
#define PATIENCE 10         // of the first attempt where cables can be made softer
#define PROGRESS 0.9        // of the smallest forces so far: less is progress
#define HOPELESS 0.01       // s: steps as short as that get nowhere
#define SOFT_TOLERANCE 1e-3 // of the largest force at work, while they are
#define MAX_ROUNDS 20
#define MAX_TRIALS 6
#define LONGEST_STEP 1e5 // s: Newton's method
#define FALL 0.1         // s
#define FADING 0.9       // of the velocities, after each
#define MOST_FALLS 600
#define FALLS_A_LOOK 40 // before Newton's method is tried again
#define LOOK_ITERATIONS 60
#define ROUND_ITERATIONS 40    // before cables are brought to rest by themselves again
#define MAX_PASSES 30          // of the controllers of behavioural links
#define STATIC_TOLERANCE 1e-10 // of the largest force at work
#define STALLED_TOLERANCE 1e-8 // what rounding in stiff cables may leave
#define TOUCHING_ITERATIONS 60 // with contacts of cables
#define PASSAGE_HALVINGS 12    // of the way to a shape that cannot be reached
#define MANY_EVALUATIONS 5000  // ten times those of a search that goes well
#define MANY_FORCES 3e7        // a second, ten times what a line of 2,000 elements takes
#define FARTHEST 1e5           // m: nothing settles this far from where it started

typedef struct Statics {
    hwWorld* world;
    hwMode mode;
    double tau;
    double forceScale; // N, largest force on a link
    long evaluations;  // of all forces so far
    bool told;         // that they are many
    int patience;      // iterations without progress after which another way is tried; 0: none is left
} Statics;

// Takes out of generalised forces or displacements what is held, such as vehicles. The number of things held.
static int ClearHeld(const hwWorld* world, double* x) {
    int count = 0;
    HW_EACH_PART(world, part, hold) count += part->hold(world, x);
    return count;
}

// r(q): generalised forces at rest; with the matrices for a step `tau`, where that is not 0.
static void ComputeForces(Statics* s, double* q, double* r, double tau) {
    const hwWorld* world = s->world;
    s->evaluations += 1;
    hwWork* work = world->work;
    size_t bytes = (size_t)world->work->freedomsInUse * sizeof(double);
    memset(work->v, 0, bytes);
    memset(work->a, 0, bytes);
    hwEvaluation rest = {.time = world->state.header->time,
                         .q = q,
                         .v = work->v,
                         .zBase = world->state.z,
                         .matrix = tau > 0.0,
                         .step = tau,
                         .mode = s->mode};
    hwWorld_Evaluate(world, &rest);
    hwWorld_ComputeResidual(world, work->a, r);
    ClearHeld(world, r);
}

static void MultiplyStiffness(void* context, const double* x, double* y) {
    Statics* s = context;
    hwWorld* world = s->world;
    hwWork* work = world->work;
    int count = world->work->freedomsInUse;
    double largest = 0.0;
    for (int i = 0; i < count; ++i) largest = hwFmax(largest, fabs(x[i]));
    if (largest == 0.0 || hwWorld_IsStopped(world)) {
        memset(y, 0, (size_t)count * sizeof(double));
        return;
    }
    // central differences: what stiff cables round is a thousandth of what one-sided ones with half of the digits leave,
    // and a turned element's false strain cancels
    double step = 3e-6 / largest;
    for (int i = 0; i < count; ++i) work->d[i] = -step * x[i];
    hwWorld_DisplaceState(world, work->d);
    ComputeForces(s, world->state.q, work->a0, 0.0);
    for (int i = 0; i < count; ++i) work->d[i] = step * x[i];
    hwWorld_DisplaceState(world, work->d);
    ComputeForces(s, world->state.q, work->a1, 0.0);
    memset(y, 0, (size_t)count * sizeof(double)); // rows of nodes that are not there stay zero
    hwWorld_MultiplyMass(world, x, y);
    double inertia = 1.0 / (s->tau * s->tau);
    for (int i = 0; i < count; ++i) y[i] = inertia * y[i] - (work->a1[i] - work->a0[i]) / (2.0 * step);
    ClearHeld(world, y);
}

static void PreconditionStatics(void* context, const double* x, double* y) {
    Statics* s = context;
    memset(y, 0, (size_t)s->world->work->freedomsInUse * sizeof(double));
    hwWorld_SolveFactored(s->world, x, y);
    for (int i = 0; i < s->world->work->freedomsInUse; ++i) y[i] *= s->tau * s->tau;
    ClearHeld(s->world, y);
}

static double ResidualNorm(const Statics* s, const double* r) {
    double largest = 0.0;
    for (int i = 0; i < s->world->work->freedomsInUse; ++i) {
        if (!(fabs(r[i]) <= largest)) largest = fabs(r[i]);
        if (isnan(largest)) break;
    }
    return largest / s->forceScale;
}

static double DotProduct(int count, const double* x, const double* y) {
    double sum = 0.0;
    for (int i = 0; i < count; ++i) sum += x[i] * y[i];
    return sum;
}

static double FindForceScale(const hwWorld* world) {
    double scale = 0.0;
    double gravity = hwEnvironment_GetDef(world->environment)->gravity;
    for (int i = 0; i < world->model.forest.linkCount; ++i) {
        if (!world->model.links[i].active) continue;
        scale = hwFmax(scale, hwLength(hwWide_ToVec3(world->work->wrench[i].l)));
        scale = hwFmax(scale, world->model.links[i].mass * gravity);
    }
    HW_EACH_PART(world, part, getForceScale)
    scale = hwFmax(scale, part->getForceScale(world, STATIC_TOLERANCE));
    return hwFmax(scale, 1e-12);
}

static int FindLargest(const hwWorld* world, const double* r) {
    int worst = 0;
    for (int i = 0; i < world->work->freedomsInUse; ++i) {
        if (fabs(r[i]) > fabs(r[worst])) worst = i;
    }
    return worst;
}

static hwStatus FailStatics(hwWorld* world, const Statics* s, const double* r, hwError* error) {
    int worst = FindLargest(world, r);
    hwFreedomName name = hwWorld_NameFreedom(world, worst);
    hwStatus status =
        hwFail(error, HW_ERROR_NUMERIC, name.object,
               "%s: no static equilibrium was found; a generalised force of %.3g (%.2g of the largest "
               "force) is left on %s",
               name.object, r[worst], ResidualNorm(s, r), name.part);
    hwFail_At(error, name.node, world->state.header->time);
    hwFail_Hint(error,
                "something may be free to sink, rise or drift away; start without statics, or hold it");
    return status;
}

// Says once what makes a search long.
static void TellLong(Statics* s, const double* r) {
    const hwWorld* world = s->world;
    double cost = (double)s->evaluations * world->work->freedomsInUse;
    if (s->told || s->evaluations < MANY_EVALUATIONS || cost < MANY_FORCES) return;
    s->told = true;
    int worst = FindLargest(world, r);
    hwFreedomName name = hwWorld_NameFreedom(world, worst);
    hwWorld_Log(
        world, HW_LOG_WARNING,
        "statics takes more than ten times as long as usual: after %ld evaluations a generalised force "
        "of %.3g (%.2g of the largest force) is left on %s of %s; it goes on",
        s->evaluations, r[worst], ResidualNorm(s, r), name.part, name.object);
}

// Goes along the step from work->q0 as far as the forces have not reversed, by regula falsi; leaves the place in state.q and
// the forces there in work->estimate. Returns the part of the step, 0 when there is none.
static double SearchAlongStep(Statics* s, double startWork) {
    hwWorld* world = s->world;
    hwWork* work = world->work;
    int count = world->work->freedomsInUse;
    double low = 0.0, high = 1.0, workLow = startWork, workHigh = 0.0, part = 1.0;
    for (int trial = 0; trial < MAX_TRIALS; ++trial) {
        for (int i = 0; i < count; ++i) work->d[i] = part * work->step[i];
        hwWorld_DisplaceState(world, work->d);
        hwWorld_FindContacts(world, &s->mode, HW_INSTANT, false);
        ComputeForces(s, world->state.q, work->estimate, 0.0);
        double end = DotProduct(count, work->step, work->estimate);
        if (isfinite(end) && fabs(end) <= 0.9 * startWork) return part;
        if (trial == 0 && end > 0.0) return part; // farther than that next time
        if (end > 0.0) {
            low = part;
            workLow = end;
        } else {
            high = part;
            workHigh = end;
        }
        double guess = isfinite(workHigh) ? workLow / (workLow - workHigh) : 0.1;
        part = low + (high - low) * hwClamp(guess, 0.1, 0.9);
    }
    return low;
}

// The part of work->step from work->q0 that may be gone; finds the contacts of cables with cables on the way.
static double LimitMove(const Statics* s) {
    hwWorld* world = s->world;
    double share = 1.0;
    HW_EACH_PART(world, part, limitMove)
    share = hwFmin(share, part->limitMove(world, &s->mode, world->work->q0, world->work->step));
    return share;
}

// Iterates from work->q0, which it moves. Returns the norm of the forces that are left; -1: a matrix was singular.
static double IterateStatics(Statics* s, double tolerance, int iterations, hwError* error) {
    hwWorld* world = s->world;
    hwWork* work = world->work;
    hwState* state = &world->state;
    double* r = work->v1;
    if (s->mode.touching) {
        memset(work->step, 0, (size_t)work->freedomsInUse * sizeof(double));
        LimitMove(s); // finds contacts
    }
    ComputeForces(s, work->q0, r, s->tau);
    double norm = ResidualNorm(s, r), least = norm;
    int waited = 0;
    for (int iteration = 0; iteration < iterations && norm > tolerance; ++iteration) {
        int count = work->freedomsInUse;
        if (hwWorld_IsStopped(world)) return INFINITY;
        TellLong(s, r);
        if (hwWorld_Factor(world, s->tau, NULL, error) != HW_OK) return -1.0;
        memset(work->step, 0, (size_t)count * sizeof(double));
        work->gmres.size = count;
        hwGmres_Solve(&work->gmres, MultiplyStiffness, PreconditionStatics, s, r, work->step, 1e-6,
                      2 * HW_GMRES_BASIS);
        if (hwWorld_IsStopped(world)) return INFINITY;
        bool uphill = !(DotProduct(count, work->step, r) > 0.0);
        // the structured matrix leaves out what makes the true one negative
        if (uphill) PreconditionStatics(s, r, work->step);
        // contacts that the step would bring; their friction holds nothing here
        double share = LimitMove(s);
        if (share < 1.0) {
            for (int i = 0; i < count; ++i) work->step[i] *= share;
        }
        double startWork = DotProduct(count, work->step, r),
               fraction = startWork < 0.0 ? 0.0 : SearchAlongStep(s, startWork);
        double next = ResidualNorm(s, work->estimate);
        if (!isfinite(next) || fraction == 0.0) {
            // uphill or too far
            s->tau *= 0.25;
            if (s->tau < 1e-9) break;
        } else {
            s->tau *= uphill ? 0.7 : (fraction == 1.0 ? 3.0 : (fraction > 0.3 ? 1.0 : 0.5));
            s->tau = hwFmin(s->tau, LONGEST_STEP);
            HW_EACH_PART(world, part, remesh) part->remesh(world);
            memcpy(work->q0, state->q, hwWorld_GetCoordinateBytes(world));
            norm = next;
        }
        waited = norm < PROGRESS * least ? 0 : waited + 1;
        least = hwFmin(least, norm);
        if (s->patience > 0 && waited >= s->patience && s->tau < HOPELESS) break;
        ComputeForces(s, work->q0, r, s->tau); // with the matrices for the next step
        bool lost = false;
        for (int i = 0; i < work->freedomsInUse; ++i) lost = lost || !(fabs(work->step[i]) < FARTHEST);
        if (lost) break;
    }
    return norm;
}

static void SettleParts(const Statics* s, double tolerance) {
    HW_EACH_PART(s->world, part, settle) part->settle(s->world, &s->mode, tolerance);
}

// Makes cables no stiffer than this, N; false while that changes any of them.
static bool SoftenCables(hwWorld* world, double stiffness) {
    bool whole = true;
    HW_EACH_PART(world, part, soften) whole = part->soften(world, stiffness) && whole;
    return whole;
}

// With all cables brought to rest between their ends now and then: what moves the ends of a slack one by metres leaves it
// far from where a step of the whole world, measured by the heaviest of all, would find its shape.
static double SettleInTurn(Statics* s, double tolerance, hwError* error) {
    hwWorld* world = s->world;
    hwWork* work = world->work;
    double norm = INFINITY;
    for (int round = 0; round < MAX_ROUNDS; ++round) {
        norm = IterateStatics(s, tolerance, ROUND_ITERATIONS, error);
        if (norm < 0.0 || !isfinite(norm) || norm <= tolerance) break;
        memcpy(world->state.q, work->q0, hwWorld_GetCoordinateBytes(world));
        SettleParts(s, 0.5 * STATIC_TOLERANCE);
        memcpy(work->q0, world->state.q, hwWorld_GetCoordinateBytes(world));
        s->tau = hwFmax(s->tau, 0.1);
    }
    return norm;
}

// The equilibrium of ever stiffer cables, the last one as stiff as they are.
static double SettleSoftly(Statics* s, hwError* error) {
    double norm = INFINITY;
    bool whole = false;
    for (double stiffness = 10.0 * s->forceScale; !whole; stiffness *= 8.0) {
        whole = SoftenCables(s->world, stiffness);
        norm = SettleInTurn(s, whole ? STATIC_TOLERANCE : SOFT_TOLERANCE, error);
        if (norm < 0.0 || !isfinite(norm)) break;
        s->tau = hwFmax(s->tau, 0.1);
    }
    SoftenCables(s->world, INFINITY);
    return norm;
}

// Lets things fall into place as they would: steps of the real-time solver with time, drives and winches held, and
// all velocities fading as in honey. Slack wires, sheaves that much material runs over and contacts are what that solver is
// made for. Ends as soon as Newton's method finds the rest from there.
// Returns what Settle does.
static double FallIntoPlace(Statics* s, hwError* error) {
    hwWorld* world = s->world;
    hwWork* work = world->work;
    hwState* state = &world->state;
    size_t bytes = (size_t)world->model.freedomCount * sizeof(double);
    double norm = INFINITY;
    memset(state->v, 0, bytes);
    for (int k = 1; k <= MOST_FALLS; ++k) {
        hwMode held = s->mode;
        held.held = true;
        held.heldTime = state->header->time;
        hwWorld_StateChanged(world);
        uint64_t before = state->header->counters.evaluations;
        hwStatus status = hwRealtime_Advance(world, &held, held.heldTime + FALL, error);
        s->evaluations += (long)(state->header->counters.evaluations - before);
        state->header->time = held.heldTime;
        state->header->crawlSince -= FALL; // the clock is put back, not the time that has gone by
        hwWorld_StateChanged(world);
        if (status != HW_OK) return INFINITY;
        for (int i = 0; i < world->model.freedomCount; ++i) state->v[i] *= FADING;
        if (k % FALLS_A_LOOK != 0) continue;
        memcpy(work->q0, state->q, hwWorld_GetCoordinateBytes(world));
        s->tau = 0.1;
        norm = IterateStatics(s, STATIC_TOLERANCE, LOOK_ITERATIONS, error);
        if (norm < 0.0 || norm <= STALLED_TOLERANCE) break;
        memcpy(state->q, work->q0, hwWorld_GetCoordinateBytes(world));
    }
    return norm;
}

// A kept state, whatever the mesh is now.
static void GoBack(hwWorld* world, const void* kept) {
    memcpy(world->state.block, kept, world->state.size);
    HW_EACH_PART(world, part, refresh) part->refresh(world);
    hwWorld_StateChanged(world);
}

// Newton's method at once, then with softer cables, then after a fall.
static double SolveSomehow(Statics* s, const void* kept, hwError* error) {
    hwWorld* world = s->world;
    hwWork* work = world->work;
    bool cables = hwModel_HasCables(&world->model);
    s->patience = cables ? PATIENCE : 0;
    double norm = IterateStatics(s, STATIC_TOLERANCE, cables ? FIRST_ITERATIONS : MAX_ITERATIONS, error);
    s->patience = 0;
    if (norm >= 0.0 && norm <= STATIC_TOLERANCE) return norm;
    if (cables) {
        GoBack(world, kept);
        SettleParts(s, 0.5 * STATIC_TOLERANCE);
        memcpy(work->q0, world->state.q, hwWorld_GetCoordinateBytes(world));
        s->tau = 0.1;
        norm = SettleSoftly(s, error);
        if (norm >= 0.0 && norm <= STALLED_TOLERANCE) return norm;
    }
    // a pilot would fly on
    if (ClearHeld(world, NULL) > 0) return norm;
    GoBack(world, kept);
    return FallIntoPlace(s, error);
}

// Cables that meet in the shape found without their contacts.
typedef struct Meeting {
    const double* q;   // [coordinate] of the shapes given
    int* nodes;        // [slot] of those
    bool passed;       // through each other since
    const char *a, *b; // that lie in each other now; null: none
} Meeting;

// Fills in q, nodes and `passed`, by a kept state and the one that was found. False: nothing meets.
static bool DoCablesMeet(hwWorld* world, const char* kept, Meeting* meeting) {
    const hwState* state = &world->state;
    bool asked = false;
    HW_EACH_PART(world, part, isInTheWay) {
        asked = true;
        part->isInTheWay(world, &meeting->a, &meeting->b);
    }
    if (!asked) return false;
    for (int i = 0; i < world->model.cables->count; ++i) {
        hwCableCore core;
        memcpy(&core, kept + ((const char*)state->cables->stores[i].core - (const char*)state->block),
               sizeof(core));
        meeting->nodes[i] = core.nodes;
    }
    meeting->q = (const double*)(const void*)(kept + ((const char*)state->q - (const char*)state->block));
    meeting->passed = hwWorld_HavePassed(world, meeting->q, meeting->nodes);
    return meeting->a != NULL || meeting->passed;
}

// Puts the nodes of cables a part of the straight way from the shapes given to those found.
static void GoPart(hwWorld* world, const Meeting* meeting, const double* found, double part) {
    for (int i = 0; i < world->model.cables->count; ++i) {
        int first = world->model.cables->slots[i].coordinate, nodes = meeting->nodes[i];
        if (nodes != world->state.cables->stores[i].core->nodes) continue;
        for (int k = first; k < first + 3 * nodes; ++k)
            world->state.q[k] = meeting->q[k] + part * (found[k] - meeting->q[k]);
    }
}

// Where to begin with contacts: the shape found, or as near to it as nothing has passed through anything.
static void GoBeforePassage(hwWorld* world, const Meeting* meeting, const double* found) {
    double low = 0.0, high = 1.0;
    for (int i = 0; i < PASSAGE_HALVINGS && meeting->passed; ++i) {
        double middle = 0.5 * (low + high);
        GoPart(world, meeting, found, middle);
        if (hwWorld_HavePassed(world, meeting->q, meeting->nodes)) {
            high = middle;
        } else {
            low = middle;
        }
    }
    GoPart(world, meeting, found, meeting->passed ? low : 1.0);
}

// Once more with cables that touch each other, each on its side: displacements end where they would pass. Where that finds no
// rest, nor a fall from the shapes given does, the shape found without contacts is kept, and it is said.
static double SolveTouching(Statics* s, const void* kept, const Meeting* meeting, double norm,
                            hwError* error) {
    hwWorld* world = s->world;
    hwWork* work = world->work;
    hwState* state = &world->state;
    char* found = hwAllocate(&world->allocator, state->size);
    if (found == NULL) return norm;
    const double* q = (const double*)(const void*)(found + ((char*)state->q - (char*)state->block));
    memcpy(found, state->block, state->size);
    s->mode.touching = true;
    GoBeforePassage(world, meeting, q);
    memcpy(work->q0, state->q, hwWorld_GetCoordinateBytes(world));
    s->tau = 0.1;
    double touching = IterateStatics(s, STATIC_TOLERANCE, TOUCHING_ITERATIONS, error);
    bool rests = touching >= 0.0 && touching <= STALLED_TOLERANCE;
    if (!rests && ClearHeld(world, NULL) == 0) {
        GoBack(world, meeting->passed ? kept : found);
        touching = FallIntoPlace(s, error);
        rests = touching >= 0.0 && touching <= STALLED_TOLERANCE;
    }
    if (!rests) {
        s->mode.touching = false;
        GoBack(world, found);
        memcpy(work->q0, state->q, hwWorld_GetCoordinateBytes(world));
        if (meeting->a != NULL && !meeting->passed)
            hwWorld_Log(world, HW_LOG_WARNING,
                        "statics: %s and %s lie in each other: no equilibrium was found with them touching",
                        meeting->a, meeting->b);
    }
    hwRelease(&world->allocator, found);
    return rests ? touching : norm;
}

static hwStatus SolveShape(Statics* s, hwError* error) {
    hwWorld* world = s->world;
    hwWork* work = world->work;
    hwState* state = &world->state;
    int count = world->model.freedomCount;
    if (count == 0) return HW_OK;
    size_t room = state->size + (size_t)world->model.cables->count * sizeof(int);
    char* kept = hwAllocate(&world->allocator, room);
    if (kept == NULL) return hwFail_Memory(error, NULL);
    int* nodes = (int*)(void*)(kept + state->size);
    memcpy(kept, state->block, state->size);
    s->mode.touching = false;
    SettleParts(s, 0.5 * STATIC_TOLERANCE);
    memcpy(work->q0, state->q, hwWorld_GetCoordinateBytes(world));
    s->tau = 0.1;
    s->forceScale = 1.0;
    ComputeForces(s, work->q0, work->v1, s->tau);
    s->forceScale = FindForceScale(world);
    double norm = SolveSomehow(s, kept, error);
    if (norm >= 0.0 && norm <= STALLED_TOLERANCE && !hwWorld_IsStopped(world)) {
        memcpy(state->q, work->q0, hwWorld_GetCoordinateBytes(world));
        Meeting meeting = {.nodes = nodes};
        if (DoCablesMeet(world, kept, &meeting)) norm = SolveTouching(s, kept, &meeting, norm, error);
    }
    hwStatus status = norm < 0.0 ? HW_ERROR_NUMERIC : HW_OK;
    if (hwWorld_IsStopped(world)) {
        GoBack(world, kept);
        hwRelease(&world->allocator, kept);
        return hwWorld_FailStopped(world, true, error);
    }
    if (status == HW_OK &&
        !(norm <= (hwModel_HasCables(&world->model) ? STALLED_TOLERANCE : STATIC_TOLERANCE))) {
        status = FailStatics(world, s, work->v1, error);
    }
    if (status != HW_OK) {
        GoBack(world, kept);
    } else {
        // of all that a fall changes only places and meshes stay
        size_t z = (size_t)((char*)state->z - (char*)state->block),
               header = (size_t)((char*)state->header - (char*)state->block);
        memcpy(state->z, kept + z, (size_t)world->model.auxiliaryCount * sizeof(double));
        memcpy(state->header, kept + header, sizeof(*state->header));
        memcpy(state->q, work->q0, hwWorld_GetCoordinateBytes(world));
        memset(state->v, 0, (size_t)count * sizeof(double));
        state->header->accelerationValid = 0;
    }
    hwRelease(&world->allocator, kept);
    return status;
}

hwStatus hwWorld_SolveStatics(hwWorld* world, hwError* error) {
    hwStatus status = HW_OK;
    Statics s = {.world = world, .mode = {.calm = true, .settling = true}};
    HW_EACH_PART(world, part, beginStatics) part->beginStatics(world);
    status = hwWorld_FindTow(world, &s.mode.towed, error);
    for (int pass = 0; pass < MAX_PASSES && status == HW_OK; ++pass) {
        status = SolveShape(&s, error);
        if (status != HW_OK) break;
        // evaluates at the shape found, so that the links' errors are its
        ComputeForces(&s, world->state.q, world->work->v1, 0.0);
        bool off = false;
        HW_EACH_PART(world, part, tighten) off = part->tighten(world, &s.mode) || off;
        if (!off) break;
    }
    hwMode calm = {.calm = true, .touching = s.mode.touching, .towed = s.mode.towed};
    HW_EACH_PART(world, part, endStatics) part->endStatics(world, &calm);
    if (s.mode.towed) hwWorld_StartTow(world);
    return status;
}
