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
    int* channels; // of the world, `world.time` first
} hwSession;

// `solver` and `channels` (separated by commas) override what the scene says; null: they do not. Returns the exit
// status: on failure the complaint is printed and everything freed.
int hwSession_Open(hwSession* session, const char* path, const char* solver, const char* channels);
void hwSession_Close(hwSession* session);

#endif
