// The ghost of a flight: the line of a second tether of another model that was shown beside it, kept in `ghost.csv`, a line of text
// each. It is for pictures: the points that are left out lie within 3 cm of the line through those that are kept.
#define _POSIX_C_SOURCE 200809L
#include "flight_internal.h"

#include "hawser/elementary.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WITHIN 0.03       // m
#define MOST_POINTS 4096  // of one line
#define MOST_LINES 400000 // two a second for more than two days

static const char g_head[] = "time,model,apart,points\n";

struct hwGhosts {
    int count, room;
    hwGhostLine* lines;
};

static double GetDistance(hwVec3 p, hwVec3 a, hwVec3 b) {
    hwVec3 along = hwSub(b, a), from = hwSub(p, a);
    double square = hwDot(along, along);
    double share = square > 0.0 ? hwClamp(hwDot(from, along) / square, 0.0, 1.0) : 0.0;
    return hwLength(hwSub(from, hwScale(share, along)));
}

// Which points a line needs: the ends, and of each piece the point farthest off while that is too far (Ramer, Douglas and Peucker).
static int ChoosePoints(int count, const hwVec3* points, int* chosen) {
    int open[64][2], depth = 0, kept = 0;
    chosen[kept++] = 0;
    open[depth][0] = 0;
    open[depth++][1] = count - 1;
    while (depth > 0) {
        int first = open[depth - 1][0], last = open[depth - 1][1], farthest = first;
        double most = WITHIN;
        for (int i = first + 1; i < last; ++i) {
            double distance = GetDistance(points[i], points[first], points[last]);
            if (distance > most) most = distance, farthest = i;
        }
        if (farthest > first && depth < 64) {
            // the first piece comes first; the other waits below it
            open[depth - 1][0] = farthest;
            open[depth][0] = first;
            open[depth++][1] = farthest;
            continue;
        }
        // with 64 pieces open nothing more is left out
        for (int i = farthest > first ? first + 1 : last; i <= last; ++i) chosen[kept++] = i;
        depth -= 1;
    }
    return kept;
}

bool hwGhost_Write(FILE* file, const hwGhostLine* line) {
    int chosen[MOST_POINTS];
    int count = line->count < MOST_POINTS ? line->count : MOST_POINTS;
    if (count < 2) return true;
    int kept = ChoosePoints(count, line->points, chosen);
    bool good = fprintf(file, "%.9g,%.23s,%.2f,", line->time, line->model, line->apart) > 0;
    for (int i = 0; good && i < kept; ++i) {
        hwVec3 p = line->points[chosen[i]];
        good = fprintf(file, "%s%.2f %.2f %.2f", i > 0 ? ";" : "", p.x, p.y, p.z) > 0;
    }
    return good && fputc('\n', file) != EOF;
}

FILE* hwGhost_OpenFile(const char* path) {
    errno = 0;
    FILE* file = fopen(path, "a");
    if (file == NULL) return NULL;
    if (fseek(file, 0, SEEK_END) == 0 && (ftell(file) > 0 || fputs(g_head, file) >= 0)) return file;
    fclose(file);
    return NULL;
}

hwStatus hwGhost_Copy(const char* from, const char* to, double end) {
    FILE* source = fopen(from, "r");
    if (source == NULL) return errno == ENOENT ? HW_OK : HW_ERROR_FILE;
    FILE* target = fopen(to, "w");
    char* text = NULL;
    size_t room = 0;
    ssize_t length;
    int lines = 0;
    bool good = target != NULL;
    while (good && (length = getline(&text, &room, source)) > 0) {
        if (text[length - 1] != '\n') break; // of a program that was killed
        if (lines > 0 && !(strtod(text, NULL) <= end + 1e-9)) break;
        good = fputs(text, target) >= 0;
        lines += 1;
    }
    free(text);
    fclose(source);
    if (target != NULL && fclose(target) != 0) good = false;
    if (!good || lines < 2) unlink(to); // a flight without a ghost has no such file
    return good ? HW_OK : HW_ERROR_FILE;
}

// Reading --------------------------------------------------------------------------------------------------------------

// One line "time,model,apart,x y z;x y z"; false when it is not one, or there is no memory.
static bool ParseLine(const char* text, hwGhostLine* line) {
    char* cursor;
    memset(line, 0, sizeof(*line));
    line->time = strtod(text, &cursor);
    if (cursor == text || *cursor != ',' || !isfinite(line->time)) return false;
    const char* name = cursor + 1;
    size_t length = strcspn(name, ",");
    if (length >= sizeof(line->model) || name[length] != ',') return false;
    memcpy(line->model, name, length);
    const char* apart = name + length + 1;
    line->apart = strtod(apart, &cursor);
    if (cursor == apart || *cursor != ',') return false;
    int room = 1;
    for (const char* c = cursor; *c != 0; ++c) room += *c == ';';
    if (room > MOST_POINTS) return false;
    hwVec3* points = calloc((size_t)room, sizeof(*points));
    bool good = points != NULL;
    for (char mark = ','; good && (mark == ',' || mark == ';'); mark = *cursor) {
        double at[3];
        for (int k = 0; good && k < 3; ++k) {
            char* start = cursor + (k == 0 ? 1 : 0);
            at[k] = strtod(start, &cursor);
            good = cursor != start && isfinite(at[k]);
        }
        if (good) points[line->count++] = hwMakeVec3(at[0], at[1], at[2]);
    }
    line->points = points;
    if (good && line->count > 1 && (*cursor == 0 || *cursor == '\n' || *cursor == '\r')) return true;
    free(points);
    return false;
}

static bool Add(hwGhosts* ghosts, const hwGhostLine* line) {
    if (ghosts->count == ghosts->room) {
        int room = ghosts->room > 0 ? 2 * ghosts->room : 256;
        hwGhostLine* lines = realloc(ghosts->lines, (size_t)room * sizeof(*lines));
        if (lines == NULL) return false;
        ghosts->lines = lines;
        ghosts->room = room;
    }
    ghosts->lines[ghosts->count++] = *line;
    return true;
}

hwGhosts* hwLoadGhosts(const char* folder) {
    char path[1000];
    snprintf(path, sizeof(path), "%.900s/%s", folder, GHOST_FILE);
    hwGhosts* ghosts = calloc(1, sizeof(*ghosts));
    FILE* file = ghosts != NULL ? fopen(path, "r") : NULL;
    if (file == NULL) return ghosts;
    char* text = NULL;
    size_t room = 0;
    bool good = getline(&text, &room, file) > 0;
    while (good && ghosts->count < MOST_LINES && getline(&text, &room, file) > 0) {
        hwGhostLine line;
        // what was damaged, or cut off with its program, ends it
        good = ParseLine(text, &line);
        if (!good) break;
        bool rises = ghosts->count == 0 || line.time > ghosts->lines[ghosts->count - 1].time;
        good = rises && Add(ghosts, &line);
        if (!good) free((void*)line.points);
    }
    free(text);
    fclose(file);
    return ghosts;
}

void hwDestroyGhosts(hwGhosts* ghosts) {
    if (ghosts == NULL) return;
    for (int i = 0; i < ghosts->count; ++i) free((void*)ghosts->lines[i].points);
    free(ghosts->lines);
    free(ghosts);
}

const hwGhostLine* hwGhosts_GetLines(const hwGhosts* ghosts, int* count) {
    *count = ghosts->count;
    return ghosts->lines;
}

const hwGhostLine* hwGhosts_Find(const hwGhosts* ghosts, double time) {
    int low = -1, high = ghosts->count - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (ghosts->lines[middle].time <= time + 1e-9) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low >= 0 && time - ghosts->lines[low].time < HW_GHOST_LASTS ? &ghosts->lines[low] : NULL;
}

bool hwHasGhosts(const char* folder) {
    char path[1000];
    struct stat info;
    snprintf(path, sizeof(path), "%.900s/%s", folder, GHOST_FILE);
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && (size_t)info.st_size > sizeof(g_head);
}
