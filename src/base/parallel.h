// A fixed team of threads that share loops. Work is cut into the same chunks whatever the number of threads, and each
// chunk writes only its own results, so the bits do not depend on the number of threads.
#ifndef HW_BASE_PARALLEL_H
#define HW_BASE_PARALLEL_H

#include "hawser/base.h"

typedef struct hwTeam hwTeam;

// Handles items first..last-1.
typedef void hwLoopFn(int first, int last, void* context);

// A host's own loop, see hwRunTasksFn in hawser/world.h.
typedef void hwHostLoopFn(hwLoopFn* function, int count, int chunk, void* task, void* context);

// Null with *status HW_OK for one thread: hwTeam_Loop accepts null. With a host's loop no threads are started.
hwTeam* hwCreateTeam(const hwAllocator* allocator, int threads, hwHostLoopFn* host, void* hostContext,
                     hwStatus* status);
void hwDestroyTeam(hwTeam* team);

// Around each of the passes that a world goes through all the time: loops within are shared out where that has turned out to be
// faster. `work` is what the time of a pass is judged by, 0: not at all. Outside of passes loops are always shared out.
void hwTeam_BeginPass(hwTeam* team);
void hwTeam_EndPass(hwTeam* team, double work);

// Runs the loop over `count` items in chunks of `chunk`; returns when all are done.
void hwTeam_Loop(hwTeam* team, int count, int chunk, hwLoopFn* function, void* context);

#endif
