// Trees of boxes against looking at every box.
#include "geom/box_tree.h"

#include "support.h"

enum { COUNT = 700 };

typedef struct Visits {
    int count;
    bool seen[COUNT];
} Visits;

static double Note(int item, double most, void* context) {
    Visits* visits = context;
    assert_false(visits->seen[item]);
    visits->seen[item] = true;
    visits->count += 1;
    return most;
}

static hwBox boxes[COUNT];
static int order[COUNT];
static hwBoxTreeNode nodes[2 * COUNT];

static hwBoxTree MakeTree(int count, uint64_t seed) {
    for (int i = 0; i < count; ++i) {
        hwVec3 p = hwScale(20.0, TestRandomVec3(&seed)), h = TestRandomVec3(&seed);
        h = hwMakeVec3(fabs(h.x), fabs(h.y), fabs(h.z));
        boxes[i] = (hwBox){hwSub(p, h), hwAdd(p, h)};
    }
    hwBoxTree tree;
    hwBoxTree_Build(&tree, count, boxes, order, nodes);
    return tree;
}

static void test_BoxesAreAllFound(void** state) {
    (void)state;
    uint64_t random = 8;
    for (int trial = 0; trial < 60; ++trial) {
        int count = trial < 8 ? trial : COUNT;
        hwBoxTree tree = MakeTree(count, 100u + (uint64_t)trial);
        hwVec3 p = hwScale(20.0, TestRandomVec3(&random));
        hwBox box = {hwSub(p, hwMakeVec3(4.0, 3.0, 2.0)), hwAdd(p, hwMakeVec3(4.0, 3.0, 2.0))};
        Visits inBox = {0}, near = {0};
        hwBoxTree_FindInBox(&tree, box, Note, &inBox);
        hwBoxTree_FindNear(&tree, p, 5.0, Note, &near);
        for (int i = 0; i < count; ++i) {
            assert_int_equal(inBox.seen[i], hwBox_Overlaps(&boxes[i], &box));
            hwVec3 nearest = hwMaxVec3(boxes[i].low, hwMinVec3(boxes[i].high, p));
            assert_int_equal(near.seen[i], hwDistance(nearest, p) <= 5.0);
        }
    }
}

// A ray through the middle of a box meets it; rays along an axis too, whose other components are zero.
static void test_RaysMeetWhatTheyAimAt(void** state) {
    (void)state;
    uint64_t random = 9;
    hwBoxTree tree = MakeTree(COUNT, 5);
    for (int i = 0; i < COUNT; ++i) {
        hwVec3 middle = hwScale(0.5, hwAdd(boxes[i].low, boxes[i].high));
        hwVec3 way = TestRandomVec3(&random);
        if (i % 4 < 3) way = hwMakeVec3(i % 4 == 0, i % 4 == 1, i % 4 == 2);
        Visits visits = {0}, early = {0};
        hwBoxTree_CastRay(&tree, hwMulAdd(middle, -30.0, way), way, 0.0, 30.0, Note, &visits);
        assert_true(visits.seen[i]);
        hwBoxTree_CastRay(&tree, hwMulAdd(middle, -30.0, way), hwNeg(way), 0.0, 30.0, Note, &early);
        assert_false(early.seen[i]);
        assert_true(visits.count < COUNT / 4); // most boxes are off the way
    }
}

// Whatever a ray within the wedge meets is among what the wedge finds; what is behind or beyond its reach is not.
static void test_WedgesHoldWhatTheirRaysMeet(void** state) {
    (void)state;
    uint64_t random = 10;
    hwBoxTree tree = MakeTree(COUNT, 6);
    int found = 0;
    for (int trial = 0; trial < 100; ++trial) {
        hwWedge wedge = {.origin = hwScale(20.0, TestRandomVec3(&random)), .reach = 15.0};
        hwVec3 x = hwNormalize(TestRandomVec3(&random)), y = hwPerpendicular(x), z = hwCross(x, y);
        double wide = 0.2, high = 0.05;
        for (int k = 0; k < 4; ++k) {
            hwVec3 across = hwScale(k % 2 == 0 ? 1.0 : -1.0, k < 2 ? y : z);
            wedge.inward[k] = hwMulAdd(across, k < 2 ? wide : high, x);
        }
        Visits within = {0};
        hwBoxTree_FindInWedge(&tree, &wedge, Note, &within);
        assert_true(within.count < COUNT / 4);
        for (int i = 0; i < COUNT; ++i) {
            hwVec3 nearest = hwMaxVec3(boxes[i].low, hwMinVec3(boxes[i].high, wedge.origin));
            if (hwDistance(nearest, wedge.origin) > wedge.reach) assert_false(within.seen[i]);
            double ahead = -1.0;
            for (int k = 0; k < 8; ++k) {
                hwVec3 corner = hwMakeVec3(k & 1 ? boxes[i].low.x : boxes[i].high.x,
                                           k & 2 ? boxes[i].low.y : boxes[i].high.y,
                                           k & 4 ? boxes[i].low.z : boxes[i].high.z);
                ahead = hwMax(ahead, hwDot(hwSub(corner, wedge.origin), x));
            }
            if (ahead < 0.0 && within.seen[i]) assert_true(hwDistance(nearest, wedge.origin) < 2.0);
        }
        for (int ray = 0; ray < 50; ++ray) {
            hwVec3 off = TestRandomVec3(&random);
            hwVec3 along = hwNormalize(hwMulAdd(hwMulAdd(x, wide * hwClamp(off.x, -1.0, 1.0), y),
                                                high * hwClamp(off.y, -1.0, 1.0), z));
            for (int i = 0; i < COUNT; ++i) {
                if (hwBox_GetEntry(&boxes[i], wedge.origin, along, 0.0, wedge.reach) == HUGE_VAL) continue;
                assert_true(within.seen[i]);
                found += 1;
            }
        }
    }
    assert_true(found > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_BoxesAreAllFound),
        cmocka_unit_test(test_WedgesHoldWhatTheirRaysMeet),
        cmocka_unit_test(test_RaysMeetWhatTheyAimAt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
