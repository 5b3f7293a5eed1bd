/// @file study.h
/// Studies: many runs of one scene with other values, and one table of what came out. Part of hawser-io.
///
/// A study file (docs/workbench.md) names a scene, parameters by the paths of hwLoadSceneWith, what to keep of each run, limits,
/// and what to make of the table. This header describes the runs, does one of them, and writes the tables; who does which run in
/// which process is the caller's business: each run depends on its number alone, to the bit.
#ifndef HAWSER_STUDY_H
#define HAWSER_STUDY_H

#include "hawser/base.h"
#include "hawser/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A study that was read. It never changes, and its scene's file must stay as it is.
typedef struct hwStudy hwStudy;

/// Reads a study file and tries its scene out. Null and `error` with line and column on failure; the caller owns it.
HW_API hwStudy* hwLoadStudy(const char* path, hwError* error);
/// Frees a study. Null is allowed.
HW_API void hwDestroyStudy(hwStudy* study);

/// The study's name.
HW_API const char* hwStudy_GetName(const hwStudy* study);
/// Path of its scene.
HW_API const char* hwStudy_GetScene(const hwStudy* study);
/// Number of runs: those of the grid, times samples, times seeds.
HW_API int64_t hwStudy_GetRunCount(const hwStudy* study);
/// A number for everything that runs depend on: the scene with the files that it names, parameters, what is kept, and the version.
/// Limits, extremes, operability and sensitivity are not part of it: they look at rows that are there.
HW_API uint64_t hwStudy_GetHash(const hwStudy* study);
/// The same as text, a line each: `bodies.load.mass: 5000`, `file wave.csv: ` and a hash of what it holds. Owned by the study.
HW_API const char* hwStudy_GetInputs(const hwStudy* study);

/// Number of parameters that change, the seed of the waves included.
HW_API int hwStudy_GetParameterCount(const hwStudy* study);
/// Path of a parameter.
HW_API const char* hwStudy_GetParameter(const hwStudy* study, int parameter);
/// What is set over the scene in a run, `path=value` each, parameters last and in their order. The caller frees the list, one
/// allocation; null without memory. `count` becomes their number.
HW_API char** hwStudy_ListSets(const hwStudy* study, int64_t run, int* count);

/// Number of columns that a run fills: numbers beside its parameters.
HW_API int hwStudy_GetColumnCount(const hwStudy* study);
/// Name and unit of a column, owned by the study: `wire.a.tension.max`.
HW_API hwChannelInfo hwStudy_GetColumn(const hwStudy* study, int column);

/// Does a run and fills the columns. `folder` is where files of the run go when the study keeps channels, or null: none.
/// `stop` may end it (HW_ERROR_STOPPED). On failure all values are NaN and the error says why; HW_ERROR_FILE: a file in `folder`
/// could not be written, which is no fault of the run.
HW_API hwStatus hwStudy_Run(const hwStudy* study, int64_t run, const char* folder, bool (*stop)(void*),
                            double* values, hwError* error);

/// The same without files, on meshes so many times as fine and with steps as much shorter, see hwScene_Refine.
HW_API hwStatus hwStudy_RunFiner(const hwStudy* study, int64_t run, double factor, bool (*stop)(void*),
                                 double* values, hwError* error);

/// What is known of a run.
typedef struct hwStudyRow {
    bool done;            ///< otherwise nothing else counts
    const char* failure;  ///< why it failed; null: it did not
    const double* values; ///< of the columns
} hwStudyRow;

/// Writes everything that follows from the rows, one for each run, into a folder: table.csv, table.h5 where HDF5 is there,
/// failures.csv, and what the study asks for: extremes.csv, operability.csv, weather.csv, sensitivity.csv, study.html. Rows
/// that are not done are left out. Files of before are replaced one by one; those that the study does not ask for are removed.
HW_API hwStatus hwStudy_WriteTables(const hwStudy* study, const hwStudyRow* rows, const char* folder,
                                    hwError* error);

#ifdef __cplusplus
}
#endif
#endif
