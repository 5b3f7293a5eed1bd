// hawser run: a scene from its start to its end, with everything asked for written down.
#define _XOPEN_SOURCE 700
#include "apps/cli/certify.h"
#include "apps/cli/cli.h"
#include "apps/cli/folders.h"
#include "apps/cli/lock.h"
#include "apps/cli/progress.h"
#include "apps/cli/session.h"
#include "hawser/cable.h"
#include "hawser/convert.h"
#include "hawser/mechanism.h"
#include "hawser/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    OPTION_OUT,
    OPTION_CSV,
    OPTION_MCAP,
    OPTION_CHANNELS,
    OPTION_DURATION,
    OPTION_SOLVER,
    OPTION_SMS,
    OPTION_RANGES,
    OPTION_EXTREMES,
    OPTION_REPORT,
    OPTION_AUDIT,
    OPTION_CERTIFY,
    OPTION_SAVE,
    OPTION_QUIET
};

static const hwOption g_options[] = {
    {"out", 0, "DIR", "folder for results.h5; default: results/<name of the scene's file>"},
    {"csv", 0, "FILE", "write CSV there, - for the standard output; then HDF5 only with --out"},
    {"mcap", 0, "FILE", "write messages for Foxglove there too"},
    {"channels", 0, "a,b,...", "record these channels; * stands for any characters"},
    {"duration", 0, "S", "run for S seconds instead of what the scene says"},
    {"solver", 0, "MODE", "realtime or reference instead of what the scene says"},
    {"sms", 0, "DIR", "write the .dat files of SMS there too"},
    {"ranges", 0, "FILE", "write the range graphs of cables there; default: ranges.csv beside results.h5"},
    {"extremes", 0, "FILE", "write extremes and means of all channels there, as CSV"},
    {"report", 0, NULL, "write a page with plots beside the results"},
    {"audit", 0, "SHARE", "fail when the energy balance is off by more than this share, 1e-3 for example"},
    {"certify", 0, NULL,
     "run again on two finer meshes with smaller steps: errors of all numbers, certify.csv"},
    {"save", 0, "FILE", "write the state at the end there, for `start: {state: FILE}` of a scene"},
    {"quiet", 'q', NULL, "say nothing but what went wrong"},
    HW_SET_OPTION,
    {0},
};

// An energy balance that is off by more than this share of the energy in motion or changing hands is told, with --quiet too.
static const double g_auditWarning = 0.05;
// What is stored is known to rounding of so much of it: less is not told from nothing.
static const double g_auditRounding = 1e-9;

// With so many cables and nothing else that moves, the solver may step them apart: tensions at their ends and ranges are then
// watched cable by cable at each one's steps, and all else at rows.
#define MANY_CABLES 16

// The tension at an end of a cable, at its own steps.
typedef struct EndTension {
    int column;
    hwCableId cable;
    int end;
    double min, minTime, max, maxTime;
} EndTension;

// With more channels than this, extremes are of those that are no element's or node's.
#define MOST_EXTREMES 2000

typedef struct Run {
    hwSession session;
    double duration;
    int64_t rowCount; // to be written
    int64_t rowsDone;
    hwStatus rowStatus; // of the last one
    hwError rowError;
    hwProgress progress;
    volatile sig_atomic_t* stop; // the run ends, with the rows so far
    char* folder;                // of results.h5; null: none
    char* folderMade;            // outermost folder that did not exist before
    char* results;               // path of the HDF5 file
    const char* csv;
    const char* mcap;      // null: none was begun
    hwSonarClouds* clouds; // sonars, for MCAP; null: none
    hwRecorder* recorders[3];
    int recorderCount;
    hwSmsOutput* sms;
    hwRanges* ranges;                    // along the cables
    const char *rangeFile, *extremeFile; // given with --ranges and --extremes, or null
    double* row;
    hwExtremes* extremes; // of the channels, over all steps
    hwExtreme* known;     // [channel] the same, once known
    bool apart;           // cables are watched one by one
    int endCount;
    EndTension* ends;
    int watchedCount;
    int *watched, *watchedChannels; // columns, and channels of the world
    double *stepValues, *values;    // [watched], [channel]
    hwRunInfo info;
    hwEnergy energy; // at the start
    hwCounters before;
    const char* save; // file of the state at the end, or null
    double turnover;  // J, most that was in motion, or had changed hands since the start, at any step
    double audit;     // share of it that the balance may be off; 0: not asked for
    double begun;
    hwCertificate certificate; // errors of its numbers, where that is asked for
} Run;

// Time of row k. Intervals such as 0.1 s are not exact in binary, but 10 rows a second are.
static double GetRowTime(const Run* run, int64_t row) {
    const hwSceneInfo* info = run->session.info;
    if (row == run->rowCount - 1) return info->start + run->duration;
    double rate = round(1 / info->interval);
    bool whole = rate >= 1 && fabs(1 / info->interval - rate) < 1e-9 * rate;
    return info->start + (whole ? (double)row / rate : (double)row * info->interval);
}

// Rows at multiples of the interval, and one at the end when that is none.
static int64_t CountRows(double duration, double interval) {
    double whole = floor(duration / interval + 1e-9);
    bool rest = duration - whole * interval > 1e-9 * interval;
    return (int64_t)whole + 1 + rest;
}

// The scene's text with a comment for each value that was set over it.
static char* NoteSets(char* text, const hwArguments* arguments) {
    if (text == NULL || arguments->setCount == 0) return text;
    size_t size = strlen(text) + 1;
    for (int i = 0; i < arguments->setCount; ++i) size += strlen(arguments->sets[i]) + 16;
    char* noted = hwCli_Allocate(NULL, size);
    size_t used = 0;
    for (int i = 0; i < arguments->setCount; ++i)
        used += (size_t)snprintf(noted + used, size - used, "# --set %s\n", arguments->sets[i]);
    snprintf(noted + used, size - used, "%s", text);
    free(text);
    return noted;
}

// results/<file's name without its ending>
static char* LoadText(const char* path) {
    FILE* file = fopen(path, "rb");
    char* text = NULL;
    size_t size = 0;
    for (size_t got = 1; file && got > 0;) {
        text = hwCli_Allocate(text, size + 65537);
        got = fread(text + size, 1, 65536, file);
        size += got;
        text[size] = 0;
    }
    if (file) fclose(file);
    return text;
}

static int AddRecorder(Run* run, const char* path, hwResultsFormat format, const hwChannelInfo* channels,
                       const char* scene) {
    hwRecorderDef def = hwDefaultRecorderDef();
    def.path = path;
    def.format = format;
    def.channelCount = run->session.channelCount;
    def.channels = channels;
    def.rooms = run->session.rooms;
    def.scene = scene;
    def.world = run->session.world;
    def.clouds = run->clouds;
    def.compression = (hwCompression)run->session.info->compression;
    def.info = run->info;
    int stations = hwRanges_GetCount(run->ranges);
    const char** cables = hwCli_Allocate(NULL, ((size_t)stations + 1) * sizeof(char*));
    for (int i = 0; i < stations; ++i) hwRanges_GetStation(run->ranges, i, &cables[i]);
    def.extremes = run->known;
    def.stationCount = stations;
    def.stations = hwRanges_GetStation(run->ranges, 0, NULL);
    def.stationCables = cables;
    hwError error;
    hwRecorder* recorder = hwCreateRecorder(&def, &error);
    free(cables);
    if (!recorder) return hwCli_PrintError(NULL, &error);
    run->recorders[run->recorderCount++] = recorder;
    return EXIT_GOOD;
}

static int OpenOutputs(Run* run, const hwArguments* arguments) {
    const hwSession* session = &run->session;
    int status = EXIT_GOOD;
    hwChannelInfo* channels = hwCli_Allocate(NULL, (size_t)session->channelCount * sizeof(hwChannelInfo));
    for (int i = 0; i < session->channelCount; ++i)
        channels[i] = hwWorld_GetChannel(session->world, session->channels[i]);
    run->csv = arguments->values[OPTION_CSV];
    const char* out = arguments->values[OPTION_OUT];
    if (run->csv) status = AddRecorder(run, run->csv, HW_RESULTS_CSV, channels, NULL);
    if (status == EXIT_GOOD && (out || !run->csv)) {
        run->folder = out ? hwCli_Copy(out) : hwCli_NameResults(session->path);
        size_t size = strlen(run->folder) + 16;
        run->results = hwCli_Allocate(NULL, size);
        snprintf(run->results, size, "%s/results.h5", run->folder);
        char* scene = NoteSets(LoadText(session->path), arguments);
        status = hwCli_MakeFolders(run->folder, &run->folderMade) && hwCli_LockFolder(run->folder)
                     ? AddRecorder(run, run->results, HW_RESULTS_HDF5, channels, scene)
                     : EXIT_USAGE;
        free(scene);
    }
    const char* mcap = arguments->values[OPTION_MCAP];
    if (status == EXIT_GOOD && mcap) {
        hwError error;
        run->clouds = hwCreateSonarClouds(session->scene, session->world, &error);
        if (!run->clouds) status = hwCli_PrintError(NULL, &error);
    }
    if (status == EXIT_GOOD && mcap) {
        status = AddRecorder(run, mcap, HW_RESULTS_MCAP, channels, NULL);
        if (status == EXIT_GOOD) run->mcap = mcap;
    }
    free(channels);
    const char* sms = arguments->values[OPTION_SMS];
    if (status == EXIT_GOOD && sms) {
        hwError error;
        run->sms = hwCreateSmsOutput(session->world, session->scene, sms, &error);
        if (!run->sms) status = hwCli_PrintError(NULL, &error);
    }
    return status;
}

// Removes what OpenOutputs has made when the run could not begin.
static void RemoveOutputs(Run* run) {
    for (int i = 0; i < run->recorderCount; ++i) hwDestroyRecorder(run->recorders[i]);
    bool csvMade = run->csv && run->recorderCount > 0 && strcmp(run->csv, "-") != 0;
    struct stat about;
    if (csvMade && stat(run->csv, &about) == 0 && S_ISREG(about.st_mode)) unlink(run->csv);
    if (run->results && run->recorderCount > (run->csv ? 1 : 0)) unlink(run->results);
    if (run->mcap) unlink(run->mcap);
    run->recorderCount = 0;
    if (!run->folderMade) return;
    // From the innermost folder outwards; folders that are not empty stay.
    char* folder = hwCli_Copy(run->folder);
    while (rmdir(folder) == 0 && strlen(folder) > strlen(run->folderMade)) {
        char* slash = strrchr(folder, '/');
        if (!slash) break;
        *slash = 0;
    }
    free(folder);
}

static void ObserveExtremes(Run* run, const hwWorld* world) {
    hwWorld_ReadChannels(world, run->watchedCount, run->watchedChannels, run->stepValues);
    for (int i = 0; i < run->watchedCount; ++i) run->values[run->watched[i]] = run->stepValues[i];
    hwExtremes_Add(run->extremes, hwWorld_GetTime(world), run->values);
}

static bool HasLimit(const hwSceneInfo* info, const char* channel) {
    for (int i = 0; i < info->limitCount; ++i)
        if (strcmp(info->limits[i].of, channel) == 0) return true;
    return false;
}

static bool StartExtremes(Run* run) {
    const hwSession* session = &run->session;
    size_t count = (size_t)session->channelCount;
    run->watched = hwCli_Allocate(NULL, count * sizeof(int));
    run->watchedChannels = hwCli_Allocate(NULL, count * sizeof(int));
    run->stepValues = hwCli_Allocate(NULL, count * sizeof(double));
    run->values = hwCli_Allocate(NULL, count * sizeof(double));
    run->known = hwCli_Allocate(NULL, count * sizeof(hwExtreme));
    int there = 0;
    for (int i = 0; i < session->channelCount; ++i) there += session->rooms[i] == 0;
    for (int i = 0; i < session->channelCount; ++i) {
        run->values[i] = (double)NAN;
        const char* name = hwWorld_GetChannel(session->world, session->channels[i]).name;
        if (session->rooms[i] > 0) continue;
        if (there > MOST_EXTREMES && strchr(name, '[') && !HasLimit(session->info, name)) continue;
        run->watched[run->watchedCount] = i;
        run->watchedChannels[run->watchedCount++] = session->channels[i];
    }
    hwError error;
    run->extremes = hwCreateExtremes(session->channelCount, &error);
    if (!run->extremes) {
        hwCli_PrintError(NULL, &error);
        return false;
    }
    hwExtremes_Get(run->extremes, run->known);
    ObserveExtremes(run, session->world);
    return true;
}

static bool IsEndTension(const char* name) {
    const char* tail = strstr(name, ".tension");
    return tail && !tail[8] && !strchr(name, '[');
}

static void NoteTurnover(Run* run) {
    hwEnergy now = hwWorld_GetEnergy(run->session.world);
    const hwEnergy* then = &run->energy;
    double moved = fabs(now.kinetic - then->kinetic) + fabs(now.potential - then->potential) +
                   fabs(now.elastic - then->elastic) + fabs(now.dissipated - then->dissipated) +
                   fabs(now.work - then->work) + fabs(now.method - then->method);
    run->turnover = fmax(run->turnover, fmax(moved, now.kinetic));
}

// After each step of the solver: a peak between two rows counts.
static void ObserveStep(const hwWorld* world, void* context) {
    Run* run = context;
    double time = hwWorld_GetTime(world);
    ObserveExtremes(run, world);
    NoteTurnover(run);
    hwRanges_Observe(run->ranges, world);
    hwProgress_Update(&run->progress, time);
}

static void ObserveCable(const hwWorld* world, hwCableId cable, void* context) {
    Run* run = context;
    double time = hwWorld_GetTime(world);
    hwRanges_ObserveCable(run->ranges, world, cable);
    for (int i = 0; i < run->endCount; ++i) {
        EndTension* end = &run->ends[i];
        if (!HW_SAME_ID(end->cable, cable)) continue;
        // what the channel shows: the load on what holds the end, not the tension of the element beside it
        hwVec3 force;
        if (hwCable_GetEndLoad(world, cable, end->end, &force, NULL, NULL) != HW_OK) continue;
        double tension = hwLength(force);
        if (tension < end->min) end->min = tension, end->minTime = time;
        if (tension > end->max) end->max = tension, end->maxTime = time;
    }
}

// The channels `cable.a.tension` and `cable.b.tension`.
static void FindEnds(Run* run) {
    const hwSession* session = &run->session;
    run->ends = hwCli_Allocate(NULL, ((size_t)session->channelCount + 1) * sizeof(EndTension));
    for (int i = 0; i < session->channelCount; ++i) {
        const char* channel = hwWorld_GetChannel(session->world, session->channels[i]).name;
        const char *a = strstr(channel, ".a.tension"), *tail = a ? a : strstr(channel, ".b.tension");
        char name[256];
        if (!tail || tail[10] || (size_t)(tail - channel) >= sizeof(name)) continue;
        memcpy(name, channel, (size_t)(tail - channel));
        name[tail - channel] = 0;
        hwCableId cable = hwWorld_FindCable(session->world, name);
        if (HW_IS_NULL(cable)) continue;
        run->ends[run->endCount++] = (EndTension){i, cable, a ? 0 : 1, HUGE_VAL, 0.0, -HUGE_VAL, 0.0};
    }
}

static void AddEnds(Run* run) {
    for (int i = 0; i < run->endCount; ++i) {
        const EndTension* end = &run->ends[i];
        hwExtreme* known = &run->known[end->column];
        if (end->min < known->min) known->min = end->min, known->minTime = end->minTime;
        if (end->max > known->max) known->max = end->max, known->maxTime = end->maxTime;
    }
}

static bool HasFreeBodies(const hwWorld* world) {
    int count = hwWorld_GetBodies(world, 0, NULL);
    hwBodyId* bodies = hwCli_Allocate(NULL, ((size_t)count + 1) * sizeof(hwBodyId));
    hwWorld_GetBodies(world, count, bodies);
    bool any = hwWorld_GetMechanisms(world, 0, NULL) > 0;
    for (int i = 0; i < count; ++i) any = any || hwBody_GetDef(world, bodies[i])->motion == HW_MOTION_FREE;
    free(bodies);
    return any;
}

static void WatchSteps(Run* run) {
    hwWorld* world = run->session.world;
    run->apart = hwWorld_GetCables(world, 0, NULL) >= MANY_CABLES && !HasFreeBodies(world);
    if (run->apart) {
        FindEnds(run);
        hwWorld_SetCableObserver(world, ObserveCable, run);
    } else {
        hwWorld_SetObserver(world, ObserveStep, run);
    }
}

static hwStatus WriteRow(Run* run, const hwWorld* world, double time, hwError* error) {
    hwWorld_ReadChannels(world, run->session.channelCount, run->session.channels, run->row);
    run->row[0] = time;
    hwStatus status = HW_OK;
    for (int i = 0; run->clouds && i < hwSonarClouds_GetCount(run->clouds) && status == HW_OK; ++i) {
        bool fresh; // the recorder knows by itself
        status = hwSonarClouds_Update(run->clouds, i, run->session.world, &fresh, error);
    }
    for (int i = 0; i < run->recorderCount && status == HW_OK; ++i) {
        status = hwRecorder_Append(run->recorders[i], 1, run->row, error);
    }
    if (status == HW_OK && run->sms) status = hwSmsOutput_Write(run->sms, world, error);
    return status;
}

// The solver's sampler: writes a row and returns the time of the next one.
static double SampleRow(const hwWorld* world, void* context) {
    Run* run = context;
    run->rowStatus = WriteRow(run, world, GetRowTime(run, run->rowsDone), &run->rowError);
    if (run->rowStatus != HW_OK) *run->stop = 1;
    if (run->apart) {
        ObserveExtremes(run, world);
        NoteTurnover(run);
        hwProgress_Update(&run->progress, hwWorld_GetTime(world));
    }
    run->rowsDone += 1;
    return run->rowStatus == HW_OK && run->rowsDone < run->rowCount ? GetRowTime(run, run->rowsDone)
                                                                    : HUGE_VAL;
}

// Runs to the end, rows being written on the way; returns the exit status.
static int StepThrough(Run* run) {
    hwWorld* world = run->session.world;
    hwError error;
    double start = hwWorld_GetTime(world), end = GetRowTime(run, run->rowCount - 1);
    hwStatus status = hwWorld_SetSampler(world, start, SampleRow, run, &error);
    if (status == HW_OK) status = hwWorld_Step(world, end - start, &error);
    hwProgress_End(&run->progress);
    if (run->rowStatus != HW_OK) {
        snprintf(run->info.status, sizeof(run->info.status), "%s", run->rowError.message);
        return hwCli_PrintError(NULL, &run->rowError);
    }
    if (status == HW_ERROR_STOPPED) {
        snprintf(run->info.status, sizeof(run->info.status), "interrupted");
        return EXIT_INTERRUPTED;
    }
    if (status < HW_OK) {
        snprintf(run->info.status, sizeof(run->info.status), "%s", error.message);
        return hwCli_PrintError(run->session.path, &error);
    }
    snprintf(run->info.status, sizeof(run->info.status), "completed");
    return EXIT_GOOD;
}

static double GetBalance(const hwEnergy* energy) {
    return energy->kinetic + energy->potential + energy->elastic + energy->dissipated + energy->method -
           energy->work;
}

// What happened to cables by itself, a line each, as far as there is room.
static void WriteIncidents(Run* run) {
    enum { MOST = 256 };
    hwIncident* list = hwCli_Allocate(NULL, MOST * sizeof(hwIncident));
    const hwWorld* world = run->session.world;
    int total = hwWorld_GetIncidents(world, MOST, list), count = total < MOST ? total : MOST;
    char* text = run->info.incidents;
    size_t size = sizeof(run->info.incidents), used = 0;
    if (total > count) used = (size_t)snprintf(text, size, "%d earlier ones\n", total - count);
    for (int i = 0; i < count && used + 160 < size; ++i) {
        if (list[i].time < run->session.info->start) continue; // in the build-up
        const char* end = list[i].end == 0 ? ".a" : list[i].end == 1 ? ".b" : "";
        used += (size_t)snprintf(text + used, size - used, "%.3f s: %s%s ", list[i].time,
                                 hwCable_GetName(world, list[i].cable), end);
        char what[80];
        switch (list[i].kind) {
        case HW_INCIDENT_SLACK:
            snprintf(what, sizeof(what), "went slack");
            break;
        case HW_INCIDENT_TAUT:
            snprintf(what, sizeof(what), "became taut, up to %.4g N", list[i].value);
            break;
        case HW_INCIDENT_PARTED:
            snprintf(what, sizeof(what), "parted at %.4g m", list[i].value);
            break;
        case HW_INCIDENT_ATTACHED:
            snprintf(what, sizeof(what), "was caught %.3g m away", list[i].value);
            break;
        case HW_INCIDENT_DETACHED:
            snprintf(what, sizeof(what), "was let go at %.4g N", list[i].value);
            break;
        }
        used += (size_t)snprintf(text + used, size - used, "%s\n", what);
    }
    free(list);
}

// A table asked for by name, or beside results.h5; null: neither.
static char* NameTable(const Run* run, const char* asked, const char* name) {
    if (asked) return hwCli_Copy(asked);
    if (!run->folder) return NULL;
    size_t size = strlen(run->folder) + strlen(name) + 2;
    char* path = hwCli_Allocate(NULL, size);
    snprintf(path, size, "%s/%s", run->folder, name);
    return path;
}

static bool WriteExtremes(const Run* run, const char* path, hwError* error) {
    const hwSession* session = &run->session;
    hwChannelInfo* channels = hwCli_Allocate(NULL, (size_t)session->channelCount * sizeof(hwChannelInfo));
    for (int i = 0; i < session->channelCount; ++i)
        channels[i] = hwWorld_GetChannel(session->world, session->channels[i]);
    hwStatus status = hwExtremes_WriteCsv(session->channelCount, channels, run->known, path, error);
    free(channels);
    return status == HW_OK;
}

// Limits of the scene beside what was reached: extremes of the channel over all steps.
static const hwExtreme* FindExtreme(const Run* run, const char* name) {
    const hwSession* session = &run->session;
    for (int i = 0; i < session->channelCount; ++i)
        if (strcmp(hwWorld_GetChannel(session->world, session->channels[i]).name, name) == 0)
            return &run->known[i];
    return NULL;
}

static void NoteLimits(Run* run) {
    const hwSceneInfo* info = run->session.info;
    for (int i = 0; i < info->limitCount; ++i) {
        const hwSceneLimit* limit = &info->limits[i];
        const hwExtreme* extreme = FindExtreme(run, limit->of);
        int channel = hwWorld_FindChannel(run->session.world, limit->of);
        const char* unit = channel >= 0 ? hwWorld_GetChannel(run->session.world, channel).unit : "";
        if (!hwRunInfo_AddLimit(&run->info, limit->of, unit, limit->min, limit->max,
                                extreme ? extreme->min : (double)NAN, extreme ? extreme->max : (double)NAN))
            fprintf(stderr, "warning: the results have no room for the limit on %s\n", limit->of);
    }
}

// Tells of limits that do not hold; returns the exit status.
static int JudgeLimits(const Run* run, int status) {
    const hwSceneInfo* info = run->session.info;
    for (int i = 0; i < info->limitCount; ++i) {
        const hwSceneLimit* limit = &info->limits[i];
        const hwExtreme* extreme = FindExtreme(run, limit->of);
        bool over = extreme && extreme->max > limit->max, under = extreme && extreme->min < limit->min;
        if (!over && !under) continue;
        int channel = hwWorld_FindChannel(run->session.world, limit->of);
        const char* unit = hwWorld_GetChannel(run->session.world, channel).unit;
        bool none = strcmp(unit, "1") == 0;
        const char *space = none ? "" : " ", *name = none ? "" : unit;
        if (over)
            hwCli_Complain(NULL, "%s reached %.5g%s%s at %.5g s; at most %g is allowed.", limit->of,
                           extreme->max, space, name, extreme->maxTime, limit->max);
        if (under)
            hwCli_Complain(NULL, "%s fell to %.5g%s%s at %.5g s; at least %g is allowed.", limit->of,
                           extreme->min, space, name, extreme->minTime, limit->min);
        if (status == EXIT_GOOD) status = EXIT_FAILED;
    }
    return status;
}

// Completes all files; the first complaint decides the exit status of a run that was good so far.
// A state from which a run begins has counted before.
static hwCounters CountSince(const hwWorld* world, const hwCounters* before) {
    hwCounters now = hwWorld_GetCounters(world);
    now.steps -= before->steps;
    now.rejected -= before->rejected;
    now.evaluations -= before->evaluations;
    now.iterations -= before->iterations;
    now.factorizations -= before->factorizations;
    now.unconverged -= before->unconverged;
    return now;
}

static int CloseOutputs(Run* run, int status) {
    hwEnergy energy = hwWorld_GetEnergy(run->session.world);
    run->info.wallTime = hwCli_GetTime() - run->begun;
    run->info.counters = CountSince(run->session.world, &run->before);
    run->info.energyError = GetBalance(&energy) - GetBalance(&run->energy);
    run->info.energyMethod = energy.method - run->energy.method;
    WriteIncidents(run);
    hwError error;
    hwExtremes_Get(run->extremes, run->known);
    AddEnds(run);
    NoteLimits(run);
    hwRanges_Finish(run->ranges);
    const hwRangeStation* stations = hwRanges_GetStation(run->ranges, 0, NULL);
    for (int i = 0; i < run->recorderCount; ++i) {
        bool good = hwRecorder_SetExtremes(run->recorders[i], run->known, &error) == HW_OK &&
                    (!stations || hwRecorder_SetStations(run->recorders[i], stations, &error) == HW_OK) &&
                    hwRecorder_Finish(run->recorders[i], &run->info, &error) == HW_OK;
        if (!good && status == EXIT_GOOD) status = hwCli_PrintError(NULL, &error);
    }
    if (run->sms && hwDestroySmsOutput(run->sms, &error) != HW_OK && status == EXIT_GOOD) {
        status = hwCli_PrintError(NULL, &error);
    }
    run->sms = NULL;
    char* path = stations ? NameTable(run, run->rangeFile, "ranges.csv") : NULL;
    if (path && hwRanges_WriteCsv(run->ranges, path, &error) != HW_OK && status == EXIT_GOOD)
        status = hwCli_PrintError(NULL, &error);
    free(path);
    if (run->extremeFile && !WriteExtremes(run, run->extremeFile, &error) && status == EXIT_GOOD)
        status = hwCli_PrintError(NULL, &error);
    return status;
}

// The same scene on finer meshes: what the numbers of this run are worth.
static int Certify(Run* run, const hwArguments* arguments) {
    const hwSession* session = &run->session;
    hwChannelInfo* channels = hwCli_Allocate(NULL, (size_t)session->channelCount * sizeof(hwChannelInfo));
    for (int i = 0; i < session->channelCount; ++i)
        channels[i] = hwWorld_GetChannel(session->world, session->channels[i]);
    hwCertifyDef def = {.path = session->path,
                        .setCount = arguments->setCount,
                        .sets = arguments->sets,
                        .reference = session->info->mode == HW_SOLVER_REFERENCE,
                        .duration = run->duration,
                        .channelCount = session->channelCount,
                        .channels = channels,
                        .extremes = run->known,
                        .ranges = run->ranges};
    int status = hwCertify(&def, &run->certificate);
    free(channels);
    char* path = status == EXIT_GOOD ? NameTable(run, NULL, "certify.csv") : NULL;
    if (path && !hwCertificate_Write(&run->certificate, path)) status = EXIT_USAGE;
    free(path);
    return status;
}

static void PrintCertificate(const Run* run, FILE* stream) {
    const hwCertificate* c = &run->certificate;
    int converged = 0, constant = 0, unknown = 0;
    for (int i = 0; i < c->count; ++i) {
        const hwConvergence* found = &c->list[i].found;
        converged += !isnan(found->order);
        constant += found->error == 0;
        unknown += isnan(found->error);
    }
    fprintf(stream, "  certified  %d numbers on meshes 1.5 and 2.25 times as fine\n", c->count);
    fprintf(stream,
            "             %d converge with an order, %d have no clear order, %d are the same on all\n",
            converged, c->count - converged - constant - unknown, constant);
    if (unknown > 0) fprintf(stream, "             %d are not on all meshes\n", unknown);
    enum { SHOWN = 12 };
    int shown = 0;
    for (int i = 0; i < c->count && shown < SHOWN; ++i) {
        const hwCertified* n = &c->list[i];
        bool tension = n->channel >= 0 && IsEndTension(n->object) && n->kind == 1;
        if (!tension && n->channel >= 0) continue;
        fprintf(stream, "             %s: %.5g +- %.2g", n->name, n->values[0], n->found.error);
        if (n->channel >= 0) fprintf(stream, " %s", n->unit);
        if (isnan(n->found.order)) {
            fputs(n->found.error == 0 ? "\n" : ", no clear order\n", stream);
        } else {
            fprintf(stream, ", order %.1f\n", n->found.order);
        }
        shown += 1;
    }
}

// beside results.h5, or FILE.html beside FILE.csv
static int WriteReport(const Run* run, char** page) {
    const char* from = run->results ? run->results : run->csv;
    const char* slash = strrchr(from, '/');
    const char* dot = strrchr(slash ? slash : from, '.');
    size_t stem = run->results ? strlen(run->folder) : dot ? (size_t)(dot - from) : strlen(from);
    *page = hwCli_Allocate(NULL, stem + 16);
    snprintf(*page, stem + 16, "%.*s%s", (int)stem, from, run->results ? "/report.html" : ".html");
    hwError error;
    hwResults* results = hwOpenResults(from, &error);
    bool good = results && hwResults_WriteReport(results, *page, &error) == HW_OK;
    hwCloseResults(results);
    return good ? EXIT_GOOD : hwCli_PrintError(NULL, &error);
}

static void PrintSolver(const Run* run, FILE* stream, double span) {
    const hwCounters* counters = &run->info.counters;
    fprintf(stream, "  solver     %s, %llu steps", run->info.solver, (unsigned long long)counters->steps);
    if (counters->rejected > 0) fprintf(stream, ", %llu repeated", (unsigned long long)counters->rejected);
    if (counters->unconverged > 0)
        fprintf(stream, ", %llu not converged", (unsigned long long)counters->unconverged);
    if (counters->steps > 0)
        fprintf(stream, "; %.3g ms each on average", 1e3 * span / (double)counters->steps);
    fputc('\n', stream);
}

static void PrintEnergy(const Run* run, FILE* stream) {
    fprintf(stream, "  energy     balance off by %.2g J", run->info.energyError);
    if (run->turnover > 0)
        fprintf(stream, ", %.1g of the %.3g J in motion or changing hands",
                fabs(run->info.energyError) / run->turnover, run->turnover);
    if (run->info.energyMethod != 0.0)
        fprintf(stream, "; the solver's steps %s %.2g J", run->info.energyMethod > 0.0 ? "damped" : "put in",
                fabs(run->info.energyMethod));
    fputc('\n', stream);
}

// Tells of a balance that is off by too much, and of steps that damp too much; returns the exit status.
static int JudgeEnergy(const Run* run, int status) {
    hwEnergy now = hwWorld_GetEnergy(run->session.world);
    double stored = fabs(now.kinetic) + fabs(now.potential) + fabs(now.elastic);
    double allowed = run->audit > 0 ? run->audit : g_auditWarning;
    double most = allowed * run->turnover + g_auditRounding * stored;
    double off = fabs(run->info.energyError), damped = fabs(run->info.energyMethod);
    const char* whose = run->audit > 0 ? "was asked for" : "is told";
    if (off > most)
        hwCli_Complain(
            run->info.energyError < 0
                ? "What is missing is more than the solver's steps damp: a force whose work is not booked, "
                  "or steps too "
                  "long for it. Shorter steps (solver: tolerance) or --solver reference tell which."
                : "Energy was gained that no force put in. Shorter steps (solver: tolerance) or --solver "
                  "reference tell "
                  "whether the steps or a force are to blame.",
            "The energy balance is off by %.2g J, %.2g of the %.3g J in motion or changing hands; %g %s.",
            run->info.energyError, off / run->turnover, run->turnover, allowed, whose);
    if (damped > most)
        hwCli_Complain("Motion that is faster than the steps is not followed. Shorter steps (solver: "
                       "tolerance) or --solver "
                       "reference follow it; the channel world.energy.method shows when.",
                       "The solver's steps %s %.2g J, %.2g of the %.3g J in motion or changing hands; %g %s.",
                       run->info.energyMethod > 0.0 ? "damped" : "put in", damped, damped / run->turnover,
                       run->turnover, allowed, whose);
    if (off <= most && damped <= most) return status;
    return status == EXIT_GOOD && run->audit > 0 ? EXIT_FAILED : status;
}

// The first few lines; the report has all.
static void PrintIncidents(const Run* run, FILE* stream) {
    enum { SHOWN = 12 };
    int count = 0;
    for (const char* line = run->info.incidents; *line != 0; ++count) {
        size_t length = strcspn(line, "\n");
        if (count < SHOWN)
            fprintf(stream, "  %s%.*s\n", count == 0 ? "incidents  " : "           ", (int)length, line);
        line += length + (line[length] == '\n');
    }
    if (count > SHOWN) fprintf(stream, "             and %d more, see the report\n", count - SHOWN);
}

// How much of what each cable bears was used: tension over break, bending over the least radius.
static void PrintUse(const Run* run, FILE* stream) {
    int count = hwRanges_GetCount(run->ranges);
    for (int first = 0, next; first < count; first = next) {
        const char *name, *other;
        double tension = 0, tensionAt = 0, bend = 0, bendAt = 0, damage = 0, damageAt = 0, time = 0;
        hwRanges_GetStation(run->ranges, first, &name);
        for (next = first; next < count; ++next) {
            const hwRangeStation* s = hwRanges_GetStation(run->ranges, next, &other);
            if (strcmp(name, other) != 0) break;
            if (s->tensionMax / s->breakTension > tension) {
                tension = s->tensionMax / s->breakTension;
                tensionAt = s->arc;
            }
            if (s->curvatureMax * s->bendRadius > bend) {
                bend = s->curvatureMax * s->bendRadius;
                bendAt = s->arc;
            }
            if (s->damage > damage) {
                damage = s->damage;
                damageAt = s->arc;
                time = s->time;
            }
        }
        if (tension > 0)
            fprintf(stream, "  %s: tension up to %.3g of break, at %.4g m\n", name, tension, tensionAt);
        if (bend > 0)
            fprintf(stream, "  %s: curvature up to %.3g of what bend_radius allows, at %.4g m\n", name, bend,
                    bendAt);
        if (damage > 0)
            fprintf(stream, "  %s: fatigue damage up to %.3g in %.4g s, at %.4g m; %.3g years at this rate\n",
                    name, damage, time, damageAt, time / damage / (365.25 * 86400));
    }
}

static void PrintLimits(const Run* run, FILE* stream) {
    const hwSceneInfo* info = run->session.info;
    for (int i = 0; i < info->limitCount; ++i) {
        const hwSceneLimit* limit = &info->limits[i];
        const hwExtreme* extreme = FindExtreme(run, limit->of);
        bool known = extreme && !isnan(extreme->max);
        bool held = known && !(extreme->max > limit->max) && !(extreme->min < limit->min);
        fprintf(stream, "  limit      %s", limit->of);
        if (!isnan(limit->min))
            fprintf(stream, ", at least %g: %.5g", limit->min, known ? extreme->min : (double)NAN);
        if (!isnan(limit->max))
            fprintf(stream, ", at most %g: %.5g", limit->max, known ? extreme->max : (double)NAN);
        fputs(held ? ", holds\n" : known ? ", DOES NOT HOLD\n" : ", not known\n", stream);
    }
}

static void PrintSummary(const Run* run, FILE* stream, const char* page) {
    const hwSceneInfo* info = run->session.info;
    int64_t rows = run->recorderCount ? hwRecorder_GetRowCount(run->recorders[0]) : 0;
    double span = rows > 0 ? GetRowTime(run, rows - 1) - info->start : 0;
    bool done = strcmp(run->info.status, "completed") == 0;
    fprintf(stream, "%s: %s\n", info->name,
            done                                           ? "completed"
            : strcmp(run->info.status, "interrupted") == 0 ? "interrupted; all rows so far are kept"
                                                           : "ended early; all rows so far are kept");
    double speed = run->info.wallTime > 0 ? span / run->info.wallTime : 0;
    fprintf(stream, "  simulated  %g s%s in %.3g s, %.*f times real time\n", span, done ? "" : " so far",
            run->info.wallTime, speed < 10 ? 2 : 0, speed);
    if (info->buildUp > 0)
        fprintf(stream, "  build-up   %g s before that, not in any number below\n", info->buildUp);
    for (int i = 0; i < info->estimateCount; ++i)
        fprintf(stream, "  %s %s\n", i == 0 ? "estimated " : "          ", info->estimates[i]);
    int columns =
        run->recorderCount ? hwRecorder_GetChannelCount(run->recorders[0]) : run->session.channelCount;
    fprintf(stream, "  rows       %lld of %d channels\n", (long long)rows, columns);
    PrintSolver(run, stream, span);
    PrintEnergy(run, stream);
    enum { SHOWN = 16 };
    for (int i = 0, shown = 0; i < run->session.channelCount && shown < SHOWN; ++i) {
        const char* name = hwWorld_GetChannel(run->session.world, run->session.channels[i]).name;
        const hwExtreme* extreme = &run->known[i];
        if (!IsEndTension(name) || isnan(extreme->min)) continue;
        fprintf(stream, "  %s: %.5g N at %g s to %.5g N at %g s\n", name, extreme->min, extreme->minTime,
                extreme->max, extreme->maxTime);
        shown += 1;
    }
    PrintUse(run, stream);
    PrintLimits(run, stream);
    if (run->certificate.count > 0) PrintCertificate(run, stream);
    PrintIncidents(run, stream);
    if (run->results) fprintf(stream, "  results    %s\n", run->results);
    if (run->csv && strcmp(run->csv, "-") != 0) fprintf(stream, "  csv        %s\n", run->csv);
    if (run->save) fprintf(stream, "  state      %s\n", run->save);
    if (page) fprintf(stream, "  report     %s\n", page);
}

static int Execute(Run* run, const hwArguments* arguments) {
    const hwSceneInfo* info = run->session.info;
    bool quiet = arguments->values[OPTION_QUIET] != NULL;
    run->info = hwDefaultRunInfo();
    snprintf(run->info.title, sizeof(run->info.title), "%s", info->name);
    snprintf(run->info.solver, sizeof(run->info.solver), "%s",
             info->mode == HW_SOLVER_REFERENCE ? "reference" : "realtime");
    run->info.interval = info->interval;
    run->info.start = info->start;
    run->info.duration = run->duration;
    if (info->mode != HW_SOLVER_REFERENCE) hwScene_UseRunSolver(run->session.world);
    hwError error;
    if (hwWorld_BuildUp(run->session.world, &error) != HW_OK) return hwCli_PrintError(NULL, &error);
    run->before = hwWorld_GetCounters(run->session.world);
    run->energy = hwWorld_GetEnergy(run->session.world);
    if (!StartExtremes(run)) return EXIT_FAILED;
    run->ranges = hwCreateRanges(run->session.world, &error);
    if (!run->ranges) return hwCli_PrintError(NULL, &error);
    hwRanges_Observe(run->ranges, run->session.world);
    run->rangeFile = arguments->values[OPTION_RANGES];
    run->extremeFile = arguments->values[OPTION_EXTREMES];
    WatchSteps(run);
    int status = OpenOutputs(run, arguments);
    if (status != EXIT_GOOD) {
        RemoveOutputs(run);
        return status;
    }
    run->begun = hwCli_GetTime();
    hwProgress_Begin(&run->progress, info->start, info->start + run->duration, !quiet);
    status = StepThrough(run);
    status = CloseOutputs(run, status);
    run->save = status == EXIT_GOOD ? arguments->values[OPTION_SAVE] : NULL;
    if (run->save && hwWorld_WriteState(run->session.world, run->save, &error) != HW_OK)
        status = hwCli_PrintError(NULL, &error);
    if (arguments->values[OPTION_CERTIFY] && status == EXIT_GOOD) status = Certify(run, arguments);
    char* page = NULL;
    bool reportable = run->results || strcmp(run->csv, "-") != 0;
    if (arguments->values[OPTION_REPORT] && reportable) {
        int written = WriteReport(run, &page);
        if (status == EXIT_GOOD) status = written;
        if (written != EXIT_GOOD) {
            free(page);
            page = NULL;
        }
    }
    bool toError = status != EXIT_GOOD || (run->csv && strcmp(run->csv, "-") == 0);
    if (!quiet) PrintSummary(run, toError ? stderr : stdout, page);
    status = JudgeLimits(run, JudgeEnergy(run, status));
    free(page);
    return status;
}

static int RunRun(const hwArguments* arguments) {
    Run run = {0};
    const char* duration = arguments->values[OPTION_DURATION];
    if (duration && !hwCli_ParsePositive("duration", duration, &run.duration)) return EXIT_USAGE;
    const char* audit = arguments->values[OPTION_AUDIT];
    if (audit && !hwCli_ParsePositive("audit", audit, &run.audit)) return EXIT_USAGE;
    int status = hwSession_Open(&run.session, &(hwSessionDef){.path = arguments->operands[0],
                                                              .solver = arguments->values[OPTION_SOLVER],
                                                              .channels = arguments->values[OPTION_CHANNELS],
                                                              .setCount = arguments->setCount,
                                                              .sets = arguments->sets});
    if (status != EXIT_GOOD) return status;
    run.stop = hwCli_CatchSignals();
    const hwSceneInfo* info = run.session.info;
    if (!duration) run.duration = info->duration;
    if (run.duration / info->interval < 1e15) {
        run.rowCount = CountRows(run.duration, info->interval);
        run.row = hwCli_Allocate(NULL, (size_t)run.session.channelCount * sizeof(double));
        status = Execute(&run, arguments);
    } else {
        hwCli_Complain(NULL, "%g s in steps of %g s are more rows than can be written.", run.duration,
                       info->interval);
        status = EXIT_USAGE;
    }
    if (run.sms) hwDestroySmsOutput(run.sms, NULL);
    for (int i = 0; i < run.recorderCount; ++i) hwDestroyRecorder(run.recorders[i]);
    hwDestroySonarClouds(run.clouds);
    hwCertificate_Free(&run.certificate);
    hwDestroyRanges(run.ranges);
    hwDestroyExtremes(run.extremes);
    free(run.ends);
    free(run.known);
    free(run.watched);
    free(run.watchedChannels);
    free(run.stepValues);
    free(run.values);
    free(run.row);
    free(run.folder);
    free(run.folderMade);
    free(run.results);
    hwSession_Close(&run.session);
    return status;
}

const hwCommand hwCommand_Run = {
    .name = "run",
    .operands = "SCENE",
    .minOperands = 1,
    .maxOperands = 1,
    .summary = "Run a scene and write its results",
    .details =
        "Rows are written at multiples of the scene's output interval, the last one at the end. A run "
        "that is\n"
        "interrupted (Ctrl-C), fails or is killed keeps the rows so far. Extremes in the summary are those "
        "of\n"
        "all steps of the solver. An energy balance that is off by more than 5 % is told with --quiet too.\n",
    .options = g_options,
    .run = RunRun,
};
