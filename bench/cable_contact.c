// Cables in contact: a tether between an underwater vehicle's paths, round and over a platform of very many triangles.
#include "bench/bench.h"
#include "bench/cable_rigs.h"
#include "cases/platform_mesh.h"

#include "hawser/hawser.h"

#include <math.h>
#include <stdio.h>

#define ELEMENTS 50
#define DURATION 60.0 // s

typedef struct Rig {
    hwWorld* world;
    hwCableId tether;
} Rig;

// Over a horizontal brace at z = 0 and round a leg; one end swims about within half a metre in eight seconds.
static bool MakeRig(const hwShapeDef* shape, bool touching, Rig* rig, hwError* error) {
    hwWorldDef worldDef = hwDefaultWorldDef();
    rig->world = hwCreateWorld(&worldDef, error);
    if (rig->world == NULL) return false;
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    sea.surface = 10.0;
    hwSignalTerm current[2] = {hwConstantTerm(hwMakeVec3(0.2, 0.2, 0.0)),
                               hwSineTerm(hwMakeVec3(0.1, 0.1, 0.0), 60.0, 0.0)};
    sea.current.uniform = (hwSignal){.termCount = 2, .terms = current};
    if (hwWorld_SetEnvironment(rig->world, &sea, error) != HW_OK) return false;
    hwBodyDef body = hwDefaultBodyDef();
    body.name = "platform";
    body.mass = 1.0;
    for (int i = 0; i < 3; ++i) body.inertia[i] = 1.0;
    body.motion = HW_MOTION_FIXED;
    body.shapeCount = 1;
    body.shapes = shape;
    if (HW_IS_NULL(hwWorld_AddBody(rig->world, &body, error))) return false;
    hwVec3 points[5] = {
        {0.0, -12.0, -3.0}, {0.0, -6.0, 0.25}, {4.0, -4.0, -2.0}, {5.3, -5.3, -3.0}, {9.0, -7.0, -5.0}};
    double length = 0.0;
    for (int i = 0; i < 4; ++i) length += 1.02 * hwDistance(points[i], points[i + 1]);
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = length;
    section.elements = ELEMENTS;
    section.diameter = 0.02;
    section.massPerLength = 0.36; // 40 g/m heavier than water
    section.EA = 1e5;
    section.axialDamping = 1e3;
    hwSignalTerm swim[2] = {hwConstantTerm(points[4]), hwSineTerm(hwMakeVec3(0.5, 0.3, 0.3), 8.0, 0.0)};
    hwCableDef def = hwDefaultCableDef();
    def.name = "tether";
    def.sectionCount = 1;
    def.sections = &section;
    def.ends[0] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .at = points[0]};
    def.ends[1] =
        (hwCableEndDef){.joint = HW_ATTACH_PIN, .at = points[4], .path = {.termCount = 2, .terms = swim}};
    def.shape = HW_CABLE_POINTS;
    def.pointCount = 5;
    def.points = points;
    rig->tether = hwWorld_AddCable(rig->world, &def, error);
    if (HW_IS_NULL(rig->tether)) return false;
    if (!touching && hwWorld_IgnoreContact(rig->world, "tether", "platform", error) != HW_OK) return false;
    return hwWorld_Prepare(rig->world, error) == HW_OK;
}

// Times real time, and contacts on average.
static bool Run(const hwShapeDef* shape, bool touching, double* speed, double* contacts, hwError* error) {
    Rig rig = {0};
    bool done = MakeRig(shape, touching, &rig, error);
    for (int i = 0; i < 120 && done; ++i) done = hwWorld_Step(rig.world, 1.0 / 60.0, error) >= HW_OK;
    int count = hwWorld_FindChannel(rig.world, "tether.contact.count"), frames = (int)(DURATION * 60.0);
    double start = hwRig_GetTime(), sum = 0.0, reading = 0.0;
    for (int i = 0; i < frames && done; ++i) {
        done = hwWorld_Step(rig.world, 1.0 / 60.0, error) >= HW_OK;
        if (i % 60 != 0) continue;
        double before = hwRig_GetTime();
        sum += hwWorld_ReadChannel(rig.world, count) / DURATION;
        reading += hwRig_GetTime() - before;
    }
    *speed = DURATION / (hwRig_GetTime() - start - reading);
    *contacts = sum;
    hwDestroyWorld(rig.world);
    return done;
}

static void BenchMesh(hwBenchContext* context) {
    const struct { int sides, rings; } sizes[] = {{16, 4}, {48, 36}};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); ++i) {
        hwMeshData mesh;
        if (!hwMakePlatform(sizes[i].sides, sizes[i].rings, &mesh)) return;
        hwShapeDef shape = hwDefaultShapeDef();
        shape.kind = HW_SHAPE_MESH;
        shape.mesh = mesh;
        for (int touching = 1; touching >= 0; --touching) {
            hwError error;
            double speed, contacts;
            char name[96], note[96];
            snprintf(name, sizeof(name), "tether of 50 elements %s a mesh of %d triangles",
                     touching ? "on" : "through", mesh.triangleCount);
            bool done = Run(&shape, touching, &speed, &contacts, &error);
            if (!done) {
                hwBench_AddError(context, name, &error);
                continue;
            }
            hwBenchRow row = hwDefaultBenchRow();
            row.name = name;
            row.value = speed;
            row.unit = "x real time";
            row.moreIsBetter = true;
            snprintf(note, sizeof(note),
                     "%.1f elements touch on average, with friction; frames of 1/60 s; processor time",
                     contacts);
            row.note = touching ? note : "the same without contact";
            hwBench_AddRow(context, &row);
        }
        hwFreePlatform(&mesh);
    }
}

// A tether of 75 elements of 2 m that is wound round a pile of 0.4 m while its end goes round it slowly, a winch at the other end
// holding 20 N: the time from half a turn to two turns and a half.
static hwWorld* MakeWound(double period, hwError* error) {
    hwWorldDef worldDef = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&worldDef, error);
    if (world == NULL) return NULL;
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    sea.surface = 10.0;
    hwMaterialDef material = hwDefaultMaterialDef();
    material.name = "default";
    material.staticFriction = material.kineticFriction = 0.1;
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = HW_SHAPE_CYLINDER;
    shape.radius = 0.2;
    shape.length = 12.0;
    hwBodyDef body = hwDefaultBodyDef();
    body.name = "pile";
    body.mass = 1.0;
    for (int i = 0; i < 3; ++i) body.inertia[i] = 1.0;
    body.motion = HW_MOTION_FIXED;
    body.shapeCount = 1;
    body.shapes = &shape;
    hwVec3 a = {-142.0, 6.0, 0.6}, b = {0.0, 8.0, -0.2};
    hwSignalTerm path[4] = {hwConstantTerm(hwMakeVec3(0.0, 0.0, b.z)),
                            hwSineTerm(hwMakeVec3(8.0, 0.0, 0.0), period, 0.0),
                            hwSineTerm(hwMakeVec3(0.0, 8.0, 0.0), period, 0.5 * HW_PI),
                            hwRampTerm(hwVec3_zero, hwMakeVec3(0.0, 0.0, -0.3), 0.0, 10.0 * period)};
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = hwDistance(a, b);
    section.elements = (int)(0.5 * section.length + 0.5);
    section.diameter = 0.0076;
    section.massPerLength = 0.047;
    section.EA = 5e4;
    section.EI = 0.015;
    section.axialDamping = 100.0;
    hwCableDef def = hwDefaultCableDef();
    def.name = "tether";
    def.sectionCount = 1;
    def.sections = &section;
    def.reserve[0] = 20.0;
    def.ends[0] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .at = a};
    def.ends[1] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .at = b, .path = {.termCount = 4, .terms = path}};
    hwSignalTerm pull = hwConstantTerm(hwMakeVec3(20.0, 0.0, 0.0));
    hwWinchDef winch = hwDefaultWinchDef();
    winch.name = "winch";
    winch.mode = HW_WINCH_TENSION;
    winch.kp = 0.05;
    winch.acceleration = 5.0;
    winch.deceleration = -5.0;
    winch.setpoint = (hwSignal){1, &pull};
    bool done = hwWorld_SetEnvironment(world, &sea, error) == HW_OK &&
                hwWorld_AddMaterial(world, &material, error) == HW_OK &&
                !HW_IS_NULL(hwWorld_AddBody(world, &body, error));
    if (done) winch.cable = hwWorld_AddCable(world, &def, error);
    done = done && !HW_IS_NULL(winch.cable) && !HW_IS_NULL(hwWorld_AddWinch(world, &winch, error)) &&
           hwWorld_Prepare(world, error) == HW_OK;
    if (done) return world;
    hwDestroyWorld(world);
    return NULL;
}

static void BenchWound(hwBenchContext* context) {
    const char* name = "tether of 71 elements wound twice round a pile";
    const double period = 60.0;
    hwError error;
    hwWorld* world = MakeWound(period, &error);
    bool done = world != NULL;
    double start = 0.0, begin = 0.0, end = 2.75 * period, wrap = 0.0;
    for (int i = 0; done && i / 60.0 < end; ++i) {
        if (i / 60.0 >= 0.75 * period && start == 0.0) start = hwRig_GetTime(), begin = i / 60.0;
        done = hwWorld_Step(world, 1.0 / 60.0, &error) >= HW_OK;
    }
    double spent = hwRig_GetTime() - start;
    if (done) wrap = hwWorld_ReadChannel(world, hwWorld_FindChannel(world, "tether.wrap"));
    hwDestroyWorld(world);
    if (!done) {
        hwBench_AddError(context, name, &error);
        return;
    }
    hwBenchRow row = hwDefaultBenchRow();
    char note[128];
    snprintf(note, sizeof(note),
             "sliding on it, from half a turn to %.2f turns; frames of 1/60 s; wanted: 60",
             wrap / (2.0 * HW_PI));
    row.name = name;
    row.value = (end - begin) / spent;
    row.unit = "x real time";
    row.moreIsBetter = true;
    row.note = note;
    hwBench_AddRow(context, &row);
}

const hwBench hwCableContactBenches[] = {
    {"contact/tether", "A tether on the mesh of a platform, contacts and friction included.", BenchMesh},
    {"contact/wound", "A tether of long elements that is wound round a pile.", BenchWound},
    {NULL, NULL, NULL},
};
