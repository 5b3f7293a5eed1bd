// Loops of meshes, for the skeleton of a structure.
#ifndef HW_TETHER_SKELETON_H
#define HW_TETHER_SKELETON_H

#include "hawser/tether.h"

// Loops of a closed mesh with handles, one for each, that run just inside it. Parts of the mesh that do not hang together
// are each looked at by themselves. Arrays come from the allocator; both are null when there are none.
typedef struct hwMeshLoops {
    int count;
    int* first; // [count + 1] in points
    hwVec3* points;
} hwMeshLoops;

hwStatus hwMeshLoops_Find(const hwMeshData* mesh, const hwAllocator* allocator, hwMeshLoops* out,
                          hwError* error);
void hwMeshLoops_Free(hwMeshLoops* loops, const hwAllocator* allocator);

#endif
