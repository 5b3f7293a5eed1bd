// What is done of a study: a line of text for each run, written as soon as it has ended. A process that is killed loses the runs
// in progress and nothing else: a line without its end is cut off when the study goes on.
#ifndef HW_CLI_JOURNAL_H
#define HW_CLI_JOURNAL_H

#include "hawser/study.h"

typedef struct hwJournal {
    int fd;
    const hwStudy* study;
    int64_t doneCount, failedCount;
    hwStudyRow* rows; // of all runs
} hwJournal;

// Opens or creates DIR/runs.txt and takes over what it holds. False with a complaint when that is of another study; `fresh`:
// it is emptied first.
bool hwJournal_Open(hwJournal* journal, const hwStudy* study, const char* folder, bool fresh);
void hwJournal_Close(hwJournal* journal);

// The line of a run: values, or why it failed. The caller frees it.
char* hwJournal_MakeLine(const hwStudy* study, int64_t run, const double* values, const char* failure);
// Takes a line in; one that is already there, or that is no good, is not written. False with a complaint when the disk refuses.
bool hwJournal_Add(hwJournal* journal, const char* line);

#endif
