// For callers who advance a cable and what it hangs on in different worlds or programs: they pass motion one way and force
// the other (seed 004, 1.3 and 3.3.4.4).
//
// Passing the force of the moment alone creates energy once the interval H is long against sqrt(m / k), k the cable's
// stiffness and m what it hangs on. The load is therefore predicted at the middle of the interval by one Newton iteration
// of an implicit Euler step of h = H/2 with the end going on at its velocity v_n, and passed on with the derivative D that
// the same step has: F - D (v - v_n). A mass on a spring then moves by the trapezoidal rule, m (v' - v) = -H k (x + x')/2,
// which keeps energy whatever H is. Where the wire goes taut in between, exchange.c repeats the interval.
#include "parts/cables/cables.h"

#include <math.h>
#include <string.h>

#define LOOK_AHEAD 0.5 // of the interval: the trapezoidal rule

static hwStatus FindEnd(const hwWorld* world, hwCableId id, int end, int* slot, hwError* error) {
    hwClearError(error);
    const hwCableObject* cable = hwWorld_GetCable(world, id);
    if (cable == NULL || (end != 0 && end != 1)) {
        return hwFail(error, HW_ERROR_ARGUMENT, NULL,
                      "a cable of this world and its end 0 or 1 are needed; the end given is %d", end);
    }
    hwStatus status = hwWorld_RequirePrepared(world, error);
    if (status != HW_OK) return status;
    *slot = cable->slot;
    const hwEndState* state = &world->state.cables->stores[*slot].ends[end];
    if (state->joint != HW_ATTACH_FREE && state->link < 0) return HW_OK;
    return hwFail(error, HW_ERROR_ORDER, cable->def.name,
                  "%s: only an end that is attached to the earth can be moved by hand", cable->def.name);
}

hwStatus hwCable_SetEndTurn(hwWorld* world, hwCableId id, int end, hwVec3 p1, hwVec3 p2, hwVec3 rate,
                            hwError* error) {
    int slot = -1;
    hwStatus status = FindEnd(world, id, end, &slot, error);
    if (status != HW_OK) return status;
    const char* name = world->model.cables->slots[slot].name;
    hwEndState* state = &world->state.cables->stores[slot].ends[end];
    if (state->joint != HW_ATTACH_CLAMP) {
        return hwFail(error, HW_ERROR_ORDER, name, "%s: only a clamp can be turned by hand", name);
    }
    double size = hwLength(p1) * hwLength(p2);
    if (!(hwLength(hwCross(p1, p2)) > 1e-6 * size) || !isfinite(size) || !hwIsFiniteVec3(rate)) {
        return hwFail(error, HW_ERROR_ARGUMENT, name,
                      "%s: a clamp needs two finite directions that are not parallel, and a finite rate",
                      name);
    }
    state->tangent = hwNormalize(hwCross(p1, p2));
    state->normal = hwNormalize(p1);
    state->rate = rate;
    state->turnTime = world->state.header->time;
    hwWorld_StateChanged(world);
    return HW_OK;
}

// The cable's nodes and clamps where they will be after `h`, all going on with their velocities.
static hwCableState Advance(hwCableTools* tools, hwCableInput* input, double h) {
    hwCableState moved = tools->state;
    moved.position = tools->scratch;
    for (int i = 0; i < tools->work.nodes; ++i) {
        moved.position[i] = hwMulAdd(tools->state.position[i], h, tools->state.velocity[i]);
    }
    for (int e = 0; e < 2; ++e) {
        if (input->ends[e].kind != HW_CABLE_CLAMP) continue;
        hwQuat turn = hwQuatFromRotationVector(hwScale(h, input->ends[e].rate));
        input->ends[e].tangent = hwRotate(turn, input->ends[e].tangent);
        input->ends[e].normal = hwRotate(turn, input->ends[e].normal);
    }
    return moved;
}

hwStatus hwCable_PredictEndLoad(const hwWorld* world, hwCableId id, int end, double interval, hwVec3* force,
                                hwVec3* moment, double impedance[6][6], hwError* error) {
    int slot = -1;
    hwStatus status = FindEnd(world, id, end, &slot, error);
    if (status != HW_OK) return status;
    const char* name = world->model.cables->slots[slot].name;
    if (!(interval > 0.0) || !isfinite(interval) || !hwWorld_HasNodes(world, slot)) {
        return hwFail(error, HW_ERROR_ARGUMENT, name,
                      "%s: loads are predicted of dynamic cables over an interval above 0 s, not %g s", name,
                      interval);
    }
    hwWorld_Refresh(world);
    world->work->isCurrent = false; // works in caches, which the next step or look fills anew
    hwCableTools* tools = &world->work->cables->tools[slot];
    hwCableWork* work = &tools->work;
    hwCableInput input = tools->input;
    double h = LOOK_AHEAD * interval;
    input.matrix = true;
    input.hd = h;
    for (int e = 0; e < 2; ++e) input.ends[e].unknown = e == end;
    hwCableState moved = Advance(tools, &input, h);
    hwCableWork_Evaluate(work, &moved, &input);
    if (hwWorld_MeetsBottom(world, slot)) {
        hwCableWork_AddSeabed(work, &moved, &tools->seabed);
    }
    hwVec3 turns[2] = {hwScale(h, work->moment[0]), hwScale(h, work->moment[1])};
    for (int i = 0; i < work->nodes; ++i) tools->acceleration[i] = hwScale(h, work->force[i]);
    hwCableWork_Factor(work, NULL, 0);
    hwCableWork_Reduce(work, tools->acceleration, turns, NULL);
    const hwCableReduced* reduced = hwCableWork_GetReduced(work);
    int k = reduced->index[end], size = reduced->size[k];
    const double* f = reduced->rhs[k];
    if (force != NULL) *force = hwScale(1.0 / h, hwMakeVec3(f[0], f[1], f[2]));
    if (moment != NULL) *moment = size == 6 ? hwScale(1.0 / h, hwMakeVec3(f[3], f[4], f[5])) : hwVec3_zero;
    memset(impedance, 0, 36 * sizeof(double));
    for (int i = 0; i < size; ++i) {
        for (int j = 0; j < size; ++j) impedance[i][j] = reduced->matrix[k][i][j] / h;
    }
    return HW_OK;
}

// The end's effective mass M (its neighbours free to answer): a blow that changes its velocity by dv takes M dv from what
// the end is attached to, and the nodes near by move on as the mass matrix says. Kinetic energy then grows by
// M dv . (v + v')/2, the work counted with the new velocity is M dv . v', which is never less.
static hwVec3 StrikeEnd(hwWorld* world, int slot, int end, hwVec3 change) {
    hwCableTools* tools = &world->work->cables->tools[slot];
    hwCableWork* work = &tools->work;
    hwCableInput input = tools->input;
    input.matrix = true;
    input.hd = 0.0;
    for (int e = 0; e < 2; ++e) input.ends[e].unknown = e == end;
    hwCableState state = hwWorld_ViewCable(world, slot, world->state.q, world->state.v);
    hwCableWork_Evaluate(work, &state, &input);
    hwCableWork_Factor(work, NULL, 0);
    memset(tools->scratch, 0, (size_t)work->nodes * sizeof(hwVec3));
    hwCableWork_Reduce(work, tools->scratch, NULL, NULL);
    const hwCableReduced* reduced = hwCableWork_GetReduced(work);
    int k = reduced->index[end];
    double increments[2][6] = {{0}}, blow[3] = {0};
    increments[k][0] = change.x;
    increments[k][1] = change.y;
    increments[k][2] = change.z;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) blow[i] += reduced->matrix[k][i][j] * increments[k][j];
    }
    hwCableWork_Solve(work, increments, tools->scratch);
    for (int i = 0; i < work->nodes; ++i) state.velocity[i] = hwAdd(state.velocity[i], tools->scratch[i]);
    return hwMakeVec3(blow[0], blow[1], blow[2]);
}

hwStatus hwCable_GuideEnd(hwWorld* world, hwCableId id, int end, hwVec3 velocity, hwVec3 rate,
                          hwError* error) {
    int slot = -1;
    hwStatus status = FindEnd(world, id, end, &slot, error);
    if (status != HW_OK) return status;
    const char* name = world->model.cables->slots[slot].name;
    if (!hwWorld_HasNodes(world, slot) || !hwIsFiniteVec3(velocity) || !hwIsFiniteVec3(rate)) {
        return hwFail(error, HW_ERROR_ARGUMENT, name,
                      "%s: only ends of dynamic cables can be guided, with finite velocities", name);
    }
    hwWorld_Refresh(world);
    const hwCableTools* tools = &world->work->cables->tools[slot];
    int node = end == 0 ? 0 : tools->work.nodes - 1;
    hwEndState* state = &world->state.cables->stores[slot].ends[end];
    hwVec3 position = tools->state.position[node], before = tools->state.velocity[node];
    hwVec3 tangent = tools->input.ends[end].tangent, normal = tools->input.ends[end].normal;
    hwVec3 blow = StrikeEnd(world, slot, end, hwSub(velocity, before));
    double* impulse = world->state.z + world->model.cables->slots[slot].impulse + 6 * end;
    memset(impulse, 0, 6 * sizeof(double));
    impulse[0] = -blow.x;
    impulse[1] = -blow.y;
    impulse[2] = -blow.z;
    state->manual = HW_GUIDED;
    state->path = 0;
    state->at = position;
    state->velocity = velocity;
    state->acceleration = hwVec3_zero;
    state->time = state->turnTime = world->state.header->time;
    if (state->joint == HW_ATTACH_CLAMP) {
        state->tangent = tangent;
        state->normal = normal;
        state->rate = rate;
    }
    hwWorld_StateChanged(world);
    return HW_OK;
}

hwStatus hwCable_GetEndImpulse(const hwWorld* world, hwCableId id, int end, hwVec3* linear, hwVec3* angular,
                               hwError* error) {
    int slot = -1;
    hwStatus status = FindEnd(world, id, end, &slot, error);
    if (status != HW_OK) return status;
    if (world->state.cables->stores[slot].ends[end].manual != HW_GUIDED) {
        const char* name = world->model.cables->slots[slot].name;
        return hwFail(error, HW_ERROR_ORDER, name, "%s: the end is not guided; call hwCable_GuideEnd first",
                      name);
    }
    const double* impulse = world->state.z + world->model.cables->slots[slot].impulse + 6 * end;
    if (linear != NULL) *linear = hwMakeVec3(impulse[0], impulse[1], impulse[2]);
    if (angular != NULL) *angular = hwMakeVec3(impulse[3], impulse[4], impulse[5]);
    return HW_OK;
}
