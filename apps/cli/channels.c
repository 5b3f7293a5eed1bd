// hawser channels: what a scene can record, and what can be set while it runs.
#include "apps/cli/cli.h"
#include "apps/cli/session.h"
#include "hawser/results.h"

#include <stdlib.h>

enum { OPTION_INPUTS };
static const hwOption g_options[] = {
    {"inputs", 0, NULL, "list the inputs that events, connectors and programs can set instead"},
    HW_SET_OPTION,
    {0}};

static bool IsAskedFor(const hwArguments* arguments, const char* name) {
    for (int i = 1; i < arguments->count; ++i) {
        if (hwName_Matches(arguments->operands[i], name)) return true;
    }
    return arguments->count == 1;
}

static int ListInputs(const hwArguments* arguments, const hwWorld* world) {
    hwTable table = {.columns = 3, .right = "llr"};
    hwTable_Add(&table, "input");
    hwTable_Add(&table, "unit");
    hwTable_Add(&table, "at the start");
    bool any = false;
    for (int i = 0; i < hwWorld_GetInputCount(world); ++i) {
        hwChannelInfo input = hwWorld_GetInput(world, i);
        if (!IsAskedFor(arguments, input.name)) continue;
        any = true;
        hwTable_Add(&table, "%s", input.name);
        hwTable_Add(&table, "%s", input.unit);
        hwTable_Add(&table, "%.6g", hwWorld_ReadInput(world, i));
    }
    if (any) hwTable_Print(&table, stdout);
    hwTable_Free(&table);
    if (any) return EXIT_GOOD;
    hwCli_Complain("Without a pattern all are listed.", "No input fits.");
    return EXIT_USAGE;
}

// Those that fit the patterns; all without one.
static int RunChannels(const hwArguments* arguments) {
    hwSession session;
    int status = hwSession_Open(&session, &(hwSessionDef){.path = arguments->operands[0],
                                                          .channels = "*",
                                                          .setCount = arguments->setCount,
                                                          .sets = arguments->sets});
    if (status != EXIT_GOOD) return status;
    if (arguments->values[OPTION_INPUTS] != NULL) {
        status = ListInputs(arguments, session.world);
        hwSession_Close(&session);
        return status;
    }
    hwError error;
    if (arguments->count > 1 &&
        hwWorld_SelectChannels(session.world, arguments->count - 1, arguments->operands + 1, session.channels,
                               &session.channelCount, &error) != HW_OK) {
        status = hwCli_PrintError(NULL, &error);
    }
    if (status == EXIT_GOOD && arguments->count > 1)
        hwWorld_FindRooms(session.world, arguments->count - 1, arguments->operands + 1, session.channelCount,
                          session.channels, session.rooms);
    hwTable table = {.columns = 3, .right = "llr"};
    hwTable_Add(&table, "channel");
    hwTable_Add(&table, "unit");
    hwTable_Add(&table, "at the start");
    int left = 0;
    for (int i = 0; i < session.channelCount && status == EXIT_GOOD; ++i) {
        if (session.rooms[i] > 0) {
            left += 1;
            continue;
        }
        hwChannelInfo channel = hwWorld_GetChannel(session.world, session.channels[i]);
        hwTable_Add(&table, "%s", channel.name);
        hwTable_Add(&table, "%s", channel.unit);
        hwTable_Add(&table, "%.6g", hwWorld_ReadChannel(session.world, session.channels[i]));
    }
    if (status == EXIT_GOOD) hwTable_Print(&table, stdout);
    if (left > 0)
        fprintf(stderr,
                "%d more of nodes and elements that contact may add to cables: '*[*' lists them too, and "
                "runs record "
                "them when they come\n",
                left);
    hwTable_Free(&table);
    hwSession_Close(&session);
    return status;
}

const hwCommand hwCommand_Channels = {
    .name = "channels",
    .operands = "SCENE [PATTERN...]",
    .minOperands = 1,
    .maxOperands = 1000,
    .summary = "List what a scene can record, or be given while it runs, with units",
    .details = "PATTERN is a name, * standing for any characters; all are listed without one.\n",
    .options = g_options,
    .run = RunChannels,
};
