// Events of a step: contacts are compared with those of the sub-step before, cables tell of themselves.
#include "api/step_events.h"

#include "world/cable_slots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HW_STEP_EVENT_COOKIE 0x48570041

// Two things in contact, wherever and in how many places.
typedef struct Pair {
    hwBodyId bodyA, bodyB;
    hwCableId cableA, cableB;
    int32_t shapeA, shapeB;
} Pair;

typedef struct Touch {
    Pair pair;
    double last; // s, when it touched last
    double speed, depth;
    hwVec3 point, normal;
} Touch;

// Motion of a link at the end of the last sub-step.
typedef struct Motion {
    hwVec3 position, velocity, rate; // world axes
} Motion;

struct hwEventLog {
    hwStepEventDef def;
    int count, lost;
    hwStepEvent* events;
    int touchCount, nowCount;
    Touch *touches, *now, *merged; // sorted by pair
    int linkCount, nodeCount;      // of the model for which there is room
    Motion* motions;               // [link]
    hwVec3* nodes;                 // [node of all slots] m/s
    bool known;                    // motions and touches are of a state of this model
};

hwStepEventDef hwDefaultStepEventDef(void) {
    hwStepEventDef def = {
        .capacity = 256, .contacts = 256, .dwell = 0.05, .hitSpeed = 0.5, .cookie = HW_STEP_EVENT_COOKIE};
    return def;
}

static int CountNodes(const hwModel* model) {
    int count = 0;
    for (int k = 0; k < model->cables->count; ++k) count += model->cables->slots[k].model.nodeCapacity;
    return count;
}

void hwWorld_DropEventLog(hwWorld* world) {
    hwEventLog* log = world->eventLog;
    if (log == NULL) return;
    hwRelease(&world->allocator, log->events);
    hwRelease(&world->allocator, log->touches);
    hwRelease(&world->allocator, log->now);
    hwRelease(&world->allocator, log->merged);
    hwRelease(&world->allocator, log->motions);
    hwRelease(&world->allocator, log->nodes);
    hwRelease(&world->allocator, log);
    world->eventLog = NULL;
}

// Room for the motions of this model.
static bool FitModel(hwWorld* world, hwEventLog* log) {
    int links = world->model.forest.linkCount, nodes = CountNodes(&world->model);
    if (log->motions != NULL && log->linkCount == links && log->nodeCount == nodes) return true;
    hwRelease(&world->allocator, log->motions);
    hwRelease(&world->allocator, log->nodes);
    log->linkCount = links;
    log->nodeCount = nodes;
    log->motions = hwAllocate(&world->allocator, ((size_t)links + 1) * sizeof(Motion));
    log->nodes = hwAllocate(&world->allocator, ((size_t)nodes + 1) * sizeof(hwVec3));
    return log->motions != NULL && log->nodes != NULL;
}

hwStatus hwWorld_KeepStepEvents(hwWorld* world, const hwStepEventDef* def, hwError* error) {
    hwClearError(error);
    if (def != NULL && def->cookie != HW_STEP_EVENT_COOKIE) {
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "the event def was not made by hwDefaultStepEventDef");
    }
    if (def != NULL && (def->capacity < 1 || def->contacts < 1 || def->capacity > (1 << 24) ||
                        def->contacts > (1 << 24) || !(def->dwell >= 0.0) || !(def->hitSpeed >= 0.0))) {
        return hwFail(error, HW_ERROR_ARGUMENT, NULL,
                      "events need room for at least one, and a dwell and speed that are not negative");
    }
    hwWorld_DropEventLog(world);
    if (def == NULL) return HW_OK;
    hwEventLog* log = hwAllocate(&world->allocator, sizeof(*log));
    if (log == NULL) return hwFail_Memory(error, NULL);
    world->eventLog = log;
    log->def = *def;
    size_t contacts = (size_t)def->contacts;
    log->events = hwAllocate(&world->allocator, (size_t)def->capacity * sizeof(hwStepEvent));
    log->touches = hwAllocate(&world->allocator, contacts * sizeof(Touch));
    log->now = hwAllocate(&world->allocator, contacts * sizeof(Touch));
    log->merged = hwAllocate(&world->allocator, contacts * sizeof(Touch));
    bool room = log->events != NULL && log->touches != NULL && log->now != NULL && log->merged != NULL;
    if (room && world->prepared) room = hwWorld_StartEventLog(world);
    if (room) return HW_OK;
    hwWorld_DropEventLog(world);
    return hwFail_Memory(error, NULL);
}

int hwWorld_GetStepEvents(const hwWorld* world, const hwStepEvent** events, int* lost) {
    const hwEventLog* log = world->eventLog;
    *events = log != NULL ? log->events : NULL;
    if (lost != NULL) *lost = log != NULL ? log->lost : 0;
    return log != NULL ? log->count : 0;
}

static void AddEvent(hwEventLog* log, const hwStepEvent* event) {
    if (log->count < log->def.capacity) {
        log->events[log->count++] = *event;
    } else {
        log->lost += 1;
    }
}

static void AddContactEvent(hwEventLog* log, hwStepEventKind kind, const Touch* touch, double time,
                            double value) {
    hwStepEvent event = {.kind = kind,
                         .time = time,
                         .value = value,
                         .bodyA = touch->pair.bodyA,
                         .bodyB = touch->pair.bodyB,
                         .cableA = touch->pair.cableA,
                         .cableB = touch->pair.cableB,
                         .shapeA = touch->pair.shapeA,
                         .shapeB = touch->pair.shapeB,
                         .end = -1,
                         .point = touch->point,
                         .normal = touch->normal};
    AddEvent(log, &event);
}

void hwWorld_LogCable(hwWorld* world, hwStepEventKind kind, int slot, int end, double value) {
    hwCableEvents* events = world->cableEvents;
    if (events != NULL && events->count < HW_CABLE_EVENTS)
        events->items[events->count++] = (hwCableEvent){world->state.header->time, value, kind, end};
    if (world->eventLog == NULL) return;
    hwStepEvent event = {.kind = kind,
                         .time = world->state.header->time,
                         .value = value,
                         .cableA = world->model.cables->slots[slot].object->id,
                         .shapeA = -1,
                         .shapeB = -1,
                         .end = end};
    AddEvent(world->eventLog, &event);
}

void hwWorld_LogWound(hwWorld* world, int slot, hwBodyId body, int feature, int number) {
    if (world->eventLog == NULL) return;
    hwStepEvent event = {.kind = HW_EVENT_CABLE_WOUND,
                         .time = world->state.header->time,
                         .value = number,
                         .bodyA = body,
                         .cableA = world->model.cables->slots[slot].object->id,
                         .shapeA = feature,
                         .shapeB = -1,
                         .end = -1};
    AddEvent(world->eventLog, &event);
}

// Contacts ---------------------------------------------------------------------------------------------------------------

// Pairs are plain numbers without gaps between them.
static int CompareTouches(const Pair* a, const Pair* b) {
    const uint32_t x[10] = {
        a->bodyA.index, a->bodyA.generation, a->cableA.index, a->cableA.generation, (uint32_t)a->shapeA,
        a->bodyB.index, a->bodyB.generation, a->cableB.index, a->cableB.generation, (uint32_t)a->shapeB};
    const uint32_t y[10] = {
        b->bodyA.index, b->bodyA.generation, b->cableA.index, b->cableA.generation, (uint32_t)b->shapeA,
        b->bodyB.index, b->bodyB.generation, b->cableB.index, b->cableB.generation, (uint32_t)b->shapeB};
    for (int i = 0; i < 10; ++i) {
        if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
    }
    return 0;
}

static int FirstNode(const hwModel* model, int slot) {
    int first = 0;
    for (int k = 0; k < slot; ++k) first += model->cables->slots[k].model.nodeCapacity;
    return first;
}

// Velocity of the material of one side of a contact at the end of the sub-step before: forces of the contact itself have
// not slowed it down yet.
static hwVec3 GetVelocity(const hwWorld* world, hwBodyId bodyId, hwCableId cableId, int element,
                          hwVec3 point) {
    const hwEventLog* log = world->eventLog;
    const hwBodyObject* body = hwWorld_GetBody(world, bodyId);
    if (body != NULL) {
        const Motion* m = &log->motions[body->link];
        return hwAdd(m->velocity, hwCross(m->rate, hwSub(point, m->position)));
    }
    const hwCableObject* cable = hwWorld_GetCable(world, cableId);
    if (cable == NULL) return hwVec3_zero;
    const hwVec3* v = log->nodes + FirstNode(&world->model, cable->slot);
    return hwScale(0.5, hwAdd(v[element], v[element + 1]));
}

// Adds a contact to those of this sub-step; of several places of one pair the deepest counts. False: no room.
static bool NoteTouch(hwEventLog* log, const Touch* touch) {
    int low = 0, high = log->nowCount;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (CompareTouches(&log->now[middle].pair, &touch->pair) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low < log->nowCount && CompareTouches(&log->now[low].pair, &touch->pair) == 0) {
        if (touch->depth > log->now[low].depth) log->now[low] = *touch;
        return true;
    }
    if (log->nowCount == log->def.contacts) return false;
    memmove(&log->now[low + 1], &log->now[low], (size_t)(log->nowCount - low) * sizeof(Touch));
    log->now[low] = *touch;
    log->nowCount += 1;
    return true;
}

static void FindTouches(hwWorld* world, hwEventLog* log) {
    const hwContactView* views;
    int count = hwWorld_GetContacts(world, &views);
    log->nowCount = 0;
    for (int i = 0; i < count; ++i) {
        const hwContactView* v = &views[i];
        Touch touch = {.pair = {v->bodyA, v->bodyB, v->cableA, v->cableB, v->shapeA, v->shapeB},
                       .last = world->state.header->time,
                       .depth = v->depth,
                       .point = v->point,
                       .normal = v->normal};
        if (log->known) {
            hwVec3 a = GetVelocity(world, v->bodyA, v->cableA, v->elementA, v->point);
            hwVec3 b = GetVelocity(world, v->bodyB, v->cableB, v->elementB, v->point);
            touch.speed = hwFmax(hwDot(hwSub(a, b), v->normal), 0.0);
        }
        if (!NoteTouch(log, &touch)) log->lost += 1;
    }
}

static void KeepMotions(const hwWorld* world, hwEventLog* log) {
    for (int i = 0; i < log->linkCount; ++i) {
        hwBodyState state;
        hwBody_ReadMotion(world, i, &state);
        log->motions[i] = (Motion){state.position, state.velocity, hwRotate(state.attitude, state.rate)};
    }
    int first = 0;
    for (int k = 0; k < world->model.cables->count; ++k) {
        if (hwWorld_HasCable(world, k)) {
            memcpy(log->nodes + first, world->work->cables->tools[k].state.velocity,
                   (size_t)world->state.cables->stores[k].core->nodes * sizeof(hwVec3));
        }
        first += world->model.cables->slots[k].model.nodeCapacity;
    }
}

bool hwWorld_StartEventLog(hwWorld* world) {
    hwEventLog* log = world->eventLog;
    if (log == NULL) return true;
    log->count = log->lost = log->touchCount = 0;
    log->known = false;
    return FitModel(world, log);
}

// What touches when it begins to be followed, after Prepare or a restored state, has not begun just now.
static void AdoptTouches(hwWorld* world, hwEventLog* log) {
    hwWorld_Refresh(world);
    FindTouches(world, log);
    memcpy(log->touches, log->now, (size_t)log->nowCount * sizeof(Touch));
    log->touchCount = log->nowCount;
    KeepMotions(world, log);
    log->known = true;
}

void hwWorld_BeginStepEvents(hwWorld* world) {
    hwEventLog* log = world->eventLog;
    if (log == NULL) return;
    log->count = log->lost = 0;
    if (!log->known) AdoptTouches(world, log);
}

void hwWorld_ForgetStepEvents(hwWorld* world) {
    if (world->eventLog != NULL) world->eventLog->known = false;
}

static void BeginTouch(hwEventLog* log, const Touch* touch) {
    AddContactEvent(log, HW_EVENT_CONTACT_BEGIN, touch, touch->last, touch->speed);
    if (touch->speed >= log->def.hitSpeed)
        AddContactEvent(log, HW_EVENT_CONTACT_HIT, touch, touch->last, touch->speed);
}

// Both lists are sorted: those only in the new one begin, those only in the old one end once they have been apart for
// long enough.
void hwWorld_LogContacts(hwWorld* world) {
    hwEventLog* log = world->eventLog;
    if (log == NULL) return;
    hwWorld_Refresh(world);
    FindTouches(world, log);
    double time = world->state.header->time;
    int a = 0, b = 0, count = 0;
    while (a < log->touchCount || b < log->nowCount) {
        int order = a == log->touchCount ? 1
                    : b == log->nowCount ? -1
                                         : CompareTouches(&log->touches[a].pair, &log->now[b].pair);
        const Touch* keep = order < 0 ? &log->touches[a] : &log->now[b];
        if (order > 0) BeginTouch(log, keep);
        bool ended = order < 0 && time - keep->last >= log->def.dwell;
        if (ended) AddContactEvent(log, HW_EVENT_CONTACT_END, keep, keep->last, 0.0);
        if (!ended && count < log->def.contacts) {
            log->merged[count++] = *keep;
        } else if (!ended) {
            log->lost += 1;
        }
        a += order <= 0;
        b += order >= 0;
    }
    Touch* swap = log->touches;
    log->touches = log->merged;
    log->merged = swap;
    log->touchCount = count;
    KeepMotions(world, log);
}
