// Exponentials, logarithms, powers and roots. See hawser/elementary.h for what is promised.
//
// e^x: x = k ln2/64 + r, so that e^x = 2^(k/64) e^r with a table of 64 powers and a Taylor polynomial on |r| <= ln2/128.
// log x: x = 2^k z, log z = log c + log(1 + r) with a table of 128 short numbers c near z, r = (z - c)/c below 2^-7. The
// table's c have ten bits, so that z - c and products of c with half-length numbers are exact, and r is known to 80 bits
// without a division (after Tang 1989 and 1990, Table-driven implementation of the exponential, logarithm function).
#include "hawser/elementary.h"

#include "math/double_double.h"
#include "math/exponential_tables.h"

#include <stdbool.h>

#define ROUNDER 0x1.8p52 // adding it rounds to an integer, which then stands in the low bits of the sum

#define LN2_HIGH 0x1.62e42fefa38p-1 // a multiple of 2^-42: times an exponent it is exact
#define LN2_LOW 0x1.ef35793c7673p-45
#define STEP_HIGH 0x1.62e42fefap-7 // ln2/64, likewise
#define STEP_LOW 0x1.cf79abc9e3b3ap-46
#define STEPS_PER_UNIT 0x1.71547652b82fep+6 // 64/ln2

// Above and below, e^x is infinite and zero.
#define EXP_HIGHEST 0x1.62e42fefa39efp+9
#define EXP_LOWEST (-0x1.74910d52d3052p+9)

static int ToInt(double shifted) {
    return (int)(int32_t)(uint32_t)hwBits(
        shifted); // the low 32 bits of an integer + ROUNDER, in two's complement
}

// x 2^power with one rounding where the result is subnormal, for |power| < 2000
static double ScaleByPower(double x, int power) {
    if (power > 1023) return x * 0x1p1023 * hwPowerOfTwo(power - 1023 > 1023 ? 1023 : power - 1023);
    if (power < -1022) return x * 0x1p-969 * hwPowerOfTwo(power + 969 < -1022 ? -1022 : power + 969);
    return x * hwPowerOfTwo(power);
}

// e^(r + rest) - 1 by Taylor's polynomial for |r| <= ln2/128 and |rest| <= 2^-43, whose square does not matter
static inline double ExpRest(double r, double rest) {
    double y = r * r;
    double p = 0x1.5555555555555p-3 + r * 0x1.5555555555555p-5;  // 1/3! + r/4!
    p += y * (0x1.1111111111111p-7 + r * 0x1.6c16c16c16c17p-10); // 1/5! + r/6!
    return r + (rest + (y * (0.5 + r * p) + r * rest));
}

// e^(high + low) = 2^(k/64) (1 + p): p, for |low| up to half a unit in the last place of high
static inline double ReduceExp(double high, double low, int* k) {
    double shifted = high * STEPS_PER_UNIT + ROUNDER, n = shifted - ROUNDER;
    hwDouble2 r = hwQuickSum2(high - n * STEP_HIGH, -(n * STEP_LOW));
    *k = ToInt(shifted);
    return ExpRest(r.high, r.low + low);
}

// 2^(k/64) (1 + p)
static inline double AssembleExp(double p, int k) {
    const double* t = expTable[k & 63];
    return ScaleByPower(t[0] + (t[1] + t[0] * p), (k - (k & 63)) / 64);
}

hwDouble2 hwExp2_Scaled(hwDouble2 x, int* power) {
    int k;
    double p = ReduceExp(x.high, x.low, &k);
    const double* t = expTable[k & 63];
    *power = (k - (k & 63)) / 64;
    return hwQuickSum2(t[0], t[1] + t[0] * p);
}

double hwExp(double x) {
    if (!(x <= EXP_HIGHEST)) return x > 0.0 ? HUGE_VAL : x; // NaN stays
    if (x < EXP_LOWEST) return 0.0;
    int k;
    double p = ReduceExp(x, 0.0, &k);
    return AssembleExp(p, k);
}

double hwExp2(double x) {
    if (!(x < 1024.0)) return x > 0.0 ? HUGE_VAL : x;
    if (x < -1075.0) return 0.0;
    double shifted = x * 64.0 + ROUNDER, n = shifted - ROUNDER;
    return AssembleExp(ExpRest((x - n * 0x1p-6) * 0x1.62e42fefa39efp-1, 0.0), ToInt(shifted));
}

// x + x^2/2 + x^3 q(x) for |x| <= 1/4, the square exactly; Taylor's coefficients.
static hwDouble2 Expm1Near0(double x) {
    double upper = hwUpperHalf(x), lower = x - upper;
    double q = 0x1.1eed8eff8d898p-29 + x * 0x1.6124613a86d09p-33; // 1/12! + x/13!
    q = 0x1.27e4fb7789f5cp-22 + x * (0x1.ae64567f544e4p-26 + x * q);
    q = 0x1.a01a01a01a01ap-16 + x * (0x1.71de3a556c734p-19 + x * q);
    q = 0x1.6c16c16c16c17p-10 + x * (0x1.a01a01a01a01ap-13 + x * q);
    q = 0x1.5555555555555p-5 + x * (0x1.1111111111111p-7 + x * q);
    q = 0x1.5555555555555p-3 + x * q;
    hwDouble2 sum = hwQuickSum2(x, 0.5 * upper * upper);
    return hwQuickSum2(sum.high, sum.low + (0.5 * lower * (x + upper) + x * x * x * q));
}

hwDouble2 hwExpm1_Double2(double x) {
    if (fabs(x) <= 0.25) return Expm1Near0(x);
    int power;
    hwDouble2 e = hwExp2_Scaled((hwDouble2){x, 0.0}, &power);
    double scale = hwPowerOfTwo(power);
    return hwAdd2((hwDouble2){e.high * scale, e.low * scale}, (hwDouble2){-1.0, 0.0});
}

double hwExpm1(double x) {
    if (fabs(x) < 0x1p-54 || x != x) return x;
    if (x < -40.0) return -1.0;
    if (x > 300.0) return hwExp(x); // 1 is far below its last digit
    return hwExpm1_Double2(x).high;
}

hwDouble2 hwLog_Double2(double x) {
    uint64_t bits = hwBits(x);
    int k = 0;
    if (bits < 0x0010000000000000u) { // subnormal
        bits = hwBits(x * 0x1p54);
        k = -54;
    }
    uint64_t beyond = bits - 0x3fe6400000000000u; // of 0.6953125
    k += (int)((int64_t)beyond >> 52);
    const double* row = logTable[(beyond >> 45) & 127];
    double z = hwNumber(bits - (beyond & 0xfff0000000000000u)), c = row[0], d = z - c; // exact
    double upper = hwUpperHalf(d * row[1]), lower = (d - upper * c) * row[1], r = upper + lower;
    // log(1 + r) = r - r^2/2 + r^3 (1/3 - r/4 + ...)
    double p = -0x1p-3 + r * 0x1.c71c71c71c71cp-4;
    p = -0x1.5555555555555p-3 + r * (0x1.2492492492492p-3 + r * p);
    p = -0x1p-2 + r * (0x1.999999999999ap-3 + r * p);
    p = 0x1.5555555555555p-2 + r * p;
    hwDouble2 one = hwQuickSum2(k * LN2_HIGH + row[2], upper);
    hwDouble2 two = hwQuickSum2(one.high, -0.5 * upper * upper);
    double rest = (k * LN2_LOW + row[3]) + (lower - lower * (upper + 0.5 * lower)) + r * r * r * p;
    return hwQuickSum2(two.high, (one.low + two.low) + rest);
}

// log of 0, negative numbers, infinity and NaN
static double LogOfSpecial(double x) {
    if (x == 0.0) return -HUGE_VAL;
    return x > 0.0 || x != x ? x : (double)NAN;
}

static bool IsPositive(double x) {
    return x > 0.0 && x < HUGE_VAL;
}

double hwLog(double x) {
    return IsPositive(x) ? hwLog_Double2(x).high : LogOfSpecial(x);
}

double hwLog2(double x) {
    if (!IsPositive(x)) return LogOfSpecial(x);
    return hwMul2(hwLog_Double2(x), (hwDouble2){0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56}).high;
}

double hwLog10(double x) {
    if (!IsPositive(x)) return LogOfSpecial(x);
    return hwMul2(hwLog_Double2(x), (hwDouble2){0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57}).high;
}

hwDouble2 hwLog1p_Double2(double x) {
    hwDouble2 s = hwSum2(1.0, x), l = hwLog_Double2(s.high);
    return hwAdd2(l, (hwDouble2){s.low / s.high, 0.0}); // the next term is below 2^-106
}

double hwLog1p(double x) {
    if (fabs(x) < 0x1p-54) return x;
    if (!(x > -1.0) || x == HUGE_VAL) return x == -1.0 ? -HUGE_VAL : LogOfSpecial(x);
    return hwLog1p_Double2(x).high;
}

// Whether y is an integer, and an odd one.
static bool IsInteger(double y, bool* odd) {
    *odd = false;
    if (fabs(y) >= 0x1p53) return true;
    if (floor(y) != y) return false;
    *odd = (int64_t)y % 2 != 0;
    return true;
}

// x^y where x or y is 0, infinite or NaN, or y is so large that the result is 0, 1 or infinite; x not 1, y not 0. The sign
// is that of x.
static double PowOfSpecial(double x, double y, bool odd) {
    if (x != x || y != y) return x + y;
    double size = fabs(x);
    if (size == 1.0) return x > 0.0 || !odd ? 1.0 : -1.0;
    double power = (size > 1.0) == (y > 0.0) ? HUGE_VAL : 0.0;
    return odd && signbit(x) ? -power : power;
}

double hwPow(double x, double y) {
    double size = fabs(x), sign = 1.0;
    if (!(x > 0.0 && x < HUGE_VAL && fabs(y) < 0x1p66)) {
        if (x == 1.0 || y == 0.0) return 1.0;
        bool odd = false, integer = IsInteger(y, &odd);
        if (!IsPositive(size) || !(fabs(y) < 0x1p66)) return PowOfSpecial(x, y, odd);
        if (!integer) return (double)NAN;
        sign = odd ? -1.0 : 1.0;
    }
    hwDouble2 l = hwLog_Double2(size), p = hwProduct2(y, l.high);
    p = hwQuickSum2(p.high, p.low + y * l.low);
    if (p.high > 710.0) return sign * HUGE_VAL;
    if (p.high < -746.0) return sign * 0.0;
    int k;
    double e = ReduceExp(p.high, p.low, &k);
    return sign * AssembleExp(e, k);
}

double hwCbrt(double x) {
    double size = fabs(x);
    if (!IsPositive(size)) return x;
    uint64_t bits = hwBits(size);
    double scale = 1.0;
    if (bits < 0x0010000000000000u) { // subnormal
        bits = hwBits(size * 0x1p54);
        scale = 0x1p-18;
    }
    // z in [1, 8) and size = z 2^(3 third)
    int exponent = (int)(bits >> 52) - 1023;
    int third = (exponent + 1023 + 3) / 3 - 342;
    double z = hwNumber(bits - ((uint64_t)(int64_t)(3 * third) << 52));
    // Start within 2 %, and Halley's iteration, which triples the digits: 0.02^9 is below 2^-50.
    double t = 0.7087892 + z * (0.3243116 + z * (-0.0360474 + z * 0.0018846));
    for (int i = 0; i < 2; ++i) {
        double cube = t * t * t;
        t *= (cube + 2.0 * z) / (2.0 * cube + z);
    }
    // A last step from a start of 26 bits, whose square is exact.
    double head = hwUpperHalf(t), square = head * head;
    hwDouble2 cube = hwProduct2(square, head);
    double step = ((z - cube.high) - cube.low) / (3.0 * square);
    double root = head + (step - step * step / head); // and the next term of the step
    return copysign(root * hwPowerOfTwo(third) * scale, x);
}

// sqrt(a^2 + b^2) for a >= b where squares neither overflow nor lose digits: the root of the rounded sum, and a step of
// Newton's with what rounding left.
static inline double HypotInRange(double a, double b) {
    hwDouble2 p = hwProduct2(a, a), sum = hwQuickSum2(p.high, b * b);
    double root = sqrt(sum.high);
    hwDouble2 square = hwProduct2(root, root);
    return root + (((sum.high - square.high) - square.low) + (sum.low + p.low)) / (2.0 * root);
}

double hwHypot(double x, double y) {
    double a = fabs(x), b = fabs(y);
    if (a == HUGE_VAL || b == HUGE_VAL) return HUGE_VAL;
    if (a < b) {
        double swap = a;
        a = b;
        b = swap;
    }
    if (b <= a * 0x1p-54) return a;
    if (a < 0x1p500 && a > 0x1p-400) return HypotInRange(a, b);
    if (a >= 0x1p500) return HypotInRange(a * 0x1p-600, b * 0x1p-600) * 0x1p600;
    return HypotInRange(a * 0x1p600, b * 0x1p600) * 0x1p-600; // NaN stays
}
