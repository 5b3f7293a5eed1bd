// Forces and matrices of the pairs in slots, at each evaluation.
#include "geom/shape_data.h"
#include "parts/contact/contact.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// Largest distance of the centre of pressure from the centroid, in radii of gyration of the area: sqrt 3 for a
// rectangle's edge, 2 for a disc's.
#define EDGE 1.7320508075688772

// Of a surface between two parts, of their sizes: what is farther apart than that is apart whatever the rounding.
#define CLEARLY_APART 1e-12

// Fewer slots than this, a few tens of microseconds, are not worth a thread.
#define LEAST_PIECE 16

// Most parts are in several pairs.
static hwPose MakePose(const hwWorld* world, int index) {
    const hwContactPart* part = &world->model.contact->parts[index];
    const hwLinkMotion* m = &world->work->forest.motion[part->link];
    hwPose pose = {hwWide_ToVec3(m->p), hwQuatFromMat3(hwWideMat_ToMat3(&m->R))};
    return hwMulPose(pose, part->place);
}

static hwPose GetPose(const hwWorld* world, int index) {
    hwContactWork* work = world->work->contact;
    if (work->poseNumber[index] == work->evaluation) return work->poses[index];
    work->poses[index] = MakePose(world, index);
    work->poseNumber[index] = work->evaluation;
    return work->poses[index];
}

// One pair while it is evaluated.
typedef struct Touch {
    const hwWorld* world;
    const hwContactPart *a, *b;        // b: null for the ground
    const hwLinkMotion *linkA, *linkB; // linkB: null for the ground
    hwPose poseA, poseB;
    hwContactLaw law;
    hwPatchTools tools;
    hwVec3 (*triangles)[3];
    int slot;
    double hd;      // s
    double leftOut; // m3, see hwContactSlot
    bool damped;    // they began in each other and have not come apart yet
    hwContactResult* result;
    // sums over the patches
    double force, area, rate; // N, m2, N s/m
    hwVec3 pointSum, normalSum;
    double polar; // m4, of the area about the patches' own centres
} Touch;

// Motion of a against b as seen at a point.
static hwSpatial GetMotion(const Touch* t, hwVec3 point) {
    hwWide x = hwWide_FromVec3(point);
    hwWideSpatial v = hwWideSpatial_MotionAt(t->linkA->v, x - t->linkA->p);
    if (t->linkB != NULL) {
        hwWideSpatial w = hwWideSpatial_MotionAt(t->linkB->v, x - t->linkB->p);
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
static void AddMatrices(Touch* t, const hwWideSym* damping, const hwWideSym* stiffness, hwVec3 point) {
    hwWide arm = hwWide_FromVec3(point) - t->linkA->p;
    hwWideSym_AddFrom(&t->result->dampingMatrix, damping, arm);
    hwWideSym_AddFrom(&t->result->stiffnessMatrix, stiffness, arm);
}

// A force and torque on a at a point; b gets the opposite.
static void AddForce(Touch* t, hwVec3 force, hwVec3 torque, hwVec3 point) {
    hwWideSpatial f = {hwWide_FromVec3(force), hwWide_FromVec3(torque)};
    f = hwWideSpatial_ForceFrom(f, hwWide_FromVec3(point) - t->linkA->p);
    t->result->wrench.l += f.l;
    t->result->wrench.a += f.a;
}

static void NoteLoad(const Touch* t, hwWideSpatial load) {
    hwContactResult* result = t->result;
    result->force = result->load.l = hwWide_ToVec3(load.l);
    result->load.a = hwWide_ToVec3(load.a + hwWide_Cross(t->linkA->p, load.l));
}

// Load and matrices of the pair, about the origin of a, go to the links. What moves by itself does the work that they do on it.
static void Apply(const Touch* t, hwWideSpatial load) {
    hwWork* work = t->world->work;
    hwContactResult* result = t->result;
    work->wrench[t->a->link].l += load.l;
    work->wrench[t->a->link].a += load.a;
    NoteLoad(t, load);
    hwLinkTerms* terms = hwWorld_GetWorldTerms(t->world, t->a->link);
    hwWideSym_Add(&terms->worldDamping, &result->dampingMatrix);
    hwWideSym_Add(&terms->worldStiffness, &result->stiffnessMatrix);
    work->elastic += result->stored;
    work->impactPower += result->power;
    if (t->linkB == NULL) return;
    hwWide arm = t->linkA->p - t->linkB->p;
    hwWideSpatial onB = hwWideSpatial_ForceFrom(load, arm);
    if (!t->b->moves) {
        work->powers.work += hwWideSpatial_Dot(onB, t->linkB->v);
        return;
    }
    work->wrench[t->b->link].l -= onB.l;
    work->wrench[t->b->link].a -= onB.a;
    terms = hwWorld_GetWorldTerms(t->world, t->b->link);
    hwWideSym_AddFrom(&terms->worldDamping, &result->dampingMatrix, arm);
    hwWideSym_AddFrom(&terms->worldStiffness, &result->stiffnessMatrix, arm);
}

// Motion of a against b at the origin of a.
static hwWideSpatial GetMotionAtA(const Touch* t) {
    hwWideSpatial v = t->linkA->v;
    if (t->linkB == NULL) return v;
    hwWideSpatial w = hwWideSpatial_MotionAt(t->linkB->v, t->linkA->p - t->linkB->p);
    v.l -= w.l;
    v.a -= w.a;
    return v;
}

static double GetLargest(hwWide v) {
    v = hwWide_Abs(v);
    return hwMax(v[0], hwMax(v[1], v[2]));
}

// Friction's springs within their limit go with the change of the slip.
static void FollowSprings(const Touch* t, double hd, hwWideSpatial change) {
    const hwContactResult* result = t->result;
    hwWork* work = t->world->work;
    hwWide n = hwWide_FromVec3(result->normal), at = hwWide_FromVec3(result->point) - t->linkA->p;
    hwWide slip = change.l + hwWide_Cross(change.a, at);
    slip -= hwWide_Dot(slip, n) * n;
    double changes[HW_RUB_SIZE] = {slip[0], slip[1], slip[2], 0.0, 0.0, 0.0, hwWide_Dot(change.a, n)};
    int first = t->world->model.contact->auxiliary + HW_RUB_SIZE * t->slot;
    for (int k = 0; k < HW_RUB_SIZE; ++k) {
        work->zdot[first + k] += changes[k];
        work->z[first + k] += hd * changes[k];
    }
}

// The load after a change of the motion, by the matrices; friction at its limit follows the normal force. These are the forces
// with which the correction was solved for, so that the audit of a step whose last correction was not evaluated is that of its
// own forces.
static hwWideSpatial GetFollowing(const hwContactResult* result, hwWideSpatial change, double hd) {
    hwWideSpatial way = {hd * change.l, hd * change.a};
    hwWideSpatial d = hwWideSym_Mul(&result->dampingMatrix, change),
                  k = hwWideSym_Mul(&result->stiffnessMatrix, way);
    double pressed = result->limited ? hwWideSpatial_Dot(result->pressing, change) : 0.0;
    return (hwWideSpatial){result->wrench.l - d.l - k.l + pressed * result->rubbing.l,
                           result->wrench.a - d.a - k.a + pressed * result->rubbing.a};
}

// While Newton's method makes its last small corrections, most contacts need not be evaluated again: their own matrices say
// what the corrections do. False: the bodies have changed their motion by too much for that.
static bool Follow(const Touch* t, const hwEvaluation* e) {
    const hwContactResult* result = t->result;
    hwWideSpatial change = GetMotionAtA(t);
    change.l -= result->motion.l;
    change.a -= result->motion.a;
    double least = e->hd * hwEnvironment_GetDef(t->world->environment)->gravity;
    double linear = GetLargest(t->linkA->v.l), angular = GetLargest(t->linkA->v.a);
    if (t->linkB != NULL) {
        linear = hwMin(linear, GetLargest(t->linkB->v.l));
        angular = hwMin(angular, GetLargest(t->linkB->v.a));
    }
    linear = hwMax(linear, least), angular = hwMax(angular, e->hd);
    if (GetLargest(change.l) > e->follow * linear || GetLargest(change.a) > e->follow * angular) return false;
    t->result->acting = GetFollowing(result, change, e->hd);
    return true;
}

static hwContactLaw MakeLaw(const hwWorld* world, const hwContactPart* a, const hwContactPart* b) {
    const hwMaterialDef* materials = world->work->rules->materials;
    if (b != NULL)
        return hwContactLaw_Make(&materials[a->material], a->depth, &materials[b->material], b->depth);
    const hwSeabedDef* seabed = &hwEnvironment_GetDef(world->environment)->seabed;
    return hwContactLaw_MakeGround(seabed->stiffness, seabed->damping, seabed->friction,
                                   &materials[a->material]);
}

// A pair that began in each other is pushed apart without bouncing: dashpots at least critical for the lighter body.
static void Damp(Touch* t, double area) {
    const hwLink* links = t->world->model.forest.links;
    double mass = links[t->a->link].mass;
    if (t->b != NULL && t->b->moves) mass = hwMin(mass, links[t->b->link].mass);
    t->law.exponent = 1.0;
    t->law.damping = hwMax(t->law.damping, 2.0 * sqrt(t->law.stiffness * mass / area));
}

// Pressure of the beds ---------------------------------------------------------------------------------------------------

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

static void AddPatch(Touch* t, const hwPatch* patch) {
    t->result->volume += patch->volume;
    t->result->depth = hwMax(t->result->depth, patch->depth);
    double volume = patch->volume - t->leftOut;
    if (!(volume > 0.0)) return;
    if (!t->result->touches) {
        t->law = MakeLaw(t->world, t->a, t->b);
        if (t->damped) Damp(t, patch->area);
        memset(&t->result->dampingMatrix, 0, sizeof(hwWideSym));
        memset(&t->result->stiffnessMatrix, 0, sizeof(hwWideSym));
        t->result->wrench = hwWideSpatial_Zero();
        t->result->pressing = hwWideSpatial_Zero();
        t->result->power = 0.0;
    }
    hwVec3 point = patch->point;
    hwSpatial motion = GetMotion(t, point);
    double rate = hwPatch_GetRate(patch, motion);
    hwNormalForce f = hwContactLaw_Push(&t->law, volume, patch->area, rate);
    double size = f.elastic + f.damping;
    if (t->world->contact.pressureCentre) {
        point = hwMulAdd(point, (0.5 - t->law.share) * patch->volume / patch->area, patch->normal);
    }
    hwSpatialSym m;
    hwPatch_GetMatrix(patch, &m);
    hwVec3 torque = GetDashpotTorque(patch, &m, motion, f.byRate, size);
    AddForce(t, hwScale(-size, patch->normal), torque, point);
    hwWideSym wide = Widen(&m), damping = Scale(&wide, f.byRate), stiffness = Scale(&wide, f.byVolume);
    AddMatrices(t, &damping, &stiffness, patch->point);
    hwWide n = (f.byRate + t->hd * f.byVolume) * patch->area * hwWide_FromVec3(patch->normal);
    hwWide at = hwWide_FromVec3(hwAdd(patch->point, patch->offset)) - t->linkA->p;
    t->result->pressing.l += n;
    t->result->pressing.a += hwWide_Cross(at, n);
    double hard = patch->area > 0.0 ? t->law.hardening * volume / patch->area : 0.0;
    double stored = t->law.stiffness * volume * patch->height * (1.0 + hard / 1.5);
    t->result->stored += stored;
    t->result->power += f.damping * hwDot(patch->normal, motion.l) - hwDot(torque, motion.a);
    hwContactResult* result = t->result;
    result->touches = true;
    result->elastic += f.elastic;
    result->damping += f.damping;
    t->force += size;
    t->area += patch->area;
    t->rate += f.byRate * patch->area;
    // weights by volume: they are there when the force is let go, too
    t->pointSum = hwMulAdd(t->pointSum, patch->volume, point);
    t->normalSum = hwMulAdd(t->normalSum, patch->volume, patch->normal);
    hwVec3 o = patch->offset;
    t->polar += patch->second.xx + patch->second.yy + patch->second.zz - patch->area * hwDot(o, o);
}

// Friction ---------------------------------------------------------------------------------------------------------------

static void StoreSprings(hwWork* work, int first, const hwRubOutput* out) {
    memcpy(work->z + first, out->z, sizeof(out->z));
    memcpy(work->zdot + first, out->zdot, sizeof(out->zdot));
}

static void AddFriction(Touch* t, int first, const double* zBase, double hd, bool sliding) {
    hwWork* work = t->world->work;
    hwContactResult* result = t->result;
    result->point = hwScale(1.0 / result->volume, t->pointSum);
    result->normal = hwNormalize(t->normalSum);
    hwSpatial motion = GetMotion(t, result->point);
    hwRubInput in = {.normalForce = t->force,
                     .stiffness = HW_SHEAR_RATIO * t->law.stiffness * t->area,
                     .damping = HW_SHEAR_RATIO * t->rate,
                     .radius = t->area > 0.0 ? 0.94 * sqrt(hwMax(t->polar, 0.0) / t->area) : 0.0,
                     .normal = result->normal,
                     .slip = hwMulAdd(motion.l, -hwDot(motion.l, result->normal), result->normal),
                     .turn = motion.a,
                     .sliding = sliding,
                     .hd = hd};
    hwRubOutput out;
    hwContactLaw_Rub(&t->law, &in, zBase + first, &out);
    StoreSprings(work, first, &out);
    AddForce(t, out.force, out.torque, result->point);
    hwSpatialSym damping, stiffness;
    memset(&damping, 0, sizeof(damping));
    memset(&stiffness, 0, sizeof(stiffness));
    damping.ll = out.damping, damping.aa = out.turnDamping;
    stiffness.ll = out.stiffness, stiffness.aa = out.turnStiffness;
    hwWideSym d = Widen(&damping), s = Widen(&stiffness);
    AddMatrices(t, &d, &s, result->point);
    // the springs' energy, millijoules that change with the area of contact too, counts as dissipated while it is stored:
    // so the audit is exact
    result->power -= hwDot(out.force, motion.l) + hwDot(out.torque, motion.a);
    result->limited = hwDot(out.byNormal, out.byNormal) + hwDot(out.turnByNormal, out.turnByNormal) > 0.0;
    hwWideSpatial rubbing = {hwWide_FromVec3(out.byNormal), hwWide_FromVec3(out.turnByNormal)};
    result->rubbing = hwWideSpatial_ForceFrom(rubbing, hwWide_FromVec3(result->point) - t->linkA->p);
    result->slides = out.slides;
    result->speed = hwLength(in.slip);
}

// Overlaps ---------------------------------------------------------------------------------------------------------------

// Triangles in world axes: round parts take their surface as one, others each with what is below it.
static void TouchTriangles(Touch* t, const hwContactPart* part, hwPose pose, int count,
                           hwVec3 (*triangles)[3], const hwVec3* down, bool swapped) {
    hwPatch patch;
    if (hwSolidPart_IsRound(&part->solid)) {
        if (!hwPatch_OnTriangles(&part->solid, pose, count, (const hwVec3(*)[3])triangles, &patch)) return;
        if (swapped) patch.normal = hwNeg(patch.normal);
        AddPatch(t, &patch);
        return;
    }
    double deep = 2.0 * part->reach;
    for (int k = 0; k < count; ++k) {
        const hwVec3* c = triangles[k];
        hwVec3 way = down != NULL ? *down : hwNeg(hwNormalize(hwCross(hwSub(c[1], c[0]), hwSub(c[2], c[0]))));
        if (!hwPatch_OnTriangle(&part->solid, pose, c, way, down != NULL ? 50.0 * deep : deep, t->tools,
                                &patch))
            continue;
        if (swapped) patch.normal = hwNeg(patch.normal);
        AddPatch(t, &patch);
    }
}

static void TouchMesh(Touch* t) {
    bool swapped = t->a->mesh != NULL; // the mesh is a, which the convex part touches
    const hwContactPart *mesh = swapped ? t->a : t->b, *part = swapped ? t->b : t->a;
    hwPose meshPose = swapped ? t->poseA : t->poseB, pose = swapped ? t->poseB : t->poseA;
    hwPose local = {hwInvTransformPoint(meshPose, pose.p), hwMulQuat(hwConjugate(meshPose.q), pose.q)};
    int found[HW_CONTACT_TRIANGLES];
    hwBox box = hwConvex_GetBounds(&part->solid.convex, local);
    int count = hwMesh_FindInBox(mesh->mesh, box, found, HW_CONTACT_TRIANGLES);
    if (count > HW_CONTACT_TRIANGLES) count = HW_CONTACT_TRIANGLES;
    hwVec3(*triangles)[3] = t->triangles;
    for (int k = 0; k < count; ++k) {
        for (int c = 0; c < 3; ++c) {
            triangles[k][c] =
                hwTransformPoint(meshPose, mesh->mesh->vertices[mesh->mesh->triangles[found[k]][c]]);
        }
    }
    TouchTriangles(t, part, pose, count, triangles, NULL, swapped);
}

static void AddTriangle(hwVec3 (*triangles)[3], int* count, hwVec3 a, hwVec3 b, hwVec3 c) {
    if (*count == HW_CONTACT_TRIANGLES) return;
    bool up = hwCross(hwSub(b, a), hwSub(c, a)).z >= 0.0;
    triangles[*count][0] = a;
    triangles[*count][1] = up ? b : c;
    triangles[*count][2] = up ? c : b;
    *count += 1;
}

static double Height(const hwSeabedDef* seabed, int i, int j) {
    i = i < 0 ? 0 : (i >= seabed->columns ? seabed->columns - 1 : i);
    j = j < 0 ? 0 : (j >= seabed->rows ? seabed->rows - 1 : j);
    return seabed->origin.z + seabed->heights[j * seabed->columns + i];
}

// Cells below the box, as hwCreateHeightfield splits them; beyond the border the height goes on.
static int ListCells(const hwSeabedDef* seabed, const hwBox* box, hwVec3 (*triangles)[3]) {
    double d = seabed->spacing;
    int i0 = (int)floor((box->low.x - seabed->origin.x) / d),
        i1 = (int)floor((box->high.x - seabed->origin.x) / d);
    int j0 = (int)floor((box->low.y - seabed->origin.y) / d),
        j1 = (int)floor((box->high.y - seabed->origin.y) / d);
    int count = 0;
    for (int j = j0; j <= j1; ++j) {
        for (int i = i0; i <= i1 && count < HW_CONTACT_TRIANGLES; ++i) {
            double x = seabed->origin.x + d * i, y = seabed->origin.y + d * j;
            double h[4] = {Height(seabed, i, j), Height(seabed, i + 1, j), Height(seabed, i + 1, j + 1),
                           Height(seabed, i, j + 1)};
            if (hwMax(hwMax(h[0], h[1]), hwMax(h[2], h[3])) < box->low.z) continue;
            hwVec3 p[4] = {{x, y, h[0]}, {x + d, y, h[1]}, {x + d, y + d, h[2]}, {x, y + d, h[3]}};
            AddTriangle(triangles, &count, p[0], p[1], p[2]);
            AddTriangle(triangles, &count, p[0], p[2], p[3]);
        }
    }
    return count;
}

static int ListGround(const hwWorld* world, const hwBox* box, hwVec3 (*triangles)[3]) {
    const hwSeabedDef* seabed = &hwEnvironment_GetDef(world->environment)->seabed;
    if (seabed->kind == HW_SEABED_HEIGHTFIELD) return ListCells(seabed, box, triangles);
    const hwMeshTree* tree = world->model.contact->ground;
    int found[HW_CONTACT_TRIANGLES], count = 0;
    hwBox column = *box;
    column.high.z = HUGE_VAL; // what lies above the body is ground that it is under
    int total = hwMesh_FindInBox(tree, column, found, HW_CONTACT_TRIANGLES);
    if (total > HW_CONTACT_TRIANGLES) total = HW_CONTACT_TRIANGLES;
    for (int k = 0; k < total; ++k) {
        const int* v = tree->triangles[found[k]];
        hwVec3 a = tree->vertices[v[0]], b = tree->vertices[v[1]], c = tree->vertices[v[2]];
        // vertical ones cover no ground
        if (fabs(hwNormalize(hwCross(hwSub(b, a), hwSub(c, a))).z) > 1e-3)
            AddTriangle(triangles, &count, a, b, c);
    }
    return count;
}

// The ground under a part that has sunk in whole presses no harder the deeper it is, by the volume law, and too heavy a
// part would fall for ever. From where its frame's origin is deeper than its reach on, whichever way it is turned, a column
// of ground as wide as the part bears it too.
static void AddBurial(Touch* t) {
    hwVec3 at = t->poseA.p, up;
    at.z = hwEnvironment_GetSeabed(t->world->environment, at.x, at.y, &up);
    double depth = up.z * (at.z - t->poseA.p.z) - t->a->reach;
    if (!(depth > 0.0)) return;
    double across = hwCbrt(hwShape_GetMassProperties(&t->a->solid.shape).volume), area = across * across;
    double spread = area * across * across / 12.0;
    hwPatch column = {.volume = area * depth,
                      .point = t->poseA.p,
                      .normal = hwNeg(up),
                      .area = area,
                      .second = {spread * (1.0 - up.x * up.x), spread * (1.0 - up.y * up.y),
                                 spread * (1.0 - up.z * up.z), -spread * up.x * up.y, -spread * up.x * up.z,
                                 -spread * up.y * up.z},
                      .depth = depth,
                      .height = 0.5 * depth};
    AddPatch(t, &column);
}

static void TouchGround(Touch* t) {
    static const hwVec3 down = {0.0, 0.0, -1.0};
    const hwWorld* world = t->world;
    const hwSeabedDef* seabed = &hwEnvironment_GetDef(world->environment)->seabed;
    if (seabed->kind == HW_SEABED_PLANE) {
        hwVec3 at = t->poseA.p, up;
        at.z = hwEnvironment_GetSeabed(world->environment, at.x, at.y, &up);
        hwPatch patch;
        if (hwPatch_OnPlane(&t->a->solid, t->poseA, at, up, &patch)) AddPatch(t, &patch);
        AddBurial(t);
        return;
    }
    if (t->a->mesh != NULL) return;
    hwBox box = hwConvex_GetBounds(&t->a->solid.convex, t->poseA);
    hwVec3(*triangles)[3] = t->triangles;
    int count = ListGround(world, &box, triangles);
    TouchTriangles(t, t->a, t->poseA, count, triangles, &down, false);
    AddBurial(t);
}

// Whether the direction that parted two convex parts before still does.
static bool StayApart(const Touch* t) {
    hwVec3 n = t->result->apart;
    if (hwDot(n, n) == 0.0) return false;
    double gap = hwDot(n, hwSub(t->poseB.p, t->poseA.p)) - hwSolidPart_GetSupport(&t->a->solid, t->poseA, n) -
                 hwSolidPart_GetSupport(&t->b->solid, t->poseB, hwNeg(n));
    return gap > CLEARLY_APART * (t->a->reach + t->b->reach);
}

static void TouchConvex(Touch* t) {
    if (StayApart(t)) return;
    hwPatch patch;
    if (hwPatch_Between(&t->a->solid, t->poseA, &t->b->solid, t->poseB, NULL, t->tools, &patch)) {
        AddPatch(t, &patch);
        return;
    }
    hwClosest closest =
        hwConvex_FindClosest(&t->a->solid.convex, t->poseA, &t->b->solid.convex, t->poseB, NULL);
    t->result->apart = closest.distance > 0.0 ? closest.normal : hwVec3_zero;
}

// The state knows it at its own time.
static double GetLeftOut(const hwWorld* world, const hwContactSlot* slot, double time) {
    if (!(slot->leftOut > 0.0)) return 0.0;
    double since = hwMax(time - world->state.header->time, 0.0);
    return hwMax(slot->leftOut - since * slot->fading, 0.0);
}

// The slots of one evaluation, in pieces.
typedef struct Job {
    const hwWorld* world;
    const hwEvaluation* evaluation;
    int chunk;  // slots of a piece
    bool alone; // one piece, of one thread: poses are kept for other slots, loads go to the links at once
} Job;

static Touch StartTouch(const hwWorld* world, int index, double hd) {
    const hwContactModel* contact = world->model.contact;
    const hwContactSlot* slot = &world->state.contact->slots[index];
    const hwWork* work = world->work;
    Touch t = {.world = world,
               .a = &contact->parts[slot->a],
               .slot = index,
               .hd = hd,
               .result = &work->contact->touches[index]};
    t.linkA = &work->forest.motion[t.a->link];
    if (slot->b < 0) return t;
    t.b = &contact->parts[slot->b];
    t.linkB = &work->forest.motion[t.b->link];
    return t;
}

// Writes nothing but what belongs to the slot.
static void EvaluateSlot(const Job* job, int index, int piece, Touch* t) {
    const hwWorld* world = job->world;
    const hwEvaluation* e = job->evaluation;
    const hwContactModel* contact = world->model.contact;
    const hwContactSlot* slot = &world->state.contact->slots[index];
    hwWork* work = world->work;
    hwContactResult* result = t->result;
    int first = contact->auxiliary + HW_RUB_SIZE * index;
    t->leftOut = GetLeftOut(world, slot, e->time);
    t->damped = slot->fading > 0.0;
    result->acts = true;
    if (e->follow > 0.0 && result->touches && Follow(t, e)) return;
    memset(result, 0, offsetof(hwContactResult, first));
    t->poseA = job->alone ? GetPose(world, slot->a) : MakePose(world, slot->a);
    if (slot->b >= 0) t->poseB = job->alone ? GetPose(world, slot->b) : MakePose(world, slot->b);
    t->tools = (hwPatchTools){work->contact->scratch + (size_t)piece * contact->scratch, contact->scratch};
    t->triangles = (hwVec3(*)[3])(void*)(work->contact->triangles + (size_t)piece * 3 * HW_CONTACT_TRIANGLES);
    if (t->b == NULL) {
        TouchGround(t);
    } else if (t->a->mesh != NULL || t->b->mesh != NULL) {
        TouchMesh(t);
    } else {
        TouchConvex(t);
    }
    if (result->touches && t->area > 0.0) {
        AddFriction(t, first, e->zBase, e->hd, slot->sliding != 0);
    } else {
        hwRubOutput out;
        hwContactLaw_LetGo(e->zBase + first, e->hd, &out);
        StoreSprings(work, first, &out);
    }
    result->acts = result->touches;
    if (!result->touches) return;
    result->motion = GetMotionAtA(t);
    result->acting = result->wrench;
}

static void EvaluateRange(int first, int last, void* context) {
    const Job* job = context;
    const int32_t* used = job->world->state.contact->used;
    for (int k = first; k < last; ++k) {
        Touch t = StartTouch(job->world, used[k], job->evaluation->hd);
        EvaluateSlot(job, used[k], first / job->chunk, &t);
        if (job->alone && t.result->acts) Apply(&t, t.result->acting);
    }
}

// Springs of slots that are no longer in use have zeros in the work arrays, too: these are copied to the state whole.
static void ClearSprings(const hwWorld* world) {
    hwContactWork* work = world->work->contact;
    const int32_t* used = world->state.contact->used;
    int count = hwContact_CountUsed(world);
    size_t bytes = (size_t)count * sizeof(used[0]);
    if (count == work->evaluatedCount && memcmp(used, work->evaluated, bytes) == 0) return;
    for (int k = 0; k < work->evaluatedCount; ++k) {
        int first = world->model.contact->auxiliary + HW_RUB_SIZE * work->evaluated[k];
        memset(world->work->z + first, 0, HW_RUB_SIZE * sizeof(double));
        memset(world->work->zdot + first, 0, HW_RUB_SIZE * sizeof(double));
    }
    memcpy(work->evaluated, used, bytes);
    work->evaluatedCount = count;
}

void hwContact_Evaluate(const hwWorld* world, const hwEvaluation* e) {
    // links are coupled while they touch
    if (world->model.contact->couplingCount > 0) world->work->couplingsStale = true;
    world->work->contact->evaluation += 1;
    ClearSprings(world);
    int count = hwContact_CountUsed(world), pieces = world->model.contact->pieces;
    if (count == 0) return;
    Job job = {world, e, (count + pieces - 1) / pieces, false};
    if (job.chunk < LEAST_PIECE) job.chunk = LEAST_PIECE;
    job.alone = world->team == NULL || count <= job.chunk;
    hwTeam_Loop(world->team, count, job.chunk, EvaluateRange, &job);
    if (job.alone) return;
    // sums over links in one order, whoever evaluated what
    for (int k = 0; k < count; ++k) {
        Touch t = StartTouch(world, world->state.contact->used[k], e->hd);
        if (t.result->acts) Apply(&t, t.result->acting);
    }
}

void hwContact_FollowLast(const hwWorld* world, double hd) {
    const hwContactModel* contact = world->model.contact;
    const hwLinkMotion* motion = world->work->forest.motion;
    for (int k = 0; k < hwContact_CountUsed(world); ++k) {
        int i = world->state.contact->used[k];
        const hwContactSlot* slot = &world->state.contact->slots[i];
        hwContactResult* result = &world->work->contact->touches[i];
        if (!result->touches) continue;
        Touch t = {.world = world, .a = &contact->parts[slot->a], .slot = i, .result = result};
        t.linkA = &motion[t.a->link];
        if (slot->b >= 0) t.linkB = &motion[contact->parts[slot->b].link];
        hwWideSpatial change = GetMotionAtA(&t);
        change.l -= result->motion.l;
        change.a -= result->motion.a;
        NoteLoad(&t, GetFollowing(result, change, hd));
        if (!result->limited) FollowSprings(&t, hd, change);
    }
}

// What a step of the built-in solver dissipates ----------------------------------------------------------------------------

// Velocity of a link's frame at the world's origin, where loads and motions of a pair need no common point.
static hwSpatial GetMotionAtOrigin(const hwWorld* world, const hwContactPart* part) {
    const hwLinkMotion* m = &world->work->forest.motion[part->link];
    hwSpatial motion = {hwWide_ToVec3(m->v.l - hwWide_Cross(m->v.a, m->p)), hwWide_ToVec3(m->v.a)};
    return motion;
}

static hwSpatial GetRelative(const hwWorld* world, const hwContactSlot* slot) {
    const hwContactPart* parts = world->model.contact->parts;
    hwSpatial motion = GetMotionAtOrigin(world, &parts[slot->a]);
    if (slot->b < 0) return motion;
    hwSpatial other = GetMotionAtOrigin(world, &parts[slot->b]);
    return (hwSpatial){hwSub(motion.l, other.l), hwSub(motion.a, other.a)};
}

void hwContact_NoteMotions(const hwWorld* world) {
    for (int k = 0; k < hwContact_CountUsed(world); ++k) {
        int i = world->state.contact->used[k];
        const hwContactSlot* slot = &world->state.contact->slots[i];
        world->work->contact->touches[i].start = GetRelative(world, slot);
    }
}

void hwContact_NoteLoads(const hwWorld* world) {
    for (int k = 0; k < hwContact_CountUsed(world); ++k) {
        int i = world->state.contact->used[k];
        hwContactResult* result = &world->work->contact->touches[i];
        result->first = result->load;
        result->middle = GetRelative(world, &world->state.contact->slots[i]);
    }
}

void hwContact_KeepLoads(const hwWorld* world) {
    for (int k = 0; k < hwContact_CountUsed(world); ++k) {
        int i = world->state.contact->used[k];
        hwContactSlot* slot = &world->state.contact->slots[i];
        slot->load = world->work->contact->touches[i].load;
        slot->stored = world->work->contact->touches[i].stored;
    }
}

// The step changes velocities by h M^-1 (w F0 + w F1 + d F2), and energies by that impulse times the mean of the velocities
// before and after it: exactly, however short the contact is against the step. What the contacts took out and did not store
// is dissipated, by their dashpots and friction or by the step itself.
// `share` receives how much less that work is than the powers at the stages, summed with the step's weights: what the step
// damps of kinetic energy by the contacts' forces.
static double SumDissipation(const hwWorld* world, double h, double* share) {
    const double w = 0.35355339059327376, d = 0.29289321881345248; // sqrt 2 / 4, 1 - sqrt 2 / 2
    double sum = 0.0;
    *share = 0.0;
    for (int k = 0; k < hwContact_CountUsed(world); ++k) {
        int i = world->state.contact->used[k];
        const hwContactSlot* slot = &world->state.contact->slots[i];
        const hwContactResult* r = &world->work->contact->touches[i];
        hwSpatial end = GetRelative(world, slot);
        hwVec3 force = hwMulAdd(hwScale(w, hwAdd(slot->load.l, r->first.l)), d, r->load.l);
        hwVec3 torque = hwMulAdd(hwScale(w, hwAdd(slot->load.a, r->first.a)), d, r->load.a);
        double work =
            0.5 * h * (hwDot(force, hwAdd(r->start.l, end.l)) + hwDot(torque, hwAdd(r->start.a, end.a)));
        sum -= work + r->stored - slot->stored;
        *share += h * (w * (hwDotS(slot->load, r->start) + hwDotS(r->first, r->middle)) +
                       d * hwDotS(r->load, end)) -
                  work;
    }
    return sum;
}

void hwContact_Audit(hwWorld* world, const hwMode* mode, double h) {
    (void)mode;
    double taken = SumDissipation(world, h, &world->work->impulseShare);
    world->state.z[HW_AUX_IMPACT] = world->work->z0[HW_AUX_IMPACT] + taken;
}

// Between links ------------------------------------------------------------------------------------------------------------

int hwContact_ListPairs(const hwWorld* world, hwLinkPair* pairs, int count) {
    const hwContactModel* contact = world->model.contact;
    for (int k = 0; k < hwContact_CountUsed(world); ++k) {
        int i = world->state.contact->used[k];
        const hwContactSlot* slot = &world->state.contact->slots[i];
        hwContactResult* result = &world->work->contact->touches[i];
        result->pair = -1;
        if (slot->b < 0 || !contact->parts[slot->b].moves) continue;
        result->linked = result->linked || result->touches;
        if (!result->linked) continue;
        result->pair = count;
        pairs[count++] = (hwLinkPair){contact->parts[slot->a].link, contact->parts[slot->b].link};
    }
    return count;
}

// m, about the first link's origin, on the motion of the first against the second as seen there: what the motion of the
// second about its own origin, `arm` away from there, does to the first. Minus m X, X = [1 -[arm]x; 0 1].
static hwWideBlock MakeBlock(const hwWideSym* m, hwWide arm) {
    hwWideMat la = hwWideMat_Transpose(&m->la);
    hwWideMat shift = hwWideMat_MulSkew(&m->ll, arm), turn = hwWideMat_MulSkew(&la, arm);
    hwWideBlock block = {{-m->ll.x, -m->ll.y, -m->ll.z},
                         {shift.x - m->la.x, shift.y - m->la.y, shift.z - m->la.z},
                         {-la.x, -la.y, -la.z},
                         {turn.x - m->aa.x, turn.y - m->aa.y, turn.z - m->aa.z}};
    return block;
}

static void AddScaled(hwWideSym* m, double s, const hwWideSym* b) {
    hwWideSym scaled = Scale(b, s);
    hwWideSym_Add(m, &scaled);
}

// From the second link's origin to the first's.
static hwWide GetArm(const hwWorld* world, const hwContactSlot* slot) {
    const hwContactPart* parts = world->model.contact->parts;
    const hwLinkMotion* motion = world->work->forest.motion;
    return motion[parts[slot->a].link].p - motion[parts[slot->b].link].p;
}

void hwContact_Factor(const hwWorld* world, double hd) {
    const hwContactModel* contact = world->model.contact;
    if (contact->couplingCount == 0 || hd == 0.0) return;
    for (int k = 0; k < hwContact_CountUsed(world); ++k) {
        int i = world->state.contact->used[k];
        const hwContactResult* result = &world->work->contact->touches[i];
        if (!result->touches || result->pair < 0) continue;
        hwWideSym sum = Scale(&result->dampingMatrix, hd);
        AddScaled(&sum, hd * hd, &result->stiffnessMatrix);
        hwWideBlock block = MakeBlock(&sum, GetArm(world, &world->state.contact->slots[i]));
        hwCouplings_Add(world->work->forest.couplings, result->pair, &block);
    }
}

bool hwContact_HasFollowing(const hwWorld* world) {
    for (int k = 0; k < hwContact_CountUsed(world); ++k) {
        int i = world->state.contact->used[k];
        if (world->work->contact->touches[i].limited) return true;
    }
    return false;
}

// Minus hd times what friction gains as the motions in the forest's increments change the normal forces.
void hwContact_MultiplyFollowing(const hwWorld* world, double hd, hwWideSpatial* loads) {
    const hwWideSpatial* motion = world->work->forest.increment;
    const hwContactModel* contact = world->model.contact;
    for (int k = 0; k < hwContact_CountUsed(world); ++k) {
        int i = world->state.contact->used[k];
        const hwContactSlot* slot = &world->state.contact->slots[i];
        const hwContactResult* result = &world->work->contact->touches[i];
        if (!result->limited) continue;
        int a = contact->parts[slot->a].link, b = slot->b >= 0 ? contact->parts[slot->b].link : -1;
        bool both = b >= 0 && contact->parts[slot->b].moves;
        hwWideSpatial relative = motion[a];
        hwWide arm = hwWide_Zero();
        if (both) {
            arm = GetArm(world, slot);
            hwWideSpatial other = hwWideSpatial_MotionAt(motion[b], arm);
            relative.l -= other.l;
            relative.a -= other.a;
        }
        double force = -hd * hwWideSpatial_Dot(result->pressing, relative);
        hwWideSpatial f = {force * result->rubbing.l, force * result->rubbing.a};
        loads[a].l += f.l;
        loads[a].a += f.a;
        if (!both) continue;
        f = hwWideSpatial_ForceFrom(f, arm);
        loads[b].l -= f.l;
        loads[b].a -= f.a;
    }
}

void hwContact_MultiplyStiffness(const hwWorld* world, const double* x, double* y, hwWideSpatial* force) {
    (void)x;
    (void)y;
    const hwWideSpatial* motion = world->work->forest.increment;
    const hwContactModel* contact = world->model.contact;
    for (int k = 0; k < hwContact_CountUsed(world); ++k) {
        int i = world->state.contact->used[k];
        const hwContactSlot* slot = &world->state.contact->slots[i];
        const hwContactResult* result = &world->work->contact->touches[i];
        if (!result->touches || result->pair < 0) continue;
        int a = contact->parts[slot->a].link, b = contact->parts[slot->b].link;
        hwWide arm = GetArm(world, slot);
        // on a by the motion of b, and on b by that of a
        hwWideSpatial f = hwWideSym_Mul(&result->stiffnessMatrix, hwWideSpatial_MotionAt(motion[b], arm));
        force[a].l -= f.l;
        force[a].a -= f.a;
        f = hwWideSpatial_ForceFrom(hwWideSym_Mul(&result->stiffnessMatrix, motion[a]), arm);
        force[b].l -= f.l;
        force[b].a -= f.a;
    }
}
