// Where the nodes of a line begin.
#include "moordyn_shape.h"

#include "hawser/elementary.h"

#include <math.h>

// An inextensible chain. Hanging from its lowest point by arc length q: x = c asinh(q / c), z = c (sqrt(1 + (q / c)^2) - 1).
// Where all of it hangs, its lowest point, which may lie beyond an end, is at s = low; else each end has an arc that hangs, and
// between them it lies on the floor.
typedef struct Chain {
    hwVec3 a, along; // horizontal, unit
    double up;       // -1: it floats
    double length, across, c, low;
    bool lies;
    double hangs[2], spans[2]; // arc length and horizontal distance of what hangs from a and from b
    double floor;
} Chain;

// sinh(u) / u = r > 1, by Newton's method.
static double SolveSpan(double r) {
    double u = r < 3.0 ? sqrt(6.0 * (r - 1.0)) : hwLog(2.0 * r) + hwLog(hwLog(2.0 * r));
    for (int i = 0; i < 50; i++) {
        double slope = hwCosh(u) - r, next = slope > 0.0 ? u - (hwSinh(u) - r * u) / slope : 2.0 * u;
        bool done = fabs(next - u) < 1e-13 * u;
        u = next;
        if (done) break;
    }
    return u;
}

// How much more arc length than horizontal distance hangs over a height h.
static double Hang(double c, double h, double* arc, double* across) {
    *arc = sqrt(h * h + 2.0 * c * h);
    *across = c * hwAsinh(*arc / c);
    return *arc - *across;
}

// Touches the floor: what is longer than the distance hangs steeper, by bisection in log(c).
static void LayDown(Chain* chain, const double heights[2]) {
    double low = 1e-9 * chain->length, high = 1e9 * chain->length;
    chain->lies = true;
    for (int i = 0; i < 200; i++) {
        chain->c = sqrt(low * high);
        double excess = Hang(chain->c, heights[0], &chain->hangs[0], &chain->spans[0]) +
                        Hang(chain->c, heights[1], &chain->hangs[1], &chain->spans[1]);
        if (excess > chain->length - chain->across)
            low = chain->c;
        else
            high = chain->c;
    }
}

static Chain FitChain(const hwMoordynSpan* span, double length) {
    hwVec3 way = hwSub(span->b, span->a);
    double rise = span->floats ? -way.z : way.z, across = hypot(way.x, way.y);
    Chain chain = {.a = span->a, .along = {1.0, 0.0, 0.0}, .up = span->floats ? -1.0 : 1.0, .length = length};
    if (across > 1e-9 * length) chain.along = (hwVec3){way.x / across, way.y / across, 0.0};
    chain.across = fmax(across, 1e-4 * length); // a fold, nearly
    chain.floor = span->floor;
    double u = SolveSpan(sqrt(length * length - rise * rise) / chain.across);
    chain.c = chain.across / (2.0 * u);
    double x0 = 0.5 * chain.across - chain.c * hwAsinh(rise / (2.0 * chain.c * hwSinh(u)));
    chain.low = chain.c * hwSinh(x0 / chain.c);
    double heights[] = {fmax(span->a.z - span->floor, 0.0), fmax(span->b.z - span->floor, 0.0)};
    double sag = chain.c * (hwCosh(x0 / chain.c) - 1.0);
    if (!span->floats && x0 > 0.0 && x0 < chain.across && sag > heights[0]) LayDown(&chain, heights);
    return chain;
}

static hwVec3 GetChainPoint(const Chain* chain, double s) {
    double x, z, c = chain->c, low = chain->low, lies = chain->length - chain->hangs[0] - chain->hangs[1];
    if (!chain->lies) {
        double q = (s - low) / c, begin = -low / c;
        x = c * (hwAsinh(q) - hwAsinh(begin));
        z = chain->a.z + chain->up * c * (sqrt(1.0 + q * q) - sqrt(1.0 + begin * begin));
    } else {
        double fromA = chain->hangs[0] - s, fromB = chain->hangs[1] - (chain->length - s);
        double q = fmax(fmax(fromA, fromB), 0.0) / c;
        double gap = chain->across - chain->spans[0] - chain->spans[1];
        x = fromA > 0.0   ? chain->spans[0] - c * hwAsinh(q)
            : fromB > 0.0 ? chain->across - chain->spans[1] + c * hwAsinh(q)
                          : chain->spans[0] - fromA * (lies > 0.0 ? gap / lies : 0.0);
        z = chain->floor + c * (sqrt(1.0 + q * q) - 1.0);
    }
    hwVec3 point = hwMulAdd(chain->a, x, chain->along);
    point.z = z;
    return point;
}

bool hwMoordyn_IsStraight(const hwMoordynSpan* span) {
    double length = 0.0, distance = hwDistance(span->a, span->b);
    for (int i = 0; i < span->count; i++) length += span->pieces[i][0];
    double across = hypot(span->b.x - span->a.x, span->b.y - span->a.y);
    double heights = fmax(span->a.z - span->floor, 0.0) + fmax(span->b.z - span->floor, 0.0);
    bool slack = !span->floats && length > (1.0 - 1e-6) * (across + heights);
    return span->weightless || distance > 0.9999 * length || slack;
}

void hwMoordyn_WriteSpan(const hwMoordynSpan* span, FILE* file) {
    double length = 0.0, compliance = 0.0, distance = hwDistance(span->a, span->b), at = 0.0;
    for (int i = 0; i < span->count; i++) {
        length += span->pieces[i][0];
        compliance += span->pieces[i][0] / span->pieces[i][2];
    }
    bool straight = hwMoordyn_IsStraight(span);
    Chain chain = straight ? (Chain){.c = 0.0} : FitChain(span, length);
    for (int i = 0; i < span->count; i++) {
        const double* piece = span->pieces[i];
        // straight, each element stretched as its stiffness lets it
        double stretch = straight ? (distance - length) * piece[0] / piece[2] / compliance : 0.0;
        for (int e = 1; e <= (int)piece[1]; e++) {
            double s = at + (piece[0] + stretch) * e / piece[1];
            bool last = i == span->count - 1 && e == (int)piece[1];
            hwVec3 node = last       ? span->b
                          : straight ? hwMulAdd(span->a, s / distance, hwSub(span->b, span->a))
                                     : GetChainPoint(&chain, s);
            fprintf(file, ", [%.12g, %.12g, %.12g]", node.x, node.y, node.z);
        }
        at += piece[0] + stretch;
    }
}
