// A line on the standard error that says how far a run is.
#ifndef HW_CLI_PROGRESS_H
#define HW_CLI_PROGRESS_H

#include <stdbool.h>

typedef struct hwProgress {
    double start, end;  // s, simulated
    double begun, next; // s, wall time of the start and of the next line
    bool shown, terminal, unicode;
} hwProgress;

void hwProgress_Begin(hwProgress* progress, double start, double end, bool shown);
// Call as often as you like; prints ten times a second on a terminal, a plain line every ten seconds elsewhere.
void hwProgress_Update(hwProgress* progress, double time);
// Removes the line.
void hwProgress_End(hwProgress* progress);

#endif
