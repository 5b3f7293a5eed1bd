/// @file scene.h
/// Scenes: YAML files that describe a world and how long to run it. Part of the library hawser-io.
///
/// docs/scenes.md lists every key. A loaded scene holds everything it needs: tables, meshes and heightfields are read
/// while loading, so that the files may change or disappear afterwards.
#ifndef HAWSER_SCENE_H
#define HAWSER_SCENE_H

#include "hawser/base.h"
#include "hawser/hint.h"
#include "hawser/lesson.h"
#include "hawser/reference.h"
#include "hawser/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A scene in memory. It never changes except by hwScene_SetSolver, and may make any number of worlds.
typedef struct hwScene hwScene;

/// Which solver a scene runs with.
typedef enum hwSolverMode {
    HW_SOLVER_REALTIME, ///< the built-in one
    HW_SOLVER_REFERENCE ///< hawser-reference
} hwSolverMode;

/// How to put a vehicle and its tether into a scene.
typedef struct hwTrainerInfo {
    bool present;         ///< the scene is meant for flying
    const char* title;    ///< for people
    const char* summary;  ///< a few words
    hwVec3 spawn;         ///< m, where a vehicle begins
    double heading;       ///< rad, clockwise from north
    const char* launchOn; ///< body from which a tether is paid out, or "earth"
    hwVec3 launchAt;      ///< m, where on it
    bool waves;           ///< there may be waves and current
    double visibility;    ///< m
    hwVec3 camera;        ///< m, where a free camera begins
    hwVec3 target;        ///< m, what it looks at
} hwTrainerInfo;

/// What a channel may be in a run.
typedef struct hwSceneLimit {
    const char* of;  ///< the channel
    double min, max; ///< in its unit; NaN: none
} hwSceneLimit;

/// What a scene says about itself and its run. Strings and arrays are owned by the scene.
typedef struct hwSceneInfo {
    const char* path;            ///< the file, or the name given to hwParseScene
    const char* name;            ///< the scene's `name`, or the file's name without its ending
    const char* included;        ///< the scene that it builds on, or null
    double duration;             ///< s
    double interval;             ///< s between recorded rows
    int compression;             ///< of recorded rows, hwCompression of results.h
    hwSolverMode mode;           ///< which solver
    hwReferenceMethod method;    ///< which integrator of the reference solver
    hwSolverDef solver;          ///< settings of either solver
    int threads;                 ///< worker threads including the caller's
    bool statics;                ///< settle to static equilibrium before the start
    double start;                ///< s, time at the start
    double buildUp;              ///< s before that in which waves and given motions grow, see hwWorld_BuildUp
    hwTrainerInfo trainer;       ///< what the trainer needs
    int recordCount;             ///< entries of `record`; 0: record everything
    const char* const* record;   ///< as written: names or patterns for hwWorld_SelectChannels
    int limitCount;              ///< entries of `limits`
    const hwSceneLimit* limits;  ///< what must hold in a run
    int warningCount;            ///< things that are allowed but look wrong
    const char* const* warnings; ///< one sentence each, with the line
    int estimateCount;           ///< objects with `hydro_from_shapes`
    const char* const*
        estimates; ///< what was estimated of each: "box: added mass ... kg, drag ... N s2/m2 along x, y, z"
} hwSceneInfo;

/// How much a pilot may see that a real one would not.
typedef enum hwLessonAids {
    HW_AIDS_ALL,         ///< views from outside, chart, tether overlay
    HW_AIDS_CHART,       ///< the chart, without the tether
    HW_AIDS_INSTRUMENTS, ///< what real vehicles have
    HW_AIDS_FADE ///< all at first, the chart after one pass in a row, instruments after two: by the pilot's logbook
} hwLessonAids;

/// Who minds the tether during a lesson.
typedef enum hwLessonHandler {
    HW_HANDLER_HOLD,   ///< nobody: what is out stays out
    HW_HANDLER_MANUAL, ///< the pilot, or whoever has that role
    HW_HANDLER_AUTO    ///< a handler who keeps a little slack
} hwLessonHandler;

/// An input that is set during a lesson: a thruster that fails, a current that rises.
typedef struct hwLessonFault {
    double time;       ///< s since the start
    const char* input; ///< its name
    double value;      ///< in its unit
    const char* text;  ///< for the debrief, or null
} hwLessonFault;

/// A pilot's script, see pilot.h.
typedef struct hwPilotScript hwPilotScript;

/// What a scene's `lesson` says. Strings and arrays are owned by the scene.
typedef struct hwLessonInfo {
    const char* title;           ///< for people
    const char* why;             ///< a sentence: what it is good for
    const char* briefing;        ///< what the pilot is told before the dive
    hwLessonDef def;             ///< what to do and what counts
    hwLessonAids aids;           ///< what the pilot may see
    hwLessonHandler handler;     ///< who minds the tether
    bool plan;                   ///< the pilot sees vehicle and tether from above, and nothing else
    bool hints;                  ///< hints are given unless the pilot does not want them
    bool sonar;                  ///< the pilot has the vehicle's sonars
    bool sensors;                ///< the pilot has readings of its other instruments
    int faultCount;              ///< entries of `faults`
    const hwLessonFault* faults; ///< in order of time
    const hwPilotScript* pilot;  ///< who flies while the learner minds the tether; null: the learner flies
} hwLessonInfo;

/// The hints of a lesson: about its vehicle and its tether, about the way back where that counts. The lesson must have a tether.
HW_API hwHinterDef hwLesson_MakeHinterDef(const hwLessonInfo* lesson);

/// Reads a scene file, or returns null and fills `error`: status HW_ERROR_FILE when the file cannot be read,
/// HW_ERROR_LIMIT when it is too large or nested too deeply, HW_ERROR_FORMAT when something in it is wrong. Then `line`
/// and `column` say where, and the message is one sentence with the offending key or value and what is allowed.
HW_API hwScene* hwLoadScene(const char* path, hwError* error);

/// The same with values set over what the file says: `path=value`, as in `bodies.load.mass=3000` or
/// `environment.waves={height: 2, period: 8}`. A step of the path is a key, an object's name in a list, or its number
/// from 0; the value is YAML. Keys that the file does not have are added. An error in such a value has the place of what
/// it replaces, and a hint that names the setting.
HW_API hwScene* hwLoadSceneWith(const char* path, int setCount, const char* const* sets, hwError* error);

/// The same from text in memory. `name` stands for the path in messages. Files that the scene refers to are sought in
/// `folder`; with a null folder such references are errors and no file is touched.
HW_API hwScene* hwParseScene(const char* text, size_t size, const char* name, const char* folder,
                             hwError* error);

/// Frees a scene. Worlds made from it live on. Null is allowed.
HW_API void hwDestroyScene(hwScene* scene);

/// What the scene says about itself; valid as long as the scene.
HW_API const hwSceneInfo* hwScene_GetInfo(const hwScene* scene);

/// The scene as one text that needs no other scene: what it includes and what was set over it are in it. Files of
/// tables and meshes are still named. The caller frees it; null when there is no memory.
HW_API char* hwScene_WriteText(const hwScene* scene);

/// The number that the scene gives at a path as of hwLoadSceneWith, such as `bodies.load.mass`. Fails where there is none.
HW_API hwStatus hwScene_ReadNumber(const hwScene* scene, const char* path, double* value, hwError* error);
/// Unit of what such a path leads to, "m" or "N s/m" or "deg"; empty where it has none or is not known.
HW_API const char* hwScene_GetUnit(const hwScene* scene, const char* path);

/// Writes the scene into a folder as files that need nothing else: `scene.yaml` as hwScene_WriteText has it, with the tables,
/// cables and vehicles that it names beside it, and its meshes as they were read (.hmesh), so that a reader without importers
/// of meshes gets the same numbers. The folder is made; files in it are replaced.
HW_API hwStatus hwScene_Pack(const hwScene* scene, const char* folder, hwError* error);

/// Number of surroundings that come with Hawser, which scenes may `include`.
HW_API int hwSurroundings_GetCount(void);
/// Name of one of them, or null.
HW_API const char* hwSurroundings_GetName(int index);
/// Its text, a scene, or null.
HW_API const char* hwSurroundings_GetText(int index);

/// The lesson in a scene, or null.
HW_API const hwLessonInfo* hwScene_GetLesson(const hwScene* scene);
/// Fails, with line and column, when a fault of the scene's lesson names an input that the world does not have.
HW_API hwStatus hwScene_CheckFaults(const hwScene* scene, const hwWorld* world, hwError* error);
/// A scorer of the scene's lesson for rows with these channels, see lesson.h. Null and `error` with line and column when
/// the lesson names what is not there. The scene must live as long as the scorer.
HW_API hwScorer* hwScene_CreateScorer(const hwScene* scene, int channelCount, const char* const* channels,
                                      hwError* error);

/// Runs with another solver than the file says, for worlds made from now on.
HW_API void hwScene_SetSolver(hwScene* scene, hwSolverMode mode);

/// Worlds made from now on have so many times as many elements in each cable (rounded up), 1 to 100: to see how much a result
/// depends on them. See hwScene_RefineSolver for steps.
HW_API void hwScene_Refine(hwScene* scene, double factor);
/// Steps of the solver shorter by a factor, after hwScene_UseRunSolver: tolerance by its square, as a method of second order
/// needs, and the bounds of steps.
HW_API void hwScene_RefineSolver(hwWorld* world, double factor);

/// Number of vehicles in the scene.
HW_API int hwScene_GetVehicleCount(const hwScene* scene);
/// Name of a vehicle, or null.
HW_API const char* hwScene_GetVehicleName(const hwScene* scene, int index);
/// The kind of vehicle that one is; the caller owns it. Null and `error` on failure. See vehicle_type.h.
HW_API struct hwVehicleType* hwScene_LoadVehicleType(const hwScene* scene, int index, hwError* error);

/// Makes the world that the scene describes, prepared and ready to step; the caller owns it. `base` gives allocator and
/// log, or is null for the defaults; its other fields are replaced by what the scene says. On failure returns null, and
/// `error` holds the line and column of the object concerned.
HW_API hwWorld* hwScene_CreateWorld(const hwScene* scene, const hwWorldDef* base, hwError* error);

/// Writes the state of a prepared world into a file from which `start: {state: FILE}` of a scene with the same objects begins. A
/// failure leaves no file behind.
HW_API hwStatus hwWorld_WriteState(const hwWorld* world, const char* path, hwError* error);

/// Settings of the built-in solver for runs in which nobody waits for frames, where the world's def has no tolerance: 5e-4 a step,
/// errors followed down to 1 ms, no step longer than 0.1 s unless `max` is given. `hawser run` and studies use them.
HW_API void hwScene_UseRunSolver(hwWorld* world);

/// What the scene was understood to be, as lines of text: masses, weights in water, periods of loads on cables, time
/// scales. Values that are allowed but rarely meant (a cable thicker than 1 m or softer than rubber, a body without drag
/// in water, an added mass of thousands of times the mass) are warnings to `log`, which may be null. `world` is one made
/// from the scene. The caller frees the text; null when there is no memory.
HW_API char* hwScene_Describe(const hwScene* scene, const hwWorld* world, hwLogFn* log, void* logContext);

#ifdef __cplusplus
}
#endif
#endif
