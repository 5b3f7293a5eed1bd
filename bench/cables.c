// Cables: speed at a given accuracy, frame by frame and with steps of the solver's choice; statics; snap loads.
#include "bench/bench.h"
#include "bench/cable_rigs.h"
#include "bench/tether_mujoco.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define RUNS 5           // the median of so many is told
#define FRAME (1.0 / 60) // s
#define WITHIN 0.01      // of the reference's varying part, RMS over RMS

typedef hwWorld* MakeFn(int elements, hwRigSolver solver, hwError* error);

static hwWorld* MakeChain(int elements, hwRigSolver solver, hwError* error) {
    return hwRig_MakeChain(elements, false, solver, error);
}

static int CompareNumbers(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static double GetMedian(double* values, int count) {
    qsort(values, (size_t)count, sizeof(double), CompareNumbers);
    return values[count / 2];
}

// Median time of some runs (s), or NaN with the error filled.
static double TimeRuns(MakeFn* make, int elements, hwRigSolver solver, double time, double frame,
                       hwError* error) {
    double seconds[RUNS];
    for (int run = 0; run < RUNS; ++run) {
        hwWorld* world = make(elements, solver, error);
        if (world == NULL) return (double)NAN;
        hwStatus status = hwRig_Run(world, time, frame, NULL, &seconds[run], error);
        hwDestroyWorld(world);
        if (status != HW_OK) return (double)NAN;
    }
    return GetMedian(seconds, RUNS);
}

// Error against the reference, or infinity when the run fails.
static double MeasureError(MakeFn* make, int elements, hwRigSolver solver, double time, double frame,
                           const hwRigRecord* reference, double from) {
    hwRigRecord record = {0};
    hwWorld* world = make(elements, solver, NULL);
    double error = HUGE_VAL;
    if (world != NULL && hwRig_Run(world, time, frame, &record, NULL, NULL) == HW_OK)
        error = hwRigRecord_Compare(&record, reference, from);
    if (world != NULL) hwDestroyWorld(world);
    hwRigRecord_Free(&record);
    return error;
}

typedef struct Course {
    const char* name;
    MakeFn* make;
    double time, from, fine; // s: of the run, compared from, step of the reference
    const double* steps;     // s, to choose from
    int stepCount;
    double peerSpeed;         // times real time, published for another program; NaN: none
    double frameBar, freeBar; // times real time
} Course;

static void AddSpeed(hwBenchContext* context, const char* name, double value, double published,
                     const char* note) {
    hwBenchRow row = hwDefaultBenchRow();
    row.name = name;
    row.value = value;
    row.unit = "x real time";
    row.moreIsBetter = true;
    if (!isnan(published)) {
        row.peer = "MoorDyn-C 2.7.1, not in this run: measured once, on another machine";
        row.peerValue = published;
    }
    row.note = note;
    hwBench_AddRow(context, &row);
}

// Frame by frame, and with the fastest of some longest steps that stay within 1 % of the solution converged in time.
static void RunCourse(hwBenchContext* context, const Course* course, int elements) {
    char name[96], note[160];
    hwError error;
    hwRigRecord reference = {0};
    hwWorld* world = course->make(elements, (hwRigSolver){1.0, course->fine}, &error);
    hwStatus status =
        world != NULL ? hwRig_Run(world, course->time, 1.0, &reference, NULL, &error) : error.status;
    if (world != NULL) hwDestroyWorld(world);
    snprintf(name, sizeof(name), "%s, %d elements, frames of 1/60 s", course->name, elements);
    if (status != HW_OK) {
        hwBench_AddError(context, name, &error);
        hwRigRecord_Free(&reference);
        return;
    }
    hwRigSolver own = {0.0, 0.0};
    double seconds = TimeRuns(course->make, elements, own, course->time, FRAME, &error);
    double off = MeasureError(course->make, elements, own, course->time, FRAME, &reference, course->from);
    snprintf(note, sizeof(note), "error %.2g %%; bar %.0f", 100.0 * off, course->frameBar);
    AddSpeed(context, name, course->time / seconds, course->peerSpeed, note);

    hwRigSolver chosen = {1.0, 0.0};
    seconds = HUGE_VAL;
    for (int i = 0; i < course->stepCount; ++i) {
        hwRigSolver tried = {1.0, course->steps[i]};
        double reached =
            MeasureError(course->make, elements, tried, course->time, 10.0, &reference, course->from);
        if (!(reached <= WITHIN)) continue;
        double needed = TimeRuns(course->make, elements, tried, course->time, 10.0, &error);
        if (!(needed < seconds)) continue;
        chosen = tried;
        seconds = needed;
        off = reached;
    }
    snprintf(name, sizeof(name), "%s, %d elements, free steps", course->name, elements);
    snprintf(note, sizeof(note), "steps up to %g s, error %.2g %%; bar %.0f", chosen.max, 100.0 * off,
             course->freeBar);
    AddSpeed(context, name, course->time / seconds, course->peerSpeed, note);
    hwRigRecord_Free(&reference);
}

static void Chain(hwBenchContext* context) {
    static const double steps[] = {0.5, 0.3, 0.2, 0.1, 0.05};
    static const int elements[] = {20, 100, 400};
    static const double moordyn[] = {680, 82, 5}, frameBars[] = {2000, 400, 100},
                        freeBars[] = {10000, 2000, 500};
    for (int i = 0; i < 3; ++i) {
        Course course = {"mooring chain", MakeChain, 60.0,       20.0,         0.004,
                         steps,           5,         moordyn[i], frameBars[i], freeBars[i]};
        RunCourse(context, &course, elements[i]);
    }
}

static void Tether(hwBenchContext* context) {
    static const double steps[] = {2.0, 1.0, 0.5, 0.2, 0.1};
    static const int elements[] = {50, 200};
    static const double moordyn[] = {31, (double)NAN}, frameBars[] = {300, 75}, freeBars[] = {2000, 500};
    for (int i = 0; i < 2; ++i) {
        Course course = {"vehicle's tether", hwRig_MakeTether, 120.0,      10.0, 0.01, steps, 5,
                         moordyn[i],         frameBars[i],     freeBars[i]};
        RunCourse(context, &course, elements[i]);
    }
}

// The same tether in MuJoCo. What both are measured against has four times as many elements and a short step.
static void TetherPeer(hwBenchContext* context) {
    const double time = 60.0, from = 10.0;
    hwError error;
    hwRigRecord converged = {0}, peer = {0};
    hwWorld* world = hwRig_MakeTether(200, (hwRigSolver){1.0, 0.02}, &error);
    if (world == NULL || hwRig_Run(world, time, 1.0, &converged, NULL, &error) != HW_OK) {
        hwBench_AddError(context, "tether beside MuJoCo", &error);
        if (world != NULL) hwDestroyWorld(world);
        return;
    }
    hwDestroyWorld(world);
    // the longest step that is stable, found by halving
    double step = 0.08, peerSeconds = (double)NAN, peerOff = HUGE_VAL;
    for (; step > 2e-3; step *= 0.5) {
        if (!hwMujoco_RunTether(50, time, step, &peer, &peerSeconds)) break;
        peerOff = hwRigRecord_Compare(&peer, &converged, from);
        if (peerOff < 1.0) break;
    }
    bool there = peerOff < 1.0;
    // the first of these that is at least as accurate
    static const int counts[] = {50, 50, 75, 75, 100};
    static const double steps[] = {1.0, 0.5, 1.0, 0.5, 0.5};
    hwRigSolver solver = {1.0, 1.0};
    double off = HUGE_VAL;
    int elements = 50;
    for (int i = 0; i < 5 && !(off <= fmin(peerOff, WITHIN)); ++i) {
        elements = counts[i];
        solver.max = steps[i];
        off = MeasureError(hwRig_MakeTether, elements, solver, time, 10.0, &converged, from);
    }
    double seconds = TimeRuns(hwRig_MakeTether, elements, solver, time, 10.0, &error);
    hwBenchRow row = hwDefaultBenchRow();
    char note[200];
    row.name = "vehicle's tether beside MuJoCo";
    row.value = time / seconds;
    row.unit = "x real time";
    row.moreIsBetter = true;
    if (there) {
        row.peer = "MuJoCo 2.2.2";
        row.peerValue = time / peerSeconds;
    }
    int used =
        snprintf(note, sizeof(note), "%d elements, steps up to %g s, error %.2g %% against 200 elements",
                 elements, solver.max, 100.0 * off);
    if (there) {
        snprintf(note + used, sizeof(note) - (size_t)used,
                 "; MuJoCo 50 capsules, %g ms, %.2g %%; bar 20 times", 1e3 * step, 100.0 * peerOff);
    } else {
        snprintf(note + used, sizeof(note) - (size_t)used, "; MuJoCo is not here");
    }
    row.note = note;
    hwBench_AddRow(context, &row);
    hwRigRecord_Free(&converged);
    hwRigRecord_Free(&peer);
}

static void Statics(hwBenchContext* context) {
    double seconds[RUNS];
    hwError error;
    for (int run = 0; run < RUNS; ++run) {
        double start = hwRig_GetTime();
        hwWorld* world = hwRig_MakeChain(400, true, (hwRigSolver){0.0, 0.0}, &error);
        seconds[run] = hwRig_GetTime() - start;
        if (world == NULL) {
            hwBench_AddError(context, "statics of the chain", &error);
            return;
        }
        hwDestroyWorld(world);
    }
    hwBenchRow row = hwDefaultBenchRow();
    row.name = "statics of the chain, 400 elements, from a straight line";
    row.value = 1e3 * GetMedian(seconds, RUNS);
    row.unit = "ms";
    row.peer = "MoorDyn-C 2.7.1, not in this run: measured once, on another machine";
    row.peerValue = 66e3;
    row.note = "bar 50";
    hwBench_AddRow(context, &row);
}

// Times of single frames, s.
static bool TimeFrames(bool snaps, double* median, double* worst, double* peak, hwError* error) {
    enum { FRAMES = 300 };
    static double each[FRAMES];
    hwWorld* world = hwRig_MakeSnap(snaps, error);
    if (world == NULL) return false;
    int channel = hwWorld_FindChannel(world, "cable.b.tension");
    *worst = *peak = 0.0;
    for (int i = 0; i < FRAMES; ++i) {
        double start = hwRig_GetTime();
        if (hwWorld_Step(world, FRAME, error) < HW_OK) {
            hwDestroyWorld(world);
            return false;
        }
        each[i] = hwRig_GetTime() - start;
        *worst = fmax(*worst, each[i]);
        *peak = fmax(*peak, hwWorld_ReadChannel(world, channel));
    }
    double sum = 0.0;
    for (int i = 0; i < FRAMES; ++i) sum += each[i];
    *median = sum / FRAMES;
    hwDestroyWorld(world);
    return true;
}

static void Snap(hwBenchContext* context) {
    double slack[RUNS], taut[RUNS], worst[RUNS], ignored, peak = 0.0;
    hwError error;
    for (int run = 0; run < RUNS; ++run) {
        if (!TimeFrames(false, &slack[run], &ignored, &ignored, &error) ||
            !TimeFrames(true, &taut[run], &worst[run], &peak, &error)) {
            hwBench_AddError(context, "snap load", &error);
            return;
        }
    }
    double calm = GetMedian(slack, RUNS), mean = GetMedian(taut, RUNS);
    char note[160];
    hwBenchRow row = hwDefaultBenchRow();
    row.name = "snap load at 2 m/s: speed over that of the slack wire";
    row.value = calm / mean;
    row.unit = "1";
    row.moreIsBetter = true;
    snprintf(note, sizeof(note), "50 elements, to %.0f kN; %.0f times real time; bar 0.25", 1e-3 * peak,
             FRAME / mean);
    row.note = note;
    hwBench_AddRow(context, &row);
    row = hwDefaultBenchRow();
    row.name = "the same: worst frame";
    row.value = 1e3 * GetMedian(worst, RUNS);
    row.unit = "ms";
    snprintf(note, sizeof(note), "mean frame %.3g ms", 1e3 * mean);
    row.note = note;
    hwBench_AddRow(context, &row);
}

const hwBench hwCableBenches[] = {
    {"cable-chain", "A mooring chain with its fairlead surging, within 1 % of the converged force.", Chain},
    {"cable-tether", "A vehicle's tether on a slow path in a current, likewise.", Tether},
    {"cable-mujoco", "The same tether beside MuJoCo.", TetherPeer},
    {"cable-statics", "Static equilibrium of a chain from a straight line.", Statics},
    {"cable-snap", "A slack wire that snaps taut.", Snap},
    {0},
};
