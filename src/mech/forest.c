// Layout of forests, and what coordinates do.
#include "mech/forest.h"

#include "mech/coupling.h"

#include <string.h>

int hwJoint_CountFreedoms(hwJointType joint) {
    static const signed char counts[] = {0, 1, 1, 3, 6, 0};
    return counts[joint];
}

int hwJoint_CountCoordinates(hwJointType joint) {
    static const signed char counts[] = {0, 1, 1, 4, 7, 0};
    return counts[joint];
}

// Layout -----------------------------------------------------------------------------------------------------------------

void hwForest_Take(hwForest* forest, hwArena* arena) {
    forest->links = HW_TAKE(arena, hwLink, forest->linkCount);
    forest->data = HW_TAKE(arena, hwLinkData, forest->linkCount);
    forest->back = HW_TAKE(arena, hwWideMat, forest->linkCount);
}

static hwMat3 IdentityMat3(void) {
    hwMat3 m = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    return m;
}

// Axes with z along `axis`.
static hwMat3 FrameAbout(hwVec3 axis) {
    if (axis.x == 0.0 && axis.y == 0.0 && axis.z == 1.0) return IdentityMat3();
    hwVec3 side = hwPerpendicular(axis);
    hwMat3 m = {side, hwCross(axis, side), axis};
    return m;
}

static void CompileLink(hwForest* forest, int i) {
    const hwLink* link = &forest->links[i];
    hwLinkData* data = &forest->data[i];
    bool hasAxis = link->joint == HW_LINK_REVOLUTE || link->joint == HW_LINK_PRISMATIC;
    hwMat3 frame = hasAxis ? FrameAbout(hwNormalize(link->axis)) : IdentityMat3();
    hwMat3 back = hwTransposeMat3(frame);
    data->tree = hwWideMat_FromMat3(hwMulMM(link->tree.R, frame));
    forest->back[i] = hwWideMat_FromMat3(back);
    data->turned = hasAxis && !(back.cz.z == 1.0);
    data->position = hwWide_FromVec3(link->tree.r);
    data->mass = link->mass;
    data->moment = hwWide_FromVec3(hwScale(link->mass, link->com));
    data->inertia = hwWideMat_FromSym3(hwRigidInertia(link->mass, link->com, link->inertia).aa);
    data->parent = link->parent;
    data->joint = (short)link->joint;
    data->coordinate = link->coordinate;
    data->freedom = link->freedom;
    data->angle = link->joint == HW_LINK_REVOLUTE ? forest->revoluteCount++ : 0;
    data->grounded =
        hwJoint_CountFreedoms(link->joint) == 0 && (link->parent < 0 || forest->data[link->parent].grounded);
}

void hwForest_Compile(hwForest* forest) {
    forest->coordinateCount = forest->freedomCount = forest->revoluteCount = 0;
    for (int i = 0; i < forest->linkCount; ++i) {
        forest->links[i].coordinate = forest->coordinateCount;
        forest->links[i].freedom = forest->freedomCount;
        forest->coordinateCount += hwJoint_CountCoordinates(forest->links[i].joint);
        forest->freedomCount += hwJoint_CountFreedoms(forest->links[i].joint);
        CompileLink(forest, i);
    }
    for (int i = 0; i < forest->linkCount; ++i) forest->data[i].leaf = true;
    for (int i = forest->linkCount - 1; i >= 0; --i) {
        int parent = forest->data[i].parent;
        forest->data[i].opens = parent >= 0 && forest->data[parent].leaf;
        if (parent >= 0) forest->data[parent].leaf = false;
    }
}

void hwForest_TakeWork(const hwForest* forest, hwArena* arena, hwForestWork* work) {
    int links = forest->linkCount + 1, freedoms = forest->freedomCount;
    struct hwCouplings* couplings = work->couplings;
    work->motion = HW_TAKE(arena, hwLinkMotion, links);
    work->a = HW_TAKE(arena, hwWideSpatial, links);
    work->force = HW_TAKE(arena, hwWideSpatial, links);
    work->articulated = HW_TAKE(arena, hwWideSym, links);
    work->increment = HW_TAKE(arena, hwWideSpatial, links);
    work->U = HW_TAKE(arena, hwWideSpatial, freedoms);
    work->pivots = HW_TAKE(arena, double, freedoms);
    work->lower = HW_TAKE(arena, double, 6 * freedoms);
    work->reduced = HW_TAKE(arena, double, freedoms);
    work->angles = HW_TAKE(arena, double, forest->revoluteCount);
    work->sines = HW_TAKE(arena, double, forest->revoluteCount);
    work->cosines = HW_TAKE(arena, double, forest->revoluteCount);
    work->couplings = couplings;
    if (arena->base == NULL) return;
    work->motion += 1;
    work->a += 1;
    work->force += 1;
    work->articulated += 1;
    work->increment += 1;
}

void hwForest_StartWork(hwForestWork* work) {
    memset(&work->motion[-1], 0, sizeof(hwLinkMotion));
    work->motion[-1].R = hwWideMat_FromMat3(IdentityMat3());
    work->a[-1] = work->increment[-1] = hwWideSpatial_Zero();
}

// Coordinates --------------------------------------------------------------------------------------------------------------

static hwQuat ReadQuat(const double* q) {
    hwQuat quat = {q[0], q[1], q[2], q[3]};
    return hwNormalizeQuat(quat);
}

static void WriteQuat(double* q, hwQuat quat) {
    q[0] = quat.w, q[1] = quat.x, q[2] = quat.y, q[3] = quat.z;
}

static void TurnQuat(const double* from, const double* d, double* to) {
    hwQuat turn = hwQuatFromRotationVector(hwMakeVec3(d[0], d[1], d[2]));
    WriteQuat(to, hwNormalizeQuat(hwMulQuat(ReadQuat(from), turn)));
}

void hwLink_Displace(const hwLink* link, const double* from, const double* d, double* to) {
    switch (link->joint) {
    case HW_LINK_REVOLUTE:
    case HW_LINK_PRISMATIC:
        to[0] = from[0] + d[0];
        break;
    case HW_LINK_BALL:
        TurnQuat(from, d, to);
        break;
    case HW_LINK_FREE:
        for (int k = 0; k < 3; ++k) to[k] = from[k] + d[k];
        TurnQuat(from + 3, d + 3, to + 3);
        break;
    case HW_LINK_FIXED:
    case HW_LINK_DRIVEN:
        break;
    }
}

void hwForest_Displace(const hwForest* forest, const double* q0, const double* delta, double* q) {
    for (int i = 0; i < forest->linkCount; ++i) {
        const hwLink* link = &forest->links[i];
        hwLink_Displace(link, q0 + link->coordinate, delta + link->freedom, q + link->coordinate);
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
        case HW_LINK_PRISMATIC:
            rate[0] = w[0];
            break;
        case HW_LINK_BALL:
            QuatRate(from, w, rate);
            break;
        case HW_LINK_FREE:
            for (int k = 0; k < 3; ++k) rate[k] = w[k];
            QuatRate(from + 3, w + 3, rate + 3);
            break;
        case HW_LINK_FIXED:
        case HW_LINK_DRIVEN:
            break;
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
        case HW_LINK_PRISMATIC:
            w[0] = change[0];
            break;
        case HW_LINK_BALL:
            QuatTangent(from, change, w);
            break;
        case HW_LINK_FREE:
            for (int k = 0; k < 3; ++k) w[k] = change[k];
            QuatTangent(from + 3, change + 3, w + 3);
            break;
        case HW_LINK_FIXED:
        case HW_LINK_DRIVEN:
            break;
        }
    }
}
