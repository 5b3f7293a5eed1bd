// The page and recordings over HTTP, and who may ask.
#define _POSIX_C_SOURCE 200809L
#include "apps/server/head.h"
#include "apps/server/origin.h"
#include "apps/server/server_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define ANSWER_TIME 30.0    // s in which an answer must be taken, and
#define ANSWER_RATE 65536.0 // bytes in each further second
#define STALL_SECONDS 15    // without anything taken

extern const hwWebEmbeddedFile hwWebFiles[];
extern const int hwWebFiles_count;

// Who may ask ------------------------------------------------------------------------------------------------------------

static bool CopyHeader(struct lws* wsi, enum lws_token_indexes token, char* out, int size) {
    out[0] = 0;
    int length = lws_hdr_total_length(wsi, token);
    if (length <= 0) return true;
    return length < size && lws_hdr_copy(wsi, out, size, token) >= 0;
}

// The Host must be this server under a name of its own, which keeps out pages of other sites whose name was made to lead
// here; the Origin, where there is one, must be that host.
bool hwWebHttp_IsAllowed(const hwWebServer* server, struct lws* wsi, bool needOrigin) {
    char host[300], origin[320];
    struct sockaddr_storage local;
    socklen_t size = sizeof(local);
    if (!CopyHeader(wsi, WSI_TOKEN_HOST, host, sizeof(host)) ||
        !CopyHeader(wsi, WSI_TOKEN_ORIGIN, origin, sizeof(origin))) {
        return false;
    }
    bool known = getsockname((int)lws_get_socket_fd(wsi), (struct sockaddr*)&local, &size) == 0;
    if (!hwWebOrigin_IsHost(host, server->def.host, server->port, known ? (struct sockaddr*)&local : NULL))
        return false;
    return !needOrigin || origin[0] == 0 || hwWebOrigin_IsOwn(origin, host);
}

static bool IsUpgrade(struct lws* wsi, const char* to) {
    char path[32];
    return to != NULL && strcasecmp(to, "websocket") == 0 &&
           CopyHeader(wsi, WSI_TOKEN_GET_URI, path, sizeof(path)) && strcmp(path, WS_PATH) == 0;
}

static bool HasToken(hwWebServer* server, struct lws* wsi) {
    if (server->def.token == NULL) return true;
    char token[200], address[64] = "";
    lws_get_peer_simple(wsi, address, sizeof(address));
    if (lws_get_urlarg_by_name(wsi, "token=", token, sizeof(token)) == NULL) return false;
    return hwWebServer_CheckToken(server, address, token);
}

// Answers ----------------------------------------------------------------------------------------------------------------

static const char* GetMime(const char* path) {
    static const char* const types[][2] = {{".html", "text/html; charset=utf-8"},
                                           {".js", "text/javascript; charset=utf-8"},
                                           {".css", "text/css; charset=utf-8"},
                                           {".svg", "image/svg+xml"},
                                           {".png", "image/png"},
                                           {".jpg", "image/jpeg"},
                                           {".ico", "image/x-icon"},
                                           {".json", "application/json"},
                                           {".wasm", "application/wasm"},
                                           {".glb", "model/gltf-binary"},
                                           {".woff2", "font/woff2"},
                                           {".txt", "text/plain; charset=utf-8"},
                                           {".csv", "text/csv; charset=utf-8"},
                                           {".yaml", "application/yaml"},
                                           {".h5", "application/x-hdf5"},
                                           {".ogg", "audio/ogg"}};
    const char* dot = strrchr(path, '.');
    for (size_t i = 0; dot != NULL && i < sizeof(types) / sizeof(types[0]); ++i) {
        if (strcmp(dot, types[i][0]) == 0) return types[i][1];
    }
    return "application/octet-stream";
}

static int AddHeader(struct lws* wsi, const char* name, const char* value, unsigned char** p,
                     unsigned char* end) {
    return lws_add_http_header_by_name(wsi, (const unsigned char*)name, (const unsigned char*)value,
                                       (int)strlen(value), p, end);
}

// Scripts of the page may talk to this server under the name by which it was called, and to nothing else. The name is
// written out because older browsers do not count WebSockets among 'self'.
static void MakePolicy(struct lws* wsi, char* policy, size_t size) {
    char host[300], sockets[700] = "";
    // a policy cannot name IPv6 addresses; 'self' must do there
    if (CopyHeader(wsi, WSI_TOKEN_HOST, host, sizeof(host)) && host[0] != 0 && strchr(host, '[') == NULL)
        snprintf(sockets, sizeof(sockets), " ws://%s wss://%s", host, host);
    snprintf(policy, size,
             "default-src 'self'; connect-src 'self'%s; img-src 'self' data: blob:; "
             "style-src 'self' 'unsafe-inline'; worker-src 'self' blob:; object-src 'none'; "
             "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
             sockets);
}

static int SendHead(struct lws* wsi, hwWebHttpState* state, unsigned status, const char* mime, size_t size) {
    char policy[1100];
    MakePolicy(wsi, policy, sizeof(policy));
    unsigned char buffer[LWS_PRE + 3072], *start = buffer + LWS_PRE, *p = start,
                                          *end = buffer + sizeof(buffer) - 1;
    if (lws_add_http_common_headers(wsi, status, mime, (lws_filepos_t)size, &p, end) != 0 ||
        AddHeader(wsi, "content-security-policy:", policy, &p, end) != 0 ||
        AddHeader(wsi, "x-content-type-options:", "nosniff", &p, end) != 0 ||
        AddHeader(wsi, "referrer-policy:", "no-referrer", &p, end) != 0 ||
        AddHeader(wsi, "cross-origin-opener-policy:", "same-origin", &p, end) != 0 ||
        AddHeader(wsi, "cross-origin-resource-policy:", "same-origin", &p, end) != 0 ||
        AddHeader(wsi, "cache-control:", "no-cache", &p, end) != 0 ||
        AddHeader(wsi, "connection:", "close", &p, end) != 0 ||
        lws_finalize_write_http_header(wsi, start, &p, end) != 0) {
        return -1;
    }
    state->size = state->bodyless ? 0 : size;
    state->sent = 0;
    state->until = hwWebServer_Clock() + ANSWER_TIME + (double)state->size / ANSWER_RATE;
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, STALL_SECONDS);
    lws_callback_on_writable(wsi);
    return 0;
}

static int SendBytes(struct lws* wsi, hwWebHttpState* state, unsigned status, const char* mime,
                     const void* bytes, size_t size) {
    state->bytes = bytes;
    return SendHead(wsi, state, status, mime, size);
}

static int SendFailure(struct lws* wsi, hwWebHttpState* state, unsigned status, const char* text) {
    return SendBytes(wsi, state, status, "text/plain; charset=utf-8", text, strlen(text));
}

static int SendFile(struct lws* wsi, hwWebHttpState* state, const char* path) {
    state->file = fopen(path, "rb");
    if (state->file == NULL || fseek(state->file, 0, SEEK_END) != 0)
        return SendFailure(wsi, state, 404, "not found\n");
    long size = ftell(state->file);
    rewind(state->file);
    return size < 0 ? -1 : SendHead(wsi, state, 200, GetMime(path), (size_t)size);
}

// A recording: /flights/ID/FILE.
static int SendFlight(hwWebServer* server, struct lws* wsi, hwWebHttpState* state, const char* path) {
    static const char* const files[] = {"results.h5", "inputs.csv", "scene.yaml", "flight.json", "ghost.csv"};
    char id[48] = "", file[32] = "", full[720];
    if (!HasToken(server, wsi)) return SendFailure(wsi, state, 403, "the token is missing or wrong\n");
    int used = 0;
    bool good = sscanf(path, "/flights/%47[a-z0-9-]/%31[a-z0-9.]%n", id, file, &used) == 2 && path[used] == 0;
    if (!good) return SendFailure(wsi, state, 404, "not found\n");
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); ++i) {
        if (strcmp(file, files[i]) != 0) continue;
        snprintf(full, sizeof(full), "%s/%s/%s", server->flights, id, file);
        return SendFile(wsi, state, full);
    }
    // these are made when they are asked for
    static const struct {
        const char* name;
        hwWebJobKind kind;
        const char* source;
        const char* ending;
    } made[] = {{"results.csv", JOB_CSV, "/results.h5", "csv"},
                {"debrief.html", JOB_DEBRIEF_PAGE, "", "html"},
                {"debrief.csv", JOB_DEBRIEF_CSV, "", "csv"}};
    size_t which = 0, count = sizeof(made) / sizeof(made[0]);
    while (which < count && strcmp(file, made[which].name) != 0) ++which;
    if (which == count) return SendFailure(wsi, state, 404, "not found\n");
    hwWebServerJob job = {.kind = made[which].kind};
    static unsigned number = 0;
    snprintf(job.source, sizeof(job.source), "%.600s/%s%s", server->flights, id, made[which].source);
    snprintf(job.target, sizeof(job.target), "%.600s/.%ld-%u.%s", server->flights, (long)getpid(), ++number,
             made[which].ending);
    state->job = hwWebServer_StartJob(server, &job);
    if (state->job == NULL) return SendFailure(wsi, state, 503, "the server has too much to do\n");
    state->wsi = wsi;
    state->next = server->downloads;
    server->downloads = state;
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, 600);
    return 0;
}

static void LeaveDownloads(hwWebServer* server, hwWebHttpState* state) {
    for (hwWebHttpState** link = &server->downloads; *link != NULL; link = &(*link)->next) {
        if (*link != state) continue;
        *link = state->next;
        break;
    }
    if (state->job != NULL) state->job->abandoned = true;
    state->job = NULL;
}

void hwWebHttp_ContinueDownloads(hwWebServer* server) {
    hwWebHttpState* state = server->downloads;
    while (state != NULL) {
        hwWebHttpState* next = state->next;
        if (atomic_load(&state->job->done)) {
            bool good = state->job->good;
            char target[720];
            memcpy(target, state->job->target, sizeof(target));
            int result = good ? SendFile(state->wsi, state, target)
                              : SendFailure(state->wsi, state, 404, "not found\n");
            LeaveDownloads(server, state); // the file is open; its name may go
            if (result != 0) lws_set_timeout(state->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
        }
        state = next;
    }
}

static int SendAsset(struct lws* wsi, hwWebHttpState* state, const char* path) {
    static const char missing[] =
        "<!doctype html><title>Hawser</title><p>The page was not built into this program. Run "
        "<code>cd web && npm ci && npm run build</code>, then build again.";
    const char* name = strcmp(path, "/") == 0 ? "index.html" : path + 1;
    for (int i = 0; i < hwWebFiles_count; ++i) {
        if (strcmp(hwWebFiles[i].name, name) == 0) {
            return SendBytes(wsi, state, 200, GetMime(name), hwWebFiles[i].bytes, hwWebFiles[i].size);
        }
    }
    if (hwWebFiles_count == 0 && strcmp(name, "index.html") == 0) {
        return SendBytes(wsi, state, 200, GetMime(name), missing, sizeof(missing) - 1);
    }
    return SendFailure(wsi, state, 404, "not found\n");
}

static int Begin(hwWebServer* server, struct lws* wsi, hwWebHttpState* state, const char* path) {
    state->bodyless = lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0;
    if (!hwWebHttp_IsAllowed(server, wsi, true)) return SendFailure(wsi, state, 403, "not under this name\n");
    if (!state->bodyless && lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) <= 0)
        return SendFailure(wsi, state, 405, "only GET and HEAD\n");
    if (strncmp(path, "/flights/", 9) == 0) return SendFlight(server, wsi, state, path);
    return SendAsset(wsi, state, path);
}

// A connection is for one request: what comes next comes through the door again. Negative: it is to be closed.
static int Continue(struct lws* wsi, hwWebHttpState* state) {
    unsigned char buffer[LWS_PRE + 16384];
    size_t left = state->size - state->sent, chunk = left < 16384 ? left : 16384;
    if (state->until == 0.0) return 0; // the answer is still being made
    if (chunk == 0) return -1;         // what was written last is gone, else it would not be writable
    if (hwWebServer_Clock() > state->until) return -1;
    if (state->file != NULL) {
        if (fread(buffer + LWS_PRE, 1, chunk, state->file) != chunk) return -1;
    } else {
        memcpy(buffer + LWS_PRE, state->bytes + state->sent, chunk);
    }
    bool last = chunk == left;
    if (lws_write(wsi, buffer + LWS_PRE, chunk, last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) != (int)chunk)
        return -1;
    state->sent += chunk;
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, STALL_SECONDS);
    lws_callback_on_writable(wsi);
    return 0;
}

int hwWebHttp_Callback(struct lws* wsi, enum lws_callback_reasons reason, void* user, void* in, size_t size) {
    (void)size;
    hwWebHttpState* state = user;
    hwWebServer* server = lws_context_user(lws_get_context(wsi));
    switch (reason) {
    case LWS_CALLBACK_HTTP:
        memset(state, 0, sizeof(*state));
        return Begin(server, wsi, state, in);
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return state != NULL ? Continue(wsi, state) : 0;
    case LWS_CALLBACK_CLOSED_HTTP:
        if (state != NULL && state->job != NULL) LeaveDownloads(server, state);
        if (state != NULL && state->file != NULL) {
            fclose(state->file);
            state->file = NULL;
        }
        return 0;
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return -1; // a WebSocket without the subprotocol
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return IsUpgrade(wsi, in) ? 0 : -1; // the door has seen to it; this is the second lock
    case LWS_CALLBACK_WSI_DESTROY:
        if (lws_get_opaque_user_data(wsi) != NULL)
            hwWebServer_ReleasePass(server, (uintptr_t)lws_get_opaque_user_data(wsi));
        return 0;
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        hwWebServer_Admit(server);
        hwWebServer_CollectNews(server);
        return 0;
    default:
        return lws_callback_http_dummy(wsi, reason, user, in, size);
    }
}
