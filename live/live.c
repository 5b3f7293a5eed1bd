// The loop: what is due, in which order, and at what time.
#define _POSIX_C_SOURCE 200809L
#include "live_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LIVE_COOKIE 0x4857100
#define MOST_LAG 0.2     // s of the clock: what is missed beyond is given up
#define MOST_BUSY 0.05   // s of the clock: after that commands and pictures have their turn
#define PAUSED_RATE 5.0  // pictures per s while nothing moves
#define MEASURE_TIME 1.0 // s over which the speed is measured

static double SystemClock(void* context) {
    (void)context;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

hwLiveDef hwDefaultLiveDef(void) {
    hwLiveDef def = {.step = 1.0 / 60.0,
                     .speed = 1.0,
                     .frameRate = 30.0,
                     .snapshots = 1.0,
                     .history = 600.0,
                     .queue = 4096,
                     .clock = SystemClock,
                     .cookie = LIVE_COOKIE};
    return def;
}

hwStatus hwLiveFail(hwError* error, hwStatus status, const char* text) {
    if (error != NULL) {
        memset(error, 0, sizeof(*error));
        error->status = status;
        error->index = -1;
        error->time = (double)NAN;
        snprintf(error->message, sizeof(error->message), "%s", text);
    }
    return status;
}

static bool IsGood(const hwLiveDef* def) {
    return def->cookie == LIVE_COOKIE && def->step > 0.0 && isfinite(def->step) && def->speed > 0.0 &&
           isfinite(def->speed) && def->frameRate > 0.0 && isfinite(def->frameRate) && def->snapshots > 0.0 &&
           def->history >= 0.0 && isfinite(def->history / def->snapshots) && def->queue > 0;
}

static double Now(const hwLive* live) {
    return live->def.clock(live->def.clockContext);
}

// Time begins to run from here and now.
static void SetAnchor(hwLive* live) {
    live->anchorClock = live->nextFrame = Now(live);
    live->anchorSteps = live->steps;
}

// Clock time at which the next step begins to be due: at its end, so that inputs given meanwhile are in it.
static double NextStepClock(const hwLive* live) {
    return live->anchorClock + (double)(live->steps + 1 - live->anchorSteps) * live->def.step / live->speed;
}

static void Measure(hwLive* live, double now) {
    double passed = now - live->measureClock;
    if (passed < MEASURE_TIME) return;
    live->measured = (double)(live->steps - live->measureSteps) * live->def.step / passed;
    live->measureClock = now;
    live->measureSteps = live->steps;
}

static hwLive* Create(const hwLiveDef* def, hwWorld* world, hwError* error) {
    hwLive* live = calloc(1, sizeof(*live));
    if (live == NULL) {
        hwLiveFail(error, HW_ERROR_MEMORY, "there is not enough memory for a live world");
        return NULL;
    }
    live->def = *def;
    if (live->def.clock == NULL) live->def.clock = SystemClock;
    live->world = world;
    live->steps = def->steps;
    live->speed = def->speed;
    live->paused = def->paused;
    live->frameRate = def->frameRate;
    live->queue.capacity = def->queue;
    live->queue.items = calloc((size_t)def->queue, sizeof(*live->queue.items));
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&live->mutex, NULL);
    pthread_cond_init(&live->wake, &attributes);
    pthread_condattr_destroy(&attributes);
    if (live->queue.items == NULL || !hwLive_StartHistory(live)) {
        live->world = NULL;
        hwDestroyLive(live);
        hwLiveFail(error, HW_ERROR_MEMORY, "there is not enough memory for a live world");
        return NULL;
    }
    live->jumped = true;
    live->measureSteps = live->steps;
    live->measureClock = Now(live);
    SetAnchor(live);
    return live;
}

hwLive* hwCreateLive(const hwLiveDef* def, hwError* error) {
    if (def == NULL || !IsGood(def)) {
        hwLiveFail(error, HW_ERROR_ARGUMENT,
                   "a live world needs a def from hwDefaultLiveDef with positive step, speed and rates");
        return NULL;
    }
    if (def->world == NULL || hwWorld_GetStateSize(def->world) == 0) {
        hwLiveFail(error, HW_ERROR_ORDER, "a live world needs a prepared world");
        return NULL;
    }
    return Create(def, def->world, error);
}

hwLive* hwLive_Branch(const hwLive* live, const hwLiveDef* def, hwError* error) {
    if (def == NULL || !IsGood(def) || def->step != live->def.step) {
        hwLiveFail(error, HW_ERROR_ARGUMENT, "a branch needs a good def with the same length of step");
        return NULL;
    }
    hwWorld* world = hwWorld_Branch(live->world, error);
    if (world == NULL) return NULL;
    hwLiveDef own = *def;
    own.steps = live->steps;
    own.log = hwLive_GetLog(live, &own.logCount);
    hwLive* branch = Create(&own, world, error);
    if (branch == NULL) hwDestroyWorld(world);
    return branch;
}

void hwDestroyLive(hwLive* live) {
    if (live == NULL) return;
    hwDestroyWorld(live->world);
    hwLive_FreeHistory(live);
    free(live->queue.items);
    pthread_cond_destroy(&live->wake);
    pthread_mutex_destroy(&live->mutex);
    free(live);
}

// Commands -------------------------------------------------------------------------------------------------------------

static hwStatus Post(hwLive* live, int count, const Command* commands) {
    pthread_mutex_lock(&live->mutex);
    bool fits = live->queue.count + count <= live->queue.capacity;
    for (int i = 0; fits && i < count; ++i) {
        int at = (live->queue.first + live->queue.count++) % live->queue.capacity;
        live->queue.items[at] = commands[i];
    }
    pthread_cond_signal(&live->wake);
    pthread_mutex_unlock(&live->mutex);
    return fits ? HW_OK : HW_ERROR_LIMIT;
}

hwStatus hwLive_SetInputs(hwLive* live, int count, const int* inputs, const double* values, double when) {
    Command commands[64];
    if (count < 0 || count > (int)(sizeof(commands) / sizeof(commands[0]))) return HW_ERROR_LIMIT;
    // a time to come would hold up everything behind it
    double now = Now(live);
    if (!(when < now)) when = now;
    for (int i = 0; i < count; ++i) {
        commands[i] = (Command){.kind = COMMAND_INPUT, .input = inputs[i], .value = values[i], .when = when};
    }
    return Post(live, count, commands);
}

hwStatus hwLive_Pause(hwLive* live, bool paused) {
    return Post(live, 1, &(Command){.kind = COMMAND_PAUSE, .value = paused ? 1.0 : 0.0});
}

hwStatus hwLive_SetSpeed(hwLive* live, double speed) {
    if (!(speed > 0.0) || !isfinite(speed)) return HW_ERROR_ARGUMENT;
    return Post(live, 1, &(Command){.kind = COMMAND_SPEED, .value = speed});
}

hwStatus hwLive_SetFrameRate(hwLive* live, double rate) {
    if (!(rate > 0.0) || !isfinite(rate)) return HW_ERROR_ARGUMENT;
    return Post(live, 1, &(Command){.kind = COMMAND_RATE, .value = rate});
}

hwStatus hwLive_TakeSteps(hwLive* live, int steps) {
    if (steps < 0) return HW_ERROR_ARGUMENT;
    return Post(live, 1, &(Command){.kind = COMMAND_STEPS, .value = steps});
}

hwStatus hwLive_Rewind(hwLive* live, double time) {
    if (isnan(time)) return HW_ERROR_ARGUMENT;
    return Post(live, 1, &(Command){.kind = COMMAND_REWIND, .value = time});
}

hwStatus hwLive_Call(hwLive* live, hwLiveFn* function, void* context) {
    return Post(live, 1, &(Command){.kind = COMMAND_CALL, .function = function, .context = context});
}

void hwLive_Stop(hwLive* live) {
    pthread_mutex_lock(&live->mutex);
    live->stopped = true;
    pthread_cond_signal(&live->wake);
    pthread_mutex_unlock(&live->mutex);
}

double hwLive_GetClock(const hwLive* live) {
    return Now(live);
}

static bool Take(hwLive* live, Command* command) {
    pthread_mutex_lock(&live->mutex);
    bool any = live->queue.count > 0;
    if (any) {
        *command = live->queue.items[live->queue.first];
        live->queue.first = (live->queue.first + 1) % live->queue.capacity;
        live->queue.count -= 1;
    }
    pthread_mutex_unlock(&live->mutex);
    return any;
}

// A look at the first command without taking it.
static bool Peek(hwLive* live, Command* command) {
    pthread_mutex_lock(&live->mutex);
    bool any = live->queue.count > 0;
    if (any) *command = live->queue.items[live->queue.first];
    pthread_mutex_unlock(&live->mutex);
    return any;
}

static void Tell(hwLive* live, hwLiveChange change) {
    if (live->def.onChange != NULL) live->def.onChange(live, change, live->def.context);
}

static void SetPaused(hwLive* live, bool paused) {
    bool was = live->paused;
    live->paused = paused || live->failed;
    live->stepsWanted = 0;
    SetAnchor(live);
    if (was != live->paused) Tell(live, HW_LIVE_PACE);
}

static void Carry(hwLive* live, const Command* command) {
    switch (command->kind) {
    case COMMAND_INPUT:
        hwLive_ApplyInput(live, command->input, command->value, NULL);
        break;
    case COMMAND_PAUSE:
        SetPaused(live, command->value != 0.0);
        break;
    case COMMAND_SPEED:
        live->speed = command->value;
        SetAnchor(live);
        Tell(live, HW_LIVE_PACE);
        break;
    case COMMAND_RATE:
        live->frameRate = command->value;
        live->nextFrame = live->paused ? Now(live) : NextStepClock(live);
        break;
    case COMMAND_STEPS:
        SetPaused(live, true);
        live->stepsWanted = live->failed ? 0 : (uint64_t)command->value;
        break;
    case COMMAND_REWIND:
        hwLive_GoBack(live, command->value);
        SetAnchor(live);
        break;
    case COMMAND_CALL:
        command->function(live, command->context);
        break;
    }
}

// Commands up to the end of the step that comes next, in order. An input waits until time reaches it; what stands behind
// it waits with it, so that nothing overtakes.
static void CarryDue(hwLive* live) {
    Command command;
    while (Peek(live, &command)) {
        if (command.kind == COMMAND_INPUT && !live->paused) {
            double stepEnd = live->anchorClock +
                             (double)(live->steps + 1 - live->anchorSteps) * live->def.step / live->speed;
            if (command.when > stepEnd) return;
        }
        if (!Take(live, &command)) return;
        Carry(live, &command);
    }
}

// Steps ----------------------------------------------------------------------------------------------------------------

hwStatus hwLive_ApplyInput(hwLive* live, int input, double value, hwError* error) {
    if (hwWorld_ReadInput(live->world, input) == value) return HW_OK;
    hwStatus status = hwWorld_SetInput(live->world, input, value, error);
    if (status != HW_OK) return status;
    hwInputEvent event = {live->steps, input, value};
    if (!hwLive_Log(live, &event))
        return hwLiveFail(error, HW_ERROR_MEMORY, "the log of inputs is out of memory");
    if (live->def.onInput != NULL) live->def.onInput(live, &event, live->def.context);
    return HW_OK;
}

static void Fail(hwLive* live) {
    hwError error = live->error;
    live->failed = true;
    live->paused = true;
    live->stepsWanted = 0;
    hwLive_ReturnTo(live, live->steps);
    live->error = error;
    Tell(live, HW_LIVE_FAILED);
}

static void TakeStep(hwLive* live) {
    if (hwWorld_Step(live->world, live->def.step, &live->error) < HW_OK) {
        Fail(live);
        return;
    }
    live->steps += 1;
    live->fresh = true;
    hwLive_KeepState(live);
    if (live->def.onStep != NULL) live->def.onStep(live, live->def.context);
}

static void SetSlow(hwLive* live, bool slow) {
    if (live->slow == slow) return;
    live->slow = slow;
    Tell(live, HW_LIVE_SLOW);
}

static void TakeSteps(hwLive* live, double start) {
    double now = start;
    if (live->paused) {
        while (live->stepsWanted > 0 && now - start < MOST_BUSY) {
            live->stepsWanted -= 1;
            TakeStep(live);
            if (live->failed) return;
            now = Now(live);
            live->stepped = true;
        }
        return;
    }
    bool late = false;
    while (!live->paused && NextStepClock(live) <= now) {
        if (now - NextStepClock(live) > MOST_LAG) {
            // more was missed than can be caught up with: go on from here
            late = true;
            SetAnchor(live);
            live->anchorClock -= live->def.step / live->speed;
        }
        TakeStep(live);
        CarryDue(live);
        now = Now(live);
        if (now - start > MOST_BUSY) break;
    }
    if (late) live->lateClock = now;
    if (late || live->slow) SetSlow(live, late || now - live->lateClock < MEASURE_TIME);
}

// While time runs, frames go out right after the step that is nearest to their own time: a frame that is due moments before a step
// would show the world of the step before. Where steps are rarer than frames, these come in between.
static bool AwaitsStep(const hwLive* live, double now) {
    return !live->paused && NextStepClock(live) - now < 1.0 / live->frameRate;
}

static bool IsFrameDue(const hwLive* live, double now) {
    if (live->paused || live->jumped) return now >= live->nextFrame;
    if (live->fresh) return live->nextFrame - now < 0.5 * live->def.step / live->speed;
    return now >= live->nextFrame && !AwaitsStep(live, now);
}

static void Publish(hwLive* live) {
    double now = Now(live);
    bool still = live->paused && live->stepsWanted == 0;
    // where steps or a jump led is shown at once
    bool news = live->jumped || live->stepped;
    double rate = still && !news ? hwFmin(live->frameRate, PAUSED_RATE) : live->frameRate;
    bool due = IsFrameDue(live, now) || (still && news);
    live->fresh = false;
    if (!due) return;
    // frames keep their own rhythm; missed ones are left out
    live->nextFrame = hwFmax(live->nextFrame + 1.0 / rate, now);
    if (live->def.onFrame != NULL) live->def.onFrame(live, live->def.context);
    live->jumped = live->stepped = false;
}

double hwLive_Poll(hwLive* live) {
    CarryDue(live);
    TakeSteps(live, Now(live));
    Measure(live, Now(live));
    Publish(live);
    double next = live->nextFrame;
    if (live->paused && live->stepsWanted > 0) return Now(live);
    if (live->paused) return next;
    return AwaitsStep(live, Now(live)) ? NextStepClock(live) : hwFmin(next, NextStepClock(live));
}

void hwLive_Run(hwLive* live) {
    for (;;) {
        double next = hwLive_Poll(live);
        pthread_mutex_lock(&live->mutex);
        double wait = next - Now(live);
        bool ready = live->queue.count > 0 || live->stopped;
        if (!ready && wait > 0.0) {
            struct timespec until;
            clock_gettime(CLOCK_MONOTONIC, &until);
            double end = (double)until.tv_nsec + 1e9 * hwFmin(wait, 1.0);
            until.tv_sec += (time_t)(end / 1e9);
            until.tv_nsec = (long)fmod(end, 1e9);
            pthread_cond_timedwait(&live->wake, &live->mutex, &until);
        }
        bool stopped = live->stopped;
        pthread_mutex_unlock(&live->mutex);
        if (stopped) return;
    }
}

// Status ---------------------------------------------------------------------------------------------------------------

hwWorld* hwLive_GetWorld(const hwLive* live) {
    return live->world;
}

void* hwLive_GetContext(const hwLive* live) {
    return live->def.context;
}

void hwLive_SetContext(hwLive* live, void* context) {
    live->def.context = context;
}

hwLiveStatus hwLive_GetStatus(const hwLive* live) {
    hwLiveStatus status = {.time = hwWorld_GetTime(live->world),
                           .steps = live->steps,
                           .paused = live->paused,
                           .speed = live->speed,
                           .measured = live->measured,
                           .slow = live->slow,
                           .failed = live->failed,
                           .earliest = hwLive_GetEarliest(live)};
    return status;
}

const hwError* hwLive_GetError(const hwLive* live) {
    return &live->error;
}

double hwLive_GetStep(const hwLive* live) {
    return live->def.step;
}

bool hwLive_HasJumped(const hwLive* live) {
    return live->jumped;
}

// Replay ---------------------------------------------------------------------------------------------------------------

uint64_t hwHashFlight(const hwWorld* world) {
    // a look makes the accelerations part of the state, whoever looked before
    hwWorld_ReadChannel(world, 0);
    return hwWorld_HashState(world);
}

hwStatus hwReplayInputs(hwWorld* world, double step, uint64_t steps, size_t count, const hwInputEvent* log,
                        bool (*onStep)(hwWorld* world, uint64_t step, void* context), void* context,
                        hwError* error) {
    size_t next = 0;
    for (uint64_t i = 0; i <= steps; ++i) {
        for (; next < count && log[next].step <= i; ++next) {
            hwStatus status = hwWorld_SetInput(world, log[next].input, log[next].value, error);
            if (status != HW_OK) return status;
        }
        if (i == steps) break;
        hwStatus status = hwWorld_Step(world, step, error);
        if (status < HW_OK) return status;
        if (onStep != NULL && !onStep(world, i + 1, context)) {
            return hwLiveFail(error, HW_ERROR_STOPPED, "the replay was stopped");
        }
    }
    return HW_OK;
}
