// Two workers that take the next piece of a parallel loop when they are free, by the processor's time of each piece: what two cores
// would do, measured on one, whatever else runs on the machine.
#ifndef HW_BENCH_WORKERS_H
#define HW_BENCH_WORKERS_H

#include "hawser/world.h"

typedef struct hwBenchWorkers {
    double busy[2]; // s, in the loop under way
    double all;     // s of all pieces
    double longest; // s, the sum of what the busier one had in each loop
    double clock;   // s that reading the clock took, which are in none of these
} hwBenchWorkers;

// hwWorldDef.runTasks, with an hwBenchWorkers as its context.
void hwBenchWorkers_Run(hwTaskFn* function, int count, int chunk, void* task, void* context);

// Times faster on the two than what took `spent` s on one, the clock's readings with it.
double hwBenchWorkers_GetGain(const hwBenchWorkers* workers, double spent);

#endif
