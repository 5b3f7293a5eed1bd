// Results whatever the kind of file: recording in the background, reading, choosing channels.
#define _XOPEN_SOURCE 700
#include "csv_number.h"
#include "hawser/scene.h"
#include "results_internal.h"
#include "scene_store.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define RECORDER_COOKIE 0x5ec04de4

bool hwRunInfo_AddLimit(hwRunInfo* info, const char* of, const char* unit, double min, double max,
                        double least, double greatest) {
    char line[512];
    const double numbers[] = {min, max, least, greatest};
    int used = snprintf(line, sizeof(line), "%.256s\t%.32s", of, unit);
    for (int i = 0; i < 4; ++i) {
        char text[HW_NUMBER_SIZE];
        int length = isnan(numbers[i]) ? 0 : hwFormatNumber(numbers[i], text);
        used += snprintf(line + used, sizeof(line) - (size_t)used, "\t%.*s", length, text);
    }
    size_t before = strlen(info->limits);
    if (before + (size_t)used + 2 > sizeof(info->limits)) return false;
    snprintf(info->limits + before, sizeof(info->limits) - before, "%s\n", line);
    return true;
}

hwRunInfo hwDefaultRunInfo(void) {
    hwRunInfo info = {.status = "running"};
    hwResults_CopyText(info.version, sizeof(info.version), hwGetVersion());
    time_t now = time(NULL);
    struct tm parts;
    if (gmtime_r(&now, &parts)) strftime(info.started, sizeof(info.started), "%Y-%m-%dT%H:%M:%SZ", &parts);
    return info;
}

hwRecorderDef hwDefaultRecorderDef(void) {
    return (hwRecorderDef){.info = hwDefaultRunInfo(), .live = true, .cookie = RECORDER_COOKIE};
}

// Choosing channels

// Recording. A thread of the recorder flushes, so that rows reach the disk in time also when the next step is long.

struct hwRecorder {
    hwWriter writer;
    int channelCount;
    char** names;
    int* worldChannels; // indices in the world of the last AppendWorld
    double* row;
    const hwWorld* world;
    int worldChannelCount;
    int64_t rowCount;
    bool finished;
    // Shared with the thread, under the lock.
    pthread_mutex_t lock;
    pthread_cond_t wake;
    pthread_t thread;
    bool threadRuns, stop, dirty;
    hwStatus status; // of the first failure
    hwError failure;
};

#define FLUSH_NANOSECONDS 500000000

static void* FlushInBackground(void* context) {
    hwRecorder* recorder = context;
    pthread_mutex_lock(&recorder->lock);
    while (!recorder->stop) {
        if (!recorder->dirty) {
            pthread_cond_wait(&recorder->wake, &recorder->lock);
            continue;
        }
        struct timespec due;
        clock_gettime(CLOCK_MONOTONIC, &due);
        due.tv_nsec += FLUSH_NANOSECONDS;
        due.tv_sec += due.tv_nsec / 1000000000;
        due.tv_nsec %= 1000000000;
        while (!recorder->stop &&
               pthread_cond_timedwait(&recorder->wake, &recorder->lock, &due) != ETIMEDOUT) {
        }
        if (!recorder->stop && recorder->dirty && recorder->status == HW_OK) {
            recorder->status = recorder->writer.flush(recorder->writer.context, &recorder->failure);
        }
        recorder->dirty = false;
    }
    pthread_mutex_unlock(&recorder->lock);
    return NULL;
}

static hwStatus StartThread(hwRecorder* recorder, hwError* error) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&recorder->wake, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&recorder->lock, NULL);
    int reason = pthread_create(&recorder->thread, NULL, FlushInBackground, recorder);
    recorder->threadRuns = reason == 0;
    if (reason == 0) return HW_OK;
    return hwResultsFail(error, HW_ERROR_MEMORY, "Cannot start the thread that writes results: %s.",
                         strerror(reason));
}

static void StopThread(hwRecorder* recorder) {
    if (!recorder->threadRuns) return;
    pthread_mutex_lock(&recorder->lock);
    recorder->stop = true;
    pthread_cond_signal(&recorder->wake);
    pthread_mutex_unlock(&recorder->lock);
    pthread_join(recorder->thread, NULL);
    recorder->threadRuns = false;
}

static hwStatus CheckDef(const hwRecorderDef* def, hwError* error) {
    if (!def || def->cookie != RECORDER_COOKIE) {
        return hwResultsFail(error, HW_ERROR_ARGUMENT,
                             "The recorder's def does not come from hwDefaultRecorderDef.");
    }
    if (!def->path || !def->path[0])
        return hwResultsFail(error, HW_ERROR_ARGUMENT, "The results need a file name.");
    if (def->channelCount < 1 || def->channelCount > HW_RESULTS_MAX_CHANNELS || !def->channels) {
        return hwResultsFail(error, HW_ERROR_ARGUMENT, "A table of results has 1 to %d channels, not %d.",
                             HW_RESULTS_MAX_CHANNELS, def->channelCount);
    }
    for (int i = 0; i < def->channelCount; ++i) {
        if (!def->channels[i].name || !def->channels[i].unit) {
            return hwResultsFail(error, HW_ERROR_ARGUMENT, "Channel %d has no name or no unit.", i);
        }
    }
    return HW_OK;
}

static hwStatus OpenWriter(const hwRecorderDef* def, hwWriter* writer, hwError* error) {
    hwResultsFormat format = def->format;
    if (format == HW_RESULTS_AUTO) {
        bool csv = hwResults_HasExtension(def->path, "csv") || strcmp(def->path, "-") == 0;
        bool hdf5 = hwResults_HasExtension(def->path, "h5") || hwResults_HasExtension(def->path, "hdf5");
        bool mcap = hwResults_HasExtension(def->path, "mcap");
        format = csv ? HW_RESULTS_CSV : hdf5 ? HW_RESULTS_HDF5 : mcap ? HW_RESULTS_MCAP : HW_RESULTS_AUTO;
    }
    switch (format) {
    case HW_RESULTS_CSV:
        return def->rooms ? hwCreateRoomWriter(def, hwCreateCsvWriter, writer, error)
                          : hwCreateCsvWriter(def, writer, error);
    case HW_RESULTS_HDF5:
        return def->rooms ? hwCreateRoomWriter(def, hwCreateHdf5Writer, writer, error)
                          : hwCreateHdf5Writer(def, writer, error);
    case HW_RESULTS_MCAP:
        return hwCreateMcapWriter(def, writer, error);
    default:
        hwResultsFail(error, HW_ERROR_ARGUMENT, "The name %s does not say which kind of results to write.",
                      def->path);
        hwResultsFail_Hint(error, "Let it end in .h5, .csv or .mcap.");
        return HW_ERROR_ARGUMENT;
    }
}

hwRecorder* hwCreateRecorder(const hwRecorderDef* def, hwError* error) {
    if (CheckDef(def, error) != HW_OK) return NULL;
    hwRecorder* recorder = calloc(1, sizeof(hwRecorder));
    if (recorder) {
        recorder->channelCount = def->channelCount;
        recorder->names = calloc((size_t)def->channelCount, sizeof(char*));
        recorder->worldChannels = calloc((size_t)def->channelCount, sizeof(int));
        recorder->row = calloc((size_t)def->channelCount, sizeof(double));
    }
    bool good = recorder && recorder->names && recorder->worldChannels && recorder->row;
    for (int i = 0; i < def->channelCount && good; ++i) {
        recorder->names[i] = strdup(def->channels[i].name);
        good = recorder->names[i] != NULL;
    }
    if (!good) {
        hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory for %d channels.",
                      def->channelCount);
    } else if (OpenWriter(def, &recorder->writer, error) == HW_OK && StartThread(recorder, error) == HW_OK) {
        return recorder;
    }
    hwDestroyRecorder(recorder);
    return NULL;
}

// The first failure again.
static hwStatus Report(const hwRecorder* recorder, hwError* error) {
    if (error && recorder->status != HW_OK) *error = recorder->failure;
    return recorder->status;
}

hwStatus hwRecorder_Append(hwRecorder* recorder, int rows, const double* values, hwError* error) {
    if (recorder->finished) return hwResultsFail(error, HW_ERROR_ORDER, "The recorder is finished.");
    if (rows < 0) return hwResultsFail(error, HW_ERROR_ARGUMENT, "The number of rows is negative.");
    pthread_mutex_lock(&recorder->lock);
    if (recorder->status == HW_OK) {
        recorder->status =
            recorder->writer.append(recorder->writer.context, rows, values, &recorder->failure);
    }
    if (recorder->status == HW_OK) recorder->rowCount += rows;
    if (!recorder->dirty) {
        recorder->dirty = true;
        pthread_cond_signal(&recorder->wake);
    }
    hwStatus status = Report(recorder, error);
    pthread_mutex_unlock(&recorder->lock);
    return status;
}

hwStatus hwRecorder_AppendWorld(hwRecorder* recorder, const hwWorld* world, hwError* error) {
    if (recorder->world != world || recorder->worldChannelCount != hwWorld_GetChannelCount(world)) {
        for (int i = 0; i < recorder->channelCount; ++i) {
            recorder->worldChannels[i] = hwWorld_FindChannel(world, recorder->names[i]);
            if (recorder->worldChannels[i] < 0)
                return hwResultsFail_Channel(world, recorder->names[i], error);
        }
        recorder->world = world;
        recorder->worldChannelCount = hwWorld_GetChannelCount(world);
    }
    hwWorld_ReadChannels(world, recorder->channelCount, recorder->worldChannels, recorder->row);
    return hwRecorder_Append(recorder, 1, recorder->row, error);
}

hwStatus hwRecorder_Flush(hwRecorder* recorder, hwError* error) {
    if (recorder->finished) return hwResultsFail(error, HW_ERROR_ORDER, "The recorder is finished.");
    pthread_mutex_lock(&recorder->lock);
    if (recorder->status == HW_OK) {
        recorder->status = recorder->writer.flush(recorder->writer.context, &recorder->failure);
    }
    hwStatus status = Report(recorder, error);
    pthread_mutex_unlock(&recorder->lock);
    return status;
}

hwStatus hwRecorder_SetStations(hwRecorder* recorder, const hwRangeStation* stations, hwError* error) {
    if (recorder->finished) return hwResultsFail(error, HW_ERROR_ORDER, "The recorder is finished.");
    pthread_mutex_lock(&recorder->lock);
    if (recorder->status == HW_OK && recorder->writer.putStations) {
        recorder->status =
            recorder->writer.putStations(recorder->writer.context, stations, &recorder->failure);
    }
    hwStatus status = Report(recorder, error);
    pthread_mutex_unlock(&recorder->lock);
    return status;
}

hwStatus hwRecorder_SetExtremes(hwRecorder* recorder, const hwExtreme* extremes, hwError* error) {
    if (recorder->finished) return hwResultsFail(error, HW_ERROR_ORDER, "The recorder is finished.");
    pthread_mutex_lock(&recorder->lock);
    if (recorder->status == HW_OK && recorder->writer.putExtremes) {
        recorder->status =
            recorder->writer.putExtremes(recorder->writer.context, extremes, &recorder->failure);
    }
    hwStatus status = Report(recorder, error);
    pthread_mutex_unlock(&recorder->lock);
    return status;
}

int hwRecorder_GetChannelCount(const hwRecorder* recorder) {
    return recorder->writer.countColumns ? recorder->writer.countColumns(recorder->writer.context)
                                         : recorder->channelCount;
}

int64_t hwRecorder_GetRowCount(const hwRecorder* recorder) {
    return recorder->rowCount;
}

hwStatus hwRecorder_Finish(hwRecorder* recorder, const hwRunInfo* info, hwError* error) {
    if (recorder->finished) return hwResultsFail(error, HW_ERROR_ORDER, "The recorder is finished.");
    StopThread(recorder);
    recorder->finished = true;
    if (recorder->status == HW_OK) {
        recorder->status = recorder->writer.finish(recorder->writer.context, info, &recorder->failure);
    }
    return Report(recorder, error);
}

void hwDestroyRecorder(hwRecorder* recorder) {
    if (!recorder) return;
    StopThread(recorder);
    if (recorder->writer.destroy) {
        if (!recorder->finished && recorder->status == HW_OK) {
            recorder->writer.flush(recorder->writer.context, NULL);
        }
        recorder->writer.destroy(recorder->writer.context);
        pthread_mutex_destroy(&recorder->lock);
        pthread_cond_destroy(&recorder->wake);
    }
    for (int i = 0; recorder->names && i < recorder->channelCount; ++i) free(recorder->names[i]);
    free(recorder->names);
    free(recorder->worldChannels);
    free(recorder->row);
    free(recorder);
}

// Reading

hwStatus hwResults_Reserve(hwResults* results, int channelCount, size_t textSize, hwError* error) {
    results->channels = calloc((size_t)channelCount, sizeof(hwChannelInfo));
    results->texts = calloc(textSize + 1, 1);
    if (!results->channels || !results->texts) {
        return hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory for %d channels.",
                             channelCount);
    }
    results->channelCount = channelCount;
    return HW_OK;
}

static void SiftDown(const hwResults* results, int* order, int count, int parent) {
    for (;;) {
        int child = 2 * parent + 1;
        if (child >= count) return;
        const char* name = results->channels[order[child]].name;
        if (child + 1 < count && strcmp(results->channels[order[child + 1]].name, name) > 0) {
            name = results->channels[order[++child]].name;
        }
        if (strcmp(results->channels[order[parent]].name, name) >= 0) return;
        int swapped = order[parent];
        order[parent] = order[child];
        order[child] = swapped;
        parent = child;
    }
}

// Heap sort, since qsort passes no context to its comparison.
static hwStatus SortChannels(hwResults* results, hwError* error) {
    int count = results->channelCount;
    int* order = malloc((size_t)count * sizeof(int));
    if (!order)
        return hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory for %d channels.", count);
    for (int i = 0; i < count; ++i) order[i] = i;
    for (int i = count / 2 - 1; i >= 0; --i) SiftDown(results, order, count, i);
    for (int last = count - 1; last > 0; --last) {
        int swapped = order[0];
        order[0] = order[last];
        order[last] = swapped;
        SiftDown(results, order, last, 0);
    }
    results->order = order;
    return HW_OK;
}

// The kind of a file by its first bytes: 'h' HDF5, 'v' VTK, 'c' anything else.
static char SniffKind(const char* path, hwError* error) {
    FILE* file = fopen(path, "rb");
    if (!file) {
        hwResultsFail_System(error, errno, "read", path);
        return 0;
    }
    unsigned char head[256] = {0};
    size_t size = fread(head, 1, sizeof(head) - 1, file);
    bool failed = ferror(file) != 0;
    int reason = errno;
    fclose(file);
    if (failed) {
        hwResultsFail_System(error, reason, "read", path);
        return 0;
    }
    if (size == 0) {
        hwResultsFail(error, HW_ERROR_FORMAT, "%s is empty.", path);
        return 0;
    }
    if (size >= 8 && memcmp(head, "\211HDF\r\n\032\n", 8) == 0) return 'h';
    if (strstr((const char*)head, "<VTKFile")) return 'v';
    const char* dot = strrchr(path, '.');
    if (dot && strcmp(dot, ".h5") == 0) {
        hwResultsFail(error, HW_ERROR_FORMAT, "%s is no HDF5 file, though its name ends like one.", path);
        return 0;
    }
    return 'c';
}

static hwStatus OpenAny(hwResults* results, hwError* error) {
    char kind = SniffKind(results->path, error);
    if (kind == 0) return error->status;
    if (kind == 'h') return hwOpenHdf5(results, results->path, error);
    if (kind == 'v') return hwOpenVtk(results, results->path, error);
    return hwOpenCsv(results, results->path, error);
}

hwResults* hwOpenResults(const char* path, hwError* error) {
    hwError local;
    if (!error) error = &local;
    if (!path || !path[0]) {
        hwResultsFail(error, HW_ERROR_ARGUMENT, "The results need a file name.");
        return NULL;
    }
    struct stat about;
    bool folder = stat(path, &about) == 0 && S_ISDIR(about.st_mode);
    hwResults* results = calloc(1, sizeof(hwResults));
    size_t size = strlen(path) + 16;
    if (results) results->path = malloc(size);
    if (!results || !results->path) {
        free(results);
        hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory to read %s.", path);
        return NULL;
    }
    snprintf(results->path, size, folder ? "%s/results.h5" : "%s", path);
    if (OpenAny(results, error) == HW_OK && SortChannels(results, error) == HW_OK) return results;
    hwCloseResults(results);
    return NULL;
}

void hwCloseResults(hwResults* results) {
    if (!results) return;
    if (results->close) results->close(results->context);
    free(results->path);
    free(results->channels);
    free(results->texts);
    free(results->order);
    free(results->scene);
    free(results->extremes);
    free(results->stations);
    free(results->stationCables);
    free(results);
}

int hwResults_GetChannelCount(const hwResults* results) {
    return results->channelCount;
}

hwChannelInfo hwResults_GetChannel(const hwResults* results, int channel) {
    if (channel < 0 || channel >= results->channelCount) return (hwChannelInfo){"", ""};
    return results->channels[channel];
}

int hwResults_FindChannel(const hwResults* results, const char* name) {
    int low = 0, high = results->channelCount;
    while (low < high) {
        int middle = low + (high - low) / 2;
        int comparison = strcmp(name, results->channels[results->order[middle]].name);
        if (comparison == 0) return results->order[middle];
        if (comparison < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return -1;
}

int64_t hwResults_GetRowCount(const hwResults* results) {
    return results->rowCount;
}

const hwRunInfo* hwResults_GetInfo(const hwResults* results) {
    return &results->info;
}

const hwExtreme* hwResults_GetExtreme(const hwResults* results, int channel) {
    bool known = results->extremes && channel >= 0 && channel < results->channelCount;
    return known ? &results->extremes[channel] : NULL;
}

int hwResults_GetStationCount(const hwResults* results) {
    return results->stationCount;
}

const hwRangeStation* hwResults_GetStation(const hwResults* results, int station, const char** cable) {
    if (station < 0 || station >= results->stationCount) return NULL;
    if (cable) *cable = results->stationCables + (size_t)station * results->stationSize;
    return &results->stations[station];
}

const char* hwResults_GetScene(const hwResults* results) {
    return results->scene;
}

hwStatus hwResults_ReadRows(hwResults* results, int64_t first, int64_t count, double* values,
                            hwError* error) {
    if (first < 0 || count < 0 || first > results->rowCount || count > results->rowCount - first) {
        return hwResultsFail(error, HW_ERROR_ARGUMENT, "There are %lld rows in %s.",
                             (long long)results->rowCount, results->path);
    }
    if (count == 0) return HW_OK;
    return results->read(results->context, results, first, count, values, error);
}

// Copies a table block by block into a recorder of the kind that `to` names.
hwWorld* hwResults_MakeWorld(const hwResults* results) {
    hwError error;
    hwScene* scene =
        results->scene ? hwParseScene(results->scene, strlen(results->scene), "scene", NULL, &error) : NULL;
    hwWorld* world = scene ? hwScene_CreateWorld(scene, NULL, &error) : NULL;
    hwDestroyScene(scene);
    return world;
}

static hwStatus CopyRows(hwResults* results, const char* to, hwError* error) {
    hwRecorderDef def = hwDefaultRecorderDef();
    hwWorld* world = hwResults_HasExtension(to, "mcap") ? hwResults_MakeWorld(results) : NULL;
    def.world = world;
    def.path = to;
    def.channelCount = results->channelCount;
    def.channels = results->channels;
    def.scene = results->scene;
    def.stations = results->stations;
    def.extremes = results->extremes;
    def.info = results->info;
    def.live = false;
    const char** cables = malloc(((size_t)results->stationCount + 1) * sizeof(char*));
    for (int i = 0; cables && i < results->stationCount; ++i) hwResults_GetStation(results, i, &cables[i]);
    def.stationCount = cables ? results->stationCount : 0;
    def.stationCables = cables;
    hwRecorder* recorder = hwCreateRecorder(&def, error);
    hwDestroyWorld(world);
    free(cables);
    if (!recorder) return error->status;
    int block = 65536 / results->channelCount + 1;
    double* values = malloc((size_t)block * (size_t)results->channelCount * sizeof(double));
    hwStatus status = values ? HW_OK
                             : hwResultsFail(error, HW_ERROR_MEMORY,
                                             "There is not enough memory to convert %s.", results->path);
    for (int64_t first = 0; first < results->rowCount && status == HW_OK; first += block) {
        int64_t left = results->rowCount - first;
        int rows = left < block ? (int)left : block;
        status = hwResults_ReadRows(results, first, rows, values, error);
        if (status == HW_OK) status = hwRecorder_Append(recorder, rows, values, error);
    }
    if (status == HW_OK) status = hwRecorder_Finish(recorder, &results->info, error);
    hwDestroyRecorder(recorder);
    free(values);
    return status;
}

hwStatus hwConvertResults(const char* from, const char* to, hwError* error) {
    hwError local;
    if (!error) error = &local;
    bool vtp = hwResults_HasExtension(to, "vtp"), pvd = hwResults_HasExtension(to, "pvd");
    bool table = hwResults_HasExtension(to, "csv") || hwResults_HasExtension(to, "h5") ||
                 hwResults_HasExtension(to, "hdf5") || hwResults_HasExtension(to, "mcap") ||
                 strcmp(to, "-") == 0;
    bool glb = hwResults_HasExtension(to, "glb");
    if (!vtp && !pvd && !table && !glb) {
        hwResultsFail(error, HW_ERROR_ARGUMENT, "The name %s does not say which kind of results to write.",
                      to);
        hwResultsFail_Hint(error, "Let it end in .h5, .csv, .mcap, .glb, .vtp or .pvd.");
        return HW_ERROR_ARGUMENT;
    }
    hwResults* results = hwOpenResults(from, error);
    if (!results) return error->status;
    hwStatus status = vtp   ? hwWriteVtp(results, to, error)
                      : pvd ? hwWritePvd(results, to, error)
                      : glb ? hwWriteGlb(results, to, error)
                            : CopyRows(results, to, error);
    hwCloseResults(results);
    return status;
}
