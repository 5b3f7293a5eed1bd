// Compliant contact of points of links with the bottom (seed 002 section 3), by contact/foot_law.h.
#include "parts/feet/feet.h"

#include "contact/foot_law.h"
#include "world/contact_rules.h"
#include "world/part.h"
#include "record/channels.h"

#include <math.h>
#include <string.h>

static void AddFoot(const hwWorld* world, int index, const double* zBase, double hd) {
    hwWork* work = world->work;
    const hwFootModel* foot = &world->model.feet->items[index];
    const hwLinkMotion* m = &work->forest.motion[foot->link];
    hwWide arm = hwWideMat_Mul(&m->R, hwWide_FromVec3(foot->point));
    hwVec3 at = hwWide_ToVec3(m->p + arm), n;
    double height = hwEnvironment_GetSeabed(world->environment, at.x, at.y, &n);
    double depth = n.z * (height - at.z);
    hwVec3 v = hwWide_ToVec3(m->v.l + hwWide_Cross(m->v.a, arm));
    const double* base = zBase + foot->slider;
    hwFootLaw law = hwFootLaw_Make(foot->def, &hwEnvironment_GetDef(world->environment)->seabed);
    hwFootInput in = {
        .depth = depth, .normal = n, .velocity = v, .base = {base[0], base[1], base[2]}, .hd = hd};
    hwFootOutput push;
    hwFootLaw_Push(&law, &in, &push);
    memcpy(work->z + foot->slider, push.z, sizeof(push.z));
    memcpy(work->zdot + foot->slider, push.zdot, sizeof(push.zdot));
    work->springs += push.elastic;
    work->powers.stored += push.storing;
    work->powers.dissipation += push.dissipation;
    double* force = work->feet->force + 3 * index;
    force[0] = push.force.x, force[1] = push.force.y, force[2] = push.force.z;
    if (!(depth > 0.0)) return;
    hwWide f = hwWide_FromVec3(push.force);
    work->wrench[foot->link].l += f;
    work->wrench[foot->link].a += hwWide_Cross(arm, f);
    hwLinkTerms* terms = hwWorld_GetWorldTerms(world, foot->link);
    hwWideMat D = hwWideMat_FromSym3(push.damping), S = hwWideMat_FromSym3(push.stiffness);
    hwWideSym_AddPoint(&terms->worldDamping, &D, arm);
    hwWideSym_AddPoint(&terms->worldStiffness, &S, arm);
}

static void EvaluateFeet(const hwWorld* world, const hwEvaluation* e) {
    for (int i = 0; i < world->model.feet->count; ++i) AddFoot(world, i, e->zBase, e->hd);
}

static int ViewFeet(const hwWorld* world, hwContactView* views) {
    int count = 0;
    for (int i = 0; i < world->model.feet->count; ++i) {
        const hwFootModel* foot = &world->model.feet->items[i];
        const hwLinkMotion* m = &world->work->forest.motion[foot->link];
        hwVec3 at = hwWide_ToVec3(m->p + hwWideMat_Mul(&m->R, hwWide_FromVec3(foot->point))), n;
        double depth = hwEnvironment_GetSeabed(world->environment, at.x, at.y, &n) - at.z;
        if (!(depth > 0.0)) continue;
        depth *= n.z;
        const double* f = world->work->feet->force + 3 * i;
        hwVec3 force = hwMakeVec3(f[0], f[1], f[2]);
        hwFootLaw law = hwFootLaw_Make(foot->def, &hwEnvironment_GetDef(world->environment)->seabed);
        double across = hwDot(force, n), elastic = law.stiffness * depth;
        hwVec3 along = hwMulAdd(force, -across, n);
        views[count++] = (hwContactView){.a = world->model.links[foot->link].body->def.name,
                                         .b = "seabed",
                                         .bodyA = world->model.links[foot->link].body->id,
                                         .shapeA = -1,
                                         .shapeB = -1,
                                         .triangleA = -1,
                                         .triangleB = hwWorld_FindGroundTriangle(world, at, depth),
                                         .elementA = -1,
                                         .elementB = -1,
                                         .point = at,
                                         .normal = hwNeg(n),
                                         .force = hwNeg(force),
                                         .elastic = elastic,
                                         .damping = across - elastic,
                                         .volume = foot->def->area * depth,
                                         .depth = depth,
                                         .sliding = hwLength(along) >= 0.999 * law.kinetic * across};
    }
    return count;
}

// The part -------------------------------------------------------------------------------------------------------------------

static void LayFeet(const hwWorld* world, hwArena* arena, hwModel* model) {
    model->feet->count = 0;
    for (int i = 0; i < world->bodies.slots; ++i) {
        const hwBodyObject* body = world->bodies.items[i];
        if (body != NULL && body->joint != NULL) model->feet->count += body->joint->def.feet.count;
    }
    model->feet->items = HW_TAKE(arena, hwFootModel, model->feet->count);
}

static void FillFeet(const hwWorld* world, hwModel* model) {
    (void)world;
    int next = 0;
    for (int i = 0; i < model->forest.linkCount; ++i) {
        const hwJointObject* joint = model->links[i].body->joint;
        if (joint == NULL) continue;
        for (int k = 0; k < joint->def.feet.count; ++k) {
            hwFootModel foot = {i, k, joint->def.feet.points[k], &joint->def.feet,
                                hwModel_TakeAuxiliary(model, true, 3)};
            model->feet->items[next++] = foot;
        }
    }
}

static bool HasFeet(const hwModel* model) {
    return model->feet->count > 0;
}

static void LayFeetWork(const hwModel* model, hwArena* arena, hwWork* work) {
    work->feet->force = HW_TAKE(arena, double, 3 * model->feet->count);
}

// The friction of feet that were there before.
static void CarryFeet(const hwWorld* before, hwModel* model, hwState* state) {
    const hwModel* old = &before->model;
    for (int k = 0; k < model->feet->count && old->block != NULL; ++k) {
        const hwFootModel* foot = &model->feet->items[k];
        int link = model->links[foot->link].body->link;
        for (int m = 0; m < old->feet->count; ++m) {
            if (old->feet->items[m].link != link || old->feet->items[m].index != foot->index) continue;
            memcpy(state->z + foot->slider, before->state.z + old->feet->items[m].slider, 3 * sizeof(double));
        }
    }
}

static int CountFeet(const hwModel* model) {
    return model->feet->count;
}

static double ReadFootForce(const hwWorld* world, int link, int component) {
    double sum = 0.0;
    for (int k = 0; k < world->model.feet->count; ++k) {
        if (world->model.feet->items[k].link == link) sum += world->work->feet->force[3 * k + component];
    }
    return sum;
}

static const hwChannelRow footRows[] = {HW_CHANNELS_XYZ("foot.force", "N", ReadFootForce)};

static void AddFootChannels(hwTableBuilder* builder, const hwWorld* world, const hwModel* model, int link) {
    (void)world;
    const hwBodyObject* body = model->links[link].body;
    if (body->joint == NULL || body->joint->def.feet.count == 0) return;
    hwTable_AddChannels(builder, body->def.name, HW_ROW_COUNT(footRows), footRows, link);
}

const hwPart hwFeetPart = {.name = "feet",
                           .model = HW_SLICE(hwModel, feet),
                           .work = HW_SLICE(hwWork, feet),
                           .layModel = LayFeet,
                           .fillModel = FillFeet,
                           .isPresent = HasFeet,
                           .layWork = LayFeetWork,
                           .carry = CarryFeet,
                           .addLinkChannels = AddFootChannels,
                           .evaluate = EvaluateFeet,
                           .countViews = CountFeet,
                           .viewContacts = ViewFeet};
