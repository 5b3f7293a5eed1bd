// Cost of one Newton iteration of a cable per node, for 20 to 2,000 nodes: forces, matrix, factors and solution by
// themselves, and all that a step of the world does divided by its iterations.
#include "bench/bench.h"
#include "bench/cable_rigs.h"
#include "cable/cable.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 9         // the least of so many is told, all sizes taking turns
#define FRAME (1.0 / 60) // s
#define SPACING 2.0      // m, elements of cables of any number of nodes

static const int sizes[] = {20, 100, 500, 2000};
#define SIZES ((int)(sizeof(sizes) / sizeof(sizes[0])))

typedef struct Kind {
    const char* name;
    double EI, GJ; // N m2
    double bar;    // us
} Kind;

static const Kind kinds[] = {
    {"without bending", 0.0, 0.0, 0.2},
    {"with bending", 0.5, 0.0, 0.3},
    {"with bending and torsion", 0.5, 0.5, 0.3},
};
#define KINDS ((int)(sizeof(kinds) / sizeof(kinds[0])))

static void AddTime(hwBenchContext* context, const char* name, double seconds, double bar) {
    char note[64];
    hwBenchRow row = hwDefaultBenchRow();
    row.name = name;
    row.value = 1e6 * seconds;
    row.unit = "us";
    snprintf(note, sizeof(note), "bar %g", bar);
    row.note = note;
    hwBench_AddRow(context, &row);
}

static void AddRatio(hwBenchContext* context, const char* name, const double* seconds, const char* note) {
    double low = HUGE_VAL, high = 0.0;
    for (int i = 0; i < SIZES; ++i) {
        low = fmin(low, seconds[i]);
        high = fmax(high, seconds[i]);
    }
    hwBenchRow row = hwDefaultBenchRow();
    row.name = name;
    row.value = high / low;
    row.unit = "1";
    row.note = note;
    hwBench_AddRow(context, &row);
}

// The iteration by itself --------------------------------------------------------------------------------------------

typedef struct Bare {
    hwCableModel model;
    hwCableState state;
    hwCableWork work;
    hwCableInput input;
    hwFluidSample* fluid;
    hwVec3 *rhs, *increment;
    void* memory;
} Bare;

static void Layout(Bare* b, const hwCableSpec* spec, hwArena* arena) {
    hwCableModel_Layout(&b->model, spec, arena);
    hwCableState_Layout(&b->state, &b->model, arena);
    hwCableWork_Layout(&b->work, &b->model, arena);
    b->fluid = HW_TAKE(arena, hwFluidSample, b->model.nodeCapacity);
    b->rhs = HW_TAKE(arena, hwVec3, b->model.nodeCapacity);
    b->increment = HW_TAKE(arena, hwVec3, b->model.nodeCapacity);
}

// A wavy cable under water, held at both ends; with torsion, clamped there.
static bool MakeBare(Bare* b, int nodes, const Kind* kind) {
    hwCableSection section = {.length = SPACING * (nodes - 1),
                              .elements = nodes - 1,
                              .diameter = HW_TETHER_DIAMETER,
                              .massPerLength = 0.0465,
                              .EA = 1e5,
                              .EI = kind->EI,
                              .GJ = kind->GJ,
                              .axialDamping = 10.0,
                              .dragNormal = HW_TETHER_DRAG,
                              .dragTangential = HW_TETHER_FRICTION,
                              .addedNormal = 1.0,
                              .compression = 1e-3,
                              .breakTension = HUGE_VAL};
    hwCableSpec spec = {.name = "cable", .sectionCount = 1, .sections = &section};
    memset(b, 0, sizeof(*b));
    hwArena arena = {NULL, 0};
    Layout(b, &spec, &arena);
    b->memory = aligned_alloc(64, (arena.used + 63) / 64 * 64);
    if (b->memory == NULL) return false;
    memset(b->memory, 0, arena.used);
    arena.base = b->memory;
    arena.used = 0;
    Layout(b, &spec, &arena);
    hwCableState_Start(&b->state, &b->model, hwVec3_zero, hwMakeVec3(0.95 * section.length, 0, 0));
    for (int i = 0; i < nodes; ++i) {
        b->state.position[i].z = -20.0 + 2.0 * sin(0.3 * i);
        b->state.position[i].y = 1.5 * cos(0.2 * i);
        b->state.velocity[i] = hwMakeVec3(0.1 * sin(0.5 * i), 0.2 * cos(0.4 * i), 0.1);
        b->fluid[i] =
            (hwFluidSample){.velocity = {0.5, 0.0, 0.0}, .density = 1025.0, .normal = {0.0, 0.0, 1.0}};
        b->rhs[i] = hwMakeVec3(1.0, -0.5, 0.2);
    }
    hwCableWork_Refresh(&b->work, &b->model, &b->state);
    b->input = (hwCableInput){.fluid = b->fluid,
                              .gravity = 9.81,
                              .waterDensity = 1025.0,
                              .airDensity = 1.2,
                              .matrix = true,
                              .hd = 0.005};
    for (int end = 0; end < 2; ++end) {
        b->input.ends[end] = (hwCableEnd){.kind = kind->GJ > 0.0 ? HW_CABLE_CLAMP : HW_CABLE_PIN,
                                          .tangent = {1.0, 0.0, 0.0},
                                          .normal = {0.0, 1.0, 0.0}};
    }
    return true;
}

// Seconds per node of some iterations.
static double TimeBare(Bare* b) {
    int nodes = b->state.core->nodes, repeats = 200000 / nodes;
    double separators[2][6] = {{0}}, start = hwRig_GetTime();
    for (int k = 0; k < repeats; ++k) {
        hwCableWork_Evaluate(&b->work, &b->state, &b->input);
        hwCableWork_Factor(&b->work, NULL, 0);
        hwCableWork_Reduce(&b->work, b->rhs, NULL, NULL);
        hwCableWork_Solve(&b->work, separators, b->increment);
    }
    return (hwRig_GetTime() - start) / repeats / nodes;
}

static void MeasureBare(hwBenchContext* context, const Kind* kind) {
    Bare bare[SIZES];
    double least[SIZES];
    char name[96];
    for (int i = 0; i < SIZES; ++i) {
        least[i] = HUGE_VAL;
        if (!MakeBare(&bare[i], sizes[i], kind)) abort();
    }
    for (int round = 0; round < ROUNDS; ++round) {
        for (int i = 0; i < SIZES; ++i) least[i] = fmin(least[i], TimeBare(&bare[i]));
    }
    for (int i = 0; i < SIZES; ++i) {
        snprintf(name, sizeof(name), "Newton iteration per node, %s, %d nodes", kind->name, sizes[i]);
        AddTime(context, name, least[i], kind->bar);
        free(bare[i].memory);
    }
    snprintf(name, sizeof(name), "the same, %s: most over least", kind->name);
    AddRatio(context, name, least, "force, matrix, factors and solution, 20 to 2000 nodes; bar 1.2");
}

// All of a step --------------------------------------------------------------------------------------------------------

// A cable of so many elements of one length in a current across it, one end held, the other swaying: whatever the number of
// nodes, steps take the same number of iterations.
static hwWorld* MakeSwaying(int nodes, const Kind* kind, hwError* error) {
    hwWorldDef worldDef = hwDefaultWorldDef();
    worldDef.solver.tolerance = 1.0;
    worldDef.solver.max = FRAME;
    worldDef.statics = true;
    hwEnvironmentDef environment = hwDefaultEnvironmentDef();
    hwSignalTerm current = hwConstantTerm(hwMakeVec3(0.0, HW_TETHER_CURRENT, 0.0));
    environment.water = true;
    environment.current.uniform = (hwSignal){1, &current};
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = SPACING * (nodes - 1);
    section.elements = nodes - 1;
    section.diameter = HW_TETHER_DIAMETER;
    section.massPerLength = 0.06;
    section.EA = 1e5;
    section.EI = kind->EI;
    section.GJ = kind->GJ;
    section.axialDamping = 100.0;
    section.compression = 1e-3;
    hwSignalTerm path[2] = {hwConstantTerm(hwMakeVec3(0.85 * section.length, 0.0, -30.0)),
                            hwSineTerm(hwMakeVec3(0.5, 0.5, 0.5), 8.0, 0.0)};
    hwCableDef def = hwDefaultCableDef();
    def.name = "cable";
    def.sectionCount = 1;
    def.sections = &section;
    def.ends[0] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .at = {0.0, 0.0, -30.0}};
    def.ends[1] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .path = {2, path}};
    for (int end = 0; end < 2 && kind->GJ > 0.0; ++end) {
        def.ends[end].joint = HW_ATTACH_CLAMP;
        def.ends[end].p1 = hwMakeVec3(0.0, 1.0, 0.0);
        def.ends[end].p2 = hwMakeVec3(0.0, 0.0, 1.0);
    }
    hwWorld* world = hwCreateWorld(&worldDef, error);
    if (world == NULL) return NULL;
    if (hwWorld_SetEnvironment(world, &environment, error) == HW_OK &&
        !HW_IS_NULL(hwWorld_AddCable(world, &def, error)) && hwWorld_Prepare(world, error) == HW_OK &&
        hwWorld_Step(world, 1.0, error) == HW_OK) {
        return world;
    }
    hwDestroyWorld(world);
    return NULL;
}

// Seconds per node and iteration over some time; NaN: something failed.
static double TimeSteps(hwWorld* world, int nodes, double* iterations, hwError* error) {
    double seconds;
    hwCounters before = hwWorld_GetCounters(world);
    if (hwRig_Run(world, 200.0 / nodes + 0.1, FRAME, NULL, &seconds, error) != HW_OK) return (double)NAN;
    hwCounters after = hwWorld_GetCounters(world);
    double count = (double)(after.iterations - before.iterations);
    *iterations = count / (double)(after.steps - before.steps);
    return seconds / (count * nodes);
}

static void MeasureSteps(hwBenchContext* context, const Kind* kind) {
    hwWorld* worlds[SIZES];
    double least[SIZES], iterations[SIZES];
    char name[96], note[160];
    hwError error;
    snprintf(name, sizeof(name), "step per node and iteration, %s: most over least", kind->name);
    for (int i = 0; i < SIZES; ++i) {
        least[i] = HUGE_VAL;
        worlds[i] = MakeSwaying(sizes[i], kind, &error);
        if (worlds[i] == NULL) hwBench_AddError(context, name, &error);
    }
    for (int round = 0; round < ROUNDS; ++round) {
        for (int i = 0; i < SIZES; ++i) {
            if (worlds[i] == NULL) continue;
            least[i] = fmin(least[i], TimeSteps(worlds[i], sizes[i], &iterations[i], &error));
        }
    }
    for (int i = 0; i < SIZES; ++i) {
        if (worlds[i] == NULL) return;
        hwDestroyWorld(worlds[i]);
    }
    snprintf(note, sizeof(note),
             "all of a step of 1/60 s included: %.3f us at 20 nodes, %.3f at 2000; %.1f iterations a step",
             1e6 * least[0], 1e6 * least[SIZES - 1], iterations[0]);
    AddRatio(context, name, least, note);
}

static void Iteration(hwBenchContext* context) {
    for (int k = 0; k < KINDS; ++k) MeasureBare(context, &kinds[k]);
    for (int k = 0; k < KINDS; ++k) MeasureSteps(context, &kinds[k]);
}

// Steps of the rigs ------------------------------------------------------------------------------------------------------

static void AddStep(hwBenchContext* context, const char* name, hwWorld* world, double published) {
    hwError error;
    double seconds;
    hwCounters before = hwWorld_GetCounters(world);
    if (hwRig_Run(world, 5.0, FRAME, NULL, &seconds, &error) != HW_OK) {
        hwBench_AddError(context, name, &error);
        return;
    }
    hwBenchRow row = hwDefaultBenchRow();
    row.name = name;
    row.value = 1e6 * seconds / ((double)(hwWorld_GetCounters(world).steps - before.steps) * 100.0);
    row.unit = "us";
    row.peer = "CableDyn, not in this run: its authors' own figure";
    row.peerValue = published;
    row.note = "the peer's steps are shorter, its core faster";
    hwBench_AddRow(context, &row);
}

static void Step(hwBenchContext* context) {
    hwError error;
    hwRigSolver solver = {1.0, FRAME};
    hwWorld* worlds[2] = {hwRig_MakeChain(100, false, solver, &error), hwRig_MakeTether(100, solver, &error)};
    static const char* const names[2] = {"step of 1/60 s per element, without bending, 100 elements",
                                         "step of 1/60 s per element, with bending, 100 elements"};
    static const double published[2] = {2.4, 5.0};
    for (int k = 0; k < 2; ++k) {
        if (worlds[k] == NULL) {
            hwBench_AddError(context, names[k], &error);
            continue;
        }
        AddStep(context, names[k], worlds[k], published[k]);
        hwDestroyWorld(worlds[k]);
    }
}

const hwBench hwIterationBenches[] = {
    {"cable-iteration", "Newton iterations of cables of 20 to 2000 nodes.", Iteration},
    {"cable-step", "Steps of a chain and of a tether of 100 elements.", Step},
    {0},
};
