// Channels of cables: their ends, the whole, nodes and elements. Nodes and elements that do not exist at the moment, and
// parts that no cut has made yet, have no values: not a number.
#include "parts/cables/cables.h"
#include "record/channels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool IsThere(const hwWorld* world, int slot) {
    return world->state.cables->stores[slot].core->nodes > 0;
}

// Ends: numbered 2 * slot + end -----------------------------------------------------------------------------------------

static double ReadEndTension(const hwWorld* world, int end, int component) {
    (void)component;
    if (!IsThere(world, end / 2)) return (double)NAN;
    hwVec3 force, moment;
    hwWorld_GetEndLoad(world, end / 2, end % 2, &force, &moment);
    return hwLength(force);
}

static double ReadEndForce(const hwWorld* world, int end, int component) {
    if (!IsThere(world, end / 2)) return (double)NAN;
    hwVec3 force, moment;
    hwWorld_GetEndLoad(world, end / 2, end % 2, &force, &moment);
    return hwVec3_GetComponent(force, component);
}

static double ReadEndMoment(const hwWorld* world, int end, int component) {
    if (!IsThere(world, end / 2)) return (double)NAN;
    hwVec3 force, moment;
    hwWorld_GetEndLoad(world, end / 2, end % 2, &force, &moment);
    return hwVec3_GetComponent(moment, component);
}

static const hwChannelRow endRows[] = {{"tension", "N", ReadEndTension, 0},
                                       HW_CHANNELS_XYZ("force", "N", ReadEndForce),
                                       HW_CHANNELS_XYZ("moment", "N m", ReadEndMoment)};

// The whole cable: by slot ------------------------------------------------------------------------------------------------

static double ReadLength(const hwWorld* world, int slot, int component) {
    (void)component;
    if (!IsThere(world, slot)) return (double)NAN;
    return hwCableState_GetLength(&world->work->cables->tools[slot].state);
}

static double ReadContactCount(const hwWorld* world, int slot, int component) {
    (void)component;
    if (!IsThere(world, slot)) return (double)NAN;
    const hwCableTools* tools = &world->work->cables->tools[slot];
    return tools->contact.count + tools->touch.count + tools->rub.count;
}

static double ReadContactForce(const hwWorld* world, int slot, int component) {
    (void)component;
    if (!IsThere(world, slot)) return (double)NAN;
    const hwCableTools* tools = &world->work->cables->tools[slot];
    return tools->contact.force + tools->touch.force + tools->rub.force;
}

static double ReadContactDepth(const hwWorld* world, int slot, int component) {
    (void)component;
    if (!IsThere(world, slot)) return (double)NAN;
    const hwCableTools* tools = &world->work->cables->tools[slot];
    return hwFmax(hwFmax(tools->contact.depth, tools->touch.depth), tools->rub.depth);
}

static double ReadWrap(const hwWorld* world, int slot, int component) {
    (void)component;
    return IsThere(world, slot) ? hwWorld_GetWrap(world, slot) : (double)NAN;
}

// Utilisation: 1 where it parts.
static double ReadTensionUse(const hwWorld* world, int slot, int component) {
    (void)component;
    if (!IsThere(world, slot)) return (double)NAN;
    const hwCableTools* tools = &world->work->cables->tools[slot];
    const hwCableModel* model = &world->model.cables->slots[slot].model;
    double most = 0.0;
    for (int e = 0; e < tools->work.nodes - 1; ++e) {
        const double* material = tools->state.material + e;
        double bears = hwCableModel_Average(model, material[0], material[1]).breakTension;
        most = hwFmax(most, tools->work.tension[e] / bears);
    }
    return most;
}

static bool MayPart(const hwModel* model, int slot) {
    const hwCableModel* cable = &model->cables->slots[slot].model;
    bool may = false;
    for (int i = 0; i < cable->sectionCount; ++i) may = may || isfinite(cable->sections[i].breakTension);
    return may;
}

static const hwChannelRow useRows[] = {{"tension.use", "1", ReadTensionUse, 0}};

enum {
    ENERGY_KINETIC,
    ENERGY_POTENTIAL,
    ENERGY_ELASTIC,
    ENERGY_DISSIPATED,
    ENERGY_WORK,
    ENERGY_BALANCE,
    ENERGY_MECHANICAL,
    ENERGY_ACCUMULATED
};

static double ReadCableEnergy(const hwWorld* world, int slot, int component) {
    if (!IsThere(world, slot)) return (double)NAN;
    const hwCableSlot* cable = &world->model.cables->slots[slot];
    hwCableEnergy e = hwWorld_GetCableEnergy(world, slot);
    const hwCableTools* touching = &world->work->cables->tools[slot];
    double contact = touching->contact.elastic + touching->touch.elastic + touching->rub.elastic;
    double elastic = e.stretch + e.bending + e.torsion + contact;
    double dissipated = world->state.z[cable->dissipated] - contact, work = world->state.z[cable->work];
    double mechanical = e.kinetic + e.gravity + elastic, accumulated = 0.0;
    const hwCableStore* store = &world->state.cables->stores[slot];
    switch (component) {
    case ENERGY_KINETIC:
        return e.kinetic;
    case ENERGY_POTENTIAL:
        return e.gravity;
    case ENERGY_ELASTIC:
        return elastic;
    case ENERGY_DISSIPATED:
        return dissipated;
    case ENERGY_WORK:
        return work;
    case ENERGY_BALANCE:
        return mechanical + dissipated - work;
    case ENERGY_MECHANICAL:
        return mechanical;
    default:
        for (int i = 0; i < store->core->nodes; ++i) accumulated += store->effort[i];
        return accumulated;
    }
}

enum { LINKS_MEAN, LINKS_LOW, LINKS_HIGH, LINKS_TARGET, LINKS_ERROR };

// How long the elements are against what they should be: mean and the band of 95 % (1.96 standard deviations), for elements
// of the mean length (Brateau 2022, fig. 3, 4).
static double ReadLinks(const hwWorld* world, int slot, int component) {
    if (!IsThere(world, slot)) return (double)NAN;
    const hwCableTools* tools = &world->work->cables->tools[slot];
    const double* material = tools->state.material;
    int count = tools->work.nodes - 1;
    double target = hwCableState_GetLength(&tools->state) / count, mean = 0.0, squares = 0.0;
    for (int e = 0; e < count; ++e) mean += tools->work.length[e] / (material[e + 1] - material[e]) / count;
    for (int e = 0; e < count; ++e) {
        double off = tools->work.length[e] / (material[e + 1] - material[e]) - mean;
        squares += off * off / count;
    }
    double band = 1.96 * sqrt(squares);
    switch (component) {
    case LINKS_MEAN:
        return target * mean;
    case LINKS_LOW:
        return target * (mean - band);
    case LINKS_HIGH:
        return target * (mean + band);
    case LINKS_TARGET:
        return target;
    default:
        return mean - 1.0;
    }
}

static const hwChannelRow cableRows[] = {
    {"length", "m", ReadLength, 0},
    {"contact.count", "1", ReadContactCount, 0},
    {"contact.force", "N", ReadContactForce, 0},
    {"contact.depth", "m", ReadContactDepth, 0},
    {"wrap", "rad", ReadWrap, 0},
    {"energy.kinetic", "J", ReadCableEnergy, ENERGY_KINETIC},
    {"energy.potential", "J", ReadCableEnergy, ENERGY_POTENTIAL},
    {"energy.elastic", "J", ReadCableEnergy, ENERGY_ELASTIC},
    {"energy.dissipated", "J", ReadCableEnergy, ENERGY_DISSIPATED},
    {"energy.work", "J", ReadCableEnergy, ENERGY_WORK},
    {"energy.balance", "J", ReadCableEnergy, ENERGY_BALANCE},
    {"energy.mechanical", "J", ReadCableEnergy, ENERGY_MECHANICAL},
    {"energy.accumulated", "J", ReadCableEnergy, ENERGY_ACCUMULATED},
    {"links.mean", "m", ReadLinks, LINKS_MEAN},
    {"links.low", "m", ReadLinks, LINKS_LOW},
    {"links.high", "m", ReadLinks, LINKS_HIGH},
    {"links.target", "m", ReadLinks, LINKS_TARGET},
    {"links.error", "1", ReadLinks, LINKS_ERROR},
};

// Nodes and elements: numbered through all slots, a node's index is its first freedom among the cables', over three --------

static int GetFirstNode(const hwModel* model, int slot) {
    return (model->cables->slots[slot].freedom - model->forest.freedomCount) / 3;
}

typedef struct Node {
    int slot, index;
    const hwCableTools* tools;
} Node;

// False: it is not there now. An element goes by its first node, so that `after` nodes must follow.
static bool FindNode(const hwWorld* world, int number, int after, Node* node) {
    const hwModel* model = &world->model;
    node->slot = model->cables->count - 1;
    while (GetFirstNode(model, node->slot) > number) node->slot -= 1;
    node->index = number - GetFirstNode(model, node->slot);
    node->tools = &world->work->cables->tools[node->slot];
    return node->index + after < world->state.cables->stores[node->slot].core->nodes;
}

static double ReadNodePosition(const hwWorld* world, int number, int component) {
    Node n;
    if (!FindNode(world, number, 0, &n)) return (double)NAN;
    return hwVec3_GetComponent(n.tools->state.position[n.index], component);
}

static double ReadNodeVelocity(const hwWorld* world, int number, int component) {
    Node n;
    if (!FindNode(world, number, 0, &n)) return (double)NAN;
    return hwVec3_GetComponent(n.tools->state.velocity[n.index], component);
}

static double ReadNodeCurvature(const hwWorld* world, int number, int component) {
    Node n;
    if (!FindNode(world, number, 0, &n)) return (double)NAN;
    return hwVec3_GetComponent(hwCableWork_GetCurvature(&n.tools->work, n.index), component);
}

static double ReadNodeContact(const hwWorld* world, int number, int component) {
    (void)component;
    Node n;
    if (!FindNode(world, number, 0, &n)) return (double)NAN;
    return hwWorld_NodeTouches(world, n.slot, n.index) ? 1.0 : 0.0;
}

static double ReadNodeEnergy(const hwWorld* world, int number, int component) {
    Node n;
    if (!FindNode(world, number, 0, &n)) return (double)NAN;
    if (component == ENERGY_ACCUMULATED) return world->state.cables->stores[n.slot].effort[n.index];
    hwCableNodeEnergy energy = hwWorld_GetNodeEnergy(world, n.slot, n.index);
    return component == ENERGY_KINETIC ? energy.kinetic : energy.potential;
}

static double ReadElementTension(const hwWorld* world, int number, int component) {
    (void)component;
    Node n;
    return FindNode(world, number, 1, &n) ? n.tools->work.tension[n.index] : (double)NAN;
}

static double ReadElementLength(const hwWorld* world, int number, int component) {
    (void)component;
    Node n;
    return FindNode(world, number, 1, &n) ? n.tools->work.length[n.index] : (double)NAN;
}

static double ReadElementTwist(const hwWorld* world, int number, int component) {
    (void)component;
    Node n;
    if (!FindNode(world, number, 1, &n)) return (double)NAN;
    const double* material = n.tools->state.material;
    double share = material[n.index + 1] - material[n.index];
    return n.tools->work.twist * share / hwCableState_GetLength(&n.tools->state);
}

static const hwChannelRow nodeRows[] = {HW_CHANNELS_XYZ("position", "m", ReadNodePosition),
                                        HW_CHANNELS_XYZ("velocity", "m/s", ReadNodeVelocity),
                                        HW_CHANNELS_XYZ("curvature", "1/m", ReadNodeCurvature),
                                        {"contact", "1", ReadNodeContact, 0}};
static const hwChannelRow nodeEnergyRows[] = {
    {"energy.kinetic", "J", ReadNodeEnergy, ENERGY_KINETIC},
    {"energy.potential", "J", ReadNodeEnergy, ENERGY_POTENTIAL},
    {"energy.accumulated", "J", ReadNodeEnergy, ENERGY_ACCUMULATED}};
static const hwChannelRow elementRows[] = {{"tension", "N", ReadElementTension, 0},
                                           {"length", "m", ReadElementLength, 0},
                                           {"twist", "rad", ReadElementTwist, 0}};

static void AddNumbered(hwTableBuilder* builder, const char* cable, const char* what, int i, int count,
                        const hwChannelRow* rows, int number) {
    char name[120];
    snprintf(name, sizeof(name), "%s.%s[%d]", cable, what, i);
    hwTable_AddChannels(builder, name, count, rows, number);
}

void hwCables_AddChannels(hwTableBuilder* builder, const hwWorld* world, const hwModel* model) {
    (void)world;
    for (int slot = 0; slot < model->cables->count; ++slot) {
        const char* cable = model->cables->slots[slot].name;
        for (int e = 0; e < 2; ++e) {
            char name[96];
            snprintf(name, sizeof(name), "%s.%c", cable, e == 0 ? 'a' : 'b');
            hwTable_AddChannels(builder, name, HW_ROW_COUNT(endRows), endRows, 2 * slot + e);
        }
        hwTable_AddChannels(builder, cable, HW_ROW_COUNT(cableRows), cableRows, slot);
        if (MayPart(model, slot)) hwTable_AddChannels(builder, cable, HW_ROW_COUNT(useRows), useRows, slot);
        int first = GetFirstNode(model, slot), nodes = model->cables->slots[slot].model.nodeCapacity;
        for (int i = 0; i < nodes; ++i)
            AddNumbered(builder, cable, "node", i, HW_ROW_COUNT(nodeRows), nodeRows, first + i);
        for (int i = 0; i < nodes; ++i)
            AddNumbered(builder, cable, "node", i, HW_ROW_COUNT(nodeEnergyRows), nodeEnergyRows, first + i);
        for (int i = 0; i + 1 < nodes; ++i)
            AddNumbered(builder, cable, "element", i, HW_ROW_COUNT(elementRows), elementRows, first + i);
    }
}

// The slot of the cable of this name, or -1: every cable has a length.
static int FindNamed(const hwWorld* world, const char* name, int count) {
    char telling[128];
    if (snprintf(telling, sizeof(telling), "%.*s.%s", count, name, cableRows[0].name) >= (int)sizeof(telling))
        return -1;
    int channel = hwNameTable_Find(&world->model.channels, telling);
    const hwChannelEntry* entry = channel >= 0 ? &world->model.channels.entries[channel] : NULL;
    return entry != NULL && entry->read == cableRows[0].read ? entry->object : -1;
}

bool hwWorld_IsChannelAbsent(const hwWorld* world, int channel) {
    if (!world->prepared || channel < 0 || channel >= world->model.channels.count) return false;
    const char* name = world->model.channels.entries[channel].name;
    for (const char* dot = strchr(name, '.'); dot != NULL; dot = strchr(dot + 1, '.')) {
        int slot = FindNamed(world, name, (int)(dot - name));
        if (slot >= 0 && world->model.cables->slots[slot].whole >= 0 && !IsThere(world, slot)) return true;
    }
    return false;
}

// The number of nodes from which on a cable has them by contact alone: on a winch all that may be out are expected.
static int CountExpected(const hwWorld* world, int slot) {
    const hwCableSlot* cable = &world->model.cables->slots[slot];
    int nodes = world->state.cables->stores[slot].core->nodes;
    bool fed = false;
    for (int end = 0; end < 2; ++end) {
        hwCableFeed feed;
        fed = fed || hwWorld_FindFeed(world, slot, end, &feed);
    }
    int given = cable->model.nodeCapacity - cable->contactNodes;
    return fed && given > nodes ? given : nodes;
}

int hwWorld_GetChannelRoom(const hwWorld* world, int channel) {
    enum { BLOCK = 8 };
    if (!world->prepared || channel < 0 || channel >= world->model.channels.count) return 0;
    const hwChannelEntry* entry = &world->model.channels.entries[channel];
    bool node = false, element = false;
    for (int i = 0; i < HW_ROW_COUNT(nodeRows); ++i) node = node || entry->read == nodeRows[i].read;
    for (int i = 0; i < HW_ROW_COUNT(nodeEnergyRows); ++i)
        node = node || entry->read == nodeEnergyRows[i].read;
    for (int i = 0; i < HW_ROW_COUNT(elementRows); ++i)
        element = element || entry->read == elementRows[i].read;
    if (!node && !element) return 0;
    int slot = world->model.cables->count - 1;
    while (GetFirstNode(&world->model, slot) > entry->object) slot -= 1;
    int first = GetFirstNode(&world->model, slot), index = entry->object - first + element;
    int expected = CountExpected(world, slot);
    // of a part that is not there all are by name alone, see hwWorld_IsChannelAbsent
    if (index < expected || !IsThere(world, slot)) return 0;
    return 1 + first + expected + (index - expected) / BLOCK * BLOCK;
}
