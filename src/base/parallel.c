#include "base/parallel.h"

#include "base/memory.h"

#include <stdatomic.h>

#if defined(HAWSER_NO_THREADS)

// Only for a host's loop.
struct hwTeam {
    hwAllocator allocator;
    hwHostLoopFn* host;
    void* hostContext;
};

static hwStatus StartThreads(hwTeam* team, int threads) {
    (void)team;
    (void)threads;
    return HW_OK;
}

static void StopThreads(hwTeam* team) {
    (void)team;
}

static void RunLoop(hwTeam* team, int count, int chunk, hwLoopFn* function, void* context) {
    (void)team;
    (void)chunk;
    function(0, count, context);
}

#else

#include <pthread.h>

#define HW_MAX_THREADS 64

struct hwTeam {
    hwAllocator allocator;
    hwHostLoopFn* host; // null: own threads
    void* hostContext;
    int workers; // besides the caller
    pthread_t threads[HW_MAX_THREADS];
    pthread_mutex_t mutex;
    pthread_cond_t start, done;
    uint64_t round; // guarded by mutex: a new value is the order to start
    int busy;       // guarded by mutex: workers that have not finished the round
    bool quit;      // guarded by mutex
    hwLoopFn* function;
    void* context;
    int count, chunk;
    atomic_int next; // first item not yet taken
};

static void TakeChunks(hwTeam* team) {
    for (;;) {
        int first = atomic_fetch_add_explicit(&team->next, team->chunk, memory_order_relaxed);
        if (first >= team->count) return;
        int last = first + team->chunk < team->count ? first + team->chunk : team->count;
        team->function(first, last, team->context);
    }
}

static void* Work(void* argument) {
    hwTeam* team = argument;
    uint64_t seen = 0;
    for (;;) {
        pthread_mutex_lock(&team->mutex);
        while (team->round == seen && !team->quit) pthread_cond_wait(&team->start, &team->mutex);
        seen = team->round;
        bool quit = team->quit;
        pthread_mutex_unlock(&team->mutex);
        if (quit) return NULL;
        TakeChunks(team);
        pthread_mutex_lock(&team->mutex);
        team->busy -= 1;
        if (team->busy == 0) pthread_cond_signal(&team->done);
        pthread_mutex_unlock(&team->mutex);
    }
}

static hwStatus StartThreads(hwTeam* team, int threads) {
    if (threads > HW_MAX_THREADS) threads = HW_MAX_THREADS;
    pthread_mutex_init(&team->mutex, NULL);
    pthread_cond_init(&team->start, NULL);
    pthread_cond_init(&team->done, NULL);
    for (int i = 0; i + 1 < threads; ++i) {
        // Fewer threads than asked for change the speed only, never the result.
        if (pthread_create(&team->threads[i], NULL, Work, team) != 0) break;
        team->workers += 1;
    }
    return HW_OK;
}

static void StopThreads(hwTeam* team) {
    pthread_mutex_lock(&team->mutex);
    team->quit = true;
    pthread_cond_broadcast(&team->start);
    pthread_mutex_unlock(&team->mutex);
    for (int i = 0; i < team->workers; ++i) pthread_join(team->threads[i], NULL);
    pthread_cond_destroy(&team->done);
    pthread_cond_destroy(&team->start);
    pthread_mutex_destroy(&team->mutex);
}

static void RunLoop(hwTeam* team, int count, int chunk, hwLoopFn* function, void* context) {
    if (team->workers == 0) {
        function(0, count, context);
        return;
    }
    pthread_mutex_lock(&team->mutex);
    team->function = function;
    team->context = context;
    team->count = count;
    team->chunk = chunk;
    atomic_store_explicit(&team->next, 0, memory_order_relaxed);
    team->busy = team->workers;
    team->round += 1;
    pthread_cond_broadcast(&team->start);
    pthread_mutex_unlock(&team->mutex);
    TakeChunks(team);
    pthread_mutex_lock(&team->mutex);
    while (team->busy > 0) pthread_cond_wait(&team->done, &team->mutex);
    pthread_mutex_unlock(&team->mutex);
}

#endif

hwTeam* hwCreateTeam(const hwAllocator* allocator, int threads, hwHostLoopFn* host, void* hostContext,
                     hwStatus* status) {
    *status = HW_OK;
    if (threads <= 1 && host == NULL) return NULL;
    hwTeam* team = hwAllocate(allocator, sizeof(*team));
    if (team == NULL) {
        *status = HW_ERROR_MEMORY;
        return NULL;
    }
    team->allocator = *allocator;
    team->host = host;
    team->hostContext = hostContext;
    if (host == NULL) *status = StartThreads(team, threads);
    return team;
}

void hwDestroyTeam(hwTeam* team) {
    if (team == NULL) return;
    if (team->host == NULL) StopThreads(team);
    hwAllocator allocator = team->allocator;
    hwRelease(&allocator, team);
}

void hwTeam_Loop(hwTeam* team, int count, int chunk, hwLoopFn* function, void* context) {
    if (count <= 0) return;
    if (team == NULL || count <= chunk) {
        function(0, count, context);
    } else if (team->host != NULL) {
        team->host(function, count, chunk, context, team->hostContext);
    } else {
        RunLoop(team, count, chunk, function, context);
    }
}
