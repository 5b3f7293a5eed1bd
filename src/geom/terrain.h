// The bottom of the sea as a surface z(x, y): from a grid of heights or from any triangles. Never changes after
// creation; queries allocate nothing and may come from several threads at once.
#ifndef HW_GEOM_TERRAIN_H
#define HW_GEOM_TERRAIN_H

#include "geom/mesh_query.h"
#include "hawser/base.h"
#include "hawser/shape.h"

typedef struct hwTerrain hwTerrain;

// From `rows` x `columns` heights, row by row (x runs fastest): sample (i, j) is at origin + (i spacing, j spacing,
// heights[j * columns + i]). Each cell is split into two triangles along its diagonal from (i, j) to (i + 1, j + 1),
// so that heights, rays, contacts and drawings all see the same surface. Outside the grid the border's height
// continues flat, outward at right angles to the border. The heights are copied.
// Needs 2 x 2 samples or more, a positive spacing and finite numbers. Null and `error` on failure.
hwTerrain* hwCreateHeightfield(const hwAllocator* allocator, int columns, int rows, double spacing,
                               hwVec3 origin, const double* heights, hwError* error);

// From any triangles, closed or not; the winding does not matter: every triangle is ground seen from above, and where
// several lie above one another the highest counts. Triangles that are vertical, or so thin that they cover no
// ground, are never found. The mesh is copied. Null and `error` on failure.
hwTerrain* hwCreateTerrainMesh(const hwAllocator* allocator, const hwMeshData* mesh, hwError* error);

void hwDestroyTerrain(hwTerrain* terrain);

// Height and upward unit normal of the surface at (x, y); either output may be null. False, with height -inf and normal
// +z, where a mesh has no triangle; a heightfield is everywhere. O(1) for a heightfield, O(log n) for a mesh of n
// triangles that is mostly one layer.
bool hwTerrain_GetHeight(const hwTerrain* terrain, double x, double y, double* height, hwVec3* normal);

// Mean height over the area seen from above (over the grid, for a heightfield): what a wave model takes for depth.
// Layers above one another count each.
double hwTerrain_GetMeanHeight(const hwTerrain* terrain);

// The surface as triangles, for capsules: see hwMesh_FindNearest, hwMesh_FindWithin, hwMesh_CastRay and
// hwMesh_SweepCapsule. A heightfield's triangles face up, so the side of a hit is -1 below the ground; they number
// 2 (row (columns - 1) + column), the one below the diagonal first, and -1 beyond the grid. What lies deeper than the
// reach is not found here: hwTerrain_GetHeight tells.
bool hwTerrain_FindNearest(const hwTerrain* terrain, hwVec3 p, hwVec3 q, double reach, hwMeshHit* hit);
int hwTerrain_FindWithin(const hwTerrain* terrain, hwVec3 p, hwVec3 q, double reach, hwMeshHit* hits,
                         int capacity);
bool hwTerrain_CastRay(const hwTerrain* terrain, hwVec3 origin, hwVec3 direction, double tMax,
                       hwCastHit* hit);
bool hwTerrain_SweepCapsule(const hwTerrain* terrain, hwVec3 p0, hwVec3 q0, hwVec3 p1, hwVec3 q1,
                            double radius, hwCastHit* hit);

// Box of all samples or triangles.
void hwTerrain_GetBounds(const hwTerrain* terrain, hwVec3* low, hwVec3* high);

#endif
