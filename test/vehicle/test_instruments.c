// Instruments in north-east-down terms.
#include "vehicle/instruments.h"

#include "support.h"

#define TWO_PI (2.0 * HW_PI)

static void test_SignsAreAPilots(void** state) {
    (void)state;
    // world x north, y west, z up: east is -y
    hwQuat east = hwQuatFromRpy(0.0, 0.0, -0.5 * HW_PI);
    assert_close(hwGetNedAngles(east).z, 0.5 * HW_PI, 1e-15);
    assert_close_vec3(hwRotate(east, hwMakeVec3(1, 0, 0)), hwMakeVec3(0, -1, 0), 1e-15);
    // bow up
    hwQuat up = hwQuatFromRpy(0.0, -0.3, 0.0);
    assert_true(hwRotate(up, hwMakeVec3(1, 0, 0)).z > 0.0);
    assert_close(hwGetNedAngles(up).y, 0.3, 1e-15);
    // starboard (-y) down
    hwQuat list = hwQuatFromRpy(0.2, 0.0, 0.0);
    assert_true(hwRotate(list, hwMakeVec3(0, -1, 0)).z < 0.0);
    assert_close(hwGetNedAngles(list).x, 0.2, 1e-15);
}

// Equations 7 to 9 of Fabekovic et al. (2006), with J1's entries (1,2), (2,2) and (2,3) corrected: the first two have
// cos(phi) where the paper prints cos(theta), the third is -cos(psi) sin(phi) + sin(psi) sin(theta) cos(phi).
static void ApplyJ1(hwVec3 angles, const double nu[6], double out[3]) {
    double cf = cos(angles.x), sf = sin(angles.x), ct = cos(angles.y), st = sin(angles.y), cp = cos(angles.z),
           sp = sin(angles.z);
    out[0] = cp * ct * nu[0] + (-sp * cf + cp * st * sf) * nu[1] + (sp * sf + cp * st * cf) * nu[2];
    out[1] = sp * ct * nu[0] + (cp * cf + sp * st * sf) * nu[1] + (-cp * sf + sp * st * cf) * nu[2];
    out[2] = -st * nu[0] + ct * sf * nu[1] + cf * ct * nu[2];
}

static void ApplyJ2(hwVec3 angles, const double nu[6], double out[3]) {
    double cf = cos(angles.x), sf = sin(angles.x), ct = cos(angles.y), tt = tan(angles.y);
    out[0] = nu[3] + sf * tt * nu[4] + cf * tt * nu[5];
    out[1] = cf * nu[4] - sf * nu[5];
    out[2] = sf / ct * nu[4] + cf / ct * nu[5];
}

static void test_KinematicsAreEulersInNed(void** state) {
    (void)state;
    uint64_t random = 3;
    for (int trial = 0; trial < 200; ++trial) {
        hwQuat q =
            hwQuatFromRpy(3.0 * TestRandom(&random), 1.4 * TestRandom(&random), 3.0 * TestRandom(&random));
        hwMat3 R = hwMat3FromQuat(q);
        hwVec3 velocity = TestRandomVec3(&random), rate = TestRandomVec3(&random);
        // the same motion in starboard-down body axes
        const double nu[6] = {velocity.x, -velocity.y, -velocity.z, rate.x, -rate.y, -rate.z};
        hwVec3 angles = hwGetNedAngles(q);
        double position[3], turning[3], rollRate, pitchRate;
        ApplyJ1(angles, nu, position);
        ApplyJ2(angles, nu, turning);
        hwVec3 moving = hwMulMV(R, velocity);
        assert_close_vec3(hwMakeVec3(position[0], -position[1], -position[2]), moving, 1e-13); // rounding
        hwGetTiltRates(angles, rate, &rollRate, &pitchRate);
        // rounding, magnified by 1 / cos(pitch) <= 6
        assert_close(rollRate, turning[0], 1e-13);
        assert_close(pitchRate, turning[1], 1e-13);
        assert_close(hwGetHeadingRate(R, rate), turning[2], 1e-12);
    }
}

static void test_RatesAreDerivativesOfAngles(void** state) {
    (void)state;
    uint64_t random = 4;
    const double h = 1e-6;
    for (int trial = 0; trial < 100; ++trial) {
        hwQuat q =
            hwQuatFromRpy(3.0 * TestRandom(&random), 1.3 * TestRandom(&random), 3.0 * TestRandom(&random));
        hwVec3 rate = TestRandomVec3(&random);
        hwVec3 before = hwGetNedAngles(hwMulQuat(q, hwQuatFromRotationVector(hwScale(-h, rate))));
        hwVec3 after = hwGetNedAngles(hwMulQuat(q, hwQuatFromRotationVector(hwScale(h, rate))));
        double rollRate, pitchRate;
        hwGetTiltRates(hwGetNedAngles(q), rate, &rollRate, &pitchRate);
        // differences: rounding 1e-16 / h, curvature h^2 over cos^3 of the pitch
        assert_close(rollRate, hwWrapAngle(after.x - before.x) / (2 * h), 1e-8);
        assert_close(pitchRate, (after.y - before.y) / (2 * h), 1e-8);
        assert_close(hwGetHeadingRate(hwMat3FromQuat(q), rate), hwWrapAngle(after.z - before.z) / (2 * h),
                     1e-8);
    }
}

static void test_TurnsCountOnPastFullCircles(void** state) {
    (void)state;
    // five turns to starboard, seven back, with an integral that is wrong by up to a fifth of a turn
    double integral = 0.0, heading = 0.0;
    uint64_t random = 9;
    for (int i = 0; i <= 1200; ++i) {
        double angle = i <= 500 ? 0.01 * i * TWO_PI : (5.0 - 0.01 * (i - 500)) * TWO_PI;
        integral = angle + 0.4 * HW_PI * TestRandom(&random);
        heading = fmod(angle, TWO_PI);
        if (heading < 0.0) heading += TWO_PI;
        assert_close(hwCountTurns(integral, heading), angle / TWO_PI, 1e-12);
    }
}

static void test_HeadingIsAlwaysInOneTurn(void** state) {
    (void)state;
    for (int i = -2000; i <= 2000; ++i) {
        double heading = hwGetNedAngles(hwQuatFromRpy(0.0, 0.0, 1e-17 * i)).z;
        assert_true(heading >= 0.0 && heading < TWO_PI);
    }
}

static void test_BowStraightUpStaysBounded(void** state) {
    (void)state;
    hwQuat up = hwQuatFromRpy(0.0, -0.5 * HW_PI, 0.0);
    double rollRate, pitchRate;
    hwVec3 rate = {0.3, 0.5, 0.7};
    hwGetTiltRates(hwGetNedAngles(up), rate, &rollRate, &pitchRate);
    assert_true(fabs(rollRate) < 30.0 && fabs(pitchRate) < 1.0);
    assert_true(fabs(hwGetHeadingRate(hwMat3FromQuat(up), rate)) < 30.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_SignsAreAPilots),
        cmocka_unit_test(test_KinematicsAreEulersInNed),
        cmocka_unit_test(test_RatesAreDerivativesOfAngles),
        cmocka_unit_test(test_TurnsCountOnPastFullCircles),
        cmocka_unit_test(test_HeadingIsAlwaysInOneTurn),
        cmocka_unit_test(test_BowStraightUpStaysBounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
