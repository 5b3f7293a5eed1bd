// Random forests for tests: any shape, all joint types, random inertia with added mass, random state.
#ifndef HW_TEST_RANDOM_FOREST_H
#define HW_TEST_RANDOM_FOREST_H

#include "base/random.h"
#include "mech/coupling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Sample {
    hwForest forest;
    hwForestWork work;
    hwDrive* drives;
    double *q, *v, *vdot, *efforts, *other;
    hwWideSym *inertia, *composite;
    hwWideSpatial* wrench;
    void *block, *workBlock;
} Sample;

static inline hwVec3 RandomVec3(hwRandom* r, double size) {
    hwVec3 v = {hwRandom_Range(r, -size, size), hwRandom_Range(r, -size, size),
                hwRandom_Range(r, -size, size)};
    return v;
}

static inline hwQuat RandomQuat(hwRandom* r) {
    hwVec3 v = RandomVec3(r, 1.0);
    hwQuat q = {hwRandom_Range(r, -1.0, 1.0), v.x, v.y, v.z};
    return hwNormalizeQuat(q);
}

// Positive definite, with a spread of principal moments of about a hundred.
static inline hwSym3 RandomInertia(hwRandom* r) {
    hwSym3 s = {
        hwRandom_Range(r, 0.02, 2.0), hwRandom_Range(r, 0.02, 2.0), hwRandom_Range(r, 0.02, 2.0), 0, 0, 0};
    return hwRotateSym3(hwMat3FromQuat(RandomQuat(r)), s);
}

// Any positive semidefinite 6x6: the sum of a few squares.
static inline hwSpatialSym RandomSquares(hwRandom* r, int count, double size) {
    hwSpatialSym sum;
    memset(&sum, 0, sizeof(sum));
    for (int k = 0; k < count; ++k) {
        double x[6], m[36];
        for (int i = 0; i < 6; ++i) x[i] = hwRandom_Range(r, -size, size);
        for (int i = 0; i < 36; ++i) m[i] = x[i / 6] * x[i % 6];
        hwSpatialSym square = hwSpatialSymFromArray(m);
        sum = hwAddSpatialSym(&sum, &square);
    }
    return sum;
}

static inline hwLink RandomLink(hwRandom* r, int index, bool rooted) {
    static const hwJointType joints[] = {HW_LINK_REVOLUTE,  HW_LINK_REVOLUTE,  HW_LINK_REVOLUTE,
                                         HW_LINK_PRISMATIC, HW_LINK_PRISMATIC, HW_LINK_BALL,
                                         HW_LINK_BALL,      HW_LINK_FIXED,     HW_LINK_FREE};
    hwLink link = {.parent = -1, .mass = hwRandom_Range(r, 0.5, 5.0)};
    link.joint = joints[hwRandom_Next(r) % (sizeof(joints) / sizeof(joints[0]))];
    if (index > 0 && !rooted && hwRandom_Uniform(r) < 0.9) {
        // mostly a recent link, so that trees become deep
        int back = 1 + (int)(hwRandom_Uniform(r) * hwRandom_Uniform(r) * 6.0);
        link.parent = index - back < 0 ? 0 : index - back;
        if (link.joint == HW_LINK_FREE && hwRandom_Uniform(r) < 0.7) link.joint = HW_LINK_BALL;
    } else {
        double kind = hwRandom_Uniform(r);
        if (kind < 0.4) link.joint = HW_LINK_FREE;
        if (kind > 0.9) link.joint = HW_LINK_DRIVEN;
    }
    link.tree.R = hwMat3FromQuat(RandomQuat(r));
    link.tree.r = RandomVec3(r, 1.0);
    link.axis = hwRandom_Uniform(r) < 0.5 ? hwMakeVec3(0.0, 0.0, 1.0) : hwNormalize(RandomVec3(r, 1.0));
    link.com = RandomVec3(r, 0.5);
    link.inertia = RandomInertia(r);
    return link;
}

static inline hwDrive RandomDrive(hwRandom* r) {
    hwDrive drive = {.placement = {hwMat3FromQuat(RandomQuat(r)), RandomVec3(r, 2.0)},
                     .velocity = {RandomVec3(r, 1.0), RandomVec3(r, 1.0)},
                     .acceleration = {RandomVec3(r, 1.0), RandomVec3(r, 1.0)}};
    return drive;
}

static inline void LaySample(Sample* s, hwArena* arena) {
    hwForest_Take(&s->forest, arena);
    s->drives = HW_TAKE(arena, hwDrive, s->forest.linkCount);
    s->inertia = HW_TAKE(arena, hwWideSym, s->forest.linkCount);
    s->composite = HW_TAKE(arena, hwWideSym, s->forest.linkCount);
    s->wrench = HW_TAKE(arena, hwWideSpatial, s->forest.linkCount);
    int most = 7 * s->forest.linkCount;
    double** arrays[] = {&s->q, &s->v, &s->vdot, &s->efforts, &s->other};
    for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); ++i) *arrays[i] = HW_TAKE(arena, double, most);
}

static inline void MakeSampleFrom(Sample* s, const hwLink* links, int count) {
    hwAllocator allocator = hwDefaultAllocator();
    memset(s, 0, sizeof(*s));
    s->forest.linkCount = count;
    hwArena arena = {0};
    LaySample(s, &arena);
    arena.base = s->block = hwAllocate(&allocator, arena.used);
    arena.used = 0;
    LaySample(s, &arena);
    memcpy(s->forest.links, links, (size_t)count * sizeof(hwLink));
    hwForest_Compile(&s->forest);
    hwArena work = {0};
    hwForest_TakeWork(&s->forest, &work, &s->work);
    work.base = s->workBlock = hwAllocate(&allocator, work.used);
    work.used = 0;
    hwForest_TakeWork(&s->forest, &work, &s->work);
    hwForest_StartWork(&s->work);
}

// Random coordinates, velocities and drives; kinematics and rigid inertia computed, added mass and wrenches on top.
static inline void RandomState(Sample* s, hwRandom* r, double addedMass) {
    for (int i = 0; i < s->forest.linkCount; ++i) {
        const hwLink* link = &s->forest.links[i];
        int first = link->joint == HW_LINK_FREE ? 3 : 0;
        double* q = s->q + link->coordinate;
        for (int k = 0; k < hwJoint_CountCoordinates(link->joint); ++k) q[k] = hwRandom_Range(r, -3.0, 3.0);
        if (link->joint == HW_LINK_BALL || link->joint == HW_LINK_FREE) {
            hwQuat quat = RandomQuat(r);
            q[first] = quat.w, q[first + 1] = quat.x, q[first + 2] = quat.y, q[first + 3] = quat.z;
        }
        s->drives[i] = RandomDrive(r);
    }
    for (int i = 0; i < s->forest.freedomCount; ++i) {
        s->v[i] = hwRandom_Range(r, -1.0, 1.0);
        s->vdot[i] = hwRandom_Range(r, -1.0, 1.0);
        s->efforts[i] = hwRandom_Range(r, -1.0, 1.0);
    }
    hwForest_ComputeRigidMotion(&s->forest, s->q, s->v, s->drives, 9.81, &s->work, s->inertia, s->wrench);
    for (int i = 0; i < s->forest.linkCount; ++i) {
        if (addedMass > 0.0) {
            hwSpatialSym added = RandomSquares(r, 4, addedMass);
            hwWideSym turned = hwWideSym_FromLink(&added, &s->work.motion[i].R);
            hwWideSym_Add(&s->inertia[i], &turned);
        }
        s->wrench[i].l += hwWide_FromVec3(RandomVec3(r, 5.0));
        s->wrench[i].a += hwWide_FromVec3(RandomVec3(r, 5.0));
    }
}

static inline void MakeSample(Sample* s, hwRandom* r, int count, double addedMass) {
    hwLink* links = malloc((size_t)count * sizeof(hwLink));
    for (int i = 0; i < count; ++i) links[i] = RandomLink(r, i, false);
    MakeSampleFrom(s, links, count);
    free(links);
    RandomState(s, r, addedMass);
}

static inline void FreeSample(Sample* s) {
    hwAllocator allocator = hwDefaultAllocator();
    hwRelease(&allocator, s->block);
    hwRelease(&allocator, s->workBlock);
}

// Dense matrices ------------------------------------------------------------------------------------------------------------

static inline void ToArray(hwWideSpatial s, double out[6]) {
    hwSpatialToArray(hwWideSpatial_To(s), out);
}

// Row-major 6 x freedoms: motion of link i by the generalised velocities, from the motion axes of its ancestors.
static inline void DenseJacobian(const Sample* s, int i, double* J) {
    int n = s->forest.freedomCount;
    memset(J, 0, (size_t)(6 * n) * sizeof(double));
    hwVec3 at = hwWide_ToVec3(s->work.motion[i].p);
    for (int j = i; j >= 0; j = s->forest.links[j].parent) {
        hwWideSpatial axes[6];
        hwForest_GetAxes(&s->forest, &s->work, j, axes);
        hwVec3 arm = hwSub(at, hwWide_ToVec3(s->work.motion[j].p));
        for (int k = 0; k < hwJoint_CountFreedoms(s->forest.links[j].joint); ++k) {
            hwSpatial axis = hwWideSpatial_To(axes[k]);
            axis.l = hwAdd(axis.l, hwCross(axis.a, arm));
            double column[6];
            hwSpatialToArray(axis, column);
            for (int m = 0; m < 6; ++m) J[m * n + s->forest.links[j].freedom + k] = column[m];
        }
    }
}

static inline void BlockToArray(const hwWideBlock* b, double m[36]) {
    const hwWideMat* parts[2][2] = {{&b->ll, &b->la}, {&b->al, &b->aa}};
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) {
            const hwWideMat* part = parts[i / 3][j / 3];
            hwWide column = j % 3 == 0 ? part->x : (j % 3 == 1 ? part->y : part->z);
            m[6 * i + j] = column[i % 3];
        }
    }
}

static inline void SymToArray(const hwWideSym* k, double m[36]) {
    hwWideBlock b = {k->ll, k->la, hwWideMat_Transpose(&k->la), k->aa};
    BlockToArray(&b, m);
}

// A += Ji^T K Jj, and its transpose when `both`.
static inline void AddDense(const Sample* s, int i, int j, const double K[36], bool both, double* A) {
    int n = s->forest.freedomCount;
    double* Ji = malloc((size_t)(6 * n) * sizeof(double));
    double* Jj = malloc((size_t)(6 * n) * sizeof(double));
    DenseJacobian(s, i, Ji);
    DenseJacobian(s, j, Jj);
    for (int r = 0; r < n; ++r) {
        for (int c = 0; c < n; ++c) {
            double sum = 0.0;
            for (int a = 0; a < 6; ++a) {
                for (int b = 0; b < 6; ++b) sum += Ji[a * n + r] * K[6 * a + b] * Jj[b * n + c];
            }
            A[r * n + c] += sum;
            if (both) A[c * n + r] += sum;
        }
    }
    free(Ji);
    free(Jj);
}

#endif
