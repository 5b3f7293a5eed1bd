// Results as CSV: a row of names, a row of units, then numbers (RFC 4180 with line feeds).
#define _POSIX_C_SOURCE 200809L
#include "csv_number.h"
#include "results_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// Writer

typedef struct Writer {
    hwOutput output;
    int channelCount;
    char* buffer; // whole rows
    size_t used, size;
    off_t good; // bytes of whole rows in the file
    bool live;
} Writer;

#define BUFFER_SIZE 65536

static hwStatus FlushRows(void* context, hwError* error) {
    Writer* writer = context;
    if (hwOutput_Write(writer->output.fd, writer->buffer, writer->used)) {
        writer->good += (off_t)writer->used;
        writer->used = 0;
        return HW_OK;
    }
    int reason = errno;
    // No half row: cut the file behind the last whole one. Devices and pipes cannot be cut.
    if (ftruncate(writer->output.fd, writer->good) != 0) writer->good = 0;
    return hwResultsFail_System(error, reason, "write", writer->output.path);
}

static hwStatus AppendRows(void* context, int rows, const double* values, hwError* error) {
    Writer* writer = context;
    for (int row = 0; row < rows; ++row) {
        for (int i = 0; i < writer->channelCount; ++i) {
            writer->used += (size_t)hwFormatNumber(*values++, writer->buffer + writer->used);
            writer->buffer[writer->used++] = i + 1 < writer->channelCount ? ',' : '\n';
        }
        if (writer->used >= BUFFER_SIZE) {
            hwStatus status = FlushRows(context, error);
            if (status != HW_OK) return status;
        }
    }
    return HW_OK;
}

static hwStatus FinishWriter(void* context, const hwRunInfo* info, hwError* error) {
    Writer* writer = context;
    (void)info;
    hwStatus status = FlushRows(context, error);
    if (status == HW_OK && !writer->live) status = hwOutput_Publish(&writer->output, error);
    return status;
}

static void DestroyWriter(void* context) {
    Writer* writer = context;
    hwOutput_Close(&writer->output);
    free(writer->buffer);
    free(writer);
}

// Room a text takes with quotes, and a separator.
static size_t MeasureText(const char* text) {
    return 2 * strlen(text) + 3;
}

static size_t PutText(char* to, const char* text) {
    size_t length = strlen(text);
    if (!strpbrk(text, ",\"\r\n")) {
        memcpy(to, text, length);
        return length;
    }
    char* start = to;
    *to++ = '"';
    for (; *text; ++text) {
        if (*text == '"') *to++ = '"';
        *to++ = *text;
    }
    *to++ = '"';
    return (size_t)(to - start);
}

static void PutHeader(Writer* writer, const hwRecorderDef* def) {
    for (int line = 0; line < 2; ++line) {
        for (int i = 0; i < def->channelCount; ++i) {
            const char* text = line == 0 ? def->channels[i].name : def->channels[i].unit;
            writer->used += PutText(writer->buffer + writer->used, text);
            writer->buffer[writer->used++] = i + 1 < def->channelCount ? ',' : '\n';
        }
    }
}

static hwStatus OpenOutput(Writer* writer, const char* path, hwError* error) {
    if (strcmp(path, "-") != 0) return hwOutput_Open(&writer->output, path, error);
    writer->output.fd = dup(STDOUT_FILENO);
    writer->output.path = strdup("the standard output");
    if (writer->output.fd >= 0 && writer->output.path) return HW_OK;
    return hwResultsFail_System(error, errno, "write", "the standard output");
}

static hwStatus PublishWriter(void* context, hwError* error) {
    Writer* writer = context;
    writer->live = true;
    return hwOutput_Publish(&writer->output, error);
}

hwStatus hwCreateCsvWriter(const hwRecorderDef* def, hwWriter* out, hwError* error) {
    Writer* writer = calloc(1, sizeof(Writer));
    if (!writer)
        return hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory to write %s.", def->path);
    writer->output.fd = -1;
    writer->channelCount = def->channelCount;
    writer->live = def->live;
    size_t header = 0;
    for (int i = 0; i < def->channelCount; ++i) {
        header += MeasureText(def->channels[i].name) + MeasureText(def->channels[i].unit);
    }
    // A row more than the size at which the buffer is emptied, and the header first of all.
    writer->size = BUFFER_SIZE + header + (size_t)def->channelCount * HW_NUMBER_SIZE;
    writer->buffer = malloc(writer->size);
    hwStatus status = writer->buffer
                          ? OpenOutput(writer, def->path, error)
                          : hwResultsFail(error, HW_ERROR_MEMORY,
                                          "There is not enough memory for %d channels.", def->channelCount);
    if (status == HW_OK) {
        PutHeader(writer, def);
        status = FlushRows(writer, error);
    }
    if (status == HW_OK && def->live) status = hwOutput_Publish(&writer->output, error);
    if (status != HW_OK) {
        DestroyWriter(writer);
        return status;
    }
    *out = (hwWriter){AppendRows, FlushRows, FinishWriter,  DestroyWriter, writer,
                      NULL,       NULL,      PublishWriter, NULL};
    return HW_OK;
}

// Reader. The file is mapped, and a first pass notes where every 64th row starts.

#define ROWS_PER_MARK 64

typedef struct Reader {
    const char* text;
    size_t size;
    size_t* marks;
    int64_t markCount, markCapacity;
    int64_t firstLine; // number of the line of row 0, from 1
} Reader;

// A line without its end; *next is the start of the following line.
static const char* FindLineEnd(const Reader* reader, const char* line, const char** next) {
    const char* end = reader->text + reader->size;
    const char* feed = memchr(line, '\n', (size_t)(end - line));
    *next = feed ? feed + 1 : end;
    const char* stop = feed ? feed : end;
    if (stop > line && stop[-1] == '\r') --stop;
    return stop;
}

// Takes one field, quotes removed, into `to` (null: only measures) and returns its length. *at moves behind the
// separator, or to null after the last field of the line.
static size_t TakeField(const char** at, const char* end, char* to) {
    const char* c = *at;
    size_t length = 0;
    bool quoted = c < end && *c == '"';
    if (quoted) ++c;
    for (; c < end; ++c) {
        if (quoted && *c == '"') {
            if (c + 1 < end && c[1] == '"') {
                ++c;
            } else {
                quoted = false;
                continue;
            }
        } else if (!quoted && *c == ',') {
            break;
        }
        if (to) to[length] = *c;
        ++length;
    }
    *at = c < end ? c + 1 : NULL;
    return length;
}

static int CountFields(const char* line, const char* end) {
    int count = 0;
    for (const char* at = line; at; ++count) TakeField(&at, end, NULL);
    return count;
}

// A row of units is told by its first field, the time's unit; a row of data has a number there, or what was meant as
// one. Other fields do not count: dimensionless columns may have the unit 1.
static bool IsNumberRow(const char* line, const char* end) {
    const char* at = line;
    TakeField(&at, end, NULL);
    double value;
    return hwParseNumber(line, at ? at - 1 : end, &value) || isinf(value);
}

static hwStatus FailAt(hwError* error, int64_t line, int64_t column, const char* sentence) {
    hwResultsFail(error, HW_ERROR_FORMAT, "%s", sentence);
    if (error) {
        error->line = (int)line;
        error->column = (int)column;
    }
    return HW_ERROR_FORMAT;
}

static hwStatus ReadHeader(hwResults* results, Reader* reader, const char* path, const char** rows,
                           hwError* error) {
    const char *line = reader->text, *next = NULL;
    if (reader->size >= 3 && memcmp(line, "\xef\xbb\xbf", 3) == 0) line += 3; // a byte order mark
    const char* end = FindLineEnd(reader, line, &next);
    if (end > line && memchr(line, 0, (size_t)(end - line))) {
        return hwResultsFail(error, HW_ERROR_FORMAT,
                             "%s is not a file with results: neither HDF5, CSV nor VTK.", path);
    }
    int count = CountFields(line, end);
    if (end == line) return FailAt(error, 1, 1, "The first line should hold the names of the channels.");
    if (count > HW_RESULTS_MAX_CHANNELS) return FailAt(error, 1, 1, "The file has too many columns.");
    const char* unitLine = next;
    const char* unitEnd =
        unitLine < reader->text + reader->size ? FindLineEnd(reader, unitLine, &next) : unitLine;
    bool hasUnits = unitEnd > unitLine && !IsNumberRow(unitLine, unitEnd);
    if (hasUnits && CountFields(unitLine, unitEnd) != count) {
        return FailAt(error, 2, 1, "The line with the units has another number of columns than the names.");
    }
    size_t room = (size_t)(end - line) + (hasUnits ? (size_t)(unitEnd - unitLine) : 0) + 2 * (size_t)count;
    hwStatus status = hwResults_Reserve(results, count, room, error);
    if (status != HW_OK) return status;
    char* to = results->texts;
    const char *name = line, *unit = hasUnits ? unitLine : NULL;
    for (int i = 0; i < count; ++i) {
        results->channels[i].name = to;
        to += TakeField(&name, end, to) + 1;
        results->channels[i].unit = to;
        to += (unit ? TakeField(&unit, unitEnd, to) : 0) + 1;
    }
    *rows = hasUnits ? next : unitLine;
    reader->firstLine = hasUnits ? 3 : 2;
    return HW_OK;
}

static hwStatus MarkRows(hwResults* results, Reader* reader, const char* path, const char* rows,
                         hwError* error) {
    const char *end = reader->text + reader->size, *second = NULL;
    const char* firstEnd = rows < end ? FindLineEnd(reader, rows, &second) : rows;
    if (firstEnd > rows && !IsNumberRow(rows, firstEnd) &&
        strcmp(results->channels[0].name, "world.time") != 0) {
        return hwResultsFail(error, HW_ERROR_FORMAT,
                             "%s is not a file with results: neither HDF5, CSV nor VTK.", path);
    }
    for (const char *line = rows, *next; line < end; line = next) {
        const char* stop = FindLineEnd(reader, line, &next);
        if (stop == line && next == end) break; // an empty last line
        // The last line of a killed run may be incomplete.
        bool cut = next == end && end[-1] != '\n' && CountFields(line, stop) != results->channelCount;
        if (cut) break;
        if (results->rowCount % ROWS_PER_MARK == 0) {
            if (reader->markCount == reader->markCapacity) {
                int64_t capacity = reader->markCapacity ? 2 * reader->markCapacity : 256;
                size_t* grown = realloc(reader->marks, (size_t)capacity * sizeof(size_t));
                if (!grown)
                    return hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory to read %s.",
                                         path);
                reader->marks = grown;
                reader->markCapacity = capacity;
            }
            reader->marks[reader->markCount++] = (size_t)(line - reader->text);
        }
        ++results->rowCount;
    }
    return HW_OK;
}

static hwStatus ReadRow(const hwResults* results, const char* line, const char* end, int64_t lineNumber,
                        double* values, hwError* error) {
    const char* at = line;
    int i = 0;
    for (; at && i < results->channelCount; ++i) {
        const char* comma = memchr(at, ',', (size_t)(end - at));
        if (!hwParseNumber(at, comma ? comma : end, &values[i])) {
            return FailAt(error, lineNumber, at - line + 1,
                          isinf(values[i]) ? "This number is beyond what a double holds."
                                           : "This is not a number.");
        }
        at = comma ? comma + 1 : NULL;
    }
    if (at || i < results->channelCount) {
        hwResultsFail(error, HW_ERROR_FORMAT, "The line has %d columns instead of %d.",
                      CountFields(line, end), results->channelCount);
        if (error) error->line = (int)lineNumber;
        return HW_ERROR_FORMAT;
    }
    return HW_OK;
}

static hwStatus ReadRows(void* context, const hwResults* results, int64_t first, int64_t count,
                         double* values, hwError* error) {
    Reader* reader = context;
    int64_t row = first - first % ROWS_PER_MARK;
    const char *line = reader->text + reader->marks[first / ROWS_PER_MARK], *next = NULL;
    for (; row < first + count; ++row, line = next) {
        const char* end = FindLineEnd(reader, line, &next);
        if (row < first) continue;
        hwStatus status = ReadRow(results, line, end, reader->firstLine + row, values, error);
        if (status != HW_OK) return status;
        values += results->channelCount;
    }
    return HW_OK;
}

static void CloseReader(void* context) {
    Reader* reader = context;
    if (reader->text) munmap((void*)(uintptr_t)reader->text, reader->size);
    free(reader->marks);
    free(reader);
}

hwStatus hwOpenCsv(hwResults* results, const char* path, hwError* error) {
    Reader* reader = calloc(1, sizeof(Reader));
    if (!reader) return hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory to read %s.", path);
    results->context = reader;
    results->read = ReadRows;
    results->close = CloseReader;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat about;
    if (fd < 0 || fstat(fd, &about) != 0) {
        int reason = errno;
        if (fd >= 0) close(fd);
        return hwResultsFail_System(error, reason, "read", path);
    }
    void* map =
        about.st_size > 0 ? mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    close(fd);
    if (map == MAP_FAILED)
        return hwResultsFail(error, HW_ERROR_FILE, "Cannot read %s: it is not an ordinary file.", path);
    reader->text = map;
    reader->size = (size_t)about.st_size;
    const char* rows = NULL;
    hwStatus status = ReadHeader(results, reader, path, &rows, error);
    if (status == HW_OK) status = MarkRows(results, reader, path, rows, error);
    return status;
}
