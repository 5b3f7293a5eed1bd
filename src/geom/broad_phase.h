// Which things may touch: a dynamic tree of boxes over all shapes and cable capsules, and the list of pairs whose boxes
// overlap. Memory is reserved beforehand; moving, updating and asking allocate nothing.
#ifndef HW_GEOM_BROAD_PHASE_H
#define HW_GEOM_BROAD_PHASE_H

#include "geom/box.h"
#include "hawser/base.h"

typedef struct hwBroadPhase hwBroadPhase;

// One box in the tree. Two proxies make a pair when each one's category is in the other's mask and their owners are
// different and not excluded (hwBroadPhase_Exclude). Proxies of one owner, such as the elements of a cable, make a pair
// only when their indices are more than `selfGap` apart; 0: never.
typedef struct hwProxyDef {
    hwBox box;
    uint32_t category, mask;
    int owner; // any number
    int index; // of the part within its owner
    int selfGap;
} hwProxyDef;

typedef struct hwProxyPair {
    int a, b;   // proxies, a < b
    int slot;   // from 0 to the reserved number of pairs; stays the same while the two are near each other
    bool fresh; // the slot was given to this pair by the last update
} hwProxyPair;

// `margin` in m is added round boxes in the tree, so that slow things seldom change it; the pairs do not depend on it.
hwBroadPhase* hwCreateBroadPhase(const hwAllocator* allocator, int proxies, int pairs, double margin,
                                 hwError* error);
void hwDestroyBroadPhase(hwBroadPhase* broad);
// Makes room for more; keeps everything.
hwStatus hwBroadPhase_Reserve(hwBroadPhase* broad, int proxies, int pairs, hwError* error);

// The new proxy's number, from 0, or -1 when there is no room. Numbers of removed proxies are used again.
int hwBroadPhase_Add(hwBroadPhase* broad, const hwProxyDef* def);
void hwBroadPhase_Remove(hwBroadPhase* broad, int proxy);
// The box now; `travel` is the expected motion until the next update, a hint.
void hwBroadPhase_Move(hwBroadPhase* broad, int proxy, hwBox box, hwVec3 travel);

// Pairs of these owners never count. True unless there is no room (as many exclusions as pairs fit).
bool hwBroadPhase_Exclude(hwBroadPhase* broad, int ownerA, int ownerB);
void hwBroadPhase_Include(hwBroadPhase* broad, int ownerA, int ownerB);

// Finds the pairs anew. The list is sorted by a, then b, and depends only on the boxes, not on the history, so a
// restored state gives the same order. HW_ERROR_LIMIT: more pairs than reserved; reserve and call again.
hwStatus hwBroadPhase_Update(hwBroadPhase* broad, hwError* error);
const hwProxyPair* hwBroadPhase_GetPairs(const hwBroadPhase* broad, int* count);

const hwProxyDef* hwBroadPhase_GetProxy(const hwBroadPhase* broad, int proxy);

// Proxies whose boxes meet the box: returns how many, writes the first `capacity`, in no order.
int hwBroadPhase_FindInBox(const hwBroadPhase* broad, hwBox box, int* proxies, int capacity);
// Likewise along origin + t direction, 0 <= t <= tMax, within `radius`.
int hwBroadPhase_FindAlongRay(const hwBroadPhase* broad, hwVec3 origin, hwVec3 direction, double tMax,
                              double radius, int* proxies, int capacity);

#endif
