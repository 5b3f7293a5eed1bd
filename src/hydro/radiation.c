#include "hydro/radiation.h"

#include "base/error.h"
#include "hawser/elementary.h"
#include "hawser/math.h"

#include <math.h>
#include <string.h>

enum { LINES = HW_RADIATION_LINES, POINTS = 2 * LINES, ROUNDS = 50 };

// The matrix -------------------------------------------------------------------------------------------------------------

// What a line adds to B per unit of c, and to A.
static double GetShape(const hwRadiation* radiation, int k, double omega, double* added) {
    double line = radiation->lines[k], off = line * line - omega * omega,
           damped = 2.0 * radiation->widths[k] * omega;
    double inverse = 1.0 / (off * off + damped * damped);
    *added = off * inverse;
    return damped * omega * inverse;
}

void hwRadiation_GetCoefficients(const hwRadiation* radiation, double omega, double damping[36],
                                 double addedMass[36]) {
    memset(damping, 0, 36 * sizeof(double));
    memset(addedMass, 0, 36 * sizeof(double));
    for (int k = 0; k < LINES; ++k) {
        double a, b = GetShape(radiation, k, omega, &a);
        for (int n = 0; n < 36; ++n) {
            damping[n] += b * radiation->weights[k][n];
            addedMass[n] += a * radiation->weights[k][n];
        }
    }
}

// B of the table: straight lines, from zero at frequency zero, and to zero over a quarter of the last frequency above it.
static void ReadDamping(const hwPotentialDef* def, double omega, double out[36]) {
    int count = def->frequencyCount;
    const double* w = def->frequencies;
    int i = 0;
    while (i < count && w[i] < omega) ++i;
    double low = i > 0 ? w[i - 1] : 0.0, high = i < count ? w[i] : 1.25 * w[count - 1];
    double f = hwFmin(1.0, (omega - low) / (high - low));
    for (int n = 0; n < 36; ++n) {
        double before = i > 0 ? def->damping[36 * (i - 1) + n] : 0.0,
               after = i < count ? def->damping[36 * i + n] : 0.0;
        out[n] = before + f * (after - before);
    }
}

// Nearest symmetric matrix without negative eigenvalues: Jacobi's rotations, negative ones dropped. Modes are scaled to the
// same size first, so that forces and moments count alike.
static void DropNegative(double m[36], const double scale[6]) {
    double a[6][6], v[6][6];
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) {
            double s = scale[i] * scale[j];
            a[i][j] = s > 0.0 ? 0.5 * (m[6 * i + j] + m[6 * j + i]) / s : 0.0;
            v[i][j] = i == j ? 1.0 : 0.0;
        }
    }
    for (int sweep = 0; sweep < 12; ++sweep) {
        double off = 0.0, all = 0.0;
        for (int i = 0; i < 6; ++i) {
            for (int j = 0; j < 6; ++j) {
                all += a[i][j] * a[i][j];
                if (i != j) off += a[i][j] * a[i][j];
            }
        }
        if (!(off > 1e-30 * all)) break;
        for (int p = 0; p < 5; ++p) {
            for (int q = p + 1; q < 6; ++q) {
                if (a[p][q] == 0.0) continue;
                double theta = 0.5 * (a[q][q] - a[p][p]) / a[p][q];
                double t = (theta < 0.0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
                double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
                for (int k = 0; k < 6; ++k) {
                    double x = a[k][p], y = a[k][q];
                    a[k][p] = c * x - s * y;
                    a[k][q] = s * x + c * y;
                }
                for (int k = 0; k < 6; ++k) {
                    double x = a[p][k], y = a[q][k];
                    a[p][k] = c * x - s * y;
                    a[q][k] = s * x + c * y;
                    x = v[k][p];
                    y = v[k][q];
                    v[k][p] = c * x - s * y;
                    v[k][q] = s * x + c * y;
                }
            }
        }
    }
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) {
            double sum = 0.0;
            for (int k = 0; k < 6; ++k) sum += hwFmax(a[k][k], 0.0) * v[i][k] * v[j][k];
            m[6 * i + j] = sum * scale[i] * scale[j];
        }
    }
}

// Where lines stand --------------------------------------------------------------------------------------------------------

// Size of each mode's damping: square root of its largest B. What is a millionth of the largest of its kind, translation or
// rotation, is a panel program's rounding (yaw of a body of revolution), and nothing.
static void FindScales(const hwPotentialDef* def, double scale[6]) {
    double most[6] = {0};
    for (int i = 0; i < 6; ++i) {
        for (int f = 0; f < def->frequencyCount; ++f) most[i] = hwFmax(most[i], def->damping[36 * f + 7 * i]);
    }
    for (int i = 0; i < 6; ++i) {
        const double* kind = i < 3 ? most : most + 3;
        double largest = hwFmax(kind[0], hwFmax(kind[1], kind[2]));
        scale[i] = most[i] > 1e-6 * largest ? sqrt(most[i]) : 0.0;
    }
}

// Frequencies w(x) = end sinh(b x) / sinh(b), x from 0 to 1.
typedef struct Range {
    double end, b;
} Range;

static double GetFrequency(const Range* range, double x) {
    if (range->b == 0.0) return range->end * x;
    return range->end * (hwExp(range->b * x) - hwExp(-range->b * x)) / (hwExp(range->b) - hwExp(-range->b));
}

static double GetSlope(const Range* range, double x) {
    if (range->b == 0.0) return range->end;
    return range->end * range->b * (hwExp(range->b * x) + hwExp(-range->b * x)) /
           (hwExp(range->b) - hwExp(-range->b));
}

// Half of the range is where nine tenths of the damping of each mode are: w(1/2) / end = 1 / (2 cosh(b/2)).
static Range FindRange(const hwPotentialDef* def, const double scale[6]) {
    int last = def->frequencyCount - 1;
    const double* w = def->frequencies;
    double busy = 0.0;
    for (int i = 0; i < 6; ++i) {
        if (!(scale[i] > 0.0)) continue;
        double sum = 0.0, all = 0.0;
        for (int f = 1; f <= last; ++f) all += hwFmax(0.0, def->damping[36 * f + 7 * i]) * (w[f] - w[f - 1]);
        for (int f = 1; f <= last && sum < 0.9 * all; ++f) {
            sum += hwFmax(0.0, def->damping[36 * f + 7 * i]) * (w[f] - w[f - 1]);
            busy = hwFmax(busy, w[f]);
        }
    }
    Range range = {1.25 * w[last], 0.0};
    double c = busy > 0.0 ? 0.5 * range.end / busy : 1.0;
    if (c > 1.0) range.b = 2.0 * hwLog(c + sqrt(c * c - 1.0));
    return range;
}

// Least squares ------------------------------------------------------------------------------------------------------------

// Arrays of a fit, too large for a stack.
typedef struct Fit {
    double shapes[POINTS][LINES]; // GetShape at each point
    double target[POINTS][36];
    double normal[LINES][LINES]; // shapes^T shapes, then its Cholesky factor in `factor`
    double factor[LINES][LINES];
    double right[LINES][36];                              // shapes^T target
    double now[LINES][36], old[LINES][36], at[LINES][36]; // iterates
} Fit;

static void AssembleMatrix(const hwPotentialDef* def, const hwRadiation* radiation, const Range* range,
                           Fit* fit) {
    for (int p = 0; p < POINTS; ++p) {
        double omega = GetFrequency(range, (p + 0.5) / POINTS);
        ReadDamping(def, omega, fit->target[p]);
        double added;
        for (int k = 0; k < LINES; ++k) fit->shapes[p][k] = GetShape(radiation, k, omega, &added);
    }
    for (int p = 0; p < POINTS; ++p) {
        for (int k = 0; k < LINES; ++k) {
            double s = fit->shapes[p][k];
            for (int l = 0; l < LINES; ++l) fit->normal[k][l] += s * fit->shapes[p][l];
            for (int n = 0; n < 36; ++n) fit->right[k][n] += s * fit->target[p][n];
        }
    }
}

// The fit without the condition, where the condition mostly holds already.
static void SolveFree(Fit* fit) {
    memcpy(fit->factor, fit->normal, sizeof(fit->factor));
    double ridge = 0.0;
    for (int k = 0; k < LINES; ++k) ridge = hwFmax(ridge, 1e-8 * fit->normal[k][k]);
    for (int k = 0; k < LINES; ++k) {
        for (int l = 0; l <= k; ++l) {
            double sum = fit->normal[k][l] + (k == l ? ridge : 0.0);
            for (int m = 0; m < l; ++m) sum -= fit->factor[k][m] * fit->factor[l][m];
            fit->factor[k][l] = k == l ? sqrt(sum) : sum / fit->factor[l][l];
        }
    }
    for (int n = 0; n < 36; ++n) {
        for (int k = 0; k < LINES; ++k) {
            double sum = fit->right[k][n];
            for (int m = 0; m < k; ++m) sum -= fit->factor[k][m] * fit->now[m][n];
            fit->now[k][n] = sum / fit->factor[k][k];
        }
        for (int k = LINES - 1; k >= 0; --k) {
            double sum = fit->now[k][n];
            for (int m = k + 1; m < LINES; ++m) sum -= fit->factor[m][k] * fit->now[m][n];
            fit->now[k][n] = sum / fit->factor[k][k];
        }
    }
}

// Largest eigenvalue of the normal matrix, by its row sums: no step of the gradient is longer than its inverse.
static double BoundNormal(const Fit* fit) {
    double most = 0.0;
    for (int k = 0; k < LINES; ++k) {
        double sum = 0.0;
        for (int l = 0; l < LINES; ++l) sum += fabs(fit->normal[k][l]);
        most = hwFmax(most, sum);
    }
    return most;
}

// Projected gradients with Nesterov's acceleration (Beck and Teboulle 2009).
static void SolveNotNegative(Fit* fit, const double scale[6]) {
    double bound = BoundNormal(fit), speed = 1.0;
    for (int k = 0; k < LINES; ++k) DropNegative(fit->now[k], scale);
    memcpy(fit->at, fit->now, sizeof(fit->at));
    for (int round = 0; round < ROUNDS; ++round) {
        memcpy(fit->old, fit->now, sizeof(fit->old));
        for (int k = 0; k < LINES; ++k) {
            double gradient[36];
            for (int n = 0; n < 36; ++n) gradient[n] = -fit->right[k][n];
            for (int l = 0; l < LINES; ++l) {
                double s = fit->normal[k][l];
                for (int n = 0; n < 36; ++n) gradient[n] += s * fit->at[l][n];
            }
            for (int n = 0; n < 36; ++n) fit->now[k][n] = fit->at[k][n] - gradient[n] / bound;
            DropNegative(fit->now[k], scale);
        }
        double next = 0.5 * (1.0 + sqrt(1.0 + 4.0 * speed * speed)), push = (speed - 1.0) / next;
        speed = next;
        for (int k = 0; k < LINES; ++k) {
            for (int n = 0; n < 36; ++n)
                fit->at[k][n] = fit->now[k][n] + push * (fit->now[k][n] - fit->old[k][n]);
        }
    }
}

bool hwRadiation_Fit(const hwAllocator* allocator, const hwPotentialDef* def, hwRadiation* radiation) {
    double scale[6];
    FindScales(def, scale);
    for (int i = 0; i < 6; ++i) radiation->active[i] = scale[i] > 0.0;
    Range range = FindRange(def, scale);
    for (int k = 0; k < LINES; ++k) {
        radiation->lines[k] = GetFrequency(&range, (k + 0.5) / LINES);
        radiation->widths[k] = GetSlope(&range, (k + 0.5) / LINES) / LINES;
    }
    Fit* fit = hwAllocate(allocator, sizeof(Fit));
    if (fit == NULL) return false;
    AssembleMatrix(def, radiation, &range, fit);
    SolveFree(fit);
    SolveNotNegative(fit, scale);
    memcpy(radiation->weights, fit->now, sizeof(fit->now));
    hwRelease(allocator, fit);
    return true;
}

// For programs -----------------------------------------------------------------------------------------------------------

static hwStatus FitAlone(const hwPotentialDef* def, hwRadiation* radiation, double weights[LINES][36],
                         hwError* error) {
    hwClearError(error);
    hwStatus status = hwPotential_Check(def, "", error);
    if (status != HW_OK) return status;
    radiation->weights = weights;
    hwAllocator allocator = hwDefaultAllocator();
    return hwRadiation_Fit(&allocator, def, radiation) ? HW_OK : hwFail_Memory(error, NULL);
}

hwStatus hwPotential_FindInfiniteMass(const hwPotentialDef* def, const double* addedMass, double out[6][6],
                                      hwError* error) {
    hwRadiation radiation;
    double weights[LINES][36], b[36], a[36];
    hwStatus status = FitAlone(def, &radiation, weights, error);
    if (status != HW_OK) return status;
    memset(out, 0, 36 * sizeof(double));
    for (int f = 0; f < def->frequencyCount; ++f) {
        hwRadiation_GetCoefficients(&radiation, def->frequencies[f], b, a);
        for (int n = 0; n < 36; ++n)
            out[n / 6][n % 6] += (addedMass[36 * f + n] - a[n]) / def->frequencyCount;
    }
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < i; ++j) out[i][j] = out[j][i] = 0.5 * (out[i][j] + out[j][i]);
    }
    return HW_OK;
}

hwStatus hwPotential_FindFit(const hwPotentialDef* def, const double* addedMass, hwPotentialFit* out,
                             hwError* error) {
    hwRadiation radiation;
    double weights[LINES][36], b[36], a[36], scale[6], mass[6] = {0};
    hwStatus status = FitAlone(def, &radiation, weights, error);
    if (status != HW_OK) return status;
    FindScales(def, scale);
    *out = (hwPotentialFit){0};
    int last = def->frequencyCount - 1;
    for (int f = 0; f <= last && addedMass != NULL; ++f) {
        for (int i = 0; i < 6; ++i) mass[i] = hwFmax(mass[i], fabs(addedMass[36 * f + 7 * i]));
    }
    for (int f = 0; f <= last; ++f) {
        hwRadiation_GetCoefficients(&radiation, def->frequencies[f], b, a);
        for (int n = 0; n < 36; ++n) {
            int i = n / 6, j = n % 6;
            double size = scale[i] * scale[j], weight = sqrt(mass[i] * mass[j]);
            if (size > 0.0) out->damping = hwFmax(out->damping, fabs(b[n] - def->damping[36 * f + n]) / size);
            if (size > 0.0 && weight > 0.0)
                out->addedMass = hwFmax(out->addedMass,
                                        fabs(def->addedMass[i][j] + a[n] - addedMass[36 * f + n]) / weight);
        }
    }
    for (int i = 0; i < 6; ++i) {
        if (scale[i] > 0.0)
            out->tail = hwFmax(out->tail, def->damping[36 * last + 7 * i] / (scale[i] * scale[i]));
    }
    return HW_OK;
}

static hwStatus RefuseRadiation(hwError* error, const char* name, const char* what) {
    return hwFailField(error, HW_ERROR_ARGUMENT, name, "potential", "%s: %s", name, what);
}

hwStatus hwPotential_Check(const hwPotentialDef* def, const char* name, hwError* error) {
    if (def->frequencyCount == 0) return HW_OK;
    if (def->frequencyCount < 2 || def->frequencies == NULL || def->damping == NULL)
        return RefuseRadiation(
            error, name, "hydrodynamic coefficients need two frequencies at least, and damping for each");
    for (int f = 0; f < def->frequencyCount; ++f) {
        if (!(def->frequencies[f] > (f > 0 ? def->frequencies[f - 1] : 0.0)) ||
            !isfinite(def->frequencies[f]))
            return RefuseRadiation(error, name,
                                   "frequencies of hydrodynamic coefficients are above zero and increase");
        for (int n = 0; n < 36; ++n) {
            if (!isfinite(def->damping[36 * f + n]))
                return RefuseRadiation(error, name, "radiation damping is not finite");
        }
    }
    // Panels round: in short waves, where little is left, the two entries may differ much, but little beside the largest.
    double scale[6];
    FindScales(def, scale);
    for (int n = 0; n < 36 * def->frequencyCount; ++n) {
        int i = n % 36 / 6, j = n % 6;
        if (j >= i) continue;
        if (fabs(def->damping[n] - def->damping[n - n % 36 + 6 * j + i]) > 0.1 * scale[i] * scale[j] &&
            scale[i] * scale[j] > 0.0)
            return RefuseRadiation(error, name, "radiation damping is not symmetric");
    }
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) {
            if (!isfinite(def->addedMass[i][j]) || !isfinite(def->stiffness[i][j]))
                return RefuseRadiation(error, name, "added mass or hydrostatic stiffness is not finite");
        }
        if (def->addedMass[i][i] < 0.0) return RefuseRadiation(error, name, "added mass is negative");
    }
    if (!isfinite(def->height)) return RefuseRadiation(error, name, "the height of the origin is not finite");
    if (def->headingCount == 0) return HW_OK;
    if (def->headingCount < 0 || def->headings == NULL || def->excitation == NULL)
        return RefuseRadiation(error, name, "wave forces need headings and a table");
    for (int h = 0; h < def->headingCount; ++h) {
        if (!isfinite(def->headings[h]) || (h > 0 && !(def->headings[h] > def->headings[h - 1])) ||
            fabs(def->headings[h]) > 2.0 * HW_PI + 1e-9)
            return RefuseRadiation(error, name, "headings of wave forces increase, within a turn");
    }
    for (int n = 0; n < 12 * def->headingCount * def->frequencyCount; ++n) {
        if (!isfinite(def->excitation[n])) return RefuseRadiation(error, name, "a wave force is not finite");
    }
    return HW_OK;
}
