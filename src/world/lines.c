// Oscillators that hang on links (hwLineSet: waves that floating bodies radiate) in the linear analysis. A velocity V exp(i omega t) has
// r = V i omega / (w^2 - omega^2 + 2 i e omega), so that they are a damping B(omega) and an added mass A(omega): the real part of the
// sum of c r/V, and its imaginary part over omega. Both are taken at a real frequency, also for modes that decay, as is the custom;
// the oscillators themselves say nothing of exp(lambda t) that decays faster than they do.
#include "world/linear.h"

#include <math.h>
#include <string.h>

void hwModes_FreeLines(hwModes* modes) {
    for (int i = 0; i < modes->lineCount && modes->lines != NULL; ++i)
        hwRelease(&modes->allocator, modes->lines[i].frequencies);
    hwRelease(&modes->allocator, modes->lines);
    modes->lines = NULL;
    modes->lineCount = 0;
}

// Velocities of the link by its joint's freedoms, in the axes of the modes and along x and y of the world.
static void FillMotion(const hwWorld* world, const hwLineSet* set, hwModeLines* lines) {
    const hwForest* forest = &world->model.forest;
    hwWideSpatial joint[6];
    hwForest_GetAxes(forest, &world->work->forest, set->link, joint);
    hwWideMat axes = hwWideMat_FromMat3(set->axes);
    for (int j = 0; j < 6; ++j) {
        hwSpatial own = hwWideSpatial_ToLink(joint[j], &axes);
        double modes[6];
        hwSpatialToArray(own, modes);
        for (int i = 0; i < 6; ++i) lines->motion[6 * i + j] = modes[i];
        lines->place[0][j] = joint[j].l[0];
        lines->place[1][j] = joint[j].l[1];
        lines->freedoms[j] = forest->links[set->link].freedom + j;
    }
}

// J^T c J
static void TurnWeights(const double c[36], const double J[36], double out[36]) {
    double half[36];
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) {
            half[6 * i + j] = 0.0;
            for (int k = 0; k < 6; ++k) half[6 * i + j] += c[6 * i + k] * J[6 * k + j];
        }
    }
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) {
            out[6 * i + j] = 0.0;
            for (int k = 0; k < 6; ++k) out[6 * i + j] += J[6 * k + i] * half[6 * k + j];
        }
    }
}

static bool FillLines(hwModes* modes, const hwWorld* world, const hwLineSet* set, hwModeLines* lines) {
    size_t count = (size_t)set->count;
    double* block = hwModes_Take(modes, 38 * count, sizeof(double));
    if (block == NULL) return false;
    lines->count = set->count;
    lines->frequencies = block;
    lines->widths = block + count;
    lines->weights = (double(*)[36])(void*)(block + 2 * count);
    lines->variables = set->variables;
    lines->first = set->place;
    memcpy(lines->frequencies, set->frequencies, count * sizeof(double));
    memcpy(lines->widths, set->widths, count * sizeof(double));
    FillMotion(world, set, lines);
    for (int k = 0; k < set->count; ++k) TurnWeights(set->weights[k], lines->motion, lines->weights[k]);
    for (int i = 0; i < 6; ++i) lines->rows[i] = modes->row[lines->freedoms[i]];
    return true;
}

bool hwModes_FindLines(hwModes* modes, const hwWorld* world) {
    int count = 0;
    HW_EACH_PART(world, part, listLines) count += part->listLines(world, 0, NULL);
    if (count == 0) return true;
    modes->lines = hwModes_Take(modes, (size_t)count, sizeof(hwModeLines));
    hwLineSet* sets = hwModes_Take(modes, (size_t)count, sizeof(hwLineSet));
    bool good = modes->lines != NULL && sets != NULL;
    int listed = 0;
    if (good) {
        HW_EACH_PART(world, part, listLines) listed += part->listLines(world, count - listed, sets + listed);
        for (int i = 0; i < count && good; ++i) {
            good = FillLines(modes, world, &sets[i], &modes->lines[i]);
            modes->lineCount += good;
        }
    }
    hwRelease(&modes->allocator, sets);
    return good;
}

// w^2 - omega^2 + 2 i e omega, its inverse
static void InvertLine(const hwModeLines* lines, int k, double omega, double* re, double* im) {
    double a = lines->frequencies[k] * lines->frequencies[k] - omega * omega,
           b = 2.0 * lines->widths[k] * omega, size = a * a + b * b;
    *re = a / size;
    *im = -b / size;
}

// Damping and added mass at a frequency, by freedoms.
static void SumLines(const hwModeLines* lines, double omega, double damping[36], double mass[36]) {
    memset(damping, 0, 36 * sizeof(double));
    memset(mass, 0, 36 * sizeof(double));
    for (int k = 0; k < lines->count; ++k) {
        double re, im;
        InvertLine(lines, k, omega, &re, &im);
        for (int n = 0; n < 36; ++n) {
            damping[n] -= omega * im * lines->weights[k][n];
            mass[n] += re * lines->weights[k][n];
        }
    }
}

const int* hwModes_SumLines(const hwModes* modes, int lines, double omega, double damping[36],
                            double mass[36]) {
    SumLines(&modes->lines[lines], omega, damping, mass);
    return modes->lines[lines].rows;
}

void hwModes_AddLines(const hwModes* modes, double omega, double re, double im, hwBand* band) {
    for (int i = 0; i < modes->lineCount; ++i) {
        const hwModeLines* lines = &modes->lines[i];
        double damping[36], mass[36];
        SumLines(lines, omega, damping, mass);
        for (int n = 0; n < 36; ++n) {
            int a = lines->rows[n / 6], b = lines->rows[n % 6];
            if (a < 0 || b < 0) continue;
            int row = 2 * modes->place[a], column = 2 * modes->place[b];
            double real = (re * re - im * im) * mass[n] + re * damping[n],
                   imaginary = 2.0 * re * im * mass[n] + im * damping[n];
            *hwBand_At(band, row, column) += real;
            *hwBand_At(band, row + 1, column + 1) += real;
            *hwBand_At(band, row, column + 1) -= imaginary;
            *hwBand_At(band, row + 1, column) += imaginary;
        }
    }
}

void hwModes_AddLinesSlope(const hwModes* modes, double omega, double re, double im, const double* x,
                           double* y) {
    for (int i = 0; i < modes->lineCount; ++i) {
        const hwModeLines* lines = &modes->lines[i];
        double damping[36], mass[36];
        SumLines(lines, omega, damping, mass);
        for (int n = 0; n < 36; ++n) {
            int a = lines->rows[n / 6], b = lines->rows[n % 6];
            if (a < 0 || b < 0) continue;
            double real = 2.0 * re * mass[n] + damping[n], imaginary = 2.0 * im * mass[n];
            y[2 * a] += real * x[2 * b] - imaginary * x[2 * b + 1];
            y[2 * a + 1] += real * x[2 * b + 1] + imaginary * x[2 * b];
        }
    }
}

void hwModes_ClearLines(const hwModes* modes, double* z) {
    for (int i = 0; i < modes->lineCount; ++i) {
        const hwModeLines* lines = &modes->lines[i];
        memset(z + lines->variables, 0, 12 * (size_t)lines->count * sizeof(double));
        z[lines->first] = z[lines->first + 3] = 0.0;
    }
}

void hwModes_AddToLines(const hwModes* modes, double omega, const double* d, const double* v, const double* a,
                        double* z) {
    for (int i = 0; i < modes->lineCount; ++i) {
        const hwModeLines* lines = &modes->lines[i];
        double rates[6] = {0}, changes[6] = {0};
        for (int j = 0; j < 6; ++j) {
            int freedom = lines->freedoms[j];
            for (int n = 0; n < 6; ++n) {
                rates[n] += lines->motion[6 * n + j] * v[freedom];
                changes[n] += lines->motion[6 * n + j] * a[freedom] / omega;
            }
            z[lines->first] += lines->place[0][j] * d[freedom];
            z[lines->first + 3] += lines->place[1][j] * d[freedom];
        }
        for (int k = 0; k < lines->count; ++k) {
            // s = V h, r = i omega s; of v = Re(V exp(i omega t)) the real part of (p + i q) V exp(i omega t) is p v + q v'/omega
            double re, im;
            InvertLine(lines, k, omega, &re, &im);
            for (int n = 0; n < 6; ++n) {
                double* variables = z + lines->variables + 2 * (n * lines->count + k);
                variables[0] += omega * (re * changes[n] - im * rates[n]);
                variables[1] += re * rates[n] + im * changes[n];
            }
        }
    }
}
