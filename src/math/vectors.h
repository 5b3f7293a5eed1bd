// Long vectors of numbers: sums and sizes, several lanes at a time. Compilers may not reorder sums by themselves, and one
// that waits for each addition is slower than everything else that a solver does with a vector.
#ifndef HW_MATH_VECTORS_H
#define HW_MATH_VECTORS_H

#include "math/wide.h"

#include <math.h>

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

// Largest |x|; NaN where any of them is.
static inline double hwVector_GetLargest(int count, const double* x) {
    hwWide a = {0.0}, b = {0.0};
    hwWideBits bad = {0};
    int i = 0;
    for (; i + 8 <= count; i += 8) {
        hwWide p = hwWide_Abs(hwWide_Load(x + i)), q = hwWide_Abs(hwWide_Load(x + i + 4));
        hwWideBits moreP = p > a, moreQ = q > b;
        bad |= (p != p) | (q != q); // NOLINT(misc-redundant-expression): NaN differs from itself
        a = (hwWide)(((hwWideBits)p & moreP) | ((hwWideBits)a & ~moreP));
        b = (hwWide)(((hwWideBits)q & moreQ) | ((hwWideBits)b & ~moreQ));
    }
    double largest = 0.0;
    for (int k = 0; k < 4; ++k) {
        if (a[k] > largest) largest = a[k];
        if (b[k] > largest) largest = b[k];
        if (bad[k]) return (double)NAN;
    }
    for (; i < count; ++i) {
        if (isnan(x[i])) return x[i];
        if (fabs(x[i]) > largest) largest = fabs(x[i]);
    }
    return largest;
}

// Keeps the larger of two sizes; a NaN stays.
static inline void hwVector_Grow(double* largest, double size) {
    if (size > *largest || isnan(size)) *largest = size;
}

#endif
