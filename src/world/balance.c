// Derivatives are differences at each phase: rows that act on different rows are moved together (Curtis, Powell & Reid 1974), so that their
// number does not grow with the number of rows. Sums over phases of derivatives times the terms make the matrix of the terms.
#include "world/balance.h"

#include <math.h>
#include <string.h>

#define STEP 1e-5      // of differences: m/s and rad/s, and of an element's length
#define SLOWEST 1000.0 // s: what comes back more slowly by itself moves to its mean as if it came back so

static bool IsNode(const hwBalance* b, int row) {
    return b->modes->freedom[row] >= b->world->model.forest.freedomCount;
}

static bool IsSought(const hwBalance* b, int row, int term) {
    if (term == 0 && b->stays[row] != 0) return false;
    if (b->scope == HW_RESPONSE_WHOLE || term == 1 || term == 2) return true;
    return b->scope == HW_RESPONSE_CABLES && IsNode(b, row);
}

// Motion ---------------------------------------------------------------------------------------------------------------------------

static void FillBasis(hwBalance* b) {
    for (int k = 0; k < HW_BALANCE_PHASES; ++k) {
        b->basis[k][0][0] = 1.0;
        b->weights[k][0] = 1.0 / HW_BALANCE_PHASES;
        for (int h = 1; h <= HW_BALANCE_HARMONICS; ++h) {
            double phase = 2.0 * HW_PI * (k * h % HW_BALANCE_PHASES) / HW_BALANCE_PHASES;
            double c = hwCos(phase), s = hwSin(phase), w = h * b->omega;
            const double re[3] = {c, -w * s, -w * w * c}, im[3] = {-s, -w * c, w * w * s};
            memcpy(b->basis[k][2 * h - 1], re, sizeof(re));
            memcpy(b->basis[k][2 * h], im, sizeof(im));
            b->weights[k][2 * h - 1] = 2.0 / HW_BALANCE_PHASES * c;
            b->weights[k][2 * h] = -2.0 / HW_BALANCE_PHASES * s;
        }
    }
}

// Rate and its rate of a turn by the rotation vector d: w = d' - d x d'/2 + d x (d x d')/6, by the axes of what is turned.
static void TurnRates(const double* d, double* v, double* a) {
    hwVec3 turn = hwMakeVec3(d[0], d[1], d[2]), rate = hwMakeVec3(v[0], v[1], v[2]),
           change = hwMakeVec3(a[0], a[1], a[2]);
    hwVec3 across = hwCross(turn, rate), ahead = hwCross(turn, change);
    hwVec3 w = hwAdd(hwMulAdd(rate, -0.5, across), hwScale(1.0 / 6.0, hwCross(turn, across)));
    hwVec3 both = hwAdd(hwCross(rate, across), hwCross(turn, ahead));
    hwVec3 wdot = hwAdd(hwMulAdd(change, -0.5, ahead), hwScale(1.0 / 6.0, both));
    v[0] = w.x, v[1] = w.y, v[2] = w.z;
    a[0] = wdot.x, a[1] = wdot.y, a[2] = wdot.z;
}

static void SetTurns(hwBalance* b) {
    const hwForest* forest = &b->world->model.forest;
    for (int i = 0; i < forest->linkCount; ++i) {
        int joint = forest->links[i].joint;
        if (joint != HW_LINK_BALL && joint != HW_LINK_FREE) continue;
        int first = forest->links[i].freedom + (joint == HW_LINK_FREE ? 3 : 0);
        TurnRates(b->d + first, b->v + first, b->a + first);
    }
}

// What hangs on links and answers each harmonic by itself.
static void SetLines(hwBalance* b, const double* x, int phase) {
    const hwModes* modes = b->modes;
    if (modes->lineCount == 0) return;
    size_t bytes = (size_t)modes->freedomCount * sizeof(double);
    hwModes_ClearLines(modes, b->z);
    for (int h = 0; h <= HW_BALANCE_HARMONICS; ++h) {
        memset(b->harmonicD, 0, bytes);
        memset(b->harmonicV, 0, bytes);
        memset(b->harmonicA, 0, bytes);
        for (int i = 0; i < modes->size; ++i) {
            int freedom = modes->freedom[i];
            for (int term = h == 0 ? 0 : 2 * h - 1; term <= 2 * h; ++term) {
                const double* basis = b->basis[phase][term];
                double value = x[i * HW_BALANCE_TERMS + term];
                b->harmonicD[freedom] += value * basis[0];
                b->harmonicV[freedom] += value * basis[1];
                b->harmonicA[freedom] += value * basis[2];
            }
        }
        hwModes_AddToLines(modes, h == 0 ? b->omega : h * b->omega, b->harmonicD, b->harmonicV, b->harmonicA,
                           b->z);
    }
}

void hwBalance_SetPhase(hwBalance* b, const double* x, int phase) {
    const hwModes* modes = b->modes;
    size_t bytes = (size_t)modes->freedomCount * sizeof(double);
    memset(b->d, 0, bytes);
    memset(b->v, 0, bytes);
    memset(b->a, 0, bytes);
    for (int i = 0; i < modes->size; ++i) {
        double sum[3] = {0.0, 0.0, 0.0};
        for (int term = 0; term < HW_BALANCE_TERMS; ++term) {
            for (int k = 0; k < 3; ++k) sum[k] += x[i * HW_BALANCE_TERMS + term] * b->basis[phase][term][k];
        }
        b->d[modes->freedom[i]] = sum[0];
        b->v[modes->freedom[i]] = sum[1];
        b->a[modes->freedom[i]] = sum[2];
    }
    SetTurns(b);
    SetLines(b, x, phase);
}

// Forces ---------------------------------------------------------------------------------------------------------------------------

// Forces missing at a phase with displacement d and velocity v, besides those left at rest.
static void Evaluate(hwBalance* b, int phase, const double* d, const double* v, bool matrix,
                     double* residual) {
    hwWorld* world = b->world;
    hwWork* work = world->work;
    size_t bytes = (size_t)b->modes->freedomCount * sizeof(double);
    hwWorld_Displace(world, b->modes->q, d, work->q0);
    memcpy(work->v, v, bytes);
    memset(residual, 0, bytes);
    hwEvaluation there = {.time = 2.0 * HW_PI * phase / HW_BALANCE_PHASES / b->omega,
                          .q = work->q0,
                          .v = work->v,
                          .zBase = b->z,
                          .matrix = matrix,
                          .mode = hwMode_running};
    hwWorld_Evaluate(world, &there);
    hwWorld_ComputeResidual(world, b->a, residual);
    for (int i = 0; i < b->modes->freedomCount; ++i) residual[i] -= b->modes->held[i];
}

void hwBalance_FindMissing(hwBalance* b, const double* x, double* r) {
    const hwModes* modes = b->modes;
    memset(r, 0, (size_t)b->count * sizeof(double));
    for (int k = 0; k < HW_BALANCE_PHASES; ++k) {
        hwBalance_SetPhase(b, x, k);
        Evaluate(b, k, b->d, b->v, false, b->residual);
        for (int i = 0; i < modes->size; ++i) {
            double force = b->residual[modes->freedom[i]];
            for (int term = 0; term < HW_BALANCE_TERMS; ++term) {
                if (IsSought(b, i, term)) r[i * HW_BALANCE_TERMS + term] += b->weights[k][term] * force;
            }
        }
    }
}

// Derivatives ----------------------------------------------------------------------------------------------------------------------

// All rows of one colour moved both ways by a step in d, or in v: -change of the forces over the step, by freedoms; `other` [freedom].
static void MoveColour(hwBalance* b, int phase, int colour, bool rates, double* other, double* out) {
    const hwModes* modes = b->modes;
    for (int sign = 1; sign >= -1; sign -= 2) {
        memcpy(b->moved, rates ? b->v : b->d, (size_t)modes->freedomCount * sizeof(double));
        for (int j = 0; j < modes->size; ++j) {
            int freedom = modes->freedom[j];
            if (b->colours[j] == colour) b->moved[freedom] += sign * (rates ? STEP : b->steps[freedom]);
        }
        Evaluate(b, phase, rates ? b->d : b->moved, rates ? b->moved : b->v, false, sign > 0 ? out : other);
    }
    for (int i = 0; i < modes->freedomCount; ++i) out[i] = 0.5 * (other[i] - out[i]);
}

// What the terms of row j do to those of row i
static void AddBlock(hwBalance* b, int phase, int i, int j, double stiffness, double damping, double mass) {
    double effects[HW_BALANCE_TERMS];
    for (int term = 0; term < HW_BALANCE_TERMS; ++term) {
        const double* basis = b->basis[phase][term];
        effects[term] = stiffness * basis[0] + damping * basis[1] + mass * basis[2];
    }
    for (int term = 0; term < HW_BALANCE_TERMS; ++term) {
        double* entry =
            hwBand_At(&b->band, b->place[i] * HW_BALANCE_TERMS + term, b->place[j] * HW_BALANCE_TERMS);
        for (int k = 0; k < HW_BALANCE_TERMS; ++k) entry[k] += b->weights[phase][term] * effects[k];
    }
}

static void AddPhase(hwBalance* b, const double* x, int phase) {
    const hwModes* modes = b->modes;
    hwBalance_SetPhase(b, x, phase);
    Evaluate(b, phase, b->d, b->v, true, b->residual);
    size_t freedoms = (size_t)modes->freedomCount;
    memset(b->masses, 0, (size_t)b->colourCount * freedoms * sizeof(double));
    for (int colour = 0; colour < b->colourCount; ++colour) {
        memset(b->moved, 0, freedoms * sizeof(double));
        for (int j = 0; j < modes->size; ++j)
            if (b->colours[j] == colour) b->moved[modes->freedom[j]] = 1.0;
        hwWorld_MultiplyMass(b->world, b->moved, b->masses + (size_t)colour * freedoms);
    }
    for (int colour = 0; colour < b->colourCount; ++colour) {
        const double* mass = b->masses + (size_t)colour * freedoms;
        MoveColour(b, phase, colour, false, b->residual, b->stiffness);
        MoveColour(b, phase, colour, true, b->residual, b->damping);
        for (int j = 0; j < modes->size; ++j) {
            if (b->colours[j] != colour) continue;
            double step = b->steps[modes->freedom[j]];
            for (int k = b->pattern.start[j]; k < b->pattern.start[j + 1]; ++k) {
                int i = b->pattern.row[k], to = modes->freedom[i];
                AddBlock(b, phase, i, j, b->stiffness[to] / step, b->damping[to] / STEP, mass[to]);
            }
        }
    }
}

// What is not sought stays 0; means that little brings back go there as if more did.
static void AddRest(hwBalance* b) {
    const double slowest = 2.0 * HW_PI / SLOWEST;
    for (int i = 0; i < b->modes->size; ++i) {
        for (int term = 0; term < HW_BALANCE_TERMS; ++term) {
            if (IsSought(b, i, term)) continue;
            int row = b->place[i] * HW_BALANCE_TERMS + term, width = b->band.width;
            memset(hwBand_At(&b->band, row, row - width), 0, (2 * (size_t)width + 1) * sizeof(double));
            *hwBand_At(&b->band, row, row) = 1.0;
        }
    }
    for (int j = 0; j < b->modes->size; ++j) {
        const hwSparse* M = &b->modes->M;
        for (int k = M->start[j]; k < M->start[j + 1]; ++k) {
            int i = M->row[k];
            if (!IsSought(b, i, 0) || !IsSought(b, j, 0)) continue;
            *hwBand_At(&b->band, b->place[i] * HW_BALANCE_TERMS, b->place[j] * HW_BALANCE_TERMS) +=
                slowest * slowest * M->value[k];
        }
    }
    for (int h = 1; h <= HW_BALANCE_HARMONICS; ++h) {
        for (int n = 0; n < b->modes->lineCount; ++n) {
            double added[36], damping[36];
            const int* rows = hwModes_SumLines(b->modes, n, h * b->omega, damping, added);
            for (int m = 0; m < 36; ++m) {
                int i = rows[m / 6], j = rows[m % 6], term = 2 * h - 1;
                if (i < 0 || j < 0 || !IsSought(b, i, term) || !IsSought(b, j, term)) continue;
                int row = b->place[i] * HW_BALANCE_TERMS + term,
                    column = b->place[j] * HW_BALANCE_TERMS + term;
                double w = h * b->omega, real = -w * w * added[m], imaginary = w * damping[m];
                *hwBand_At(&b->band, row, column) += real;
                *hwBand_At(&b->band, row + 1, column + 1) += real;
                *hwBand_At(&b->band, row, column + 1) -= imaginary;
                *hwBand_At(&b->band, row + 1, column) += imaginary;
            }
        }
    }
}

bool hwBalance_Factor(hwBalance* b, const double* x) {
    hwBand_Clear(&b->band);
    for (int k = 0; k < HW_BALANCE_PHASES; ++k) AddPhase(b, x, k);
    AddRest(b);
    return hwBand_Factor(&b->band);
}

void hwBalance_Solve(const hwBalance* b, double* x) {
    const size_t bytes = HW_BALANCE_TERMS * sizeof(double);
    for (int i = 0; i < b->modes->size; ++i)
        memcpy(b->scratch + b->place[i] * HW_BALANCE_TERMS, x + i * HW_BALANCE_TERMS, bytes);
    hwBand_Solve(&b->band, b->scratch);
    for (int i = 0; i < b->modes->size; ++i)
        memcpy(x + i * HW_BALANCE_TERMS, b->scratch + b->place[i] * HW_BALANCE_TERMS, bytes);
}

// Patterns -------------------------------------------------------------------------------------------------------------------------

// Rows go in blocks, of which all rows act on all of a neighbour's: the freedoms of a link, and the places of a node.
static void FillBlocks(const hwBalance* b, int* block) {
    const hwModes* modes = b->modes;
    const hwForest* forest = &b->world->model.forest;
    for (int i = 0; i < modes->size; ++i)
        block[i] = forest->linkCount + (modes->freedom[i] - forest->freedomCount) / 3;
    for (int link = 0; link < forest->linkCount; ++link) {
        int first = forest->links[link].freedom, count = hwJoint_CountFreedoms(forest->links[link].joint);
        for (int k = 0; k < count; ++k)
            if (modes->row[first + k] >= 0) block[modes->row[first + k]] = link;
    }
}

// Fills a column for each row: the rows of all blocks that its block has to do with by M and K. C may have entries far off, small ones, as
// the damping of bending turns a cable as a whole.
static bool FillPattern(hwBalance* b) {
    const hwModes* modes = b->modes;
    int size = modes->size, most = b->world->model.forest.linkCount + modes->freedomCount / 3 + 1;
    int* block = hwModes_Take(modes, (size_t)size + 1, sizeof(int));
    int* first = hwModes_Take(modes, (size_t)most + 1, sizeof(int)); // [block] a row of it, -1: none
    int* next = hwModes_Take(modes, (size_t)size + 1, sizeof(int));  // [row] another one of its block
    double* column = hwModes_Take(modes, (size_t)size + 1, sizeof(double));
    bool good = block && first && next && column && hwSparse_Begin(&modes->allocator, size, &b->pattern);
    if (good) FillBlocks(b, block);
    for (int i = 0; good && i < most; ++i) first[i] = -1;
    for (int i = 0; good && i < size; ++i) {
        next[i] = first[block[i]];
        first[block[i]] = i;
    }
    const hwSparse* matrices[2] = {&modes->M, &modes->K};
    for (int j = 0; j < size && good; ++j) {
        memset(column, 0, (size_t)size * sizeof(double));
        for (int own = first[block[j]]; own >= 0; own = next[own]) {
            column[own] = 1.0;
            for (int m = 0; m < 2; ++m) {
                for (int k = matrices[m]->start[own]; k < matrices[m]->start[own + 1]; ++k) {
                    int other = block[matrices[m]->row[k]];
                    for (int i = first[other]; i >= 0; i = next[i]) column[i] = 1.0;
                }
            }
        }
        good = hwSparse_AddColumn(&modes->allocator, &b->pattern, j, column);
    }
    hwRelease(&modes->allocator, block);
    hwRelease(&modes->allocator, first);
    hwRelease(&modes->allocator, next);
    hwRelease(&modes->allocator, column);
    return good;
}

static bool FillColours(hwBalance* b) {
    int size = b->modes->size, coloured = 0;
    int* taken =
        hwModes_Take(b->modes, (size_t)size, sizeof(int)); // [row] 1 + the last colour that acts on it
    b->colours = hwModes_Take(b->modes, (size_t)size, sizeof(int));
    if (taken == NULL || b->colours == NULL) {
        hwRelease(&b->modes->allocator, taken);
        return false;
    }
    for (int j = 0; j < size; ++j) b->colours[j] = -1;
    for (b->colourCount = 0; coloured < size; ++b->colourCount) {
        for (int j = 0; j < size; ++j) {
            bool free = b->colours[j] < 0;
            for (int k = b->pattern.start[j]; k < b->pattern.start[j + 1] && free; ++k)
                free = taken[b->pattern.row[k]] != b->colourCount + 1;
            if (!free) continue;
            b->colours[j] = b->colourCount;
            coloured += 1;
            for (int k = b->pattern.start[j]; k < b->pattern.start[j + 1]; ++k)
                taken[b->pattern.row[k]] = b->colourCount + 1;
        }
    }
    hwRelease(&b->modes->allocator, taken);
    return true;
}

static double GetDiagonal(const hwSparse* matrix, int j) {
    for (int k = matrix->start[j]; k < matrix->start[j + 1]; ++k)
        if (matrix->row[k] == j) return matrix->value[k];
    return 0.0;
}

// What nothing brings back to where it is, as a load that turns about its wire or a ship without a mooring, would be far off in the mean
// long after a run has ended: it stays.
static bool FillStays(hwBalance* b) {
    const hwModes* modes = b->modes;
    const double slowest = 2.0 * HW_PI / SLOWEST;
    b->stays = hwModes_Take(modes, (size_t)modes->size + 1, sizeof(int));
    for (int j = 0; b->stays != NULL && j < modes->size; ++j) {
        double stiffness = GetDiagonal(&modes->K, j), mass = GetDiagonal(&modes->M, j);
        b->stays[j] = !IsNode(b, j) && stiffness <= slowest * slowest * mass;
    }
    return b->stays != NULL;
}

static bool BeginBand(hwBalance* b) {
    int size = b->modes->size;
    int* order = hwModes_Take(b->modes, (size_t)size, sizeof(int));
    b->place = hwModes_Take(b->modes, (size_t)size, sizeof(int));
    const hwSparse* all[1] = {&b->pattern};
    int width =
        order != NULL && b->place != NULL ? hwSparse_FindOrder(&b->modes->allocator, 1, all, order) : -1;
    for (int i = 0; i < size && width >= 0; ++i) b->place[order[i]] = i;
    hwRelease(&b->modes->allocator, order);
    return width >= 0 &&
           hwBand_Begin(&b->modes->allocator, b->count, (width + 1) * HW_BALANCE_TERMS - 1, &b->band);
}

bool hwBalance_Begin(hwBalance* b, const hwModes* modes, hwWorld* world, double period) {
    *b = (hwBalance){.modes = modes, .world = world, .omega = 2.0 * HW_PI / period};
    b->count = HW_BALANCE_TERMS * modes->size;
    size_t count = (size_t)b->count, freedoms = (size_t)modes->freedomCount,
           variables = (size_t)world->model.auxiliaryCount;
    b->memory = hwModes_Take(modes, 2 * count + 11 * freedoms + 2 * variables, sizeof(double));
    if (b->memory == NULL) return false;
    double** arrays[11] = {&b->d,         &b->v,     &b->a,     &b->residual,  &b->harmonicD, &b->harmonicV,
                           &b->harmonicA, &b->moved, &b->steps, &b->stiffness, &b->damping};
    b->x = b->memory;
    b->scratch = b->x + count;
    for (int i = 0; i < 11; ++i) *arrays[i] = b->scratch + count + (size_t)i * freedoms;
    b->z = b->scratch + count + 11 * freedoms;
    b->still = b->z + variables;
    memcpy(b->z, world->state.z, variables * sizeof(double));
    memcpy(b->still, world->state.z, variables * sizeof(double));
    for (int i = 0; i < modes->freedomCount; ++i) b->steps[i] = STEP * hwModes_GetLength(modes, world, i);
    FillBasis(b);
    if (!FillStays(b) || !FillPattern(b) || !FillColours(b) || !BeginBand(b)) return false;
    b->masses = hwModes_Take(modes, (size_t)b->colourCount * freedoms, sizeof(double));
    return b->masses != NULL;
}

void hwBalance_End(hwBalance* b) {
    const hwAllocator* allocator = &b->modes->allocator;
    hwBand_Free(allocator, &b->band);
    hwSparse_Free(allocator, &b->pattern);
    hwRelease(allocator, b->colours);
    hwRelease(allocator, b->place);
    hwRelease(allocator, b->stays);
    hwRelease(allocator, b->masses);
    hwRelease(allocator, b->memory);
}
