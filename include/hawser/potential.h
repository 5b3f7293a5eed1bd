/// @file potential.h
/// Floating bodies by linear potential flow: hydrodynamic coefficients as panel programs (WAMIT, Capytaine, NEMOH) give them.
///
/// Cummins' equation (1962): (M + A_inf) a + integral K(t - s) v(s) ds + C x = F_waves, with the retardation function
/// K(t) = 2/pi integral B(w) cos(w t) dw (Ogilvie 1964). Small motions about a mean place without forward speed; no drift
/// forces. Order of modes: surge, sway, heave, roll, pitch, yaw; body axes, about the body's origin.
#ifndef HAWSER_POTENTIAL_H
#define HAWSER_POTENTIAL_H

#include "hawser/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Coefficients of a floating body.
typedef struct hwPotentialDef {
    int frequencyCount;        ///< of the tables; 0: none, the body is not of this kind
    const double* frequencies; ///< rad/s, above 0, increasing
    const double* damping;     ///< [frequency][6][6] N s/m, N s, N m s: symmetric, not negative
    double addedMass[6][6];    ///< A_inf, of infinite frequency; symmetric
    int headingCount;          ///< of `excitation`; 0: no wave forces
    const double*
        headings; ///< rad, increasing, where waves go relative to x: from 0 to pi (port and starboard alike), or all
                  ///< round from -pi or from 0 on
    const double*
        excitation; ///< [heading][frequency][6][2] real and imaginary part for waves of amplitude 1 m, ahead of
                    ///< the crest at the origin: F = Re(X exp(i w t)) where the surface is cos(w t)
    double stiffness[6][6]; ///< C, of water and weight together; heave, roll and pitch count
    double height;          ///< m, of the origin above calm water at rest
} hwPotentialDef;

/// How exactly the time domain follows the tables, see hwPotential_FindFit.
typedef struct hwPotentialFit {
    double
        damping; ///< largest difference of B, of the largest B of the two modes (geometric mean of the diagonals)
    double addedMass; ///< likewise of A, where it is given, of the largest A_ii
    double tail;      ///< B at the last frequency, of the largest
} hwPotentialFit;

/// Added mass of infinite frequency from added masses [frequency][6][6] at the table's frequencies: the mean of
/// A(w) + 1/w integral K(t) sin(w t) dt (Ogilvie), for files that do not give it. `def->addedMass` is not read.
HW_API hwStatus hwPotential_FindInfiniteMass(const hwPotentialDef* def, const double* addedMass,
                                             double out[6][6], hwError* error);

/// Differences between what a run takes and the tables; `addedMass` as above, or null.
HW_API hwStatus hwPotential_FindFit(const hwPotentialDef* def, const double* addedMass, hwPotentialFit* out,
                                    hwError* error);

#ifdef __cplusplus
}
#endif
#endif
