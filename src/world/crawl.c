// Steps that collapse. Errors alone make steps no shorter than a bound (solver.followed); what makes them shorter still is that
// the equations of a step have no solution that Newton's method finds, that energy would come from nothing, or that something
// would pass through something else. Where that goes on and a run would crawl, the object and the force that limit the steps are named, and
// hwSolverDef.crawl decides: go on, with Newton's method content with what a step's own error allows, or stop. A fast spin, which
// errors do follow in steps as short as it asks for, crawls as well, but with the same convergence test.
#include "world/cable_slots.h"
#include "world/part.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW 500    // attempts over which the pace is measured
#define SHORTER 20.0  // times shorter than errors ask for: it crawls
#define SHORTEST 1e-6 // s: it crawls, where errors may ask for any step
#define OVER 10.0     // times that pace: it does not crawl any more
#define TOLD_AGAIN 30 // windows that crawl, until it is told once more, and three times that after it

// What acts on a link that moves freely: the cable that pulls hardest at it, or else the joints of what hangs on it.
static void DescribePull(const hwWorld* world, int link, char* text, size_t size) {
    const hwCablesModel* cables = world->model.cables;
    const char* puller = NULL;
    double most = 0.0;
    for (int i = 0; cables != NULL && i < cables->count; ++i) {
        if (world->state.cables->stores[i].core->nodes < 2) continue; // not cut off yet
        for (int end = 0; end < 2; ++end) {
            if (world->state.cables->stores[i].ends[end].link != link) continue;
            hwVec3 force, moment;
            cables->slots[i].ops->getEndLoad(world, i, end, &force, &moment);
            if (hwLength(force) > most) puller = cables->slots[i].name, most = hwLength(force);
        }
    }
    if (puller != NULL)
        snprintf(text, size, "the pull of %s, %.2g N", puller, most);
    else if (!world->model.forest.data[link].leaf)
        snprintf(text, size, "drives, stops and friction of the joints on it");
    else
        snprintf(text, size, "what pulls and pushes it");
}

// What acts on a freedom: what the object touches there, or else what it is made of.
static void DescribeForce(const hwWorld* world, int freedom, const hwFreedomName* name, char* text,
                          size_t size) {
    const hwContactView* views;
    int count = hwWorld_GetContacts(world, &views);
    const hwContactView* hardest = NULL;
    for (int i = 0; i < count; ++i) {
        bool a = strcmp(views[i].a, name->object) == 0, b = strcmp(views[i].b, name->object) == 0;
        if (!a && !b) continue;
        int element = a ? views[i].elementA : views[i].elementB;
        if (name->node >= 0 && element >= 0 && abs(element - name->node) > 1) continue;
        if (hardest == NULL || hwLength(views[i].force) > hwLength(hardest->force)) hardest = &views[i];
    }
    if (hardest != NULL) {
        bool a = strcmp(hardest->a, name->object) == 0;
        snprintf(text, size, "%s contact with %s", hardest->sliding ? "sliding" : "sticking",
                 a ? hardest->b : hardest->a);
        return;
    }
    if (freedom >= world->model.forest.freedomCount) {
        snprintf(text, size, "%s", name->node >= 0 ? "tension and bending" : "what runs over it");
        return;
    }
    for (int i = 0; i < world->model.forest.linkCount; ++i) {
        const hwLink* link = &world->model.forest.links[i];
        if (freedom < link->freedom || freedom >= link->freedom + hwJoint_CountFreedoms(link->joint))
            continue;
        if (link->joint == HW_LINK_FREE)
            DescribePull(world, i, text, size);
        else
            snprintf(text, size, "drive, stops and friction of its joint");
    }
}

// s: 1 / sqrt(K / M) of the freedom by itself, at the state; 0: nothing holds it.
static double GetTimeScale(const hwWorld* world, int freedom) {
    hwWork* work = world->work;
    const hwState* state = &world->state;
    size_t bytes = (size_t)world->model.freedomCount * sizeof(double);
    // in a stage stiffness is known together with damping only
    hwEvaluation now = {.time = state->header->time,
                        .q = state->q,
                        .v = state->v,
                        .zBase = state->z,
                        .matrix = true,
                        .mode = hwMode_running};
    hwWorld_Evaluate(world, &now);
    memset(work->known, 0, bytes);
    work->known[freedom] = 1.0;
    memset(work->estimate, 0, bytes);
    memset(work->residual, 0, bytes);
    hwWorld_MultiplyMass(world, work->known, work->estimate);
    hwWorld_MultiplyStiffness(world, work->known, work->residual);
    double mass = work->estimate[freedom], stiffness = work->residual[freedom];
    return mass > 0.0 && stiffness > 0.0 ? sqrt(mass / stiffness) : 0.0;
}

// The freedom that the last correction of Newton's method moved most, of its own velocity.
static int FindWorst(const hwWorld* world) {
    const hwWork* work = world->work;
    int worst = 0;
    double most = -1.0;
    for (int i = 0; i < work->freedomsInUse; ++i) {
        double size = fabs(work->step[i]) / (fabs(work->v[i]) + HW_SLOWEST);
        if (!(size <= most)) worst = i, most = size;
        if (isnan(size)) break;
    }
    return worst;
}

void hwCrawl_NoteError(hwWorld* world) {
    const hwWork* work = world->work;
    int worst = 0;
    for (int i = 1; i < work->freedomsInUse; ++i)
        if (fabs(work->estimate[i]) > fabs(work->estimate[worst])) worst = i;
    world->work->crawl.freedom = worst;
}

static const char* const reasons[] = {[HW_STEP_GOOD] = "errors of its motion ask for them",
                                      [HW_STEP_UNSOLVED] = "Newton's method does not converge",
                                      [HW_STEP_GAINED] = "energy would come from nothing",
                                      [HW_STEP_CUT] = "something would pass through it"};

// Where a spin alone asks for steps as short as they are.
static void DescribeSpin(const hwWorld* world, double pace, const hwPace* wished, char* text, size_t size,
                         hwFreedomName* name) {
    int freedom = world->model.forest.links[wished->spin].freedom;
    *name = hwWorld_NameFreedom(world, freedom);
    char force[120];
    DescribeForce(world, freedom, name, force, sizeof(force));
    bool tumbles = world->state.header->treeDoubt > 0.0;
    snprintf(text, size,
             "%s: steps have fallen to %.2g s at %.6g s, %.2g times shorter than the %.2g s that would do "
             "without its spin: %.3g rad/s, %.2g rad in a step%s (%s: %s)",
             name->object, pace, world->state.header->time, wished->usual / pace, wished->usual, wished->rate,
             wished->rate * pace, tumbles ? ", and longer ones would change the energy of its tree" : "",
             name->part, force);
}

static void DescribeLimit(const hwWorld* world, double pace, double wanted, char* text, size_t size,
                          hwFreedomName* name) {
    const hwCrawl* crawl = &world->work->crawl;
    int trouble = 0;
    for (int i = 1; i < 4; ++i)
        if (crawl->troubles[i] > crawl->troubles[trouble] || (trouble == 0 && crawl->troubles[i] > 0))
            trouble = i;
    *name = hwWorld_NameFreedom(world, crawl->freedom);
    char force[120], scale[80] = "";
    DescribeForce(world, crawl->freedom, name, force, sizeof(force));
    double own = GetTimeScale(world, crawl->freedom);
    if (own > 0.0)
        snprintf(scale, sizeof(scale), "; its own time scale is %.2g s, %.2g of those", own, own / wanted);
    snprintf(text, size,
             "%s: steps have fallen to %.2g s at %.6g s, %.2g times shorter than the %.2g s that follow the "
             "motion: "
             "%s (%s: %s)%s",
             name->object, pace, world->state.header->time, wanted / pace, wanted, reasons[trouble],
             name->part, force, scale);
}

static hwStatus DecideOnCrawl(hwWorld* world, double pace, const hwPace* wished, bool spins, hwError* error) {
    hwCrawl* crawl = &world->work->crawl;
    bool stops = world->def.solver.crawl == HW_CRAWL_STOP;
    crawl->windows += 1;
    if (crawl->windows < crawl->tellAt && !stops) return HW_OK;
    crawl->tellAt = crawl->tellAt == 0 ? TOLD_AGAIN : 3 * crawl->tellAt;
    char text[500];
    hwFreedomName name;
    if (spins)
        DescribeSpin(world, pace, wished, text, sizeof(text), &name);
    else
        DescribeLimit(world, pace, hwFmax(wished->shortest, SHORTEST), text, sizeof(text), &name);
    world->work->isCurrent = false;
    if (!stops) {
        hwWorld_Log(world, HW_LOG_WARNING, "%s; it goes on%s", text,
                    spins ? "" : " with a looser convergence test");
        return HW_OK;
    }
    hwStatus status = hwFail(error, HW_ERROR_NUMERIC, name.object, "%s", text);
    hwFail_At(error, name.node, world->state.header->time);
    hwFail_Hint(error, "soften or damp what it names, or let it go on: `solver: {crawl: go_on}`");
    return status;
}

hwStatus hwCrawl_Note(hwWorld* world, hwStepTrouble trouble, const hwPace* wished, hwError* error) {
    hwCrawl* crawl = &world->work->crawl;
    hwStateHeader* header = world->state.header;
    crawl->troubles[trouble] += 1;
    if (trouble == HW_STEP_UNSOLVED || trouble == HW_STEP_GAINED) crawl->freedom = FindWorst(world);
    if (header->crawlAttempts == 0) header->crawlSince = header->time;
    header->crawlAttempts += 1;
    if (header->crawlAttempts < WINDOW) return HW_OK;
    double pace = (header->time - header->crawlSince) / WINDOW;
    double limit = hwFmax(wished->shortest / SHORTER, SHORTEST);
    bool crawls = pace < limit, spins = !crawls && wished->spin >= 0 && pace < wished->usual / SHORTER;
    header->crawlAttempts = 0;
    // what has become fast by a looser convergence test would be slow again by the strict one
    header->crawls = crawls || (header->crawls && pace < OVER * limit);
    hwStatus status = crawls || spins ? DecideOnCrawl(world, pace, wished, spins, error) : HW_OK;
    memset(crawl->troubles, 0, sizeof(crawl->troubles));
    return status;
}
