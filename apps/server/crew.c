#include "apps/server/crew.h"

#include "apps/server/frame.h"
#include "apps/server/server_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const g_controlTexts[CONTROL_NONE] = {[CONTROL_VEHICLE] = "the vehicle",
                                                         [CONTROL_TETHER] = "the tether",
                                                         [CONTROL_EQUIPMENT] = "the equipment",
                                                         [CONTROL_TIME] = "the time",
                                                         [CONTROL_TEACHING] = "faults and water"};
static const char* const g_roleTexts[ROLE_COUNT] = {[ROLE_PILOT] = "pilot",
                                                    [ROLE_HANDLER] = "tether handler",
                                                    [ROLE_WINCH] = "winch operator",
                                                    [ROLE_INSTRUCTOR] = "instructor",
                                                    [ROLE_OBSERVER] = "observer"};

// Controls -------------------------------------------------------------------------------------------------------------

static bool BeginsWith(const char* text, const char* object) {
    size_t length = strlen(object);
    return length > 0 && strncmp(text, object, length) == 0 && text[length] == '.';
}

hwWebControl hwWebCrew_GetControl(const hwWebRequest* request, const char* vehicle) {
    hwWebControl control = hwWebRequestType_GetControl(request->type);
    if (request->type == REQUEST_COMMAND && request->command == COMMAND_FAIL_THRUSTER)
        return CONTROL_TEACHING;
    // a winch or a crane is equipment; what belongs to vehicle or sea is a fault
    for (int i = 0; request->type == REQUEST_SET && i < request->count; ++i) {
        if (BeginsWith(request->names[i], vehicle) || BeginsWith(request->names[i], "environment"))
            return CONTROL_TEACHING;
    }
    return control;
}

// The first aboard in a role: who came earlier has the seat, who came later is in reserve.
static hwWebConnection* FindSeated(hwWebServer* server, const hwWebSlot* slot, hwWebRole role) {
    hwWebConnection* first = NULL;
    for (hwWebConnection* c = server->connections; c != NULL; c = c->next) {
        if (c->session != slot->session || c->closing || c->role != role) continue;
        if (first == NULL || c->joined < first->joined) first = c;
    }
    return first;
}

hwWebConnection* hwWebCrew_FindHolder(hwWebServer* server, const hwWebSlot* slot, hwWebControl control) {
    hwWebConnection* pilot = hwWebServer_FindConnection(server, slot->owner);
    if (control < CONTROL_NONE && slot->taken[control] != 0) {
        hwWebConnection* taker = hwWebServer_FindConnection(server, slot->taken[control]);
        if (taker != NULL && taker->session == slot->session) return taker;
    }
    hwWebConnection* holder = NULL;
    switch (control) {
    case CONTROL_TETHER:
        holder = FindSeated(server, slot, ROLE_HANDLER);
        if (holder == NULL) holder = FindSeated(server, slot, ROLE_WINCH);
        break;
    case CONTROL_EQUIPMENT:
        holder = FindSeated(server, slot, ROLE_WINCH);
        break;
    case CONTROL_TIME:
    case CONTROL_TEACHING:
        holder = FindSeated(server, slot, ROLE_INSTRUCTOR);
        break;
    default:
        break;
    }
    return holder != NULL ? holder : pilot;
}

static const char* NameOf(const hwWebConnection* connection) {
    return connection->name[0] != 0 ? connection->name : g_roleTexts[connection->role];
}

// Faults and water of a lesson are its own: who is judged by it does not change them.
static bool IsOfTheLesson(const hwWebSlot* slot, const hwWebConnection* connection,
                          const hwWebRequest* request, hwWebControl control) {
    bool words = request->type == REQUEST_NOTE || request->type == REQUEST_HINTS;
    return control == CONTROL_TEACHING && !words && connection->role != ROLE_INSTRUCTOR && slot->ready &&
           hwWebSession_HasLesson(slot->session);
}

bool hwWebCrew_IsAllowed(hwWebServer* server, const hwWebSlot* slot, const hwWebConnection* connection,
                         const hwWebRequest* request, char* sentence, size_t size) {
    hwWebControl control = hwWebCrew_GetControl(request, hwWebSession_GetVehicle(slot->session));
    if (control == CONTROL_NONE) return true;
    if (connection->role == ROLE_OBSERVER) {
        snprintf(sentence, size, "this connection only watches: an observer changes nothing");
        return false;
    }
    if (IsOfTheLesson(slot, connection, request, control)) {
        snprintf(sentence, size, "water and faults are the lesson's: only an instructor changes them");
        return false;
    }
    const hwWebConnection* holder = hwWebCrew_FindHolder(server, slot, control);
    if (holder == connection) return true;
    if (holder == NULL) {
        snprintf(sentence, size, "the pilot is away, and nobody else may do this");
    } else if (control == CONTROL_PILOT) {
        snprintf(sentence, size, "only the pilot may do this");
    } else {
        snprintf(sentence, size, "%s: the %s has %s now", NameOf(holder), g_roleTexts[holder->role],
                 g_controlTexts[control]);
    }
    return false;
}

// Telling --------------------------------------------------------------------------------------------------------------

static json_t* PutHolders(hwWebServer* server, const hwWebSlot* slot) {
    json_t* json = json_object();
    for (int i = 0; i < CONTROL_NONE; ++i) {
        const hwWebConnection* holder = hwWebCrew_FindHolder(server, slot, (hwWebControl)i);
        json_object_set_new(json, hwWebControl_GetName((hwWebControl)i),
                            holder != NULL ? json_integer((json_int_t)holder->serial) : json_null());
    }
    return json;
}

static json_t* PutMembers(hwWebServer* server, const hwWebSlot* slot) {
    json_t* list = json_array();
    for (hwWebConnection* c = server->connections; c != NULL; c = c->next) {
        if (c->session != slot->session || c->closing) continue;
        json_array_append_new(list, json_pack("{s:I, s:s, s:s}", "member", (json_int_t)c->serial, "role",
                                              hwWebRole_GetName(c->role), "name", c->name));
    }
    return list;
}

void hwWebCrew_Tell(hwWebServer* server, const hwWebSlot* slot) {
    if (hwWebSession_GetKind(slot->session) != SESSION_FLIGHT || !slot->ready) return;
    json_t* members = PutMembers(server, slot);
    json_t* holders = PutHolders(server, slot);
    for (hwWebConnection* c = server->connections; c != NULL; c = c->next) {
        if (c->session != slot->session || c->closing) continue;
        hwWebConnection_Send(c,
                             json_pack("{s:s, s:I, s:s, s:O, s:O, s:b}", "type", "crew", "you",
                                       (json_int_t)c->serial, "role", hwWebRole_GetName(c->role), "members",
                                       members, "holders", holders, "comms", (int)!slot->silent));
    }
    json_decref(members);
    json_decref(holders);
}

static void SpreadJson(hwWebServer* server, const hwWebSlot* slot, json_t* json) {
    for (hwWebConnection* c = server->connections; c != NULL; c = c->next) {
        if (c->session == slot->session && !c->closing) hwWebConnection_Send(c, json_incref(json));
    }
    json_decref(json);
}

// A message from the server itself to the session, carried out as if it had been sent.
static void Post(const hwWebSlot* slot, hwWebRequest* request) {
    request->id = 0;
    hwWebSession_Post(slot->session, 0, request);
}

// A line in the recording's list of marks.
static void Record(const hwWebSlot* slot, const char* text) {
    hwWebRequest* request = calloc(1, sizeof(*request));
    if (request == NULL) return;
    request->type = REQUEST_MARK;
    snprintf(request->text, sizeof(request->text), "%s", text);
    Post(slot, request);
    free(request);
}

void hwWebCrew_Leave(hwWebServer* server, hwWebSlot* slot, const hwWebConnection* gone) {
    for (int i = 0; i < CONTROL_NONE; ++i) {
        if (slot->taken[i] == gone->serial) slot->taken[i] = 0;
    }
    bool handler = gone->role == ROLE_HANDLER && FindSeated(server, slot, ROLE_HANDLER) == NULL;
    hwWebRequest* request = handler ? calloc(1, sizeof(*request)) : NULL;
    if (request != NULL) {
        request->type = REQUEST_TETHER;
        request->tether = TETHER_AUTO;
        Post(slot, request);
        free(request);
    }
    hwWebCrew_Tell(server, slot);
}

// Messages -------------------------------------------------------------------------------------------------------------

static void Refuse(hwWebConnection* connection, const hwWebRequest* request, const char* code,
                   const char* sentence) {
    hwWebConnection_SendError(connection, request->id, code, sentence);
}

static void Reply(hwWebConnection* connection, const hwWebRequest* request, json_t* json) {
    if (request->id == 0) {
        json_decref(json);
        return;
    }
    if (json == NULL) json = json_object();
    json_object_set_new(json, "type", json_string("reply"));
    json_object_set_new(json, "id", json_integer(request->id));
    hwWebConnection_Send(connection, json);
}

static hwWebSlot* FindFlight(hwWebServer* server, const char* flight) {
    for (hwWebSlot* slot = server->slots; slot != NULL; slot = slot->next) {
        if (hwWebSession_GetKind(slot->session) == SESSION_FLIGHT && slot->ready &&
            !hwWebSession_IsDone(slot->session) && strcmp(hwWebSession_GetId(slot->session), flight) == 0)
            return slot;
    }
    return NULL;
}

static void Join(hwWebServer* server, hwWebConnection* connection, const hwWebRequest* request) {
    hwWebSlot* slot = FindFlight(server, request->flight);
    if (slot == NULL) {
        Refuse(connection, request, "value", "that flight is not in the air");
        return;
    }
    bool known = request->role != ROLE_PILOT && request->secret[0] != 0 &&
                 hwWebServer_IsSameText(request->secret, slot->secrets[request->role]);
    if (!known && !(connection->instructor && request->role != ROLE_PILOT)) {
        Refuse(connection, request, "token",
               request->role == ROLE_PILOT
                   ? "the pilot's seat is handed over by the pilot, not joined"
                   : "the link is not one of this flight's, or it is of another role");
        return;
    }
    hwWebServer_EndCurrent(server, connection);
    connection->session = slot->session;
    connection->role = request->role;
    connection->joined = ++server->joins;
    if (request->name[0] != 0) snprintf(connection->name, sizeof(connection->name), "%s", request->name);
    Reply(connection, request,
          json_pack("{s:s, s:s, s:f, s:n, s:s, s:s}", "kind", "watch", "title", request->flight, "start", 0.0,
                    "end", "flight", request->flight, "role", hwWebRole_GetName(request->role)));
    hwWebSession_PostDescription(slot->session, connection->serial, true);
    hwWebCrew_Tell(server, slot);
}

// The slot of a flight that the connection is aboard of, or null after a refusal.
static hwWebSlot* NeedFlight(hwWebServer* server, hwWebConnection* connection, const hwWebRequest* request) {
    hwWebSlot* slot = hwWebServer_FindSlot(server, connection->session);
    if (slot != NULL && hwWebSession_GetKind(slot->session) == SESSION_FLIGHT && slot->ready) return slot;
    Refuse(connection, request, "order", "this connection is aboard no flight");
    return NULL;
}

static void Invite(hwWebServer* server, hwWebConnection* connection, const hwWebRequest* request) {
    hwWebSlot* slot = NeedFlight(server, connection, request);
    if (slot == NULL) return;
    bool pilot = connection->serial == slot->owner;
    if (!pilot && connection->role != ROLE_INSTRUCTOR) {
        Refuse(connection, request, "order", "only the pilot and the instructor invite others");
        return;
    }
    if (request->role == ROLE_PILOT || (request->role == ROLE_INSTRUCTOR && !connection->instructor)) {
        Refuse(connection, request, "order",
               request->role == ROLE_PILOT ? "the pilot's seat is handed over, not joined"
                                           : "only an instructor invites instructors");
        return;
    }
    Reply(connection, request,
          json_pack("{s:s, s:s, s:s}", "flight", hwWebSession_GetId(slot->session), "role",
                    hwWebRole_GetName(request->role), "secret", slot->secrets[request->role]));
}

// The seats of two change: the pilot's goes with the flight itself.
static void HandOver(hwWebServer* server, hwWebConnection* connection, const hwWebRequest* request) {
    hwWebSlot* slot = NeedFlight(server, connection, request);
    if (slot == NULL) return;
    hwWebConnection* other = hwWebServer_FindConnection(server, request->member);
    if (other == NULL || other == connection || other->session != slot->session || other->closing) {
        Refuse(connection, request, "value", "that member is not aboard");
        return;
    }
    if (connection->role == ROLE_OBSERVER || connection->role == ROLE_INSTRUCTOR ||
        other->role == ROLE_INSTRUCTOR) {
        Refuse(connection, request, "order",
               "pilot, tether handler and winch operator hand over, to anybody but the instructor");
        return;
    }
    hwWebRole role = connection->role;
    connection->role = other->role;
    other->role = role;
    other->joined = ++server->joins;
    connection->joined = ++server->joins;
    Reply(connection, request, NULL);
    if (role == ROLE_PILOT || connection->role == ROLE_PILOT) {
        hwWebConnection* pilot = role == ROLE_PILOT ? other : connection;
        hwWebConnection* before = role == ROLE_PILOT ? connection : other;
        before->owns = false;
        before->axesActive = before->hold = false;
        pilot->owns = true;
        slot->owner = pilot->serial;
        static const double still[4] = {0.0, 0.0, 0.0, 0.0};
        hwWebSession_Pilot(slot->session, still, 0, false);
        // who had the flight before cannot resume it any more
        hwWebSession_RenewSecret(slot->session);
        hwWebConnection_Send(pilot, json_pack("{s:s, s:s, s:s}", "type", "seat", "flight",
                                              hwWebSession_GetId(slot->session), "secret",
                                              hwWebSession_GetSecret(slot->session)));
        hwWebConnection_Send(before, json_pack("{s:s, s:n, s:n}", "type", "seat", "flight", "secret"));
        hwWebSession_PostDescription(slot->session, before->serial, true);
        hwWebSession_PostDescription(slot->session, pilot->serial, false);
    }
    char text[200];
    snprintf(text, sizeof(text), "%s handed over: %s", g_roleTexts[role], NameOf(other));
    Record(slot, text);
    hwWebCrew_Tell(server, slot);
}

static void Take(hwWebServer* server, hwWebConnection* connection, const hwWebRequest* request, bool takes) {
    hwWebSlot* slot = NeedFlight(server, connection, request);
    if (slot == NULL) return;
    if (connection->role != ROLE_INSTRUCTOR) {
        Refuse(connection, request, "order", "only an instructor takes a control from others");
        return;
    }
    if (takes && request->control == CONTROL_VEHICLE && slot->taken[CONTROL_VEHICLE] == 0) {
        // nobody's sticks stay where they were
        static const double still[4] = {0.0, 0.0, 0.0, 0.0};
        hwWebSession_Pilot(slot->session, still, 0, false);
    }
    slot->taken[request->control] = takes ? connection->serial : 0;
    if (!takes && request->control == CONTROL_VEHICLE) connection->axesActive = connection->hold = false;
    Reply(connection, request, NULL);
    char text[200];
    snprintf(text, sizeof(text), "%s %s %s", NameOf(connection), takes ? "takes" : "gives back",
             g_controlTexts[request->control]);
    Record(slot, text);
    hwWebCrew_Tell(server, slot);
}

static void Say(hwWebServer* server, hwWebConnection* connection, const hwWebRequest* request) {
    hwWebSlot* slot = NeedFlight(server, connection, request);
    if (slot == NULL) return;
    if (slot->silent && connection->role != ROLE_INSTRUCTOR) {
        Refuse(connection, request, "order", "there are no comms now: the instructor has switched them off");
        return;
    }
    Reply(connection, request, NULL);
    char text[256];
    snprintf(text, sizeof(text), "%.60s: %.180s", NameOf(connection), request->text);
    Record(slot, text);
    SpreadJson(server, slot,
               json_pack("{s:s, s:I, s:s, s:s, s:s}", "type", "said", "member",
                         (json_int_t)connection->serial, "role", hwWebRole_GetName(connection->role), "name",
                         connection->name, "text", request->text));
}

static void SetComms(hwWebServer* server, hwWebConnection* connection, const hwWebRequest* request) {
    hwWebSlot* slot = NeedFlight(server, connection, request);
    if (slot == NULL) return;
    if (connection->role != ROLE_INSTRUCTOR) {
        Refuse(connection, request, "order", "only an instructor switches comms");
        return;
    }
    slot->silent = !request->flag;
    Reply(connection, request, NULL);
    Record(slot, request->flag ? "Comms are on" : "No comms from here on");
    hwWebCrew_Tell(server, slot);
}

static json_t* PutNumber(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

// The class: every flight in the air, as instructors see it.
static json_t* PutFlight(hwWebServer* server, const hwWebSlot* slot) {
    const hwWebConnection* pilot = hwWebServer_FindConnection(server, slot->owner);
    // the name in the logbook, else the one that the page came with
    const char* name = hwWebSession_GetPilot(slot->session);
    if (name[0] == 0 && pilot != NULL) name = pilot->name;
    json_t* json = json_pack("{s:s, s:s, s:s, s:b, s:o}", "flight", hwWebSession_GetId(slot->session),
                             "title", hwWebSession_GetTitle(slot->session), "pilot", name, "present",
                             (int)(pilot != NULL), "members", PutMembers(server, slot));
    if (json == NULL) return NULL;
    hwWebReadings readings;
    if (slot->lastFrame != NULL &&
        hwWebFrame_Read(slot->lastFrame->data + HW_WEB_FRAME_PRE, slot->lastFrame->size, &readings)) {
        json_object_set_new(json, "time", json_real(readings.time));
        json_object_set_new(json, "paused", json_boolean(readings.paused));
        json_object_set_new(json, "depth", PutNumber(readings.depth));
        json_object_set_new(json, "turns", PutNumber(readings.turns));
        json_object_set_new(json, "tension", PutNumber(readings.tension));
        json_object_set_new(json, "out", PutNumber(readings.out));
        json_object_set_new(json, "wrap", PutNumber(readings.wrap));
    }
    json_t* progress = slot->progress != NULL ? json_loads(slot->progress, 0, NULL) : NULL;
    if (progress != NULL) json_object_set_new(json, "progress", progress);
    return json;
}

static void ListClass(hwWebServer* server, hwWebConnection* connection, const hwWebRequest* request) {
    if (!connection->instructor) {
        Refuse(connection, request, "order", "only an instructor sees the class");
        return;
    }
    json_t* list = json_array();
    for (hwWebSlot* slot = server->slots; slot != NULL; slot = slot->next) {
        if (hwWebSession_GetKind(slot->session) != SESSION_FLIGHT || !slot->ready ||
            hwWebSession_IsStopping(slot->session))
            continue;
        json_array_append_new(list, PutFlight(server, slot));
    }
    Reply(connection, request, json_pack("{s:o}", "flights", list));
}

bool hwWebCrew_Carry(hwWebServer* server, hwWebConnection* connection, const hwWebRequest* request) {
    switch (request->type) {
    case REQUEST_JOIN:
        Join(server, connection, request);
        return true;
    case REQUEST_INVITE:
        Invite(server, connection, request);
        return true;
    case REQUEST_HAND_OVER:
        HandOver(server, connection, request);
        return true;
    case REQUEST_TAKE:
    case REQUEST_GIVE:
        Take(server, connection, request, request->type == REQUEST_TAKE);
        return true;
    case REQUEST_SAY:
        Say(server, connection, request);
        return true;
    case REQUEST_COMMS:
        SetComms(server, connection, request);
        return true;
    case REQUEST_CLASS:
        ListClass(server, connection, request);
        return true;
    default:
        return false;
    }
}
