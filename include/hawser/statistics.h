/// @file statistics.h
/// Statistics of time series: moments, zero crossings, extremes, spectra, rainflow counts and fatigue.
///
/// Plain functions on arrays, without a world. Series are sampled at equal intervals unless it says otherwise. Values that are
/// not finite are refused with a sentence that names the first one.
#ifndef HAWSER_STATISTICS_H
#define HAWSER_STATISTICS_H

#include "hawser/base.h"

#ifdef __cplusplus
extern "C" {
#endif

// Moments and crossings ------------------------------------------------------------------------------------------------

/// Moments of a series.
typedef struct hwSeriesStatistics {
    int64_t count;    ///< values
    double min;       ///< smallest value
    double max;       ///< largest value
    double mean;      ///< arithmetic mean
    double deviation; ///< standard deviation, of the series itself: divided by the count
    double skewness;  ///< third central moment over the cube of the deviation; 0 for a constant
    double
        kurtosis; ///< fourth central moment over the square of the second: 3 for a normal series; 0 for a constant
} hwSeriesStatistics;

/// Moments of at least one value.
HW_API hwStatus hwSeries_Describe(int64_t count, const double* values, hwSeriesStatistics* out,
                                  hwError* error);

/// Cycles of a series about a level: a cycle lies between two upward crossings of it.
typedef struct hwCycleStatistics {
    int64_t crossings;         ///< upward crossings of the level
    int64_t cycles;            ///< whole cycles: crossings - 1, or 0
    double period;             ///< s, mean time between upward crossings; NaN without a cycle
    double largestHeight;      ///< crest to trough of the largest cycle; NaN without a cycle
    double significantHeight;  ///< mean of the highest third of the heights; NaN without a cycle
    double significantMaximum; ///< mean of the highest third of the cycles' maxima; NaN without a cycle
    double
        mostProbableMaximum; ///< of as many cycles of a narrow-banded normal process (Longuet-Higgins 1952):
                             ///< level + deviation sqrt(2 ln cycles); NaN with fewer than two cycles
} hwCycleStatistics;

/// Counts cycles about `level`, mostly the mean. Crossings are interpolated between samples.
HW_API hwStatus hwSeries_CountCycles(int64_t count, const double* values, double interval, double level,
                                     hwCycleStatistics* out, hwError* error);

/// Time of a series above a limit.
typedef struct hwExceedance {
    int64_t events; ///< times it rose above the limit, a start above included
    double share;   ///< of the time above, values joined by straight lines
    double longest; ///< s, longest time above without a break
} hwExceedance;

/// How often and how long a series is above `limit`.
HW_API hwStatus hwSeries_FindExceedance(int64_t count, const double* values, double interval, double limit,
                                        hwExceedance* out, hwError* error);

/// The largest value of each stay above `threshold`, and the times of stays that are less than `gap` seconds apart count as
/// one. Fills up to `capacity` and returns how many there are; 0 for values that are not finite.
HW_API int64_t hwSeries_FindPeaks(int64_t count, const double* values, double interval, double threshold,
                                  double gap, int64_t capacity, double* peaks);

// Distributions --------------------------------------------------------------------------------------------------------

/// Probability that a standard normal variable is at most x.
HW_API double hwNormal_GetProbability(double x);
/// The x that a standard normal variable stays below with this probability; infinite at 0 and 1, NaN beyond.
HW_API double hwNormal_GetQuantile(double probability);
/// Gamma function of a positive number, to 1e-14 of itself.
HW_API double hwGamma(double x);

/// Distributions that are fitted to extremes.
typedef enum hwExtremeKind {
    HW_EXTREME_GUMBEL,  ///< of maxima: exp(-exp(-(x - location)/scale))
    HW_EXTREME_WEIBULL, ///< of maxima or peaks: 1 - exp(-((x - location)/scale)^shape), the location given
    HW_EXTREME_PARETO ///< of peaks over a threshold, the location: 1 - (1 + shape (x - location)/scale)^(-1/shape)
} hwExtremeKind;

/// A distribution fitted to a sample by maximum likelihood.
typedef struct hwExtremeFit {
    hwExtremeKind kind; ///< which
    int64_t count;      ///< values of the sample
    double location;    ///< in the values' unit
    double scale;       ///< likewise
    double shape;       ///< of Weibull and Pareto; 0 for Gumbel
    double covariance
        [2][2]; ///< of the estimates, for large samples: (location, scale) of Gumbel, (ln scale, 1/shape)
                ///< of Weibull, (scale, shape) of Pareto
    double
        distance; ///< largest difference between the sample's distribution and the fit's (Kolmogorov-Smirnov)
} hwExtremeFit;

/// Fits a Gumbel distribution to maxima, of a run with each seed for example. Needs two different values.
HW_API hwStatus hwFitGumbel(int64_t count, const double* maxima, hwExtremeFit* out, hwError* error);
/// Fits a Weibull distribution to values above `location`. Needs two different values.
HW_API hwStatus hwFitWeibull(int64_t count, const double* values, double location, hwExtremeFit* out,
                             hwError* error);
/// Fits a generalised Pareto distribution to peaks over `threshold` (Pickands 1975, Grimshaw 1993). Needs five peaks. Tails
/// with a shape below -1/2, where maximum likelihood says nothing about its own error (Smith 1985), are refused.
HW_API hwStatus hwFitPeaks(int64_t count, const double* peaks, double threshold, hwExtremeFit* out,
                           hwError* error);

/// The value that the largest of `repeats` draws stays below with this probability: 0.9 for P90; 1/e with many repeats is
/// the most probable largest. Repeats need not be whole: a fit to maxima of 600 s gives those of three hours with 18.
HW_API double hwExtremeFit_GetQuantile(const hwExtremeFit* fit, double repeats, double probability);
/// Between which values that quantile lies with the given confidence (0.9 for 90 %), from the covariance of the estimates.
/// That is exact for large samples. Asked for 90 %, bounds hold in about 87 % of the cases with 40 maxima, and of heavy tails in
/// 78 % with 40 peaks and 87 % with 300.
HW_API void hwExtremeFit_GetBounds(const hwExtremeFit* fit, double repeats, double probability,
                                   double confidence, double* low, double* high);
/// Probability that one draw stays below x.
HW_API double hwExtremeFit_GetProbability(const hwExtremeFit* fit, double x);

// Spectra --------------------------------------------------------------------------------------------------------------

/// Number of frequencies of a spectrum from segments of this many samples: k / (segment interval), k = 0...segment/2.
#define HW_SPECTRUM_COUNT(segment) ((segment) / 2 + 1)

/// One-sided spectral density after Welch (1967): means of the segments are removed, Hann's window, segments overlap by
/// half. `segment` is a power of two from 8 to `count`. `density` has HW_SPECTRUM_COUNT(segment) entries, in the
/// unit squared per Hz; its integral over the frequencies is the variance.
HW_API hwStatus hwSeries_FindSpectrum(int64_t count, const double* values, double interval, int segment,
                                      double* density, hwError* error);

/// Response of one series to another: gain (real, imaginary) = cross spectrum over spectrum of the input, positive phase
/// where the output leads; and coherence, 1 where the output follows from the input alone. Arrays as for the spectrum; null:
/// not wanted.
HW_API hwStatus hwSeries_FindTransfer(int64_t count, const double* input, const double* output,
                                      double interval, int segment, double* gainReal, double* gainImaginary,
                                      double* coherence, hwError* error);

/// Moment of a spectrum: integral of f^order S(f), trapezoidal. Significant height 4 sqrt(m0), period sqrt(m0/m2).
HW_API double hwSpectrum_GetMoment(int frequencyCount, const double* density, double frequencyStep,
                                   double order);

// Fatigue --------------------------------------------------------------------------------------------------------------

/// A cycle, or half of one, of a rainflow count.
typedef struct hwRainflowCycle {
    double range; ///< highest less lowest value
    double mean;  ///< of both
    double count; ///< 1 or 1/2
} hwRainflowCycle;

/// Receives cycles as they are closed.
typedef void hwRainflowFn(const hwRainflowCycle* cycle, void* context);

/// Rainflow count (ASTM E1049-85, 5.4.4) of values that come one by one.
typedef struct hwRainflow hwRainflow;

/// An empty count; null without memory. The caller owns it.
HW_API hwRainflow* hwCreateRainflow(void);
/// Frees a count. Null is allowed.
HW_API void hwDestroyRainflow(hwRainflow* rainflow);
/// Takes the next value; closed cycles go to `receive`.
HW_API hwStatus hwRainflow_Add(hwRainflow* rainflow, double value, hwRainflowFn* receive, void* context);
/// Gives what is left as half cycles and starts anew.
HW_API void hwRainflow_Finish(hwRainflow* rainflow, hwRainflowFn* receive, void* context);

/// The count of a whole series: fills up to `capacity` cycles in the order in which they close and returns how many there
/// are; -1 without memory.
HW_API int64_t hwSeries_CountRainflow(int64_t count, const double* values, int64_t capacity,
                                      hwRainflowCycle* cycles);

/// An S-N or T-N curve: a cycle of range S is borne N = S^-m * 10^logA times, with another slope beyond the knee.
typedef struct hwFatigueCurve {
    double slope;     ///< m
    double logA;      ///< log10 of the intercept, for ranges in the unit of the series times `factor`
    double kneeLife;  ///< N at which the second slope begins; +inf: never
    double kneeSlope; ///< m beyond it
    double limit;     ///< ranges below this do no harm; 0: all do
    double
        factor; ///< what ranges are multiplied with first: stress per tension, stress concentration, 1/break
} hwFatigueCurve;

/// Slope 3, logA 0, one slope, no limit, factor 1.
HW_API hwFatigueCurve hwDefaultFatigueCurve(void);
/// Cycles of this range until failure; infinite for 0 and below the limit.
HW_API double hwFatigueCurve_GetLife(const hwFatigueCurve* curve, double range);
/// Palmgren and Miner's sum over cycles: 1 is failure.
HW_API double hwFatigueCurve_SumDamage(const hwFatigueCurve* curve, int64_t count,
                                       const hwRainflowCycle* cycles);

// Discretisation errors ------------------------------------------------------------------------------------------------

/// What three meshes tell of a number.
typedef struct hwConvergence {
    double
        limit; ///< on an infinitely fine mesh, by Richardson's extrapolation; the finest value where there is no order
    double
        error; ///< bound of the first value's distance from there; 0: the mesh does not matter; NaN: not known
    double order; ///< observed order p of an error like h^p; NaN: the differences do not shrink like that
} hwConvergence;

/// From values on a mesh, on one finer by `ratio`, and on one finer by its square, steps of time included. With an observed
/// order of 0.5 to 6 the error is Richardson's (1911) times 1.25 (Roache 1994), otherwise three times the largest difference.
HW_API hwConvergence hwFindConvergence(const double values[3], double ratio);

#ifdef __cplusplus
}
#endif
#endif
