// Two worlds that exchange motion and force without creating energy (exchange.h).
//
// In an interval H the body feels F(t) = P - D (v(t) - u), v the velocity (and angular velocity) of its point, and the end
// goes on with the constant velocity V = (way of the point) / H. With T the mean pull of the cable over the interval,
//     work on the body   H P.V - D (V - u).V H - integral of (v - V).D (v - V)
//     work on the cable  - H T.V
// because the mean of v is V. With D not negative their sum is at most H (F - T).V, F = P - D (V - u) the body's mean
// force: an interval with F = T creates nothing. The jump of the end's velocity between two intervals is part of T, see
// hwCable_GuideEnd, and dissipates.
//
// F = T is found by repeating the interval from the same states: P := T(V), u := V, which is Newton's method for the force
// when D is the derivative of -T with V and the body answers as it really does, contacts and stiff neighbours included. D
// begins as the derivative of the implicit step (hwCable_PredictEndLoad) and follows the passes by the symmetric secant
// update of Broyden, Fletcher, Goldfarb and Shanno (1970), which stays positive. Where that does not settle, as when a wire
// goes taut within the interval, the interval is halved: inertia over H grows, stiffness times H falls, and the passes
// contract. What would be left at the last halving goes into the next interval's force, so that no momentum is lost.
#include "hawser/exchange.h"

#include "parts/cables/cables.h"

#include <math.h>
#include <string.h>

#define DEFAULT_TOLERANCE 1e-5
#define DEFAULT_PASSES 12
#define MOST_HALVINGS 10
// Newton's method leaves forces of stiff cables uncertain. After so many passes this much may be left: it goes into the next
// interval's force.
#define MANY_PASSES 8
#define LEAST_AGREEMENT 1e-4

struct hwExchange {
    hwExchangeDef def;
    hwAllocator allocator;
    void *bodyState, *cableState; // at the start of the interval
    size_t bodySize, cableSize;
    int link, slot;
    bool clamped;
    int size;               // of what is exchanged: 3, 6 for a clamp
    hwVec3 tangent, normal; // clamp, body frame
    double owed[6];         // N, N m, what the body has not felt yet
    double created;         // J
};

// Where the body's point is.
typedef struct Place {
    hwVec3 origin, arm; // world axes
    hwQuat attitude;
} Place;

// One pass over the interval.
typedef struct Pass {
    double force[6], velocity[6], resistance[6][6]; // P, u, D
    hwVec3 arm;                                     // mean, world axes
    double way[6];                                  // V
    double felt[6], pull[6];                        // F, T
} Pass;

static Place GetPlace(const hwExchange* x) {
    hwWorld_Refresh(x->def.bodyWorld);
    const hwLinkMotion* m = &x->def.bodyWorld->work->forest.motion[x->link];
    hwBodyState state;
    hwBody_GetState(x->def.bodyWorld, x->def.body, &state, NULL);
    hwVec3 arm = hwWide_ToVec3(hwWideMat_Mul(&m->R, hwWide_FromVec3(x->def.at)));
    return (Place){hwWide_ToVec3(m->p), arm, state.attitude};
}

static hwVec3 First(const double* x) {
    return hwMakeVec3(x[0], x[1], x[2]);
}

static void Put(hwVec3 v, double* x) {
    x[0] = v.x;
    x[1] = v.y;
    x[2] = v.z;
}

static double Dot(const double* x, const double* y) {
    double sum = 0.0;
    for (int i = 0; i < 6; ++i) sum += x[i] * y[i];
    return sum;
}

static void Multiply(const double (*m)[6], const double* x, double* y) {
    for (int i = 0; i < 6; ++i) y[i] = Dot(m[i], x);
}

// Creating ---------------------------------------------------------------------------------------------------------------

static hwStatus CheckDef(const hwExchangeDef* def, hwError* error) {
    if (def == NULL || def->bodyWorld == NULL || def->cableWorld == NULL ||
        def->bodyWorld == def->cableWorld) {
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "an exchange needs two worlds");
    }
    hwStatus status = hwWorld_RequirePrepared(def->bodyWorld, error);
    if (status == HW_OK) status = hwWorld_RequirePrepared(def->cableWorld, error);
    if (status != HW_OK) return status;
    const hwBodyObject* body = hwWorld_GetBody(def->bodyWorld, def->body);
    if (body == NULL || hwWorld_GetCable(def->cableWorld, def->cable) == NULL) {
        return hwFail(error, HW_ERROR_ARGUMENT, NULL,
                      "an exchange needs a body of one world and a cable of the other");
    }
    if (!hwIsFiniteVec3(def->at) || !(def->tolerance >= 0.0) || def->passes < 0) {
        return hwFail(error, HW_ERROR_ARGUMENT, body->def.name,
                      "%s: the exchange's point must be finite, its tolerance and passes not negative",
                      body->def.name);
    }
    return HW_OK;
}

static hwStatus FindEnd(hwExchange* x, hwError* error) {
    const hwExchangeDef* def = &x->def;
    double resistance[6][6];
    hwVec3 force;
    // checks the end, too
    hwStatus status =
        hwCable_PredictEndLoad(def->cableWorld, def->cable, def->end, 1e-3, &force, NULL, resistance, error);
    if (status != HW_OK) return status;
    x->slot = hwWorld_GetCable(def->cableWorld, def->cable)->slot;
    x->link = hwWorld_GetBody(def->bodyWorld, def->body)->link;
    hwWorld_Refresh(def->cableWorld);
    const hwCableTools* tools = &def->cableWorld->work->cables->tools[x->slot];
    const hwCableEnd* end = &tools->input.ends[def->end];
    Place place = GetPlace(x);
    hwVec3 there = tools->state.position[def->end == 0 ? 0 : tools->work.nodes - 1];
    double apart = hwDistance(hwAdd(place.origin, place.arm), there),
           length = hwCableState_GetLength(&tools->state);
    if (apart > 1e-3 * length) {
        const char* name = def->cableWorld->model.cables->slots[x->slot].name;
        return hwFail(error, HW_ERROR_ARGUMENT, name,
                      "%s: its end is %.3g m from the body's point; put it there before the exchange begins",
                      name, apart);
    }
    x->clamped = end->kind == HW_CABLE_CLAMP;
    x->size = x->clamped ? 6 : 3;
    hwQuat back = hwConjugate(place.attitude);
    x->tangent = hwRotate(back, end->tangent);
    x->normal = hwRotate(back, end->normal);
    // it moves with the point from the start, as the end of a coupled cable does
    hwWideSpatial v = def->bodyWorld->work->forest.motion[x->link].v;
    hwVec3 velocity = hwWide_ToVec3(v.l + hwWide_Cross(v.a, hwWide_FromVec3(place.arm)));
    return hwCable_SetEndMotion(def->cableWorld, def->cable, def->end, there, velocity, hwVec3_zero, error);
}

hwExchange* hwCreateExchange(const hwExchangeDef* def, hwError* error) {
    hwClearError(error);
    if (CheckDef(def, error) != HW_OK) return NULL;
    const hwAllocator* allocator = &def->bodyWorld->allocator;
    hwExchange* x = hwAllocate(allocator, sizeof(*x));
    if (x == NULL) {
        hwFail_Memory(error, NULL);
        return NULL;
    }
    x->def = *def;
    x->allocator = *allocator;
    if (x->def.tolerance == 0.0) x->def.tolerance = DEFAULT_TOLERANCE;
    if (x->def.passes == 0) x->def.passes = DEFAULT_PASSES;
    x->bodySize = hwWorld_GetStateSize(def->bodyWorld);
    x->cableSize = hwWorld_GetStateSize(def->cableWorld);
    x->bodyState = hwAllocate(allocator, x->bodySize);
    x->cableState = hwAllocate(allocator, x->cableSize);
    bool good = x->bodyState != NULL && x->cableState != NULL;
    if (!good) hwFail_Memory(error, NULL);
    if (!good || FindEnd(x, error) != HW_OK) {
        hwDestroyExchange(x);
        return NULL;
    }
    return x;
}

void hwDestroyExchange(hwExchange* x) {
    if (x == NULL) return;
    hwAllocator allocator = x->allocator;
    hwRelease(&allocator, x->bodyState);
    hwRelease(&allocator, x->cableState);
    hwRelease(&allocator, x);
}

// One pass ---------------------------------------------------------------------------------------------------------------

// The body's part: fills way and felt.
static hwStatus MoveBody(hwExchange* x, double interval, const Place* from, Pass* pass, hwError* error) {
    hwWorld* world = x->def.bodyWorld;
    hwStatus status = hwWorld_RestoreState(world, x->bodyState, x->bodySize, error);
    hwLinkForces forces = hwWorld_GetLinkForces(world, x->link);
    hwVec3 point = hwAdd(from->origin, pass->arm);
    if (status == HW_OK) {
        status = hwBody_ApplyWrench(world, x->def.body, First(pass->force), First(pass->force + 3), point,
                                    HW_FRAME_WORLD, error);
    }
    if (status == HW_OK) {
        status = hwBody_ApplyImpedance(world, x->def.body, (const double(*)[6])pass->resistance,
                                       First(pass->velocity), First(pass->velocity + 3), point, error);
    }
    if (status == HW_OK) status = hwWorld_Step(world, interval, error);
    if (status < HW_OK) return status;
    hwWorld_SetLinkForces(world, x->link, forces);
    return HW_OK;
}

// Rotation vector from one pair of orthogonal unit vectors to another.
static hwVec3 FindTurn(hwVec3 t0, hwVec3 n0, hwVec3 t1, hwVec3 n1) {
    hwMat3 a = {t0, n0, hwCross(t0, n0)}, b = {t1, n1, hwCross(t1, n1)};
    hwQuat turn = hwQuatFromMat3(hwMulMM(b, hwTransposeMat3(a)));
    hwVec3 axis = {turn.x, turn.y, turn.z};
    double sine = hwLength(axis);
    if (turn.w < 0.0) {
        axis = hwScale(-1.0, axis);
        turn.w = -turn.w;
    }
    return sine > 0.0 ? hwScale(2.0 * hwAtan2(sine, turn.w) / sine, axis) : hwVec3_zero;
}

// The arm for which a force has the point's work: turn x arm = the arm's change.
static hwVec3 FindMeanArm(const Place* from, const Place* to) {
    const hwVec3 x = {1, 0, 0}, y = {0, 1, 0};
    hwVec3 turn = FindTurn(hwRotate(from->attitude, x), hwRotate(from->attitude, y),
                           hwRotate(to->attitude, x), hwRotate(to->attitude, y));
    hwVec3 mean = hwScale(0.5, hwAdd(from->arm, to->arm));
    double square = hwDot(turn, turn);
    if (!(square > 1e-12)) return mean;
    hwVec3 across = hwCross(hwSub(to->arm, from->arm), turn);
    return hwScale(1.0 / square, hwMulAdd(across, hwDot(mean, turn), turn));
}

static hwStatus RunPass(hwExchange* x, double interval, const Place* from, Pass* pass, hwError* error) {
    hwWorld* cables = x->def.cableWorld;
    hwStatus status = MoveBody(x, interval, from, pass, error);
    if (status == HW_OK) status = hwWorld_RestoreState(cables, x->cableState, x->cableSize, error);
    if (status != HW_OK) return status;
    Place to = GetPlace(x);
    hwWorld_Refresh(cables);
    const hwCableTools* tools = &cables->work->cables->tools[x->slot];
    hwVec3 end = tools->state.position[x->def.end == 0 ? 0 : tools->work.nodes - 1];
    Put(hwScale(1.0 / interval, hwSub(hwAdd(to.origin, to.arm), end)), pass->way);
    if (x->clamped) {
        const hwCableEnd* clamp = &tools->input.ends[x->def.end];
        hwVec3 turn = FindTurn(clamp->tangent, clamp->normal, hwRotate(to.attitude, x->tangent),
                               hwRotate(to.attitude, x->normal));
        Put(hwScale(1.0 / interval, turn), pass->way + 3);
    }
    double change[6], resisted[6];
    for (int i = 0; i < 6; ++i) change[i] = pass->way[i] - pass->velocity[i];
    Multiply((const double(*)[6])pass->resistance, change, resisted);
    for (int i = 0; i < 6; ++i) pass->felt[i] = pass->force[i] - resisted[i];
    pass->arm = FindMeanArm(from, &to);
    status =
        hwCable_GuideEnd(cables, x->def.cable, x->def.end, First(pass->way), First(pass->way + 3), error);
    if (status == HW_OK) status = hwWorld_Step(cables, interval, error);
    if (status < HW_OK) return status;
    hwVec3 linear, angular;
    status = hwCable_GetEndImpulse(cables, x->def.cable, x->def.end, &linear, &angular, error);
    Put(hwScale(1.0 / interval, linear), pass->pull);
    Put(hwScale(1.0 / interval, x->clamped ? angular : hwVec3_zero), pass->pull + 3);
    for (int i = 0; i < 6; ++i) pass->pull[i] += x->owed[i];
    return status;
}

// Repeating --------------------------------------------------------------------------------------------------------------

// Of the force, or of the body's weight where that is more: a slack wire need not agree with nothing.
static double Mismatch(const hwExchange* x, const Pass* pass) {
    const hwWorld* world = x->def.bodyWorld;
    double weight = world->model.links[x->link].mass * hwEnvironment_GetDef(world->environment)->gravity;
    double difference = 0.0, scale = 1e-300 + weight * weight;
    for (int i = 0; i < 6; ++i) {
        double gap = pass->pull[i] - pass->felt[i];
        difference += gap * gap;
        scale += pass->pull[i] * pass->pull[i] + pass->felt[i] * pass->felt[i];
    }
    return sqrt(difference / scale);
}

// D s = y for the last change s of the way and y of the pull, the rest of D kept.
static void UpdateResistance(const Pass* last, const Pass* now, double (*D)[6]) {
    double s[6], y[6], Ds[6];
    for (int i = 0; i < 6; ++i) {
        s[i] = now->way[i] - last->way[i];
        y[i] = last->pull[i] - now->pull[i];
    }
    Multiply((const double(*)[6])D, s, Ds);
    double sy = Dot(s, y), sDs = Dot(s, Ds);
    if (!(sDs > 0.0) || !(sy > 1e-3 * sDs)) return;
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) D[i][j] += y[i] * y[j] / sy - Ds[i] * Ds[j] / sDs;
    }
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < i; ++j) D[i][j] = D[j][i] = 0.5 * (D[i][j] + D[j][i]);
    }
}

static hwStatus FirstGuess(hwExchange* x, double interval, const Place* from, Pass* pass, hwError* error) {
    const hwExchangeDef* def = &x->def;
    hwVec3 force, moment;
    memset(pass, 0, sizeof(*pass));
    hwStatus status = hwCable_PredictEndLoad(def->cableWorld, def->cable, def->end, interval, &force, &moment,
                                             pass->resistance, error);
    if (status != HW_OK) return status;
    Put(force, pass->force);
    Put(moment, pass->force + 3);
    for (int i = 0; i < 6; ++i) pass->force[i] += x->owed[i];
    pass->arm = from->arm;
    hwWorld_Refresh(def->cableWorld);
    const hwCableTools* tools = &def->cableWorld->work->cables->tools[x->slot];
    Put(tools->state.velocity[def->end == 0 ? 0 : tools->work.nodes - 1], pass->velocity);
    if (x->clamped) Put(tools->input.ends[def->end].rate, pass->velocity + 3);
    return HW_OK;
}

// Until both sides agree or the passes run out; then fails, unless to `enforce` it.
static hwStatus Repeat(hwExchange* x, double interval, bool enforce, Pass* pass, hwExchangeReport* report,
                       hwError* error) {
    Place from = GetPlace(x);
    hwStatus status = FirstGuess(x, interval, &from, pass, error);
    Pass last = *pass;
    bool agreed = false;
    for (int k = 0; k < x->def.passes && status == HW_OK; ++k) {
        status = RunPass(x, interval, &from, pass, error);
        report->passes += 1;
        report->mismatch = Mismatch(x, pass);
        agreed = report->mismatch <= hwFmax(x->def.tolerance, k >= MANY_PASSES ? LEAST_AGREEMENT : 0.0);
        if (status != HW_OK || agreed) break;
        Pass next = *pass;
        if (k > 0) UpdateResistance(&last, pass, next.resistance);
        memcpy(next.force, pass->pull, sizeof(next.force));
        memcpy(next.velocity, pass->way, sizeof(next.velocity));
        last = *pass;
        if (k + 1 < x->def.passes) *pass = next;
    }
    if (status == HW_OK && !agreed && !enforce) status = HW_ERROR_NUMERIC;
    return status;
}

static void GoBack(hwExchange* x) {
    hwWorld_RestoreState(x->def.bodyWorld, x->bodyState, x->bodySize, NULL);
    hwWorld_RestoreState(x->def.cableWorld, x->cableState, x->cableSize, NULL);
}

// One interval as it is, without halving. `last`: it counts even when both sides do not agree.
static hwStatus AdvanceOnce(hwExchange* x, double interval, bool last, hwExchangeReport* report,
                            hwError* error) {
    hwStatus status = hwWorld_SaveState(x->def.bodyWorld, x->bodyState, x->bodySize, error);
    if (status == HW_OK) status = hwWorld_SaveState(x->def.cableWorld, x->cableState, x->cableSize, error);
    if (status != HW_OK) return status;
    Pass pass;
    double worst = report->mismatch;
    status = Repeat(x, interval, last, &pass, report, error);
    if (status != HW_OK) {
        GoBack(x);
        report->mismatch = worst;
        return status;
    }
    report->mismatch = hwFmax(worst, report->mismatch);
    for (int i = 0; i < 6; ++i) {
        x->created += interval * (pass.felt[i] - (pass.pull[i] - x->owed[i])) * pass.way[i];
        x->owed[i] = pass.pull[i] - pass.felt[i];
    }
    report->force = hwMulAdd(report->force, interval, First(pass.felt));
    report->moment = hwMulAdd(report->moment, interval, First(pass.felt + 3));
    return HW_OK;
}

hwStatus hwExchange_Advance(hwExchange* x, double interval, hwExchangeReport* report, hwError* error) {
    hwClearError(error);
    if (!(interval > 0.0) || !isfinite(interval)) {
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "an exchange needs an interval above 0 s, not %g s",
                      interval);
    }
    hwExchangeReport done = {0};
    // in units of the shortest part: exact, so that the parts add up
    const int whole = 1 << MOST_HALVINGS;
    int gone = 0, part = whole;
    while (gone < whole) {
        hwStatus status = AdvanceOnce(x, interval * part / whole, part == 1, &done, error);
        if (status == HW_OK) {
            gone += part;
            while (part < whole && gone % (2 * part) == 0) part *= 2;
        } else if (part == 1) {
            return status;
        } else {
            part /= 2;
        }
    }
    hwClearError(error);
    done.force = hwScale(1.0 / interval, done.force);
    done.moment = hwScale(1.0 / interval, done.moment);
    done.created = x->created;
    if (report != NULL) *report = done;
    return HW_OK;
}
