/// @file convert.h
/// Files of others to scenes, and results in the format of the Ship Mechanical Systems API (DRDC 2010). Part of hawser-io.
///
/// docs/sms.md lists every key of SMS' files and what becomes of it, docs/mechanism_files.md those of DynaMechs and URDF.
#ifndef HAWSER_CONVERT_H
#define HAWSER_CONVERT_H

#include "hawser/base.h"
#include "hawser/scene.h"
#include "hawser/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Converts one .ini file, or all of them in a folder and the folders in it, to a commented scene file. `log` receives
/// one line for each thing that has no exact counterpart; null is allowed. The output appears only when everything
/// went well. `error->object` names the file in which `line` and `column` count.
HW_API hwStatus hwConvertSms(const char* input, const char* outputScene, hwLogFn* log, void* logContext,
                             hwError* error);

/// Converts a DynaMechs model (.dm, versions 2.0.3 to 4.0), or a simulation's .cfg file with the environment, terrain and
/// model that it names. A terrain becomes a file beside the scene.
HW_API hwStatus hwConvertDynamechs(const char* input, const char* outputScene, hwLogFn* log, void* logContext,
                                   hwError* error);

/// Converts a robot in the Unified Robot Description Format, as far as rigid trees go.
HW_API hwStatus hwConvertUrdf(const char* input, const char* outputScene, hwLogFn* log, void* logContext,
                              hwError* error);

/// Converts an input file of MoorDyn, version 1 or 2, with the files that it names: bathymetry, currents, waves, tension by
/// strain. docs/cables.md says what becomes of each table.
HW_API hwStatus hwConvertMoordyn(const char* input, const char* outputScene, hwLogFn* log, void* logContext,
                                 hwError* error);

/// What to compare: a deck, what MoorDyn wrote, and what a run of the converted scene recorded.
typedef struct hwMoordynCompareDef {
    const char* deck; ///< input file of MoorDyn
    const char*
        output; ///< its main output file, the file of a line, or columns separated by blanks or commas
    const char* results; ///< of the converted scene: HDF5, CSV or a folder
    const char*
        columns; ///< names of the output's columns, separated by commas, where it has no heading; null: it has
    int line;    ///< number of the line whose own file the output is; 0: told from its name, or none
    double scale; ///< factor on the output's values: 1000 where they are in kN
    double shift; ///< s, added to the output's times
    double from;  ///< s, of the output's times after the shift: earlier ones are not compared
    double to;    ///< s, likewise: nor are later ones
    int cookie;   ///< set by hwDefaultMoordynCompareDef
} hwMoordynCompareDef;

/// Everything, as it is.
HW_API hwMoordynCompareDef hwDefaultMoordynCompareDef(void);

/// One column of MoorDyn's output beside the same of the run.
typedef struct hwMoordynDifference {
    char name[48];    ///< of the column
    char channel[96]; ///< of the run; the sentence that says why not where `count` is 0
    char unit[16];    ///< of the run's channel
    int count;        ///< rows compared; 0: none
    double rms;       ///< of the difference, run less output
    double largest;   ///< the largest difference, with its sign
    double time;      ///< s, when that is, in the run's time
    double low;       ///< least of the output
    double high;      ///< most of it
} hwMoordynDifference;

/// Compares each column of an output with the run, at the output's times, the run taken by straight lines between its rows.
/// `differences` has room for `capacity`; `count` is how many columns there are. Fails when the times do not overlap.
HW_API hwStatus hwCompareMoordyn(const hwMoordynCompareDef* def, int capacity,
                                 hwMoordynDifference* differences, int* count, hwError* error);

/// Writes results in the format of SMS while a world runs: one folder for each object.
typedef struct hwSmsOutput hwSmsOutput;

/// Creates `folder` and in it a folder for each object of the prepared world, with `results.dat` and what else SMS
/// writes for its kind. `scene` tells which cable is attached to which body; it may be null, then no `cable_forces.dat`
/// are written. Returns null and fills `error` on failure.
HW_API hwSmsOutput* hwCreateSmsOutput(const hwWorld* world, const hwScene* scene, const char* folder,
                                      hwError* error);

/// Appends one row to every file: time, then the values at that time.
HW_API hwStatus hwSmsOutput_Write(hwSmsOutput* output, const hwWorld* world, hwError* error);

/// Closes the files and frees the output; fails when the last rows could not be written. Null is allowed.
HW_API hwStatus hwDestroySmsOutput(hwSmsOutput* output, hwError* error);

#ifdef __cplusplus
}
#endif
#endif
