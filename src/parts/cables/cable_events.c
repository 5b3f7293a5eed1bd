// Events of cables: ends that are attached and let go, and cuts, at given times or when that becomes possible.
#include "parts/cables/cables.h"

#include <math.h>

hwCableEventDef hwDefaultCableEventDef(void) {
    hwCableEventDef def = {.cookie = HW_CABLE_EVENT_COOKIE};
    return def;
}

hwStatus hwWorld_AddCableEvent(hwWorld* world, const hwCableEventDef* def, hwError* error) {
    hwClearError(error);
    if (def == NULL || def->cookie != HW_CABLE_EVENT_COOKIE) {
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "the event def was not made by hwDefaultCableEventDef");
    }
    const hwCableObject* cable = hwWorld_GetCable(world, def->cable);
    if (cable == NULL || !isfinite(def->time)) {
        return hwFail(error, HW_ERROR_ARGUMENT, NULL,
                      "an event needs a finite time and a cable of this world");
    }
    const char* name = cable->def.name;
    bool ends = def->kind != HW_CABLE_EVENT_CUT;
    if (ends && def->end != 0 && def->end != 1) {
        return hwFail(error, HW_ERROR_ARGUMENT, name, "%s: a cable has ends 0 and 1, not %d", name, def->end);
    }
    if (def->kind == HW_CABLE_EVENT_CUT && !(def->at > 0.0 && isfinite(def->at))) {
        return hwFail(error, HW_ERROR_ARGUMENT, name, "%s: it cannot be cut at %g m", name, def->at);
    }
    if (!(def->within >= 0.0 && def->below >= 0.0) || !isfinite(def->within + def->below)) {
        return hwFail(error, HW_ERROR_ARGUMENT, name,
                      "%s: a distance or tension to wait for must not be negative", name);
    }
    if (def->kind == HW_CABLE_EVENT_ATTACH) {
        hwStatus status = hwWorld_CheckEnd(world, name, def->end, &def->attach, error);
        if (status != HW_OK) return status;
    }
    hwEventObject* event = hwAllocate(&world->allocator, sizeof(*event));
    if (event == NULL) return hwFail_Memory(error, name);
    event->time = def->time;
    event->onCable = true;
    event->cable = *def;
    event->cable.attach.path = (hwSignal){0, NULL};
    event->input = -1;
    if (hwPool_Add(&world->events, &world->allocator, event) == 0) {
        hwRelease(&world->allocator, event);
        return hwFail_Memory(error, name);
    }
    hwWorld_Unprepare(world);
    return HW_OK;
}

hwStatus hwCables_RunEvent(hwWorld* world, int index, hwError* error) {
    const hwCableEventDef* def = &world->model.events[index]->cable;
    int slot = hwWorld_GetCable(world, def->cable)->slot, part;
    bool waits = (def->kind == HW_CABLE_EVENT_ATTACH && def->within > 0.0) ||
                 (def->kind == HW_CABLE_EVENT_DETACH && def->below > 0.0);
    // from now on the end waits for this; what it waited for before is forgotten
    if (def->kind != HW_CABLE_EVENT_CUT)
        world->state.cables->stores[slot].watches[def->end].waits = waits ? index + 1 : 0;
    if (waits) return HW_OK;
    switch (def->kind) {
    case HW_CABLE_EVENT_DETACH:
        return hwWorld_DetachRunning(world, slot, def->end, error);
    case HW_CABLE_EVENT_ATTACH:
        return hwWorld_AttachRunning(world, slot, def->end, &def->attach, error);
    case HW_CABLE_EVENT_CUT:
        return hwWorld_CutCable(world, slot, def->at, &part, error);
    }
    return HW_OK;
}

// Removing bodies --------------------------------------------------------------------------------------------------------

// The state of a cable's ends in the model that the world has or had, or null where the cable is not in one.
static hwCableStore* FindStore(const hwWorld* world, const hwCableObject* cable) {
    bool running = world->model.block != NULL && cable->slot >= 0;
    return running ? &world->state.cables->stores[cable->slot] : NULL;
}

// Whether an end is held by a body: as it runs, or as it was described.
static bool IsHeldBy(const hwWorld* world, const hwCableObject* cable, int end, hwBodyId id) {
    const hwCableStore* store = FindStore(world, cable);
    if (store == NULL)
        return cable->def.ends[end].joint != HW_ATTACH_FREE && HW_SAME_ID(cable->def.ends[end].body, id);
    const hwBodyObject* body = hwWorld_GetBody(world, id);
    return store->ends[end].joint != HW_ATTACH_FREE && body->link >= 0 && store->ends[end].link == body->link;
}

hwStatus hwCables_CheckDropBody(const hwWorld* world, hwBodyId id, hwError* error) {
    for (int i = 0; i < world->cables.slots; ++i) {
        const hwCableObject* cable = world->cables.items[i];
        for (int e = 0; cable != NULL && e < 2; ++e) {
            if (!IsHeldBy(world, cable, e, id)) continue;
            const char* name = hwBody_GetName(world, id);
            hwStatus status =
                hwFail(error, HW_ERROR_ORDER, name, "%s: end %c of cable `%s` is attached to it", name,
                       e == 0 ? 'a' : 'b', cable->def.name);
            hwFail_Hint(error, "detach the end (hwCable_Detach), or remove the cable first");
            return status;
        }
    }
    return HW_OK;
}

// An event goes, and what waits for it waits no longer.
static void DropEvent(hwWorld* world, int index) {
    const hwEventObject* event = world->events.items[index];
    const hwCableObject* cable = hwWorld_GetCable(world, event->cable.cable);
    hwCableStore* store = cable != NULL ? FindStore(world, cable) : NULL;
    for (int e = 0; store != NULL && e < 2; ++e) {
        int waits = store->watches[e].waits;
        if (waits > 0 && world->model.events[waits - 1] == event) store->watches[e].waits = 0;
    }
    hwRelease(&world->allocator, hwPool_Remove(&world->events, (uint32_t)index + 1));
}

void hwCables_DropBody(hwWorld* world, hwBodyId id) {
    for (int i = 0; i < world->events.slots; ++i) {
        const hwEventObject* event = world->events.items[i];
        if (event != NULL && event->onCable && event->cable.kind == HW_CABLE_EVENT_ATTACH &&
            HW_SAME_ID(event->cable.attach.body, id))
            DropEvent(world, i);
    }
    // an end that was let go while running was described as held by it: from now on as free where it is
    for (int i = 0; i < world->cables.slots; ++i) {
        hwCableObject* cable = world->cables.items[i];
        for (int e = 0; cable != NULL && e < 2; ++e) {
            if (!HW_SAME_ID(cable->def.ends[e].body, id)) continue;
            hwCableStore* store = FindStore(world, cable);
            hwCableEndDef end = {.joint = HW_ATTACH_FREE};
            if (store != NULL && store->core->nodes > 0) {
                hwCableState state = hwWorld_ViewCable(world, cable->slot, world->state.q, world->state.v);
                end.at = state.position[e == 0 ? 0 : state.core->nodes - 1];
                end.placed = true;
            }
            cable->def.ends[e] = end;
        }
    }
}

void hwCables_DropEvents(hwWorld* world, hwCableId id) {
    for (int i = 0; i < world->events.slots; ++i) {
        const hwEventObject* event = world->events.items[i];
        if (event != NULL && event->onCable && HW_SAME_ID(event->cable.cable, id)) DropEvent(world, i);
    }
}
