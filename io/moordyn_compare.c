// MoorDyn's output beside a run of the converted scene.
#define _POSIX_C_SOURCE 200809L
#include "moordyn_deck.h"

#include "hawser/convert.h"
#include "hawser/results.h"
#include "scene_read.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define COOKIE 0x4d444346
#define MOST_COLUMNS 400
#define MOST_BYTES (256u << 20)

// A value of the run: a channel, the length of a vector of three, or the mean of two.
typedef enum Form { FORM_NONE, FORM_PLAIN, FORM_LENGTH, FORM_MEAN } Form;

typedef struct Column {
    Form form;
    char channels[3][96];
    int indices[3];
    double* series; // a value for each row of the run
} Column;

typedef struct Comparison {
    const hwMoordynCompareDef* def;
    hwMoordynDeck deck;
    hwError* error;
    int columnCount, rowCount; // of the output
    char (*names)[48];
    double* table; // rowCount x columnCount
    int timeColumn;
    Column* columns;
    int runCount; // rows of the run
    double* runTimes;
} Comparison;

hwMoordynCompareDef hwDefaultMoordynCompareDef(void) {
    return (hwMoordynCompareDef){.scale = 1.0, .from = -HUGE_VAL, .to = HUGE_VAL, .cookie = COOKIE};
}

// The output ---------------------------------------------------------------------------------------------------------------------

static bool FailOutput(const Comparison* c, int line, const char* text) {
    hwSceneFail(c->error, HW_ERROR_FORMAT, line, 1, "%s", text);
    snprintf(c->error->object, sizeof(c->error->object), "%.60s", c->def->output);
    return false;
}

// The next word of a line, zero-terminated in place; null at its end.
static char* TakeWord(char** at) {
    *at += strspn(*at, " \t\r,");
    if (**at == 0) return NULL;
    char* word = *at;
    *at += strcspn(*at, " \t\r,");
    if (**at != 0) *(*at)++ = 0;
    return word;
}

static bool ReadNames(Comparison* c, char* line) {
    for (char* word; (word = TakeWord(&line)) != NULL;) {
        if (c->columnCount == MOST_COLUMNS) return FailOutput(c, 1, "the file has too many columns");
        snprintf(c->names[c->columnCount++], sizeof(c->names[0]), "%s", word);
    }
    return true;
}

static bool ReadRow(Comparison* c, char* line, int number) {
    double values[MOST_COLUMNS];
    int count = 0;
    for (char* word; (word = TakeWord(&line)) != NULL && count < c->columnCount; count++) {
        if (!hwMoordyn_ParseNumber(word, &values[count]))
            return FailOutput(c, number, "this row holds what is no number");
    }
    if (count == 0) return true;
    if (count < c->columnCount) return FailOutput(c, number, "this row has fewer columns than the heading");
    size_t size = (size_t)c->columnCount * sizeof(double);
    c->table = hwMoordyn_Grow(&c->deck, c->table, c->rowCount, size);
    if (c->table == NULL) return false;
    memcpy(c->table + (size_t)c->rowCount * (size_t)c->columnCount, values, size);
    c->rowCount += 1;
    return true;
}

static bool BeginsWithNumber(const char* line) {
    char* end = NULL;
    line += strspn(line, " \t\r,");
    strtod(line, &end);
    return end != line && (*end == 0 || isspace((unsigned char)*end) || *end == ',');
}

// The heading: OpenFAST and its driver write lines of title above it.
static bool NamesTime(const char* line) {
    line += strspn(line, " \t\r,");
    return strncasecmp(line, "time", 4) == 0 && (line[4] == 0 || strchr(" \t\r,([_", line[4]) != NULL);
}

static bool ReadOutput(Comparison* c) {
    size_t size;
    char* text = hwReadFileText(&c->deck.store, c->def->output, MOST_BYTES, 0, 0, &size, c->error);
    c->names = hwStore_Take(&c->deck.store, MOST_COLUMNS, sizeof(*c->names));
    if (text == NULL) return false;
    if (c->names == NULL) return hwSceneFail_Memory(c->error) == HW_OK;
    if (c->def->columns != NULL) {
        char* copy = hwStore_CopyText(&c->deck.store, c->def->columns, strlen(c->def->columns));
        if (copy == NULL || !ReadNames(c, copy)) return false;
    }
    int number = 0;
    for (char* at = text; *at != 0;) {
        char* line = at;
        size_t length = strcspn(at, "\n");
        at += length + (at[length] == '\n');
        line[length] = 0;
        number += 1;
        if (!BeginsWithNumber(line)) {
            bool named = c->columnCount > 0 && (c->def->columns != NULL || !NamesTime(line));
            if (c->rowCount > 0 || named) continue; // units
            c->columnCount = 0;
            if (!ReadNames(c, line)) return false;
            continue;
        }
        if (c->columnCount == 0)
            return FailOutput(c, number, "the file has no heading: say what its columns are with --columns");
        if (!ReadRow(c, line, number)) return false;
    }
    c->timeColumn = 0;
    for (int i = 0; i < c->columnCount; i++) {
        if (strncasecmp(c->names[i], "time", 4) == 0) c->timeColumn = i;
    }
    return c->rowCount > 0 || FailOutput(c, 1, "the file has no rows of numbers");
}

// Channels -----------------------------------------------------------------------------------------------------------------------

static int GetPieces(const hwMoordynDeck* deck, const hwMoordynLine* line) {
    return hwMoordyn_CountElements(deck, line) / line->elements;
}

// Node of the cable that is a node of a line, from its end A.
static int GetNode(const hwMoordynDeck* deck, const hwMoordynLine* line, int node) {
    int pieces = GetPieces(deck, line);
    return line->firstElement + pieces * (line->reversed ? line->elements - node : node);
}

static int CountNodes(const hwMoordynDeck* deck, int cable) {
    int count = 1;
    for (int i = cable; i >= 0; i = deck->lines[i].next)
        count += hwMoordyn_CountElements(deck, &deck->lines[i]);
    return count;
}

static void SetVector(Column* column, Form form, const char* object, const char* what) {
    column->form = form;
    for (int i = 0; i < 3; i++)
        snprintf(column->channels[i], sizeof(column->channels[i]), "%.60s.%.20s.%c", object, what, "xyz"[i]);
}

// Tension at a node of a line: within the cable the mean of the two elements there, at its ends what it pulls with.
static void MapTension(const hwMoordynDeck* deck, const hwMoordynLine* line, int node, Column* column) {
    char name[64], end[72];
    int at = GetNode(deck, line, node), last = CountNodes(deck, line->cable) - 1;
    hwMoordyn_NameCable(deck, line->cable, name, sizeof(name));
    if (at == 0 || at == last) {
        snprintf(end, sizeof(end), "%s.%c", name, at == 0 ? 'a' : 'b');
        SetVector(column, FORM_LENGTH, end, "force");
        return;
    }
    column->form = FORM_MEAN;
    snprintf(column->channels[0], sizeof(column->channels[0]), "%s.element[%d].tension", name, at - 1);
    snprintf(column->channels[1], sizeof(column->channels[1]), "%s.element[%d].tension", name, at);
}

// PX, VY and the like: which quantity and which axis of `object`.
static bool MapMotion(const char* object, const char* suffix, Column* column) {
    static const char* const words[] = {"position", "velocity"};
    if (strlen(suffix) != 2) return false;
    int what = toupper((unsigned char)suffix[0]) == 'P'   ? 0
               : toupper((unsigned char)suffix[0]) == 'V' ? 1
                                                          : -1;
    int axis = tolower((unsigned char)suffix[1]) - 'x';
    if (what < 0 || axis < 0 || axis > 2) return false;
    column->form = FORM_PLAIN;
    snprintf(column->channels[0], sizeof(column->channels[0]), "%.70s.%s.%c", object, words[what],
             "xyz"[axis]);
    return true;
}

static bool MapNode(const hwMoordynDeck* deck, const hwMoordynLine* line, int node, const char* suffix,
                    Column* column) {
    char name[64], object[96];
    if (node < 0 || node > line->elements) return false;
    if (strcasecmp(suffix, "T") == 0 || strcasecmp(suffix, "TEN") == 0) {
        MapTension(deck, line, node, column);
        return true;
    }
    hwMoordyn_NameCable(deck, line->cable, name, sizeof(name));
    snprintf(object, sizeof(object), "%s.node[%d]", name, GetNode(deck, line, node));
    return MapMotion(object, suffix, column);
}

static bool MapSegment(const hwMoordynDeck* deck, const hwMoordynLine* line, int segment, Column* column) {
    char name[64];
    if (segment < 1 || segment > line->elements) return false;
    int pieces = GetPieces(deck, line);
    int at = line->firstElement + pieces * (line->reversed ? line->elements - segment : segment - 1);
    hwMoordyn_NameCable(deck, line->cable, name, sizeof(name));
    column->form = FORM_PLAIN;
    snprintf(column->channels[0], sizeof(column->channels[0]), "%s.element[%d].tension", name, at);
    return true;
}

// FX of a point that is held: what its only line pulls it with.
static bool MapHeld(const hwMoordynDeck* deck, int index, const char* suffix, Column* column) {
    const hwMoordynPoint* point = &deck->points[index];
    int axis = tolower((unsigned char)suffix[0]) == 'f' ? tolower((unsigned char)suffix[1]) - 'x' : -1,
        ends = 0;
    if (axis < 0 || axis > 2 || suffix[2] != 0 || point->mass != 0.0 || point->volume != 0.0) return false;
    for (int i = 0; i < deck->lineCount; i++) {
        for (int e = 0; e < 2; e++) {
            const hwMoordynLine* line = &deck->lines[i];
            if (line->ends[e].rod || line->ends[e].index != index) continue;
            ends += 1;
            MapTension(deck, line, e == 1 ? line->elements : 0, column);
        }
    }
    if (ends != 1 || column->form != FORM_LENGTH) return false;
    column->form = FORM_PLAIN;
    memmove(column->channels[0], column->channels[axis], sizeof(column->channels[0]));
    return true;
}

// A point is a body, a node of a cable, or stands where it was put.
static bool MapPoint(const hwMoordynDeck* deck, int index, const char* suffix, Column* column) {
    const hwMoordynPoint* point = &deck->points[index];
    char object[32];
    if (point->kind != HW_MOORDYN_FREE) return MapHeld(deck, index, suffix, column);
    if (!hwMoordyn_IsNode(point)) {
        snprintf(object, sizeof(object), "point%d", point->id);
        return MapMotion(object, suffix, column);
    }
    for (int i = 0; i < deck->lineCount; i++) {
        for (int e = 0; e < 2; e++) {
            hwMoordynEnd end = deck->lines[i].ends[e];
            if (end.rod || end.index != index) continue;
            return MapNode(deck, &deck->lines[i], e == 1 ? deck->lines[i].elements : 0, suffix, column);
        }
    }
    return false;
}

static bool MapNumbered(const hwMoordynDeck* deck, const char* letters, int id, const char* rest,
                        Column* column) {
    int line = hwMoordyn_FindLine(deck, id), number = 0, used = 0;
    char object[32], suffix[16] = "";
    if (strcasecmp(letters, "FAIRTEN") == 0 || strcasecmp(letters, "ANCHTEN") == 0) {
        if (line < 0 || *rest != 0) return false;
        bool fairlead = toupper((unsigned char)letters[0]) == 'F';
        MapTension(deck, &deck->lines[line], fairlead ? deck->lines[line].elements : 0, column);
        return true;
    }
    if (strcasecmp(letters, "L") == 0 || strcasecmp(letters, "LINE") == 0) {
        if (line < 0) return false;
        if (sscanf(rest, "%*1[Nn]%d%15s%n", &number, suffix, &used) == 2)
            return MapNode(deck, &deck->lines[line], number, suffix, column);
        if (strncasecmp(rest, "NA", 2) == 0) return MapNode(deck, &deck->lines[line], 0, rest + 2, column);
        if (strncasecmp(rest, "NB", 2) == 0)
            return MapNode(deck, &deck->lines[line], deck->lines[line].elements, rest + 2, column);
        bool b = strcasecmp(rest, "TENB") == 0;
        if (!b && strcasecmp(rest, "TENA") != 0) return false;
        MapTension(deck, &deck->lines[line], b ? deck->lines[line].elements : 0, column);
        return true;
    }
    if (strcasecmp(letters, "CON") == 0 || strcasecmp(letters, "C") == 0 || strcasecmp(letters, "P") == 0 ||
        strcasecmp(letters, "POINT") == 0) {
        int point = hwMoordyn_FindPoint(deck, id);
        return point >= 0 && MapPoint(deck, point, rest, column);
    }
    if (strcasecmp(letters, "BODY") == 0 || strcasecmp(letters, "B") == 0 ||
        strcasecmp(letters, "ROD") == 0 || strcasecmp(letters, "R") == 0) {
        bool body = toupper((unsigned char)letters[0]) == 'B';
        int index = body ? hwMoordyn_FindBody(deck, id) : hwMoordyn_FindRod(deck, id);
        if (index < 0) return false;
        if ((body ? deck->bodies[index].kind : deck->rods[index].kind) != HW_MOORDYN_FREE) return false;
        snprintf(object, sizeof(object), body ? "body%d" : "rod%d", id);
        return MapMotion(object, rest, column);
    }
    return false;
}

// Columns of a line's own file: Node3px, Seg4Te.
static bool MapLineColumn(const hwMoordynDeck* deck, int id, const char* letters, int number,
                          const char* rest, Column* column) {
    int line = hwMoordyn_FindLine(deck, id);
    if (line < 0) return false;
    if (strcasecmp(letters, "NODE") == 0) return MapNode(deck, &deck->lines[line], number, rest, column);
    bool tension = strcasecmp(rest, "TE") == 0 || strcasecmp(rest, "TEN") == 0 || strcasecmp(rest, "T") == 0;
    return strcasecmp(letters, "SEG") == 0 && tension && MapSegment(deck, &deck->lines[line], number, column);
}

static bool MapColumn(Comparison* c, int line, const char* name, Column* column) {
    char letters[16] = "";
    size_t length = strcspn(name, "0123456789");
    if (length == 0 || length >= sizeof(letters) || name[length] == 0) return false;
    memcpy(letters, name, length);
    char* rest = NULL;
    long number = strtol(name + length, &rest, 10);
    if (number > 1000000) return false;
    if (line > 0 && MapLineColumn(&c->deck, line, letters, (int)number, rest, column)) return true;
    return MapNumbered(&c->deck, letters, (int)number, rest, column);
}

// The number in `..._Line3.out`.
static int FindOwnLine(const hwMoordynCompareDef* def) {
    const char *name = strrchr(def->output, '/'), *at = name != NULL ? name : def->output;
    int line = def->line;
    for (; *at != 0 && line == 0; at++) {
        if (strncasecmp(at, "_line", 5) == 0) line = atoi(at + 5);
    }
    return line;
}

// The run ------------------------------------------------------------------------------------------------------------------------

static double Evaluate(const Column* column, const double* row) {
    double a = row[column->indices[0]];
    if (column->form == FORM_PLAIN) return a;
    double b = row[column->indices[1]];
    if (column->form == FORM_MEAN) return 0.5 * (a + b);
    double z = row[column->indices[2]];
    return sqrt(a * a + b * b + z * z);
}

// Which channels the columns need; those the run did not record are told apart.
static void FindChannels(Comparison* c, hwResults* results, int line, hwMoordynDifference* differences,
                         int capacity) {
    for (int i = 0; i < c->columnCount; i++) {
        Column* column = &c->columns[i];
        hwMoordynDifference ignored, *difference = i < capacity ? &differences[i] : &ignored;
        memset(difference, 0, sizeof(*difference));
        snprintf(difference->name, sizeof(difference->name), "%s", c->names[i]);
        if (i == c->timeColumn || !MapColumn(c, line, c->names[i], column)) {
            snprintf(difference->channel, sizeof(difference->channel),
                     i == c->timeColumn ? "time" : "has no counterpart, or is held");
            column->form = FORM_NONE;
            continue;
        }
        int count = column->form == FORM_PLAIN ? 1 : column->form == FORM_MEAN ? 2 : 3;
        snprintf(difference->channel, sizeof(difference->channel), "%s", column->channels[0]);
        char* dot = strrchr(difference->channel, '.');
        if (column->form == FORM_LENGTH && dot != NULL) *dot = 0;
        for (int k = 0; k < count; k++) {
            column->indices[k] = hwResults_FindChannel(results, column->channels[k]);
            if (column->indices[k] >= 0) continue;
            snprintf(difference->channel, sizeof(difference->channel), "%.70s was not recorded",
                     column->channels[k]);
            column->form = FORM_NONE;
            break;
        }
        if (column->form == FORM_NONE) continue;
        snprintf(difference->unit, sizeof(difference->unit), "%s",
                 hwResults_GetChannel(results, column->indices[0]).unit);
    }
}

static bool ReadRun(Comparison* c, hwResults* results) {
    int64_t rows = hwResults_GetRowCount(results);
    int channels = hwResults_GetChannelCount(results);
    enum { CHUNK = 64 };
    if (rows < 2 || rows > INT32_MAX) {
        hwSceneFail(c->error, HW_ERROR_FORMAT, 0, 0, "the run has %lld rows; at least two are needed",
                    (long long)rows);
        return false;
    }
    c->runCount = (int)rows;
    c->runTimes = HW_STORE_TAKE(&c->deck.store, double, rows);
    double* values = HW_STORE_TAKE(&c->deck.store, double, CHUNK*(size_t)channels);
    bool good = c->runTimes != NULL && values != NULL;
    for (int i = 0; i < c->columnCount && good; i++) {
        if (c->columns[i].form != FORM_NONE) {
            c->columns[i].series = HW_STORE_TAKE(&c->deck.store, double, rows);
            good = c->columns[i].series != NULL;
        }
    }
    if (!good) return hwSceneFail_Memory(c->error) == HW_OK;
    for (int64_t first = 0; first < rows; first += CHUNK) {
        int64_t count = rows - first < CHUNK ? rows - first : CHUNK;
        if (hwResults_ReadRows(results, first, count, values, c->error) != HW_OK) return false;
        for (int64_t r = 0; r < count; r++) {
            const double* row = values + r * channels;
            c->runTimes[first + r] = row[0];
            for (int i = 0; i < c->columnCount; i++) {
                if (c->columns[i].form != FORM_NONE)
                    c->columns[i].series[first + r] = Evaluate(&c->columns[i], row);
            }
        }
    }
    return true;
}

// Differences --------------------------------------------------------------------------------------------------------------------

static void Compare(const Comparison* c, int index, hwMoordynDifference* difference) {
    const Column* column = &c->columns[index];
    double squares = 0.0;
    int at = 0, last = c->runCount - 1;
    difference->low = HUGE_VAL;
    difference->high = -HUGE_VAL;
    for (int r = 0; r < c->rowCount; r++) {
        const double* row = c->table + (size_t)r * (size_t)c->columnCount;
        double time = row[c->timeColumn] + c->def->shift, value = c->def->scale * row[index];
        if (time < c->def->from || time > c->def->to) continue;
        if (time < c->runTimes[0] || time > c->runTimes[last]) continue;
        if (at > 0 && time < c->runTimes[at]) at = 0;
        while (at < last - 1 && c->runTimes[at + 1] < time) at += 1;
        double share = (time - c->runTimes[at]) / (c->runTimes[at + 1] - c->runTimes[at]);
        double own = column->series[at] + share * (column->series[at + 1] - column->series[at]);
        double off = own - value;
        squares += off * off;
        difference->count += 1;
        difference->low = hwFmin(difference->low, value);
        difference->high = hwFmax(difference->high, value);
        if (difference->count > 1 && !(fabs(off) > fabs(difference->largest))) continue;
        difference->largest = off;
        difference->time = time;
    }
    if (difference->count > 0) difference->rms = sqrt(squares / difference->count);
}

static bool Run(Comparison* c, int capacity, hwMoordynDifference* differences, int* count) {
    size_t size;
    char* text = hwReadFileText(&c->deck.store, c->def->deck, HW_MOORDYN_BYTES, 0, 0, &size, c->error);
    if (text == NULL || !hwMoordyn_ReadDeck(&c->deck, text)) return false;
    hwMoordyn_JoinLines(&c->deck);
    if (!ReadOutput(c)) return false;
    c->columns = HW_STORE_TAKE(&c->deck.store, Column, c->columnCount);
    if (c->columns == NULL) return hwSceneFail_Memory(c->error) == HW_OK;
    hwResults* results = hwOpenResults(c->def->results, c->error);
    if (results == NULL) return false;
    FindChannels(c, results, FindOwnLine(c->def), differences, capacity);
    bool good = ReadRun(c, results);
    hwCloseResults(results);
    bool any = false, known = false;
    for (int i = 0; i < c->columnCount && i < capacity && good; i++) {
        if (c->columns[i].form == FORM_NONE) continue;
        known = true;
        Compare(c, i, &differences[i]);
        any = any || differences[i].count > 0;
    }
    *count = c->columnCount;
    if (!good) return false;
    if (!known) return FailOutput(c, 1, "none of its columns was recorded by the run");
    if (any) return true;
    return FailOutput(c, 1, "no row lies within the times of the run; --shift moves them");
}

hwStatus hwCompareMoordyn(const hwMoordynCompareDef* def, int capacity, hwMoordynDifference* differences,
                          int* count, hwError* error) {
    hwError local;
    Comparison c = {.def = def, .error = error != NULL ? error : &local};
    memset(c.error, 0, sizeof(*c.error));
    *count = 0;
    if (def == NULL || def->cookie != COOKIE || def->deck == NULL || def->output == NULL ||
        def->results == NULL) {
        return hwSceneFail(
            c.error, HW_ERROR_ARGUMENT, 0, 0,
            "a comparison needs a def from hwDefaultMoordynCompareDef with deck, output and results");
    }
    hwMoordyn_InitDeck(&c.deck, def->deck, NULL, NULL, hwMoordyn_ReadBeside, (void*)def->deck, c.error);
    bool good = Run(&c, capacity, differences, count);
    hwMoordyn_FreeDeck(&c.deck);
    return good ? HW_OK : c.error->status;
}
