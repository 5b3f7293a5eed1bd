// Hyperbolic functions and their inverses, from the exponential and the logarithm to twice the digits.
#include "hawser/elementary.h"

#include "math/double_double.h"

#include <stdbool.h>

// e^x is the result for larger arguments, halved or as it is: the other term is below its last digit.
#define ONE_TERM 20.0

// e^x / 2 for large x, without overflow before the result does
static double HalfExp(double x) {
    if (x > 711.0) return HUGE_VAL;
    int power;
    hwDouble2 e = hwExp2_Scaled((hwDouble2){x, 0.0}, &power);
    return e.high * hwPowerOfTwo(power - 2) * 2.0;
}

double hwSinh(double x) {
    double size = fabs(x);
    if (size < 0x1p-28 || x != x) return x;
    if (size > ONE_TERM) return copysign(HalfExp(size), x);
    // with m = e^x - 1: sinh x = (m + m / (m + 1)) / 2
    hwDouble2 m = hwExpm1_Double2(size);
    hwDouble2 sum = hwAdd2(m, hwDiv2(m, hwAdd2(m, (hwDouble2){1.0, 0.0})));
    return copysign(0.5 * sum.high, x);
}

double hwCosh(double x) {
    double size = fabs(x);
    if (x != x) return x;
    if (size > ONE_TERM) return HalfExp(size);
    int power;
    hwDouble2 e = hwExp2_Scaled((hwDouble2){size, 0.0}, &power);
    double scale = hwPowerOfTwo(power);
    e = (hwDouble2){e.high * scale, e.low * scale};
    return 0.5 * hwAdd2(e, hwDiv2((hwDouble2){1.0, 0.0}, e)).high;
}

double hwTanh(double x) {
    double size = fabs(x);
    if (size < 0x1p-28 || x != x) return x;
    if (size > ONE_TERM) return copysign(1.0, x);
    // with m = e^2x - 1: tanh x = m / (m + 2)
    hwDouble2 m = hwExpm1_Double2(2.0 * size);
    return copysign(hwDiv2(m, hwAdd2(m, (hwDouble2){2.0, 0.0})).high, x);
}

// log(x + sqrt(x^2 + sign)) for x < 2^30
static double LogOfSum(double x, double sign) {
    hwDouble2 root = hwSqrt2(hwAdd2(hwProduct2(x, x), (hwDouble2){sign, 0.0}));
    hwDouble2 sum = hwAdd2(root, (hwDouble2){x, 0.0});
    return hwAdd2(hwLog_Double2(sum.high), (hwDouble2){sum.low / sum.high, 0.0}).high;
}

// log(2 x) for large x
static double LogOfTwice(double x) {
    return hwAdd2(hwLog_Double2(x), (hwDouble2){0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56}).high;
}

double hwAsinh(double x) {
    double size = fabs(x);
    if (size < 0x1p-28 || !(size < HUGE_VAL)) return x;
    return copysign(size < 0x1p30 ? LogOfSum(size, 1.0) : LogOfTwice(size), x);
}

double hwAcosh(double x) {
    if (!(x >= 1.0)) return (double)NAN;
    if (x == HUGE_VAL) return x;
    return x < 0x1p30 ? LogOfSum(x, -1.0) : LogOfTwice(x);
}

double hwAtanh(double x) {
    double size = fabs(x);
    if (size < 0x1p-28 || x != x) return x;
    if (size >= 1.0) return size > 1.0 ? (double)NAN : copysign(HUGE_VAL, x);
    hwDouble2 below = hwLog1p_Double2(-size);
    return copysign(0.5 * hwAdd2(hwLog1p_Double2(size), (hwDouble2){-below.high, -below.low}).high, x);
}
