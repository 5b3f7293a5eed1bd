#define _XOPEN_SOURCE 700
#include "apps/cli/journal.h"

#include "apps/cli/cli.h"
#include "apps/cli/inputs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// FNV-1a of a line, which tells a whole one from a torn one.
static unsigned Sum(const char* text, size_t size) {
    unsigned sum = 2166136261u;
    for (size_t i = 0; i < size; ++i) sum = (sum ^ (unsigned char)text[i]) * 16777619u;
    return sum;
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

char* hwJournal_MakeLine(const hwStudy* study, int64_t run, const double* values, const char* failure) {
    int count = hwStudy_GetColumnCount(study);
    size_t size = 64 + (failure ? strlen(failure) : 32 * (size_t)count), used;
    char* line = hwCli_Allocate(NULL, size);
    if (failure) {
        used = (size_t)snprintf(line, size, "%lld failed %s", (long long)run, failure);
        for (char* c = line; *c; ++c) *c = *c == '\n' || *c == ';' ? ',' : *c;
    } else {
        used = (size_t)snprintf(line, size, "%lld ok", (long long)run);
        // 17 digits read back to the same bits.
        for (int i = 0; i < count; ++i)
            used += (size_t)snprintf(line + used, size - used, " %.17g", values[i]);
    }
    snprintf(line + used, size - used, ";%08x\n", Sum(line, used));
    return line;
}

#define UNWRITTEN "unwritten "

char* hwJournal_MakeUnwritten(int64_t run, const char* why) {
    size_t size = strlen(why) + 64;
    char* line = hwCli_Allocate(NULL, size);
    snprintf(line, size, UNWRITTEN "%lld %s", (long long)run, why);
    for (char* c = line; *c; ++c) *c = *c == '\n' ? ',' : *c;
    strcat(line, "\n");
    return line;
}

// Takes a line, its newline included, into the rows; false when it is damaged. *fresh: it was not there yet.
static bool TakeLine(hwJournal* journal, const char* line, bool* fresh) {
    *fresh = false;
    const char* mark = strrchr(line, ';');
    unsigned sum;
    if (!mark || sscanf(mark, ";%8x", &sum) != 1 || sum != Sum(line, (size_t)(mark - line)) ||
        !strchr(mark, '\n'))
        return false;
    char* at;
    long long run = strtoll(line, &at, 10);
    if (run < 0 || run >= hwStudy_GetRunCount(journal->study)) return false;
    hwStudyRow* row = &journal->rows[run];
    if (row->done) return true;
    if (strncmp(at, " failed ", 8) == 0) {
        char* text = hwCli_Copy(at + 8);
        text[mark - (at + 8)] = 0;
        row->failure = text;
        journal->failedCount += 1;
    } else if (strncmp(at, " ok", 3) == 0) {
        int count = hwStudy_GetColumnCount(journal->study);
        double* values = hwCli_Allocate(NULL, ((size_t)count + 1) * sizeof(double));
        at += 3;
        for (int i = 0; i < count; ++i) {
            char* end;
            values[i] = strtod(at, &end);
            if (end == at || end > mark) {
                free(values);
                return false;
            }
            at = end;
        }
        row->values = values;
    } else {
        return false;
    }
    row->done = true;
    journal->doneCount += 1;
    *fresh = true;
    return true;
}

static const char g_makeRoom[] = "What was written before is kept; make room and start again.";

bool hwJournal_Add(hwJournal* journal, const char* line) {
    bool fresh;
    size_t mark = strlen(UNWRITTEN);
    if (strncmp(line, UNWRITTEN, mark) == 0) {
        char* why;
        long long run = strtoll(line + mark, &why, 10);
        hwCli_Complain(g_makeRoom, "Run %lld:%.*s", run, (int)strcspn(why, "\n"), why);
        return false;
    }
    if (!TakeLine(journal, line, &fresh) || !fresh) return true;
    if (WriteAll(journal->fd, line, strlen(line))) return true;
    hwCli_Complain(g_makeRoom, "Cannot write runs.txt: %s.", strerror(errno));
    return false;
}

static void MakeHeader(const hwStudy* study, char* text, size_t size) {
    snprintf(text, size, "hawser-study 1 %016llx, %lld runs, %d columns\n",
             (unsigned long long)hwStudy_GetHash(study), (long long)hwStudy_GetRunCount(study),
             hwStudy_GetColumnCount(study));
}

// Reads what is there and cuts off what is not whole.
static bool ReadBack(hwJournal* journal, const char* path, FILE* file, long long size, hwJournalUse use) {
    char header[128], *line = NULL;
    size_t capacity = 0;
    MakeHeader(journal->study, header, sizeof(header));
    ssize_t length = getline(&line, &capacity, file);
    bool good = length > 0 && strcmp(line, header) == 0;
    // A header that is cut short is that of a study that was killed as it began.
    bool torn =
        !good && (length <= 0 || (line[length - 1] != '\n' && strncmp(line, header, (size_t)length) == 0));
    long long kept = good ? length : 0;
    if (!good && !torn) {
        hwInputs_Refuse(journal->study, path);
        free(line);
        return false;
    }
    if (torn && use != HW_JOURNAL_LOOK && !hwInputs_Write(journal->study, path)) {
        free(line);
        return false;
    }
    while (good && (length = getline(&line, &capacity, file)) > 0) {
        bool fresh;
        if (line[length - 1] != '\n' || !TakeLine(journal, line, &fresh)) break;
        kept += length;
    }
    free(line);
    if ((kept == size && good) || use == HW_JOURNAL_LOOK) return true;
    good = ftruncate(journal->fd, kept) == 0 && (kept > 0 || WriteAll(journal->fd, header, strlen(header)));
    if (!good) hwCli_Complain(NULL, "Cannot write %s: %s.", path, strerror(errno));
    return good;
}

bool hwJournal_Open(hwJournal* journal, const hwStudy* study, const char* folder, hwJournalUse use) {
    size_t size = (size_t)hwStudy_GetRunCount(study) * sizeof(hwStudyRow);
    *journal = (hwJournal){.fd = -1, .study = study, .rows = hwCli_Allocate(NULL, size)};
    memset(journal->rows, 0, size);
    char* path = hwCli_Allocate(NULL, strlen(folder) + 16);
    sprintf(path, "%s/runs.txt", folder);
    int access = use == HW_JOURNAL_LOOK ? O_RDONLY : O_RDWR | O_CREAT | O_APPEND;
    journal->fd = open(path, access | O_CLOEXEC | (use == HW_JOURNAL_FRESH ? O_TRUNC : 0), 0666);
    struct stat about;
    FILE* file = journal->fd >= 0 && fstat(journal->fd, &about) == 0 ? fopen(path, "r") : NULL;
    bool good = file != NULL;
    if (!good) hwCli_Complain(NULL, "Cannot open %s: %s.", path, strerror(errno));
    good = good && ReadBack(journal, path, file, (long long)about.st_size, use);
    if (file) fclose(file);
    journal->path = path;
    if (!good) hwJournal_Close(journal);
    return good;
}

bool hwJournal_ForgetFailed(hwJournal* journal) {
    if (journal->failedCount == 0) return true;
    // the new journal takes the place of the old one when it is whole
    char* path = hwCli_Allocate(NULL, strlen(journal->path) + 16);
    sprintf(path, "%s.tmp", journal->path);
    int fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_TRUNC | O_CLOEXEC, 0666);
    char header[128];
    MakeHeader(journal->study, header, sizeof(header));
    bool good = fd >= 0 && WriteAll(fd, header, strlen(header));
    for (int64_t run = 0; good && run < hwStudy_GetRunCount(journal->study); ++run) {
        const hwStudyRow* row = &journal->rows[run];
        if (!row->done || row->failure) continue;
        char* line = hwJournal_MakeLine(journal->study, run, row->values, NULL);
        good = WriteAll(fd, line, strlen(line));
        free(line);
    }
    good = good && rename(path, journal->path) == 0;
    if (!good) hwCli_Complain(NULL, "Cannot write %s: %s.", path, strerror(errno));
    if (good) {
        close(journal->fd);
        journal->fd = fd;
    } else if (fd >= 0) {
        close(fd);
        unlink(path);
    }
    free(path);
    for (int64_t run = 0; good && run < hwStudy_GetRunCount(journal->study); ++run) {
        hwStudyRow* row = &journal->rows[run];
        if (!row->failure) continue;
        free((void*)(uintptr_t)row->failure);
        *row = (hwStudyRow){0};
        journal->doneCount -= 1;
    }
    if (good) journal->failedCount = 0;
    return good;
}

void hwJournal_Close(hwJournal* journal) {
    for (int64_t i = 0; journal->rows && i < hwStudy_GetRunCount(journal->study); ++i) {
        free((void*)(uintptr_t)journal->rows[i].failure);
        free((void*)(uintptr_t)journal->rows[i].values);
    }
    free(journal->rows);
    free(journal->path);
    if (journal->fd >= 0) close(journal->fd);
    *journal = (hwJournal){.fd = -1};
}
