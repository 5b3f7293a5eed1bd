// sin, cos and exp for loops over wave components: branch-free, so that a compiler turns the loop into vector code,
// which calls to libm would prevent (a libm sincos and exp per component cost about ten times as much).
#ifndef HW_ENV_KERNELS_H
#define HW_ENV_KERNELS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t hwBitsOf(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof(bits));
    return bits;
}

static inline double hwFromBits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof(x));
    return x;
}

// The same by integers (fused.c), where the compiler has them with 128 bits.
double hwTimesPlusSlow(double a, double b, double c);

// a b + c in one rounding. Elsewhere the core never asks for that, since a compiler's own choice where to fuse changes the
// bits; asked for, IEEE 754 fixes them. Sums over a sea's harmonics are nothing but such terms: with two roundings scenes in
// waves took 1.4 times as long. A processor without the instruction gets the same bits from the C library, slowly.
#if defined(_WIN32) && defined(__x86_64__) && !defined(__FMA__)
// Windows' C library rounds twice, and its programs cannot be bound to one of two widths when they start.
static inline double hwTimesPlus(double a, double b, double c) {
    if (!__builtin_cpu_supports("fma")) return hwTimesPlusSlow(a, b, c);
    __asm__("vfmadd213sd %2, %1, %0" : "+x"(a) : "x"(b), "x"(c));
    return a;
}
#else
static inline double hwTimesPlus(double a, double b, double c) {
    return __builtin_fma(a, b, c);
}
#endif

// Adding 1.5 2^52 rounds to an integer, which then stands in the low bits of the sum.
#define HW_ROUNDER 0x1.8p52

// sin(x) and cos(x) with an absolute error below 3e-16 for |x| <= 1e7.
// x = n pi/2 + r with pi/2 in three parts of which the first two times n are exact for n < 2^23 (Cody & Waite 1980);
// on |r| <= pi/4 minimax polynomials in r^2 (found with Remez' exchange algorithm, errors 4e-18 and 5e-20); the two low
// bits of n choose quadrant and signs.
static inline void hwSinCos(double x, double* sine, double* cosine) {
    double shifted = hwTimesPlus(x, 0x1.45f306dc9c883p-1, HW_ROUNDER);
    double n = shifted - HW_ROUNDER;
    uint64_t quadrant = hwBitsOf(shifted);
    double r = hwTimesPlus(n, -0x1.921fb54p+0, x);
    r = hwTimesPlus(n, -0x1.10b46118p-30, r);
    r = hwTimesPlus(n, -0x1.313198a2e0370p-61, r);
    double y = r * r;
    double p = 0x1.5d932ef005cd1p-33;
    p = hwTimesPlus(p, y, -0x1.ae5e66d3c520ep-26);
    p = hwTimesPlus(p, y, 0x1.71de3578730c7p-19);
    p = hwTimesPlus(p, y, -0x1.a01a019c1269ap-13);
    p = hwTimesPlus(p, y, 0x1.111111110f881p-7);
    p = hwTimesPlus(p, y, -0x1.5555555555549p-3);
    double s = hwTimesPlus(p * y, r, r);
    double q = -0x1.8faeced23c429p-37;
    q = hwTimesPlus(q, y, 0x1.1ee9ec4701ff8p-29);
    q = hwTimesPlus(q, y, -0x1.27e4f80a75589p-22);
    q = hwTimesPlus(q, y, 0x1.a01a019cb26d9p-16);
    q = hwTimesPlus(q, y, -0x1.6c16c16c15184p-10);
    q = hwTimesPlus(q, y, 0x1.555555555554cp-5);
    double c = hwTimesPlus(q, y * y, hwTimesPlus(y, -0.5, 1.0));
    uint64_t swap = (uint64_t)0 - (quadrant & 1u); // all ones in odd quadrants
    uint64_t sBits = hwBitsOf(s), cBits = hwBitsOf(c);
    uint64_t difference = (sBits ^ cBits) & swap;
    *sine = hwFromBits((sBits ^ difference) ^ ((quadrant & 2u) << 62));
    *cosine = hwFromBits((cBits ^ difference) ^ (((quadrant + 1u) & 2u) << 62));
}

// e^x and e^-x with a relative error below 4e-16 for |x| <= 700.
// x = n ln 2 + r; e^(+-r) = cosh r +- sinh r, both by minimax polynomials on |r| <= ln 2 / 2 (errors 6e-18 and 6e-20).
static inline void hwExpBoth(double x, double* plus, double* minus) {
    double shifted = hwTimesPlus(x, 0x1.71547652b82fep+0, HW_ROUNDER);
    double n = shifted - HW_ROUNDER;
    uint64_t power = hwBitsOf(shifted);
    double r = hwTimesPlus(n, -0x1.62e42fefa2p-1, x);
    r = hwTimesPlus(n, -0x1.9ef35793c7673p-41, r);
    double y = r * r;
    double p = 0x1.28a01993eb3bap-22;
    p = hwTimesPlus(p, y, 0x1.a019aa9a4a36dp-16);
    p = hwTimesPlus(p, y, 0x1.6c16c17cf2dc4p-10);
    p = hwTimesPlus(p, y, 0x1.555555555316ep-5);
    double even = hwTimesPlus(p, y * y, hwTimesPlus(y, 0.5, 1.0));
    double q = 0x1.af6cc04d253abp-26;
    q = hwTimesPlus(q, y, 0x1.71ddef9ad9207p-19);
    q = hwTimesPlus(q, y, 0x1.a01a01b3b85fdp-13);
    q = hwTimesPlus(q, y, 0x1.111111110ebbap-7);
    q = hwTimesPlus(q, y, 0x1.555555555555cp-3);
    double odd = hwTimesPlus(q * y, r, r);
    *plus = (even + odd) * hwFromBits((power + 1023u) << 52);
    *minus = (even - odd) * hwFromBits((1023u - power) << 52);
}

#endif
