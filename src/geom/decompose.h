// A solid of any form as a few convex parts, when shapes are loaded. Approximate: the parts together cover the solid
// and a little more.
#ifndef HW_GEOM_DECOMPOSE_H
#define HW_GEOM_DECOMPOSE_H

#include "hawser/base.h"
#include "hawser/shape.h"

// Builds the convex hull of points (qhull, in the io library). The arrays of `hull` belong to the builder and may go
// with the next call. Points that are flat or too few are not an error: set hull->triangleCount to 0.
typedef hwStatus hwBuildHullFn(int count, const hwVec3* points, hwMeshData* hull, void* context,
                               hwError* error);

typedef struct hwDecomposeDef {
    int maxParts;
    double tolerance; // volume of the parts beyond the solid's, over the solid's, at which to stop
    int planes;       // cuts tried along each axis, besides those at reentrant edges
    hwBuildHullFn* buildHull;
    void* context;
} hwDecomposeDef;

// 16 parts, 2 %, 8 planes; set buildHull.
hwDecomposeDef hwDefaultDecomposeDef(void);

typedef struct hwDecomposition {
    int partCount;
    hwMeshData* parts; // convex, closed, outward
    double excess;     // volume of the parts beyond the solid's, over the solid's
} hwDecomposition;

// Cuts the worst part in two, by the plane across x, y or z that leaves the least excess, until the tolerance or twice
// the number of parts is reached; then joins those that cost least. Every part is the hull of the solid within boxes,
// found from the mesh's own vertices and cuts, so flat faces stay flat. The mesh must be closed and outward
// (hwMesh_CheckClosed). Builds some hundred hulls per part.
hwStatus hwDecompose(const hwMeshData* mesh, const hwDecomposeDef* def, const hwAllocator* allocator,
                     hwDecomposition* out, hwError* error);
void hwFreeDecomposition(hwDecomposition* decomposition, const hwAllocator* allocator);

#endif
