// A balanced tree of boxes that is built anew whenever the boxes have moved: for questions to a snapshot. Its form depends
// on the boxes alone, not on what was there before, and its depth on their number alone.
#ifndef HW_GEOM_BOX_TREE_H
#define HW_GEOM_BOX_TREE_H

#include "geom/box.h"

typedef struct hwBoxTreeNode {
    hwBox box;
    int first;  // leaf: place in `order` of its items
    int count;  // of those; 0: an inner node
    int second; // inner node: its second child; the first one follows it
} hwBoxTreeNode;

// Memory is the caller's: `order` for the number of boxes, `nodes` for twice that.
typedef struct hwBoxTree {
    int count; // of the boxes
    const hwBox* boxes;
    int* order;
    hwBoxTreeNode* nodes; // nodes[0] is the root
    int nodeCount;
} hwBoxTree;

// Boxes must be finite. O(n log n), no allocation.
void hwBoxTree_Build(hwBoxTree* tree, int count, const hwBox* boxes, int* order, hwBoxTreeNode* nodes);

// Called for an item; returns the largest t (ray) or distance (point) that still matters, at most `most`; negative: stop.
typedef double hwBoxTreeFn(int item, double most, void* context);

// Items whose boxes, grown by `radius`, the ray origin + t direction meets at 0 <= t <= tMax, nearer boxes first.
void hwBoxTree_CastRay(const hwBoxTree* tree, hwVec3 origin, hwVec3 direction, double radius, double tMax,
                       hwBoxTreeFn* visit, void* context);
// Where the ray enters a box grown by `radius`, at most `most` away; +inf when it misses it.
double hwBox_GetEntry(const hwBox* box, hwVec3 origin, hwVec3 direction, double radius, double most);
// What rays from one place fill that stay within four planes through it.
typedef struct hwWedge {
    hwVec3 origin;
    hwVec3 inward[4]; // normals of the planes
    double reach;     // of the rays
} hwWedge;
// Items whose boxes may meet the wedge, and possibly some beside it, in no order; `most` is the distance of their boxes.
void hwBoxTree_FindInWedge(const hwBoxTree* tree, const hwWedge* wedge, hwBoxTreeFn* visit, void* context);
// Items whose boxes are within `reach` of the point, nearer boxes first.
void hwBoxTree_FindNear(const hwBoxTree* tree, hwVec3 point, double reach, hwBoxTreeFn* visit, void* context);
// Items whose boxes meet the box, in no order.
void hwBoxTree_FindInBox(const hwBoxTree* tree, hwBox box, hwBoxTreeFn* visit, void* context);

#endif
