// The common volume of two convex polyhedra, exact: volume, centroid, and the plane of contact.
#ifndef HW_GEOM_OVERLAP_H
#define HW_GEOM_OVERLAP_H

#include "geom/convex.h"

// All in world axes. Moving A by d and turning it by r about the centroid changes the volume by
// areaVector . d + areaMoment . r, so a contact force that is a function of the volume has this as its exact direction,
// point and moment.
typedef struct hwOverlap {
    double volume;     // m3; 0: they do not overlap, and the rest is zero
    hwVec3 centroid;   // of the volume
    hwVec3 areaVector; // m2: outward normals of A integrated over the part of its surface inside B
    hwVec3 areaMoment; // m3: the same of (x - centroid) x n
    hwVec3 normal;     // unit, from A to B: along areaVector; zero when one body is inside the other
    double area;       // m2, of the contact plane: |areaVector|
    double depth;      // m, extent of the volume along the normal
    double ahead;      // m, of that the part beyond the centroid
    // m4: second moments of the contact plane about the centroid of the volume, xx yy zz xy xz yz: A's surface inside B, each piece
    // counted by its share of the area
    double plane[6];
    int faceCount, vertexCount;
} hwOverlap;

// Bytes of scratch memory that suffice for hulls of so many faces in any pose; less does as long as the common part has
// few enough faces. Two boxes need none.
size_t hwOverlap_GetScratchSize(int facesA, int facesB);

// Clips one polyhedron at the faces of the other. The surface stays closed whatever the rounding, so faces that lie in
// one plane, flush edges and touching corners need no care. False: a body is not a polyhedron (only boxes and hulls
// without radius are), or the scratch memory did not
// suffice.
bool hwConvex_FindOverlap(const hwConvex* a, hwPose poseA, const hwConvex* b, hwPose poseB, void* scratch,
                          size_t size, hwOverlap* out);

#endif
