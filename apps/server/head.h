// The head of an HTTP request: what is let in to the library that serves it, and what is refused with which status.
#ifndef HW_SERVER_HEAD_H
#define HW_SERVER_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

#define HEAD_MOST_BYTES 8192
#define HEAD_MOST_TARGET 1024 // characters of path and query
#define HEAD_MOST_FIELDS 64

#define WS_PATH "/ws"
#define WS_PROTOCOL "hawser.1"

typedef enum hwWebHeadResult {
    HEAD_MORE, // not complete yet, and nothing wrong so far
    HEAD_GOOD,
    HEAD_BAD
} hwWebHeadResult;

// Under which names the server may be called.
typedef struct hwWebHeadRules {
    const char* host; // of --host, or null
    int port;
    const struct sockaddr* local; // address that the connection came to, or null
} hwWebHeadRules;

typedef struct hwWebHead {
    bool webSocket;    // else a page or a recording
    bool bodyless;     // HEAD: an answer has no content
    int status;        // of a refusal
    const char* text;  // of a refusal: one sentence
    const char* field; // of a refusal: a header line that belongs to it, or ""
} hwWebHead;

// Reads what has come so far; nothing behind the head is looked at. Stricter than RFC 9112 where that does no harm: one
// request, no content, no folded lines, and no header that matters twice.
hwWebHeadResult hwWebHead_Read(const char* bytes, size_t size, const hwWebHeadRules* rules, hwWebHead* head);

#endif
