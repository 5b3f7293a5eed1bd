/// @file query.h
/// Questions to a world: what a ray or a moving ball hits first, what is nearest to a point, what a shape overlaps.
///
/// Queries see a snapshot of all bodies, links, cables and the seabed. hwWorld_UpdateQueries takes it; queries themselves
/// change nothing, allocate nothing, and any number of threads may ask at once, also while another thread steps the world.
/// Only hwWorld_UpdateQueries, hwWorld_Prepare, calls that add or remove things, and hwDestroyWorld must not run beside them.
///
/// Bodies count with their shapes as they were described (a mesh with its triangles, not its convex parts), cables with
/// round elements between their nodes. Whether contact is on does not matter. The cost grows with the logarithm of the
/// number of shapes, elements and triangles. Answers do not depend on earlier questions; of equal distances the thing
/// that comes first counts: bodies in the order of their handles, then cables, then the seabed.
#ifndef HAWSER_QUERY_H
#define HAWSER_QUERY_H

#include "hawser/base.h"
#include "hawser/body.h"
#include "hawser/cable.h"
#include "hawser/math.h"
#include "hawser/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What was found.
typedef enum hwHitKind {
    HW_HIT_NONE,  ///< nothing
    HW_HIT_BODY,  ///< a shape of a body or link
    HW_HIT_CABLE, ///< an element of a cable
    HW_HIT_SEABED ///< the bottom
} hwHitKind;

/// An answer, world axes.
typedef struct hwQueryHit {
    hwHitKind kind;  ///< which of the fields below count
    hwBodyId body;   ///< the body or link; null for others
    int shape;       ///< index among the body's shapes, or -1
    int triangle;    ///< index among the triangles of a mesh or of the seabed, or -1
    hwCableId cable; ///< the cable; null for others
    int element;     ///< of the cable, from end a, or -1
    double at;       ///< m, arc length on the cable where it was found; 0 for others
    hwVec3 point;    ///< m, on the surface of what was found
    hwVec3 normal;   ///< unit, outward there
    double distance; ///< m, that the ray or ball has gone; from the point, negative inside; 0 for overlaps
} hwQueryHit;

/// Decides about a candidate whose kind, ids, shape and element are filled in, before its distance is computed. Must be
/// safe to call from as many threads as ask.
typedef bool hwQueryAcceptFn(const hwQueryHit* candidate, void* context);

/// What a query sees. Start from hwDefaultQueryFilter().
typedef struct hwQueryFilter {
    bool bodies;     ///< shapes of bodies and links; true unless given
    bool cables;     ///< true unless given
    bool seabed;     ///< true unless given
    uint64_t mask;   ///< categories of shapes and cables that are seen, see hwFilter; all unless given
    hwBodyId except; ///< a body or link that is not seen, such as the one that asks; null: none
    hwQueryAcceptFn* accept; ///< false: not seen; null: all are
    void* context;           ///< given to `accept`
    int cookie;              ///< set by hwDefaultQueryFilter
} hwQueryFilter;

/// Everything.
HW_API hwQueryFilter hwDefaultQueryFilter(void);

/// Takes the snapshot that queries see from then on, of the world's present state. The first call after Prepare
/// allocates; later ones do not. The world must be prepared.
HW_API hwStatus hwWorld_UpdateQueries(hwWorld* world, hwError* error);
/// Simulated time of the snapshot, s; NaN when there is none.
HW_API double hwWorld_GetQueryTime(const hwWorld* world);

/// A ray, or a ball whose centre runs along it.
typedef struct hwRay {
    hwVec3 origin;    ///< m, world
    hwVec3 direction; ///< world; any length but zero
    double length;    ///< m, how far it goes
    double radius;    ///< m, of the ball; 0: a ray
} hwRay;

/// The first thing that a ray or ball hits; HW_HIT_NONE in `hit` when there is none. One that starts inside a convex shape
/// or a cable hits it at distance 0; a ray that starts inside a mesh hits that from within. `filter` may be null.
HW_API hwStatus hwWorld_CastRay(const hwWorld* world, const hwRay* ray, const hwQueryFilter* filter,
                                hwQueryHit* hit, hwError* error);
/// Everything that a ray or ball hits, each shape, cable and the seabed where it is hit first, by rising distance: writes
/// the nearest `capacity` and returns how many there are, or -1 and fills `error`.
HW_API int hwWorld_CastRayAll(const hwWorld* world, const hwRay* ray, const hwQueryFilter* filter,
                              int capacity, hwQueryHit* hits, hwError* error);

/// The surface nearest to a point within `reach` metres, by signed distance: inside a shape it is negative, so that what
/// the point is deepest in comes first. HW_HIT_NONE when there is none. `filter` may be null.
HW_API hwStatus hwWorld_FindClosest(const hwWorld* world, hwVec3 point, double reach,
                                    const hwQueryFilter* filter, hwQueryHit* hit, hwError* error);

/// What a shape (box, sphere, cylinder or capsule) at a place overlaps, its own pose applied first: each shape and cable
/// once, then the seabed, which is solid below its surface. Writes up to `capacity` in the order of bodies and their
/// shapes, then cables, then the seabed, and returns how many there are, or -1 and fills `error`. `point` and `normal`
/// are where it is deepest of the first triangle or element found, or zero where it is inside a mesh.
HW_API int hwWorld_FindOverlaps(const hwWorld* world, const hwShapeDef* shape, hwPose pose,
                                const hwQueryFilter* filter, int capacity, hwQueryHit* hits, hwError* error);

#ifdef __cplusplus
}
#endif
#endif
