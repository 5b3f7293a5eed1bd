// Results as VTK XML files for ParaView.
//
// A .vtp file holds the path of every body as a line with time and velocity along it, and the whole table as field
// data, one array for each channel, so that it reads back. A .pvd file is an animation: it lists one .vtp file for each
// moment, in a folder beside it, with bodies as points and cables as lines.
#define _XOPEN_SOURCE 700
#include "csv_number.h"
#include "results_internal.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// More frames than this make ParaView slow without showing more.
#define FRAME_LIMIT 1000

// Something with a position: a body, or a node of a cable.
typedef struct Object {
    char name[128];                            // of the body or the cable
    int node;                                  // of the cable, or -1
    int position[3], velocity[3], attitude[3]; // channels; -1: not recorded
} Object;

typedef struct Objects {
    Object* items;
    int count;
} Objects;

static bool FindTriple(const hwResults* results, const char* base, size_t length, const char* quantity,
                       int* channels) {
    char name[512];
    bool all = true;
    for (int i = 0; i < 3; ++i) {
        snprintf(name, sizeof(name), "%.*s.%s.%s", (int)length, base, quantity,
                 strcmp(quantity, "attitude") == 0 ? (const char*[]){"roll", "pitch", "yaw"}[i]
                                                   : (const char*[]){"x", "y", "z"}[i]);
        channels[i] = hwResults_FindChannel(results, name);
        all = all && channels[i] >= 0;
    }
    if (!all) channels[0] = channels[1] = channels[2] = -1;
    return all;
}

static hwStatus FindObjects(const hwResults* results, Objects* objects, hwError* error) {
    *objects = (Objects){0};
    objects->items = calloc((size_t)results->channelCount, sizeof(Object));
    if (!objects->items) return hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory for VTK.");
    for (int i = 0; i < results->channelCount; ++i) {
        const char* name = results->channels[i].name;
        const char* tail = strstr(name, ".position.x");
        if (!tail || tail[strlen(".position.x")] || tail - name > 200) continue;
        size_t length = (size_t)(tail - name);
        Object* object = &objects->items[objects->count];
        if (!FindTriple(results, name, length, "position", object->position)) continue;
        FindTriple(results, name, length, "velocity", object->velocity);
        FindTriple(results, name, length, "attitude", object->attitude);
        snprintf(object->name, sizeof(object->name), "%.*s", (int)length, name);
        object->node = -1;
        char* node = strstr(object->name, ".node[");
        if (node && sscanf(node, ".node[%d]", &object->node) == 1) *node = 0;
        ++objects->count;
    }
    if (objects->count > 0) return HW_OK;
    free(objects->items);
    objects->items = NULL;
    hwResultsFail(error, HW_ERROR_FORMAT, "There is nothing to draw in %s: it holds no positions.",
                  results->path);
    hwResultsFail_Hint(error, "Record <name>.position.x, .y and .z.");
    return HW_ERROR_FORMAT;
}

static void PutArray(FILE* stream, const void* data, size_t size) {
    hwEncoder encoder = {.stream = stream};
    uint64_t length = size;
    hwEncoder_Put(&encoder, &length, sizeof(length));
    hwEncoder_Put(&encoder, data, size);
    hwEncoder_End(&encoder);
    fputs("</DataArray>\n", stream);
}

static void PutDoubles(FILE* stream, const char* name, int components, const double* values, size_t count) {
    fprintf(stream, "<DataArray type=\"Float64\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"binary\">",
            name, components);
    PutArray(stream, values, count * sizeof(double));
}

static void PutIntegers(FILE* stream, const char* name, const int64_t* values, size_t count) {
    fprintf(stream, "<DataArray type=\"Int64\" Name=\"%s\" format=\"binary\">", name);
    PutArray(stream, values, count * sizeof(int64_t));
}

static const char g_head[] = "<?xml version=\"1.0\"?>\n"
                             "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
                             "header_type=\"UInt64\" writer=\"hawser\">\n<PolyData>\n";

// Gathers three channels of rows first, first + stride ... into x y z triples.
static void Gather(const hwResults* results, const double* table, int64_t rows, const int* channels,
                   double* out) {
    for (int64_t row = 0; row < rows; ++row) {
        const double* values = table + row * results->channelCount;
        for (int i = 0; i < 3; ++i) *out++ = channels[0] >= 0 ? values[channels[i]] : (double)NAN;
    }
}

static void PutTable(FILE* stream, const hwResults* results, const double* table, double* column) {
    fputs("<FieldData>\n", stream);
    for (int i = 0; i < results->channelCount; ++i) {
        for (int64_t row = 0; row < results->rowCount; ++row)
            column[row] = table[row * results->channelCount + i];
        fputs("<DataArray type=\"Float64\" Name=\"", stream);
        hwPutEscaped(stream, results->channels[i].name);
        fputs("\" unit=\"", stream);
        hwPutEscaped(stream, results->channels[i].unit);
        fprintf(stream, "\" NumberOfTuples=\"%lld\" format=\"binary\">", (long long)results->rowCount);
        PutArray(stream, column, (size_t)results->rowCount * sizeof(double));
    }
    fputs("</FieldData>\n", stream);
}

// Paths of all bodies; `triples` has room for three numbers a point.
static void PutPaths(FILE* stream, const hwResults* results, const double* table, const Objects* objects,
                     double* triples) {
    int64_t rows = results->rowCount;
    size_t bodies = 0;
    for (int i = 0; i < objects->count; ++i) bodies += objects->items[i].node < 0;
    size_t points = bodies * (size_t)rows;
    fprintf(stream,
            "<Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"0\" NumberOfLines=\"%zu\" NumberOfStrips=\"0\" "
            "NumberOfPolys=\"0\">\n<PointData Scalars=\"time\" Vectors=\"velocity\">\n",
            points, bodies);
    for (size_t i = 0; i < points; ++i)
        triples[i] = table[(int64_t)(i % (size_t)rows) * results->channelCount];
    PutDoubles(stream, "time", 1, triples, points);
    double* to = triples;
    for (int i = 0; i < objects->count; ++i) {
        if (objects->items[i].node >= 0) continue;
        Gather(results, table, rows, objects->items[i].velocity, to);
        to += 3 * rows;
    }
    PutDoubles(stream, "velocity", 3, triples, 3 * points);
    fputs("</PointData>\n<Points>\n", stream);
    to = triples;
    for (int i = 0; i < objects->count; ++i) {
        if (objects->items[i].node >= 0) continue;
        Gather(results, table, rows, objects->items[i].position, to);
        to += 3 * rows;
    }
    PutDoubles(stream, "position", 3, triples, 3 * points);
    int64_t* integers = (int64_t*)(void*)triples;
    for (size_t i = 0; i < points; ++i) integers[i] = (int64_t)i;
    fputs("</Points>\n<Lines>\n", stream);
    PutIntegers(stream, "connectivity", integers, points);
    for (size_t i = 0; i < bodies; ++i) integers[i] = (int64_t)(i + 1) * rows;
    PutIntegers(stream, "offsets", integers, bodies);
    fputs("</Lines>\n</Piece>\n", stream);
}

static double* LoadTable(hwResults* results, hwError* error) {
    size_t cells = (size_t)results->rowCount * (size_t)results->channelCount;
    bool fits = results->rowCount < INT64_MAX / 64 / results->channelCount;
    double* table = fits ? malloc((cells + 1) * sizeof(double)) : NULL;
    if (!table) {
        hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory for %lld rows of %d channels.",
                      (long long)results->rowCount, results->channelCount);
        return NULL;
    }
    if (hwResults_ReadRows(results, 0, results->rowCount, table, error) == HW_OK) return table;
    free(table);
    return NULL;
}

hwStatus hwWriteVtp(hwResults* results, const char* path, hwError* error) {
    Objects objects;
    hwStatus status = FindObjects(results, &objects, error);
    if (status != HW_OK) return status;
    double* table = LoadTable(results, error);
    size_t points = (size_t)results->rowCount * (size_t)(objects.count + 1);
    double* scratch = table ? malloc((3 * points + 1) * sizeof(double)) : NULL;
    hwSink sink;
    if (!table) {
        status = error->status;
    } else if (!scratch) {
        status = hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory for VTK.");
    } else {
        status = hwSink_Open(&sink, path, error);
        if (status == HW_OK) {
            fputs(g_head, sink.stream);
            PutTable(sink.stream, results, table, scratch);
            PutPaths(sink.stream, results, table, &objects, scratch);
            fputs("</PolyData>\n</VTKFile>\n", sink.stream);
            status = hwSink_Close(&sink, HW_OK, error);
        }
    }
    free(scratch);
    free(table);
    free(objects.items);
    return status;
}

// Animation

static int CompareObjects(const void* first, const void* second) {
    const Object *a = first, *b = second;
    if ((a->node < 0) != (b->node < 0)) return a->node < 0 ? -1 : 1;
    int names = a->node < 0 ? 0 : strcmp(a->name, b->name);
    return names ? names : a->node - b->node;
}

// Bodies come first, then cables node by node; scratch holds three numbers an object.
static void PutFrame(FILE* stream, const hwResults* results, const double* row, const Objects* objects,
                     double* scratch) {
    int bodies = 0, lines = 0;
    for (int i = 0; i < objects->count; ++i) {
        const Object* object = &objects->items[i];
        bodies += object->node < 0;
        lines += object->node >= 0 &&
                 (i == 0 || object[-1].node < 0 || strcmp(object->name, object[-1].name) != 0);
    }
    size_t count = (size_t)objects->count;
    fputs(g_head, stream);
    fputs("<FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"binary\">",
          stream);
    PutArray(stream, row, sizeof(double));
    fprintf(stream,
            "</FieldData>\n<Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"%d\" NumberOfLines=\"%d\" "
            "NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n<PointData Vectors=\"velocity\">\n",
            count, bodies, lines);
    for (size_t i = 0; i < count; ++i) Gather(results, row, 1, objects->items[i].velocity, scratch + 3 * i);
    PutDoubles(stream, "velocity", 3, scratch, 3 * count);
    for (size_t i = 0; i < count; ++i) Gather(results, row, 1, objects->items[i].attitude, scratch + 3 * i);
    PutDoubles(stream, "attitude", 3, scratch, 3 * count);
    fputs("</PointData>\n<Points>\n", stream);
    for (size_t i = 0; i < count; ++i) Gather(results, row, 1, objects->items[i].position, scratch + 3 * i);
    PutDoubles(stream, "position", 3, scratch, 3 * count);
    int64_t* integers = (int64_t*)(void*)scratch;
    fputs("</Points>\n<Verts>\n", stream);
    for (int i = 0; i < bodies; ++i) integers[i] = i;
    PutIntegers(stream, "connectivity", integers, (size_t)bodies);
    for (int i = 0; i < bodies; ++i) integers[i] = i + 1;
    PutIntegers(stream, "offsets", integers, (size_t)bodies);
    fputs("</Verts>\n<Lines>\n", stream);
    for (int i = bodies; i < objects->count; ++i) integers[i - bodies] = i;
    PutIntegers(stream, "connectivity", integers, count - (size_t)bodies);
    int line = 0;
    for (int i = bodies + 1; i <= objects->count && lines > 0; ++i) {
        bool last = i == objects->count || strcmp(objects->items[i].name, objects->items[i - 1].name) != 0;
        if (last) integers[line++] = i - bodies;
    }
    PutIntegers(stream, "offsets", integers, (size_t)line);
    fputs("</Lines>\n</Piece>\n</PolyData>\n</VTKFile>\n", stream);
}

static void MakeFrameName(char* to, size_t size, const char* folder, int frame) {
    snprintf(to, size, "%s/%06d.vtp", folder, frame);
}

static hwStatus WriteFrames(hwResults* results, const char* folder, Objects* objects, int64_t stride,
                            int frames, double* times, hwError* error) {
    size_t nameSize = strlen(folder) + 32;
    char* name = malloc(nameSize);
    double* row = malloc((size_t)results->channelCount * sizeof(double));
    double* scratch = malloc(3 * (size_t)objects->count * sizeof(double));
    hwStatus status = HW_OK;
    if (!name || !row || !scratch)
        status = hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory for VTK.");
    qsort(objects->items, (size_t)objects->count, sizeof(Object), CompareObjects);
    int written = 0;
    for (; written < frames && status == HW_OK; ++written) {
        status = hwResults_ReadRows(results, written * stride, 1, row, error);
        if (status != HW_OK) break;
        times[written] = row[0];
        MakeFrameName(name, nameSize, folder, written);
        hwSink sink;
        status = hwSink_Open(&sink, name, error);
        if (status != HW_OK) break;
        PutFrame(sink.stream, results, row, objects, scratch);
        status = hwSink_Close(&sink, HW_OK, error);
        if (status != HW_OK) break;
    }
    for (int i = 0; status != HW_OK && i < written; ++i) {
        MakeFrameName(name, nameSize, folder, i);
        unlink(name);
    }
    free(scratch);
    free(row);
    free(name);
    return status;
}

static hwStatus WriteList(const char* path, const char* folder, int frames, const double* times,
                          hwError* error) {
    hwSink sink;
    hwStatus status = hwSink_Open(&sink, path, error);
    if (status != HW_OK) return status;
    const char* slash = strrchr(folder, '/');
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n",
          sink.stream);
    for (int i = 0; i < frames; ++i) {
        char number[HW_NUMBER_SIZE];
        int length = hwFormatNumber(times[i], number);
        fprintf(sink.stream, "<DataSet timestep=\"%.*s\" part=\"0\" file=\"", length, number);
        hwPutEscaped(sink.stream, slash ? slash + 1 : folder);
        fprintf(sink.stream, "/%06d.vtp\"/>\n", i);
    }
    fputs("</Collection>\n</VTKFile>\n", sink.stream);
    return hwSink_Close(&sink, HW_OK, error);
}

hwStatus hwWritePvd(hwResults* results, const char* path, hwError* error) {
    Objects objects;
    hwStatus status = FindObjects(results, &objects, error);
    if (status != HW_OK) return status;
    int64_t stride = (results->rowCount + FRAME_LIMIT - 1) / FRAME_LIMIT;
    int frames = stride > 0 ? (int)((results->rowCount + stride - 1) / stride) : 0;
    char* folder = strdup(path);
    double* times = calloc((size_t)frames + 1, sizeof(double));
    if (!folder || !times) {
        status = hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory for VTK.");
    } else {
        *strrchr(folder, '.') = 0;
        bool made = mkdir(folder, 0777) == 0;
        if (!made && errno != EEXIST)
            status = hwResultsFail_System(error, errno, "create the folder", folder);
        if (status == HW_OK) status = WriteFrames(results, folder, &objects, stride, frames, times, error);
        if (status == HW_OK) status = WriteList(path, folder, frames, times, error);
        if (status != HW_OK && made) rmdir(folder);
    }
    free(times);
    free(folder);
    free(objects.items);
    return status;
}

// Reading back the table of a .vtp file

typedef struct Table {
    double* values; // rows x channels
} Table;

static hwStatus ReadRows(void* context, const hwResults* results, int64_t first, int64_t count,
                         double* values, hwError* error) {
    (void)error;
    const Table* table = context;
    size_t width = (size_t)results->channelCount;
    memcpy(values, table->values + (size_t)first * width, (size_t)count * width * sizeof(double));
    return HW_OK;
}

static void CloseTable(void* context) {
    Table* table = context;
    free(table->values);
    free(table);
}

// Decodes base 64 up to `end`; returns the bytes written, or 0 when the text is not base 64 of at most `room` bytes.
static size_t Decode(const char* text, const char* end, unsigned char* out, size_t room) {
    size_t count = 0;
    unsigned group = 0;
    int digits = 0;
    for (; text < end; ++text) {
        if (*text == '=' || *text == '\n' || *text == ' ') continue;
        const char* found = *text ? strchr(hwEncoderDigits, *text) : NULL;
        if (!found) return 0;
        group = group << 6 | (unsigned)(found - hwEncoderDigits);
        digits += 6;
        if (digits >= 8) {
            digits -= 8;
            if (count == room) return 0;
            out[count++] = (unsigned char)(group >> digits & 255);
        }
    }
    return count;
}

// Copies the value of an attribute of the element that ends at `end`, entities resolved; returns its length, or -1.
static int TakeAttribute(const char* element, const char* end, const char* name, char* to) {
    char key[64];
    int keyLength = snprintf(key, sizeof(key), " %s=\"", name);
    const char* at = strstr(element, key);
    if (!at || at >= end) return -1;
    int length = 0;
    for (at += keyLength; at < end && *at != '"'; ++at) {
        static const struct {
            const char* entity;
            char character;
        } entities[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}};
        char character = *at;
        for (int i = 0; i < 4 && *at == '&'; ++i) {
            size_t size = strlen(entities[i].entity);
            if (strncmp(at, entities[i].entity, size) == 0) {
                character = entities[i].character;
                at += size - 1;
                break;
            }
        }
        to[length++] = character;
    }
    to[length] = 0;
    return length;
}

// The whole file, zero-terminated.
static char* LoadText(const char* path, size_t* size, hwError* error) {
    FILE* file = fopen(path, "rb");
    if (!file) {
        hwResultsFail_System(error, errno, "read", path);
        return NULL;
    }
    char* text = NULL;
    long length = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (length >= 0 && fseek(file, 0, SEEK_SET) == 0) text = malloc((size_t)length + 1);
    if (text) {
        *size = fread(text, 1, (size_t)length, file);
        text[*size] = 0;
    } else {
        hwResultsFail(error, HW_ERROR_FILE, "Cannot read %s.", path);
    }
    fclose(file);
    return text;
}

// One array of the table: its tag and its base 64 text.
typedef struct Array {
    const char *tag, *tagEnd, *text, *textEnd;
} Array;

// The next array before `end`; *at moves behind it.
static bool FindArray(const char** at, const char* end, Array* array) {
    const char* tag = strstr(*at, "<DataArray type=\"Float64\"");
    const char* tagEnd = tag ? strchr(tag, '>') : NULL;
    const char* textEnd = tagEnd ? strchr(tagEnd, '<') : NULL;
    if (!textEnd || textEnd > end) return false;
    *array = (Array){tag, tagEnd, tagEnd + 1, textEnd};
    *at = textEnd;
    return true;
}

// Names, units and room for the values; the first array tells the number of rows.
static hwStatus ReadTags(hwResults* results, const char* text, const char* end, Table* table,
                         const char* path, hwError* error) {
    int count = 0;
    size_t room = 0, firstSize = 0;
    Array array;
    for (const char* at = text; FindArray(&at, end, &array) && count < HW_RESULTS_MAX_CHANNELS; ++count) {
        room += 2 * (size_t)(array.tagEnd - array.tag);
        if (count == 0) firstSize = (size_t)(array.textEnd - array.text);
    }
    hwStatus status = count > 0 ? hwResults_Reserve(results, count, room, error)
                                : hwResultsFail(error, HW_ERROR_FORMAT, "%s holds no table.", path);
    if (status != HW_OK) return status;
    char* to = results->texts;
    const char* at = text;
    for (int i = 0; i < count && FindArray(&at, end, &array); ++i) {
        results->channels[i].name = to;
        to += TakeAttribute(array.tag, array.tagEnd, "Name", to) + 1;
        results->channels[i].unit = to;
        to += TakeAttribute(array.tag, array.tagEnd, "unit", to) + 1;
        if (!results->channels[i].name[0])
            return hwResultsFail(error, HW_ERROR_FORMAT, "%s has an array without a name.", path);
    }
    // Four digits are three bytes; the first eight bytes are a length.
    size_t bytes = firstSize / 4 * 3;
    results->rowCount = bytes >= 8 ? (int64_t)((bytes - 8) / sizeof(double)) : 0;
    table->values = calloc((size_t)results->rowCount * (size_t)count + 1, sizeof(double));
    if (table->values) return HW_OK;
    return hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory to read %s.", path);
}

static hwStatus ReadArrays(hwResults* results, const char* text, const char* end, Table* table,
                           const char* path, hwError* error) {
    size_t size = 8 + (size_t)results->rowCount * sizeof(double);
    unsigned char* bytes = malloc(size + 2);
    if (!bytes) return hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory to read %s.", path);
    const char* at = text;
    Array array;
    bool good = true;
    for (int i = 0; i < results->channelCount && good; ++i) {
        good = FindArray(&at, end, &array) && Decode(array.text, array.textEnd, bytes, size + 2) == size;
        for (int64_t row = 0; row < results->rowCount && good; ++row) {
            memcpy(&table->values[row * results->channelCount + i], bytes + 8 + (size_t)row * sizeof(double),
                   sizeof(double));
        }
    }
    free(bytes);
    if (good) return HW_OK;
    return hwResultsFail(error, HW_ERROR_FORMAT, "%s is damaged: its arrays do not fit together.", path);
}

static hwStatus ParseTable(hwResults* results, const char* text, Table* table, const char* path,
                           hwError* error) {
    const char* end = strstr(text, "</FieldData>");
    if (!end || !strstr(text, "writer=\"hawser\"") || !strstr(text, "Name=\"world.time\" unit=")) {
        hwResultsFail(error, HW_ERROR_FORMAT, "%s is a VTK file, but not one with a table written by Hawser.",
                      path);
        hwResultsFail_Hint(error, "Convert from the .h5, .csv or .vtp file of the run.");
        return HW_ERROR_FORMAT;
    }
    hwStatus status = ReadTags(results, text, end, table, path, error);
    if (status == HW_OK) status = ReadArrays(results, text, end, table, path, error);
    return status;
}

hwStatus hwOpenVtk(hwResults* results, const char* path, hwError* error) {
    size_t size = 0;
    char* text = LoadText(path, &size, error);
    if (!text) return error->status;
    Table* table = calloc(1, sizeof(Table));
    hwStatus status = HW_ERROR_MEMORY;
    if (table) {
        results->context = table;
        results->read = ReadRows;
        results->close = CloseTable;
        status = ParseTable(results, text, table, path, error);
    } else {
        hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory to read %s.", path);
    }
    free(text);
    return status;
}
