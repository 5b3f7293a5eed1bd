// Sine, cosine, tangent and their inverses. See hawser/elementary.h for what is promised.
#include "hawser/elementary.h"

#include "math/double_double.h"

#include <stdbool.h>

#define ROUNDER 0x1.8p52

// pi/2 in three parts; the first two have 33 and 32 bits, so that their products with integers below 2^20 are exact (Cody &
// Waite 1980).
#define PART1 0x1.921fb544p+0
#define PART2 0x1.0b4611a6p-34
#define PART3 0x1.3198a2e037073p-69
#define LARGEST 0x1p20

// pi/2 to twice the digits
static const hwDouble2 quarter = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

// The digits of 2/pi after the point.
static const uint64_t twoOverPi[20] = {
    0xa2f9836e4e441529u, 0xfc2757d1f534ddc0u, 0xdb6295993c439041u, 0xfe5163abdebbc561u, 0xb7246e3a424dd2e0u,
    0x06492eea09d1921cu, 0xfe1deb1cb129a73eu, 0xe88235f52ebb4484u, 0xe99c7026b45f7e41u, 0x3991d639835339f4u,
    0x9c845f8bbdf9283bu, 0x1ff897ffde05980fu, 0xef2f118b5a0a6d1fu, 0x6d367ecf27cb09b7u, 0x4f463f669e5fea2du,
    0x7527bac7ebe5f17bu, 0x3d0739f78a5292eau, 0x6bfb5fb11f8d5d08u, 0x56033046fc7b6babu, 0xf0cfbc209af4361du,
};

// atan(i/32) = high + low
static const double atanTable[33][2] = {
    {0.0, 0.0},
    {0x1.ffd55bba97625p-6, -0x1.5ec431444912cp-60},
    {0x1.ff55bb72cfdeap-5, -0x1.c934d86d23f1dp-60},
    {0x1.7ee182602f10fp-4, -0x1.cfb654c0c3d98p-58},
    {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
    {0x1.3d6eee8c6626cp-3, 0x1.61a3b0ce9281bp-57},
    {0x1.7b97b4bce5b02p-3, 0x1.347b0b4f881cap-58},
    {0x1.b90d7529260a2p-3, 0x1.17b10d2e0e5abp-61},
    {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
    {0x1.18bf5a30bf178p-2, 0x1.30ca4748b1bf9p-57},
    {0x1.362773707ebccp-2, -0x1.963a544b672d8p-57},
    {0x1.530ad9951cd4ap-2, -0x1.2566480884082p-57},
    {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
    {0x1.8b24d394a1b25p-2, 0x1.b6d0ba3748fa8p-56},
    {0x1.a64eec3cc23fdp-2, -0x1.24dec1b50b7ffp-56},
    {0x1.c0db4c94ec9fp-2, -0x1.cc1ce70934c34p-56},
    {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
    {0x1.f40dd0b541418p-2, -0x1.a3992dc382a23p-57},
    {0x1.0657e94db30dp-1, -0x1.d5b495f6349e6p-56},
    {0x1.1255d9bfbd2a9p-1, -0x1.2bdaee1c0ee35p-58},
    {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
    {0x1.2958e59308e31p-1, -0x1.09e73b0c6c087p-56},
    {0x1.345f01cce37bbp-1, 0x1.1021137c71102p-55},
    {0x1.3f13fb89e96f4p-1, 0x1.ecf8b492644fp-56},
    {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
    {0x1.538f57b89061fp-1, -0x1.1bb74abda520cp-55},
    {0x1.5d58987169b18p-1, 0x1.0028e4bc5e7cap-57},
    {0x1.66d663923e087p-1, -0x1.6ea6febe8bbbap-56},
    {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
    {0x1.78f6bbd5d315ep-1, 0x1.406a08980374p-55},
    {0x1.819d0b7158a4dp-1, -0x1.bf76229d3b917p-56},
    {0x1.89ff5ff57f1f8p-1, -0x1.55b9a5e177a1bp-55},
    {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
};

// Reduction to a quarter turn ----------------------------------------------------------------------------------------

// low and high half of a b
static uint64_t MultiplyWords(uint64_t a, uint64_t b, uint64_t* high) {
    uint64_t al = a & 0xffffffffu, ah = a >> 32, bl = b & 0xffffffffu, bh = b >> 32;
    uint64_t low = al * bl, mid = ah * bl + (low >> 32), other = al * bh + (mid & 0xffffffffu);
    *high = ah * bh + (mid >> 32) + (other >> 32);
    return (other << 32) | (low & 0xffffffffu);
}

// 64 digits of 2/pi from `place` on; those before the point are zero.
static uint64_t TakeDigits(int place) {
    if (place <= -64) return 0;
    if (place < 0) return twoOverPi[0] >> -place;
    int word = place / 64, bit = place % 64;
    return bit == 0 ? twoOverPi[word] : (twoOverPi[word] << bit) | (twoOverPi[word + 1] >> (64 - bit));
}

// For any size of x: x 2/pi modulo 4 with 126 digits after the point, from those digits of 2/pi that matter (Payne & Hanek
// 1983). Digits whose product with x is a multiple of 4 are left out, and those that come too late.
static hwDouble2 ReduceLarge(double x, int* quadrant) {
    uint64_t bits = hwBits(x), significand = (bits & 0x000fffffffffffffu) | 0x0010000000000000u;
    int exponent = (int)((bits >> 52) & 0x7ff) - 1075; // |x| = significand 2^exponent
    int first = exponent - 2; // the digit of weight 2^-(first + 1) times 2^exponent is worth 2
    uint64_t a = TakeDigits(first), b = TakeDigits(first + 64), c = TakeDigits(first + 128), carry, high;
    // significand (a 2^128 + b 2^64 + c), of which the upper 128 bits of the lower 192 are the wanted digits
    MultiplyWords(significand, c, &carry);
    uint64_t low = MultiplyWords(significand, b, &high), top = significand * a;
    low += carry;
    high += low < carry;
    top += high;
    // round to the nearest quarter turn
    int turn = (int)(top >> 62);
    uint64_t upper = top << 2 | low >> 62, lower = low << 2;
    bool over =
        upper >> 63; // the fraction is one half or more: take the next quarter turn, less the complement
    if (over) {
        turn += 1;
        upper = ~upper;
        lower = ~lower;
    }
    // the fraction in three exact pieces
    double f1 = (double)(upper >> 32) * 0x1p-32, f2 = (double)(upper & 0xffffffffu) * 0x1p-64,
           f3 = (double)(lower >> 11) * 0x1p-117;
    hwDouble2 f = hwSum2(f1, f2);
    f = hwQuickSum2(f.high, f.low + f3);
    hwDouble2 r = hwMul2(f, quarter);
    if (over != (x < 0.0)) r = (hwDouble2){-r.high, -r.low};
    *quadrant = (x < 0.0 ? -turn : turn) & 3;
    return r;
}

// x = quadrant pi/2 + r modulo a turn, |r| <= pi/4 and a little, with a relative error below 2^-58. x is finite.
static inline hwDouble2 ReduceAngle(double x, int* quadrant) {
    if (fabs(x) <= 0.785) {
        *quadrant = 0;
        return (hwDouble2){x, 0.0};
    }
    if (fabs(x) < LARGEST) {
        double shifted = x * 0x1.45f306dc9c883p-1 + ROUNDER, n = shifted - ROUNDER;
        hwDouble2 r = hwSum2(x - n * PART1, -(n * PART2));
        r = hwQuickSum2(r.high, r.low - n * PART3);
        *quadrant = (int)(hwBits(shifted) & 3);
        // three parts leave an error of 2^-102, which only matters beside multiples of pi/2
        if (fabs(r.high) > 0x1p-40) return r;
    }
    return ReduceLarge(x, quadrant);
}

// Near-minimax polynomials (interpolated at Chebyshev points of r^2), absolute errors 4e-18 and 1e-18.

static inline hwDouble2 SineNear0(hwDouble2 r) {
    double x = r.high, y = x * x;
    double p = 0x1.61217ec01749dp-33 + y * -0x1.ab17a79237a19p-41;
    p = 0x1.71de3a54605eep-19 + y * (-0x1.ae64541266378p-26 + y * p);
    p = 0x1.111111111111p-7 + y * (-0x1.a01a01a019936p-13 + y * p);
    return hwQuickSum2(x, x * y * (-0x1.5555555555555p-3 + y * p) + r.low * (1.0 - 0.5 * y));
}

static inline hwDouble2 CosineNear0(hwDouble2 r) {
    double x = r.high, y = x * x;
    double p = -0x1.9394b9c9c20a4p-37 + y * 0x1.ab783376962cfp-45;
    p = -0x1.27e4fb7712bdfp-22 + y * (0x1.1eed8deb6d561p-29 + y * p);
    p = -0x1.6c16c16c16c16p-10 + y * (0x1.a01a01a019d0ap-16 + y * p);
    double half = 0.5 * y, head = 1.0 - half;
    double rest = ((1.0 - head) - half) + (y * y * (0x1.5555555555555p-5 + y * p) - x * r.low);
    return hwQuickSum2(head, rest);
}

static inline double ChooseByQuadrant(double sine, double cosine, int quadrant) {
    double value = quadrant & 1 ? cosine : sine;
    return quadrant & 2 ? -value : value;
}

double hwSin(double x) {
    if (fabs(x) < 0x1p-27) return x;
    if (!(fabs(x) < HUGE_VAL)) return (double)NAN;
    int quadrant;
    hwDouble2 r = ReduceAngle(x, &quadrant);
    double value = quadrant & 1 ? CosineNear0(r).high : SineNear0(r).high;
    return quadrant & 2 ? -value : value;
}

double hwCos(double x) {
    if (!(fabs(x) < HUGE_VAL)) return (double)NAN;
    int quadrant;
    hwDouble2 r = ReduceAngle(x, &quadrant);
    quadrant += 1;
    double value = quadrant & 1 ? CosineNear0(r).high : SineNear0(r).high;
    return quadrant & 2 ? -value : value;
}

void hwSinAndCos(double x, double* sine, double* cosine) {
    if (!(fabs(x) < HUGE_VAL)) {
        *sine = *cosine = (double)NAN;
        return;
    }
    int quadrant;
    hwDouble2 r = ReduceAngle(x, &quadrant);
    double s = SineNear0(r).high, c = CosineNear0(r).high;
    *sine = fabs(x) < 0x1p-27 ? x : ChooseByQuadrant(s, c, quadrant);
    *cosine = ChooseByQuadrant(s, c, quadrant + 1);
}

double hwTan(double x) {
    if (fabs(x) < 0x1p-27) return x;
    if (!(fabs(x) < HUGE_VAL)) return (double)NAN;
    int quadrant;
    hwDouble2 r = ReduceAngle(x, &quadrant), s = SineNear0(r), c = CosineNear0(r);
    return quadrant & 1 ? -hwDiv2(c, s).high : hwDiv2(s, c).high;
}

// Inverses -----------------------------------------------------------------------------------------------------------

// The angle of the point (x, y) for 0 <= y <= x, both within 2^-900 to 2^900 where they are not zero. With c = i/32 near
// y/x, it is atan(c) + atan q, q = (y - c x)/(x + c y), |q| <= 1/64 and a little.
static hwDouble2 FirstOctant(hwDouble2 y, hwDouble2 x) {
    int i = (int)(32.0 * (y.high / x.high) + 0.5);
    double c = i * 0x1p-5;
    hwDouble2 num = hwProduct2(c, x.high), den = hwProduct2(c, y.high);
    hwDouble2 n = hwSum2(y.high, -num.high), d = hwSum2(x.high, den.high);
    n = hwSum2(n.high, n.low + (y.low - (num.low + c * x.low)));
    d = hwQuickSum2(d.high, d.low + (x.low + (den.low + c * y.low)));
    double inverse = 1.0 / d.high, q = n.high * inverse;
    hwDouble2 product = hwProduct2(q, d.high);
    double rest = (((n.high - product.high) - product.low) + (n.low - q * d.low)) * inverse;
    double s = q * q;
    double p = -0x1.2492492492492p-3 + s * (0x1.c71c71c71c71cp-4 + s * -0x1.745d1745d1746p-4);
    p = q * s * (-0x1.5555555555555p-2 + s * (0x1.999999999999ap-3 + s * p));
    hwDouble2 sum = hwSum2(atanTable[i][0], q);
    return hwQuickSum2(sum.high, sum.low + (atanTable[i][1] + rest + p));
}

// The same for plain numbers, quicker: there y - c upper(x) is exact, and the rounding errors of q matter little beside
// atan(c) for y/x > 1/8. Below, c = 0 and the polynomial has more terms.
static inline hwDouble2 QuickOctant(double y, double x) {
    double t = y / x, s, p;
    if (t < 0.125) {
        hwDouble2 product = hwProduct2(t, x);
        double rest = ((y - product.high) - product.low) / x;
        s = t * t;
        p = 0x1.3b13b13b13b14p-4 +
            s * (-0x1.1111111111111p-4 + s * 0x1.e1e1e1e1e1e1ep-5); // 1/13 - s/15 + s^2/17
        p = 0x1.c71c71c71c71cp-4 + s * (-0x1.745d1745d1746p-4 + s * p);
        p = 0x1.999999999999ap-3 + s * (-0x1.2492492492492p-3 + s * p);
        return hwQuickSum2(t, rest + t * s * (-0x1.5555555555555p-2 + s * p));
    }
    int i = (int)(32.0 * t + 0.5);
    double c = i * 0x1p-5, upper = hwUpperHalf(x);
    double q = ((y - c * upper) - c * (x - upper)) / (x + c * y);
    s = q * q;
    p = -0x1.2492492492492p-3 + s * 0x1.c71c71c71c71cp-4;
    p = q * s * (-0x1.5555555555555p-2 + s * (0x1.999999999999ap-3 + s * p));
    hwDouble2 sum = hwQuickSum2(atanTable[i][0], q);
    return hwQuickSum2(sum.high, sum.low + (atanTable[i][1] + p));
}

// An angle a of the first octant, turned to where it belongs.
static inline hwDouble2 PlaceAngle(hwDouble2 a, bool steep, bool left) {
    if (!steep && !left) return a;
    double sign = steep == left ? 1.0 : -1.0, quarters = steep ? 1.0 : 2.0;
    hwDouble2 sum = hwQuickSum2(quarters * quarter.high, sign * a.high);
    return hwQuickSum2(sum.high, sum.low + (quarters * quarter.low + sign * a.low));
}

// The angle of the point (x, y) for y >= 0 and any x, sizes as above.
static hwDouble2 UpperHalfPlane(hwDouble2 y, hwDouble2 x) {
    bool left = x.high < 0.0;
    if (left) x = (hwDouble2){-x.high, -x.low};
    bool steep = y.high > x.high;
    return PlaceAngle(steep ? FirstOctant(x, y) : FirstOctant(y, x), steep, left);
}

static inline double QuickAngle(double y, double x) {
    double size = fabs(x);
    bool steep = y > size;
    return PlaceAngle(steep ? QuickOctant(size, y) : QuickOctant(y, size), steep, x < 0.0).high;
}

double hwAtan(double x) {
    double size = fabs(x);
    if (size < 0x1p-27 || x != x) return x;
    if (size > 0x1p60) return copysign(quarter.high, x);
    return copysign(QuickAngle(size, 1.0), x);
}

double hwAtan2(double y, double x) {
    if (x != x || y != y) return x + y;
    double a = fabs(x), b = fabs(y);
    bool left = signbit(x);
    if (b == 0.0) return left ? copysign(2.0 * quarter.high, y) : y;
    if (a == 0.0) return copysign(quarter.high, y);
    if (a == HUGE_VAL || b == HUGE_VAL) {
        if (a == b) return copysign((left ? 1.5 : 0.5) * quarter.high, y);
        return b == HUGE_VAL ? copysign(quarter.high, y) : copysign(left ? 2.0 * quarter.high : 0.0, y);
    }
    // Sizes for exact products: the larger becomes a number near 1, and the smaller one may vanish beside it.
    int exponents[2] = {(int)(hwBits(a) >> 52), (int)(hwBits(b) >> 52)};
    if (exponents[1] > exponents[0] + 60) return copysign(quarter.high, y);
    if (exponents[0] > exponents[1] + 60) return left ? copysign(2.0 * quarter.high, y) : y / x; // atan q = q
    int larger = exponents[0] > exponents[1] ? exponents[0] : exponents[1];
    double scale = 1.0;
    if (larger > 1023 + 800) scale = 0x1p-500;
    if (larger < 1023 - 500) scale = 0x1p500;
    return copysign(QuickAngle(b * scale, x * scale), y);
}

// sqrt(1 - x^2), for x above 2^-28 in size
static hwDouble2 SqrtOneMinusSquare(double x) {
    hwDouble2 square = hwProduct2(x, x);
    return hwSqrt2(hwAdd2((hwDouble2){1.0, 0.0}, (hwDouble2){-square.high, -square.low}));
}

double hwAsin(double x) {
    double size = fabs(x);
    if (size < 0x1p-27 || x != x) return x;
    if (size > 1.0) return (double)NAN;
    return copysign(UpperHalfPlane((hwDouble2){size, 0.0}, SqrtOneMinusSquare(x)).high, x);
}

double hwAcos(double x) {
    if (!(fabs(x) <= 1.0)) return (double)NAN;
    if (fabs(x) < 0x1p-60) return quarter.high;
    if (fabs(x) < 0x1p-27) return hwAdd2(quarter, (hwDouble2){-x, 0.0}).high;
    return UpperHalfPlane(SqrtOneMinusSquare(x), (hwDouble2){x, 0.0}).high;
}
