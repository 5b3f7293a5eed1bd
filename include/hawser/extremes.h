/// @file extremes.h
/// Least and greatest values of channels with their times, means, deviations and times above a level, over all steps of a
/// solver and what is between them. They do not depend on the rows that are written. Part of hawser-io.
#ifndef HAWSER_EXTREMES_H
#define HAWSER_EXTREMES_H

#include "hawser/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Of one channel. NaN where nothing is known: a channel that never had a value.
typedef struct hwExtreme {
    double min;       ///< least value
    double minTime;   ///< s, when
    double max;       ///< greatest value
    double maxTime;   ///< s, when
    double mean;      ///< over time
    double deviation; ///< standard deviation over time
    double above;     ///< s that it was above its level, see hwExtremes_SetLevel; NaN: it has none
} hwExtreme;

/// Numbers of a channel.
#define HW_EXTREME_COLUMNS ((int)(sizeof(hwExtreme) / sizeof(double)))

/// Extremes of some channels. Between two steps a value is a parabola through both, with the smaller one of the curvatures that
/// the steps before and after suggest, and a straight line where these disagree (Harten & Osher 1987): a peak between two steps
/// is found, and nothing overshoots where a value jumps. It is straight too where it would pass zero though no step has: the least
/// tension of a wire that is slack for a moment is not negative.
typedef struct hwExtremes hwExtremes;

/// Extremes of `channelCount` channels; null and `error` when there is not enough memory. The caller owns them.
HW_API hwExtremes* hwCreateExtremes(int channelCount, hwError* error);
/// Frees extremes. Null is allowed.
HW_API void hwDestroyExtremes(hwExtremes* extremes);
/// Counts the time that a channel is above a level, from now on.
HW_API void hwExtremes_SetLevel(hwExtremes* extremes, int channel, double level);
/// Takes the values of all channels at a time, which must not be before the last one: at the start and after each step of the
/// solver, see hwWorld_SetObserver. At the same time again: values have jumped there, as at an event.
HW_API void hwExtremes_Add(hwExtremes* extremes, double time, const double* values);
/// Fills [channel] with what is known up to the last time.
HW_API void hwExtremes_Get(const hwExtremes* extremes, hwExtreme* out);

/// Name of a number of hwExtreme, as in files; empty for an index out of range.
HW_API const char* hwExtremes_GetColumn(int column);

#ifdef __cplusplus
}
#endif
#endif
