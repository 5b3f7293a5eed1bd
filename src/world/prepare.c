// Compiling the objects of a world into a model, and giving states to it.
#include "base/hash.h"
#include "env/waves.h"
#include "geom/shape_data.h"
#include "hydro/drag.h"
#include "api/signature.h"
#include "world/islands.h"
#include "world/part.h"

#include <math.h>
#include <string.h>

#define COUPLING_ROOM 2.0 // see hwModel
#define MOST_ROOM 256.0

static hwMat3 QuatMatrix(hwQuat q) {
    return hwMat3FromQuat(hwNormalizeQuat(q));
}

static int CountObjects(const hwPool* pool) {
    int count = 0;
    for (int i = 0; i < pool->slots; ++i) count += pool->items[i] != NULL;
    return count;
}

// Links -------------------------------------------------------------------------------------------------------------

static hwJointType GetJointType(const hwBodyObject* body) {
    static const hwJointType types[] = {HW_LINK_REVOLUTE, HW_LINK_PRISMATIC, HW_LINK_BALL, HW_LINK_FREE,
                                        HW_LINK_FIXED};
    if (body->joint != NULL) return types[body->joint->def.joint];
    return body->def.motion == HW_MOTION_FREE ? HW_LINK_FREE : HW_LINK_DRIVEN;
}

// A free joint holds nothing. Kept relative to a parent that turns, a link far away would seem to fly in circles, and steps
// would lose accuracy with its distance: it moves in the world's frame, and the parent only says where it starts.
static bool LeavesParent(const hwBodyObject* body) {
    return body->joint != NULL && body->joint->def.joint == HW_JOINT_FREE;
}

static void FillLink(const hwBodyObject* body, const int* linkOfSlot, hwLink* link) {
    const hwBodyDef* def = &body->def;
    link->parent = -1;
    link->joint = GetJointType(body);
    link->tree.R = QuatMatrix(hwQuat_identity);
    if (body->joint != NULL && !LeavesParent(body)) {
        if (!HW_IS_NULL(body->joint->parent)) link->parent = linkOfSlot[body->joint->parent.index - 1];
        link->tree = body->joint->tree;
        link->axis = body->joint->axis;
    }
    hwSym3 inertia = {def->inertia[0], def->inertia[1], def->inertia[2],
                      def->inertia[3], def->inertia[4], def->inertia[5]};
    link->mass = def->mass;
    link->com = def->com;
    link->inertia = hwRotateSym3(QuatMatrix(def->comAttitude), inertia);
}

static int FindDepth(const hwWorld* world, const hwBodyObject* body) {
    int depth = 0;
    while (body->joint != NULL && !HW_IS_NULL(body->joint->parent)) {
        body = hwWorld_GetBody(world, body->joint->parent);
        depth += 1;
    }
    return depth;
}

// Numbers the links level by level: parents come before children, and neighbours in the sweeps do not wait for one
// another.
static void NumberLinks(const hwWorld* world, int count, int* linkOfSlot, int* depths, int* starts) {
    for (int i = 0; i < world->bodies.slots; ++i) {
        const hwBodyObject* body = world->bodies.items[i];
        if (body == NULL) continue;
        depths[i] = FindDepth(world, body);
        starts[depths[i] + 1] += 1;
    }
    for (int d = 0; d < count; ++d) starts[d + 1] += starts[d];
    for (int i = 0; i < world->bodies.slots; ++i) {
        if (world->bodies.items[i] != NULL) linkOfSlot[i] = starts[depths[i]]++;
    }
}

#define ORDER 2 // of coordinates and freedoms: parts that may be cut off cables come behind all cables

static uint64_t SignLayout(const hwModel* model) {
    uint64_t hash = 0;
    const int sizes[5] = {model->forest.linkCount, model->coordinateCount, model->freedomCount,
                          model->inputs.count, ORDER};
    hash = hwHash(hash, sizes, sizeof(sizes));
    for (int i = 0; i < model->forest.linkCount; ++i) {
        const char* name = model->links[i].body->def.name;
        hash = hwHash(hash, name, strlen(name));
    }
    return hash;
}

// Events in order of time; those at the same time keep the order in which they were added.
static hwStatus FillEvents(const hwWorld* world, hwModel* model, hwError* error) {
    int count = 0;
    for (int i = 0; i < world->events.slots; ++i) {
        hwEventObject* event = world->events.items[i];
        if (event == NULL) continue;
        int at = count++;
        for (; at > 0 && model->events[at - 1]->time > event->time; --at) {
            model->events[at] = model->events[at - 1];
        }
        model->events[at] = event;
        if (event->onCable) continue;
        event->input = hwNameTable_Find(&model->inputs, event->def.input);
        if (event->input < 0) {
            hwStatus status = hwFail(error, HW_ERROR_MODEL, event->def.input,
                                     "an event at %g s sets `%s`, but there is no such input",
                                     event->def.time, event->def.input);
            hwFail_Hint(error,
                        "`hawser channels SCENE --inputs` lists them, programs get them by hwWorld_GetInput");
            return status;
        }
        if (hwWorld_CheckInput(model, event->input, event->def.value, error) != HW_OK) return HW_ERROR_MODEL;
    }
    return HW_OK;
}

int hwModel_FindLink(const hwModel* model, const hwBodyObject* body) {
    for (int i = 0; i < model->forest.linkCount; ++i) {
        if (model->links[i].body == body) return i;
    }
    return -1;
}

bool hwModel_IsStill(const hwModel* model, int link) {
    while (link >= 0 && model->forest.links[link].joint == HW_LINK_FIXED)
        link = model->forest.links[link].parent;
    return link < 0 || model->links[link].body->def.motion == HW_MOTION_FIXED;
}

int hwModel_TakeAuxiliary(hwModel* model, bool needed, int count) {
    if (!needed) return -1;
    model->auxiliaryCount += count;
    return model->auxiliaryCount - count;
}

// Whether some prescribed body carries a link that moves against it.
static bool FindDrives(const hwModel* model) {
    for (int i = 0; i < model->forest.linkCount; ++i) {
        if (!model->links[i].active) continue;
        int root = i;
        while (model->forest.links[root].parent >= 0) root = model->forest.links[root].parent;
        bool driven = model->forest.links[root].joint == HW_LINK_DRIVEN;
        if (driven && model->links[root].body->def.motion == HW_MOTION_PRESCRIBED) return true;
    }
    return false;
}

static void FillInfo(hwBodyObject* body, hwLinkInfo* info) {
    info->body = body;
    info->mass = body->def.mass;
    info->com = body->def.com;
    info->volume = body->def.hydro.volume < 0.0 ? body->solid.volume : body->def.hydro.volume;
    info->buoyancyCenter = body->solid.volume > 0.0 ? body->solid.centroid : hwVec3_zero;
    if (body->def.hydro.hasBuoyancyCenter) info->buoyancyCenter = body->def.hydro.buoyancyCenter;
}

// The model in one block; run twice, see hwArena. Everything but the arrays' sizes is filled in the second run.
static void LayModel(const hwWorld* world, hwArena* arena, hwModel* model) {
    bool writing = arena->base != NULL;
    hwForest* forest = &model->forest;
    memset(forest, 0, sizeof(*forest));
    forest->linkCount = CountObjects(&world->bodies);
    hwForest_Take(forest, arena);
    model->links = HW_TAKE(arena, hwLinkInfo, forest->linkCount);
    int* linkOfSlot = HW_TAKE(arena, int, world->bodies.slots);
    int* depths = HW_TAKE(arena, int, world->bodies.slots);
    int* starts = HW_TAKE(arena, int, forest->linkCount + 2);
    model->auxiliaryCount = HW_AUX_FIRST_FREE;
    if (writing) NumberLinks(world, forest->linkCount, linkOfSlot, depths, starts);
    for (int i = 0; i < world->bodies.slots && writing; ++i) {
        hwBodyObject* body = world->bodies.items[i];
        if (body == NULL) continue;
        FillLink(body, linkOfSlot, &forest->links[linkOfSlot[i]]);
        FillInfo(body, &model->links[linkOfSlot[i]]);
    }
    for (int i = 0; i < HW_PART_COUNT; ++i) {
        if (hwPartsByLayout[i]->layModel != NULL) hwPartsByLayout[i]->layModel(world, arena, model);
    }
    model->eventCount = CountObjects(&world->events);
    model->events = HW_TAKE(arena, hwEventObject*, model->eventCount);
    if (!writing) return;
    hwForest_Compile(forest);
    for (int i = 0; i < forest->linkCount; ++i) model->links[i].active = !forest->data[i].grounded;
    model->coordinateCount = forest->coordinateCount;
    model->freedomCount = forest->freedomCount;
    for (int i = 0; i < HW_PART_COUNT; ++i) {
        if (hwPartsByLayout[i]->fillModel != NULL) hwPartsByLayout[i]->fillModel(world, model);
    }
    model->drives = FindDrives(model);
}

static void LayWork(const hwModel* model, size_t stateSize, hwArena* arena, hwWork* work) {
    int links = model->forest.linkCount, freedoms = model->forest.freedomCount;
    hwForest_TakeWork(&model->forest, arena, &work->forest);
    work->drives = HW_TAKE(arena, hwDrive, links);
    work->tow = HW_TAKE(arena, hwVec3, links);
    work->wrench = HW_TAKE(arena, hwWideSpatial, links);
    work->inertia = HW_TAKE(arena, hwWideSym, links);
    work->terms = HW_TAKE(arena, hwLinkTerms, links);
    work->K = HW_TAKE(arena, hwWideSym, links);
    work->linkPotential = HW_TAKE(arena, double, links);
    work->linkSubmerged = HW_TAKE(arena, double, links);
    double** joints[] = {&work->jointEffort,   &work->jointInertia, &work->jointVirtual,
                         &work->jointDiagonal, &work->jointOff,     &work->efforts};
    for (size_t i = 0; i < sizeof(joints) / sizeof(joints[0]); ++i)
        *joints[i] = HW_TAKE(arena, double, freedoms);
    if (arena->base != NULL) work->freedomsInUse = model->freedomCount;
    if (arena->base != NULL) work->idleFrom = work->idleTo = model->auxiliaryCount;
    work->residual = HW_TAKE(arena, double, model->freedomCount);
    work->pairs = HW_TAKE(arena, hwLinkPair, model->pairCapacity);
    work->loads = HW_TAKE(arena, hwWideSpatial, links);
    for (int i = 0; i < HW_PART_COUNT; ++i) {
        if (hwPartsByLayout[i]->layWork != NULL) hwPartsByLayout[i]->layWork(model, arena, work);
    }
    work->forest.couplings = NULL;
    if (model->pairCapacity > 0) {
        hwCouplingSizes sizes =
            hwCouplings_ChooseSizes(&model->forest, model->pairCapacity, model->couplingRoom);
        work->forest.couplings = hwCouplings_Take(&model->forest, arena, sizes);
    }
    double** auxiliaries[] = {&work->z, &work->zdot, &work->z0, &work->zBase, &work->zdot0, &work->zdot1};
    for (size_t i = 0; i < sizeof(auxiliaries) / sizeof(auxiliaries[0]); ++i) {
        *auxiliaries[i] = HW_TAKE(arena, double, model->auxiliaryCount);
    }
    work->backup = HW_TAKE(arena, char, stateSize);
    work->spins = HW_TAKE(arena, hwSpin, model->forest.linkCount);
    hwSleep_LayWork(model, arena, work);
    work->q0 = HW_TAKE(arena, double, model->coordinateCount);
    work->rates = HW_TAKE(arena, double, model->coordinateCount);
    work->y = HW_TAKE(arena, double, model->coordinateCount + model->freedomCount);
    work->factorY =
        HW_TAKE(arena, double, model->coordinateCount + model->freedomCount + model->auxiliaryCount);
    double** vectors[] = {&work->v0, &work->a0, &work->v1,   &work->a1,       &work->d1,   &work->v,
                          &work->a,  &work->d,  &work->step, &work->estimate, &work->known};
    for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); ++i)
        *vectors[i] = HW_TAKE(arena, double, model->freedomCount);
    work->stepSize = arena->used;
    for (int i = 0; i < HW_PART_COUNT; ++i) {
        if (hwPartsByLayout[i]->layCaches != NULL) hwPartsByLayout[i]->layCaches(model, arena, work);
    }
    work->cacheSize = arena->used - work->stepSize;
    hwGmres_Take(&work->gmres, arena, model->freedomCount);
}

// Giving the model a state ------------------------------------------------------------------------------------------

static void WriteQuat(double* q, hwQuat quat) {
    q[0] = quat.w, q[1] = quat.x, q[2] = quat.y, q[3] = quat.z;
}

static void WriteInitial(const hwBodyObject* body, const hwLink* link, hwState* state) {
    double* q = state->q + link->coordinate;
    double* v = state->v + link->freedom;
    const hwBodyDef* def = &body->def;
    const hwLinkDef* joint = body->joint != NULL ? &body->joint->def : NULL;
    switch (link->joint) {
    case HW_LINK_FREE:
        q[0] = def->position.x, q[1] = def->position.y, q[2] = def->position.z;
        WriteQuat(q + 3, hwNormalizeQuat(def->attitude));
        v[0] = def->velocity.x, v[1] = def->velocity.y, v[2] = def->velocity.z;
        v[3] = def->rate.x, v[4] = def->rate.y, v[5] = def->rate.z;
        break;
    case HW_LINK_REVOLUTE:
    case HW_LINK_PRISMATIC:
        q[0] = joint->q;
        v[0] = joint->qd;
        break;
    case HW_LINK_BALL:
        WriteQuat(q, joint->turn);
        v[0] = joint->turnRate.x, v[1] = joint->turnRate.y, v[2] = joint->turnRate.z;
        break;
    case HW_LINK_FIXED:
    case HW_LINK_DRIVEN:
        break;
    }
}

// A link that was in the old model keeps its state.
static void CarryOver(const hwWorld* world, int oldLink, const hwModel* model, int newLink, hwState* state) {
    const hwLink* from = &world->model.forest.links[oldLink];
    const hwLink* to = &model->forest.links[newLink];
    if (from->joint == to->joint) {
        memcpy(state->q + to->coordinate, world->state.q + from->coordinate,
               (size_t)hwJoint_CountCoordinates(to->joint) * sizeof(double));
        memcpy(state->v + to->freedom, world->state.v + from->freedom,
               (size_t)hwJoint_CountFreedoms(to->joint) * sizeof(double));
    }
}

static void FillState(const hwWorld* world, hwModel* model, hwState* state) {
    bool again = world->model.block != NULL;
    for (int i = 0; i < HW_PART_COUNT; ++i) {
        if (hwPartsByLayout[i]->startInputs != NULL) hwPartsByLayout[i]->startInputs(model, state->inputs);
    }
    if (again) {
        *state->header = *world->state.header;
        memcpy(state->z, world->state.z, HW_AUX_FIRST_FREE * sizeof(double));
        double stilled = world->state.sleep.stilled != NULL ? *world->state.sleep.stilled : 0.0;
        *(model->sleeps ? state->sleep.stilled : &state->z[HW_AUX_DISSIPATED]) += stilled;
        for (int i = 0; i < model->inputs.count; ++i) {
            int old = hwNameTable_Find(&world->model.inputs, model->inputs.entries[i].name);
            if (old >= 0) state->inputs[i] = world->state.inputs[old];
        }
    } else {
        state->header->time = hwWorld_GetFirstTime(world);
    }
    state->header->signature = model->signature;
    state->header->layout = model->layout;
    state->header->accelerationValid = 0;
    state->header->nextStep = 0.0;
    state->header->eventsDone = 0;
    // what should have happened before the start does not, nor in the build-up
    double done = hwFmax(state->header->time, world->def.time);
    while (state->header->eventsDone < (uint64_t)model->eventCount &&
           model->events[state->header->eventsDone]->time < done) {
        state->header->eventsDone += 1;
    }
    for (int i = 0; i < model->forest.linkCount; ++i) {
        const hwBodyObject* body = model->links[i].body;
        WriteInitial(body, &model->forest.links[i], state);
        if (again && body->link >= 0) CarryOver(world, body->link, model, i, state);
    }
    for (int i = 0; i < HW_PART_COUNT; ++i) {
        if (hwPartsByLayout[i]->carry != NULL) hwPartsByLayout[i]->carry(world, model, state);
    }
}

// Three blocks: the model, the tables of names, and then state and work, whose sizes depend on both.
typedef struct Blocks {
    hwModel model;
    hwState state;
    hwWork* work;
} Blocks;

static void FreeBlocks(const hwAllocator* allocator, Blocks* blocks) {
    if (blocks->model.slices == NULL) return;
    for (int i = 0; i < HW_PART_COUNT; ++i) {
        if (hwPartsByLayout[i]->freeModel != NULL) hwPartsByLayout[i]->freeModel(allocator, &blocks->model);
    }
    hwRelease(allocator, blocks->model.block);
    hwRelease(allocator, blocks->model.tableBlock);
    hwRelease(allocator, blocks->state.block);
    hwRelease(allocator, blocks->work->block);
    hwRelease(allocator, blocks->model.slices);
    memset(blocks, 0, sizeof(*blocks));
}

void hwModel_Free(hwWorld* world) {
    Blocks blocks = {world->model, world->state, world->work};
    FreeBlocks(&world->allocator, &blocks);
    world->model = blocks.model;
    world->state = blocks.state;
    world->work = blocks.work;
}

static bool ReserveArena(const hwAllocator* allocator, hwArena* arena) {
    arena->base = hwAllocate(allocator, arena->used);
    arena->used = 0;
    return arena->base != NULL;
}

// Those that the model has any of, in the order of a step.
static void ListParts(hwModel* model) {
    int count = 0;
    for (int i = 0; i < HW_PART_COUNT; ++i) {
        const hwPart* part = hwPartsByStep[i];
        if (part->isPresent == NULL || part->isPresent(model)) model->parts[count++] = part;
    }
    model->parts[count] = NULL;
    model->partCount = count;
    hwModel_NoteParts(model);
}

static hwStatus BuildModel(const hwWorld* world, hwModel* model, hwError* error) {
    hwArena arena = {0};
    LayModel(world, &arena, model);
    if (!ReserveArena(&world->allocator, &arena)) return hwFail_Memory(error, NULL);
    model->block = arena.base;
    LayModel(world, &arena, model);
    hwStatus status = HW_OK;
    for (int i = 0; i < HW_PART_COUNT && status == HW_OK; ++i) {
        if (hwPartsByLayout[i]->checkModel != NULL)
            status = hwPartsByLayout[i]->checkModel(world, model, error);
    }
    for (int i = 0; i < HW_PART_COUNT && status == HW_OK; ++i) {
        if (hwPartsByLayout[i]->buildModel != NULL)
            status = hwPartsByLayout[i]->buildModel(world, model, error);
    }
    if (status != HW_OK) return status;
    ListParts(model);
    hwArena tables = {0};
    hwModel_LayChannels(world, &tables, model);
    if (!ReserveArena(&world->allocator, &tables)) return hwFail_Memory(error, NULL);
    model->tableBlock = tables.base;
    hwModel_LayChannels(world, &tables, model);
    for (int i = 0; i < HW_PART_COUNT; ++i) {
        if (hwPartsByLayout[i]->findInputs != NULL) hwPartsByLayout[i]->findInputs(model);
    }
    model->layout = SignLayout(model);
    model->signature = hwWorld_SignModel(world);
    return FillEvents(world, model, error);
}

static hwStatus BuildState(const hwWorld* world, Blocks* blocks, hwError* error) {
    hwArena state = {0}, work = {0};
    hwState_Lay(&blocks->model, &state, &blocks->state);
    LayWork(&blocks->model, state.used, &work, blocks->work);
    if (!ReserveArena(&world->allocator, &state)) return hwFail_Memory(error, NULL);
    hwState_Lay(&blocks->model, &state, &blocks->state);
    if (!ReserveArena(&world->allocator, &work)) return hwFail_Memory(error, NULL);
    LayWork(&blocks->model, state.used, &work, blocks->work);
    blocks->work->block = work.base;
    blocks->work->forest.asleep = blocks->state.sleep.island;
    hwForest_StartWork(&blocks->work->forest);
    FillState(world, &blocks->model, &blocks->state);
    return HW_OK;
}

// Where a link on a free joint starts, from where its parent is.
static void PlaceFree(hwWorld* world, int link) {
    const hwBodyObject* body = world->model.links[link].body;
    const hwBodyDef* def = &body->def;
    hwState* state = &world->state;
    hwWorld_ComputeLinkMotion(world, &hwMode_running, state->header->time, state->q, state->v);
    hwBodyState parent = {.attitude = hwQuat_identity};
    if (!HW_IS_NULL(body->joint->parent))
        hwBody_ReadMotion(world, hwWorld_GetBody(world, body->joint->parent)->link, &parent);
    hwQuat axes = hwMulQuat(parent.attitude, hwQuatFromMat3(body->joint->tree.R));
    hwVec3 arm = hwAdd(hwRotate(parent.attitude, body->joint->tree.r), hwRotate(axes, def->position));
    hwVec3 w = hwRotate(parent.attitude, parent.rate), position = hwAdd(parent.position, arm);
    hwVec3 velocity = hwAdd(hwAdd(parent.velocity, hwCross(w, arm)), hwRotate(axes, def->velocity));
    hwQuat attitude = hwNormalizeQuat(hwMulQuat(axes, def->attitude));
    hwVec3 rate = hwAdd(def->rate, hwInvRotate(attitude, w));
    const hwLink* slot = &world->model.forest.links[link];
    double *q = state->q + slot->coordinate, *v = state->v + slot->freedom;
    q[0] = position.x, q[1] = position.y, q[2] = position.z;
    WriteQuat(q + 3, attitude);
    v[0] = velocity.x, v[1] = velocity.y, v[2] = velocity.z;
    v[3] = rate.x, v[4] = rate.y, v[5] = rate.z;
}

static double SumMass(const hwModel* model) {
    double sum = 0.0;
    for (int i = 0; i < model->forest.linkCount; ++i) {
        if (model->links[i].active) sum += model->links[i].mass;
    }
    for (int i = 0; i < HW_PART_COUNT; ++i) {
        if (hwPartsByLayout[i]->addMass != NULL) hwPartsByLayout[i]->addMass(model, &sum);
    }
    return sum;
}

// Numbers of all objects in the model, to `kept` or back from it. Returns how many there are; null: counts them.
static int CopyNumbers(hwWorld* world, int* kept, bool back) {
    int count = 0;
    for (int i = -1; i < HW_PART_COUNT; ++i) {
        hwNumberPlace place = {offsetof(hwWorld, bodies), offsetof(hwBodyObject, link)};
        if (i >= 0) place = hwPartsByLayout[i]->numbers;
        if (place.pool == 0) continue;
        const hwPool* pool = (const hwPool*)(const void*)((const char*)world + place.pool);
        for (int k = 0; k < pool->slots; ++k) {
            if (pool->items[k] == NULL) continue;
            int* number = (int*)(void*)((char*)pool->items[k] + place.number);
            if (kept != NULL && back) *number = kept[count];
            if (kept != NULL && !back) kept[count] = *number;
            count += 1;
        }
    }
    return count;
}

// Gives the world the model and has the parts begin in it. A failure leaves the world with the model that it had.
static hwStatus StartModel(hwWorld* world, Blocks* blocks, hwError* error) {
    int* numbers = hwAllocate(&world->allocator, ((size_t)CopyNumbers(world, NULL, false) + 1) * sizeof(int));
    if (numbers == NULL) return hwFail_Memory(error, NULL);
    CopyNumbers(world, numbers, false);
    Blocks before = {world->model, world->state, world->work};
    blocks->work->timer = world->work->timer;
    world->model = blocks->model;
    world->state = blocks->state;
    world->work = blocks->work;
    for (int i = 0; i < world->model.forest.linkCount; ++i) {
        hwBodyObject* body = world->model.links[i].body;
        bool starts = body->link < 0;
        body->link = i;
        if (starts && LeavesParent(body)) PlaceFree(world, i);
    }
    HW_EACH_PART(world, part, readInputs) part->readInputs(world);
    hwStatus status = HW_OK;
    for (int i = 0; i < HW_PART_COUNT && status == HW_OK; ++i) {
        if (hwPartsByLayout[i]->start != NULL) status = hwPartsByLayout[i]->start(world, error);
    }
    *blocks = status == HW_OK ? before : (Blocks){world->model, world->state, world->work};
    if (status != HW_OK) {
        CopyNumbers(world, numbers, true);
        world->model = before.model;
        world->state = before.state;
        world->work = before.work;
    }
    hwRelease(&world->allocator, numbers);
    return status;
}

static hwStatus CompileOnce(hwWorld* world, hwError* error) {
    hwWorld_DropQueries(world);
    Blocks blocks = {0};
    if (!hwParts_TakeSlices(&world->allocator, &blocks.model, &blocks.state, &blocks.work))
        return hwFail_Memory(error, NULL);
    hwSleep_WakeAll(world);
    blocks.model.sleeps = world->def.solver.sleep;
    blocks.model.couplingRoom = world->couplingRoom;
    hwStatus status = BuildModel(world, &blocks.model, error);
    if (status == HW_OK) status = BuildState(world, &blocks, error);
    if (status == HW_OK) {
        blocks.model.mass = SumMass(&blocks.model);
        status = StartModel(world, &blocks, error);
    }
    FreeBlocks(&world->allocator, &blocks); // those that are not in use
    if (status != HW_OK) return status;
    world->work->couplingsStale = true;
    world->prepared = true;
    world->work->isCurrent = false;
    hwSleep_Tell(world);
    status = hwIslands_Create(world, error);
    if (status != HW_OK) hwWorld_Unprepare(world);
    return status;
}

// Whether what is coupled now has room: how much it fills in, nets more than trees and strings, shows when it is ordered.
static bool CouplingsFit(const hwWorld* world) {
    hwWork* work = world->work;
    if (work->forest.couplings == NULL) return true;
    int count = 0;
    HW_EACH_PART(world, part, listPairs) count = part->listPairs(world, work->pairs, count);
    return hwForest_SetCouplings(&world->model.forest, work->forest.couplings, count, work->pairs);
}

hwStatus hwWorld_Compile(hwWorld* world, hwError* error) {
    world->couplingRoom = hwFmax(world->couplingRoom, COUPLING_ROOM);
    hwStatus status = CompileOnce(world, error);
    while (status == HW_OK && !CouplingsFit(world) && world->couplingRoom < MOST_ROOM) {
        world->couplingRoom *= 2.0;
        status = CompileOnce(world, error);
    }
    return status;
}
