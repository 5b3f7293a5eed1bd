// What begins in each other: pairs of bodies that overlap deeper than any contact that was meant, when a world is prepared.
#include "parts/contact/contact.h"

#include "base/memory.h"
#include "geom/shape_data.h"

#include <math.h>
#include <string.h>

#define DEEP 0.25  // of the thinner part's width
#define APART 1e-6 // likewise: what has been moved is moved until it is no deeper in anything
#define SWEEPS 300 // over all pairs, to separate them

static hwPose GetPose(const hwWorld* world, const hwContactPart* part) {
    const hwLinkMotion* m = &world->work->forest.motion[part->link];
    hwPose pose = {hwWide_ToVec3(m->p), hwQuatFromMat3(hwWideMat_ToMat3(&m->R))};
    return hwMulPose(pose, part->place);
}

static const char* GetName(const hwWorld* world, const hwContactPart* part) {
    return world->model.links[part->link].body->def.name;
}

// The shortest way apart of a pair that is deeper in each other than `part` of the thinner one. Links of one mechanism are not asked.
static bool FindDeep(const hwWorld* world, const hwContactSlot* slot, double part, hwClosest* closest) {
    if (slot->b < 0) return false;
    const hwContactPart *a = &world->model.contact->parts[slot->a],
                        *b = &world->model.contact->parts[slot->b];
    const hwBodyObject *first = world->model.links[a->link].body, *second = world->model.links[b->link].body;
    bool together = !HW_IS_NULL(first->mechanism) && first->mechanism.index == second->mechanism.index;
    if (together || a->mesh != NULL || b->mesh != NULL) return false;
    *closest =
        hwConvex_FindClosest(&a->solid.convex, GetPose(world, a), &b->solid.convex, GetPose(world, b), NULL);
    return closest->distance < -part * hwMin(a->thickness, b->thickness);
}

// Separating ---------------------------------------------------------------------------------------------------------------

// The free joint on which a link's tree hangs, or -1: it cannot be moved.
static int FindRoot(const hwForest* forest, int link) {
    while (link >= 0 && forest->links[link].joint != HW_LINK_FREE) link = forest->links[link].parent;
    return link >= 0 && forest->links[link].parent < 0 ? link : -1;
}

static double SumMass(const hwForest* forest, int root) {
    double sum = 0.0;
    for (int i = root; i < forest->linkCount; ++i) {
        if (FindRoot(forest, i) == root) sum += forest->links[i].mass;
    }
    return sum;
}

static void MoveRoot(hwWorld* world, int root, hwVec3 by) {
    double* p = world->state.q + world->model.forest.links[root].coordinate;
    p[0] += by.x, p[1] += by.y, p[2] += by.z;
}

// Moves both along the shortest way apart, the lighter one more. False: neither can be moved.
static bool SeparatePair(hwWorld* world, const hwContactSlot* slot, const hwClosest* closest) {
    const hwForest* forest = &world->model.forest;
    const hwContactPart *a = &world->model.contact->parts[slot->a],
                        *b = &world->model.contact->parts[slot->b];
    int rootA = FindRoot(forest, a->link), rootB = FindRoot(forest, b->link);
    if ((rootA < 0 && rootB < 0) || rootA == rootB) return false;
    double massA = rootA >= 0 ? SumMass(forest, rootA) : 0.0,
           massB = rootB >= 0 ? SumMass(forest, rootB) : 0.0;
    double share = rootA < 0 ? 0.0 : rootB < 0 ? 1.0 : massB / (massA + massB);
    hwVec3 way = hwScale(-closest->distance, closest->normal);
    if (rootA >= 0) MoveRoot(world, rootA, hwScale(-share, way));
    if (rootB >= 0) MoveRoot(world, rootB, hwScale(1.0 - share, way));
    if (-closest->distance > DEEP * hwMin(a->thickness, b->thickness)) {
        hwWorld_Log(world, HW_LOG_INFO, "%s and %s overlapped by %.3g m at the start and were moved apart",
                    GetName(world, a), GetName(world, b), -closest->distance);
    }
    return true;
}

static bool IsMoved(const hwWorld* world, const bool* moved, int part) {
    int root = part < 0 ? -1 : FindRoot(&world->model.forest, world->model.contact->parts[part].link);
    return root >= 0 && moved[root];
}

// How deep a pair may be: what has been moved does not stay in what it was moved into.
static double GetDeep(const hwWorld* world, const bool* moved, const hwContactSlot* slot) {
    return IsMoved(world, moved, slot->a) || IsMoved(world, moved, slot->b) ? APART : DEEP;
}

static void NoteMoved(const hwWorld* world, bool* moved, const hwContactSlot* slot) {
    for (int i = 0; i < 2; ++i) {
        int link = world->model.contact->parts[i == 0 ? slot->a : slot->b].link;
        int root = FindRoot(&world->model.forest, link);
        if (root >= 0) moved[root] = true;
    }
}

// Each sweep may push bodies into others, which the next one finds.
static hwStatus SeparateAll(hwWorld* world, bool* moved, hwError* error) {
    hwStatus status = HW_OK;
    bool any = true;
    for (int sweep = 0; sweep < SWEEPS && any && status == HW_OK; ++sweep) {
        any = false;
        for (int k = 0; k < hwContact_CountUsed(world) && !any; ++k) {
            hwClosest closest;
            hwContactSlot* slot = &world->state.contact->slots[world->state.contact->used[k]];
            // one at a time: those it is in would be measured where it no longer is
            if (FindDeep(world, slot, GetDeep(world, moved, slot), &closest))
                any = SeparatePair(world, slot, &closest);
            if (any) NoteMoved(world, moved, slot);
        }
        double instant = 0.0;
        if (any) status = hwContact_Plan(world, &hwMode_running, &instant, error);
    }
    return status;
}

// Accepting ----------------------------------------------------------------------------------------------------------------

// The pair's force begins at nothing and comes to its own as the volume that it leaves out shrinks.
static void AcceptOverlap(hwWorld* world, hwContactSlot* slot) {
    const hwContactPart *a = &world->model.contact->parts[slot->a],
                        *b = &world->model.contact->parts[slot->b];
    hwPatch patch;
    hwPatchTools tools = {world->work->contact->scratch, world->model.contact->scratch};
    if (!hwPatch_Between(&a->solid, GetPose(world, a), &b->solid, GetPose(world, b), NULL, tools, &patch))
        return;
    hwPatch_MakeColumn(&a->solid, GetPose(world, a), &b->solid, GetPose(world, b), &patch);
    slot->leftOut = patch.volume;
    slot->fading = patch.volume / HW_OVERLAP_TIME;
}

void hwContact_FadeOverlap(hwContactSlot* slot, double volume, double step) {
    slot->leftOut = hwMax(hwMin(slot->leftOut - step * slot->fading, volume), 0.0);
    if (!(volume > 0.0)) slot->fading = 0.0; // they have come apart
}

static hwStatus RefuseOverlap(const hwWorld* world, const hwContactSlot* slot, double depth, hwError* error) {
    const hwContactPart *a = &world->model.contact->parts[slot->a],
                        *b = &world->model.contact->parts[slot->b];
    hwStatus status =
        hwFail(error, HW_ERROR_ARGUMENT, GetName(world, a), "%s and %s overlap by %.3g m at the start",
               GetName(world, a), GetName(world, b), depth);
    hwFail_Hint(error,
                "move them apart, let `contact` ignore the pair, or have `overlaps` separate or accept it");
    return status;
}

static hwStatus MeetOverlaps(hwWorld* world, bool* moved, hwError* error) {
    const hwContactModel* contact = world->model.contact;
    if (world->contact.overlaps == HW_OVERLAPS_SEPARATE) {
        hwStatus status = SeparateAll(world, moved, error);
        if (status != HW_OK) return status;
    }
    for (int k = 0; k < hwContact_CountUsed(world); ++k) {
        hwContactSlot* slot = &world->state.contact->slots[world->state.contact->used[k]];
        hwClosest closest;
        if (!FindDeep(world, slot, GetDeep(world, moved, slot), &closest)) continue;
        if (world->contact.overlaps == HW_OVERLAPS_REFUSE)
            return RefuseOverlap(world, slot, -closest.distance, error);
        hwWorld_Log(world, HW_LOG_WARNING,
                    "%s and %s overlap by %.3g m at the start; they are pushed apart within half a second: "
                    "move them, "
                    "or let contact ignore the pair",
                    GetName(world, &contact->parts[slot->a]), GetName(world, &contact->parts[slot->b]),
                    -closest.distance);
        if (!(slot->leftOut > 0.0)) AcceptOverlap(world, slot);
    }
    return HW_OK;
}

hwStatus hwContact_MeetOverlaps(hwWorld* world, hwError* error) {
    if (hwContact_CountUsed(world) == 0) return HW_OK;
    size_t size = (size_t)world->model.forest.linkCount * sizeof(bool);
    bool* moved = hwAllocate(&world->allocator, size); // by root
    if (moved == NULL) return hwFail_Memory(error, "contact");
    memset(moved, 0, size);
    hwStatus status = MeetOverlaps(world, moved, error);
    hwRelease(&world->allocator, moved);
    return status;
}
