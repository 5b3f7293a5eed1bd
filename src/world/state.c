// The state as one block of bytes: layout, saving, restoring, hashing, branching.
#include "api/step_events.h"
#include "base/hash.h"
#include "world/world_internal.h"

#include <math.h>
#include <string.h>

void hwState_Lay(const hwModel* model, hwArena* arena, hwState* state) {
    int links = model->forest.linkCount;
    state->header = HW_TAKE(arena, hwStateHeader, 1);
    state->q = HW_TAKE(arena, double, model->coordinateCount);
    state->v = HW_TAKE(arena, double, model->freedomCount);
    state->a = HW_TAKE(arena, double, model->freedomCount);
    state->z = HW_TAKE(arena, double, model->auxiliaryCount);
    state->zdot = HW_TAKE(arena, double, model->auxiliaryCount);
    state->inputs = HW_TAKE(arena, double, model->inputs.count);
    state->forces->world = HW_TAKE(arena, hwSpatial, links);
    state->forces->body = HW_TAKE(arena, hwSpatial, links);
    state->forces->impedance = HW_TAKE(arena, hwSpatialSym, links);
    state->fluid->addedMass = HW_TAKE(arena, hwSpatialSym, links);
    state->ships->manual = HW_TAKE(arena, hwManualMotion, links);
    hwState_LayCables(model, arena, state);
    hwState_LayContact(model, arena, state);
    hwState_LayRules(model, arena, state);
    state->size = arena->used;
    state->block = arena->base;
}

size_t hwWorld_GetStateSize(const hwWorld* world) {
    return world->prepared ? world->state.size : 0;
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
    // A solver with memory of its own starts afresh from here, as it will from the restored state: same bits.
    if (world->external.reset != NULL) world->external.reset(world->external.context);
    return HW_OK;
}

hwStatus hwWorld_RestoreState(hwWorld* world, const void* buffer, size_t size, hwError* error) {
    hwClearError(error);
    hwStatus status = hwWorld_RequirePrepared(world, error);
    if (status != HW_OK) return status;
    uint64_t signature = 0;
    if (buffer != NULL && size >= sizeof(signature)) memcpy(&signature, buffer, sizeof(signature));
    if (size != world->state.size || signature != world->model.signature) {
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "the saved state belongs to another model");
    }
    memcpy(world->state.block, buffer, size);
    hwWorld_ForgetStepEvents(world);
    hwWorld_FindWetLinks(world);
    hwWorld_RefreshCables(world);
    world->couplingsStale = true;
    world->work.ships->time = (double)NAN;
    world->fresh = false;
    if (world->external.reset != NULL) world->external.reset(world->external.context);
    return HW_OK;
}

uint64_t hwWorld_HashState(const hwWorld* world) {
    return world->prepared ? hwHash(0, world->state.block, world->state.size) : 0;
}

// Copies keep slots and generations, so that handles of the original are handles of the copy.
static hwStatus CopyBodies(hwWorld* branch, const hwWorld* world, hwError* error) {
    for (int i = 0; i < world->bodies.slots; ++i) {
        const hwBodyObject* body = world->bodies.items[i];
        if (body == NULL) continue;
        if (HW_IS_NULL(hwWorld_AddObject(branch, &body->def, body->joint, body->mechanism, error)))
            return HW_ERROR_MEMORY;
    }
    if (!hwPool_Mirror(&branch->bodies, &world->bodies, &branch->allocator))
        return hwFail_Memory(error, NULL);
    for (int i = 0; i < world->bodies.slots; ++i) {
        if (world->bodies.items[i] == NULL) continue;
        ((hwBodyObject*)branch->bodies.items[i])->id = ((const hwBodyObject*)world->bodies.items[i])->id;
    }
    return HW_OK;
}

static hwStatus CopyForces(hwWorld* branch, const hwWorld* world, hwError* error) {
    for (int i = 0; i < world->forces.slots; ++i) {
        const hwForceObject* force = world->forces.items[i];
        if (force != NULL && HW_IS_NULL(hwWorld_AddForce(branch, &force->def, error))) return HW_ERROR_MEMORY;
    }
    if (!hwPool_Mirror(&branch->forces, &world->forces, &branch->allocator))
        return hwFail_Memory(error, NULL);
    for (int i = 0; i < world->forces.slots; ++i) {
        if (world->forces.items[i] == NULL) continue;
        ((hwForceObject*)branch->forces.items[i])->id = ((const hwForceObject*)world->forces.items[i])->id;
    }
    return HW_OK;
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

hwWorld* hwWorld_Branch(const hwWorld* world, hwError* error) {
    hwClearError(error);
    if (hwWorld_RequirePrepared(world, error) != HW_OK) return NULL;
    hwWorldDef def = world->def;
    def.statics = false;
    hwWorld* branch = hwCreateWorld(&def, error);
    if (branch == NULL) return NULL;
    branch->def.statics = world->def.statics;
    hwStatus status = hwWorld_SetEnvironment(branch, hwEnvironment_GetDef(world->environment), error);
    if (status == HW_OK) status = hwWorld_CopyContact(branch, world, error);
    if (status == HW_OK) status = CopyBodies(branch, world, error);
    if (status == HW_OK) status = hwWorld_CopyMechanisms(branch, world, error);
    if (status == HW_OK) status = hwWorld_CopyVehicles(branch, world, error);
    if (status == HW_OK) status = hwWorld_CopyCables(branch, world, error);
    if (status == HW_OK) status = CopyForces(branch, world, error);
    if (status == HW_OK) status = CopyEvents(branch, world, error);
    if (status == HW_OK) status = hwWorld_Compile(branch, error);
    if (status == HW_OK && world->external.copy != NULL) {
        status = world->external.copy(world->external.context, branch, error);
    }
    if (status == HW_OK) status = hwWorld_RestoreState(branch, world->state.block, world->state.size, error);
    if (status != HW_OK) {
        hwDestroyWorld(branch);
        return NULL;
    }
    return branch;
}
