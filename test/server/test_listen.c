// Which sockets the server listens on: what the system says, not what the server does.
#define _GNU_SOURCE
#define FOLDER HAWSER_BINARY_DIR "/test/listen_flights"
#include "host.h"
#include "sockets.h"

#include "apps/server/listen.h"
#include "apps/server/origin.h"

#define TOKEN "0123456789abcdef"

static void test_BindsWhatWasAskedForAndNothingElse(void** state) {
    (void)state;
    bool six = HasSix();
    const struct {
        const char *listen, *token, *sockets;
        bool needsSix;
    } cases[] = {{NULL, NULL, six ? FOUR_LOOPBACK SIX_LOOPBACK : FOUR_LOOPBACK, false},
                 {"localhost", NULL, six ? FOUR_LOOPBACK SIX_LOOPBACK : FOUR_LOOPBACK, false},
                 {"127.0.0.1", NULL, FOUR_LOOPBACK, false},
                 {"127.0.0.1", TOKEN, FOUR_LOOPBACK, false},
                 {"127.0.0.2", NULL, FOUR_SECOND, false},
                 {"::1", NULL, SIX_LOOPBACK, true},
                 {"[::1],127.0.0.2", NULL, FOUR_SECOND SIX_LOOPBACK, true},
                 {"0.0.0.0", TOKEN, FOUR_ALL, false},
                 {"::", TOKEN, SIX_ALL, true},
                 {"0.0.0.0,::", TOKEN, FOUR_ALL SIX_ALL, true}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        if (cases[i].needsSix && !six) continue;
        Host host = {.def = hwDefaultWebServerDef()};
        host.def.port = PickPort();
        host.def.listen = cases[i].listen;
        host.def.token = cases[i].token;
        StartHost(&host);
        assert_string_equal(ListSockets(host.port), cases[i].sockets);
        bool all = strstr(cases[i].sockets, FOUR_ALL) == cases[i].sockets;
        assert_int_equal(Reaches("127.0.0.1", host.port), all || strstr(cases[i].sockets, FOUR_LOOPBACK));
        assert_int_equal(Reaches("127.0.0.2", host.port), all || strstr(cases[i].sockets, FOUR_SECOND));
        if (six) {
            all = strstr(cases[i].sockets, SIX_ALL) != NULL;
            assert_int_equal(Reaches("::1", host.port), all || strstr(cases[i].sockets, SIX_LOOPBACK));
        }
        StopHost(&host);
        assert_string_equal(ListSockets(host.port), "");
    }
}

static void test_RefusesWhatCannotBeHad(void** state) {
    (void)state;
    Host other = {.def = hwDefaultWebServerDef()};
    StartHost(&other);
    const struct {
        const char *listen, *token;
        int port;
        hwStatus status;
        const char* sentence;
    } cases[] = {
        {"127.0.0.1", NULL, other.port, HW_ERROR_FILE, "another program uses it"},
        {"0.0.0.0", TOKEN, other.port, HW_ERROR_FILE, "another program uses it"},
        // an address for examples (RFC 5737), which no machine has
        {"203.0.113.7", TOKEN, 0, HW_ERROR_FILE, "this machine does not have that address"},
        {"eth0", TOKEN, 0, HW_ERROR_ARGUMENT, "\"eth0\""},
        {"127.0.0.1,", TOKEN, 0, HW_ERROR_ARGUMENT, "\"\""},
        {"", TOKEN, 0, HW_ERROR_ARGUMENT, "\"\""},
        {"127.1", TOKEN, 0, HW_ERROR_ARGUMENT, "\"127.1\""},
        {"::ffff:127.0.0.1", TOKEN, 0, HW_ERROR_ARGUMENT, "\"::ffff:127.0.0.1\""},
        {"[::1", TOKEN, 0, HW_ERROR_ARGUMENT, "\"[::1\""},
        {"127.0.0.1:80", TOKEN, 0, HW_ERROR_ARGUMENT, "\"127.0.0.1:80\""},
        {"0.0.0.0", NULL, 0, HW_ERROR_ARGUMENT, "needs a token"},
        {"::", NULL, 0, HW_ERROR_ARGUMENT, "needs a token"},
        {"127.0.0.1,0.0.0.0", NULL, 0, HW_ERROR_ARGUMENT, "needs a token"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        hwWebServerDef def = hwDefaultWebServerDef();
        volatile sig_atomic_t stop = 1; // one that did begin would end at once
        hwError error;
        def.flights = FOLDER;
        def.listen = cases[i].listen;
        def.token = cases[i].token;
        def.port = cases[i].port;
        def.stop = &stop;
        hwStatus status = hwWebServer_Run(&def, &error);
        if (status != cases[i].status || strstr(error.message, cases[i].sentence) == NULL)
            fail_msg("%s: status %d, %s", cases[i].listen, (int)status, error.message);
    }
    StopHost(&other);
}

static void test_HostNamesDoNotDependOnCase(void** state) {
    (void)state;
    struct sockaddr_in four = {.sin_family = AF_INET};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6};
    inet_pton(AF_INET, "192.0.2.7", &four.sin_addr);
    inet_pton(AF_INET6, "2001:db8::7", &six.sin6_addr);
    const struct {
        const char* host;
        const void* local;
        bool known;
    } cases[] = {{"localhost", NULL, true},
                 {"LOCALHOST", NULL, true},
                 {"LocalHost:8420", NULL, true},
                 {"127.0.0.1:8420", NULL, true},
                 {"[::1]:8420", NULL, true},
                 {"[::1]", NULL, true},
                 {"Trainer.Example", NULL, true},
                 {"trainer.example:8420", NULL, true},
                 {"192.0.2.7:8420", &four, true},
                 {"[2001:DB8:0::7]:8420", &six, true},
                 {"192.0.2.7:8420", NULL, false},
                 {"192.0.2.8:8420", &four, false},
                 {"[2001:db8::8]:8420", &six, false},
                 {"localhost:8421", NULL, false},
                 {"localhost:", NULL, false},
                 {"localhost:8420x", NULL, false},
                 {"localhost:08420", NULL, true},
                 {"localhost:108420", NULL, false},
                 {"localhost.evil.example", NULL, false},
                 {"evil.example", NULL, false},
                 {"localhost,evil.example", NULL, false},
                 {"localhost@evil.example", NULL, false},
                 {"[::1", NULL, false},
                 {"[::1]x", NULL, false},
                 {"", NULL, false},
                 {":8420", NULL, false}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        if (hwWebOrigin_IsHost(cases[i].host, "trainer.example", 8420, cases[i].local) != cases[i].known)
            fail_msg("%s", cases[i].host);
    }
    // behind a proxy on a port of its own
    assert_true(hwWebOrigin_IsHost("Trainer.example:443", "trainer.example:443", 8420, NULL));
    assert_false(hwWebOrigin_IsHost("trainer.example:444", "trainer.example:443", 8420, NULL));
    assert_true(hwWebOrigin_IsOwn("http://localhost:8420", "LOCALHOST:8420"));
    assert_true(hwWebOrigin_IsOwn("https://trainer.example", "trainer.example"));
    assert_false(hwWebOrigin_IsOwn("http://localhost:8421", "localhost:8420"));
    assert_false(hwWebOrigin_IsOwn("ftp://localhost:8420", "localhost:8420"));
    assert_false(hwWebOrigin_IsOwn("null", "localhost:8420"));
    assert_false(hwWebOrigin_IsOwn("http://localhost:8420.evil.example", "localhost:8420"));
}

// Over every address under its own name.
static void test_EveryAddressIsItsOwnHost(void** state) {
    (void)state;
    Host host = {.def = hwDefaultWebServerDef()};
    host.def.listen = "0.0.0.0";
    host.def.token = TOKEN;
    StartHost(&host);
    char own[64], foreign[64];
    snprintf(own, sizeof(own), "127.0.0.2:%d", host.port);
    snprintf(foreign, sizeof(foreign), "192.0.2.200:%d", host.port);
    Ws ws;
    WsOpenAt(&ws, "127.0.0.2", host.port, own, NULL, NULL);
    assert_int_equal(ws.status, 101);
    // and no flight through it without the token
    assert_true(WsIsError(WsAsk(&ws, "{\"type\": \"hello\", \"version\": 1"), "token"));
    WsClose(&ws);
    WsOpenAt(&ws, "127.0.0.2", host.port, foreign, NULL, NULL);
    assert_int_not_equal(ws.status, 101);
    WsClose(&ws);
    StopHost(&host);
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_BindsWhatWasAskedForAndNothingElse),
        cmocka_unit_test(test_RefusesWhatCannotBeHad),
        cmocka_unit_test(test_HostNamesDoNotDependOnCase),
        cmocka_unit_test(test_EveryAddressIsItsOwnHost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
