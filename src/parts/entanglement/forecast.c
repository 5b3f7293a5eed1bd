// Forecasts for watched cables: what hauling in would do, and the way home.
#include "parts/entanglement/entanglement.h"

#include <math.h>

#define ROOM 8 // points of the tight cable for each of its own, and
#define MORE 2000

// The solids where they are now. They belong to the model's space, which only these calls read.
static void PlaceSolids(const hwWorld* world, const hwWatch* watch) {
    int shape = 0;
    for (int i = 0; i < watch->bodyCount; ++i) {
        hwBodyState state;
        hwBody_ReadMotion(world, watch->bodies[i].link, &state);
        hwPose pose = {state.position, state.attitude};
        for (int s = 0; s < watch->bodies[i].object->def.shapeCount; ++s)
            hwTetherSpace_Place(watch->space, shape++, pose);
    }
}

// The cable pulled tight, in memory that the caller frees.
typedef struct Tight {
    int count;
    hwVec3* points;
    double radius;
    const hwWatch* watch;
} Tight;

static hwStatus PullTight(const hwWorld* world, hwCableId cable, Tight* tight, hwError* error) {
    hwClearError(error);
    int number = hwWorld_FindWatch(world, cable);
    if (number < 0) {
        return hwFail(error, HW_ERROR_ARGUMENT, NULL,
                      "the cable is not watched: call hwWorld_WatchEntanglement before Prepare");
    }
    hwWorld_Refresh(world);
    tight->watch = &world->model.entanglement->watches[number];
    hwPolyline line = hwWatch_GetPath(world, number);
    int capacity = ROOM * line.count + MORE;
    tight->points = hwAllocate(&world->allocator, (size_t)capacity * sizeof(hwVec3));
    if (tight->points == NULL) return hwFail_Memory(error, NULL);
    PlaceSolids(world, tight->watch);
    tight->radius = 0.5 * world->model.cables->slots[tight->watch->slot].object->def.sections[0].diameter;
    tight->count = hwTetherSpace_Tighten(tight->watch->space, line, tight->radius, capacity, tight->points);
    return HW_OK;
}

static void FillArcs(const Tight* tight, double load, double limit, hwHaulForecast* out) {
    const hwWatch* watch = tight->watch;
    hwTetherArc arcs[HW_HAUL_ARCS];
    hwPolyline line = {tight->count, tight->points};
    out->arcCount =
        hwTetherSpace_FindArcs(watch->space, line, tight->radius, watch->friction, HW_HAUL_ARCS, arcs);
    int count = out->arcCount < HW_HAUL_ARCS ? out->arcCount : HW_HAUL_ARCS;
    out->factor = 1.0;
    out->holding = -1;
    for (int i = 0; i < count; ++i) {
        int body = 0;
        while (body + 1 < watch->bodyCount && watch->bodies[body + 1].firstShape <= arcs[i].solid) body += 1;
        out->factor *= arcs[i].factor;
        out->angle += arcs[i].angle;
        out->arcs[i] = (hwHaulArc){.body = watch->bodies[body].object->id,
                                   .shape = arcs[i].solid - watch->bodies[body].firstShape,
                                   .point = arcs[i].point,
                                   .at = arcs[i].at,
                                   .angle = arcs[i].angle,
                                   .factor = arcs[i].factor,
                                   .pull = load * out->factor};
        if (out->holding < 0 && load * out->factor > limit) out->holding = i;
    }
    out->pull = load * out->factor;
}

hwStatus hwCable_ForecastHaul(const hwWorld* world, hwCableId cable, double load, double limit,
                              hwHaulForecast* out, int capacity, hwVec3* points, int* count, hwError* error) {
    *out = (hwHaulForecast){.holding = -1};
    if (count != NULL) *count = 0;
    Tight tight = {0};
    hwStatus status = PullTight(world, cable, &tight, error);
    if (status != HW_OK) return status;
    out->length = hwTether_GetLength((hwPolyline){tight.count, tight.points});
    const hwCableTools* tools = &world->work->cables->tools[tight.watch->slot];
    out->slack = hwCableState_GetLength(&tools->state) / out->length - 1.0;
    FillArcs(&tight, load, limit, out);
    for (int i = 0; points != NULL && i < tight.count && i < capacity; ++i) points[i] = tight.points[i];
    if (count != NULL) *count = tight.count;
    hwRelease(&world->allocator, tight.points);
    return HW_OK;
}

int hwCable_FindRoute(const hwWorld* world, hwCableId cable, double clearance, int capacity,
                      hwTetherWaypoint* route, hwError* error) {
    Tight tight = {0};
    if (PullTight(world, cable, &tight, error) != HW_OK) return -1;
    int count = hwTetherSpace_FindRoute(tight.watch->space, (hwPolyline){tight.count, tight.points},
                                        tight.radius, clearance, capacity, route);
    if (count == 0 && tight.count > 0) {
        hwFail_Memory(error, NULL);
        count = -1;
    }
    count =
        hwWatch_FindDetour(world, hwWorld_FindWatch(world, cable), (hwPolyline){tight.count, tight.points},
                           tight.radius, clearance, count, capacity, route);
    hwRelease(&world->allocator, tight.points);
    return count;
}
