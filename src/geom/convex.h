// Convex bodies for distance and contact: a core (point, segment, triangle, box, cylinder or hull) with a radius round
// it. A sphere is a point with a radius, a capsule a segment with one, so their round parts are exact.
#ifndef HW_GEOM_CONVEX_H
#define HW_GEOM_CONVEX_H

#include "geom/hull.h"

typedef enum hwConvexKind {
    HW_CONVEX_POINT,    // the origin
    HW_CONVEX_SEGMENT,  // from -half.z to half.z on the z axis
    HW_CONVEX_TRIANGLE, // corner[0..2]
    HW_CONVEX_BOX,      // half edges half.x, half.y, half.z
    HW_CONVEX_CYLINDER, // radius half.x, from -half.z to half.z on the z axis
    HW_CONVEX_HULL
} hwConvexKind;

typedef struct hwConvex {
    hwConvexKind kind;
    double radius; // m, round the core
    hwVec3 half;
    hwVec3 corner[3];
    const hwHull* hull; // borrowed
} hwConvex;

hwConvex hwMakeSphere(double radius);
hwConvex hwMakeCapsule(double radius, double length);
hwConvex hwMakeBox(hwVec3 size);
hwConvex hwMakeCylinder(double radius, double length);
hwConvex hwMakeTriangle(hwVec3 a, hwVec3 b, hwVec3 c, double radius);
hwConvex hwMakeHull(const hwHull* hull);

// The body of a shape in the shape's own frame; a hull has been prepared from its mesh. False: a mesh is not convex.
bool hwConvex_FromShape(const hwShapeDef* shape, const hwHull* hull, hwConvex* out);

// Box of the body at a place.
hwBox hwConvex_GetBounds(const hwConvex* convex, hwPose pose);

// Two bodies' nearest or deepest points.
typedef struct hwClosest {
    double distance;       // m between the surfaces; negative: depth, the least translation that parts them
    hwVec3 normal;         // unit, from the first to the second
    hwVec3 pointA, pointB; // on the surfaces: pointB = pointA + distance normal, up to rounding
    int iterations;        // of GJK and EPA together
} hwClosest;

// What a pair remembers from its last query. Zero it at first; it only saves time, the answer does not depend on it
// beyond rounding: for the same bits after a state is restored, keep it there or zero it then. Not for sharing
// between threads.
#define HW_CACHE_POINTS 32
#define HW_CACHE_FACES 60
typedef struct hwPairCache {
    int count;                                  // of the points; 0: nothing is remembered
    int faceCount;                              // 0: a simplex of GJK, else a polytope of EPA
    int a[HW_CACHE_POINTS], b[HW_CACHE_POINTS]; // supporting vertices of the first and second body
    uint8_t face[HW_CACHE_FACES][3];
} hwPairCache;

// Distance (Gilbert, Johnson & Keerthi 1988) or depth (van den Bergen 2001) of two convex bodies. Boxes that overlap
// are separated by their 15 axes instead. Exact to rounding for polyhedra, spheres and capsules; cylinders converge to
// 1e-10 of their size. Two hulls of over a thousand faces that almost coincide may run out of room: the depth is then up
// to 0.2 % too large, and the normal still parts them. No allocation. `cache` may be null.
hwClosest hwConvex_FindClosest(const hwConvex* a, hwPose poseA, const hwConvex* b, hwPose poseB,
                               hwPairCache* cache);

// Whether the distance of two bodies is more than `distance`, not negative: for who need not know how far.
bool hwConvex_IsApart(const hwConvex* a, hwPose poseA, const hwConvex* b, hwPose poseB, double distance);

#endif
