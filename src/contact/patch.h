// The overlap of two solid parts: how much, where, and how it grows when they move. Everything that the normal force and
// its matrices need.
//
// Pairs of boxes and hulls, and every part against a plane, are exact. So is a sphere, capsule or cylinder on a flat face
// of a box or hull when its area of contact lies within the face. Elsewhere
//   sphere on an edge or corner      as on a plane through the nearest point
//   sphere on sphere, side of a cylinder or capsule   paraboloids of the same curvatures
//   capsule                          a round line, contact/field.h
//   cylinder on an edge, on a cylinder   prisms of 24 sides with the same cross-section
#ifndef HW_CONTACT_PATCH_H
#define HW_CONTACT_PATCH_H

#include "geom/convex.h"
#include "geom/mesh_tree.h"
#include "math/spatial.h"

// A convex part of a body, in its own frame.
typedef struct hwSolidPart {
    hwConvex convex;
    hwShapeDef shape;    // the same, its pose the identity
    const hwHull* prism; // cylinder: the polyhedron that stands for it; otherwise null
    double reach;        // m: nothing of it is farther from its frame's origin
    double thickness;    // m, its least width
} hwSolidPart;

// World axes.
typedef struct hwPatch {
    double volume; // m3
    hwVec3 point;  // centroid of the volume
    hwVec3 normal; // unit, from A to B
    double area;   // m2, of the plane of contact
    hwVec3 offset; // m, from `point` to the centroid of that area
    hwSym3 second; // m4, second moments of the area about `point`
    double depth;  // m
    double height; // m: the elastic energy is stiffness * volume * height
} hwPatch;

// A, which may be a mesh here, against the half-space below the plane through `at` with the unit normal `up`. False: they are apart.
bool hwPatch_OnPlane(const hwSolidPart* part, hwPose pose, hwVec3 at, hwVec3 up, hwPatch* out);

// Memory for hwPatch_Between: the scratch of hwConvex_FindOverlap.
typedef struct hwPatchTools {
    void* scratch;
    size_t size;
} hwPatchTools;

// Two parts. `cache` may be null. False: they are apart.
bool hwPatch_Between(const hwSolidPart* a, hwPose poseA, const hwSolidPart* b, hwPose poseB,
                     hwPairCache* cache, hwPatchTools tools, hwPatch* out);

// A box, hull or cylinder against a triangle in world axes, which stands for the prism below it, `thickness` deep along
// the unit vector `down`. Of the ground, `down` is the same everywhere and the prisms of neighbouring triangles fit
// together without gaps; of a mesh it is against the triangle's normal.
bool hwPatch_OnTriangle(const hwSolidPart* a, hwPose poseA, const hwVec3 corner[3], hwVec3 down,
                        double thickness, hwPatchTools tools, hwPatch* out);

// A sphere or capsule against the surface that some triangles in world axes make.
bool hwPatch_OnTriangles(const hwSolidPart* a, hwPose poseA, int count, const hwVec3 (*triangles)[3],
                         hwPatch* out);

// For pairs that begin in each other. Dashpots act on the middle of the overlap, as its force does, all over its mean cross-section:
// where a corner looks out of the other part, they would turn the body and not slow it. A ball in a part with faces is a
// column of its volume and width, as deep as the shortest way out; so is a capsule, with what it overlaps, where that way is
// longer than it is wide: their own overlap is the same however deep they are, or has no one direction, and a ball's goes with
// the square of the depth in the end, while what fades evenly would throw it out.
void hwPatch_MakeColumn(const hwSolidPart* a, hwPose poseA, const hwSolidPart* b, hwPose poseB,
                        hwPatch* patch);

static inline bool hwSolidPart_IsRound(const hwSolidPart* part) {
    return part->convex.kind == HW_CONVEX_POINT || part->convex.kind == HW_CONVEX_SEGMENT;
}

// How far the part reaches along a unit direction, from its origin.
double hwSolidPart_GetSupport(const hwSolidPart* part, hwPose pose, hwVec3 direction);

// Rate at which the volume grows when A moves against B with this motion about `point`.
static inline double hwPatch_GetRate(const hwPatch* patch, hwSpatial motion) {
    return patch->area *
           (hwDot(patch->normal, motion.l) + hwDot(hwCross(patch->offset, patch->normal), motion.a));
}

// The integral of J^T n n^T J over the area of contact, about `point`: times stiffness it is the matrix of the elastic
// force, times damping that of dashpots all over the area.
void hwPatch_GetMatrix(const hwPatch* patch, hwSpatialSym* out);

// Half edges or radius and length: derived fields of a part.
void hwSolidPart_Measure(hwSolidPart* part);

#endif
