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
