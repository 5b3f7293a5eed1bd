// Three-component vectors in four lanes of a vector register, the last lane zero: the inner loops of the trees of links
// are written with them. They use the vector types of GCC and Clang, which map to AVX where there is AVX and to whatever
// the machine has elsewhere.
//
// Spatial quantities built from them are in world axes about a link's origin: linear part first, as in math/spatial.h.
#ifndef HW_MATH_WIDE_H
#define HW_MATH_WIDE_H

#include "math/spatial.h"

#include <stdint.h>

#if defined(__GNUC__) && !defined(__clang__)
// Passing 32-byte vectors between functions depends on AVX; everything here is inlined.
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

#define HW_WIDE_INLINE static inline __attribute__((always_inline))

typedef double hwWide __attribute__((vector_size(32)));
typedef int64_t hwWideBits __attribute__((vector_size(32)));

// A matrix by columns, or a rotation whose columns are the axes of a frame.
typedef struct hwWideMat {
    hwWide x, y, z;
} hwWideMat;

typedef struct hwWideSpatial {
    hwWide l, a;
} hwWideSpatial;

// Symmetric 6x6: force = [ll la; la^T aa] motion.
typedef struct hwWideSym {
    hwWideMat ll, la, aa;
} hwWideSym;

// Any 6x6: force = [ll la; al aa] motion.
typedef struct hwWideBlock {
    hwWideMat ll, la, al, aa;
} hwWideBlock;

// Vectors ------------------------------------------------------------------------------------------------------------

HW_WIDE_INLINE hwWide hwWide_Make(double x, double y, double z) {
    hwWide v = {x, y, z, 0.0};
    return v;
}

HW_WIDE_INLINE hwWide hwWide_Zero(void) {
    return hwWide_Make(0.0, 0.0, 0.0);
}

HW_WIDE_INLINE hwWide hwWide_FromVec3(hwVec3 v) {
    return hwWide_Make(v.x, v.y, v.z);
}

HW_WIDE_INLINE hwVec3 hwWide_ToVec3(hwWide v) {
    return hwMakeVec3(v[0], v[1], v[2]);
}

// One lane in all four.
HW_WIDE_INLINE hwWide hwWide_X(hwWide v) {
    return __builtin_shufflevector(v, v, 0, 0, 0, 0);
}

HW_WIDE_INLINE hwWide hwWide_Y(hwWide v) {
    return __builtin_shufflevector(v, v, 1, 1, 1, 1);
}

HW_WIDE_INLINE hwWide hwWide_Z(hwWide v) {
    return __builtin_shufflevector(v, v, 2, 2, 2, 2);
}

HW_WIDE_INLINE hwWide hwWide_Splat(double s) {
    hwWide v = {s, s, s, s};
    return v;
}

HW_WIDE_INLINE hwWide hwWide_Rotate(hwWide v) {
    return __builtin_shufflevector(v, v, 1, 2, 0, 3); // y z x
}

HW_WIDE_INLINE hwWide hwWide_Abs(hwWide v) {
    return (hwWide)((hwWideBits)v & INT64_MAX);
}

HW_WIDE_INLINE double hwWide_Sum(hwWide v) {
    return (v[0] + v[1]) + v[2];
}

HW_WIDE_INLINE double hwWide_Dot(hwWide a, hwWide b) {
    return hwWide_Sum(a * b);
}

HW_WIDE_INLINE hwWide hwWide_Cross(hwWide a, hwWide b) {
    return hwWide_Rotate(a * hwWide_Rotate(b) - hwWide_Rotate(a) * b);
}

// Matrices -----------------------------------------------------------------------------------------------------------

HW_WIDE_INLINE hwWideMat hwWideMat_FromMat3(hwMat3 m) {
    hwWideMat w = {hwWide_FromVec3(m.cx), hwWide_FromVec3(m.cy), hwWide_FromVec3(m.cz)};
    return w;
}

HW_WIDE_INLINE hwMat3 hwWideMat_ToMat3(const hwWideMat* m) {
    hwMat3 r = {hwWide_ToVec3(m->x), hwWide_ToVec3(m->y), hwWide_ToVec3(m->z)};
    return r;
}

HW_WIDE_INLINE hwWide hwWideMat_Mul(const hwWideMat* m, hwWide v) {
    return m->x * hwWide_X(v) + m->y * hwWide_Y(v) + m->z * hwWide_Z(v);
}

// (sum of a, sum of b, sum of c)
HW_WIDE_INLINE hwWide hwWide_Sums(hwWide a, hwWide b, hwWide c) {
    hwWide ab = __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
    hwWide cc = c + __builtin_shufflevector(c, c, 1, 3, 3, 3); // c0 + c1 first, c2 third
    return __builtin_shufflevector(ab, cc, 0, 1, 4, 7) + __builtin_shufflevector(ab, c, 2, 3, 6, 7);
}

// Transpose of m times v.
HW_WIDE_INLINE hwWide hwWideMat_MulT(const hwWideMat* m, hwWide v) {
    return hwWide_Sums(m->x * v, m->y * v, m->z * v);
}

HW_WIDE_INLINE hwWideMat hwWideMat_MulMat(const hwWideMat* a, const hwWideMat* b) {
    hwWideMat m = {hwWideMat_Mul(a, b->x), hwWideMat_Mul(a, b->y), hwWideMat_Mul(a, b->z)};
    return m;
}

HW_WIDE_INLINE hwWideMat hwWideMat_Transpose(const hwWideMat* m) {
    hwWide even = __builtin_shufflevector(m->x, m->y, 0, 4, 2, 6);
    hwWide odd = __builtin_shufflevector(m->x, m->y, 1, 5, 3, 7);
    hwWideMat t = {__builtin_shufflevector(even, m->z, 0, 1, 4, 7),
                   __builtin_shufflevector(odd, m->z, 0, 1, 5, 7),
                   __builtin_shufflevector(even, m->z, 2, 3, 6, 7)};
    return t;
}

HW_WIDE_INLINE void hwWideMat_Add(hwWideMat* m, const hwWideMat* b) {
    m->x += b->x;
    m->y += b->y;
    m->z += b->z;
}

HW_WIDE_INLINE hwWideMat hwWideMat_Sum(const hwWideMat* a, const hwWideMat* b) {
    hwWideMat m = {a->x + b->x, a->y + b->y, a->z + b->z};
    return m;
}

// m += s u w^T
HW_WIDE_INLINE void hwWideMat_AddOuter(hwWideMat* m, double s, hwWide u, hwWide w) {
    hwWide su = s * u;
    m->x += su * hwWide_X(w);
    m->y += su * hwWide_Y(w);
    m->z += su * hwWide_Z(w);
}

HW_WIDE_INLINE hwWideMat hwWideMat_Skew(hwWide v) {
    hwWideMat m = {hwWide_Make(0.0, v[2], -v[1]), hwWide_Make(-v[2], 0.0, v[0]),
                   hwWide_Make(v[1], -v[0], 0.0)};
    return m;
}

// m [r]x, where [r]x is the matrix of the cross product
HW_WIDE_INLINE hwWideMat hwWideMat_MulSkew(const hwWideMat* m, hwWide r) {
    hwWide rx = hwWide_X(r), ry = hwWide_Y(r), rz = hwWide_Z(r);
    hwWideMat p = {m->y * rz - m->z * ry, m->z * rx - m->x * rz, m->x * ry - m->y * rx};
    return p;
}

// [r]x m
HW_WIDE_INLINE hwWideMat hwWideMat_SkewMul(hwWide r, const hwWideMat* m) {
    hwWideMat p = {hwWide_Cross(r, m->x), hwWide_Cross(r, m->y), hwWide_Cross(r, m->z)};
    return p;
}

// m R^T
HW_WIDE_INLINE hwWideMat hwWideMat_MulTransposed(const hwWideMat* m, const hwWideMat* R) {
    hwWideMat p = {m->x * hwWide_X(R->x) + m->y * hwWide_X(R->y) + m->z * hwWide_X(R->z),
                   m->x * hwWide_Y(R->x) + m->y * hwWide_Y(R->y) + m->z * hwWide_Y(R->z),
                   m->x * hwWide_Z(R->x) + m->y * hwWide_Z(R->y) + m->z * hwWide_Z(R->z)};
    return p;
}

// R m R^T
HW_WIDE_INLINE hwWideMat hwWideMat_Turn(const hwWideMat* R, const hwWideMat* m) {
    hwWideMat p = hwWideMat_MulMat(R, m);
    return hwWideMat_MulTransposed(&p, R);
}

HW_WIDE_INLINE hwWideMat hwWideMat_FromSym3(hwSym3 s) {
    hwWideMat m = {hwWide_Make(s.xx, s.xy, s.xz), hwWide_Make(s.xy, s.yy, s.yz),
                   hwWide_Make(s.xz, s.yz, s.zz)};
    return m;
}

// Spatial quantities -------------------------------------------------------------------------------------------------

HW_WIDE_INLINE hwWideSpatial hwWideSpatial_Zero(void) {
    hwWideSpatial s = {hwWide_Zero(), hwWide_Zero()};
    return s;
}

HW_WIDE_INLINE hwWideSpatial hwWideSpatial_From(hwSpatial s) {
    hwWideSpatial w = {hwWide_FromVec3(s.l), hwWide_FromVec3(s.a)};
    return w;
}

HW_WIDE_INLINE hwSpatial hwWideSpatial_To(hwWideSpatial s) {
    hwSpatial w = {hwWide_ToVec3(s.l), hwWide_ToVec3(s.a)};
    return w;
}

HW_WIDE_INLINE double hwWideSpatial_Dot(hwWideSpatial x, hwWideSpatial y) {
    return hwWide_Sum(x.l * y.l + x.a * y.a);
}

// Motion of a point at `arm` from the origin, moving along.
HW_WIDE_INLINE hwWideSpatial hwWideSpatial_MotionAt(hwWideSpatial v, hwWide arm) {
    hwWideSpatial s = {v.l + hwWide_Cross(v.a, arm), v.a};
    return s;
}

// A force that acts at `arm` from the origin, about the origin.
HW_WIDE_INLINE hwWideSpatial hwWideSpatial_ForceFrom(hwWideSpatial f, hwWide arm) {
    hwWideSpatial s = {f.l, f.a + hwWide_Cross(arm, f.l)};
    return s;
}

HW_WIDE_INLINE hwWideSpatial hwWideSym_Mul(const hwWideSym* m, hwWideSpatial v) {
    hwWideSpatial s = {hwWideMat_Mul(&m->ll, v.l) + hwWideMat_Mul(&m->la, v.a),
                       hwWideMat_MulT(&m->la, v.l) + hwWideMat_Mul(&m->aa, v.a)};
    return s;
}

HW_WIDE_INLINE void hwWideSym_Add(hwWideSym* m, const hwWideSym* b) {
    hwWideMat_Add(&m->ll, &b->ll);
    hwWideMat_Add(&m->la, &b->la);
    hwWideMat_Add(&m->aa, &b->aa);
}

// m = base + X^T k X: k is about a point at `arm` from m's origin, moving along (X = hwWideSpatial_MotionAt). With
// la' = la - ll [r]x the angular block is aa + H + H^T, H = [r]x (la + la') / 2. m and base may be the same.
HW_WIDE_INLINE void hwWideSym_SumFrom(hwWideSym* m, const hwWideSym* base, const hwWideSym* k, hwWide arm) {
    hwWideMat shift = hwWideMat_MulSkew(&k->ll, arm);
    hwWideMat la = {k->la.x - shift.x, k->la.y - shift.y, k->la.z - shift.z};
    hwWideMat sum = {k->la.x + la.x, k->la.y + la.y, k->la.z + la.z};
    hwWideMat H = hwWideMat_SkewMul(0.5 * arm, &sum);
    hwWideMat T = hwWideMat_Transpose(&H);
    m->ll = hwWideMat_Sum(&base->ll, &k->ll);
    m->la = hwWideMat_Sum(&base->la, &la);
    m->aa.x = base->aa.x + (k->aa.x + (H.x + T.x));
    m->aa.y = base->aa.y + (k->aa.y + (H.y + T.y));
    m->aa.z = base->aa.z + (k->aa.z + (H.z + T.z));
}

// m += X^T k X
HW_WIDE_INLINE void hwWideSym_AddFrom(hwWideSym* m, const hwWideSym* k, hwWide arm) {
    hwWideSym_SumFrom(m, m, k, arm);
}

// The sum for a pure force response (la = aa = 0).
HW_WIDE_INLINE void hwWideSym_SumPoint(hwWideSym* m, const hwWideSym* base, const hwWideMat* ll, hwWide arm) {
    hwWideMat la = hwWideMat_MulSkew(ll, arm); // with the sign turned round
    hwWideMat aa = hwWideMat_SkewMul(arm, &la);
    m->ll = hwWideMat_Sum(&base->ll, ll);
    m->la.x = base->la.x - la.x, m->la.y = base->la.y - la.y, m->la.z = base->la.z - la.z;
    m->aa.x = base->aa.x - aa.x, m->aa.y = base->aa.y - aa.y, m->aa.z = base->aa.z - aa.z;
}

HW_WIDE_INLINE void hwWideSym_AddPoint(hwWideSym* m, const hwWideMat* ll, hwWide arm) {
    hwWideSym_SumPoint(m, m, ll, arm);
}

// m -= d u u^T
HW_WIDE_INLINE void hwWideSym_SubtractSquare(hwWideSym* m, double d, hwWideSpatial u) {
    hwWide dl = d * u.l, da = d * u.a;
    hwWide lx = hwWide_X(dl), ly = hwWide_Y(dl), lz = hwWide_Z(dl);
    hwWide ax = hwWide_X(da), ay = hwWide_Y(da), az = hwWide_Z(da);
    m->ll.x -= u.l * lx, m->ll.y -= u.l * ly, m->ll.z -= u.l * lz;
    m->la.x -= u.l * ax, m->la.y -= u.l * ay, m->la.z -= u.l * az;
    m->aa.x -= u.a * ax, m->aa.y -= u.a * ay, m->aa.z -= u.a * az;
}

// From link axes to world axes; R's columns are the link's axes.
HW_WIDE_INLINE hwWideSym hwWideSym_FromLink(const hwSpatialSym* m, const hwWideMat* R) {
    hwWideMat ll = hwWideMat_FromSym3(m->ll), la = hwWideMat_FromMat3(m->la), aa = hwWideMat_FromSym3(m->aa);
    hwWideSym s = {hwWideMat_Turn(R, &ll), hwWideMat_Turn(R, &la), hwWideMat_Turn(R, &aa)};
    return s;
}

HW_WIDE_INLINE hwWideSpatial hwWideSpatial_FromLink(hwSpatial s, const hwWideMat* R) {
    hwWideSpatial w = {hwWideMat_Mul(R, hwWide_FromVec3(s.l)), hwWideMat_Mul(R, hwWide_FromVec3(s.a))};
    return w;
}

HW_WIDE_INLINE hwSpatial hwWideSpatial_ToLink(hwWideSpatial s, const hwWideMat* R) {
    hwSpatial w = {hwWide_ToVec3(hwWideMat_MulT(R, s.l)), hwWide_ToVec3(hwWideMat_MulT(R, s.a))};
    return w;
}

#endif
