// The compiled environment: answers what the fluid does and where the bottom is. Never changes after creation.
#ifndef HW_ENV_ENVIRONMENT_H
#define HW_ENV_ENVIRONMENT_H

#include "env/wave_cells.h"
#include "geom/terrain.h"
#include "hawser/environment.h"

typedef struct hwEnvironment hwEnvironment;

// Checks and copies the def. Null and `error` on failure.
hwEnvironment* hwCreateEnvironment(const hwAllocator* allocator, const hwEnvironmentDef* def, hwError* error);
void hwDestroyEnvironment(hwEnvironment* environment);

// The def as given, pointers leading to the environment's own copies.
const hwEnvironmentDef* hwEnvironment_GetDef(const hwEnvironment* environment);

// The one batched call: velocity, acceleration, density, surface at `count` points. No allocation; thread-safe. Without the
// lee of obstacles, which also acts on the extra current of a world's inputs: hwEnvironment_AddLee.
void hwEnvironment_Sample(const hwEnvironment* environment, int count, const hwVec3* points, double time,
                          hwFluidSample* out);

// The same for points that are asked for again and again, such as a cable's nodes: each has a cell, zero at first, which
// waves deep under water are interpolated in (env/wave_cells.h). `same`: the cells of the last call still count where
// possible. Without cells (null) it is hwEnvironment_Sample.
void hwEnvironment_SampleCells(const hwEnvironment* environment, int count, const hwVec3* points, double time,
                               hwWaveCell* cells, bool same, hwFluidSample* out);
// Whether cells are of use in this sea.
bool hwEnvironment_HasCells(const hwEnvironment* environment);

// The same without waves.
void hwEnvironment_SampleCalm(const hwEnvironment* environment, int count, const hwVec3* points, double time,
                              hwFluidSample* out);

// Takes the lee of obstacles off samples that were made without it: of the current as the environment has it and `extra`
// (m/s), which is in the samples' velocities already. Waves are left alone.
bool hwEnvironment_HasLee(const hwEnvironment* environment);
void hwEnvironment_AddLee(const hwEnvironment* environment, hwVec3 extra, int count, const hwVec3* points,
                          double time, hwFluidSample* samples);

// True when the surface moves.
bool hwEnvironment_HasWaves(const hwEnvironment* environment);
// True when water or air flows, whatever the waves do.
bool hwEnvironment_HasFlow(const hwEnvironment* environment);

// The harmonics of the sea, by rising k: fills up to `capacity` and returns how many there are.
// By how much of their height the waves have grown at `time`, and the first and second derivatives of that.
void hwEnvironment_SetBuildUp(hwEnvironment* environment, double from, double span); // s
// Takes away a share of the waves, and of all sines that drive bodies and ends of cables, from 0 to below 1.
void hwEnvironment_SetLull(hwEnvironment* environment, double lull);
double hwEnvironment_GetLull(const hwEnvironment* environment);
hwVec3 hwEnvironment_GetGrowth(const hwEnvironment* environment, double time);
int hwEnvironment_GetWaves(const hwEnvironment* environment, int capacity, hwWaveComponent* components);

// Height of the seabed below or above (x, y) and its upward unit normal; -inf and +z when there is none there.
double hwEnvironment_GetSeabed(const hwEnvironment* environment, double x, double y, hwVec3* normal);

// The surface of a seabed that is a heightfield or a mesh, else null.
const hwTerrain* hwEnvironment_GetTerrain(const hwEnvironment* environment);

#endif
