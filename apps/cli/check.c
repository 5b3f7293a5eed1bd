// hawser check: everything that can be found without running.
#include "apps/cli/cli.h"
#include "apps/cli/session.h"
#include "hawser/results.h"

#include <string.h>

static const hwOption g_options[] = {
    {"solver", 0, "MODE", "realtime or reference instead of what the scene says"},
    {0},
};

// Length of the name of the object whose telling channel this is, else 0: bodies and links have a position, cables a
// length, winches a rate.
static int FindObject(const char* name) {
    static const char* const tails[] = {".position.x", ".length", ".rate"};
    for (int i = 0; i < 3; ++i) {
        size_t whole = strlen(name), tail = strlen(tails[i]);
        bool ends = whole > tail && strcmp(name + whole - tail, tails[i]) == 0;
        if (ends && strchr(name, '[') == NULL) return (int)(whole - tail);
    }
    return 0;
}

// Names of all objects, cut when there are many.
static void PrintObjects(const hwWorld* world) {
    int count = 0, column = 0;
    for (int i = 0; i < hwWorld_GetChannelCount(world); ++i) {
        const char* name = hwWorld_GetChannel(world, i).name;
        int length = FindObject(name);
        if (length == 0) continue;
        ++count;
        if (count > 40) continue;
        if (column > 0 && column + length > 80) column = 0;
        if (column == 0) {
            printf(count == 1 ? "  objects   " : ",\n            ");
        } else {
            printf(", ");
        }
        printf("%.*s", length, name);
        column += length + 2;
    }
    if (count > 40) printf(", and %d more", count - 40);
    if (count > 0) printf("\n");
}

static int RunCheck(const hwArguments* arguments) {
    hwSession session;
    int status = hwSession_Open(&session, arguments->operands[0], arguments->values[0], NULL);
    if (status != EXIT_GOOD) return status;
    const hwSceneInfo* info = session.info;
    printf("%s: good\n", session.path);
    printf("  name      %s\n", info->name);
    printf("  run       %g s from %g s, a row every %g s\n", info->duration, info->start, info->interval);
    printf("  solver    %s%s\n", info->mode == HW_SOLVER_REFERENCE ? "reference" : "realtime",
           info->statics ? ", from static equilibrium" : "");
    PrintObjects(session.world);
    printf("  channels  %d, %d of them recorded\n", hwWorld_GetChannelCount(session.world),
           session.channelCount);
    printf("  inputs    %d\n", hwWorld_GetInputCount(session.world));
    printf("  state     %zu bytes\n", hwWorld_GetStateSize(session.world));
    hwSession_Close(&session);
    return EXIT_GOOD;
}

const hwCommand hwCommand_Check = {
    .name = "check",
    .operands = "SCENE",
    .minOperands = 1,
    .maxOperands = 1,
    .summary = "Find every mistake in a scene without running it",
    .options = g_options,
    .run = RunCheck,
};
