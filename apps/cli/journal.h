// What is done of a study: a line of text for each run, written as soon as it has ended. A process that is killed loses the runs
// in progress and nothing else: a line without its end is cut off when the study goes on.
#ifndef HW_CLI_JOURNAL_H
#define HW_CLI_JOURNAL_H

#include "hawser/study.h"

typedef struct hwJournal {
    int fd;
    char* path;
    const hwStudy* study;
    int64_t doneCount, failedCount;
    hwStudyRow* rows; // of all runs
} hwJournal;

typedef enum hwJournalUse {
    HW_JOURNAL_GO_ON,
    HW_JOURNAL_FRESH, // it is emptied first
    HW_JOURNAL_LOOK   // it is there and nothing in it is changed: another process may be writing it
} hwJournalUse;

// Opens or creates DIR/runs.txt and takes over what it holds. False with a complaint when that is of another study.
bool hwJournal_Open(hwJournal* journal, const hwStudy* study, const char* folder, hwJournalUse use);
// Forgets the runs that failed, so that they are done again. False with a complaint when the disk refuses.
bool hwJournal_ForgetFailed(hwJournal* journal);
void hwJournal_Close(hwJournal* journal);

// The line of a run: values, or why it failed. The caller frees it.
char* hwJournal_MakeLine(const hwStudy* study, int64_t run, const double* values, const char* failure);
// The line of a run that is not done, since its files could not be written. The caller frees it.
char* hwJournal_MakeUnwritten(int64_t run, const char* why);
// Takes a line in; one that is already there, or that is no good, is not written. False with a complaint when the disk refuses
// it or refused files of its run.
bool hwJournal_Add(hwJournal* journal, const char* line);

#endif
