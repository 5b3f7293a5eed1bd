// Cables within a step: where their ends are, forces and matrices, powers of the audit. Condensation to the links they hang on is in
// cable_solve.c; what changes cables between steps is in cable_change.c.
#include "parts/cables/cables.h"

#include <math.h>
#include <string.h>

hwCableState hwWorld_ViewCable(const hwWorld* world, int slot, double* q, double* v) {
    const hwCableSlot* cable = &world->model.cables->slots[slot];
    const hwCableStore* store = &world->state.cables->stores[slot];
    hwCableState view = {store->core,
                         (hwVec3*)(void*)(q + cable->coordinate),
                         (hwVec3*)(void*)(v + cable->freedom),
                         store->material,
                         store->anchor,
                         store->slack,
                         store->level,
                         NULL};
    return view;
}

static const hwCableEndKind endKinds[3] = {HW_CABLE_FREE, HW_CABLE_PIN, HW_CABLE_CLAMP}; // by hwAttachment

// Whether what holds the end may move, now or later.
static bool IsMoved(const hwWorld* world, const hwEndState* end) {
    if (end->joint == HW_ATTACH_FREE) return false;
    if (end->link < 0) return end->path || end->manual;
    return !hwModel_IsStill(&world->model, end->link);
}

// Ends -------------------------------------------------------------------------------------------------------------------

static void PlaceOnLink(const hwWorld* world, const hwEndState* end, hwVec3* position, hwVec3* velocity,
                        hwEndMotion* motion, hwCableEnd* out) {
    const hwLinkMotion* m = &world->work->forest.motion[end->link];
    hwWide arm = hwWideMat_Mul(&m->R, hwWide_FromVec3(end->at));
    motion->arm = hwWide_ToVec3(arm);
    *position = hwWide_ToVec3(m->p + arm);
    *velocity = hwWide_ToVec3(m->v.l + hwWide_Cross(m->v.a, arm));
    out->tangent = hwWide_ToVec3(hwWideMat_Mul(&m->R, hwWide_FromVec3(end->tangent)));
    out->normal = hwWide_ToVec3(hwWideMat_Mul(&m->R, hwWide_FromVec3(end->normal)));
    out->rate = hwWide_ToVec3(m->v.a);
}

static void PlaceOnEarth(const hwWorld* world, const hwEndState* end, const hwSignal* path, double time,
                         hwVec3* position, hwVec3* velocity, hwEndMotion* motion, hwCableEnd* out) {
    *position = end->at;
    *velocity = motion->acceleration = hwVec3_zero;
    if (end->path) {
        hwSignalValue value = hwWorld_FollowPath(world, path, time);
        *position = value.value;
        *velocity = value.rate;
        motion->acceleration = value.acceleration;
    } else if (end->manual) {
        double dt = time - end->time;
        *position = hwMulAdd(hwMulAdd(end->at, dt, end->velocity), 0.5 * dt * dt, end->acceleration);
        *velocity = hwMulAdd(end->velocity, dt, end->acceleration);
        motion->acceleration = end->acceleration;
    }
    out->tangent = end->tangent;
    out->normal = end->normal;
    out->rate = end->rate;
    if (hwLengthSquared(end->rate) == 0.0) return;
    hwQuat turn = hwQuatFromRotationVector(hwScale(time - end->turnTime, end->rate));
    out->tangent = hwRotate(turn, end->tangent);
    out->normal = hwRotate(turn, end->normal);
}

// In statics ends stand still; a tow is taken off the flow.
static void PlaceEnds(const hwWorld* world, int slot, const hwMode* mode, double time) {
    hwCableTools* tools = &world->work->cables->tools[slot];
    const hwCableStore* store = &world->state.cables->stores[slot];
    const hwCableDef* def = &world->model.cables->slots[slot].object->def;
    int last = store->core->nodes - 1;
    for (int e = 0; e < 2; ++e) {
        const hwEndState* end = &store->ends[e];
        hwCableEnd* out = &tools->input.ends[e];
        out->kind = endKinds[end->joint];
        out->unknown = hwCables_IsUnknown(world, end);
        out->moves = IsMoved(world, end);
        out->payout = out->acceleration = 0.0;
        if (end->joint == HW_ATTACH_FREE) continue;
        hwVec3* position = &tools->state.position[e == 0 ? 0 : last];
        hwVec3* velocity = &tools->state.velocity[e == 0 ? 0 : last];
        if (end->link >= 0) {
            PlaceOnLink(world, end, position, velocity, &tools->ends[e], out);
        } else {
            PlaceOnEarth(world, end, &def->ends[e].path, time, position, velocity, &tools->ends[e], out);
        }
        tools->ends[e].place = *position;
        if (mode->calm && !(mode->swings && end->link >= 0))
            *velocity = tools->ends[e].acceleration = out->rate = hwVec3_zero;
    }
}

void hwCables_Attach(const hwWorld* world, const hwMode* mode, double time) {
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        if (!hwWorld_HasCable(world, slot)) continue;
        world->work->cables->tools[slot].state =
            hwWorld_ViewCable(world, slot, world->state.q, world->state.v);
        PlaceEnds(world, slot, mode, time);
    }
}

static bool HasGuidedEnd(const hwWorld* world) {
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        const hwEndState* ends = world->state.cables->stores[slot].ends;
        if (ends[0].manual == HW_GUIDED || ends[1].manual == HW_GUIDED) return true;
    }
    return false;
}

bool hwCables_Place(const hwWorld* world) {
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        if (!hwWorld_HasCable(world, slot)) continue;
        hwCableTools* tools = &world->work->cables->tools[slot];
        for (int e = 0; e < 2; ++e) {
            if (tools->input.ends[e].kind == HW_CABLE_FREE) continue;
            tools->state.position[e == 0 ? 0 : tools->work.nodes - 1] = tools->ends[e].place;
        }
        const hwCableOps* ops = world->model.cables->slots[slot].ops;
        // one that wraps is shown when its path has moved on
        if (ops->show != NULL && !world->model.cables->slots[slot].wraps) ops->show(world, slot);
    }
    return HasGuidedEnd(world);
}

// Acceleration of an end from the accelerations of the links; known ends on the earth have theirs already.
static void AccelerateEnds(const hwWorld* world, int slot) {
    hwCableTools* tools = &world->work->cables->tools[slot];
    const hwCableStore* store = &world->state.cables->stores[slot];
    for (int e = 0; e < 2; ++e) {
        const hwEndState* end = &store->ends[e];
        if (end->joint == HW_ATTACH_FREE || end->link < 0) continue;
        hwWideSpatial a = world->work->forest.a[end->link];
        hwWide w = world->work->forest.motion[end->link].v.a, arm = hwWide_FromVec3(tools->ends[e].arm);
        tools->ends[e].acceleration =
            hwWide_ToVec3(a.l + hwWide_Cross(a.a, arm) + hwWide_Cross(w, hwWide_Cross(w, arm)));
    }
}

// Evaluation -------------------------------------------------------------------------------------------------------------

// Sums of harmonics are what a cable in a sea spends its time on. Within one stage of a step, Newton's method asks for them
// at places that differ by little: there a node keeps its sample, and its surface follows the slope. Where waves of wave
// number k move at u, a distance r changes that by k r u; k is below 1/m for all waves that matter, so with half the
// tolerance in metres the water is as good as the step. At the depth d waves with k = 2/d matter most, and none above twice
// that: there it is d/4 times as far, as long as currents allow. The first evaluation of a stage samples anew, which keeps what a
// step does a function of the state alone.
#define DEEP_REUSE 8.0 // at most: currents may vary over a few metres, in lees over less

static void SampleAgain(const hwWorld* world, hwCableTools* tools, int first, int last,
                        const hwEvaluation* e) {
    const hwVec3* x = tools->state.position;
    double most = hwEnvironment_GetDef(world->environment)->leeCount > 0 ? 1.0 : DEEP_REUSE;
    for (int i = first; i < last; ++i) {
        hwFluidSample* sample = &tools->fluid[i];
        hwVec3 d = hwSub(x[i], tools->sampled[i]);
        double near = 0.5 * e->reuse * hwClamp(0.25 * (tools->surface[i] - x[i].z), 1.0, most);
        if (hwDot(d, d) <= near * near) {
            sample->surface =
                tools->surface[i] - (sample->normal.x * d.x + sample->normal.y * d.y) / sample->normal.z;
        } else {
            hwWaveCell* cell = tools->cells != NULL ? &tools->cells[i] : NULL;
            hwWorld_SampleCells(world, &e->mode, 1, &x[i], e->time, cell, true, sample);
            if (e->mode.towed) sample->velocity = hwSub(sample->velocity, tools->tow);
            tools->sampled[i] = x[i];
            tools->surface[i] = sample->surface;
        }
    }
}

// Of the nodes from `first` to before `last`; the caller notes the stage once all are done.
static void SampleFluid(const hwWorld* world, hwCableTools* tools, int first, int last,
                        const hwEvaluation* e) {
    const hwVec3* x = tools->state.position;
    if (e->stage != 0 && tools->sampledStage == e->stage) {
        SampleAgain(world, tools, first, last, e);
        return;
    }
    hwWorld_SampleCells(world, &e->mode, last - first, x + first, e->time,
                        tools->cells != NULL ? tools->cells + first : NULL, false, tools->fluid + first);
    for (int i = first; i < last && e->mode.towed; ++i)
        tools->fluid[i].velocity = hwSub(tools->fluid[i].velocity, tools->tow);
    if (e->stage == 0) return;
    memcpy(tools->sampled + first, x + first, (size_t)(last - first) * sizeof(hwVec3));
    for (int i = first; i < last; ++i) tools->surface[i] = tools->fluid[i].surface;
}

static bool HasFluid(const hwWorld* world) {
    const hwEnvironmentDef* environment = hwEnvironment_GetDef(world->environment);
    return environment->water || environment->airDensity > 0.0;
}

static bool HasLevelBottom(const hwWorld* world) {
    return hwEnvironment_GetDef(world->environment)->seabed.kind == HW_SEABED_PLANE;
}

// The level bottom below the nodes from `from` to before `to`.
static void SampleLevel(const hwWorld* world, hwCableTools* tools, int from, int to) {
    const hwEnvironmentDef* environment = hwEnvironment_GetDef(world->environment);
    double floor = environment->surface - environment->seabed.depth;
    for (int i = from; i < to; ++i) tools->floor[i] = floor;
    hwCableSeabed_LowerBeds(&tools->seabed, &tools->state, from, to);
}

static void SampleBottom(const hwWorld* world, int slot) {
    hwCableTools* tools = &world->work->cables->tools[slot];
    int nodes = tools->state.core->nodes;
    const hwVec3* x = tools->state.position;
    if (!hwWorld_MeetsBottom(world, slot)) return;
    if (HasLevelBottom(world)) {
        tools->seabed.normal = NULL;
        SampleLevel(world, tools, 0, nodes);
        return;
    }
    tools->seabed.normal = tools->floorNormal;
    for (int i = 0; i < nodes; ++i)
        tools->floor[i] = hwEnvironment_GetSeabed(world->environment, x[i].x, x[i].y, &tools->floorNormal[i]);
    hwCableSeabed_LowerBeds(&tools->seabed, &tools->state, 0, nodes);
}

double hwCables_GetGroundEnergy(const hwWorld* world, int slot) {
    hwCableTools* tools = &world->work->cables->tools[slot];
    const hwCableStore* store = &world->state.cables->stores[slot];
    if (!hwWorld_HasNodes(world, slot) || !hwWorld_MeetsBottom(world, slot)) return 0.0;
    tools->state = hwWorld_ViewCable(world, slot, world->state.q, world->state.v);
    for (int e = 0; e < 2; ++e) {
        tools->work.input.ends[e].kind = endKinds[store->ends[e].joint];
        tools->work.input.ends[e].moves = IsMoved(world, &store->ends[e]);
    }
    SampleBottom(world, slot);
    return hwCableWork_GetSeabedEnergy(&tools->work, &tools->state, &tools->seabed);
}

void hwCables_Sample(const hwWorld* world, int slot, const hwEvaluation* e) {
    hwCableTools* tools = &world->work->cables->tools[slot];
    tools->input.fluid = HasFluid(world) ? tools->fluid : NULL;
    if (HasFluid(world)) SampleFluid(world, tools, 0, tools->state.core->nodes, e);
    tools->sampledStage = e->stage;
    SampleBottom(world, slot);
}

static void AddForceAt(hwCableTools* tools, double at, hwVec3 force) {
    double part;
    int e = hwCableState_Locate(&tools->state, at, &part);
    const hwVec3* v = tools->state.velocity;
    hwCableState_AddForce(&tools->state, at, force, tools->work.force);
    tools->applied += hwDot(force, hwMulAdd(v[e], part, hwSub(v[e + 1], v[e])));
}

// Forces on the nodes by a law of the caller's own.
static void AddOwnForces(hwCableTools* tools, const hwCableForceDef* def, double time) {
    hwCableWork* work = &tools->work;
    size_t nodes = (size_t)work->nodes;
    memset(tools->ownForces, 0, nodes * sizeof(hwVec3));
    memset(tools->ownDamping, 0, nodes * sizeof(double[6]));
    memset(tools->ownStiffness, 0, nodes * sizeof(double[6]));
    hwCableForceInput input = {.time = time,
                               .nodeCount = work->nodes,
                               .positions = tools->state.position,
                               .velocities = tools->state.velocity,
                               .materials = tools->state.material};
    hwCableForceOutput output = {tools->ownForces, tools->ownDamping, tools->ownStiffness};
    def->function(&input, &output, def->functionContext);
    double hd = work->input.hd;
    for (int i = 0; i < work->nodes; ++i) {
        work->force[i] = hwAdd(work->force[i], tools->ownForces[i]);
        tools->applied += hwDot(tools->ownForces[i], tools->state.velocity[i]);
        if (!work->input.matrix) continue;
        hwCableBlock block;
        for (int k = 0; k < 6; ++k) {
            block[k] = hd * tools->ownDamping[i][k] + hd * hd * tools->ownStiffness[i][k];
        }
        hwCableWork_AddBlock(work, i, block);
    }
}

void hwCables_Load(const hwWorld* world, int slot, double time) {
    hwCableTools* tools = &world->work->cables->tools[slot];
    const hwCableStore* store = &world->state.cables->stores[slot];
    const hwCableObject* object = world->model.cables->slots[slot].object;
    tools->applied = 0.0;
    double length = hwCableState_GetLength(&tools->state);
    for (int k = 0; k < *store->loadCount; ++k) {
        if (store->loads[k].at <= length) AddForceAt(tools, store->loads[k].at, store->loads[k].force);
    }
    for (int k = 0; k < world->model.cables->forceCount; ++k) {
        const hwCableForceDef* def = &world->model.cables->forces[k]->def;
        if (!HW_SAME_ID(def->cable, object->id) || def->at > length) continue;
        AddForceAt(tools, def->at, hwSignal_Evaluate(&def->force, time).value);
        if (def->function != NULL) AddOwnForces(tools, def, time);
    }
}

// The audit does not take part in the motion; evaluations leave it as it is. So they do with links that are not there.
static void HoldAudit(hwWork* work, const hwCableSlot* cable, const double* zBase) {
    const int indices[3] = {cable->dissipated, cable->work, cable->outside};
    for (int k = 0; k < 3; ++k) {
        work->z[indices[k]] = zBase[indices[k]];
        work->zdot[indices[k]] = 0.0;
    }
    memcpy(work->z + cable->impulse, zBase + cable->impulse, 12 * sizeof(double));
    memset(work->zdot + cable->impulse, 0, 12 * sizeof(double));
    if (cable->integral < 0) return;
    size_t bytes = (size_t)(cable->model.nodeCapacity - 1) * sizeof(double);
    memcpy(work->z + cable->integral, zBase + cable->integral, bytes);
    memset(work->zdot + cable->integral, 0, bytes);
}

// The integrals of behavioural links: auxiliaries that follow the errors of this evaluation.
static void GiveIntegrals(const hwWorld* world, int slot, const hwEvaluation* e) {
    hwCableTools* tools = &world->work->cables->tools[slot];
    size_t elements = (size_t)world->state.cables->stores[slot].core->nodes - 1;
    memcpy(tools->integral, e->zBase + world->model.cables->slots[slot].integral, elements * sizeof(double));
    tools->input.integral = tools->integral;
    tools->input.integralStep = e->hd;
    tools->input.penalty = hwCables_GetLinkPenalty(world, &e->mode, slot);
}

static void TakeIntegrals(const hwWorld* world, int slot, const double* zBase, double hd) {
    const hwCableSlot* cable = &world->model.cables->slots[slot];
    const hwCableWork* work = &world->work->cables->tools[slot].work;
    for (int e = 0; e < cable->model.nodeCapacity - 1; ++e) {
        double error = e < work->nodes - 1 ? work->linkError[e] : 0.0;
        world->work->zdot[cable->integral + e] = error;
        world->work->z[cable->integral + e] = zBase[cable->integral + e] + hd * error;
    }
}

// Masses by hwCable_AddMass, shared by the nodes around them.
static void GiveMasses(const hwWorld* world, int slot) {
    hwCableTools* tools = &world->work->cables->tools[slot];
    const hwCableStore* store = &world->state.cables->stores[slot];
    tools->input.inertia = NULL;
    for (int k = 0; k < *store->loadCount; ++k) {
        const hwCableLoad* load = &store->loads[k];
        if (!(load->mass > 0.0) || load->at > hwCableState_GetLength(&tools->state)) continue;
        if (tools->input.inertia == NULL) {
            memset(tools->inertia, 0, (size_t)tools->state.core->nodes * sizeof(double));
            tools->input.inertia = tools->inertia;
        }
        double part;
        int e = hwCableState_Locate(&tools->state, load->at, &part);
        tools->inertia[e] += (1.0 - part) * load->mass;
        tools->inertia[e + 1] += part * load->mass;
    }
}

void hwCables_Touch(const hwWorld* world, const hwMode* mode, int slot, const hwCableState* state,
                    hwCableContact* sum) {
    HW_EACH_HOOK(world, part, touch) part->cables->touch(world, mode, slot, state, sum);
}

// What happens at the ends before the forces: nothing, or what winches and sheaves say.
static void FeedEnds(const hwWorld* world, int slot, const hwEvaluation* e) {
    hwCableTools* tools = &world->work->cables->tools[slot];
    for (int end = 0; end < 2; ++end) {
        tools->input.ends[end].softening = 1.0;
        tools->slides[end].freedom = -1;
        tools->flux[end] = hwVec3_zero;
    }
    HW_EACH_HOOK(world, part, feed) part->cables->feed(world, slot, e);
    for (int end = 0; end < 2; ++end) {
        tools->input.ends[end].fed = tools->slides[end].freedom >= 0 || tools->input.ends[end].payout != 0.0;
    }
}

// Cables side by side --------------------------------------------------------------------------------------------------

#define ENOUGH_NODES 256 // with fewer, a cable takes less time than it takes to hand it to another thread

// Where it pays to share them out; counts cables with nodes.
static hwTeam* GetTeam(const hwWorld* world, int* there) {
    int nodes = 0;
    *there = 0;
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        if (!hwWorld_HasNodes(world, slot)) continue;
        nodes += world->state.cables->stores[slot].core->nodes;
        *there += 1;
    }
    return nodes >= ENOUGH_NODES ? world->team : NULL;
}

void hwCableJob_Run(const hwCableJob* job, int atOnce, hwLoopFn* function) {
    int count = job->world->model.cables->count, there;
    hwCableJob own = *job;
    if (count == 1) {
        function(0, 1, &own);
        return;
    }
    hwTeam* team = GetTeam(job->world, &there);
    int chunk = atOnce > 1 && there > 0 ? atOnce * ((count + there - 1) / there) : 1;
    hwTeam_Loop(team, count, chunk, function, &own);
}

static void RunSlots(const hwCableJob* job, hwLoopFn* function) {
    hwCableJob_Run(job, 1, function);
}

// Cuts the nodes of a cable into lots, from lot `first` on.
static void CutCable(const hwWorld* world, int slot, int first) {
    hwWork* work = world->work;
    hwCableTools* tools = &work->cables->tools[slot];
    int nodes = hwWorld_HasNodes(world, slot) ? tools->state.core->nodes : 0;
    tools->lot = first;
    tools->lotCount = nodes > 0 ? hwCable_CountPieces(nodes) : 0;
    for (int k = 0; k < tools->lotCount; ++k) {
        hwCablePiece piece = hwCable_CutPiece(nodes, tools->lotCount, k);
        int freedom = world->model.cables->slots[slot].freedom + 3 * piece.from;
        work->cables->pieces[first + k] = piece;
        work->lots[first + k] = (hwLot){slot, piece.from, piece.to, first + k > 0 ? freedom : 0};
    }
}

// Whether a cable's lots are still what they are to be. Islands have lots of their own, and cables in common with the world.
static bool IsCut(const hwWorld* world, int slot, int first) {
    const hwWork* work = world->work;
    const hwCableTools* tools = &work->cables->tools[slot];
    if (tools->lot != first || tools->lotCount == 0 || first + tools->lotCount > work->lotCount) return false;
    const hwLot *own = work->lots + first, *last = own + tools->lotCount - 1;
    return hwWorld_HasNodes(world, slot) && own->slot == slot && own->from == 0 && last->slot == slot &&
           last->to == tools->state.core->nodes;
}

static void CutLots(const hwWorld* world) {
    hwWork* work = world->work;
    int count = 0;
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        if (!IsCut(world, slot, count)) CutCable(world, slot, count);
        count += work->cables->tools[slot].lotCount;
    }
    work->lotCount = count;
    work->lots[count].freedom = work->freedomsInUse;
}

// The water of lots, and what is gathered of them where they are evaluated as such.
static void SampleLots(int first, int last, void* context) {
    const hwCableJob* job = context;
    for (int k = first; k < last; ++k) {
        const hwLot* lot = &job->world->work->lots[k];
        hwCableTools* tools = &job->world->work->cables->tools[lot->slot];
        if (tools->input.fluid != NULL) SampleFluid(job->world, tools, lot->from, lot->to, job->e);
        if (tools->inPieces)
            hwCableWork_GatherPiece(&tools->work, &tools->state, &tools->input, lot->from, lot->to);
    }
}

static void EvaluateSlots(int first, int last, void* context) {
    const hwCableJob* job = context;
    const hwWorld* world = job->world;
    for (int slot = first; slot < last; ++slot) {
        if (!hwWorld_HasNodes(world, slot)) continue;
        hwCableTools* tools = &world->work->cables->tools[slot];
        SampleBottom(world, slot);
        hwCableWork_Evaluate(&tools->work, &tools->state, &tools->input);
        if (tools->integral != NULL) TakeIntegrals(world, slot, job->e->zBase, job->e->hd);
        hwCables_Load(world, slot, job->e->time);
        memset(&tools->contact, 0, sizeof(tools->contact));
        if (hwWorld_MeetsBottom(world, slot)) {
            tools->contact = hwCableWork_AddSeabed(&tools->work, &tools->state, &tools->seabed);
        }
        memset(&tools->touch, 0, sizeof(tools->touch));
    }
}

// Long cables are evaluated by lots, so that threads have equal shares of few cables (cable/pieces.h).
static bool BeginInPieces(const hwWorld* world, int slot) {
    hwCableTools* tools = &world->work->cables->tools[slot];
    bool meets = hwWorld_MeetsBottom(world, slot);
    tools->inPieces = hwCable_CountPieces(tools->state.core->nodes) > 1 &&
                      (!meets || HasLevelBottom(world)) &&
                      hwCableWork_GoesInPieces(&tools->work, &tools->input);
    if (!tools->inPieces) return false;
    if (meets) tools->seabed.normal = NULL;
    hwCableWork_BeginPieces(&tools->work, &tools->state, &tools->input);
    return true;
}

static void EvaluateElements(int first, int last, void* context) {
    const hwWork* work = ((const hwCableJob*)context)->world->work;
    for (int k = first; k < last; ++k) {
        hwCableTools* tools = &work->cables->tools[work->lots[k].slot];
        if (tools->inPieces)
            hwCableWork_EvaluateElements(&tools->work, &tools->input, &work->cables->pieces[k]);
    }
}

// Of cables that are not evaluated by lots all, with their first lot.
static void EvaluateNodes(int first, int last, void* context) {
    const hwWorld* world = ((const hwCableJob*)context)->world;
    for (int k = first; k < last; ++k) {
        const hwLot* lot = &world->work->lots[k];
        hwCableTools* tools = &world->work->cables->tools[lot->slot];
        if (!tools->inPieces) {
            if (lot->from == 0) EvaluateSlots(lot->slot, lot->slot + 1, context);
            continue;
        }
        bool meets = hwWorld_MeetsBottom(world, lot->slot);
        if (meets) SampleLevel(world, tools, lot->from, lot->to);
        hwCableWork_EvaluateNodes(&tools->work, &tools->state, &tools->input, meets ? &tools->seabed : NULL,
                                  &world->work->cables->pieces[k]);
    }
}

static void FinishInPieces(const hwWorld* world, int slot, double time) {
    hwCableTools* tools = &world->work->cables->tools[slot];
    tools->contact =
        hwCableWork_FinishPieces(&tools->work, tools->lotCount, world->work->cables->pieces + tools->lot);
    hwCables_Load(world, slot, time);
    memset(&tools->touch, 0, sizeof(tools->touch));
}

// Laws of the caller's own are called by the caller's thread, one after the other.
static bool HasOwnLaws(const hwWorld* world) {
    for (int k = 0; k < world->model.cables->forceCount; ++k) {
        if (world->model.cables->forces[k]->def.function != NULL) return true;
    }
    for (int k = 0; k < world->model.cables->count; ++k) {
        if (world->model.cables->slots[k].model.law.function != NULL) return true;
    }
    return false;
}

void hwCables_Evaluate(const hwWorld* world, const hwEvaluation* e) {
    const hwEnvironmentDef* environment = hwEnvironment_GetDef(world->environment);
    hwWork* work = world->work;
    bool inPieces = false;
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        HoldAudit(work, &world->model.cables->slots[slot], e->zBase);
        if (!hwWorld_HasCable(world, slot)) continue;
        hwCableTools* tools = &work->cables->tools[slot];
        tools->state = hwWorld_ViewCable(world, slot, e->q, e->v);
        hwCableInput* input = &tools->input;
        input->gravity = environment->gravity;
        input->waterDensity = environment->water ? environment->waterDensity : 0.0;
        input->airDensity = environment->airDensity;
        input->surface = environment->surface;
        input->matrix = e->matrix;
        input->hd = e->matrix ? e->step : 0.0;
        input->since = e->since;
        input->foreseen = e->foreseen;
        if (tools->integral != NULL) GiveIntegrals(world, slot, e);
        PlaceEnds(world, slot, &e->mode, e->time);
        FeedEnds(world, slot, e);
        const hwCableOps* ops = world->model.cables->slots[slot].ops;
        if (ops->evaluate != NULL) {
            ops->evaluate(world, slot);
            continue;
        }
        input->fluid = HasFluid(world) ? tools->fluid : NULL;
        GiveMasses(world, slot);
        inPieces = BeginInPieces(world, slot) || inPieces;
    }
    CutLots(world);
    hwCableJob job = {.world = world, .e = e};
    if (HasFluid(world) || inPieces) hwTeam_Loop(world->team, work->lotCount, 1, SampleLots, &job);
    if (inPieces) {
        hwTeam_Loop(world->team, work->lotCount, 1, EvaluateElements, &job);
        hwTeam_Loop(HasOwnLaws(world) ? NULL : world->team, work->lotCount, 1, EvaluateNodes, &job);
    } else if (HasOwnLaws(world)) {
        EvaluateSlots(0, world->model.cables->count, &job);
    } else {
        RunSlots(&job, EvaluateSlots);
    }
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        if (!hwWorld_HasNodes(world, slot)) continue;
        hwCableTools* tools = &work->cables->tools[slot];
        tools->sampledStage = e->stage;
        if (tools->inPieces) FinishInPieces(world, slot, e->time);
        hwCables_Touch(world, &e->mode, slot, &tools->state, &tools->touch);
    }
}

// Residual ---------------------------------------------------------------------------------------------------------------

// Acceleration along the cable of the material at an end, beyond that of the end itself.
static hwVec3 GetSlideAcceleration(const hwEndSlide* slide, const double* a) {
    if (slide->freedom < 0) return hwVec3_zero;
    return hwScale(slide->sign * a[slide->freedom] * slide->slide, slide->into);
}

// What is missing in the equations of the nodes of lots, ends among them as if they were free.
static void ComputeNodes(int first, int last, void* context) {
    const hwCableJob* job = context;
    const hwWorld* world = job->world;
    for (int k = first; k < last; ++k) {
        const hwLot* lot = &world->work->lots[k];
        hwCableTools* tools = &world->work->cables->tools[lot->slot];
        const hwCableStore* store = &world->state.cables->stores[lot->slot];
        int freedom = world->model.cables->slots[lot->slot].freedom, nodes = tools->work.nodes;
        const hwVec3* all = (const hwVec3*)(const void*)(job->from + freedom);
        memcpy(tools->acceleration + lot->from, all + lot->from,
               (size_t)(lot->to - lot->from) * sizeof(hwVec3));
        for (int e = 0; e < 2; ++e) {
            if (store->ends[e].joint == HW_ATTACH_FREE || (e == 0 ? lot->from > 0 : lot->to < nodes))
                continue;
            tools->acceleration[e == 0 ? 0 : nodes - 1] =
                hwAdd(tools->ends[e].acceleration, GetSlideAcceleration(&tools->slides[e], job->from));
        }
        hwVec3* r = (hwVec3*)(void*)(job->to + freedom);
        hwCableWork_MulMassOf(&tools->work, all, tools->acceleration, lot->from, lot->to, r);
        for (int i = lot->from; i < lot->to; ++i) r[i] = hwSub(tools->work.force[i], r[i]);
    }
}

void hwCables_ComputeResiduals(const hwWorld* world, const double* a, double* residual,
                               hwWideSpatial* loads) {
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        if (hwWorld_HasCable(world, slot)) AccelerateEnds(world, slot);
    }
    hwCableJob job = {.world = world, .from = a, .to = residual};
    int there;
    hwTeam* team = world->team != NULL ? GetTeam(world, &there) : NULL;
    hwTeam_Loop(team, world->work->lotCount, 1, ComputeNodes, &job);
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        const hwCableSlot* cable = &world->model.cables->slots[slot];
        if (!hwWorld_HasCable(world, slot)) continue;
        hwCableTools* tools = &world->work->cables->tools[slot];
        const hwCableStore* store = &world->state.cables->stores[slot];
        int nodes = tools->work.nodes, last = nodes - 1;
        if (!cable->ops->hasNodes) {
            memset(residual + cable->freedom, 0, (size_t)nodes * sizeof(hwVec3));
            memset(tools->acceleration, 0, (size_t)nodes * sizeof(hwVec3));
            for (int e = 0; e < 2; ++e) {
                const hwEndState* end = &store->ends[e];
                if (end->joint == HW_ATTACH_FREE || end->link < 0) continue;
                hwVec3 force, moment;
                cable->ops->getEndLoad(world, slot, e, &force, &moment);
                hwCables_AddEndLoad(&loads[end->link], force, moment, tools->ends[e].arm);
            }
            continue;
        }
        hwVec3* r = (hwVec3*)(void*)(residual + cable->freedom);
        for (int e = 0; e < 2; ++e) {
            const hwEndState* end = &store->ends[e];
            if (end->joint == HW_ATTACH_FREE) continue;
            hwVec3* row = &r[e == 0 ? 0 : last];
            if (end->link >= 0) {
                hwCables_AddEndLoad(&loads[end->link], *row, tools->work.moment[e], tools->ends[e].arm);
            }
            *row = hwScale(0.0, *row); // a force that is no number stays one
        }
    }
}

void hwWorld_GetEndLoad(const hwWorld* world, int slot, int end, hwVec3* force, hwVec3* moment) {
    *force = *moment = hwVec3_zero;
    if (!hwWorld_HasCable(world, slot) || world->state.cables->stores[slot].ends[end].joint == HW_ATTACH_FREE)
        return;
    world->model.cables->slots[slot].ops->getEndLoad(world, slot, end, force, moment);
}

void hwCables_AddReactions(const hwWorld* world, const double* a, const double* v, double hd, double* power) {
    (void)a;
    (void)v;
    (void)power;
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        for (int e = 0; e < 2; ++e) {
            if (world->state.cables->stores[slot].ends[e].manual != HW_GUIDED) continue;
            hwVec3 force, moment;
            hwWorld_GetEndLoad(world, slot, e, &force, &moment);
            const double rates[6] = {force.x, force.y, force.z, moment.x, moment.y, moment.z};
            int first = world->model.cables->slots[slot].impulse + 6 * e;
            for (int k = 0; k < 6; ++k) {
                world->work->zdot[first + k] = rates[k];
                world->work->z[first + k] += hd * rates[k];
            }
        }
    }
}

// Work done on a cable by what holds its ends. What the earth and prescribed bodies do comes from outside the world; what
// links that move do only goes from one part of it to another.
static void AuditEnds(const hwWorld* world, int slot, double* all, double* outside) {
    hwCableTools* tools = &world->work->cables->tools[slot];
    for (int e = 0; e < 2; ++e) {
        const hwCableEnd* end = &tools->input.ends[e];
        if (end->kind == HW_CABLE_FREE) continue;
        hwVec3 force, moment;
        hwWorld_GetEndLoad(world, slot, e, &force, &moment);
        hwVec3 velocity = tools->state.velocity[e == 0 ? 0 : tools->work.nodes - 1];
        double power = -hwDot(force, velocity) - hwDot(moment, end->rate);
        tools->endPower += fabs(power);
        *all += power + hwDot(tools->flux[e], velocity);
        // with `drives` the reaction of prescribed links is counted as a whole
        bool counted = world->state.cables->stores[slot].ends[e].link >= 0 && world->model.drives;
        if (!end->unknown && !counted) *outside += power;
    }
}

static void MeasureSlots(int first, int last, void* context) {
    const hwCableJob* job = context;
    for (int slot = first; slot < last; ++slot) {
        if (!hwWorld_HasNodes(job->world, slot)) continue;
        hwCableTools* tools = &job->world->work->cables->tools[slot];
        tools->energy =
            job->energies ? hwCableWork_GetEnergy(&tools->work) : hwCableWork_GetPowers(&tools->work);
    }
}

void hwCables_AuditRates(const hwWorld* world, double* zdot, bool energies) {
    hwCableJob job = {.world = world, .energies = energies};
    RunSlots(&job, MeasureSlots);
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        const hwCableSlot* cable = &world->model.cables->slots[slot];
        double dissipation = 0.0, all = 0.0, outside = 0.0;
        if (hwWorld_HasCable(world, slot)) {
            hwCableTools* tools = &world->work->cables->tools[slot];
            if (!cable->ops->hasNodes) tools->energy = hwWorld_GetCableEnergy(world, slot);
            hwCableEnergy energy = tools->energy;
            tools->endPower = 0.0;
            // of what contact takes out, the part that is stored comes off where the energy is read
            dissipation =
                energy.drag + energy.damping - tools->contact.power - tools->touch.power - tools->rub.power;
            all = outside = energy.fluid + energy.turning + energy.payout + energy.fading + energy.control +
                            tools->applied;
            all += tools->touch.moved;
            outside += tools->touch.outside;
            for (int e = 0; e < 2; ++e) {
                double pressed = tools->work.input.ends[e].payout * tools->contact.cost[e];
                dissipation += pressed; // this much of what is stored no power of the nodes has brought
                all += pressed;
                outside += tools->slides[e].freedom >= 0 ? -energy.payoutEnd[e] : pressed;
            }
            AuditEnds(world, slot, &all, &outside);
        }
        zdot[cable->dissipated] = dissipation;
        zdot[cable->work] = all;
        zdot[cable->outside] = outside;
    }
}

bool hwCables_IsBooked(const hwWorld* world, int slot) {
    const hwCableSlot* cable = &world->model.cables->slots[slot];
    if (!hwWorld_HasCable(world, slot)) return false;
    if (hwWorld_HasNodes(world, slot)) return !cable->model.pid.on;
    // without inertia: what its ends feel is the slope of its energy, unless it wraps or hangs from one end
    const hwQuasiDef* def = &world->work->cables->tools[slot].quasi.def;
    return def->kind != HW_QUASI_CURVE && def->held[0] && def->held[1];
}

// Velocities and accelerations of nodes are those after Newton's last correction, which no evaluation has seen.
double hwCables_RateStored(const hwWorld* world, const double* a) {
    double sum = 0.0;
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        if (!hwCables_IsBooked(world, slot)) continue;
        hwCableTools* tools = &world->work->cables->tools[slot];
        const hwCableStore* store = &world->state.cables->stores[slot];
        if (!hwWorld_HasNodes(world, slot)) {
            sum += tools->energy.stored;
            continue;
        }
        int last = tools->work.nodes - 1;
        hwVec3 ends[2] = {tools->acceleration[0], tools->acceleration[last]};
        memcpy(tools->acceleration, a + world->model.cables->slots[slot].freedom,
               (size_t)(last + 1) * sizeof(hwVec3));
        for (int e = 0; e < 2; ++e) {
            if (store->ends[e].joint != HW_ATTACH_FREE) tools->acceleration[e == 0 ? 0 : last] = ends[e];
        }
        sum += tools->energy.stored +
               hwCableWork_GetInertialPower(&tools->work, tools->state.velocity, tools->acceleration);
    }
    return sum;
}
