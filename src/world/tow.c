// Steady tows in statics. What moves together with a constant velocity U is at rest in axes that go along: forces depend on
// velocities only through the water and the air, which flow past with U less. So statics keeps everything at rest,
// takes U off the flow (parts/fluid, parts/cables), and gives everything U when it has found the rest.
//
// What belongs together is what cables and joints connect. U is that of the bodies and ends with a given motion on which it
// hangs: of that motion only constants, ramps and tables count, sines (heave, surge) come to rest. Without one velocity
// that all of them have, and keep for a while, there is no tow.
#include "world/cable_slots.h"
#include "world/part.h"

#include <math.h>
#include <string.h>

#define LASTS 10.0       // s: a velocity that has changed by then is not that of a tow,
#define MOMENTS 4        // looked at so often until then
#define SAME 1e-6        // of its size: two velocities are one
#define SLOWEST_TOW 1e-6 // m/s

static bool IsSame(hwVec3 a, hwVec3 b) {
    return hwDistance(a, b) <= SAME * hwFmax(hwLength(a), hwLength(b)) + SLOWEST_TOW;
}

// The rate of a signal without its sines.
static hwVec3 GetSteadyRate(const hwSignal* signal, double time) {
    hwVec3 rate = hwVec3_zero;
    for (int i = 0; i < signal->termCount; ++i) {
        if (signal->terms[i].kind == HW_SIGNAL_SINE) continue;
        hwSignal term = {1, &signal->terms[i]};
        rate = hwAdd(rate, hwSignal_Evaluate(&term, time).rate);
    }
    return rate;
}

// The velocity that a signal has now and keeps; zero: none.
static hwVec3 FindVelocity(const hwSignal* signal, double time) {
    if (!hwSignal_IsPresent(signal)) return hwVec3_zero;
    hwVec3 now = GetSteadyRate(signal, time);
    for (int i = 1; i <= MOMENTS; ++i) {
        hwVec3 then = GetSteadyRate(signal, time + LASTS * i / MOMENTS);
        if (!IsSame(now, then)) return hwVec3_zero;
    }
    return hwLength(now) > SLOWEST_TOW ? now : hwVec3_zero;
}

// Sets of links and cables: each member names another one of its set, one of them itself.
static int FindRoot(int* sets, int member) {
    while (sets[member] != member) member = sets[member] = sets[sets[member]];
    return member;
}

static void UniteSets(int* sets, int a, int b) {
    sets[FindRoot(sets, a)] = FindRoot(sets, b);
}

// The velocity of a link without freedoms: of what it is fixed to.
static hwVec3 FindLinkVelocity(const hwWorld* world, int link) {
    const hwForest* forest = &world->model.forest;
    while (forest->links[link].joint != HW_LINK_DRIVEN && forest->links[link].parent >= 0)
        link = forest->links[link].parent;
    const hwBodyDef* def = &world->model.links[link].body->def;
    if (forest->links[link].joint != HW_LINK_DRIVEN || def->motion != HW_MOTION_PRESCRIBED)
        return hwVec3_zero;
    // what turns steadily is no tow
    double time = world->state.header->time;
    if (hwLength(FindVelocity(&def->prescribedAttitude, time)) > 0.0) return hwVec3_zero;
    return FindVelocity(&def->prescribedPosition, time);
}

typedef struct Tows {
    hwWorld* world;
    int links, cables;
    int* sets;            // [link + cable]
    hwVec3* velocity;     // [link + cable] of a set, at its root
    unsigned char* known; // likewise: 1: it has one, 2: not all have the same
} Tows;

static void SetTowVelocity(Tows* t, int member, hwVec3 velocity) {
    int root = FindRoot(t->sets, member);
    if (t->known[root] == 0) {
        t->velocity[root] = velocity;
        t->known[root] = 1;
    } else if (!IsSame(t->velocity[root], velocity)) {
        t->known[root] = 2;
    }
}

// Joins what is connected; what hangs on something of given motion takes its velocity in the second pass.
static void VisitConnections(Tows* t, bool hanging) {
    const hwWorld* world = t->world;
    const hwForest* forest = &world->model.forest;
    const double* free = world->work->v1; // 0: held, see hwWorld_FindTow
    for (int i = 0; i < t->links; ++i) {
        if (forest->data[i].grounded) continue;
        int parent = forest->links[i].parent;
        if (parent >= 0 && !forest->data[parent].grounded && !hanging) UniteSets(t->sets, i, parent);
        if (!hanging) continue;
        if (parent >= 0 && forest->data[parent].grounded)
            SetTowVelocity(t, i, FindLinkVelocity(world, parent));
        bool onEarth = parent < 0 && forest->links[i].joint != HW_LINK_FREE;
        bool held = forest->links[i].joint == HW_LINK_FREE && free[forest->links[i].freedom] == 0.0;
        if (onEarth || held) SetTowVelocity(t, i, hwVec3_zero);
    }
    for (int slot = 0; slot < t->cables; ++slot) {
        const hwCableStore* store = &world->state.cables->stores[slot];
        if (store->core->nodes < 2) continue;
        const hwCableDef* def = &world->model.cables->slots[slot].object->def;
        for (int e = 0; e < 2; ++e) {
            const hwEndState* end = &store->ends[e];
            if (end->joint == HW_ATTACH_FREE) continue;
            bool moves = end->link >= 0 && !forest->data[end->link].grounded;
            if (moves && !hanging) UniteSets(t->sets, t->links + slot, end->link);
            if (moves || !hanging) continue;
            hwVec3 velocity = hwVec3_zero;
            if (end->link >= 0) velocity = FindLinkVelocity(world, end->link);
            if (end->link < 0 && end->path)
                velocity = FindVelocity(&def->ends[e].path, world->state.header->time);
            SetTowVelocity(t, t->links + slot, velocity);
        }
    }
}

static const char* GetName(const Tows* t, int member) {
    if (member >= t->links) return t->world->model.cables->slots[member - t->links].name;
    return t->world->model.links[member].body->def.name;
}

// What goes how fast, and what does not; one line for each set, by its first member.
static void ReportTows(const Tows* t, unsigned char* told) {
    for (int i = 0; i < t->links + t->cables; ++i) {
        int root = FindRoot(t->sets, i);
        hwVec3 v = t->velocity[root];
        if (t->known[root] == 0 || told[root] || (t->known[root] == 1 && hwLength(v) == 0.0)) continue;
        bool grounded = i < t->links && t->world->model.forest.data[i].grounded;
        bool absent = i >= t->links && t->world->state.cables->stores[i - t->links].core->nodes < 2;
        if (grounded || absent) continue;
        told[root] = 1;
        if (t->known[root] == 1) {
            hwWorld_Log(t->world, HW_LOG_INFO,
                        "statics: %s and all that is connected with it start in a steady tow, "
                        "(%.4g, %.4g, %.4g) m/s",
                        GetName(t, i), v.x, v.y, v.z);
        } else {
            hwWorld_Log(
                t->world, HW_LOG_WARNING,
                "statics: %s hangs between things that do not move with one constant velocity; it starts "
                "at rest, not in a steady tow",
                GetName(t, i));
        }
    }
}

hwStatus hwWorld_FindTow(hwWorld* world, bool* towed, hwError* error) {
    hwWork* work = world->work;
    Tows t = {.world = world, .links = world->model.forest.linkCount, .cables = world->model.cables->count};
    size_t count = (size_t)t.links + (size_t)t.cables;
    *towed = false;
    if (count == 0) return HW_OK;
    void* block = hwAllocate(&world->allocator, count * (sizeof(hwVec3) + sizeof(int) + 2));
    if (block == NULL) return hwFail_Memory(error, NULL);
    memset(block, 0, count * (sizeof(hwVec3) + sizeof(int) + 2));
    t.velocity = block;
    t.sets = (int*)(void*)(t.velocity + count);
    t.known = (unsigned char*)(t.sets + count);
    for (int i = 0; i < (int)count; ++i) t.sets[i] = i;
    for (int i = 0; i < world->model.freedomCount; ++i) work->v1[i] = 1.0;
    HW_EACH_PART(world, part, hold) part->hold(world, work->v1);
    VisitConnections(&t, false);
    VisitConnections(&t, true);
    for (int i = 0; i < (int)count; ++i) {
        int root = FindRoot(t.sets, i);
        hwVec3 v = t.known[root] == 1 ? t.velocity[root] : hwVec3_zero;
        if (i < t.links) {
            work->tow[i] = v;
        } else {
            world->work->cables->tools[i - t.links].tow = v;
        }
        *towed = *towed || hwLength(v) > 0.0;
    }
    ReportTows(&t, t.known + count);
    hwRelease(&world->allocator, block);
    return HW_OK;
}

// Velocities of the tows at their freedoms.
static void GiveVelocities(const hwWorld* world, double* velocities) {
    const hwForest* forest = &world->model.forest;
    for (int i = 0; i < forest->linkCount; ++i) {
        if (forest->links[i].joint != HW_LINK_FREE) continue;
        double* v = velocities + forest->links[i].freedom;
        v[0] = world->work->tow[i].x, v[1] = world->work->tow[i].y, v[2] = world->work->tow[i].z;
    }
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        hwVec3 tow = world->work->cables->tools[slot].tow;
        double* v = velocities + world->model.cables->slots[slot].freedom;
        for (int i = 0; i < world->state.cables->stores[slot].core->nodes; ++i)
            v[3 * i] = tow.x, v[3 * i + 1] = tow.y, v[3 * i + 2] = tow.z;
    }
}

void hwWorld_StartTow(hwWorld* world) {
    GiveVelocities(world, world->state.v);
}

bool hwWorld_IsTowed(const hwWorld* world) {
    double* v = world->work->v1;
    size_t bytes = (size_t)world->model.freedomCount * sizeof(double);
    memset(v, 0, bytes);
    GiveVelocities(world, v);
    bool any = false, same = true;
    for (int i = 0; i < world->model.freedomCount; ++i) {
        any = any || v[i] != 0.0;
        same = same && v[i] == world->state.v[i];
    }
    return any && same;
}
