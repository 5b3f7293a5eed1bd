// Cables at rest, each with its ends where they are: what the search for the world's equilibrium starts from. A chain
// that starts straight and slack is far from any shape that Newton's method on the whole world could begin with.
#include "parts/cables/cables.h"

#include <math.h>
#include <string.h>

#define FIRST_LOCK 1e-3        // of a restrictor's stiffness, when it is brought in little by little
#define LOCK_GROWTH 4.0        // from one try to the next
#define LEAST_LOCK_GROWTH 1.05 // below which nothing is to be hoped for

typedef struct Site {
    const hwWorld* world;
    int slot;
    const hwEvaluation* evaluation;
} Site;

static void Sample(void* context, const hwCableState* state) {
    Site* site = context;
    (void)state;
    hwCables_Sample(site->world, site->slot, site->evaluation);
}

static void Load(void* context, hwCableWork* work, const hwCableState* state) {
    Site* site = context;
    (void)work;
    hwCables_Load(site->world, site->slot, site->evaluation->time);
    hwCableContact unused = {0};
    hwWorld_FindContacts(site->world, &site->evaluation->mode, HW_INSTANT, false);
    hwCables_Touch(site->world, &site->evaluation->mode, site->slot, state, &unused);
}

static bool IsStopped(void* context) {
    const Site* site = context;
    return hwWorld_IsStopped(site->world);
}

static double Limit(void* context, const hwCableState* state, const hwVec3* step) {
    Site* site = context;
    double part = 1.0;
    HW_EACH_HOOK(site->world, each, limitMove)
    part = hwFmin(part, each->cables->limitMove(site->world, site->slot, state, step));
    return part;
}

#define MANY_ITERATIONS 600 // ten times those of a search that goes well
#define MANY_MOVES 1e6      // of nodes: a second, ten times what a line of 2,000 elements takes
#define TIGHT 1e-9          // error of a link's length, relative, that statics leaves
#define LINK_STIFFNESS 1e3  // over the cable's weight, of links that come to their length during statics

double hwCables_GetLinkPenalty(const hwWorld* world, const hwMode* mode, int slot) {
    const hwCableModel* model = &world->model.cables->slots[slot].model;
    if (!mode->settling || !(model->pid.ki > 0.0)) return 0.0;
    const hwCableStore* store = &world->state.cables->stores[slot];
    double mass = hwCableModel_GetMass(model, store->material[0], store->material[store->core->nodes - 1]);
    double gravity = hwEnvironment_GetDef(world->environment)->gravity;
    return hwFmax(LINK_STIFFNESS * mass * hwFmax(gravity, 1.0), model->pid.kp);
}

// With a controller that has an integral part links are at their length when at rest. Its integrals are the multipliers
// of that constraint, found by the method of multipliers (Hestenes 1969).
bool hwCables_Tighten(hwWorld* world, const hwMode* mode) {
    bool off = false;
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        const hwCableSlot* cable = &world->model.cables->slots[slot];
        const hwCableWork* work = &world->work->cables->tools[slot].work;
        double stiffness = hwCables_GetLinkPenalty(world, mode, slot) + cable->model.pid.kp;
        if (cable->integral < 0 || !(cable->model.pid.ki > 0.0) ||
            world->state.cables->stores[slot].core->nodes < 2)
            continue;
        for (int e = 0; e < work->nodes - 1; ++e) {
            off = off || fabs(work->linkError[e]) > TIGHT;
            world->state.z[cable->integral + e] += stiffness / cable->model.pid.ki * work->linkError[e];
        }
    }
    return off;
}

bool hwCables_Soften(hwWorld* world, double stiffness) {
    bool whole = true;
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        hwCableModel* model = &world->model.cables->slots[slot].model;
        const hwCableTools* tools = &world->work->cables->tools[slot];
        if (!hwWorld_HasNodes(world, slot)) continue;
        double stiffest = 0.0;
        for (int i = 0; i < model->sectionCount; ++i) stiffest = hwFmax(stiffest, model->sections[i].EA);
        model->axialScale = stiffest > stiffness ? stiffness / stiffest : 1.0;
        whole = whole && model->axialScale == 1.0;
        hwCableWork_Refresh(&world->work->cables->tools[slot].work, model, &tools->state);
    }
    return whole;
}

// Says once what makes a search long.
static void TellLong(const hwWorld* world, int slot, int iterations) {
    hwCableTools* tools = &world->work->cables->tools[slot];
    if (tools->longTold || iterations < MANY_ITERATIONS ||
        (double)iterations * tools->work.nodes < MANY_MOVES)
        return;
    tools->longTold = true;
    hwWorld_Log(
        world, HW_LOG_WARNING,
        "statics of %s by itself takes more than ten times as long as usual, %d iterations: little holds "
        "its nodes, "
        "slack or on the bottom; fewer elements or a `shape` nearer to the rest are faster",
        world->model.cables->slots[slot].name, iterations);
}

static hwStatus SolveLocked(hwWorld* world, int slot, double lockScale, hwCableStatics* statics) {
    hwCableTools* tools = &world->work->cables->tools[slot];
    hwCableModel* model = &world->model.cables->slots[slot].model;
    model->lockScale = lockScale;
    hwCableWork_Refresh(&tools->work, model, &tools->state);
    return hwCableWork_SolveStatics(&tools->work, &tools->state, &tools->input, statics, NULL);
}

// The rest of a cable whose restrictors resist first not at all and then more and more, each time from the shape before: the
// joints that lock change by few at a time, which Newton's method follows. The step is shortened where it does not.
static hwStatus LockStepwise(hwWorld* world, int slot, hwCableStatics* statics) {
    hwCableTools* tools = &world->work->cables->tools[slot];
    size_t bytes = (size_t)tools->work.nodes * sizeof(hwVec3);
    hwVec3* reached = hwAllocate(&world->allocator, bytes);
    if (reached == NULL) return HW_ERROR_MEMORY;
    hwStatus status = SolveLocked(world, slot, 0.0, statics);
    double scale = 0.0, growth = LOCK_GROWTH;
    while (status == HW_OK && scale < 1.0 && !hwWorld_IsStopped(world)) {
        memcpy(reached, tools->state.position, bytes);
        double next = hwFmin(1.0, scale > 0.0 ? growth * scale : FIRST_LOCK);
        status = SolveLocked(world, slot, next, statics);
        if (status == HW_OK) {
            scale = next;
        } else if (scale > 0.0 && growth > LEAST_LOCK_GROWTH) {
            growth = sqrt(growth);
            memcpy(tools->state.position, reached, bytes);
            status = HW_OK;
        }
    }
    hwRelease(&world->allocator, reached);
    world->model.cables->slots[slot].model.lockScale = 1.0;
    hwCableWork_Refresh(&tools->work, &world->model.cables->slots[slot].model, &tools->state);
    return status;
}

void hwCables_Settle(hwWorld* world, const hwMode* mode, double tolerance) {
    hwState* state = &world->state;
    if (world->model.cables->count == 0) return;
    // with the velocities at zero, places the ends and fills what the cables are given
    memset(world->work->v, 0, (size_t)world->model.freedomCount * sizeof(double));
    hwEvaluation rest = {
        .time = state->header->time, .q = state->q, .v = world->work->v, .zBase = state->z, .mode = *mode};
    hwWorld_Evaluate(world, &rest);
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        hwCableTools* tools = &world->work->cables->tools[slot];
        if (!hwWorld_HasNodes(world, slot)) continue;
        Site site = {world, slot, &rest};
        hwCableStatics statics = {.tolerance = tolerance,
                                  .sample = Sample,
                                  .stop = IsStopped,
                                  .load = Load,
                                  .limit = world->model.cablesTouch ? Limit : NULL,
                                  .context = &site,
                                  .seabed = hwWorld_MeetsBottom(world, slot) ? &tools->seabed : NULL};
        size_t nodes = (size_t)state->cables->stores[slot].core->nodes;
        double twist = state->cables->stores[slot].core->twist;
        memcpy(tools->scratch, tools->state.position, nodes * sizeof(hwVec3));
        hwStatus status =
            hwCableWork_SolveStatics(&tools->work, &tools->state, &tools->input, &statics, NULL);
        if (status != HW_OK && world->model.cables->slots[slot].model.locks) {
            memcpy(tools->state.position, tools->scratch, nodes * sizeof(hwVec3));
            status = LockStepwise(world, slot, &statics);
        }
        TellLong(world, slot, statics.iterations);
        if (status == HW_OK) continue;
        // a cable that nothing holds has no equilibrium of its own
        memcpy(tools->state.position, tools->scratch, nodes * sizeof(hwVec3));
        memcpy(tools->state.anchor, tools->scratch, nodes * sizeof(hwVec3));
        state->cables->stores[slot].core->twist = twist;
    }
}

double hwCables_GetForceScale(const hwWorld* world, double tolerance) {
    double scale = 0.0, gravity = hwEnvironment_GetDef(world->environment)->gravity;
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        if (world->state.cables->stores[slot].core->nodes < 2) continue;
        const hwCableTools* tools = &world->work->cables->tools[slot];
        const double* material = tools->state.material;
        int last = tools->work.nodes - 1;
        double mass =
            hwCableModel_GetMass(&world->model.cables->slots[slot].model, material[0], material[last]);
        scale = hwFmax(scale, mass * gravity);
        scale = hwFmax(scale, world->model.cables->slots[slot].ops->getForceScale(world, slot, tolerance));
    }
    return scale;
}
