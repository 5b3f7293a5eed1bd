// Compiling the objects of a world into a model, and giving states to it.
#include "base/hash.h"
#include "env/waves.h"
#include "geom/shape_data.h"
#include "hydro/drag.h"
#include "world/world_internal.h"

#include <math.h>
#include <string.h>

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

static int CountStrips(const hwHydroDef* hydro) {
    int count = 0;
    for (int i = 0; i < hydro->stripCount; ++i) count += hydro->strips[i].count;
    return count;
}

#define PIECES_PER_WAVE 8.0 // the surface of a piece is a plane
#define WAVE_SHARE 0.9      // of the sea's energy is in waves that count for that

// Longest piece of a body in this sea, m.
static double FindPieceLength(const hwWorld* world) {
    hwWaveComponent waves[HW_MAX_WAVES];
    int count = hwEnvironment_GetWaves(world->environment, HW_MAX_WAVES, waves);
    double sum = 0.0, part = 0.0;
    for (int i = 0; i < count; ++i) sum += waves[i].amplitude * waves[i].amplitude;
    for (int i = 0; i < count; ++i) {
        part += waves[i].amplitude * waves[i].amplitude;
        if (part >= WAVE_SHARE * sum) return 2.0 * HW_PI / (PIECES_PER_WAVE * waves[i].k);
    }
    return HUGE_VAL;
}

// The pieces that the shapes of a floating body are cut into.
static void TakePieces(const hwBodyObject* body, double longest, hwArena* arena, hwLinkInfo* info) {
    bool moves = body->def.motion == HW_MOTION_FREE && body->def.hydro.volume != 0.0;
    bool cut = moves && longest < 2.0 * body->solid.radius;
    info->pieceCount = cut ? hwSolid_CutIntoPieces(&body->solid, longest, NULL) : 0;
    info->pieces = HW_TAKE(arena, hwShapeDef, info->pieceCount);
    info->pieceMiddles = HW_TAKE(arena, hwVec3, info->pieceCount);
    if (info->pieces == NULL || info->pieceCount == 0) return;
    hwSolid_CutIntoPieces(&body->solid, longest, info->pieces);
    for (int k = 0; k < info->pieceCount; ++k) {
        info->pieceMiddles[k] = hwShape_GetMassProperties(&info->pieces[k]).centroid;
    }
}

static void FillInfo(const hwWorld* world, hwBodyObject* body, hwLinkInfo* info) {
    info->body = body;
    info->mass = body->def.mass;
    info->com = body->def.com;
    info->hydro = body->def.hydro;
    if (info->hydro.volume < 0.0) info->hydro.volume = body->solid.volume;
    if (!info->hydro.hasBuoyancyCenter) {
        info->hydro.buoyancyCenter = body->solid.volume > 0.0 ? body->solid.centroid : hwVec3_zero;
    }
    bool axes = info->hydro.volume > 0.0;
    for (int i = 0; i < 6; ++i) {
        axes = axes || info->hydro.linearDrag[i] > 0.0 || info->hydro.quadraticDrag[i] > 0.0;
    }
    info->simple = body->def.hydroFn == NULL && info->hydro.stripCount == 0 && info->hydro.liftCount == 0 &&
                   !(info->hydro.sphereDrag > 0.0) && !(info->hydro.skinArea > 0.0) && info->pieceCount == 0;
    info->hasHydro = axes || !info->simple;
    info->linearDrag = hwWideSpatial_From(hwSpatialFromArray(info->hydro.linearDrag));
    info->quadraticDrag = hwWideSpatial_From(hwSpatialFromArray(info->hydro.quadraticDrag));
    const hwEnvironmentDef* environment = hwEnvironment_GetDef(world->environment);
    double density = environment->water ? environment->waterDensity : environment->airDensity;
    double radius = body->solid.radius + hwDistance(body->solid.center, info->hydro.buoyancyCenter);
    info->reach = fmax(radius, cbrt(fmax(info->hydro.volume, info->mass / density)));
}

static uint64_t Sign(const hwModel* model) {
    uint64_t hash = 0;
    const int sizes[4] = {model->forest.linkCount, model->coordinateCount, model->freedomCount,
                          model->inputs.count};
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
            hwFail_Hint(error, "inputs are listed by hwWorld_GetInput");
            return status;
        }
        if (hwWorld_CheckInput(model, event->input, event->def.value, error) != HW_OK) return HW_ERROR_MODEL;
        if (hwWorld_CheckWinchInput(model, event->input, event->def.value, error) != HW_OK)
            return HW_ERROR_MODEL;
    }
    return HW_OK;
}

// Joints and feet ---------------------------------------------------------------------------------------------------

static bool HasJoint(const hwBodyObject* body) {
    hwJointType type = GetJointType(body);
    return body->joint != NULL &&
           (type == HW_LINK_REVOLUTE || type == HW_LINK_PRISMATIC || type == HW_LINK_BALL);
}

static int TakeAuxiliary(hwModel* model, bool needed, int count) {
    if (!needed) return -1;
    model->auxiliaryCount += count;
    return model->auxiliaryCount - count;
}

static void FillJoints(hwModel* model) {
    int next = 0, input = 6 + 6 * model->forest.linkCount;
    for (int i = 0; i < model->forest.linkCount; ++i) {
        const hwBodyObject* body = model->links[i].body;
        model->joints->of[i] = -1;
        if (!HasJoint(body)) continue;
        const hwLink* link = &model->forest.links[i];
        const hwLinkDef* def = &body->joint->def;
        hwJointModel* joint = &model->joints->items[next];
        model->joints->of[i] = next++;
        joint->def = def;
        joint->link = i;
        joint->type = link->joint;
        joint->count = hwJoint_CountFreedoms(link->joint);
        joint->coordinate = link->coordinate;
        joint->freedom = link->freedom;
        joint->input = input;
        input += joint->count + HW_JOINT_INPUTS;
        joint->integral = TakeAuxiliary(model, true, joint->count);
        joint->slider = TakeAuxiliary(model, def->friction.coulomb > 0.0, joint->count);
        joint->lag = TakeAuxiliary(model, def->actuator.kind == HW_ACTUATOR_HYDRAULIC, joint->count);
        joint->hold = link->joint == HW_LINK_BALL ? hwRpyFromQuat(def->turn) : hwMakeVec3(def->q, 0.0, 0.0);
        bool stops = isfinite(def->limits.low) || isfinite(def->limits.high) ||
                     isfinite(def->limits.swing[0]) || isfinite(def->limits.swing[1]) ||
                     isfinite(def->limits.swing[2]);
        joint->plain = !stops && def->friction.coulomb == 0.0 && def->friction.viscous == 0.0 &&
                       def->actuator.kind == HW_ACTUATOR_IDEAL;
        model->joints->compensates = model->joints->compensates || def->control.compensate;
    }
}

static void FillFeet(hwModel* model) {
    int next = 0;
    for (int i = 0; i < model->forest.linkCount; ++i) {
        const hwJointObject* joint = model->links[i].body->joint;
        if (joint == NULL) continue;
        for (int k = 0; k < joint->def.feet.count; ++k) {
            hwFootModel foot = {i, k, joint->def.feet.points[k], &joint->def.feet,
                                TakeAuxiliary(model, true, 3)};
            model->feet->items[next++] = foot;
        }
    }
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
    model->fluid->sampleCapacity = model->joints->count = model->feet->count = 0;
    model->auxiliaryCount = HW_AUX_FIRST_FREE;
    double longest = FindPieceLength(world);
    if (writing) NumberLinks(world, forest->linkCount, linkOfSlot, depths, starts);
    for (int i = 0; i < world->bodies.slots; ++i) {
        hwBodyObject* body = world->bodies.items[i];
        if (body == NULL) continue;
        hwLinkInfo cut;
        TakePieces(body, longest, arena, &cut);
        model->fluid->sampleCapacity += 1 + CountStrips(&body->def.hydro) + cut.pieceCount;
        model->joints->count += HasJoint(body);
        model->feet->count += body->joint != NULL ? body->joint->def.feet.count : 0;
        if (!writing) continue;
        FillLink(body, linkOfSlot, &forest->links[linkOfSlot[i]]);
        hwLinkInfo* info = &model->links[linkOfSlot[i]];
        info->pieceCount = cut.pieceCount;
        info->pieces = cut.pieces;
        info->pieceMiddles = cut.pieceMiddles;
        FillInfo(world, body, info);
    }
    model->joints->items = HW_TAKE(arena, hwJointModel, model->joints->count);
    model->joints->of = HW_TAKE(arena, int, forest->linkCount);
    model->feet->items = HW_TAKE(arena, hwFootModel, model->feet->count);
    hwModel_LayVehicles(world, arena, model);
    hwModel_LayCables(world, arena, model);
    hwModel_LayShips(world, arena, model);
    hwModel_LayMaterials(world, arena, model);
    hwModel_LayContact(world, arena, model);
    model->forces->count = CountObjects(&world->forces);
    model->forces->items = HW_TAKE(arena, hwForceObject*, model->forces->count);
    model->eventCount = CountObjects(&world->events);
    model->events = HW_TAKE(arena, hwEventObject*, model->eventCount);
    if (!writing) return;
    hwForest_Compile(forest);
    for (int i = 0; i < forest->linkCount; ++i) model->links[i].active = !forest->data[i].grounded;
    FillJoints(model);
    FillFeet(model);
    hwModel_FillVehicles(world, linkOfSlot, model);
    hwModel_FillCables(world, model);
    hwModel_FillShips(world, model);
    model->drives = FindDrives(model);
    int force = 0;
    for (int i = 0; i < world->forces.slots; ++i) {
        if (world->forces.items[i] != NULL) model->forces->items[force++] = world->forces.items[i];
    }
}

static void LayWork(const hwModel* model, size_t stateSize, hwArena* arena, hwWork* work) {
    int links = model->forest.linkCount, freedoms = model->forest.freedomCount;
    hwForest_TakeWork(&model->forest, arena, &work->forest);
    work->drives = HW_TAKE(arena, hwDrive, links);
    work->fluid->wetLinks = HW_TAKE(arena, int, links);
    work->fluid->added = HW_TAKE(arena, hwWideSym, links);
    work->fluid->addedDiagonal = HW_TAKE(arena, bool, links);
    work->fluid->addedAxes = HW_TAKE(arena, hwWideSpatial, links);
    work->forces->loadedLinks = HW_TAKE(arena, int, links);
    work->fluid->firstSample = HW_TAKE(arena, int, links);
    work->fluid->sampleLocal = HW_TAKE(arena, hwVec3, model->fluid->sampleCapacity);
    work->fluid->sampleLink = HW_TAKE(arena, int, model->fluid->sampleCapacity);
    work->fluid->samplePoints = HW_TAKE(arena, hwVec3, model->fluid->sampleCapacity);
    work->fluid->slopeRates = HW_TAKE(arena, hwVec3, model->fluid->sampleCapacity);
    work->fluid->samples = HW_TAKE(arena, hwFluidSample, model->fluid->sampleCapacity);
    work->fluid->otherSide = HW_TAKE(arena, hwFluidSample, links);
    work->wrench = HW_TAKE(arena, hwWideSpatial, links);
    work->inertia = HW_TAKE(arena, hwWideSym, links);
    work->terms = HW_TAKE(arena, hwLinkTerms, links);
    work->K = HW_TAKE(arena, hwWideSym, links);
    work->linkPotential = HW_TAKE(arena, double, links);
    work->linkSubmerged = HW_TAKE(arena, double, links);
    work->fluid->linkPowers = HW_TAKE(arena, hwPowers, links);
    double** joints[] = {&work->jointEffort,          &work->jointInertia,      &work->jointVirtual,
                         &work->joints->damping,      &work->joints->stiffness, &work->joints->offDamping,
                         &work->joints->offStiffness, &work->jointDiagonal,     &work->jointOff};
    for (size_t i = 0; i < sizeof(joints) / sizeof(joints[0]); ++i)
        *joints[i] = HW_TAKE(arena, double, freedoms);
    work->joints->carried = HW_TAKE(arena, hwVec3, links);
    work->feet->force = HW_TAKE(arena, double, 3 * model->feet->count);
    work->vehicles->motions = HW_TAKE(arena, hwVehicleMotion, model->vehicles->count);
    work->vehicles->outputs = HW_TAKE(arena, hwVehicleOutput, model->vehicles->count);
    work->efforts = HW_TAKE(arena, double, freedoms);
    work->residual = HW_TAKE(arena, double, model->freedomCount);
    hwWork_LayCables(model, arena, work);
    hwWork_LayContact(model, arena, work);
    double** auxiliaries[] = {&work->z, &work->zdot, &work->z0, &work->zBase, &work->zdot0, &work->zdot1};
    for (size_t i = 0; i < sizeof(auxiliaries) / sizeof(auxiliaries[0]); ++i) {
        *auxiliaries[i] = HW_TAKE(arena, double, model->auxiliaryCount);
    }
    work->backup = HW_TAKE(arena, char, stateSize);
    work->spins = HW_TAKE(arena, hwSpin, model->forest.linkCount);
    work->q0 = HW_TAKE(arena, double, model->coordinateCount);
    work->rates = HW_TAKE(arena, double, model->coordinateCount);
    work->y = HW_TAKE(arena, double, model->coordinateCount + model->freedomCount);
    work->factorY =
        HW_TAKE(arena, double, model->coordinateCount + model->freedomCount + model->auxiliaryCount);
    double** vectors[] = {&work->v0, &work->a0, &work->v1, &work->a1,   &work->d1,
                          &work->v,  &work->a,  &work->d,  &work->step, &work->estimate};
    for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); ++i)
        *vectors[i] = HW_TAKE(arena, double, model->freedomCount);
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

static void CarryAuxiliary(const hwState* from, int old, hwState* to, int index, int count) {
    if (old < 0 || index < 0) return;
    memcpy(to->z + index, from->z + old, (size_t)count * sizeof(double));
}

// Integrals, friction and lags of the joints, and the friction of feet, that were there before.
static void CarryAuxiliaries(const hwWorld* world, const hwModel* model, hwState* state) {
    const hwModel* old = &world->model;
    for (int k = 0; k < model->joints->count; ++k) {
        const hwJointModel* joint = &model->joints->items[k];
        int link = model->links[joint->link].body->link;
        if (link < 0 || old->joints->of[link] < 0) continue;
        const hwJointModel* before = &old->joints->items[old->joints->of[link]];
        CarryAuxiliary(&world->state, before->integral, state, joint->integral, joint->count);
        CarryAuxiliary(&world->state, before->slider, state, joint->slider, joint->count);
        CarryAuxiliary(&world->state, before->lag, state, joint->lag, joint->count);
    }
    for (int k = 0; k < model->feet->count; ++k) {
        const hwFootModel* foot = &model->feet->items[k];
        int link = model->links[foot->link].body->link;
        for (int m = 0; m < old->feet->count; ++m) {
            if (old->feet->items[m].link != link || old->feet->items[m].index != foot->index) continue;
            CarryAuxiliary(&world->state, old->feet->items[m].slider, state, foot->slider, 3);
        }
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
    state->forces->world[newLink] = world->state.forces->world[oldLink];
    state->forces->impedance[newLink] = world->state.forces->impedance[oldLink];
    state->forces->body[newLink] = world->state.forces->body[oldLink];
    state->fluid->addedMass[newLink] = world->state.fluid->addedMass[oldLink];
    state->ships->manual[newLink] = world->state.ships->manual[oldLink];
}

static void FillState(const hwWorld* world, hwModel* model, hwState* state) {
    bool again = world->model.block != NULL;
    for (int k = 0; k < model->joints->count; ++k) hwWorld_StartJointInputs(model, k, state->inputs);
    hwWorld_StartVehicleInputs(model, state->inputs);
    hwWorld_StartWinchInputs(model, state->inputs);
    if (again) {
        *state->header = *world->state.header;
        memcpy(state->z, world->state.z, HW_AUX_FIRST_FREE * sizeof(double));
        for (int i = 0; i < model->inputs.count; ++i) {
            int old = hwNameTable_Find(&world->model.inputs, model->inputs.entries[i].name);
            if (old >= 0) state->inputs[i] = world->state.inputs[old];
        }
    } else {
        state->header->time = world->def.time;
    }
    state->header->signature = model->signature;
    state->header->accelerationValid = 0;
    state->header->nextStep = 0.0;
    state->header->eventsDone = 0;
    while (state->header->eventsDone < (uint64_t)model->eventCount &&
           model->events[state->header->eventsDone]->time < state->header->time) {
        state->header->eventsDone += 1;
    }
    for (int i = 0; i < model->forest.linkCount; ++i) {
        const hwBodyObject* body = model->links[i].body;
        state->fluid->addedMass[i] = hwSpatialSymFromArray(&body->def.hydro.addedMass[0][0]);
        WriteInitial(body, &model->forest.links[i], state);
        if (again && body->link >= 0) CarryOver(world, body->link, model, i, state);
    }
    if (again) CarryAuxiliaries(world, model, state);
    hwWorld_StartVehicleStates(world, model, state);
    hwWorld_CarryCables(world, model, state);
    if (again) hwWorld_CarrySwitches(world, model, state);
    if (again) hwWorld_CarryContacts(world, model, state);
}

// Three blocks: the model, the tables of names, and then state and work, whose sizes depend on both.
typedef struct Blocks {
    hwModel model;
    hwState state;
    hwWork work;
} Blocks;

static void FreeBlocks(const hwAllocator* allocator, Blocks* blocks) {
    if (blocks->model.slices == NULL) return;
    hwModel_FreeObstacles(allocator, &blocks->model);
    hwModel_FreeContact(allocator, &blocks->model);
    hwRelease(allocator, blocks->model.block);
    hwRelease(allocator, blocks->model.tableBlock);
    hwRelease(allocator, blocks->state.block);
    hwRelease(allocator, blocks->work.block);
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

static bool Reserve(const hwAllocator* allocator, hwArena* arena) {
    arena->base = hwAllocate(allocator, arena->used);
    arena->used = 0;
    return arena->base != NULL;
}

static hwStatus BuildModel(const hwWorld* world, hwModel* model, hwError* error) {
    hwArena arena = {0};
    LayModel(world, &arena, model);
    if (!Reserve(&world->allocator, &arena)) return hwFail_Memory(error, NULL);
    model->block = arena.base;
    LayModel(world, &arena, model);
    hwStatus status = hwWorld_CheckMaterials(world, model, error);
    if (status == HW_OK) status = hwModel_FillRules(world, model, error);
    if (status == HW_OK) status = hwModel_FillContact(world, model, error);
    if (status == HW_OK && !world->contact.off) status = hwModel_BuildObstacles(world, model, error);
    if (status != HW_OK) return status;
    hwArena tables = {0};
    hwModel_LayChannels(world, &tables, model);
    if (!Reserve(&world->allocator, &tables)) return hwFail_Memory(error, NULL);
    model->tableBlock = tables.base;
    hwModel_LayChannels(world, &tables, model);
    hwModel_FindVehicleInputs(model);
    hwModel_FindWinchInputs(model);
    model->signature = Sign(model);
    return FillEvents(world, model, error);
}

static hwStatus BuildState(const hwWorld* world, Blocks* blocks, hwError* error) {
    hwArena state = {0}, work = {0};
    hwState_Lay(&blocks->model, &state, &blocks->state);
    LayWork(&blocks->model, state.used, &work, &blocks->work);
    if (!Reserve(&world->allocator, &state)) return hwFail_Memory(error, NULL);
    hwState_Lay(&blocks->model, &state, &blocks->state);
    if (!Reserve(&world->allocator, &work)) return hwFail_Memory(error, NULL);
    LayWork(&blocks->model, state.used, &work, &blocks->work);
    blocks->work.block = work.base;
    hwForest_StartWork(&blocks->work.forest);
    blocks->work.ships->time = (double)NAN;
    FillState(world, &blocks->model, &blocks->state);
    return HW_OK;
}

// Where a link on a free joint starts, from where its parent is.
static void PlaceFree(hwWorld* world, int link) {
    const hwBodyObject* body = world->model.links[link].body;
    const hwBodyDef* def = &body->def;
    hwState* state = &world->state;
    hwWorld_ComputeLinkMotion(world, state->header->time, state->q, state->v);
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
    for (int slot = 0; slot < model->cables->count; ++slot) {
        if (slot > 0 && model->cables->slots[slot].object == model->cables->slots[slot - 1].object)
            continue; // kept for cuts
        const hwCableModel* cable = &model->cables->slots[slot].model;
        sum += hwCableModel_GetMass(cable, 0.0, cable->starts[cable->sectionCount]);
    }
    return sum;
}

hwStatus hwWorld_Compile(hwWorld* world, hwError* error) {
    hwWorld_DropQueries(world);
    Blocks blocks = {0};
    if (!hwParts_TakeSlices(&world->allocator, &blocks.model, &blocks.state, &blocks.work))
        return hwFail_Memory(error, NULL);
    hwStatus status = BuildModel(world, &blocks.model, error);
    if (status == HW_OK) status = BuildState(world, &blocks, error);
    if (status != HW_OK) {
        FreeBlocks(&world->allocator, &blocks);
        return status;
    }
    blocks.model.mass = SumMass(&blocks.model);
    hwModel_Free(world);
    world->model = blocks.model;
    world->state = blocks.state;
    world->work = blocks.work;
    for (int i = 0; i < world->model.forest.linkCount; ++i) {
        hwBodyObject* body = world->model.links[i].body;
        bool starts = body->link < 0;
        body->link = i;
        if (starts && LeavesParent(body)) PlaceFree(world, i);
    }
    hwWorld_FindWetLinks(world);
    status = hwWorld_StartCables(world, error);
    world->couplingsStale = true;
    double instant = 0.0;
    if (status == HW_OK) status = hwWorld_PlanContacts(world, &instant, error);
    if (status == HW_OK) hwWorld_ExcludeNested(world);
    if (status != HW_OK) {
        hwWorld_Unprepare(world);
        return status;
    }
    world->prepared = true;
    world->fresh = false;
    return HW_OK;
}
