// hawser check: everything that can be found without running.
#include "apps/cli/cli.h"
#include "apps/cli/session.h"
#include "apps/cli/vehicle_operand.h"
#include "hawser/flight.h"
#include "hawser/results.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { OPTION_SOLVER };

static const hwOption g_options[] = {
    {"solver", 0, "MODE", "realtime or reference instead of what the scene says"},
    HW_SET_OPTION,
    {0},
};

#define TRIAL_SECONDS 0.3 // of processor time: no further row
#define TRIAL_MOST 1.0    // likewise, within a row

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

static void PrintChannels(const hwSession* session) {
    int count = hwWorld_GetChannelCount(session->world), absent = 0, room = 0, later = 0;
    for (int i = 0; i < count; ++i) absent += hwWorld_IsChannelAbsent(session->world, i);
    for (int i = 0; i < count; ++i) room += hwWorld_GetChannelRoom(session->world, i) > 0;
    for (int i = 0; i < session->channelCount; ++i) later += session->rooms[i] > 0;
    printf("  channels  %d, %d of them recorded; \"hawser channels\" lists them\n", count - absent - room,
           session->channelCount - later);
    if (room > 0)
        printf("            %d more of nodes that contact may add to cables, recorded %s\n", room,
               later > 0 ? "when they come" : "where they are asked for by name");
    if (absent > 0)
        printf("            %d more of parts that cables may break into, by name: --channels '*,NAME-2.*'\n",
               absent);
}

// Names of all objects, cut when there are many.
static void PrintObjects(const hwWorld* world) {
    int count = 0, column = 0;
    for (int i = 0; i < hwWorld_GetChannelCount(world); ++i) {
        const char* name = hwWorld_GetChannel(world, i).name;
        int length = FindObject(name);
        if (length == 0 || hwWorld_IsChannelAbsent(world, i)) continue;
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

static void Warn(hwLogLevel level, const char* text, void* context) {
    (void)level;
    hwCli_PutText(stderr, "%s: warning: %s\n", (const char*)context, text);
}

// What a lesson names must be in the flights that it is scored by.
static bool CheckLesson(const hwSession* session, hwError* error) {
    if (hwScene_GetLesson(session->scene) == NULL) return true;
    if (hwScene_CheckFaults(session->scene, session->world, error) != HW_OK) return false;
    int total = hwWorld_GetChannelCount(session->world);
    int* channels = hwCli_Allocate(NULL, (size_t)(total + 1) * sizeof(*channels));
    const char** names = hwCli_Allocate(NULL, (size_t)(total + 1) * sizeof(*names));
    int count = hwSelectFlightChannels(session->world, channels);
    for (int i = 0; i < count; ++i) names[i] = hwWorld_GetChannel(session->world, channels[i]).name;
    hwScorer* scorer = hwScene_CreateScorer(session->scene, count, names, error);
    free(channels);
    free(names);
    hwDestroyScorer(scorer);
    return scorer != NULL;
}

static void PrintLesson(const hwSession* session) {
    const hwLessonInfo* lesson = hwScene_GetLesson(session->scene);
    if (lesson == NULL) return;
    printf("  lesson    %s: %d objectives, par %g s, passed with %g points\n", lesson->title,
           lesson->def.objectiveCount, lesson->def.par, lesson->def.passScore);
}

// When a trial has taken so much processor time, it is stopped in the middle of a row.
static clock_t g_trialEnd; // 0: no trial

static bool IsTrialOver(void* context) {
    return hwCli_IsStopped(context) || (g_trialEnd != 0 && clock() > g_trialEnd);
}

// Steps the world for a moment, and says what the whole run will take. The start from static equilibrium is not part of it.
static void PrintCost(const hwSession* session) {
    hwError error;
    hwWorld* world = session->world;
    double duration = session->info->duration, interval = session->info->interval, simulated = 0;
    double start = hwWorld_GetTime(world);
    clock_t begin = clock();
    double spent = 0;
    hwStatus status = HW_OK;
    g_trialEnd = begin + (clock_t)(TRIAL_MOST * CLOCKS_PER_SEC);
    while (status >= HW_OK && spent < TRIAL_SECONDS && simulated < duration) {
        double step = interval < duration - simulated ? interval : duration - simulated;
        status = hwWorld_Step(world, step, &error);
        simulated = hwWorld_GetTime(world) - start;
        spent = (double)(clock() - begin) / CLOCKS_PER_SEC;
    }
    g_trialEnd = 0;
    if (status < HW_OK && status != HW_ERROR_STOPPED)
        hwCli_PutText(stderr, "%s: warning: a trial of the run fails: %s\n", session->path, error.message);
    if (simulated > 0 && spent > 0) {
        printf("  cost      about %.2g s of CPU, %.2g times real time, by a trial of %.3g s%s\n",
               spent / simulated * duration, simulated / spent, simulated,
               session->info->statics ? ", statics apart" : "");
    }
}

static int RunCheck(const hwArguments* arguments) {
    const char* name = arguments->operands[0];
    if (hwCli_IsBuiltInVehicle(name) || hwCli_IsVehicleFile(name)) return hwCli_CheckVehicle(name);
    hwSession session;
    int status = hwSession_Open(&session, &(hwSessionDef){.path = arguments->operands[0],
                                                          .solver = arguments->values[OPTION_SOLVER],
                                                          .setCount = arguments->setCount,
                                                          .sets = arguments->sets,
                                                          .stop = IsTrialOver});
    if (status != EXIT_GOOD) return status;
    hwError error;
    if (!CheckLesson(&session, &error)) {
        status = hwCli_PrintError(session.path, &error);
        hwSession_Close(&session);
        return status;
    }
    const hwSceneInfo* info = session.info;
    char* text = hwScene_Describe(session.scene, session.world, Warn, (void*)(uintptr_t)session.path);
    printf("%s: good\n", session.path);
    printf("  name      %s\n", info->name);
    printf("  run       %g s from %g s, a row every %g s\n", info->duration, info->start, info->interval);
    printf("  solver    %s%s\n", info->mode == HW_SOLVER_REFERENCE ? "reference" : "realtime",
           info->statics ? ", from static equilibrium" : "");
    if (info->buildUp > 0) printf("            after a build-up of %g s\n", info->buildUp);
    PrintLesson(&session);
    PrintObjects(session.world);
    if (text) fputs(text, stdout);
    free(text);
    PrintChannels(&session);
    printf("  inputs    %d\n", hwWorld_GetInputCount(session.world));
    printf("  state     %zu bytes\n", hwWorld_GetStateSize(session.world));
    PrintCost(&session);
    hwSession_Close(&session);
    return EXIT_GOOD;
}

const hwCommand hwCommand_Check = {
    .name = "check",
    .operands = "SCENE|VEHICLE",
    .minOperands = 1,
    .maxOperands = 1,
    .summary = "Find every mistake in a scene or a vehicle's file, and say what it was understood to be",
    .details =
        "Prints masses, weights in water, periods of loads on cables, time scales, and what the run "
        "will take;\n"
        "warns of values that are allowed but rarely meant. Of a vehicle, a name or a file: weight, trim,\n"
        "thrust, speed, and what its file leaves out with what follows from that.\n",
    .options = g_options,
    .run = RunCheck,
};
