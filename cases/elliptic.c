#include "cases/elliptic.h"

#include <math.h>

// Descending Landen transformation by the arithmetic-geometric mean (Abramowitz & Stegun 16.4).
void hwJacobiElliptic(double u, double m, double* sn, double* cn, double* dn) {
    double a[32], c[32];
    double b = sqrt(1.0 - m);
    a[0] = 1.0;
    c[0] = sqrt(m);
    int n = 0;
    while (fabs(c[n]) > 1e-17 && n < 31) {
        a[n + 1] = 0.5 * (a[n] + b);
        c[n + 1] = 0.5 * (a[n] - b);
        b = sqrt(a[n] * b);
        n += 1;
    }
    double phi = ldexp(a[n] * u, n), before = phi;
    for (int i = n; i > 0; --i) {
        before = phi;
        phi = 0.5 * (phi + asin(c[i] * sin(phi) / a[i]));
    }
    *sn = sin(phi);
    *cn = cos(phi);
    *dn = n > 0 ? *cn / cos(before - phi) : 1.0;
    if (!isfinite(*dn) || fabs(cos(before - phi)) < 1e-8) *dn = sqrt(1.0 - m * *sn * *sn);
}
