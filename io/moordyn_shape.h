// Where the nodes of a line begin: on a catenary, or straight, as in MoorDyn.
#ifndef HW_IO_MOORDYN_SHAPE_H
#define HW_IO_MOORDYN_SHAPE_H

#include "hawser/math.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct hwMoordynSpan {
    hwVec3 a, b;
    bool floats, weightless;
    double floor;        // no node below it; -inf: no bottom
    double (*pieces)[3]; // m, number of elements, N: unstretched length, elements and EA of each piece
    int count;
} hwMoordynSpan;

// Where MoorDyn finds no catenary: taut, weightless, or so slack on the bottom that all that hangs hangs straight down.
bool hwMoordyn_IsStraight(const hwMoordynSpan* span);

// Appends ", [x, y, z]" for each node after a, up to b.
void hwMoordyn_WriteSpan(const hwMoordynSpan* span, FILE* file);

#endif
