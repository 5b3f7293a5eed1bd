// The one table of named channels, and the table of named inputs.
#include "record/channels.h"

#include "base/hash.h"
#include "parts/cables/cables.h"
#include "parts/feet/feet.h"
#include "parts/joints/joints.h"
#include "parts/sheaves/sheaves.h"
#include "parts/vehicles/vehicles.h"
#include "parts/winches/winches.h"
#include "world/contact_rules.h"
#include "world/part.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Building the tables -------------------------------------------------------------------------------------------------

// Adds entries in two passes over the same code: counting, then writing.
typedef struct Builder {
    hwArena* arena;
    hwNameTable* table; // null while counting
    int count;
} Builder;

static void AddEntry(Builder* builder, const char* object, const char* quantityName, const char* component,
                     const char* unit, hwQuantity quantity, int componentIndex, int objectIndex) {
    char text[512];
    int length = snprintf(text, sizeof(text), "%s.%s%s%s", object, quantityName,
                          component[0] != '\0' ? "." : "", component);
    char* name = HW_TAKE(builder->arena, char, length + 1);
    if (builder->table != NULL && name != NULL) {
        memcpy(name, text, (size_t)length + 1);
        hwChannelEntry* entry = &builder->table->entries[builder->count];
        entry->name = name;
        entry->unit = unit;
        entry->quantity = (short)quantity;
        entry->component = (short)componentIndex;
        entry->object = objectIndex;
    }
    builder->count += 1;
}

static void AddVector(Builder* builder, const char* object, const char* quantityName, const char* unit,
                      hwQuantity quantity, int objectIndex) {
    static const char* axes[3] = {"x", "y", "z"};
    for (int i = 0; i < 3; ++i)
        AddEntry(builder, object, quantityName, axes[i], unit, quantity, i, objectIndex);
}

static void AddBodyChannels(Builder* builder, const char* name, int link, bool wet) {
    static const char* angles[3] = {"roll", "pitch", "yaw"};
    AddVector(builder, name, "position", "m", HW_QUANTITY_POSITION, link);
    for (int i = 0; i < 3; ++i) {
        AddEntry(builder, name, "attitude", angles[i], "rad", HW_QUANTITY_ATTITUDE, i, link);
    }
    AddVector(builder, name, "velocity", "m/s", HW_QUANTITY_VELOCITY, link);
    AddVector(builder, name, "rate", "rad/s", HW_QUANTITY_RATE, link);
    AddVector(builder, name, "acceleration", "m/s2", HW_QUANTITY_ACCELERATION, link);
    if (wet) AddEntry(builder, name, "submerged", "", "1", HW_QUANTITY_SUBMERGED, 0, link);
}

// Of a body, or of one with another thing.
static void AddContactChannels(Builder* builder, const char* name, const char* group, hwQuantity quantity,
                               int object) {
    static const struct {
        const char *name, *unit;
    } channels[HW_CONTACT_CHANNELS] = {{"force.x", "N"}, {"force.y", "N"}, {"force.z", "N"}, {"point.x", "m"},
                                       {"point.y", "m"}, {"point.z", "m"}, {"elastic", "N"}, {"damping", "N"},
                                       {"volume", "m3"}, {"depth", "m"},   {"count", "1"}};
    for (int k = 0; k < HW_CONTACT_CHANNELS; ++k) {
        AddEntry(builder, name, group, channels[k].name, channels[k].unit, quantity, k, object);
    }
}

static void AddJointChannels(Builder* builder, const char* name, const hwJointModel* joint, int index) {
    bool slides = joint->type == HW_LINK_PRISMATIC;
    const char* units[4] = {slides ? "m" : "rad", slides ? "m/s" : "rad/s", slides ? "m/s2" : "rad/s2",
                            slides ? "N" : "N m"};
    static const char* names[4] = {"q", "qd", "qdd", "effort"};
    for (int k = 0; k < 4; ++k) {
        hwQuantity quantity = (hwQuantity)(HW_QUANTITY_JOINT_Q + k);
        if (joint->count == 3) {
            AddVector(builder, name, names[k], units[k], quantity, index);
        } else {
            AddEntry(builder, name, names[k], "", units[k], quantity, 0, index);
        }
    }
}

static void AddJointInputs(Builder* builder, const char* name, const hwJointModel* joint, int index) {
    static const char* names[HW_JOINT_INPUTS] = {"mode", "kp", "ki", "kd", "power"};
    static const char* axes[3] = {"x", "y", "z"};
    const char* unit = joint->type == HW_LINK_PRISMATIC ? "m" : "rad";
    for (int i = 0; i < joint->count; ++i) {
        AddEntry(builder, name, "target", joint->count == 3 ? axes[i] : "", unit, HW_INPUT_JOINT, i, index);
    }
    for (int i = 0; i < HW_JOINT_INPUTS; ++i) {
        AddEntry(builder, name, names[i], "", i == HW_JOINT_POWER ? "W" : "1", HW_INPUT_JOINT,
                 joint->count + i, index);
    }
}

// A base of its own is a body, with its channels.
static void AddBaseChannels(Builder* builder, const hwMechanismObject* mechanism, int index) {
    static const struct {
        const char *name, *unit;
    } channels[12] = {{"position.x", "m"},      {"position.y", "m"},       {"position.z", "m"},
                      {"attitude.roll", "rad"}, {"attitude.pitch", "rad"}, {"attitude.yaw", "rad"},
                      {"velocity.x", "m/s"},    {"velocity.y", "m/s"},     {"velocity.z", "m/s"},
                      {"rate.x", "rad/s"},      {"rate.y", "rad/s"},       {"rate.z", "rad/s"}};
    for (int k = 0; k < 12; ++k) {
        AddEntry(builder, mechanism->name, "base", channels[k].name, channels[k].unit, HW_QUANTITY_BASE, k,
                 index);
    }
}

static void AddVehicleChannels(Builder* builder, const hwModel* model, int vehicle) {
    static const struct {
        const char *name, *unit;
    } channels[HW_VEHICLE_CHANNEL_THRUSTERS] = {
        {"depth", "m"},     {"heading", "rad"},     {"roll", "rad"},       {"pitch", "rad"},
        {"altitude", "m"},  {"speed", "m/s"},       {"turns", "1"},        {"tether.tension", "N"},
        {"water.x", "m/s"}, {"water.y", "m/s"},     {"water.z", "m/s"},    {"axis.surge", "1"},
        {"axis.sway", "1"}, {"axis.heave", "1"},    {"axis.yaw", "1"},     {"armed", "1"},
        {"mode", "1"},      {"gain", "1"},          {"target.depth", "m"}, {"target.heading", "rad"},
        {"lights", "1"},    {"camera.tilt", "rad"}, {"camera.zoom", "1"},  {"gripper", "1"},
        {"saturated", "1"}, {"failed", "1"},        {"gripper.held", "1"}};
    static const char* parts[3] = {"force", "command", "speed"};
    static const char* units[3] = {"N", "1", "rad/s"};
    const hwVehicleDef* def = &model->vehicles->items[vehicle].object->def;
    for (int i = 0; i < HW_VEHICLE_CHANNEL_THRUSTERS; ++i) {
        AddEntry(builder, def->body.name, channels[i].name, "", channels[i].unit, HW_QUANTITY_VEHICLE, i,
                 vehicle);
    }
    for (int i = 0; i < def->thrusterCount; ++i) {
        char name[24];
        snprintf(name, sizeof(name), "thruster[%d]", i);
        for (int k = 0; k < 3; ++k) {
            AddEntry(builder, def->body.name, name, parts[k], units[k], HW_QUANTITY_VEHICLE,
                     HW_VEHICLE_CHANNEL_THRUSTERS + 3 * i + k, vehicle);
        }
    }
}

// In the order of hwVehicleInput.
static void AddVehicleInputs(Builder* builder, const hwModel* model, int vehicle) {
    static const struct {
        const char *name, *unit;
    } fixed[HW_VEHICLE_AXES] = {{"pilot.surge", "1"}, {"pilot.sway", "1"},
                                {"pilot.heave", "1"}, {"pilot.yaw", "1"},
                                {"armed", "1"},       {"mode", "1"},
                                {"gain", "1"},        {"lights", "1"},
                                {"gripper", "1"},     {"camera.tilt_deg", "deg"},
                                {"camera.zoom", "1"}, {"turns.offset", "1"},
                                {"hold.depth", "m"},  {"hold.heading", "rad"}};
    static const char* axes[HW_AXIS_COUNT] = {"axis.surge", "axis.sway", "axis.heave", "axis.yaw"};
    static const char* parts[4] = {"dead_zone", "sensitivity", "expo", "invert"};
    const hwVehicleDef* def = &model->vehicles->items[vehicle].object->def;
    int at = 0;
    for (; at < HW_VEHICLE_AXES; ++at) {
        AddEntry(builder, def->body.name, fixed[at].name, "", fixed[at].unit, HW_INPUT_VEHICLE, at, vehicle);
    }
    for (; at < HW_VEHICLE_THRUSTERS; ++at) {
        int k = at - HW_VEHICLE_AXES;
        AddEntry(builder, def->body.name, axes[k / 4], parts[k % 4], "1", HW_INPUT_VEHICLE, at, vehicle);
    }
    for (int i = 0; i < def->thrusterCount; ++i) {
        char name[24];
        snprintf(name, sizeof(name), "thruster[%d]", i);
        AddEntry(builder, def->body.name, name, "failed", "1", HW_INPUT_VEHICLE, at++, vehicle);
        AddEntry(builder, def->body.name, name, "sense", "1", HW_INPUT_VEHICLE, at++, vehicle);
    }
}

// Nodes are numbered through all slots: a node's index is its first freedom among the cables', over three.
static int GetFirstNode(const hwModel* model, int slot) {
    return (model->cables->slots[slot].freedom - model->forest.freedomCount) / 3;
}

static void AddNodeChannels(Builder* builder, const hwModel* model, int slot) {
    static const char* elementNames[3] = {"tension", "length", "twist"};
    static const char* elementUnits[3] = {"N", "m", "rad"};
    const char* cable = model->cables->slots[slot].name;
    int first = GetFirstNode(model, slot), capacity = model->cables->slots[slot].model.nodeCapacity;
    for (int i = 0; i < capacity; ++i) {
        char name[40];
        snprintf(name, sizeof(name), "node[%d].position", i);
        AddVector(builder, cable, name, "m", HW_QUANTITY_NODE_POSITION, first + i);
        snprintf(name, sizeof(name), "node[%d].velocity", i);
        AddVector(builder, cable, name, "m/s", HW_QUANTITY_NODE_VELOCITY, first + i);
        snprintf(name, sizeof(name), "node[%d].curvature", i);
        AddVector(builder, cable, name, "1/m", HW_QUANTITY_NODE_CURVATURE, first + i);
        snprintf(name, sizeof(name), "node[%d]", i);
        AddEntry(builder, cable, name, "contact", "1", HW_QUANTITY_NODE_CONTACT, 0, first + i);
    }
    for (int i = 0; i < capacity; ++i) {
        static const char* energies[3] = {"kinetic", "potential", "accumulated"};
        char name[40];
        snprintf(name, sizeof(name), "node[%d].energy", i);
        for (int k = 0; k < 3; ++k) {
            AddEntry(builder, cable, name, energies[k], "J", HW_QUANTITY_NODE_ENERGY, k, first + i);
        }
    }
    for (int i = 0; i + 1 < capacity; ++i) {
        char name[40];
        snprintf(name, sizeof(name), "element[%d]", i);
        for (int k = 0; k < 3; ++k) {
            AddEntry(builder, cable, name, elementNames[k], elementUnits[k], HW_QUANTITY_ELEMENT, k,
                     first + i);
        }
    }
}

static void AddCableChannels(Builder* builder, const hwModel* model, int slot) {
    static const char* energies[8] = {"kinetic", "potential", "elastic",    "dissipated",
                                      "work",    "balance",   "mechanical", "accumulated"};
    static const char* links[5] = {"mean", "low", "high", "target", "error"};
    static const char* tensions[2] = {"a.tension", "b.tension"};
    static const char* forces[2] = {"a.force", "b.force"};
    static const char* moments[2] = {"a.moment", "b.moment"};
    const char* name = model->cables->slots[slot].name;
    for (int e = 0; e < 2; ++e) {
        AddEntry(builder, name, tensions[e], "", "N", HW_QUANTITY_CABLE_TENSION, 0, 2 * slot + e);
        AddVector(builder, name, forces[e], "N", HW_QUANTITY_CABLE_FORCE, 2 * slot + e);
        AddVector(builder, name, moments[e], "N m", HW_QUANTITY_CABLE_MOMENT, 2 * slot + e);
    }
    AddEntry(builder, name, "length", "", "m", HW_QUANTITY_CABLE_LENGTH, 0, slot);
    AddEntry(builder, name, "contact", "count", "1", HW_QUANTITY_CABLE_CONTACTS, 0, slot);
    AddEntry(builder, name, "contact", "force", "N", HW_QUANTITY_CABLE_CONTACTS, 1, slot);
    AddEntry(builder, name, "contact", "depth", "m", HW_QUANTITY_CABLE_CONTACTS, 2, slot);
    AddEntry(builder, name, "wrap", "", "rad", HW_QUANTITY_CABLE_WRAP, 0, slot);
    for (int k = 0; k < 8; ++k)
        AddEntry(builder, name, "energy", energies[k], "J", HW_QUANTITY_CABLE_ENERGY, k, slot);
    for (int k = 0; k < 5; ++k) {
        AddEntry(builder, name, "links", links[k], k < 4 ? "m" : "1", HW_QUANTITY_CABLE_LINKS, k, slot);
    }
    AddNodeChannels(builder, model, slot);
}

// In the order of hwWinchInput.
static void AddWinchInputs(Builder* builder, const hwModel* model, int winch) {
    static const char* names[HW_WINCH_INPUTS] = {"setpoint", "mode",         "kp",           "ki",
                                                 "kd",       "acceleration", "deceleration", "compensation"};
    static const char* units[HW_WINCH_INPUTS] = {"m/s or N", "1",    "m/s/N", "m/s2/N",
                                                 "m/N",      "m/s2", "m/s2",  "1"};
    for (int k = 0; k < HW_WINCH_INPUTS; ++k) {
        AddEntry(builder, model->winches->items[winch].object->def.name, names[k], "", units[k],
                 HW_INPUT_WINCH, k, winch);
    }
}

static void AddChannels(Builder* builder, const hwWorld* world, const hwModel* model) {
    static const char* energies[7] = {"", "kinetic", "potential", "elastic", "dissipated", "work", "balance"};
    AddEntry(builder, "world", "time", "", "s", HW_QUANTITY_TIME, 0, 0);
    AddEntry(builder, "world", "steps", "", "1", HW_QUANTITY_STEPS, 0, 0);
    for (int i = 0; i < 7; ++i)
        AddEntry(builder, "world", "energy", energies[i], "J", HW_QUANTITY_ENERGY, i, 0);
    const hwEnvironmentDef* environment = hwEnvironment_GetDef(world->environment);
    bool wet = environment->water;
    for (int i = 0; i < environment->gaugeCount; ++i)
        AddEntry(builder, environment->gauges[i].name, "elevation", "", "m", HW_QUANTITY_ELEVATION, 0, i);
    for (int i = 0; i < model->forest.linkCount; ++i) {
        const hwBodyObject* body = model->links[i].body;
        AddBodyChannels(builder, body->def.name, i, wet);
        int joint = model->joints->of[i];
        if (joint >= 0) AddJointChannels(builder, body->def.name, &model->joints->items[joint], joint);
        bool touchable = (model->bodiesTouch || model->cablesTouch) && body->def.shapeCount > 0;
        if (touchable) AddContactChannels(builder, body->def.name, "contact", HW_QUANTITY_CONTACT, i);
        if (body->joint != NULL && body->joint->def.feet.count > 0) {
            AddVector(builder, body->def.name, "foot.force", "N", HW_QUANTITY_FOOT_FORCE, i);
        }
    }
    for (int k = 0; k < world->mechanisms.slots; ++k) {
        const hwMechanismObject* mechanism = world->mechanisms.items[k];
        if (mechanism != NULL && !mechanism->free) AddBaseChannels(builder, mechanism, k);
    }
    for (int k = 0; k < world->watched.slots; ++k) {
        const hwIgnoreObject* pair = world->watched.items[k];
        char group[200];
        snprintf(group, sizeof(group), "contact.%s", pair->b);
        AddContactChannels(builder, pair->a, group, HW_QUANTITY_PAIR, k);
    }
    for (int k = 0; k < model->vehicles->count; ++k) AddVehicleChannels(builder, model, k);
    for (int k = 0; k < model->cables->count; ++k) AddCableChannels(builder, model, k);
    for (int k = 0; k < model->winches->count; ++k) {
        const char* name = model->winches->items[k].object->def.name;
        AddEntry(builder, name, "rate", "", "m/s", HW_QUANTITY_WINCH, 0, k);
        AddEntry(builder, name, "tension", "", "N", HW_QUANTITY_WINCH, 1, k);
    }
    for (int k = 0; k < model->sheaves->count; ++k) {
        const char* name = model->sheaves->items[k].object->def.name;
        AddEntry(builder, name, "rate", "", "m/s", HW_QUANTITY_SHEAVE, 0, k);
        AddEntry(builder, name, "passed", "", "m", HW_QUANTITY_SHEAVE, 1, k);
        AddEntry(builder, name, "angle", "", "rad", HW_QUANTITY_SHEAVE, 2, k);
    }
}

static void AddInputs(Builder* builder, const hwModel* model) {
    AddVector(builder, "environment", "current", "m/s", HW_INPUT_CURRENT, 0);
    AddVector(builder, "environment", "wind", "m/s", HW_INPUT_WIND, 0);
    for (int i = 0; i < model->forest.linkCount; ++i) {
        AddVector(builder, model->links[i].body->def.name, "force", "N", HW_INPUT_FORCE, i);
        AddVector(builder, model->links[i].body->def.name, "torque", "N m", HW_INPUT_TORQUE, i);
    }
    for (int k = 0; k < model->joints->count; ++k) {
        const hwJointModel* joint = &model->joints->items[k];
        AddJointInputs(builder, model->links[joint->link].body->def.name, joint, k);
    }
    for (int k = 0; k < model->vehicles->count; ++k) AddVehicleInputs(builder, model, k);
    for (int k = 0; k < model->winches->count; ++k) AddWinchInputs(builder, model, k);
}

static uint64_t HashName(const char* name) {
    return hwHash(0, name, strlen(name));
}

static void LayTable(hwArena* arena, hwNameTable* table, int count) {
    table->count = count;
    table->entries = HW_TAKE(arena, hwChannelEntry, count);
    table->slotCount = 16;
    while (table->slotCount < 2 * count) table->slotCount *= 2;
    table->slots = HW_TAKE(arena, int, table->slotCount);
}

static void FillSlots(hwNameTable* table) {
    for (int i = 0; i < table->count; ++i) {
        int slot = (int)(HashName(table->entries[i].name) & (uint64_t)(table->slotCount - 1));
        while (table->slots[slot] != 0) slot = (slot + 1) & (table->slotCount - 1);
        table->slots[slot] = i + 1;
    }
}

void hwModel_LayChannels(const hwWorld* world, hwArena* arena, hwModel* model) {
    bool writing = arena->base != NULL;
    hwArena dummy = {0};
    for (int pass = 0; pass < 2; ++pass) {
        hwNameTable* table = pass == 0 ? &model->channels : &model->inputs;
        Builder counter = {.arena = &dummy};
        Builder builder = {.arena = arena, .table = writing ? table : NULL};
        if (pass == 0) {
            AddChannels(&counter, world, model);
            LayTable(arena, table, counter.count);
            AddChannels(&builder, world, model);
        } else {
            AddInputs(&counter, model);
            LayTable(arena, table, counter.count);
            AddInputs(&builder, model);
        }
        if (writing) FillSlots(table);
    }
}

int hwNameTable_Find(const hwNameTable* table, const char* name) {
    if (table->count == 0) return -1;
    int slot = (int)(HashName(name) & (uint64_t)(table->slotCount - 1));
    for (; table->slots[slot] != 0; slot = (slot + 1) & (table->slotCount - 1)) {
        int index = table->slots[slot] - 1;
        if (strcmp(table->entries[index].name, name) == 0) return index;
    }
    return -1;
}

// Reading -------------------------------------------------------------------------------------------------------------

int hwWorld_GetChannelCount(const hwWorld* world) {
    return world->prepared ? world->model.channels.count : 0;
}

static hwChannelInfo GetInfo(const hwNameTable* table, bool prepared, int index) {
    hwChannelInfo none = {"", ""};
    if (!prepared || index < 0 || index >= table->count) return none;
    hwChannelInfo info = {table->entries[index].name, table->entries[index].unit};
    return info;
}

hwChannelInfo hwWorld_GetChannel(const hwWorld* world, int channel) {
    return GetInfo(&world->model.channels, world->prepared, channel);
}

int hwWorld_FindChannel(const hwWorld* world, const char* name) {
    return world->prepared ? hwNameTable_Find(&world->model.channels, name) : -1;
}

static double Component(hwVec3 v, int i) {
    return i == 0 ? v.x : (i == 1 ? v.y : v.z);
}

static double ReadEnergy(const hwWorld* world, int component) {
    hwEnergy e = hwWorld_GetEnergy(world);
    double total = e.kinetic + e.potential + e.elastic;
    const double values[7] = {
        total, e.kinetic, e.potential, e.elastic, e.dissipated, e.work, total + e.dissipated - e.work};
    return values[component];
}

static double ReadJoint(const hwWorld* world, const hwChannelEntry* entry) {
    const hwJointModel* joint = &world->model.joints->items[entry->object];
    const double* q = world->state.q + joint->coordinate;
    int i = joint->freedom + entry->component;
    double a = world->state.a[i];
    switch ((hwQuantity)entry->quantity) {
    case HW_QUANTITY_JOINT_Q:
        if (joint->count == 1) return q[0];
        return Component(hwRotationVectorFromQuat((hwQuat){q[0], q[1], q[2], q[3]}), entry->component);
    case HW_QUANTITY_JOINT_QD:
        return world->state.v[i];
    case HW_QUANTITY_JOINT_QDD:
        return a;
    default:
        return world->work->jointEffort[i] - world->work->jointVirtual[i] * a;
    }
}

static double ReadBase(const hwWorld* world, const hwChannelEntry* entry) {
    hwBodyState base = hwWorld_GetBaseMotion(world, world->mechanisms.items[entry->object]);
    const hwVec3 parts[4] = {base.position, hwRpyFromQuat(base.attitude), base.velocity, base.rate};
    return Component(parts[entry->component / 3], entry->component % 3);
}

static double ReadFeet(const hwWorld* world, const hwChannelEntry* entry) {
    double sum = 0.0;
    for (int k = 0; k < world->model.feet->count; ++k) {
        if (world->model.feet->items[k].link == entry->object)
            sum += world->work->feet->force[3 * k + entry->component];
    }
    return sum;
}

static double ReadCableEnergy(const hwWorld* world, int slot, int component) {
    const hwCableSlot* cable = &world->model.cables->slots[slot];
    hwCableEnergy e = hwWorld_GetCableEnergy(world, slot);
    const hwCableTools* touching = &world->work->cables->tools[slot];
    double contact = touching->contact.elastic + touching->touch.elastic + touching->rub.elastic;
    double elastic = e.stretch + e.bending + e.torsion + contact;
    double dissipated = world->state.z[cable->dissipated] - contact, work = world->state.z[cable->work];
    double mechanical = e.kinetic + e.gravity + elastic, accumulated = 0.0;
    const hwCableStore* store = &world->state.cables->stores[slot];
    for (int i = 0; i < store->core->nodes; ++i) accumulated += store->effort[i];
    const double values[8] = {e.kinetic,  e.gravity,  elastic,
                              dissipated, work,       mechanical + dissipated - work,
                              mechanical, accumulated};
    return values[component];
}

// How long the elements are against what they should be: mean and the band of 95 % (1.96 standard deviations), for elements
// of the mean length (Brateau 2022, fig. 3, 4).
static double ReadLinks(const hwWorld* world, int slot, int component) {
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
    const double values[5] = {target * mean, target * (mean - band), target * (mean + band), target,
                              mean - 1.0};
    return values[component];
}

static double ReadEnd(const hwWorld* world, const hwChannelEntry* entry) {
    hwVec3 force, moment;
    hwWorld_GetEndLoad(world, entry->object / 2, entry->object % 2, &force, &moment);
    if (entry->quantity == HW_QUANTITY_CABLE_TENSION) return hwLength(force);
    return Component(entry->quantity == HW_QUANTITY_CABLE_FORCE ? force : moment, entry->component);
}

// Nodes and elements that do not exist at the moment have no values.
static double ReadNode(const hwWorld* world, const hwChannelEntry* entry) {
    const hwModel* model = &world->model;
    int slot = model->cables->count - 1;
    while (GetFirstNode(model, slot) > entry->object) slot -= 1;
    const hwCableTools* tools = &world->work->cables->tools[slot];
    int i = entry->object - GetFirstNode(model, slot), nodes = world->state.cables->stores[slot].core->nodes;
    if (i >= nodes || (entry->quantity == HW_QUANTITY_ELEMENT && i >= nodes - 1)) return NAN;
    switch ((hwQuantity)entry->quantity) {
    case HW_QUANTITY_NODE_POSITION:
        return Component(tools->state.position[i], entry->component);
    case HW_QUANTITY_NODE_VELOCITY:
        return Component(tools->state.velocity[i], entry->component);
    case HW_QUANTITY_NODE_CURVATURE:
        return Component(hwCableWork_GetCurvature(&tools->work, i), entry->component);
    case HW_QUANTITY_NODE_CONTACT:
        return hwWorld_NodeTouches(world, slot, i) ? 1.0 : 0.0;
    case HW_QUANTITY_NODE_ENERGY: {
        if (entry->component == 2) return world->state.cables->stores[slot].effort[i];
        hwCableNodeEnergy energy = hwWorld_GetNodeEnergy(world, slot, i);
        return entry->component == 0 ? energy.kinetic : energy.potential;
    }
    default:
        break;
    }
    if (entry->component == 0) return tools->work.tension[i];
    if (entry->component == 1) return tools->work.length[i];
    const double* material = tools->state.material;
    return tools->work.twist * (material[i + 1] - material[i]) / hwCableState_GetLength(&tools->state);
}

static double ReadCableContact(const hwCableTools* tools, int component) {
    const hwCableContact *bottom = &tools->contact, *touch = &tools->touch, *rub = &tools->rub;
    if (component == 0) return bottom->count + touch->count + rub->count;
    if (component == 1) return bottom->force + touch->force + rub->force;
    return fmax(fmax(bottom->depth, touch->depth), rub->depth);
}

static double ReadCable(const hwWorld* world, const hwChannelEntry* entry) {
    switch ((hwQuantity)entry->quantity) {
    case HW_QUANTITY_CABLE_TENSION:
    case HW_QUANTITY_CABLE_FORCE:
    case HW_QUANTITY_CABLE_MOMENT:
        return ReadEnd(world, entry);
    case HW_QUANTITY_NODE_POSITION:
    case HW_QUANTITY_NODE_VELOCITY:
    case HW_QUANTITY_NODE_CURVATURE:
    case HW_QUANTITY_NODE_CONTACT:
    case HW_QUANTITY_NODE_ENERGY:
    case HW_QUANTITY_ELEMENT:
        return ReadNode(world, entry);
    case HW_QUANTITY_WINCH: {
        const hwWinchModel* winch = &world->model.winches->items[entry->object];
        return entry->component == 0 ? world->state.z[winch->rate] : hwWinch_GetTension(world, winch);
    }
    case HW_QUANTITY_SHEAVE: {
        const hwSheaveModel* sheave = &world->model.sheaves->items[entry->object];
        if (entry->component == 0) return world->state.v[sheave->freedom];
        return entry->component == 1 ? world->state.q[sheave->coordinate]
                                     : world->work->sheaves->items[entry->object].angle;
    }
    default:
        break;
    }
    if (world->state.cables->stores[entry->object].core->nodes == 0) return NAN;
    const hwCableTools* tools = &world->work->cables->tools[entry->object];
    switch ((hwQuantity)entry->quantity) {
    case HW_QUANTITY_CABLE_LENGTH:
        return hwCableState_GetLength(&tools->state);
    case HW_QUANTITY_CABLE_CONTACTS:
        return ReadCableContact(tools, entry->component);
    case HW_QUANTITY_CABLE_ENERGY:
        return ReadCableEnergy(world, entry->object, entry->component);
    case HW_QUANTITY_CABLE_LINKS:
        return ReadLinks(world, entry->object, entry->component);
    default:
        return hwWorld_GetWrap(world, entry->object);
    }
}

// Height of the surface above its mean level; not a number in a dry world.
static double ReadElevation(const hwWorld* world, int index) {
    const hwEnvironmentDef* environment = hwEnvironment_GetDef(world->environment);
    const hwWaveGaugeDef* gauge = &environment->gauges[index];
    hwVec3 point = hwMakeVec3(gauge->x, gauge->y, environment->surface);
    hwFluidSample sample;
    if (!environment->water) return NAN;
    hwEnvironment_Sample(world->environment, 1, &point, world->state.header->time, &sample);
    return sample.surface - environment->surface;
}

static double ReadEntry(const hwWorld* world, const hwChannelEntry* entry) {
    hwBodyState body;
    switch ((hwQuantity)entry->quantity) {
    case HW_QUANTITY_TIME:
        return world->state.header->time;
    case HW_QUANTITY_STEPS:
        return (double)world->state.header->counters.steps;
    case HW_QUANTITY_ENERGY:
        return ReadEnergy(world, entry->component);
    case HW_QUANTITY_ELEVATION:
        return ReadElevation(world, entry->object);
    case HW_QUANTITY_JOINT_Q:
    case HW_QUANTITY_JOINT_QD:
    case HW_QUANTITY_JOINT_QDD:
    case HW_QUANTITY_JOINT_EFFORT:
        return ReadJoint(world, entry);
    case HW_QUANTITY_CONTACT:
        return hwWorld_ReadContactChannel(world, entry->object, entry->component);
    case HW_QUANTITY_PAIR:
        return hwWorld_ReadPairChannel(world, entry->object, entry->component);
    case HW_QUANTITY_FOOT_FORCE:
        return ReadFeet(world, entry);
    case HW_QUANTITY_BASE:
        return ReadBase(world, entry);
    case HW_QUANTITY_VEHICLE:
        return hwWorld_ReadVehicleChannel(world, entry->object, entry->component);
    case HW_QUANTITY_CABLE_LENGTH:
    case HW_QUANTITY_CABLE_CONTACTS:
    case HW_QUANTITY_CABLE_WRAP:
    case HW_QUANTITY_CABLE_ENERGY:
    case HW_QUANTITY_CABLE_LINKS:
    case HW_QUANTITY_CABLE_TENSION:
    case HW_QUANTITY_CABLE_FORCE:
    case HW_QUANTITY_CABLE_MOMENT:
    case HW_QUANTITY_NODE_POSITION:
    case HW_QUANTITY_NODE_VELOCITY:
    case HW_QUANTITY_NODE_CURVATURE:
    case HW_QUANTITY_NODE_CONTACT:
    case HW_QUANTITY_NODE_ENERGY:
    case HW_QUANTITY_ELEMENT:
    case HW_QUANTITY_WINCH:
    case HW_QUANTITY_SHEAVE:
        return ReadCable(world, entry);
    case HW_QUANTITY_SUBMERGED:
        return world->work->linkSubmerged[entry->object];
    case HW_QUANTITY_POSITION:
        return world->work->forest.motion[entry->object].p[entry->component];
    default:
        break;
    }
    hwBody_ReadMotion(world, entry->object, &body);
    switch ((hwQuantity)entry->quantity) {
    case HW_QUANTITY_ATTITUDE:
        return Component(hwRpyFromQuat(body.attitude), entry->component);
    case HW_QUANTITY_VELOCITY:
        return Component(body.velocity, entry->component);
    case HW_QUANTITY_RATE:
        return Component(body.rate, entry->component);
    case HW_QUANTITY_ACCELERATION:
        return Component(body.acceleration, entry->component);
    default:
        return NAN;
    }
}

double hwWorld_ReadChannel(const hwWorld* world, int channel) {
    double value = NAN;
    hwWorld_ReadChannels(world, 1, &channel, &value);
    return value;
}

void hwWorld_ReadChannels(const hwWorld* world, int count, const int* channels, double* values) {
    if (world->prepared) hwWorld_Refresh(world);
    for (int i = 0; i < count; ++i) {
        bool known = world->prepared && channels[i] >= 0 && channels[i] < world->model.channels.count;
        values[i] = known ? ReadEntry(world, &world->model.channels.entries[channels[i]]) : (double)NAN;
    }
}

// Inputs --------------------------------------------------------------------------------------------------------------

int hwWorld_GetInputCount(const hwWorld* world) {
    return world->prepared ? world->model.inputs.count : 0;
}

hwChannelInfo hwWorld_GetInput(const hwWorld* world, int input) {
    return GetInfo(&world->model.inputs, world->prepared, input);
}

int hwWorld_FindInput(const hwWorld* world, const char* name) {
    return world->prepared ? hwNameTable_Find(&world->model.inputs, name) : -1;
}

hwStatus hwWorld_SetInput(hwWorld* world, int input, double value, hwError* error) {
    hwClearError(error);
    hwStatus status = hwWorld_RequirePrepared(world, error);
    if (status != HW_OK) return status;
    if (input < 0 || input >= world->model.inputs.count) {
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "there is no input number %d", input);
    }
    if (!isfinite(value)) {
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "the input `%s` cannot be set to %g",
                      world->model.inputs.entries[input].name, value);
    }
    status = hwWorld_CheckInput(&world->model, input, value, error);
    if (status != HW_OK) return status;
    world->state.inputs[input] = value;
    hwWorld_InputChanged(world, input);
    world->state.header->accelerationValid = 0;
    world->work->isCurrent = false;
    if (world->external.reset != NULL) world->external.reset(world->external.context);
    return HW_OK;
}
