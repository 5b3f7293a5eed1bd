#include "mech/forest.h"

#include "math/dense.h"

#include <string.h>

int hwJoint_CountFreedoms(hwJointType joint) {
    switch (joint) {
    case HW_LINK_REVOLUTE:
    case HW_LINK_PRISMATIC: return 1;
    case HW_LINK_BALL: return 3;
    case HW_LINK_FREE: return 6;
    case HW_LINK_FIXED:
    case HW_LINK_DRIVEN: return 0;
    }
    return 0;
}

int hwJoint_CountCoordinates(hwJointType joint) {
    switch (joint) {
    case HW_LINK_REVOLUTE:
    case HW_LINK_PRISMATIC: return 1;
    case HW_LINK_BALL: return 4;
    case HW_LINK_FREE: return 7;
    case HW_LINK_FIXED:
    case HW_LINK_DRIVEN: return 0;
    }
    return 0;
}

void hwForest_TakeWork(const hwForest* forest, hwArena* arena, hwForestWork* work) {
    work->motion = HW_TAKE(arena, hwLinkMotion, forest->linkCount);
    work->force = HW_TAKE(arena, hwSpatial, forest->linkCount);
    work->articulated = HW_TAKE(arena, hwSpatialSym, forest->linkCount);
    work->U = HW_TAKE(arena, hwSpatial, forest->freedomCount);
    work->D = HW_TAKE(arena, double, 6 * forest->freedomCount);
    work->bias = HW_TAKE(arena, hwSpatial, forest->linkCount);
    work->u = HW_TAKE(arena, double, forest->freedomCount);
}

static hwQuat ReadQuat(const double* q) {
    hwQuat quat = {q[0], q[1], q[2], q[3]};
    return hwNormalizeQuat(quat);
}

static void WriteQuat(double* q, hwQuat quat) {
    q[0] = quat.w, q[1] = quat.x, q[2] = quat.y, q[3] = quat.z;
}

// Rotation by `angle` about the unit vector `axis` (Rodrigues).
static hwMat3 AxisRotation(hwVec3 axis, double angle) {
    double c = cos(angle), s = sin(angle), t = 1.0 - c;
    hwMat3 m = {
        {t * axis.x * axis.x + c, t * axis.x * axis.y + s * axis.z, t * axis.x * axis.z - s * axis.y},
        {t * axis.x * axis.y - s * axis.z, t * axis.y * axis.y + c, t * axis.y * axis.z + s * axis.x},
        {t * axis.x * axis.z + s * axis.y, t * axis.y * axis.z - s * axis.x, t * axis.z * axis.z + c},
    };
    return m;
}

static hwPlacement Compose(const hwPlacement* outer, const hwPlacement* inner) {
    hwPlacement p = {hwMulMM(outer->R, inner->R), hwAdd(outer->r, hwMulMV(outer->R, inner->r))};
    return p;
}

// Placement in the parent, velocity across the joint (link axes) and the velocity-product acceleration that comes from
// axes turning relative to the link (only the free joint has one: its linear velocity is in the parent's axes).
static void CrossJoint(const hwLink* link, const double* q, const double* v, const hwDrive* drive,
                       hwLinkMotion* motion, hwSpatial* velocity, hwSpatial* turning) {
    *velocity = (hwSpatial){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    *turning = *velocity;
    q += link->coordinate;
    v += link->freedom;
    switch (link->joint) {
    case HW_LINK_FIXED: motion->placement = link->tree; break;
    case HW_LINK_REVOLUTE: {
        hwPlacement turn = {AxisRotation(link->axis, q[0]), hwVec3_zero};
        motion->placement = Compose(&link->tree, &turn);
        velocity->a = hwScale(v[0], link->axis);
        break;
    }
    case HW_LINK_PRISMATIC:
        motion->placement.R = link->tree.R;
        motion->placement.r = hwAdd(link->tree.r, hwMulMV(link->tree.R, hwScale(q[0], link->axis)));
        velocity->l = hwScale(v[0], link->axis);
        break;
    case HW_LINK_BALL: {
        hwPlacement turn = {hwMat3FromQuat(ReadQuat(q)), hwVec3_zero};
        motion->placement = Compose(&link->tree, &turn);
        velocity->a = hwMakeVec3(v[0], v[1], v[2]);
        break;
    }
    case HW_LINK_FREE: {
        hwPlacement local = {hwMat3FromQuat(ReadQuat(q + 3)), {q[0], q[1], q[2]}};
        motion->placement = Compose(&link->tree, &local);
        velocity->l = hwMulTV(local.R, hwMakeVec3(v[0], v[1], v[2]));
        velocity->a = hwMakeVec3(v[3], v[4], v[5]);
        // d/dt (R^T v) = R^T vdot - w x R^T v
        turning->l = hwCross(velocity->l, velocity->a);
        break;
    }
    case HW_LINK_DRIVEN:
        motion->placement = drive->placement;
        *velocity = drive->velocity;
        break;
    }
}

void hwForest_ComputeMotion(const hwForest* forest, const double* q, const double* v, const hwDrive* drives,
                            hwForestWork* work) {
    for (int i = 0; i < forest->linkCount; ++i) {
        const hwLink* link = &forest->links[i];
        hwLinkMotion* motion = &work->motion[i];
        hwSpatial velocity, turning;
        CrossJoint(link, q, v, &drives[i], motion, &velocity, &turning);
        if (link->parent < 0) {
            motion->world = motion->placement;
            motion->v = velocity;
            motion->c = turning;
        } else {
            const hwLinkMotion* parent = &work->motion[link->parent];
            motion->world = Compose(&parent->world, &motion->placement);
            motion->v = hwAddS(hwMotionToChild(&motion->placement, parent->v), velocity);
            motion->c = hwAddS(hwCrossMotion(motion->v, velocity), turning);
        }
    }
}

void hwForest_GetAxes(const hwLink* link, const hwLinkMotion* motion, hwSpatial axes[6]) {
    memset(axes, 0, 6 * sizeof(hwSpatial));
    switch (link->joint) {
    case HW_LINK_REVOLUTE: axes[0].a = link->axis; break;
    case HW_LINK_PRISMATIC: axes[0].l = link->axis; break;
    case HW_LINK_BALL:
        axes[0].a.x = 1.0;
        axes[1].a.y = 1.0;
        axes[2].a.z = 1.0;
        break;
    case HW_LINK_FREE: {
        // rows of the rotation from the joint's axes to the link's
        hwMat3 R = hwMulMM(hwTransposeMat3(link->tree.R), motion->placement.R);
        axes[0].l = hwMakeVec3(R.cx.x, R.cy.x, R.cz.x);
        axes[1].l = hwMakeVec3(R.cx.y, R.cy.y, R.cz.y);
        axes[2].l = hwMakeVec3(R.cx.z, R.cy.z, R.cz.z);
        axes[3].a.x = 1.0;
        axes[4].a.y = 1.0;
        axes[5].a.z = 1.0;
        break;
    }
    case HW_LINK_FIXED:
    case HW_LINK_DRIVEN: break;
    }
}

void hwForest_ComputeAccelerations(const hwForest* forest, const double* vdot, const hwDrive* drives,
                                   hwForestWork* work) {
    for (int i = 0; i < forest->linkCount; ++i) {
        const hwLink* link = &forest->links[i];
        hwLinkMotion* motion = &work->motion[i];
        hwSpatial a = motion->c;
        if (link->parent >= 0) {
            a = hwAddS(a, hwMotionToChild(&motion->placement, work->motion[link->parent].a));
        }
        if (link->joint == HW_LINK_DRIVEN) {
            a = hwAddS(a, drives[i].acceleration);
        } else {
            hwSpatial axes[6];
            hwForest_GetAxes(link, motion, axes);
            int count = hwJoint_CountFreedoms(link->joint);
            for (int k = 0; k < count; ++k) a = hwMulAddS(a, vdot[link->freedom + k], axes[k]);
        }
        motion->a = a;
    }
}

void hwForest_ComputeEfforts(const hwForest* forest, const hwSpatialSym* inertia, const hwSpatial* wrench,
                             hwForestWork* work, double* efforts) {
    for (int i = 0; i < forest->linkCount; ++i) {
        const hwLink* link = &forest->links[i];
        const hwLinkMotion* motion = &work->motion[i];
        hwSpatial f = hwMulSpatialSym(inertia != NULL ? &inertia[i] : &link->inertia, motion->a);
        f = hwAddS(f, hwCrossForce(motion->v, hwMulSpatialSym(&link->inertia, motion->v)));
        work->force[i] = hwSubS(f, wrench[i]);
    }
    for (int i = forest->linkCount - 1; i >= 0; --i) {
        const hwLink* link = &forest->links[i];
        const hwLinkMotion* motion = &work->motion[i];
        hwSpatial axes[6];
        hwForest_GetAxes(link, motion, axes);
        int count = hwJoint_CountFreedoms(link->joint);
        for (int k = 0; k < count; ++k) efforts[link->freedom + k] = hwDotS(axes[k], work->force[i]);
        if (link->parent >= 0) {
            hwSpatial f = hwForceToParent(&motion->placement, work->force[i]);
            work->force[link->parent] = hwAddS(work->force[link->parent], f);
        }
    }
}

void hwForest_MultiplyInertia(const hwForest* forest, const hwSpatialSym* inertia, hwForestWork* work, const double* x,
                              double* y) {
    hwSpatial axes[6];
    for (int i = 0; i < forest->linkCount; ++i) {
        const hwLink* link = &forest->links[i];
        const hwLinkMotion* motion = &work->motion[i];
        hwSpatial w = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
        if (link->parent >= 0) w = hwMotionToChild(&motion->placement, work->bias[link->parent]);
        hwForest_GetAxes(link, motion, axes);
        int count = hwJoint_CountFreedoms(link->joint);
        for (int k = 0; k < count; ++k) w = hwMulAddS(w, x[link->freedom + k], axes[k]);
        work->bias[i] = w;
        work->force[i] = hwMulSpatialSym(&inertia[i], w);
    }
    for (int i = forest->linkCount - 1; i >= 0; --i) {
        const hwLink* link = &forest->links[i];
        const hwLinkMotion* motion = &work->motion[i];
        hwForest_GetAxes(link, motion, axes);
        int count = hwJoint_CountFreedoms(link->joint);
        for (int k = 0; k < count; ++k) y[link->freedom + k] = hwDotS(axes[k], work->force[i]);
        if (link->parent < 0) continue;
        work->force[link->parent] =
            hwAddS(work->force[link->parent], hwForceToParent(&motion->placement, work->force[i]));
    }
}

// m -= x x^T
static void SubtractSquare(hwSpatialSym* m, hwSpatial x) {
    m->ll.xx -= x.l.x * x.l.x, m->ll.yy -= x.l.y * x.l.y, m->ll.zz -= x.l.z * x.l.z;
    m->ll.xy -= x.l.x * x.l.y, m->ll.xz -= x.l.x * x.l.z, m->ll.yz -= x.l.y * x.l.z;
    m->la.cx = hwMulAdd(m->la.cx, -x.a.x, x.l);
    m->la.cy = hwMulAdd(m->la.cy, -x.a.y, x.l);
    m->la.cz = hwMulAdd(m->la.cz, -x.a.z, x.l);
    m->aa.xx -= x.a.x * x.a.x, m->aa.yy -= x.a.y * x.a.y, m->aa.zz -= x.a.z * x.a.z;
    m->aa.xy -= x.a.x * x.a.y, m->aa.xz -= x.a.x * x.a.z, m->aa.yz -= x.a.y * x.a.z;
}

// L^-1 applied to the U vectors of a joint with several freedoms turns U D^-1 U^T into a sum of outer products.
static void ForwardSubstitute(int n, const double* L, hwSpatial* rows) {
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < i; ++k) rows[i] = hwMulAddS(rows[i], -L[i * n + k], rows[k]);
        double inverse = 1.0 / L[i * n + i];
        rows[i].l = hwScale(inverse, rows[i].l);
        rows[i].a = hwScale(inverse, rows[i].a);
    }
}

bool hwForest_Factor(const hwForest* forest, const hwSpatialSym* K, const double* joint, hwForestWork* work,
                     int* failed) {
    memcpy(work->articulated, K, (size_t)forest->linkCount * sizeof(hwSpatialSym));
    for (int i = forest->linkCount - 1; i >= 0; --i) {
        const hwLink* link = &forest->links[i];
        const hwLinkMotion* motion = &work->motion[i];
        hwSpatialSym* inertia = &work->articulated[i];
        int count = hwJoint_CountFreedoms(link->joint);
        hwSpatial* U = &work->U[link->freedom];
        double* D = &work->D[6 * link->freedom];
        hwSpatial axes[6];
        hwForest_GetAxes(link, motion, axes);
        for (int k = 0; k < count; ++k) U[k] = hwMulSpatialSym(inertia, axes[k]);
        for (int k = 0; k < count; ++k) {
            for (int j = 0; j <= k; ++j) D[k * count + j] = hwDotS(axes[k], U[j]);
            D[k * count + k] += joint[link->freedom + k];
        }
        if (count > 0 && !hwCholesky(count, D)) {
            if (failed != NULL) *failed = i;
            return false;
        }
        if (link->parent < 0) continue;
        hwSpatial rows[6];
        memcpy(rows, U, (size_t)count * sizeof(hwSpatial));
        ForwardSubstitute(count, D, rows);
        hwSpatialSym passed = *inertia;
        for (int k = 0; k < count; ++k) SubtractSquare(&passed, rows[k]);
        if (link->joint == HW_LINK_BALL && joint[link->freedom] == 0.0 && joint[link->freedom + 1] == 0.0 &&
            joint[link->freedom + 2] == 0.0) {
            // A free ball joint passes no moment: exactly, not to rounding.
            memset(&passed.la, 0, sizeof(passed.la));
            memset(&passed.aa, 0, sizeof(passed.aa));
        }
        hwSpatialSym seen = hwSpatialSymToParent(&motion->placement, &passed);
        work->articulated[link->parent] = hwAddSpatialSym(&work->articulated[link->parent], &seen);
    }
    return true;
}

void hwForest_Solve(const hwForest* forest, hwForestWork* work, const double* b, double* x) {
    memset(work->bias, 0, (size_t)forest->linkCount * sizeof(hwSpatial));
    hwSpatial axes[6];
    for (int i = forest->linkCount - 1; i >= 0; --i) {
        const hwLink* link = &forest->links[i];
        const hwLinkMotion* motion = &work->motion[i];
        int count = hwJoint_CountFreedoms(link->joint);
        const hwSpatial* U = &work->U[link->freedom];
        double* u = &work->u[link->freedom];
        hwForest_GetAxes(link, motion, axes);
        for (int k = 0; k < count; ++k) u[k] = b[link->freedom + k] - hwDotS(axes[k], work->bias[i]);
        if (link->parent < 0) continue;
        double y[6];
        memcpy(y, u, (size_t)count * sizeof(double));
        hwCholeskySolve(count, &work->D[6 * link->freedom], y);
        hwSpatial passed = work->bias[i];
        for (int k = 0; k < count; ++k) passed = hwMulAddS(passed, y[k], U[k]);
        work->bias[link->parent] =
            hwAddS(work->bias[link->parent], hwForceToParent(&motion->placement, passed));
    }
    // `bias` now serves as the links' increments of velocity.
    for (int i = 0; i < forest->linkCount; ++i) {
        const hwLink* link = &forest->links[i];
        const hwLinkMotion* motion = &work->motion[i];
        int count = hwJoint_CountFreedoms(link->joint);
        const hwSpatial* U = &work->U[link->freedom];
        hwSpatial w = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
        if (link->parent >= 0) w = hwMotionToChild(&motion->placement, work->bias[link->parent]);
        double y[6];
        for (int k = 0; k < count; ++k) y[k] = work->u[link->freedom + k] - hwDotS(U[k], w);
        hwCholeskySolve(count, &work->D[6 * link->freedom], y);
        hwForest_GetAxes(link, motion, axes);
        for (int k = 0; k < count; ++k) {
            x[link->freedom + k] = y[k];
            w = hwMulAddS(w, y[k], axes[k]);
        }
        work->bias[i] = w;
    }
}

void hwForest_Displace(const hwForest* forest, const double* q0, const double* delta, double* q) {
    for (int i = 0; i < forest->linkCount; ++i) {
        const hwLink* link = &forest->links[i];
        const double* from = q0 + link->coordinate;
        const double* d = delta + link->freedom;
        double* to = q + link->coordinate;
        switch (link->joint) {
        case HW_LINK_REVOLUTE:
        case HW_LINK_PRISMATIC: to[0] = from[0] + d[0]; break;
        case HW_LINK_BALL: {
            hwQuat turn = hwQuatFromRotationVector(hwMakeVec3(d[0], d[1], d[2]));
            WriteQuat(to, hwNormalizeQuat(hwMulQuat(ReadQuat(from), turn)));
            break;
        }
        case HW_LINK_FREE: {
            for (int k = 0; k < 3; ++k) to[k] = from[k] + d[k];
            hwQuat turn = hwQuatFromRotationVector(hwMakeVec3(d[3], d[4], d[5]));
            WriteQuat(to + 3, hwNormalizeQuat(hwMulQuat(ReadQuat(from + 3), turn)));
            break;
        }
        case HW_LINK_FIXED:
        case HW_LINK_DRIVEN: break;
        }
    }
}

// q' = q (0, w) / 2
static void QuatRate(const double* q, const double* w, double* rate) {
    hwQuat quat = {q[0], q[1], q[2], q[3]};
    hwQuat omega = {0.0, w[0], w[1], w[2]};
    hwQuat product = hwMulQuat(quat, omega);
    WriteQuat(rate, (hwQuat){0.5 * product.w, 0.5 * product.x, 0.5 * product.y, 0.5 * product.z});
}

void hwForest_ComputeRates(const hwForest* forest, const double* q, const double* v, double* qdot) {
    for (int i = 0; i < forest->linkCount; ++i) {
        const hwLink* link = &forest->links[i];
        const double* from = q + link->coordinate;
        const double* w = v + link->freedom;
        double* rate = qdot + link->coordinate;
        switch (link->joint) {
        case HW_LINK_REVOLUTE:
        case HW_LINK_PRISMATIC: rate[0] = w[0]; break;
        case HW_LINK_BALL: QuatRate(from, w, rate); break;
        case HW_LINK_FREE:
            for (int k = 0; k < 3; ++k) rate[k] = w[k];
            QuatRate(from + 3, w + 3, rate + 3);
            break;
        case HW_LINK_FIXED:
        case HW_LINK_DRIVEN: break;
        }
    }
}

// Inverse of QuatRate: w = 2 q* dq, vector part.
static void QuatTangent(const double* q, const double* dq, double* w) {
    hwQuat product = hwMulQuat(hwConjugate(ReadQuat(q)), (hwQuat){dq[0], dq[1], dq[2], dq[3]});
    w[0] = 2.0 * product.x, w[1] = 2.0 * product.y, w[2] = 2.0 * product.z;
}

void hwForest_TangentOf(const hwForest* forest, const double* q, const double* dq, double* tangent) {
    for (int i = 0; i < forest->linkCount; ++i) {
        const hwLink* link = &forest->links[i];
        const double* from = q + link->coordinate;
        const double* change = dq + link->coordinate;
        double* w = tangent + link->freedom;
        switch (link->joint) {
        case HW_LINK_REVOLUTE:
        case HW_LINK_PRISMATIC: w[0] = change[0]; break;
        case HW_LINK_BALL: QuatTangent(from, change, w); break;
        case HW_LINK_FREE:
            for (int k = 0; k < 3; ++k) w[k] = change[k];
            QuatTangent(from + 3, change + 3, w + 3);
            break;
        case HW_LINK_FIXED:
        case HW_LINK_DRIVEN: break;
        }
    }
}

void hwForest_ComputeMatrix(const hwForest* forest, const hwSpatialSym* inertia, const hwForestWork* work,
                            hwSpatialSym* composite, double* matrix) {
    int n = forest->freedomCount;
    memset(matrix, 0, (size_t)n * (size_t)n * sizeof(double));
    for (int i = 0; i < forest->linkCount; ++i) {
        composite[i] = inertia != NULL ? inertia[i] : forest->links[i].inertia;
    }
    for (int i = forest->linkCount - 1; i >= 0; --i) {
        const hwLink* link = &forest->links[i];
        hwSpatial axes[6];
        hwForest_GetAxes(link, &work->motion[i], axes);
        int count = hwJoint_CountFreedoms(link->joint);
        for (int k = 0; k < count; ++k) {
            hwSpatial f = hwMulSpatialSym(&composite[i], axes[k]);
            for (int j = i; j >= 0; j = forest->links[j].parent) {
                hwSpatial other[6];
                hwForest_GetAxes(&forest->links[j], &work->motion[j], other);
                int otherCount = hwJoint_CountFreedoms(forest->links[j].joint);
                for (int m = 0; m < otherCount; ++m) {
                    int row = link->freedom + k, column = forest->links[j].freedom + m;
                    matrix[row * n + column] = matrix[column * n + row] = hwDotS(other[m], f);
                }
                f = hwForceToParent(&work->motion[j].placement, f);
            }
        }
        if (link->parent >= 0) {
            hwSpatialSym seen = hwSpatialSymToParent(&work->motion[i].placement, &composite[i]);
            composite[link->parent] = hwAddSpatialSym(&composite[link->parent], &seen);
        }
    }
}
