// Islands: cables that share nothing with anything else that moves are stepped apart, each with steps of its own size and on
// any thread, between times at which the whole world is evaluated. Their cost is then what they cost alone, however fast
// another one is.
//
// An island is a world of one cable that looks at the slot of its own in the arrays of the whole: meshes, ends, loads and
// tools are the cable's own memory, motion and audit are copied in and out. It runs through the same code as any world.
#ifndef HW_WORLD_ISLANDS_H
#define HW_WORLD_ISLANDS_H

#include "world/world.h"

// After Prepare: makes the islands of a world that may have them, none otherwise. Frees those of before.
hwStatus hwIslands_Create(hwWorld* world, hwError* error);
void hwIslands_Free(hwWorld* world);

// The time, at most `end`, until which everything that moves may be stepped apart; the world's own time: it may not. Cables
// stay apart that cannot meet while their nodes stay in rooms around where they are now.
double hwIslands_Plan(hwWorld* world, double end);

// Advances all islands by the built-in solver to `end` from hwIslands_Plan, or less far where a node has left its room. On
// failure the world is at the time at which the first one failed.
hwStatus hwIslands_Advance(hwWorld* world, double end, hwError* error);

// Calls the world's cable observer for each of its cables.
void hwIslands_ObserveCables(const hwWorld* world);

#endif
