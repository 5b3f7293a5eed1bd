// The door: connections that say nothing, too little or too much, by its counters.
#define _GNU_SOURCE
#include "ws_client.h"

#include "apps/server/door.h"

#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>

static hwWebDoor* g_door;
static int g_port;
static atomic_int g_arrivals;

static void OnArrived(void* context) {
    (void)context;
    atomic_fetch_add(&g_arrivals, 1);
}

static int OpenDoor(void** state) {
    (void)state;
    hwWebListeners listeners;
    hwError error;
    signal(SIGPIPE, SIG_IGN);
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    if (files.rlim_cur < 4096) files.rlim_cur = files.rlim_max < 4096 ? files.rlim_max : 4096;
    setrlimit(RLIMIT_NOFILE, &files);
    if (!hwWebListeners_Parse(&listeners, "127.0.0.1", &error)) return -1;
    if (hwWebListeners_Open(&listeners, 0, &error) != HW_OK) return -1;
    g_port = listeners.port;
    atomic_store(&g_arrivals, 0);
    g_door = hwWebDoor_Open(&listeners, NULL, OnArrived, NULL);
    return g_door != NULL ? 0 : -1;
}

static int CloseDoor(void** state) {
    (void)state;
    hwWebDoor_Close(g_door);
    return 0;
}

// Waits until the door has taken so many connections; the time is for machines that are busy.
static hwWebDoorCounters WaitAccepted(uint64_t count) {
    double until = WsClock() + 60.0;
    for (;;) {
        hwWebDoorCounters counters = hwWebDoor_GetCounters(g_door);
        if (counters.accepted >= count || WsClock() > until) return counters;
        WsSleep(0.01);
    }
}

static bool WaitArrival(hwWebArrival* arrival) {
    double until = WsClock() + 60.0;
    while (!hwWebDoor_Take(g_door, arrival)) {
        if (WsClock() > until) return false;
        WsSleep(0.005);
    }
    return true;
}

static int Connect(const char* text) {
    int fd = TcpConnect(g_port);
    assert_true(fd >= 0);
    WsWrite(fd, text, strlen(text));
    return fd;
}

static const char g_good[] = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

static void test_GoodRequestIsHandedOverUnread(void** state) {
    (void)state;
    int fd = TcpConnect(g_port);
    // letter by letter
    for (const char* c = g_good; *c != 0; ++c) WsWrite(fd, c, 1);
    hwWebArrival arrival;
    assert_true(WaitArrival(&arrival));
    char bytes[200];
    assert_int_equal(recv(arrival.fd, bytes, sizeof(bytes), 0), strlen(g_good));
    assert_memory_equal(bytes, g_good, strlen(g_good));
    assert_true(arrival.peer.loopback);
    assert_false(arrival.webSocket);
    close(arrival.fd);
    close(fd);
}

static int ReadStatus(int fd, char* text, size_t size) {
    size_t used = 0;
    int status = 0;
    for (ssize_t got = 1; got > 0 && used + 1 < size; used += got > 0 ? (size_t)got : 0)
        got = recv(fd, text + used, size - 1 - used, 0);
    text[used] = 0;
    sscanf(text, "HTTP/1.1 %d", &status);
    return status;
}

static void test_RefusalsCanBeRead(void** state) {
    (void)state;
    char text[2000];
    int fd = Connect("DELETE / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert_int_equal(ReadStatus(fd, text, sizeof(text)), 405);
    assert_non_null(strstr(text, "\r\nAllow: GET, HEAD\r\n"));
    assert_non_null(strstr(text, "\r\nConnection: close\r\n"));
    assert_non_null(strstr(text, "only GET and HEAD\n"));
    close(fd);
    // no content in answers to HEAD
    fd = Connect("HEAD /../x HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert_int_equal(ReadStatus(fd, text, sizeof(text)), 404);
    assert_string_equal(strstr(text, "\r\n\r\n"), "\r\n\r\n");
    close(fd);
    // one that sends more than it may is told all the same
    char* large = malloc(60000);
    memset(large, 'x', 59999);
    large[59999] = 0;
    fd = Connect("GET / HTTP/1.1\r\nX: ");
    WsWrite(fd, large, 30000);
    assert_int_equal(ReadStatus(fd, text, sizeof(text)), 431);
    close(fd);
    free(large);
    // and what the server has no room for
    fd = Connect(g_good);
    hwWebArrival arrival;
    assert_true(WaitArrival(&arrival));
    hwWebDoor_Return(g_door, &arrival);
    assert_int_equal(ReadStatus(fd, text, sizeof(text)), 503);
    assert_non_null(strstr(text, "\r\nRetry-After: 10\r\n"));
    close(fd);
}

static void test_SilentConnectionsGiveWay(void** state) {
    (void)state;
    enum { COUNT = 600 };
    static int fds[COUNT];
    uint64_t before = hwWebDoor_GetCounters(g_door).accepted;
    for (int i = 0; i < COUNT; ++i) fds[i] = Connect(i % 2 == 0 ? "" : "GET / HTTP/1.1\r\n");
    int fd = Connect(g_good);
    hwWebArrival arrival;
    assert_true(WaitArrival(&arrival));
    close(arrival.fd);
    close(fd);
    hwWebDoorCounters counters = WaitAccepted(before + COUNT + 1);
    assert_int_equal(counters.accepted, before + COUNT + 1);
    assert_true(counters.mostWaiting <= DOOR_MOST_WAITING);
    // each was pushed out or, on a slow machine, late; no more than there are places still wait
    assert_true(counters.pushed + counters.late >= COUNT - DOOR_MOST_WAITING);
    for (int i = 0; i < COUNT; ++i) close(fds[i]);
}

static void test_LateHeadIsClosed(void** state) {
    (void)state;
    uint64_t before = hwWebDoor_GetCounters(g_door).late;
    double start = WsClock();
    int silent = Connect(""), fd = Connect("GET / HTTP/1.1\r\n");
    char text[2000];
    struct timeval wait = {60, 0};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
    setsockopt(silent, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
    assert_int_equal(ReadStatus(fd, text, sizeof(text)), 408);
    assert_true(WsClock() - start > 0.9 * DOOR_HEAD_TIME);
    assert_int_equal(recv(silent, text, 1, 0), 0); // closed, without a word
    assert_int_equal(hwWebDoor_GetCounters(g_door).late, before + 2);
    close(fd);
    close(silent);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_GoodRequestIsHandedOverUnread),
        cmocka_unit_test(test_RefusalsCanBeRead),
        cmocka_unit_test(test_SilentConnectionsGiveWay),
        cmocka_unit_test(test_LateHeadIsClosed),
    };
    return cmocka_run_group_tests(tests, OpenDoor, CloseDoor);
}
