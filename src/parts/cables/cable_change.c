// What changes cables between steps: attaching and letting go, cutting and parting, and after each accepted step the
// material that winches and sheaves move, friction's memory, and incidents.
#include "parts/cables/cables.h"

#include "math/lanes.h"

#include <math.h>
#include <string.h>

void hwWorld_AttachEnd(hwWorld* world, int slot, int end, const hwCableEndDef* def) {
    hwEndState* state = &world->state.cables->stores[slot].ends[end];
    memset(state, 0, sizeof(*state));
    const hwBodyObject* body = hwWorld_GetBody(world, def->body);
    state->joint = def->joint;
    state->link = body != NULL ? body->link : -1;
    state->path = state->link < 0 && hwSignal_IsPresent(&def->path);
    state->at = def->at;
    if (def->joint == HW_ATTACH_CLAMP) {
        state->tangent = hwNormalize(hwCross(def->p1, def->p2));
        state->normal = hwNormalize(def->p1);
    }
    world->work->couplingsStale = true;
}

static void DetachEnd(hwWorld* world, int slot, int end) {
    hwEndState* state = &world->state.cables->stores[slot].ends[end];
    int left = state->joint != HW_ATTACH_FREE && state->link >= 0 ? state->link + 1 : 0;
    memset(state, 0, sizeof(*state));
    state->link = -1;
    state->left = left;
    world->work->couplingsStale = true;
}

// The bottom does not push ends that are held: one that is let go below it is pushed at once, and so is what a winch there has
// made a node of. What it then stores comes from whoever has put it there without feeling it: work, not negative dissipation.
static void BookGround(hwWorld* world, int slot, double brought) {
    const hwCableSlot* cable = &world->model.cables->slots[slot];
    world->state.z[cable->dissipated] += brought; // from which all that is stored comes off
    world->state.z[cable->work] += brought;
    world->state.z[cable->outside] += brought;
}

hwStatus hwWorld_DetachRunning(hwWorld* world, int slot, int end, hwError* error) {
    const hwCableSlot* cable = &world->model.cables->slots[slot];
    hwCableFeed feed;
    if (hwWorld_FindFeed(world, slot, end, &feed)) {
        return hwFail(error, HW_ERROR_ORDER, cable->name,
                      feed.passes ? "%s: end %c runs over sheave `%s` and cannot be let go"
                                  : "%s: end %c is on winch `%s` and cannot be let go",
                      cable->name, end == 0 ? 'a' : 'b', feed.name);
    }
    if (!cable->ops->hasNodes && world->state.cables->stores[slot].ends[1 - end].joint == HW_ATTACH_FREE) {
        hwStatus status =
            hwFail(error, HW_ERROR_ORDER, cable->name,
                   "%s: without inertia it cannot fall; its other end is free already", cable->name);
        hwFail_Hint(error, "use the model `dynamic`");
        return status;
    }
    double before = hwCables_GetGroundEnergy(world, slot);
    DetachEnd(world, slot, end);
    BookGround(world, slot, hwCables_GetGroundEnergy(world, slot) - before);
    return HW_OK;
}

hwStatus hwWorld_AttachRunning(hwWorld* world, int slot, int end, const hwCableEndDef* def, hwError* error) {
    const char* name = world->model.cables->slots[slot].name;
    char letter = end == 0 ? 'a' : 'b';
    if (!hwWorld_HasCable(world, slot)) {
        return hwFail(error, HW_ERROR_ORDER, name, "%s: there is no such part of the cable yet", name);
    }
    if (world->state.cables->stores[slot].ends[end].joint != HW_ATTACH_FREE) {
        hwStatus status = hwFail(error, HW_ERROR_ORDER, name,
                                 "%s: end %c is attached already; detach it first", name, letter);
        hwFail_At(error, end == 0 ? 0 : world->state.cables->stores[slot].core->nodes - 2,
                  world->state.header->time);
        return status;
    }
    hwWorld_Refresh(world);
    hwCableState state = hwWorld_ViewCable(world, slot, world->state.q, world->state.v);
    const hwBodyObject* body = hwWorld_GetBody(world, def->body);
    hwVec3 place = def->at;
    if (body != NULL) {
        const hwLinkMotion* m = &world->work->forest.motion[body->link];
        place = hwWide_ToVec3(m->p + hwWideMat_Mul(&m->R, hwWide_FromVec3(def->at)));
    }
    int last = state.core->nodes - 1, outer = end == 0 ? 0 : last, inner = end == 0 ? 1 : last - 1;
    double rest = fabs(state.material[outer] - state.material[inner]);
    double gap = hwDistance(state.position[outer], place);
    if (gap > rest) {
        hwStatus status =
            hwFail(error, HW_ERROR_ARGUMENT, name,
                   "%s: end %c is %.3g m away from where it is to be attached, more than an element's %.3g m",
                   name, letter, gap, rest);
        hwFail_At(error, outer, world->state.header->time);
        return status;
    }
    // the boundary element keeps its strain; what it has too much or too little of length fades
    double before = hwDistance(state.position[outer], state.position[inner]);
    double after = hwDistance(place, state.position[inner]);
    double had = rest + state.core->relief[end];
    if (hwWorld_HasNodes(world, slot)) state.core->relief[end] += had * (after / before - 1.0);
    double ground = hwCables_GetGroundEnergy(world, slot);
    state.position[outer] = place;
    hwWorld_AttachEnd(world, slot, end, def);
    BookGround(world, slot, hwCables_GetGroundEnergy(world, slot) - ground);
    return HW_OK;
}

// What goes with the material when the mesh changes: the old one is put away, the new one takes from it. A node takes what
// the node at its place had, and what nodes had that are gone; links take the means of their integrals.
void hwCables_KeepMesh(hwWorld* world, int slot) {
    hwCableTools* tools = &world->work->cables->tools[slot];
    const hwCableStore* store = &world->state.cables->stores[slot];
    tools->kept = store->core->nodes;
    for (int i = 0; i < tools->kept; ++i) {
        tools->scratch[i] = hwMakeVec3(store->material[i], store->effort[i], store->power[i]);
    }
    if (tools->integral == NULL) return;
    memcpy(tools->integral, world->state.z + world->model.cables->slots[slot].integral,
           (size_t)(tools->kept - 1) * sizeof(double));
}

static void SpreadIntegrals(hwWorld* world, int from, int to) {
    const hwCableTools* tools = &world->work->cables->tools[from];
    const hwCableStore* store = &world->state.cables->stores[to];
    const hwVec3* old = tools->scratch;
    double* z = world->state.z + world->model.cables->slots[to].integral;
    int last = tools->kept - 2;
    for (int e = 0; e + 1 < store->core->nodes; ++e) {
        double low = store->material[e], high = store->material[e + 1], sum = 0.0;
        for (int k = 0; k <= last; ++k) {
            double start = k == 0 ? low : hwFmax(low, old[k].x),
                   end = k == last ? high : hwFmin(high, old[k + 1].x);
            if (end > start) sum += (end - start) * tools->integral[k];
        }
        z[e] = sum / (high - low);
    }
    for (int e = store->core->nodes - 1; e < world->model.cables->slots[to].model.nodeCapacity - 1; ++e)
        z[e] = 0.0;
}

static void SpreadMesh(hwWorld* world, int from, int to) {
    const hwCableTools* tools = &world->work->cables->tools[from];
    const hwCableStore* store = &world->state.cables->stores[to];
    int nodes = store->core->nodes, k = 0;
    // a part that was cut off begins at a node that the other part keeps
    bool part = from != to;
    while (part && k < tools->kept && tools->scratch[k].x <= store->material[0]) k += 1;
    for (int i = 0; i < nodes; ++i) {
        store->effort[i] = store->power[i] = 0.0;
        bool last = i == nodes - 1;
        for (; k < tools->kept && (last || tools->scratch[k].x < store->material[i + 1]); ++k) {
            if (last && !part && tools->scratch[k].x > store->material[i]) break;
            store->effort[i] += tools->scratch[k].y;
            if (tools->scratch[k].x == store->material[i]) store->power[i] = tools->scratch[k].z;
        }
    }
    if (tools->integral != NULL) SpreadIntegrals(world, from, to);
}

// Work of all forces on each node, once a step by the trapezoidal rule. Of an end that is held: also of what holds it.
static void AddEfforts(hwWorld* world, int slot, double step) {
    const hwCableTools* tools = &world->work->cables->tools[slot];
    hwCableStore* store = &world->state.cables->stores[slot];
    hwCableState state = hwWorld_ViewCable(world, slot, world->state.q, world->state.v);
    if (!hwWorld_HasNodes(world, slot)) return;
    int last = tools->work.nodes - 1, i = 0;
    const hwVec3 *forces = tools->work.force, *v = state.velocity;
    double ends[2], effort[2];
    for (int e = 0; e < 2; ++e) {
        int node = e == 0 ? 0 : last;
        hwVec3 force = forces[node];
        if (store->ends[e].joint != HW_ATTACH_FREE)
            force = hwSub(force, hwCableWork_GetEndForce(&tools->work, e, tools->acceleration));
        ends[e] = hwDot(force, v[node]);
        effort[e] = store->effort[node] + 0.5 * step * (store->power[node] + ends[e]);
    }
    for (; i + HW_LANES <= last; i += HW_LANES) {
        hwV4 power = Dot4(LoadVectors(&forces[i].x), LoadVectors(&v[i].x)), before = Load4(store->power + i);
        Store4(store->effort + i, Load4(store->effort + i) + 0.5 * step * (before + power));
        Store4(store->power + i, power);
    }
    for (; i < last; ++i) {
        double power = hwDot(forces[i], v[i]);
        store->effort[i] += 0.5 * step * (store->power[i] + power);
        store->power[i] = power;
    }
    for (int e = 0; e < 2; ++e) {
        store->effort[e == 0 ? 0 : last] = effort[e];
        store->power[e == 0 ? 0 : last] = ends[e];
    }
}

// A free slot for a part of the same cable, or -1.
static int FindPart(const hwWorld* world, int slot) {
    int whole = world->model.cables->slots[slot].whole >= 0 ? world->model.cables->slots[slot].whole : slot;
    for (int k = 0; k < world->model.cables->count; ++k) {
        if (world->model.cables->slots[k].whole == whole && world->state.cables->stores[k].core->nodes == 0)
            return k;
    }
    return -1;
}

hwStatus hwWorld_CutCable(hwWorld* world, int slot, double at, int* part, hwError* error) {
    const hwCableSlot* cable = &world->model.cables->slots[slot];
    hwCableState state = hwWorld_ViewCable(world, slot, world->state.q, world->state.v);
    double length = hwWorld_HasCable(world, slot) ? hwCableState_GetLength(&state) : 0.0;
    if (!(at > 0.0 && at < length)) {
        return hwFail(error, HW_ERROR_ARGUMENT, cable->name, "%s: it cannot be cut at %g m of its %g m",
                      cable->name, at, length);
    }
    *part = FindPart(world, slot);
    if (*part < 0) {
        hwStatus status = hwFail(error, HW_ERROR_LIMIT, cable->name,
                                 "%s: it has been cut as often as was planned for", cable->name);
        hwFail_Hint(error, "give a larger number of `cuts` in its description");
        return status;
    }
    double ground = hwCables_GetGroundEnergy(world, slot);
    hwCables_KeepMesh(world, slot);
    double fraction;
    int element = hwCableState_Locate(&state, at, &fraction);
    int node = fraction < 0.5 ? element : element + 1;
    double off = (fraction < 0.5 ? fraction : 1.0 - fraction);
    if (off > 0.01 || node == 0 || node == state.core->nodes - 1) {
        fraction = hwClamp(fraction, 0.01, 0.99);
        if (!hwCableState_InsertNode(&state, &cable->model, element, fraction)) {
            return hwFail(error, HW_ERROR_LIMIT, cable->name, "%s: there is no room for another node",
                          cable->name);
        }
        node = element + 1;
    }
    hwCableState rest = hwWorld_ViewCable(world, *part, world->state.q, world->state.v);
    hwCableState_Cut(&state, &rest, node);
    SpreadMesh(world, slot, *part);
    SpreadMesh(world, slot, slot);
    world->state.cables->stores[*part].ends[1] = world->state.cables->stores[slot].ends[1];
    HW_EACH_HOOK(world, each, cut) each->cables->cut(world, slot, *part);
    DetachEnd(world, *part, 0);
    DetachEnd(world, slot, 1);
    hwCables_Refresh(world);
    BookGround(world, slot,
               hwCables_GetGroundEnergy(world, slot) + hwCables_GetGroundEnergy(world, *part) - ground);
    return HW_OK;
}

// Rows of nodes that do not exist hold zeros everywhere, so that they stay zero whatever is computed with them.
static void ClearSpareRows(hwWorld* world, int slot) {
    const hwCableSlot* cable = &world->model.cables->slots[slot];
    hwWork* work = world->work;
    int nodes = world->state.cables->stores[slot].core->nodes;
    size_t bytes = (size_t)(cable->model.nodeCapacity - nodes) * sizeof(hwVec3);
    int freedom = cable->freedom + 3 * nodes;
    double* vectors[] = {world->state.v, world->state.a, work->residual, work->v0, work->a0,
                         work->v1,       work->a1,       work->d1,       work->v,  work->a,
                         work->d,        work->step,     work->estimate};
    for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); ++i) memset(vectors[i] + freedom, 0, bytes);
    memset(world->state.q + cable->coordinate + 3 * nodes, 0, bytes);
    memset(world->state.cables->stores[slot].material + nodes, 0,
           (size_t)(cable->model.nodeCapacity - nodes) * sizeof(double));
    memset(world->state.cables->stores[slot].anchor + nodes, 0, bytes);
    memset(world->state.cables->stores[slot].slack + nodes, 0,
           (size_t)(cable->model.nodeCapacity - nodes) * sizeof(double));
    memset(world->state.cables->stores[slot].level + nodes, 0,
           (size_t)(cable->model.nodeCapacity - nodes) * sizeof(int32_t));
}

#define SUM_LANES 8 // of hwVector_Dot

// Solvers leave out what is behind everything that is there: room for nodes at contacts while it is not used, and for parts
// that may be cut off, which is twice that of the cables themselves. By whole lanes of sums, so that these have the bits of
// sums over all.
static void CountFreedoms(hwWorld* world) {
    int all = world->model.freedomCount, room = 0, used = world->model.forest.freedomCount;
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        const hwCableSlot* cable = &world->model.cables->slots[slot];
        int capacity = cable->model.nodeCapacity, given = capacity - cable->contactNodes;
        int nodes = world->state.cables->stores[slot].core->nodes;
        int end = cable->freedom + 3 * (nodes > given ? nodes : given);
        if (hwWorld_HasCable(world, slot) && end > used) used = end;
        if (cable->freedom + 3 * capacity > room) room = cable->freedom + 3 * capacity;
    }
    if (room < all) return; // what runs over sheaves is behind
    world->work->freedomsInUse = all - (all - used) / SUM_LANES * SUM_LANES;
}

// After the mesh or the state was changed from outside.
void hwCables_Refresh(hwWorld* world) {
    for (int slot = 0; slot < world->model.cables->count; ++slot) ClearSpareRows(world, slot);
    if (world->model.cables->count > 0) CountFreedoms(world);
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        if (!hwWorld_HasCable(world, slot)) continue;
        world->work->cables->tools[slot].meshed = true;
        world->work->cables->tools[slot].shown = false;
        hwCableState state = hwWorld_ViewCable(world, slot, world->state.q, world->state.v);
        hwCableWork_Refresh(&world->work->cables->tools[slot].work, &world->model.cables->slots[slot].model,
                            &state);
    }
    world->work->couplingsStale = true;
    HW_EACH_HOOK(world, part, meshed) part->cables->meshed(world);
}

// A cable parts between steps, so steps are shortened until it does so at its strength.
#define OVERLOADED 1.001
#define SHORTEST_OVERLOAD 1e-5 // s; in a snap tension may grow faster than that

bool hwCables_Endure(const hwWorld* world, const hwMode* mode, double h) {
    if (!world->model.mayPart || mode->held || h <= SHORTEST_OVERLOAD) return true;
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        if (!hwWorld_HasCable(world, slot)) continue;
        bool whole = world->state.header->time + h < world->state.cables->stores[slot].core->whole;
        if (!whole && hwCableWork_FindBreak(&world->work->cables->tools[slot].work, OVERLOADED) >= 0)
            return false;
    }
    return true;
}

// It breaks where it is overloaded most, and the wave that goes out from there unloads the rest. The mesh disperses that
// wave; for the time that it takes along the cable and back, its ripples break nothing.
static hwStatus PartWhereBroken(hwWorld* world, const hwMode* mode, int slot, bool* parted, hwError* error) {
    hwCableTools* tools = &world->work->cables->tools[slot];
    int element = hwCableWork_FindBreak(&tools->work, 1.0);
    if (element < 0 || mode->held ||
        world->state.header->time < world->state.cables->stores[slot].core->whole)
        return HW_OK;
    const char* name = world->model.cables->slots[slot].name;
    const hwCableState* state = &tools->state;
    double at = 0.5 * (state->material[element] + state->material[element + 1]) - state->material[0];
    double tension = tools->work.tension[element], time = world->state.header->time;
    double unloaded = time + 2.0 * hwCableWork_GetWaveTime(&tools->work);
    int part;
    if (hwWorld_CutCable(world, slot, at, &part, NULL) != HW_OK) {
        hwStatus status =
            hwFail(error, HW_ERROR_LIMIT, name,
                   "%s: element %d, %.4g m along, breaks at %.4g N and %.6g s, but it has parted as "
                   "often as was planned for",
                   name, element, at, tension, time);
        hwFail_At(error, element, time);
        hwFail_Hint(error, "give a larger number of `cuts` in its description");
        return status;
    }
    world->state.cables->stores[slot].core->whole = world->state.cables->stores[part].core->whole = unloaded;
    hwWorld_AddIncident(world, HW_INCIDENT_PARTED, slot, -1, at);
    hwWorld_Log(world, HW_LOG_WARNING,
                "%s parted in element %d, at %.4g m of its length, under %.4g N at %.4g s", name, element, at,
                tension, time);
    *parted = true;
    return HW_OK;
}

void hwCables_SpreadMesh(hwWorld* world, int slot) {
    ClearSpareRows(world, slot);
    CountFreedoms(world);
    SpreadMesh(world, slot, slot);
}

hwCableEnergy hwCables_MeasureEnergy(hwWorld* world, int slot, const hwCableState* state) {
    hwCableTools* tools = &world->work->cables->tools[slot];
    hwEvaluation now = {
        .time = world->state.header->time, .q = world->state.q, .v = world->state.v, .zBase = world->state.z};
    hwCableInput input = tools->input;
    tools->state = *state;
    tools->sampledStage = 0;
    hwCables_Sample(world, slot, &now);
    input.fluid = tools->input.fluid;
    input.matrix = false;
    input.hd = 0.0;
    hwCableWork_Evaluate(&tools->work, state, &input);
    return hwCableWork_GetEnergy(&tools->work);
}

// A boundary element has the velocity of its end there, not that of the material that runs off the winch. The kinetic energy that
// this material lacks comes with its node, and goes with one that is hauled in: it is the winch's work. What else nodes change of the
// energies of the discrete cable is dissipated, as where contact inserts them, and so is all at a sheave, which brings nothing.
static void BookMesh(hwWorld* world, int slot, const hwCableEnergy* before, const hwCableEnergy* after,
                     bool passes) {
    const hwCableSlot* cable = &world->model.cables->slots[slot];
    double run = after->kinetic - before->kinetic;
    double shape = after->gravity - before->gravity + after->stretch - before->stretch + after->bending -
                   before->bending + after->torsion - before->torsion;
    world->state.z[cable->dissipated] -= passes ? run + shape : shape;
    if (passes) return;
    world->state.z[cable->work] += run;
    world->state.z[cable->outside] += run;
}

// Whether the element at an end touched something in the last step.
static bool TouchesAtEnd(const hwWorld* world, int slot, const hwCableState* state, int end) {
    const hwCableStore* store = &world->state.cables->stores[slot];
    const double* m = state->material + (end == 0 ? 0 : state->core->nodes - 2);
    for (int i = 0; i < *store->touchCount; ++i) {
        double at = store->touches[i].at[0];
        if (at >= m[0] && at <= m[1]) return true;
    }
    return false;
}

// Splits and merges what a winch or a sheave has made too long or too short, or will within `time`.
static hwStatus MeshEnd(hwWorld* world, int slot, int end, double rate, double time, bool* changed,
                        hwError* error) {
    hwCableTools* tools = &world->work->cables->tools[slot];
    const hwCableSlot* cable = &world->model.cables->slots[slot];
    hwCableState state = hwWorld_ViewCable(world, slot, world->state.q, world->state.v);
    // the last element never goes through a sheave: it stops there, see sheave.c
    const hwCableSection* section = &cable->model.sections[end == 0 ? 0 : cable->model.sectionCount - 1];
    bool last = state.core->nodes == 2 && hwCableState_GetLength(&state) <= section->maxElement;
    hwCableFeed feed;
    bool passes = hwWorld_FindFeed(world, slot, end, &feed) && feed.passes;
    if (last && passes) return HW_OK;
    if (!hwCableState_NeedsRemesh(&state, &cable->model, end, rate, time)) return HW_OK;
    bool meshed = false;
    hwCables_KeepMesh(world, slot);
    hwCableEnd held = tools->input.ends[end];
    held.payout = rate;
    held.lies = TouchesAtEnd(world, slot, &state, end);
    double ground = hwCables_GetGroundEnergy(world, slot);
    hwCableEnergy before = hwCables_MeasureEnergy(world, slot, &state);
    hwStatus status = hwCableState_Remesh(&state, &cable->model, end, &held, time, &meshed, error);
    if (status != HW_OK || !meshed) return status;
    tools->meshed = true;
    hwCables_SpreadMesh(world, slot);
    hwCableWork_Refresh(&tools->work, &cable->model, &state);
    BookGround(world, slot, hwCables_GetGroundEnergy(world, slot) - ground);
    hwCableEnergy after = hwCables_MeasureEnergy(world, slot, &state);
    BookMesh(world, slot, &before, &after, passes);
    // where its shape has jumped, what it touches is met as if for the first time
    int most = state.core->nodes - 1, two = most < 2 ? most : 2;
    double from = state.material[end == 0 ? 0 : most - two], to = state.material[end == 0 ? two : most];
    HW_EACH_HOOK(world, part, jumped) part->cables->jumped(world, slot, from, to);
    *changed = true;
    return HW_OK;
}

void hwCables_Remesh(hwWorld* world) {
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        for (int e = 0; e < 2; ++e) {
            hwCableFeed feed;
            if (!hwWorld_HasCable(world, slot) || !hwWorld_FindFeed(world, slot, e, &feed) || !feed.passes)
                continue;
            bool changed = false;
            MeshEnd(world, slot, e, 0.0, 0.0, &changed, NULL);
            hwCableState state = hwWorld_ViewCable(world, slot, world->state.q, world->state.v);
            state.core->relief[0] = state.core->relief[1] = 0.0;
            if (changed)
                hwCableWork_Refresh(&world->work->cables->tools[slot].work,
                                    &world->model.cables->slots[slot].model, &state);
        }
    }
}

// A lump that a winch has hauled in takes its energy out of the world, one that it pays out brings it.
static void BookLumps(hwWorld* world, int slot, int end, bool* changed) {
    const hwCableSlot* cable = &world->model.cables->slots[slot];
    const hwCableStore* store = &world->state.cables->stores[slot];
    int node = end == 0 ? 0 : store->core->nodes - 1;
    double seen = store->core->seen[end], now = store->material[node];
    for (int k = 0; k < cable->model.lumpCount; ++k) {
        double at = cable->model.lumps[k].at;
        bool was = end == 0 ? at >= seen : at < seen, is = end == 0 ? at >= now : at < now;
        if (was == is) continue;
        double brought =
            (is ? 1.0 : -1.0) * hwCableWork_GetLumpEnergy(&world->work->cables->tools[slot].work, k, node);
        world->state.z[cable->work] += brought;
        world->state.z[cable->outside] += brought;
        // it came or went within the step, which the built-in solver took for its own doing
        if (hwWorld_HasNodes(world, slot) && hwCables_IsBooked(world, slot) &&
            world->external.advance == NULL)
            world->state.z[HW_AUX_METHOD] += brought;
        *changed = true;
    }
    store->core->seen[end] = now;
}

void hwCables_Fade(hwWorld* world, double time) {
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        if (!hwWorld_HasNodes(world, slot)) continue;
        hwCableState state = hwWorld_ViewCable(world, slot, world->state.q, world->state.v);
        hwCableState_Fade(&state, time);
    }
}

hwStatus hwCables_Finish(hwWorld* world, const hwMode* mode, double step, bool* changed, hwError* error) {
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        if (hwWorld_HasCable(world, slot)) AddEfforts(world, slot, step);
    }
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        if (!hwWorld_HasCable(world, slot)) continue;
        if (!mode->held) hwWorld_WatchCable(world, slot);
        hwCableTools* tools = &world->work->cables->tools[slot];
        const hwCableOps* ops = world->model.cables->slots[slot].ops;
        hwCableState state = hwWorld_ViewCable(world, slot, world->state.q, world->state.v);
        if (ops->finish != NULL) {
            hwStatus status = ops->finish(world, mode, slot, error);
            if (status != HW_OK) return status;
            continue;
        }
        state.core->twist = tools->work.twist;
        if (hwWorld_MeetsBottom(world, slot)) {
            hwCableWork_CommitSeabed(&tools->work, &state, &tools->seabed);
        }
        hwCableState_Relax(&state, step);
        hwCableWork_TakeSlack(&tools->work, &state);
        tools->input.since = 0.0;
        for (int e = 0; e < 2; ++e) {
            hwCableFeed feed;
            if (!hwWorld_FindFeed(world, slot, e, &feed)) continue;
            if (!feed.passes) BookLumps(world, slot, e, changed);
            hwStatus status = MeshEnd(world, slot, e, feed.rate, 2.0 * step, changed, error);
            if (status != HW_OK) {
                hwFail_At(error, error != NULL ? error->index : -1, world->state.header->time);
                return status;
            }
        }
    }
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        hwStatus status =
            hwWorld_HasCable(world, slot) ? PartWhereBroken(world, mode, slot, changed, error) : HW_OK;
        if (status != HW_OK) return status;
    }
    if (!mode->held && hwWorld_RunCaptures(world)) *changed = true;
    return HW_OK;
}
