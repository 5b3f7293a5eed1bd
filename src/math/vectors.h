// Long vectors of numbers: sums and sizes, several lanes at a time. Compilers may not reorder sums by themselves, and one
// that waits for each addition is slower than everything else that a solver does with a vector.
#ifndef HW_MATH_VECTORS_H
#define HW_MATH_VECTORS_H

#include "math/wide.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef double hwWideLoose __attribute__((vector_size(32), aligned(8), may_alias));

HW_WIDE_INLINE hwWide hwWide_Load(const double* p) {
    return (hwWide) * (const hwWideLoose*)p;
}

static inline double hwVector_Dot(int count, const double* x, const double* y) {
    hwWide a = {0.0}, b = {0.0};
    int i = 0;
    for (; i + 8 <= count; i += 8) {
        a += hwWide_Load(x + i) * hwWide_Load(y + i);
        b += hwWide_Load(x + i + 4) * hwWide_Load(y + i + 4);
    }
    a += b;
    double sum = (a[0] + a[1]) + (a[2] + a[3]);
    for (; i < count; ++i) sum += x[i] * y[i];
    return sum;
}

// Largest |x|; NaN where any of them is. Numbers without their sign are ordered as their bits are, and a NaN is above all.
static inline double hwVector_GetLargest(int count, const double* x) {
    hwWideBits a = {0}, b = {0};
    int i = 0;
    for (; i + 8 <= count; i += 8) {
        hwWideBits p = (hwWideBits)hwWide_Abs(hwWide_Load(x + i));
        hwWideBits q = (hwWideBits)hwWide_Abs(hwWide_Load(x + i + 4)), moreP = p > a, moreQ = q > b;
        a = (p & moreP) | (a & ~moreP);
        b = (q & moreQ) | (b & ~moreQ);
    }
    if (i + 4 <= count) {
        hwWideBits p = (hwWideBits)hwWide_Abs(hwWide_Load(x + i)), more = p > a;
        a = (p & more) | (a & ~more);
        i += 4;
    }
    hwWideBits more = b > a;
    a = (b & more) | (a & ~more);
    int64_t one = a[0] > a[1] ? a[0] : a[1], two = a[2] > a[3] ? a[2] : a[3], most = one > two ? one : two;
    for (; i < count; ++i) {
        int64_t bits;
        memcpy(&bits, x + i, sizeof(bits));
        bits &= INT64_MAX;
        if (bits > most) most = bits;
    }
    double largest;
    memcpy(&largest, &most, sizeof(largest));
    return largest;
}

// Keeps the larger of two sizes; a NaN stays.
static inline void hwVector_Grow(double* largest, double size) {
    if (size > *largest || isnan(size)) *largest = size;
}

#endif
