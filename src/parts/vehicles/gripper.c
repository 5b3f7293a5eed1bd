// Grippers: jaws that close on a free body hold it by a spring and a damper between them (src/vehicle/grip_law.h) until they
// open or the load is more than their force.
//
// What is held, and how it lies in the jaws, are variables of the vehicle that do not change by themselves: they are in the
// state, so that saving, rewinding and replaying include them.
#include "parts/vehicles/vehicles.h"

#include "geom/shape_data.h"
#include "vehicle/grip_law.h"
#include "world/part.h"

#include <math.h>
#include <string.h>

#define WATCH 0.02   // s between looks while jaws close or hold
#define LET_GO 0.02  // share of the opening by which jaws open before they let go
#define CLOSING 1e-3 // share of the opening by which jaws are wider than wanted while they close

typedef struct Grip {
    const hwVehicleEntry* entry;
    const hwGripperDef* def;
    double* z; // its variables, see hwGripVariable
} Grip;

// False: the vehicle has no gripper.
static bool GetGrip(const hwWorld* world, int k, double* variables, Grip* grip) {
    const hwVehicleEntry* entry = &world->model.vehicles->items[k];
    *grip = (Grip){entry, &entry->object->def.gripper,
                   variables + entry->auxiliary + hwVehicleModel_GetGrip(&entry->object->def)};
    return grip->def->present;
}

// What it holds; null: nothing.
static const hwBodyObject* GetHeld(const hwWorld* world, const Grip* grip) {
    if (!(grip->z[HW_GRIP_BODY] > 0.5)) return NULL;
    const hwBodyObject* body = hwPool_Get(&world->bodies, (uint32_t)lround(grip->z[HW_GRIP_BODY]),
                                          (uint32_t)lround(grip->z[HW_GRIP_GENERATION]));
    return body != NULL && body->link >= 0 ? body : NULL;
}

hwBodyId hwWorld_GetHeldBody(const hwWorld* world, int vehicle) {
    Grip grip;
    const hwBodyObject* body = GetGrip(world, vehicle, world->state.z, &grip) ? GetHeld(world, &grip) : NULL;
    return body != NULL ? body->id : (hwBodyId){0, 0};
}

// Force --------------------------------------------------------------------------------------------------------------------

// How the body lies in the jaws' vehicle.
static hwPose GetHold(const double* z) {
    return (hwPose){hwMakeVec3(z[HW_GRIP_PLACE], z[HW_GRIP_PLACE + 1], z[HW_GRIP_PLACE + 2]),
                    hwNormalizeQuat((hwQuat){z[HW_GRIP_TURN], z[HW_GRIP_TURN + 1], z[HW_GRIP_TURN + 2],
                                             z[HW_GRIP_TURN + 3]})};
}

static hwGripSide GetSide(const hwLinkMotion* motion) {
    return (hwGripSide){hwWide_ToVec3(motion->p), hwQuatFromMat3(hwWideMat_ToMat3(&motion->R)),
                        hwWide_ToVec3(motion->v.l), hwWide_ToVec3(motion->v.a)};
}

static void AddRound(hwWideMat* m, double s) {
    hwSym3 round = {s, s, s, 0.0, 0.0, 0.0};
    hwWideMat add = hwWideMat_FromSym3(round);
    hwWideMat_Add(m, &add);
}

// `sign`: 1 for the body, -1 for the vehicle.
static void AddSide(const hwWorld* world, int link, const hwGripForce* grip, hwVec3 at, double sign) {
    hwWork* work = world->work;
    hwWide arm = hwWide_FromVec3(at), force = sign * hwWide_FromVec3(grip->force);
    work->wrench[link].l += force;
    work->wrench[link].a += hwWide_Cross(arm, force) + sign * hwWide_FromVec3(grip->moment);
    hwLinkTerms* terms = hwWorld_GetWorldTerms(world, link);
    hwWideMat D = hwWideMat_FromSym3((hwSym3){grip->c, grip->c, grip->c, 0.0, 0.0, 0.0});
    hwWideMat S = hwWideMat_FromSym3((hwSym3){grip->k, grip->k, grip->k, 0.0, 0.0, 0.0});
    hwWideSym_AddPoint(&terms->worldDamping, &D, arm);
    hwWideSym_AddPoint(&terms->worldStiffness, &S, arm);
    AddRound(&terms->worldDamping.aa, grip->cr);
    AddRound(&terms->worldStiffness.aa, grip->kr);
}

static void EvaluateGrippers(const hwWorld* world, const hwEvaluation* e) {
    (void)e;
    hwWork* work = world->work;
    for (int k = 0; k < world->model.vehicles->count; ++k) {
        Grip grip;
        const hwBodyObject* body = GetGrip(world, k, world->state.z, &grip) ? GetHeld(world, &grip) : NULL;
        if (body == NULL) continue;
        hwGripSide jaws = GetSide(&work->forest.motion[grip.entry->link]),
                   held = GetSide(&work->forest.motion[body->link]);
        hwPose hold = GetHold(grip.z);
        hwGripForce law = hwGrip_ComputeForce(grip.def, body->def.mass, &jaws, &held, hold);
        AddSide(world, body->link, &law, law.armBody, 1.0);
        AddSide(world, grip.entry->link, &law, law.armVehicle, -1.0);
        work->springs += law.energy;
        work->powers.stored += law.storing;
        work->powers.dissipation += law.dissipation;
        work->vehicles->outputs[k].gripLoad = law.load;
    }
}

// Taking and letting go ------------------------------------------------------------------------------------------------------

static hwPose GetPose(const hwWorld* world, int link) {
    const double* q = world->state.q + world->model.forest.links[link].coordinate;
    return (hwPose){hwMakeVec3(q[0], q[1], q[2]), {q[3], q[4], q[5], q[6]}};
}

static hwPose GetRelativePose(hwPose outer, hwPose inner) {
    return (hwPose){hwInvRotate(outer.q, hwSub(inner.p, outer.p)), hwMulQuat(hwConjugate(outer.q), inner.q)};
}

// Whether the jaws, `opening` apart, have just met one of the body's shapes between them. `pose` is the body's in the jaws'
// frame.
static bool MeetsJaws(const hwGripperDef* def, const hwBodyObject* body, hwPose pose, double opening) {
    for (int i = 0; i < body->def.shapeCount; ++i) {
        hwVec3 low, high;
        hwShape_GetBounds(&body->def.shapes[i], pose, &low, &high);
        if (hwGrip_Meets(def, low, high, opening)) return true;
    }
    return false;
}

static void TakeBody(hwWorld* world, const Grip* grip, const hwBodyObject* body, double share) {
    hwPose pose = GetRelativePose(GetPose(world, grip->entry->link), GetPose(world, body->link));
    const double values[HW_GRIP_COUNT] = {body->id.index, body->id.generation,
                                          share,          pose.p.x,
                                          pose.p.y,       pose.p.z,
                                          pose.q.w,       pose.q.x,
                                          pose.q.y,       pose.q.z};
    memcpy(grip->z, values, sizeof(values));
    hwWorld_StateChanged(world);
}

static void LetGo(hwWorld* world, const Grip* grip) {
    memset(grip->z, 0, HW_GRIP_COUNT * sizeof(double));
    hwWorld_StateChanged(world);
}

static bool IsHeldByAny(const hwWorld* world, const hwBodyObject* body) {
    for (int k = 0; k < world->model.vehicles->count; ++k) {
        hwBodyId held = hwWorld_GetHeldBody(world, k);
        if (HW_SAME_ID(held, body->id)) return true;
    }
    return false;
}

static void LookForBody(hwWorld* world, const Grip* grip, double share) {
    hwPose jaws = hwMulPose(GetPose(world, grip->entry->link), hwGrip_GetJaws(grip->def));
    for (int i = 0; i < world->bodies.slots; ++i) {
        const hwBodyObject* body = world->bodies.items[i];
        if (body == NULL || body->def.motion != HW_MOTION_FREE || !HW_IS_NULL(body->mechanism) ||
            body->link < 0)
            continue;
        if (body->link == grip->entry->link || body->def.shapeCount == 0 || IsHeldByAny(world, body))
            continue;
        hwPose pose = GetPose(world, body->link);
        double reach = body->solid.radius + grip->def->length + grip->def->opening;
        if (hwDistance(hwTransformPoint(pose, body->solid.center), jaws.p) > reach) continue;
        if (!MeetsJaws(grip->def, body, GetRelativePose(jaws, pose), share * grip->def->opening)) continue;
        TakeBody(world, grip, body, share);
        return;
    }
}

static bool IsClosing(const hwWorld* world, const Grip* grip) {
    double wanted = hwClamp(world->state.inputs[grip->entry->input + HW_VEHICLE_GRIPPER], 0.0, 1.0);
    return world->state.z[grip->entry->auxiliary + HW_VEHICLE_GRIPPER_NOW] > wanted + CLOSING;
}

static void LookAtGrippers(hwWorld* world) {
    for (int k = 0; k < world->model.vehicles->count; ++k) {
        Grip grip;
        if (!GetGrip(world, k, world->state.z, &grip)) continue;
        double share = world->state.z[grip.entry->auxiliary + HW_VEHICLE_GRIPPER_NOW];
        if (grip.z[HW_GRIP_BODY] > 0.5) {
            bool open = share > grip.z[HW_GRIP_OPENING] + LET_GO;
            if (!open && GetHeld(world, &grip) != NULL) {
                hwWorld_Refresh(world);
                open = world->work->vehicles->outputs[k].gripLoad > grip.def->force;
            } else {
                open = true;
            }
            if (open) LetGo(world, &grip);
        } else if (IsClosing(world, &grip)) {
            LookForBody(world, &grip, share);
        }
    }
}

static double GetNextGripTime(const hwWorld* world) {
    for (int k = 0; k < world->model.vehicles->count; ++k) {
        Grip grip;
        if (!GetGrip(world, k, world->state.z, &grip)) continue;
        if (grip.z[HW_GRIP_BODY] > 0.5 || IsClosing(world, &grip)) return world->state.header->time + WATCH;
    }
    return (double)INFINITY;
}

static bool HasGrippers(const hwModel* model) {
    return model->vehicles->count > 0;
}

const hwPart hwGrippersPart = {.name = "grippers",
                               .isPresent = HasGrippers,
                               .getNextTime = GetNextGripTime,
                               .look = LookAtGrippers,
                               .evaluate = EvaluateGrippers};
