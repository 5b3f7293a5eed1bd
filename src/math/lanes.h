// Four doubles at a time, by the vector types of GCC and Clang: they map to AVX where there is AVX and to
// whatever the machine has elsewhere, with the same rounding.
#ifndef HW_MATH_LANES_H
#define HW_MATH_LANES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__AVX__)
#include <immintrin.h>
#endif
#if defined(__GNUC__) && !defined(__clang__)
// Passing 32-byte vectors between functions would change the ABI without AVX; all functions here are inlined.
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

#define HW_LANES 4
#define HW_INLINE static inline __attribute__((always_inline))

typedef double hwV4 __attribute__((vector_size(32)));
typedef int64_t hwM4 __attribute__((vector_size(32)));
typedef double hwV4Loose __attribute__((vector_size(32), aligned(8), may_alias));

typedef struct hwV4x3 {
    hwV4 x, y, z;
} hwV4x3;

// Unaligned.
HW_INLINE hwV4 Load4(const double* p) {
    return (hwV4) * (const hwV4Loose*)p;
}

HW_INLINE void Store4(double* p, hwV4 v) {
    *(hwV4Loose*)p = (hwV4Loose)v;
}

HW_INLINE hwV4 Set4(double a) {
    hwV4 v = {a, a, a, a};
    return v;
}

HW_INLINE hwV4 Sqrt4(hwV4 v) {
#if defined(__AVX__)
    return (hwV4)_mm256_sqrt_pd((__m256d)v);
#else
    hwV4 r = {sqrt(v[0]), sqrt(v[1]), sqrt(v[2]), sqrt(v[3])};
    return r;
#endif
}

// mask ? a : b, lane by lane
HW_INLINE hwV4 Select4(hwM4 mask, hwV4 a, hwV4 b) {
    return (hwV4)(((hwM4)a & mask) | ((hwM4)b & ~mask));
}

HW_INLINE hwV4 Abs4(hwV4 v) {
    hwM4 sign = {INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN};
    return (hwV4)((hwM4)v & ~sign);
}

// max(v, 0)
HW_INLINE hwV4 Positive4(hwV4 v) {
    return (hwV4)((hwM4)v & (hwM4)(v > 0.0));
}

HW_INLINE hwV4 Dot4(hwV4x3 a, hwV4x3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

HW_INLINE hwV4x3 Scale4(hwV4 s, hwV4x3 a) {
    hwV4x3 r = {s * a.x, s * a.y, s * a.z};
    return r;
}

HW_INLINE hwV4x3 Add4(hwV4x3 a, hwV4x3 b) {
    hwV4x3 r = {a.x + b.x, a.y + b.y, a.z + b.z};
    return r;
}

HW_INLINE hwV4x3 Sub4(hwV4x3 a, hwV4x3 b) {
    hwV4x3 r = {a.x - b.x, a.y - b.y, a.z - b.z};
    return r;
}

// a + s b
HW_INLINE hwV4x3 MulAdd4(hwV4x3 a, hwV4 s, hwV4x3 b) {
    hwV4x3 r = {a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
    return r;
}

typedef double hwV2Loose __attribute__((vector_size(16), aligned(8), may_alias));

// Two doubles from each of two places, and back.
HW_INLINE hwV4 LoadHalves(const double* p, const double* q) {
    return (hwV4)__builtin_shufflevector(*(const hwV2Loose*)p, *(const hwV2Loose*)q, 0, 1, 2, 3);
}

HW_INLINE void StoreHalves(double* p, double* q, hwV4 v) {
    *(hwV2Loose*)p = __builtin_shufflevector((hwV4Loose)v, (hwV4Loose)v, 0, 1);
    *(hwV2Loose*)q = __builtin_shufflevector((hwV4Loose)v, (hwV4Loose)v, 2, 3);
}

// Four vectors of three components, one after the other, by component and back.
HW_INLINE hwV4x3 LoadVectors(const double* p) {
    // halves that a lane of 128 bits holds already: xy xy, zx zx, yz yz
    hwV4 xy = LoadHalves(p, p + 6), zx = LoadHalves(p + 2, p + 8), yz = LoadHalves(p + 4, p + 10);
    hwV4x3 v = {__builtin_shufflevector(xy, zx, 0, 5, 2, 7), __builtin_shufflevector(xy, yz, 1, 4, 3, 6),
                __builtin_shufflevector(zx, yz, 0, 5, 2, 7)};
    return v;
}

HW_INLINE void StoreVectors(double* p, hwV4x3 v) {
    StoreHalves(p, p + 6, __builtin_shufflevector(v.x, v.y, 0, 4, 2, 6));
    StoreHalves(p + 2, p + 8, __builtin_shufflevector(v.z, v.x, 0, 5, 2, 7));
    StoreHalves(p + 4, p + 10, __builtin_shufflevector(v.y, v.z, 1, 5, 3, 7));
}

// (before[3], v[0], v[1], v[2])
HW_INLINE hwV4 Shift4(hwV4 before, hwV4 v) {
    return __builtin_shufflevector(before, v, 3, 4, 5, 6);
}

HW_INLINE hwV4x3 ShiftVectors(hwV4x3 before, hwV4x3 v) {
    hwV4x3 r = {Shift4(before.x, v.x), Shift4(before.y, v.y), Shift4(before.z, v.z)};
    return r;
}

#endif
