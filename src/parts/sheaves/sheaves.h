// Sheaves: cables that run on as others.
#ifndef HW_PARTS_SHEAVES_SHEAVES_H
#define HW_PARTS_SHEAVES_SHEAVES_H

#include "world/cable_slots.h"

#define HW_SHEAVE_COOKIE 0x48570024

typedef struct hwSheaveObject {
    hwSheaveDef def;
    hwSheaveId id;
    int index; // in the model, -1 before Prepare
} hwSheaveObject;

// A sheave's flow of material is a freedom of its own, after those of the cables' nodes; see sheave.c.
typedef struct hwSheaveModel {
    hwSheaveObject* object;
    int coordinate, freedom; // m that has passed, m/s
    int slider;              // auxiliary: m, deflection of the spring by which friction sticks
    double inertia;          // kg: inertia over radius squared
    double stick;            // N/m, of that spring
} hwSheaveModel;

typedef struct hwSheavesModel {
    int count;
    hwSheaveModel* items;
} hwSheavesModel;

// Which ends a sheave joins now; a cut moves them to the part cut off.
typedef struct hwSheaveStore {
    int32_t slot[2];
    int32_t end[2];
    double offset[2]; // m, material coordinate of each end when nothing has passed
} hwSheaveStore;

typedef struct hwSheavesState {
    hwSheaveStore* items; // [sheave]
} hwSheavesState;

// One side of a sheave at the evaluated point.
typedef struct hwSheaveSide {
    hwCableBoundary boundary;
    double sign;    // +1: what flows makes this side longer, -1: shorter
    double lean;    // of sliding friction on this side's tension
    double tension; // kg, implicit terms of the tension against what is paid out
    hwVec3 column[2],
        row[2]; // kg, implicit terms of what slides: of the outer and the inner node with the flow, and back
} hwSheaveSide;

typedef struct hwSheaveTools {
    hwSheaveSide sides[2];
    double force;    // N, on the flow, but for inertia
    double diagonal; // kg, of the flow's own row: implicit terms without inertia
    double angle;    // rad
    double kinetic;  // J, beyond what the cables count
    double held;     // N, by friction
} hwSheaveTools;

typedef struct hwFreedomRange {
    int group, first, count;
} hwFreedomRange;

// Flows between which nothing is coupled are in different groups; by Factor.
typedef struct hwSheaveGroups {
    int count, most; // groups; flows in the largest
    int *root,
        *number;  // [link, then slot] a tree of what is coupled; of its root: the group, -1: without flows
    int* first;   // [group + 1] in `members`
    int* members; // [sheave] by group
    hwFreedomRange* ranges; // [rangeCount] what moves with a group: joints of links, nodes that exist
    int rangeCount;
} hwSheaveGroups;

typedef struct hwSheavesWork {
    hwSheaveTools* items; // [sheave]
    int* at;              // [slot][end] the sheave there, or -1
    double* rhs;          // [sheave]
    hwSheaveGroups groups;
    double* columns;       // [flow of its group][freedom] what the flow does to all others, by Factor
    double* matrix;        // [group][flow of it][flow of it] factors of what is left for the flows
    int* order;            // [group][flow of it] of its rows
    double *ownRhs, *ownX; // likewise
} hwSheavesWork;

// Into the work: which flows are coupled now.
void hwSheaves_FindGroups(const hwWorld* world);

#endif
