// Cost of one Newton iteration of a cable per node: forces and matrix, factors, solution, for 20 to 2,000
// nodes.
//
//   gcc -std=c17 -O3 -march=x86-64-v3 -fno-math-errno -fno-trapping-math -Isrc -Iinclude -o cable_iteration
//       bench/micro/cable_iteration.c src/cable/*.c src/base/error.c src/base/memory.c -lm
#define _POSIX_C_SOURCE 200809L

#include "cable/cable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct Bench {
    hwCableModel model;
    hwCableState state;
    hwCableWork work;
    hwCableInput input;
    hwFluidSample* fluid;
    hwVec3 *rhs, *increment;
    void* memory;
} Bench;

static double GetSeconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void Layout(Bench* b, const hwCableSpec* spec, hwArena* arena) {
    hwCableModel_Layout(&b->model, spec, arena);
    hwCableState_Layout(&b->state, &b->model, arena);
    hwCableWork_Layout(&b->work, &b->model, arena);
    b->fluid = HW_TAKE(arena, hwFluidSample, b->model.nodeCapacity);
    b->rhs = HW_TAKE(arena, hwVec3, b->model.nodeCapacity);
    b->increment = HW_TAKE(arena, hwVec3, b->model.nodeCapacity);
}

static void Prepare(Bench* b, int nodes, bool bends, bool twists, const bool unknown[2]) {
    hwCableSection section = {.length = 2.0 * (nodes - 1),
                              .elements = nodes - 1,
                              .diameter = 0.0076,
                              .massPerLength = 0.0465,
                              .EA = 1e5,
                              .EI = bends ? 0.5 : 0.0,
                              .GJ = twists ? 0.5 : 0.0,
                              .axialDamping = 10.0,
                              .dragNormal = 1.2,
                              .dragTangential = 0.01,
                              .addedNormal = 1.0,
                              .compression = 1e-3,
                              .breakTension = HUGE_VAL};
    hwCableSpec spec = {.name = "bench", .sectionCount = 1, .sections = &section};
    memset(b, 0, sizeof(*b));
    hwArena arena = {NULL, 0};
    Layout(b, &spec, &arena);
    b->memory = aligned_alloc(64, (arena.used + 63) / 64 * 64);
    if (b->memory == NULL) abort();
    memset(b->memory, 0, arena.used);
    arena.base = b->memory;
    arena.used = 0;
    Layout(b, &spec, &arena);
    hwCableState_Start(&b->state, &b->model, hwVec3_zero, hwMakeVec3(1.9 * (nodes - 1), 0, 0));
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
        b->input.ends[end] = (hwCableEnd){.kind = twists ? HW_CABLE_CLAMP : HW_CABLE_PIN,
                                          .unknown = unknown[end],
                                          .tangent = {1.0, 0.0, 0.0},
                                          .normal = {0.0, 1.0, 0.0}};
    }
}

enum { FORCE, ASSEMBLE, FACTOR, SOLVE, PARTS };

// Best of several rounds, ns per node, part by part.
static void Measure(Bench* b, double best[PARTS]) {
    int nodes = b->state.core->nodes, repeats = 400000 / nodes;
    double separators[2][6] = {{0}};
    hwCableInput forceOnly = b->input;
    forceOnly.matrix = false;
    for (int part = 0; part < PARTS; ++part) best[part] = 1e9;
    for (int round = 0; round < 9; ++round) {
        for (int part = 0; part < PARTS; ++part) {
            double start = GetSeconds();
            for (int k = 0; k < repeats; ++k) {
                if (part == FORCE) hwCableWork_Evaluate(&b->work, &b->state, &forceOnly);
                if (part == ASSEMBLE) hwCableWork_Evaluate(&b->work, &b->state, &b->input);
                if (part == FACTOR) hwCableWork_Factor(&b->work, NULL, 0);
                if (part == SOLVE) {
                    hwCableWork_Reduce(&b->work, b->rhs, NULL, NULL);
                    hwCableWork_Solve(&b->work, separators, b->increment);
                }
            }
            double ns = 1e9 * (GetSeconds() - start) / repeats / nodes;
            if (ns < best[part]) best[part] = ns;
        }
    }
}

int main(void) {
    const struct {
        const char* name;
        bool bends, twists, unknown[2];
    } cases[] = {
        {"stretch", false, false, {false, false}},
        {"stretch, one end on a link", false, false, {true, false}},
        {"stretch, both ends on links", false, false, {true, true}},
        {"bending", true, false, {false, false}},
        {"bending, one end on a link", true, false, {false, true}},
        {"bending, torsion, clamped", true, true, {false, false}},
        {"bending, torsion, both clamps on links", true, true, {true, true}},
    };
    const int sizes[] = {20, 50, 200, 500, 2000};
    printf("ns per node and iteration\n%-40s %6s %8s %9s %8s %8s %9s\n", "case", "nodes", "force", "+matrix",
           "factor", "solve", "iteration");
    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); ++c) {
        for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); ++k) {
            static Bench b;
            Prepare(&b, sizes[k], cases[c].bends, cases[c].twists, cases[c].unknown);
            double best[PARTS];
            Measure(&b, best);
            printf("%-40s %6d %8.1f %9.1f %8.1f %8.1f %9.1f\n", cases[c].name, sizes[k], best[FORCE],
                   best[ASSEMBLE], best[FACTOR], best[SOLVE], best[ASSEMBLE] + best[FACTOR] + best[SOLVE]);
            free(b.memory);
        }
    }
    return 0;
}
