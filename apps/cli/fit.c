// hawser fit: values of a scene from measured time series.
#define _GNU_SOURCE
#include "apps/cli/cli.h"
#include "apps/cli/folders.h"
#include "apps/cli/lock.h"
#include "hawser/fit.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifndef _WIN32
#include <poll.h>
#include <sys/wait.h>
#endif
#ifdef __linux__
#include <sys/prctl.h>
#endif

enum { OPTION_OUT, OPTION_JOBS, OPTION_JSON, OPTION_QUIET };

static const hwOption g_options[] = {
    {"out", 0, "DIR", "folder for tables and page; default: results/<name of the fit's file>"},
    {"jobs", 'j', "N", "processes that run at once; default: one for each core"},
    {"json", 0, NULL, "print JSON"},
    {"quiet", 'q', NULL, "say nothing but what went wrong"},
    {0},
};

typedef struct Crew {
    int jobs;
    bool talks;
} Crew;

#ifdef _WIN32
// No fork there: one run after the other.
static hwStatus DoRuns(const hwFit* fit, int count, const double* parameters, double* values, void* context,
                       hwError* error) {
    (void)context;
    size_t points = (size_t)hwFit_GetPointCount(fit), width = (size_t)hwFit_GetParameterCount(fit);
    for (int run = 0; run < count; ++run) {
        double* own = values + (size_t)run * points;
        hwStatus status = hwFit_Run(fit, parameters + (size_t)run * width, hwCli_IsStopped, own, error);
        if (status == HW_ERROR_STOPPED) {
            snprintf(error->message, sizeof(error->message), "the fit was stopped");
            return error->status = status;
        }
        if (status != HW_OK) own[0] = (double)NAN;
    }
    return HW_OK;
}
#else
// One run in a process of its own, so that a crash is a failed run; the pipe brings values, or a status and the error's text.
typedef struct Process {
    pid_t pid;
    int pipe;
    int run;
    size_t got;
    char* bytes;
} Process;

static size_t GetAnswerSize(const hwFit* fit) {
    return (size_t)hwFit_GetPointCount(fit) * sizeof(double) + sizeof(hwError);
}

static bool WriteAll(int fd, const char* bytes, size_t size) {
    while (size > 0) {
        ssize_t done = write(fd, bytes, size);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        bytes += done;
        size -= (size_t)done;
    }
    return true;
}

static void Work(const hwFit* fit, const double* parameters, int to) {
    hwCli_LeaveLocks();
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    size_t size = GetAnswerSize(fit);
    char* answer = hwCli_Allocate(NULL, size);
    hwError error;
    memset(&error, 0, sizeof(error));
    hwStatus status =
        hwFit_Run(fit, parameters, hwCli_IsStopped, (double*)(void*)(answer + sizeof(hwError)), &error);
    error.status = status;
    memcpy(answer, &error, sizeof(error));
    bool good = WriteAll(to, answer, size);
    free(answer);
    _exit(good ? 0 : 1);
}

static bool Start(const hwFit* fit, const double* parameters, int run, Process* process) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        Work(fit, parameters, ends[1]);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return false;
    }
    *process = (Process){pid, ends[0], run, 0, hwCli_Allocate(NULL, GetAnswerSize(fit))};
    return true;
}

// The process has ended: its values, or NaN and why.
static void Collect(const hwFit* fit, Process* process, double* values, hwError* error) {
    size_t points = (size_t)hwFit_GetPointCount(fit);
    double* own = values + (size_t)process->run * points;
    int status = 0;
    close(process->pipe);
    waitpid(process->pid, &status, 0);
    hwError told;
    memset(&told, 0, sizeof(told));
    if (process->got == GetAnswerSize(fit)) {
        memcpy(&told, process->bytes, sizeof(told));
        memcpy(own, process->bytes + sizeof(told), points * sizeof(double));
    } else {
        told.status = HW_ERROR_NUMERIC;
        snprintf(told.message, sizeof(told.message),
                 WIFSIGNALED(status) ? "the process ended by signal %d" : "the process ended with status %d",
                 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    }
    if (told.status != HW_OK) {
        own[0] = (double)NAN;
        *error = told;
    }
    free(process->bytes);
    *process = (Process){0};
}

static void End(Process* process) {
    if (process->pid <= 0) return;
    kill(process->pid, SIGKILL);
    waitpid(process->pid, NULL, 0);
    close(process->pipe);
    free(process->bytes);
    *process = (Process){0};
}

static hwStatus DoRuns(const hwFit* fit, int count, const double* parameters, double* values, void* context,
                       hwError* error) {
    const Crew* crew = context;
    int jobs = crew->jobs < count ? crew->jobs : count, next = 0, done = 0;
    Process* list = hwCli_Allocate(NULL, (size_t)jobs * sizeof(Process));
    struct pollfd* ready = hwCli_Allocate(NULL, (size_t)jobs * sizeof(struct pollfd));
    memset(list, 0, (size_t)jobs * sizeof(Process));
    hwStatus status = HW_OK;
    while (done < count && status == HW_OK) {
        for (int i = 0; i < jobs && next < count; ++i) {
            if (list[i].pid > 0) continue;
            const double* own = parameters + (size_t)next * (size_t)hwFit_GetParameterCount(fit);
            if (!Start(fit, own, next, &list[i])) {
                snprintf(error->message, sizeof(error->message), "cannot start a process: %s",
                         strerror(errno));
                status = error->status = HW_ERROR_LIMIT;
                break;
            }
            next += 1;
        }
        for (int i = 0; i < jobs; ++i)
            ready[i] = (struct pollfd){list[i].pid > 0 ? list[i].pipe : -1, POLLIN, 0};
        if (status == HW_OK) poll(ready, (nfds_t)jobs, 200);
        for (int i = 0; i < jobs && status == HW_OK; ++i) {
            if (list[i].pid <= 0 || ready[i].revents == 0) continue;
            ssize_t got = read(list[i].pipe, list[i].bytes + list[i].got, GetAnswerSize(fit) - list[i].got);
            if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
            if (got > 0) list[i].got += (size_t)got;
            if (got > 0 && list[i].got < GetAnswerSize(fit)) continue;
            Collect(fit, &list[i], values, error);
            done += 1;
        }
        if (hwCli_IsStopped(NULL)) {
            snprintf(error->message, sizeof(error->message), "the fit was stopped");
            status = error->status = HW_ERROR_STOPPED;
        }
    }
    for (int i = 0; i < jobs; ++i) End(&list[i]);
    free(list);
    free(ready);
    return status;
}

#endif

static void Tell(int iteration, int runs, double residual, const double* parameters, void* context) {
    (void)parameters;
    const Crew* crew = context;
    if (crew->talks)
        fprintf(stderr, "  iteration %d, %d runs: residuals of %.4g deviations\n", iteration, runs, residual);
}

static void Print(const hwFit* fit, const char* folder) {
    hwFitSummary summary = hwFit_GetSummary(fit);
    printf("%s: %s after %d iterations, %d runs\n", hwFit_GetName(fit),
           summary.converged ? "converged" : "not converged", summary.iterations, summary.runs);
    hwTable table = {.columns = 6, .right = "lrrrrr"};
    static const char* const heads[] = {"parameter", "start", "found", "deviation", "low", "high"};
    for (int i = 0; i < 6; ++i) hwTable_Add(&table, "%s", heads[i]);
    for (int i = 0; i < hwFit_GetParameterCount(fit); ++i) {
        hwFitEstimate e = hwFit_GetEstimate(fit, i);
        hwTable_Add(&table, "%s", hwFit_GetParameter(fit, i));
        const double values[] = {e.start, e.value, e.deviation, e.low, e.high};
        for (int k = 0; k < 5; ++k) hwTable_Add(&table, isnan(values[k]) ? "-" : "%.6g", values[k]);
    }
    hwTable_Print(&table, stdout);
    hwTable_Free(&table);
    printf("  residuals  %.4g of the deviations; bounds at %g %%\n", summary.residual,
           100 * summary.confidence);
    for (int i = 0; i < hwFit_GetParameterCount(fit); ++i) {
        hwFitEstimate e = hwFit_GetEstimate(fit, i);
        if (isnan(e.deviation))
            printf("  %s: %s\n", hwFit_GetParameter(fit, i),
                   e.bounded ? "at its bound" : "the data do not tell");
        for (int k = 0; k < i; ++k) {
            double correlation = hwFit_GetCorrelation(fit, i, k);
            if (fabs(correlation) > 0.95)
                printf("  %s and %s go together (correlation %.3f): the data hardly tell them apart\n",
                       hwFit_GetParameter(fit, k), hwFit_GetParameter(fit, i), correlation);
        }
    }
    for (int c = 0; c < hwFit_GetColumnCount(fit); ++c) {
        char doubt[400];
        if (hwFit_FindDoubt(fit, c, doubt, sizeof(doubt))) printf("  %s\n", doubt);
    }
    printf("  with it    hawser run %s", hwFit_GetScene(fit));
    for (int i = 0; i < hwFit_GetParameterCount(fit); ++i)
        printf(" --set %s=%.9g", hwFit_GetParameter(fit, i), hwFit_GetEstimate(fit, i).value);
    printf("\n  page       %s/fit.html\n", folder);
}

static void PutJson(const hwFit* fit) {
    hwFitSummary summary = hwFit_GetSummary(fit);
    fputs("{\"fit\": ", stdout);
    hwCli_PutJsonString(stdout, hwFit_GetName(fit));
    printf(", \"converged\": %s, \"iterations\": %d, \"runs\": %d, \"residual\": ",
           summary.converged ? "true" : "false", summary.iterations, summary.runs);
    hwCli_PutJsonNumber(stdout, summary.residual);
    fputs(", \"parameters\": [", stdout);
    for (int i = 0; i < hwFit_GetParameterCount(fit); ++i) {
        hwFitEstimate e = hwFit_GetEstimate(fit, i);
        static const char* const names[] = {"start", "value", "deviation", "low", "high"};
        const double values[] = {e.start, e.value, e.deviation, e.low, e.high};
        fprintf(stdout, "%s\n  {\"path\": ", i > 0 ? "," : "");
        hwCli_PutJsonString(stdout, hwFit_GetParameter(fit, i));
        for (int k = 0; k < 5; ++k) {
            printf(", \"%s\": ", names[k]);
            hwCli_PutJsonNumber(stdout, values[k]);
        }
        putchar('}');
    }
    fputs("], \"columns\": [", stdout);
    for (int c = 0; c < hwFit_GetColumnCount(fit); ++c) {
        hwFitColumn column = hwFit_GetColumn(fit, c);
        fprintf(stdout, "%s\n  {\"channel\": ", c > 0 ? "," : "");
        hwCli_PutJsonString(stdout, column.channel);
        printf(", \"count\": %d, \"residual\": ", column.count);
        hwCli_PutJsonNumber(stdout, column.residual);
        fputs(", \"neighbours\": ", stdout);
        hwCli_PutJsonNumber(stdout, column.neighbours);
        char doubt[400];
        if (hwFit_FindDoubt(fit, c, doubt, sizeof(doubt))) {
            fputs(", \"doubt\": ", stdout);
            hwCli_PutJsonString(stdout, doubt);
        }
        putchar('}');
    }
    fputs("]}\n", stdout);
}

static int Execute(hwFit* fit, const char* folder, const hwArguments* arguments) {
    double jobs = (double)sysconf(_SC_NPROCESSORS_ONLN);
    const char* text = arguments->values[OPTION_JOBS];
    if (text && !hwCli_ParsePositive("jobs", text, &jobs)) return EXIT_USAGE;
    if (!hwCli_MakeFolders(folder, NULL) || !hwCli_LockFolder(folder)) return EXIT_USAGE;
    bool quiet = arguments->values[OPTION_QUIET] != NULL, json = arguments->values[OPTION_JSON] != NULL;
    Crew crew = {jobs < 1 ? 1 : jobs > 1024 ? 1024 : (int)jobs, !quiet && !json};
    hwError error;
    hwStatus status = hwFit_Solve(fit, DoRuns, Tell, &crew, &error);
    if (status != HW_OK) return hwCli_PrintError(hwFit_GetScene(fit), &error);
    if (hwFit_WriteTables(fit, folder, &error) != HW_OK) return hwCli_PrintError(NULL, &error);
    if (json) {
        PutJson(fit);
    } else if (!quiet) {
        Print(fit, folder);
    }
    hwFitSummary summary = hwFit_GetSummary(fit);
    if (summary.converged) return EXIT_GOOD;
    if (summary.astray > 0)
        hwCli_Complain("Try another `step` or `start`, or fit times before small differences have grown.",
                       "The fit has not converged: no run is better, though by their derivatives one %.2g "
                       "deviations away should be. Runs do not change smoothly with these parameters, and "
                       "the bounds do not hold.",
                       summary.astray);
    else
        hwCli_Complain("Raise `iterations`, or begin nearer.", "The fit has not converged.");
    return EXIT_NUMERIC;
}

static int RunFit(const hwArguments* arguments) {
    hwError error;
    const char* path = arguments->operands[0];
    hwFit* fit = hwLoadFit(path, &error);
    if (!fit) return hwCli_PrintError(path, &error);
    hwCli_CatchSignals();
    const char* out = arguments->values[OPTION_OUT];
    char* folder = out ? hwCli_Copy(out) : hwCli_NameResults(path);
    int status = Execute(fit, folder, arguments);
    free(folder);
    hwDestroyFit(fit);
    return status;
}

const hwCommand hwCommand_Fit = {
    .name = "fit",
    .operands = "FIT",
    .minOperands = 1,
    .maxOperands = 1,
    .summary = "Find values of a scene from measured time series",
    .details = "Gauss-Newton's method over runs on all cores; standard deviations and correlations of what "
               "is found. "
               "docs/fit.md\ndescribes fit files.\n",
    .options = g_options,
    .run = RunFit,
};
