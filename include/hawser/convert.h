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

/// Converts an input file of MoorDyn, version 2: line types, points, lines, options. docs/cables.md says what becomes of it.
HW_API hwStatus hwConvertMoordyn(const char* input, const char* outputScene, hwLogFn* log, void* logContext,
                                 hwError* error);

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
