// Response amplitude operators as WAMIT and programs like it (Capytaine) write them: the file .4, one motion a line,
//     period  heading  mode  |X|  phase  Re X  Im X
// with modes 1 to 6, phases in degrees ahead of the crest at the origin, headings in degrees where the waves go, rotations
// nondimensional by the length ULEN: X ULEN/A (WAMIT 7 user manual, 4.3). Axes and signs are ours.
#include "csv_number.h"
#include "scene_read.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((size_t)64 << 20)

typedef struct Line {
    double period, heading, modulus, phase;
    int mode, number;
} Line;

static int CompareNumbers(const void* first, const void* second) {
    double a = *(const double*)first, b = *(const double*)second;
    return a < b ? -1 : a > b ? 1 : 0;
}

int hwSortUnique(double* values, int count) {
    qsort(values, (size_t)count, sizeof(double), CompareNumbers);
    int kept = 0;
    for (int i = 0; i < count; i++) {
        if (kept == 0 || values[i] > values[kept - 1]) values[kept++] = values[i];
    }
    return kept;
}

int hwFindNumber(const double* values, int count, double value) {
    const double* found = bsearch(&value, values, (size_t)count, sizeof(double), CompareNumbers);
    return found != NULL ? (int)(found - values) : -1;
}

bool hwReadNumberLine(const char* at, const char* end, int most, double* numbers, int* count) {
    *count = 0;
    while (at < end) {
        while (at < end && strchr(" \t\r,", *at) != NULL) at++;
        const char* stop = at;
        while (stop < end && strchr(" \t\r,", *stop) == NULL) stop++;
        if (stop == at) break;
        if (*count == most || !hwParseNumber(at, stop, &numbers[*count])) return false;
        *count += 1;
        at = stop;
    }
    return true;
}

static bool ReadLines(hwReader* reader, const hwYaml* node, const char* path, const char* text, size_t size,
                      Line** lines, int* count) {
    char quoted[80];
    hwQuoteText(quoted, sizeof(quoted), path);
    int number = 0, capacity = 0;
    for (const char *at = text, *end; at < text + size; at = end + 1) {
        end = memchr(at, '\n', (size_t)(text + size - at));
        if (end == NULL) end = text + size;
        double numbers[7];
        int found;
        bool good = hwReadNumberLine(at, end, 7, numbers, &found);
        number++;
        if (number == 1 && !good) continue; // a title
        if (good && found == 0) continue;
        bool known = good && found >= 5 && numbers[2] >= 1.0 && numbers[2] <= 6.0;
        int mode = known ? (int)numbers[2] : 0;
        if (!known || numbers[2] != mode) {
            return hwReader_Fail(
                reader, node,
                "`%s`, line %d: a line of WAMIT's .4 file is period, heading, mode 1 to 6, modulus, phase",
                quoted, number);
        }
        if (!(numbers[0] > 0.0)) continue;                    // the limits of long and short waves
        if (numbers[1] < 0.0 || numbers[1] > 180.0) continue; // port and starboard are alike
        if (*count == capacity) {
            capacity = capacity ? 2 * capacity : 1024;
            Line* larger = realloc(*lines, (size_t)capacity * sizeof(Line));
            if (larger == NULL) return hwReader_FailMemory(reader);
            *lines = larger;
        }
        (*lines)[(*count)++] = (Line){numbers[0], numbers[1], numbers[3], numbers[4], mode, number};
    }
    if (*count > 0) return true;
    return hwReader_Fail(reader, node, "`%s` holds no motions for headings from 0 to 180 degrees", quoted);
}

static bool FillTable(hwReader* reader, const hwYaml* node, const char* path, double length,
                      const Line* lines, int count, hwRaoDef* rao) {
    double* h = hwReader_Take(reader, (size_t)count, sizeof(double));
    double* p = h != NULL ? hwReader_Take(reader, (size_t)count, sizeof(double)) : NULL;
    if (p == NULL) return false;
    for (int i = 0; i < count; i++) {
        h[i] = lines[i].heading;
        p[i] = lines[i].period;
    }
    int headings = hwSortUnique(h, count), periods = hwSortUnique(p, count);
    if ((double)headings * periods > 1e7) return hwReader_Fail(reader, node, "`%s` is too large", path);
    double* r = hwReader_Take(reader, (size_t)headings * (size_t)periods * 12, sizeof(double));
    if (r == NULL) return false;
    for (int i = 0; i < headings * periods * 12; i++) r[i] = (double)NAN;
    for (int i = 0; i < count; i++) {
        int cell =
            hwFindNumber(h, headings, lines[i].heading) * periods + hwFindNumber(p, periods, lines[i].period);
        double* row = r + 12 * cell + 2 * (lines[i].mode - 1);
        row[0] = lines[i].modulus / (lines[i].mode > 3 ? length : 1.0);
        row[1] = lines[i].phase * HW_DEGREE;
    }
    for (int i = 0; i < headings * periods * 6; i++) {
        if (!isnan(r[2 * i])) continue;
        char quoted[80];
        return hwReader_Fail(
            reader, node, "`%s` is not a full table: mode %d is missing for heading %g, period %g",
            hwQuoteText(quoted, sizeof(quoted), path), i % 6 + 1, h[i / 6 / periods], p[i / 6 % periods]);
    }
    for (int i = 0; i < headings; i++) h[i] *= HW_DEGREE;
    *rao = (hwRaoDef){headings, h, periods, p, r};
    return true;
}

bool hwReadWamitRao(hwReader* reader, const hwYaml* node, const char* path, double length, hwRaoDef* rao) {
    hwStore store;
    hwStore_Init(&store, NULL);
    size_t size = 0;
    char* text = hwReadFileText(&store, path, MOST_BYTES, node->line, node->column, &size, reader->error);
    Line* lines = NULL;
    int count = 0;
    bool good = text != NULL && ReadLines(reader, node, path, text, size, &lines, &count) &&
                FillTable(reader, node, path, length, lines, count, rao);
    free(lines);
    hwStore_Free(&store);
    return good;
}
