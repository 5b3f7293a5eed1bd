/// @file live.h
/// Running a world against the clock: in real time or faster or slower, with commands from other threads, pictures at a
/// chosen rate, pause, single steps, rewind, branches. Part of the library hawser-live.
///
/// Time advances in steps of one length. Inputs change between steps only, and every change is logged with the number
/// of the step before which it happened: the same world, given the same log, reaches the same state bit by bit. Commands
/// carry the clock time at which they were given and act at the step that this time falls into.
///
/// One thread runs the world (hwLive_Run, or hwLive_Poll in a loop of your own); the calls under "from any thread" may
/// come from any. Callbacks are called by the thread that runs it.
#ifndef HAWSER_LIVE_H
#define HAWSER_LIVE_H

#include "hawser/base.h"
#include "hawser/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A world that runs against the clock.
typedef struct hwLive hwLive;

/// An input that was set before step number `step` (from 0).
typedef struct hwInputEvent {
    uint64_t step; ///< steps taken before
    int input;     ///< index of the input
    double value;  ///< in its unit
} hwInputEvent;

/// What has changed besides time.
typedef enum hwLiveChange {
    HW_LIVE_PACE,    ///< paused, resumed, or another speed
    HW_LIVE_REWOUND, ///< time went back; later log entries are gone
    HW_LIVE_FAILED,  ///< the solver failed; paused at the beginning of the failing step
    HW_LIVE_SLOW     ///< it does not keep up any more, or does so again; see hwLiveStatus
} hwLiveChange;

/// Where a live world stands.
typedef struct hwLiveStatus {
    double time;     ///< s, simulated
    uint64_t steps;  ///< taken since the start
    bool paused;     ///< time stands still
    double speed;    ///< simulated s per s, as asked
    double measured; ///< as measured over the last second
    bool slow;       ///< slower than asked
    bool failed;     ///< the solver failed; a rewind clears it
    double earliest; ///< s, how far a rewind may go back
} hwLiveStatus;

/// Called after things have happened. `context` is the def's.
typedef void hwLiveFn(hwLive* live, void* context);

/// Description of a live world. Start from hwDefaultLiveDef().
typedef struct hwLiveDef {
    hwWorld* world;                 ///< prepared; belongs to the live world once Create succeeds
    double step;                    ///< s of simulated time between changes of inputs
    uint64_t steps;                 ///< taken before, when the world goes on from a replay
    size_t logCount;                ///< entries of `log`
    const hwInputEvent* log;        ///< inputs set before; copied
    double speed;                   ///< simulated s per s
    bool paused;                    ///< at the start
    double frameRate;               ///< pictures per s of the clock; fewer while paused
    double snapshots;               ///< s of simulated time between states kept for rewinding
    double history;                 ///< s of simulated time that a rewind may go back
    int queue;                      ///< commands that may wait
    double (*clock)(void* context); ///< s, never going back; null: the system's monotonic clock
    void* clockContext;             ///< given to `clock`
    hwLiveFn* onStep;               ///< after each step; may set inputs by hwLive_ApplyInput
    hwLiveFn* onFrame;              ///< when a picture is due
    void (*onInput)(hwLive* live, const hwInputEvent* event, void* context); ///< an input was set
    void (*onChange)(hwLive* live, hwLiveChange change, void* context);      ///< see hwLiveChange
    void* context;                                                           ///< given to the functions above
    int cookie;                                                              ///< set by hwDefaultLiveDef
} hwLiveDef;

/// Steps of 1/60 s, real time, 30 pictures per s, a state each second, ten minutes of history.
HW_API hwLiveDef hwDefaultLiveDef(void);

/// Makes a live world, or returns null and fills `error`; then the world is still the caller's.
HW_API hwLive* hwCreateLive(const hwLiveDef* def, hwError* error);
/// Frees it and its world. Its thread must have left hwLive_Run. Null is allowed.
HW_API void hwDestroyLive(hwLive* live);

// From any thread. All of these wait in a queue until the thread that runs the world takes them; HW_ERROR_LIMIT when the
// queue is full.

/// The live world's clock, s.
HW_API double hwLive_GetClock(const hwLive* live);
/// Sets inputs, all before the same step. `when` is the clock time at which they were given; NaN: now. An input that has
/// its value already is left alone.
HW_API hwStatus hwLive_SetInputs(hwLive* live, int count, const int* inputs, const double* values,
                                 double when);
/// Stops time, or lets it go on.
HW_API hwStatus hwLive_Pause(hwLive* live, bool paused);
/// Simulated s per s.
HW_API hwStatus hwLive_SetSpeed(hwLive* live, double speed);
/// Pictures per s.
HW_API hwStatus hwLive_SetFrameRate(hwLive* live, double rate);
/// Pauses and takes so many steps.
HW_API hwStatus hwLive_TakeSteps(hwLive* live, int steps);
/// Goes back to this time, or as far as history reaches, and pauses. What came after is forgotten.
HW_API hwStatus hwLive_Rewind(hwLive* live, double time);
/// Has a function called by the thread that runs the world, between two steps.
HW_API hwStatus hwLive_Call(hwLive* live, hwLiveFn* function, void* context);
/// Makes hwLive_Run return.
HW_API void hwLive_Stop(hwLive* live);

// From the thread that runs the world.

/// Runs until hwLive_Stop.
HW_API void hwLive_Run(hwLive* live);
/// Does what is due now and returns the clock time at which something is due next.
HW_API double hwLive_Poll(hwLive* live);

// From callbacks, and while nothing runs.

/// The world. Between steps it may be read; inputs are set by hwLive_ApplyInput.
HW_API hwWorld* hwLive_GetWorld(const hwLive* live);
/// The def's context.
HW_API void* hwLive_GetContext(const hwLive* live);
/// Another context for the callbacks; while nothing runs.
HW_API void hwLive_SetContext(hwLive* live, void* context);
/// Where it stands.
HW_API hwLiveStatus hwLive_GetStatus(const hwLive* live);
/// Why the solver failed.
HW_API const hwError* hwLive_GetError(const hwLive* live);
/// Length of a step, s.
HW_API double hwLive_GetStep(const hwLive* live);
/// True when time jumped since the picture before.
HW_API bool hwLive_HasJumped(const hwLive* live);
/// Sets an input now, before the next step, and logs it.
HW_API hwStatus hwLive_ApplyInput(hwLive* live, int input, double value, hwError* error);
/// All inputs set so far, in order; valid until the next step.
HW_API const hwInputEvent* hwLive_GetLog(const hwLive* live, size_t* count);
/// A live world of its own that begins here with a copy of world and log; those of `def` are ignored.
HW_API hwLive* hwLive_Branch(const hwLive* live, const hwLiveDef* def, hwError* error);

/// Runs a prepared world through a log without a clock: `steps` steps of length `step`. `onStep`, unless null, is called
/// after each and stops the run by returning false (HW_ERROR_STOPPED).
HW_API hwStatus hwReplayInputs(hwWorld* world, double step, uint64_t steps, size_t count,
                               const hwInputEvent* log,
                               bool (*onStep)(hwWorld* world, uint64_t step, void* context), void* context,
                               hwError* error);

/// Hash of the state as a live world and a replay both have it.
HW_API uint64_t hwHashFlight(const hwWorld* world);

#ifdef __cplusplus
}
#endif
#endif
