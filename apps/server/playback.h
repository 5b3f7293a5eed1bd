// Showing recorded rows against the clock, between rows by interpolation.
#ifndef HW_SERVER_PLAYBACK_H
#define HW_SERVER_PLAYBACK_H

#include "hawser/results.h"

typedef struct hwWebPlayback hwWebPlayback;

typedef void hwWebPlaybackFn(hwWebPlayback* playback, void* context);

typedef struct hwWebPlaybackStatus {
    double time, start, end; // s
    bool paused, ended;
    double speed, measured;
    bool jumped; // since the frame before
} hwWebPlaybackStatus;

// Takes over the results. `onFrame` and `onChange` (pace) are called by the thread that runs it.
hwWebPlayback* hwWebPlayback_Create(hwResults* results, hwWebPlaybackFn* onFrame, hwWebPlaybackFn* onChange,
                                    void* context);
void hwWebPlayback_Free(hwWebPlayback* playback);

// From any thread.
void hwWebPlayback_Pause(hwWebPlayback* playback, bool paused);
void hwWebPlayback_SetSpeed(hwWebPlayback* playback, double speed);
void hwWebPlayback_SetFrameRate(hwWebPlayback* playback, double rate);
void hwWebPlayback_Seek(hwWebPlayback* playback, double time);
// Pauses and goes on by so many seconds.
void hwWebPlayback_Step(hwWebPlayback* playback, double seconds);
// Has a function called between frames; false when too many wait.
bool hwWebPlayback_Call(hwWebPlayback* playback, hwWebPlaybackFn* function, void* context);
void hwWebPlayback_Stop(hwWebPlayback* playback);

// From the thread that runs it.
void hwWebPlayback_Run(hwWebPlayback* playback);
hwWebPlaybackStatus hwWebPlayback_GetStatus(const hwWebPlayback* playback);
hwResults* hwWebPlayback_GetResults(const hwWebPlayback* playback);
// Values of these channels now.
void hwWebPlayback_Read(hwWebPlayback* playback, int count, const int* channels, double* values);
// `points` values of each channel, evenly spaced from `from` to `to`, values[channel * points + point].
void hwWebPlayback_ReadHistory(hwWebPlayback* playback, int count, const int* channels, double from,
                               double to, int points, double* values);

#endif
