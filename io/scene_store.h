// Memory of a scene: many small blocks that live and die together, and the errors that name a place in a file.
#ifndef HW_IO_SCENE_STORE_H
#define HW_IO_SCENE_STORE_H

#include "hawser/base.h"

#define HW_STORE_CHUNK 65536

struct hwStoreChunk;

typedef struct hwStore {
    hwAllocator allocator;
    size_t chunkSize; // bytes asked for at once; tests set 0: every block is an allocation of its own
    struct hwStoreChunk* chunks;
} hwStore;

// A null allocator means malloc and free.
void hwStore_Init(hwStore* store, const hwAllocator* allocator);
void hwStore_Free(hwStore* store);

// `count` zeroed elements of `size` bytes, aligned for any type; null when out of memory. Never null for count 0.
void* hwStore_Take(hwStore* store, size_t count, size_t size);

// A zero-terminated copy, or null.
char* hwStore_CopyText(hwStore* store, const char* text, size_t length);

#define HW_STORE_TAKE(store, type, count) ((type*)hwStore_Take((store), (size_t)(count), sizeof(type)))

// Fills `error` when it is not null and returns `status`. Line and column count from 1; 0: none.
hwStatus hwSceneFail(hwError* error, hwStatus status, int line, int column, const char* format, ...)
    __attribute__((format(printf, 5, 6)));
void hwSceneFail_Hint(hwError* error, const char* format, ...) __attribute__((format(printf, 2, 3)));
hwStatus hwSceneFail_Memory(hwError* error);

// Copies `text` for a message: at most `size` - 1 bytes, whole UTF-8 characters, "…" where it was cut, control characters
// replaced. Returns `buffer`.
const char* hwQuoteText(char* buffer, size_t size, const char* text);

// Number of single-character edits (insert, delete, replace, swap neighbours) that lead from one text to the other, or
// `limit` when it is that or more.
int hwEditDistance(const char* a, const char* b, int limit);

// The candidate closest to `text` when it is close enough to be meant, else null.
const char* hwFindNearest(const char* text, const char* const* candidates, int count);

#endif
