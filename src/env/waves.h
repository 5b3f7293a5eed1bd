// Linear waves: regular ones and a random directional sea as one list of harmonics.
#ifndef HW_ENV_WAVES_H
#define HW_ENV_WAVES_H

#include "base/memory.h"
#include "hawser/environment.h"

// Harmonics at most, regular and random together: what a point's evaluation keeps on the stack.
#define HW_MAX_WAVES 2048

// Loops over harmonics run in groups of this size, each lane of a group with its own sum, so that a compiler may use
// vectors without changing the order of any sum. Arrays are padded to it with harmonics of no height.
#define HW_WAVE_LANES 8

// One harmonic: elevation = amplitude cos(k (x cos(direction) + y sin(direction)) - omega t + phase).
typedef struct hwHarmonic {
    double amplitude; // m
    double omega;     // rad/s
    double k;         // rad/m
    double direction; // rad
    double phase;     // rad
} hwHarmonic;

// Harmonics as arrays of `padded` numbers, sorted by rising k, so that those that reach a depth come first.
typedef struct hwWaves {
    int count;
    int padded;
    double depth; // m, of the water; inf: deep
    double* k;
    double* kx;
    double* ky;
    double* omega;
    double* phase;
    double* amplitude;
    double* mirror; // exp(-2 k depth): what the bottom reflects
    double* fx;     // omega / (1 - mirror), times the direction's cosine
    double* fy;     // times its sine
    double* fz;     // alone
    hwHarmonic* list;
    struct hwWaveWeights* weights; // of a sea with cells, see wave_cells.h; null: it has none
} hwWaves;

// Wave number (rad/m) of the frequency omega (rad/s): omega^2 = gravity k tanh(k depth), to machine precision.
double hwSolveDispersion(double omega, double gravity, double depth);

// Takes the arrays (two passes, see hwArena), then fills them. `depth` may be infinite.
void hwWaves_Layout(hwWaves* waves, hwArena* arena, const hwEnvironmentDef* def);
void hwWaves_Fill(hwWaves* waves, const hwEnvironmentDef* def, double depth);

// The surface at one place and time, and what hwWaves_GetFlow needs from it.
typedef struct hwWavePoint {
    _Alignas(64) double cosine[HW_MAX_WAVES]; // amplitude times cos of the harmonic's phase here and now
    double sine[HW_MAX_WAVES];
    double elevation;      // m above the mean surface
    double rate;           // m/s, of the elevation
    double slopeX, slopeY; // of the surface
} hwWavePoint;

void hwWaves_GetSurface(const hwWaves* waves, double x, double y, double time, hwWavePoint* point);

// Velocity and acceleration of the water at height z above the mean surface, under the surface of `point`.
void hwWaves_GetFlow(const hwWaves* waves, const hwWavePoint* point, double z, hwVec3* velocity,
                     hwVec3* acceleration);

// The parts of the two above: phases of the first `count` harmonics at a place, as cosine and sine times amplitude; how their
// motion falls off at the height z of linear theory, across and along the vertical.
void hwWaves_MapPhases(const hwWaves* waves, int count, double x, double y, double time, double* cosine,
                       double* sine);
void hwWaves_MapDecay(const hwWaves* waves, int count, double z, double* across, double* along);
// Harmonics whose motion at this height is above 1e-12 of that at the surface, rounded up to a whole group.
int hwWaves_CountReaching(const hwWaves* waves, double z);
// Height of linear theory for the height z under a surface, see hwWaves_GetFlow.
double hwWaves_Stretch(double depth, double z, double elevation);

#endif
