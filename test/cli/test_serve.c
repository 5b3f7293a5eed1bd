// The commands that serve pages: what they listen on.
#define _XOPEN_SOURCE 700
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "program.h"
#include "server/sockets.h"

#include <errno.h>
#include <time.h>

static void Sleep(double seconds) {
    struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&time, NULL);
}

// Starts `hawser COMMAND [SCENE] --port N [--listen ADDRESS] [--token T]` and waits until it says where it is.
static pid_t Serve(const char* command, const char* scene, int port, const char* listen, const char* token) {
    char* words[12] = {"hawser", (char*)(uintptr_t)command};
    char number[16];
    int count = 2;
    snprintf(number, sizeof(number), "%d", port);
    if (scene != NULL) words[count++] = (char*)(uintptr_t)scene;
    words[count++] = "--port";
    words[count++] = number;
    words[count++] = "--flights";
    words[count++] = "flights";
    if (listen != NULL) words[count++] = "--listen", words[count++] = (char*)(uintptr_t)listen;
    if (token != NULL) words[count++] = "--token", words[count++] = (char*)(uintptr_t)token;
    unlink(".out"); // of the one before
    pid_t child = StartHawser(words);
    assert_true(child > 0);
    for (int i = 0; i < 2000; ++i) {
        ReadAll(".out", g_output, sizeof(g_output));
        if (strstr(g_output, "Ctrl-C ends the server.") != NULL) return child;
        if (waitpid(child, NULL, WNOHANG) == child) break;
        Sleep(0.01);
    }
    ReadAll(".err", g_errors, sizeof(g_errors));
    fail_msg("%s did not begin: %s", command, g_errors);
    return child;
}

static void EndServer(pid_t child) {
    int status = 0;
    kill(child, SIGTERM);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void TrainAndViewBindWhatWasAskedFor(void** state) {
    (void)state;
    PutFile("box.yaml", g_box);
    bool six = HasSix();
    const char* loopback = six ? FOUR_LOOPBACK SIX_LOOPBACK : FOUR_LOOPBACK;
    static const char token[] = "0123456789abcdef";
    const struct {
        const char *command, *scene, *listen, *token, *sockets;
    } cases[] = {{"train", NULL, NULL, NULL, loopback},
                 {"train", NULL, "127.0.0.1", NULL, FOUR_LOOPBACK},
                 {"train", NULL, "127.0.0.1", token, FOUR_LOOPBACK},
                 {"train", NULL, "0.0.0.0", token, FOUR_ALL},
                 {"view", "box.yaml", NULL, NULL, loopback},
                 {"view", "box.yaml", "127.0.0.2", NULL, FOUR_SECOND}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        int port = PickPort();
        pid_t child = Serve(cases[i].command, cases[i].scene, port, cases[i].listen, cases[i].token);
        assert_string_equal(ListSockets(port), cases[i].sockets);
        EndServer(child);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TrainAndViewBindWhatWasAskedFor),
    };
    return cmocka_run_group_tests(tests, OpenFolder, CloseFolder);
}
