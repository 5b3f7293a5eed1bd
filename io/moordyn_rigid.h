// Rigid bodies of MoorDyn decks, put together from a body, the rods fixed to it and the points on it.
#ifndef HW_IO_MOORDYN_RIGID_H
#define HW_IO_MOORDYN_RIGID_H

#include "moordyn_deck.h"

#include <stdio.h>

typedef struct hwMoordynTensor {
    double m[3][3];
} hwMoordynTensor;

typedef struct hwMoordynRigid {
    double density; // of the water
    double mass;
    hwVec3 moment;           // sum of mass times place
    hwMoordynTensor inertia; // about the origin
    double added[6][6];      // linear, then angular, about the origin
    double quadratic[6];
    double volume; // without rods
    hwVec3 volumeMoment;
    int rodCount;
    const hwMoordynRod** rods;
} hwMoordynRigid;

bool hwMoordynRigid_AddBody(hwMoordynDeck* deck, hwMoordynRigid* rigid, int body);
void hwMoordynRigid_AddPoint(hwMoordynRigid* rigid, const hwMoordynPoint* point);
// Ends in the rigid body's frame.
void hwMoordynRigid_AddRod(hwMoordynRigid* rigid, const hwMoordynRodType* type, hwVec3 a, hwVec3 b);

// Mass, centre of mass and inertia; then what the water does to it, each line with `indent` blanks. `rods` with their
// ends in the rigid body's frame.
void hwMoordynRigid_WriteMass(const hwMoordynRigid* rigid, FILE* file, const char* indent);
void hwMoordynRigid_WriteWater(const hwMoordynDeck* deck, const hwMoordynRigid* rigid, FILE* file,
                               const char* indent);
void hwMoordynRigid_WriteShapes(const hwMoordynDeck* deck, const hwMoordynRigid* rigid, FILE* file,
                                const char* indent);

#endif
