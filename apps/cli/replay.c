// hawser replay: a recorded flight again, from its inputs, without a clock.
#define _XOPEN_SOURCE 700
#include "apps/cli/cli.h"
#include "apps/server/server.h"
#include "hawser/flight.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { OPTION_CSV, OPTION_HASH, OPTION_FLIGHTS };

static const hwOption g_options[] = {
    {"csv", 0, "FILE", "write the flight's channels there, - for the standard output"},
    {"hash", 0, NULL, "print nothing but the hash of the last state"},
    {"flights", 0, "DIR", "folder of recordings; default: ~/.local/share/hawser/flights"},
    {0},
};

// A flight by its folder, or by its name in the folder of recordings.
static void FindFlight(const hwArguments* arguments, char* path, size_t size) {
    const char* name = arguments->operands[0];
    struct stat info;
    char folder[700];
    snprintf(path, size, "%s", name);
    if (stat(path, &info) == 0) return;
    if (arguments->values[OPTION_FLIGHTS] != NULL) {
        snprintf(folder, sizeof(folder), "%s", arguments->values[OPTION_FLIGHTS]);
    } else {
        hwWebServer_GetFlightsFolder(folder, sizeof(folder));
    }
    char other[1000];
    snprintf(other, sizeof(other), "%.690s/%.300s", folder, name);
    if (stat(other, &info) == 0) snprintf(path, size, "%s", other);
}

typedef struct Replay {
    hwRecorder* recorder;
    hwError error;
    uint64_t rowSteps;
} Replay;

static bool AfterStep(hwWorld* world, uint64_t step, void* context) {
    Replay* replay = context;
    if (replay->recorder == NULL || step % replay->rowSteps != 0) return true;
    return hwRecorder_AppendWorld(replay->recorder, world, &replay->error) == HW_OK;
}

static hwRecorder* OpenCsv(const char* path, const hwWorld* world, hwError* error) {
    int total = hwWorld_GetChannelCount(world);
    int* chosen = hwCli_Allocate(NULL, (size_t)(total + 1) * sizeof(*chosen));
    hwChannelInfo* channels = hwCli_Allocate(NULL, (size_t)(total + 1) * sizeof(*channels));
    hwRecorderDef def = hwDefaultRecorderDef();
    def.path = path;
    def.format = HW_RESULTS_CSV;
    def.channelCount = hwSelectFlightChannels(world, chosen);
    for (int i = 0; i < def.channelCount; ++i) channels[i] = hwWorld_GetChannel(world, chosen[i]);
    def.channels = channels;
    hwRecorder* recorder = hwCreateRecorder(&def, error);
    free(chosen);
    free(channels);
    if (recorder != NULL && hwRecorder_AppendWorld(recorder, world, error) == HW_OK) return recorder;
    hwDestroyRecorder(recorder);
    return NULL;
}

static int Tell(const hwArguments* arguments, const hwFlightInfo* info, uint64_t hash) {
    bool same = info->hashed && info->hash == hash;
    if (arguments->values[OPTION_HASH] != NULL) {
        printf("0x%016llx\n", (unsigned long long)hash);
    } else if (arguments->values[OPTION_CSV] == NULL || strcmp(arguments->values[OPTION_CSV], "-") != 0) {
        hwCli_PutText(stdout, "%s: %s\n", info->id, info->title);
        hwCli_PutText(stdout, "  flown     %s, %s, %s\n", info->started, info->vehicle, info->surroundings);
        printf("  duration  %.2f s, %llu steps\n", info->duration, (unsigned long long)info->steps);
        printf("  hash      0x%016llx, %s\n", (unsigned long long)hash,
               !info->hashed ? "none was recorded" : (same ? "as recorded" : "NOT as recorded"));
    }
    if (!info->hashed || same) return EXIT_GOOD;
    hwCli_Complain(
        "Another version of the program, another machine or another compiler may round differently.",
        "The flight ended with the hash 0x%016llx.", (unsigned long long)info->hash);
    return EXIT_FAILED;
}

static int Run(const hwArguments* arguments) {
    char path[1100];
    hwError error;
    FindFlight(arguments, path, sizeof(path));
    hwFlight* flight = hwLoadFlight(path, &error);
    if (flight == NULL) return hwCli_PrintError(NULL, &error);
    const hwFlightInfo* info = hwFlight_GetInfo(flight);
    hwWorld* world = hwFlight_CreateWorld(flight, &error);
    size_t count = 0;
    hwInputEvent* log =
        world != NULL ? hwFlight_ResolveLog(flight, world, info->steps, &count, &error) : NULL;
    Replay replay = {.rowSteps =
                         info->step > 0.0 && info->step < 0.1 ? (uint64_t)(0.1 / info->step + 0.5) : 1};
    const char* csv = arguments->values[OPTION_CSV];
    bool good = log != NULL;
    if (good && csv != NULL) {
        replay.recorder = OpenCsv(csv, world, &error);
        good = replay.recorder != NULL;
    }
    if (good) {
        good =
            hwReplayInputs(world, info->step, info->steps, count, log, AfterStep, &replay, &error) == HW_OK;
        if (replay.error.status != HW_OK) error = replay.error;
    }
    if (good && replay.recorder != NULL) good = hwRecorder_Finish(replay.recorder, NULL, &error) == HW_OK;
    int status = good ? Tell(arguments, info, hwHashFlight(world)) : hwCli_PrintError(path, &error);
    hwDestroyRecorder(replay.recorder);
    free(log);
    hwDestroyWorld(world);
    hwDestroyFlight(flight);
    return status;
}

const hwCommand hwCommand_Replay = {
    .name = "replay",
    .operands = "FLIGHT",
    .minOperands = 1,
    .maxOperands = 1,
    .summary = "rerun a recorded flight from its inputs",
    .details = "FLIGHT is a flight's folder or its name. The state at the end has the hash that was "
               "recorded, bit by bit, or the\n"
               "exit status is 1.",
    .options = g_options,
    .run = Run,
};
