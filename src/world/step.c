// One evaluation of everything, and one step. Evaluate reads as the pipeline: inputs, kinematics, environment,
// hydrodynamics, forces; then mechanics turns wrenches into residuals and solves.
#include "world/world_internal.h"

#include "math/attitude.h"
#include "record/channels.h"

#include <math.h>
#include <string.h>

// Prescribed motion --------------------------------------------------------------------------------------------------

static hwDrive MakeDrive(const hwBodyState* state) {
    hwDrive drive;
    drive.placement.R = hwMat3FromQuat(state->attitude);
    drive.placement.r = state->position;
    hwVec3 v = hwMulTV(drive.placement.R, state->velocity);
    hwVec3 a = hwMulTV(drive.placement.R, state->acceleration);
    drive.velocity = (hwSpatial){v, state->rate};
    drive.acceleration = (hwSpatial){hwSub(a, hwCross(state->rate, v)), state->rateAcceleration};
    return drive;
}

// A caller who drives a body by hand gives its motion now and then; in between it goes on with its acceleration.
static hwBodyState FollowManual(const hwManualMotion* manual, double time) {
    hwBodyState state = manual->state;
    double dt = time - manual->time;
    hwVec3 turn = hwMulAdd(hwScale(dt, state.rate), 0.5 * dt * dt, state.rateAcceleration);
    state.attitude = hwMulQuat(state.attitude, hwQuatFromRotationVector(turn));
    state.position =
        hwMulAdd(hwMulAdd(state.position, dt, state.velocity), 0.5 * dt * dt, state.acceleration);
    state.velocity = hwMulAdd(state.velocity, dt, state.acceleration);
    state.rate = hwMulAdd(state.rate, dt, state.rateAcceleration);
    return state;
}

static hwBodyState PrescribedState(const hwBodyDef* def, double time) {
    hwBodyState state = {.position = def->position, .attitude = hwNormalizeQuat(def->attitude)};
    if (def->motion != HW_MOTION_PRESCRIBED) return state;
    if (hwSignal_IsPresent(&def->prescribedPosition)) {
        hwSignalValue p = hwSignal_Evaluate(&def->prescribedPosition, time);
        state.position = p.value;
        state.velocity = p.rate;
        state.acceleration = p.acceleration;
    }
    if (hwSignal_IsPresent(&def->prescribedAttitude)) {
        hwSignalValue rpy = hwSignal_Evaluate(&def->prescribedAttitude, time);
        state.attitude = hwQuatFromRpy(rpy.value.x, rpy.value.y, rpy.value.z);
        state.rate = hwRateFromRpy(rpy.value, rpy.rate);
        state.rateAcceleration = hwRateAccelerationFromRpy(rpy.value, rpy.rate, rpy.acceleration);
    }
    return state;
}

static void UpdateDrives(hwWorld* world, double time) {
    for (int i = 0; i < world->model.forest.linkCount; ++i) {
        if (world->model.forest.links[i].joint != HW_LINK_DRIVEN) continue;
        const hwManualMotion* manual = &world->state.manual[i];
        hwBodyState state = manual->set != 0.0 ? FollowManual(manual, time)
                                               : PrescribedState(&world->model.links[i].body->def, time);
        world->work.drives[i] = MakeDrive(&state);
    }
}

// Fluid ----------------------------------------------------------------------------------------------------------------

typedef struct SampleJob {
    const hwEnvironment* environment;
    const hwVec3* points;
    double time;
    hwFluidSample* samples;
} SampleJob;

static void SampleRange(int first, int last, void* context) {
    const SampleJob* job = context;
    hwEnvironment_Sample(job->environment, last - first, job->points + first, job->time,
                         job->samples + first);
}

static hwVec3 ReadInputVec3(const double* inputs) {
    return hwMakeVec3(inputs[0], inputs[1], inputs[2]);
}

// Extra current and wind from the inputs `environment.current` and `environment.wind`, the first six inputs.
static void AddInputFlow(const hwWorld* world, hwFluidSample* sample, double height) {
    const double* flow = world->state.inputs + (height < sample->surface ? 0 : 3);
    sample->velocity = hwAdd(sample->velocity, ReadInputVec3(flow));
}

// A link near the surface needs both fluids: sample the side on which its buoyancy centre is not.
static void SampleOtherSide(hwWorld* world, int link, double time) {
    const hwLinkInfo* info = &world->model.links[link];
    const hwFluidSample* sample = &world->work.samples[info->sample];
    hwVec3 point = world->work.samplePoints[info->sample];
    double radius =
        info->body->solid.radius + hwDistance(info->body->solid.center, info->hydro.buoyancyCenter);
    double reach = fmax(radius, cbrt(fmax(info->hydro.volume, info->mass / sample->density)));
    double height = point.z - sample->surface;
    world->work.otherSide[link] = *sample;
    if (!(fabs(height) < reach)) return;
    point.z = sample->surface + (height < 0.0 ? 1e-6 * reach : -1e-6 * reach);
    hwEnvironment_Sample(world->environment, 1, &point, time, &world->work.otherSide[link]);
    AddInputFlow(world, &world->work.otherSide[link], point.z);
}

static void SampleFluid(hwWorld* world, double time) {
    hwModel* model = &world->model;
    hwWork* work = &world->work;
    for (int i = 0; i < model->sampleCount; ++i) {
        const hwPlacement* place = &work->forest.motion[model->sampleLink[i]].world;
        work->samplePoints[i] = hwAdd(place->r, hwMulMV(place->R, model->sampleLocal[i]));
    }
    SampleJob job = {world->environment, work->samplePoints, time, work->samples};
    hwTeam_Loop(world->team, model->sampleCount, 64, SampleRange, &job);
    for (int i = 0; i < model->sampleCount; ++i)
        AddInputFlow(world, &work->samples[i], work->samplePoints[i].z);
    if (!hwEnvironment_GetDef(world->environment)->water) return;
    for (int i = 0; i < model->forest.linkCount; ++i) {
        if (model->links[i].hasHydro && model->links[i].active) SampleOtherSide(world, i, time);
    }
}

// Forces on links --------------------------------------------------------------------------------------------------------

static bool HasAddedMass(const hwSpatialSym* m) {
    return m->ll.xx + m->ll.yy + m->ll.zz + m->aa.xx + m->aa.yy + m->aa.zz > 0.0;
}

// Water and air on link i: its wrench, added inertia, and what the implicit solver needs.
static void AddHydro(hwWorld* world, int i, double time) {
    hwWork* work = &world->work;
    const hwLinkInfo* info = &world->model.links[i];
    const hwLinkMotion* motion = &work->forest.motion[i];
    const hwEnvironmentDef* environment = hwEnvironment_GetDef(world->environment);
    const hwFluidSample* sample = &work->samples[info->sample];
    hwHydroDef hydro = info->hydro;
    hwSpatialSymToArray(&world->state.addedMass[i], &hydro.addedMass[0][0]);
    hwHydroInput input = {.time = time,
                          .mass = info->mass,
                          .pose = {motion->world.r, hwQuatFromMat3(motion->world.R)},
                          .gravity = environment->gravity,
                          .waterDensity = environment->water ? environment->waterDensity : 0.0,
                          .level = environment->surface,
                          .airDensity = environment->airDensity,
                          .water = *sample,
                          .air = *sample,
                          .strips = work->samples + info->stripSample,
                          .def = &hydro,
                          .solid = &info->body->solid};
    if (environment->water) {
        bool under = work->samplePoints[info->sample].z < sample->surface;
        *(under ? &input.air : &input.water) = work->otherSide[i];
    }
    hwSpatialToArray(motion->v, input.velocity);
    hwHydroOutput output = {0};
    hwHydroFn* function = info->body->def.hydroFn;
    if (function != NULL) {
        function(&input, &output, info->body->def.hydroContext);
    } else {
        hwHydro_Evaluate(&input, &output);
    }
    work->wrench[i] = hwAddS(work->wrench[i], hwSpatialFromArray(output.wrench));
    hwSpatialSym added = hwSpatialSymFromArray(&output.addedMass[0][0]);
    work->inertia[i] = hwAddSpatialSym(&work->inertia[i], &added);
    work->damping[i] = hwSpatialSymFromArray(&output.damping[0][0]);
    work->stiffness[i] = hwSpatialSymFromArray(&output.stiffness[0][0]);
    work->linkPotential[i] += output.potential;
    work->linkSubmerged[i] = output.submerged;
    work->linkPowers[i].dissipation += output.dissipation;
    work->linkPowers[i].work += output.work;
}

static void AddWork(hwWorld* world, int i, hwSpatial wrench) {
    world->work.wrench[i] = hwAddS(world->work.wrench[i], wrench);
    world->work.linkPowers[i].work += hwDotS(wrench, world->work.forest.motion[i].v);
}

// Weight, water, and what the user applies to link i.
static void ComputeLinkForces(hwWorld* world, int i, double time) {
    hwWork* work = &world->work;
    const hwLinkInfo* info = &world->model.links[i];
    const hwLinkMotion* motion = &work->forest.motion[i];
    double gravity = hwEnvironment_GetDef(world->environment)->gravity;
    hwVec3 weight = hwMulTV(motion->world.R, hwMakeVec3(0.0, 0.0, -info->mass * gravity));
    work->wrench[i] = (hwSpatial){weight, hwCross(info->com, weight)};
    work->inertia[i] = world->model.forest.links[i].inertia;
    memset(&work->damping[i], 0, sizeof(hwSpatialSym));
    memset(&work->stiffness[i], 0, sizeof(hwSpatialSym));
    hwVec3 com = hwAdd(motion->world.r, hwMulMV(motion->world.R, info->com));
    work->linkPotential[i] = info->mass * gravity * com.z;
    work->linkSubmerged[i] = 0.0;
    work->linkPowers[i] = (hwPowers){0.0, 0.0};
    if (!info->active) return;
    if (info->hasHydro || HasAddedMass(&world->state.addedMass[i])) AddHydro(world, i, time);
    const double* inputs = world->state.inputs + 6 + 6 * i;
    hwSpatial steady = world->state.appliedWorld[i];
    steady.l = hwAdd(steady.l, ReadInputVec3(inputs));
    steady.a = hwAdd(steady.a, ReadInputVec3(inputs + 3));
    hwSpatial turned = {hwMulTV(motion->world.R, steady.l), hwMulTV(motion->world.R, steady.a)};
    AddWork(world, i, hwAddS(turned, world->state.appliedBody[i]));
}

typedef struct LinkJob {
    hwWorld* world;
    double time;
} LinkJob;

static void ComputeLinkRange(int first, int last, void* context) {
    const LinkJob* job = context;
    for (int i = first; i < last; ++i) ComputeLinkForces(job->world, i, job->time);
}

static void AddSignalForces(hwWorld* world, double time) {
    for (int k = 0; k < world->model.forceCount; ++k) {
        const hwForceDef* def = &world->model.forces[k]->def;
        int i = hwWorld_GetBody(world, def->body)->link;
        const hwLinkMotion* motion = &world->work.forest.motion[i];
        hwVec3 force = hwSignal_Evaluate(&def->force, time).value;
        hwVec3 torque = hwSignal_Evaluate(&def->torque, time).value;
        if (def->frame == HW_FRAME_WORLD) {
            force = hwMulTV(motion->world.R, force);
            torque = hwMulTV(motion->world.R, torque);
        }
        AddWork(world, i, (hwSpatial){force, hwAdd(torque, hwCross(def->at, force))});
    }
}

static hwPowers SumPowers(const hwWorld* world) {
    hwPowers sum = {0.0, 0.0};
    for (int i = 0; i < world->model.forest.linkCount; ++i) {
        if (!world->model.links[i].active) continue;
        sum.dissipation += world->work.linkPowers[i].dissipation;
        sum.work += world->work.linkPowers[i].work;
    }
    return sum;
}

static void SetAuxiliary(hwWork* work, int index, const double* zBase, double hd, double rate) {
    work->zdot[index] = rate;
    work->z[index] = zBase[index] + hd * rate;
}

void hwWorld_Evaluate(hwWorld* world, double time, const double* q, const double* v, const double* zBase,
                      double hd) {
    world->state.header->counters.evaluations += 1;
    UpdateDrives(world, time);
    hwForest_ComputeMotion(&world->model.forest, q, v, world->work.drives, &world->work.forest);
    SampleFluid(world, time);
    LinkJob job = {world, time};
    hwTeam_Loop(world->team, world->model.forest.linkCount, 16, ComputeLinkRange, &job);
    AddSignalForces(world, time);
    hwPowers powers = SumPowers(world);
    SetAuxiliary(&world->work, HW_AUX_DISSIPATED, zBase, hd, powers.dissipation);
    SetAuxiliary(&world->work, HW_AUX_WORK, zBase, hd, powers.work);
}

// Mechanics --------------------------------------------------------------------------------------------------------------

void hwWorld_ComputeResidual(hwWorld* world, const double* a, double* residual) {
    hwWork* work = &world->work;
    const hwForest* forest = &world->model.forest;
    hwForest_ComputeAccelerations(forest, a, work->drives, &work->forest);
    hwForest_ComputeEfforts(forest, work->inertia, work->wrench, &work->forest, work->efforts);
    for (int i = 0; i < forest->freedomCount; ++i) residual[i] = -work->efforts[i];
}

hwStatus hwWorld_Factor(hwWorld* world, double hd, hwError* error) {
    hwWork* work = &world->work;
    const hwForest* forest = &world->model.forest;
    world->state.header->counters.factorizations += 1;
    for (int i = 0; i < forest->linkCount; ++i) {
        work->K[i] = work->inertia[i];
        hwMulAddSpatialSym(&work->K[i], hd, &work->damping[i]);
        hwMulAddSpatialSym(&work->K[i], hd * hd, &work->stiffness[i]);
    }
    memset(work->jointDiagonal, 0, (size_t)forest->freedomCount * sizeof(double));
    int failed = -1;
    if (hwForest_Factor(forest, work->K, work->jointDiagonal, &work->forest, &failed)) return HW_OK;
    const char* name = world->model.links[failed].body->def.name;
    hwStatus status =
        hwFail(error, HW_ERROR_NUMERIC, name, "%s: the inertia seen at the joint is not positive", name);
    hwFail_At(error, -1, world->state.header->time);
    hwFail_Hint(error, "check mass, inertia and added mass");
    return status;
}

void hwWorld_SolveFactored(hwWorld* world, const double* b, double* x) {
    hwForest_Solve(&world->model.forest, &world->work.forest, b, x);
}

void hwWorld_MultiplyMass(hwWorld* world, const double* x, double* y) {
    const hwForest* forest = &world->model.forest;
    hwForest_MultiplyInertia(forest, world->work.inertia, &world->work.forest, x, y);
}

const char* hwWorld_NameFreedom(const hwWorld* world, int freedom) {
    for (int i = world->model.forest.linkCount - 1; i >= 0; --i) {
        const hwLink* link = &world->model.forest.links[i];
        if (freedom >= link->freedom && freedom < link->freedom + hwJoint_CountFreedoms(link->joint)) {
            return world->model.links[i].body->def.name;
        }
    }
    return "";
}

hwStatus hwWorld_UpdateAccelerations(hwWorld* world, hwError* error) {
    hwStateHeader* header = world->state.header;
    if (header->accelerationValid) return HW_OK;
    hwState* state = &world->state;
    int count = world->model.forest.freedomCount;
    hwWorld_Evaluate(world, header->time, state->q, state->v, state->z, 0.0);
    memset(state->a, 0, (size_t)count * sizeof(double));
    hwWorld_ComputeResidual(world, state->a, world->work.residual);
    hwStatus status = hwWorld_Factor(world, 0.0, error);
    if (status != HW_OK) return status;
    hwWorld_SolveFactored(world, world->work.residual, state->a);
    for (int i = 0; i < count; ++i) {
        if (isfinite(state->a[i])) continue;
        const char* name = hwWorld_NameFreedom(world, i);
        status = hwFail(error, HW_ERROR_NUMERIC, name, "%s: the forces on it are not finite", name);
        hwFail_At(error, -1, header->time);
        hwFail_Hint(error, "a signal, current or hydrodynamic model gave a value that is not a number");
        return status;
    }
    memcpy(state->zdot, world->work.zdot, (size_t)world->model.auxiliaryCount * sizeof(double));
    header->accelerationValid = 1;
    world->fresh = false;
    return HW_OK;
}

void hwWorld_Refresh(const hwWorld* constWorld) {
    if (constWorld->fresh) return;
    // Reading results fills caches; it never changes the state beyond accelerations that were not yet known.
    hwWorld* world = (hwWorld*)constWorld;
    uint64_t evaluations = world->state.header->counters.evaluations;
    uint64_t factorizations = world->state.header->counters.factorizations;
    hwWorld_UpdateAccelerations(world, NULL);
    hwState* state = &world->state;
    hwWorld_Evaluate(world, state->header->time, state->q, state->v, state->z, 0.0);
    hwForest_ComputeAccelerations(&world->model.forest, world->state.a, world->work.drives,
                                  &world->work.forest);
    world->state.header->counters.evaluations = evaluations;
    world->state.header->counters.factorizations = factorizations;
    world->fresh = true;
}

hwEnergy hwWorld_GetEnergy(const hwWorld* world) {
    hwEnergy energy = {0};
    if (!world->prepared) return energy;
    hwWorld_Refresh(world);
    for (int i = 0; i < world->model.forest.linkCount; ++i) {
        if (!world->model.links[i].active) continue;
        hwSpatial v = world->work.forest.motion[i].v;
        energy.kinetic += 0.5 * hwDotS(v, hwMulSpatialSym(&world->work.inertia[i], v));
        energy.potential += world->work.linkPotential[i];
    }
    energy.dissipated = world->state.z[HW_AUX_DISSIPATED];
    energy.work = world->state.z[HW_AUX_WORK];
    return energy;
}

// Stepping ---------------------------------------------------------------------------------------------------------------

hwStatus hwWorld_Step(hwWorld* world, double interval, hwError* error) {
    hwClearError(error);
    hwStatus status = hwWorld_RequirePrepared(world, error);
    if (status != HW_OK) return status;
    if (!isfinite(interval) || interval < 0.0) {
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "a step of %g s is not possible", interval);
    }
    double end = world->state.header->time + interval;
    while (world->state.header->time < end) {
        double stop = fmin(end, hwWorld_NextEventTime(world));
        world->fresh = false;
        status = world->external.advance != NULL
                     ? world->external.advance(world->external.context, world, stop, error)
                     : hwRealtime_Advance(world, stop, error);
        world->fresh = false;
        if (status < HW_OK) return status;
        hwWorld_RunEvents(world);
    }
    return status;
}
