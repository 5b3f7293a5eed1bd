// Inverse dynamics, products with the joint-space matrix, and that matrix itself.
#include "mech/forest.h"

#include <string.h>

// Projects a force onto a joint's motion axes.
static void ProjectForce(const hwForest* forest, const hwForestWork* work, int i, hwWideSpatial force,
                         double* out) {
    const hwLinkMotion* m = &work->motion[i];
    const hwLinkData* link = &forest->data[i];
    switch ((hwJointType)link->joint) {
    case HW_LINK_REVOLUTE:
        out[0] = hwWide_Dot(m->axis, force.a);
        break;
    case HW_LINK_PRISMATIC:
        out[0] = hwWide_Dot(m->axis, force.l);
        break;
    case HW_LINK_BALL: {
        hwWide t = hwWideMat_MulT(&m->R, force.a);
        out[0] = t[0], out[1] = t[1], out[2] = t[2];
        break;
    }
    case HW_LINK_FREE: {
        hwWideMat joint = hwWideMat_MulMat(&work->motion[link->parent].R, &link->tree);
        hwWide f = hwWideMat_MulT(&joint, force.l), t = hwWideMat_MulT(&m->R, force.a);
        out[0] = f[0], out[1] = f[1], out[2] = f[2];
        out[3] = t[0], out[4] = t[1], out[5] = t[2];
        break;
    }
    case HW_LINK_FIXED:
    case HW_LINK_DRIVEN:
        break;
    }
}

// Backward half of both products: forces of the links to the joints.
static void SumForces(const hwForest* forest, hwForestWork* work, double* out) {
    work->force[-1] = hwWideSpatial_Zero();
    for (int i = forest->linkCount - 1; i >= 0; --i) {
        const hwLinkData* link = &forest->data[i];
        if (hwForestWork_Skips(work, i)) {
            memset(out + link->freedom, 0,
                   (size_t)hwJoint_CountFreedoms((hwJointType)link->joint) * sizeof(double));
            continue;
        }
        ProjectForce(forest, work, i, work->force[i], out + link->freedom);
        hwWideSpatial passed = hwWideSpatial_ForceFrom(work->force[i], work->motion[i].arm);
        work->force[link->parent].l += passed.l;
        work->force[link->parent].a += passed.a;
    }
}

void hwForest_ComputeEfforts(const hwForest* forest, const hwWideSym* inertia, const hwWideSpatial* wrench,
                             hwForestWork* work, double* efforts) {
    for (int i = 0; i < forest->linkCount; ++i) {
        if (hwForestWork_Skips(work, i)) continue;
        hwWideSpatial f = hwWideSym_Mul(&inertia[i], work->increment[i]);
        work->force[i].l = f.l - wrench[i].l;
        work->force[i].a = f.a - wrench[i].a;
    }
    SumForces(forest, work, efforts);
}

void hwForest_Multiply(const hwForest* forest, const hwWideSym* K, hwForestWork* work, const double* x,
                       double* y) {
    hwWideSpatial axes[6];
    work->increment[-1] = hwWideSpatial_Zero();
    for (int i = 0; i < forest->linkCount; ++i) {
        if (hwForestWork_Skips(work, i)) {
            work->increment[i] = hwWideSpatial_Zero();
            continue;
        }
        const hwLinkData* link = &forest->data[i];
        hwWideSpatial w = hwWideSpatial_MotionAt(work->increment[link->parent], work->motion[i].arm);
        hwForest_GetAxes(forest, work, i, axes);
        int count = hwJoint_CountFreedoms((hwJointType)link->joint);
        for (int k = 0; k < count; ++k) {
            w.l += x[link->freedom + k] * axes[k].l;
            w.a += x[link->freedom + k] * axes[k].a;
        }
        work->increment[i] = w;
        work->force[i] = hwWideSym_Mul(&K[i], w);
    }
    SumForces(forest, work, y);
}

void hwForest_AddForces(const hwForest* forest, hwForestWork* work, const hwWideSpatial* force, double* y) {
    memcpy(work->force, force, (size_t)forest->linkCount * sizeof(hwWideSpatial));
    SumForces(forest, work, work->reduced);
    for (int i = 0; i < forest->freedomCount; ++i) y[i] += work->reduced[i];
}

void hwForest_ComputeMatrix(const hwForest* forest, const hwWideSym* inertia, const hwForestWork* work,
                            hwWideSym* composite, double* matrix) {
    int n = forest->freedomCount;
    memset(matrix, 0, (size_t)n * (size_t)n * sizeof(double));
    memcpy(composite, inertia, (size_t)forest->linkCount * sizeof(hwWideSym));
    for (int i = forest->linkCount - 1; i >= 0; --i) {
        const hwLinkData* link = &forest->data[i];
        hwWideSpatial axes[6];
        hwForest_GetAxes(forest, work, i, axes);
        int count = hwJoint_CountFreedoms((hwJointType)link->joint);
        for (int k = 0; k < count; ++k) {
            hwWideSpatial f = hwWideSym_Mul(&composite[i], axes[k]);
            for (int j = i; j >= 0; j = forest->data[j].parent) {
                double entries[6];
                ProjectForce(forest, work, j, f, entries);
                int otherCount = hwJoint_CountFreedoms((hwJointType)forest->data[j].joint);
                for (int m = 0; m < otherCount; ++m) {
                    int row = link->freedom + k, column = forest->data[j].freedom + m;
                    matrix[row * n + column] = matrix[column * n + row] = entries[m];
                }
                f = hwWideSpatial_ForceFrom(f, work->motion[j].arm);
            }
        }
        if (link->parent >= 0)
            hwWideSym_AddFrom(&composite[link->parent], &composite[i], work->motion[i].arm);
    }
}
