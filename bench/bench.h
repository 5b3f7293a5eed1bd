// Benchmarks: each measures something in Hawser and, where a peer is there, the same thing in the peer, in one run.
//
// A file bench/<subject>.c defines a list of benchmarks, ended by an entry without a name, and bench/registry.c names
// the list.
#ifndef HW_BENCH_BENCH_H
#define HW_BENCH_BENCH_H

#include "hawser/base.h"

// One measurement. Start from hwDefaultBenchRow().
typedef struct hwBenchRow {
    const char* name;  // what was measured
    double value;      // in Hawser
    const char* unit;  // for example "us/step"
    bool moreIsBetter; // false for times, true for rates
    const char* peer;  // name and version of the peer; null: none
    double peerValue;  // NaN: none
    const char* note;  // null: none
} hwBenchRow;

// Where a benchmark puts its rows.
typedef struct hwBenchContext hwBenchContext;

typedef void hwBenchFn(hwBenchContext* context);

typedef struct hwBench {
    const char* name;    // chosen on the command line by name or beginning
    const char* summary; // one sentence
    hwBenchFn* function;
} hwBench;

// No peer.
hwBenchRow hwDefaultBenchRow(void);

// Adds a row; strings are copied.
void hwBench_AddRow(hwBenchContext* context, const hwBenchRow* row);

// Adds a row without a value, with the error's message as its note; the command then fails.
void hwBench_AddError(hwBenchContext* context, const char* name, const hwError* error);

// Wall time in s from an arbitrary start.
double hwBench_GetTime(void);

// All lists, ended by null.
extern const hwBench* const hwBenchLists[];

#endif
