// A cable on its own for tests: model, state and work in one block, and a time stepper.
#ifndef TEST_CABLE_RIG_H
#define TEST_CABLE_RIG_H

#include "base/random.h"
#include "cable/cable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct Rig {
    void* memory;
    hwCableModel model;
    hwCableState state;
    hwCableWork work;
    hwCableInput input;
    hwFluidSample* fluid; // by node; input.fluid points here when wet
    int capacity;
} Rig;

static inline hwCableSection PlainSection(double length, int elements) {
    hwCableSection s = {.length = length,
                        .elements = elements,
                        .diameter = 0.02,
                        .massPerLength = 1.5,
                        .EA = 1e5,
                        .compression = 1.0,
                        .breakTension = HUGE_VAL};
    return s;
}

static inline void Rig_Layout(Rig* rig, const hwCableSpec* spec, hwArena* arena) {
    hwCableModel_Layout(&rig->model, spec, arena);
    hwCableState_Layout(&rig->state, &rig->model, arena);
    hwCableWork_Layout(&rig->work, &rig->model, arena);
    rig->fluid = HW_TAKE(arena, hwFluidSample, rig->model.nodeCapacity);
}

// Dry, weightless, both ends free, straight along x.
static inline void Rig_Make(Rig* rig, const hwCableSpec* spec) {
    memset(rig, 0, sizeof(*rig));
    hwError error;
    hwStatus status = hwCableSpec_Check(spec, &error);
    if (status != HW_OK) fail_msg("%s", error.message);
    hwArena arena = {NULL, 0};
    Rig_Layout(rig, spec, &arena);
    size_t size = arena.used;
    rig->memory = aligned_alloc(64, (size + 63) / 64 * 64);
    memset(rig->memory, 0, size);
    arena.base = rig->memory;
    arena.used = 0;
    Rig_Layout(rig, spec, &arena);
    rig->capacity = rig->model.nodeCapacity;
    hwCableState_Start(&rig->state, &rig->model, hwVec3_zero,
                       hwMakeVec3(rig->model.starts[rig->model.sectionCount], 0, 0));
    hwCableWork_Refresh(&rig->work, &rig->model, &rig->state);
    rig->input.waterDensity = 1025.0;
    rig->input.airDensity = 1.2;
}

static inline void Rig_MakePlain(Rig* rig, hwCableSection section) {
    hwCableSpec spec = {.name = "test", .sectionCount = 1, .sections = &section};
    Rig_Make(rig, &spec);
}

static inline void Rig_Free(Rig* rig) {
    free(rig->memory);
}

static inline int Rig_Last(const Rig* rig) {
    return rig->state.core->nodes - 1;
}

static inline hwVec3 RandomVec3(hwRandom* random, double size) {
    double x = hwRandom_Range(random, -size, size), y = hwRandom_Range(random, -size, size);
    return hwMakeVec3(x, y, hwRandom_Range(random, -size, size));
}

// Still water with its surface at `surface`, flowing with `velocity` everywhere.
static inline void Rig_FillWater(Rig* rig, double surface, hwVec3 velocity, hwVec3 acceleration) {
    for (int i = 0; i < rig->capacity; ++i) {
        rig->fluid[i] = (hwFluidSample){.velocity = velocity,
                                        .acceleration = acceleration,
                                        .density = 1025.0,
                                        .viscosity = 1e-6,
                                        .surface = surface,
                                        .normal = {0.0, 0.0, 1.0}};
    }
    rig->input.fluid = rig->fluid;
    rig->input.surface = surface;
}

static inline double TotalPotential(const hwCableEnergy* e) {
    return e->gravity + e->stretch + e->bending + e->torsion;
}

// Nodes near a helix with random displacements and velocities.
static inline void Rig_Shake(Rig* rig, uint64_t seed, double size, double speed) {
    hwRandom random = {seed};
    int last = Rig_Last(rig);
    double length = hwCableState_GetLength(&rig->state);
    for (int i = 0; i <= last; ++i) {
        double s = (rig->state.material[i] - rig->state.material[0]) / length;
        hwVec3 base =
            hwMakeVec3(0.5 * length * s, 0.12 * length * sin(6.0 * s), 0.12 * length * cos(6.0 * s));
        rig->state.position[i] = hwAdd(base, RandomVec3(&random, size));
        rig->state.velocity[i] = RandomVec3(&random, speed);
    }
}

// A clamp whose tangent leans away from the cable's end, turning.
static inline hwCableEnd TiltedClamp(uint64_t seed, bool unknown) {
    hwRandom random = {seed};
    hwCableEnd end = {.kind = HW_CABLE_CLAMP, .unknown = unknown};
    end.tangent = hwNormalize(hwAdd(hwMakeVec3(1.0, 0.3, 0.0), RandomVec3(&random, 0.4)));
    end.normal = hwPerpendicular(end.tangent);
    end.rate = RandomVec3(&random, 0.5);
    return end;
}

static inline void RotateEnd(hwCableEnd* end, hwVec3 turn) {
    hwQuat q = hwQuatFromRotationVector(turn);
    end->tangent = hwRotate(q, end->tangent);
    end->normal = hwRotate(q, end->normal);
}

#endif
