// Response amplitude operators in OrcaFlex's text layout (OrcaFlex manual, Importing hydrodynamic data: generic text files):
//     ***OrcaFlex Displacement RAO Start***
//     Draught NAME
//     Direction 0
//     WP XA XP YA YP ZA ZP RXA RXP RYA RYP RZA RZP
//     5.0 ...
// with WFR (rad/s) or WFH (Hz) instead of WP (s), blocks for each direction, and before that, where given,
//     ***OrcaFlex Conventions Start***
//     RAOResponseUnits=degrees, RAOPhaseConvention=lags, ...
// Axes are ours; directions are where waves go, relative to x. OrcaFlex's defaults: degrees per m of amplitude, phases in
// degrees by which the motion lags behind the crest.
#include "csv_number.h"
#include "scene_read.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((size_t)64 << 20)
enum { COLUMNS = 13, MOST_CELLS = 100000 };

typedef struct Table {
    hwReader* reader;
    const hwYaml* node;
    char quoted[80];
    int line; // of the file
    bool inside, conventions;
    double direction;
    bool hasDirection;
    int columns[COLUMNS]; // where WP, XA, XP, YA... stand; -1: nowhere
    char wave;            // 'P' period, 'H' hertz, 'R' rad/s
    double unit, sign;    // of rotations, of phases
    double phaseUnit, phaseShift;
    int count, capacity; // rows
    double (*rows)[14];  // direction, period, six pairs of amplitude and phase
} Table;

static bool FailLine(const Table* table, const char* what) {
    return hwReader_Fail(table->reader, table->node, "`%s`, line %d: %s", table->quoted, table->line, what);
}

static bool SameWord(const char* at, size_t length, const char* word) {
    if (strlen(word) != length) return false;
    for (size_t i = 0; i < length; i++) {
        if (tolower((unsigned char)at[i]) != tolower((unsigned char)word[i])) return false;
    }
    return true;
}

static bool HoldsWord(const char* line, const char* word) {
    for (const char* at = line; *at; at++)
        if (SameWord(at, strlen(at) < strlen(word) ? strlen(at) : strlen(word), word)) return true;
    return false;
}

static bool ReadConvention(Table* table, char* line) {
    char* equals = strchr(line, '=');
    if (equals == NULL) return true;
    size_t length = (size_t)(equals - line);
    const char* value = equals + 1;
    bool known = true;
    if (SameWord(line, length, "RAOResponseUnits")) {
        known = HoldsWord(value, "degrees") || HoldsWord(value, "radians");
        table->unit = HoldsWord(value, "radians") ? 1.0 : HW_DEGREE;
    } else if (SameWord(line, length, "RAOWaveUnit")) {
        known = HoldsWord(value, "amplitude");
    } else if (SameWord(line, length, "RAOPhaseConvention")) {
        known = HoldsWord(value, "lags") || HoldsWord(value, "leads");
        table->sign = HoldsWord(value, "leads") ? 1.0 : -1.0;
    } else if (SameWord(line, length, "RAOPhaseUnits")) {
        known = HoldsWord(value, "degrees") || HoldsWord(value, "radians");
        table->phaseUnit = HoldsWord(value, "radians") ? 1.0 : HW_DEGREE;
    } else if (SameWord(line, length, "RAOPhaseRelativeTo") || SameWord(line, length, "RAOPhaseReference")) {
        known = HoldsWord(value, "crest") || HoldsWord(value, "trough");
        table->phaseShift = HoldsWord(value, "trough") ? HW_PI : 0.0;
    }
    return known ||
           FailLine(
               table,
               "this convention is not understood; waves by amplitude, phases that lag or lead, from crest "
               "or trough, are");
}

// The names of the columns.
static bool ReadHeader(Table* table, const char* line) {
    static const char* const names[COLUMNS] = {"",    "XA",  "XP",  "YA",  "YP",  "ZA", "ZP",
                                               "RXA", "RXP", "RYA", "RYP", "RZA", "RZP"};
    for (int i = 0; i < COLUMNS; i++) table->columns[i] = -1;
    int column = 0;
    for (const char* at = line; *at; column++) {
        at += strspn(at, " \t,");
        size_t length = strcspn(at, " \t,\r");
        if (length == 0) break;
        bool found = false;
        for (int i = 1; i < COLUMNS && !found; i++) {
            found = SameWord(at, length, names[i]);
            if (found) table->columns[i] = column;
        }
        if (SameWord(at, length, "WP") || SameWord(at, length, "WFH") || SameWord(at, length, "WFR")) {
            table->columns[0] = column;
            table->wave = (char)toupper((unsigned char)at[length - 1]);
            found = true;
        }
        if (!found)
            return FailLine(
                table,
                "columns are WP, WFH or WFR, and XA, XP, YA, YP, ZA, ZP, RXA, RXP, RYA, RYP, RZA, RZP");
        at += length;
    }
    for (int i = 0; i < COLUMNS; i++)
        if (table->columns[i] < 0)
            return FailLine(table, "a column is missing: amplitude and phase of six motions are needed");
    return true;
}

static bool ReadRow(Table* table, const char* line) {
    double numbers[32];
    int found;
    if (!hwReadNumberLine(line, line + strlen(line), 32, numbers, &found))
        return FailLine(table, "a number is expected");
    if (found == 0) return true;
    if (!table->hasDirection || table->columns[0] < 0)
        return FailLine(table, "numbers come after a line `Direction` and the names of the columns");
    for (int i = 0; i < COLUMNS; i++)
        if (table->columns[i] >= found) return FailLine(table, "there are fewer numbers than columns");
    double wave = numbers[table->columns[0]];
    double period = table->wave == 'P' ? wave : table->wave == 'H' ? 1.0 / wave : 2.0 * HW_PI / wave;
    if (table->direction < 0.0 || table->direction > 180.0) return true; // port and starboard are alike
    if (!(wave > 0.0) || !isfinite(period)) return true;                 // the limits of long and short waves
    if (table->count == table->capacity) {
        int capacity = table->capacity ? 2 * table->capacity : 256;
        if (capacity > MOST_CELLS) return FailLine(table, "the file is too large");
        double(*rows)[14] = realloc(table->rows, (size_t)capacity * sizeof(*rows));
        if (rows == NULL) return hwReader_FailMemory(table->reader);
        table->rows = rows;
        table->capacity = capacity;
    }
    double* row = table->rows[table->count++];
    row[0] = table->direction;
    row[1] = period;
    for (int i = 0; i < 6; i++) {
        row[2 + 2 * i] = numbers[table->columns[1 + 2 * i]] * (i > 2 ? table->unit : 1.0);
        row[3 + 2 * i] =
            table->sign * table->phaseUnit * numbers[table->columns[2 + 2 * i]] + table->phaseShift;
    }
    return true;
}

static bool ReadLine(Table* table, char* line) {
    while (isspace((unsigned char)*line)) line++;
    size_t length = strlen(line);
    while (length > 0 && isspace((unsigned char)line[length - 1])) line[--length] = 0;
    if (length == 0) return true;
    bool marker = HoldsWord(line, "OrcaFlex");
    if (marker) {
        bool start = HoldsWord(line, "Start");
        if (HoldsWord(line, "Conventions")) table->conventions = start;
        if (HoldsWord(line, "Displacement RAO")) table->inside = start;
        return true;
    }
    if (table->conventions) return ReadConvention(table, line);
    if (!table->inside) return true;
    size_t word = strcspn(line, " \t");
    if (SameWord(line, word, "Draught")) {
        if (table->count == 0) return true;
        return FailLine(table, "a second draught begins: one is needed, in a file of its own");
    }
    if (SameWord(line, word, "Direction") || SameWord(line, word, "Heading")) {
        int found;
        table->hasDirection =
            hwReadNumberLine(line + word, line + length, 1, &table->direction, &found) && found == 1;
        return table->hasDirection || FailLine(table, "`Direction` is followed by degrees");
    }
    if (isalpha((unsigned char)*line)) return ReadHeader(table, line);
    return ReadRow(table, line);
}

static bool FillTable(const Table* table, hwRaoDef* rao) {
    hwReader* reader = table->reader;
    size_t count = (size_t)table->count;
    if (count == 0)
        return hwReader_Fail(reader, table->node,
                             "`%s` holds no motions for directions from 0 to 180 degrees", table->quoted);
    double* h = hwReader_Take(reader, count, sizeof(double));
    double* p = h != NULL ? hwReader_Take(reader, count, sizeof(double)) : NULL;
    if (p == NULL) return false;
    for (int i = 0; i < table->count; i++) {
        h[i] = table->rows[i][0];
        p[i] = table->rows[i][1];
    }
    int headings = hwSortUnique(h, table->count), periods = hwSortUnique(p, table->count);
    double* r = hwReader_Take(reader, (size_t)headings * (size_t)periods * 12, sizeof(double));
    if (r == NULL) return false;
    for (int i = 0; i < headings * periods * 12; i++) r[i] = (double)NAN;
    for (int i = 0; i < table->count; i++) {
        int cell = hwFindNumber(h, headings, table->rows[i][0]) * periods +
                   hwFindNumber(p, periods, table->rows[i][1]);
        memcpy(r + 12 * cell, table->rows[i] + 2, 12 * sizeof(double));
    }
    for (int i = 0; i < headings * periods; i++) {
        if (isnan(r[12 * i]))
            return hwReader_Fail(reader, table->node,
                                 "`%s` is not a full table: direction %g has no period of %g s",
                                 table->quoted, h[i / periods], p[i % periods]);
    }
    for (int i = 0; i < headings; i++) h[i] *= HW_DEGREE;
    *rao = (hwRaoDef){headings, h, periods, p, r};
    return true;
}

bool hwReadOrcaFlexRao(hwReader* reader, const hwYaml* node, const char* path, hwRaoDef* rao) {
    Table table = {.reader = reader,
                   .node = node,
                   .unit = HW_DEGREE,
                   .sign = -1.0,
                   .phaseUnit = HW_DEGREE,
                   .columns = {-1}};
    hwQuoteText(table.quoted, sizeof(table.quoted), path);
    hwStore store;
    hwStore_Init(&store, NULL);
    size_t size = 0;
    char* text = hwReadFileText(&store, path, MOST_BYTES, node->line, node->column, &size, reader->error);
    bool good = text != NULL;
    if (good && !HoldsWord(text, "OrcaFlex Displacement RAO Start"))
        good =
            hwReader_Fail(reader, node,
                          "`%s` is no table of response operators: a .txt file is OrcaFlex's, with the line "
                          "`***OrcaFlex Displacement RAO Start***`",
                          table.quoted);
    for (char* line = text; good && line != NULL && *line;) {
        char* end = strchr(line, '\n');
        if (end != NULL) *end = 0;
        table.line++;
        good = ReadLine(&table, line);
        line = end != NULL ? end + 1 : NULL;
    }
    good = good && FillTable(&table, rao);
    free(table.rows);
    hwStore_Free(&store);
    return good;
}
