// Running the built program as a child, in a folder of its own.
#ifndef HW_TEST_PROGRAM_H
#define HW_TEST_PROGRAM_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROGRAM HAWSER_BINARY_DIR "/hawser"

// What a call of the program left: texts are cut at their size.
static char g_folder[64];
static char g_output[200000];
static char g_errors[20000];

static inline char* ReadAll(const char* path, char* text, size_t size) {
    FILE* file = fopen(path, "rb");
    text[0] = 0;
    if (!file) return NULL;
    text[fread(text, 1, size - 1, file)] = 0;
    fclose(file);
    return text;
}

static inline int OpenFolder(void** state) {
    (void)state;
    strcpy(g_folder, "/tmp/hawser-cli-XXXXXX");
    return mkdtemp(g_folder) && chdir(g_folder) == 0 ? 0 : -1;
}

static inline int CloseFolder(void** state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof(command), "rm -rf %s", g_folder);
    return chdir("/") == 0 ? system(command) : -1;
}

static inline void PutFile(const char* name, const char* text) {
    FILE* file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

// Runs `hawser <arguments>` by the shell and returns its exit status.
static inline int Hawser(const char* arguments) {
    char command[2000];
    snprintf(command, sizeof(command), "'%s' %s >.out 2>.err", PROGRAM, arguments);
    int status = system(command);
    ReadAll(".out", g_output, sizeof(g_output));
    ReadAll(".err", g_errors, sizeof(g_errors));
    unlink(".out");
    unlink(".err");
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

// Starts the program with its words, both outputs in files.
static inline pid_t StartHawser(char* const* words) {
    pid_t child = fork();
    if (child != 0) return child;
    if (!freopen(".out", "w", stdout) || !freopen(".err", "w", stderr)) _exit(99);
    execv(PROGRAM, words);
    _exit(98);
}

static inline bool Exists(const char* path) {
    struct stat about;
    return stat(path, &about) == 0;
}

static inline void AssertSays(const char* text, const char* part) {
    if (!strstr(text, part)) fail_msg("\"%s\" does not say \"%s\"", text, part);
}

// A box that falls through air for a second.
static const char g_box[] =
    "hawser: 1\nname: a box falls\nduration: 1\noutput: {interval: 0.1}\nbodies:\n"
    "  - name: box\n    mass: 100\n    inertia: [10, 10, 10]\n    position: [0, 0, 5]\n"
    "    velocity: [1, 0, 0]\n";

#endif
