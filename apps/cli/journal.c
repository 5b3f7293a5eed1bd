#define _XOPEN_SOURCE 700
#include "apps/cli/journal.h"

#include "apps/cli/cli.h"

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

bool hwJournal_Add(hwJournal* journal, const char* line) {
    bool fresh;
    if (!TakeLine(journal, line, &fresh) || !fresh) return true;
    if (WriteAll(journal->fd, line, strlen(line))) return true;
    hwCli_Complain("What was written before is kept; make room and start again.",
                   "Cannot write runs.txt: %s.", strerror(errno));
    return false;
}

static void MakeHeader(const hwStudy* study, char* text, size_t size) {
    snprintf(text, size, "hawser-study 1 %016llx, %lld runs, %d columns\n",
             (unsigned long long)hwStudy_GetHash(study), (long long)hwStudy_GetRunCount(study),
             hwStudy_GetColumnCount(study));
}

// Reads what is there and cuts off what is not whole.
static bool ReadBack(hwJournal* journal, const char* path, FILE* file, long long size) {
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
        hwCli_Complain("Choose another folder with --out, or begin anew with --fresh.",
                       "%s is of other runs: the scene, a file it names, the parameters, what is kept or "
                       "Hawser has changed.",
                       path);
        free(line);
        return false;
    }
    while (good && (length = getline(&line, &capacity, file)) > 0) {
        bool fresh;
        if (line[length - 1] != '\n' || !TakeLine(journal, line, &fresh)) break;
        kept += length;
    }
    free(line);
    if (kept == size && good) return true;
    good = ftruncate(journal->fd, kept) == 0 && (kept > 0 || WriteAll(journal->fd, header, strlen(header)));
    if (!good) hwCli_Complain(NULL, "Cannot write %s: %s.", path, strerror(errno));
    return good;
}

bool hwJournal_Open(hwJournal* journal, const hwStudy* study, const char* folder, bool fresh) {
    size_t size = (size_t)hwStudy_GetRunCount(study) * sizeof(hwStudyRow);
    *journal = (hwJournal){.fd = -1, .study = study, .rows = hwCli_Allocate(NULL, size)};
    memset(journal->rows, 0, size);
    char* path = hwCli_Allocate(NULL, strlen(folder) + 16);
    sprintf(path, "%s/runs.txt", folder);
    journal->fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | (fresh ? O_TRUNC : 0), 0666);
    struct stat about;
    FILE* file = journal->fd >= 0 && fstat(journal->fd, &about) == 0 ? fopen(path, "r") : NULL;
    bool good = file != NULL;
    if (!good) hwCli_Complain(NULL, "Cannot open %s: %s.", path, strerror(errno));
    good = good && ReadBack(journal, path, file, (long long)about.st_size);
    if (file) fclose(file);
    free(path);
    if (!good) hwJournal_Close(journal);
    return good;
}

void hwJournal_Close(hwJournal* journal) {
    for (int64_t i = 0; journal->rows && i < hwStudy_GetRunCount(journal->study); ++i) {
        free((void*)(uintptr_t)journal->rows[i].failure);
        free((void*)(uintptr_t)journal->rows[i].values);
    }
    free(journal->rows);
    if (journal->fd >= 0) close(journal->fd);
    *journal = (hwJournal){.fd = -1};
}
