#include "world/islands.h"

#include "api/step_events.h"
#include "world/cable_slots.h"

#include <math.h>
#include <string.h>

#define LONGEST 10.0  // s that islands go without a common time
#define SHORTEST 0.05 // s, below which it does not pay
// A node's room: so many times the way that the fastest node of its cable would go, and a part of the shortest element.
#define WAY 2.0
#define ROOM 0.1

typedef struct Island {
    hwWorld
        world; // of one cable; pointers lead into this struct, the islands' block and the whole world's slot
    hwCablesModel cables;
    hwCableSlot slot;
    hwCablesState cablesState;
    hwCablesWork cablesWork;
    hwIncidentsState incidentsState;
    hwIncidentStore incidents; // since the last common time, behind those that the ends still watch
    uint64_t watched;          // so many
    uint64_t numbers[2];       // of those in the whole world's store
    uint64_t merged;           // incidents that the whole world has got
    hwCableEvents events;
    hwWork work;
    int audited[3];
    int auxiliaryCount;  // in the whole world in one row, from `dissipated` on
    const hwVec3* start; // [node] where the nodes were at the last common time
    double room;         // m, as far as they may go from there
    double before;       // s, time before the last step
    double left;         // s, the last time at which all were in it; infinity: they still are
    hwStatus status;
    hwError error;
} Island;

struct hwIslands {
    int count;
    Island* items; // [slot]
    double* rooms; // [slot] m
};

// Which worlds -------------------------------------------------------------------------------------------------------------

static bool HasOwnLaw(const hwModel* model, const hwCableSlot* slot) {
    if (slot->object->def.tension != NULL) return true;
    for (int k = 0; k < model->cables->forceCount; ++k) {
        if (model->cables->forces[k]->def.function != NULL) return true;
    }
    return false;
}

// Nothing but cables moves, nothing couples them, and no law of the caller's own would be asked from several threads at once.
static bool MayHaveIslands(const hwWorld* world) {
    const hwModel* model = &world->model;
    for (int i = 0; i < model->partCount; ++i) {
        const hwPart* part = model->parts[i];
        if (!part->ofIslands && !part->aside && part->staysApart == NULL) return false;
        if (part->stepsWhole != NULL && part->stepsWhole(model)) return false;
    }
    for (int i = 0; i < model->forest.linkCount; ++i) {
        if (model->links[i].active) return false;
    }
    for (int k = 0; k < model->cables->count; ++k) {
        const hwCableSlot* slot = &model->cables->slots[k];
        if (!slot->ops->hasNodes || slot->whole >= 0 || HasOwnLaw(model, slot)) return false;
    }
    return model->cables->count > 1;
}

// Ends that wait to be caught or let go change what is held by what.
static bool IsWaiting(const hwWorld* world) {
    for (int k = 0; k < world->islands->count; ++k) {
        const hwEndWatch* watches = world->state.cables->stores[k].watches;
        if (watches[0].waits != 0 || watches[1].waits != 0) return true;
    }
    return false;
}

// Greatest speed of a cable's nodes and its shortest element.
static void MeasureCable(const hwWorld* world, int k, double* fastest, double* shortest) {
    const hwCableSlot* slot = &world->model.cables->slots[k];
    const hwCableStore* store = &world->state.cables->stores[k];
    const hwVec3* v = (const hwVec3*)(const void*)(world->state.v + slot->freedom);
    double square = 0.0;
    *shortest = HUGE_VAL;
    for (int i = 0; i < store->core->nodes; ++i) {
        square = hwFmax(square, hwLengthSquared(v[i]));
        if (i > 0) *shortest = hwFmin(*shortest, store->material[i] - store->material[i - 1]);
    }
    *fastest = sqrt(square);
}

static bool StayApart(const hwWorld* world, double time) {
    double* rooms = world->islands->rooms;
    for (int k = 0; k < world->islands->count; ++k) {
        double fastest, shortest;
        MeasureCable(world, k, &fastest, &shortest);
        rooms[k] = WAY * fastest * time + ROOM * shortest;
    }
    HW_EACH_PART(world, part, staysApart) {
        if (!part->staysApart(world, rooms)) return false;
    }
    return true;
}

double hwIslands_Plan(hwWorld* world, double end) {
    double now = world->state.header->time;
    if (world->islands == NULL || IsWaiting(world)) return now;
    if (world->observer != NULL) return now; // who watches all steps sees the whole world at each
    bool whole = end - now <= LONGEST;
    for (double time = whole ? end - now : LONGEST; time >= SHORTEST || whole; time *= 0.5) {
        if (StayApart(world, time)) return whole ? end : now + time;
        whole = false;
    }
    return now;
}

// Making them --------------------------------------------------------------------------------------------------------------

// Slices of parts beside the cables that steps write to.
static void TakeSlices(const hwModel* model, hwArena* arena, hwWork* work) {
    for (int i = 0; i < model->partCount; ++i) {
        const hwSlice slice = model->parts[i]->work;
        if (slice.size == 0 || slice.offset == offsetof(hwWork, cables)) continue;
        void *own = hwArena_Take(arena, 1, slice.size), *whole;
        if (own == NULL) continue;
        memcpy(&whole, (char*)work + slice.offset, sizeof(whole));
        memcpy(own, whole, slice.size);
        memcpy((char*)work + slice.offset, &own, sizeof(own));
    }
}

static void TakeVectors(const hwModel* model, hwArena* arena, hwState* state, hwWork* work) {
    work->freedomsInUse = model->freedomCount;
    work->idleFrom = work->idleTo = model->auxiliaryCount;
    double** coordinates[] = {&state->q, &work->q0};
    double** freedoms[] = {&state->v, &state->a,   &work->residual, &work->v0, &work->a0,
                           &work->v1, &work->a1,   &work->d1,       &work->v,  &work->a,
                           &work->d,  &work->step, &work->estimate};
    work->y = HW_TAKE(arena, double, model->coordinateCount + model->freedomCount);
    work->lots = HW_TAKE(arena, hwLot, hwModel_CountLots(model));
    work->lotCount = 0;
    double** auxiliaries[] = {&state->z, &state->zdot, &work->z,     &work->zdot,
                              &work->z0, &work->zBase, &work->zdot0, &work->zdot1};
    for (size_t i = 0; i < sizeof(coordinates) / sizeof(coordinates[0]); ++i)
        *coordinates[i] = HW_TAKE(arena, double, model->coordinateCount);
    for (size_t i = 0; i < sizeof(freedoms) / sizeof(freedoms[0]); ++i)
        *freedoms[i] = HW_TAKE(arena, double, model->freedomCount);
    for (size_t i = 0; i < sizeof(auxiliaries) / sizeof(auxiliaries[0]); ++i)
        *auxiliaries[i] = HW_TAKE(arena, double, model->auxiliaryCount);
}

// Links are all driven or fixed; each island computes their motion at its own times.
static void TakeLinks(const hwModel* model, hwArena* arena, hwWork* work) {
    int links = model->forest.linkCount;
    work->forest.couplings = NULL;
    hwForest_TakeWork(&model->forest, arena, &work->forest);
    work->drives = HW_TAKE(arena, hwDrive, links);
    work->wrench = HW_TAKE(arena, hwWideSpatial, links);
    work->inertia = HW_TAKE(arena, hwWideSym, links);
    work->terms = HW_TAKE(arena, hwLinkTerms, links);
    work->K = HW_TAKE(arena, hwWideSym, links);
    work->loads = HW_TAKE(arena, hwWideSpatial, links);
    work->spins = HW_TAKE(arena, hwSpin, links);
    work->backup = HW_TAKE(arena, char, sizeof(hwStateHeader));
}

// The cable as the only one, with freedoms and auxiliary variables counted from its own first one on.
static void FillModel(const hwWorld* whole, int k, Island* island) {
    hwModel* model = &island->world.model;
    hwCableSlot* slot = &island->slot;
    *slot = whole->model.cables->slots[k];
    slot->coordinate = slot->freedom = 0;
    island->auxiliaryCount = slot->integral < 0 ? 15 : 15 + slot->model.nodeCapacity - 1;
    int shift = HW_AUX_FIRST_FREE - slot->dissipated;
    slot->dissipated += shift, slot->work += shift, slot->outside += shift, slot->impulse += shift;
    if (slot->integral >= 0) slot->integral += shift;
    island->cables = *whole->model.cables;
    island->cables.count = 1;
    island->cables.first = k;
    island->cables.slots = slot;
    island->cables.stores = whole->model.cables->stores + k;
    model->cables = &island->cables;
    model->coordinateCount = model->freedomCount = 3 * slot->model.nodeCapacity;
    model->auxiliaryCount = HW_AUX_FIRST_FREE + island->auxiliaryCount;
    model->mayPart = whole->model.mayPart;
    model->auditCount = 3;
    model->audited = island->audited;
    for (int i = 0; i < 3; ++i) island->audited[i] = slot->dissipated + i;
    model->partCount = 0;
    for (int i = 0; i < whole->model.partCount; ++i) {
        if (whole->model.parts[i]->ofIslands) model->parts[model->partCount++] = whole->model.parts[i];
    }
    model->parts[model->partCount] = NULL;
    hwModel_NoteParts(model);
    model->mass = 0.0;
    HW_EACH_PART(&island->world, part, addMass) part->addMass(model, &model->mass);
}

// After each step of an island.
static void WatchRoom(const hwWorld* world, void* context) {
    Island* island = context;
    const hwVec3* x = (const hwVec3*)(const void*)world->state.q;
    int nodes = island->cablesState.stores[0].core->nodes;
    double square = 0.0;
    for (int i = 0; i < nodes; ++i) square = hwFmax(square, hwLengthSquared(hwSub(x[i], island->start[i])));
    if (square > island->room * island->room) island->left = hwFmin(island->left, island->before);
    island->before = world->state.header->time;
}

static void MakeIsland(hwWorld* whole, int k, hwArena* arena, Island* island) {
    hwWorld* world = &island->world;
    *world = *whole;
    world->team = NULL;
    world->islands = NULL;
    world->eventLog = NULL;
    world->queries = NULL;
    world->observer = WatchRoom;
    world->observerContext = island;
    world->sampling = (hwSampling){0};
    memset(&world->external, 0, sizeof(world->external));
    FillModel(whole, k, island);
    island->work = *whole->work;
    island->work.timer = (hwStageTimer){0}; // with threads stages are not timed
    world->work = &island->work;
    world->state.meshStart = world->state.meshSize = 0;
    world->state.sleep = (hwSleepState){NULL, NULL, NULL};
    island->cablesState.stores = whole->state.cables->stores + k;
    island->cablesWork.tools = whole->work->cables->tools + k;
    island->incidentsState.store = &island->incidents;
    world->state.cables = &island->cablesState;
    world->state.incidents = &island->incidentsState;
    world->work->cables = &island->cablesWork;
    world->cableEvents = &island->events;
    // state, work and slices in one row, which samples put away together with the work's own struct
    world->state.header = HW_TAKE(arena, hwStateHeader, 1);
    size_t begin = arena->used - sizeof(hwStateHeader); // what aligned it is not part of it
    TakeLinks(&world->model, arena, &island->work);
    TakeVectors(&world->model, arena, &world->state, &island->work);
    island->cablesWork.pieces = HW_TAKE(arena, hwCablePiece, hwModel_CountLots(&world->model));
    TakeSlices(&world->model, arena, &island->work);
    world->state.size = arena->used - begin;
    world->state.block = (char*)world->state.header;
    world->model.slices = &island->work;
    world->model.sliceSize = sizeof(island->work);
    island->work.block = world->state.block;
    island->work.stepSize = island->work.cacheSize = 0;
    world->sampling.size = world->state.size + world->model.sliceSize;
    world->sampling.kept = HW_TAKE(arena, char, world->sampling.size);
    if (arena->base != NULL) hwForest_StartWork(&island->work.forest);
}

hwStatus hwIslands_Create(hwWorld* world, hwError* error) {
    hwIslands_Free(world);
    if (!MayHaveIslands(world)) return HW_OK;
    int count = world->model.cables->count;
    hwArena arena = {0};
    Island* measured = hwAllocate(&world->allocator, sizeof(*measured));
    if (measured == NULL) return hwFail_Memory(error, NULL);
    for (int pass = 0; pass < 2; ++pass) {
        struct hwIslands* islands = HW_TAKE(&arena, struct hwIslands, 1);
        Island* items = HW_TAKE(&arena, Island, count);
        double* rooms = HW_TAKE(&arena, double, count);
        for (int k = 0; k < count; ++k) MakeIsland(world, k, &arena, pass == 0 ? measured : &items[k]);
        if (pass == 1) {
            islands->count = count;
            islands->items = items;
            islands->rooms = rooms;
            world->islands = islands;
            break;
        }
        hwRelease(&world->allocator, measured);
        arena.base = hwAllocate(&world->allocator, arena.used);
        arena.used = 0;
        if (arena.base == NULL) return hwFail_Memory(error, NULL);
    }
    return HW_OK;
}

void hwIslands_Free(hwWorld* world) {
    hwRelease(&world->allocator, world->islands);
    world->islands = NULL;
}

// In and out ---------------------------------------------------------------------------------------------------------------

// Incidents whose largest tension is still being watched go along.
static void TakeIncidents(const hwWorld* whole, int k, Island* island) {
    const hwIncidentStore* store = whole->state.incidents->store;
    hwEndWatch* watches = whole->state.cables->stores[k].watches;
    island->watched = island->merged = 0;
    for (int e = 0; e < 2; ++e) {
        if (watches[e].number == 0) continue;
        island->incidents.ring[island->watched] = store->ring[(watches[e].number - 1) % HW_INCIDENTS];
        island->numbers[island->watched++] = watches[e].number;
        watches[e].number = island->watched;
    }
    island->incidents.count = island->watched;
    island->merged = island->watched;
}

static void EnterIsland(hwWorld* whole, int k, Island* island) {
    const hwModel* model = &whole->model;
    const hwCableSlot* slot = &model->cables->slots[k];
    const hwState* from = &whole->state;
    const hwCablePace* pace = from->cables->stores[k].pace;
    hwState* to = &island->world.state;
    size_t bytes = (size_t)island->world.model.freedomCount * sizeof(double);
    size_t auxiliaryBytes = (size_t)island->auxiliaryCount * sizeof(double);
    // what calls may have changed since
    island->world.def = whole->def;
    island->slot.model = slot->model;
    island->world.cableObserver = whole->cableObserver;
    island->world.cableObserverContext = whole->cableObserverContext;
    if (whole->team == NULL) island->work.timer = whole->work->timer;
    bool apart = from->header->apart != 0;
    hwStateHeader* header = island->world.state.header;
    memset(header, 0, sizeof(*header));
    header->time = from->header->time;
    header->accelerationValid = apart && from->header->accelerationValid;
    header->nextStep = apart && from->header->nextStep > 0.0 ? pace->nextStep : from->header->nextStep;
    header->failedStep = apart ? pace->failedStep : from->header->failedStep;
    header->plainGuesses = apart ? pace->plainGuesses : from->header->plainGuesses;
    header->mechanicalEnergy = pace->mechanicalEnergy;
    header->conserved = pace->conserved;
    header->endPower = pace->endPower;
    header->stored = pace->stored;
    memcpy(to->q, from->q + slot->coordinate, bytes);
    memcpy(to->v, from->v + slot->freedom, bytes);
    memcpy(to->a, from->a + slot->freedom, bytes);
    memset(to->z, 0, HW_AUX_FIRST_FREE * sizeof(double));
    memset(to->zdot, 0, HW_AUX_FIRST_FREE * sizeof(double));
    to->zdot[HW_AUX_METHOD] = pace->storedRate;
    memcpy(to->z + HW_AUX_FIRST_FREE, from->z + slot->dissipated, auxiliaryBytes);
    memcpy(to->zdot + HW_AUX_FIRST_FREE, from->zdot + slot->dissipated, auxiliaryBytes);
    // what an end is on may be fixed to what is driven
    island->work.ownLinks = true;
    for (int e = 0; e < 2; ++e) {
        int link = from->cables->stores[k].ends[e].link;
        while (link >= 0 && model->forest.links[link].parent >= 0) link = model->forest.links[link].parent;
        island->work.links[e] = link;
    }
    island->start = (const hwVec3*)(const void*)(from->q + slot->coordinate);
    island->room = whole->islands->rooms[k];
    island->before = header->time;
    island->left = INFINITY;
    TakeIncidents(whole, k, island);
    island->events.count = island->events.told = 0;
    HW_EACH_PART(&island->world, part, stateChanged) part->stateChanged(&island->world);
}

static void AddCounters(hwCounters* sum, const hwCounters* own) {
    sum->steps += own->steps;
    sum->rejected += own->rejected;
    sum->evaluations += own->evaluations;
    sum->iterations += own->iterations;
    sum->factorizations += own->factorizations;
    sum->unconverged += own->unconverged;
}

// Motion and audit as the island has them now.
static void ShowIsland(hwWorld* whole, int k, const Island* island) {
    const hwCableSlot* slot = &whole->model.cables->slots[k];
    const hwState* from = &island->world.state;
    hwState* to = &whole->state;
    size_t bytes = (size_t)island->world.model.freedomCount * sizeof(double);
    size_t auxiliaryBytes = (size_t)island->auxiliaryCount * sizeof(double);
    memcpy(to->q + slot->coordinate, from->q, bytes);
    memcpy(to->v + slot->freedom, from->v, bytes);
    memcpy(to->a + slot->freedom, from->a, bytes);
    memcpy(to->z + slot->dissipated, from->z + HW_AUX_FIRST_FREE, auxiliaryBytes);
    memcpy(to->zdot + slot->dissipated, from->zdot + HW_AUX_FIRST_FREE, auxiliaryBytes);
}

static void LeaveIsland(hwWorld* whole, int k, const Island* island) {
    hwCablePace* pace = whole->state.cables->stores[k].pace;
    const hwStateHeader* header = island->world.state.header;
    ShowIsland(whole, k, island);
    pace->nextStep = header->nextStep;
    pace->failedStep = header->failedStep;
    pace->plainGuesses = header->plainGuesses;
    pace->mechanicalEnergy = header->mechanicalEnergy;
    pace->conserved = header->conserved;
    pace->endPower = header->endPower;
    pace->stored = header->stored;
    pace->storedRate = island->world.state.zdot[HW_AUX_METHOD];
}

// What the islands have to tell, in order of time, then of cables --------------------------------------------------------------

static void PutBackWatched(hwWorld* whole, int k, Island* island) {
    hwIncidentStore* store = whole->state.incidents->store;
    hwEndWatch* watches = whole->state.cables->stores[k].watches;
    bool kept = island->incidents.count <= HW_INCIDENTS;
    for (uint64_t i = 0; i < island->watched; ++i) {
        if (kept && store->count < island->numbers[i] + HW_INCIDENTS)
            store->ring[(island->numbers[i] - 1) % HW_INCIDENTS] = island->incidents.ring[i];
    }
    for (int e = 0; e < 2; ++e) {
        if (watches[e].number > 0 && watches[e].number <= island->watched)
            watches[e].number = island->numbers[watches[e].number - 1];
        else if (watches[e].number > 0)
            watches[e].number += (uint64_t)1 << 32; // of a new one: gets its number when that is merged
    }
}

static void MergeIncidents(hwWorld* whole) {
    struct hwIslands* islands = whole->islands;
    hwIncidentStore* store = whole->state.incidents->store;
    for (int k = 0; k < islands->count; ++k) PutBackWatched(whole, k, &islands->items[k]);
    for (;;) {
        int first = -1;
        double time = INFINITY;
        for (int k = 0; k < islands->count; ++k) {
            const Island* island = &islands->items[k];
            if (island->merged >= island->incidents.count) continue;
            double own = island->incidents.ring[island->merged % HW_INCIDENTS].time;
            if (first < 0 || own < time) first = k, time = own;
        }
        if (first < 0) return;
        Island* island = &islands->items[first];
        store->ring[store->count++ % HW_INCIDENTS] = island->incidents.ring[island->merged++ % HW_INCIDENTS];
        hwEndWatch* watches = whole->state.cables->stores[first].watches;
        for (int e = 0; e < 2; ++e) {
            if (watches[e].number == island->merged + ((uint64_t)1 << 32)) watches[e].number = store->count;
        }
    }
}

static void MergeEvents(hwWorld* whole) {
    struct hwIslands* islands = whole->islands;
    hwStateHeader* header = whole->state.header;
    if (whole->eventLog == NULL) return;
    double now = header->time;
    for (;;) {
        int first = -1;
        double time = INFINITY;
        for (int k = 0; k < islands->count; ++k) {
            const hwCableEvents* events = &islands->items[k].events;
            if (events->told >= events->count) continue;
            if (first < 0 || events->items[events->told].time < time)
                first = k, time = events->items[events->told].time;
        }
        if (first < 0) break;
        hwCableEvents* events = &islands->items[first].events;
        const hwCableEvent* event = &events->items[events->told++];
        header->time = event->time;
        hwWorld_LogCable(whole, event->kind, first, event->end, event->value);
    }
    header->time = now;
    hwWorld_Refresh(whole);
    hwWorld_LogContacts(whole);
}

// Advancing ----------------------------------------------------------------------------------------------------------------

typedef struct Journey {
    hwWorld* world;
    bool begins;  // from the last common time
    double until; // s: a step that ends there or later is the last for now
    double end;   // s
} Journey;

static void AdvanceRange(int first, int last, void* context) {
    const Journey* journey = context;
    for (int k = first; k < last; ++k) {
        Island* island = &journey->world->islands->items[k];
        if (journey->begins) {
            EnterIsland(journey->world, k, island);
            hwClearError(&island->error);
            island->status = HW_OK;
        }
        if (island->status < HW_OK || island->left < INFINITY) continue;
        island->work.pauses = journey->until < journey->end;
        island->work.pause = journey->until;
        island->status = hwRealtime_Advance(&island->world, &hwMode_running, journey->end, &island->error);
        if (journey->world->team == NULL) journey->world->work->timer = island->work.timer;
    }
}

// Brings each island to the time of a sample, within its last step or at its end, shows it to the whole world and puts it
// back. What it remembers of friction with the bottom is that of the step's end.
static void SampleRange(int first, int last, void* context) {
    const Journey* journey = context;
    for (int k = first; k < last; ++k) {
        Island* island = &journey->world->islands->items[k];
        double past = island->world.state.header->time - journey->until;
        bool inside = past > HW_SAMPLE_SLACK * island->work.stepTaken;
        if (inside) {
            hwWorld_KeepForSamples(&island->world);
            hwRealtime_MoveInside(&island->world, journey->until);
        }
        ShowIsland(journey->world, k, island);
        if (!inside) continue;
        hwWorld_RestoreFromSample(&island->world);
        island->cablesWork.tools[0].sampledStage = 0;
    }
}

static void SampleIsland(hwWorld* world, const Journey* journey) {
    Journey there = *journey;
    hwTeam_Loop(world->team, world->islands->count, 1, SampleRange, &there);
    world->state.header->time = journey->until;
    world->state.header->accelerationValid = 1;
    hwWorld_Sample(world);
    world->work->isCurrent = false;
}

static void FinishIslands(hwWorld* world) {
    struct hwIslands* islands = world->islands;
    hwStateHeader* header = world->state.header;
    header->mechanicalEnergy = header->conserved = header->endPower = header->stored = 0.0;
    world->state.zdot[HW_AUX_METHOD] = 0.0;
    header->nextStep = INFINITY;
    header->accelerationValid = header->apart = 1;
    header->failedStep = 0.0;
    header->plainGuesses = 0;
    for (int k = 0; k < islands->count; ++k) {
        const Island* island = &islands->items[k];
        LeaveIsland(world, k, island);
        for (int i = 0; i < HW_AUX_FIRST_FREE; ++i) world->state.z[i] += island->world.state.z[i];
        AddCounters(&header->counters, &island->world.state.header->counters);
        header->mechanicalEnergy += island->world.state.header->mechanicalEnergy;
        header->conserved += island->world.state.header->conserved;
        header->endPower += island->world.state.header->endPower;
        header->stored += island->world.state.header->stored;
        world->state.zdot[HW_AUX_METHOD] += island->world.state.zdot[HW_AUX_METHOD];
        header->nextStep = hwFmin(header->nextStep, island->world.state.header->nextStep);
        header->accelerationValid =
            header->accelerationValid && island->world.state.header->accelerationValid;
        header->counters.lastStep = island->world.state.header->counters.lastStep;
        header->time = island->world.state.header->time;
    }
    world->work->isCurrent = world->work->factored = false;
    MergeIncidents(world);
    MergeEvents(world);
}

// Time at which an island failed or left its room; infinity: it is well.
static double GetTrouble(const Island* island) {
    return island->status < HW_OK ? hwFmin(island->world.state.header->time, island->left) : island->left;
}

// The island with the first trouble, or -1.
static int FindTrouble(const struct hwIslands* islands) {
    int first = -1;
    for (int k = 0; k < islands->count; ++k) {
        double time = GetTrouble(&islands->items[k]);
        if (time < INFINITY && (first < 0 || time < GetTrouble(&islands->items[first]))) first = k;
    }
    return first;
}

hwStatus hwIslands_Advance(hwWorld* world, double end, hwError* error) {
    struct hwIslands* islands = world->islands;
    hwStatus status = HW_OK;
    double start = world->state.header->time;
    Journey journey = {world, true, end, end};
    memcpy(world->work->backup, world->state.block, world->state.size);
    for (;;) {
        bool samples = hwWorld_HasSampleBefore(world, journey.end);
        journey.until = samples ? world->sampling.next : journey.end;
        hwTeam_Loop(world->team, islands->count, 1, AdvanceRange, &journey);
        journey.begins = false;
        int first = FindTrouble(islands);
        if (first < 0 && !samples) break;
        if (first < 0) {
            SampleIsland(world, &journey);
            continue;
        }
        // others may have gone on: all start again and meet where it happened
        const Island* island = &islands->items[first];
        double trouble = GetTrouble(island);
        status =
            island->status < HW_OK && trouble == island->world.state.header->time ? island->status : HW_OK;
        if (status < HW_OK && error != NULL) *error = island->error;
        bool stopped = island->status == HW_ERROR_STOPPED || !(trouble < journey.end);
        journey.end = stopped ? start : trouble;
        journey.begins = true;
        memcpy(world->state.block, world->work->backup, world->state.size);
        world->work->isCurrent = false;
        if (!(journey.end > start)) return status;
    }
    FinishIslands(world);
    return status;
}

void hwIslands_ObserveCables(const hwWorld* world) {
    for (int k = 0; k < world->model.cables->count; ++k) {
        if (!hwWorld_HasCable(world, k)) continue;
        world->cableObserver(world, world->model.cables->slots[k].object->id, world->cableObserverContext);
    }
}
