// Things that happen at given times.
#include "world/world_internal.h"

#include <math.h>
#include <string.h>

hwStatus hwWorld_AddEvent(hwWorld* world, const hwEventDef* def, hwError* error) {
    hwClearError(error);
    if (def == NULL || def->input == NULL || !isfinite(def->time) || !isfinite(def->value)) {
        return hwFail(error, HW_ERROR_ARGUMENT, NULL,
                      "an event needs a finite time, the name of an input and a value");
    }
    size_t length = strlen(def->input) + 1;
    hwEventObject* event = hwAllocate(&world->allocator, sizeof(*event) + length);
    if (event == NULL) return hwFail_Memory(error, NULL);
    event->def = *def;
    event->def.input = memcpy((char*)(event + 1), def->input, length);
    event->input = -1;
    if (hwPool_Add(&world->events, &world->allocator, event) == 0) {
        hwRelease(&world->allocator, event);
        return hwFail_Memory(error, NULL);
    }
    hwWorld_Unprepare(world);
    return HW_OK;
}

double hwWorld_NextEventTime(const hwWorld* world) {
    uint64_t next = world->state.header->eventsDone;
    return next < (uint64_t)world->model.eventCount ? world->model.events[next]->def.time : (double)INFINITY;
}

void hwWorld_RunEvents(hwWorld* world) {
    hwStateHeader* header = world->state.header;
    while (hwWorld_NextEventTime(world) <= header->time) {
        const hwEventObject* event = world->model.events[header->eventsDone];
        world->state.inputs[event->input] = event->def.value;
        hwWorld_InputChanged(world, event->input);
        header->eventsDone += 1;
        header->accelerationValid = 0;
        world->fresh = false;
        if (world->external.reset != NULL) world->external.reset(world->external.context);
    }
}
