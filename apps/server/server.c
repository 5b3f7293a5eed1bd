#define _POSIX_C_SOURCE 200809L
#include "apps/server/server_internal.h"

#include <math.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define FIRST_PORT 8420
#define MOST_PORTS 40
#define TICK_US (200 * 1000)

hwWebServerDef hwDefaultWebServerDef(void) {
    hwWebServerDef def = {.maxFlights = 16, .flightIdle = 1800.0};
    return def;
}

void hwWebServer_GetFlightsFolder(char* path, size_t size) {
    const char* data = getenv("XDG_DATA_HOME");
    const char* home = getenv("HOME");
    if (data != NULL && data[0] == '/') {
        snprintf(path, size, "%s/hawser/flights", data);
    } else if (home != NULL && home[0] == '/') {
        snprintf(path, size, "%s/.local/share/hawser/flights", home);
    } else {
        snprintf(path, size, "flights");
    }
}

// Connections ------------------------------------------------------------------------------------------------------------

static hwWebConnection* AddConnection(hwWebServer* server, struct lws* wsi) {
    hwWebConnection* c = calloc(1, sizeof(*c));
    if (c == NULL) return NULL;
    c->serial = ++server->serials;
    c->wsi = wsi;
    c->opened = hwWebServer_Clock();
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
    free(c->inbound);
    free(c);
}

// One message at a time, texts before frames.
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
    }
    c->blocked = 0.0;
    if (c->firstOut != NULL || c->frame != NULL || c->closing) {
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
    if (lws_frame_is_binary(c->wsi)) return Refuse(c, 1003);
    if (c->inboundSize + size > REQUEST_MOST_BYTES) return Refuse(c, 1009);
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
        if (server->connectionCount >= MOST_CONNECTIONS || !hwWebHttp_IsAllowed(server, wsi, true)) return -1;
        return 0;
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

// Running ----------------------------------------------------------------------------------------------------------------

static const struct lws_protocols g_protocols[] = {
    {.name = "http", .callback = hwWebHttp_Callback, .per_session_data_size = sizeof(hwWebHttpState)},
    {.name = "hawser.1",
     .callback = SocketCallback,
     .per_session_data_size = sizeof(SocketState),
     .rx_buffer_size = 16384},
    {.name = NULL}};

static void OnTimer(lws_sorted_usec_list_t* timer) {
    hwWebServer* server = lws_container_of(timer, hwWebServer, timer);
    hwWebServer_Tick(server);
    lws_sul_schedule(server->lws, 0, timer, OnTimer, TICK_US);
}

static struct lws_context* Listen(hwWebServer* server, int port) {
    struct lws_context_creation_info info;
    memset(&info, 0, sizeof(info));
    info.port = port;
    info.iface = server->def.listen != NULL ? server->def.listen : "127.0.0.1";
    info.protocols = g_protocols;
    info.user = server;
    info.gid = (gid_t)-1;
    info.uid = (uid_t)-1;
    info.options = LWS_SERVER_OPTION_VALIDATE_UTF8 | LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND;
    info.server_string = "hawser";
    info.timeout_secs = 15;
    info.keepalive_timeout = 15;
    info.max_http_header_data = 4096;
    info.fd_limit_per_thread = 512;
    return lws_create_context(&info);
}

// Whether nobody else listens there. libwebsockets would tell too, but leaks when it cannot listen.
static bool IsFree(const char* address, int port) {
    char service[16];
    snprintf(service, sizeof(service), "%d", port);
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_PASSIVE, .ai_socktype = SOCK_STREAM},
                    *found = NULL;
    if (getaddrinfo(address, service, &hints, &found) != 0) return true; // the name of an interface
    int one = 1, fd = socket(found->ai_family, SOCK_STREAM, 0);
    bool free = fd < 0 || (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) == 0 &&
                           bind(fd, found->ai_addr, found->ai_addrlen) == 0 && listen(fd, 1) == 0);
    if (fd >= 0) close(fd);
    freeaddrinfo(found);
    return free;
}

static bool Open(hwWebServer* server) {
    lws_set_log_level(0, NULL);
    int first = server->def.port > 0 ? server->def.port : FIRST_PORT;
    int count = server->def.port > 0 ? 1 : MOST_PORTS;
    for (int i = 0; i < count && server->lws == NULL; ++i) {
        server->port = first + i;
        if (IsFree(server->def.listen != NULL ? server->def.listen : "127.0.0.1", server->port))
            server->lws = Listen(server, server->port);
    }
    return server->lws != NULL;
}

static void TellUrl(const hwWebServer* server) {
    char url[400];
    const char* host = server->def.listen != NULL ? server->def.listen : "127.0.0.1";
    bool six = strchr(host, ':') != NULL;
    snprintf(url, sizeof(url), "http://%s%.200s%s:%d/%s%.160s", six ? "[" : "", host, six ? "]" : "",
             server->port, server->def.token != NULL ? "#token=" : "",
             server->def.token != NULL ? server->def.token : "");
    if (server->def.ready != NULL) server->def.ready(url, server->def.context);
}

static void EndSessions(hwWebServer* server) {
    for (hwWebSlot* slot = server->slots; slot != NULL; slot = slot->next)
        hwWebSession_Stop(slot->session, "shutdown");
    while (server->slots != NULL) {
        hwWebSlot* slot = server->slots;
        server->slots = slot->next;
        hwWebSession_Free(slot->session);
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
    if (!hwWebCatalog_Init(&server->catalog, def->preset, error)) {
        free(server);
        return error != NULL && error->status != HW_OK ? error->status : HW_ERROR_MEMORY;
    }
    if (!Open(server)) {
        if (error != NULL) {
            error->status = HW_ERROR_FILE;
            error->index = -1;
            snprintf(error->message, sizeof(error->message), "cannot listen on port %d of %s", server->port,
                     def->listen != NULL ? def->listen : "127.0.0.1");
            snprintf(error->hint, sizeof(error->hint),
                     "another program may use it; try --port with another number");
        }
        hwWebCatalog_Free(&server->catalog);
        free(server);
        return HW_ERROR_FILE;
    }
    server->lastVisit = hwWebServer_Clock();
    lws_sul_schedule(server->lws, 0, &server->timer, OnTimer, TICK_US);
    TellUrl(server);
    while (!server->finished && (def->stop == NULL || __atomic_load_n(def->stop, __ATOMIC_RELAXED) == 0)) {
        if (lws_service(server->lws, 0) < 0) break;
    }
    lws_sul_cancel(&server->timer);
    // sessions first: their threads wake the network
    EndSessions(server);
    lws_context_destroy(server->lws);
    hwWebCatalog_Free(&server->catalog);
    free(server);
    return HW_OK;
}
