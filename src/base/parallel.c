#define _POSIX_C_SOURCE 200809L // clock_gettime
#include "base/parallel.h"

#include "base/memory.h"

#include <stdatomic.h>
#include <time.h>

#if defined(HAWSER_NO_THREADS)

// Only for a host's loop.
struct hwTeam {
    hwAllocator allocator;
    hwHostLoopFn* host;
    void* hostContext;
};

static bool IsAlone(const hwTeam* team) {
    (void)team;
    return false;
}

void hwTeam_BeginPass(hwTeam* team) {
    (void)team;
}

void hwTeam_EndPass(hwTeam* team, double work) {
    (void)team;
    (void)work;
}

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
#define LINE 64 // bytes that processors pass on together
// Loops of a step follow each other within microseconds: waking a thread that sleeps takes longer than many of them. Workers
// look for the next loop so many times, some 0.1 ms, before they sleep, and so does the caller for their end.
#define LOOKS 5000
// And so many, some us, before it takes of another one's share: mostly that is almost done.
#define PATIENCE 50

// A loop's chunks are cut into as many shares of neighbours as there are threads. A thread begins with its own share, the same one in
// each loop: what it has written of it in the loop before is in its cache, and to get that from another processor's takes longer
// than most loops do. Then it takes what is left of others' shares, so that a thread that the machine runs late, or not at all,
// costs nothing. Numbers of loops and of chunks are in one word, so that no chunk is taken of a loop that is over.
#define COUNT_BITS 24
#define MOST_CHUNKS (1 << COUNT_BITS)
#define MAKE_WORD(round, count) ((round) << COUNT_BITS | (uint64_t)(count))

typedef struct Seat {
    _Alignas(LINE) _Atomic uint64_t taken; // of its share, by whoever
    _Alignas(LINE) _Atomic uint64_t done;  // by its thread
} Seat;

typedef struct Loop {
    hwLoopFn* function;
    void* context;
    int count, chunk;
} Loop;

// Workers may still look at the loop before the present one, so there are two.
typedef struct Call {
    _Atomic(hwLoopFn*) function;
    _Atomic(void*) context;
    atomic_int count, chunk;
} Call;

// Whether loops are worth sharing out is found out: where processors pass memory to each other slowly, or are busy with other things,
// one thread alone is faster. Now and then some passes go shared and some alone, and the rest as was faster.
#define TRIED 16        // passes of a kind in a trial
#define CLEARLY 1.25    // times as slow two passes alone are before a trial ends at once
#define GAINS 0.95      // of the time alone, or less: shared passes
#define FIRST_REST 2000 // passes between trials; doubled while they say the same
#define LONGEST_REST 64000

typedef struct Trial {
    bool alone;           // loops of this pass are not shared out
    bool settled, chosen; // between trials: what was chosen
    int left;             // passes until the next trial
    int rest;
    int count[2];          // shared, alone
    double cost[2][TRIED]; // s for a unit of work
    double start;
} Trial;

struct hwTeam {
    hwAllocator allocator;
    hwHostLoopFn* host; // null: own threads
    void* hostContext;
    Trial trial;
    int workers; // besides the caller
    pthread_t threads[HW_MAX_THREADS];
    pthread_mutex_t mutex;
    pthread_cond_t start, done;
    atomic_int asleep;                     // workers that wait for `start`; changed with the mutex
    atomic_bool waiting;                   // the caller for `done`
    bool quit;                             // guarded by mutex
    atomic_int seated;                     // workers that have a seat
    _Alignas(LINE) _Atomic uint64_t round; // number of the loop
    Call calls[2];
    Seat seats[HW_MAX_THREADS];
};

static void PauseProcessor(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

// Whether the loop of a word is an earlier one. Numbers of loops start again from 0.
static bool IsBefore(uint64_t word, uint64_t round) {
    return (int64_t)(MAKE_WORD(round, 0) - (word >> COUNT_BITS << COUNT_BITS)) > 0;
}

static int64_t CountChunks(const Loop* loop) {
    return (loop->count + (int64_t)loop->chunk - 1) / loop->chunk;
}

// Chunks of a share of so many, half of those that are left at once: the first in *next. Returns how many, 0: none is left, or the loop
// is over.
static int TakeSome(Seat* seat, uint64_t round, int share, int* next) {
    uint64_t word = atomic_load_explicit(&seat->taken, memory_order_relaxed);
    for (;;) {
        bool same = word >> COUNT_BITS == MAKE_WORD(round, 0) >> COUNT_BITS;
        if (!same && !IsBefore(word, round)) return 0;
        *next = same ? (int)(word & (MOST_CHUNKS - 1)) : 0;
        int count = (share - *next + 1) / 2;
        if (count <= 0) return 0;
        if (atomic_compare_exchange_weak_explicit(&seat->taken, &word, MAKE_WORD(round, *next + count),
                                                  memory_order_acquire, memory_order_relaxed))
            return count;
    }
}

// Does what it can get of a share; returns how many chunks that were.
static int DoShare(hwTeam* team, int seat, uint64_t round, const Loop* loop) {
    int seats = team->workers + 1, done = 0, next, count;
    int64_t chunks = CountChunks(loop);
    int from = (int)(seat * chunks / seats), share = (int)((seat + 1) * chunks / seats) - from;
    while ((count = TakeSome(&team->seats[seat], round, share, &next)) > 0) {
        int64_t first = (int64_t)(from + next) * loop->chunk, last = first + (int64_t)count * loop->chunk;
        loop->function((int)first, last < loop->count ? (int)last : loop->count, loop->context);
        done += count;
    }
    return done;
}

static int DoOthers(hwTeam* team, int own, uint64_t round, const Loop* loop) {
    int done = 0;
    for (int i = 1; i <= team->workers; ++i)
        done += DoShare(team, (own + i) % (team->workers + 1), round, loop);
    return done;
}

// False: another loop has begun.
static bool ReadCall(hwTeam* team, uint64_t round, Loop* loop) {
    Call* call = &team->calls[round & 1];
    loop->function = atomic_load_explicit(&call->function, memory_order_acquire);
    loop->context = atomic_load_explicit(&call->context, memory_order_acquire);
    loop->count = atomic_load_explicit(&call->count, memory_order_acquire);
    loop->chunk = atomic_load_explicit(&call->chunk, memory_order_acquire);
    return atomic_load_explicit(&team->round, memory_order_relaxed) == round;
}

// Waits so many looks for a loop after `seen`.
static bool LookForLoop(hwTeam* team, uint64_t seen, int looks) {
    for (int i = 0; i < looks; ++i) {
        if (atomic_load_explicit(&team->round, memory_order_acquire) != seen) return true;
        PauseProcessor();
    }
    return false;
}

// False: the team ends.
static bool AwaitLoop(hwTeam* team, uint64_t seen) {
    if (LookForLoop(team, seen, LOOKS)) return true;
    pthread_mutex_lock(&team->mutex);
    atomic_fetch_add(&team->asleep, 1);
    while (atomic_load(&team->round) == seen && !team->quit) pthread_cond_wait(&team->start, &team->mutex);
    atomic_fetch_sub(&team->asleep, 1);
    bool quit = team->quit;
    pthread_mutex_unlock(&team->mutex);
    return !quit;
}

// Tells that a worker has done so many chunks.
static void TellDone(hwTeam* team, int own, uint64_t round, int done) {
    atomic_store(&team->seats[own].done, MAKE_WORD(round, done));
    if (!atomic_load(&team->waiting)) return;
    pthread_mutex_lock(&team->mutex);
    pthread_cond_signal(&team->done);
    pthread_mutex_unlock(&team->mutex);
}

static void* RunWorker(void* argument) {
    hwTeam* team = argument;
    int own = 1 + atomic_fetch_add(&team->seated, 1);
    uint64_t seen = 0;
    while (AwaitLoop(team, seen)) {
        Loop loop;
        seen = atomic_load(&team->round);
        if (!ReadCall(team, seen, &loop)) continue;
        int done = DoShare(team, own, seen, &loop);
        if (done > 0) TellDone(team, own, seen, done);
        if (LookForLoop(team, seen, PATIENCE)) continue;
        int more = DoOthers(team, own, seen, &loop);
        if (more > 0) TellDone(team, own, seen, done + more);
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

// Whether workers have done so many chunks.
static bool AreDone(hwTeam* team, uint64_t round, int64_t chunks) {
    for (int i = 1; i <= team->workers && chunks > 0; ++i) {
        uint64_t word = atomic_load(&team->seats[i].done);
        if (word >> COUNT_BITS == MAKE_WORD(round, 0) >> COUNT_BITS)
            chunks -= (int64_t)(word & (MOST_CHUNKS - 1));
    }
    return chunks <= 0;
}

// Waits so many looks.
static bool LookForEnd(hwTeam* team, uint64_t round, int64_t chunks, int looks) {
    for (int i = 0; i < looks; ++i) {
        if (AreDone(team, round, chunks)) return true;
        PauseProcessor();
    }
    return false;
}

static void AwaitWorkers(hwTeam* team, uint64_t round, int64_t chunks) {
    if (LookForEnd(team, round, chunks, LOOKS)) return;
    pthread_mutex_lock(&team->mutex);
    atomic_store(&team->waiting, true);
    while (!AreDone(team, round, chunks)) pthread_cond_wait(&team->done, &team->mutex);
    atomic_store(&team->waiting, false);
    pthread_mutex_unlock(&team->mutex);
}

static double GetTime(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double GetMedian(const double* list, int count) {
    double sorted[TRIED];
    for (int i = 0; i < count; ++i) {
        int k = i;
        for (; k > 0 && sorted[k - 1] > list[i]; --k) sorted[k] = sorted[k - 1];
        sorted[k] = list[i];
    }
    return sorted[count / 2];
}

// The end of a trial.
static void Choose(Trial* trial, bool alone) {
    bool again = trial->rest > 0 && trial->chosen == alone;
    trial->rest = !again ? FIRST_REST : 2 * trial->rest < LONGEST_REST ? 2 * trial->rest : LONGEST_REST;
    trial->chosen = alone;
    trial->settled = true;
    trial->left = trial->rest;
    trial->count[0] = trial->count[1] = 0;
}

void hwTeam_BeginPass(hwTeam* team) {
    if (team == NULL || team->host != NULL || team->workers == 0) return;
    Trial* trial = &team->trial;
    if (trial->settled && --trial->left <= 0) trial->settled = false;
    trial->alone = trial->settled ? trial->chosen : trial->count[0] == TRIED;
    if (!trial->settled) trial->start = GetTime();
}

void hwTeam_EndPass(hwTeam* team, double work) {
    if (team == NULL || team->host != NULL || team->workers == 0) return;
    Trial* trial = &team->trial;
    int kind = trial->alone ? 1 : 0;
    trial->alone = false;
    if (trial->settled || !(work > 0.0)) return;
    double spent = (GetTime() - trial->start) / work;
    trial->cost[kind][trial->count[kind]++] = spent;
    if (kind == 0) return;
    double shared = GetMedian(trial->cost[0], TRIED), *alone = trial->cost[1];
    if (trial->count[1] == 2 && alone[0] > CLEARLY * shared && alone[1] > CLEARLY * shared) {
        Choose(trial, false);
    } else if (trial->count[1] == TRIED) {
        Choose(trial, !(shared < GAINS * GetMedian(alone, TRIED)));
    }
}

static void RunLoop(hwTeam* team, int count, int chunk, hwLoopFn* function, void* context) {
    if (team->workers == 0) {
        function(0, count, context);
        return;
    }
    while (count / chunk >= MOST_CHUNKS - 1) chunk *= 2;
    Loop loop = {function, context, count, chunk};
    uint64_t round = atomic_load_explicit(&team->round, memory_order_relaxed) + 1;
    Call* call = &team->calls[round & 1];
    atomic_store_explicit(&call->function, function, memory_order_release);
    atomic_store_explicit(&call->context, context, memory_order_release);
    atomic_store_explicit(&call->count, count, memory_order_release);
    atomic_store_explicit(&call->chunk, chunk, memory_order_release);
    atomic_store_explicit(&team->round, round, memory_order_release);
    // One that falls asleep just now is woken by the next loop; this one does without it.
    bool sleeps = atomic_load_explicit(&team->asleep, memory_order_relaxed) > 0;
    if (sleeps) {
        pthread_mutex_lock(&team->mutex);
        pthread_cond_broadcast(&team->start);
        pthread_mutex_unlock(&team->mutex);
    }
    int64_t left = CountChunks(&loop) - DoShare(team, 0, round, &loop);
    if (!sleeps && LookForEnd(team, round, left, PATIENCE)) return;
    left -= DoOthers(team, 0, round, &loop);
    AwaitWorkers(team, round, left);
}

static bool IsAlone(const hwTeam* team) {
    return team->trial.alone;
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
    if (team == NULL || count <= chunk || IsAlone(team)) {
        function(0, count, context);
    } else if (team->host != NULL) {
        team->host(function, count, chunk, context, team->hostContext);
    } else {
        RunLoop(team, count, chunk, function, context);
    }
}
