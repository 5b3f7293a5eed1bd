// Friction of a cable that runs over a sheave or through a ring: Euler and Eytelwein's rope friction on what turns with the rope's
// angle, and that of the wheel's axle, as a spring that gives way at the limit, so that it holds without creeping.
#ifndef HW_CABLE_SHEAVE_LAW_H
#define HW_CABLE_SHEAVE_LAW_H

#include "hawser/math.h"

typedef struct hwSheaveLaw {
    double friction; // of the cable on the sheave
    double bearing;  // of the axle, by its load
    double stick;    // N/m, of the spring
} hwSheaveLaw;

typedef struct hwSheaveInput {
    double tension[2]; // N, of both sides; below 0 counts as slack
    hwVec3 into[2];    // unit, from the sheave along each side
    double angle;      // rad, by which the cable turns
    double rate;       // m/s, of the cable over the sheave
    double base;       // m, elongation of the spring; in a step of hd before its rate is added
    double hd;         // s; 0: the rate of the elongation is asked for
} hwSheaveInput;

typedef struct hwSheaveOutput {
    double force;              // N, against the flow
    double lean[2];            // d force / d tension of each side while it slides
    double stiffness, damping; // d force / d way, d force / d rate while it sticks
    double z, zdot;
    double elastic, storing, dissipation; // J, its rate and what is lost, W
} hwSheaveOutput;

void hwSheaveLaw_Rub(const hwSheaveLaw* law, const hwSheaveInput* in, hwSheaveOutput* out);

#endif
