// What queries see: a snapshot of a world that shares nothing with its state, so that it may be asked while the world goes
// on.
#ifndef HW_API_QUERY_SCENE_H
#define HW_API_QUERY_SCENE_H

#include "geom/box_tree.h"
#include "geom/convex.h"
#include "geom/mesh_query.h"
#include "geom/terrain.h"
#include "hawser/query.h"

// A shape or a cable.
typedef struct hwQueryItem {
    hwQueryHit candidate; // kind, body, shape and cable; what else a hit has is empty
    uint64_t category;
    // a shape
    int link;
    hwPose local; // of the shape in the link's frame
    hwPose pose;  // of the shape in the world
    bool mesh;
    hwConvex convex; // unless it is a mesh
    hwHull hull;     // of a hull
    hwMeshTree tree; // of a mesh
    hwBox own;       // own frame
    // a cable
    int slot;
    int nodes;           // 0: there is none at present
    hwVec3* positions;   // [node] m, world
    double* arcs;        // [node] m, arc length
    double* radii;       // [element] m
    hwBox* elementBoxes; // [element]
    int* elementOrder;
    hwBoxTreeNode* elementNodes;
    hwBoxTree elements;
} hwQueryItem;

typedef struct hwQueryScene {
    void* block;
    double time; // s, of the snapshot
    int count;
    hwQueryItem* items; // shapes in the order of the bodies' slots, then cables
    hwBox* boxes;       // [item]
    int* order;
    hwBoxTreeNode* nodes;
    hwBoxTree tree;
    hwSeabedDef seabed; // kind NONE: there is none
    double bottom;      // m, height of a plane
    const hwTerrain* terrain;
    hwMeshTree ground; // of a seabed that is a mesh
} hwQueryScene;

// Fails where there is no snapshot.
hwStatus hwWorld_RequireQueries(const hwWorld* world, hwError* error);

#endif
