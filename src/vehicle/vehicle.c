#include "vehicle/vehicle.h"

#include "vehicle/axis.h"
#include "vehicle/instruments.h"
#include "vehicle/thruster.h"

#include <string.h>

#define SERVO_TIME 0.05 // s, time constant of camera and gripper drives near their target

int hwVehicleModel_CountInputs(const hwVehicleDef* def) {
    return HW_VEHICLE_THRUSTERS + HW_THRUSTER_INPUTS * def->thrusterCount;
}

int hwVehicleModel_GetGrip(const hwVehicleDef* def) {
    return HW_VEHICLE_SPEEDS + 2 * def->thrusterCount;
}

int hwVehicleModel_CountVariables(const hwVehicleDef* def) {
    return hwVehicleModel_GetGrip(def) + HW_GRIP_COUNT;
}

// Largest force along each axis that leaves the other controlled axes at zero.
static void FindAuthority(hwVehicleModel* model) {
    const hwAllocation* a = &model->allocation;
    for (int axis = 0; axis < 6; ++axis) {
        if (!(model->def->axisWeights[axis] > 0.0)) continue;
        for (int side = 0; side < 2; ++side) {
            // more than there can be: the sum of all thrusters', times their arms
            double most = 0.0;
            for (int i = 0; i < a->count; ++i) {
                most += hwFmax(a->high[i], -a->low[i]) * (1.0 + hwLength(model->def->thrusters[i].position));
            }
            double demand[1][6] = {{0.0}}, forces[HW_MAX_THRUSTERS], share;
            demand[0][axis] = (side == 0 ? 2.0 : -2.0) * most;
            hwAllocation_Solve(a, 1, demand, forces, &share);
            // a demand outside the thrusters' span is replaced by the nearest one within: measure what comes
            double got = 0.0;
            for (int i = 0; i < a->count; ++i) {
                const hwThrusterDef* t = &model->def->thrusters[i];
                hwVec3 moment = hwCross(t->position, t->axis);
                const double column[6] = {t->axis.x, t->axis.y, t->axis.z, moment.x, moment.y, moment.z};
                got += forces[i] * column[axis];
            }
            model->authority[axis][side] = fabs(got);
        }
    }
}

bool hwVehicleModel_Init(hwVehicleModel* model, const hwVehicleDef* def) {
    memset(model, 0, sizeof(*model));
    model->def = def;
    if (def->thrusterCount == 0) return true;
    double columns[HW_MAX_THRUSTERS][6], low[HW_MAX_THRUSTERS], high[HW_MAX_THRUSTERS],
        cost[HW_MAX_THRUSTERS];
    for (int i = 0; i < def->thrusterCount; ++i) {
        const hwThrusterDef* t = &def->thrusters[i];
        hwVec3 moment = hwCross(t->position, t->axis);
        const double column[6] = {t->axis.x, t->axis.y, t->axis.z, moment.x, moment.y, moment.z};
        memcpy(columns[i], column, sizeof(column));
        low[i] = -t->reverse;
        high[i] = t->forward;
        cost[i] = t->weight;
    }
    if (!hwAllocation_Init(&model->allocation, def->thrusterCount, columns, low, high, cost,
                           def->axisWeights)) {
        return false;
    }
    FindAuthority(model);
    return true;
}

void hwVehicleModel_ResetInputs(const hwVehicleModel* model, double* inputs) {
    const hwVehicleDef* def = model->def;
    memset(inputs, 0, (size_t)hwVehicleModel_CountInputs(def) * sizeof(double));
    inputs[HW_VEHICLE_ARMED] = def->armed ? 1.0 : 0.0;
    inputs[HW_VEHICLE_MODE] = def->mode;
    inputs[HW_VEHICLE_GAIN] = def->gain;
    inputs[HW_VEHICLE_ZOOM] = 1.0;
    inputs[HW_VEHICLE_TETHER_FORWARD] = def->autopilot.tetherForward;
    for (int i = 0; i < HW_AXIS_COUNT; ++i) {
        double* axis = inputs + HW_VEHICLE_AXES + 4 * i;
        axis[0] = def->axes[i].deadZone;
        axis[1] = def->axes[i].sensitivity;
        axis[2] = def->axes[i].expo;
        axis[3] = def->axes[i].invert ? 1.0 : 0.0;
    }
    for (int i = 0; i < def->thrusterCount; ++i) {
        inputs[HW_VEHICLE_THRUSTERS + HW_THRUSTER_INPUTS * i + HW_THRUSTER_SENSE] = 1.0;
    }
}

static hwVehicleMode ReadMode(const double* inputs) {
    double mode = hwClamp(round(inputs[HW_VEHICLE_MODE]), 0.0, HW_MODE_COUNT - 1);
    return (hwVehicleMode)(int)mode;
}

static hwVehicleBypass ReadBypass(const double* inputs) {
    return (hwVehicleBypass)(int)hwClamp(round(inputs[HW_VEHICLE_BYPASS]), 0.0, HW_BYPASS_COUNT - 1);
}

static bool IsArmed(const double* inputs) {
    return inputs[HW_VEHICLE_ARMED] > 0.5;
}

static hwHoldSense ReadSense(const hwVehicleMotion* motion, double turned) {
    hwVec3 angles = hwGetNedAngles(hwQuatFromMat3(motion->attitude));
    hwHoldSense sense = {.depth = motion->level - motion->position.z,
                         .sinkRate = -hwMulMV(motion->attitude, motion->velocity).z,
                         .heading = 2.0 * HW_PI * hwCountTurns(turned, angles.z),
                         .headingRate = hwGetHeadingRate(motion->attitude, motion->rate),
                         .roll = angles.x,
                         .pitch = angles.y,
                         .position = motion->position,
                         .velocity = hwMulMV(motion->attitude, motion->velocity),
                         .altitude = motion->position.z - motion->bottom};
    hwGetTiltRates(angles, motion->rate, &sense.rollRate, &sense.pitchRate);
    return sense;
}

static void CaptureTargets(const hwHoldSense* sense, double* hold) {
    memset(hold, 0, HW_HOLD_COUNT * sizeof(double));
    hold[HW_HOLD_DEPTH] = sense->depth;
    hold[HW_HOLD_HEADING] = sense->heading;
    hold[HW_HOLD_ALTITUDE] = isfinite(sense->altitude) ? sense->altitude : 0.0;
    hold[HW_HOLD_X] = hold[HW_HOLD_BEGIN] = sense->position.x;
    hold[HW_HOLD_Y] = hold[HW_HOLD_BEGIN + 1] = sense->position.y;
    hold[HW_HOLD_BEGIN + 2] = sense->position.z;
}

void hwVehicleModel_ResetVariables(const hwVehicleModel* model, const double* inputs,
                                   const hwVehicleMotion* motion, double* z) {
    memset(z, 0, (size_t)hwVehicleModel_CountVariables(model->def) * sizeof(double));
    z[HW_VEHICLE_TURNED] = hwGetNedAngles(hwQuatFromMat3(motion->attitude)).z;
    hwHoldSense sense = ReadSense(motion, z[HW_VEHICLE_TURNED]);
    CaptureTargets(&sense, z + HW_VEHICLE_HOLD);
    z[HW_VEHICLE_TILT_NOW] = HW_DEGREE * inputs[HW_VEHICLE_TILT];
    z[HW_VEHICLE_ZOOM_NOW] = inputs[HW_VEHICLE_ZOOM];
    z[HW_VEHICLE_GRIPPER_NOW] = inputs[HW_VEHICLE_GRIPPER];
    z[HW_VEHICLE_FIRST_HEADING] = sense.heading;
}

// The block whose input this is.
static hwVehicleBypass FindEntry(const hwVehicleModel* model, int input) {
    if (input >= HW_VEHICLE_DEMAND && input < HW_VEHICLE_DEMAND + 6) return HW_BYPASS_AUTOPILOT;
    int thruster = input - HW_VEHICLE_THRUSTERS;
    bool command = thruster >= 0 && thruster < HW_THRUSTER_INPUTS * model->def->thrusterCount &&
                   thruster % HW_THRUSTER_INPUTS == HW_THRUSTER_COMMAND;
    return command ? HW_BYPASS_ALLOCATION : HW_BYPASS_NONE;
}

void hwVehicleModel_InputChanged(const hwVehicleModel* model, int input, double* inputs,
                                 const hwVehicleMotion* motion, double* z) {
    hwVehicleBypass entry = FindEntry(model, input);
    if (entry != HW_BYPASS_NONE) inputs[HW_VEHICLE_BYPASS] = entry;
    hwHoldSense sense = ReadSense(motion, z[HW_VEHICLE_TURNED]);
    double* hold = z + HW_VEHICLE_HOLD;
    switch (input) {
    case HW_VEHICLE_MODE:
    case HW_VEHICLE_ARMED:
    case HW_VEHICLE_BYPASS:
        CaptureTargets(&sense, hold);
        break;
    case HW_VEHICLE_HOLD_DEPTH:
        hold[HW_HOLD_DEPTH] = inputs[HW_VEHICLE_HOLD_DEPTH];
        break;
    case HW_VEHICLE_HOLD_HEADING:
        hold[HW_HOLD_HEADING] = sense.heading + hwWrapAngle(inputs[HW_VEHICLE_HOLD_HEADING] - sense.heading);
        break;
    case HW_VEHICLE_HOLD_ALTITUDE:
        hold[HW_HOLD_ALTITUDE] = inputs[HW_VEHICLE_HOLD_ALTITUDE];
        break;
    case HW_VEHICLE_HOLD_X:
        hold[HW_HOLD_X] = inputs[HW_VEHICLE_HOLD_X];
        break;
    case HW_VEHICLE_HOLD_Y:
        hold[HW_HOLD_Y] = inputs[HW_VEHICLE_HOLD_Y];
        break;
    default:
        break;
    }
}

// A drive that goes to its target at no more than `limit`, slowing down close to it.
static double SlewDrive(double target, double limit, double base, double hd, double* rate) {
    double end = (base * SERVO_TIME + hd * target) / (SERVO_TIME + hd);
    *rate = hwClamp((target - end) / SERVO_TIME, -limit, limit);
    return base + hd * *rate;
}

static void MoveEquipment(const hwVehicleDef* def, const double* inputs, const double* base, double hd,
                          double* z, double* rates) {
    double tilt = hwClamp(HW_DEGREE * inputs[HW_VEHICLE_TILT], def->camera.tiltLow, def->camera.tiltHigh);
    double zoom = hwClamp(inputs[HW_VEHICLE_ZOOM], 1.0, hwFmax(1.0, def->camera.zoom));
    // jaws that hold something do not close further
    const double* grip = base + hwVehicleModel_GetGrip(def);
    double least = grip[HW_GRIP_BODY] > 0.5 ? grip[HW_GRIP_OPENING] : 0.0;
    double opening = hwClamp(inputs[HW_VEHICLE_GRIPPER], least, 1.0);
    const int variables[3] = {HW_VEHICLE_TILT_NOW, HW_VEHICLE_ZOOM_NOW, HW_VEHICLE_GRIPPER_NOW};
    const double targets[3] = {tilt, zoom, opening};
    const double limits[3] = {def->camera.tiltRate, def->camera.zoomRate, def->gripper.speed};
    for (int i = 0; i < 3; ++i) {
        z[variables[i]] = SlewDrive(targets[i], limits[i], base[variables[i]], hd, &rates[variables[i]]);
    }
    for (int i = 0, at = hwVehicleModel_GetGrip(def); i < HW_GRIP_COUNT; ++i, ++at) {
        z[at] = base[at];
        rates[at] = 0.0;
    }
}

static void ReadAxes(const double* inputs, double* axes) {
    for (int i = 0; i < HW_AXIS_COUNT; ++i) {
        const double* data = inputs + HW_VEHICLE_AXES + 4 * i;
        hwAxisDef axis = {hwClamp(data[0], 0.0, 0.9), hwClamp(data[1], 0.0, 2.0), hwClamp(data[2], 0.0, 1.0),
                          data[3] > 0.5};
        axes[i] = hwAxis_Condition(&axis, inputs[HW_VEHICLE_PILOT + i]);
    }
}

static double LimitCommand(const hwVehicleModel* model, int axis, double value) {
    return hwClamp(value, -model->authority[axis][1], model->authority[axis][0]);
}

// The autopilot's estimate of the tether's pull, N and N m in body axes, along what it holds: a pilot who steers an axis feels the tether.
static void ReadPull(const hwVehicleDef* def, hwVehicleMode mode, const double* inputs,
                     const hwMat3* attitude, double pull[6]) {
    double share = hwClamp(inputs[HW_VEHICLE_TETHER_FORWARD], 0.0, 1.0);
    memset(pull, 0, 6 * sizeof(double));
    if (!(share > 0.0)) return;
    const double* load = inputs + HW_VEHICLE_LOAD_CELL;
    bool place = hwMode_HoldsPlace(mode), depth = hwMode_HoldsDepth(mode);
    hwVec3 whole = hwScale(share, hwMulTV(*attitude, hwMakeVec3(load[0], load[1], load[2])));
    hwVec3 force = hwScale(share, hwMulTV(*attitude, hwMakeVec3(place ? load[0] : 0.0, place ? load[1] : 0.0,
                                                                depth ? load[2] : 0.0)));
    hwVec3 moment = {0.0, 0.0, 0.0};
    for (int i = 0; i < def->pointCount; ++i) {
        if (strcmp(def->points[i].name, "tether") == 0) moment = hwCross(def->points[i].position, whole);
    }
    bool level = hwMode_HoldsLevel(mode);
    const double own[6] = {force.x,
                           force.y,
                           force.z,
                           level ? moment.x : 0.0,
                           level ? moment.y : 0.0,
                           hwMode_HoldsHeading(mode) ? moment.z : 0.0};
    memcpy(pull, own, sizeof(own));
}

// The autopilot's demand in body axes, then heave, then the pilot's demand in the plane: in this order thrust is given.
static void ComputeDemands(const hwVehicleModel* model, hwVehicleMode mode, double gain,
                           const hwHoldDemand* hold, const double pull[6], const hwMat3* attitude,
                           const double* axes, double demands[3][6]) {
    hwVec3 force = hwMulTV(*attitude, hwMakeVec3(hold->x, hold->y, -hold->down));
    const double wanted[6] = {force.x, force.y, force.z, hold->roll, -hold->pitch, -hold->yaw};
    for (int k = 0; k < 6; ++k) demands[0][k] = LimitCommand(model, k, wanted[k] - pull[k]);
    bool free = !hwMode_HoldsPlace(mode);
    const double pilot[6] = {free ? axes[HW_AXIS_SURGE] : 0.0,
                             free ? -axes[HW_AXIS_SWAY] : 0.0,
                             hwMode_HoldsDepth(mode) ? 0.0 : axes[HW_AXIS_HEAVE],
                             0.0,
                             0.0,
                             hwMode_HoldsHeading(mode) ? 0.0 : -axes[HW_AXIS_YAW]};
    for (int k = 0; k < 6; ++k) {
        double push = gain * pilot[k] * model->authority[k][pilot[k] < 0.0];
        demands[1][k] = k == 2 ? push : 0.0;
        demands[2][k] = k == 2 ? 0.0 : push;
    }
}

static void AddThrust(const hwThrusterDef* t, hwThrust thrust, hwVehicleOutput* out) {
    hwVec3 moment = hwCross(t->position, t->axis);
    out->wrench.l = hwMulAdd(out->wrench.l, thrust.force, t->axis);
    out->wrench.a = hwMulAdd(hwMulAdd(out->wrench.a, thrust.force, moment), thrust.torque, t->axis);
    if (!(thrust.damping > 0.0)) return;
    hwVec3 l = t->axis, a = moment;
    double d = thrust.damping;
    hwSpatialSym own = {
        .ll = {d * l.x * l.x, d * l.y * l.y, d * l.z * l.z, d * l.x * l.y, d * l.x * l.z, d * l.y * l.z},
        .la = {hwScale(d * a.x, l), hwScale(d * a.y, l), hwScale(d * a.z, l)},
        .aa = {d * a.x * a.x, d * a.y * a.y, d * a.z * a.z, d * a.x * a.y, d * a.x * a.z, d * a.y * a.z}};
    hwMulAddSpatialSym(&out->damping, 1.0, &own);
}

// The command for a wanted force.
static double CommandThruster(const hwVehicleDef* def, int i, double wanted) {
    const hwThrusterDef* t = &def->thrusters[i];
    double strength = wanted < 0.0 ? t->reverse : t->forward;
    double share = strength > 0.0 ? wanted / strength : 0.0;
    return def->linearize ? hwThruster_CommandOfShare(t, share) : share;
}

// The share of its strength that a command gives; of a wanted force undone and done again nothing is left but rounding, so
// that it is taken as it was.
static double ShareThruster(const hwVehicleDef* def, int i, double wanted, double command) {
    const hwThrusterDef* t = &def->thrusters[i];
    double strength = wanted < 0.0 ? t->reverse : t->forward;
    if (!def->linearize) return hwThruster_ShareOfCommand(t, command);
    return strength > 0.0 ? wanted / strength : 0.0;
}

// From a command and the share of thrust that it stands for to thrust, through lag, failure and water.
static void RunThruster(const hwVehicleModel* model, int i, double command, double share,
                        const double* inputs, const hwVehicleMotion* motion, const double* base, double hd,
                        double* z, double* rates, hwVehicleOutput* out) {
    const hwThrusterDef* t = &model->def->thrusters[i];
    const double* state = inputs + HW_VEHICLE_THRUSTERS + HW_THRUSTER_INPUTS * i;
    hwThrusterState* result = &out->thrusters[i];
    result->command = command;
    double lost = hwClamp(state[HW_THRUSTER_FAILED], 0.0, 1.0);
    double target = hwThruster_SpeedOfShare(lost > 0.0 ? share * (1.0 - lost) : share);
    if (state[HW_THRUSTER_SENSE] < 0.0) target = -target;
    if (lost == 1.0) target = 0.0;
    int speed = HW_VEHICLE_SPEEDS + i, angle = speed + model->def->thrusterCount;
    z[speed] = hwThruster_Follow(t, target, base[speed], hd, &rates[speed]);
    result->speed = t->hand * z[speed] * t->topSpeed;
    rates[angle] = result->speed;
    z[angle] = base[angle] + hd * rates[angle];
    result->angle = z[angle];
    hwVec3 velocity = hwSub(hwAdd(motion->velocity, hwCross(motion->rate, t->position)),
                            hwMulTV(motion->attitude, motion->stream));
    double height = motion->position.z + hwMulMV(motion->attitude, t->position).z - motion->surface;
    double wet = motion->water ? hwClamp(0.5 - height / t->diameter, 0.0, 1.0) : 0.0;
    hwThrust thrust = hwThruster_Evaluate(t, z[speed], hwDot(velocity, t->axis), wet);
    result->force = thrust.force;
    AddThrust(t, thrust, out);
}

static hwVehicleSituation DescribeSituation(double time, const hwVehicleMotion* motion,
                                            const hwVehicleOutput* out, hwVehicleMode mode, double gain,
                                            bool armed) {
    hwVehicleSituation situation = {.time = time,
                                    .attitude = motion->attitude,
                                    .position = motion->position,
                                    .velocity = motion->velocity,
                                    .rate = motion->rate,
                                    .water = motion->stream,
                                    .depth = out->sense.depth,
                                    .heading = out->sense.heading,
                                    .roll = out->sense.roll,
                                    .pitch = out->sense.pitch,
                                    .gain = gain,
                                    .mode = mode,
                                    .armed = armed};
    memcpy(situation.axes, out->axes, sizeof(situation.axes));
    return situation;
}

// A callback's answer must not carry what is no number into the equations.
static void DropBadNumbers(int count, double* numbers) {
    for (int i = 0; i < count; ++i) {
        if (!isfinite(numbers[i])) numbers[i] = 0.0;
    }
}

// Inputs `.demand.*` in body axes, y to port and z up.
static void ReadDemand(const double* inputs, double demand[6]) {
    static const double signs[6] = {1.0, -1.0, 1.0, 1.0, -1.0, -1.0};
    for (int k = 0; k < 6; ++k) demand[k] = signs[k] * inputs[HW_VEHICLE_DEMAND + k];
}

// Forces of the thrusters for demands in the order of their importance.
static void AllocateDemand(const hwVehicleModel* model, const hwVehicleSituation* situation, int count,
                           double (*demands)[6], double* forces, hwVehicleOutput* out) {
    const hwVehicleDef* def = model->def;
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < 6; ++k) out->demand[k] += demands[i][k];
    }
    if (def->allocationFn != NULL) {
        def->allocationFn(situation, out->demand, forces, def->chainContext);
        DropBadNumbers(def->thrusterCount, forces);
        return;
    }
    double shares[3];
    hwAllocation_Solve(&model->allocation, count, demands, forces, shares);
    for (int i = 0; i < count; ++i) out->saturated |= shares[i] < 1.0;
}

void hwVehicleModel_Evaluate(const hwVehicleModel* model, double time, const double* inputs,
                             const hwVehicleMotion* motion, const double* base, double hd, double* z,
                             double* rates, hwVehicleOutput* out) {
    const hwVehicleDef* def = model->def;
    memset(out, 0, sizeof(*out));
    rates[HW_VEHICLE_TURNED] = hwGetHeadingRate(motion->attitude, motion->rate);
    z[HW_VEHICLE_TURNED] = base[HW_VEHICLE_TURNED] + hd * rates[HW_VEHICLE_TURNED];
    rates[HW_VEHICLE_FIRST_HEADING] = 0.0;
    z[HW_VEHICLE_FIRST_HEADING] = base[HW_VEHICLE_FIRST_HEADING];
    out->sense = ReadSense(motion, z[HW_VEHICLE_TURNED]);
    ReadAxes(inputs, out->axes);
    MoveEquipment(def, inputs, base, hd, z, rates);
    bool armed = IsArmed(inputs);
    hwVehicleBypass bypass = ReadBypass(inputs);
    bool own = bypass == HW_BYPASS_NONE && def->autopilotFn == NULL; // pilot and autopilot as built in
    hwVehicleMode mode = armed && own ? ReadMode(inputs) : HW_MODE_MANUAL;
    double gain = armed ? hwClamp(inputs[HW_VEHICLE_GAIN], 0.0, 1.0) : 0.0;
    double sticks[HW_AXIS_COUNT];
    for (int i = 0; i < HW_AXIS_COUNT; ++i) sticks[i] = gain * out->axes[i];
    hwHoldDemand hold = hwAutopilot_Evaluate(def, mode, &out->sense, sticks, base + HW_VEHICLE_HOLD, hd,
                                             z + HW_VEHICLE_HOLD, rates + HW_VEHICLE_HOLD);
    if (def->thrusterCount == 0) return;
    if (bypass == HW_BYPASS_ALLOCATION) {
        for (int i = 0; i < def->thrusterCount; ++i) {
            double command = inputs[HW_VEHICLE_THRUSTERS + HW_THRUSTER_INPUTS * i + HW_THRUSTER_COMMAND];
            command = armed ? hwClamp(command, -1.0, 1.0) : 0.0;
            double share = hwThruster_ShareOfCommand(&def->thrusters[i], command);
            RunThruster(model, i, command, share, inputs, motion, base, hd, z, rates, out);
        }
        return;
    }
    double demands[3][6] = {{0.0}}, forces[HW_MAX_THRUSTERS] = {0.0};
    hwVehicleSituation situation =
        DescribeSituation(time, motion, out, armed ? ReadMode(inputs) : HW_MODE_MANUAL, gain, armed);
    if (own) {
        double pull[6];
        ReadPull(def, mode, inputs, &motion->attitude, pull);
        ComputeDemands(model, mode, gain, &hold, pull, &motion->attitude, out->axes, demands);
        AllocateDemand(model, &situation, 3, demands, forces, out);
    } else {
        if (armed && bypass == HW_BYPASS_AUTOPILOT) ReadDemand(inputs, demands[0]);
        if (armed && bypass == HW_BYPASS_NONE) def->autopilotFn(&situation, demands[0], def->chainContext);
        DropBadNumbers(6, demands[0]);
        AllocateDemand(model, &situation, 1, demands, forces, out);
    }
    for (int i = 0; i < def->thrusterCount; ++i) {
        double wanted = armed ? forces[i] : 0.0;
        double command = CommandThruster(def, i, wanted);
        RunThruster(model, i, command, ShareThruster(def, i, wanted, command), inputs, motion, base, hd, z,
                    rates, out);
    }
}
