// Any bytes as a MoorDyn deck: an error with its line, or a scene that is read or refused, never a crash, a leak or a hang.
#include "moordyn.h"

#include "hawser/scene.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void Ignore(hwLogLevel level, const char* text, void* context) {
    (void)level;
    (void)context;
    if (text[0] == 0) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    hwError error;
    char* text = NULL;
    size_t length = 0;
    hwStatus status =
        hwMoordyn_MakeScene("fuzz.dat", (const char*)data, size, Ignore, NULL, &text, &length, &error);
    if (status != HW_OK) {
        if (text != NULL || error.message[0] == 0 || (error.line < 1 && status != HW_ERROR_MEMORY)) abort();
        return 0;
    }
    hwScene* scene = hwParseScene(text, length, "scene", NULL, &error);
    if (scene == NULL && error.message[0] == 0) abort();
    hwDestroyScene(scene);
    free(text);
    return 0;
}
