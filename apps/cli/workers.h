// Processes that do runs of a study, one at a time each. A run that crashes ends its process and is told as failed; the others go
// on.
#ifndef HW_CLI_WORKERS_H
#define HW_CLI_WORKERS_H

#include "hawser/study.h"

#include <sys/types.h>

typedef struct hwWorker {
    pid_t process;
    int toWorker, fromWorker; // pipes
    int64_t run;              // at hand; -1: none
    char* answer;             // so far
    size_t size, capacity;
} hwWorker;

typedef struct hwWorkers {
    const hwStudy* study;
    const char* folder;
    double limit; // s of wall time that a run may take; infinite: any
    int count;
    hwWorker* list;
} hwWorkers;

// False with a complaint when the system makes no process.
bool hwWorkers_Begin(hwWorkers* workers, const hwStudy* study, const char* folder, int count, double limit);
// Ends all processes at once.
void hwWorkers_End(hwWorkers* workers);
// A worker without a run, or -1.
int hwWorkers_FindIdle(const hwWorkers* workers);
void hwWorkers_Give(hwWorkers* workers, int worker, int64_t run);
// The line of a run that has ended (journal.h), which the caller frees; waits up to `milliseconds`, and returns null when there
// is none.
char* hwWorkers_Wait(hwWorkers* workers, int milliseconds);

#endif
