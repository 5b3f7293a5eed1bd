// Couplings by themselves: two masses and a spring in closed form, shared and dropped pairs.
#include "random_forest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static hwLink Free(double mass) {
    hwLink link = {.parent = -1,
                   .joint = HW_LINK_FREE,
                   .tree = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}},
                   .mass = mass,
                   .inertia = {1, 1, 1, 0, 0, 0}};
    return link;
}

static hwCouplings* Reserve(Sample* s, int pairs, void** block) {
    hwAllocator allocator = hwDefaultAllocator();
    hwCouplingSizes sizes = hwCouplings_ChooseSizes(&s->forest, pairs, 4.0);
    hwArena arena = {0};
    hwCouplings_Take(&s->forest, &arena, sizes);
    arena.base = *block = hwAllocate(&allocator, arena.used);
    arena.used = 0;
    return s->work.couplings = hwCouplings_Take(&s->forest, &arena, sizes);
}

// Masses of 2 and 3 kg and k = 5 between them along x: (m1 + k) x1 - k x2 = f1, (m2 + k) x2 - k x1 = f2.
static void TwoMassesAndASpringSolveInClosedForm(void** state) {
    (void)state;
    const double m1 = 2.0, m2 = 3.0, k = 5.0, f1 = 7.0, f2 = -1.0;
    hwLink links[2] = {Free(m1), Free(m2)};
    Sample s;
    MakeSampleFrom(&s, links, 2);
    memset(s.q, 0, 14 * sizeof(double));
    memset(s.v, 0, 12 * sizeof(double));
    s.q[3] = s.q[10] = 1.0;
    s.q[7] = 4.0;
    hwForest_ComputeRigidMotion(&s.forest, s.q, s.v, s.drives, 0.0, &s.work, s.inertia, s.wrench);
    hwWideSpatial along = {hwWide_Make(1.0, 0.0, 0.0), hwWide_Zero()};
    hwWideSym_SubtractSquare(&s.inertia[0], -k, along);
    hwWideSym_SubtractSquare(&s.inertia[1], -k, along);
    void* block;
    hwCouplings* couplings = Reserve(&s, 2, &block);
    // both ways round: one block, to which both add
    const hwLinkPair pairs[2] = {{0, 1}, {1, 0}};
    assert_true(hwForest_SetCouplings(&s.forest, couplings, 2, pairs));
    assert_int_equal(couplings->used.blocks, 1);
    assert_int_equal(couplings->pairBlock[0], couplings->pairBlock[1]);
    hwCouplings_Clear(couplings);
    _Alignas(64) hwWideBlock half;
    memset(&half, 0, sizeof(half));
    hwWideMat_AddOuter(&half.ll, -0.5 * k, along.l, along.l);
    hwCouplings_Add(couplings, 0, &half);
    hwCouplings_Add(couplings, 1, &half);
    int failed = -1;
    assert_true(hwForest_Factor(&s.forest, s.inertia, (hwJointTerms){0}, &s.work, &failed));
    double b[12] = {0}, x[12];
    b[0] = f1, b[6] = f2;
    hwForest_Solve(&s.forest, &s.work, b, NULL, x);
    double det = (m1 + k) * (m2 + k) - k * k;
    assert_true(fabs(x[0] - (f1 * (m2 + k) + f2 * k) / det) < 1e-14);
    assert_true(fabs(x[6] - (f2 * (m1 + k) + f1 * k) / det) < 1e-14);
    for (int i = 0; i < 12; ++i) assert_true(i == 0 || i == 6 || x[i] == 0.0);
    // action and reaction: the common centre knows nothing of the spring
    assert_true(fabs(m1 * x[0] + m2 * x[6] - (f1 + f2)) < 1e-13);
    hwAllocator allocator = hwDefaultAllocator();
    hwRelease(&allocator, block);
    FreeSample(&s);
}

// A link that never moves has nothing to couple with.
static void PairsWithWhatNeverMovesHaveNoBlock(void** state) {
    (void)state;
    hwLink links[3] = {Free(1.0), Free(1.0), Free(2.0)};
    links[1].joint = HW_LINK_FIXED;
    Sample s;
    MakeSampleFrom(&s, links, 3);
    void* block;
    hwCouplings* couplings = Reserve(&s, 3, &block);
    const hwLinkPair pairs[3] = {{0, 1}, {1, 2}, {0, 2}};
    assert_true(hwForest_SetCouplings(&s.forest, couplings, 3, pairs));
    assert_int_equal(couplings->pairBlock[0], -1);
    assert_int_equal(couplings->pairBlock[1], -1);
    assert_true(couplings->pairBlock[2] >= 0);
    hwAllocator allocator = hwDefaultAllocator();
    hwRelease(&allocator, block);
    FreeSample(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(TwoMassesAndASpringSolveInClosedForm),
                                       cmocka_unit_test(PairsWithWhatNeverMovesHaveNoBlock)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
