// The files that a study leaves behind.
#define _POSIX_C_SOURCE 200809L
#include "csv_number.h"
#include "hawser/results.h"
#include "results_internal.h"
#include "study_group.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool hwStudy_HoldsLimits(const hwStudy* study, const double* values) {
    for (int i = 0; i < study->file.limits.count; ++i) {
        const hwStudyLimit* limit = (const hwStudyLimit*)study->file.limits.items + i;
        double value = values[hwStudy_FindColumn(study, limit->of)];
        if (isnan(value) || value > limit->max || value < limit->min) return false;
    }
    return true;
}

static void PutNumber(FILE* stream, double value) {
    char text[HW_NUMBER_SIZE];
    fprintf(stream, ",%.*s", hwFormatNumber(value, text), text);
}

// A field, in quotes where it holds what CSV does not bear.
static void PutText(FILE* stream, const char* text) {
    if (strpbrk(text, ",\"\n\r") == NULL) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text; ++text) {
        if (*text == '"') fputc('"', stream);
        fputc(*text == '\n' || *text == '\r' ? ' ' : *text, stream);
    }
    fputc('"', stream);
}

static hwStatus OpenTable(hwSink* sink, const char* folder, const char* name, hwError* error) {
    char path[1024];
    snprintf(path, sizeof(path), "%.900s/%s", folder, name);
    return hwSink_Open(sink, path, error);
}

// Parameters of a run on the axes that `keep` names; null: all.
static void PutParameters(FILE* stream, const hwStudy* study, int64_t run, const bool* keep) {
    for (int i = 0; i < study->axisCount; ++i) {
        if (keep != NULL && !keep[i]) continue;
        fputc(',', stream);
        PutText(stream, study->axes[i].texts[hwStudy_GetIndex(study, run, i)]);
    }
}

static void PutPaths(FILE* stream, const hwStudy* study, const bool* keep) {
    for (int i = 0; i < study->axisCount; ++i) {
        if (keep == NULL || keep[i]) fprintf(stream, ",%s", study->axes[i].path);
    }
}

static hwStatus WriteTable(const hwStudy* study, const hwStudyRow* rows, const char* folder, hwError* error) {
    hwSink sink;
    hwStatus status = OpenTable(&sink, folder, "table.csv", error);
    if (status != HW_OK) return status;
    bool limits = study->file.limits.count > 0;
    fputs("run", sink.stream);
    PutPaths(sink.stream, study, NULL);
    fputs(",failed", sink.stream);
    if (limits) fputs(",ok", sink.stream);
    for (int i = 0; i < study->columnCount; ++i) fprintf(sink.stream, ",%s", study->columns[i].name);
    fputs("\n1", sink.stream);
    for (int i = 0; i < study->axisCount; ++i) fputc(',', sink.stream);
    fputs(limits ? ",1,1" : ",1", sink.stream);
    for (int i = 0; i < study->columnCount; ++i) fprintf(sink.stream, ",%s", study->columns[i].unit);
    fputs("\n", sink.stream);
    for (int64_t run = 0; run < study->runCount; ++run) {
        if (!rows[run].done) continue;
        bool failed = rows[run].failure != NULL;
        fprintf(sink.stream, "%lld", (long long)run);
        PutParameters(sink.stream, study, run, NULL);
        fputs(failed ? ",1" : ",0", sink.stream);
        if (limits) fputs(!failed && hwStudy_HoldsLimits(study, rows[run].values) ? ",1" : ",0", sink.stream);
        for (int i = 0; i < study->columnCount; ++i)
            PutNumber(sink.stream, failed ? (double)NAN : rows[run].values[i]);
        fputs("\n", sink.stream);
    }
    return hwSink_Close(&sink, HW_OK, error);
}

static hwStatus WriteHdf5(const hwStudy* study, const hwStudyRow* rows, const char* folder, hwError* error) {
    if (!hwCanWriteHdf5()) return HW_OK; // table.csv has the same
    char path[1024];
    snprintf(path, sizeof(path), "%.900s/table.h5", folder);
    int extra = study->axisCount + 2 + (study->file.limits.count > 0), width = extra + study->columnCount;
    hwChannelInfo* channels = malloc((size_t)width * sizeof(hwChannelInfo));
    double* row = malloc((size_t)width * sizeof(double));
    hwRecorderDef def = hwDefaultRecorderDef();
    def.path = path;
    def.channelCount = width;
    def.channels = channels;
    def.live = false;
    memset(def.info.started, 0, sizeof(def.info.started)); // the same bytes whenever it was made
    snprintf(def.info.status, sizeof(def.info.status), "completed");
    snprintf(def.info.title, sizeof(def.info.title), "%s", study->file.name);
    if (channels != NULL && row != NULL) {
        channels[0] = (hwChannelInfo){"run", "1"};
        for (int i = 0; i < study->axisCount; ++i) channels[1 + i] = (hwChannelInfo){study->axes[i].path, ""};
        channels[1 + study->axisCount] = (hwChannelInfo){"failed", "1"};
        if (extra == study->axisCount + 3) channels[2 + study->axisCount] = (hwChannelInfo){"ok", "1"};
        memcpy(channels + extra, study->columns, (size_t)study->columnCount * sizeof(hwChannelInfo));
    }
    hwRecorder* recorder = channels != NULL && row != NULL ? hwCreateRecorder(&def, error) : NULL;
    hwStatus status = recorder != NULL ? HW_OK
                      : row == NULL
                          ? hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory for the table.")
                          : error->status;
    for (int64_t run = 0; status == HW_OK && run < study->runCount; ++run) {
        if (!rows[run].done) continue;
        bool failed = rows[run].failure != NULL;
        row[0] = (double)run;
        for (int i = 0; i < study->axisCount; ++i)
            row[1 + i] = study->axes[i].numbers[hwStudy_GetIndex(study, run, i)];
        row[1 + study->axisCount] = failed;
        if (extra == study->axisCount + 3)
            row[2 + study->axisCount] = !failed && hwStudy_HoldsLimits(study, rows[run].values);
        for (int i = 0; i < study->columnCount; ++i)
            row[extra + i] = failed ? (double)NAN : rows[run].values[i];
        status = hwRecorder_Append(recorder, 1, row, error);
    }
    if (status == HW_OK) status = hwRecorder_Finish(recorder, NULL, error);
    hwDestroyRecorder(recorder);
    free(channels);
    free(row);
    return status;
}

static hwStatus WriteFailures(const hwStudy* study, const hwStudyRow* rows, const char* folder,
                              hwError* error) {
    hwSink sink;
    hwStatus status = OpenTable(&sink, folder, "failures.csv", error);
    if (status != HW_OK) return status;
    fputs("run", sink.stream);
    PutPaths(sink.stream, study, NULL);
    fputs(",reason\n", sink.stream);
    for (int64_t run = 0; run < study->runCount; ++run) {
        if (!rows[run].done || rows[run].failure == NULL) continue;
        fprintf(sink.stream, "%lld", (long long)run);
        PutParameters(sink.stream, study, run, NULL);
        fputc(',', sink.stream);
        PutText(sink.stream, rows[run].failure);
        fputc('\n', sink.stream);
    }
    return hwSink_Close(&sink, HW_OK, error);
}

bool* hwStudy_FindGrid(const hwStudy* study) {
    bool* keep = calloc((size_t)study->axisCount + 1, sizeof(bool));
    bool seeds = study->file.seeds.place.line > 0;
    for (int i = 0; keep != NULL && i < study->axisCount; ++i)
        keep[i] = !study->axes[i].sampled && !(seeds && i == study->axisCount - 1);
    return keep;
}

static double Square(double x) {
    return x * x;
}

// Peaks over a threshold: of n values n_u lie above u, and a run stays below x with 1 - (1 - F(x)) n_u/n. The error of that share,
// which is independent of the fit's, adds to the bounds by its square.
static void FindPeakQuantile(const hwStudyExtreme* x, int count, hwStudyFound* out) {
    double share = (double)out->above / count, tail = -hwExpm1(hwLog(x->probability) / x->repeats);
    double reach = hwNormal_GetQuantile(0.5 + 0.5 * x->confidence) * sqrt(share * (1.0 - share) / count);
    if (!(tail < share)) {
        hwResultsFail(&out->reason, HW_ERROR_NUMERIC,
                      "%d of %d values lie over the threshold %g: too few to tell what is exceeded with a "
                      "probability of %.3g.",
                      out->above, count, x->location, tail);
        return;
    }
    double often = hwFmin(share + reach, 1.0), seldom = share - reach;
    out->value = hwExtremeFit_GetQuantile(&out->fit, 1.0, 1.0 - tail / share);
    hwExtremeFit_GetBounds(&out->fit, 1.0, 1.0 - tail / share, x->confidence, &out->low, &out->high);
    double more = hwExtremeFit_GetQuantile(&out->fit, 1.0, 1.0 - tail / often) - out->value,
           less = seldom > tail ? out->value - hwExtremeFit_GetQuantile(&out->fit, 1.0, 1.0 - tail / seldom)
                                : out->value - x->location;
    out->low = hwFmax(out->value - sqrt(Square(out->value - out->low) + Square(less)), x->location);
    out->high = out->value + sqrt(Square(out->high - out->value) + Square(more));
}

hwStudyFound hwStudy_FindExtreme(const hwStudyExtreme* x, int count, double* values) {
    const double none = (double)NAN;
    hwStudyFound out = {.fit = {.location = none, .scale = none, .shape = none, .distance = none},
                        .above = count,
                        .value = none,
                        .low = none,
                        .high = none};
    hwStatus fitted;
    switch (x->fit) {
    case HW_EXTREME_GUMBEL:
        fitted = hwFitGumbel(count, values, &out.fit, &out.reason);
        break;
    case HW_EXTREME_WEIBULL:
        fitted = hwFitWeibull(count, values, x->location, &out.fit, &out.reason);
        break;
    default:
        out.above = 0;
        for (int i = 0; i < count; ++i) {
            if (values[i] > x->location) values[out.above++] = values[i];
        }
        fitted = hwFitPeaks(out.above, values, x->location, &out.fit, &out.reason);
        if (fitted == HW_OK) FindPeakQuantile(x, count, &out);
        return out;
    }
    if (fitted == HW_OK) {
        out.value = hwExtremeFit_GetQuantile(&out.fit, x->repeats, x->probability);
        hwExtremeFit_GetBounds(&out.fit, x->repeats, x->probability, x->confidence, &out.low, &out.high);
    }
    return out;
}

static hwStatus WriteExtremes(const hwStudy* study, const hwStudyRow* rows, const char* folder,
                              hwError* error) {
    hwSink sink;
    bool* keep = hwStudy_FindGrid(study);
    if (keep == NULL)
        return hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory for extremes.csv.");
    hwStatus status = OpenTable(&sink, folder, "extremes.csv", error);
    if (status == HW_OK) {
        fputs("of,fit", sink.stream);
        PutPaths(sink.stream, study, keep);
        fputs(",count,failed,location,scale,shape,distance,repeats,probability,value,confidence,low,high,"
              "above,note\n",
              sink.stream);
        for (int e = 0; e < study->file.extremes.count; ++e) {
            const hwStudyExtreme* x = (const hwStudyExtreme*)study->file.extremes.items + e;
            static const char* const fits[] = {"gumbel", "weibull", "peaks"};
            int count = 0;
            hwStudyGroup* groups =
                hwStudy_MakeGroups(study, rows, keep, hwStudy_FindColumn(study, x->of), &count);
            for (int g = 0; groups != NULL && g < count; ++g) {
                int n = groups[g].count;
                hwStudyFound found = hwStudy_FindExtreme(x, n, groups[g].values);
                const hwExtremeFit* fit = &found.fit;
                fprintf(sink.stream, "%s,%s", x->of, fits[x->fit]);
                PutParameters(sink.stream, study, groups[g].first, keep);
                fprintf(sink.stream, ",%d,%d", n, groups[g].failed);
                const double numbers[] = {fit->location, fit->scale,     fit->shape,  fit->distance,
                                          x->repeats,    x->probability, found.value, x->confidence,
                                          found.low,     found.high};
                for (size_t k = 0; k < sizeof(numbers) / sizeof(numbers[0]); ++k)
                    PutNumber(sink.stream, numbers[k]);
                fprintf(sink.stream, ",%d,", found.above);
                PutText(sink.stream, found.reason.message);
                fputc('\n', sink.stream);
            }
            hwStudy_FreeGroups(groups, count);
        }
        status = hwSink_Close(&sink, HW_OK, error);
    }
    free(keep);
    return status;
}

// Shares of the time that can be worked in, for the worst direction and for each: of a scatter table, or windows of a series.
static hwStatus WriteWeather(const hwStudy* study, const hwStudyAllowed* allowed, int count, bool series,
                             const char* folder, hwError* error) {
    hwSink sink;
    hwStatus status = OpenTable(&sink, folder, series ? "windows.csv" : "weather.csv", error);
    if (status != HW_OK) return status;
    fputs(series ? "heading,workable,usable,windows,longest,wait,beyond\n" : "heading,workable,beyond\n",
          sink.stream);
    const char* path = study->file.operability.heading;
    int axis = path != NULL ? hwStudy_FindAxis(study, path) : -1,
        headings = axis >= 0 ? study->axes[axis].count : 0;
    for (int i = -1; i < headings && status == HW_OK; ++i) {
        double heading = i < 0 ? (double)NAN : study->axes[axis].numbers[i];
        hwStudyWindows windows = {0};
        if (series) {
            if (!hwStudy_FindWindows(study, allowed, count, heading, &windows, error)) status = error->status;
        } else {
            windows.workable = hwStudy_FindWorkable(study, allowed, count, heading, &windows.beyond, error);
            if (isnan(windows.workable)) status = error->status;
        }
        if (i < 0) {
            fputs("worst", sink.stream);
        } else {
            PutText(sink.stream, study->axes[axis].texts[i]);
        }
        PutNumber(sink.stream, windows.workable);
        if (series) {
            PutNumber(sink.stream, windows.usable);
            PutNumber(sink.stream, windows.windows);
            PutNumber(sink.stream, windows.longest);
            PutNumber(sink.stream, windows.wait);
        }
        PutNumber(sink.stream, windows.beyond);
        fputc('\n', sink.stream);
    }
    return hwSink_Close(&sink, status, error);
}

static hwStatus WriteOperability(const hwStudy* study, const hwStudyRow* rows, const char* folder,
                                 hwError* error) {
    int count = 0;
    hwStudyAllowed* allowed = hwStudy_FindAllowed(study, rows, &count);
    bool* keep = hwStudy_FindGrid(study);
    hwSink sink;
    hwStatus status =
        allowed != NULL && keep != NULL
            ? OpenTable(&sink, folder, "operability.csv", error)
            : hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory for operability.csv.");
    if (status == HW_OK) {
        static const char* const ends[] = {"below the lowest height", "", "at least the highest height"};
        keep[hwStudy_FindAxis(study, study->file.operability.hs)] = false;
        fputs("combination", sink.stream);
        PutPaths(sink.stream, study, keep);
        fputs(",hs,low,high,limit,note\n", sink.stream);
        for (int i = 0; i < count; ++i) {
            fprintf(sink.stream, "%d", i);
            PutParameters(sink.stream, study, allowed[i].run, keep);
            PutNumber(sink.stream, allowed[i].hs);
            PutNumber(sink.stream, allowed[i].low);
            PutNumber(sink.stream, allowed[i].high);
            const char* note = ends[allowed[i].end + 1];
            if (!*note && isnan(allowed[i].low))
                note = "no bounds: of a count or fewer than five runs or a failed one";
            fprintf(sink.stream, ",%s,%s\n", allowed[i].limit ? allowed[i].limit : "", note);
        }
        status = hwSink_Close(&sink, HW_OK, error);
    }
    const hwStudyOperability* o = &study->file.operability;
    if (status == HW_OK && o->scatter != NULL)
        status = WriteWeather(study, allowed, count, false, folder, error);
    if (status == HW_OK && o->series != NULL)
        status = WriteWeather(study, allowed, count, true, folder, error);
    free(keep);
    free(allowed);
    return status;
}

static hwStatus WriteSensitivity(const hwStudy* study, const hwStudyRow* rows, const char* folder,
                                 hwError* error) {
    int count = 0;
    hwStudySwing* swings = hwStudy_FindSwings(study, rows, &count);
    hwSink sink;
    hwStatus status = swings != NULL ? OpenTable(&sink, folder, "sensitivity.csv", error)
                                     : hwResultsFail(error, HW_ERROR_MEMORY,
                                                     "There is not enough memory for sensitivity.csv.");
    if (status == HW_OK) {
        fprintf(sink.stream, "parameter,least,greatest,mean at least,mean at greatest,swing\n");
        for (int i = 0; i < count; ++i) {
            fputs(study->axes[swings[i].axis].path, sink.stream);
            const double numbers[] = {swings[i].least, swings[i].greatest, swings[i].low, swings[i].high,
                                      swings[i].high - swings[i].low};
            for (int k = 0; k < 5; ++k) PutNumber(sink.stream, numbers[k]);
            fputc('\n', sink.stream);
        }
        status = hwSink_Close(&sink, HW_OK, error);
    }
    free(swings);
    return status;
}

// Tables of before that the study does not ask for any more, so that nobody takes them for its own.
static void RemoveOthers(const hwStudy* study, const char* folder) {
    const hwStudyOperability* o = &study->file.operability;
    bool operability = o->place.line > 0;
    const struct {
        const char* name;
        bool wanted;
    } tables[] = {{"extremes.csv", study->file.extremes.count > 0},
                  {"operability.csv", operability},
                  {"weather.csv", operability && o->scatter != NULL},
                  {"windows.csv", operability && o->series != NULL},
                  {"sensitivity.csv", study->file.sensitivity != NULL}};
    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); ++i) {
        char path[1024];
        snprintf(path, sizeof(path), "%.900s/%s", folder, tables[i].name);
        if (!tables[i].wanted) unlink(path);
    }
}

hwStatus hwStudy_WriteTables(const hwStudy* study, const hwStudyRow* rows, const char* folder,
                             hwError* error) {
    hwError local;
    if (error == NULL) error = &local;
    RemoveOthers(study, folder);
    hwStatus status = WriteTable(study, rows, folder, error);
    if (status == HW_OK) status = WriteHdf5(study, rows, folder, error);
    if (status == HW_OK) status = WriteFailures(study, rows, folder, error);
    if (status == HW_OK && study->file.extremes.count > 0) status = WriteExtremes(study, rows, folder, error);
    if (status == HW_OK && study->file.operability.place.line > 0)
        status = WriteOperability(study, rows, folder, error);
    if (status == HW_OK && study->file.sensitivity != NULL)
        status = WriteSensitivity(study, rows, folder, error);
    if (status == HW_OK) status = hwStudy_WritePage(study, rows, folder, error);
    return status;
}
