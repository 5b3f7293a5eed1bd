// Reading a world: makes the work arrays agree with the state, and sums up energies.
#include "world/part.h"

#include <string.h>

void hwWorld_Refresh(const hwWorld* world) {
    hwWork* work = world->work;
    if (work->isCurrent) return;
    // Reading results fills caches; it never changes the state beyond accelerations that were not yet known.
    hwWorld_UpdateAccelerations(world, &hwMode_running, NULL);
    const hwState* state = &world->state;
    hwCounters counters = state->header->counters;
    hwWorld_FindContacts(world, &hwMode_running, 0.0, false);
    // evaluating moves the ends of cables, all nodes of quasi-static ones, and the material at sheaves and winches, by what
    // Newton's method had left
    double *q = work->y, *v = work->y + world->model.coordinateCount;
    size_t coordinates = hwWorld_GetCoordinateBytes(world);
    size_t freedoms = (size_t)work->freedomsInUse * sizeof(double);
    memcpy(q, state->q, coordinates);
    memcpy(v, state->v, freedoms);
    char *mesh = state->block + state->meshStart, *kept = work->backup + state->meshStart;
    memcpy(kept, mesh, state->meshSize);
    hwEvaluation now = {.time = state->header->time,
                        .q = state->q,
                        .v = state->v,
                        .zBase = state->z,
                        .stage = work->readStage,
                        .reuse = work->readReuse};
    hwWorld_Evaluate(world, &now);
    hwWorld_ComputeResidual(world, state->a, work->residual);
    HW_EACH_PART(world, part, readEnergies) part->readEnergies(world);
    memcpy(state->q, q, coordinates);
    memcpy(state->v, v, freedoms);
    memcpy(mesh, kept, state->meshSize);
    state->header->counters.evaluations = counters.evaluations;
    state->header->counters.factorizations = counters.factorizations;
    work->isCurrent = true;
}

hwEnergySum hwWorld_SumEnergy(const hwWorld* world) {
    hwEnergySum sum = {0};
    hwEnergy* energy = &sum.energy;
    double gravity = hwEnvironment_GetDef(world->environment)->gravity;
    for (int i = 0; i < world->model.forest.linkCount; ++i) {
        const hwLinkInfo* info = &world->model.links[i];
        if (!info->active) continue;
        const hwLinkMotion* m = &world->work->forest.motion[i];
        hwWide com = m->p + hwWideMat_Mul(&m->R, hwWide_FromVec3(info->com));
        double kinetic = 0.5 * hwWideSpatial_Dot(m->v, hwWideSym_Mul(&world->work->inertia[i], m->v));
        double potential = info->mass * gravity * com[2] + world->work->linkPotential[i];
        energy->kinetic += kinetic;
        energy->potential += potential;
        if (hwLink_IsBooked(world, i)) sum.stored += kinetic + potential;
    }
    for (int i = 0; i < world->model.forest.freedomCount; ++i) {
        double rotor = world->work->jointInertia[i] - world->work->jointVirtual[i];
        double kinetic = 0.5 * rotor * world->state.v[i] * world->state.v[i];
        energy->kinetic += kinetic;
        sum.stored += kinetic;
    }
    energy->elastic = world->work->elastic + world->work->springs;
    sum.stored += world->work->springs;
    energy->dissipated = world->state.z[HW_AUX_DISSIPATED] + world->state.z[HW_AUX_IMPACT];
    energy->stilled = world->state.sleep.stilled != NULL ? *world->state.sleep.stilled : 0.0;
    energy->dissipated += energy->stilled;
    energy->work = world->state.z[HW_AUX_WORK];
    energy->method = world->state.z[HW_AUX_METHOD];
    HW_EACH_PART(world, part, sumEnergy) part->sumEnergy(world, &sum);
    return sum;
}

double hwWorld_NoteEnergy(const hwWorld* world) {
    hwEnergySum sum = hwWorld_SumEnergy(world);
    hwStateHeader* header = world->state.header;
    header->mechanicalEnergy = sum.energy.kinetic + sum.energy.elastic;
    header->conserved = header->mechanicalEnergy + sum.energy.potential - sum.energy.work;
    header->endPower = sum.endPower;
    header->stored = sum.stored;
    return sum.found;
}

hwEnergy hwWorld_GetEnergy(const hwWorld* world) {
    if (!world->prepared) return (hwEnergy){0};
    hwWorld_Refresh(world);
    return hwWorld_SumEnergy(world).energy;
}
