// Deck systems as a whole: how many times faster than real time, by processor time, one thread, frames of 1/60 s.
#define _POSIX_C_SOURCE 200809L
#include "bench/bench.h"

#include "hawser/hawser.h"
#include "hawser/scene.h"

#include <math.h>
#include <string.h>
#include <time.h>

#define FRAME (1.0 / 60.0)

// Time of the processor, s: other programs on the machine do not count.
static double GetWork(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// A 10 t load hangs on 3,000 m of steel wire (EA 1e9 N) from a crane with stiff controllers (kp 1e9) on a ship that heaves and
// rolls in a JONSWAP sea; a steel box stands on the ship's steel deck.
static const char heavyLift[] =
    "hawser: 1\n"
    "duration: 600\n"
    "start: {statics: true}\n"
    "environment:\n"
    "  water: {density: 1025}\n"
    "  waves: {jonswap: {hs: 2.5, tp: 9, direction_deg: 150, spreading: 8, seed: 7}, ramp: 20}\n"
    "  current: {profile: {depth: [0, 200, 3000], velocity: [[0.6, 0.2, 0], [0.3, 0.1, 0], [0, 0, 0]]}}\n"
    "  seabed: {depth: 3100}\n"
    "materials:\n"
    "  steel: {young: 200e9, damping: 1e8, friction: {static: 0.4, kinetic: 0.35}}\n"
    "bodies:\n"
    "  - name: ship\n"
    "    motion: {prescribed: {position: {sine: {amplitude: [0, 0, 1], period: 9}}, attitude: {rpy_deg: "
    "{sine: {amplitude: [4, 1, 0], "
    "period: [11, 9, 9]}}}}}\n"
    "    shapes: [{box: [90, 18, 8], position: [0, 0, -1], material: steel}]\n"
    "  - {name: crate, mass: 5000, position: [-10, 0, 4], shapes: [{box: [2, 2, 2], material: steel}]}\n"
    "  - {name: load, mass: 10e3, inertia: [8e3, 8e3, 8e3], position: [0, -17.96, -2990], volume: 1.3, "
    "added_mass: [4e3, 4e3, 4e3, 100, 100, 100], drag: {quadratic: [2e3, 2e3, 2e3, 500, 500, 500]}}\n"
    "mechanisms:\n"
    "  - name: crane\n"
    "    base: {on: ship, position: [0, -8, 3]}\n"
    "    links:\n"
    "      - {name: column, parent: base, joint: revolute, frame: {axis: [0, 0, 1]}, mass: 12e3, com: [0, 0, "
    "3], inertia: [45e3, 45e3, "
    "12e3], q_deg: -90, control: {mode: position, target_deg: -90, kp: 1e9, ki: 1, kd: 1e8, power: 1e5}}\n"
    "      - {name: boom, parent: column, joint: revolute, frame: {position: [0, 0, 6], axis: [0, -1, 0]}, "
    "mass: 5e3, com: [6.5, 0, 0], "
    "inertia: [2e3, 85e3, 85e3], q_deg: 45, control: {mode: position, target_deg: 45, kp: 1e9, ki: 1, kd: "
    "1e8, power: 2e5}}\n"
    "cables:\n"
    "  - name: wire\n"
    "    sections: [{length: 3008, elements: 60, diameter: 0.09, mass_per_length: 35, EA: 1e9, damping: "
    "{axial: 1e7}}]\n"
    "    ends: {a: {on: crane.boom, at: [14, 0, 0]}, b: {on: load, at: [0, 0, 1]}}\n";

static void RunText(hwBenchContext* context, const char* name, const char* text, double duration,
                    const char* note) {
    hwError error = {0};
    hwScene* scene = hwParseScene(text, strlen(text), name, NULL, &error);
    hwWorld* world = scene != NULL ? hwScene_CreateWorld(scene, NULL, &error) : NULL;
    bool good = world != NULL;
    double start = GetWork();
    int frames = (int)round(duration / FRAME);
    for (int i = 0; good && i < frames; ++i) good = hwWorld_Step(world, FRAME, &error) >= HW_OK;
    if (good) {
        hwBenchRow row = hwDefaultBenchRow();
        row.name = name;
        row.value = duration / (GetWork() - start);
        row.unit = "times real time";
        row.moreIsBetter = true;
        row.note = note;
        hwBench_AddRow(context, &row);
    } else {
        hwBench_AddError(context, name, &error);
    }
    hwDestroyWorld(world);
    hwDestroyScene(scene);
}

static void HeavyLift(hwBenchContext* context) {
    RunText(context, "heavy lift: 10 t on 3,000 m of wire, stiff crane, deck contact, JONSWAP sea", heavyLift,
            600.0, "at least 20");
}

extern const hwBench hwDeckBenches[];
const hwBench hwDeckBenches[] = {
    {"deck", "Ten minutes of a crane, its wire and its load on a ship in a sea.", HeavyLift},
    {0},
};
