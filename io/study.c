// Studies: which runs there are and what each fills in.
#define _POSIX_C_SOURCE 200809L
#include "study_file.h"

#include "csv_number.h"
#include "hawser/cable.h"
#include "hawser/elementary.h"
#include "hawser/results.h"
#include "hawser/scene.h"
#include "scene_read.h"
#include "study_group.h"
#include "work_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_RUNS 10000000

static bool FailStudy(hwError* error, const hwPlace* place, const char* format, const char* text) {
    char quoted[120];
    hwQuoteText(quoted, sizeof(quoted), text);
    // Formats here are constants with one %s each.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    hwSceneFail(error, HW_ERROR_FORMAT, place->line, place->column, format, quoted);
#pragma GCC diagnostic pop
    return false;
}

// Axes ---------------------------------------------------------------------------------------------------------------------

static bool IsSampled(const hwStudyParameter* p) {
    return p->uniform.place.line > 0 || p->normal.place.line > 0 || p->lognormal.place.line > 0 ||
           p->weibull.place.line > 0 || p->triangle.place.line > 0;
}

// The value that a distribution stays below with probability u.
static double FindValue(const hwStudyParameter* p, double u) {
    if (p->uniform.place.line > 0) return p->uniform.first + (p->uniform.second - p->uniform.first) * u;
    if (p->normal.place.line > 0) return p->normal.first + p->normal.second * hwNormal_GetQuantile(u);
    if (p->lognormal.place.line > 0)
        return p->lognormal.first * hwExp(p->lognormal.second * hwNormal_GetQuantile(u));
    if (p->weibull.place.line > 0) return p->weibull.first * hwPow(-hwLog1p(-u), 1.0 / p->weibull.second);
    double low = p->triangle.first, mode = p->triangle.second, high = p->triangle.third;
    double knee = (mode - low) / (high - low);
    return u < knee ? low + sqrt(u * (high - low) * (mode - low))
                    : high - sqrt((1.0 - u) * (high - low) * (high - mode));
}

static bool SetText(hwStudy* study, hwStudyAxis* axis, int index, const char* text) {
    axis->texts[index] = hwStore_CopyText(&study->store, text, strlen(text));
    axis->numbers[index] = (double)NAN;
    hwParseNumber(text, text + strlen(text), &axis->numbers[index]);
    return axis->texts[index] != NULL;
}

static bool SetNumber(hwStudy* study, hwStudyAxis* axis, int index, double value) {
    char text[HW_NUMBER_SIZE];
    text[hwFormatNumber(value, text)] = 0;
    return SetText(study, axis, index, text);
}

static bool BeginAxis(hwStudy* study, hwStudyAxis* axis, const hwPlace* place, const char* path, int count) {
    axis->place = *place;
    axis->path = path;
    axis->count = count;
    axis->texts = HW_STORE_TAKE(&study->store, char*, count);
    axis->numbers = HW_STORE_TAKE(&study->store, double, count);
    return axis->texts != NULL && axis->numbers != NULL;
}

// Value i of a range. Sums of tenths are off in their last digits: they are rounded to 1e-14 of the larger end's power of ten, so
// that 0.1 to 0.7 has a 0.4 among its values.
static double FindRangeValue(const hwStudyPair* range, int i, int steps) {
    double low = range->first, high = range->second, size = hwFmax(fabs(low), fabs(high));
    double value = ((steps - i) * low + i * high) / steps;
    if (i == 0) return low;
    if (i == steps) return high;
    if (!(fabs(value) > 1e-15 * size)) return 0.0;
    int digits = 15 + (int)floor(hwLog10(fabs(value))) - (int)floor(hwLog10(size));
    char text[40];
    snprintf(text, sizeof(text), "%.*e", digits > 1 ? digits - 1 : 0, value);
    hwParseNumber(text, text + strlen(text), &value);
    return value;
}

static bool FillGridAxis(hwStudy* study, hwStudyAxis* axis, const hwStudyParameter* p) {
    bool list = p->values.count > 0;
    int count = list ? p->values.count : (int)p->range.third;
    if (!BeginAxis(study, axis, &p->place, p->path, count)) return false;
    axis->with = p->with;
    bool good = true;
    for (int i = 0; i < count && good; ++i)
        good = list ? SetText(study, axis, i, p->values.texts[i])
                    : SetNumber(study, axis, i, FindRangeValue(&p->range, i, count > 1 ? count - 1 : 1));
    return good;
}

// Latin hypercube (McKay, Beckman & Conover 1979): one value in each of as many strata as there are samples, in an order of
// its own for each parameter.
static bool FillSampledAxis(hwStudy* study, hwStudyAxis* axis, const hwStudyParameter* p, int dimension) {
    int count = study->file.samples;
    uint64_t state = study->file.seed;
    state = hwStudy_Random(&state) ^ (uint64_t)(dimension + 1) * 0xd1342543de82ef95u;
    uint64_t shift = hwStudy_Random(&state); // of Sobol's points, by digits (Owen's first step)
    axis->sampled = true;
    int* order = malloc((size_t)count * sizeof(int));
    bool good = order != NULL && BeginAxis(study, axis, &p->place, p->path, count);
    for (int i = 0; good && i < count; ++i) order[i] = i;
    for (int i = count - 1; good && i > 0; --i) {
        int k = (int)(hwStudy_Random(&state) % (uint64_t)(i + 1)), kept = order[i];
        order[i] = order[k];
        order[k] = kept;
    }
    for (int i = 0; good && i < count; ++i) {
        double u = ((double)(hwStudy_Random(&state) >> 11) + 0.5) * 0x1p-53;
        if (study->file.design == HW_DESIGN_LATIN) u = (order[i] + u) / count;
        if (study->file.design == HW_DESIGN_SOBOL) {
            uint32_t digits = (uint32_t)(hwSobol_Get(dimension, (uint32_t)i) * 0x1p32) ^ (uint32_t)shift;
            u = ((double)digits + 0.5) * 0x1p-32;
        }
        good = SetNumber(study, axis, i, FindValue(p, u));
    }
    free(order);
    return good;
}

// A setting of an axis: the parameter itself, then what goes with it; false: there are no more.
bool hwStudyAxis_GetSetting(const hwStudyAxis* axis, int index, int number, const char** path,
                            const char** text) {
    if (number > axis->with.count) return false;
    const hwStudyLink* link = number > 0 ? &axis->with.list[number - 1] : NULL;
    *path = link != NULL ? link->path : axis->path;
    *text = link != NULL ? link->values.texts[index] : axis->texts[index];
    return true;
}

static bool CheckTwice(const hwStudy* study, hwError* error) {
    const char *path, *other, *text;
    for (int a = 0; a < study->axisCount; ++a) {
        const hwStudyAxis* axis = &study->axes[a];
        for (int k = 0; hwStudyAxis_GetSetting(axis, 0, k, &path, &text); ++k) {
            for (int b = 0; b <= a; ++b) {
                const hwStudyAxis* before = &study->axes[b];
                for (int n = 0; (b < a || n < k) && hwStudyAxis_GetSetting(before, 0, n, &other, &text);
                     ++n) {
                    bool later = axis->place.line >= before->place.line;
                    if (strcmp(path, other) == 0)
                        return FailStudy(error, later ? &axis->place : &before->place,
                                         "the parameter `%s` is there twice", path);
                }
            }
        }
    }
    return true;
}

static bool FillAxes(hwStudy* study, hwError* error) {
    const hwStudyFile* file = &study->file;
    const hwStudyParameter* list = file->parameters.items;
    int count = file->parameters.count, dimension = 0;
    study->axes = HW_STORE_TAKE(&study->store, hwStudyAxis, count + 1);
    if (study->axes == NULL) return hwSceneFail_Memory(error) == HW_OK;
    double runs = 1.0;
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < count; ++i) {
            if (IsSampled(&list[i]) != (pass == 1)) continue;
            hwStudyAxis* axis = &study->axes[study->axisCount++];
            if (pass == 1 && file->design == HW_DESIGN_SOBOL && dimension == HW_SOBOL_DIMENSIONS)
                return FailStudy(
                    error, &list[i].place,
                    "`%s` is one parameter too many for `design: sobol`, which has 21 dimensions",
                    list[i].path);
            bool good = pass == 0 ? FillGridAxis(study, axis, &list[i])
                                  : FillSampledAxis(study, axis, &list[i], dimension++);
            if (!good) return hwSceneFail_Memory(error) == HW_OK;
            if (pass == 0) runs *= axis->count;
        }
    }
    if (dimension == 0 && (file->samples > 1 || file->design != HW_DESIGN_LATIN))
        return FailStudy(error, &file->place,
                         "`%s` needs a parameter with a distribution: `uniform`, `normal`, `lognormal`, "
                         "`weibull` or `triangular`",
                         file->samples > 1 ? "samples" : "design");
    study->samples = dimension > 0 ? file->samples : 1;
    runs *= (double)study->samples;
    if (file->seeds.place.line > 0) {
        hwStudyAxis* axis = &study->axes[study->axisCount++];
        if (!BeginAxis(study, axis, &file->seeds.place, file->seeds.path, file->seeds.count))
            return hwSceneFail_Memory(error) == HW_OK;
        for (int i = 0; i < axis->count; ++i) {
            char text[32];
            snprintf(text, sizeof(text), "%llu",
                     (unsigned long long)file->seeds.first + (unsigned long long)i);
            if (!SetText(study, axis, i, text)) return hwSceneFail_Memory(error) == HW_OK;
        }
        runs *= axis->count;
    }
    if (runs > MOST_RUNS) {
        hwSceneFail(error, HW_ERROR_LIMIT, file->place.line, file->place.column,
                    "the study has %.3g runs; at most %d are allowed", runs, MOST_RUNS);
        return false;
    }
    study->runCount = (int64_t)runs;
    return CheckTwice(study, error);
}

// Run numbers: the seed changes fastest, then the samples, then the last parameter of the grid.
int hwStudy_GetIndex(const hwStudy* study, int64_t run, int axis) {
    int last = study->axisCount - 1;
    bool seeds = study->file.seeds.place.line > 0;
    if (seeds) {
        if (axis == last) return (int)(run % study->axes[last].count);
        run /= study->axes[last].count;
        last -= 1;
    }
    int sample = (int)(run % study->samples);
    run /= study->samples;
    if (study->axes[axis].sampled) return sample;
    for (int i = last; i > axis; --i) {
        if (!study->axes[i].sampled) run /= study->axes[i].count;
    }
    return (int)(run % study->axes[axis].count);
}

char** hwStudy_ListSets(const hwStudy* study, int64_t run, int* count) {
    const hwTexts* set = &study->file.set;
    const char *path, *text;
    *count = set->count;
    size_t size = 0;
    for (int i = 0; i < set->count; ++i) size += strlen(set->texts[i]) + 1;
    for (int i = 0; i < study->axisCount; ++i) {
        int index = hwStudy_GetIndex(study, run, i);
        for (int k = 0; hwStudyAxis_GetSetting(&study->axes[i], index, k, &path, &text); ++k, ++*count)
            size += strlen(path) + strlen(text) + 2;
    }
    size_t places = ((size_t)*count + 1) * sizeof(char*);
    char** sets = malloc(places + size);
    if (sets == NULL) return NULL;
    char *at = (char*)sets + places, **next = sets;
    for (int i = 0; i < set->count; ++i) {
        *next++ = at;
        at += sprintf(at, "%s", set->texts[i]) + 1;
    }
    for (int i = 0; i < study->axisCount; ++i) {
        int index = hwStudy_GetIndex(study, run, i);
        for (int k = 0; hwStudyAxis_GetSetting(&study->axes[i], index, k, &path, &text); ++k) {
            *next++ = at;
            at += sprintf(at, "%s=%s", path, text) + 1;
        }
    }
    *next = NULL;
    return sets;
}

// Columns ------------------------------------------------------------------------------------------------------------------

static bool AddColumn(hwStudy* study, const char* object, const char* what, const char* unit) {
    char name[256];
    snprintf(name, sizeof(name), "%s%s%s", object, object[0] ? "." : "", what);
    char* own = hwStore_CopyText(&study->store, name, strlen(name));
    char* ownUnit = hwStore_CopyText(&study->store, unit, strlen(unit));
    if (own == NULL || ownUnit == NULL) return false;
    study->columns[study->columnCount++] = (hwChannelInfo){own, ownUnit};
    return true;
}

static bool FillColumns(hwStudy* study, const hwWorld* world, const int* channels, hwError* error) {
    static const char* const common[][2] = {{"steps", "1"}, {"energy_error", "J"}, {"energy_method", "J"},
                                            {"slack", "1"}, {"taut", "1"},         {"parted", "1"}};
    static const char* const statistics[] = {
        "mean", "deviation", "min", "max", "period", "significant_maximum", "most_probable_maximum"};
    int cables = hwWorld_GetCables(world, 0, NULL);
    hwCableId* ids = HW_STORE_TAKE(&study->store, hwCableId, cables + 1);
    study->cables = HW_STORE_TAKE(&study->store, const char*, cables + 1);
    study->columns = HW_STORE_TAKE(&study->store, hwChannelInfo,
                                   HW_STUDY_FIRST_CABLE + HW_STUDY_CABLE_COLUMNS * cables +
                                       HW_STUDY_CHANNEL_COLUMNS * study->channelCount +
                                       HW_STUDY_EXCEEDANCE_COLUMNS * study->file.keep.exceedance.count + 1);
    bool good = ids != NULL && study->cables != NULL && study->columns != NULL;
    for (int i = 0; good && i < HW_STUDY_FIRST_CABLE; ++i)
        good = AddColumn(study, "", common[i][0], common[i][1]);
    if (good) hwWorld_GetCables(world, cables, ids);
    for (int i = 0; good && i < cables; ++i) {
        const char* name = hwCable_GetName(world, ids[i]);
        study->cables[study->cableCount] = hwStore_CopyText(&study->store, name, strlen(name));
        good = study->cables[study->cableCount++] != NULL && AddColumn(study, name, "tension.use", "1") &&
               AddColumn(study, name, "bend.use", "1") && AddColumn(study, name, "damage", "1");
    }
    for (int i = 0; good && i < study->channelCount; ++i) {
        for (int k = 0; good && k < HW_STUDY_CHANNEL_COLUMNS; ++k)
            good = AddColumn(study, study->channels[i], statistics[k],
                             k == HW_STUDY_PERIOD ? "s" : hwWorld_GetChannel(world, channels[i + 1]).unit);
    }
    for (int i = 0; good && i < study->file.keep.exceedance.count; ++i) {
        const hwStudyExceedance* e = HW_ITEM(study->file.keep.exceedance, hwStudyExceedance, i);
        char name[200];
        snprintf(name, sizeof(name), "%.150s%s", e->name != NULL ? e->name : e->of,
                 e->name != NULL ? "" : ".exceedance");
        int first = study->columnCount;
        good = AddColumn(study, name, "events", "1") && AddColumn(study, name, "share", "1") &&
               AddColumn(study, name, "longest", "s");
        if (good && hwStudy_FindColumn(study, study->columns[first].name) < first) {
            hwSceneFail(error, HW_ERROR_FORMAT, e->place.line, e->place.column,
                        "there are two exceedances called `%s`: give one a `name`", name);
            return false;
        }
    }
    return good || hwSceneFail_Memory(error) == HW_OK;
}

// The channels whose exceedance is kept come after those of statistics.
static bool AddExceedances(hwStudy* study, const hwWorld* world, hwError* error) {
    const hwItems* list = &study->file.keep.exceedance;
    study->seriesCount = study->channelCount;
    const char** channels = HW_STORE_TAKE(&study->store, const char*, study->channelCount + list->count + 1);
    if (channels == NULL) return hwSceneFail_Memory(error) == HW_OK;
    for (int i = 0; i < study->channelCount; ++i) channels[i] = study->channels[i];
    study->channels = channels;
    for (int i = 0; i < list->count; ++i) {
        const hwStudyExceedance* e = HW_ITEM(*list, hwStudyExceedance, i);
        if (hwWorld_FindChannel(world, e->of) < 0) {
            hwSceneFail(error, HW_ERROR_FORMAT, e->place.line, e->place.column,
                        "`of` of an exceedance must be a channel of the scene, and `%.100s` is none", e->of);
            return false;
        }
        channels[study->seriesCount++] = e->of;
    }
    return true;
}

// Trying it out ---------------------------------------------------------------------------------------------------------------

// Loads the scene of a run; `only` is the one axis that is set, -1: all of them. False and the error otherwise.
static bool TryRun(const hwStudy* study, int64_t run, int only, hwError* error) {
    int count;
    char** sets = hwStudy_ListSets(study, run, &count);
    if (sets == NULL) return hwSceneFail_Memory(error) == HW_OK;
    int first = study->file.set.count;
    for (int i = 0; i < only; ++i) first += 1 + study->axes[i].with.count;
    if (only >= 0) {
        int own = 1 + study->axes[only].with.count;
        memmove(sets + study->file.set.count, sets + first, (size_t)own * sizeof(char*));
        count = study->file.set.count + own;
    }
    hwScene* scene = hwLoadSceneWith(study->file.scene, count, (const char* const*)sets, error);
    free(sets);
    hwDestroyScene(scene);
    return scene != NULL;
}

// What the first, the middle and the last run all say is no matter of their values: a path that leads nowhere is told before
// thousands of runs fail with it.
static bool TryRuns(const hwStudy* study, hwError* error) {
    const int64_t runs[3] = {0, study->runCount / 2, study->runCount - 1};
    hwError first;
    if (study->axisCount == 0 || TryRun(study, runs[0], -1, &first)) return true;
    for (int i = 1; i < 3; ++i) {
        hwError other;
        if (TryRun(study, runs[i], -1, &other) || strcmp(other.message, first.message) != 0) return true;
    }
    *error = first;
    const hwPlace* place = &study->file.place;
    for (int i = 0; i < study->axisCount; ++i) {
        hwError alone;
        if (!TryRun(study, 0, i, &alone) && strcmp(alone.message, first.message) == 0)
            place = &study->axes[i].place;
    }
    hwMoveSceneError(place, error);
    return false;
}

static bool CheckFrom(const hwStudy* study, const hwScene* scene, hwError* error) {
    double from = study->file.keep.from, duration = hwScene_GetInfo(scene)->duration;
    if (from <= duration || hwStudy_FindAxis(study, "duration") >= 0) return true;
    hwSceneFail(error, HW_ERROR_FORMAT, study->file.keep.place.line, study->file.keep.place.column,
                "`from` is %g s, but runs end after %g s: nothing would count", from, duration);
    return false;
}

// Tries the scene out as it is with `set`, and looks up channels.
static bool TryScene(hwStudy* study, hwError* error) {
    const hwStudyFile* file = &study->file;
    hwScene* scene = hwLoadSceneWith(file->scene, file->set.count, file->set.texts, error);
    hwWorld* world = scene != NULL ? hwScene_CreateWorld(scene, NULL, error) : NULL;
    bool good = world != NULL;
    if (!good) hwMoveSceneError(&file->place, error);
    good = good && CheckFrom(study, scene, error) && TryRuns(study, error);
    int* channels = good ? HW_STORE_TAKE(&study->store, int, hwWorld_GetChannelCount(world) + 1) : NULL;
    const hwTexts* lists[2] = {&file->keep.channels, &file->keep.statistics};
    for (int i = 0; good && i < 2; ++i) {
        int count = 0;
        if (lists[i]->count > 0) {
            good = hwWorld_SelectChannels(world, lists[i]->count, lists[i]->texts, channels, &count, error) ==
                   HW_OK;
            if (!good && error != NULL) {
                error->line = lists[i]->line;
                error->column = lists[i]->column;
            }
        }
        if (i == 0 || count < 1) continue;
        study->channels = HW_STORE_TAKE(&study->store, const char*, count);
        good = good && study->channels != NULL;
        for (int k = 1; good && k < count; ++k) { // without time
            const char* name = hwWorld_GetChannel(world, channels[k]).name;
            study->channels[study->channelCount] = hwStore_CopyText(&study->store, name, strlen(name));
            good = study->channels[study->channelCount++] != NULL;
        }
    }
    good = good && AddExceedances(study, world, error) && FillColumns(study, world, channels, error) &&
           hwStudy_FillInputs(study, scene, error);
    hwDestroyWorld(world);
    hwDestroyScene(scene);
    return good;
}

int hwStudy_FindColumn(const hwStudy* study, const char* name) {
    for (int i = 0; i < study->columnCount; ++i) {
        if (strcmp(study->columns[i].name, name) == 0) return i;
    }
    return -1;
}

int hwStudy_FindAxis(const hwStudy* study, const char* path) {
    for (int i = 0; i < study->axisCount; ++i) {
        if (strcmp(study->axes[i].path, path) == 0) return i;
    }
    return -1;
}

static bool CheckColumn(const hwStudy* study, const hwPlace* place, const char* name, hwError* error) {
    if (hwStudy_FindColumn(study, name) >= 0) return true;
    FailStudy(error, place, "the table has no column `%s`", name);
    char most[200];
    snprintf(most, sizeof(most), "%.190s.max", name);
    if (hwStudy_FindColumn(study, most) >= 0) {
        hwSceneFail_Hint(
            error,
            "a column is one number of a run: `%s`, or `.min`, `.mean`, `.deviation`, `.period`, "
            "`.significant_maximum`, `.most_probable_maximum`",
            most);
        return false;
    }
    const char** names = malloc((size_t)study->columnCount * sizeof(char*));
    for (int i = 0; names && i < study->columnCount; ++i) names[i] = study->columns[i].name;
    const char* near = names ? hwFindNearest(name, names, study->columnCount) : NULL;
    if (near != NULL) {
        hwSceneFail_Hint(error, "did you mean `%s`?", near);
    } else {
        hwSceneFail_Hint(
            error,
            "columns are those of keep: statistics, as wire.a.tension.max, and `slack`, `taut`, `parted`, "
            "`steps`, `energy_error`, `energy_method`, CABLE.tension.use, CABLE.bend.use, CABLE.damage");
    }
    free(names);
    return false;
}

static bool CheckAxis(const hwStudy* study, const hwPlace* place, const char* path, hwError* error) {
    int axis = hwStudy_FindAxis(study, path);
    if (axis < 0) return FailStudy(error, place, "`%s` is none of the parameters", path);
    if (study->axes[axis].sampled) return FailStudy(error, place, "`%s` is sampled; list its values", path);
    for (int i = 0; i < study->axes[axis].count; ++i) {
        if (isnan(study->axes[axis].numbers[i]))
            return FailStudy(error, place, "`%s` has values that are no numbers", path);
    }
    return true;
}

static bool CheckNames(const hwStudy* study, hwError* error) {
    const hwStudyFile* file = &study->file;
    for (int i = 0; i < file->limits.count; ++i) {
        const hwStudyLimit* limit = (const hwStudyLimit*)file->limits.items + i;
        if (!CheckColumn(study, &limit->place, limit->of, error)) return false;
    }
    for (int i = 0; i < file->extremes.count; ++i) {
        const hwStudyExtreme* extreme = (const hwStudyExtreme*)file->extremes.items + i;
        if (!CheckColumn(study, &extreme->place, extreme->of, error)) return false;
    }
    if (file->sensitivity != NULL && !CheckColumn(study, &file->place, file->sensitivity, error))
        return false;
    const hwStudyOperability* o = &file->operability;
    if (o->place.line == 0) return true;
    if (file->limits.count == 0)
        return FailStudy(error, &o->place, "%s needs `limits`: the wave height at which they cease to hold",
                         "operability");
    return CheckAxis(study, &o->place, o->hs, error) && CheckAxis(study, &o->place, o->tp, error) &&
           (o->heading == NULL || CheckAxis(study, &o->place, o->heading, error));
}

// Loading ------------------------------------------------------------------------------------------------------------------

static bool Load(hwStudy* study, const char* path, hwError* error) {
    hwFileText text;
    if (!hwReadWorkFile(&study->store, path, &hwSection_study, &study->file, &study->file.name, &text, error))
        return false;
    study->path = hwStore_CopyText(&study->store, path, strlen(path));
    if (study->path == NULL) return hwSceneFail_Memory(error) == HW_OK;
    return FillAxes(study, error) && TryScene(study, error) && CheckNames(study, error) &&
           hwStudy_CheckWeather(study, error);
}

hwStudy* hwLoadStudy(const char* path, hwError* error) {
    hwError local;
    if (error == NULL) error = &local;
    memset(error, 0, sizeof(*error));
    error->index = -1;
    error->time = (double)NAN;
    hwStudy* study = calloc(1, sizeof(hwStudy));
    if (study == NULL) {
        hwSceneFail_Memory(error);
        return NULL;
    }
    hwStore_Init(&study->store, NULL);
    if (Load(study, path, error)) return study;
    hwDestroyStudy(study);
    return NULL;
}

void hwDestroyStudy(hwStudy* study) {
    if (study == NULL) return;
    hwStore_Free(&study->store);
    free(study);
}

const char* hwStudy_GetName(const hwStudy* study) {
    return study->file.name;
}

const char* hwStudy_GetScene(const hwStudy* study) {
    return study->file.scene;
}

int64_t hwStudy_GetRunCount(const hwStudy* study) {
    return study->runCount;
}

int hwStudy_GetParameterCount(const hwStudy* study) {
    return study->axisCount;
}

const char* hwStudy_GetParameter(const hwStudy* study, int parameter) {
    return parameter >= 0 && parameter < study->axisCount ? study->axes[parameter].path : "";
}

int hwStudy_GetColumnCount(const hwStudy* study) {
    return study->columnCount;
}

hwChannelInfo hwStudy_GetColumn(const hwStudy* study, int column) {
    if (column < 0 || column >= study->columnCount) return (hwChannelInfo){"", ""};
    return study->columns[column];
}
