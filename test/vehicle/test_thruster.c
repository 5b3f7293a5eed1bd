// Thrusters: static curve, lag, inflow, torque.
#include "vehicle/thruster.h"

#include "support.h"

static hwThrusterDef MakeThruster(void) {
    hwThrusterDef def = hwDefaultThrusterDef();
    def.forward = 50.0;
    def.reverse = 40.0;
    def.deadBand = 0.09;
    def.exponent = 1.3;
    def.timeConstant = 0.2;
    def.advance = 5.0;
    def.torque = 0.02;
    return def;
}

static void test_DeadBandGivesNoThrust(void** state) {
    (void)state;
    hwThrusterDef def = MakeThruster();
    assert_close(hwThruster_ShareOfCommand(&def, 0.09), 0.0, 0.0);
    assert_close(hwThruster_ShareOfCommand(&def, -0.05), 0.0, 0.0);
    assert_close(hwThruster_ShareOfCommand(&def, 1.0), 1.0, 1e-15);
    assert_close(hwThruster_ShareOfCommand(&def, -1.0), -1.0, 1e-15);
    assert_close(hwThruster_ShareOfCommand(&def, 0.09 + 0.5 * 0.91), pow(0.5, 1.3), 1e-15);
}

static void test_CommandUndoesTheCurve(void** state) {
    (void)state;
    hwThrusterDef def = MakeThruster();
    for (int i = -20; i <= 20; ++i) {
        double share = i / 20.0;
        assert_close(hwThruster_ShareOfCommand(&def, hwThruster_CommandOfShare(&def, share)), share, 1e-14);
    }
}

static void test_SpeedAndShareAreInverse(void** state) {
    (void)state;
    for (int i = -50; i <= 50; ++i) {
        double share = i / 50.0;
        assert_close(hwThruster_ShareOfSpeed(hwThruster_SpeedOfShare(share)), share, 1e-14);
    }
    // thrust with the square of the speed, away from zero: the viscous term is 0.2 % of the strength
    assert_close(hwThruster_ShareOfSpeed(0.9) / hwThruster_ShareOfSpeed(0.45), 4.0, 0.04);
}

static void test_StrengthDiffersForwardAndReverse(void** state) {
    (void)state;
    hwThrusterDef def = MakeThruster();
    double full = hwThruster_SpeedOfShare(1.0);
    assert_close(hwThruster_Evaluate(&def, full, 0.0, 1.0).force, 50.0, 1e-12);
    assert_close(hwThruster_Evaluate(&def, -full, 0.0, 1.0).force, -40.0, 1e-12);
    assert_close(hwThruster_Evaluate(&def, full, 0.0, 0.0).force, 0.0, 0.0); // out of the water
}

static void test_InflowTakesThrustAway(void** state) {
    (void)state;
    hwThrusterDef def = MakeThruster();
    // at full speed and the advance speed thrust vanishes, but for the viscous share of e / 2
    hwThrust thrust = hwThruster_Evaluate(&def, 1.0, 5.0, 1.0);
    assert_close(thrust.force, 0.0, 50.0 * 0.002 * 1.01);
    double still = hwThruster_Evaluate(&def, 0.7, 0.0, 1.0).force, h = 1e-3;
    assert_true(hwThruster_Evaluate(&def, 0.7, 1.0, 1.0).force < still);
    // `damping` is the slope
    double slope = (hwThruster_Evaluate(&def, 0.7, 1.0 - h, 1.0).force -
                    hwThruster_Evaluate(&def, 0.7, 1.0 + h, 1.0).force) /
                   (2.0 * h);
    assert_close(hwThruster_Evaluate(&def, 0.7, 1.0, 1.0).damping, slope, 1e-9);
    def.advance = INFINITY;
    assert_close(hwThruster_Evaluate(&def, 0.7, 3.0, 1.0).force, still, 0.0);
}

static void test_TorqueIsAgainstThePropeller(void** state) {
    (void)state;
    hwThrusterDef def = MakeThruster();
    double full = hwThruster_SpeedOfShare(1.0);
    assert_close(hwThruster_Evaluate(&def, full, 0.0, 1.0).torque, -0.02 * 50.0, 1e-12);
    def.hand = -1;
    assert_close(hwThruster_Evaluate(&def, full, 0.0, 1.0).torque, 0.02 * 50.0, 1e-12);
    assert_close(hwThruster_Evaluate(&def, -full, 0.0, 1.0).torque, -0.02 * 40.0, 1e-12);
}

static void test_LagIsFirstOrder(void** state) {
    (void)state;
    hwThrusterDef def = MakeThruster();
    double rate, x = 0.0, h = 1e-4;
    for (int i = 0; i < 4000; ++i) x = hwThruster_Follow(&def, 1.0, x, h, &rate);
    // implicit Euler to t = 0.4: error of first order, h / (2 tau) t / tau exp(-t / tau) = 7e-5
    assert_close(x, 1.0 - exp(-2.0), 1e-4);
    assert_close(hwThruster_Follow(&def, 1.0, 0.3, 0.0, &rate), 0.3, 1e-16);
    assert_close(rate, 0.7 / 0.2, 1e-14);
    // the stage equation holds
    double y = hwThruster_Follow(&def, 0.8, 0.1, 0.05, &rate);
    assert_close(y, 0.1 + 0.05 * rate, 1e-15);
    assert_close(rate, (0.8 - y) / 0.2, 1e-14);
    def.timeConstant = 0.0;
    assert_close(hwThruster_Follow(&def, 0.8, 0.1, 0.05, &rate), 0.8, 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_DeadBandGivesNoThrust),
        cmocka_unit_test(test_CommandUndoesTheCurve),
        cmocka_unit_test(test_SpeedAndShareAreInverse),
        cmocka_unit_test(test_StrengthDiffersForwardAndReverse),
        cmocka_unit_test(test_InflowTakesThrustAway),
        cmocka_unit_test(test_TorqueIsAgainstThePropeller),
        cmocka_unit_test(test_LagIsFirstOrder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
