// Groups of flows: those between which nothing is coupled, with what moves with each. Links and slots are numbered in a
// row; what is coupled is in one tree of `root`.
#include "parts/sheaves/sheaves.h"

#include "mech/coupling.h"
#include "world/part.h"

static int FindRoot(int* root, int i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
}

static void JoinThings(int* root, int a, int b) {
    int i = FindRoot(root, a), j = FindRoot(root, b);
    root[i > j ? i : j] = i < j ? i : j;
}

static void JoinLinks(const hwWorld* world, int* root) {
    const hwForest* forest = &world->model.forest;
    for (int i = 0; i < forest->linkCount; ++i) {
        int parent = forest->links[i].parent;
        if (parent >= 0 && !forest->data[parent].grounded) JoinThings(root, i, parent);
    }
    const hwCouplings* couplings = world->work->forest.couplings;
    for (int k = 0; couplings != NULL && k < couplings->used.pairs; ++k) {
        if (couplings->pairBlock[k] >= 0)
            JoinThings(root, couplings->pairs[k].first, couplings->pairs[k].second);
    }
}

static void JoinCables(const hwWorld* world, int* root) {
    int links = world->model.forest.linkCount;
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        for (int e = 0; e < 2; ++e) {
            const hwEndState* end = &world->state.cables->stores[slot].ends[e];
            if (end->joint != HW_ATTACH_FREE && end->link >= 0 && world->model.links[end->link].active)
                JoinThings(root, links + slot, end->link);
        }
        HW_EACH_HOOK(world, part, getTouchedLink) {
            int link = part->cables->getTouchedLink(world, slot);
            if (link >= 0) JoinThings(root, links + slot, link);
        }
    }
    for (int k = 0; k < world->model.sheaves->count; ++k) {
        const hwSheaveStore* store = &world->state.sheaves->items[k];
        JoinThings(root, links + store->slot[0], links + store->slot[1]);
    }
}

// Groups in the order of their first flows, flows within them in order.
static void NumberGroups(const hwWorld* world, hwSheaveGroups* groups) {
    int links = world->model.forest.linkCount, things = links + world->model.cables->count;
    int count = world->model.sheaves->count;
    for (int i = 0; i < things; ++i) groups->number[i] = -1;
    for (int i = 0; i <= count; ++i) groups->first[i] = 0;
    groups->count = groups->most = 0;
    for (int k = 0; k < count; ++k) {
        int* number = &groups->number[FindRoot(groups->root, links + world->state.sheaves->items[k].slot[0])];
        if (*number < 0) *number = groups->count++;
        groups->first[*number + 1] += 1;
    }
    for (int g = 0; g < groups->count; ++g) {
        if (groups->first[g + 1] > groups->most) groups->most = groups->first[g + 1];
        groups->first[g + 1] += groups->first[g];
    }
    for (int k = count - 1; k >= 0; --k) { // ends of groups walk down to their beginnings
        int g = groups->number[FindRoot(groups->root, links + world->state.sheaves->items[k].slot[0])];
        groups->members[--groups->first[g + 1]] = k;
    }
    for (int g = 0; g < groups->count; ++g) groups->first[g] = groups->first[g + 1];
    groups->first[groups->count] = count;
}

static void AddRange(hwSheaveGroups* groups, int group, int first, int count) {
    if (group >= 0 && count > 0) groups->ranges[groups->rangeCount++] = (hwFreedomRange){group, first, count};
}

// Rows of nodes that do not exist are left out: each leg has room for the whole cable.
static void FindRanges(const hwWorld* world, hwSheaveGroups* groups) {
    const hwForest* forest = &world->model.forest;
    groups->rangeCount = 0;
    for (int i = 0; i < forest->linkCount; ++i) {
        const hwLink* link = &forest->links[i];
        AddRange(groups, groups->number[FindRoot(groups->root, i)], link->freedom,
                 hwJoint_CountFreedoms(link->joint));
    }
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        AddRange(groups, groups->number[FindRoot(groups->root, forest->linkCount + slot)],
                 world->model.cables->slots[slot].freedom, 3 * world->work->cables->tools[slot].work.nodes);
    }
}

void hwSheaves_FindGroups(const hwWorld* world) {
    hwSheaveGroups* groups = &world->work->sheaves->groups;
    int things = world->model.forest.linkCount + world->model.cables->count;
    for (int i = 0; i < things; ++i) groups->root[i] = i;
    JoinLinks(world, groups->root);
    JoinCables(world, groups->root);
    NumberGroups(world, groups);
    FindRanges(world, groups);
}
