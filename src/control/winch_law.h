// What a winch does with the pull of its line: the rate of payout that its controller asks for, solved for together with the
// tension, which answers payout through the boundary element's stiffness, maybe a thousand times faster than a step.
#ifndef HW_CONTROL_WINCH_LAW_H
#define HW_CONTROL_WINCH_LAW_H

#include <stdbool.h>

#define HW_WINCH_FOLLOW_TIME 1e-3 // s, in which an explicit evaluation lets the rate take up its command

typedef struct hwWinchPull {
    double tension;
    double byRate; // d tension / d rate, not positive
    double change; // d tension / d time, elastic
} hwWinchPull;

typedef struct hwWinchLine hwWinchLine;
// The pull of the line on the drum when it pays out at a rate.
typedef hwWinchPull hwWinchPullFn(const hwWinchLine* line, double rate);

// Everything about one winch at one evaluation.
struct hwWinchLine {
    hwWinchPullFn* pull;
    // boundary element
    double length, stretching; // m and m/s, of the chord
    double rest0;              // m, unstretched, before this stage's payout
    double EA, damping, compression;
    double kpLink, kiLink, kdLink; // of hwWinchLine_PullOfLink instead
    double integral;               // s, of the boundary link's error
    const void* context;           // of other functions
    int slot, end;
    // controller: rate = kp (T - T0) + ki z + kd dT/dt, T0 = setpoint + spring x, z' = T - T0
    double setpoint;    // N
    double spring, out; // N/m, and m paid out before this stage
    double kp, ki, kd;
    double lag;  // s, with which the rate follows its command
    bool oneWay; // a slipping brake only pays out
    double zIntegral;
    double rateBase, low, high; // m/s
    double hd;                  // s
};

// Of an elastic element with damping, and of a link that holds its length by a controller:
// T = kp e + kd de/dt + ki (integral + hd e), e = 1 - rest/length.
hwWinchPull hwWinchLine_PullOfElement(const hwWinchLine* line, double rate);
hwWinchPull hwWinchLine_PullOfLink(const hwWinchLine* line, double rate);

// The controller's rate for a pull, and its slope by the tension.
double hwWinchLine_ComputeCommand(const hwWinchLine* line, hwWinchPull pull, double rate, double* slope);
// The one rate within its bounds that is the controller's answer to its own pull. *softening: the element's stiffness as its far
// end feels it, over its own.
double hwWinchLine_Solve(const hwWinchLine* line, double* softening);

#endif
