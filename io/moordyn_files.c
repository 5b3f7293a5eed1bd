// Files that a MoorDyn deck names: bathymetry, currents, waves, tension by strain, Syrope's working curves.
#define _POSIX_C_SOURCE 200809L
#include "moordyn_deck.h"

#include "scene_read.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_POINTS 200000 // of a grid
#define MOST_WAVES 1000

// Text that is read number by number. Errors name the file and its line, at the place of the deck that asks for it.
typedef struct Source {
    const hwMoordynDeck* deck;
    const char* name;
    int line, column; // of the deck
    const char* at;
    int row; // of the file
} Source;

static bool Fail(const Source* s, const char* text) {
    return hwMoordyn_Fail(s->deck, s->line, s->column, "%.60s, line %d: %s", s->name, s->row, text);
}

static bool Open(hwMoordynDeck* deck, const char* name, int line, int column, Source* s) {
    size_t size = 0;
    char* text = deck->readFile != NULL ? deck->readFile(&deck->store, name, &size, deck->readContext) : NULL;
    *s = (Source){deck, name, line, column, text, 1};
    if (text != NULL) return true;
    return hwMoordyn_Fail(deck, line, column, "the file `%.80s` cannot be read beside the deck", name);
}

static void SkipLines(Source* s, int count) {
    for (int i = 0; i < count && *s->at != 0; i++) {
        s->at += strcspn(s->at, "\n");
        if (*s->at == '\n') s->at += 1;
        s->row += 1;
    }
}

// The next number in this line of the file; false at its end.
static bool NextInLine(Source* s, double* value) {
    char* end = NULL;
    s->at += strspn(s->at, " \t\r,");
    if (*s->at == 0 || *s->at == '\n') return false;
    *value = strtod(s->at, &end);
    if (end == s->at || !isfinite(*value)) return false;
    s->at = end;
    return true;
}

// The next number, in this line or a later one.
static bool Next(Source* s, double* value) {
    for (;;) {
        s->at += strspn(s->at, " \t\r,");
        if (*s->at != '\n') break;
        s->at += 1;
        s->row += 1;
    }
    return NextInLine(s, value) || Fail(s, "a number is missing here, or is none");
}

static bool NextCount(Source* s, int* count) {
    double value;
    if (!Next(s, &value)) return false;
    if (!(value >= 1.0 && value <= 20000.0)) return Fail(s, "a grid has 1 to 20000 lines each way");
    *count = (int)value;
    return true;
}

static double* NextList(Source* s, hwStore* store, int count) {
    double* values = HW_STORE_TAKE(store, double, count);
    if (values == NULL) {
        hwSceneFail_Memory(s->deck->error);
        return NULL;
    }
    for (int i = 0; i < count; i++) {
        if (!Next(s, &values[i])) return NULL;
        if (i > 0 && !(values[i] > values[i - 1])) {
            Fail(s, "the values of an axis must increase");
            return NULL;
        }
    }
    return values;
}

static int FindNear(const double* list, int count, double value) {
    for (int i = 0; i < count; i++) {
        if (fabs(list[i] - value) <= 1e-6 * (1.0 + fabs(value))) return i;
    }
    return -1;
}

// True when the rest of the file holds nothing but blanks.
static bool AtEnd(Source* s) {
    for (; isspace((unsigned char)*s->at); s->at++) s->row += *s->at == '\n';
    return *s->at == 0;
}

// Bathymetry -----------------------------------------------------------------------------------------------------------------

// MoorDyn-C: counts, x, y, then rows of x, y, z. Depths may come with either sign: the bottom is below the surface.
static bool ReadBottomRows(hwMoordynDeck* deck, Source* s) {
    hwMoordynGrid* grid = &deck->bottom;
    if (!NextCount(s, &grid->columns) || !NextCount(s, &grid->rows)) return false;
    if ((double)grid->columns * grid->rows > MOST_POINTS) return Fail(s, "the grid has too many points");
    grid->x = NextList(s, &deck->store, grid->columns);
    grid->y = grid->x != NULL ? NextList(s, &deck->store, grid->rows) : NULL;
    if (grid->y == NULL) return false;
    int points = grid->columns * grid->rows, given = 0;
    grid->depth = HW_STORE_TAKE(&deck->store, double, points);
    if (grid->depth == NULL) return hwSceneFail_Memory(deck->error) == HW_OK;
    for (int i = 0; i < points; i++) grid->depth[i] = (double)NAN;
    while (!AtEnd(s)) {
        double x, y, depth;
        if (!Next(s, &x) || !Next(s, &y) || !Next(s, &depth)) return false;
        int column = FindNear(grid->x, grid->columns, x), row = FindNear(grid->y, grid->rows, y);
        if (column < 0 || row < 0) return Fail(s, "this place is not on the grid");
        given += isnan(grid->depth[row * grid->columns + column]);
        grid->depth[row * grid->columns + column] = fabs(depth);
    }
    return given == points || Fail(s, "depths are missing: each point of the grid needs one");
}

// MoorDyn-F: a title, `nGridX n`, `nGridY m`, the x, then rows of y and depths.
static bool ReadBottomTable(hwMoordynDeck* deck, Source* s) {
    hwMoordynGrid* grid = &deck->bottom;
    int* counts[] = {&grid->columns, &grid->rows};
    SkipLines(s, 1);
    for (int i = 0; i < 2; i++) {
        s->at += strcspn(s->at, "0123456789\n");
        if (!NextCount(s, counts[i])) return false;
        SkipLines(s, 1);
    }
    if ((double)grid->columns * grid->rows > MOST_POINTS) return Fail(s, "the grid has too many points");
    grid->x = NextList(s, &deck->store, grid->columns);
    grid->y = HW_STORE_TAKE(&deck->store, double, grid->rows);
    grid->depth = HW_STORE_TAKE(&deck->store, double, grid->columns * grid->rows);
    if (grid->x == NULL) return false;
    if (grid->y == NULL || grid->depth == NULL) return hwSceneFail_Memory(deck->error) == HW_OK;
    for (int row = 0; row < grid->rows; row++) {
        if (!Next(s, &grid->y[row])) return false;
        if (row > 0 && !(grid->y[row] > grid->y[row - 1]))
            return Fail(s, "the values of an axis must increase");
        for (int column = 0; column < grid->columns; column++) {
            if (!Next(s, &grid->depth[row * grid->columns + column])) return false;
        }
    }
    return true;
}

bool hwMoordyn_ReadBottom(hwMoordynDeck* deck) {
    Source s;
    if (deck->bottomFile == NULL) return true;
    if (!Open(deck, deck->bottomFile, deck->bottomLine, 1, &s)) return false;
    bool table = s.at[strspn(s.at, " \t")] == '-' && strncmp(s.at + strspn(s.at, " \t"), "--", 2) == 0;
    return table ? ReadBottomTable(deck, &s) : ReadBottomRows(deck, &s);
}

// Currents -------------------------------------------------------------------------------------------------------------------

// Rows of z, ux, uy, uz, upwards.
static bool ReadSteadyCurrent(hwMoordynDeck* deck, Source* s) {
    hwMoordynCurrent* current = &deck->current;
    SkipLines(s, 3);
    while (!AtEnd(s)) {
        double z;
        hwVec3 v;
        if (*s->at == '-' && s->at[1] == '-') break;
        if (!Next(s, &z) || !Next(s, &v.x)) return false;
        if (!NextInLine(s, &v.y)) v.y = 0.0;
        if (!NextInLine(s, &v.z)) v.z = 0.0;
        if (current->levels >= MOST_POINTS) return Fail(s, "the profile has too many rows");
        if (current->levels > 0 && !(z > current->z[current->levels - 1]))
            return Fail(s, "the heights of the profile must increase");
        current->z = hwMoordyn_Grow(deck, current->z, current->levels, sizeof(double));
        current->velocity = hwMoordyn_Grow(deck, current->velocity, current->levels, sizeof(hwVec3));
        if (current->z == NULL || current->velocity == NULL) return false;
        current->z[current->levels] = z;
        current->velocity[current->levels++] = v;
    }
    current->times = 1;
    return current->levels > 0 || Fail(s, "the profile is empty");
}

// Four lines, the heights, a line, then rows of a time and all u, all v, all w.
static bool ReadDynamicCurrent(hwMoordynDeck* deck, Source* s) {
    hwMoordynCurrent* current = &deck->current;
    double value;
    SkipLines(s, 4);
    while (NextInLine(s, &value)) {
        if (current->levels >= 1000) return Fail(s, "there are too many heights");
        if (current->levels > 0 && !(value > current->z[current->levels - 1]))
            return Fail(s, "the heights must increase");
        current->z = hwMoordyn_Grow(deck, current->z, current->levels, sizeof(double));
        if (current->z == NULL) return false;
        current->z[current->levels++] = value;
    }
    if (current->levels == 0) return Fail(s, "the fifth line must hold the heights of the profile");
    SkipLines(s, 2);
    while (!AtEnd(s)) {
        double time;
        if (current->times >= 20000) return Fail(s, "there are too many times");
        if (!Next(s, &time)) return false;
        if (current->times > 0 && !(time > current->time[current->times - 1]))
            return Fail(s, "the times must increase");
        current->time = hwMoordyn_Grow(deck, current->time, current->times, sizeof(double));
        current->velocity =
            hwMoordyn_Grow(deck, current->velocity, current->times, (size_t)current->levels * sizeof(hwVec3));
        if (current->time == NULL || current->velocity == NULL) return false;
        hwVec3* row = current->velocity + (size_t)current->times * (size_t)current->levels;
        for (int i = 0; i < current->levels; i++) {
            row[i] = hwVec3_zero;
            if (!NextInLine(s, &row[i].x)) return Fail(s, "a velocity is missing");
        }
        for (int i = 0; i < current->levels && NextInLine(s, &row[i].y); i++) {
        }
        for (int i = 0; i < current->levels && NextInLine(s, &row[i].z); i++) {
        }
        SkipLines(s, 1);
        current->time[current->times++] = time;
    }
    return current->times > 0 || Fail(s, "there are no rows with times");
}

// Counts and axes of x, y, z and t, then rows of x, y, z, t, u, v, w. Here the current is the same everywhere at a height:
// the mean over x and y.
static bool ReadGridCurrent(hwMoordynDeck* deck, Source* s) {
    hwMoordynCurrent* current = &deck->current;
    int nx = 0, ny = 0;
    if (!NextCount(s, &nx) || !NextCount(s, &ny) || !NextCount(s, &current->levels) ||
        !NextCount(s, &current->times)) {
        return false;
    }
    if ((double)current->levels * current->times > MOST_POINTS)
        return Fail(s, "the grid has too many points");
    double* x = NextList(s, &deck->store, nx);
    double* y = x != NULL ? NextList(s, &deck->store, ny) : NULL;
    current->z = y != NULL ? NextList(s, &deck->store, current->levels) : NULL;
    current->time = current->z != NULL ? NextList(s, &deck->store, current->times) : NULL;
    if (current->time == NULL) return false;
    int count = current->levels * current->times;
    current->velocity = HW_STORE_TAKE(&deck->store, hwVec3, count);
    int* found = HW_STORE_TAKE(&deck->store, int, count);
    double* squares = HW_STORE_TAKE(&deck->store, double, count);
    if (current->velocity == NULL || found == NULL || squares == NULL)
        return hwSceneFail_Memory(deck->error) == HW_OK;
    while (!AtEnd(s)) {
        double place[4];
        hwVec3 v;
        for (int i = 0; i < 4; i++) {
            if (!Next(s, &place[i])) return false;
        }
        if (!Next(s, &v.x) || !Next(s, &v.y) || !Next(s, &v.z)) return false;
        int level = FindNear(current->z, current->levels, place[2]),
            time = FindNear(current->time, current->times, place[3]);
        if (level < 0 || time < 0) return Fail(s, "this place is not on the grid");
        int at = time * current->levels + level;
        current->velocity[at] = hwAdd(current->velocity[at], v);
        squares[at] += hwLengthSquared(v);
        found[at] += 1;
    }
    double spread = 0.0;
    for (int i = 0; i < count; i++) {
        if (found[i] == 0) return Fail(s, "velocities are missing: each height and time needs some");
        current->velocity[i] = hwScale(1.0 / found[i], current->velocity[i]);
        spread = hwFmax(spread, squares[i] / found[i] - hwLengthSquared(current->velocity[i]));
    }
    if (spread > 1e-12) {
        hwMoordyn_Warn(
            deck, s->line, s->column,
            "the current of %.40s changes with x and y: its mean at each height is taken, from which it "
            "differs by up to %.3g m/s rms",
            s->name, sqrt(spread));
    }
    return true;
}

bool hwMoordyn_ReadCurrent(hwMoordynDeck* deck) {
    Source s;
    switch (deck->currents) {
    case 0:
        return true;
    case 1:
        return Open(deck, "current_profile.txt", deck->currentLine, 1, &s) && ReadSteadyCurrent(deck, &s);
    case 2:
        return Open(deck, "current_profile_dynamic.txt", deck->currentLine, 1, &s) &&
               ReadDynamicCurrent(deck, &s);
    case 5:
        return Open(deck, "current_profile_4d.txt", deck->currentLine, 1, &s) && ReadGridCurrent(deck, &s);
    default:
        hwMoordyn_Warn(deck, deck->currentLine, 1, "Currents %d is not known: there is no current",
                       deck->currents);
        return true;
    }
}

// Waves ----------------------------------------------------------------------------------------------------------------------

static bool AddWave(hwMoordynDeck* deck, hwMoordynWave wave) {
    deck->waves = hwMoordyn_Grow(deck, deck->waves, deck->waveCount, sizeof(wave));
    if (deck->waves == NULL) return false;
    deck->waves[deck->waveCount++] = wave;
    return true;
}

// Rows of a frequency, the real and the imaginary part, and a direction. WaveKin 7 takes the sine of omega t - k x + arg
// for the elevation, WaveKin 2 the cosine; the latter also fills gaps between frequencies by straight lines.
static bool ReadSpectrum(hwMoordynDeck* deck, Source* s) {
    bool grid = deck->waveKinematics == 2;
    int rows = 0;
    double(*list)[4] = NULL;
    while (!AtEnd(s)) {
        double row[4] = {0};
        if (!Next(s, &row[0]) || !Next(s, &row[1]) || !Next(s, &row[2])) return false;
        if (!NextInLine(s, &row[3])) row[3] = 0.0;
        if (!(row[0] >= 0.0)) return Fail(s, "a frequency must be at least 0");
        if (grid && rows > 0 && !(row[0] > list[rows - 1][0]))
            return Fail(s, "the frequencies must increase");
        if (rows >= 10000) return Fail(s, "there are too many frequencies");
        list = hwMoordyn_Grow(deck, list, rows, sizeof(*list));
        if (list == NULL) return false;
        memcpy(list[rows++], row, sizeof(row));
    }
    double step = HUGE_VAL;
    for (int i = 1; i < rows; i++) step = hwFmin(step, list[i][0] - list[i - 1][0]);
    double last = rows > 0 ? list[rows - 1][0] : 0.0;
    if (grid && rows > 1 && !(last / step <= 20000.0))
        return Fail(s, "the frequencies are too close for their range");
    int count = grid && rows > 1 ? (int)(last / step + 1e-6) + 1 : rows;
    for (int i = 0, j = 0; i < count; i++) {
        double omega = grid && rows > 1 ? i * step : list[i][0], f = 0.0;
        if (grid && rows > 1) {
            while (j < rows - 2 && list[j + 1][0] < omega - 1e-9 * step) j += 1;
            f = (omega - list[j][0]) / (list[j + 1][0] - list[j][0]);
            f = hwClamp(f, 0.0, 1.0);
        } else {
            j = i;
        }
        int k = j + 1 < rows ? j + 1 : j;
        double real = list[j][1] + f * (list[k][1] - list[j][1]),
               imaginary = list[j][2] + f * (list[k][2] - list[j][2]);
        double amplitude = hwHypot(real, imaginary), angle = hwAtan2(imaginary, real);
        if (amplitude == 0.0) continue;
        if (omega == 0.0) {
            hwMoordyn_Warn(deck, s->line, s->column, "the wave of frequency 0 in %.40s is left out", s->name);
            continue;
        }
        if (deck->waveCount >= MOST_WAVES) return Fail(s, "there are more than 1000 waves");
        double phase = grid ? -angle : 0.5 * HW_PI - angle;
        if (!AddWave(deck, (hwMoordynWave){amplitude, omega, list[f > 0.5 ? k : j][3], phase})) return false;
    }
    return true;
}

static int CompareWaves(const void* a, const void* b) {
    double p = ((const hwMoordynWave*)a)->amplitude, q = ((const hwMoordynWave*)b)->amplitude;
    return p > q ? -1 : p < q;
}

// Rows of time and elevation, taken at steps of dtWave and analysed by Fourier: harmonics of the record's length.
static bool ReadElevation(hwMoordynDeck* deck, Source* s) {
    int rows = 0;
    double(*list)[2] = NULL;
    while (!AtEnd(s)) {
        double row[2];
        if (!Next(s, &row[0]) || !Next(s, &row[1])) return false;
        if (rows > 0 && !(row[0] > list[rows - 1][0])) return Fail(s, "the times must increase");
        if (rows >= MOST_POINTS) return Fail(s, "there are too many rows");
        list = hwMoordyn_Grow(deck, list, rows, sizeof(*list));
        if (list == NULL) return false;
        memcpy(list[rows++], row, sizeof(row));
    }
    double step = deck->waveStep;
    if (rows < 3 || !(step > 0.0)) return Fail(s, "at least three rows, and a dtWave above 0, are needed");
    double samples = (list[rows - 1][0] - list[0][0]) / step;
    if (!(samples >= 2.0 && samples <= 20000.0))
        return Fail(s, "dtWave must divide the record into 2 to 20000 steps");
    int n = (int)(samples + 1e-6) + 1, highest;
    n -= n % 2;
    highest = n / 2;
    double* eta = HW_STORE_TAKE(&deck->store, double, n);
    if (eta == NULL) return hwSceneFail_Memory(deck->error) == HW_OK;
    for (int i = 0, j = 0; i < n; i++) {
        double t = list[0][0] + i * step;
        while (j < rows - 2 && list[j + 1][0] < t) j += 1;
        double f = hwClamp((t - list[j][0]) / (list[j + 1][0] - list[j][0]), 0.0, 1.0);
        eta[i] = list[j][1] + f * (list[j + 1][1] - list[j][1]);
    }
    if (highest > 2000) highest = 2000;
    int first = deck->waveCount;
    for (int k = 1; k <= highest; k++) {
        double real = 0.0, imaginary = 0.0;
        for (int i = 0; i < n; i++) {
            double angle = 2.0 * HW_PI * (double)((long)i * k % n) / n;
            real += eta[i] * hwCos(angle);
            imaginary -= eta[i] * hwSin(angle);
        }
        double scale = (2 * k == n ? 1.0 : 2.0) / n;
        hwMoordynWave wave = {scale * hwHypot(real, imaginary), 2.0 * HW_PI * k / (n * step), 0.0,
                              -hwAtan2(imaginary, real)};
        if (!AddWave(deck, wave)) return false;
    }
    qsort(deck->waves + first, (size_t)(deck->waveCount - first), sizeof(hwMoordynWave), CompareWaves);
    double largest = deck->waves[first].amplitude, left = 0.0;
    int kept = first;
    while (kept < deck->waveCount && kept < 300 && deck->waves[kept].amplitude > 1e-3 * largest) kept += 1;
    for (int i = kept; i < deck->waveCount; i++) left += deck->waves[i].amplitude * deck->waves[i].amplitude;
    if (left > 0.0) {
        hwMoordyn_Warn(deck, s->line, s->column,
                       "of the waves in %.40s the %d largest are taken; the rest has %.3g m rms", s->name,
                       kept - first, sqrt(0.5 * left));
    }
    deck->waveCount = kept;
    return true;
}

bool hwMoordyn_ReadWaves(hwMoordynDeck* deck) {
    Source s;
    switch (deck->waveKinematics) {
    case 0:
        return true;
    case 1:
        hwMoordyn_Warn(
            deck, deck->waveLine, 1,
            "the water's motion comes from another program there (WaveKin 1), over a surface that stays "
            "level: give `waves` with `surface: flat`");
        return true;
    case 2:
        hwMoordyn_Warn(
            deck, deck->waveLine, 1,
            "waves on a grid are not interpolated here: they are the harmonics of wave_frequencies.txt");
        return Open(deck, "wave_frequencies.txt", deck->waveLine, 1, &s) && ReadSpectrum(deck, &s);
    case 3:
        return Open(deck, "wave_elevation.txt", deck->waveLine, 1, &s) && ReadElevation(deck, &s);
    case 7:
        return Open(deck, "wave_frequencies.txt", deck->waveLine, 1, &s) && ReadSpectrum(deck, &s);
    default:
        hwMoordyn_Warn(deck, deck->waveLine, 1, "WaveKin %d is not known: there are no waves",
                       deck->waveKinematics);
        return true;
    }
}

// Snapshots ------------------------------------------------------------------------------------------------------------------

// `MoorDyn`, two bytes of version, then words of 8 bytes, the lowest first: how many follow, how many objects, and for each
// (bodies, rods, points, lines) rows, columns and the rows. Places come before velocities.
typedef struct Snapshot {
    const unsigned char* bytes;
    size_t count, at; // words
} Snapshot;

#define SNAPSHOT_HEAD 17

static uint64_t TakeWord(Snapshot* s) {
    uint64_t word = 0;
    for (int i = 7; i >= 0 && s->at < s->count; i--) word = word << 8 | s->bytes[8 * s->at + (size_t)i];
    s->at += 1;
    return word;
}

static double TakeDouble(Snapshot* s) {
    uint64_t word = TakeWord(s);
    double value;
    memcpy(&value, &word, sizeof(value));
    return value;
}

static hwVec3 TakeVector(Snapshot* s) {
    double x = TakeDouble(s), y = TakeDouble(s);
    return hwMakeVec3(x, y, TakeDouble(s));
}

// Whether an object of this size comes next, all of its numbers finite.
static bool CheckObject(Snapshot* s, size_t rows, size_t columns) {
    uint64_t haveRows = TakeWord(s), haveColumns = TakeWord(s);
    if (haveRows != rows || haveColumns < columns || haveColumns > 64) return false;
    size_t size = rows * (size_t)haveColumns;
    if (s->at > s->count || size > s->count - s->at) return false;
    for (size_t i = 0; i < size; i++) {
        if (!isfinite(TakeDouble(s))) return false;
    }
    return true;
}

static bool CheckSnapshot(const hwMoordynDeck* deck, Snapshot s) {
    int objects = deck->bodyCount + deck->rodCount + deck->pointCount + deck->lineCount;
    if (TakeWord(&s) != (uint64_t)objects) return false;
    for (int i = 0; i < deck->bodyCount + deck->rodCount; i++) {
        if (!CheckObject(&s, 1, 13)) return false;
    }
    for (int i = 0; i < deck->pointCount; i++) {
        if (!CheckObject(&s, 1, 6)) return false;
    }
    for (int i = 0; i < deck->lineCount; i++) {
        if (!CheckObject(&s, (size_t)deck->lines[i].elements - 1, 6)) return false;
    }
    return s.at == s.count;
}

// Free bodies and points, and the nodes of lines; what is held stays where the deck has it, and so do rods.
static bool ApplySnapshot(hwMoordynDeck* deck, Snapshot s) {
    TakeWord(&s);
    for (int i = 0; i < deck->bodyCount + deck->rodCount; i++) {
        size_t rows = (size_t)TakeWord(&s), columns = (size_t)TakeWord(&s), next = s.at + rows * columns;
        hwVec3 position = TakeVector(&s), axis = TakeVector(&s);
        hwQuat attitude = {TakeDouble(&s), axis.x, axis.y, axis.z};
        double size = attitude.w * attitude.w + hwLengthSquared(axis);
        if (i < deck->bodyCount && deck->bodies[i].kind == HW_MOORDYN_FREE && fabs(size - 1.0) < 1e-3) {
            deck->bodies[i].position = position;
            deck->bodies[i].attitude = hwNormalizeQuat(attitude);
        }
        s.at = next;
    }
    for (int i = 0; i < deck->pointCount; i++) {
        size_t rows = (size_t)TakeWord(&s), columns = (size_t)TakeWord(&s), next = s.at + rows * columns;
        if (deck->points[i].kind == HW_MOORDYN_FREE) deck->points[i].position = TakeVector(&s);
        s.at = next;
    }
    for (int i = 0; i < deck->lineCount; i++) {
        size_t rows = (size_t)TakeWord(&s), columns = (size_t)TakeWord(&s), first = s.at;
        hwVec3* nodes = HW_STORE_TAKE(&deck->store, hwVec3, rows);
        if (nodes == NULL) return hwSceneFail_Memory(deck->error) == HW_OK;
        for (size_t row = 0; row < rows; row++) {
            s.at = first + row * columns;
            nodes[row] = TakeVector(&s);
        }
        s.at = first + rows * columns;
        deck->lines[i].nodes = nodes;
    }
    return true;
}

bool hwMoordyn_ReadSnapshot(hwMoordynDeck* deck) {
    size_t size = 0;
    if (deck->startFile == NULL) return true;
    char* text = deck->readFile != NULL
                     ? deck->readFile(&deck->store, deck->startFile, &size, deck->readContext)
                     : NULL;
    if (text == NULL) {
        hwMoordyn_Warn(deck, deck->startLine, deck->startColumn,
                       "the snapshot `%.40s` is not there: lines begin as catenaries", deck->startFile);
        return true;
    }
    Snapshot s = {.bytes = (const unsigned char*)text + SNAPSHOT_HEAD};
    if (size >= SNAPSHOT_HEAD && (size - SNAPSHOT_HEAD) % 8 == 0) s.count = (size - SNAPSHOT_HEAD) / 8;
    bool known = s.count > 0 && memcmp(text, "MoorDyn", 7) == 0;
    Snapshot length = {.bytes = (const unsigned char*)text + 9, .count = 1};
    if (known && TakeWord(&length) == s.count && CheckSnapshot(deck, s)) return ApplySnapshot(deck, s);
    hwMoordyn_Warn(deck, deck->startLine, deck->startColumn,
                   "`%.40s` is no snapshot of this deck by MoorDyn 2.4: lines begin as catenaries",
                   deck->startFile);
    return true;
}

// Stiffness ------------------------------------------------------------------------------------------------------------------

// Heading lines, then rows of strain and tension.
bool hwMoordyn_ReadStrainTable(hwMoordynDeck* deck, const char* name, int line, int column,
                               hwMoordynTable* table) {
    Source s;
    if (!Open(deck, name, line, column, &s)) return false;
    double strain, tension;
    for (int skipped = 0; skipped < 3; skipped++) { // as many as do not begin with a number, three at most
        char* end = NULL;
        strtod(s.at, &end);
        if (end != s.at && s.at[strspn(s.at, " \t")] != '-') break;
        SkipLines(&s, 1);
    }
    while (!AtEnd(&s)) {
        if (!Next(&s, &strain) || !Next(&s, &tension)) return false;
        if (table->count >= 10000) return Fail(&s, "the table has too many rows");
        if (table->count > 0 &&
            (!(strain > table->strain[table->count - 1]) || !(tension > table->tension[table->count - 1]))) {
            return Fail(&s, "strain and tension of the table must increase");
        }
        table->strain = hwMoordyn_Grow(deck, table->strain, table->count, sizeof(double));
        table->tension = hwMoordyn_Grow(deck, table->tension, table->count, sizeof(double));
        if (table->strain == NULL || table->tension == NULL) return false;
        table->strain[table->count] = strain;
        table->tension[table->count++] = tension;
    }
    return table->count >= 2 || Fail(&s, "the table needs at least two rows of strain and tension");
}

// `value KEY remarks`: OWC, WCType, k1, k2.
bool hwMoordyn_ReadSyrope(hwMoordynDeck* deck, const char* name, int line, int column,
                          hwMoordynLineType* type) {
    Source s;
    if (!Open(deck, name, line, column, &s)) return false;
    char file[160] = "";
    type->k1 = type->k2 = (double)NAN;
    type->workingCurve = -1;
    while (!AtEnd(&s)) {
        char value[160] = "", key[24] = "";
        if (sscanf(s.at, "%159s %23s", value, key) != 2) break;
        SkipLines(&s, 1);
        if (strcasecmp(key, "OWC") == 0) {
            memcpy(file, value, sizeof(file));
        } else if (strcasecmp(key, "WCType") == 0) {
            static const char* const kinds[] = {"LINEAR", "QUADRATIC", "EXP"};
            for (int i = 0; i < 3; i++) {
                if (strcasecmp(value, kinds[i]) == 0) type->workingCurve = i;
            }
        } else if (strcasecmp(key, "k1") == 0 || strcasecmp(key, "k2") == 0) {
            if (!hwMoordyn_ParseNumber(value, key[1] == '1' ? &type->k1 : &type->k2))
                return Fail(&s, "k1 and k2 must be numbers");
        }
    }
    if (file[0] == 0 || type->workingCurve < 0 || isnan(type->k1) || isnan(type->k2))
        return Fail(&s, "OWC, WCType (LINEAR, QUADRATIC or EXP), k1 and k2 are needed");
    return hwMoordyn_ReadStrainTable(deck, file, line, column, &type->table);
}
