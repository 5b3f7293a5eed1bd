// What an instructor changes: faults, visibility, delays. What acts on the world is an input of it and so in the log of
// inputs; what only changes how it is shown or how commands arrive is kept with the recording's events.
#include "apps/server/session_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEGREE (HW_PI / 180.0)

void hwWebSession_StartConditions(hwWebSession* session) {
    session->conditions = (hwWebConditions){.visibility = (double)NAN};
    session->changes[0] = (hwWebChange){-HUGE_VAL, session->conditions};
    session->changeCount = 1;
    session->lossState = 0x9e3779b97f4a7c15u;
}

json_t* hwWebSession_PutConditions(const hwWebSession* session) {
    const hwWebConditions* c = &session->conditions;
    const hwWebControls* controls = &session->controls;
    json_t *thrusters = json_array(), *pending = json_array();
    for (int i = 0; i < controls->thrusterCount && session->live != NULL; ++i) {
        double lost = controls->failed[i] >= 0
                          ? hwWorld_ReadInput(hwLive_GetWorld(session->live), controls->failed[i])
                          : 0.0;
        json_array_append_new(thrusters, json_real(lost));
    }
    for (int i = 0; i < session->pendingCount; ++i) {
        const hwWebPendingFault* p = &session->pending[i];
        json_array_append_new(pending, json_pack("{s:f, s:s, s:f}", "time", p->time, "kind",
                                                 hwWebFaultKind_GetName(p->kind), "value", p->value));
    }
    return json_pack(
        "{s:s, s:o, s:b, s:f, s:f, s:f, s:{s:f, s:f, s:f}, s:f, s:f, s:o, s:o}", "type", "conditions",
        "visibility", isnan(c->visibility) ? json_null() : json_real(c->visibility), "camera",
        (int)!c->cameraOut, "video_delay", c->videoDelay, "command_delay", c->commandDelay, "loss", c->loss,
        "compass", "rate", c->compassRate, "since", c->compassSince, "offset", c->compassOffset, "load_cell",
        c->loadCell, "leak", session->leak, "thrusters", thrusters, "pending", pending);
}

void hwWebSession_Record(hwWebSession* session, const char* level, const char* text, json_t* json) {
    double time = hwWebSession_GetTime(session);
    json_array_append_new(session->marks,
                          json_pack("{s:f, s:s, s:s}", "time", time, "level", level, "text", text));
    if (session->writer != NULL) hwFlightWriter_AddMark(session->writer, time, level, text);
    char* event = json != NULL ? json_dumps(json, JSON_COMPACT) : NULL;
    if (session->writer != NULL && event != NULL) hwFlightWriter_AddEvent(session->writer, time, event);
    free(event);
    json_decref(json);
}

// The conditions have changed: kept for rewinding, told to everybody.
static void Changed(hwWebSession* session) {
    if (session->changeCount == SESSION_MOST_CHANGES) {
        // the oldest that a rewind can still ask for is not the first
        memmove(&session->changes[1], &session->changes[2],
                (SESSION_MOST_CHANGES - 2) * sizeof(session->changes[0]));
        session->changeCount -= 1;
    }
    session->changes[session->changeCount++] =
        (hwWebChange){hwWebSession_GetTime(session), session->conditions};
    pthread_mutex_lock(&session->mutex);
    session->delay = session->conditions.commandDelay;
    session->loss = session->conditions.loss;
    pthread_mutex_unlock(&session->mutex);
    hwWebSession_Send(session, 0, false, hwWebSession_PutConditions(session));
}

// A fault that changes how the vehicle is shown or how commands arrive; others act on the world.
static void ChangeShown(hwWebConditions* c, hwWebFaultKind kind, double value, double time) {
    if (kind == FAULT_CAMERA) c->cameraOut = value > 0.5;
    if (kind == FAULT_VIDEO_DELAY) c->videoDelay = value;
    if (kind == FAULT_COMMAND_DELAY) c->commandDelay = value;
    if (kind == FAULT_LOSS) c->loss = value;
    if (kind == FAULT_LOAD_CELL) c->loadCell = value;
    if (kind != FAULT_COMPASS) return;
    double drift = c->compassOffset + c->compassRate * (time - c->compassSince);
    c->compassOffset = value == 0.0 ? 0.0 : drift;
    c->compassSince = time;
    c->compassRate = value * DEGREE / 60.0;
}

static const char* SetInput(hwWebSession* session, int input, double value) {
    if (input < 0) return "this vehicle does not have that";
    return hwLive_ApplyInput(session->live, input, value, NULL) == HW_OK ? NULL
                                                                         : "that cannot be set in this world";
}

static const char* MakeNow(hwWebSession* session, hwWebFaultKind kind, int thruster, double value) {
    const hwWorld* world = hwLive_GetWorld(session->live);
    const char* bad = NULL;
    char text[200], name[96];
    switch (kind) {
    case FAULT_THRUSTER:
        bad = SetInput(session,
                       thruster < session->controls.thrusterCount ? session->controls.failed[thruster] : -1,
                       value);
        snprintf(text, sizeof(text), "Fault: thruster %d gives %.0f %%", thruster, 100.0 * (1.0 - value));
        break;
    case FAULT_LEAK:
        // water that came in weighs: a force downward on the vehicle
        snprintf(name, sizeof(name), "%s.force.z", session->controls.name);
        bad = SetInput(session, hwWorld_FindInput(world, name), -value);
        if (bad == NULL) session->leak = value;
        snprintf(text, sizeof(text), "Fault: %.1f N of buoyancy are lost", value);
        break;
    case FAULT_CAMERA:
        snprintf(text, sizeof(text), value > 0.5 ? "Fault: the camera is out" : "The camera is back");
        break;
    case FAULT_VIDEO_DELAY:
        snprintf(text, sizeof(text), "Fault: video comes %.2f s late", value);
        break;
    case FAULT_COMMAND_DELAY:
        snprintf(text, sizeof(text), "Fault: commands come %.2f s late", value);
        break;
    case FAULT_LOSS:
        snprintf(text, sizeof(text), "Fault: %.0f %% of the commands are lost", 100.0 * value);
        break;
    case FAULT_COMPASS:
        snprintf(text, sizeof(text), "Fault: the compass drifts by %.1f degrees a minute", value);
        break;
    case FAULT_LOAD_CELL:
        snprintf(text, sizeof(text), "Fault: the load cell is off by %.0f N", value);
        break;
    case FAULT_KINDS:
        return "there is no such fault";
    }
    if (bad != NULL) return bad;
    ChangeShown(&session->conditions, kind, value, hwWebSession_GetTime(session));
    json_t* event =
        json_pack("{s:s, s:s, s:f}", "type", "fault", "kind", hwWebFaultKind_GetName(kind), "value", value);
    if (kind == FAULT_THRUSTER) json_object_set_new(event, "thruster", json_integer(thruster));
    hwWebSession_Record(session, "event", text, event);
    Changed(session);
    return NULL;
}

const char* hwWebSession_MakeFault(hwWebSession* session, const hwWebRequest* request) {
    if (!(request->after > 0.0)) return MakeNow(session, request->fault, request->thruster, request->value);
    if (session->pendingCount == SESSION_MOST_EVENTS) return "sixteen events wait already";
    session->pending[session->pendingCount++] = (hwWebPendingFault){
        hwWebSession_GetTime(session) + request->after, request->fault, request->thruster, request->value};
    hwWebSession_Send(session, 0, false, hwWebSession_PutConditions(session));
    return NULL;
}

void hwWebSession_SetVisibility(hwWebSession* session, double visibility) {
    char text[80];
    session->conditions.visibility = visibility;
    snprintf(text, sizeof(text), "Visibility %.1f m", visibility);
    hwWebSession_Record(session, "event", text,
                        json_pack("{s:s, s:f}", "type", "visibility", "value", visibility));
    Changed(session);
}

// Sticks over a bad link -----------------------------------------------------------------------------------------------

// xorshift64*: Vigna, 2016. Which messages are lost is not part of the world: what arrives is logged.
static bool IsLost(hwWebSession* session) {
    uint64_t x = session->lossState;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    session->lossState = x;
    return (double)((x * 0x2545f4914f6cdd1du) >> 11) * 0x1p-53 < session->loss;
}

bool hwWebSession_DelayPilot(hwWebSession* session, const double axes[4], uint32_t seq, bool hold) {
    if (seq == 0) {
        session->delayedCount = 0;
        return false;
    }
    if (!(session->delay > 0.0) && !(session->loss > 0.0) && session->delayedCount == 0) return false;
    bool still = axes[0] == 0.0 && axes[1] == 0.0 && axes[2] == 0.0 && axes[3] == 0.0;
    // letting go is repeated by the link until it arrives: a lost zero would leave the vehicle running
    if (!still && IsLost(session)) return true;
    if (session->delayedCount == SESSION_MOST_DELAYED) return true;
    hwWebDelayedAxes* entry =
        &session->delayed[(session->delayedFirst + session->delayedCount++) % SESSION_MOST_DELAYED];
    entry->due = (double)NAN;
    memcpy(entry->axes, axes, sizeof(entry->axes));
    entry->seq = seq;
    entry->hold = hold;
    return true;
}

// The next stick message whose time has come.
static bool TakeDelayed(hwWebSession* session, double time, hwWebDelayedAxes* out) {
    pthread_mutex_lock(&session->mutex);
    for (int i = 0; i < session->delayedCount; ++i) {
        hwWebDelayedAxes* entry = &session->delayed[(session->delayedFirst + i) % SESSION_MOST_DELAYED];
        if (isnan(entry->due)) entry->due = time + session->delay;
    }
    bool due = session->delayedCount > 0 && session->delayed[session->delayedFirst].due <= time + 1e-9;
    if (due) {
        *out = session->delayed[session->delayedFirst];
        session->delayedFirst = (session->delayedFirst + 1) % SESSION_MOST_DELAYED;
        session->delayedCount -= 1;
    }
    pthread_mutex_unlock(&session->mutex);
    return due;
}

void hwWebSession_FollowConditions(hwWebSession* session) {
    double time = hwWebSession_GetTime(session);
    for (int i = 0; i < session->pendingCount; ++i) {
        hwWebPendingFault due = session->pending[i];
        if (due.time > time + 0.5 * SESSION_STEP) continue;
        session->pendingCount -= 1;
        memmove(&session->pending[i], &session->pending[i + 1],
                (size_t)(session->pendingCount - i) * sizeof(session->pending[0]));
        i -= 1;
        MakeNow(session, due.kind, due.thruster, due.value);
    }
    hwWebDelayedAxes arrived;
    while (TakeDelayed(session, time, &arrived)) {
        for (int i = 0; i < 4; ++i)
            hwLive_ApplyInput(session->live, session->controls.pilot[i], arrived.axes[i], NULL);
        atomic_store(&session->seq, arrived.seq);
        atomic_store(&session->inputHold, arrived.hold);
    }
}

// The last of the changes is how it is now, with what the world itself has lost.
static void Adopt(hwWebSession* session) {
    session->conditions = session->changes[session->changeCount - 1].conditions;
    char name[96];
    snprintf(name, sizeof(name), "%s.force.z", session->controls.name);
    int input = hwWorld_FindInput(hwLive_GetWorld(session->live), name);
    session->leak = input >= 0 ? 0.0 - hwWorld_ReadInput(hwLive_GetWorld(session->live), input) : 0.0;
    pthread_mutex_lock(&session->mutex);
    session->delay = session->conditions.commandDelay;
    session->loss = session->conditions.loss;
    session->delayedCount = 0;
    pthread_mutex_unlock(&session->mutex);
}

void hwWebSession_RewindConditions(hwWebSession* session) {
    if (session->changeCount == 0) return;
    double time = hwWebSession_GetTime(session);
    while (session->changeCount > 1 && session->changes[session->changeCount - 1].time > time + 1e-9)
        session->changeCount -= 1;
    Adopt(session);
    hwWebSession_Send(session, 0, false, hwWebSession_PutConditions(session));
}

// What a recording holds of them ---------------------------------------------------------------------------------------

// One event; false: it changes nothing of this.
static bool TakeEvent(hwWebConditions* c, const json_t* event, double time) {
    const char* type = json_string_value(json_object_get(event, "type"));
    const char* kind = json_string_value(json_object_get(event, "kind"));
    double value = json_number_value(json_object_get(event, "value"));
    if (type != NULL && strcmp(type, "visibility") == 0 && value > 0.0) {
        c->visibility = value;
        return true;
    }
    if (type == NULL || kind == NULL || strcmp(type, "fault") != 0) return false;
    for (int i = 0; i < FAULT_KINDS; ++i) {
        if (strcmp(kind, hwWebFaultKind_GetName((hwWebFaultKind)i)) != 0) continue;
        ChangeShown(c, (hwWebFaultKind)i, value, time);
        return true;
    }
    return false;
}

void hwWebSession_LoadConditions(hwWebSession* session, const hwFlight* flight, double end) {
    json_t* events = json_loads(hwFlight_GetEvents(flight), 0, NULL);
    for (size_t i = 0; i < json_array_size(events) && session->changeCount < SESSION_MOST_CHANGES; ++i) {
        const json_t* event = json_array_get(events, i);
        hwWebChange change = session->changes[session->changeCount - 1];
        change.time = json_number_value(json_object_get(event, "time"));
        if (change.time > end + 1e-9 || !TakeEvent(&change.conditions, event, change.time)) continue;
        session->changes[session->changeCount++] = change;
    }
    json_decref(events);
    if (session->live != NULL) Adopt(session);
}

void hwWebSession_ReplayConditions(hwWebSession* session) {
    double time = hwWebSession_GetTime(session);
    int at = session->changeCount - 1;
    while (at > 0 && session->changes[at].time > time + 1e-9) at -= 1;
    double visibility = session->changes[at].conditions.visibility, before = session->conditions.visibility;
    if (visibility == before || (isnan(visibility) && isnan(before))) return;
    session->conditions.visibility = visibility;
    hwWebSession_Send(session, 0, false, hwWebSession_PutConditions(session));
}
