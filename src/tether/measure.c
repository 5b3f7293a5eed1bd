// Measures of a curve: how it bends, turns, and what friction and twist make of it.
#include "hawser/tether.h"

double hwTether_GetLength(hwPolyline line) {
    double sum = 0.0;
    for (int i = 0; i + 1 < line.count; ++i) sum += hwDistance(line.points[i], line.points[i + 1]);
    return sum;
}

// Circle through three points: abc / (4 area).
double hwTether_GetBendRadius(hwPolyline tether, int* at) {
    double least = HUGE_VAL;
    int place = -1;
    for (int i = 1; i + 1 < tether.count; ++i) {
        hwVec3 p = tether.points[i - 1], q = tether.points[i], r = tether.points[i + 1];
        hwVec3 a = hwSub(q, p), b = hwSub(r, q), c = hwSub(r, p);
        double twiceArea = hwLength(hwCross(a, b)), sides = hwLength(a) * hwLength(b);
        // doubled back on itself: the circle has shrunk to nothing
        double radius = HUGE_VAL;
        if (twiceArea > 0.0) {
            radius = 0.5 * sides * hwLength(c) / twiceArea;
        } else if (hwDot(a, b) < 0.0) {
            radius = 0.0;
        }
        if (radius < least) {
            least = radius;
            place = i;
        }
    }
    if (at != NULL) *at = place;
    return least;
}

double hwTether_GetTurning(hwPolyline tether, int first, int last) {
    double sum = 0.0;
    hwVec3 before = hwVec3_zero;
    if (first < 0) first = 0;
    if (last > tether.count - 2) last = tether.count - 2;
    for (int i = first; i <= last; ++i) {
        hwVec3 d = hwSub(tether.points[i + 1], tether.points[i]);
        if (!(hwLengthSquared(d) > 0.0)) continue; // no direction: the next one turns from the last
        if (hwLengthSquared(before) > 0.0) sum += hwAtan2(hwLength(hwCross(before, d)), hwDot(before, d));
        before = d;
    }
    return sum;
}

double hwTether_GetCapstan(double friction, double angle) {
    return hwExp(friction * angle);
}

// A straight rod of length L under tension T and torque M buckles into a helix at M^2 = 4 EI (T + pi^2 EI / L^2) (Greenhill
// 1883, ends pinned). Less than no tension counts as none: a rope without it lies in bights.
double hwTether_GetHockleIndex(double GJ, double EI, double tension, double twist, double length) {
    double torque = fabs(GJ * twist / length), wave = HW_PI / length;
    if (!(torque > 0.0)) return 0.0;
    return torque / (2.0 * sqrt(EI * (hwFmax(tension, 0.0) + wave * wave * EI)));
}
