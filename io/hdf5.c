// Writes results as HDF5. The layout is described in hawser/results.h; hdf5_read.c reads it without libhdf5.
#define _POSIX_C_SOURCE 200809L
#include "hdf5_file.h"
#include "hdf5_layout.h"
#include "results_internal.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// HDF5 as Debian builds it keeps global state without locks, so one thread at a time is inside it.
static pthread_mutex_t g_lock = PTHREAD_MUTEX_INITIALIZER;

// The caller's handler for HDF5's own error messages, put back when we leave.
typedef struct Quiet {
    H5E_auto2_t function;
    void* context;
} Quiet;

static Quiet Enter(void) {
    pthread_mutex_lock(&g_lock);
    Quiet quiet = {0};
    H5Eget_auto2(H5E_DEFAULT, &quiet.function, &quiet.context);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return quiet;
}

static void Leave(Quiet quiet) {
    H5Eclear2(H5E_DEFAULT);
    H5Eset_auto2(H5E_DEFAULT, quiet.function, quiet.context);
    pthread_mutex_unlock(&g_lock);
}

static hid_t CreateTextType(size_t size) {
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 && (H5Tset_size(type, size) < 0 || H5Tset_strpad(type, H5T_STR_NULLPAD) < 0 ||
                      H5Tset_cset(type, H5T_CSET_UTF8) < 0)) {
        H5Tclose(type);
        return -1;
    }
    return type;
}

static hid_t CreateFieldType(const hwRunField* field, bool inFile) {
    if (field->kind == HW_RUN_FIELD_TEXT) return CreateTextType(field->size);
    if (field->kind == HW_RUN_FIELD_DOUBLE) return H5Tcopy(inFile ? H5T_IEEE_F64LE : H5T_NATIVE_DOUBLE);
    return H5Tcopy(inFile ? H5T_STD_U64LE : H5T_NATIVE_UINT64);
}

// Writer

#define MOST_CHUNK (1u << 26) // bytes

typedef struct Writer {
    hwOutput output;
    hwOrderedFile* ordered;
    hid_t file, table, memorySpace, ranges, extremes;
    int stationCount;
    hid_t attributes[HW_RUN_FIELD_TOTAL];
    int channelCount;
    hsize_t rowCount;  // in the table
    hsize_t chunkRows; // and in the block
    hsize_t blockRows; // waiting in memory
    double* block;     // chunkRows x channelCount
    hwRunInfo info;    // as last stored
    bool live;
    hwCompression compression;
} Writer;

static void CloseWriter(Writer* writer) {
    for (int i = 0; i < HW_RUN_FIELD_TOTAL; ++i) {
        if (writer->attributes[i] >= 0) H5Aclose(writer->attributes[i]);
        writer->attributes[i] = -1;
    }
    if (writer->memorySpace >= 0) H5Sclose(writer->memorySpace);
    if (writer->table >= 0) H5Dclose(writer->table);
    if (writer->ranges >= 0) H5Dclose(writer->ranges);
    if (writer->extremes >= 0) H5Dclose(writer->extremes);
    if (writer->file >= 0) H5Fclose(writer->file);
    writer->memorySpace = writer->table = writer->ranges = writer->extremes = writer->file = -1;
    hwDestroyOrderedFile(writer->ordered);
    writer->ordered = NULL;
}

// Says why HDF5 refused, and makes sure that nothing more reaches the file.
static hwStatus FailWriter(Writer* writer, hwError* error) {
    int reason = writer->ordered ? hwOrderedFile_GetError(writer->ordered) : ENOMEM;
    if (writer->ordered) hwOrderedFile_Abandon(writer->ordered);
    if (reason == ENOMEM || reason == 0) {
        return hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory to write %s.",
                             writer->output.path);
    }
    return hwResultsFail_System(error, reason, "write", writer->output.path);
}

// A dataset of one string, or of `count` strings in `size` bytes each.
static bool WriteTexts(hid_t file, const char* name, int count, size_t size, const char* texts) {
    hsize_t extent = (hsize_t)count;
    hid_t type = CreateTextType(size);
    hid_t space = count > 0 ? H5Screate_simple(1, &extent, NULL) : H5Screate(H5S_SCALAR);
    hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    bool good = type >= 0 && space >= 0 && H5Pset_obj_track_times(properties, 0) >= 0;
    hid_t set = good ? H5Dcreate2(file, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT) : -1;
    good = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts) >= 0;
    if (set >= 0) good = H5Dclose(set) >= 0 && good;
    H5Pclose(properties);
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    return good;
}

static bool WriteChannelTexts(hid_t file, const char* name, int count, const hwChannelInfo* channels,
                              bool units) {
    size_t size = 1;
    for (int i = 0; i < count; ++i) {
        size_t length = strlen(units ? channels[i].unit : channels[i].name);
        if (length > size) size = length;
    }
    char* texts = calloc((unsigned)count, size);
    if (!texts) return false;
    for (int i = 0; i < count; ++i) {
        const char* text = units ? channels[i].unit : channels[i].name;
        memcpy(texts + (size_t)i * size, text, strlen(text));
    }
    bool good = WriteTexts(file, name, count, size, texts);
    free(texts);
    return good;
}

static bool StoreInfo(Writer* writer, const hwRunInfo* info) {
    bool good = true;
    for (int i = 0; i < HW_RUN_FIELD_TOTAL && good; ++i) {
        hid_t type = CreateFieldType(&hwRunFields[i], false);
        good = type >= 0 &&
               H5Awrite(writer->attributes[i], type, (const char*)info + hwRunFields[i].offset) >= 0;
        if (type >= 0) H5Tclose(type);
    }
    writer->info = *info;
    return good;
}

static bool CreateAttributes(Writer* writer) {
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t text = CreateTextType(sizeof(HW_HDF5_FORMAT_NAME) - 1);
    hid_t format = H5Acreate2(writer->file, "format", text, space, H5P_DEFAULT, H5P_DEFAULT);
    bool good = format >= 0 && H5Awrite(format, text, HW_HDF5_FORMAT_NAME) >= 0;
    if (format >= 0) H5Aclose(format);
    if (text >= 0) H5Tclose(text);
    for (int i = 0; i < HW_RUN_FIELD_TOTAL && good; ++i) {
        hid_t type = CreateFieldType(&hwRunFields[i], true);
        writer->attributes[i] =
            H5Acreate2(writer->file, hwRunFields[i].name, type, space, H5P_DEFAULT, H5P_DEFAULT);
        good = writer->attributes[i] >= 0;
        H5Tclose(type);
    }
    H5Sclose(space);
    return good;
}

static bool CreateTable(Writer* writer) {
    hsize_t channels = (hsize_t)writer->channelCount;
    hsize_t extent[2] = {0, channels}, limit[2] = {H5S_UNLIMITED, channels};
    hsize_t chunk[2] = {writer->chunkRows, channels};
    double missing = (double)NAN;
    hid_t space = H5Screate_simple(2, extent, limit);
    hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    bool good = H5Pset_chunk(properties, 2, chunk) >= 0 && H5Pset_obj_track_times(properties, 0) >= 0 &&
                H5Pset_fill_value(properties, H5T_NATIVE_DOUBLE, &missing) >= 0;
    // like bytes of neighbours beside one another, then deflate; its middle level, above which files gain 2 %
    if (writer->compression != HW_COMPRESS_NONE)
        good = good && H5Pset_shuffle(properties) >= 0 && H5Pset_deflate(properties, 4) >= 0;
    if (good) {
        writer->table =
            H5Dcreate2(writer->file, "table", H5T_IEEE_F64LE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    }
    H5Pclose(properties);
    H5Sclose(space);
    writer->memorySpace = H5Screate_simple(2, chunk, NULL);
    return writer->table >= 0 && writer->memorySpace >= 0;
}

// Range graphs: all stations are known when the run begins, so that their numbers are written in place later.
static bool CreateStations(Writer* writer, const hwRecorderDef* def) {
    writer->stationCount = def->stationCount;
    if (writer->stationCount == 0) return true;
    hwChannelInfo* names = calloc((size_t)writer->stationCount, sizeof(hwChannelInfo));
    if (!names) return false;
    for (int i = 0; i < writer->stationCount; ++i) names[i].name = def->stationCables[i];
    bool good = WriteChannelTexts(writer->file, "range_cables", writer->stationCount, names, false);
    free(names);
    hwChannelInfo columns[sizeof(hwRangeStation) / sizeof(double)];
    for (int i = 0; i < HW_RANGE_COLUMNS; ++i) columns[i] = hwRanges_GetColumn(i);
    good = good && WriteChannelTexts(writer->file, "range_columns", HW_RANGE_COLUMNS, columns, false) &&
           WriteChannelTexts(writer->file, "range_units", HW_RANGE_COLUMNS, columns, true);
    hsize_t extent[2] = {(hsize_t)writer->stationCount, (hsize_t)HW_RANGE_COLUMNS};
    hid_t space = H5Screate_simple(2, extent, NULL), properties = H5Pcreate(H5P_DATASET_CREATE);
    if (good && H5Pset_obj_track_times(properties, 0) >= 0) {
        writer->ranges =
            H5Dcreate2(writer->file, "ranges", H5T_IEEE_F64LE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    }
    H5Pclose(properties);
    if (space >= 0) H5Sclose(space);
    return writer->ranges >= 0 &&
           H5Dwrite(writer->ranges, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, def->stations) >= 0;
}

// Extremes: a row for each channel, its numbers written in place when the run has ended.
static bool CreateExtremes(Writer* writer, const hwRecorderDef* def) {
    if (!def->extremes) return true;
    hwChannelInfo columns[sizeof(hwExtreme) / sizeof(double)] = {{0}};
    for (int i = 0; i < HW_EXTREME_COLUMNS; ++i) columns[i].name = hwExtremes_GetColumn(i);
    if (!WriteChannelTexts(writer->file, "extreme_columns", HW_EXTREME_COLUMNS, columns, false)) return false;
    hsize_t extent[2] = {(hsize_t)def->channelCount, (hsize_t)HW_EXTREME_COLUMNS};
    hid_t space = H5Screate_simple(2, extent, NULL), properties = H5Pcreate(H5P_DATASET_CREATE);
    if (H5Pset_obj_track_times(properties, 0) >= 0) {
        writer->extremes =
            H5Dcreate2(writer->file, "extremes", H5T_IEEE_F64LE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    }
    H5Pclose(properties);
    if (space >= 0) H5Sclose(space);
    return writer->extremes >= 0 &&
           H5Dwrite(writer->extremes, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, def->extremes) >= 0;
}

static bool CreateContents(Writer* writer, const hwRecorderDef* def) {
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t creation = H5Pcreate(H5P_FILE_CREATE);
    bool good = hwOrderedFile_SetAccess(writer->ordered, access) && H5Pset_obj_track_times(creation, 0) >= 0;
    if (good) writer->file = H5Fcreate("results", H5F_ACC_TRUNC, creation, access);
    H5Pclose(creation);
    H5Pclose(access);
    if (writer->file < 0 || !CreateAttributes(writer) || !StoreInfo(writer, &def->info)) return false;
    if (!WriteChannelTexts(writer->file, "channels", def->channelCount, def->channels, false) ||
        !WriteChannelTexts(writer->file, "units", def->channelCount, def->channels, true)) {
        return false;
    }
    size_t length = def->scene ? strlen(def->scene) : 0;
    if (length > 0 && !WriteTexts(writer->file, "scene", 0, length, def->scene)) return false;
    if (!CreateStations(writer, def) || !CreateExtremes(writer, def)) return false;
    return CreateTable(writer);
}

// Moves the rows waiting in memory into the table. The dataset's chunks are the blocks, so a full block is one chunk.
static bool WriteBlock(Writer* writer) {
    if (writer->blockRows == 0) return true;
    hsize_t channels = (hsize_t)writer->channelCount;
    hsize_t first = writer->rowCount - writer->rowCount % writer->chunkRows;
    hsize_t extent[2] = {first + writer->blockRows, channels};
    hsize_t from[2] = {first, 0}, zero[2] = {0, 0}, count[2] = {writer->blockRows, channels};
    if (H5Dset_extent(writer->table, extent) < 0) return false;
    hid_t space = H5Dget_space(writer->table);
    bool good = space >= 0 && H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, count, NULL) >= 0 &&
                H5Sselect_hyperslab(writer->memorySpace, H5S_SELECT_SET, zero, NULL, count, NULL) >= 0 &&
                H5Dwrite(writer->table, H5T_NATIVE_DOUBLE, writer->memorySpace, space, H5P_DEFAULT,
                         writer->block) >= 0;
    if (space >= 0) H5Sclose(space);
    if (!good) return false;
    writer->rowCount = extent[0];
    if (writer->blockRows == writer->chunkRows) writer->blockRows = 0;
    return true;
}

// A compressed chunk that is not full waits, unless it is the last: written again it would have another size and another place,
// and the old place might be filled anew before the index on disk is updated.
static bool Commit(Writer* writer, bool last) {
    bool whole = writer->compression == HW_COMPRESS_NONE || writer->blockRows == writer->chunkRows || last;
    return (!whole || WriteBlock(writer)) && H5Fflush(writer->file, H5F_SCOPE_LOCAL) >= 0 &&
           hwOrderedFile_Commit(writer->ordered);
}

static void RoundToSingle(hsize_t count, size_t width, double* values) {
    for (size_t i = 0; i < (size_t)count * width; ++i) {
        // world.time stays as it is; so does what a float has no number for
        if (i % width != 0 && fabs(values[i]) < 3e38) values[i] = (double)(float)values[i];
    }
}

static hwStatus AppendRows(void* context, int rows, const double* values, hwError* error) {
    Writer* writer = context;
    size_t width = (size_t)writer->channelCount;
    while (rows > 0) {
        hsize_t room = writer->chunkRows - writer->blockRows;
        hsize_t taken = (hsize_t)rows < room ? (hsize_t)rows : room;
        memcpy(writer->block + (size_t)writer->blockRows * width, values,
               (size_t)taken * width * sizeof(double));
        if (writer->compression == HW_COMPRESS_SINGLE)
            RoundToSingle(taken, width, writer->block + (size_t)writer->blockRows * width);
        writer->blockRows += taken;
        values += (size_t)taken * width;
        rows -= (int)taken;
        if (writer->blockRows == writer->chunkRows) {
            // Committed chunk by chunk, so that a disk that fills up costs one chunk and not half a second's rows.
            Quiet quiet = Enter();
            bool good = Commit(writer, false);
            hwStatus status = good ? HW_OK : FailWriter(writer, error);
            Leave(quiet);
            if (!good) return status;
        }
    }
    return HW_OK;
}

static hwStatus FlushRows(void* context, hwError* error) {
    Writer* writer = context;
    Quiet quiet = Enter();
    hwStatus status = Commit(writer, false) ? HW_OK : FailWriter(writer, error);
    Leave(quiet);
    return status;
}

static hwStatus PutStations(void* context, const hwRangeStation* stations, hwError* error) {
    Writer* writer = context;
    if (writer->stationCount == 0) return HW_OK;
    Quiet quiet = Enter();
    bool good = H5Dwrite(writer->ranges, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, stations) >= 0 &&
                Commit(writer, false);
    hwStatus status = good ? HW_OK : FailWriter(writer, error);
    Leave(quiet);
    return status;
}

static hwStatus PutExtremes(void* context, const hwExtreme* extremes, hwError* error) {
    Writer* writer = context;
    if (writer->extremes < 0) return HW_OK;
    Quiet quiet = Enter();
    bool good = H5Dwrite(writer->extremes, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, extremes) >= 0 &&
                Commit(writer, false);
    hwStatus status = good ? HW_OK : FailWriter(writer, error);
    Leave(quiet);
    return status;
}

static hwStatus FinishWriter(void* context, const hwRunInfo* info, hwError* error) {
    Writer* writer = context;
    Quiet quiet = Enter();
    bool good = (!info || StoreInfo(writer, info)) && Commit(writer, true);
    hwStatus status = good ? HW_OK : FailWriter(writer, error);
    // Closing writes nothing new: what H5Fclose hands to the driver is dropped.
    if (good) hwOrderedFile_Abandon(writer->ordered);
    CloseWriter(writer);
    Leave(quiet);
    if (good && !writer->live) status = hwOutput_Publish(&writer->output, error);
    return status;
}

static void DestroyWriter(void* context) {
    Writer* writer = context;
    Quiet quiet = Enter();
    // rows that wait for their chunk to be full belong to a live file
    if (writer->live && writer->table >= 0 && writer->blockRows > 0 &&
        writer->compression != HW_COMPRESS_NONE)
        Commit(writer, true);
    if (writer->ordered) hwOrderedFile_Abandon(writer->ordered);
    CloseWriter(writer);
    Leave(quiet);
    hwOutput_Close(&writer->output);
    free(writer->block);
    free(writer);
}

static hwStatus PublishWriter(void* context, hwError* error) {
    Writer* writer = context;
    writer->live = true;
    return hwOutput_Publish(&writer->output, error);
}

bool hwCanWriteHdf5(void) {
    return true;
}

hwStatus hwCreateHdf5Writer(const hwRecorderDef* def, hwWriter* out, hwError* error) {
    Writer* writer = calloc(1, sizeof(Writer));
    if (!writer)
        return hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory to write %s.", def->path);
    writer->output.fd = -1;
    writer->file = writer->table = writer->ranges = writer->extremes = writer->memorySpace = -1;
    for (int i = 0; i < HW_RUN_FIELD_TOTAL; ++i) writer->attributes[i] = -1;
    writer->channelCount = def->channelCount;
    writer->live = def->live;
    writer->compression = def->compression;
    // Chunks of a quarter MiB at most: what one flush rewrites. Few channels: smaller, for short runs' sake.
    writer->chunkRows = 32768 / (hsize_t)def->channelCount;
    if (writer->chunkRows < 1) writer->chunkRows = 1;
    if (writer->chunkRows > 1024) writer->chunkRows = 1024;
    if (def->compression != HW_COMPRESS_NONE && def->chunkRows > 0)
        writer->chunkRows = (hsize_t)def->chunkRows;
    // the reader unpacks a chunk at a time
    hsize_t rowBytes = (hsize_t)def->channelCount * sizeof(double);
    while (writer->chunkRows > 1 && writer->chunkRows * rowBytes > MOST_CHUNK) writer->chunkRows /= 2;
    writer->block = malloc((size_t)writer->chunkRows * (size_t)def->channelCount * sizeof(double));
    hwStatus status = writer->block
                          ? hwOutput_Open(&writer->output, def->path, error)
                          : hwResultsFail(error, HW_ERROR_MEMORY,
                                          "There is not enough memory for %d channels.", def->channelCount);
    if (status == HW_OK && !writer->output.temporary) {
        status =
            hwResultsFail(error, HW_ERROR_FILE, "%s is not an ordinary file, and HDF5 needs one.", def->path);
    }
    if (status == HW_OK) {
        Quiet quiet = Enter();
        writer->ordered = hwCreateOrderedFile(writer->output.fd);
        bool good = writer->ordered && CreateContents(writer, def) && Commit(writer, false);
        if (!good) status = FailWriter(writer, error);
        Leave(quiet);
    }
    if (status == HW_OK && def->live) status = hwOutput_Publish(&writer->output, error);
    if (status != HW_OK) {
        DestroyWriter(writer);
        return status;
    }
    *out = (hwWriter){AppendRows,  FlushRows,   FinishWriter,  DestroyWriter, writer,
                      PutStations, PutExtremes, PublishWriter, NULL};
    return HW_OK;
}
