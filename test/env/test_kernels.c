// The vector-friendly sin, cos and exp against libm.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/random.h"
#include "env/kernels.h"
#include "hawser/math.h"

static double worst;

// Through memory, so that both sides see the same x even where a compiler folds or fuses its computation for one.
static void Compare(volatile double given) {
    double x = given, s, c;
    hwSinCos(x, &s, &c);
    worst = fmax(worst, fmax(fabs(s - sin(x)), fabs(c - cos(x))));
}

// Half a unit of 1 in the last place from our last addition, as much from libm's, and the polynomial's 4e-18.
static void SineAndCosineAreRightToThreeUnits(void** state) {
    (void)state;
    hwRandom random = {1};
    worst = 0.0;
    for (int i = 0; i < 500000; i++) Compare(hwRandom_Range(&random, -20.0, 20.0));
    for (int i = 0; i < 500000; i++) Compare(hwRandom_Range(&random, -1e6, 1e6));
    for (int i = 0; i < 500000; i++) Compare(hwRandom_Range(&random, -1e7, 1e7));
    if (!(worst <= 3e-16)) fail_msg("error %g", worst);
}

// Near multiples of pi/2, where one of the two is tiny, the reduction must keep its digits. libm reduces exactly.
static void ReductionKeepsDigitsNearMultiplesOfAQuarterTurn(void** state) {
    (void)state;
    worst = 0.0;
    for (int n = -6000000; n <= 6000000; n += 997) {
        double x = n * (0.5 * HW_PI);
        Compare(x);
        Compare(nextafter(x, 1e9));
        Compare(nextafter(x, -1e9));
        Compare((n + 0.5) * (0.5 * HW_PI)); // the border between quadrants
    }
    if (!(worst <= 3e-16)) fail_msg("error %g", worst);
}

static void ZeroIsExact(void** state) {
    (void)state;
    double s, c, plus, minus;
    hwSinCos(0.0, &s, &c);
    assert_true(s == 0.0 && c == 1.0);
    hwExpBoth(0.0, &plus, &minus);
    assert_true(plus == 1.0 && minus == 1.0);
}

// Rounding of r, of the sum and of libm: a few times 1.1e-16 relative.
static void ExponentialsAreRightToFourUnits(void** state) {
    (void)state;
    hwRandom random = {2};
    double error = 0.0;
    for (int i = 0; i < 1000000; i++) {
        double x = hwRandom_Range(&random, i % 2 == 0 ? -30.0 : -700.0, i % 3 == 0 ? 700.0 : 0.0), plus,
               minus;
        hwExpBoth(x, &plus, &minus);
        error = fmax(error, fmax(fabs(plus / exp(x) - 1.0), fabs(minus / exp(-x) - 1.0)));
    }
    if (!(error <= 5e-16)) fail_msg("error %g", error);
}

#ifdef __SIZEOF_INT128__
static double AnyNumber(hwRandom* random, int low, int high) {
    uint64_t bits = hwRandom_Next(random), more = hwRandom_Next(random);
    if ((more & 7) == 0) bits &= 0xff00000000000u; // exact products, ties
    uint64_t exponent = (uint64_t)low + (more >> 8) % (uint64_t)(high - low + 1);
    return hwFromBits((more & 8) << 60 | exponent << 52 | (bits & 0xfffffffffffffu));
}

// By integers the same bits as the C library's fma, which Windows' library has not: numbers near each other, of every size
// down to subnormal results and up to overflow, and sums that cancel.
static void FusedByIntegersIsFma(void** state) {
    (void)state;
    hwRandom random = {.state = 5};
    static const int ranges[][4] = {
        {1015, 1031, 960, 1090}, {0, 2047, 0, 2047}, {400, 620, 0, 60}, {1500, 1550, 1990, 2046}};
    for (int i = 0; i < 400000; i++) {
        const int* range = ranges[i % 4];
        double a = AnyNumber(&random, range[0], range[1]), b = AnyNumber(&random, range[0], range[1]);
        double c = i % 5 == 0 ? -a * b : AnyNumber(&random, range[2], range[3]);
        double expected = fma(a, b, c), found = hwTimesPlusSlow(a, b, c);
        bool same = hwBitsOf(expected) == hwBitsOf(found) || (isnan(expected) && isnan(found));
        if (!same) fail_msg("%a * %a + %a is %a, not %a", a, b, c, expected, found);
    }
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(SineAndCosineAreRightToThreeUnits),
        cmocka_unit_test(ReductionKeepsDigitsNearMultiplesOfAQuarterTurn),
        cmocka_unit_test(ZeroIsExact),
        cmocka_unit_test(ExponentialsAreRightToFourUnits),
#ifdef __SIZEOF_INT128__
        cmocka_unit_test(FusedByIntegersIsFma),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
