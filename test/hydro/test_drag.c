// Drag by itself: closed forms, symmetry, dissipation, and the derivative that the solver uses.
#include "support.h"

#include "hydro/drag.h"

// A little of everything that takes a uniform stream.
static hwHydroDef MakeDef(void) {
    static const hwLiftDef lifts[1] = {
        {.at = {0.3, 0.1, 0.0}, .normal = {0.0, 0.0, 1.0}, .area = 0.4, .slope = 3.0, .stall = 0.3}};
    hwHydroDef def = hwDefaultHydroDef();
    for (int i = 0; i < 6; ++i) {
        def.linearDrag[i] = 10.0 + i;
        def.quadraticDrag[i] = 40.0 - 3.0 * i;
    }
    def.liftCount = 1;
    def.lifts = lifts;
    def.sphereDiameter = 0.5;
    def.sphereDrag = 1.2;
    def.skinArea = 2.0;
    def.skinLength = 1.5;
    return def;
}

static hwSpatial RandomMotion(uint64_t* seed) {
    return (hwSpatial){hwScale(2.0, TestRandomVec3(seed)), TestRandomVec3(seed)};
}

static void curves_continue_creeping_flow_and_end_in_turbulence(void** state) {
    (void)state;
    // Stokes: 24/Re, with Oseen's 3/16 Re
    assert_close(hwDragCurve_Evaluate(HW_DRAG_SPHERE, 1e-6) * 1e-6, 24.0, 1e-4);
    assert_close(hwDragCurve_Evaluate(HW_DRAG_CONSTANT, 123.0), 1.0, 0.0);
    for (int curve = HW_DRAG_CYLINDER; curve <= HW_DRAG_SPHERE; ++curve) {
        // no jumps: 1 % in the Reynolds number changes less than 10 % (the drag crisis is the steepest)
        double before = hwDragCurve_Evaluate((hwDragCurve)curve, 1e-3);
        for (double reynolds = 1.01e-3; reynolds < 1e8; reynolds *= 1.01) {
            double here = hwDragCurve_Evaluate((hwDragCurve)curve, reynolds);
            assert_true(here > 0.0 && fabs(here / before - 1.0) < 0.1);
            before = here;
        }
    }
    // the drag crisis: a smooth sphere at 4e5 has a fifth of the drag coefficient at 1e5 (Schlichting, fig. 1.5)
    assert_close(hwDragCurve_Evaluate(HW_DRAG_SPHERE, 4e5) / hwDragCurve_Evaluate(HW_DRAG_SPHERE, 1e5), 0.18,
                 0.02);
}

static void axis_drag_is_odd_and_its_damping_its_derivative(void** state) {
    (void)state;
    hwHydroDef def = MakeDef();
    uint64_t seed = 5;
    for (int trial = 0; trial < 100; ++trial) {
        hwSpatial v = RandomMotion(&seed), back = {hwNeg(v.l), hwNeg(v.a)};
        hwDragSum sum = {0}, other = {0};
        hwAddAxisDrag(&def, v, 0.7, &sum);
        hwAddAxisDrag(&def, back, 0.7, &other);
        double f[6], g[6], u[6];
        hwSpatialToArray(sum.wrench, f);
        hwSpatialToArray(other.wrench, g);
        hwSpatialToArray(v, u);
        double power = 0.0;
        for (int i = 0; i < 6; ++i) {
            assert_close(f[i], -g[i], 0.0);
            assert_close(f[i], -0.7 * (def.linearDrag[i] + def.quadraticDrag[i] * fabs(u[i])) * u[i], 1e-11);
            power += f[i] * u[i];
        }
        assert_close(sum.dissipation, -power, 1e-12 * sum.dissipation);
        assert_true(sum.dissipation > 0.0);
        double slope[6] = {sum.damping.ll.xx, sum.damping.ll.yy, sum.damping.ll.zz,
                           sum.damping.aa.xx, sum.damping.aa.yy, sum.damping.aa.zz};
        for (int i = 0; i < 6; ++i) {
            double w[6];
            memcpy(w, u, sizeof(w));
            w[i] += 1e-6;
            hwDragSum step = {0};
            hwAddAxisDrag(&def, hwSpatialFromArray(w), 0.7, &step);
            hwSpatialToArray(step.wrench, g);
            // a forward difference of a quadratic: h times the coefficient, below 40 * 1e-6
            assert_close(-(g[i] - f[i]) / 1e-6, slope[i], 1e-4);
        }
    }
}

// Lift does no work on the stream and everything else takes energy from the relative motion.
static void surfaces_only_dissipate(void** state) {
    (void)state;
    hwHydroDef def = MakeDef();
    uint64_t seed = 6;
    for (int trial = 0; trial < 300; ++trial) {
        hwSpatial v = RandomMotion(&seed);
        hwDragSum sum = {0};
        hwAddSurfaceDrag(&def, v, 1025.0, 1e-6, 1.0, &sum);
        double power = hwDot(sum.wrench.l, v.l) + hwDot(sum.wrench.a, v.a);
        assert_close(sum.dissipation, -power, 1e-11 * (1.0 + fabs(power)));
        assert_true(sum.dissipation >= -1e-11 * (1.0 + fabs(power)));
    }
}

// A long cylinder across a uniform stream: 1/2 rho Cd d L u^2 at its middle, along it 1/2 rho Cd pi d L u^2, at any attitude.
static void strips_add_up_to_the_closed_form(void** state) {
    (void)state;
    const hwStripDef strip = {.from = {-2.0, 0.0, 0.5},
                              .to = {3.0, 0.0, 0.5},
                              .diameter = 0.2,
                              .normal = 1.1,
                              .tangential = 0.01,
                              .count = 10};
    hwHydroDef def = hwDefaultHydroDef();
    def.stripCount = 1;
    def.strips = &strip;
    uint64_t seed = 7;
    for (int trial = 0; trial < 20; ++trial) {
        hwMat3 turn = hwMat3FromQuat(TestRandomQuat(&seed));
        double across = 1.5, along = -0.8, rho = 1025.0, length = 5.0;
        // the water moves, the body stands: force along the water's motion
        hwFluidSample samples[10];
        for (int i = 0; i < 10; ++i) {
            samples[i] = (hwFluidSample){.density = rho,
                                         .viscosity = 1e-6,
                                         .velocity = hwMulMV(turn, hwMakeVec3(along, across, 0.0)),
                                         .normal = {0.0, 0.0, 1.0}};
        }
        hwDragSum sum = {0};
        hwAddStripDrag(&def, samples, turn, (hwSpatial){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}, &sum);
        double normal = 0.5 * rho * 1.1 * 0.2 * length * across * across;
        double tangent = 0.5 * rho * 0.01 * HW_PI * 0.2 * length * fabs(along) * along;
        assert_close_vec3(sum.wrench.l, hwMakeVec3(tangent, normal, 0.0), 1e-9);
        // at the middle of the axis, (0.5, 0, 0.5)
        hwVec3 moment = hwCross(hwMakeVec3(0.5, 0.0, 0.5), hwMakeVec3(tangent, normal, 0.0));
        assert_close_vec3(sum.wrench.a, moment, 1e-9);
        // the same relative motion by moving the body: the same force
        for (int i = 0; i < 10; ++i) samples[i].velocity = hwVec3_zero;
        hwDragSum moved = {0};
        hwAddStripDrag(&def, samples, turn, (hwSpatial){{-along, -across, 0.0}, {0.0, 0.0, 0.0}}, &moved);
        assert_close_vec3(moved.wrench.l, sum.wrench.l, 1e-9);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_continue_creeping_flow_and_end_in_turbulence),
        cmocka_unit_test(axis_drag_is_odd_and_its_damping_its_derivative),
        cmocka_unit_test(surfaces_only_dissipate),
        cmocka_unit_test(strips_add_up_to_the_closed_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
