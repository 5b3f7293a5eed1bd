// The articulated solve against dense matrices and against inverse dynamics.
#include "random_forest.h"

#include "math/dense.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static double Largest(int n, const double* x) {
    double largest = 0.0;
    for (int i = 0; i < n; ++i) largest = fmax(largest, fabs(x[i]));
    return largest;
}

// Forward dynamics, then inverse dynamics of the result: the efforts come back. Rounding grows with the ratio of the
// forces inside the tree to the efforts and with the joint-space matrix's condition; 1e-10 is what users are promised.
static void ForwardEqualsInverseAndMatrix(void** state) {
    (void)state;
    hwRandom r = {1};
    for (int trial = 0; trial < 1000; ++trial) {
        Sample s;
        MakeSample(&s, &r, 1 + (int)(hwRandom_Next(&r) % 60), trial % 2 == 0 ? 2.0 : 0.0);
        int n = s.forest.freedomCount, failed = -1;
        hwJointTerms none = {0};
        assert_true(hwForest_ComputeForward(&s.forest, s.inertia, s.wrench, none, s.efforts, &s.work, s.vdot,
                                            &failed));
        hwForest_ComputeAccelerations(&s.forest, s.vdot, &s.work);
        hwForest_ComputeEfforts(&s.forest, s.inertia, s.wrench, &s.work, s.other);
        double size = 1.0;
        for (int i = 0; i < s.forest.linkCount; ++i) {
            double f[6];
            ToArray(s.work.force[i], f);
            size = fmax(size, Largest(6, f));
        }
        for (int i = 0; i < n; ++i) assert_true(fabs(s.other[i] - s.efforts[i]) <= 1e-10 * size);
        // M vdot + efforts needed at rest = efforts
        double* M = malloc((size_t)(n * n + 1) * sizeof(double));
        double* zero = calloc((size_t)n + 1, sizeof(double));
        hwForest_ComputeMatrix(&s.forest, s.inertia, &s.work, s.composite, M);
        hwForest_ComputeAccelerations(&s.forest, zero, &s.work);
        hwForest_ComputeEfforts(&s.forest, s.inertia, s.wrench, &s.work, s.other);
        for (int i = 0; i < n; ++i) {
            double sum = s.other[i];
            for (int j = 0; j < n; ++j) sum += M[i * n + j] * s.vdot[j];
            assert_true(fabs(sum - s.efforts[i]) <= 1e-10 * size);
        }
        hwForest_Multiply(&s.forest, s.inertia, &s.work, s.vdot, zero);
        for (int i = 0; i < n; ++i) {
            double sum = 0.0;
            for (int j = 0; j < n; ++j) sum += M[i * n + j] * s.vdot[j];
            assert_true(fabs(sum - zero[i]) <= 1e-10 * size);
        }
        free(M);
        free(zero);
        FreeSample(&s);
    }
}

// Couplings as squares of differences of motion, so that the whole matrix stays positive.
static void RandomCoupling(hwRandom* r, hwWideSym* Ki, hwWideSym* Kj, hwWideBlock* Kij) {
    memset(Kij, 0, sizeof(*Kij));
    int count = 1 + (int)(hwRandom_Next(r) % 4);
    for (int k = 0; k < count; ++k) {
        hwWideSpatial a = {hwWide_FromVec3(RandomVec3(r, 3.0)), hwWide_FromVec3(RandomVec3(r, 3.0))};
        hwWideSpatial b = {hwWide_FromVec3(RandomVec3(r, 3.0)), hwWide_FromVec3(RandomVec3(r, 3.0))};
        hwWideSym_SubtractSquare(Ki, -1.0, a);
        hwWideSym_SubtractSquare(Kj, -1.0, b);
        hwWideMat_AddOuter(&Kij->ll, 1.0, a.l, b.l);
        hwWideMat_AddOuter(&Kij->la, 1.0, a.l, b.a);
        hwWideMat_AddOuter(&Kij->al, 1.0, a.a, b.l);
        hwWideMat_AddOuter(&Kij->aa, 1.0, a.a, b.a);
    }
}

static void ReserveCouplings(Sample* s, int pairs, double factor, void** block) {
    hwAllocator allocator = hwDefaultAllocator();
    hwCouplingSizes sizes = hwCouplings_ChooseSizes(&s->forest, pairs, factor);
    hwArena arena = {0};
    hwCouplings_Take(&s->forest, &arena, sizes);
    arena.base = *block = hwAllocate(&allocator, arena.used);
    arena.used = 0;
    s->work.couplings = hwCouplings_Take(&s->forest, &arena, sizes);
}

static void SolvesEqualDense(hwRandom* r, int links, int pairCount) {
    Sample s;
    MakeSample(&s, r, links, 1.0);
    int n = s.forest.freedomCount;
    if (n == 0) {
        FreeSample(&s);
        return;
    }
    double* A = calloc((size_t)(n * n), sizeof(double));
    double *b = calloc((size_t)n, sizeof(double)), *x = calloc((size_t)n, sizeof(double));
    double *diagonal = calloc((size_t)n, sizeof(double)), *off = calloc((size_t)n, sizeof(double));
    hwWideSpatial* force = s.wrench;
    hwLinkPair* pairs = calloc((size_t)pairCount + 1, sizeof(hwLinkPair));
    hwWideBlock* blocks = calloc((size_t)pairCount + 1, sizeof(hwWideBlock) + 64);
    hwWideBlock* aligned = (hwWideBlock*)(((uintptr_t)blocks + 63) / 64 * 64);
    for (int k = 0; k < pairCount; ++k) {
        do {
            pairs[k].first = (int)(hwRandom_Next(r) % (uint64_t)links);
            pairs[k].second = (int)(hwRandom_Next(r) % (uint64_t)links);
        } while (pairs[k].first == pairs[k].second);
        RandomCoupling(r, &s.inertia[pairs[k].first], &s.inertia[pairs[k].second], &aligned[k]);
    }
    // joint terms: on single axes and as full blocks on some ball joints
    for (int i = 0; i < links; ++i) {
        const hwLink* link = &s.forest.links[i];
        double* d = diagonal + link->freedom;
        if (link->joint == HW_LINK_REVOLUTE || link->joint == HW_LINK_PRISMATIC)
            d[0] = hwRandom_Range(r, 0.0, 5.0);
        if (link->joint == HW_LINK_BALL && hwRandom_Uniform(r) < 0.5) {
            hwSym3 block = RandomInertia(r);
            d[0] = block.xx, d[1] = block.yy, d[2] = block.zz;
            off[link->freedom] = block.xy, off[link->freedom + 1] = block.xz,
            off[link->freedom + 2] = block.yz;
            const int at[3][2] = {{0, 1}, {0, 2}, {1, 2}};
            for (int k = 0; k < 3; ++k) {
                int row = link->freedom + at[k][0], column = link->freedom + at[k][1];
                A[row * n + column] += off[link->freedom + k];
                A[column * n + row] += off[link->freedom + k];
            }
        }
    }
    for (int i = 0; i < n; ++i) A[i * n + i] += diagonal[i];
    double* J = malloc((size_t)(6 * n) * sizeof(double));
    for (int i = 0; i < links; ++i) {
        double K[36], f[6];
        SymToArray(&s.inertia[i], K);
        AddDense(&s, i, i, K, false, A);
        ToArray(force[i], f);
        DenseJacobian(&s, i, J);
        for (int c = 0; c < n; ++c) {
            for (int m = 0; m < 6; ++m) b[c] += J[m * n + c] * f[m];
        }
    }
    for (int k = 0; k < pairCount; ++k) {
        double K[36];
        BlockToArray(&aligned[k], K);
        AddDense(&s, pairs[k].first, pairs[k].second, K, true, A);
    }
    for (int i = 0; i < n; ++i) b[i] += s.efforts[i];
    double* dense = malloc((size_t)(n * n) * sizeof(double));
    memcpy(dense, A, (size_t)(n * n) * sizeof(double));
    assert_true(hwCholesky(n, dense));
    memcpy(x, b, (size_t)n * sizeof(double));
    hwCholeskySolve(n, dense, x);

    void* block = NULL;
    if (pairCount > 0) {
        ReserveCouplings(&s, pairCount, 20.0, &block);
        assert_true(hwForest_SetCouplings(&s.forest, s.work.couplings, pairCount, pairs));
    }
    hwJointTerms terms = {diagonal, off};
    for (int again = 0; again < 2; ++again) {
        if (pairCount > 0) {
            hwCouplings_Clear(s.work.couplings);
            for (int k = 0; k < pairCount; ++k) hwCouplings_Add(s.work.couplings, k, &aligned[k]);
        }
        int failed = -1;
        assert_true(hwForest_Factor(&s.forest, s.inertia, terms, &s.work, &failed));
        hwForest_Solve(&s.forest, &s.work, s.efforts, force, s.other);
        // Cholesky's own error is the matrix's condition (1e4 or so here) times 1e-16
        double size = 1e-3 + Largest(n, x);
        for (int i = 0; i < n; ++i) {
            if (!(fabs(s.other[i] - x[i]) <= 1e-10 * size)) {
                print_message("links %d pairs %d: x[%d] %.15g, dense %.15g\n", links, pairCount, i,
                              s.other[i], x[i]);
            }
            assert_true(fabs(s.other[i] - x[i]) <= 1e-10 * size);
        }
    }
    hwAllocator allocator = hwDefaultAllocator();
    hwRelease(&allocator, block);
    free(A), free(b), free(x), free(diagonal), free(off), free(pairs), free(blocks), free(J), free(dense);
    FreeSample(&s);
}

static void PlainSolveEqualsDense(void** state) {
    (void)state;
    hwRandom r = {2};
    for (int trial = 0; trial < 60; ++trial) SolvesEqualDense(&r, 1 + trial % 20, 0);
}

static void CoupledSolveEqualsDense(void** state) {
    (void)state;
    hwRandom r = {3};
    for (int trial = 0; trial < 150; ++trial) {
        int links = 2 + trial % 14;
        SolvesEqualDense(&r, links, 1 + (int)(hwRandom_Next(&r) % (uint64_t)(1 + links)));
    }
    // everything tangled with everything
    for (int trial = 0; trial < 10; ++trial) SolvesEqualDense(&r, 8, 28);
}

// A chain whose tip is coupled to its root, a coupling between neighbours, one to the earth, and pairs given twice.
static void TooManyCouplingsAreRefused(void** state) {
    (void)state;
    hwRandom r = {4};
    Sample s;
    MakeSample(&s, &r, 12, 0.0);
    hwLinkPair pairs[66];
    int count = 0;
    for (int i = 0; i < 12; ++i) {
        for (int j = 0; j < i; ++j) pairs[count++] = (hwLinkPair){i, j};
    }
    void* block;
    ReserveCouplings(&s, 2, 1.0, &block);
    assert_false(hwForest_SetCouplings(&s.forest, s.work.couplings, count, pairs));
    assert_int_equal(s.work.couplings->used.blocks, 0);
    assert_true(hwForest_SetCouplings(&s.forest, s.work.couplings, 1, pairs));
    assert_true(hwForest_SetCouplings(&s.forest, s.work.couplings, 0, pairs));
    hwAllocator allocator = hwDefaultAllocator();
    hwRelease(&allocator, block);
    FreeSample(&s);
}

// Two hundred thin rods on ball joints: forward dynamics must still satisfy the equations of motion, to the rounding of
// the accelerations themselves times the matrix (whose entries grow with the cube of the length).
static void LongBallChainsKeepTheirDigits(void** state) {
    (void)state;
    enum { COUNT = 200 };
    static hwLink links[COUNT];
    hwRandom r = {5};
    for (int i = 0; i < COUNT; ++i) {
        links[i] = (hwLink){.parent = i - 1,
                            .joint = HW_LINK_BALL,
                            .tree = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {1.0, 0.0, 0.0}},
                            .mass = 1.0,
                            .com = {0.5, 0.0, 0.0},
                            .inertia = {1e-3, 0.08, 0.08, 0, 0, 0}};
    }
    Sample s;
    MakeSampleFrom(&s, links, COUNT);
    RandomState(&s, &r, 0.0);
    int failed = -1, n = s.forest.freedomCount;
    hwJointTerms none = {0};
    assert_true(
        hwForest_ComputeForward(&s.forest, s.inertia, s.wrench, none, s.efforts, &s.work, s.vdot, &failed));
    hwForest_ComputeAccelerations(&s.forest, s.vdot, &s.work);
    hwForest_ComputeEfforts(&s.forest, s.inertia, s.wrench, &s.work, s.other);
    double* M = malloc((size_t)(n * n) * sizeof(double));
    hwForest_ComputeMatrix(&s.forest, s.inertia, &s.work, s.composite, M);
    for (int i = 0; i < n; ++i) {
        double rounding = 0.0;
        for (int j = 0; j < n; ++j) rounding += fabs(M[i * n + j] * s.vdot[j]);
        assert_true(fabs(s.other[i] - s.efforts[i]) <= 1e-14 * rounding);
    }
    free(M);
    FreeSample(&s);
}

// A leaf without inertia about its axis cannot be accelerated by anything: the factorisation says which.
static void MissingInertiaIsFound(void** state) {
    (void)state;
    hwLink links[2] = {{.parent = -1,
                        .joint = HW_LINK_REVOLUTE,
                        .tree = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}},
                        .axis = {0, 0, 1},
                        .mass = 1.0,
                        .com = {1, 0, 0}},
                       {.parent = 0,
                        .joint = HW_LINK_REVOLUTE,
                        .tree = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {1, 0, 0}},
                        .axis = {0, 0, 1}}};
    Sample s;
    MakeSampleFrom(&s, links, 2);
    hwForest_ComputeRigidMotion(&s.forest, s.q, s.v, s.drives, 9.81, &s.work, s.inertia, s.wrench);
    int failed = -1;
    hwJointTerms none = {0};
    assert_false(hwForest_Factor(&s.forest, s.inertia, none, &s.work, &failed));
    assert_int_equal(failed, 1);
    FreeSample(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ForwardEqualsInverseAndMatrix), cmocka_unit_test(PlainSolveEqualsDense),
        cmocka_unit_test(CoupledSolveEqualsDense),       cmocka_unit_test(TooManyCouplingsAreRefused),
        cmocka_unit_test(LongBallChainsKeepTheirDigits), cmocka_unit_test(MissingInertiaIsFound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
