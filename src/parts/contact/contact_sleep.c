// Contacts of bodies that are asleep (world/sleep.c): with each other and with fixed things. Their slots are kept apart from
// those in use, with loads, springs and results as they were, and are neither planned nor evaluated.
#include "parts/contact/contact.h"

#include <string.h>

static bool Rests(const hwWorld* world, const hwContactSlot* slot) {
    const hwContactPart* parts = world->model.contact->parts;
    if (!hwState_IsAsleep(&world->state, parts[slot->a].link)) return false;
    return slot->b < 0 || !parts[slot->b].moves || hwState_IsAsleep(&world->state, parts[slot->b].link);
}

// The part of two that is asleep while the other one is not, or may be moved; null: there is none.
static const hwContactPart* FindSleeper(const hwWorld* world, const hwContactPart* a,
                                        const hwContactPart* b) {
    bool first = hwState_IsAsleep(&world->state, a->link);
    bool second = b->moves && hwState_IsAsleep(&world->state, b->link);
    if (first == second) return NULL;
    const hwContactPart* other = first ? b : a;
    if (!other->moves && hwModel_IsStill(&world->model, other->link)) return NULL;
    return first ? a : b;
}

bool hwContact_MayPart(const hwWorld* world, const hwContactPart* a, const hwContactPart* b) {
    const hwContactPart* sleeper = FindSleeper(world, a, b);
    if (sleeper == NULL) return false;
    const hwContactPart* other = sleeper == a ? b : a;
    return other->moves && world->state.sleep.rest[other->link] > 0.0;
}

bool hwContact_Wakes(const hwWorld* world, const hwContactPart* a, const hwContactPart* b) {
    const hwContactPart* sleeper = FindSleeper(world, a, b);
    if (sleeper != NULL) hwSleep_Wake(world, sleeper->link);
    return sleeper != NULL;
}

void hwContact_JoinSleepers(const hwWorld* world) {
    const hwContactModel* contact = world->model.contact;
    hwWork* work = world->work;
    for (int k = 0; k < hwContact_CountUsed(world); ++k) {
        const hwContactSlot* slot = &world->state.contact->slots[world->state.contact->used[k]];
        int a = contact->parts[slot->a].link, b = slot->b >= 0 ? contact->parts[slot->b].link : -1;
        if (slot->fading > 0.0) work->lively[a] = 1; // pushed apart from an overlap of the start
        if (b >= 0 && contact->parts[slot->b].moves) {
            hwSleep_Join(work->group, a, b);
        } else if (hwModel_IsStill(&world->model, b)) {
            work->borne[a] = work->borne[a] || slot->stored > 0.0;
        } else {
            work->lively[a] = 1;
        }
    }
}

static bool ComesBefore(const hwContactSlot* x, const hwContactSlot* y) {
    return x->a != y->a ? x->a < y->a : x->b < y->b;
}

// Both lists are in the order of their parts, and stay so.
static void SortOut(const hwWorld* world) {
    hwContactState* state = world->state.contact;
    hwContactSlot* order = world->work->contact->wanted;
    int used = (int)*state->usedCount, resting = (int)*state->restingCount, i = 0, j = 0,
        count = used + resting;
    for (int k = 0; k < count; ++k) {
        bool first = j == resting || (i < used && ComesBefore(&state->slots[state->used[i]],
                                                              &state->slots[state->resting[j]]));
        order[k].sliding = first ? state->used[i++] : state->resting[j++];
    }
    i = j = 0;
    for (int k = 0; k < count; ++k) {
        int slot = order[k].sliding;
        if (Rests(world, &state->slots[slot])) {
            state->resting[j++] = slot;
        } else {
            state->used[i++] = slot;
        }
    }
    for (int k = i; k < used; ++k) state->used[k] = 0; // the state is hashed whole
    for (int k = j; k < resting; ++k) state->resting[k] = 0;
    *state->usedCount = (uint64_t)i;
    *state->restingCount = (uint64_t)j;
}

void hwContact_SleepersChanged(const hwWorld* world) {
    hwContactWork* work = world->work->contact;
    if (world->model.contact->slotCount == 0) return;
    SortOut(world);
    work->restingStale = work->boxesStale = true;
    work->restingElastic = 0.0;
    if (hwContact_CountResting(world) == 0) return; // of a world that is compiled anew objects may be gone
    hwWorld_ComputeLinkMotion(world, &hwMode_running, world->state.header->time, world->state.q,
                              world->state.v);
    hwContact_EvaluateResting(world);
    for (int k = 0; k < hwContact_CountResting(world); ++k) {
        hwContactSlot* slot = &world->state.contact->slots[world->state.contact->resting[k]];
        const hwContactResult* result = &work->touches[world->state.contact->resting[k]];
        slot->load = result->load;
        slot->stored = result->stored;
        slot->fed = result->fed;
        slot->speed = 0.0f;
    }
}

void hwContact_Refresh(hwWorld* world) {
    bool any = world->state.contact->resting != NULL;
    world->work->contact->restingStale = world->work->contact->boxesStale = any;
}
