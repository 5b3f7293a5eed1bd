#include "apps/cli/session.h"

#include "apps/cli/cli.h"
#include "hawser/results.h"

#include <stdlib.h>
#include <string.h>

static bool SetSolver(hwScene* scene, const char* name) {
    static const char* const names[] = {"realtime", "reference"};
    for (int i = 0; i < 2; ++i) {
        if (strcmp(name, names[i]) != 0) continue;
        hwScene_SetSolver(scene, i == 0 ? HW_SOLVER_REALTIME : HW_SOLVER_REFERENCE);
        return true;
    }
    hwCli_Complain(NULL, "--solver is realtime or reference, not \"%s\".", name);
    return false;
}

// Cuts a copy of the text at its commas; *patterns points into it.
static char* SplitNames(const char* text, const char*** patterns, int* count) {
    char* copy = hwCli_Copy(text);
    *patterns = hwCli_Allocate(NULL, (strlen(text) / 2 + 2) * sizeof(char*));
    *count = 0;
    for (char* name = strtok(copy, ", "); name; name = strtok(NULL, ", ")) (*patterns)[(*count)++] = name;
    return copy;
}

static int SelectChannels(hwSession* session, const char* text) {
    session->channels = hwCli_Allocate(NULL, (size_t)hwWorld_GetChannelCount(session->world) * sizeof(int));
    const char** patterns = NULL;
    int count = 0;
    char* copy = text ? SplitNames(text, &patterns, &count) : NULL;
    hwError error;
    int asked = text ? count : session->info->recordCount;
    const char* const* names = text ? patterns : session->info->record;
    hwStatus status = hwWorld_SelectChannels(session->world, asked, names, session->channels,
                                             &session->channelCount, &error);
    session->rooms =
        hwCli_Allocate(NULL, (size_t)(hwWorld_GetChannelCount(session->world) + 1) * sizeof(int));
    if (status == HW_OK)
        hwWorld_FindRooms(session->world, asked, names, session->channelCount, session->channels,
                          session->rooms);
    free(patterns);
    free(copy);
    for (int i = 0; status == HW_OK && i < session->info->limitCount; ++i) {
        int channel = hwWorld_FindChannel(session->world, session->info->limits[i].of);
        bool there = false;
        for (int k = 0; k < session->channelCount && !there; ++k) there = session->channels[k] == channel;
        if (there) continue;
        session->rooms[session->channelCount] = 0;
        session->channels[session->channelCount++] = channel;
    }
    if (status == HW_OK) return EXIT_GOOD;
    return hwCli_PrintError(text ? NULL : session->path, &error);
}

int hwSession_Open(hwSession* session, const hwSessionDef* def) {
    const char* path = def->path;
    *session = (hwSession){.path = path};
    hwError error;
    int status = EXIT_GOOD;
    session->scene = hwLoadSceneWith(path, def->setCount, def->sets, &error);
    if (!session->scene) {
        status = hwCli_PrintError(path, &error);
    } else if (def->solver && !SetSolver(session->scene, def->solver)) {
        status = EXIT_USAGE;
    } else {
        session->info = hwScene_GetInfo(session->scene);
        for (int i = 0; i < session->info->warningCount; ++i) {
            hwCli_PutText(stderr, "%s: warning: %s\n", path, session->info->warnings[i]);
        }
        hwWorldDef base = hwDefaultWorldDef();
        base.log = hwCli_Log;
        base.stop = def->stop ? def->stop : hwCli_IsStopped;
        hwCli_CatchSignals(); // from here on; a scene being read is left at once
        hwCli_KeepNothing(true);
        session->world = hwScene_CreateWorld(session->scene, &base, &error);
        status = session->world ? SelectChannels(session, def->channels) : hwCli_PrintError(path, &error);
        hwCli_KeepNothing(false);
    }
    if (status != EXIT_GOOD) hwSession_Close(session);
    return status;
}

void hwSession_Close(hwSession* session) {
    free(session->channels);
    free(session->rooms);
    hwDestroyWorld(session->world);
    hwDestroyScene(session->scene);
    *session = (hwSession){0};
}
