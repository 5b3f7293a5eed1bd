// Solids that a tether cannot pass through, prepared for questions.
#ifndef HW_TETHER_SPACE_H
#define HW_TETHER_SPACE_H

#include "geom/convex.h"
#include "geom/mesh_query.h"
#include "hawser/tether.h"

#include <string.h>

// Whether two objects without padding have the same bits: what depends on them alone need not be computed again.
static inline bool hwHaveSameBits(const void* a, const void* b, size_t size) {
    return memcmp(a, b, size) == 0;
}

typedef struct hwSpaceSolid {
    hwConvex convex; // unless it is a mesh
    hwHull hull;
    hwMeshTree tree;
    bool mesh;
    hwPose own;  // of the shape in its frame
    hwPose pose; // of the shape
    hwBox box;
} hwSpaceSolid;

struct hwTetherSpace {
    hwAllocator allocator;
    int count;
    uint64_t moves; // how many times a solid was put elsewhere
    hwSpaceSolid* solids;
};

// Clearance of the segment p q: the distance of the solid that it is nearest to or deepest in, inf: more than `reach`; the
// place on the segment, 0 to 1, the unit normal from the solid there, and which solid it is, unless null.
double hwTetherSpace_GetSegmentClearance(const hwTetherSpace* space, hwVec3 p, hwVec3 q, double reach,
                                         double* place, hwVec3* normal, int* which);

// hwTetherSpace_IsFree of the two triangles a b c and a c d, in one go.
bool hwTetherSpace_IsStripFree(const hwTetherSpace* space, hwVec3 a, hwVec3 b, hwVec3 c, hwVec3 d,
                               double radius);

// Whether the strip between two polylines of `count` points is farther than `radius` from everything by the boxes of solids and
// the planes of triangles alone. False: it may be all the same.
bool hwTetherSpace_IsBandClear(const hwTetherSpace* space, int count, const hwVec3* a, const hwVec3* b,
                               double radius);

// Moves an arc of a tight tether by t along the bar that it lies on, where that sweeps over nothing. False: it does, or there is no
// such direction.
bool hwTetherSpace_MoveArc(const hwTetherSpace* space, int count, hwVec3* points, double radius,
                           const hwTetherArc* arc, double t);

// hwTetherSpace_IsFree of one solid.
bool hwTetherSpace_IsFreeOf(const hwTetherSpace* space, int solid, hwVec3 a, hwVec3 b, hwVec3 c,
                            double radius);

#endif
