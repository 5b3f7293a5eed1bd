// Couplings of an instance: ends of cables that the master moves, ports of bodies that it pulls at. The mean load in the next step is
// F - D (V - u), with V the mean velocity of the point, u a reference and D an impedance (docs/numerics.md, Exchange by hand). Of a
// pinned end these are vectors in space; of a clamp F is force and moment, V velocity and angular velocity.
#include "apps/fmu/component_internal.h"

#include <math.h>

typedef struct Pair {
    hwVec3 linear, angular; // N and N m, N s and N m s, or m/s and rad/s; world axes
} Pair;

// What an end keeps of its past, in numbers of `applied` that belong to outputs and are not used otherwise: they are part of states.
enum {
    KEPT_OWED = HW_FMU_END_FORCE,         // N s that the other side has not felt yet; NaN: no step yet
    KEPT_ESTIMATE = HW_FMU_END_MEAN,      // N that it has felt in the last step, by what the end did
    KEPT_OWED_MOMENT = HW_FMU_END_MOMENT, // N m s
    KEPT_ESTIMATE_MOMENT = HW_FMU_END_MEAN_MOMENT, // N m
    KEPT_TURN = HW_FMU_END_CROSS,                  // w x y z: how a clamp has turned
};

// Where three matrices stand among the parts of an end or port.
typedef struct Places {
    int impedance, cross, rotation;
} Places;

static const Places g_end = {HW_FMU_END_IMPEDANCE, HW_FMU_END_CROSS, HW_FMU_END_ROTATION};
static const Places g_port = {HW_FMU_PORT_IMPEDANCE, HW_FMU_PORT_CROSS, HW_FMU_PORT_ROTATION};

// The variables of an end or port, one after the other.
static double* GetParts(const hwFmu* fmu, Source source, int index) {
    for (int i = 0; i < fmu->count; ++i) {
        if (fmu->variables[i].source == source && fmu->variables[i].index == index)
            return fmu->numbers.values + i;
    }
    return NULL;
}

static double* GetKept(const hwFmu* fmu, const double* parts) {
    return fmu->numbers.applied + (parts - fmu->numbers.values);
}

static void TakeImpedance(const double* parts, Places at, bool turns, double out[6][6]) {
    const double *d = parts + at.impedance, *c = parts + at.cross, *r = parts + at.rotation;
    for (int i = 0; i < 3; ++i) {
        for (int j = i; j < 3; ++j, ++d) out[i][j] = out[j][i] = *d;
        for (int j = 0; j < 3; ++j) out[i][3 + j] = out[3 + j][i] = turns ? c[3 * i + j] : 0.0;
    }
    for (int i = 3; i < 6; ++i) {
        for (int j = i; j < 6; ++j, ++r) out[i][j] = out[j][i] = turns ? *r : 0.0;
    }
}

static void PutImpedance(double* parts, Places at, bool turns, const double in[6][6]) {
    double *d = parts + at.impedance, *c = parts + at.cross, *r = parts + at.rotation;
    for (int i = 0; i < 3; ++i) {
        for (int j = i; j < 3; ++j) *d++ = in[i][j];
        for (int j = 0; j < 3 && turns; ++j) *c++ = in[i][3 + j];
        for (int j = i; j < 3 && turns; ++j) *r++ = in[3 + i][3 + j];
    }
}

// F - D (V - u)
static Pair GetFelt(Pair load, const double impedance[6][6], Pair velocity, Pair reference) {
    hwVec3 v = hwSub(velocity.linear, reference.linear), w = hwSub(velocity.angular, reference.angular);
    const double ahead[6] = {v.x, v.y, v.z, w.x, w.y, w.z};
    double less[6] = {0.0};
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) less[i] += impedance[i][j] * ahead[j];
    }
    return (Pair){hwSub(load.linear, TakeVec3(less)), hwSub(load.angular, TakeVec3(less + 3))};
}

// Ends -------------------------------------------------------------------------------------------------------------------------

static bool GetEndPoint(hwFmu* fmu, const End* end, hwVec3* position, hwVec3* velocity) {
    hwCableView view;
    hwError error;
    if (hwCable_GetView(fmu->world, end->id, &view, &error) < 0) return hwFmu_FailWith(fmu, &error);
    int node = end->end == 0 ? 0 : view.nodeCount - 1;
    *position = view.positions[node];
    *velocity = view.velocities[node];
    return true;
}

// Attitude of a clamp that the master sets. Masters that extrapolate give quaternions that are not quite of length 1.
static bool TakeTurn(hwFmu* fmu, const End* end, const double* parts, hwQuat* turn) {
    *turn = TakeQuat(parts + HW_FMU_END_TURN);
    double square = turn->w * turn->w + turn->x * turn->x + turn->y * turn->y + turn->z * turn->z;
    if (!(square > 0.8) || !(square < 1.25))
        return hwFmu_Fail(fmu,
                          "%s.%c.coupling.turn is no rotation: the quaternion's length is %g instead of 1.",
                          end->cable, end->end == 0 ? 'a' : 'b', sqrt(square));
    *turn = hwNormalizeQuat(*turn);
    return true;
}

// An end that no master has moved stays where it is. Ports count their turn from here.
bool hwFmu_PlaceCouplings(hwFmu* fmu) {
    for (int i = 0; i < fmu->endCount; ++i) {
        double* parts = GetParts(fmu, SOURCE_END, i);
        const double* applied = GetKept(fmu, parts);
        hwVec3 position = hwVec3_zero, velocity = hwVec3_zero;
        if (!GetEndPoint(fmu, &fmu->ends[i], &position, &velocity)) return false;
        double now[3] = {position.x, position.y, position.z};
        for (int k = 0; k < 3; ++k) {
            if (isnan(applied[HW_FMU_END_POSITION + k])) parts[HW_FMU_END_POSITION + k] = now[k];
        }
    }
    for (int i = 0; i < fmu->portCount; ++i) {
        hwBodyState state;
        hwError error;
        if (hwBody_GetState(fmu->world, fmu->ports[i].id, &state, &error) < 0)
            return hwFmu_FailWith(fmu, &error);
        fmu->ports[i].start = state.attitude;
    }
    return true;
}

// A clamp has the directions of its scene where the master's turn is what it is when initialization ends, so that a master may give
// the attitude of a body that is turned from the start.
bool hwFmu_StartCouplings(hwFmu* fmu) {
    for (int i = 0; i < fmu->endCount; ++i) {
        const End* end = &fmu->ends[i];
        if (!end->clamped) continue;
        double* parts = GetParts(fmu, SOURCE_END, i);
        hwQuat turn = hwQuat_identity;
        if (!TakeTurn(fmu, end, parts, &turn)) return false;
        PutQuat(GetKept(fmu, parts) + KEPT_TURN, turn);
    }
    return true;
}

bool hwFmu_CheckCouplings(hwFmu* fmu) {
    for (int i = 0; i < fmu->endCount; ++i) {
        hwQuat turn;
        if (fmu->ends[i].clamped && !TakeTurn(fmu, &fmu->ends[i], GetParts(fmu, SOURCE_END, i), &turn))
            return false;
    }
    return true;
}

// The end goes straight to the position that the master sets for the end of the step, and a clamp turns about one axis.
static bool MoveEnd(hwFmu* fmu, int index, double step) {
    End* end = &fmu->ends[index];
    const double* parts = GetParts(fmu, SOURCE_END, index);
    hwVec3 from = hwVec3_zero, before = hwVec3_zero, to = TakeVec3(parts + HW_FMU_END_POSITION);
    if (!GetEndPoint(fmu, end, &from, &before)) return false;
    if (fmu->parallel) to = hwMulAdd(to, step, TakeVec3(parts + HW_FMU_END_VELOCITY));
    hwVec3 velocity = hwScale(1.0 / step, hwSub(to, from));
    end->rate = hwVec3_zero;
    if (end->clamped) {
        hwQuat turn = hwQuat_identity, now = TakeQuat(GetKept(fmu, parts) + KEPT_TURN);
        if (!TakeTurn(fmu, end, parts, &turn)) return false;
        end->rate = hwScale(1.0 / step, hwRotationVectorFromQuat(hwMulQuat(turn, hwConjugate(now))));
        if (fmu->parallel) end->rate = hwAdd(end->rate, TakeVec3(parts + HW_FMU_END_RATE));
    }
    hwError error;
    if (hwCable_GuideEnd(fmu->world, end->id, end->end, velocity, end->rate, &error) < 0)
        return hwFmu_FailWith(fmu, &error);
    return true;
}

// Numbers of the parts that belong to a force, or to a moment.
typedef struct Settled {
    int owed, estimate, told, mean;
} Settled;

// What the body at the other side has felt of the last prediction is not quite what the wire passed on. What it has not felt yet of
// all steps so far goes into the next load, so that momentum is kept. A master that connects `felt`, or repeats steps, says what
// it was.
static void Settle(const hwFmu* fmu, double* parts, Settled at, hwVec3 impulse, hwVec3 felt,
                   double interval) {
    double* kept = GetKept(fmu, parts);
    hwVec3 owed = isnan(kept[at.owed]) ? hwVec3_zero : TakeVec3(kept + at.owed);
    hwVec3 told = TakeVec3(parts + at.told);
    bool knows = !isnan(kept[at.told]);
    // in parallel what is told is of the step before, for which the estimate stood
    if (fmu->parallel && knows && !isnan(kept[at.estimate]))
        owed = hwMulAdd(owed, interval, hwSub(TakeVec3(kept + at.estimate), told));
    hwVec3 mean = hwScale(1.0 / interval, hwAdd(impulse, owed));
    PutVec3(kept + at.estimate, felt);
    if (!fmu->parallel && knows) felt = told;
    PutVec3(kept + at.owed, hwScale(interval, hwSub(mean, felt)));
    PutVec3(parts + at.mean, mean);
}

static bool SettleEnd(hwFmu* fmu, int index, double interval) {
    const End* end = &fmu->ends[index];
    double *parts = GetParts(fmu, SOURCE_END, index), *kept = GetKept(fmu, parts);
    Pair impulse = {hwVec3_zero, hwVec3_zero}, velocity = {hwVec3_zero, end->rate};
    hwVec3 position = hwVec3_zero;
    hwError error;
    if (!GetEndPoint(fmu, end, &position, &velocity.linear)) return false;
    if (hwCable_GetEndImpulse(fmu->world, end->id, end->end, &impulse.linear, &impulse.angular, &error) < 0)
        return hwFmu_FailWith(fmu, &error);
    Pair load = {TakeVec3(parts + HW_FMU_END_FORCE), hwVec3_zero};
    Pair reference = {TakeVec3(parts + HW_FMU_END_REFERENCE), hwVec3_zero};
    if (end->clamped) {
        load.angular = TakeVec3(parts + HW_FMU_END_MOMENT);
        reference.angular = TakeVec3(parts + HW_FMU_END_REFERENCE_RATE);
    }
    double impedance[6][6];
    TakeImpedance(parts, g_end, end->clamped, impedance);
    Pair felt = GetFelt(load, (const double(*)[6])impedance, velocity, reference);
    const Settled force = {KEPT_OWED, KEPT_ESTIMATE, HW_FMU_END_FELT, HW_FMU_END_MEAN};
    const Settled moment = {KEPT_OWED_MOMENT, KEPT_ESTIMATE_MOMENT, HW_FMU_END_FELT_MOMENT,
                            HW_FMU_END_MEAN_MOMENT};
    Settle(fmu, parts, force, impulse.linear, felt.linear, interval);
    if (!end->clamped) return true;
    Settle(fmu, parts, moment, impulse.angular, felt.angular, interval);
    hwQuat turned = hwQuatFromRotationVector(hwScale(interval, end->rate));
    PutQuat(kept + KEPT_TURN, hwNormalizeQuat(hwMulQuat(turned, TakeQuat(kept + KEPT_TURN))));
    PutVec3(parts + HW_FMU_END_REFERENCE_RATE, end->rate);
    return true;
}

// What it will pull with in the next step, with what the other side has not felt yet.
static bool ReadEnd(hwFmu* fmu, int index) {
    const End* end = &fmu->ends[index];
    double* parts = GetParts(fmu, SOURCE_END, index);
    const double* kept = GetKept(fmu, parts);
    hwVec3 force, moment, position = hwVec3_zero, velocity = hwVec3_zero;
    double impedance[6][6];
    hwError error;
    if (hwCable_PredictEndLoad(fmu->world, end->id, end->end, fmu->lastStep, &force, &moment, impedance,
                               &error) < 0)
        return hwFmu_FailWith(fmu, &error);
    if (!GetEndPoint(fmu, end, &position, &velocity)) return false;
    if (!isnan(kept[KEPT_OWED])) force = hwMulAdd(force, 1.0 / fmu->lastStep, TakeVec3(kept + KEPT_OWED));
    PutVec3(parts + HW_FMU_END_FORCE, force);
    PutVec3(parts + HW_FMU_END_REFERENCE, velocity);
    PutImpedance(parts, g_end, end->clamped, (const double(*)[6])impedance);
    if (!end->clamped) return true;
    if (!isnan(kept[KEPT_OWED_MOMENT]))
        moment = hwMulAdd(moment, 1.0 / fmu->lastStep, TakeVec3(kept + KEPT_OWED_MOMENT));
    PutVec3(parts + HW_FMU_END_MOMENT, moment);
    return true;
}

// Ports ------------------------------------------------------------------------------------------------------------------------

typedef struct PortMotion {
    hwVec3 position;
    hwQuat attitude;
    Pair velocity;
} PortMotion;

static bool GetPortMotion(hwFmu* fmu, const Port* port, PortMotion* out) {
    hwBodyState state;
    hwError error;
    if (hwBody_GetState(fmu->world, port->id, &state, &error) < 0) return hwFmu_FailWith(fmu, &error);
    hwVec3 arm = hwRotate(state.attitude, port->at), rate = hwRotate(state.attitude, state.rate);
    out->position = hwAdd(state.position, arm);
    out->attitude = state.attitude;
    out->velocity = (Pair){hwAdd(state.velocity, hwCross(rate, arm)), rate};
    return true;
}

static Pair TakeLoad(const double* parts) {
    return (Pair){TakeVec3(parts + HW_FMU_PORT_FORCE), TakeVec3(parts + HW_FMU_PORT_MOMENT)};
}

static Pair TakeReference(const double* parts) {
    return (Pair){TakeVec3(parts + HW_FMU_PORT_REFERENCE), TakeVec3(parts + HW_FMU_PORT_REFERENCE_RATE)};
}

// What acts at the ports: forces of the last step go first, then those of all ports of each body. A force acts with the arm of the
// middle of the step: with that of its start the moment would come half a step late, which is of first order and adds energy.
static bool LoadPorts(hwFmu* fmu, double interval) {
    hwError error;
    for (int i = 0; i < fmu->portCount; ++i) {
        if (hwBody_ClearForces(fmu->world, fmu->ports[i].id, &error) < 0) return hwFmu_FailWith(fmu, &error);
    }
    for (int i = 0; i < fmu->portCount; ++i) {
        Port* port = &fmu->ports[i];
        const double* parts = GetParts(fmu, SOURCE_PORT, i);
        Pair load = TakeLoad(parts), reference = TakeReference(parts);
        double impedance[6][6];
        TakeImpedance(parts, g_port, true, impedance);
        PortMotion now;
        if (!GetPortMotion(fmu, port, &now)) return false;
        port->from = now.position;
        port->fromAttitude = now.attitude;
        hwVec3 arm = hwRotate(now.attitude, port->at), rate = now.velocity.angular;
        hwVec3 turned = hwRotate(hwQuatFromRotationVector(hwScale(0.5 * interval, rate)), arm);
        hwVec3 point = hwAdd(hwSub(now.position, arm), turned);
        if (hwBody_ApplyWrench(fmu->world, port->id, load.linear, load.angular, point, HW_FRAME_WORLD,
                               &error) < 0 ||
            hwBody_ApplyImpedance(fmu->world, port->id, (const double(*)[6])impedance, reference.linear,
                                  reference.angular, point, &error) < 0)
            return hwFmu_FailWith(fmu, &error);
    }
    return true;
}

// What a body has felt at a port in the last step.
static bool SettlePort(hwFmu* fmu, int index, double interval) {
    const Port* port = &fmu->ports[index];
    double* parts = GetParts(fmu, SOURCE_PORT, index);
    PortMotion now;
    if (!GetPortMotion(fmu, port, &now)) return false;
    hwVec3 turn = hwRotationVectorFromQuat(hwMulQuat(now.attitude, hwConjugate(port->fromAttitude)));
    Pair mean = {hwScale(1.0 / interval, hwSub(now.position, port->from)), hwScale(1.0 / interval, turn)};
    double impedance[6][6];
    TakeImpedance(parts, g_port, true, impedance);
    Pair felt = GetFelt(TakeLoad(parts), (const double(*)[6])impedance, mean, TakeReference(parts));
    PutVec3(parts + HW_FMU_PORT_FELT, felt.linear);
    PutVec3(parts + HW_FMU_PORT_FELT_MOMENT, felt.angular);
    return true;
}

static bool ReadPort(hwFmu* fmu, int index) {
    const Port* port = &fmu->ports[index];
    double* parts = GetParts(fmu, SOURCE_PORT, index);
    PortMotion now;
    if (!GetPortMotion(fmu, port, &now)) return false;
    PutVec3(parts + HW_FMU_PORT_POSITION, now.position);
    PutVec3(parts + HW_FMU_PORT_VELOCITY, now.velocity.linear);
    PutQuat(parts + HW_FMU_PORT_TURN, hwMulQuat(now.attitude, hwConjugate(port->start)));
    PutVec3(parts + HW_FMU_PORT_RATE, now.velocity.angular);
    return true;
}

// Steps ------------------------------------------------------------------------------------------------------------------------

bool hwFmu_BeginCouplings(hwFmu* fmu, double interval) {
    for (int i = 0; i < fmu->endCount; ++i) {
        if (!MoveEnd(fmu, i, interval)) return false;
    }
    return LoadPorts(fmu, interval);
}

bool hwFmu_EndCouplings(hwFmu* fmu, double interval) {
    for (int i = 0; i < fmu->endCount; ++i) {
        if (!SettleEnd(fmu, i, interval)) return false;
    }
    for (int i = 0; i < fmu->portCount; ++i) {
        if (!SettlePort(fmu, i, interval)) return false;
    }
    return true;
}

bool hwFmu_ReadCouplings(hwFmu* fmu) {
    for (int i = 0; i < fmu->endCount; ++i) {
        if (!ReadEnd(fmu, i)) return false;
    }
    for (int i = 0; i < fmu->portCount; ++i) {
        if (!ReadPort(fmu, i)) return false;
    }
    return true;
}
