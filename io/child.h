// Runs code that may crash, hang or take all memory on hostile input in a process of its own.
//
// The child is a fork, so it sees the caller's memory as it is; what it changes there is lost. It answers through a
// pipe. Its address space and processor time are limited; however it ends, the caller goes on. A fork has only the
// calling thread: the work must not need locks that other threads may hold (the C library's own are safe).
#ifndef HW_IO_CHILD_H
#define HW_IO_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct hwChildLimits {
    uint64_t memory; // bytes beyond what the process has at the start
    uint64_t answer; // bytes of the answer
    int seconds;     // of processor time; ten times as many on the clock
} hwChildLimits;

typedef enum hwChildEnd {
    HW_CHILD_DONE,    // the work returned true, and the answer is whole
    HW_CHILD_FAILED,  // the work returned false; what it wrote is in the answer
    HW_CHILD_LIMIT,   // it took too much memory, time, or room for its answer
    HW_CHILD_CRASHED, // it ended otherwise
    HW_CHILD_REFUSED, // the system made no process
} hwChildEnd;

// Writes to the pipe; false when the caller has gone or takes no more.
bool hwChild_Write(int pipe, const void* data, size_t size);

// `answer` is the caller's to free, also after a failure; it may be null.
hwChildEnd hwRunChild(bool (*work)(int pipe, void* context), void* context, const hwChildLimits* limits,
                      char** answer, size_t* size);

#endif
