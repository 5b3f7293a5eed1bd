// Euler's equations without a moment, in body axes, I the inertia about the centre of mass:
//     I w' = (I w) x w,   R' = R [w x].
// Runge and Kutta's method for w; for R the fourth-order formula of Magnus (1954) in the form of Simpson's rule,
//     R(h) = R(0) exp(h/6 (w0 + 4 wm + w1) + h^2/12 w0 x w1),
// with wm by Hermite's interpolation. Both drift in energy and momentum by h^5 a step; so what was there at the start is
// put back at the end: w is moved to where |I w| and w.I w are right, then R so that R I w points where it did.
// Rejected: Jacobi's elliptic functions, which lose digits near the separatrix and need a third kind for R; the implicit
// midpoint rule, which keeps both by itself at five times the work.
#include "mech/free_motion.h"

#include "math/spatial.h"

#include <math.h>

#define MOST_ANGLE 0.2 // rad in one step of the method
#define MOST_STEPS 1e7

typedef struct Top {
    hwSym3 inertia, inverse;
} Top;

static double GetDeterminant(hwSym3 m) {
    return m.xx * (m.yy * m.zz - m.yz * m.yz) - m.xy * (m.xy * m.zz - m.yz * m.xz) +
           m.xz * (m.xy * m.yz - m.yy * m.xz);
}

static hwSym3 InvertSym3(hwSym3 m) {
    double s = 1.0 / GetDeterminant(m);
    hwSym3 r = {.xx = s * (m.yy * m.zz - m.yz * m.yz),
                .yy = s * (m.xx * m.zz - m.xz * m.xz),
                .zz = s * (m.xx * m.yy - m.xy * m.xy),
                .xy = s * (m.xz * m.yz - m.xy * m.zz),
                .xz = s * (m.xy * m.yz - m.xz * m.yy),
                .yz = s * (m.xy * m.xz - m.xx * m.yz)};
    return r;
}

bool hwLink_IsSolid(const hwLink* link) {
    double size = link->inertia.xx + link->inertia.yy + link->inertia.zz;
    // thinner bodies than this have no determinant to speak of
    return link->mass > 0.0 && GetDeterminant(link->inertia) > 1e-12 * size * size * size;
}

bool hwForest_IsFreeBody(const hwForest* forest, int link) {
    const hwLink* l = &forest->links[link];
    return l->joint == HW_LINK_FREE && l->parent < 0 && forest->data[link].leaf && hwLink_IsSolid(l);
}

static hwVec3 GetSpinRate(const Top* top, hwVec3 w) {
    return hwMulSym3(top->inverse, hwCross(hwMulSym3(top->inertia, w), w));
}

// Moves w to |I w| = |momentum| and w.I w = energy, both of which it has nearly, by a step of Newton's method along the
// two gradients. About a principal axis these are parallel: then the length of w alone is adjusted.
static hwVec3 PutBack(const Top* top, hwVec3 w, double momentum2, double energy) {
    hwVec3 L = hwMulSym3(top->inertia, w), LL = hwMulSym3(top->inertia, L);
    double offMomentum = 0.5 * (momentum2 - hwDot(L, L)), offEnergy = 0.5 * (energy - hwDot(L, w));
    double a = hwDot(LL, LL), b = hwDot(LL, L), c = hwDot(L, L), det = a * c - b * b;
    if (det < 1e-8 * a * c) return hwScale(1.0 + offEnergy / energy, w);
    double x = (c * offMomentum - b * offEnergy) / det, y = (a * offEnergy - b * offMomentum) / det;
    return hwMulAdd(hwMulAdd(w, x, LL), y, L);
}

// Turns `q` by the small rotation, in world axes, that brings `from` to the direction of `to`.
static hwQuat AlignQuat(hwQuat q, hwVec3 from, hwVec3 to) {
    hwVec3 half = hwScale(0.5 / hwDot(to, to), hwCross(from, to));
    hwQuat turn = {1.0, half.x, half.y, half.z};
    return hwNormalizeQuat(hwMulQuat(turn, q));
}

// One step of the method.
static void TurnOn(const Top* top, double h, hwQuat* q, hwVec3* w, hwVec3* rate) {
    hwVec3 w0 = *w, k1 = *rate;
    hwVec3 k2 = GetSpinRate(top, hwMulAdd(w0, 0.5 * h, k1));
    hwVec3 k3 = GetSpinRate(top, hwMulAdd(w0, 0.5 * h, k2));
    hwVec3 k4 = GetSpinRate(top, hwMulAdd(w0, h, k3));
    hwVec3 sum = hwAdd(hwAdd(k1, k4), hwScale(2.0, hwAdd(k2, k3)));
    hwVec3 w1 = hwMulAdd(w0, h / 6.0, sum);
    *rate = GetSpinRate(top, w1);
    hwVec3 ends = hwAdd(w0, w1);
    hwVec3 middle = hwMulAdd(hwScale(0.5, ends), 0.125 * h, hwSub(k1, *rate));
    hwVec3 angle = hwScale(h / 6.0, hwMulAdd(ends, 4.0, middle));
    angle = hwMulAdd(angle, h * h / 12.0, hwCross(w0, w1));
    *q = hwMulQuat(*q, hwQuatFromRotationVector(angle));
    *w = w1;
}

static void SpinBody(const Top* top, double time, hwQuat* q, hwVec3* w) {
    hwVec3 L0 = hwMulSym3(top->inertia, *w), world = hwRotate(*q, L0), rate = GetSpinRate(top, *w);
    double energy = hwDot(L0, *w), speed = hwLength(*w);
    if (hwLength(rate) <= 1e-15 * speed * speed) { // about a principal axis
        *q = hwNormalizeQuat(hwMulQuat(*q, hwQuatFromRotationVector(hwScale(time, *w))));
        return;
    }
    double steps = hwFmin(ceil(speed * fabs(time) / MOST_ANGLE), MOST_STEPS);
    int count = (int)hwFmax(steps, 1.0);
    for (int i = 0; i < count; ++i) TurnOn(top, time / count, q, w, &rate);
    // quadratic: after a thousand turns 1e-3 is off, then 1e-6, 1e-12, rounding
    for (int i = 0; i < 3; ++i) *w = PutBack(top, *w, hwDot(L0, L0), energy);
    *q = AlignQuat(*q, hwRotate(*q, hwMulSym3(top->inertia, *w)), world);
}

void hwFreeMotion_Advance(hwFreeMotion* m, const hwLink* link, double time) {
    Top top = {link->inertia, InvertSym3(link->inertia)};
    hwQuat q = {m->q[3], m->q[4], m->q[5], m->q[6]};
    hwVec3 w = {m->v[3], m->v[4], m->v[5]};
    hwVec3 p = {m->q[0], m->q[1], m->q[2]}, v = {m->v[0], m->v[1], m->v[2]};
    if (time != 0.0) {
        // the centre of mass goes straight on; the origin goes round it
        hwVec3 arm = hwRotate(q, link->com), speed = hwAdd(v, hwRotate(q, hwCross(w, link->com)));
        hwVec3 centre = hwMulAdd(hwAdd(p, arm), time, speed);
        SpinBody(&top, time, &q, &w);
        p = hwSub(centre, hwRotate(q, link->com));
        v = hwSub(speed, hwRotate(q, hwCross(w, link->com)));
    }
    hwVec3 turning = GetSpinRate(&top, w);
    hwVec3 a = hwAdd(hwCross(turning, link->com), hwCross(w, hwCross(w, link->com)));
    a = hwNeg(hwRotate(q, a));
    *m = (hwFreeMotion){{p.x, p.y, p.z, q.w, q.x, q.y, q.z},
                        {v.x, v.y, v.z, w.x, w.y, w.z},
                        {a.x, a.y, a.z, turning.x, turning.y, turning.z}};
}

void hwLink_MultiplyInertia(const hwLink* link, const double q[7], const double x[6], double out[6]) {
    hwQuat turn = {q[3], q[4], q[5], q[6]};
    hwVec3 alpha = {x[3], x[4], x[5]};
    hwVec3 centre = hwAdd(hwInvRotate(turn, hwMakeVec3(x[0], x[1], x[2])), hwCross(alpha, link->com));
    hwVec3 force = hwScale(link->mass, centre);
    hwVec3 moment = hwAdd(hwMulSym3(link->inertia, alpha), hwCross(link->com, force));
    force = hwRotate(turn, force);
    out[0] = force.x, out[1] = force.y, out[2] = force.z;
    out[3] = moment.x, out[4] = moment.y, out[5] = moment.z;
}

static hwVec3 TakeVec3(const double* x) {
    return hwMakeVec3(x[0], x[1], x[2]);
}

static hwQuat TakeTurn(const double q[7]) {
    hwQuat turn = {q[3], q[4], q[5], q[6]};
    return turn;
}

hwImpetus hwImpetus_MulAdd(hwImpetus x, double factor, hwImpetus y) {
    hwImpetus sum = {hwMulAdd(x.spin, factor, y.spin), hwMulAdd(x.velocity, factor, y.velocity)};
    return sum;
}

hwImpetus hwLink_GetImpetus(const hwLink* link, const double q[7], const double v[6]) {
    hwQuat turn = TakeTurn(q);
    hwVec3 w = TakeVec3(v + 3);
    hwImpetus m = {hwRotate(turn, hwMulSym3(link->inertia, w)),
                   hwAdd(TakeVec3(v), hwRotate(turn, hwCross(w, link->com)))};
    return m;
}

void hwLink_AccelerateBy(const hwLink* link, const double q[7], const double v[6], hwImpetus rate,
                         double a[6]) {
    hwQuat turn = TakeTurn(q);
    hwVec3 w = TakeVec3(v + 3), L = hwMulSym3(link->inertia, w);
    hwVec3 alpha = hwMulSym3(InvertSym3(link->inertia), hwSub(hwInvRotate(turn, rate.spin), hwCross(w, L)));
    hwVec3 round = hwAdd(hwCross(alpha, link->com), hwCross(w, hwCross(w, link->com)));
    hwVec3 p = hwSub(rate.velocity, hwRotate(turn, round));
    a[0] = p.x, a[1] = p.y, a[2] = p.z;
    a[3] = alpha.x, a[4] = alpha.y, a[5] = alpha.z;
}
