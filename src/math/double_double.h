// Numbers as unevaluated sums high + low of two doubles, |low| <= ulp(high) / 2, about 106 bits: the elementary functions
// carry the digits in them that rounding would lose (Dekker 1971, A floating-point technique for extending the available
// precision). Plain operations only: a fused multiply-add would be quicker where there is one, and slow where there is not.
#ifndef HW_MATH_DOUBLE_DOUBLE_H
#define HW_MATH_DOUBLE_DOUBLE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef struct hwDouble2 {
    double high, low;
} hwDouble2;

static inline uint64_t hwBits(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof(bits));
    return bits;
}

static inline double hwNumber(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof(x));
    return x;
}

// 2^n for -1022 <= n <= 1023
static inline double hwPowerOfTwo(int n) {
    return hwNumber((uint64_t)(1023 + n) << 52);
}

// x without its lower half: at most 26 significant bits, so that products of two such numbers are exact.
static inline double hwUpperHalf(double x) {
    return hwNumber(hwBits(x) & 0xfffffffff8000000u);
}

// a + b exactly, for |a| >= |b| or a = 0
static inline hwDouble2 hwQuickSum2(double a, double b) {
    double sum = a + b;
    return (hwDouble2){sum, b - (sum - a)};
}

// a + b exactly
static inline hwDouble2 hwSum2(double a, double b) {
    double sum = a + b, part = sum - a;
    return (hwDouble2){sum, (a - (sum - part)) + (b - part)};
}

// a b exactly, within the range of exponents where the rounding error is a number
static inline hwDouble2 hwProduct2(double a, double b) {
    double product = a * b, ah = hwUpperHalf(a), al = a - ah, bh = hwUpperHalf(b), bl = b - bh;
    return (hwDouble2){product, ((ah * bh - product) + (ah * bl + al * bh)) + al * bl};
}

static inline hwDouble2 hwAdd2(hwDouble2 a, hwDouble2 b) {
    hwDouble2 s = hwSum2(a.high, b.high);
    return hwQuickSum2(s.high, s.low + (a.low + b.low));
}

static inline hwDouble2 hwMul2(hwDouble2 a, hwDouble2 b) {
    hwDouble2 p = hwProduct2(a.high, b.high);
    return hwQuickSum2(p.high, p.low + (a.high * b.low + a.low * b.high));
}

static inline hwDouble2 hwDiv2(hwDouble2 a, hwDouble2 b) {
    double q = a.high / b.high;
    hwDouble2 p = hwProduct2(q, b.high);
    return hwQuickSum2(q, (((a.high - p.high) - p.low) + (a.low - q * b.low)) / b.high);
}

static inline hwDouble2 hwSqrt2(hwDouble2 a) {
    if (!(a.high > 0.0)) return (hwDouble2){0.0, 0.0};
    double root = sqrt(a.high);
    hwDouble2 p = hwProduct2(root, root);
    return hwQuickSum2(root, (((a.high - p.high) - p.low) + a.low) / (2.0 * root));
}

// Kernels that several functions share (exponential.c). Relative errors below 2^-57, for finite arguments.
hwDouble2 hwExp2_Scaled(hwDouble2 x, int* power); // e^x = result 2^power, for |x| < 800
hwDouble2 hwExpm1_Double2(double x);              // e^x - 1 for |x| < 350
hwDouble2 hwLog_Double2(double x);                // for positive x
hwDouble2 hwLog1p_Double2(double x);              // for x > -1

#endif
