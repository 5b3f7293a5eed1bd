// Linear analysis about the equilibrium, see hawser/modes.h.
//
// K and C are differences of the residual that steps solve for, column by column. Natural modes K x = omega^2 M x are found by
// subspace iteration (Bathe & Wilson 1972) with K + shift M in band form: unlike a Krylov method from one vector it finds all
// modes of a multiple frequency, such as the two of a string in its planes. Damping is that of the quadratic problem
// (lambda^2 M + lambda C + K) x = 0, by Newton's method from each undamped mode (Ruhe 1973).
#include "base/random.h"
#include "world/linear.h"

#include <math.h>
#include <string.h>

#define HW_MODES_COOKIE 0x48570047
#define SHIFT 1e-4           // 1/s2: free modes make K singular, K + SHIFT M not
#define FREE_PERIOD 3600.0   // s: what is slower counts as free
#define MOST_ITERATIONS 200  // of the subspace
#define CONVERGED 1e-11      // relative change of eigenvalues
#define NEWTON_ITERATIONS 30 // of the quadratic problem

hwModesDef hwDefaultModesDef(void) {
    hwModesDef def = {.count = 10, .cookie = HW_MODES_COOKIE};
    return def;
}

void hwDestroyModes(hwModes* modes) {
    if (modes == NULL) return;
    hwAllocator allocator = modes->allocator;
    hwSparse_Free(&allocator, &modes->M);
    hwSparse_Free(&allocator, &modes->C);
    hwSparse_Free(&allocator, &modes->K);
    hwModes_FreeLines(modes);
    hwRelease(&allocator, modes->freedom);
    hwRelease(&allocator, modes->row);
    hwRelease(&allocator, modes->q);
    hwRelease(&allocator, modes->v);
    hwRelease(&allocator, modes->held);
    hwRelease(&allocator, modes->rest);
    hwRelease(&allocator, modes->scratch);
    hwRelease(&allocator, modes->place);
    hwRelease(&allocator, modes->shapes);
    hwRelease(&allocator, modes->squares);
    hwRelease(&allocator, modes->infos);
    hwRelease(&allocator, modes);
}

// Natural modes ----------------------------------------------------------------------------------------------------------------

// Eigenvalues of a symmetric matrix a (destroyed) by cyclic Jacobi rotations, vectors in the columns of v, rising.
static void DiagonalizeSymmetric(int n, double* a, double* v, double* values) {
    for (int i = 0; i < n * n; ++i) v[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
    for (int sweep = 0; sweep < 60; ++sweep) {
        double off = 0.0, on = 0.0;
        for (int i = 0; i < n; ++i) {
            on += a[i * n + i] * a[i * n + i];
            for (int j = i + 1; j < n; ++j) off += a[i * n + j] * a[i * n + j];
        }
        if (off <= 1e-34 * on) break;
        for (int p = 0; p < n; ++p) {
            for (int q = p + 1; q < n; ++q) {
                double apq = a[p * n + q];
                if (apq * apq <= 1e-40 * fabs(a[p * n + p] * a[q * n + q])) continue;
                double theta = 0.5 * (a[q * n + q] - a[p * n + p]) / apq;
                double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
                double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
                for (int k = 0; k < n; ++k) {
                    double x = a[k * n + p], y = a[k * n + q];
                    a[k * n + p] = c * x - s * y;
                    a[k * n + q] = s * x + c * y;
                }
                for (int k = 0; k < n; ++k) {
                    double x = a[p * n + k], y = a[q * n + k];
                    a[p * n + k] = c * x - s * y;
                    a[q * n + k] = s * x + c * y;
                }
                for (int k = 0; k < n; ++k) {
                    double x = v[k * n + p], y = v[k * n + q];
                    v[k * n + p] = c * x - s * y;
                    v[k * n + q] = s * x + c * y;
                }
            }
        }
    }
    for (int i = 0; i < n; ++i) values[i] = a[i * n + i];
    for (int i = 0; i < n; ++i) {
        int least = i;
        for (int j = i + 1; j < n; ++j) least = values[j] < values[least] ? j : least;
        if (least == i) continue;
        double swap = values[i];
        values[i] = values[least];
        values[least] = swap;
        for (int k = 0; k < n; ++k) {
            swap = v[k * n + i];
            v[k * n + i] = v[k * n + least];
            v[k * n + least] = swap;
        }
    }
}

// Work of the subspace iteration: `block` vectors of `size`.
typedef struct Subspace {
    int size, block;
    double *x, *mx, *kx;     // [vector][row]
    double *small, *turn;    // [block][block]
    double *values, *before; // [block]
    double* scratch;         // [row]
} Subspace;

// y = M x, y = (K + K^T) x / 2
static void MultiplySymmetric(const hwModes* modes, const double* x, double* y) {
    const hwSparse* K = &modes->K;
    memset(y, 0, (size_t)modes->size * sizeof(double));
    hwSparse_MultiplyAdd(K, 0.5, x, y);
    for (int j = 0; j < modes->size; ++j) {
        double sum = 0.0;
        for (int k = K->start[j]; k < K->start[j + 1]; ++k) sum += K->value[k] * x[K->row[k]];
        y[j] += 0.5 * sum;
    }
}

static void MultiplyMass(const hwModes* modes, const double* x, double* y) {
    memset(y, 0, (size_t)modes->size * sizeof(double));
    hwSparse_MultiplyAdd(&modes->M, 1.0, x, y);
}

// Makes the vectors orthonormal in M, twice for rounding; those that depend on the others, as where M has too few ranks, are
// dropped. Leaves M x in mx. Returns how many are left.
static int OrthonormaliseModes(const hwModes* modes, Subspace* s, int count) {
    int n = s->size, kept = 0;
    for (int i = 0; i < count; ++i) {
        double* x = s->x + (size_t)i * n;
        double* mx = s->mx + (size_t)kept * n;
        MultiplyMass(modes, x, mx);
        double before = hwModes_Dot(n, x, mx);
        if (!(before > 0.0)) continue;
        for (int pass = 0; pass < 2; ++pass) {
            for (int j = 0; j < kept; ++j) {
                double part = hwModes_Dot(n, s->mx + (size_t)j * n, x);
                for (int k = 0; k < n; ++k) x[k] -= part * s->x[(size_t)j * n + k];
            }
        }
        MultiplyMass(modes, x, mx);
        double after = hwModes_Dot(n, x, mx);
        if (!(after > 1e-22 * before)) continue;
        double scale = 1.0 / sqrt(after);
        for (int k = 0; k < n; ++k) {
            s->x[(size_t)kept * n + k] = scale * x[k];
            mx[k] *= scale;
        }
        kept += 1;
    }
    return kept;
}

// Rayleigh and Ritz: the best modes within the space of `count` vectors. Leaves M x of them in mx.
static void RayleighRitz(const hwModes* modes, Subspace* s, int count) {
    int n = s->size;
    for (int i = 0; i < count; ++i) MultiplySymmetric(modes, s->x + (size_t)i * n, s->kx + (size_t)i * n);
    for (int i = 0; i < count; ++i) {
        for (int j = 0; j <= i; ++j) {
            double value = hwModes_Dot(n, s->x + (size_t)i * n, s->kx + (size_t)j * n);
            s->small[i * count + j] = s->small[j * count + i] = value;
        }
    }
    DiagonalizeSymmetric(count, s->small, s->turn, s->values);
    double* lists[2] = {s->x, s->mx};
    for (int l = 0; l < 2; ++l) {
        for (int k = 0; k < n; ++k) {
            for (int i = 0; i < count; ++i) {
                double sum = 0.0;
                for (int j = 0; j < count; ++j) sum += lists[l][(size_t)j * n + k] * s->turn[j * count + i];
                s->before[i] = sum;
            }
            for (int i = 0; i < count; ++i) lists[l][(size_t)i * n + k] = s->before[i];
        }
    }
}

static hwStatus IterateModes(hwModes* modes, const hwWorld* world, const hwBand* band, Subspace* s,
                             int wanted, hwError* error) {
    int n = s->size, count = s->block;
    hwRandom random = {1};
    for (size_t i = 0; i < (size_t)n * (size_t)count; ++i) s->x[i] = hwRandom_Range(&random, -1.0, 1.0);
    // into the range of M, where all modes are
    double* last = s->scratch + n;
    for (int i = 0; i < count; ++i) last[i] = (double)INFINITY;
    for (int i = 0; i < count; ++i) MultiplyMass(modes, s->x + (size_t)i * n, s->mx + (size_t)i * n);
    for (int iteration = 0; iteration < MOST_ITERATIONS; ++iteration) {
        if (hwWorld_IsStopped(world)) return hwWorld_FailStopped(world, true, error);
        for (int i = 0; i < count; ++i) {
            for (int k = 0; k < n; ++k) s->scratch[modes->place[k]] = s->mx[(size_t)i * n + k];
            hwBand_Solve(band, s->scratch);
            for (int k = 0; k < n; ++k) s->x[(size_t)i * n + k] = s->scratch[modes->place[k]];
        }
        count = OrthonormaliseModes(modes, s, count);
        if (count == 0)
            return hwFail(error, HW_ERROR_MODEL, NULL, "nothing in the world has mass and can move");
        RayleighRitz(modes, s, count);
        if (wanted > count) wanted = count;
        double change = 0.0;
        for (int i = 0; i < wanted; ++i) {
            change = hwFmax(change, fabs(s->values[i] - last[i]) / (fabs(s->values[i]) + SHIFT));
            last[i] = s->values[i];
        }
        if (change < CONVERGED || count == n) break;
    }
    modes->count = wanted;
    memcpy(modes->shapes, s->x, (size_t)wanted * (size_t)n * sizeof(double));
    memcpy(modes->squares, s->values, (size_t)wanted * sizeof(double));
    return HW_OK;
}

static hwStatus FindNatural(hwModes* modes, const hwWorld* world, int wanted, hwError* error) {
    int n = modes->size;
    if (wanted > n) wanted = n;
    int block = 2 * wanted > wanted + 8 ? 2 * wanted : wanted + 8;
    if (block > n) block = n;
    Subspace s = {.size = n, .block = block};
    hwBand band = {0};
    size_t rows = (size_t)n, vectors = (size_t)block;
    double* memory = hwModes_Take(
        modes, 3 * rows * vectors + 2 * vectors * vectors + 2 * vectors + rows + vectors, sizeof(double));
    modes->shapes = hwModes_Take(modes, (size_t)wanted * rows, sizeof(double));
    modes->squares = hwModes_Take(modes, (size_t)wanted, sizeof(double));
    modes->infos = hwModes_Take(modes, (size_t)wanted, sizeof(hwModeInfo));
    hwStatus status = HW_OK;
    if (memory == NULL || !modes->shapes || !modes->squares || !modes->infos ||
        !hwBand_Begin(&modes->allocator, n, modes->width, &band)) {
        status = hwFail_Memory(error, NULL);
    }
    if (status == HW_OK) {
        s.x = memory;
        s.mx = s.x + rows * vectors;
        s.kx = s.mx + rows * vectors;
        s.small = s.kx + rows * vectors;
        s.turn = s.small + vectors * vectors;
        s.values = s.turn + vectors * vectors;
        s.before = s.values + vectors;
        s.scratch = s.before + vectors;
        hwBand_Clear(&band);
        hwModes_AddToBand(modes, &modes->K, 1.0, true, &band);
        hwModes_AddToBand(modes, &modes->M, SHIFT, true, &band);
        status =
            hwBand_Factor(&band)
                ? IterateModes(modes, world, &band, &s, wanted, error)
                : hwFail(error, HW_ERROR_NUMERIC, NULL,
                         "the stiffness about the equilibrium is singular: something without mass is free");
    }
    hwBand_Free(&modes->allocator, &band);
    hwRelease(&modes->allocator, memory);
    return status;
}

// Damping ------------------------------------------------------------------------------------------------------------------------

// Newton's method for (lambda^2 M + lambda C + K) x = 0, and what lines add with their coefficients at the frequency `at`, with
// w x = 1, w = M times the undamped shape. `memory` [8 size].
static bool SolveDamped(const hwModes* modes, int mode, double at, hwBand* band, double* memory, double* re,
                        double* im) {
    int n = modes->size;
    const double* shape = modes->shapes + (size_t)mode * n;
    double *x = memory, *u = x + 2 * n, *w = u + 2 * n, *part = w + n, *scratch = part + n;
    MultiplyMass(modes, shape, w);
    for (int i = 0; i < n; ++i) {
        x[2 * i] = shape[i];
        x[2 * i + 1] = 0.0;
    }
    double square = modes->squares[mode], omega = sqrt(fabs(square));
    *re = square < 0.0 ? omega : 0.0;
    *im = square < 0.0 ? 0.0 : omega;
    for (int iteration = 0; iteration < NEWTON_ITERATIONS; ++iteration) {
        // u = Q^-1 (2 lambda M + C) x, real and imaginary parts by turns
        for (int c = 0; c < 2; ++c) {
            for (int i = 0; i < n; ++i) part[i] = x[2 * i + c];
            double* y = scratch + (size_t)c * n;
            memset(y, 0, (size_t)n * sizeof(double));
            hwSparse_MultiplyAdd(&modes->C, 1.0, part, y);
        }
        for (int i = 0; i < n; ++i) {
            u[2 * i] = scratch[i];
            u[2 * i + 1] = scratch[n + i];
        }
        for (int c = 0; c < 2; ++c) {
            for (int i = 0; i < n; ++i) part[i] = x[2 * i + c];
            MultiplyMass(modes, part, scratch);
            for (int i = 0; i < n; ++i) {
                // 2 lambda times the real (c = 0) or i times the imaginary part
                u[2 * i] += 2.0 * (c == 0 ? *re : -*im) * scratch[i];
                u[2 * i + 1] += 2.0 * (c == 0 ? *im : *re) * scratch[i];
            }
        }
        hwModes_AddLinesSlope(modes, at, *re, *im, x, u);
        if (!hwModes_FactorPairs(modes, at, *re, *im, band))
            return iteration > 0; // lambda is one to the last digit
        hwModes_SolvePairs(modes, band, u, scratch);
        double sumRe = 0.0, sumIm = 0.0;
        for (int i = 0; i < n; ++i) {
            sumRe += w[i] * u[2 * i];
            sumIm += w[i] * u[2 * i + 1];
        }
        double size = sumRe * sumRe + sumIm * sumIm;
        if (!(size > 0.0) || !isfinite(size)) return false;
        double inverseRe = sumRe / size, inverseIm = -sumIm / size;
        for (int i = 0; i < n; ++i) {
            x[2 * i] = u[2 * i] * inverseRe - u[2 * i + 1] * inverseIm;
            x[2 * i + 1] = u[2 * i] * inverseIm + u[2 * i + 1] * inverseRe;
        }
        *re -= inverseRe;
        *im -= inverseIm;
        if (!isfinite(*re) || !isfinite(*im)) return false;
        double reached = *re * *re + *im * *im, slow = 2.0 * HW_PI / FREE_PERIOD;
        // towards a root at 0, which is a double one where something drifts, each step goes half of the way
        if (reached < slow * slow) return true;
        if (inverseRe * inverseRe + inverseIm * inverseIm < 1e-20 * reached) return true;
    }
    return false;
}

// The same with lines at the frequency that comes out.
static bool SolveAtOwn(const hwModes* modes, int mode, hwBand* band, double* memory, double* re, double* im) {
    double at = sqrt(modes->squares[mode]);
    for (int iteration = 0; iteration < NEWTON_ITERATIONS; ++iteration) {
        if (!SolveDamped(modes, mode, at, band, memory, re, im)) return false;
        double size = sqrt(*re * *re + *im * *im), change = fabs(size - at);
        at = size;
        if (modes->lineCount == 0 || change <= 1e-9 * size) return true;
    }
    return false;
}

static void NameMode(const hwModes* modes, const hwWorld* world, int mode, double* momentum,
                     hwModeInfo* info) {
    int n = modes->size;
    const double* shape = modes->shapes + (size_t)mode * n;
    MultiplyMass(modes, shape, momentum);
    double best = -1.0, sum = 0.0;
    const char* current = NULL;
    for (int i = 0; i <= n; ++i) {
        const char* object = i < n ? hwWorld_NameFreedom(world, modes->freedom[i]).object : NULL;
        if (current != NULL && (object == NULL || strcmp(object, current) != 0)) {
            if (sum > best) {
                best = sum;
                strncpy(info->object, current, sizeof(info->object) - 1);
            }
            sum = 0.0;
        }
        current = object;
        if (i < n) sum += shape[i] * momentum[i];
    }
    info->share = best;
}

// By falling period, which the added mass of floating bodies has changed; those that fall away, and free ones, stay first.
static void SortModes(hwModes* modes) {
    size_t n = (size_t)modes->size;
    for (int i = 1; i < modes->count; ++i) {
        for (int k = i; k > 0 && modes->infos[k].period > modes->infos[k - 1].period; --k) {
            hwModeInfo info = modes->infos[k];
            modes->infos[k] = modes->infos[k - 1];
            modes->infos[k - 1] = info;
            double *a = modes->shapes + (size_t)k * n, *b = a - n, square = modes->squares[k];
            modes->squares[k] = modes->squares[k - 1];
            modes->squares[k - 1] = square;
            for (size_t r = 0; r < n; ++r) {
                double part = a[r];
                a[r] = b[r];
                b[r] = part;
            }
        }
    }
}

static hwStatus DescribeModes(hwModes* modes, const hwWorld* world, hwError* error) {
    int n = modes->size;
    hwBand band = {0};
    double* memory = hwModes_Take(modes, 8 * (size_t)n, sizeof(double));
    bool damps = modes->C.used > 0 || modes->lineCount > 0;
    bool good = memory != NULL && (!damps || hwModes_BeginPairs(modes, &band));
    double slow = 2.0 * HW_PI / FREE_PERIOD;
    for (int i = 0; i < modes->count && good; ++i) {
        hwModeInfo* info = &modes->infos[i];
        double square = modes->squares[i];
        *info = (hwModeInfo){.damping = (double)NAN, .damped = (double)NAN};
        NameMode(modes, world, i, memory, info);
        if (fabs(square) < slow * slow) {
            info->period = (double)INFINITY;
            continue;
        }
        if (square < 0.0) {
            info->omega = info->period = (double)NAN;
            double growth = sqrt(-square), swing = 0.0;
            if (damps && !SolveDamped(modes, i, growth, &band, memory, &growth, &swing))
                growth = sqrt(-square);
            // where forces have no potential the symmetric part of K alone says little
            if (fabs(growth) < slow) {
                info->omega = 0.0;
                info->period = (double)INFINITY;
                continue;
            }
            info->growth = growth;
            continue;
        }
        info->omega = sqrt(square);
        info->period = 2.0 * HW_PI / info->omega;
        double re = 0.0, im = info->omega;
        if (damps && !SolveAtOwn(modes, i, &band, memory, &re, &im)) continue;
        double size = sqrt(re * re + im * im);
        im = fabs(im);
        // the added mass of a floating body is that at its own frequency
        if (modes->lineCount > 0) {
            info->omega = size;
            info->period = 2.0 * HW_PI / size;
        }
        info->damping = damps && fabs(re) > 1e-12 * size ? -re / size : 0.0;
        info->damped = im > 1e-8 * size ? 2.0 * HW_PI / im : (double)INFINITY;
        if (hwWorld_IsStopped(world)) break;
    }
    if (good && modes->lineCount > 0) SortModes(modes);
    hwBand_Free(&modes->allocator, &band);
    hwRelease(&modes->allocator, memory);
    if (hwWorld_IsStopped(world)) return hwWorld_FailStopped(world, true, error);
    return good ? HW_OK : hwFail_Memory(error, NULL);
}

// The call -----------------------------------------------------------------------------------------------------------------------

static hwStatus KeepRest(hwModes* modes, const hwWorld* world, hwError* error) {
    modes->restSize = hwWorld_GetStateSize(world);
    modes->rest = hwModes_Take(modes, modes->restSize, 1);
    return modes->rest != NULL ? hwWorld_SaveState(world, modes->rest, modes->restSize, error)
                               : hwFail_Memory(error, NULL);
}

static hwStatus FindAll(hwModes* modes, hwWorld* world, const hwModesDef* def, hwError* error) {
    if (def->settled) memset(world->state.v, 0, (size_t)world->model.freedomCount * sizeof(double));
    hwStatus status = def->settled ? HW_OK : hwWorld_SolveStatics(world, error);
    if (status == HW_OK) status = KeepRest(modes, world, error);
    if (status == HW_OK) status = hwModes_Linearise(modes, world, error);
    if (status != HW_OK) return status;
    if (modes->size == 0) return hwFail(error, HW_ERROR_MODEL, NULL, "nothing in the world can move");
    status = FindNatural(modes, world, def->count, error);
    return status == HW_OK ? DescribeModes(modes, world, error) : status;
}

hwModes* hwWorld_FindModes(hwWorld* world, const hwModesDef* def, hwError* error) {
    hwClearError(error);
    if (def->cookie != HW_MODES_COOKIE) {
        hwFail(error, HW_ERROR_ARGUMENT, NULL, "the modes' def was not made by hwDefaultModesDef");
        return NULL;
    }
    if (def->count < 1) {
        hwFail(error, HW_ERROR_ARGUMENT, NULL, "at least one mode is to be found, not %d", def->count);
        return NULL;
    }
    if (hwWorld_RequirePrepared(world, error) != HW_OK) return NULL;
    hwModes* modes = hwAllocate(&world->allocator, sizeof(hwModes));
    if (modes == NULL) {
        hwFail_Memory(error, NULL);
        return NULL;
    }
    memset(modes, 0, sizeof(*modes));
    modes->allocator = world->allocator;
    hwStatus status = FindAll(modes, world, def, error);
    hwWorld_StateChanged(world);
    if (status == HW_OK) return modes;
    hwDestroyModes(modes);
    return NULL;
}

int hwModes_GetCount(const hwModes* modes) {
    return modes->count;
}

int hwModes_GetFreedomCount(const hwModes* modes) {
    return modes->size;
}

double hwModes_GetUnbalance(const hwModes* modes) {
    return modes->unbalance;
}

hwModeInfo hwModes_Get(const hwModes* modes, int mode) {
    hwModeInfo none = {
        .omega = (double)NAN, .period = (double)NAN, .damping = (double)NAN, .damped = (double)NAN};
    return mode >= 0 && mode < modes->count ? modes->infos[mode] : none;
}

hwStatus hwModes_CheckWorld(const hwModes* modes, const hwWorld* world, hwError* error) {
    hwClearError(error);
    hwStatus status = hwWorld_RequirePrepared(world, error);
    if (status != HW_OK) return status;
    if (modes->layout != world->model.layout)
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "the modes are of another world");
    return HW_OK;
}

void hwModes_SetMotion(const hwModes* modes, hwWorld* world, double time, const double* d, const double* v) {
    hwState* state = &world->state;
    hwWorld_Displace(world, modes->q, d, state->q);
    if (v != NULL) {
        memcpy(state->v, v, (size_t)modes->freedomCount * sizeof(double));
    } else {
        memset(state->v, 0, (size_t)modes->freedomCount * sizeof(double));
    }
    state->header->time = time;
    hwWorld_StateChanged(world);
}

hwStatus hwModes_Pose(const hwModes* modes, int mode, double size, hwWorld* world, hwError* error) {
    hwStatus status = hwModes_CheckWorld(modes, world, error);
    if (status != HW_OK) return status;
    if (mode < 0 || mode >= modes->count || !isfinite(size))
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "there is no mode %d of size %g", mode, size);
    double* d = modes->scratch;
    memset(d, 0, (size_t)modes->freedomCount * sizeof(double));
    for (int i = 0; i < modes->size; ++i)
        d[modes->freedom[i]] = size * modes->shapes[(size_t)mode * modes->size + i];
    hwModes_SetMotion(modes, world, modes->time, d, NULL);
    return HW_OK;
}
