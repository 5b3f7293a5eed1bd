#include "support.h"

#include "math/attitude.h"
#include "math/dense.h"
#include "math/gmres.h"
#include "math/spatial.h"
#include "math/vectors.h"

// A few rounding errors on numbers of size one.
#define ROUNDING 1e-14

static hwPlacement RandomPlacement(uint64_t* seed) {
    hwPlacement p = {hwMat3FromQuat(TestRandomQuat(seed)), TestRandomVec3(seed)};
    return p;
}

static hwSpatial RandomSpatial(uint64_t* seed) {
    hwSpatial s = {TestRandomVec3(seed), TestRandomVec3(seed)};
    return s;
}

static hwSpatialSym RandomInertia(uint64_t* seed) {
    // a sum of squares is positive definite
    double m[6][6] = {{0}}, rows[6][6];
    for (int i = 0; i < 36; ++i) rows[i / 6][i % 6] = TestRandom(seed);
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) {
            for (int k = 0; k < 6; ++k) m[i][j] += rows[k][i] * rows[k][j];
        }
    }
    return hwSpatialSymFromArray(&m[0][0]);
}

static void quaternions_and_matrices_turn_alike(void** state) {
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 1000; ++i) {
        hwQuat q = TestRandomQuat(&seed);
        hwVec3 v = TestRandomVec3(&seed);
        hwMat3 R = hwMat3FromQuat(q);
        assert_close_vec3(hwMulMV(R, v), hwRotate(q, v), ROUNDING);
        assert_close_vec3(hwMulTV(R, v), hwInvRotate(q, v), ROUNDING);
        hwQuat back = hwQuatFromMat3(R);
        assert_close(fabs(back.w * q.w + back.x * q.x + back.y * q.y + back.z * q.z), 1.0, ROUNDING);
    }
}

static void rpy_survives_the_round_trip(void** state) {
    (void)state;
    uint64_t seed = 2;
    for (int i = 0; i < 1000; ++i) {
        hwVec3 rpy = hwMakeVec3(3.1 * TestRandom(&seed), 1.5 * TestRandom(&seed), 3.1 * TestRandom(&seed));
        hwVec3 back = hwRpyFromQuat(hwQuatFromRpy(rpy.x, rpy.y, rpy.z));
        // asin loses digits near its ends: 1e-16 / cos(1.5)
        assert_close_vec3(back, rpy, 1e-13);
    }
    // straight up and down: the attitude itself must survive
    for (int sign = -1; sign <= 1; sign += 2) {
        hwQuat q = hwQuatFromRpy(0.3, sign * 0.5 * HW_PI, 1.1);
        hwVec3 rpy = hwRpyFromQuat(q);
        hwQuat back = hwQuatFromRpy(rpy.x, rpy.y, rpy.z);
        // pitch is taken as a right angle when its sine is within 1e-15 of one, which is 4.5e-8 rad
        assert_close(fabs(back.w * q.w + back.x * q.x + back.y * q.y + back.z * q.z), 1.0, 1e-14);
    }
}

static void rpy_follows_the_z_y_x_convention(void** state) {
    (void)state;
    // yaw first, about the world's z, then pitch about the new y, then roll about the newest x
    hwVec3 ahead = hwRotate(hwQuatFromRpy(0.0, 0.0, 0.5 * HW_PI), hwMakeVec3(1.0, 0.0, 0.0));
    assert_close_vec3(ahead, hwMakeVec3(0.0, 1.0, 0.0), ROUNDING);
    hwVec3 nose = hwRotate(hwQuatFromRpy(0.0, 0.5 * HW_PI, 0.0), hwMakeVec3(1.0, 0.0, 0.0));
    assert_close_vec3(nose, hwMakeVec3(0.0, 0.0, -1.0), ROUNDING);
    double r = 0.3, p = 0.4, y = 0.5;
    hwQuat product =
        hwMulQuat(hwMulQuat(hwQuatFromRpy(0, 0, y), hwQuatFromRpy(0, p, 0)), hwQuatFromRpy(r, 0, 0));
    hwQuat direct = hwQuatFromRpy(r, p, y);
    assert_close(product.w * direct.w + product.x * direct.x + product.y * direct.y + product.z * direct.z,
                 1.0, ROUNDING);
}

static void rotation_vectors_are_exponentials(void** state) {
    (void)state;
    uint64_t seed = 3;
    for (int i = 0; i < 300; ++i) {
        // sizes from 1e-9 to 3: series and formula must agree
        hwVec3 r = hwScale(pow(10.0, -9.0 + 9.4 * 0.5 * (1.0 + TestRandom(&seed))),
                           hwNormalize(TestRandomVec3(&seed)));
        assert_close_vec3(hwRotationVectorFromQuat(hwQuatFromRotationVector(r)), r,
                          1e-14 * (1.0 + hwLength(r)));
    }
}

static void rpy_rates_match_finite_differences(void** state) {
    (void)state;
    uint64_t seed = 4;
    const double h = 1e-4;
    for (int i = 0; i < 50; ++i) {
        hwVec3 rpy = TestRandomVec3(&seed), rate = TestRandomVec3(&seed),
               acceleration = TestRandomVec3(&seed);
        hwVec3 at[3], w[3];
        for (int k = 0; k < 3; ++k) {
            double t = (k - 1) * h;
            at[k] = hwMulAdd(hwMulAdd(rpy, t, rate), 0.5 * t * t, acceleration);
            w[k] = hwRateFromRpy(at[k], hwMulAdd(rate, t, acceleration));
        }
        hwQuat turn = hwMulQuat(hwConjugate(hwQuatFromRpy(at[0].x, at[0].y, at[0].z)),
                                hwQuatFromRpy(at[2].x, at[2].y, at[2].z));
        // central differences: error h^2, times third derivatives of order ten
        assert_close_vec3(hwScale(0.5 / h, hwRotationVectorFromQuat(turn)), w[1], 1e-6);
        hwVec3 difference = hwScale(0.5 / h, hwSub(w[2], w[0]));
        assert_close_vec3(difference, hwRateAccelerationFromRpy(rpy, rate, acceleration), 1e-6);
    }
}

static void power_is_the_same_in_every_frame(void** state) {
    (void)state;
    uint64_t seed = 5;
    for (int i = 0; i < 200; ++i) {
        hwPlacement x = RandomPlacement(&seed);
        hwSpatial v = RandomSpatial(&seed), f = RandomSpatial(&seed);
        assert_close(hwDotS(hwForceToParent(&x, f), v), hwDotS(f, hwMotionToChild(&x, v)), 1e-13);
    }
}

static void kinetic_energy_is_the_same_in_every_frame(void** state) {
    (void)state;
    uint64_t seed = 6;
    for (int i = 0; i < 200; ++i) {
        hwPlacement x = RandomPlacement(&seed);
        hwSpatialSym m = RandomInertia(&seed);
        hwSpatial v = RandomSpatial(&seed), w = RandomSpatial(&seed);
        hwSpatialSym seen = hwSpatialSymToParent(&x, &m);
        hwSpatial vc = hwMotionToChild(&x, v), wc = hwMotionToChild(&x, w);
        assert_close(hwDotS(w, hwMulSpatialSym(&seen, v)), hwDotS(wc, hwMulSpatialSym(&m, vc)), 1e-12);
    }
}

static void rigid_inertia_is_that_of_its_particles(void** state) {
    (void)state;
    uint64_t seed = 7;
    hwVec3 points[5];
    double masses[5], mass = 0.0;
    hwVec3 com = hwVec3_zero;
    for (int i = 0; i < 5; ++i) {
        points[i] = TestRandomVec3(&seed);
        masses[i] = 1.5 + TestRandom(&seed);
        mass += masses[i];
        com = hwMulAdd(com, masses[i], points[i]);
    }
    com = hwScale(1.0 / mass, com);
    hwSym3 inertia = {0};
    for (int i = 0; i < 5; ++i) {
        hwVec3 r = hwSub(points[i], com);
        double rr = hwDot(r, r);
        hwSym3 one = {rr - r.x * r.x, rr - r.y * r.y, rr - r.z * r.z, -r.x * r.y, -r.x * r.z, -r.y * r.z};
        inertia = hwMulAddSym3(inertia, masses[i], one);
    }
    hwSpatialSym m = hwRigidInertia(mass, com, inertia);
    hwSpatial v = RandomSpatial(&seed);
    double energy = 0.0;
    for (int i = 0; i < 5; ++i) {
        energy += 0.5 * masses[i] * hwLengthSquared(hwAdd(v.l, hwCross(v.a, points[i])));
    }
    assert_close(0.5 * hwDotS(v, hwMulSpatialSym(&m, v)), energy, 1e-13);
}

static void spatial_arrays_round_trip(void** state) {
    (void)state;
    uint64_t seed = 8;
    hwSpatialSym m = RandomInertia(&seed);
    double a[36], b[36];
    hwSpatialSymToArray(&m, a);
    hwSpatialSym back = hwSpatialSymFromArray(a);
    hwSpatialSymToArray(&back, b);
    assert_memory_equal(a, b, sizeof(a));
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) assert_true(a[6 * i + j] == a[6 * j + i]);
    }
}

static void cholesky_solves_and_refuses(void** state) {
    (void)state;
    uint64_t seed = 9;
    hwSpatialSym m = RandomInertia(&seed);
    double a[36], l[36], x[6], b[6];
    hwSpatialSymToArray(&m, a);
    memcpy(l, a, sizeof(a));
    for (int i = 0; i < 6; ++i) b[i] = x[i] = TestRandom(&seed);
    assert_true(hwCholesky(6, l));
    hwCholeskySolve(6, l, x);
    for (int i = 0; i < 6; ++i) {
        double sum = 0.0;
        for (int j = 0; j < 6; ++j) sum += a[6 * i + j] * x[j];
        // the random matrix has a condition number of about a thousand
        assert_close(sum, b[i], 1e-11);
    }
    double bad[4] = {1.0, 2.0, 2.0, 1.0};
    assert_false(hwCholesky(2, bad));
    double nan[1] = {NAN};
    assert_false(hwCholesky(1, nan));
}

static void the_upper_half_does_as_well(void** state) {
    (void)state;
    uint64_t seed = 9;
    hwSpatialSym m = RandomInertia(&seed);
    double a[36], u[36], l[36], x[6], y[6];
    hwSpatialSymToArray(&m, a);
    memcpy(u, a, sizeof(a));
    memcpy(l, a, sizeof(a));
    for (int i = 0; i < 6; ++i) {
        x[i] = y[i] = TestRandom(&seed);
        for (int j = 0; j < i; ++j) u[6 * i + j] = NAN; // not read
    }
    assert_true(hwFactorUpper(6, u));
    assert_true(hwCholesky(6, l));
    hwSolveUpper(6, u, x);
    hwCholeskySolve(6, l, y);
    for (int i = 0; i < 6; ++i)
        assert_close(x[i] / y[i], 1.0, 1e-11); // a condition number of about a thousand
    double bad[4] = {1.0, 2.0, 2.0, 1.0}, nan[1] = {NAN};
    assert_false(hwFactorUpper(2, bad));
    assert_false(hwFactorUpper(1, nan));
}

static void eigenvalues_of_known_matrices(void** state) {
    (void)state;
    uint64_t seed = 10;
    hwMat3 R = hwMat3FromQuat(TestRandomQuat(&seed));
    double values[3];
    hwEigenvaluesSym3(hwRotateSym3(R, (hwSym3){3.0, -1.0, 2.0, 0.0, 0.0, 0.0}), values);
    assert_close(values[0], -1.0, 1e-14);
    assert_close(values[1], 2.0, 1e-14);
    assert_close(values[2], 3.0, 1e-14);
    // graded: the small one keeps its digits relative to the large one
    hwEigenvaluesSym3((hwSym3){1e8, 1.0, 1e-8, 0.0, 0.0, 0.0}, values);
    assert_close(values[0], 1e-8, 1e-20);
    double m[4] = {2.0, 1.0, 1.0, 2.0};
    assert_close(hwSmallestEigenvalue(2, m), 1.0, 1e-14);
}

#define GMRES_SIZE 60

static void MultiplyTest(void* context, const double* x, double* y) {
    (void)context;
    // an unsymmetric tridiagonal matrix
    for (int i = 0; i < GMRES_SIZE; ++i) {
        y[i] = (2.5 + 0.01 * i) * x[i];
        if (i > 0) y[i] -= x[i - 1];
        if (i + 1 < GMRES_SIZE) y[i] -= 0.5 * x[i + 1];
    }
}

static void PreconditionTest(void* context, const double* x, double* y) {
    (void)context;
    for (int i = 0; i < GMRES_SIZE; ++i) y[i] = x[i] / (2.5 + 0.01 * i);
}

static void gmres_converges_to_the_tolerance(void** state) {
    (void)state;
    hwArena arena = {0};
    hwGmres gmres;
    hwGmres_Take(&gmres, &arena, GMRES_SIZE);
    arena.base = calloc(1, arena.used);
    arena.used = 0;
    hwGmres_Take(&gmres, &arena, GMRES_SIZE);
    uint64_t seed = 11;
    double b[GMRES_SIZE], x[GMRES_SIZE] = {0}, y[GMRES_SIZE];
    for (int i = 0; i < GMRES_SIZE; ++i) b[i] = TestRandom(&seed);
    double reached = hwGmres_Solve(&gmres, MultiplyTest, PreconditionTest, NULL, b, x, 1e-12, 200);
    assert_true(reached <= 1e-12);
    MultiplyTest(NULL, x, y);
    for (int i = 0; i < GMRES_SIZE; ++i) assert_close(y[i], b[i], 1e-10);
    free(arena.base);
}

// Every length goes through another mixture of whole lanes and single numbers.
static void the_largest_size_is_found_wherever_it_is(void** state) {
    (void)state;
    uint64_t seed = 5;
    double x[21] = {0};
    assert_true(hwVector_GetLargest(0, x) == 0.0);
    for (int count = 1; count <= 21; ++count) {
        for (int at = 0; at < count; ++at) {
            for (int i = 0; i < count; ++i) x[i] = TestRandom(&seed);
            x[at] = -7.5;
            assert_true(hwVector_GetLargest(count, x) == 7.5);
            x[at] = (double)INFINITY;
            assert_true(hwVector_GetLargest(count, x) == (double)INFINITY);
            x[count - 1 - at] = -(double)NAN;
            assert_true(isnan(hwVector_GetLargest(count, x)));
        }
        for (int i = 0; i < count; ++i) x[i] = -0.0;
        assert_true(hwVector_GetLargest(count, x) == 0.0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quaternions_and_matrices_turn_alike),
        cmocka_unit_test(rpy_survives_the_round_trip),
        cmocka_unit_test(rpy_follows_the_z_y_x_convention),
        cmocka_unit_test(rotation_vectors_are_exponentials),
        cmocka_unit_test(rpy_rates_match_finite_differences),
        cmocka_unit_test(power_is_the_same_in_every_frame),
        cmocka_unit_test(kinetic_energy_is_the_same_in_every_frame),
        cmocka_unit_test(rigid_inertia_is_that_of_its_particles),
        cmocka_unit_test(spatial_arrays_round_trip),
        cmocka_unit_test(cholesky_solves_and_refuses),
        cmocka_unit_test(the_upper_half_does_as_well),
        cmocka_unit_test(eigenvalues_of_known_matrices),
        cmocka_unit_test(the_largest_size_is_found_wherever_it_is),
        cmocka_unit_test(gmres_converges_to_the_tolerance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
