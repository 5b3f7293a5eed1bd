// A ship that answers the waves by its response operators.
#include "support.h"

#include "hawser/hawser.h"

#define PERIODS 2
#define HEADINGS 3

// Amplitudes that differ by freedom, heading and period, phases by freedom.
static double rows[HEADINGS][PERIODS][6][2];
static const double headings[HEADINGS] = {0.0, 0.5 * HW_PI, HW_PI}, periods[PERIODS] = {6.0, 10.0};

static hwRaoDef MakeRao(void) {
    for (int i = 0; i < HEADINGS; ++i) {
        for (int j = 0; j < PERIODS; ++j) {
            for (int k = 0; k < 6; ++k) {
                rows[i][j][k][0] = (k < 3 ? 0.5 : 0.05) * (1.0 + 0.2 * i + 0.1 * j) + 0.01 * k;
                rows[i][j][k][1] = 0.3 * k - 0.5;
            }
        }
    }
    return (hwRaoDef){HEADINGS, headings, PERIODS, periods, &rows[0][0][0][0]};
}

// `height` and direction of a wave of 8 s; the ship's mean course is `yaw`, its mean place goes by `position`.
static hwWorld* MakeSea(double height, double direction, double yaw, hwSignal position, const hwRaoDef* rao,
                        double ramp, hwBodyId* ship) {
    hwError error;
    hwAiryDef airy = {.height = height, .period = 8.0, .direction = direction, .phase = 0.7};
    hwEnvironmentDef environment = hwDefaultEnvironmentDef();
    environment.water = true;
    environment.airyCount = 1;
    environment.airy = &airy;
    environment.waveRamp = ramp;
    environment.waveStart = 1.0;
    hwWorldDef def = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&def, &error);
    assert_status(hwWorld_SetEnvironment(world, &environment, &error), HW_OK);
    hwBodyDef body = hwDefaultBodyDef();
    body.name = "ship";
    body.motion = HW_MOTION_PRESCRIBED;
    body.position = hwMakeVec3(12.0, -7.0, 3.0);
    body.attitude = hwQuatFromRpy(0.0, 0.0, yaw);
    body.prescribedPosition = position;
    body.rao = *rao;
    *ship = hwWorld_AddBody(world, &body, &error);
    if (HW_IS_NULL(*ship)) fail_msg("%s", error.message);
    if (hwWorld_Prepare(world, &error) != HW_OK) fail_msg("%s", error.message);
    return world;
}

static hwBodyState ReadAt(hwWorld* world, hwBodyId ship, double time) {
    hwBodyState state;
    double now = hwWorld_GetTime(world);
    assert_status(hwWorld_Step(world, time - now, NULL), HW_OK);
    assert_status(hwBody_GetState(world, ship, &state, NULL), HW_OK);
    return state;
}

// A raft with heave 1 m/m and no phase goes with the water's surface.
static void a_raft_follows_the_surface(void** state) {
    (void)state;
    double raft[1][1][6][2] = {{{{0}, {0}, {1.0, 0.0}}}}, heading = 0.0, period = 8.0;
    hwRaoDef rao = {1, &heading, 1, &period, &raft[0][0][0][0]};
    hwBodyId ship;
    hwWorld* world = MakeSea(2.0, 0.5, 1.2, (hwSignal){0}, &rao, 0.0, &ship);
    for (int i = 1; i < 20; ++i) {
        hwBodyState s = ReadAt(world, ship, 0.7 * i);
        hwVec3 place = {12.0, -7.0, 0.0};
        hwFluidSample fluid;
        assert_status(hwWorld_SampleFluid(world, 1, &place, hwWorld_GetTime(world), &fluid, NULL), HW_OK);
        // the same sum of harmonics, computed elsewhere
        assert_close(s.position.z - 3.0, fluid.surface, 1e-12);
        assert_close(s.velocity.z, fluid.surfaceRate, 1e-12);
    }
    hwDestroyWorld(world);
}

// Each freedom by the formula amplitude |R| cos(k.x - omega t + phase - arg R), R read between four corners by hand.
static void each_freedom_has_its_operator(void** state) {
    (void)state;
    hwRaoDef rao = MakeRao();
    for (int side = -1; side <= 1; side += 2) {
        hwBodyId ship;
        double yaw = 1.2, relative = side * 0.75 * HW_PI;
        hwWorld* world = MakeSea(0.2, yaw + relative, yaw, (hwSignal){0}, &rao, 0.0, &ship);
        hwWaveComponent wave;
        assert_int_equal(hwWorld_GetWaves(world, 1, &wave), 1);
        hwBodyState s = ReadAt(world, ship, 3.3);
        double theta = wave.k * (12.0 * cos(wave.direction) - 7.0 * sin(wave.direction)) -
                       wave.omega * hwWorld_GetTime(world) + wave.phase;
        hwVec3 moved =
            hwInvRotate(hwQuatFromRpy(0.0, 0.0, yaw), hwSub(s.position, hwMakeVec3(12.0, -7.0, 3.0)));
        hwVec3 rpy = hwRpyFromQuat(s.attitude);
        double got[6] = {moved.x, moved.y, moved.z, rpy.x, rpy.y, rpy.z - yaw};
        for (int k = 0; k < 6; ++k) {
            double re = 0.0, im = 0.0;
            for (int corner = 0; corner < 4; ++corner) {
                const double* r = rows[1 + corner / 2][corner % 2][k];
                re += 0.25 * r[0] * cos(r[1]);
                im += 0.25 * r[0] * sin(r[1]);
            }
            double sign = side < 0 && k % 2 == 1 ? -1.0 : 1.0;
            assert_close(got[k], sign * 0.1 * (re * cos(theta) + im * sin(theta)), 1e-12);
        }
        hwDestroyWorld(world);
    }
}

// Velocity and acceleration are derivatives, also while the mean place speeds up and the waves grow.
static void rates_are_derivatives(void** state) {
    (void)state;
    hwRaoDef rao = MakeRao();
    hwSignalTerm ramp = hwRampTerm(hwMakeVec3(0, 0, 0), hwMakeVec3(60, 20, 0), 0.0, 20.0);
    hwSignal position = {1, &ramp};
    hwBodyId ship;
    hwWorld* world = MakeSea(2.0, 0.4, -0.3, position, &rao, 9.0, &ship);
    double h = 1e-3;
    for (int i = 1; i < 10; ++i) {
        double t = 1.7 * i;
        hwBodyState before = ReadAt(world, ship, t - h), now = ReadAt(world, ship, t),
                    after = ReadAt(world, ship, t + h);
        // central differences: h^2 / 6 of the third derivative, below 1 m/s3
        hwVec3 v = hwScale(0.5 / h, hwSub(after.position, before.position));
        hwVec3 a = hwScale(0.5 / h, hwSub(after.velocity, before.velocity));
        hwVec3 turn = hwRotationVectorFromQuat(hwMulQuat(hwConjugate(before.attitude), after.attitude));
        hwVec3 alpha = hwScale(0.5 / h, hwSub(after.rate, before.rate));
        assert_close_vec3(now.velocity, v, 1e-6);
        assert_close_vec3(now.acceleration, a, 1e-6);
        assert_close_vec3(now.rate, hwScale(0.5 / h, turn), 1e-6);
        assert_close_vec3(now.rateAcceleration, alpha, 1e-6);
    }
    hwDestroyWorld(world);
}

// The water grows with the ship: surface and flow are those of the grown sea times a factor, their rates its derivatives.
static void a_growing_sea_is_smooth(void** state) {
    (void)state;
    hwRaoDef rao = MakeRao();
    hwBodyId ship;
    hwWorld* grown = MakeSea(2.0, 0.4, 0.0, (hwSignal){0}, &rao, 0.0, &ship);
    hwWorld* growing = MakeSea(2.0, 0.4, 0.0, (hwSignal){0}, &rao, 10.0, &ship);
    hwVec3 place = {3.0, 4.0, -5.0};
    hwFluidSample a, b, before, after;
    double h = 1e-4;
    assert_status(hwWorld_SampleFluid(growing, 1, &place, 1.0, &a, NULL), HW_OK);
    assert_true(a.surface == 0.0 && hwLength(a.velocity) == 0.0 && hwLength(a.acceleration) == 0.0);
    for (double time = 1.5; time < 13.0; time += 1.0) {
        hwWorld_SampleFluid(grown, 1, &place, time, &a, NULL);
        hwWorld_SampleFluid(growing, 1, &place, time, &b, NULL);
        hwWorld_SampleFluid(growing, 1, &place, time - h, &before, NULL);
        hwWorld_SampleFluid(growing, 1, &place, time + h, &after, NULL);
        double s = fmin((time - 1.0) / 10.0, 1.0), factor = s * s * s * (10.0 - 15.0 * s + 6.0 * s * s);
        assert_close(b.surface, factor * a.surface, 1e-12);
        // central differences of second order; stretching to the moving surface adds k times the surface's rate, which
        // linear theory leaves out of the acceleration
        assert_close(b.surfaceRate, (after.surface - before.surface) / (2.0 * h), 1e-7);
        assert_close_vec3(b.acceleration, hwScale(0.5 / h, hwSub(after.velocity, before.velocity)), 0.06);
        if (s == 1.0) assert_close_vec3(b.velocity, a.velocity, 0.0);
    }
    hwDestroyWorld(grown);
    hwDestroyWorld(growing);
}

static void operators_that_make_no_sense_are_refused(void** state) {
    (void)state;
    hwError error;
    hwWorldDef worldDef = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&worldDef, &error);
    hwBodyDef body = hwDefaultBodyDef();
    body.name = "ship";
    body.motion = HW_MOTION_PRESCRIBED;
    body.rao = MakeRao();
    double reversed[HEADINGS] = {0.0, 2.0, 1.0};
    body.rao.headings = reversed;
    assert_true(HW_IS_NULL(hwWorld_AddBody(world, &body, &error)));
    assert_non_null(strstr(error.message, "headings"));
    body.rao = MakeRao();
    double negative[PERIODS] = {-1.0, 2.0};
    body.rao.periods = negative;
    assert_true(HW_IS_NULL(hwWorld_AddBody(world, &body, &error)));
    assert_non_null(strstr(error.message, "periods"));
    body.rao = MakeRao();
    hwSignalTerm turn = hwConstantTerm(hwMakeVec3(0, 0, 1));
    body.prescribedAttitude = (hwSignal){1, &turn};
    assert_true(HW_IS_NULL(hwWorld_AddBody(world, &body, &error)));
    assert_non_null(strstr(error.message, "mean attitude"));
    hwDestroyWorld(world);
}

typedef struct Warnings {
    int periods, headings;
} Warnings;

static void NoteWarning(hwLogLevel level, const char* text, void* context) {
    Warnings* warnings = context;
    warnings->periods += level == HW_LOG_WARNING && strstr(text, "for periods from") != NULL;
    warnings->headings += level == HW_LOG_WARNING && strstr(text, "for headings from") != NULL;
}

// Waves that a table does not know are answered as at its edge, and that is said where it counts.
static void waves_beyond_the_table_are_named(void** state) {
    (void)state;
    const struct {
        double period, direction;
        int headings, noPeriods, noHeadings; // of the table; what is said
    } cases[] = {{8.0, 1.0, 3, 0, 0}, {5.9, 1.0, 3, 1, 0},  {10.1, -1.0, 3, 1, 0}, {8.0, 1.6, 2, 0, 1},
                 {8.0, 1.5, 2, 0, 0}, {8.0, -3.0, 2, 0, 1}, {12.0, 3.0, 2, 1, 1}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        Warnings warnings = {0};
        hwError error;
        hwAiryDef airy = {.height = 2.0, .period = cases[i].period, .direction = cases[i].direction};
        hwEnvironmentDef environment = hwDefaultEnvironmentDef();
        environment.water = true;
        environment.airyCount = 1;
        environment.airy = &airy;
        hwWorldDef def = hwDefaultWorldDef();
        def.log = NoteWarning;
        def.logContext = &warnings;
        hwWorld* world = hwCreateWorld(&def, &error);
        assert_status(hwWorld_SetEnvironment(world, &environment, &error), HW_OK);
        hwBodyDef body = hwDefaultBodyDef();
        body.name = "ship";
        body.motion = HW_MOTION_PRESCRIBED;
        body.rao = MakeRao();
        body.rao.headingCount = cases[i].headings;
        assert_false(HW_IS_NULL(hwWorld_AddBody(world, &body, &error)));
        assert_status(hwWorld_Prepare(world, &error), HW_OK);
        assert_int_equal(warnings.periods, cases[i].noPeriods);
        assert_int_equal(warnings.headings, cases[i].noHeadings);
        hwDestroyWorld(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_raft_follows_the_surface),
        cmocka_unit_test(each_freedom_has_its_operator),
        cmocka_unit_test(rates_are_derivatives),
        cmocka_unit_test(a_growing_sea_is_smooth),
        cmocka_unit_test(waves_beyond_the_table_are_named),
        cmocka_unit_test(operators_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
