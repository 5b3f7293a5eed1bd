/// @file look_ahead.h
/// The next seconds of a world, from its present state, under given commands: what would happen, and when first.
///
/// Each alternative runs in a branch of the world, with its model and solver: given the commands and steps that are then made,
/// it is what happens, to the bit. With `wrap` the tether goes on without inertia instead: near what happens, at a fraction of the cost.
/// Such a branch has no instruments, and errors alone make its sub-steps no shorter than `step`: steps of 0.1 s are cheapest.
/// The world itself is not changed.
#ifndef HAWSER_LOOK_AHEAD_H
#define HAWSER_LOOK_AHEAD_H

#include "hawser/base.h"
#include "hawser/cable.h"
#include "hawser/math.h"
#include "hawser/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An input that takes a value at a time.
typedef struct hwCommandAhead {
    double time;  ///< s from now; those at or before a step's start act in it
    int input;    ///< see hwWorld_FindInput
    double value; ///< in the input's unit
} hwCommandAhead;

/// Called with a branch after each of its steps, in the thread that runs it. False ends the look ahead there.
typedef bool hwLookAheadFn(const hwWorld* branch, void* context);

/// One alternative. Start from hwDefaultLookAheadDef(); arrays are borrowed.
typedef struct hwLookAheadDef {
    double duration;                ///< s; 30 unless given
    double step;                    ///< s, of each call of hwWorld_Step; 1/60 unless given
    int commandCount;               ///< entries of `commands`
    const hwCommandAhead* commands; ///< by rising time; none: what is set now stays
    hwCableId cable;                ///< tether to look at; null: none
    bool
        wrap; ///< `cable` goes on as HW_CABLE_WRAP from now on (hwCable_SetModel, by friction); inputs keep their numbers here
    double taut; ///< N, tension at its end b from which it counts as taut; 20 unless given
    double
        snag; ///< rad, through which the cable turns on what it is round from which it counts as snagged or caught; 1 unless
              ///< given. Without a watch of the cable it does neither
    double
        hauling; ///< s between looks whether the watched cable, hauled in as it lies, would hang; 0.5 unless given; 0: none
    hwBodyId body;        ///< body whose station matters, such as a vehicle's; null: none
    double station;       ///< m, from where it is now; 0: does not matter
    hwLookAheadFn* watch; ///< sees each step, to draw a ghost or to stop early; or null
    void* watchContext;   ///< given to `watch`
    int cookie;           ///< set by hwDefaultLookAheadDef
} hwLookAheadDef;

/// 30 s in steps of 1/60 s, nothing commanded, nothing looked at.
HW_API hwLookAheadDef hwDefaultLookAheadDef(void);

/// What was foreseen; times are simulated ones in s, NaN: not within the duration.
typedef struct hwLookAhead {
    hwStatus
        status; ///< HW_OK, HW_ERROR_STOPPED by `watch`, or why else it ended early; times up to `end` are good
    double end;     ///< s, up to which it ran
    double wound;   ///< when a winding or linking number first changed
    int feature;    ///< which of the watch's axes and loops that was; -1: none
    double snagged; ///< when the cable first lay round something with more than `snag` (hwEntanglement.wrap)
    double
        caught; ///< from when on it would hang, were it hauled in: pulled tight as it lies (hwCable_ForecastHaul) it turns by more
    ///< than `snag` on what it is round. A slack tether is caught before it lies on anything. The present: it would already
    double tautened; ///< when its end b first pulled with more than `taut`, having pulled with less before
    double left;     ///< when the body was first farther than `station` from where it was
    double tension;  ///< N, largest at end b
    uint64_t hash;   ///< of the state at the end
    hwVec3 position; ///< m, of the body at the end
} hwLookAhead;

/// Looks ahead along `count` alternatives at once, in as many threads as the world has. Results come in their order and do not
/// depend on the threads. Allocates. Fails when a branch cannot be made; what fails in a run is in its result.
HW_API hwStatus hwWorld_LookAhead(const hwWorld* world, int count, const hwLookAheadDef* defs,
                                  hwLookAhead* out, hwError* error);

#ifdef __cplusplus
}
#endif
#endif
