// Spatial (six-component) algebra after Featherstone, "Rigid Body Dynamics Algorithms" (2008), with the linear part
// first. A motion holds the linear velocity of the frame's origin and the angular velocity; a force holds force and
// moment about the origin.
#ifndef HW_MATH_SPATIAL_H
#define HW_MATH_SPATIAL_H

#include "hawser/math.h"

typedef struct hwSpatial {
    hwVec3 l; // linear velocity or force
    hwVec3 a; // angular velocity or moment
} hwSpatial;

// Symmetric 3x3.
typedef struct hwSym3 {
    double xx, yy, zz, xy, xz, yz;
} hwSym3;

// Symmetric 6x6: force = [ll la; la^T aa] motion. 21 numbers.
typedef struct hwSpatialSym {
    hwSym3 ll;
    hwMat3 la;
    hwSym3 aa;
} hwSpatialSym;

// Where a child frame is in its parent: r is its origin, R turns its axes into the parent's.
typedef struct hwPlacement {
    hwMat3 R;
    hwVec3 r;
} hwPlacement;

static inline hwSpatial hwAddS(hwSpatial x, hwSpatial y) {
    hwSpatial s = {hwAdd(x.l, y.l), hwAdd(x.a, y.a)};
    return s;
}

static inline hwSpatial hwSubS(hwSpatial x, hwSpatial y) {
    hwSpatial s = {hwSub(x.l, y.l), hwSub(x.a, y.a)};
    return s;
}

// x + s y
static inline hwSpatial hwMulAddS(hwSpatial x, double s, hwSpatial y) {
    hwSpatial r = {hwMulAdd(x.l, s, y.l), hwMulAdd(x.a, s, y.a)};
    return r;
}

// Power of a force on a motion.
static inline double hwDotS(hwSpatial x, hwSpatial y) {
    return hwDot(x.l, y.l) + hwDot(x.a, y.a);
}

// Motion from the parent's frame to the child's.
static inline hwSpatial hwMotionToChild(const hwPlacement* x, hwSpatial v) {
    hwSpatial s = {hwMulTV(x->R, hwAdd(v.l, hwCross(v.a, x->r))), hwMulTV(x->R, v.a)};
    return s;
}

// Force from the child's frame to the parent's.
static inline hwSpatial hwForceToParent(const hwPlacement* x, hwSpatial f) {
    hwVec3 force = hwMulMV(x->R, f.l);
    hwSpatial s = {force, hwAdd(hwMulMV(x->R, f.a), hwCross(x->r, force))};
    return s;
}

// v x m: rate of change of a motion m fixed in a frame that moves with v.
static inline hwSpatial hwCrossMotion(hwSpatial v, hwSpatial m) {
    hwSpatial s = {hwAdd(hwCross(v.a, m.l), hwCross(v.l, m.a)), hwCross(v.a, m.a)};
    return s;
}

// v x* f: the same for a force.
static inline hwSpatial hwCrossForce(hwSpatial v, hwSpatial f) {
    hwSpatial s = {hwCross(v.a, f.l), hwAdd(hwCross(v.a, f.a), hwCross(v.l, f.l))};
    return s;
}

static inline hwVec3 hwMulSym3(hwSym3 m, hwVec3 v) {
    return hwMakeVec3(m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
                      m.xz * v.x + m.yz * v.y + m.zz * v.z);
}

static inline hwSpatial hwMulSpatialSym(const hwSpatialSym* m, hwSpatial v) {
    hwSpatial s = {hwAdd(hwMulSym3(m->ll, v.l), hwMulMV(m->la, v.a)),
                   hwAdd(hwMulTV(m->la, v.l), hwMulSym3(m->aa, v.a))};
    return s;
}

static inline hwSym3 hwAddSym3(hwSym3 a, hwSym3 b) {
    hwSym3 s = {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
    return s;
}

// a + s b
static inline hwSym3 hwMulAddSym3(hwSym3 a, double s, hwSym3 b) {
    hwSym3 r = {a.xx + s * b.xx, a.yy + s * b.yy, a.zz + s * b.zz,
                a.xy + s * b.xy, a.xz + s * b.xz, a.yz + s * b.yz};
    return r;
}

static inline hwMat3 hwAddMat3(hwMat3 a, hwMat3 b) {
    hwMat3 m = {hwAdd(a.cx, b.cx), hwAdd(a.cy, b.cy), hwAdd(a.cz, b.cz)};
    return m;
}

static inline hwMat3 hwMulAddMat3(hwMat3 a, double s, hwMat3 b) {
    hwMat3 m = {hwMulAdd(a.cx, s, b.cx), hwMulAdd(a.cy, s, b.cy), hwMulAdd(a.cz, s, b.cz)};
    return m;
}

static inline hwMat3 hwMat3FromSym3(hwSym3 s) {
    hwMat3 m = {{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}};
    return m;
}

static inline hwMat3 hwSkew(hwVec3 v) {
    hwMat3 m = {{0.0, v.z, -v.y}, {-v.z, 0.0, v.x}, {v.y, -v.x, 0.0}};
    return m;
}

// R S R^T
static inline hwSym3 hwRotateSym3(hwMat3 R, hwSym3 s) {
    hwMat3 t = {hwMulMV(R, hwMakeVec3(s.xx, s.xy, s.xz)), hwMulMV(R, hwMakeVec3(s.xy, s.yy, s.yz)),
                hwMulMV(R, hwMakeVec3(s.xz, s.yz, s.zz))};
    // t = R S; the result is t R^T, whose (i, j) entry is row i of t times row j of R
    hwSym3 r = {
        t.cx.x * R.cx.x + t.cy.x * R.cy.x + t.cz.x * R.cz.x,
        t.cx.y * R.cx.y + t.cy.y * R.cy.y + t.cz.y * R.cz.y,
        t.cx.z * R.cx.z + t.cy.z * R.cy.z + t.cz.z * R.cz.z,
        t.cx.x * R.cx.y + t.cy.x * R.cy.y + t.cz.x * R.cz.y,
        t.cx.x * R.cx.z + t.cy.x * R.cy.z + t.cz.x * R.cz.z,
        t.cx.y * R.cx.z + t.cy.y * R.cy.z + t.cz.y * R.cz.z,
    };
    return r;
}

static inline hwSpatialSym hwAddSpatialSym(const hwSpatialSym* a, const hwSpatialSym* b) {
    hwSpatialSym s = {hwAddSym3(a->ll, b->ll), hwAddMat3(a->la, b->la), hwAddSym3(a->aa, b->aa)};
    return s;
}

static inline void hwMulAddSpatialSym(hwSpatialSym* a, double s, const hwSpatialSym* b) {
    a->ll = hwMulAddSym3(a->ll, s, b->ll);
    a->la = hwMulAddMat3(a->la, s, b->la);
    a->aa = hwMulAddSym3(a->aa, s, b->aa);
}

// Inertia (or stiffness, damping) of the child's frame seen in the parent's: X^T M X with X = hwMotionToChild.
static inline hwSpatialSym hwSpatialSymToParent(const hwPlacement* x, const hwSpatialSym* m) {
    hwSym3 ll = hwRotateSym3(x->R, m->ll);
    // la' = R la R^T - ll' [r]x, because the linear velocity seen by the child is v - [r]x w
    hwMat3 la = hwMulMM(hwMulMM(x->R, m->la), hwTransposeMat3(x->R));
    hwMat3 skew = hwSkew(x->r);
    hwMat3 llr = hwMulMM(hwMat3FromSym3(ll), skew);
    hwSym3 aa = hwRotateSym3(x->R, m->aa);
    // aa' = aa + [r]x la + ([r]x la)^T - [r]x ll [r]x
    hwMat3 rla = hwMulMM(skew, la);
    hwMat3 rlr = hwMulMM(skew, llr);
    aa.xx += 2.0 * rla.cx.x - rlr.cx.x;
    aa.yy += 2.0 * rla.cy.y - rlr.cy.y;
    aa.zz += 2.0 * rla.cz.z - rlr.cz.z;
    aa.xy += rla.cx.y + rla.cy.x - rlr.cy.x;
    aa.xz += rla.cx.z + rla.cz.x - rlr.cz.x;
    aa.yz += rla.cy.z + rla.cz.y - rlr.cz.y;
    hwSpatialSym s = {ll, hwMulAddMat3(la, -1.0, llr), aa};
    return s;
}

// Spatial inertia of a rigid body about the origin of its frame; `inertia` is about the centre of mass.
static inline hwSpatialSym hwRigidInertia(double mass, hwVec3 com, hwSym3 inertia) {
    hwVec3 h = hwScale(mass, com);
    hwSpatialSym s;
    s.ll = (hwSym3){mass, mass, mass, 0.0, 0.0, 0.0};
    s.la = hwSkew(hwNeg(h)); // momentum m (v + w x c) = m v - m [c]x w
    double cc = hwDot(com, h);
    s.aa =
        (hwSym3){inertia.xx + cc - com.x * h.x, inertia.yy + cc - com.y * h.y, inertia.zz + cc - com.z * h.z,
                 inertia.xy - com.x * h.y,      inertia.xz - com.x * h.z,      inertia.yz - com.y * h.z};
    return s;
}

// To and from plain arrays, linear then angular.
static inline void hwSpatialToArray(hwSpatial s, double out[6]) {
    out[0] = s.l.x, out[1] = s.l.y, out[2] = s.l.z;
    out[3] = s.a.x, out[4] = s.a.y, out[5] = s.a.z;
}

static inline hwSpatial hwSpatialFromArray(const double in[6]) {
    hwSpatial s = {{in[0], in[1], in[2]}, {in[3], in[4], in[5]}};
    return s;
}

// Rows of a 6x6 matrix one after another; uses the upper triangle.
static inline hwSpatialSym hwSpatialSymFromArray(const double* m) {
    hwSpatialSym s;
    s.ll = (hwSym3){m[0], m[7], m[14], m[1], m[2], m[8]};
    s.la = (hwMat3){{m[3], m[9], m[15]}, {m[4], m[10], m[16]}, {m[5], m[11], m[17]}};
    s.aa = (hwSym3){m[21], m[28], m[35], m[22], m[23], m[29]};
    return s;
}

static inline void hwSpatialSymToArray(const hwSpatialSym* s, double* m) {
    const double upper[6][6] = {
        {s->ll.xx, s->ll.xy, s->ll.xz, s->la.cx.x, s->la.cy.x, s->la.cz.x},
        {0.0, s->ll.yy, s->ll.yz, s->la.cx.y, s->la.cy.y, s->la.cz.y},
        {0.0, 0.0, s->ll.zz, s->la.cx.z, s->la.cy.z, s->la.cz.z},
        {0.0, 0.0, 0.0, s->aa.xx, s->aa.xy, s->aa.xz},
        {0.0, 0.0, 0.0, 0.0, s->aa.yy, s->aa.yz},
        {0.0, 0.0, 0.0, 0.0, 0.0, s->aa.zz},
    };
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) m[6 * i + j] = i <= j ? upper[i][j] : upper[j][i];
    }
}

#endif
