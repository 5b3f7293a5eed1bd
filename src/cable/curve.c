// Tension by strain from a table: T = phi(f(e) + c de/dt) in place of phi(EA e + c de/dt) (evaluate.c), f piecewise linear and
// increasing. It is a spring: the energy stored is the area below f, and nothing else is.
#include "cable/arrays.h"

hwCurvePoint hwCableCurve_Get(const hwCableCurve* curve, double EA, double strain) {
    const double *x = curve->strains, *y = curve->tensions;
    double scale = EA * x[1] / y[1]; // 1 but in statics and in elements that reach into another section
    double area = 0.0;
    int row = 0;
    for (; row < curve->count - 2 && strain > x[row + 1]; ++row)
        area += 0.5 * (y[row] + y[row + 1]) * (x[row + 1] - x[row]);
    double slope = (y[row + 1] - y[row]) / (x[row + 1] - x[row]), past = strain - x[row];
    double tension = y[row] + slope * past;
    return (hwCurvePoint){scale * tension, scale * slope, scale * (area + 0.5 * (y[row] + tension) * past)};
}

void hwCableCurve_Apply(hwCableWork* work, const hwCableInput* input) {
    hwCableArrays* s = work->arrays;
    double hd = input->hd, hd2 = hd * hd;
    for (int e = 0; e < work->nodes - 1; ++e) {
        double inverse = s->restInverse[e], stretch = (work->length[e] - s->relief[e]) * inverse;
        const hwCableCurve* curve = hwCableArrays_GetCurve(s, e, stretch - 1.0);
        if (curve == NULL) continue;
        hwVec3 dv = hwMakeVec3(s->vx[e + 1] - s->vx[e], s->vy[e + 1] - s->vy[e], s->vz[e + 1] - s->vz[e]);
        double rate = (hwDot(hwTangent(s, e), dv) - stretch * s->growth[e]) * inverse;
        double stiffness = s->stiffness[e], damping = s->damping[e];
        double u = stiffness * (stretch - 1.0) + damping * rate, part = u > 0.0 ? 1.0 : s->compression[e];
        hwCurvePoint point = hwCableCurve_Get(curve, stiffness, stretch - 1.0);
        double own = point.tension + damping * rate, ownPart = own > 0.0 ? 1.0 : s->compression[e];
        work->tension[e] += ownPart * own - part * u;
        if (!input->matrix) continue;
        double lead = damping * s->growth[e] * inverse;
        double built = part * (hd2 * hwMax(stiffness - lead, 0.0) + hd * damping) * inverse;
        double wanted = ownPart * (hd2 * hwMax(point.slope - lead, 0.0) + hd * damping) * inverse;
        double axial = s->along[e] + s->iso[e] - built + wanted;
        s->iso[e] = hd2 * hwMax(work->tension[e], 0.0) * s->lengthInverse[e];
        s->along[e] = axial - s->iso[e];
    }
}
