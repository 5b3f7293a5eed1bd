// Cables against the shapes of bodies and links: what may be touched, where a step may bring contact, and what it does.
//
// An element is a round line. Against a convex shape its overlap is integrated over the stretch that is inside
// (contact/field.h), so that a contact that travels along the cable passes from one element to the next without a jump;
// a mesh is measured through its tree, the element divided into pieces short enough to meet one part of it each. Normal force
// by the volume law; friction by spring-sliders at the two points that have the mean and the spread of the overlap, tied to
// points of the obstacle. See docs/numerics.md, "Cables in contact".
#ifndef HW_PARTS_CABLE_CONTACT_CABLE_CONTACT_H
#define HW_PARTS_CABLE_CONTACT_CABLE_CONTACT_H

#include "contact/field.h"
#include "contact/law.h"
#include "geom/box.h"
#include "geom/mesh_query.h"
#include "geom/triangle.h"
#include "world/cable_slots.h"
#include "world/contact_rules.h"

// A shape that cables may touch.
typedef struct hwObstacle {
    int link; // that carries it
    const hwShapeDef* shape;
    hwMat3 r;        // of the shape's pose in the link's frame
    hwConvex convex; // unless it is a mesh
    hwHull hull;
    hwMeshTree tree;
    bool mesh;
    bool still;       // never moves
    hwBox bounds;     // own frame
    double reach;     // m: nothing of it is farther from the link's origin
    double thickness; // m, least width; of a mesh 0: not known
} hwObstacle;

typedef struct hwObstacles {
    int count;
    hwObstacle* items;
    int* row;           // [slot] of its first section in `laws`
    hwContactLaw* laws; // [section][obstacle]
    bool* ignored;      // [slot][obstacle]
} hwObstacles;

// What is remembered of a contact from step to step; part of the state. Frame of the obstacle's shape.
typedef struct hwCableTouch {
    double at[2]; // m, material coordinate of the friction's points
    // in single precision: the state is copied in every step, and friction's stretch is hundredths of a radius
    float stretch[2][3]; // m, of their springs
    float normal[3];     // unit, towards the cable
    float relief;        // m, of overlap that was there at the start and does not count; fades
    int32_t obstacle;
    int32_t sliding;
} hwCableTouch;

// A point of a patch: its share of the matrix at a place of the element.
typedef struct hwCablePatchPoint {
    double place;
    double block[6]; // kg, see hwCableBlock
} hwCablePatchPoint;

// Where an element may touch an obstacle during a step.
typedef struct hwCablePatch {
    int slot, element, obstacle;
    const hwContactLaw* law;
    double radius;                    // m, of the cable
    double from, to;                  // piece of the element, 0..1
    hwVec3 facing;                    // see hwField
    double reach;                     // likewise
    int firstTriangle, triangleCount; // of a mesh that are near, in hwCableContacts; 0: all of it is asked
    double place[2];                  // of the friction's points on the element, 0..1
    hwVec3 anchor[2];                 // m, obstacle's frame, to which they are tied
    hwVec3 ends[2];                   // m, obstacle's frame: of the piece at the start of the step
    hwVec3 start;    // unit, obstacle's frame: outward where they were nearest at the start of the step
    double distance; // m, of the axis from the surface then
    double height;   // m: the surface was at start . x = height there
    double relief;   // m, by which the radius counts as smaller
    bool slid;       // at the end of the last step
    // of the last evaluation; world axes
    bool touches, slides;
    hwLineOverlap overlap;   // places on the whole element
    hwVec3 push;             // unit, direction of the normal force
    double elastic, damping; // N, of the normal force
    double limit, spring;    // N, N/m, of each friction point
    hwVec3 force, torque;    // on the cable, the torque about the origin of the obstacle's link
    double energy, power;    // J stored; W on the cable, relative to the obstacle
    double moved;            // W on the cable by the motion of the obstacle
    int pointCount;          // of the matrix; 0: none was asked for, or hd was 0
    hwCablePatchPoint points[4];
} hwCablePatch;

// Work of the contacts of all cables.
typedef struct hwCableContacts {
    int capacity, count;
    hwCablePatch* patches; // by slot, then element
    int* first;            // [slot + 1]
    int triangleCapacity, triangleCount;
    hwVec3 (*triangles)[3]; // of meshes, frames of the obstacles
    hwField* fields;        // [obstacle] as placed by the last evaluation
    hwBox* boxes;           // [obstacle] world axes
    double* speed;          // [obstacle] m/s, none of its points is faster
    int* near;              // [obstacle] scratch
    bool boxesKnown;        // of those that never move
    double ahead;           // s from the state's time for which the patches were found
    bool full, told;        // there was no room for some; and somebody heard of it
    double longest;         // s: a longer step might carry a cable into something
} hwCableContacts;

typedef struct hwCableContactModel {
    hwObstacles* obstacles; // what cables may touch; null: nothing
} hwCableContactModel;

#define HW_CABLE_PAIRS 48 // places where cables may touch each other at a time

// What is remembered of two elements that touch; part of the state.
typedef struct hwPairTouch {
    int32_t slot[2];
    int32_t sliding;
    float relief;   // m, of overlap that was there at the start and does not count; fades
    double at[2];   // m, material coordinates
    hwVec3 stretch; // m, world, of friction's spring
} hwPairTouch;

// Two elements near each other.
typedef struct hwCablePair {
    int slot[2], element[2];
    double radius[2]; // m
    hwContactLaw law;
    hwVec3 start;    // unit, world: from the second to the first at the start of the step
    double gap;      // m, between the surfaces then
    double place[2]; // of friction's tie on the elements
    hwVec3 tie;      // m, world: what separates those places where friction pulls nothing
    double relief;   // m, by which the sum of the radii counts as smaller
    bool slid;
    // of the last evaluation
    bool touches, slides;
    bool hidden;  // their neighbours are nearer
    double at[2]; // nearest places
    hwVec3 normal, force, slip;
    double depth, volume, elastic, damping, limit, spring, power, energy;
    double block[6]; // kg
} hwCablePair;

// Elements of a cable that follow each other.
typedef struct hwCableGroup {
    int slot, from, to; // elements from .. to - 1
    hwBox box;          // that they stay in for the time looked ahead
    hwVec3 chord;       // unit, from the first node to the last
    double
        apart; // m: if they are almost straight, elements that are not neighbours are at least so far apart, less what
        // they may come nearer in that time; 0: they are not
} hwCableGroup;

typedef struct hwCablePairs {
    int count;
    bool full, told; // there was no room for some; and somebody heard of it
    hwCablePair* items;
    double longest; // s, of the coming step
    int groupCount;
    hwCableGroup* groups;
    int* sweep;      // [group] by where their boxes begin along the axis swept last
    bool* never;     // [slot][slot] ignored, or in each other from the start
    int active;      // contacts in the factored matrix
    int* touching;   // [active]
    double* columns; // [3 * active][freedom]
    double* matrix;
    int* order;
} hwCablePairs;

typedef struct hwCablePairsModel {
    bool on; // cables touch each other and themselves
} hwCablePairsModel;

typedef struct hwCablePairsState {
    int* count;
    hwPairTouch* touches; // [HW_CABLE_PAIRS]
} hwCablePairsState;

#endif
