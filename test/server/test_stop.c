// Signals end the program at once, with recordings whole.
#define _GNU_SOURCE
#include "ws_client.h"

#include "sockets.h"

#include "hawser/flight.h"

#include <ftw.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define PROGRAM HAWSER_BINARY_DIR "/hawser"
#define FOLDER HAWSER_BINARY_DIR "/test/stop_flights"

static pid_t StartProgram(int port) {
    char number[16];
    snprintf(number, sizeof(number), "%d", port);
    pid_t child = fork();
    if (child == 0) {
        if (!freopen("/dev/null", "w", stdout)) _exit(99);
        execl(PROGRAM, "hawser", "train", "--port", number, "--flights", FOLDER, (char*)NULL);
        _exit(98);
    }
    assert_true(child > 0);
    for (int i = 0; i < 2000; ++i) {
        int fd = TcpConnect(port);
        if (fd >= 0) {
            close(fd);
            return child;
        }
        WsSleep(0.01);
    }
    fail_msg("it did not begin");
    return child;
}

static int RemoveOne(const char* path, const struct stat* info, int type, struct FTW* walk) {
    (void)info, (void)type, (void)walk;
    return remove(path);
}

// Returns the seconds from the signal to the end of the program.
static double StopWith(int signalNumber, bool building) {
    int port = PickPort();
    pid_t child = StartProgram(port);
    Ws ws;
    char flight[64] = "";
    WsOpen(&ws, port, NULL, NULL, NULL);
    assert_int_equal(ws.status, 101);
    WsDo(WsAsk(&ws, "{\"type\": \"hello\", \"version\": 1"));
    if (building) {
        WsSendText(&ws, "{\"type\": \"open\", \"kind\": \"scene\", \"name\": \"flagship\"}");
        WsSleep(0.02);
    } else {
        json_t* reply = WsGood(WsAsk(&ws, "{\"type\": \"start\", \"options\": {\"title\": \"to the end\"}"));
        snprintf(flight, sizeof(flight), "%s", WsString(reply, "flight"));
        json_decref(reply);
        for (int i = 0; i < 10; ++i) {
            WsSendText(&ws, "{\"type\": \"pilot\", \"seq\": 1, \"axes\": [1, 0, 0, 0.2]}");
            WsPump(&ws, 0.1, 0);
        }
    }
    double start = WsClock();
    int status = 0;
    assert_int_equal(kill(child, signalNumber), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    double took = WsClock() - start;
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    WsClose(&ws);
    if (building) return took;
    char path[700];
    hwError error;
    snprintf(path, sizeof(path), "%s/%s", FOLDER, flight);
    hwFlight* recorded = hwLoadFlight(path, &error);
    if (recorded == NULL) fail_msg("%s", error.message);
    const hwFlightInfo* info = hwFlight_GetInfo(recorded);
    assert_string_equal(info->status, "completed");
    assert_true(info->hashed);
    assert_true(info->duration > 0.3);
    hwDestroyFlight(recorded);
    return took;
}

// The promise is 0.2 s. A busy machine can only add to it, so that one try of ten that keeps it is enough; a server that
// waits for something keeps it in none.
static void CheckQuickest(bool building) {
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP};
    double least = 1e9;
    for (int i = 0; i < 3 || (least > 0.2 && i < 10); ++i) {
        double took = StopWith(signals[i % 3], building);
        if (took < least) least = took;
    }
    if (least > 0.2) fail_msg("it took %g s", least);
}

static void test_SignalsEndFlights(void** state) {
    (void)state;
    CheckQuickest(false);
}

static void test_SignalsEndWhileAWorldIsMade(void** state) {
    (void)state;
    CheckQuickest(true);
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_SignalsEndFlights),
        cmocka_unit_test(test_SignalsEndWhileAWorldIsMade),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    nftw(FOLDER, RemoveOne, 8, FTW_DEPTH | FTW_PHYS);
    return failed;
}
