#define _POSIX_C_SOURCE 200809L
#include "scene_store.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct hwStoreChunk {
    struct hwStoreChunk* next;
    size_t size, used; // of what follows this header
} hwStoreChunk;

#define ALIGNMENT _Alignof(max_align_t)

static size_t RoundUp(size_t size) {
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static void* MallocAllocate(void* context, size_t size) {
    (void)context;
    return malloc(size);
}

static void MallocRelease(void* context, void* memory) {
    (void)context;
    free(memory);
}

void hwStore_Init(hwStore* store, const hwAllocator* allocator) {
    memset(store, 0, sizeof(*store));
    store->chunkSize = HW_STORE_CHUNK;
    if (allocator != NULL) {
        store->allocator = *allocator;
    } else {
        store->allocator.allocate = MallocAllocate;
        store->allocator.release = MallocRelease;
    }
}

void hwStore_Free(hwStore* store) {
    hwStoreChunk* chunk = store->chunks;
    while (chunk != NULL) {
        hwStoreChunk* next = chunk->next;
        store->allocator.release(store->allocator.context, chunk);
        chunk = next;
    }
    store->chunks = NULL;
}

void* hwStore_Take(hwStore* store, size_t count, size_t size) {
    if (size != 0 && count > SIZE_MAX / 4 / size) return NULL;
    size_t bytes = RoundUp(count * size > 0 ? count * size : 1);
    hwStoreChunk* chunk = store->chunks;
    if (chunk == NULL || chunk->size - chunk->used < bytes) {
        size_t wanted = bytes > store->chunkSize ? bytes : store->chunkSize;
        hwStoreChunk* fresh =
            store->allocator.allocate(store->allocator.context, RoundUp(sizeof(*fresh)) + wanted);
        if (fresh == NULL) return NULL;
        fresh->size = wanted;
        fresh->used = 0;
        // A block larger than a chunk goes behind the first one, whose free room stays in use.
        if (bytes > store->chunkSize && chunk != NULL) {
            fresh->next = chunk->next;
            chunk->next = fresh;
        } else {
            fresh->next = chunk;
            store->chunks = fresh;
        }
        chunk = fresh;
    }
    void* memory = (char*)chunk + RoundUp(sizeof(*chunk)) + chunk->used;
    chunk->used += bytes;
    return memset(memory, 0, bytes);
}

char* hwStore_CopyText(hwStore* store, const char* text, size_t length) {
    char* copy = hwStore_Take(store, length + 1, 1);
    if (copy != NULL) memcpy(copy, text, length);
    return copy;
}

hwStatus hwSceneFail(hwError* error, hwStatus status, int line, int column, const char* format, ...) {
    if (error == NULL) return status;
    memset(error, 0, sizeof(*error));
    error->status = status;
    error->index = -1;
    error->time = (double)NAN;
    error->line = line;
    error->column = column;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof(error->message), format, arguments);
    va_end(arguments);
    return status;
}

void hwSceneFail_Hint(hwError* error, const char* format, ...) {
    if (error == NULL) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->hint, sizeof(error->hint), format, arguments);
    va_end(arguments);
}

hwStatus hwSceneFail_Memory(hwError* error) {
    return hwSceneFail(error, HW_ERROR_MEMORY, 0, 0, "there is not enough memory for this file");
}

const char* hwQuoteText(char* buffer, size_t size, const char* text) {
    static const char ellipsis[] = "\xe2\x80\xa6";
    size_t length = strlen(text), end = length;
    if (length >= size) {
        end = size - sizeof(ellipsis);
        while (end > 0 && ((unsigned char)text[end] & 0xc0) == 0x80) end--;
    }
    for (size_t i = 0; i < end; i++) {
        unsigned char c = (unsigned char)text[i];
        buffer[i] = c < 0x20 || c == 0x7f ? ' ' : text[i];
    }
    buffer[end] = 0;
    if (end < length) memcpy(buffer + end, ellipsis, sizeof(ellipsis));
    return buffer;
}

#define LONGEST_COMPARED 127

int hwEditDistance(const char* a, const char* b, int limit) {
    int rows[3][LONGEST_COMPARED + 1];
    size_t lengthA = strlen(a), lengthB = strlen(b);
    if (lengthA > LONGEST_COMPARED || lengthB > LONGEST_COMPARED) return limit;
    // Optimal string alignment: Levenshtein 1966 with Damerau's 1964 swap of neighbours.
    int* before = rows[0];
    int* previous = rows[1];
    int* current = rows[2];
    for (size_t j = 0; j <= lengthB; j++) previous[j] = (int)j;
    for (size_t i = 1; i <= lengthA; i++) {
        current[0] = (int)i;
        for (size_t j = 1; j <= lengthB; j++) {
            int best = previous[j - 1] + (a[i - 1] != b[j - 1]);
            if (previous[j] + 1 < best) best = previous[j] + 1;
            if (current[j - 1] + 1 < best) best = current[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < best) {
                best = before[j - 2] + 1;
            }
            current[j] = best;
        }
        int* spare = before;
        before = previous;
        previous = current;
        current = spare;
    }
    return previous[lengthB] < limit ? previous[lengthB] : limit;
}

const char* hwFindNearest(const char* text, const char* const* candidates, int count) {
    const char* nearest = NULL;
    // A third of the characters may be wrong, one at least and four at most.
    int length = (int)strnlen(text, LONGEST_COMPARED), limit = length / 3 + 1;
    if (limit > 4) limit = 4;
    limit++;
    for (int i = 0; i < count; i++) {
        int distance = hwEditDistance(text, candidates[i], limit);
        if (distance < limit && distance < (int)strlen(candidates[i])) {
            limit = distance;
            nearest = candidates[i];
        }
    }
    return nearest;
}
