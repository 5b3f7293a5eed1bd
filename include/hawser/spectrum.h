/// @file spectrum.h
/// Wave spectra: densities of the surface's variance over angular frequency, m2 s, one-sided. Their integral is hs^2/16.
#ifndef HAWSER_SPECTRUM_H
#define HAWSER_SPECTRUM_H

#include "hawser/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One hump of a spectrum.
typedef struct hwSpectrumPeak {
    double hs;    ///< m, significant height of its own
    double tp;    ///< s, peak period
    double shape; ///< JONSWAP and Torsethaugen: gamma; Ochi and Hubble: lambda
} hwSpectrumPeak;

/// JONSWAP (Hasselmann et al. 1973) at angular frequency omega (rad/s); gamma 1 is Pierson and Moskowitz's.
HW_API double hwSpectrum_GetJonswap(const hwSpectrumPeak* peak, double omega);

/// The two humps of Torsethaugen and Haver's (2004) simplified spectrum of North Sea waves (DNV-RP-C205), which hs and tp of the
/// whole sea decide: wind sea and swell, the one that has its peak at tp first. Sum of squares of their heights: hs^2.
HW_API void hwTorsethaugen_Split(double hs, double tp, hwSpectrumPeak peaks[2]);
/// Their sum.
HW_API double hwSpectrum_GetTorsethaugen(const hwSpectrumPeak peaks[2], double omega);

/// Ochi and Hubble (1976): the sum of `count` humps, each with a lambda of its own.
HW_API double hwSpectrum_GetOchiHubble(int count, const hwSpectrumPeak* peaks, double omega);

#ifdef __cplusplus
}
#endif
#endif
