// Eight numbers at a time, by the vector types of GCC and Clang: random bits by counter, and their logarithm to a float's digits.
#include "api/speckle.h"

#include "math/lanes.h"

#include <string.h>

#define WIDTH 8

typedef float Floats __attribute__((vector_size(32)));
typedef int32_t Whole __attribute__((vector_size(32)));
typedef uint32_t Bits __attribute__((vector_size(32)));

HW_INLINE Floats SetFloats(float a) {
    Floats v = {a, a, a, a, a, a, a, a};
    return v;
}

// A bijection of words in which each bit of the counter changes each bit of the result with odds of one half (the constants of
// Wellons's triple32 have a bias of 0.0002). One word of the key moves the counter, the other one is mixed in on the way, so that two
// keys do not give pieces of one sequence.
HW_INLINE Bits MixBits(Bits x, uint32_t key) {
    x ^= x >> 17;
    x *= 0xed5ad4bbu;
    x ^= x >> 11;
    x ^= key;
    x *= 0xac4c1b51u;
    x ^= x >> 15;
    x *= 0x31848babu;
    return x ^ (x >> 14);
}

// -log u for u = (k + 1/2) / 2^31 with the 31 upper bits k: exponential with mean 1, from 0 to 22. With u = m 2^n, m from 0.70711 to
// 1.41421 and s = (m - 1) / (m + 1), log m = 2 (s + s^3/3 + s^5/5 + ...); what is left out is below 3e-9 of it.
HW_INLINE Floats MakeExponential(Bits random) {
    Floats u = __builtin_convertvector((Whole)(random >> 1), Floats) + 0.5f;
    Whole bits = (Whole)u, power = (bits - 0x3f3504f3) >> 23;
    Floats m = (Floats)(bits - power * (1 << 23));
    Floats s = (m - 1.0f) / (m + 1.0f), z = s * s;
    Floats tail =
        ((z * (float)(1.0 / 9.0) + (float)(1.0 / 7.0)) * z + (float)(1.0 / 5.0)) * z + (float)(1.0 / 3.0);
    Floats log = 2.0f * s + 2.0f * s * z * tail;
    return __builtin_convertvector(31 - power, Floats) * 0.69314718f - log;
}

void hwAddSpeckle(float* intensities, size_t count, float floor, float share, const uint32_t key[2]) {
    Bits counter = {0, 1, 2, 3, 4, 5, 6, 7};
    counter += key[0];
    for (size_t i = 0; i < count; i += WIDTH, counter += WIDTH) {
        size_t left = count - i;
        Floats mean = SetFloats(0.0f);
        memcpy(&mean, intensities + i, left < WIDTH ? left * sizeof(float) : sizeof(mean));
        mean = (mean + floor) * (SetFloats(1.0f - share) + share * MakeExponential(MixBits(counter, key[1])));
        memcpy(intensities + i, &mean, left < WIDTH ? left * sizeof(float) : sizeof(mean));
    }
}
