// The one interface of the parts of a world (src/parts), and their table (parts.c).
#ifndef HW_WORLD_PART_H
#define HW_WORLD_PART_H

#include "world/world.h"

#include <stddef.h>

// Where in a hwModel, hwState or hwWork the pointer to a part's slice is, and how large the slice is; size 0: none.
typedef struct hwSlice {
    size_t offset, size;
} hwSlice;

#define HW_SLICE(Owner, field)                                                                               \
    { offsetof(Owner, field), sizeof(*((Owner*)0)->field) }

typedef struct hwPart {
    const char* name;
    hwSlice model, state, work;
} hwPart;

// Gives model, state and work their slices, empty; model->slices owns them. False: out of memory.
bool hwParts_TakeSlices(const hwAllocator* allocator, hwModel* model, hwState* state, hwWork* work);

#endif
