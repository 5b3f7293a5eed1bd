/// @file decompose.h
/// A solid of any form as a few convex parts, when shapes are loaded. Approximate: the parts together cover the solid
/// and a little more.
#ifndef HAWSER_DECOMPOSE_H
#define HAWSER_DECOMPOSE_H

#include "hawser/base.h"
#include "hawser/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Builds the convex hull of points (qhull, in the io library). The arrays of `hull` belong to the builder and may go
/// with the next call. Points that are flat or too few are not an error: set hull->triangleCount to 0.
typedef hwStatus hwBuildHullFn(int count, const hwVec3* points, hwMeshData* hull, void* context,
                               hwError* error);

/// How to divide. Start from hwDefaultDecomposeDef().
typedef struct hwDecomposeDef {
    int maxParts;             ///< most parts
    double tolerance;         ///< volume of the parts beyond the solid's, over the solid's, at which to stop
    int planes;               ///< cuts tried along each axis, besides those at reentrant edges
    hwBuildHullFn* buildHull; ///< needed
    void* context;            ///< for it
} hwDecomposeDef;

/// 16 parts, 2 %, 8 planes; set buildHull.
HW_API hwDecomposeDef hwDefaultDecomposeDef(void);

/// The parts of a solid.
typedef struct hwDecomposition {
    int partCount;     ///< entries of `parts`
    hwMeshData* parts; ///< convex, closed, outward
    double excess;     ///< volume of the parts beyond the solid's, over the solid's
} hwDecomposition;

/// Cuts the worst part in two, by the plane across x, y or z that leaves the least excess, until the tolerance or twice
/// the number of parts is reached; then joins those that cost least. Every part is the hull of the solid within boxes,
/// found from the mesh's own vertices and cuts, so flat faces stay flat. The mesh must be closed and outward
/// as hwShape_ComputeMassProperties needs it. Builds some hundred hulls per part.
HW_API hwStatus hwDecompose(const hwMeshData* mesh, const hwDecomposeDef* def, const hwAllocator* allocator,
                            hwDecomposition* out, hwError* error);
/// Releases the parts.
HW_API void hwFreeDecomposition(hwDecomposition* decomposition, const hwAllocator* allocator);

#ifdef __cplusplus
}
#endif
#endif
