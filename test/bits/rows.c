// Reading results must not change a run: each world runs once without being read, once with samples close together, once with
// samples far apart, once with all of its steps observed too. Steps and states must agree bit by bit, and so must samples
// that two runs have in common.
//     rows [NAME...]    all scenes without a name
#include "scenes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Reading {
    double interval;
    int count, channels;
    uint64_t sum; // of the samples at multiples of 0.5 s
} Reading;

static double Read(const hwWorld* world, void* context) {
    Reading* reading = context;
    double time = reading->interval * reading->count;
    if (fabs(hwWorld_GetTime(world) - time) > 1e-9) exit(3);
    bool common = fabs(time / 0.5 - round(time / 0.5)) < 1e-9;
    for (int i = 0; i < reading->channels; ++i) {
        double value = hwWorld_ReadChannel(world, i);
        uint64_t bits;
        memcpy(&bits, &value, sizeof(bits));
        if (common) reading->sum = (reading->sum ^ bits) * 0x9e3779b97f4a7c15u;
    }
    reading->count += 1;
    return reading->interval * reading->count;
}

static void Observe(const hwWorld* world, void* context) {
    double* sum = context;
    *sum += hwWorld_GetEnergy(world).kinetic;
}

typedef struct Result {
    uint64_t state, samples, steps;
    int count;
} Result;

static Result RunScene(const Scene* scene, double interval, bool observed) {
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    def.statics = scene->statics;
    hwWorld* world = hwCreateWorld(&def, &error);
    if (world == NULL) exit(2);
    scene->make(world);
    Reading reading = {.interval = interval};
    double sum = 0.0, duration = fmin(scene->duration, 3.0);
    hwStatus status = hwWorld_Prepare(world, &error);
    reading.channels = hwWorld_GetChannelCount(world);
    if (observed) hwWorld_SetObserver(world, Observe, &sum);
    // cables that share nothing step apart unless someone watches: then all runs here do, this one without ever reading
    if (!(interval > 0.0) && status == HW_OK)
        status = hwWorld_SetSampler(world, INFINITY, Read, &reading, &error);
    if (interval > 0.0 && status == HW_OK) status = hwWorld_SetSampler(world, 0.0, Read, &reading, &error);
    if (status == HW_OK) status = hwWorld_Step(world, duration, &error);
    if (status != HW_OK) {
        fprintf(stderr, "%s: %s\n", scene->name, error.message);
        exit(2);
    }
    Result result = {hwWorld_HashState(world), reading.sum, hwWorld_GetCounters(world).steps, reading.count};
    hwDestroyWorld(world);
    return result;
}

int main(int argc, char** argv) {
    int wrong = 0;
    for (int i = 0; i < sceneCount; ++i) {
        bool wanted = argc < 2;
        for (int k = 1; k < argc; ++k) wanted = wanted || strcmp(argv[k], scenes[i].name) == 0;
        if (!wanted) continue;
        Result none = RunScene(&scenes[i], 0.0, false), few = RunScene(&scenes[i], 0.5, false),
               many = RunScene(&scenes[i], 0.0125, false), all = RunScene(&scenes[i], 0.1, true);
        bool same = none.state == few.state && none.state == many.state && none.state == all.state &&
                    none.steps == many.steps;
        bool rows = few.samples == many.samples && few.samples == all.samples;
        int expected = (int)floor(fmin(scenes[i].duration, 3.0) / 0.5 + 1e-9) + 1;
        printf("%-24s %6" PRIu64 " steps  state %s  samples %s\n", scenes[i].name, none.steps,
               same ? "same" : "DIFFERS", rows ? "same" : "DIFFER");
        if (!same || !rows || few.count != expected) wrong += 1;
    }
    if (wrong > 0) printf("%d worlds depend on how they are read\n", wrong);
    return wrong > 0;
}
