// Vehicles in the world: adding them, their inputs and channels, and their thrust in each evaluation.
#include "vehicle/vehicle.h"

#include "math/attitude.h"
#include "vehicle/instruments.h"
#include "parts/vehicles/vehicles.h"
#include "world/cable_slots.h"
#include "world/part.h"
#include "record/channels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

hwVehicleDef hwDefaultVehicleDef(void) {
    hwVehicleDef def = {.body = hwDefaultBodyDef(),
                        .linearize = true,
                        .axisWeights = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0},
                        .gain = 1.0,
                        .autopilot = {.climbRate = 0.3,
                                      .turnRate = 0.7,
                                      .depthLead = 0.5,
                                      .headingLead = 0.6,
                                      .cruiseRate = 0.3,
                                      .positionLead = 1.0},
                        .camera = {.tiltRate = 0.8, .zoom = 1.0, .zoomRate = 1.0, .field = 1.4},
                        .cookie = HW_VEHICLE_COOKIE};
    for (int i = 0; i < HW_AXIS_COUNT; ++i) def.axes[i].sensitivity = 1.0;
    return def;
}

// Checking -----------------------------------------------------------------------------------------------------------

static hwStatus RefuseVehicle(const hwVehicleDef* def, hwError* error, const char* field, const char* text) {
    return hwFailField(error, HW_ERROR_ARGUMENT, def->body.name, field, "%s: %s", def->body.name, text);
}

static bool IsUnitVec3(hwVec3 v) {
    return fabs(hwLengthSquared(v) - 1.0) < 1e-6;
}

static bool IsGoodThruster(const hwThrusterDef* t) {
    return hwIsFiniteVec3(t->position) && IsUnitVec3(t->axis) && t->forward >= 0.0 && isfinite(t->forward) &&
           t->reverse >= 0.0 && isfinite(t->reverse) && t->deadBand >= 0.0 && t->deadBand <= 0.9 &&
           t->exponent > 0.0 && isfinite(t->exponent) && t->timeConstant >= 0.0 &&
           isfinite(t->timeConstant) && t->topSpeed > 0.0 && isfinite(t->topSpeed) && t->advance > 0.0 &&
           t->torque >= 0.0 && isfinite(t->torque) && (t->hand == 1 || t->hand == -1) && t->diameter > 0.0 &&
           t->weight > 0.0 && isfinite(t->weight) && t->servo >= -32 && t->servo <= 32;
}

static bool IsGoodHold(const hwHoldDef* hold) {
    return isfinite(hold->kp + hold->ki + hold->kd) && hold->kp >= 0.0 && hold->ki >= 0.0 &&
           hold->kd >= 0.0 && hold->limit >= 0.0;
}

static hwStatus CheckEquipment(const hwVehicleDef* def, hwError* error) {
    const hwCameraDef* camera = &def->camera;
    const hwGripperDef* gripper = &def->gripper;
    if (!(camera->tiltLow <= camera->tiltHigh) || !(camera->tiltRate > 0.0) || !(camera->zoom >= 1.0) ||
        !(camera->zoomRate > 0.0)) {
        return RefuseVehicle(def, error, "camera",
                             "its camera needs a range of tilt, a zoom of 1 or more and positive rates");
    }
    if (gripper->present &&
        (!IsUnitVec3(gripper->axis) || !(gripper->opening > 0.0) || !(gripper->length > 0.0) ||
         !(gripper->speed > 0.0) || !(gripper->force > 0.0) || !(gripper->stiffness > 0.0))) {
        return RefuseVehicle(def, error, "gripper", "its gripper needs a unit axis and positive measures");
    }
    for (int i = 0; i < def->pointCount; ++i) {
        if (def->points[i].name == NULL || !hwIsFiniteVec3(def->points[i].position)) {
            return RefuseVehicle(def, error, "points", "its points need names and finite positions");
        }
    }
    return HW_OK;
}

static hwStatus CheckVehicle(const hwVehicleDef* def, hwError* error) {
    hwStatus status = hwCheckArray(def->thrusterCount, def->thrusters, def->body.name, "thrusters", error);
    if (status == HW_OK) status = hwCheckArray(def->routeCount, def->route, def->body.name, "route", error);
    if (status == HW_OK) status = hwCheckArray(def->pointCount, def->points, def->body.name, "points", error);
    if (status != HW_OK) return status;
    if (def->thrusterCount > HW_MAX_THRUSTERS) {
        return RefuseVehicle(def, error, "thrusters", "a vehicle has from 0 to 16 thrusters");
    }
    for (int i = 0; i < def->thrusterCount; ++i) {
        if (IsGoodThruster(&def->thrusters[i])) continue;
        status =
            hwFailField(error, HW_ERROR_ARGUMENT, def->body.name, "thrusters[]",
                        "%s: thruster %d has an axis that is not a unit vector, or a number out of range",
                        def->body.name, i);
        hwFail_At(error, i, (double)NAN);
        return status;
    }
    for (int i = 0; i < 6; ++i) {
        if (!(def->axisWeights[i] >= 0.0) || !isfinite(def->axisWeights[i])) {
            return RefuseVehicle(def, error, "axisWeights", "the weights of its axes must not be negative");
        }
    }
    for (int i = 0; i < HW_AXIS_COUNT; ++i) {
        const hwAxisDef* axis = &def->axes[i];
        if (!(axis->deadZone >= 0.0 && axis->deadZone <= 0.9 && axis->sensitivity >= 0.0 &&
              axis->sensitivity <= 2.0 && axis->expo >= 0.0 && axis->expo <= 1.0)) {
            return RefuseVehicle(def, error, "axes", "dead zones are 0..0.9, sensitivities 0..2, expo 0..1");
        }
    }
    const hwAutopilotDef* pilot = &def->autopilot;
    if (!IsGoodHold(&pilot->depth) || !IsGoodHold(&pilot->heading) || !IsGoodHold(&pilot->level) ||
        !(pilot->climbRate > 0.0) || !(pilot->turnRate > 0.0) || !(pilot->depthLead > 0.0) ||
        !(pilot->headingLead > 0.0) || !IsGoodHold(&pilot->position) || !(pilot->cruiseRate >= 0.0) ||
        !(pilot->positionLead >= 0.0) || !(pilot->tetherForward >= 0.0 && pilot->tetherForward <= 1.0)) {
        return RefuseVehicle(
            def, error, "autopilot",
            "its autopilot's gains must not be negative, its rates and leads be positive, the share of the "
            "tether's pull be 0..1");
    }
    if (def->routeCount > HW_MAX_ROUTE)
        return RefuseVehicle(def, error, "route", "a route has from 0 to 64 way-points");
    for (int i = 0; i < def->routeCount; ++i) {
        if (!hwIsFiniteVec3(def->route[i]))
            return RefuseVehicle(def, error, "route", "its way-points are finite");
    }
    if (!(def->gain >= 0.0 && def->gain <= 1.0) || def->mode < HW_MODE_MANUAL || def->mode >= HW_MODE_COUNT) {
        return RefuseVehicle(def, error, def->gain >= 0.0 && def->gain <= 1.0 ? "mode" : "gain",
                             "its gain is 0..1 and its mode one of hwVehicleMode");
    }
    if (def->body.motion != HW_MOTION_FREE)
        return RefuseVehicle(def, error, "body.motion", "a vehicle's body is free");
    hwVehicleModel model;
    if (!hwVehicleModel_Init(&model, def)) {
        return RefuseVehicle(def, error, "thrusters",
                             "its thrusters act on none of the axes that have a weight");
    }
    return CheckEquipment(def, error);
}

// Adding -------------------------------------------------------------------------------------------------------------

static const char* CopyName(hwArena* arena, const char* name) {
    if (name == NULL) return NULL;
    size_t size = strlen(name) + 1;
    char* copy = HW_TAKE(arena, char, size);
    if (copy != NULL) memcpy(copy, name, size);
    return copy;
}

// Lays the object out in `arena`; returns null while measuring.
static hwVehicleObject* CopyVehicle(hwArena* arena, const hwVehicleDef* def) {
    hwVehicleObject* vehicle = HW_TAKE(arena, hwVehicleObject, 1);
    hwThrusterDef* thrusters = HW_TAKE(arena, hwThrusterDef, def->thrusterCount);
    hwPointDef* points = HW_TAKE(arena, hwPointDef, def->pointCount);
    hwVec3* route = HW_TAKE(arena, hwVec3, def->routeCount);
    const char* name = CopyName(arena, def->body.name);
    for (int i = 0; i < def->thrusterCount; ++i) {
        const char* own = CopyName(arena, def->thrusters[i].name);
        if (thrusters == NULL) continue;
        thrusters[i] = def->thrusters[i];
        thrusters[i].name = own;
        thrusters[i].axis = hwNormalize(thrusters[i].axis);
    }
    for (int i = 0; i < def->pointCount; ++i) {
        const char* own = CopyName(arena, def->points[i].name);
        if (points != NULL) points[i] = (hwPointDef){own, def->points[i].position};
    }
    if (vehicle == NULL) return NULL;
    vehicle->def = *def;
    if (def->routeCount > 0) memcpy(route, def->route, (size_t)def->routeCount * sizeof(*route));
    vehicle->def.route = route;
    vehicle->def.thrusters = thrusters;
    vehicle->def.points = points;
    vehicle->def.body.name = name;
    return vehicle;
}

// Puts the object for an existing body into the pool. Null: out of memory.
static hwVehicleObject* AddObject(hwWorld* world, const hwVehicleDef* def, hwBodyId body) {
    hwArena arena = {0};
    CopyVehicle(&arena, def);
    arena.base = hwAllocate(&world->allocator, arena.used);
    if (arena.base == NULL) return NULL;
    arena.used = 0;
    hwVehicleObject* vehicle = CopyVehicle(&arena, def);
    uint32_t index = hwPool_Add(&world->vehicles, &world->allocator, vehicle);
    if (index == 0) {
        hwRelease(&world->allocator, vehicle);
        return NULL;
    }
    // what the body's own block holds
    const hwBodyObject* object = hwWorld_GetBody(world, body);
    vehicle->def.body = object->def;
    vehicle->body = body;
    vehicle->id = (hwVehicleId){index, world->vehicles.generations[index - 1]};
    return vehicle;
}

hwVehicleId hwWorld_AddVehicle(hwWorld* world, const hwVehicleDef* def, hwError* error) {
    hwVehicleId none = {0, 0};
    hwClearError(error);
    if (def == NULL || def->cookie != HW_VEHICLE_COOKIE) {
        hwFail(error, HW_ERROR_ARGUMENT, NULL, "the vehicle def was not made by hwDefaultVehicleDef");
        return none;
    }
    if (hwWorld_CheckName(world, def->body.name, error) != HW_OK || CheckVehicle(def, error) != HW_OK)
        return none;
    hwBodyId body = hwWorld_AddBody(world, &def->body, error);
    if (HW_IS_NULL(body)) return none;
    hwVehicleObject* vehicle = AddObject(world, def, body);
    if (vehicle == NULL) {
        hwWorld_RemoveBody(world, body, NULL);
        hwFail_Memory(error, def->body.name);
        return none;
    }
    return vehicle->id;
}

static hwVehicleObject* GetVehicle(const hwWorld* world, hwVehicleId id) {
    return hwPool_Get(&world->vehicles, id.index, id.generation);
}

static hwStatus BadHandle(hwError* error) {
    return hwFail(error, HW_ERROR_ARGUMENT, NULL, "the handle does not refer to a vehicle of this world");
}

hwStatus hwWorld_RemoveVehicle(hwWorld* world, hwVehicleId id, hwError* error) {
    hwClearError(error);
    hwVehicleObject* vehicle = GetVehicle(world, id);
    if (vehicle == NULL) return BadHandle(error);
    // removing the body removes its vehicle
    return hwWorld_RemoveBody(world, vehicle->body, error);
}

static void DropVehicle(hwWorld* world, hwBodyId body) {
    for (int i = 0; i < world->vehicles.slots; ++i) {
        hwVehicleObject* vehicle = world->vehicles.items[i];
        if (vehicle == NULL || !HW_SAME_ID(vehicle->body, body)) continue;
        hwRelease(&world->allocator, hwPool_Remove(&world->vehicles, (uint32_t)i + 1));
    }
}

static hwStatus CopyVehicles(hwWorld* branch, const hwWorld* world, hwError* error) {
    for (int i = 0; i < world->vehicles.slots; ++i) {
        const hwVehicleObject* vehicle = world->vehicles.items[i];
        if (vehicle == NULL) continue;
        if (AddObject(branch, &vehicle->def, vehicle->body) == NULL) return hwFail_Memory(error, NULL);
    }
    if (!hwPool_Mirror(&branch->vehicles, &world->vehicles, &branch->allocator))
        return hwFail_Memory(error, NULL);
    for (int i = 0; i < world->vehicles.slots; ++i) {
        if (world->vehicles.items[i] == NULL) continue;
        ((hwVehicleObject*)branch->vehicles.items[i])->id =
            ((const hwVehicleObject*)world->vehicles.items[i])->id;
    }
    return HW_OK;
}

hwVehicleId hwWorld_FindVehicle(const hwWorld* world, const char* name) {
    hwVehicleId none = {0, 0};
    if (name == NULL) return none;
    for (int i = 0; i < world->vehicles.slots; ++i) {
        const hwVehicleObject* vehicle = world->vehicles.items[i];
        if (vehicle != NULL && strcmp(vehicle->def.body.name, name) == 0) return vehicle->id;
    }
    return none;
}

int hwWorld_GetVehicles(const hwWorld* world, int capacity, hwVehicleId* vehicles) {
    int count = 0;
    for (int i = 0; i < world->vehicles.slots; ++i) {
        const hwVehicleObject* vehicle = world->vehicles.items[i];
        if (vehicle == NULL) continue;
        if (count < capacity) vehicles[count] = vehicle->id;
        count += 1;
    }
    return count;
}

hwBodyId hwVehicle_GetBody(const hwWorld* world, hwVehicleId id) {
    const hwVehicleObject* vehicle = GetVehicle(world, id);
    return vehicle != NULL ? vehicle->body : (hwBodyId){0, 0};
}

const hwVehicleDef* hwVehicle_GetDef(const hwWorld* world, hwVehicleId id) {
    const hwVehicleObject* vehicle = GetVehicle(world, id);
    return vehicle != NULL ? &vehicle->def : NULL;
}

bool hwVehicle_FindPoint(const hwWorld* world, hwVehicleId id, const char* name, hwVec3* position) {
    const hwVehicleObject* vehicle = GetVehicle(world, id);
    if (vehicle == NULL) return false;
    for (int i = 0; i < vehicle->def.pointCount; ++i) {
        if (strcmp(vehicle->def.points[i].name, name) != 0) continue;
        *position = vehicle->def.points[i].position;
        return true;
    }
    return false;
}

double hwVehicle_GetAuthority(const hwWorld* world, hwVehicleId id, int axis, bool positive) {
    const hwVehicleObject* vehicle = GetVehicle(world, id);
    if (vehicle == NULL || axis < 0 || axis > 5) return 0.0;
    hwVehicleModel model;
    if (!hwVehicleModel_Init(&model, &vehicle->def)) return 0.0;
    return model.authority[axis][positive ? 0 : 1];
}

// The model ----------------------------------------------------------------------------------------------------------

static void LayVehicles(const hwWorld* world, hwArena* arena, hwModel* model) {
    model->vehicles->count = 0;
    for (int i = 0; i < world->vehicles.slots; ++i)
        model->vehicles->count += world->vehicles.items[i] != NULL;
    model->vehicles->items = HW_TAKE(arena, hwVehicleEntry, model->vehicles->count);
}

static void FillVehicles(const hwWorld* world, hwModel* model) {
    int next = 0;
    for (int i = 0; i < world->vehicles.slots; ++i) {
        hwVehicleObject* vehicle = world->vehicles.items[i];
        if (vehicle == NULL) continue;
        hwVehicleEntry* entry = &model->vehicles->items[next++];
        entry->object = vehicle;
        hwVehicleModel_Init(&entry->model, &vehicle->def);
        entry->link = hwModel_FindLink(model, hwWorld_GetBody(world, vehicle->body));
        entry->auxiliary = model->auxiliaryCount;
        model->auxiliaryCount += hwVehicleModel_CountVariables(&vehicle->def);
    }
}

static void FindVehicleInputs(hwModel* model) {
    for (int k = 0; k < model->vehicles->count; ++k) {
        char name[96];
        snprintf(name, sizeof(name), "%s.pilot.surge", model->vehicles->items[k].object->def.body.name);
        model->vehicles->items[k].input = hwNameTable_Find(&model->inputs, name);
    }
}

static double FindBottom(const hwWorld* world, hwVec3 position) {
    hwVec3 normal;
    return hwEnvironment_GetSeabed(world->environment, position.x, position.y, &normal);
}

static void ReadMotion(const hwWorld* world, const hwModel* model, const hwState* state, int k,
                       hwVehicleMotion* motion) {
    const hwLink* link = &model->forest.links[model->vehicles->items[k].link];
    const hwEnvironmentDef* environment = hwEnvironment_GetDef(world->environment);
    const double* q = state->q + link->coordinate;
    const double* v = state->v + link->freedom;
    memset(motion, 0, sizeof(*motion));
    motion->attitude = hwMat3FromQuat((hwQuat){q[3], q[4], q[5], q[6]});
    motion->position = hwMakeVec3(q[0], q[1], q[2]);
    motion->velocity = hwMulTV(motion->attitude, hwMakeVec3(v[0], v[1], v[2]));
    motion->rate = hwMakeVec3(v[3], v[4], v[5]);
    motion->water = environment->water;
    motion->surface = motion->level = environment->surface;
    motion->bottom = FindBottom(world, motion->position);
}

static void StartVehicleInputs(const hwModel* model, double* inputs) {
    for (int k = 0; k < model->vehicles->count; ++k) {
        hwVehicleModel_ResetInputs(&model->vehicles->items[k].model,
                                   inputs + model->vehicles->items[k].input);
    }
}

static void CarryVehicles(const hwWorld* world, hwModel* model, hwState* state) {
    for (int k = 0; k < model->vehicles->count; ++k) {
        const hwVehicleEntry* entry = &model->vehicles->items[k];
        hwVehicleMotion motion;
        ReadMotion(world, model, state, k, &motion);
        hwVehicleModel_ResetVariables(&entry->model, state->inputs + entry->input, &motion,
                                      state->z + entry->auxiliary);
        // a vehicle that was there before goes on as it was
        for (int old = 0; old < world->model.vehicles->count; ++old) {
            const hwVehicleEntry* before = &world->model.vehicles->items[old];
            if (before->object != entry->object) continue;
            memcpy(state->z + entry->auxiliary, world->state.z + before->auxiliary,
                   (size_t)hwVehicleModel_CountVariables(&entry->object->def) * sizeof(double));
        }
    }
}

static hwStatus CheckVehicleMode(const char* input, double value, hwError* error) {
    if (value == floor(value) && value >= 0.0 && value < HW_MODE_COUNT) return HW_OK;
    return hwFail(error, HW_ERROR_ARGUMENT, input,
                  "%s: there is no mode %g; 0 is manual, 1 stabilize, 2 depth_hold, 3 heading_hold, 4 hold, "
                  "5 altitude_hold, 6 station, 7 route, 8 home, 9 unwind",
                  input, value);
}

static hwStatus CheckVehicleBypass(const char* input, double value, hwError* error) {
    if (value == floor(value) && value >= 0.0 && value < HW_BYPASS_COUNT) return HW_OK;
    return hwFail(error, HW_ERROR_ARGUMENT, input,
                  "%s: there is no bypass %g; 0 is none, 1 passes by the autopilot, 2 the allocation too",
                  input, value);
}

static void VehicleInputChanged(hwWorld* world, int input) {
    for (int k = 0; k < world->model.vehicles->count; ++k) {
        const hwVehicleEntry* entry = &world->model.vehicles->items[k];
        int at = input - entry->input;
        if (at < 0 || at >= hwVehicleModel_CountInputs(&entry->object->def)) continue;
        hwVehicleMotion motion;
        ReadMotion(world, &world->model, &world->state, k, &motion);
        hwVehicleModel_InputChanged(&entry->model, at, world->state.inputs + entry->input, &motion,
                                    world->state.z + entry->auxiliary);
    }
}

// In each evaluation ---------------------------------------------------------------------------------------------------

// The water around the vehicle, from what was sampled for its body.
static void ReadWater(const hwWorld* world, int link, double time, hwVehicleMotion* motion) {
    const hwEnvironmentDef* environment = hwEnvironment_GetDef(world->environment);
    motion->water = environment->water;
    motion->surface = motion->level = environment->surface;
    if (!environment->water) return;
    hwFluidSample sample;
    if (!hwWorld_GetWater(world, link, &sample))
        hwWorld_SampleEnvironment(world, &hwMode_running, 1, &motion->position, time, &sample);
    motion->surface = sample.surface;
    motion->stream = sample.velocity;
}

static void EvaluateVehicles(const hwWorld* world, const hwEvaluation* e) {
    hwWork* work = world->work;
    for (int k = 0; k < world->model.vehicles->count; ++k) {
        const hwVehicleEntry* entry = &world->model.vehicles->items[k];
        const hwLinkMotion* m = &work->forest.motion[entry->link];
        hwSpatial own = hwWideSpatial_ToLink(m->v, &m->R);
        hwVehicleMotion motion = {.attitude = hwWideMat_ToMat3(&m->R),
                                  .position = hwWide_ToVec3(m->p),
                                  .velocity = own.l,
                                  .rate = own.a};
        ReadWater(world, entry->link, e->time, &motion);
        // it may be costly to find, and one mode needs it
        bool asks = world->state.inputs[entry->input + HW_VEHICLE_MODE] == HW_MODE_ALTITUDE;
        motion.bottom = asks ? FindBottom(world, motion.position) : -(double)INFINITY;
        hwVehicleOutput* out = &work->vehicles->outputs[k];
        hwVehicleModel_Evaluate(&entry->model, e->time, world->state.inputs + entry->input, &motion,
                                e->zBase + entry->auxiliary, e->hd, work->z + entry->auxiliary,
                                work->zdot + entry->auxiliary, out);
        work->vehicles->motions[k] = motion;
        hwWorld_AddWrench(world, entry->link, hwWideSpatial_FromLink(out->wrench, &m->R));
        hwLinkTerms* terms = &work->terms[entry->link];
        if (!(terms->kinds & HW_TERMS_LINK)) {
            terms->kinds |= HW_TERMS_LINK;
            memset(&terms->damping, 0, sizeof(terms->damping));
            memset(&terms->stiffness, 0, sizeof(terms->stiffness));
        }
        hwMulAddSpatialSym(&terms->damping, 1.0, &out->damping);
        hwWorld_FollowMirror(world, entry);
    }
}

// Reading --------------------------------------------------------------------------------------------------------------

static double ReadAltitude(const hwWorld* world, int k) {
    hwVec3 p = world->work->vehicles->motions[k].position, normal;
    double bottom = hwEnvironment_GetSeabed(world->environment, p.x, p.y, &normal);
    return isfinite(bottom) ? p.z - bottom : (double)NAN;
}

bool hwVehicle_FindTether(const hwWorld* world, const hwVehicleEntry* entry, int* slot, int* which) {
    hwVec3 point;
    if (!hwVehicle_FindPoint(world, entry->object->id, "tether", &point)) return false;
    for (*slot = 0; *slot < world->model.cables->count; ++*slot) {
        const hwCableStore* cable = &world->state.cables->stores[*slot];
        for (*which = 0; *which < 2; ++*which) {
            const hwEndState* end = &cable->ends[*which];
            if (cable->core->nodes == 0 || end->joint == HW_ATTACH_FREE || end->link != entry->link) continue;
            if (hwDistance(end->at, point) <= 1e-6) return true;
        }
    }
    return false;
}

// Force of the cable that ends at the point `tether`; none: 0.
static double ReadTension(const hwWorld* world, int k) {
    int slot, end;
    if (!hwVehicle_FindTether(world, &world->model.vehicles->items[k], &slot, &end)) return 0.0;
    hwVec3 force, moment;
    hwWorld_GetEndLoad(world, slot, end, &force, &moment);
    return hwLength(force);
}

double hwVehicle_ReadTurns(const hwWorld* world, int k) {
    const hwVehicleEntry* entry = &world->model.vehicles->items[k];
    double first = world->state.z[entry->auxiliary + HW_VEHICLE_FIRST_HEADING];
    return (world->work->vehicles->outputs[k].sense.heading - first) / (2.0 * HW_PI) -
           world->state.inputs[entry->input + HW_VEHICLE_TURNS_OFFSET];
}

static double WrapAngle(double angle) {
    double turns = angle / (2.0 * HW_PI);
    return (turns - floor(turns)) * 2.0 * HW_PI;
}

// What a channel of a vehicle reads.
typedef enum VehicleChannel {
    CHANNEL_DEPTH,
    CHANNEL_HEADING,
    CHANNEL_ROLL,
    CHANNEL_PITCH,
    CHANNEL_ALTITUDE,
    CHANNEL_SPEED,
    CHANNEL_TURNS,
    CHANNEL_TENSION,
    CHANNEL_WATER_X,
    CHANNEL_WATER_Y,
    CHANNEL_WATER_Z,
    CHANNEL_SURGE,
    CHANNEL_SWAY,
    CHANNEL_HEAVE,
    CHANNEL_YAW,
    CHANNEL_ARMED,
    CHANNEL_MODE,
    CHANNEL_GAIN,
    CHANNEL_TARGET_DEPTH,
    CHANNEL_TARGET_HEADING,
    CHANNEL_LIGHTS,
    CHANNEL_TILT,
    CHANNEL_ZOOM,
    CHANNEL_GRIPPER,
    CHANNEL_SATURATED,
    CHANNEL_FAILED,
    CHANNEL_HELD,
    CHANNEL_BYPASS,
    CHANNEL_TARGET_ALTITUDE,
    CHANNEL_TARGET_X,
    CHANNEL_TARGET_Y,
    CHANNEL_PROGRESS,
    CHANNEL_MIRROR_AGE,
    CHANNEL_CAMERA_FIELD,
    CHANNEL_DEMAND // surge, sway, heave, roll, pitch, yaw
} VehicleChannel;
#define DEMAND_CHANNELS 6

// As pilots count them: sway to starboard, pitch bow up, yaw to starboard.
static double ReadDemand(const hwVehicleOutput* out, int axis) {
    return axis == 1 || axis == 4 || axis == 5 ? 0.0 - out->demand[axis] : out->demand[axis];
}

// Set point of a mode that holds the position.
static hwVec3 ReadPlace(const hwVehicleEntry* entry, hwVehicleMode mode, const double* z) {
    const double* hold = z + HW_VEHICLE_HOLD;
    hwVec3 place = hwMakeVec3(hold[HW_HOLD_X], hold[HW_HOLD_Y], 0.0), way;
    if (mode != HW_MODE_ROUTE) return place;
    hwVec3 begin = hwMakeVec3(hold[HW_HOLD_BEGIN], hold[HW_HOLD_BEGIN + 1], hold[HW_HOLD_BEGIN + 2]);
    const hwVehicleDef* def = &entry->object->def;
    hwRoute_Find(def->routeCount, def->route, begin, hold[HW_HOLD_PROGRESS], &place, &way);
    return place;
}

// The camera's axes: x along its view, y to port; a tilt upwards turns against y.
static hwPose GetCamera(const hwWorld* world, int k) {
    const hwVehicleEntry* entry = &world->model.vehicles->items[k];
    hwBodyState body;
    hwBody_ReadMotion(world, entry->link, &body);
    double tilt = world->state.z[entry->auxiliary + HW_VEHICLE_TILT_NOW];
    hwPose own = {entry->object->def.camera.position,
                  hwQuatFromAxisAngle(hwMakeVec3(0.0, 1.0, 0.0), 0.0 - tilt)};
    return hwMulPose((hwPose){body.position, body.attitude}, own);
}

static double ReadCameraPlace(const hwWorld* world, int k, int component) {
    return hwVec3_GetComponent(GetCamera(world, k).p, component);
}

static double ReadCameraAttitude(const hwWorld* world, int k, int component) {
    return hwVec3_GetComponent(hwRpyFromQuat(GetCamera(world, k).q), component);
}

static double ReadVehicle(const hwWorld* world, int k, int component) {
    const hwVehicleEntry* entry = &world->model.vehicles->items[k];
    const hwVehicleOutput* out = &world->work->vehicles->outputs[k];
    const hwVehicleMotion* motion = &world->work->vehicles->motions[k];
    const double* inputs = world->state.inputs + entry->input;
    const double* z = world->state.z + entry->auxiliary;
    hwVehicleMode mode = (hwVehicleMode)(int)inputs[HW_VEHICLE_MODE];
    bool armed = inputs[HW_VEHICLE_ARMED] > 0.5;
    bool holding = armed && inputs[HW_VEHICLE_BYPASS] < 0.5 && entry->object->def.autopilotFn == NULL;
    if (component >= CHANNEL_DEMAND && component < CHANNEL_DEMAND + DEMAND_CHANNELS)
        return ReadDemand(out, component - CHANNEL_DEMAND);
    switch ((VehicleChannel)component) {
    case CHANNEL_DEPTH:
        return out->sense.depth;
    case CHANNEL_HEADING:
        return WrapAngle(out->sense.heading);
    case CHANNEL_ROLL:
        return out->sense.roll;
    case CHANNEL_PITCH:
        return out->sense.pitch;
    case CHANNEL_ALTITUDE:
        return ReadAltitude(world, k);
    case CHANNEL_SPEED:
        return hwLength(motion->velocity);
    case CHANNEL_TURNS:
        return hwVehicle_ReadTurns(world, k);
    case CHANNEL_TENSION:
        return ReadTension(world, k);
    case CHANNEL_WATER_X:
        return motion->stream.x;
    case CHANNEL_WATER_Y:
        return motion->stream.y;
    case CHANNEL_WATER_Z:
        return motion->stream.z;
    case CHANNEL_SURGE:
    case CHANNEL_SWAY:
    case CHANNEL_HEAVE:
    case CHANNEL_YAW:
        return out->axes[component - CHANNEL_SURGE];
    case CHANNEL_ARMED:
        return armed ? 1.0 : 0.0;
    case CHANNEL_MODE:
        return mode;
    case CHANNEL_GAIN:
        return inputs[HW_VEHICLE_GAIN];
    case CHANNEL_TARGET_DEPTH:
        if (holding && mode == HW_MODE_ROUTE) return motion->level - ReadPlace(entry, mode, z).z;
        if (mode == HW_MODE_ALTITUDE && isfinite(ReadAltitude(world, k))) return (double)NAN;
        return holding && hwMode_HoldsDepth(mode) ? z[HW_VEHICLE_HOLD + HW_HOLD_DEPTH] : (double)NAN;
    case CHANNEL_TARGET_HEADING:
        return holding && hwMode_HoldsHeading(mode) ? WrapAngle(z[HW_VEHICLE_HOLD + HW_HOLD_HEADING])
                                                    : (double)NAN;
    case CHANNEL_LIGHTS:
        return hwClamp(inputs[HW_VEHICLE_LIGHTS], 0.0, 1.0);
    case CHANNEL_TILT:
        return z[HW_VEHICLE_TILT_NOW];
    case CHANNEL_ZOOM:
        return z[HW_VEHICLE_ZOOM_NOW];
    case CHANNEL_GRIPPER:
        return z[HW_VEHICLE_GRIPPER_NOW];
    case CHANNEL_SATURATED:
        return out->saturated ? 1.0 : 0.0;
    case CHANNEL_FAILED: {
        double mask = 0.0;
        for (int i = 0; i < entry->object->def.thrusterCount; ++i) {
            bool failed = inputs[HW_VEHICLE_THRUSTERS + HW_THRUSTER_INPUTS * i + HW_THRUSTER_FAILED] > 0.5;
            mask += failed ? (double)(1u << i) : 0.0;
        }
        return mask;
    }
    case CHANNEL_HELD:
        return HW_IS_NULL(hwWorld_GetHeldBody(world, k)) ? 0.0 : 1.0;
    case CHANNEL_BYPASS:
        return inputs[HW_VEHICLE_BYPASS];
    case CHANNEL_TARGET_ALTITUDE:
        return holding && mode == HW_MODE_ALTITUDE ? z[HW_VEHICLE_HOLD + HW_HOLD_ALTITUDE] : (double)NAN;
    case CHANNEL_TARGET_X:
    case CHANNEL_TARGET_Y:
        if (!holding || !hwMode_HoldsPlace(mode)) return (double)NAN;
        return hwVec3_GetComponent(ReadPlace(entry, mode, z), component - CHANNEL_TARGET_X);
    case CHANNEL_PROGRESS:
        return holding && mode == HW_MODE_ROUTE ? z[HW_VEHICLE_HOLD + HW_HOLD_PROGRESS] : (double)NAN;
    case CHANNEL_MIRROR_AGE:
        return inputs[HW_VEHICLE_MIRROR + HW_MIRROR_ON] > 0.5 ? inputs[HW_VEHICLE_MIRROR + HW_MIRROR_AGE]
                                                              : (double)NAN;
    case CHANNEL_CAMERA_FIELD: // a lens of zoom times the focal length
        return 2.0 * hwAtan(hwTan(0.5 * entry->object->def.camera.field) / z[HW_VEHICLE_ZOOM_NOW]);
    case CHANNEL_DEMAND:
        break;
    }
    return (double)NAN;
}

hwStatus hwVehicle_GetState(const hwWorld* world, hwVehicleId id, hwVehicleState* out, hwError* error) {
    hwClearError(error);
    const hwVehicleObject* vehicle = GetVehicle(world, id);
    if (vehicle == NULL) return BadHandle(error);
    hwStatus status = hwWorld_RequirePrepared(world, error);
    if (status != HW_OK) return status;
    hwWorld_Refresh(world);
    int k = 0;
    while (world->model.vehicles->items[k].object != vehicle) k += 1;
    memset(out, 0, sizeof(*out));
    const struct {
        double* field;
        VehicleChannel channel;
    } fields[] = {{&out->depth, CHANNEL_DEPTH},
                  {&out->heading, CHANNEL_HEADING},
                  {&out->roll, CHANNEL_ROLL},
                  {&out->pitch, CHANNEL_PITCH},
                  {&out->altitude, CHANNEL_ALTITUDE},
                  {&out->speed, CHANNEL_SPEED},
                  {&out->turns, CHANNEL_TURNS},
                  {&out->tetherTension, CHANNEL_TENSION},
                  {&out->gain, CHANNEL_GAIN},
                  {&out->depthTarget, CHANNEL_TARGET_DEPTH},
                  {&out->headingTarget, CHANNEL_TARGET_HEADING},
                  {&out->altitudeTarget, CHANNEL_TARGET_ALTITUDE},
                  {&out->positionTarget.x, CHANNEL_TARGET_X},
                  {&out->positionTarget.y, CHANNEL_TARGET_Y},
                  {&out->routeProgress, CHANNEL_PROGRESS},
                  {&out->lights, CHANNEL_LIGHTS},
                  {&out->cameraTilt, CHANNEL_TILT},
                  {&out->cameraZoom, CHANNEL_ZOOM},
                  {&out->gripper, CHANNEL_GRIPPER}};
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); ++i) {
        *fields[i].field = ReadVehicle(world, k, fields[i].channel);
    }
    const double* inputs = world->state.inputs + world->model.vehicles->items[k].input;
    const hwVehicleOutput* output = &world->work->vehicles->outputs[k];
    out->water = world->work->vehicles->motions[k].stream;
    memcpy(out->axes, output->axes, sizeof(out->axes));
    memcpy(out->demand, output->demand, sizeof(out->demand));
    out->positionTarget.z = world->work->vehicles->motions[k].level - out->depthTarget;
    out->bypass = (hwVehicleBypass)(int)inputs[HW_VEHICLE_BYPASS];
    out->mode = (hwVehicleMode)(int)inputs[HW_VEHICLE_MODE];
    out->armed = inputs[HW_VEHICLE_ARMED] > 0.5;
    out->saturated = output->saturated;
    out->held = hwWorld_GetHeldBody(world, k);
    out->failed = (uint32_t)ReadVehicle(world, k, CHANNEL_FAILED);
    out->thrusterCount = vehicle->def.thrusterCount;
    memcpy(out->thrusters, output->thrusters, sizeof(out->thrusters));
    return HW_OK;
}

// Channels and inputs ------------------------------------------------------------------------------------------------------

static const hwChannelRow vehicleRows[] = {
    {"depth", "m", ReadVehicle, CHANNEL_DEPTH},
    {"heading", "rad", ReadVehicle, CHANNEL_HEADING},
    {"roll", "rad", ReadVehicle, CHANNEL_ROLL},
    {"pitch", "rad", ReadVehicle, CHANNEL_PITCH},
    {"altitude", "m", ReadVehicle, CHANNEL_ALTITUDE},
    {"speed", "m/s", ReadVehicle, CHANNEL_SPEED},
    {"turns", "1", ReadVehicle, CHANNEL_TURNS},
    {"tether.tension", "N", ReadVehicle, CHANNEL_TENSION},
    {"water.x", "m/s", ReadVehicle, CHANNEL_WATER_X},
    {"water.y", "m/s", ReadVehicle, CHANNEL_WATER_Y},
    {"water.z", "m/s", ReadVehicle, CHANNEL_WATER_Z},
    {"axis.surge", "1", ReadVehicle, CHANNEL_SURGE},
    {"axis.sway", "1", ReadVehicle, CHANNEL_SWAY},
    {"axis.heave", "1", ReadVehicle, CHANNEL_HEAVE},
    {"axis.yaw", "1", ReadVehicle, CHANNEL_YAW},
    {"armed", "1", ReadVehicle, CHANNEL_ARMED},
    {"mode", "1", ReadVehicle, CHANNEL_MODE},
    {"gain", "1", ReadVehicle, CHANNEL_GAIN},
    {"target.depth", "m", ReadVehicle, CHANNEL_TARGET_DEPTH},
    {"target.heading", "rad", ReadVehicle, CHANNEL_TARGET_HEADING},
    {"target.altitude", "m", ReadVehicle, CHANNEL_TARGET_ALTITUDE},
    {"target.x", "m", ReadVehicle, CHANNEL_TARGET_X},
    {"target.y", "m", ReadVehicle, CHANNEL_TARGET_Y},
    {"route.progress", "m", ReadVehicle, CHANNEL_PROGRESS},
    {"lights", "1", ReadVehicle, CHANNEL_LIGHTS},
    {"camera.tilt", "rad", ReadVehicle, CHANNEL_TILT},
    {"camera.zoom", "1", ReadVehicle, CHANNEL_ZOOM},
    {"camera.field", "rad", ReadVehicle, CHANNEL_CAMERA_FIELD},
    HW_CHANNELS_XYZ("camera.position", "m", ReadCameraPlace),
    {"camera.attitude.roll", "rad", ReadCameraAttitude, 0},
    {"camera.attitude.pitch", "rad", ReadCameraAttitude, 1},
    {"camera.attitude.yaw", "rad", ReadCameraAttitude, 2},
    {"gripper", "1", ReadVehicle, CHANNEL_GRIPPER},
    {"saturated", "1", ReadVehicle, CHANNEL_SATURATED},
    {"failed", "1", ReadVehicle, CHANNEL_FAILED},
    {"gripper.held", "1", ReadVehicle, CHANNEL_HELD},
    {"bypass", "1", ReadVehicle, CHANNEL_BYPASS},
    {"mirror.age", "s", ReadVehicle, CHANNEL_MIRROR_AGE},
    {"demand.surge", "N", ReadVehicle, CHANNEL_DEMAND},
    {"demand.sway", "N", ReadVehicle, CHANNEL_DEMAND + 1},
    {"demand.heave", "N", ReadVehicle, CHANNEL_DEMAND + 2},
    {"demand.roll", "N m", ReadVehicle, CHANNEL_DEMAND + 3},
    {"demand.pitch", "N m", ReadVehicle, CHANNEL_DEMAND + 4},
    {"demand.yaw", "N m", ReadVehicle, CHANNEL_DEMAND + 5},
};

// Thrusters are numbered through all vehicles, HW_MAX_THRUSTERS of each.
static const hwThrusterState* GetThruster(const hwWorld* world, int thruster) {
    return &world->work->vehicles->outputs[thruster / HW_MAX_THRUSTERS]
                .thrusters[thruster % HW_MAX_THRUSTERS];
}

static double ReadThrusterForce(const hwWorld* world, int thruster, int component) {
    (void)component;
    return GetThruster(world, thruster)->force;
}

static double ReadThrusterCommand(const hwWorld* world, int thruster, int component) {
    (void)component;
    return GetThruster(world, thruster)->command;
}

static double ReadThrusterSpeed(const hwWorld* world, int thruster, int component) {
    (void)component;
    return GetThruster(world, thruster)->speed;
}

static const hwChannelRow thrusterRows[] = {{"force", "N", ReadThrusterForce, 0},
                                            {"command", "1", ReadThrusterCommand, 0},
                                            {"speed", "rad/s", ReadThrusterSpeed, 0}};

static const hwInputRow vehicleInputs[HW_VEHICLE_AXES] = {
    [HW_VEHICLE_PILOT + HW_AXIS_SURGE] = {"pilot.surge", "1", NULL},
    [HW_VEHICLE_PILOT + HW_AXIS_SWAY] = {"pilot.sway", "1", NULL},
    [HW_VEHICLE_PILOT + HW_AXIS_HEAVE] = {"pilot.heave", "1", NULL},
    [HW_VEHICLE_PILOT + HW_AXIS_YAW] = {"pilot.yaw", "1", NULL},
    [HW_VEHICLE_ARMED] = {"armed", "1", NULL},
    [HW_VEHICLE_MODE] = {"mode", "1", CheckVehicleMode},
    [HW_VEHICLE_GAIN] = {"gain", "1", NULL},
    [HW_VEHICLE_LIGHTS] = {"lights", "1", NULL},
    [HW_VEHICLE_GRIPPER] = {"gripper", "1", NULL},
    [HW_VEHICLE_TILT] = {"camera.tilt_deg", "deg", NULL},
    [HW_VEHICLE_ZOOM] = {"camera.zoom", "1", NULL},
    [HW_VEHICLE_TURNS_OFFSET] = {"turns.offset", "1", NULL},
    [HW_VEHICLE_HOLD_DEPTH] = {"hold.depth", "m", NULL},
    [HW_VEHICLE_HOLD_HEADING] = {"hold.heading", "rad", NULL},
    [HW_VEHICLE_HOLD_ALTITUDE] = {"hold.altitude", "m", NULL},
    [HW_VEHICLE_HOLD_X] = {"hold.x", "m", NULL},
    [HW_VEHICLE_HOLD_Y] = {"hold.y", "m", NULL},
    [HW_VEHICLE_BYPASS] = {"bypass", "1", CheckVehicleBypass},
    [HW_VEHICLE_DEMAND] = {"demand.surge", "N", NULL},
    [HW_VEHICLE_DEMAND + 1] = {"demand.sway", "N", NULL},
    [HW_VEHICLE_DEMAND + 2] = {"demand.heave", "N", NULL},
    [HW_VEHICLE_DEMAND + 3] = {"demand.roll", "N m", NULL},
    [HW_VEHICLE_DEMAND + 4] = {"demand.pitch", "N m", NULL},
    [HW_VEHICLE_DEMAND + 5] = {"demand.yaw", "N m", NULL},
    [HW_VEHICLE_MIRROR + HW_MIRROR_ON] = {"mirror.on", "1", NULL},
    [HW_VEHICLE_MIRROR + HW_MIRROR_POSITION] = {"mirror.x", "m", NULL},
    [HW_VEHICLE_MIRROR + HW_MIRROR_POSITION + 1] = {"mirror.y", "m", NULL},
    [HW_VEHICLE_MIRROR + HW_MIRROR_POSITION + 2] = {"mirror.z", "m", NULL},
    [HW_VEHICLE_MIRROR + HW_MIRROR_ROLL] = {"mirror.roll", "rad", NULL},
    [HW_VEHICLE_MIRROR + HW_MIRROR_PITCH] = {"mirror.pitch", "rad", NULL},
    [HW_VEHICLE_MIRROR + HW_MIRROR_HEADING] = {"mirror.heading", "rad", NULL},
    [HW_VEHICLE_MIRROR + HW_MIRROR_VELOCITY] = {"mirror.vx", "m/s", NULL},
    [HW_VEHICLE_MIRROR + HW_MIRROR_VELOCITY + 1] = {"mirror.vy", "m/s", NULL},
    [HW_VEHICLE_MIRROR + HW_MIRROR_VELOCITY + 2] = {"mirror.vz", "m/s", NULL},
    [HW_VEHICLE_MIRROR + HW_MIRROR_TURN_RATE] = {"mirror.turn_rate", "rad/s", NULL},
    [HW_VEHICLE_MIRROR + HW_MIRROR_AGE] = {"mirror.age", "s", NULL},
    [HW_VEHICLE_TETHER_FORWARD] = {"tether_forward", "1", NULL},
    [HW_VEHICLE_LOAD_CELL] = {"load_cell.x", "N", NULL},
    [HW_VEHICLE_LOAD_CELL + 1] = {"load_cell.y", "N", NULL},
    [HW_VEHICLE_LOAD_CELL + 2] = {"load_cell.z", "N", NULL},
};

// In the order of HW_VEHICLE_AXES: of each axis of the pilot.
static const hwInputRow axisInputs[] = {
    {"dead_zone", "1", NULL}, {"sensitivity", "1", NULL}, {"expo", "1", NULL}, {"invert", "1", NULL}};

static const hwInputRow thrusterInputs[HW_THRUSTER_INPUTS] = {[HW_THRUSTER_FAILED] = {"failed", "1", NULL},
                                                              [HW_THRUSTER_SENSE] = {"sense", "1", NULL},
                                                              [HW_THRUSTER_COMMAND] = {"command", "1", NULL}};

static void AddVehicleChannels(hwTableBuilder* builder, const hwWorld* world, const hwModel* model) {
    (void)world;
    for (int k = 0; k < model->vehicles->count; ++k) {
        const hwVehicleDef* def = &model->vehicles->items[k].object->def;
        hwTable_AddChannels(builder, def->body.name, HW_ROW_COUNT(vehicleRows), vehicleRows, k);
        for (int i = 0; i < def->thrusterCount; ++i) {
            char name[96];
            snprintf(name, sizeof(name), "%s.thruster[%d]", def->body.name, i);
            hwTable_AddChannels(builder, name, HW_ROW_COUNT(thrusterRows), thrusterRows,
                                k * HW_MAX_THRUSTERS + i);
        }
    }
}

static void AddVehicleInputs(hwTableBuilder* builder, const hwModel* model) {
    static const char* const axes[HW_AXIS_COUNT] = {
        [HW_AXIS_SURGE] = "surge", [HW_AXIS_SWAY] = "sway", [HW_AXIS_HEAVE] = "heave", [HW_AXIS_YAW] = "yaw"};
    for (int k = 0; k < model->vehicles->count; ++k) {
        const hwVehicleDef* def = &model->vehicles->items[k].object->def;
        char name[96];
        hwTable_AddInputs(builder, def->body.name, HW_VEHICLE_AXES, vehicleInputs);
        for (int i = 0; i < HW_AXIS_COUNT; ++i) {
            snprintf(name, sizeof(name), "%s.axis.%s", def->body.name, axes[i]);
            hwTable_AddInputs(builder, name, HW_ROW_COUNT(axisInputs), axisInputs);
        }
        for (int i = 0; i < def->thrusterCount; ++i) {
            snprintf(name, sizeof(name), "%s.thruster[%d]", def->body.name, i);
            hwTable_AddInputs(builder, name, HW_THRUSTER_INPUTS, thrusterInputs);
        }
    }
}

// The part -------------------------------------------------------------------------------------------------------------------

static bool HasVehicles(const hwModel* model) {
    return model->vehicles->count > 0;
}

static void LayVehiclesWork(const hwModel* model, hwArena* arena, hwWork* work) {
    work->vehicles->motions = HW_TAKE(arena, hwVehicleMotion, model->vehicles->count);
    work->vehicles->outputs = HW_TAKE(arena, hwVehicleOutput, model->vehicles->count);
}

// Pilots hold their vehicles where they start.
static int HoldVehicles(const hwWorld* world, double* x) {
    const hwModel* model = &world->model;
    for (int i = 0; i < model->vehicles->count && x != NULL; ++i) {
        const hwLink* link = &model->forest.links[model->vehicles->items[i].link];
        if (link->joint == HW_LINK_FREE) memset(x + link->freedom, 0, 6 * sizeof(double));
    }
    return model->vehicles->count;
}

static void KeepVehiclesAwake(const hwWorld* world, uint8_t* lively) {
    for (int k = 0; k < world->model.vehicles->count; ++k) lively[world->model.vehicles->items[k].link] = 1;
}

const hwPart hwVehiclesPart = {.name = "vehicles",
                               .keepAwake = KeepVehiclesAwake,
                               .model = HW_SLICE(hwModel, vehicles),
                               .work = HW_SLICE(hwWork, vehicles),
                               .copy = CopyVehicles,
                               .dropBody = DropVehicle,
                               .layModel = LayVehicles,
                               .fillModel = FillVehicles,
                               .isPresent = HasVehicles,
                               .layWork = LayVehiclesWork,
                               .carry = CarryVehicles,
                               .findInputs = FindVehicleInputs,
                               .startInputs = StartVehicleInputs,
                               .addChannels = AddVehicleChannels,
                               .addInputs = AddVehicleInputs,
                               .inputChanged = VehicleInputChanged,
                               .evaluate = EvaluateVehicles,
                               .hold = HoldVehicles};
