// The trainer's load: a BlueROV2 Heavy on 150 m of tether in the complex area, flown by a script.
#define _XOPEN_SOURCE 700
#include "bench/bench.h"

#include "apps/server/catalog.h"
#include "apps/server/frame.h"
#include "hawser/flight.h"

#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define STEP (1.0 / 60.0)
#define SPAN 60.0       // s of flight
#define WAVE_PERIOD 6.0 // s

// Time of the processor, s: other programs on the machine do not count.
static double GetWork(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// The scene that the server makes for these wishes, with the vehicle at 90 % of the tether from the boat, behind pier and jacket, in
// waves of a height, m. The caller frees the text.
static char* Compose(hwWebCatalog* catalog, double out, double waves, hwError* error) {
    if (!hwWebCatalog_Init(catalog, NULL, error)) return NULL;
    hwWebFlightOptions options = catalog->defaults;
    snprintf(options.vehicle, sizeof(options.vehicle), "bluerov2_heavy");
    snprintf(options.surroundings, sizeof(options.surroundings), "complex_area");
    options.handler = HANDLER_HOLD;
    options.tetherLength = options.tetherOut = out;
    options.waveHeight = waves;
    options.wavePeriod = WAVE_PERIOD;
    for (int i = 0; i < catalog->surroundingCount; ++i) {
        if (strcmp(catalog->surroundings[i].name, options.surroundings) != 0) continue;
        catalog->surroundings[i].trainer.spawn = hwMakeVec3(0.85 * out, 0.3 * out, -8.0);
    }
    return hwWebCatalog_ComposeFlight(catalog, &options);
}

static hwWorld* MakeWorld(double out, double waves, char** text, hwError* error) {
    hwWebCatalog catalog;
    *text = Compose(&catalog, out, waves, error);
    hwScene* scene = *text != NULL ? hwParseScene(*text, strlen(*text), "trainer", NULL, error) : NULL;
    hwWorld* world = scene != NULL ? hwScene_CreateWorld(scene, NULL, error) : NULL;
    hwDestroyScene(scene);
    hwWebCatalog_Free(&catalog);
    return world;
}

// The script: armed in depth hold, all axes moving, a current.
typedef struct Pilot {
    int axes[4];
} Pilot;

static void Set(hwWorld* world, const char* name, double value) {
    hwWorld_SetInput(world, hwWorld_FindInput(world, name), value, NULL);
}

static Pilot TakeOver(hwWorld* world) {
    Set(world, "rov.armed", 1.0);
    Set(world, "rov.mode", HW_MODE_DEPTH_HOLD);
    Set(world, "rov.gain", 1.0);
    Set(world, "environment.current.y", 0.15);
    Pilot pilot = {{hwWorld_FindInput(world, "rov.pilot.surge"), hwWorld_FindInput(world, "rov.pilot.sway"),
                    hwWorld_FindInput(world, "rov.pilot.heave"), hwWorld_FindInput(world, "rov.pilot.yaw")}};
    return pilot;
}

static void Steer(const Pilot* pilot, hwWorld* world, double t, double* axes) {
    axes[0] = 0.8 * sin(0.31 * t);
    axes[1] = 0.4 * sin(0.17 * t + 1.0);
    axes[2] = 0.3 * sin(0.23 * t);
    axes[3] = 0.5 * sin(0.41 * t + 2.0);
    if (world == NULL) return;
    for (int i = 0; i < 4; ++i) hwWorld_SetInput(world, pilot->axes[i], axes[i], NULL);
}

// Flown by the script, or where there are waves held in place.
static void MeasureHeadless(hwBenchContext* context, const char* name, double out, double waves,
                            double least) {
    hwError error;
    char* text = NULL;
    hwWorld* world = MakeWorld(out, waves, &text, &error);
    free(text);
    if (world == NULL) {
        hwBench_AddError(context, name, &error);
        return;
    }
    Pilot pilot = TakeOver(world);
    if (waves > 0.0) Set(world, "rov.mode", HW_MODE_STATION);
    double start = GetWork(), axes[4];
    hwStatus status = HW_OK;
    for (int i = 0; i < (int)(SPAN / STEP) && status >= HW_OK; ++i) {
        if (!(waves > 0.0)) Steer(&pilot, world, i * STEP, axes);
        status = hwWorld_Step(world, STEP, &error);
    }
    double spent = GetWork() - start;
    hwCounters counters = hwWorld_GetCounters(world);
    hwDestroyWorld(world);
    if (status < HW_OK) {
        hwBench_AddError(context, name, &error);
        return;
    }
    hwBenchRow row = hwDefaultBenchRow();
    char note[160];
    row.name = name;
    row.value = SPAN / spent;
    row.unit = "times real time";
    row.moreIsBetter = true;
    double frames = SPAN / STEP;
    snprintf(note, sizeof(note),
             "headless, one core; a frame of 1/60 s: %.2f evaluations, %.2f steps, %.2f repeated%s%.0f",
             (double)counters.evaluations / frames, (double)counters.steps / frames,
             (double)counters.rejected / frames, least > 0.0 ? "; wanted: " : "", least > 0.0 ? least : 0.0);
    if (!(least > 0.0)) note[strlen(note) - 1] = 0;
    row.note = note;
    hwBench_AddRow(context, &row);
}

static void Headless(hwBenchContext* context) {
    MeasureHeadless(context, "trainer.speed, 150 m of tether", 150.0, 0.0, 100.0);
    MeasureHeadless(context, "trainer.speed, 150 m of tether, hovering in 2 m waves", 150.0, 2.0, 100.0);
    MeasureHeadless(context, "trainer.speed, 40 m of tether", 40.0, 0.0, 50.0);
}

// One pilot of the server: real time by a clock of our own, frames at 30 Hz, everything recorded.
typedef struct Load {
    double clock;
    hwWebFrameMap* map;
    hwFlightWriter* writer;
    double* values;
    uint8_t* frame;
    size_t largest;
    uint32_t frames;
} Load;

static double ReadClock(void* context) {
    return ((Load*)context)->clock;
}

static void OnStep(hwLive* live, void* context) {
    Load* load = context;
    hwFlightWriter_AddStep(load->writer, hwLive_GetWorld(live), hwLive_GetStatus(live).steps);
}

static void OnInput(hwLive* live, const hwInputEvent* event, void* context) {
    hwFlightWriter_AddInput(((Load*)context)->writer, hwLive_GetWorld(live), event);
}

static void OnFrame(hwLive* live, void* context) {
    Load* load = context;
    const hwWorld* world = hwLive_GetWorld(live);
    hwWebFrameMap_Read(load->map, world, load->values);
    hwWebFrameHead head = {.time = hwWorld_GetTime(world), .number = load->frames, .speed = 1.0};
    size_t size = hwWebFrameMap_Encode(load->map, &head, load->values, load->frame, FRAME_MOST_BYTES);
    if (size > load->largest) load->largest = size;
    load->frames += 1;
}

static int RemoveOne(const char* path, const struct stat* info, int type, struct FTW* walk) {
    (void)info;
    (void)type;
    (void)walk;
    return remove(path);
}

// Flies and returns the processor's seconds per second of flight; NaN and `error` on failure.
static double FlyLive(hwLive* live, Load* load, double* axes) {
    Pilot pilot = TakeOver(hwLive_GetWorld(live));
    double start = GetWork();
    while (load->clock < SPAN) {
        Steer(&pilot, NULL, load->clock, axes);
        hwLive_SetInputs(live, 4, pilot.axes, axes, load->clock);
        hwLive_Poll(live);
        load->clock += 0.5 * STEP;
    }
    return (GetWork() - start) / SPAN;
}

static bool StartLoad(Load* load, hwWorld* world, const char* text, const char* folder, hwLive** live,
                      hwError* error) {
    hwWebChannelSource source = hwWebChannelSource_FromWorld(world);
    load->map = hwWebFrameMap_Create(world, &source);
    load->values = malloc((size_t)(hwWebFrameMap_GetChannelCount(load->map) + 1) * sizeof(double));
    load->frame = malloc(FRAME_MOST_BYTES);
    hwFlightDef flight = hwDefaultFlightDef();
    flight.folder = folder;
    flight.scene = text;
    snprintf(flight.info.id, sizeof(flight.info.id), "bench");
    load->writer = hwCreateFlightWriter(&flight, world, error);
    if (load->writer == NULL) return false;
    hwLiveDef def = hwDefaultLiveDef();
    def.world = world;
    def.step = STEP;
    def.clock = ReadClock;
    def.clockContext = def.context = load;
    def.onStep = OnStep;
    def.onInput = OnInput;
    def.onFrame = OnFrame;
    *live = hwCreateLive(&def, error);
    return *live != NULL;
}

static void Pilots(hwBenchContext* context) {
    const char* name = "trainer.pilot, 150 m of tether";
    char folder[] = "/tmp/hawser-bench-XXXXXX";
    hwError error = {0};
    char* text = NULL;
    double axes[4], share = (double)NAN;
    Load load = {0};
    hwLive* live = NULL;
    hwWorld* world = MakeWorld(150.0, 0.0, &text, &error);
    bool good =
        world != NULL && mkdtemp(folder) != NULL && StartLoad(&load, world, text, folder, &live, &error);
    if (good) share = FlyLive(live, &load, axes);
    good = good && !hwLive_GetStatus(live).failed;
    if (live != NULL && !good) error = *hwLive_GetError(live);
    hwDestroyFlightWriter(load.writer);
    if (live == NULL) hwDestroyWorld(world);
    hwDestroyLive(live);
    hwWebFrameMap_Free(load.map);
    free(load.values);
    free(load.frame);
    free(text);
    nftw(folder, RemoveOne, 8, FTW_DEPTH | FTW_PHYS);
    if (!good) {
        hwBench_AddError(context, name, &error);
        return;
    }
    hwBenchRow row = hwDefaultBenchRow();
    char note[160];
    row.name = name;
    row.value = 100.0 * share;
    row.unit = "% of a core";
    snprintf(note, sizeof(note), "real time, recorded, %u frames of at most %zu bytes; wanted: below 10",
             load.frames, load.largest);
    row.note = note;
    hwBench_AddRow(context, &row);
}

const hwBench hwTrainerBenches[] = {
    {"trainer.speed", "A BlueROV2 Heavy on a tether in the complex area, as fast as it goes.", Headless},
    {"trainer.pilot", "What one pilot takes of a core in the server at real time.", Pilots},
    {NULL, NULL, NULL},
};
