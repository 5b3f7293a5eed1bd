#define _GNU_SOURCE
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Exit statuses of the child.
enum { CHILD_DONE = 0, CHILD_FAILED = 1 };

// Bytes of address space that this process has, 0 when the system does not say.
static uint64_t GetAddressSpace(void) {
    FILE* file = fopen("/proc/self/statm", "r");
    unsigned long long pages = 0;
    if (file == NULL) return 0;
    if (fscanf(file, "%llu", &pages) != 1) pages = 0;
    fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void SetLimit(int resource, uint64_t most) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) return;
    if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > most) limit.rlim_cur = (rlim_t)most;
    setrlimit(resource, &limit);
}

static void SetLimits(const hwChildLimits* limits) {
    // What is there already counts, a sanitizer's shadow memory too.
    uint64_t present = GetAddressSpace();
    if (present > 0) SetLimit(RLIMIT_AS, present + limits->memory);
    SetLimit(RLIMIT_CPU, (uint64_t)limits->seconds);
    SetLimit(RLIMIT_CORE, 0);
}

bool hwChild_Write(int pipe, const void* data, size_t size) {
    const char* bytes = data;
    while (size > 0) {
        ssize_t written = write(pipe, bytes, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

static double GetTime(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Takes the answer until the child closes the pipe. False: too long, too late, or no memory for it.
static bool TakeAnswer(int pipe, const hwChildLimits* limits, char** answer, size_t* size) {
    double end = GetTime() + 10.0 * limits->seconds;
    size_t capacity = 0;
    for (;;) {
        if (*size + 1 >= capacity) {
            capacity = capacity > 0 ? 2 * capacity : 65536;
            char* grown = realloc(*answer, capacity);
            if (grown == NULL) return false;
            *answer = grown;
        }
        struct pollfd wait = {.fd = pipe, .events = POLLIN};
        double left = end - GetTime();
        int ready = left > 0.0 ? poll(&wait, 1, (int)(1e3 * left) + 1) : 0;
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) return false;
        ssize_t got = read(pipe, *answer + *size, capacity - *size - 1);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return false;
        if (got == 0) {
            (*answer)[*size] = 0;
            return true;
        }
        *size += (size_t)got;
        if (*size > limits->answer) return false;
    }
}

hwChildEnd hwRunChild(bool (*work)(int pipe, void* context), void* context, const hwChildLimits* limits,
                      char** answer, size_t* size) {
    *answer = NULL;
    *size = 0;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return HW_CHILD_REFUSED;
    pid_t child = fork();
    if (child == 0) {
        // The caller's handlers would act on the caller's files.
        static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGXCPU};
        for (size_t i = 0; i < sizeof(caught) / sizeof(caught[0]); ++i) signal(caught[i], SIG_DFL);
        signal(SIGPIPE, SIG_IGN);
        close(ends[0]);
        int quiet = open("/dev/null", O_WRONLY | O_CLOEXEC);
        if (quiet >= 0) dup2(quiet, STDERR_FILENO); // "terminate called after throwing ..."
        SetLimits(limits);
        bool good = work(ends[1], context);
        _exit(good ? CHILD_DONE : CHILD_FAILED);
    }
    close(ends[1]);
    bool whole = child > 0 && TakeAnswer(ends[0], limits, answer, size);
    close(ends[0]);
    if (child < 0) return HW_CHILD_REFUSED;
    if (!whole) kill(child, SIGKILL);
    int status = 0;
    pid_t ended;
    do {
        ended = waitpid(child, &status, 0);
    } while (ended < 0 && errno == EINTR);
    if (!whole) return HW_CHILD_LIMIT;
    // A host that ignores SIGCHLD takes the status away; then only the answer can tell.
    if (ended < 0) return *size > 0 ? HW_CHILD_DONE : HW_CHILD_CRASHED;
    if (WIFEXITED(status) && WEXITSTATUS(status) == CHILD_DONE) return HW_CHILD_DONE;
    if (WIFEXITED(status) && WEXITSTATUS(status) == CHILD_FAILED) return HW_CHILD_FAILED;
    if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))
        return HW_CHILD_LIMIT;
    return HW_CHILD_CRASHED;
}
