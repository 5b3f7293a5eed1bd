// Hashes defs field by field: structures have padding and pointers, which differ from run to run.
#include "api/signature.h"

#include "base/hash.h"
#include "parts/forces/forces.h"
#include "parts/sheaves/sheaves.h"
#include "parts/instruments/instruments.h"
#include "parts/vehicles/vehicles.h"
#include "parts/winches/winches.h"
#include "world/cable_slots.h"

#include <math.h>
#include <string.h>

typedef struct Signer {
    uint64_t hash;
} Signer;

static void SignNumbers(Signer* signer, int count, const double* numbers) {
    for (int i = 0; i < count; ++i) {
        // one value for all that are not a number, whose bits differ
        double number = isnan(numbers[i]) ? 1.5e308 : numbers[i];
        signer->hash = hwHash(signer->hash, &number, sizeof(number));
    }
}

static void SignNumber(Signer* signer, double number) {
    SignNumbers(signer, 1, &number);
}

static void SignWhole(Signer* signer, int64_t number) {
    signer->hash = hwHash(signer->hash, &number, sizeof(number));
}

static void SignText(Signer* signer, const char* text) {
    size_t length = text != NULL ? strlen(text) : 0;
    SignWhole(signer, (int64_t)length);
    if (length > 0) signer->hash = hwHash(signer->hash, text, length);
}

static void SignVec3(Signer* signer, hwVec3 v) {
    const double numbers[3] = {v.x, v.y, v.z};
    SignNumbers(signer, 3, numbers);
}

static void SignQuat(Signer* signer, hwQuat q) {
    const double numbers[4] = {q.w, q.x, q.y, q.z};
    SignNumbers(signer, 4, numbers);
}

static void SignVectors(Signer* signer, int count, const hwVec3* vectors) {
    SignWhole(signer, count);
    for (int i = 0; i < count; ++i) SignVec3(signer, vectors[i]);
}

static void SignSignal(Signer* signer, const hwSignal* signal) {
    SignWhole(signer, signal->termCount);
    for (int i = 0; i < signal->termCount; ++i) {
        const hwSignalTerm* term = &signal->terms[i];
        SignWhole(signer, term->kind);
        SignVec3(signer, term->offset);
        SignVec3(signer, term->amplitude);
        SignVec3(signer, term->period);
        SignVec3(signer, term->phase);
        SignNumber(signer, term->start);
        SignNumber(signer, term->end);
        SignWhole(signer, term->cubic);
        if (term->kind != HW_SIGNAL_TABLE) continue;
        SignVectors(signer, term->count, term->values);
        SignNumbers(signer, term->count, term->times);
    }
}

static void SignMesh(Signer* signer, const hwMeshData* mesh) {
    SignVectors(signer, mesh->vertexCount, mesh->vertices);
    SignWhole(signer, mesh->triangleCount);
    if (mesh->triangleCount > 0)
        signer->hash =
            hwHash(signer->hash, mesh->triangles, (size_t)mesh->triangleCount * sizeof(*mesh->triangles));
}

static void SignFilter(Signer* signer, const hwFilter* filter) {
    SignWhole(signer, (int64_t)filter->category);
    SignWhole(signer, (int64_t)filter->mask);
}

// Bodies and links -------------------------------------------------------------------------------------------------------

static void SignShapes(Signer* signer, int count, const hwShapeDef* shapes) {
    SignWhole(signer, count);
    for (int i = 0; i < count; ++i) {
        const hwShapeDef* shape = &shapes[i];
        SignWhole(signer, shape->kind);
        SignVec3(signer, shape->size);
        SignNumber(signer, shape->radius);
        SignNumber(signer, shape->length);
        SignVec3(signer, shape->pose.p);
        SignQuat(signer, shape->pose.q);
        SignText(signer, shape->material);
        SignFilter(signer, &shape->filter);
        SignWhole(signer, shape->partCount);
        if (shape->kind == HW_SHAPE_HULL || shape->kind == HW_SHAPE_MESH) SignMesh(signer, &shape->mesh);
        for (int k = 0; k < shape->partCount; ++k) SignMesh(signer, &shape->parts[k]);
    }
}

static void SignHydro(Signer* signer, const hwHydroDef* hydro) {
    SignNumber(signer, hydro->volume);
    SignWhole(signer, hydro->hasBuoyancyCenter);
    SignVec3(signer, hydro->buoyancyCenter);
    for (int i = 0; i < 6; ++i) SignNumbers(signer, 6, hydro->addedMass[i]);
    SignNumbers(signer, 6, hydro->linearDrag);
    SignNumbers(signer, 6, hydro->quadraticDrag);
    SignWhole(signer, hydro->stripCount);
    for (int i = 0; i < hydro->stripCount; ++i) {
        const hwStripDef* strip = &hydro->strips[i];
        SignVec3(signer, strip->from);
        SignVec3(signer, strip->to);
        const double numbers[3] = {strip->diameter, strip->normal, strip->tangential};
        SignNumbers(signer, 3, numbers);
        SignWhole(signer, strip->count);
        SignWhole(signer, strip->curve);
    }
    SignWhole(signer, hydro->liftCount);
    for (int i = 0; i < hydro->liftCount; ++i) {
        const hwLiftDef* lift = &hydro->lifts[i];
        SignVec3(signer, lift->at);
        SignVec3(signer, lift->normal);
        SignVec3(signer, lift->ahead);
        const double numbers[3] = {lift->area, lift->slope, lift->stall};
        SignNumbers(signer, 3, numbers);
    }
    const double numbers[4] = {hydro->sphereDiameter, hydro->sphereDrag, hydro->skinArea, hydro->skinLength};
    SignNumbers(signer, 4, numbers);
}

static void SignRao(Signer* signer, const hwRaoDef* rao) {
    SignWhole(signer, rao->headingCount);
    if (rao->headingCount == 0) return;
    SignNumbers(signer, rao->headingCount, rao->headings);
    SignWhole(signer, rao->periodCount);
    SignNumbers(signer, rao->periodCount, rao->periods);
    SignNumbers(signer, 12 * rao->headingCount * rao->periodCount, rao->rows);
}

static void SignPotential(Signer* signer, const hwPotentialDef* def) {
    if (def->frequencyCount == 0) return;
    SignWhole(signer, def->frequencyCount);
    SignNumbers(signer, def->frequencyCount, def->frequencies);
    SignNumbers(signer, 36 * def->frequencyCount, def->damping);
    for (int i = 0; i < 6; ++i) SignNumbers(signer, 6, def->addedMass[i]);
    for (int i = 0; i < 6; ++i) SignNumbers(signer, 6, def->stiffness[i]);
    SignWhole(signer, def->headingCount);
    SignNumbers(signer, def->headingCount, def->headings);
    SignNumbers(signer, 12 * def->headingCount * def->frequencyCount, def->excitation);
    SignNumber(signer, def->height);
}

static void SignBody(Signer* signer, const hwBodyDef* def) {
    SignText(signer, def->name);
    SignNumber(signer, def->mass);
    SignNumbers(signer, 6, def->inertia);
    SignVec3(signer, def->com);
    SignQuat(signer, def->comAttitude);
    SignWhole(signer, def->motion);
    if (def->motion != HW_MOTION_FREE) { // where it stays
        SignVec3(signer, def->position);
        SignQuat(signer, def->attitude);
    }
    SignHydro(signer, &def->hydro);
    SignWhole(signer, def->hydroFn != NULL);
    SignShapes(signer, def->shapeCount, def->shapes);
    SignSignal(signer, &def->prescribedPosition);
    SignSignal(signer, &def->prescribedAttitude);
    SignRao(signer, &def->rao);
    const double box[5] = {def->box.length, def->box.beam, def->box.draught, def->box.rollPeriod,
                           def->box.rollDamping};
    SignNumbers(signer, 5, box);
    SignPotential(signer, &def->potential);
}

static void SignJoint(Signer* signer, const hwJointObject* joint) {
    const hwLinkDef* def = &joint->def;
    SignWhole(signer, joint->parent.index);
    SignWhole(signer, def->joint);
    SignVec3(signer, joint->tree.r);
    SignQuat(signer, hwQuatFromMat3(joint->tree.R));
    SignVec3(signer, joint->axis);
    const double limits[7] = {def->limits.low,      def->limits.high,     def->limits.swing[0],
                              def->limits.swing[1], def->limits.swing[2], def->limits.stiffness,
                              def->limits.damping};
    SignNumbers(signer, 7, limits);
    SignSignal(signer, &def->control.target);
    SignSignal(signer, &def->control.effort);
    SignNumber(signer, def->control.limit);
    SignWhole(signer, def->control.compensate);
    const double friction[3] = {def->friction.coulomb, def->friction.viscous, def->friction.stick};
    SignNumbers(signer, 3, friction);
    const hwActuatorDef* actuator = &def->actuator;
    SignWhole(signer, actuator->kind);
    const double motor[7] = {actuator->inertia,     actuator->torqueConstant, actuator->backEmf,
                             actuator->resistance,  actuator->brushDrop,      actuator->halfDrop,
                             actuator->timeConstant};
    SignNumbers(signer, 7, motor);
    const hwFootDef* feet = &def->feet;
    SignVectors(signer, feet->count, feet->points);
    const double foot[7] = {feet->area,          feet->stiffness, feet->damping,        feet->planarStiffness,
                            feet->planarDamping, feet->friction,  feet->kineticFriction};
    SignNumbers(signer, 7, foot);
    SignWhole(signer, def->drive != NULL);
}

// Cables and what hauls them ---------------------------------------------------------------------------------------------

static void SignCable(Signer* signer, const hwCableDef* def) {
    SignText(signer, def->name);
    SignWhole(signer, def->kind);
    SignWhole(signer, def->sectionCount);
    for (int i = 0; i < def->sectionCount; ++i) {
        const hwCableSectionDef* s = &def->sections[i];
        const double numbers[] = {s->length,
                                  s->grading,
                                  s->diameter,
                                  s->massPerLength,
                                  s->EA,
                                  s->EI,
                                  s->GJ,
                                  s->axialDamping,
                                  s->bendingDamping,
                                  s->torsionDamping,
                                  s->dragNormal,
                                  s->dragTangential,
                                  s->addedNormal,
                                  s->addedTangential,
                                  s->compression,
                                  s->breakTension,
                                  s->minElement,
                                  s->maxElement};
        SignNumbers(signer, (int)(sizeof(numbers) / sizeof(numbers[0])), numbers);
        SignWhole(signer, s->elements);
        SignText(signer, s->material);
        SignWhole(signer, s->curveCount);
        SignNumbers(signer, s->curveCount, s->curveStrains);
        SignNumbers(signer, s->curveCount, s->curveTensions);
        SignNumber(signer, s->lockRadius);
        SignNumber(signer, s->lockStiffness);
    }
    for (int e = 0; e < 2; ++e)
        SignSignal(signer, &def->ends[e].path); // what else an end has is in the state
    SignWhole(signer, def->massCount);
    for (int i = 0; i < def->massCount; ++i) {
        const double mass[3] = {def->masses[i].at, def->masses[i].mass, def->masses[i].diameter};
        SignNumbers(signer, 3, mass);
    }
    const double numbers[7] = {def->refine,      def->reserve[0],    def->reserve[1], def->pidProportional,
                               def->pidIntegral, def->pidDerivative, def->pidFriction};
    SignNumbers(signer, 7, numbers);
    SignWhole(signer, def->cuts);
    SignWhole(signer, def->contactNodes);
    if (def->kind == HW_CABLE_WRAP) SignWhole(signer, def->wrap.bend);
    if (def->kind == HW_CABLE_WRAP && def->wrap.rules == HW_WRAP_SEED) {
        const double seed[5] = {def->wrap.buoyancy, def->wrap.greatestCurrent, def->wrap.linearDepth,
                                def->wrap.stuckAngle, def->wrap.stuckCount};
        SignNumbers(signer, 5, seed);
    }
    SignWhole(signer, def->tension != NULL);
    SignFilter(signer, &def->filter);
}

static void SignWinch(Signer* signer, const hwWinchDef* def) {
    SignText(signer, def->name);
    SignWhole(signer, def->cable.index);
    SignWhole(signer, def->end);
    SignSignal(signer, &def->setpoint);
    SignWhole(signer, def->follow.index);
    SignVec3(signer, def->followAt);
    // gains and limits are inputs, which the state has
    const double numbers[5] = {def->drumInertia, def->drumRadius, def->brake, def->spring, def->longest};
    SignNumbers(signer, 5, numbers);
}

static void SignSheave(Signer* signer, const hwSheaveDef* def) {
    SignText(signer, def->name);
    for (int side = 0; side < 2; ++side) {
        SignWhole(signer, def->cables[side].index);
        SignWhole(signer, def->ends[side]);
    }
    const double numbers[4] = {def->inertia, def->radius, def->friction, def->bearing};
    SignNumbers(signer, 4, numbers);
}

// Vehicles, materials, forces, environment ----------------------------------------------------------------------------------

static void SignHold(Signer* signer, const hwHoldDef* hold) {
    const double numbers[4] = {hold->kp, hold->ki, hold->kd, hold->limit};
    SignNumbers(signer, 4, numbers);
}

static void SignNoise(Signer* signer, const hwNoiseDef* noise) {
    const double numbers[6] = {noise->sigma, noise->density, noise->bias,
                               noise->walk,  noise->time,    noise->resolution};
    SignNumbers(signer, 6, numbers);
}

static void SignInstrument(Signer* signer, const hwInstrumentDef* def) {
    SignWhole(signer, (int)def->kind);
    SignVec3(signer, def->position);
    const double numbers[19] = {def->attitude.w,
                                def->attitude.x,
                                def->attitude.y,
                                def->attitude.z,
                                def->rate,
                                def->latency,
                                def->dropout,
                                def->atmosphere,
                                def->field,
                                def->inclination,
                                def->declination,
                                def->beamAngle,
                                def->beamByRange,
                                def->least,
                                def->most,
                                def->steepest,
                                def->soundSpeed,
                                (double)def->end,
                                (double)(def->seed & 0xffffffffu)};
    SignNumbers(signer, 19, numbers);
    SignNoise(signer, &def->noise);
    SignNoise(signer, &def->second);
    SignVec3(signer, def->hardIron);
    SignVec3(signer, def->dipolePosition);
    SignVec3(signer, def->dipoleMoment);
    SignVec3(signer, def->transceiverAt);
}

static void SignVehicle(Signer* signer, const hwVehicleDef* def) {
    SignWhole(signer, def->thrusterCount);
    for (int i = 0; i < def->thrusterCount; ++i) {
        const hwThrusterDef* t = &def->thrusters[i];
        SignVec3(signer, t->position);
        SignVec3(signer, t->axis);
        const double numbers[9] = {t->forward,  t->reverse, t->deadBand, t->exponent, t->timeConstant,
                                   t->topSpeed, t->advance, t->torque,   t->weight};
        SignNumbers(signer, 9, numbers);
        SignWhole(signer, t->hand);
    }
    SignWhole(signer, def->linearize);
    SignNumbers(signer, 6, def->axisWeights);
    SignHold(signer, &def->autopilot.depth);
    SignHold(signer, &def->autopilot.heading);
    SignHold(signer, &def->autopilot.level);
    const double pilot[4] = {def->autopilot.climbRate, def->autopilot.turnRate, def->autopilot.depthLead,
                             def->autopilot.headingLead};
    SignNumbers(signer, 4, pilot);
    SignHold(signer, &def->autopilot.position);
    const double place[2] = {def->autopilot.cruiseRate, def->autopilot.positionLead};
    SignNumbers(signer, 2, place);
    SignWhole(signer, def->routeCount);
    for (int i = 0; i < def->routeCount; ++i) SignVec3(signer, def->route[i]);
    const double camera[5] = {def->camera.tiltLow, def->camera.tiltHigh, def->camera.tiltRate,
                              def->camera.zoom, def->camera.zoomRate};
    SignNumbers(signer, 5, camera);
    SignWhole(signer, def->gripper.present);
    SignVec3(signer, def->gripper.position);
    SignVec3(signer, def->gripper.axis);
    const double gripper[5] = {def->gripper.opening, def->gripper.length, def->gripper.speed,
                               def->gripper.force, def->gripper.stiffness};
    SignNumbers(signer, 5, gripper);
}

static void SignMaterial(Signer* signer, const hwMaterialDef* def) {
    SignText(signer, def->name);
    SignWhole(signer, def->model);
    const double numbers[10] = {def->young,     def->damping, def->staticFriction, def->kineticFriction,
                                def->velocity,  def->rolling, def->spinning,       def->rateExponent,
                                def->hardening, def->stribeck};
    SignNumbers(signer, 10, numbers);
}

static void SignFlow(Signer* signer, const hwFlowDef* flow) {
    SignSignal(signer, &flow->uniform);
    SignWhole(signer, flow->count);
    SignWhole(signer, flow->timeCount);
    if (flow->count > 0) {
        SignNumbers(signer, flow->count, flow->levels);
        SignVectors(signer, flow->count * (flow->timeCount > 0 ? flow->timeCount : 1), flow->velocities);
        SignNumbers(signer, flow->timeCount, flow->times);
    }
    const hwFlowGridDef* grid = &flow->grid;
    SignWhole(signer, grid->xCount);
    if (grid->xCount > 0) {
        SignNumbers(signer, grid->xCount, grid->x);
        SignWhole(signer, grid->yCount);
        SignNumbers(signer, grid->yCount, grid->y);
        SignWhole(signer, grid->levelCount);
        SignNumbers(signer, grid->levelCount, grid->levels);
        SignWhole(signer, grid->timeCount);
        SignNumbers(signer, grid->timeCount, grid->times);
        SignVectors(signer, grid->xCount * grid->yCount * grid->levelCount * grid->timeCount,
                    grid->velocities);
    }
    SignNumber(signer, flow->gust);
    SignWhole(signer, (int64_t)flow->gustSeed);
    SignWhole(signer, flow->function != NULL);
}

static void SignEnvironment(Signer* signer, const hwEnvironmentDef* def) {
    const double fluids[6] = {def->gravity,    def->waterDensity, def->waterViscosity,
                              def->airDensity, def->airViscosity, def->surface};
    SignNumbers(signer, 6, fluids);
    SignWhole(signer, def->water);
    SignFlow(signer, &def->current);
    SignWhole(signer, def->leeCount);
    for (int i = 0; i < def->leeCount; ++i) {
        const hwLeeDef* lee = &def->lees[i];
        SignWhole(signer, lee->kind);
        const hwVec3 places[4] = {lee->from, lee->to, lee->edges[0], lee->edges[1]};
        SignVectors(signer, 4, places);
        const double sizes[3] = {lee->diameter, lee->drag, lee->length};
        SignNumbers(signer, 3, sizes);
    }
    SignFlow(signer, &def->wind);
    SignWhole(signer, def->airyCount);
    for (int i = 0; i < def->airyCount; ++i) {
        const double wave[4] = {def->airy[i].height, def->airy[i].period, def->airy[i].direction,
                                def->airy[i].phase};
        SignNumbers(signer, 4, wave);
    }
    const double sea[5] = {def->jonswap.hs, def->jonswap.tp, def->jonswap.gamma, def->jonswap.direction,
                           def->jonswap.spreading};
    SignNumbers(signer, 5, sea);
    SignWhole(signer, (int64_t)def->jonswap.seed);
    SignWhole(signer, def->jonswap.components);
    for (int i = 0; i < def->seaCount; ++i) {
        const hwSeaDef* more = &def->seas[i];
        SignWhole(signer, more->count);
        SignNumbers(signer, more->count, more->frequencies);
        SignNumbers(signer, more->count, more->densities);
        const double way[2] = {more->direction, more->spreading};
        SignNumbers(signer, 2, way);
        SignWhole(signer, (int64_t)more->seed);
        SignWhole(signer, more->components);
    }
    SignNumber(signer, def->waveRamp);
    SignNumber(signer, def->waveStart);
    SignWhole(signer, def->flatSurface);
    SignWhole(signer, def->exactWaves);
    const hwSeabedDef* bed = &def->seabed;
    SignWhole(signer, bed->kind);
    const double ground[5] = {bed->depth, bed->spacing, bed->stiffness, bed->damping, bed->friction};
    SignNumbers(signer, 5, ground);
    SignVec3(signer, bed->origin);
    if (bed->kind == HW_SEABED_HEIGHTFIELD) {
        SignWhole(signer, bed->columns);
        SignNumbers(signer, bed->columns * bed->rows, bed->heights);
    }
    if (bed->kind == HW_SEABED_MESH) SignMesh(signer, &bed->mesh);
}

static void SignPairs(Signer* signer, const hwPool* pairs) {
    for (int i = 0; i < pairs->slots; ++i) {
        const hwIgnoreObject* pair = pairs->items[i];
        if (pair == NULL) continue;
        SignText(signer, pair->a);
        SignText(signer, pair->b);
    }
}

static void SignContact(Signer* signer, const hwContactDef* def) {
    SignWhole(signer, def->off);
    SignWhole(signer, def->pressureCentre);
    SignWhole(signer, def->bedPerShape);
    SignWhole(signer, def->cables);
}

static void SignBodyObject(Signer* signer, const hwBodyObject* body) {
    SignBody(signer, &body->def);
    if (body->joint != NULL) SignJoint(signer, body->joint);
}

static void SignCableObject(Signer* signer, const hwCableObject* cable) {
    if (HW_IS_NULL(cable->whole)) SignCable(signer, &cable->def); // parts that may be cut off it are as it is
}

static void SignForce(Signer* signer, const hwForceDef* def) {
    SignWhole(signer, def->body.index);
    SignVec3(signer, def->at);
    SignSignal(signer, &def->force);
    SignSignal(signer, &def->torque);
    SignWhole(signer, def->frame);
    SignWhole(signer, def->function != NULL);
}

static void SignCableForce(Signer* signer, const hwCableForceDef* def) {
    SignWhole(signer, def->cable.index);
    SignNumber(signer, def->at);
    SignSignal(signer, &def->force);
}

static void SignEvent(Signer* signer, const hwEventObject* event) {
    SignNumber(signer, event->time);
    if (event->onCable) return;
    SignText(signer, event->def.input);
    SignNumber(signer, event->def.value);
}

// Calls `sign` with what `of` makes of each object of a pool.
#define SIGN_POOL(pool, Object, sign, of)                                                                    \
    for (int i = 0; i < world->pool.slots; ++i) {                                                            \
        const Object* object = world->pool.items[i];                                                         \
        if (object != NULL) sign(&signer, of);                                                               \
    }

uint64_t hwWorld_SignModel(const hwWorld* world) {
    Signer signer = {0};
    SignEnvironment(&signer, hwEnvironment_GetDef(world->environment));
    SIGN_POOL(bodies, hwBodyObject, SignBodyObject, object)
    SIGN_POOL(vehicles, hwVehicleObject, SignVehicle, &object->def)
    SIGN_POOL(instruments, hwInstrumentObject, SignInstrument, &object->def)
    SIGN_POOL(cables, hwCableObject, SignCableObject, object)
    SIGN_POOL(winches, hwWinchObject, SignWinch, &object->def)
    SIGN_POOL(sheaves, hwSheaveObject, SignSheave, &object->def)
    SIGN_POOL(materials, hwMaterialDef, SignMaterial, object)
    SIGN_POOL(forces, hwForceObject, SignForce, &object->def)
    SIGN_POOL(cableForces, hwCableForceObject, SignCableForce, &object->def)
    SIGN_POOL(events, hwEventObject, SignEvent, object)
    SignContact(&signer, &world->contact);
    SignPairs(&signer, &world->ignored);
    return signer.hash;
}
