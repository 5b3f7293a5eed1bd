// The linear system of a world about its equilibrium: M a + C v + K x = f, see hawser/modes.h.
#ifndef HW_WORLD_LINEAR_H
#define HW_WORLD_LINEAR_H

#include "hawser/modes.h"
#include "math/band.h"
#include "world/part.h"

// A hwLineSet about the equilibrium, by the freedoms of its link.
typedef struct hwModeLines {
    int freedoms[6], rows[6];
    double motion[36];     // [mode][freedom] velocity by the modes' axes
    double place[2][6];    // [x, y][freedom] likewise along the world's
    int count;             // of lines
    double* frequencies;   // [line]
    double* widths;        // [line]
    double (*weights)[36]; // [line] by freedoms
    int variables, first;  // auxiliary variables, see hwLineSet
} hwModeLines;

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
    double* v;       // [freedom] velocities there, mostly zero
    double* held;    // [freedom] forces left there
    void* rest;      // the world's state there, with what friction on the bottom holds
    size_t restSize; // bytes
    bool towed;      // the equilibrium is that of a tow, in axes that go along
    double* scratch; // [6 freedom]
    hwSparse M, C, K;
    int lineCount;
    hwModeLines* lines;
    int* place; // [row] in the band
    int width;  // of the band
    int count;
    double* shapes;    // [mode][row], of unit modal mass
    double* squares;   // [mode] omega^2
    hwModeInfo* infos; // [mode]
};

// Zeroed memory of the modes' allocator.
void* hwModes_Take(const hwModes* modes, size_t count, size_t size);

// Length of the shorter element at a freedom of a cable's node, at most 1; of others 1.
double hwModes_GetLength(const hwModes* modes, const hwWorld* world, int freedom);

// M, C and K about the world's present place, which is to be at rest, and an order of the rows for bands.
hwStatus hwModes_Linearise(hwModes* modes, hwWorld* world, hwError* error);

// The band gets factor A, or half of A and of its transpose.
void hwModes_AddToBand(const hwModes* modes, const hwSparse* matrix, double factor, bool symmetric,
                       hwBand* band);
// A band for complex matrices, real and imaginary parts in pairs of rows; false: out of memory.
bool hwModes_BeginPairs(const hwModes* modes, hwBand* band);
// lambda^2 M + lambda C + K and what lines add at lambda = re + i im with their coefficients at omega, factored; false: singular.
bool hwModes_FactorPairs(const hwModes* modes, double omega, double re, double im, hwBand* band);
// x := the inverse of that times x with x in pairs by rows; `scratch` [2 size].
void hwModes_SolvePairs(const hwModes* modes, const hwBand* band, double* x, double* scratch);

// Lines of the world's parts (lines.c); false: out of memory.
bool hwModes_FindLines(hwModes* modes, const hwWorld* world);
void hwModes_FreeLines(hwModes* modes);
// What they add to the matrix at lambda = re + i im, in pairs: lambda^2 A + lambda B with the added mass and damping at omega, rad/s.
void hwModes_AddLines(const hwModes* modes, double omega, double re, double im, hwBand* band);
// y += its derivative by lambda, times x; both in pairs by rows.
void hwModes_AddLinesSlope(const hwModes* modes, double omega, double re, double im, const double* x,
                           double* y);
// Damping and added mass of one of them at a frequency, by freedoms; returns their rows, -1: none.
const int* hwModes_SumLines(const hwModes* modes, int lines, double omega, double damping[36],
                            double mass[36]);
// Auxiliary variables that go with a steady motion: cleared, then of each angular frequency omega what goes with the displacement d from
// the equilibrium, the velocity v and the acceleration a [freedom] of that frequency at a moment.
void hwModes_ClearLines(const hwModes* modes, double* z);
void hwModes_AddToLines(const hwModes* modes, double omega, const double* d, const double* v, const double* a,
                        double* z);

double hwModes_Dot(int count, const double* x, const double* y);

// An error where the modes are not of this world.
hwStatus hwModes_CheckWorld(const hwModes* modes, const hwWorld* world, hwError* error);
// Displaces the world from the equilibrium by d [freedom], moving with v (null: at rest), at a time.
void hwModes_SetMotion(const hwModes* modes, hwWorld* world, double time, const double* d, const double* v);

#endif
