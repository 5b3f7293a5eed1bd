// The lists of benchmarks, in the order in which they run.
#include "bench/bench.h"

#include <stddef.h>

const hwBench* const hwBenchLists[] = {NULL};
