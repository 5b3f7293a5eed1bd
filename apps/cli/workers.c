#define _GNU_SOURCE
#include "apps/cli/workers.h"

#include "apps/cli/cli.h"
#include "apps/cli/journal.h"
#include "apps/cli/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

static bool ReadAll(int fd, void* data, size_t size) {
    char* at = data;
    while (size > 0) {
        ssize_t got = read(fd, at, size);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        at += got;
        size -= (size_t)got;
    }
    return true;
}

static bool WriteAll(int fd, const char* text, size_t size) {
    while (size > 0) {
        ssize_t done = write(fd, text, size);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        text += done;
        size -= (size_t)done;
    }
    return true;
}

static double g_deadline; // s, hwCli_GetTime, of the run at hand

static bool IsOver(void* context) {
    return hwCli_IsStopped(context) || hwCli_GetTime() > g_deadline;
}

// The worker's life: run after run until nobody asks any more.
static void Work(const hwStudy* study, const char* folder, double limit, int from, int to) {
    hwCli_LeaveLocks();
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL); // nobody is left who would take what it finds
#endif
    double* values = hwCli_Allocate(NULL, ((size_t)hwStudy_GetColumnCount(study) + 1) * sizeof(double));
    int64_t run;
    while (ReadAll(from, &run, sizeof(run))) {
        hwError error = {0};
        g_deadline = hwCli_GetTime() + limit;
        hwStatus status = hwStudy_Run(study, run, folder, IsOver, values, &error);
        if (hwCli_IsStopped(NULL)) break;
        if (status == HW_ERROR_STOPPED)
            snprintf(error.message, sizeof(error.message),
                     "it took longer than the %g s allowed with --limit", limit);
        char* line = status == HW_ERROR_FILE
                         ? hwJournal_MakeUnwritten(run, error.message)
                         : hwJournal_MakeLine(study, run, values, status == HW_OK ? NULL : error.message);
        bool good = WriteAll(to, line, strlen(line));
        free(line);
        if (!good) break;
    }
    free(values);
    _exit(0);
}

static bool Start(hwWorkers* workers, int index) {
    hwWorker* worker = &workers->list[index];
    int down[2], up[2];
    if (pipe2(down, O_CLOEXEC) != 0) return false;
    if (pipe2(up, O_CLOEXEC) != 0) {
        close(down[0]);
        close(down[1]);
        return false;
    }
    fflush(NULL);
    pid_t process = fork();
    if (process == 0) {
        // Ends of other workers' pipes would keep these from noticing that nobody asks any more.
        for (int i = 0; i < workers->count; ++i) {
            if (i == index || workers->list[i].process <= 0) continue;
            close(workers->list[i].toWorker);
            close(workers->list[i].fromWorker);
        }
        close(down[1]);
        close(up[0]);
        Work(workers->study, workers->folder, workers->limit, down[0], up[1]);
    }
    close(down[0]);
    close(up[1]);
    *worker = (hwWorker){.process = process, .toWorker = down[1], .fromWorker = up[0], .run = -1};
    if (process > 0) return true;
    close(down[1]);
    close(up[0]);
    return false;
}

bool hwWorkers_Begin(hwWorkers* workers, const hwStudy* study, const char* folder, int count, double limit) {
    *workers = (hwWorkers){.study = study, .folder = folder, .limit = limit, .count = count};
    workers->list = hwCli_Allocate(NULL, (size_t)count * sizeof(hwWorker));
    memset(workers->list, 0, (size_t)count * sizeof(hwWorker));
    for (int i = 0; i < count; ++i) {
        if (Start(workers, i)) continue;
        hwCli_Complain("Fewer processes need less: --jobs N.", "Cannot start a process: %s.",
                       strerror(errno));
        hwWorkers_End(workers);
        return false;
    }
    return true;
}

static void Stop(hwWorker* worker) {
    if (worker->process <= 0) return;
    kill(worker->process, SIGKILL);
    waitpid(worker->process, NULL, 0);
    close(worker->toWorker);
    close(worker->fromWorker);
    free(worker->answer);
    *worker = (hwWorker){.run = -1};
}

void hwWorkers_End(hwWorkers* workers) {
    for (int i = 0; i < workers->count; ++i) Stop(&workers->list[i]);
    free(workers->list);
    *workers = (hwWorkers){0};
}

int hwWorkers_FindIdle(const hwWorkers* workers) {
    for (int i = 0; i < workers->count; ++i) {
        if (workers->list[i].process > 0 && workers->list[i].run < 0) return i;
    }
    return -1;
}

void hwWorkers_Give(hwWorkers* workers, int index, int64_t run) {
    workers->list[index].run = run;
    workers->list[index].size = 0;
    // A worker that has died is noticed when its pipe is read.
    WriteAll(workers->list[index].toWorker, (const char*)&run, sizeof(run));
}

// The worker's pipe has ended: what became of its run.
static char* Bury(hwWorkers* workers, int index) {
    hwWorker* worker = &workers->list[index];
    int64_t run = worker->run;
    int status = 0;
    waitpid(worker->process, &status, 0);
    close(worker->toWorker);
    close(worker->fromWorker);
    free(worker->answer);
    *worker = (hwWorker){.run = -1};
    if (hwCli_IsStopped(NULL)) return NULL;
    char text[96];
    if (WIFSIGNALED(status)) {
        snprintf(text, sizeof(text), "the process ended by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    } else {
        snprintf(text, sizeof(text), "the process ended with status %d", WEXITSTATUS(status));
    }
    if (!Start(workers, index)) hwCli_Complain(NULL, "Cannot start a process: %s.", strerror(errno));
    return run >= 0 ? hwJournal_MakeLine(workers->study, run, NULL, text) : NULL;
}

// Reads what a worker has to say; its line when that is whole.
static char* Listen(hwWorkers* workers, int index) {
    hwWorker* worker = &workers->list[index];
    if (worker->capacity < worker->size + 4097) {
        worker->capacity = 2 * worker->size + 8192;
        worker->answer = hwCli_Allocate(worker->answer, worker->capacity);
    }
    ssize_t got = read(worker->fromWorker, worker->answer + worker->size, 4096);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return NULL;
    if (got <= 0) return Bury(workers, index);
    worker->size += (size_t)got;
    worker->answer[worker->size] = 0;
    if (worker->answer[worker->size - 1] != '\n') return NULL;
    worker->run = -1;
    return hwCli_Copy(worker->answer);
}

char* hwWorkers_Wait(hwWorkers* workers, int milliseconds) {
    struct pollfd* ready = hwCli_Allocate(NULL, (size_t)workers->count * sizeof(struct pollfd));
    for (int i = 0; i < workers->count; ++i)
        ready[i] =
            (struct pollfd){workers->list[i].process > 0 ? workers->list[i].fromWorker : -1, POLLIN, 0};
    char* line = NULL;
    if (poll(ready, (nfds_t)workers->count, milliseconds) > 0) {
        for (int i = 0; i < workers->count && !line; ++i) {
            if (ready[i].revents != 0) line = Listen(workers, i);
        }
    }
    free(ready);
    return line;
}
