#include "vehicle/allocation.h"

#include "math/dense.h"

#include <math.h>
#include <string.h>

#define RANK_TOLERANCE 1e-9 // of the largest column: what is left of a column after those before it
#define REGULARIZATION 1e-11
#define LOST 1e-6 // share of a demand that no free thruster gives, above which it is out of reach

// Orthonormal basis of the weighted columns by modified Gram-Schmidt with pivoting; returns the rank.
static int FindBasis(int count, double columns[][6], double basis[6][6]) {
    double largest = 0.0;
    int rank = 0;
    for (; rank < 6; ++rank) {
        int best = -1;
        double bestSquare = 0.0;
        for (int i = 0; i < count; ++i) {
            double square = 0.0;
            for (int k = 0; k < 6; ++k) square += columns[i][k] * columns[i][k];
            if (square > bestSquare) bestSquare = square, best = i;
        }
        if (rank == 0) largest = bestSquare;
        if (!(bestSquare > RANK_TOLERANCE * RANK_TOLERANCE * largest) || best < 0) break;
        double scale = 1.0 / sqrt(bestSquare);
        for (int k = 0; k < 6; ++k) basis[rank][k] = scale * columns[best][k];
        for (int i = 0; i < count; ++i) {
            double dot = 0.0;
            for (int k = 0; k < 6; ++k) dot += basis[rank][k] * columns[i][k];
            for (int k = 0; k < 6; ++k) columns[i][k] -= dot * basis[rank][k];
        }
    }
    return rank;
}

// Cholesky factor of sum over free thrusters of b b^T / w, plus the regularization.
static bool FactorNormal(const hwAllocation* a, const bool* isFree, double* matrix) {
    int n = a->rank;
    memset(matrix, 0, 36 * sizeof(double));
    for (int i = 0; i < a->count; ++i) {
        if (!isFree[i]) continue;
        for (int k = 0; k < n; ++k) {
            double scaled = a->reduced[i][k] / a->weight[i];
            for (int l = 0; l <= k; ++l) matrix[k * n + l] += scaled * a->reduced[i][l];
        }
    }
    for (int k = 0; k < n; ++k) matrix[k * n + k] += a->regularization;
    return hwCholesky(n, matrix);
}

bool hwAllocation_Init(hwAllocation* a, int count, double (*columns)[6], const double* low,
                       const double* high, const double* weights, const double axisWeights[6]) {
    memset(a, 0, sizeof(*a));
    a->count = count;
    double weighted[HW_MAX_THRUSTERS][6], work[HW_MAX_THRUSTERS][6], root[6];
    for (int k = 0; k < 6; ++k) root[k] = sqrt(axisWeights[k]);
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < 6; ++k) weighted[i][k] = work[i][k] = root[k] * columns[i][k];
        a->low[i] = low[i];
        a->high[i] = high[i];
        a->weight[i] = weights[i];
    }
    a->rank = FindBasis(count, work, a->basis);
    if (a->rank == 0) return false;
    double trace = 0.0;
    for (int i = 0; i < count; ++i) {
        for (int r = 0; r < a->rank; ++r) {
            for (int k = 0; k < 6; ++k) a->reduced[i][r] += a->basis[r][k] * weighted[i][k];
            trace += a->reduced[i][r] * a->reduced[i][r] / weights[i];
        }
    }
    for (int r = 0; r < a->rank; ++r) {
        for (int k = 0; k < 6; ++k) a->basis[r][k] *= root[k];
    }
    a->regularization = REGULARIZATION * trace / a->rank;
    bool all[HW_MAX_THRUSTERS];
    for (int i = 0; i < count; ++i) all[i] = true;
    if (!FactorNormal(a, all, a->whole)) return false;
    for (int r = 0; r < a->rank; ++r) {
        double unit[6] = {0.0};
        unit[r] = 1.0;
        hwCholeskySolve(a->rank, a->whole, unit);
        for (int i = 0; i < count; ++i) {
            double dot = 0.0;
            for (int k = 0; k < a->rank; ++k) dot += a->reduced[i][k] * unit[k];
            a->inverse[i][r] = dot / weights[i];
        }
    }
    return true;
}

// The way from one demand's beginning to its end.
typedef struct Path {
    const hwAllocation* a;
    double want[HW_MAX_THRUSTERS]; // b . lambda / w: the force if there were no limits
    bool isFree[HW_MAX_THRUSTERS];
    double factor[36]; // of those that are free
    bool factored;
} Path;

static double GetAlongPath(const Path* path, int thruster, const double* direction) {
    double dot = 0.0;
    for (int k = 0; k < path->a->rank; ++k) dot += path->a->reduced[thruster][k] * direction[k];
    return dot / path->a->weight[thruster];
}

// Distance to the point where thruster i meets its limit (free) or comes back from it (not free), moving at `rate`.
static double DistanceToLimit(const Path* path, int i, double rate) {
    double low = path->a->low[i], high = path->a->high[i], want = path->want[i];
    if (path->isFree[i]) {
        if (rate > 0.0) return hwFmax(high - want, 0.0) / rate;
        if (rate < 0.0) return hwFmin(low - want, 0.0) / rate;
    } else {
        if (want >= high && rate < 0.0) return (high - want) / rate;
        if (want <= low && rate > 0.0) return (low - want) / rate;
    }
    return (double)INFINITY;
}

static void MoveThrusts(Path* path, double distance, const double* rates) {
    for (int i = 0; i < path->a->count; ++i) path->want[i] += distance * rates[i];
}

static void ToggleBound(Path* path, int i, double rate) {
    // exactly on the limit it met or left
    bool high = path->isFree[i] ? rate > 0.0 : rate < 0.0;
    path->want[i] = high ? path->a->high[i] : path->a->low[i];
    path->isFree[i] = !path->isFree[i];
}

// Grows the demand t from nothing; returns the share reached.
static double FollowDemand(Path* path, const double* t) {
    const hwAllocation* a = path->a;
    double size = 0.0, share = 0.0;
    for (int k = 0; k < a->rank; ++k) size += t[k] * t[k];
    size = sqrt(size);
    if (!(size > 0.0)) return 1.0;
    for (int round = 0; round < 8 * a->count + 8 && path->factored; ++round) {
        double speed[6], rates[HW_MAX_THRUSTERS];
        memcpy(speed, t, (size_t)a->rank * sizeof(double));
        hwCholeskySolve(a->rank, path->factor, speed);
        double length = 0.0;
        for (int k = 0; k < a->rank; ++k) length += speed[k] * speed[k];
        // regularization * speed is the part of t that no free thruster gives: lambda may move along it without any
        // free thruster noticing, until one comes back from its limit
        bool stuck = a->regularization * sqrt(length) > LOST * size;
        double distance = stuck ? (double)INFINITY : 1.0 - share;
        int event = -1;
        for (int i = 0; i < a->count; ++i) {
            rates[i] = GetAlongPath(path, i, speed);
            if (stuck && path->isFree[i]) {
                rates[i] = 0.0;
                continue;
            }
            double there = DistanceToLimit(path, i, rates[i]);
            if (there < distance) distance = there, event = i;
        }
        if (stuck && event < 0) break;
        MoveThrusts(path, distance, rates);
        if (!stuck) share += distance;
        if (event < 0) return 1.0;
        ToggleBound(path, event, rates[event]);
        path->factored = FactorNormal(a, path->isFree, path->factor);
    }
    return hwFmin(share, 1.0);
}

void hwAllocation_Solve(const hwAllocation* a, int count, double (*demands)[6], double* forces,
                        double* shares) {
    double total[6] = {0.0}, t[6];
    for (int d = 0; d < count; ++d) {
        shares[d] = 1.0;
        for (int k = 0; k < 6; ++k) total[k] += demands[d][k];
    }
    for (int r = 0; r < a->rank; ++r) {
        t[r] = 0.0;
        for (int k = 0; k < 6; ++k) t[r] += a->basis[r][k] * total[k];
    }
    bool inside = true;
    for (int i = 0; i < a->count; ++i) {
        forces[i] = 0.0;
        for (int r = 0; r < a->rank; ++r) forces[i] += a->inverse[i][r] * t[r];
        inside = inside && forces[i] >= a->low[i] && forces[i] <= a->high[i];
    }
    if (inside) return;
    Path path = {.a = a, .factored = true};
    memcpy(path.factor, a->whole, sizeof(path.factor));
    for (int i = 0; i < a->count; ++i) path.isFree[i] = true;
    for (int d = 0; d < count; ++d) {
        for (int r = 0; r < a->rank; ++r) {
            t[r] = 0.0;
            for (int k = 0; k < 6; ++k) t[r] += a->basis[r][k] * demands[d][k];
        }
        shares[d] = FollowDemand(&path, t);
    }
    for (int i = 0; i < a->count; ++i) forces[i] = hwClamp(path.want[i], a->low[i], a->high[i]);
}
