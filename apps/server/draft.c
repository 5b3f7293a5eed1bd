// A scene that is being written: read again whenever its file is saved, checked as deeply as a flight would, told to all pages with
// the place of an error, or with what a lesson is made of.
#define _XOPEN_SOURCE 700
#include "apps/server/server_internal.h"

#include "hawser/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static json_t* PutVector(hwVec3 v) {
    return json_pack("[f, f, f]", v.x, v.y, v.z);
}

static void AddZone(json_t* zones, const char* kind, const char* name, hwVec3 position, double radius) {
    json_array_append_new(zones, json_pack("{s:s, s:s, s:o, s:f}", "kind", kind, "name", name, "position",
                                           PutVector(position), "radius", radius));
}

// Everything of a lesson that has a place, and the times of its freezes.
static json_t* PutLesson(const hwLessonInfo* info, const hwScorer* scorer) {
    const hwLessonDef* def = &info->def;
    json_t *zones = json_array(), *gates = json_array(), *looks = json_array(), *path = json_array(),
           *obstacles = json_array(), *freezes = json_array();
    for (int i = 0; i < def->objectiveCount; ++i) {
        const hwLessonObjective* o = &def->objectives[i];
        if (o->zone) AddZone(zones, "objective", o->name, o->position, o->radius);
        if (o->gate)
            json_array_append_new(gates, json_pack("{s:s, s:o, s:o, s:f}", "name", o->name, "position",
                                                   PutVector(o->gatePosition), "direction",
                                                   PutVector(hwNormalize(o->gateDirection)), "radius",
                                                   o->gateRadius));
        if (o->look)
            json_array_append_new(looks,
                                  json_pack("{s:s, s:o, s:f, s:f}", "name", o->name, "at",
                                            PutVector(o->lookAt), "near", o->lookNear, "far", o->lookFar));
    }
    if (def->recover) AddZone(zones, "recover", "recover", def->recoverPosition, def->recoverRadius);
    if (def->error == HW_LESSON_ERROR_STATION && def->pathCount > 0)
        AddZone(zones, "station", "station", def->path[0], def->scale);
    for (int i = 0; def->error == HW_LESSON_ERROR_CROSS_TRACK && i < def->pathCount; ++i)
        json_array_append_new(path, PutVector(def->path[i]));
    for (int i = 0; i < def->probes.obstacleCount; ++i)
        json_array_append_new(obstacles, json_pack("{s:s, s:o}", "name", def->probes.obstacles[i].name,
                                                   "position", PutVector(def->probes.obstacles[i].position)));
    for (int i = 0; i < def->probes.count; ++i) {
        hwProbeResult probe;
        if (hwScorer_GetProbe(scorer, i, &probe)) json_array_append_new(freezes, json_real(probe.time));
    }
    return json_pack("{s:s, s:i, s:f, s:o, s:o, s:o, s:o, s:o, s:o}", "title", info->title, "objectives",
                     def->objectiveCount, "par", def->par, "zones", zones, "gates", gates, "looks", looks,
                     "path", path, "obstacles", obstacles, "freezes", freezes);
}

// The scorer of a lesson, which needs the channels of its world; null and `error`.
static hwScorer* MakeScorer(const hwScene* scene, hwWorld* world, hwError* error) {
    int count = hwWorld_GetChannelCount(world);
    const char** names = calloc((size_t)count + 1, sizeof(*names));
    if (names == NULL) return NULL;
    for (int i = 0; i < count; ++i) names[i] = hwWorld_GetChannel(world, i).name;
    hwScorer* scorer = hwScene_CreateScorer(scene, count, names, error);
    free(names);
    return scorer;
}

// As deeply as a flight would: its world is made, the names in faults and conditions are looked up.
static bool Check(hwWebServer* server, hwError* error) {
    const hwWebServerDef* def = &server->def;
    hwScene* scene = hwLoadSceneWith(def->preset, def->setCount, def->sets, error);
    if (scene == NULL) return false;
    hwScene_SetSolver(scene, HW_SOLVER_REALTIME);
    hwWorld* world = hwScene_CreateWorld(scene, NULL, error);
    const hwLessonInfo* lesson = hwScene_GetLesson(scene);
    bool good = world != NULL;
    if (good && lesson != NULL) {
        hwScorer* scorer = NULL;
        good = hwScene_CheckFaults(scene, world, error) == HW_OK &&
               (scorer = MakeScorer(scene, world, error)) != NULL;
        json_decref(server->draft.lesson);
        server->draft.lesson = good ? PutLesson(lesson, scorer) : NULL;
        hwDestroyScorer(scorer);
    }
    hwDestroyWorld(world);
    hwDestroyScene(scene);
    return good;
}

static void FindExcerpt(const char* path, int line, char* text, size_t size) {
    text[0] = 0;
    FILE* file = line > 0 ? fopen(path, "r") : NULL;
    if (file == NULL) return;
    char* read = NULL;
    size_t room = 0;
    for (int i = 0; i < line && getline(&read, &room, file) > 0; ++i) {
        if (i == line - 1) snprintf(text, size, "%.*s", (int)strcspn(read, "\r\n"), read);
    }
    free(read);
    fclose(file);
}

static void Read(hwWebServer* server) {
    hwWebDraft* draft = &server->draft;
    const hwWebServerDef* def = &server->def;
    memset(&draft->error, 0, sizeof(draft->error));
    draft->count += 1;
    draft->good =
        Check(server, &draft->error) &&
        hwWebCatalog_ReadAgain(&server->catalog, def->preset, def->setCount, def->sets, &draft->error);
    FindExcerpt(def->preset, draft->good ? 0 : draft->error.line, draft->excerpt, sizeof(draft->excerpt));
    json_t* message = hwWebDraft_ToJson(server);
    json_object_set_new(message, "type", json_string("draft"));
    for (hwWebConnection* c = server->connections; c != NULL; c = c->next) {
        if (c->greeted) hwWebConnection_Send(c, json_deep_copy(message));
    }
    json_decref(message);
}

void hwWebDraft_Look(hwWebServer* server) {
    hwWebDraft* draft = &server->draft;
    if (!server->def.watch) return;
    struct stat info;
    int64_t stamp[3] = {0, 0, -1}; // of a file that is not there, as some editors leave it for an instant
    if (stat(server->def.preset, &info) == 0) {
        stamp[0] = (int64_t)info.st_mtim.tv_sec;
        stamp[1] = (int64_t)info.st_mtim.tv_nsec;
        stamp[2] = (int64_t)info.st_size;
    }
    bool same = memcmp(stamp, draft->stamp, sizeof(stamp)) == 0;
    memcpy(draft->stamp, stamp, sizeof(stamp));
    // editors write in pieces: it is read when it was the same at two looks
    bool first = draft->count == 0;
    if (first || (same && draft->pending)) Read(server);
    draft->pending = !first && !same;
}

// A line may end in the middle of a letter, or hold none: pages take Unicode only.
static json_t* PutExcerpt(const char* text) {
    size_t size = strlen(text);
    for (size_t cut = 0; cut < 4 && cut <= size; ++cut) {
        json_t* json = json_stringn(text, size - cut);
        if (json != NULL) return json;
    }
    return json_string("");
}

json_t* hwWebDraft_ToJson(const hwWebServer* server) {
    const hwWebDraft* draft = &server->draft;
    if (!server->def.watch) return json_null();
    const char* slash = strrchr(server->def.preset, '/');
    json_t* json = json_pack("{s:i, s:b, s:s}", "count", draft->count, "good", (int)draft->good, "file",
                             slash != NULL ? slash + 1 : server->def.preset);
    if (!draft->good) {
        json_object_set_new(json, "error",
                            json_pack("{s:s, s:s, s:i, s:i, s:o}", "message", draft->error.message, "hint",
                                      draft->error.hint, "line", draft->error.line, "column",
                                      draft->error.column, "excerpt", PutExcerpt(draft->excerpt)));
    } else if (draft->lesson != NULL) {
        json_object_set(json, "lesson", draft->lesson);
    }
    return json;
}
