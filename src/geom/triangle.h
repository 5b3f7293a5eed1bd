// Points, segments and triangles: nearest points and intersections. Plain functions without memory.
#ifndef HW_GEOM_TRIANGLE_H
#define HW_GEOM_TRIANGLE_H

#include "hawser/math.h"

// Parameter, 0 to 1, of the point of the segment a b nearest to p.
double hwSegment_GetNearest(hwVec3 a, hwVec3 b, hwVec3 p);

// Nearest points of two segments: a + s (b - a) and c + t (d - c). Returns the distance squared. Parallel segments
// that run alongside each other give the middle of the stretch they share.
double hwSegments_GetNearest(hwVec3 a, hwVec3 b, hwVec3 c, hwVec3 d, double* s, double* t);

// The point of the triangle nearest to p.
hwVec3 hwTriangle_GetNearest(hwVec3 a, hwVec3 b, hwVec3 c, hwVec3 p);

typedef struct hwSegmentTriangle {
    double distance2; // squared; 0 where they cross
    double s;         // place on the segment, 0 to 1
    hwVec3 onSegment, onTriangle;
    bool crosses; // the segment passes through the triangle
} hwSegmentTriangle;

// Nearest points of the segment p q and a triangle. Parallel to the triangle, the middle of the stretch above it is
// taken, so that the point moves smoothly.
hwSegmentTriangle hwSegmentTriangle_GetNearest(hwVec3 p, hwVec3 q, hwVec3 a, hwVec3 b, hwVec3 c);

// The same when the distance squared is at most `reach2`; false otherwise, which is found out sooner.
bool hwSegmentTriangle_FindWithin(hwVec3 p, hwVec3 q, const hwVec3 corner[3], double reach2,
                                  hwSegmentTriangle* out);

// The ray origin + t direction, 0 <= t <= tMax, hits the triangle, from either side. Neighbours that share an edge
// leave no gap (after Woop, Benthin & Wald 2013). On a hit writes t.
bool hwTriangle_CastRay(hwVec3 origin, hwVec3 direction, double tMax, hwVec3 a, hwVec3 b, hwVec3 c,
                        double* t);

// First touch of a moving ball: |origin + t direction - triangle| = radius for some 0 <= t <= tMax. A ball that
// overlaps at the start gives t = 0. `normal` is the unit vector from the triangle to the ball's centre then.
bool hwTriangle_SweepBall(hwVec3 origin, hwVec3 direction, double radius, double tMax, hwVec3 a, hwVec3 b,
                          hwVec3 c, double* t, hwVec3* normal);

// Do two triangles meet? If they cross, `from` and `to` are the ends of their common segment; coplanar triangles that
// overlap give a segment inside both.
bool hwTriangles_Intersect(const hwVec3 first[3], const hwVec3 second[3], hwVec3* from, hwVec3* to);

#endif
