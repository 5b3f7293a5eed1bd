// Bend restrictors: half-shells round a cable that turn freely in one another up to a radius and then lock.
//
// Up to the locking curvature k_L they do nothing; beyond it a moment K (k - k_L) adds to EI k, with K much larger. With the
// joint's measure of turning p = 2 tan(angle/2) over the length l (evaluate.c) the energy is K/l (p - p_L)^2 / 2, p_L = k_L l, whose
// derivative is that of ordinary bending with the stiffness B = K/l (1 - p_L/p): so `bend` is set to EI/l + B before the pass
// over the joints, and what B changes with p goes into the matrix's gradient products after it.
#include "cable/arrays.h"

// The stiffness that acts beside the free one, and the second derivative of its energy with the angle's cosine that the pass
// over the joints, which takes the stiffness for constant, leaves out.
typedef struct Lock {
    double bend, rank, energy, cost;
} Lock;

static Lock MakeLock(hwVec3 a, hwVec3 b, double lockBend, double lockTurn) {
    Lock lock = {0.0, 0.0, 0.0, 0.0};
    double c = hwDot(a, b), open = hwMax(1.0 + c, HW_FOLD);
    double turn = 2.0 * sqrt(hwMax(1.0 - c, 0.0) / open);
    if (!(lockBend > 0.0 && turn > lockTurn)) return lock;
    double past = turn - lockTurn, slope = 4.0 / (open * open);
    lock.bend = lockBend * past / turn;
    // dp/dc = -4 / (open^2 p)
    lock.rank = slope * lockBend * lockTurn / (turn * turn) * slope / turn;
    // what is stored, less what ordinary bending with that stiffness would store: B p^2 / 2
    lock.energy = 0.5 * lockBend * past * past - 0.5 * lock.bend * turn * turn;
    // d/dr of K/l (p - k_L l)^2 / 2 with dl/dr = 1/2, times l
    lock.cost = -0.5 * lockBend * past * (0.5 * past + lockTurn);
    return lock;
}

static Lock GetJoint(const hwCableArrays* s, int i) {
    return MakeLock(hwTangent(s, i - 1), hwTangent(s, i), s->lockBend[i], s->lockTurn[i]);
}

static Lock GetClamp(const hwCableWork* work, int end) {
    const hwCableArrays* s = work->arrays;
    hwVec3 chord = hwTangent(s, end == 0 ? 0 : work->nodes - 2);
    if (work->input.ends[end].kind != HW_CABLE_CLAMP) return (Lock){0.0, 0.0, 0.0, 0.0};
    return MakeLock(work->input.ends[end].tangent, chord, s->clampLock[end], s->clampTurn[end]);
}

void hwCableLock_Apply(hwCableWork* work, const hwCableInput* input) {
    hwCableArrays* s = work->arrays;
    double hd2 = input->hd * input->hd;
    for (int i = 1; i < work->nodes - 1; ++i) {
        Lock lock = GetJoint(s, i);
        s->bend[i] = s->bendFree[i] + lock.bend;
        s->lockRank[i] = hd2 * lock.rank;
    }
    for (int end = 0; end < 2; ++end) {
        Lock lock = GetClamp(work, end);
        s->clampBend[end] = s->clampFree[end] + lock.bend;
        s->clampRank[end] = hd2 * lock.rank;
    }
}

void hwCableLock_AddRank(hwCableWork* work) {
    hwCableArrays* s = work->arrays;
    for (int i = 1; i < work->nodes - 1; ++i) {
        double rank = s->lockRank[i];
        if (rank == 0.0) continue;
        s->bendRank[i] += rank;
        for (int m = 0; m < 3; ++m) {
            for (int n = 0; n < 3; ++n) s->couple[3 * m + n][i] += rank * s->before[m][i] * s->after[n][i];
        }
    }
}

double hwCableLock_GetEnergy(const hwCableWork* work, int joint) {
    const hwCableArrays* s = work->arrays;
    return s->lockBend != NULL ? GetJoint(s, joint).energy : 0.0;
}

double hwCableLock_GetCost(const hwCableWork* work, int joint) {
    const hwCableArrays* s = work->arrays;
    return GetJoint(s, joint).cost / (0.5 * (s->rest[joint - 1] + s->rest[joint]));
}

double hwCableLock_GetClampCost(const hwCableWork* work, int end) {
    return GetClamp(work, end).cost / (0.5 * work->arrays->rest[end == 0 ? 0 : work->nodes - 2]);
}

double hwCableLock_GetClampEnergy(const hwCableWork* work, int end) {
    return work->arrays->lockBend != NULL ? GetClamp(work, end).energy : 0.0;
}
