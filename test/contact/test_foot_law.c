// The law of feet on plain numbers: derivatives against differences, books of energy, sticking and sliding.
#include "support.h"

#include "contact/foot_law.h"

static const hwFootLaw law = {.stiffness = 2e4,
                              .damping = 300.0,
                              .planarStiffness = 1e4,
                              .planarDamping = 80.0,
                              .friction = 0.6,
                              .kinetic = 0.4};

static hwFootInput Sloping(double depth, hwVec3 velocity, double hd) {
    hwVec3 n = hwNormalize(hwMakeVec3(0.2, -0.1, 1.0));
    hwFootInput in = {.depth = depth, .normal = n, .velocity = velocity, .hd = hd};
    return in;
}

static void WhatADefLeavesOutComesFromTheBottom(void** state) {
    (void)state;
    hwSeabedDef seabed = {.stiffness = 1e5, .damping = 1e4, .friction = 0.5};
    hwFootDef foot = {.area = 0.02,
                      .stiffness = -1.0,
                      .damping = 7.0,
                      .planarStiffness = -1.0,
                      .planarDamping = -1.0,
                      .friction = -1.0,
                      .kineticFriction = 0.9};
    hwFootLaw made = hwFootLaw_Make(&foot, &seabed);
    assert_close(made.stiffness, 2000.0, 1e-9);
    assert_close(made.damping, 7.0, 0.0);
    assert_close(made.planarStiffness, 2000.0, 1e-9);
    assert_close(made.planarDamping, 7.0, 0.0);
    assert_close(made.friction, 0.5, 0.0);
    assert_close(made.kinetic, 0.5, 0.0); // never above the static one
}

// A standing foot: spring and damper across, the spring along the bottom from what it had.
static void AStandingFootIsSpringsAndDampers(void** state) {
    (void)state;
    hwFootInput in = {.depth = 0.01, .normal = {0.0, 0.0, 1.0}, .velocity = {0.001, 0.0, -0.1}, .hd = 0.01};
    in.base[1] = 0.002;
    hwFootOutput out;
    hwFootLaw_Push(&law, &in, &out);
    assert_close(out.force.z, 200.0 + 30.0, 1e-12 * 230.0);
    assert_close(out.force.x, -(1e4 * 1e-5 + 80.0 * 0.001), 1e-12);
    assert_close(out.force.y, -20.0, 1e-12 * 20.0);
    assert_close(out.z[0], 1e-5, 1e-18);
    assert_close(out.zdot[0], 0.001, 1e-15);
    assert_close(out.elastic, 0.5 * 2e4 * 1e-4 + 0.5 * 1e4 * (1e-10 + 4e-6), 1e-12);
}

// Minus the derivatives of the force by velocity, and by a displacement at the same velocity, which moves the depth and the
// spring's base. Friction's limit follows the normal force; that is left out of the matrix, so the normal is held here.
static void SlopesAreThoseOfTheForce(void** state) {
    (void)state;
    const double hd = 0.005, step = 1e-6;
    for (int slides = 0; slides < 2; ++slides) {
        hwVec3 along = hwNormalize(hwCross(Sloping(0.0, hwVec3_zero, 0.0).normal, hwMakeVec3(0.3, 1.0, 0.0)));
        hwFootInput in = Sloping(0.008, hwScale(slides ? 1.0 : 0.01, along), hd);
        hwFootOutput at, more;
        hwFootLaw_Push(&law, &in, &at);
        double limit = (slides ? law.kinetic : law.friction) * law.stiffness * in.depth;
        double friction = hwLength(hwMulAdd(at.force, -hwDot(at.force, in.normal), in.normal));
        if (slides) assert_close(friction, limit, 1e-9 * limit);
        if (!slides) assert_true(friction < 0.2 * limit);
        // across the slip, along the bottom
        hwVec3 across = hwCross(in.normal, along);
        hwFootInput moved = in;
        moved.velocity = hwMulAdd(in.velocity, step, across);
        hwFootLaw_Push(&law, &moved, &more);
        double slope = -hwDot(hwSub(more.force, at.force), across) / step;
        double stiffness = hwDot(across, hwMulSym3(at.stiffness, across));
        double damping = hwDot(across, hwMulSym3(at.damping, across));
        // a velocity moves the spring by hd, which is the stiffness' part
        assert_close(damping + hd * stiffness, slope, 1e-4 * slope);
        moved = in;
        moved.depth = in.depth - step;
        hwFootLaw_Push(&law, &moved, &more);
        slope = -hwDot(hwSub(more.force, at.force), in.normal) / step;
        assert_close(hwDot(in.normal, hwMulSym3(at.stiffness, in.normal)), slope, 1e-6 * slope);
    }
}

// Over a path of short steps, work done on the foot is what is stored and what is lost, and nothing is won.
static void WorkIsStoredOrLost(void** state) {
    (void)state;
    const double h = 1e-5;
    double z[3] = {0.0, 0.0, 0.0}, work = 0.0, lost = 0.0, first = 0.0, last = 0.0, storing = 0.0;
    double depth = 0.002;
    for (int i = 0; i < 40000; ++i) {
        double t = i * h;
        hwVec3 v = hwMakeVec3(0.3 * sin(20.0 * t), 0.05 * cos(33.0 * t), -0.02 * sin(50.0 * t));
        hwFootInput in = {.depth = depth - h * v.z, .normal = {0.0, 0.0, 1.0}, .velocity = v, .hd = h};
        memcpy(in.base, z, sizeof(z));
        hwFootOutput out;
        hwFootLaw_Push(&law, &in, &out);
        memcpy(z, out.z, sizeof(z));
        depth = in.depth;
        assert_true(out.dissipation >= -1e-9);
        work -= h * hwDot(out.force, v); // on the springs and dampers
        lost += h * out.dissipation;
        storing += h * out.storing;
        last = out.elastic;
        if (i == 0) first = out.elastic;
    }
    assert_true(lost > 1.0);
    // first order in h: 1e-5 s of 0.4 s
    assert_close(work, lost + last - first, 1e-3 * work);
    assert_close(storing, last - first, 1e-3 * work);
}

// It creeps by nothing while it sticks, and is let go when lifted.
static void ALiftedFootForgets(void** state) {
    (void)state;
    hwFootInput in = {.depth = -0.01, .normal = {0.0, 0.0, 1.0}, .base = {0.01, 0.0, 0.0}, .hd = 0.0};
    hwFootOutput out;
    hwFootLaw_Push(&law, &in, &out);
    assert_close(hwLength(out.force), 0.0, 0.0);
    assert_true(out.zdot[0] < 0.0);
    in.hd = 0.01;
    hwFootLaw_Push(&law, &in, &out);
    assert_close(out.z[0], 0.0, 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(WhatADefLeavesOutComesFromTheBottom),
        cmocka_unit_test(AStandingFootIsSpringsAndDampers),
        cmocka_unit_test(SlopesAreThoseOfTheForce),
        cmocka_unit_test(WorkIsStoredOrLost),
        cmocka_unit_test(ALiftedFootForgets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
