// Response amplitude operators in OrcaFlex's text layout (OrcaFlex manual, Importing hydrodynamic data: generic text files):
//     ***OrcaFlex Displacement RAO Start***
//     Draught NAME
//     Direction 0
//     WP XA XP YA YP ZA ZP RXA RXP RYA RYP RZA RZP
//     5.0 ...
// with WFR (rad/s) or WFH (Hz) instead of WP (s), blocks for each direction, and before that, where given,
//     ***OrcaFlex Conventions Start***
//     RAOResponseUnits=degrees, RAOPhaseConvention=lags, ...
// Directions are where waves go, relative to x.
#include "csv_number.h"
#include "rao_orcaflex.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((size_t)64 << 20)
enum { COLUMNS = 13, MOST_COLUMNS = 32 };

typedef struct Text {
    hwOrcaTable table;
    hwOrcaConventions conventions;
    const char* draught; // that is asked for, or null
    int line;            // of the file
    bool inside, inConventions, skips;
    double direction;
    bool hasDirection;
    int columns[COLUMNS]; // where WP, XA, XP, YA... stand; -1: nowhere
} Text;

static bool FailLine(const Text* text, const char* what) {
    return hwReader_Fail(text->table.reader, text->table.node, "`%s`, line %d: %s", text->table.quoted,
                         text->line, what);
}

static bool ReadConvention(Text* text, char* line) {
    char* equals = strchr(line, '=');
    if (equals == NULL) return true;
    size_t length = (size_t)(equals - line);
    while (length > 0 && isspace((unsigned char)line[length - 1])) length--;
    switch (hwOrcaConventions_Set(&text->conventions, line, length, equals + 1)) {
    case HW_ORCA_SET:
        return true;
    case HW_ORCA_UNKNOWN_KEY:
        return hwReader_Warn(text->table.reader, text->table.node->line, "`%s`, line %d: `%.*s` is not read",
                             text->table.quoted, text->line, (int)(length < 60 ? length : 60), line);
    case HW_ORCA_UNKNOWN_VALUE:
        break;
    }
    return FailLine(text, "this convention is not understood; waves by amplitude, phases that lag or lead, "
                          "and symmetry about the xz plane, both planes, none or circular are");
}

// The names of the columns.
static bool ReadHeader(Text* text, const char* line) {
    static const char* const names[COLUMNS] = {"",    "XA",  "XP",  "YA",  "YP",  "ZA", "ZP",
                                               "RXA", "RXP", "RYA", "RYP", "RZA", "RZP"};
    for (int i = 0; i < COLUMNS; i++) text->columns[i] = -1;
    int column = 0;
    for (const char* at = line; *at; column++) {
        at += strspn(at, " \t,");
        size_t length = strcspn(at, " \t,\r");
        if (length == 0) break;
        bool found = false;
        for (int i = 1; i < COLUMNS && !found; i++) {
            found = hwOrca_IsWord(at, length, names[i]);
            if (found) text->columns[i] = column;
        }
        if (hwOrca_IsWord(at, length, "WP") || hwOrca_IsWord(at, length, "WFH") ||
            hwOrca_IsWord(at, length, "WFR")) {
            text->columns[0] = column;
            text->conventions.wave = (char)toupper((unsigned char)at[length - 1]);
            found = true;
        }
        if (!found)
            return FailLine(
                text, "columns are WP, WFH or WFR, and XA, XP, YA, YP, ZA, ZP, RXA, RXP, RYA, RYP, RZA, RZP");
        at += length;
    }
    for (int i = 0; i < COLUMNS; i++)
        if (text->columns[i] < 0)
            return FailLine(text, "a column is missing: amplitude and phase of six motions are needed");
    return true;
}

static bool ReadRow(Text* text, const char* line) {
    double numbers[MOST_COLUMNS], row[COLUMNS];
    int found;
    if (!hwReadNumberLine(line, line + strlen(line), MOST_COLUMNS, numbers, &found))
        return FailLine(text, "a number is expected");
    if (found == 0) return true;
    if (!text->hasDirection || text->columns[0] < 0)
        return FailLine(text, "numbers come after a line `Direction` and the names of the columns");
    for (int i = 0; i < COLUMNS; i++) {
        if (text->columns[i] >= found) return FailLine(text, "there are fewer numbers than columns");
        row[i] = numbers[text->columns[i]];
    }
    return hwOrcaTable_Add(&text->table, &text->conventions, text->direction, row);
}

static bool StartDraught(Text* text, const char* name) {
    name += strspn(name, " \t");
    text->hasDirection = false;
    text->columns[0] = -1;
    if (text->draught != NULL) {
        text->skips = strcmp(name, text->draught) != 0;
        return true;
    }
    if (text->table.count > 0)
        return hwReader_Fail(text->table.reader, text->table.node,
                             "`%s`, line %d: a second draught begins: say which one with `rao_draught`",
                             text->table.quoted, text->line);
    return true;
}

static bool ReadLine(Text* text, char* line) {
    while (isspace((unsigned char)*line)) line++;
    size_t length = strlen(line);
    while (length > 0 && isspace((unsigned char)line[length - 1])) line[--length] = 0;
    if (length == 0) return true;
    if (hwOrca_Holds(line, "OrcaFlex")) {
        bool start = hwOrca_Holds(line, "Start");
        if (hwOrca_Holds(line, "Conventions")) text->inConventions = start;
        if (hwOrca_Holds(line, "Displacement RAO")) text->inside = start;
        return true;
    }
    if (text->inConventions) return ReadConvention(text, line);
    if (!text->inside) return true;
    size_t word = strcspn(line, " \t");
    if (hwOrca_IsWord(line, word, "Draught")) return StartDraught(text, line + word);
    if (text->skips) return true;
    if (hwOrca_IsWord(line, word, "Direction") || hwOrca_IsWord(line, word, "Heading")) {
        int found;
        text->hasDirection =
            hwReadNumberLine(line + word, line + length, 1, &text->direction, &found) && found == 1;
        return text->hasDirection || FailLine(text, "`Direction` is followed by degrees");
    }
    if (isalpha((unsigned char)*line)) return ReadHeader(text, line);
    return ReadRow(text, line);
}

bool hwReadOrcaFlexRao(hwReader* reader, const hwYaml* node, const char* path, const char* draught,
                       hwRaoDef* rao) {
    char quoted[80];
    Text text = {.table = {.reader = reader, .node = node, .quoted = quoted},
                 .conventions = hwDefaultOrcaConventions(),
                 .draught = draught,
                 .skips = draught != NULL,
                 .columns = {-1}};
    hwQuoteText(quoted, sizeof(quoted), path);
    hwStore store;
    hwStore_Init(&store, NULL);
    size_t size = 0;
    char* bytes = hwReadFileText(&store, path, MOST_BYTES, node->line, node->column, &size, reader->error);
    bool good = bytes != NULL;
    if (good && !hwOrca_Holds(bytes, "OrcaFlex Displacement RAO Start")) {
        good =
            hwReader_Fail(reader, node,
                          "`%s` is no table of response operators: a .txt file is OrcaFlex's, with the line "
                          "`***OrcaFlex Displacement RAO Start***`",
                          quoted);
        hwReader_HintRao(reader);
    }
    for (char* line = bytes; good && line != NULL && *line;) {
        char* end = strchr(line, '\n');
        if (end != NULL) *end = 0;
        text.line++;
        good = ReadLine(&text, line);
        line = end != NULL ? end + 1 : NULL;
    }
    if (good && text.skips && text.table.count == 0) {
        char name[64];
        good = hwReader_Fail(reader, node, "`%s` has no draught `%s`", quoted,
                             hwQuoteText(name, sizeof(name), draught));
    }
    good = good && hwOrcaTable_Finish(&text.table, &text.conventions, rao);
    free(text.table.rows);
    hwStore_Free(&store);
    return good;
}
