// The load cell at the vehicle's end of its tether, for the autopilot: ten times a second the pull is measured and smoothed into inputs, which
// the autopilot counters by the share `tether_forward`. Between two looks it is constant, so that an evaluation stays a function of the
// state. Countering a spring's force late by T is damping by stiffness times T, never the other way round: a taut tether is not made livelier.
#include "parts/vehicles/vehicles.h"

#include "world/cable_slots.h"
#include "world/part.h"

#include <math.h>

#define PERIOD 0.1   // s
#define SMOOTHED 0.3 // s, time constant

static bool IsMeasuring(const hwWorld* world, const hwVehicleEntry* entry) {
    const double* inputs = world->state.inputs + entry->input;
    return inputs[HW_VEHICLE_TETHER_FORWARD] > 0.0 && inputs[HW_VEHICLE_ARMED] > 0.5 &&
           inputs[HW_VEHICLE_BYPASS] < 0.5 && inputs[HW_VEHICLE_MODE] > 0.5;
}

static void MeasureLoad(hwWorld* world, const hwVehicleEntry* entry) {
    int slot, end;
    hwVec3 force = {0.0, 0.0, 0.0}, moment;
    if (hwVehicle_FindTether(world, entry, &slot, &end))
        hwWorld_GetEndLoad(world, slot, end, &force, &moment);
    const double pull[3] = {force.x, force.y, force.z};
    const double share = PERIOD / (PERIOD + SMOOTHED);
    for (int i = 0; i < 3; ++i) {
        int input = entry->input + HW_VEHICLE_LOAD_CELL + i;
        double before = world->state.inputs[input];
        hwWorld_SetInput(world, input, before + share * (pull[i] - before), NULL);
    }
}

static void LookAtLoad(hwWorld* world) {
    double time = world->state.header->time, periods = floor(time / PERIOD + 0.5);
    if (fabs(time - periods * PERIOD) > 1e-7) return;
    for (int k = 0; k < world->model.vehicles->count; ++k) {
        const hwVehicleEntry* entry = &world->model.vehicles->items[k];
        if (!IsMeasuring(world, entry)) continue;
        hwWorld_Refresh(world);
        MeasureLoad(world, entry);
    }
}

static double GetNextLookTime(const hwWorld* world) {
    for (int k = 0; k < world->model.vehicles->count; ++k) {
        if (!IsMeasuring(world, &world->model.vehicles->items[k])) continue;
        return (floor(world->state.header->time / PERIOD + 1e-6) + 1.0) * PERIOD;
    }
    return (double)INFINITY;
}

static bool HasVehicles(const hwModel* model) {
    return model->vehicles->count > 0;
}

const hwPart hwLoadCellsPart = {.name = "load_cells",
                                .rests = true,
                                .isPresent = HasVehicles,
                                .getNextTime = GetNextLookTime,
                                .look = LookAtLoad};
