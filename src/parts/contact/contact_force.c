// Forces and matrices of the pairs in slots, at each evaluation.
#include "geom/shape_data.h"
#include "parts/contact/contact.h"
#include "world/realtime.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// Impacts against the energy that the lighter body has at the fastest speed of all.
#define IMPACT_ERROR 0.05    // of a step, for each part of that energy that it damps
#define IMPACT_GAIN 0.05     // of it that a step may put in
#define SHORTEST_IMPACT 1e-6 // s: shorter steps may put in more

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

// One slot's pair while it is evaluated.
typedef struct Touch {
    const hwWorld* world;
    const hwContactPart *a, *b; // b: null for the ground
    hwPose poseA, poseB;
    hwContactPair pair;
    hwPatchTools tools;
    hwVec3 (*triangles)[3];
    int slot;
    double leftOut; // m3, see hwContactSlot
    bool damped;    // they began in each other and have not come apart yet
} Touch;

// The load of the pair, about the origin of a, goes to the links. What moves by itself does the work that it does on it.
static void ApplyPair(const Touch* t, hwWideSpatial load) {
    hwWork* work = t->world->work;
    const hwContactPair* pair = &t->pair;
    const hwContactResult* result = pair->result;
    work->wrench[t->a->link].l += load.l;
    work->wrench[t->a->link].a += load.a;
    hwContactPair_NoteLoad(pair, load);
    work->elastic += result->stored;
    work->powers.work += result->fed;
    work->impactPower += result->power;
    if (pair->alone) return;
    hwWideSpatial onB = hwContactPair_GetLoadOnB(pair, load);
    if (!t->b->moves) {
        work->powers.work += hwWideSpatial_Dot(onB, *pair->b.v);
        return;
    }
    work->wrench[t->b->link].l -= onB.l;
    work->wrench[t->b->link].a -= onB.a;
}

// How a pair's motion differs from that when it was evaluated.
static hwWideSpatial GetChange(const hwContactPair* pair) {
    hwWideSpatial change = hwContactPair_GetMotion(pair);
    change.l -= pair->result->motion.l;
    change.a -= pair->result->motion.a;
    return change;
}

// Whether a change of a body's motion is below `part` of it, or of what its weight does to it in a stage; going and turning
// together, by the mass that they move.
static bool IsSmallChange(const hwWorld* world, int link, hwWideSpatial change, double part, double least) {
    const hwLinkData* data = &world->model.forest.data[link];
    const hwWideSpatial* v = &world->work->forest.motion[link].v;
    double size = hwLinkData_GetSize(data, hwWide_Dot(v->l, v->l), hwWide_Dot(v->a, v->a));
    double changed = hwLinkData_GetSize(data, hwWide_Dot(change.l, change.l), hwWide_Dot(change.a, change.a));
    return data->mass > 0.0 && changed <= part * part * hwMax(size, data->mass * least * least);
}

// While Newton's method makes its last small corrections, most contacts need not be evaluated again: their own matrices say
// what the corrections do. False: the bodies have changed their motion by too much for that.
static bool FollowPair(const Touch* t, const hwEvaluation* e) {
    const hwContactPair* pair = &t->pair;
    hwWideSpatial change = GetChange(pair);
    double least = e->hd * hwEnvironment_GetDef(t->world->environment)->gravity;
    if (!IsSmallChange(t->world, t->a->link, change, e->follow, least)) return false;
    if (!pair->alone && t->b->moves) {
        hwWideSpatial atB = hwWideSpatial_MotionAt(change, hwContactPair_GetArm(pair) * -1.0);
        if (!IsSmallChange(t->world, t->b->link, atB, e->follow, least)) return false;
    }
    pair->result->acting = hwContactPair_Follow(pair->result, change);
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

// A pair that began in each other is pushed apart without bouncing: dashpots at least critical for the lighter body, and such that
// nothing pushes them any more when they part by the thickness of both within HW_OVERLAP_TIME.
static void DampOverlap(Touch* t, double area, double volume) {
    const hwLink* links = t->world->model.forest.links;
    double mass = links[t->a->link].mass;
    if (t->b != NULL && t->b->moves) mass = hwMin(mass, links[t->b->link].mass);
    hwContactLaw* law = &t->pair.law;
    law->exponent = 1.0;
    double speed = (t->a->thickness + (t->b != NULL ? t->b->thickness : t->a->thickness)) / HW_OVERLAP_TIME;
    law->damping = hwMax(law->damping, 2.0 * sqrt(law->stiffness * mass / area));
    law->damping = hwMax(law->damping, law->stiffness * volume / (area * speed));
}

static void AddPatch(Touch* t, const hwPatch* patch) {
    hwContactResult* result = t->pair.result;
    result->volume += patch->volume;
    result->depth = hwMax(result->depth, patch->depth);
    double volume = patch->volume - t->leftOut;
    if (!(volume > 0.0)) return;
    if (!result->touches) t->pair.law = MakeLaw(t->world, t->a, t->b);
    if (t->damped) DampOverlap(t, patch->area, volume);
    hwContactPair_AddPatch(&t->pair, patch, volume, t->world->contact.pressureCentre);
}

static void StoreSprings(hwWork* work, int first, const hwRubOutput* out) {
    memcpy(work->z + first, out->z, sizeof(out->z));
    memcpy(work->zdot + first, out->zdot, sizeof(out->zdot));
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

static double GetCellHeight(const hwSeabedDef* seabed, int i, int j) {
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
            double h[4] = {GetCellHeight(seabed, i, j), GetCellHeight(seabed, i + 1, j),
                           GetCellHeight(seabed, i + 1, j + 1), GetCellHeight(seabed, i, j + 1)};
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
    hwVec3 n = t->pair.result->apart;
    if (hwDot(n, n) == 0.0) return false;
    double gap = hwDot(n, hwSub(t->poseB.p, t->poseA.p)) - hwSolidPart_GetSupport(&t->a->solid, t->poseA, n) -
                 hwSolidPart_GetSupport(&t->b->solid, t->poseB, hwNeg(n));
    return gap > CLEARLY_APART * (t->a->reach + t->b->reach);
}

static void TouchConvex(Touch* t) {
    if (StayApart(t)) return;
    hwPatch patch;
    if (hwPatch_Between(&t->a->solid, t->poseA, &t->b->solid, t->poseB, NULL, t->tools, &patch)) {
        if (t->damped) hwPatch_MakeColumn(&t->a->solid, t->poseA, &t->b->solid, t->poseB, &patch);
        AddPatch(t, &patch);
        return;
    }
    hwClosest closest =
        hwConvex_FindClosest(&t->a->solid.convex, t->poseA, &t->b->solid.convex, t->poseB, NULL);
    t->pair.result->apart = closest.distance > 0.0 ? closest.normal : hwVec3_zero;
}

// The state holds it at its own time.
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

static hwPairFrame GetFrame(const hwWorld* world, const hwContactPart* part) {
    const hwLinkMotion* m = &world->work->forest.motion[part->link];
    return (hwPairFrame){&m->p, &m->v};
}

// The rest is written where it is needed: this runs for every slot at every evaluation.
static void StartTouch(Touch* t, const hwWorld* world, int index, double hd, bool relaxes) {
    const hwContactModel* contact = world->model.contact;
    const hwContactSlot* slot = &world->state.contact->slots[index];
    hwContactPair* pair = &t->pair;
    t->world = world;
    t->slot = index;
    t->a = &contact->parts[slot->a];
    t->b = slot->b < 0 ? NULL : &contact->parts[slot->b];
    pair->a = GetFrame(world, t->a);
    pair->b = slot->b < 0 ? (hwPairFrame){NULL, NULL} : GetFrame(world, t->b);
    pair->alone = slot->b < 0;
    pair->hd = hd;
    pair->relaxes = relaxes;
    pair->result = &world->work->contact->touches[index];
    hwContactPair_Begin(pair);
}

// Writes nothing but what belongs to the slot.
static void EvaluateSlot(const Job* job, int index, int piece, Touch* t) {
    const hwWorld* world = job->world;
    const hwEvaluation* e = job->evaluation;
    const hwContactModel* contact = world->model.contact;
    const hwContactSlot* slot = &world->state.contact->slots[index];
    hwWork* work = world->work;
    hwContactResult* result = t->pair.result;
    int first = contact->auxiliary + HW_RUB_SIZE * index;
    t->leftOut = GetLeftOut(world, slot, e->time);
    t->damped = slot->fading > 0.0;
    result->acts = true;
    if (e->follow > 0.0 && result->touches && FollowPair(t, e)) return;
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
    hwRubOutput out;
    if (result->touches && t->pair.area > 0.0) {
        hwContactPair_AddFriction(&t->pair, e->zBase + first, slot->sliding != 0, &out);
    } else {
        hwContactLaw_LetGo(e->zBase + first, e->hd, e->relaxes, &out);
    }
    StoreSprings(work, first, &out);
    result->acts = result->touches;
    if (!result->touches) return;
    if (t->leftOut > 0.0) result->fed = result->swelling * slot->fading;
    result->motion = hwContactPair_GetMotion(&t->pair);
    result->acting = result->wrench;
}

// Slots of neighbours lie anywhere in a memory that no cache holds where there are thousands: what the next one needs is asked for
// while this one is worked on.
#define LINE 64 // bytes
static void FetchTouch(const hwWorld* world, int index) {
    const char* result = (const char*)&world->work->contact->touches[index];
    for (size_t at = 0; at < sizeof(hwContactResult); at += LINE) __builtin_prefetch(result + at, 1);
}

static void EvaluateRange(int first, int last, void* context) {
    const Job* job = context;
    const int32_t* used = job->world->state.contact->used;
    for (int k = first; k < last; ++k) {
        if (k + 1 < last) FetchTouch(job->world, used[k + 1]);
        Touch t;
        StartTouch(&t, job->world, used[k], job->evaluation->hd, job->evaluation->relaxes);
        EvaluateSlot(job, used[k], first / job->chunk, &t);
        if (job->alone && t.pair.result->acts) ApplyPair(&t, t.pair.result->acting);
    }
}

// Springs of slots that are no longer in use have zeros in the work arrays, too: these are copied to the state whole.
static void ClearSprings(const hwWorld* world) {
    hwContactWork* work = world->work->contact;
    const int32_t* used = world->state.contact->used;
    int count = hwContact_CountUsed(world);
    size_t bytes = (size_t)count * sizeof(used[0]);
    if (count == work->evaluatedCount && !work->restingStale && memcmp(used, work->evaluated, bytes) == 0)
        return;
    for (int k = 0; k < work->evaluatedCount; ++k) {
        int first = world->model.contact->auxiliary + HW_RUB_SIZE * work->evaluated[k];
        memset(world->work->z + first, 0, HW_RUB_SIZE * sizeof(double));
        memset(world->work->zdot + first, 0, HW_RUB_SIZE * sizeof(double));
    }
    memcpy(work->evaluated, used, bytes);
    work->evaluatedCount = count;
    if (world->state.contact->resting != NULL) hwContact_EvaluateResting(world);
}

// Contacts of what is asleep, as they are at the state; then its springs stay in the work arrays, too.
void hwContact_EvaluateResting(const hwWorld* world) {
    hwWork* work = world->work;
    const int32_t* resting = world->state.contact->resting;
    hwEvaluation still = {.time = world->state.header->time, .zBase = world->state.z};
    Job job = {world, &still, hwContact_CountResting(world), false};
    if (work->contact->restingStale) work->contact->restingElastic = 0.0;
    for (int k = 0; k < job.chunk; ++k) {
        int first = world->model.contact->auxiliary + HW_RUB_SIZE * resting[k];
        if (work->contact->restingStale) {
            Touch t;
            StartTouch(&t, world, resting[k], 0.0, false);
            EvaluateSlot(&job, resting[k], 0, &t);
            hwContactPair_NoteLoad(&t.pair, t.pair.result->acting);
            work->contact->restingElastic += t.pair.result->stored;
        }
        memcpy(work->z + first, world->state.z + first, HW_RUB_SIZE * sizeof(double));
        memset(work->zdot + first, 0, HW_RUB_SIZE * sizeof(double));
        memset(world->state.zdot + first, 0, HW_RUB_SIZE * sizeof(double));
    }
    work->contact->restingStale = false;
}

void hwContact_Evaluate(const hwWorld* world, const hwEvaluation* e) {
    // links are coupled while they touch
    if (world->model.contact->couplingCount > 0) world->work->couplingsStale = true;
    world->work->contact->evaluation += 1;
    ClearSprings(world);
    world->work->elastic += world->work->contact->restingElastic;
    int count = hwContact_CountUsed(world), pieces = world->model.contact->pieces;
    if (count == 0) return;
    Job job = {world, e, (count + pieces - 1) / pieces, false};
    if (job.chunk < LEAST_PIECE) job.chunk = LEAST_PIECE;
    job.alone = world->team == NULL || count <= job.chunk;
    hwTeam_Loop(world->team, count, job.chunk, EvaluateRange, &job);
    if (job.alone) return;
    // sums over links in one order, whoever evaluated what
    for (int k = 0; k < count; ++k) {
        Touch t;
        StartTouch(&t, world, world->state.contact->used[k], e->hd, e->relaxes);
        if (t.pair.result->acts) ApplyPair(&t, t.pair.result->acting);
    }
}

void hwContact_FollowLast(const hwWorld* world, double hd) {
    hwWork* work = world->work;
    for (int k = 0; k < hwContact_CountUsed(world); ++k) {
        int i = world->state.contact->used[k];
        if (k + 1 < hwContact_CountUsed(world)) FetchTouch(world, world->state.contact->used[k + 1]);
        if (!work->contact->touches[i].touches) continue;
        Touch t;
        StartTouch(&t, world, i, hd, false);
        hwWideSpatial change = GetChange(&t.pair);
        hwContactPair_NoteLoad(&t.pair, hwContactPair_Follow(t.pair.result, change));
        if (t.pair.result->limited) continue;
        double rates[HW_RUB_SIZE];
        hwContactPair_FollowSprings(&t.pair, change, rates);
        int first = world->model.contact->auxiliary + HW_RUB_SIZE * i;
        for (int j = 0; j < HW_RUB_SIZE; ++j) {
            work->zdot[first + j] += rates[j];
            work->z[first + j] += hd * rates[j];
        }
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
        hwContactResult* result = &world->work->contact->touches[i];
        result->start = GetRelative(world, slot);
        result->powers[0] = slot->stored > 0.0 ? result->power : 0.0;
    }
}

void hwContact_NoteLoads(const hwWorld* world) {
    for (int k = 0; k < hwContact_CountUsed(world); ++k) {
        int i = world->state.contact->used[k];
        hwContactResult* result = &world->work->contact->touches[i];
        result->first = result->load;
        result->firstFed = result->fed;
        result->powers[1] = result->touches ? result->power : 0.0;
        result->middle = GetRelative(world, &world->state.contact->slots[i]);
    }
}

void hwContact_KeepLoads(const hwWorld* world) {
    for (int k = 0; k < hwContact_CountUsed(world); ++k) {
        int i = world->state.contact->used[k];
        hwContactSlot* slot = &world->state.contact->slots[i];
        slot->load = world->work->contact->touches[i].load;
        slot->stored = world->work->contact->touches[i].stored;
        slot->fed = world->work->contact->touches[i].fed;
    }
}

// The step changes velocities by h M^-1 (w F0 + w F1 + d F2), and energies by that impulse times the mean of the velocities
// before and after it: exactly, however short the contact is against the step.
typedef struct Impulse {
    double work;  // J, done by it
    double share; // J, how much less that is than the powers at the stages, summed with the step's weights
} Impulse;

#define TOLD_SHARE 0.2                   // of an impact's energy, damped by a step
#define TOLD_SPEED 0.1                   // m/s, of impacts that are told
#define WEIGHT_START 0.35355339059327376 // sqrt 2 / 4, of the middle too
#define WEIGHT_END 0.29289321881345248   // 1 - sqrt 2 / 2

static Impulse GetImpulse(const hwWorld* world, int index, double h) {
    const double w = WEIGHT_START, d = WEIGHT_END;
    const hwContactSlot* slot = &world->state.contact->slots[index];
    const hwContactResult* r = &world->work->contact->touches[index];
    hwSpatial end = GetRelative(world, slot);
    hwVec3 force = hwMulAdd(hwScale(w, hwAdd(slot->load.l, r->first.l)), d, r->load.l);
    hwVec3 torque = hwMulAdd(hwScale(w, hwAdd(slot->load.a, r->first.a)), d, r->load.a);
    double work =
        0.5 * h * (hwDot(force, hwAdd(r->start.l, end.l)) + hwDot(torque, hwAdd(r->start.a, end.a)));
    double powers =
        h * (w * (hwDotS(slot->load, r->start) + hwDotS(r->first, r->middle)) + d * hwDotS(r->load, end));
    return (Impulse){work, powers - work};
}

// What a pair took out and did not store, or was fed where an overlap of the start begins to push, J.
static double GetTaken(const hwWorld* world, int index, double work, double h) {
    const hwContactSlot* slot = &world->state.contact->slots[index];
    const hwContactResult* r = &world->work->contact->touches[index];
    return h * (WEIGHT_START * (slot->fed + r->firstFed) + WEIGHT_END * r->fed) -
           (work + r->stored - slot->stored);
}

// The energy of the lighter one of a pair at the fastest speed of all links, J.
static double GetPairEnergy(const hwWorld* world, int index, double fastest) {
    const hwForest* forest = &world->model.forest;
    const hwContactPart* parts = world->model.contact->parts;
    const hwContactSlot* slot = &world->state.contact->slots[index];
    double mass = forest->links[parts[slot->a].link].mass;
    if (slot->b >= 0 && parts[slot->b].moves) mass = hwFmin(mass, forest->links[parts[slot->b].link].mass);
    return 0.5 * mass * fastest * fastest;
}

static double FindFastest(const hwWorld* world) {
    const hwForest* forest = &world->model.forest;
    return HW_SLOWEST + hwFmax(hwScales_Measure(forest, world->work->v).linear,
                               hwScales_Measure(forest, world->work->v0).linear);
}

// The embedded error of displacements is small by chance where velocities at the start, the middle and the end of a step lie on a
// line, as they may when a body strikes and leaves within it: one impact in eight came back with a third of its speed. So
// what a step damps of an impact counts as an error of its own.
double hwContact_MeasureError(const hwWorld* world, double h, const double* error, const double* undamped,
                              double share) {
    (void)error;
    (void)undamped;
    (void)share;
    if (world->work->crowded) return 0.0;
    double fastest = 0.0, largest = 0.0;
    for (int k = 0; k < hwContact_CountUsed(world); ++k) {
        int i = world->state.contact->used[k];
        double damped = fabs(GetImpulse(world, i, h).share);
        if (!(damped > 0.0)) continue;
        if (fastest == 0.0) fastest = FindFastest(world);
        largest = hwFmax(largest, damped / GetPairEnergy(world, i, fastest));
    }
    return IMPACT_ERROR * largest;
}

// An impact far shorter than the step may put energy in, however short the step is made, until it is as short: two boxes of steel
// left with twice the energy that they had met with. Neither the error, which asks for no steps below a millisecond, nor the world's
// gain, which is let pass where shorter steps do not help at once, refuse such a step.
bool hwContact_CheckStep(const hwWorld* world, double h) {
    if (world->work->crowded || h < SHORTEST_IMPACT) return true;
    double fastest = 0.0;
    for (int k = 0; k < hwContact_CountUsed(world); ++k) {
        int i = world->state.contact->used[k];
        if (world->state.contact->slots[i].stored > 0.0) continue; // it has begun before
        double put = -GetTaken(world, i, GetImpulse(world, i, h).work, h);
        if (!(put > 0.0)) continue;
        if (fastest == 0.0) fastest = FindFastest(world);
        if (put > IMPACT_GAIN * GetPairEnergy(world, i, fastest)) return false;
    }
    return true;
}

static const char* GetPartName(const hwWorld* world, int part) {
    if (part < 0) return "the bottom";
    return world->model.links[world->model.contact->parts[part].link].body->def.name;
}

// The energy of a pair's impact, J: of the lighter one at the speed at which they met or parted in this step, and what was stored.
static double GetImpactEnergy(const hwWorld* world, int index) {
    const hwContactSlot* slot = &world->state.contact->slots[index];
    const hwContactResult* r = &world->work->contact->touches[index];
    const hwContactPart* a = &world->model.contact->parts[slot->a];
    hwVec3 at = hwWide_ToVec3(world->work->forest.motion[a->link].p);
    hwSpatial end = GetRelative(world, slot);
    double before = hwLengthSquared(hwAdd(r->start.l, hwCross(r->start.a, at))),
           after = hwLengthSquared(hwAdd(end.l, hwCross(end.a, at)));
    double fastest = hwFmax(before, after);
    if (fastest < TOLD_SPEED * TOLD_SPEED) return HUGE_VAL;
    return GetPairEnergy(world, index, sqrt(fastest)) + slot->stored;
}

// The largest share of an impact's energy that the step takes without dashpots and friction, to be told when it is accepted.
static void NoteShortImpact(const hwWorld* world, int index, double taken, double h) {
    hwContactWork* work = world->work->contact;
    const hwContactResult* r = &work->touches[index];
    double powers = WEIGHT_START * (r->powers[0] + r->powers[1]) + WEIGHT_END * (r->touches ? r->power : 0.0);
    double damped = taken - h * powers;
    if (!(damped > 0.0)) return;
    double share = hwFmin(damped / GetImpactEnergy(world, index), 1.0);
    if (share > work->shortShare) work->shortShare = share, work->shortSlot = index;
}

// Impacts that are shorter than the steps are told by name: the first, and each that loses twice the share of those before.
void hwContact_TellShortImpact(const hwWorld* world) {
    hwContactWork* work = world->work->contact;
    double share = work->shortShare;
    work->shortShare = 0.0;
    if (share < TOLD_SHARE || share < 2.0 * work->toldShare) return;
    const hwContactSlot* slot = &world->state.contact->slots[work->shortSlot];
    work->toldShare = share;
    hwWorld_Log(
        world, HW_LOG_WARNING,
        "%s and %s: the impact at %.6g s is shorter than the steps, which damp %.0f %% of its energy; "
        "where they should bounce, ask for a tolerance (solver: {tolerance: 1e-5})",
        GetPartName(world, slot->a), GetPartName(world, slot->b), world->state.header->time, 100.0 * share);
}

// What the contacts took is dissipated, by their dashpots and friction or by the step itself. `share` receives what the step damps
// of kinetic energy by the contacts' forces.
static double SumDissipation(const hwWorld* world, double h, double* share) {
    double sum = 0.0;
    *share = 0.0;
    world->work->contact->shortShare = 0.0;
    for (int k = 0; k < hwContact_CountUsed(world); ++k) {
        int i = world->state.contact->used[k];
        Impulse impulse = GetImpulse(world, i, h);
        double taken = GetTaken(world, i, impulse.work, h);
        if (!world->work->crowded) NoteShortImpact(world, i, taken, h);
        sum += taken;
        *share += impulse.share;
    }
    return sum;
}

void hwContact_Audit(hwWorld* world, const hwMode* mode, double h) {
    (void)mode;
    double taken = SumDissipation(world, h, &world->work->impulseShare);
    world->state.z[HW_AUX_IMPACT] = world->work->z0[HW_AUX_IMPACT] + taken;
}

// Matrices -------------------------------------------------------------------------------------------------------------

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

// From the second link's origin to the first's.
static hwWide GetArm(const hwWorld* world, const hwContactSlot* slot) {
    const hwContactPart* parts = world->model.contact->parts;
    const hwLinkMotion* motion = world->work->forest.motion;
    return motion[parts[slot->a].link].p - motion[parts[slot->b].link].p;
}

// Matrices go to the links' own blocks and between them, see contact/pair.h.
void hwContact_Factor(const hwWorld* world, double hd, const double* b) {
    (void)b;
    hwWork* work = world->work;
    const hwContactModel* contact = world->model.contact;
    if (hd == 0.0) return;
    for (int k = 0; k < hwContact_CountUsed(world); ++k) {
        int i = world->state.contact->used[k];
        const hwContactSlot* slot = &world->state.contact->slots[i];
        const hwContactResult* result = &work->contact->touches[i];
        if (!result->touches) continue;
        hwWideSym m;
        hwContactPair_GetMatrix(result, hd, &m);
        hwWideSym_Add(&work->K[contact->parts[slot->a].link], &m);
        if (slot->b < 0 || !contact->parts[slot->b].moves) continue;
        hwWide arm = GetArm(world, slot);
        hwWideSym_AddFrom(&work->K[contact->parts[slot->b].link], &m, arm);
        if (result->pair < 0) continue;
        hwWideBlock block = hwContactPair_Couple(&m, hwWide_ToVec3(arm));
        hwCouplings_Add(work->forest.couplings, result->pair, &block);
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
        hwWideSpatial f = hwContactPair_Rub(result, hd, relative);
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
        if (!result->touches) continue;
        int a = contact->parts[slot->a].link;
        bool both = slot->b >= 0 && contact->parts[slot->b].moves;
        hwWideSpatial relative = motion[a];
        if (both) {
            hwWideSpatial other =
                hwWideSpatial_MotionAt(motion[contact->parts[slot->b].link], GetArm(world, slot));
            relative.l -= other.l;
            relative.a -= other.a;
        }
        hwWideSpatial f = hwWideSym_Mul(&result->stiffnessMatrix, relative);
        force[a].l += f.l;
        force[a].a += f.a;
        if (!both) continue;
        f = hwWideSpatial_ForceFrom(f, GetArm(world, slot));
        force[contact->parts[slot->b].link].l -= f.l;
        force[contact->parts[slot->b].link].a -= f.a;
    }
}
