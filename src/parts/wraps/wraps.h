// Cables that lie round shapes (HW_CABLE_WRAP): src/tether/wrap.h among the bodies of a world.
#ifndef HW_PARTS_WRAPS_H
#define HW_PARTS_WRAPS_H

#include "tether/wrap.h"
#include "tether/wrap_seed.h"
#include "world/cable_slots.h"

// A shape that the cable may lie on.
typedef struct hwWrapObstacle {
    int link, shape;
    bool still;
} hwWrapObstacle;

// One cable that wraps.
typedef struct hwWrap {
    int slot;
    hwTetherSpace* space;
    int count; // of obstacles
    hwWrapObstacle* obstacles;
    double* friction; // [obstacle]
    bool moves;       // some obstacle does
    void* block;
} hwWrap;

typedef struct hwWrapStore {
    hwWrapState* state;
    hwPose* poses;     // [obstacle] of its link, at the last update
    hwSeedState* seed; // by the rules of seed 000
} hwWrapStore;

// What loads a span: the cable and the water at one time.
typedef struct hwWrapFlow {
    const hwWorld* world;
    double time;
    double weight, lift, surface, radius; // N/m in air, N/m taken off by water, m, m
    double drag;                          // kg/m2: force per length over |u| u
} hwWrapFlow;

// How an evaluation finds the path.
enum {
    HW_WRAP_FAR,       // all of it, from the state
    HW_WRAP_NEAR_NEXT, // a step begins: all of it at the state, then
    HW_WRAP_NEAR       // the outer spans alone
};

typedef struct hwWrapTools {
    hwWrapPath path; // of the last evaluation
    double longer;   // its material over the cable's, see GetMaterial
    int near;
    hwWrapOuter outer[2];
    hwWrapFlow flow;
    hwWrapWork* work;
    hwPose* poses; // [obstacle] of its link, at the last evaluation
    // by the rules of seed 000
    hwSeedSetup seed;
    hwSeedPath seedPath;
    double seedLength; // m of material
} hwWrapTools;

typedef struct hwWrapsModel {
    int count;
    hwWrap* items;
    hwWrapStore* stores;
} hwWrapsModel;

typedef struct hwWrapsState {
    hwWrapStore* stores;
} hwWrapsState;

typedef struct hwWrapsWork {
    hwWrapTools* tools;
    double time; // s, of the last evaluation
} hwWrapsWork;

// Index among the wraps of a cable's slot, -1: it is none.
int hwWraps_Find(const hwWorld* world, int slot);
// Whether it follows the rules of seed 000.
bool hwWraps_IsSeed(const hwWorld* world, int number);
// wraps_seed.c: the same steps for these.
void hwSeedWrap_Bend(const hwWorld* world, int number, const hwVec3 ends[2], double length, hwQuasi* out);
void hwSeedWrap_Spread(const hwSeedPath* path, int count, double* material);
void hwSeedWrap_Finish(hwWorld* world, int number, const hwVec3 ends[2], double length);
double hwSeedWrap_GetAngle(const hwWorld* world, int number);
// wraps_model.c
hwStatus hwWraps_Build(const hwWorld* world, hwModel* model, hwError* error);
void hwWraps_Free(const hwAllocator* allocator, hwModel* model);
// wraps_channels.c
void hwWraps_AddChannels(struct hwTableBuilder* builder, const hwWorld* world, const hwModel* model);

#endif
