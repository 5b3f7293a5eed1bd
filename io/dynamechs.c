// DynaMechs models to scenes: the files they are made of, and putting them together.
#define _POSIX_C_SOURCE 200809L
#include "dynamechs.h"

#include "hawser/convert.h"
#include "results_internal.h"
#include "scene_read.h"
#include "sms_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Job {
    hwDmReader reader;
    hwStore store;
    const char* output;
    char folder[512]; // of the output
    char terrainPath[800], terrainName[200];
} Job;

static const char* BaseName(const char* path) {
    const char* slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

// `name` beside `path`, unless it is absolute.
static const char* Beside(Job* job, const char* path, const char* name) {
    size_t folder = name[0] == '/' ? 0 : (size_t)(BaseName(path) - path);
    char* joined = HW_STORE_TAKE(&job->store, char, folder + strlen(name) + 1);
    if (joined == NULL) {
        hwSceneFail_Memory(job->reader.error);
        return NULL;
    }
    memcpy(joined, path, folder);
    memcpy(joined + folder, name, strlen(name) + 1);
    return joined;
}

// Files often name others by a path that was right somewhere else: then the name alone is sought beside the file.
static const char* FindFile(Job* job, const char* path, const char* name) {
    const char* first = Beside(job, path, name);
    FILE* file = first != NULL ? fopen(first, "rb") : NULL;
    if (file != NULL) {
        fclose(file);
        return first;
    }
    return first != NULL ? Beside(job, path, BaseName(name)) : NULL;
}

static char* ReadText(Job* job, const char* path, size_t* size) {
    job->reader.input = BaseName(path);
    return hwReadFileText(&job->store, path, HW_DM_MAX_BYTES, 0, 0, size, job->reader.error);
}

static bool ReadConfig(Job* job, const char* path, hwDmConfig* config) {
    size_t size;
    char* text = ReadText(job, path, &size);
    return text != NULL && hwDm_ParseConfig(&job->reader, text, size, config);
}

// The grid: x by rows in the file, by columns in a heightfield. Written to `out` in the scene's form.
static bool ConvertTerrain(Job* job, const char* path, FILE* out) {
    size_t size;
    char* text = ReadText(job, path, &size);
    if (text == NULL) return false;
    char* cursor = text;
    double head[3];
    for (int i = 0; i < 3; i++) {
        char* end;
        head[i] = strtod(cursor, &end);
        if (end == cursor)
            return hwMech_Fail(job->reader.error, job->reader.input, 1, 1,
                               "a terrain begins with its size in x, its size in y, and its spacing");
        cursor = end;
    }
    int nx = (int)head[0], ny = (int)head[1];
    if (!(head[0] >= 2.0 && head[0] <= 10000.0 && head[1] >= 2.0 && head[1] <= 10000.0 && head[2] > 0.0) ||
        nx != head[0] || ny != head[1]) {
        return hwMech_Fail(job->reader.error, job->reader.input, 1, 1,
                           "the terrain's size must be at least 2 x 2, its spacing positive");
    }
    double* heights = HW_STORE_TAKE(&job->store, double, (size_t)nx*(size_t)ny);
    if (heights == NULL) {
        hwSceneFail_Memory(job->reader.error);
        return false;
    }
    for (int i = 0; i < nx * ny; i++) {
        char* end;
        heights[i] = strtod(cursor, &end);
        if (end == cursor || !isfinite(heights[i])) {
            int line = 1;
            for (const char* c = text; c < cursor; c++) line += *c == '\n';
            return hwMech_Fail(job->reader.error, job->reader.input, line, 1,
                               "the terrain needs %d heights, but has %d", nx * ny, i);
        }
        cursor = end;
    }
    fprintf(out, "%d %d ", nx, ny);
    hwSms_PutNumber(out, head[2]);
    for (int j = 0; j < ny; j++) {
        for (int i = 0; i < nx; i++) {
            fputs(i == 0 ? "\n" : " ", out);
            hwSms_PutNumber(out, heights[i * ny + j]);
        }
    }
    fputs("\n", out);
    return true;
}

static bool WriteTerrain(Job* job, const hwDmConfig* config, const char* environment) {
    const char* path = FindFile(job, environment, config->terrain);
    char* text = NULL;
    size_t size;
    FILE* memory = path != NULL ? open_memstream(&text, &size) : NULL;
    if (memory == NULL) {
        if (path != NULL) hwSceneFail_Memory(job->reader.error);
        return false;
    }
    bool good = ConvertTerrain(job, path, memory);
    good = fclose(memory) == 0 && good;
    good = good && hwMech_WriteFile(job->terrainPath, text, size, job->reader.error);
    free(text);
    return good;
}

static void WriteEnvironment(const Job* job, bool wet, const hwDmConfig* config, FILE* file) {
    fputs("\nenvironment:\n  gravity: ", file);
    hwSms_PutNumber(file, config->gravity);
    if (wet && config->density > 0.0) {
        fputs("\n  water: {density: ", file);
        hwSms_PutNumber(file, config->density);
        fputs(", surface: 1000}   # DynaMechs has no surface: everything is under water", file);
    }
    if (config->terrain != NULL) fprintf(file, "\n  seabed: {heightfield: %s}", job->terrainName);
    fputs("\n", file);
}

// A model of the simulation, and what its file is called.
typedef struct Model {
    const char* path;
    const char* input;
    const char* name; // of the mechanism, each its own
    hwDmSystem system;
} Model;

static void WriteMechanism(const Model* model, const hwMechGround* ground, FILE* file) {
    const hwDmSystem* system = &model->system;
    const double position[3] = {system->position.x, system->position.y, system->position.z};
    const double rpy[3] = {system->rpy.x, system->rpy.y, system->rpy.z};
    fprintf(file, "  - name: %s\n    base: {on: earth, position: ", model->name);
    hwSms_PutList(file, 3, position);
    fputs(", attitude: {rpy: ", file);
    hwSms_PutList(file, 3, rpy);
    fputs("}}\n    links:\n", file);
    for (int i = 0; i < system->count; i++) hwMech_WriteLink(file, &system->links[i], ground);
}

static void WriteScene(const Job* job, const char* input, const Model* models, int count,
                       const hwDmConfig* config, FILE* file) {
    bool wet = false;
    for (int i = 0; i < count; i++) wet = wet || models[i].system.wet;
    fprintf(file, "# Converted from %s\nhawser: 1\nname: \"%s\"\n", BaseName(input),
            count > 0 ? models[0].name : "environment");
    fputs("duration: 10   # DynaMechs files do not say how long to run\noutput: {interval: 0.02}\n", file);
    WriteEnvironment(job, wet, config, file);
    if (count > 0) fputs("\nmechanisms:\n", file);
    for (int i = 0; i < count; i++) WriteMechanism(&models[i], &config->ground, file);
}

static void NameTerrain(Job* job, const char* output) {
    const char* base = BaseName(output);
    const char* dot = strrchr(base, '.');
    int stem = (int)(dot != NULL ? dot - base : (ptrdiff_t)strlen(base));
    snprintf(job->folder, sizeof(job->folder), "%.*s", (int)(base - output), output);
    snprintf(job->terrainName, sizeof(job->terrainName), "%.*s_terrain.txt", stem < 150 ? stem : 150, base);
    snprintf(job->terrainPath, sizeof(job->terrainPath), "%s%s", job->folder, job->terrainName);
    if (job->folder[0] == '\0') snprintf(job->folder, sizeof(job->folder), ".");
}

// The mechanism's name: the system's, with a number when another one has it.
static bool NameModel(Job* job, Model* models, int index) {
    Model* model = &models[index];
    char fallback[64];
    snprintf(fallback, sizeof(fallback), index == 0 ? "robot" : "robot%d", index + 1);
    model->name = hwMech_CleanName(job->reader.store, model->system.name, fallback);
    for (int i = 0; i < index && model->name != NULL; i++) {
        if (strcmp(models[i].name, model->name) != 0) continue;
        snprintf(fallback, sizeof(fallback), "%.40s_%d", model->name, index + 1);
        model->name = hwMech_CleanName(job->reader.store, fallback, fallback);
    }
    if (model->name != NULL) return true;
    hwSceneFail_Memory(job->reader.error);
    return false;
}

static bool ReadModel(Job* job, const hwDmConfig* config, Model* models, int index) {
    Model* model = &models[index];
    size_t size;
    char* text = model->path != NULL ? ReadText(job, model->path, &size) : NULL;
    if (text == NULL || !hwDm_Parse(&job->reader, text, size, &model->system)) return false;
    model->input = job->reader.input;
    bool feet = false;
    for (int i = 0; i < model->system.count; i++) feet = feet || model->system.links[i].footCount > 0;
    if (feet && config->terrain == NULL) {
        hwMech_Log(
            job->reader.log, job->reader.logContext, model->input, 0,
            "its contact points have no ground: give the scene a `seabed`, or convert the simulation's .cfg");
    }
    if (model->system.wet && !(config->density > 0.0)) {
        hwMech_Log(job->reader.log, job->reader.logContext, model->input, 0,
                   "no `Fluid_Density` is given: the scene is dry, and drag was computed for 1000 kg/m3");
    }
    return NameModel(job, models, index);
}

// The text of the scene, which the caller frees.
static char* MakeScene(Job* job, const char* input, const Model* models, int count, const hwDmConfig* config,
                       size_t* size) {
    char* scene = NULL;
    FILE* memory = open_memstream(&scene, size);
    if (memory != NULL) WriteScene(job, input, models, count, config, memory);
    if (memory != NULL && fclose(memory) == 0) return scene;
    free(scene);
    hwSceneFail_Memory(job->reader.error);
    return NULL;
}

// All links of all models, for the places of what the scene's own check refuses.
static hwMechLink* JoinLinks(Job* job, const Model* models, int count, int* total) {
    *total = 0;
    for (int i = 0; i < count; i++) *total += models[i].system.count;
    hwMechLink* links = HW_STORE_TAKE(&job->store, hwMechLink, *total);
    if (links == NULL) hwSceneFail_Memory(job->reader.error);
    for (int i = 0, at = 0; i < count && links != NULL; at += models[i++].system.count)
        memcpy(&links[at], models[i].system.links, (size_t)models[i].system.count * sizeof(*links));
    return links;
}

static bool Convert(Job* job, const char* input) {
    hwDmConfig config = {.gravity = 9.81, .density = (double)NAN, .ground = {-1, -1, -1, -1, -1, -1}};
    const char* environment = input;
    Model* models = HW_STORE_TAKE(&job->store, Model, HW_DM_MAX_MODELS);
    if (models == NULL) {
        hwSceneFail_Memory(job->reader.error);
        return false;
    }
    int count = 1;
    models[0].path = input;
    if (hwResults_HasExtension(input, "cfg") || hwResults_HasExtension(input, "env")) {
        if (!ReadConfig(job, input, &config)) return false;
        count = config.robotCount;
        for (int i = 0; i < count; i++) models[i].path = FindFile(job, input, config.robots[i]);
        if (config.environment != NULL) {
            environment = FindFile(job, input, config.environment);
            if (environment == NULL || !ReadConfig(job, environment, &config)) return false;
        }
        if (count == 0) {
            hwMech_Log(job->reader.log, job->reader.logContext, BaseName(input), 0,
                       "it names no model (`Robot_Parameter_File`): the scene has an environment only");
        }
    }
    job->reader.density = config.density > 0.0 ? config.density : 1000.0;
    for (int i = 0; i < count; i++) {
        if (!ReadModel(job, &config, models, i)) return false;
    }
    if (config.terrain != NULL && !WriteTerrain(job, &config, environment)) return false;
    const char* modelName = count > 0 ? models[0].input : BaseName(input);
    job->reader.input = modelName;
    size_t size;
    int total;
    hwMechLink* links = JoinLinks(job, models, count, &total);
    char* scene = links != NULL ? MakeScene(job, input, models, count, &config, &size) : NULL;
    bool good = scene != NULL && hwMech_PublishScene(modelName, links, total, scene, size, job->folder,
                                                     job->output, job->reader.error);
    free(scene);
    return good;
}

hwStatus hwConvertDynamechs(const char* input, const char* outputScene, hwLogFn* log, void* logContext,
                            hwError* error) {
    hwError local;
    if (error == NULL) error = &local;
    memset(error, 0, sizeof(*error));
    Job job = {.output = outputScene};
    hwStore_Init(&job.store, NULL);
    job.reader = (hwDmReader){.store = &job.store, .log = log, .logContext = logContext, .error = error};
    NameTerrain(&job, outputScene);
    bool good = Convert(&job, input);
    hwStore_Free(&job.store);
    if (!good) return error->status;
    memset(error, 0, sizeof(*error));
    error->index = -1;
    error->time = (double)NAN;
    return HW_OK;
}
