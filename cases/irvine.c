#include "cases/irvine.h"

#include <math.h>
#include <stddef.h>

// Eq. 2.17 to 2.20:
//   x = H s/EA + H L/W (asinh(V/H) - asinh((V - W s/L)/H)),
//   z = W s/EA (V/W - s/(2 L)) + H L/W (sqrt(1 + (V/H)^2) - sqrt(1 + ((V - W s/L)/H)^2)).
void hwIrvine_GetPoint(const hwIrvine* c, double s, double* x, double* z, double* tx, double* tz,
                       double* tension) {
    double L = c->length, W = c->weight, left = c->V - W * s / L, T = hypot(c->H, left);
    *x = c->H * s / c->EA + c->H * L / W * (asinh(c->V / c->H) - asinh(left / c->H));
    *z = W * s / c->EA * (c->V / W - 0.5 * s / L) + L / W * (hypot(c->H, c->V) - T);
    if (tx != NULL) *tx = c->H / T;
    if (tz != NULL) *tz = left / T;
    if (tension != NULL) *tension = T;
}

// Newton's method with differences, shortened where it would leave H > 0.
void hwIrvine_Solve(hwIrvine* c) {
    c->H = 0.5 * c->weight;
    c->V = 0.5 * c->weight * (1.0 + c->z / c->length);
    for (int i = 0; i < 200; ++i) {
        double x, z, xh, zh, xv, zv, h = 1e-6 * c->H;
        hwIrvine ahead = *c, above = *c;
        ahead.H += h;
        above.V += h;
        hwIrvine_GetPoint(c, c->length, &x, &z, NULL, NULL, NULL);
        hwIrvine_GetPoint(&ahead, c->length, &xh, &zh, NULL, NULL, NULL);
        hwIrvine_GetPoint(&above, c->length, &xv, &zv, NULL, NULL, NULL);
        double a = (xh - x) / h, b = (xv - x) / h, d = (zh - z) / h, e = (zv - z) / h, det = a * e - b * d;
        double dx = c->x - x, dz = c->z - z;
        double dH = (e * dx - b * dz) / det, dV = (a * dz - d * dx) / det;
        double part = dH < -0.5 * c->H ? -0.5 * c->H / dH : 1.0;
        c->H += part * dH;
        c->V += part * dV;
    }
}
