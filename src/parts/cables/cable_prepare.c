// Compiling cables and winches into the model, and giving new ones their shape.
#include "parts/cables/cables.h"

#include "cable/catenary.h"

#include <math.h>
#include <string.h>

#define CABLE_BOOKS (3 + 12) // auxiliaries of a cable: dissipated, work, outside, impulses of its ends
#define STRETCHED 0.1        // strain at the start beyond which a shape is taken for a mistake
#define PRESSED 0.02         // likewise of what resists being shortened: a warning

static int CountObjects(const hwPool* pool) {
    int count = 0;
    for (int i = 0; i < pool->slots; ++i) count += pool->items[i] != NULL;
    return count;
}

static double GetLength(const hwCableObject* cable) {
    double length = 0.0;
    for (int i = 0; i < cable->def.sectionCount; ++i) length += cable->def.sections[i].length;
    return length;
}

// How much more a cable may become long at each end: winches first, then what comes over sheaves.
static void FindReserve(const hwWorld* world, const hwCableObject* cable, double reserve[2]) {
    for (int e = 0; e < 2; ++e) reserve[e] = cable->def.reserve[e];
    for (int i = 0; i < HW_PART_COUNT; ++i) {
        const hwCableHooks* hooks = hwPartsByLayout[i]->cables;
        if (hooks != NULL && hooks->reserve != NULL) hooks->reserve(world, cable, reserve);
    }
}

static bool HasShapes(const hwWorld* world) {
    for (int i = 0; i < world->bodies.slots; ++i) {
        const hwBodyObject* body = world->bodies.items[i];
        if (body != NULL && body->def.shapeCount > 0) return true;
    }
    return false;
}

#define CONTACT_NODES                                                                                        \
    128 // unless the cable says otherwise: three turns round a pile of 0.4 m, or as many as...
#define THICKNESSES 4.0 // ...elements of so many diameters would make of it
// Rounded up to whole lanes of the sums over all freedoms: cables that touch nothing keep their bits.
#define NODE_LANES 8

// Nodes that may be inserted where a cable touches something. What a cable had room for before it keeps.
static int CountContactNodes(const hwWorld* world, const hwCableObject* cable) {
    int had = 0, wanted = cable->def.contactNodes;
    if (world->model.block != NULL && cable->slot >= 0)
        had = world->model.cables->slots[cable->slot].contactNodes;
    if (wanted < 0 && !world->contact.off && HasShapes(world)) {
        double most = 0.0;
        for (int i = 0; i < cable->def.sectionCount; ++i) {
            const hwCableSectionDef* s = &cable->def.sections[i];
            most += hwFmax(s->length / (THICKNESSES * s->diameter) - s->elements, 0.0);
        }
        wanted = (int)ceil(hwFmin(most, CONTACT_NODES));
    }
    if (wanted < 0 || world->contact.off) wanted = 0;
    wanted = (wanted + NODE_LANES - 1) / NODE_LANES * NODE_LANES;
    return wanted > had ? wanted : had;
}

// A part has room for all that its cable may be.
static hwCableSpec MakeSpec(const hwWorld* world, const hwCableObject* cable, int* contactNodes) {
    hwCableSpec spec = cable->spec;
    *contactNodes = 0;
    // as many nodes show it however long it is; one that wraps needs them where it lies on something
    if (!hwCableOps_Find(cable->def.kind)->hasNodes && cable->def.kind != HW_CABLE_WRAP) return spec;
    const hwCableObject* whole = HW_IS_NULL(cable->whole) ? cable : hwWorld_GetCable(world, cable->whole);
    FindReserve(world, whole, spec.reserve);
    *contactNodes = CountContactNodes(world, cable);
    spec.spareNodes += *contactNodes;
    if (cable->past == NULL && world->model.block != NULL && cable->slot >= 0) {
        // what a winch has paid out stays when the winch goes
        hwArena measure = {0};
        hwCableModel model;
        hwCableModel_Layout(&model, &spec, &measure);
        int had = world->model.cables->slots[cable->slot].model.nodeCapacity;
        if (had > model.nodeCapacity) spec.spareNodes += had - model.nodeCapacity;
    }
    return spec;
}

void hwCables_LayModel(const hwWorld* world, hwArena* arena, hwModel* model) {
    model->cables->count = CountObjects(&world->cables);
    model->cables->hasCells = hwEnvironment_HasCells(world->environment);
    model->mayPart = false;
    model->cables->forceCount = CountObjects(&world->cableForces);
    model->cables->slots = HW_TAKE(arena, hwCableSlot, model->cables->count);
    model->cables->stores = HW_TAKE(arena, hwCableStore, model->cables->count);
    model->cables->forces = HW_TAKE(arena, hwCableForceObject*, model->cables->forceCount);
    model->auditCount = 3 * model->cables->count;
    model->audited = HW_TAKE(arena, int, model->auditCount);
    int next = 0;
    for (int i = 0; i < world->cables.slots; ++i) {
        hwCableObject* cable = world->cables.items[i];
        if (cable == NULL) continue;
        int contactNodes;
        hwCableSpec spec = MakeSpec(world, cable, &contactNodes);
        hwCableModel measured;
        hwCableModel_Layout(arena->base != NULL ? &model->cables->slots[next].model : &measured, &spec,
                            arena);
        if (arena->base != NULL) model->cables->slots[next].contactNodes = contactNodes;
        next += 1;
    }
}

static int FindSlotOf(const hwModel* model, hwCableId id) {
    for (int k = 0; k < model->cables->count; ++k) {
        if (HW_SAME_ID(model->cables->slots[k].object->id, id)) return k;
    }
    return -1;
}

// Whether a slot is for what may be cut off a cable.
static bool IsPart(const hwModel* model, int slot) {
    return !HW_IS_NULL(model->cables->slots[slot].object->whole);
}

// Freedoms of the nodes of all cables, or of parts that may be cut off: these come last, so that solvers can leave them out.
static void NumberNodes(hwModel* model, bool parts) {
    for (int k = 0; k < model->cables->count; ++k) {
        hwCableSlot* slot = &model->cables->slots[k];
        if (IsPart(model, k) != parts) continue;
        slot->coordinate = model->coordinateCount;
        slot->freedom = model->freedomCount;
        model->coordinateCount += 3 * slot->model.nodeCapacity;
        model->freedomCount += 3 * slot->model.nodeCapacity;
    }
}

void hwCables_FillModel(const hwWorld* world, hwModel* model) {
    int next = 0;
    model->pairCapacity += model->cables->count;
    for (int i = 0; i < world->cables.slots; ++i) {
        hwCableObject* cable = world->cables.items[i];
        if (cable == NULL) continue;
        hwCableSlot* slot = &model->cables->slots[next++];
        slot->object = cable;
        slot->name = cable->def.name;
        slot->ops = hwCableOps_Find(cable->def.kind);
        slot->wraps = cable->def.kind == HW_CABLE_WRAP;
        for (int k = 0; k < cable->def.sectionCount; ++k)
            model->mayPart = model->mayPart || cable->def.sections[k].breakTension < HUGE_VAL;
        slot->dissipated = model->auxiliaryCount;
        slot->work = model->auxiliaryCount + 1;
        slot->outside = model->auxiliaryCount + 2;
        slot->impulse = model->auxiliaryCount + 3;
        for (int k = 0; k < 3; ++k) model->audited[3 * (next - 1) + k] = slot->dissipated + k;
        model->auxiliaryCount += CABLE_BOOKS;
        slot->integral = slot->model.pid.on ? model->auxiliaryCount : -1;
        if (slot->model.pid.on) model->auxiliaryCount += slot->model.nodeCapacity - 1;
    }
    NumberNodes(model, false);
    NumberNodes(model, true);
    for (int k = 0; k < model->cables->count; ++k) {
        hwCableId whole = model->cables->slots[k].object->whole;
        model->cables->slots[k].whole = HW_IS_NULL(whole) ? -1 : FindSlotOf(model, whole);
    }
    next = 0;
    for (int i = 0; i < world->cableForces.slots; ++i) {
        if (world->cableForces.items[i] != NULL) model->cables->forces[next++] = world->cableForces.items[i];
    }
}

// Where the parts of a slot's state are in the block; runs in both passes of hwState_Lay.
void hwCables_LayState(const hwModel* model, hwArena* arena, hwState* state) {
    state->cables->stores = model->cables->stores;
    state->meshStart = arena->used;
    for (int k = 0; k < model->cables->count; ++k) {
        model->cables->stores[k].core = HW_TAKE(arena, hwCableCore, 1);
        model->cables->stores[k].material =
            HW_TAKE(arena, double, model->cables->slots[k].model.nodeCapacity);
    }
    state->meshSize = arena->used - state->meshStart;
    for (int k = 0; k < model->cables->count; ++k) {
        hwCableStore* store = &model->cables->stores[k];
        int capacity = model->cables->slots[k].model.nodeCapacity;
        store->anchor = HW_TAKE(arena, hwVec3, capacity);
        store->slack = HW_TAKE(arena, double, capacity);
        store->level = HW_TAKE(arena, int32_t, capacity);
        store->ends = HW_TAKE(arena, hwEndState, 2);
        store->effort = HW_TAKE(arena, double, capacity);
        store->power = HW_TAKE(arena, double, capacity);
        store->watches = HW_TAKE(arena, hwEndWatch, 2);
        store->loadCount = HW_TAKE(arena, int, 1);
        store->loads = HW_TAKE(arena, hwCableLoad, HW_CABLE_LOADS);
        store->touchCount = HW_TAKE(arena, int, 1);
        store->touches = HW_TAKE(arena, hwCableTouch, model->cables->slots[k].touchRoom);
        store->inside = HW_TAKE(arena, unsigned char, model->cables->slots[k].obstacleCount);
        store->pace = HW_TAKE(arena, hwCablePace, 1);
    }
}

// Whether a law of the caller's own acts on its nodes.
static bool HasOwnForce(const hwModel* model, int slot) {
    for (int k = 0; k < model->cables->forceCount; ++k) {
        const hwCableForceDef* def = &model->cables->forces[k]->def;
        if (def->function != NULL && HW_SAME_ID(def->cable, model->cables->slots[slot].object->id))
            return true;
    }
    return false;
}

static void LayTools(const hwModel* model, hwArena* arena, hwWork* work, bool parts) {
    for (int k = 0; k < model->cables->count; ++k) {
        if (IsPart(model, k) != parts) continue;
        hwCableTools measured;
        hwCableTools* tools = arena->base != NULL ? &work->cables->tools[k] : &measured;
        int capacity = model->cables->slots[k].model.nodeCapacity;
        hwCableWork_Layout(&tools->work, &model->cables->slots[k].model, arena);
        tools->fluid = HW_TAKE(arena, hwFluidSample, capacity);
        tools->sampled = HW_TAKE(arena, hwVec3, capacity);
        tools->surface = HW_TAKE(arena, double, capacity);
        tools->floor = HW_TAKE(arena, double, capacity);
        tools->floorNormal = HW_TAKE(arena, hwVec3, capacity);
        tools->acceleration = HW_TAKE(arena, hwVec3, capacity);
        tools->scratch = HW_TAKE(arena, hwVec3, capacity);
        tools->lengths = HW_TAKE(arena, double, capacity);
        tools->joins = HW_TAKE(arena, double, capacity);
        tools->places = HW_TAKE(arena, double, capacity);
        int own = HasOwnForce(model, k) ? capacity : 0;
        tools->ownForces = HW_TAKE(arena, hwVec3, own);
        tools->ownDamping = (double(*)[6])hwArena_Take(arena, (size_t)own, sizeof(double[6]));
        tools->ownStiffness = (double(*)[6])hwArena_Take(arena, (size_t)own, sizeof(double[6]));
        tools->inertia = HW_TAKE(arena, double, capacity);
        tools->integral = model->cables->slots[k].model.pid.on ? HW_TAKE(arena, double, capacity) : NULL;
        tools->pair = -1;
        tools->laid = HW_TAKE(arena, char, 0);
    }
}

int hwModel_CountLots(const hwModel* model) {
    int count = 1;
    for (int k = 0; k < model->cables->count; ++k)
        count += hwCable_CountPieces(model->cables->slots[k].model.nodeCapacity);
    return count;
}

void hwCables_LayWork(const hwModel* model, hwArena* arena, hwWork* work) {
    work->cables->tools = HW_TAKE(arena, hwCableTools, model->cables->count);
    int lots = hwModel_CountLots(model);
    work->lots = HW_TAKE(arena, hwLot, lots);
    work->cables->pieces = HW_TAKE(arena, hwCablePiece, lots);
    LayTools(model, arena, work, false);
}

// Cells of the sea lie on fixed lattices: what one holds follows from place and time. They are the largest part of a cable's
// work, 1.6 kB a node. Arrays of parts that may be cut off are here too: samples keep those that are in use.
void hwCables_LayCaches(const hwModel* model, hwArena* arena, hwWork* work) {
    work->cables->parts = HW_TAKE(arena, char, 0);
    LayTools(model, arena, work, true);
    for (int k = 0; k < model->cables->count; ++k) {
        int capacity = model->cables->hasCells ? model->cables->slots[k].model.nodeCapacity : 0;
        hwWaveCell* cells = HW_TAKE(arena, hwWaveCell, capacity);
        if (arena->base != NULL) work->cables->tools[k].cells = capacity > 0 ? cells : NULL;
    }
}

hwSpan hwCables_GetKept(const hwWorld* world) {
    hwCablesWork* work = world->work->cables;
    const char* end = work->parts;
    for (int k = 0; k < world->model.cables->count; ++k) {
        if (IsPart(&world->model, k) && hwWorld_HasCable(world, k) && work->tools[k].laid > end)
            end = work->tools[k].laid;
    }
    return (hwSpan){work->parts, (size_t)(end - work->parts)};
}

// Starting a cable -------------------------------------------------------------------------------------------------------

// Direction from end a to b with which an end is held, world axes.
static hwVec3 GetHeldDirection(const hwWorld* world, const hwCableEndDef* held) {
    hwVec3 along = hwNormalize(hwCross(held->p1, held->p2));
    if (HW_IS_NULL(held->body)) return along;
    const hwLinkMotion* m = &world->work->forest.motion[hwWorld_GetBody(world, held->body)->link];
    return hwWide_ToVec3(hwWideMat_Mul(&m->R, hwWide_FromVec3(along)));
}

// Way from the other end to a free one that nobody has placed: straight on from a clamp that can hold the cable, else down.
static hwVec3 GetFreeWay(const hwWorld* world, const hwCableSlot* slot, int end) {
    const hwCableDef* def = &slot->object->def;
    const hwCableEndDef* held = &def->ends[1 - end];
    const hwCableSectionDef* there = &def->sections[end == 0 ? def->sectionCount - 1 : 0];
    if (held->joint != HW_ATTACH_CLAMP || !(there->EI > 0.0))
        return hwMakeVec3(0.0, 0.0, -GetLength(slot->object));
    hwVec3 along = GetHeldDirection(world, held);
    return hwScale(end == 0 ? -GetLength(slot->object) : GetLength(slot->object), along);
}

static hwVec3 GetStart(const hwWorld* world, const hwCableSlot* slot, int end) {
    const hwCableDef* def = &slot->object->def;
    const hwCableEndDef* held = &def->ends[end];
    bool listed = def->shape == HW_CABLE_POINTS || def->shape == HW_CABLE_NODES;
    if (held->joint == HW_ATTACH_FREE && listed) {
        return def->points[end == 0 ? 0 : def->pointCount - 1];
    }
    if (held->joint == HW_ATTACH_FREE && held->placed) return held->at;
    if (held->joint == HW_ATTACH_FREE) {
        return hwAdd(GetStart(world, slot, 1 - end), GetFreeWay(world, slot, end));
    }
    if (HW_IS_NULL(held->body)) {
        bool moves = hwSignal_IsPresent(&held->path);
        return moves ? hwWorld_FollowPath(world, &held->path, world->state.header->time).value : held->at;
    }
    const hwLinkMotion* m = &world->work->forest.motion[hwWorld_GetBody(world, held->body)->link];
    return hwWide_ToVec3(m->p + hwWideMat_Mul(&m->R, hwWide_FromVec3(held->at)));
}

static hwVec3 GetStartVelocity(const hwWorld* world, const hwCableSlot* slot, int end) {
    const hwCableEndDef* held = &slot->object->def.ends[end];
    if (held->joint == HW_ATTACH_FREE) return hwVec3_zero;
    if (HW_IS_NULL(held->body)) return hwWorld_FollowPath(world, &held->path, world->state.header->time).rate;
    const hwLinkMotion* m = &world->work->forest.motion[hwWorld_GetBody(world, held->body)->link];
    return hwWide_ToVec3(m->v.l + hwWide_Cross(m->v.a, hwWideMat_Mul(&m->R, hwWide_FromVec3(held->at))));
}

// Where ends hang above each other, or in one place, the element across the bottom of the fold has no way to go, nor has what lies in a heap.
// Elements shorter than a quarter of their length push each other apart (see "Stretch" in docs/numerics.md), and where what is shortened
// pushes at all it comes to its whole length.
#define FOLDED 0.25 // of its length: an element that is shorter is spread

// Moves a node aside while its element on one side keeps its length.
static void SwingNode(hwVec3* node, hwVec3 pivot, hwVec3 aside) {
    double length = hwDistance(*node, pivot);
    *node = hwMulAdd(pivot, length, hwNormalize(hwSub(hwAdd(*node, aside), pivot)));
}

// One alone: its nodes swing apart under those that they hang from.
static void SpreadFold(const hwCableSlot* slot, const hwCableState* state, int element, hwVec3 way) {
    hwVec3* x = state->position + element;
    double rest = state->material[element + 1] - state->material[element];
    bool pushes = hwCableModel_Average(&slot->model, state->material[element], state->material[element + 1])
                      .compression > 0.0;
    hwVec3 aside = hwScale(0.5 * rest * (pushes ? 1.0 : 1.2 * FOLDED), way);
    if (element > 0) SwingNode(&x[0], x[-1], hwNeg(aside));
    if (element + 2 < state->core->nodes) SwingNode(&x[1], x[2], aside);
}

// What lies in a heap lies in a loop: an arc of its whole length from one end of it to the other.
static void SpreadHeap(const hwCableState* state, int from, int to, hwVec3 way) {
    const double* s = state->material;
    hwVec3 *x = state->position, a = x[from], d = hwSub(x[to], a), across = hwMakeVec3(-way.y, way.x, 0.0);
    double length = s[to] - s[from], chord = hwDot(d, way), low = 0.0, high = HW_PI;
    for (int k = 0; k < 60; ++k) { // half of the arc's angle: sin(half) / half = chord / length
        double half = 0.5 * (low + high);
        *(hwSin(half) * length > chord * half ? &low : &high) = half;
    }
    double radius = 0.5 * length / low, middle = 0.5 * chord, height = radius * hwCos(low);
    for (int i = from + 1; i < to; ++i) {
        double part = (s[i] - s[from]) / length, angle = (2.0 * part - 1.0) * low;
        hwVec3 on = hwMulAdd(hwMulAdd(a, middle + radius * hwSin(angle), way), radius * hwCos(angle) - height,
                             across);
        on.z += part * d.z;
        x[i] = on;
    }
}

static void SpreadFolded(const hwCableSlot* slot, const hwCableState* state) {
    int last = state->core->nodes - 1;
    const hwVec3* x = state->position;
    hwVec3 d = hwSub(x[last], x[0]), way = hwMakeVec3(d.x, d.y, 0.0);
    way = hwLength(way) > 0.0 ? hwNormalize(way) : hwMakeVec3(1.0, 0.0, 0.0);
    for (int e = 0; e < last; ++e) {
        int to = e;
        while (to < last &&
               hwDistance(x[to], x[to + 1]) < FOLDED * (state->material[to + 1] - state->material[to]))
            ++to;
        if (to == e + 1) SpreadFold(slot, state, e, way);
        if (to > e + 1) SpreadHeap(state, e, to, way);
        e = to > e ? to : e;
    }
}

// The whole cable as one uniform elastic catenary in still water.
static hwStatus ShapeCatenary(const hwWorld* world, const hwCableSlot* slot, const hwCableState* state,
                              hwVec3 a, hwVec3 b, hwError* error) {
    const hwEnvironmentDef* environment = hwEnvironment_GetDef(world->environment);
    double length = hwCableState_GetLength(state);
    hwCableSection mean = hwCableModel_Average(&slot->model, state->material[0], state->material[0] + length);
    double mass = hwCableModel_GetMass(&slot->model, state->material[0], state->material[0] + length);
    double area = 0.25 * HW_PI * mean.diameter * mean.diameter;
    double water = environment->water ? environment->waterDensity * area : 0.0;
    hwCatenaryDef def = {.a = a,
                         .b = b,
                         .length = length,
                         .weight = environment->gravity * (mass / length - water),
                         .EA = mean.EA};
    // behavioural links come to their length whatever they hold
    if (slot->model.pid.on) def.EA = 1e6 * hwFmax(fabs(def.weight) * length, 1e-3 * mass);
    if (hwWorld_MeetsBottom(world, (int)(slot - world->model.cables->slots)) && def.weight > 0.0) {
        hwVec3 normal;
        double floorA = hwEnvironment_GetSeabed(world->environment, a.x, a.y, &normal);
        double floorB = hwEnvironment_GetSeabed(world->environment, b.x, b.y, &normal);
        def.floor = hwFmin(floorA, floorB);
        def.hasFloor = isfinite(def.floor);
        def.friction = environment->seabed.friction;
    }
    hwCatenary catenary;
    hwStatus status = hwCatenary_Solve(&def, &catenary, error);
    for (int i = 0; i < state->core->nodes && status == HW_OK; ++i) {
        state->position[i] =
            hwCatenary_GetPoint(&catenary, state->material[i] - state->material[0], NULL, NULL);
    }
    if (status == HW_OK) SpreadFolded(slot, state);
    return status;
}

// Ends too far apart, or in one place, are mistakes of the model. Who places each node has said how far they are stretched.
static hwStatus CheckStart(const hwCableSlot* slot, const hwCableState* state, hwError* error) {
    for (int e = 0; e + 1 < state->core->nodes; ++e) {
        double rest = state->material[e + 1] - state->material[e];
        double chord = hwDistance(state->position[e], state->position[e + 1]);
        hwStatus status = HW_OK;
        if (slot->ops->hasNodes && !(chord > 1e-9 * rest)) {
            status = hwFail(error, HW_ERROR_MODEL, slot->name, "%s: element %d has no length at the start",
                            slot->name, e);
            hwFail_Hint(error, "a cable whose ends are in one place needs the shape `catenary` or points");
        } else if (chord > (1.0 + STRETCHED) * rest && slot->object->def.shape != HW_CABLE_NODES) {
            status = hwFailField(
                error, HW_ERROR_MODEL, slot->name, "sections",
                "%s: element %d is stretched to %.4g m at the start, %.0f %% more than its %.4g m",
                slot->name, e, chord, 100.0 * (chord / rest - 1.0), rest);
            hwFail_Hint(error, "the cable is too short for where its ends are");
        }
        if (status == HW_OK) continue;
        hwFail_At(error, e, NAN);
        return status;
    }
    return HW_OK;
}

// A slack cable laid along too short a line begins with its elements shortened: those that resist it push the cable away
// at once. Statics begins with any shape.
static void WarnOfPressure(const hwWorld* world, const hwCableSlot* slot, const hwCableState* state) {
    const hwCableDef* def = &slot->object->def;
    if (!slot->ops->hasNodes || slot->model.pid.on || def->shape == HW_CABLE_NODES || world->def.statics)
        return;
    double most = 0.0, least = 1.0;
    int at = -1;
    for (int e = 0; e + 1 < state->core->nodes; ++e) {
        double s = state->material[e], rest = state->material[e + 1] - s;
        double share = hwDistance(state->position[e], state->position[e + 1]) / rest;
        hwCableSection section = hwCableModel_Average(&slot->model, s, s + rest);
        double force = section.compression * section.EA * (1.0 - share);
        if (share > 1.0 - PRESSED || force <= (1.0 + 1e-9) * most) continue; // the first of equal ones
        most = force, least = share, at = e;
    }
    if (at < 0) return;
    hwWorld_Log(
        world, HW_LOG_WARNING,
        "%s: element %d starts at %.0f %% of its length and pushes with %.3g N; give the cable the shape "
        "`catenary`, or let statics find the start",
        slot->name, at, 100.0 * least, most);
}

static hwStatus PlaceCable(hwWorld* world, int k, hwError* error) {
    const hwCableSlot* slot = &world->model.cables->slots[k];
    const hwCableDef* def = &slot->object->def;
    hwCableState state = hwWorld_ViewCable(world, k, world->state.q, world->state.v);
    hwVec3 a = GetStart(world, slot, 0), b = GetStart(world, slot, 1), ends[2] = {a, b};
    hwStatus status = HW_OK;
    if (!slot->ops->hasNodes) {
        // it has the shape it has
    } else if (def->shape == HW_CABLE_CATENARY_SHAPE) {
        status = ShapeCatenary(world, slot, &state, a, b, error);
    } else if (def->shape == HW_CABLE_POINTS) {
        hwCableState_Place(&state, def->points, def->pointCount);
    } else if (def->shape == HW_CABLE_NODES) {
        memcpy(state.position, def->points, (size_t)def->pointCount * sizeof(hwVec3));
    } else {
        hwCableState_Place(&state, ends, 2);
    }
    if (status != HW_OK) return status;
    int last = state.core->nodes - 1;
    state.position[0] = a;
    state.position[last] = b;
    status = CheckStart(slot, &state, error);
    if (status == HW_OK) WarnOfPressure(world, slot, &state);
    hwVec3 va = GetStartVelocity(world, slot, 0), vb = GetStartVelocity(world, slot, 1);
    double length = hwCableState_GetLength(&state);
    for (int i = 0; i <= last; ++i) {
        double s = (state.material[i] - state.material[0]) / length;
        state.velocity[i] = hwAdd(hwScale(1.0 - s, va), hwScale(s, vb));
        bool held = (i == 0 || i == last) && def->ends[i == 0 ? 0 : 1].joint != HW_ATTACH_FREE;
        if (def->velocities != NULL && !held) state.velocity[i] = def->velocities[i];
        state.anchor[i] = state.position[i];
    }
    return status;
}

// Elements come and go at winches and sheaves.
static hwStatus CheckRefined(const hwWorld* world, int k, hwError* error) {
    const hwCableSlot* slot = &world->model.cables->slots[k];
    if (slot->object->def.refine == 1.0) return HW_OK;
    for (int e = 0; e < 2; ++e) {
        hwCableFeed feed;
        if (!hwWorld_FindFeeder(world, slot->object->id, e, &feed)) continue;
        return hwFailField(error, HW_ERROR_MODEL, slot->name, "refine",
                           "%s: it cannot be refined, for its end %c is on a winch or a sheave", slot->name,
                           e == 0 ? 'a' : 'b');
    }
    return HW_OK;
}

// A cable that wraps has all its nodes at once: they lie where they show it best.
void hwCables_TakeNodes(hwWorld* world, int k) {
    const hwCableSlot* slot = &world->model.cables->slots[k];
    hwCableState state = hwWorld_ViewCable(world, k, world->state.q, world->state.v);
    int had = state.core->nodes - 1, last = slot->model.startNodes + slot->contactNodes - 1;
    hwVec3 ends[2] = {state.position[0], state.position[had]};
    double from = state.material[0], to = state.material[had];
    state.core->nodes = last + 1;
    for (int i = 0; i <= last; ++i) {
        state.material[i] = i == last ? to : from + (to - from) * i / last;
        state.slack[i] = 0.0;
        state.level[i] = 0;
        state.velocity[i] = hwVec3_zero;
    }
    hwCableState_Place(&state, ends, 2);
}

static hwStatus StartCable(hwWorld* world, int k, hwError* error) {
    const hwCableSlot* slot = &world->model.cables->slots[k];
    const hwCableDef* def = &slot->object->def;
    hwCableStore* store = &world->state.cables->stores[k];
    for (int e = 0; e < 2; ++e) store->ends[e].link = -1;
    if (slot->whole >= 0) return HW_OK; // nothing was cut off yet
    for (int e = 0; e < 2; ++e) hwWorld_AttachEnd(world, k, e, &def->ends[e]);
    hwCableState state = hwWorld_ViewCable(world, k, world->state.q, world->state.v);
    hwCableState_Start(&state, &slot->model, GetStart(world, slot, 0), GetStart(world, slot, 1));
    if (slot->wraps) hwCables_TakeNodes(world, k);
    return PlaceCable(world, k, error);
}

// Number of an event in the new model, from 1; 0: it is gone.
static int FindEvent(const hwModel* model, const hwEventObject* event) {
    for (int i = 0; i < model->eventCount; ++i) {
        if (model->events[i] == event) return i + 1;
    }
    return 0;
}

// A cable that was in the old model goes on as it was, as long as it has the same room.
static bool CarryCable(const hwWorld* old, const hwModel* model, int k, hwState* state) {
    const hwCableSlot* to = &model->cables->slots[k];
    int from = to->object->slot;
    if (old->model.block == NULL || from < 0) return false;
    const hwCableSlot* was = &old->model.cables->slots[from];
    if (was->model.nodeCapacity > to->model.nodeCapacity) return false;
    const hwCableStore* a = &old->state.cables->stores[from];
    hwCableStore* b = &state->cables->stores[k];
    size_t nodes = (size_t)a->core->nodes;
    *b->core = *a->core;
    memcpy(b->material, a->material, nodes * sizeof(double));
    memcpy(b->anchor, a->anchor, nodes * sizeof(hwVec3));
    memcpy(b->slack, a->slack, nodes * sizeof(double));
    memcpy(b->level, a->level, nodes * sizeof(int32_t));
    memcpy(b->ends, a->ends, 2 * sizeof(hwEndState));
    memcpy(b->effort, a->effort, nodes * sizeof(double));
    memcpy(b->power, a->power, nodes * sizeof(double));
    memcpy(b->watches, a->watches, 2 * sizeof(hwEndWatch));
    for (int e = 0; e < 2; ++e) {
        b->watches[e].number = 0;
        if (b->watches[e].waits > 0)
            b->watches[e].waits = FindEvent(model, old->model.events[b->watches[e].waits - 1]);
    }
    *b->loadCount = *a->loadCount;
    memcpy(b->loads, a->loads, HW_CABLE_LOADS * sizeof(hwCableLoad));
    memcpy(state->q + to->coordinate, old->state.q + was->coordinate, nodes * sizeof(hwVec3));
    memcpy(state->v + to->freedom, old->state.v + was->freedom, nodes * sizeof(hwVec3));
    // its books go on
    memcpy(state->z + to->dissipated, old->state.z + was->dissipated, CABLE_BOOKS * sizeof(double));
    if (to->integral >= 0 && was->integral >= 0 && nodes > 1) { // parts not yet cut off have none
        memcpy(state->z + to->integral, old->state.z + was->integral, (nodes - 1) * sizeof(double));
    }
    for (int e = 0; e < 2; ++e) {
        b->ends[e].left = 0; // links are numbered anew
        if (b->ends[e].link >= 0)
            b->ends[e].link = hwModel_FindLink(model, old->model.links[b->ends[e].link].body);
    }
    return true;
}

void hwCables_Carry(const hwWorld* world, hwModel* model, hwState* state) {
    for (int k = 0; k < model->cables->count; ++k)
        model->cables->slots[k].carried = CarryCable(world, model, k, state);
}

hwStatus hwCables_PlaceAgain(hwWorld* world, hwError* error) {
    hwStatus status = HW_OK;
    for (int k = 0; k < world->model.cables->count && status == HW_OK; ++k) {
        const hwCableSlot* slot = &world->model.cables->slots[k];
        if (slot->whole < 0 && !slot->carried) status = PlaceCable(world, k, error);
    }
    hwCables_Refresh(world);
    return status;
}

// What the scene fixes to the earth in the bottom lies in a bed from the start. Beds are part of the ground: they stay
// when the end is let go, so that nothing jumps out of them.
static hwCableBed MakeBed(const hwWorld* world, const hwCableSlot* slot, int end) {
    const hwEnvironmentDef* environment = hwEnvironment_GetDef(world->environment);
    const hwCableEndDef* held = &slot->object->def.ends[end];
    if (held->joint == HW_ATTACH_FREE || !HW_IS_NULL(held->body) || held->path.termCount > 0)
        return (hwCableBed){0};
    const hwCableModel* model = &slot->model;
    const hwCableSection* section = &model->sections[end == 0 ? 0 : model->sectionCount - 1];
    double length = 0.0, area = 0.25 * HW_PI * section->diameter * section->diameter;
    for (int i = 0; i < model->sectionCount; ++i) length += model->sections[i].length;
    double water = environment->water ? environment->waterDensity * area : 0.0;
    hwVec3 normal;
    double above = held->at.z - hwEnvironment_GetSeabed(world->environment, held->at.x, held->at.y, &normal);
    return hwCableBed_Make(held->at, above * normal.z, length, section->diameter,
                           environment->gravity * (section->massPerLength - water) * normal.z,
                           environment->seabed.stiffness);
}

hwStatus hwCables_Start(hwWorld* world, hwError* error) {
    hwModel* model = &world->model;
    const hwEnvironmentDef* environment = hwEnvironment_GetDef(world->environment);
    for (int k = 0; k < model->cables->count; ++k) model->cables->slots[k].object->slot = k;
    if (model->cables->count == 0) return HW_OK;
    hwWorld_ComputeLinkMotion(world, &hwMode_running, world->state.header->time, world->state.q,
                              world->state.v);
    for (int k = 0; k < model->cables->count; ++k) {
        hwStatus status = CheckRefined(world, k, error);
        if (status == HW_OK && !model->cables->slots[k].carried) status = StartCable(world, k, error);
        if (status != HW_OK) return status;
        const hwCableSlot* slot = &model->cables->slots[k];
        if (slot->object->past != NULL && slot->whole < 0) hwCables_LayAlong(world, k, slot->object->past);
        hwCableTools* tools = &world->work->cables->tools[k];
        tools->seabed = (hwCableSeabed){.height = tools->floor,
                                        .stiffness = environment->seabed.stiffness,
                                        .damping = environment->seabed.damping,
                                        .friction = environment->seabed.friction};
        for (int end = 0; end < 2; ++end)
            tools->seabed.beds[end] = MakeBed(world, &model->cables->slots[k], end);
    }
    hwCables_Refresh(world);
    return HW_OK;
}
