// Peaks and rows: what is read of a run must not depend on how often it is read.
#include "cases/cable_run.h"
#include "hawser/extremes.h"
#include "hawser/scene.h"

#include <math.h>
#include <stdio.h>

// 60 m of chain from an anchor on the bottom, 40 m deep, to a fairlead that heaves and surges so fast that the line goes slack
// and snaps taut.
static const double duration = 12.0;

typedef struct Watch {
    hwExtremes* extremes;
    int channel;
    double interval;
    int64_t count;
    double largest; // of the rows
} Watch;

static void Observe(const hwWorld* world, void* context) {
    Watch* watch = context;
    double value = hwWorld_ReadChannel(world, watch->channel);
    hwExtremes_Add(watch->extremes, hwWorld_GetTime(world), &value);
}

static double ReadRow(const hwWorld* world, void* context) {
    Watch* watch = context;
    watch->largest = fmax(watch->largest, hwWorld_ReadChannel(world, watch->channel));
    watch->count += 1;
    return watch->interval * (double)watch->count;
}

typedef struct Peak {
    double largest, time, mean, ofRows;
    uint64_t hash;
} Peak;

static Peak RunMooring(hwCaseContext* context, bool reference, double tolerance, double interval) {
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    sea.seabed.kind = HW_SEABED_PLANE;
    sea.seabed.depth = 40.0;
    sea.seabed.stiffness = 1e5;
    sea.seabed.damping = 1e4;
    hwCaseRun run;
    hwCableRun_Begin(&run, context, reference, &sea, tolerance, true);
    hwCableSectionDef section = hwMakeSection(60.0, 20, 0.04, 30.0, 5e7);
    section.compression = 1e-3;
    section.dragNormal = 1.6;
    section.addedNormal = 1.0;
    section.axialDamping = 2e5;
    hwSignalTerm heave[2] = {hwConstantTerm(hwMakeVec3(38.0, 0.0, 0.0)),
                             hwSineTerm(hwMakeVec3(1.0, 0.0, 2.5), 4.0, -0.5 * HW_PI)};
    hwCableDef line =
        hwMakeLine(&section, hwPinOnEarth(hwMakeVec3(0.0, 0.0, -40.0)), hwPinOnEarth(hwVec3_zero));
    line.ends[1].path = (hwSignal){2, heave};
    hwCaseRun_AddCable(&run, &line);
    hwCaseRun_Prepare(&run);
    Peak peak = {(double)NAN, (double)NAN, (double)NAN, (double)NAN, 0};
    Watch watch = {.interval = interval, .largest = -HUGE_VAL};
    if (!run.failed) {
        watch.extremes = hwCreateExtremes(1, &run.error);
        watch.channel = hwWorld_FindChannel(run.world, "line.b.tension");
        run.failed = watch.extremes == NULL || watch.channel < 0;
    }
    if (!run.failed) {
        if (!reference) hwScene_UseRunSolver(run.world);
        Observe(run.world, &watch);
        hwWorld_SetObserver(run.world, Observe, &watch);
        run.failed = hwWorld_SetSampler(run.world, 0.0, ReadRow, &watch, &run.error) != HW_OK ||
                     hwWorld_Step(run.world, duration, &run.error) < HW_OK;
        hwExtreme extreme;
        hwExtremes_Get(watch.extremes, &extreme);
        peak =
            (Peak){extreme.max, extreme.maxTime, extreme.mean, watch.largest, hwWorld_HashState(run.world)};
    }
    hwDestroyExtremes(watch.extremes);
    hwCaseRun_End(&run);
    return peak;
}

static void SnappingMooring(hwCaseContext* context) {
    Peak exact = RunMooring(context, true, 1e-8, 1.0), a = RunMooring(context, true, 1e-6, 0.1);
    const double intervals[3] = {0.5, 0.1, 0.02};
    Peak b[3];
    for (int k = 0; k < 3; ++k) {
        char name[80], note[120];
        b[k] = RunMooring(context, false, 0.0, intervals[k]);
        snprintf(name, sizeof(name), "largest tension, rows of %g s, N", intervals[k]);
        snprintf(note, sizeof(note), "of the rows alone: %.0f N", b[k].ofRows);
        // 1e-6 and 5e-4 a step, of which some hundreds lead to the snap
        hwCase_Compare(context, name, exact.largest, HW_NO_SEED, a.largest, b[k].largest, 3e-4, 1e-2, note);
    }
    hwCase_Compare(context, "its time, s", exact.time, HW_NO_SEED, a.time, b[0].time, 1e-4, 2e-3, "");
    hwCase_Compare(context, "mean tension, N", exact.mean, HW_NO_SEED, a.mean, b[0].mean, 1e-4, 2e-3, "");
    double same = b[0].hash == b[1].hash && b[0].hash == b[2].hash ? 1.0 : 0.0;
    hwCase_Check(context, HW_MADE_REALTIME, "states with the same bits, 1: all", 1.0, same, 0.0,
                 "after runs with rows of 0.5, 0.1 and 0.02 s");
}

const hwCase hwRowCases[] = {
    {"rows/mooring-peak", "reference solver at 1e-8",
     "A mooring line that snaps taut, read in rows of three lengths.", SnappingMooring},
    {0},
};
