// Friction at a sheave on plain numbers: Eytelwein's limit, the axle's, slopes against differences, books of energy.
#include "support.h"

#include "cable/sheave_law.h"

static const hwSheaveLaw law = {.friction = 0.3, .bearing = 0.05, .stick = 2e5};

// Both sides hang down, 0.4 rad from the vertical: the cable turns by pi - 0.8.
static hwSheaveInput Hanging(double heavy, double light, double rate, double base, double hd) {
    hwSheaveInput in = {.tension = {heavy, light},
                        .into = {{-sin(0.4), 0.0, -cos(0.4)}, {sin(0.4), 0.0, -cos(0.4)}},
                        .angle = HW_PI - 0.8,
                        .rate = rate,
                        .base = base,
                        .hd = hd};
    return in;
}

static double FindLimit(double heavy, double light) {
    double across = (heavy - light) * sin(0.4), down = (heavy + light) * cos(0.4);
    return light * (exp(law.friction * (HW_PI - 0.8)) - 1.0) + law.bearing * hypot(across, down);
}

static void ItSlidesAtEytelweinsLimit(void** state) {
    (void)state;
    double limit = FindLimit(1500.0, 1000.0);
    for (int way = -1; way <= 1; way += 2) {
        hwSheaveInput in = Hanging(1500.0, 1000.0, way * 1.0, 0.0, 0.01);
        hwSheaveOutput out;
        hwSheaveLaw_Rub(&law, &in, &out);
        assert_close(out.force, way * limit, 1e-12 * limit);
        assert_close(out.z, way * limit / law.stick, 1e-15);
        assert_close(out.stiffness, 0.0, 0.0);
    }
}

static void SlackSidesHoldNothing(void** state) {
    (void)state;
    hwSheaveInput in = Hanging(-5.0, 0.0, 1.0, 0.001, 0.01);
    hwSheaveOutput out;
    hwSheaveLaw_Rub(&law, &in, &out);
    assert_close(out.force, 0.0, 0.0);
    assert_close(out.z, 0.0, 0.0);
}

// While it sticks the force is a spring's and a damper's, while it slides it leans on both tensions.
static void SlopesAreThoseOfTheForce(void** state) {
    (void)state;
    const double step = 1e-6, hd = 0.01;
    hwSheaveInput in = Hanging(1500.0, 1000.0, 0.001, 1e-4, hd), moved = in;
    hwSheaveOutput at, more;
    hwSheaveLaw_Rub(&law, &in, &at);
    moved.rate += step;
    hwSheaveLaw_Rub(&law, &moved, &more);
    assert_close(hd * at.stiffness + at.damping, (more.force - at.force) / step, 1e-5 * at.stiffness * hd);
    for (int s = 0; s < 2; ++s) {
        in = Hanging(1500.0, 1000.0, 1.0, 0.0, hd);
        hwSheaveLaw_Rub(&law, &in, &at);
        moved = in;
        moved.tension[s] += 1e-3;
        hwSheaveLaw_Rub(&law, &moved, &more);
        assert_close(at.lean[s], (more.force - at.force) / 1e-3, 1e-5);
    }
}

static void WorkIsStoredOrLost(void** state) {
    (void)state;
    const double h = 1e-5;
    double z = 0.0, work = 0.0, lost = 0.0, stored = 0.0;
    for (int i = 0; i < 50000; ++i) {
        double w = 0.2 * sin(30.0 * i * h);
        hwSheaveInput in = Hanging(1500.0, 1000.0, w, z, h);
        hwSheaveOutput out;
        hwSheaveLaw_Rub(&law, &in, &out);
        assert_true(out.dissipation >= -1e-9);
        z = out.z;
        work += h * out.force * w;
        lost += h * out.dissipation;
        stored = out.elastic;
    }
    assert_close(work, lost + stored, 1e-3 * work); // first order in h
    assert_true(lost > 10.0);
}

// With nothing to solve for, a spring at its limit stays there, and one below it follows.
static void RatesStopAtTheLimit(void** state) {
    (void)state;
    double most = FindLimit(1500.0, 1000.0) / law.stick;
    hwSheaveOutput out;
    hwSheaveInput in = Hanging(1500.0, 1000.0, 0.3, most, 0.0);
    hwSheaveLaw_Rub(&law, &in, &out);
    assert_close(out.zdot, 0.0, 0.0);
    in.rate = -0.3;
    hwSheaveLaw_Rub(&law, &in, &out);
    assert_close(out.zdot, -0.3, 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ItSlidesAtEytelweinsLimit), cmocka_unit_test(SlackSidesHoldNothing),
        cmocka_unit_test(SlopesAreThoseOfTheForce),  cmocka_unit_test(WorkIsStoredOrLost),
        cmocka_unit_test(RatesStopAtTheLimit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
