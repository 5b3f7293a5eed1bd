/// @file tether.h
/// Tether awareness: what a curve in space is wound round and passes through, how much of it is slack, how tightly it bends.
///
/// Geometry and topology alone: every function takes plain arrays and no world. A world's own cables are measured by
/// hwWorld_AddEntanglement (entanglement.h), which calls these.
///
/// A *closed tether* is the polygon of the tether's points from end a to end b, followed by the points of a reference path
/// that leads from end b back to end a (its own ends need not be repeated). The reference path defines what "not wound"
/// means. All integers belong to that closed polygon and are exact: signs of determinants decide them, each with a bound of
/// its rounding error. Where a sign cannot be told, because a curve touches an axis or a loop within rounding, the result
/// says so (`certain` is false) instead of giving a number that may be wrong.
#ifndef HAWSER_TETHER_H
#define HAWSER_TETHER_H

#include "hawser/base.h"
#include "hawser/math.h"
#include "hawser/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Points of a polyline, borrowed.
typedef struct hwPolyline {
    int count;            ///< entries of `points`
    const hwVec3* points; ///< m
} hwPolyline;

/// The axis of a pile, a leg, a rope: a straight line or a piece of one.
typedef struct hwTetherAxis {
    hwVec3 point;     ///< m, on the axis
    hwVec3 direction; ///< unit; turns count positive by the right-hand rule about it
    hwVec3
        curtain; ///< unit, at right angles to `direction`, or zero: any. Half-plane in which words count crossings
    double from; ///< m along `direction` from `point`, where it begins; -inf: nothing passes below it
    double to;   ///< m likewise, where it ends; inf: nothing passes above it
} hwTetherAxis;

/// An exact number, or the word that there is none.
typedef struct hwTurnCount {
    int count;    ///< signed; 0 where it is not certain
    bool certain; ///< false: a curve touches the axis or loop within rounding, or a number is not finite
} hwTurnCount;

/// Angle in rad through which the polyline turns about the axis, by the right-hand rule. Of an axis that ends, only what
/// runs beside it counts. `certain`, unless null: false where the polyline touches the axis within rounding.
HW_API double hwTether_GetSweptAngle(hwPolyline tether, const hwTetherAxis* axis, bool* certain);

/// Winding number of the closed tether about the axis taken as an infinite line. Exact.
HW_API hwTurnCount hwTether_CountWinding(hwPolyline tether, hwPolyline reference, const hwTetherAxis* axis);

/// Linking number of the closed tether with a closed polygon: +1 for each passage through it in the direction that the
/// right-hand rule gives the polygon, -1 for each against. Exact: crossings of a surface that the polygon bounds are
/// counted by signs of determinants; where these cannot be told for four such surfaces, the sum of solid angles (van
/// Oosterom and Strackee 1983) decides, unless the curves meet within rounding.
HW_API hwTurnCount hwTether_CountLinking(hwPolyline tether, hwPolyline reference, hwPolyline loop);

/// The same as the sum of solid angles of all pairs of segments over 4 pi, without rounding to an integer: an independent
/// check. O(product of the counts).
HW_API double hwTether_ComputeLinking(hwPolyline tether, hwPolyline reference, hwPolyline loop);

/// What a curve may cross: the curtain of an axis, or the surface of a loop.
typedef struct hwTetherFeature {
    bool isAxis;       ///< else a loop
    hwTetherAxis axis; ///< where it is one; taken as an infinite line
    hwPolyline loop;   ///< where it is one
} hwTetherFeature;

/// A crossing.
typedef struct hwTetherLetter {
    int feature; ///< index of what is crossed
    int sign;    ///< +1, -1
    int segment; ///< of the closed tether
    double at;   ///< 0 to 1 on that segment
} hwTetherLetter;

/// The word of the closed tether: its crossings of all curtains in order, with neighbours that cancel taken out (free
/// reduction). It is empty exactly when the tether can be pulled free, as long as the curtains are disjoint and cut the
/// water into a simply connected piece: so it is for piles whose curtains point one way, and for the frames of a structure
/// whose surfaces do not cross. It sees what winding and linking numbers do not: round A, round B, back round A, back round
/// B leaves all numbers at zero and the tether stuck. Writes up to `capacity` letters and returns how many there are; -1:
/// not certain, or more than `capacity` before the reduction.
HW_API int hwTether_ReduceWord(hwPolyline tether, hwPolyline reference, int featureCount,
                               const hwTetherFeature* features, int capacity, hwTetherLetter* letters);

/// All at once: the numbers of each feature in `counts` (unless null), and the reduced word as above. Numbers may be certain
/// where the word is not.
HW_API int hwTether_CountAll(hwPolyline tether, hwPolyline reference, int featureCount,
                             const hwTetherFeature* features, hwTurnCount* counts, int capacity,
                             hwTetherLetter* letters);

/// Least radius of curvature along a polyline, m, of the circles through three points that follow each other (inf when
/// straight), and the index of the middle one in `at` unless null.
HW_API double hwTether_GetBendRadius(hwPolyline tether, int* at);

/// Angle in rad through which the direction of a polyline turns from segment `first` to segment `last`, both included.
HW_API double hwTether_GetTurning(hwPolyline tether, int first, int last);

/// Tension ratio that a rope round a bollard holds by friction: e^(friction angle) (Euler, Eytelwein: the capstan).
HW_API double hwTether_GetCapstan(double friction, double angle);

/// How near a twisted tether is to throwing a loop (hockle): its torque GJ twist / length over the one at which a rod under
/// this tension buckles, 2 sqrt(EI (tension + pi^2 EI / length^2)) (Greenhill 1883; twist in rad, tension below 0 counts as
/// 0). From 1 on it does; infinite for a twisted tether without bending stiffness.
HW_API double hwTether_GetHockleIndex(double GJ, double EI, double tension, double twist, double length);

/// Length of a polyline, m.
HW_API double hwTether_GetLength(hwPolyline line);

// Open water: the shapes of seed 000, chapter 2 --------------------------------------------------------------------------

/// How a free span bends under a load that is the same everywhere along it.
typedef enum hwTetherBend {
    HW_BEND_LINE,    ///< straight, of any length: a rubber band
    HW_BEND_VEE,     ///< two straight links, the bend where equation 2-1 puts it
    HW_BEND_CATENARY ///< the exact shape of a cable without stretch
} hwTetherBend;

/// A span between two points.
typedef struct hwTetherSpan {
    hwTetherBend bend; ///< as asked for
    hwVec3 a, b;       ///< m, ends
    double length;     ///< m
    hwVec3 load;      ///< unit, direction of the load per length: weight, buoyancy, drag of a uniform current
    bool taut;        ///< no longer than the straight distance: a straight line, also of a vee or catenary
    hwVec3 across;    ///< unit, at right angles to the load, from a towards b
    double scale;     ///< catenary: m, its parameter A; 0: it hangs down and up again along one line
    double start;     ///< catenary: angle-like parameter at a, its lowest point is at 0
    double link;      ///< vee: m from a to the bend, `ll` of equation 2-1
    hwVec3 bendPoint; ///< vee: m
} hwTetherSpan;

/// Solves a span. The catenary's parameter by Newton's method with bounds, from expansions for small and large sag: it never
/// fails where the length is at least the distance, up to lengths of 1e12 times that. Lengths are kept to 1e-9. False: a
/// number is not finite, the length negative or the load zero.
HW_API bool hwTetherSpan_Solve(hwTetherBend bend, hwVec3 a, hwVec3 b, double length, hwVec3 load,
                               hwTetherSpan* out);
/// The point at s metres from a along the span, 0 to its length (of a line or a taut span: to the distance).
HW_API hwVec3 hwTetherSpan_GetPoint(const hwTetherSpan* span, double s);

/// The load's direction by seed 000, 2.4.2: that of the current, turned up or down by the sag factor,
/// buoyancy (1 - |current| / greatest current), times 90 degrees. Buoyancy from -1 (sinks) to 1 (floats); z is up.
HW_API hwVec3 hwTether_GetSeedLoad(hwVec3 current, double greatestCurrent, double buoyancy);

// Skeletons ---------------------------------------------------------------------------------------------------------------

/// A solid of a structure: a shape at a place. Shapes must be convex (box, sphere, cylinder, capsule, hull) or closed meshes.
typedef struct hwTetherSolid {
    const hwShapeDef* shape; ///< borrowed
    hwPose pose;             ///< of the shape's own pose's frame, in the structure's frame
} hwTetherSolid;

/// What to look for.
typedef struct hwSkeletonDef {
    int solidCount;              ///< entries of `solids`
    const hwTetherSolid* solids; ///< the structure
    double gap;      ///< m: solids nearer than this count as joined; the tether's diameter, which cannot pass
    bool hasGround;  ///< what reaches below `ground` is joined through it
    double ground;   ///< m, height of the bottom in the structure's frame, z up
    bool hasSurface; ///< bars that reach from the ground through `surface` are piles
    double surface;  ///< m, height of the water's surface
} hwSkeletonDef;

/// An axis or loop that was found, in the structure's frame.
typedef struct hwSkeletonPiece {
    bool isAxis;       ///< else a loop
    hwTetherAxis axis; ///< along a pile, infinite; its direction points up
    double radius;     ///< m, of the pile
    int solid;         ///< index of the pile; of a loop -1
    int first, count;  ///< of a loop: its points in hwSkeleton.points
} hwSkeletonPiece;

/// Axes and loops of a structure. Free with hwSkeleton_Free.
typedef struct hwSkeleton {
    int pieceCount;          ///< entries of `pieces`
    hwSkeletonPiece* pieces; ///< axes first
    int pointCount;          ///< entries of `points`
    hwVec3* points;          ///< m, corners of the loops
    void* block;             ///< what holds them
} hwSkeleton;

/// Finds the axes of piles and a basis of the closed loops of a structure. Loops: solids that touch form a graph, the ground
/// one more node; a spanning tree leaves one loop for each other edge, less those that three solids with a common point fill
/// (nerve of the union). A closed mesh with handles adds one loop for each (tree and cotree of its edges, chosen by the
/// linking numbers of the loops pushed in and out). Every loop runs inside the solids.
HW_API hwStatus hwSkeleton_Find(const hwSkeletonDef* def, const hwAllocator* allocator, hwSkeleton* out,
                                hwError* error);
/// Frees what was found.
HW_API void hwSkeleton_Free(hwSkeleton* skeleton, const hwAllocator* allocator);

// Pulling tight -----------------------------------------------------------------------------------------------------------

/// Solids prepared for questions: what a tether cannot pass through.
typedef struct hwTetherSpace hwTetherSpace;

/// Copies the solids; meshes may be of any size and may be open. Null and an error on failure. `allocator` may be null.
HW_API hwTetherSpace* hwCreateTetherSpace(int count, const hwTetherSolid* solids,
                                          const hwAllocator* allocator, hwError* error);
/// Frees it. Null is allowed.
HW_API void hwDestroyTetherSpace(hwTetherSpace* space);
/// Moves a solid, given as in hwTetherSolid.
HW_API void hwTetherSpace_Place(hwTetherSpace* space, int solid, hwPose pose);

/// Whether every point of the triangle is farther than `radius` from the surface of everything. A polyline a b c may then be
/// shortened to a c without passing through anything. A triangle all within a mesh counts as free, for meshes are surfaces.
HW_API bool hwTetherSpace_IsFree(const hwTetherSpace* space, hwVec3 a, hwVec3 b, hwVec3 c, double radius);
/// Distance of the nearest surface, m, negative inside a convex solid; inf: nothing is within `reach`. Which solid it is
/// (-1: none) and the unit normal from it to the point, unless null.
HW_API double hwTetherSpace_GetClearance(const hwTetherSpace* space, hwVec3 point, double reach, int* solid,
                                         hwVec3* normal);

/// Pulls a polyline tight between its ends without passing through anything: the shortest curve of its homotopy class, to
/// about 1e-3 of its length. Corners are cut off, and moved along surfaces, as long as the triangles that this sweeps stay
/// `radius` away from everything. Writes up to `capacity` points, at least the count of the polyline, and returns how many
/// there are; 0: no room. What touches already stays as it is there.
HW_API int hwTetherSpace_Tighten(const hwTetherSpace* space, hwPolyline tether, double radius, int capacity,
                                 hwVec3* points);

/// A place where a tight tether is held.
typedef struct hwTetherArc {
    int solid;    ///< what it lies on
    int first;    ///< first and last point of the tight polyline on it
    int last;     ///< likewise
    hwVec3 point; ///< m, in the middle of it
    double at;    ///< m along the tight polyline, from end a
    double angle; ///< rad, through which it turns there
    double
        factor; ///< e^(friction angle): pull on the side of end a over that on the other side when it slips towards a
} hwTetherArc;

/// Lists the arcs of a tight polyline from end a on. `friction` has one coefficient for each solid. Writes up to `capacity` and
/// returns how many there are. A pull P at end a moves end b when it is greater than the product of all factors times what
/// holds b; behind arc i it is P over the product of the factors up to i: the first arc behind which less is left than holds
/// the tether there is the one that sticks.
HW_API int hwTetherSpace_FindArcs(const hwTetherSpace* space, hwPolyline tight, double radius,
                                  const double* friction, int capacity, hwTetherArc* arcs);

/// A way-point of a route.
typedef struct hwTetherWaypoint {
    hwVec3 point;     ///< m
    double clearance; ///< m, from the nearest solid
} hwTetherWaypoint;

/// The way home that undoes every wrap: the tight tether from end b to end a, moved away from what it lies on by `clearance`, or
/// as far as there is room. The way is in the tether's homotopy class, so flying it while the slack is hauled in never winds the
/// tether further: at every moment what is out is a part of the tether as it was. Writes up to `capacity` way-points and returns
/// how many there are; 0: no memory.
HW_API int hwTetherSpace_FindRoute(const hwTetherSpace* space, hwPolyline tight, double radius,
                                   double clearance, int capacity, hwTetherWaypoint* route);

#ifdef __cplusplus
}
#endif
#endif
