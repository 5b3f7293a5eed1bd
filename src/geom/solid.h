// A body's shapes seen as one solid: how much of it is under water.
#ifndef HW_GEOM_SOLID_H
#define HW_GEOM_SOLID_H

#include "base/memory.h"
#include "hawser/shape.h"

typedef struct hwSolid {
    int shapeCount;
    const hwShapeDef* shapes; // owned by whoever made the solid
    double volume;            // m3, sum over the shapes (overlaps count twice)
    hwVec3 centroid;          // body frame
    hwVec3 center;            // of a bounding sphere, body frame
    double radius;            // of the bounding sphere
} hwSolid;

// Checks what a copy of the shapes reads: cookies and arrays of meshes. hwSolid_Init checks the rest.
hwStatus hwSolid_CheckArrays(int shapeCount, const hwShapeDef* shapes, hwError* error);

// Checks the shapes (positive sizes, closed and outward meshes, convex hulls) and computes the totals. Allocates
// nothing; O(triangles) for meshes, O(triangles x vertices) for hulls. `error->index` is the shape's index.
hwStatus hwSolid_Init(hwSolid* solid, int shapeCount, const hwShapeDef* shapes, hwError* error);

// Deep copy of shapes, meshes and material names into an arena (two passes, see hwArena). Null while measuring. The
// copies' quaternions are of unit length to rounding.
const hwShapeDef* hwCopyShapes(hwArena* arena, int shapeCount, const hwShapeDef* shapes);

// The part below the plane through `point` with upward unit `normal`, all in world axes. Exact; no allocation;
// thread-safe. Shapes and pose must have unit quaternions.
hwSubmergence hwSolid_ComputeSubmergence(const hwSolid* solid, hwPose pose, hwVec3 point, hwVec3 normal);

// Pieces no longer than `longest`: boxes and cylinders are cut along what is longer than that, other shapes stay whole. 0
// when there is nothing to cut. `pieces` may be null to count.
int hwSolid_CutIntoPieces(const hwSolid* solid, double longest, hwShapeDef* pieces);

#endif
