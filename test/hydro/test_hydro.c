#include "support.h"

#include "hawser/hydro.h"
#include "hawser/shape.h"
#include "hydro/buoyancy.h"
#include "hydro/drag.h"
#include "math/spatial.h"

// Still water at z = 0, body at `position`, all defaults.
static hwHydroInput MakeInput(const hwHydroDef* def, hwVec3 position) {
    hwHydroInput input = {.mass = 1000.0,
                          .pose = {position, hwQuat_identity},
                          .gravity = 9.81,
                          .waterDensity = 1025.0,
                          .airDensity = 1.2,
                          .water = {.density = 1025.0, .viscosity = 1e-6, .normal = {0.0, 0.0, 1.0}},
                          .air = {.density = 1.2, .viscosity = 1.5e-5, .normal = {0.0, 0.0, 1.0}},
                          .def = def};
    return input;
}

static hwHydroOutput Evaluate(const hwHydroInput* input) {
    hwHydroOutput output = {0};
    hwHydro_Evaluate(input, &output);
    return output;
}

static hwSolid MakeBox(hwShapeDef* shape, hwVec3 size) {
    hwSolid solid;
    *shape = hwDefaultShapeDef();
    shape->kind = HW_SHAPE_BOX;
    shape->size = size;
    assert_status(hwSolid_Init(&solid, 1, shape, NULL), HW_OK);
    return solid;
}

static void buoyancy_of_a_half_submerged_box(void** state) {
    (void)state;
    hwShapeDef shape;
    hwSolid solid = MakeBox(&shape, hwMakeVec3(4.0, 2.0, 1.0));
    hwHydroDef def = hwDefaultHydroDef();
    def.volume = solid.volume;
    hwHydroInput input = MakeInput(&def, hwMakeVec3(3.0, -2.0, 0.25));
    input.solid = &solid;
    hwHydroOutput out = Evaluate(&input);
    // a quarter of the metre of height is under water
    assert_close(out.wrench[2], 1025.0 * 9.81 * 2.0, 1e-8);
    assert_close(out.submerged, 0.25, 1e-14);
    assert_close(out.potential, 1025.0 * 9.81 * 2.0 * 0.125, 1e-8);
    // waterplane stiffness: rho g A in heave, rho g I about the axes
    assert_close(out.stiffness[2][2], 1025.0 * 9.81 * 8.0, 1e-7);
    assert_close(out.stiffness[3][3], 1025.0 * 9.81 * 4.0 * 8.0 / 12.0, 1e-7);
    assert_close(out.stiffness[4][4], 1025.0 * 9.81 * 2.0 * 64.0 / 12.0, 1e-6);
    assert_close(out.stiffness[0][0], 0.0, 1e-7);
}

static void buoyancy_is_the_gradient_of_its_potential(void** state) {
    (void)state;
    hwShapeDef shape;
    hwSolid solid = MakeBox(&shape, hwMakeVec3(1.0, 0.7, 0.5));
    hwHydroDef def = hwDefaultHydroDef();
    def.volume = solid.volume;
    uint64_t seed = 1;
    for (int trial = 0; trial < 100; ++trial) {
        if (trial == 50) { // the same where volume and centre are given
            def.volume = 0.6 * solid.volume;
            def.hasBuoyancyCenter = true;
            def.buoyancyCenter = hwMakeVec3(0.1, -0.05, 0.15);
        }
        hwVec3 position = hwScale(0.3, TestRandomVec3(&seed));
        hwQuat attitude = TestRandomQuat(&seed);
        hwHydroInput input = MakeInput(&def, position);
        input.solid = &solid;
        input.pose.q = attitude;
        hwHydroOutput out = Evaluate(&input);
        const double h = 1e-5;
        for (int k = 0; k < 6; ++k) {
            double change[2];
            for (int side = 0; side < 2; ++side) {
                double s = side == 0 ? -h : h;
                hwVec3 unit = hwMakeVec3(k % 3 == 0, k % 3 == 1, k % 3 == 2);
                input.pose.p = k < 3 ? hwAdd(position, hwRotate(attitude, hwScale(s, unit))) : position;
                input.pose.q =
                    k < 3 ? attitude : hwMulQuat(attitude, hwQuatFromRotationVector(hwScale(s, unit)));
                change[side] = Evaluate(&input).potential;
            }
            // second differences of a potential with kinks where corners cross the surface: h times rho g area
            assert_close(-(change[1] - change[0]) / (2.0 * h), out.wrench[k], 1025.0 * 9.81 * 2.0 * h);
        }
    }
}

static void given_volume_and_centre_win_over_shapes(void** state) {
    (void)state;
    hwShapeDef shape;
    hwSolid solid = MakeBox(&shape, hwMakeVec3(1.0, 1.0, 1.0));
    hwHydroDef def = hwDefaultHydroDef();
    def.volume = 0.5;
    def.hasBuoyancyCenter = true;
    def.buoyancyCenter = hwMakeVec3(0.1, 0.0, 0.2);
    hwHydroInput input = MakeInput(&def, hwMakeVec3(0.0, 0.0, -10.0));
    input.solid = &solid;
    hwHydroOutput out = Evaluate(&input);
    assert_close(out.wrench[2], 1025.0 * 9.81 * 0.5, 1e-9);
    assert_close(out.wrench[4], -0.1 * out.wrench[2], 1e-9);
}

static void body_without_shapes_is_cut_as_a_ball(void** state) {
    (void)state;
    hwHydroDef def = hwDefaultHydroDef();
    def.volume = 4.0 / 3.0 * HW_PI; // radius 1
    hwHydroInput input = MakeInput(&def, hwMakeVec3(0.0, 0.0, 0.0));
    assert_close(Evaluate(&input).submerged, 0.5, 1e-14);
    input.pose.p.z = -1.0;
    assert_close(Evaluate(&input).submerged, 1.0, 1e-14);
    input.pose.p.z = 1.0;
    assert_close(Evaluate(&input).submerged, 0.0, 1e-14);
    // a cap of depth 0.5: pi d^2 (3 r - d) / 3
    input.pose.p.z = 0.5;
    double cap = HW_PI * 0.25 * 2.5 / 3.0;
    assert_close(Evaluate(&input).submerged, cap / def.volume, 1e-14);
    assert_close(Evaluate(&input).wrench[2], 1025.0 * 9.81 * cap, 1e-9);
}

static void coefficients_hold_afloat_and_fade_aloft(void** state) {
    (void)state;
    hwHydroDef def = hwDefaultHydroDef();
    def.volume = 2.0; // 2050 kg of water: the 1000 kg body floats
    for (int i = 0; i < 6; ++i) def.addedMass[i][i] = 100.0 + i;
    hwHydroInput input = MakeInput(&def, hwVec3_zero);
    double radius = cbrt(3.0 * 2.0 / (4.0 * HW_PI));
    for (double z = -3.0 * radius; z < 3.0 * radius; z += 0.05 * radius) {
        input.pose.p.z = z;
        hwHydroOutput out = Evaluate(&input);
        double afloat =
            2.0 * out.submerged / (1000.0 / 1025.0); // submerged part of the floating displacement
        double x = fmin(1.0, 2.0 * afloat), expected = x * x * (3.0 - 2.0 * x);
        assert_close(out.addedMass[2][2], 102.0 * expected, 1e-11);
    }
}

// The fluid reaction of added mass in still water does no work on a body with constant velocity: it turns momentum
// only (Kirchhoff).
static void added_mass_reaction_does_no_work_in_still_water(void** state) {
    (void)state;
    uint64_t seed = 2;
    hwHydroDef def = hwDefaultHydroDef();
    double rows[6][6];
    for (int i = 0; i < 36; ++i) rows[i / 6][i % 6] = 10.0 * TestRandom(&seed);
    for (int i = 0; i < 36; ++i) {
        for (int k = 0; k < 6; ++k) def.addedMass[i / 6][i % 6] += rows[k][i / 6] * rows[k][i % 6];
    }
    hwHydroInput input = MakeInput(&def, hwMakeVec3(0.0, 0.0, -50.0));
    for (int trial = 0; trial < 20; ++trial) {
        for (int i = 0; i < 6; ++i) input.velocity[i] = TestRandom(&seed);
        hwHydroOutput out = Evaluate(&input);
        double power = 0.0, size = 0.0;
        for (int i = 0; i < 6; ++i) {
            power += out.wrench[i] * input.velocity[i];
            size += fabs(out.wrench[i] * input.velocity[i]);
        }
        assert_close(power, 0.0, 1e-14 * size + 1e-12);
        assert_close(out.work, 0.0, 1e-14 * size + 1e-12);
    }
}

static void munk_moment_of_a_body_moving_askew(void** state) {
    (void)state;
    hwHydroDef def = hwDefaultHydroDef();
    def.addedMass[0][0] = 10.0;
    def.addedMass[1][1] = 30.0;
    hwHydroInput input = MakeInput(&def, hwMakeVec3(0.0, 0.0, -50.0));
    input.velocity[0] = 2.0;
    input.velocity[1] = 1.0;
    // -(v x A v)_z = -(vx Ay vy - vy Ax vx) = (Ax - Ay) vx vy
    assert_close(Evaluate(&input).wrench[5], (10.0 - 30.0) * 2.0, 1e-12);
}

static void body_drifting_with_a_turning_stream_feels_nothing(void** state) {
    (void)state;
    uint64_t seed = 3;
    hwHydroDef def = hwDefaultHydroDef();
    for (int i = 0; i < 3; ++i) def.addedMass[i][i] = 10.0 * (i + 1), def.quadraticDrag[i] = 5.0;
    hwHydroInput input = MakeInput(&def, hwMakeVec3(0.0, 0.0, -50.0));
    input.pose.q = TestRandomQuat(&seed);
    input.water.velocity = hwMakeVec3(0.5, -0.2, 0.1);
    hwVec3 w = hwMakeVec3(0.3, 0.1, -0.2);
    hwVec3 v = hwInvRotate(input.pose.q, input.water.velocity);
    hwSpatialToArray((hwSpatial){v, w}, input.velocity);
    hwHydroOutput out = Evaluate(&input);
    // drifting: v' = -w x v in body axes, and the reaction of added mass to it must cancel the wrench's rest
    hwVec3 rate = hwNeg(hwCross(w, v));
    const double* wrench = out.wrench;
    assert_close(wrench[0], 10.0 * rate.x, 1e-13);
    assert_close(wrench[1], 20.0 * rate.y, 1e-13);
    assert_close(wrench[2], 30.0 * rate.z, 1e-13);
}

static void accelerating_water_pushes_with_displaced_and_added_mass(void** state) {
    (void)state;
    hwHydroDef def = hwDefaultHydroDef();
    def.volume = 2.0;
    def.addedMass[0][0] = 700.0;
    hwHydroInput input = MakeInput(&def, hwMakeVec3(0.0, 0.0, -50.0));
    input.mass = 3000.0;
    input.water.acceleration = hwMakeVec3(0.3, 0.0, 0.0);
    assert_close(Evaluate(&input).wrench[0], (1025.0 * 2.0 + 700.0) * 0.3, 1e-9);
}

static void dry_world_takes_coefficients_as_given(void** state) {
    (void)state;
    hwHydroDef def = hwDefaultHydroDef();
    def.volume = 2.0;
    def.addedMass[0][0] = 700.0;
    def.quadraticDrag[0] = 3.0;
    hwHydroInput input = MakeInput(&def, hwMakeVec3(0.0, 0.0, 10.0));
    input.waterDensity = 0.0;
    input.air.velocity = hwMakeVec3(-1.0, 0.0, 0.0);
    input.velocity[0] = 1.0;
    hwHydroOutput out = Evaluate(&input);
    assert_close(out.wrench[0], -3.0 * 4.0, 1e-12);
    assert_close(out.wrench[2], 0.0, 0.0);
    assert_close(out.addedMass[0][0], 700.0, 0.0);
}

static void wind_acts_on_what_is_dry(void** state) {
    (void)state;
    hwHydroDef def = hwDefaultHydroDef();
    def.volume = 2.0;
    def.quadraticDrag[0] = 100.0;
    hwHydroInput input = MakeInput(&def, hwVec3_zero);
    input.air.velocity = hwMakeVec3(10.0, 0.0, 0.0);
    hwHydroOutput out = Evaluate(&input);
    assert_close(out.submerged, 0.5, 1e-14);
    assert_close(out.wrench[0], 0.5 * 100.0 * 1.2 / 1025.0 * 100.0, 1e-12);
}

// Damping matrix against finite differences of the wrench for everything that is not the added mass's.
static void CheckDamping(hwHydroInput input, uint64_t* seed, double tolerance) {
    for (int trial = 0; trial < 20; ++trial) {
        for (int i = 0; i < 6; ++i) input.velocity[i] = 1.0 * TestRandom(seed);
        hwHydroOutput out = Evaluate(&input);
        double largest = 0.0;
        for (int i = 0; i < 6; ++i) largest = fmax(largest, out.damping[i][i]);
        const double h = 1e-6;
        for (int k = 0; k < 6; ++k) {
            hwHydroInput up = input, down = input;
            up.velocity[k] += h;
            down.velocity[k] -= h;
            hwHydroOutput a = Evaluate(&up), b = Evaluate(&down);
            for (int i = 0; i < 6; ++i) {
                assert_close(-(a.wrench[i] - b.wrench[i]) / (2.0 * h), out.damping[i][k],
                             tolerance * largest);
            }
        }
    }
}

static void drag_jacobian_matches_finite_differences(void** state) {
    (void)state;
    uint64_t seed = 4;
    hwHydroDef def = hwDefaultHydroDef();
    for (int i = 0; i < 6; ++i) def.linearDrag[i] = 1.0 + i, def.quadraticDrag[i] = 10.0 - i;
    hwStripDef strip = {.from = {-1.0, 0.2, 0.0},
                        .to = {1.5, 0.3, 0.4},
                        .diameter = 0.2,
                        .normal = 1.1,
                        .tangential = 0.02,
                        .count = 7};
    def.stripCount = 1;
    def.strips = &strip;
    hwFluidSample samples[7];
    for (int i = 0; i < 7; ++i) {
        samples[i] = (hwFluidSample){.velocity = {0.1 * i, 0.2, -0.1}, .density = 1025.0, .viscosity = 1e-6};
    }
    hwHydroInput input = MakeInput(&def, hwMakeVec3(0.0, 0.0, -50.0));
    input.strips = samples;
    // central differences of |v| v: exact but for rounding 1e-16/1e-6 times the force
    CheckDamping(input, &seed, 1e-7);
}

static void strips_integrate_drag_along_a_turning_cylinder(void** state) {
    (void)state;
    // A cylinder of length L turning about its middle: moment 2 * integral of k (w s)^2 s ds = k w^2 L^4 / 32.
    hwHydroDef def = hwDefaultHydroDef();
    double moment[2];
    for (int refine = 0; refine < 2; ++refine) {
        hwStripDef strip = {.from = {-2.0, 0.0, 0.0},
                            .to = {2.0, 0.0, 0.0},
                            .diameter = 0.3,
                            .normal = 1.0,
                            .count = refine == 0 ? 20 : 40};
        hwFluidSample samples[40];
        for (int i = 0; i < 40; ++i) samples[i] = (hwFluidSample){.density = 1025.0, .viscosity = 1e-6};
        def.stripCount = 1;
        def.strips = &strip;
        hwHydroInput input = MakeInput(&def, hwMakeVec3(0.0, 0.0, -50.0));
        input.strips = samples;
        input.velocity[5] = 0.7;
        moment[refine] = Evaluate(&input).wrench[5];
    }
    double exact = -0.5 * 1025.0 * 0.3 * 0.49 * 256.0 / 32.0;
    // the midpoint rule: second order, so its Richardson extrapolation is exact for a cubic
    assert_close((4.0 * moment[1] - moment[0]) / 3.0, exact, 1e-9 * fabs(exact));
    // its own error for s^3 over n strips from the middle to the tip is 1/(2 n^2)
    assert_close(moment[1], exact, 1.01 * fabs(exact) / (2.0 * 20.0 * 20.0));
}

static void strips_feel_the_fluid_they_are_in(void** state) {
    (void)state;
    hwHydroDef def = hwDefaultHydroDef();
    hwStripDef strip = {
        .from = {0.0, 0.0, -1.0}, .to = {0.0, 0.0, 1.0}, .diameter = 0.3, .normal = 1.0, .count = 2};
    def.stripCount = 1;
    def.strips = &strip;
    hwFluidSample samples[2] = {{.density = 1025.0, .viscosity = 1e-6},
                                {.density = 1.2, .viscosity = 1.5e-5}};
    hwHydroInput input = MakeInput(&def, hwVec3_zero);
    input.strips = samples;
    input.velocity[0] = 2.0;
    assert_close(Evaluate(&input).wrench[0], -0.5 * (1025.0 + 1.2) * 0.3 * 1.0 * 4.0, 1e-9);
}

static void drag_curves_meet_their_limits(void** state) {
    (void)state;
    // Stokes: 24 / Re
    assert_close(hwDragCurve_Evaluate(HW_DRAG_SPHERE, 1e-3) * 1e-3, 24.0, 0.01);
    assert_close(hwDragCurve_Evaluate(HW_DRAG_SPHERE, 1e5), 0.5, 1e-12);
    assert_close(hwDragCurve_Evaluate(HW_DRAG_CYLINDER, 1e5), 1.2, 1e-12);
    assert_true(hwDragCurve_Evaluate(HW_DRAG_CYLINDER, 5e5) < 0.4); // past the drag crisis
    assert_close(hwDragCurve_Evaluate(HW_DRAG_CONSTANT, 123.0), 1.0, 0.0);
    // continuous: no jump larger than the slope allows
    for (int c = HW_DRAG_CYLINDER; c <= HW_DRAG_SPHERE; ++c) {
        for (double x = -3.0; x < 8.0; x += 0.001) {
            double a = hwDragCurve_Evaluate((hwDragCurve)c, pow(10.0, x));
            double b = hwDragCurve_Evaluate((hwDragCurve)c, pow(10.0, x + 0.001));
            assert_true(fabs(log(b / a)) < 0.03);
        }
    }
}

static void slow_sphere_feels_stokes_drag(void** state) {
    (void)state;
    hwHydroDef def = hwDefaultHydroDef();
    def.sphereDiameter = 1e-3;
    def.sphereDrag = 1.0;
    hwHydroInput input = MakeInput(&def, hwMakeVec3(0.0, 0.0, -50.0));
    input.velocity[0] = 1e-6; // Re = 1e-3
    double stokes = 3.0 * HW_PI * 1025.0 * 1e-6 * 1e-3 * 1e-6;
    // Oseen's correction is 3/16 Re
    assert_close(Evaluate(&input).wrench[0], -stokes, 3e-4 * stokes);
}

static void skin_friction_follows_the_ittc_line(void** state) {
    (void)state;
    hwHydroDef def = hwDefaultHydroDef();
    def.skinArea = 40.0;
    def.skinLength = 10.0;
    hwHydroInput input = MakeInput(&def, hwMakeVec3(0.0, 0.0, -50.0));
    input.velocity[0] = 3.0; // Re = 3e7
    double c = 0.075 / pow(log10(3e7) - 2.0, 2.0);
    assert_close(Evaluate(&input).wrench[0], -0.5 * 1025.0 * c * 40.0 * 9.0, 1e-8);
}

static void lift_is_across_the_stream_and_dissipates_nothing(void** state) {
    (void)state;
    hwHydroDef def = hwDefaultHydroDef();
    hwLiftDef lift = {.normal = {0.0, 0.0, 1.0}, .area = 0.5, .slope = 2.0 * HW_PI, .stall = 0.3};
    def.liftCount = 1;
    def.lifts = &lift;
    hwHydroInput input = MakeInput(&def, hwMakeVec3(0.0, 0.0, -50.0));
    input.velocity[0] = 2.0;
    input.velocity[2] = -0.1; // sinking while going ahead: the stream comes from below, the lift is up
    hwHydroOutput out = Evaluate(&input);
    double alpha = 0.05, speed2 = 4.01;
    assert_close(out.wrench[2], 0.5 * 1025.0 * 0.5 * speed2 * 2.0 * HW_PI * alpha, 0.01 * out.wrench[2]);
    assert_close(out.wrench[0] * 2.0 + out.wrench[2] * -0.1, 0.0, 1e-9);
    assert_close(out.dissipation, 0.0, 1e-9);
}

// The ends of a blunt hull: only the one that trails lifts, so both ways the moment works against the drift.
static void trailing_ends_lift_one_way(void** state) {
    (void)state;
    hwHydroDef def = hwDefaultHydroDef();
    hwLiftDef ends[2] = {
        {.at = {-1, 0, 0}, .normal = {0, 0, 1}, .area = 0.5, .slope = 2.0, .stall = 0.6, .ahead = {1, 0, 0}},
        {.at = {1, 0, 0}, .normal = {0, 0, 1}, .area = 0.5, .slope = 2.0, .stall = 0.6, .ahead = {-1, 0, 0}}};
    def.liftCount = 2;
    def.lifts = ends;
    hwHydroInput input = MakeInput(&def, hwMakeVec3(0.0, 0.0, -50.0));
    for (double u = -2.0; u <= 2.0; u += 4.0) {
        for (double w = -0.1; w >= -10.0; w *= 10.0) { // drift of 3, 27 and 79 degrees: nothing stalls
            input.velocity[0] = u;
            input.velocity[2] = w;
            hwHydroOutput out = Evaluate(&input);
            double lift = 0.5 * 1025.0 * 0.5 * 2.0 * fabs(u * w);
            assert_close(out.wrench[2], lift, 1e-12 * lift);
            assert_close(out.wrench[4], u > 0.0 ? lift : -lift, 1e-12 * lift); // bow down ahead, up astern
            assert_close(out.dissipation, -lift * w,
                         1e-12 * lift * fabs(w)); // into the wake, never out of it
        }
    }
    input.velocity[0] = 0.0;
    input.velocity[1] = 2.0; // sideways neither end trails
    assert_close(Evaluate(&input).wrench[2], 0.0, 1e-12);
}

// A barge of 30 x 6 x 4 m, its bottom 2 m deep, in pieces under a surface of given height and slope along x.
typedef struct Barge {
    hwShapeDef shape, pieces[64];
    hwSolid solid;
    hwHydroDef def;
    hwVec3 middles[64];
    hwFluidSample water[64];
    hwHydroInput input;
} Barge;

static void MakeBarge(Barge* b, double longest, double turn, double (*height)(double),
                      double (*slope)(double)) {
    b->solid = MakeBox(&b->shape, hwMakeVec3(30.0, 6.0, 4.0));
    b->def = hwDefaultHydroDef();
    b->def.volume = b->solid.volume;
    b->input = MakeInput(&b->def, hwMakeVec3(0.0, 0.0, 0.0));
    b->input.mass = 1025.0 * 360.0;
    b->input.pose.q = hwQuatFromRpy(turn, 0.5 * turn, 0.0);
    b->input.solid = &b->solid;
    b->input.pieceCount = hwSolid_CutIntoPieces(&b->solid, longest, b->pieces);
    b->input.pieces = b->pieces;
    b->input.pieceMiddles = b->middles;
    b->input.pieceWater = b->water;
    for (int k = 0; k < b->input.pieceCount; ++k) {
        b->middles[k] = b->pieces[k].pose.p;
        double x = hwTransformPoint(b->input.pose, b->middles[k]).x;
        b->water[k] = b->input.water;
        b->water[k].surface = height(x);
        b->water[k].normal = hwNormalize(hwMakeVec3(-slope(x), 0.0, 1.0));
    }
    b->input.water.surface = height(0.0);
    b->input.water.normal = hwNormalize(hwMakeVec3(-slope(0.0), 0.0, 1.0));
}

static double Still(double x) {
    return 0.0 * x;
}

static double Tilted(double x) {
    return 0.02 * x;
}

static double Tilt(double x) {
    return 0.02 + 0.0 * x;
}

#define WAVE (2.0 * HW_PI / 24.0) // rad/m: shorter than the barge

static double Wavy(double x) {
    return 0.8 * cos(WAVE * x + 0.7);
}

static double WavySlope(double x) {
    return -0.8 * WAVE * sin(WAVE * x + 0.7);
}

// Where the surface is a plane, cutting changes nothing but rounding.
static void pieces_are_the_whole_under_a_plane(void** state) {
    (void)state;
    for (int k = 0; k < 2; ++k) {
        Barge b;
        MakeBarge(&b, 3.0, k == 0 ? 0.0 : 0.1, k == 0 ? Still : Tilted, k == 0 ? Still : Tilt);
        assert_int_equal(b.input.pieceCount, 10 * 2);
        hwHydroOutput cut = Evaluate(&b.input);
        b.input.pieceCount = 0;
        hwHydroOutput whole = Evaluate(&b.input);
        double scale = 1025.0 * 9.81 * 360.0;
        for (int i = 0; i < 6; ++i) {
            assert_close(cut.wrench[i], whole.wrench[i], 1e-11 * scale);
            for (int j = 0; j < 6; ++j) {
                assert_close(cut.stiffness[i][j], whole.stiffness[i][j], 1e-10 * scale * 100.0);
            }
        }
        assert_close(cut.submerged, whole.submerged, 1e-12);
        assert_close(cut.potential, whole.potential, 1e-11 * scale);
    }
}

// Under a wave shorter than the barge: force and moment are the integrals of the height along it.
static void pieces_follow_a_short_wave(void** state) {
    (void)state;
    const double k = 1025.0 * 9.81 * 6.0, half = 15.0;
    // of 0.8 cos(K x + 0.7) and of x times that, from -half to half
    double area = 0.8 * (sin(WAVE * half + 0.7) - sin(-WAVE * half + 0.7)) / WAVE;
    double moment = 0.8 * ((half * sin(WAVE * half + 0.7) + half * sin(-WAVE * half + 0.7)) / WAVE +
                           (cos(WAVE * half + 0.7) - cos(-WAVE * half + 0.7)) / (WAVE * WAVE));
    double last = 1.0;
    for (int n = 0; n < 2; ++n) {
        Barge b;
        MakeBarge(&b, n == 0 ? 4.0 : 2.0, 0.0, Wavy, WavySlope);
        hwHydroOutput out = Evaluate(&b.input);
        double force = fabs(out.wrench[2] - k * (60.0 + area)) / (k * 24.0);
        double turning = fabs(out.wrench[4] + k * moment) / (k * 180.0);
        // a plane for each piece: (K l)^2 / 24 of its share, 1e-2 at 2 m
        assert_true(fmax(force, turning) < (n == 0 ? 0.03 : 0.01));
        assert_true(fmax(force, turning) < 0.35 * last);
        last = fmax(force, turning);
    }
}

static hwHydroDef EstimateOne(hwShapeDef shape, double density) {
    hwHydroDef hydro = hwDefaultHydroDef();
    hwError error;
    assert_int_equal(hwHydroDef_EstimateFromShapes(1, &shape, density, &hydro, &error), HW_OK);
    return hydro;
}

// A sphere's ellipsoid is the sphere: half the water it displaces, exactly, at its centre.
static void added_mass_of_a_sphere_from_its_shape(void** state) {
    (void)state;
    hwShapeDef sphere = hwDefaultShapeDef();
    sphere.kind = HW_SHAPE_SPHERE;
    sphere.radius = 1.5;
    sphere.pose.p = hwMakeVec3(0.3, -0.2, 0.7);
    hwHydroDef hydro = EstimateOne(sphere, 1000.0);
    double half = 0.5 * 1000.0 * 4.0 / 3.0 * HW_PI * 1.5 * 1.5 * 1.5;
    for (int k = 0; k < 3; k++) assert_true(fabs(hydro.addedMass[k][k] - half) < 1e-9 * half);
    // turning about the origin moves the centre
    assert_true(fabs(hydro.addedMass[3][3] - half * (0.2 * 0.2 + 0.7 * 0.7)) < 1e-9 * half);
    // w = z: the centre moves along -y0 = 0.2, x0 = 0.3
    assert_true(fabs(hydro.addedMass[0][5] - half * 0.2) < 1e-9 * half);
    assert_true(fabs(hydro.addedMass[1][5] - half * 0.3) < 1e-9 * half);
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) assert_true(hydro.addedMass[i][j] == hydro.addedMass[j][i]);
    }
    double drag = 0.5 * 1000.0 * 0.47 * HW_PI * 1.5 * 1.5;
    assert_true(fabs(hydro.quadraticDrag[0] - drag) < 1e-9 * drag);
}

// A cylinder of length 2 sqrt(3) r has the moments of a spheroid of ratio 2, for which Lamb (1932, art. 114) has closed forms in
// the eccentricity e: 0.210 along, 0.704 across, 0.239 turning.
static void added_mass_of_a_cylinder_is_that_of_its_spheroid(void** state) {
    (void)state;
    hwShapeDef cylinder = hwDefaultShapeDef();
    cylinder.kind = HW_SHAPE_CYLINDER;
    cylinder.radius = 0.5;
    cylinder.length = 2.0 * sqrt(3.0) * 0.5;
    hwHydroDef hydro = EstimateOne(cylinder, 1025.0);
    double b = 0.5 * sqrt(5.0) / 2.0, a = 2.0 * b, displaced = 1025.0 * 4.0 / 3.0 * HW_PI * a * b * b;
    double e = sqrt(0.75), logarithm = log((1.0 + e) / (1.0 - e));
    double along = 2.0 * (1.0 - e * e) / (e * e * e) * (0.5 * logarithm - e);
    double across = 1.0 / (e * e) - (1.0 - e * e) / (2.0 * e * e * e) * logarithm;
    double turn =
        e * e * e * e * (across - along) / ((2.0 - e * e) * (2.0 * e * e - (2.0 - e * e) * (across - along)));
    // rounding of the moments and of the integrals
    assert_true(fabs(hydro.addedMass[2][2] / displaced - along / (2.0 - along)) < 1e-9);
    assert_true(fabs(hydro.addedMass[0][0] / displaced - across / (2.0 - across)) < 1e-9);
    assert_true(fabs(hydro.addedMass[3][3] / (displaced * (a * a + b * b) / 5.0) - turn) < 1e-9);
    assert_true(hydro.addedMass[5][5] == 0.0); // about its axis
}

// A cube's drag on its face is 1.05 times pressure and area (Hoerner 1965); the estimate is within 2 %.
static void drag_of_a_cube_from_its_shape(void** state) {
    (void)state;
    hwShapeDef box = hwDefaultShapeDef();
    box.kind = HW_SHAPE_BOX;
    box.size = hwMakeVec3(2.0, 2.0, 2.0);
    hwHydroDef hydro = EstimateOne(box, 1000.0);
    double expected = 0.5 * 1000.0 * 1.05 * 4.0;
    assert_true(fabs(hydro.quadraticDrag[0] - expected) < 0.02 * expected);
    hwError error;
    hwHydroDef none = hwDefaultHydroDef();
    assert_int_equal(hwHydroDef_EstimateFromShapes(0, NULL, 1000.0, &none, &error), HW_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(added_mass_of_a_sphere_from_its_shape),
        cmocka_unit_test(added_mass_of_a_cylinder_is_that_of_its_spheroid),
        cmocka_unit_test(drag_of_a_cube_from_its_shape),
        cmocka_unit_test(buoyancy_of_a_half_submerged_box),
        cmocka_unit_test(buoyancy_is_the_gradient_of_its_potential),
        cmocka_unit_test(pieces_are_the_whole_under_a_plane),
        cmocka_unit_test(pieces_follow_a_short_wave),
        cmocka_unit_test(given_volume_and_centre_win_over_shapes),
        cmocka_unit_test(body_without_shapes_is_cut_as_a_ball),
        cmocka_unit_test(coefficients_hold_afloat_and_fade_aloft),
        cmocka_unit_test(added_mass_reaction_does_no_work_in_still_water),
        cmocka_unit_test(munk_moment_of_a_body_moving_askew),
        cmocka_unit_test(body_drifting_with_a_turning_stream_feels_nothing),
        cmocka_unit_test(accelerating_water_pushes_with_displaced_and_added_mass),
        cmocka_unit_test(dry_world_takes_coefficients_as_given),
        cmocka_unit_test(wind_acts_on_what_is_dry),
        cmocka_unit_test(drag_jacobian_matches_finite_differences),
        cmocka_unit_test(strips_integrate_drag_along_a_turning_cylinder),
        cmocka_unit_test(strips_feel_the_fluid_they_are_in),
        cmocka_unit_test(drag_curves_meet_their_limits),
        cmocka_unit_test(slow_sphere_feels_stokes_drag),
        cmocka_unit_test(skin_friction_follows_the_ittc_line),
        cmocka_unit_test(lift_is_across_the_stream_and_dissipates_nothing),
        cmocka_unit_test(trailing_ends_lift_one_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
