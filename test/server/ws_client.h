// A WebSocket client (RFC 6455) on a plain socket: well-behaved, or not, as a test wants.
#ifndef TEST_SERVER_WS_CLIENT_H
#define TEST_SERVER_WS_CLIENT_H

#include "support.h"

#include <arpa/inet.h>
#include <errno.h>
#include <jansson.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { WS_TEXT = 1, WS_BINARY = 2, WS_CLOSE = 8, WS_NOTHING = -1, WS_GONE = -2 };

typedef struct Ws {
    int fd;
    int status; // of the HTTP answer
    int64_t id;
    unsigned char* buffer;
    size_t used, size;
    unsigned char* data; // of the message last received
    size_t length;
    int frames; // received so far
    unsigned char frame[65536];
    size_t frameSize;
    int images; // of sonars, received so far
    unsigned char* image;
    size_t imageSize;
    json_t* scene; // last description
    json_t* ended;
    json_t *crew, *conditions, *said, *seat, *probe, *hint, *action, *ghost, *twin; // the last of each
    char alerts[4096]; // codes of the alerts received
} Ws;

static inline double WsClock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline void WsSleep(double seconds) {
    struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&time, NULL);
}

static inline bool WsWrite(int fd, const void* bytes, size_t size) {
    const char* data = bytes;
    while (size > 0) {
        ssize_t sent = send(fd, data, size, MSG_NOSIGNAL);
        if (sent <= 0) return false;
        data += sent;
        size -= (size_t)sent;
    }
    return true;
}

// Waits for more bytes; false when none came in time or the other side is gone.
static inline bool WsFill(Ws* ws, double until) {
    double wait = until - WsClock();
    struct pollfd poller = {ws->fd, POLLIN, 0};
    if (poll(&poller, 1, wait > 0.0 ? (int)(1000.0 * wait) + 1 : 0) <= 0) return false;
    if (ws->used + 65536 > ws->size) {
        ws->size = 2 * (ws->used + 65536);
        ws->buffer = realloc(ws->buffer, ws->size);
        assert_non_null(ws->buffer);
    }
    ssize_t got = recv(ws->fd, ws->buffer + ws->used, 65536, 0);
    if (got <= 0) {
        close(ws->fd);
        ws->fd = -1;
        return false;
    }
    ws->used += (size_t)got;
    return true;
}

static inline int TcpConnectTo(const char* to, int port) {
    int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    inet_pton(AF_INET, to, &address.sin_addr);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    if (connect(fd, (struct sockaddr*)&address, sizeof(address)) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

static inline int TcpConnect(int port) {
    return TcpConnectTo("127.0.0.1", port);
}

// Connects with these headers; null: the server's own. status 101 when it worked.
static inline void WsOpenAt(Ws* ws, const char* to, int port, const char* host, const char* origin,
                            const char* protocol) {
    char own[64], request[1024];
    memset(ws, 0, sizeof(*ws));
    ws->fd = TcpConnectTo(to, port);
    if (ws->fd < 0) return;
    snprintf(own, sizeof(own), "127.0.0.1:%d", port);
    int length = snprintf(request, sizeof(request),
                          "GET /ws HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
                          "Sec-WebSocket-Protocol: %s\r\n%s%s%s\r\n",
                          host != NULL ? host : own, protocol != NULL ? protocol : "hawser.1",
                          origin != NULL ? "Origin: " : "", origin != NULL ? origin : "",
                          origin != NULL ? "\r\n" : "");
    WsWrite(ws->fd, request, (size_t)length);
    double until = WsClock() + 5.0;
    while (ws->fd >= 0 && (ws->used < 4 || memmem(ws->buffer, ws->used, "\r\n\r\n", 4) == NULL)) {
        if (!WsFill(ws, until)) break;
    }
    if (ws->used < 12) return;
    ws->buffer[ws->used] = 0;
    sscanf((const char*)ws->buffer, "HTTP/1.1 %d", &ws->status);
    unsigned char* end = memmem(ws->buffer, ws->used, "\r\n\r\n", 4);
    if (end == NULL) return;
    size_t head = (size_t)(end + 4 - ws->buffer);
    memmove(ws->buffer, ws->buffer + head, ws->used - head);
    ws->used -= head;
}

static inline void WsOpen(Ws* ws, int port, const char* host, const char* origin, const char* protocol) {
    WsOpenAt(ws, "127.0.0.1", port, host, origin, protocol);
}

static inline void WsClose(Ws* ws) {
    if (ws->fd >= 0) close(ws->fd);
    free(ws->buffer);
    free(ws->data);
    json_decref(ws->scene);
    json_decref(ws->ended);
    json_t* kept[] = {ws->crew, ws->conditions, ws->said,  ws->seat, ws->probe,
                      ws->hint, ws->action,     ws->ghost, ws->twin};
    for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); ++i) json_decref(kept[i]);
    memset(ws, 0, sizeof(*ws));
    ws->fd = -1;
}

// One frame of a message; `last`: it ends it.
static inline bool WsSendPart(Ws* ws, int opcode, bool last, const void* bytes, size_t size) {
    unsigned char head[14] = {(unsigned char)((last ? 0x80 : 0) | opcode)};
    size_t used = 2;
    if (size < 126) {
        head[1] = (unsigned char)(0x80 | size);
    } else if (size < 65536) {
        head[1] = 0x80 | 126;
        head[2] = (unsigned char)(size >> 8), head[3] = (unsigned char)size;
        used = 4;
    } else {
        head[1] = 0x80 | 127;
        for (int i = 0; i < 8; ++i) head[2 + i] = (unsigned char)((uint64_t)size >> (56 - 8 * i));
        used = 10;
    }
    const unsigned char mask[4] = {0x12, 0x34, 0x56, 0x78};
    memcpy(head + used, mask, 4);
    used += 4;
    unsigned char* masked = malloc(size + 1);
    for (size_t i = 0; i < size; ++i) masked[i] = ((const unsigned char*)bytes)[i] ^ mask[i % 4];
    bool good = ws->fd >= 0 && WsWrite(ws->fd, head, used) && WsWrite(ws->fd, masked, size);
    free(masked);
    return good;
}

static inline bool WsSendFrame(Ws* ws, int opcode, const void* bytes, size_t size) {
    return WsSendPart(ws, opcode, true, bytes, size);
}

static inline bool WsSendText(Ws* ws, const char* text) {
    return WsSendFrame(ws, WS_TEXT, text, strlen(text));
}

// The next message: its opcode, WS_NOTHING when none came in time, WS_GONE when the connection is closed.
static inline int WsReceive(Ws* ws, double timeout) {
    double until = WsClock() + timeout;
    for (;;) {
        if (ws->used >= 2) {
            size_t head = 2;
            uint64_t length = ws->buffer[1] & 127;
            if (length == 126) head = 4;
            if (length == 127) head = 10;
            if (ws->used >= head) {
                if (length >= 126) {
                    uint64_t value = 0;
                    for (size_t i = 2; i < head; ++i) value = value << 8 | ws->buffer[i];
                    length = value;
                }
                if (ws->used >= head + length) {
                    int opcode = ws->buffer[0] & 15;
                    ws->data = realloc(ws->data, length + 1);
                    memcpy(ws->data, ws->buffer + head, length);
                    ws->data[length] = 0;
                    ws->length = length;
                    memmove(ws->buffer, ws->buffer + head + length, ws->used - head - length);
                    ws->used -= head + length;
                    return opcode;
                }
            }
        }
        if (ws->fd < 0) return WS_GONE;
        if (!WsFill(ws, until)) return ws->fd < 0 ? WS_GONE : WS_NOTHING;
    }
}

// Messages of which the last is kept.
static inline bool WsKeep(Ws* ws, const char* type, json_t* json) {
    const char* const types[] = {"crew", "conditions", "said",  "seat", "probe",
                                 "hint", "action",     "ghost", "twin"};
    json_t** const places[] = {&ws->crew, &ws->conditions, &ws->said,  &ws->seat, &ws->probe,
                               &ws->hint, &ws->action,     &ws->ghost, &ws->twin};
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); ++i) {
        if (strcmp(type, types[i]) != 0) continue;
        json_decref(*places[i]);
        *places[i] = json_incref(json);
        return true;
    }
    return false;
}

// Takes what comes for some time: counts frames, keeps descriptions and alerts. A reply to `id` is returned.
static inline json_t* WsPump(Ws* ws, double timeout, int64_t id) {
    double until = WsClock() + timeout;
    for (;;) {
        int opcode = WsReceive(ws, until - WsClock());
        if (opcode == WS_NOTHING || opcode == WS_GONE || opcode == WS_CLOSE) return NULL;
        if (opcode == WS_BINARY && ws->length >= 4 && memcmp(ws->data, "HWS1", 4) == 0) {
            ws->images += 1;
            ws->image = realloc(ws->image, ws->length);
            memcpy(ws->image, ws->data, ws->length);
            ws->imageSize = ws->length;
            if (WsClock() > until) return NULL;
            continue;
        }
        if (opcode == WS_BINARY) {
            ws->frames += 1;
            assert_true(ws->length <= sizeof(ws->frame));
            memcpy(ws->frame, ws->data, ws->length);
            ws->frameSize = ws->length;
            if (WsClock() > until) return NULL;
            continue;
        }
        json_t* json = json_loads((const char*)ws->data, 0, NULL);
        assert_non_null(json);
        const char* type = json_string_value(json_object_get(json, "type"));
        assert_non_null(type);
        if (id != 0 && json_integer_value(json_object_get(json, "id")) == id) return json;
        if (strcmp(type, "scene") == 0) {
            json_decref(ws->scene);
            ws->scene = json_incref(json);
        } else if (strcmp(type, "ended") == 0) {
            json_decref(ws->ended);
            ws->ended = json_incref(json);
        } else if (WsKeep(ws, type, json)) {
            // kept
        } else if (strcmp(type, "alert") == 0) {
            size_t used = strlen(ws->alerts);
            snprintf(ws->alerts + used, sizeof(ws->alerts) - used, "%s ",
                     json_string_value(json_object_get(json, "code")));
        } else if (strcmp(type, "error") == 0) {
            size_t used = strlen(ws->alerts);
            snprintf(ws->alerts + used, sizeof(ws->alerts) - used, "error:%s ",
                     json_string_value(json_object_get(json, "code")));
        }
        json_decref(json);
        if (WsClock() > until) return NULL;
    }
}

// Sends a request (JSON without id and closing brace) and waits for its answer.
static inline json_t* WsAsk(Ws* ws, const char* format, ...) __attribute__((format(printf, 2, 3)));

static inline json_t* WsAsk(Ws* ws, const char* format, ...) {
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    int used = vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    ws->id += 1;
    snprintf(text + used, sizeof(text) - (size_t)used, ", \"id\": %lld}", (long long)ws->id);
    assert_true(WsSendText(ws, text));
    json_t* reply = WsPump(ws, 20.0, ws->id);
    if (reply == NULL) fail_msg("no answer to %s", text);
    return reply;
}

static inline bool WsIsError(json_t* reply, const char* code) {
    const char* type = json_string_value(json_object_get(reply, "type"));
    const char* got = json_string_value(json_object_get(reply, "code"));
    bool is = strcmp(type, "error") == 0 && (code == NULL || (got != NULL && strcmp(got, code) == 0));
    json_decref(reply);
    return is;
}

// The reply must be none of the errors.
static inline json_t* WsGood(json_t* reply) {
    if (strcmp(json_string_value(json_object_get(reply, "type")), "reply") != 0) {
        fail_msg("%s", json_string_value(json_object_get(reply, "message")));
    }
    return reply;
}

static inline void WsDo(json_t* reply) {
    json_decref(WsGood(reply));
}

static inline const char* WsString(const json_t* json, const char* key) {
    const char* text = json_string_value(json_object_get(json, key));
    return text != NULL ? text : "";
}

// Takes what comes until the condition holds. How long that takes says something about the machine only; a wait of WS_HANG s is
// a hang, on any of them.
#define WS_HANG 120.0
#define WS_UNTIL(ws, condition)                                                                              \
    do {                                                                                                     \
        double hang_ = WsClock() + WS_HANG;                                                                  \
        while (!(condition)) {                                                                               \
            if (WsClock() > hang_)                                                                           \
                fail_msg("not within %g s: %s (at %g s, alerts: %s)", WS_HANG, #condition, FrameTime(ws),    \
                         (ws)->alerts);                                                                      \
            WsPump(ws, 0.02, 0);                                                                             \
        }                                                                                                    \
    } while (0)

// Takes what comes while so much simulated time passes.
#define WS_PASS(ws, seconds)                                                                                 \
    do {                                                                                                     \
        double end_ = FrameTime(ws) + (seconds);                                                             \
        WS_UNTIL(ws, FrameTime(ws) >= end_);                                                                 \
    } while (0)

// Frames ---------------------------------------------------------------------------------------------------------------

static inline uint32_t FrameWord(const Ws* ws, size_t at) {
    const unsigned char* b = ws->frame + at;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static inline double FrameTime(const Ws* ws) {
    uint64_t bits = (uint64_t)FrameWord(ws, 12) << 32 | FrameWord(ws, 8);
    double time;
    memcpy(&time, &bits, sizeof(time));
    return time;
}

// Pauses, and takes frames until one says so: those from before are still on their way and older than the world.
static inline void WsPause(Ws* ws) {
    WsDo(WsAsk(ws, "{\"type\": \"pause\", \"paused\": true"));
    WS_UNTIL(ws, ws->frames > 0 && (FrameWord(ws, 4) & 1) != 0);
}

// Where the content of the first section of a kind begins, 0: there is none. All sections must fit exactly.
static inline size_t FrameSection(const Ws* ws, unsigned kind, size_t* length) {
    assert_true(ws->frameSize >= 32);
    assert_int_equal(FrameWord(ws, 0), 0x31465748);
    unsigned sections = FrameWord(ws, 28) >> 16;
    size_t at = 32, found = 0;
    for (unsigned i = 0; i < sections; ++i) {
        assert_true(at + 8 <= ws->frameSize);
        unsigned here = FrameWord(ws, at) & 0xffff;
        size_t size = FrameWord(ws, at + 4);
        assert_true(size % 4 == 0);
        if (here == kind && found == 0) {
            found = at + 8;
            if (length != NULL) *length = size;
        }
        at += 8 + size;
    }
    assert_int_equal(at, ws->frameSize);
    return found;
}

static inline double FrameFloat(const Ws* ws, size_t at) {
    uint32_t bits = FrameWord(ws, at);
    float value;
    memcpy(&value, &bits, sizeof(value));
    return (double)value;
}

// A number of the vehicle's section, by its offset in docs/protocol.md.
static inline double VehicleFloat(const Ws* ws, size_t offset) {
    size_t at = FrameSection(ws, 2, NULL);
    assert_true(at != 0);
    return FrameFloat(ws, at + offset);
}

#endif
