// Accelerations of the present state, for those who look between steps: one evaluation and one solution, not counted.
#include "world/cable_slots.h"
#include "world/part.h"

#include <string.h>

// Whether the last evaluation moved material at the end of a cable.
static bool FeedsCables(const hwWorld* world) {
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        const hwCableTools* tools = &world->work->cables->tools[slot];
        if (hwWorld_HasCable(world, slot) && (tools->input.ends[0].fed || tools->input.ends[1].fed))
            return true;
    }
    return false;
}

hwStatus hwWorld_UpdateAccelerations(const hwWorld* world, const hwMode* mode, hwError* error) {
    const hwState* state = &world->state;
    if (state->header->accelerationValid) return HW_OK;
    bool cables = hwModel_HasCables(&world->model);
    if (cables) {
        double time = mode->held ? mode->heldTime : state->header->time;
        hwWorld_ComputeLinkMotion(world, mode, time, state->q, state->v);
        HW_EACH_PART(world, part, attach) part->attach(world, mode, time);
    }
    hwWorld_FindContacts(world, mode, 0.0, false);
    // not counted: who looks between two changes of inputs has it done once more, and the counters are in the state
    hwCounters counters = state->header->counters;
    hwWork* work = world->work;
    size_t coordinates = hwWorld_GetCoordinateBytes(world);
    memcpy(work->y, state->q, coordinates);
    hwEvaluation now = {.time = state->header->time,
                        .q = state->q,
                        .v = state->v,
                        .zBase = state->z,
                        .matrix = true,
                        .mode = *mode};
    hwWorld_Evaluate(world, &now);
    // What the evaluation has moved nevertheless (shapes of cables without inertia, material at winches and sheaves) may touch
    // elsewhere. Contacts found once more stay as they are however often somebody looks.
    if (cables && (FeedsCables(world) || memcmp(work->y, state->q, coordinates) != 0)) {
        hwWorld_FindContacts(world, mode, 0.0, false);
        hwWorld_Evaluate(world, &now);
    }
    HW_EACH_PART(world, part, keepLoads) part->keepLoads(world);
    hwStatus status = hwWorld_SolveForward(world, state->v, state->a, error);
    state->header->counters.evaluations = counters.evaluations;
    state->header->counters.factorizations = counters.factorizations;
    if (status == HW_OK) status = hwWorld_CheckForces(world, state->a, state->header->time, error);
    if (status != HW_OK) return status;
    hwWorld_CopyAuxiliaries(world, work->zdot, state->zdot);
    hwForest_ComputeAccelerations(&world->model.forest, state->a, &work->forest);
    state->zdot[HW_AUX_METHOD] = hwWorld_RateStored(world, state->v, state->a);
    hwWorld_NoteEnergy(world);
    state->header->treePower = hwWorld_RateTrees(world, &state->header->treeEnergy);
    state->header->accelerationValid = HW_ACCELERATIONS_ANEW;
    return HW_OK;
}
