// What happens to cables by itself: ends that go slack and snap taut, that are caught when they come near, that are let go
// when nothing pulls on them any more.
#include "parts/cables/cables.h"

#include "api/step_events.h"

#include <math.h>
#include <string.h>

#define PEAK_TIME 1.0 // s after an end became taut in which its largest tension counts as the snap's
// An end is slack when it pulls with less than SLACK of what it usually does and goes on to do so, below TAUT of it, for
// SLACK_DWELL; it is taut again as soon as it pulls with more than that, for a snap may be short. What a wire that hangs in a
// bight or flies along with its load does by itself is less. Usual is its mean over about USUAL_TIME.
#define SLACK 0.01
#define TAUT 0.05
#define SLACK_DWELL 0.1 // s
#define USUAL_TIME 10.0 // s

void hwWorld_AddIncident(hwWorld* world, hwIncidentKind kind, int slot, int end, double value) {
    hwIncidentStore* store = world->state.incidents->store;
    hwIncident* incident = &store->ring[store->count % HW_INCIDENTS];
    memset(incident, 0, sizeof(*incident)); // bytes between the fields are hashed
    incident->time = world->state.header->time;
    incident->kind = kind;
    incident->end = end;
    incident->cable = world->model.cables->slots[slot].object->id;
    incident->value = value;
    store->count += 1;
    static const hwStepEventKind kinds[] = {HW_EVENT_CABLE_SLACK, HW_EVENT_CABLE_TAUT, HW_EVENT_CABLE_PARTED,
                                            HW_EVENT_CABLE_LATCHED, HW_EVENT_CABLE_RELEASED};
    hwWorld_LogCable(world, kinds[kind], slot, end, value);
}

int hwWorld_GetIncidents(const hwWorld* world, int capacity, hwIncident* incidents) {
    if (!world->prepared || world->model.cables->count == 0) return 0;
    const hwIncidentStore* store = world->state.incidents->store;
    uint64_t kept = store->count < HW_INCIDENTS ? store->count : HW_INCIDENTS;
    uint64_t wanted = capacity < 0 ? 0 : (uint64_t)capacity;
    if (wanted > kept) wanted = kept;
    for (uint64_t i = 0; i < wanted; ++i)
        incidents[i] = store->ring[(store->count - wanted + i) % HW_INCIDENTS];
    return (int)store->count;
}

static double GetTension(const hwWorld* world, int slot, int end) {
    const hwCableWork* work = &world->work->cables->tools[slot].work;
    return work->tension[end == 0 ? 0 : work->nodes - 2];
}

// The largest tension after an end became taut is known: its second is over, or it is slack again.
static void EndSnap(hwWorld* world, int slot, int end) {
    hwEndWatch* watch = &world->state.cables->stores[slot].watches[end];
    if (watch->number == 0) return;
    const hwIncident* snap = &world->state.incidents->store->ring[(watch->number - 1) % HW_INCIDENTS];
    hwWorld_LogCable(world, HW_EVENT_CABLE_SNAP, slot, end, snap->value);
    watch->number = 0;
}

static void WatchEnd(hwWorld* world, int slot, int end) {
    const hwCableSlot* cable = &world->model.cables->slots[slot];
    hwEndWatch* watch = &world->state.cables->stores[slot].watches[end];
    hwIncidentStore* store = world->state.incidents->store;
    if (world->state.cables->stores[slot].ends[end].joint == HW_ATTACH_FREE) {
        watch->state = HW_END_UNKNOWN;
        return;
    }
    const hwCableSection* section = &cable->model.sections[end == 0 ? 0 : cable->model.sectionCount - 1];
    double weight = section->massPerLength * section->length / section->elements *
                    hwEnvironment_GetDef(world->environment)->gravity;
    double tension = GetTension(world, slot, end), time = world->state.header->time;
    if (watch->state == HW_END_UNKNOWN) {
        watch->state = tension > 0.0 ? HW_END_TAUT : HW_END_SLACK;
        watch->usual = hwFmax(tension, 0.0);
    }
    watch->usual += (hwFmax(tension, 0.0) - watch->usual) *
                    hwFmin(world->state.header->counters.lastStep / USUAL_TIME, 1.0);
    bool pulls = tension > hwFmax(weight + 1e-7 * section->EA, TAUT * watch->usual);
    if (watch->state == HW_END_TAUT && !(tension > SLACK * watch->usual)) {
        watch->state = HW_END_LOOSE;
        watch->since = time;
    } else if (watch->state == HW_END_LOOSE && pulls) {
        watch->state = HW_END_TAUT;
    } else if (watch->state == HW_END_LOOSE && time >= watch->since + SLACK_DWELL) {
        watch->state = HW_END_SLACK;
        EndSnap(world, slot, end);
        hwWorld_AddIncident(world, HW_INCIDENT_SLACK, slot, end, 0.0);
    } else if (watch->state == HW_END_SLACK && pulls) {
        watch->state = HW_END_TAUT;
        watch->taut = time;
        hwWorld_AddIncident(world, HW_INCIDENT_TAUT, slot, end, tension);
        watch->number = store->count;
    }
    if (watch->number == 0) return;
    bool over = time > watch->taut + PEAK_TIME || store->count >= watch->number + HW_INCIDENTS;
    hwIncident* snap = &store->ring[(watch->number - 1) % HW_INCIDENTS];
    if (over) {
        EndSnap(world, slot, end);
    } else {
        snap->value = hwFmax(snap->value, tension);
    }
}

void hwWorld_WatchCable(hwWorld* world, int slot) {
    if (!hwWorld_HasNodes(world, slot)) return;
    for (int e = 0; e < 2; ++e) WatchEnd(world, slot, e);
}

static hwVec3 GetPlace(const hwWorld* world, const hwCableEndDef* def) {
    const hwBodyObject* body = hwWorld_GetBody(world, def->body);
    if (body == NULL) return def->at;
    const hwLinkMotion* m = &world->work->forest.motion[body->link];
    return hwWide_ToVec3(m->p + hwWideMat_Mul(&m->R, hwWide_FromVec3(def->at)));
}

// An end that comes near enough is attached; where that is not possible yet it goes on waiting.
static bool Catch(hwWorld* world, int slot, int end, const hwCableEventDef* event) {
    const hwCableStore* store = &world->state.cables->stores[slot];
    const hwVec3* x =
        (const hwVec3*)(const void*)(world->state.q + world->model.cables->slots[slot].coordinate);
    double gap = hwDistance(x[end == 0 ? 0 : store->core->nodes - 1], GetPlace(world, &event->attach));
    if (!(gap <= event->within)) return false;
    if (hwWorld_AttachRunning(world, slot, end, &event->attach, NULL) != HW_OK) return false;
    hwWorld_AddIncident(world, HW_INCIDENT_ATTACHED, slot, end, gap);
    return true;
}

static bool Release(hwWorld* world, int slot, int end, const hwCableEventDef* event) {
    double tension = GetTension(world, slot, end);
    if (!(tension < event->below)) return false;
    if (hwWorld_DetachRunning(world, slot, end, NULL) != HW_OK) return false;
    hwWorld_AddIncident(world, HW_INCIDENT_DETACHED, slot, end, tension);
    return true;
}

bool hwWorld_RunCaptures(hwWorld* world) {
    bool changed = false;
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        if (world->state.cables->stores[slot].core->nodes < 2) continue;
        for (int e = 0; e < 2; ++e) {
            hwEndWatch* watch = &world->state.cables->stores[slot].watches[e];
            if (watch->waits == 0) continue;
            const hwCableEventDef* event = &world->model.events[watch->waits - 1]->cable;
            bool catches = event->kind == HW_CABLE_EVENT_ATTACH;
            if (!(catches ? Catch(world, slot, e, event) : Release(world, slot, e, event))) continue;
            watch->waits = 0;
            changed = true;
        }
    }
    return changed;
}

static void LayIncidents(const hwModel* model, hwArena* arena, hwState* state) {
    state->incidents->store = HW_TAKE(arena, hwIncidentStore, model->cables->count > 0 ? 1 : 0);
}

const hwPart hwIncidentsPart = {.name = "incidents",
                                .aside = true,
                                .rests = true,
                                .state = HW_SLICE(hwState, incidents),
                                .layState = LayIncidents};
