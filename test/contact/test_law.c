// What surfaces do to each other: the volume law, its release, sticking, sliding, spinning and rolling.
#include "contact/law.h"
#include "support.h"

#include <math.h>
#include <string.h>

static hwMaterialDef Make(double young, double damping, double friction) {
    hwMaterialDef def = hwDefaultMaterialDef();
    def.name = "m";
    def.young = young;
    def.damping = damping;
    def.staticFriction = def.kineticFriction = friction;
    return def;
}

// Seed 004 eq. 83, 84, 87.
static void TwoBedsActInSeries(void** state) {
    (void)state;
    hwMaterialDef a = Make(1e8, 1e3, 0.4), b = Make(1e7, 2e4, 0.9);
    double hA = 1.81392, hB = 28.79412;
    hwContactLaw law = hwContactLaw_Make(&a, hA, &b, hB);
    assert_close(law.stiffness, 1e8 * 1e7 / (hB * 1e8 + hA * 1e7), 1e-12 * law.stiffness); // rounding
    assert_close(law.damping, 1e3 * 2e4 / (hB * 1e3 + hA * 2e4), 1e-12 * law.damping);
    assert_close(law.staticFriction, 0.6, 1e-12);
    hwContactLaw equal = hwContactLaw_Make(&a, hA, &a, hA);
    assert_close(equal.stiffness, 1e8 / (2.0 * hA), 1e-12 * equal.stiffness);
    assert_close(equal.share, 0.5, 1e-15);
    // a body without damping of its own leaves nothing to dash against: both dashpots carry the same force
    b.damping = 0.0;
    assert_true(hwContactLaw_Make(&a, hA, &b, hB).damping == 0.0);
}

static void TheNormalForceNeverPulls(void** state) {
    (void)state;
    hwMaterialDef a = Make(1e6, 1e5, 0.3);
    hwContactLaw law = hwContactLaw_Make(&a, 0.5, &a, 0.5);
    for (double rate = -1.0; rate <= 1.0; rate += 0.01) {
        hwNormalForce f = hwContactLaw_Push(&law, 1e-4, 1.0, rate);
        assert_true(f.elastic + f.damping >= 0.0);
        double expected = fmax(0.0, law.stiffness * 1e-4 + law.damping * rate);
        assert_close(f.elastic + f.damping, expected, 1e-9 * law.damping); // rounding
    }
}

// A mass on a flat area; RK4 with 20,000 steps in half a period is exact to 1e-9, the release is found to one step.
static double Bounce(const hwContactLaw* law, double mass, double area, double speed) {
    double omega = sqrt(law->stiffness * area / mass), dt = HW_PI / omega / 20000.0, x = 1e-5, v = speed;
    double ratio = speed;
    for (int i = 0; i < 400000; ++i) {
        double kx[4], kv[4];
        for (int s = 0; s < 4; ++s) {
            double w = s == 0 ? 0.0 : (s == 3 ? 1.0 : 0.5);
            double xs = x + (s > 0 ? w * dt * kx[s - 1] : 0.0), vs = v + (s > 0 ? w * dt * kv[s - 1] : 0.0);
            hwNormalForce f = hwContactLaw_Push(law, area * fmax(xs, 0.0), area, area * vs);
            kx[s] = vs;
            kv[s] = -(f.elastic + f.damping) / mass;
        }
        x += dt / 6.0 * (kx[0] + 2.0 * kx[1] + 2.0 * kx[2] + kx[3]);
        v += dt / 6.0 * (kv[0] + 2.0 * kv[1] + 2.0 * kv[2] + kv[3]);
        ratio = -v / speed;
        if (v < 0.0 && kv[3] == 0.0) break;
    }
    return ratio;
}

static void RestitutionIsThatOfADamperThatLetsGo(void** state) {
    (void)state;
    const double ratios[] = {0.02, 0.1, 0.3, 0.7};
    for (int k = 0; k < 4; ++k) {
        double mass = 10.0, area = 1.0, stiffness = 1e5, z = ratios[k];
        double omega = sqrt(stiffness * area / mass);
        hwContactLaw law = {.stiffness = stiffness, .damping = 2.0 * z * stiffness / omega, .exponent = 1.0};
        double expected = exp(-2.0 * z * acos(z) / sqrt(1.0 - z * z));
        // it starts 1e-5 m deep, past the micrometre over which the dashpot comes in: 1e-5 of the 0.01 m it goes
        assert_close(Bounce(&law, mass, area, 1.0), expected, 2e-3);
    }
}

// Forces' derivatives as the solver uses them: with a step hd the velocity acts at once and through the elongation.
static hwRubOutput Rub(const hwContactLaw* law, hwVec3 slip, hwVec3 turn, const double* base, double hd,
                       bool sliding) {
    hwRubInput in = {.normalForce = 1000.0,
                     .stiffness = 1e6,
                     .damping = 300.0,
                     .radius = 0.2,
                     .normal = {0.0, 0.0, 1.0},
                     .slip = slip,
                     .turn = turn,
                     .sliding = sliding,
                     .hd = hd};
    hwRubOutput out;
    hwContactLaw_Rub(law, &in, base, &out);
    return out;
}

static void SticksUpToTheStaticLimitAndSlidesAtTheKineticOne(void** state) {
    (void)state;
    hwContactLaw law = {.staticFriction = 0.4, .kineticFriction = 0.3, .velocity = 1e-3};
    double base[HW_RUB_SIZE] = {0};
    base[0] = 0.0003; // 300 N of 400
    hwRubOutput stuck = Rub(&law, hwVec3_zero, hwVec3_zero, base, 0.01, false);
    assert_close(stuck.force.x, -300.0, 1e-9);
    assert_false(stuck.slides);
    assert_true(stuck.dissipation == 0.0);
    hwRubOutput slides = Rub(&law, hwMakeVec3(0.3, 0.4, 0.0), hwVec3_zero, base, 0.01, true);
    assert_true(slides.slides);
    // the spring's elongation lags a little behind the direction of slip, the size does not
    assert_close(hwLength(slides.force), 300.0, 1e-9);
    assert_true(slides.dissipation > 0.0);
}

static void FrictionNeverGivesEnergy(void** state) {
    (void)state;
    for (int model = 0; model < 2; ++model) {
        hwContactLaw law = {
            .staticFriction = 0.4, .kineticFriction = 0.3, .velocity = 1e-2, .rolling = 0.05, .lugre = model};
        double z[HW_RUB_SIZE] = {0}, t = 0.0, dt = 1e-5, stored = 0.0, dissipated = 0.0, work = 0.0;
        for (int i = 0; i < 200000; ++i, t += dt) {
            hwVec3 slip = hwMakeVec3(0.2 * sin(40.0 * t), 0.1 * sin(23.0 * t), 0.0);
            hwVec3 turn = hwMakeVec3(0.3 * cos(9.0 * t), 0.2 * sin(17.0 * t), 0.5 * sin(31.0 * t));
            hwRubOutput out = Rub(&law, slip, turn, z, dt, false);
            memcpy(z, out.z, sizeof(z));
            work -= dt * (hwDot(out.force, slip) + hwDot(out.torque, turn));
            dissipated += dt * out.dissipation;
            stored = out.elastic;
        }
        assert_true(dissipated > 0.0);
        // backward Euler's own error: dt times the powers that change 40 times a second
        assert_close(stored + dissipated, work, 5e-3 * work);
    }
}

static void MatricesAreDerivativesOfTheForces(void** state) {
    (void)state;
    const double hd = 1e-3, step = 1e-7;
    for (int k = 0; k < 3; ++k) { // sticking, sliding, bristles
        hwContactLaw law = {.staticFriction = 0.4, .kineticFriction = 0.4, .velocity = 1.0, .lugre = k == 2};
        double base[HW_RUB_SIZE] = {0};
        hwVec3 v = k == 0 ? hwMakeVec3(0.01, 0.02, 0.0) : hwMakeVec3(k == 1 ? 3.0 : 1e-3, 2e-3, 0.0);
        hwRubOutput at = Rub(&law, v, hwVec3_zero, base, hd, false);
        for (int c = 0; c < 2; ++c) {
            hwVec3 d = c == 0 ? hwMakeVec3(step, 0.0, 0.0) : hwMakeVec3(0.0, step, 0.0);
            hwVec3 f = Rub(&law, hwAdd(v, d), hwVec3_zero, base, hd, false).force;
            hwVec3 g = Rub(&law, hwSub(v, d), hwVec3_zero, base, hd, false).force;
            hwVec3 measured = hwScale(-0.5 / step, hwSub(f, g));
            hwSym3 m = hwMulAddSym3(at.damping, hd, at.stiffness);
            hwVec3 column = c == 0 ? hwMakeVec3(m.xx, m.xy, 0.0) : hwMakeVec3(m.xy, m.yy, 0.0);
            // LuGre's matrix leaves out how wear grows with speed, a percent here; the others are exact up to the
            // differences' 1e-6
            double scale = 1e6 * hd + 300.0;
            assert_close(measured.x, column.x, (k == 2 ? 0.05 : 1e-5) * scale);
            assert_close(measured.y, column.y, (k == 2 ? 0.05 : 1e-5) * scale);
        }
    }
}

static void LuGreSettlesAtStribecksForce(void** state) {
    (void)state;
    hwContactLaw law = {.staticFriction = 0.4, .kineticFriction = 0.3, .velocity = 0.05, .lugre = true};
    const double speeds[] = {0.01, 0.05, 0.2};
    for (int k = 0; k < 3; ++k) {
        double z[HW_RUB_SIZE] = {0};
        hwRubOutput out = {0};
        for (int i = 0; i < 2000; ++i) {
            out = Rub(&law, hwMakeVec3(speeds[k], 0.0, 0.0), hwVec3_zero, z, 1e-3, false);
            memcpy(z, out.z, sizeof(z));
        }
        double x = speeds[k] / 0.05, expected = 1000.0 * (0.3 + 0.1 * exp(-x * x));
        assert_close(out.force.x, -expected, 1e-6 * expected); // 2 s of bristles that settle within 40 ms
    }
}

// A disc that slides fast hardly resists turning; one that only turns resists with the full torque.
static void SlidingAndSpinningShareTheLimit(void** state) {
    (void)state;
    hwContactLaw law = {.staticFriction = 0.4, .kineticFriction = 0.4, .velocity = 1e-3};
    double base[HW_RUB_SIZE] = {0};
    hwRubOutput spin = Rub(&law, hwVec3_zero, hwMakeVec3(0.0, 0.0, 10.0), base, 0.01, true);
    assert_close(spin.torque.z, -0.4 * 1000.0 * 0.2, 1e-9);
    hwRubOutput both = Rub(&law, hwMakeVec3(10.0, 0.0, 0.0), hwMakeVec3(0.0, 0.0, 1.0), base, 0.01, true);
    assert_true(fabs(both.torque.z) < 0.05 * fabs(spin.torque.z));
    assert_close(hypot(both.force.x / 400.0, both.torque.z / 80.0), 1.0, 1e-9);
}

static void RollingIsResisted(void** state) {
    (void)state;
    hwContactLaw law = {.staticFriction = 0.4, .kineticFriction = 0.4, .velocity = 1e-3, .rolling = 0.01};
    double base[HW_RUB_SIZE] = {0};
    hwRubOutput out = Rub(&law, hwVec3_zero, hwMakeVec3(0.0, 5.0, 0.0), base, 0.1, true);
    assert_close(out.torque.y, -10.0, 1e-9);
    assert_true(out.dissipation > 0.0);
}

// The matrix is minus the slope of the force by the slip, for springs within the limit, cut with their dashpots, and dragged
// along: for slip in the springs' own direction the derivation leaves nothing out.
static void SlopesAreThoseOfTheForce(void** state) {
    (void)state;
    hwMaterialDef m = Make(1e8, 1e6, 0.5);
    hwContactLaw law = hwContactLaw_Make(&m, 1.0, &m, 1.0);
    const double slips[5] = {1e-4, 3e-3, 0.02, 0.3, 4.0};
    for (int i = 0; i < 5; ++i) {
        for (int dragged = 0; dragged < 2; ++dragged) {
            hwRubInput in = {.normalForce = 1e4,
                             .stiffness = 4e7,
                             .damping = 4e5,
                             .normal = {0.0, 0.0, 1.0},
                             .slip = {slips[i], 0.0, 0.0},
                             .hd = 1e-3};
            // at rest, or at the limit of 5 kN
            double base[HW_RUB_SIZE] = {dragged ? 5e3 / 4e7 : 0.0};
            hwRubOutput out, right, left;
            hwContactLaw_Rub(&law, &in, base, &out);
            for (int k = 0; k < 2; ++k) {
                double d = 1e-6 * slips[i], *x = k == 0 ? &in.slip.x : &in.slip.y, at = *x;
                *x = at + d;
                hwContactLaw_Rub(&law, &in, base, &right);
                *x = at - d;
                hwContactLaw_Rub(&law, &in, base, &left);
                *x = at;
                double slope = k == 0 ? (left.force.x - right.force.x) / (2.0 * d)
                                      : (left.force.y - right.force.y) / (2.0 * d);
                double held = k == 0 ? out.damping.xx + in.hd * out.stiffness.xx
                                     : out.damping.yy + in.hd * out.stiffness.yy;
                // of the stiffest slope; differences of forces of 5 kN over 1e-6 of a slip round at 1e-6
                assert_close(held, slope, 1e-5 * (in.damping + in.hd * in.stiffness));
            }
        }
    }
}

// At the limit friction is as the normal force; within it, it does not know of it.
static void FrictionAtItsLimitFollowsTheNormalForce(void** state) {
    (void)state;
    hwMaterialDef m = Make(1e8, 1e6, 0.5);
    hwContactLaw law = hwContactLaw_Make(&m, 1.0, &m, 1.0);
    for (int slides = 0; slides < 2; ++slides) {
        hwRubInput in = {.normalForce = 1e4,
                         .stiffness = 4e7,
                         .damping = 4e5,
                         .radius = 0.3,
                         .normal = {0.0, 0.0, 1.0},
                         .slip = {slides ? 0.2 : 1e-4, slides ? 0.1 : 0.0, 0.0},
                         .turn = {0.0, 0.0, slides ? 0.3 : 0.0},
                         .hd = 1e-3};
        double base[HW_RUB_SIZE] = {0.0}, d = 1.0;
        hwRubOutput out, more, less;
        hwContactLaw_Rub(&law, &in, base, &out);
        in.normalForce += d;
        hwContactLaw_Rub(&law, &in, base, &more);
        in.normalForce -= 2.0 * d;
        hwContactLaw_Rub(&law, &in, base, &less);
        // the springs' share of the direction changes with the limit, too: by 1 % of the slope here
        double exact = slides ? 0.02 * hwLength(out.byNormal) : 1e-12;
        hwVec3 slope = hwScale(0.5 / d, hwSub(more.force, less.force));
        assert_true(hwLength(hwSub(slope, out.byNormal)) <= exact);
        assert_close(out.turnByNormal.z, 0.5 * (more.torque.z - less.torque.z) / d, exact);
        assert_close(hwLength(out.byNormal) > 0.0, slides, 0.0);
    }
}

// A pair breaks away: its limit falls from the static to the kinetic one, and the springs are beyond it. Cut there, they jump in a step
// however short it is. For solvers that judge steps by it they relax as they do without a step, z = base + hd z'(z).
static void WhatIsBeyondTheLimitRelaxesWhereAStepIsJudgedByIt(void** state) {
    (void)state;
    hwContactLaw law = {
        .staticFriction = 0.6, .kineticFriction = 0.4, .velocity = 1e-3, .rolling = 0.1, .exponent = 1.0};
    const double base[HW_RUB_SIZE] = {5e-4, 1e-4, 0.0, 0.02, 0.01, 0.0, 1e-3};
    hwRubInput in = {.normalForce = 1000.0,
                     .stiffness = 1e6,
                     .damping = 300.0,
                     .radius = 0.2,
                     .normal = {0.0, 0.0, 1.0},
                     .slip = {0.01, 0.0, 0.0},
                     .turn = {0.01, 0.02, 0.03},
                     .sliding = true,
                     .relaxes = true};
    for (int touches = 0; touches < 2; ++touches) {
        for (double h = 1e-2; h > 1e-9; h *= 0.1) {
            hwRubOutput step, there;
            in.hd = h;
            if (touches) {
                hwContactLaw_Rub(&law, &in, base, &step);
            } else {
                hwContactLaw_LetGo(base, h, true, &step);
            }
            in.hd = 0.0; // the rates at the end of the step
            if (touches) {
                hwContactLaw_Rub(&law, &in, step.z, &there);
            } else {
                hwContactLaw_LetGo(step.z, 0.0, true, &there);
            }
            for (int k = 0; k < HW_RUB_SIZE; ++k) {
                assert_close(step.z[k], base[k] + h * there.zdot[k], 1e-13);
                assert_close(step.zdot[k], there.zdot[k], 1e-13 / h + 1e-9);
            }
            assert_close_vec3(step.force, there.force, 1e-6);
        }
    }
    in.hd = 1e-9;
    in.relaxes = false;
    hwRubOutput cut;
    hwContactLaw_Rub(&law, &in, base, &cut);
    assert_true(hwHypot(cut.z[0], cut.z[1]) < 4.1e-4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TwoBedsActInSeries),
        cmocka_unit_test(TheNormalForceNeverPulls),
        cmocka_unit_test(RestitutionIsThatOfADamperThatLetsGo),
        cmocka_unit_test(SticksUpToTheStaticLimitAndSlidesAtTheKineticOne),
        cmocka_unit_test(FrictionNeverGivesEnergy),
        cmocka_unit_test(MatricesAreDerivativesOfTheForces),
        cmocka_unit_test(LuGreSettlesAtStribecksForce),
        cmocka_unit_test(SlidingAndSpinningShareTheLimit),
        cmocka_unit_test(RollingIsResisted),
        cmocka_unit_test(SlopesAreThoseOfTheForce),
        cmocka_unit_test(FrictionAtItsLimitFollowsTheNormalForce),
        cmocka_unit_test(WhatIsBeyondTheLimitRelaxesWhereAStepIsJudgedByIt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
