// Winches: the public calls that add, change and read them. What they do in a step is in winch.c.
#include "parts/winches/winches.h"

#include "world/part.h"

#include <math.h>
#include <string.h>

hwWinchDef hwDefaultWinchDef(void) {
    hwWinchDef def = {
        .acceleration = 3.0, .deceleration = -3.0, .followGain = 1.0, .cookie = HW_WINCH_COOKIE};
    return def;
}

hwWinchObject* hwWinches_Get(const hwWorld* world, hwWinchId id) {
    return hwPool_Get(&world->winches, id.index, id.generation);
}

static hwStatus CheckWinch(const hwWorld* world, const hwWinchDef* def, hwError* error) {
    if (def == NULL || def->cookie != HW_WINCH_COOKIE) {
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "the winch def was not made by hwDefaultWinchDef");
    }
    hwStatus status = hwWorld_CheckName(world, def->name, error);
    if (status != HW_OK) return status;
    const hwCableObject* cable = hwWorld_GetCable(world, def->cable);
    if (cable == NULL) {
        return hwFailField(error, HW_ERROR_ARGUMENT, def->name, "cable", "%s: a winch needs a cable",
                           def->name);
    }
    if (def->end != 0 && def->end != 1) {
        return hwFailField(error, HW_ERROR_ARGUMENT, def->name, "end",
                           "%s: a winch is at end 0 (a) or 1 (b), not %d", def->name, def->end);
    }
    if (cable->def.ends[def->end].joint == HW_ATTACH_FREE) {
        return hwFailField(error, HW_ERROR_ARGUMENT, def->name, "end",
                           "%s: end %c of `%s` is free, so no winch can hold it", def->name,
                           def->end == 0 ? 'a' : 'b', cable->def.name);
    }
    for (int i = 0; i < world->winches.slots; ++i) {
        const hwWinchObject* other = world->winches.items[i];
        if (other == NULL || !HW_SAME_ID(other->def.cable, def->cable) || other->def.end != def->end)
            continue;
        return hwFailField(error, HW_ERROR_ARGUMENT, def->name, "end",
                           "%s: end %c of `%s` is on winch `%s` already", def->name,
                           def->end == 0 ? 'a' : 'b', cable->def.name, other->def.name);
    }
    hwCableFeed feed;
    if (hwWorld_FindFeeder(world, def->cable, def->end, &feed) && feed.passes) {
        return hwFailField(error, HW_ERROR_ARGUMENT, def->name, "end",
                           "%s: end %c of `%s` runs over sheave `%s`", def->name, def->end == 0 ? 'a' : 'b',
                           cable->def.name, feed.name);
    }
    if (!(def->acceleration > 0.0) || !(def->deceleration < 0.0)) {
        return hwFailField(
            error, HW_ERROR_ARGUMENT, def->name, def->acceleration > 0.0 ? "deceleration" : "acceleration",
            "%s: acceleration must be positive and deceleration negative, they are %g and %g m/s2", def->name,
            def->acceleration, def->deceleration);
    }
    const struct {
        const char* field;
        double value;
    } numbers[] = {{"kp", def->kp},
                   {"ki", def->ki},
                   {"kd", def->kd},
                   {"drumInertia", def->drumInertia},
                   {"drumRadius", def->drumRadius},
                   {"brake", def->brake},
                   {"longest", def->longest},
                   {"spring", def->spring}};
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); ++i) {
        if (isfinite(numbers[i].value) && numbers[i].value >= 0.0) continue;
        return hwFailField(
            error, HW_ERROR_ARGUMENT, def->name, numbers[i].field,
            "%s: gains, drum, brake, spring and longest length must be finite and not negative", def->name);
    }
    if ((def->drumInertia > 0.0 || def->brake > 0.0) && !(def->drumRadius > 0.0)) {
        return hwFailField(error, HW_ERROR_ARGUMENT, def->name, "drumRadius",
                           "%s: a drum with inertia or a brake needs a radius", def->name);
    }
    if (!HW_IS_NULL(def->follow) && hwWorld_GetBody(world, def->follow) == NULL) {
        return hwFailField(error, HW_ERROR_ARGUMENT, def->name, "follow",
                           "%s: the body that it follows does not exist", def->name);
    }
    if (!hwIsFiniteVec3(def->followAt) || !isfinite(def->followGain)) {
        return hwFailField(error, HW_ERROR_ARGUMENT, def->name,
                           isfinite(def->followGain) ? "followAt" : "followGain",
                           "%s: the point that it follows or its gain is not finite", def->name);
    }
    return hwSignal_CheckField(&def->setpoint, def->name, "setpoint", error);
}

static hwWinchObject* CopyWinch(hwArena* arena, const hwWinchDef* def) {
    hwWinchObject* winch = HW_TAKE(arena, hwWinchObject, 1);
    const char* name = hwArena_Copy(arena, def->name, strlen(def->name) + 1, 1);
    hwSignal setpoint = hwCopySignal(arena, &def->setpoint);
    if (winch == NULL) return NULL;
    winch->def = *def;
    winch->def.name = name;
    winch->def.setpoint = setpoint;
    winch->index = -1;
    return winch;
}

hwWinchId hwWorld_AddWinch(hwWorld* world, const hwWinchDef* def, hwError* error) {
    hwWinchId none = {0, 0};
    hwClearError(error);
    if (CheckWinch(world, def, error) != HW_OK) return none;
    hwArena arena = {0};
    CopyWinch(&arena, def);
    arena.base = hwAllocate(&world->allocator, arena.used);
    if (arena.base == NULL) {
        hwFail_Memory(error, def->name);
        return none;
    }
    arena.used = 0;
    hwWinchObject* winch = CopyWinch(&arena, def);
    uint32_t index = hwPool_Add(&world->winches, &world->allocator, winch);
    if (index == 0) {
        hwFail_Memory(error, def->name);
        hwRelease(&world->allocator, winch);
        return none;
    }
    winch->id.index = index;
    winch->id.generation = world->winches.generations[index - 1];
    hwWorld_Unprepare(world);
    return winch->id;
}

hwStatus hwWorld_RemoveWinch(hwWorld* world, hwWinchId id, hwError* error) {
    hwClearError(error);
    if (hwWinches_Get(world, id) == NULL) {
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "the handle does not refer to a winch of this world");
    }
    hwRelease(&world->allocator, hwPool_Remove(&world->winches, id.index));
    hwWorld_Unprepare(world);
    return HW_OK;
}

hwWinchId hwWorld_FindWinch(const hwWorld* world, const char* name) {
    hwWinchId none = {0, 0};
    if (name == NULL) return none;
    for (int i = 0; i < world->winches.slots; ++i) {
        const hwWinchObject* winch = world->winches.items[i];
        if (winch != NULL && strcmp(winch->def.name, name) == 0) return winch->id;
    }
    return none;
}

// The winch of a prepared world, or null with the error filled.
static const hwWinchModel* FindWinchModel(const hwWorld* world, hwWinchId id, hwError* error) {
    hwClearError(error);
    const hwWinchObject* winch = hwWinches_Get(world, id);
    if (winch == NULL) {
        hwFail(error, HW_ERROR_ARGUMENT, NULL, "the handle does not refer to a winch of this world");
        return NULL;
    }
    if (hwWorld_RequirePrepared(world, error) != HW_OK) return NULL;
    return &world->model.winches->items[winch->index];
}

static hwStatus SetWinchInput(hwWorld* world, const hwWinchModel* winch, hwWinchInput which, double value,
                              hwError* error) {
    return hwWorld_SetInput(world, winch->input + which, value, error);
}

hwStatus hwWinch_SetTarget(hwWorld* world, hwWinchId id, hwWinchMode mode, double setpoint, hwError* error) {
    const hwWinchModel* winch = FindWinchModel(world, id, error);
    if (winch == NULL) return error != NULL ? error->status : HW_ERROR_ARGUMENT;
    hwStatus status = SetWinchInput(world, winch, HW_WINCH_MODE, mode, error);
    return status == HW_OK ? SetWinchInput(world, winch, HW_WINCH_SETPOINT, setpoint, error) : status;
}

hwStatus hwWinch_SetGains(hwWorld* world, hwWinchId id, double kp, double ki, double kd, hwError* error) {
    const hwWinchModel* winch = FindWinchModel(world, id, error);
    if (winch == NULL) return error != NULL ? error->status : HW_ERROR_ARGUMENT;
    hwStatus status = SetWinchInput(world, winch, HW_WINCH_KP, kp, error);
    if (status == HW_OK) status = SetWinchInput(world, winch, HW_WINCH_KI, ki, error);
    return status == HW_OK ? SetWinchInput(world, winch, HW_WINCH_KD, kd, error) : status;
}

hwStatus hwWinch_SetLimits(hwWorld* world, hwWinchId id, double acceleration, double deceleration,
                           hwError* error) {
    const hwWinchModel* winch = FindWinchModel(world, id, error);
    if (winch == NULL) return error != NULL ? error->status : HW_ERROR_ARGUMENT;
    hwStatus status = SetWinchInput(world, winch, HW_WINCH_ACCELERATION, acceleration, error);
    return status == HW_OK ? SetWinchInput(world, winch, HW_WINCH_DECELERATION, deceleration, error) : status;
}

hwStatus hwWinch_SetCompensation(hwWorld* world, hwWinchId id, double gain, hwError* error) {
    const hwWinchModel* winch = FindWinchModel(world, id, error);
    if (winch == NULL) return error != NULL ? error->status : HW_ERROR_ARGUMENT;
    return SetWinchInput(world, winch, HW_WINCH_COMPENSATION, gain, error);
}

hwStatus hwWinch_GetState(const hwWorld* world, hwWinchId id, double* rate, double* tension, hwError* error) {
    const hwWinchModel* winch = FindWinchModel(world, id, error);
    if (winch == NULL) return error != NULL ? error->status : HW_ERROR_ARGUMENT;
    hwWorld_Refresh(world);
    if (rate != NULL) *rate = world->state.z[winch->rate];
    if (tension != NULL) *tension = hwWinch_GetTension(world, winch);
    return HW_OK;
}

// For cables -----------------------------------------------------------------------------------------------------------------

hwStatus hwWinches_Copy(hwWorld* branch, const hwWorld* world, hwError* error) {
    for (int i = 0; i < world->winches.slots; ++i) {
        const hwWinchObject* winch = world->winches.items[i];
        if (winch != NULL && HW_IS_NULL(hwWorld_AddWinch(branch, &winch->def, error))) return HW_ERROR_MEMORY;
    }
    if (!hwPool_Mirror(&branch->winches, &world->winches, &branch->allocator))
        return hwFail_Memory(error, NULL);
    for (int i = 0; i < world->winches.slots; ++i) {
        if (world->winches.items[i] == NULL) continue;
        ((hwWinchObject*)branch->winches.items[i])->id = ((const hwWinchObject*)world->winches.items[i])->id;
    }
    return HW_OK;
}

bool hwWinches_FindFeeder(const hwWorld* world, hwCableId cable, int end, hwCableFeed* feed) {
    for (int i = 0; i < world->winches.slots; ++i) {
        const hwWinchObject* winch = world->winches.items[i];
        if (winch == NULL || !HW_SAME_ID(winch->def.cable, cable) || winch->def.end != end) continue;
        *feed = (hwCableFeed){.name = winch->def.name};
        return true;
    }
    return false;
}

// Length that a winch may add to a cable, m.
static double GetMoreBy(const hwWinchObject* winch, const hwCableObject* cable) {
    double length = 0.0;
    for (int i = 0; i < cable->def.sectionCount; ++i) length += cable->def.sections[i].length;
    return (winch->def.longest > 0.0 ? winch->def.longest : 2.0 * length) - length;
}

double hwWinches_GetMore(const hwWorld* world, const hwCableObject* cable) {
    double more = 0.0;
    for (int i = 0; i < world->winches.slots; ++i) {
        const hwWinchObject* winch = world->winches.items[i];
        if (winch != NULL && HW_SAME_ID(winch->def.cable, cable->id))
            more += hwFmax(GetMoreBy(winch, cable), 0.0);
    }
    return more;
}

void hwWinches_Reserve(const hwWorld* world, const hwCableObject* cable, double reserve[2]) {
    for (int i = 0; i < world->winches.slots; ++i) {
        const hwWinchObject* winch = world->winches.items[i];
        if (winch == NULL || !HW_SAME_ID(winch->def.cable, cable->id)) continue;
        reserve[winch->def.end] = hwFmax(reserve[winch->def.end], GetMoreBy(winch, cable));
    }
}

void hwWinches_Drop(hwWorld* world, hwCableId cable) {
    for (int i = 0; i < world->winches.slots; ++i) {
        const hwWinchObject* winch = world->winches.items[i];
        if (winch != NULL && HW_SAME_ID(winch->def.cable, cable))
            hwRelease(&world->allocator, hwPool_Remove(&world->winches, (uint32_t)i + 1));
    }
}
