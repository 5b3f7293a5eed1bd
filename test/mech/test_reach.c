// Inverse kinematics of chains: against the exact rates of a planar arm, at stops, beyond rates, in singular poses.
#include "mech/reach.h"

#include "support.h"

static const hwVec3 g_z = {0.0, 0.0, 1.0};

// Two bars of 1 m in a plane, bent by a and b.
static void MakeArm(double a, double b, hwReachJoint joints[2], hwVec3* tip) {
    hwVec3 elbow = {cos(a), sin(a), 0.0};
    joints[0] = (hwReachJoint){.axis = g_z, .q = a, .low = -HUGE_VAL, .high = HUGE_VAL};
    joints[1] = (hwReachJoint){.axis = g_z, .origin = elbow, .q = b, .low = -HUGE_VAL, .high = HUGE_VAL};
    *tip = hwAdd(elbow, hwMakeVec3(cos(a + b), sin(a + b), 0.0));
}

static hwVec3 Move(const hwReachJoint* joints, int count, hwVec3 tip, const double* rates) {
    hwVec3 v = hwVec3_zero;
    for (int i = 0; i < count; ++i) {
        hwVec3 column =
            joints[i].slides ? joints[i].axis : hwCross(joints[i].axis, hwSub(tip, joints[i].origin));
        v = hwMulAdd(v, rates[i], column);
    }
    return v;
}

// With two joints there is one answer: rates by the inverse of the Jacobian, which damping of (0.02 m)^2 changes by 0.1 %.
static void test_PlanarArmGoesWhereItIsSent(void** state) {
    (void)state;
    hwReachJoint joints[2];
    hwVec3 tip;
    MakeArm(0.4, 1.2, joints, &tip);
    hwReachWish wish = {.velocity = {0.1, -0.05, 0.0}};
    double rates[2];
    hwReach_Solve(2, joints, tip, &wish, 0.02, rates);
    // q1' = (vx cos(a + b) + vy sin(a + b)) / sin b, q2' = -(vx x + vy y) / sin b
    double q1 = (0.1 * cos(1.6) - 0.05 * sin(1.6)) / sin(1.2);
    double q2 = -(0.1 * tip.x - 0.05 * tip.y) / sin(1.2);
    assert_close(rates[0], q1, 2e-3 * fabs(q1) + 2e-4);
    assert_close(rates[1], q2, 2e-3 * fabs(q2) + 2e-4);
    hwVec3 v = Move(joints, 2, tip, rates);
    assert_close(hwDistance(v, wish.velocity), 0.0, 2e-4);
}

static void test_StretchedArmDoesNotRace(void** state) {
    (void)state;
    hwReachJoint joints[2];
    hwVec3 tip;
    MakeArm(0.0, 1e-4, joints, &tip);
    hwReachWish wish = {.velocity = {0.5, 0.0, 0.0}}; // outwards: it cannot
    double rates[2];
    hwReach_Solve(2, joints, tip, &wish, 0.02, rates);
    assert_true(fabs(rates[0]) < 0.5 && fabs(rates[1]) < 0.5);
}

static void test_StopsAreKept(void** state) {
    (void)state;
    hwReachJoint joints[3];
    hwVec3 tip;
    MakeArm(0.3, 0.9, joints, &tip);
    // a third joint, which slides along y, makes up for the first at its stop
    joints[2] = (hwReachJoint){.slides = true, .axis = {0.0, 1.0, 0.0}, .low = -1.0, .high = 1.0};
    joints[0].high = joints[0].q; // at its stop
    hwReachWish wish = {.velocity = {0.0, 0.2, 0.0}};
    double rates[3];
    hwReach_Solve(3, joints, tip, &wish, 0.02, rates);
    assert_true(rates[0] <= 0.0);
    hwVec3 v = Move(joints, 3, tip, rates);
    assert_close(v.y, 0.2, 2e-3);
    assert_close(v.x, 0.0, 2e-3);
}

static void test_AllSlowDownAlike(void** state) {
    (void)state;
    hwReachJoint joints[2];
    hwVec3 tip;
    MakeArm(0.4, 1.2, joints, &tip);
    hwReachWish wish = {.velocity = {3.0, 1.0, 0.0}};
    double fast[2], slow[2];
    hwReach_Solve(2, joints, tip, &wish, 0.0, fast);
    joints[0].rate = 0.2;
    joints[1].rate = 0.3;
    hwReach_Solve(2, joints, tip, &wish, 0.0, slow);
    assert_true(fabs(slow[0]) <= 0.2 + 1e-12 && fabs(slow[1]) <= 0.3 + 1e-12);
    assert_close(slow[0] * fast[1], slow[1] * fast[0], 1e-12); // the same way
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_PlanarArmGoesWhereItIsSent),
        cmocka_unit_test(test_StretchedArmDoesNotRace),
        cmocka_unit_test(test_StopsAreKept),
        cmocka_unit_test(test_AllSlowDownAlike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
