// Reading contacts: the list, the channels of a body, and switches.
#include "world/world_internal.h"

#include <math.h>
#include <string.h>

int hwWorld_GetContacts(const hwWorld* world, const hwContactView** contacts) {
    *contacts = NULL;
    if (!world->prepared) return 0;
    hwWorld_Refresh(world);
    const hwContactModel* contact = world->model.contact;
    hwContactView* views = world->work.contact->views;
    int count = 0;
    for (int i = 0; i < contact->slotCount; ++i) {
        const hwContactSlot* slot = &world->state.contact->slots[i];
        const hwContactResult* result = &world->work.contact->touches[i];
        if (slot->a == HW_FREE_SLOT || !result->touches) continue;
        const hwContactPart* parts = contact->parts;
        const hwLinkInfo* links = world->model.links;
        views[count++] =
            (hwContactView){.a = links[parts[slot->a].link].body->def.name,
                            .b = slot->b >= 0 ? links[parts[slot->b].link].body->def.name : "seabed",
                            .elementA = -1,
                            .elementB = -1,
                            .point = result->point,
                            .normal = result->normal,
                            .force = hwNeg(result->force),
                            .elastic = result->elastic,
                            .damping = result->damping,
                            .volume = result->volume,
                            .depth = result->depth,
                            .sliding = result->slides};
    }
    if (world->model.cableContact->obstacles != NULL)
        count += hwWorld_ViewCableContacts(world, views + count);
    if (world->model.cablePairs->on) count += hwWorld_ViewPairs(world, views + count);
    count += hwWorld_ViewCablesOnBottom(world, views + count);
    count += hwWorld_ViewFeet(world, views + count);
    *contacts = views;
    return count;
}

// Sums over a body's contacts: the force on it, its mean place by volume, volumes, the largest depth.
typedef struct Sum {
    hwVec3 force, point;
    double elastic, damping, volume, depth, count;
} Sum;

static void AddUp(Sum* sum, hwVec3 force, hwVec3 point, double elastic, double damping, double volume,
                  double depth) {
    sum->force = hwAdd(sum->force, force);
    sum->point = hwMulAdd(sum->point, volume, point);
    sum->elastic += elastic;
    sum->damping += damping;
    sum->volume += volume;
    sum->depth = fmax(sum->depth, depth);
    sum->count += 1.0;
}

static double GetComponent(Sum sum, int component) {
    if (sum.volume > 0.0) sum.point = hwScale(1.0 / sum.volume, sum.point);
    const double values[HW_CONTACT_CHANNELS] = {sum.force.x, sum.force.y, sum.force.z, sum.point.x,
                                                sum.point.y, sum.point.z, sum.elastic, sum.damping,
                                                sum.volume,  sum.depth,   sum.count};
    return values[component];
}

// Whether what a view names is the thing called `name`, a link of it, or was cut off it.
static bool IsCalled(const hwWorld* world, const char* thing, const char* name) {
    size_t length = strlen(name);
    if (strncmp(thing, name, length) == 0 && (thing[length] == '\0' || thing[length] == '.')) return true;
    for (int k = 0; k < world->model.cables->count; ++k) {
        const hwCableSlot* slot = &world->model.cables->slots[k];
        if (slot->whole >= 0 && strcmp(slot->name, thing) == 0)
            return strcmp(world->model.cables->slots[slot->whole].name, name) == 0;
    }
    return false;
}

double hwWorld_ReadPairChannel(const hwWorld* world, int watch, int component) {
    const hwIgnoreObject* pair = world->watched.items[watch];
    const hwContactView* views;
    int count = hwWorld_GetContacts(world, &views);
    Sum sum = {0};
    for (int i = 0; i < count; ++i) {
        const hwContactView* v = &views[i];
        bool first = IsCalled(world, v->a, pair->a) && IsCalled(world, v->b, pair->b);
        if (!first && !(IsCalled(world, v->a, pair->b) && IsCalled(world, v->b, pair->a))) continue;
        AddUp(&sum, first ? hwNeg(v->force) : v->force, v->point, v->elastic, v->damping, v->volume,
              v->depth);
    }
    return GetComponent(sum, component);
}

double hwWorld_ReadContactChannel(const hwWorld* world, int link, int component) {
    const hwContactModel* contact = world->model.contact;
    Sum sum = {0};
    for (int i = 0; i < contact->slotCount; ++i) {
        const hwContactSlot* slot = &world->state.contact->slots[i];
        const hwContactResult* r = &world->work.contact->touches[i];
        if (slot->a == HW_FREE_SLOT || !r->touches) continue;
        bool first = contact->parts[slot->a].link == link;
        if (!first && (slot->b < 0 || contact->parts[slot->b].link != link)) continue;
        AddUp(&sum, first ? r->force : hwNeg(r->force), r->point, r->elastic, r->damping, r->volume,
              r->depth);
    }
    const hwCableContacts* cables = world->work.cableContact;
    for (int i = 0; world->model.cableContact->obstacles != NULL && i < cables->count; ++i) {
        const hwCablePatch* p = &cables->patches[i];
        if (!p->touches || world->model.cableContact->obstacles->items[p->obstacle].link != link) continue;
        AddUp(&sum, hwNeg(p->force), p->overlap.point, p->elastic, p->damping, p->overlap.volume,
              p->overlap.depth);
    }
    return GetComponent(sum, component);
}
