// The force between two bodies that touch and its matrices, in plain numbers.
#include "contact/pair.h"

#include <math.h>
#include <string.h>

// Largest distance of the centre of pressure from the centroid, in radii of gyration of the area: sqrt 3 for a
// rectangle's edge, 2 for a disc's.
#define EDGE 1.7320508075688772

// Motion of a against b as seen at a point.
static hwSpatial GetMotionAt(const hwContactPair* pair, hwVec3 point) {
    hwWide x = hwWide_FromVec3(point);
    hwWideSpatial v = hwWideSpatial_MotionAt(*pair->a.v, x - *pair->a.p);
    if (!pair->alone) {
        hwWideSpatial w = hwWideSpatial_MotionAt(*pair->b.v, x - *pair->b.p);
        v.l -= w.l;
        v.a -= w.a;
    }
    return hwWideSpatial_To(v);
}

static hwWideSym Widen(const hwSpatialSym* m) {
    hwWideSym w = {hwWideMat_FromSym3(m->ll), hwWideMat_FromMat3(m->la), hwWideMat_FromSym3(m->aa)};
    return w;
}

static hwWideSym Scale(const hwWideSym* m, double s) {
    hwWideSym w = {{s * m->ll.x, s * m->ll.y, s * m->ll.z},
                   {s * m->la.x, s * m->la.y, s * m->la.z},
                   {s * m->aa.x, s * m->aa.y, s * m->aa.z}};
    return w;
}

// Matrices about a point.
static void AddMatrices(hwContactPair* pair, const hwWideSym* damping, const hwWideSym* stiffness,
                        hwVec3 point) {
    hwWide arm = hwWide_FromVec3(point) - *pair->a.p;
    if (pair->result->whole) {
        hwWideSym sum = Scale(stiffness, pair->hd);
        hwWideSym_Add(&sum, damping);
        hwWideSym_AddFrom(&pair->result->dampingMatrix, &sum, arm);
        return;
    }
    hwWideSym_AddFrom(&pair->result->dampingMatrix, damping, arm);
    hwWideSym_AddFrom(&pair->result->stiffnessMatrix, stiffness, arm);
}

// A force and torque on a at a point.
static void AddForce(hwContactPair* pair, hwVec3 force, hwVec3 torque, hwVec3 point) {
    hwWideSpatial f = {hwWide_FromVec3(force), hwWide_FromVec3(torque)};
    f = hwWideSpatial_ForceFrom(f, hwWide_FromVec3(point) - *pair->a.p);
    pair->result->wrench.l += f.l;
    pair->result->wrench.a += f.a;
}

// Dashpots act all over the area and so against rocking too; like the whole force, no part of them pulls, so that their
// torque is at most what the force gives at the edge.
static hwVec3 GetDashpotTorque(const hwPatch* patch, const hwSpatialSym* m, hwSpatial motion, double byRate,
                               double size) {
    hwVec3 torque = hwAdd(hwMulTV(m->la, motion.l), hwMulSym3(m->aa, motion.a));
    torque = hwScale(-byRate, torque);
    double gyration = sqrt((patch->second.xx + patch->second.yy + patch->second.zz) / patch->area);
    double length = hwLength(torque), most = EDGE * gyration * size;
    return length > most ? hwScale(most / length, torque) : torque;
}

void hwContactPair_AddPatch(hwContactPair* pair, const hwPatch* patch, double volume, bool atSurface) {
    hwContactResult* result = pair->result;
    if (!result->touches) {
        memset(&result->dampingMatrix, 0, sizeof(hwWideSym));
        result->whole = pair->hd > 0.0;
        if (!result->whole) memset(&result->stiffnessMatrix, 0, sizeof(hwWideSym));
        result->wrench = hwWideSpatial_Zero();
        result->pressing = hwWideSpatial_Zero();
        result->power = 0.0;
    }
    const hwContactLaw* law = &pair->law;
    hwVec3 point = patch->point;
    hwSpatial motion = GetMotionAt(pair, point);
    double rate = hwPatch_GetRate(patch, motion);
    hwNormalForce f = hwContactLaw_Push(law, volume, patch->area, rate);
    double size = f.elastic + f.damping;
    if (atSurface) point = hwMulAdd(point, (0.5 - law->share) * patch->volume / patch->area, patch->normal);
    hwSpatialSym m;
    hwPatch_GetMatrix(patch, &m);
    hwVec3 torque = GetDashpotTorque(patch, &m, motion, f.byRate, size);
    AddForce(pair, hwScale(-size, patch->normal), torque, point);
    hwWideSym wide = Widen(&m), damping = Scale(&wide, f.byRate), stiffness = Scale(&wide, f.byVolume);
    AddMatrices(pair, &damping, &stiffness, patch->point);
    hwWide n = (f.byRate + pair->hd * f.byVolume) * patch->area * hwWide_FromVec3(patch->normal);
    hwWide at = hwWide_FromVec3(hwAdd(patch->point, patch->offset)) - *pair->a.p;
    result->pressing.l += n;
    result->pressing.a += hwWide_Cross(at, n);
    double hard = patch->area > 0.0 ? law->hardening * volume / patch->area : 0.0;
    // where a part of the overlap does not push, the two are as deep in each other as it leaves of their height
    double stored = law->stiffness * volume * patch->height;
    if (volume < patch->volume) stored *= volume / patch->volume;
    result->stored += stored * (1.0 + hard / 1.5);
    result->swelling += 2.0 * stored * (1.0 + hard) / volume;
    result->power += f.damping * hwDot(patch->normal, motion.l) - hwDot(torque, motion.a);
    result->touches = true;
    result->elastic += f.elastic;
    result->damping += f.damping;
    pair->force += size;
    pair->area += patch->area;
    pair->rate += f.byRate * patch->area;
    // weights by volume: they are there when the force is let go, too
    pair->pointSum = hwMulAdd(pair->pointSum, patch->volume, point);
    pair->normalSum = hwMulAdd(pair->normalSum, patch->volume, patch->normal);
    hwVec3 o = patch->offset;
    pair->polar += patch->second.xx + patch->second.yy + patch->second.zz - patch->area * hwDot(o, o);
}

void hwContactPair_AddFriction(hwContactPair* pair, const double* base, bool sliding, hwRubOutput* out) {
    hwContactResult* result = pair->result;
    result->point = hwScale(1.0 / result->volume, pair->pointSum);
    result->normal = hwNormalize(pair->normalSum);
    hwSpatial motion = GetMotionAt(pair, result->point);
    hwRubInput in = {.normalForce = pair->force,
                     .stiffness = HW_SHEAR_RATIO * pair->law.stiffness * pair->area,
                     .damping = HW_SHEAR_RATIO * pair->rate,
                     .radius = pair->area > 0.0 ? 0.94 * sqrt(hwMax(pair->polar, 0.0) / pair->area) : 0.0,
                     .normal = result->normal,
                     .slip = hwMulAdd(motion.l, -hwDot(motion.l, result->normal), result->normal),
                     .turn = motion.a,
                     .sliding = sliding,
                     .hd = pair->hd,
                     .relaxes = pair->relaxes};
    hwContactLaw_Rub(&pair->law, &in, base, out);
    AddForce(pair, out->force, out->torque, result->point);
    hwSpatialSym damping, stiffness;
    memset(&damping, 0, sizeof(damping));
    memset(&stiffness, 0, sizeof(stiffness));
    damping.ll = out->damping, damping.aa = out->turnDamping;
    stiffness.ll = out->stiffness, stiffness.aa = out->turnStiffness;
    hwWideSym d = Widen(&damping), s = Widen(&stiffness);
    AddMatrices(pair, &d, &s, result->point);
    // the springs' energy, millijoules that change with the area of contact too, counts as dissipated while it is stored:
    // so the audit is exact
    result->power -= hwDot(out->force, motion.l) + hwDot(out->torque, motion.a);
    result->limited = hwDot(out->byNormal, out->byNormal) + hwDot(out->turnByNormal, out->turnByNormal) > 0.0;
    hwWideSpatial rubbing = {hwWide_FromVec3(out->byNormal), hwWide_FromVec3(out->turnByNormal)};
    result->rubbing = hwWideSpatial_ForceFrom(rubbing, hwWide_FromVec3(result->point) - *pair->a.p);
    result->slides = out->slides;
    result->speed = hwLength(in.slip);
}

void hwContactPair_FollowSprings(const hwContactPair* pair, hwWideSpatial change, double rates[HW_RUB_SIZE]) {
    const hwContactResult* result = pair->result;
    hwWide n = hwWide_FromVec3(result->normal), at = hwWide_FromVec3(result->point) - *pair->a.p;
    hwWide slip = change.l + hwWide_Cross(change.a, at);
    slip -= hwWide_Dot(slip, n) * n;
    for (int k = 0; k < HW_RUB_SIZE; ++k) rates[k] = k < 3 ? slip[k] : 0.0;
    rates[HW_RUB_SIZE - 1] = hwWide_Dot(change.a, n);
}

void hwContactPair_GetMatrix(const hwContactResult* result, double hd, hwWideSym* m) {
    *m = Scale(&result->dampingMatrix, hd);
    if (result->whole) return;
    hwWideSym stiff = Scale(&result->stiffnessMatrix, hd * hd);
    hwWideSym_Add(m, &stiff);
}

hwWideBlock hwContactPair_Couple(const hwWideSym* m, hwVec3 between) {
    hwWide arm = hwWide_FromVec3(between);
    hwWideMat la = hwWideMat_Transpose(&m->la);
    hwWideMat shift = hwWideMat_MulSkew(&m->ll, arm), turn = hwWideMat_MulSkew(&la, arm);
    hwWideBlock block = {{-m->ll.x, -m->ll.y, -m->ll.z},
                         {shift.x - m->la.x, shift.y - m->la.y, shift.z - m->la.z},
                         {-la.x, -la.y, -la.z},
                         {turn.x - m->aa.x, turn.y - m->aa.y, turn.z - m->aa.z}};
    return block;
}
