// The normal distribution and the gamma function.
#include "hawser/elementary.h"
#include "hawser/math.h"
#include "statistics/statistics.h"

#include <math.h>

// Upper tail of the normal distribution, x >= 0.
static double Normal_GetTail(double x) {
    const double density = hwExp(-0.5 * x * x) / sqrt(2.0 * HW_PI);
    if (x < 3.0) {
        // Phi(x) = 1/2 + phi(x) (x + x^3/3 + x^5/(3 5) + ...) (Abramowitz & Stegun 1964, 26.2.11)
        double term = x, sum = x;
        for (int n = 1; term > 1e-18 * sum && n < 200; ++n) {
            term *= x * x / (2 * n + 1);
            sum += term;
        }
        return 0.5 - density * sum;
    }
    // phi(x) / (x + 1/(x + 2/(x + 3/(x + ...)))) (26.2.14); 100 terms reach the last digit from x = 3 on.
    double fraction = x;
    for (int n = 100; n >= 1; --n) fraction = x + n / fraction;
    return density / fraction;
}

double hwNormal_GetProbability(double x) {
    if (isnan(x)) return x;
    return x < 0.0 ? Normal_GetTail(-x) : 1.0 - Normal_GetTail(x);
}

double hwNormal_GetQuantile(double probability) {
    if (!(probability >= 0.0 && probability <= 1.0)) return (double)NAN;
    if (probability == 0.0) return -(double)INFINITY;
    if (probability == 1.0) return (double)INFINITY;
    bool upper = probability > 0.5;
    double tail = upper ? 1.0 - probability : probability;
    // Newton's method on the tail's logarithm, which is concave: from above, where tail <= exp(-x^2/2)/2 says that x is
    // not, it comes down without overshooting.
    double x = sqrt(hwFmax(-2.0 * hwLog(2.0 * tail), 0.0));
    for (int i = 0; i < 60; ++i) {
        double t = Normal_GetTail(x), density = hwExp(-0.5 * x * x) / sqrt(2.0 * HW_PI);
        double step = (hwLog(t) - hwLog(tail)) * t / density;
        x = hwFmax(x + step, 0.0);
        if (fabs(step) <= 1e-15 * (1.0 + x)) break;
    }
    return upper ? x : -x;
}

// Stirling's series (Abramowitz & Stegun 1964, 6.1.40) from 16 on, where its eight terms leave less than 1e-16; smaller
// arguments go up by Gamma(x + 1) = x Gamma(x).
double hwGamma(double x) {
    static const double terms[] = {1.0 / 12.0,   -1.0 / 360.0,      1.0 / 1260.0, -1.0 / 1680.0,
                                   1.0 / 1188.0, -691.0 / 360360.0, 1.0 / 156.0,  -3617.0 / 122400.0};
    if (!(x > 0.0)) return (double)NAN;
    double product = 1.0;
    while (x < 16.0) {
        product *= x;
        x += 1.0;
    }
    double inverse = 1.0 / x, square = inverse * inverse, sum = 0.0;
    for (int i = 7; i >= 0; --i) sum = sum * square + terms[i];
    // x^(x - 1/2) e^-x in halves: the power alone overflows from 144 on, Gamma from 172.
    double half = hwPow(x, 0.5 * (x - 0.5));
    return half * hwExp(-x) * half * sqrt(2.0 * HW_PI) * hwExp(sum * inverse) / product;
}
