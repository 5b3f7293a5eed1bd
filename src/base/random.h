// Reproducible random numbers: splitmix64 (Steele, Lea & Flood 2014).
#ifndef HW_BASE_RANDOM_H
#define HW_BASE_RANDOM_H

#include <stdint.h>

typedef struct hwRandom {
    uint64_t state;
} hwRandom;

static inline uint64_t hwRandom_Next(hwRandom* random) {
    random->state += 0x9e3779b97f4a7c15u;
    uint64_t x = random->state;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

// Uniform in [0, 1).
static inline double hwRandom_Uniform(hwRandom* random) {
    return (double)(hwRandom_Next(random) >> 11) * 0x1.0p-53;
}

// Uniform in [low, high).
static inline double hwRandom_Range(hwRandom* random, double low, double high) {
    return low + (high - low) * hwRandom_Uniform(random);
}

#endif
