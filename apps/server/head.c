#define _GNU_SOURCE // memmem
#include "apps/server/head.h"

#include "apps/server/origin.h"

#include <string.h>
#include <strings.h>

// A piece of the request.
typedef struct Span {
    const char* at;
    size_t size;
} Span;

// Headers that decide something; each may come once.
typedef enum Field {
    FIELD_HOST,
    FIELD_ORIGIN,
    FIELD_UPGRADE,
    FIELD_CONNECTION,
    FIELD_KEY,
    FIELD_VERSION,
    FIELD_PROTOCOL,
    FIELD_LENGTH,
    FIELD_ENCODING,
    FIELD_EXPECT,
    FIELD_SETTINGS,
    FIELDS
} Field;

static const char* const g_fields[FIELDS] = {"host",
                                             "origin",
                                             "upgrade",
                                             "connection",
                                             "sec-websocket-key",
                                             "sec-websocket-version",
                                             "sec-websocket-protocol",
                                             "content-length",
                                             "transfer-encoding",
                                             "expect",
                                             "http2-settings"};

typedef struct Request {
    Span method, target, path;
    bool old; // HTTP/1.0
    Span fields[FIELDS];
} Request;

static hwWebHeadResult Head_Refuse(hwWebHead* head, int status, const char* text, const char* field) {
    head->status = status;
    head->text = text;
    head->field = field;
    return HEAD_BAD;
}

static bool Span_Is(Span span, const char* text) {
    return span.size == strlen(text) && strncasecmp(span.at, text, span.size) == 0;
}

// The same to the letter.
static bool Span_IsExactly(Span span, const char* text) {
    return span.size == strlen(text) && memcmp(span.at, text, span.size) == 0;
}

// RFC 9110, 5.6.2
static bool IsTokenChar(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != 0 && strchr("!#$%&'*+-.^_`|~", c) != NULL);
}

static bool IsToken(Span span) {
    for (size_t i = 0; i < span.size; ++i) {
        if (!IsTokenChar(span.at[i])) return false;
    }
    return span.size > 0;
}

// Whether a list with commas has this word.
static bool List_Has(Span list, const char* word, bool anyCase) {
    size_t length = strlen(word);
    for (size_t i = 0; i < list.size;) {
        size_t end = i;
        while (end < list.size && list.at[end] != ',') ++end;
        size_t first = i, last = end;
        while (first < last && (list.at[first] == ' ' || list.at[first] == '\t')) ++first;
        while (last > first && (list.at[last - 1] == ' ' || list.at[last - 1] == '\t')) --last;
        bool same = last - first == length && (anyCase ? strncasecmp(list.at + first, word, length) == 0
                                                       : memcmp(list.at + first, word, length) == 0);
        if (same) return true;
        i = end + 1;
    }
    return false;
}

// Lines ------------------------------------------------------------------------------------------------------------------

// Bytes that no head has. Checked before the whole head has come, so that what is not HTTP is refused at once.
static bool HasStrangeBytes(const char* bytes, size_t size) {
    bool first = true; // the request's line, which is ASCII
    for (size_t i = 0; i < size; ++i) {
        unsigned char c = (unsigned char)bytes[i];
        if (c == '\r') {
            if (i + 1 < size && bytes[i + 1] != '\n') return true;
            continue;
        }
        if (c == '\n') {
            if (i == 0 || bytes[i - 1] != '\r') return true;
            first = false;
            continue;
        }
        if (c == 127 || (c < 32 && (c != '\t' || first)) || (first && c > 126)) return true;
    }
    return false;
}

static Span TakeLine(Span* rest) {
    const char* end = memmem(rest->at, rest->size, "\r\n", 2);
    Span line = {rest->at, end != NULL ? (size_t)(end - rest->at) : rest->size};
    size_t used = end != NULL ? line.size + 2 : line.size;
    rest->at += used;
    rest->size -= used;
    return line;
}

static hwWebHeadResult ReadFirstLine(Request* request, Span line, hwWebHead* head) {
    const char* space = memchr(line.at, ' ', line.size);
    if (space == NULL) return Head_Refuse(head, 400, "this is not HTTP", "");
    request->method = (Span){line.at, (size_t)(space - line.at)};
    Span rest = {space + 1, line.size - request->method.size - 1};
    space = memchr(rest.at, ' ', rest.size);
    if (space == NULL || !IsToken(request->method)) return Head_Refuse(head, 400, "this is not HTTP", "");
    request->target = (Span){rest.at, (size_t)(space - rest.at)};
    Span version = {space + 1, rest.size - request->target.size - 1};
    if (version.size != 8 || memcmp(version.at, "HTTP/", 5) != 0 || version.at[6] != '.')
        return Head_Refuse(head, 400, "this is not HTTP", "");
    if (version.at[5] != '1' || (version.at[7] != '1' && version.at[7] != '0'))
        return Head_Refuse(head, 505, "only HTTP/1.1 is spoken here", "");
    request->old = version.at[7] == '0';
    return HEAD_GOOD;
}

static hwWebHeadResult ReadField(Request* request, Span line, hwWebHead* head) {
    const char* colon = memchr(line.at, ':', line.size);
    Span name = {line.at, colon != NULL ? (size_t)(colon - line.at) : 0};
    if (!IsToken(name)) return Head_Refuse(head, 400, "a header is not one", "");
    Span value = {colon + 1, line.size - name.size - 1};
    while (value.size > 0 && (value.at[0] == ' ' || value.at[0] == '\t')) value.at += 1, value.size -= 1;
    while (value.size > 0 && (value.at[value.size - 1] == ' ' || value.at[value.size - 1] == '\t'))
        value.size -= 1;
    for (int i = 0; i < FIELDS; ++i) {
        if (!Span_Is(name, g_fields[i])) continue;
        if (request->fields[i].at != NULL)
            return Head_Refuse(head, 400, "a header came twice that may come once", "");
        request->fields[i] = value;
    }
    return HEAD_GOOD;
}

// Meaning ----------------------------------------------------------------------------------------------------------------

// What is served has plain names: nothing that is escaped, hidden, empty or leads upwards is one of them.
static bool IsPlainPath(Span path) {
    size_t segment = 0;
    for (size_t i = 0; i < path.size; ++i) {
        char c = path.at[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     (c != 0 && strchr("-._~/", c) != NULL);
        if (!plain) return false;
        if (c == '/') {
            if (i > 0 && segment == 0) return false;
            segment = 0;
            continue;
        }
        if (segment == 0 && c == '.') return false;
        segment += 1;
    }
    return true;
}

static bool CopyText(Span span, char* text, size_t size) {
    if (span.size >= size) return false;
    if (span.size > 0) memcpy(text, span.at, span.size);
    text[span.size] = 0;
    return true;
}

static hwWebHeadResult CheckNames(const Request* request, const hwWebHeadRules* rules, hwWebHead* head) {
    char host[300], origin[320];
    if (request->fields[FIELD_HOST].at == NULL) return Head_Refuse(head, 400, "there is no Host", "");
    if (!CopyText(request->fields[FIELD_HOST], host, sizeof(host)) ||
        !CopyText(request->fields[FIELD_ORIGIN], origin, sizeof(origin)) ||
        !hwWebOrigin_IsHost(host, rules->host, rules->port, rules->local)) {
        return Head_Refuse(head, 403, "not under this name; --host NAME allows another", "");
    }
    if (request->fields[FIELD_ORIGIN].at != NULL && !hwWebOrigin_IsOwn(origin, host))
        return Head_Refuse(head, 403, "not for pages of other sites", "");
    return HEAD_GOOD;
}

static bool IsKey(Span key) {
    if (key.size != 24 || key.at[22] != '=' || key.at[23] != '=') return false; // 16 bytes in base64
    for (size_t i = 0; i < 22; ++i) {
        char c = key.at[i];
        bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' ||
                    c == '/';
        if (!good) return false;
    }
    return true;
}

// RFC 6455, 4.2.1
static hwWebHeadResult CheckUpgrade(const Request* request, hwWebHead* head) {
    const Span* fields = request->fields;
    if (!Span_Is(fields[FIELD_UPGRADE], "websocket"))
        return Head_Refuse(head, 400, "there is no such upgrade here", "");
    if (!Span_IsExactly(request->target, WS_PATH))
        return Head_Refuse(head, 404, "the WebSocket is at " WS_PATH, "");
    if (head->bodyless || request->old || !List_Has(fields[FIELD_CONNECTION], "upgrade", true))
        return Head_Refuse(head, 400, "this is no upgrade to a WebSocket", "");
    if (!Span_Is(fields[FIELD_VERSION], "13"))
        return Head_Refuse(head, 426, "the WebSocket's version is 13", "Sec-WebSocket-Version: 13\r\n");
    if (!IsKey(fields[FIELD_KEY])) return Head_Refuse(head, 400, "Sec-WebSocket-Key is not one", "");
    if (!List_Has(fields[FIELD_PROTOCOL], WS_PROTOCOL, false))
        return Head_Refuse(head, 400, "the WebSocket's subprotocol is " WS_PROTOCOL, "");
    head->webSocket = true;
    return HEAD_GOOD;
}

static hwWebHeadResult CheckRequest(Request* request, const hwWebHeadRules* rules, hwWebHead* head) {
    const Span* fields = request->fields;
    bool get = Span_IsExactly(request->method, "GET");
    head->bodyless = Span_IsExactly(request->method, "HEAD");
    if (CheckNames(request, rules, head) != HEAD_GOOD) return HEAD_BAD;
    if (!get && !head->bodyless) return Head_Refuse(head, 405, "only GET and HEAD", "Allow: GET, HEAD\r\n");
    if (fields[FIELD_ENCODING].at != NULL ||
        (fields[FIELD_LENGTH].at != NULL && !Span_Is(fields[FIELD_LENGTH], "0"))) {
        return Head_Refuse(head, 413, "requests have no content here", "");
    }
    if (fields[FIELD_EXPECT].at != NULL) return Head_Refuse(head, 417, "nothing can be expected here", "");
    if (request->target.size > HEAD_MOST_TARGET) return Head_Refuse(head, 414, "the address is too long", "");
    if (request->target.size == 0 || request->target.at[0] != '/')
        return Head_Refuse(head, 400, "the address must begin with /", "");
    const char* query = memchr(request->target.at, '?', request->target.size);
    request->path = (Span){request->target.at,
                           query != NULL ? (size_t)(query - request->target.at) : request->target.size};
    if (memchr(request->target.at, '#', request->target.size) != NULL)
        return Head_Refuse(head, 400, "an address has no # here", "");
    if (!IsPlainPath(request->path)) return Head_Refuse(head, 404, "not found", "");
    if (fields[FIELD_UPGRADE].at != NULL || fields[FIELD_SETTINGS].at != NULL)
        return CheckUpgrade(request, head);
    if (Span_IsExactly(request->path, WS_PATH))
        return Head_Refuse(head, 426, "this address is a WebSocket", "Upgrade: websocket\r\n");
    return HEAD_GOOD;
}

hwWebHeadResult hwWebHead_Read(const char* bytes, size_t size, const hwWebHeadRules* rules, hwWebHead* head) {
    memset(head, 0, sizeof(*head));
    head->text = head->field = "";
    const char* end = memmem(bytes, size, "\r\n\r\n", 4);
    size_t used = end != NULL ? (size_t)(end + 2 - bytes) : size;
    if (HasStrangeBytes(bytes, used)) return Head_Refuse(head, 400, "this is not HTTP", "");
    if (used > HEAD_MOST_BYTES) return Head_Refuse(head, 431, "the headers are too long", "");
    if (end == NULL) {
        // a line that will not end well
        if (size > 0 && !IsTokenChar(bytes[0])) return Head_Refuse(head, 400, "this is not HTTP", "");
        return size < HEAD_MOST_BYTES ? HEAD_MORE : Head_Refuse(head, 431, "the headers are too long", "");
    }
    Request request;
    memset(&request, 0, sizeof(request));
    Span rest = {bytes, used};
    if (ReadFirstLine(&request, TakeLine(&rest), head) != HEAD_GOOD) return HEAD_BAD;
    for (int count = 0; rest.size > 0; ++count) {
        if (count == HEAD_MOST_FIELDS) return Head_Refuse(head, 431, "there are too many headers", "");
        if (ReadField(&request, TakeLine(&rest), head) != HEAD_GOOD) return HEAD_BAD;
    }
    return CheckRequest(&request, rules, head);
}
