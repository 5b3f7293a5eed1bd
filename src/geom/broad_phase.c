// The tree is kept by insertion where the area grows least and by rotations that make boxes smaller (as in Box2D's
// dynamic tree, after Presson's in Bullet). Boxes in it are fat: a proxy that stays in its fat box costs a comparison,
// one that leaves it a refit of the boxes above, and only one that has gone farther than its own size a new place.
#include "geom/broad_phase.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

#define NONE (-1)
#define STACK 256 // more than the tallest tree, see TALL

// 64 bytes
typedef struct Node {
    hwBox box;
    int parent;     // or the next free node
    int child[2];   // NONE: a leaf, whose number is that of its proxy
    int16_t height; // 0: a leaf; -1: free
    bool moved;     // this leaf, or one below, since the last update
} Node;

typedef struct Candidate {
    uint64_t key; // a << 32 | b
    int slot;
    bool fresh;
} Candidate;

struct hwBroadPhase {
    hwAllocator allocator;
    double margin;
    int proxyCapacity, pairCapacity;
    // Leaves are nodes 0..proxyCapacity - 1, inner nodes follow.
    Node* nodes;
    int root, freeInner, freeLeaf;
    hwProxyDef* proxies;
    hwVec3* anchors;                // middle of each box when it was put into the tree
    Candidate *candidates, *merged; // sorted by key: fat boxes overlap
    int candidateCount;
    Candidate* found; // new ones of an update
    // Hash table of the candidates' keys, filled anew by each update; entries with an old stamp are empty.
    uint64_t* tableKeys;
    uint32_t* tableStamps;
    int tableSize;
    uint32_t stamp;
    int* freeSlots;
    int freeSlotCount;
    uint64_t* excluded; // sorted
    int excludedCount;
    hwProxyPair* pairs;
    int pairCount;
};

static double GetArea(const hwBox* box) {
    hwVec3 d = hwSub(box->high, box->low);
    return d.x * d.y + d.y * d.z + d.z * d.x;
}

// Memory

static void FreeArrays(hwBroadPhase* broad) {
    hwRelease(&broad->allocator, broad->nodes);
    hwRelease(&broad->allocator, broad->proxies);
    hwRelease(&broad->allocator, broad->anchors);
    hwRelease(&broad->allocator, broad->candidates);
    hwRelease(&broad->allocator, broad->merged);
    hwRelease(&broad->allocator, broad->found);
    hwRelease(&broad->allocator, broad->tableKeys);
    hwRelease(&broad->allocator, broad->tableStamps);
    hwRelease(&broad->allocator, broad->freeSlots);
    hwRelease(&broad->allocator, broad->excluded);
    hwRelease(&broad->allocator, broad->pairs);
}

static bool AllocateArrays(hwBroadPhase* broad, int proxies, int pairs) {
    const hwAllocator* allocator = &broad->allocator;
    size_t n = (size_t)proxies, m = (size_t)pairs;
    broad->proxyCapacity = proxies;
    broad->pairCapacity = pairs;
    broad->nodes = hwAllocate(allocator, 2 * n * sizeof(Node));
    broad->proxies = hwAllocate(allocator, n * sizeof(hwProxyDef));
    broad->anchors = hwAllocate(allocator, n * sizeof(hwVec3));
    broad->candidates = hwAllocate(allocator, m * sizeof(Candidate));
    broad->merged = hwAllocate(allocator, m * sizeof(Candidate));
    broad->found = hwAllocate(allocator, m * sizeof(Candidate));
    broad->stamp = 0;
    for (broad->tableSize = 16; broad->tableSize < 2 * pairs;) broad->tableSize *= 2;
    broad->tableKeys = hwAllocate(allocator, (size_t)broad->tableSize * sizeof(uint64_t));
    broad->tableStamps = hwAllocate(allocator, (size_t)broad->tableSize * sizeof(uint32_t));
    broad->freeSlots = hwAllocate(allocator, m * sizeof(int));
    broad->excluded = hwAllocate(allocator, m * sizeof(uint64_t));
    broad->pairs = hwAllocate(allocator, m * sizeof(hwProxyPair));
    return broad->nodes && broad->proxies && broad->anchors && broad->candidates && broad->merged &&
           broad->tableKeys && broad->tableStamps && broad->found && broad->freeSlots && broad->excluded &&
           broad->pairs;
}

// Chains free leaves and inner nodes; the rest of the state says "empty".
static void ResetNodes(hwBroadPhase* broad) {
    int n = broad->proxyCapacity;
    broad->root = NONE;
    for (int i = 0; i < 2 * n; ++i) {
        broad->nodes[i].height = -1;
        broad->nodes[i].parent = i + 1 == n || i + 1 == 2 * n ? NONE : i + 1;
    }
    broad->freeLeaf = n > 0 ? 0 : NONE;
    broad->freeInner = n > 0 ? n : NONE;
    broad->freeSlotCount = broad->pairCapacity;
    for (int i = 0; i < broad->pairCapacity; ++i) broad->freeSlots[i] = broad->pairCapacity - 1 - i;
    broad->candidateCount = broad->pairCount = 0;
}

hwBroadPhase* hwCreateBroadPhase(const hwAllocator* allocator, int proxies, int pairs, double margin,
                                 hwError* error) {
    if (proxies < 0 || pairs < 0 || proxies > (1 << 28) || pairs > (1 << 28) || !(margin >= 0.0)) {
        hwFail(error, HW_ERROR_ARGUMENT, NULL,
               "room for %d boxes and %d pairs with a margin of %g m: none may be negative, and at most 2^28 "
               "fit",
               proxies, pairs, margin);
        return NULL;
    }
    hwBroadPhase* broad = hwAllocate(allocator, sizeof(hwBroadPhase));
    if (broad == NULL) {
        hwFail_Memory(error, NULL);
        return NULL;
    }
    broad->allocator = *allocator;
    broad->margin = margin;
    if (!AllocateArrays(broad, proxies, pairs)) {
        hwDestroyBroadPhase(broad);
        hwFail_Memory(error, NULL);
        return NULL;
    }
    ResetNodes(broad);
    return broad;
}

void hwDestroyBroadPhase(hwBroadPhase* broad) {
    if (broad == NULL) return;
    hwAllocator allocator = broad->allocator;
    FreeArrays(broad);
    hwRelease(&allocator, broad);
}

// The tree

static void PullUp(hwBroadPhase* broad, int at) {
    Node *nodes = broad->nodes, *node = &nodes[at];
    const Node *a = &nodes[node->child[0]], *b = &nodes[node->child[1]];
    node->box = hwBox_Join(a->box, b->box);
    node->height = (int16_t)(1 + (a->height > b->height ? a->height : b->height));
    node->moved = a->moved || b->moved;
}

static void ReplaceChild(hwBroadPhase* broad, int parent, int old, int other) {
    if (parent == NONE) {
        broad->root = other;
    } else {
        broad->nodes[parent].child[broad->nodes[parent].child[1] == old] = other;
    }
    broad->nodes[other].parent = parent;
}

// Lifts the higher child of a leaning node to its place. Returns the node now at the top.
static int BalanceNode(hwBroadPhase* broad, int at) {
    Node* nodes = broad->nodes;
    Node* node = &nodes[at];
    int lean = nodes[node->child[1]].height - nodes[node->child[0]].height;
    if (lean >= -1 && lean <= 1) return at;
    int side = lean > 1, up = node->child[side];
    int high = nodes[nodes[up].child[0]].height > nodes[nodes[up].child[1]].height ? 0 : 1;
    int keep = nodes[up].child[high], pass = nodes[up].child[1 - high];
    ReplaceChild(broad, node->parent, at, up);
    nodes[up].child[0] = at;
    nodes[up].child[1] = keep;
    node->parent = up;
    nodes[keep].parent = up;
    node->child[side] = pass;
    nodes[pass].parent = at;
    PullUp(broad, at);
    PullUp(broad, up);
    return up;
}

// Swaps a child of the node with a grandchild on the other side where that makes the box between them smaller
// (Kensler 2008).
static void RotateNode(hwBroadPhase* broad, int at) {
    Node* nodes = broad->nodes;
    Node* node = &nodes[at];
    double best = 0.0;
    int bestSide = -1, bestChild = -1;
    for (int side = 0; side < 2; ++side) {
        const Node *stays = &nodes[node->child[side]], *opens = &nodes[node->child[1 - side]];
        if (opens->height == 0) continue;
        double area = GetArea(&opens->box);
        for (int k = 0; k < 2; ++k) { // child k goes up, `stays` takes its place
            hwBox joined = hwBox_Join(stays->box, nodes[opens->child[1 - k]].box);
            double gain = area - GetArea(&joined);
            if (gain > best) {
                best = gain;
                bestSide = side;
                bestChild = k;
            }
        }
    }
    if (bestSide < 0) return;
    int down = node->child[bestSide], open = node->child[1 - bestSide], up = nodes[open].child[bestChild];
    node->child[bestSide] = up;
    nodes[up].parent = at;
    nodes[open].child[bestChild] = down;
    nodes[down].parent = open;
    PullUp(broad, open);
}

#define TALL 64 // beyond this balance matters more than area: stacks of traversals are finite

static void FixUpwards(hwBroadPhase* broad, int at) {
    while (at != NONE) {
        PullUp(broad, at);
        if (broad->nodes[at].height > TALL) {
            at = BalanceNode(broad, at);
        } else {
            RotateNode(broad, at);
        }
        PullUp(broad, at);
        at = broad->nodes[at].parent;
    }
}

// The node beside which a new leaf adds least area, looking down greedily.
static int FindSibling(const hwBroadPhase* broad, const hwBox* box) {
    const Node* nodes = broad->nodes;
    int at = broad->root;
    while (nodes[at].height > 0) {
        hwBox joined = hwBox_Join(nodes[at].box, *box);
        double area = GetArea(&nodes[at].box), grown = GetArea(&joined), cost[2];
        for (int k = 0; k < 2; ++k) {
            const Node* child = &nodes[nodes[at].child[k]];
            hwBox with = hwBox_Join(child->box, *box);
            cost[k] = GetArea(&with) - (child->height > 0 ? GetArea(&child->box) : 0.0) + (grown - area);
        }
        if (grown < cost[0] && grown < cost[1]) break;
        at = nodes[at].child[cost[1] < cost[0]];
    }
    return at;
}

static void InsertLeaf(hwBroadPhase* broad, int leaf) {
    Node* nodes = broad->nodes;
    nodes[leaf].child[0] = nodes[leaf].child[1] = NONE;
    nodes[leaf].height = 0;
    nodes[leaf].parent = NONE;
    nodes[leaf].moved = false;
    broad->anchors[leaf] = hwScale(0.5, hwAdd(nodes[leaf].box.low, nodes[leaf].box.high));
    if (broad->root == NONE) {
        broad->root = leaf;
        return;
    }
    int sibling = FindSibling(broad, &nodes[leaf].box), inner = broad->freeInner;
    broad->freeInner = nodes[inner].parent;
    ReplaceChild(broad, nodes[sibling].parent, sibling, inner);
    nodes[inner].child[0] = sibling;
    nodes[inner].child[1] = leaf;
    nodes[sibling].parent = nodes[leaf].parent = inner;
    FixUpwards(broad, inner);
}

static void RemoveLeaf(hwBroadPhase* broad, int leaf) {
    Node* nodes = broad->nodes;
    int parent = nodes[leaf].parent;
    if (parent == NONE) {
        broad->root = NONE;
        return;
    }
    int sibling = nodes[parent].child[nodes[parent].child[0] == leaf], above = nodes[parent].parent;
    ReplaceChild(broad, above, parent, sibling);
    nodes[parent].height = -1;
    nodes[parent].parent = broad->freeInner;
    broad->freeInner = parent;
    FixUpwards(broad, above);
}

// Proxies

static void MarkMoved(hwBroadPhase* broad, int proxy) {
    for (int at = proxy; at != NONE && !broad->nodes[at].moved; at = broad->nodes[at].parent) {
        broad->nodes[at].moved = true;
    }
}

int hwBroadPhase_Add(hwBroadPhase* broad, const hwProxyDef* def) {
    int leaf = broad->freeLeaf;
    if (leaf == NONE) return NONE;
    broad->freeLeaf = broad->nodes[leaf].parent;
    broad->proxies[leaf] = *def;
    broad->nodes[leaf].box = hwBox_Grow(def->box, broad->margin);
    InsertLeaf(broad, leaf);
    MarkMoved(broad, leaf);
    return leaf;
}

static bool IsAlive(const hwBroadPhase* broad, int proxy) {
    return proxy >= 0 && proxy < broad->proxyCapacity && broad->nodes[proxy].height == 0;
}

void hwBroadPhase_Remove(hwBroadPhase* broad, int proxy) {
    if (!IsAlive(broad, proxy)) return;
    RemoveLeaf(broad, proxy);
    broad->nodes[proxy].height = -1;
    broad->nodes[proxy].parent = broad->freeLeaf;
    broad->freeLeaf = proxy;
    int kept = 0; // its number may be used again before the next update
    for (int i = 0; i < broad->candidateCount; ++i) {
        uint64_t key = broad->candidates[i].key;
        if ((int)(key >> 32) == proxy || (int)(key & 0xffffffffu) == proxy) {
            broad->freeSlots[broad->freeSlotCount++] = broad->candidates[i].slot;
        } else {
            broad->candidates[kept++] = broad->candidates[i];
        }
    }
    broad->candidateCount = kept;
}

static bool SameBox(const hwBox* a, const hwBox* b) {
    return hwBox_Contains(a, b) && hwBox_Contains(b, a);
}

// Boxes above a leaf that stays where it is in the tree.
static void RefitAbove(hwBroadPhase* broad, int leaf) {
    Node* nodes = broad->nodes;
    for (int at = nodes[leaf].parent; at != NONE; at = nodes[at].parent) {
        hwBox box = hwBox_Join(nodes[nodes[at].child[0]].box, nodes[nodes[at].child[1]].box);
        if (SameBox(&box, &nodes[at].box)) return;
        nodes[at].box = box;
    }
}

void hwBroadPhase_Move(hwBroadPhase* broad, int proxy, hwBox box, hwVec3 travel) {
    broad->proxies[proxy].box = box;
    Node* leaf = &broad->nodes[proxy];
    if (hwBox_Contains(&leaf->box, &box)) return;
    hwBox fat = hwBox_Grow(box, broad->margin);
    fat.low = hwAdd(fat.low, hwMinVec3(travel, hwVec3_zero));
    fat.high = hwAdd(fat.high, hwMaxVec3(travel, hwVec3_zero));
    // A short way from where it was put in, its neighbours are still the right ones.
    hwVec3 size = hwSub(box.high, box.low),
           away = hwSub(hwScale(0.5, hwAdd(box.low, box.high)), broad->anchors[proxy]);
    bool isFar = fabs(away.x) > size.x + broad->margin || fabs(away.y) > size.y + broad->margin ||
                 fabs(away.z) > size.z + broad->margin;
    if (isFar) RemoveLeaf(broad, proxy);
    leaf->box = fat;
    if (isFar) {
        InsertLeaf(broad, proxy);
    } else {
        RefitAbove(broad, proxy);
    }
    MarkMoved(broad, proxy);
}

const hwProxyDef* hwBroadPhase_GetProxy(const hwBroadPhase* broad, int proxy) {
    return IsAlive(broad, proxy) ? &broad->proxies[proxy] : NULL;
}

// Filters

static uint64_t MakeKey(int a, int b) {
    uint32_t low = (uint32_t)(a < b ? a : b), high = (uint32_t)(a < b ? b : a);
    return (uint64_t)low << 32 | high;
}

// Place of the first entry that is not below the key.
static int FindExcluded(const hwBroadPhase* broad, uint64_t key) {
    int low = 0, high = broad->excludedCount;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (broad->excluded[middle] < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

bool hwBroadPhase_Exclude(hwBroadPhase* broad, int ownerA, int ownerB) {
    uint64_t key = MakeKey(ownerA, ownerB);
    int at = FindExcluded(broad, key);
    if (at < broad->excludedCount && broad->excluded[at] == key) return true;
    if (broad->excludedCount == broad->pairCapacity) return false;
    for (int i = broad->excludedCount++; i > at; --i) broad->excluded[i] = broad->excluded[i - 1];
    broad->excluded[at] = key;
    return true;
}

void hwBroadPhase_Include(hwBroadPhase* broad, int ownerA, int ownerB) {
    uint64_t key = MakeKey(ownerA, ownerB);
    int at = FindExcluded(broad, key);
    if (at == broad->excludedCount || broad->excluded[at] != key) return;
    broad->excludedCount -= 1;
    for (int i = at; i < broad->excludedCount; ++i) broad->excluded[i] = broad->excluded[i + 1];
}

// By what the proxies are, which does not change.
static bool MayTouch(const hwProxyDef* a, const hwProxyDef* b) {
    if (!(a->category & b->mask) || !(b->category & a->mask)) return false;
    if (a->owner != b->owner) return true;
    int gap = a->selfGap < b->selfGap ? a->selfGap : b->selfGap;
    int apart = a->index < b->index ? b->index - a->index : a->index - b->index;
    return gap > 0 && apart > gap;
}

static bool IsExcluded(const hwBroadPhase* broad, const hwProxyDef* a, const hwProxyDef* b) {
    if (broad->excludedCount == 0 || a->owner == b->owner) return false;
    uint64_t key = MakeKey(a->owner, b->owner);
    int at = FindExcluded(broad, key);
    return at < broad->excludedCount && broad->excluded[at] == key;
}

// Pairs

// Place of the key in the table, or of the empty entry where it belongs.
static unsigned FindEntry(const hwBroadPhase* broad, uint64_t key) {
    unsigned mask = (unsigned)broad->tableSize - 1, at = (unsigned)(key * 0x9e3779b97f4a7c15u >> 40);
    while (broad->tableStamps[at & mask] == broad->stamp && broad->tableKeys[at & mask] != key) ++at;
    return at & mask;
}

static void FillTable(hwBroadPhase* broad) {
    broad->stamp += 1;
    if (broad->stamp == 0) {
        memset(broad->tableStamps, 0, (size_t)broad->tableSize * sizeof(uint32_t));
        broad->stamp = 1;
    }
    for (int i = 0; i < broad->candidateCount; ++i) {
        unsigned at = FindEntry(broad, broad->candidates[i].key);
        broad->tableKeys[at] = broad->candidates[i].key;
        broad->tableStamps[at] = broad->stamp;
    }
}

// Drops candidates whose fat boxes have parted, freeing their slots.
static void DropParted(hwBroadPhase* broad) {
    int kept = 0;
    for (int i = 0; i < broad->candidateCount; ++i) {
        uint64_t key = broad->candidates[i].key;
        int a = (int)(key >> 32), b = (int)(key & 0xffffffffu);
        if (hwBox_Overlaps(&broad->nodes[a].box, &broad->nodes[b].box)) {
            broad->candidates[kept] = broad->candidates[i];
            broad->candidates[kept++].fresh = false;
        } else {
            broad->freeSlots[broad->freeSlotCount++] = broad->candidates[i].slot;
        }
    }
    broad->candidateCount = kept;
}

// A pair of leaves whose fat boxes overlap. False: no room.
static bool AddFound(hwBroadPhase* broad, int a, int b, int* foundCount) {
    if (!MayTouch(&broad->proxies[a], &broad->proxies[b])) return true;
    uint64_t key = MakeKey(a, b);
    if (broad->tableStamps[FindEntry(broad, key)] == broad->stamp) return true; // known
    if (*foundCount >= broad->freeSlotCount) return false;
    broad->found[(*foundCount)++].key = key;
    return true;
}

// All new neighbours: the tree is compared with itself, leaving out parts in which nothing has moved. Every pair of
// leaves is met once. False: no room.
static bool FindNew(hwBroadPhase* broad, int* foundCount) {
    const Node* nodes = broad->nodes;
    struct {
        int a, b; // equal: a subtree with itself
    } stack[4 * STACK];
    int top = 0;
    if (broad->root != NONE && nodes[broad->root].moved) {
        stack[0].a = stack[0].b = broad->root;
        top = 1;
    }
    while (top > 0) {
        top -= 1;
        int a = stack[top].a, b = stack[top].b;
        const Node *na = &nodes[a], *nb = &nodes[b];
        if (a == b) {
            if (na->height == 0) continue;
            int left = na->child[0], right = na->child[1];
            stack[top].a = left;
            stack[top++].b = right;
            for (int k = 0; k < 2; ++k) {
                if (!nodes[na->child[k]].moved) continue;
                stack[top].a = stack[top].b = na->child[k];
                top += 1;
            }
            continue;
        }
        if (!(na->moved || nb->moved) || !hwBox_Overlaps(&na->box, &nb->box)) continue;
        if (na->height == 0 && nb->height == 0) {
            if (!AddFound(broad, a, b, foundCount)) return false;
            continue;
        }
        bool openA = na->height >= nb->height;
        for (int k = 0; k < 2; ++k) {
            stack[top].a = openA ? na->child[k] : a;
            stack[top++].b = openA ? b : nb->child[k];
        }
    }
    return true;
}

static void ClearMoved(hwBroadPhase* broad) {
    int stack[STACK], top = 0, at = broad->root;
    while (at != NONE) {
        Node* node = &broad->nodes[at];
        at = NONE;
        if (node->moved) {
            node->moved = false;
            if (node->height > 0) {
                stack[top++] = node->child[1];
                at = node->child[0];
            }
        }
        if (at == NONE && top > 0) at = stack[--top];
    }
}

static void SiftDown(Candidate* list, int at, int count) {
    for (;;) {
        int child = 2 * at + 1;
        if (child >= count) return;
        if (child + 1 < count && list[child + 1].key > list[child].key) child += 1;
        if (list[at].key >= list[child].key) return;
        Candidate swap = list[at];
        list[at] = list[child];
        list[child] = swap;
        at = child;
    }
}

static void SortCandidates(Candidate* list, int count) {
    for (int i = count / 2 - 1; i >= 0; --i) SiftDown(list, i, count);
    for (int i = count - 1; i > 0; --i) {
        Candidate swap = list[0];
        list[0] = list[i];
        list[i] = swap;
        SiftDown(list, 0, i);
    }
}

static void MergePairs(hwBroadPhase* broad, int foundCount) {
    int i = 0, j = 0, count = 0;
    while (i < broad->candidateCount || j < foundCount) {
        if (j == foundCount ||
            (i < broad->candidateCount && broad->candidates[i].key < broad->found[j].key)) {
            broad->merged[count++] = broad->candidates[i++];
        } else {
            broad->merged[count] = broad->found[j++];
            broad->merged[count].slot = broad->freeSlots[--broad->freeSlotCount];
            broad->merged[count++].fresh = true;
        }
    }
    Candidate* swap = broad->candidates;
    broad->candidates = broad->merged;
    broad->merged = swap;
    broad->candidateCount = count;
}

hwStatus hwBroadPhase_Update(hwBroadPhase* broad, hwError* error) {
    DropParted(broad);
    FillTable(broad);
    int foundCount = 0;
    broad->pairCount = 0;
    if (!FindNew(broad, &foundCount)) {
        hwFail(error, HW_ERROR_LIMIT, NULL, "more than %d pairs of boxes are near each other",
               broad->pairCapacity);
        hwFail_Hint(error, "reserve more pairs, or a smaller margin");
        return HW_ERROR_LIMIT;
    }
    ClearMoved(broad);
    if (foundCount > 0) {
        SortCandidates(broad->found, foundCount);
        MergePairs(broad, foundCount);
    }
    for (int i = 0; i < broad->candidateCount; ++i) {
        const Candidate* candidate = &broad->candidates[i];
        int a = (int)(candidate->key >> 32), b = (int)(candidate->key & 0xffffffffu);
        const hwProxyDef *first = &broad->proxies[a], *second = &broad->proxies[b];
        if (!hwBox_Overlaps(&first->box, &second->box) || IsExcluded(broad, first, second)) continue;
        broad->pairs[broad->pairCount++] = (hwProxyPair){a, b, candidate->slot, candidate->fresh};
    }
    return HW_OK;
}

const hwProxyPair* hwBroadPhase_GetPairs(const hwBroadPhase* broad, int* count) {
    *count = broad->pairCount;
    return broad->pairs;
}

hwStatus hwBroadPhase_Reserve(hwBroadPhase* broad, int proxies, int pairs, hwError* error) {
    if (proxies <= broad->proxyCapacity && pairs <= broad->pairCapacity) return HW_OK;
    hwBroadPhase old = *broad, grown = *broad;
    proxies = proxies > old.proxyCapacity ? proxies : old.proxyCapacity;
    pairs = pairs > old.pairCapacity ? pairs : old.pairCapacity;
    if (!AllocateArrays(&grown, proxies, pairs)) {
        FreeArrays(&grown);
        return hwFail_Memory(error, NULL);
    }
    ResetNodes(&grown);
    // The same proxies keep their numbers; the tree and the candidates are made again, and slots stay.
    memcpy(grown.excluded, old.excluded, (size_t)old.excludedCount * sizeof(uint64_t));
    memcpy(grown.proxies, old.proxies, (size_t)old.proxyCapacity * sizeof(hwProxyDef));
    memcpy(grown.candidates, old.candidates, (size_t)old.candidateCount * sizeof(Candidate));
    grown.candidateCount = old.candidateCount;
    grown.freeSlotCount = 0;
    for (int i = pairs - 1; i >= old.pairCapacity; --i) grown.freeSlots[grown.freeSlotCount++] = i;
    for (int i = 0; i < old.freeSlotCount; ++i) grown.freeSlots[grown.freeSlotCount++] = old.freeSlots[i];
    grown.freeLeaf = NONE;
    for (int i = proxies - 1; i >= 0; --i) {
        if (i < old.proxyCapacity && old.nodes[i].height == 0) {
            grown.nodes[i].box = old.nodes[i].box;
            InsertLeaf(&grown, i);
            MarkMoved(&grown, i);
        } else {
            grown.nodes[i].parent = grown.freeLeaf;
            grown.freeLeaf = i;
        }
    }
    FreeArrays(&old);
    *broad = grown;
    return HW_OK;
}

// Questions

int hwBroadPhase_FindInBox(const hwBroadPhase* broad, hwBox box, int* proxies, int capacity) {
    int stack[STACK], top = 0, at = broad->root, total = 0;
    while (at != NONE) {
        const Node* node = &broad->nodes[at];
        int next = NONE;
        if (hwBox_Overlaps(&node->box, &box)) {
            if (node->height > 0) {
                stack[top++] = node->child[1];
                next = node->child[0];
            } else if (hwBox_Overlaps(&broad->proxies[at].box, &box)) {
                if (total < capacity) proxies[total] = at;
                total += 1;
            }
        }
        at = next != NONE ? next : top > 0 ? stack[--top] : NONE;
    }
    return total;
}

static bool RayMeetsBox(const hwBox* box, hwVec3 origin, hwVec3 direction, double tMax, double radius) {
    const double p[3] = {origin.x, origin.y, origin.z}, d[3] = {direction.x, direction.y, direction.z};
    const double low[3] = {box->low.x, box->low.y, box->low.z},
                 high[3] = {box->high.x, box->high.y, box->high.z};
    double enter = 0.0, leave = tMax;
    for (int k = 0; k < 3; ++k) {
        double a = low[k] - radius - p[k], b = high[k] + radius - p[k];
        if (fabs(d[k]) < 1e-200) {
            if (a > 0.0 || b < 0.0) return false;
            continue;
        }
        double inverse = 1.0 / d[k];
        enter = hwMax(enter, hwMin(a * inverse, b * inverse));
        leave = hwMin(leave, hwMax(a * inverse, b * inverse));
    }
    return enter <= leave;
}

int hwBroadPhase_FindAlongRay(const hwBroadPhase* broad, hwVec3 origin, hwVec3 direction, double tMax,
                              double radius, int* proxies, int capacity) {
    int stack[STACK], top = 0, at = broad->root, total = 0;
    while (at != NONE) {
        const Node* node = &broad->nodes[at];
        int next = NONE;
        if (RayMeetsBox(&node->box, origin, direction, tMax, radius)) {
            if (node->height > 0) {
                stack[top++] = node->child[1];
                next = node->child[0];
            } else if (RayMeetsBox(&broad->proxies[at].box, origin, direction, tMax, radius)) {
                if (total < capacity) proxies[total] = at;
                total += 1;
            }
        }
        at = next != NONE ? next : top > 0 ? stack[--top] : NONE;
    }
    return total;
}
