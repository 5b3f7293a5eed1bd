// A tree of boxes over the triangles of a mesh, for every question about a mesh: rays, nearest points, contacts.
// One flat array of nodes, built with the surface area heuristic; the mesh may deform in place and be refitted.
#ifndef HW_GEOM_MESH_TREE_H
#define HW_GEOM_MESH_TREE_H

#include "hawser/base.h"
#include "hawser/shape.h"

// Boxes are in single precision, rounded outwards: half the memory, and a wider box only costs time. The children of an
// inner node are nodes[index] and nodes[index + 1]; a leaf has triangles index..index + count - 1.
typedef struct hwTreeNode {
    float low[3];
    int32_t index;
    float high[3];
    int32_t count; // 0: inner node
} hwTreeNode;

// Deeper trees are never built, so a traversal's stack of this many nodes never overflows.
#define HW_TREE_STACK 96

typedef struct hwMeshTree {
    int vertexCount;
    hwVec3* vertices; // own copy; write into it to deform, then call hwMeshTree_Refit
    int triangleCount;
    int (*triangles)[3]; // in the order of the leaves
    int* ids;            // index of each in the mesh as given
    int nodeCount;
    hwTreeNode* nodes; // nodes[0] is the root; nodes[1] is not used, so that siblings share a cache line
} hwMeshTree;

// The mesh has been checked (hwMesh_CheckIndices). On failure nothing is left allocated.
hwStatus hwMeshTree_Init(hwMeshTree* tree, const hwAllocator* allocator, const hwMeshData* mesh,
                         hwError* error);
void hwMeshTree_Free(hwMeshTree* tree, const hwAllocator* allocator);

// Boxes again from the vertices, keeping the tree's structure. O(triangles), no allocation.
void hwMeshTree_Refit(hwMeshTree* tree);

// A box rounded outwards to single precision.
void hwTree_RoundBox(hwVec3 low, hwVec3 high, float outLow[3], float outHigh[3]);

static inline bool hwTreeNode_Overlaps(const hwTreeNode* node, const float low[3], const float high[3]) {
    return node->low[0] <= high[0] && node->high[0] >= low[0] && node->low[1] <= high[1] &&
           node->high[1] >= low[1] && node->low[2] <= high[2] && node->high[2] >= low[2];
}

#endif
