// Which pairs are near each other, once a step: slots are given and taken, and steps shortened so that nothing fast passes
// through something thin.
#include "parts/contact/contact.h"

#include "geom/shape_data.h"

#include <math.h>
#include <string.h>

#define ALLOWANCE 20.0 // m/s2: accelerations up to this are allowed for when boxes are swept over a step
#define MARGIN 1e-3    // m round swept boxes
#define WAY                                                                                                  \
    0.25 // of the thinner part's width that two parts may go towards each other beyond touching, in a step
#define MOST_CELLS 4096
#define SHORTEST 1e-4 // s: for less than that ahead, too many pairs are an error
#define FARTHEST 0.1  // s: farther ahead everything is near everything
// Of the thinner part's width: links of one mechanism that start deeper in each other never touch.
#define NESTED 0.1

static hwPose GetPose(const hwWorld* world, const hwContactPart* part) {
    const hwLinkMotion* m = &world->work->forest.motion[part->link];
    hwPose pose = {hwWide_ToVec3(m->p), hwQuatFromMat3(hwWideMat_ToMat3(&m->R))};
    return hwMulPose(pose, part->place);
}

// Velocity of the part's own origin.
static hwVec3 GetVelocity(const hwWorld* world, const hwContactPart* part, hwPose pose) {
    const hwLinkMotion* m = &world->work->forest.motion[part->link];
    return hwWide_ToVec3(m->v.l + hwWide_Cross(m->v.a, hwWide_FromVec3(pose.p) - m->p));
}

static double GetTurning(const hwWorld* world, const hwContactPart* part) {
    return part->reach * hwLength(hwWide_ToVec3(world->work->forest.motion[part->link].v.a));
}

// A look ahead: for how long, and which accelerations are allowed for.
typedef struct Ahead {
    double step;      // s
    double allowance; // m/s2
} Ahead;

static hwBox SweepPart(const hwWorld* world, const hwContactPart* part, Ahead ahead) {
    hwPose pose = GetPose(world, part);
    hwMat3 r = hwMat3FromQuat(pose.q);
    hwBox box = hwBox_Transform(&part->box, pose.p, &r);
    hwVec3 travel = hwScale(ahead.step, GetVelocity(world, part, pose));
    hwBox moved = {hwAdd(box.low, travel), hwAdd(box.high, travel)};
    double spread = hwMin(GetTurning(world, part) * ahead.step, 2.0 * part->reach);
    return hwBox_Grow(hwBox_Join(box, moved),
                      spread + 0.5 * ahead.allowance * ahead.step * ahead.step + MARGIN);
}

// The bottom -----------------------------------------------------------------------------------------------------------------

static int ClampCell(double x, int count) {
    return x < 0.0 ? 0 : (x > (double)(count - 2) ? count - 2 : (int)x);
}

// Whether the ground reaches up into the box.
static bool MeetsGround(const hwWorld* world, const hwBox* box) {
    const hwSeabedDef* seabed = &hwEnvironment_GetDef(world->environment)->seabed;
    if (seabed->kind == HW_SEABED_PLANE) {
        hwVec3 normal;
        return box->low.z <= hwEnvironment_GetSeabed(world->environment, box->low.x, box->low.y, &normal);
    }
    if (seabed->kind == HW_SEABED_MESH) {
        int first;
        hwBox below = *box;
        below.low.z = -HUGE_VAL;
        return hwMesh_FindInBox(world->model.contact->ground, below, &first, 1) > 0 &&
               hwMesh_FindInBox(world->model.contact->ground, *box, &first, 1) > 0;
    }
    double inverse = 1.0 / seabed->spacing;
    int i0 = ClampCell((box->low.x - seabed->origin.x) * inverse, seabed->columns);
    int i1 = ClampCell((box->high.x - seabed->origin.x) * inverse, seabed->columns) + 1;
    int j0 = ClampCell((box->low.y - seabed->origin.y) * inverse, seabed->rows);
    int j1 = ClampCell((box->high.y - seabed->origin.y) * inverse, seabed->rows) + 1;
    if ((i1 - i0) * (j1 - j0) > MOST_CELLS) return true;
    for (int j = j0; j <= j1; ++j) {
        for (int i = i0; i <= i1; ++i) {
            if (seabed->origin.z + seabed->heights[j * seabed->columns + i] >= box->low.z) return true;
        }
    }
    return false;
}

// Pairs ----------------------------------------------------------------------------------------------------------------------

// `link` may be -1 for the seabed.
static hwThing MakeThing(int link) {
    hwThing thing = {link < 0 ? HW_THING_SEABED : HW_THING_LINK, link < 0 ? 0 : link};
    return thing;
}

static bool IsRuledOut(const hwWorld* world, int linkA, int linkB) {
    hwThing a = MakeThing(linkA), b = MakeThing(linkB);
    return hwModel_IsIgnored(world, &world->model, a, b) || hwWorld_IsSwitchedOff(world, a, b);
}

static hwStatus FailRoom(const hwWorld* world, hwError* error) {
    hwStatus status = hwFail(error, HW_ERROR_LIMIT, NULL, "more than %d pairs of shapes are near each other",
                             world->model.contact->slotCount);
    hwFail_At(error, -1, world->state.header->time);
    hwFail_Hint(error, "reserve more: `reserve` of `contact`");
    return status;
}

// Boxes of what never moves or sleeps stay as they are, those of its parts as they lie there.
static void MoveBoxes(const hwWorld* world, Ahead ahead) {
    const hwContactModel* contact = world->model.contact;
    hwContactWork* work = world->work->contact;
    const Ahead still = {0.0, 0.0};
    for (int i = 0; i < contact->partCount; ++i) {
        const hwContactPart* part = &contact->parts[i];
        bool asleep = hwState_IsAsleep(&world->state, part->link);
        if (part->still ? work->stillKnown : asleep && !work->boxesStale) continue;
        hwBroadPhase_Move(contact->broad, i, SweepPart(world, part, part->still || asleep ? still : ahead),
                          hwVec3_zero);
    }
    work->stillKnown = true;
    work->boxesStale = false;
}

// Whether the boxes of two parts meet as they lie there.
static bool AreClose(const hwWorld* world, const hwContactPart* a, const hwContactPart* b) {
    const Ahead still = {0.0, 0.0};
    hwBox first = SweepPart(world, a, still), second = SweepPart(world, b, still);
    return hwBox_Overlaps(&first, &second);
}

#define NO_ROOM (-1)
#define WOKEN (-2)

// Fills work.contact->wanted, sorted by a, then b; the seabed comes before other partners. Returns the number, or that there is no
// room, or that something was woken by what has come near.
static int ListWanted(const hwWorld* world, Ahead ahead, hwError* error) {
    const hwContactModel* contact = world->model.contact;
    hwContactSlot* wanted = world->work->contact->wanted;
    MoveBoxes(world, ahead);
    if (hwBroadPhase_Update(contact->broad, error) != HW_OK) return NO_ROOM;
    int pairCount, count = 0, next = 0, room = contact->slotCount - hwContact_CountResting(world);
    const hwProxyPair* pairs = hwBroadPhase_GetPairs(contact->broad, &pairCount);
    for (int i = 0; i < contact->movingCount; ++i) {
        const hwContactPart* part = &contact->parts[i];
        bool asleep = hwState_IsAsleep(&world->state, part->link);
        bool bottom = !asleep && part->onBottom &&
                      hwEnvironment_GetDef(world->environment)->seabed.kind != HW_SEABED_NONE;
        if (bottom && MeetsGround(world, &hwBroadPhase_GetProxy(contact->broad, i)->box) &&
            !IsRuledOut(world, part->link, -1)) {
            if (count == room) return NO_ROOM;
            wanted[count++] = (hwContactSlot){.a = i, .b = HW_SEABED_PART};
        }
        for (; next < pairCount && pairs[next].a == i; ++next) {
            const hwContactPart* other = &contact->parts[pairs[next].b];
            if (asleep && other->moves && hwState_IsAsleep(&world->state, other->link)) continue;
            if (!hwFilter_Allows(part->filter, other->filter)) continue;
            if (IsRuledOut(world, part->link, other->link)) continue;
            if (hwContact_MayPart(world, part, other) && !AreClose(world, part, other)) continue;
            if (hwContact_Wakes(world, part, other)) return WOKEN;
            if (asleep) continue; // on what is fixed
            if (count == room) return NO_ROOM;
            wanted[count++] = (hwContactSlot){.a = i, .b = pairs[next].b};
        }
    }
    return count;
}

static int ComparePairs(const hwContactSlot* x, const hwContactSlot* y) {
    return x->a != y->a ? (x->a < y->a ? -1 : 1) : (x->b < y->b ? -1 : x->b > y->b);
}

// Place of the pair in the sorted list, or -1.
static int FindPair(const hwContactSlot* list, int count, const hwContactSlot* pair) {
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (ComparePairs(&list[middle], pair) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < count && ComparePairs(&list[low], pair) == 0 ? low : -1;
}

// Empties a slot. True when an integrator with a memory of its own must hear of it.
static bool ReleaseSlot(const hwWorld* world, int slot) {
    int first = world->model.contact->auxiliary + HW_RUB_SIZE * slot;
    bool loaded = false;
    for (int k = first; k < first + HW_RUB_SIZE; ++k) {
        loaded = loaded || world->state.z[k] != 0.0;
        world->state.z[k] = world->state.zdot[k] = 0.0;
    }
    memset(&world->state.contact->slots[slot], 0, sizeof(hwContactSlot));
    world->state.contact->slots[slot].a = HW_FREE_SLOT;
    return loaded;
}

// Of many slots those of neighbours are to lie beside each other, as what is read of them in each evaluation then comes one behind the
// other. Pairs come and go, and after some steps slots lie anywhere: half of those whose next one is not near, and all are put in order.
#define WORTH_SORTING 500
#define NEAR 4

static bool AreScattered(const int32_t* used, int count) {
    int far = 0;
    for (int k = 0; k + 1 < count; ++k) far += used[k + 1] < used[k] || used[k + 1] > used[k] + NEAR;
    return count >= WORTH_SORTING && far > count / 2;
}

static void SortSlots(const hwWorld* world, int count) {
    hwContactState* state = world->state.contact;
    hwContactWork* work = world->work->contact;
    // an integrator with a memory of its own knows springs by their places, and results of what is asleep stay where they are
    if (world->external.reset != NULL || hwContact_CountResting(world) > 0) return;
    if (!AreScattered(state->used, count)) return;
    size_t all = (size_t)world->model.contact->slotCount, springs = HW_RUB_SIZE * sizeof(double);
    for (int k = 0; k < count; ++k) {
        work->wanted[k] = state->slots[state->used[k]];
        work->moved[k] = work->touches[state->used[k]].apart;
    }
    memset(state->slots, 0, all * sizeof(hwContactSlot));
    memcpy(state->slots, work->wanted, (size_t)count * sizeof(hwContactSlot));
    for (size_t k = (size_t)count; k < all; ++k) state->slots[k].a = HW_FREE_SLOT;
    for (int k = 0; k < count; ++k) work->touches[k].apart = work->moved[k];
    double* values[2] = {world->state.z, world->state.zdot};
    for (int n = 0; n < 2; ++n) {
        double *from = values[n] + world->model.contact->auxiliary, *to = work->springs;
        for (int k = 0; k < count; ++k)
            memcpy(to + HW_RUB_SIZE * k, from + HW_RUB_SIZE * state->used[k], springs);
        memset(from, 0, all * springs);
        memcpy(from, to, (size_t)count * springs);
    }
    for (int k = 0; k < count; ++k) state->used[k] = k;
}

// Slots that are wanted no longer are emptied, and new pairs take the first free ones.
static void AssignSlots(const hwWorld* world, int count) {
    hwContactSlot *slots = world->state.contact->slots, *wanted = world->work->contact->wanted;
    int32_t* used = world->state.contact->used;
    bool changed = false, loaded = false;
    int before = hwContact_CountUsed(world);
    for (int k = 0; k < before; ++k) {
        int at = FindPair(wanted, count, &slots[used[k]]);
        if (at >= 0) {
            wanted[at].sliding = used[k] + 1; // it has its slot
        } else {
            loaded = ReleaseSlot(world, used[k]) || loaded;
            changed = true;
        }
    }
    int next = 0, behind = 0;
    for (int i = 0; i < count; ++i) {
        if (!wanted[i].sliding) {
            while (slots[next].a != HW_FREE_SLOT) next += 1;
            slots[next].a = wanted[i].a;
            slots[next].b = wanted[i].b;
            slots[next].sliding = 0;
            changed = true;
            wanted[i].sliding = next + 1;
        }
        used[i] = wanted[i].sliding - 1;
    }
    SortSlots(world, count);
    for (int i = 0; i < count; ++i) {
        if (used[i] >= behind) behind = used[i] + 1;
    }
    for (int k = 0; k < hwContact_CountResting(world); ++k) {
        if (world->state.contact->resting[k] >= behind) behind = world->state.contact->resting[k] + 1;
    }
    world->work->idleFrom = world->model.contact->auxiliary + HW_RUB_SIZE * behind;
    world->work->idleTo = world->model.contact->auxiliary + HW_RUB_SIZE * world->model.contact->slotCount;
    for (int k = count; k < before; ++k) used[k] = 0; // the state is hashed whole
    *world->state.contact->usedCount = (uint64_t)count;
    if (changed) world->work->couplingsStale = true;
    if (loaded && world->external.reset != NULL) world->external.reset(world->external.context);
}

// Steps ------------------------------------------------------------------------------------------------------------------

// The step in which two parts come no more than WAY of the thinner one's width closer than touching.
static double LimitStep(const hwWorld* world, const hwContactSlot* slot, Ahead ahead) {
    const hwContactPart* a = &world->model.contact->parts[slot->a];
    double step = ahead.step;
    if (slot->b < 0) return step; // the ground has no other side
    const hwContactPart* b = &world->model.contact->parts[slot->b];
    double room = WAY * hwMin(a->thickness, b->thickness);
    hwPose poseA = GetPose(world, a), poseB = GetPose(world, b);
    hwVec3 relative = hwSub(GetVelocity(world, a, poseA), GetVelocity(world, b, poseB));
    double turning = GetTurning(world, a) + GetTurning(world, b), extra = 0.5 * ahead.allowance * step * step;
    if ((hwLength(relative) + turning) * step + extra <= room) return step;
    double gap = 0.0, closing = hwLength(relative);
    if (a->mesh == NULL && b->mesh == NULL) {
        hwClosest closest = hwConvex_FindClosest(&a->solid.convex, poseA, &b->solid.convex, poseB, NULL);
        gap = hwMax(closest.distance, 0.0);
        // the plane between them keeps them apart until they have come together along its normal
        closing = hwMax(hwDot(relative, closest.normal), 0.0);
    } else {
        const hwContactPart* mesh = a->mesh != NULL ? a : b;
        hwVec3 center = hwInvTransformPoint(mesh == a ? poseA : poseB, mesh == a ? poseB.p : poseA.p);
        double reach = mesh == a ? b->reach : a->reach, far = reach + (closing + turning) * step + extra;
        hwMeshHit hit;
        if (!hwMesh_FindNearest(mesh->mesh, center, center, far, &hit)) return step;
        gap = hit.side > 0.0 ? hwMax(hit.distance - reach, 0.0) : 0.0;
    }
    double speed = closing + turning;
    if (speed * step + extra <= gap + room) return step;
    return (gap + room) / (speed + sqrt(speed * speed + 2.0 * ahead.allowance * (gap + room))) * 2.0;
}

// Gives slots to what may touch from the motion in the work arrays on, and shortens the look ahead.
static hwStatus PlanPairs(const hwWorld* world, Ahead* ahead, hwError* error) {
    int count = ListWanted(world, *ahead, error);
    for (; count == WOKEN || (count < 0 && ahead->step > SHORTEST);
         count = ListWanted(world, *ahead, error)) {
        if (count != WOKEN) ahead->step *= 0.5;
    }
    if (count < 0) return FailRoom(world, error);
    AssignSlots(world, count);
    double shortest = ahead->step;
    for (int k = 0; k < count; ++k) {
        int i = world->state.contact->used[k];
        world->work->contact->touches[i].linked = false;
        shortest = hwMin(shortest, LimitStep(world, &world->state.contact->slots[i], *ahead));
    }
    ahead->step = shortest;
    return HW_OK;
}

hwStatus hwContact_Plan(const hwWorld* world, const hwMode* mode, double* step, hwError* error) {
    if (!world->model.contact->any) return HW_OK;
    hwWorld_ComputeLinkMotion(world, mode, world->state.header->time, world->state.q, world->state.v);
    Ahead ahead = {hwMin(*step, FARTHEST), ALLOWANCE};
    hwStatus status = PlanPairs(world, &ahead, error);
    hwContact_NoteMotions(world);
    *step = ahead.step;
    return status;
}

double hwContact_LimitMove(hwWorld* world, const hwMode* mode, double* q, const double* displacement) {
    if (!world->model.contact->any) return 1.0;
    hwWorld_ComputeLinkMotion(world, mode, world->state.header->time, q, displacement);
    Ahead ahead = {1.0, 0.0};
    return PlanPairs(world, &ahead, NULL) == HW_OK ? ahead.step : 1.0;
}

// Links of one mechanism that are drawn into each other, as telescopes and hinges are, do not touch.
void hwContact_ExcludeNested(hwWorld* world) {
    const hwContactModel* contact = world->model.contact;
    bool any = false;
    const int32_t* used = world->state.contact->used;
    for (int k = 0; k < hwContact_CountUsed(world); ++k) {
        const hwContactSlot* slot = &world->state.contact->slots[used[k]];
        if (slot->b < 0) continue;
        const hwContactPart *a = &contact->parts[slot->a], *b = &contact->parts[slot->b];
        const hwBodyObject *first = world->model.links[a->link].body,
                           *second = world->model.links[b->link].body;
        if (HW_IS_NULL(first->mechanism) || first->mechanism.index != second->mechanism.index) continue;
        if (a->mesh != NULL || b->mesh != NULL) continue;
        hwClosest closest = hwConvex_FindClosest(&a->solid.convex, GetPose(world, a), &b->solid.convex,
                                                 GetPose(world, b), NULL);
        if (closest.distance > -NESTED * hwMin(a->thickness, b->thickness)) continue;
        hwBroadPhase_Exclude(contact->broad, a->group, b->group);
        any = true;
        hwWorld_Log(world, HW_LOG_INFO, "%s and %s overlap from the start and do not touch", first->def.name,
                    second->def.name);
    }
    if (!any) return;
    for (int k = 0; k < hwContact_CountUsed(world); ++k) ReleaseSlot(world, used[k]);
    *world->state.contact->usedCount = 0;
    double instant = 0.0;
    hwContact_Plan(world, &hwMode_running, &instant, NULL);
}

// After an accepted step, when the end has been evaluated: who slides.
hwStatus hwContact_Finish(hwWorld* world, const hwMode* mode, double step, bool* changed, hwError* error) {
    (void)mode;
    (void)changed;
    (void)error;
    const hwContactModel* contact = world->model.contact;
    hwContact_TellShortImpact(world);
    hwContact_KeepLoads(world);
    for (int k = 0; k < hwContact_CountUsed(world); ++k) {
        int i = world->state.contact->used[k];
        hwContactSlot* slot = &world->state.contact->slots[i];
        const hwContactResult* result = &world->work->contact->touches[i];
        const hwMaterialDef* materials = world->model.rules->materials;
        double slow = materials[contact->parts[slot->a].material].velocity;
        if (slot->b >= 0) slow = hwMax(slow, materials[contact->parts[slot->b].material].velocity);
        // it breaks away at the static limit, and sticks again when it has almost come to rest (Karnopp 1985). The springs
        // do not tell: between the static limit and the kinetic one they are within the limit for a step.
        bool stops = result->speed < slow && result->speed < (double)slot->speed;
        slot->sliding = result->touches && (slot->sliding ? !stops : result->slides);
        slot->speed = (float)result->speed;
        if (slot->fading > 0.0) hwContact_FadeOverlap(slot, result->volume, step);
    }
    return HW_OK;
}

int hwContact_CountTouches(const hwWorld* world) {
    int count = 0;
    for (int k = 0; k < hwContact_CountUsed(world); ++k)
        count += world->state.contact->slots[world->state.contact->used[k]].stored > 0.0;
    return count;
}

void hwContact_Carry(const hwWorld* world, hwModel* model, hwState* state) {
    if (world->model.block == NULL) return;
    const hwContactModel *old = world->model.contact, *new = model->contact;
    int next = 0;
    for (int u = 0; u < hwContact_CountUsed(world) && next < new->slotCount; ++u) {
        int i = world->state.contact->used[u];
        const hwContactSlot* slot = &world->state.contact->slots[i];
        int parts[2] = {-2, slot->b};
        for (int k = 0; k < 2; ++k) {
            int index = k == 0 ? slot->a : slot->b;
            if (index < 0) continue;
            const hwContactPart* part = &old->parts[index];
            parts[k] = -2;
            for (int p = 0; p < new->partCount; ++p) {
                const hwContactPart* same = &new->parts[p];
                if (model->links[same->link].body->link == part->link && same->shape == part->shape &&
                    same->piece == part->piece)
                    parts[k] = p;
            }
        }
        if (parts[0] == -2 || parts[1] == -2 || (parts[1] >= 0 && parts[1] < parts[0])) continue;
        state->contact->slots[next] = *slot;
        state->contact->slots[next].a = parts[0];
        state->contact->slots[next].b = parts[1];
        memcpy(state->z + new->auxiliary + HW_RUB_SIZE* next,
               world->state.z + old->auxiliary + HW_RUB_SIZE * i, HW_RUB_SIZE * sizeof(double));
        state->contact->used[next] = next;
        next += 1;
    }
    if (next > 0) *state->contact->usedCount = (uint64_t)next;
}
