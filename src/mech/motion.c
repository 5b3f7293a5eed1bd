// The forward pass: placements, velocities and accelerations of all links; rigid inertia and weight in world axes.
#include "mech/forest.h"

#include "math/sincos.h"

// Rotation matrix of a quaternion that need not be quite of unit length.
static hwWideMat MatrixFromQuat(const double* q) {
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double s = 2.0 / (w * w + x * x + y * y + z * z);
    double sx = s * x, sy = s * y, sz = s * z;
    double xx = x * sx, yy = y * sy, zz = z * sz, xy = x * sy, xz = x * sz, yz = y * sz;
    double wx = w * sx, wy = w * sy, wz = w * sz;
    hwWideMat m = {hwWide_Make(1.0 - (yy + zz), xy + wz, xz - wy),
                   hwWide_Make(xy - wz, 1.0 - (xx + zz), yz + wx),
                   hwWide_Make(xz + wy, yz - wx, 1.0 - (xx + yy))};
    return m;
}

static hwWide ReadJoint(const double* v) {
    return hwWide_Make(v[0], v[1], v[2]);
}

static void PlaceDriven(const hwDrive* drive, hwLinkMotion* m) {
    m->R = hwWideMat_FromMat3(drive->placement.R);
    m->p = m->arm = hwWide_FromVec3(drive->placement.r);
    m->v = hwWideSpatial_From(drive->velocity);
    m->a0 = hwWideSpatial_From(drive->acceleration);
}

// The link's frame rides on its parent: what is common to all joints whose origin is fixed in the parent.
static inline void RideAlong(const hwLinkMotion* parent, hwWide arm, hwLinkMotion* m) {
    hwWide swing = hwWide_Cross(parent->v.a, arm);
    m->arm = arm;
    m->p = parent->p + arm;
    m->v.l = parent->v.l + swing;
    m->a0.l = parent->a0.l + hwWide_Cross(parent->a0.a, arm) + hwWide_Cross(parent->v.a, swing);
}

// Adds a joint's angular velocity.
static inline void SpinJoint(const hwLinkMotion* parent, hwWide rate, hwLinkMotion* m) {
    m->v.a = parent->v.a + rate;
    m->a0.a = parent->a0.a + hwWide_Cross(parent->v.a, rate);
}

// Adds a joint's linear velocity; Coriolis' acceleration comes with it.
static inline void SlideJoint(const hwLinkMotion* parent, hwWide velocity, hwLinkMotion* m) {
    m->v.l += velocity;
    m->a0.l += 2.0 * hwWide_Cross(parent->v.a, velocity);
}

static inline void PlaceRevolute(const hwWideMat* axes, double s, double c, hwLinkMotion* m) {
    m->R.x = c * axes->x + s * axes->y;
    m->R.y = c * axes->y - s * axes->x;
    m->R.z = axes->z;
}

static void ComputeSines(const hwForest* forest, const double* q, hwForestWork* work) {
    if (forest->revoluteCount == 0) return;
    bool all = forest->revoluteCount == forest->coordinateCount;
    for (int i = 0; i < forest->linkCount && !all; ++i) {
        const hwLinkData* link = &forest->data[i];
        if (link->joint == HW_LINK_REVOLUTE) work->angles[link->angle] = q[link->coordinate];
    }
    hwSinCos(forest->revoluteCount, all ? q : work->angles, work->sines, work->cosines);
}

HW_WIDE_INLINE void MoveLink(const hwForest* forest, int i, const double* q, const double* v,
                             const hwDrive* drives, hwForestWork* work) {
    const hwLinkData* link = &forest->data[i];
    const hwLinkMotion* parent = &work->motion[link->parent];
    hwLinkMotion* m = &work->motion[i];
    const double* qi = q + link->coordinate;
    const double* vi = v + link->freedom;
    if (link->joint == HW_LINK_DRIVEN) {
        PlaceDriven(&drives[i], m);
        return;
    }
    hwWideMat axes = hwWideMat_MulMat(&parent->R, &link->tree);
    hwWide arm = hwWideMat_Mul(&parent->R, link->position);
    switch ((hwJointType)link->joint) {
    case HW_LINK_REVOLUTE:
        PlaceRevolute(&axes, work->sines[link->angle], work->cosines[link->angle], m);
        m->axis = axes.z;
        RideAlong(parent, arm, m);
        SpinJoint(parent, vi[0] * axes.z, m);
        break;
    case HW_LINK_PRISMATIC:
        m->R = axes;
        m->axis = axes.z;
        RideAlong(parent, arm + qi[0] * axes.z, m);
        SlideJoint(parent, vi[0] * axes.z, m);
        SpinJoint(parent, hwWide_Zero(), m);
        break;
    case HW_LINK_BALL: {
        hwWideMat turn = MatrixFromQuat(qi);
        m->R = hwWideMat_MulMat(&axes, &turn);
        RideAlong(parent, arm, m);
        SpinJoint(parent, hwWideMat_Mul(&m->R, ReadJoint(vi)), m);
        break;
    }
    case HW_LINK_FREE: {
        hwWideMat turn = MatrixFromQuat(qi + 3);
        m->R = hwWideMat_MulMat(&axes, &turn);
        RideAlong(parent, arm + hwWideMat_Mul(&axes, ReadJoint(qi)), m);
        SlideJoint(parent, hwWideMat_Mul(&axes, ReadJoint(vi)), m);
        SpinJoint(parent, hwWideMat_Mul(&m->R, ReadJoint(vi + 3)), m);
        break;
    }
    case HW_LINK_FIXED:
        m->R = axes;
        RideAlong(parent, arm, m);
        SpinJoint(parent, hwWide_Zero(), m);
        break;
    case HW_LINK_DRIVEN:
        break;
    }
    if (link->turned) m->R = hwWideMat_MulMat(&m->R, &forest->back[i]);
}

void hwForest_ComputeMotion(const hwForest* forest, const double* q, const double* v, const hwDrive* drives,
                            hwForestWork* work) {
    ComputeSines(forest, q, work);
    for (int i = 0; i < forest->linkCount; ++i) MoveLink(forest, i, q, v, drives, work);
}

// Axes in which a free joint's linear velocity is given.
static hwWideMat JointAxes(const hwForest* forest, const hwForestWork* work, int i) {
    const hwLinkData* link = &forest->data[i];
    return hwWideMat_MulMat(&work->motion[link->parent].R, &link->tree);
}

void hwForest_GetAxes(const hwForest* forest, const hwForestWork* work, int i, hwWideSpatial axes[6]) {
    const hwLinkMotion* m = &work->motion[i];
    hwWide zero = hwWide_Zero();
    switch ((hwJointType)forest->data[i].joint) {
    case HW_LINK_REVOLUTE:
        axes[0] = (hwWideSpatial){zero, m->axis};
        break;
    case HW_LINK_PRISMATIC:
        axes[0] = (hwWideSpatial){m->axis, zero};
        break;
    case HW_LINK_BALL:
        axes[0] = (hwWideSpatial){zero, m->R.x};
        axes[1] = (hwWideSpatial){zero, m->R.y};
        axes[2] = (hwWideSpatial){zero, m->R.z};
        break;
    case HW_LINK_FREE: {
        hwWideMat joint = JointAxes(forest, work, i);
        axes[0] = (hwWideSpatial){joint.x, zero};
        axes[1] = (hwWideSpatial){joint.y, zero};
        axes[2] = (hwWideSpatial){joint.z, zero};
        axes[3] = (hwWideSpatial){zero, m->R.x};
        axes[4] = (hwWideSpatial){zero, m->R.y};
        axes[5] = (hwWideSpatial){zero, m->R.z};
        break;
    }
    case HW_LINK_FIXED:
    case HW_LINK_DRIVEN:
        break;
    }
}

void hwForest_ComputeAccelerations(const hwForest* forest, const double* vdot, hwForestWork* work) {
    work->increment[-1] = hwWideSpatial_Zero();
    for (int i = 0; i < forest->linkCount; ++i) {
        if (hwForestWork_Skips(work, i)) {
            work->increment[i] = work->a[i] = hwWideSpatial_Zero();
            continue;
        }
        const hwLinkData* link = &forest->data[i];
        const hwLinkMotion* m = &work->motion[i];
        const double* x = vdot + link->freedom;
        hwWideSpatial d = hwWideSpatial_MotionAt(work->increment[link->parent], m->arm);
        switch ((hwJointType)link->joint) {
        case HW_LINK_REVOLUTE:
            d.a += x[0] * m->axis;
            break;
        case HW_LINK_PRISMATIC:
            d.l += x[0] * m->axis;
            break;
        case HW_LINK_BALL:
            d.a += hwWideMat_Mul(&m->R, ReadJoint(x));
            break;
        case HW_LINK_FREE: {
            hwWideMat joint = JointAxes(forest, work, i);
            d.l += hwWideMat_Mul(&joint, ReadJoint(x));
            d.a += hwWideMat_Mul(&m->R, ReadJoint(x + 3));
            break;
        }
        case HW_LINK_FIXED:
        case HW_LINK_DRIVEN:
            break;
        }
        work->increment[i] = d;
        work->a[i].l = m->a0.l + d.l;
        work->a[i].a = m->a0.a + d.a;
    }
}

// Newton and Euler about the origin, for a centre of mass at c: with h = m c
//     force  = m a + alpha x h + w x (w x h),   moment = I alpha + h x a + w x (I w).
static inline void WeighLink(const hwLinkData* link, const hwLinkMotion* m, hwWide up, hwWideSym* K,
                             hwWideSpatial* wrench) {
    hwWide h = hwWideMat_Mul(&m->R, link->moment);
    K->ll.x = hwWide_Make(link->mass, 0.0, 0.0);
    K->ll.y = hwWide_Make(0.0, link->mass, 0.0);
    K->ll.z = hwWide_Make(0.0, 0.0, link->mass);
    K->la = hwWideMat_Skew(-h);
    K->aa = hwWideMat_Turn(&m->R, &link->inertia);
    hwWide w = m->v.a, a = m->a0.l + up;
    hwWide swing = hwWide_Cross(m->a0.a, h) + hwWide_Cross(w, hwWide_Cross(w, h));
    wrench->l = -(link->mass * a + swing);
    wrench->a =
        -(hwWide_Cross(h, a) + hwWideMat_Mul(&K->aa, m->a0.a) + hwWide_Cross(w, hwWideMat_Mul(&K->aa, w)));
}

// One loop: a link's motion waits for its parent's, and its inertia fills the wait.
void hwForest_ComputeRigidMotion(const hwForest* forest, const double* q, const double* v,
                                 const hwDrive* drives, double gravity, hwForestWork* work,
                                 hwWideSym* inertia, hwWideSpatial* wrench) {
    hwWide up = hwWide_Make(0.0, 0.0, gravity);
    ComputeSines(forest, q, work);
    for (int i = 0; i < forest->linkCount; ++i) {
        MoveLink(forest, i, q, v, drives, work);
        WeighLink(&forest->data[i], &work->motion[i], up, &inertia[i], &wrench[i]);
    }
}
