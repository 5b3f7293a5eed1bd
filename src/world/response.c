// The steady response to what is periodic: harmonic balance by Newton's method, see hawser/modes.h.
#include "env/environment.h"
#include "world/balance.h"

#include <math.h>
#include <string.h>

#define ITERATIONS 15
#define BALANCED 1e-6    // relative change of the motion
#define NEARLY 1e-2      // likewise, on the way there
#define CONTRACTED 0.3   // where a step leaves so much of the one before, the matrix serves again
#define SHORTEST 0.1     // of a step
#define SLIGHTEST 1e-4   // share of waves and drives with which everything is linear
#define FIRST_SHARE 0.25 // the next one
#define LEAST_SHARE 0.01 // by which it grows

typedef struct Newton {
    hwBalance* balance;
    double *step, *trial, *next; // [count]
} Newton;

static double Measure(const hwBalance* b, const double* x) {
    return sqrt(hwModes_Dot(b->count, x, x));
}

// What Newton's step is after a step; its size.
static double FindNext(Newton* n, const double* x) {
    hwBalance_FindMissing(n->balance, x, n->next);
    hwBalance_Solve(n->balance, n->next);
    return Measure(n->balance, n->next);
}

// Cuts a step of size `change` until the next one that the same matrix asks for is shorter: a measure that does not hang on the units of
// rows (Deuflhard 1974). The part of it that is left, 0: none makes it shorter. Leaves the motion in `trial`.
static double CutStep(Newton* n, double change, double* left) {
    const hwBalance* b = n->balance;
    for (double part = 1.0; part >= SHORTEST; part *= 0.5) {
        for (int i = 0; i < b->count; ++i) n->trial[i] = b->x[i] + part * n->step[i];
        *left = FindNext(n, n->trial);
        if (*left <= (1.0 - 0.25 * part) * change) return part;
    }
    return 0.0;
}

static bool FindBalance(Newton* n, double accuracy) {
    hwBalance* b = n->balance;
    size_t bytes = (size_t)b->count * sizeof(double);
    bool serves = false; // the matrix
    double change = 0.0, left = 0.0;
    for (int iteration = 0; iteration < ITERATIONS && !hwWorld_IsStopped(b->world); ++iteration) {
        bool own = !serves;
        if (own) {
            if (!hwBalance_Factor(b, b->x)) return false;
            change = FindNext(n, b->x);
            memcpy(n->step, n->next, bytes);
        }
        if (!isfinite(change)) return false;
        if (change <= accuracy * Measure(b, b->x) || change == 0.0) {
            for (int i = 0; i < b->count; ++i) b->x[i] += n->step[i];
            return true;
        }
        double part = CutStep(n, change, &left);
        serves = part == 1.0 && left <= CONTRACTED * change;
        if (part == 0.0 && own) return false;
        if (part == 0.0) continue;
        memcpy(b->x, n->trial, bytes);
        memcpy(n->step, n->next, bytes);
        change = left;
    }
    return false;
}

// The balance in waves, and with drives, that grow from nothing to what they are: each begins where the last two lead to. What moves by
// little is linear, and tells where to begin.
static bool FollowGrowth(Newton* n, double* found, double* before) {
    hwBalance* b = n->balance;
    size_t bytes = (size_t)b->count * sizeof(double);
    memset(found, 0, bytes);
    memset(before, 0, bytes);
    double share = 0.0, last = 0.0, step = FIRST_SHARE;
    while (share < 1.0 && step >= LEAST_SHARE && !hwWorld_IsStopped(b->world)) {
        double next = share == 0.0 ? SLIGHTEST : hwFmin(share + step, 1.0);
        double ahead = share > last ? (next - share) / (share - last) : 0.0;
        for (int i = 0; i < b->count; ++i) b->x[i] = found[i] + ahead * (found[i] - before[i]);
        hwEnvironment_SetLull(b->world->environment, 1.0 - next);
        hwWorld_StateChanged(b->world);
        bool good = FindBalance(n, next < 1.0 ? NEARLY : BALANCED);
        if (!good && share > 0.0) {
            step *= 0.5;
            continue;
        }
        memcpy(before, found, bytes);
        memcpy(found, b->x, bytes);
        last = share;
        share = next;
        if (last > 0.0) step *= 1.5;
    }
    hwEnvironment_SetLull(b->world->environment, 0.0);
    hwWorld_StateChanged(b->world);
    return share >= 1.0;
}

static hwStatus Find(hwBalance* b, hwError* error) {
    size_t count = (size_t)b->count;
    double* memory = hwModes_Take(b->modes, 5 * count, sizeof(double));
    if (memory == NULL) return hwFail_Memory(error, NULL);
    Newton n = {b, memory, memory + count, memory + 2 * count};
    bool good = false;
    for (b->scope = HW_RESPONSE_WHOLE; b->scope >= HW_RESPONSE_SINES; --b->scope) {
        good = FollowGrowth(&n, memory + 3 * count, memory + 4 * count);
        if (good || hwWorld_IsStopped(b->world)) break;
    }
    hwRelease(&b->modes->allocator, memory);
    if (hwWorld_IsStopped(b->world)) return hwWorld_FailStopped(b->world, false, error);
    if (good) return HW_OK;
    hwFail(error, HW_ERROR_NUMERIC, NULL, "no periodic motion was found at a period of %g s",
           2.0 * HW_PI / b->omega);
    hwFail_Hint(error, "slack, snaps and breaking are no sums of three harmonics; a run shows them");
    return HW_ERROR_NUMERIC;
}

static void ReadChannels(hwBalance* b, int count, const int* channels, hwResponse* out) {
    for (int c = 0; c < count; ++c)
        out[c] = (hwResponse){.least = HUGE_VAL, .greatest = -HUGE_VAL, .scope = (hwResponseScope)b->scope};
    for (int k = 0; k < HW_BALANCE_PHASES; ++k) {
        double phase = 2.0 * HW_PI * k / HW_BALANCE_PHASES;
        hwBalance_SetPhase(b, b->x, k);
        memcpy(b->world->state.z, b->z, (size_t)b->world->model.auxiliaryCount * sizeof(double));
        hwModes_SetMotion(b->modes, b->world, phase / b->omega, b->d, b->v);
        for (int c = 0; c < count; ++c) {
            double value = hwWorld_ReadChannel(b->world, channels[c]);
            out[c].mean += value / HW_BALANCE_PHASES;
            out[c].least = hwFmin(out[c].least, value);
            out[c].greatest = hwFmax(out[c].greatest, value);
            // real and imaginary part for now
            out[c].amplitude += b->weights[k][1] * value;
            out[c].phase += b->weights[k][2] * value;
        }
    }
    for (int c = 0; c < count; ++c) {
        double re = out[c].amplitude, im = out[c].phase;
        out[c].amplitude = sqrt(re * re + im * im);
        out[c].phase = hwAtan2(im, re);
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
    status = hwWorld_AdoptState(world, modes->rest, modes->restSize, error);
    if (status != HW_OK) return status;
    hwWorld_FindContacts(world, &hwMode_running, HW_INSTANT, false);
    hwBalance b;
    status = hwBalance_Begin(&b, modes, world, period) ? Find(&b, error) : hwFail_Memory(error, NULL);
    if (status == HW_OK) ReadChannels(&b, channelCount, channels, out);
    if (b.still != NULL)
        memcpy(world->state.z, b.still, (size_t)world->model.auxiliaryCount * sizeof(double));
    hwBalance_End(&b);
    return status;
}
