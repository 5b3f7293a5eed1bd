// Memory: the world's allocator, blocks laid out in one go, and pools of objects behind generational ids.
#ifndef HW_BASE_MEMORY_H
#define HW_BASE_MEMORY_H

#include "hawser/base.h"

// Zeroed memory aligned to HW_ARENA_ALIGN bytes, or null.
void* hwAllocate(const hwAllocator* allocator, size_t size);
void hwRelease(const hwAllocator* allocator, void* memory);
hwAllocator hwDefaultAllocator(void);

// Carves arrays out of one block. Run the same layout code twice: first with `base` null to learn `used`, then with a
// zeroed block of that size.
typedef struct hwArena {
    char* base;
    size_t used;
} hwArena;

#define HW_ARENA_ALIGN 64

// `count` elements of `size` bytes; null while measuring. An empty array has an address too.
void* hwArena_Take(hwArena* arena, size_t count, size_t size);

// Takes memory for `count` elements of `size` bytes and copies them there; null while measuring.
void* hwArena_Copy(hwArena* arena, const void* from, size_t count, size_t size);

#define HW_TAKE(arena, type, count) ((type*)hwArena_Take((arena), (size_t)(count), sizeof(type)))

// A growing list of objects, each its own allocation, addressed by slot + 1 and generation.
typedef struct hwPool {
    void** items;          // null: the slot is free
    uint32_t* generations; // of the object in the slot, or of the last one
    int capacity;
    int slots; // used so far, free ones included
} hwPool;

// Puts `item` into a free slot and returns the one-based index, or 0 when out of memory.
uint32_t hwPool_Add(hwPool* pool, const hwAllocator* allocator, void* item);
// The object, or null for a stale or null handle.
void* hwPool_Get(const hwPool* pool, uint32_t index, uint32_t generation);
void* hwPool_Remove(hwPool* pool, uint32_t index);
// Spreads the objects of a gapless pool over the slots that `model` uses, with its generations. False: out of memory.
bool hwPool_Mirror(hwPool* pool, const hwPool* model, const hwAllocator* allocator);
void hwPool_Free(hwPool* pool, const hwAllocator* allocator);

#endif
