// Parsing needs geometry and a few functions more of the core. These stand in for them, so that the fuzzers build without the rest of it.
#include "hawser/hawser.h"
#include "named_file.h"

#include <stdlib.h>
#include <string.h>

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
extern const hwEmbeddedFile hwCableFiles[];
extern const int hwCableFiles_count;
const hwEmbeddedFile hwCableFiles[1] = {{NULL, NULL, 0}};
const int hwCableFiles_count = 0;

// No surroundings come with the fuzzers: `include` finds none.
extern const hwEmbeddedFile hwSurroundingFiles[];
extern const int hwSurroundingFiles_count;
const hwEmbeddedFile hwSurroundingFiles[1] = {{0}};
const int hwSurroundingFiles_count = 0;

// Watches are read in the file that adds them to worlds; none is made here.
hwEntanglementDef hwDefaultEntanglementDef(void) {
    hwEntanglementDef def;
    memset(&def, 0, sizeof(def));
    return def;
}

hwStatus hwWorld_WatchEntanglement(hwWorld* world, const hwEntanglementDef* def, hwError* error) {
    (void)world;
    (void)def;
    (void)error;
    return HW_ERROR_ARGUMENT;
}

hwBodyId hwWorld_FindBody(const hwWorld* world, const char* name) {
    (void)world;
    (void)name;
    return (hwBodyId){0, 0};
}

hwCableId hwWorld_FindCable(const hwWorld* world, const char* name) {
    (void)world;
    (void)name;
    return (hwCableId){0, 0};
}
