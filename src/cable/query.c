// Reading and loading a cable at any arc length.
#include "cable/cable.h"

int hwCableState_Locate(const hwCableState* state, double s, double* fraction) {
    const double* m = state->material;
    int low = 0, high = state->core->nodes - 1;
    double at = m[0] + s;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (m[middle] <= at) {
            low = middle;
        } else {
            high = middle;
        }
    }
    *fraction = hwClamp((at - m[low]) / (m[low + 1] - m[low]), 0.0, 1.0);
    return low;
}

// Derivative of a nodal field with S at a node: of the parabola through three neighbouring nodes (two: the
// chord).
static hwVec3 GetSlope(const hwCableState* state, const hwVec3* field, int node) {
    const double* m = state->material;
    int last = state->core->nodes - 1;
    int middle = node == 0 ? 1 : node == last ? last - 1 : node;
    if (last == 1) return hwScale(1.0 / (m[1] - m[0]), hwSub(field[1], field[0]));
    double l0 = m[middle] - m[middle - 1], l1 = m[middle + 1] - m[middle];
    hwVec3 d0 = hwScale(1.0 / l0, hwSub(field[middle], field[middle - 1]));
    hwVec3 d1 = hwScale(1.0 / l1, hwSub(field[middle + 1], field[middle]));
    hwVec3 second = hwScale(2.0 / (l0 + l1), hwSub(d1, d0));
    hwVec3 slope = hwMulAdd(d0, 0.5 * l0, second);
    return hwMulAdd(slope, m[node] - m[middle], second);
}

typedef struct Curve {
    hwVec3 value, slope, second; // derivatives with S
} Curve;

// Cubic Hermite interpolation.
static Curve InterpolateNodes(const hwCableState* state, const hwVec3* field, double s) {
    double t;
    int e = hwCableState_Locate(state, s, &t);
    double l = state->material[e + 1] - state->material[e];
    hwVec3 a = field[e], b = field[e + 1];
    hwVec3 ma = hwScale(l, GetSlope(state, field, e)), mb = hwScale(l, GetSlope(state, field, e + 1));
    hwVec3 d = hwSub(b, a);
    // x(t) = a + ma t + p t^2 + q t^3
    hwVec3 p = hwSub(hwScale(3.0, d), hwAdd(hwScale(2.0, ma), mb));
    hwVec3 q = hwSub(hwAdd(ma, mb), hwScale(2.0, d));
    Curve c;
    c.value = hwAdd(a, hwScale(t, hwAdd(ma, hwScale(t, hwMulAdd(p, t, q)))));
    c.slope = hwScale(1.0 / l, hwAdd(ma, hwScale(t, hwAdd(hwScale(2.0, p), hwScale(3.0 * t, q)))));
    c.second = hwScale(1.0 / (l * l), hwAdd(hwScale(2.0, p), hwScale(6.0 * t, q)));
    return c;
}

hwCablePoint hwCableState_GetPoint(const hwCableState* state, double s) {
    Curve x = InterpolateNodes(state, state->position, s);
    hwCablePoint point;
    point.position = x.value;
    point.velocity = InterpolateNodes(state, state->velocity, s).value;
    double stretch = hwLength(x.slope);
    point.tangent = hwNormalize(x.slope);
    double scale = stretch > 0.0 ? 1.0 / (stretch * stretch) : 0.0;
    point.curvature = hwScale(scale, hwMulAdd(x.second, -hwDot(x.second, point.tangent), point.tangent));
    return point;
}

hwVec3 hwCableState_Interpolate(const hwCableState* state, const hwVec3* field, double s) {
    return InterpolateNodes(state, field, s).value;
}

void hwCableState_AddForce(const hwCableState* state, double s, hwVec3 force, hwVec3* nodeForces) {
    double t;
    int e = hwCableState_Locate(state, s, &t);
    nodeForces[e] = hwMulAdd(nodeForces[e], 1.0 - t, force);
    nodeForces[e + 1] = hwMulAdd(nodeForces[e + 1], t, force);
}
