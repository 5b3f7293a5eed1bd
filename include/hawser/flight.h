/// @file flight.h
/// Flights on disk: every input, the scene, and the channels of a live world, kept so that it can be replayed. Part of
/// hawser-live.
///
/// A flight is a folder with `flight.json` (what it was), `scene.yaml` (the scene it was flown in), `inputs.csv` (step, time, name
/// and value of every input that was set) and `results.h5` (the channels, see results.h); where a second tether was shown beside it as
/// a ghost, `ghost.csv` has its lines.
#ifndef HAWSER_FLIGHT_H
#define HAWSER_FLIGHT_H

#include "hawser/base.h"
#include "hawser/hint.h"
#include "hawser/lesson.h"
#include "hawser/live.h"
#include "hawser/results.h"
#include "hawser/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a flight was.
typedef struct hwFlightInfo {
    char id[48];           ///< name of its folder
    char title[128];       ///< as the pilot called it
    char vehicle[64];      ///< kind of vehicle
    char surroundings[64]; ///< where
    char started[32];      ///< ISO 8601, UTC
    char status[256];      ///< "flying", "completed", or a sentence that says why recording ended early
    double step;           ///< s, length of a step
    uint64_t steps;        ///< taken
    double duration;       ///< s, simulated
    bool hashed;           ///< `hash` is known
    uint64_t hash;         ///< of the last state, see hwHashFlight
    char version[32];      ///< of Hawser
    int64_t bytes;         ///< on disk
    char pilot[64];        ///< who flew, as in the logbook; empty: nobody said
} hwFlightInfo;

/// The line of a second tether of another model at a moment: a ghost beside the true one. For pictures alone.
typedef struct hwGhostLine {
    double time;          ///< s
    char model[24];       ///< as it was asked for
    double apart;         ///< m, greatest distance of its points from the true tether
    int count;            ///< of points
    const hwVec3* points; ///< from the launch to the vehicle
} hwGhostLine;

/// s after which a line is no longer of the moment: they are kept two a second.
#define HW_GHOST_LASTS 0.75

/// Description of a recording. Start from hwDefaultFlightDef(); pointers are borrowed until Create returns.
typedef struct hwFlightDef {
    const char* folder;      ///< in which the flight's own folder is made
    const char* scene;       ///< text of the scene
    const char* options;     ///< JSON text kept with the flight, or null
    hwFlightInfo info;       ///< id, title, vehicle, surroundings, step; the rest is filled in
    double interval;         ///< s of simulated time between rows of results
    uint64_t steps;          ///< taken before, when the flight goes on from another one
    size_t logCount;         ///< entries of `log`
    const hwInputEvent* log; ///< inputs set before
    const char* rows;        ///< results file whose rows up to now come first, or null
    const char* marks;       ///< JSON list of marks, of which those up to now come first, or null
    const char* events;      ///< JSON list of events, likewise
    const char* ghosts;      ///< folder of a flight whose ghost up to now comes first, or null
    int cookie;              ///< set by hwDefaultFlightDef
} hwFlightDef;

/// Ten rows per second, steps of 1/60 s.
HW_API hwFlightDef hwDefaultFlightDef(void);

/// Writes a flight. To be used by the thread that runs the world.
typedef struct hwFlightWriter hwFlightWriter;

/// Makes the folder and begins. Null and `error` on failure; nothing is left then.
HW_API hwFlightWriter* hwCreateFlightWriter(const hwFlightDef* def, const hwWorld* world, hwError* error);
/// Ends it. Without Finish the flight stays "flying" on disk. Null is allowed.
HW_API void hwDestroyFlightWriter(hwFlightWriter* writer);

/// What is known about the flight now.
HW_API const hwFlightInfo* hwFlightWriter_GetInfo(const hwFlightWriter* writer);
/// HW_OK while everything reaches the disk; after a failure (a full disk, say) the flight ends there, and later calls do
/// nothing. `error`, unless null, tells why.
HW_API hwStatus hwFlightWriter_GetStatus(const hwFlightWriter* writer, hwError* error);

/// An input was set.
HW_API void hwFlightWriter_AddInput(hwFlightWriter* writer, const hwWorld* world, const hwInputEvent* event);
/// A step was taken; every so often a row is written.
HW_API void hwFlightWriter_AddStep(hwFlightWriter* writer, const hwWorld* world, uint64_t step);
/// A moment worth remembering.
HW_API void hwFlightWriter_AddMark(hwFlightWriter* writer, double time, const char* level, const char* text);
/// Something that happened besides inputs: a JSON object, kept with its time (a fault that is only shown, an answer).
HW_API void hwFlightWriter_AddEvent(hwFlightWriter* writer, double time, const char* json);
/// A hint that was given: a mark of level `hint`, and an event {"type": "hint", "kind", "value", "text"}.
HW_API void hwFlightWriter_AddHint(hwFlightWriter* writer, const hwHint* hint);
/// What a second tether looks like now. Points within 3 cm of the line through those that are kept are left out; these are
/// rounded to centimetres.
HW_API void hwFlightWriter_AddGhost(hwFlightWriter* writer, const hwGhostLine* line);
/// The world went back to step `step`; `log` is what is left of the inputs.
HW_API void hwFlightWriter_Rewind(hwFlightWriter* writer, const hwWorld* world, uint64_t step, size_t count,
                                  const hwInputEvent* log);
/// Completes the flight with the hash of the last state. `reason`: null for "completed".
HW_API hwStatus hwFlightWriter_Finish(hwFlightWriter* writer, const hwWorld* world, uint64_t steps,
                                      const char* reason, hwError* error);

/// A recorded flight, read.
typedef struct hwFlight hwFlight;

/// Reads a flight's folder. Null and `error` on failure; the caller owns it.
HW_API hwFlight* hwLoadFlight(const char* path, hwError* error);
/// Frees it. Null is allowed.
HW_API void hwDestroyFlight(hwFlight* flight);
/// What it was.
HW_API const hwFlightInfo* hwFlight_GetInfo(const hwFlight* flight);
/// Text of its scene.
HW_API const char* hwFlight_GetScene(const hwFlight* flight);
/// JSON text of its options, or null.
HW_API const char* hwFlight_GetOptions(const hwFlight* flight);
/// JSON text of its marks, a list of {"time", "level", "text"}; never null.
HW_API const char* hwFlight_GetMarks(const hwFlight* flight);
/// JSON text of its events, a list of objects with `time`; never null.
HW_API const char* hwFlight_GetEvents(const hwFlight* flight);
/// Makes its world, prepared, at the beginning; the caller owns it.
HW_API hwWorld* hwFlight_CreateWorld(const hwFlight* flight, hwError* error);
/// The inputs up to `steps`, resolved in a world of its scene, in order. The caller frees them with free().
HW_API hwInputEvent* hwFlight_ResolveLog(const hwFlight* flight, const hwWorld* world, uint64_t steps,
                                         size_t* count, hwError* error);

/// Whether the flight in a folder has lines of a second tether.
HW_API bool hwHasGhosts(const char* folder);
/// The lines of a second tether that a flight in a folder was shown with.
typedef struct hwGhosts hwGhosts;
/// Reads them; without any it is empty. Null where there is no memory; the caller owns it.
HW_API hwGhosts* hwLoadGhosts(const char* folder);
/// Frees them. Null is allowed.
HW_API void hwDestroyGhosts(hwGhosts* ghosts);
/// All of them, in the order of time.
HW_API const hwGhostLine* hwGhosts_GetLines(const hwGhosts* ghosts, int* count);
/// The line at a time, the last one not after it; null where there was none then.
HW_API const hwGhostLine* hwGhosts_Find(const hwGhosts* ghosts, double time);

/// Makes the recording of a flight whole whose program was killed: flies its inputs again up to its last second and writes rows,
/// hash and the status "broken off". One that is whole is left alone. Not for a flight that is still in the air.
HW_API hwStatus hwRepairFlight(const char* path, hwError* error);

/// Gives a scorer the answers of a freeze, JSON as pages send them (docs/protocol.md, Probes); HW_ERROR_FORMAT and `error` when
/// they are not that.
HW_API hwStatus hwAnswerProbe(hwScorer* scorer, int probe, const char* json, hwError* error);
/// Gives a scorer all answers that a recorded flight holds.
HW_API hwStatus hwFlight_AnswerProbes(const hwFlight* flight, hwScorer* scorer, hwError* error);

/// The flights in a folder, newest first: fills up to `capacity` and returns how many there are.
HW_API int hwListFlights(const char* folder, int capacity, hwFlightInfo* infos);

/// Chooses the channels that a flight keeps: everything that a picture, a gauge or a score needs. `channels` needs room
/// for hwWorld_GetChannelCount entries.
HW_API int hwSelectFlightChannels(const hwWorld* world, int* channels);

/// How a flight rounds these channels of a world: what belongs to the world itself not at all, positions of nodes to 2^-11 m,
/// what else nodes and elements have to 12 bits, the rest to a float. `rounding` needs room for `count` entries.
HW_API void hwGetFlightRounding(const hwWorld* world, int count, const int* channels,
                                unsigned char* rounding);
/// Rounds a row as recordings do. A row that is rounded already stays as it is.
HW_API void hwRoundFlightRow(int count, const unsigned char* rounding, double* row);
/// Reads a row as recordings hold it. Scores are made of such rows, so that a score from the recording has the same bits as
/// the score in flight.
HW_API void hwReadFlightRow(const hwWorld* world, int count, const int* channels,
                            const unsigned char* rounding, double* row);

#ifdef __cplusplus
}
#endif
#endif
