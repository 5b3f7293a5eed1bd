#include "mech/joint_law.h"

#include "hawser/elementary.h"

#include <math.h>
#include <stddef.h>

#define RAMP 1e-4          // rad or m: depth over which a limit's damping comes in
#define STOPPING_TIME 0.05 // s: how softly velocity control comes to rest at a limit
#define STICK_TIME 1e-3    // s: damping over stiffness of the spring that makes friction stick
#define HELD 1e20          // N m/rad or N/m: a joint that statics holds does not give way

static double SignOf(double x) {
    return x < 0.0 ? -1.0 : 1.0;
}

// z = base + hd * rate
static double AdvanceMemory(const hwJointDrive* drive, hwJointMemory memory, int k, double rate) {
    memory.zdot[k] = rate;
    memory.z[k] = memory.base[k] + drive->hd * rate;
    return memory.z[k];
}

// Puts a value that was solved for into an auxiliary variable.
static void SetSolvedMemory(const hwJointDrive* drive, hwJointMemory memory, int k, double value,
                            double explicitRate) {
    bool implicit = drive->hd > 0.0;
    memory.z[k] = implicit ? value : memory.base[k];
    memory.zdot[k] = implicit ? (value - memory.base[k]) / drive->hd : explicitRate;
}

// Single axes -------------------------------------------------------------------------------------------------------------

// Seed 004 eq. 67 and 68. The set point stays within the joint's range: of positions directly, of rates so that the joint
// comes to rest at its limit.
static hwJointEffort ControlEffort(const hwJointDrive* drive, double q, double v) {
    hwJointEffort u = {0.0, 0.0, 0.0};
    if (drive->mode == HW_CONTROL_PASSIVE) return u;
    const hwLimitDef* limits = &drive->def->limits;
    double kp = drive->kp, ki = drive->ki, kd = drive->kd;
    double target = drive->target.x;
    if (drive->mode == HW_CONTROL_POSITION) {
        double e = hwClamp(target, limits->low, limits->high) - q;
        double z = AdvanceMemory(drive, drive->integral, 0, e);
        u = (hwJointEffort){kp * e + ki * z - kd * v, kd, kp + ki * drive->hd};
    } else if (drive->mode == HW_CONTROL_VELOCITY) {
        double high = (limits->high - q) / STOPPING_TIME, low = (limits->low - q) / STOPPING_TIME;
        bool stopping = target > high || target < low;
        double e = hwClamp(target, low, high) - v;
        double z = AdvanceMemory(drive, drive->integral, 0, e);
        u = (hwJointEffort){kp * e + ki * z, kp + ki * drive->hd, stopping ? kp / STOPPING_TIME : 0.0};
    } else {
        u.value = target;
    }
    u.value -= drive->carried.x;
    return u;
}

// Holds u within the limit, and the power that it gives within its bound (seed 004 eq. 70). Braking takes power from the
// joint and is not bound: brakes and closed valves need none. Where u is held, an integral that pushes further rests.
static hwJointEffort SaturateEffort(const hwJointDrive* drive, hwJointEffort u, double v, bool byPower) {
    double limit = drive->def->control.limit, power = drive->power;
    bool gives = byPower && u.value * v > 0.0;
    double bound = gives && power < limit * fabs(v) ? power / fabs(v) : limit;
    if (!(fabs(u.value) > bound)) return u;
    hwJointEffort held = {SignOf(u.value) * bound, 0.0, 0.0};
    if (bound < limit) held.damping = bound / fabs(v);
    if (drive->mode != HW_CONTROL_EFFORT && drive->integral.zdot[0] * u.value > 0.0)
        AdvanceMemory(drive, drive->integral, 0, 0.0);
    return held;
}

// Torque of a motor from its voltage, less what the brushes take (McMillan's law, in DynaMechs).
static hwJointEffort MotorEffort(const hwActuatorDef* motor, hwJointEffort voltage, double v) {
    double left = motor->halfDrop > 0.0 ? hwExp2(-fabs(voltage.value) / motor->halfDrop) : 0.0;
    double size = fabs(voltage.value) - motor->brushDrop * (1.0 - left);
    double slope =
        motor->halfDrop > 0.0 ? 1.0 - motor->brushDrop * left * 0.69314718055994531 / motor->halfDrop : 1.0;
    // brushes can take all of a small voltage, but not more
    if (size < 0.0) size = slope = 0.0;
    double k = motor->torqueConstant / motor->resistance;
    slope = hwFmax(slope, 0.0);
    hwJointEffort torque = {k * (SignOf(voltage.value) * size - motor->backEmf * v),
                            k * (slope * voltage.damping + motor->backEmf), k * slope * voltage.stiffness};
    return torque;
}

// T x' + x = u, solved for x at the end of the stage.
static double LagEffort(const hwJointDrive* drive, int k, double u, double* share) {
    if (drive->settling) {
        drive->lag.z[k] = u;
        drive->lag.zdot[k] = 0.0;
        *share = 1.0;
        return u;
    }
    double h = drive->hd / drive->def->actuator.timeConstant, base = drive->lag.base[k];
    double x = (base + h * u) / (1.0 + h);
    *share = h / (1.0 + h);
    SetSolvedMemory(drive, drive->lag, k, x, (u - base) / drive->def->actuator.timeConstant);
    return x;
}

static hwJointEffort ActuatorEffort(const hwJointDrive* drive, double q, double v) {
    if (drive->hold == HW_JOINT_HELD) return (hwJointEffort){0.0, 0.0, HELD};
    if (drive->hold == HW_JOINT_OVERLOADED) return (hwJointEffort){drive->given.x, 0.0, 0.0};
    hwJointEffort u = ControlEffort(drive, q, v);
    const hwActuatorDef* actuator = &drive->def->actuator;
    switch (actuator->kind) {
    case HW_ACTUATOR_MOTOR:
        return MotorEffort(actuator, SaturateEffort(drive, u, v, false), v);
    case HW_ACTUATOR_HYDRAULIC: {
        double share;
        u = SaturateEffort(drive, u, v, true);
        u.value = LagEffort(drive, 0, u.value, &share);
        u.damping *= share;
        u.stiffness *= share;
        return u;
    }
    case HW_ACTUATOR_IDEAL:
        break;
    }
    return SaturateEffort(drive, u, v, true);
}

// Spring and damper of a stop entered to `depth`, pushing out; the damping comes in over the first tenth of a millimetre
// (or milliradian), and the stop never pulls. `closing` is the rate of the depth.
static hwJointEffort StopEffort(const hwJointDrive* drive, double depth, double closing) {
    const hwLimitDef* limits = &drive->def->limits;
    hwJointEffort push = {0.0, 0.0, 0.0};
    if (!(depth > 0.0)) return push;
    double ramp = hwFmin(depth / RAMP, 1.0);
    double spring = limits->stiffness * depth;
    double force = spring + limits->damping * ramp * closing;
    *drive->elastic += 0.5 * spring * depth;
    *drive->storing += spring * closing;
    if (force > 0.0) {
        push = (hwJointEffort){force, limits->damping * ramp, limits->stiffness};
        if (ramp < 1.0) push.stiffness += hwFmax(limits->damping * closing / RAMP, 0.0);
    }
    *drive->dissipation += (push.value - spring) * closing;
    return push;
}

// Coulomb friction as a spring of deflection z that gives way at the limit: it holds without creeping.
static hwJointEffort StickEffort(const hwJointDrive* drive, double v) {
    const hwFrictionDef* friction = &drive->def->friction;
    double most = friction->stick, k = friction->coulomb / most;
    double base = drive->slider.base[0];
    double z = hwClamp(base + drive->hd * v, -most, most);
    bool pushing = fabs(base) >= most && base * v > 0.0;
    SetSolvedMemory(drive, drive->slider, 0, z, pushing ? 0.0 : v);
    z = hwClamp(drive->slider.z[0], -most, most);
    double force = k * z + k * STICK_TIME * v;
    *drive->elastic += 0.5 * k * z * z;
    *drive->storing += k * z * drive->slider.zdot[0];
    hwJointEffort drag = {-SignOf(force) * friction->coulomb, 0.0, 0.0};
    if (fabs(force) < friction->coulomb) {
        drag = (hwJointEffort){-force, k * STICK_TIME, fabs(z) < most ? k : 0.0};
    }
    *drive->dissipation += -drag.value * v - k * z * drive->slider.zdot[0];
    return drag;
}

static void AddEffort(hwJointEffort* sum, hwJointEffort part) {
    sum->value += part.value;
    sum->damping += part.damping;
    sum->stiffness += part.stiffness;
}

hwJointEffort hwJointDrive_PushAxis(const hwJointDrive* drive, double q, double v) {
    const hwLinkDef* def = drive->def;
    hwJointEffort sum = ActuatorEffort(drive, q, v);
    *drive->work += sum.value * v;
    hwJointEffort low = StopEffort(drive, def->limits.low - q, -v);
    hwJointEffort high = StopEffort(drive, q - def->limits.high, v);
    high.value = -high.value;
    AddEffort(&sum, low);
    AddEffort(&sum, high);
    if (drive->slider.z != NULL) AddEffort(&sum, StickEffort(drive, v));
    hwJointEffort viscous = {-def->friction.viscous * v, def->friction.viscous, 0.0};
    *drive->dissipation += def->friction.viscous * v * v;
    AddEffort(&sum, viscous);
    return sum;
}

// Ball joints -------------------------------------------------------------------------------------------------------------

static hwSym3 IsotropicSym3(double s) {
    hwSym3 m = {s, s, s, 0.0, 0.0, 0.0};
    return m;
}

static hwSym3 OuterSym3(double s, hwVec3 n) {
    hwSym3 m = {s * n.x * n.x, s * n.y * n.y, s * n.z * n.z, s * n.x * n.y, s * n.x * n.z, s * n.y * n.z};
    return m;
}

static hwVec3 AdvanceMemory3(const hwJointDrive* drive, hwVec3 rate) {
    return hwMakeVec3(AdvanceMemory(drive, drive->integral, 0, rate.x),
                      AdvanceMemory(drive, drive->integral, 1, rate.y),
                      AdvanceMemory(drive, drive->integral, 2, rate.z));
}

static hwJointMoment ControlBall(const hwJointDrive* drive, hwQuat turn, hwVec3 w) {
    hwJointMoment u = {0};
    if (drive->mode == HW_CONTROL_PASSIVE) return u;
    double kp = drive->kp, ki = drive->ki, kd = drive->kd;
    hwVec3 target = drive->target;
    if (drive->mode == HW_CONTROL_POSITION) {
        hwQuat wanted = hwQuatFromRpy(target.x, target.y, target.z);
        hwVec3 e = hwRotationVectorFromQuat(hwMulQuat(hwConjugate(turn), wanted));
        hwVec3 z = AdvanceMemory3(drive, e);
        u.value = hwMulAdd(hwMulAdd(hwScale(kp, e), ki, z), -kd, w);
        u.damping = IsotropicSym3(kd);
        u.stiffness = IsotropicSym3(kp + ki * drive->hd);
    } else if (drive->mode == HW_CONTROL_VELOCITY) {
        hwVec3 e = hwSub(target, w);
        hwVec3 z = AdvanceMemory3(drive, e);
        u.value = hwMulAdd(hwScale(kp, e), ki, z);
        u.damping = IsotropicSym3(kp + ki * drive->hd);
    } else {
        u.value = target;
    }
    u.value = hwSub(u.value, drive->carried);
    return u;
}

// a (1 - n n^T) + b n n^T
static hwSym3 AcrossAndAlong(double a, double b, hwVec3 n) {
    return hwAddSym3(IsotropicSym3(a), OuterSym3(b - a, n));
}

// Holds the moment's size within the limit, and its part along the rate, which alone gives power, within what the power
// allows. Cutting the whole moment down instead would let go of the directions across the rate with it: Newton's method
// does not converge on that when gains are high.
static hwJointMoment SaturateBall(const hwJointDrive* drive, hwJointMoment u, hwVec3 w) {
    double limit = drive->def->control.limit, power = drive->power;
    double damping = u.damping.xx, stiffness = u.stiffness.xx; // isotropic
    double size = hwLength(u.value), speed = hwLength(w);
    hwJointMoment held = u;
    if (size > limit) {
        double scale = limit / size;
        damping *= scale;
        stiffness *= scale;
        held.value = hwScale(scale, u.value);
        held.damping = AcrossAndAlong(damping, 0.0, hwScale(1.0 / size, u.value));
        held.stiffness = AcrossAndAlong(stiffness, 0.0, hwScale(1.0 / size, u.value));
    }
    double given = hwDot(held.value, w);
    if (given > power) {
        hwVec3 n = hwScale(1.0 / speed, w);
        double along = given / speed, bound = power / speed;
        held.value = hwMulAdd(held.value, bound - along, n);
        // what is cut away turns with the rate
        held.damping = AcrossAndAlong(damping + (along - bound) / speed, bound / speed, n);
        held.stiffness = AcrossAndAlong(stiffness, 0.0, n);
    }
    bool cut = size > limit || given > power;
    if (cut && drive->mode != HW_CONTROL_EFFORT) AdvanceMemory3(drive, hwVec3_zero);
    return held;
}

// Keeps the angle between each axis of the link and the joint's within its limit.
static void AddSwingStops(const hwJointDrive* drive, hwQuat turn, hwVec3 w, hwJointMoment* sum) {
    const hwLimitDef* limits = &drive->def->limits;
    static const hwVec3 units[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int k = 0; k < 3; ++k) {
        if (!isfinite(limits->swing[k])) continue;
        hwVec3 wanted = hwInvRotate(turn, units[k]); // the joint's axis in link axes
        hwVec3 cross = hwCross(units[k], wanted);
        double sine = hwLength(cross), angle = hwAtan2(sine, hwDot(units[k], wanted));
        if (!(sine > 0.0)) continue;
        hwVec3 back = hwScale(1.0 / sine, cross); // turning about it brings the axes together
        hwJointEffort push = StopEffort(drive, angle - limits->swing[k], -hwDot(w, back));
        sum->value = hwMulAdd(sum->value, push.value, back);
        sum->damping = hwAddSym3(sum->damping, OuterSym3(push.damping, back));
        sum->stiffness = hwAddSym3(sum->stiffness, OuterSym3(push.stiffness, back));
    }
}

// The vector form of Stick: the spring's deflection keeps within a ball.
static void AddBallStick(const hwJointDrive* drive, hwVec3 w, hwJointMoment* sum) {
    const hwFrictionDef* friction = &drive->def->friction;
    double most = friction->stick, k = friction->coulomb / most;
    const double *base = drive->slider.base, *at = drive->slider.z, *change = drive->slider.zdot;
    hwVec3 from = hwMakeVec3(base[0], base[1], base[2]);
    hwVec3 z = hwMulAdd(from, drive->hd, w);
    double length = hwLength(z);
    bool slides = length > most;
    if (slides) z = hwScale(most / length, z);
    hwVec3 rate = w;
    if (hwLength(from) >= most && hwDot(from, w) > 0.0) {
        hwVec3 out = hwNormalize(from);
        rate = hwMulAdd(w, -hwDot(w, out), out);
    }
    SetSolvedMemory(drive, drive->slider, 0, z.x, rate.x);
    SetSolvedMemory(drive, drive->slider, 1, z.y, rate.y);
    SetSolvedMemory(drive, drive->slider, 2, z.z, rate.z);
    z = hwMakeVec3(at[0], at[1], at[2]);
    hwVec3 zdot = hwMakeVec3(change[0], change[1], change[2]);
    hwVec3 force = hwScale(k, hwMulAdd(z, STICK_TIME, w));
    double size = hwLength(force);
    if (size < friction->coulomb) {
        sum->damping = hwAddSym3(sum->damping, IsotropicSym3(k * STICK_TIME));
        if (!slides) sum->stiffness = hwAddSym3(sum->stiffness, IsotropicSym3(k));
    } else {
        force = hwScale(friction->coulomb / size, force);
    }
    sum->value = hwSub(sum->value, force);
    *drive->elastic += 0.5 * k * hwDot(z, z);
    *drive->storing += k * hwDot(z, zdot);
    *drive->dissipation += hwDot(force, w) - k * hwDot(z, zdot);
}

hwJointMoment hwJointDrive_PushBall(const hwJointDrive* drive, hwQuat turn, hwVec3 w) {
    const hwLinkDef* def = drive->def;
    hwJointMoment sum = {0};
    if (drive->hold == HW_JOINT_HELD) {
        sum.stiffness = IsotropicSym3(HELD);
    } else if (drive->hold == HW_JOINT_OVERLOADED) {
        sum.value = drive->given;
    } else {
        sum = SaturateBall(drive, ControlBall(drive, turn, w), w);
    }
    if (def->actuator.kind == HW_ACTUATOR_HYDRAULIC && drive->hold == HW_JOINT_LEFT) {
        double share = 0.0;
        sum.value =
            hwMakeVec3(LagEffort(drive, 0, sum.value.x, &share), LagEffort(drive, 1, sum.value.y, &share),
                       LagEffort(drive, 2, sum.value.z, &share));
        hwSym3 zero = {0};
        sum.damping = hwMulAddSym3(zero, share, sum.damping);
        sum.stiffness = hwMulAddSym3(zero, share, sum.stiffness);
    }
    *drive->work += hwDot(sum.value, w);
    AddSwingStops(drive, turn, w, &sum);
    if (drive->slider.z != NULL) AddBallStick(drive, w, &sum);
    sum.value = hwMulAdd(sum.value, -def->friction.viscous, w);
    sum.damping = hwAddSym3(sum.damping, IsotropicSym3(def->friction.viscous));
    *drive->dissipation += def->friction.viscous * hwDot(w, w);
    return sum;
}

double hwJointDrive_GetMotorEffort(const hwActuatorDef* motor, double voltage) {
    return MotorEffort(motor, (hwJointEffort){voltage, 0.0, 0.0}, 0.0).value;
}
