// Control allocation: exactness, direction, optimality against brute force.
#include "vehicle/allocation.h"

#include "support.h"

static const double g_evenAxes[6] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0};

static void MakeColumn(hwVec3 position, hwVec3 axis, double column[6]) {
    hwVec3 moment = hwCross(position, axis);
    column[0] = axis.x, column[1] = axis.y, column[2] = axis.z;
    column[3] = moment.x, column[4] = moment.y, column[5] = moment.z;
}

// Eight thrusters as on a BlueROV2 Heavy.
static void MakeEight(double columns[8][6], double* low, double* high, double* weights) {
    const double c = sqrt(0.5);
    int n = 0;
    for (int front = 1; front >= -1; front -= 2) {
        for (int port = 1; port >= -1; port -= 2) {
            MakeColumn(hwMakeVec3(0.156 * front, 0.111 * port, 0.085), hwMakeVec3(c, -c * front * port, 0.0),
                       columns[n++]);
        }
    }
    for (int front = 1; front >= -1; front -= 2) {
        for (int port = 1; port >= -1; port -= 2) {
            MakeColumn(hwMakeVec3(0.12 * front, 0.218 * port, 0.0), hwMakeVec3(0.0, 0.0, 1.0), columns[n++]);
        }
    }
    for (int i = 0; i < 8; ++i) low[i] = -40.0, high[i] = 50.0, weights[i] = 1.0;
}

static void Sum(int count, double (*columns)[6], const double* forces, double wrench[6]) {
    for (int k = 0; k < 6; ++k) {
        wrench[k] = 0.0;
        for (int i = 0; i < count; ++i) wrench[k] += columns[i][k] * forces[i];
    }
}

static double Effort(int count, const double* weights, const double* forces) {
    double sum = 0.0;
    for (int i = 0; i < count; ++i) sum += weights[i] * forces[i] * forces[i];
    return sum;
}

static void test_DeliversWhatIsAskedWithinLimits(void** state) {
    (void)state;
    double columns[8][6], low[8], high[8], weights[8], forces[8], share, wrench[6];
    MakeEight(columns, low, high, weights);
    hwAllocation a;
    assert_true(hwAllocation_Init(&a, 8, columns, low, high, weights, g_evenAxes));
    assert_int_equal(a.rank, 6);
    uint64_t random = 1;
    for (int trial = 0; trial < 500; ++trial) {
        double demand[1][6];
        for (int k = 0; k < 6; ++k) demand[0][k] = (k < 3 ? 20.0 : 1.0) * TestRandom(&random);
        hwAllocation_Solve(&a, 1, demand, forces, &share);
        assert_close(share, 1.0, 0.0);
        Sum(8, columns, forces, wrench);
        for (int k = 0; k < 6; ++k) assert_close(wrench[k], demand[0][k], 1e-8); // the regularization, 1e-11
    }
}

static void test_SaturationKeepsTheDirection(void** state) {
    (void)state;
    double columns[8][6], low[8], high[8], weights[8], forces[8], share, wrench[6];
    MakeEight(columns, low, high, weights);
    hwAllocation a;
    assert_true(hwAllocation_Init(&a, 8, columns, low, high, weights, g_evenAxes));
    uint64_t random = 2;
    int saturated = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        double demand[1][6];
        for (int k = 0; k < 6; ++k) demand[0][k] = (k < 3 ? 150.0 : 20.0) * TestRandom(&random);
        hwAllocation_Solve(&a, 1, demand, forces, &share);
        saturated += share < 1.0;
        assert_true(share > 0.0);
        Sum(8, columns, forces, wrench);
        for (int i = 0; i < 8; ++i) assert_true(forces[i] >= low[i] && forces[i] <= high[i]);
        // along the path the regularization adds up over some ten pieces
        for (int k = 0; k < 6; ++k) assert_close(wrench[k], share * demand[0][k], 1e-5);
    }
    assert_true(saturated > 1000);
}

// The largest share by linear programming: in n - 6 = 2 free directions and the share, the optimum is where three limits
// meet; try all triples.
static double FindShare(int count, const double* low, const double* high, const double* forces, double share,
                        double nullSpace[2][16]) {
    // f(s, y) = s forces / share + y1 n1 + y2 n2
    double best = 0.0;
    for (int i = 0; i < 2 * count; ++i) {
        for (int j = i + 1; j < 2 * count; ++j) {
            for (int k = j + 1; k < 2 * count; ++k) {
                const int rows[3] = {i, j, k};
                double m[3][4];
                for (int r = 0; r < 3; ++r) {
                    int t = rows[r] / 2;
                    double bound = rows[r] % 2 == 0 ? high[t] : low[t];
                    m[r][0] = forces[t] / share, m[r][1] = nullSpace[0][t], m[r][2] = nullSpace[1][t],
                    m[r][3] = bound;
                }
                // Cramer's rule
                double det = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                             m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                             m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
                if (fabs(det) < 1e-9) continue;
                double x[3];
                for (int c = 0; c < 3; ++c) {
                    double w[3][3];
                    for (int r = 0; r < 3; ++r) {
                        for (int q = 0; q < 3; ++q) w[r][q] = q == c ? m[r][3] : m[r][q];
                    }
                    x[c] = (w[0][0] * (w[1][1] * w[2][2] - w[1][2] * w[2][1]) -
                            w[0][1] * (w[1][0] * w[2][2] - w[1][2] * w[2][0]) +
                            w[0][2] * (w[1][0] * w[2][1] - w[1][1] * w[2][0])) /
                           det;
                }
                bool feasible = true;
                for (int t = 0; t < count && feasible; ++t) {
                    double f = x[0] * forces[t] / share + x[1] * nullSpace[0][t] + x[2] * nullSpace[1][t];
                    feasible = f >= low[t] - 1e-9 && f <= high[t] + 1e-9;
                }
                if (feasible && x[0] > best) best = x[0];
            }
        }
    }
    return best;
}

// Two independent directions of forces that cancel out: random ones less what they do.
static void FindNullSpace(const hwAllocation* a, double nullSpace[2][16]) {
    uint64_t random = 11;
    for (int d = 0; d < 2; ++d) {
        double f[16], t[6];
        for (int i = 0; i < a->count; ++i) f[i] = TestRandom(&random);
        for (int pass = 0; pass < 3; ++pass) {
            for (int r = 0; r < a->rank; ++r) {
                t[r] = 0.0;
                for (int i = 0; i < a->count; ++i) t[r] += a->reduced[i][r] * f[i];
            }
            for (int i = 0; i < a->count; ++i) {
                for (int r = 0; r < a->rank; ++r) f[i] -= a->inverse[i][r] * t[r];
            }
        }
        memcpy(nullSpace[d], f, sizeof(f));
    }
}

static void test_ShareIsTheLargestPossible(void** state) {
    (void)state;
    double columns[8][6], low[8], high[8], weights[8], forces[8], share;
    MakeEight(columns, low, high, weights);
    hwAllocation a;
    assert_true(hwAllocation_Init(&a, 8, columns, low, high, weights, g_evenAxes));
    double nullSpace[2][16];
    FindNullSpace(&a, nullSpace);
    uint64_t random = 3;
    for (int trial = 0; trial < 60; ++trial) {
        double demand[1][6];
        for (int k = 0; k < 6; ++k) demand[0][k] = (k < 3 ? 300.0 : 40.0) * TestRandom(&random);
        hwAllocation_Solve(&a, 1, demand, forces, &share);
        if (share >= 1.0) continue;
        double best = FindShare(8, low, high, forces, share, nullSpace);
        assert_close(share, best, 1e-6 * best);
    }
}

static void test_EffortIsTheLeastOfAGridSearch(void** state) {
    (void)state;
    // four thrusters in a plane with three axes: one free direction, searched on a fine grid
    double columns[4][6], low[4] = {-5.0, -5.0, -5.0, -5.0}, high[4] = {6.0, 6.0, 6.0, 6.0};
    double weights[4] = {1.0, 2.0, 0.5, 1.0}, axes[6] = {1.0, 1.0, 0.0, 0.0, 0.0, 4.0};
    const double c = sqrt(0.5);
    int n = 0;
    for (int front = 1; front >= -1; front -= 2) {
        for (int port = 1; port >= -1; port -= 2) {
            MakeColumn(hwMakeVec3(0.2 * front, 0.1 * port, 0.0), hwMakeVec3(c, -c * front * port, 0.0),
                       columns[n++]);
        }
    }
    hwAllocation a;
    assert_true(hwAllocation_Init(&a, 4, columns, low, high, weights, axes));
    assert_int_equal(a.rank, 3);
    double nullSpace[2][16];
    FindNullSpace(&a, nullSpace);
    uint64_t random = 5;
    int limited = 0;
    for (int trial = 0; trial < 300; ++trial) {
        double demand[1][6] = {{10.0 * TestRandom(&random), 10.0 * TestRandom(&random), 0.0, 0.0, 0.0,
                                1.5 * TestRandom(&random)}};
        double forces[4], share;
        hwAllocation_Solve(&a, 1, demand, forces, &share);
        bool bound = false;
        for (int i = 0; i < 4; ++i) bound = bound || forces[i] <= low[i] || forces[i] >= high[i];
        limited += bound;
        double least = Effort(4, weights, forces), slack = 1e-6 * least;
        for (int step = -20000; step <= 20000; ++step) {
            double f[4];
            bool inside = true;
            for (int i = 0; i < 4; ++i) {
                f[i] = forces[i] + 1e-3 * step * nullSpace[0][i];
                inside = inside && f[i] >= low[i] - 1e-9 && f[i] <= high[i] + 1e-9;
            }
            if (inside) assert_true(Effort(4, weights, f) >= least - slack);
        }
    }
    assert_true(limited > 30);
}

static void test_ImportantDemandsComeFirst(void** state) {
    (void)state;
    double columns[8][6], low[8], high[8], weights[8], forces[8], shares[3], wrench[6];
    MakeEight(columns, low, high, weights);
    hwAllocation a;
    assert_true(hwAllocation_Init(&a, 8, columns, low, high, weights, g_evenAxes));
    // a hold that needs 60 N up and a little yaw, a pilot who wants far too much surge
    double demands[3][6] = {{0, 0, 60, 0.5, 0, 2}, {0}, {1000, 0, 0, 0, 0, 0}};
    hwAllocation_Solve(&a, 3, demands, forces, shares);
    assert_close(shares[0], 1.0, 0.0);
    assert_close(shares[1], 1.0, 0.0);
    assert_true(shares[2] > 0.05 && shares[2] < 0.15);
    Sum(8, columns, forces, wrench);
    assert_close(wrench[2], 60.0, 1e-4);
    assert_close(wrench[5], 2.0, 1e-5);
    assert_close(wrench[0], 1000.0 * shares[2], 1e-3);
}

static void test_UnderactuatedVehicleGivesTheNearestWrench(void** state) {
    (void)state;
    // two horizontal thrusters below the centre and a vertical one: sway, roll and pitch are not controlled
    double columns[3][6], low[3] = {-2, -2, -2}, high[3] = {6, 6, 3}, weights[3] = {1, 1, 1};
    double axes[6] = {1, 0, 1, 0, 0, 1}, forces[3], share, wrench[6];
    MakeColumn(hwMakeVec3(-0.1, 0.1, -0.02), hwMakeVec3(1, 0, 0), columns[0]);
    MakeColumn(hwMakeVec3(-0.1, -0.1, -0.02), hwMakeVec3(1, 0, 0), columns[1]);
    MakeColumn(hwMakeVec3(0, 0, 0.05), hwMakeVec3(0, 0, 1), columns[2]);
    hwAllocation a;
    assert_true(hwAllocation_Init(&a, 3, columns, low, high, weights, axes));
    assert_int_equal(a.rank, 3);
    double demand[1][6] = {{4.0, 3.0, -1.0, 1.0, 1.0, 0.1}};
    hwAllocation_Solve(&a, 1, demand, forces, &share);
    Sum(3, columns, forces, wrench);
    assert_close(share, 1.0, 0.0);
    assert_close(wrench[0], 4.0, 1e-9);
    assert_close(wrench[2], -1.0, 1e-9);
    assert_close(wrench[5], 0.1, 1e-9);
    // with both axes at full demand the ratio of surge to yaw stays
    double more[1][6] = {{12.0, 0.0, 0.0, 0.0, 0.0, 0.3}};
    hwAllocation_Solve(&a, 1, more, forces, &share);
    Sum(3, columns, forces, wrench);
    assert_true(share < 1.0);
    assert_close(wrench[0] / wrench[5], 40.0, 1e-5);
    assert_close(fmax(forces[0], forces[1]), 6.0, 1e-9);
}

static void test_NoThrusterNoAllocation(void** state) {
    (void)state;
    double columns[1][6] = {{0, 1, 0, 0, 0, 0}}, low[1] = {-1}, high[1] = {1}, weights[1] = {1};
    double axes[6] = {1, 0, 1, 1, 1, 1};
    hwAllocation a;
    assert_false(hwAllocation_Init(&a, 1, columns, low, high, weights, axes));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_DeliversWhatIsAskedWithinLimits),
        cmocka_unit_test(test_SaturationKeepsTheDirection),
        cmocka_unit_test(test_ShareIsTheLargestPossible),
        cmocka_unit_test(test_EffortIsTheLeastOfAGridSearch),
        cmocka_unit_test(test_ImportantDemandsComeFirst),
        cmocka_unit_test(test_UnderactuatedVehicleGivesTheNearestWrench),
        cmocka_unit_test(test_NoThrusterNoAllocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
