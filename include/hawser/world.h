/// @file world.h
/// The world: create, fill, prepare, step, save.
///
/// Order of calls: hwCreateWorld, hwWorld_SetEnvironment and Add calls, hwWorld_Prepare, hwWorld_Step as often as
/// you like, hwDestroyWorld. Adding or removing things later is allowed; then Prepare again: what stayed keeps its
/// state.
///
/// A world may be used from one thread at a time. Different worlds are independent.
#ifndef HAWSER_WORLD_H
#define HAWSER_WORLD_H

#include "hawser/base.h"
#include "hawser/body.h"
#include "hawser/environment.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What the built-in solver does when its steps collapse: 500 attempts in a row get on by less than a twentieth of what errors
/// ask for each. The object and the force that limit the steps are named in any case, in the log or in the error.
typedef enum hwCrawlPolicy {
    HW_CRAWL_GO_ON, ///< goes on; Newton's method stops when it goes by less than the tolerance for errors of a step
    HW_CRAWL_STOP ///< fails with HW_ERROR_NUMERIC, the state is that of the last step
} hwCrawlPolicy;

/// Settings of the built-in solver, and of a plugged-in one that reads them.
typedef struct hwSolverDef {
    double tolerance; ///< relative local error aimed at; 0: the solver's default
    double initial;   ///< s, first sub-step; 0: chosen
    double min;       ///< s, smallest sub-step before the solver gives up; 0: chosen
    double max;       ///< s, largest sub-step; 0: no bound
    /// s, errors alone make no shorter sub-steps: what is faster is damped. 0: 2 ms, so that a frame takes a bounded number of
    /// them; with a tolerance, `min`. Of the built-in solver.
    double followed;
    hwCrawlPolicy crawl; ///< when steps collapse
    /// Bodies and mechanisms that rest on something fixed fall asleep: they are not moved and cost next to nothing until
    /// something comes near them or acts on them, see hwBody_IsAwake and docs/numerics.md, "Sleep". Of the built-in solver; allowing it counts from the next
    /// Prepare on, forbidding it at once.
    bool sleep;
    double restSpeed; ///< m/s, slower bodies rest; 0: 0.001
    double restTime;  ///< s for which a body rests before it falls asleep; 0: 0.5
} hwSolverDef;

/// Work on items first..last-1 of a parallel loop.
typedef void hwTaskFn(int first, int last, void* task);

/// The host's parallel loop: calls `function` with `task` for all of 0..count-1, cut into pieces of `chunk` items that begin
/// at multiples of it (the last one may be shorter), in any order and on any threads, and returns when all are done. Pieces
/// write to places of their own, so that the bits of a result do not depend on how they are shared out.
typedef void hwRunTasksFn(hwTaskFn* function, int count, int chunk, void* task, void* context);

/// Asked whether to stop: true ends the call that is under way with HW_ERROR_STOPPED. It may read a flag that a signal
/// handler or another thread sets; it is called often, so it should do no more than that.
typedef bool hwStopFn(void* context);

/// Description of a world. Start from hwDefaultWorldDef().
typedef struct hwWorldDef {
    hwAllocator allocator;  ///< malloc and free unless given
    hwLogFn* log;           ///< receives warnings, or null
    void* logContext;       ///< given to `log`
    hwSolverDef solver;     ///< settings of the solver
    int threads;            ///< worker threads including the caller's; 1: none are started
    hwRunTasksFn* runTasks; ///< the host's threads are used instead, through this; null: those of `threads`
    void* tasksContext;     ///< given to `runTasks`
    hwStopFn* stop;         ///< asked in every sub-step and every iteration of statics, or null
    void* stopContext;      ///< given to `stop`
    bool statics;           ///< Prepare settles everything to static equilibrium
    double time;            ///< s, at the start
    double
        buildUp; ///< s before that in which waves, ships' answers and given motions grow from nothing; the world
                 ///< is prepared at time - buildUp, see hwWorld_BuildUp; 0: none
    void* userData; ///< the caller's own; never read by the library
    int cookie;     ///< set by hwDefaultWorldDef
} hwWorldDef;

/// One thread, time 0, no statics, the solver's defaults.
HW_API hwWorldDef hwDefaultWorldDef(void);

/// Makes an empty world, or returns null and fills `error`. The caller owns it.
HW_API hwWorld* hwCreateWorld(const hwWorldDef* def, hwError* error);
/// The world as it was described, owned by it.
HW_API const hwWorldDef* hwWorld_GetDef(const hwWorld* world);
/// The caller's own pointer.
HW_API void* hwWorld_GetUserData(const hwWorld* world);
/// Replaces it.
HW_API void hwWorld_SetUserData(hwWorld* world, void* userData);
/// Frees a world and everything in it. Null is allowed.
HW_API void hwDestroyWorld(hwWorld* world);

/// Replaces the environment. Data behind pointers is copied.
HW_API hwStatus hwWorld_SetEnvironment(hwWorld* world, const hwEnvironmentDef* def, hwError* error);

/// Finds every modelling mistake, reserves all memory, and solves static equilibrium when the world was told to. It may be
/// called again after it was stopped (HW_ERROR_STOPPED).
HW_API hwStatus hwWorld_Prepare(hwWorld* world, hwError* error);

/// Advances time by `interval` seconds in sub-steps of the solver's choice. On failure the state is that of the last
/// good sub-step, and the error says where, when and why. So it is when the def's `stop` asks for it (HW_ERROR_STOPPED):
/// the world is whole and may be stepped on. The last sub-step ends at the end of the interval, so that many short
/// intervals bound the solver's steps; results at many times without that are hwWorld_SetSampler's.
HW_API hwStatus hwWorld_Step(hwWorld* world, double interval, hwError* error);

/// Called after each sub-step that was accepted; may read the world, not change it. With one, cables that share nothing with
/// one another are not stepped apart.
typedef void hwObserverFn(const hwWorld* world, void* context);

/// Watches the solver's own steps, for example to draw smooth curves from long ones; null ends it.
HW_API void hwWorld_SetObserver(hwWorld* world, hwObserverFn* observer, void* context);

/// Called with the world at the time of a sample; may read the world, not change it. Returns the time of the next sample, s,
/// which must be later; infinity or a NaN ends them.
typedef double hwSamplerFn(const hwWorld* world, void* context);

/// Has results read at given times, from `first` on, while hwWorld_Step advances by any interval. The solver does not stop
/// at these times, so that they change neither its steps nor a bit of the state: a sample within a step is one more stage
/// of the method from that step's start, put away after it was read. What an event or the end of a step changes is in
/// samples from its time on. Keeps a second copy of the world's memory. Null ends it.
HW_API hwStatus hwWorld_SetSampler(hwWorld* world, double first, hwSamplerFn* sampler, void* context,
                                   hwError* error);

/// Changes the solver's settings between steps.
HW_API hwStatus hwWorld_SetSolver(hwWorld* world, const hwSolverDef* solver, hwError* error);

/// Simulated time in s.
HW_API double hwWorld_GetTime(const hwWorld* world);

/// What the solver has done since Prepare.
typedef struct hwCounters {
    uint64_t steps;          ///< sub-steps taken; of cables that are stepped apart, all of them
    uint64_t rejected;       ///< sub-steps repeated with a smaller size
    uint64_t evaluations;    ///< evaluations of all forces
    uint64_t iterations;     ///< Newton iterations
    uint64_t factorizations; ///< of the implicit solver's matrix
    uint64_t unconverged;    ///< stages accepted without meeting the Newton tolerance
    double lastStep;         ///< s, size of the last sub-step
} hwCounters;

/// The counters now.
HW_API hwCounters hwWorld_GetCounters(const hwWorld* world);

/// Energies of everything in the world, J. Their balance shows what the solver loses:
/// kinetic + potential + elastic + dissipated + method - work stays constant.
typedef struct hwEnergy {
    double kinetic;    ///< added mass included
    double potential;  ///< weight and buoyancy
    double elastic;    ///< stored in springs, cables, contacts
    double dissipated; ///< by drag, damping and friction since Prepare
    double work;       ///< done on the world by forces, drives and prescribed motion since Prepare
    double method;     ///< taken out by the steps of the built-in solver since Prepare, negative: put in; see
                       ///< docs/numerics.md, "What the method damps". 0 with other solvers
    double stilled;    ///< of `dissipated`: motion that bodies had left when they fell asleep
} hwEnergy;

/// The energies now. The world must be prepared.
HW_API hwEnergy hwWorld_GetEnergy(const hwWorld* world);

/// Samples the fluid at `count` points (world) at time `time`, with the extra current and wind that inputs set now and in the
/// lee of obstacles. The world's environment must be set.
HW_API hwStatus hwWorld_SampleFluid(const hwWorld* world, int count, const hwVec3* points, double time,
                                    hwFluidSample* out, hwError* error);

/// The environment as it was described, owned by the world.
HW_API const hwEnvironmentDef* hwWorld_GetEnvironment(const hwWorld* world);
/// The harmonics of the sea, by rising k: fills up to `capacity` and returns how many there are.
HW_API int hwWorld_GetWaves(const hwWorld* world, int capacity, hwWaveComponent* components);
/// Height of the bottom at (x, y), m, -inf when there is none, and its upward unit normal unless null.
HW_API double hwWorld_GetSeabed(const hwWorld* world, double x, double y, hwVec3* normal);
/// Bodies and links in the order of their slots: fills up to `capacity` and returns how many there are.
HW_API int hwWorld_GetBodies(const hwWorld* world, int capacity, hwBodyId* bodies);

// State: one block of bytes, valid for this world as prepared (and for copies made by hwWorld_Branch).

/// Size of the state block in bytes; 0 before Prepare.
HW_API size_t hwWorld_GetStateSize(const hwWorld* world);
/// Copies the state to `buffer` of at least hwWorld_GetStateSize bytes.
HW_API hwStatus hwWorld_SaveState(const hwWorld* world, void* buffer, size_t size, hwError* error);
/// Restores a saved state; refuses that of another model, also when only a mass or a stiffness is another, and one whose bytes were
/// damaged since.
HW_API hwStatus hwWorld_RestoreState(hwWorld* world, const void* buffer, size_t size, hwError* error);
/// The same for a model with the same objects in the same order whose numbers may be others, which is noted in the log. What
/// follows starts from a motion that was not its own: expect a jolt.
HW_API hwStatus hwWorld_AdoptState(hwWorld* world, const void* buffer, size_t size, hwError* error);
/// Steps through what is left of the build-up, to `time` of hwWorldDef, and sets the counters to zero there: energies, extremes
/// and statistics of a run begin afterwards. Does nothing without a build-up or after it.
HW_API hwStatus hwWorld_BuildUp(hwWorld* world, hwError* error);
/// Brings a prepared world from the state that it has (given, stepped to, restored) to static equilibrium at the same time, as
/// `statics` of hwWorldDef does from the start. Controllers and winches stay where they are. Kinetic and potential energy
/// change without work: the balance of energy begins anew here. A failure leaves the state as it was.
HW_API hwStatus hwWorld_Settle(hwWorld* world, hwError* error);
/// 64-bit hash of the state: equal states, equal hashes.
HW_API uint64_t hwWorld_HashState(const hwWorld* world);
/// An independent copy of a prepared world with the same handles and state; the caller owns it.
HW_API hwWorld* hwWorld_Branch(const hwWorld* world, hwError* error);
/// The same of any world: one that is not prepared is copied with all that was added to it, and its state, if it had one,
/// is left out. Contexts of functions are shared, user data copied as pointers; observers, clocks and snapshots of queries
/// stay behind.
HW_API hwWorld* hwWorld_Copy(const hwWorld* world, hwError* error);

// Named channels: every quantity that can be recorded, plotted or scored.

/// One channel.
typedef struct hwChannelInfo {
    const char* name; ///< for example "payload.position.z"; owned by the world
    const char* unit; ///< for example "m"
} hwChannelInfo;

/// Number of channels; 0 before Prepare.
HW_API int hwWorld_GetChannelCount(const hwWorld* world);
/// Name and unit of a channel; empty texts for an index out of range.
HW_API hwChannelInfo hwWorld_GetChannel(const hwWorld* world, int channel);
/// Whether a channel is of a part of a cable that nothing has cut off yet, as `line-2.length`: it has no value.
HW_API bool hwWorld_IsChannelAbsent(const hwWorld* world, int channel);
/// 0 for most channels. A number above 0 for those of nodes and elements that a cable does not have now but has room for, as where contact
/// inserts nodes: channels with the same number come into being about together. They hold NaN until then.
HW_API int hwWorld_GetChannelRoom(const hwWorld* world, int channel);
/// Index of the channel with this name, or -1.
HW_API int hwWorld_FindChannel(const hwWorld* world, const char* name);
/// Current value of a channel; NaN for an index out of range.
HW_API double hwWorld_ReadChannel(const hwWorld* world, int channel);
/// Reads several at once.
HW_API void hwWorld_ReadChannels(const hwWorld* world, int count, const int* channels, double* values);

// Named inputs: everything that events, pilots and other programs may change while running.

/// Number of inputs; 0 before Prepare.
HW_API int hwWorld_GetInputCount(const hwWorld* world);
/// Name and unit of an input; empty texts for an index out of range.
HW_API hwChannelInfo hwWorld_GetInput(const hwWorld* world, int input);
/// Index of the input with this name, or -1.
HW_API int hwWorld_FindInput(const hwWorld* world, const char* name);
/// Value of an input; NaN for an index out of range.
HW_API double hwWorld_ReadInput(const hwWorld* world, int input);
/// Sets an input from now on.
HW_API hwStatus hwWorld_SetInput(hwWorld* world, int input, double value, hwError* error);

/// Something that happens at a time: the input takes the value. Steps end exactly there.
typedef struct hwEventDef {
    double time;       ///< s
    const char* input; ///< name of an input
    double value;      ///< in the input's unit
} hwEventDef;

/// Schedules an event; the name is checked by Prepare.
HW_API hwStatus hwWorld_AddEvent(hwWorld* world, const hwEventDef* def, hwError* error);

#ifdef __cplusplus
}
#endif
#endif
