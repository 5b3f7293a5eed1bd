// The linear system of a world about its equilibrium: M a + C v + K x = f, see hawser/modes.h.
#ifndef HW_WORLD_LINEAR_H
#define HW_WORLD_LINEAR_H

#include "hawser/modes.h"
#include "math/band.h"
#include "world/part.h"

struct hwModes {
    hwAllocator allocator;
    int freedomCount, coordinateCount; // of the world
    uint64_t layout;
    double time;
    double unbalance;
    int size;        // freedoms that move
    int* freedom;    // [row] in the world
    int* row;        // [freedom] -1: it has none
    double* q;       // [coordinate] equilibrium
    double* v;       // [freedom] velocities there: of a tow; otherwise zero
    double* scratch; // [4 freedom + coordinate]
    hwSparse M, C, K;
    int* place; // [row] in the band
    int width;  // of the band
    int count;
    double* shapes;    // [mode][row], of unit modal mass
    double* squares;   // [mode] omega^2
    hwModeInfo* infos; // [mode]
};

// Zeroed memory of the modes' allocator.
void* hwModes_Take(const hwModes* modes, size_t count, size_t size);

// M, C and K about the world's present place, which is to be at rest, and an order of the rows for bands.
hwStatus hwModes_Linearise(hwModes* modes, hwWorld* world, hwError* error);

// The band gets factor A, or half of A and of its transpose.
void hwModes_AddToBand(const hwModes* modes, const hwSparse* matrix, double factor, bool symmetric,
                       hwBand* band);
// A band for complex matrices, real and imaginary parts in pairs of rows; false: out of memory.
bool hwModes_BeginPairs(const hwModes* modes, hwBand* band);
// lambda^2 M + lambda C + K at lambda = re + i im, factored; false: singular.
bool hwModes_FactorPairs(const hwModes* modes, double re, double im, hwBand* band);
// x := (lambda^2 M + lambda C + K)^-1 x with x in pairs by rows; `scratch` [2 size].
void hwModes_SolvePairs(const hwModes* modes, const hwBand* band, double* x, double* scratch);

double hwModes_Dot(int count, const double* x, const double* y);

// An error where the modes are not of this world.
hwStatus hwModes_CheckWorld(const hwModes* modes, const hwWorld* world, hwError* error);
// Displaces the world from the equilibrium by d [freedom], moving with v (null: at rest), at a time.
void hwModes_SetMotion(const hwModes* modes, hwWorld* world, double time, const double* d, const double* v);

#endif
