// Writing flights.
#define _POSIX_C_SOURCE 200809L
#include "flight_internal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FLIGHT_COOKIE 0x4857101
#define MOST_MARKS 10000
#define CHUNK_ROWS 10 // a second's: what a flight that is killed may lose. 16 would make files 3 % smaller

struct hwFlightWriter {
    hwFlightInfo info;
    char path[900];
    char* options;
    FILE* inputs;
    FILE* ghosts; // null: none yet
    hwRecorder* recorder;
    int channelCount;
    hwChannelInfo* channels;
    int* chosen;             // [channelCount] in the world
    unsigned char* rounding; // [channelCount]
    double* row;
    uint64_t rowSteps; // between rows
    double start;      // s, simulated time of step 0
    double flushed;    // s, simulated time of the last flush
    json_t *marks, *events;
    hwError error;
};

hwFlightDef hwDefaultFlightDef(void) {
    hwFlightDef def = {.interval = 0.1, .cookie = FLIGHT_COOKIE};
    def.info.step = 1.0 / 60.0;
    return def;
}

static void SetFailed(hwFlightWriter* writer, hwStatus status, const char* what, const char* reason) {
    if (writer->error.status != HW_OK) return;
    writer->error.status = status;
    writer->error.index = -1;
    writer->error.time = (double)NAN;
    snprintf(writer->error.message, sizeof(writer->error.message), "Recording ended: %.60s%s%.200s", what,
             what[0] != 0 ? " " : "", reason);
    snprintf(writer->info.status, sizeof(writer->info.status), "%.250s", writer->error.message);
}

static void SetFailedErrno(hwFlightWriter* writer, const char* what) {
    SetFailed(writer, HW_ERROR_FILE, what, strerror(errno != 0 ? errno : EIO));
}

static bool IsGood(const hwFlightWriter* writer) {
    return writer->error.status == HW_OK;
}

// Rows -----------------------------------------------------------------------------------------------------------------

static bool ChooseChannels(hwFlightWriter* writer, const hwWorld* world) {
    size_t room = (size_t)hwWorld_GetChannelCount(world) + 1;
    writer->chosen = calloc(room, sizeof(*writer->chosen));
    writer->channels = calloc(room, sizeof(*writer->channels));
    writer->rounding = calloc(room, sizeof(*writer->rounding));
    writer->row = calloc(room, sizeof(*writer->row));
    if (writer->chosen == NULL || writer->channels == NULL || writer->rounding == NULL || writer->row == NULL)
        return false;
    writer->channelCount = hwSelectFlightChannels(world, writer->chosen);
    for (int i = 0; i < writer->channelCount; ++i)
        writer->channels[i] = hwWorld_GetChannel(world, writer->chosen[i]);
    hwGetFlightRounding(world, writer->channelCount, writer->chosen, writer->rounding);
    return true;
}

static bool AppendRow(hwFlightWriter* writer, const hwWorld* world) {
    hwError error;
    hwReadFlightRow(world, writer->channelCount, writer->chosen, writer->rounding, writer->row);
    if (hwRecorder_Append(writer->recorder, 1, writer->row, &error) == HW_OK) return true;
    SetFailed(writer, error.status, "", error.message);
    return false;
}

// Files ----------------------------------------------------------------------------------------------------------------

static void MakePath(const hwFlightWriter* writer, const char* name, char* path, size_t size) {
    snprintf(path, size, "%s/%s", writer->path, name);
}

static bool WriteText(hwFlightWriter* writer, const char* name, const char* text) {
    char path[1000], temporary[1008];
    MakePath(writer, name, path, sizeof(path));
    snprintf(temporary, sizeof(temporary), "%s.new", path);
    errno = 0;
    FILE* file = fopen(temporary, "w");
    bool good = file != NULL && fputs(text, file) >= 0;
    if (file != NULL && fclose(file) != 0) good = false;
    if (good) good = rename(temporary, path) == 0;
    if (!good) {
        SetFailedErrno(writer, name);
        unlink(temporary);
    }
    return good;
}

static bool WriteInfo(hwFlightWriter* writer) {
    const hwFlightInfo* info = &writer->info;
    char hash[24];
    snprintf(hash, sizeof(hash), "0x%016llx", (unsigned long long)info->hash);
    json_t* json =
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:f, s:I, s:f, s:s}", "title", info->title, "vehicle",
                  info->vehicle, "surroundings", info->surroundings, "started", info->started, "status",
                  info->status, "version", info->version, "step", info->step, "steps",
                  (json_int_t)info->steps, "duration", info->duration, "hash", info->hashed ? hash : "");
    if (json != NULL && writer->options != NULL) {
        json_object_set_new(json, "options", json_loads(writer->options, 0, NULL));
    }
    if (json != NULL) json_object_set(json, "marks", writer->marks);
    if (json != NULL && json_array_size(writer->events) > 0) json_object_set(json, "events", writer->events);
    char* text = json != NULL ? json_dumps(json, JSON_INDENT(2)) : NULL;
    json_decref(json);
    if (text == NULL) {
        SetFailed(writer, HW_ERROR_MEMORY, "flight.json", "is out of memory");
        return false;
    }
    bool good = WriteText(writer, "flight.json", text);
    free(text);
    return good;
}

static bool OpenRecorder(hwFlightWriter* writer, const char* name, const char* scene) {
    char path[1000];
    MakePath(writer, name, path, sizeof(path));
    hwRecorderDef def = hwDefaultRecorderDef();
    def.path = path;
    def.format = HW_RESULTS_HDF5;
    def.channelCount = writer->channelCount;
    def.channels = writer->channels;
    def.scene = scene;
    def.compression = HW_COMPRESS_EXACT; // of rows that are rounded already
    def.chunkRows = CHUNK_ROWS;
    def.info = hwDefaultRunInfo();
    snprintf(def.info.title, sizeof(def.info.title), "%.127s", writer->info.title);
    snprintf(def.info.solver, sizeof(def.info.solver), "realtime");
    def.info.interval = (double)writer->rowSteps * writer->info.step;
    def.info.start = writer->start;
    hwError error;
    writer->recorder = hwCreateRecorder(&def, &error);
    if (writer->recorder == NULL) SetFailed(writer, error.status, "", error.message);
    return writer->recorder != NULL;
}

// Opens the recorder with the rows of another file up to the time `end`.
static bool CopyResults(hwFlightWriter* writer, const char* from, const char* name, double end) {
    hwError error = {0};
    hwResults* old = hwOpenResults(from, &error);
    if (old == NULL) {
        SetFailed(writer, error.status, "", error.message);
        return false;
    }
    int columns = hwResults_GetChannelCount(old);
    double* row = calloc((size_t)columns, sizeof(*row));
    bool good =
        row != NULL && columns == writer->channelCount && OpenRecorder(writer, name, hwResults_GetScene(old));
    for (int64_t i = 0; good && i < hwResults_GetRowCount(old); ++i) {
        good = hwResults_ReadRows(old, i, 1, row, &error) == HW_OK;
        if (!good || row[0] > end + 1e-9) break;
        good = hwRecorder_Append(writer->recorder, 1, row, &error) == HW_OK;
    }
    if (good) good = hwRecorder_Flush(writer->recorder, &error) == HW_OK;
    free(row);
    hwCloseResults(old);
    if (!good)
        SetFailed(writer, HW_ERROR_FILE, "results.h5",
                  error.message[0] != 0 ? error.message : "does not fit");
    return good;
}

static bool OpenInputs(hwFlightWriter* writer) {
    char path[1000];
    MakePath(writer, "inputs.csv", path, sizeof(path));
    errno = 0;
    writer->inputs = fopen(path, "w");
    if (writer->inputs == NULL || fputs("step,time,input,value\n", writer->inputs) < 0) {
        SetFailedErrno(writer, "inputs.csv");
        return false;
    }
    return true;
}

static void PutInput(hwFlightWriter* writer, const hwWorld* world, const hwInputEvent* event) {
    double time = writer->start + (double)event->step * writer->info.step;
    errno = 0;
    if (fprintf(writer->inputs, "%llu,%.9g,%s,%.17g\n", (unsigned long long)event->step, time,
                hwWorld_GetInput(world, event->input).name, event->value) < 0) {
        SetFailedErrno(writer, "inputs.csv");
    }
}

// The ghost of another flight up to the time `end`, where it has one.
static bool CopyGhosts(hwFlightWriter* writer, const char* folder, double end) {
    char from[1000], to[1000];
    snprintf(from, sizeof(from), "%.900s/%s", folder, GHOST_FILE);
    MakePath(writer, GHOST_FILE, to, sizeof(to));
    errno = 0;
    if (hwGhost_Copy(from, to, end) == HW_OK) return true;
    SetFailedErrno(writer, GHOST_FILE);
    return false;
}

// Drops what came after `end`.
static void CutGhosts(hwFlightWriter* writer, double end) {
    char path[1000], fresh[1000];
    MakePath(writer, GHOST_FILE, path, sizeof(path));
    MakePath(writer, GHOST_FILE ".new", fresh, sizeof(fresh));
    if (writer->ghosts == NULL && access(path, F_OK) != 0) return;
    if (writer->ghosts != NULL) fclose(writer->ghosts);
    writer->ghosts = NULL;
    errno = 0;
    bool good = hwGhost_Copy(path, fresh, end) == HW_OK;
    bool any = good && access(fresh, F_OK) == 0;
    if (good) good = any ? rename(fresh, path) == 0 : unlink(path) == 0;
    if (!good) SetFailedErrno(writer, GHOST_FILE);
}

static void RemoveAll(const hwFlightWriter* writer) {
    static const char* const names[] = {"flight.json", "scene.yaml", "inputs.csv", "results.h5", GHOST_FILE};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {
        char path[1000];
        MakePath(writer, names[i], path, sizeof(path));
        unlink(path);
    }
    rmdir(writer->path);
}

// Folders on the way to it are made too.
static bool MakeFolders(const char* path) {
    char part[900];
    for (size_t i = 1; path[i] != 0; ++i) {
        if (path[i] != '/' || i >= sizeof(part)) continue;
        memcpy(part, path, i);
        part[i] = 0;
        if (mkdir(part, 0777) != 0 && errno != EEXIST) return false;
    }
    return mkdir(path, 0777) == 0;
}

static void SetStarted(hwFlightInfo* info) {
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(info->started, sizeof(info->started), "%Y-%m-%dT%H:%M:%SZ", &utc);
}

// Drops what happened after `end`.
static void CutList(json_t* list, double end) {
    for (size_t i = json_array_size(list); i > 0; --i) {
        if (json_number_value(json_object_get(json_array_get(list, i - 1), "time")) > end + 1e-9)
            json_array_remove(list, i - 1);
    }
}

static json_t* StartList(const char* before, double end) {
    json_t* list = before != NULL ? json_loads(before, 0, NULL) : NULL;
    if (!json_is_array(list)) {
        json_decref(list);
        return json_array();
    }
    CutList(list, end);
    return list;
}

void hwFlightWriter_KeepLists(hwFlightWriter* writer, const char* marks, const char* events,
                              const hwWorld* world) {
    json_decref(writer->marks);
    json_decref(writer->events);
    writer->marks = StartList(marks, hwWorld_GetTime(world));
    writer->events = StartList(events, hwWorld_GetTime(world));
}

hwFlightWriter* hwCreateFlightWriter(const hwFlightDef* def, const hwWorld* world, hwError* error) {
    if (def == NULL || def->cookie != FLIGHT_COOKIE || def->folder == NULL || def->scene == NULL ||
        def->info.id[0] == 0 || !(def->interval > 0.0) || !(def->info.step > 0.0)) {
        hwLiveFail(error, HW_ERROR_ARGUMENT,
                   "a flight needs a def from hwDefaultFlightDef with folder, scene and id");
        return NULL;
    }
    hwFlightWriter* writer = calloc(1, sizeof(*writer));
    if (writer == NULL) {
        hwLiveFail(error, HW_ERROR_MEMORY, "there is not enough memory for a recording");
        return NULL;
    }
    writer->info = def->info;
    snprintf(writer->info.version, sizeof(writer->info.version), "%s", hwGetVersion());
    snprintf(writer->info.status, sizeof(writer->info.status), "flying");
    if (writer->info.started[0] == 0) SetStarted(&writer->info);
    writer->start = hwWorld_GetTime(world) - (double)def->steps * def->info.step;
    writer->info.steps = def->steps;
    writer->info.duration = writer->flushed = (double)def->steps * def->info.step;
    writer->rowSteps = (uint64_t)hwFmax(1.0, round(def->interval / def->info.step));
    snprintf(writer->path, sizeof(writer->path), "%s/%s", def->folder, def->info.id);
    if (def->options != NULL) writer->options = strdup(def->options);
    writer->marks = StartList(def->marks, hwWorld_GetTime(world));
    writer->events = StartList(def->events, hwWorld_GetTime(world));
    errno = 0;
    bool made = MakeFolders(writer->path);
    if (!made) SetFailedErrno(writer, writer->path);
    bool good = made && ChooseChannels(writer, world) && WriteText(writer, "scene.yaml", def->scene) &&
                OpenInputs(writer) && WriteInfo(writer);
    for (size_t i = 0; good && i < def->logCount; ++i) PutInput(writer, world, &def->log[i]);
    if (good && def->rows != NULL) {
        good = CopyResults(writer, def->rows, "results.h5", hwWorld_GetTime(world));
    } else if (good) {
        good = OpenRecorder(writer, "results.h5", def->scene) && AppendRow(writer, world);
    }
    if (good && def->ghosts != NULL) good = CopyGhosts(writer, def->ghosts, hwWorld_GetTime(world));
    good = good && IsGood(writer);
    if (good) return writer;
    if (error != NULL) *error = writer->error;
    if (made) RemoveAll(writer);
    hwDestroyFlightWriter(writer);
    return NULL;
}

void hwDestroyFlightWriter(hwFlightWriter* writer) {
    if (writer == NULL) return;
    if (writer->inputs != NULL) fclose(writer->inputs);
    if (writer->ghosts != NULL) fclose(writer->ghosts);
    hwDestroyRecorder(writer->recorder);
    json_decref(writer->marks);
    json_decref(writer->events);
    free(writer->options);
    free(writer->channels);
    free(writer->chosen);
    free(writer->rounding);
    free(writer->row);
    free(writer);
}

const hwFlightInfo* hwFlightWriter_GetInfo(const hwFlightWriter* writer) {
    return &writer->info;
}

hwStatus hwFlightWriter_GetStatus(const hwFlightWriter* writer, hwError* error) {
    if (error != NULL) *error = writer->error;
    return writer->error.status;
}

// Recording ------------------------------------------------------------------------------------------------------------

void hwFlightWriter_AddInput(hwFlightWriter* writer, const hwWorld* world, const hwInputEvent* event) {
    if (IsGood(writer)) PutInput(writer, world, event);
}

void hwFlightWriter_AddStep(hwFlightWriter* writer, const hwWorld* world, uint64_t step) {
    if (!IsGood(writer)) return;
    writer->info.steps = step;
    writer->info.duration = (double)step * writer->info.step;
    if (step % writer->rowSteps != 0) return;
    if (!AppendRow(writer, world)) return;
    double time = writer->info.duration;
    if (time - writer->flushed < 1.0 && time >= writer->flushed) return;
    writer->flushed = time;
    errno = 0;
    if (fflush(writer->inputs) != 0) SetFailedErrno(writer, "inputs.csv");
    if (writer->ghosts != NULL && fflush(writer->ghosts) != 0) SetFailedErrno(writer, GHOST_FILE);
    // how far it came, and what happened: whoever finds the folder after a crash can go on from the last second
    if (IsGood(writer)) WriteInfo(writer);
}

void hwFlightWriter_AddEvent(hwFlightWriter* writer, double time, const char* json) {
    if (!IsGood(writer) || json_array_size(writer->events) >= MOST_MARKS) return;
    json_t* event = json_loads(json, 0, NULL);
    if (!json_is_object(event)) {
        json_decref(event);
        return;
    }
    json_object_set_new(event, "time", json_real(time));
    json_array_append_new(writer->events, event);
}

void hwFlightWriter_AddMark(hwFlightWriter* writer, double time, const char* level, const char* text) {
    if (!IsGood(writer) || json_array_size(writer->marks) >= MOST_MARKS) return;
    json_array_append_new(writer->marks,
                          json_pack("{s:f, s:s, s:s}", "time", time, "level", level, "text", text));
}

void hwFlightWriter_AddHint(hwFlightWriter* writer, const hwHint* hint) {
    hwFlightWriter_AddMark(writer, hint->time, "hint", hint->text);
    json_t* event = json_pack("{s:s, s:s, s:f, s:s}", "type", "hint", "kind", hwHintKind_GetName(hint->kind),
                              "value", hint->value, "text", hint->text);
    char* text = event != NULL ? json_dumps(event, JSON_COMPACT) : NULL;
    if (text != NULL) hwFlightWriter_AddEvent(writer, hint->time, text);
    free(text);
    json_decref(event);
}

void hwFlightWriter_AddGhost(hwFlightWriter* writer, const hwGhostLine* line) {
    if (!IsGood(writer)) return;
    if (writer->ghosts == NULL) {
        char path[1000];
        MakePath(writer, GHOST_FILE, path, sizeof(path));
        writer->ghosts = hwGhost_OpenFile(path);
    }
    errno = 0;
    if (writer->ghosts == NULL || !hwGhost_Write(writer->ghosts, line)) SetFailedErrno(writer, GHOST_FILE);
}

// Rows up to the time `end` go into a file of their own that takes the place of the old one.
static void CutResults(hwFlightWriter* writer, double end) {
    char path[1000], fresh[1000];
    MakePath(writer, "results.h5", path, sizeof(path));
    MakePath(writer, "results.h5.new", fresh, sizeof(fresh));
    hwDestroyRecorder(writer->recorder);
    writer->recorder = NULL;
    if (!CopyResults(writer, path, "results.h5.new", end)) return;
    if (rename(fresh, path) != 0) SetFailedErrno(writer, "results.h5");
}

void hwFlightWriter_Rewind(hwFlightWriter* writer, const hwWorld* world, uint64_t step, size_t count,
                           const hwInputEvent* log) {
    if (!IsGood(writer)) return;
    fclose(writer->inputs);
    writer->inputs = NULL;
    if (!OpenInputs(writer)) return;
    for (size_t i = 0; i < count && IsGood(writer); ++i) PutInput(writer, world, &log[i]);
    if (IsGood(writer)) CutResults(writer, writer->start + (double)step * writer->info.step);
    double end = writer->start + (double)step * writer->info.step;
    if (IsGood(writer)) CutGhosts(writer, end);
    CutList(writer->marks, end);
    CutList(writer->events, end);
    writer->info.steps = step;
    writer->info.duration = (double)step * writer->info.step;
    writer->flushed = writer->info.duration;
}

hwStatus hwFlightWriter_Finish(hwFlightWriter* writer, const hwWorld* world, uint64_t steps,
                               const char* reason, hwError* error) {
    hwError failure;
    if (IsGood(writer)) {
        writer->info.steps = steps;
        writer->info.duration = (double)steps * writer->info.step;
        writer->info.hash = hwHashFlight(world);
        writer->info.hashed = true;
        snprintf(writer->info.status, sizeof(writer->info.status), "%.250s",
                 reason != NULL ? reason : "completed");
        hwRunInfo run = hwDefaultRunInfo();
        snprintf(run.title, sizeof(run.title), "%.127s", writer->info.title);
        snprintf(run.solver, sizeof(run.solver), "realtime");
        snprintf(run.status, sizeof(run.status), "%.250s", writer->info.status);
        snprintf(run.started, sizeof(run.started), "%s", writer->info.started);
        run.interval = (double)writer->rowSteps * writer->info.step;
        run.start = writer->start;
        run.duration = writer->info.duration;
        run.counters = hwWorld_GetCounters(world);
        if (hwRecorder_Finish(writer->recorder, &run, &failure) != HW_OK) {
            SetFailed(writer, failure.status, "", failure.message);
        }
        errno = 0;
        if (fflush(writer->inputs) != 0) SetFailedErrno(writer, "inputs.csv");
        if (writer->ghosts != NULL && fflush(writer->ghosts) != 0) SetFailedErrno(writer, GHOST_FILE);
    }
    // also after a failure: a few bytes may fit where a table did not
    WriteInfo(writer);
    if (error != NULL) *error = writer->error;
    return writer->error.status;
}
