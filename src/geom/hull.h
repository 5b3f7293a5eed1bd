// Convex polyhedra prepared for queries: flat faces as polygons, and each vertex's neighbours for hill climbing. The
// hull itself comes from elsewhere (qhull when shapes are loaded): here its triangles are welded, merged and linked.
#ifndef HW_GEOM_HULL_H
#define HW_GEOM_HULL_H

#include "geom/box.h"
#include "hawser/base.h"
#include "hawser/shape.h"

typedef struct hwPlane {
    hwVec3 normal; // unit, outward
    double offset; // normal . x on the plane
} hwPlane;

typedef struct hwHull {
    int vertexCount;
    const hwVec3* vertices;
    int faceCount;
    const hwPlane* planes;    // one per face
    const int* faceStart;     // faceCount + 1 places in faceVertices
    const int* faceVertices;  // each face's corners, counter-clockwise from outside
    const int* neighborStart; // vertexCount + 1 places in neighbors
    const int* neighbors;     // vertices joined by an edge
    hwVec3 centroid;          // of the volume
    double volume;            // m3
    double radius;            // largest distance of a vertex from the origin of the hull's frame
    hwBox bounds;
} hwHull;

// From a closed, outward, convex mesh (hwMesh_CheckConvex): vertices at one place are welded, triangles in one plane
// within 1e-10 of the size merged. All arrays lie in one block that hwHull_Free releases.
hwStatus hwHull_Init(hwHull* hull, const hwAllocator* allocator, const hwMeshData* mesh, hwError* error);
void hwHull_Free(hwHull* hull, const hwAllocator* allocator);

// The eight corners and six faces of a box with the given half edges, in storage of the caller.
typedef struct hwBoxHull {
    hwHull hull;
    hwVec3 vertices[8]; // corner i has x, y, z positive where bits 0, 1, 2 of i are set
    hwPlane planes[6];  // -x +x -y +y -z +z
} hwBoxHull;

void hwBoxHull_Init(hwBoxHull* box, hwVec3 half);

// Vertex farthest along `direction`, climbing from `start` over the neighbours; small hulls are scanned.
int hwHull_FindSupport(const hwHull* hull, hwVec3 direction, int start);

#endif
