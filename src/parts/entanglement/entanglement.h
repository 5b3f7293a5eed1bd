// Watches of cables: what each is wound round, passes through and lies on.
#ifndef HW_PARTS_ENTANGLEMENT_ENTANGLEMENT_H
#define HW_PARTS_ENTANGLEMENT_ENTANGLEMENT_H

#include "hawser/entanglement.h"
#include "hawser/tether.h"
#include "world/cable_slots.h"

#define HW_WATCH_LETTERS 256   // of a word before it is reduced
#define HW_WATCH_INTERVAL 0.02 // s, at least between two looks at numbers and contacts
#define HW_WATCH_DWELL 0.2     // s, for which contact that was lost still counts

typedef struct hwWatchObject {
    hwEntanglementDef def; // arrays and texts follow it in its block
} hwWatchObject;

// An axis or a loop, frame of the link that carries it.
typedef struct hwWatchPiece {
    char name[96];
    int link; // -1: the earth
    bool isAxis;
    hwTetherAxis axis;
    int first, count; // of a loop's corners in `points`
} hwWatchPiece;

// A body whose contact is followed.
typedef struct hwWatchBody {
    int link;
    int firstShape; // of the intervals of its shapes
    const hwBodyObject* object;
} hwWatchBody;

typedef struct hwWatch {
    const hwWatchObject* object;
    int slot;
    int pieceCount;
    hwWatchPiece* pieces;
    int pointCount;
    hwVec3* points;
    int bodyCount;
    hwWatchBody* bodies;
    int shapeCount;
    double* friction;     // [shape] static, against the cable's first section
    hwTetherSpace* space; // all shapes of the bodies, in order
    void* block;
    hwSkeleton* skeletons; // while it is built
} hwWatch;

// Part of the state.
typedef struct hwPieceStore {
    double since; // s, when it was first wound, as long as it is; NaN: it is not
    int32_t number;
    int32_t side;
} hwPieceStore;

// Where a cable lies on a shape, by material coordinates; from > to: it does not.
typedef struct hwShapeStore {
    double from, to, fromSeen, toSeen;
} hwShapeStore;

typedef struct hwWatchStore {
    double* looked; // s, when it was looked at last
    hwPieceStore* pieces;
    hwShapeStore* shapes;
} hwWatchStore;

typedef struct hwEntanglementModel {
    int count;
    hwWatch* watches;
    hwWatchStore* stores; // [watch] where each one's state is
} hwEntanglementModel;

typedef struct hwEntanglementState {
    hwWatchStore* watches;
} hwEntanglementState;

// What was measured at a time.
typedef struct hwWatchTools {
    bool known; // at this time and step
    double time;
    uint64_t steps;
    hwTurnCount* counts;       // [piece]
    hwTetherFeature* features; // [piece] world axes
    hwVec3* points;            // of the loops, world axes
    hwVec3* path;              // of the cable, if that is not the line of its nodes
    hwTetherLetter* letters;
    int word;
} hwWatchTools;

typedef struct hwEntanglementWork {
    hwWatchTools* watches;
} hwEntanglementWork;

// watch_build.c
void hwWatches_FillFriction(hwWorld* world); // as the materials are now
hwStatus hwWatches_Build(const hwWorld* world, hwModel* model, hwError* error);
void hwWatches_Free(const hwAllocator* allocator, hwModel* model);

// watch_measure.c
// Measures a watch at the world's present state, unless that has been done.
const hwWatchTools* hwWatch_Measure(const hwWorld* world, int watch);
double hwWatch_GetTurns(const hwWorld* world, int watch, int piece); // about an axis, 0: of a loop
double hwWatch_GetWrap(const hwWorld* world, int watch, int body, double* exponent);
void hwWatch_Summarize(const hwWorld* world, int watch, hwEntanglement* out);
// After a step: numbers that changed, and what touches.
hwStatus hwWatches_Finish(hwWorld* world, const hwMode* mode, double step, bool* changed, hwError* error);

int hwWorld_FindWatch(const hwWorld* world, hwCableId cable);
// The nodes of a cable, and the line along which it passes what it is watched for, until the next call for the same watch.
hwPolyline hwWatch_GetNodes(const hwWorld* world, int slot);
hwPolyline hwWatch_GetPath(const hwWorld* world, int watch);
// The way from end b back to end a of a cable or of what is left of it; `room` for two points.
hwPolyline hwWatch_GetReference(const hwWorld* world, const hwWatch* watch, hwPolyline cable, hwVec3* room);

// detour.c
// A way home of `count` way-points along the tight tether, replaced by one on which the sum of windings does not grow, where it does and one is found.
// Returns its way-points.
int hwWatch_FindDetour(const hwWorld* world, int watch, hwPolyline tight, double radius, double clearance,
                       int count, int capacity, hwTetherWaypoint* route);

// watch_channels.c
void hwWatches_AddChannels(struct hwTableBuilder* builder, const hwWorld* world, const hwModel* model);

#endif
