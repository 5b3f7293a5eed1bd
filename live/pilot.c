// A script at work: sticks and switches as a person would move them.
#include "hawser/pilot.h"

#include "hawser/elementary.h"
#include "hawser/vehicle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Stick per metre, per m/s and per metre and second off; for vehicles of the size that sticks fly.
#define GO_P 0.7
#define GO_D 0.8
#define GO_I 0.08
#define GO_I_MOST 0.6
#define TURN_P 0.12
#define TURN_D 0.10
// The same where the vehicle holds its heading or depth, and the sticks move what is held.
#define TURN_HELD_P 1.2
#define RISE_HELD_P 1.5
#define ALIGN_ANGLE 0.6    // rad: further off it turns before it goes
#define STICK_STEP 0.01    // sticks move in steps, so that the log holds changes only
#define AHEAD_DISTANCE 1.0 // m: nearer than this the bow stays where it points

enum { SURGE, SWAY, HEAVE, YAW, AXES };

// What a pilot knew when an action began.
typedef struct Memory {
    double beganAt, heldHeading, tetherRate;
    hwVec3 heldPosition;
    int timeouts;
    double from;  // of an input that is set over some time
    bool reached; // it is there
} Memory;

struct hwPilot {
    const hwPilotScript* script;
    Memory* memories; // of each action
    int count, at;
    const hwPilotAction* actions;
    int* inputs; // of actions that set one
    int sticks[AXES], armed, mode, gain;
    int position[3], velocity[3], heading, rate;
    bool begun;
    double beganAt, lastTime, heldHeading, turned, lastHeading;
    hwVec3 heldPosition, integral;
    double tetherRate;
    int timeouts;
    bool started;    // the frame is known
    hwVec3 origin;   // of the frame
    double northing; // rad, heading of its x axis
};

static bool Fail(hwError* error, const hwPilotAction* action, const char* what, const char* name) {
    if (error == NULL) return false;
    memset(error, 0, sizeof(*error));
    error->status = HW_ERROR_MODEL;
    error->index = -1;
    error->time = (double)NAN;
    if (action != NULL) error->line = action->line, error->column = action->column;
    snprintf(error->message, sizeof(error->message), "the world has no %s `%.120s`", what, name);
    return false;
}

static bool FindInput(const hwWorld* world, const char* vehicle, const char* name, int* input,
                      hwError* error) {
    char text[200];
    snprintf(text, sizeof(text), "%s.%s", vehicle, name);
    *input = hwWorld_FindInput(world, text);
    return *input >= 0 || Fail(error, NULL, "input", text);
}

static bool FindChannel(const hwWorld* world, const char* vehicle, const char* name, int* channel,
                        hwError* error) {
    char text[200];
    snprintf(text, sizeof(text), "%s.%s", vehicle, name);
    *channel = hwWorld_FindChannel(world, text);
    return *channel >= 0 || Fail(error, NULL, "channel", text);
}

static bool Resolve(hwPilot* p, const hwWorld* world, const char* vehicle, hwError* error) {
    static const char* const sticks[AXES] = {"pilot.surge", "pilot.sway", "pilot.heave", "pilot.yaw"};
    static const char* const positions[3] = {"position.x", "position.y", "position.z"};
    static const char* const velocities[3] = {"velocity.x", "velocity.y", "velocity.z"};
    for (int i = 0; i < AXES; ++i) {
        if (!FindInput(world, vehicle, sticks[i], &p->sticks[i], error)) return false;
    }
    for (int i = 0; i < 3; ++i) {
        if (!FindChannel(world, vehicle, positions[i], &p->position[i], error) ||
            !FindChannel(world, vehicle, velocities[i], &p->velocity[i], error))
            return false;
    }
    if (!FindInput(world, vehicle, "armed", &p->armed, error) ||
        !FindInput(world, vehicle, "mode", &p->mode, error) ||
        !FindInput(world, vehicle, "gain", &p->gain, error) ||
        !FindChannel(world, vehicle, "heading", &p->heading, error) ||
        !FindChannel(world, vehicle, "rate.z", &p->rate, error))
        return false;
    for (int i = 0; i < p->count; ++i) {
        if (p->actions[i].kind != HW_PILOT_SET) continue;
        const char* input = p->actions[i].input;
        char own[200];
        snprintf(own, sizeof(own), "%s%s", vehicle, input);
        p->inputs[i] = hwWorld_FindInput(world, input[0] == '.' ? own : input);
        if (p->inputs[i] < 0) return Fail(error, &p->actions[i], "input", p->actions[i].input);
    }
    return true;
}

hwPilot* hwCreatePilot(const hwPilotScript* script, const hwWorld* world, const char* vehicle,
                       hwError* error) {
    hwPilot* p = calloc(1, sizeof(*p));
    if (p != NULL) {
        p->script = script;
        p->actions = hwPilotScript_GetActions(script, &p->count);
        p->inputs = calloc((size_t)p->count + 1, sizeof(*p->inputs));
        p->memories = calloc((size_t)p->count + 1, sizeof(*p->memories));
        p->tetherRate = (double)NAN;
        p->lastTime = hwWorld_GetTime(world);
    }
    if (p != NULL && p->inputs != NULL && p->memories != NULL && Resolve(p, world, vehicle, error)) return p;
    if ((p == NULL || p->inputs == NULL || p->memories == NULL) && error != NULL) {
        memset(error, 0, sizeof(*error));
        error->status = HW_ERROR_MEMORY;
        snprintf(error->message, sizeof(error->message), "there is not enough memory for a pilot");
    }
    hwDestroyPilot(p);
    return NULL;
}

void hwDestroyPilot(hwPilot* p) {
    if (p == NULL) return;
    free(p->inputs);
    free(p->memories);
    free(p);
}

double hwPilot_GetTetherRate(const hwPilot* p) {
    return p->tetherRate;
}

int hwPilot_GetTimeouts(const hwPilot* p) {
    return p->timeouts;
}

int hwPilot_GetAction(const hwPilot* p) {
    return p->at;
}

static hwVec3 ReadVector(const hwWorld* world, const int channels[3]) {
    return hwMakeVec3(hwWorld_ReadChannel(world, channels[0]), hwWorld_ReadChannel(world, channels[1]),
                      hwWorld_ReadChannel(world, channels[2]));
}

// To -pi .. pi.
static double WrapAngle(double angle) {
    return remainder(angle, 2.0 * HW_PI);
}

static void Set(hwPilotSetFn* set, void* context, int input, double value) {
    set(input, value, context);
}

static void Steer(hwPilot* p, hwPilotSetFn* set, void* context, const double sticks[AXES]) {
    for (int i = 0; i < AXES; ++i)
        Set(set, context, p->sticks[i], STICK_STEP * round(hwClamp(sticks[i], -1.0, 1.0) / STICK_STEP));
}

static void LetGo(hwPilot* p, hwPilotSetFn* set, void* context) {
    const double none[AXES] = {0};
    Steer(p, set, context, none);
}

// Yaw stick for an angle that is left to turn; clockwise is positive, the rate about z is not.
static double ChooseYaw(const hwPilot* p, const hwWorld* world, double left, double most) {
    double mode = hwWorld_ReadInput(world, p->mode);
    bool held = mode >= HW_MODE_HEADING_HOLD;
    double stick = held ? TURN_HELD_P * left : TURN_P * left + TURN_D * hwWorld_ReadChannel(world, p->rate);
    return hwClamp(stick, -most, most);
}

static double TurnTo(const hwPilot* p, const hwWorld* world, double heading, double most) {
    return ChooseYaw(p, world, WrapAngle(heading - hwWorld_ReadChannel(world, p->heading)), most);
}

// Sticks towards a place: proportional, damped, with an integral against current and tether.
static double GoTo(hwPilot* p, const hwWorld* world, hwVec3 place, double heading, double most, bool moving,
                   double passed, double sticks[AXES]) {
    hwVec3 away = hwSub(place, ReadVector(world, p->position)), velocity = ReadVector(world, p->velocity);
    double bow = hwWorld_ReadChannel(world, p->heading), distance = hwLength(away);
    double s = hwSin(bow), c = hwCos(bow);
    if (distance < 1.5) {
        p->integral = hwMulAdd(p->integral, GO_I * passed, away);
        double length = hwLength(p->integral);
        if (length > GO_I_MOST) p->integral = hwScale(GO_I_MOST / length, p->integral);
    }
    hwVec3 push = hwAdd(hwSub(hwScale(GO_P, away), hwScale(GO_D, velocity)), p->integral);
    if (!moving) push.x = push.y = 0.0;
    double across = hwHypot(push.x, push.y), limit = across > most ? most / across : 1.0;
    // the bow points to (c, -s): heading is clockwise from x; starboard is positive sway
    sticks[SURGE] = limit * (push.x * c - push.y * s);
    sticks[SWAY] = limit * (-push.x * s - push.y * c);
    double mode = hwWorld_ReadInput(world, p->mode);
    if (mode == HW_MODE_DEPTH_HOLD || mode >= HW_MODE_HOLD) push.z = RISE_HELD_P * away.z;
    sticks[HEAVE] = hwClamp(push.z, -most, most);
    sticks[YAW] = TurnTo(p, world, heading, hwFmin(most, 0.7));
    return distance;
}

// A place of the script in the world.
static hwVec3 FindPlace(const hwPilot* p, hwVec3 place) {
    if (hwPilotScript_GetFrame(p->script) == HW_PILOT_FRAME_WORLD) return place;
    double s = hwSin(p->northing), c = hwCos(p->northing); // ahead is (c, -s), port (s, c)
    return hwAdd(p->origin, hwMakeVec3(c * place.x + s * place.y, c * place.y - s * place.x, place.z));
}

static bool Go(hwPilot* p, const hwWorld* world, const hwPilotAction* a, double passed, hwPilotSetFn* set,
               void* context) {
    hwVec3 to = FindPlace(p, a->position);
    hwVec3 away = hwSub(to, ReadVector(world, p->position));
    bool moving = true;
    if (!isnan(a->heading)) {
        p->heldHeading = p->northing + a->heading;
    } else if (a->ahead && hwHypot(away.x, away.y) > AHEAD_DISTANCE) {
        p->heldHeading = hwAtan2(-away.y, away.x);
        moving = fabs(WrapAngle(p->heldHeading - hwWorld_ReadChannel(world, p->heading))) < ALIGN_ANGLE;
    }
    double sticks[AXES];
    double distance = GoTo(p, world, to, p->heldHeading, a->speed, moving, passed, sticks);
    Steer(p, set, context, sticks);
    return distance <= a->within;
}

static bool Turn(hwPilot* p, const hwWorld* world, const hwPilotAction* a, double passed, hwPilotSetFn* set,
                 void* context) {
    double now = hwWorld_ReadChannel(world, p->heading), sticks[AXES];
    p->turned += WrapAngle(now - p->lastHeading);
    p->lastHeading = now;
    double left = isnan(a->heading) ? a->value - p->turned : WrapAngle(p->northing + a->heading - now);
    GoTo(p, world, p->heldPosition, now, a->speed, true, passed, sticks);
    sticks[YAW] = ChooseYaw(p, world, left, a->speed);
    Steer(p, set, context, sticks);
    return fabs(left) <= a->within;
}

static bool Hold(hwPilot* p, const hwWorld* world, double passed, hwPilotSetFn* set, void* context) {
    double sticks[AXES];
    GoTo(p, world, p->heldPosition, p->heldHeading, 1.0, true, passed, sticks);
    Steer(p, set, context, sticks);
    return false;
}

// Where an input is that will be moved: a joint's target that nobody has set is where the joint is.
static double FindStart(const hwWorld* world, int input) {
    double value = hwWorld_ReadInput(world, input);
    if (isfinite(value)) return value;
    const char *name = hwWorld_GetInput(world, input).name, *end = strrchr(name, '.');
    char text[200];
    if (end == NULL || strcmp(end, ".target") != 0) return value;
    snprintf(text, sizeof(text), "%.*s.q", (int)(end - name), name);
    int channel = hwWorld_FindChannel(world, text);
    return channel >= 0 ? hwWorld_ReadChannel(world, channel) : value;
}

static bool IsSetLater(const hwPilot* p, int action) {
    for (int i = action + 1; i < p->at; ++i) {
        if (p->actions[i].kind == HW_PILOT_SET && p->inputs[i] == p->inputs[action]) return true;
    }
    return false;
}

// Inputs on their way; false: all have reached their values.
static bool MoveInputs(hwPilot* p, double time, hwPilotSetFn* set, void* context) {
    bool moving = false;
    for (int i = 0; i < p->at; ++i) {
        const hwPilotAction* a = &p->actions[i];
        Memory* m = &p->memories[i];
        if (a->kind != HW_PILOT_SET || m->reached) continue;
        double share = (time - m->beganAt) / a->over;
        m->reached = share > 1.0 - 1e-9 || !isfinite(m->from) || IsSetLater(p, i);
        if (!m->reached) {
            Set(set, context, p->inputs[i], m->from + share * (a->value - m->from));
            moving = true;
        } else if (!IsSetLater(p, i)) {
            Set(set, context, p->inputs[i], a->value);
        }
    }
    return moving;
}

// True when the action is done.
static bool Do(hwPilot* p, const hwWorld* world, const hwPilotAction* a, double time, double passed,
               hwPilotSetFn* set, void* context) {
    bool over = time - p->beganAt >= a->value - 1e-9;
    switch (a->kind) {
    case HW_PILOT_ARM:
        Set(set, context, p->armed, a->value);
        return true;
    case HW_PILOT_MODE:
        Set(set, context, p->mode, a->value);
        return true;
    case HW_PILOT_GAIN:
        Set(set, context, p->gain, a->value);
        return true;
    case HW_PILOT_SET:
        p->memories[p->at].reached = !(a->over > 0.0);
        if (p->memories[p->at].reached) Set(set, context, p->inputs[p->at], a->value);
        return true;
    case HW_PILOT_TETHER:
        p->tetherRate = a->value;
        return true;
    case HW_PILOT_WAIT:
        LetGo(p, set, context);
        return over;
    case HW_PILOT_HOLD:
        Hold(p, world, passed, set, context);
        return over;
    case HW_PILOT_GO:
        return Go(p, world, a, passed, set, context);
    case HW_PILOT_TURN:
        return Turn(p, world, a, passed, set, context);
    }
    return true;
}

static void Begin(hwPilot* p, const hwWorld* world, double time) {
    p->begun = true;
    p->beganAt = time;
    p->heldHeading = p->lastHeading = hwWorld_ReadChannel(world, p->heading);
    p->heldPosition = ReadVector(world, p->position);
    p->turned = 0.0;
    p->memories[p->at] = (Memory){.beganAt = time,
                                  .heldHeading = p->heldHeading,
                                  .tetherRate = p->tetherRate,
                                  .heldPosition = p->heldPosition,
                                  .timeouts = p->timeouts};
    if (p->actions[p->at].kind == HW_PILOT_SET) p->memories[p->at].from = FindStart(world, p->inputs[p->at]);
    if (p->started) return;
    p->started = true;
    if (hwPilotScript_GetFrame(p->script) == HW_PILOT_FRAME_WORLD) return;
    p->origin = p->heldPosition;
    p->northing = p->heldHeading;
}

void hwPilot_Rewind(hwPilot* p, double time) {
    int reached = p->begun ? p->at : p->at - 1;
    while (reached > 0 && p->memories[reached].beganAt > time) reached -= 1;
    p->at = reached > 0 ? reached : 0;
    p->begun = reached >= 0 && p->memories[p->at].beganAt <= time;
    p->lastTime = time;
    p->integral = hwMakeVec3(0.0, 0.0, 0.0);
    if (!p->begun) {
        p->tetherRate = (double)NAN;
        p->timeouts = 0;
        return;
    }
    for (int i = 0; i < p->at; ++i)
        p->memories[i].reached = p->memories[i].beganAt + p->actions[i].over <= time;
    const Memory* m = &p->memories[p->at];
    p->beganAt = m->beganAt;
    p->heldHeading = p->lastHeading = m->heldHeading;
    p->heldPosition = m->heldPosition;
    p->tetherRate = m->tetherRate;
    p->timeouts = m->timeouts;
    p->turned = 0.0; // what was turned since is less than half a turn, and found again from the heading
}

bool hwPilot_Act(hwPilot* p, const hwWorld* world, hwPilotSetFn* set, void* context) {
    double time = hwWorld_GetTime(world), passed = time - p->lastTime;
    p->lastTime = time;
    MoveInputs(p, time, set, context);
    while (p->at < p->count) {
        const hwPilotAction* a = &p->actions[p->at];
        if (!p->begun) Begin(p, world, time);
        bool done = Do(p, world, a, time, passed, set, context);
        bool late = !done && time - p->beganAt > a->timeout;
        p->timeouts += late;
        if (!done && !late) return true;
        p->at += 1;
        p->begun = false;
        passed = 0.0;
    }
    LetGo(p, set, context);
    return MoveInputs(p, time, set, context);
}
