// The balance of harmonics that the steady response is found by (hawser/modes.h): motions that are sums of harmonics, the forces that are
// missing in them, and their derivatives.
#ifndef HW_WORLD_BALANCE_H
#define HW_WORLD_BALANCE_H

#include "world/linear.h"

#define HW_BALANCE_HARMONICS 3
#define HW_BALANCE_TERMS (1 + 2 * HW_BALANCE_HARMONICS)
#define HW_BALANCE_PHASES 32 // of a period, at which forces are balanced

// Motions are sums over terms by rows: x[row][term], terms being the mean, then re and im of each harmonic h, which mean
// re cos(h omega t) - im sin(h omega t).
typedef struct hwBalance {
    const hwModes* modes;
    hwWorld* world;
    double omega;
    int scope;                    // hwResponseScope: terms that are looked for; all others stay 0
    int count;                    // unknowns: rows times terms
    double* memory;               // of all that follows
    double* x;                    // [count] motion
    double *d, *v, *a, *residual; // [freedom] at a phase
    double *harmonicD, *harmonicV, *harmonicA;            // [freedom] of one harmonic
    double *moved, *stiffness, *damping;                  // [freedom] of the derivatives
    double* steps;                                        // [freedom] of differences
    double *z, *still;                                    // [auxiliary] at a phase, and at rest
    double basis[HW_BALANCE_PHASES][HW_BALANCE_TERMS][3]; // [phase][term] value, rate and its rate
    double weights[HW_BALANCE_PHASES][HW_BALANCE_TERMS];  // of forces in the sums over phases
    int* stays;                                           // [row] whether its mean stays where it is at rest
    hwSparse pattern;                                     // rows that a row's motion acts on
    int* colours;                                         // [row] rows of one colour act on different rows
    int colourCount;
    double* masses;  // [colour][freedom]
    int* place;      // [row] in the band
    double* scratch; // [count]
    hwBand band;
} hwBalance;

// Memory, patterns and orders; false: out of memory. Freed by hwBalance_End in any case.
bool hwBalance_Begin(hwBalance* b, const hwModes* modes, hwWorld* world, double period);
void hwBalance_End(hwBalance* b);

// Displacement, velocity, acceleration and auxiliary variables in the motion x at a phase.
void hwBalance_SetPhase(hwBalance* b, const double* x, int phase);
// Terms of the forces that are missing in the motion x, besides those left at rest.
void hwBalance_FindMissing(hwBalance* b, const double* x, double* r);
// The derivative of -r about the motion x, factored; false: singular.
bool hwBalance_Factor(hwBalance* b, const double* x);
// x := its inverse times x
void hwBalance_Solve(const hwBalance* b, double* x);

#endif
