#include "geom/mesh_tree.h"

#include "base/error.h"
#include "base/memory.h"
#include "geom/box.h"

#include <string.h>

#define LEAF_SIZE 4      // triangles a leaf holds without asking whether splitting pays
#define BINS 16          // of the surface area heuristic
#define BALANCE_DEPTH 48 // below this nodes are halved by number: at most 31 levels more

typedef struct Item {
    float low[3], high[3], center[3];
    int triangle;
} Item;

typedef struct Box {
    float low[3], high[3];
} Box;

static float RoundDown(double x) {
    float f = (float)x;
    return (double)f <= x ? f : nextafterf(f, -HUGE_VALF);
}

static float RoundUp(double x) {
    float f = (float)x;
    return (double)f >= x ? f : nextafterf(f, HUGE_VALF);
}

void hwTree_RoundBox(hwVec3 low, hwVec3 high, float outLow[3], float outHigh[3]) {
    outLow[0] = RoundDown(low.x);
    outLow[1] = RoundDown(low.y);
    outLow[2] = RoundDown(low.z);
    outHigh[0] = RoundUp(high.x);
    outHigh[1] = RoundUp(high.y);
    outHigh[2] = RoundUp(high.z);
}

static Box EmptyBox(void) {
    Box box = {{HUGE_VALF, HUGE_VALF, HUGE_VALF}, {-HUGE_VALF, -HUGE_VALF, -HUGE_VALF}};
    return box;
}

static void GrowBox(Box* box, const float low[3], const float high[3]) {
    for (int k = 0; k < 3; ++k) {
        // fminf would be a call, for the sake of NaN
        box->low[k] = low[k] < box->low[k] ? low[k] : box->low[k];
        box->high[k] = high[k] > box->high[k] ? high[k] : box->high[k];
    }
}

static float GetHalfArea(const Box* box) {
    float x = box->high[0] - box->low[0], y = box->high[1] - box->low[1], z = box->high[2] - box->low[2];
    return x * y + y * z + z * x;
}

static void GetTriangleBox(const hwVec3* vertices, const int* t, float low[3], float high[3]) {
    hwVec3 a = vertices[t[0]], b = vertices[t[1]], c = vertices[t[2]];
    hwTree_RoundBox(
        hwMakeVec3(hwMin(a.x, hwMin(b.x, c.x)), hwMin(a.y, hwMin(b.y, c.y)), hwMin(a.z, hwMin(b.z, c.z))),
        hwMakeVec3(hwMax(a.x, hwMax(b.x, c.x)), hwMax(a.y, hwMax(b.y, c.y)), hwMax(a.z, hwMax(b.z, c.z))),
        low, high);
}

static int GetBin(float center, float low, float scale) {
    int bin = (int)((center - low) * scale);
    return bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin;
}

// Best split of the items by the centre along one axis (MacDonald & Booth 1990; binned as Wald 2007): the cost of a
// node is proportional to its area times the triangles below it. Returns the cost, and the bin of the first right item.
static float FindSplit(const Item* items, int count, int axis, const Box* centers, int* split) {
    float extent = centers->high[axis] - centers->low[axis];
    *split = -1;
    if (!(extent > 0.0f)) return HUGE_VALF;
    float scale = (float)BINS / extent;
    if (!isfinite(scale)) return HUGE_VALF;
    Box boxes[BINS];
    int counts[BINS] = {0};
    for (int b = 0; b < BINS; ++b) boxes[b] = EmptyBox();
    for (int i = 0; i < count; ++i) {
        int b = GetBin(items[i].center[axis], centers->low[axis], scale);
        counts[b] += 1;
        GrowBox(&boxes[b], items[i].low, items[i].high);
    }
    float rightCost[BINS];
    Box box = EmptyBox();
    int total = 0;
    for (int b = BINS - 1; b > 0; --b) {
        GrowBox(&box, boxes[b].low, boxes[b].high);
        total += counts[b];
        rightCost[b] = total > 0 ? GetHalfArea(&box) * (float)total : HUGE_VALF;
    }
    float best = HUGE_VALF;
    box = EmptyBox();
    total = 0;
    for (int b = 1; b < BINS; ++b) {
        GrowBox(&box, boxes[b - 1].low, boxes[b - 1].high);
        total += counts[b - 1];
        float cost = total > 0 ? GetHalfArea(&box) * (float)total + rightCost[b] : HUGE_VALF;
        if (cost < best) {
            best = cost;
            *split = b;
        }
    }
    return best;
}

// Moves the items of the left child to the front and returns their number; 0: keep the node as a leaf.
static int SplitItems(Item* items, int count, const Box* box, int depth) {
    if (count <= 1) return 0;
    Box centers = EmptyBox();
    for (int i = 0; i < count; ++i) GrowBox(&centers, items[i].center, items[i].center);
    float best = HUGE_VALF;
    int axis = -1, split = -1;
    for (int k = 0; k < 3 && depth < BALANCE_DEPTH; ++k) {
        int at;
        float cost = FindSplit(items, count, k, &centers, &at);
        if (cost < best) {
            best = cost;
            axis = k;
            split = at;
        }
    }
    // Visiting two children costs about as much as one triangle.
    if (count <= LEAF_SIZE && !(best + GetHalfArea(box) < GetHalfArea(box) * (float)count)) return 0;
    if (axis < 0) return count <= LEAF_SIZE ? 0 : count / 2; // all centres coincide, or the tree is deep
    float scale = (float)BINS / (centers.high[axis] - centers.low[axis]);
    int left = 0, right = count - 1;
    while (left <= right) {
        if (GetBin(items[left].center[axis], centers.low[axis], scale) < split) {
            left += 1;
        } else {
            Item swap = items[left];
            items[left] = items[right];
            items[right] = swap;
            right -= 1;
        }
    }
    return left;
}

static void SetBox(hwTreeNode* node, const Box* box) {
    memcpy(node->low, box->low, sizeof(node->low));
    memcpy(node->high, box->high, sizeof(node->high));
}

static void BuildNodes(hwMeshTree* tree, Item* items) {
    struct {
        int node, first, count, depth;
    } stack[HW_TREE_STACK], job = {0, 0, tree->triangleCount, 0};
    int top = 0;
    tree->nodeCount = 2;
    for (;;) {
        Box box = EmptyBox();
        for (int i = 0; i < job.count; ++i)
            GrowBox(&box, items[job.first + i].low, items[job.first + i].high);
        hwTreeNode* node = &tree->nodes[job.node];
        SetBox(node, &box);
        int left = SplitItems(items + job.first, job.count, &box, job.depth);
        if (left == 0) {
            node->index = job.first;
            node->count = job.count;
            if (top == 0) return;
            job = stack[--top];
            continue;
        }
        node->index = tree->nodeCount;
        node->count = 0;
        tree->nodeCount += 2;
        stack[top].node = node->index + 1;
        stack[top].first = job.first + left;
        stack[top].count = job.count - left;
        stack[top].depth = job.depth + 1;
        top += 1;
        job.node = node->index;
        job.count = left;
        job.depth += 1;
    }
}

hwStatus hwMeshTree_Init(hwMeshTree* tree, const hwAllocator* allocator, const hwMeshData* mesh,
                         hwError* error) {
    memset(tree, 0, sizeof(*tree));
    size_t triangles = (size_t)mesh->triangleCount, vertices = (size_t)mesh->vertexCount;
    Item* items = hwAllocate(allocator, triangles * sizeof(Item));
    tree->vertices = hwAllocate(allocator, vertices * sizeof(hwVec3));
    tree->triangles = hwAllocate(allocator, triangles * sizeof(int[3]));
    tree->ids = hwAllocate(allocator, triangles * sizeof(int));
    tree->nodes = hwAllocate(allocator, 2 * triangles * sizeof(hwTreeNode));
    if (items == NULL || tree->vertices == NULL || tree->triangles == NULL || tree->ids == NULL ||
        tree->nodes == NULL) {
        hwRelease(allocator, items);
        hwMeshTree_Free(tree, allocator);
        return hwFail_Memory(error, NULL);
    }
    tree->vertexCount = mesh->vertexCount;
    tree->triangleCount = mesh->triangleCount;
    memcpy(tree->vertices, mesh->vertices, vertices * sizeof(hwVec3));
    for (int i = 0; i < mesh->triangleCount; ++i) {
        Item* item = &items[i];
        item->triangle = i;
        GetTriangleBox(mesh->vertices, mesh->triangles[i], item->low, item->high);
        for (int k = 0; k < 3; ++k) item->center[k] = 0.5f * item->low[k] + 0.5f * item->high[k];
    }
    BuildNodes(tree, items);
    for (int i = 0; i < mesh->triangleCount; ++i) {
        tree->ids[i] = items[i].triangle;
        memcpy(tree->triangles[i], mesh->triangles[items[i].triangle], sizeof(int[3]));
    }
    hwRelease(allocator, items);
    return HW_OK;
}

void hwMeshTree_Free(hwMeshTree* tree, const hwAllocator* allocator) {
    hwRelease(allocator, tree->vertices);
    hwRelease(allocator, tree->triangles);
    hwRelease(allocator, tree->ids);
    hwRelease(allocator, tree->nodes);
    memset(tree, 0, sizeof(*tree));
}

void hwMeshTree_Refit(hwMeshTree* tree) {
    // Children come after their parents.
    for (int i = tree->nodeCount - 1; i >= 0; --i) {
        if (i == 1) continue;
        hwTreeNode* node = &tree->nodes[i];
        Box box = EmptyBox();
        if (node->count == 0) {
            GrowBox(&box, tree->nodes[node->index].low, tree->nodes[node->index].high);
            GrowBox(&box, tree->nodes[node->index + 1].low, tree->nodes[node->index + 1].high);
        }
        for (int k = 0; k < node->count; ++k) {
            float low[3], high[3];
            GetTriangleBox(tree->vertices, tree->triangles[node->index + k], low, high);
            GrowBox(&box, low, high);
        }
        SetBox(node, &box);
    }
}
