// The log of inputs and the states to go back to.
#include "live_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static Snapshot* GetSnapshot(const hwLive* live, int index) {
    const SnapshotList* list = &live->snapshotList;
    return &list->items[(list->first + index) % list->capacity];
}

bool hwLive_StartHistory(hwLive* live) {
    SnapshotList* list = &live->snapshotList;
    live->startTime = hwWorld_GetTime(live->world) - (double)live->steps * live->def.step;
    live->stateSize = hwWorld_GetStateSize(live->world);
    list->capacity = 2 + (int)(live->def.history / live->def.snapshots);
    list->items = calloc((size_t)list->capacity, sizeof(*list->items));
    if (list->items == NULL) return false;
    // the first one now: without it there is no way back from a failing step
    list->items[0].state = malloc(live->stateSize);
    if (list->items[0].state == NULL) return false;
    for (size_t i = 0; i < live->def.logCount; ++i) {
        if (!hwLive_Log(live, &live->def.log[i])) return false;
    }
    live->def.log = NULL;
    list->items[0].step = live->steps;
    list->items[0].logCount = live->logCount;
    list->count = 1;
    return hwWorld_SaveState(live->world, list->items[0].state, live->stateSize, NULL) == HW_OK;
}

void hwLive_FreeHistory(hwLive* live) {
    SnapshotList* list = &live->snapshotList;
    for (int i = 0; list->items != NULL && i < list->capacity; ++i) free(list->items[i].state);
    free(list->items);
    free(live->log);
}

bool hwLive_Log(hwLive* live, const hwInputEvent* event) {
    if (live->logCount == live->logCapacity) {
        size_t capacity = live->logCapacity > 0 ? 2 * live->logCapacity : 1024;
        hwInputEvent* log = realloc(live->log, capacity * sizeof(*log));
        if (log == NULL) return false;
        live->log = log;
        live->logCapacity = capacity;
    }
    live->log[live->logCount++] = *event;
    return true;
}

const hwInputEvent* hwLive_GetLog(const hwLive* live, size_t* count) {
    *count = live->logCount;
    return live->log;
}

void hwLive_KeepState(hwLive* live) {
    SnapshotList* list = &live->snapshotList;
    double interval = hwFmax(1.0, round(live->def.snapshots / live->def.step));
    const Snapshot* last = GetSnapshot(live, list->count - 1);
    if ((double)(live->steps - last->step) < interval) return;
    if (list->count == list->capacity) {
        list->first = (list->first + 1) % list->capacity;
        list->count -= 1;
    }
    Snapshot* next = GetSnapshot(live, list->count);
    if (next->state == NULL) next->state = malloc(live->stateSize);
    // without memory there is simply one state less to go back to
    if (next->state == NULL || hwWorld_SaveState(live->world, next->state, live->stateSize, NULL) != HW_OK)
        return;
    next->step = live->steps;
    next->logCount = live->logCount;
    list->count += 1;
}

double hwLive_GetEarliest(const hwLive* live) {
    return live->startTime + (double)GetSnapshot(live, 0)->step * live->def.step;
}

// Position of the first log entry of step number `step` or later.
static size_t FindEntry(const hwLive* live, uint64_t step) {
    size_t low = 0, high = live->logCount;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (live->log[middle].step < step) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

bool hwLive_ReturnTo(hwLive* live, uint64_t step) {
    SnapshotList* list = &live->snapshotList;
    int at = list->count - 1;
    while (at > 0 && GetSnapshot(live, at)->step > step) at -= 1;
    const Snapshot* snapshot = GetSnapshot(live, at);
    if (snapshot->step > step) step = snapshot->step;
    if (hwWorld_RestoreState(live->world, snapshot->state, live->stateSize, NULL) != HW_OK) return false;
    list->count = at + 1;
    size_t next = snapshot->logCount;
    for (uint64_t i = snapshot->step; i < step; ++i) {
        for (; next < live->logCount && live->log[next].step == i; ++next) {
            hwWorld_SetInput(live->world, live->log[next].input, live->log[next].value, NULL);
        }
        if (hwWorld_Step(live->world, live->def.step, NULL) < HW_OK) return false;
    }
    live->steps = step;
    live->logCount = step > snapshot->step ? FindEntry(live, step) : snapshot->logCount;
    live->jumped = true;
    return true;
}

void hwLive_GoBack(hwLive* live, double time) {
    double steps = (time - live->startTime) / live->def.step;
    uint64_t step = steps > 0.0 ? (uint64_t)floor(steps + 1e-6) : 0;
    if (step > live->steps) step = live->steps;
    live->failed = false;
    live->paused = true;
    live->stepsWanted = 0;
    memset(&live->error, 0, sizeof(live->error));
    hwLive_ReturnTo(live, step);
    if (live->def.onChange != NULL) live->def.onChange(live, HW_LIVE_REWOUND, live->def.context);
}
