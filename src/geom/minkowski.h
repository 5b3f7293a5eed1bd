// The Minkowski difference A - B of two convex cores, seen through its supporting points: what GJK and EPA walk on.
// Everything is in A's frame.
#ifndef HW_GEOM_MINKOWSKI_H
#define HW_GEOM_MINKOWSKI_H

#include "geom/convex.h"

typedef struct hwMinkowski {
    const hwConvex *a, *b;
    hwMat3 r;    // B's axes in A's
    hwVec3 p;    // B's origin in A's frame
    double size; // of the cores together, for tolerances
} hwMinkowski;

typedef struct hwSupport {
    hwVec3 w;   // a - b
    hwVec3 a;   // on A's core
    int ia, ib; // vertices; -1 on a curved core
} hwSupport;

hwMinkowski hwMakeMinkowski(const hwConvex* a, hwPose poseA, const hwConvex* b, hwPose poseB);

// The point of A - B farthest along `direction`, which need not be of unit length; climbing starts at the given
// vertices.
hwSupport hwMinkowski_FindSupport(const hwMinkowski* m, hwVec3 direction, int startA, int startB);

// The point of two known vertices.
hwSupport hwMinkowski_GetPoint(const hwMinkowski* m, int ia, int ib);

typedef struct hwSimplex {
    int count;
    hwSupport point[4];
    double share[4]; // barycentric coordinates of the point nearest to the origin
} hwSimplex;

// Nearest point of A - B to the origin. The simplex starts as given (count 0: anywhere) and ends as the one that holds
// the nearest point. True: the cores overlap or touch within rounding. `nearest` is only for the answer false.
bool hwMinkowski_FindNearest(const hwMinkowski* m, hwSimplex* simplex, hwVec3* nearest, int* iterations);

// Whether the cores are farther apart than `limit`, which takes fewer supporting points than to know how far.
bool hwMinkowski_IsApart(const hwMinkowski* m, double limit);

// The nearest point of the boundary of A - B to the origin inside.
typedef struct hwDepth {
    double depth;
    hwVec3 normal; // unit, outward of A - B
    hwVec3 a, b;   // on the cores
    int iterations;
} hwDepth;

// From the simplex that hwMinkowski_FindNearest ended with; fills the cache where it is not null.
hwDepth hwMinkowski_FindDepth(const hwMinkowski* m, const hwSimplex* simplex, hwPairCache* cache);
// From the cache alone: false when its polytope no longer holds the origin.
bool hwMinkowski_ResumeDepth(const hwMinkowski* m, hwPairCache* cache, hwDepth* out);

// Two boxes: false and an axis between them (from A to B) when they are apart; else the depth along the best of the 15
// axes (Gottschalk, Lin & Manocha 1996).
bool hwMinkowski_FindBoxDepth(const hwMinkowski* m, hwDepth* out, hwVec3* axis);

#endif
