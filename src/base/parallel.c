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
// Loops of a step follow each other within microseconds: waking a thread that sleeps takes longer than many of them. Workers
// look for the next loop so many times, some 0.1 ms, before they sleep, and so does the caller for their end.
#define LOOKS 5000

// The gate: number of the loop, whether it is open to workers, how many are in it. Only workers that have come in are waited
// for, so that one that the machine runs late costs nothing.
#define GATE_INSIDE 0xffffu
#define GATE_OPEN 0x10000u
#define GATE_ROUND 0x100000000u

struct hwTeam {
    hwAllocator allocator;
    hwHostLoopFn* host; // null: own threads
    void* hostContext;
    int workers; // besides the caller
    pthread_t threads[HW_MAX_THREADS];
    pthread_mutex_t mutex;
    pthread_cond_t start, done;
    int asleep; // guarded by mutex: workers that wait for `start`
    bool quit;  // guarded by mutex
    // written while the gate is closed and nobody is inside
    hwLoopFn* function;
    void* context;
    int count, chunk;
    atomic_int next; // first item not yet taken
    _Atomic uint64_t gate;
};

static void PauseProcessor(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static void TakeChunks(hwTeam* team) {
    for (;;) {
        int first = atomic_fetch_add_explicit(&team->next, team->chunk, memory_order_relaxed);
        if (first >= team->count) return;
        int last = first + team->chunk < team->count ? first + team->chunk : team->count;
        team->function(first, last, team->context);
    }
}

// Waits for a loop after `seen`, which becomes its number; false: the team ends.
static bool AwaitLoop(hwTeam* team, uint64_t* seen) {
    for (int i = 0; i < LOOKS; ++i) {
        uint64_t round = atomic_load_explicit(&team->gate, memory_order_acquire) / GATE_ROUND;
        if (round != *seen) {
            *seen = round;
            return true;
        }
        PauseProcessor();
    }
    pthread_mutex_lock(&team->mutex);
    team->asleep += 1;
    while (atomic_load(&team->gate) / GATE_ROUND == *seen && !team->quit)
        pthread_cond_wait(&team->start, &team->mutex);
    team->asleep -= 1;
    *seen = atomic_load(&team->gate) / GATE_ROUND;
    bool quit = team->quit;
    pthread_mutex_unlock(&team->mutex);
    return !quit;
}

// False: the loop is over.
static bool EnterLoop(hwTeam* team, uint64_t round) {
    uint64_t gate = atomic_load_explicit(&team->gate, memory_order_relaxed);
    while (gate / GATE_ROUND == round && (gate & GATE_OPEN) != 0) {
        if (atomic_compare_exchange_weak_explicit(&team->gate, &gate, gate + 1, memory_order_acquire,
                                                  memory_order_relaxed))
            return true;
    }
    return false;
}

static void LeaveLoop(hwTeam* team) {
    uint64_t before = atomic_fetch_sub_explicit(&team->gate, 1, memory_order_release);
    if ((before & GATE_OPEN) != 0 || (before & GATE_INSIDE) != 1) return;
    pthread_mutex_lock(&team->mutex);
    pthread_cond_signal(&team->done);
    pthread_mutex_unlock(&team->mutex);
}

static void* RunWorker(void* argument) {
    hwTeam* team = argument;
    uint64_t seen = 0;
    while (AwaitLoop(team, &seen)) {
        if (!EnterLoop(team, seen)) continue;
        TakeChunks(team);
        LeaveLoop(team);
    }
    return NULL;
}

static hwStatus StartThreads(hwTeam* team, int threads) {
    if (threads > HW_MAX_THREADS) threads = HW_MAX_THREADS;
    pthread_mutex_init(&team->mutex, NULL);
    pthread_cond_init(&team->start, NULL);
    pthread_cond_init(&team->done, NULL);
    for (int i = 0; i + 1 < threads; ++i) {
        // Fewer threads than asked for change the speed only, never the result.
        if (pthread_create(&team->threads[i], NULL, RunWorker, team) != 0) break;
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

static void AwaitWorkers(hwTeam* team) {
    for (int i = 0; i < LOOKS; ++i) {
        if ((atomic_load_explicit(&team->gate, memory_order_acquire) & GATE_INSIDE) == 0) return;
        PauseProcessor();
    }
    pthread_mutex_lock(&team->mutex);
    while ((atomic_load(&team->gate) & GATE_INSIDE) != 0) pthread_cond_wait(&team->done, &team->mutex);
    pthread_mutex_unlock(&team->mutex);
}

static void RunLoop(hwTeam* team, int count, int chunk, hwLoopFn* function, void* context) {
    if (team->workers == 0) {
        function(0, count, context);
        return;
    }
    team->function = function;
    team->context = context;
    team->count = count;
    team->chunk = chunk;
    atomic_store_explicit(&team->next, 0, memory_order_relaxed);
    atomic_fetch_add(&team->gate, GATE_ROUND + GATE_OPEN);
    pthread_mutex_lock(&team->mutex);
    if (team->asleep > 0) pthread_cond_broadcast(&team->start);
    pthread_mutex_unlock(&team->mutex);
    TakeChunks(team);
    atomic_fetch_sub_explicit(&team->gate, GATE_OPEN, memory_order_acq_rel);
    AwaitWorkers(team);
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
