// The winch's law on plain numbers: the rate is the answer to its own pull, within bounds, and softens the line by as much as
// differences say.
#include "support.h"

#include "control/winch_law.h"

// 10 m of a wire of EA = 1 MN, 1 % stretched, on a winch that holds 5 kN.
static hwWinchLine Wire(void) {
    hwWinchLine line = {.pull = hwWinchLine_PullOfElement,
                        .length = 10.1,
                        .rest0 = 10.0,
                        .EA = 1e6,
                        .damping = 1e4,
                        .setpoint = 5e3,
                        .kp = 1e-4,
                        .ki = 1e-5,
                        .kd = 1e-6,
                        .low = -100.0,
                        .high = 100.0,
                        .hd = 0.01};
    return line;
}

static void PullFallsWithPayout(void** state) {
    (void)state;
    hwWinchLine line = Wire();
    line.stretching = 0.02;
    line.compression = 0.01;
    for (int link = 0; link < 2; ++link) {
        if (link) {
            line.pull = hwWinchLine_PullOfLink;
            line.kpLink = 2e5, line.kiLink = 1e5, line.kdLink = 6e3, line.integral = 0.003;
        }
        for (double w = -0.5; w < 0.6; w += 0.25) {
            const double step = 1e-6;
            hwWinchPull pull = line.pull(&line, w);
            double slope =
                (line.pull(&line, w + step).tension - line.pull(&line, w - step).tension) / (2.0 * step);
            assert_true(pull.byRate < 0.0);
            // the slope leaves out how the strain rate's own length changes: a strain of it
            assert_close(pull.byRate, slope, 0.05 * fabs(slope));
        }
    }
}

static void TheRateAnswersItsOwnPull(void** state) {
    (void)state;
    for (int i = 0; i < 60; ++i) {
        hwWinchLine line = Wire();
        line.hd = pow(10.0, -5.0 + i % 5);
        line.kp = pow(10.0, -7.0 + i % 6);
        line.lag = i % 3 == 0 ? 0.2 : 0.0;
        line.spring = i % 2 == 0 ? 800.0 : 0.0;
        line.out = 1.5;
        line.rateBase = 0.1 * (i % 7 - 3);
        double softening, slope;
        double w = hwWinchLine_Solve(&line, &softening);
        double command = hwWinchLine_ComputeCommand(&line, line.pull(&line, w), w, &slope);
        assert_close(w, command, 1e-9 * (1.0 + fabs(w)));
        assert_true(softening > 0.0 && softening <= 1.0);
    }
}

// How the tension answers a longer chord with the winch turning, over how it would on a drum that stands.
static void SofteningIsTheRatioOfStiffnesses(void** state) {
    (void)state;
    hwWinchLine line = Wire();
    line.kd = 0.0;
    double softening, unused;
    hwWinchLine_Solve(&line, &softening);
    const double step = 1e-7;
    double w[2], turning[2], standing[2];
    double held = hwWinchLine_Solve(&line, &unused);
    for (int k = 0; k < 2; ++k) {
        hwWinchLine moved = line;
        moved.length = line.length + (k == 0 ? -step : step);
        w[k] = hwWinchLine_Solve(&moved, &unused);
        turning[k] = moved.pull(&moved, w[k]).tension;
        standing[k] = moved.pull(&moved, held).tension;
    }
    double ratio = (turning[1] - turning[0]) / (standing[1] - standing[0]);
    assert_true(ratio < 0.9); // it does soften
    assert_close(softening, ratio, 1e-3 * ratio);
}

static void RatesKeepTheirBounds(void** state) {
    (void)state;
    hwWinchLine line = Wire();
    line.low = -0.02, line.high = 0.03;
    double softening;
    assert_close(hwWinchLine_Solve(&line, &softening), 0.03, 1e-12); // 10 kN against 5
    assert_close(softening, 1.0, 0.0);                               // a bound gives no way
    line.setpoint = 2e4;
    assert_close(hwWinchLine_Solve(&line, &softening), -0.02, 1e-12);
    // a brake that slips never hauls in
    line.oneWay = true;
    assert_close(hwWinchLine_Solve(&line, &softening), 0.0, 1e-12);
    // and a line is never hauled in altogether
    line = Wire();
    line.low = -1e9, line.setpoint = 1e12, line.hd = 1.0;
    assert_true(hwWinchLine_Solve(&line, &softening) >= -0.9 * line.rest0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(PullFallsWithPayout),
        cmocka_unit_test(TheRateAnswersItsOwnPull),
        cmocka_unit_test(SofteningIsTheRatioOfStiffnesses),
        cmocka_unit_test(RatesKeepTheirBounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
