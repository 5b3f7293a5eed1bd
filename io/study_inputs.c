// What the rows of a study depend on: the scene with what it includes and what is set, the files it names, the parameters and what is
// kept. Limits, extremes, operability and sensitivity only look at rows that are there, so they may change afterwards.
#define _POSIX_C_SOURCE 200809L
#include "study_file.h"

#include "csv_number.h"
#include "hawser/scene.h"
#include "scene_include.h"
#include "scene_read.h"
#include "work_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct Path {
    const struct Path* before;
    const char* step;
} Path;

static void PutPath(FILE* out, const Path* path) {
    if (path->before != NULL) {
        PutPath(out, path->before);
        fputc('.', out);
    }
    fputs(path->step, out);
}

static bool HoldsMappings(const hwYaml* list) {
    for (const hwYaml* item = list->first; item != NULL; item = item->next) {
        if (item->kind == HW_YAML_MAP) return true;
    }
    return false;
}

// A line for each value, `bodies.load.mass: 5000`: names rather than numbers of entries, as in --set.
static bool PutTree(FILE* out, const hwYaml* node, const Path* path) {
    bool map = node->kind == HW_YAML_MAP && node->first != NULL;
    bool list = node->kind == HW_YAML_LIST && HoldsMappings(node);
    if (!map && !list) {
        char* value = hwYaml_WriteValue(node);
        if (value == NULL) return false;
        PutPath(out, path);
        fprintf(out, ": %s\n", value);
        free(value);
        return true;
    }
    int index = 0;
    for (const hwYaml* item = node->first; item != NULL; item = item->next, ++index) {
        char number[16];
        const hwYaml* name = list && item->kind == HW_YAML_MAP ? hwYaml_Find(item, "name") : NULL;
        snprintf(number, sizeof(number), "%d", index);
        bool named = name != NULL && name->kind == HW_YAML_SCALAR;
        Path step = {path->step != NULL ? path : NULL, map ? item->key->text : named ? name->text : number};
        if (!PutTree(out, item, &step)) return false;
    }
    return true;
}

// One that cannot be read any more, and what is no plain file, counts as empty.
static void PutFile(FILE* out, const char* path) {
    char block[4096];
    struct stat info;
    uint64_t hash = HW_HASH_START;
    bool plain = stat(path, &info) == 0 && S_ISREG(info.st_mode);
    FILE* file = plain ? fopen(path, "rb") : NULL;
    for (size_t n; file != NULL && (n = fread(block, 1, sizeof(block), file)) > 0;)
        hash = hwHashBytes(hash, block, n);
    if (file != NULL) fclose(file);
    fprintf(out, "file %s: %016" PRIx64 "\n", path, hash);
}

// A parameter's value may be a file's name.
static void PutFileOfValue(FILE* out, const hwStudy* study, const char* text) {
    const char *scene = study->file.scene, *slash = strrchr(scene, '/');
    int length = slash != NULL && text[0] != '/' ? (int)(slash + 1 - scene) : 0;
    char path[1024];
    double number;
    struct stat info;
    if (hwParseNumber(text, text + strlen(text), &number)) return;
    int size = snprintf(path, sizeof(path), "%.*s%s", length, scene, text);
    if (size < (int)sizeof(path) && stat(path, &info) == 0) PutFile(out, path);
}

static void PutAxis(FILE* out, const hwStudy* study, const hwStudyAxis* axis) {
    const char *path, *text;
    for (int k = 0; hwStudyAxis_GetSetting(axis, 0, k, &path, &text); ++k) {
        fprintf(out, "parameter %s:", path);
        for (int i = 0; i < axis->count; ++i) {
            hwStudyAxis_GetSetting(axis, i, k, &path, &text);
            fprintf(out, "%s%s", i > 0 ? ", " : " ", text);
        }
        fputc('\n', out);
        for (int i = 0; i < axis->count; ++i) {
            hwStudyAxis_GetSetting(axis, i, k, &path, &text);
            PutFileOfValue(out, study, text);
        }
    }
}

static void PutKept(FILE* out, const hwStudy* study) {
    const hwStudyKeep* keep = &study->file.keep;
    fprintf(out, "columns:");
    for (int i = 0; i < study->columnCount; ++i)
        fprintf(out, "%s%s", i > 0 ? ", " : " ", study->columns[i].name);
    fprintf(out, "\nkeep.from: %.17g\nkeep.channels:", keep->from);
    for (int i = 0; i < keep->channels.count; ++i)
        fprintf(out, "%s%s", i > 0 ? ", " : " ", keep->channels.texts[i]);
    fputc('\n', out);
    for (int i = 0; i < keep->exceedance.count; ++i) {
        const hwStudyExceedance* e = HW_ITEM(keep->exceedance, hwStudyExceedance, i);
        fprintf(out, "keep.exceedance.%d: %s, above %.17g, below %.17g\n", i, e->of, e->above, e->below);
    }
}

bool hwStudy_FillInputs(hwStudy* study, const hwScene* scene, hwError* error) {
    char* text = NULL;
    size_t size = 0;
    FILE* out = open_memstream(&text, &size);
    if (out == NULL) return hwSceneFail_Memory(error) == HW_OK;
    fprintf(out, "Hawser: %s\n", hwGetVersion());
    bool good = PutTree(out, scene->root, &(Path){0});
    for (int i = 0; i < scene->files.count; ++i) PutFile(out, scene->files.items[i].path);
    for (int i = 0; i < study->axisCount; ++i) PutAxis(out, study, &study->axes[i]);
    PutKept(out, study);
    good = fclose(out) == 0 && good;
    char* kept = good ? hwStore_CopyText(&study->store, text, size) : NULL;
    free(text);
    if (kept == NULL) return hwSceneFail_Memory(error) == HW_OK;
    study->inputs = kept;
    study->hash = hwHashBytes(HW_HASH_START, kept, size);
    return true;
}

uint64_t hwStudy_GetHash(const hwStudy* study) {
    return study->hash;
}

const char* hwStudy_GetInputs(const hwStudy* study) {
    return study->inputs;
}
