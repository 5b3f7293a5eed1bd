// The steady response to what is periodic: harmonic balance, see hawser/modes.h.
#include "math/dense.h"
#include "world/linear.h"

#include <math.h>
#include <string.h>

#define PHASES 16 // of a period, at which forces are balanced
#define MEMORY 8  // iterations that Anderson's method looks back on
#define BALANCE_ITERATIONS 200
#define BALANCED 1e-7 // relative change of the motion
#define DIVERGED 1e6  // relative change with which what follows the balance is given up
#define SLOWEST 600.0 // s: what comes back more slowly by itself is held like this while means are looked for

// Work of the balance. Motions are in pairs by rows: x = re + i im means re cos(omega t) - im sin(omega t). After the pairs come the
// means of the rows, then the pairs of twice the frequency. Those of the cables' nodes follow the forces on them: a chain is lifted off
// the bottom by what moves its top, and a wire that swings sideways by a sine would stretch if it did not also move along, twice in a
// period. Means of bodies and joints stay at the equilibrium, and their motion is a sine.
typedef struct Balance {
    const hwModes* modes;
    hwWorld* world;
    double omega;
    hwBand band;
    hwBand second;                // at twice the frequency, likewise
    hwBand means;                 // stiffness of the cables' nodes; without rows: means stay
    int follows;                  // 1: means follow, 2: twice the frequency too
    int count;                    // 5 size: unknowns
    double* x;                    // [count] motion
    double* r;                    // [count] the forces that are missing, likewise
    double* scratch;              // [count]
    double *d, *v, *a, *residual; // [freedom]
    double *z, *still;            // [auxiliary] at a phase, and at rest
    double *steps, *motions;      // [memory][count] Anderson's
} Balance;

static bool IsNode(const Balance* b, int row) {
    return b->modes->freedom[row] >= b->world->model.forest.freedomCount;
}

// Displacement, velocity and acceleration at a phase.
static void SetPhase(const Balance* b, const double* x, double phase) {
    const hwModes* modes = b->modes;
    size_t bytes = (size_t)modes->freedomCount * sizeof(double);
    memset(b->d, 0, bytes);
    memset(b->v, 0, bytes);
    memset(b->a, 0, bytes);
    double c = hwCos(phase), s = hwSin(phase), w = b->omega;
    double c2 = c * c - s * s, s2 = 2.0 * s * c;
    const double* second = x + 3 * modes->size;
    for (int i = 0; i < modes->size; ++i) {
        double along = x[2 * i] * c - x[2 * i + 1] * s, ahead = -x[2 * i] * s - x[2 * i + 1] * c;
        int freedom = modes->freedom[i];
        b->d[freedom] = along + x[2 * modes->size + i];
        b->v[freedom] = w * ahead;
        b->a[freedom] = -w * w * along;
        double twice = second[2 * i] * c2 - second[2 * i + 1] * s2;
        b->d[freedom] += twice;
        b->v[freedom] -= 2.0 * w * (second[2 * i] * s2 + second[2 * i + 1] * c2);
        b->a[freedom] -= 4.0 * w * w * twice;
    }
    hwModes_SetLines(modes, w, b->d, b->v, b->a, b->z);
}

// First harmonic of the forces missing in the motion x, their mean and twice the frequency.
static void FindMissing(const Balance* b, const double* x, double* r) {
    const hwModes* modes = b->modes;
    hwWorld* world = b->world;
    hwWork* work = world->work;
    memset(r, 0, (size_t)b->count * sizeof(double));
    for (int k = 0; k < PHASES; ++k) {
        double phase = 2.0 * HW_PI * k / PHASES, c = hwCos(phase), s = hwSin(phase);
        SetPhase(b, x, phase);
        hwWorld_Displace(world, modes->q, b->d, work->q0);
        memcpy(work->v, b->v, (size_t)modes->freedomCount * sizeof(double));
        memset(b->residual, 0, (size_t)modes->freedomCount * sizeof(double));
        hwEvaluation there = {.time = phase / b->omega,
                              .q = work->q0,
                              .v = work->v,
                              .zBase = b->z,
                              .matrix = true,
                              .mode = hwMode_running};
        hwWorld_Evaluate(world, &there);
        hwWorld_ComputeResidual(world, b->a, b->residual);
        for (int i = 0; i < modes->size; ++i) {
            double force = b->residual[modes->freedom[i]] * 2.0 / PHASES;
            r[2 * i] += force * c;
            r[2 * i + 1] -= force * s;
            if (b->follows == 0 || !IsNode(b, i)) continue;
            r[2 * modes->size + i] += 0.5 * force;
            if (b->follows == 1) continue;
            r[3 * modes->size + 2 * i] += force * (c * c - s * s);
            r[3 * modes->size + 2 * i + 1] -= force * 2.0 * s * c;
        }
    }
}

// Stiffness of the cables' nodes with everything else held; false: out of memory, or singular.
static bool FactorMeans(Balance* b) {
    const hwModes* modes = b->modes;
    const double slowest = 2.0 * HW_PI / SLOWEST;
    if (!hwBand_Begin(&modes->allocator, modes->size, modes->width, &b->means)) return false;
    hwModes_AddToBand(modes, &modes->K, 1.0, false, &b->means);
    hwModes_AddToBand(modes, &modes->M, slowest * slowest, false, &b->means);
    for (int i = 0; i < modes->size; ++i) {
        if (IsNode(b, i)) continue;
        int row = modes->place[i], first = row - modes->width, last = row + modes->width;
        for (int k = first > 0 ? first : 0; k <= last && k < modes->size; ++k)
            *hwBand_At(&b->means, row, k) = k == row ? 1.0 : 0.0;
    }
    return hwBand_Factor(&b->means);
}

static bool FactorSecond(Balance* b) {
    double w = 2.0 * b->omega;
    return hwModes_BeginPairs(b->modes, &b->second) && hwModes_FactorPairs(b->modes, w, 0.0, w, &b->second);
}

// The step that the missing forces r ask for, in their place.
static void SolveStep(const Balance* b, double* r) {
    const hwModes* modes = b->modes;
    double* mean = r + 2 * modes->size;
    hwModes_SolvePairs(modes, &b->band, r, b->scratch);
    if (b->follows == 0) return;
    for (int i = 0; i < modes->size; ++i) b->scratch[modes->place[i]] = mean[i];
    hwBand_Solve(&b->means, b->scratch);
    for (int i = 0; i < modes->size; ++i) mean[i] = b->scratch[modes->place[i]];
    if (b->follows == 1) return;
    double* second = r + 3 * modes->size;
    hwModes_SolvePairs(modes, &b->second, second, b->scratch);
    for (int i = 0; i < modes->size; ++i)
        if (!IsNode(b, i)) second[2 * i] = second[2 * i + 1] = 0.0;
}

// Anderson's method (1965) on x := x + Z^-1 r(x): the combination of the last motions whose steps cancel best.
static void MixMotions(Balance* b, int iteration) {
    int n = b->count, past = iteration < MEMORY ? iteration : MEMORY;
    const double* step = b->scratch;
    double* x = b->x;
    double gram[MEMORY * MEMORY], weight[MEMORY], solution[MEMORY];
    int order[MEMORY];
    // differences to what came before are in steps and motions, see below
    for (int i = 0; i < past; ++i) {
        const double* di = b->steps + (size_t)i * n;
        for (int j = 0; j < past; ++j) gram[i * past + j] = hwModes_Dot(n, di, b->steps + (size_t)j * n);
        weight[i] = hwModes_Dot(n, di, step);
    }
    for (int i = 0; i < past; ++i) gram[i * past + i] *= 1.0 + 1e-12;
    bool good = past > 0 && hwLu(past, gram, order);
    if (good) hwLuSolve(past, gram, order, weight, solution);
    for (int k = 0; k < n; ++k) {
        double next = x[k] + step[k];
        for (int i = 0; i < past && good; ++i)
            next -= solution[i] * (b->motions[(size_t)i * n + k] + b->steps[(size_t)i * n + k]);
        x[k] = next;
    }
}

static hwStatus BalanceIterated(Balance* b, hwError* error) {
    int n = b->count;
    double* last = b->r + n;  // step before
    double* lastX = last + n; // motion before
    double* next = lastX + n;
    for (int iteration = 0; iteration < BALANCE_ITERATIONS; ++iteration) {
        if (hwWorld_IsStopped(b->world)) return hwWorld_FailStopped(b->world, false, error);
        FindMissing(b, b->x, b->r);
        memcpy(next, b->r, (size_t)n * sizeof(double));
        SolveStep(b, next);
        double size = sqrt(hwModes_Dot(n, b->x, b->x)), change = sqrt(hwModes_Dot(n, next, next));
        if (!isfinite(change) || (b->follows > 0 && change > DIVERGED * size)) break;
        if (change <= BALANCED * size || (change == 0.0 && size == 0.0)) return HW_OK;
        if (iteration > 0) {
            int slot = (iteration - 1) % MEMORY;
            for (int k = 0; k < n; ++k) {
                b->steps[(size_t)slot * n + k] = next[k] - last[k];
                b->motions[(size_t)slot * n + k] = b->x[k] - lastX[k];
            }
        }
        memcpy(last, next, (size_t)n * sizeof(double));
        memcpy(lastX, b->x, (size_t)n * sizeof(double));
        memcpy(b->scratch, next, (size_t)n * sizeof(double));
        MixMotions(b, iteration);
    }
    hwStatus status = hwFail(error, HW_ERROR_NUMERIC, NULL,
                             "no periodic motion was found at a period of %g s", 2.0 * HW_PI / b->omega);
    hwFail_Hint(error, "slack, snapping and breaking are not periodic to first order; a run shows them");
    return status;
}

// Goes on from the balance that was found with more that follows; where that does not come to rest, it stays the answer.
static hwStatus Release(Balance* b, int follows, hwError* error) {
    size_t bytes = (size_t)b->count * sizeof(double);
    double* first = hwModes_Take(b->modes, (size_t)b->count, sizeof(double));
    if (first == NULL) return hwFail_Memory(error, NULL);
    memcpy(first, b->x, bytes);
    int before = b->follows;
    b->follows = follows;
    hwStatus status = BalanceIterated(b, error);
    if (status == HW_ERROR_NUMERIC) {
        b->follows = before;
        memcpy(b->x, first, bytes);
        hwClearError(error);
        status = HW_OK;
    }
    hwRelease(&b->modes->allocator, first);
    return status;
}

static void ReadHarmonics(const Balance* b, int count, const int* channels, hwResponse* out) {
    for (int c = 0; c < count; ++c) {
        double real = 0.0, imaginary = 0.0;
        for (int k = 0; k < PHASES; ++k) {
            double phase = 2.0 * HW_PI * k / PHASES;
            SetPhase(b, b->x, phase);
            memcpy(b->world->state.z, b->z, (size_t)b->world->model.auxiliaryCount * sizeof(double));
            hwModes_SetMotion(b->modes, b->world, phase / b->omega, b->d, b->v);
            double value = hwWorld_ReadChannel(b->world, channels[c]);
            real += 2.0 / PHASES * value * hwCos(phase);
            imaginary -= 2.0 / PHASES * value * hwSin(phase);
        }
        out[c].amplitude = sqrt(real * real + imaginary * imaginary);
        out[c].phase = hwAtan2(imaginary, real);
    }
}

hwStatus hwModes_Respond(const hwModes* modes, hwWorld* world, double period, int channelCount,
                         const int* channels, hwResponse* out, hwError* error) {
    hwStatus status = hwModes_CheckWorld(modes, world, error);
    if (status != HW_OK) return status;
    if (modes->towed) {
        hwFail(error, HW_ERROR_MODEL, NULL,
               "no response to waves is computed for a tow: it meets them at the period of encounter, not at "
               "theirs");
        hwFail_Hint(error, "hold it in place and let a current of the tow's speed flow against it");
        return HW_ERROR_MODEL;
    }
    if (!(period > 0.0) || !isfinite(period))
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "a period of %g s is not possible", period);
    size_t n = 5 * (size_t)modes->size, freedoms = (size_t)modes->freedomCount,
           variables = (size_t)world->model.auxiliaryCount;
    Balance b = {.modes = modes, .world = world, .omega = 2.0 * HW_PI / period, .count = (int)n};
    double* memory = hwModes_Take(modes, n * (6 + 2 * MEMORY) + 4 * freedoms + 2 * variables, sizeof(double));
    if (memory == NULL || !hwModes_BeginPairs(modes, &b.band)) {
        hwRelease(&modes->allocator, memory);
        return hwFail_Memory(error, NULL);
    }
    b.x = memory;
    b.r = b.x + n; // and three more
    b.scratch = b.r + 4 * n;
    b.steps = b.scratch + n;
    b.motions = b.steps + MEMORY * n;
    b.d = b.motions + MEMORY * n;
    b.v = b.d + freedoms;
    b.a = b.v + freedoms;
    b.residual = b.a + freedoms;
    b.z = b.residual + freedoms;
    b.still = b.z + variables;
    memcpy(b.z, world->state.z, variables * sizeof(double));
    memcpy(b.still, world->state.z, variables * sizeof(double));
    memcpy(world->state.q, modes->q, (size_t)modes->coordinateCount * sizeof(double));
    hwWorld_FindContacts(world, &hwMode_running, HW_INSTANT, false);
    if (!hwModes_FactorPairs(modes, b.omega, 0.0, b.omega, &b.band)) {
        status =
            hwFail(error, HW_ERROR_NUMERIC, NULL, "a period of %g s is that of an undamped mode", period);
    } else {
        status = BalanceIterated(&b, error);
        if (status == HW_OK && FactorMeans(&b)) status = Release(&b, 1, error);
        if (status == HW_OK && b.follows == 1 && FactorSecond(&b)) status = Release(&b, 2, error);
    }
    if (status == HW_OK) ReadHarmonics(&b, channelCount, channels, out);
    memcpy(world->state.z, b.still, variables * sizeof(double));
    hwBand_Free(&modes->allocator, &b.band);
    hwBand_Free(&modes->allocator, &b.means);
    hwBand_Free(&modes->allocator, &b.second);
    hwRelease(&modes->allocator, memory);
    return status;
}
