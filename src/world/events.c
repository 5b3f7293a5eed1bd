// Things that happen at given times.
#include "world/part.h"

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
    event->time = def->time;
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
    return next < (uint64_t)world->model.eventCount ? world->model.events[next]->time : (double)INFINITY;
}

hwStatus hwWorld_RunEvents(hwWorld* world, hwError* error) {
    hwStateHeader* header = world->state.header;
    while (hwWorld_NextEventTime(world) <= header->time) {
        int index = (int)header->eventsDone;
        const hwEventObject* event = world->model.events[index];
        header->eventsDone += 1;
        if (event->onCable) {
            hwStatus status = HW_OK;
            HW_EACH_PART(world, part, runEvent) {
                if (status == HW_OK) status = part->runEvent(world, index, error);
            }
            if (status != HW_OK) {
                hwFail_At(error, error != NULL ? error->index : -1, header->time);
                return status;
            }
        } else {
            world->state.inputs[event->input] = event->def.value;
            hwWorld_InputChanged(world, event->input);
        }
        hwWorld_StateChanged(world);
    }
    return HW_OK;
}
