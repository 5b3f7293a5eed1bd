// Shared by writing and reading flights.
#ifndef HW_LIVE_FLIGHT_INTERNAL_H
#define HW_LIVE_FLIGHT_INTERNAL_H

#include "hawser/flight.h"

#include <jansson.h>
#include <stdio.h>

// Fills `error` when it is not null and returns `status`.
hwStatus hwLiveFail(hwError* error, hwStatus status, const char* text);

// Marks and events of a flight that is written again, up to the world's time.
void hwFlightWriter_KeepLists(hwFlightWriter* writer, const char* marks, const char* events,
                              const hwWorld* world);

// ghosts.c: the lines of a second tether.
#define GHOST_FILE "ghost.csv"
FILE* hwGhost_OpenFile(const char* path); // to add lines; null and errno
bool hwGhost_Write(FILE* file, const hwGhostLine* line);
// Lines up to the time `end` into a file of their own; none where there are none.
hwStatus hwGhost_Copy(const char* from, const char* to, double end);

#endif
