// Flights on disk: written, listed, read, replayed; rewound; killed; on a full disk.
#define _XOPEN_SOURCE 700
#include "live_rig.h"

#include "hawser/flight.h"

#include <ftw.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER HAWSER_BINARY_DIR "/test/flights"

static int RemoveOne(const char* path, const struct stat* info, int type, struct FTW* walk) {
    (void)info;
    (void)type;
    (void)walk;
    return remove(path);
}

static int Clean(void** state) {
    (void)state;
    nftw(FOLDER, RemoveOne, 8, FTW_DEPTH | FTW_PHYS);
    return 0;
}

typedef struct Pilot {
    Rig rig;
    hwFlightWriter* writer;
} Pilot;

static void OnStep(hwLive* live, void* context) {
    Pilot* pilot = context;
    hwFlightWriter_AddStep(pilot->writer, hwLive_GetWorld(live), hwLive_GetStatus(live).steps);
}

static void OnInput(hwLive* live, const hwInputEvent* event, void* context) {
    hwFlightWriter_AddInput(((Pilot*)context)->writer, hwLive_GetWorld(live), event);
}

static void OnChange(hwLive* live, hwLiveChange change, void* context) {
    if (change != HW_LIVE_REWOUND) return;
    size_t count;
    const hwInputEvent* log = hwLive_GetLog(live, &count);
    hwFlightWriter_Rewind(((Pilot*)context)->writer, hwLive_GetWorld(live), hwLive_GetStatus(live).steps,
                          count, log);
}

static hwFlightDef MakeDef(const char* id) {
    hwFlightDef def = hwDefaultFlightDef();
    def.folder = FOLDER;
    def.scene = g_scene;
    def.options = "{\"visibility\": 8}";
    snprintf(def.info.id, sizeof(def.info.id), "%s", id);
    snprintf(def.info.title, sizeof(def.info.title), "first \"dive\"");
    snprintf(def.info.vehicle, sizeof(def.info.vehicle), "bluerov2_heavy");
    return def;
}

static void Begin(Pilot* pilot, const char* id) {
    memset(pilot, 0, sizeof(*pilot));
    hwWorld* world = MakeWorld(g_scene);
    hwFlightDef flight = MakeDef(id);
    hwError error;
    pilot->writer = hwCreateFlightWriter(&flight, world, &error);
    if (pilot->writer == NULL) fail_msg("%s", error.message);
    hwLiveDef def = RigDef(&pilot->rig, world);
    def.onStep = OnStep;
    def.onInput = OnInput;
    def.onChange = OnChange;
    def.onFrame = NULL;
    def.context = pilot;
    pilot->rig.live = hwCreateLive(&def, &error);
    assert_non_null(pilot->rig.live);
}

static void Fly(Pilot* pilot) {
    Set(&pilot->rig, "rov.pilot.surge", 0.6);
    RunClock(&pilot->rig, 1.1);
    Set(&pilot->rig, "rov.pilot.yaw", -1.0 / 3.0);
    Set(&pilot->rig, "rov.mode", HW_MODE_HOLD);
    RunClock(&pilot->rig, 1.1);
}

static void End(Pilot* pilot) {
    hwDestroyFlightWriter(pilot->writer);
    FreeRig(&pilot->rig);
}

static hwStatus Finish(Pilot* pilot, hwError* error) {
    return hwFlightWriter_Finish(pilot->writer, hwLive_GetWorld(pilot->rig.live),
                                 hwLive_GetStatus(pilot->rig.live).steps, NULL, error);
}

static uint64_t ReplayHash(const hwFlight* flight) {
    hwError error;
    hwWorld* world = hwFlight_CreateWorld(flight, &error);
    if (world == NULL) fail_msg("%s", error.message);
    const hwFlightInfo* info = hwFlight_GetInfo(flight);
    size_t count;
    hwInputEvent* log = hwFlight_ResolveLog(flight, world, info->steps, &count, &error);
    if (log == NULL) fail_msg("%s", error.message);
    assert_int_equal(hwReplayInputs(world, info->step, info->steps, count, log, NULL, NULL, &error), HW_OK);
    uint64_t hash = hwHashFlight(world);
    free(log);
    hwDestroyWorld(world);
    return hash;
}

static void test_FlightIsReadAndReplayed(void** state) {
    (void)state;
    Pilot pilot;
    hwError error;
    Begin(&pilot, "20260101-000000-aa");
    Fly(&pilot);
    hwFlightWriter_AddMark(pilot.writer, 1.5, "info", "saw an anode");
    uint64_t hash = hwHashFlight(hwLive_GetWorld(pilot.rig.live));
    assert_int_equal(Finish(&pilot, &error), HW_OK);
    End(&pilot);
    hwFlight* flight = hwLoadFlight(FOLDER "/20260101-000000-aa/", &error);
    if (flight == NULL) fail_msg("%s", error.message);
    const hwFlightInfo* info = hwFlight_GetInfo(flight);
    assert_string_equal(info->id, "20260101-000000-aa");
    assert_string_equal(info->title, "first \"dive\"");
    assert_string_equal(info->status, "completed");
    assert_true(info->hashed && info->hash == hash && info->bytes > 1000);
    assert_int_equal(info->steps, 132);
    assert_string_equal(hwFlight_GetOptions(flight), "{\"visibility\":8}");
    assert_non_null(strstr(hwFlight_GetMarks(flight), "anode"));
    assert_true(ReplayHash(flight) == hash);
    hwDestroyFlight(flight);
    // the rows: the start, and then each tenth of a second
    hwResults* results = hwOpenResults(FOLDER "/20260101-000000-aa/results.h5", &error);
    assert_non_null(results);
    assert_int_equal(hwResults_GetRowCount(results), 23);
    assert_true(hwResults_FindChannel(results, "rov.depth") > 0);
    assert_int_equal(hwResults_FindChannel(results, "rov.acceleration.x"), -1);
    assert_string_equal(hwResults_GetScene(results), g_scene);
    hwCloseResults(results);
}

typedef struct Comparison {
    hwResults* results;
    int count, *channels;
    unsigned char* rounding;
    double *recorded, *flown;
    int rows;
} Comparison;

static bool CompareRow(hwWorld* world, uint64_t step, void* context) {
    Comparison* c = context;
    hwError error;
    if (step % 6 != 0) return true;
    hwReadFlightRow(world, c->count, c->channels, c->rounding, c->flown);
    assert_int_equal(hwResults_ReadRows(c->results, (int64_t)(step / 6), 1, c->recorded, &error), HW_OK);
    for (int i = 0; i < c->count; ++i) {
        if (isnan(c->flown[i]) && isnan(c->recorded[i])) continue;
        if (memcmp(&c->flown[i], &c->recorded[i], sizeof(double)) != 0)
            fail_msg("%s at step %llu: %.17g instead of %.17g", hwResults_GetChannel(c->results, i).name,
                     (unsigned long long)step, c->recorded[i], c->flown[i]);
    }
    c->rows += 1;
    return true;
}

// Flown again, a recording's rows come back with every bit, also through compression.
static void test_RowsAreThoseOfTheFlight(void** state) {
    (void)state;
    Pilot pilot;
    hwError error;
    Begin(&pilot, "20260110-000000-aa");
    Fly(&pilot);
    assert_int_equal(Finish(&pilot, &error), HW_OK);
    End(&pilot);
    hwFlight* flight = hwLoadFlight(FOLDER "/20260110-000000-aa", &error);
    assert_non_null(flight);
    hwWorld* world = hwFlight_CreateWorld(flight, &error);
    assert_non_null(world);
    const hwFlightInfo* info = hwFlight_GetInfo(flight);
    size_t logCount, room = (size_t)hwWorld_GetChannelCount(world);
    hwInputEvent* log = hwFlight_ResolveLog(flight, world, info->steps, &logCount, &error);
    Comparison c = {.results = hwOpenResults(FOLDER "/20260110-000000-aa/results.h5", &error),
                    .channels = calloc(room, sizeof(int)),
                    .rounding = calloc(room, 1),
                    .recorded = calloc(room, sizeof(double)),
                    .flown = calloc(room, sizeof(double))};
    assert_non_null(c.results);
    c.count = hwSelectFlightChannels(world, c.channels);
    hwGetFlightRounding(world, c.count, c.channels, c.rounding);
    assert_int_equal(c.count, hwResults_GetChannelCount(c.results));
    assert_int_equal(hwReplayInputs(world, info->step, info->steps, logCount, log, CompareRow, &c, &error),
                     HW_OK);
    assert_int_equal(c.rows, 22);
    // a rounded row stays as it is, and is off by half a unit of its kind at most
    double exact, rounded;
    int depth = hwWorld_FindChannel(world, "rov.depth");
    hwGetFlightRounding(world, 1, &depth, c.rounding);
    hwWorld_ReadChannels(world, 1, &depth, &exact);
    hwReadFlightRow(world, 1, &depth, c.rounding, &rounded);
    assert_close(rounded, exact, fabs(exact) * 0x1p-24);
    double again = rounded;
    hwRoundFlightRow(1, c.rounding, &again);
    assert_true(again == rounded);
    free(log);
    free(c.channels);
    free(c.rounding);
    free(c.recorded);
    free(c.flown);
    hwCloseResults(c.results);
    hwDestroyWorld(world);
    hwDestroyFlight(flight);
}

static void test_ListIsNewestFirst(void** state) {
    (void)state;
    const char* const ids[] = {"20260102-000000-aa", "20260104-000000-aa", "20260103-000000-aa"};
    for (int i = 0; i < 3; ++i) {
        Pilot pilot;
        Begin(&pilot, ids[i]);
        if (i > 0) Finish(&pilot, NULL);
        End(&pilot);
    }
    mkdir(FOLDER "/not-a-flight", 0777);
    hwFlightInfo infos[10];
    int count = hwListFlights(FOLDER, 10, infos);
    assert_true(count >= 3);
    assert_string_equal(infos[0].id, ids[1]);
    assert_string_equal(infos[1].id, ids[2]);
    assert_string_equal(infos[2].id, ids[0]);
    assert_string_equal(infos[2].status, "flying"); // was never finished
    assert_int_equal(hwListFlights(FOLDER, 0, NULL), count);
    assert_int_equal(hwListFlights(FOLDER "/nowhere", 10, infos), 0);
}

static void test_RewoundFlightReplays(void** state) {
    (void)state;
    Pilot pilot;
    hwError error;
    Begin(&pilot, "20260105-000000-aa");
    Fly(&pilot);
    Fly(&pilot);
    hwLive_Rewind(pilot.rig.live, 1.25);
    hwLive_Pause(pilot.rig.live, false);
    Set(&pilot.rig, "rov.pilot.sway", 0.9);
    RunClock(&pilot.rig, 1.0);
    assert_int_equal(Finish(&pilot, &error), HW_OK);
    End(&pilot);
    hwFlight* flight = hwLoadFlight(FOLDER "/20260105-000000-aa", &error);
    assert_non_null(flight);
    assert_true(ReplayHash(flight) == hwFlight_GetInfo(flight)->hash);
    hwDestroyFlight(flight);
    hwResults* results = hwOpenResults(FOLDER "/20260105-000000-aa/results.h5", &error);
    assert_non_null(results);
    double before = -1.0;
    double* row = calloc((size_t)hwResults_GetChannelCount(results), sizeof(double));
    for (int64_t i = 0; i < hwResults_GetRowCount(results); ++i) {
        assert_int_equal(hwResults_ReadRows(results, i, 1, row, &error), HW_OK);
        assert_true(row[0] > before);
        assert_true(row[0] - before < 1.001 || i == 0);
        before = row[0];
    }
    assert_close(before, 2.2, 0.06); // 1.25 s kept and 1 s flown, less the step in which it resumed
    free(row);
    hwCloseResults(results);
}

// The process may be killed at any time: what was flushed is a flight.
static void test_KilledFlightCanBeRead(void** state) {
    (void)state;
    Pilot pilot;
    hwError error;
    Begin(&pilot, "20260106-000000-aa");
    Fly(&pilot);
    hwFlight* flight = hwLoadFlight(FOLDER "/20260106-000000-aa", &error);
    assert_non_null(flight);
    hwWorld* world = hwFlight_CreateWorld(flight, &error);
    size_t count;
    hwInputEvent* log = hwFlight_ResolveLog(flight, world, UINT64_MAX, &count, &error);
    assert_non_null(log);
    assert_true(count >= 1);
    free(log);
    hwDestroyWorld(world);
    hwDestroyFlight(flight);
    End(&pilot);
}

static void test_FullDiskEndsRecordingNotFlying(void** state) {
    (void)state;
    Pilot pilot;
    hwError error;
    Begin(&pilot, "20260107-000000-aa");
    Fly(&pilot);
    // no file may grow any more, as on a full disk
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit before, none;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    none = before;
    none.rlim_cur = 4096;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
    uint64_t steps = hwLive_GetStatus(pilot.rig.live).steps;
    for (int i = 0; i < 10; ++i) {
        for (int k = 0; k < 50; ++k) {
            Set(&pilot.rig, "rov.pilot.heave", 0.01 * k);
            RunClock(&pilot.rig, 0.02);
        }
        RunClock(&pilot.rig, 1.0);
    }
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_true(hwFlightWriter_GetStatus(pilot.writer, &error) != HW_OK);
    assert_non_null(strstr(error.message, "Recording ended"));
    assert_true(hwLive_GetStatus(pilot.rig.live).steps > steps + 1000); // flying went on
    assert_true(Finish(&pilot, &error) != HW_OK);
    End(&pilot);
    // what it was and why it ended can be read
    hwFlight* flight = hwLoadFlight(FOLDER "/20260107-000000-aa", &error);
    if (flight == NULL) fail_msg("%s", error.message);
    assert_non_null(strstr(hwFlight_GetInfo(flight)->status, "Recording ended"));
    assert_false(hwFlight_GetInfo(flight)->hashed);
    hwDestroyFlight(flight);
}

// A flight that begins with a copy of another one.
static void test_FlightGoesOnFromAnother(void** state) {
    (void)state;
    Pilot first, second;
    hwError error;
    Begin(&first, "20260109-000000-aa");
    Fly(&first);
    hwLive_Pause(first.rig.live, true);
    hwLive_Poll(first.rig.live);
    assert_int_equal(Finish(&first, &error), HW_OK);
    memset(&second, 0, sizeof(second));
    hwFlightDef flight = MakeDef("20260109-000001-aa");
    flight.log = hwLive_GetLog(first.rig.live, &flight.logCount);
    flight.steps = hwLive_GetStatus(first.rig.live).steps;
    flight.rows = FOLDER "/20260109-000000-aa/results.h5";
    hwLiveDef def = RigDef(&second.rig, NULL);
    def.onStep = OnStep;
    def.onInput = OnInput;
    def.onFrame = NULL;
    def.context = &second;
    second.rig.live = hwLive_Branch(first.rig.live, &def, &error);
    assert_non_null(second.rig.live);
    second.writer = hwCreateFlightWriter(&flight, hwLive_GetWorld(second.rig.live), &error);
    if (second.writer == NULL) fail_msg("%s", error.message);
    End(&first);
    Set(&second.rig, "rov.pilot.surge", -0.5);
    RunClock(&second.rig, 1.0);
    assert_int_equal(Finish(&second, &error), HW_OK);
    End(&second);
    hwFlight* read = hwLoadFlight(FOLDER "/20260109-000001-aa", &error);
    assert_non_null(read);
    assert_true(hwFlight_GetInfo(read)->duration > 3.1);
    assert_true(ReplayHash(read) == hwFlight_GetInfo(read)->hash);
    hwDestroyFlight(read);
    hwResults* results = hwOpenResults(FOLDER "/20260109-000001-aa/results.h5", &error);
    assert_non_null(results);
    double row[2048];
    assert_true(hwResults_GetChannelCount(results) < 2048);
    assert_int_equal(hwResults_ReadRows(results, 0, 1, row, &error), HW_OK);
    assert_close(row[0], 0.0, 0.0);
    assert_true(hwResults_GetRowCount(results) >= 32);
    hwCloseResults(results);
}

// A half circle of 40 points with a straight piece of 60 before it, `lift` m above the water.
static void AddGhost(hwFlightWriter* writer, double time, double lift) {
    hwVec3 points[100];
    for (int i = 0; i < 60; ++i) points[i] = hwMakeVec3(0.1 * i, 0.0, lift);
    for (int i = 0; i < 40; ++i) {
        double angle = HW_PI * (i + 1) / 40.0;
        points[60 + i] = hwMakeVec3(5.9 + 2.0 * sin(angle), 2.0 - 2.0 * cos(angle), lift);
    }
    hwGhostLine line = {.time = time, .model = "wrap_line", .apart = lift, .count = 100, .points = points};
    hwFlightWriter_AddGhost(writer, &line);
}

// m from a point of the curve above to a recorded line
static double GetDistance(const hwGhostLine* line, hwVec3 p) {
    double least = INFINITY;
    for (int i = 0; i + 1 < line->count; ++i) {
        hwVec3 a = line->points[i], along = hwSub(line->points[i + 1], a), from = hwSub(p, a);
        double share = fmin(1.0, fmax(0.0, hwDot(from, along) / hwDot(along, along)));
        least = fmin(least, hwLength(hwSub(from, hwScale(share, along))));
    }
    return least;
}

// The ghost of a second tether: kept with few points, cut by a rewind, inherited, and no part of the state.
static void test_GhostIsKept(void** state) {
    (void)state;
    Pilot pilot;
    hwError error;
    Begin(&pilot, "20260111-000000-aa");
    Fly(&pilot);
    for (int i = 0; i <= 4; ++i) AddGhost(pilot.writer, 0.5 * i, 0.01 * i);
    hwLive_Rewind(pilot.rig.live, 1.25);
    hwLive_Pause(pilot.rig.live, false);
    RunClock(&pilot.rig, 1.0);
    AddGhost(pilot.writer, 2.0, 0.25);
    assert_int_equal(Finish(&pilot, &error), HW_OK);
    uint64_t hash = hwHashFlight(hwLive_GetWorld(pilot.rig.live));
    assert_true(hwHasGhosts(FOLDER "/20260111-000000-aa"));
    hwFlight* flight = hwLoadFlight(FOLDER "/20260111-000000-aa", &error);
    assert_non_null(flight);
    assert_true(ReplayHash(flight) == hash && hwFlight_GetInfo(flight)->hash == hash);
    hwDestroyFlight(flight);
    hwGhosts* ghosts = hwLoadGhosts(FOLDER "/20260111-000000-aa");
    int count;
    const hwGhostLine* lines = hwGhosts_GetLines(ghosts, &count);
    assert_int_equal(count, 4); // 0, 0.5 and 1 s were kept, then 2 s
    assert_close(lines[2].time, 1.0, 1e-9);
    assert_close(lines[3].time, 2.0, 1e-9);
    assert_string_equal(lines[3].model, "wrap_line");
    assert_close(lines[3].apart, 0.25, 1e-9);
    // the straight piece needs its ends alone; the half circle of 2 m chords of up to 0.7 m for a sagitta of 3 cm
    assert_in_range(lines[3].count, 8, 24);
    for (int i = 0; i < 40; ++i) {
        double angle = HW_PI * (i + 1) / 40.0;
        hwVec3 p = {5.9 + 2.0 * sin(angle), 2.0 - 2.0 * cos(angle), 0.25};
        assert_true(GetDistance(&lines[3], p) < 0.04);
    }
    assert_ptr_equal(hwGhosts_Find(ghosts, 0.49), &lines[0]);
    assert_ptr_equal(hwGhosts_Find(ghosts, 1.6), &lines[2]);
    assert_null(hwGhosts_Find(ghosts, 1.9)); // none was shown then
    assert_null(hwGhosts_Find(ghosts, -0.1));
    hwDestroyGhosts(ghosts);
    // a flight that goes on from there has it up to then
    hwFlightDef def = MakeDef("20260111-000001-aa");
    def.log = hwLive_GetLog(pilot.rig.live, &def.logCount);
    def.steps = hwLive_GetStatus(pilot.rig.live).steps;
    def.rows = FOLDER "/20260111-000000-aa/results.h5";
    def.ghosts = FOLDER "/20260111-000000-aa";
    hwFlightWriter* next = hwCreateFlightWriter(&def, hwLive_GetWorld(pilot.rig.live), &error);
    if (next == NULL) fail_msg("%s", error.message);
    AddGhost(next, 2.5, 0.1);
    hwDestroyFlightWriter(next);
    ghosts = hwLoadGhosts(FOLDER "/20260111-000001-aa");
    hwGhosts_GetLines(ghosts, &count);
    assert_int_equal(count, 5);
    hwDestroyGhosts(ghosts);
    End(&pilot);
    // a line that was cut off with its program is left out, and so is what is no line
    FILE* file = fopen(FOLDER "/20260111-000001-aa/ghost.csv", "a");
    assert_non_null(file);
    fputs("3,wrap_line,0.1,0 0 0;1 nan 0\n3.5,wrap_line,0.1,0 0 0;1", file);
    fclose(file);
    ghosts = hwLoadGhosts(FOLDER "/20260111-000001-aa");
    hwGhosts_GetLines(ghosts, &count);
    assert_int_equal(count, 5);
    hwDestroyGhosts(ghosts);
    // one without any
    assert_false(hwHasGhosts(FOLDER "/20260105-000000-aa"));
    ghosts = hwLoadGhosts(FOLDER "/20260105-000000-aa");
    hwGhosts_GetLines(ghosts, &count);
    assert_int_equal(count, 0);
    hwDestroyGhosts(ghosts);
}

// A rewind to before the first of them leaves none.
static void test_GhostIsRewoundWhole(void** state) {
    (void)state;
    Pilot pilot;
    Begin(&pilot, "20260112-000000-aa");
    Fly(&pilot);
    AddGhost(pilot.writer, 2.0, 0.1);
    assert_int_equal(access(FOLDER "/20260112-000000-aa/ghost.csv", F_OK), 0);
    hwLive_Rewind(pilot.rig.live, 1.0);
    hwLive_Poll(pilot.rig.live);
    assert_int_equal(hwFlightWriter_GetStatus(pilot.writer, NULL), HW_OK);
    assert_int_not_equal(access(FOLDER "/20260112-000000-aa/ghost.csv", F_OK), 0);
    AddGhost(pilot.writer, 1.5, 0.1);
    assert_int_equal(hwFlightWriter_GetStatus(pilot.writer, NULL), HW_OK);
    End(&pilot);
    assert_true(hwHasGhosts(FOLDER "/20260112-000000-aa"));
}

static void WriteFile(const char* path, const char* text) {
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void test_DamagedFlightsAreRefused(void** state) {
    (void)state;
    hwError error;
    mkdir(FOLDER, 0777);
    mkdir(FOLDER "/broken", 0777);
    assert_null(hwLoadFlight(FOLDER "/broken", &error));
    assert_int_equal(error.status, HW_ERROR_FILE);
    WriteFile(FOLDER "/broken/flight.json", "[1, 2");
    assert_null(hwLoadFlight(FOLDER "/broken", &error));
    assert_int_equal(error.status, HW_ERROR_FORMAT);
    WriteFile(FOLDER "/broken/flight.json", "{\"step\": \"x\", \"steps\": -4}");
    assert_null(hwLoadFlight(FOLDER "/broken", &error));
    WriteFile(FOLDER "/broken/flight.json", "{\"step\": 0.01, \"steps\": 10, \"hash\": \"0x12\"}");
    WriteFile(FOLDER "/broken/scene.yaml", g_scene);
    const char* const bad[] = {
        "step,time,input,value\nx,1,rov.gain,1\n", "step,time,input,value\n1,1,nonesuch,1\n",
        "step,time,input,value\n1,1,rov.gain,nan\n", "step,time,input,value\n1,1,rov.gain\n",
        "step,time,input,value\n5,1,rov.gain,1\n3,1,rov.gain,0\n"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); ++i) {
        WriteFile(FOLDER "/broken/inputs.csv", bad[i]);
        hwFlight* flight = hwLoadFlight(FOLDER "/broken", &error);
        assert_non_null(flight);
        hwWorld* world = hwFlight_CreateWorld(flight, &error);
        size_t count;
        assert_null(hwFlight_ResolveLog(flight, world, 10, &count, &error));
        assert_int_equal(error.status, HW_ERROR_FORMAT);
        hwDestroyWorld(world);
        hwDestroyFlight(flight);
    }
}

static void test_UnwritableFolderIsRefused(void** state) {
    (void)state;
    hwError error;
    hwWorld* world = MakeWorld(g_scene);
    hwFlightDef def = MakeDef("20260108-000000-aa");
    def.folder = "/proc/nowhere";
    assert_null(hwCreateFlightWriter(&def, world, &error));
    assert_int_equal(error.status, HW_ERROR_FILE);
    def.folder = FOLDER;
    hwFlightWriter* first = hwCreateFlightWriter(&def, world, &error);
    assert_non_null(first);
    assert_null(hwCreateFlightWriter(&def, world, &error)); // the id is taken
    hwDestroyFlightWriter(first);
    hwFlight* flight = hwLoadFlight(FOLDER "/20260108-000000-aa", &error);
    assert_non_null(flight); // and untouched
    hwDestroyFlight(flight);
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_FlightIsReadAndReplayed),
        cmocka_unit_test(test_ListIsNewestFirst),
        cmocka_unit_test(test_RowsAreThoseOfTheFlight),
        cmocka_unit_test(test_RewoundFlightReplays),
        cmocka_unit_test(test_KilledFlightCanBeRead),
        cmocka_unit_test(test_FullDiskEndsRecordingNotFlying),
        cmocka_unit_test(test_FlightGoesOnFromAnother),
        cmocka_unit_test(test_GhostIsKept),
        cmocka_unit_test(test_GhostIsRewoundWhole),
        cmocka_unit_test(test_DamagedFlightsAreRefused),
        cmocka_unit_test(test_UnwritableFolderIsRefused),
    };
    return cmocka_run_group_tests(tests, Clean, Clean);
}
