// Parsing needs four functions of the core. These stand in for them, so that the fuzzers build without the rest of it.
#include "hawser/hawser.h"

hwEnvironmentDef hwDefaultEnvironmentDef(void) {
    return (hwEnvironmentDef){.gravity = 9.81};
}

hwBodyDef hwDefaultBodyDef(void) {
    return (hwBodyDef){.attitude = {1.0, 0.0, 0.0, 0.0}, .comAttitude = {1.0, 0.0, 0.0, 0.0}};
}

hwShapeDef hwDefaultShapeDef(void) {
    return (hwShapeDef){.pose = {.q = {1.0, 0.0, 0.0, 0.0}}};
}

hwHydroDef hwDefaultHydroDef(void) {
    return (hwHydroDef){.volume = -1.0};
}
