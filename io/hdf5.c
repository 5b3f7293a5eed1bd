// Results in HDF5. The layout is described in hawser/results.h.
#define _POSIX_C_SOURCE 200809L
#include "hdf5_file.h"
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

// The fields of hwRunInfo as attributes of the root.
typedef enum FieldKind { FIELD_TEXT, FIELD_DOUBLE, FIELD_COUNT } FieldKind;

typedef struct Field {
    const char* name;
    FieldKind kind;
    size_t offset, size;
} Field;

#define TEXT_FIELD(name, member)                                                                             \
    { name, FIELD_TEXT, offsetof(hwRunInfo, member), sizeof(((hwRunInfo*)0)->member) }
#define DOUBLE_FIELD(name, member)                                                                           \
    { name, FIELD_DOUBLE, offsetof(hwRunInfo, member), sizeof(double) }
#define COUNT_FIELD(name, member)                                                                            \
    { name, FIELD_COUNT, offsetof(hwRunInfo, counters.member), sizeof(uint64_t) }

static const Field g_fields[] = {
    TEXT_FIELD("title", title),
    TEXT_FIELD("solver", solver),
    TEXT_FIELD("status", status),
    TEXT_FIELD("started", started),
    TEXT_FIELD("version", version),
    TEXT_FIELD("incidents", incidents),
    DOUBLE_FIELD("interval", interval),
    DOUBLE_FIELD("start", start),
    DOUBLE_FIELD("duration", duration),
    DOUBLE_FIELD("wall_time", wallTime),
    DOUBLE_FIELD("energy_error", energyError),
    DOUBLE_FIELD("last_step", counters.lastStep),
    COUNT_FIELD("steps", steps),
    COUNT_FIELD("rejected", rejected),
    COUNT_FIELD("evaluations", evaluations),
    COUNT_FIELD("iterations", iterations),
    COUNT_FIELD("factorizations", factorizations),
    COUNT_FIELD("unconverged", unconverged),
};
#define FIELD_TOTAL ((int)(sizeof(g_fields) / sizeof(g_fields[0])))

static const char g_formatName[] = "hawser-results";

static hid_t CreateTextType(size_t size) {
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 && (H5Tset_size(type, size) < 0 || H5Tset_strpad(type, H5T_STR_NULLPAD) < 0 ||
                      H5Tset_cset(type, H5T_CSET_UTF8) < 0)) {
        H5Tclose(type);
        return -1;
    }
    return type;
}

static hid_t CreateFieldType(const Field* field, bool inFile) {
    if (field->kind == FIELD_TEXT) return CreateTextType(field->size);
    if (field->kind == FIELD_DOUBLE) return H5Tcopy(inFile ? H5T_IEEE_F64LE : H5T_NATIVE_DOUBLE);
    return H5Tcopy(inFile ? H5T_STD_U64LE : H5T_NATIVE_UINT64);
}

// Writer

typedef struct Writer {
    hwOutput output;
    hwOrderedFile* ordered;
    hid_t file, table, memorySpace;
    hid_t attributes[FIELD_TOTAL];
    int channelCount;
    hsize_t rowCount;  // in the table
    hsize_t chunkRows; // and in the block
    hsize_t blockRows; // waiting in memory
    double* block;     // chunkRows x channelCount
    hwRunInfo info;    // as last stored
    bool live;
} Writer;

static void CloseWriter(Writer* writer) {
    for (int i = 0; i < FIELD_TOTAL; ++i) {
        if (writer->attributes[i] >= 0) H5Aclose(writer->attributes[i]);
        writer->attributes[i] = -1;
    }
    if (writer->memorySpace >= 0) H5Sclose(writer->memorySpace);
    if (writer->table >= 0) H5Dclose(writer->table);
    if (writer->file >= 0) H5Fclose(writer->file);
    writer->memorySpace = writer->table = writer->file = -1;
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
    for (int i = 0; i < FIELD_TOTAL && good; ++i) {
        hid_t type = CreateFieldType(&g_fields[i], false);
        good =
            type >= 0 && H5Awrite(writer->attributes[i], type, (const char*)info + g_fields[i].offset) >= 0;
        if (type >= 0) H5Tclose(type);
    }
    writer->info = *info;
    return good;
}

static bool CreateAttributes(Writer* writer) {
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t text = CreateTextType(sizeof(g_formatName) - 1);
    hid_t format = H5Acreate2(writer->file, "format", text, space, H5P_DEFAULT, H5P_DEFAULT);
    bool good = format >= 0 && H5Awrite(format, text, g_formatName) >= 0;
    if (format >= 0) H5Aclose(format);
    if (text >= 0) H5Tclose(text);
    for (int i = 0; i < FIELD_TOTAL && good; ++i) {
        hid_t type = CreateFieldType(&g_fields[i], true);
        writer->attributes[i] =
            H5Acreate2(writer->file, g_fields[i].name, type, space, H5P_DEFAULT, H5P_DEFAULT);
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
    if (good) {
        writer->table =
            H5Dcreate2(writer->file, "table", H5T_IEEE_F64LE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    }
    H5Pclose(properties);
    H5Sclose(space);
    writer->memorySpace = H5Screate_simple(2, chunk, NULL);
    return writer->table >= 0 && writer->memorySpace >= 0;
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

static bool Commit(Writer* writer) {
    return WriteBlock(writer) && H5Fflush(writer->file, H5F_SCOPE_LOCAL) >= 0 &&
           hwOrderedFile_Commit(writer->ordered);
}

static hwStatus AppendRows(void* context, int rows, const double* values, hwError* error) {
    Writer* writer = context;
    size_t width = (size_t)writer->channelCount;
    while (rows > 0) {
        hsize_t room = writer->chunkRows - writer->blockRows;
        hsize_t taken = (hsize_t)rows < room ? (hsize_t)rows : room;
        memcpy(writer->block + (size_t)writer->blockRows * width, values,
               (size_t)taken * width * sizeof(double));
        writer->blockRows += taken;
        values += (size_t)taken * width;
        rows -= (int)taken;
        if (writer->blockRows == writer->chunkRows) {
            // Committed chunk by chunk, so that a disk that fills up costs one chunk and not half a second's rows.
            Quiet quiet = Enter();
            bool good = Commit(writer);
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
    hwStatus status = Commit(writer) ? HW_OK : FailWriter(writer, error);
    Leave(quiet);
    return status;
}

static hwStatus FinishWriter(void* context, const hwRunInfo* info, hwError* error) {
    Writer* writer = context;
    Quiet quiet = Enter();
    bool good = (!info || StoreInfo(writer, info)) && Commit(writer);
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
    if (writer->ordered) hwOrderedFile_Abandon(writer->ordered);
    CloseWriter(writer);
    Leave(quiet);
    hwOutput_Close(&writer->output);
    free(writer->block);
    free(writer);
}

hwStatus hwCreateHdf5Writer(const hwRecorderDef* def, hwWriter* out, hwError* error) {
    Writer* writer = calloc(1, sizeof(Writer));
    if (!writer)
        return hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory to write %s.", def->path);
    writer->output.fd = -1;
    writer->file = writer->table = writer->memorySpace = -1;
    for (int i = 0; i < FIELD_TOTAL; ++i) writer->attributes[i] = -1;
    writer->channelCount = def->channelCount;
    writer->live = def->live;
    // Chunks of a quarter MiB at most: what one flush rewrites. Few channels: smaller, for short runs' sake.
    writer->chunkRows = 32768 / (hsize_t)def->channelCount;
    if (writer->chunkRows < 1) writer->chunkRows = 1;
    if (writer->chunkRows > 1024) writer->chunkRows = 1024;
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
        bool good = writer->ordered && CreateContents(writer, def) && Commit(writer);
        if (!good) status = FailWriter(writer, error);
        Leave(quiet);
    }
    if (status == HW_OK && def->live) status = hwOutput_Publish(&writer->output, error);
    if (status != HW_OK) {
        DestroyWriter(writer);
        return status;
    }
    *out = (hwWriter){AppendRows, FlushRows, FinishWriter, DestroyWriter, writer};
    return HW_OK;
}

// Reader

typedef struct Reader {
    hid_t file, table;
} Reader;

static void LoadInfo(hid_t file, hwRunInfo* info) {
    for (int i = 0; i < FIELD_TOTAL; ++i) {
        const Field* field = &g_fields[i];
        if (H5Aexists(file, field->name) <= 0) continue;
        hid_t attribute = H5Aopen(file, field->name, H5P_DEFAULT);
        hid_t stored = attribute >= 0 ? H5Aget_type(attribute) : -1;
        hid_t space = attribute >= 0 ? H5Aget_space(attribute) : -1;
        hid_t type = CreateFieldType(field, false);
        bool text = stored >= 0 && H5Tget_class(stored) == H5T_STRING;
        bool usable = stored >= 0 && space >= 0 && type >= 0 && H5Sget_simple_extent_npoints(space) == 1 &&
                      text == (field->kind == FIELD_TEXT) && (!text || H5Tis_variable_str(stored) == 0);
        char value[sizeof(hwRunInfo)] = {0};
        if (usable && H5Aread(attribute, type, value) >= 0) {
            memcpy((char*)info + field->offset, value, field->size);
            if (text) ((char*)info)[field->offset + field->size - 1] = 0;
        }
        if (type >= 0) H5Tclose(type);
        if (space >= 0) H5Sclose(space);
        if (stored >= 0) H5Tclose(stored);
        if (attribute >= 0) H5Aclose(attribute);
    }
}

// Strings of a dataset as one block, `*size` bytes each; null when there is no such dataset of fixed-size strings.
static char* LoadTexts(hid_t file, const char* name, hssize_t* count, size_t* size) {
    if (H5Lexists(file, name, H5P_DEFAULT) <= 0) return NULL;
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    if (set < 0) return NULL;
    hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    char* texts = NULL;
    *count = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    *size = type >= 0 ? H5Tget_size(type) : 0;
    bool fixed = type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0;
    bool small = *count >= 0 && *size > 0 && (size_t)*count <= ((size_t)1 << 32) / *size;
    if (fixed && small) texts = calloc((size_t)*count * *size + 1, 1);
    if (texts && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts) < 0) {
        free(texts);
        texts = NULL;
    }
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    H5Dclose(set);
    return texts;
}

static size_t BoundedLength(const char* text, size_t size) {
    const char* zero = memchr(text, 0, size);
    return zero ? (size_t)(zero - text) : size;
}

static hwStatus LoadChannels(hwResults* results, hid_t file, hsize_t width, hwError* error) {
    hssize_t nameCount = 0, unitCount = 0;
    size_t nameSize = 0, unitSize = 0;
    char* names = LoadTexts(file, "channels", &nameCount, &nameSize);
    char* units = LoadTexts(file, "units", &unitCount, &unitSize);
    hwStatus status = HW_OK;
    if (!names || (hsize_t)nameCount != width || width < 1 || width > HW_RESULTS_MAX_CHANNELS) {
        status =
            hwResultsFail(error, HW_ERROR_FORMAT, "The table and the list of channels do not fit together.");
    } else {
        size_t room = width * (nameSize + (units ? unitSize : 0) + 2);
        status = hwResults_Reserve(results, (int)width, room, error);
    }
    char* at = results->texts;
    for (hsize_t i = 0; i < width && status == HW_OK; ++i) {
        size_t length = BoundedLength(names + i * nameSize, nameSize);
        memcpy(at, names + i * nameSize, length);
        results->channels[i].name = at;
        at += length + 1;
        if (units && (hsize_t)unitCount == width) {
            length = BoundedLength(units + i * unitSize, unitSize);
            memcpy(at, units + i * unitSize, length);
        } else {
            length = 0;
        }
        results->channels[i].unit = at;
        at += length + 1;
    }
    free(names);
    free(units);
    return status;
}

static hwStatus ReadRows(void* context, const hwResults* results, int64_t first, int64_t count,
                         double* values, hwError* error) {
    Reader* reader = context;
    hsize_t from[2] = {(hsize_t)first, 0}, extent[2] = {(hsize_t)count, (hsize_t)results->channelCount};
    Quiet quiet = Enter();
    hid_t space = H5Dget_space(reader->table);
    hid_t memory = H5Screate_simple(2, extent, NULL);
    bool good = space >= 0 && memory >= 0 &&
                H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, extent, NULL) >= 0 &&
                H5Dread(reader->table, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values) >= 0;
    if (memory >= 0) H5Sclose(memory);
    if (space >= 0) H5Sclose(space);
    Leave(quiet);
    if (good) return HW_OK;
    return hwResultsFail(error, HW_ERROR_FORMAT,
                         "Rows %lld to %lld of %s cannot be read: the file is damaged.", (long long)first,
                         (long long)(first + count - 1), results->path);
}

static void CloseReader(void* context) {
    Reader* reader = context;
    Quiet quiet = Enter();
    if (reader->table >= 0) H5Dclose(reader->table);
    if (reader->file >= 0) H5Fclose(reader->file);
    Leave(quiet);
    free(reader);
}

static hwStatus LoadContents(hwResults* results, Reader* reader, const char* path, hwError* error) {
    bool table = H5Lexists(reader->file, "table", H5P_DEFAULT) > 0;
    reader->table = table ? H5Dopen2(reader->file, "table", H5P_DEFAULT) : -1;
    hid_t space = reader->table >= 0 ? H5Dget_space(reader->table) : -1;
    hid_t type = reader->table >= 0 ? H5Dget_type(reader->table) : -1;
    hsize_t extent[2] = {0, 0};
    bool usable = space >= 0 && type >= 0 && H5Tget_class(type) == H5T_FLOAT &&
                  H5Sget_simple_extent_ndims(space) == 2 &&
                  H5Sget_simple_extent_dims(space, extent, NULL) == 2;
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    if (!usable || extent[0] > INT64_MAX / 8) {
        return hwResultsFail(error, HW_ERROR_FORMAT,
                             "%s is an HDF5 file, but not one with results of Hawser.", path);
    }
    results->rowCount = (int64_t)extent[0];
    LoadInfo(reader->file, &results->info);
    hssize_t count = 0;
    size_t size = 0;
    results->scene = LoadTexts(reader->file, "scene", &count, &size);
    return LoadChannels(results, reader->file, extent[1], error);
}

hwStatus hwOpenHdf5(hwResults* results, const char* path, hwError* error) {
    Reader* reader = malloc(sizeof(Reader));
    if (!reader) return hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory to read %s.", path);
    *reader = (Reader){-1, -1};
    results->context = reader;
    results->read = ReadRows;
    results->close = CloseReader;
    Quiet quiet = Enter();
    reader->file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    hwStatus status = reader->file >= 0 ? LoadContents(results, reader, path, error)
                                        : hwResultsFail(error, HW_ERROR_FORMAT,
                                                        "%s is damaged: HDF5 cannot open it.", path);
    Leave(quiet);
    return status;
}
