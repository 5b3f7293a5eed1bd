// Any bytes as a scene: an error or a scene, never a crash, a leak or a hang. No file is touched: the scene has no folder.
#include "hawser/scene.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    hwError error;
    hwScene* scene = hwParseScene((const char*)data, size, "fuzz", NULL, &error);
    // A failure has a place and a sentence; only memory running out has no place.
    if (scene == NULL && (error.status >= 0 || error.message[0] == 0)) abort();
    if (scene == NULL && error.status != HW_ERROR_MEMORY && (error.line < 1 || error.column < 1)) abort();
    hwDestroyScene(scene);
    return 0;
}
