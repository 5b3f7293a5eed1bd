// Water and air on links.
#ifndef HW_PARTS_FLUID_FLUID_H
#define HW_PARTS_FLUID_FLUID_H

#include "world/world.h"

// What water and air have to know about a link.
typedef struct hwFluidLink {
    const hwBodyObject* body;
    double mass;      // kg
    bool hasHydro;    // it feels water or air even without added mass
    bool hasDryForce; // and it does so in a world without water
    bool simple;      // only volume, added mass and drag by axis
    double reach;     // m: nothing of it is farther than this from its buoyancy centre
    hwHydroDef hydro; // volume and centre filled in
    int pieceCount;   // of its shapes, when it is long against the waves
    hwShapeDef* pieces;
    hwVec3* pieceMiddles;                    // m, link frame
    hwWideSpatial linearDrag, quadraticDrag; // of `hydro`
} hwFluidLink;

typedef struct hwFluidModel {
    hwFluidLink* links; // [link]
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
