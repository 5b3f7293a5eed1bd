// Bodies: the public calls.
#include "world/part.h"

#include "hydro/radiation.h"
#include "math/attitude.h"
#include "math/dense.h"
#include "record/channels.h"

#include <math.h>
#include <string.h>

hwBodyDef hwDefaultBodyDef(void) {
    hwBodyDef def = {.comAttitude = {1.0, 0.0, 0.0, 0.0},
                     .attitude = {1.0, 0.0, 0.0, 0.0},
                     .hydro = hwDefaultHydroDef(),
                     .cookie = HW_BODY_COOKIE};
    return def;
}

// Checking a def ----------------------------------------------------------------------------------------------------

static bool IsUnit(hwQuat q) {
    double square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    return isfinite(square) && fabs(square - 1.0) < 1e-6;
}

// Links may have none about some axes: what they are joined to carries them there.
static hwStatus CheckInertia(const hwBodyDef* def, bool link, hwError* error) {
    hwSym3 inertia = {def->inertia[0], def->inertia[1], def->inertia[2],
                      def->inertia[3], def->inertia[4], def->inertia[5]};
    double sum = 0.0;
    for (int i = 0; i < 6; ++i) sum += fabs(def->inertia[i]);
    if (!isfinite(sum)) {
        return hwFailField(error, HW_ERROR_ARGUMENT, def->name, "inertia", "%s: the inertia is not finite",
                           def->name);
    }
    double values[3];
    hwEigenvaluesSym3(inertia, values);
    if (!(values[0] > 0.0) && !(link && values[0] >= -1e-12 * values[2])) {
        return hwFailField(
            error, HW_ERROR_ARGUMENT, def->name, "inertia",
            "%s: the inertia is not positive definite; its smallest principal moment is %g kg m2", def->name,
            values[0]);
    }
    return HW_OK;
}

hwStatus hwBody_CheckHydro(const hwBodyDef* def, hwError* error) {
    const hwHydroDef* hydro = &def->hydro;
    double largest = 0.0, flat[36];
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) {
            flat[6 * i + j] = hydro->addedMass[i][j];
            if (!isfinite(flat[6 * i + j])) {
                return hwFailField(error, HW_ERROR_ARGUMENT, def->name, "hydro.addedMass",
                                   "%s: the added mass is not finite", def->name);
            }
            largest = hwFmax(largest, fabs(flat[6 * i + j]));
        }
    }
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < i; ++j) {
            if (fabs(flat[6 * i + j] - flat[6 * j + i]) > 1e-9 * largest) {
                return hwFailField(
                    error, HW_ERROR_ARGUMENT, def->name, "hydro.addedMass",
                    "%s: the added mass must be symmetric, but entries (%d,%d) and (%d,%d) are %g and %g",
                    def->name, i + 1, j + 1, j + 1, i + 1, flat[6 * i + j], flat[6 * j + i]);
            }
        }
    }
    if (hwSmallestEigenvalue(6, flat) < -1e-9 * largest) {
        return hwFailField(
            error, HW_ERROR_ARGUMENT, def->name, "hydro.addedMass",
            "%s: the added mass has a negative eigenvalue; water cannot make a body lighter to accelerate",
            def->name);
    }
    for (int i = 0; i < 6; ++i) {
        bool linear = hydro->linearDrag[i] >= 0.0 && isfinite(hydro->linearDrag[i]);
        if (!linear || !(hydro->quadraticDrag[i] >= 0.0 && isfinite(hydro->quadraticDrag[i]))) {
            return hwFailField(
                error, HW_ERROR_ARGUMENT, def->name, linear ? "hydro.quadraticDrag" : "hydro.linearDrag",
                "%s: drag coefficients must be finite and not negative, entry %d is %g linear, %g quadratic",
                def->name, i + 1, hydro->linearDrag[i], hydro->quadraticDrag[i]);
        }
    }
    hwStatus arrays = hwCheckArray(hydro->stripCount, hydro->strips, def->name, "hydro.strips", error);
    if (arrays == HW_OK)
        arrays = hwCheckArray(hydro->liftCount, hydro->lifts, def->name, "hydro.lifts", error);
    if (arrays != HW_OK) return arrays;
    for (int i = 0; i < hydro->stripCount; ++i) {
        const hwStripDef* strip = &hydro->strips[i];
        if (!(strip->diameter > 0.0) || strip->count < 1 || !(strip->normal >= 0.0) ||
            !(strip->tangential >= 0.0) || !(hwDistance(strip->from, strip->to) > 0.0) ||
            !isfinite(hwDistance(strip->from, strip->to))) {
            hwStatus status =
                hwFailField(error, HW_ERROR_ARGUMENT, def->name, "hydro.strips[]",
                            "%s: strip %d needs two different ends, a positive diameter, at least one strip "
                            "and coefficients that are not negative",
                            def->name, i);
            hwFail_At(error, i, NAN);
            return status;
        }
    }
    for (int i = 0; i < hydro->liftCount; ++i) {
        const hwLiftDef* lift = &hydro->lifts[i];
        bool end = hwLengthSquared(lift->ahead) != 0.0;
        if (!(lift->area > 0.0) || !(lift->stall > 0.0 || end) || !isfinite(lift->slope) ||
            !hwIsFiniteVec3(lift->at) || !(fabs(hwLength(lift->normal) - 1.0) < 1e-6) ||
            (end && !(fabs(hwLength(lift->ahead) - 1.0) < 1e-6))) {
            hwStatus status = hwFailField(error, HW_ERROR_ARGUMENT, def->name, "hydro.lifts[]",
                                          "%s: lifting surface %d needs a unit normal, `ahead` a unit vector "
                                          "or zero, a positive area and stall "
                                          "angle",
                                          def->name, i);
            hwFail_At(error, i, NAN);
            return status;
        }
    }
    const char* bad = NULL;
    if (!isfinite(hydro->volume)) bad = "hydro.volume";
    if (!hwIsFiniteVec3(hydro->buoyancyCenter)) bad = "hydro.buoyancyCenter";
    if (!(hydro->sphereDrag >= 0.0)) bad = "hydro.sphereDrag";
    if (hydro->sphereDrag > 0.0 && !(hydro->sphereDiameter > 0.0)) bad = "hydro.sphereDiameter";
    if (!(hydro->skinArea >= 0.0)) bad = "hydro.skinArea";
    if (hydro->skinArea > 0.0 && !(hydro->skinLength > 0.0)) bad = "hydro.skinLength";
    if (bad != NULL) {
        return hwFailField(
            error, HW_ERROR_ARGUMENT, def->name, bad,
            "%s: volume, buoyancy centre, sphere drag and skin friction must be finite and not negative",
            def->name);
    }
    return HW_OK;
}

static hwStatus CheckBody(const hwBodyDef* def, bool link, hwError* error) {
    bool moves = def->motion == HW_MOTION_FREE && !link;
    if (!isfinite(def->mass) || def->mass < 0.0 || (moves && def->mass == 0.0)) {
        return hwFailField(error, HW_ERROR_ARGUMENT, def->name, "mass",
                           "%s: the mass must be positive, it is %g kg", def->name, def->mass);
    }
    const struct {
        const char* field;
        hwVec3 value;
    } vectors[] = {
        {"com", def->com}, {"position", def->position}, {"velocity", def->velocity}, {"rate", def->rate}};
    for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); ++i) {
        if (hwIsFiniteVec3(vectors[i].value)) continue;
        return hwFailField(error, HW_ERROR_ARGUMENT, def->name, vectors[i].field,
                           "%s: centre of mass, position, velocity and rate must be finite", def->name);
    }
    if (!IsUnit(def->attitude) || !IsUnit(def->comAttitude)) {
        return hwFailField(error, HW_ERROR_ARGUMENT, def->name,
                           IsUnit(def->attitude) ? "comAttitude" : "attitude",
                           "%s: attitudes must be unit quaternions", def->name);
    }
    hwStatus status = hwBody_CheckHydro(def, error);
    if (status == HW_OK) {
        status = hwSolid_CheckArrays(def->shapeCount, def->shapes, error);
        if (status != HW_OK && error != NULL) strcpy(error->object, def->name);
    }
    if (status == HW_OK)
        status = hwSignal_CheckField(&def->prescribedPosition, def->name, "prescribedPosition", error);
    if (status == HW_OK)
        status = hwSignal_CheckField(&def->prescribedAttitude, def->name, "prescribedAttitude", error);
    if (status == HW_OK) status = hwCheckResponse(def, error);
    if (status == HW_OK) status = hwPotential_Check(&def->potential, def->name, error);
    return status;
}

// Copying a def -----------------------------------------------------------------------------------------------------

static hwJointObject* CopyJoint(hwArena* arena, const hwJointObject* from) {
    if (from == NULL) return NULL;
    hwJointObject* joint = HW_TAKE(arena, hwJointObject, 1);
    hwSignal target = hwCopySignal(arena, &from->def.control.target);
    hwSignal effort = hwCopySignal(arena, &from->def.control.effort);
    const hwVec3* points =
        hwArena_Copy(arena, from->def.feet.points, (size_t)from->def.feet.count, sizeof(hwVec3));
    if (joint == NULL) return NULL;
    *joint = *from;
    joint->def.control.target = target;
    joint->def.control.effort = effort;
    joint->def.feet.points = points;
    return joint;
}

static hwPotentialDef CopyPotential(hwArena* arena, const hwPotentialDef* def) {
    hwPotentialDef copy = *def;
    size_t frequencies = (size_t)def->frequencyCount,
           headings = frequencies > 0 ? (size_t)def->headingCount : 0;
    copy.frequencies = hwArena_Copy(arena, def->frequencies, frequencies, sizeof(double));
    copy.damping = hwArena_Copy(arena, def->damping, 36 * frequencies, sizeof(double));
    copy.headings = hwArena_Copy(arena, def->headings, headings, sizeof(double));
    copy.excitation = hwArena_Copy(arena, def->excitation, 12 * headings * frequencies, sizeof(double));
    return copy;
}

// Lays the object out in `arena`; returns null while measuring.
static hwBodyObject* CopyBody(hwArena* arena, const hwBodyDef* def, const hwJointObject* from) {
    hwBodyObject* body = HW_TAKE(arena, hwBodyObject, 1);
    const char* name = hwArena_Copy(arena, def->name, strlen(def->name) + 1, 1);
    const hwShapeDef* shapes = hwCopyShapes(arena, def->shapeCount, def->shapes);
    const hwStripDef* strips =
        hwArena_Copy(arena, def->hydro.strips, (size_t)def->hydro.stripCount, sizeof(hwStripDef));
    const hwLiftDef* lifts =
        hwArena_Copy(arena, def->hydro.lifts, (size_t)def->hydro.liftCount, sizeof(hwLiftDef));
    hwSignal position = hwCopySignal(arena, &def->prescribedPosition);
    hwSignal attitude = hwCopySignal(arena, &def->prescribedAttitude);
    hwRaoDef rao = hwCopyRao(arena, &def->rao);
    hwPotentialDef potential = CopyPotential(arena, &def->potential);
    hwJointObject* joint = CopyJoint(arena, from);
    if (body == NULL) return NULL;
    body->def = *def;
    body->def.name = name;
    body->def.shapes = shapes;
    body->def.hydro.strips = strips;
    body->def.hydro.lifts = lifts;
    body->def.prescribedPosition = position;
    body->def.prescribedAttitude = attitude;
    body->def.rao = rao;
    body->def.potential = potential;
    if (potential.frequencyCount > 0) {
        body->def.hydro.volume = 0.0; // what carries it is in the coefficients
        memset(body->def.hydro.addedMass, 0, sizeof(body->def.hydro.addedMass));
    }
    body->joint = joint;
    if (joint != NULL) joint->def.body = body->def;
    body->link = -1;
    return body;
}

// Where the inertia is not given it follows from the shapes, filled evenly.
static hwStatus DeriveInertia(hwBodyObject* body, hwError* error) {
    hwBodyDef* def = &body->def;
    bool given = false;
    for (int i = 0; i < 6; ++i) given = given || def->inertia[i] != 0.0;
    if (given) return CheckInertia(def, body->joint != NULL, error);
    if (def->motion != HW_MOTION_FREE) return HW_OK;
    if (body->joint != NULL && !(body->solid.volume > 0.0)) return HW_OK;
    if (!(body->solid.volume > 0.0)) {
        hwStatus status = hwFailField(error, HW_ERROR_ARGUMENT, def->name, "inertia",
                                      "%s: a free body needs its inertia", def->name);
        hwFail_Hint(error, "give `inertia`, or shapes from which it can be computed");
        return status;
    }
    double density = def->mass / body->solid.volume;
    hwSym3 sum = {0};
    for (int i = 0; i < def->shapeCount; ++i) {
        hwMassProperties part;
        hwStatus status = hwShape_ComputeMassProperties(&def->shapes[i], &part, error);
        if (status != HW_OK) return status;
        hwSym3 own = {part.inertia[0], part.inertia[1], part.inertia[2],
                      part.inertia[3], part.inertia[4], part.inertia[5]};
        // about the body's centre of mass, where the shapes' centroid may not be: the shapes give the form, `com` wins
        hwVec3 arm = hwSub(part.centroid, body->solid.centroid);
        hwSpatialSym moved = hwRigidInertia(part.volume, arm, own);
        sum = hwAddSym3(sum, moved.aa);
    }
    const double values[6] = {sum.xx, sum.yy, sum.zz, sum.xy, sum.xz, sum.yz};
    for (int i = 0; i < 6; ++i) def->inertia[i] = density * values[i];
    def->comAttitude = hwQuat_identity;
    return CheckInertia(def, body->joint != NULL, error);
}

hwBodyId hwWorld_AddBody(hwWorld* world, const hwBodyDef* def, hwError* error) {
    hwBodyId none = {0, 0};
    hwMechanismId alone = {0, 0};
    hwClearError(error);
    if (def == NULL || def->cookie != HW_BODY_COOKIE) {
        hwFail(error, HW_ERROR_ARGUMENT, NULL, "the body def was not made by hwDefaultBodyDef");
        return none;
    }
    if (hwWorld_CheckName(world, def->name, error) != HW_OK) return none;
    return hwWorld_AddObject(world, def, NULL, alone, error);
}

hwBodyId hwWorld_AddObject(hwWorld* world, const hwBodyDef* def, const hwJointObject* joint,
                           hwMechanismId mechanism, hwError* error) {
    hwBodyId none = {0, 0};
    if (CheckBody(def, joint != NULL, error) != HW_OK) return none;
    hwArena arena = {0};
    CopyBody(&arena, def, joint);
    arena.base = hwAllocate(&world->allocator, arena.used);
    if (arena.base == NULL) {
        hwFail_Memory(error, def->name);
        return none;
    }
    arena.used = 0;
    hwBodyObject* body = CopyBody(&arena, def, joint);
    if (hwSolid_Init(&body->solid, body->def.shapeCount, body->def.shapes, error) != HW_OK ||
        DeriveInertia(body, error) != HW_OK) {
        if (error != NULL && error->object[0] == '\0') strcpy(error->object, def->name);
        hwRelease(&world->allocator, body);
        return none;
    }
    uint32_t index = hwPool_Add(&world->bodies, &world->allocator, body);
    if (index == 0) {
        hwFail_Memory(error, def->name);
        hwRelease(&world->allocator, body);
        return none;
    }
    body->id.index = index;
    body->id.generation = world->bodies.generations[index - 1];
    body->mechanism = mechanism;
    hwWorld_Unprepare(world);
    return body->id;
}

static hwStatus BadHandle(hwError* error) {
    return hwFail(error, HW_ERROR_ARGUMENT, NULL, "the handle does not refer to a body of this world");
}

hwStatus hwWorld_RemoveBody(hwWorld* world, hwBodyId id, hwError* error) {
    hwClearError(error);
    const hwBodyObject* removed = hwWorld_GetBody(world, id);
    if (removed == NULL) return BadHandle(error);
    if (!HW_IS_NULL(removed->mechanism)) {
        return hwFail(error, HW_ERROR_ORDER, removed->def.name,
                      "%s: it is part of a mechanism and goes with it", removed->def.name);
    }
    for (int i = 0; i < world->mechanisms.slots; ++i) {
        const hwMechanismObject* mechanism = world->mechanisms.items[i];
        if (mechanism == NULL || !HW_SAME_ID(mechanism->base, id)) continue;
        return hwFail(error, HW_ERROR_ORDER, removed->def.name,
                      "%s: the mechanism %s stands on it; remove that first", removed->def.name,
                      mechanism->name);
    }
    hwStatus status = hwWorld_CheckDropBody(world, id, error);
    if (status != HW_OK) return status;
    hwWorld_DropBody(world, id);
    hwRelease(&world->allocator, hwPool_Remove(&world->bodies, id.index));
    hwWorld_Unprepare(world);
    return HW_OK;
}

hwBodyId hwWorld_FindBody(const hwWorld* world, const char* name) {
    hwBodyId none = {0, 0};
    if (name == NULL) return none;
    for (int i = 0; i < world->bodies.slots; ++i) {
        const hwBodyObject* body = world->bodies.items[i];
        if (body != NULL && strcmp(body->def.name, name) == 0) return body->id;
    }
    return none;
}

bool hwBody_IsValid(const hwWorld* world, hwBodyId id) {
    return hwWorld_GetBody(world, id) != NULL;
}

const char* hwBody_GetName(const hwWorld* world, hwBodyId id) {
    const hwBodyObject* body = hwWorld_GetBody(world, id);
    return body != NULL ? body->def.name : "";
}

// State -------------------------------------------------------------------------------------------------------------

void hwBody_ReadMotion(const hwWorld* world, int link, hwBodyState* out) {
    const hwLinkMotion* motion = &world->work->forest.motion[link];
    const hwWideSpatial* a = &world->work->forest.a[link];
    out->position = hwWide_ToVec3(motion->p);
    out->attitude = hwQuatFromMat3(hwWideMat_ToMat3(&motion->R));
    out->velocity = hwWide_ToVec3(motion->v.l);
    out->rate = hwWide_ToVec3(hwWideMat_MulT(&motion->R, motion->v.a));
    out->acceleration = hwWide_ToVec3(a->l);
    out->rateAcceleration = hwWide_ToVec3(hwWideMat_MulT(&motion->R, a->a));
}

hwStatus hwBody_GetState(const hwWorld* world, hwBodyId id, hwBodyState* out, hwError* error) {
    hwClearError(error);
    const hwBodyObject* body = hwWorld_GetBody(world, id);
    if (body == NULL) return BadHandle(error);
    hwStatus status = hwWorld_RequirePrepared(world, error);
    if (status != HW_OK) return status;
    hwWorld_Refresh(world);
    hwBody_ReadMotion(world, body->link, out);
    return HW_OK;
}

hwStatus hwBody_SetState(hwWorld* world, hwBodyId id, const hwBodyState* state, hwError* error) {
    hwClearError(error);
    hwBodyObject* body = hwWorld_GetBody(world, id);
    if (body == NULL) return BadHandle(error);
    if (state == NULL)
        return hwFail(error, HW_ERROR_ARGUMENT, body->def.name, "%s: no state was given", body->def.name);
    if (!hwIsFiniteVec3(state->position) || !hwIsFiniteVec3(state->velocity) ||
        !hwIsFiniteVec3(state->rate) || !hwIsFiniteVec3(state->acceleration) ||
        !hwIsFiniteVec3(state->rateAcceleration) || !IsUnit(state->attitude)) {
        return hwFail(error, HW_ERROR_ARGUMENT, body->def.name,
                      "%s: a body's state must be finite and its attitude a unit quaternion", body->def.name);
    }
    if (body->joint != NULL) {
        hwStatus status =
            hwFail(error, HW_ERROR_ORDER, body->def.name, "%s: a link moves with its joint", body->def.name);
        hwFail_Hint(error, "use hwJoint_SetState");
        return status;
    }
    bool signals = hwSignal_IsPresent(&body->def.prescribedPosition) ||
                   hwSignal_IsPresent(&body->def.prescribedAttitude);
    if (body->def.motion == HW_MOTION_FIXED || (body->def.motion == HW_MOTION_PRESCRIBED && signals)) {
        return hwFail(error, HW_ERROR_ORDER, body->def.name, "%s: the motion of a %s body cannot be set",
                      body->def.name, signals ? "signal-driven" : "fixed");
    }
    if (!world->prepared) {
        body->def.position = state->position;
        body->def.attitude = state->attitude;
        body->def.velocity = state->velocity;
        body->def.rate = state->rate;
        if (body->link < 0) return HW_OK;
    }
    hwSleep_Wake(world, body->link);
    if (body->def.motion == HW_MOTION_PRESCRIBED) {
        hwWorld_SetManualMotion(world, body->link, state);
    } else {
        const hwLink* link = &world->model.forest.links[body->link];
        double* q = world->state.q + link->coordinate;
        double* v = world->state.v + link->freedom;
        q[0] = state->position.x, q[1] = state->position.y, q[2] = state->position.z;
        q[3] = state->attitude.w, q[4] = state->attitude.x, q[5] = state->attitude.y,
        q[6] = state->attitude.z;
        v[0] = state->velocity.x, v[1] = state->velocity.y, v[2] = state->velocity.z;
        v[3] = state->rate.x, v[4] = state->rate.y, v[5] = state->rate.z;
    }
    hwWorld_StateChanged(world);
    return HW_OK;
}

// Copies keep slots and generations, so that handles of the original are handles of the copy.
static hwStatus CopyBodies(hwWorld* branch, const hwWorld* world, hwError* error) {
    for (int i = 0; i < world->bodies.slots; ++i) {
        const hwBodyObject* body = world->bodies.items[i];
        if (body == NULL) continue;
        if (HW_IS_NULL(hwWorld_AddObject(branch, &body->def, body->joint, body->mechanism, error)))
            return HW_ERROR_MEMORY;
    }
    if (!hwPool_Mirror(&branch->bodies, &world->bodies, &branch->allocator))
        return hwFail_Memory(error, NULL);
    for (int i = 0; i < world->bodies.slots; ++i) {
        if (world->bodies.items[i] == NULL) continue;
        ((hwBodyObject*)branch->bodies.items[i])->id = ((const hwBodyObject*)world->bodies.items[i])->id;
    }
    return HW_OK;
}

// Channels ---------------------------------------------------------------------------------------------------------------

static double ReadPosition(const hwWorld* world, int link, int component) {
    return world->work->forest.motion[link].p[component];
}

static double ReadAttitude(const hwWorld* world, int link, int component) {
    hwBodyState body;
    hwBody_ReadMotion(world, link, &body);
    return hwVec3_GetComponent(hwRpyFromQuat(body.attitude), component);
}

static double ReadVelocity(const hwWorld* world, int link, int component) {
    hwBodyState body;
    hwBody_ReadMotion(world, link, &body);
    return hwVec3_GetComponent(body.velocity, component);
}

static double ReadRate(const hwWorld* world, int link, int component) {
    hwBodyState body;
    hwBody_ReadMotion(world, link, &body);
    return hwVec3_GetComponent(body.rate, component);
}

static double ReadAcceleration(const hwWorld* world, int link, int component) {
    hwBodyState body;
    hwBody_ReadMotion(world, link, &body);
    return hwVec3_GetComponent(body.acceleration, component);
}

static double ReadSubmerged(const hwWorld* world, int link, int component) {
    (void)component;
    return world->work->linkSubmerged[link];
}

static const hwChannelRow bodyRows[] = {
    HW_CHANNELS_XYZ("position", "m", ReadPosition),
    {"attitude.roll", "rad", ReadAttitude, 0},
    {"attitude.pitch", "rad", ReadAttitude, 1},
    {"attitude.yaw", "rad", ReadAttitude, 2},
    HW_CHANNELS_XYZ("velocity", "m/s", ReadVelocity),
    HW_CHANNELS_XYZ("rate", "rad/s", ReadRate), // body axes
    HW_CHANNELS_XYZ("acceleration", "m/s2", ReadAcceleration),
};
static double ReadAwake(const hwWorld* world, int link, int component) {
    (void)component;
    return hwState_IsAsleep(&world->state, link) ? 0.0 : 1.0;
}

static const hwChannelRow sleepRows[] = {{"awake", "1", ReadAwake, 0}};
static const hwChannelRow wetRows[] = {{"submerged", "1", ReadSubmerged, 0}};

static void AddBodyChannels(hwTableBuilder* builder, const hwWorld* world, const hwModel* model, int link) {
    const char* name = model->links[link].body->def.name;
    hwTable_AddChannels(builder, name, HW_ROW_COUNT(bodyRows), bodyRows, link);
    if (hwEnvironment_GetDef(world->environment)->water)
        hwTable_AddChannels(builder, name, HW_ROW_COUNT(wetRows), wetRows, link);
    if (model->sleeps) hwTable_AddChannels(builder, name, HW_ROW_COUNT(sleepRows), sleepRows, link);
}

const hwPart hwBodiesPart = {
    .name = "bodies", .aside = true, .rests = true, .copy = CopyBodies, .addLinkChannels = AddBodyChannels};
