// A scene made into a world, with the channels to record: what `run` and `check` begin with.
#ifndef HW_CLI_SESSION_H
#define HW_CLI_SESSION_H

#include "hawser/scene.h"

typedef struct hwSession {
    const char* path;
    hwScene* scene;
    const hwSceneInfo* info;
    hwWorld* world;
    int channelCount;
    int* channels; // of the world, `world.time` first, and those of the limits
    int* rooms;    // [channel] see hwRecorderDef.rooms
} hwSession;

// What the arguments of a command say over what the scene does; all zero: nothing.
typedef struct hwSessionDef {
    const char* path;
    const char* solver;      // null: as the scene says
    const char* channels;    // names separated by commas; null: as the scene says
    int setCount;            // values of --set
    const char* const* sets; // each path=value
    hwStopFn* stop;          // of the world; null: signals alone
} hwSessionDef;

// Returns the exit status: on failure the complaint is printed and everything freed.
int hwSession_Open(hwSession* session, const hwSessionDef* def);
void hwSession_Close(hwSession* session);

#endif
