/// @file entanglement.h
/// What a cable of a world is wound round and passes through, live: channels, events, and the calls below.
///
/// A watch of a cable follows the axes of piles and the closed loops of structures, given by hand or found from the shapes of
/// bodies, and where the cable lies on what. See tether.h for what the numbers mean; docs/scenes.md has the channels.
#ifndef HAWSER_ENTANGLEMENT_H
#define HAWSER_ENTANGLEMENT_H

#include "hawser/base.h"
#include "hawser/cable.h"
#include "hawser/math.h"
#include "hawser/tether.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How a cable is closed from its end b to its end a: what counts as not wound.
typedef enum hwReferenceKind {
    HW_REFERENCE_SURFACE, ///< up to the water's mean level, straight along it, down; straight where there is no water
    HW_REFERENCE_STRAIGHT, ///< straight
    HW_REFERENCE_PATH      ///< through given points
} hwReferenceKind;

/// An axis of a pile or a leg.
typedef struct hwWatchAxisDef {
    const char* name; ///< unique in the watch
    hwBodyId body;    ///< that it moves with; null: the earth
    hwVec3 from,
        to; ///< m, body frame: two points on it; turns count positive by the right hand from the first to the second
    bool ends; ///< only what runs beside the piece between them counts for `turns`
} hwWatchAxisDef;

/// A closed loop.
typedef struct hwWatchLoopDef {
    const char* name;     ///< unique in the watch
    hwBodyId body;        ///< that it moves with; null: the earth
    int count;            ///< entries of `points`, at least 3
    const hwVec3* points; ///< m, body frame, corners; the last is joined to the first
} hwWatchLoopDef;

/// Description of a watch. Start from hwDefaultEntanglementDef(); arrays and texts are copied.
typedef struct hwEntanglementDef {
    hwCableId cable;             ///< which cable; one watch each
    hwReferenceKind reference;   ///< HW_REFERENCE_SURFACE unless given
    int pathCount;               ///< HW_REFERENCE_PATH: entries of `path`
    const hwVec3* path;          ///< m, world, from end b to end a, both left out
    int axisCount;               ///< entries of `axes`
    const hwWatchAxisDef* axes;  ///< given by hand
    int loopCount;               ///< entries of `loops`
    const hwWatchLoopDef* loops; ///< given by hand
    int bodyCount;               ///< entries of `bodies`
    const hwBodyId*
        bodies; ///< whose skeletons are found and whose contact is summed; none: all fixed bodies with shapes
    bool find;  ///< axes and loops of the bodies are found from their shapes; true unless given
    double bendRadius; ///< m, least allowed; 0: none
    int cookie;        ///< set by hwDefaultEntanglementDef
} hwEntanglementDef;

/// Closed along the surface; everything found.
HW_API hwEntanglementDef hwDefaultEntanglementDef(void);
/// Follows a cable from the next Prepare on. Fails when it is followed already.
HW_API hwStatus hwWorld_WatchEntanglement(hwWorld* world, const hwEntanglementDef* def, hwError* error);

/// What is known of one axis or loop.
typedef struct hwWatchFeature {
    const char* name; ///< as given, or the body's, with a number where it has several
    hwBodyId body;    ///< that it moves with; null: the earth
    bool isAxis;      ///< else a loop
    int number;       ///< winding or linking number of the closed cable, exact
    bool certain;     ///< false: the cable touches the axis or loop itself within rounding, and `number` is 0
    double turns;     ///< axes: angle that the cable itself runs through about it, over 2 pi; loops: 0
    double since; ///< s, when it was first wound round or through, of the present time it is; NaN: it is not
    int side;     ///< +1, -1: in which direction that was; 0: it is not
} hwWatchFeature;

/// What is known of the contact with one body.
typedef struct hwWatchContact {
    hwBodyId body; ///< which
    double
        wrap; ///< rad, through which the cable turns where it lies on it; held for 0.2 s when contact is lost
    double capstan; ///< e^(friction wrap): what friction there can hold over what pulls
} hwWatchContact;

/// What is known of a cable as a whole.
typedef struct hwEntanglement {
    int featureCount;  ///< axes and loops
    int bodyCount;     ///< bodies whose contact is followed
    int sum;           ///< of all |number|
    int word;          ///< letters of the reduced word, see hwTether_ReduceWord; -1: not certain
    int uncertain;     ///< features whose number is not certain
    int first;         ///< feature that was wound first of those that are now; -1: none
    double firstTime;  ///< s, when; NaN: none
    double wrap;       ///< rad, over all bodies
    double capstan;    ///< product over all bodies
    double slack;      ///< unstretched length over the straight distance of the ends, less 1
    double bendRadius; ///< m, least along it
    double bendMargin; ///< over the least allowed; inf: none is given
    double twist;      ///< rad, along all of it
    double hockle;     ///< see hwTether_GetHockleIndex, with the least tension along it
} hwEntanglement;

/// All of it now. Fails when the cable is not followed.
HW_API hwStatus hwCable_GetEntanglement(const hwWorld* world, hwCableId cable, hwEntanglement* out,
                                        hwError* error);
/// Feature `index` of featureCount; all zero out of range or when the cable is not followed.
HW_API hwWatchFeature hwCable_GetWatchFeature(const hwWorld* world, hwCableId cable, int index);
/// Where it is now, world axes: writes up to `capacity` points of a loop, or two points of an axis, and returns how many
/// there are.
HW_API int hwCable_GetWatchPoints(const hwWorld* world, hwCableId cable, int index, int capacity,
                                  hwVec3* points);
/// Body `index` of bodyCount; likewise.
HW_API hwWatchContact hwCable_GetWatchContact(const hwWorld* world, hwCableId cable, int index);

// Forecasts ---------------------------------------------------------------------------------------------------------------

#define HW_HAUL_ARCS 32 ///< Most places of a forecast.

/// A place where a cable that is hauled in will hang.
typedef struct hwHaulArc {
    hwBodyId body; ///< on what
    int shape;     ///< index among its shapes
    hwVec3 point;  ///< m, world, in the middle of it
    double at;     ///< m of tight cable from end a
    double angle;  ///< rad, through which it turns there
    double
        factor; ///< e^(friction angle): pull on the side of end a over that behind it when it slips towards a
    double pull; ///< N at end a that moves the cable here, given what holds end b
} hwHaulArc;

/// What hauling at end a would do now.
typedef struct hwHaulForecast {
    double length; ///< m, of the cable pulled tight as it lies: no more than the rest can be hauled in
    double
        slack; ///< unstretched length over that, less 1: against the shortest way in its class, not the straight one
    double angle;  ///< rad, turned through in contact when tight
    double factor; ///< product of all factors
    double pull;   ///< N at end a that moves end b
    int holding; ///< arc behind which `limit` newtons at end a no longer move the cable; -1: none, it comes home
    int arcCount;                 ///< places, all of them; the first HW_HAUL_ARCS are below
    hwHaulArc arcs[HW_HAUL_ARCS]; ///< from end a on
} hwHaulForecast;

/// Computes the shape of the watched cable pulled tight round the bodies of its watch; the cable itself stays. `load`: N, what holds end b; `limit`: N, most pull at
/// end a. Writes up to `capacity` points of the tight cable to `points` (may be null) and their number to `count` (may be
/// null). Allocates; changes nothing.
HW_API hwStatus hwCable_ForecastHaul(const hwWorld* world, hwCableId cable, double load, double limit,
                                     hwHaulForecast* out, int capacity, hwVec3* points, int* count,
                                     hwError* error);

/// The way home for what is at end b that undoes every wrap while the slack is hauled in at end a: way-points from end b to
/// end a, away from the watched bodies by `clearance` metres where there is room. Writes up to `capacity` and returns how many
/// there are; -1 and an error on failure. See hwTetherSpace_FindRoute. Where the sum of windings about axes would grow on it for a
/// while, as round a brace beside a leg, the tether is thought to be slid along what it lies on until it does not, if a way up to
/// half as long again is found so.
HW_API int hwCable_FindRoute(const hwWorld* world, hwCableId cable, double clearance, int capacity,
                             hwTetherWaypoint* route, hwError* error);

#ifdef __cplusplus
}
#endif
#endif
