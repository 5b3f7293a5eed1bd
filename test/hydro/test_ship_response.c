// A ship's response to waves by itself: tables, mirrored headings, derivatives, and limits of the floating box.
#include "support.h"

#include "hydro/ship_response.h"

#define PI 3.14159265358979323846

static const double g_headings[2] = {0.0, PI}, g_periods[3] = {5.0, 10.0, 20.0};
static const hwFloatingBoxDef g_box = {
    .length = 60.0, .beam = 15.0, .draught = 3.0, .rollPeriod = 9.0, .rollDamping = 0.1};

// Amplitudes and phases that have nothing to do with each other.
static hwRaoDef MakeTable(double rows[72]) {
    uint64_t seed = 11;
    for (int i = 0; i < 72; ++i)
        rows[i] = i % 2 == 0 ? 1.0 + TestRandomVec3(&seed).x : 3.0 * TestRandomVec3(&seed).x;
    return (hwRaoDef){
        .headingCount = 2, .headings = g_headings, .periodCount = 3, .periods = g_periods, .rows = rows};
}

static hwWaveComponent MakeWave(double amplitude, double period, double direction, double phase) {
    double omega = 2.0 * PI / period;
    return (hwWaveComponent){.amplitude = amplitude,
                             .omega = omega,
                             .k = omega * omega / 9.81,
                             .direction = direction,
                             .phase = phase};
}

static hwBodyState Respond(const hwShipHarmonic* harmonic, hwBodyState mean, hwVec3 growth, double time) {
    hwShip_AddResponse(1, harmonic, growth, time, &mean);
    return mean;
}

static const hwVec3 g_whole = {1.0, 0.0, 0.0}; // a sea that has grown

static void a_table_answers_with_its_amplitudes_and_phases(void** state) {
    (void)state;
    double rows[72];
    hwRaoDef rao = MakeTable(rows);
    for (int heading = 0; heading < 2; ++heading) {
        for (int period = 0; period < 3; ++period) {
            const double* row = rows + 12 * (3 * heading + period);
            hwWaveComponent wave = MakeWave(0.7, g_periods[period], 0.4 + g_headings[heading], 0.3);
            hwShipHarmonic harmonic = hwShipHarmonic_Make(&rao, &g_box, 9.81, 0.4, &wave);
            hwBodyState mean = {.position = {30.0, -20.0, 1.0}, .attitude = hwQuatFromRpy(0.0, 0.0, 0.4)};
            double theta =
                wave.k * (cos(wave.direction) * 30.0 - sin(wave.direction) * 20.0) - wave.omega * 12.3 + 0.3;
            hwBodyState there = Respond(&harmonic, mean, g_whole, 12.3);
            assert_close(there.position.z - 1.0, 0.7 * row[4] * cos(theta - row[5]), 1e-12);
            // along the mean bow
            double surge = 0.7 * row[0] * cos(theta - row[1]), sway = 0.7 * row[2] * cos(theta - row[3]);
            assert_close(there.position.x - 30.0, cos(0.4) * surge - sin(0.4) * sway, 1e-12);
        }
    }
}

static void between_two_periods_it_is_the_mean_of_complex_values(void** state) {
    (void)state;
    double rows[72];
    hwRaoDef rao = MakeTable(rows);
    hwWaveComponent wave = MakeWave(1.0, 7.5, 0.0, 0.0);
    hwShipHarmonic harmonic = hwShipHarmonic_Make(&rao, &g_box, 9.81, 0.0, &wave);
    for (int k = 0; k < HW_SHIP_FREEDOMS; ++k) {
        const double *a = rows + 2 * k, *b = a + 12;
        assert_close(harmonic.real[k], 0.5 * (a[0] * cos(a[1]) + b[0] * cos(b[1])), 1e-12);
        assert_close(harmonic.imaginary[k], 0.5 * (a[0] * sin(a[1]) + b[0] * sin(b[1])), 1e-12);
    }
}

static void waves_to_the_other_side_mirror_sway_roll_and_yaw(void** state) {
    (void)state;
    hwRaoDef none = {0};
    hwWaveComponent port = MakeWave(1.0, 8.0, 1.0, 0.2), starboard = MakeWave(1.0, 8.0, -1.0, 0.2);
    hwShipHarmonic a = hwShipHarmonic_Make(&none, &g_box, 9.81, 0.0, &port);
    hwShipHarmonic b = hwShipHarmonic_Make(&none, &g_box, 9.81, 0.0, &starboard);
    for (int k = 0; k < HW_SHIP_FREEDOMS; ++k) {
        double sign = k % 2 == 1 ? -1.0 : 1.0;
        assert_true(hypot(a.real[k], a.imaginary[k]) > 1e-3); // something to mirror
        assert_close(a.real[k], sign * b.real[k], 1e-14);
        assert_close(a.imaginary[k], sign * b.imaginary[k], 1e-14);
    }
}

// Rates by differences of places, for a ship under way in a sea that grows like t^2: central differences with 1e-4 s are good
// to 1e-8 of what has frequencies of 1 rad/s, and twice that to 1e-7 of accelerations.
static void rates_are_the_derivatives_of_places_under_way_while_the_sea_grows(void** state) {
    (void)state;
    hwRaoDef none = {0};
    hwWaveComponent wave = MakeWave(1.5, 6.0, 2.1, 0.9);
    hwShipHarmonic harmonic = hwShipHarmonic_Make(&none, &g_box, 9.81, 0.3, &wave);
    const double h = 1e-4, time = 3.0;
    hwBodyState at[3];
    for (int i = 0; i < 3; ++i) {
        double t = time + (i - 1) * h;
        hwVec3 velocity = {4.0, 2.0, 0.0}, growth = {0.01 * t * t, 0.02 * t, 0.02};
        hwBodyState mean = {.position = hwMulAdd(hwMakeVec3(5.0, 6.0, 0.0), t, velocity),
                            .attitude = hwQuatFromRpy(0.0, 0.0, 0.3),
                            .velocity = velocity};
        at[i] = Respond(&harmonic, mean, growth, t);
    }
    hwVec3 velocity = hwScale(0.5 / h, hwSub(at[2].position, at[0].position));
    hwVec3 acceleration = hwScale(0.5 / h, hwSub(at[2].velocity, at[0].velocity));
    hwVec3 turn = hwRotationVectorFromQuat(hwMulQuat(hwConjugate(at[0].attitude), at[2].attitude));
    hwVec3 turning = hwScale(0.5 / h, hwSub(at[2].rate, at[0].rate));
    assert_true(hwDistance(velocity, at[1].velocity) < 1e-7);
    assert_true(hwDistance(acceleration, at[1].acceleration) < 1e-6);
    assert_true(hwDistance(hwScale(0.5 / h, turn), at[1].rate) < 1e-7);
    assert_true(hwDistance(turning, at[1].rateAcceleration) < 1e-6);
    assert_true(hwLength(at[1].rate) > 1e-3 && hwLength(at[1].rateAcceleration) > 1e-3);
}

// A box without draught or waves of its own lies on the surface: its heave is the mean of the surface over it, its pitch the
// slope that fits it best, both by sums over the box.
static void a_flat_box_lies_on_the_surface(void** state) {
    (void)state;
    hwRaoDef none = {0};
    hwFloatingBoxDef box = g_box;
    box.draught = 1e-9;
    box.beam = 1e-3;
    hwWaveComponent wave = MakeWave(1.0, 6.0, 0.5, 0.0);
    hwShipHarmonic harmonic = hwShipHarmonic_Make(&none, &box, 9.81, 0.0, &wave);
    const int cells = 20000;
    double mean = 0.0, moment = 0.0, second = 0.0;
    for (int i = 0; i < cells; ++i) {
        double x = box.length * ((i + 0.5) / cells - 0.5), theta = wave.k * cos(0.5) * x;
        mean += cos(theta) / cells;
        moment += x * sin(theta);
        second += x * x;
    }
    assert_close(hypot(harmonic.real[2], harmonic.imaginary[2]), fabs(mean), 1e-6);
    assert_close(hypot(harmonic.real[4], harmonic.imaginary[4]), fabs(moment / second), 1e-6);
    // bow up while the surface rises ahead: a quarter of a wave after the crest has passed
    hwBodyState there =
        Respond(&harmonic, (hwBodyState){.attitude = {1.0, 0.0, 0.0, 0.0}}, g_whole, -0.25 * 6.0);
    hwVec3 bow = hwRotate(there.attitude, hwMakeVec3(1.0, 0.0, 0.0));
    double rise = -wave.k * cos(0.5) * sin(0.5 * PI); // slope of cos(k.x - omega t) at theta = pi/2
    assert_true(bow.z * rise * (moment > 0.0 ? 1.0 : -1.0) > 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_answers_with_its_amplitudes_and_phases),
        cmocka_unit_test(between_two_periods_it_is_the_mean_of_complex_values),
        cmocka_unit_test(waves_to_the_other_side_mirror_sway_roll_and_yaw),
        cmocka_unit_test(rates_are_the_derivatives_of_places_under_way_while_the_sea_grows),
        cmocka_unit_test(a_flat_box_lies_on_the_surface),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
