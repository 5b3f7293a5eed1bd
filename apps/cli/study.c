// hawser study: many runs of one scene, on all cores or on many machines, and one table.
#define _XOPEN_SOURCE 700
#include "apps/cli/certify.h"
#include "apps/cli/cli.h"
#include "apps/cli/folders.h"
#include "apps/cli/journal.h"
#include "apps/cli/lock.h"
#include "apps/cli/mpi.h"
#include "apps/cli/workers.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    OPTION_OUT,
    OPTION_JOBS,
    OPTION_LIMIT,
    OPTION_RUN,
    OPTION_LIST,
    OPTION_FRESH,
    OPTION_AGAIN,
    OPTION_CERTIFY,
    OPTION_QUIET
};

static const hwOption g_options[] = {
    {"out", 0, "DIR", "folder for the tables; default: results/<name of the study's file>"},
    {"jobs", 'j', "N", "processes; default: as many as there are cores"},
    {"limit", 0, "S", "a run that takes longer, of wall time, counts as failed"},
    {"run", 0, "N", "do run N alone and print its numbers; compares with DIR where that has it"},
    {"list", 0, NULL, "print what each run sets, and do nothing"},
    {"fresh", 0, NULL, "begin anew instead of going on where DIR stops"},
    {"again", 0, NULL, "do those runs of DIR that failed once more"},
    {"certify", 0, "N",
     "run N of them again on two finer meshes with smaller steps: errors of all columns, certify.csv"},
    {"quiet", 'q', NULL, "say nothing but what went wrong"},
    {0},
};

// Progress ------------------------------------------------------------------------------------------------------------------

typedef struct Progress {
    bool shown, terminal;
    double begun, next;
    int64_t before; // runs that were done already
} Progress;

static void PrintTime(FILE* stream, double seconds) {
    if (seconds < 90) {
        fprintf(stream, "%.0f s", seconds);
    } else if (seconds < 5400) {
        fprintf(stream, "%.0f min", seconds / 60);
    } else {
        fprintf(stream, "%.1f h", seconds / 3600);
    }
}

static void Progress_Update(Progress* p, const hwJournal* journal) {
    double now = hwCli_GetTime();
    if (!p->shown || now < p->next) return;
    p->next = now + (p->terminal ? 0.5 : 10.0);
    int64_t total = hwStudy_GetRunCount(journal->study), fresh = journal->doneCount - p->before;
    fprintf(stderr, "%s%lld of %lld runs", p->terminal ? "\r\033[K" : "", (long long)journal->doneCount,
            (long long)total);
    if (journal->failedCount > 0) fprintf(stderr, ", %lld failed", (long long)journal->failedCount);
    if (fresh > 0) {
        fputs(", ", stderr);
        PrintTime(stderr, (now - p->begun) / (double)fresh * (double)(total - journal->doneCount));
        fputs(" left", stderr);
    }
    fputs(p->terminal ? "" : "\n", stderr);
    fflush(stderr);
}

static void Progress_End(const Progress* p) {
    if (p->shown && p->terminal) fputs("\r\033[K", stderr);
}

// Running -------------------------------------------------------------------------------------------------------------------

static void Rest(void) {
    struct timespec time = {.tv_nsec = 500000};
    nanosleep(&time, NULL);
}

// A process of an MPI job other than the first: does what it is told. Its run is in a process of its own, made before MPI began,
// so that a crash is an answer too.
static int Serve(hwWorkers* workers) {
    const char ready[] = "ready";
    int rank;
    size_t size;
    hwMpi_Send(0, ready, sizeof(ready));
    for (;;) {
        while (!hwMpi_Look(&rank, &size)) Rest();
        int64_t run = -1;
        hwMpi_Receive(rank, &run, sizeof(run));
        if (run < 0) break;
        char* line = NULL;
        hwWorkers_Give(workers, 0, run);
        while (!line && !hwCli_IsStopped(NULL)) line = hwWorkers_Wait(workers, 200);
        if (!line) break;
        hwMpi_Send(0, line, strlen(line) + 1);
        free(line);
    }
    return EXIT_GOOD;
}

typedef struct Crew {
    hwWorkers workers;
    int ranks;     // of the MPI job; 1: none
    bool* awaited; // ranks that will ask or answer
    int64_t next;  // where to look for the next run
} Crew;

// The next run that is neither done nor given away; -1: none. Runs are given away in their order.
static int64_t TakeRun(Crew* crew, const hwJournal* journal) {
    int64_t total = hwStudy_GetRunCount(journal->study);
    while (crew->next < total && journal->rows[crew->next].done) crew->next += 1;
    return crew->next < total ? crew->next++ : -1;
}

static void AnswerRanks(Crew* crew, hwJournal* journal, bool* good) {
    int rank;
    size_t size;
    while (*good && hwMpi_Look(&rank, &size)) {
        char* text = hwCli_Allocate(NULL, size + 1);
        hwMpi_Receive(rank, text, size);
        text[size] = 0;
        if (strcmp(text, "ready") != 0) *good = hwJournal_Add(journal, text);
        free(text);
        int64_t run = TakeRun(crew, journal);
        hwMpi_Send(rank, &run, sizeof(run));
        crew->awaited[rank] = run >= 0;
    }
}

static bool DoRuns(Crew* crew, hwJournal* journal, Progress* progress) {
    bool good = true;
    int64_t total = hwStudy_GetRunCount(journal->study);
    while (good && journal->doneCount < total && !hwCli_IsStopped(NULL)) {
        int idle;
        while ((idle = hwWorkers_FindIdle(&crew->workers)) >= 0) {
            int64_t run = TakeRun(crew, journal);
            if (run < 0) break;
            hwWorkers_Give(&crew->workers, idle, run);
        }
        char* line = hwWorkers_Wait(&crew->workers, crew->ranks > 1 ? 1 : 200);
        if (line) good = hwJournal_Add(journal, line);
        free(line);
        if (crew->ranks > 1) AnswerRanks(crew, journal, &good);
        Progress_Update(progress, journal);
    }
    return good;
}

// Tells the other processes of the job that there is nothing more to do. Those that asked for a run when there was none know
// already, by AnswerRanks.
static void Dismiss(const Crew* crew) {
    int left = 0, rank;
    size_t size;
    const int64_t none = -1;
    for (int i = 1; i < crew->ranks; ++i) left += crew->awaited[i];
    for (; left > 0; Rest()) {
        if (!hwMpi_Look(&rank, &size)) continue;
        char* text = hwCli_Allocate(NULL, size + 1);
        hwMpi_Receive(rank, text, size);
        free(text);
        hwMpi_Send(rank, &none, sizeof(none));
        left -= 1;
    }
}

static int Finish(const hwJournal* journal, const char* folder, bool quiet, bool stopped) {
    hwError error;
    if (hwStudy_WriteTables(journal->study, journal->rows, folder, &error) != HW_OK)
        return hwCli_PrintError(NULL, &error);
    int64_t total = hwStudy_GetRunCount(journal->study);
    FILE* stream = stopped ? stderr : stdout;
    if (!quiet || journal->failedCount > 0) {
        fprintf(journal->failedCount > 0 ? stderr : stream, "%s: %lld of %lld runs done",
                hwStudy_GetName(journal->study), (long long)journal->doneCount, (long long)total);
        if (journal->failedCount > 0)
            fprintf(stderr, ", %lld failed: see %s/failures.csv", (long long)journal->failedCount, folder);
        fputc('\n', journal->failedCount > 0 ? stderr : stream);
        int64_t run = 0;
        while (run < total && journal->rows[run].failure == NULL) ++run;
        if (run < total)
            hwCli_PutText(stderr, "  the first   run %lld: %s\n", (long long)run, journal->rows[run].failure);
    }
    if (!quiet) fprintf(stream, "  table      %s/table.csv\n  page       %s/study.html\n", folder, folder);
    if (stopped) {
        if (!quiet) fputs("  the same command goes on from here\n", stderr);
        return EXIT_INTERRUPTED;
    }
    return journal->failedCount > 0 ? EXIT_FAILED : EXIT_GOOD;
}

// Discretisation errors of a sample of runs, spread evenly over those that are good.
static int CertifySample(const hwJournal* journal, const char* folder, const char* text, bool quiet) {
    const hwStudy* study = journal->study;
    double wanted;
    if (!hwCli_ParsePositive("certify", text, &wanted)) return EXIT_USAGE;
    int64_t total = hwStudy_GetRunCount(study), good = 0, seen = 0, taken = 0;
    for (int64_t run = 0; run < total; ++run) good += journal->rows[run].done && !journal->rows[run].failure;
    int64_t count = wanted < (double)good ? (int64_t)wanted : good;
    int columns = hwStudy_GetColumnCount(study);
    double* values = hwCli_Allocate(NULL, 2 * ((size_t)columns + 1) * sizeof(double));
    char* path = hwCli_Allocate(NULL, strlen(folder) + 16);
    sprintf(path, "%s/certify.csv", folder);
    hwCliOutput output;
    int status = hwCliOutput_Open(&output, path) ? EXIT_GOOD : EXIT_USAGE;
    if (status == EXIT_GOOD) fputs("run,column,unit,value,finer,finest,limit,error,order\n", output.stream);
    for (int64_t run = 0; run < total && status == EXIT_GOOD && taken < count; ++run) {
        const hwStudyRow* row = &journal->rows[run];
        if (!row->done || row->failure || seen++ != taken * good / count) continue;
        taken += 1;
        for (int level = 1; level <= 2 && status == EXIT_GOOD; ++level) {
            hwError error;
            double factor = level == 1 ? HW_CERTIFY_RATIO : HW_CERTIFY_RATIO * HW_CERTIFY_RATIO;
            hwStatus done =
                hwStudy_RunFiner(study, run, factor, hwCli_IsStopped, values + (level - 1) * columns, &error);
            if (done == HW_ERROR_STOPPED) status = hwCli_PrintError(hwStudy_GetScene(study), &error);
            // what fails on a finer mesh has no certificate; the others are not spoiled
            if (done != HW_OK && done != HW_ERROR_STOPPED)
                hwCli_Complain(NULL, "Run %lld on a mesh %g times as fine: %s.", (long long)run, factor,
                               error.message);
        }
        for (int i = 0; i < columns && status == EXIT_GOOD; ++i) {
            const double three[3] = {row->values[i], values[i], values[columns + i]};
            hwConvergence found = hwFindConvergence(three, HW_CERTIFY_RATIO);
            hwChannelInfo column = hwStudy_GetColumn(study, i);
            if (hwCertify_IsOfMethod(column.name)) continue;
            fprintf(output.stream, "%lld,%s,%s,%.17g,%.17g,%.17g,%.17g,%.17g,%.4g\n", (long long)run,
                    column.name, column.unit, three[0], three[1], three[2], found.limit, found.error,
                    found.order);
        }
        if (!quiet)
            fprintf(stderr, "  certified run %lld, %lld of %lld\n", (long long)run, (long long)taken,
                    (long long)count);
    }
    if (status == EXIT_GOOD && !hwCliOutput_Close(&output)) status = EXIT_USAGE;
    if (status == EXIT_GOOD && !quiet) printf("  certified  %s\n", path);
    free(path);
    free(values);
    return status;
}

// "table.csv.1234-0.tmp": what a process was writing when it was killed.
static bool IsLeftOver(const char* name) {
    size_t length = strlen(name);
    if (length < 4 || strcmp(name + length - 4, ".tmp") != 0) return false;
    const char *at = name + length - 4, *first = at;
    for (int group = 0; group < 2; ++group) {
        while (at > name && at[-1] >= '0' && at[-1] <= '9') --at;
        if (at == first || at == name || *--at != (group == 0 ? '-' : '.')) return false;
        first = at;
    }
    return true;
}

// Removes what was left over, and with `fresh` what is of other runs; the folder is this process's own.
static void Clean(const char* folder, const char* below, bool fresh) {
    char* path = hwCli_Allocate(NULL, strlen(folder) + strlen(below) + 1);
    sprintf(path, "%s%s", folder, below);
    DIR* list = opendir(path);
    for (struct dirent* entry; list && (entry = readdir(list)) != NULL;) {
        const char* name = entry->d_name;
        size_t length = strlen(name);
        bool rows = below[0] && length > 3 && strcmp(name + length - 3, ".h5") == 0;
        if (IsLeftOver(name) || (fresh && (rows || strcmp(name, "certify.csv") == 0)))
            unlinkat(dirfd(list), name, 0);
    }
    if (list) closedir(list);
    free(path);
}

static int Conduct(const hwStudy* study, const char* folder, const hwArguments* arguments, Crew* crew) {
    hwJournal journal;
    bool fresh = arguments->values[OPTION_FRESH] != NULL;
    if (!hwJournal_Open(&journal, study, folder, fresh ? HW_JOURNAL_FRESH : HW_JOURNAL_GO_ON))
        return EXIT_USAGE;
    if (arguments->values[OPTION_AGAIN] && !hwJournal_ForgetFailed(&journal)) {
        hwJournal_Close(&journal);
        return EXIT_USAGE;
    }
    Clean(folder, "", fresh);
    Clean(folder, "/runs", fresh);
    bool quiet = arguments->values[OPTION_QUIET] != NULL;
    Progress progress = {!quiet, isatty(2) != 0, hwCli_GetTime(), hwCli_GetTime() + 1.0, journal.doneCount};
    if (!quiet && journal.doneCount > 0)
        fprintf(stderr, "hawser: %lld of %lld runs are done already.\n", (long long)journal.doneCount,
                (long long)hwStudy_GetRunCount(study));
    bool good = DoRuns(crew, &journal, &progress);
    Progress_End(&progress);
    bool stopped = hwCli_IsStopped(NULL);
    int status = good ? Finish(&journal, folder, quiet, stopped) : EXIT_USAGE;
    const char* certify = arguments->values[OPTION_CERTIFY];
    if (certify && (status == EXIT_GOOD || status == EXIT_FAILED)) {
        int certified = CertifySample(&journal, folder, certify, quiet);
        if (certified != EXIT_GOOD) status = certified;
    }
    hwJournal_Close(&journal);
    return status;
}

// One run alone ---------------------------------------------------------------------------------------------------------------

static int RunOne(const hwStudy* study, const char* text, const char* folder) {
    char* end;
    long long run = strtoll(text, &end, 10);
    if (end == text || *end != 0 || run < 0 || run >= hwStudy_GetRunCount(study)) {
        hwCli_Complain(NULL, "--run is the number of a run, 0 to %lld, not \"%s\".",
                       (long long)hwStudy_GetRunCount(study) - 1, text);
        return EXIT_USAGE;
    }
    int count, columns = hwStudy_GetColumnCount(study);
    char** sets = hwStudy_ListSets(study, run, &count);
    fprintf(stderr, "hawser run %s", hwStudy_GetScene(study));
    for (int i = 0; sets && i < count; ++i) fprintf(stderr, " --set '%s'", sets[i]);
    fputc('\n', stderr);
    free(sets);
    double* values = hwCli_Allocate(NULL, ((size_t)columns + 1) * sizeof(double));
    hwError error;
    hwStatus status = hwStudy_Run(study, run, NULL, hwCli_IsStopped, values, &error);
    if (status != HW_OK) {
        free(values);
        return hwCli_PrintError(hwStudy_GetScene(study), &error);
    }
    for (int i = 0; i < columns; ++i) {
        hwChannelInfo column = hwStudy_GetColumn(study, i);
        printf("%s %.17g %s\n", column.name, values[i], column.unit);
    }
    int code = EXIT_GOOD;
    hwJournal journal;
    struct stat about;
    char* path = hwCli_Allocate(NULL, strlen(folder) + 16);
    sprintf(path, "%s/runs.txt", folder);
    if (stat(path, &about) == 0 && hwJournal_Open(&journal, study, folder, HW_JOURNAL_LOOK)) {
        const hwStudyRow* row = &journal.rows[run];
        if (row->done && row->values) {
            bool same = true;
            for (int i = 0; i < columns; ++i)
                same = same && (row->values[i] == values[i] || (isnan(row->values[i]) && isnan(values[i])));
            fprintf(stderr, same ? "the same to the bit as in %s\n" : "not the same as in %s\n", folder);
            if (!same) code = EXIT_FAILED;
        }
        hwJournal_Close(&journal);
    }
    free(path);
    free(values);
    return code;
}

static int List(const hwStudy* study) {
    for (int64_t run = 0; run < hwStudy_GetRunCount(study); ++run) {
        int count;
        char** sets = hwStudy_ListSets(study, run, &count);
        printf("%lld", (long long)run);
        for (int i = 0; sets && i < count; ++i) printf(" %s", sets[i]);
        putchar('\n');
        free(sets);
    }
    return EXIT_GOOD;
}

// The command -----------------------------------------------------------------------------------------------------------------

static int CountJobs(const hwArguments* arguments, bool job, int64_t runs) {
    double jobs = job ? 1 : (double)sysconf(_SC_NPROCESSORS_ONLN);
    const char* text = arguments->values[OPTION_JOBS];
    if (text && !hwCli_ParsePositive("jobs", text, &jobs)) return -1;
    if (jobs > (double)runs) jobs = (double)runs;
    return jobs < 1 ? 1 : jobs > 4096 ? 4096 : (int)jobs;
}

static int RunStudy(const hwArguments* arguments) {
    hwError error;
    const char* path = arguments->operands[0];
    hwStudy* study = hwLoadStudy(path, &error);
    if (!study) return hwCli_PrintError(path, &error);
    hwCli_CatchSignals();
    const char* out = arguments->values[OPTION_OUT];
    char* folder = out ? hwCli_Copy(out) : hwCli_NameResults(path);
    int status = EXIT_USAGE, rank = 0, ranks = 1;
    if (arguments->values[OPTION_LIST]) {
        status = List(study);
    } else if (arguments->values[OPTION_RUN]) {
        status = RunOne(study, arguments->values[OPTION_RUN], folder);
    } else {
        bool job = hwMpi_IsJob(&rank, &ranks);
        Crew crew = {.ranks = job ? ranks : 1};
        int jobs = CountJobs(arguments, job, hwStudy_GetRunCount(study));
        double limit = HUGE_VAL;
        const char* limitText = arguments->values[OPTION_LIMIT];
        if (limitText && !hwCli_ParsePositive("limit", limitText, &limit)) jobs = -1;
        char* runs = hwCli_Allocate(NULL, strlen(folder) + 8);
        sprintf(runs, "%s/runs", folder);
        // Processes are made before MPI begins, which does not like it later.
        bool good = jobs > 0 &&
                    (rank > 0 || (hwCli_MakeFolders(folder, NULL) && hwCli_MakeFolders(runs, NULL) &&
                                  hwCli_LockFolder(folder))) &&
                    hwWorkers_Begin(&crew.workers, study, folder, rank > 0 ? 1 : jobs, limit);
        if (good && job) good = hwMpi_Begin();
        crew.awaited = hwCli_Allocate(NULL, (size_t)crew.ranks * sizeof(bool));
        for (int i = 0; i < crew.ranks; ++i) crew.awaited[i] = true;
        if (good) status = rank > 0 ? Serve(&crew.workers) : Conduct(study, folder, arguments, &crew);
        if (good && job && rank == 0) {
            if (status == EXIT_GOOD || status == EXIT_FAILED) {
                Dismiss(&crew);
            } else {
                hwMpi_Abort(status);
            }
        }
        rmdir(runs); // where nothing was kept
        hwWorkers_End(&crew.workers);
        if (good && job) hwMpi_End();
        free(crew.awaited);
        free(runs);
    }
    free(folder);
    hwDestroyStudy(study);
    return status;
}

const hwCommand hwCommand_Study = {
    .name = "study",
    .operands = "STUDY",
    .minOperands = 1,
    .maxOperands = 1,
    .summary = "Run a scene many times with other values; one table",
    .details = "A study that was interrupted or killed goes on where it stopped when it is started again. "
               "Under mpirun the\n"
               "processes of the job share the runs. docs/workbench.md describes study files.\n",
    .options = g_options,
    .run = RunStudy,
};
