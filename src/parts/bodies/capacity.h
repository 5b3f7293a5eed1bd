// Load charts of cranes: channels.
#ifndef HW_PARTS_CAPACITY_H
#define HW_PARTS_CAPACITY_H

#include "record/channels.h"
#include "world/part.h"

hwStatus hwCapacity_Check(const char* name, const hwCapacityDef* def, hwError* error);

// Load allowed at a radius, N.
double hwCapacity_GetAllowed(const hwCapacityDef* def, double radius);

// Channels of the mechanism in a slot of the pool, where it has a chart.
void hwCapacity_AddChannels(hwTableBuilder* builder, const hwWorld* world, int slot);

#endif
