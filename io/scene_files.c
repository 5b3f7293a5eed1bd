// Files that scenes refer to: whole files, columns of CSV files, heightfields.
#define _POSIX_C_SOURCE 200809L
#include "csv_number.h"
#include "scene_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_CSV_BYTES ((size_t)512 << 20)

const char* hwReader_JoinPath(hwReader* reader, const hwYaml* node, const char* file) {
    char quoted[80];
    if (reader->folder == NULL) {
        hwReader_Fail(reader, node, "the file `%s` cannot be found because this scene has no folder",
                      hwQuoteText(quoted, sizeof(quoted), file));
        return NULL;
    }
    size_t folder = file[0] == '/' ? 0 : strlen(reader->folder), length = strlen(file);
    char* path = hwReader_Take(reader, folder + length + 2, 1);
    if (path == NULL) return NULL;
    if (folder > 0) {
        memcpy(path, reader->folder, folder);
        path[folder++] = '/';
    }
    memcpy(path + folder, file, length);
    return path;
}

static char* FailSystem(hwError* error, int line, int column, const char* path, int number) {
    char quoted[120];
    hwQuoteText(quoted, sizeof(quoted), path);
    const char* reason = number == ENOENT    ? "does not exist"
                         : number == EACCES  ? "may not be read: no permission"
                         : number == EISDIR  ? "is a folder, not a file"
                         : number == ENODEV  ? "is a device, not a file"
                         : number == ENOTDIR ? "does not exist: part of its path is not a folder"
                                             : NULL;
    if (reason != NULL) {
        hwSceneFail(error, HW_ERROR_FILE, line, column, "`%s` %s", quoted, reason);
    } else {
        hwSceneFail(error, HW_ERROR_FILE, line, column, "`%s` cannot be read: %s", quoted, strerror(number));
    }
    return NULL;
}

// Such as /dev/zero, which never ends. Pipes are files like others.
static bool IsDevice(const struct stat* info) {
    return S_ISCHR(info->st_mode) || S_ISBLK(info->st_mode);
}

static char* FailSize(hwError* error, int line, int column, const char* path, size_t limit) {
    char quoted[120];
    hwSceneFail(error, HW_ERROR_LIMIT, line > 0 ? line : 1, column > 0 ? column : 1,
                "`%s` is larger than the %zu MB allowed", hwQuoteText(quoted, sizeof(quoted), path),
                limit >> 20);
    return NULL;
}

// Reads an open file; its size is known for plain files, guessed for pipes.
static char* ReadOpen(hwStore* store, FILE* file, const char* path, size_t guess, size_t limit, int line,
                      int column, size_t* size, hwError* error) {
    size_t capacity = guess + 1, used = 0;
    char* text = hwStore_Take(store, capacity, 1);
    while (text != NULL) {
        used += fread(text + used, 1, capacity - used, file);
        if (ferror(file)) return FailSystem(error, line, column, path, errno);
        if (used < capacity) {
            text[used] = 0;
            *size = used;
            return text;
        }
        if (used > limit) return FailSize(error, line, column, path, limit);
        capacity *= 2;
        char* larger = hwStore_Take(store, capacity, 1);
        if (larger != NULL) memcpy(larger, text, used);
        text = larger;
    }
    hwSceneFail_Memory(error);
    return NULL;
}

char* hwReadFileText(hwStore* store, const char* path, size_t limit, int line, int column, size_t* size,
                     hwError* error) {
    struct stat info;
    if (stat(path, &info) != 0) return FailSystem(error, line, column, path, errno);
    if (S_ISDIR(info.st_mode)) return FailSystem(error, line, column, path, EISDIR);
    if (IsDevice(&info)) return FailSystem(error, line, column, path, ENODEV);
    bool plain = S_ISREG(info.st_mode);
    if (plain && (uintmax_t)info.st_size > limit) return FailSize(error, line, column, path, limit);
    FILE* file = fopen(path, "rb");
    if (file == NULL) return FailSystem(error, line, column, path, errno);
    char* text =
        ReadOpen(store, file, path, plain ? (size_t)info.st_size : 65536, limit, line, column, size, error);
    fclose(file);
    return text;
}

bool hwReader_CheckFile(hwReader* reader, const hwYaml* node, const char* path) {
    struct stat info;
    int number = stat(path, &info) != 0    ? errno
                 : S_ISDIR(info.st_mode)   ? EISDIR
                 : IsDevice(&info)         ? ENODEV
                 : access(path, R_OK) != 0 ? errno
                                           : 0;
    if (number != 0) FailSystem(reader->error, node->line, node->column, path, number);
    return number == 0;
}

// Text of a file named in the scene; failures carry the scene's place.
static char* ReadNamed(hwReader* reader, const hwYaml* node, const char* path, size_t* size) {
    return hwReadFileText(reader->store, path, MOST_CSV_BYTES, node->line, node->column, size, reader->error);
}

static const char* BaseName(const char* path) {
    const char* slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

// CSV --------------------------------------------------------------------------------------------------------------

typedef struct Field {
    const char* text;
    size_t length;
} Field;

// Takes the next line off `cursor`, without its end.
static bool NextLine(const char** cursor, Field* line) {
    if (**cursor == 0) return false;
    line->text = *cursor;
    line->length = strcspn(*cursor, "\n");
    *cursor += line->length;
    if (**cursor == '\n') ++*cursor;
    if (line->length > 0 && line->text[line->length - 1] == '\r') line->length--;
    return true;
}

static Field Trim(Field field) {
    while (field.length > 0 && (*field.text == ' ' || *field.text == '\t')) {
        field.text++;
        field.length--;
    }
    while (field.length > 0 && (field.text[field.length - 1] == ' ' || field.text[field.length - 1] == '\t'))
        field.length--;
    if (field.length >= 2 && field.text[0] == '"' && field.text[field.length - 1] == '"') {
        field.text++;
        field.length -= 2;
    }
    return field;
}

static bool NextField(Field* rest, Field* field) {
    if (rest->text == NULL) return false;
    size_t i = 0;
    for (bool quoted = false; i < rest->length && (quoted || rest->text[i] != ','); i++) {
        if (rest->text[i] == '"') quoted = !quoted;
    }
    *field = Trim((Field){rest->text, i});
    rest->text = i < rest->length ? rest->text + i + 1 : NULL;
    rest->length = i < rest->length ? rest->length - i - 1 : 0;
    return true;
}

static bool IsBlank(Field line) {
    line = Trim(line);
    return line.length == 0 || line.text[0] == '#';
}

static hwNumberStatus ParseField(Field field, double* value) {
    char text[64];
    if (field.length == 0 || field.length >= sizeof(text)) return HW_NUMBER_NONE;
    memcpy(text, field.text, field.length);
    text[field.length] = 0;
    return hwYaml_ParseNumber(text, value);
}

// Index of a column by its name; -1 and an error when there is none.
static int FindColumn(hwReader* reader, const hwYaml* node, const char* path, Field header,
                      const char* name) {
    Field rest = header, field;
    for (int i = 0; NextField(&rest, &field); i++) {
        if (strlen(name) == field.length && memcmp(name, field.text, field.length) == 0) return i;
    }
    char quoted[64], file[64];
    hwReader_Fail(reader, node, "`%s` has no column `%s`", hwQuoteText(file, sizeof(file), BaseName(path)),
                  hwQuoteText(quoted, sizeof(quoted), name));
    return -1;
}

#define MOST_COLUMNS 16

typedef struct CsvJob {
    hwReader* reader;
    const hwYaml* node;
    const char* path;
    int columns[MOST_COLUMNS]; // where in a line they are
    int count;
} CsvJob;

// Numbers of a file by rows of `count`, with the number of the line each row was on.
typedef struct CsvTable {
    bool headed; // all wanted columns are in its header
    int rows;
    double* values;
    int* lines;
} CsvTable;

// A row of units is told by its first wanted column, a time or a heading: its unit is a text (`s`, `deg`, empty), while
// a row of data has a number there, or what was meant as one (`nan`, `inf`, `1e999`).
static bool IsUnits(const CsvJob* job, Field line) {
    Field rest = line, field;
    for (int i = 0; NextField(&rest, &field); i++) {
        double value;
        if (i == job->columns[0])
            return ParseField(field, &value) == HW_NUMBER_NONE &&
                   !hwParseNumber(field.text, field.text + field.length, &value);
    }
    return false;
}

// Reads the wanted fields of a row.
static bool ReadRow(const CsvJob* job, Field line, int number, double* values) {
    int found = 0;
    Field rest = line, field;
    for (int i = 0; NextField(&rest, &field); i++) {
        for (int j = 0; j < job->count; j++) {
            if (job->columns[j] != i) continue;
            found++;
            if (ParseField(field, &values[j]) == HW_NUMBER_OK && isfinite(values[j])) continue;
            char file[64];
            return hwReader_Fail(job->reader, job->node,
                                 "line %d of `%s` holds `%.*s` where a finite number should be, in column %d",
                                 number, hwQuoteText(file, sizeof(file), BaseName(job->path)),
                                 field.length > 40 ? 40 : (int)field.length, field.text, i + 1);
        }
    }
    if (found == job->count) return true;
    char file[64];
    return hwReader_Fail(job->reader, job->node, "line %d of `%s` has too few columns", number,
                         hwQuoteText(file, sizeof(file), BaseName(job->path)));
}

// The row of names, and where its columns are. `cursor` is left behind it.
static bool FindColumns(CsvJob* job, const char* const* names, const char** cursor, int* number) {
    Field line, header = {0};
    while (header.text == NULL && NextLine(cursor, &line)) {
        ++*number;
        if (!IsBlank(line)) header = line;
    }
    if (header.text == NULL) {
        char file[64];
        return hwReader_Fail(job->reader, job->node, "`%s` is empty; a CSV file begins with a row of names",
                             hwQuoteText(file, sizeof(file), BaseName(job->path)));
    }
    for (int i = 0; i < job->count; i++) {
        // without a name: the first
        job->columns[i] =
            names[i] != NULL ? FindColumn(job->reader, job->node, job->path, header, names[i]) : 0;
        if (job->columns[i] < 0) return false;
    }
    return true;
}

static bool ReadTable(hwReader* reader, const hwYaml* node, const char* path, int columnCount,
                      const char* const* names, CsvTable* table) {
    size_t size;
    char file[64];
    table->headed = true;
    const char* cursor = ReadNamed(reader, node, path, &size);
    if (cursor == NULL) return false;
    hwQuoteText(file, sizeof(file), BaseName(path));
    if (memchr(cursor, 0, size) != NULL)
        return hwReader_Fail(reader, node, "`%s` is not a CSV file: it holds zero bytes", file);
    CsvJob job = {.reader = reader, .node = node, .path = path, .count = columnCount};
    int number = 0, rows = 0;
    table->headed = FindColumns(&job, names, &cursor, &number);
    if (!table->headed) return false;
    Field line;
    for (const char* c = cursor; NextLine(&c, &line);) rows += !IsBlank(line);
    table->values = hwReader_Take(reader, (size_t)rows * (size_t)columnCount, sizeof(double));
    table->lines = table->values != NULL ? hwReader_Take(reader, (size_t)rows, sizeof(int)) : NULL;
    if (table->lines == NULL) return false;
    table->rows = 0;
    for (bool first = true; NextLine(&cursor, &line);) {
        number++;
        if (IsBlank(line)) continue;
        bool units = first && IsUnits(&job, line);
        first = false;
        if (units) continue;
        if (!ReadRow(&job, line, number, table->values + table->rows * columnCount)) return false;
        table->lines[table->rows++] = number;
    }
    if (table->rows == 0) return hwReader_Fail(reader, node, "`%s` has no rows of numbers", file);
    return true;
}

bool hwReadCsvColumns(hwReader* reader, const hwYaml* node, const char* path, const char* timeColumn,
                      int columnCount, const char* const* columns, int* count, const double** times,
                      const hwVec3** values) {
    const char* names[4] = {timeColumn};
    for (int i = 0; i < columnCount; i++) names[i + 1] = columns[i];
    CsvTable table;
    if (!ReadTable(reader, node, path, columnCount + 1, names, &table)) return false;
    double* t = hwReader_Take(reader, (size_t)table.rows, sizeof(*t));
    hwVec3* v = t != NULL ? hwReader_Take(reader, (size_t)table.rows, sizeof(*v)) : NULL;
    if (v == NULL) return false;
    for (int i = 0; i < table.rows; i++) {
        const double* row = table.values + i * (columnCount + 1);
        t[i] = row[0];
        if (i > 0 && !(t[i] > t[i - 1])) {
            char file[64];
            return hwReader_Fail(
                reader, node, "the times in `%s` must increase, but in line %d %g follows %g",
                hwQuoteText(file, sizeof(file), BaseName(path)), table.lines[i], t[i], t[i - 1]);
        }
        v[i] = columnCount == 3 ? hwMakeVec3(row[1], row[2], row[3]) : hwMakeVec3(row[1], row[1], row[1]);
    }
    *count = table.rows;
    *times = t;
    *values = v;
    return true;
}

// Current on a grid ---------------------------------------------------------------------------------------------------

// Whether a file's row of names has a column.
static bool HasColumn(const char* text, const char* name) {
    Field line, field;
    while (NextLine(&text, &line)) {
        if (IsBlank(line)) continue;
        while (NextField(&line, &field)) {
            if (strlen(name) == field.length && memcmp(name, field.text, field.length) == 0) return true;
        }
        return false;
    }
    return false;
}

#define MOST_GRID_POINTS 50e6

bool hwReadFlowGrid(hwReader* reader, const hwYaml* node, const char* path, hwFlowGridDef* grid) {
    static const char* const axes[4] = {"x", "y", "depth", "time"};
    static const char* const parts[3] = {"u", "v", "w"};
    const char* names[7];
    int at[7], columns = 0; // at: which of the columns read, -1: the file does not have it
    char file[64];
    size_t size;
    const char* text = ReadNamed(reader, node, path, &size);
    if (text == NULL) return false;
    hwQuoteText(file, sizeof(file), BaseName(path));
    for (int i = 0; i < 7; i++) {
        const char* name = i < 4 ? axes[i] : parts[i - 4];
        bool needed = i == 4 || i == 5; // u and v
        at[i] = needed || HasColumn(text, name) ? columns : -1;
        if (at[i] >= 0) names[columns++] = name;
    }
    CsvTable table;
    if (!ReadTable(reader, node, path, columns, names, &table)) return false;
    double* lists[4];
    int counts[4];
    double points = 1.0;
    for (int k = 0; k < 4; k++) {
        lists[k] = hwReader_Take(reader, (size_t)table.rows, sizeof(double));
        if (lists[k] == NULL) return false;
        for (int i = 0; i < table.rows; i++)
            lists[k][i] = at[k] < 0 ? 0.0 : table.values[i * columns + at[k]];
        counts[k] = hwSortUnique(lists[k], table.rows);
        points *= counts[k];
    }
    if (points > MOST_GRID_POINTS)
        return hwReader_Fail(reader, node, "`%s` is too large: its axes make %g points, %g at most", file,
                             points, MOST_GRID_POINTS);
    hwVec3* velocities = hwReader_Take(reader, (size_t)points, sizeof(hwVec3));
    int* lines = velocities != NULL ? hwReader_Take(reader, (size_t)points, sizeof(int)) : NULL;
    if (lines == NULL) return false;
    memset(lines, 0, (size_t)points * sizeof(int));
    for (int i = 0; i < table.rows; i++) {
        const double* row = table.values + i * columns;
        size_t place = 0;
        for (int k = 3; k >= 0; k--)
            place = place * (size_t)counts[k] +
                    (size_t)hwFindNumber(lists[k], counts[k], at[k] < 0 ? 0.0 : row[at[k]]);
        if (lines[place] > 0)
            return hwReader_Fail(reader, node, "line %d of `%s` gives the same place and time as line %d",
                                 table.lines[i], file, lines[place]);
        lines[place] = table.lines[i];
        velocities[place] = hwMakeVec3(row[at[4]], row[at[5]], at[6] < 0 ? 0.0 : row[at[6]]);
    }
    for (size_t i = 0; i < (size_t)points; i++) {
        if (lines[i] > 0) continue;
        size_t x = i % (size_t)counts[0], y = i / (size_t)counts[0] % (size_t)counts[1];
        size_t level = i / (size_t)counts[0] / (size_t)counts[1];
        return hwReader_Fail(reader, node,
                             "`%s` is not a full grid: x = %g, y = %g, depth = %g, time = %g is missing",
                             file, lists[0][x], lists[1][y], lists[2][level % (size_t)counts[2]],
                             lists[3][level / (size_t)counts[2]]);
    }
    *grid = (hwFlowGridDef){counts[0], counts[1], counts[2], counts[3], lists[0],
                            lists[1],  lists[2],  lists[3],  velocities};
    return true;
}

// Response operators of a ship -------------------------------------------------------------------------------------

#define RAO_COLUMNS 14

static const char* const raoColumns[RAO_COLUMNS] = {
    "heading_deg",    "period",          "surge",           "surge_phase_deg", "sway",
    "sway_phase_deg", "heave",           "heave_phase_deg", "roll_deg",        "roll_phase_deg",
    "pitch_deg",      "pitch_phase_deg", "yaw_deg",         "yaw_phase_deg"};

void hwReader_HintRao(hwReader* reader) {
    snprintf(
        reader->error->hint, sizeof(reader->error->hint),
        "tables of ShipMo3D, MOSES, AQWA and others become a .csv with the columns that docs/scenes.md lists "
        "under motion.prescribed; WAMIT's .4 and OrcaFlex's files are read as they are");
}

bool hwReadRaoTable(hwReader* reader, const hwYaml* node, const char* path, hwRaoDef* rao) {
    CsvTable table;
    if (!ReadTable(reader, node, path, RAO_COLUMNS, raoColumns, &table)) {
        if (!table.headed) hwReader_HintRao(reader);
        return false;
    }
    int periods = 1;
    while (periods < table.rows && table.values[periods * RAO_COLUMNS] == table.values[0]) periods++;
    int headings = (table.rows + periods - 1) / periods;
    double* h = hwReader_Take(reader, (size_t)headings, sizeof(*h));
    double* p = h != NULL ? hwReader_Take(reader, (size_t)periods, sizeof(*p)) : NULL;
    double* r = p != NULL ? hwReader_Take(reader, (size_t)(headings * periods) * 12, sizeof(*r)) : NULL;
    if (r == NULL) return false;
    for (int i = 0; i < headings * periods; i++) {
        const double* row = table.values + i * RAO_COLUMNS;
        if (i < periods) p[i] = row[1];
        if (i < table.rows && i % periods == 0) h[i / periods] = row[0] * HW_DEGREE;
        if (i >= table.rows || row[0] * HW_DEGREE != h[i / periods] || row[1] != p[i % periods]) {
            char file[64];
            return hwReader_Fail(
                reader, node,
                "`%s` is not a full table: %s %d does not go on with heading %g, period %g; rows are "
                "sorted by heading, each with the same periods",
                hwQuoteText(file, sizeof(file), BaseName(path)),
                i < table.rows ? "line" : "what follows line",
                table.lines[i < table.rows ? i : table.rows - 1], h[i / periods] / HW_DEGREE, p[i % periods]);
        }
        for (int k = 0; k < 6; k++) {
            r[12 * i + 2 * k] = row[2 + 2 * k] * (k < 3 ? 1.0 : HW_DEGREE);
            r[12 * i + 2 * k + 1] = row[3 + 2 * k] * HW_DEGREE;
        }
    }
    *rao = (hwRaoDef){headings, h, periods, p, r};
    return true;
}

// Heightfields -----------------------------------------------------------------------------------------------------

#define MOST_HEIGHTS 25000000

// The next number of a text with # comments; separators are blanks, commas and line ends.
static bool NextNumber(const char** cursor, Field* field) {
    for (;;) {
        *cursor += strspn(*cursor, " \t\r\n,;");
        if (**cursor != '#') break;
        *cursor += strcspn(*cursor, "\n");
    }
    field->text = *cursor;
    field->length = strcspn(*cursor, " \t\r\n,;#");
    *cursor += field->length;
    return field->length > 0;
}

static int CountNumbers(const char* text, size_t length) {
    int count = 0;
    for (size_t i = 0; i < length;) {
        size_t gap = strspn(text + i, " \t\r,;");
        i += gap;
        size_t word = strcspn(text + i, " \t\r\n,;#");
        if (i >= length || word == 0) break;
        count++;
        i += word;
    }
    return count;
}

static bool FailHeights(hwReader* reader, const hwYaml* node, const char* path, const char* what) {
    char file[64];
    return hwReader_Fail(reader, node, "`%s` is not a heightfield: %s",
                         hwQuoteText(file, sizeof(file), BaseName(path)), what);
}

// With commas: one line for each row of the grid. Returns its size.
static bool MeasureGrid(hwReader* reader, const hwYaml* node, const char* path, const char* text,
                        int* columns, int* rows) {
    Field line;
    *columns = *rows = 0;
    for (int number = 1; NextLine(&text, &line); number++) {
        if (IsBlank(line)) continue;
        int count = CountNumbers(line.text, line.length);
        if (*columns == 0) *columns = count;
        if (count != *columns) {
            char what[96];
            snprintf(what, sizeof(what), "line %d has %d heights, the first row has %d", number, count,
                     *columns);
            return FailHeights(reader, node, path, what);
        }
        ++*rows;
    }
    return true;
}

// ESRI's ASCII grid: names and numbers, then rows of heights from north to south, each from west to east. North is x, west is y:
// its south-western height stands at `origin`, and the grid goes on to the north and to the east. Where on the earth its corner
// is does not matter.
static bool ReadEsriGrid(hwReader* reader, const hwYaml* node, const char* path, const char* text,
                         hwSceneSeabed* seabed) {
    double columns = 0.0, rows = 0.0, cell = 0.0, missing = (double)NAN;
    const char* cursor = text;
    Field field;
    double value;
    for (;;) {
        const char* before = cursor;
        if (!NextNumber(&cursor, &field)) break;
        if (ParseField(field, &value) == HW_NUMBER_OK) { // the first height
            cursor = before;
            break;
        }
        Field name = field;
        if (!NextNumber(&cursor, &field) || ParseField(field, &value) != HW_NUMBER_OK)
            return FailHeights(reader, node, path, "a line of its head is a name and a number");
        if (name.length == 5 && strncasecmp(name.text, "ncols", 5) == 0) columns = value;
        if (name.length == 5 && strncasecmp(name.text, "nrows", 5) == 0) rows = value;
        if (name.length == 8 && strncasecmp(name.text, "cellsize", 8) == 0) cell = value;
        if (name.length == 12 && strncasecmp(name.text, "NODATA_value", 12) == 0) missing = value;
    }
    if (!(columns >= 2.0 && rows >= 2.0 && columns * rows <= MOST_HEIGHTS && columns == floor(columns) &&
          rows == floor(rows) && cell > 0.0))
        return FailHeights(
            reader, node, path,
            "it needs ncols and nrows of at least 2, 25 million heights at most, and a cellsize above 0");
    int east = (int)columns, north = (int)rows;
    double* heights = hwReader_Take(reader, (size_t)east * (size_t)north, sizeof(*heights));
    if (heights == NULL) return false;
    for (int i = 0; i < east * north; i++) {
        char what[120];
        if (!NextNumber(&cursor, &field)) {
            snprintf(what, sizeof(what), "it holds %d heights where %d are announced", i, east * north);
            return FailHeights(reader, node, path, what);
        }
        if (ParseField(field, &value) != HW_NUMBER_OK || !isfinite(value) || value == missing) {
            snprintf(what, sizeof(what), "the height in row %d, column %d is %s", i / east + 1, i % east + 1,
                     value == missing ? "missing: cut the grid, or fill it" : "no finite number");
            return FailHeights(reader, node, path, what);
        }
        heights[(east - 1 - i % east) * north + (north - 1 - i / east)] = value;
    }
    if (NextNumber(&cursor, &field))
        return FailHeights(reader, node, path, "it holds more heights than announced");
    seabed->columns = north;
    seabed->rows = east;
    seabed->spacing = cell;
    seabed->origin.y -= (east - 1) * cell;
    seabed->heights = heights;
    return true;
}

bool hwReadHeightfield(hwReader* reader, const hwYaml* node, const char* path, hwSceneSeabed* seabed) {
    size_t size;
    const char* text = ReadNamed(reader, node, path, &size);
    if (text == NULL) return false;
    if (memchr(text, 0, size) != NULL) return FailHeights(reader, node, path, "it holds zero bytes");
    const char* dot = strrchr(path, '.');
    if (dot != NULL && strcasecmp(dot, ".asc") == 0) return ReadEsriGrid(reader, node, path, text, seabed);
    const char* cursor = text;
    Field field;
    double numbers[3] = {0.0, 0.0, seabed->spacing};
    if (strchr(text, ',') != NULL) {
        int columns, rows;
        if (!MeasureGrid(reader, node, path, text, &columns, &rows)) return false;
        numbers[0] = columns;
        numbers[1] = rows;
        if (!(seabed->spacing > 0.0))
            return FailHeights(reader, node, path, "a grid of heights needs `spacing` in the scene");
    } else {
        for (int i = 0; i < 3; i++) {
            double value;
            if (!NextNumber(&cursor, &field) || ParseField(field, &value) != HW_NUMBER_OK) {
                return FailHeights(reader, node, path, "it must begin with `columns rows spacing`");
            }
            if (i < 2 || !(seabed->spacing > 0.0)) numbers[i] = value;
        }
    }
    bool whole = numbers[0] == floor(numbers[0]) && numbers[1] == floor(numbers[1]);
    if (!whole || !(numbers[0] >= 2.0 && numbers[1] >= 2.0 && numbers[0] * numbers[1] <= MOST_HEIGHTS)) {
        return FailHeights(reader, node, path,
                           "it needs at least 2 columns and 2 rows, and 25 million heights at most");
    }
    if (!(numbers[2] > 0.0 && isfinite(numbers[2])))
        return FailHeights(reader, node, path, "the spacing must be above 0");
    int count = (int)(numbers[0] * numbers[1]);
    double* heights = hwReader_Take(reader, (size_t)count, sizeof(*heights));
    if (heights == NULL) return false;
    for (int i = 0; i < count; i++) {
        if (NextNumber(&cursor, &field) && ParseField(field, &heights[i]) == HW_NUMBER_OK &&
            isfinite(heights[i]))
            continue;
        char what[120];
        if (field.length == 0) {
            snprintf(what, sizeof(what), "it holds %d heights where %d are announced", i, count);
        } else {
            snprintf(what, sizeof(what), "height %d is `%.*s`, not a finite number", i + 1,
                     field.length > 40 ? 40 : (int)field.length, field.text);
        }
        return FailHeights(reader, node, path, what);
    }
    if (NextNumber(&cursor, &field))
        return FailHeights(reader, node, path, "it holds more heights than announced");
    seabed->columns = (int)numbers[0];
    seabed->rows = (int)numbers[1];
    seabed->spacing = numbers[2];
    seabed->heights = heights;
    return true;
}
