// One run of a study.
#define _POSIX_C_SOURCE 200809L
#include "study_file.h"

#include "hawser/cable.h"
#include "hawser/extremes.h"
#include "hawser/ranges.h"
#include "hawser/results.h"
#include "hawser/scene.h"
#include "scene_model.h"
#include "scene_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A cable with ends that have gone slack.
typedef struct Loose {
    hwCableId cable;
    unsigned ends; // 1: a, 2: b
} Loose;

typedef struct StudyRun {
    const hwStudy* study;
    hwWorld* world;
    const hwSceneInfo* info;
    hwRanges* ranges;
    hwRecorder* recorder; // null: no rows are kept
    int keptCount;
    int *kept, *channels; // of the world: rows to be kept, statistics
    double *row, *series; // a row; channels x rows
    hwExtremes* extremes; // of each channel, over all steps and what is between them
    double* values;       // of each channel at a step
    int64_t rowCount, rowsTaken;
    bool rest;     // the last row is less than an interval after the one before, and so not in the series
    double from;   // s, simulated: what was before does not count
    double factor; // by which meshes and steps are finer
    int incidents;
    int counts[3]; // slack, taut, parted
    Loose* loose;  // of cables that were so once
    int looseCount;
    int64_t rowsDone;
    hwStatus rowStatus; // of the last row
    hwError rowError;
} StudyRun;

static Loose* FindLoose(StudyRun* run, hwCableId cable) {
    for (int i = 0; i < run->looseCount; ++i)
        if (HW_SAME_ID(run->loose[i].cable, cable)) return &run->loose[i];
    Loose* more = realloc(run->loose, ((size_t)run->looseCount + 1) * sizeof(Loose));
    if (more == NULL) return NULL;
    run->loose = more;
    more[run->looseCount] = (Loose){cable, 0};
    return &more[run->looseCount++];
}

// A cable goes slack with its first end, and is taut again with its last.
static void NoteIncident(StudyRun* run, const hwIncident* incident, bool counts) {
    bool slack = incident->kind == HW_INCIDENT_SLACK, taut = incident->kind == HW_INCIDENT_TAUT;
    run->counts[2] += counts && incident->kind == HW_INCIDENT_PARTED;
    Loose* loose = slack || taut ? FindLoose(run, incident->cable) : NULL;
    if (loose == NULL) return;
    unsigned end = 1u << (incident->end > 0);
    run->counts[0] += counts && slack && loose->ends == 0;
    loose->ends = slack ? loose->ends | end : loose->ends & ~end;
    run->counts[1] += counts && taut && loose->ends == 0;
}

static void NoteIncidents(StudyRun* run, bool counts) {
    enum { MOST = 256 };
    hwIncident list[MOST];
    int total = hwWorld_GetIncidents(run->world, 0, NULL), fresh = total - run->incidents;
    if (fresh <= 0) return;
    int kept = total < MOST ? total : MOST;
    hwWorld_GetIncidents(run->world, kept, list);
    for (int i = kept - (fresh < kept ? fresh : kept); i < kept; ++i) NoteIncident(run, &list[i], counts);
    run->incidents = total;
}

// After each step: extremes, ranges and incidents.
static void Observe(const hwWorld* world, void* context) {
    StudyRun* run = context;
    bool counts = hwWorld_GetTime(world) >= run->from;
    NoteIncidents(run, counts);
    if (!counts) return;
    hwRanges_Observe(run->ranges, world);
    hwWorld_ReadChannels(world, run->study->seriesCount, run->channels, run->values);
    hwExtremes_Add(run->extremes, hwWorld_GetTime(world), run->values);
}

// Time of row k. Intervals such as 0.1 s are not exact in binary, but 10 rows a second are.
static double GetRowTime(const StudyRun* run, int64_t row) {
    if (row == run->rowCount - 1) return run->info->start + run->info->duration;
    double rate = round(1 / run->info->interval);
    bool whole = rate >= 1 && fabs(1 / run->info->interval - rate) < 1e-9 * rate;
    return run->info->start + (whole ? (double)row / rate : (double)row * run->info->interval);
}

static hwStatus TakeRow(StudyRun* run, const hwWorld* world, double time, hwError* error) {
    bool uneven = run->rest && run->rowsDone == run->rowCount - 1;
    if (time >= run->from - 1e-9 * run->info->interval && !uneven) {
        for (int i = 0; i < run->study->seriesCount; ++i)
            run->series[(int64_t)i * run->rowCount + run->rowsTaken] =
                hwWorld_ReadChannel(world, run->channels[i]);
        run->rowsTaken += 1;
    }
    if (run->recorder == NULL) return HW_OK;
    hwWorld_ReadChannels(world, run->keptCount, run->kept, run->row);
    run->row[0] = time;
    return hwRecorder_Append(run->recorder, 1, run->row, error);
}

static double SampleRow(const hwWorld* world, void* context) {
    StudyRun* run = context;
    run->rowStatus = TakeRow(run, world, GetRowTime(run, run->rowsDone), &run->rowError);
    run->rowsDone += 1;
    return run->rowStatus == HW_OK && run->rowsDone < run->rowCount ? GetRowTime(run, run->rowsDone)
                                                                    : HUGE_VAL;
}

static hwStatus StepThrough(StudyRun* run, hwError* error) {
    double start = hwWorld_GetTime(run->world), end = GetRowTime(run, run->rowCount - 1);
    hwStatus status = hwWorld_SetSampler(run->world, start, SampleRow, run, error);
    if (status == HW_OK) status = hwWorld_Step(run->world, end - start, error);
    if (status >= HW_OK && run->rowStatus != HW_OK) {
        *error = run->rowError;
        status = run->rowStatus;
    }
    return status < 0 ? status : HW_OK;
}

static hwStatus FailMemory(hwError* error) {
    return hwSceneFail_Memory(error);
}

static hwStatus OpenRecorder(StudyRun* run, int64_t number, const char* folder, hwError* error) {
    const hwTexts* names = &run->study->file.keep.channels;
    if (names->count == 0 || folder == NULL) return HW_OK;
    int total = hwWorld_GetChannelCount(run->world);
    run->kept = malloc((size_t)total * sizeof(int));
    if (run->kept == NULL) return FailMemory(error);
    hwStatus status =
        hwWorld_SelectChannels(run->world, names->count, names->texts, run->kept, &run->keptCount, error);
    if (status != HW_OK) return status;
    hwChannelInfo* channels = malloc((size_t)run->keptCount * sizeof(hwChannelInfo));
    int* rooms = malloc((size_t)run->keptCount * sizeof(int));
    run->row = malloc((size_t)run->keptCount * sizeof(double));
    if (channels == NULL || rooms == NULL || run->row == NULL) {
        free(channels);
        free(rooms);
        return FailMemory(error);
    }
    hwWorld_FindRooms(run->world, names->count, (const char* const*)names->texts, run->keptCount, run->kept,
                      rooms);
    for (int i = 0; i < run->keptCount; ++i) channels[i] = hwWorld_GetChannel(run->world, run->kept[i]);
    char path[1024];
    snprintf(path, sizeof(path), "%.900s/runs/%06lld.h5", folder, (long long)number);
    hwRecorderDef def = hwDefaultRecorderDef();
    def.path = path;
    def.channelCount = run->keptCount;
    def.channels = channels;
    def.rooms = rooms;
    def.live = false;
    snprintf(def.info.title, sizeof(def.info.title), "%.80s, run %lld", run->study->file.name,
             (long long)number);
    def.info.interval = run->info->interval;
    def.info.start = run->info->start;
    def.info.duration = run->info->duration;
    snprintf(def.info.status, sizeof(def.info.status), "completed");
    memset(def.info.started, 0, sizeof(def.info.started));
    run->recorder = hwCreateRecorder(&def, error);
    free(channels);
    free(rooms);
    return run->recorder != NULL ? HW_OK : error->status;
}

static hwStatus Begin(StudyRun* run, hwError* error) {
    const hwStudy* study = run->study;
    double whole = floor(run->info->duration / run->info->interval + 1e-9);
    run->rest = run->info->duration - whole * run->info->interval > 1e-9 * run->info->interval;
    run->rowCount = (int64_t)whole + 1 + run->rest;
    run->from = run->info->start + study->file.keep.from;
    run->incidents = hwWorld_GetIncidents(run->world, 0, NULL); // those of the build-up do not count
    int count = study->seriesCount > 0 ? study->seriesCount : 1;
    run->channels = malloc((size_t)count * sizeof(int));
    run->values = malloc((size_t)count * sizeof(double));
    run->extremes = hwCreateExtremes(study->seriesCount, error);
    run->series = malloc((size_t)study->seriesCount * (size_t)run->rowCount * sizeof(double) + 1);
    run->ranges = hwCreateRanges(run->world, error);
    if (!run->channels || !run->values || !run->extremes || !run->series || !run->ranges)
        return FailMemory(error);
    for (int i = 0; i < study->seriesCount; ++i) {
        run->channels[i] = hwWorld_FindChannel(run->world, study->channels[i]);
        if (run->channels[i] < 0)
            return hwSceneFail(error, HW_ERROR_MODEL, 0, 0, "with these values the scene has no channel `%s`",
                               study->channels[i]);
    }
    return HW_OK;
}

// Shares of break and of the allowed curvature that a cable used.
static void FillUse(const StudyRun* run, double* values) {
    double* use = values + HW_STUDY_FIRST_CABLE;
    for (int c = 0; c < run->study->cableCount * HW_STUDY_CABLE_COLUMNS; ++c) use[c] = 0.0;
    for (int i = 0, c = 0; i < hwRanges_GetCount(run->ranges); ++i) {
        const char* name;
        const hwRangeStation* s = hwRanges_GetStation(run->ranges, i, &name);
        while (c < run->study->cableCount && strcmp(run->study->cables[c], name) != 0) c += 1;
        if (c == run->study->cableCount) return;
        double* own = use + HW_STUDY_CABLE_COLUMNS * c;
        double tension = s->tensionMax / s->breakTension, bend = s->curvatureMax * s->bendRadius;
        if (tension > own[HW_STUDY_CABLE_TENSION]) own[HW_STUDY_CABLE_TENSION] = tension;
        if (bend > own[HW_STUDY_CABLE_BEND]) own[HW_STUDY_CABLE_BEND] = bend;
        if (s->damage > own[HW_STUDY_CABLE_DAMAGE]) own[HW_STUDY_CABLE_DAMAGE] = s->damage;
    }
}

static double GetBalance(const hwEnergy* energy) {
    return energy->kinetic + energy->potential + energy->elastic + energy->dissipated + energy->method -
           energy->work;
}

static hwStatus FillExceedances(const StudyRun* run, double* at, hwError* error) {
    const hwItems* list = &run->study->file.keep.exceedance;
    for (int i = 0; i < list->count; ++i, at += HW_STUDY_EXCEEDANCE_COLUMNS) {
        const hwStudyExceedance* e = HW_ITEM(*list, hwStudyExceedance, i);
        double* series = run->series + (int64_t)(run->study->channelCount + i) * run->rowCount;
        bool under = isnan(e->above);
        for (int64_t k = 0; under && k < run->rowsTaken; ++k) series[k] = -series[k];
        hwExceedance found;
        hwStatus status = hwSeries_FindExceedance(run->rowsTaken, series, run->info->interval,
                                                  under ? -e->below : e->above, &found, error);
        if (status != HW_OK) return status;
        at[HW_STUDY_EVENTS] = (double)found.events;
        at[HW_STUDY_SHARE] = found.share;
        at[HW_STUDY_LONGEST] = found.longest;
    }
    return HW_OK;
}

// What a run's row is counted from.
typedef struct Start {
    hwEnergy energy;
    uint64_t steps;
} Start;

static hwStatus FillValues(const StudyRun* run, const Start* from, const hwExtreme* extremes, double* values,
                           hwError* error) {
    hwEnergy energy = hwWorld_GetEnergy(run->world);
    const hwEnergy* start = &from->energy;
    values[HW_STUDY_STEPS] = (double)(hwWorld_GetCounters(run->world).steps - from->steps);
    values[HW_STUDY_ENERGY] = GetBalance(&energy) - GetBalance(start);
    values[HW_STUDY_METHOD] = energy.method - start->method;
    for (int i = 0; i < 3; ++i) values[HW_STUDY_SLACK + i] = run->counts[i];
    FillUse(run, values);
    double* at = values + HW_STUDY_FIRST_CABLE + HW_STUDY_CABLE_COLUMNS * run->study->cableCount;
    for (int i = 0; i < run->study->channelCount; ++i, at += HW_STUDY_CHANNEL_COLUMNS) {
        const double* series = run->series + (int64_t)i * run->rowCount;
        hwSeriesStatistics s;
        hwCycleStatistics c;
        hwStatus status = hwSeries_Describe(run->rowsTaken, series, &s, error);
        if (status == HW_OK)
            status = hwSeries_CountCycles(run->rowsTaken, series, run->info->interval, s.mean, &c, error);
        if (status != HW_OK) {
            char message[200];
            snprintf(message, sizeof(message), "%.190s", error->message);
            return hwSceneFail(error, status, 0, 0, "statistics of `%s`: %s", run->study->channels[i],
                               message);
        }
        at[HW_STUDY_MEAN] = s.mean;
        at[HW_STUDY_DEVIATION] = s.deviation;
        // no step after `keep: from`: rows alone
        at[HW_STUDY_MIN] = isnan(extremes[i].min) ? s.min : extremes[i].min;
        at[HW_STUDY_MAX] = isnan(extremes[i].max) ? s.max : extremes[i].max;
        at[HW_STUDY_PERIOD] = c.period;
        at[HW_STUDY_SIGNIFICANT] = c.significantMaximum;
        at[HW_STUDY_PROBABLE] = c.mostProbableMaximum;
    }
    return FillExceedances(run, at, error);
}

static bool NeverStop(void* context) {
    (void)context;
    return false;
}

static hwStatus RunWith(const hwStudy* study, int64_t number, double factor, const char* folder,
                        bool (*stop)(void*), double* values, hwError* error) {
    hwError local;
    if (error == NULL) error = &local;
    for (int i = 0; i < study->columnCount; ++i) values[i] = (double)NAN;
    if (number < 0 || number >= study->runCount)
        return hwSceneFail(error, HW_ERROR_ARGUMENT, 0, 0, "the study has runs 0 to %lld, not %lld",
                           (long long)study->runCount - 1, (long long)number);
    StudyRun run = {.study = study, .factor = factor};
    int setCount;
    char** sets = hwStudy_ListSets(study, number, &setCount);
    if (sets == NULL) return FailMemory(error);
    hwScene* scene = hwLoadSceneWith(study->file.scene, setCount, (const char* const*)sets, error);
    free(sets);
    hwStatus status = scene != NULL ? HW_OK : error->status;
    if (status == HW_OK) {
        hwWorldDef base = hwDefaultWorldDef();
        base.stop = stop != NULL ? stop : NeverStop;
        run.info = hwScene_GetInfo(scene);
        hwScene_Refine(scene, factor);
        run.world = hwScene_CreateWorld(scene, &base, error);
        status = run.world != NULL ? HW_OK : error->status;
        if (status == HW_OK) {
            // as `hawser run` does it, the build-up too
            if (run.info->mode != HW_SOLVER_REFERENCE) hwScene_UseRunSolver(run.world);
            hwScene_RefineSolver(run.world, run.factor);
            status = hwWorld_BuildUp(run.world, error);
        }
        if (status == HW_OK) status = Begin(&run, error);
    }
    // a file that this run's scene names and that is not there is the run's own mistake
    if (status == HW_ERROR_FILE) error->status = status = HW_ERROR_MODEL;
    if (status == HW_OK) status = OpenRecorder(&run, number, folder, error);
    if (status == HW_OK) {
        Start start = {hwWorld_GetEnergy(run.world), hwWorld_GetCounters(run.world).steps};
        if (run.from <= hwWorld_GetTime(run.world)) Observe(run.world, &run);
        hwWorld_SetObserver(run.world, Observe, &run);
        status = StepThrough(&run, error);
        hwWorld_SetObserver(run.world, NULL, NULL);
        hwRanges_Finish(run.ranges);
        hwExtreme* extremes = malloc(((size_t)study->seriesCount + 1) * sizeof(hwExtreme));
        if (status == HW_OK && extremes == NULL) status = FailMemory(error);
        if (extremes != NULL) hwExtremes_Get(run.extremes, extremes);
        if (status == HW_OK) status = FillValues(&run, &start, extremes, values, error);
        free(extremes);
    }
    if (status == HW_OK && run.recorder != NULL) status = hwRecorder_Finish(run.recorder, NULL, error);
    if (status != HW_OK) {
        for (int i = 0; i < study->columnCount; ++i) values[i] = (double)NAN;
    }
    hwDestroyRecorder(run.recorder);
    hwDestroyRanges(run.ranges);
    hwDestroyWorld(run.world);
    hwDestroyScene(scene);
    free(run.kept);
    free(run.channels);
    free(run.row);
    free(run.series);
    free(run.values);
    free(run.loose);
    hwDestroyExtremes(run.extremes);
    return status;
}

hwStatus hwStudy_Run(const hwStudy* study, int64_t number, const char* folder, bool (*stop)(void*),
                     double* values, hwError* error) {
    return RunWith(study, number, 1.0, folder, stop, values, error);
}

hwStatus hwStudy_RunFiner(const hwStudy* study, int64_t number, double factor, bool (*stop)(void*),
                          double* values, hwError* error) {
    return RunWith(study, number, factor, NULL, stop, values, error);
}
