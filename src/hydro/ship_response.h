// The response of a ship to waves, from a table of response operators or as that of a floating box.
//
// A ship's motion in a sea of harmonics a_j cos(theta_j), theta_j = k_j . x - omega_j t + phase_j at its mean place x, is
// the sum of a_j |R| cos(theta_j - arg R) in each of its six freedoms, with R its response operator for the harmonic's
// period and its direction relative to the bow. A mean place that moves changes theta_j by itself: the frequency of
// encounter needs no formula.
#ifndef HW_HYDRO_SHIP_RESPONSE_H
#define HW_HYDRO_SHIP_RESPONSE_H

#include "hawser/body.h"
#include "hawser/environment.h"

#define HW_SHIP_FREEDOMS 6 // surge, sway, heave, roll, pitch, yaw

// What a harmonic does to a ship.
typedef struct hwShipHarmonic {
    double kx, ky, omega, phase;
    double real[HW_SHIP_FREEDOMS], imaginary[HW_SHIP_FREEDOMS]; // amplitude times R
} hwShipHarmonic;

// `bow`: rad, counter-clockwise from +x. A table without headings: the box answers.
hwShipHarmonic hwShipHarmonic_Make(const hwRaoDef* rao, const hwFloatingBoxDef* box, double gravity,
                                   double bow, const hwWaveComponent* wave);

// Adds the response to a mean motion that does not turn. `growth`: the sea's share at that time and its two rates.
void hwShip_AddResponse(int count, const hwShipHarmonic* harmonics, hwVec3 growth, double time,
                        hwBodyState* state);

#endif
