#define _POSIX_C_SOURCE 200809L
#include "connect/federate.h"

#include "hawser/hawser.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SILENCE 1.0          // s without a message after which a free-running federate lets go
#define CATCH_UP_TIME 0.02   // s in which a free-running end closes a gap to its port
#define CATCH_UP_SPEED 2.0   // m/s at most beyond the port's own, and rad/s
#define SHORTEST_AHEAD 0.004 // s for which a free-running end foresees its pull: messages take their time

typedef struct Link {
    hwCouplingDef def;
    hwBodyId body;
    hwCableId cable;
    int index;               // of the channel or input
    hwCouplingMessage* ring; // lock-step: messages by step; free-running: the newest
    bool* filled;
    bool heard, silent, started, sendable, lastSendable, sent;
    uint64_t session, newest;
    double heardAt;              // s, clock
    hwCouplingMessage out, last; // of the last step and the one before
    hwVec3 from;                 // of ports: where the point was when the step began
    hwQuat fromAttitude;
    hwVec3 impulse, momentum; // of ports: felt; of ends: passed on; since step 0
    hwQuat attitude;          // of ends: as the port's that it has followed to
    hwPointMotion followed;   // of ends: the motion that this step has used
    hwCableLoad given;        // of ends: the load that the other side has in this step
    hwVec3 meanVelocity, meanRate;
} Link;

struct hwFederate {
    hwWorld* world;
    hwFederateDef def;
    bool foresee; // has ports and ends
    double start; // s, of the world
    uint64_t step;
    double interval; // s, of the step under way
    int count;
    Link* links;
    hwFederateCounts counts;
};

static hwStatus Fail(hwError* error, hwStatus status, const char* hint, const char* format, ...)
    __attribute__((format(printf, 4, 5)));

static hwStatus Fail(hwError* error, hwStatus status, const char* hint, const char* format, ...) {
    if (error == NULL) return status;
    memset(error, 0, sizeof(*error));
    error->status = status;
    va_list list;
    va_start(list, format);
    vsnprintf(error->message, sizeof(error->message), format, list);
    va_end(list);
    if (hint != NULL) snprintf(error->hint, sizeof(error->hint), "%s", hint);
    return status;
}

// Links ----------------------------------------------------------------------------------------------------------------------

static bool ParsePoint(const char* text, hwVec3* at) {
    double x[3];
    for (int i = 0; i < 3; ++i) {
        char* end = NULL;
        x[i] = strtod(text, &end);
        if (end == text || !isfinite(x[i]) || *end != (i < 2 ? ':' : 0)) return false;
        text = end + 1;
    }
    *at = hwMakeVec3(x[0], x[1], x[2]);
    return true;
}

bool hwCouplingDef_Parse(hwCouplingDef* link, hwCouplingKind kind, const char* text, hwError* error) {
    static const char* const options[] = {"--ports", "--ends", "--send", "--receive"};
    memset(link, 0, sizeof(*link));
    link->kind = kind;
    const char* equals = strchr(text, '=');
    size_t length = equals != NULL ? (size_t)(equals - text) : strlen(text);
    if (length == 0 || length >= sizeof(link->object) ||
        (equals != NULL && (equals[1] == 0 || strlen(equals + 1) >= sizeof(link->name)))) {
        Fail(error, HW_ERROR_ARGUMENT, "as in block@0:0:-0.5=hook: what, where on it, and the link's name",
             "%s: \"%s\" is no link", options[kind], text);
        return false;
    }
    snprintf(link->object, sizeof(link->object), "%.*s", (int)length, text);
    char* at = kind == HW_COUPLING_PORT ? strchr(link->object, '@') : NULL;
    if (at != NULL) {
        *at = 0;
        if (!ParsePoint(at + 1, &link->at)) {
            Fail(error, HW_ERROR_ARGUMENT, "as in block@0:0:-0.5: metres in the body's frame",
                 "%s: \"%s\" is no place on a body", options[kind], text);
            return false;
        }
    }
    snprintf(link->name, sizeof(link->name), "%s", equals != NULL ? equals + 1 : link->object);
    if (kind == HW_COUPLING_END) {
        size_t size = strlen(link->object);
        bool good = size > 2 && link->object[size - 2] == '.' &&
                    (link->object[size - 1] == 'a' || link->object[size - 1] == 'b');
        if (!good) {
            Fail(error, HW_ERROR_ARGUMENT, "as in wire.a: the cable's name and a or b",
                 "%s: \"%s\" is no end of a cable", options[kind], link->object);
            return false;
        }
        link->end = link->object[size - 1] == 'b';
        link->object[size - 2] = 0;
    }
    return true;
}

static hwStatus FindObject(hwFederate* f, Link* link, hwError* error) {
    const hwCouplingDef* def = &link->def;
    bool found = true;
    const char* what = "body";
    if (def->kind == HW_COUPLING_PORT) {
        link->body = hwWorld_FindBody(f->world, def->object);
        found = !HW_IS_NULL(link->body);
    } else if (def->kind == HW_COUPLING_END) {
        link->cable = hwWorld_FindCable(f->world, def->object);
        what = "cable";
        found = !HW_IS_NULL(link->cable);
        hwVec3 force;
        double impedance[6][6];
        // checks that the end is on the earth
        if (found) {
            return hwCable_PredictEndLoad(f->world, link->cable, def->end, f->def.interval, &force, NULL,
                                          impedance, error);
        }
    } else {
        bool input = def->kind == HW_COUPLING_RECEIVE;
        what = input ? "input" : "channel";
        link->index =
            input ? hwWorld_FindInput(f->world, def->object) : hwWorld_FindChannel(f->world, def->object);
        found = link->index >= 0;
    }
    if (found) return HW_OK;
    return Fail(error, HW_ERROR_ARGUMENT, "hawser channels SCENE lists what there is",
                "the scene has no %s \"%s\"", what, def->object);
}

hwFederate* hwCreateFederate(hwWorld* world, const hwFederateDef* def, hwError* error) {
    if (!(def->interval > 0.0) || !isfinite(def->interval) || def->linkCount > HW_MOST_COUPLINGS) {
        Fail(error, HW_ERROR_ARGUMENT, NULL, "a federate has steps above 0 s and at most %d links",
             HW_MOST_COUPLINGS);
        return NULL;
    }
    hwFederate* f = calloc(1, sizeof(*f));
    Link* links = calloc((size_t)def->linkCount + 1, sizeof(*links));
    if (f == NULL || links == NULL) {
        free(f);
        free(links);
        Fail(error, HW_ERROR_MEMORY, NULL, "there is not enough memory");
        return NULL;
    }
    f->world = world;
    f->def = *def;
    f->start = hwWorld_GetTime(world);
    f->links = links;
    f->count = def->linkCount;
    bool ports = false, ends = false;
    hwStatus status = HW_OK;
    for (int i = 0; i < f->count && status == HW_OK; ++i) {
        Link* link = &f->links[i];
        link->def = def->links[i];
        link->attitude = link->fromAttitude = hwQuat_identity;
        ports |= link->def.kind == HW_COUPLING_PORT;
        ends |= link->def.kind == HW_COUPLING_END;
        for (int k = 0; k < i && status == HW_OK; ++k) {
            if (strcmp(f->links[k].def.name, link->def.name) == 0)
                status =
                    Fail(error, HW_ERROR_ARGUMENT, NULL, "two links have the name \"%s\"", link->def.name);
        }
        size_t size = def->free ? 1 : HW_FEDERATE_HISTORY;
        if (status == HW_OK) {
            link->ring = calloc(size, sizeof(*link->ring));
            link->filled = calloc(size, sizeof(*link->filled));
            if (link->ring == NULL || link->filled == NULL)
                status = Fail(error, HW_ERROR_MEMORY, NULL, "there is not enough memory");
        }
        if (status == HW_OK) status = FindObject(f, link, error);
    }
    f->foresee = ports && ends;
    f->def.links = NULL;
    // what others need before anybody has stepped; ends wait for where their ports are
    if (status == HW_OK) status = hwFederate_EndStep(f, error);
    if (status < HW_OK) {
        hwDestroyFederate(f);
        return NULL;
    }
    return f;
}

void hwDestroyFederate(hwFederate* f) {
    if (f == NULL) return;
    for (int i = 0; i < f->count; ++i) {
        free(f->links[i].ring);
        free(f->links[i].filled);
    }
    free(f->links);
    free(f);
}

const hwCouplingDef* hwFederate_GetLink(const hwFederate* f, int link) {
    return &f->links[link].def;
}

int hwFederate_GetLinkCount(const hwFederate* f) {
    return f->count;
}

uint64_t hwFederate_GetStep(const hwFederate* f) {
    return f->step;
}

hwFederateCounts hwFederate_GetCounts(const hwFederate* f) {
    return f->counts;
}

const hwCouplingMessage* hwFederate_GetMessage(const hwFederate* f, int link) {
    return f->links[link].sendable ? &f->links[link].out : NULL;
}

const hwCouplingMessage* hwFederate_GetLastMessage(const hwFederate* f, int link) {
    return f->links[link].lastSendable ? &f->links[link].last : NULL;
}

const hwCouplingMessage* hwFederate_TakeMessage(hwFederate* f, int link) {
    if (!f->links[link].sendable || f->links[link].sent) return NULL;
    f->links[link].sent = true;
    return &f->links[link].out;
}

// Receiving --------------------------------------------------------------------------------------------------------------------

static bool AreFinite(const double* values, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        if (!(fabs(values[i]) < 1e15)) return false;
    }
    return true;
}

// Others may send anything.
static bool IsSensible(hwCouplingKind kind, const hwCouplingMessage* m) {
    if (!AreFinite(&m->time, 1)) return false;
    if (kind == HW_COUPLING_RECEIVE || kind == HW_COUPLING_SEND) return isfinite(m->value);
    if (kind == HW_COUPLING_END) {
        const hwQuat q = m->motion.attitude;
        double length = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
        return AreFinite((const double*)&m->motion, sizeof(m->motion) / sizeof(double)) && length > 0.99 &&
               length < 1.01;
    }
    if (!AreFinite((const double*)&m->load, sizeof(m->load) / sizeof(double))) return false;
    for (int i = 0; i < 6; ++i) {
        if (m->load.impedance[i][i] < 0.0) return false;
        for (int j = 0; j < i; ++j) {
            double a = m->load.impedance[i][j], b = m->load.impedance[j][i];
            double limit = m->load.impedance[i][i] * m->load.impedance[j][j];
            if (fabs(a - b) > 1e-6 * (fabs(a) + fabs(b)) + 1e-9 || a * b > 1.001 * limit + 1e-9) return false;
        }
    }
    return true;
}

// The step of the message that the next step needs. An end follows to where its port has come to. Who sends values waits for
// who takes them, so that nobody is more than a step ahead.
static uint64_t GetNeeded(const hwFederate* f, const Link* link) {
    if (link->def.kind == HW_COUPLING_SEND) return f->step > 0 ? f->step - 1 : 0;
    return f->step + (link->def.kind == HW_COUPLING_END && link->started && !f->foresee ? 1 : 0);
}

void hwFederate_Receive(hwFederate* f, int number, const hwCouplingMessage* message, double clock) {
    if (number < 0 || number >= f->count) return;
    Link* link = &f->links[number];
    f->counts.received += 1;
    if (!IsSensible(link->def.kind, message)) {
        f->counts.malformed += 1;
        return;
    }
    bool again = link->heard && message->session != link->session;
    if (again) f->counts.restarts += 1;
    link->silent = false;
    link->heardAt = clock;
    if (f->def.free) {
        if (link->heard && !again && message->step <= link->newest) {
            f->counts.late += 1;
            if (f->counts.lost > 0) f->counts.lost -= 1;
            return;
        }
        if (link->heard && !again) f->counts.lost += message->step - link->newest - 1;
        link->ring[0] = *message;
        link->filled[0] = true;
    } else if (message->step < GetNeeded(f, link)) {
        f->counts.late += 1;
    } else if (message->step < f->step + HW_FEDERATE_HISTORY) {
        link->ring[message->step % HW_FEDERATE_HISTORY] = *message;
        link->filled[message->step % HW_FEDERATE_HISTORY] = true;
    }
    if (!link->heard || again || message->step > link->newest) link->newest = message->step;
    link->heard = true;
    link->session = message->session;
}

// Lock-step: the message after `step` steps, or null.
static const hwCouplingMessage* Find(const Link* link, uint64_t step) {
    uint64_t slot = step % HW_FEDERATE_HISTORY;
    return link->filled[slot] && link->ring[slot].step == step ? &link->ring[slot] : NULL;
}

// An end begins where its port is and as that moves.
static hwStatus StartEnd(hwFederate* f, Link* link, const hwPointMotion* port, hwError* error) {
    hwCableView view;
    hwStatus status = hwCable_GetView(f->world, link->cable, &view, error);
    if (status < HW_OK) return status;
    hwVec3 there = view.positions[link->def.end == 0 ? 0 : view.nodeCount - 1];
    double apart = hwDistance(there, port->position), length = 0.0;
    for (int i = 0; i + 1 < view.nodeCount; ++i)
        length += hwDistance(view.positions[i], view.positions[i + 1]);
    if (!f->def.free && apart > 1e-3 * length) {
        return Fail(error, HW_ERROR_ARGUMENT, "put them in the same place in both scenes",
                    "link \"%s\": the cable's end begins %.3g m from the body's point", link->def.name,
                    apart);
    }
    link->started = true;
    link->attitude = port->attitude;
    if (f->def.free) return HW_OK;
    return hwCable_SetEndMotion(f->world, link->cable, link->def.end, there, port->velocity, hwVec3_zero,
                                error);
}

static hwStatus MakeLoad(hwFederate* f, Link* link, hwError* error);

bool hwFederate_IsReady(hwFederate* f, int* missing, hwError* error) {
    *missing = -1;
    memset(error, 0, sizeof(*error));
    if (f->def.free) return true;
    for (int i = 0; i < f->count; ++i) {
        Link* link = &f->links[i];
        bool heeded = f->step == 0 || (link->heard && link->newest >= GetNeeded(f, link));
        if (link->def.kind == HW_COUPLING_SEND && heeded) continue;
        const hwCouplingMessage* message = Find(link, GetNeeded(f, link));
        if (message != NULL && link->def.kind == HW_COUPLING_END && !link->started) {
            if (StartEnd(f, link, &message->motion, error) < HW_OK || MakeLoad(f, link, error) < HW_OK)
                return false;
            message = Find(link, GetNeeded(f, link));
        }
        if (message != NULL) continue;
        *missing = i;
        // The others kept the last messages only, and this federate begins before them.
        if (link->heard && link->newest > GetNeeded(f, link) + HW_FEDERATE_HISTORY) {
            Fail(error, HW_ERROR_ARGUMENT, "with --keep FILE a federate goes on from where it was",
                 "link \"%s\": the other federate is at step %llu and keeps %d, but this one is at step %llu",
                 link->def.name, (unsigned long long)link->newest, HW_FEDERATE_HISTORY,
                 (unsigned long long)f->step);
        }
        return false;
    }
    return true;
}

// Before a step ----------------------------------------------------------------------------------------------------------------

static hwVec3 LimitLength(hwVec3 v, double most) {
    double length = hwLength(v);
    return length > most ? hwScale(most / length, v) : v;
}

static hwStatus GuideEnd(hwFederate* f, Link* link, const hwCouplingMessage* message, double clock,
                         hwError* error) {
    hwVec3 velocity = hwVec3_zero, rate = hwVec3_zero;
    hwCableView view;
    hwStatus status = hwCable_GetView(f->world, link->cable, &view, error);
    if (status < HW_OK) return status;
    hwVec3 from = view.positions[link->def.end == 0 ? 0 : view.nodeCount - 1];
    if (message != NULL) {
        const hwPointMotion* port = &message->motion;
        link->followed = *port;
        hwVec3 gap = hwSub(port->position, from);
        hwVec3 turn = hwRotationVectorFromQuat(hwMulQuat(port->attitude, hwConjugate(link->attitude)));
        double h = f->interval;
        if (f->def.free) {
            double age = fmin(fmax(clock - link->heardAt, 0.0), SILENCE), closing = fmax(h, CATCH_UP_TIME);
            gap = hwMulAdd(gap, age, port->velocity);
            turn = hwMulAdd(turn, age, port->rate);
            velocity = hwAdd(port->velocity, LimitLength(hwScale(1.0 / closing, gap), CATCH_UP_SPEED));
            rate = hwAdd(port->rate, LimitLength(hwScale(1.0 / closing, turn), CATCH_UP_SPEED));
        } else {
            velocity = hwScale(1.0 / h, gap);
            rate = hwScale(1.0 / h, turn);
            if (f->foresee) velocity = hwAdd(velocity, port->velocity);
            if (f->foresee) rate = hwAdd(rate, port->rate);
        }
    }
    link->meanVelocity = velocity;
    link->meanRate = rate;
    link->attitude =
        hwNormalizeQuat(hwMulQuat(hwQuatFromRotationVector(hwScale(f->interval, rate)), link->attitude));
    return hwCable_GuideEnd(f->world, link->cable, link->def.end, velocity, rate, error);
}

static hwStatus GetPortMotion(const hwFederate* f, const Link* link, hwPointMotion* motion, hwError* error) {
    hwBodyState state;
    hwStatus status = hwBody_GetState(f->world, link->body, &state, error);
    if (status < HW_OK) return status;
    hwVec3 arm = hwRotate(state.attitude, link->def.at);
    memset(motion, 0, sizeof(*motion));
    motion->position = hwAdd(state.position, arm);
    motion->attitude = state.attitude;
    motion->rate = hwRotate(state.attitude, state.rate);
    motion->velocity = hwAdd(state.velocity, hwCross(motion->rate, arm));
    return HW_OK;
}

static hwStatus LoadPort(hwFederate* f, Link* link, const hwCouplingMessage* message, hwError* error) {
    hwPointMotion now;
    hwStatus status = GetPortMotion(f, link, &now, error);
    link->from = now.position;
    link->fromAttitude = now.attitude;
    memset(&link->given, 0, sizeof(link->given));
    if (message == NULL || status < HW_OK) return status;
    link->given = message->load;
    const hwCableLoad* load = &link->given;
    // The arm of the middle of the step: with that of its start the moment would come half a step late and add energy.
    hwVec3 arm = hwRotate(now.attitude, link->def.at);
    hwVec3 turned = hwRotate(hwQuatFromRotationVector(hwScale(0.5 * f->interval, now.rate)), arm);
    hwVec3 point = hwAdd(hwSub(now.position, arm), turned);
    status =
        hwBody_ApplyWrench(f->world, link->body, load->force, load->moment, point, HW_FRAME_WORLD, error);
    if (status < HW_OK) return status;
    return hwBody_ApplyImpedance(f->world, link->body, (const double(*)[6])load->impedance, load->velocity,
                                 load->rate, point, error);
}

// Free-running: the newest message, null once its sender has been silent for long.
static const hwCouplingMessage* GetNewest(hwFederate* f, Link* link, double clock) {
    if (!link->filled[0]) return NULL;
    if (clock - link->heardAt <= SILENCE) return &link->ring[0];
    if (!link->silent) f->counts.silences += 1;
    link->silent = true;
    return NULL;
}

// Steps that divide a second end at exact multiples.
static double GetInterval(const hwFederate* f) {
    double rate = round(1.0 / f->def.interval);
    bool whole = rate >= 1.0 && fabs(rate * f->def.interval - 1.0) < 1e-9;
    double after = (double)(f->step + 1);
    return f->start + (whole ? after / rate : after * f->def.interval) - hwWorld_GetTime(f->world);
}

hwStatus hwFederate_BeginStep(hwFederate* f, double clock, double* interval, hwError* error) {
    hwStatus status = HW_OK;
    f->interval = *interval = GetInterval(f);
    for (int i = 0; i < f->count && status >= HW_OK; ++i) {
        if (f->links[i].def.kind == HW_COUPLING_PORT)
            status = hwBody_ClearForces(f->world, f->links[i].body, error);
    }
    for (int i = 0; i < f->count && status >= HW_OK; ++i) {
        Link* link = &f->links[i];
        const hwCouplingMessage* message =
            f->def.free ? GetNewest(f, link, clock) : Find(link, GetNeeded(f, link));
        if (link->def.kind == HW_COUPLING_PORT) status = LoadPort(f, link, message, error);
        if (link->def.kind == HW_COUPLING_END) {
            if (f->def.free && message != NULL && !link->started)
                status = StartEnd(f, link, &message->motion, error);
            if (status >= HW_OK) status = GuideEnd(f, link, message, clock, error);
        }
        if (link->def.kind == HW_COUPLING_RECEIVE && message != NULL &&
            hwWorld_ReadInput(f->world, link->index) != message->value)
            status = hwWorld_SetInput(f->world, link->index, message->value, error);
    }
    return status;
}

// After a step -----------------------------------------------------------------------------------------------------------------

// What a load has been on average while its point moved as told.
static void GetFelt(const hwCableLoad* load, hwVec3 velocity, hwVec3 rate, hwVec3* force, hwVec3* moment) {
    hwVec3 v = hwSub(velocity, load->velocity), w = hwSub(rate, load->rate);
    const double ahead[6] = {v.x, v.y, v.z, w.x, w.y, w.z};
    double felt[6] = {load->force.x,  load->force.y,  load->force.z,
                      load->moment.x, load->moment.y, load->moment.z};
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) felt[i] -= load->impedance[i][j] * ahead[j];
    }
    *force = hwMakeVec3(felt[0], felt[1], felt[2]);
    *moment = hwMakeVec3(felt[3], felt[4], felt[5]);
}

static hwStatus SettlePort(hwFederate* f, Link* link, bool stepped, hwError* error) {
    hwPointMotion* motion = &link->out.motion;
    hwStatus status = GetPortMotion(f, link, motion, error);
    if (status < HW_OK) return status;
    if (stepped) {
        double h = f->interval;
        hwVec3 turn = hwRotationVectorFromQuat(hwMulQuat(motion->attitude, hwConjugate(link->fromAttitude)));
        hwVec3 force, moment;
        GetFelt(&link->given, hwScale(1.0 / h, hwSub(motion->position, link->from)), hwScale(1.0 / h, turn),
                &force, &moment);
        link->impulse = hwMulAdd(link->impulse, h, force);
        link->momentum = hwMulAdd(link->momentum, h, moment);
    }
    motion->impulse = link->impulse;
    motion->momentum = link->momentum;
    link->sendable = true;
    link->sent = false;
    return HW_OK;
}

// The pull in the next step, with what the other side has not felt yet of the past ones: momentum is kept.
static hwStatus MakeLoad(hwFederate* f, Link* link, hwError* error) {
    hwCableLoad* load = &link->out.load;
    hwCableView view;
    double ahead = f->def.free ? fmax(4.0 * f->def.interval, SHORTEST_AHEAD) : f->def.interval;
    hwStatus status = hwCable_PredictEndLoad(f->world, link->cable, link->def.end, ahead, &load->force,
                                             &load->moment, load->impedance, error);
    if (status >= HW_OK) status = hwCable_GetView(f->world, link->cable, &view, error);
    if (status < HW_OK) return status;
    load->velocity = view.velocities[link->def.end == 0 ? 0 : view.nodeCount - 1];
    load->rate = link->meanRate;
    if (!f->def.free && f->step > 0) {
        hwVec3 impulse = link->followed.impulse, momentum = link->followed.momentum;
        if (f->foresee) { // what the port has felt in this step will be told with the next message
            hwVec3 force, moment;
            GetFelt(&link->given, link->meanVelocity, link->meanRate, &force, &moment);
            impulse = hwMulAdd(impulse, f->interval, force);
            momentum = hwMulAdd(momentum, f->interval, moment);
        }
        load->force = hwMulAdd(load->force, 1.0 / f->def.interval, hwSub(link->impulse, impulse));
        load->moment = hwMulAdd(load->moment, 1.0 / f->def.interval, hwSub(link->momentum, momentum));
    }
    link->given = *load;
    link->sendable = true;
    link->sent = false;
    return HW_OK;
}

static hwStatus SettleEnd(hwFederate* f, Link* link, bool stepped, hwError* error) {
    if (!link->started) return HW_OK;
    if (stepped) {
        hwVec3 impulse, momentum;
        hwStatus status =
            hwCable_GetEndImpulse(f->world, link->cable, link->def.end, &impulse, &momentum, error);
        if (status < HW_OK) return status;
        link->impulse = hwAdd(link->impulse, impulse);
        link->momentum = hwAdd(link->momentum, momentum);
    }
    return MakeLoad(f, link, error);
}

hwStatus hwFederate_EndStep(hwFederate* f, hwError* error) {
    bool stepped = f->interval > 0.0;
    if (stepped) f->step += 1;
    hwStatus status = HW_OK;
    for (int i = 0; i < f->count && status >= HW_OK; ++i) {
        Link* link = &f->links[i];
        link->last = link->out;
        link->lastSendable = link->sendable && stepped;
        link->out.session = f->def.session;
        link->out.step = f->step;
        link->out.time = hwWorld_GetTime(f->world);
        if (link->def.kind == HW_COUPLING_PORT) status = SettlePort(f, link, stepped, error);
        if (link->def.kind == HW_COUPLING_END) status = SettleEnd(f, link, stepped, error);
        bool values = link->def.kind == HW_COUPLING_SEND || link->def.kind == HW_COUPLING_RECEIVE;
        if (values) {
            link->out.value = link->def.kind == HW_COUPLING_SEND ? hwWorld_ReadChannel(f->world, link->index)
                                                                 : hwWorld_ReadInput(f->world, link->index);
            if (!isfinite(link->out.value)) link->out.value = 0.0;
            link->sendable = true;
            link->sent = false;
        }
    }
    f->interval = 0.0;
    return status;
}

// Files ------------------------------------------------------------------------------------------------------------------------

#define KEEP_MAGIC 0x3244465257534148ull // "HASWRFD2"

typedef struct KeepHead {
    uint64_t magic, sum, size, step, links; // sum: of all that follows it
    double start, interval;
} KeepHead;

// What of a link a restart needs; all of a kind, so that the file has one layout.
typedef struct KeepLink {
    char name[96];
    uint64_t kind, started;
    hwVec3 impulse, momentum, meanVelocity, meanRate;
    hwQuat attitude;
    hwCouplingMessage out;
    hwPointMotion followed;
    hwCableLoad given;
} KeepLink;

// A changed word always changes it. A world trusts its own state, so what a disk has damaged must not become one.
static uint64_t SumKept(const unsigned char* bytes, size_t size) {
    uint64_t sum = 0xcbf29ce484222325ull;
    for (size_t i = offsetof(KeepHead, size); i < size; i += sizeof(sum)) {
        uint64_t word = 0;
        memcpy(&word, bytes + i, size - i < sizeof(word) ? size - i : sizeof(word));
        sum = (sum ^ word) * 0x9e3779b97f4a7c15ull;
        sum ^= sum >> 32;
    }
    return sum;
}

static size_t GetKeptSize(const hwFederate* f) {
    return sizeof(KeepHead) + (size_t)f->count * sizeof(KeepLink) + hwWorld_GetStateSize(f->world);
}

static void WriteKept(const hwFederate* f, unsigned char* bytes) {
    KeepHead head = {.magic = KEEP_MAGIC,
                     .size = hwWorld_GetStateSize(f->world),
                     .step = f->step,
                     .links = (uint64_t)f->count,
                     .start = f->start,
                     .interval = f->def.interval};
    memcpy(bytes, &head, sizeof(head));
    for (int i = 0; i < f->count; ++i) {
        const Link* link = &f->links[i];
        KeepLink keep;
        memset(&keep, 0, sizeof(keep));
        memcpy(keep.name, link->def.name, sizeof(keep.name));
        keep.kind = (uint64_t)link->def.kind;
        keep.started = link->started;
        keep.impulse = link->impulse;
        keep.momentum = link->momentum;
        keep.meanVelocity = link->meanVelocity;
        keep.meanRate = link->meanRate;
        keep.attitude = link->attitude;
        keep.out = link->out;
        keep.followed = link->followed;
        keep.given = link->given;
        memcpy(bytes + sizeof(head) + (size_t)i * sizeof(keep), &keep, sizeof(keep));
    }
}

hwStatus hwFederate_SaveFile(const hwFederate* f, const char* path, hwError* error) {
    char other[1024];
    size_t size = GetKeptSize(f), block = hwWorld_GetStateSize(f->world);
    unsigned char* bytes = malloc(size);
    if (bytes == NULL) return Fail(error, HW_ERROR_MEMORY, NULL, "there is not enough memory");
    WriteKept(f, bytes);
    hwStatus status = hwWorld_SaveState(f->world, bytes + size - block, block, error);
    uint64_t sum = SumKept(bytes, size);
    memcpy(bytes + offsetof(KeepHead, sum), &sum, sizeof(sum));
    snprintf(other, sizeof(other), "%s.new", path);
    FILE* file = status >= HW_OK ? fopen(other, "wb") : NULL;
    bool good = file != NULL && fwrite(bytes, size, 1, file) == 1;
    free(bytes);
    if (file != NULL && fclose(file) != 0) good = false;
    if (status < HW_OK) return status;
    if (!good || rename(other, path) != 0)
        return Fail(error, HW_ERROR_FILE, NULL, "cannot write %s: %s", path, strerror(errno));
    return HW_OK;
}

static bool TakeLinks(hwFederate* f, const unsigned char* bytes) {
    for (int i = 0; i < f->count; ++i) {
        Link* link = &f->links[i];
        KeepLink keep;
        memcpy(&keep, bytes + (size_t)i * sizeof(keep), sizeof(keep));
        if (keep.kind != (uint64_t)link->def.kind ||
            memcmp(keep.name, link->def.name, sizeof(keep.name)) != 0)
            return false;
        link->started = keep.started != 0;
        link->sendable = link->def.kind != HW_COUPLING_END || link->started;
        link->impulse = keep.impulse;
        link->momentum = keep.momentum;
        link->meanVelocity = keep.meanVelocity;
        link->meanRate = keep.meanRate;
        link->attitude = keep.attitude;
        link->out = keep.out;
        link->out.session = f->def.session;
        link->followed = keep.followed;
        link->given = keep.given;
    }
    return true;
}

// `read` bytes of the file, in room for what this federate's file has.
static bool TakeKept(hwFederate* f, const unsigned char* bytes, size_t read, bool* damaged, hwError* error) {
    KeepHead head;
    size_t size = GetKeptSize(f), block = hwWorld_GetStateSize(f->world);
    if (read < sizeof(head)) return false;
    memcpy(&head, bytes, sizeof(head));
    *damaged = head.magic == KEEP_MAGIC && read == size && head.sum != SumKept(bytes, size);
    if (*damaged || read != size || head.magic != KEEP_MAGIC || head.size != block ||
        head.links != (uint64_t)f->count || head.interval != f->def.interval ||
        !TakeLinks(f, bytes + sizeof(head)) ||
        hwWorld_RestoreState(f->world, bytes + size - block, block, error) < HW_OK)
        return false;
    f->start = head.start;
    f->step = head.step;
    return true;
}

hwStatus hwFederate_LoadFile(hwFederate* f, const char* path, bool* found, hwError* error) {
    FILE* file = fopen(path, "rb");
    *found = file != NULL;
    if (file == NULL && errno == ENOENT) return HW_OK;
    if (file == NULL) return Fail(error, HW_ERROR_FILE, NULL, "cannot read %s: %s", path, strerror(errno));
    size_t room = GetKeptSize(f) + 1; // a longer file is of something else
    unsigned char* bytes = malloc(room);
    bool damaged = false, good = false;
    if (bytes != NULL) good = TakeKept(f, bytes, fread(bytes, 1, room, file), &damaged, error);
    free(bytes);
    fclose(file);
    if (good) return HW_OK;
    if (bytes == NULL) return Fail(error, HW_ERROR_MEMORY, NULL, "there is not enough memory");
    return Fail(error, HW_ERROR_ARGUMENT, "remove it to begin anew",
                damaged ? "%s is damaged: its check sum is another"
                        : "%s is not of this scene with these links and this step",
                path);
}
