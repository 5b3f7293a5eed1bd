// The symbolic part of couplings: order of elimination and where each block goes.
#include "mech/coupling.h"

#include <string.h>

#define BUCKETS 32 // degrees from here on up share one

// One link's end of a coupling, in a list by link.
struct hwCouplingNode {
    int other;
    int block;
    int next; // -1: last
    bool row; // the block's rows are this link's
};

// The state of the symbolic elimination.
typedef struct Symbolic {
    const hwForest* forest;
    hwCouplings* c;
    int freeNode; // head of the list of unused nodes
    int position; // links eliminated so far
    bool full;
    int bucket[BUCKETS]; // links that may go next, by degree
} Symbolic;

// Sizes ------------------------------------------------------------------------------------------------------------------

hwCouplingSizes hwCouplings_ChooseSizes(const hwForest* forest, int pairs, double factor) {
    hwCouplingSizes sizes = {0};
    if (pairs == 0) return sizes;
    int deepest = 0, freest = 0;
    for (int i = 0; i < forest->linkCount; ++i) {
        int depth = 0, freedoms = 0;
        for (int j = i; j >= 0; j = forest->links[j].parent) {
            depth += 1;
            if (forest->links[j].joint == HW_LINK_FREE) break; // its rows take the place of blocks
            freedoms += hwJoint_CountFreedoms(forest->links[j].joint);
        }
        deepest = depth > deepest ? depth : deepest;
        freest = freedoms > freest ? freedoms : freest;
    }
    double scale = factor * (double)pairs;
    sizes.pairs = pairs;
    sizes.blocks = (int)(2.0 * scale) + 8;
    sizes.entries = (int)(scale * (double)(2 * deepest)) + sizes.blocks;
    if (freest > 0) sizes.rows = (int)(scale * (double)(2 * freest)) + 6 * sizes.blocks;
    sizes.fills = sizes.entries + 4 * sizes.blocks;
    return sizes;
}

hwCouplings* hwCouplings_Take(const hwForest* forest, hwArena* arena, hwCouplingSizes capacity) {
    int links = forest->linkCount;
    hwCouplings local;
    hwCouplings* c = HW_TAKE(arena, hwCouplings, 1);
    hwCouplings* out = c != NULL ? c : &local;
    memset(out, 0, sizeof(*out));
    out->capacity = capacity;
    out->pairs = HW_TAKE(arena, hwLinkPair, capacity.pairs);
    out->pairBlock = HW_TAKE(arena, int, capacity.pairs);
    out->pairRow = HW_TAKE(arena, bool, capacity.pairs);
    out->order = HW_TAKE(arena, int, links);
    out->first = HW_TAKE(arena, int, links);
    out->last = HW_TAKE(arena, int, links);
    out->fill = HW_TAKE(arena, int, links);
    out->entries = HW_TAKE(arena, hwCouplingEntry, capacity.entries);
    out->fills = HW_TAKE(arena, hwCouplingFill, capacity.fills);
    out->blocks = HW_TAKE(arena, hwCouplingBlock, capacity.blocks);
    out->rows = HW_TAKE(arena, hwWideSpatial, capacity.rows);
    out->factors = HW_TAKE(arena, hwFreeFactor, links);
    out->nodes = HW_TAKE(arena, struct hwCouplingNode, 2 * capacity.blocks);
    int** scratch[] = {&out->list, &out->degree, &out->children, &out->next, &out->previous};
    for (size_t i = 0; i < sizeof(scratch) / sizeof(scratch[0]); ++i)
        *scratch[i] = HW_TAKE(arena, int, links);
    out->number = HW_TAKE(arena, int, capacity.blocks);
    return c;
}

// Lists of couplings by link -----------------------------------------------------------------------------------------------

static struct hwCouplingNode* FindNode(const Symbolic* s, int link, int other) {
    for (int n = s->c->list[link]; n >= 0; n = s->c->nodes[n].next) {
        if (s->c->nodes[n].other == other) return &s->c->nodes[n];
    }
    return NULL;
}

static void AddNode(Symbolic* s, int link, int other, int block, bool row) {
    int n = s->freeNode;
    s->freeNode = s->c->nodes[n].next;
    s->c->nodes[n] = (struct hwCouplingNode){other, block, s->c->list[link], row};
    s->c->list[link] = n;
    s->c->degree[link] += 1;
}

static void RemoveNode(Symbolic* s, int link, int other) {
    int* at = &s->c->list[link];
    while (s->c->nodes[*at].other != other) at = &s->c->nodes[*at].next;
    int n = *at;
    *at = s->c->nodes[n].next;
    s->c->nodes[n].next = s->freeNode;
    s->freeNode = n;
    s->c->degree[link] -= 1;
}

// The block of (a, b), a new one if need be; *row tells whether its rows are a's. -1 when there is no room.
static int FindBlock(Symbolic* s, int a, int b, bool* row) {
    const struct hwCouplingNode* node = FindNode(s, a, b);
    if (node != NULL) {
        *row = node->row;
        return node->block;
    }
    if (s->c->used.blocks >= s->c->capacity.blocks) return -1;
    int block = s->c->used.blocks++;
    AddNode(s, a, b, block, true);
    AddNode(s, b, a, block, false);
    *row = true;
    return block;
}

// Links that may go next, by degree ----------------------------------------------------------------------------------------

static int BucketOf(const Symbolic* s, int link) {
    int degree = s->c->degree[link];
    return degree < BUCKETS ? degree : BUCKETS - 1;
}

static void EnqueueLink(Symbolic* s, int link) {
    int* head = &s->bucket[BucketOf(s, link)];
    s->c->next[link] = *head;
    s->c->previous[link] = -1;
    if (*head >= 0) s->c->previous[*head] = link;
    *head = link;
}

static void DequeueLink(Symbolic* s, int link) {
    int next = s->c->next[link], previous = s->c->previous[link];
    if (next >= 0) s->c->previous[next] = previous;
    if (previous >= 0) {
        s->c->next[previous] = next;
    } else {
        s->bucket[BucketOf(s, link)] = next;
    }
}

static bool IsQueued(const Symbolic* s, int link) {
    return s->c->children[link] == 0;
}

// Elimination ---------------------------------------------------------------------------------------------------------------

// Copies link i's list into entries and takes i out of its partners' lists.
static bool TakeEntries(Symbolic* s, int i, int* first, int* last) {
    hwCouplings* c = s->c;
    hwJointType joint = s->forest->links[i].joint;
    int count = joint == HW_LINK_FREE ? 0 : hwJoint_CountFreedoms(joint);
    *first = c->used.entries;
    for (int n = c->list[i]; n >= 0; n = c->nodes[n].next) {
        if (c->used.entries >= c->capacity.entries || c->used.rows + count > c->capacity.rows) return false;
        const struct hwCouplingNode* node = &c->nodes[n];
        c->entries[c->used.entries++] = (hwCouplingEntry){.other = node->other,
                                                          .block = node->block,
                                                          .row = node->row,
                                                          .target = HW_COUPLING_DROP,
                                                          .rows = c->used.rows};
        c->used.rows += count;
    }
    *last = c->used.entries;
    for (int e = *first; e < *last; ++e) {
        int j = c->entries[e].other;
        if (IsQueued(s, j)) DequeueLink(s, j);
        RemoveNode(s, j, i);
        RemoveNode(s, i, j);
    }
    return true;
}

// Blocks between the links that were coupled to i: eliminating its freedoms couples them with one another.
static bool AddFills(Symbolic* s, int first, int last) {
    hwCouplings* c = s->c;
    for (int e = first; e < last; ++e) {
        for (int f = first; f < e; ++f) {
            bool row;
            int block = FindBlock(s, c->entries[f].other, c->entries[e].other, &row);
            if (block < 0 || c->used.fills >= c->capacity.fills) return false;
            c->fills[c->used.fills++] = (hwCouplingFill){block, row};
        }
    }
    return true;
}

// Where K_ij goes: to the parent's block with j, which may be the same memory.
static void ClimbTo(Symbolic* s, hwCouplingEntry* entry, int parent) {
    int j = entry->other;
    if (j == parent) {
        entry->target = HW_COUPLING_FOLD;
        return;
    }
    const struct hwCouplingNode* node = FindNode(s, parent, j);
    if (node != NULL) {
        entry->target = node->block;
        entry->targetRow = node->row;
        return;
    }
    entry->target = entry->block;
    entry->targetRow = true;
    AddNode(s, parent, j, entry->block, true);
    AddNode(s, j, parent, entry->block, false);
}

// Whether eliminating a link changes its parent's block.
static bool Climbs(const hwForest* forest, int i) {
    const hwLink* link = &forest->links[i];
    return link->joint != HW_LINK_FREE && link->parent >= 0 && !forest->data[link->parent].grounded;
}

static bool EliminateLink(Symbolic* s, int i) {
    hwCouplings* c = s->c;
    const hwLink* link = &s->forest->links[i];
    bool climbs = Climbs(s->forest, i);
    int first, last;
    DequeueLink(s, i);
    c->order[s->position] = i;
    c->fill[s->position] = c->used.fills;
    if (!TakeEntries(s, i, &first, &last)) return false;
    // nothing is eliminated at a joint without freedoms
    if (hwJoint_CountFreedoms(link->joint) > 0 && !AddFills(s, first, last)) return false;
    for (int e = first; e < last && climbs; ++e) ClimbTo(s, &c->entries[e], link->parent);
    c->first[s->position] = first;
    c->last[s->position] = last;
    s->position += 1;
    for (int e = first; e < last; ++e) {
        if (IsQueued(s, c->entries[e].other)) EnqueueLink(s, c->entries[e].other);
    }
    if (link->parent >= 0) {
        c->children[link->parent] -= 1;
        if (IsQueued(s, link->parent)) EnqueueLink(s, link->parent);
    }
    return true;
}

static void StartLists(Symbolic* s) {
    hwCouplings* c = s->c;
    int links = s->forest->linkCount, nodes = 2 * c->capacity.blocks;
    for (int n = 0; n < nodes; ++n) c->nodes[n].next = n + 1;
    for (int i = 0; i < links; ++i) {
        c->list[i] = -1;
        c->degree[i] = 0;
        c->children[i] = 0;
    }
    for (int i = 0; i < links; ++i) {
        if (s->forest->links[i].parent >= 0) c->children[s->forest->links[i].parent] += 1;
    }
    for (int b = 0; b < BUCKETS; ++b) s->bucket[b] = -1;
}

static bool AddPairs(Symbolic* s) {
    hwCouplings* c = s->c;
    for (int k = 0; k < c->used.pairs; ++k) {
        int a = c->pairs[k].first, b = c->pairs[k].second;
        c->pairBlock[k] = -1;
        c->pairRow[k] = true;
        if (s->forest->data[a].grounded || s->forest->data[b].grounded) continue;
        c->pairBlock[k] = FindBlock(s, a, b, &c->pairRow[k]);
        if (c->pairBlock[k] < 0) return false;
    }
    return true;
}

// The tree of elimination: a link's parent in it is the first one that it is eliminated into. By number in the order found first,
// that of the last links' is the number of links.
static void FindTree(const Symbolic* s, int* at, int* parent) {
    const hwCouplings* c = s->c;
    int links = s->forest->linkCount;
    for (int n = 0; n < links; ++n) at[c->order[n]] = n;
    for (int n = 0; n < links; ++n) {
        int i = c->order[n], next = Climbs(s->forest, i) ? at[s->forest->links[i].parent] : links;
        for (int e = c->first[n]; e < c->last[n]; ++e) {
            int other = at[c->entries[e].other];
            if (other < next) next = other;
        }
        parent[n] = next;
    }
}

// Children come right before their parent, the first found first. Links that never move are not in the tree: they come last, as
// motions are found in the other order, and those of their children start from theirs.
static void Postorder(Symbolic* s) {
    hwCouplings* c = s->c;
    int links = s->forest->linkCount, count = 0, roots = -1;
    int *parent = c->degree, *child = c->list, *sibling = c->next, *sorted = c->previous;
    FindTree(s, c->children, parent);
    for (int n = 0; n < links; ++n) child[n] = -1;
    for (int still = 1; still >= 0; --still) {
        for (int n = links - 1; n >= 0; --n) {
            if (s->forest->data[c->order[n]].grounded != (still == 1)) continue;
            int* head = parent[n] < links ? &child[parent[n]] : &roots;
            sibling[n] = *head;
            *head = n;
        }
    }
    for (int n = roots; n >= 0;) {
        while (child[n] >= 0) {
            int down = child[n];
            child[n] = -1;
            n = down;
        }
        for (; n >= 0; n = parent[n] < links ? parent[n] : -1) {
            sorted[count++] = n;
            if (sibling[n] >= 0) break;
        }
        if (n >= 0) n = sibling[n];
    }
    int* arrays[] = {c->order, c->first, c->last, c->fill};
    for (size_t k = 0; k < sizeof(arrays) / sizeof(arrays[0]); ++k) {
        for (int n = 0; n < links; ++n) child[n] = arrays[k][sorted[n]];
        memcpy(arrays[k], child, (size_t)links * sizeof(int));
    }
}

static void NumberBlocks(hwCouplings* c, int links) {
    int count = 0;
    for (int b = 0; b < c->used.blocks; ++b) c->number[b] = -1;
    for (int n = 0; n < links; ++n) {
        for (int e = c->first[n]; e < c->last[n]; ++e) {
            int block = c->entries[e].block;
            if (c->number[block] < 0) c->number[block] = count++;
        }
    }
    for (int e = 0; e < c->used.entries; ++e) {
        hwCouplingEntry* entry = &c->entries[e];
        entry->block = c->number[entry->block];
        if (entry->target >= 0) entry->target = c->number[entry->target];
    }
    for (int f = 0; f < c->used.fills; ++f) c->fills[f].block = c->number[c->fills[f].block];
    for (int k = 0; k < c->used.pairs; ++k) {
        if (c->pairBlock[k] >= 0) c->pairBlock[k] = c->number[c->pairBlock[k]];
    }
}

static bool IsSame(const hwCouplings* c, int count, const hwLinkPair* pairs) {
    if (count != c->used.pairs) return false;
    for (int k = 0; k < count; ++k) {
        if (pairs[k].first != c->pairs[k].first || pairs[k].second != c->pairs[k].second) return false;
    }
    return true;
}

bool hwForest_SetCouplings(const hwForest* forest, hwCouplings* couplings, int count,
                           const hwLinkPair* pairs) {
    if (IsSame(couplings, count, pairs)) return true;
    memset(&couplings->used, 0, sizeof(couplings->used));
    if (count > couplings->capacity.pairs) return false;
    for (int k = 0; k < count; ++k) couplings->pairs[k] = pairs[k];
    Symbolic s = {.forest = forest, .c = couplings};
    couplings->used.pairs = count;
    StartLists(&s);
    bool fits = AddPairs(&s);
    // leaves in ascending order, so that the last of equals goes first, as without couplings
    for (int i = 0; i < forest->linkCount && fits; ++i) {
        if (IsQueued(&s, i)) EnqueueLink(&s, i);
    }
    while (fits && s.position < forest->linkCount) {
        int b = 0;
        while (s.bucket[b] < 0) b += 1;
        fits = EliminateLink(&s, s.bucket[b]);
    }
    if (!fits) {
        memset(&couplings->used, 0, sizeof(couplings->used));
        return false;
    }
    Postorder(&s);
    NumberBlocks(couplings, forest->linkCount);
    return true;
}

// Blocks -------------------------------------------------------------------------------------------------------------------

void hwCouplings_Clear(hwCouplings* couplings) {
    if (couplings->used.blocks == 0) return;
    memset(couplings->blocks, 0, (size_t)couplings->used.blocks * sizeof(hwCouplingBlock));
}

void hwCouplings_Add(hwCouplings* couplings, int pair, const hwWideBlock* block) {
    int index = couplings->pairBlock[pair];
    if (index < 0) return;
    hwWideBlock* to = &couplings->blocks[index].block;
    if (couplings->pairRow[pair]) {
        hwWideMat_Add(&to->ll, &block->ll);
        hwWideMat_Add(&to->la, &block->la);
        hwWideMat_Add(&to->al, &block->al);
        hwWideMat_Add(&to->aa, &block->aa);
        return;
    }
    hwWideMat ll = hwWideMat_Transpose(&block->ll), la = hwWideMat_Transpose(&block->al);
    hwWideMat al = hwWideMat_Transpose(&block->la), aa = hwWideMat_Transpose(&block->aa);
    hwWideMat_Add(&to->ll, &ll);
    hwWideMat_Add(&to->la, &la);
    hwWideMat_Add(&to->al, &al);
    hwWideMat_Add(&to->aa, &aa);
}
