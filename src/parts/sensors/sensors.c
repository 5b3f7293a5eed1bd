// Sensors of the caller's own.
#include "record/channels.h"
#include "world/part.h"

#include <string.h>

#define HW_SENSOR_COOKIE 0x48570043

typedef struct hwSensorObject {
    hwSensorDef def; // texts follow it in its block
    hwSensorId id;
} hwSensorObject;

hwSensorDef hwDefaultSensorDef(void) {
    hwSensorDef def = {.unit = "1", .cookie = HW_SENSOR_COOKIE};
    return def;
}

bool hwWorld_HasSensor(const hwWorld* world, const char* name) {
    return !HW_IS_NULL(hwWorld_FindSensor(world, name));
}

static hwSensorObject* GetSensor(const hwWorld* world, hwSensorId id) {
    return hwPool_Get(&world->sensors, id.index, id.generation);
}

hwSensorId hwWorld_AddSensor(hwWorld* world, const hwSensorDef* def, hwError* error) {
    hwSensorId none = {0, 0};
    hwClearError(error);
    if (def == NULL || def->cookie != HW_SENSOR_COOKIE) {
        hwFail(error, HW_ERROR_ARGUMENT, NULL, "the sensor def was not made by hwDefaultSensorDef");
        return none;
    }
    if (hwWorld_CheckName(world, def->name, error) != HW_OK) return none;
    if (def->read == NULL || def->unit == NULL) {
        hwFail(error, HW_ERROR_ARGUMENT, def->name, "%s: a sensor needs a function that reads it, and a unit",
               def->name);
        return none;
    }
    size_t name = strlen(def->name) + 1, unit = strlen(def->unit) + 1;
    hwSensorObject* sensor = hwAllocate(&world->allocator, sizeof(*sensor) + name + unit);
    uint32_t index = sensor != NULL ? hwPool_Add(&world->sensors, &world->allocator, sensor) : 0;
    if (index == 0) {
        hwRelease(&world->allocator, sensor);
        hwFail_Memory(error, def->name);
        return none;
    }
    sensor->def = *def;
    sensor->def.name = memcpy(sensor + 1, def->name, name);
    sensor->def.unit = memcpy((char*)(sensor + 1) + name, def->unit, unit);
    sensor->id = (hwSensorId){index, world->sensors.generations[index - 1]};
    hwWorld_Unprepare(world);
    return sensor->id;
}

hwStatus hwWorld_RemoveSensor(hwWorld* world, hwSensorId id, hwError* error) {
    hwClearError(error);
    if (GetSensor(world, id) == NULL) {
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "the handle does not refer to a sensor of this world");
    }
    hwRelease(&world->allocator, hwPool_Remove(&world->sensors, id.index));
    hwWorld_Unprepare(world);
    return HW_OK;
}

int hwWorld_GetSensors(const hwWorld* world, int capacity, hwSensorId* sensors) {
    int count = 0;
    for (int i = 0; i < world->sensors.slots; ++i) {
        const hwSensorObject* sensor = world->sensors.items[i];
        if (sensor == NULL) continue;
        if (count < capacity) sensors[count] = sensor->id;
        count += 1;
    }
    return count;
}

bool hwSensor_IsValid(const hwWorld* world, hwSensorId id) {
    return GetSensor(world, id) != NULL;
}

const hwSensorDef* hwSensor_GetDef(const hwWorld* world, hwSensorId id) {
    const hwSensorObject* sensor = GetSensor(world, id);
    return sensor != NULL ? &sensor->def : NULL;
}

hwSensorId hwWorld_FindSensor(const hwWorld* world, const char* name) {
    hwSensorId none = {0, 0};
    for (int i = 0; name != NULL && i < world->sensors.slots; ++i) {
        const hwSensorObject* sensor = world->sensors.items[i];
        if (sensor != NULL && strcmp(sensor->def.name, name) == 0) return sensor->id;
    }
    return none;
}

void* hwSensor_GetUserData(const hwWorld* world, hwSensorId id) {
    const hwSensorObject* sensor = GetSensor(world, id);
    return sensor != NULL ? sensor->def.userData : NULL;
}

bool hwSensor_SetUserData(hwWorld* world, hwSensorId id, void* userData) {
    hwSensorObject* sensor = GetSensor(world, id);
    if (sensor == NULL) return false;
    sensor->def.userData = userData;
    return true;
}

static hwStatus CopySensors(hwWorld* branch, const hwWorld* world, hwError* error) {
    for (int i = 0; i < world->sensors.slots; ++i) {
        const hwSensorObject* sensor = world->sensors.items[i];
        if (sensor != NULL && HW_IS_NULL(hwWorld_AddSensor(branch, &sensor->def, error)))
            return HW_ERROR_MEMORY;
    }
    if (!hwPool_Mirror(&branch->sensors, &world->sensors, &branch->allocator))
        return hwFail_Memory(error, NULL);
    for (int i = 0; i < world->sensors.slots; ++i) {
        if (world->sensors.items[i] == NULL) continue;
        ((hwSensorObject*)branch->sensors.items[i])->id =
            ((const hwSensorObject*)world->sensors.items[i])->id;
    }
    return HW_OK;
}

static double ReadSensor(const hwWorld* world, int slot, int component) {
    (void)component;
    const hwSensorObject* sensor = world->sensors.items[slot];
    return sensor->def.read(world, sensor->def.context);
}

static void AddSensorChannels(hwTableBuilder* builder, const hwWorld* world, const hwModel* model) {
    (void)model;
    for (int i = 0; i < world->sensors.slots; ++i) {
        const hwSensorObject* sensor = world->sensors.items[i];
        if (sensor == NULL) continue;
        hwChannelRow row = {"value", sensor->def.unit, ReadSensor, 0};
        hwTable_AddChannels(builder, sensor->def.name, 1, &row, i);
    }
}

static bool HasNone(const hwModel* model) {
    (void)model;
    return false; // steps need nothing of it
}

const hwPart hwSensorsPart = {.name = "sensors",
                              .rests = true,
                              .copy = CopySensors,
                              .isPresent = HasNone,
                              .addChannels = AddSensorChannels};
