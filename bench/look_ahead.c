// Looks ahead of 30 s from a flight among piles: a BlueROV2 with its sensors and autopilot on 150 m of tether in 75 elements, watched,
// led round a pile.
#define _POSIX_C_SOURCE 200809L
#include "bench/bench.h"
#include "hawser/hawser.h"
#include "hawser/look_ahead.h"
#include "hawser/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define ROUNDS 3 // the least of so many is told
#define AHEAD 30.0

static const char g_text[] =
    "hawser: 1\nduration: 100\n"
    "environment: {water: {density: 1025}, current: {uniform: [0.1, 0.05, 0]}, seabed: {depth: 20}}\n"
    "materials: {plastic: {young: 2e9, friction: {static: 0.3, kinetic: 0.25}}}\n"
    "bodies:\n"
    "  - {name: north, motion: fixed, position: [100, 0, -10], shapes: [{cylinder: {radius: 0.4, length: "
    "24}, "
    "material: plastic}]}\n"
    "  - {name: south, motion: fixed, position: [104, -5, -10], shapes: [{cylinder: {radius: 0.4, length: "
    "24}, "
    "material: plastic}]}\n"
    "  - {name: east, motion: fixed, position: [104, 5, -10], shapes: [{cylinder: {radius: 0.4, length: 24}, "
    "material: plastic}]}\n"
    "vehicles:\n  - {name: rov, model: bluerov2_heavy, position: [101, 2, -8], armed: true, mode: station}\n"
    "cables:\n  - name: tether\n"
    "    sections: [{length: 150, elements: 75, type: rov_tether_7_6, material: plastic, element_length: "
    "{min: "
    "0.7, max: 3}}]\n"
    "    ends: {a: {on: earth, at: [0, 0, -0.5]}, b: {on: rov, at: tether}}\n"
    "entanglement: [{cable: tether}]\n";

static double GetWork(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void MeasureLook(hwBenchContext* context, const hwWorld* world, bool wrap) {
    const char* name = wrap ? "look-ahead of 30 s, wrap, vehicle included"
                            : "look-ahead of 30 s, dynamic tether of 75 elements, vehicle included";
    hwError error;
    int x = hwWorld_FindInput(world, "rov.hold.x"), y = hwWorld_FindInput(world, "rov.hold.y");
    // behind the first pile and back before it
    const hwCommandAhead commands[] = {{0.0, x, 102.0}, {0.0, y, 0.0},   {6.0, x, 101.0},  {6.0, y, -2.0},
                                       {12.0, x, 98.0}, {12.0, y, -1.0}, {20.0, x, 101.0}, {20.0, y, 2.0}};
    hwLookAheadDef def = hwDefaultLookAheadDef();
    def.duration = AHEAD;
    def.step = wrap ? 0.1 : 1.0 / 60.0;
    def.commandCount = (int)(sizeof(commands) / sizeof(commands[0]));
    def.commands = commands;
    def.cable = hwWorld_FindCable(world, "tether");
    def.body = hwWorld_FindBody(world, "rov");
    def.wrap = wrap;
    double best = HUGE_VAL;
    hwLookAhead ahead;
    for (int r = 0; r < ROUNDS; ++r) {
        double start = GetWork();
        if (hwWorld_LookAhead(world, 1, &def, &ahead, &error) != HW_OK || ahead.status != HW_OK) {
            hwBench_AddError(context, name, &error);
            return;
        }
        best = fmin(best, GetWork() - start);
    }
    char note[120];
    snprintf(note, sizeof(note),
             "bar %s; one core, steps of %.3g s; wound after %.1f s, would hang after %.1f s",
             wrap ? "50" : "1000", def.step, ahead.wound - hwWorld_GetTime(world),
             ahead.caught - hwWorld_GetTime(world));
    hwBenchRow row = hwDefaultBenchRow();
    row.name = name;
    row.value = 1e3 * best;
    row.unit = "ms";
    row.note = note;
    hwBench_AddRow(context, &row);
}

static void LookAhead(hwBenchContext* context) {
    hwError error;
    hwScene* scene = hwParseScene(g_text, strlen(g_text), "bench", NULL, &error);
    hwWorld* world = scene != NULL ? hwScene_CreateWorld(scene, NULL, &error) : NULL;
    hwDestroyScene(scene);
    hwStatus status = world != NULL ? HW_OK : HW_ERROR_MODEL;
    for (int i = 0; i < 120 && status >= HW_OK; ++i) status = hwWorld_Step(world, 1.0 / 60.0, &error);
    if (status < HW_OK) {
        hwBench_AddError(context, "look-ahead", &error);
    } else {
        MeasureLook(context, world, true);
        MeasureLook(context, world, false);
    }
    hwDestroyWorld(world);
}

const hwBench hwLookAheadBenches[] = {
    {"look-ahead", "30 s ahead of a vehicle on its tether, with both models.", LookAhead},
    {0},
};
