// SMS .ini files to scenes: reading them, checking them, and putting the parts together.
#define _POSIX_C_SOURCE 200809L
#include "hawser/convert.h"
#include "results_internal.h"
#include "scene_read.h"
#include "sms_scene.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

void hwSms_Warn(hwSmsJob* job, const hwIni* ini, int line, const char* format, ...) {
    if (job->log == NULL) return;
    char text[400], sentence[480];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    if (ini != NULL && line > 0) {
        snprintf(sentence, sizeof(sentence), "%.60s:%d: %s", ini->file, line, text);
    } else if (ini != NULL) {
        snprintf(sentence, sizeof(sentence), "%.60s: %s", ini->file, text);
    } else {
        snprintf(sentence, sizeof(sentence), "%s", text);
    }
    job->log(HW_LOG_WARNING, sentence, job->logContext);
}

// Warns of every key that has no counterpart or is unknown, fails for a wrong number of values.
static bool CheckKeys(hwSmsJob* job, const hwSmsFile* file) {
    for (int i = 0; i < file->ini.count; i++) {
        const hwIniEntry* entry = &file->ini.entries[i];
        const hwSmsKey* key = hwSms_FindKey(file->kind, entry);
        if (key == NULL) {
            const char* names[64];
            int count = 0;
            for (const hwSmsKey* k = hwSms_GetKeys(); k->name != NULL; k++) {
                if (k->kind == file->kind && count < 64) names[count++] = k->name;
            }
            const char* nearest = hwFindNearest(entry->key, names, count);
            hwSms_Warn(job, &file->ini, entry->line, "`$%s` is not a key of %s files and was left out%s%s%s",
                       entry->key, hwSms_GetKindName(file->kind), nearest != NULL ? "; did you mean `$" : "",
                       nearest != NULL ? nearest : "", nearest != NULL ? "`?" : "");
            continue;
        }
        if (entry->valueCount < key->minCount || entry->valueCount > key->maxCount) {
            return hwSms_Fail(&file->ini, entry->line, entry->column, job->error,
                              "`$%s` needs %d value%s, but has %d", entry->key, key->minCount,
                              key->minCount == 1 ? "" : "s", entry->valueCount);
        }
        if (key->target == NULL) {
            hwSms_Warn(job, &file->ini, entry->line, "`$%s` has no counterpart in a scene%s", entry->key,
                       strcasecmp(key->name, "OutputFolder") == 0
                           ? "; `hawser run --sms DIR` names its folders after the objects"
                           : "");
        }
    }
    return true;
}

// The name of an object: the file's, without ending, with _ for what names cannot hold, and unlike those before it.
static bool NameFile(hwSmsJob* job, hwSmsFile* file) {
    char name[64] = "";
    size_t used = 0;
    const char* dot = strrchr(file->ini.file, '.');
    size_t length = dot != NULL ? (size_t)(dot - file->ini.file) : strlen(file->ini.file);
    for (size_t i = 0; i < length && used < 48; i++) {
        char c = file->ini.file[i];
        bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
        name[used++] = good ? c : '_';
    }
    if (used == 0) name[used++] = 'x';
    static const char* const reserved[] = {"earth", "world", "environment", "seabed"};
    for (int i = 0; i < 4; i++) {
        if (strcmp(name, reserved[i]) == 0) name[used++] = '_';
    }
    for (int suffix = 2; suffix < 10000; suffix++) {
        bool taken = false;
        for (int i = 0; i < job->fileCount; i++) {
            taken = taken || (&job->files[i] != file && job->files[i].name != NULL &&
                              strcmp(job->files[i].name, name) == 0);
        }
        if (!taken) break;
        snprintf(name + used, sizeof(name) - used, "_%d", suffix);
    }
    file->name = hwStore_CopyText(&job->store, name, strlen(name));
    if (file->name == NULL) hwSceneFail_Memory(job->error);
    return file->name != NULL;
}

bool hwSms_AddFile(hwSmsJob* job, const char* text, size_t size, const char* name) {
    if (job->fileCount == HW_SMS_MAX_FILES) {
        hwSceneFail(job->error, HW_ERROR_LIMIT, 1, 1, "there are more than %d .ini files", HW_SMS_MAX_FILES);
        return false;
    }
    hwSmsFile* file = &job->files[job->fileCount];
    memset(file, 0, sizeof(*file));
    if (!hwIni_Parse(&job->store, text, size, name, &file->ini, job->error)) return false;
    if (!hwSms_DetectKind(&file->ini, &file->kind, job->error)) return false;
    job->fileCount++;
    for (int i = 0; i < job->fileCount - 1; i++) {
        bool single = file->kind == HW_SMS_ENVIRONMENT || file->kind == HW_SMS_INTEGRATOR;
        if (!single || job->files[i].kind != file->kind) continue;
        return hwSms_Fail(&file->ini, 1, 1, job->error, "there is already a file with the %s: `%.60s`",
                          hwSms_GetKindName(file->kind), job->files[i].ini.file);
    }
    return NameFile(job, file) && CheckKeys(job, file);
}

// Files ------------------------------------------------------------------------------------------------------------

static const char* BaseName(const char* path) {
    const char* slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static bool AddPath(hwSmsJob* job, const char* path) {
    size_t size;
    const char* text = hwReadFileText(&job->store, path, HW_INI_MAX_BYTES, 0, 0, &size, job->error);
    return text != NULL && hwSms_AddFile(job, text, size, BaseName(path));
}

static int CompareTexts(const void* a, const void* b) {
    return strcmp(*(char* const*)a, *(char* const*)b);
}

// Names in a folder, sorted, so that the outcome does not depend on the file system.
static char** ListFolder(hwSmsJob* job, const char* path, int* count) {
    DIR* folder = opendir(path);
    *count = 0;
    if (folder == NULL) {
        hwResultsFail_System(job->error, errno, "read", path);
        return NULL;
    }
    int capacity = 0;
    char** names = NULL;
    bool good = true;
    for (struct dirent* entry; good && (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.') continue;
        if (*count == capacity) {
            int larger = capacity > 0 ? 2 * capacity : 16;
            char** moved = HW_STORE_TAKE(&job->store, char*, larger);
            good = moved != NULL;
            if (good && *count > 0) memcpy(moved, names, (size_t)*count * sizeof(*names));
            names = moved;
            capacity = larger;
        }
        size_t length = strlen(path) + strlen(entry->d_name) + 2;
        char* full = good ? hwStore_Take(&job->store, length, 1) : NULL;
        good = full != NULL;
        if (!good) break;
        snprintf(full, length, "%s/%s", path, entry->d_name);
        names[(*count)++] = full;
    }
    closedir(folder);
    if (names == NULL && good) names = HW_STORE_TAKE(&job->store, char*, 1);
    if (names == NULL) {
        hwSceneFail_Memory(job->error);
        return NULL;
    }
    qsort(names, (size_t)*count, sizeof(*names), CompareTexts);
    return names;
}

static bool AddFolder(hwSmsJob* job, const char* path, int depth) {
    int count;
    char** names = ListFolder(job, path, &count);
    if (names == NULL) return false;
    for (int i = 0; i < count; i++) {
        struct stat info;
        if (stat(names[i], &info) != 0) continue;
        if (S_ISDIR(info.st_mode)) {
            if (depth == 0 && !AddFolder(job, names[i], depth + 1)) return false;
        } else if (hwResults_HasExtension(names[i], "ini") && !AddPath(job, names[i])) {
            return false;
        }
    }
    return true;
}

// The scene's name: that of the file without ending, or of the folder.
static void NameScene(hwSmsJob* job, const char* input) {
    size_t end = strlen(input);
    while (end > 0 && input[end - 1] == '/') end--;
    size_t start = end;
    while (start > 0 && input[start - 1] != '/') start--;
    size_t length = end - start < sizeof(job->title) - 1 ? end - start : sizeof(job->title) - 1;
    memcpy(job->title, input + start, length);
    job->title[length] = 0;
    char* dot = strrchr(job->title, '.');
    if (dot != NULL && dot > job->title) *dot = 0;
    // It is written between double quotes.
    for (char* c = job->title; *c != 0; c++) {
        if (*c == '"' || *c == '\\' || (unsigned char)*c < 0x20 || (unsigned char)*c >= 0x7f) *c = '_';
    }
    if (job->title[0] == 0 || strcmp(job->title, ".") == 0)
        snprintf(job->title, sizeof(job->title), "converted");
}

// The scene must be one that hwParseScene reads: what is wrong with it was wrong in the .ini files.
static bool CheckScene(hwSmsJob* job, const char* text, size_t size) {
    hwError error;
    hwScene* scene = hwParseScene(text, size, "scene", NULL, &error);
    if (scene != NULL) {
        hwDestroyScene(scene);
        return true;
    }
    if (error.status == HW_ERROR_MEMORY) {
        hwSceneFail_Memory(job->error);
        return false;
    }
    // Name the file that the object came from.
    const hwIni* ini = &job->files[0].ini;
    for (int i = 0; i < job->fileCount; i++) {
        if (job->files[i].name != NULL && strcmp(job->files[i].name, error.object) == 0)
            ini = &job->files[i].ini;
    }
    return hwSms_Fail(ini, 1, 1, job->error, "the files do not make a scene: %s", error.message);
}

bool hwSms_Write(hwSmsJob* job, char** text, size_t* size) {
    *text = NULL;
    FILE* file = open_memstream(text, size);
    if (file == NULL) {
        hwSceneFail_Memory(job->error);
        return false;
    }
    bool good = hwSms_WriteScene(job, file);
    if (fclose(file) != 0 && good) {
        hwSceneFail_Memory(job->error);
        good = false;
    }
    good = good && CheckScene(job, *text, *size);
    if (good) return true;
    free(*text);
    *text = NULL;
    return false;
}

static bool WriteFile(const char* path, const char* text, size_t size, hwError* error) {
    hwOutput output;
    if (hwOutput_Open(&output, path, error) != HW_OK) return false;
    bool good = hwOutput_Write(output.fd, text, size);
    if (!good) hwResultsFail_System(error, errno, "write", path);
    good = good && hwOutput_Publish(&output, error) == HW_OK;
    hwOutput_Close(&output);
    return good;
}

void hwSms_Begin(hwSmsJob* job, hwLogFn* log, void* logContext, hwError* error) {
    memset(job, 0, sizeof(*job));
    hwStore_Init(&job->store, NULL);
    job->log = log;
    job->logContext = logContext;
    job->error = error;
    snprintf(job->title, sizeof(job->title), "converted");
}

void hwSms_End(hwSmsJob* job) {
    hwStore_Free(&job->store);
}

hwStatus hwConvertSms(const char* input, const char* outputScene, hwLogFn* log, void* logContext,
                      hwError* error) {
    hwError local;
    if (error == NULL) error = &local;
    hwSmsJob* job = malloc(sizeof(*job));
    if (job == NULL) return hwSceneFail_Memory(error);
    hwSms_Begin(job, log, logContext, error);
    memset(error, 0, sizeof(*error));
    struct stat info;
    bool folder = stat(input, &info) == 0 && S_ISDIR(info.st_mode);
    bool good = folder ? AddFolder(job, input, 0) : AddPath(job, input);
    if (good && job->fileCount == 0) {
        char quoted[120];
        hwSceneFail(error, HW_ERROR_FILE, 0, 0, "`%s` holds no .ini files",
                    hwQuoteText(quoted, sizeof(quoted), input));
        good = false;
    }
    char* text = NULL;
    size_t size;
    NameScene(job, input);
    good = good && hwSms_Write(job, &text, &size) && WriteFile(outputScene, text, size, error);
    free(text);
    hwSms_End(job);
    free(job);
    if (!good) return error->status;
    memset(error, 0, sizeof(*error));
    error->index = -1;
    error->time = (double)NAN;
    return HW_OK;
}
