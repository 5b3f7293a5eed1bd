// Water and air on links.
#ifndef HW_PARTS_FLUID_FLUID_H
#define HW_PARTS_FLUID_FLUID_H

#include "world/world.h"

typedef struct hwFluidModel {
    int sampleCapacity; // fluid samples if every link were in the water
} hwFluidModel;

typedef struct hwFluidState {
    hwSpatialSym* addedMass; // [link] as given or as changed since
} hwFluidState;

typedef struct hwFluidWork {
    int wetCount;             // links that feel water or air; by FindWetLinks
    int* wetLinks;            // [wet]
    hwWideSym* added;         // [link] the state's added mass, link axes; by FindWetLinks
    bool* addedDiagonal;      // [link] it has only diagonal entries...
    hwWideSpatial* addedAxes; // [link] ...these
    int* firstSample;         // [link] of its buoyancy centre; the strips' samples follow
    int sampleCount;
    hwVec3* sampleLocal;      // [sample] link frame
    int* sampleLink;          // [sample]
    hwVec3* samplePoints;     // [sample]
    hwVec3* slopeRates;       // [sample] 1/s, see hwHydroInput
    hwFluidSample* samples;   // [sample]
    hwFluidSample* otherSide; // [link] across the water surface, for links near it
    hwPowers* linkPowers;     // [link] of water and air
} hwFluidWork;

#endif
