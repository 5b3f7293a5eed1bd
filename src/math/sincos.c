#include "math/sincos.h"

#include "hawser/elementary.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef double Lanes __attribute__((vector_size(32)));
typedef int64_t Bits __attribute__((vector_size(32)));

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

#define LARGEST 1e5

// pi/2 in three parts; products of the first two with numbers below 2^20 are exact (Cody & Waite 1980).
#define PART1 0x1.921fb544p+0
#define PART2 0x1.0b4611a6p-34
#define PART3 0x1.3198a2e037073p-69

// Four angles: reduce to |r| <= pi/4, near-minimax polynomials there (interpolated at Chebyshev points of r^2, error
// below 2e-17), and choose and sign by quadrant.
static inline __attribute__((always_inline)) void SinCosFour(Lanes x, Lanes* sine, Lanes* cosine) {
    const double shift = 0x1.8p52; // adding it rounds to an integer, which then stands in the lowest bits
    Lanes rounded = x * 0x1.45f306dc9c883p-1 + shift;
    Bits quadrant = (Bits)rounded;
    Lanes k = rounded - shift;
    Lanes r = ((x - k * PART1) - k * PART2) - k * PART3;
    Lanes y = r * r;
    Lanes s = -2.5051127944014187576e-8 + y * 1.5917848524808261038e-10;
    s = -0.00019841269836722417756 + y * (2.755731608381635861e-6 + y * s);
    s = r + r * y * (-0.16666666666666664599 + y * (0.0083333333333309245621 + y * s));
    Lanes c = 2.0876143827993132496e-9 + y * -1.1382456778061305869e-11;
    c = 0.000024801587298743069286 + y * (-2.7557317260008838164e-7 + y * c);
    c = (1.0 - 0.5 * y) + y * y * (0.041666666666666665373 + y * (-0.0013888888888887382271 + y * c));
    Bits swap = -(quadrant & 1);
    Bits first = ((Bits)s & ~swap) | ((Bits)c & swap);
    Bits second = ((Bits)c & ~swap) | ((Bits)s & swap);
    *sine = (Lanes)(first ^ ((quadrant & 2) << 62));
    *cosine = (Lanes)(second ^ (((quadrant + 1) & 2) << 62));
}

void hwSinCos(int count, const double* angles, double* sines, double* cosines) {
    int i = 0;
    for (; i + 4 <= count; i += 4) {
        Lanes x, s, c;
        memcpy(&x, angles + i, sizeof(x));
        SinCosFour(x, &s, &c);
        memcpy(sines + i, &s, sizeof(s));
        memcpy(cosines + i, &c, sizeof(c));
    }
    if (i < count) {
        size_t rest = (size_t)(count - i) * sizeof(double);
        Lanes x = {0.0, 0.0, 0.0, 0.0}, s, c;
        memcpy(&x, angles + i, rest);
        SinCosFour(x, &s, &c);
        memcpy(sines + i, &s, rest);
        memcpy(cosines + i, &c, rest);
    }
    for (i = 0; i < count; ++i) {
        if (fabs(angles[i]) <= LARGEST) continue;
        sines[i] = hwSin(angles[i]);
        cosines[i] = hwCos(angles[i]);
    }
}
