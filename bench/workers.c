#include "bench/workers.h"

#include "bench/cable_rigs.h"

#include <math.h>

void hwBenchWorkers_Run(hwTaskFn* function, int count, int chunk, void* task, void* context) {
    hwBenchWorkers* workers = context;
    workers->busy[0] = workers->busy[1] = 0.0;
    for (int first = 0; first < count; first += chunk) {
        int last = first + chunk < count ? first + chunk : count;
        double start = hwRig_GetTime();
        function(first, last, task);
        double spent = hwRig_GetTime() - start;
        workers->busy[workers->busy[0] <= workers->busy[1] ? 0 : 1] += spent;
        workers->all += spent;
    }
    workers->longest += fmax(workers->busy[0], workers->busy[1]);
}

double hwBenchWorkers_GetGain(const hwBenchWorkers* workers, double spent) {
    return spent / (spent - workers->all + workers->longest);
}
