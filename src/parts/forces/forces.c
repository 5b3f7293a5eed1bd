// Forces that the user applies to bodies: by calls, by inputs and by signals.
#include "parts/forces/forces.h"

#include "world/part.h"

#include <math.h>
#include <string.h>

hwForceDef hwDefaultForceDef(void) {
    hwForceDef def = {.cookie = HW_FORCE_COOKIE};
    return def;
}

static bool IsZero(const double* x, int count) {
    for (int i = 0; i < count; ++i) {
        if (x[i] != 0.0) return false;
    }
    return true;
}

static bool Resists(const hwWorld* world, int link) {
    return !IsZero((const double*)(const void*)&world->state.forces->impedance[link],
                   sizeof(hwSpatialSym) / sizeof(double));
}

static void FindLoadedLinks(const hwWorld* world) {
    hwForcesWork* work = world->work->forces;
    work->loadedCount = 0;
    for (int i = 0; i < world->model.forest.linkCount; ++i) {
        bool loaded = !IsZero(world->state.inputs + 6 + 6 * i, 6) ||
                      !IsZero(&world->state.forces->world[i].l.x, 6) ||
                      !IsZero(&world->state.forces->body[i].l.x, 6) || Resists(world, i);
        if (loaded && world->model.links[i].active) work->loadedLinks[work->loadedCount++] = i;
    }
}

// Calls ------------------------------------------------------------------------------------------------------------------

static hwStatus BadHandle(hwError* error) {
    return hwFail(error, HW_ERROR_ARGUMENT, NULL, "the handle does not refer to a body of this world");
}

hwStatus hwBody_ApplyWrench(hwWorld* world, hwBodyId id, hwVec3 force, hwVec3 torque, hwVec3 point,
                            hwFrame frame, hwError* error) {
    hwClearError(error);
    const hwBodyObject* body = hwWorld_GetBody(world, id);
    if (body == NULL) return BadHandle(error);
    hwStatus status = hwWorld_RequirePrepared(world, error);
    if (status != HW_OK) return status;
    if (!hwIsFiniteVec3(force) || !hwIsFiniteVec3(torque) || !hwIsFiniteVec3(point)) {
        return hwFail(error, HW_ERROR_ARGUMENT, body->def.name, "%s: the applied force is not finite",
                      body->def.name);
    }
    hwVec3 arm = point;
    if (frame == HW_FRAME_WORLD) {
        hwWorld_Refresh(world);
        arm = hwSub(point, hwWide_ToVec3(world->work->forest.motion[body->link].p));
    }
    hwSpatial* sum = frame == HW_FRAME_WORLD ? &world->state.forces->world[body->link]
                                             : &world->state.forces->body[body->link];
    sum->l = hwAdd(sum->l, force);
    sum->a = hwAdd(sum->a, hwAdd(torque, hwCross(arm, force)));
    FindLoadedLinks(world);
    hwWorld_StateChanged(world);
    return HW_OK;
}

hwStatus hwBody_ClearForces(hwWorld* world, hwBodyId id, hwError* error) {
    hwClearError(error);
    const hwBodyObject* body = hwWorld_GetBody(world, id);
    if (body == NULL) return BadHandle(error);
    hwStatus status = hwWorld_RequirePrepared(world, error);
    if (status != HW_OK) return status;
    memset(&world->state.forces->world[body->link], 0, sizeof(hwSpatial));
    memset(&world->state.forces->impedance[body->link], 0, sizeof(hwSpatialSym));
    memset(&world->state.forces->body[body->link], 0, sizeof(hwSpatial));
    FindLoadedLinks(world);
    hwWorld_StateChanged(world);
    return HW_OK;
}

hwStatus hwBody_ApplyImpedance(hwWorld* world, hwBodyId id, const double impedance[6][6], hwVec3 velocity,
                               hwVec3 rate, hwVec3 point, hwError* error) {
    hwClearError(error);
    const hwBodyObject* body = hwWorld_GetBody(world, id);
    if (body == NULL) {
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "the handle does not refer to a body of this world");
    }
    hwStatus status = hwWorld_RequirePrepared(world, error);
    if (status != HW_OK) return status;
    bool good = hwIsFiniteVec3(velocity) && hwIsFiniteVec3(rate) && hwIsFiniteVec3(point);
    double copy[6][6];
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) {
            copy[i][j] = impedance[i][j];
            double scale = fabs(impedance[i][j]) + fabs(impedance[j][i]);
            good =
                good && isfinite(scale) && fabs(impedance[i][j] - impedance[j][i]) <= 1e-6 * scale + 1e-300;
        }
        good = good && impedance[i][i] >= 0.0;
    }
    if (!good) {
        return hwFail(error, HW_ERROR_ARGUMENT, body->def.name,
                      "%s: an impedance must be finite, symmetric and not negative", body->def.name);
    }
    hwWorld_Refresh(world);
    hwVec3 arm = hwSub(point, hwWide_ToVec3(world->work->forest.motion[body->link].p));
    hwWideSym wide;
    memset(&wide, 0, sizeof(wide));
    hwWorld_AddLinkBlock(&wide, 6, copy, arm);
    hwMat3 ll = hwWideMat_ToMat3(&wide.ll), la = hwWideMat_ToMat3(&wide.la), aa = hwWideMat_ToMat3(&wide.aa);
    hwSpatialSym* sum = &world->state.forces->impedance[body->link];
    hwSpatialSym added = {{ll.cx.x, ll.cy.y, ll.cz.z, ll.cy.x, ll.cz.x, ll.cz.y},
                          la,
                          {aa.cx.x, aa.cy.y, aa.cz.z, aa.cy.x, aa.cz.x, aa.cz.y}};
    hwMulAddSpatialSym(sum, 1.0, &added);
    // D v0, at the origin
    hwVec3 origin = hwSub(velocity, hwCross(rate, arm));
    hwSpatial* steady = &world->state.forces->world[body->link];
    steady->l = hwAdd(steady->l, hwAdd(hwMulMV(ll, origin), hwMulMV(la, rate)));
    steady->a = hwAdd(steady->a, hwAdd(hwMulTV(la, origin), hwMulMV(aa, rate)));
    FindLoadedLinks(world);
    hwWorld_StateChanged(world);
    return HW_OK;
}

hwLinkForces hwWorld_GetLinkForces(const hwWorld* world, int link) {
    return (hwLinkForces){world->state.forces->world[link], world->state.forces->impedance[link]};
}

void hwWorld_SetLinkForces(hwWorld* world, int link, hwLinkForces forces) {
    world->state.forces->world[link] = forces.wrench;
    world->state.forces->impedance[link] = forces.impedance;
    FindLoadedLinks(world);
    hwWorld_StateChanged(world);
}

// Forces by signal --------------------------------------------------------------------------------------------------

static hwForceObject* CopyForce(hwArena* arena, const hwForceDef* def) {
    hwForceObject* force = HW_TAKE(arena, hwForceObject, 1);
    hwSignal push = hwCopySignal(arena, &def->force);
    hwSignal twist = hwCopySignal(arena, &def->torque);
    if (force == NULL) return NULL;
    force->def = *def;
    force->def.force = push;
    force->def.torque = twist;
    return force;
}

hwForceId hwWorld_AddForce(hwWorld* world, const hwForceDef* def, hwError* error) {
    hwForceId none = {0, 0};
    hwClearError(error);
    if (def == NULL || def->cookie != HW_FORCE_COOKIE) {
        hwFail(error, HW_ERROR_ARGUMENT, NULL, "the force def was not made by hwDefaultForceDef");
        return none;
    }
    const hwBodyObject* body = hwWorld_GetBody(world, def->body);
    if (body == NULL) {
        BadHandle(error);
        return none;
    }
    if (!hwIsFiniteVec3(def->at)) {
        hwFailField(error, HW_ERROR_ARGUMENT, body->def.name, "at",
                    "%s: a force's point of attack is not finite", body->def.name);
        return none;
    }
    if (hwSignal_CheckField(&def->force, body->def.name, "force", error) != HW_OK ||
        hwSignal_CheckField(&def->torque, body->def.name, "torque", error) != HW_OK)
        return none;
    hwArena arena = {0};
    CopyForce(&arena, def);
    arena.base = hwAllocate(&world->allocator, arena.used);
    if (arena.base == NULL) {
        hwFail_Memory(error, body->def.name);
        return none;
    }
    arena.used = 0;
    hwForceObject* force = CopyForce(&arena, def);
    uint32_t index = hwPool_Add(&world->forces, &world->allocator, force);
    if (index == 0) {
        hwFail_Memory(error, body->def.name);
        hwRelease(&world->allocator, force);
        return none;
    }
    force->id.index = index;
    force->id.generation = world->forces.generations[index - 1];
    hwWorld_Unprepare(world);
    return force->id;
}

hwStatus hwWorld_RemoveForce(hwWorld* world, hwForceId id, hwError* error) {
    hwClearError(error);
    if (hwPool_Get(&world->forces, id.index, id.generation) == NULL) {
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "the handle does not refer to a force of this world");
    }
    hwRelease(&world->allocator, hwPool_Remove(&world->forces, id.index));
    hwWorld_Unprepare(world);
    return HW_OK;
}

static hwStatus CopyForces(hwWorld* branch, const hwWorld* world, hwError* error) {
    for (int i = 0; i < world->forces.slots; ++i) {
        const hwForceObject* force = world->forces.items[i];
        if (force != NULL && HW_IS_NULL(hwWorld_AddForce(branch, &force->def, error))) return HW_ERROR_MEMORY;
    }
    if (!hwPool_Mirror(&branch->forces, &world->forces, &branch->allocator))
        return hwFail_Memory(error, NULL);
    for (int i = 0; i < world->forces.slots; ++i) {
        if (world->forces.items[i] == NULL) continue;
        ((hwForceObject*)branch->forces.items[i])->id = ((const hwForceObject*)world->forces.items[i])->id;
    }
    return HW_OK;
}

static void DropForces(hwWorld* world, hwBodyId body) {
    for (int i = 0; i < world->forces.slots; ++i) {
        hwForceObject* force = world->forces.items[i];
        if (force != NULL && HW_SAME_ID(force->def.body, body))
            hwRelease(&world->allocator, hwPool_Remove(&world->forces, (uint32_t)i + 1));
    }
}

// The part -------------------------------------------------------------------------------------------------------------------

// What the user applies by calls and by inputs.
static void AddAppliedForces(const hwWorld* world) {
    for (int k = 0; k < world->work->forces->loadedCount; ++k) {
        int i = world->work->forces->loadedLinks[k];
        const double* inputs = world->state.inputs + 6 + 6 * i;
        const hwSpatial* steady = &world->state.forces->world[i];
        hwWideSpatial wrench =
            hwWideSpatial_FromLink(world->state.forces->body[i], &world->work->forest.motion[i].R);
        wrench.l += hwWide_FromVec3(steady->l) + hwWide_Make(inputs[0], inputs[1], inputs[2]);
        wrench.a += hwWide_FromVec3(steady->a) + hwWide_Make(inputs[3], inputs[4], inputs[5]);
        if (Resists(world, i)) {
            const hwSpatialSym* d = &world->state.forces->impedance[i];
            hwWideSym damping = {hwWideMat_FromSym3(d->ll), hwWideMat_FromMat3(d->la),
                                 hwWideMat_FromSym3(d->aa)};
            hwWideSpatial resisted = hwWideSym_Mul(&damping, world->work->forest.motion[i].v);
            wrench.l -= resisted.l;
            wrench.a -= resisted.a;
            hwWideSym_AddScaled(&hwWorld_GetWorldTerms(world, i)->worldDamping, 1.0, &damping);
        }
        hwWorld_AddWrench(world, i, wrench);
    }
}

// The implicit solver's matrix is symmetric.
static void Symmetrize(double (*m)[6]) {
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < i; ++j) m[i][j] = m[j][i] = 0.5 * (m[i][j] + m[j][i]);
    }
}

// A law of the caller's own.
static void AddOwnForce(const hwWorld* world, int link, const hwForceDef* def, double time) {
    hwBodyState motion;
    hwBody_ReadMotion(world, link, &motion);
    hwVec3 arm = hwRotate(motion.attitude, def->at), rate = hwRotate(motion.attitude, motion.rate);
    hwForceInput input = {.time = time,
                          .position = hwAdd(motion.position, arm),
                          .attitude = motion.attitude,
                          .velocity = hwAdd(motion.velocity, hwCross(rate, arm)),
                          .rate = rate};
    hwForceOutput output;
    memset(&output, 0, sizeof(output));
    def->function(&input, &output, def->functionContext);
    hwWideSpatial wrench = {hwWide_FromVec3(output.force), hwWide_FromVec3(output.torque)};
    hwWorld_AddWrench(world, link, hwWideSpatial_ForceFrom(wrench, hwWide_FromVec3(arm)));
    Symmetrize(output.damping);
    Symmetrize(output.stiffness);
    hwLinkTerms* terms = hwWorld_GetWorldTerms(world, link);
    hwWorld_AddLinkBlock(&terms->worldDamping, 6, output.damping, arm);
    hwWorld_AddLinkBlock(&terms->worldStiffness, 6, output.stiffness, arm);
}

static void AddSignalForces(const hwWorld* world, double time) {
    for (int k = 0; k < world->model.forces->count; ++k) {
        const hwForceDef* def = &world->model.forces->items[k]->def;
        int i = hwWorld_GetBody(world, def->body)->link;
        const hwWideMat* R = &world->work->forest.motion[i].R;
        hwWideSpatial wrench = {hwWide_FromVec3(hwSignal_Evaluate(&def->force, time).value),
                                hwWide_FromVec3(hwSignal_Evaluate(&def->torque, time).value)};
        if (def->frame == HW_FRAME_BODY) {
            wrench.l = hwWideMat_Mul(R, wrench.l);
            wrench.a = hwWideMat_Mul(R, wrench.a);
        }
        wrench = hwWideSpatial_ForceFrom(wrench, hwWideMat_Mul(R, hwWide_FromVec3(def->at)));
        hwWorld_AddWrench(world, i, wrench);
        if (def->function != NULL) AddOwnForce(world, i, def, time);
    }
}

static void EvaluateForces(const hwWorld* world, const hwEvaluation* e) {
    AddAppliedForces(world);
    AddSignalForces(world, e->time);
}

static void LayForces(const hwWorld* world, hwArena* arena, hwModel* model) {
    model->forces->count = 0;
    for (int i = 0; i < world->forces.slots; ++i) model->forces->count += world->forces.items[i] != NULL;
    model->forces->items = HW_TAKE(arena, hwForceObject*, model->forces->count);
}

static void FillForces(const hwWorld* world, hwModel* model) {
    int next = 0;
    for (int i = 0; i < world->forces.slots; ++i) {
        if (world->forces.items[i] != NULL) model->forces->items[next++] = world->forces.items[i];
    }
}

static void LayForcesState(const hwModel* model, hwArena* arena, hwState* state) {
    int links = model->forest.linkCount;
    state->forces->world = HW_TAKE(arena, hwSpatial, links);
    state->forces->body = HW_TAKE(arena, hwSpatial, links);
    state->forces->impedance = HW_TAKE(arena, hwSpatialSym, links);
}

static void LayForcesWork(const hwModel* model, hwArena* arena, hwWork* work) {
    work->forces->loadedLinks = HW_TAKE(arena, int, model->forest.linkCount);
}

static void CarryForces(const hwWorld* before, hwModel* model, hwState* state) {
    for (int i = 0; i < model->forest.linkCount; ++i) {
        int old = model->links[i].body->link;
        if (before->model.block == NULL || old < 0) continue;
        state->forces->world[i] = before->state.forces->world[old];
        state->forces->body[i] = before->state.forces->body[old];
        state->forces->impedance[i] = before->state.forces->impedance[old];
    }
}

static hwStatus StartForces(hwWorld* world, hwError* error) {
    (void)error;
    FindLoadedLinks(world);
    return HW_OK;
}

static void RefreshForces(hwWorld* world) {
    FindLoadedLinks(world);
}

static void ForceInputChanged(hwWorld* world, int input) {
    if (input >= 6 && input < 6 + 6 * world->model.forest.linkCount) FindLoadedLinks(world);
}

static void KeepLoadedAwake(const hwWorld* world, uint8_t* lively) {
    const hwForcesModel* forces = world->model.forces;
    for (int k = 0; k < world->work->forces->loadedCount; ++k)
        lively[world->work->forces->loadedLinks[k]] = 1;
    for (int k = 0; k < forces->count; ++k)
        lively[hwWorld_GetBody(world, forces->items[k]->def.body)->link] = 1;
}

const hwPart hwForcesPart = {.name = "forces",
                             .keepAwake = KeepLoadedAwake,
                             .aside = true,
                             .model = HW_SLICE(hwModel, forces),
                             .state = HW_SLICE(hwState, forces),
                             .work = HW_SLICE(hwWork, forces),
                             .copy = CopyForces,
                             .dropBody = DropForces,
                             .layModel = LayForces,
                             .fillModel = FillForces,
                             .layState = LayForcesState,
                             .layWork = LayForcesWork,
                             .carry = CarryForces,
                             .start = StartForces,
                             .refresh = RefreshForces,
                             .inputChanged = ForceInputChanged,
                             .evaluate = EvaluateForces};
