// Workers of a study on Windows, which has no fork: threads. A run that crashes ends the whole study here; what had ended before is in
// the journal, and the same command goes on from there.
#include "apps/cli/workers.h"

#include "apps/cli/cli.h"
#include "apps/cli/journal.h"

#include <pthread.h>

typedef struct Thread {
    pthread_t thread;
    hwWorkers* workers;
    int64_t run; // to do; -1: none
    char* line;  // of the run that has ended; null: none
} Thread;

static Thread* g_threads;
static bool g_ended;
static pthread_mutex_t g_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t g_given = PTHREAD_COND_INITIALIZER, g_told = PTHREAD_COND_INITIALIZER;

static _Thread_local double t_deadline; // s, hwCli_GetTime, of the run at hand

static bool IsOver(void* context) {
    return hwCli_IsStopped(context) || g_ended || hwCli_GetTime() > t_deadline;
}

static char* DoRun(Thread* thread, int64_t run, double* values) {
    const hwWorkers* workers = thread->workers;
    hwError error = {0};
    t_deadline = hwCli_GetTime() + workers->limit;
    hwStatus status = hwStudy_Run(workers->study, run, workers->folder, IsOver, values, &error);
    if (hwCli_IsStopped(NULL) || g_ended) return NULL;
    if (status == HW_ERROR_STOPPED)
        snprintf(error.message, sizeof(error.message), "it took longer than the %g s allowed with --limit",
                 workers->limit);
    return hwJournal_MakeLine(workers->study, run, values, status == HW_OK ? NULL : error.message);
}

// Run after run until nobody asks any more.
static void* Work(void* context) {
    Thread* thread = context;
    size_t columns = (size_t)hwStudy_GetColumnCount(thread->workers->study);
    double* values = hwCli_Allocate(NULL, (columns + 1) * sizeof(double));
    pthread_mutex_lock(&g_mutex);
    while (!g_ended) {
        int64_t run = thread->run;
        if (run < 0 || thread->line != NULL) {
            pthread_cond_wait(&g_given, &g_mutex);
            continue;
        }
        pthread_mutex_unlock(&g_mutex);
        char* line = DoRun(thread, run, values);
        pthread_mutex_lock(&g_mutex);
        thread->line = line;
        thread->run = -1;
        pthread_cond_signal(&g_told);
    }
    pthread_mutex_unlock(&g_mutex);
    free(values);
    return NULL;
}

bool hwWorkers_Begin(hwWorkers* workers, const hwStudy* study, const char* folder, int count, double limit) {
    *workers = (hwWorkers){.study = study, .folder = folder, .limit = limit};
    workers->list = hwCli_Allocate(NULL, (size_t)count * sizeof(hwWorker));
    memset(workers->list, 0, (size_t)count * sizeof(hwWorker));
    g_threads = hwCli_Allocate(NULL, (size_t)count * sizeof(Thread));
    g_ended = false;
    for (int i = 0; i < count; ++i) {
        g_threads[i] = (Thread){.workers = workers, .run = -1};
        workers->list[i] = (hwWorker){.process = 1, .run = -1};
        if (pthread_create(&g_threads[i].thread, NULL, Work, &g_threads[i]) != 0) {
            hwCli_Complain("Fewer threads need less: --jobs N.", "Cannot start a thread.");
            hwWorkers_End(workers);
            return false;
        }
        workers->count = i + 1;
    }
    return true;
}

void hwWorkers_End(hwWorkers* workers) {
    if (workers->list == NULL) return;
    pthread_mutex_lock(&g_mutex);
    g_ended = true;
    pthread_cond_broadcast(&g_given);
    pthread_mutex_unlock(&g_mutex);
    for (int i = 0; i < workers->count; ++i) {
        pthread_join(g_threads[i].thread, NULL);
        free(g_threads[i].line);
    }
    free(g_threads);
    free(workers->list);
    g_threads = NULL;
    *workers = (hwWorkers){0};
}

int hwWorkers_FindIdle(const hwWorkers* workers) {
    for (int i = 0; i < workers->count; ++i) {
        if (workers->list[i].run < 0) return i;
    }
    return -1;
}

void hwWorkers_Give(hwWorkers* workers, int index, int64_t run) {
    workers->list[index].run = run;
    pthread_mutex_lock(&g_mutex);
    g_threads[index].run = run;
    pthread_cond_broadcast(&g_given);
    pthread_mutex_unlock(&g_mutex);
}

char* hwWorkers_Wait(hwWorkers* workers, int milliseconds) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += (long)(milliseconds % 1000) * 1000000L;
    until.tv_sec += milliseconds / 1000 + until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    char* line = NULL;
    pthread_mutex_lock(&g_mutex);
    for (bool late = false; line == NULL && !late;) {
        for (int i = 0; i < workers->count && line == NULL; ++i) {
            if (g_threads[i].line == NULL) continue;
            line = g_threads[i].line;
            g_threads[i].line = NULL;
            workers->list[i].run = -1;
        }
        if (line == NULL) late = pthread_cond_timedwait(&g_told, &g_mutex, &until) != 0;
    }
    pthread_mutex_unlock(&g_mutex);
    return line;
}
