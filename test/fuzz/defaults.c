// Parsing needs geometry and a few functions more of the core. These stand in for them, so that the fuzzers build without the rest of it.
#include "hawser/hawser.h"

#include <stdlib.h>

hwEnvironmentDef hwDefaultEnvironmentDef(void) {
    return (hwEnvironmentDef){.gravity = 9.81};
}

static void* Allocate(void* context, size_t size) {
    (void)context;
    return malloc(size);
}

static void Release(void* context, void* block) {
    (void)context;
    free(block);
}

hwWorldDef hwDefaultWorldDef(void) {
    return (hwWorldDef){.allocator = {Allocate, Release, NULL}};
}

hwBodyDef hwDefaultBodyDef(void) {
    return (hwBodyDef){.attitude = {1.0, 0.0, 0.0, 0.0}, .comAttitude = {1.0, 0.0, 0.0, 0.0}};
}

hwHydroDef hwDefaultHydroDef(void) {
    return (hwHydroDef){.volume = -1.0};
}

// No cables come along.
typedef struct hwEmbeddedFile {
    const char* name;
    const unsigned char* bytes;
    size_t size;
} hwEmbeddedFile;
extern const hwEmbeddedFile hwCableFiles[];
extern const int hwCableFiles_count;
const hwEmbeddedFile hwCableFiles[1] = {{NULL, NULL, 0}};
const int hwCableFiles_count = 0;
