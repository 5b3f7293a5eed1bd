// The snapshot that queries see: built once for a model, brought up to date when asked to.
#include "api/query_scene.h"

#include "geom/shape_data.h"
#include "world/cable_slots.h"

#include <math.h>
#include <string.h>

// Boxes are wider than what is in them by this part of their size and distance from the origin: things at the same
// distance are then all looked at, whatever rounding does, and the first of them is chosen.
#define PADDING 1e-9

static int CountShapes(const hwWorld* world) {
    int count = 0;
    for (int i = 0; i < world->bodies.slots; ++i) {
        const hwBodyObject* body = world->bodies.items[i];
        if (body != NULL) count += body->def.shapeCount;
    }
    return count;
}

// Two passes, see hwArena.
static hwQueryScene* LayScene(const hwWorld* world, hwArena* arena) {
    hwQueryScene* scene = HW_TAKE(arena, hwQueryScene, 1);
    int shapes = CountShapes(world), cables = world->model.cables->count, count = shapes + cables;
    hwQueryItem* items = HW_TAKE(arena, hwQueryItem, count);
    hwBox* boxes = HW_TAKE(arena, hwBox, count);
    int* order = HW_TAKE(arena, int, count);
    hwBoxTreeNode* nodes = HW_TAKE(arena, hwBoxTreeNode, 2 * count);
    for (int k = 0; k < cables; ++k) {
        int capacity = world->model.cables->slots[k].model.nodeCapacity;
        hwQueryItem cable = {.positions = HW_TAKE(arena, hwVec3, capacity),
                             .arcs = HW_TAKE(arena, double, capacity),
                             .radii = HW_TAKE(arena, double, capacity),
                             .elementBoxes = HW_TAKE(arena, hwBox, capacity),
                             .elementOrder = HW_TAKE(arena, int, capacity),
                             .elementNodes = HW_TAKE(arena, hwBoxTreeNode, 2 * capacity)};
        if (items != NULL) items[shapes + k] = cable;
    }
    if (scene == NULL) return NULL;
    scene->block = arena->base;
    scene->items = items;
    scene->boxes = boxes;
    scene->order = order;
    scene->nodes = nodes;
    return scene;
}

static hwQueryHit MakeCandidate(hwHitKind kind) {
    return (hwQueryHit){.kind = kind, .shape = -1, .triangle = -1, .element = -1};
}

static hwStatus FillShape(const hwWorld* world, const hwBodyObject* body, int shape, hwQueryItem* item,
                          hwError* error) {
    const hwShapeDef* def = &body->def.shapes[shape];
    item->candidate = MakeCandidate(HW_HIT_BODY);
    item->candidate.body = body->id;
    item->candidate.shape = shape;
    item->category = def->filter.category;
    item->link = body->link;
    item->slot = -1;
    item->local = def->pose;
    hwShapeDef own = *def;
    own.pose = hwPose_identity;
    hwShape_GetBounds(&own, hwPose_identity, &item->own.low, &item->own.high);
    item->mesh = def->kind == HW_SHAPE_MESH;
    if (item->mesh) return hwMeshTree_Init(&item->tree, &world->allocator, &def->mesh, error);
    if (def->kind == HW_SHAPE_HULL) {
        hwStatus status = hwHull_Init(&item->hull, &world->allocator, &def->mesh, error);
        if (status != HW_OK) return status;
    }
    hwConvex_FromShape(&own, &item->hull, &item->convex);
    return HW_OK;
}

static hwStatus FillScene(const hwWorld* world, hwQueryScene* scene, hwError* error) {
    hwStatus status = HW_OK;
    for (int i = 0; i < world->bodies.slots; ++i) {
        const hwBodyObject* body = world->bodies.items[i];
        for (int k = 0; body != NULL && k < body->def.shapeCount && status == HW_OK; ++k)
            status = FillShape(world, body, k, &scene->items[scene->count++], error);
    }
    for (int k = 0; k < world->model.cables->count; ++k) {
        hwQueryItem* item = &scene->items[scene->count++];
        const hwCableObject* cable = world->model.cables->slots[k].object;
        item->candidate = MakeCandidate(HW_HIT_CABLE);
        item->candidate.cable = cable->id;
        item->category = cable->def.filter.category;
        item->link = -1;
        item->slot = k;
    }
    scene->seabed = hwEnvironment_GetDef(world->environment)->seabed;
    scene->bottom = hwEnvironment_GetSeabed(world->environment, 0.0, 0.0, NULL);
    scene->terrain = hwEnvironment_GetTerrain(world->environment);
    if (status == HW_OK && scene->seabed.kind == HW_SEABED_MESH)
        status = hwMeshTree_Init(&scene->ground, &world->allocator, &scene->seabed.mesh, error);
    return status;
}

void hwWorld_DropQueries(hwWorld* world) {
    hwQueryScene* scene = world->queries;
    if (scene == NULL) return;
    for (int i = 0; i < scene->count; ++i) {
        hwQueryItem* item = &scene->items[i];
        if (item->hull.vertices != NULL) hwHull_Free(&item->hull, &world->allocator);
        if (item->mesh) hwMeshTree_Free(&item->tree, &world->allocator);
    }
    hwMeshTree_Free(&scene->ground, &world->allocator);
    hwRelease(&world->allocator, scene->block);
    world->queries = NULL;
}

static hwStatus BuildScene(hwWorld* world, hwError* error) {
    hwArena arena = {0};
    LayScene(world, &arena);
    void* block = hwAllocate(&world->allocator, arena.used);
    if (block == NULL) return hwFail_Memory(error, NULL);
    arena = (hwArena){block, 0};
    world->queries = LayScene(world, &arena);
    hwStatus status = FillScene(world, world->queries, error);
    if (status != HW_OK) hwWorld_DropQueries(world);
    return status;
}

static hwBox PadBox(hwBox box) {
    hwVec3 far = hwMaxVec3(hwMaxVec3(box.high, hwNeg(box.low)), hwSub(box.high, box.low));
    return hwBox_Grow(box, PADDING * hwMax(far.x, hwMax(far.y, far.z)));
}

static void PlaceShape(const hwWorld* world, hwQueryItem* item, hwBox* box) {
    hwBodyState motion;
    hwBody_ReadMotion(world, item->link, &motion);
    item->pose = hwMulPose((hwPose){motion.position, motion.attitude}, item->local);
    hwMat3 r = hwMat3FromQuat(item->pose.q);
    *box = PadBox(hwBox_Transform(&item->own, item->pose.p, &r));
}

static void PlaceCable(const hwWorld* world, hwQueryItem* item, hwBox* box) {
    const hwCableState* state = &world->work->cables->tools[item->slot].state;
    item->nodes =
        hwWorld_HasCable(world, item->slot) ? world->state.cables->stores[item->slot].core->nodes : 0;
    *box = (hwBox){hwVec3_zero, hwVec3_zero};
    if (item->nodes == 0) return;
    memcpy(item->positions, state->position, (size_t)item->nodes * sizeof(hwVec3));
    for (int i = 0; i < item->nodes; ++i) item->arcs[i] = state->material[i] - state->material[0];
    *box = hwBox_Empty();
    const hwCableModel* model = &world->model.cables->slots[item->slot].model;
    for (int e = 0; e + 1 < item->nodes; ++e) {
        item->radii[e] =
            0.5 * hwCableModel_Average(model, state->material[e], state->material[e + 1]).diameter;
        hwBox element = hwBox_OfSegment(item->positions[e], item->positions[e + 1]);
        item->elementBoxes[e] = PadBox(hwBox_Grow(element, item->radii[e]));
        *box = hwBox_Join(*box, item->elementBoxes[e]);
    }
    hwBoxTree_Build(&item->elements, item->nodes - 1, item->elementBoxes, item->elementOrder,
                    item->elementNodes);
}

hwStatus hwWorld_UpdateQueries(hwWorld* world, hwError* error) {
    hwClearError(error);
    hwStatus status = hwWorld_RequirePrepared(world, error);
    if (status == HW_OK && world->queries == NULL) status = BuildScene(world, error);
    if (status != HW_OK) return status;
    hwWorld_Refresh(world);
    hwQueryScene* scene = world->queries;
    scene->time = world->state.header->time;
    for (int i = 0; i < scene->count; ++i) {
        hwQueryItem* item = &scene->items[i];
        if (item->slot >= 0) {
            PlaceCable(world, item, &scene->boxes[i]);
        } else {
            PlaceShape(world, item, &scene->boxes[i]);
        }
    }
    hwBoxTree_Build(&scene->tree, scene->count, scene->boxes, scene->order, scene->nodes);
    return HW_OK;
}

double hwWorld_GetQueryTime(const hwWorld* world) {
    return world->prepared && world->queries != NULL ? world->queries->time : (double)NAN;
}
