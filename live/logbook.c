// The logbook: CSV that is only ever appended to.
#define _POSIX_C_SOURCE 200809L
#include "flight_internal.h"

#include "hawser/logbook.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINE_SIZE 2048
#define TEXT_COLUMNS 6 // started, pilot, group, phase, lesson, flight
#define MOST_BYTES ((long)64 << 20)

static const char g_header[] =
    "started,pilot,group,phase,lesson,flight,score,passed,complete,time,hits,gates,"
    "task,time_term,turns,slack,wrap,tension,return,awareness,error,version\n";

static hwStatus FailFile(hwError* error, const char* path, int reason) {
    hwLiveFail(error, HW_ERROR_FILE, "");
    if (error != NULL)
        snprintf(error->message, sizeof(error->message), "%.160s: %.120s", path,
                 strerror(reason != 0 ? reason : EIO));
    return HW_ERROR_FILE;
}

void hwLogbookLine_SetScore(hwLogbookLine* line, const hwScore* score) {
    line->score = score->score;
    line->passed = score->passed;
    line->complete = score->complete;
    line->time = score->time;
    line->hits = score->hits;
    line->gates = score->gates;
    memcpy(line->terms, score->terms, sizeof(line->terms));
}

// Writing --------------------------------------------------------------------------------------------------------------

typedef struct Text {
    char bytes[LINE_SIZE];
    size_t used;
} Text;

static void PutByte(Text* text, char c) {
    if (text->used + 1 < sizeof(text->bytes)) text->bytes[text->used++] = c;
}

// A quoted cell on one line.
static void PutCell(Text* text, const char* cell) {
    PutByte(text, '"');
    for (; *cell != 0; ++cell) {
        if (*cell == '"') PutByte(text, '"');
        PutByte(text, (unsigned char)*cell >= 0x20 ? *cell : ' ');
    }
    PutByte(text, '"');
    PutByte(text, ',');
}

static void PutNumber(Text* text, double value) {
    char number[40] = "";
    if (isfinite(value)) snprintf(number, sizeof(number), "%.17g", value);
    for (const char* c = number; *c != 0; ++c) PutByte(text, *c);
    PutByte(text, ',');
}

static void FormatLine(const hwLogbookLine* line, Text* text) {
    const char* const cells[TEXT_COLUMNS] = {line->started, line->pilot,  line->group,
                                             line->phase,   line->lesson, line->flight};
    text->used = 0;
    for (int i = 0; i < TEXT_COLUMNS; ++i) PutCell(text, cells[i]);
    PutNumber(text, line->score);
    PutNumber(text, line->passed);
    PutNumber(text, line->complete);
    PutNumber(text, line->time);
    PutNumber(text, line->hits);
    PutNumber(text, line->gates);
    for (int i = 0; i < HW_TERM_COUNT; ++i) PutNumber(text, line->terms[i]);
    PutCell(text, line->version);
    text->bytes[text->used - 1] = '\n'; // in place of the last comma
}

// Adds a line by one write, after the header where the file is new.
static hwStatus AppendText(const char* path, const char* header, size_t headerSize, const Text* line,
                           hwError* error) {
    Text all = {.used = 0};
    int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) return FailFile(error, path, errno);
    struct stat info;
    bool empty = fstat(file, &info) == 0 && info.st_size == 0;
    if (empty) {
        memcpy(all.bytes, header, headerSize);
        all.used = headerSize;
    }
    size_t used = line->used;
    if (all.used + used > sizeof(all.bytes))
        used = sizeof(all.bytes) - all.used; // cannot be: cells are bounded
    memcpy(all.bytes + all.used, line->bytes, used);
    all.used += used;
    errno = 0;
    ssize_t written = write(file, all.bytes, all.used);
    bool good = written == (ssize_t)all.used && fsync(file) == 0;
    int reason = errno;
    if (close(file) != 0) good = false;
    return good ? HW_OK : FailFile(error, path, reason);
}

hwStatus hwLogbook_Append(const char* path, const hwLogbookLine* line, hwError* error) {
    Text text;
    if (line->pilot[0] == 0)
        return hwLiveFail(error, HW_ERROR_ARGUMENT, "a line of the logbook needs a pilot");
    FormatLine(line, &text);
    return AppendText(path, g_header, sizeof(g_header) - 1, &text, error);
}

// Reading --------------------------------------------------------------------------------------------------------------

// The next cell of a line, ended by a zero; moves `at` behind its comma. Null: there is none.
static char* NextCell(char** at) {
    char *from = *at, *to = from, *cell = from;
    if (from == NULL) return NULL;
    bool quoted = *from == '"';
    if (quoted) ++from;
    for (;; ++from) {
        if (*from == 0) {
            *at = NULL;
            break;
        }
        if (quoted && *from == '"') {
            if (from[1] != '"') {
                quoted = false;
                continue;
            }
            ++from;
        } else if (!quoted && *from == ',') {
            *at = from + 1;
            break;
        }
        *to++ = *from;
    }
    *to = 0;
    return quoted ? NULL : cell;
}

static bool ReadNumber(char** at, double* value) {
    char *cell = NextCell(at), *end = NULL;
    if (cell == NULL) return false;
    *value = cell[0] != 0 ? strtod(cell, &end) : (double)NAN;
    return cell[0] == 0 || *end == 0;
}

static bool ParseLine(char* text, hwLogbookLine* line) {
    struct {
        char* to;
        size_t size;
    } cells[TEXT_COLUMNS] = {{line->started, sizeof(line->started)}, {line->pilot, sizeof(line->pilot)},
                             {line->group, sizeof(line->group)},     {line->phase, sizeof(line->phase)},
                             {line->lesson, sizeof(line->lesson)},   {line->flight, sizeof(line->flight)}};
    memset(line, 0, sizeof(*line));
    for (int i = 0; i < TEXT_COLUMNS; ++i) {
        const char* cell = NextCell(&text);
        if (cell == NULL) return false;
        snprintf(cells[i].to, cells[i].size, "%.*s", (int)(cells[i].size - 1), cell);
    }
    double numbers[6];
    for (int i = 0; i < 6; ++i) {
        if (!ReadNumber(&text, &numbers[i]) || !isfinite(numbers[i])) return false;
    }
    if (numbers[4] < 0.0 || numbers[4] > 1e6 || numbers[5] < 0.0 || numbers[5] > 255.0) return false;
    line->score = numbers[0];
    line->passed = numbers[1] != 0.0;
    line->complete = numbers[2] != 0.0;
    line->time = numbers[3];
    line->hits = (int)numbers[4];
    line->gates = (unsigned)numbers[5];
    for (int i = 0; i < HW_TERM_COUNT; ++i) {
        if (!ReadNumber(&text, &line->terms[i])) return false;
    }
    const char* version = NextCell(&text);
    if (version == NULL || text != NULL || line->pilot[0] == 0) return false;
    snprintf(line->version, sizeof(line->version), "%.31s", version);
    return true;
}

static bool IsSameRun(const hwLogbookLine* a, const hwLogbookLine* b) {
    return a->flight[0] != 0 && strcmp(a->flight, b->flight) == 0 && strcmp(a->pilot, b->pilot) == 0;
}

static void AddLine(int* count, hwLogbookLine* lines, const hwLogbookLine* line) {
    for (int i = 0; i < *count; ++i) {
        if (!IsSameRun(&lines[i], line)) continue;
        lines[i] = *line;
        return;
    }
    lines[(*count)++] = *line;
}

static char* ReadAll(const char* path, bool* missing, hwError* error) {
    errno = 0;
    FILE* file = fopen(path, "rb");
    *missing = file == NULL && errno == ENOENT;
    long size = -1;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0) size = ftell(file);
    if (size < 0 || size > MOST_BYTES) {
        if (!*missing) FailFile(error, path, size > MOST_BYTES ? EFBIG : errno);
        if (file != NULL) fclose(file);
        return NULL;
    }
    rewind(file);
    char* text = malloc((size_t)size + 1);
    size_t used = text != NULL ? fread(text, 1, (size_t)size, file) : 0;
    fclose(file);
    if (text == NULL) {
        hwLiveFail(error, HW_ERROR_MEMORY, "there is not enough memory for the logbook");
        return NULL;
    }
    text[used] = 0;
    return text;
}

hwStatus hwLogbook_Read(const char* path, int* count, hwLogbookLine** lines, hwError* error) {
    *count = 0;
    *lines = NULL;
    bool missing;
    hwError own;
    if (error == NULL) error = &own;
    char* text = ReadAll(path, &missing, error);
    if (text == NULL) return missing ? HW_OK : error->status;
    int room = 0, number = 0;
    for (const char* c = text; *c != 0; ++c) room += *c == '\n';
    *lines = calloc((size_t)room + 1, sizeof(**lines));
    hwStatus status = *lines != NULL ? HW_OK : HW_ERROR_MEMORY;
    for (char *line = text, *end; status == HW_OK && (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = 0;
        hwLogbookLine read;
        bool good =
            ++number == 1 ? strncmp(line, g_header, sizeof(g_header) - 2) == 0 : ParseLine(line, &read);
        if (good && number > 1) AddLine(count, *lines, &read);
        if (good) continue;
        status = hwLiveFail(error, HW_ERROR_FORMAT, "");
        snprintf(error->message, sizeof(error->message), "%.200s is no logbook in line %d", path, number);
        error->line = number;
    }
    if (*lines == NULL) hwLiveFail(error, HW_ERROR_MEMORY, "there is not enough memory for the logbook");
    free(text);
    if (status != HW_OK) {
        free(*lines);
        *lines = NULL;
        *count = 0;
    }
    return status;
}

int hwLogbook_CountPasses(int count, const hwLogbookLine* lines, const char* pilot, const char* lesson) {
    int passes = 0;
    for (int i = 0; i < count; ++i) {
        if (strcmp(lines[i].pilot, pilot) != 0 || strcmp(lines[i].lesson, lesson) != 0) continue;
        passes = lines[i].passed ? passes + 1 : 0;
    }
    return passes;
}

int hwLogbook_Import(const char* path, const char* from, hwError* error) {
    int have, come, added = 0;
    hwLogbookLine *mine, *theirs;
    hwStatus status = hwLogbook_Read(path, &have, &mine, error);
    if (status != HW_OK) return status;
    if (access(from, R_OK) != 0) {
        free(mine);
        return FailFile(error, from, errno);
    }
    status = hwLogbook_Read(from, &come, &theirs, error);
    for (int i = 0; status == HW_OK && i < come; ++i) {
        bool known = false;
        for (int k = 0; k < have && !known; ++k) known = IsSameRun(&mine[k], &theirs[i]);
        if (known) continue;
        status = hwLogbook_Append(path, &theirs[i], error);
        added += status == HW_OK;
    }
    free(mine);
    free(theirs);
    return status == HW_OK ? added : (int)status;
}

// Exporting ------------------------------------------------------------------------------------------------------------

static uint64_t HashName(const char* name, const char* salt) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (const char* c = salt; *c != 0; ++c) hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
    for (const char* c = name; *c != 0; ++c) hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
    return hash;
}

// Which number a pilot has among all in the order of hashes.
static int FindNumber(int count, const hwLogbookLine* lines, int index, const char* salt) {
    uint64_t own = HashName(lines[index].pilot, salt);
    int number = 1;
    for (int i = 0; i < count; ++i) {
        bool first = HashName(lines[i].pilot, salt) < own;
        for (int k = 0; k < i && first; ++k) first = strcmp(lines[k].pilot, lines[i].pilot) != 0;
        number += first;
    }
    return number;
}

hwStatus hwLogbook_Export(const char* path, const char* to, const char* pilot, bool anonymous,
                          const char* salt, hwError* error) {
    int count;
    hwLogbookLine* lines;
    hwStatus status = hwLogbook_Read(path, &count, &lines, error);
    if (status != HW_OK) return status;
    FILE* file = fopen(to, "w");
    if (file == NULL) {
        free(lines);
        return FailFile(error, to, errno);
    }
    fputs(g_header, file);
    for (int i = 0; i < count; ++i) {
        if (pilot != NULL && strcmp(lines[i].pilot, pilot) != 0) continue;
        hwLogbookLine line = lines[i];
        if (anonymous) {
            snprintf(line.pilot, sizeof(line.pilot), "P%02d",
                     FindNumber(count, lines, i, salt != NULL ? salt : ""));
            line.started[10] = 0; // the date alone
            line.flight[0] = 0;
        }
        Text text;
        FormatLine(&line, &text);
        fwrite(text.bytes, 1, text.used, file);
    }
    bool good = ferror(file) == 0;
    errno = 0;
    if (fclose(file) != 0) good = false;
    free(lines);
    return good ? HW_OK : FailFile(error, to, errno);
}

// Ratings and participants of a study ---------------------------------------------------------------------------------------

static const char g_ratingHeader[] = "started,pilot,group,pair,first,second,realism_first,realism_second,"
                                     "preferred,comment,version\n";
static const char g_participantHeader[] = "pilot,number\n";

static void FormatRating(const hwRatingLine* line, Text* text) {
    text->used = 0;
    PutCell(text, line->started);
    PutCell(text, line->pilot);
    PutCell(text, line->group);
    PutCell(text, line->pair);
    PutCell(text, line->shown[0]);
    PutCell(text, line->shown[1]);
    PutNumber(text, line->realism[0]);
    PutNumber(text, line->realism[1]);
    PutCell(text, line->preferred < 0 ? "" : line->shown[line->preferred != 0]);
    PutCell(text, line->comment);
    PutCell(text, line->version);
    text->bytes[text->used - 1] = '\n';
}

hwStatus hwRatings_Append(const char* path, const hwRatingLine* line, hwError* error) {
    if (line->pilot[0] == 0) return hwLiveFail(error, HW_ERROR_ARGUMENT, "a rating needs a name");
    Text text;
    FormatRating(line, &text);
    return AppendText(path, g_ratingHeader, sizeof(g_ratingHeader) - 1, &text, error);
}

static bool CopyCell(char** at, char* to, size_t size) {
    const char* cell = NextCell(at);
    if (cell == NULL || strlen(cell) >= size) return false;
    memcpy(to, cell, strlen(cell) + 1);
    return true;
}

static bool ParseRating(char* text, hwRatingLine* line) {
    char preferred[64];
    memset(line, 0, sizeof(*line));
    bool good = CopyCell(&text, line->started, sizeof(line->started)) &&
                CopyCell(&text, line->pilot, sizeof(line->pilot)) &&
                CopyCell(&text, line->group, sizeof(line->group)) &&
                CopyCell(&text, line->pair, sizeof(line->pair)) &&
                CopyCell(&text, line->shown[0], sizeof(line->shown[0])) &&
                CopyCell(&text, line->shown[1], sizeof(line->shown[1])) &&
                ReadNumber(&text, &line->realism[0]) && ReadNumber(&text, &line->realism[1]) &&
                CopyCell(&text, preferred, sizeof(preferred)) &&
                CopyCell(&text, line->comment, sizeof(line->comment)) &&
                CopyCell(&text, line->version, sizeof(line->version)) && text == NULL;
    line->preferred = -1;
    for (int i = 0; good && preferred[0] != 0 && i < 2; ++i) {
        if (strcmp(preferred, line->shown[i]) == 0) line->preferred = i;
    }
    return good && line->pilot[0] != 0 && (preferred[0] == 0 || line->preferred >= 0);
}

// Calls `take` with each line after the header.
typedef bool TakeLine(char* line, void* context);

static hwStatus ReadLines(const char* path, const char* header, TakeLine* take, void* context,
                          hwError* error) {
    bool missing;
    hwError own;
    if (error == NULL) error = &own;
    char* text = ReadAll(path, &missing, error);
    if (text == NULL) return missing ? HW_OK : error->status;
    hwStatus status = HW_OK;
    int number = 0;
    for (char *line = text, *end; status == HW_OK && (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = 0;
        size_t length = strlen(header) - 1; // without the end of the line
        bool good = ++number == 1 ? strncmp(line, header, length) == 0 && strlen(line) == length
                                  : take(line, context);
        if (good) continue;
        status = hwLiveFail(error, HW_ERROR_FORMAT, "");
        snprintf(error->message, sizeof(error->message), "%.200s: line %d is not one of its own", path,
                 number);
        error->line = number;
    }
    free(text);
    return status;
}

typedef struct Ratings {
    int count, room;
    hwRatingLine* lines;
} Ratings;

static bool TakeRating(char* text, void* context) {
    Ratings* ratings = context;
    hwRatingLine line;
    if (!ParseRating(text, &line)) return false;
    for (int i = 0; i < ratings->count; ++i) {
        bool same = strcmp(ratings->lines[i].pilot, line.pilot) == 0 &&
                    strcmp(ratings->lines[i].pair, line.pair) == 0;
        if (!same) continue;
        ratings->lines[i] = line; // given again
        return true;
    }
    if (ratings->count == ratings->room) {
        int room = ratings->room > 0 ? 2 * ratings->room : 64;
        hwRatingLine* more = realloc(ratings->lines, (size_t)room * sizeof(*more));
        if (more == NULL) return false;
        ratings->lines = more;
        ratings->room = room;
    }
    ratings->lines[ratings->count++] = line;
    return true;
}

hwStatus hwRatings_Read(const char* path, int* count, hwRatingLine** lines, hwError* error) {
    Ratings ratings = {0};
    hwStatus status = ReadLines(path, g_ratingHeader, TakeRating, &ratings, error);
    if (status != HW_OK) {
        free(ratings.lines);
        ratings = (Ratings){0};
    }
    *count = ratings.count;
    *lines = ratings.lines;
    return status;
}

// The number of a rater: that of the logbook's export, or one after all of these.
static int FindRater(int count, const hwLogbookLine* lines, const Ratings* ratings, int index,
                     const char* salt) {
    const char* pilot = ratings->lines[index].pilot;
    int pilots = 0, after = 1;
    for (int i = 0; i < count; ++i) {
        if (strcmp(lines[i].pilot, pilot) == 0) return FindNumber(count, lines, i, salt);
        bool first = true;
        for (int k = 0; k < i && first; ++k) first = strcmp(lines[k].pilot, lines[i].pilot) != 0;
        pilots += first;
    }
    for (int i = 0; i < ratings->count; ++i) {
        bool first = HashName(ratings->lines[i].pilot, salt) < HashName(pilot, salt);
        for (int k = 0; k < i && first; ++k)
            first = strcmp(ratings->lines[k].pilot, ratings->lines[i].pilot) != 0;
        for (int k = 0; k < count && first; ++k) first = strcmp(lines[k].pilot, ratings->lines[i].pilot) != 0;
        after += first;
    }
    return pilots + after;
}

hwStatus hwRatings_Export(const char* path, const char* logbook, const char* to, bool anonymous,
                          const char* salt, hwError* error) {
    Ratings ratings = {0};
    int count;
    hwLogbookLine* lines;
    hwStatus status = hwRatings_Read(path, &ratings.count, &ratings.lines, error);
    if (status != HW_OK) return status;
    status = hwLogbook_Read(logbook, &count, &lines, error);
    FILE* file = status == HW_OK ? fopen(to, "w") : NULL;
    if (status == HW_OK && file == NULL) status = FailFile(error, to, errno);
    if (file != NULL) {
        fputs(g_ratingHeader, file);
        for (int i = 0; i < ratings.count; ++i) {
            hwRatingLine line = ratings.lines[i];
            if (anonymous) {
                snprintf(line.pilot, sizeof(line.pilot), "P%02d",
                         FindRater(count, lines, &ratings, i, salt != NULL ? salt : ""));
                line.started[10] = 0; // the date alone
            }
            Text text;
            FormatRating(&line, &text);
            fwrite(text.bytes, 1, text.used, file);
        }
        bool good = ferror(file) == 0;
        errno = 0;
        if (fclose(file) != 0) good = false;
        if (!good) status = FailFile(error, to, errno);
    }
    free(lines);
    free(ratings.lines);
    return status;
}

typedef struct Enrolment {
    const char* pilot;
    int next, found;
} Enrolment;

static bool TakeParticipant(char* text, void* context) {
    Enrolment* enrolment = context;
    char pilot[64];
    double number;
    if (!CopyCell(&text, pilot, sizeof(pilot)) || !ReadNumber(&text, &number) || text != NULL) return false;
    if (number != enrolment->next) return false;
    if (strcmp(pilot, enrolment->pilot) == 0) enrolment->found = enrolment->next;
    enrolment->next += 1;
    return true;
}

int hwParticipants_Enrol(const char* path, const char* pilot, hwError* error) {
    if (pilot[0] == 0 || strlen(pilot) > 63)
        return hwLiveFail(error, HW_ERROR_ARGUMENT, "a participant needs a name of up to 63 characters");
    Enrolment enrolment = {.pilot = pilot, .found = -1};
    hwStatus status = ReadLines(path, g_participantHeader, TakeParticipant, &enrolment, error);
    if (status != HW_OK) return status;
    if (enrolment.found >= 0) return enrolment.found;
    Text text = {.used = 0};
    PutCell(&text, pilot);
    PutNumber(&text, enrolment.next);
    text.bytes[text.used - 1] = '\n';
    status = AppendText(path, g_participantHeader, sizeof(g_participantHeader) - 1, &text, error);
    return status == HW_OK ? enrolment.next : (int)status;
}
