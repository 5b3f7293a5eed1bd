// Instruments: what a vehicle's sensors say, in north-east-down terms, from its motion in the world (x north, y west, z up).
#ifndef HW_VEHICLE_INSTRUMENTS_H
#define HW_VEHICLE_INSTRUMENTS_H

#include "hawser/math.h"

// Roll (positive to starboard), pitch (positive bow up) and heading (0..2 pi, clockwise from north). Body axes x forward, y
// starboard, z down and north-east-down are both half a turn about x away from ours: (w, x, y, z) becomes (w, x, -y, -z).
hwVec3 hwGetNedAngles(hwQuat attitude);

// Rate of the heading: how fast the horizontal part of the forward axis turns clockwise. `rate` is in body axes. With the
// bow straight up or down there is no heading; close to it the rate is that of a bow 87 degrees up, so that it stays
// bounded.
double hwGetHeadingRate(hwMat3 attitude, hwVec3 rate);

// Rates of roll and pitch (rad/s) by equation 9 of Fabekovic et al. (2006), Euler's: phi' = p + tan(theta) (q sin(phi) + r
// cos(phi)), theta' = q cos(phi) - r sin(phi), with north-east-down angles and body rates. Bounded as above.
void hwGetTiltRates(hwVec3 nedAngles, hwVec3 rate, double* rollRate, double* pitchRate);

// The heading in turns that goes on counting past 360 degrees, from the integral of its rate: the integral tells the whole
// turns, the compass the fraction, so that nothing drifts. `integral` and `heading` in rad.
double hwCountTurns(double integral, double heading);

// An angle brought into -pi..pi.
double hwWrapAngle(double angle);

#endif
