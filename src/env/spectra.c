// Wave spectra, see hawser/spectrum.h.
#include "hawser/spectrum.h"

#include "hawser/elementary.h"
#include "hawser/math.h"
#include "hawser/statistics.h"

#include <math.h>

// The peak's enhancement at v = f / fp.
static double EnhancePeak(double v, double gamma) {
    double d = (v - 1.0) / (v < 1.0 ? 0.07 : 0.09);
    return hwPow(gamma, hwExp(-0.5 * d * d));
}

// v^-n exp(-n/4 v^-4) with its enhancement: n = 5 JONSWAP, n = 4 Torsethaugen.
static double GetShape(double v, double n, double gamma) {
    if (!(v > 0.0)) return 0.0;
    double fourth = 1.0 / (v * v * v * v);
    return hwPow(v, -n) * hwExp(-0.25 * n * fourth) * EnhancePeak(v, gamma);
}

// Integral over all v: of the plain shape in closed form, of what the enhancement adds by Simpson's rule about the peak.
static double IntegrateShape(double n, double gamma) {
    double power = (n - 1.0) / 4.0, whole = 0.25 * hwPow(0.25 * n, -power) * hwGamma(power);
    if (gamma == 1.0) return whole;
    enum { CELLS = 80 }; // an eleventh of a sigma: exact to 1e-6
    double sum = 0.0;
    for (int side = 0; side < 2; ++side) {
        // seven sigmas: e^-24 of the peak
        double low = side == 0 ? 1.0 - 7.0 * 0.07 : 1.0, width = side == 0 ? 7.0 * 0.07 : 7.0 * 0.09;
        double cell = width / CELLS;
        for (int i = 0; i <= CELLS; ++i) {
            double v = low + i * cell, d = (v - 1.0) / (side == 0 ? 0.07 : 0.09);
            double more = hwPow(gamma, hwExp(-0.5 * d * d)) - 1.0;
            double weight = i == 0 || i == CELLS ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
            sum += weight * cell / 3.0 * GetShape(v, n, 1.0) * more;
        }
    }
    return whole + sum;
}

static double GetHump(const hwSpectrumPeak* peak, double n, double omega) {
    double scale = peak->tp / (2.0 * HW_PI), variance = peak->hs * peak->hs / 16.0;
    if (!(peak->hs > 0.0)) return 0.0;
    return variance * scale * GetShape(omega * scale, n, peak->shape) / IntegrateShape(n, peak->shape);
}

double hwSpectrum_GetJonswap(const hwSpectrumPeak* peak, double omega) {
    return GetHump(peak, 5.0, omega);
}

// Torsethaugen & Haver 2004, with N = M = 4. A sea fully developed for its height has the peak period 6.6 hs^(1/3); a shorter one
// is a growing wind sea with some swell, a longer one is swell with some wind sea.
void hwTorsethaugen_Split(double hs, double tp, hwSpectrumPeak peaks[2]) {
    const double gravity = 9.81;
    double developed = 6.6 * hwPow(hs, 1.0 / 3.0), share;
    if (tp <= developed) {
        double shortest = 2.0 * sqrt(hs);
        double e = developed > shortest ? (developed - tp) / (developed - shortest) : 0.0;
        share = 0.7 + 0.3 * hwExp(-4.0 * e * e);
        double steepness = 2.0 * HW_PI * share * hs / (gravity * tp * tp);
        peaks[0].shape = 35.0 * hwPow(steepness, 0.857);
        peaks[1].tp = developed + 2.0;
    } else {
        double e = developed < 25.0 ? (tp - developed) / (25.0 - developed) : 0.0;
        share = 0.6 + 0.4 * hwExp(-(e / 0.3) * (e / 0.3));
        double steepness = 2.0 * HW_PI * hs / (gravity * developed * developed);
        peaks[0].shape = 35.0 * hwPow(steepness, 0.857) * (1.0 + 6.0 * e);
        peaks[1].tp = 6.6 * hwPow(sqrt(1.0 - share * share) * hs, 1.0 / 3.0);
    }
    peaks[0].hs = share * hs;
    peaks[0].tp = tp;
    peaks[0].shape = hwFmax(peaks[0].shape, 1.0);
    peaks[1].hs = sqrt(hwFmax(0.0, 1.0 - share * share)) * hs;
    peaks[1].shape = 1.0;
}

double hwSpectrum_GetTorsethaugen(const hwSpectrumPeak peaks[2], double omega) {
    return GetHump(&peaks[0], 4.0, omega) + GetHump(&peaks[1], 4.0, omega);
}

double hwSpectrum_GetOchiHubble(int count, const hwSpectrumPeak* peaks, double omega) {
    double sum = 0.0;
    if (!(omega > 0.0)) return 0.0;
    for (int i = 0; i < count; ++i) {
        if (!(peaks[i].hs > 0.0)) continue;
        double lambda = peaks[i].shape, ratio = 2.0 * HW_PI / (peaks[i].tp * omega),
               fourth = ratio * ratio * ratio * ratio;
        double factor = (4.0 * lambda + 1.0) / 4.0;
        sum += 0.25 * hwPow(factor * fourth, lambda) / hwGamma(lambda) * peaks[i].hs * peaks[i].hs / omega *
               hwExp(-factor * fourth);
    }
    return sum;
}
