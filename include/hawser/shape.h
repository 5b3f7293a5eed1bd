/// @file shape.h
/// Solid shapes of bodies: what displaces water and what touches.
#ifndef HAWSER_SHAPE_H
#define HAWSER_SHAPE_H

#include "hawser/base.h"
#include "hawser/math.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Forms of solids.
typedef enum hwShapeKind {
    HW_SHAPE_BOX,      ///< centred, edges `size`
    HW_SHAPE_SPHERE,   ///< centred, `radius`
    HW_SHAPE_CYLINDER, ///< centred, axis z, `radius`, `length`
    HW_SHAPE_CAPSULE,  ///< centred, axis z, `radius`, `length` of the straight part
    HW_SHAPE_HULL,     ///< closed convex mesh
    HW_SHAPE_MESH      ///< closed mesh, any form
} hwShapeKind;

/// Triangles of a surface, outward normals by the right-hand rule. Borrowed by a def, copied by Add.
typedef struct hwMeshData {
    int vertexCount;           ///< entries of `vertices`
    const hwVec3* vertices;    ///< m
    int triangleCount;         ///< entries of `triangles`
    const int (*triangles)[3]; ///< indices of vertices
} hwMeshData;

/// Which things touch, and which of them a query sees: two touch when the category of each is in the mask of the other.
typedef struct hwFilter {
    uint64_t category; ///< bits that say what it is; 1 unless given
    uint64_t mask;     ///< bits of the categories that it touches; all unless given
} hwFilter;

#define HW_FILTER_ALL UINT64_MAX ///< A mask that holds every category.

/// One shape of a body. Start from hwDefaultShapeDef().
typedef struct hwShapeDef {
    hwShapeKind kind; ///< which of the fields below count
    hwVec3 size;      ///< m, full edge lengths of a box
    double radius;    ///< m
    double length;    ///< m
    hwMeshData mesh;  ///< hull or mesh, in m
    int partCount;    ///< mesh: entries of `parts`
    const hwMeshData*
        parts;   ///< mesh: convex parts that touch in its place; none: its triangles do, which suits what
                 ///< does not move: a concave mesh that moves then touches convex shapes and flat ground only
    hwPose pose; ///< of the shape in the body's frame
    const char* material; ///< name of a material of the world, or null
    hwFilter filter;      ///< which shapes and cables it touches; the seabed is of every category
    void* userData;       ///< the caller's own; never read by the library
    int cookie;           ///< set by hwDefaultShapeDef
} hwShapeDef;

/// A shape at the body's origin that still needs its kind and measures.
HW_API hwShapeDef hwDefaultShapeDef(void);

/// Volume, centroid and inertia of a solid of density 1.
typedef struct hwMassProperties {
    double volume;     ///< m3
    hwVec3 centroid;   ///< m, in the frame in which the shape's pose is given
    double inertia[6]; ///< m5: xx yy zz xy xz yz of the tensor about the centroid
} hwMassProperties;

/// Exact volume, centroid and inertia of a shape, in the body's frame. Meshes must be closed: every edge used as often
/// in one direction as in the other, where vertices at the same place count as one.
HW_API hwStatus hwShape_ComputeMassProperties(const hwShapeDef* shape, hwMassProperties* out, hwError* error);

/// The part of a shape below a plane.
typedef struct hwSubmergence {
    double volume;       ///< m3 below the plane
    hwVec3 centroid;     ///< of that volume, same frame as the plane; zero when the volume is zero
    double area;         ///< m2, of the cut
    hwVec3 cutCentroid;  ///< of the cut area; zero when there is none
    double cutMoment[3]; ///< m4: second moments of the cut about its centroid, along two axes in the plane:
        ///< [0] = integral of u^2, [1] = of v^2, [2] = of u v, with u = hwPerpendicular(normal),
        ///< v = normal x u
} hwSubmergence;

/// Clips the shape, moved to `pose`, at the plane through `point` with unit `normal` pointing out of the water. Exact
/// to rounding for every shape; a face that lies in the plane counts as cut when the body is below it.
HW_API hwStatus hwShape_ComputeSubmergence(const hwShapeDef* shape, hwPose pose, hwVec3 point, hwVec3 normal,
                                           hwSubmergence* out, hwError* error);

#ifdef __cplusplus
}
#endif
#endif
