#ifdef __linux__
#define _DEFAULT_SOURCE // madvise
#endif
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <sys/mman.h>
#endif

// Large blocks lie on large pages, where the system has them: thousands of bodies are read in the order in which they are
// eliminated, and with small pages each one's address would have to be looked up.
#define PAGE ((size_t)64 << 10)        // bytes: the system's, or more
#define LARGE_BLOCK ((size_t)32 << 20) // bytes: fresh pages of their own

// All zero: of fresh pages only those that are used are ever cleared, by the system, and most of a world's room is spare.
static void* MallocAllocate(void* context, size_t size) {
    (void)context;
    char* block = calloc(1, size);
#ifdef MADV_HUGEPAGE
    if (block != NULL && size >= LARGE_BLOCK) { // advice: without it the pages are small
        size_t before = (PAGE - (uintptr_t)block % PAGE) % PAGE;
        madvise(block + before, (size - before) / PAGE * PAGE, MADV_HUGEPAGE);
    }
#endif
    return block;
}

static void MallocRelease(void* context, void* memory) {
    (void)context;
    free(memory);
}

hwAllocator hwDefaultAllocator(void) {
    hwAllocator allocator = {MallocAllocate, MallocRelease, NULL};
    return allocator;
}

// Cache lines and vector registers want more alignment than an allocator gives: the block that it returned is kept just
// in front of ours.
void* hwAllocate(const hwAllocator* allocator, size_t size) {
    const size_t extra = HW_ARENA_ALIGN + sizeof(void*);
    if (size > SIZE_MAX - extra) return NULL;
    char* block = allocator->allocate(allocator->context, size + extra);
    if (block == NULL) return NULL;
    uintptr_t first = (uintptr_t)block + sizeof(void*);
    char* memory = block + sizeof(void*) + (HW_ARENA_ALIGN - first % HW_ARENA_ALIGN) % HW_ARENA_ALIGN;
    memcpy(memory - sizeof(void*), &block, sizeof(block));
    if (allocator->allocate != MallocAllocate) memset(memory, 0, size);
    return memory;
}

void hwRelease(const hwAllocator* allocator, void* memory) {
    if (memory == NULL) return;
    void* block;
    memcpy(&block, (char*)memory - sizeof(void*), sizeof(block));
    allocator->release(allocator->context, block);
}

void* hwArena_Take(hwArena* arena, size_t count, size_t size) {
    size_t start = (arena->used + HW_ARENA_ALIGN - 1) / HW_ARENA_ALIGN * HW_ARENA_ALIGN;
    arena->used = start + count * size;
    return arena->base != NULL ? arena->base + start : NULL;
}

void* hwArena_Copy(hwArena* arena, const void* from, size_t count, size_t size) {
    void* to = hwArena_Take(arena, count, size);
    if (to != NULL && count > 0) memcpy(to, from, count * size);
    return to;
}

static bool GrowPool(hwPool* pool, const hwAllocator* allocator) {
    int capacity = pool->capacity == 0 ? 16 : 2 * pool->capacity;
    void** items = hwAllocate(allocator, (size_t)capacity * sizeof(void*));
    uint32_t* generations = hwAllocate(allocator, (size_t)capacity * sizeof(uint32_t));
    if (items == NULL || generations == NULL) {
        hwRelease(allocator, items);
        hwRelease(allocator, generations);
        return false;
    }
    if (pool->slots > 0) {
        memcpy(items, pool->items, (size_t)pool->slots * sizeof(void*));
        memcpy(generations, pool->generations, (size_t)pool->slots * sizeof(uint32_t));
    }
    hwRelease(allocator, pool->items);
    hwRelease(allocator, pool->generations);
    pool->items = items;
    pool->generations = generations;
    pool->capacity = capacity;
    return true;
}

uint32_t hwPool_Add(hwPool* pool, const hwAllocator* allocator, void* item) {
    int slot = 0;
    while (slot < pool->slots && pool->items[slot] != NULL) slot += 1;
    if (slot == pool->capacity && !GrowPool(pool, allocator)) return 0;
    if (slot == pool->slots) pool->slots += 1;
    pool->items[slot] = item;
    pool->generations[slot] += 1;
    return (uint32_t)slot + 1;
}

void* hwPool_Get(const hwPool* pool, uint32_t index, uint32_t generation) {
    if (index == 0 || index > (uint32_t)pool->slots) return NULL;
    if (pool->generations[index - 1] != generation) return NULL;
    return pool->items[index - 1];
}

void* hwPool_Remove(hwPool* pool, uint32_t index) {
    void* item = pool->items[index - 1];
    pool->items[index - 1] = NULL;
    return item;
}

bool hwPool_Mirror(hwPool* pool, const hwPool* model, const hwAllocator* allocator) {
    while (pool->capacity < model->slots) {
        if (!GrowPool(pool, allocator)) return false;
    }
    int next = pool->slots - 1;
    for (int slot = model->slots - 1; slot >= 0; --slot) {
        void* item = NULL;
        if (model->items[slot] != NULL && next >= 0) {
            item = pool->items[next];
            pool->items[next] = NULL;
            next -= 1;
        }
        pool->items[slot] = item;
        pool->generations[slot] = model->generations[slot];
    }
    pool->slots = model->slots;
    return true;
}

void hwPool_Free(hwPool* pool, const hwAllocator* allocator) {
    hwRelease(allocator, pool->items);
    hwRelease(allocator, pool->generations);
    memset(pool, 0, sizeof(*pool));
}
