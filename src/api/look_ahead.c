#include "hawser/look_ahead.h"

#include "hawser/entanglement.h"
#include "world/world.h"

#include <math.h>

#define HW_LOOK_AHEAD_COOKIE 0x48570046

hwLookAheadDef hwDefaultLookAheadDef(void) {
    hwLookAheadDef def = {.duration = 30.0,
                          .step = 1.0 / 60.0,
                          .taut = 20.0,
                          .snag = 1.0,
                          .hauling = 0.5,
                          .cookie = HW_LOOK_AHEAD_COOKIE};
    return def;
}

typedef struct Alternative {
    hwWorld* world;
    const hwLookAheadDef* def;
    hwLookAhead* out;
    int* inputs; // of the branch, for each command; null: they are those of the world
} Alternative;

static hwStatus CheckDef(const hwWorld* world, const hwLookAheadDef* def, hwError* error) {
    if (def->cookie != HW_LOOK_AHEAD_COOKIE)
        return hwFail(error, HW_ERROR_ARGUMENT, NULL,
                      "the look-ahead def was not made by hwDefaultLookAheadDef");
    if (!(def->hauling >= 0.0))
        return hwFail(error, HW_ERROR_ARGUMENT, NULL,
                      "look-ahead: the time between looks at hauling must not be negative, it is %g s",
                      def->hauling);
    if (!(def->duration > 0.0) || !(def->step > 0.0) || !isfinite(def->duration) || !isfinite(def->step))
        return hwFail(error, HW_ERROR_ARGUMENT, NULL,
                      "look-ahead: duration and step must be positive, they are %g and %g s", def->duration,
                      def->step);
    if (def->wrap && HW_IS_NULL(def->cable))
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "look-ahead: `wrap` needs a cable that is to wrap");
    if (!HW_IS_NULL(def->cable) && !hwCable_IsValid(world, def->cable))
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "look-ahead: the cable is not in this world");
    if (!HW_IS_NULL(def->body) && !hwBody_IsValid(world, def->body))
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "look-ahead: the body is not in this world");
    if (!(def->taut >= 0.0) || !(def->snag >= 0.0) || !(def->station >= 0.0))
        return hwFail(error, HW_ERROR_ARGUMENT, NULL,
                      "look-ahead: taut, snag and station must not be negative, they are %g N, %g rad, %g m",
                      def->taut, def->snag, def->station);
    hwStatus status = hwCheckArray(def->commandCount, def->commands, "look-ahead", "commands", error);
    if (status != HW_OK) return status;
    for (int i = 0; i < def->commandCount; ++i) {
        const hwCommandAhead* command = &def->commands[i];
        if (command->input < 0 || command->input >= world->model.inputs.count || !isfinite(command->value) ||
            !isfinite(command->time))
            return hwFail(error, HW_ERROR_ARGUMENT, NULL,
                          "look-ahead: command %d has no input, or a time or value that is not finite", i);
        if (i > 0 && !(command->time >= def->commands[i - 1].time))
            return hwFail(error, HW_ERROR_ARGUMENT, NULL,
                          "look-ahead: command %d comes before the one listed before it", i);
    }
    return HW_OK;
}

// What there was at the start, to compare with.
typedef struct Start {
    double time;
    hwVec3 position;
    bool loose;  // end b has pulled with less than the limit
    double next; // s, when the haul is forecast again
} Start;

static double ReadTension(const hwWorld* world, hwCableId cable) {
    hwVec3 force, moment;
    hwError error;
    if (hwCable_GetEndLoad(world, cable, 1, &force, &moment, &error) != HW_OK) return 0.0;
    return hwLength(force);
}

static void LookAtHauling(const Alternative* alternative, Start* start) {
    const hwLookAheadDef* def = alternative->def;
    double time = hwWorld_GetTime(alternative->world);
    if (!(def->hauling > 0.0) || !isnan(alternative->out->caught) || !(time >= start->next - 1e-9)) return;
    start->next += def->hauling;
    hwHaulForecast haul;
    hwError error;
    if (hwCable_ForecastHaul(alternative->world, def->cable, 1.0, 1.0, &haul, 0, NULL, NULL, &error) ==
            HW_OK &&
        haul.angle > def->snag)
        alternative->out->caught = time;
}

static void Look(const Alternative* alternative, Start* start, const int* numbers, int features) {
    const hwWorld* world = alternative->world;
    const hwLookAheadDef* def = alternative->def;
    hwLookAhead* out = alternative->out;
    double time = hwWorld_GetTime(world);
    if (!HW_IS_NULL(def->cable)) {
        double tension = ReadTension(world, def->cable);
        out->tension = hwFmax(out->tension, tension);
        if (tension < def->taut) start->loose = true;
        if (start->loose && tension >= def->taut && isnan(out->tautened)) out->tautened = time;
        hwEntanglement all;
        hwError error;
        if (hwCable_GetEntanglement(world, def->cable, &all, &error) == HW_OK) {
            if (all.wrap > def->snag && isnan(out->snagged)) out->snagged = time;
            LookAtHauling(alternative, start);
            for (int i = 0; i < features && isnan(out->wound); ++i) {
                hwWatchFeature feature = hwCable_GetWatchFeature(world, def->cable, i);
                if (!feature.certain || feature.number == numbers[i]) continue;
                out->wound = time;
                out->feature = i;
            }
        }
    }
    hwBodyState state;
    hwError error;
    if (HW_IS_NULL(def->body) || hwBody_GetState(world, def->body, &state, &error) != HW_OK) return;
    out->position = state.position;
    if (def->station > 0.0 && isnan(out->left) && hwDistance(state.position, start->position) > def->station)
        out->left = time;
}

#define MOST_FEATURES 512

static void RunAlternative(const Alternative* alternative) {
    hwWorld* world = alternative->world;
    const hwLookAheadDef* def = alternative->def;
    hwLookAhead* out = alternative->out;
    hwError error;
    int numbers[MOST_FEATURES], features = 0, next = 0;
    hwEntanglement all;
    if (!HW_IS_NULL(def->cable) && hwCable_GetEntanglement(world, def->cable, &all, &error) == HW_OK)
        features = all.featureCount < MOST_FEATURES ? all.featureCount : MOST_FEATURES;
    for (int i = 0; i < features; ++i) numbers[i] = hwCable_GetWatchFeature(world, def->cable, i).number;
    Start start = {.time = hwWorld_GetTime(world)};
    start.next = start.time;
    if (features > 0) LookAtHauling(alternative, &start);
    hwBodyState state;
    if (!HW_IS_NULL(def->body) && hwBody_GetState(world, def->body, &state, &error) == HW_OK)
        start.position = out->position = state.position;
    int steps = (int)ceil(def->duration / def->step - 1e-9);
    for (int i = 0; i < steps && out->status >= HW_OK; ++i) {
        while (next < def->commandCount && def->commands[next].time <= i * def->step + 1e-12) {
            const hwCommandAhead* command = &def->commands[next];
            int input = alternative->inputs != NULL ? alternative->inputs[next] : command->input;
            hwStatus set = hwWorld_SetInput(world, input, command->value, &error);
            if (set != HW_OK) out->status = set;
            next += 1;
        }
        if (out->status >= HW_OK) out->status = hwWorld_Step(world, def->step, &error);
        Look(alternative, &start, numbers, features);
        if (out->status >= HW_OK && def->watch != NULL && !def->watch(world, def->watchContext))
            out->status = HW_ERROR_STOPPED;
    }
    if (out->status > HW_OK) out->status = HW_OK;
    out->end = hwWorld_GetTime(world);
    out->hash = hwWorld_HashState(world);
}

// Instruments look 60 times a second, which would be the longest step, and nothing that moves depends on what they show.
static bool DropInstruments(hwWorld* branch) {
    bool any = false;
    for (int i = 0; i < branch->instruments.slots; ++i) {
        if (branch->instruments.items[i] == NULL) continue;
        hwRelease(&branch->allocator, hwPool_Remove(&branch->instruments, (uint32_t)i + 1));
        any = true;
    }
    return any;
}

// Another model numbers inputs anew: commands find theirs by name.
static hwStatus SwitchModel(const hwWorld* world, Alternative* alternative, hwError* error) {
    const hwLookAheadDef* def = alternative->def;
    const hwCableDef* cable = hwCable_GetDef(world, def->cable);
    bool compiled = cable != NULL && cable->kind != HW_CABLE_WRAP;
    bool dropped = DropInstruments(alternative->world);
    hwStatus status = hwCable_SetModel(alternative->world, def->cable, HW_CABLE_WRAP, NULL, error);
    if (status == HW_OK && dropped && !compiled) status = hwWorld_CompileAgain(alternative->world, error);
    // what is faster than the steps asked for is not foreseen
    hwSolverDef* solver = &alternative->world->def.solver;
    solver->followed = hwFmax(solver->followed, def->step);
    if (status != HW_OK || def->commandCount == 0) return status;
    int count = world->model.inputs.count;
    int* found = hwAllocate(&world->allocator, (size_t)(count + def->commandCount) * sizeof(int));
    if (found == NULL) return hwFail_Memory(error, NULL);
    alternative->inputs = found;
    int* known = found + def->commandCount;
    for (int i = 0; i < count; ++i) known[i] = -2; // not looked for
    for (int i = 0; i < def->commandCount; ++i) {
        int input = def->commands[i].input;
        const char* name = hwWorld_GetInput(world, input).name;
        if (known[input] == -2) known[input] = hwWorld_FindInput(alternative->world, name);
        if (known[input] < 0)
            return hwFail(error, HW_ERROR_ARGUMENT, NULL,
                          "look-ahead: with the model `wrap` there is no input `%s` of command %d", name, i);
        found[i] = known[input];
    }
    return HW_OK;
}

static void RunChunk(int first, int last, void* context) {
    const Alternative* alternatives = context;
    for (int i = first; i < last; ++i) RunAlternative(&alternatives[i]);
}

hwStatus hwWorld_LookAhead(const hwWorld* world, int count, const hwLookAheadDef* defs, hwLookAhead* out,
                           hwError* error) {
    hwClearError(error);
    hwStatus status = hwWorld_RequirePrepared(world, error);
    if (status == HW_OK) status = hwCheckArray(count, defs, NULL, "defs", error);
    for (int i = 0; i < count && status == HW_OK; ++i) status = CheckDef(world, &defs[i], error);
    if (status != HW_OK || count <= 0) return status;
    Alternative* alternatives = hwAllocate(&world->allocator, (size_t)count * sizeof(Alternative));
    if (alternatives == NULL) return hwFail_Memory(error, NULL);
    double none = (double)NAN;
    for (int i = 0; i < count && status == HW_OK; ++i) {
        out[i] = (hwLookAhead){
            .wound = none, .feature = -1, .snagged = none, .caught = none, .tautened = none, .left = none};
        alternatives[i] = (Alternative){hwWorld_Branch(world, error), &defs[i], &out[i], NULL};
        if (alternatives[i].world == NULL)
            status = error != NULL ? error->status : HW_ERROR_MEMORY;
        else if (defs[i].wrap)
            status = SwitchModel(world, &alternatives[i], error);
    }
    if (status == HW_OK) hwTeam_Loop(world->team, count, 1, RunChunk, alternatives);
    for (int i = 0; i < count; ++i) {
        hwDestroyWorld(alternatives[i].world);
        hwRelease(&world->allocator, alternatives[i].inputs);
    }
    hwRelease(&world->allocator, alternatives);
    return status;
}
