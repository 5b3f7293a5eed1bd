// Joints in statics. What a controller makes of a joint at rest is not what its gains give at the first moment:
//  - with an integral part (ki) a position controller leaves no error: the joint is at its target, and the integral carries
//    the load;
//  - a velocity controller keeps the joint where it is, as a closed valve does; its integral, if any, carries the load;
//  - a position controller without an integral part is a spring (kp), and an effort is a load: both are forces like any
//    other, with the lag of a hydraulic actuator over.
// Joints of the first two kinds are held: no force moves them. When the rest is found, what the holding takes is put into
// integrals and lags, so that the run goes on from there without a jerk. Where it is more than the actuator can give,
// the joint is let go with that much, and the search goes on.
#include "parts/joints/joints.h"

#include "record/channels.h"
#include "world/part.h"

#include <math.h>

static const double* GetInputs(const hwWorld* world, const hwJointModel* m) {
    return world->state.inputs + m->input + m->count;
}

static void PutAtTarget(hwWorld* world, const hwJointModel* m) {
    hwVec3 target = hwJoint_FindTarget(world, m, world->state.header->time);
    double* q = world->state.q + m->coordinate;
    if (m->count == 1) {
        q[0] = hwClamp(target.x, m->def->limits.low, m->def->limits.high);
        return;
    }
    hwQuat turn = hwQuatFromRpy(target.x, target.y, target.z);
    q[0] = turn.w, q[1] = turn.x, q[2] = turn.y, q[3] = turn.z;
}

void hwJoints_BeginStatics(hwWorld* world) {
    for (int k = 0; k < world->model.joints->count; ++k) {
        const hwJointModel* m = &world->model.joints->items[k];
        const double* inputs = GetInputs(world, m);
        hwControlMode mode = (hwControlMode)(int)inputs[HW_JOINT_MODE];
        bool placed = mode == HW_CONTROL_POSITION && inputs[HW_JOINT_KI] > 0.0;
        bool kept = mode == HW_CONTROL_VELOCITY && (inputs[HW_JOINT_KP] > 0.0 || inputs[HW_JOINT_KI] > 0.0);
        world->work->joints->holds[k] = placed || kept ? HW_JOINT_HELD : HW_JOINT_LEFT;
        if (placed) PutAtTarget(world, m);
    }
}

int hwJoints_Hold(const hwWorld* world, double* x) {
    for (int k = 0; k < world->model.joints->count && x != NULL; ++k) {
        const hwJointModel* m = &world->model.joints->items[k];
        if (world->work->joints->holds[k] != HW_JOINT_HELD) continue;
        for (int i = m->freedom; i < m->freedom + m->count; ++i) x[i] = 0.0;
    }
    // with these alone things may fall into place: the implicit steps of that do not move them either
    return 0;
}

// The most that an actuator gives at rest.
static double GetMost(const hwLinkDef* def) {
    double most = def->control.limit;
    if (def->actuator.kind != HW_ACTUATOR_MOTOR) return most;
    if (!(def->actuator.torqueConstant > 0.0)) return 0.0;
    return isfinite(most) ? hwJointDrive_GetMotorEffort(&def->actuator, most) : INFINITY;
}

// What a controller asks its actuator for: the effort, or the voltage at which a motor gives it. Brushes take at most their
// drop, and the more of it the higher the voltage: bisection.
static double FindDemand(const hwActuatorDef* actuator, double effort) {
    if (actuator->kind != HW_ACTUATOR_MOTOR) return effort;
    double size = fabs(effort), low = size * actuator->resistance / actuator->torqueConstant;
    double high = low + actuator->brushDrop;
    for (int i = 0; i < 60; ++i) {
        double middle = 0.5 * (low + high);
        if (hwJointDrive_GetMotorEffort(actuator, middle) < size) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return effort < 0.0 ? -high : high;
}

// True: it cannot hold what is on it, and is let go.
static bool GiveWay(hwWorld* world, int index, hwVec3 needed) {
    double most = GetMost(world->model.joints->items[index].def), size = hwLength(needed);
    if (!(size > most)) return false;
    world->work->joints->given[index] = hwScale(most / size, needed);
    world->work->joints->holds[index] = HW_JOINT_OVERLOADED;
    return true;
}

// Integrals and lags that go with an effort at rest.
static void SetAuxiliaries(hwWorld* world, const hwJointModel* m, hwVec3 effort) {
    double ki = GetInputs(world, m)[HW_JOINT_KI];
    hwVec3 carried = hwJoint_GetCompensation(world, m);
    for (int i = 0; i < m->count; ++i) {
        double given = hwVec3_GetComponent(effort, i);
        double demand = FindDemand(&m->def->actuator, given) + hwVec3_GetComponent(carried, i);
        if (ki > 0.0) world->state.z[m->integral + i] = demand / ki;
        if (m->lag >= 0) world->state.z[m->lag + i] = given;
    }
}

bool hwJoints_Tighten(hwWorld* world, const hwMode* mode) {
    const hwWork* work = world->work;
    bool off = false;
    (void)mode;
    for (int k = 0; k < world->model.joints->count; ++k) {
        const hwJointModel* m = &world->model.joints->items[k];
        hwVec3 needed = hwVec3_zero;
        double* components[3] = {&needed.x, &needed.y, &needed.z};
        for (int i = 0; i < m->count; ++i)
            *components[i] = work->efforts[m->freedom + i] - work->jointEffort[m->freedom + i];
        switch ((hwJointHold)work->joints->holds[k]) {
        case HW_JOINT_HELD:
            if (GiveWay(world, k, needed)) {
                off = true;
            } else {
                SetAuxiliaries(world, m, needed);
            }
            break;
        case HW_JOINT_OVERLOADED:
            SetAuxiliaries(world, m, work->joints->given[k]);
            break;
        case HW_JOINT_LEFT:
            for (int i = 0; i < m->count && m->lag >= 0; ++i)
                world->state.z[m->lag + i] = work->z[m->lag + i];
            break;
        }
    }
    return off;
}
