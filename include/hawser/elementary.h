/// @file elementary.h
/// Elementary functions that give the same bits on every machine and with every compiler, which those of <math.h> do not:
/// each C library has its own, and compilers replace some calls at compile time. The engine uses only these. Use them for
/// numbers that you pass into a world when your runs must repeat to the bit elsewhere.
///
/// Errors are below one unit in the last place; special cases are those of C17, annex F, but errno and the exception
/// flags are not part of the contract. <math.h> remains right for what IEEE 754 fixes to the bit: sqrt, fabs, floor, ceil,
/// trunc, round, rint, copysign, fmod, remainder, ldexp, frexp.
#ifndef HAWSER_ELEMENTARY_H
#define HAWSER_ELEMENTARY_H

#include "hawser/base.h"

#ifdef __cplusplus
extern "C" {
#endif

HW_API double hwSin(double x); ///< Sine of x radians, of any size.
HW_API double hwCos(double x); ///< Cosine of x radians, of any size.
/// Both at once, with the bits of hwSin and hwCos.
HW_API void hwSinAndCos(double x, double* sine, double* cosine);
HW_API double hwTan(double x);             ///< Tangent of x radians, of any size.
HW_API double hwAsin(double x);            ///< Angle in [-pi/2, pi/2] with sine x.
HW_API double hwAcos(double x);            ///< Angle in [0, pi] with cosine x.
HW_API double hwAtan(double x);            ///< Angle in [-pi/2, pi/2] with tangent x.
HW_API double hwAtan2(double y, double x); ///< Angle in [-pi, pi] of the point (x, y).

HW_API double hwExp(double x);             ///< e^x
HW_API double hwExp2(double x);            ///< 2^x
HW_API double hwExpm1(double x);           ///< e^x - 1 without the loss of digits near 0
HW_API double hwLog(double x);             ///< Natural logarithm.
HW_API double hwLog2(double x);            ///< Logarithm to base 2.
HW_API double hwLog10(double x);           ///< Logarithm to base 10.
HW_API double hwLog1p(double x);           ///< log(1 + x) without the loss of digits near 0
HW_API double hwPow(double x, double y);   ///< x^y
HW_API double hwCbrt(double x);            ///< Cube root.
HW_API double hwHypot(double x, double y); ///< sqrt(x^2 + y^2) without overflow on the way.

HW_API double hwSinh(double x);  ///< Hyperbolic sine.
HW_API double hwCosh(double x);  ///< Hyperbolic cosine.
HW_API double hwTanh(double x);  ///< Hyperbolic tangent.
HW_API double hwAsinh(double x); ///< Inverse of hwSinh.
HW_API double hwAcosh(double x); ///< Inverse of hwCosh on [1, infinity).
HW_API double hwAtanh(double x); ///< Inverse of hwTanh on [-1, 1].

/// The smaller of two numbers, the other where one is NaN, b where they are equal. C's fmin leaves open which of -0 and 0
/// it returns, and compilers differ.
static inline double hwFmin(double a, double b) {
    return a < b || b != b ? a : b;
}

/// The larger of two numbers, the other where one is NaN, b where they are equal.
static inline double hwFmax(double a, double b) {
    return a > b || b != b ? a : b;
}

#ifdef __cplusplus
}
#endif
#endif
