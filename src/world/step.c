// One evaluation of everything, and one step. Evaluate reads as the pipeline: inputs, kinematics, environment,
// hydrodynamics, forces; then mechanics turns wrenches into residuals and solves.
#include "api/step_events.h"
#include "world/world_internal.h"

#include "record/channels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Forces on links --------------------------------------------------------------------------------------------------------

void hwWorld_AddWrench(hwWorld* world, int link, hwWideSpatial wrench) {
    hwWork* work = &world->work;
    work->wrench[link].l += wrench.l;
    work->wrench[link].a += wrench.a;
    work->extraPowers.work += hwWideSpatial_Dot(wrench, work->forest.motion[link].v);
}

hwLinkTerms* hwWorld_GetWorldTerms(hwWorld* world, int link) {
    hwLinkTerms* terms = &world->work.terms[link];
    if (!(terms->kinds & HW_TERMS_WORLD)) {
        terms->kinds |= HW_TERMS_WORLD;
        memset(&terms->worldDamping, 0, sizeof(terms->worldDamping));
        memset(&terms->worldStiffness, 0, sizeof(terms->worldStiffness));
    }
    return terms;
}

static void AddScaled(hwWideSym* m, double factor, const hwWideSym* b) {
    hwWideMat* to[3] = {&m->ll, &m->la, &m->aa};
    const hwWideMat* from[3] = {&b->ll, &b->la, &b->aa};
    for (int k = 0; k < 3; ++k) {
        to[k]->x += factor * from[k]->x;
        to[k]->y += factor * from[k]->y;
        to[k]->z += factor * from[k]->z;
    }
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

void hwWorld_FindLoadedLinks(hwWorld* world) {
    hwWork* work = &world->work;
    work->forces->loadedCount = 0;
    for (int i = 0; i < world->model.forest.linkCount; ++i) {
        bool loaded = !IsZero(world->state.inputs + 6 + 6 * i, 6) ||
                      !IsZero(&world->state.forces->world[i].l.x, 6) ||
                      !IsZero(&world->state.forces->body[i].l.x, 6) || Resists(world, i);
        if (loaded && world->model.links[i].active)
            work->forces->loadedLinks[work->forces->loadedCount++] = i;
    }
}

// What the user applies by calls and by inputs.
static void AddAppliedForces(hwWorld* world) {
    for (int k = 0; k < world->work.forces->loadedCount; ++k) {
        int i = world->work.forces->loadedLinks[k];
        const double* inputs = world->state.inputs + 6 + 6 * i;
        const hwSpatial* steady = &world->state.forces->world[i];
        hwWideSpatial wrench =
            hwWideSpatial_FromLink(world->state.forces->body[i], &world->work.forest.motion[i].R);
        wrench.l += hwWide_FromVec3(steady->l) + hwWide_Make(inputs[0], inputs[1], inputs[2]);
        wrench.a += hwWide_FromVec3(steady->a) + hwWide_Make(inputs[3], inputs[4], inputs[5]);
        if (Resists(world, i)) {
            const hwSpatialSym* d = &world->state.forces->impedance[i];
            hwWideSym damping = {hwWideMat_FromSym3(d->ll), hwWideMat_FromMat3(d->la),
                                 hwWideMat_FromSym3(d->aa)};
            hwWideSpatial resisted = hwWideSym_Mul(&damping, world->work.forest.motion[i].v);
            wrench.l -= resisted.l;
            wrench.a -= resisted.a;
            AddScaled(&hwWorld_GetWorldTerms(world, i)->worldDamping, 1.0, &damping);
        }
        hwWorld_AddWrench(world, i, wrench);
    }
}

static void AddSignalForces(hwWorld* world, double time) {
    for (int k = 0; k < world->model.forces->count; ++k) {
        const hwForceDef* def = &world->model.forces->items[k]->def;
        int i = hwWorld_GetBody(world, def->body)->link;
        const hwWideMat* R = &world->work.forest.motion[i].R;
        hwWideSpatial wrench = {hwWide_FromVec3(hwSignal_Evaluate(&def->force, time).value),
                                hwWide_FromVec3(hwSignal_Evaluate(&def->torque, time).value)};
        if (def->frame == HW_FRAME_BODY) {
            wrench.l = hwWideMat_Mul(R, wrench.l);
            wrench.a = hwWideMat_Mul(R, wrench.a);
        }
        wrench = hwWideSpatial_ForceFrom(wrench, hwWideMat_Mul(R, hwWide_FromVec3(def->at)));
        hwWorld_AddWrench(world, i, wrench);
    }
}

static hwPowers SumPowers(const hwWorld* world) {
    const hwWork* work = &world->work;
    hwPowers sum = work->extraPowers;
    for (int k = 0; k < work->fluid->wetCount; ++k) {
        sum.dissipation += work->fluid->linkPowers[work->fluid->wetLinks[k]].dissipation;
        sum.work += work->fluid->linkPowers[work->fluid->wetLinks[k]].work;
    }
    return sum;
}

static void SetAuxiliary(hwWork* work, int index, const double* zBase, double hd, double rate) {
    work->zdot[index] = rate;
    work->z[index] = zBase[index] + hd * rate;
}

void hwWorld_ComputeLinkMotion(hwWorld* world, double time, const double* q, const double* v) {
    hwWorld_UpdateDrives(world, time);
    hwForest_ComputeMotion(&world->model.forest, q, v, world->work.drives, &world->work.forest);
}

void hwWorld_Evaluate(hwWorld* world, double time, double* q, double* v, const double* zBase, double hd,
                      double matrix) {
    double begin = hwStageTimer_Begin(&world->timer);
    world->state.header->counters.evaluations += 1;
    if (world->frozen) time = world->frozenTime;
    hwWorld_UpdateDrives(world, time);
    hwForest_ComputeRigidMotion(&world->model.forest, q, v, world->work.drives,
                                hwEnvironment_GetDef(world->environment)->gravity, &world->work.forest,
                                world->work.inertia, world->work.wrench);
    for (int i = 0; i < world->model.forest.linkCount; ++i) world->work.terms[i].kinds = 0;
    world->work.elastic = 0.0;
    world->work.extraPowers = (hwPowers){0.0, 0.0};
    world->work.impactPower = 0.0;
    hwWorld_AddFluidForces(world, time);
    AddAppliedForces(world);
    AddSignalForces(world, time);
    hwWorld_AddJointForces(world, time, q, v, zBase, hd);
    hwWorld_AddFootForces(world, zBase, hd);
    hwWorld_AddContactForces(world, zBase, hd);
    hwWorld_AddVehicleForces(world, time, zBase, hd);
    hwWorld_AddGripForces(world);
    hwWorld_EvaluateCables(world, time, q, v, zBase, hd, matrix);
    hwPowers powers = SumPowers(world);
    SetAuxiliary(&world->work, HW_AUX_DISSIPATED, zBase, hd, powers.dissipation);
    SetAuxiliary(&world->work, HW_AUX_IMPACT, zBase, hd, world->work.impactPower);
    SetAuxiliary(&world->work, HW_AUX_WORK, zBase, hd, powers.work);
    hwStageTimer_End(&world->timer, HW_STAGE_EVALUATE, begin);
}

// Mechanics --------------------------------------------------------------------------------------------------------------

// Power of what only shows with the accelerations: prescribed bodies that carry something, and controllers that imitate
// inertia. Needs the forces of hwForest_ComputeEfforts.
static double ReactionPower(const hwWorld* world, const double* a, const double* v) {
    const hwWork* work = &world->work;
    double power = 0.0;
    for (int i = 0; i < world->model.forest.linkCount && world->model.drives; ++i) {
        if (world->model.forest.links[i].joint != HW_LINK_DRIVEN) continue;
        hwWideSpatial passed = {work->forest.force[i].l + work->wrench[i].l,
                                work->forest.force[i].a + work->wrench[i].a};
        power += hwWideSpatial_Dot(passed, work->forest.motion[i].v);
    }
    for (int k = 0; k < world->model.joints->count; ++k) {
        const hwJointModel* joint = &world->model.joints->items[k];
        for (int i = joint->freedom; i < joint->freedom + joint->count; ++i) {
            power -= work->jointVirtual[i] * a[i] * v[i];
        }
    }
    return power;
}

void hwWorld_ComputeResidual(hwWorld* world, const double* a, double* residual) {
    hwWork* work = &world->work;
    const hwForest* forest = &world->model.forest;
    hwForest_ComputeAccelerations(forest, a, &work->forest);
    const hwWideSpatial* loads = work->wrench;
    if (world->model.cables->count > 0) {
        memcpy(work->loads, work->wrench, (size_t)forest->linkCount * sizeof(hwWideSpatial));
        hwWorld_ComputeCableResiduals(world, a, residual, work->loads);
        hwWorld_ComputeSheaveResiduals(world, a, residual);
        loads = work->loads;
    }
    hwForest_ComputeEfforts(forest, work->inertia, loads, &work->forest, work->efforts);
    for (int i = 0; i < forest->freedomCount; ++i) {
        residual[i] = work->jointEffort[i] - work->jointInertia[i] * a[i] - work->efforts[i];
    }
}

void hwWorld_AddReactionWork(hwWorld* world, const double* a, const double* v, double hd) {
    double power = ReactionPower(world, a, v);
    world->work.zdot[HW_AUX_WORK] += power;
    world->work.z[HW_AUX_WORK] += hd * power;
    hwWorld_SumImpulses(world, hd);
}

static hwStatus FailFactor(const hwWorld* world, int link, hwError* error) {
    const char* name = world->model.links[link].body->def.name;
    hwStatus status =
        hwFail(error, HW_ERROR_NUMERIC, name, "%s: the inertia seen at the joint is not positive", name);
    hwFail_At(error, -1, world->state.header->time);
    hwFail_Hint(error, "check mass, inertia and added mass");
    return status;
}

// m += R diag(d) R^T
static void AddTurned(hwWideMat* m, double factor, hwWide d, const hwWideMat* R) {
    hwWideMat_AddOuter(m, factor * d[0], R->x, R->x);
    hwWideMat_AddOuter(m, factor * d[1], R->y, R->y);
    hwWideMat_AddOuter(m, factor * d[2], R->z, R->z);
}

// K += damping * D + stiffness * S of link i
static void AddTerms(const hwWork* work, int i, double damping, double stiffness, hwWideSym* K) {
    const hwLinkTerms* terms = &work->terms[i];
    const hwWideMat* R = &work->forest.motion[i].R;
    if (terms->kinds & HW_TERMS_DIAGONAL) {
        AddTurned(&K->ll, damping, terms->diagonalL, R);
        AddTurned(&K->aa, damping, terms->diagonalA, R);
    }
    if (terms->kinds & HW_TERMS_LINK) {
        hwSpatialSym sum;
        memset(&sum, 0, sizeof(sum));
        hwMulAddSpatialSym(&sum, damping, &terms->damping);
        hwMulAddSpatialSym(&sum, stiffness, &terms->stiffness);
        hwWideSym turned = hwWideSym_FromLink(&sum, R);
        hwWideSym_Add(K, &turned);
    }
    if (terms->kinds & HW_TERMS_WORLD) {
        AddScaled(K, damping, &terms->worldDamping);
        AddScaled(K, stiffness, &terms->worldStiffness);
    }
}

static hwStatus FactorAll(hwWorld* world, double hd, hwError* error) {
    hwWork* work = &world->work;
    const hwForest* forest = &world->model.forest;
    world->state.header->counters.factorizations += 1;
    for (int i = 0; i < forest->linkCount; ++i) {
        work->K[i] = work->inertia[i];
        AddTerms(work, i, hd, hd * hd, &work->K[i]);
    }
    hwWorld_ComputeJointTerms(world, hd);
    if (work->forest.couplings != NULL) {
        // links are coupled while they touch
        if (world->couplingsStale || world->model.contact->couplingCount > 0) {
            hwStatus status = hwWorld_UpdateCouplings(world, error);
            if (status != HW_OK) return status;
            world->couplingsStale = false;
        }
        hwCouplings_Clear(work->forest.couplings);
        hwWorld_AddContactBlocks(world, hd);
    }
    if (world->model.cables->count > 0) hwWorld_FactorCables(world);
    hwJointTerms joint = {work->jointDiagonal, work->jointOff};
    int failed = -1;
    if (!hwForest_Factor(forest, work->K, joint, &work->forest, &failed))
        return FailFactor(world, failed, error);
    if (world->model.sheaves->count > 0) {
        hwStatus status = hwWorld_FactorSheaves(world, error);
        if (status != HW_OK) return status;
    }
    if (world->model.cablePairs->on) hwWorld_FactorPairs(world, hd);
    return HW_OK;
}

hwStatus hwWorld_Factor(hwWorld* world, double hd, hwError* error) {
    double begin = hwStageTimer_Begin(&world->timer);
    hwStatus status = FactorAll(world, hd, error);
    hwStageTimer_End(&world->timer, HW_STAGE_FACTOR, begin);
    return status;
}

void hwWorld_SolveWithoutFlows(hwWorld* world, const double* b, double* x) {
    hwWork* work = &world->work;
    hwWorld_ReduceCables(world, b, work->loads);
    hwForest_Solve(&world->model.forest, &work->forest, b, work->loads, x);
    hwWorld_SubstituteCables(world, x);
}

static void SolveAll(hwWorld* world, const double* b, double* x) {
    hwWork* work = &world->work;
    if (world->model.cables->count == 0) {
        hwForest_Solve(&world->model.forest, &work->forest, b, NULL, x);
        return;
    }
    memset(work->loads, 0, (size_t)world->model.forest.linkCount * sizeof(hwWideSpatial));
    for (int k = 0; k < world->model.sheaves->count; ++k)
        work->sheaves->rhs[k] = b[world->model.sheaves->items[k].freedom];
    hwWorld_SolveWithoutFlows(world, b, x);
    if (world->model.sheaves->count > 0) hwWorld_SubstituteSheaves(world, x);
    if (work->cablePairs->active > 0) hwWorld_CorrectForPairs(world, x);
}

void hwWorld_SolveFactored(hwWorld* world, const double* b, double* x) {
    double begin = hwStageTimer_Begin(&world->timer);
    SolveAll(world, b, x);
    hwStageTimer_End(&world->timer, HW_STAGE_SOLVE, begin);
}

// With cables the accelerations of their ends are not known beforehand: the residual of zero accelerations, solved with
// the mass matrix, gives them all.
static hwStatus SolveForwardWithCables(hwWorld* world, const double* v, double* a, hwError* error) {
    hwWork* work = &world->work;
    memset(a, 0, (size_t)world->model.freedomCount * sizeof(double));
    hwWorld_ComputeResidual(world, a, work->residual);
    hwStatus status = hwWorld_Factor(world, 0.0, error);
    if (status != HW_OK) return status;
    hwWorld_SolveFactored(world, work->residual, a);
    hwWorld_ComputeResidual(world, a, work->residual); // forces at joints and ends that go with them
    hwWorld_AddReactionWork(world, a, v, 0.0);
    hwWorld_AuditCables(world, work->zdot);
    return HW_OK;
}

hwStatus hwWorld_SolveForward(hwWorld* world, const double* v, double* a, hwError* error) {
    if (world->model.cables->count > 0) return SolveForwardWithCables(world, v, a, error);
    hwWork* work = &world->work;
    const hwForest* forest = &world->model.forest;
    world->state.header->counters.factorizations += 1;
    hwJointTerms joint = {world->model.joints->count > 0 ? work->jointInertia : NULL, NULL};
    int failed = -1;
    // without implicit terms nothing couples links of different trees
    struct hwCouplings* couplings = work->forest.couplings;
    work->forest.couplings = NULL;
    bool good = hwForest_ComputeForward(forest, work->inertia, work->wrench, joint, work->jointEffort,
                                        &work->forest, a, &failed);
    work->forest.couplings = couplings;
    if (!good) return FailFactor(world, failed, error);
    if (world->model.drives) {
        hwForest_ComputeAccelerations(forest, a, &work->forest);
        hwForest_ComputeEfforts(forest, work->inertia, work->wrench, &work->forest, work->efforts);
    }
    hwWorld_AddReactionWork(world, a, v, 0.0);
    return HW_OK;
}

void hwWorld_MultiplyMass(hwWorld* world, const double* x, double* y) {
    hwForest_Multiply(&world->model.forest, world->work.inertia, &world->work.forest, x, y);
    for (int i = 0; i < world->model.forest.freedomCount; ++i) y[i] += world->work.jointInertia[i] * x[i];
    if (world->model.cables->count == 0) return;
    memset(world->work.loads, 0, (size_t)world->model.forest.linkCount * sizeof(hwWideSpatial));
    hwWorld_MultiplyCableMass(world, x, y, world->work.loads);
    hwWorld_MultiplySheaveMass(world, x, y, world->work.loads);
    hwForest_AddForces(&world->model.forest, &world->work.forest, world->work.loads, y);
}

void hwWorld_MultiplyStiffness(hwWorld* world, const double* x, double* y) {
    hwWork* work = &world->work;
    memset(work->K, 0, (size_t)world->model.forest.linkCount * sizeof(hwWideSym));
    for (int i = 0; i < world->model.forest.linkCount; ++i) AddTerms(work, i, 0.0, 1.0, &work->K[i]);
    hwForest_Multiply(&world->model.forest, work->K, &work->forest, x, y);
    for (int k = 0; k < world->model.joints->count; ++k) {
        const hwJointModel* joint = &world->model.joints->items[k];
        int f = joint->freedom;
        for (int i = f; i < f + joint->count; ++i) y[i] += work->joints->stiffness[i] * x[i];
        if (joint->count != 3) continue;
        const double* off = work->joints->offStiffness + f;
        y[f] += off[0] * x[f + 1] + off[1] * x[f + 2];
        y[f + 1] += off[0] * x[f] + off[2] * x[f + 2];
        y[f + 2] += off[1] * x[f] + off[2] * x[f + 1];
    }
    if (world->model.cables->count == 0 && world->model.contact->couplingCount == 0) return;
    memset(work->loads, 0, (size_t)world->model.forest.linkCount * sizeof(hwWideSpatial));
    hwWorld_MultiplyContactStiffness(world, work->forest.increment, work->loads);
    if (world->model.cables->count > 0) {
        hwWorld_MultiplyCableStiffness(world, x, y, work->loads);
        hwWorld_MultiplySheaveStiffness(world, x, y, work->loads);
    }
    hwForest_AddForces(&world->model.forest, &work->forest, work->loads, y);
}

// Coordinates: those of trees, then the nodes of cables, which simply add.
void hwWorld_Displace(const hwWorld* world, const double* q0, const double* delta, double* q) {
    const hwForest* forest = &world->model.forest;
    hwForest_Displace(forest, q0, delta, q);
    int count = world->model.freedomCount - forest->freedomCount;
    q0 += forest->coordinateCount, q += forest->coordinateCount, delta += forest->freedomCount;
    for (int i = 0; i < count; ++i) q[i] = q0[i] + delta[i];
}

void hwWorld_ComputeRates(const hwWorld* world, const double* q, const double* v, double* qdot) {
    const hwForest* forest = &world->model.forest;
    hwForest_ComputeRates(forest, q, v, qdot);
    size_t count = (size_t)(world->model.freedomCount - forest->freedomCount);
    memcpy(qdot + forest->coordinateCount, v + forest->freedomCount, count * sizeof(double));
}

void hwWorld_TangentOf(const hwWorld* world, const double* q, const double* dq, double* tangent) {
    const hwForest* forest = &world->model.forest;
    hwForest_TangentOf(forest, q, dq, tangent);
    size_t count = (size_t)(world->model.freedomCount - forest->freedomCount);
    memcpy(tangent + forest->freedomCount, dq + forest->coordinateCount, count * sizeof(double));
}

const char* hwWorld_NameFreedom(const hwWorld* world, int freedom) {
    for (int k = 0; k < world->model.sheaves->count; ++k) {
        if (freedom == world->model.sheaves->items[k].freedom)
            return world->model.sheaves->items[k].object->def.name;
    }
    for (int k = world->model.cables->count - 1; k >= 0; --k) {
        if (freedom >= world->model.cables->slots[k].freedom) return world->model.cables->slots[k].name;
    }
    for (int i = world->model.forest.linkCount - 1; i >= 0; --i) {
        const hwLink* link = &world->model.forest.links[i];
        if (freedom >= link->freedom && freedom < link->freedom + hwJoint_CountFreedoms(link->joint)) {
            return world->model.links[i].body->def.name;
        }
    }
    return "";
}

void hwWorld_NamePart(const hwWorld* world, int freedom, char name[HW_PART_NAME]) {
    int slot = world->model.cables->count - 1, node = hwWorld_FindNode(world, freedom);
    while (slot > 0 && world->model.cables->slots[slot].freedom > freedom) slot -= 1;
    int last = node < 0 ? 0 : world->state.cables->stores[slot].core->nodes - 1;
    if (node < 0 || node > last) {
        snprintf(name, HW_PART_NAME, "it");
    } else if (node == 0 || node == last) {
        snprintf(name, HW_PART_NAME, "node %d (element %d)", node, node == 0 ? 0 : last - 1);
    } else {
        snprintf(name, HW_PART_NAME, "node %d (elements %d and %d)", node, node - 1, node);
    }
}

// First freedom whose value is not finite. Of cables, whose forces spread to what they hang on, the nodes come first.
static int FindBadFreedom(const hwWorld* world, const double* values) {
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        const hwCableWork* work = &world->work.cables->tools[slot].work;
        for (int i = 0;
             hwWorld_HasCable(world, slot) && !world->model.cables->slots[slot].quasi && i < work->nodes;
             ++i) {
            if (!isfinite(work->force[i].x + work->force[i].y + work->force[i].z)) {
                return world->model.cables->slots[slot].freedom + 3 * i;
            }
        }
    }
    for (int i = 0; i < world->model.freedomCount; ++i) {
        if (!isfinite(values[i])) return i;
    }
    return -1;
}

hwStatus hwWorld_CheckForces(const hwWorld* world, const double* values, double time, hwError* error) {
    int bad = -1;
    for (int i = 0; i < world->model.freedomCount && bad < 0; ++i) {
        if (!isfinite(values[i])) bad = i;
    }
    if (bad < 0) return HW_OK;
    bad = FindBadFreedom(world, values);
    const char* name = hwWorld_NameFreedom(world, bad);
    char part[HW_PART_NAME];
    hwWorld_NamePart(world, bad, part);
    hwStatus status = hwFail(error, HW_ERROR_NUMERIC, name, "%s: the forces on %s are not finite at %.6g s",
                             name, part, time);
    hwFail_At(error, hwWorld_FindNode(world, bad), time);
    hwFail_Hint(error, "a signal, current or hydrodynamic model gave a value that is not a number");
    return status;
}

// For an evaluation at the state's time that no step goes on from.
static void FindContacts(hwWorld* world) {
    if (world->model.cableContact->obstacles != NULL) hwWorld_FindCableContacts(world, 0.0);
    if (world->model.cablePairs->on) hwWorld_FindCablePairs(world, 0.0);
}

int hwWorld_FindNode(const hwWorld* world, int freedom) {
    for (int k = world->model.cables->count - 1; k >= 0; --k) {
        int first = world->model.cables->slots[k].freedom;
        if (freedom >= first) return (freedom - first) / 3;
    }
    return -1;
}

hwStatus hwWorld_UpdateAccelerations(hwWorld* world, hwError* error) {
    hwStateHeader* header = world->state.header;
    if (header->accelerationValid) return HW_OK;
    hwState* state = &world->state;
    FindContacts(world);
    // not counted: who looks between two changes of inputs has it done once more, and the counters are in the state
    uint64_t evaluations = header->counters.evaluations, factorizations = header->counters.factorizations;
    hwWorld_Evaluate(world, header->time, state->q, state->v, state->z, 0.0, 0.0);
    hwWorld_KeepLoads(world);
    hwStatus status = hwWorld_SolveForward(world, state->v, state->a, error);
    header->counters.evaluations = evaluations;
    header->counters.factorizations = factorizations;
    if (status == HW_OK) status = hwWorld_CheckForces(world, state->a, header->time, error);
    if (status != HW_OK) return status;
    memcpy(state->zdot, world->work.zdot, (size_t)world->model.auxiliaryCount * sizeof(double));
    hwWorld_NoteEnergy(world);
    header->accelerationValid = 1;
    world->fresh = false;
    return HW_OK;
}

void hwWorld_Refresh(const hwWorld* constWorld) {
    if (constWorld->fresh) return;
    // Reading results fills caches; it never changes the state beyond accelerations that were not yet known.
    hwWorld* world = (hwWorld*)constWorld;
    hwWorld_UpdateAccelerations(world, NULL);
    uint64_t evaluations = world->state.header->counters.evaluations;
    uint64_t factorizations = world->state.header->counters.factorizations;
    hwState* state = &world->state;
    FindContacts(world);
    // evaluating moves the ends of cables, and all nodes of quasi-static ones, by what Newton's method had left
    hwWork* work = &world->work;
    size_t coordinates = (size_t)world->model.coordinateCount * sizeof(double);
    size_t freedoms = (size_t)world->model.freedomCount * sizeof(double);
    memcpy(work->y, state->q, coordinates);
    memcpy(work->y + world->model.coordinateCount, state->v, freedoms);
    hwWorld_Evaluate(world, state->header->time, state->q, state->v, state->z, 0.0, -1.0);
    hwWorld_ComputeResidual(world, state->a, work->residual);
    hwWorld_ReadCableEnergies(world);
    memcpy(state->q, work->y, coordinates);
    memcpy(state->v, work->y + world->model.coordinateCount, freedoms);
    world->state.header->counters.evaluations = evaluations;
    world->state.header->counters.factorizations = factorizations;
    world->fresh = true;
}

hwEnergy hwWorld_SumEnergy(const hwWorld* world) {
    hwEnergy energy = {0};
    double gravity = hwEnvironment_GetDef(world->environment)->gravity;
    for (int i = 0; i < world->model.forest.linkCount; ++i) {
        const hwLinkInfo* info = &world->model.links[i];
        if (!info->active) continue;
        const hwLinkMotion* m = &world->work.forest.motion[i];
        hwWide com = m->p + hwWideMat_Mul(&m->R, hwWide_FromVec3(info->com));
        energy.kinetic += 0.5 * hwWideSpatial_Dot(m->v, hwWideSym_Mul(&world->work.inertia[i], m->v));
        energy.potential += info->mass * gravity * com[2] + world->work.linkPotential[i];
    }
    for (int i = 0; i < world->model.forest.freedomCount; ++i) {
        double rotor = world->work.jointInertia[i] - world->work.jointVirtual[i];
        energy.kinetic += 0.5 * rotor * world->state.v[i] * world->state.v[i];
    }
    energy.elastic = world->work.elastic;
    energy.dissipated = world->state.z[HW_AUX_DISSIPATED] + world->state.z[HW_AUX_IMPACT];
    energy.work = world->state.z[HW_AUX_WORK];
    hwWorld_AddCableEnergy(world, &energy);
    hwWorld_AddSheaveEnergy(world, &energy);
    return energy;
}

void hwWorld_NoteEnergy(hwWorld* world) {
    hwEnergy energy = hwWorld_SumEnergy(world);
    hwStateHeader* header = world->state.header;
    header->lively = energy.kinetic + energy.elastic;
    header->conserved = header->lively + energy.potential - energy.work;
    header->traffic = 0.0;
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        if (hwWorld_HasCable(world, slot)) header->traffic += world->work.cables->tools[slot].traffic;
    }
}

hwEnergy hwWorld_GetEnergy(const hwWorld* world) {
    if (!world->prepared) return (hwEnergy){0};
    hwWorld_Refresh(world);
    return hwWorld_SumEnergy(world);
}

// Stepping ---------------------------------------------------------------------------------------------------------------

static hwStatus AdvanceBy(hwWorld* world, double interval, hwError* error) {
    hwStatus status = HW_OK;
    double end = world->state.header->time + interval;
    while (world->state.header->time < end) {
        double stop = fmin(end, fmin(hwWorld_NextEventTime(world), hwWorld_NextGripTime(world)));
        world->fresh = false;
        status = world->external.advance != NULL
                     ? world->external.advance(world->external.context, world, stop, error)
                     : hwRealtime_Advance(world, stop, error);
        world->fresh = false;
        if (status < HW_OK) return status;
        hwWorld_UpdateGrippers(world);
        hwStatus events = hwWorld_RunEvents(world, error);
        if (events != HW_OK) return events;
    }
    return status;
}

hwStatus hwWorld_Step(hwWorld* world, double interval, hwError* error) {
    hwClearError(error);
    hwStatus status = hwWorld_RequirePrepared(world, error);
    if (status != HW_OK) return status;
    if (!isfinite(interval) || interval < 0.0) {
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "a step of %g s is not possible", interval);
    }
    double begin = hwStageTimer_Begin(&world->timer);
    hwWorld_BeginStepEvents(world);
    status = AdvanceBy(world, interval, error);
    hwStageTimer_EndStep(&world->timer, begin);
    return status;
}
