#include "parts/bodies/capacity.h"

#include "base/error.h"
#include "hawser/cable.h"

#define MOST_USE 1000.0 // where nothing is allowed

hwStatus hwCapacity_Check(const char* name, const hwCapacityDef* def, hwError* error) {
    bool good = def->count >= 0 && def->count <= HW_CAPACITY_ROWS && (def->end == 0 || def->end == 1);
    for (int i = 0; good && i < def->count; ++i) {
        good = isfinite(def->radii[i]) && def->radii[i] >= 0.0 && isfinite(def->loads[i]) &&
               def->loads[i] >= 0.0 && (i == 0 || def->radii[i] > def->radii[i - 1]);
    }
    if (good) return HW_OK;
    return hwFailField(error, HW_ERROR_ARGUMENT, name, "capacity",
                       "%s: a load chart has up to %d rows of radii that increase and loads that are not "
                       "negative, and an end 0 "
                       "or 1",
                       name, HW_CAPACITY_ROWS);
}

double hwCapacity_GetAllowed(const hwCapacityDef* def, double radius) {
    const double *r = def->radii, *load = def->loads;
    int last = def->count - 1;
    if (!(radius <= r[last])) return 0.0;
    if (radius <= r[0]) return load[0];
    int i = 0;
    while (radius > r[i + 1]) i++;
    return load[i] + (radius - r[i]) / (r[i + 1] - r[i]) * (load[i + 1] - load[i]);
}

// How a load hangs from a crane now.
typedef struct Hang {
    bool known;
    double radius, load, allowed, offLead, sideLead;
} Hang;

static Hang GetHang(const hwWorld* world, int slot) {
    const hwMechanismObject* object = world->mechanisms.items[slot];
    const hwCapacityDef* def = &object->capacity;
    hwCableId cable = hwWorld_FindCable(world, def->cable);
    hwCableView view;
    hwVec3 force, moment;
    Hang hang = {0};
    if (HW_IS_NULL(cable) || hwCable_GetView(world, cable, &view, NULL) != HW_OK ||
        hwCable_GetEndLoad(world, cable, def->end, &force, &moment, NULL) != HW_OK)
        return hang;
    hwVec3 out = hwSub(view.positions[def->end == 0 ? 0 : view.nodeCount - 1],
                       hwWorld_GetBaseMotion(world, object).position);
    out.z = 0.0;
    hang.known = true;
    hang.radius = hwLength(out);
    hang.load = hwLength(force);
    hang.allowed = hwCapacity_GetAllowed(def, hang.radius);
    // with the load right above the base there is no way out: angles as for +x
    hwVec3 way = hang.radius > 0.0 ? hwScale(1.0 / hang.radius, out) : hwMakeVec3(1.0, 0.0, 0.0);
    hwVec3 left = hwMakeVec3(-way.y, way.x, 0.0);
    hang.offLead = hwAtan2(hwDot(force, way), -force.z);
    hang.sideLead = hwAtan2(hwDot(force, left), -force.z);
    return hang;
}

static double ReadHang(const hwWorld* world, int slot, int component) {
    Hang hang = GetHang(world, slot);
    if (!hang.known) return (double)NAN;
    double use = hang.load < MOST_USE * hang.allowed ? hang.load / hang.allowed : MOST_USE;
    const double values[6] = {hang.radius, hang.load, hang.allowed, use, hang.offLead, hang.sideLead};
    return values[component];
}

static const hwChannelRow rows[] = {
    {"capacity.radius", "m", ReadHang, 0},     {"capacity.load", "N", ReadHang, 1},
    {"capacity.allowed", "N", ReadHang, 2},    {"capacity.use", "1", ReadHang, 3},
    {"capacity.off_lead", "rad", ReadHang, 4}, {"capacity.side_lead", "rad", ReadHang, 5}};

void hwCapacity_AddChannels(hwTableBuilder* builder, const hwWorld* world, int slot) {
    const hwMechanismObject* object = world->mechanisms.items[slot];
    if (object->capacity.count > 0)
        hwTable_AddChannels(builder, object->name, HW_ROW_COUNT(rows), rows, slot);
}
