// Forces that the user applies: by calls, by inputs and by signals.
#ifndef HW_PARTS_FORCES_FORCES_H
#define HW_PARTS_FORCES_FORCES_H

#include "world/world.h"

#define HW_FORCE_COOKIE 0x48570003

typedef struct hwForceObject {
    hwForceDef def;
    hwForceId id;
} hwForceObject;

typedef struct hwForcesModel {
    int count;
    hwForceObject** items;
} hwForcesModel;

typedef struct hwForcesState {
    hwSpatial* world;        // [link] wrench, world axes, about the origin
    hwSpatial* body;         // [link] wrench, body axes
    hwSpatialSym* impedance; // [link] resistance to motion, world axes, about the origin
} hwForcesState;

typedef struct hwForcesWork {
    int loadedCount;  // links to which the user applies forces
    int* loadedLinks; // [loaded]
} hwForcesWork;

#endif
