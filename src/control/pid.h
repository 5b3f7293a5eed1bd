// Small pieces of controllers: PID with limits, rate limit, low passes. Plain functions; the caller keeps the states,
// which are plain numbers, inside its own state block.
#ifndef HW_CONTROL_PID_H
#define HW_CONTROL_PID_H

#include <stdbool.h>

// Output = kp e + ki integral(e) - kd dy/dt, between `low` and `high`. The derivative acts on the measurement y, so a
// jump of the set point gives no kick.
typedef struct hwPidGains {
    double kp, ki, kd;
    double low, high; // limits of the output; -inf and inf: none
} hwPidGains;

typedef struct hwPidState {
    double integral;    // share of the output: ki times the integral of the error
    double error;       // of the step before
    double measurement; // of the step before
    bool started;       // false before the first step and after a reset
} hwPidState;

// No limits, all gains zero.
hwPidGains hwDefaultPidGains(void);

// Starts again with the integral such that the output is `output` while error and rate are zero: a bumpless change of
// mode. Zero the struct for a plain start.
void hwPid_Reset(const hwPidGains* gains, hwPidState* state, double output);

// One step of length h (s) that ends now, from the error (set point minus measurement, wrapped by the caller where it
// is an angle) and the measured quantity's rate. The integral is a trapezoid sum, exact for errors linear in time.
// Anti-windup: where the output is limited the integral moves only as far as the limit, or back from it.
double hwPid_Step(const hwPidGains* gains, hwPidState* state, double error, double rate, double h);

// The same where no rate is measured: it is the difference quotient of the measurement, zero on the first step.
double hwPid_StepMeasured(const hwPidGains* gains, hwPidState* state, double setpoint, double measurement,
                          double h);

// The value after a step of h (s) from `value` towards `target`, at no more than `acceleration` (per s) away from zero
// and `deceleration` (per s) towards zero; signs of the two do not matter. A reversal slows down to zero first.
double hwLimitRate(double value, double target, double acceleration, double deceleration, double h);

// First-order lag T dy/dt + y = u: y after a step of h (s) with u held. Exact for every h; T = 0 gives u.
double hwLowPass(double y, double u, double timeConstant, double h);

// Second-order low pass y'' + 2 zeta omega y' + omega^2 y = omega^2 u.
typedef struct hwLowPass2 {
    double value, rate;
} hwLowPass2;

// State after a step of h (s) with u held. Exact for every h, any damping ratio zeta >= 0 and omega > 0 (rad/s).
hwLowPass2 hwLowPass2_Step(hwLowPass2 state, double u, double omega, double zeta, double h);

#endif
