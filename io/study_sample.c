// Points at which sampled parameters are drawn.
#include "study_file.h"

// splitmix64 (Steele, Lea & Flood 2014)
uint64_t hwStudy_Random(uint64_t* state) {
    *state += 0x9e3779b97f4a7c15u;
    uint64_t x = *state;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

// Primitive polynomials and first directions of Joe & Kuo (2008), new-joe-kuo-6; the first dimension is van der Corput's.
typedef struct Direction {
    int degree;
    unsigned coefficients;
    unsigned first[7];
} Direction;

static const Direction g_directions[HW_SOBOL_DIMENSIONS - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
};

// The point is moved by half of the finest step, so that it is never 0.
double hwSobol_Get(int dimension, uint32_t index) {
    uint32_t v[32];
    if (dimension == 0) {
        for (int i = 0; i < 32; ++i) v[i] = 1u << (31 - i);
    } else {
        const Direction* d = &g_directions[dimension - 1];
        int s = d->degree;
        for (int i = 0; i < 32; ++i) {
            if (i < s) {
                v[i] = d->first[i] << (31 - i);
                continue;
            }
            v[i] = v[i - s] ^ (v[i - s] >> s);
            for (int k = 1; k < s; ++k) v[i] ^= (d->coefficients >> (s - 1 - k) & 1u) * v[i - k];
        }
    }
    uint32_t gray = index ^ (index >> 1), x = 0;
    for (int i = 0; i < 32; ++i) {
        if (gray >> i & 1u) x ^= v[i];
    }
    return ((double)x + 0.5) * 0x1p-32;
}
