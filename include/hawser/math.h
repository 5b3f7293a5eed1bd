/// @file math.h
/// Vectors, quaternions, matrices and poses, as plain values with inline functions.
#ifndef HAWSER_MATH_H
#define HAWSER_MATH_H

#include "hawser/elementary.h"

#include <math.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HW_PI 3.14159265358979323846 ///< Half a turn in radians.
#define HW_DEGREE (HW_PI / 180.0)    ///< Multiply degrees by this to get radians.

/// A vector or point.
typedef struct hwVec3 {
    double x; ///< world: north
    double y; ///< world: west
    double z; ///< world: up
} hwVec3;

/// A unit quaternion w + xi + yj + zk. As an attitude it turns body axes into world axes.
typedef struct hwQuat {
    double w; ///< cosine of half the angle
    double x; ///< axis times sine of half the angle
    double y; ///< likewise
    double z; ///< likewise
} hwQuat;

/// A 3x3 matrix by columns.
typedef struct hwMat3 {
    hwVec3 cx; ///< first column
    hwVec3 cy; ///< second column
    hwVec3 cz; ///< third column
} hwMat3;

/// Pose of a frame: `p` is its origin, `q` turns its axes into the outer frame's.
typedef struct hwPose {
    hwVec3 p; ///< m
    hwQuat q; ///< unit
} hwPose;

static const hwVec3 hwVec3_zero = {0.0, 0.0, 0.0};
static const hwQuat hwQuat_identity = {1.0, 0.0, 0.0, 0.0};
static const hwPose hwPose_identity = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};

static inline hwVec3 hwMakeVec3(double x, double y, double z) {
    hwVec3 v = {x, y, z};
    return v;
}

static inline hwVec3 hwAdd(hwVec3 a, hwVec3 b) {
    return hwMakeVec3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline hwVec3 hwSub(hwVec3 a, hwVec3 b) {
    return hwMakeVec3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline hwVec3 hwNeg(hwVec3 a) {
    return hwMakeVec3(-a.x, -a.y, -a.z);
}

static inline hwVec3 hwScale(double s, hwVec3 a) {
    return hwMakeVec3(s * a.x, s * a.y, s * a.z);
}

/// a + s b
static inline hwVec3 hwMulAdd(hwVec3 a, double s, hwVec3 b) {
    return hwMakeVec3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline double hwDot(hwVec3 a, hwVec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline hwVec3 hwCross(hwVec3 a, hwVec3 b) {
    return hwMakeVec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double hwLengthSquared(hwVec3 a) {
    return hwDot(a, a);
}

static inline double hwLength(hwVec3 a) {
    return sqrt(hwDot(a, a));
}

static inline double hwDistance(hwVec3 a, hwVec3 b) {
    return hwLength(hwSub(a, b));
}

/// The unit vector along a, or zero when a is zero.
static inline hwVec3 hwNormalize(hwVec3 a) {
    double length = hwLength(a);
    return length > 0.0 ? hwScale(1.0 / length, a) : hwVec3_zero;
}

static inline bool hwIsFiniteVec3(hwVec3 a) {
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

/// Some unit vector at right angles to the unit vector a; continuous except across one plane.
static inline hwVec3 hwPerpendicular(hwVec3 a) {
    hwVec3 other = fabs(a.x) < 0.6 ? hwMakeVec3(1.0, 0.0, 0.0) : hwMakeVec3(0.0, 1.0, 0.0);
    return hwNormalize(hwCross(a, other));
}

// Quaternions

/// Product a b: first turn by b, then by a.
static inline hwQuat hwMulQuat(hwQuat a, hwQuat b) {
    hwQuat q = {
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
    };
    return q;
}

static inline hwQuat hwConjugate(hwQuat q) {
    hwQuat c = {q.w, -q.x, -q.y, -q.z};
    return c;
}

static inline hwQuat hwNormalizeQuat(hwQuat q) {
    double length = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (!(length > 0.0)) return hwQuat_identity;
    double s = 1.0 / length;
    hwQuat n = {s * q.w, s * q.x, s * q.y, s * q.z};
    return n;
}

/// q v q*: from the turned frame to the outer frame.
static inline hwVec3 hwRotate(hwQuat q, hwVec3 v) {
    hwVec3 u = {q.x, q.y, q.z};
    hwVec3 t = hwScale(2.0, hwCross(u, v));
    return hwAdd(v, hwAdd(hwScale(q.w, t), hwCross(u, t)));
}

/// q* v q: from the outer frame to the turned frame.
static inline hwVec3 hwInvRotate(hwQuat q, hwVec3 v) {
    return hwRotate(hwConjugate(q), v);
}

/// exp(r/2): the quaternion that turns by |r| about r.
static inline hwQuat hwQuatFromRotationVector(hwVec3 r) {
    double angle = hwLength(r);
    double sine, cosine;
    hwSinAndCos(0.5 * angle, &sine, &cosine);
    // sin(x)/x by its series where the division loses digits
    double s = angle > 1e-4 ? sine / angle : 0.5 - angle * angle * (1.0 / 48.0);
    hwQuat q = {cosine, s * r.x, s * r.y, s * r.z};
    return q;
}

/// The rotation vector of q with angle in [0, pi].
static inline hwVec3 hwRotationVectorFromQuat(hwQuat q) {
    hwVec3 u = {q.x, q.y, q.z};
    double s = hwLength(u);
    if (q.w < 0.0) {
        u = hwNeg(u);
        q.w = -q.w;
    }
    double factor = s > 1e-6 ? 2.0 * hwAtan2(s, q.w) / s : 2.0 / q.w;
    return hwScale(factor, u);
}

static inline hwQuat hwQuatFromAxisAngle(hwVec3 unitAxis, double angle) {
    double s, c;
    hwSinAndCos(0.5 * angle, &s, &c);
    hwQuat q = {c, s * unitAxis.x, s * unitAxis.y, s * unitAxis.z};
    return q;
}

/// From roll, pitch, yaw in radians, applied Z-Y'-X''.
static inline hwQuat hwQuatFromRpy(double roll, double pitch, double yaw) {
    double cr, sr, cp, sp, cy, sy;
    hwSinAndCos(0.5 * roll, &sr, &cr);
    hwSinAndCos(0.5 * pitch, &sp, &cp);
    hwSinAndCos(0.5 * yaw, &sy, &cy);
    hwQuat q = {
        cr * cp * cy + sr * sp * sy,
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
    };
    return q;
}

/// To roll, pitch, yaw (x, y, z of the result); yaw takes the whole turn when pitch is straight up or down.
static inline hwVec3 hwRpyFromQuat(hwQuat q) {
    double sinPitch = 2.0 * (q.w * q.y - q.z * q.x);
    if (sinPitch > 1.0 - 1e-15) return hwMakeVec3(0.0, 0.5 * HW_PI, -2.0 * hwAtan2(q.x, q.w));
    if (sinPitch < -1.0 + 1e-15) return hwMakeVec3(0.0, -0.5 * HW_PI, 2.0 * hwAtan2(q.x, q.w));
    double roll = hwAtan2(2.0 * (q.w * q.x + q.y * q.z), 1.0 - 2.0 * (q.x * q.x + q.y * q.y));
    double yaw = hwAtan2(2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.y * q.y + q.z * q.z));
    return hwMakeVec3(roll, hwAsin(sinPitch), yaw);
}

// Matrices

static inline hwMat3 hwMat3FromQuat(hwQuat q) {
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    hwMat3 m = {
        {1.0 - 2.0 * (yy + zz), 2.0 * (xy + wz), 2.0 * (xz - wy)},
        {2.0 * (xy - wz), 1.0 - 2.0 * (xx + zz), 2.0 * (yz + wx)},
        {2.0 * (xz + wy), 2.0 * (yz - wx), 1.0 - 2.0 * (xx + yy)},
    };
    return m;
}

/// From a rotation matrix (Shepperd 1978: divide by the largest component).
static inline hwQuat hwQuatFromMat3(hwMat3 m) {
    double trace = m.cx.x + m.cy.y + m.cz.z;
    hwQuat q;
    if (trace >= m.cx.x && trace >= m.cy.y && trace >= m.cz.z) {
        q.w = 1.0 + trace;
        q.x = m.cy.z - m.cz.y;
        q.y = m.cz.x - m.cx.z;
        q.z = m.cx.y - m.cy.x;
    } else if (m.cx.x >= m.cy.y && m.cx.x >= m.cz.z) {
        q.w = m.cy.z - m.cz.y;
        q.x = 1.0 + m.cx.x - m.cy.y - m.cz.z;
        q.y = m.cx.y + m.cy.x;
        q.z = m.cz.x + m.cx.z;
    } else if (m.cy.y >= m.cz.z) {
        q.w = m.cz.x - m.cx.z;
        q.x = m.cx.y + m.cy.x;
        q.y = 1.0 + m.cy.y - m.cx.x - m.cz.z;
        q.z = m.cy.z + m.cz.y;
    } else {
        q.w = m.cx.y - m.cy.x;
        q.x = m.cz.x + m.cx.z;
        q.y = m.cy.z + m.cz.y;
        q.z = 1.0 + m.cz.z - m.cx.x - m.cy.y;
    }
    return hwNormalizeQuat(q);
}

static inline hwVec3 hwMulMV(hwMat3 m, hwVec3 v) {
    return hwMakeVec3(m.cx.x * v.x + m.cy.x * v.y + m.cz.x * v.z, m.cx.y * v.x + m.cy.y * v.y + m.cz.y * v.z,
                      m.cx.z * v.x + m.cy.z * v.y + m.cz.z * v.z);
}

/// Transpose of m times v.
static inline hwVec3 hwMulTV(hwMat3 m, hwVec3 v) {
    return hwMakeVec3(hwDot(m.cx, v), hwDot(m.cy, v), hwDot(m.cz, v));
}

static inline hwMat3 hwMulMM(hwMat3 a, hwMat3 b) {
    hwMat3 m = {hwMulMV(a, b.cx), hwMulMV(a, b.cy), hwMulMV(a, b.cz)};
    return m;
}

static inline hwMat3 hwTransposeMat3(hwMat3 m) {
    hwMat3 t = {{m.cx.x, m.cy.x, m.cz.x}, {m.cx.y, m.cy.y, m.cz.y}, {m.cx.z, m.cy.z, m.cz.z}};
    return t;
}

// Poses

/// Point from the inner frame to the outer frame.
static inline hwVec3 hwTransformPoint(hwPose pose, hwVec3 local) {
    return hwAdd(pose.p, hwRotate(pose.q, local));
}

/// Point from the outer frame to the inner frame.
static inline hwVec3 hwInvTransformPoint(hwPose pose, hwVec3 point) {
    return hwInvRotate(pose.q, hwSub(point, pose.p));
}

/// The pose of `inner`, given in the frame `outer`, seen from where `outer` is given.
static inline hwPose hwMulPose(hwPose outer, hwPose inner) {
    hwPose pose = {hwTransformPoint(outer, inner.p), hwMulQuat(outer.q, inner.q)};
    return pose;
}

static inline double hwClamp(double x, double low, double high) {
    return x < low ? low : (x > high ? high : x);
}

#ifdef __cplusplus
}
#endif
#endif
