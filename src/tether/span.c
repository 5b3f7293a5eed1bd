// Free spans of a tether under a uniform load.
#include "hawser/tether.h"

#define ITERATIONS 40

// ln(sinh x / x), for x > 0, without overflow and without loss of digits near 0.
static double GetLogRatio(double x) {
    if (x < 0.1) {
        double q = x * x; // the next term is 2e-6 x^12
        return q / 6.0 - q * q / 180.0 + q * q * q / 2835.0 - q * q * q * q / 37800.0 +
               q * q * q * q * q / 467775.0;
    }
    return x + hwLog1p(-hwExp(-2.0 * x)) - hwLog(2.0 * x);
}

// Its derivative, coth x - 1 / x.
static double GetLogRatioSlope(double x) {
    if (x < 0.1) {
        double q = x * x;
        return x * (1.0 / 3.0 - q / 45.0 + 2.0 * q * q / 945.0 - q * q * q / 4725.0);
    }
    double e = hwExp(-2.0 * x);
    return (1.0 + e) / (1.0 - e) - 1.0 / x;
}

// x > 0 with ln(sinh x / x) = target > 0. The function rises and its slope does not fall below that of a straight line from 0:
// Newton's method from either expansion ends after some steps; bounds see to it whatever rounding does.
static double SolveLogRatio(double target) {
    // x^2 / 6 for small sag, x - ln(2 x) for large
    double large = target + hwLog(2.0 * target + 4.0);
    double low = 0.0, high = target + hwLog(2.0 * (target + 40.0)) + 2.0;
    double x = target < 1.0 ? sqrt(6.0 * target) * (1.0 + 0.1 * target) : large;
    for (int k = 0; k < ITERATIONS; ++k) {
        double error = GetLogRatio(x) - target;
        *(error > 0.0 ? &high : &low) = x;
        double next = x - error / GetLogRatioSlope(x);
        // where it moves by this little the result is exact, for each step squares the error
        if (fabs(next - x) <= 1e-8 * x) return next;
        x = next > low && next < high ? next : 0.5 * (low + high);
    }
    return x;
}

static void SolveVee(hwTetherSpan* span, double width, double against) {
    // cos(theta) = dx / L; ll = L / 2 - dz / (2 sin(theta))   (equation 2-1)
    double cosine = width / span->length, sine = sqrt((1.0 - cosine) * (1.0 + cosine));
    span->link = 0.5 * span->length - 0.5 * against / sine;
    hwVec3 along = hwAdd(hwScale(cosine, span->across), hwScale(sine, span->load));
    span->bendPoint = hwMulAdd(span->a, span->link, along);
}

// Rise v and width h: 2 A sinh(h / 2A) = sqrt(L^2 - v^2), and the mean of the end parameters has the hyperbolic sine
// v / sqrt(L^2 - v^2). With d^2 = h^2 + v^2 the root is h sqrt(1 + (L - d) (L + d) / h^2), which keeps its digits for spans that
// are nearly taut and for those that stand nearly along the load.
static void SolveCatenary(hwTetherSpan* span, double width, double rise, double distance) {
    if (width <= 1e-12 * span->length) { // down and up again
        span->scale = 0.0;
        return;
    }
    double excess = (span->length - distance) / width * ((span->length + distance) / width);
    double x = SolveLogRatio(0.5 * hwLog1p(excess));
    span->scale = 0.5 * width / x;
    span->start = hwAsinh(rise / (width * sqrt(1.0 + excess))) - x;
}

bool hwTetherSpan_Solve(hwTetherBend bend, hwVec3 a, hwVec3 b, double length, hwVec3 load,
                        hwTetherSpan* out) {
    double size = hwLength(load), distance = hwDistance(a, b);
    *out = (hwTetherSpan){.bend = bend, .a = a, .b = b, .length = length, .taut = true};
    if (!hwIsFiniteVec3(a) || !hwIsFiniteVec3(b) || !isfinite(length) || !(length >= 0.0) ||
        !isfinite(size) || !(size > 0.0)) {
        return false;
    }
    out->load = hwScale(1.0 / size, load);
    hwVec3 d = hwSub(b, a);
    double with = hwDot(d, out->load);
    hwVec3 side = hwMulAdd(d, -with, out->load);
    double width = hwLength(side);
    out->across = width > 0.0 ? hwScale(1.0 / width, side) : hwPerpendicular(out->load);
    // so little slack that the sag is below rounding is none
    if (bend == HW_BEND_LINE || !(length > distance * (1.0 + 1e-15)) || !(length > 0.0)) return true;
    out->taut = false;
    if (bend == HW_BEND_VEE) {
        SolveVee(out, width, -with);
    } else {
        SolveCatenary(out, width, -with, distance);
    }
    return true;
}

hwVec3 hwTetherSpan_GetPoint(const hwTetherSpan* span, double s) {
    if (span->taut || span->bend == HW_BEND_LINE) {
        double distance = hwDistance(span->a, span->b);
        double share = distance > 0.0 ? hwClamp(s / distance, 0.0, 1.0) : 0.0;
        return hwMulAdd(span->a, share, hwSub(span->b, span->a));
    }
    s = hwClamp(s, 0.0, span->length);
    if (span->bend == HW_BEND_VEE) {
        if (s <= span->link) {
            double share = span->link > 0.0 ? s / span->link : 0.0;
            return hwMulAdd(span->a, share, hwSub(span->bendPoint, span->a));
        }
        double rest = span->length - span->link, share = rest > 0.0 ? (span->length - s) / rest : 0.0;
        return hwMulAdd(span->b, share, hwSub(span->bendPoint, span->b));
    }
    if (span->scale == 0.0) { // along the load to the turning point and back
        double with = hwDot(hwSub(span->b, span->a), span->load), down = 0.5 * (span->length + with);
        return hwMulAdd(span->a, s <= down ? s : 2.0 * down - s, span->load);
    }
    // s = A (sinh u - sinh u0); from the nearer end, where less is lost
    double end = span->start + hwDot(hwSub(span->b, span->a), span->across) / span->scale;
    bool fromB = s > 0.5 * span->length;
    double u0 = fromB ? end : span->start, way = fromB ? s - span->length : s;
    double from = hwSinh(u0), to = from + way / span->scale;
    // tanh((u - u0) / 2) = (sinh u - sinh u0) / (cosh u + cosh u0), which keeps its digits near u0
    double cosines = sqrt(1.0 + to * to) + sqrt(1.0 + from * from);
    double ratio = (way / span->scale) / cosines;
    double turn = fabs(ratio) < 0.9 ? 2.0 * hwAtanh(ratio) : hwAsinh(to) - u0;
    // cosh u - cosh u0 = (sinh u - sinh u0) (sinh u + sinh u0) / (cosh u + cosh u0)
    double rise = way * ((to + from) / cosines);
    hwVec3 p = hwMulAdd(fromB ? span->b : span->a, span->scale * turn, span->across);
    return hwMulAdd(p, -rise, span->load);
}

hwVec3 hwTether_GetSeedLoad(hwVec3 current, double greatestCurrent, double buoyancy) {
    double speed = hwLength(current);
    hwVec3 up = {0.0, 0.0, 1.0};
    if (!(speed > 0.0)) return buoyancy > 0.0 ? up : hwNeg(up); // still water: it sinks or floats
    double sag = hwClamp(buoyancy, -1.0, 1.0) * (1.0 - hwClamp(speed / greatestCurrent, 0.0, 1.0));
    double sine, cosine;
    hwSinAndCos(0.5 * HW_PI * sag, &sine, &cosine);
    return hwAdd(hwScale(cosine / speed, current), hwScale(sine, up));
}
