// What messages do, and what sessions have to say.
#define _GNU_SOURCE // memmem
#include "apps/server/server_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PILOT_RATE 120.0
#define PILOT_BURST 60.0
#define OTHER_RATE 30.0
#define OTHER_BURST 60.0
#define START_RATE 1.0
#define START_BURST 10.0
#define FLOOD_TIME 10.0   // s of too many messages before the connection is closed
#define PILOT_TIMEOUT 1.0 // s without pilot messages: axes to zero
#define LOSS_PAUSE 30.0   // s without a connection: the world pauses
#define LOSS_END 600.0    // and ends
#define GREET_TIME 10.0   // s to say hello
#define STALL_TIME 15.0   // s in which something must get through

static const char g_busy[] = "as many flights as this server allows are in the air";
static const double g_still[4] = {0.0, 0.0, 0.0, 0.0};

static void WakeServer(void* context) {
    hwWebServer* server = context;
    lws_cancel_service(server->lws);
}

hwWebSlot* hwWebServer_FindSlot(hwWebServer* server, const hwWebSession* session) {
    for (hwWebSlot* slot = server->slots; slot != NULL; slot = slot->next) {
        if (slot->session == session) return slot;
    }
    return NULL;
}

static hwWebSlot* AddSlot(hwWebServer* server, hwWebSession* session, uint64_t owner) {
    hwWebSlot* slot = calloc(1, sizeof(*slot));
    if (slot == NULL) return NULL;
    slot->session = session;
    slot->owner = owner;
    slot->begun = slot->lastInput = hwWebServer_Clock();
    for (int i = 0; i < ROLE_COUNT; ++i) hwWebSession_MakeSecret(slot->secrets[i], sizeof(slot->secrets[i]));
    slot->next = server->slots;
    server->slots = slot;
    return slot;
}

// Whether it computes a world, or is about to: flights and live scenes, but not those that are ending.
static bool IsSeated(const hwWebSlot* slot) {
    return hwWebSession_GetKind(slot->session) != SESSION_REPLAY && !hwWebSession_IsStopping(slot->session);
}

// s for which a flight without its pilot has been ready to give way; negative: it may still be resumed undisturbed. One
// that was flown for less than the time it could claim claims no more than that.
static double GetOverdue(const hwWebServer* server, const hwWebSlot* slot, double now) {
    double flown = slot->lost - slot->begun;
    return now - slot->lost - (flown < server->def.seatTime ? flown : server->def.seatTime);
}

// Finds a place for a new world. Where all are taken, a flight gives way whose pilot has been gone for too long.
static bool FindSeat(hwWebServer* server, const hwWebConnection* connection) {
    int count = 0;
    double now = hwWebServer_Clock();
    hwWebSlot* abandoned = NULL;
    for (hwWebSlot* slot = server->slots; slot != NULL; slot = slot->next) {
        // what the connection has open now ends when the new one begins
        if (!IsSeated(slot) || slot->owner == connection->serial) continue;
        count += 1;
        if (slot->lost == 0.0) continue;
        if (abandoned == NULL || GetOverdue(server, slot, now) > GetOverdue(server, abandoned, now))
            abandoned = slot;
    }
    if (count < server->def.maxFlights) return true;
    if (abandoned == NULL || GetOverdue(server, abandoned, now) < 0.0) return false;
    hwWebSession_Stop(abandoned->session, "idle");
    return true;
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

// The connection lets go of its session; one that nobody can come back to ends.
void hwWebServer_LeaveSession(hwWebServer* server, hwWebConnection* connection) {
    hwWebSlot* slot = hwWebServer_FindSlot(server, connection->session);
    bool owned = connection->owns;
    if (slot != NULL) hwWebSession_ForgetConnection(slot->session, connection->serial);
    connection->session = NULL;
    connection->owns = false;
    if (slot != NULL) hwWebCrew_Leave(server, slot, connection);
    connection->role = ROLE_OBSERVER;
    connection->axesActive = connection->hold = false;
    hwWebFrameBuffer_Drop(connection->frame);
    connection->frame = NULL;
    for (int i = 0; i < SESSION_MOST_SONARS; ++i) {
        hwWebFrameBuffer_Drop(connection->sonars[i]);
        connection->sonars[i] = NULL;
    }
    if (slot == NULL || !owned || slot->owner != connection->serial) return;
    slot->owner = 0;
    slot->lost = hwWebServer_Clock();
    hwWebSession_Pilot(slot->session, g_still, 0, false);
    // nobody knows the secret of a flight that was not told yet
    if (hwWebSession_GetKind(slot->session) != SESSION_FLIGHT || !slot->ready)
        hwWebSession_Stop(slot->session, "stopped");
}

// A new session takes the place of what was open before, which ends.
void hwWebServer_EndCurrent(hwWebServer* server, hwWebConnection* connection) {
    hwWebSession* session = connection->session;
    bool owned = connection->owns;
    if (session == NULL) return;
    hwWebServer_LeaveSession(server, connection);
    if (owned) hwWebSession_Stop(session, "stopped");
}

// Hello ----------------------------------------------------------------------------------------------------------------

bool hwWebServer_IsSameText(const char* a, const char* b) {
    size_t la = strlen(a), lb = strlen(b);
    unsigned char differs = la != lb;
    for (size_t i = 0; i < la; ++i) differs |= (unsigned char)(a[i] ^ b[lb > 0 ? i % lb : 0]);
    return differs == 0;
}

static hwWebSuspect* FindSuspect(hwWebServer* server, const char* address) {
    hwWebSuspect* oldest = &server->suspects[0];
    for (size_t i = 0; i < sizeof(server->suspects) / sizeof(server->suspects[0]); ++i) {
        hwWebSuspect* suspect = &server->suspects[i];
        if (strcmp(suspect->address, address) == 0) return suspect;
        if (suspect->since < oldest->since) oldest = suspect;
    }
    memset(oldest, 0, sizeof(*oldest));
    snprintf(oldest->address, sizeof(oldest->address), "%s", address);
    return oldest;
}

static bool CheckSecret(hwWebServer* server, const char* address, const char* token, const char* right) {
    hwWebSuspect* suspect = FindSuspect(server, address);
    double now = hwWebServer_Clock();
    if (now - suspect->since > 60.0) suspect->count = 0;
    if (suspect->count >= 5) return false;
    if (hwWebServer_IsSameText(token, right)) return true;
    if (suspect->count == 0) suspect->since = now;
    suspect->count += 1;
    return false;
}

bool hwWebServer_CheckToken(hwWebServer* server, const char* address, const char* token) {
    return server->def.token == NULL || CheckSecret(server, address, token, server->def.token);
}

static bool TakeOver(hwWebServer* server, hwWebConnection* connection, const hwWebRequest* request) {
    for (hwWebSlot* slot = server->slots; slot != NULL; slot = slot->next) {
        if (hwWebSession_GetKind(slot->session) != SESSION_FLIGHT || hwWebSession_IsDone(slot->session) ||
            !slot->ready)
            continue;
        if (strcmp(hwWebSession_GetId(slot->session), request->flight) != 0) continue;
        if (!hwWebServer_IsSameText(request->secret, hwWebSession_GetSecret(slot->session))) return false;
        hwWebConnection* before = hwWebServer_FindConnection(server, slot->owner);
        if (before != NULL) {
            before->session = NULL;
            before->owns = false;
            before->role = ROLE_OBSERVER;
            hwWebConnection_Send(before, json_pack("{s:s, s:s, s:s}", "type", "ended", "reason", "taken",
                                                   "flight", hwWebSession_GetId(slot->session)));
        }
        slot->owner = connection->serial;
        slot->lost = 0.0;
        slot->lastInput = hwWebServer_Clock();
        if (slot->pausedByLoss) hwWebSession_Pause(slot->session, false);
        slot->pausedByLoss = false;
        connection->session = slot->session;
        connection->owns = true;
        connection->role = ROLE_PILOT;
        connection->joined = ++server->joins;
        return true;
    }
    return false;
}

static json_t* DescribePreset(const hwWebCatalog* catalog) {
    static const char* const kinds[] = {"", "surroundings", "scene", "results"};
    const hwWebCatalogScene* scene = hwWebCatalog_FindSceneByName(catalog, "preset");
    if (catalog->presetKind == PRESET_NONE && scene == NULL) return json_null();
    return json_pack("{s:s, s:s}", "kind",
                     scene != NULL && scene->vehicles ? "scene" : kinds[catalog->presetKind], "title",
                     scene != NULL ? scene->title : catalog->preset.title);
}

static void Hello(hwWebServer* server, hwWebConnection* connection, const hwWebRequest* request) {
    if (request->version != 1) {
        hwWebConnection_SendError(connection, request->id, "version", "this server speaks version 1");
        hwWebConnection_Close(connection, 1002);
        return;
    }
    if (!hwWebServer_CheckToken(server, connection->address, request->token)) {
        hwWebConnection_SendError(connection, request->id, "token", "the token is missing or wrong");
        hwWebConnection_Close(connection, 1008);
        return;
    }
    if (request->instructor[0] != 0 &&
        !CheckSecret(server, connection->address, request->instructor, server->instructor)) {
        hwWebConnection_SendError(connection, request->id, "token",
                                  "the instructor's link is not this server's");
        hwWebConnection_Close(connection, 1008);
        return;
    }
    connection->instructor = request->instructor[0] != 0;
    snprintf(connection->name, sizeof(connection->name), "%s", request->name);
    connection->greeted = true;
    bool resumed = request->resumes && TakeOver(server, connection, request);
    char name[64];
    snprintf(name, sizeof(name), "hawser %s", hwGetVersion());
    Reply(connection, request,
          json_pack("{s:i, s:s, s:s, s:b, s:b, s:o, s:o, s:o, s:o, s:b, s:{s:i, s:i}}", "version", 1,
                    "server", name, "mode", server->def.view ? "view" : "train", "resumed", (int)resumed,
                    "instructor", (int)connection->instructor, "catalog",
                    hwWebCatalog_ToJson(&server->catalog), "defaults",
                    hwWebFlightOptions_ToJson(&server->catalog.defaults), "preset",
                    DescribePreset(&server->catalog), "draft", hwWebDraft_ToJson(server), "study",
                    (int)(server->def.protocol != NULL), "limits", "frame_rate", 60, "flights",
                    server->def.maxFlights));
    if (!resumed) return;
    hwWebSession_PostDescription(connection->session, connection->serial, false);
    hwWebCrew_Tell(server, hwWebServer_FindSlot(server, connection->session));
}

// Beginning sessions -----------------------------------------------------------------------------------------------------

static hwWebSessionDef MakeDef(hwWebServer* server, const hwWebConnection* connection,
                               const hwWebRequest* request, hwWebSessionKind kind) {
    hwWebSessionDef def = {.kind = kind,
                           .catalog = &server->catalog,
                           .options = request->options,
                           .folder = server->flights,
                           .record = request->options.record,
                           .connection = connection->serial,
                           .request = request->id,
                           .frameRate = 30.0,
                           .queue = &server->queue,
                           .connect = &server->connect,
                           .wake = WakeServer,
                           .context = server};
    return def;
}

static void Begin(hwWebServer* server, hwWebConnection* connection, const hwWebRequest* request,
                  const hwWebSessionDef* def) {
    hwWebServer_EndCurrent(server, connection);
    hwWebSession* session = hwWebSession_Start(def);
    hwWebSlot* slot = session != NULL ? AddSlot(server, session, connection->serial) : NULL;
    if (slot == NULL) {
        hwWebSession_Free(session);
        hwWebConnection_SendError(connection, request->id, "failed",
                                  "there is not enough memory for another session");
        return;
    }
    connection->session = session;
    connection->owns = true;
    connection->role = ROLE_PILOT;
    connection->joined = ++server->joins;
    connection->busy = true; // until it is ready
}

static void Start(hwWebServer* server, hwWebConnection* connection, const hwWebRequest* request) {
    hwWebSessionDef def = MakeDef(server, connection, request, SESSION_FLIGHT);
    char message[200];
    if (!hwWebCatalog_CheckOptions(&server->catalog, &def.options, message, sizeof(message))) {
        hwWebConnection_SendError(connection, request->id, "value", message);
        return;
    }
    if (!FindSeat(server, connection)) {
        hwWebConnection_SendError(connection, request->id, "busy", g_busy);
        return;
    }
    Begin(server, connection, request, &def);
}

// A flight's folder, when there may be one of that name: no name leads elsewhere.
static bool FindFlightPath(const hwWebServer* server, const char* id, char* path, size_t size) {
    if (id[0] == 0 || strlen(id) >= 48) return false;
    for (const char* c = id; *c != 0; ++c) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || *c == '-';
        if (!plain) return false;
    }
    snprintf(path, size, "%s/%s", server->flights, id);
    return true;
}

static void Watch(hwWebServer* server, hwWebConnection* connection, const hwWebRequest* request) {
    for (hwWebSlot* slot = server->slots; slot != NULL; slot = slot->next) {
        bool flight = hwWebSession_GetKind(slot->session) == SESSION_FLIGHT && slot->ready &&
                      !hwWebSession_IsDone(slot->session);
        if (!flight || strcmp(hwWebSession_GetId(slot->session), request->flight) != 0) continue;
        hwWebServer_EndCurrent(server, connection);
        connection->session = slot->session;
        connection->role = ROLE_OBSERVER;
        connection->joined = ++server->joins;
        Reply(connection, request,
              json_pack("{s:s, s:s, s:f, s:n, s:s}", "kind", "watch", "title", request->flight, "start", 0.0,
                        "end", "flight", request->flight));
        hwWebSession_PostDescription(slot->session, connection->serial, true);
        hwWebCrew_Tell(server, slot);
        return;
    }
    hwWebConnection_SendError(connection, request->id, "value", "that flight is not in the air");
}

static bool IsInTheAir(const hwWebServer* server, const char* flight) {
    for (const hwWebSlot* slot = server->slots; slot != NULL; slot = slot->next) {
        if (strcmp(hwWebSession_GetId(slot->session), flight) == 0) return true;
    }
    return false;
}

static void Open(hwWebServer* server, hwWebConnection* connection, const hwWebRequest* request) {
    hwWebSessionDef def = MakeDef(server, connection, request, SESSION_SCENE);
    char path[700];
    def.record = false;
    switch (request->kind) {
    case OPEN_WATCH:
        Watch(server, connection, request);
        return;
    case OPEN_CLIP: {
        // which of the two it is remains the server's
        const char* clip = hwWebStudy_FindClip(server, connection, request);
        if (clip == NULL) return;
        if (!FindFlightPath(server, clip, path, sizeof(path))) {
            hwWebConnection_SendError(connection, request->id, "value",
                                      "a recording of this pair is missing");
            return;
        }
        def.flight = path;
        def.kind = SESSION_REPLAY;
        break;
    }
    case OPEN_REPLAY:
    case OPEN_RESUME:
        if (!FindFlightPath(server, request->flight, path, sizeof(path))) {
            hwWebConnection_SendError(connection, request->id, "value", "there is no such flight");
            return;
        }
        def.flight = path;
        if (request->kind == OPEN_REPLAY) {
            def.kind = SESSION_REPLAY;
            break;
        }
        if (IsInTheAir(server, request->flight)) {
            hwWebConnection_SendError(connection, request->id, "order", "that flight is still in the air");
            return;
        }
        def.kind = SESSION_FLIGHT;
        def.branchTime = HUGE_VAL; // as far as it came
        def.record = true;
        break;
    case OPEN_PRESET:
        if (server->catalog.presetKind == PRESET_RESULTS) {
            def.kind = SESSION_REPLAY;
            def.results = server->catalog.presetPath;
            break;
        }
        def.scene = hwWebCatalog_FindSceneByName(&server->catalog, "preset");
        break;
    case OPEN_SCENE:
        def.scene = hwWebCatalog_FindSceneByName(&server->catalog, request->name);
        break;
    }
    if (def.kind == SESSION_SCENE && def.scene == NULL) {
        hwWebConnection_SendError(connection, request->id, "value", "there is no such scene");
        return;
    }
    if (def.kind != SESSION_REPLAY && !FindSeat(server, connection)) {
        hwWebConnection_SendError(connection, request->id, "busy", g_busy);
        return;
    }
    Begin(server, connection, request, &def);
}

// Messages -------------------------------------------------------------------------------------------------------------

static void Pilot(hwWebServer* server, hwWebConnection* connection, const hwWebRequest* request) {
    hwWebSlot* slot = hwWebServer_FindSlot(server, connection->session);
    if (slot == NULL || hwWebSession_GetKind(slot->session) != SESSION_FLIGHT) {
        hwWebConnection_SendError(connection, request->id, "order", "this connection flies nothing");
        return;
    }
    char sentence[200];
    if (!hwWebCrew_IsAllowed(server, slot, connection, request, sentence, sizeof(sentence))) {
        // sticks are repeated many times a second: who moves them is told once a second
        if (request->id == 0 && hwWebServer_Clock() - connection->rateTold < 1.0) return;
        connection->rateTold = hwWebServer_Clock();
        hwWebConnection_SendError(connection, request->id, "order", sentence);
        return;
    }
    double now = hwWebServer_Clock();
    hwWebSession_Pilot(slot->session, request->axes, request->seq, request->hold);
    connection->lastPilot = slot->lastInput = now;
    connection->hold = request->hold;
    connection->axesActive = false;
    for (int i = 0; i < 4; ++i) connection->axesActive = connection->axesActive || request->axes[i] != 0.0;
    if (connection->pilotAlert) {
        connection->pilotAlert = false;
        hwWebConnection_Send(connection,
                             json_pack("{s:s, s:s, s:s, s:s, s:b}", "type", "alert", "level", "warning",
                                       "code", "pilot", "text", "Pilot input is back", "over", 1));
    }
    Reply(connection, request, NULL);
}

static void AboutSession(hwWebServer* server, hwWebConnection* connection, const hwWebRequest* request) {
    hwWebSlot* slot = hwWebServer_FindSlot(server, connection->session);
    if (slot == NULL) {
        hwWebConnection_SendError(connection, request->id, "order", "no session is open");
        return;
    }
    bool flight = hwWebSession_GetKind(slot->session) == SESSION_FLIGHT;
    char sentence[200];
    if (flight && !hwWebCrew_IsAllowed(server, slot, connection, request, sentence, sizeof(sentence))) {
        hwWebConnection_SendError(connection, request->id, "order", sentence);
        return;
    }
    // the world has one rate of frames, which is its pilot's
    if (request->type == REQUEST_FRAMES && !connection->owns) {
        Reply(connection, request, NULL);
        return;
    }
    // how many frames a page can show it tells by itself
    if (request->type != REQUEST_FRAMES) slot->lastInput = hwWebServer_Clock();
    if (!hwWebSession_Post(slot->session, connection->serial, request)) {
        hwWebConnection_SendError(connection, request->id, "rate", "the session has too much to do");
        return;
    }
    connection->busy = request->id != 0;
}

// Sessions are begun one a second at most, and a flight from a replay needs a place like any other.
static bool MayBegin(hwWebServer* server, hwWebConnection* connection, const hwWebRequest* request) {
    bool branch = request->type == REQUEST_BRANCH;
    if (request->type != REQUEST_START && request->type != REQUEST_OPEN && !branch) return true;
    if (!hwWebBucket_Take(&connection->startBucket, START_RATE, START_BURST, hwWebServer_Clock())) {
        hwWebConnection_SendError(connection, request->id, "rate", "sessions are begun too often");
        return false;
    }
    if (branch && connection->owns && connection->session != NULL &&
        hwWebSession_GetKind(connection->session) == SESSION_REPLAY && !FindSeat(server, connection)) {
        hwWebConnection_SendError(connection, request->id, "busy", g_busy);
        return false;
    }
    return true;
}

static void Dispatch(hwWebServer* server, hwWebConnection* connection, const hwWebRequest* request) {
    if (request->type == REQUEST_HELLO) {
        if (connection->greeted) {
            hwWebConnection_SendError(connection, request->id, "order", "hello was said already");
        } else {
            Hello(server, connection, request);
        }
        return;
    }
    if (!connection->greeted && request->type != REQUEST_PING) {
        hwWebConnection_SendError(connection, request->id, "order", "say hello first");
        return;
    }
    if (!MayBegin(server, connection, request) || hwWebCrew_Carry(server, connection, request)) return;
    hwWebServerJob job = {.kind = JOB_FLIGHTS, .connection = connection->serial, .request = request->id};
    switch (request->type) {
    case REQUEST_CATALOG:
        Reply(connection, request, json_pack("{s:o}", "catalog", hwWebCatalog_ToJson(&server->catalog)));
        break;
    case REQUEST_PING:
        Reply(connection, request,
              json_pack("{s:f, s:f}", "t", request->value, "server", hwWebServer_Clock()));
        break;
    case REQUEST_START:
        Start(server, connection, request);
        break;
    case REQUEST_OPEN:
        Open(server, connection, request);
        break;
    case REQUEST_STOP:
        if (connection->session == NULL) {
            hwWebConnection_SendError(connection, request->id, "order", "no session is open");
        } else if (connection->owns) {
            hwWebSession_Stop(connection->session, "stopped");
            Reply(connection, request, NULL);
        } else {
            hwWebServer_LeaveSession(server, connection);
            Reply(connection, request, NULL);
        }
        break;
    case REQUEST_PILOT:
        Pilot(server, connection, request);
        break;
    case REQUEST_FLIGHTS:
        if (hwWebServer_StartJob(server, &job) == NULL) {
            hwWebConnection_SendError(connection, request->id, "busy", "the server has too much to do");
        } else {
            connection->busy = true;
        }
        break;
    case REQUEST_LOGBOOK:
        job.kind = JOB_LOGBOOK;
        if (hwWebServer_StartJob(server, &job) == NULL) {
            hwWebConnection_SendError(connection, request->id, "busy", "the server has too much to do");
        } else {
            connection->busy = true;
        }
        break;
    case REQUEST_STUDY:
        hwWebStudy_Tell(server, connection, request);
        break;
    case REQUEST_RATE:
        hwWebStudy_Rate(server, connection, request);
        break;
    case REQUEST_DEBRIEF:
        job.kind = JOB_DEBRIEF;
        if (!FindFlightPath(server, request->flight, job.source, sizeof(job.source))) {
            hwWebConnection_SendError(connection, request->id, "value", "there is no such flight");
        } else if (hwWebServer_StartJob(server, &job) == NULL) {
            hwWebConnection_SendError(connection, request->id, "busy", "the server has too much to do");
        } else {
            connection->busy = true;
        }
        break;
    default:
        AboutSession(server, connection, request);
        break;
    }
}

// Carries a message out. While the connection waits for an answer only a pilot's do not wait too, the newest of which counts, and
// pings, which ask whether anybody is there. False: it must wait.
static bool Carry(hwWebServer* server, hwWebConnection* connection, const char* text, size_t size,
                  bool waiting) {
    static hwWebRequest request; // of the server's only thread
    hwWebRequestError error;
    bool good = hwWebRequest_Parse(text, size, &server->catalog.defaults, &request, &error);
    if (waiting && !(good && (request.type == REQUEST_PILOT || request.type == REQUEST_PING))) return false;
    if (good) {
        Dispatch(server, connection, &request);
    } else {
        hwWebConnection_SendError(connection, request.id, error.code, error.message);
    }
    return true;
}

// Whether it is one of the many messages of a pilot, without reading it whole.
static bool LooksLikePilot(const char* text, size_t size) {
    return size < 400 && memmem(text, size, "\"pilot\"", 7) != NULL;
}

static bool IsTooMany(hwWebConnection* connection, const char* text, size_t size) {
    double now = hwWebServer_Clock();
    bool pilot = LooksLikePilot(text, size);
    bool allowed = pilot ? hwWebBucket_Take(&connection->pilotBucket, PILOT_RATE, PILOT_BURST, now)
                         : hwWebBucket_Take(&connection->bucket, OTHER_RATE, OTHER_BURST, now);
    if (allowed) {
        if (!pilot && connection->bucket.level > 0.5 * OTHER_BURST) connection->floodSince = 0.0;
        return false;
    }
    if (connection->floodSince == 0.0) connection->floodSince = now;
    if (!pilot && now - connection->floodSince > FLOOD_TIME) hwWebConnection_Close(connection, 1008);
    if (now - connection->rateTold > 1.0) {
        connection->rateTold = now;
        hwWebConnection_SendError(connection, 0, "rate", "too many messages; some were ignored");
    }
    return true;
}

void hwWebServer_Receive(hwWebServer* server, hwWebConnection* connection, const char* text, size_t size) {
    if (connection->closing || IsTooMany(connection, text, size)) return;
    bool waiting = connection->busy || connection->firstIn != NULL;
    if (Carry(server, connection, text, size, waiting)) return;
    hwWebInText* in = connection->inCount < MOST_BACKLOG ? calloc(1, sizeof(*in)) : NULL;
    char* data = in != NULL ? malloc(size + 1) : NULL;
    if (data == NULL) {
        free(in);
        hwWebConnection_SendError(connection, 0, "rate",
                                  "too many messages wait for an answer; this one was ignored");
        return;
    }
    memcpy(data, text, size);
    in->data = data;
    in->size = size;
    if (connection->lastIn != NULL) {
        connection->lastIn->next = in;
    } else {
        connection->firstIn = in;
    }
    connection->lastIn = in;
    connection->inCount += 1;
}

void hwWebServer_Resume(hwWebServer* server, hwWebConnection* connection) {
    while (!connection->busy && !connection->closing && connection->firstIn != NULL) {
        hwWebInText* in = connection->firstIn;
        connection->firstIn = in->next;
        if (connection->firstIn == NULL) connection->lastIn = NULL;
        connection->inCount -= 1;
        Carry(server, connection, in->data, in->size, false);
        free(in->data);
        free(in);
    }
}

// News -------------------------------------------------------------------------------------------------------------------

static void SpreadText(hwWebServer* server, const hwWebSession* session, const char* text) {
    for (hwWebConnection* c = server->connections; c != NULL; c = c->next) {
        if (c->session == session) hwWebConnection_SendText(c, text);
    }
}

// The overview of a class shows how lessons stand.
static void KeepProgress(hwWebSlot* slot, const char* text) {
    if (text == NULL || strncmp(text, "{\"type\":\"progress\"", 18) != 0) return;
    free(slot->progress);
    slot->progress = strdup(text);
}

static void CarryNote(hwWebServer* server, hwWebSlot* slot, hwWebNote* note) {
    hwWebConnection* connection = hwWebServer_FindConnection(server, note->connection);
    hwWebConnection* owner = hwWebServer_FindConnection(server, slot->owner);
    switch (note->kind) {
    case NOTE_TEXT:
        if (note->connection == 0) {
            SpreadText(server, slot->session, note->text);
            KeepProgress(slot, note->text);
        } else if (connection != NULL) {
            hwWebConnection_SendText(connection, note->text);
            if (note->answers && slot->ready) connection->busy = false;
        }
        break;
    case NOTE_READY:
        slot->ready = true;
        if (owner != NULL) owner->busy = false;
        hwWebCrew_Tell(server, slot);
        break;
    case NOTE_FAILED:
        if (owner != NULL) {
            owner->busy = false;
            owner->session = NULL;
            owner->owns = false;
        }
        break;
    case NOTE_BRANCHED: {
        hwWebSlot* branch = AddSlot(server, note->session, note->connection);
        if (branch == NULL || connection == NULL) {
            hwWebSession_Stop(note->session, "stopped");
            if (branch == NULL) hwWebSession_Free(note->session);
            if (connection != NULL) connection->busy = false;
            break;
        }
        slot->owner = 0;
        slot->lost = hwWebServer_Clock();
        // a replay stays for nobody
        if (hwWebSession_GetKind(slot->session) != SESSION_FLIGHT)
            hwWebSession_Stop(slot->session, "stopped");
        connection->session = note->session;
        connection->owns = true;
        connection->role = ROLE_PILOT;
        connection->busy = true;
        break;
    }
    }
}

static void SpreadFrame(hwWebServer* server, hwWebSlot* slot) {
    hwWebSession* session = slot->session;
    hwWebFrameBuffer* frame = hwWebSession_TakeFrame(session);
    if (frame == NULL) return;
    hwWebFrameBuffer_Drop(slot->lastFrame);
    slot->lastFrame = hwWebFrameBuffer_Use(frame);
    for (hwWebConnection* c = server->connections; c != NULL; c = c->next) {
        if (c->session != session || c->closing) continue;
        hwWebFrameBuffer_Drop(c->frame);
        c->frame = hwWebFrameBuffer_Use(frame);
        if (c->blocked == 0.0) c->blocked = hwWebServer_Clock();
        lws_callback_on_writable(c->wsi);
    }
    hwWebFrameBuffer_Drop(frame);
}

// Images of sonars, to those who asked for them; a newer one replaces one that was not sent.
static void SpreadSonars(hwWebServer* server, const hwWebSlot* slot) {
    for (int i = 0; i < SESSION_MOST_SONARS; ++i) {
        hwWebFrameBuffer* image = hwWebSession_TakeSonar(slot->session, i);
        for (hwWebConnection* c = server->connections; image != NULL && c != NULL; c = c->next) {
            if (c->session != slot->session || c->closing ||
                !hwWebSession_WantsSonar(slot->session, c->serial, i))
                continue;
            hwWebFrameBuffer_Drop(c->sonars[i]);
            c->sonars[i] = hwWebFrameBuffer_Use(image);
            if (c->blocked == 0.0) c->blocked = hwWebServer_Clock();
            lws_callback_on_writable(c->wsi);
        }
        hwWebFrameBuffer_Drop(image);
    }
}

static void FreeDone(hwWebServer* server) {
    hwWebSlot** link = &server->slots;
    while (*link != NULL) {
        hwWebSlot* slot = *link;
        if (!hwWebSession_IsDone(slot->session)) {
            link = &slot->next;
            continue;
        }
        // what it said last comes before it goes
        hwWebNote* note = hwWebSession_TakeNotes(slot->session);
        while (note != NULL) {
            hwWebNote* next = note->next;
            CarryNote(server, slot, note);
            hwWebNote_Free(note);
            note = next;
        }
        for (hwWebConnection* c = server->connections; c != NULL; c = c->next) {
            if (c->session != slot->session) continue;
            c->session = NULL;
            c->owns = c->busy = false;
        }
        // a note may have put another slot in front
        for (link = &server->slots; *link != slot;) link = &(*link)->next;
        *link = slot->next;
        hwWebSession_Free(slot->session);
        hwWebFrameBuffer_Drop(slot->lastFrame);
        free(slot->progress);
        free(slot);
    }
}

void hwWebServer_CollectNews(hwWebServer* server) {
    for (hwWebSlot* slot = server->slots; slot != NULL; slot = slot->next) {
        hwWebNote* note = hwWebSession_TakeNotes(slot->session);
        while (note != NULL) {
            hwWebNote* next = note->next;
            CarryNote(server, slot, note);
            hwWebNote_Free(note);
            note = next;
        }
        SpreadFrame(server, slot);
        SpreadSonars(server, slot);
    }
    FreeDone(server);
    hwWebServer_CollectJobs(server);
    for (hwWebConnection* c = server->connections; c != NULL; c = c->next) hwWebServer_Resume(server, c);
}

// Every now and then -----------------------------------------------------------------------------------------------------

static void TickConnection(hwWebServer* server, hwWebConnection* c, double now) {
    (void)server;
    if (!c->greeted && now - c->opened > GREET_TIME) hwWebConnection_Close(c, 1008);
    if (c->blocked != 0.0 && now - c->blocked > STALL_TIME)
        lws_set_timeout(c->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
    if (c->session == NULL || !c->axesActive || c->hold || now - c->lastPilot < PILOT_TIMEOUT) return;
    c->axesActive = false;
    c->pilotAlert = true;
    hwWebSession_Pilot(c->session, g_still, 0, false);
    hwWebConnection_Send(c, json_pack("{s:s, s:s, s:s, s:s}", "type", "alert", "level", "warning", "code",
                                      "pilot", "text", "Pilot input stopped coming; axes are at zero"));
}

void hwWebServer_Tick(hwWebServer* server) {
    double now = hwWebServer_Clock();
    for (hwWebConnection* c = server->connections; c != NULL; c = c->next) TickConnection(server, c, now);
    for (hwWebSlot* slot = server->slots; slot != NULL; slot = slot->next) {
        if (hwWebSession_GetKind(slot->session) != SESSION_FLIGHT) continue;
        if (slot->lost != 0.0 && now - slot->lost > LOSS_END) hwWebSession_Stop(slot->session, "idle");
        if (slot->lost != 0.0 && now - slot->lost > LOSS_PAUSE && !slot->pausedByLoss) {
            slot->pausedByLoss = true;
            hwWebSession_Pause(slot->session, true);
        }
        if (now - slot->lastInput > server->def.flightIdle) hwWebSession_Stop(slot->session, "idle");
    }
    hwWebDraft_Look(server);
    hwWebServer_CollectNews(server);
    if (server->connectionCount > 0) server->lastVisit = now;
    if (server->def.idle > 0.0 && now - server->lastVisit > server->def.idle) server->finished = true;
}
