// Modes that know the tether: back along it to its other end, and turning until the turns counter is at zero. Both hold the vehicle as
// HW_MODE_STATION does; five times a second the set points are moved, as a pilot would by the inputs `.hold.*`. All that is kept
// is in the autopilot's own variables, so that saving, rewinding and replaying include it.
#include "parts/vehicles/vehicles.h"

#include "world/cable_slots.h"
#include "world/part.h"

#include <math.h>

#define PERIOD 0.2  // s
#define ARRIVED 2.0 // m of tether besides the vehicle's own size: it is there
#define BEND 1.0    // m along the tether to either side, between which its bend is looked at
#define ROUND                                                                                                \
    0.05 // m of bend from which on the way keeps the full distance from what the tether lies against
#define MARGIN 0.3   // m beside the vehicle's own size
#define AHEAD 0.5    // rad by which the heading's set point leads
#define UNWOUND 0.02 // turns

typedef struct Line {
    int nodes;
    const hwVec3* x;
    bool reversed; // end b is the vehicle's
} Line;

static hwVec3 GetNode(const Line* line, int i) {
    return line->x[line->reversed ? line->nodes - 1 - i : i];
}

// A point by its length along the line from the vehicle.
static hwVec3 FindPoint(const Line* line, double length) {
    double sum = 0.0;
    for (int i = 0; i + 1 < line->nodes; ++i) {
        hwVec3 a = GetNode(line, i), b = GetNode(line, i + 1);
        double size = hwDistance(a, b);
        if (sum + size >= length && size > 0.0) return hwMulAdd(a, (length - sum) / size, hwSub(b, a));
        sum += size;
    }
    return GetNode(line, line->nodes - 1);
}

static double MeasureLine(const Line* line) {
    double sum = 0.0;
    for (int i = 0; i + 1 < line->nodes; ++i) sum += hwDistance(GetNode(line, i), GetNode(line, i + 1));
    return sum;
}

static void SetHold(hwWorld* world, const hwVehicleEntry* entry, int input, double value) {
    hwWorld_SetInput(world, entry->input + input, value, NULL);
}

static void GoHome(hwWorld* world, const hwVehicleEntry* entry) {
    int slot, end;
    if (!hwVehicle_FindTether(world, entry, &slot, &end)) return;
    const hwCableStore* store = &world->state.cables->stores[slot];
    // all coordinates are doubles in the state's block: three are a vector
    Line line = {store->core->nodes,
                 (const hwVec3*)(const void*)(world->state.q + world->model.cables->slots[slot].coordinate),
                 end == 1};
    const hwBodyObject* body = hwWorld_GetBody(world, entry->object->body);
    const hwAutopilotDef* pilot = &entry->object->def.autopilot;
    double size = body->solid.radius + MARGIN, whole = MeasureLine(&line);
    if (whole < ARRIVED + size) return;
    const double* q = world->state.q + world->model.forest.links[entry->link].coordinate;
    hwVec3 here = hwMakeVec3(q[0], q[1], q[2]);
    double lead = hwFmin(pilot->positionLead, whole - ARRIVED);
    // along the tether, not as the crow flies: a way across would leave it wound round what is in between
    double at = hwFmin(size + MARGIN, whole - ARRIVED);
    hwVec3 point = FindPoint(&line, at);
    // where the tether is bent round something the way keeps off to the outside, horizontally: sag is no obstacle
    hwVec3 chord = hwScale(0.5, hwAdd(FindPoint(&line, hwFmax(at - BEND, 0.0)), FindPoint(&line, at + BEND)));
    hwVec3 bend = hwSub(chord, point);
    double bent = hwHypot(bend.x, bend.y);
    if (bent > 0.1 * ROUND) {
        double keep = size * hwFmin(bent / ROUND, 1.0) / bent;
        point.x -= keep * bend.x;
        point.y -= keep * bend.y;
    }
    // the held place runs ahead of the vehicle by no more than its lead
    hwVec3 way = hwSub(point, here);
    double distance = hwLength(way);
    if (distance > lead) way = hwScale(lead / distance, way);
    double level = world->work->vehicles->motions[entry - world->model.vehicles->items].level;
    SetHold(world, entry, HW_VEHICLE_HOLD_X, here.x + way.x);
    SetHold(world, entry, HW_VEHICLE_HOLD_Y, here.y + way.y);
    SetHold(world, entry, HW_VEHICLE_HOLD_DEPTH, level - (here.z + way.z));
    if (hwHypot(way.x, way.y) > 0.2 * distance)
        SetHold(world, entry, HW_VEHICLE_HOLD_HEADING, hwAtan2(-way.y, way.x));
}

// Turns that are left are taken out at the rate that the heading's set point may lead.
static void UnwindTether(hwWorld* world, int k) {
    const hwVehicleEntry* entry = &world->model.vehicles->items[k];
    double turns = hwVehicle_ReadTurns(world, k);
    if (fabs(turns) < UNWOUND) return;
    double lead = hwFmin(AHEAD, entry->object->def.autopilot.headingLead);
    double heading = world->work->vehicles->outputs[k].sense.heading;
    SetHold(world, entry, HW_VEHICLE_HOLD_HEADING, heading - hwClamp(2.0 * HW_PI * turns, -lead, lead));
}

static bool IsHoming(const hwWorld* world, const hwVehicleEntry* entry) {
    const double* inputs = world->state.inputs + entry->input;
    return inputs[HW_VEHICLE_ARMED] > 0.5 && inputs[HW_VEHICLE_BYPASS] < 0.5 &&
           inputs[HW_VEHICLE_MODE] >= HW_MODE_HOME;
}

static void LookHome(hwWorld* world) {
    double time = world->state.header->time, periods = floor(time / PERIOD + 0.5);
    if (fabs(time - periods * PERIOD) > 1e-7) return;
    for (int k = 0; k < world->model.vehicles->count; ++k) {
        const hwVehicleEntry* entry = &world->model.vehicles->items[k];
        if (!IsHoming(world, entry)) continue;
        hwWorld_Refresh(world);
        if (world->state.inputs[entry->input + HW_VEHICLE_MODE] < HW_MODE_UNWIND) {
            GoHome(world, entry);
        } else {
            UnwindTether(world, k);
        }
    }
}

static double GetNextHomingTime(const hwWorld* world) {
    for (int k = 0; k < world->model.vehicles->count; ++k) {
        if (!IsHoming(world, &world->model.vehicles->items[k])) continue;
        return (floor(world->state.header->time / PERIOD + 1e-6) + 1.0) * PERIOD;
    }
    return (double)INFINITY;
}

static bool HasVehicles(const hwModel* model) {
    return model->vehicles->count > 0;
}

const hwPart hwHomingPart = {.name = "homing",
                             .rests = true,
                             .isPresent = HasVehicles,
                             .getNextTime = GetNextHomingTime,
                             .look = LookHome};
