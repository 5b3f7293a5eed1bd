#include "rao_orcaflex.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define GRAVITY 9.80665 // m/s2, of the wave number by which a phase is taken from one place to another
#define TURN_STEPS 12   // directions of a table that is the same all round, 15 degrees apart
#define MOST_ROWS 100000

hwOrcaConventions hwDefaultOrcaConventions(void) {
    return (hwOrcaConventions){.wave = 'P',
                               .rotation = HW_DEGREE,
                               .phase = -HW_DEGREE,
                               .length = 1.0,
                               .symmetry = 'x',
                               .depth = INFINITY};
}

bool hwOrca_IsWord(const char* at, size_t length, const char* word) {
    if (strlen(word) != length) return false;
    for (size_t i = 0; i < length; i++) {
        if (tolower((unsigned char)at[i]) != tolower((unsigned char)word[i])) return false;
    }
    return true;
}

bool hwOrca_Holds(const char* text, const char* word) {
    size_t length = strlen(word);
    for (size_t left = strlen(text); left >= length; text++, left--)
        if (hwOrca_IsWord(text, length, word)) return true;
    return false;
}

// Words of a motion's direction: the one that is ours, and the other.
typedef struct Direction {
    const char *key, *ours, *other;
    int motion;
} Direction;

static hwOrcaWord SetDirection(hwOrcaConventions* c, const Direction* d, const char* value) {
    bool other = hwOrca_Holds(value, d->other);
    if (!other && !hwOrca_Holds(value, d->ours)) return HW_ORCA_UNKNOWN_VALUE;
    c->turned[d->motion] = other ? HW_PI : 0.0;
    return HW_ORCA_SET;
}

static hwOrcaWord SetPhase(hwOrcaConventions* c, const char* value) {
    if (hwOrca_Holds(value,
                     "down")) { // of the zero that is passed downwards, a quarter of a period after the crest
        c->shift = -0.5 * HW_PI;
    } else if (hwOrca_Holds(value, "up")) {
        c->shift = 0.5 * HW_PI;
    } else if (hwOrca_Holds(value, "trough")) {
        c->shift = HW_PI;
    } else if (hwOrca_Holds(value, "crest")) {
        c->shift = 0.0;
    } else {
        return HW_ORCA_UNKNOWN_VALUE;
    }
    return HW_ORCA_SET;
}

static hwOrcaWord SetSymmetry(hwOrcaConventions* c, const char* value) {
    if (hwOrca_Holds(value, "circular")) {
        c->symmetry = 'c';
    } else if (hwOrca_Holds(value, "yz")) {
        c->symmetry = hwOrca_Holds(value, "xz") ? 'b' : 'y';
    } else if (hwOrca_Holds(value, "xz")) {
        c->symmetry = 'x';
    } else if (hwOrca_Holds(value, "none")) {
        c->symmetry = 'n';
    } else {
        return HW_ORCA_UNKNOWN_VALUE;
    }
    // with fore and aft alike alone, directions from 0 to 180 degrees need those of the other side
    return c->symmetry == 'y' ? HW_ORCA_UNKNOWN_VALUE : HW_ORCA_SET;
}

hwOrcaWord hwOrcaConventions_Set(hwOrcaConventions* c, const char* key, size_t length, const char* value) {
    static const Direction directions[] = {
        {"SurgePositive", "forward", "aft", 0}, {"SwayPositive", "port", "starboard", 1},
        {"HeavePositive", "up", "down", 2},     {"RollPositiveStarboard", "down", "up", 3},
        {"PitchPositiveBow", "down", "up", 4},  {"YawPositiveBow", "port", "starboard", 5},
    };
    for (size_t i = 0; i < sizeof(directions) / sizeof(directions[0]); i++)
        if (hwOrca_IsWord(key, length, directions[i].key)) return SetDirection(c, &directions[i], value);
    bool degrees = hwOrca_Holds(value, "degrees"), radians = hwOrca_Holds(value, "radians");
    if (hwOrca_IsWord(key, length, "RAOResponseUnits")) {
        c->rotation = radians ? 1.0 : HW_DEGREE;
        return degrees || radians ? HW_ORCA_SET : HW_ORCA_UNKNOWN_VALUE;
    }
    if (hwOrca_IsWord(key, length, "RAOPhaseUnitsConvention")) {
        c->phase = (c->phase < 0.0 ? -1.0 : 1.0) * (radians ? 1.0 : HW_DEGREE);
        return degrees || radians ? HW_ORCA_SET : HW_ORCA_UNKNOWN_VALUE;
    }
    if (hwOrca_IsWord(key, length, "RAOPhaseConvention")) {
        bool leads = hwOrca_Holds(value, "leads");
        c->phase = leads ? fabs(c->phase) : -fabs(c->phase);
        return leads || hwOrca_Holds(value, "lags") ? HW_ORCA_SET : HW_ORCA_UNKNOWN_VALUE;
    }
    if (hwOrca_IsWord(key, length, "RAOPhaseRelativeToConvention")) return SetPhase(c, value);
    if (hwOrca_IsWord(key, length, "RAOWaveUnit"))
        return hwOrca_Holds(value, "amplitude") ? HW_ORCA_SET : HW_ORCA_UNKNOWN_VALUE;
    if (hwOrca_IsWord(key, length, "WavesReferredToBy")) {
        c->wave = hwOrca_Holds(value, "period") ? 'P' : hwOrca_Holds(value, "rad/s") ? 'R' : 'H';
        return c->wave != 'H' || hwOrca_Holds(value, "hz") ? HW_ORCA_SET : HW_ORCA_UNKNOWN_VALUE;
    }
    if (hwOrca_IsWord(key, length, "Symmetry")) return SetSymmetry(c, value);
    return HW_ORCA_UNKNOWN_KEY;
}

// Rows -----------------------------------------------------------------------------------------------------------------------

bool hwOrcaTable_Add(hwOrcaTable* table, const hwOrcaConventions* conventions, double direction,
                     const double* numbers) {
    double wave = numbers[0];
    double period = conventions->wave == 'P'   ? wave
                    : conventions->wave == 'H' ? 1.0 / wave
                                               : 2.0 * HW_PI / wave;
    if (direction < 0.0 || direction > 180.0) { // port and starboard are alike
        table->beyond += 1;
        return true;
    }
    if (!(wave > 0.0) || !isfinite(wave) || !isfinite(period)) return true;
    if (table->count == table->capacity) {
        int capacity = table->capacity ? 2 * table->capacity : 256;
        if (capacity > MOST_ROWS)
            return hwReader_Fail(table->reader, table->node, "`%s` is too large: it may hold %d waves",
                                 table->quoted, MOST_ROWS);
        double(*rows)[14] = realloc(table->rows, (size_t)capacity * sizeof(*rows));
        if (rows == NULL) return hwReader_FailMemory(table->reader);
        table->rows = rows;
        table->capacity = capacity;
    }
    double* row = table->rows[table->count++];
    row[0] = direction;
    row[1] = period;
    memcpy(row + 2, numbers + 1, 12 * sizeof(double));
    return true;
}

// Of a wave of that angular frequency in water of that depth, 1/m: w^2 = g k tanh(k d).
static double FindWaveNumber(double omega, double depth) {
    double deep = omega * omega / GRAVITY, k = deep;
    if (!isfinite(depth)) return deep;
    if (k * depth < 1.0) k = omega / sqrt(GRAVITY * depth);
    for (int i = 0; i < 30; i++) {
        double t = hwTanh(k * depth), f = k * t - deep;
        k -= f / (t + k * depth * (1.0 - t * t));
    }
    return k;
}

typedef struct Phasor {
    double re, im;
} Phasor;

// Amplitudes and phases of the file, about its points, to ours about the ship's origin.
static void ConvertRow(const hwOrcaConventions* c, const double* row, double* out) {
    double heading = row[0] * HW_DEGREE, omega = 2.0 * HW_PI / row[1];
    double along = hwCos(heading) * c->crest[0] + hwSin(heading) * c->crest[1];
    double late = along != 0.0 ? FindWaveNumber(omega, c->depth) * along : 0.0;
    bool moved = c->origin[0] != 0.0 || c->origin[1] != 0.0 || c->origin[2] != 0.0;
    Phasor x[6];
    for (int i = 0; i < 6; i++) {
        double amplitude = row[2 + 2 * i] * (i < 3 ? 1.0 : c->rotation / c->length);
        double phase = c->phase * row[3 + 2 * i] + c->shift + c->turned[i] - late;
        out[2 * i] = amplitude;
        out[2 * i + 1] = phase;
        x[i] = (Phasor){amplitude * hwCos(phase), amplitude * hwSin(phase)};
    }
    for (int i = 0; i < 3 && moved;
         i++) { // the origin moves with the point, less the rotation times the arm to it
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double re = x[i].re - (x[3 + j].re * c->origin[k] - x[3 + k].re * c->origin[j]);
        double im = x[i].im - (x[3 + j].im * c->origin[k] - x[3 + k].im * c->origin[j]);
        out[2 * i] = hwHypot(re, im);
        out[2 * i + 1] = hwAtan2(im, re);
    }
}

// Of a ship whose ends are alike, in waves that come from the other end.
static void MirrorRow(const double* from, double* to) {
    static const double turned[6] = {HW_PI, 0.0, 0.0, 0.0, HW_PI, HW_PI};
    for (int i = 0; i < 6; i++) {
        to[2 * i] = from[2 * i];
        to[2 * i + 1] = from[2 * i + 1] + turned[i];
    }
}

// Of something round, in waves that go by the angle `turn` farther to port.
static void TurnRow(const double* from, double turn, double* to) {
    double c = hwCos(turn), s = hwSin(turn);
    memcpy(to, from, 12 * sizeof(double));
    for (int first = 0; first < 6; first += 3) {
        const double *x = from + 2 * first, *y = x + 2;
        Phasor a = {x[0] * hwCos(x[1]), x[0] * hwSin(x[1])}, b = {y[0] * hwCos(y[1]), y[0] * hwSin(y[1])};
        Phasor p = {c * a.re - s * b.re, c * a.im - s * b.im}, q = {s * a.re + c * b.re, s * a.im + c * b.im};
        to[2 * first] = hwHypot(p.re, p.im);
        to[2 * first + 1] = hwAtan2(p.im, p.re);
        to[2 * first + 2] = hwHypot(q.re, q.im);
        to[2 * first + 3] = hwAtan2(q.im, q.re);
    }
}

static bool FailGap(const hwOrcaTable* table, double heading, double period) {
    return hwReader_Fail(table->reader, table->node,
                         "`%s` is not a full table: direction %g has no period of %g s", table->quoted,
                         heading, period);
}

// Directions of a full table, in degrees, from those in the file: more where the ship is symmetric.
static int ListHeadings(const hwOrcaTable* table, const hwOrcaConventions* c, double* headings) {
    int count = 0;
    for (int i = 0; i < table->count; i++) headings[count++] = table->rows[i][0];
    count = hwSortUnique(headings, count);
    if (c->symmetry == 'c') {
        for (count = 0; count <= TURN_STEPS; count++) headings[count] = 180.0 * count / TURN_STEPS;
        return count;
    }
    for (int i = 0, given = count; i < given && c->symmetry == 'b'; i++) {
        headings[count++] = 180.0 - headings[i];
    }
    return hwSortUnique(headings, count);
}

static bool FillRows(const hwOrcaTable* table, const hwOrcaConventions* c, int headings, const double* h,
                     int periods, const double* p, double* r) {
    for (int i = 0; i < headings * periods * 12; i++) r[i] = (double)NAN;
    for (int i = 0; i < table->count; i++) {
        const double* row = table->rows[i];
        int period = hwFindNumber(p, periods, row[1]), heading = hwFindNumber(h, headings, row[0]);
        if (heading < 0) continue; // something round has one direction that counts
        ConvertRow(c, row, r + 12 * (heading * periods + period));
    }
    for (int i = 0; i < headings * periods; i++) {
        if (!isnan(r[12 * i])) continue;
        int period = i % periods, heading = i / periods, other = 0;
        if (c->symmetry == 'b') other = hwFindNumber(h, headings, 180.0 - h[heading]);
        bool filled = c->symmetry == 'b' || c->symmetry == 'c';
        if (!filled || other < 0 || isnan(r[12 * (other * periods + period)]))
            return FailGap(table, h[heading], p[period]);
        const double* from = r + 12 * (other * periods + period);
        if (c->symmetry == 'b') {
            MirrorRow(from, r + 12 * i);
        } else {
            TurnRow(from, h[heading] * HW_DEGREE, r + 12 * i);
        }
    }
    return true;
}

bool hwOrcaTable_Finish(hwOrcaTable* table, const hwOrcaConventions* c, hwRaoDef* rao) {
    hwReader* reader = table->reader;
    if (table->count == 0)
        return hwReader_Fail(reader, table->node,
                             "`%s` holds no motions for directions from 0 to 180 degrees", table->quoted);
    if (table->beyond > 0 && !hwReader_Warn(reader, table->node->line,
                                            "`%s`: directions beyond 180 degrees are left out: port and "
                                            "starboard are taken to be alike",
                                            table->quoted))
        return false;
    size_t most = 2 * (size_t)table->count + TURN_STEPS + 1;
    double* h = hwReader_Take(reader, most, sizeof(double));
    double* p = h != NULL ? hwReader_Take(reader, (size_t)table->count, sizeof(double)) : NULL;
    if (p == NULL) return false;
    for (int i = 0; i < table->count; i++) p[i] = table->rows[i][1];
    int headings = ListHeadings(table, c, h), periods = hwSortUnique(p, table->count);
    if ((double)headings * periods > (double)(TURN_STEPS + 1) * table->count)
        return hwReader_Fail(reader, table->node,
                             "`%s` is not a full table: each direction needs the same periods",
                             table->quoted);
    double* r = hwReader_Take(reader, (size_t)headings * (size_t)periods * 12, sizeof(double));
    if (r == NULL || !FillRows(table, c, headings, h, periods, p, r)) return false;
    for (int i = 0; i < headings; i++) h[i] *= HW_DEGREE;
    *rao = (hwRaoDef){headings, h, periods, p, r};
    return true;
}
