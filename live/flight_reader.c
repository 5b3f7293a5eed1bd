// Reading flights.
#define _POSIX_C_SOURCE 200809L
#include "flight_internal.h"

#include "hawser/scene.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_BYTES ((size_t)256 << 20)

struct hwFlight {
    hwFlightInfo info;
    char path[900];
    char* scene;
    char* options;
    char* marks;
    char* events;
    char* inputs; // text of inputs.csv
};

static hwStatus Fail(hwError* error, hwStatus status, const char* path, const char* text) {
    hwLiveFail(error, status, "");
    if (error != NULL) snprintf(error->message, sizeof(error->message), "%.160s: %.140s", path, text);
    return status;
}

static char* ReadText(const char* folder, const char* name, hwError* error) {
    char path[1000];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    errno = 0;
    FILE* file = fopen(path, "rb");
    struct stat info;
    if (file == NULL || fstat(fileno(file), &info) != 0 || !S_ISREG(info.st_mode)) {
        Fail(error, HW_ERROR_FILE, path, errno != 0 ? strerror(errno) : "not a file");
        if (file != NULL) fclose(file);
        return NULL;
    }
    if ((uintmax_t)info.st_size > MOST_BYTES) {
        Fail(error, HW_ERROR_LIMIT, path, "the file is too large");
        fclose(file);
        return NULL;
    }
    char* text = malloc((size_t)info.st_size + 1);
    size_t size = text != NULL ? fread(text, 1, (size_t)info.st_size, file) : 0;
    fclose(file);
    if (text == NULL) {
        Fail(error, HW_ERROR_MEMORY, path, "out of memory");
        return NULL;
    }
    text[size] = 0;
    return text;
}

static void CopyString(const json_t* json, const char* key, char* out, size_t size) {
    const char* text = json_string_value(json_object_get(json, key));
    snprintf(out, size, "%.*s", (int)(size - 1), text != NULL ? text : "");
}

static int64_t MeasureFolder(const char* path) {
    int64_t bytes = 0;
    DIR* folder = opendir(path);
    struct dirent* entry;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        char file[1400];
        struct stat info;
        snprintf(file, sizeof(file), "%.1000s/%s", path, entry->d_name);
        if (stat(file, &info) == 0 && S_ISREG(info.st_mode)) bytes += (int64_t)info.st_size;
    }
    if (folder != NULL) closedir(folder);
    return bytes;
}

static bool ReadInfo(const char* path, hwFlightInfo* info, char** options, char** marks, char** events,
                     hwError* error) {
    char* text = ReadText(path, "flight.json", error);
    if (text == NULL) return false;
    json_error_t where;
    json_t* json = json_loads(text, 0, &where);
    free(text);
    if (!json_is_object(json)) {
        Fail(error, HW_ERROR_FORMAT, path, "flight.json is not what it should be");
        json_decref(json);
        return false;
    }
    memset(info, 0, sizeof(*info));
    const char* slash = strrchr(path, '/');
    snprintf(info->id, sizeof(info->id), "%.47s", slash != NULL ? slash + 1 : path);
    CopyString(json, "title", info->title, sizeof(info->title));
    CopyString(json, "vehicle", info->vehicle, sizeof(info->vehicle));
    CopyString(json, "surroundings", info->surroundings, sizeof(info->surroundings));
    CopyString(json, "started", info->started, sizeof(info->started));
    CopyString(json, "status", info->status, sizeof(info->status));
    CopyString(json, "version", info->version, sizeof(info->version));
    info->step = json_number_value(json_object_get(json, "step"));
    json_int_t steps = json_integer_value(json_object_get(json, "steps"));
    info->steps = steps > 0 ? (uint64_t)steps : 0;
    info->duration = json_number_value(json_object_get(json, "duration"));
    const char* hash = json_string_value(json_object_get(json, "hash"));
    info->hashed = hash != NULL && strncmp(hash, "0x", 2) == 0;
    if (info->hashed) info->hash = strtoull(hash + 2, NULL, 16);
    const json_t* inner = json_object_get(json, "options");
    if (json_is_object(inner)) CopyString(inner, "pilot", info->pilot, sizeof(info->pilot));
    if (options != NULL && json_is_object(inner)) *options = json_dumps(inner, JSON_COMPACT);
    inner = json_object_get(json, "marks");
    if (marks != NULL && json_is_array(inner)) *marks = json_dumps(inner, JSON_COMPACT);
    inner = json_object_get(json, "events");
    if (events != NULL && json_is_array(inner)) *events = json_dumps(inner, JSON_COMPACT);
    json_decref(json);
    if (!(info->step > 0.0) || !isfinite(info->step)) {
        Fail(error, HW_ERROR_FORMAT, path, "flight.json has no length of steps");
        return false;
    }
    return true;
}

hwFlight* hwLoadFlight(const char* path, hwError* error) {
    hwFlight* flight = calloc(1, sizeof(*flight));
    if (flight == NULL) {
        Fail(error, HW_ERROR_MEMORY, path, "out of memory");
        return NULL;
    }
    snprintf(flight->path, sizeof(flight->path), "%.899s", path);
    for (size_t n = strlen(flight->path); n > 1 && flight->path[n - 1] == '/'; --n) flight->path[n - 1] = 0;
    bool good =
        ReadInfo(flight->path, &flight->info, &flight->options, &flight->marks, &flight->events, error);
    if (good) flight->scene = ReadText(flight->path, "scene.yaml", error);
    if (flight->scene != NULL) flight->inputs = ReadText(flight->path, "inputs.csv", error);
    if (flight->inputs != NULL) {
        flight->info.bytes = MeasureFolder(flight->path);
        return flight;
    }
    hwDestroyFlight(flight);
    return NULL;
}

void hwDestroyFlight(hwFlight* flight) {
    if (flight == NULL) return;
    free(flight->scene);
    free(flight->options);
    free(flight->marks);
    free(flight->events);
    free(flight->inputs);
    free(flight);
}

const hwFlightInfo* hwFlight_GetInfo(const hwFlight* flight) {
    return &flight->info;
}

const char* hwFlight_GetScene(const hwFlight* flight) {
    return flight->scene;
}

const char* hwFlight_GetOptions(const hwFlight* flight) {
    return flight->options;
}

const char* hwFlight_GetMarks(const hwFlight* flight) {
    return flight->marks != NULL ? flight->marks : "[]";
}

const char* hwFlight_GetEvents(const hwFlight* flight) {
    return flight->events != NULL ? flight->events : "[]";
}

hwWorld* hwFlight_CreateWorld(const hwFlight* flight, hwError* error) {
    hwScene* scene = hwParseScene(flight->scene, strlen(flight->scene), "scene.yaml", flight->path, error);
    if (scene == NULL) return NULL;
    hwWorld* world = hwScene_CreateWorld(scene, NULL, error);
    hwDestroyScene(scene);
    if (world == NULL || hwWorld_BuildUp(world, error) == HW_OK) return world; // flights begin after it
    hwDestroyWorld(world);
    return NULL;
}

// One line "step,time,input,value" of the log; false when it is not one.
static bool ParseLine(char* line, const hwWorld* world, hwInputEvent* event) {
    char* cursor = NULL;
    errno = 0;
    event->step = strtoull(line, &cursor, 10);
    if (cursor == line || *cursor != ',' || errno != 0) return false;
    char* time = cursor + 1;
    strtod(time, &cursor);
    if (cursor == time || *cursor != ',') return false;
    char* name = cursor + 1;
    char* comma = strchr(name, ',');
    if (comma == NULL) return false;
    *comma = 0;
    event->input = hwWorld_FindInput(world, name);
    event->value = strtod(comma + 1, &cursor);
    return event->input >= 0 && cursor != comma + 1 && *cursor == 0 && isfinite(event->value);
}

hwInputEvent* hwFlight_ResolveLog(const hwFlight* flight, const hwWorld* world, uint64_t steps, size_t* count,
                                  hwError* error) {
    size_t lines = 1;
    for (const char* c = flight->inputs; *c != 0; ++c) lines += *c == '\n';
    hwInputEvent* log = calloc(lines, sizeof(*log));
    char* text = strdup(flight->inputs);
    if (log == NULL || text == NULL) {
        free(log);
        free(text);
        Fail(error, HW_ERROR_MEMORY, flight->path, "out of memory");
        return NULL;
    }
    *count = 0;
    int number = 0;
    uint64_t last = 0;
    char* rest = text;
    for (char* line = strtok_r(text, "\r\n", &rest); line != NULL; line = strtok_r(NULL, "\r\n", &rest)) {
        if (number++ == 0) continue;
        hwInputEvent event;
        if (!ParseLine(line, world, &event) || event.step < last) {
            // the last line of a flight that was killed may be half a line
            if (strtok_r(NULL, "\r\n", &rest) == NULL && flight->info.hashed == false) break;
            Fail(error, HW_ERROR_FORMAT, flight->path, "inputs.csv is not what it should be");
            if (error != NULL) error->line = number;
            free(log);
            free(text);
            return NULL;
        }
        last = event.step;
        if (event.step <= steps) log[(*count)++] = event;
    }
    free(text);
    return log;
}

// Listing --------------------------------------------------------------------------------------------------------------

static int CompareNames(const void* a, const void* b) {
    return strcmp(*(char* const*)b, *(char* const*)a);
}

int hwListFlights(const char* path, int capacity, hwFlightInfo* infos) {
    DIR* folder = opendir(path);
    if (folder == NULL) return 0;
    char** names = NULL;
    int nameCount = 0, room = 0, count = 0;
    struct dirent* entry;
    while ((entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] == '.') continue;
        if (nameCount == room) {
            room = room > 0 ? 2 * room : 64;
            char** more = realloc(names, (size_t)room * sizeof(*names));
            if (more == NULL) break;
            names = more;
        }
        names[nameCount] = strdup(entry->d_name);
        if (names[nameCount] != NULL) nameCount += 1;
    }
    closedir(folder);
    // names begin with the time at which they were made
    if (nameCount > 0) qsort(names, (size_t)nameCount, sizeof(*names), CompareNames);
    for (int i = 0; i < nameCount; ++i) {
        char full[1300];
        hwFlightInfo info;
        snprintf(full, sizeof(full), "%.1000s/%s", path, names[i]);
        if (ReadInfo(full, &info, NULL, NULL, NULL, NULL)) {
            if (count < capacity) {
                infos[count] = info;
                infos[count].bytes = MeasureFolder(full);
            }
            count += 1;
        }
        free(names[i]);
    }
    free(names);
    return count;
}
