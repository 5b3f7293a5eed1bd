// Floating bodies by hydrodynamic coefficients: decay, response to waves, hydrostatics, energy, against solutions that do not
// come from the same code.
#include "support.h"

#include "../hydro/damper.h"
#include "hawser/hawser.h"
#include "hawser/reference.h"

#include <math.h>
#include <string.h>

enum { COUNT = 60, HEADINGS = 3 };
static const double g_mass = 2e6, g_added = 1e6, g_stiffness = 2.2e6;
static const Damper g_damper = {4e5, 0.6, 0.9};

static double g_frequencies[COUNT], g_damping[COUNT][36], g_headings[HEADINGS],
    g_excitation[HEADINGS][COUNT][6][2];

// A buoy that heaves; wave force 1e6 N/m ahead of the crest by 0.3 rad, whatever the frequency. Roll and pitch do not radiate.
static hwPotentialDef MakePotential(void) {
    memset(g_damping, 0, sizeof(g_damping));
    memset(g_excitation, 0, sizeof(g_excitation));
    hwPotentialDef def = {.frequencyCount = COUNT,
                          .frequencies = g_frequencies,
                          .damping = g_damping[0],
                          .headingCount = HEADINGS,
                          .headings = g_headings,
                          .excitation = &g_excitation[0][0][0][0]};
    for (int f = 0; f < COUNT; ++f) {
        g_frequencies[f] = 6.0 * (f + 1) / COUNT;
        g_damping[f][14] = Damper_B(&g_damper, g_frequencies[f]);
        for (int h = 0; h < HEADINGS; ++h) {
            g_headings[h] = HW_PI * h / (HEADINGS - 1);
            g_excitation[h][f][2][0] = 1e6 * cos(0.3);
            g_excitation[h][f][2][1] = 1e6 * sin(0.3);
            g_excitation[h][f][1][0] = 1e5 * sin(g_headings[h]);
        }
    }
    def.addedMass[2][2] = g_added;
    def.stiffness[2][2] = g_stiffness;
    def.stiffness[3][3] = 5e7;
    def.stiffness[4][4] = 8e7;
    return def;
}

static hwWorld* MakeBuoy(const hwPotentialDef* potential, double amplitude, double period, double direction,
                         double rise, double tolerance) {
    hwError error;
    hwWorldDef world = hwDefaultWorldDef();
    world.solver.tolerance = tolerance;
    hwWorld* w = hwCreateWorld(&world, &error);
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    hwAiryDef wave = {.height = 2.0 * amplitude, .period = period, .direction = direction};
    if (amplitude > 0.0) {
        sea.airyCount = 1;
        sea.airy = &wave;
    }
    assert_status(hwWorld_SetEnvironment(w, &sea, &error), HW_OK);
    hwBodyDef body = hwDefaultBodyDef();
    body.name = "buoy";
    body.mass = g_mass;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 4e7;
    body.com = hwMakeVec3(0.0, 0.0, -1.5);
    body.position = hwMakeVec3(0.0, 0.0, rise);
    body.potential = *potential;
    if (HW_IS_NULL(hwWorld_AddBody(w, &body, &error))) fail_msg("%s", error.message);
    assert_status(hwWorld_Prepare(w, &error), HW_OK);
    return w;
}

static double GetHeave(const hwWorld* world) {
    hwBodyState now;
    assert_status(hwBody_GetState(world, hwWorld_FindBody(world, "buoy"), &now, NULL), HW_OK);
    return now.position.z;
}

// The same body with the exact damper as two more states, r' = -g r - w0^2 s + b v, s' = r, force -r, by Runge and Kutta's
// fourth-order method with 1 ms: another equation and another method.
typedef struct Exact {
    double x, v, r, s;
} Exact;

static Exact GetRate(Exact y) {
    return (Exact){y.v, (-g_stiffness * y.x - y.r) / (g_mass + g_added),
                   g_damper.b * y.v - g_damper.g * y.r - g_damper.w0 * g_damper.w0 * y.s, y.r};
}

static Exact Add(Exact y, double h, Exact k) {
    return (Exact){y.x + h * k.x, y.v + h * k.v, y.r + h * k.r, y.s + h * k.s};
}

static Exact StepExact(Exact y, double h) {
    Exact a = GetRate(y), b = GetRate(Add(y, 0.5 * h, a)), c = GetRate(Add(y, 0.5 * h, b)),
          d = GetRate(Add(y, h, c));
    return Add(Add(Add(Add(y, h / 6, a), h / 3, b), h / 3, c), h / 6, d);
}

static void a_decay_is_that_of_the_exact_memory(void** state) {
    (void)state;
    hwPotentialDef def = MakePotential();
    for (int solver = 0; solver < 2; ++solver) {
        hwWorld* world = MakeBuoy(&def, 0, 0, 0, 1.0, 1e-6);
        hwError error;
        if (solver == 1) assert_status(hwWorld_UseReference(world, HW_REFERENCE_AUTO, &error), HW_OK);
        Exact exact = {1.0, 0, 0, 0};
        double worst = 0.0;
        hwEnergy start = hwWorld_GetEnergy(world);
        for (int k = 0; k < 300; ++k) {
            for (int n = 0; n < 100; ++n) exact = StepExact(exact, 1e-3);
            if (hwWorld_Step(world, 0.1, &error) < HW_OK) fail_msg("%s", error.message);
            worst = fmax(worst, fabs(GetHeave(world) - exact.x));
        }
        // The fit of B is 2 % of its largest off (test_radiation), which damps the decay by as much more or less.
        if (!(worst < 0.015)) fail_msg("decay is off by %g m", worst);
        assert_true(fabs(exact.x) < 0.4);
        hwEnergy end = hwWorld_GetEnergy(world);
        double before = start.kinetic + start.potential + start.elastic,
               after = end.kinetic + end.potential + end.elastic;
        assert_close(before, 0.5 * g_stiffness, 1e-6 * g_stiffness);
        // Everything that is gone is in the waves that the lines have let go.
        assert_true(end.dissipated > 0.5 * before);
        assert_true(fabs(after + end.dissipated - before) < (solver == 0 ? 1e-3 : 1e-5) * before);
        // and with what the steps themselves damp, to what Newton's method leaves
        double off = fabs(after + end.dissipated + end.method - before) / before;
        if (!(off < 1e-5)) fail_msg("balance is off by %g", off);
        assert_true(end.work == 0.0);
        hwDestroyWorld(world);
    }
}

// Amplitude and phase against (C - w^2 (M + A) + i w B) x = X, with the closed forms of A and B.
static void waves_move_it_by_the_frequency_domain_solution(void** state) {
    (void)state;
    hwPotentialDef def = MakePotential();
    static const double omegas[] = {0.5, 0.8, 1.2, 2.0};
    for (int k = 0; k < 4; ++k) {
        double w = omegas[k], period = 2 * HW_PI / w;
        hwWorld* world = MakeBuoy(&def, 0.7, period, 0.0, 0.0, 1e-5);
        hwError error;
        if (hwWorld_Step(world, 30 * period, &error) < HW_OK) fail_msg("%s", error.message);
        // First harmonic over one period.
        double c = 0, s = 0;
        enum { SAMPLES = 64 };
        for (int n = 0; n < SAMPLES; ++n) {
            double t = hwWorld_GetTime(world), x = GetHeave(world);
            c += 2.0 / SAMPLES * x * cos(w * t);
            s += 2.0 / SAMPLES * x * sin(w * t);
            if (hwWorld_Step(world, period / SAMPLES, &error) < HW_OK) fail_msg("%s", error.message);
        }
        double real = g_stiffness - w * w * (g_mass + g_added + Damper_A(&g_damper, w)),
               imaginary = w * Damper_B(&g_damper, w);
        double amplitude = 0.7 * 1e6 / hypot(real, imaginary), phase = 0.3 - atan2(imaginary, real);
        // The waves are cos(k x - w t) at the origin: x = Re(X exp(i w t)), c - i s = X.
        // B and A are 2 % of their largest off (test_radiation), which near resonance is as much of the amplitude.
        double found = hypot(c, s), off = remainder(atan2(-s, c) - phase, 2 * HW_PI);
        if (!(fabs(found / amplitude - 1) < 0.02)) fail_msg("w %g: %g m, not %g", w, found, amplitude);
        if (!(fabs(off) < 0.03)) fail_msg("w %g: phase off by %g", w, off);
        hwEnergy energy = hwWorld_GetEnergy(world);
        double balance = energy.kinetic + energy.potential + energy.elastic + energy.dissipated - energy.work;
        assert_true(energy.work > 0 && fabs(balance) < 2e-3 * energy.work);
        hwDestroyWorld(world);
    }
}

// Forces by the table: waves to the other side push it to the other side.
static void waves_from_the_other_side_mirror_sway(void** state) {
    (void)state;
    hwPotentialDef def = MakePotential();
    double force[2], heave[2];
    for (int side = 0; side < 2; ++side) {
        hwWorld* world = MakeBuoy(&def, 1.0, 6.0, side ? -1.0 : 1.0, 0.0, 1e-4);
        int channel = hwWorld_FindChannel(world, "buoy.excitation.force.y");
        int other = hwWorld_FindChannel(world, "buoy.excitation.force.z");
        assert_true(channel >= 0 && other >= 0);
        assert_true(hwWorld_FindChannel(world, "buoy.radiation.moment.x") >= 0);
        hwWorld_ReadChannels(world, 1, &channel, &force[side]);
        hwWorld_ReadChannels(world, 1, &other, &heave[side]);
        hwDestroyWorld(world);
    }
    // Halfway between headings of 0 and 90 degrees by a straight line: sin is 0.64, not 0.84.
    assert_close(force[0], 1e5 * (1.0 / (0.5 * HW_PI)), 1.0);
    assert_close(force[1], -force[0], 1e-6);
    assert_close(heave[0], 1e6 * cos(0.3), 1e-3);
    assert_close(heave[1], heave[0], 1e-6);
}

// Roll and pitch: period 2 pi sqrt(I/C) about the centre of mass's place, and no energy lost at 0.5 rad.
static void tilts_swing_without_losing_energy(void** state) {
    (void)state;
    hwPotentialDef def = MakePotential();
    hwWorld* world = MakeBuoy(&def, 0, 0, 0, 0.0, 1e-6);
    hwError error;
    hwBodyState now;
    hwBodyId buoy = hwWorld_FindBody(world, "buoy");
    assert_status(hwBody_GetState(world, buoy, &now, &error), HW_OK);
    now.attitude = hwQuatFromRpy(0.3, -0.4, 0.7);
    assert_status(hwBody_SetState(world, buoy, &now, &error), HW_OK);
    hwEnergy before = hwWorld_GetEnergy(world);
    double swing = 0.0;
    for (int k = 0; k < 100; ++k) {
        if (hwWorld_Step(world, 0.1, &error) < HW_OK) fail_msg("%s", error.message);
        swing = fmax(swing, hwWorld_GetEnergy(world).kinetic);
    }
    hwEnergy after = hwWorld_GetEnergy(world);
    double drift = after.kinetic + after.potential + after.elastic + after.dissipated - before.kinetic -
                   before.potential - before.elastic;
    assert_true(swing > 1e6);
    assert_true(fabs(drift) < 2e-3 * swing);
    hwDestroyWorld(world);
}

// A steady force of 220 kN lifts it by 0.1 m in statics, and there it stays.
static void statics_and_states(void** state) {
    (void)state;
    hwPotentialDef def = MakePotential();
    hwWorld* world = MakeBuoy(&def, 0, 0, 0, 0.0, 1e-5);
    hwError error;
    hwBodyId buoy = hwWorld_FindBody(world, "buoy");
    assert_status(hwBody_ApplyWrench(world, buoy, hwMakeVec3(0, 0, 2.2e5), hwMakeVec3(0, 0, 0),
                                     hwMakeVec3(0, 0, 0), HW_FRAME_BODY, &error),
                  HW_OK);
    if (hwWorld_Settle(world, &error) < HW_OK) fail_msg("%s", error.message);
    assert_close(GetHeave(world), 0.1, 1e-6);
    if (hwWorld_Step(world, 5.0, &error) < HW_OK) fail_msg("%s", error.message);
    assert_close(GetHeave(world), 0.1, 1e-6);
    // The waves that it has made are in the state: saved, run on, restored, run on again to the same bits.
    assert_status(hwBody_ClearForces(world, buoy, &error), HW_OK);
    if (hwWorld_Step(world, 2.0, &error) < HW_OK) fail_msg("%s", error.message);
    size_t size = hwWorld_GetStateSize(world);
    void* kept = malloc(size);
    assert_status(hwWorld_SaveState(world, kept, size, &error), HW_OK);
    if (hwWorld_Step(world, 3.0, &error) < HW_OK) fail_msg("%s", error.message);
    double there = GetHeave(world);
    assert_status(hwWorld_RestoreState(world, kept, size, &error), HW_OK);
    if (hwWorld_Step(world, 3.0, &error) < HW_OK) fail_msg("%s", error.message);
    assert_true(GetHeave(world) == there && fabs(there) > 1e-4);
    free(kept);
    hwDestroyWorld(world);
}

// It drifts through calm water, then a sea comes: waves meet it where it is, not where it was.
static void a_sea_that_comes_later_meets_it_where_it_is(void** state) {
    (void)state;
    hwError error;
    hwPotentialDef potential = MakePotential();
    hwWorld* world = MakeBuoy(&potential, 0.0, 1.0, 0.0, 0.0, 1e-4);
    hwBodyId buoy = hwWorld_FindBody(world, "buoy");
    hwBodyState now;
    assert_status(hwBody_GetState(world, buoy, &now, &error), HW_OK);
    now.velocity.x = 2.0;
    assert_status(hwBody_SetState(world, buoy, &now, &error), HW_OK);
    if (hwWorld_Step(world, 40.0, &error) < HW_OK) fail_msg("%s", error.message);
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    hwAiryDef wave = {.height = 2.0, .period = 8.0};
    sea.water = true;
    sea.airyCount = 1;
    sea.airy = &wave;
    assert_status(hwWorld_SetEnvironment(world, &sea, &error), HW_OK);
    assert_status(hwWorld_Prepare(world, &error), HW_OK);
    assert_status(hwBody_GetState(world, buoy, &now, &error), HW_OK);
    assert_true(now.position.x > 50.0);
    double omega = 2.0 * HW_PI / 8.0,
           theta = omega * omega / sea.gravity * now.position.x - omega * hwWorld_GetTime(world);
    // in deep water, ahead of the crest by 0.3 rad; rounding of the wave number
    assert_close(hwWorld_ReadChannel(world, hwWorld_FindChannel(world, "buoy.excitation.force.z")),
                 1e6 * cos(theta - 0.3), 1.0);
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_decay_is_that_of_the_exact_memory),
        cmocka_unit_test(waves_move_it_by_the_frequency_domain_solution),
        cmocka_unit_test(waves_from_the_other_side_mirror_sway),
        cmocka_unit_test(tilts_swing_without_losing_energy),
        cmocka_unit_test(statics_and_states),
        cmocka_unit_test(a_sea_that_comes_later_meets_it_where_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
