// The table of parts.
#include "world/part.h"

#include "world/world_internal.h"

#include <string.h>

static const hwPart parts[] = {
    {"forces", HW_SLICE(hwModel, forces), HW_SLICE(hwState, forces), HW_SLICE(hwWork, forces)},
    {"fluid", HW_SLICE(hwModel, fluid), HW_SLICE(hwState, fluid), HW_SLICE(hwWork, fluid)},
    {"ships", HW_SLICE(hwModel, ships), HW_SLICE(hwState, ships), HW_SLICE(hwWork, ships)},
    {"joints", HW_SLICE(hwModel, joints), {0, 0}, HW_SLICE(hwWork, joints)},
    {"feet", HW_SLICE(hwModel, feet), {0, 0}, HW_SLICE(hwWork, feet)},
    {"vehicles", HW_SLICE(hwModel, vehicles), {0, 0}, HW_SLICE(hwWork, vehicles)},
    {"cables", HW_SLICE(hwModel, cables), HW_SLICE(hwState, cables), HW_SLICE(hwWork, cables)},
    {"sheaves", HW_SLICE(hwModel, sheaves), HW_SLICE(hwState, sheaves), HW_SLICE(hwWork, sheaves)},
    {"winches", HW_SLICE(hwModel, winches), {0, 0}, {0, 0}},
    {"cable pairs", HW_SLICE(hwModel, cablePairs), HW_SLICE(hwState, cablePairs),
     HW_SLICE(hwWork, cablePairs)},
    {"incidents", {0, 0}, HW_SLICE(hwState, incidents), {0, 0}},
    {"cable contact", HW_SLICE(hwModel, cableContact), {0, 0}, HW_SLICE(hwWork, cableContact)},
    {"contact", HW_SLICE(hwModel, contact), HW_SLICE(hwState, contact), HW_SLICE(hwWork, contact)},
    {"rules", HW_SLICE(hwModel, rules), HW_SLICE(hwState, rules), {0, 0}},
};

static void TakeSlice(hwArena* arena, hwSlice slice, void* owner) {
    if (slice.size == 0) return;
    void* taken = hwArena_Take(arena, 1, slice.size);
    // all pointers to structures have one representation
    memcpy((char*)owner + slice.offset, &taken, sizeof(taken));
}

bool hwParts_TakeSlices(const hwAllocator* allocator, hwModel* model, hwState* state, hwWork* work) {
    hwArena arena = {0};
    for (int pass = 0; pass < 2; ++pass) {
        for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); ++i) {
            TakeSlice(&arena, parts[i].model, model);
            TakeSlice(&arena, parts[i].state, state);
            TakeSlice(&arena, parts[i].work, work);
        }
        if (pass == 1) break;
        arena.base = hwAllocate(allocator, arena.used);
        if (arena.base == NULL) return false;
        arena.used = 0;
    }
    model->slices = arena.base;
    return true;
}
