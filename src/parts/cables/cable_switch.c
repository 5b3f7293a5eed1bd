// A cable that goes on as another model: the old curve, with its tensions, is kept while the world is compiled anew, and the new
// model's nodes are laid along it.
#include "parts/cables/cables.h"

#include "world/part.h"

#include <math.h>
#include <string.h>

#define SHARP 0.15 // rad through which the curve may turn within an element that is not halved
#define OFF 0.25   // diameters by which it may leave its chord, likewise

typedef hwCablePast Curve;

static bool HasNodes(hwCableKind kind) {
    return hwCableOps_Find(kind)->hasNodes;
}

static double GetMechanical(const hwWorld* world) {
    hwEnergy energy = hwWorld_GetEnergy(world);
    return energy.kinetic + energy.potential + energy.elastic;
}

// Nodes of a cable without inertia show its curve; the curve itself is finer where it lies round something.
#define SAMPLES 32 // of the curve to a node
#define MOST_SAMPLES 20000

static hwStatus KeepCurve(hwWorld* world, const hwCableObject* object, Curve* curve, hwError* error) {
    hwCableView view;
    hwStatus status = hwCable_GetView(world, object->id, &view, error);
    if (status != HW_OK) return status;
    int count = view.nodeCount;
    if (!curve->hadNodes) {
        count = SAMPLES * count;
        if (count > MOST_SAMPLES) count = MOST_SAMPLES;
    }
    curve->count = count;
    curve->block = hwAllocate(&world->allocator, (size_t)count * (sizeof(hwVec3) + 2 * sizeof(double)));
    if (curve->block == NULL) return hwFail_Memory(error, NULL);
    curve->points = curve->block;
    curve->material = (double*)(curve->points + count);
    curve->tension = curve->material + count;
    const hwCableOps* ops = world->model.cables->slots[object->slot].ops;
    for (int i = 0; i < count; ++i) {
        if (curve->hadNodes) {
            curve->points[i] = view.positions[i];
            curve->material[i] = view.materials[i];
            curve->tension[i] = i + 1 < count ? view.tensions[i] : 0.0;
        } else {
            double s = view.length * i / (count - 1);
            curve->points[i] = ops->getPoint(world, object->slot, s, &curve->tension[i]);
            curve->material[i] = view.materials[0] + s;
        }
    }
    curve->velocity[0] = view.velocities[0];
    curve->velocity[1] = view.velocities[view.nodeCount - 1];
    curve->energy = GetMechanical(world);
    return HW_OK;
}

// Element of the curve at a place of the material.
static int FindElement(const Curve* curve, double at) {
    int e = 0;
    while (e + 2 < curve->count && curve->material[e + 1] <= at) e += 1;
    return e;
}

static hwVec3 GetPoint(const Curve* curve, double at) {
    int e = FindElement(curve, at);
    double length = curve->material[e + 1] - curve->material[e];
    double share = length > 0.0 ? hwClamp((at - curve->material[e]) / length, 0.0, 1.0) : 0.0;
    return hwMulAdd(curve->points[e], share, hwSub(curve->points[e + 1], curve->points[e]));
}

static hwVec3 GetVelocity(const Curve* curve, double at) {
    double from = curve->material[0], length = curve->material[curve->count - 1] - from;
    double share = length > 0.0 ? (at - from) / length : 0.0;
    return hwMulAdd(curve->velocity[0], share, hwSub(curve->velocity[1], curve->velocity[0]));
}

// Angle through which the curve turns between two places of the material.
static double GetTurn(const Curve* curve, double from, double to) {
    double sum = 0.0;
    for (int i = 1; i + 1 < curve->count; ++i) {
        if (curve->material[i] <= from || curve->material[i] >= to) continue;
        hwVec3 a = hwSub(curve->points[i], curve->points[i - 1]),
               b = hwSub(curve->points[i + 1], curve->points[i]);
        sum += hwAtan2(hwLength(hwCross(a, b)), hwDot(a, b));
    }
    return sum;
}

// m, by which the curve leaves its chord between two places of the material.
static double GetSag(const Curve* curve, double from, double to) {
    hwVec3 a = GetPoint(curve, from), along = hwNormalize(hwSub(GetPoint(curve, to), a));
    double most = 0.0;
    for (int i = 1; i + 1 < curve->count; ++i) {
        if (curve->material[i] <= from || curve->material[i] >= to) continue;
        hwVec3 d = hwSub(curve->points[i], a);
        most = hwFmax(most, hwLengthSquared(hwMulAdd(d, -hwDot(d, along), along)));
    }
    return sqrt(most);
}

// The mesh that it has when nothing was paid out or hauled in, else one of even elements of that size.
static void SpreadNodes(const hwCableModel* model, const Curve* curve, hwCableState* state) {
    const double *start = model->startMaterial, from = curve->material[0],
                 to = curve->material[curve->count - 1];
    int nodes = model->startNodes;
    double whole = start[nodes - 1] - start[0];
    bool same = fabs(from - start[0]) + fabs(to - start[nodes - 1]) < 1e-9 * whole;
    if (!same) {
        nodes = 1 + (int)hwFmax(1.0, floor((nodes - 1) * (to - from) / whole + 0.5));
        if (nodes > model->nodeCapacity) nodes = model->nodeCapacity;
    }
    state->core->nodes = nodes;
    for (int i = 0; i < nodes; ++i) {
        double at = from + (to - from) * i / (nodes - 1);
        if (same) at = start[i];
        if (i == 0) at = from;
        if (i == nodes - 1) at = to;
        state->material[i] = at;
        state->position[i] = state->anchor[i] = GetPoint(curve, at);
        state->velocity[i] = GetVelocity(curve, at);
        state->slack[i] = 0.0;
        state->level[i] = 0;
    }
    state->core->relief[0] = state->core->relief[1] = 0.0;
    state->core->inserted = 0;
}

// Where the curve goes round something, elements are halved until none turns by much, or leaves its chord by much: paths turn at corners,
// and a corner stays in one element however short.
static void FollowBends(const hwCableSlot* slot, const Curve* curve, hwCableState* state) {
    int e = 0;
    while (e + 1 < state->core->nodes) {
        double from = state->material[e], to = state->material[e + 1], middle = 0.5 * (from + to);
        double diameter = hwCableModel_Average(&slot->model, from, to).diameter;
        bool sharp = state->core->inserted < slot->contactNodes && to - from > 2.0 * diameter &&
                     GetTurn(curve, from, to) > SHARP && GetSag(curve, from, to) > OFF * diameter;
        if (!sharp || !hwCableState_Halve(state, &slot->model, e)) {
            e += 1;
            continue;
        }
        state->position[e + 1] = state->anchor[e + 1] = GetPoint(curve, middle);
        state->velocity[e + 1] = GetVelocity(curve, middle);
    }
}

// A controller's memory holds the tension that the cable has.
static void HoldTension(hwWorld* world, const hwCableSlot* slot, const Curve* curve,
                        const hwCableState* state) {
    const hwCablePid* pid = &slot->model.pid;
    for (int e = 0; slot->integral >= 0 && e + 1 < state->core->nodes; ++e) {
        double rest = state->material[e + 1] - state->material[e];
        double length = hwDistance(state->position[e], state->position[e + 1]);
        double tension = curve->tension[FindElement(curve, state->material[e] + 0.5 * rest)];
        world->state.z[slot->integral + e] =
            pid->ki > 0.0 ? (tension - pid->kp * (1.0 - rest / length)) / pid->ki : 0.0;
    }
}

// Links of a controller stretch as no elastic element could.
static void StopStretching(hwWorld* world, int k, const hwCableState* state) {
    const hwCableTools* tools = &world->work->cables->tools[k];
    hwCableHold holds[2] = {{0}};
    for (int e = 0; e < 2; ++e) {
        hwCableFeed feed;
        holds[e].held = world->state.cables->stores[k].ends[e].joint != HW_ATTACH_FREE;
        holds[e].payout = hwWorld_FindFeed(world, k, e, &feed) ? feed.rate : 0.0;
    }
    hwCableState_StopStretching(state, &world->model.cables->slots[k].model, holds, tools->lengths,
                                tools->joins);
}

// m, by which the curve is longer than its material would be with the tensions that it has.
static double FindLeftOver(const hwCableModel* model, const Curve* curve) {
    double sum = 0.0;
    for (int e = 0; e + 1 < curve->count; ++e) {
        double from = curve->material[e], to = curve->material[e + 1],
               tension = hwFmax(curve->tension[e], 0.0);
        sum += hwDistance(curve->points[e], curve->points[e + 1]) -
               (to - from) * (1.0 + tension / hwCableModel_Average(model, from, to).EA);
    }
    return sum;
}

void hwCables_LayAlong(hwWorld* world, int k, const hwCablePast* curve) {
    const hwCableSlot* slot = &world->model.cables->slots[k];
    hwCableState state = hwWorld_ViewCable(world, k, world->state.q, world->state.v);
    if (slot->wraps) {
        hwCables_TakeNodes(world, k);
        state.core->relief[0] = curve->hadNodes ? FindLeftOver(&slot->model, curve) : 0.0;
        state.core->relief[1] = 0.0;
        hwCableState_FadeSlowly(&state);
    } else if (!curve->hadNodes) {
        SpreadNodes(&slot->model, curve, &state);
        FollowBends(slot, curve, &state);
    }
    // links of a controller are off their lengths, and chords are shorter than arcs
    for (int e = 0; slot->ops->hasNodes && !slot->model.pid.on && e + 1 < state.core->nodes; ++e) {
        double middle = 0.5 * (state.material[e] + state.material[e + 1]);
        hwCableState_Trim(&state, &slot->model, e, hwFmax(curve->tension[FindElement(curve, middle)], 0.0));
    }
    if (slot->ops->hasNodes && !slot->model.pid.on) {
        hwCableState_FadeSlowly(&state);
        StopStretching(world, k, &state);
    }
    HoldTension(world, slot, curve, &state);
}

static hwStatus CheckSwitch(const hwWorld* world, const hwCableObject* object, hwCableKind kind,
                            const hwWrapDef* wrap, hwError* error) {
    const hwCableDef* def = &object->def;
    bool known =
        (HasNodes(kind) || kind == HW_CABLE_WRAP) && (HasNodes(def->kind) || def->kind == HW_CABLE_WRAP);
    const hwWrapDef* rules = wrap != NULL ? wrap : &def->wrap;
    if (!known || (kind == HW_CABLE_WRAP && rules->rules != HW_WRAP_FRICTION)) {
        return hwFail(error, HW_ERROR_ARGUMENT, def->name,
                      "%s: a running cable changes between dynamic, pid and wrap by friction only",
                      def->name);
    }
    for (int e = 0; kind == HW_CABLE_WRAP && e < 2; ++e) {
        if (world->state.cables->stores[object->slot].ends[e].joint != HW_ATTACH_FREE) continue;
        return hwFail(error, HW_ERROR_ARGUMENT, def->name,
                      "%s: its end %c is free; the model `wrap` needs both ends held", def->name,
                      e == 0 ? 'a' : 'b');
    }
    return HW_OK;
}

hwStatus hwCable_SetModel(hwWorld* world, hwCableId cable, hwCableKind kind, const hwWrapDef* wrap,
                          hwError* error) {
    hwClearError(error);
    hwStatus status = hwWorld_RequirePrepared(world, error);
    hwCableObject* object =
        status == HW_OK ? hwPool_Get(&world->cables, cable.index, cable.generation) : NULL;
    if (status != HW_OK) return status;
    if (object == NULL || object->slot < 0 || !HW_IS_NULL(object->whole))
        return hwFail(error, HW_ERROR_ARGUMENT, NULL,
                      "there is no such cable, or it is a part of one that was cut");
    status = CheckSwitch(world, object, kind, wrap, error);
    if (status != HW_OK) return status;
    if (kind == object->def.kind && wrap == NULL) return HW_OK;
    Curve curve = {.hadNodes = HasNodes(object->def.kind)};
    status = KeepCurve(world, object, &curve, error);
    if (status != HW_OK) return status;
    hwCableDef before = object->def;
    hwCablePid pid = object->spec.pid;
    object->def.kind = kind;
    if (wrap != NULL) object->def.wrap = *wrap;
    object->spec.pid = hwCables_ConvertPid(&object->def);
    // a path is found from the points of its def
    object->def.shape = HW_CABLE_POINTS;
    object->def.pointCount = curve.count;
    object->def.points = curve.points;
    object->past = &curve;
    status = hwWorld_CompileAgain(world, error);
    object->past = NULL;
    if (status == HW_OK) {
        world->state.z[HW_AUX_WORK] += GetMechanical(world) - curve.energy;
    } else {
        object->def.kind = before.kind;
        object->def.wrap = before.wrap;
        object->spec.pid = pid;
    }
    object->def.shape = before.shape;
    object->def.pointCount = before.pointCount;
    object->def.points = before.points;
    hwRelease(&world->allocator, curve.block);
    return status;
}
