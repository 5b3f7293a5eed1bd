// Controller pieces against exact solutions.
#include "support.h"

#include "control/pid.h"

#include <math.h>
#include <string.h>

static const hwPidState fresh = {0.0, 0.0, 0.0, false};

// e(t) = 2 - 3 t, dy/dt = 3: output = kp e + ki (2 t - 1.5 t^2) - kd 3. The trapezoid sum is exact for it except in the
// first step, where the error before the start is unknown and taken as constant.
static void PidIsExactForLinearErrors(void** state) {
    (void)state;
    hwPidGains gains = hwDefaultPidGains();
    gains.kp = 4.0;
    gains.ki = 0.7;
    gains.kd = 0.3;
    hwPidState pid = fresh;
    hwPid_Step(&gains, &pid, 2.0, 3.0, 0.0);
    double h = 0.1;
    for (int i = 1; i <= 50; i++) {
        double t = i * h, error = 2.0 - 3.0 * t;
        double output = hwPid_Step(&gains, &pid, error, 3.0, h);
        assert_close(output, 4.0 * error + 0.7 * (2.0 * t - 1.5 * t * t) - 0.9, 1e-12);
    }
}

static void DerivativeActsOnTheMeasurementOnly(void** state) {
    (void)state;
    hwPidGains gains = hwDefaultPidGains();
    gains.kd = 2.0;
    hwPidState pid = fresh;
    assert_close(hwPid_StepMeasured(&gains, &pid, 0.0, 5.0, 0.1), 0.0, 0.0); // no rate known yet
    assert_close(hwPid_StepMeasured(&gains, &pid, 0.0, 5.5, 0.1), -10.0, 1e-12);
    assert_close(hwPid_StepMeasured(&gains, &pid, 1000.0, 5.5, 0.1), 0.0, 0.0); // set point jumps, no kick
}

// First-order plant dy/dt = u under saturation: while limited the integral must not grow beyond what the limit needs,
// so the output leaves the limit at once when the error's sign changes.
static void IntegralDoesNotWindUp(void** state) {
    (void)state;
    hwPidGains gains = hwDefaultPidGains();
    gains.kp = 1.0;
    gains.ki = 1.0;
    gains.low = -2.0;
    gains.high = 3.0;
    hwPidState pid = fresh;
    for (int i = 0; i < 1000; i++) assert_close(hwPid_Step(&gains, &pid, 10.0, 0.0, 0.1), 3.0, 0.0);
    assert_true(pid.integral <= 3.0);
    assert_true(hwPid_Step(&gains, &pid, -0.5, 0.0, 0.1) < 3.0);
    for (int i = 0; i < 1000; i++) hwPid_Step(&gains, &pid, -10.0, 0.0, 0.1);
    assert_true(pid.integral >= -2.0);
    assert_true(hwPid_Step(&gains, &pid, 0.5, 0.0, 0.1) > -2.0);
    // Without the proportional part the integral stops exactly at the limit.
    gains.kp = 0.0;
    pid = fresh;
    for (int i = 0; i < 100; i++) hwPid_Step(&gains, &pid, 1.0, 0.0, 0.1);
    assert_close(pid.integral, 3.0, 0.0);
    assert_close(hwPid_Step(&gains, &pid, 0.0, 0.0, 0.1), 3.0, 0.0);
}

static void ResetStartsFromAGivenOutput(void** state) {
    (void)state;
    hwPidGains gains = hwDefaultPidGains();
    gains.kp = 5.0;
    gains.ki = 1.0;
    gains.low = -1.0;
    gains.high = 1.0;
    hwPidState pid = fresh;
    hwPid_Reset(&gains, &pid, 0.6);
    assert_close(hwPid_Step(&gains, &pid, 0.0, 0.0, 0.1), 0.6, 0.0);
    hwPid_Reset(&gains, &pid, 7.0);
    assert_close(hwPid_Step(&gains, &pid, 0.0, 0.0, 0.1), 1.0, 0.0);
}

// Closed loop: dy/dt = u with u = kp (1 - y) + ki integral gives y'' + kp y' + ki y = ki for constant set point 1 after
// y(0) = 0. Steps of h add an error of order h; halving h halves it.
static double ClosedLoopError(double h) {
    hwPidGains gains = hwDefaultPidGains();
    gains.kp = 2.0;
    gains.ki = 1.0; // critically damped: y = 1 - (1 - t) exp(-t)
    hwPidState pid = fresh;
    double y = 0.0, worst = 0.0;
    int steps = (int)(4.0 / h + 0.5);
    for (int i = 0; i < steps; i++) {
        y += h * hwPid_Step(&gains, &pid, 1.0 - y, 0.0, i == 0 ? 0.0 : h);
        double t = (i + 1) * h;
        worst = fmax(worst, fabs(y - (1.0 - (1.0 - t) * exp(-t))));
    }
    return worst;
}

static void ClosedLoopConvergesToTheExactResponse(void** state) {
    (void)state;
    double coarse = ClosedLoopError(0.01), fine = ClosedLoopError(0.005);
    assert_true(coarse < 0.02);
    assert_close(coarse / fine, 2.0, 0.1); // first order in h; next term relative h
}

static void RateLimitAcceleratesAndDeceleratesApart(void** state) {
    (void)state;
    assert_close(hwLimitRate(0.0, 10.0, 3.0, 5.0, 0.5), 1.5, 0.0);
    assert_close(hwLimitRate(0.0, -10.0, 3.0, -5.0, 0.5), -1.5, 0.0);
    assert_close(hwLimitRate(8.0, 0.0, 3.0, -5.0, 0.5), 5.5, 0.0);
    assert_close(hwLimitRate(-8.0, -1.0, 3.0, -5.0, 0.5), -5.5, 0.0);
    assert_close(hwLimitRate(8.0, 7.0, 3.0, 5.0, 0.5), 7.0, 0.0);
    assert_close(hwLimitRate(6.9, 7.0, 3.0, 5.0, 0.5), 7.0, 0.0);
    // A reversal: 2 m/s takes 0.4 s to stop at 5, the other 0.6 s run up at 3.
    assert_close(hwLimitRate(2.0, -10.0, 3.0, 5.0, 1.0), -1.8, 1e-15);
    assert_close(hwLimitRate(2.0, -0.5, 3.0, 5.0, 1.0), -0.5, 0.0);
    assert_close(hwLimitRate(-2.0, 10.0, 3.0, 5.0, 0.2), -1.0, 1e-15);
    assert_close(hwLimitRate(2.0, -1.0, 3.0, 0.0, 1.0), 2.0, 0.0); // cannot slow down
    // The path does not depend on how time is cut.
    double value = 2.0;
    for (int i = 0; i < 64; i++) value = hwLimitRate(value, -10.0, 3.0, 5.0, 1.0 / 64.0);
    assert_close(value, -1.8, 1e-13);
}

static void LowPassIsExactForAnyStep(void** state) {
    (void)state;
    assert_close(hwLowPass(1.0, 4.0, 2.0, 3.0), 4.0 - 3.0 * exp(-1.5), 1e-15);
    assert_close(hwLowPass(1.0, 4.0, 0.0, 0.1), 4.0, 0.0);
    double y = 1.0;
    for (int i = 0; i < 300; i++) y = hwLowPass(y, 4.0, 2.0, 0.01);
    assert_close(y, 4.0 - 3.0 * exp(-1.5), 1e-13); // 300 roundings of 4e-16
    // A tiny step must not vanish: 1 - exp(-1e-17) would.
    assert_close(hwLowPass(0.0, 1.0, 1.0, 1e-17) / 1e-17, 1.0, 1e-15);
}

// Classical Runge-Kutta with small steps is the second method: error of order (omega h)^4 per unit time, 1e-10 here.
static hwLowPass2 Integrate(hwLowPass2 y, double u, double omega, double zeta, double time) {
    int steps = 4000;
    double h = time / steps;
    for (int i = 0; i < steps; i++) {
        double kv[4], ka[4], v = y.rate, x = y.value;
        for (int s = 0; s < 4; s++) {
            double f = s == 0 ? 0.0 : (s == 3 ? h : 0.5 * h);
            double xs = x + (s == 0 ? 0.0 : f * kv[s - 1]), vs = v + (s == 0 ? 0.0 : f * ka[s - 1]);
            kv[s] = vs;
            ka[s] = omega * omega * (u - xs) - 2.0 * zeta * omega * vs;
        }
        y.value = x + h / 6.0 * (kv[0] + 2.0 * kv[1] + 2.0 * kv[2] + kv[3]);
        y.rate = v + h / 6.0 * (ka[0] + 2.0 * ka[1] + 2.0 * ka[2] + ka[3]);
    }
    return y;
}

static void SecondOrderLowPassIsExactForAnyDampingAndStep(void** state) {
    (void)state;
    const double zetas[] = {0.0, 0.2, 0.999999999, 1.0, 1.000000001, 1.5, 4.0};
    for (int i = 0; i < 7; i++) {
        hwLowPass2 start = {0.3, -1.0};
        hwLowPass2 expected = Integrate(start, 2.0, 3.0, zetas[i], 1.7);
        hwLowPass2 whole = hwLowPass2_Step(start, 2.0, 3.0, zetas[i], 1.7);
        assert_close(whole.value, expected.value, 1e-9);
        assert_close(whole.rate, expected.rate, 1e-9);
        hwLowPass2 parts = start;
        for (int j = 0; j < 17; j++) parts = hwLowPass2_Step(parts, 2.0, 3.0, zetas[i], 0.1);
        assert_close(parts.value, whole.value, 1e-13);
        assert_close(parts.rate, whole.rate, 1e-13);
    }
    // Far beyond critical damping and after a long time nothing overflows, and the output is the input.
    hwLowPass2 end = hwLowPass2_Step((hwLowPass2){0.0, 0.0}, 2.0, 10.0, 50.0, 1e6);
    assert_close(end.value, 2.0, 1e-12);
    assert_close(end.rate, 0.0, 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(PidIsExactForLinearErrors),
        cmocka_unit_test(DerivativeActsOnTheMeasurementOnly),
        cmocka_unit_test(IntegralDoesNotWindUp),
        cmocka_unit_test(ResetStartsFromAGivenOutput),
        cmocka_unit_test(ClosedLoopConvergesToTheExactResponse),
        cmocka_unit_test(RateLimitAcceleratesAndDeceleratesApart),
        cmocka_unit_test(LowPassIsExactForAnyStep),
        cmocka_unit_test(SecondOrderLowPassIsExactForAnyDampingAndStep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
