/// @file pilot.h
/// Pilots without hands: a script that flies a vehicle as a person would, by sticks and switches, and a handler for its
/// tether. Part of hawser-live; scripts are read by hawser-io.
///
/// docs/lessons.md describes the file. A script's actions are done one after another.
#ifndef HAWSER_PILOT_H
#define HAWSER_PILOT_H

#include "hawser/base.h"
#include "hawser/flight.h"
#include "hawser/hint.h"
#include "hawser/lesson.h"
#include "hawser/scene.h"
#include "hawser/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a pilot does.
typedef enum hwPilotActionKind {
    HW_PILOT_ARM,   ///< arms, or disarms when `value` is 0
    HW_PILOT_MODE,  ///< `value` is a hwVehicleMode
    HW_PILOT_GAIN,  ///< of the sticks
    HW_PILOT_GO,    ///< flies to `position`
    HW_PILOT_TURN,  ///< turns to `heading`, or by `value`
    HW_PILOT_WAIT,  ///< `value` s, sticks let go
    HW_PILOT_HOLD,  ///< `value` s, staying where it is
    HW_PILOT_SET,   ///< sets the input `input`, at once or evenly over `over` s while the script goes on
    HW_PILOT_TETHER ///< takes over the tether: `value` m/s paid out; NaN gives it back
} hwPilotActionKind;

/// One action.
typedef struct hwPilotAction {
    hwPilotActionKind kind; ///< what
    hwVec3 position;        ///< m
    double value;           ///< see the kind
    double heading;         ///< rad, clockwise from north; NaN: go as it points, turn by `value`
    bool ahead;             ///< go: the bow points where it goes
    double within;          ///< m or rad: near enough
    double speed;           ///< stick at most, 0 to 1
    double timeout;         ///< s, given up after
    const char* input;      ///< name of an input; one that begins with a dot is the vehicle's own
    double over;            ///< set: s in which it gets there; 0: at once
    int line, column;       ///< in the file
} hwPilotAction;

/// What places and headings of a script are counted from.
typedef enum hwPilotFrame {
    HW_PILOT_FRAME_WORLD, ///< the world
    HW_PILOT_FRAME_START  ///< where the vehicle is when the script begins: x ahead, y to port, z up
} hwPilotFrame;

/// A script in memory.
typedef struct hwPilotScript hwPilotScript;

/// Reads a script. Null and `error` with line and column on failure.
HW_API hwPilotScript* hwLoadPilotScript(const char* path, hwError* error);
/// The same from text in memory.
HW_API hwPilotScript* hwParsePilotScript(const char* text, size_t size, hwError* error);
/// Frees it. Null is allowed.
HW_API void hwDestroyPilotScript(hwPilotScript* script);
/// Its actions.
HW_API const hwPilotAction* hwPilotScript_GetActions(const hwPilotScript* script, int* count);
/// What its places are counted from.
HW_API hwPilotFrame hwPilotScript_GetFrame(const hwPilotScript* script);

/// Sets an input of a world that is flown.
typedef hwStatus hwPilotSetFn(int input, double value, void* context);

/// A script at work.
typedef struct hwPilot hwPilot;

/// A pilot for a vehicle of a prepared world. The script must live as long. Null and `error` when the script names what
/// is not there; `error` has the line and column in the script.
HW_API hwPilot* hwCreatePilot(const hwPilotScript* script, const hwWorld* world, const char* vehicle,
                              hwError* error);
/// Frees it. Null is allowed.
HW_API void hwDestroyPilot(hwPilot* pilot);
/// Looks at the world and moves the sticks; to be called at equal intervals of time. False: everything is done.
HW_API bool hwPilot_Act(hwPilot* pilot, const hwWorld* world, hwPilotSetFn* set, void* context);
/// m/s at which the pilot has the tether paid out; NaN: it is the handler's.
HW_API double hwPilot_GetTetherRate(const hwPilot* pilot);

/// The world went back to this time, s: the action that was being done then is begun anew where it began.
HW_API void hwPilot_Rewind(hwPilot* pilot, double time);

/// Actions that were given up after their time.
HW_API int hwPilot_GetTimeouts(const hwPilot* pilot);
/// The action it is at, from 0; as many as there are when everything is done.
HW_API int hwPilot_GetAction(const hwPilot* pilot);

/// Notes of what a vehicle does, from which a script is written that does it again: a saved action.
typedef struct hwActionNotes hwActionNotes;

/// How an action is written. Start from hwDefaultActionOptions().
typedef struct hwActionOptions {
    double within; ///< m by which the saved way may be off the flown one
    double angle;  ///< rad, likewise of the heading
    double joint;  ///< rad, likewise of what the joints of arms are told
    double slide;  ///< m, likewise of joints that slide
    bool world;    ///< places are the world's; false: counted from where the action begins
    int cookie;    ///< set by hwDefaultActionOptions
} hwActionOptions;

/// 0.3 m, 0.1 rad, joints 0.01 rad and 1 mm, counted from where it begins.
HW_API hwActionOptions hwDefaultActionOptions(void);

/// Begins to note what a vehicle of a prepared world does. Null and `error` when there is no such vehicle.
HW_API hwActionNotes* hwCreateActionNotes(const hwWorld* world, const char* vehicle, hwError* error);
/// Frees them. Null is allowed.
HW_API void hwDestroyActionNotes(hwActionNotes* notes);
/// Looks at the world; to be called at equal intervals of time, about ten times a second. After a rewind what came later is
/// forgotten. HW_ERROR_LIMIT after a million looks.
HW_API hwStatus hwActionNotes_Look(hwActionNotes* notes, const hwWorld* world);
/// s that have been noted.
HW_API double hwActionNotes_GetDuration(const hwActionNotes* notes);
/// The script, as text that hwParsePilotScript reads; the caller frees it with free(). Where the vehicle went becomes places to go to and
/// turns, where it stayed times to hold, what was switched on the way is set there again, and arms move as they moved. Null and
/// `error` on failure.
HW_API char* hwActionNotes_Write(hwActionNotes* notes, const hwActionOptions* options, hwError* error);

/// What a tether's handler sees and has.
typedef struct hwHandlerView {
    double length;   ///< m out
    double straight; ///< m from launch to vehicle
    double tension;  ///< N at the vehicle; NaN: parted or not known
    double waves;    ///< m, height of the waves that the boat rides
    double longest;  ///< m on the drum and out together
    double interval; ///< s until the handler looks again
} hwHandlerView;

/// m of tether that a handler keeps out for so much straight way: a tenth longer, a metre to let it hang, and what the
/// boat needs to ride waves of this height.
HW_API double hwHandler_GetLength(double straight, double waves);
/// m/s that a handler pays out: a little slack is kept; a tether that pulls is eased, never hauled.
HW_API double hwHandler_ChooseRate(const hwHandlerView* view);
/// The rate that the drum can still stop from, with 1 m/s² at its end and with 1 m of tether left out; in steps of 0.05 m/s.
HW_API double hwHandler_LimitRate(const hwHandlerView* view, double rate);

/// How to fly a lesson without a clock.
typedef struct hwFlyDef {
    const hwScene* scene;        ///< with a lesson
    const hwPilotScript* script; ///< the pilot, or null; where the lesson has a pilot: the tether's handler
    const hwFlight* flight;      ///< a flight whose inputs are flown again, or null
    const char* folder;          ///< in which a recording is made, or null
    const char* id;              ///< name of the recording
    bool (*progress)(double time, double limit, void* context); ///< false stops; or null
    void* context;                                              ///< given to `progress`
} hwFlyDef;

/// Most hints that the result of a lesson keeps.
#define HW_FLY_MAX_HINTS 64

/// How a lesson went.
typedef struct hwFlyResult {
    hwScore score;                              ///< the score
    double duration;                            ///< s flown
    uint64_t hash;                              ///< of the last state
    int eventCount;                             ///< entries of `events`
    hwLessonEvent* events;                      ///< the caller frees them with free()
    int timeouts;                               ///< actions of the script that were given up
    int probeCount;                             ///< freezes that happened, entries of `probes`
    hwProbeResult probes[HW_LESSON_MAX_PROBES]; ///< how they went
    int hintCount;                              ///< hints that were given, entries of `hints`
    hwHint hints[HW_FLY_MAX_HINTS];             ///< the first of them
} hwFlyResult;

/// Flies a lesson from its beginning to its end. HW_OK also when it was failed.
HW_API hwStatus hwFlyLesson(const hwFlyDef* def, hwFlyResult* result, hwError* error);

/// The score of a recorded flight from its rows alone; `scene` is the flight's. The caller frees `events`.
HW_API hwStatus hwScoreFlight(const hwFlight* flight, const hwScene* scene, const char* results,
                              hwFlyResult* result, hwError* error);

#ifdef __cplusplus
}
#endif
#endif
