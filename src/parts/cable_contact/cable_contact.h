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
    bool known;       // it was there in the model before
    hwBox bounds;     // own frame
    double reach;     // m: nothing of it is farther from the link's origin
    double thickness; // m, least width; of a mesh 0: not known
} hwObstacle;

typedef struct hwObstacles {
    int count;
    hwObstacle* items;
    int* row;      // [slot] of its first section in hwCableContacts.laws
    bool* ignored; // [slot][obstacle]
    bool* goesOn;  // [slot] it remembers what it touched in the model before
} hwObstacles;

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
    double away;     // s for which it has been off what it touched; -1: it did not touch it lately
    double pulled;   // s for which it has been drawn onto it, negative: slack
    double grip;     // factor of friction, see GetGrip
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

// A link that moves and touches a cable, see contact_cable_links.c.
typedef struct hwCableBorder {
    int link;
    bool touches;
    hwVec3* columns; // [6 * node] C: forces on the nodes by the link's motion
    hwVec3* solved;  // [6 * node] T^-1 C
} hwCableBorder;

#define HW_BORDERS 3 // links that a cable may touch at once with both sides solved for together

// The links that move that a cable may touch.
typedef struct hwCableBorders {
    bool clear; // no obstacle is near the cable
    int count;
    hwCableBorder items[HW_BORDERS];
    int pair; // first of the couplings that they make
} hwCableBorders;

// Work of the contacts of all cables.
typedef struct hwCableContacts {
    int capacity, count;
    hwCablePatch* patches; // by slot, then element
    int* first;            // [slot + 1]
    int triangleCapacity, triangleCount;
    hwVec3 (*triangles)[3];  // of meshes, frames of the obstacles
    hwField* fields;         // [obstacle] as placed by the last evaluation
    hwBox* boxes;            // [obstacle] world axes
    double* speed;           // [obstacle] m/s, none of its points is faster
    int* near;               // [obstacle] scratch
    hwContactLaw* laws;      // [section][obstacle]
    bool boxesKnown;         // of those that never move
    double ahead;            // s from the state's time for which the patches were found
    bool full, told;         // there was no room for some; and somebody heard of it
    double longest;          // s: a longer step might carry a cable into something
    hwCableBorders* borders; // [slot]
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
    double thick;       // m, largest radius
    double speed;       // m/s, none of its nodes is faster
    // m: if they are almost straight, elements that are not neighbours are at least so far apart, less what they may come
    // nearer in that time; 0: they are not
    double apart;
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
    double* columns; // [freedom][HW_COLUMNS], scratch
    double* matrix;
    double (*roots)[6]; // [active] of the contacts' blocks
    // Where each cable is solved by itself: those that touch, and what their ends make of it.
    bool apart;
    int slotCount, *slots;
    int endCount;                              // rows of ends that links move
    int endRow[HW_COLUMNS];                    // freedoms
    double* ends;                              // [freedom][HW_COLUMNS], columns of the inverse
    double endMatrix[HW_COLUMNS * HW_COLUMNS]; // factored
    int endOrder[HW_COLUMNS];
} hwCablePairs;

typedef struct hwCablePairsModel {
    bool on; // cables touch each other and themselves
} hwCablePairsModel;

typedef struct hwCablePairsState {
    int* count;
    hwPairTouch* touches; // [HW_CABLE_PAIRS]
} hwCablePairsState;

// cable_contact_find.c
// Lists where cables may touch something within `h` s from the state's time, and finds the longest step.
void hwCableContact_Find(const hwWorld* world, const hwMode* mode, double h);
void hwCableContact_PlaceObstacle(const hwWorld* world, int obstacle);
// After a step of `h` s: whether every cable is still on the side of everything where it was.
bool hwCableContact_Check(const hwWorld* world, double h);
// After an accepted step: friction's memory.
void hwCableContact_Remember(hwWorld* world, int slot, double time);
// At the start: what overlaps then is let out gently. `settled`: after statics, in which cables do not touch links that
// move, and in which they overlap others as much as they press on them.
void hwCableContact_Start(hwWorld* world, const hwMode* mode, bool settled);
void hwCableContact_Forget(hwWorld* world);
double hwCableContact_LimitMove(const hwWorld* world, int slot, const hwCableState* state,
                                const hwVec3* move);
bool hwCableContact_IsClear(const hwWorld* world, int slot, double from, double to, hwVec3 a, hwVec3 b,
                            double reach);
double hwCableContact_LimitMoves(hwWorld* world, const hwMode* mode, double* q, const double* move);

// cable_contact.c
void hwCableContact_Place(const hwWorld* world, const hwEvaluation* evaluation);
void hwCableContact_Touch(const hwWorld* world, const hwMode* mode, int slot, const hwCableState* state,
                          hwCableContact* sum);
// Evaluates contacts again at the state of an accepted step, on which the last correction of Newton's method, of the order
// of the depth of hard contacts, has not acted yet.
void hwCableContact_Read(hwWorld* world, const hwMode* mode, double h);
double hwCableContact_GetWay(const hwWorld* world, int slot);
double hwCableContact_MeasureTouch(const hwWorld* world, int slot, const hwVec3* x);
bool hwCableContact_TouchesNode(const hwWorld* world, int slot, int node);
double hwCableContact_GetWrap(const hwWorld* world, int slot);
// The same on a shape of a link. False: the cable has no nodes.
bool hwCableContact_GetWrapOn(const hwWorld* world, int slot, int link, int shape, double* angle);
// N, of tension: with less a cable is not drawn onto what it touches.
double hwCableContact_GetPull(const hwWorld* world, int slot);
bool hwCableContact_LimitElements(const hwWorld* world, int slot, double* longest, double* joined,
                                  double* places);
int hwCableContact_View(const hwWorld* world, hwContactView* views);
void hwCableContact_Sum(const hwWorld* world, int link, hwContactSum* sum);
// What the obstacles get.
void hwCableContact_AddLoads(const hwWorld* world, const double* a, double* residual, hwWideSpatial* loads);

// cable_contact_links.c
// After contacts were found: which links that move each cable may touch.
void hwCableContact_FindBorders(const hwWorld* world);
int hwCableContact_ListPairs(const hwWorld* world, int slot, hwLinkPair* pairs, int count);
void hwCableContact_Factor(const hwWorld* world, int slot);
void hwCableContact_Reduce(const hwWorld* world, int slot, const hwVec3* rhs, hwWideSpatial* loads);
void hwCableContact_Substitute(const hwWorld* world, int slot, hwVec3* x);

// cable_pairs_find.c
void hwCablePairs_LayWork(const hwModel* model, hwArena* arena, hwWork* work);
// Those that may touch in a step of h.
double hwCablePairs_Find(const hwWorld* world, const hwMode* mode, double h, bool lacking);
// At the start: cables that lie in each other never touch, and what else overlaps is let out gently.
void hwCablePairs_Start(hwWorld* world, const hwMode* mode);
// In statics: names two cables that lie in each other at the shape found without their contacts; and, with contacts, finds those
// that a displacement from q may bring, and the part of it that may be gone.
void hwCablePairs_FindInTheWay(hwWorld* world, const char** a, const char** b);
double hwCablePairs_LimitMove(hwWorld* world, const hwMode* mode, double* q, const double* move);
// Forgets what a cable touches between two material coordinates.
void hwCablePairs_ForgetBetween(hwWorld* world, int slot, double from, double to);
void hwCablePairs_Forget(hwWorld* world);

// cable_pairs.c
void hwCablePairs_Evaluate(const hwWorld* world, const hwEvaluation* evaluation);
bool hwCablePairs_Check(const hwWorld* world, double h);
hwStatus hwCablePairs_Remember(hwWorld* world, const hwMode* mode, double time, bool* changed,
                               hwError* error);
int hwCablePairs_View(const hwWorld* world, hwContactView* views);
double hwCablePairs_GetWay(const hwWorld* world, int slot);
double hwCablePairs_MeasureTouch(const hwWorld* world, int slot, const hwVec3* x);

// cable_pairs_matrix.c
hwStatus hwCablePairs_Factor(const hwWorld* world, double hd, hwError* error);
void hwCablePairs_Correct(const hwWorld* world, double* x);

#endif
