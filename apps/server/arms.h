// Arms of a vehicle as pages show and move them: their joints without the fingers, stops and rates.
#ifndef HW_SERVER_ARMS_H
#define HW_SERVER_ARMS_H

#include "hawser/world.h"

#define ARMS_MOST 4
#define ARMS_MOST_JOINTS 12

typedef struct hwWebJoint {
    char name[64];    // of the link
    bool slides;      // m instead of rad
    double low, high; // stops; infinite: none
    double rate;      // rad/s or m/s at full command
} hwWebJoint;

typedef struct hwWebArm {
    char name[96]; // of the mechanism: "rov.arm"
    int jointCount;
    hwWebJoint joints[ARMS_MOST_JOINTS];
    bool tool, jaw;    // its tip can be commanded; it has fingers
    hwWebJoint finger; // the first of them
} hwWebArm;

// The arms of a vehicle; returns how many there are, ARMS_MOST at most.
int hwWebArms_List(const hwWorld* world, const char* vehicle, hwWebArm* arms);

#endif
