// Bodies at rest fall asleep where the scene allows it: they are neither moved nor evaluated until something wakes them.
//
// What sleeps is an island: bodies and mechanisms, whole trees of links, that are near each other, of which one at least touches
// something fixed or stands on it. All of them have been slower than hwSolverDef.restSpeed for restTime, and nothing acts on one that could
// move it, which parts say of links (hwPart.keepAwake): calls, inputs, moving water, cables, vehicles. Asleep their velocities and
// accelerations are zero; sums and matrices leave them out (hwForestWork.asleep), contacts among themselves and with fixed things
// stay as they are. They wake together: when something that moves, or may, comes near one of them (parts/contact), when something
// begins to act on one, when a call sets one's state. Which links are asleep is part of the state.
#include "world/part.h"

#include <math.h>
#include <string.h>

#define REST_SPEED 1e-3 // m/s
#define REST_TIME 0.5   // s
#define TURNING 0.1 // of the speed at which things rest: by which a mechanism gets faster in the time of rest

void hwSleep_Lay(const hwModel* model, hwArena* arena, hwSleepState* sleep) {
    if (!model->sleeps) return;
    sleep->island = HW_TAKE(arena, int32_t, model->forest.linkCount);
    sleep->rest = HW_TAKE(arena, double, model->forest.linkCount);
    sleep->stilled = HW_TAKE(arena, double, 1);
}

void hwSleep_LayWork(const hwModel* model, hwArena* arena, hwWork* work) {
    if (!model->sleeps) return;
    work->lively = HW_TAKE(arena, uint8_t, model->forest.linkCount);
    work->borne = HW_TAKE(arena, uint8_t, model->forest.linkCount);
    work->group = HW_TAKE(arena, int, model->forest.linkCount);
}

static const hwPart* FindRestless(const hwModel* model) {
    for (int i = 0; i < model->partCount; ++i) {
        if (!model->parts[i]->rests && model->parts[i]->keepAwake == NULL) return model->parts[i];
    }
    return NULL;
}

void hwSleep_Tell(const hwWorld* world) {
    const hwPart* part = world->model.sleeps ? FindRestless(&world->model) : NULL;
    if (part != NULL)
        hwWorld_Log(world, HW_LOG_WARNING, "solver: no body falls asleep in a world with %s", part->name);
}

// Waking -------------------------------------------------------------------------------------------------------------------

static void WakeIsland(const hwSleepState* sleep, int links, int32_t island) {
    for (int i = 0; i < links; ++i) {
        if (sleep->island[i] != island) continue;
        sleep->island[i] = 0;
        sleep->rest[i] = 0.0;
    }
}

static void TellParts(const hwWorld* world) {
    world->work->isCurrent = false;
    world->work->couplingsStale = true;
    HW_EACH_PART(world, part, sleepersChanged) part->sleepersChanged(world);
}

void hwSleep_Wake(const hwWorld* world, int link) {
    if (!hwState_IsAsleep(&world->state, link)) return;
    WakeIsland(&world->state.sleep, world->model.forest.linkCount, world->state.sleep.island[link]);
    TellParts(world);
}

void hwSleep_WakeAll(const hwWorld* world) {
    bool any = false;
    for (int i = 0; i < world->model.forest.linkCount && !any; ++i) any = hwState_IsAsleep(&world->state, i);
    if (!any) return;
    size_t links = (size_t)world->model.forest.linkCount;
    memset(world->state.sleep.island, 0, links * sizeof(int32_t));
    memset(world->state.sleep.rest, 0, links * sizeof(double));
    TellParts(world);
}

// Which links something acts on that may move them; those wake.
void hwSleep_Begin(hwWorld* world) {
    const hwSleepState* sleep = &world->state.sleep;
    if (sleep->island == NULL) return;
    const hwForest* forest = &world->model.forest;
    uint8_t* lively = world->work->lively;
    bool restless = FindRestless(&world->model) != NULL;
    memset(lively, restless ? 1 : 0, (size_t)forest->linkCount);
    HW_EACH_PART(world, part, keepAwake) part->keepAwake(world, lively);
    bool woken = false;
    for (int i = 0; i < forest->linkCount; ++i) {
        if (!lively[i] || !hwState_IsAsleep(&world->state, i)) continue;
        WakeIsland(sleep, forest->linkCount, sleep->island[i]);
        woken = true;
    }
    if (woken) TellParts(world);
}

void hwSleep_ClearRows(const hwWorld* world, double* x) {
    const hwForest* forest = &world->model.forest;
    for (int i = 0; world->state.sleep.island != NULL && i < forest->linkCount; ++i) {
        if (world->state.sleep.island[i] == 0) continue;
        const hwLink* link = &forest->links[i];
        memset(x + link->freedom, 0, (size_t)hwJoint_CountFreedoms(link->joint) * sizeof(double));
    }
}

// Falling asleep -----------------------------------------------------------------------------------------------------------

int hwSleep_FindGroup(int* group, int link) {
    while (group[link] != link) {
        group[link] = group[group[link]];
        link = group[link];
    }
    return link;
}

void hwSleep_Join(int* group, int a, int b) {
    int first = hwSleep_FindGroup(group, a), second = hwSleep_FindGroup(group, b);
    group[first > second ? first : second] = first < second ? first : second;
}

static double GetSize(const hwLinkData* link, hwWideSpatial motion) {
    return hwLinkData_GetSize(link, hwWide_Dot(motion.l, motion.l), hwWide_Dot(motion.a, motion.a));
}

// Slow enough. What swings is slow where it turns round: links of mechanisms must not be about to get faster, either.
static bool RestsNow(const hwWorld* world, int i, double speed, double time) {
    const hwForest* forest = &world->model.forest;
    const hwForestWork* work = &world->work->forest;
    const hwLinkData* link = &forest->data[i];
    const double* v = world->state.v + link->freedom;
    if (hwForest_IsFreeBody(forest, i))
        return hwLinkData_GetSize(link, v[0] * v[0] + v[1] * v[1] + v[2] * v[2],
                                  v[3] * v[3] + v[4] * v[4] + v[5] * v[5]) <= link->mass * speed * speed;
    double faster = TURNING * speed / time;
    return GetSize(link, work->motion[i].v) <= link->mass * speed * speed &&
           GetSize(link, work->a[i]) <= link->mass * faster * faster;
}

// Links of one tree rest together, and one that stands on something fixed is borne by it.
static void JoinTrees(const hwWorld* world) {
    hwWork* work = world->work;
    for (int i = 0; i < world->model.forest.linkCount; ++i) {
        const hwLink* link = &world->model.forest.links[i];
        if (!world->model.links[i].active || (link->joint == HW_LINK_FREE && link->parent < 0)) continue;
        if (hwModel_IsStill(&world->model, link->parent)) {
            work->borne[i] = link->joint != HW_LINK_FREE;
        } else if (world->model.links[link->parent].active) {
            hwSleep_Join(work->group, i, link->parent);
        } else {
            work->lively[i] = 1;
        }
    }
}

// Seconds for which each link has rested. True: some have long enough.
static bool CountRest(const hwWorld* world, double h) {
    const hwForest* forest = &world->model.forest;
    const hwSolverDef* solver = &world->def.solver;
    double speed = solver->restSpeed > 0.0 ? solver->restSpeed : REST_SPEED;
    double time = solver->restTime > 0.0 ? solver->restTime : REST_TIME;
    const hwSleepState* sleep = &world->state.sleep;
    bool any = false;
    if (world->model.hasJoints) {
        hwWorld_ComputeLinkMotion(world, &hwMode_running, world->state.header->time, world->state.q,
                                  world->state.v);
        hwForest_ComputeAccelerations(forest, world->state.a, &world->work->forest);
    }
    for (int i = 0; i < forest->linkCount; ++i) {
        if (sleep->island[i] != 0) continue;
        if (!world->model.links[i].active) world->work->lively[i] = 1;
        if (world->work->lively[i] || !RestsNow(world, i, speed, time)) {
            sleep->rest[i] = 0.0;
            continue;
        }
        sleep->rest[i] = sleep->rest[i] + h;
        any = any || sleep->rest[i] >= time;
    }
    if (!any) return false;
    for (int i = 0; i < forest->linkCount; ++i)
        world->work->lively[i] = world->work->lively[i] || !(sleep->rest[i] >= time);
    return true;
}

// What is left of the motion of a link, which is taken out.
static double StopLink(const hwWorld* world, int link) {
    const hwLinkMotion* m = &world->work->forest.motion[link];
    double energy = 0.5 * hwWideSpatial_Dot(m->v, hwWideSym_Mul(&world->work->inertia[link], m->v));
    const hwLink* l = &world->model.forest.links[link];
    for (int i = l->freedom; i < l->freedom + hwJoint_CountFreedoms(l->joint); ++i) {
        energy += 0.5 * (world->work->jointInertia[i] - world->work->jointVirtual[i]) * world->state.v[i] *
                  world->state.v[i];
        world->state.v[i] = world->state.a[i] = 0.0;
    }
    return energy;
}

void hwSleep_Finish(hwWorld* world, double h) {
    const hwSleepState* sleep = &world->state.sleep;
    if (sleep->island == NULL || !world->def.solver.sleep || !CountRest(world, h)) return;
    hwWork* work = world->work;
    int links = world->model.forest.linkCount;
    for (int i = 0; i < links; ++i) {
        work->borne[i] = 0;
        work->group[i] = i;
    }
    JoinTrees(world);
    HW_EACH_PART(world, part, joinSleepers) part->joinSleepers(world);
    for (int i = 0; i < links; ++i) {
        int first = hwSleep_FindGroup(work->group, i);
        work->lively[first] = work->lively[first] || work->lively[i];
        work->borne[first] = work->borne[first] || work->borne[i];
    }
    double left = 0.0;
    bool any = false;
    for (int i = 0; i < links; ++i) {
        int first = hwSleep_FindGroup(work->group, i);
        if (sleep->island[i] != 0 || work->lively[first] || !work->borne[first]) continue;
        if (!any)
            hwWorld_ComputeLinkMotion(world, &hwMode_running, world->state.header->time, world->state.q,
                                      world->state.v);
        any = true;
        left += StopLink(world, i);
        sleep->island[i] = first + 1;
    }
    if (!any) return;
    *sleep->stilled += left;
    hwStateHeader* header = world->state.header;
    header->mechanicalEnergy -= left;
    header->conserved -= left;
    header->stored -= left;
    TellParts(world);
}

// Calls --------------------------------------------------------------------------------------------------------------------

bool hwBody_IsAwake(const hwWorld* world, hwBodyId id) {
    const hwBodyObject* body = hwWorld_GetBody(world, id);
    return body != NULL && !(world->prepared && hwState_IsAsleep(&world->state, body->link));
}

hwStatus hwBody_Wake(hwWorld* world, hwBodyId id, hwError* error) {
    hwClearError(error);
    const hwBodyObject* body = hwWorld_GetBody(world, id);
    if (body == NULL)
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "the handle does not refer to a body of this world");
    hwStatus status = hwWorld_RequirePrepared(world, error);
    if (status == HW_OK) hwSleep_Wake(world, body->link);
    return status;
}
