#include "env/lee.h"

// Huse (1993), "Interaction in deep-sea riser arrays", OTC 7237: the far wake of Schlichting (Boundary-Layer Theory, chapter on
// free turbulent flows) with its virtual origin 4 D / C upstream, where half the width b is D / 2 at the cylinder itself.
#define HALF_WIDTH 0.25 // k1
#define DEFICIT 1.0     // k2
#define HALF 0.693      // at y = b half of the deficit is left
#define RIM 0.1         // of the width, over which a shadow's edges are smooth

// 0 before `from`, 1 behind `to`, without a kink at either.
static double GetSmoothStep(double x, double from, double to) {
    double s = hwClamp((x - from) / (to - from), 0.0, 1.0);
    return s * s * (3.0 - 2.0 * s);
}

// The place of a point as the current sees it, and the obstacle's width across the current.
typedef struct View {
    double x, y, width;
} View;

static View ViewLee(const hwLeeDef* lee, hwVec3 way, hwVec3 point) {
    View view;
    hwVec3 axis = hwSub(lee->to, lee->from), apart = hwSub(point, lee->from);
    hwVec3 across = hwMulAdd(axis, -hwDot(axis, way), way), off = hwMulAdd(apart, -hwDot(apart, way), way);
    double square = hwLengthSquared(across);
    // the point of the axis that is nearest when looking along the current
    double share = square > 0.0 ? hwClamp(hwDot(off, across) / square, 0.0, 1.0) : 0.0;
    hwVec3 nearest = hwMulAdd(apart, -share, axis);
    view.x = hwDot(nearest, way);
    view.y = hwLength(hwMulAdd(nearest, -view.x, way));
    hwVec3 side = hwCross(axis, way);
    double length = hwLength(side);
    // with the current along the axis, or a ball: any side
    side = length > 1e-9 * hwLength(axis) ? hwScale(1.0 / length, side) : hwPerpendicular(way);
    view.width = lee->diameter + fabs(hwDot(lee->edges[0], side)) + fabs(hwDot(lee->edges[1], side));
    return view;
}

static double GetDeficit(const hwLeeDef* lee, hwVec3 way, hwVec3 point) {
    View view = ViewLee(lee, way, point);
    if (!(view.x > 0.0 && view.width > 0.0)) return 0.0;
    double half = 0.5 * view.width;
    if (lee->kind == HW_LEE_SHADOW) {
        double rim = RIM * view.width;
        return GetSmoothStep(view.x, 0.0, half) * (1.0 - GetSmoothStep(view.y, half - rim, half)) *
               (1.0 - GetSmoothStep(view.x, lee->length - rim, lee->length));
    }
    double size = lee->drag * view.width, s = view.x + 4.0 * view.width / lee->drag;
    double b = HALF_WIDTH * sqrt(size * s), ratio = view.y / b;
    if (ratio > 7.0) return 0.0; // 2e-15
    double deficit = DEFICIT * sqrt(size / s) * hwExp(-HALF * ratio * ratio);
    return GetSmoothStep(view.x, 0.0, half) * hwFmin(deficit, 1.0);
}

double hwLee_GetShare(int count, const hwLeeDef* lees, hwVec3 current, hwVec3 point) {
    double speed = hwLength(current), share = 1.0;
    if (!(speed > 0.0)) return share;
    hwVec3 way = hwScale(1.0 / speed, current);
    for (int i = 0; i < count; i++) share *= 1.0 - GetDeficit(&lees[i], way, point);
    return share;
}
