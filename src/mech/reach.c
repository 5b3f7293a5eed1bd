#include "mech/reach.h"

#include "hawser/elementary.h"

#include <math.h>
#include <string.h>

#define ARM 0.3      // m: a turn of one radian counts as much as this way
#define DAMPING 0.02 // m: ways that the joints give less than this for a radian are not insisted on
#define STOP 1e-9

// Column of the Jacobian: velocity and, times ARM, rate of the tip for a unit rate of the joint.
static void FillColumn(const hwReachJoint* joint, hwVec3 tip, bool turns, double column[6]) {
    hwVec3 v = joint->slides ? joint->axis : hwCross(joint->axis, hwSub(tip, joint->origin));
    hwVec3 w = joint->slides || !turns ? hwVec3_zero : hwScale(ARM, joint->axis);
    const double values[6] = {v.x, v.y, v.z, w.x, w.y, w.z};
    memcpy(column, values, sizeof(values));
}

// Solves A y = b for a symmetric positive matrix by Cholesky's factors; A is overwritten.
static void SolvePositive(int n, double A[6][6], double* b) {
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j <= i; ++j) {
            double sum = A[i][j];
            for (int k = 0; k < j; ++k) sum -= A[i][k] * A[j][k];
            A[i][j] = i == j ? sqrt(hwFmax(sum, 1e-300)) : sum / A[j][j];
        }
    }
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < i; ++k) b[i] -= A[i][k] * b[k];
        b[i] /= A[i][i];
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k) b[i] -= A[k][i] * b[k];
        b[i] /= A[i][i];
    }
}

void hwReach_Solve(int count, const hwReachJoint* joints, hwVec3 tip, const hwReachWish* wish, double step,
                   double* rates) {
    double columns[HW_REACH_JOINTS][6];
    bool held[HW_REACH_JOINTS] = {false};
    int rows = wish->turns ? 6 : 3;
    for (int i = 0; i < count; ++i) FillColumn(&joints[i], tip, wish->turns, columns[i]);
    const hwVec3 turn = hwScale(ARM, wish->rate);
    const double wanted[6] = {wish->velocity.x, wish->velocity.y, wish->velocity.z, turn.x, turn.y, turn.z};
    for (int pass = 0; pass <= count; ++pass) {
        // J J^T + DAMPING^2
        double A[6][6] = {{0.0}}, y[6];
        memcpy(y, wanted, sizeof(y));
        for (int i = 0; i < rows; ++i) {
            for (int j = 0; j <= i; ++j) {
                for (int k = 0; k < count; ++k) A[i][j] += held[k] ? 0.0 : columns[k][i] * columns[k][j];
            }
            A[i][i] += DAMPING * DAMPING;
        }
        SolvePositive(rows, A, y);
        bool again = false;
        for (int k = 0; k < count; ++k) {
            rates[k] = 0.0;
            for (int i = 0; i < rows && !held[k]; ++i) rates[k] += columns[k][i] * y[i];
            double next = joints[k].q + step * rates[k];
            bool beyond = (rates[k] > 0.0 && next > joints[k].high + STOP) ||
                          (rates[k] < 0.0 && next < joints[k].low - STOP);
            if (held[k] || !beyond) continue;
            held[k] = again = true;
        }
        if (!again) break;
    }
    double most = 1.0;
    for (int k = 0; k < count; ++k) {
        if (held[k]) rates[k] = 0.0;
        if (joints[k].rate > 0.0) most = hwFmax(most, fabs(rates[k]) / joints[k].rate);
    }
    for (int k = 0; k < count; ++k) rates[k] /= most;
}
