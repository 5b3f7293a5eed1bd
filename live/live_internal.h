// The inside of a live world: commands that wait, the log of inputs, states to go back to.
#ifndef HW_LIVE_LIVE_INTERNAL_H
#define HW_LIVE_LIVE_INTERNAL_H

#include "hawser/live.h"

#include <pthread.h>

typedef enum CommandKind {
    COMMAND_INPUT,
    COMMAND_PAUSE,
    COMMAND_SPEED,
    COMMAND_RATE,
    COMMAND_STEPS,
    COMMAND_REWIND,
    COMMAND_CALL
} CommandKind;

typedef struct Command {
    CommandKind kind;
    int input;
    double value;
    double when; // clock, COMMAND_INPUT
    hwLiveFn* function;
    void* context;
} Command;

typedef struct CommandQueue {
    int capacity, first, count;
    Command* items;
} CommandQueue;

// A state before step number `step`, in which the first `logCount` entries of the log have been carried out.
typedef struct Snapshot {
    uint64_t step;
    size_t logCount;
    void* state;
} Snapshot;

// A ring, oldest first.
typedef struct SnapshotList {
    int capacity, first, count;
    Snapshot* items;
} SnapshotList;

struct hwLive {
    hwLiveDef def;
    hwWorld* world;
    double startTime; // s, simulated, before the first step
    uint64_t steps;
    bool paused, failed, slow, jumped, stepped;
    bool fresh; // steps were taken since it was last asked whether a frame is due
    double speed, frameRate;
    uint64_t stepsWanted; // while paused
    double anchorClock;   // step number anchorSteps began at this clock time
    uint64_t anchorSteps;
    double nextFrame; // clock
    double measureClock, measured, lateClock;
    uint64_t measureSteps;
    hwError error;
    size_t logCount, logCapacity;
    hwInputEvent* log;
    size_t stateSize;
    SnapshotList snapshotList;
    // shared with other threads
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    CommandQueue queue;
    bool stopped;
};

hwStatus hwLiveFail(hwError* error, hwStatus status, const char* text);

// history.c
bool hwLive_StartHistory(hwLive* live);
void hwLive_FreeHistory(hwLive* live);
// False: out of memory.
bool hwLive_Log(hwLive* live, const hwInputEvent* event);
// Keeps the state when one is due; after a step, before inputs for the next.
void hwLive_KeepState(hwLive* live);
// Rewinds to the beginning of the step that `time` falls into, pauses, and tells.
void hwLive_GoBack(hwLive* live, double time);
// The state before step number `step`, by the last state kept before it and the log; later log entries are dropped.
bool hwLive_ReturnTo(hwLive* live, uint64_t step);
double hwLive_GetEarliest(const hwLive* live);

#endif
