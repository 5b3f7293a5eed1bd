// Pairs of boxes against a comparison of all with all, under adding, removing, moving, filters and lack of room.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "geom/broad_phase.h"
#include "geom/sample_shapes.h"

#define COUNT 300

static hwBox RandomBox(hwRandom* random) {
    hwVec3 at = RandomVec3(random, 5.0),
           half = hwMakeVec3(hwRandom_Range(random, 0.05, 0.8), hwRandom_Range(random, 0.05, 0.8),
                             hwRandom_Range(random, 0.05, 0.8));
    hwBox box = {hwSub(at, half), hwAdd(at, half)};
    return box;
}

static bool Allowed(const hwProxyDef* a, const hwProxyDef* b) {
    if (!(a->category & b->mask) || !(b->category & a->mask)) return false;
    if (a->owner == b->owner) return a->selfGap > 0 && b->selfGap > 0 && abs(a->index - b->index) > 2;
    bool excluded = (a->owner == 3 && b->owner == 4) || (a->owner == 4 && b->owner == 3);
    return !excluded;
}

static void CheckPairs(const hwBroadPhase* broad) {
    int count, expected = 0, at = 0;
    const hwProxyPair* pairs = hwBroadPhase_GetPairs(broad, &count);
    for (int a = 0; a < COUNT; ++a) {
        const hwProxyDef* first = hwBroadPhase_GetProxy(broad, a);
        for (int b = a + 1; b < COUNT && first != NULL; ++b) {
            const hwProxyDef* second = hwBroadPhase_GetProxy(broad, b);
            if (second == NULL || !hwBox_Overlaps(&first->box, &second->box) || !Allowed(first, second))
                continue;
            expected += 1;
            // Sorted, so they come in the order of this search.
            assert_true(at < count && pairs[at].a == a && pairs[at].b == b);
            at += 1;
        }
    }
    assert_int_equal(count, expected);
}

static void PairsMatchComparingAllWithAll(void** state) {
    (void)state;
    hwAllocator allocator = hwDefaultAllocator();
    hwBroadPhase* broad = hwCreateBroadPhase(&allocator, COUNT, 20000, 0.1, NULL);
    assert_non_null(broad);
    hwRandom random = {1};
    hwVec3 velocity[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        hwProxyDef def = {RandomBox(&random), 1u << (i % 3), i % 5 == 0 ? 5u : 7u, i % 20, i / 20,
                          i % 20 == 7 ? 2 : 0};
        assert_int_equal(hwBroadPhase_Add(broad, &def), i);
        velocity[i] = RandomVec3(&random, 0.15);
    }
    hwProxyDef extra = {RandomBox(&random), 1, 1, 0, 0, 0};
    assert_int_equal(hwBroadPhase_Add(broad, &extra), -1); // full
    assert_true(hwBroadPhase_Exclude(broad, 4, 3) && hwBroadPhase_Exclude(broad, 3, 4));
    static int slotOf[COUNT][COUNT], stepOf[COUNT][COUNT];
    memset(stepOf, 0xf0, sizeof(stepOf)); // long ago
    for (int step = 0; step < 300; ++step) {
        for (int i = 0; i < COUNT; ++i) {
            const hwProxyDef* proxy = hwBroadPhase_GetProxy(broad, i);
            if (proxy == NULL) continue;
            hwBox box = proxy->box;
            if (fabs(box.low.x) > 5.0) velocity[i].x = -velocity[i].x;
            if (fabs(box.low.y) > 5.0) velocity[i].y = -velocity[i].y;
            if (fabs(box.low.z) > 5.0) velocity[i].z = -velocity[i].z;
            box = (hwBox){hwAdd(box.low, velocity[i]), hwAdd(box.high, velocity[i])};
            hwBroadPhase_Move(broad, i, box, velocity[i]);
        }
        int victim = (int)(hwRandom_Next(&random) % COUNT);
        if (step % 7 == 0) hwBroadPhase_Remove(broad, victim);
        if (step % 7 == 3) {
            hwProxyDef def = {RandomBox(&random), 7, 7, 1000 + step, 0, 0};
            hwBroadPhase_Add(broad, &def); // in the place of one removed
        }
        assert_int_equal(hwBroadPhase_Update(broad, NULL), HW_OK);
        CheckPairs(broad);
        // A pair keeps its slot from step to step unless it is new, and no two share one.
        int count;
        const hwProxyPair* pairs = hwBroadPhase_GetPairs(broad, &count);
        static char used[20000];
        memset(used, 0, sizeof(used));
        for (int k = 0; k < count; ++k) {
            assert_true(pairs[k].slot >= 0 && pairs[k].slot < 20000 && !used[pairs[k].slot]);
            used[pairs[k].slot] = 1;
            int a = pairs[k].a, b = pairs[k].b;
            if (!pairs[k].fresh && stepOf[a][b] == step - 1) assert_int_equal(slotOf[a][b], pairs[k].slot);
            slotOf[a][b] = pairs[k].slot;
            stepOf[a][b] = step;
        }
    }
    hwBroadPhase_Include(broad, 3, 4);
    assert_int_equal(hwBroadPhase_Update(broad, NULL), HW_OK);
    hwDestroyBroadPhase(broad);
}

// Two histories that end at the same boxes give the same list.
static void PairsDependOnTheBoxesOnly(void** state) {
    (void)state;
    hwAllocator allocator = hwDefaultAllocator();
    hwBroadPhase *a = hwCreateBroadPhase(&allocator, 100, 5000, 0.2, NULL),
                 *b = hwCreateBroadPhase(&allocator, 100, 5000, 0.0, NULL);
    hwRandom random = {2};
    for (int i = 0; i < 100; ++i) {
        hwProxyDef def = {RandomBox(&random), 1, 1, i, 0, 0};
        hwBroadPhase_Add(a, &def);
        def.box = RandomBox(&random);
        hwBroadPhase_Add(b, &def);
    }
    for (int step = 0; step < 20; ++step) {
        for (int i = 0; i < 100; ++i) {
            hwBroadPhase_Move(a, i, RandomBox(&random), RandomVec3(&random, 1.0));
            if (step > 15) hwBroadPhase_Move(b, i, hwBroadPhase_GetProxy(a, i)->box, hwVec3_zero);
        }
        assert_int_equal(hwBroadPhase_Update(a, NULL), HW_OK);
        assert_int_equal(hwBroadPhase_Update(b, NULL), HW_OK);
    }
    int countA, countB;
    const hwProxyPair *pa = hwBroadPhase_GetPairs(a, &countA), *pb = hwBroadPhase_GetPairs(b, &countB);
    assert_int_equal(countA, countB);
    for (int i = 0; i < countA; ++i) assert_true(pa[i].a == pb[i].a && pa[i].b == pb[i].b);
    hwDestroyBroadPhase(a);
    hwDestroyBroadPhase(b);
}

static void MorePairsThanRoomIsAnErrorUntilReserved(void** state) {
    (void)state;
    hwAllocator allocator = hwDefaultAllocator();
    hwBroadPhase* broad = hwCreateBroadPhase(&allocator, 10, 20, 0.0, NULL);
    hwBox box = {{0, 0, 0}, {1, 1, 1}};
    for (int i = 0; i < 10; ++i) {
        hwProxyDef def = {box, 1, 1, i, 0, 0};
        hwBroadPhase_Add(broad, &def);
    }
    hwError error;
    assert_int_equal(hwBroadPhase_Update(broad, &error), HW_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "more than 20 pairs"));
    int count;
    hwBroadPhase_GetPairs(broad, &count);
    assert_int_equal(count, 0);
    assert_int_equal(hwBroadPhase_Reserve(broad, 12, 100, NULL), HW_OK);
    assert_int_equal(hwBroadPhase_Update(broad, NULL), HW_OK);
    hwBroadPhase_GetPairs(broad, &count);
    assert_int_equal(count, 45);
    hwProxyDef def = {box, 1, 1, 77, 0, 0};
    assert_true(hwBroadPhase_Add(broad, &def) >= 10);
    assert_int_equal(hwBroadPhase_Update(broad, NULL), HW_OK);
    hwBroadPhase_GetPairs(broad, &count);
    assert_int_equal(count, 55);
    hwDestroyBroadPhase(broad);
    assert_null(hwCreateBroadPhase(&allocator, -1, 2, 0.0, &error));
}

static void QueriesFindBoxesAndRays(void** state) {
    (void)state;
    hwAllocator allocator = hwDefaultAllocator();
    hwBroadPhase* broad = hwCreateBroadPhase(&allocator, COUNT, 10, 0.1, NULL);
    hwRandom random = {3};
    int found[COUNT];
    assert_int_equal(hwBroadPhase_FindInBox(broad, RandomBox(&random), found, COUNT), 0);
    hwBox boxes[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        boxes[i] = RandomBox(&random);
        hwProxyDef def = {boxes[i], 1, 0, i, 0, 0};
        hwBroadPhase_Add(broad, &def);
    }
    for (int k = 0; k < 200; ++k) {
        hwBox box = RandomBox(&random);
        int expected = 0;
        for (int i = 0; i < COUNT; ++i) expected += hwBox_Overlaps(&boxes[i], &box);
        assert_int_equal(hwBroadPhase_FindInBox(broad, box, found, COUNT), expected);
        // A ray, sampled finely: every box it is seen to enter must be among the answers.
        hwVec3 from = RandomVec3(&random, 8.0), d = k % 4 ? RandomUnit(&random) : hwMakeVec3(1, 0, 0);
        int count = hwBroadPhase_FindAlongRay(broad, from, d, 10.0, 0.0, found, COUNT), seen = 0;
        for (int i = 0; i < COUNT; ++i) {
            bool in = false;
            for (int s = 0; s <= 4000 && !in; ++s) {
                hwVec3 x = hwMulAdd(from, 10.0 * s / 4000.0, d);
                hwBox point = {x, x};
                in = hwBox_Overlaps(&boxes[i], &point);
            }
            bool listed = false;
            for (int m = 0; m < count; ++m) listed = listed || found[m] == i;
            assert_true(!in || listed);
            seen += in;
        }
        assert_true(count <= seen + 2); // sampling may miss a corner
    }
    hwDestroyBroadPhase(broad);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(PairsMatchComparingAllWithAll),
        cmocka_unit_test(PairsDependOnTheBoxesOnly),
        cmocka_unit_test(MorePairsThanRoomIsAnErrorUntilReserved),
        cmocka_unit_test(QueriesFindBoxesAndRays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
