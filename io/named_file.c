#define _POSIX_C_SOURCE 200809L
#include "named_file.h"

#include "scene_read.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool hwReadFile(hwStore* store, const char* path, hwFileText* out, hwError* error) {
    out->text = hwReadFileText(store, path, HW_YAML_MAX_BYTES, 0, 0, &out->size, error);
    if (out->text == NULL) return false;
    const char* slash = strrchr(path, '/');
    out->path = hwStore_CopyText(store, path, strlen(path));
    out->folder = slash != NULL ? hwStore_CopyText(store, path, slash > path ? (size_t)(slash - path) : 1)
                                : hwStore_CopyText(store, ".", 1);
    if (out->path != NULL && out->folder != NULL) return true;
    hwSceneFail_Memory(error);
    return false;
}

static bool FailUnknown(const hwNamedFiles* files, const char* name, hwError* error) {
    const char* names[64];
    int count = 0;
    for (; count < *files->builtInCount && count < 64; count++) names[count] = files->builtIn[count].name;
    char quoted[64];
    hwQuoteText(quoted, sizeof(quoted), name);
    const char* nearest = hwFindNearest(name, names, count);
    if (nearest != NULL) {
        hwSceneFail(error, HW_ERROR_FILE, 0, 0, "there is no %s `%s`; did you mean `%s`?", files->what,
                    quoted, nearest);
    } else {
        hwSceneFail(error, HW_ERROR_FILE, 0, 0, "there is no %s `%s`", files->what, quoted);
        hwSceneFail_Hint(error, "give the name of a file in a folder `%s` near the scene, or its path",
                         files->folder);
    }
    return false;
}

// A name is one word: it leads to no other folder.
static bool IsPlain(const char* name) {
    for (const char* c = name; *c != 0; c++) {
        if (!isalnum((unsigned char)*c) && *c != '_' && *c != '-') return false;
    }
    return name[0] != 0;
}

bool hwReadNamedFile(hwStore* store, const hwNamedFiles* files, const char* name, const char* folder,
                     hwFileText* out, hwError* error) {
    char path[1024];
    size_t length = strlen(name);
    if (length > 5 && strcmp(name + length - 5, ".yaml") == 0 && folder != NULL) {
        bool rooted = name[0] == '/';
        int used = snprintf(path, sizeof(path), "%s%s%s", rooted ? "" : folder, rooted ? "" : "/", name);
        return used < (int)sizeof(path) ? hwReadFile(store, path, out, error)
                                        : FailUnknown(files, name, error);
    }
    static const char* const places[] = {"", "../", "../../"};
    for (size_t i = 0; IsPlain(name) && folder != NULL && i < sizeof(places) / sizeof(places[0]); i++) {
        int used = snprintf(path, sizeof(path), "%s/%s%s/%s.yaml", folder, places[i], files->folder, name);
        if (used < (int)sizeof(path) && access(path, R_OK) == 0) return hwReadFile(store, path, out, error);
    }
    for (int i = 0; i < *files->builtInCount; i++) {
        const hwEmbeddedFile* file = &files->builtIn[i];
        if (strcmp(file->name, name) != 0) continue;
        *out = (hwFileText){(const char*)file->bytes, file->size, file->name, NULL};
        return true;
    }
    return FailUnknown(files, name, error);
}
