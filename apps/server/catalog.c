#define _POSIX_C_SOURCE 200809L
#include "apps/server/catalog.h"

#include "hawser/pilot.h"
#include "hawser/results.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const hwWebEmbeddedFile hwSceneFiles[];
extern const int hwSceneFiles_count;
extern const hwWebEmbeddedFile hwLessonFiles[];
extern const int hwLessonFiles_count;

// Diameters, masses and loads as the manufacturers give them. EA from a breaking strain of 3 %; EI and GJ scaled with the
// fourth power of the diameter from the 17.3 mm tether of WHOI Cable's example, 0.4 N m2; strengths of VideoRay's are
// estimates. All are trimmed to be just heavier than sea water, as divers trim them: one that floats lies on the surface.
static const hwWebTetherType g_tethers[] = {
    {"fathom", "Fathom, 7.6 mm", "#f2d21b", 0.0076, 0.0470, 5.0e4, 0.015, 0.015, 343.0, 1520.0, 10.0, 300.0,
     100.0},
    {"videoray_neutral", "VideoRay Neutral, 11.2 mm", "#f0902a", 0.01118, 0.1015, 6.0e4, 0.070, 0.070, 450.0,
     1800.0, 10.0, 300.0, 75.0},
    {"videoray_performance", "VideoRay Performance, 8.2 mm", "#f2d21b", 0.00818, 0.0545, 5.0e4, 0.020, 0.020,
     300.0, 1200.0, 10.0, 300.0, 75.0},
    {"videoray_negative", "VideoRay Negative, 8.5 mm", "#202020", 0.00851, 0.0750, 5.0e4, 0.023, 0.023, 300.0,
     1200.0, 10.0, 300.0, 75.0},
};
#define TETHER_COUNT ((int)(sizeof(g_tethers) / sizeof(g_tethers[0])))

const hwWebTetherType* hwWebCatalog_FindTether(const char* name) {
    for (int i = 0; i < TETHER_COUNT; ++i) {
        if (strcmp(g_tethers[i].name, name) == 0) return &g_tethers[i];
    }
    return NULL;
}

// Loading --------------------------------------------------------------------------------------------------------------

static void CopyText(char* out, size_t size, const char* text) {
    snprintf(out, size, "%.*s", (int)(size - 1), text);
}

// How much tether may be out at the start: half as much again as hangs between launch and vehicle clear of the bottom.
static void FindMostOut(hwWebCatalogScene* scene, const hwScene* parsed) {
    scene->mostOut = scene->straight = (double)INFINITY;
    hwWorld* world = scene->trainer.present ? hwScene_CreateWorld(parsed, NULL, NULL) : NULL;
    if (world == NULL) return;
    hwVec3 launch = scene->trainer.launchAt, spawn = scene->trainer.spawn;
    hwBodyState state;
    hwBodyId body = hwWorld_FindBody(world, scene->launchOn);
    if (!HW_IS_NULL(body) && hwBody_GetState(world, body, &state, NULL) == HW_OK)
        launch = hwAdd(state.position, hwRotate(state.attitude, launch));
    double room = fmin(launch.z, spawn.z) - hwWorld_GetSeabed(world, spawn.x, spawn.y, NULL);
    // a chain hangs no lower than the triangle of its length
    scene->straight = hwDistance(launch, spawn);
    scene->mostOut = fmax(1.5 * hypot(scene->straight, 2.0 * room), 1.0);
    hwDestroyWorld(world);
}

static bool FillScene(hwWebCatalogScene* scene, const char* name, const char* text, size_t size,
                      const char* folder, hwError* error) {
    memset(scene, 0, sizeof(*scene));
    hwScene* parsed = hwParseScene(text, size, name, folder, error);
    if (parsed == NULL) return false;
    const hwSceneInfo* info = hwScene_GetInfo(parsed);
    CopyText(scene->name, sizeof(scene->name), name);
    CopyText(scene->title, sizeof(scene->title), info->trainer.present ? info->trainer.title : info->name);
    CopyText(scene->summary, sizeof(scene->summary), info->trainer.summary);
    CopyText(scene->launchOn, sizeof(scene->launchOn), info->trainer.launchOn);
    if (folder != NULL) CopyText(scene->folder, sizeof(scene->folder), folder);
    scene->trainer = info->trainer;
    scene->trainer.title = scene->trainer.summary = scene->trainer.launchOn = NULL;
    scene->vehicles = hwScene_GetVehicleCount(parsed) > 0;
    const hwLessonInfo* lesson = hwScene_GetLesson(parsed);
    if (lesson != NULL) {
        scene->lesson = true;
        scene->par = lesson->def.par;
        scene->pass = lesson->def.passScore;
        CopyText(scene->title, sizeof(scene->title), lesson->title);
        CopyText(scene->summary, sizeof(scene->summary), lesson->why);
    }
    if (!scene->vehicles) FindMostOut(scene, parsed);
    // recordings need all of it
    scene->text = info->included != NULL ? hwScene_WriteText(parsed) : strndup(text, size);
    hwDestroyScene(parsed);
    return scene->text != NULL;
}

static int LoadSurroundings(hwWebCatalogScene* scenes) {
    int loaded = 0;
    for (int i = 0; i < hwSurroundings_GetCount(); ++i) {
        const char* text = hwSurroundings_GetText(i);
        if (FillScene(&scenes[loaded], hwSurroundings_GetName(i), text, strlen(text), NULL, NULL))
            loaded += 1;
    }
    return loaded;
}

static int LoadScenes(const hwWebEmbeddedFile* files, int count, hwWebCatalogScene* scenes) {
    int loaded = 0;
    for (int i = 0; i < count; ++i) {
        // one that needs files of its own is not offered
        if (FillScene(&scenes[loaded], files[i].name, (const char*)files[i].bytes, files[i].size, NULL, NULL))
            loaded += 1;
    }
    return loaded;
}

// The order in which lessons are learnt; others, by name, after those.
static int RankLesson(const char* name) {
    static const char* const order[] = {
        "first_flight",      "plan_view",        "drive_the_box",   "hover_and_hold",   "turns_budget",
        "follow_the_tether", "slack_discipline", "mind_the_tether", "same_path_return", "cross_current_pile",
        "leg_inspection",    "pier_weave",       "confined_entry",  "snag_recovery",    "pick_and_place",
        "splash_zone",       "sonar_search",     "check_dive"};
    int count = (int)(sizeof(order) / sizeof(order[0]));
    for (int i = 0; i < count; ++i) {
        if (strcmp(order[i], name) == 0) return i;
    }
    return count;
}

static int CompareLessons(const void* a, const void* b) {
    const hwWebCatalogScene *x = a, *y = b;
    int rank = RankLesson(x->name) - RankLesson(y->name);
    return rank != 0 ? rank : strcmp(x->name, y->name);
}

static char* ReadFile(const char* path, size_t* size) {
    FILE* file = fopen(path, "rb");
    if (file == NULL) return NULL;
    char* text = malloc((size_t)(16 << 20) + 1);
    *size = text != NULL ? fread(text, 1, 16 << 20, file) : 0;
    fclose(file);
    if (text != NULL) text[*size] = 0;
    return text;
}

static bool EndsWith(const char* text, const char* end) {
    size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
}

static const char* BaseName(const char* path) {
    const char* slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static bool FillFromFile(hwWebCatalogScene* scene, const char* path, int setCount, const char* const* sets,
                         hwError* error) {
    // for the errors of a missing file
    hwScene* parsed = hwLoadSceneWith(path, setCount, sets, error);
    if (parsed == NULL) return false;
    size_t size = 0;
    // recordings hold what was set as part of the scene
    char* text = setCount > 0 ? hwScene_WriteText(parsed) : ReadFile(path, &size);
    if (setCount > 0 && text != NULL) size = strlen(text);
    hwDestroyScene(parsed);
    char folder[512] = ".", name[64];
    const char* slash = strrchr(path, '/');
    if (slash != NULL) snprintf(folder, sizeof(folder), "%.*s", slash > path ? (int)(slash - path) : 1, path);
    CopyText(name, sizeof(name), BaseName(path));
    char* dot = strrchr(name, '.');
    if (dot != NULL) *dot = 0;
    bool good = text != NULL && FillScene(scene, name, text, size, folder, error);
    free(text);
    return good;
}

static hwWebPresetKind GetPresetKind(const hwWebCatalogScene* preset) {
    return preset->trainer.present && !preset->vehicles ? PRESET_SURROUNDINGS : PRESET_SCENE;
}

static bool LoadPreset(hwWebCatalog* catalog, const char* path, int setCount, const char* const* sets,
                       hwError* error) {
    if (!EndsWith(path, ".yaml") && !EndsWith(path, ".yml")) {
        hwResults* results = hwOpenResults(path, error);
        if (results == NULL) return false;
        const char* title = hwResults_GetInfo(results)->title;
        CopyText(catalog->preset.title, sizeof(catalog->preset.title),
                 title[0] != 0 ? title : BaseName(path));
        hwCloseResults(results);
        CopyText(catalog->presetPath, sizeof(catalog->presetPath), path);
        catalog->presetKind = PRESET_RESULTS;
        return true;
    }
    if (!FillFromFile(&catalog->preset, path, setCount, sets, error)) return false;
    catalog->presetKind = GetPresetKind(&catalog->preset);
    return true;
}

bool hwWebCatalog_ReadAgain(hwWebCatalog* catalog, const char* path, int setCount, const char* const* sets,
                            hwError* error) {
    hwWebCatalogScene* scene = calloc(1, sizeof(*scene));
    if (scene == NULL || !FillFromFile(scene, path, setCount, sets, error)) {
        free(scene);
        return false;
    }
    scene->older = catalog->newest;
    catalog->newest = scene;
    strcpy(catalog->defaults.scene, "preset");
    return true;
}

// Whether worlds have cables in this build.
static bool CanTether(void) {
    static const char text[] =
        "hawser: 1\nduration: 1\ncables: [{name: c, sections: [{length: 1, elements: 2, diameter: 0.01, "
        "density: 1000, EA: 1000}], ends: {a: {on: earth}, b: {joint: free}}}]\n";
    hwScene* scene = hwParseScene(text, sizeof(text) - 1, "probe", NULL, NULL);
    hwWorld* world = scene != NULL ? hwScene_CreateWorld(scene, NULL, NULL) : NULL;
    hwDestroyScene(scene);
    hwDestroyWorld(world);
    return world != NULL;
}

static void SetDefaults(hwWebCatalog* catalog) {
    hwWebFlightOptions* o = &catalog->defaults;
    // the vehicle that controls every axis, wherever it stands in the alphabet
    CopyText(o->vehicle, sizeof(o->vehicle), "bluerov2_heavy");
    CopyText(o->surroundings, sizeof(o->surroundings),
             catalog->surroundingCount > 0 ? catalog->surroundings[0].name : "");
    if (catalog->presetKind == PRESET_SURROUNDINGS || catalog->presetKind == PRESET_SCENE)
        strcpy(o->scene, "preset");
    o->currentSpeed = 0.0;
    o->wavePeriod = 5.0;
    o->visibility = catalog->surroundingCount > 0 ? catalog->surroundings[0].trainer.visibility : 10.0;
    o->tether = catalog->tethers;
    strcpy(o->tetherType, g_tethers[0].name);
    o->tetherLength = g_tethers[0].usual;
    o->tetherOut = 8.0;
    o->record = true;
    o->handler = HANDLER_AUTO;
}

bool hwWebCatalog_Init(hwWebCatalog* catalog, const char* preset, hwError* error) {
    return hwWebCatalog_InitWith(catalog, preset, 0, NULL, error);
}

bool hwWebCatalog_InitWith(hwWebCatalog* catalog, const char* preset, int setCount, const char* const* sets,
                           hwError* error) {
    memset(catalog, 0, sizeof(*catalog));
    int types = hwVehicleType_GetBuiltInCount();
    catalog->vehicles = calloc((size_t)types + 1, sizeof(hwVehicleType*));
    catalog->surroundings = calloc((size_t)hwSurroundings_GetCount() + 1, sizeof(hwWebCatalogScene));
    catalog->lessons = calloc((size_t)hwLessonFiles_count + 1, sizeof(hwWebCatalogScene));
    catalog->scenes = calloc((size_t)hwSceneFiles_count + 1, sizeof(hwWebCatalogScene));
    if (catalog->vehicles == NULL || catalog->surroundings == NULL || catalog->scenes == NULL ||
        catalog->lessons == NULL)
        return false;
    for (int i = 0; i < types; ++i) {
        hwVehicleType* type = hwLoadVehicleType(hwVehicleType_GetBuiltIn(i), NULL, NULL);
        // what has no thrusters, such as a garage, cannot be flown
        if (type != NULL && hwVehicleType_GetDef(type).thrusterCount > 0) {
            catalog->vehicles[catalog->vehicleCount++] = type;
        } else {
            hwDestroyVehicleType(type);
        }
    }
    catalog->surroundingCount = LoadSurroundings(catalog->surroundings);
    catalog->lessonCount = LoadScenes(hwLessonFiles, hwLessonFiles_count, catalog->lessons);
    qsort(catalog->lessons, (size_t)catalog->lessonCount, sizeof(*catalog->lessons), CompareLessons);
    catalog->sceneCount = LoadScenes(hwSceneFiles, hwSceneFiles_count, catalog->scenes);
    catalog->tethers = CanTether();
    bool good = preset == NULL || LoadPreset(catalog, preset, setCount, sets, error);
    SetDefaults(catalog);
    if (!good) hwWebCatalog_Free(catalog);
    return good;
}

void hwWebCatalog_Free(hwWebCatalog* catalog) {
    for (int i = 0; i < catalog->vehicleCount; ++i) hwDestroyVehicleType(catalog->vehicles[i]);
    for (int i = 0; i < catalog->surroundingCount; ++i) free(catalog->surroundings[i].text);
    for (int i = 0; i < catalog->sceneCount; ++i) free(catalog->scenes[i].text);
    for (int i = 0; i < catalog->lessonCount; ++i) free(catalog->lessons[i].text);
    free(catalog->lessons);
    free(catalog->preset.text);
    while (catalog->newest != NULL) {
        hwWebCatalogScene* scene = catalog->newest;
        catalog->newest = scene->older;
        free(scene->text);
        free(scene);
    }
    free(catalog->vehicles);
    free(catalog->surroundings);
    free(catalog->scenes);
    memset(catalog, 0, sizeof(*catalog));
}

// Telling --------------------------------------------------------------------------------------------------------------

json_t* hwWebCatalog_ToJson(const hwWebCatalog* catalog) {
    json_t* vehicles = json_array();
    for (int i = 0; i < catalog->vehicleCount; ++i) {
        const hwVehicleLook* look = hwVehicleType_GetLook(catalog->vehicles[i]);
        json_array_append_new(vehicles, json_pack("{s:s, s:s, s:s}", "name", look->name, "title", look->title,
                                                  "summary", look->summary));
    }
    json_t* surroundings = json_array();
    for (int i = 0; i < catalog->surroundingCount; ++i) {
        const hwWebCatalogScene* s = &catalog->surroundings[i];
        json_array_append_new(surroundings,
                              json_pack("{s:s, s:s, s:s, s:b, s:f}", "name", s->name, "title", s->title,
                                        "summary", s->summary, "waves", (int)s->trainer.waves, "visibility",
                                        s->trainer.visibility));
    }
    json_t* tethers = json_array();
    for (int i = 0; catalog->tethers && i < TETHER_COUNT; ++i) {
        const hwWebTetherType* t = &g_tethers[i];
        json_array_append_new(tethers, json_pack("{s:s, s:s, s:{s:f, s:f, s:f}}", "name", t->name, "title",
                                                 t->title, "length", "min", t->shortest, "max", t->longest,
                                                 "default", t->usual));
    }
    json_t* scenes = json_array();
    for (int i = 0; i < catalog->sceneCount; ++i) {
        json_array_append_new(scenes, json_pack("{s:s, s:s}", "name", catalog->scenes[i].name, "title",
                                                catalog->scenes[i].title));
    }
    json_t* lessons = json_array();
    for (int i = 0; i < catalog->lessonCount; ++i) {
        const hwWebCatalogScene* s = &catalog->lessons[i];
        json_array_append_new(lessons,
                              json_pack("{s:s, s:s, s:s, s:f, s:f}", "name", s->name, "title", s->title,
                                        "summary", s->summary, "par", s->par, "pass", s->pass));
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:[s, s, s, s, s, s, s, s, s, s]}", "lessons", lessons,
                     "vehicles", vehicles, "surroundings", surroundings, "tethers", tethers, "scenes", scenes,
                     "modes", "manual", "stabilize", "depth_hold", "heading_hold", "hold", "altitude_hold",
                     "station", "route", "home", "unwind");
}

const hwWebCatalogScene* hwWebCatalog_FindSceneByName(const hwWebCatalog* catalog, const char* name) {
    bool preset = catalog->presetKind == PRESET_SURROUNDINGS || catalog->presetKind == PRESET_SCENE;
    if (strcmp(name, "preset") == 0 && catalog->newest != NULL) return catalog->newest;
    if (strcmp(name, "preset") == 0) return preset ? &catalog->preset : NULL;
    for (int i = 0; i < catalog->sceneCount; ++i) {
        if (strcmp(catalog->scenes[i].name, name) == 0) return &catalog->scenes[i];
    }
    for (int i = 0; i < catalog->lessonCount; ++i) {
        if (strcmp(catalog->lessons[i].name, name) == 0) return &catalog->lessons[i];
    }
    return NULL;
}

const hwWebCatalogScene* hwWebCatalog_FindScene(const hwWebCatalog* catalog,
                                                const hwWebFlightOptions* options) {
    if (options->scene[0] != 0) return hwWebCatalog_FindSceneByName(catalog, options->scene);
    for (int i = 0; i < catalog->surroundingCount; ++i) {
        if (strcmp(catalog->surroundings[i].name, options->surroundings) == 0)
            return &catalog->surroundings[i];
    }
    return NULL;
}

static bool HasVehicle(const hwWebCatalog* catalog, const char* name) {
    for (int i = 0; i < catalog->vehicleCount; ++i) {
        if (strcmp(hwVehicleType_GetLook(catalog->vehicles[i])->name, name) == 0) return true;
    }
    return false;
}

bool hwWebCatalog_CheckOptions(const hwWebCatalog* catalog, hwWebFlightOptions* o, char* message,
                               size_t size) {
    const hwWebCatalogScene* scene = hwWebCatalog_FindScene(catalog, o);
    if (scene == NULL) {
        snprintf(message, size, "there are no surroundings or scene `%.60s`",
                 o->scene[0] != 0 ? o->scene : o->surroundings);
        return false;
    }
    if (isnan(o->visibility))
        o->visibility = scene->trainer.present ? scene->trainer.visibility : catalog->defaults.visibility;
    if (scene->vehicles) return true;
    if (!scene->trainer.present) {
        snprintf(message, size,
                 "the scene `%.60s` has no vehicle, and no `trainer` that says where to put one",
                 scene->name);
        return false;
    }
    if (!HasVehicle(catalog, o->vehicle)) {
        snprintf(message, size, "there is no vehicle `%.60s`", o->vehicle);
        return false;
    }
    if (!catalog->tethers) o->tether = false;
    if (!scene->trainer.waves) o->waveHeight = 0.0;
    // steeper seas break: Hs is at most a fifteenth of their length (DNV-RP-C205 on steepness)
    o->wavePeriod = fmax(o->wavePeriod, sqrt(15.0 * 2.0 * HW_PI * o->waveHeight / 9.81));
    if (!o->tether) return true;
    const hwWebTetherType* tether = hwWebCatalog_FindTether(o->tetherType);
    if (tether == NULL) {
        snprintf(message, size, "there is no tether `%.60s`", o->tetherType);
        return false;
    }
    if (!(o->tetherLength >= tether->shortest && o->tetherLength <= tether->longest)) {
        snprintf(message, size, "tether.length must be from %g to %g, it is %g", tether->shortest,
                 tether->longest, o->tetherLength);
        return false;
    }
    if (!(o->tetherOut <= o->tetherLength)) {
        snprintf(message, size, "tether.out must be at most the length of %g, it is %g", o->tetherLength,
                 o->tetherOut);
        return false;
    }
    o->tetherOut = fmin(o->tetherOut, scene->mostOut);
    if (o->handler == HANDLER_AUTO)
        o->tetherOut = fmin(o->tetherOut, hwHandler_GetLength(scene->straight, o->waveHeight));
    return true;
}

// Composing ------------------------------------------------------------------------------------------------------------

typedef struct Text {
    char* data;
    size_t used, size;
    bool failed;
} Text;

static void Put(Text* text, const char* format, ...) __attribute__((format(printf, 2, 3)));

static void Put(Text* text, const char* format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (text->used + (size_t)length + 1 > text->size && !text->failed) {
        size_t size = 2 * (text->used + (size_t)length + 1);
        char* data = realloc(text->data, size);
        text->failed = data == NULL;
        if (data != NULL) text->data = data, text->size = size;
    }
    if (!text->failed)
        text->used += (size_t)vsnprintf(text->data + text->used, text->size - text->used, format, again);
    va_end(again);
}

static void PutWaves(Text* text, const hwWebFlightOptions* o) {
    if (!(o->waveHeight > 0.0)) return;
    Put(text,
        "  waves: {jonswap: {hs: %.6g, tp: %.6g, gamma: 3.3, direction_deg: %.6g, spreading: 12, seed: 1, "
        "components: 40}}\n",
        o->waveHeight, o->wavePeriod, o->waveDirection * 180.0 / HW_PI);
}

static void PutTether(Text* text, const hwWebCatalogScene* scene, const hwWebFlightOptions* o) {
    const hwWebTetherType* t = hwWebCatalog_FindTether(o->tetherType);
    // Elements of 2 m, shorter ones for short tethers. They resist being pushed a little, so that what is paid out into slack
    // water bulges instead of piling up where it leaves the drum.
    int elements = (int)fmin(150.0, fmax(10.0, ceil(o->tetherOut / 2.0)));
    double element = o->tetherOut / elements;
    Put(text,
        "\ncables:\n  - name: tether\n    sections:\n      - {length: %.6g, elements: %d, diameter: %g, "
        "mass_per_length: %g, EA: %g, "
        "EI: %g, GJ: %g,\n         damping: {axial: %g, bending: %g, torsion: %g}, drag: {normal: 1.2, "
        "tangential: 0.01},\n"
        "         added_mass: {normal: 1.0, tangential: 0.0}, compression: 0.01, break: %g, element_length: "
        "{min: %.4g, max: %.4g}}\n",
        o->tetherOut, elements, t->diameter, t->massPerLength, t->EA, t->EI, t->GJ, 2e-3 * t->EA, 0.0,
        0.1 * t->GJ, t->breaking, fmin(0.5 * element, 0.6), 1.5 * element);
    Put(text,
        "    ends:\n      a: {on: %s, at: [%.6g, %.6g, %.6g], joint: pin}\n      b: {on: rov, at: tether, "
        "joint: pin}\n"
        "    shape: catenary\n",
        scene->launchOn, scene->trainer.launchAt.x, scene->trainer.launchAt.y, scene->trainer.launchAt.z);
    // what is paid out into slack water would be pushed into the boat from which it comes
    if (strcmp(scene->launchOn, "earth") != 0 && strstr(scene->text, "\ncontact:") == NULL)
        Put(text, "\ncontact: {ignore: [[tether, %s]]}\n", scene->launchOn);
    Put(text,
        "\nwinches:\n  - {name: winch, cable: tether, end: a, mode: velocity, setpoint: 0, "
        "acceleration: 1, deceleration: -1, longest: %.6g}\n",
        o->tetherLength);
    // load cells at both ends, and an acoustic position from below the launch (p)
    if (strstr(scene->text, "\ninstruments:") == NULL) {
        Put(text,
            "\ninstruments:\n  - {name: winch_cell, kind: load_cell, on: tether, end: a, rate: 20, noise: "
            "{sigma: 1}}\n"
            "  - {name: vehicle_cell, kind: load_cell, on: tether, end: b, rate: 20, noise: {sigma: 1}}\n"
            "  - {name: usbl, kind: usbl, on: rov, rate: 1, most: 500, noise: {sigma: 0.05}, second: {sigma: "
            "0.005}, transceiver_at: [%.6g, %.6g, %.6g]",
            scene->trainer.launchAt.x, scene->trainer.launchAt.y, scene->trainer.launchAt.z - 2.0);
        if (strcmp(scene->launchOn, "earth") != 0) Put(text, ", transceiver: %s", scene->launchOn);
        Put(text, "}\n");
    }
    // windings, the way home and other forecasts are told of a tether that is watched
    if (strstr(scene->text, "\nentanglement:") == NULL) Put(text, "\nentanglement: [{cable: tether}]\n");
}

char* hwWebCatalog_ComposeFlight(const hwWebCatalog* catalog, const hwWebFlightOptions* o) {
    const hwWebCatalogScene* scene = hwWebCatalog_FindScene(catalog, o);
    Text text = {0};
    if (scene->vehicles) {
        Put(&text, "%s", scene->text);
        return text.failed ? NULL : text.data;
    }
    // waves belong into the environment; surroundings have it as a block of their own
    const char* mark = strstr(scene->text, "\nenvironment:\n");
    size_t head = mark != NULL ? (size_t)(mark - scene->text) + strlen("\nenvironment:\n") : 0;
    Put(&text, "%.*s", (int)head, scene->text);
    if (mark != NULL) PutWaves(&text, o);
    Put(&text, "%s", scene->text + head);
    hwVec3 spawn = scene->trainer.spawn;
    Put(&text,
        "\nvehicles:\n  - {name: rov, model: %s, position: [%.6g, %.6g, %.6g], attitude: {rpy_deg: [0, 0, "
        "%.6g]}}\n",
        o->vehicle, spawn.x, spawn.y, spawn.z, -scene->trainer.heading * 180.0 / HW_PI);
    if (o->tether) PutTether(&text, scene, o);
    if (text.failed) free(text.data);
    return text.failed ? NULL : text.data;
}
