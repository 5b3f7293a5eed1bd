// Growth: mooring lines in still water and in a sea, with one and two threads, calm ones beside a lively one; a moored buoy in a
// storm; cost by element of one long line and by line of many; statics of long ones. The rows by size are what docs/scale.svg is drawn from.
#include "bench/bench.h"
#include "bench/cable_rigs.h"
#include "bench/workers.h"

#include <math.h>
#include <stdio.h>

#define RUNS 3
#define DEPTH 200.0

typedef struct Fleet {
    int lines, elements;
    double hs;       // m, of the sea; 0: still
    double surge;    // m, of the fairleads, with 10 s
    int lively;      // a line whose fairlead moves otherwise, -1: none
    bool alike;      // all others move together
    bool tasks;      // loops go through the hook that counts two workers
    bool deep;       // there is no bottom
    double duration; // s
    double frame;    // s
} Fleet;

// The chain of hwRig_MakeChain, beside its like.
static bool AddLine(hwWorld* world, const Fleet* fleet, int i, hwError* error) {
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 600.0;
    section.elements = fleet->elements;
    section.diameter = 0.09;
    section.massPerLength = 77.0;
    section.EA = 3.84e8;
    section.axialDamping = 0.0105 * section.EA;
    section.dragNormal = 1.6;
    section.dragTangential = 0.1;
    section.compression = 1e-3;
    bool lively = i == fleet->lively;
    double y = 25.0 * i, period = lively ? 2.5 : 10.0, way = lively ? 3.0 : fleet->surge;
    hwSignalTerm path[2] = {hwConstantTerm(hwMakeVec3(0.0, y, -10.0)),
                            hwSineTerm(hwMakeVec3(way, 0.0, 0.0), period, fleet->alike ? 0.0 : 0.3 * i)};
    char name[32];
    snprintf(name, sizeof(name), "line%d", i);
    hwCableDef def = hwDefaultCableDef();
    def.name = name;
    def.sectionCount = 1;
    def.sections = &section;
    def.shape = HW_CABLE_CATENARY_SHAPE;
    def.ends[0] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .at = {540.0, y, -DEPTH}};
    def.ends[1] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .path = {2, path}};
    return !HW_IS_NULL(hwWorld_AddCable(world, &def, error));
}

static hwWorld* MakeFleet(const Fleet* fleet, hwBenchWorkers* workers, hwError* error) {
    hwWorldDef def = hwDefaultWorldDef();
    if (fleet->tasks) {
        def.runTasks = hwBenchWorkers_Run;
        def.tasksContext = workers;
    }
    hwWorld* world = hwCreateWorld(&def, error);
    if (world == NULL) return NULL;
    hwEnvironmentDef environment = hwDefaultEnvironmentDef();
    environment.water = true;
    environment.seabed.kind = fleet->deep ? HW_SEABED_NONE : HW_SEABED_PLANE;
    environment.seabed.depth = DEPTH;
    environment.seabed.friction = 0.0;
    environment.jonswap.hs = fleet->hs;
    environment.jonswap.tp = 9.0;
    bool good = hwWorld_SetEnvironment(world, &environment, error) == HW_OK;
    for (int i = 0; i < fleet->lines && good; ++i) good = AddLine(world, fleet, i, error);
    if (good && hwWorld_Prepare(world, error) == HW_OK) return world;
    hwDestroyWorld(world);
    return NULL;
}

typedef struct Cost {
    double prepare, run; // s of the processor's time, the least of some runs
    double parallel;     // times faster on two threads
    hwCounters counters;
} Cost;

static bool Measure(const Fleet* fleet, int runs, Cost* cost, hwError* error) {
    *cost = (Cost){HUGE_VAL, HUGE_VAL, 0.0, {0}};
    for (int k = 0; k < runs; ++k) {
        hwBenchWorkers workers = {0};
        double start = hwRig_GetTime();
        hwWorld* world = MakeFleet(fleet, &workers, error);
        if (world == NULL) return false;
        double made = hwRig_GetTime();
        workers = (hwBenchWorkers){0};
        int frames = (int)ceil(fleet->duration / fleet->frame - 1e-9);
        for (int i = 0; i < frames; ++i) {
            if (hwWorld_Step(world, fleet->frame, error) >= HW_OK) continue;
            hwDestroyWorld(world);
            return false;
        }
        double spent = hwRig_GetTime() - made;
        cost->prepare = fmin(cost->prepare, made - start);
        cost->run = fmin(cost->run, spent);
        cost->parallel = fmax(cost->parallel, hwBenchWorkers_GetGain(&workers, spent));
        cost->counters = hwWorld_GetCounters(world);
        hwDestroyWorld(world);
    }
    return true;
}

static void AddRow(hwBenchContext* context, const char* name, double value, const char* unit, bool more,
                   const char* note) {
    hwBenchRow row = hwDefaultBenchRow();
    row.name = name;
    row.value = value;
    row.unit = unit;
    row.moreIsBetter = more;
    row.note = note;
    hwBench_AddRow(context, &row);
}

static void Lines(hwBenchContext* context) {
    Fleet still = {200, 30, 0.0, 2.0, -1, false, false, false, 20.0, 1.0}, sea = still, tasks = still;
    sea.hs = 4.0;
    tasks.hs = 4.0;
    tasks.tasks = true;
    Cost calm, rough, two;
    hwError error;
    char note[200];
    if (!Measure(&still, RUNS, &calm, &error) || !Measure(&sea, RUNS, &rough, &error) ||
        !Measure(&tasks, RUNS, &two, &error)) {
        hwBench_AddError(context, "200 mooring lines", &error);
        return;
    }
    snprintf(note, sizeof(note), "30 elements, fairleads surging 2 m; %.3g s for 20 s", calm.run);
    AddRow(context, "200 mooring lines in still water", still.duration / calm.run, "x real time", true, note);
    snprintf(note, sizeof(note), "JONSWAP, hs 4 m, 200 harmonics; %.3g s for 20 s", rough.run);
    AddRow(context, "200 mooring lines in a sea", sea.duration / rough.run, "x real time", true, note);
    AddRow(context, "200 mooring lines: sea over still water", rough.run / calm.run, "1", false,
           "bar 2, steps included");
    AddRow(context, "200 mooring lines in a sea: two threads", two.parallel, "1", true,
           "bar 1.8; pieces timed one by one and dealt to two workers");
}

static void Lively(hwBenchContext* context) {
    Fleet calm = {99, 30, 0.0, 0.2, -1, false, false, false, 20.0, 1.0}, one = calm, both = calm;
    one.lines = 1;
    one.lively = 0;
    both.lines = 100;
    both.lively = 50;
    Cost costs[3];
    hwError error;
    char note[200];
    if (!Measure(&calm, RUNS, &costs[0], &error) || !Measure(&one, RUNS, &costs[1], &error) ||
        !Measure(&both, RUNS, &costs[2], &error)) {
        hwBench_AddError(context, "99 calm lines and a lively one", &error);
        return;
    }
    snprintf(note, sizeof(note), "%.3g s and %.3g s apart, %.3g s together; bar 1.5", costs[0].run,
             costs[1].run, costs[2].run);
    AddRow(context, "99 calm lines and a lively one: together over apart",
           costs[2].run / (costs[0].run + costs[1].run), "1", false, note);
}

// All in frames of 20 ms, which are single steps. Newton's method needs more evaluations of each where elements are shorter
// than the way that they go in it: that part is in the notes.
static void Elements(hwBenchContext* context) {
    static const int counts[] = {100, 300, 1000, 3000, 10000, 30000, 100000};
    double least = HUGE_VAL, most = 0.0;
    hwError error;
    char name[96], note[160];
    for (int i = 0; i < 7; ++i) {
        Fleet fleet = {1, counts[i], 0.0, 2.0, -1, true, false, true, 0.2, 0.02};
        Cost cost;
        snprintf(name, sizeof(name), "one line, %d elements", counts[i]);
        if (!Measure(&fleet, counts[i] > 10000 ? 1 : RUNS, &cost, &error)) {
            hwBench_AddError(context, name, &error);
            continue;
        }
        double each = 1e9 * cost.run / ((double)cost.counters.evaluations * counts[i]);
        least = fmin(least, each);
        most = fmax(most, each);
        snprintf(note, sizeof(note), "10 frames of 20 ms, %llu evaluations, %.3g x real time; made in %.3g s",
                 (unsigned long long)cost.counters.evaluations, fleet.duration / cost.run, cost.prepare);
        AddRow(context, name, each, "ns/element/evaluation", false, note);
    }
    AddRow(context, "one line, 100 to 100,000 elements: dearest over cheapest", most / least, "1", false,
           "bar 2");
}

static void Moorings(hwBenchContext* context) {
    static const int counts[] = {1, 3, 10, 30, 100, 300, 1000};
    double least = HUGE_VAL, most = 0.0;
    hwError error;
    char name[96], note[160];
    for (int i = 0; i < 7; ++i) {
        Fleet fleet = {counts[i], 30, 0.0, 2.0, -1, true, false, false, 20.0, 1.0};
        Cost cost;
        snprintf(name, sizeof(name), "%d moorings", counts[i]);
        if (!Measure(&fleet, counts[i] > 100 ? 1 : (counts[i] < 10 ? 10 * RUNS : RUNS), &cost, &error)) {
            hwBench_AddError(context, name, &error);
            continue;
        }
        double each = 1e6 * cost.run / (counts[i] * fleet.duration);
        least = fmin(least, each);
        most = fmax(most, each);
        snprintf(note, sizeof(note), "30 elements, fairlead surging 2 m, for 20 s; made in %.3g ms each",
                 1e3 * cost.prepare / counts[i]);
        AddRow(context, name, each, "us/mooring/s", false, note);
    }
    AddRow(context, "1 to 1,000 moorings: dearest over cheapest", most / least, "1", false, "bar 1.3");
}

#define STORM 240.0      // s, of which the row is told: the first 60 s, from calm water on, cost a sixth more
#define STORM_DEALT 60.0 // s, whose pieces are timed one by one
#define THREE_HOURS 10800.0 // s
#define STORM_DEPTH 100.0

// A buoy of 40 t on three studless chains of 40 mm and 400 elements each, statics first. `workers`: null for one thread.
static hwWorld* MakeStorm(hwBenchWorkers* workers, hwError* error) {
    hwWorldDef def = hwDefaultWorldDef();
    def.statics = true;
    def.solver.tolerance = 5e-4; // as `hawser run`
    def.solver.followed = 1e-3;
    if (workers != NULL) {
        def.runTasks = hwBenchWorkers_Run;
        def.tasksContext = workers;
    }
    hwWorld* world = hwCreateWorld(&def, error);
    if (world == NULL) return NULL;
    hwEnvironmentDef environment = hwDefaultEnvironmentDef();
    environment.water = true;
    const hwSignalTerm current = hwConstantTerm(hwMakeVec3(0.5, 0.0, 0.0));
    environment.current.uniform = (hwSignal){1, &current};
    environment.seabed.kind = HW_SEABED_PLANE;
    environment.seabed.depth = STORM_DEPTH;
    environment.jonswap.hs = 6.0;
    environment.jonswap.tp = 11.0;
    bool good = hwWorld_SetEnvironment(world, &environment, error) == HW_OK;
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = HW_SHAPE_CYLINDER;
    shape.radius = 2.5;
    shape.length = 4.0;
    hwBodyDef buoy = hwDefaultBodyDef();
    buoy.name = "buoy";
    buoy.mass = 40000.0;
    buoy.com = hwMakeVec3(0.0, 0.0, -0.8);
    buoy.position = hwMakeVec3(0.0, 0.0, -0.3);
    buoy.shapeCount = 1;
    buoy.shapes = &shape;
    const double inertia[3] = {120000.0, 120000.0, 90000.0};
    const double added[6] = {25000.0, 25000.0, 30000.0, 40000.0, 40000.0, 0.0};
    const double drag[6] = {12000.0, 12000.0, 15000.0, 60000.0, 60000.0, 20000.0};
    for (int k = 0; k < 6; ++k) {
        buoy.inertia[k] = k < 3 ? inertia[k] : 0.0;
        buoy.hydro.addedMass[k][k] = added[k];
        buoy.hydro.quadraticDrag[k] = drag[k];
    }
    hwBodyId body = good ? hwWorld_AddBody(world, &buoy, error) : (hwBodyId){0};
    good = good && !HW_IS_NULL(body);
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 400.0;
    section.elements = 400;
    section.diameter = 0.07186;
    section.massPerLength = 31.84;
    section.EA = 1.317e8;
    section.axialDamping = 1.317e5;
    section.dragNormal = 1.336;
    section.dragTangential = 0.2038;
    section.addedNormal = 1.0;
    section.addedTangential = 0.5;
    section.compression = 0.0;
    section.breakTension = 1.456e6;
    for (int i = 0; i < 3 && good; ++i) {
        static const double c[3] = {1.0, -0.5, -0.5}, s[3] = {0.0, 0.8660254037844386, -0.8660254037844386};
        char name[32];
        snprintf(name, sizeof(name), "chain%d", i + 1);
        hwCableDef chain = hwDefaultCableDef();
        chain.name = name;
        chain.sectionCount = 1;
        chain.sections = &section;
        chain.shape = HW_CABLE_CATENARY_SHAPE;
        chain.ends[0] =
            (hwCableEndDef){.joint = HW_ATTACH_PIN, .at = {370.0 * c[i], 370.0 * s[i], -STORM_DEPTH}};
        chain.ends[1] =
            (hwCableEndDef){.joint = HW_ATTACH_PIN, .body = body, .at = {2.5 * c[i], 2.5 * s[i], -2.0}};
        good = !HW_IS_NULL(hwWorld_AddCable(world, &chain, error));
    }
    if (good && hwWorld_Prepare(world, error) == HW_OK) return world;
    hwDestroyWorld(world);
    return NULL;
}

// Runs a storm for a time; s of work, negative: it failed.
static double RunStorm(hwWorld* world, double time, hwError* error) {
    double start = hwRig_GetTime();
    if (world == NULL || hwWorld_Step(world, time, error) < HW_OK) return -1.0;
    return hwRig_GetTime() - start;
}

static void Storm(hwBenchContext* context) {
    hwError error;
    char note[200];
    double start = hwRig_GetTime();
    hwWorld* world = MakeStorm(NULL, &error);
    double made = hwRig_GetTime() - start, spent = RunStorm(world, STORM, &error);
    hwCounters counters = {0};
    if (world != NULL) counters = hwWorld_GetCounters(world);
    if (world != NULL) hwDestroyWorld(world);
    hwBenchWorkers workers = {0};
    world = spent < 0.0 ? NULL : MakeStorm(&workers, &error);
    workers = (hwBenchWorkers){0};
    double dealt = RunStorm(world, STORM_DEALT, &error);
    if (world != NULL) hwDestroyWorld(world);
    if (dealt < 0.0) {
        hwBench_AddError(context, "a moored buoy in a storm", &error);
        return;
    }
    double gain = hwBenchWorkers_GetGain(&workers, dealt);
    snprintf(note, sizeof(note),
             "three chains of 400 elements, hs 6 m, bottom: %llu steps, %llu repeated in %g s",
             (unsigned long long)counters.steps, (unsigned long long)counters.rejected, STORM);
    AddRow(context, "a moored buoy in a storm", STORM / spent, "x real time", true, note);
    AddRow(context, "a moored buoy in a storm: two threads", gain, "1", true,
           "60 s of it, pieces timed one by one and dealt to two workers");
    AddRow(context, "three hours of that storm on two threads", spent / gain * THREE_HOURS / STORM / 60.0,
           "min", false, "from these 240 s; bar 3");
    AddRow(context, "a moored buoy: statics of 1,200 elements", made, "s", false,
           "from catenaries; the world is made, too; bar 0.1 for 2,000");
}

const hwBench hwScaleBenches[] = {
    {"scale-lines", "200 mooring lines in still water, in a sea, on two threads.", Lines},
    {"scale-lively", "99 calm mooring lines beside a lively one, and apart.", Lively},
    {"scale-storm", "A buoy on three chains of 400 elements in a storm.", Storm},
    {"scale-elements", "One line of 100 to 100,000 elements.", Elements},
    {"scale-moorings", "1 to 1,000 mooring lines.", Moorings},
    {0},
};
