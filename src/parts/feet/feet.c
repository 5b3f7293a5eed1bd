// Compliant contact of points of links with the bottom (seed 002 section 3; Freeman & Orin 1991): a spring and a damper
// across it, and along it a spring that slides at the Coulomb limit, so that a standing foot does not creep.
#include "parts/feet/feet.h"

#include "world/contact_rules.h"
#include "world/part.h"
#include "record/channels.h"

#include <math.h>
#include <string.h>

#define RAMP 1e-3     // m: depth over which damping comes in
#define STRIBECK 0.01 // m/s: sliding speed at which friction has gone most of the way from static to kinetic
#define FORGET 1e-3 // s: how quickly the tangential spring of a lifted foot lets go, where it must be gradual

// Constants of one point's contact.
typedef struct Laws {
    double stiffness, damping, planarStiffness, planarDamping, friction, kinetic;
} Laws;

static double Choose(double given, double otherwise) {
    return given >= 0.0 ? given : otherwise;
}

static Laws FindLaws(const hwFootDef* foot, const hwSeabedDef* seabed) {
    Laws laws;
    laws.stiffness = Choose(foot->stiffness, seabed->stiffness * foot->area);
    laws.damping = Choose(foot->damping, seabed->damping * foot->area);
    laws.planarStiffness = Choose(foot->planarStiffness, laws.stiffness);
    laws.planarDamping = Choose(foot->planarDamping, laws.damping);
    laws.friction = Choose(foot->friction, seabed->friction);
    laws.kinetic = hwFmin(Choose(foot->kineticFriction, laws.friction), laws.friction);
    return laws;
}

static void Settle(hwWork* work, int index, const double* zBase, double hd, hwVec3 value, hwVec3 rate) {
    const double values[3] = {value.x, value.y, value.z}, rates[3] = {rate.x, rate.y, rate.z};
    for (int k = 0; k < 3; ++k) {
        work->z[index + k] = hd > 0.0 ? values[k] : zBase[index + k];
        work->zdot[index + k] = hd > 0.0 ? (values[k] - zBase[index + k]) / hd : rates[k];
    }
}

static hwVec3 Along(hwVec3 v, hwVec3 n) {
    return hwMulAdd(v, -hwDot(v, n), n);
}

// m += s (1 - n n^T), or s n n^T
static void AddPlanar(hwSym3* m, double s, hwVec3 n) {
    hwSym3 p = {1.0 - n.x * n.x, 1.0 - n.y * n.y, 1.0 - n.z * n.z, -n.x * n.y, -n.x * n.z, -n.y * n.z};
    *m = hwMulAddSym3(*m, s, p);
}

static void AddNormal(hwSym3* m, double s, hwVec3 n) {
    hwSym3 p = {n.x * n.x, n.y * n.y, n.z * n.z, n.x * n.y, n.x * n.z, n.y * n.z};
    *m = hwMulAddSym3(*m, s, p);
}

// Force at a point and minus its derivatives.
typedef struct Push {
    hwVec3 force;
    hwSym3 damping, stiffness;
} Push;

static double PushOut(const Laws* laws, double depth, double closing, hwVec3 n, Push* push, hwWork* work) {
    double ramp = hwFmin(depth / RAMP, 1.0);
    double spring = laws->stiffness * depth;
    double size = hwFmax(spring + laws->damping * ramp * closing, 0.0);
    push->force = hwScale(size, n);
    if (size > 0.0) {
        AddNormal(&push->damping, laws->damping * ramp, n);
        double steeper = ramp < 1.0 ? hwFmax(laws->damping * closing / RAMP, 0.0) : 0.0;
        AddNormal(&push->stiffness, laws->stiffness + steeper, n);
    }
    work->elastic += 0.5 * spring * depth;
    work->powers.dissipation += (size - spring) * closing;
    return size;
}

static void Rub(const Laws* laws, const hwFootModel* foot, double normalForce, hwVec3 v, hwVec3 n,
                const double* zBase, double hd, Push* push, hwWork* work) {
    hwVec3 slip = Along(v, n);
    double speed = hwLength(slip) / STRIBECK;
    double limit = normalForce * (laws->kinetic + (laws->friction - laws->kinetic) * hwExp(-speed * speed));
    const double* base = zBase + foot->slider;
    double k = laws->planarStiffness, most = k > 0.0 ? limit / k : 0.0;
    hwVec3 from = Along(hwMakeVec3(base[0], base[1], base[2]), n);
    hwVec3 s = hwMulAdd(from, hd, slip);
    double length = hwLength(s);
    bool slides = length > most;
    if (slides) {
        hwVec3 along = hwScale(1.0 / length, s);
        // turning of the friction's direction with the slip
        hwSym3 turning = {0};
        AddPlanar(&turning, limit * hd / length, n);
        hwVec3 radial = along;
        AddNormal(&turning, -limit * hd / length, radial);
        push->damping = hwAddSym3(push->damping, turning);
        s = hwScale(most, along);
    }
    // without a step to solve for, a full spring stays full and shrinks with the load
    hwVec3 rate = slip;
    double reach = hwLength(from);
    if (hd == 0.0 && reach > most) {
        rate = hwMulAdd(rate, -hwFmax(hwDot(slip, from), 0.0) / (reach * reach), from);
        rate = hwMulAdd(rate, -(reach - most) / (reach * FORGET), from);
        s = hwScale(most / reach, from);
    }
    Settle(work, foot->slider, zBase, hd, s, rate);
    hwVec3 pull = hwMulAdd(hwScale(k, s), laws->planarDamping, slip);
    double size = hwLength(pull);
    if (size <= limit) {
        AddPlanar(&push->damping, laws->planarDamping, n);
        if (!slides) AddPlanar(&push->stiffness, k, n);
    } else {
        pull = hwScale(limit / size, pull);
    }
    push->force = hwSub(push->force, pull);
    const double* zdot = work->zdot + foot->slider;
    work->elastic += 0.5 * k * hwDot(s, s);
    work->powers.dissipation += hwDot(pull, slip) - k * hwDot(s, hwMakeVec3(zdot[0], zdot[1], zdot[2]));
}

static void AddFoot(const hwWorld* world, int index, const double* zBase, double hd) {
    hwWork* work = world->work;
    const hwFootModel* foot = &world->model.feet->items[index];
    const hwLinkMotion* m = &work->forest.motion[foot->link];
    hwWide arm = hwWideMat_Mul(&m->R, hwWide_FromVec3(foot->point));
    hwVec3 at = hwWide_ToVec3(m->p + arm), n;
    double height = hwEnvironment_GetSeabed(world->environment, at.x, at.y, &n);
    double depth = n.z * (height - at.z);
    double* force = work->feet->force + 3 * index;
    force[0] = force[1] = force[2] = 0.0;
    if (!(depth > 0.0)) {
        const double* z = zBase + foot->slider;
        Settle(work, foot->slider, zBase, hd, hwVec3_zero,
               hwScale(-1.0 / FORGET, hwMakeVec3(z[0], z[1], z[2])));
        return;
    }
    Laws laws = FindLaws(foot->def, &hwEnvironment_GetDef(world->environment)->seabed);
    hwVec3 v = hwWide_ToVec3(m->v.l + hwWide_Cross(m->v.a, arm));
    Push push = {0};
    double normalForce = PushOut(&laws, depth, -hwDot(v, n), n, &push, work);
    Rub(&laws, foot, normalForce, v, n, zBase, hd, &push, work);
    force[0] = push.force.x, force[1] = push.force.y, force[2] = push.force.z;
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
        Laws laws = FindLaws(foot->def, &hwEnvironment_GetDef(world->environment)->seabed);
        double across = hwDot(force, n), elastic = laws.stiffness * depth;
        hwVec3 along = Along(force, n);
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
                                         .sliding = hwLength(along) >= 0.999 * laws.kinetic * across};
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
