// Fits: loading, one run, and the search.
#define _POSIX_C_SOURCE 200809L
#include "fit_file.h"

#include "csv_number.h"
#include "hawser/elementary.h"
#include "hawser/results.h"
#include "hawser/scene.h"
#include "scene_read.h"
#include "work_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRIALS 4           // dampings that are tried at once
#define LEAST_DAMPING 1e-9 // of Levenberg and Marquardt
#define MOST_DAMPING 1e9
#define SMALL_STEP 0.01 // of the standard deviations: further steps are not worth a run
#define SMALL_GAIN 1e-7 // of the sum of squares: likewise

// Loading ----------------------------------------------------------------------------------------------------------------------

static bool FailAt(hwError* error, const hwPlace* place, const char* what, const char* name) {
    char quoted[120];
    hwSceneFail(error, HW_ERROR_FORMAT, place->line, place->column, "%s `%s`", what,
                hwQuoteText(quoted, sizeof(quoted), name));
    return false;
}

static bool FillParameters(hwFit* fit, const hwScene* scene, hwError* error) {
    fit->parameterCount = fit->file.parameters.count;
    size_t count = (size_t)fit->parameterCount;
    fit->start = hwStore_Take(&fit->store, count, sizeof(double));
    fit->scale = hwStore_Take(&fit->store, count, sizeof(double));
    fit->best = hwStore_Take(&fit->store, count, sizeof(double));
    fit->covariance = hwStore_Take(&fit->store, count * count, sizeof(double));
    if (!fit->start || !fit->scale || !fit->best || !fit->covariance)
        return hwSceneFail_Memory(error) == HW_OK;
    for (int i = 0; i < fit->parameterCount; ++i) {
        const hwFitParameter* p = hwFit_Parameter(fit, i);
        for (int k = 0; k < i; ++k) {
            if (strcmp(hwFit_Parameter(fit, k)->path, p->path) == 0)
                return FailAt(error, &p->place, "twice there is the parameter", p->path);
        }
        fit->start[i] = p->start;
        if (isnan(p->start) && hwScene_ReadNumber(scene, p->path, &fit->start[i], error) != HW_OK) {
            error->line = p->place.line;
            error->column = p->place.column;
            hwSceneFail_Hint(error, "give `start` where the scene says nothing");
            return false;
        }
        if (fit->start[i] < p->low || fit->start[i] > p->high)
            return FailAt(error, &p->place, "the scene's value is not between `low` and `high` of", p->path);
        double span = fit->start[i] != 0.0 ? fabs(fit->start[i]) : p->high - p->low;
        fit->scale[i] = isnan(p->step) ? 0.01 * span : p->step;
        if (!isfinite(fit->scale[i]))
            return FailAt(error, &p->place, "give a `step`, or `low` and `high`: the search begins at 0 for",
                          p->path);
        fit->best[i] = fit->start[i];
    }
    return true;
}

static int CompareTimes(const void* first, const void* second) {
    double a = *(const double*)first, b = *(const double*)second;
    return (a > b) - (a < b);
}

static double FindDeviation(const hwFitMeasured* m) {
    if (!isnan(m->deviation)) return m->deviation;
    double mean = 0.0, sum = 0.0;
    for (int i = 0; i < m->count; ++i) mean += m->values[i] / m->count;
    for (int i = 0; i < m->count; ++i) sum += (m->values[i] - mean) * (m->values[i] - mean);
    sum = sqrt(sum / m->count);
    return sum > 0.0 ? sum : fabs(mean) > 0.0 ? fabs(mean) : 1.0;
}

static bool FillPoints(hwFit* fit, const hwWorld* world, double start, hwError* error) {
    int columns = fit->file.measured.count;
    for (int c = 0; c < columns; ++c) fit->pointCount += hwFit_Measured(fit, c)->count;
    size_t points = (size_t)fit->pointCount;
    fit->channels = hwStore_Take(&fit->store, (size_t)columns, sizeof(int));
    fit->units = hwStore_Take(&fit->store, (size_t)columns, sizeof(char*));
    fit->times = hwStore_Take(&fit->store, points, sizeof(double));
    fit->rows = hwStore_Take(&fit->store, points, sizeof(int));
    fit->data = hwStore_Take(&fit->store, 3 * points, sizeof(double));
    if (!fit->channels || !fit->units || !fit->times || !fit->rows || !fit->data)
        return hwSceneFail_Memory(error) == HW_OK;
    fit->deviations = fit->data + points;
    fit->fitted = fit->deviations + points;
    int at = 0;
    for (int c = 0; c < columns; ++c) {
        const hwFitMeasured* m = hwFit_Measured(fit, c);
        fit->channels[c] = hwWorld_FindChannel(world, m->channel);
        if (fit->channels[c] < 0) {
            FailAt(error, &m->place, "the scene has no channel", m->channel);
            hwSceneFail_Hint(error, "`hawser channels` lists them");
            return false;
        }
        const char* unit = hwWorld_GetChannel(world, fit->channels[c]).unit;
        fit->units[c] = hwStore_CopyText(&fit->store, unit, strlen(unit));
        if (fit->units[c] == NULL) return hwSceneFail_Memory(error) == HW_OK;
        if (m->times[0] < start) {
            FailAt(error, &m->place, "the scene begins after the first row of",
                   m->column ? m->column : m->channel);
            hwSceneFail_Hint(error, "`shift` moves the file's times, `from` leaves rows out");
            return false;
        }
        double deviation = FindDeviation(m);
        for (int i = 0; i < m->count; ++i, ++at) {
            fit->times[at] = m->times[i];
            fit->data[at] = m->values[i];
            fit->deviations[at] = deviation;
            fit->fitted[at] = (double)NAN;
        }
    }
    double* all = malloc(points * sizeof(double));
    if (all == NULL) return hwSceneFail_Memory(error) == HW_OK;
    memcpy(all, fit->times, points * sizeof(double));
    qsort(fit->times, points, sizeof(double), CompareTimes);
    for (int i = 0; i < fit->pointCount; ++i) {
        if (i == 0 || fit->times[i] > fit->times[fit->timeCount - 1])
            fit->times[fit->timeCount++] = fit->times[i];
    }
    for (int i = 0; i < fit->pointCount; ++i) {
        const double* found =
            bsearch(&all[i], fit->times, (size_t)fit->timeCount, sizeof(double), CompareTimes);
        fit->rows[i] = (int)(found - fit->times);
    }
    free(all);
    fit->end = fit->times[fit->timeCount - 1];
    if (fit->pointCount > fit->parameterCount) return true;
    hwSceneFail(error, HW_ERROR_FORMAT, fit->file.place.line, fit->file.place.column,
                "%d measured values cannot tell %d parameters", fit->pointCount, fit->parameterCount);
    return false;
}

static bool TryScene(hwFit* fit, hwError* error) {
    hwScene* scene = hwLoadSceneWith(fit->file.scene, fit->file.set.count, fit->file.set.texts, error);
    hwWorld* world = scene != NULL ? hwScene_CreateWorld(scene, NULL, error) : NULL;
    bool good = world != NULL;
    if (!good) hwMoveSceneError(&fit->file.place, error);
    good = good && FillParameters(fit, scene, error) &&
           FillPoints(fit, world, hwScene_GetInfo(scene)->start, error);
    hwDestroyWorld(world);
    hwDestroyScene(scene);
    return good;
}

static bool Load(hwFit* fit, const char* path, hwError* error) {
    hwFileText text;
    if (!hwReadWorkFile(&fit->store, path, &hwSection_fit, &fit->file, &fit->file.name, &text, error))
        return false;
    bool empty = fit->file.parameters.count == 0;
    if (empty || fit->file.measured.count == 0)
        return FailAt(error, &fit->file.place, "there is nothing in", empty ? "parameters" : "measured");
    fit->summary.confidence = fit->file.confidence;
    fit->summary.residual = (double)NAN;
    return TryScene(fit, error);
}

hwFit* hwLoadFit(const char* path, hwError* error) {
    hwError local;
    if (error == NULL) error = &local;
    memset(error, 0, sizeof(*error));
    error->index = -1;
    error->time = (double)NAN;
    hwFit* fit = calloc(1, sizeof(hwFit));
    if (fit == NULL) {
        hwSceneFail_Memory(error);
        return NULL;
    }
    hwStore_Init(&fit->store, NULL);
    if (Load(fit, path, error)) return fit;
    hwDestroyFit(fit);
    return NULL;
}

void hwDestroyFit(hwFit* fit) {
    if (fit == NULL) return;
    hwStore_Free(&fit->store);
    free(fit);
}

const char* hwFit_GetName(const hwFit* fit) {
    return fit->file.name;
}

const char* hwFit_GetScene(const hwFit* fit) {
    return fit->file.scene;
}

int hwFit_GetParameterCount(const hwFit* fit) {
    return fit->parameterCount;
}

const char* hwFit_GetParameter(const hwFit* fit, int parameter) {
    return parameter >= 0 && parameter < fit->parameterCount ? hwFit_Parameter(fit, parameter)->path : "";
}

int hwFit_GetPointCount(const hwFit* fit) {
    return fit->pointCount;
}

// One run ----------------------------------------------------------------------------------------------------------------------

typedef struct Sampling {
    const hwFit* fit;
    int taken;
    double* rows; // [time][measured]
} Sampling;

static double TakeRow(const hwWorld* world, void* context) {
    Sampling* s = context;
    int columns = s->fit->file.measured.count;
    hwWorld_ReadChannels(world, columns, s->fit->channels, s->rows + (size_t)s->taken * (size_t)columns);
    s->taken += 1;
    return s->taken < s->fit->timeCount ? s->fit->times[s->taken] : HUGE_VAL;
}

static bool NeverStop(void* context) {
    (void)context;
    return false;
}

static hwScene* LoadWith(const hwFit* fit, const double* parameters, hwError* error) {
    int count = fit->file.set.count, total = count + fit->parameterCount;
    size_t room = 0;
    for (int i = 0; i < fit->parameterCount; ++i)
        room += strlen(hwFit_Parameter(fit, i)->path) + HW_NUMBER_SIZE + 2;
    const char** sets = malloc(((size_t)total + 1) * sizeof(char*));
    char *texts = malloc(room + 1), *at = texts;
    hwScene* scene = NULL;
    if (sets != NULL && texts != NULL) {
        for (int i = 0; i < count; ++i) sets[i] = fit->file.set.texts[i];
        for (int i = 0; i < fit->parameterCount; ++i) {
            sets[count + i] = at;
            at += sprintf(at, "%s=", hwFit_Parameter(fit, i)->path);
            at += hwFormatNumber(parameters[i], at);
            *at++ = 0;
        }
        scene = hwLoadSceneWith(fit->file.scene, total, sets, error);
    } else {
        hwSceneFail_Memory(error);
    }
    free(sets);
    free(texts);
    return scene;
}

hwStatus hwFit_Run(const hwFit* fit, const double* parameters, bool (*stop)(void*), double* values,
                   hwError* error) {
    hwError local;
    if (error == NULL) error = &local;
    for (int i = 0; i < fit->pointCount; ++i) values[i] = (double)NAN;
    int columns = fit->file.measured.count;
    Sampling sampling = {.fit = fit,
                         .rows = malloc((size_t)fit->timeCount * (size_t)columns * sizeof(double))};
    if (sampling.rows == NULL) return hwSceneFail_Memory(error);
    hwScene* scene = LoadWith(fit, parameters, error);
    hwWorldDef base = hwDefaultWorldDef();
    base.stop = stop != NULL ? stop : NeverStop;
    hwWorld* world = scene != NULL ? hwScene_CreateWorld(scene, &base, error) : NULL;
    hwStatus status = world != NULL ? HW_OK : error->status;
    if (status == HW_OK) {
        if (hwScene_GetInfo(scene)->mode != HW_SOLVER_REFERENCE) hwScene_UseRunSolver(world);
        status = hwWorld_BuildUp(world, error);
    }
    if (status == HW_OK) {
        status = hwWorld_SetSampler(world, fit->times[0], TakeRow, &sampling, error);
    }
    if (status == HW_OK) status = hwWorld_Step(world, fit->end - hwWorld_GetTime(world), error);
    if (status >= HW_OK && sampling.taken < fit->timeCount)
        status = hwSceneFail(error, HW_ERROR_NUMERIC, 0, 0, "the run ended before the last measured time");
    for (int c = 0, at = 0; status >= HW_OK && c < columns; ++c) {
        for (int i = 0; i < hwFit_Measured(fit, c)->count; ++i, ++at)
            values[at] = sampling.rows[(size_t)fit->rows[at] * (size_t)columns + (size_t)c];
    }
    hwDestroyWorld(world);
    hwDestroyScene(scene);
    free(sampling.rows);
    return status < HW_OK ? status : HW_OK;
}

static hwStatus RunOneByOne(const hwFit* fit, int count, const double* parameters, double* values,
                            void* context, hwError* error) {
    (void)context;
    for (int i = 0; i < count; ++i)
        hwFit_Run(fit, parameters + (size_t)i * (size_t)fit->parameterCount, NULL,
                  values + (size_t)i * (size_t)fit->pointCount, error);
    return HW_OK;
}

// The search -------------------------------------------------------------------------------------------------------------------

typedef struct Search {
    hwFit* fit;
    hwFitRunsFn* runs;
    void* context;
    double *parameters, *values; // [run][parameter], [run][point]
    double* jacobian;            // [parameter][point] of values over deviations, by scaled parameters
    double* residual;            // [point] (measured - run) / deviation
    double *normal, *work;       // [parameter][parameter]
    double *gradient, *step;     // [parameter]
    double sum;                  // of squares
} Search;

static double SumSquares(const hwFit* fit, const double* values) {
    double sum = 0.0;
    for (int i = 0; i < fit->pointCount; ++i) {
        double r = (fit->data[i] - values[i]) / fit->deviations[i];
        sum += r * r;
    }
    return isfinite(sum) ? sum : HUGE_VAL;
}

static hwStatus DoRuns(Search* s, int count, hwError* error) {
    s->fit->summary.runs += count;
    return s->runs(s->fit, count, s->parameters, s->values, s->context, error);
}

// Central differences, one-sided at bounds and where a run fails.
static hwStatus FindJacobian(Search* s, hwError* error) {
    hwFit* fit = s->fit;
    int count = fit->parameterCount;
    size_t points = (size_t)fit->pointCount;
    for (int i = 0; i < 2 * count; ++i) {
        double* own = s->parameters + (size_t)i * (size_t)count;
        memcpy(own, fit->best, (size_t)count * sizeof(double));
        const hwFitParameter* p = hwFit_Parameter(fit, i / 2);
        double moved = own[i / 2] + (i % 2 == 0 ? 1.0 : -1.0) * fit->scale[i / 2];
        own[i / 2] = moved > p->high ? p->high : moved < p->low ? p->low : moved;
    }
    hwStatus status = DoRuns(s, 2 * count, error);
    if (status != HW_OK) return status;
    for (int j = 0; j < count; ++j) {
        const double* sides[2];
        double at[2];
        for (int k = 0; k < 2; ++k) {
            sides[k] = s->values + (size_t)(2 * j + k) * points;
            at[k] = s->parameters[(size_t)(2 * j + k) * (size_t)count + (size_t)j];
            if (!isnan(sides[k][0])) continue;
            sides[k] = fit->fitted;
            at[k] = fit->best[j];
        }
        double way = (at[0] - at[1]) / fit->scale[j];
        if (!(way > 0.0)) {
            char reason[220];
            snprintf(reason, sizeof(reason), "%.200s", error->message);
            return hwSceneFail(error, HW_ERROR_NUMERIC, 0, 0, "runs on both sides of `%s` = %g fail: %s",
                               hwFit_Parameter(fit, j)->path, fit->best[j], reason);
        }
        for (size_t i = 0; i < points; ++i)
            s->jacobian[(size_t)j * points + i] = (sides[0][i] - sides[1][i]) / (way * fit->deviations[i]);
    }
    for (size_t i = 0; i < points; ++i) s->residual[i] = (fit->data[i] - fit->fitted[i]) / fit->deviations[i];
    for (int i = 0; i < count; ++i) {
        const double* a = s->jacobian + (size_t)i * points;
        double sum = 0.0;
        for (size_t k = 0; k < points; ++k) sum += a[k] * s->residual[k];
        s->gradient[i] = sum;
        for (int j = 0; j <= i; ++j) {
            const double* b = s->jacobian + (size_t)j * points;
            sum = 0.0;
            for (size_t k = 0; k < points; ++k) sum += a[k] * b[k];
            s->normal[i * count + j] = s->normal[j * count + i] = sum;
        }
    }
    return HW_OK;
}

// x := A^-1 x of a symmetric positive matrix (destroyed); false where it is none.
static bool SolvePositive(int n, double* a, double* x) {
    for (int j = 0; j < n; ++j) {
        double d = a[j * n + j];
        for (int k = 0; k < j; ++k) d -= a[j * n + k] * a[j * n + k];
        if (!(d > 0.0)) return false;
        a[j * n + j] = d = sqrt(d);
        for (int i = j + 1; i < n; ++i) {
            double sum = a[i * n + j];
            for (int k = 0; k < j; ++k) sum -= a[i * n + k] * a[j * n + k];
            a[i * n + j] = sum / d;
        }
    }
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < i; ++k) x[i] -= a[i * n + k] * x[k];
        x[i] /= a[i * n + i];
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k) x[i] -= a[k * n + i] * x[k];
        x[i] /= a[i * n + i];
    }
    return true;
}

// Left out: a parameter that does nothing, or that is at a bound over which the data would push it.
static bool IsHeld(const Search* s, int j) {
    const hwFitParameter* p = hwFit_Parameter(s->fit, j);
    double value = s->fit->best[j];
    return !(s->normal[j * s->fit->parameterCount + j] > 0.0) || (value <= p->low && s->gradient[j] <= 0.0) ||
           (value >= p->high && s->gradient[j] >= 0.0);
}

// The step of a damping (Marquardt 1963: by the diagonal) into the parameters of run `run`.
static void TryStep(Search* s, double damping, int run) {
    hwFit* fit = s->fit;
    int count = fit->parameterCount;
    memcpy(s->work, s->normal, (size_t)count * (size_t)count * sizeof(double));
    for (int i = 0; i < count; ++i) {
        bool held = IsHeld(s, i);
        s->step[i] = held ? 0.0 : s->gradient[i];
        for (int j = 0; j < count; ++j) {
            if (i != j && (held || IsHeld(s, j))) s->work[i * count + j] = 0.0;
        }
        s->work[i * count + i] = held ? 1.0 : s->normal[i * count + i] * (1.0 + damping);
    }
    bool good = SolvePositive(count, s->work, s->step);
    for (int i = 0; i < count; ++i) {
        const hwFitParameter* p = hwFit_Parameter(fit, i);
        double value = fit->best[i] + (good ? s->step[i] * fit->scale[i] : 0.0);
        s->parameters[(size_t)run * (size_t)count + (size_t)i] = value > p->high  ? p->high
                                                                 : value < p->low ? p->low
                                                                                  : value;
    }
}

// The covariance of the estimates: (J^T J)^-1 times the mean square of the residuals.
static void FindCovariance(Search* s) {
    hwFit* fit = s->fit;
    int count = fit->parameterCount, free = 0;
    for (int i = 0; i < count; ++i) free += !IsHeld(s, i);
    double mean = s->sum / (fit->pointCount - free);
    fit->summary.residual = sqrt(mean);
    for (int j = 0; j < count; ++j) {
        memcpy(s->work, s->normal, (size_t)count * (size_t)count * sizeof(double));
        for (int i = 0; i < count; ++i) {
            s->step[i] = i == j ? 1.0 : 0.0;
            for (int k = 0; k < count; ++k) {
                if (i != k && (IsHeld(s, i) || IsHeld(s, k))) s->work[i * count + k] = 0.0;
            }
            if (IsHeld(s, i)) s->work[i * count + i] = 1.0;
        }
        bool good = SolvePositive(count, s->work, s->step);
        for (int i = 0; i < count; ++i) {
            bool known = good && !IsHeld(s, i) && !IsHeld(s, j);
            fit->covariance[i * count + j] =
                known ? mean * s->step[i] * fit->scale[i] * fit->scale[j] : (double)NAN;
        }
    }
}

// Whether a step from the best parameters to those of a run is small against what the data tell.
static bool IsSmall(const Search* s, int run) {
    const hwFit* fit = s->fit;
    int count = fit->parameterCount;
    for (int i = 0; i < count; ++i) {
        double way = fabs(s->parameters[(size_t)run * (size_t)count + (size_t)i] - fit->best[i]);
        double deviation = sqrt(fit->covariance[i * count + i]);
        if (!(way <= SMALL_STEP * deviation) && way > 1e-9 * fabs(fit->best[i])) return false;
    }
    return true;
}

// Where no run along the next step is better: how many deviations that step would go by the derivatives, up to one of which may be lost
// in what runs owe to their steps, as are sums that are nothing beside the deviations given. 0: as good as there.
static double FindAstray(Search* s) {
    enum { MOST = 1 };
    const double nothing = 1e-8;
    int count = s->fit->parameterCount;
    double gain = 0.0, mean = s->fit->summary.residual * s->fit->summary.residual;
    TryStep(s, 0.0, 0);
    for (int i = 0; i < count; ++i) gain += IsHeld(s, i) ? 0.0 : s->gradient[i] * s->step[i];
    double way = sqrt(hwFmax(gain, 0.0) / hwFmax(mean, nothing));
    return way > MOST ? way : 0.0;
}

static hwStatus Iterate(Search* s, hwFitProgressFn* progress, hwError* error) {
    hwFit* fit = s->fit;
    size_t count = (size_t)fit->parameterCount, points = (size_t)fit->pointCount;
    memcpy(s->parameters, fit->best, count * sizeof(double));
    hwStatus status = DoRuns(s, 1, error);
    if (status != HW_OK) return status;
    if (isnan(s->values[0])) return error->status != HW_OK ? error->status : HW_ERROR_NUMERIC;
    memcpy(fit->fitted, s->values, points * sizeof(double));
    s->sum = SumSquares(fit, s->values);
    double damping = 1e-3;
    while (status == HW_OK && fit->summary.iterations < fit->file.iterations) {
        status = FindJacobian(s, error);
        if (status != HW_OK) break;
        FindCovariance(s);
        fit->summary.iterations += 1;
        if (progress != NULL)
            progress(fit->summary.iterations, fit->summary.runs, fit->summary.residual, fit->best,
                     s->context);
        bool there = false; // the step is small, and not by damping alone
        int best = -1;
        double sum = s->sum, tried[TRIALS];
        for (int round = 0; round < 3 && best < 0; ++round) {
            for (int i = 0; i < TRIALS; ++i) {
                tried[i] = damping * pow(10.0, i - 1);
                TryStep(s, tried[i], i);
            }
            bool small = IsSmall(s, 0);
            there = small && round == 0;
            if (small) break;
            status = DoRuns(s, TRIALS, error);
            if (status != HW_OK) return status;
            for (int i = 0; i < TRIALS; ++i) {
                double own = SumSquares(fit, s->values + (size_t)i * points);
                if (own >= sum) continue;
                sum = own;
                best = i;
            }
            damping *= best < 0 ? pow(10.0, TRIALS) : 1.0;
        }
        if (best < 0) {
            fit->summary.astray = there ? 0.0 : FindAstray(s);
            fit->summary.converged = fit->summary.astray == 0.0;
            break;
        }
        bool little = IsSmall(s, best) || s->sum - sum < SMALL_GAIN * s->sum;
        damping = fmin(fmax(tried[best], LEAST_DAMPING), MOST_DAMPING);
        memcpy(fit->best, s->parameters + (size_t)best * count, count * sizeof(double));
        memcpy(fit->fitted, s->values + (size_t)best * points, points * sizeof(double));
        s->sum = sum;
        if (little) {
            fit->summary.converged = true;
            break;
        }
    }
    // the covariance where it ended
    if (status == HW_OK) status = FindJacobian(s, error);
    if (status == HW_OK) FindCovariance(s);
    return status;
}

hwStatus hwFit_Solve(hwFit* fit, hwFitRunsFn* runs, hwFitProgressFn* progress, void* context,
                     hwError* error) {
    hwError local;
    if (error == NULL) error = &local;
    memset(error, 0, sizeof(*error));
    size_t count = (size_t)fit->parameterCount, points = (size_t)fit->pointCount;
    size_t most = 2 * count > TRIALS ? 2 * count : TRIALS;
    double* memory = malloc(
        (most * (count + points) + count * points + points + 2 * count * count + 2 * count) * sizeof(double));
    if (memory == NULL) return hwSceneFail_Memory(error);
    Search s = {.fit = fit, .runs = runs != NULL ? runs : RunOneByOne, .context = context};
    s.parameters = memory;
    s.values = s.parameters + most * count;
    s.jacobian = s.values + most * points;
    s.residual = s.jacobian + count * points;
    s.normal = s.residual + points;
    s.work = s.normal + count * count;
    s.gradient = s.work + count * count;
    s.step = s.gradient + count;
    fit->summary.iterations = fit->summary.runs = 0;
    fit->summary.converged = false;
    fit->summary.astray = 0.0;
    for (size_t i = 0; i < count * count; ++i) fit->covariance[i] = (double)NAN;
    memcpy(fit->best, fit->start, count * sizeof(double));
    hwStatus status = Iterate(&s, progress, error);
    free(memory);
    return status;
}

hwFitEstimate hwFit_GetEstimate(const hwFit* fit, int parameter) {
    hwFitEstimate none = {(double)NAN, (double)NAN, (double)NAN, (double)NAN, (double)NAN, false};
    if (parameter < 0 || parameter >= fit->parameterCount) return none;
    const hwFitParameter* p = hwFit_Parameter(fit, parameter);
    hwFitEstimate e = {.start = fit->start[parameter], .value = fit->best[parameter]};
    e.deviation = sqrt(fit->covariance[parameter * fit->parameterCount + parameter]);
    double far = hwNormal_GetQuantile(0.5 + 0.5 * fit->file.confidence) * e.deviation;
    e.low = e.value - far;
    e.high = e.value + far;
    e.bounded = e.value <= p->low || e.value >= p->high;
    return e;
}

double hwFit_GetCorrelation(const hwFit* fit, int first, int second) {
    int count = fit->parameterCount;
    if (first < 0 || second < 0 || first >= count || second >= count) return (double)NAN;
    const double* c = fit->covariance;
    if (first == second) return isnan(c[first * count + first]) ? (double)NAN : 1.0;
    return c[first * count + second] / sqrt(c[first * count + first] * c[second * count + second]);
}

hwFitSummary hwFit_GetSummary(const hwFit* fit) {
    return fit->summary;
}

// How well it follows ----------------------------------------------------------------------------------------------------------

int hwFit_GetColumnCount(const hwFit* fit) {
    return fit->file.measured.count;
}

hwFitColumn hwFit_GetColumn(const hwFit* fit, int column) {
    hwFitColumn out = {.channel = "", .residual = (double)NAN, .neighbours = (double)NAN};
    if (column < 0 || column >= fit->file.measured.count) return out;
    const hwFitMeasured* m = hwFit_Measured(fit, column);
    int first = 0;
    for (int c = 0; c < column; ++c) first += hwFit_Measured(fit, c)->count;
    double squares = 0.0, products = 0.0, last = 0.0;
    for (int i = first; i < first + m->count; ++i) {
        double r = (fit->data[i] - fit->fitted[i]) / fit->deviations[i];
        squares += r * r;
        products += r * last;
        last = r;
    }
    out.channel = m->channel;
    out.count = m->count;
    out.given = !isnan(m->deviation);
    out.residual = sqrt(squares / m->count);
    out.neighbours = squares > 0.0 ? products / squares : 0.0;
    return out;
}

// Three standard deviations of what chance does, and not less than what matters.
bool hwFit_FindDoubt(const hwFit* fit, int column, char* text, size_t size) {
    hwFitColumn c = hwFit_GetColumn(fit, column);
    text[0] = 0;
    if (c.count < 10 || !isfinite(c.residual)) return false;
    bool large = c.given && c.residual > 1.0 + fmax(0.2, 3.0 / sqrt(2.0 * c.count));
    bool along = c.neighbours > fmax(0.3, 3.0 / sqrt((double)c.count));
    char much[96] = "", together[160] = "";
    if (large) snprintf(much, sizeof(much), " are %.3g times the deviation given", c.residual);
    // the variance of a mean of values with that correlation (Bayley & Hammersley 1946)
    double share = fmin(c.neighbours, 0.999), factor = sqrt((1.0 + share) / (1.0 - share));
    if (along)
        snprintf(together, sizeof(together), "%s go along with their neighbours (correlation %.2f)",
                 large ? " and" : "", c.neighbours);
    if (along) {
        snprintf(text, size,
                 "residuals of %s%s%s: the scene lacks something that the data have, and the bounds are "
                 "about %.2g times "
                 "too narrow",
                 c.channel, much, together, factor);
    } else if (large) {
        snprintf(text, size, "residuals of %s%s: the noise is larger, or the scene does not follow the data",
                 c.channel, much);
    }
    return large || along;
}
