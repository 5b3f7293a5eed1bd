// A ship that answers the waves as a floating box does.
#include "support.h"

#include "hawser/hawser.h"

#include <stdio.h>

#define YAW 1.2 // rad, mean course

static const hwVec3 g_place = {12.0, -7.0, 0.3};
static const hwFloatingBoxDef g_boat = {
    .length = 6.0, .beam = 2.0, .draught = 0.6, .rollPeriod = 2.2, .rollDamping = 0.2};

// Small waves that go `heading` off the ship's course.
static hwWorld* MakeSea(const hwFloatingBoxDef* box, double height, double period, double heading,
                        double depth, hwBodyId* ship) {
    hwError error;
    hwAiryDef airy = {.height = height, .period = period, .direction = YAW + heading, .phase = 0.7};
    hwEnvironmentDef environment = hwDefaultEnvironmentDef();
    environment.water = true;
    environment.airyCount = 1;
    environment.airy = &airy;
    if (depth > 0.0) {
        environment.seabed.kind = HW_SEABED_PLANE;
        environment.seabed.depth = depth;
    }
    hwWorldDef def = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&def, &error);
    assert_status(hwWorld_SetEnvironment(world, &environment, &error), HW_OK);
    hwBodyDef body = hwDefaultBodyDef();
    body.name = "ship";
    body.motion = HW_MOTION_PRESCRIBED;
    body.position = g_place;
    body.attitude = hwQuatFromRpy(0.0, 0.0, YAW);
    body.box = *box;
    *ship = hwWorld_AddBody(world, &body, &error);
    if (HW_IS_NULL(*ship)) fail_msg("%s", error.message);
    if (hwWorld_Prepare(world, &error) != HW_OK) fail_msg("%s", error.message);
    return world;
}

// Surge, sway, heave, roll, pitch, yaw per amplitude: the parts that go with cos and sin of the wave's phase at the ship.
static void Measure(const hwFloatingBoxDef* box, double period, double heading, double depth,
                    double parts[6][2], hwWaveComponent* wave) {
    hwBodyId ship;
    hwWorld* world = MakeSea(box, 0.02, period, heading, depth, &ship);
    assert_int_equal(hwWorld_GetWaves(world, 1, wave), 1);
    memset(parts, 0, 12 * sizeof(double));
    // two instants a quarter of a period apart are enough
    for (int i = 0; i < 2; ++i) {
        assert_status(hwWorld_Step(world, 0.25 * period, NULL), HW_OK);
        hwBodyState s;
        assert_status(hwBody_GetState(world, ship, &s, NULL), HW_OK);
        double theta = wave->k * (g_place.x * cos(wave->direction) + g_place.y * sin(wave->direction)) -
                       wave->omega * hwWorld_GetTime(world) + wave->phase;
        hwVec3 moved = hwInvRotate(hwQuatFromRpy(0.0, 0.0, YAW), hwSub(s.position, g_place));
        hwVec3 rpy = hwRpyFromQuat(s.attitude);
        double got[6] = {moved.x, moved.y, moved.z, rpy.x, rpy.y, rpy.z - YAW};
        for (int k = 0; k < 6; ++k) {
            parts[k][0] += got[k] / wave->amplitude * cos(theta);
            parts[k][1] += got[k] / wave->amplitude * sin(theta);
        }
    }
    hwDestroyWorld(world);
}

typedef struct Sum {
    double c, s; // of cos and sin of the wave's phase amidships
} Sum;

// x with (stiff + damp d/dt / omega) x = f: d/dt turns cos(theta) into omega sin(theta) and sin into -omega cos.
static Sum Solve(double stiff, double damp, Sum f) {
    double size = stiff * stiff + damp * damp;
    return (Sum){(stiff * f.c + damp * f.s) / size, (stiff * f.s - damp * f.c) / size};
}

static void Add(Sum* sum, double weight, double c, double s) {
    sum->c += weight * c;
    sum->s += weight * s;
}

// The same box as cells of bottom, each with the water's motion at its own place, added up: no closed form.
static void AddUp(const hwFloatingBoxDef* box, const hwWaveComponent* wave, double heading,
                  double out[6][2]) {
    enum { ALONG = 300, ACROSS = 100, DOWN = 100 };
    double g = hwDefaultEnvironmentDef().gravity, nu = wave->omega * wave->omega / g, k = wave->k;
    double T = box->draught, B = box->beam, made = 2.0 * exp(-nu * T) * sin(0.5 * nu * B);
    double damp = made * made / (nu * B), bottom = exp(-k * T), water = 0.0, xx = 0.0, yy = 0.0;
    for (int i = 0; i < DOWN; ++i) water += exp(-k * T * (i + 0.5) / DOWN) / DOWN * k / nu;
    Sum sum[6] = {{0}};
    for (int i = 0; i < ALONG * ACROSS; ++i) {
        double x = box->length * ((i / ACROSS + 0.5) / ALONG - 0.5),
               y = B * ((i % ACROSS + 0.5) / ACROSS - 0.5);
        double phase = k * (x * cos(heading) + y * sin(heading)), c = cos(phase), s = sin(phase);
        // Level cos(theta + phase), its rate over omega sin(theta + phase), displacement -sin(theta + phase) onwards.
        double liftC = bottom * ((1.0 - nu * T) * c + damp * s),
               liftS = bottom * (damp * c - (1.0 - nu * T) * s);
        Add(&sum[0], cos(heading) * water, -s, -c);
        Add(&sum[1], sin(heading) * water, -s, -c);
        Add(&sum[2], 1.0, liftC, liftS);
        Add(&sum[3], y, bottom * c, -bottom * s); // port up
        Add(&sum[4], -x, liftC, liftS);           // bow down
        Add(&sum[5], (x * sin(heading) - y * cos(heading)) * water, -s, -c);
        xx += x * x;
        yy += y * y;
    }
    double ratio = wave->omega * box->rollPeriod / (2.0 * HW_PI),
           size[6] = {ALONG * ACROSS, ALONG * ACROSS, ALONG * ACROSS, yy, xx, xx + yy};
    for (int i = 0; i < 6; ++i) {
        if (i == 2 || i == 4) sum[i] = Solve(1.0 - 2.0 * nu * T, damp, sum[i]);
        if (i == 3) sum[i] = Solve(1.0 - ratio * ratio, 2.0 * box->rollDamping * ratio, sum[i]);
        out[i][0] = sum[i].c / size[i];
        out[i][1] = sum[i].s / size[i];
    }
}

static void each_freedom_is_the_sum_over_the_bottom(void** state) {
    (void)state;
    const double periods[] = {1.55, 2.2, 3.0, 5.0, 12.0}, headings[] = {0.0, 0.6, -1.1, 1.9, HW_PI},
                 depths[] = {0.0, 4.0};
    for (int i = 0; i < 50; ++i) {
        double period = periods[i % 5], heading = headings[i / 5 % 5], got[6][2], expected[6][2];
        hwWaveComponent wave;
        Measure(&g_boat, period, heading, depths[i / 25], got, &wave);
        AddUp(&g_boat, &wave, heading, expected);
        for (int k = 0; k < 6; ++k) {
            // the middles of cells: (k L / cells)^2 / 24 of the shortest wave, times the gain at resonance
            assert_close(got[k][0], expected[k][0], 2e-4);
            assert_close(got[k][1], expected[k][1], 2e-4);
        }
    }
}

// On waves much longer than itself it lies on the water: bow, stern and both sides stay as high above it as they were.
static void a_long_wave_carries_it(void** state) {
    (void)state;
    for (double heading = -3.0; heading < 3.2; heading += 0.6) {
        hwBodyId ship;
        hwWorld* world = MakeSea(&g_boat, 2.0, 20.0, heading, 0.0, &ship);
        for (int i = 0; i < 12; ++i) {
            assert_status(hwWorld_Step(world, 1.7, NULL), HW_OK);
            hwBodyState s;
            assert_status(hwBody_GetState(world, ship, &s, NULL), HW_OK);
            const hwVec3 points[] = {{3.0, 0.0, 0.0}, {-3.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, -1.0, 0.0}};
            for (int k = 0; k < 4; ++k) {
                // the wave where the box belongs: its response is linear, its drift with the water not part of the phase
                hwVec3 place = hwAdd(g_place, hwRotate(hwQuatFromRpy(0.0, 0.0, YAW), points[k]));
                hwFluidSample fluid;
                assert_status(hwWorld_SampleFluid(world, 1, &place, hwWorld_GetTime(world), &fluid, NULL),
                              HW_OK);
                // a 1 m high crest of 624 m: k T = 0.6 %, the resonance of heave likewise
                hwVec3 there = hwAdd(s.position, hwRotate(s.attitude, points[k]));
                assert_close(there.z - g_place.z, fluid.surface, 0.012);
            }
        }
        hwDestroyWorld(world);
    }
}

// Short waves hardly move it: two lengths of wave fit below it.
static void a_short_wave_passes_below(void** state) {
    (void)state;
    double parts[6][2];
    hwWaveComponent wave;
    Measure(&g_boat, sqrt(2.0 * HW_PI * 3.0 / 9.81), 0.0, 0.0, parts, &wave);
    for (int k = 0; k < 3; ++k) assert_close(hypot(parts[k][0], parts[k][1]), 0.0, 0.02);
}

// In head and following seas sizes are those of a table that was computed elsewhere for a supply vessel of 90 m.
static void sizes_are_those_of_the_supply_vessel(void** state) {
    (void)state;
    const hwFloatingBoxDef vessel = {
        .length = 90.0, .beam = 18.0, .draught = 5.0, .rollPeriod = 11.0, .rollDamping = 0.1};
    FILE* file = fopen(HAWSER_SOURCE_DIR "/scenes/supply_vessel_rao.csv", "r");
    assert_non_null(file);
    char line[400];
    int rows = 0;
    while (fgets(line, sizeof(line), file) != NULL) {
        double heading, period, surge, heave, pitch;
        if (sscanf(line, "%lf,%lf,%lf,%*f,%*f,%*f,%lf,%*f,%*f,%*f,%lf", &heading, &period, &surge, &heave,
                   &pitch) != 5 ||
            (heading != 0.0 && heading != 180.0))
            continue;
        double parts[6][2];
        hwWaveComponent wave;
        Measure(&vessel, period, heading * HW_DEGREE, 0.0, parts, &wave);
        // four digits, and gravity of four
        assert_close(hypot(parts[0][0], parts[0][1]), fabs(surge), 1e-3);
        assert_close(hypot(parts[2][0], parts[2][1]), fabs(heave), 1e-3);
        assert_close(hypot(parts[4][0], parts[4][1]), fabs(pitch) * HW_DEGREE, 1e-3 * HW_DEGREE);
        rows += 1;
    }
    fclose(file);
    assert_true(rows >= 20);
}

static void boxes_that_make_no_sense_are_refused(void** state) {
    (void)state;
    hwError error;
    hwWorldDef worldDef = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&worldDef, &error);
    hwBodyDef body = hwDefaultBodyDef();
    body.name = "ship";
    body.motion = HW_MOTION_PRESCRIBED;
    body.box = g_boat;
    body.box.draught = -1.0;
    assert_true(HW_IS_NULL(hwWorld_AddBody(world, &body, &error)));
    assert_non_null(strstr(error.message, "draught"));
    body.box = g_boat;
    hwSignalTerm turn = hwConstantTerm(hwMakeVec3(0, 0, 1));
    body.prescribedAttitude = (hwSignal){1, &turn};
    assert_true(HW_IS_NULL(hwWorld_AddBody(world, &body, &error)));
    assert_non_null(strstr(error.message, "mean attitude"));
    body.prescribedAttitude = (hwSignal){0};
    double heading = 0.0, period = 8.0, row[12] = {0};
    body.rao = (hwRaoDef){1, &heading, 1, &period, row};
    assert_true(HW_IS_NULL(hwWorld_AddBody(world, &body, &error)));
    assert_non_null(strstr(error.message, "not both"));
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_freedom_is_the_sum_over_the_bottom),
        cmocka_unit_test(a_long_wave_carries_it),
        cmocka_unit_test(a_short_wave_passes_below),
        cmocka_unit_test(sizes_are_those_of_the_supply_vessel),
        cmocka_unit_test(boxes_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
