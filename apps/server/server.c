#define _POSIX_C_SOURCE 200809L
#include "apps/server/head.h"
#include "apps/server/server_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define TICK_US (200 * 1000)
#define GIVE_WAY_TIME 10.0 // s of silence after which a connection without a session makes room for a new one

// Connections ------------------------------------------------------------------------------------------------------------

static hwWebConnection* AddConnection(hwWebServer* server, struct lws* wsi) {
    hwWebConnection* c = calloc(1, sizeof(*c));
    if (c == NULL) return NULL;
    c->serial = ++server->serials;
    c->wsi = wsi;
    c->opened = c->lastHeard = hwWebServer_Clock();
    lws_get_peer_simple(wsi, c->address, sizeof(c->address));
    c->next = server->connections;
    server->connections = c;
    server->connectionCount += 1;
    return c;
}

static void RemoveConnection(hwWebServer* server, hwWebConnection* c) {
    hwWebServer_LeaveSession(server, c);
    for (hwWebConnection** link = &server->connections; *link != NULL; link = &(*link)->next) {
        if (*link != c) continue;
        *link = c->next;
        break;
    }
    server->connectionCount -= 1;
    while (c->firstOut != NULL) {
        hwWebOutText* next = c->firstOut->next;
        free(c->firstOut->data);
        free(c->firstOut);
        c->firstOut = next;
    }
    while (c->firstIn != NULL) {
        hwWebInText* next = c->firstIn->next;
        free(c->firstIn->data);
        free(c->firstIn);
        c->firstIn = next;
    }
    hwWebFrameBuffer_Drop(c->frame);
    for (int i = 0; i < SESSION_MOST_SONARS; ++i) hwWebFrameBuffer_Drop(c->sonars[i]);
    free(c->inbound);
    free(c);
}

// Who is let in ----------------------------------------------------------------------------------------------------------

static int CountPasses(const hwWebServer* server, bool webSocket, const hwWebPeer* peer) {
    int count = 0;
    for (int i = 0; i < server->passCount; ++i) {
        const hwWebPass* pass = &server->passes[i];
        count += pass->webSocket == webSocket && (peer == NULL || hwWebPeer_IsSame(&pass->peer, peer));
    }
    return count;
}

// Of the connections that have no session and have said nothing for a while, the one that has been silent longest goes.
static bool MakeRoom(hwWebServer* server) {
    hwWebConnection* silent = NULL;
    for (hwWebConnection* c = server->connections; c != NULL; c = c->next) {
        if (c->session != NULL || c->busy || c->closing) continue;
        if (silent == NULL || c->lastHeard < silent->lastHeard) silent = c;
    }
    if (silent == NULL || hwWebServer_Clock() - silent->lastHeard < GIVE_WAY_TIME) return false;
    hwWebConnection_Close(silent, 1013);
    return true;
}

static bool IsRoom(hwWebServer* server, const hwWebArrival* arrival) {
    if (server->passCount >= MOST_PASSES) return false;
    int most = arrival->webSocket ? MOST_CONNECTIONS : MOST_REQUESTS;
    if (!arrival->peer.loopback && CountPasses(server, arrival->webSocket, &arrival->peer) >= MOST_OF_ONE)
        return false;
    return CountPasses(server, arrival->webSocket, NULL) < most || (arrival->webSocket && MakeRoom(server));
}

void hwWebServer_Admit(hwWebServer* server) {
    hwWebArrival arrival;
    for (int i = 0; server->door != NULL && hwWebDoor_Take(server->door, &arrival); ++i) {
        if (!IsRoom(server, &arrival)) {
            hwWebDoor_Return(server->door, &arrival);
            continue;
        }
        uintptr_t serial = ++server->passSerials;
        server->passes[server->passCount++] =
            (hwWebPass){.serial = serial, .peer = arrival.peer, .webSocket = arrival.webSocket};
        lws_adopt_desc_t info;
        memset(&info, 0, sizeof(info));
        info.vh = server->vhost;
        info.type = LWS_ADOPT_SOCKET | LWS_ADOPT_HTTP;
        info.fd.sockfd = arrival.fd;
        info.opaque = (void*)serial;
        // the library closes the socket when it cannot, and may or may not tell
        if (lws_adopt_descriptor_vhost_via_info(&info) == NULL) hwWebServer_ReleasePass(server, serial);
        if (i + 1 < ADMIT_BUDGET) continue;
        lws_cancel_service(server->lws); // the rest comes after the frames
        return;
    }
}

void hwWebServer_ReleasePass(hwWebServer* server, uintptr_t serial) {
    for (int i = 0; i < server->passCount; ++i) {
        if (server->passes[i].serial != serial) continue;
        server->passes[i] = server->passes[--server->passCount];
        return;
    }
}

// Messages ---------------------------------------------------------------------------------------------------------------

static bool HasSonar(const hwWebConnection* c) {
    for (int i = 0; i < SESSION_MOST_SONARS; ++i) {
        if (c->sonars[i] != NULL) return true;
    }
    return false;
}

// The image of a sonar that waits, if one does; false: the connection is gone.
static bool WriteSonar(hwWebConnection* c) {
    for (int i = 0; i < SESSION_MOST_SONARS; ++i) {
        hwWebFrameBuffer* image = c->sonars[i];
        if (image == NULL) continue;
        c->sonars[i] = NULL;
        int sent = lws_write(c->wsi, image->data + HW_WEB_FRAME_PRE, image->size, LWS_WRITE_BINARY);
        bool good = sent >= (int)image->size;
        hwWebFrameBuffer_Drop(image);
        return good;
    }
    return true;
}

// One message at a time, texts before frames, frames before images.
static int Write(hwWebConnection* c) {
    if (c->firstOut != NULL) {
        hwWebOutText* out = c->firstOut;
        int sent = lws_write(c->wsi, (unsigned char*)out->data + LWS_PRE, out->size, LWS_WRITE_TEXT);
        if (sent < (int)out->size) return -1;
        c->firstOut = out->next;
        if (c->firstOut == NULL) c->lastOut = NULL;
        c->outBytes -= out->size;
        free(out->data);
        free(out);
    } else if (c->closing) {
        lws_close_reason(c->wsi, (enum lws_close_status)c->closeCode, NULL, 0);
        return -1;
    } else if (c->frame != NULL) {
        hwWebFrameBuffer* frame = c->frame;
        c->frame = NULL;
        int sent = lws_write(c->wsi, frame->data + 64, frame->size, LWS_WRITE_BINARY);
        bool good = sent >= (int)frame->size;
        hwWebFrameBuffer_Drop(frame);
        if (!good) return -1;
    } else if (!WriteSonar(c)) {
        return -1;
    }
    c->blocked = 0.0;
    if (c->firstOut != NULL || c->frame != NULL || HasSonar(c) || c->closing) {
        c->blocked = hwWebServer_Clock();
        lws_callback_on_writable(c->wsi);
    }
    return 0;
}

static int Refuse(hwWebConnection* c, uint16_t code) {
    lws_close_reason(c->wsi, (enum lws_close_status)code, NULL, 0);
    return -1;
}

static int Receive(hwWebServer* server, hwWebConnection* c, const char* bytes, size_t size) {
    c->lastHeard = hwWebServer_Clock();
    if (lws_frame_is_binary(c->wsi)) return Refuse(c, 1003);
    // what the frame announces counts before it has come
    if (c->inboundSize + size + lws_remaining_packet_payload(c->wsi) > REQUEST_MOST_BYTES)
        return Refuse(c, 1009);
    char* inbound = realloc(c->inbound, c->inboundSize + size + 1);
    if (inbound == NULL) return Refuse(c, 1011);
    memcpy(inbound + c->inboundSize, bytes, size);
    c->inbound = inbound;
    c->inboundSize += size;
    if (!lws_is_final_fragment(c->wsi) || lws_remaining_packet_payload(c->wsi) > 0) return 0;
    size_t whole = c->inboundSize;
    c->inboundSize = 0;
    hwWebServer_Receive(server, c, inbound, whole);
    return 0;
}

typedef struct SocketState {
    hwWebConnection* connection;
} SocketState;

static int SocketCallback(struct lws* wsi, enum lws_callback_reasons reason, void* user, void* in,
                          size_t size) {
    SocketState* state = user;
    hwWebServer* server = lws_context_user(lws_get_context(wsi));
    switch (reason) {
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return hwWebHttp_IsAllowed(server, wsi, true)
                   ? 0
                   : -1; // the door has seen to it; this is the second lock
    case LWS_CALLBACK_ESTABLISHED:
        state->connection = AddConnection(server, wsi);
        return state->connection != NULL ? 0 : -1;
    case LWS_CALLBACK_RECEIVE:
        return state->connection != NULL ? Receive(server, state->connection, in, size) : -1;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return state->connection != NULL ? Write(state->connection) : -1;
    case LWS_CALLBACK_CLOSED:
        if (state->connection != NULL) RemoveConnection(server, state->connection);
        state->connection = NULL;
        return 0;
    default:
        return 0;
    }
}

static void SetError(hwError* error, hwStatus status, const char* message, const char* hint) {
    if (error == NULL) return;
    memset(error, 0, sizeof(*error));
    error->status = status;
    error->index = -1;
    snprintf(error->message, sizeof(error->message), "%s", message);
    snprintf(error->hint, sizeof(error->hint), "%s", hint);
}

// Running ----------------------------------------------------------------------------------------------------------------

// Names that cannot be written in Sec-WebSocket-Protocol are nothing that a client can ask for.
static const struct lws_protocols g_protocols[] = {
    {.name = "(page)", .callback = hwWebHttp_Callback, .per_session_data_size = sizeof(hwWebHttpState)},
    {.name = WS_PROTOCOL,
     .callback = SocketCallback,
     .per_session_data_size = sizeof(SocketState),
     .rx_buffer_size = 16384},
    {.name = NULL}};

static void OnTimer(lws_sorted_usec_list_t* timer) {
    hwWebServer* server = lws_container_of(timer, hwWebServer, timer);
    hwWebServer_Tick(server);
    lws_sul_schedule(server->lws, 0, timer, OnTimer, TICK_US);
}

static void WakeUp(void* context) {
    hwWebServer* server = context;
    lws_cancel_service(server->lws);
}

static bool CreateContext(hwWebServer* server) {
    struct lws_context_creation_info info;
    memset(&info, 0, sizeof(info));
    info.port = CONTEXT_PORT_NO_LISTEN_SERVER;
    info.vhost_name = "hawser";
    info.protocols = g_protocols;
    info.user = server;
    info.gid = (gid_t)-1;
    info.uid = (uid_t)-1;
    info.options = LWS_SERVER_OPTION_VALIDATE_UTF8;
    info.server_string = "hawser";
    info.timeout_secs = 15;
    info.keepalive_timeout = 1;
    info.max_http_header_data = 2 * HEAD_MOST_BYTES; // more than the door lets in
    info.fd_limit_per_thread = MOST_PASSES + 16;
    lws_set_log_level(0, NULL);
    server->lws = lws_create_context(&info);
    if (server->lws == NULL) return false;
    server->vhost = lws_get_vhost_by_name(server->lws, "hawser");
    server->door = hwWebDoor_Open(&server->listeners, server->def.host, WakeUp, server);
    if (server->door != NULL) return true;
    lws_context_destroy(server->lws);
    return false;
}

static bool Open(hwWebServer* server, hwError* error) {
    if (!hwWebListeners_Parse(&server->listeners, server->def.listen, error)) return false;
    if (server->def.token == NULL && !hwWebListeners_AreLoopback(&server->listeners)) {
        SetError(error, HW_ERROR_ARGUMENT,
                 "listening on addresses that other machines can reach needs a token",
                 "whoever reaches the port could fly: give --token with 16 characters or more");
        return false;
    }
    if (hwWebListeners_Open(&server->listeners, server->def.port, error) != HW_OK) return false;
    server->port = server->listeners.port;
    if (CreateContext(server)) return true;
    hwWebListeners_Close(&server->listeners);
    SetError(error, HW_ERROR_MEMORY, "there is not enough memory for the server", "");
    return false;
}

// The address for the browser. Where every address is listened on, it is one that other machines can reach.
static void TellUrl(const hwWebServer* server) {
    char url[500], instructor[720], host[256];
    const hwWebListener* first = &server->listeners.items[0];
    hwWebListener_Print(first, host, sizeof(host));
    if (hwWebListener_IsWildcard(first)) hwWebListener_PrintReachable(first, host, sizeof(host));
    bool six = strchr(host, ':') != NULL;
    snprintf(url, sizeof(url), "http://%s%s%s:%d/%s%.160s", six ? "[" : "", host, six ? "]" : "",
             server->port, server->def.token != NULL ? "#token=" : "",
             server->def.token != NULL ? server->def.token : "");
    snprintf(instructor, sizeof(instructor), "%s%sinstructor=%s", url, server->def.token != NULL ? "&" : "#",
             server->instructor);
    if (server->def.ready != NULL) server->def.ready(url, instructor, server->def.context);
}

static void EndSessions(hwWebServer* server) {
    for (hwWebSlot* slot = server->slots; slot != NULL; slot = slot->next)
        hwWebSession_Stop(slot->session, "shutdown");
    while (server->slots != NULL) {
        hwWebSlot* slot = server->slots;
        server->slots = slot->next;
        hwWebSession_Free(slot->session);
        hwWebFrameBuffer_Drop(slot->lastFrame);
        free(slot->progress);
        free(slot);
    }
    while (server->jobs != NULL) {
        hwWebServerJob* job = server->jobs;
        server->jobs = job->next;
        pthread_join(job->thread, NULL);
        free(job->text);
        free(job);
    }
}

hwStatus hwWebServer_Run(const hwWebServerDef* def, hwError* error) {
    hwWebServer* server = calloc(1, sizeof(*server));
    if (error != NULL) memset(error, 0, sizeof(*error));
    if (server == NULL) return HW_ERROR_MEMORY;
    server->def = *def;
    if (def->flights != NULL) {
        snprintf(server->flights, sizeof(server->flights), "%s", def->flights);
    } else {
        hwWebServer_GetFlightsFolder(server->flights, sizeof(server->flights));
    }
    if (def->instructor != NULL) {
        snprintf(server->instructor, sizeof(server->instructor), "%s", def->instructor);
    } else {
        hwWebSession_MakeSecret(server->instructor, 41);
    }
    hwWebBuildQueue_Init(&server->queue);
    server->connect.create = def->connect;
    server->connect.context = def->connectContext;
    server->connect.pace = def->connectPace;
    // a scene that is being written may be wrong: the page says where
    const char* preset = def->watch ? NULL : def->preset;
    if (!hwWebCatalog_InitWith(&server->catalog, preset, def->setCount, def->sets, error)) {
        hwWebBuildQueue_Destroy(&server->queue);
        free(server);
        return error != NULL && error->status != HW_OK ? error->status : HW_ERROR_MEMORY;
    }
    if (!Open(server, error)) {
        hwStatus status = error != NULL && error->status != HW_OK ? error->status : HW_ERROR_FILE;
        hwWebBuildQueue_Destroy(&server->queue);
        hwWebCatalog_Free(&server->catalog);
        free(server);
        return status;
    }
    server->lastVisit = hwWebServer_Clock();
    hwWebDraft_Look(server);
    lws_sul_schedule(server->lws, 0, &server->timer, OnTimer, TICK_US);
    TellUrl(server);
    while (!server->finished && (def->stop == NULL || __atomic_load_n(def->stop, __ATOMIC_RELAXED) == 0)) {
        if (lws_service(server->lws, 0) < 0) break;
    }
    lws_sul_cancel(&server->timer);
    hwWebDoor_Close(server->door);
    server->door = NULL;
    // sessions first: their threads wake the network
    EndSessions(server);
    lws_context_destroy(server->lws);
    hwWebBuildQueue_Destroy(&server->queue);
    hwWebCatalog_Free(&server->catalog);
    json_decref(server->draft.lesson);
    free(server);
    return HW_OK;
}
