// Looking at what a world holds: its objects as described, its sea, its bottom.
#include "world/part.h"

#include <math.h>

int hwWorld_GetBodies(const hwWorld* world, int capacity, hwBodyId* bodies) {
    int count = 0;
    for (int i = 0; i < world->bodies.slots; ++i) {
        const hwBodyObject* body = world->bodies.items[i];
        if (body == NULL) continue;
        if (count < capacity) bodies[count] = body->id;
        count += 1;
    }
    return count;
}

const hwBodyDef* hwBody_GetDef(const hwWorld* world, hwBodyId id) {
    const hwBodyObject* body = hwWorld_GetBody(world, id);
    return body != NULL ? &body->def : NULL;
}

const hwEnvironmentDef* hwWorld_GetEnvironment(const hwWorld* world) {
    return hwEnvironment_GetDef(world->environment);
}

int hwWorld_GetWaves(const hwWorld* world, int capacity, hwWaveComponent* components) {
    return hwEnvironment_GetWaves(world->environment, capacity, components);
}

double hwWorld_GetSeabed(const hwWorld* world, double x, double y, hwVec3* normal) {
    hwVec3 unused;
    return hwEnvironment_GetSeabed(world->environment, x, y, normal != NULL ? normal : &unused);
}

double hwWorld_ReadInput(const hwWorld* world, int input) {
    bool known = world->prepared && input >= 0 && input < world->model.inputs.count;
    return known ? world->state.inputs[input] : (double)NAN;
}
