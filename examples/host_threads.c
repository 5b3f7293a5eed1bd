// A host gives its own threads to a world, times the stages of its steps, and gets the same bits as without.
#include "hawser/hawser.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>

enum { WORKERS = 3 };

// One parallel loop of the world, shared by the host's threads.
typedef struct Loop {
    hwTaskFn* function;
    void* task;
    int count, chunk, next, calls;
    pthread_mutex_t mutex;
} Loop;

static void* TakeChunks(void* argument) {
    Loop* loop = argument;
    for (;;) {
        pthread_mutex_lock(&loop->mutex);
        int first = loop->next;
        loop->next += loop->chunk;
        pthread_mutex_unlock(&loop->mutex);
        if (first >= loop->count) return NULL;
        int last = first + loop->chunk < loop->count ? first + loop->chunk : loop->count;
        loop->function(first, last, loop->task);
    }
}

// A real host would hand the chunks to its scheduler; this one starts threads, which is slow but shows the contract.
static void RunTasks(hwTaskFn* function, int count, int chunk, void* task, void* context) {
    Loop loop = {function, task, count, chunk, 0, 0, PTHREAD_MUTEX_INITIALIZER};
    pthread_t threads[WORKERS];
    *(int*)context += 1;
    for (int i = 0; i < WORKERS; ++i) {
        if (pthread_create(&threads[i], NULL, TakeChunks, &loop) != 0) threads[i] = pthread_self();
    }
    TakeChunks(&loop);
    for (int i = 0; i < WORKERS; ++i) {
        if (!pthread_equal(threads[i], pthread_self())) pthread_join(threads[i], NULL);
    }
}

static double Clock(void* context) {
    (void)context;
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Forty buoys in a seaway.
static hwWorld* MakeSea(hwRunTasksFn* run, void* context) {
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    def.runTasks = run;
    def.tasksContext = context;
    hwWorld* world = hwCreateWorld(&def, &error);
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    sea.jonswap = (hwJonswapDef){.hs = 1.5, .tp = 6.0, .gamma = 3.3, .seed = 4, .components = 60};
    hwWorld_SetEnvironment(world, &sea, &error);
    hwContactDef apart = hwDefaultContactDef();
    apart.off = true;
    hwWorld_SetContact(world, &apart, &error);
    hwShapeDef drum = hwDefaultShapeDef();
    drum.kind = HW_SHAPE_CYLINDER;
    drum.radius = 0.6;
    drum.length = 1.0;
    for (int i = 0; i < 40; ++i) {
        char name[16];
        snprintf(name, sizeof(name), "buoy%d", i);
        hwBodyDef body = hwDefaultBodyDef();
        body.name = name;
        body.mass = 500.0;
        for (int k = 0; k < 3; ++k) body.inertia[k] = 80.0;
        body.com.z = -0.3;
        body.position = hwMakeVec3(5.0 * (i % 8), 5.0 * (i / 8), 0.0);
        body.shapeCount = 1;
        body.shapes = &drum;
        for (int k = 0; k < 3; ++k) {
            body.hydro.addedMass[k][k] = 250.0;
            body.hydro.quadraticDrag[k] = 300.0;
            body.hydro.linearDrag[3 + k] = 200.0;
        }
        hwWorld_AddBody(world, &body, &error);
    }
    return hwWorld_Prepare(world, &error) == HW_OK ? world : NULL;
}

int main(void) {
    hwError error;
    int loops = 0;
    hwWorld *own = MakeSea(NULL, NULL), *host = MakeSea(RunTasks, &loops);
    if (own == NULL || host == NULL) return 1;
    hwWorld_SetClock(own, Clock, NULL);
    for (int i = 0; i < 20; ++i) {
        if (hwWorld_Step(own, 0.05, &error) < HW_OK || hwWorld_Step(host, 0.05, &error) < HW_OK) return 1;
    }
    hwProfile profile = hwWorld_GetProfile(own);
    for (int k = 0; k < HW_STAGE_COUNT; ++k) {
        printf("%-13s %6llu times, %7.2f ms\n", hwStage_GetText((hwStage)k),
               (unsigned long long)profile.calls[k], 1e3 * profile.seconds[k]);
    }
    bool same = hwWorld_HashState(own) == hwWorld_HashState(host);
    printf("%d loops on the host's threads, %s bits\n", loops, same ? "the same" : "other");
    bool timed = profile.steps == 20 && profile.calls[HW_STAGE_EVALUATE] > 20 && profile.step > 0.0 &&
                 hwWorld_GetProfile(host).steps == 0;
    hwDestroyWorld(own);
    hwDestroyWorld(host);
    return same && loops > 0 && timed ? 0 : 1;
}
