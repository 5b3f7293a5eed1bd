/// @file ranges.h
/// Range graphs: least, mean and greatest tension, curvature and clearance along every cable over a run, from all steps of
/// the solver and what is between them: peaks as in hawser/extremes.h.
///
/// A station is a piece of a cable, at the start the middle of an element, and stays with that piece: what a winch pays out
/// has stations of its own, on either side of what was out at the start.
#ifndef HAWSER_RANGES_H
#define HAWSER_RANGES_H

#include "hawser/base.h"
#include "hawser/cable.h"
#include "hawser/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What happened at a station. NaN where nothing is known: of a station that was never out, of a cable without a curvature
/// (straight lines) or without a bottom below.
typedef struct hwRangeStation {
    double arc;         ///< m, unstretched, from where end a was at the start; negative: paid out there since
    double tensionMin;  ///< N
    double tensionMean; ///< N, over time
    double tensionMax;  ///< N
    double breakTension;  ///< N, of the section; +inf: does not break
    double curvatureMin;  ///< 1/m, the larger one of the element's two nodes
    double curvatureMean; ///< 1/m, over time
    double curvatureMax;  ///< 1/m; its inverse is the least radius of bending
    double bendRadius;    ///< m, least allowed in the section; 0: not known
    double
        clearanceMin; ///< m between the cable's underside and the bottom, the lower one of the element's two nodes
    double clearanceMean; ///< m, over time
    double clearanceMax;  ///< m
    double time;          ///< s that the station was out; NaN: never
    double
        damage; ///< Miner's sum of the rainflow cycles, largest of the points round it; NaN: no fatigue curve
} hwRangeStation;

/// Numbers of a station.
#define HW_RANGE_COLUMNS ((int)(sizeof(hwRangeStation) / sizeof(double)))

/// Ranges of all cables of a world.
typedef struct hwRanges hwRanges;

/// Stations for the cables that a prepared world has now; parts that are cut off later have none. Null and `error` on
/// failure; the caller owns it.
HW_API hwRanges* hwCreateRanges(const hwWorld* world, hwError* error);
/// Frees ranges. Null is allowed.
HW_API void hwDestroyRanges(hwRanges* ranges);

/// Takes the world's state now. Call it at the start and after each step of the solver, see hwWorld_SetObserver.
HW_API void hwRanges_Observe(hwRanges* ranges, const hwWorld* world);
/// The same for one cable, from a hwWorld_SetCableObserver: calls for different cables may come at once.
HW_API void hwRanges_ObserveCable(hwRanges* ranges, const hwWorld* world, hwCableId cable);

/// Counts the half cycles that are still open into the damage. Call it at the end of a run; what is observed afterwards begins
/// new cycles.
HW_API void hwRanges_Finish(hwRanges* ranges);

/// Number of stations of all cables, one cable after the other.
HW_API int hwRanges_GetCount(const hwRanges* ranges);
/// A station and the name of its cable, null when not wanted; owned by the ranges. Null for an index out of range. All stations
/// are one array, in this order.
HW_API const hwRangeStation* hwRanges_GetStation(const hwRanges* ranges, int index, const char** cable);
/// Name and unit of a number of a station, by its place in the struct: `tension.max` in N.
HW_API hwChannelInfo hwRanges_GetColumn(int column);

#ifdef __cplusplus
}
#endif
#endif
