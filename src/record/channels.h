// Tables of channels and inputs. A part describes what its objects offer by rows, each with name, unit and getter or check;
// the world's tables are made of them at Prepare. A new channel is a row; a new sensor is a row and its getter.
#ifndef HW_RECORD_CHANNELS_H
#define HW_RECORD_CHANNELS_H

#include "world/world.h"

// A channel of an object: its name follows the object's and a dot. One getter may serve several rows, by `component`.
typedef struct hwChannelRow {
    const char* name;
    const char* unit;
    double (*read)(const hwWorld* world, int object, int component);
    int component;
} hwChannelRow;

// Rows of a vector, world axes.
#define HW_CHANNELS_XYZ(name, unit, read)                                                                    \
    {name ".x", unit, read, 0}, {name ".y", unit, read, 1}, {                                                \
        name ".z", unit, read, 2                                                                             \
    }

// An input of an object.
typedef struct hwInputRow {
    const char* name;
    const char* unit;
    // Refuses what the input cannot be set to; null: every finite number is good.
    hwStatus (*check)(const char* input, double value, hwError* error);
} hwInputRow;

#define HW_INPUTS_XYZ(name, unit)                                                                            \
    {name ".x", unit, NULL}, {name ".y", unit, NULL}, {                                                      \
        name ".z", unit, NULL                                                                                \
    }

#define HW_ROW_COUNT(rows) ((int)(sizeof(rows) / sizeof((rows)[0])))

// Adds the rows of one object. `index` is given to the getters.
typedef struct hwTableBuilder hwTableBuilder;
void hwTable_AddChannels(hwTableBuilder* builder, const char* object, int count, const hwChannelRow* rows,
                         int index);
void hwTable_AddInputs(hwTableBuilder* builder, const char* object, int count, const hwInputRow* rows);

static inline double hwVec3_GetComponent(hwVec3 v, int i) {
    return i == 0 ? v.x : (i == 1 ? v.y : v.z);
}

#endif
