#include "control/pid.h"

#include "hawser/math.h"

#include <math.h>

hwPidGains hwDefaultPidGains(void) {
    hwPidGains gains = {0.0, 0.0, 0.0, -HUGE_VAL, HUGE_VAL};
    return gains;
}

void hwPid_Reset(const hwPidGains* gains, hwPidState* state, double output) {
    state->integral = hwClamp(output, gains->low, gains->high);
    state->error = 0.0;
    state->measurement = 0.0;
    state->started = false;
}

double hwPid_Step(const hwPidGains* gains, hwPidState* state, double error, double rate, double h) {
    double before = state->started ? state->error : error;
    double growth = 0.5 * gains->ki * h * (before + error);
    double direct = gains->kp * error - gains->kd * rate;
    double wanted = state->integral + growth;
    if (growth > 0.0 && direct + wanted > gains->high) {
        wanted = hwFmax(state->integral, gains->high - direct);
    } else if (growth < 0.0 && direct + wanted < gains->low) {
        wanted = hwFmin(state->integral, gains->low - direct);
    }
    state->integral = wanted;
    state->error = error;
    state->started = true;
    return hwClamp(direct + wanted, gains->low, gains->high);
}

double hwPid_StepMeasured(const hwPidGains* gains, hwPidState* state, double setpoint, double measurement,
                          double h) {
    double rate = state->started && h > 0.0 ? (measurement - state->measurement) / h : 0.0;
    state->measurement = measurement;
    return hwPid_Step(gains, state, setpoint - measurement, rate, h);
}

double hwLimitRate(double value, double target, double acceleration, double deceleration, double h) {
    double up = fabs(acceleration), down = fabs(deceleration);
    bool reverses = value * target < 0.0;
    if (reverses || fabs(target) < fabs(value)) {
        double stop = reverses ? 0.0 : target;
        double change = fabs(value - stop);
        if (change > down * h) return value > stop ? value - down * h : value + down * h;
        if (!reverses) return target;
        h = hwFmax(0.0, h - change / down);
        value = 0.0;
    }
    if (fabs(target - value) <= up * h) return target;
    return target > value ? value + up * h : value - up * h;
}

double hwLowPass(double y, double u, double timeConstant, double h) {
    if (!(timeConstant > 0.0)) return u;
    return y - hwExpm1(-h / timeConstant) * (u - y);
}

// With e = y - u, a = zeta omega and d^2 = omega^2 - a^2:
// e(h) = exp(-a h) (e0 cos(d h) + (e0' + a e0) sin(d h)/d), e'(h) = exp(-a h) (e0' cos(d h) - (a e0' + omega^2 e0)
// sin(d h)/d); above critical damping cos and sin become cosh and sinh, here written with decaying exponentials only.
hwLowPass2 hwLowPass2_Step(hwLowPass2 state, double u, double omega, double zeta, double h) {
    double a = zeta * omega;
    double square = (1.0 - zeta) * (1.0 + zeta) * omega * omega;
    double c, s;
    if (square > 0.0) {
        double d = sqrt(square), decay = hwExp(-a * h);
        hwSinAndCos(d * h, &s, &c);
        c = decay * c;
        s = decay * s / d;
    } else {
        double d = sqrt(-square);
        double slow = hwExp(-omega * omega / (a + d) * h),
               fast = hwExp(-(a + d) * h); // a - d without cancellation
        c = 0.5 * (slow + fast);
        s = d > 0.0 ? -0.5 * slow * hwExpm1(-2.0 * d * h) / d : h * slow;
    }
    double e = state.value - u;
    hwLowPass2 next = {u + e * c + (state.rate + a * e) * s,
                       state.rate * c - (a * state.rate + omega * omega * e) * s};
    return next;
}
