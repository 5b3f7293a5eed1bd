// Random numbers by counter: each depends on a key and a counter alone, so that they can be drawn in any order and again.
#ifndef HW_BASE_NORMAL_H
#define HW_BASE_NORMAL_H

#include "base/random.h"
#include "hawser/elementary.h"

#include <math.h>

// A generator for (key, counter): two rounds of splitmix64 over both, so that neighbouring counters have nothing in common.
static inline hwRandom hwRandom_At(uint64_t key, uint64_t counter) {
    hwRandom random = {key};
    random.state = hwRandom_Next(&random) ^ counter;
    random.state = hwRandom_Next(&random);
    return random;
}

// Normally distributed with mean 0 and variance 1 (Box and Muller 1958).
static inline double hwRandom_Normal(hwRandom* random) {
    double radius = 1.0 - hwRandom_Uniform(random); // above 0
    double angle = 6.283185307179586 * hwRandom_Uniform(random);
    return sqrt(-2.0 * hwLog(radius)) * hwCos(angle);
}

#endif
