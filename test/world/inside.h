// The inside of a world, for tests that look at matrices and contacts.
#ifndef HW_TEST_WORLD_INSIDE_H
#define HW_TEST_WORLD_INSIDE_H

#include "parts/cable_contact/cable_contact.h"
#include "parts/sheaves/sheaves.h"
#include "world/cable_slots.h"
#include "world/part.h"

// Evaluates at a state, with the matrices for a step `hd`.
static inline void EvaluateWorld(hwWorld* world, double time, double hd) {
    hwEvaluation there = {.time = time,
                          .q = world->state.q,
                          .v = world->state.v,
                          .zBase = world->state.z,
                          .matrix = true,
                          .step = hd};
    hwWorld_Evaluate(world, &there);
}

#endif
