// Fifty metres of slack tether that sink into a heap across a jacket's lowest brace and beside its legs: contact with a mesh, with
// the bottom and with itself, no tension anywhere.
#include "bench/bench.h"
#include "bench/cable_rigs.h"
#include "cases/platform_mesh.h"

#include "hawser/hawser.h"

#include <math.h>
#include <stdio.h>

#define COIL_POINTS 8 // of one coil
#define MOST_POINTS (17 * COIL_POINTS)
#define BOTTOM -24.3 // m, just below the brace
#define BAR 20.0     // times real time

typedef struct Heap {
    const char* name;
    hwVec3 (*place)(int i);
    int points;
    double duration; // s
} Heap;

// To and fro across the brace at y = -6 m, each turn beside the last.
static hwVec3 PlaceTurn(int i) {
    return hwMakeVec3(-2.0 + 0.45 * i, i % 2 == 0 ? -8.7 : -3.3, -22.5 - 0.05 * i);
}

// Coils of 1 m across, one above the other: they fall onto one another.
static hwVec3 PlaceCoil(int i) {
    double angle = 2.0 * HW_PI * i / COIL_POINTS;
    return hwMakeVec3(0.5 * hwCos(angle), -6.0 + 0.5 * hwSin(angle), -23.5 + 0.1 * i / COIL_POINTS);
}

static const Heap g_heaps[] = {
    {"50 m of slack tether across a jacket's brace", PlaceTurn, 10, 20.0},
    {"50 m of slack tether in coils on a jacket's brace", PlaceCoil, 17 * COIL_POINTS, 5.0},
};

static hwWorld* MakeHeap(const Heap* heap, const hwShapeDef* jacket, hwError* error) {
    hwWorldDef def = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&def, error);
    if (world == NULL) return NULL;
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    sea.surface = 10.0;
    sea.seabed.kind = HW_SEABED_PLANE;
    sea.seabed.depth = sea.surface - BOTTOM;
    hwBodyDef body = hwDefaultBodyDef();
    body.name = "jacket";
    body.mass = 1.0;
    for (int i = 0; i < 3; ++i) body.inertia[i] = 1.0;
    body.motion = HW_MOTION_FIXED;
    body.shapeCount = 1;
    body.shapes = jacket;
    hwVec3 points[MOST_POINTS];
    double length = 0.0;
    for (int i = 0; i < heap->points; ++i) {
        points[i] = heap->place(i);
        if (i > 0) length += hwDistance(points[i - 1], points[i]);
    }
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = length;
    section.elements = 100;
    section.diameter = 0.012;
    section.massPerLength = 0.18; // 67 g/m heavier than water
    section.EA = 1e5;
    section.axialDamping = 1e3;
    section.EI = 0.02;
    hwCableDef tether = hwDefaultCableDef();
    tether.name = "tether";
    tether.sectionCount = 1;
    tether.sections = &section;
    tether.shape = HW_CABLE_POINTS;
    tether.pointCount = heap->points;
    tether.points = points;
    tether.ends[0] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .at = points[0]};
    tether.ends[1] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .at = points[heap->points - 1]};
    bool good = hwWorld_SetEnvironment(world, &sea, error) == HW_OK &&
                !HW_IS_NULL(hwWorld_AddBody(world, &body, error)) &&
                !HW_IS_NULL(hwWorld_AddCable(world, &tether, error)) &&
                hwWorld_Prepare(world, error) == HW_OK;
    if (good) return world;
    hwDestroyWorld(world);
    return NULL;
}

static void TimeHeap(hwBenchContext* context, const Heap* heap, const hwShapeDef* jacket) {
    hwError error;
    char note[200];
    hwWorld* world = MakeHeap(heap, jacket, &error);
    bool good = world != NULL;
    double start = hwRig_GetTime();
    for (int i = 0; i < (int)(heap->duration * 60.0) && good; ++i)
        good = hwWorld_Step(world, 1.0 / 60.0, &error) >= HW_OK;
    double spent = hwRig_GetTime() - start;
    if (good) {
        hwCounters counters = hwWorld_GetCounters(world);
        hwBenchRow row = hwDefaultBenchRow();
        row.name = heap->name;
        row.value = heap->duration / spent;
        row.unit = "x real time";
        row.moreIsBetter = true;
        snprintf(note, sizeof(note),
                 "%g s, 100 elements, %g places touch in the end; %llu steps, %llu iterations; bar %g",
                 heap->duration,
                 hwWorld_ReadChannel(world, hwWorld_FindChannel(world, "tether.contact.count")),
                 (unsigned long long)counters.steps, (unsigned long long)counters.iterations, BAR);
        row.note = note;
        hwBench_AddRow(context, &row);
    } else {
        hwBench_AddError(context, heap->name, &error);
    }
    if (world != NULL) hwDestroyWorld(world);
}

static void Slack(hwBenchContext* context) {
    hwMeshData mesh;
    if (!hwMakePlatform(16, 4, &mesh)) return;
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = HW_SHAPE_MESH;
    shape.mesh = mesh;
    for (int i = 0; i < 2; ++i) TimeHeap(context, &g_heaps[i], &shape);
    hwFreePlatform(&mesh);
}

const hwBench hwSlackBenches[] = {
    {"scale-slack", "Slack tether in a heap among a jacket's bars.", Slack},
    {0},
};
