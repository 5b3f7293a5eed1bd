// Worlds whose states must have the same bits everywhere, built with the core library alone.
#ifndef TEST_BITS_SCENES_H
#define TEST_BITS_SCENES_H

#include "hawser/hawser.h"

typedef struct Scene {
    const char* name;
    void (*make)(hwWorld* world); // adds what is in it; ends the program when something is refused
    bool statics;
    double duration; // s
} Scene;

extern const Scene scenes[];
extern const int sceneCount;

#endif
