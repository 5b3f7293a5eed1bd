// K and C are differences of the residual that steps solve for, column by column; where two freedoms have nothing to do with each
// other the forces are the same to the bit, so that zeros are exact.
#include "world/linear.h"

#include <math.h>
#include <string.h>

#define STEP 1e-4 // m or rad, of differences; of shorter elements, of their length

void* hwModes_Take(const hwModes* modes, size_t count, size_t size) {
    void* memory = hwAllocate(&modes->allocator, count * size + 1);
    if (memory != NULL) memset(memory, 0, count * size + 1);
    return memory;
}

double hwModes_Dot(int count, const double* x, const double* y) {
    double sum = 0.0;
    for (int i = 0; i < count; ++i) sum += x[i] * y[i];
    return sum;
}

static const hwMode g_still = {.calm = true, .held = true, .swings = true};

// Generalised forces in calm water at q0 displaced by d, moving with v more than there; null: no more.
static void ComputeForces(const hwModes* modes, const hwWorld* world, const double* d, const double* v,
                          double* r) {
    hwWork* work = world->work;
    size_t bytes = (size_t)modes->freedomCount * sizeof(double);
    hwMode mode = g_still;
    mode.heldTime = modes->time;
    mode.towed = modes->towed;
    hwWorld_Displace(world, modes->q, d, work->q0);
    memcpy(work->v, modes->v, bytes);
    for (int i = 0; i < modes->freedomCount && v != NULL; ++i) work->v[i] += v[i];
    memset(work->a, 0, bytes);
    memset(r, 0, bytes);
    hwEvaluation there = {.time = modes->time,
                          .q = work->q0,
                          .v = work->v,
                          .zBase = world->state.z,
                          .matrix = true,
                          .mode = mode};
    hwWorld_Evaluate(world, &there);
    hwWorld_ComputeResidual(world, work->a, r);
}

double hwModes_GetLength(const hwModes* modes, const hwWorld* world, int freedom) {
    const hwForest* forest = &world->model.forest;
    if (freedom < forest->freedomCount) return 1.0;
    int tripleCount = (modes->freedomCount - forest->freedomCount) / 3,
        triple = (freedom - forest->freedomCount) / 3;
    const double* nodes = modes->q + forest->coordinateCount;
    double least = 1.0;
    for (int side = -1; side <= 1; side += 2) {
        int other = triple + side;
        if (triple >= tripleCount || other < 0 || other >= tripleCount) continue;
        double sum = 0.0;
        for (int k = 0; k < 3; ++k) {
            double along = nodes[3 * other + k] - nodes[3 * triple + k];
            sum += along * along;
        }
        if (sum > 1e-8) least = hwFmin(least, sqrt(sum));
    }
    return least;
}

// Differences over 1e-4 of an element's length, so that its false strain stays small against its tension's.
static double ChooseStep(const hwWorld* world, const hwModes* modes, int freedom) {
    return STEP * hwModes_GetLength(modes, world, freedom);
}

// Column `freedom` of K or C: fourth-order differences of K, whose geometric part is small beside what stretches, second-order
// ones of C, and of K where `rough`.
static void DifferentiateColumn(const hwModes* modes, const hwWorld* world, int freedom, double step,
                                bool rates, bool rough, double* column) {
    int count = modes->freedomCount;
    double *d = modes->scratch, *v = d + count, *r = v + count;
    memset(d, 0, 2 * (size_t)count * sizeof(double));
    memset(column, 0, (size_t)count * sizeof(double));
    static const double fourth[2] = {8.0 / 12.0, -1.0 / 12.0};
    for (int k = 1; k <= (rates || rough ? 1 : 2); ++k) {
        for (int sign = -1; sign <= 1; sign += 2) {
            (rates ? v : d)[freedom] = sign * k * step;
            ComputeForces(modes, world, d, rates ? v : NULL, r);
            double weight = -sign * (rates || rough ? 0.5 : fourth[k - 1]) / step;
            for (int i = 0; i < count; ++i) column[i] += weight * r[i];
        }
    }
}

// The largest difference of two columns over the largest entry.
static double CompareColumns(int count, const double* a, const double* b) {
    double most = 0.0, largest = 1e-300;
    for (int i = 0; i < count; ++i) {
        most = hwFmax(most, fabs(a[i] - b[i]));
        largest = hwFmax(largest, hwFmax(fabs(a[i]), fabs(b[i])));
    }
    return most / largest;
}

// Where a force changes its law within the step, as a steel wire that goes slack after a tenth of a millimetre, differences over less
// tell something else: steps become shorter until both agree. What truncation and rounding leave is a tenth of the bound and less.
static void DifferentiateForces(const hwModes* modes, const hwWorld* world, int freedom, double* column) {
    const double closer = 0.125, agreed = 1e-4, least = 1e-9;
    double *other = modes->scratch + 4 * modes->freedomCount, *best = other + modes->freedomCount;
    double smallest = HUGE_VAL;
    for (double step = ChooseStep(world, modes, freedom); step > least; step *= closer) {
        DifferentiateColumn(modes, world, freedom, step, false, false, column);
        DifferentiateColumn(modes, world, freedom, closer * step, false, true, other);
        double apart = CompareColumns(modes->freedomCount, column, other);
        if (apart <= agreed) return;
        if (!(apart < smallest)) continue;
        smallest = apart;
        memcpy(best, column, (size_t)modes->freedomCount * sizeof(double));
    }
    if (smallest < HUGE_VAL) memcpy(column, best, (size_t)modes->freedomCount * sizeof(double));
}

// Whether the forces at rest have stopped: their size against the largest that is at work.
static void FindUnbalance(hwModes* modes, const hwWorld* world) {
    double *d = modes->scratch, *r = d + 2 * modes->freedomCount, largest = 0.0, scale = 1e-12;
    memset(d, 0, (size_t)modes->freedomCount * sizeof(double));
    ComputeForces(modes, world, d, NULL, r);
    memcpy(modes->held, r, (size_t)modes->freedomCount * sizeof(double));
    for (int i = 0; i < modes->freedomCount; ++i) largest = hwFmax(largest, fabs(r[i]));
    double gravity = hwEnvironment_GetDef(world->environment)->gravity;
    for (int i = 0; i < world->model.forest.linkCount; ++i) {
        if (!world->model.links[i].active) continue;
        scale = hwFmax(scale, hwLength(hwWide_ToVec3(world->work->wrench[i].l)));
        scale = hwFmax(scale, world->model.links[i].mass * gravity);
    }
    HW_EACH_PART(world, part, getForceScale) scale = hwFmax(scale, part->getForceScale(world, 1e-10));
    modes->unbalance = largest / scale;
}

// M, C and K of all freedoms, column by column, with those rows dropped that neither move nor push.
static hwStatus FillMatrices(hwModes* modes, const hwWorld* world, hwError* error) {
    int count = modes->freedomCount;
    double* column = modes->scratch + 3 * count;
    FindUnbalance(modes, world); // leaves the mass matrix of the equilibrium
    hwSparse full[3] = {{0}, {0}, {0}};
    bool good = true;
    for (int m = 0; m < 3; ++m) good = good && hwSparse_Begin(&modes->allocator, count, &full[m]);
    for (int j = 0; j < count && good; ++j) {
        memset(modes->scratch, 0, (size_t)count * sizeof(double));
        memset(column, 0, (size_t)count * sizeof(double));
        modes->scratch[j] = 1.0;
        hwWorld_MultiplyMass(world, modes->scratch, column);
        good = hwSparse_AddColumn(&modes->allocator, &full[0], j, column);
    }
    for (int j = 0; j < count && good; ++j) {
        if (hwWorld_IsStopped(world)) break;
        DifferentiateColumn(modes, world, j, ChooseStep(world, modes, j), true, false, column);
        good = hwSparse_AddColumn(&modes->allocator, &full[1], j, column);
        DifferentiateForces(modes, world, j, column);
        good = good && hwSparse_AddColumn(&modes->allocator, &full[2], j, column);
    }
    modes->size = 0;
    for (int j = 0; j < count && good && !hwWorld_IsStopped(world); ++j) {
        bool moves = full[0].start[j + 1] > full[0].start[j] || full[2].start[j + 1] > full[2].start[j];
        modes->row[j] = moves ? modes->size : -1;
        if (moves) modes->freedom[modes->size++] = j;
    }
    hwSparse* kept[3] = {&modes->M, &modes->C, &modes->K};
    for (int m = 0; m < 3 && good && !hwWorld_IsStopped(world); ++m) {
        good = hwSparse_Begin(&modes->allocator, modes->size, kept[m]);
        for (int j = 0; j < modes->size && good; ++j) {
            memset(column, 0, (size_t)count * sizeof(double));
            const hwSparse* from = &full[m];
            for (int k = from->start[modes->freedom[j]]; k < from->start[modes->freedom[j] + 1]; ++k)
                if (modes->row[from->row[k]] >= 0) column[modes->row[from->row[k]]] = from->value[k];
            good = hwSparse_AddColumn(&modes->allocator, kept[m], j, column);
        }
    }
    for (int m = 0; m < 3; ++m) hwSparse_Free(&modes->allocator, &full[m]);
    if (hwWorld_IsStopped(world)) return hwWorld_FailStopped(world, true, error);
    if (!good) return hwFail_Memory(error, NULL);
    for (int m = 0; m < 3; ++m) {
        for (int k = 0; k < kept[m]->used; ++k) {
            if (!isfinite(kept[m]->value[k]))
                return hwFail(error, HW_ERROR_NUMERIC, NULL, "forces about the equilibrium are not finite");
        }
    }
    return HW_OK;
}

static hwStatus OrderRows(hwModes* modes, hwError* error) {
    modes->place = hwModes_Take(modes, (size_t)modes->size, sizeof(int));
    int* order = hwModes_Take(modes, (size_t)modes->size, sizeof(int));
    // entries that lines fill
    hwSparse lines = {0};
    double* column = hwModes_Take(modes, (size_t)modes->size, sizeof(double));
    bool good = order != NULL && modes->place != NULL && column != NULL &&
                hwSparse_Begin(&modes->allocator, modes->size, &lines);
    for (int j = 0; j < modes->size && good; ++j) {
        memset(column, 0, (size_t)modes->size * sizeof(double));
        for (int i = 0; i < modes->lineCount; ++i) {
            const int* rows = modes->lines[i].rows;
            bool own = false;
            for (int k = 0; k < 6; ++k) own = own || rows[k] == j;
            for (int k = 0; k < 6 && own; ++k)
                if (rows[k] >= 0) column[rows[k]] = 1.0;
        }
        good = hwSparse_AddColumn(&modes->allocator, &lines, j, column);
    }
    const hwSparse* all[4] = {&modes->M, &modes->C, &modes->K, &lines};
    modes->width = good ? hwSparse_FindOrder(&modes->allocator, 4, all, order) : -1;
    hwSparse_Free(&modes->allocator, &lines);
    hwRelease(&modes->allocator, column);
    for (int i = 0; i < modes->size && modes->width >= 0; ++i) modes->place[order[i]] = i;
    hwRelease(&modes->allocator, order);
    return modes->width >= 0 ? HW_OK : hwFail_Memory(error, NULL);
}

hwStatus hwModes_Linearise(hwModes* modes, hwWorld* world, hwError* error) {
    const hwModel* model = &world->model;
    size_t freedoms = (size_t)model->freedomCount, coordinates = (size_t)model->coordinateCount;
    modes->freedomCount = model->freedomCount;
    modes->coordinateCount = model->coordinateCount;
    modes->layout = model->layout;
    modes->time = world->state.header->time;
    modes->freedom = hwModes_Take(modes, freedoms, sizeof(int));
    modes->row = hwModes_Take(modes, freedoms, sizeof(int));
    modes->q = hwModes_Take(modes, coordinates, sizeof(double));
    modes->v = hwModes_Take(modes, freedoms, sizeof(double));
    modes->held = hwModes_Take(modes, freedoms, sizeof(double));
    modes->scratch = hwModes_Take(modes, 6 * freedoms, sizeof(double));
    if (!modes->held || !modes->freedom || !modes->row || !modes->q || !modes->v || !modes->scratch)
        return hwFail_Memory(error, NULL);
    modes->towed = hwWorld_IsTowed(world);
    if (!modes->towed) memcpy(modes->v, world->state.v, freedoms * sizeof(double));
    memcpy(modes->q, world->state.q, coordinates * sizeof(double));
    hwMode mode = g_still;
    mode.heldTime = modes->time;
    hwWorld_FindContacts(world, &mode, HW_INSTANT, false);
    hwStatus status = FillMatrices(modes, world, error);
    FindUnbalance(modes, world); // back at the equilibrium
    if (status == HW_OK && !hwModes_FindLines(modes, world)) status = hwFail_Memory(error, NULL);
    return status == HW_OK && modes->size > 0 ? OrderRows(modes, error) : status;
}

void hwModes_AddToBand(const hwModes* modes, const hwSparse* matrix, double factor, bool symmetric,
                       hwBand* band) {
    for (int j = 0; j < modes->size; ++j) {
        for (int k = matrix->start[j]; k < matrix->start[j + 1]; ++k) {
            int row = modes->place[matrix->row[k]], column = modes->place[j];
            double value = factor * matrix->value[k];
            if (symmetric) {
                *hwBand_At(band, row, column) += 0.5 * value;
                *hwBand_At(band, column, row) += 0.5 * value;
            } else {
                *hwBand_At(band, row, column) += value;
            }
        }
    }
}

// The same as the complex number (re, im) times A, rows and columns in pairs.
static void AddToPairs(const hwModes* modes, const hwSparse* matrix, double re, double im, hwBand* band) {
    for (int j = 0; j < modes->size; ++j) {
        for (int k = matrix->start[j]; k < matrix->start[j + 1]; ++k) {
            int row = 2 * modes->place[matrix->row[k]], column = 2 * modes->place[j];
            double value = matrix->value[k];
            *hwBand_At(band, row, column) += re * value;
            *hwBand_At(band, row + 1, column + 1) += re * value;
            *hwBand_At(band, row, column + 1) -= im * value;
            *hwBand_At(band, row + 1, column) += im * value;
        }
    }
}

bool hwModes_BeginPairs(const hwModes* modes, hwBand* band) {
    return hwBand_Begin(&modes->allocator, 2 * modes->size, 2 * modes->width + 1, band);
}

bool hwModes_FactorPairs(const hwModes* modes, double omega, double re, double im, hwBand* band) {
    hwBand_Clear(band);
    AddToPairs(modes, &modes->M, re * re - im * im, 2.0 * re * im, band);
    AddToPairs(modes, &modes->C, re, im, band);
    AddToPairs(modes, &modes->K, 1.0, 0.0, band);
    hwModes_AddLines(modes, omega, re, im, band);
    return hwBand_Factor(band);
}

void hwModes_SolvePairs(const hwModes* modes, const hwBand* band, double* x, double* scratch) {
    for (int i = 0; i < modes->size; ++i) {
        scratch[2 * modes->place[i]] = x[2 * i];
        scratch[2 * modes->place[i] + 1] = x[2 * i + 1];
    }
    hwBand_Solve(band, scratch);
    for (int i = 0; i < modes->size; ++i) {
        x[2 * i] = scratch[2 * modes->place[i]];
        x[2 * i + 1] = scratch[2 * modes->place[i] + 1];
    }
}
