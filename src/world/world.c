// Creating, filling and freeing worlds.
#include "api/step_events.h"
#include "world/islands.h"
#include "world/cable_slots.h"
#include "world/part.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

hwWorldDef hwDefaultWorldDef(void) {
    hwWorldDef def = {.allocator = hwDefaultAllocator(), .threads = 1, .cookie = HW_WORLD_COOKIE};
    return def;
}

static hwStatus CheckSolver(const hwSolverDef* solver, hwError* error) {
    if (solver == NULL)
        return hwFail(error, HW_ERROR_ARGUMENT, "solver", "no settings of the solver were given");
    const struct {
        const char* name;
        double value;
    } fields[] = {{"tolerance", solver->tolerance},
                  {"initial", solver->initial},
                  {"min", solver->min},
                  {"max", solver->max},
                  {"followed", solver->followed},
                  {"rest_speed", solver->restSpeed},
                  {"rest_time", solver->restTime}};
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); ++i) {
        if (isnan(fields[i].value) || fields[i].value < 0.0) {
            return hwFailField(error, HW_ERROR_ARGUMENT, "solver", fields[i].name,
                               "solver: `%s` must not be negative, it is %g", fields[i].name,
                               fields[i].value);
        }
    }
    if (solver->crawl != HW_CRAWL_GO_ON && solver->crawl != HW_CRAWL_STOP) {
        return hwFailField(error, HW_ERROR_ARGUMENT, "solver", "crawl",
                           "solver: there is no policy %d for `crawl`", (int)solver->crawl);
    }
    if (solver->max > 0.0 && solver->min > solver->max) {
        return hwFailField(error, HW_ERROR_ARGUMENT, "solver", "min",
                           "solver: `min` (%g s) is larger than `max` (%g s)", solver->min, solver->max);
    }
    return HW_OK;
}

hwWorld* hwCreateWorld(const hwWorldDef* def, hwError* error) {
    hwClearError(error);
    if (def == NULL || def->cookie != HW_WORLD_COOKIE) {
        hwFail(error, HW_ERROR_ARGUMENT, NULL, "the world def was not made by hwDefaultWorldDef");
        return NULL;
    }
    if (CheckSolver(&def->solver, error) != HW_OK) return NULL;
    if (!isfinite(def->time) || def->threads < 0) {
        hwFailField(error, HW_ERROR_ARGUMENT, NULL, isfinite(def->time) ? "threads" : "time",
                    "a world needs a finite start time and no negative number of threads");
        return NULL;
    }
    if (!isfinite(def->buildUp) || def->buildUp < 0.0) {
        hwFailField(error, HW_ERROR_ARGUMENT, NULL, "buildUp",
                    "a build-up takes a finite time and no negative one, not %g s", def->buildUp);
        return NULL;
    }
    hwWorld* world = hwAllocate(&def->allocator, sizeof(*world));
    if (world == NULL) {
        hwFail_Memory(error, NULL);
        return NULL;
    }
    world->def = *def;
    world->allocator = def->allocator;
    world->contact = hwDefaultContactDef();
    hwStatus status;
    world->team = hwCreateTeam(&world->allocator, def->threads, def->runTasks, def->tasksContext, &status);
    if (!hwParts_TakeSlices(&world->allocator, &world->model, &world->state, &world->work))
        status = HW_ERROR_MEMORY;
    hwEnvironmentDef still = hwDefaultEnvironmentDef();
    if (status != HW_OK || hwWorld_SetEnvironment(world, &still, error) != HW_OK) {
        if (status != HW_OK) hwFail_Memory(error, NULL);
        hwDestroyWorld(world);
        return NULL;
    }
    return world;
}

static void FreePool(hwWorld* world, hwPool* pool) {
    for (int i = 0; i < pool->slots; ++i) hwRelease(&world->allocator, pool->items[i]);
    hwPool_Free(pool, &world->allocator);
}

void hwDestroyWorld(hwWorld* world) {
    if (world == NULL) return;
    if (world->external.destroy != NULL) world->external.destroy(world->external.context);
    hwWorld_DropQueries(world);
    hwWorld_DropEventLog(world);
    hwIslands_Free(world);
    hwWorld_FreeSampling(world);
    hwModel_Free(world);
    FreePool(world, &world->bodies);
    FreePool(world, &world->mechanisms);
    FreePool(world, &world->vehicles);
    FreePool(world, &world->forces);
    FreePool(world, &world->events);
    FreePool(world, &world->winches);
    FreePool(world, &world->sheaves);
    FreePool(world, &world->cableForces);
    FreePool(world, &world->cables);
    FreePool(world, &world->materials);
    FreePool(world, &world->ignored);
    FreePool(world, &world->watched);
    FreePool(world, &world->sensors);
    FreePool(world, &world->watches);
    FreePool(world, &world->instruments);
    hwDestroyEnvironment(world->environment);
    hwDestroyTeam(world->team);
    hwAllocator allocator = world->allocator;
    hwRelease(&allocator, world);
}

hwStatus hwWorld_SetEnvironment(hwWorld* world, const hwEnvironmentDef* def, hwError* error) {
    hwClearError(error);
    hwEnvironment* environment = hwCreateEnvironment(&world->allocator, def, error);
    if (environment == NULL) return error != NULL ? error->status : HW_ERROR_ARGUMENT;
    hwStatus status = hwWorld_CheckBuildUp(world, def, error);
    if (status != HW_OK) {
        hwDestroyEnvironment(environment);
        return status;
    }
    hwDestroyEnvironment(world->environment);
    world->environment = environment;
    hwEnvironment_SetBuildUp(environment, hwWorld_GetFirstTime(world), world->def.buildUp);
    hwWorld_Unprepare(world);
    return HW_OK;
}

hwStatus hwWorld_SetSolver(hwWorld* world, const hwSolverDef* solver, hwError* error) {
    hwClearError(error);
    hwStatus status = CheckSolver(solver, error);
    if (status != HW_OK) return status;
    world->def.solver = *solver;
    if (world->prepared) world->state.header->nextStep = 0.0;
    if (!solver->sleep) hwSleep_WakeAll(world);
    if (world->external.reset != NULL) world->external.reset(world->external.context);
    return HW_OK;
}

void hwWorld_SetObserver(hwWorld* world, hwObserverFn* observer, void* context) {
    world->observer = observer;
    world->observerContext = context;
}

void hwWorld_SetCableObserver(hwWorld* world, hwCableObserverFn* observer, void* context) {
    world->cableObserver = observer;
    world->cableObserverContext = context;
}

void hwWorld_Unprepare(hwWorld* world) {
    world->prepared = false;
    world->work->isCurrent = false;
}

void hwWorld_StateChanged(hwWorld* world) {
    world->work->isCurrent = false;
    HW_EACH_PART(world, part, stateChanged) part->stateChanged(world);
    if (world->prepared) world->state.header->accelerationValid = 0;
    if (world->external.reset != NULL) world->external.reset(world->external.context);
}

hwStatus hwWorld_RequirePrepared(const hwWorld* world, hwError* error) {
    if (world->prepared) return HW_OK;
    hwStatus status = hwFail(error, HW_ERROR_ORDER, NULL, "the world is not prepared");
    hwFail_Hint(error, "call hwWorld_Prepare after the last change to the model");
    return status;
}

hwStatus hwWorld_CheckDropBody(const hwWorld* world, hwBodyId id, hwError* error) {
    hwStatus status = HW_OK;
    for (int i = 0; i < HW_PART_COUNT && status == HW_OK; ++i) {
        if (hwPartsByLayout[i]->checkDropBody != NULL)
            status = hwPartsByLayout[i]->checkDropBody(world, id, error);
    }
    return status;
}

void hwWorld_DropBody(hwWorld* world, hwBodyId id) {
    for (int i = 0; i < HW_PART_COUNT; ++i) {
        if (hwPartsByLayout[i]->dropBody != NULL) hwPartsByLayout[i]->dropBody(world, id);
    }
}

hwBodyObject* hwWorld_GetBody(const hwWorld* world, hwBodyId id) {
    return hwPool_Get(&world->bodies, id.index, id.generation);
}

void hwWorld_Log(const hwWorld* world, hwLogLevel level, const char* format, ...) {
    if (world->def.log == NULL) return;
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    world->def.log(level, text, world->def.logContext);
}

hwStatus hwWorld_CheckName(const hwWorld* world, const char* name, hwError* error) {
    if (name == NULL || name[0] == '\0') {
        return hwFailField(error, HW_ERROR_ARGUMENT, NULL, "name", "every object needs a name");
    }
    size_t length = strlen(name);
    if (length >= sizeof(((hwError*)0)->object)) {
        return hwFailField(error, HW_ERROR_ARGUMENT, name, "name",
                           "the name `%.40s...` is longer than %zu characters", name,
                           sizeof(((hwError*)0)->object) - 1);
    }
    for (size_t i = 0; i < length; ++i) {
        unsigned char c = (unsigned char)name[i];
        if (!(isalnum(c) || c == '_' || c == '-')) {
            return hwFailField(error, HW_ERROR_ARGUMENT, name, "name",
                               "the name `%s` contains `%c`; letters, digits, `_` and `-` are allowed", name,
                               isprint(c) ? c : '?');
        }
    }
    if (strcmp(name, "earth") == 0 || strcmp(name, "world") == 0 || strcmp(name, "environment") == 0) {
        return hwFailField(error, HW_ERROR_ARGUMENT, name, "name",
                           "the name `%s` has a meaning of its own; choose another", name);
    }
    bool taken = !HW_IS_NULL(hwWorld_FindBody(world, name)) ||
                 !HW_IS_NULL(hwWorld_FindMechanism(world, name)) ||
                 !HW_IS_NULL(hwWorld_FindCable(world, name)) || !HW_IS_NULL(hwWorld_FindWinch(world, name)) ||
                 !HW_IS_NULL(hwWorld_FindSheave(world, name)) || hwWorld_HasSensor(world, name) ||
                 !HW_IS_NULL(hwWorld_FindInstrument(world, name));
    if (taken) {
        return hwFailField(error, HW_ERROR_ARGUMENT, name, "name", "there is already something called `%s`",
                           name);
    }
    return HW_OK;
}

double hwWorld_GetTime(const hwWorld* world) {
    return world->prepared ? world->state.header->time : world->def.time;
}

hwCounters hwWorld_GetCounters(const hwWorld* world) {
    hwCounters none = {0};
    return world->prepared ? world->state.header->counters : none;
}

hwStatus hwWorld_SampleFluid(const hwWorld* world, int count, const hwVec3* points, double time,
                             hwFluidSample* out, hwError* error) {
    hwClearError(error);
    if (count < 0 || (count > 0 && (points == NULL || out == NULL)) || !isfinite(time)) {
        return hwFail(error, HW_ERROR_ARGUMENT, NULL,
                      "sampling needs points, room for the samples and a finite time");
    }
    hwEnvironment_Sample(world->environment, count, points, time, out);
    hwWorld_FinishSamples(world, count, points, time, out);
    return HW_OK;
}

// With shorter elements the place where a cable touches down is known better.
static hwStatus RefineCables(hwWorld* world, hwError* error) {
    hwStatus status = HW_OK;
    hwMode mode = {.calm = world->def.statics};
    for (int pass = 0; pass < 2 && status == HW_OK; ++pass) {
        bool refined = false;
        HW_EACH_PART(world, part, refine) refined = part->refine(world, &mode) || refined;
        if (!refined) break;
        if (world->def.statics) {
            status = hwWorld_SolveStatics(world, error);
        } else {
            HW_EACH_PART(world, part, placeAgain) {
                if (status == HW_OK) status = part->placeAgain(world, error);
            }
        }
    }
    return status;
}

// To static equilibrium, and says what that has changed.
static hwStatus SettleWorld(hwWorld* world, hwError* error) {
    const hwModel* model = &world->model;
    size_t coordinates = (size_t)model->coordinateCount, freedoms = (size_t)model->forest.freedomCount;
    size_t cables = (size_t)model->cables->count;
    double* given =
        hwAllocate(&world->allocator, (coordinates + freedoms + 1) * sizeof(double) + cables * sizeof(int));
    if (given == NULL) return hwFail_Memory(error, NULL);
    int* nodes = (int*)(void*)(given + coordinates + freedoms + 1);
    memcpy(given, world->state.q, coordinates * sizeof(double));
    memcpy(given + coordinates, world->state.v, freedoms * sizeof(double));
    for (size_t i = 0; i < cables; ++i) nodes[i] = world->state.cables->stores[i].core->nodes;
    hwStatus status = hwWorld_SolveStatics(world, error);
    if (status == HW_OK) {
        hwWorld_TellSettled(world, given, given + coordinates);
        if (world->contact.cables && !world->contact.off) hwWorld_TellPassed(world, given, nodes);
    }
    hwRelease(&world->allocator, given);
    return status;
}

hwStatus hwWorld_Prepare(hwWorld* world, hwError* error) {
    hwClearError(error);
    hwStatus status = hwWorld_Compile(world, error);
    if (status != HW_OK) return status;
    if (world->external.prepare != NULL) {
        status = world->external.prepare(world->external.context, world, error);
    }
    if (status == HW_OK && world->def.statics) status = SettleWorld(world, error);
    if (status == HW_OK) status = RefineCables(world, error);
    if (status == HW_OK) status = hwWorld_RunEvents(world, error);
    if (status == HW_OK) status = hwWorld_UpdateAccelerations(world, &hwMode_running, error);
    if (status == HW_OK && !hwWorld_StartEventLog(world)) status = hwFail_Memory(error, NULL);
    if (status != HW_OK) hwWorld_Unprepare(world);
    return status;
}

hwStatus hwWorld_CompileAgain(hwWorld* world, hwError* error) {
    hwStatus status = hwWorld_Compile(world, error);
    if (status != HW_OK) return status;
    hwWorld_StateChanged(world);
    if (world->external.prepare != NULL)
        status = world->external.prepare(world->external.context, world, error);
    if (status == HW_OK) status = hwWorld_UpdateAccelerations(world, &hwMode_running, error);
    if (status == HW_OK && !hwWorld_StartEventLog(world)) status = hwFail_Memory(error, NULL);
    if (status != HW_OK) hwWorld_Unprepare(world);
    return status;
}

hwStatus hwWorld_Settle(hwWorld* world, hwError* error) {
    hwClearError(error);
    hwStatus status = hwWorld_RequirePrepared(world, error);
    if (status != HW_OK) return status;
    void* kept = hwAllocate(&world->allocator, world->state.size);
    if (kept == NULL) return hwFail_Memory(error, NULL);
    memcpy(kept, world->state.block, world->state.size);
    hwSleep_WakeAll(world);
    hwWorld_StateChanged(world);
    status = SettleWorld(world, error);
    if (status != HW_OK) {
        memcpy(world->state.block, kept, world->state.size);
        HW_EACH_PART(world, part, refresh) part->refresh(world);
    }
    world->state.header->nextStep = 0.0;
    hwWorld_StateChanged(world);
    hwRelease(&world->allocator, kept);
    return status == HW_OK ? hwWorld_UpdateAccelerations(world, &hwMode_running, error) : status;
}

hwStatus hwWorld_SetExternalSolver(hwWorld* world, const hwSolver* solver, hwError* error) {
    hwClearError(error);
    if (world->external.destroy != NULL) world->external.destroy(world->external.context);
    memset(&world->external, 0, sizeof(world->external));
    if (solver != NULL) world->external = *solver;
    if (solver != NULL) hwSleep_WakeAll(world);
    if (world->prepared && solver != NULL && solver->prepare != NULL) {
        return solver->prepare(solver->context, world, error);
    }
    return HW_OK;
}
