/// @file debug_draw.h
/// What is in a world, as lines, points, capsules, meshes and texts for a host that draws them.
#ifndef HAWSER_DEBUG_DRAW_H
#define HAWSER_DEBUG_DRAW_H

#include "hawser/base.h"
#include "hawser/body.h"
#include "hawser/math.h"
#include "hawser/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a drawn thing is; hosts give each its colour.
typedef enum hwDrawRole {
    HW_DRAW_FREE,    ///< a body or link that moves by forces
    HW_DRAW_FIXED,   ///< a body that is fixed or prescribed, or a link of such
    HW_DRAW_CABLE,   ///< a cable's element that pulls
    HW_DRAW_SLACK,   ///< one that does not
    HW_DRAW_SEABED,  ///< the bottom
    HW_DRAW_CONTACT, ///< where things touch
    HW_DRAW_FORCE,   ///< a force
    HW_DRAW_AXIS_X,  ///< the x axis of a body's frame
    HW_DRAW_AXIS_Y,  ///< its y axis
    HW_DRAW_AXIS_Z,  ///< its z axis
    HW_DRAW_COM,     ///< a centre of mass
    HW_DRAW_BOX,     ///< a bounding box
    HW_DRAW_TEXT     ///< a name
} hwDrawRole;

/// The host's functions, world axes; those that are null are left out. Start from hwDefaultDebugDraw().
typedef struct hwDebugDraw {
    void (*line)(hwVec3 from, hwVec3 to, hwDrawRole role, void* context);  ///< m
    void (*point)(hwVec3 at, double size, hwDrawRole role, void* context); ///< `size` in pixels
    /// Round line of an element, sphere or capsule, m.
    void (*capsule)(hwVec3 from, hwVec3 to, double radius, hwDrawRole role, void* context);
    /// A box, cylinder, hull or mesh in its own frame at a place; `shape` belongs to the world.
    void (*shape)(const hwShapeDef* shape, hwPose pose, hwDrawRole role, void* context);
    void (*text)(hwVec3 at, const char* text, hwDrawRole role, void* context); ///< one line
    void* context;                                                             ///< given to all
    bool shapes;         ///< bodies' shapes; true unless given
    bool cables;         ///< true unless given
    bool seabed;         ///< a grid of lines round the origin; true unless given
    bool contacts;       ///< points, and lines for their forces; true unless given
    bool frames;         ///< bodies' axes and centres of mass; false unless given
    bool boxes;          ///< boxes round bodies; false unless given
    bool names;          ///< false unless given
    double forceScale;   ///< m of line per N of contact force; 1e-3 unless given
    double axisLength;   ///< m; 1 unless given
    double seabedExtent; ///< m from the origin to the edges of the grid; 50 unless given
    int seabedLines;     ///< lines each way; 21 unless given
    int cookie;          ///< set by hwDefaultDebugDraw
} hwDebugDraw;

/// Shapes, cables, seabed and contacts, without functions.
HW_API hwDebugDraw hwDefaultDebugDraw(void);

/// Calls the host's functions for everything asked for, in the order of the objects. The world must be prepared.
HW_API hwStatus hwWorld_DebugDraw(const hwWorld* world, const hwDebugDraw* draw, hwError* error);

#ifdef __cplusplus
}
#endif
#endif
