// Feet: points of links that stand on the bottom.
#ifndef HW_PARTS_FEET_FEET_H
#define HW_PARTS_FEET_FEET_H

#include "world/world.h"

// A point of a link that may touch the bottom.
typedef struct hwFootModel {
    int link;
    int index;    // among the link's points
    hwVec3 point; // link frame
    const hwFootDef* def;
    int slider; // auxiliary: first of three
} hwFootModel;

typedef struct hwFeetModel {
    int count;
    hwFootModel* items;
} hwFeetModel;

typedef struct hwFeetWork {
    double* force; // [3 * foot] on the link, world axes
} hwFeetWork;

#endif
