// Joints of mechanisms as a part: what acts along them by mech/joint_law.h, and the public calls on them.
#include "parts/joints/joints.h"

#include "world/part.h"
#include "record/channels.h"

#include <math.h>
#include <string.h>

#define RUNAWAY 1e5 // rad/s or m/s: no controller means this

// What a joint has at one evaluation.
typedef struct Joint {
    const hwWorld* world;
    const hwJointModel* model;
    const double* inputs; // after the target
    const double* target; // input, NaN while it was never set
    const double* zBase;
    double time, hd;
    hwControlMode mode;
} Joint;

static hwVec3 EvaluateSignal(const Joint* joint, const hwSignal* signal) {
    hwJointTarget* kept =
        &joint->world->work->joints->targets[joint->model - joint->world->model.joints->items];
    if (kept->signal != signal || kept->time != joint->time)
        *kept = (hwJointTarget){signal, joint->time, hwSignal_Evaluate(signal, joint->time).value};
    return kept->value;
}

// The target: the input once it was set, else the signal, else what the joint starts with.
static hwVec3 FindTarget(const Joint* joint) {
    if (!isnan(joint->target[0])) {
        bool ball = joint->model->count == 3;
        return hwMakeVec3(joint->target[0], ball ? joint->target[1] : 0.0, ball ? joint->target[2] : 0.0);
    }
    const hwControlDef* control = &joint->model->def->control;
    const hwSignal* signal = joint->mode == HW_CONTROL_EFFORT ? &control->effort : &control->target;
    if (hwSignal_IsPresent(signal)) return EvaluateSignal(joint, signal);
    return joint->mode == HW_CONTROL_POSITION ? joint->model->hold : hwVec3_zero;
}

static hwJointMemory GetMemory(const Joint* joint, int index) {
    if (index < 0) return (hwJointMemory){NULL, NULL, NULL};
    hwWork* work = joint->world->work;
    return (hwJointMemory){joint->zBase + index, work->z + index, work->zdot + index};
}

static hwJointDrive MakeDrive(const Joint* joint, hwVec3 carried) {
    hwWork* work = joint->world->work;
    const hwJointModel* m = joint->model;
    return (hwJointDrive){.def = m->def,
                          .mode = joint->mode,
                          .kp = joint->inputs[HW_JOINT_KP],
                          .ki = joint->inputs[HW_JOINT_KI],
                          .kd = joint->inputs[HW_JOINT_KD],
                          .power = joint->inputs[HW_JOINT_POWER],
                          .target = joint->mode == HW_CONTROL_PASSIVE ? hwVec3_zero : FindTarget(joint),
                          .carried = carried,
                          .hd = joint->hd,
                          .integral = GetMemory(joint, m->integral),
                          .lag = GetMemory(joint, m->lag),
                          .slider = GetMemory(joint, m->slider),
                          .elastic = &work->springs,
                          .storing = &work->powers.stored,
                          .work = &work->powers.work,
                          .dissipation = &work->powers.dissipation};
}

static void WriteAxis(hwWork* work, int freedom, hwJointEffort sum) {
    work->jointEffort[freedom] = sum.value;
    work->joints->damping[freedom] = sum.damping;
    work->joints->stiffness[freedom] = sum.stiffness;
}

static void WriteBall(hwWork* work, int freedom, const hwJointMoment* sum) {
    const hwVec3 value = sum->value;
    const hwSym3 D = sum->damping, S = sum->stiffness;
    const double efforts[3] = {value.x, value.y, value.z};
    const double dampings[6] = {D.xx, D.yy, D.zz, D.xy, D.xz, D.yz};
    const double stiffnesses[6] = {S.xx, S.yy, S.zz, S.xy, S.xz, S.yz};
    for (int k = 0; k < 3; ++k) {
        work->jointEffort[freedom + k] = efforts[k];
        work->joints->damping[freedom + k] = dampings[k];
        work->joints->stiffness[freedom + k] = stiffnesses[k];
        work->joints->offDamping[freedom + k] = dampings[3 + k];
        work->joints->offStiffness[freedom + k] = stiffnesses[3 + k];
    }
}

// All joints --------------------------------------------------------------------------------------------------------------

// Vertical force of weight and buoyancy on each subtree (x), and its first moments fz x (y) and fz y (z) about the world's
// origin.
static void SumCarried(const hwWorld* world) {
    hwWork* work = world->work;
    const hwForest* forest = &world->model.forest;
    const hwEnvironmentDef* environment = hwEnvironment_GetDef(world->environment);
    for (int i = 0; i < forest->linkCount; ++i) {
        const hwLinkInfo* info = &world->model.links[i];
        const hwLinkMotion* m = &work->forest.motion[i];
        hwWide com = m->p + hwWideMat_Mul(&m->R, hwWide_FromVec3(info->com));
        hwWide wet = m->p + hwWideMat_Mul(&m->R, hwWide_FromVec3(info->buoyancyCenter));
        double weight = -info->mass * environment->gravity;
        double lift = environment->water ? environment->waterDensity * environment->gravity * info->volume *
                                               work->linkSubmerged[i]
                                         : 0.0;
        work->joints->carried[i] =
            hwMakeVec3(weight + lift, weight * com[0] + lift * wet[0], weight * com[1] + lift * wet[1]);
    }
    for (int i = forest->linkCount - 1; i >= 0; --i) {
        int parent = forest->links[i].parent;
        if (parent >= 0)
            work->joints->carried[parent] = hwAdd(work->joints->carried[parent], work->joints->carried[i]);
    }
}

// The generalised force of weight and buoyancy behind a joint.
static hwVec3 GetCarried(const Joint* joint) {
    const hwWork* work = joint->world->work;
    const hwLinkMotion* m = &work->forest.motion[joint->model->link];
    hwVec3 sum = work->joints->carried[joint->model->link];
    hwWide moment = hwWide_Make(sum.z - sum.x * m->p[1], -(sum.y - sum.x * m->p[0]), 0.0);
    if (joint->model->type == HW_LINK_REVOLUTE) return hwMakeVec3(hwWide_Dot(m->axis, moment), 0.0, 0.0);
    if (joint->model->type == HW_LINK_PRISMATIC) return hwMakeVec3(m->axis[2] * sum.x, 0.0, 0.0);
    return hwWide_ToVec3(hwWideMat_MulT(&m->R, moment));
}

hwVec3 hwJoint_FindTarget(const hwWorld* world, const hwJointModel* m, double time) {
    const double* inputs = world->state.inputs + m->input;
    Joint joint = {.world = world,
                   .model = m,
                   .target = inputs,
                   .time = time,
                   .mode = (hwControlMode)(int)inputs[m->count + HW_JOINT_MODE]};
    return FindTarget(&joint);
}

hwVec3 hwJoint_GetCompensation(const hwWorld* world, const hwJointModel* m) {
    Joint joint = {.world = world, .model = m};
    return m->def->control.compensate ? GetCarried(&joint) : hwVec3_zero;
}

// A joint along which nothing acts.
static void RestJoint(hwWork* work, const hwJointModel* m) {
    for (int i = m->freedom; i < m->freedom + m->count; ++i) {
        work->jointEffort[i] = work->joints->damping[i] = work->joints->stiffness[i] = 0.0;
        work->joints->offDamping[i] = work->joints->offStiffness[i] = work->jointVirtual[i] = 0.0;
        work->jointInertia[i] = m->def->actuator.inertia;
    }
}

// Of a joint that sleeps.
static void FreezeMemory(const Joint* joint, int index) {
    hwWork* work = joint->world->work;
    for (int i = index; index >= 0 && i < index + joint->model->count; ++i) {
        work->z[i] = joint->zBase[i];
        work->zdot[i] = 0.0;
    }
}

// A drive of the caller's own.
static void AddOwnDrive(const hwWorld* world, const hwJointModel* m, double time, double q, double qd) {
    hwDriveInput input = {time, q, qd};
    hwDriveOutput output = {0.0, 0.0, 0.0};
    m->def->drive(&input, &output, m->def->driveContext);
    hwWork* work = world->work;
    work->jointEffort[m->freedom] += output.effort;
    work->joints->damping[m->freedom] += output.damping;
    work->joints->stiffness[m->freedom] += output.stiffness;
    work->powers.work += output.effort * qd;
}

static void EvaluateJoint(const Joint* joint, const hwEvaluation* e, int k) {
    hwWork* work = joint->world->work;
    const hwJointModel* m = joint->model;
    double imitated = joint->mode == HW_CONTROL_VELOCITY ? hwFmax(joint->inputs[HW_JOINT_KD], 0.0) : 0.0;
    for (int i = m->freedom; i < m->freedom + m->count; ++i) {
        work->jointVirtual[i] = imitated;
        work->jointInertia[i] = m->def->actuator.inertia + imitated;
    }
    hwJointDrive drive = MakeDrive(joint, m->def->control.compensate ? GetCarried(joint) : hwVec3_zero);
    drive.settling = e->mode.settling;
    drive.hold = e->mode.settling ? (hwJointHold)work->joints->holds[k] : HW_JOINT_LEFT;
    drive.given = work->joints->given[k];
    const double *q = e->q + m->coordinate, *v = e->v + m->freedom;
    if (m->count == 3) {
        hwQuat turn = hwNormalizeQuat((hwQuat){q[0], q[1], q[2], q[3]});
        hwJointMoment sum = hwJointDrive_PushBall(&drive, turn, hwMakeVec3(v[0], v[1], v[2]));
        WriteBall(work, m->freedom, &sum);
    } else {
        WriteAxis(work, m->freedom, hwJointDrive_PushAxis(&drive, q[0], v[0]));
        if (m->def->drive != NULL) AddOwnDrive(joint->world, m, joint->time, q[0], v[0]);
    }
    if (!hwState_IsAsleep(&joint->world->state, m->link)) return;
    FreezeMemory(joint, m->integral);
    FreezeMemory(joint, m->slider);
    FreezeMemory(joint, m->lag);
}

static void EvaluateJoints(const hwWorld* world, const hwEvaluation* e) {
    const double* zBase = e->zBase;
    hwWork* work = world->work;
    const hwModel* model = &world->model;
    if (model->joints->compensates) SumCarried(world);
    for (int k = 0; k < model->joints->count; ++k) {
        const hwJointModel* m = &model->joints->items[k];
        const double* inputs = world->state.inputs + m->input;
        hwControlMode mode = (hwControlMode)(int)inputs[m->count + HW_JOINT_MODE];
        for (int i = m->integral; i < m->integral + m->count; ++i) {
            // overwritten by what is active
            work->zdot[i] = 0.0;
            work->z[i] = zBase[i];
        }
        if (m->plain && mode == HW_CONTROL_PASSIVE) {
            RestJoint(work, m);
            continue;
        }
        Joint joint = {.world = world,
                       .model = m,
                       .inputs = inputs + m->count,
                       .target = inputs,
                       .zBase = zBase,
                       .time = e->time,
                       .hd = e->hd,
                       .mode = mode};
        EvaluateJoint(&joint, e, k);
    }
}

static hwStatus CheckJointMotion(const hwWorld* world, const double* v, hwError* error) {
    const hwModel* model = &world->model;
    for (int k = 0; k < model->joints->count; ++k) {
        const hwJointModel* m = &model->joints->items[k];
        if (world->state.inputs[m->input + m->count + HW_JOINT_MODE] == 0.0) continue;
        for (int i = m->freedom; i < m->freedom + m->count; ++i) {
            if (fabs(v[i]) < RUNAWAY) continue;
            const char* name = model->links[m->link].body->def.name;
            double time = world->state.header->time;
            hwStatus status =
                hwFail(error, HW_ERROR_NUMERIC, name,
                       "%s: its controller diverges; the rate has reached %.3g at %.6g s", name, v[i], time);
            hwFail_At(error, -1, time);
            hwFail_Hint(error, "check the signs and sizes of its gains, or bound its power");
            return status;
        }
    }
    return HW_OK;
}

static void FactorJoints(const hwWorld* world, double hd, const double* b) {
    (void)b;
    hwWork* work = world->work;
    for (int k = 0; k < world->model.joints->count; ++k) {
        const hwJointModel* m = &world->model.joints->items[k];
        for (int i = m->freedom; i < m->freedom + m->count; ++i) {
            // an unstable controller must not spoil the matrix
            double terms = hd * work->joints->damping[i] + hd * hd * work->joints->stiffness[i];
            work->jointDiagonal[i] = work->jointInertia[i] + hwFmax(terms, 0.0);
            work->jointOff[i] = hd * work->joints->offDamping[i] + hd * hd * work->joints->offStiffness[i];
        }
    }
}

static void StartJointInput(const hwModel* model, int index, double* inputs) {
    const hwJointModel* m = &model->joints->items[index];
    double* at = inputs + m->input;
    for (int i = 0; i < m->count; ++i) *at++ = NAN;
    at[HW_JOINT_MODE] = (double)m->def->control.mode;
    at[HW_JOINT_KP] = m->def->control.kp;
    at[HW_JOINT_KI] = m->def->control.ki;
    at[HW_JOINT_KD] = m->def->control.kd;
    at[HW_JOINT_POWER] = m->def->control.power;
}

static hwStatus CheckMode(const char* input, double value, hwError* error) {
    if (value == 0.0 || value == 1.0 || value == 2.0 || value == 3.0) return HW_OK;
    return hwFail(error, HW_ERROR_ARGUMENT, input,
                  "%s: there is no mode %g; 0 is passive, 1 position, 2 velocity, 3 effort", input, value);
}

static hwStatus CheckPower(const char* input, double value, hwError* error) {
    if (value > 0.0) return HW_OK;
    return hwFail(error, HW_ERROR_ARGUMENT, input, "%s: the power must be positive, not %g W", input, value);
}

static void JointInputChanged(hwWorld* world, int input) {
    for (int k = 0; k < world->model.joints->count; ++k) {
        const hwJointModel* m = &world->model.joints->items[k];
        if (input >= m->input && input < m->input + m->count + HW_JOINT_INPUTS) hwSleep_Wake(world, m->link);
        if (input != m->input + m->count + HW_JOINT_MODE) continue;
        for (int i = 0; i < m->count; ++i) world->state.z[m->integral + i] = 0.0;
    }
}

// The public calls -----------------------------------------------------------------------------------------------------------

static hwStatus FindJoint(const hwWorld* world, hwBodyId id, int count, hwBodyObject** body, hwError* error) {
    hwClearError(error);
    *body = hwWorld_GetBody(world, id);
    if (*body == NULL)
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "the handle does not refer to a link of this world");
    const char* name = (*body)->def.name;
    hwJointKind kind = (*body)->joint != NULL ? (*body)->joint->def.joint : HW_JOINT_FIXED;
    bool axis = kind == HW_JOINT_REVOLUTE || kind == HW_JOINT_PRISMATIC;
    if ((axis && count != 3) || (kind == HW_JOINT_BALL && count != 1)) return HW_OK;
    return hwFail(error, HW_ERROR_ARGUMENT, name, "%s: it has no %s joint", name,
                  count == 1 ? "revolute or prismatic"
                             : (count == 3 ? "ball" : "revolute, prismatic or ball"));
}

hwStatus hwJoint_GetState(const hwWorld* world, hwBodyId id, hwJointState* out, hwError* error) {
    hwBodyObject* body;
    hwStatus status = FindJoint(world, id, 1, &body, error);
    if (status == HW_OK) status = hwWorld_RequirePrepared(world, error);
    if (status != HW_OK) return status;
    hwWorld_Refresh(world);
    const hwLink* link = &world->model.forest.links[body->link];
    out->q = world->state.q[link->coordinate];
    out->qd = world->state.v[link->freedom];
    out->qdd = world->state.a[link->freedom];
    out->effort =
        world->work->jointEffort[link->freedom] - world->work->jointVirtual[link->freedom] * out->qdd;
    return HW_OK;
}

hwStatus hwJoint_SetState(hwWorld* world, hwBodyId id, const hwJointState* state, hwError* error) {
    hwBodyObject* body;
    hwStatus status = FindJoint(world, id, 1, &body, error);
    if (status != HW_OK) return status;
    if (!isfinite(state->q) || !isfinite(state->qd)) {
        return hwFail(error, HW_ERROR_ARGUMENT, body->def.name, "%s: displacement and rate must be finite",
                      body->def.name);
    }
    if (!world->prepared) {
        body->joint->def.q = state->q;
        body->joint->def.qd = state->qd;
        if (body->link < 0) return HW_OK;
    }
    hwSleep_Wake(world, body->link);
    const hwLink* link = &world->model.forest.links[body->link];
    world->state.q[link->coordinate] = state->q;
    world->state.v[link->freedom] = state->qd;
    hwWorld_StateChanged(world);
    return HW_OK;
}

hwStatus hwJoint_GetBallState(const hwWorld* world, hwBodyId id, hwBallState* out, hwError* error) {
    hwBodyObject* body;
    hwStatus status = FindJoint(world, id, 3, &body, error);
    if (status == HW_OK) status = hwWorld_RequirePrepared(world, error);
    if (status != HW_OK) return status;
    hwWorld_Refresh(world);
    const hwLink* link = &world->model.forest.links[body->link];
    const double* q = world->state.q + link->coordinate;
    const double *v = world->state.v + link->freedom, *a = world->state.a + link->freedom;
    const double* effort = world->work->jointEffort + link->freedom;
    const double* imitated = world->work->jointVirtual + link->freedom;
    out->turn = (hwQuat){q[0], q[1], q[2], q[3]};
    out->rate = hwMakeVec3(v[0], v[1], v[2]);
    out->rateAcceleration = hwMakeVec3(a[0], a[1], a[2]);
    out->effort = hwMakeVec3(effort[0] - imitated[0] * a[0], effort[1] - imitated[1] * a[1],
                             effort[2] - imitated[2] * a[2]);
    return HW_OK;
}

hwStatus hwJoint_SetBallState(hwWorld* world, hwBodyId id, const hwBallState* state, hwError* error) {
    hwBodyObject* body;
    hwStatus status = FindJoint(world, id, 3, &body, error);
    if (status != HW_OK) return status;
    hwQuat turn = hwNormalizeQuat(state->turn);
    if (!hwIsFiniteVec3(state->rate) || !isfinite(turn.w + turn.x + turn.y + turn.z)) {
        return hwFail(error, HW_ERROR_ARGUMENT, body->def.name, "%s: attitude and rate must be finite",
                      body->def.name);
    }
    if (!world->prepared) {
        body->joint->def.turn = turn;
        body->joint->def.turnRate = state->rate;
        if (body->link < 0) return HW_OK;
    }
    hwSleep_Wake(world, body->link);
    const hwLink* link = &world->model.forest.links[body->link];
    double *q = world->state.q + link->coordinate, *v = world->state.v + link->freedom;
    q[0] = turn.w, q[1] = turn.x, q[2] = turn.y, q[3] = turn.z;
    v[0] = state->rate.x, v[1] = state->rate.y, v[2] = state->rate.z;
    hwWorld_StateChanged(world);
    return HW_OK;
}

// Index of a joint's inputs, or a status.
static hwStatus FindInputs(hwWorld* world, hwBodyId id, const hwJointModel** joint, hwError* error) {
    hwBodyObject* body;
    hwStatus status = FindJoint(world, id, 0, &body, error);
    if (status == HW_OK) status = hwWorld_RequirePrepared(world, error);
    if (status == HW_OK) *joint = &world->model.joints->items[world->model.joints->of[body->link]];
    return status;
}

hwStatus hwJoint_SetMode(hwWorld* world, hwBodyId id, hwControlMode mode, hwError* error) {
    const hwJointModel* joint;
    hwStatus status = FindInputs(world, id, &joint, error);
    if (status != HW_OK) return status;
    return hwWorld_SetInput(world, joint->input + joint->count + HW_JOINT_MODE, (double)mode, error);
}

hwStatus hwJoint_SetTarget(hwWorld* world, hwBodyId id, hwVec3 target, hwError* error) {
    const hwJointModel* joint;
    hwStatus status = FindInputs(world, id, &joint, error);
    const double values[3] = {target.x, target.y, target.z};
    for (int i = 0; status == HW_OK && i < joint->count; ++i) {
        status = hwWorld_SetInput(world, joint->input + i, values[i], error);
    }
    return status;
}

hwStatus hwJoint_SetGains(hwWorld* world, hwBodyId id, double kp, double ki, double kd, double power,
                          hwError* error) {
    const hwJointModel* joint;
    hwStatus status = FindInputs(world, id, &joint, error);
    if (status != HW_OK) return status;
    double* inputs = world->state.inputs + joint->input + joint->count;
    if (!isfinite(kp + ki + kd) || !(power > 0.0)) {
        return hwFail(error, HW_ERROR_ARGUMENT, world->model.links[joint->link].body->def.name,
                      "a controller needs finite gains and a positive power");
    }
    inputs[HW_JOINT_KP] = kp;
    inputs[HW_JOINT_KI] = ki;
    inputs[HW_JOINT_KD] = kd;
    inputs[HW_JOINT_POWER] = power;
    hwSleep_Wake(world, joint->link);
    hwWorld_StateChanged(world);
    return HW_OK;
}

// Joints that may begin to move by themselves: their set points are signals that are not constant, or their drives are the caller's.
static void KeepDrivenAwake(const hwWorld* world, uint8_t* lively) {
    for (int k = 0; k < world->model.joints->count; ++k) {
        const hwJointModel* m = &world->model.joints->items[k];
        const double* inputs = world->state.inputs + m->input;
        hwControlMode mode = (hwControlMode)(int)inputs[m->count + HW_JOINT_MODE];
        const hwSignal* signal =
            mode == HW_CONTROL_EFFORT ? &m->def->control.effort : &m->def->control.target;
        bool moves = m->def->drive != NULL;
        for (int i = 0; i < signal->termCount && mode != HW_CONTROL_PASSIVE && isnan(inputs[0]); ++i)
            moves = moves || signal->terms[i].kind != HW_SIGNAL_CONSTANT;
        if (moves) lively[m->link] = 1;
    }
}

// The part -------------------------------------------------------------------------------------------------------------------

static bool HasJoint(const hwBodyObject* body) {
    if (body->joint == NULL) return false;
    hwJointKind kind = body->joint->def.joint;
    return kind == HW_JOINT_REVOLUTE || kind == HW_JOINT_PRISMATIC || kind == HW_JOINT_BALL;
}

static void LayJoints(const hwWorld* world, hwArena* arena, hwModel* model) {
    model->joints->count = 0;
    for (int i = 0; i < world->bodies.slots; ++i)
        model->joints->count += world->bodies.items[i] != NULL && HasJoint(world->bodies.items[i]);
    model->joints->items = HW_TAKE(arena, hwJointModel, model->joints->count);
    model->joints->of = HW_TAKE(arena, int, model->forest.linkCount);
}

static void FillJoints(const hwWorld* world, hwModel* model) {
    (void)world;
    model->hasJoints = model->joints->count > 0;
    int next = 0, input = 6 + 6 * model->forest.linkCount;
    for (int i = 0; i < model->forest.linkCount; ++i) {
        const hwBodyObject* body = model->links[i].body;
        model->joints->of[i] = -1;
        if (!HasJoint(body)) continue;
        const hwLink* link = &model->forest.links[i];
        const hwLinkDef* def = &body->joint->def;
        hwJointModel* joint = &model->joints->items[next];
        model->joints->of[i] = next++;
        joint->def = def;
        joint->link = i;
        joint->type = link->joint;
        joint->count = hwJoint_CountFreedoms(link->joint);
        joint->coordinate = link->coordinate;
        joint->freedom = link->freedom;
        joint->input = input;
        input += joint->count + HW_JOINT_INPUTS;
        joint->integral = hwModel_TakeAuxiliary(model, true, joint->count);
        joint->slider = hwModel_TakeAuxiliary(model, def->friction.coulomb > 0.0, joint->count);
        joint->lag = hwModel_TakeAuxiliary(model, def->actuator.kind == HW_ACTUATOR_HYDRAULIC, joint->count);
        joint->hold = link->joint == HW_LINK_BALL ? hwRpyFromQuat(def->turn) : hwMakeVec3(def->q, 0.0, 0.0);
        bool stops = isfinite(def->limits.low) || isfinite(def->limits.high) ||
                     isfinite(def->limits.swing[0]) || isfinite(def->limits.swing[1]) ||
                     isfinite(def->limits.swing[2]);
        joint->plain = !stops && def->drive == NULL && def->friction.coulomb == 0.0 &&
                       def->friction.viscous == 0.0 && def->actuator.kind == HW_ACTUATOR_IDEAL;
        model->joints->compensates = model->joints->compensates || def->control.compensate;
    }
}

static bool HasJoints(const hwModel* model) {
    return model->joints->count > 0;
}

static void LayJointsWork(const hwModel* model, hwArena* arena, hwWork* work) {
    hwJointsWork* joints = work->joints;
    double** arrays[] = {&joints->damping, &joints->stiffness, &joints->offDamping, &joints->offStiffness};
    for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); ++i)
        *arrays[i] = HW_TAKE(arena, double, model->forest.freedomCount);
    joints->carried = HW_TAKE(arena, hwVec3, model->forest.linkCount);
    joints->holds = HW_TAKE(arena, int, model->joints->count);
    joints->given = HW_TAKE(arena, hwVec3, model->joints->count);
    joints->targets = HW_TAKE(arena, hwJointTarget, model->joints->count);
}

static void CarryAuxiliary(const hwState* from, int old, hwState* to, int index, int count) {
    if (old < 0 || index < 0) return;
    memcpy(to->z + index, from->z + old, (size_t)count * sizeof(double));
}

// Integrals, friction and lags of the joints that were there before.
static void CarryJoints(const hwWorld* before, hwModel* model, hwState* state) {
    const hwModel* old = &before->model;
    for (int k = 0; k < model->joints->count && old->block != NULL; ++k) {
        const hwJointModel* joint = &model->joints->items[k];
        int link = model->links[joint->link].body->link;
        if (link < 0 || old->joints->of[link] < 0) continue;
        const hwJointModel* was = &old->joints->items[old->joints->of[link]];
        CarryAuxiliary(&before->state, was->integral, state, joint->integral, joint->count);
        CarryAuxiliary(&before->state, was->slider, state, joint->slider, joint->count);
        CarryAuxiliary(&before->state, was->lag, state, joint->lag, joint->count);
    }
}

static void StartJointInputs(const hwModel* model, double* inputs) {
    for (int k = 0; k < model->joints->count; ++k) StartJointInput(model, k, inputs);
}

// Controllers that imitate inertia.
static void AddJointReactions(const hwWorld* world, const double* a, const double* v, double hd,
                              double* power) {
    (void)hd;
    for (int k = 0; k < world->model.joints->count; ++k) {
        const hwJointModel* joint = &world->model.joints->items[k];
        for (int i = joint->freedom; i < joint->freedom + joint->count; ++i)
            *power -= world->work->jointVirtual[i] * a[i] * v[i];
    }
}

static void MultiplyJointStiffness(const hwWorld* world, const double* x, double* y, hwWideSpatial* loads) {
    const hwJointsWork* work = world->work->joints;
    (void)loads;
    for (int k = 0; k < world->model.joints->count; ++k) {
        const hwJointModel* joint = &world->model.joints->items[k];
        int f = joint->freedom;
        for (int i = f; i < f + joint->count; ++i) y[i] += work->stiffness[i] * x[i];
        if (joint->count != 3) continue;
        const double* off = work->offStiffness + f;
        y[f] += off[0] * x[f + 1] + off[1] * x[f + 2];
        y[f + 1] += off[0] * x[f] + off[2] * x[f + 2];
        y[f + 2] += off[1] * x[f] + off[2] * x[f + 1];
    }
}

// Channels and inputs ------------------------------------------------------------------------------------------------------

static double ReadJointQ(const hwWorld* world, int index, int component) {
    const hwJointModel* joint = &world->model.joints->items[index];
    const double* q = world->state.q + joint->coordinate;
    if (joint->count == 1) return q[0];
    return hwVec3_GetComponent(hwRotationVectorFromQuat((hwQuat){q[0], q[1], q[2], q[3]}), component);
}

static double ReadJointQd(const hwWorld* world, int index, int component) {
    return world->state.v[world->model.joints->items[index].freedom + component];
}

static double ReadJointQdd(const hwWorld* world, int index, int component) {
    return world->state.a[world->model.joints->items[index].freedom + component];
}

static double ReadJointEffort(const hwWorld* world, int index, int component) {
    int i = world->model.joints->items[index].freedom + component;
    return world->work->jointEffort[i] - world->work->jointVirtual[i] * world->state.a[i];
}

// Utilisation: effort and power over what the controller may use; 1 is all of it.
static double ReadEffortUse(const hwWorld* world, int index, int component) {
    const hwControlDef* control = &world->model.joints->items[index].def->control;
    return fabs(ReadJointEffort(world, index, component)) / control->limit;
}

static double ReadJointPower(const hwWorld* world, int index, int component) {
    return ReadJointEffort(world, index, component) * ReadJointQd(world, index, component);
}

static double ReadPowerUse(const hwWorld* world, int index, int component) {
    double most = world->state.inputs[world->model.joints->items[index].input + 1 + HW_JOINT_POWER];
    return hwFmax(ReadJointPower(world, index, component), 0.0) / most; // braking is not bound
}

static const hwChannelRow effortUseRows[] = {{"effort.use", "1", ReadEffortUse, 0}};
static const hwChannelRow powerUseRows[] = {{"power", "W", ReadJointPower, 0},
                                            {"power.use", "1", ReadPowerUse, 0}};

static const hwChannelRow turningRows[] = {{"q", "rad", ReadJointQ, 0},
                                           {"qd", "rad/s", ReadJointQd, 0},
                                           {"qdd", "rad/s2", ReadJointQdd, 0},
                                           {"effort", "N m", ReadJointEffort, 0}};
static const hwChannelRow slidingRows[] = {{"q", "m", ReadJointQ, 0},
                                           {"qd", "m/s", ReadJointQd, 0},
                                           {"qdd", "m/s2", ReadJointQdd, 0},
                                           {"effort", "N", ReadJointEffort, 0}};
static const hwChannelRow ballRows[] = {
    HW_CHANNELS_XYZ("q", "rad", ReadJointQ), HW_CHANNELS_XYZ("qd", "rad/s", ReadJointQd),
    HW_CHANNELS_XYZ("qdd", "rad/s2", ReadJointQdd), HW_CHANNELS_XYZ("effort", "N m", ReadJointEffort)};

static const hwInputRow turningTarget[] = {{"target", "rad", NULL}},
                        slidingTarget[] = {{"target", "m", NULL}},
                        ballTarget[] = {HW_INPUTS_XYZ("target", "rad")};
static const hwInputRow controlInputs[HW_JOINT_INPUTS] = {[HW_JOINT_MODE] = {"mode", "1", CheckMode},
                                                          [HW_JOINT_KP] = {"kp", "1", NULL},
                                                          [HW_JOINT_KI] = {"ki", "1", NULL},
                                                          [HW_JOINT_KD] = {"kd", "1", NULL},
                                                          [HW_JOINT_POWER] = {"power", "W", CheckPower}};

static void AddJointChannels(hwTableBuilder* builder, const hwWorld* world, const hwModel* model, int link) {
    (void)world;
    int index = model->joints->of[link];
    if (index < 0) return;
    const hwJointModel* joint = &model->joints->items[index];
    const char* name = model->links[link].body->def.name;
    if (joint->count == 3) {
        hwTable_AddChannels(builder, name, HW_ROW_COUNT(ballRows), ballRows, index);
    } else {
        bool slides = joint->type == HW_LINK_PRISMATIC;
        hwTable_AddChannels(builder, name, HW_ROW_COUNT(turningRows), slides ? slidingRows : turningRows,
                            index);
        // the bound of a motor is its voltage
        const hwControlDef* control = &joint->def->control;
        if (isfinite(control->limit) && joint->def->actuator.kind != HW_ACTUATOR_MOTOR)
            hwTable_AddChannels(builder, name, HW_ROW_COUNT(effortUseRows), effortUseRows, index);
        if (isfinite(control->power))
            hwTable_AddChannels(builder, name, HW_ROW_COUNT(powerUseRows), powerUseRows, index);
    }
}

static void AddJointInputs(hwTableBuilder* builder, const hwModel* model) {
    for (int k = 0; k < model->joints->count; ++k) {
        const hwJointModel* joint = &model->joints->items[k];
        const char* name = model->links[joint->link].body->def.name;
        bool slides = joint->type == HW_LINK_PRISMATIC;
        const hwInputRow* target = joint->count == 3 ? ballTarget : slides ? slidingTarget : turningTarget;
        hwTable_AddInputs(builder, name, joint->count, target);
        hwTable_AddInputs(builder, name, HW_JOINT_INPUTS, controlInputs);
    }
}

const hwPart hwJointsPart = {.name = "joints",
                             .keepAwake = KeepDrivenAwake,
                             .model = HW_SLICE(hwModel, joints),
                             .work = HW_SLICE(hwWork, joints),
                             .layModel = LayJoints,
                             .fillModel = FillJoints,
                             .isPresent = HasJoints,
                             .layWork = LayJointsWork,
                             .carry = CarryJoints,
                             .startInputs = StartJointInputs,
                             .addLinkChannels = AddJointChannels,
                             .addInputs = AddJointInputs,
                             .inputChanged = JointInputChanged,
                             .evaluate = EvaluateJoints,
                             .addReactions = AddJointReactions,
                             .factor = FactorJoints,
                             .multiplyStiffness = MultiplyJointStiffness,
                             .checkMotion = CheckJointMotion,
                             .hold = hwJoints_Hold,
                             .beginStatics = hwJoints_BeginStatics,
                             .tighten = hwJoints_Tighten};
