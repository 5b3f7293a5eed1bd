#define _POSIX_C_SOURCE 200809L
#include "connect/web_socket.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#define HEAD_TIME 5.0 // s in which the handshake must come

// SHA-1 ------------------------------------------------------------------------------------------------------------------------

static uint32_t Rotate(uint32_t value, int bits) {
    return value << bits | value >> (32 - bits);
}

static void HashBlock(uint32_t state[5], const unsigned char* block) {
    uint32_t w[80];
    for (int i = 0; i < 16; ++i)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 80; ++i) w[i] = Rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
    for (int i = 0; i < 80; ++i) {
        uint32_t f = i < 20              ? (b & c) | (~b & d)
                     : i < 40 || i >= 60 ? b ^ c ^ d
                                         : (b & c) | (b & d) | (c & d);
        uint32_t k = i < 20 ? 0x5a827999u : i < 40 ? 0x6ed9eba1u : i < 60 ? 0x8f1bbcdcu : 0xca62c1d6u;
        uint32_t next = Rotate(a, 5) + f + e + k + w[i];
        e = d;
        d = c;
        c = Rotate(b, 30);
        b = a;
        a = next;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
}

void hwWebSocket_Accept(const char* key, char* out) {
    unsigned char text[128] = {0};
    uint32_t state[5] = {0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u, 0xc3d2e1f0u};
    int size =
        snprintf((char*)text, 64, "%.24s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", key); // at most 60: two blocks
    text[size] = 0x80;
    text[126] = (unsigned char)(8 * size >> 8);
    text[127] = (unsigned char)(8 * size);
    HashBlock(state, text);
    HashBlock(state, text + 64);
    unsigned char digest[21] = {0};
    for (int i = 0; i < 20; ++i) digest[i] = (unsigned char)(state[i / 4] >> (24 - 8 * (i % 4)));
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int i = 0; i < 7; ++i) {
        uint32_t three = (uint32_t)digest[3 * i] << 16 | (uint32_t)digest[3 * i + 1] << 8 | digest[3 * i + 2];
        for (int k = 0; k < 4; ++k) *out++ = digits[three >> (18 - 6 * k) & 63];
    }
    out[-1] = '=';
    *out = 0;
}

// Sending ----------------------------------------------------------------------------------------------------------------------

void hwWebSocket_Init(hwWebSocket* socket, int fd, double clock) {
    memset(socket, 0, sizeof(*socket));
    socket->fd = fd;
    socket->since = clock;
}

void hwWebSocket_Free(hwWebSocket* socket) {
    if (socket->fd >= 0) close(socket->fd);
    free(socket->out);
    socket->out = NULL;
    socket->fd = -1;
    socket->phase = HW_WEB_CLOSED;
}

static bool Queue(hwWebSocket* socket, const void* data, size_t size) {
    if (size == 0) return true;
    if (socket->outSent > 0 && socket->outSent == socket->outSize) socket->outSent = socket->outSize = 0;
    if (socket->outSize + size > socket->outCapacity) {
        if (socket->outSent > 0)
            memmove(socket->out, socket->out + socket->outSent, socket->outSize - socket->outSent);
        socket->outSize -= socket->outSent;
        socket->outSent = 0;
        size_t capacity = 2 * (socket->outSize + size) + 4096;
        unsigned char* larger = capacity > socket->outCapacity ? realloc(socket->out, capacity) : socket->out;
        if (larger == NULL) {
            socket->phase = HW_WEB_CLOSED;
            return false;
        }
        socket->out = larger;
        if (capacity > socket->outCapacity) socket->outCapacity = capacity;
    }
    memcpy(socket->out + socket->outSize, data, size);
    socket->outSize += size;
    return true;
}

static void QueueFrame(hwWebSocket* socket, int opcode, const void* head, size_t headSize, const void* data,
                       size_t size) {
    unsigned char start[10] = {(unsigned char)(0x80 | opcode)};
    uint64_t total = headSize + size;
    size_t length = total < 126 ? 2 : total < 65536 ? 4 : 10;
    start[1] = (unsigned char)(length == 2 ? total : length == 4 ? 126 : 127);
    for (size_t i = 2; i < length; ++i) start[i] = (unsigned char)(total >> (8 * (length - 1 - i)));
    if (Queue(socket, start, length) && Queue(socket, head, headSize)) Queue(socket, data, size);
}

void hwWebSocket_SendText(hwWebSocket* socket, const char* text) {
    if (socket->phase != HW_WEB_OPEN) return;
    if (socket->outSize - socket->outSent > 2 * HW_WEB_MOST_WAITING) {
        hwWebSocket_Close(socket, 1008, "too slow");
        return;
    }
    QueueFrame(socket, 1, "", 0, text, strlen(text));
}

void hwWebSocket_SendBinary(hwWebSocket* socket, const void* head, size_t headSize, const void* data,
                            size_t size) {
    if (socket->phase != HW_WEB_OPEN) return;
    if (socket->outSize - socket->outSent + size > HW_WEB_MOST_WAITING) {
        socket->left++;
        return;
    }
    QueueFrame(socket, 2, head, headSize, data, size);
}

void hwWebSocket_Flush(hwWebSocket* socket) {
    while (socket->phase != HW_WEB_CLOSED && socket->outSent < socket->outSize) {
        ssize_t sent =
            send(socket->fd, socket->out + socket->outSent, socket->outSize - socket->outSent, MSG_NOSIGNAL);
        if (sent > 0) {
            socket->outSent += (size_t)sent;
        } else if (sent < 0 && errno == EINTR) {
            continue;
        } else {
            if (errno != EAGAIN && errno != EWOULDBLOCK) socket->phase = HW_WEB_CLOSED;
            return;
        }
    }
    if (socket->phase == HW_WEB_CLOSING) {
        shutdown(socket->fd, SHUT_WR);
        socket->phase = HW_WEB_CLOSED;
    }
}

void hwWebSocket_Close(hwWebSocket* socket, int code, const char* reason) {
    if (socket->phase != HW_WEB_OPEN) return;
    unsigned char head[2] = {(unsigned char)(code >> 8), (unsigned char)code};
    QueueFrame(socket, 8, head, 2, reason, strlen(reason));
    socket->phase = HW_WEB_CLOSING;
}

// The handshake ------------------------------------------------------------------------------------------------------------------

// The value of a header, or null; `head` is cut at its lines' ends.
static const char* FindHeader(char** lines, int count, const char* name) {
    size_t length = strlen(name);
    for (int i = 1; i < count; ++i) {
        if (strncasecmp(lines[i], name, length) != 0 || lines[i][length] != ':') continue;
        const char* value = lines[i] + length + 1;
        while (*value == ' ' || *value == '\t') value++;
        return value;
    }
    return NULL;
}

static bool HasToken(const char* list, const char* token) {
    size_t length = strlen(token);
    while (list != NULL && *list != 0) {
        list += strspn(list, ", \t");
        size_t size = strcspn(list, ", \t");
        if (size == length && strncasecmp(list, token, length) == 0) return true;
        list += size;
    }
    return false;
}

// Pages of others have no business here: a browser says whose page asks.
static bool IsTrusted(const char* origin) {
    if (origin == NULL || strcmp(origin, "null") == 0 || strncmp(origin, "file:", 5) == 0) return true;
    const char* host = strstr(origin, "://");
    if (host == NULL) return false;
    host += 3;
    size_t length = strcspn(host, ":/");
    static const char* const own[] = {"localhost", "127.0.0.1", "foxglove.dev"};
    for (int i = 0; i < 3; ++i) {
        if (strlen(own[i]) == length && strncmp(host, own[i], length) == 0) return true;
    }
    const char* tail = ".foxglove.dev";
    return strncmp(origin, "https://", 8) == 0 && length > strlen(tail) &&
           strncmp(host + length - strlen(tail), tail, strlen(tail)) == 0;
}

static void Refuse(hwWebSocket* socket, const char* status, const char* sentence) {
    char text[600];
    int size = snprintf(
        text, sizeof(text),
        "HTTP/1.1 %s\r\nContent-Type: text/plain\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n%s\n",
        status, strlen(sentence) + 1, sentence);
    Queue(socket, text, (size_t)size);
    socket->phase = HW_WEB_CLOSING;
}

static void AnswerHead(hwWebSocket* socket, char* head, const char* subprotocol) {
    char* lines[64];
    int count = 0;
    for (char* line = head; line != NULL && *line != 0 && count < 64;) {
        lines[count++] = line;
        char* end = strstr(line, "\r\n");
        if (end != NULL) *end = 0;
        line = end != NULL ? end + 2 : NULL;
    }
    const char* key = FindHeader(lines, count, "Sec-WebSocket-Key");
    const char* version = FindHeader(lines, count, "Sec-WebSocket-Version");
    char sentence[200], accept[32], text[300];
    if (count == 0 || strncmp(lines[0], "GET /", 5) != 0 || strstr(lines[0], " HTTP/1.1") == NULL) {
        Refuse(socket, "400 Bad Request", "This address is a WebSocket.");
    } else if (!HasToken(FindHeader(lines, count, "Upgrade"), "websocket") || key == NULL ||
               strlen(key) != 24) {
        Refuse(socket, "426 Upgrade Required", "This address is a WebSocket: open it in Foxglove.");
    } else if (version == NULL || strcmp(version, "13") != 0) {
        Refuse(socket, "426 Upgrade Required", "WebSockets of version 13 are spoken here.");
    } else if (!IsTrusted(FindHeader(lines, count, "Origin"))) {
        Refuse(socket, "403 Forbidden", "Pages of this origin may not read the stream.");
    } else if (!HasToken(FindHeader(lines, count, "Sec-WebSocket-Protocol"), subprotocol)) {
        snprintf(sentence, sizeof(sentence), "The subprotocol %s is spoken here, and no other.", subprotocol);
        Refuse(socket, "400 Bad Request", sentence);
    } else {
        hwWebSocket_Accept(key, accept);
        int size =
            snprintf(text, sizeof(text),
                     "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                     "Sec-WebSocket-Accept: %s\r\nSec-WebSocket-Protocol: %s\r\n\r\n",
                     accept, subprotocol);
        if (Queue(socket, text, (size_t)size)) socket->phase = HW_WEB_OPEN;
    }
}

// Receiving ----------------------------------------------------------------------------------------------------------------------

static void Drop(hwWebSocket* socket, size_t count) {
    memmove(socket->in, socket->in + count, socket->inSize - count);
    socket->inSize -= count;
}

static void TakeHead(hwWebSocket* socket, const char* subprotocol, double clock) {
    for (size_t i = 0; i + 4 <= socket->inSize; ++i) {
        if (memcmp(socket->in + i, "\r\n\r\n", 4) != 0) continue;
        char head[HW_WEB_LARGEST_HEAD + 1];
        if (i > HW_WEB_LARGEST_HEAD || memchr(socket->in, 0, i) != NULL) break;
        memcpy(head, socket->in, i);
        head[i] = 0;
        Drop(socket, i + 4);
        AnswerHead(socket, head, subprotocol);
        return;
    }
    if (socket->inSize > HW_WEB_LARGEST_HEAD)
        Refuse(socket, "431 Request Header Fields Too Large", "The request is too long.");
    if (clock > socket->since + HEAD_TIME) socket->phase = HW_WEB_CLOSED;
}

// One frame off what has arrived. True: a text message is whole.
static bool TakeFrame(hwWebSocket* socket, bool* more) {
    const unsigned char* in = socket->in;
    *more = false;
    if (socket->inSize < 2) return false;
    int opcode = in[0] & 15;
    bool last = in[0] & 0x80, masked = in[1] & 0x80;
    uint64_t size = in[1] & 127;
    size_t head = 2;
    if (size >= 126) {
        size_t extra = size == 126 ? 2 : 8;
        if (socket->inSize < 2 + extra) return false;
        size = 0;
        for (size_t i = 0; i < extra; ++i) size = size << 8 | in[2 + i];
        head += extra;
    }
    // clients mask; control frames are short and whole; reserved bits are zero
    bool bad = !masked || (in[0] & 0x70) || (opcode >= 8 && (size > 125 || !last)) ||
               size > HW_WEB_LARGEST_MESSAGE ||
               (opcode < 8 && size + socket->messageSize > HW_WEB_LARGEST_MESSAGE);
    if (bad) {
        hwWebSocket_Close(socket, size > 125 ? 1009 : 1002, "not a frame that is spoken here");
        return false;
    }
    head += 4;
    if (socket->inSize < head + size) return false;
    const unsigned char* mask = in + head - 4;
    unsigned char control[126];
    unsigned char* to = opcode >= 8 ? control : socket->message + socket->messageSize;
    for (uint64_t i = 0; i < size; ++i) to[i] = in[head + i] ^ mask[i % 4];
    if (opcode < 8) socket->messageSize += (size_t)size;
    Drop(socket, head + (size_t)size);
    *more = true;
    switch (opcode) {
    case 8:
        hwWebSocket_Close(socket, 1000, "");
        *more = false;
        return false;
    case 9:
        QueueFrame(socket, 10, "", 0, control, (size_t)size);
        return false;
    case 0:
    case 1:
        if (last) socket->message[socket->messageSize] = 0;
        return last;
    case 2: // binary messages of clients carry nothing for this server
        if (last) socket->messageSize = 0;
        return false;
    default:
        return false;
    }
}

bool hwWebSocket_Receive(hwWebSocket* socket, const char* subprotocol, double clock) {
    bool more = true;
    for (int turn = 0; turn < 64 && more && socket->phase < HW_WEB_CLOSING; ++turn) {
        if (socket->phase == HW_WEB_OPEN) {
            if (TakeFrame(socket, &more)) {
                socket->messageSize = 0; // the text stays until the next call
                return true;
            }
            if (more || socket->phase >= HW_WEB_CLOSING) continue;
        }
        ssize_t got = recv(socket->fd, socket->in + socket->inSize, sizeof(socket->in) - socket->inSize, 0);
        more = got > 0;
        if (got > 0) socket->inSize += (size_t)got;
        if (got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR))
            socket->phase = HW_WEB_CLOSED;
        if (socket->phase == HW_WEB_HEAD) TakeHead(socket, subprotocol, clock);
    }
    return false;
}
