// Jaws by themselves: momentum, energy, a grip that moves as one, and what fits between them.
#include "support.h"

#include "vehicle/grip_law.h"

static hwGripperDef MakeGripper(void) {
    return (hwGripperDef){.present = true,
                          .position = {0.4, 0.05, -0.1},
                          .axis = {1.0, 0.0, 0.0},
                          .opening = 0.1,
                          .length = 0.12,
                          .force = 100.0,
                          .stiffness = 8000.0};
}

static hwGripSide RandomSide(uint64_t* seed) {
    return (hwGripSide){TestRandomVec3(seed), hwQuatFromRotationVector(hwScale(0.8, TestRandomVec3(seed))),
                        TestRandomVec3(seed), TestRandomVec3(seed)};
}

static const hwPose g_hold = {{0.5, 0.0, -0.1}, {0.8, 0.0, 0.6, 0.0}};

// Force and moment on both sides, at the jaws, sum up to nothing about any point but for the gap between the two places.
static void the_pair_of_forces_has_no_resultant(void** state) {
    (void)state;
    hwGripperDef def = MakeGripper();
    uint64_t seed = 3;
    for (int trial = 0; trial < 50; ++trial) {
        hwGripSide v = RandomSide(&seed), b = RandomSide(&seed);
        hwGripForce law = hwGrip_ComputeForce(&def, 2.0, &v, &b, g_hold);
        hwVec3 onBody = hwCross(hwAdd(b.position, law.armBody), law.force);
        hwVec3 onVehicle = hwCross(hwAdd(v.position, law.armVehicle), hwNeg(law.force));
        // a spring along its own gap has no moment; the damper's slip has one with the gap
        hwVec3 gap = hwSub(hwAdd(v.position, law.armVehicle), hwAdd(b.position, law.armBody));
        hwVec3 slipForce = hwMulAdd(law.force, -law.k, gap);
        assert_true(hwDistance(hwAdd(onBody, onVehicle), hwNeg(hwCross(gap, slipForce))) <
                    1e-9 * (1.0 + law.load));
    }
}

// Held without moving in the jaws, nothing acts however vehicle and body fly together.
static void a_body_that_moves_with_the_jaws_feels_nothing(void** state) {
    (void)state;
    hwGripperDef def = MakeGripper();
    uint64_t seed = 9;
    for (int trial = 0; trial < 50; ++trial) {
        hwGripSide v = RandomSide(&seed), b;
        hwVec3 arm = hwRotate(v.attitude, g_hold.p);
        b.position = hwAdd(v.position, arm);
        b.attitude = hwMulQuat(v.attitude, g_hold.q);
        b.velocity = hwAdd(v.velocity, hwCross(v.rate, arm));
        b.rate = v.rate;
        hwGripForce law = hwGrip_ComputeForce(&def, 2.0, &v, &b, g_hold);
        assert_true(law.load < 1e-9 && law.energy < 1e-18 && law.dissipation < 1e-18);
    }
}

// What both sides lose in work is what is stored and dissipated: the rate of the energy by central differences, 1e-6 s to
// either side, against powers of 1e4 W.
static void power_is_stored_or_dissipated(void** state) {
    (void)state;
    hwGripperDef def = MakeGripper();
    uint64_t seed = 21;
    for (int trial = 0; trial < 50; ++trial) {
        hwGripSide v = RandomSide(&seed), b = RandomSide(&seed), sides[2] = {v, b}, moved[2];
        const double h = 1e-6;
        double energy[2];
        for (int side = 0; side < 2; ++side) {
            double dt = side == 0 ? -h : h;
            for (int k = 0; k < 2; ++k) {
                moved[k] = sides[k];
                moved[k].position = hwMulAdd(sides[k].position, dt, sides[k].velocity);
                moved[k].attitude =
                    hwMulQuat(hwQuatFromRotationVector(hwScale(dt, sides[k].rate)), sides[k].attitude);
            }
            energy[side] = hwGrip_ComputeForce(&def, 2.0, &moved[0], &moved[1], g_hold).energy;
        }
        hwGripForce law = hwGrip_ComputeForce(&def, 2.0, &v, &b, g_hold);
        hwVec3 atBody = hwAdd(b.velocity, hwCross(b.rate, law.armBody));
        hwVec3 atJaws = hwAdd(v.velocity, hwCross(v.rate, law.armVehicle));
        double given = hwDot(law.force, hwSub(atJaws, atBody)) + hwDot(law.moment, hwSub(v.rate, b.rate));
        assert_close(given, (energy[1] - energy[0]) / (2.0 * h) + law.dissipation,
                     1e-4 * (1.0 + fabs(given)));
        assert_close(law.storing, (energy[1] - energy[0]) / (2.0 * h), 1e-4 * (1.0 + fabs(given)));
    }
}

static void jaws_take_what_they_have_just_met(void** state) {
    (void)state;
    hwGripperDef def = MakeGripper();
    hwVec3 low = {-0.06, -0.02, -0.02}, high = {0.02, 0.02, 0.02}; // 4 cm wide
    assert_false(hwGrip_Meets(&def, low, high, 0.05));             // jaws still wider
    assert_true(hwGrip_Meets(&def, low, high, 0.04));              // they meet
    assert_true(hwGrip_Meets(&def, low, high, 0.036));             // just met
    assert_false(hwGrip_Meets(&def, low, high, 0.03));             // long passed: it came from the side
    hwVec3 off = {0.0, 0.08, 0.0}, ahead = {0.1, 0.0, 0.0}, above = {0.0, 0.0, 0.05};
    assert_false(hwGrip_Meets(&def, hwAdd(low, off), hwAdd(high, off), 0.04));
    assert_false(hwGrip_Meets(&def, hwAdd(low, ahead), hwAdd(high, ahead), 0.04));
    assert_false(hwGrip_Meets(&def, hwAdd(low, above), hwAdd(high, above), 0.04));
    hwVec3 wide = {0.0, 0.06, 0.0}; // wider than the jaws open
    assert_false(hwGrip_Meets(&def, hwSub(low, wide), hwAdd(high, wide), 0.1));
}

static void the_frame_of_the_jaws_is_right_handed_for_every_axis(void** state) {
    (void)state;
    hwGripperDef def = MakeGripper();
    const hwVec3 axes[3] = {{1.0, 0.0, 0.0}, {0.0, 0.6, -0.8}, {0.0, 0.0, -1.0}};
    for (int i = 0; i < 3; ++i) {
        def.axis = axes[i];
        hwPose jaws = hwGrip_GetJaws(&def);
        assert_true(hwDistance(hwRotate(jaws.q, hwMakeVec3(1.0, 0.0, 0.0)), def.axis) < 1e-12);
        assert_true(hwDistance(jaws.p, def.position) < 1e-15);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_pair_of_forces_has_no_resultant),
        cmocka_unit_test(a_body_that_moves_with_the_jaws_feels_nothing),
        cmocka_unit_test(power_is_stored_or_dissipated),
        cmocka_unit_test(jaws_take_what_they_have_just_met),
        cmocka_unit_test(the_frame_of_the_jaws_is_right_handed_for_every_axis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
