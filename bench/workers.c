#include "bench/workers.h"

#include "bench/cable_rigs.h"

#include <math.h>

#define READINGS 2000

// What one reading of the clock takes, s: the clock of a thread's own time is a call of the system's, as long as a short piece.
static double GetClockCost(void) {
    static double cost = -1.0;
    if (cost >= 0.0) return cost;
    double start = hwRig_GetTime(), end = start;
    for (int i = 0; i < READINGS; ++i) end = hwRig_GetTime();
    cost = (end - start) / READINGS;
    return cost;
}

void hwBenchWorkers_Run(hwTaskFn* function, int count, int chunk, void* task, void* context) {
    hwBenchWorkers* workers = context;
    double clock = GetClockCost();
    workers->busy[0] = workers->busy[1] = 0.0;
    for (int first = 0; first < count; first += chunk) {
        int last = first + chunk < count ? first + chunk : count;
        double start = hwRig_GetTime();
        function(first, last, task);
        double spent = fmax(hwRig_GetTime() - start - clock, 0.0);
        workers->clock += 2.0 * clock;
        workers->busy[workers->busy[0] <= workers->busy[1] ? 0 : 1] += spent;
        workers->all += spent;
    }
    workers->longest += fmax(workers->busy[0], workers->busy[1]);
}

double hwBenchWorkers_GetGain(const hwBenchWorkers* workers, double spent) {
    double work = spent - workers->clock;
    return work / (work - workers->all + workers->longest);
}
