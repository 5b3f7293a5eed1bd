// Floating bodies by linear potential flow, see hawser/potential.h.
#ifndef HW_PARTS_FLOATERS_FLOATERS_H
#define HW_PARTS_FLOATERS_FLOATERS_H

#include "hydro/radiation.h"
#include "world/world.h"

// What a harmonic of the sea does to a floater.
typedef struct hwFloaterHarmonic {
    double kx, ky, omega, phase;
    double real[6], imaginary[6]; // N, N m: amplitude times X, in the axes of the body at the start
} hwFloaterHarmonic;

typedef struct hwFloaterModel {
    int link;
    const hwPotentialDef* def;
    hwMat3 axes; // of the body at the start
    hwRadiation radiation;
    int lines;                    // first auxiliary variable: [mode][line][r, s], see hydro/radiation.h
    int place;                    // likewise, of its mean place: [x, y][3], see floaters.c
    hwFloaterHarmonic* harmonics; // [wave]
} hwFloaterModel;

typedef struct hwFloatersModel {
    int count, waveCount;
    double corner;         // rad/s: slower motions are those of the mean place
    hwFloaterModel* items; // in the order of links
    hwWaveComponent* waves;
} hwFloatersModel;

typedef struct hwFloatersWork {
    hwSpatial* excitation; // [floater] N, N m at the origin, world axes
    hwSpatial* radiation;  // [floater] likewise, of the lines: without added mass
    double* potential;     // [floater] J
    double* stored;        // [floater] J, that and what the lines store
    double* storedRate;    // [floater] W, at which it changes, see method.c
} hwFloatersWork;

#endif
