// Radiation of waves in the time domain: the damping B(w) of a floating body as oscillators that it drives.
//
// Each velocity v_j drives oscillators r' = v_j - 2 e_k r - w_k^2 s, s' = r, and the force is -sum c_k r, with 6x6 matrices c_k:
//     K(t) = sum of c_k exp(-e_k t) (cos(d t) - e_k/d sin(d t)), d^2 = w_k^2 - e_k^2,
//     B(w) + i w (A(w) - A_inf) = sum of c_k i w / (w_k^2 - w^2 + 2 i e_k w).
// So B is a sum of resonance curves that begin with w^2, as radiation does, and A follows from it as it must (Kramers and
// Kronig). The matrices are the least squares fit of B among those without negative eigenvalues. Then the oscillators store
// 1/2 sum (r c r + w_k^2 s c s) >= 0 and dissipate 2 sum e_k r c r >= 0: they can never give more energy back than they got,
// whatever the motion. Fits of single entries by Prony's method or rational functions need fewer states but have to be checked
// for that one by one (Perez and Fossen 2009); sums of damped cosines (Lorentz curves) leave damping at frequency zero.
#ifndef HW_HYDRO_RADIATION_H
#define HW_HYDRO_RADIATION_H

#include "base/memory.h"
#include "hawser/potential.h"

// Lines up to a quarter above the last frequency. As wide as they are apart, their sum ripples by exp(-2 pi) = 0.2 %, and what
// comes back after 2 pi over the distance is as small. Half of them are where the body radiates: files may go on to frequencies
// ten times as high, at which nothing is left, so the distance grows as cosh(b x) in the number x of the line.
#define HW_RADIATION_LINES 64

typedef struct hwRadiation {
    double lines[HW_RADIATION_LINES], widths[HW_RADIATION_LINES]; // rad/s; w_k, e_k
    bool active[6];                                               // the mode radiates at all
    double (*weights)[36];                                        // [line] c_k
} hwRadiation;

// False: out of memory. `radiation->weights` is the caller's, HW_RADIATION_LINES of them.
bool hwRadiation_Fit(const hwAllocator* allocator, const hwPotentialDef* def, hwRadiation* radiation);

// B (6x6) and A - A_inf (6x6) of the lines at a frequency.
void hwRadiation_GetCoefficients(const hwRadiation* radiation, double omega, double damping[36],
                                 double addedMass[36]);

// Checks a def; `name` is the body's.
hwStatus hwPotential_Check(const hwPotentialDef* def, const char* name, hwError* error);

#endif
