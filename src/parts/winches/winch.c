// Winches: payout rate and material coordinate of a cable's end as auxiliary variables.
//
// The rate w follows a command within acceleration limits (seed 004 eq. 9, 10). In velocity mode the command is the set
// point. In tension mode it is w* = kp (T - T0) + ki z + kd dT/dt, z' = T - T0, of the boundary element's tension T: paying
// out above the set point. A drum of inertia J makes w follow w* with the time J kp / r^2: its motor holds T0, and what
// is left of the line's pull accelerates it. A brake holds a drum at rest until the line pulls more than it can hold.
//
// Passive heave compensation is a set point that rises with what is paid out, T0 + k x: a soft spring in the line. Active
// compensation adds the vertical velocity of a point, usually where the line leaves the ship, to the commanded rate.
//
// Both are solved for together within each evaluation, at given node positions (control/winch_law.h). How much softer that makes
// the boundary element is passed to its matrix.
#include "parts/winches/winches.h"

#include "control/winch_law.h"
#include "world/part.h"
#include "record/channels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BRAKE_SLIP 1e-3 // m/s per N beyond what the brake holds, when the drum has no inertia
#define FREE_SLIP 1e6   // the same with inertia, which alone resists then

// Of a cable without inertia, whose `rest` is its whole length.
static hwWinchPull PullOfShape(const hwWinchLine* line, double w) {
    double byLength, change;
    double rest = line->rest0 + line->hd * w;
    const hwWorld* world = line->context;
    const hwCableOps* ops = world->model.cables->slots[line->slot].ops;
    hwWinchPull pull = {.tension = ops->getTensionAt(world, line->slot, line->end, rest, &byLength, &change)};
    pull.byRate = hwFmin(byLength, 0.0) * line->hd;
    pull.change = byLength * w - change;
    return pull;
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
    const hwLinkMotion* m = &world->work->forest.motion[winch->follow];
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

// The winch at an end of a cable or of a part of one, null: there is none.
static const hwWinchModel* FindWinchAt(const hwWorld* world, int slot, int end) {
    int whole = world->model.cables->slots[slot].whole >= 0 ? world->model.cables->slots[slot].whole : slot;
    int winch = world->model.winches->at[2 * whole + end];
    return winch >= 0 && FindHauled(world, whole, end) == slot ? &world->model.winches->items[winch] : NULL;
}

static hwWinchLine MakeLine(const hwWorld* world, const hwWinchModel* winch, const double* zBase, double hd) {
    const double* inputs = world->state.inputs + winch->input;
    int slot = FindHauled(world, winch->slot, winch->end);
    const hwCableTools* tools = &world->work->cables->tools[slot];
    const hwCableState* state = &tools->state;
    int last = state->core->nodes - 1;
    bool hasNodes = world->model.cables->slots[slot].ops->hasNodes;
    int outer = winch->end == 0 ? 0 : last, inner = winch->end == 0 ? 1 : last - 1;
    if (!hasNodes) inner = last - outer;
    hwVec3 chord = hwSub(state->position[inner], state->position[outer]);
    hwVec3 apart = hwSub(state->velocity[inner], state->velocity[outer]);
    double base = zBase[winch->material];
    double from = winch->end == 0 ? base : state->material[inner];
    double to = winch->end == 0 ? state->material[inner] : base;
    hwCableSection section = hwCableModel_Average(&world->model.cables->slots[slot].model, from, to);
    hwWinchLine line = {.pull = hwWinchLine_PullOfElement,
                        .length = hwLength(chord),
                        .rest0 = to - from + (hasNodes ? state->core->relief[winch->end] : 0.0),
                        .EA = section.EA,
                        .damping = section.axialDamping,
                        .compression = section.compression,
                        .kp = inputs[HW_WINCH_KP],
                        .ki = inputs[HW_WINCH_KI],
                        .kd = inputs[HW_WINCH_KD],
                        .zIntegral = zBase[winch->integral],
                        .rateBase = zBase[winch->rate],
                        .low = zBase[winch->rate] + hd * inputs[HW_WINCH_DECELERATION],
                        .high = zBase[winch->rate] + hd * inputs[HW_WINCH_ACCELERATION],
                        .hd = hd};
    const hwCablePid* pid = &world->model.cables->slots[slot].model.pid;
    if (!hasNodes) {
        line.pull = PullOfShape;
        line.context = world, line.slot = slot, line.end = winch->end;
    } else if (pid->on) {
        line.pull = hwWinchLine_PullOfLink;
        line.kpLink = pid->kp, line.kiLink = pid->ki, line.kdLink = pid->kd;
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
static bool IsBraking(const hwWinchModel* winch, double setpoint, hwWinchLine* line) {
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
    const hwCableState* state = &world->work->cables->tools[winch->slot].state;
    const hwCableModel* model = &world->model.cables->slots[winch->slot].model;
    if (state->core->nodes > 2) return -HUGE_VAL;
    const hwCableSection* section = &model->sections[winch->end == 0 ? 0 : model->sectionCount - 1];
    double shortest =
        section->minElement > 0.0 ? section->minElement : 0.1 * section->length / section->elements;
    double other = state->material[winch->end == 0 ? 1 : 0];
    return hwFmin(0.0, -(fabs(other - zBase[winch->material]) - 2.0 * shortest) / STOP_TIME);
}

static void RunWinch(const hwWorld* world, const hwWinchModel* winch, double time, const double* zBase,
                     double hd) {
    hwWork* work = world->work;
    hwCableTools* tools = &work->cables->tools[FindHauled(world, winch->slot, winch->end)];
    double change, setpoint = ReadSetpoint(world, winch, time, &change);
    hwWinchLine line = MakeLine(world, winch, zBase, hd);
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
    bool controlled = tension || IsBraking(winch, setpoint, &line);
    if (hd > 0.0) {
        rate = controlled ? hwWinchLine_Solve(&line, &softening) : hwClamp(setpoint, line.low, line.high);
        if (tension) rate = hwFmax(rate, GetHaulLimit(world, winch, zBase));
        // a rate that has reached its set point changes as that does; otherwise by what the stage says
        bool reached = !controlled && rate == setpoint && !isnan(change);
        rateChange = reached ? change : (rate - line.rateBase) / hd;
    } else {
        double slope, command = controlled
                                    ? hwWinchLine_ComputeCommand(&line, line.pull(&line, line.rateBase),
                                                                 line.rateBase, &slope)
                                    : setpoint;
        double follow = hwFmax(line.lag, HW_WINCH_FOLLOW_TIME);
        rate = line.rateBase;
        rateChange = hwClamp((controlled || isnan(change) ? 0.0 : change) + (command - rate) / follow,
                             deceleration, acceleration);
    }
    double direction = winch->end == 0 ? -1.0 : 1.0;
    double held = setpoint + line.spring * (line.out + hd * rate);
    double error = tension ? line.pull(&line, rate).tension - held : 0.0;
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
static void HoldWinch(const hwWorld* world, const hwWinchModel* winch, const double* zBase) {
    hwCableTools* tools = &world->work->cables->tools[FindHauled(world, winch->slot, winch->end)];
    const int indices[3] = {winch->rate, winch->material, winch->integral};
    for (int k = 0; k < 3; ++k) {
        world->work->z[indices[k]] = zBase[indices[k]];
        world->work->zdot[indices[k]] = 0.0;
    }
    tools->input.ends[winch->end].payout = tools->input.ends[winch->end].acceleration = 0.0;
    tools->input.ends[winch->end].softening = 1.0;
}

static void FeedCable(const hwWorld* world, int slot, const hwEvaluation* e) {
    for (int end = 0; end < 2; ++end) {
        const hwWinchModel* winch = FindWinchAt(world, slot, end);
        if (winch == NULL) continue;
        RunWinch(world, winch, e->time, e->zBase, e->hd);
        if (e->mode.held) HoldWinch(world, winch, e->zBase);
    }
}

static void SolveWinches(const hwWorld* world, double time, const double* zAt, double gamma, double* z) {
    for (int k = 0; k < world->model.winches->count; ++k) {
        const hwWinchModel* winch = &world->model.winches->items[k];
        const double* inputs = world->state.inputs + winch->input;
        double change, wanted = ReadSetpoint(world, winch, time, &change);
        wanted = change + (wanted - zAt[winch->rate]) / HW_WINCH_FOLLOW_TIME;
        // in tension mode the rate answers the tension, which is left to Newton's method
        bool follows = inputs[HW_WINCH_MODE] == 0.0 && wanted > inputs[HW_WINCH_DECELERATION] &&
                       wanted < inputs[HW_WINCH_ACCELERATION];
        if (follows) z[winch->rate] /= 1.0 + gamma / HW_WINCH_FOLLOW_TIME;
        z[winch->material] += gamma * (winch->end == 0 ? -1.0 : 1.0) * z[winch->rate];
    }
}

double hwWinch_GetTension(const hwWorld* world, const hwWinchModel* winch) {
    return hwWorld_GetEndTension(world, FindHauled(world, winch->slot, winch->end), winch->end);
}

// Inputs -----------------------------------------------------------------------------------------------------------------

static void StartWinchInputs(const hwModel* model, double* inputs) {
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

// Channels and inputs ------------------------------------------------------------------------------------------------------

// Of an input `winch.kp`: the error is the winch's.
static hwStatus FailWinchInput(const char* input, const char* text, double value, hwError* error) {
    char name[sizeof(((hwError*)0)->object)];
    snprintf(name, sizeof(name), "%.*s", (int)strcspn(input, "."), input);
    return hwFail(error, HW_ERROR_ARGUMENT, name, text, name, value);
}

static hwStatus CheckWinchMode(const char* input, double value, hwError* error) {
    if (value == HW_WINCH_VELOCITY || value == HW_WINCH_TENSION) return HW_OK;
    return FailWinchInput(input, "%s: the mode is 0 (velocity) or 1 (tension), not %g", value, error);
}

static hwStatus CheckWinchGain(const char* input, double value, hwError* error) {
    if (value >= 0.0) return HW_OK;
    return FailWinchInput(input, "%s: gains must not be negative, %g is", value, error);
}

static hwStatus CheckWinchAcceleration(const char* input, double value, hwError* error) {
    if (value > 0.0) return HW_OK;
    return FailWinchInput(input, "%s: the acceleration must be positive, not %g", value, error);
}

static hwStatus CheckWinchDeceleration(const char* input, double value, hwError* error) {
    if (value < 0.0) return HW_OK;
    return FailWinchInput(input, "%s: the deceleration must be negative, not %g", value, error);
}

static const hwInputRow winchInputs[HW_WINCH_INPUTS] = {
    [HW_WINCH_SETPOINT] = {"setpoint", "m/s or N", NULL},
    [HW_WINCH_MODE] = {"mode", "1", CheckWinchMode},
    [HW_WINCH_KP] = {"kp", "m/s/N", CheckWinchGain},
    [HW_WINCH_KI] = {"ki", "m/s2/N", CheckWinchGain},
    [HW_WINCH_KD] = {"kd", "m/N", CheckWinchGain},
    [HW_WINCH_ACCELERATION] = {"acceleration", "m/s2", CheckWinchAcceleration},
    [HW_WINCH_DECELERATION] = {"deceleration", "m/s2", CheckWinchDeceleration},
    [HW_WINCH_COMPENSATION] = {"compensation", "1", NULL},
};

static double ReadWinchRate(const hwWorld* world, int index, int component) {
    (void)component;
    return world->state.z[world->model.winches->items[index].rate];
}

static double ReadWinchTension(const hwWorld* world, int index, int component) {
    (void)component;
    return hwWinch_GetTension(world, &world->model.winches->items[index]);
}

static const hwChannelRow winchRows[] = {{"rate", "m/s", ReadWinchRate, 0},
                                         {"tension", "N", ReadWinchTension, 0}};

static void AddWinchChannels(hwTableBuilder* builder, const hwWorld* world, const hwModel* model) {
    (void)world;
    for (int k = 0; k < model->winches->count; ++k)
        hwTable_AddChannels(builder, model->winches->items[k].object->def.name, HW_ROW_COUNT(winchRows),
                            winchRows, k);
}

static void AddWinchInputs(hwTableBuilder* builder, const hwModel* model) {
    for (int k = 0; k < model->winches->count; ++k)
        hwTable_AddInputs(builder, model->winches->items[k].object->def.name, HW_WINCH_INPUTS, winchInputs);
}

// The part -------------------------------------------------------------------------------------------------------------------

static int FindSlotOf(const hwModel* model, hwCableId id) {
    for (int k = 0; k < model->cables->count; ++k) {
        if (HW_SAME_ID(model->cables->slots[k].object->id, id)) return k;
    }
    return -1;
}

static void LayWinches(const hwWorld* world, hwArena* arena, hwModel* model) {
    model->winches->count = 0;
    for (int i = 0; i < world->winches.slots; ++i) model->winches->count += world->winches.items[i] != NULL;
    model->winches->items = HW_TAKE(arena, hwWinchModel, model->winches->count);
    model->winches->at = HW_TAKE(arena, int, 2 * model->cables->count);
}

static void FillWinches(const hwWorld* world, hwModel* model) {
    int next = 0;
    for (int k = 0; k < 2 * model->cables->count; ++k) model->winches->at[k] = -1;
    for (int i = 0; i < world->winches.slots; ++i) {
        hwWinchObject* winch = world->winches.items[i];
        if (winch == NULL) continue;
        hwWinchModel* entry = &model->winches->items[next];
        entry->object = winch;
        entry->slot = FindSlotOf(model, winch->def.cable);
        entry->end = winch->def.end;
        const hwBodyObject* followed = hwWorld_GetBody(world, winch->def.follow);
        entry->follow = followed != NULL ? hwModel_FindLink(model, followed) : -1;
        entry->rate = hwModel_TakeAuxiliary(model, true, 3);
        entry->material = entry->rate + 1;
        entry->integral = entry->rate + 2;
        model->winches->at[2 * entry->slot + entry->end] = next++;
    }
}

static bool HasWinches(const hwModel* model) {
    return model->winches->count > 0;
}

static void FindWinchInputs(hwModel* model) {
    for (int k = 0; k < model->winches->count; ++k) {
        char name[96];
        snprintf(name, sizeof(name), "%s.setpoint", model->winches->items[k].object->def.name);
        model->winches->items[k].input = hwNameTable_Find(&model->inputs, name);
    }
}

// The material at the end of a cable that goes on as it was, and the winch that hauled it.
static void CarryWinches(const hwWorld* before, hwModel* model, hwState* state) {
    for (int k = 0; k < model->winches->count; ++k) {
        const hwWinchModel* winch = &model->winches->items[k];
        const hwCableSlot* slot = &model->cables->slots[winch->slot];
        if (!slot->carried) continue;
        const hwCableStore* store = &state->cables->stores[winch->slot];
        state->z[winch->material] = store->material[winch->end == 0 ? 0 : store->core->nodes - 1];
        int old = before->model.winches->at[2 * slot->object->slot + winch->end];
        if (old < 0) continue;
        const hwWinchModel* was = &before->model.winches->items[old];
        state->z[winch->rate] = before->state.z[was->rate];
        state->z[winch->integral] = before->state.z[was->integral];
    }
}

// The material at the ends of cables that were placed anew.
static hwStatus PlaceWinches(hwWorld* world, hwError* error) {
    (void)error;
    for (int k = 0; k < world->model.winches->count; ++k) {
        const hwWinchModel* winch = &world->model.winches->items[k];
        winch->object->index = k;
        if (world->model.cables->slots[winch->slot].carried) continue;
        const hwCableStore* store = &world->state.cables->stores[winch->slot];
        world->state.z[winch->material] = store->material[winch->end == 0 ? 0 : store->core->nodes - 1];
    }
    return HW_OK;
}

static bool FindFeed(const hwWorld* world, int slot, int end, hwCableFeed* feed) {
    const hwWinchModel* winch = FindWinchAt(world, slot, end);
    if (winch == NULL) return false;
    *feed = (hwCableFeed){.name = winch->object->def.name, .rate = world->state.z[winch->rate]};
    return true;
}

static const hwCableHooks hooks = {.findFeeder = hwWinches_FindFeeder,
                                   .getMore = hwWinches_GetMore,
                                   .reserve = hwWinches_Reserve,
                                   .drop = hwWinches_Drop,
                                   .findFeed = FindFeed,
                                   .feed = FeedCable};

static hwStatus CheckFollowed(const hwWorld* world, hwBodyId body, hwError* error) {
    for (int i = 0; i < world->winches.slots; ++i) {
        const hwWinchObject* winch = world->winches.items[i];
        if (winch == NULL || HW_IS_NULL(body) || !HW_SAME_ID(winch->def.follow, body)) continue;
        const char* name = hwBody_GetName(world, body);
        return hwFail(error, HW_ERROR_ORDER, name, "%s: winch `%s` follows it; remove that first", name,
                      winch->def.name);
    }
    return HW_OK;
}

const hwPart hwWinchesPart = {.name = "winches",
                              .model = HW_SLICE(hwModel, winches),
                              .cables = &hooks,
                              .numbers = {offsetof(hwWorld, winches), offsetof(hwWinchObject, index)},
                              .copy = hwWinches_Copy,
                              .checkDropBody = CheckFollowed,
                              .layModel = LayWinches,
                              .fillModel = FillWinches,
                              .isPresent = HasWinches,
                              .carry = CarryWinches,
                              .start = PlaceWinches,
                              .findInputs = FindWinchInputs,
                              .startInputs = StartWinchInputs,
                              .addChannels = AddWinchChannels,
                              .addInputs = AddWinchInputs,
                              .solveAuxiliaries = SolveWinches,
                              .placeAgain = PlaceWinches};
