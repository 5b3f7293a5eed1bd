// Hydrodynamic coefficients as WAMIT writes them and Capytaine exports them (WAMIT 7 user manual, chapter 4): files of lines
//     .1    period  i  j  A_ij  [B_ij]        A / (rho L^k), B / (rho L^k omega)
//     .3    period  heading  i  |X|  phase  Re X  Im X      X / (rho g L^m)
//     .hst  i  j  C_ij                         C / (rho g L^n)
// with a period of 0 for infinite frequency and a negative one for zero frequency, k = 3, 4, 5 and m = 2, 3 by how many of the
// modes are rotations, n = k - 1.
#include "hawser/potential.h"
#include "scene_read.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((size_t)64 << 20)

// Lines of numbers of one file.
typedef struct Lines {
    int count, width; // of each line the first `width` numbers; missing ones are NaN
    double* numbers;
    int* places; // number of the line in the file
} Lines;

typedef struct File {
    hwReader* reader;
    const hwYaml* node;
    char quoted[80];
} File;

static bool LoadLines(File* file, const char* path, int needed, int width, const char* form, Lines* lines) {
    hwReader* reader = file->reader;
    hwQuoteText(file->quoted, sizeof(file->quoted), path);
    hwStore store;
    hwStore_Init(&store, NULL);
    size_t size = 0;
    char* text =
        hwReadFileText(&store, path, MOST_BYTES, file->node->line, file->node->column, &size, reader->error);
    bool good = text != NULL;
    int capacity = 0, number = 0;
    for (const char *at = text, *end; good && at < text + size; at = end + 1) {
        end = memchr(at, '\n', (size_t)(text + size - at));
        if (end == NULL) end = text + size;
        double row[8];
        int found;
        bool numeric = hwReadNumberLine(at, end, width, row, &found);
        number++;
        if ((number == 1 && !numeric) || (numeric && found == 0)) continue; // a title, an empty line
        if (!numeric || found < needed) {
            good =
                hwReader_Fail(reader, file->node, "`%s`, line %d: a line is %s", file->quoted, number, form);
            break;
        }
        if (lines->count == capacity) {
            capacity = capacity ? 2 * capacity : 1024;
            double* numbers = realloc(lines->numbers, (size_t)capacity * (size_t)width * sizeof(double));
            if (numbers != NULL) lines->numbers = numbers;
            int* places = realloc(lines->places, (size_t)capacity * sizeof(int));
            if (places != NULL) lines->places = places;
            if (numbers == NULL || places == NULL) good = hwReader_FailMemory(reader);
            if (!good) break;
        }
        for (int i = found; i < width; i++) row[i] = (double)NAN;
        memcpy(lines->numbers + (size_t)lines->count * (size_t)width, row, (size_t)width * sizeof(double));
        lines->places[lines->count++] = number;
    }
    lines->width = width;
    hwStore_Free(&store);
    if (good && lines->count == 0)
        good = hwReader_Fail(reader, file->node, "`%s` holds no numbers", file->quoted);
    return good;
}

// A mode 1 to 6 becomes 0 to 5; -1 with an error.
static int ReadMode(const File* file, const Lines* lines, int line, int column) {
    double value = lines->numbers[(size_t)line * (size_t)lines->width + (size_t)column];
    if (value >= 1 && value <= 6 && value == (int)value) return (int)value - 1;
    hwReader_Fail(file->reader, file->node, "`%s`, line %d: modes are 1 to 6, not %g: one body, rigid",
                  file->quoted, lines->places[line], value);
    return -1;
}

static double Power(double length, int exponent) {
    double power = 1.0;
    for (int i = 0; i < exponent; i++) power *= length;
    return power;
}

// Frequencies that occur, increasing; null: no memory or none.
static double* ListFrequencies(const File* file, const Lines* lines, int* count) {
    double* list = hwReader_Take(file->reader, (size_t)lines->count, sizeof(double));
    *count = 0;
    for (int i = 0; list != NULL && i < lines->count; i++) {
        double period = lines->numbers[(size_t)i * (size_t)lines->width];
        if (period > 0.0) list[(*count)++] = 2.0 * HW_PI / period;
    }
    if (list != NULL) *count = hwSortUnique(list, *count);
    if (list == NULL || *count >= 2) return list;
    hwReader_Fail(file->reader, file->node, "`%s` has fewer than two periods", file->quoted);
    return NULL;
}

// Added mass and damping; *added: of all frequencies, for the limit where the file does not give it.
static bool ReadRadiation(File* file, const hwScenePotential* given, double density, hwPotentialDef* def,
                          double** added) {
    Lines lines = {0};
    bool limit = false;
    double *frequencies = NULL, *damping = NULL;
    int count = 0;
    bool good = LoadLines(file, given->radiation, 4, 5, "period, mode, mode, added mass, damping", &lines);
    if (good) frequencies = ListFrequencies(file, &lines, &count);
    good = good && frequencies != NULL;
    if (good) damping = hwReader_Take(file->reader, 36 * (size_t)count, sizeof(double));
    if (good && damping != NULL) *added = hwReader_Take(file->reader, 36 * (size_t)count, sizeof(double));
    good = good && damping != NULL && *added != NULL;
    for (int n = 0; good && n < 36 * count; n++) damping[n] = (*added)[n] = 0.0;
    for (int k = 0; good && k < lines.count; k++) {
        const double* row = lines.numbers + 5 * (size_t)k;
        int i = ReadMode(file, &lines, k, 1), j = i < 0 ? -1 : ReadMode(file, &lines, k, 2);
        if (j < 0) {
            good = false;
            break;
        }
        double scale = density * Power(given->length, 3 + (i > 2) + (j > 2));
        if (row[0] == 0.0) {
            limit = true;
            def->addedMass[i][j] = scale * row[3];
        }
        if (!(row[0] > 0.0)) continue;
        double omega = 2.0 * HW_PI / row[0];
        int f = hwFindNumber(frequencies, count, omega);
        if (isnan(row[4])) {
            good = hwReader_Fail(file->reader, file->node, "`%s`, line %d: the damping is missing",
                                 file->quoted, lines.places[k]);
            break;
        }
        (*added)[36 * f + 6 * i + j] = scale * row[3];
        damping[36 * f + 6 * i + j] = scale * omega * row[4];
    }
    free(lines.numbers);
    free(lines.places);
    // small differences between B_ij and B_ji are those of the panels
    for (int f = 0; good && f < count; f++) {
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < i; j++) {
                double* b = damping + 36 * f;
                double larger = hwFmax(fabs(b[6 * i + j]), fabs(b[6 * j + i]));
                // of two entries files may hold one
                double mean = b[6 * i + j] == 0.0 || b[6 * j + i] == 0.0
                                  ? b[6 * i + j] + b[6 * j + i]
                                  : 0.5 * (b[6 * i + j] + b[6 * j + i]);
                double size = sqrt(fabs(b[7 * i] * b[7 * j]));
                if (fabs(b[6 * i + j] - b[6 * j + i]) < 0.1 * size || fabs(mean) == larger)
                    b[6 * i + j] = b[6 * j + i] = mean;
            }
        }
    }
    def->frequencyCount = count;
    def->frequencies = frequencies;
    def->damping = damping;
    if (!good) return false;
    hwError error;
    if (!limit && hwPotential_FindInfiniteMass(def, *added, def->addedMass, &error) != HW_OK)
        return hwReader_Fail(file->reader, file->node, "`%s`%s", file->quoted, error.message);
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < i; j++) {
            double a = def->addedMass[i][j], b = def->addedMass[j][i];
            def->addedMass[i][j] = def->addedMass[j][i] = a == 0.0 || b == 0.0 ? a + b : 0.5 * (a + b);
        }
    }
    return true;
}

static bool ReadExcitation(File* file, const hwScenePotential* given, double weight, hwPotentialDef* def) {
    if (given->excitation == NULL) return true;
    Lines lines = {0};
    double *headings = NULL, *table = NULL;
    int count = 0, frequencies = def->frequencyCount;
    bool good = LoadLines(file, given->excitation, 5, 7, "period, heading, mode, modulus, phase", &lines);
    if (good) headings = hwReader_Take(file->reader, (size_t)lines.count, sizeof(double));
    good = good && headings != NULL;
    for (int k = 0; good && k < lines.count; k++)
        if (lines.numbers[7 * (size_t)k] > 0.0) headings[count++] = lines.numbers[7 * (size_t)k + 1];
    if (good) count = hwSortUnique(headings, count);
    if (good) table = hwReader_Take(file->reader, 12 * (size_t)count * (size_t)frequencies, sizeof(double));
    good = good && table != NULL;
    for (int n = 0; good && n < 12 * count * frequencies; n++) table[n] = (double)NAN;
    for (int k = 0; good && k < lines.count; k++) {
        const double* row = lines.numbers + 7 * (size_t)k;
        int i = ReadMode(file, &lines, k, 2);
        good = i >= 0;
        if (!good || !(row[0] > 0.0)) continue;
        int f = hwFindNumber(def->frequencies, frequencies, 2.0 * HW_PI / row[0]);
        if (f < 0) {
            good = hwReader_Fail(file->reader, file->node,
                                 "`%s`, line %d: the radiation file has no period of %g s", file->quoted,
                                 lines.places[k], row[0]);
            break;
        }
        double scale = weight * Power(given->length, 2 + (i > 2)), phase = row[4] * HW_DEGREE;
        double* x = table + 12 * (hwFindNumber(headings, count, row[1]) * frequencies + f) + 2 * i;
        x[0] = scale * row[3] * hwCos(phase);
        x[1] = scale * row[3] * hwSin(phase);
    }
    for (int n = 0; good && n < 12 * count * frequencies; n += 2) {
        // Modes that symmetry makes zero may be left out for all; a single one that lacks is a mistake.
        if (!isnan(table[n])) continue;
        int mode = n / 2 % 6;
        bool other = false;
        for (int m = 2 * mode; m < 12 * count * frequencies && !other; m += 12)
            other = !isnan(table[m]) && table[m] != 0.0;
        if (other)
            good = hwReader_Fail(file->reader, file->node,
                                 "`%s` has no wave force in mode %d for heading %g, period %g s",
                                 file->quoted, mode + 1, headings[n / 12 / frequencies],
                                 2.0 * HW_PI / def->frequencies[n / 12 % frequencies]);
        table[n] = table[n + 1] = 0.0;
    }
    free(lines.numbers);
    free(lines.places);
    for (int h = 0; good && h < count; h++) headings[h] *= HW_DEGREE;
    def->headingCount = count;
    def->headings = headings;
    def->excitation = table;
    return good;
}

static bool ReadHydrostatics(File* file, const hwScenePotential* given, double weight, hwPotentialDef* def) {
    Lines lines = {0};
    bool good = LoadLines(file, given->hydrostatics, 3, 3, "mode, mode, stiffness", &lines);
    for (int k = 0; good && k < lines.count; k++) {
        int i = ReadMode(file, &lines, k, 0), j = i < 0 ? -1 : ReadMode(file, &lines, k, 1);
        good = j >= 0;
        if (good)
            def->stiffness[i][j] =
                weight * Power(given->length, 2 + (i > 2) + (j > 2)) * lines.numbers[3 * (size_t)k + 2];
    }
    free(lines.numbers);
    free(lines.places);
    for (int i = 2; good && i < 5; i++) {
        for (int j = 2; j < i; j++) {
            double a = def->stiffness[i][j], b = def->stiffness[j][i];
            def->stiffness[i][j] = def->stiffness[j][i] = a == 0.0 || b == 0.0 ? a + b : 0.5 * (a + b);
        }
    }
    if (good && !(def->stiffness[2][2] > 0.0))
        good = hwReader_Fail(file->reader, file->node, "`%s` has no stiffness in heave, C33 above 0",
                             file->quoted);
    return good;
}

static bool ReadPotential(hwReader* reader, const hwEnvironmentDef* environment, hwSceneBody* body) {
    const hwScenePotential* given = &body->potential;
    const hwYaml* node = given->place.node;
    if (body->motion.kind != HW_MOTION_FREE)
        return hwReader_Fail(reader, node, "`potential` is for bodies that move by the forces on them");
    if (!environment->water)
        return hwReader_Fail(reader, node, "`potential` needs `environment: {water: {}}`");
    const char* const instead[] = {"volume", "added_mass", "buoyancy_center"};
    for (int i = 0; i < 3; i++) {
        const hwYaml* other = hwYaml_Find(body->place.node, instead[i]);
        if (other != NULL)
            return hwReader_Fail(reader, other,
                                 "`%s` and `potential` exclude each other: the coefficients have it",
                                 instead[i]);
    }
    hwPotentialDef def = {.height = given->height};
    double* added = NULL;
    double weight = environment->waterDensity * environment->gravity;
    File file = {.reader = reader, .node = hwYaml_Find(node, "radiation")};
    if (!ReadRadiation(&file, given, environment->waterDensity, &def, &added)) return false;
    file.node = hwYaml_Find(node, "excitation");
    if (!ReadExcitation(&file, given, weight, &def)) return false;
    file.node = hwYaml_Find(node, "hydrostatics");
    if (!ReadHydrostatics(&file, given, weight, &def)) return false;
    hwError error;
    hwPotentialFit fit;
    if (hwPotential_FindFit(&def, added, &fit, &error) != HW_OK)
        return hwReader_Fail(reader, node, "`potential` of `%s`%s", body->name, error.message);
    body->def.potential = def;
    if (fit.damping > 0.1 || fit.addedMass > 0.1)
        return hwReader_Warn(
            reader, given->place.line,
            "the coefficients of `%s` do not belong together: by its damping (off by %.2g) the added mass "
            "is off by %.2g of the largest; frequencies may be too few, too low or irregular",
            body->name, fit.damping, fit.addedMass);
    if (fit.tail > 0.2)
        return hwReader_Warn(
            reader, given->place.line,
            "the damping of `%s` at the shortest period is still %.2g of the largest: shorter periods are "
            "missing",
            body->name, fit.tail);
    return true;
}

bool hwReadPotentials(hwReader* reader, hwSceneModel* model) {
    for (int i = 0; i < model->bodies.count; i++) {
        hwSceneBody* body = HW_ITEM(model->bodies, hwSceneBody, i);
        if (body->potential.place.line > 0 && !ReadPotential(reader, &model->environment.def, body))
            return false;
    }
    return true;
}
