// What a saved state belongs to.
#ifndef HW_API_SIGNATURE_H
#define HW_API_SIGNATURE_H

#include "world/world.h"

// Hash of everything that is constant in a world's motion: masses, stiffnesses, shapes, controllers, the sea. Left out are
// where things start, which the state has, solver settings, user data and the addresses of the caller's functions.
uint64_t hwWorld_SignModel(const hwWorld* world);

#endif
