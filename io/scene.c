// Loading, parsing and freeing scenes.
#include "named_file.h"
#include "scene_include.h"
#include "scene_read.h"
#include "scene_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ROWS 1e9

bool hwCheckSolver(hwReader* reader, const hwYaml* node, void* item) {
    const hwSceneSolver* solver = item;
    if (solver->max > 0.0 && solver->min > solver->max) {
        return hwReader_Fail(reader, hwYaml_Find(node, "min"),
                             "`min` is %g s, but must be at most `max`, %g s", solver->min, solver->max);
    }
    if (solver->max > 0.0 && solver->initial > solver->max) {
        return hwReader_Fail(reader, hwYaml_Find(node, "initial"),
                             "`initial` is %g s, but must be at most `max`, %g s", solver->initial,
                             solver->max);
    }
    return true;
}

bool hwCheckScene(hwReader* reader, const hwYaml* node, void* item) {
    hwSceneModel* model = item;
    if (model->duration / model->output.interval > MOST_ROWS) {
        const hwYaml* interval = hwYaml_Find(hwYaml_Find(node, "output"), "interval");
        return hwReader_Fail(reader, interval != NULL ? interval : node,
                             "`interval` of %g s in a `duration` of %g s makes more than %g rows",
                             model->output.interval, model->duration, MOST_ROWS);
    }
    return hwCheckReferences(reader, model) && hwEstimateHydro(reader, model) &&
           hwReadPotentials(reader, model) && hwReadLees(reader, model);
}

static const char* CopyText(hwReader* reader, const char* text) {
    const char* copy = hwStore_CopyText(reader->store, text, strlen(text));
    if (copy == NULL) hwReader_FailMemory(reader);
    return copy;
}

// The file's name without folders and ending.
static const char* StemOf(hwReader* reader, const char* path) {
    const char* slash = strrchr(path, '/');
    const char* name = slash != NULL ? slash + 1 : path;
    const char* dot = strrchr(name, '.');
    size_t length = dot != NULL && dot > name ? (size_t)(dot - name) : strlen(name);
    const char* stem = hwStore_CopyText(reader->store, name, length);
    if (stem == NULL) hwReader_FailMemory(reader);
    return stem;
}

static bool FillInfo(hwReader* reader, hwScene* scene, const char* path) {
    hwSceneInfo* info = &scene->info;
    const hwSceneModel* model = &scene->model;
    info->path = CopyText(reader, path);
    scene->folder = reader->folder != NULL ? CopyText(reader, reader->folder) : NULL;
    info->name = model->name != NULL ? model->name : StemOf(reader, path);
    if (info->path == NULL || info->name == NULL || (reader->folder != NULL && scene->folder == NULL))
        return false;
    info->duration = model->duration;
    info->interval = model->output.interval;
    info->compression = model->output.compress;
    info->mode = (hwSolverMode)model->solver.mode;
    info->method = (hwReferenceMethod)model->solver.method;
    info->solver.tolerance = model->solver.tolerance;
    info->solver.initial = model->solver.initial;
    info->solver.min = model->solver.min;
    info->solver.max = model->solver.max;
    info->solver.crawl = (hwCrawlPolicy)model->solver.crawl;
    info->solver.sleep = model->solver.sleep;
    info->solver.restSpeed = model->solver.restSpeed;
    info->solver.restTime = model->solver.restTime;
    info->threads = model->solver.threads;
    info->statics = model->start.statics;
    info->start = model->start.block != NULL ? model->start.stateTime : model->start.time;
    info->buildUp = model->start.buildUp;
    const char** record = hwReader_Take(reader, (size_t)model->record.count, sizeof(*record));
    if (record == NULL) return false;
    for (int i = 0; i < model->record.count; i++) record[i] = model->record.entries[i].text;
    info->recordCount = model->record.count;
    info->record = record;
    hwSceneLimit* limits = hwReader_Take(reader, (size_t)model->limits.count, sizeof(*limits));
    if (limits == NULL) return false;
    for (int i = 0; i < model->limits.count; i++) {
        const hwLimitKeys* keys = HW_ITEM(model->limits, hwLimitKeys, i);
        limits[i] = (hwSceneLimit){keys->of, keys->min, keys->max};
    }
    info->limitCount = model->limits.count;
    info->limits = limits;
    const hwSceneTrainer* trainer = &model->trainer;
    info->trainer = (hwTrainerInfo){.present = trainer->place.line > 0,
                                    .title = trainer->title != NULL ? trainer->title : info->name,
                                    .summary = trainer->summary != NULL ? trainer->summary : "",
                                    .spawn = trainer->spawn,
                                    .heading = trainer->heading,
                                    .launchOn = trainer->launchOn,
                                    .launchAt = trainer->launchAt,
                                    .waves = trainer->waves,
                                    .visibility = trainer->visibility,
                                    .camera = trainer->camera,
                                    .target = trainer->target};
    info->warningCount = scene->warnings.count;
    info->warnings = scene->warnings.texts;
    info->estimateCount = scene->estimates.count;
    info->estimates = scene->estimates.texts;
    return true;
}

// Says where the value came from when the mistake is in one that was set.
static void TellSet(const hwYaml* node, const char* assignment, hwError* error) {
    if (node == NULL || error == NULL || error->line != node->line || error->column != node->column) return;
    size_t used = strlen(error->hint);
    snprintf(error->hint + used, sizeof(error->hint) - used, "%sthe value comes from the setting `%s`",
             used > 0 ? "; " : "", assignment);
}

static hwScene* ParseScene(const hwAllocator* allocator, size_t chunk, const char* text, size_t size,
                           const char* name, const char* folder, int setCount, const char* const* sets,
                           hwError* error) {
    hwStore keep;
    hwStore_Init(&keep, allocator);
    keep.chunkSize = chunk;
    hwScene* scene = HW_STORE_TAKE(&keep, hwScene, 1);
    if (scene == NULL) {
        hwSceneFail_Memory(error);
        return NULL;
    }
    scene->store = keep;
    hwReader reader = {.store = &scene->store,
                       .error = error,
                       .folder = folder,
                       .components = 1,
                       .warnings = &scene->warnings,
                       .estimates = &scene->estimates,
                       .files = &scene->files};
    hwYaml* root = hwYaml_Parse(&scene->store, text, size, error);
    const hwYaml** places = root != NULL ? hwReader_Take(&reader, (size_t)setCount, sizeof(*places)) : NULL;
    bool good = places != NULL && hwYaml_Include(&scene->store, root, folder, &scene->info.included, error);
    for (int i = 0; i < setCount && good; i++) {
        places[i] = hwYaml_Set(&scene->store, root, sets[i], error);
        good = places[i] != NULL;
    }
    bool set = good;
    good = good && hwReadSection(&reader, hwSchema_GetRoot(), root, &scene->model) &&
           FillInfo(&reader, scene, name != NULL ? name : "scene") && hwFillLesson(&reader, scene);
    if (good) {
        scene->root = root;
        if (error != NULL) {
            memset(error, 0, sizeof(*error));
            error->index = -1;
            error->time = (double)NAN;
        }
        return scene;
    }
    for (int i = 0; set && i < setCount; i++) TellSet(places[i], sets[i], error);
    hwDestroyScene(scene);
    return NULL;
}

hwScene* hwParseScene_With(const hwAllocator* allocator, size_t chunk, const char* text, size_t size,
                           const char* name, const char* folder, hwError* error) {
    return ParseScene(allocator, chunk, text, size, name, folder, 0, NULL, error);
}

hwScene* hwParseScene(const char* text, size_t size, const char* name, const char* folder, hwError* error) {
    return hwParseScene_With(NULL, HW_STORE_CHUNK, text, size, name, folder, error);
}

hwScene* hwLoadScene(const char* path, hwError* error) {
    return hwLoadSceneWith(path, 0, NULL, error);
}

hwScene* hwLoadSceneWith(const char* path, int setCount, const char* const* sets, hwError* error) {
    hwStore store;
    hwStore_Init(&store, NULL);
    hwFileText file;
    hwScene* scene = NULL;
    if (hwReadFile(&store, path, &file, error))
        scene =
            ParseScene(NULL, HW_STORE_CHUNK, file.text, file.size, path, file.folder, setCount, sets, error);
    hwStore_Free(&store);
    return scene;
}

void hwDestroyScene(hwScene* scene) {
    if (scene == NULL) return;
    hwStore store = scene->store;
    hwStore_Free(&store);
}

const hwSceneInfo* hwScene_GetInfo(const hwScene* scene) {
    return &scene->info;
}

char* hwScene_WriteText(const hwScene* scene) {
    return hwYaml_Write(scene->root);
}

void hwScene_SetSolver(hwScene* scene, hwSolverMode mode) {
    scene->info.mode = mode;
}

void hwScene_Refine(hwScene* scene, double factor) {
    if (factor >= 1.0 && factor <= 100.0) scene->model.refinement = factor;
}

void hwScene_RefineSolver(hwWorld* world, double factor) {
    hwSolverDef solver = hwWorld_GetDef(world)->solver;
    if (!(factor > 1.0)) return;
    solver.tolerance /= factor * factor;
    solver.followed /= factor;
    solver.max /= factor;
    solver.initial /= factor;
    hwWorld_SetSolver(world, &solver, NULL);
}
