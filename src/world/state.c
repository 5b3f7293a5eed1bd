// The state as one block of bytes: layout, saving, restoring, hashing, branching.
#include "api/step_events.h"
#include "base/hash.h"
#include "world/part.h"

#include <math.h>
#include <string.h>

void hwState_Lay(const hwModel* model, hwArena* arena, hwState* state) {
    state->header = HW_TAKE(arena, hwStateHeader, 1);
    state->q = HW_TAKE(arena, double, model->coordinateCount);
    state->v = HW_TAKE(arena, double, model->freedomCount);
    state->a = HW_TAKE(arena, double, model->freedomCount);
    state->z = HW_TAKE(arena, double, model->auxiliaryCount);
    state->zdot = HW_TAKE(arena, double, model->auxiliaryCount);
    state->inputs = HW_TAKE(arena, double, model->inputs.count);
    hwSleep_Lay(model, arena, &state->sleep);
    for (int i = 0; i < HW_PART_COUNT; ++i) {
        if (hwPartsByLayout[i]->layState != NULL) hwPartsByLayout[i]->layState(model, arena, state);
    }
    state->size = arena->used;
    state->block = arena->base;
}

size_t hwWorld_GetStateSize(const hwWorld* world) {
    return world->prepared ? world->state.size : 0;
}

// Of a saved state, without the sum in it. A world trusts its block, in which there are indices too: bytes that were damaged in a
// file or on their way must not become one.
static uint64_t SumState(const void* buffer, size_t size) {
    hwStateHeader header;
    memcpy(&header, buffer, sizeof(header));
    header.checkSum = 0;
    uint64_t sum = hwCheckSum(0, &header, sizeof(header));
    return hwCheckSum(sum, (const char*)buffer + sizeof(header), size - sizeof(header));
}

hwStatus hwWorld_SaveState(const hwWorld* world, void* buffer, size_t size, hwError* error) {
    hwClearError(error);
    hwStatus status = hwWorld_RequirePrepared(world, error);
    if (status != HW_OK) return status;
    if (buffer == NULL || size < world->state.size) {
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "the state needs %zu bytes, the buffer has %zu",
                      world->state.size, size);
    }
    memcpy(buffer, world->state.block, world->state.size);
    uint64_t sum = SumState(buffer, world->state.size);
    memcpy((char*)buffer + offsetof(hwStateHeader, checkSum), &sum, sizeof(sum));
    // A solver with memory of its own starts afresh from here, as it will from the restored state: same bits.
    if (world->external.reset != NULL) world->external.reset(world->external.context);
    return HW_OK;
}

static void TakeState(hwWorld* world, const void* buffer) {
    memcpy(world->state.block, buffer, world->state.size);
    world->state.header->signature = world->model.signature;
    world->state.header->checkSum = 0;
    hwWorld_ForgetStepEvents(world);
    HW_EACH_PART(world, part, refresh) part->refresh(world);
    HW_EACH_PART(world, part, stateChanged) part->stateChanged(world);
    world->work->couplingsStale = true;
    world->work->isCurrent = false;
    if (world->external.advance != NULL || !world->def.solver.sleep) hwSleep_WakeAll(world);
    if (world->external.reset != NULL) world->external.reset(world->external.context);
}

// Whether a saved state fits this world, and its header. A damaged one is refused, whatever it says.
static hwStatus CheckState(const hwWorld* world, const void* buffer, size_t size, hwStateHeader* header,
                           bool* fits, hwError* error) {
    *fits = buffer != NULL && size == world->state.size;
    if (!*fits) return HW_OK;
    memcpy(header, buffer, sizeof(*header));
    if (header->checkSum != SumState(buffer, size))
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "the saved state is damaged: its check sum is another");
    *fits = header->layout == world->model.layout;
    return HW_OK;
}

hwStatus hwWorld_RestoreState(hwWorld* world, const void* buffer, size_t size, hwError* error) {
    hwClearError(error);
    hwStatus status = hwWorld_RequirePrepared(world, error);
    if (status != HW_OK) return status;
    hwStateHeader saved;
    bool fits;
    status = CheckState(world, buffer, size, &saved, &fits, error);
    if (status != HW_OK) return status;
    if (!fits || saved.signature != world->model.signature) {
        status = hwFail(error, HW_ERROR_ARGUMENT, NULL, "the saved state belongs to another model");
        if (fits)
            hwFail_Hint(error, "it has the same objects with other numbers: hwWorld_AdoptState goes on from "
                               "it all the same");
        return status;
    }
    TakeState(world, buffer);
    return HW_OK;
}

hwStatus hwWorld_AdoptState(hwWorld* world, const void* buffer, size_t size, hwError* error) {
    hwClearError(error);
    hwStatus status = hwWorld_RequirePrepared(world, error);
    if (status != HW_OK) return status;
    hwStateHeader saved;
    bool fits;
    status = CheckState(world, buffer, size, &saved, &fits, error);
    if (status != HW_OK) return status;
    if (!fits)
        return hwFail(error, HW_ERROR_ARGUMENT, NULL,
                      "the saved state belongs to a model with other objects");
    TakeState(world, buffer);
    if (saved.signature == world->model.signature) return HW_OK;
    hwWorld_Log(world, HW_LOG_WARNING, "goes on at %g s from a state of a model with other numbers",
                saved.time);
    // accelerations and energies of the old numbers would be those from which the next step begins
    world->state.header->accelerationValid = 0;
    world->state.header->nextStep = 0.0;
    return hwWorld_UpdateAccelerations(world, &hwMode_running, error);
}

uint64_t hwWorld_HashState(const hwWorld* world) {
    return world->prepared ? hwHash(0, world->state.block, world->state.size) : 0;
}

static hwStatus CopyEvents(hwWorld* branch, const hwWorld* world, hwError* error) {
    for (int i = 0; i < world->events.slots; ++i) {
        const hwEventObject* event = world->events.items[i];
        hwStatus status = event->onCable ? hwWorld_AddCableEvent(branch, &event->cable, error)
                                         : hwWorld_AddEvent(branch, &event->def, error);
        if (status != HW_OK) return status;
    }
    return HW_OK;
}

// All that was added to a world, in a new one; null and `error` on failure.
static hwWorld* CopyObjects(const hwWorld* world, hwError* error) {
    hwWorldDef def = world->def;
    hwWorld* copy = hwCreateWorld(&def, error);
    if (copy == NULL) return NULL;
    hwStatus status = hwWorld_SetEnvironment(copy, hwEnvironment_GetDef(world->environment), error);
    // copies keep slots and generations, so that handles of the original are handles of the copy
    for (int i = 0; i < HW_PART_COUNT && status == HW_OK; ++i) {
        if (hwPartsByLayout[i]->copy != NULL) status = hwPartsByLayout[i]->copy(copy, world, error);
    }
    if (status == HW_OK) status = CopyEvents(copy, world, error);
    if (status == HW_OK) return copy;
    hwDestroyWorld(copy);
    return NULL;
}

hwWorld* hwWorld_Branch(const hwWorld* world, hwError* error) {
    hwClearError(error);
    if (hwWorld_RequirePrepared(world, error) != HW_OK) return NULL;
    hwWorld* branch = CopyObjects(world, error);
    if (branch == NULL) return NULL;
    hwStatus status = hwWorld_Compile(branch, error);
    if (status == HW_OK && world->external.copy != NULL) {
        status = world->external.copy(world->external.context, branch, error);
    }
    if (status == HW_OK) {
        // a copy of what was normalised before may differ in the last bit
        branch->model.signature = world->model.signature;
        hwStateHeader* header = branch->state.header;
        if (branch->state.size == world->state.size && header->layout == world->state.header->layout) {
            TakeState(branch, world->state.block);
        } else {
            status = hwFail(error, HW_ERROR_ARGUMENT, NULL,
                            "the copy cannot take the state: it was prepared to a model of another layout");
        }
    }
    if (status != HW_OK) {
        hwDestroyWorld(branch);
        return NULL;
    }
    return branch;
}

hwWorld* hwWorld_Copy(const hwWorld* world, hwError* error) {
    hwClearError(error);
    if (world->prepared) return hwWorld_Branch(world, error);
    hwWorld* copy = CopyObjects(world, error);
    if (copy == NULL || world->external.copy == NULL) return copy;
    if (world->external.copy(world->external.context, copy, error) == HW_OK) return copy;
    hwDestroyWorld(copy);
    return NULL;
}
