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

static void NumberFreedoms(const hwWorld* world, hwSheaveGroups* groups) {
    const hwForest* forest = &world->model.forest;
    for (int i = 0; i < world->model.freedomCount; ++i) groups->ofFreedom[i] = -1;
    for (int i = 0; i < forest->linkCount; ++i) {
        int g = groups->number[FindRoot(groups->root, i)],
            freedoms = hwJoint_CountFreedoms(forest->links[i].joint);
        for (int f = 0; f < freedoms; ++f) groups->ofFreedom[forest->links[i].freedom + f] = g;
    }
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        const hwCableSlot* cable = &world->model.cables->slots[slot];
        int g = groups->number[FindRoot(groups->root, forest->linkCount + slot)];
        for (int f = 0; f < 3 * cable->model.nodeCapacity; ++f) groups->ofFreedom[cable->freedom + f] = g;
    }
}

void hwSheaves_FindGroups(const hwWorld* world) {
    hwSheaveGroups* groups = &world->work->sheaves->groups;
    int things = world->model.forest.linkCount + world->model.cables->count;
    for (int i = 0; i < things; ++i) groups->root[i] = i;
    JoinLinks(world, groups->root);
    JoinCables(world, groups->root);
    NumberGroups(world, groups);
    NumberFreedoms(world, groups);
}
