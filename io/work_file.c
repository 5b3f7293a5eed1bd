#include "work_file.h"

#include "scene_read.h"

#include <stdio.h>
#include <string.h>

bool hwReadWorkFile(hwStore* store, const char* path, const hwSection* section, void* out, const char** name,
                    hwFileText* text, hwError* error) {
    hwSceneWarnings warnings = {0};
    if (!hwReadFile(store, path, text, error)) return false;
    const hwYaml* root = hwYaml_Parse(store, text->text, text->size, error);
    hwReader reader = {
        .store = store, .error = error, .components = 1, .folder = text->folder, .warnings = &warnings};
    if (root == NULL || !hwReadSection(&reader, section, root, out)) return false;
    if (*name != NULL) return true;
    const char* slash = strrchr(path, '/');
    const char* base = slash != NULL ? slash + 1 : path;
    const char* dot = strrchr(base, '.');
    *name = hwStore_CopyText(store, base, dot != NULL && dot > base ? (size_t)(dot - base) : strlen(base));
    return *name != NULL || hwSceneFail_Memory(error) == HW_OK;
}

void hwMoveSceneError(const hwPlace* place, hwError* error) {
    char message[sizeof(error->message)];
    snprintf(message, sizeof(message), "%s", error->message);
    if (error->line > 0)
        snprintf(error->message, sizeof(error->message), "in the scene, line %d: %.280s", error->line,
                 message);
    error->line = place->line;
    error->column = place->column;
}

uint64_t hwHashBytes(uint64_t hash, const void* bytes, size_t size) {
    const unsigned char* at = bytes;
    for (size_t i = 0; i < size; ++i) hash = (hash ^ at[i]) * 0x100000001b3u;
    return hash;
}
