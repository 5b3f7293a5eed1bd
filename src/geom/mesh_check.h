// Is a list of triangles the surface of a solid?
#ifndef HW_GEOM_MESH_CHECK_H
#define HW_GEOM_MESH_CHECK_H

#include "geom/moments.h"
#include "hawser/base.h"
#include "hawser/shape.h"

// Counts, arrays, vertices finite, indices in range. `what` begins the message, for example "shape 2 (mesh)".
hwStatus hwMesh_CheckIndices(const hwMeshData* mesh, const char* what, hwError* error);

// The same, and no triangle without area.
hwStatus hwMesh_CheckTriangles(const hwMeshData* mesh, const char* what, hwError* error);

// Closed: every edge is used as often in one direction as in the other. That is what the divergence theorem needs; it
// lets bodies touch along an edge. Vertices at the same place count as one, so unwelded triangles close too. And
// outward: the volume is positive beyond its rounding, and so are the second moments about the centroid.
// Self-intersection is not looked for: overlapping parts count twice in the volume.
// Allocates nothing, O(triangles).
hwStatus hwMesh_CheckClosed(const hwMeshData* mesh, const char* what, hwError* error);

// Sums of the moments about `origin`, which it chooses, for hwMoments_Finish. The one sum that decides whether there is a
// volume and that gives the mass properties: two sums about different points differ by their rounding. `rounding`: m3, a bound
// of the volume's rounding: each determinant errs by less than 1e-14 of its sum of absolute products (about 8 roundings; Shewchuk
// 1997 calls it the permanent). That is larger than the determinant itself where the corners lie in a plane with the origin.
hwMoments hwMesh_ComputeMoments(const hwMeshData* mesh, hwVec3* origin, double* rounding);

// Every vertex is behind every triangle's plane, within 1e-6 of the bounding box's diagonal: coordinates that went
// through a file in single precision (6e-8) split flat faces by about that much.
// O(triangles x vertices).
hwStatus hwMesh_CheckConvex(const hwMeshData* mesh, const char* what, hwError* error);

#endif
