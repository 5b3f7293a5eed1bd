// Parsing needs four functions of the core. These stand in for them, so that the fuzzers build without the rest of it.
#include "hawser/hawser.h"

hwEnvironmentDef hwDefaultEnvironmentDef(void) {
    return (hwEnvironmentDef){.gravity = 9.81};
}

hwBodyDef hwDefaultBodyDef(void) {
    return (hwBodyDef){.attitude = {1.0, 0.0, 0.0, 0.0}, .comAttitude = {1.0, 0.0, 0.0, 0.0}};
}

hwShapeDef hwDefaultShapeDef(void) {
    return (hwShapeDef){.pose = {.q = {1.0, 0.0, 0.0, 0.0}}};
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
