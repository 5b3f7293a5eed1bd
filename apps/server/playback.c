#define _POSIX_C_SOURCE 200809L
#include "apps/server/playback.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_CALLS 64
#define PAUSED_RATE 5.0
#define TWO_PI 6.28318530717958647692

// How a channel goes on between two rows.
typedef enum Between { BETWEEN_LINE, BETWEEN_ANGLE, BETWEEN_STEP } Between;

typedef struct Call {
    hwWebPlaybackFn* function;
    void* context;
} Call;

struct hwWebPlayback {
    hwResults* results;
    hwWebPlaybackFn *onFrame, *onChange;
    void* context;
    int columns;
    int64_t rows;
    double* times; // [row]
    Between* between;
    int64_t cached[2]; // rows held in `row`
    double* row[2];
    double time;
    bool jumped, ended;
    double anchorClock, anchorTime, nextFrame;
    double measureClock, measureTime, measured;
    // shared
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    bool paused, stopped, seeks, changed;
    double speed, rate, target;
    int callFirst, callCount;
    Call calls[MOST_CALLS];
};

static double Clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool EndsWith(const char* text, const char* end) {
    size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
}

static Between ChooseBetween(const char* name) {
    static const char* const angles[] = {".roll", ".pitch", ".yaw", ".heading"};
    static const char* const steps[] = {".mode",    ".armed", ".failed", ".saturated",
                                        ".contact", ".count", ".held"};
    for (size_t i = 0; i < sizeof(angles) / sizeof(angles[0]); ++i) {
        if (EndsWith(name, angles[i]) && strstr(name, ".axis.") == NULL) return BETWEEN_ANGLE;
    }
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); ++i) {
        if (EndsWith(name, steps[i])) return BETWEEN_STEP;
    }
    return BETWEEN_LINE;
}

static bool ReadTimes(hwWebPlayback* playback) {
    enum { BLOCK = 64 };
    double* block = calloc((size_t)playback->columns * BLOCK, sizeof(*block));
    bool good = block != NULL;
    for (int64_t first = 0; good && first < playback->rows; first += BLOCK) {
        int64_t count = playback->rows - first < BLOCK ? playback->rows - first : BLOCK;
        good = hwResults_ReadRows(playback->results, first, count, block, NULL) == HW_OK;
        for (int64_t i = 0; good && i < count; ++i) playback->times[first + i] = block[i * playback->columns];
    }
    free(block);
    return good;
}

hwWebPlayback* hwWebPlayback_Create(hwResults* results, hwWebPlaybackFn* onFrame, hwWebPlaybackFn* onChange,
                                    void* context) {
    hwWebPlayback* playback = calloc(1, sizeof(*playback));
    if (playback == NULL) return NULL;
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&playback->mutex, NULL);
    pthread_cond_init(&playback->wake, &attributes);
    pthread_condattr_destroy(&attributes);
    playback->results = results;
    playback->onFrame = onFrame;
    playback->onChange = onChange;
    playback->context = context;
    playback->columns = hwResults_GetChannelCount(results);
    playback->rows = hwResults_GetRowCount(results);
    playback->paused = true;
    playback->speed = 1.0;
    playback->rate = 30.0;
    playback->jumped = true;
    playback->cached[0] = playback->cached[1] = -1;
    playback->times = calloc((size_t)playback->rows + 1, sizeof(double));
    playback->between = calloc((size_t)playback->columns + 1, sizeof(Between));
    for (int i = 0; i < 2; ++i) playback->row[i] = calloc((size_t)playback->columns + 1, sizeof(double));
    bool good = playback->times != NULL && playback->between != NULL && playback->row[0] != NULL &&
                playback->row[1] != NULL && playback->rows > 0 && ReadTimes(playback);
    if (!good) {
        playback->results = NULL; // stays the caller's
        hwWebPlayback_Free(playback);
        return NULL;
    }
    for (int i = 0; i < playback->columns; ++i) {
        playback->between[i] = ChooseBetween(hwResults_GetChannel(results, i).name);
    }
    playback->time = playback->anchorTime = playback->times[0];
    playback->anchorClock = playback->nextFrame = playback->measureClock = Clock();
    playback->measureTime = playback->time;
    return playback;
}

void hwWebPlayback_Free(hwWebPlayback* playback) {
    if (playback == NULL) return;
    hwCloseResults(playback->results);
    free(playback->times);
    free(playback->between);
    free(playback->row[0]);
    free(playback->row[1]);
    pthread_cond_destroy(&playback->wake);
    pthread_mutex_destroy(&playback->mutex);
    free(playback);
}

// From any thread ------------------------------------------------------------------------------------------------------

static void Lock(hwWebPlayback* playback) {
    pthread_mutex_lock(&playback->mutex);
}

static void Release(hwWebPlayback* playback) {
    pthread_cond_signal(&playback->wake);
    pthread_mutex_unlock(&playback->mutex);
}

void hwWebPlayback_Pause(hwWebPlayback* playback, bool paused) {
    Lock(playback);
    playback->paused = paused;
    playback->changed = true;
    Release(playback);
}

void hwWebPlayback_SetSpeed(hwWebPlayback* playback, double speed) {
    Lock(playback);
    playback->speed = fmin(8.0, fmax(0.25, speed));
    playback->changed = true;
    Release(playback);
}

void hwWebPlayback_SetFrameRate(hwWebPlayback* playback, double rate) {
    Lock(playback);
    playback->rate = rate;
    Release(playback);
}

void hwWebPlayback_Seek(hwWebPlayback* playback, double time) {
    Lock(playback);
    playback->target = time;
    playback->seeks = true;
    Release(playback);
}

static void StepOn(hwWebPlayback* playback, void* context) {
    double* seconds = context;
    Lock(playback);
    playback->paused = true;
    playback->changed = true;
    playback->target = playback->time + *seconds;
    playback->seeks = true;
    Release(playback);
    free(seconds);
}

void hwWebPlayback_Step(hwWebPlayback* playback, double seconds) {
    double* copy = malloc(sizeof(*copy));
    if (copy == NULL) return;
    *copy = seconds;
    if (!hwWebPlayback_Call(playback, StepOn, copy)) free(copy);
}

bool hwWebPlayback_Call(hwWebPlayback* playback, hwWebPlaybackFn* function, void* context) {
    Lock(playback);
    bool fits = playback->callCount < MOST_CALLS;
    if (fits) {
        int at = (playback->callFirst + playback->callCount++) % MOST_CALLS;
        playback->calls[at] = (Call){function, context};
    }
    Release(playback);
    return fits;
}

void hwWebPlayback_Stop(hwWebPlayback* playback) {
    Lock(playback);
    playback->stopped = true;
    Release(playback);
}

// Reading --------------------------------------------------------------------------------------------------------------

// The last row not after `time`.
static int64_t FindRow(const hwWebPlayback* playback, double time) {
    int64_t low = 0, high = playback->rows - 1;
    while (low < high) {
        int64_t middle = (low + high + 1) / 2;
        if (playback->times[middle] <= time) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

static void LoadRow(hwWebPlayback* playback, int slot, int64_t row) {
    if (playback->cached[slot] == row) return;
    playback->cached[slot] = row;
    if (hwResults_ReadRows(playback->results, row, 1, playback->row[slot], NULL) == HW_OK) return;
    for (int i = 0; i < playback->columns; ++i) playback->row[slot][i] = (double)NAN;
}

// Puts two rows into the two slots; going on, the second becomes the first.
static void LoadRows(hwWebPlayback* playback, int64_t first, int64_t second) {
    if (playback->cached[1] == first) {
        double* swap = playback->row[0];
        playback->row[0] = playback->row[1];
        playback->row[1] = swap;
        playback->cached[1] = playback->cached[0];
        playback->cached[0] = first;
    }
    LoadRow(playback, 0, first);
    LoadRow(playback, 1, second);
}

static double Blend(Between between, double a, double b, double share) {
    if (between == BETWEEN_STEP || share <= 0.0) return a;
    if (isnan(a) || isnan(b)) return share < 1.0 ? a : b;
    if (between == BETWEEN_ANGLE) return a + share * remainder(b - a, TWO_PI);
    return a + share * (b - a);
}

static void ReadAt(hwWebPlayback* playback, double time, int count, const int* channels, double* values) {
    int64_t first = FindRow(playback, time), second = first + 1 < playback->rows ? first + 1 : first;
    LoadRows(playback, first, second);
    const double *a = playback->row[0], *b = playback->row[1];
    double gap = playback->times[second] - playback->times[first];
    double share = gap > 0.0 ? fmin(1.0, fmax(0.0, (time - playback->times[first]) / gap)) : 0.0;
    for (int i = 0; i < count; ++i) {
        int channel = channels[i];
        bool known = channel >= 0 && channel < playback->columns;
        values[i] = known ? Blend(playback->between[channel], a[channel], b[channel], share) : (double)NAN;
        if (known && channel == 0) values[i] = time;
    }
}

void hwWebPlayback_Read(hwWebPlayback* playback, int count, const int* channels, double* values) {
    ReadAt(playback, playback->time, count, channels, values);
}

void hwWebPlayback_ReadHistory(hwWebPlayback* playback, int count, const int* channels, double from,
                               double to, int points, double* values) {
    double out[64];
    from = fmax(from, playback->times[0]);
    to = fmin(to, playback->times[playback->rows - 1]);
    for (int p = 0; p < points; ++p) {
        double time = points > 1 ? from + (to - from) * p / (points - 1) : from;
        ReadAt(playback, time, count < 64 ? count : 64, channels, out);
        for (int i = 0; i < count && i < 64; ++i) values[i * points + p] = out[i];
    }
}

hwWebPlaybackStatus hwWebPlayback_GetStatus(const hwWebPlayback* playback) {
    hwWebPlaybackStatus status = {.time = playback->time,
                                  .start = playback->times[0],
                                  .end = playback->times[playback->rows - 1],
                                  .paused = playback->paused,
                                  .ended = playback->ended,
                                  .speed = playback->speed,
                                  .measured = playback->measured,
                                  .jumped = playback->jumped};
    return status;
}

hwResults* hwWebPlayback_GetResults(const hwWebPlayback* playback) {
    return playback->results;
}

// The loop -------------------------------------------------------------------------------------------------------------

static bool TakeCall(hwWebPlayback* playback, Call* call) {
    Lock(playback);
    bool any = playback->callCount > 0;
    if (any) {
        *call = playback->calls[playback->callFirst];
        playback->callFirst = (playback->callFirst + 1) % MOST_CALLS;
        playback->callCount -= 1;
    }
    pthread_mutex_unlock(&playback->mutex);
    return any;
}

// Where time is by the clock; stops at the end.
static void Advance(hwWebPlayback* playback) {
    double now = Clock(), end = playback->times[playback->rows - 1];
    bool changed = false;
    Lock(playback);
    if (playback->seeks) {
        playback->seeks = false;
        playback->time = fmin(end, fmax(playback->times[0], playback->target));
        playback->anchorTime = playback->measureTime = playback->time;
        playback->anchorClock = playback->measureClock = now;
        playback->jumped = true;
        playback->nextFrame = now;
    }
    if (playback->changed) {
        // at the end, playing means from the beginning
        if (!playback->paused && playback->time >= end)
            playback->time = playback->times[0], playback->jumped = true;
        playback->changed = false;
        playback->anchorTime = playback->measureTime = playback->time;
        playback->anchorClock = playback->measureClock = playback->nextFrame = now;
        changed = true;
    }
    if (!playback->paused) {
        playback->time = playback->anchorTime + playback->speed * (now - playback->anchorClock);
        if (playback->time >= end) {
            playback->time = end;
            playback->paused = true;
            playback->anchorTime = end;
            changed = true;
        }
    }
    playback->ended = playback->time >= end;
    pthread_mutex_unlock(&playback->mutex);
    if (now - playback->measureClock >= 1.0) {
        playback->measured = (playback->time - playback->measureTime) / (now - playback->measureClock);
        playback->measureClock = now;
        playback->measureTime = playback->time;
    }
    if (changed && playback->onChange != NULL) playback->onChange(playback, playback->context);
}

void hwWebPlayback_Run(hwWebPlayback* playback) {
    for (;;) {
        Call call;
        while (TakeCall(playback, &call)) call.function(playback, call.context);
        Advance(playback);
        double now = Clock();
        if (now >= playback->nextFrame) {
            double rate =
                playback->paused && !playback->jumped ? fmin(playback->rate, PAUSED_RATE) : playback->rate;
            playback->nextFrame = fmax(playback->nextFrame + 1.0 / rate, now);
            playback->onFrame(playback, playback->context);
            playback->jumped = false;
        }
        Lock(playback);
        bool ready = playback->callCount > 0 || playback->seeks || playback->changed || playback->stopped;
        double wait = playback->nextFrame - Clock();
        if (!ready && wait > 0.0) {
            struct timespec until;
            clock_gettime(CLOCK_MONOTONIC, &until);
            double end = (double)until.tv_nsec + 1e9 * fmin(wait, 1.0);
            until.tv_sec += (time_t)(end / 1e9);
            until.tv_nsec = (long)fmod(end, 1e9);
            pthread_cond_timedwait(&playback->wake, &playback->mutex, &until);
        }
        bool stopped = playback->stopped;
        pthread_mutex_unlock(&playback->mutex);
        if (stopped) return;
    }
}
