// Water and air on links: sampling the fluid, and turning what the hydrodynamic models give into world axes.
#include "hydro/drag.h"
#include "world/world_internal.h"

#include <math.h>
#include <string.h>

static bool HasAddedMass(const hwSpatialSym* m) {
    return m->ll.xx + m->ll.yy + m->ll.zz + m->aa.xx + m->aa.yy + m->aa.zz > 0.0;
}

static void AddSample(hwWork* work, int link, hwVec3 local) {
    work->sampleLocal[work->sampleCount] = local;
    work->sampleLink[work->sampleCount++] = link;
}

void hwWorld_FindWetLinks(hwWorld* world) {
    hwWork* work = &world->work;
    work->wetCount = work->sampleCount = 0;
    for (int i = 0; i < world->model.forest.linkCount; ++i) {
        const hwLinkInfo* info = &world->model.links[i];
        work->firstSample[i] = -1;
        work->terms[i].kinds = 0;
        work->linkPotential[i] = work->linkSubmerged[i] = 0.0;
        if (!info->active || !(info->hasHydro || HasAddedMass(&world->state.addedMass[i]))) continue;
        work->firstSample[i] = work->sampleCount;
        work->wetLinks[work->wetCount++] = i;
        AddSample(work, i, info->hydro.buoyancyCenter);
        for (int s = 0; s < info->hydro.stripCount; ++s) {
            const hwStripDef* strip = &info->hydro.strips[s];
            for (int k = 0; k < strip->count; ++k) AddSample(work, i, hwStrip_GetMiddle(strip, k));
        }
    }
}

// Sampling -----------------------------------------------------------------------------------------------------------------

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

// Extra current and wind from the inputs `environment.current` and `environment.wind`, the first six inputs.
static void AddInputFlow(const hwWorld* world, hwFluidSample* sample, double height) {
    const double* flow = world->state.inputs + (height < sample->surface ? 0 : 3);
    sample->velocity = hwAdd(sample->velocity, hwMakeVec3(flow[0], flow[1], flow[2]));
}

static void SampleFluid(hwWorld* world, double time) {
    hwWork* work = &world->work;
    for (int i = 0; i < work->sampleCount; ++i) {
        const hwLinkMotion* m = &work->forest.motion[work->sampleLink[i]];
        work->samplePoints[i] =
            hwWide_ToVec3(m->p + hwWideMat_Mul(&m->R, hwWide_FromVec3(work->sampleLocal[i])));
    }
    SampleJob job = {world->environment, work->samplePoints, time, work->samples};
    hwTeam_Loop(world->team, work->sampleCount, 64, SampleRange, &job);
    const double* flow = world->state.inputs;
    if (flow[0] == 0.0 && flow[1] == 0.0 && flow[2] == 0.0 && flow[3] == 0.0 && flow[4] == 0.0 &&
        flow[5] == 0.0)
        return;
    for (int i = 0; i < work->sampleCount; ++i)
        AddInputFlow(world, &work->samples[i], work->samplePoints[i].z);
}

// A link near the surface needs both fluids: sample the side on which its buoyancy centre is not.
static void SampleOtherSide(hwWorld* world, int link, double time) {
    const hwLinkInfo* info = &world->model.links[link];
    const hwFluidSample* sample = &world->work.samples[world->work.firstSample[link]];
    hwVec3 point = world->work.samplePoints[world->work.firstSample[link]];
    double height = point.z - sample->surface;
    world->work.otherSide[link] = *sample;
    if (!(fabs(height) < info->reach)) return;
    point.z = sample->surface + (height < 0.0 ? 1e-6 * info->reach : -1e-6 * info->reach);
    hwEnvironment_Sample(world->environment, 1, &point, time, &world->work.otherSide[link]);
    AddInputFlow(world, &world->work.otherSide[link], point.z);
}

// Any link -----------------------------------------------------------------------------------------------------------------

static void FillInput(const hwWorld* world, int i, double time, const hwHydroDef* hydro,
                      hwHydroInput* input) {
    const hwWork* work = &world->work;
    const hwLinkInfo* info = &world->model.links[i];
    const hwLinkMotion* motion = &work->forest.motion[i];
    const hwEnvironmentDef* environment = hwEnvironment_GetDef(world->environment);
    int first = work->firstSample[i];
    const hwFluidSample* sample = &work->samples[first];
    *input = (hwHydroInput){.time = time,
                            .mass = info->mass,
                            .pose = {hwWide_ToVec3(motion->p), hwQuatFromMat3(hwWideMat_ToMat3(&motion->R))},
                            .gravity = environment->gravity,
                            .waterDensity = environment->water ? environment->waterDensity : 0.0,
                            .level = environment->surface,
                            .airDensity = environment->airDensity,
                            .water = *sample,
                            .air = *sample,
                            .strips = sample + 1,
                            .def = hydro,
                            .solid = &info->body->solid};
    if (environment->water) {
        bool under = work->samplePoints[first].z < sample->surface;
        *(under ? &input->air : &input->water) = work->otherSide[i];
    }
    hwSpatialToArray(hwWideSpatial_ToLink(motion->v, &motion->R), input->velocity);
}

// Water and air on link i: its wrench, added inertia, and what the implicit solver needs.
static void AddHydro(hwWorld* world, int i, double time) {
    hwWork* work = &world->work;
    const hwLinkInfo* info = &world->model.links[i];
    const hwLinkMotion* motion = &work->forest.motion[i];
    hwHydroDef hydro = info->hydro;
    hwSpatialSymToArray(&world->state.addedMass[i], &hydro.addedMass[0][0]);
    hwHydroInput input;
    FillInput(world, i, time, &hydro, &input);
    hwHydroOutput output = {0};
    hwHydroFn* function = info->body->def.hydroFn;
    if (function != NULL) {
        function(&input, &output, info->body->def.hydroContext);
    } else {
        hwHydro_Evaluate(&input, &output);
    }
    hwWideSpatial wrench = hwWideSpatial_FromLink(hwSpatialFromArray(output.wrench), &motion->R);
    hwSpatialSym added = hwSpatialSymFromArray(&output.addedMass[0][0]);
    hwWideSym turned = hwWideSym_FromLink(&added, &motion->R);
    // the model's acceleration is the rate of change of the velocity's components in link axes
    hwWideSpatial rate = {motion->a0.l - hwWide_Cross(motion->v.a, motion->v.l), motion->a0.a};
    hwWideSpatial needed = hwWideSym_Mul(&turned, rate);
    work->wrench[i].l += wrench.l - needed.l;
    work->wrench[i].a += wrench.a - needed.a;
    hwWideSym_Add(&work->inertia[i], &turned);
    work->terms[i].kinds |= HW_TERMS_LINK;
    work->terms[i].damping = hwSpatialSymFromArray(&output.damping[0][0]);
    work->terms[i].stiffness = hwSpatialSymFromArray(&output.stiffness[0][0]);
    work->linkPotential[i] = output.potential;
    work->linkSubmerged[i] = output.submerged;
    work->linkPowers[i].dissipation += output.dissipation;
    work->linkPowers[i].work += output.work;
}

// All of them --------------------------------------------------------------------------------------------------------------

typedef struct WetJob {
    hwWorld* world;
    double time;
} WetJob;

static void AddHydroRange(int first, int last, void* context) {
    const WetJob* job = context;
    for (int k = first; k < last; ++k) AddHydro(job->world, job->world->work.wetLinks[k], job->time);
}

void hwWorld_AddFluidForces(hwWorld* world, double time) {
    hwWork* work = &world->work;
    if (work->wetCount == 0) return;
    SampleFluid(world, time);
    if (hwEnvironment_GetDef(world->environment)->water) {
        for (int k = 0; k < work->wetCount; ++k) SampleOtherSide(world, work->wetLinks[k], time);
    }
    WetJob job = {world, time};
    hwTeam_Loop(world->team, work->wetCount, 16, AddHydroRange, &job);
}
