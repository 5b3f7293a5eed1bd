/// @file fit.h
/// Fits: values of a scene found from measured time series, with their uncertainty. Part of hawser-io.
///
/// A fit file (docs/fit.md) names a scene, parameters by the paths of hwLoadSceneWith, and measured columns with the channels
/// that they are to be. Gauss-Newton's method with Levenberg's and Marquardt's damping makes the sum of squares of (run -
/// measured) / deviation small. Each iteration needs a few runs that do not depend on one another: who does them is the
/// caller's business.
#ifndef HAWSER_FIT_H
#define HAWSER_FIT_H

#include "hawser/base.h"
#include "hawser/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A fit that was read, and what was found.
typedef struct hwFit hwFit;

/// Reads a fit file with its measured columns, and tries its scene out. Null and `error` with line and column on failure; the
/// caller owns it.
HW_API hwFit* hwLoadFit(const char* path, hwError* error);
/// Frees a fit. Null is allowed.
HW_API void hwDestroyFit(hwFit* fit);

/// Its name.
HW_API const char* hwFit_GetName(const hwFit* fit);
/// Path of its scene.
HW_API const char* hwFit_GetScene(const hwFit* fit);
/// Number of parameters to find.
HW_API int hwFit_GetParameterCount(const hwFit* fit);
/// Path of a parameter, or "".
HW_API const char* hwFit_GetParameter(const hwFit* fit, int parameter);
/// Number of measured values that count, of all columns together.
HW_API int hwFit_GetPointCount(const hwFit* fit);

/// Runs the scene with given parameters and fills its channels at the measured times, in the order of the measured columns.
/// `stop` may end it (HW_ERROR_STOPPED).
HW_API hwStatus hwFit_Run(const hwFit* fit, const double* parameters, bool (*stop)(void*), double* values,
                          hwError* error);

/// Does `count` runs, in any order and place: `parameters` [run][parameter], `values` [run][point]. A run that fails has NaN in
/// its first value, and `error` its reason; that is no failure of the call.
typedef hwStatus hwFitRunsFn(const hwFit* fit, int count, const double* parameters, double* values,
                             void* context, hwError* error);

/// Called after each iteration with the standard deviation of the residuals in units of the deviations.
typedef void hwFitProgressFn(int iteration, int runs, double residual, const double* parameters,
                             void* context);

/// Finds the parameters. `runs` null: one run after the other in this thread. On failure what was found so far stays.
HW_API hwStatus hwFit_Solve(hwFit* fit, hwFitRunsFn* runs, hwFitProgressFn* progress, void* context,
                            hwError* error);

/// What was found of a parameter.
typedef struct hwFitEstimate {
    double start; ///< where the search began
    double value; ///< where it ended
    double
        deviation; ///< standard deviation of the estimate; NaN: the data do not tell, or it is at its bound
    double low;    ///< bounds of confidence
    double high;   ///< likewise
    bool bounded;  ///< it ended at a bound of the file
} hwFitEstimate;

/// One of them.
HW_API hwFitEstimate hwFit_GetEstimate(const hwFit* fit, int parameter);
/// Correlation of two estimates, -1 to 1.
HW_API double hwFit_GetCorrelation(const hwFit* fit, int first, int second);

/// How the search went.
typedef struct hwFitSummary {
    int iterations; ///< of Gauss and Newton
    int runs;       ///< of the scene
    bool converged; ///< further steps would be small against the deviations of the estimates
    double
        residual; ///< standard deviation of the residuals in units of the deviations: about 1 where these are right
    double confidence; ///< of the bounds
    double
        astray; ///< not converged because no run was better: deviations that the next step should have gone; otherwise 0
} hwFitSummary;

/// The summary.
HW_API hwFitSummary hwFit_GetSummary(const hwFit* fit);

/// How a measured column is followed.
typedef struct hwFitColumn {
    const char* channel; ///< that it was compared with
    int count;           ///< values
    double residual;     ///< root mean square of its residuals in units of its deviation
    bool given;          ///< the file gives that deviation
    double
        neighbours; ///< correlation of each residual with the next one: about 0 where nothing but noise is left
} hwFitColumn;

/// Number of measured columns.
HW_API int hwFit_GetColumnCount(const hwFit* fit);
/// One of them.
HW_API hwFitColumn hwFit_GetColumn(const hwFit* fit, int column);
/// A sentence on why what was found is doubtful where the scene does not follow a column: residuals that go along with their
/// neighbours beyond chance, or are larger than the deviation that was given. False: nothing is to be said.
HW_API bool hwFit_FindDoubt(const hwFit* fit, int column, char* text, size_t size);

/// Writes what was found into a folder: fit.csv, correlation.csv, curves.csv (measured and fitted), fit.html.
HW_API hwStatus hwFit_WriteTables(const hwFit* fit, const char* folder, hwError* error);

#ifdef __cplusplus
}
#endif
#endif
