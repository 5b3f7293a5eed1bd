// Data of one shape in the geometry module.
#ifndef HW_GEOM_SHAPE_DATA_H
#define HW_GEOM_SHAPE_DATA_H

#include "hawser/base.h"
#include "hawser/shape.h"

#define HW_SHAPE_COOKIE 0x53485031

// Whether two things may touch; see hwFilter.
static inline bool hwFilter_Allows(hwFilter a, hwFilter b) {
    return (a.category & b.mask) != 0 && (b.category & a.mask) != 0;
}

// Usable: sizes positive and finite, pose a rotation, mesh closed, outward and not degenerate, hull convex. `index` is
// named in the message when it is not negative. Allocates nothing; O(triangles), for a hull O(triangles x vertices).
hwStatus hwShape_Check(const hwShapeDef* shape, int index, hwError* error);

// Of these checks, that it was started from hwDefaultShapeDef.
hwStatus hwShape_CheckCookie(const hwShapeDef* shape, int index, hwError* error);

// Exact; the shape is known to be good. In the frame in which the shape's pose is given.
hwMassProperties hwShape_GetMassProperties(const hwShapeDef* shape);

// Axis-aligned box of the shape at `pose` (the shape's own pose is applied first).
void hwShape_GetBounds(const hwShapeDef* shape, hwPose pose, hwVec3* low, hwVec3* high);

// Largest distance of the shape, in the frame of its pose, from `center`.
double hwShape_GetReach(const hwShapeDef* shape, hwVec3 center);

// The part below the plane through `point` with unit `normal`; the shape is known to be good.
hwSubmergence hwShape_Submerge(const hwShapeDef* shape, hwPose pose, hwVec3 point, hwVec3 normal);

// Adds `part` to `sum`, both about the same plane.
void hwSubmergence_Add(hwSubmergence* sum, const hwSubmergence* part, hwVec3 normal);

#endif
