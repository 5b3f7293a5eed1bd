// Files whose columns come when they are needed: channels of nodes that contact may insert into a cable are hundreds, and most runs have
// none of them. A file gets more columns by being written anew beside itself, with the rows that it has, and taking its own place.
#define _XOPEN_SOURCE 700
#include "results_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct RoomWriter {
    hwRecorderDef def; // with copies of all that it points to, but for the world and the clouds
    hwOpenWriter* open;
    hwWriter inner;
    bool fixed;      // what is no ordinary file cannot be written anew
    bool* taken;     // [channel] it is in the file
    int columnCount; // of the file
    int* columns;    // [column] channel
    double* row;     // [channel] of a row or less
} RoomWriter;

static char* CopyText(const char* text) {
    return text ? strdup(text) : NULL;
}

static void FreeDef(hwRecorderDef* def) {
    for (int i = 0; def->channels && i < def->channelCount; ++i) {
        free((void*)(uintptr_t)def->channels[i].name);
        free((void*)(uintptr_t)def->channels[i].unit);
    }
    for (int i = 0; def->stationCables && i < def->stationCount; ++i)
        free((void*)(uintptr_t)def->stationCables[i]);
    const void* blocks[] = {def->path,     def->channels, def->rooms,        def->scene,
                            def->extremes, def->stations, def->stationCables};
    for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); ++i) free((void*)(uintptr_t)blocks[i]);
}

static void* CopyBlock(const void* from, size_t size, bool* good) {
    if (!from) return NULL;
    void* copy = malloc(size + 1);
    if (copy) memcpy(copy, from, size);
    *good = *good && copy;
    return copy;
}

static bool CopyDef(const hwRecorderDef* from, hwRecorderDef* def) {
    size_t count = (size_t)from->channelCount, stations = (size_t)from->stationCount;
    bool good = true;
    *def = *from;
    def->path = CopyText(from->path);
    def->scene = CopyText(from->scene);
    good = def->path && (def->scene || !from->scene);
    def->rooms = CopyBlock(from->rooms, count * sizeof(int), &good);
    def->extremes = CopyBlock(from->extremes, count * sizeof(hwExtreme), &good);
    def->stations = CopyBlock(from->stations, stations * sizeof(hwRangeStation), &good);
    hwChannelInfo* channels = calloc(count + 1, sizeof(hwChannelInfo));
    const char** cables = calloc(stations + 1, sizeof(char*));
    def->channels = channels;
    def->stationCables = cables;
    good = good && channels && cables;
    for (size_t i = 0; i < count && good; ++i) {
        channels[i] = (hwChannelInfo){CopyText(from->channels[i].name), CopyText(from->channels[i].unit)};
        good = channels[i].name && channels[i].unit;
    }
    for (size_t i = 0; i < stations && good; ++i) {
        cables[i] = CopyText(from->stationCables[i]);
        good = cables[i] != NULL;
    }
    return good;
}

static hwStatus FailMemory(const RoomWriter* room, hwError* error) {
    return hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory for %d channels.",
                         room->def.channelCount);
}

// Opens the file with the channels that are taken.
static hwStatus OpenInner(RoomWriter* room, bool live, hwWriter* writer, hwError* error) {
    hwRecorderDef def = room->def;
    room->columnCount = 0;
    for (int i = 0; i < room->def.channelCount; ++i)
        if (room->taken[i]) room->columns[room->columnCount++] = i;
    size_t count = (size_t)room->columnCount;
    hwChannelInfo* channels = malloc((count + 1) * sizeof(hwChannelInfo));
    hwExtreme* extremes = malloc((count + 1) * sizeof(hwExtreme));
    hwStatus status = channels && extremes ? HW_OK : FailMemory(room, error);
    for (size_t i = 0; i < count && status == HW_OK; ++i) {
        channels[i] = room->def.channels[room->columns[i]];
        if (room->def.extremes) extremes[i] = room->def.extremes[room->columns[i]];
    }
    def.channelCount = room->columnCount;
    def.channels = channels;
    def.extremes = room->def.extremes ? extremes : NULL;
    def.rooms = NULL;
    def.live = live;
    if (status == HW_OK) status = room->open(&def, writer, error);
    free(channels);
    free(extremes);
    return status;
}

// Rows of the file as it was, into the wider one; `before` says which channel each of its columns held.
static hwStatus CopyRows(RoomWriter* room, const hwWriter* wider, int beforeCount, const int* before,
                         hwError* error) {
    hwResults* old = hwOpenResults(room->def.path, error);
    if (!old) return error ? error->status : HW_ERROR_FILE;
    int* from = malloc((size_t)room->columnCount * sizeof(int));
    double *row = malloc((size_t)beforeCount * sizeof(double)),
           *wide = malloc((size_t)room->columnCount * sizeof(double));
    hwStatus status = from && row && wide ? HW_OK : FailMemory(room, error);
    if (status == HW_OK && hwResults_GetChannelCount(old) != beforeCount)
        status =
            hwResultsFail(error, HW_ERROR_FILE, "%s has other columns than were written.", room->def.path);
    for (int i = 0, k = 0; status == HW_OK && i < room->columnCount; ++i) {
        while (k < beforeCount && before[k] < room->columns[i]) ++k;
        from[i] = k < beforeCount && before[k] == room->columns[i] ? k : -1;
    }
    for (int64_t r = 0; status == HW_OK && r < hwResults_GetRowCount(old); ++r) {
        status = hwResults_ReadRows(old, r, 1, row, error);
        for (int i = 0; status == HW_OK && i < room->columnCount; ++i)
            wide[i] = from[i] >= 0 ? row[from[i]] : (double)NAN;
        if (status == HW_OK) status = wider->append(wider->context, 1, wide, error);
    }
    free(from);
    free(row);
    free(wide);
    hwCloseResults(old);
    return status;
}

static hwStatus Widen(RoomWriter* room, hwError* error) {
    int beforeCount = room->columnCount;
    int* before = malloc((size_t)beforeCount * sizeof(int));
    if (!before) return FailMemory(room, error);
    memcpy(before, room->columns, (size_t)beforeCount * sizeof(int));
    hwWriter wider = {0};
    hwStatus status = room->inner.finish(room->inner.context, NULL, error);
    if (status == HW_OK) status = OpenInner(room, false, &wider, error);
    if (status == HW_OK) {
        status = CopyRows(room, &wider, beforeCount, before, error);
        if (status == HW_OK) status = wider.flush(wider.context, error);
        if (status == HW_OK && room->def.live) status = wider.publish(wider.context, error);
        room->inner.destroy(room->inner.context);
        room->inner = wider;
    }
    free(before);
    return status;
}

// Takes the channels of blocks that hold a number in a row for the first time; true: there are some.
static bool TakeNew(RoomWriter* room, const double* row) {
    const int* rooms = room->def.rooms;
    bool any = false;
    for (int i = 0; i < room->def.channelCount; ++i) {
        if (room->taken[i] || isnan(row[i])) continue;
        any = true;
        for (int k = 0; k < room->def.channelCount; ++k)
            room->taken[k] = room->taken[k] || rooms[k] == rooms[i];
    }
    return any;
}

static hwStatus AppendRows(void* context, int rows, const double* values, hwError* error) {
    RoomWriter* room = context;
    hwStatus status = HW_OK;
    for (int r = 0; r < rows && status == HW_OK; ++r, values += room->def.channelCount) {
        if (!room->fixed && room->columnCount < room->def.channelCount && TakeNew(room, values))
            status = Widen(room, error);
        for (int i = 0; i < room->columnCount; ++i) room->row[i] = values[room->columns[i]];
        if (status == HW_OK) status = room->inner.append(room->inner.context, 1, room->row, error);
    }
    return status;
}

static hwStatus FlushRows(void* context, hwError* error) {
    RoomWriter* room = context;
    return room->inner.flush(room->inner.context, error);
}

static hwStatus FinishWriter(void* context, const hwRunInfo* info, hwError* error) {
    RoomWriter* room = context;
    return room->inner.finish(room->inner.context, info, error);
}

static hwStatus PutStations(void* context, const hwRangeStation* stations, hwError* error) {
    RoomWriter* room = context;
    return room->inner.putStations ? room->inner.putStations(room->inner.context, stations, error) : HW_OK;
}

static hwStatus PutExtremes(void* context, const hwExtreme* extremes, hwError* error) {
    RoomWriter* room = context;
    if (!room->inner.putExtremes) return HW_OK;
    hwExtreme* own = malloc(((size_t)room->columnCount + 1) * sizeof(hwExtreme));
    if (!own) return FailMemory(room, error);
    for (int i = 0; i < room->columnCount; ++i) own[i] = extremes[room->columns[i]];
    hwStatus status = room->inner.putExtremes(room->inner.context, own, error);
    free(own);
    return status;
}

static int CountColumns(const void* context) {
    return ((const RoomWriter*)context)->columnCount;
}

static void DestroyWriter(void* context) {
    RoomWriter* room = context;
    if (room->inner.destroy) room->inner.destroy(room->inner.context);
    FreeDef(&room->def);
    free(room->taken);
    free(room->columns);
    free(room->row);
    free(room);
}

hwStatus hwCreateRoomWriter(const hwRecorderDef* def, hwOpenWriter* open, hwWriter* out, hwError* error) {
    RoomWriter* room = calloc(1, sizeof(RoomWriter));
    if (!room)
        return hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory to write %s.", def->path);
    size_t count = (size_t)def->channelCount;
    room->open = open;
    bool good = CopyDef(def, &room->def);
    room->taken = calloc(count, sizeof(bool));
    room->columns = malloc(count * sizeof(int));
    room->row = malloc(count * sizeof(double));
    struct stat about;
    room->fixed = strcmp(def->path, "-") == 0 || (stat(def->path, &about) == 0 && !S_ISREG(about.st_mode));
    hwStatus status = good && room->taken && room->columns && room->row ? HW_OK : FailMemory(room, error);
    for (size_t i = 0; i < count && status == HW_OK; ++i) room->taken[i] = def->rooms[i] == 0;
    if (status == HW_OK) status = OpenInner(room, def->live, &room->inner, error);
    if (status != HW_OK) {
        DestroyWriter(room);
        return status;
    }
    *out = (hwWriter){AppendRows,  FlushRows,   FinishWriter, DestroyWriter, room,
                      PutStations, PutExtremes, NULL,         CountColumns};
    return HW_OK;
}
