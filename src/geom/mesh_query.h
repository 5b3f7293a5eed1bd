// Questions to a mesh through its tree: nearest triangles to points and segments, rays, moving balls and capsules, and
// pairs of triangles of two meshes. All in the mesh's own frame, without allocation; any number of threads may ask.
#ifndef HW_GEOM_MESH_QUERY_H
#define HW_GEOM_MESH_QUERY_H

#include "geom/box.h"
#include "geom/mesh_tree.h"

// A segment (a capsule's axis; a point when both ends agree) near a triangle.
typedef struct hwMeshHit {
    int triangle;    // index in the mesh as given
    double distance; // m between segment and triangle, not negative
    double side;     // +1: the segment's point is on the triangle's outer side, -1: inner
    double s;        // place on the segment, 0 to 1
    hwVec3 onSegment, onMesh;
    hwVec3
        normal; // unit: from the mesh's point to the segment's, turned outward when that is inside; the triangle's
                // own normal where they cross or touch
    bool crosses; // the segment passes through the triangle
} hwMeshHit;

// The nearest triangle within `reach` of the segment p q. Where several share the nearest point (at an edge or a
// corner), the one that faces it most decides the side, which is then right for closed meshes (Baerentzen & Aanaes
// 2005). O(log n) when the reach is small.
bool hwMesh_FindNearest(const hwMeshTree* tree, hwVec3 p, hwVec3 q, double reach, hwMeshHit* hit);

// All triangles within `reach` of the segment: returns how many there are and writes the nearest `capacity` of them, in
// no order.
int hwMesh_FindWithin(const hwMeshTree* tree, hwVec3 p, hwVec3 q, double reach, hwMeshHit* hits,
                      int capacity);

// Adds a hit to a list that `total` hits were offered to before: a full list loses its farthest.
void hwMeshHit_KeepNearest(hwMeshHit* hits, int capacity, int total, const hwMeshHit* hit);

// Triangles whose boxes meet the box: returns how many, writes positions in tree->triangles of the first `capacity`.
int hwMesh_FindInBox(const hwMeshTree* tree, hwBox box, int* triangles, int capacity);

// Is the point inside a closed mesh?
bool hwMesh_Contains(const hwMeshTree* tree, hwVec3 point);

// First touch of something that moves.
typedef struct hwCastHit {
    int triangle;  // -1: not a mesh
    double t;      // 0 to tMax
    hwVec3 point;  // on what is hit
    hwVec3 normal; // unit, towards what moves
    double s;      // place on a capsule's axis, 0 to 1
} hwCastHit;

// The ray origin + t direction.
bool hwMesh_CastRay(const hwMeshTree* tree, hwVec3 origin, hwVec3 direction, double tMax, hwCastHit* hit);

// A ball whose centre runs along the ray.
bool hwMesh_SweepBall(const hwMeshTree* tree, hwVec3 origin, hwVec3 direction, double radius, double tMax,
                      hwCastHit* hit);

// A capsule whose axis goes from p0 q0 at t = 0 to p1 q1 at t = 1, each end on a straight line. The touch is found to
// 1e-9 of the distances concerned.
bool hwMesh_SweepCapsule(const hwMeshTree* tree, hwVec3 p0, hwVec3 q0, hwVec3 p1, hwVec3 q1, double radius,
                         hwCastHit* hit);

// Two triangles that meet, and their common segment in A's frame.
typedef struct hwTrianglePair {
    int a, b; // indices in the meshes as given
    hwVec3 from, to;
} hwTrianglePair;

// All pairs of triangles of two meshes that meet. `pose` is that of B's frame in A's. Returns how many there are and
// writes the first `capacity`.
int hwMeshes_FindPairs(const hwMeshTree* a, const hwMeshTree* b, hwPose pose, hwTrianglePair* pairs,
                       int capacity);

#endif
