// Winches: payout rate and material coordinate of a cable's end as auxiliary variables.
//
// The rate w follows a command within acceleration limits (seed 004 eq. 9, 10). In velocity mode the command is the set
// point. In tension mode it is w* = kp (T - T0) + ki z + kd dT/dt, z' = T - T0, of the boundary element's tension T: paying
// out above the set point. A drum of inertia J makes w follow w* with the time J kp / r^2: its motor holds T0, and what
// is left of the line's pull accelerates it. A brake holds a drum at rest until the line pulls more than it can hold.
//
// Passive heave compensation is a set point that rises with what is paid out, T0 + k x: a soft spring in the line. Active
// compensation adds the vertical velocity of a point, usually where the line leaves the ship, to the rate that is asked for.
//
// Tension answers payout through the element's stiffness, which may be a thousand times faster than a step. The rate is
// therefore solved for within each evaluation, at given node positions: T falls with w and w* rises with T, so there is
// one solution. How much softer that makes the element is passed to its matrix.
#include "world/world_internal.h"

#include <math.h>

#define FOLLOW_TIME 1e-3 // s, in which an explicit evaluation lets the rate take up its command
#define BRAKE_SLIP 1e-3  // m/s per N beyond what the brake holds, when the drum has no inertia
#define FREE_SLIP 1e6    // the same with inertia, which alone resists then

// Everything about one winch at one evaluation.
typedef struct Line {
    // boundary element
    double length, stretching; // m and m/s, of the chord
    double rest0;              // m, unstretched, before this stage's payout
    double EA, damping, compression;
    const hwCablePid* pid; // instead, when on
    double integral;       // s, of the boundary link's error
    const hwWorld* world;  // of a cable without inertia; else null
    int slot, end;
    // controller
    double setpoint;    // N
    double spring, out; // N/m, and m paid out before this stage
    double kp, ki, kd, lag;
    bool oneWay; // a slipping brake only pays out
    double zIntegral;
    double rateBase, low, high; // m/s
    double hd;
} Line;

typedef struct Pull {
    double tension;
    double byRate; // d tension / d w
    double change; // d tension / d t, elastic
} Pull;

// T = kp e + kd de/dt + ki (integral + hd e) with e = 1 - rest/length.
static Pull ComputeLinkPull(const Line* line, double w) {
    double rest = line->rest0 + line->hd * w, inverse = 1.0 / line->length;
    double error = 1.0 - rest * inverse, errorRate = (rest * inverse * line->stretching - w) * inverse;
    double spring = line->pid->kp + line->hd * line->pid->ki;
    Pull pull;
    pull.tension = spring * error + line->pid->kd * errorRate + line->pid->ki * line->integral;
    pull.byRate =
        -(spring * line->hd + line->pid->kd * fmax(1.0 - line->hd * line->stretching * inverse, 0.0)) *
        inverse;
    pull.change = line->pid->kp * errorRate + line->pid->ki * error;
    return pull;
}

// Of a cable without inertia, whose `rest` is its whole length.
static Pull ComputeQuasiPull(const Line* line, double w) {
    const hwCableState* state = &line->world->work.cables->tools[line->slot].state;
    double rest = line->rest0 + line->hd * w, step = 1e-6 * rest, tension[2] = {0.0, 0.0};
    hwQuasi q;
    for (int k = 1; k >= 0; --k) {
        hwQuasiDef def = hwWorld_MakeQuasiDef(line->world, line->slot, rest + k * step);
        hwQuasi_Solve(&def, &q, NULL);
        hwQuasi_GetPoint(&q, line->end == 0 ? 0.0 : def.length, &tension[k]);
    }
    double byLength = (tension[1] - tension[0]) / step;
    hwVec3 va = state->velocity[0], vb = state->velocity[state->core->nodes - 1];
    hwVec3 fall = line->end == 0 ? hwAdd(hwMulMV(q.aa, va), hwMulMV(q.ab, vb))
                                 : hwAdd(hwMulTV(q.ab, va), hwMulMV(q.bb, vb));
    Pull pull = {.tension = tension[0], .byRate = fmin(byLength, 0.0) * line->hd};
    pull.change = byLength * w - hwDot(hwNormalize(q.force[line->end]), fall);
    return pull;
}

static Pull ComputePull(const Line* line, double w) {
    if (line->world != NULL) return ComputeQuasiPull(line, w);
    if (line->pid->on) return ComputeLinkPull(line, w);
    double rest = line->rest0 + line->hd * w;
    double strain = line->length / rest - 1.0;
    double share = strain < 0.0 ? line->compression : 1.0;
    double perRest = line->length / (rest * rest);
    double strainRate = line->stretching / rest - perRest * w;
    Pull pull;
    pull.tension = share * (line->EA * strain + line->damping * strainRate);
    pull.byRate = -share * (line->EA * line->hd + line->damping) * perRest;
    pull.change = share * line->EA * strainRate;
    return pull;
}

// The rate that the controller wants for a tension, and its slope.
static double ComputeCommand(const Line* line, Pull pull, double w, double* slope) {
    double error = pull.tension - line->setpoint - line->spring * (line->out + line->hd * w);
    double integral = line->zIntegral + line->hd * error;
    double command = line->kp * error + line->ki * integral + line->kd * pull.change;
    *slope = line->kp + line->ki * line->hd;
    if (line->hd > 0.0 && line->lag > 0.0) {
        double share = line->hd / (line->hd + line->lag);
        command = line->rateBase + share * (command - line->rateBase);
        *slope *= share;
    }
    if (line->oneWay && command < 0.0) {
        *slope = 0.0;
        return 0.0;
    }
    return command;
}

// w - clamp(command(T(w))) is increasing: Newton's method kept inside a shrinking bracket.
static double SolveRate(const Line* line, double* softening) {
    double low = line->low, high = line->high, w = hwClamp(line->rateBase, low, high);
    // the element must not be hauled in altogether
    if (line->hd > 0.0) low = fmax(low, -0.9 * line->rest0 / line->hd);
    double slope = 0.0;
    Pull pull = {0};
    for (int i = 0; i < 100; ++i) {
        pull = ComputePull(line, w);
        double command = ComputeCommand(line, pull, w, &slope);
        double target = hwClamp(command, line->low, line->high);
        if (target != command) slope = 0.0;
        double miss = w - target;
        *(miss > 0.0 ? &high : &low) = w;
        double step = miss / (1.0 + slope * (line->spring * line->hd - pull.byRate));
        double next = w - step;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (fabs(next - w) <= 1e-14 * (1.0 + fabs(w))) break;
        w = next;
    }
    double yielding = 1.0 + slope * line->spring * line->hd;
    *softening = yielding / (yielding - slope * pull.byRate);
    return w;
}

static double ReadSetpoint(const hwWorld* world, const hwWinchModel* winch, double time, double* change) {
    double input = world->state.inputs[winch->input + HW_WINCH_SETPOINT];
    *change = 0.0;
    if (!isnan(input)) return input;
    hwSignalValue value = hwSignal_Evaluate(&winch->object->def.setpoint, time);
    *change = value.rate.x;
    return value.value.x;
}

// What active compensation adds to the rate of payout: the rise of the point that it follows.
static double GetCompensation(const hwWorld* world, const hwWinchModel* winch) {
    double gain = world->state.inputs[winch->input + HW_WINCH_COMPENSATION];
    if (winch->follow < 0 || gain == 0.0) return 0.0;
    const hwLinkMotion* m = &world->work.forest.motion[winch->follow];
    hwWide arm = hwWideMat_Mul(&m->R, hwWide_FromVec3(winch->object->def.followAt));
    hwWide velocity = m->v.l + hwWide_Cross(m->v.a, arm);
    return gain * velocity[2];
}

// Of a cable that was cut, end a stays with the first part, and end b is where its material ends.
static int FindHauled(const hwWorld* world, int whole, int end) {
    int hauled = whole;
    double farthest = -HUGE_VAL;
    for (int k = whole; end == 1 && k < world->model.cables->count; ++k) {
        const hwCableStore* store = &world->state.cables->stores[k];
        if ((k != whole && world->model.cables->slots[k].whole != whole) || store->core->nodes < 2) continue;
        double last = store->material[store->core->nodes - 1];
        if (!(last > farthest)) continue;
        farthest = last;
        hauled = k;
    }
    return hauled;
}

int hwWorld_GetWinchAt(const hwWorld* world, int slot, int end) {
    int whole = world->model.cables->slots[slot].whole >= 0 ? world->model.cables->slots[slot].whole : slot;
    int winch = world->model.cables->slots[whole].winch[end];
    return winch >= 0 && FindHauled(world, whole, end) == slot ? winch : -1;
}

static Line MakeLine(const hwWorld* world, const hwWinchModel* winch, const double* zBase, double hd) {
    const double* inputs = world->state.inputs + winch->input;
    int slot = FindHauled(world, winch->slot, winch->end);
    const hwCableTools* tools = &world->work.cables->tools[slot];
    const hwCableState* state = &tools->state;
    int last = state->core->nodes - 1;
    bool quasi = world->model.cables->slots[slot].quasi;
    int outer = winch->end == 0 ? 0 : last, inner = winch->end == 0 ? 1 : last - 1;
    if (quasi) inner = last - outer;
    hwVec3 chord = hwSub(state->position[inner], state->position[outer]);
    hwVec3 apart = hwSub(state->velocity[inner], state->velocity[outer]);
    double base = zBase[winch->material];
    double from = winch->end == 0 ? base : state->material[inner];
    double to = winch->end == 0 ? state->material[inner] : base;
    hwCableSection section = hwCableModel_Average(&world->model.cables->slots[slot].model, from, to);
    Line line = {.length = hwLength(chord),
                 .rest0 = to - from + state->core->relief[winch->end],
                 .EA = section.EA,
                 .damping = section.axialDamping,
                 .compression = section.compression,
                 .pid = &world->model.cables->slots[slot].model.pid,
                 .kp = inputs[HW_WINCH_KP],
                 .ki = inputs[HW_WINCH_KI],
                 .kd = inputs[HW_WINCH_KD],
                 .zIntegral = zBase[winch->integral],
                 .rateBase = zBase[winch->rate],
                 .low = zBase[winch->rate] + hd * inputs[HW_WINCH_DECELERATION],
                 .high = zBase[winch->rate] + hd * inputs[HW_WINCH_ACCELERATION],
                 .hd = hd};
    line.world = quasi ? world : NULL;
    line.slot = slot;
    line.end = winch->end;
    if (line.pid->on) {
        line.integral = zBase[world->model.cables->slots[slot].integral + (winch->end == 0 ? 0 : last - 1)];
    }
    line.stretching = line.length > 0.0 ? hwDot(chord, apart) / line.length : 0.0;
    double radius = winch->object->def.drumRadius;
    if (winch->object->def.drumInertia > 0.0) {
        line.lag = winch->object->def.drumInertia * line.kp / (radius * radius);
    }
    return line;
}

// Material coordinate of the end before anything was paid out.
static double GetStart(const hwWorld* world, const hwWinchModel* winch) {
    const hwCableModel* model = &world->model.cables->slots[winch->slot].model;
    return winch->end == 0 ? model->startMaterial[0] : model->startMaterial[model->startNodes - 1];
}

// A drum that stands on its brake slips when the line pulls more than the brake holds.
static bool Brakes(const hwWinchModel* winch, double setpoint, Line* line) {
    const hwWinchDef* def = &winch->object->def;
    if (!(def->brake > 0.0) || setpoint != 0.0) return false;
    line->setpoint = def->brake / def->drumRadius;
    line->kp = def->drumInertia > 0.0 ? FREE_SLIP : BRAKE_SLIP;
    line->ki = line->kd = 0.0;
    line->lag = def->drumInertia * line->kp / (def->drumRadius * def->drumRadius);
    line->oneWay = true;
    return true;
}

#define STOP_TIME 0.25 // s, in which a line that is nearly in slows down

// The fastest that a winch in tension mode hauls, m/s, negative: a line that nothing holds any more stops at the drum, with
// twice the shortest element left.
static double GetHaulLimit(const hwWorld* world, const hwWinchModel* winch, const double* zBase) {
    const hwCableState* state = &world->work.cables->tools[winch->slot].state;
    const hwCableModel* model = &world->model.cables->slots[winch->slot].model;
    if (state->core->nodes > 2) return -HUGE_VAL;
    const hwCableSection* section = &model->sections[winch->end == 0 ? 0 : model->sectionCount - 1];
    double shortest =
        section->minElement > 0.0 ? section->minElement : 0.1 * section->length / section->elements;
    double other = state->material[winch->end == 0 ? 1 : 0];
    return fmin(0.0, -(fabs(other - zBase[winch->material]) - 2.0 * shortest) / STOP_TIME);
}

static void RunWinch(hwWorld* world, const hwWinchModel* winch, double time, const double* zBase, double hd) {
    hwWork* work = &world->work;
    hwCableTools* tools = &work->cables->tools[FindHauled(world, winch->slot, winch->end)];
    double change, setpoint = ReadSetpoint(world, winch, time, &change);
    Line line = MakeLine(world, winch, zBase, hd);
    bool tension = world->state.inputs[winch->input + HW_WINCH_MODE] != 0.0;
    double softening = 1.0, rate, rateChange;
    double acceleration = world->state.inputs[winch->input + HW_WINCH_ACCELERATION];
    double deceleration = world->state.inputs[winch->input + HW_WINCH_DECELERATION];
    if (tension) {
        line.setpoint = setpoint;
        line.spring = winch->object->def.spring;
        line.out = (winch->end == 0 ? -1.0 : 1.0) * (zBase[winch->material] - GetStart(world, winch));
    } else {
        double rise = GetCompensation(world, winch);
        setpoint += rise;
        if (winch->follow >= 0 && rise != 0.0)
            change = (double)NAN; // how it changes is known by the stage alone
    }
    bool controlled = tension || Brakes(winch, setpoint, &line);
    if (hd > 0.0) {
        rate = controlled ? SolveRate(&line, &softening) : hwClamp(setpoint, line.low, line.high);
        if (tension) rate = fmax(rate, GetHaulLimit(world, winch, zBase));
        // a rate that has reached its set point changes as that does; otherwise by what the stage says
        bool reached = !controlled && rate == setpoint && !isnan(change);
        rateChange = reached ? change : (rate - line.rateBase) / hd;
    } else {
        double slope, command = controlled ? ComputeCommand(&line, ComputePull(&line, line.rateBase),
                                                            line.rateBase, &slope)
                                           : setpoint;
        double follow = fmax(line.lag, FOLLOW_TIME);
        rate = line.rateBase;
        rateChange = hwClamp((controlled || isnan(change) ? 0.0 : change) + (command - rate) / follow,
                             deceleration, acceleration);
    }
    double direction = winch->end == 0 ? -1.0 : 1.0;
    double held = setpoint + line.spring * (line.out + hd * rate);
    double error = tension ? ComputePull(&line, rate).tension - held : 0.0;
    work->z[winch->rate] = rate;
    work->zdot[winch->rate] = rateChange;
    work->zdot[winch->material] = direction * rate;
    work->z[winch->material] = zBase[winch->material] + hd * direction * rate;
    work->zdot[winch->integral] = error;
    work->z[winch->integral] = zBase[winch->integral] + hd * error;

    int last = tools->state.core->nodes - 1;
    tools->state.material[winch->end == 0 ? 0 : last] = work->z[winch->material];
    hwCableEnd* end = &tools->input.ends[winch->end];
    end->payout = rate;
    end->acceleration = rateChange;
    end->softening = softening;
}

// Within statics a winch does not turn.
static void HoldWinch(hwWorld* world, const hwWinchModel* winch, const double* zBase) {
    hwCableTools* tools = &world->work.cables->tools[FindHauled(world, winch->slot, winch->end)];
    const int indices[3] = {winch->rate, winch->material, winch->integral};
    for (int k = 0; k < 3; ++k) {
        world->work.z[indices[k]] = zBase[indices[k]];
        world->work.zdot[indices[k]] = 0.0;
    }
    tools->input.ends[winch->end].payout = tools->input.ends[winch->end].acceleration = 0.0;
    tools->input.ends[winch->end].softening = 1.0;
}

void hwWorld_RunWinches(hwWorld* world, int slot, double time, const double* zBase, double hd) {
    for (int e = 0; e < 2; ++e) {
        world->work.cables->tools[slot].input.ends[e].softening = 1.0;
        int winch = hwWorld_GetWinchAt(world, slot, e);
        if (winch >= 0) RunWinch(world, &world->model.winches->items[winch], time, zBase, hd);
        if (winch >= 0 && world->frozen) HoldWinch(world, &world->model.winches->items[winch], zBase);
    }
}

void hwWorld_SolveWinches(const hwWorld* world, double time, const double* zAt, double gamma, double* z) {
    for (int k = 0; k < world->model.winches->count; ++k) {
        const hwWinchModel* winch = &world->model.winches->items[k];
        const double* inputs = world->state.inputs + winch->input;
        double change, wanted = ReadSetpoint(world, winch, time, &change);
        wanted = change + (wanted - zAt[winch->rate]) / FOLLOW_TIME;
        // in tension mode the rate answers the tension, which is left to Newton's method
        bool follows = inputs[HW_WINCH_MODE] == 0.0 && wanted > inputs[HW_WINCH_DECELERATION] &&
                       wanted < inputs[HW_WINCH_ACCELERATION];
        if (follows) z[winch->rate] /= 1.0 + gamma / FOLLOW_TIME;
        z[winch->material] += gamma * (winch->end == 0 ? -1.0 : 1.0) * z[winch->rate];
    }
}

double hwWorld_GetBoundaryTension(const hwWorld* world, const hwWinchModel* winch) {
    int slot = FindHauled(world, winch->slot, winch->end);
    const hwCableTools* tools = &world->work.cables->tools[slot];
    const hwCableWork* work = &tools->work;
    double tension;
    if (world->model.cables->slots[slot].quasi) {
        hwQuasi_GetPoint(&tools->quasi, winch->end == 0 ? 0.0 : tools->quasi.def.length, &tension);
        return tension;
    }
    return work->tension[winch->end == 0 ? 0 : work->nodes - 2];
}

// Inputs -----------------------------------------------------------------------------------------------------------------

void hwWorld_StartWinchInputs(const hwModel* model, double* inputs) {
    for (int k = 0; k < model->winches->count; ++k) {
        const hwWinchDef* def = &model->winches->items[k].object->def;
        double* own = inputs + model->winches->items[k].input;
        own[HW_WINCH_SETPOINT] = hwSignal_IsPresent(&def->setpoint) ? (double)NAN : 0.0;
        own[HW_WINCH_MODE] = def->mode;
        own[HW_WINCH_KP] = def->kp;
        own[HW_WINCH_KI] = def->ki;
        own[HW_WINCH_KD] = def->kd;
        own[HW_WINCH_ACCELERATION] = def->acceleration;
        own[HW_WINCH_DECELERATION] = def->deceleration;
        own[HW_WINCH_COMPENSATION] = def->followGain;
    }
}

hwStatus hwWorld_CheckWinchInput(const hwModel* model, int input, double value, hwError* error) {
    const hwWinchModel* winch = NULL;
    for (int k = 0; k < model->winches->count; ++k) {
        int first = model->winches->items[k].input;
        if (input >= first && input < first + HW_WINCH_INPUTS) winch = &model->winches->items[k];
    }
    if (winch == NULL) return HW_OK;
    const char* name = winch->object->def.name;
    switch ((hwWinchInput)(input - winch->input)) {
    case HW_WINCH_MODE:
        if (value == HW_WINCH_VELOCITY || value == HW_WINCH_TENSION) return HW_OK;
        return hwFail(error, HW_ERROR_ARGUMENT, name, "%s: the mode is 0 (velocity) or 1 (tension), not %g",
                      name, value);
    case HW_WINCH_KP:
    case HW_WINCH_KI:
    case HW_WINCH_KD:
        if (value >= 0.0) return HW_OK;
        return hwFail(error, HW_ERROR_ARGUMENT, name, "%s: gains must not be negative, %g is", name, value);
    case HW_WINCH_ACCELERATION:
        if (value > 0.0) return HW_OK;
        return hwFail(error, HW_ERROR_ARGUMENT, name, "%s: the acceleration must be positive, not %g", name,
                      value);
    case HW_WINCH_DECELERATION:
        if (value < 0.0) return HW_OK;
        return hwFail(error, HW_ERROR_ARGUMENT, name, "%s: the deceleration must be negative, not %g", name,
                      value);
    default:
        return HW_OK;
    }
}
