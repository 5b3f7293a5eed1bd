// Heads of requests: what is let in, and what is refused with which status.
#define _GNU_SOURCE
#include "support.h"

#include "apps/server/head.h"

#include <netinet/in.h>

#define HOST "Host: localhost:8420\r\n"
#define UPGRADE "Upgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
#define KEY "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
#define VERSION "Sec-WebSocket-Version: 13\r\n"
#define PROTOCOL "Sec-WebSocket-Protocol: hawser.1\r\n"
#define WS_REST UPGRADE KEY VERSION PROTOCOL "\r\n"
#define END "\r\n"

enum { MORE = 0, GOOD = 200, SOCKET = 101 };

static int Read(const char* bytes, size_t size) {
    static const hwWebHeadRules rules = {.host = "trainer.example", .port = 8420};
    hwWebHead head;
    // in memory of exactly this size, so that reading beyond is seen by a sanitizer
    char* copy = malloc(size > 0 ? size : 1);
    memcpy(copy, bytes, size);
    hwWebHeadResult result = hwWebHead_Read(copy, size, &rules, &head);
    free(copy);
    if (result == HEAD_MORE) return MORE;
    if (result == HEAD_GOOD) return head.webSocket ? SOCKET : GOOD;
    assert_true(strlen(head.text) > 0);
    return head.status;
}

static void test_EveryRequestGetsItsStatus(void** state) {
    (void)state;
    static const struct {
        const char* text;
        int status;
    } cases[] = {
        {"GET / HTTP/1.1\r\n" HOST END, GOOD},
        {"HEAD / HTTP/1.1\r\n" HOST END, GOOD},
        {"GET / HTTP/1.0\r\n" HOST END, GOOD},
        {"GET /assets/index-Bx_1.js HTTP/1.1\r\n" HOST END, GOOD},
        {"GET /flights/20260114-101530-k3a/results.h5?token=a%2Bb HTTP/1.1\r\n" HOST END, GOOD},
        {"GET / HTTP/1.1\r\nHost: LOCALHOST\r\n" END, GOOD},
        {"GET / HTTP/1.1\r\nhOsT:\tTrainer.example \r\n" END, GOOD},
        {"GET / HTTP/1.1\r\n" HOST "Origin: http://localhost:8420\r\n" END, GOOD},
        {"GET / HTTP/1.1\r\n" HOST "Cookie: a\xc3\xa4=1\r\nCookie: b=2\r\n" END, GOOD},
        {"GET / HTTP/1.1\r\n" HOST "Content-Length: 0\r\n" END, GOOD},
        // the WebSocket
        {"GET /ws HTTP/1.1\r\n" HOST WS_REST, SOCKET},
        {"GET /ws HTTP/1.1\r\n" HOST UPGRADE KEY VERSION "Sec-WebSocket-Protocol: other, hawser.1\r\n" END,
         SOCKET},
        {"GET /ws HTTP/1.1\r\n" HOST "Origin: HTTP://LocalHost:8420\r\n" WS_REST, SOCKET},
        {"GET / HTTP/1.1\r\n" HOST WS_REST, 404},
        {"GET /WS HTTP/1.1\r\n" HOST WS_REST, 404},
        {"GET /ws/ HTTP/1.1\r\n" HOST WS_REST, 404},
        {"GET /ws?x HTTP/1.1\r\n" HOST WS_REST, 404},
        {"GET /ws HTTP/1.1\r\n" HOST UPGRADE KEY VERSION END, 400},
        {"GET /ws HTTP/1.1\r\n" HOST UPGRADE KEY VERSION "Sec-WebSocket-Protocol: http\r\n" END, 400},
        {"GET /ws HTTP/1.1\r\n" HOST UPGRADE KEY VERSION "Sec-WebSocket-Protocol: (page)\r\n" END, 400},
        {"GET /ws HTTP/1.1\r\n" HOST UPGRADE KEY VERSION "Sec-WebSocket-Protocol: hawser.10\r\n" END, 400},
        {"GET /ws HTTP/1.1\r\n" HOST UPGRADE KEY "Sec-WebSocket-Version: 8\r\n" PROTOCOL END, 426},
        {"GET /ws HTTP/1.1\r\n" HOST UPGRADE "Sec-WebSocket-Key: short==\r\n" VERSION PROTOCOL END, 400},
        {"GET /ws HTTP/1.1\r\n" HOST UPGRADE VERSION PROTOCOL END, 400},
        {"GET /ws HTTP/1.1\r\n" HOST "Upgrade: websocket\r\n" KEY VERSION PROTOCOL END, 400},
        {"GET /ws HTTP/1.0\r\n" HOST WS_REST, 400},
        {"HEAD /ws HTTP/1.1\r\n" HOST WS_REST, 400},
        {"POST /ws HTTP/1.1\r\n" HOST WS_REST, 405},
        {"GET /ws HTTP/1.1\r\n" HOST END, 426},
        {"GET / HTTP/1.1\r\n" HOST "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n" END, 400},
        {"GET / HTTP/1.1\r\n" HOST "HTTP2-Settings: AAMAAABk\r\n" END, 400},
        // who asks
        {"GET / HTTP/1.1\r\n" END, 400},
        {"GET / HTTP/1.1\r\n" HOST HOST END, 400},
        {"GET / HTTP/1.1\r\nHost: evil.example\r\n" END, 403},
        {"GET / HTTP/1.1\r\nHost: localhost:1\r\n" END, 403},
        {"GET / HTTP/1.1\r\nHost:\r\n" END, 403},
        {"GET / HTTP/1.1\r\n" HOST "Origin: http://evil.example\r\n" END, 403},
        {"GET / HTTP/1.1\r\n" HOST "Origin: null\r\n" END, 403},
        {"GET /ws HTTP/1.1\r\n" HOST "Origin: http://localhost:8421\r\n" WS_REST, 403},
        // what is asked
        {"POST / HTTP/1.1\r\n" HOST "Content-Length: 3\r\n" END, 405},
        {"OPTIONS * HTTP/1.1\r\n" HOST END, 405},
        {"CONNECT localhost:22 HTTP/1.1\r\n" HOST END, 405},
        {"TRACE / HTTP/1.1\r\n" HOST END, 405},
        {"get / HTTP/1.1\r\n" HOST END, 405},
        {"BREW / HTTP/1.1\r\n" HOST END, 405},
        {"GET / HTTP/1.1\r\n" HOST "Content-Length: 3\r\n" END, 413},
        {"GET / HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n" END, 413},
        {"GET / HTTP/1.1\r\n" HOST "Expect: 100-continue\r\n" END, 417},
        {"GET http://localhost:8420/ HTTP/1.1\r\n" HOST END, 400},
        {"GET index.html HTTP/1.1\r\n" HOST END, 400},
        {"GET /#token=x HTTP/1.1\r\n" HOST END, 400},
        {"GET /../etc/passwd HTTP/1.1\r\n" HOST END, 404},
        {"GET /assets/../../etc/passwd HTTP/1.1\r\n" HOST END, 404},
        {"GET /%2e%2e/etc/passwd HTTP/1.1\r\n" HOST END, 404},
        {"GET /index%00.html HTTP/1.1\r\n" HOST END, 404},
        {"GET /index.html%2f..%2f HTTP/1.1\r\n" HOST END, 404},
        {"GET /..\\..\\etc HTTP/1.1\r\n" HOST END, 404},
        {"GET //evil.example/ HTTP/1.1\r\n" HOST END, 404},
        {"GET /.git/config HTTP/1.1\r\n" HOST END, 404},
        // how it is asked
        {"GET / HTTP/2.0\r\n" HOST END, 505},
        {"GET / HTTP/1.2\r\n" HOST END, 505},
        {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505},
        {"GET / HTTP/1.1 \r\n" HOST END, 400},
        {"GET  / HTTP/1.1\r\n" HOST END, 400},
        {"GET /\r\n" HOST END, 400},
        {" GET / HTTP/1.1\r\n" HOST END, 400},
        {"\r\nGET / HTTP/1.1\r\n" HOST END, 400},
        {"G\tET / HTTP/1.1\r\n" HOST END, 400},
        {"GET /\xc3\xa4 HTTP/1.1\r\n" HOST END, 400},
        {"GET / HTTP/1.1\n" HOST END, 400},
        {"GET / HTTP/1.1\r\n" HOST "X: a\r\n b\r\n" END, 400},
        {"GET / HTTP/1.1\r\n" HOST "X : a\r\n" END, 400},
        {"GET / HTTP/1.1\r\n" HOST "no colon\r\n" END, 400},
        {"GET / HTTP/1.1\r\n" HOST ": empty\r\n" END, 400},
        {"GET / HTTP/1.1\r\n" HOST "X: a\rb\r\n" END, 400},
        {"GET / HTTP/1.1\r\n" HOST "X: \x01\r\n" END, 400},
        {"GET / HTTP/1.1\r\n" HOST "Upgrade: websocket\r\nUpgrade: websocket\r\n" END, 400},
        {"\x16\x03\x01\x02", 400},
        {"{\"type\": \"hello\"}", 400}, // no letter of a method
        {"GET / HTTP/1.1\r\n" HOST, MORE},
        {"GET / HT", MORE},
        {"", MORE},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        int status = Read(cases[i].text, strlen(cases[i].text));
        if (status != cases[i].status)
            fail_msg("%s gave %d instead of %d", cases[i].text, status, cases[i].status);
    }
}

// However it is cut: never good before it is whole, and refused early only when it is refused whole.
static void test_PiecesMakeTheSameWhole(void** state) {
    (void)state;
    static const char* const texts[] = {"GET / HTTP/1.1\r\n" HOST "Accept: */*\r\n" END,
                                        "GET /ws HTTP/1.1\r\n" HOST WS_REST, "POST / HTTP/1.1\r\n" HOST END,
                                        "GET / HTTP/1.1\r\n" HOST "X: \x02\r\n" END};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); ++i) {
        size_t size = strlen(texts[i]);
        int whole = Read(texts[i], size);
        for (size_t cut = 0; cut < size; ++cut) {
            int part = Read(texts[i], cut);
            if (part != MORE && part != whole) fail_msg("%.*s gave %d", (int)cut, texts[i], part);
            if (part == GOOD || part == SOCKET) fail_msg("%.*s is not whole", (int)cut, texts[i]);
        }
    }
}

static void test_SizesAreBounded(void** state) {
    (void)state;
    static char text[3 * HEAD_MOST_BYTES];
    int used = snprintf(text, sizeof(text), "GET / HTTP/1.1\r\n" HOST "X: ");
    memset(text + used, 'x', HEAD_MOST_BYTES);
    assert_int_equal(Read(text, (size_t)used + HEAD_MOST_BYTES), 431);
    assert_int_equal(Read(text, HEAD_MOST_BYTES - 1), MORE);
    used += HEAD_MOST_BYTES;
    used += snprintf(text + used, sizeof(text) - (size_t)used, "\r\n\r\n");
    assert_int_equal(Read(text, (size_t)used), 431);
    used = snprintf(text, sizeof(text), "GET /");
    memset(text + used, 'x', HEAD_MOST_TARGET);
    used += HEAD_MOST_TARGET;
    used += snprintf(text + used, sizeof(text) - (size_t)used, " HTTP/1.1\r\n" HOST END);
    assert_int_equal(Read(text, (size_t)used), 414);
    used = snprintf(text, sizeof(text), "GET / HTTP/1.1\r\n" HOST);
    for (int i = 0; i < HEAD_MOST_FIELDS; ++i)
        used += snprintf(text + used, sizeof(text) - (size_t)used, "X-%d: y\r\n", i);
    used += snprintf(text + used, sizeof(text) - (size_t)used, "\r\n");
    assert_int_equal(Read(text, (size_t)used), 431);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_EveryRequestGetsItsStatus),
        cmocka_unit_test(test_PiecesMakeTheSameWhole),
        cmocka_unit_test(test_SizesAreBounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
