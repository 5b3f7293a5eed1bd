// The one table of named channels, and the table of named inputs.
#include "record/channels.h"

#include "base/hash.h"
#include "world/part.h"

#include <math.h>
#include <string.h>

// Building the tables -------------------------------------------------------------------------------------------------

// Adds entries in two passes over the same code: counting, then writing.
struct hwTableBuilder {
    hwArena* arena;
    hwNameTable* table; // null while counting
    int count;
};

// The next entry, or null while counting.
static hwChannelEntry* AddEntry(hwTableBuilder* builder, const char* object, const char* name) {
    size_t before = strlen(object), behind = strlen(name);
    char* own = HW_TAKE(builder->arena, char, before + behind + 2);
    int index = builder->count++;
    if (builder->table == NULL || own == NULL) return NULL;
    memcpy(own, object, before);
    own[before] = '.';
    memcpy(own + before + 1, name, behind + 1);
    builder->table->entries[index] = (hwChannelEntry){.name = own};
    return &builder->table->entries[index];
}

void hwTable_AddChannels(hwTableBuilder* builder, const char* object, int count, const hwChannelRow* rows,
                         int index) {
    for (int i = 0; i < count; ++i) {
        hwChannelEntry* entry = AddEntry(builder, object, rows[i].name);
        if (entry == NULL) continue;
        entry->unit = rows[i].unit;
        entry->read = rows[i].read;
        entry->component = rows[i].component;
        entry->object = index;
    }
}

void hwTable_AddInputs(hwTableBuilder* builder, const char* object, int count, const hwInputRow* rows) {
    for (int i = 0; i < count; ++i) {
        hwChannelEntry* entry = AddEntry(builder, object, rows[i].name);
        if (entry == NULL) continue;
        entry->unit = rows[i].unit;
        entry->check = rows[i].check;
    }
}

// The world's own rows ------------------------------------------------------------------------------------------------

static double ReadTime(const hwWorld* world, int object, int component) {
    (void)object;
    (void)component;
    return world->state.header->time;
}

static double ReadSteps(const hwWorld* world, int object, int component) {
    (void)object;
    (void)component;
    return (double)world->state.header->counters.steps;
}

enum {
    ENERGY_MECHANICAL,
    ENERGY_KINETIC,
    ENERGY_POTENTIAL,
    ENERGY_ELASTIC,
    ENERGY_DISSIPATED,
    ENERGY_WORK,
    ENERGY_METHOD,
    ENERGY_STILLED,
    ENERGY_BALANCE
};

static double ReadEnergy(const hwWorld* world, int object, int component) {
    (void)object;
    hwEnergy e = hwWorld_GetEnergy(world);
    double mechanical = e.kinetic + e.potential + e.elastic;
    switch (component) {
    case ENERGY_KINETIC:
        return e.kinetic;
    case ENERGY_POTENTIAL:
        return e.potential;
    case ENERGY_ELASTIC:
        return e.elastic;
    case ENERGY_DISSIPATED:
        return e.dissipated;
    case ENERGY_WORK:
        return e.work;
    case ENERGY_METHOD:
        return e.method;
    case ENERGY_STILLED:
        return e.stilled;
    case ENERGY_BALANCE:
        return mechanical + e.dissipated + e.method - e.work;
    default:
        return mechanical;
    }
}

static const hwChannelRow worldRows[] = {
    {"time", "s", ReadTime, 0},
    {"steps", "1", ReadSteps, 0},
    {"energy", "J", ReadEnergy, ENERGY_MECHANICAL},
    {"energy.kinetic", "J", ReadEnergy, ENERGY_KINETIC},
    {"energy.potential", "J", ReadEnergy, ENERGY_POTENTIAL},
    {"energy.elastic", "J", ReadEnergy, ENERGY_ELASTIC},
    {"energy.dissipated", "J", ReadEnergy, ENERGY_DISSIPATED},
    {"energy.work", "J", ReadEnergy, ENERGY_WORK},
    {"energy.method", "J", ReadEnergy, ENERGY_METHOD},
    {"energy.balance", "J", ReadEnergy, ENERGY_BALANCE},
};
// of `dissipated`
static const hwChannelRow sleepRows[] = {{"energy.stilled", "J", ReadEnergy, ENERGY_STILLED}};

// Height of the surface above its mean level; not a number in a dry world.
static double ReadElevation(const hwWorld* world, int index, int component) {
    (void)component;
    const hwEnvironmentDef* environment = hwEnvironment_GetDef(world->environment);
    const hwWaveGaugeDef* gauge = &environment->gauges[index];
    hwVec3 point = hwMakeVec3(gauge->x, gauge->y, environment->surface);
    hwFluidSample sample;
    if (!environment->water) return (double)NAN;
    hwEnvironment_Sample(world->environment, 1, &point, world->state.header->time, &sample);
    return sample.surface - environment->surface;
}

static const hwChannelRow gaugeRows[] = {{"elevation", "m", ReadElevation, 0}};

static const hwInputRow environmentInputs[] = {HW_INPUTS_XYZ("current", "m/s"), HW_INPUTS_XYZ("wind", "m/s")};
static const hwInputRow linkInputs[] = {HW_INPUTS_XYZ("force", "N"), HW_INPUTS_XYZ("torque", "N m")};

static void AddChannels(hwTableBuilder* builder, const hwWorld* world, const hwModel* model) {
    hwTable_AddChannels(builder, "world", HW_ROW_COUNT(worldRows), worldRows, 0);
    if (model->sleeps) hwTable_AddChannels(builder, "world", HW_ROW_COUNT(sleepRows), sleepRows, 0);
    const hwEnvironmentDef* environment = hwEnvironment_GetDef(world->environment);
    for (int i = 0; i < environment->gaugeCount; ++i)
        hwTable_AddChannels(builder, environment->gauges[i].name, HW_ROW_COUNT(gaugeRows), gaugeRows, i);
    for (int i = 0; i < model->forest.linkCount; ++i) {
        for (int k = 0; k < HW_PART_COUNT; ++k) {
            const hwPart* part = hwPartsByLayout[k];
            if (part->addLinkChannels != NULL) part->addLinkChannels(builder, world, model, i);
        }
    }
    for (int k = 0; k < HW_PART_COUNT; ++k) {
        const hwPart* part = hwPartsByLayout[k];
        if (part->addChannels != NULL) part->addChannels(builder, world, model);
    }
}

static void AddInputs(hwTableBuilder* builder, const hwModel* model) {
    hwTable_AddInputs(builder, "environment", HW_ROW_COUNT(environmentInputs), environmentInputs);
    for (int i = 0; i < model->forest.linkCount; ++i)
        hwTable_AddInputs(builder, model->links[i].body->def.name, HW_ROW_COUNT(linkInputs), linkInputs);
    for (int k = 0; k < HW_PART_COUNT; ++k) {
        const hwPart* part = hwPartsByLayout[k];
        if (part->addInputs != NULL) part->addInputs(builder, model);
    }
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
        hwTableBuilder counter = {.arena = &dummy};
        hwTableBuilder builder = {.arena = arena, .table = writing ? table : NULL};
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
    if (table->count == 0 || name == NULL) return -1;
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

double hwWorld_ReadChannel(const hwWorld* world, int channel) {
    double value = NAN;
    hwWorld_ReadChannels(world, 1, &channel, &value);
    return value;
}

void hwWorld_ReadChannels(const hwWorld* world, int count, const int* channels, double* values) {
    if (world->prepared) hwWorld_Refresh(world);
    for (int i = 0; i < count; ++i) {
        bool known = world->prepared && channels[i] >= 0 && channels[i] < world->model.channels.count;
        const hwChannelEntry* entry = known ? &world->model.channels.entries[channels[i]] : NULL;
        values[i] = known ? entry->read(world, entry->object, entry->component) : (double)NAN;
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
