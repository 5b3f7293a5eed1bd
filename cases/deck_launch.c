// A whole launch and recovery: scenes/launch_and_recovery.yaml, made into an array by the build. Its ship answers the waves by
// a table in another file; here it rolls and heaves by itself.
#include "cases/harness.h"
#include "hawser/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct File {
    const char* name;
    const unsigned char* bytes;
    size_t size;
} File;
extern const File hwCaseScenes[];

#define TABLE "rao: supply_vessel_rao.csv"
#define MOTION                                                                                               \
    "position: {sine: {amplitude: [0, 0.2, 0.4], period: 8}}, "                                              \
    "attitude: {rpy_deg: {sine: {amplitude: [2.5, 0.6, 0], period: 9}}}"

// The scene's text with the ship's table replaced; null when it has none or memory is short.
static char* WriteScene(const File* file) {
    const char* text = (const char*)file->bytes;
    const char* table = strstr(text, TABLE);
    char* scene = table != NULL ? malloc(file->size + sizeof(MOTION)) : NULL;
    if (scene == NULL) return NULL;
    size_t before = (size_t)(table - text);
    memcpy(scene, text, before);
    strcpy(scene + before, MOTION);
    strcat(scene, table + strlen(TABLE));
    return scene;
}

static double GetMoved(hwEnergy now, hwEnergy then) {
    return fabs(now.kinetic - then.kinetic) + fabs(now.potential - then.potential) +
           fabs(now.elastic - then.elastic) + fabs(now.dissipated - then.dissipated) +
           fabs(now.work - then.work);
}

static double GetBalance(hwEnergy e) {
    return e.kinetic + e.potential + e.elastic + e.dissipated - e.work;
}

static void RunLaunch(hwCaseContext* context) {
    hwCaseRun run = {.context = context};
    char* text = WriteScene(&hwCaseScenes[0]);
    hwScene* scene =
        text != NULL ? hwParseScene(text, strlen(text), "launch_and_recovery", NULL, &run.error) : NULL;
    free(text);
    if (scene != NULL) run.world = hwScene_CreateWorld(scene, NULL, &run.error);
    run.failed = run.world == NULL;
    if (!run.failed) {
        hwEnergy start = hwWorld_GetEnergy(run.world);
        double highest = hwCaseRun_Read(&run, "boat.position.z"), lowest = highest;
        for (int i = 0; i < (int)hwScene_GetInfo(scene)->duration && !run.failed; ++i) {
            hwCaseRun_Advance(&run, 1.0);
            lowest = fmin(lowest, hwCaseRun_Read(&run, "boat.position.z"));
        }
        hwEnergy end = hwWorld_GetEnergy(run.world);
        double off = (GetBalance(end) - GetBalance(start)) / GetMoved(end, start);
        double back = lowest < 0.5 && hwCaseRun_Read(&run, "boat.contact.force.z") > 0.0 &&
                      hwCaseRun_Read(&run, "boat.position.z") > highest - 1.0;
        if (!run.failed) {
            hwCase_Compare(context, "energy out of balance, of what changed hands", 0.0, HW_NO_SEED, off, off,
                           5e-3, 5e-3, "200 s in frames");
            hwCase_Compare(context, "the boat was afloat and stands on deck again, 1: yes", 1.0, HW_NO_SEED,
                           back, back, 1e-9, 1e-9, "or the audit would be of something else");
        }
    }
    hwDestroyScene(scene);
    hwCaseRun_End(&run);
}

const hwCase hwDeckLaunchCases[] = {
    {"deck-launch", "own",
     "A rescue boat launched from a rolling ship into waves, let go, caught and recovered.", RunLaunch},
    {0},
};
