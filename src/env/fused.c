// a b + c in one rounding by integers, for C libraries whose own rounds twice: that of mingw-w64 adds in extended precision.
#include "env/kernels.h"

#ifdef __SIZEOF_INT128__

__extension__ typedef unsigned __int128 hwWide;

// A finite number as mantissa times 2^exponent.
static uint64_t SplitMantissa(double x, int* exponent) {
    uint64_t bits = hwBitsOf(x), mantissa = bits & 0xfffffffffffffu;
    int biased = (int)(bits >> 52 & 0x7ff);
    *exponent = (biased > 0 ? biased : 1) - 1075;
    return biased > 0 ? mantissa | 0x10000000000000u : mantissa;
}

// Puts the leading bit into bit 125.
static hwWide LiftExponent(hwWide value, int* exponent) {
    int shift = (uint64_t)(value >> 64) != 0 ? __builtin_clzll((uint64_t)(value >> 64)) - 2
                                             : __builtin_clzll((uint64_t)value) + 62;
    *exponent -= shift;
    return shift >= 0 ? value << shift : value >> -shift;
}

// Right shift in which the bits that are lost leave a one in the lowest place.
static hwWide ShiftSticky(hwWide value, int shift) {
    if (shift <= 0) return value;
    if (shift > 127) return value != 0;
    return value >> shift | ((value << (128 - shift)) != 0);
}

double hwTimesPlusSlow(double a, double b, double c) {
    // Infinities, NaN, and a product that is zero: the sum is exact, or no number. A product that overflows is still finite.
    if (!(a - a == 0.0) || !(b - b == 0.0) || a == 0.0 || b == 0.0) return a * b + c;
    if (!(c - c == 0.0)) return c;
    int aExponent, bExponent, cExponent;
    uint64_t aPart = SplitMantissa(a, &aExponent), bPart = SplitMantissa(b, &bExponent),
             cPart = SplitMantissa(c, &cExponent);
    bool negative = ((hwBitsOf(a) ^ hwBitsOf(b)) >> 63) != 0, cNegative = hwBitsOf(c) >> 63 != 0;
    int exponent = aExponent + bExponent;
    hwWide sum = LiftExponent((hwWide)aPart * bPart, &exponent);
    if (c != 0.0) {
        hwWide other = LiftExponent(cPart, &cExponent);
        if (cExponent > exponent || (cExponent == exponent && other > sum)) {
            hwWide part = sum;
            int partExponent = exponent;
            bool partNegative = negative;
            sum = other, exponent = cExponent, negative = cNegative;
            other = part, cExponent = partExponent, cNegative = partNegative;
        }
        other = ShiftSticky(other, exponent - cExponent);
        sum = negative == cNegative ? sum + other : sum - other;
        if (sum == 0) return 0.0;
    }
    sum = LiftExponent(sum, &exponent);
    // 53 bits from bit 125 down, fewer where the result is subnormal.
    int drop = 73, result = exponent + 73;
    if (result < -1074) drop += -1074 - result, result = -1074;
    uint64_t mantissa = drop > 127 ? 0 : (uint64_t)(sum >> drop);
    hwWide rest = drop > 127 ? 0 : sum << (128 - drop), half = (hwWide)1 << 127;
    if (rest > half || (rest == half && (mantissa & 1) != 0)) mantissa++;
    // A mantissa that rounds up into the next power carries into the exponent by itself.
    uint64_t biased = (uint64_t)result + 1074;
    uint64_t bits = mantissa >= 0x10000000000000u ? (biased << 52) + mantissa : mantissa;
    if (bits >= 0x7ff0000000000000u) bits = 0x7ff0000000000000u;
    return hwFromBits(bits | (uint64_t)negative << 63);
}
#else
typedef int hwNoOwnFused; // ISO C requires a declaration
#endif
