// Vehicles with everything on: a work-class one with arms, 300 m of tether, sensors, autopilot and an imaging sonar ten times a second; a
// BlueROV2 Heavy with its sensors and autopilot on 150 m of tether.
#define _POSIX_C_SOURCE 200809L
#include "bench/bench.h"
#include "hawser/hawser.h"
#include "hawser/scene.h"
#include "hawser/sonar.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define STEP (1.0 / 60.0)
#define SPAN 30.0 // s
#define PING 6    // steps between two pings

static double GetWork(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Garage and vehicle as in scenes/work_class_rov.yaml, the garage held; a panel and a pipe before the sonar.
static const char g_text[] =
    "hawser: 1\nduration: 100\n"
    "environment:\n  water: {density: 1025}\n  current: {uniform: [0.3, 0.1, 0]}\n  seabed: {depth: 290}\n"
    "bodies:\n  - {name: garage, motion: fixed, position: [0, -13, -250]}\n"
    "  - {name: panel, motion: fixed, position: [120, -13, -276], shapes: [{box: [0.3, 2, 2]}]}\n"
    "  - {name: pipe, motion: fixed, position: [118, -8, -285], shapes: [{cylinder: [0.3, 20], attitude: "
    "{rpy_deg: [0, 90, "
    "0]}}]}\n"
    "vehicles:\n  - {name: rov, model: work_class_rov, position: [110, -13, -276], armed: true, mode: "
    "station}\n"
    "cables:\n  - name: tether\n"
    "    sections: [{length: 300, elements: 60, diameter: 0.03, density: 1025, EA: 5e5, EI: 5, damping: "
    "{axial: 2e3}, "
    "element_length: {min: 2, max: 8}}]\n"
    "    ends: {a: {on: garage, at: [1.7, 0, 0.85]}, b: {on: rov, at: tether}}\n"
    "winches:\n  - {name: drum, cable: tether, end: a, mode: velocity, setpoint: 0, longest: 320}\n";

static void WorkClass(hwBenchContext* context) {
    static const char name[] = "work-class ROV, arms, 300 m of tether, sonar at 10 Hz, sensors, autopilot";
    hwError error;
    hwScene* scene = hwParseScene(g_text, strlen(g_text), "bench", NULL, &error);
    hwWorld* world = scene != NULL ? hwScene_CreateWorld(scene, NULL, &error) : NULL;
    hwDestroyScene(scene);
    hwSonarDef sonar = hwDefaultSonarDef();
    float* image = calloc((size_t)sonar.beams * (size_t)sonar.bins, sizeof(float));
    hwStatus status = world != NULL && image != NULL ? HW_OK : HW_ERROR_MEMORY;
    double start = 0.0, pinging = 0.0;
    if (status == HW_OK) {
        sonar.body = hwWorld_FindBody(world, "rov");
        sonar.position = hwMakeVec3(1.2, 0.0, 0.3);
        int shoulder = hwWorld_FindInput(world, "rov.arm.shoulder.target");
        int tip = hwWorld_FindInput(world, "rov.arm.tool.y");
        start = GetWork();
        for (int i = 0; i < (int)(SPAN / STEP + 0.5) && status >= HW_OK; ++i) {
            // the arm is never at rest
            if (i % 120 == 0) hwWorld_SetInput(world, shoulder, i % 240 == 0 ? 0.6 : 1.0, NULL);
            if (i == 900) hwWorld_SetInput(world, tip, 0.3, NULL);
            if (i == 1200) hwWorld_SetInput(world, tip, -0.3, NULL);
            status = hwWorld_Step(world, STEP, &error);
            if (i % PING != 0 || status < HW_OK) continue;
            double before = GetWork();
            status = hwWorld_UpdateQueries(world, &error);
            if (status >= HW_OK) status = hwWorld_PingSonar(world, &sonar, (uint64_t)i, image, &error);
            pinging += GetWork() - before;
        }
    }
    double spent = GetWork() - start;
    free(image);
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
    snprintf(note, sizeof(note), "one core; the sonar takes %.0f %% of it, %.2g ms a ping; wanted: 20",
             100.0 * pinging / spent, 1e3 * pinging / (SPAN / STEP / PING));
    row.note = note;
    hwBench_AddRow(context, &row);
}

// Keeping station, going along a route, and turning, in a current over a bottom that DVL and altimeter see; all instruments of its file are on.
static const char g_heavyText[] =
    "hawser: 1\nduration: 100\n"
    "environment:\n  water: {density: 1025}\n  current: {uniform: [0.2, 0.1, 0]}\n  seabed: {depth: 20}\n"
    "vehicles:\n  - {name: rov, model: bluerov2_heavy, position: [40, 0, -8], armed: true, mode: station, "
    "route: [[50, 5, "
    "-12], [40, 10, "
    "-6]]}\n"
    "cables:\n  - name: tether\n"
    "    sections: [{length: 150, elements: 40, diameter: 0.0076, density: 1025, EA: 5e4, EI: 0.05, damping: "
    "{axial: 300}, element_length: {min: 1, max: 6}}]\n"
    "    ends: {a: {on: earth, at: [0, 0, 0]}, b: {on: rov, at: tether}}\n";

static void Heavy(hwBenchContext* context) {
    static const char name[] = "BlueROV2 Heavy, 150 m of tether, sensors, autopilot";
    hwError error;
    hwScene* scene = hwParseScene(g_heavyText, strlen(g_heavyText), "bench", NULL, &error);
    hwWorld* world = scene != NULL ? hwScene_CreateWorld(scene, NULL, &error) : NULL;
    hwDestroyScene(scene);
    hwStatus status = world != NULL ? HW_OK : HW_ERROR_MODEL;
    double start = GetWork();
    if (status == HW_OK) {
        int mode = hwWorld_FindInput(world, "rov.mode"), yaw = hwWorld_FindInput(world, "rov.pilot.yaw");
        for (int i = 0; i < (int)(SPAN / STEP + 0.5) && status >= HW_OK; ++i) {
            if (i == 400) hwWorld_SetInput(world, mode, HW_MODE_ROUTE, NULL);
            if (i == 1200) hwWorld_SetInput(world, mode, HW_MODE_HOLD, NULL);
            if (i == 1200) hwWorld_SetInput(world, yaw, 0.5, NULL);
            status = hwWorld_Step(world, STEP, &error);
        }
    }
    double spent = GetWork() - start;
    hwDestroyWorld(world);
    if (status < HW_OK) {
        hwBench_AddError(context, name, &error);
        return;
    }
    hwBenchRow row = hwDefaultBenchRow();
    row.name = name;
    row.value = SPAN / spent;
    row.unit = "times real time";
    row.moreIsBetter = true;
    row.note = "one core; wanted: 65";
    hwBench_AddRow(context, &row);
}

const hwBench hwVehicleBenches[] = {
    {"vehicle-heavy", "A BlueROV2 Heavy on its tether with all its instruments.", Heavy},
    {"vehicle-work-class", "A work-class vehicle with everything on.", WorkClass},
    {NULL, NULL, NULL}};
