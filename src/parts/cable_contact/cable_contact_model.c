// What cables may touch: the shapes of all bodies and links, prepared for queries, and the laws of each pair of materials.
#include "geom/shape_data.h"
#include "world/world_internal.h"

#include <math.h>
#include <string.h>

#define PATCHES_PER_ELEMENT 8
#define TOUCHES_PER_ELEMENT 2
#define TRIANGLES_PER_PATCH                                                                                  \
    6 // on average; those of patches that need more than are left are asked of the mesh itself

static int CountShapes(const hwModel* model) {
    int count = 0;
    for (int i = 0; i < model->forest.linkCount; ++i) count += model->links[i].body->def.shapeCount;
    return count;
}

static int CountSections(const hwModel* model) {
    int count = 0;
    for (int k = 0; k < model->cables->count; ++k) count += model->cables->slots[k].model.sectionCount;
    return count;
}

static bool IsStill(const hwModel* model, int link) {
    while (link >= 0 && model->forest.links[link].joint == HW_LINK_FIXED)
        link = model->forest.links[link].parent;
    return link < 0 || model->links[link].body->def.motion == HW_MOTION_FIXED;
}

static hwStatus FillObstacle(const hwWorld* world, const hwModel* model, int link, const hwShapeDef* shape,
                             hwObstacle* out, hwError* error) {
    out->link = link;
    out->shape = shape;
    out->r = hwMat3FromQuat(shape->pose.q);
    out->mesh = shape->kind == HW_SHAPE_MESH;
    out->still = IsStill(model, link);
    out->reach = hwShape_GetReach(shape, hwVec3_zero);
    hwShapeDef own = *shape;
    own.pose = hwPose_identity;
    hwShape_GetBounds(&own, hwPose_identity, &out->bounds.low, &out->bounds.high);
    hwVec3 size = hwSub(out->bounds.high, out->bounds.low);
    out->thickness = hwMin(size.x, hwMin(size.y, size.z));
    if (out->mesh) {
        out->thickness = 0.0;
        return hwMeshTree_Init(&out->tree, &world->allocator, &shape->mesh, error);
    }
    if (shape->kind == HW_SHAPE_HULL) {
        hwStatus status = hwHull_Init(&out->hull, &world->allocator, &shape->mesh, error);
        if (status != HW_OK) return status;
    }
    hwConvex_FromShape(&own, &out->hull, &out->convex);
    return HW_OK;
}

// Both take a bed as deep as the cable is thick, or as the obstacle where that is thinner: what a cable presses on is only
// deformed near it (Saint-Venant).
static hwContactLaw MakeLaw(const hwModel* model, const hwCableSectionDef* section,
                            const hwObstacle* obstacle) {
    int a = hwModel_FindMaterial(model, section->material);
    int b = hwModel_FindMaterial(model, obstacle->shape->material);
    double depth = section->diameter;
    if (obstacle->thickness > 0.0) depth = hwMin(depth, obstacle->thickness);
    return hwContactLaw_Make(&model->rules->materials[b], depth, &model->rules->materials[a],
                             section->diameter);
}

static void FillLaws(const hwWorld* world, const hwModel* model, hwObstacles* obstacles) {
    int row = 0;
    for (int k = 0; k < model->cables->count; ++k) {
        const hwCableDef* def = &model->cables->slots[k].object->def;
        obstacles->row[k] = row;
        for (int i = 0; i < obstacles->count; ++i) {
            const hwObstacle* obstacle = &obstacles->items[i];
            hwThing cable = {HW_THING_CABLE, k}, link = {HW_THING_LINK, obstacle->link};
            obstacles->ignored[k * obstacles->count + i] =
                !hwFilter_Allows(def->filter, obstacle->shape->filter) ||
                hwModel_IsIgnored(world, model, cable, link);
            for (int s = 0; s < def->sectionCount; ++s) {
                obstacles->laws[(row + s) * obstacles->count + i] =
                    MakeLaw(model, &def->sections[s], obstacle);
            }
        }
        row += def->sectionCount;
    }
}

static hwObstacles* LayObstacles(const hwModel* model, int count, hwArena* arena) {
    hwObstacles* obstacles = HW_TAKE(arena, hwObstacles, 1);
    hwObstacle* items = HW_TAKE(arena, hwObstacle, count);
    int* row = HW_TAKE(arena, int, model->cables->count);
    hwContactLaw* laws = HW_TAKE(arena, hwContactLaw, count * CountSections(model));
    bool* ignored = HW_TAKE(arena, bool, count * model->cables->count);
    if (obstacles != NULL) *obstacles = (hwObstacles){count, items, row, laws, ignored};
    return obstacles;
}

hwStatus hwModel_BuildObstacles(const hwWorld* world, hwModel* model, hwError* error) {
    int count = CountShapes(model);
    model->cablePairs->on = world->contact.cables && !world->contact.off && model->cables->count > 0;
    if (model->cables->count == 0 || count == 0 || world->contact.off) return HW_OK;
    hwArena arena = {0};
    LayObstacles(model, count, &arena);
    arena.base = hwAllocate(&world->allocator, arena.used);
    if (arena.base == NULL) return hwFail_Memory(error, NULL);
    arena.used = 0;
    model->cableContact->obstacles = LayObstacles(model, count, &arena);
    int next = 0;
    for (int i = 0; i < model->forest.linkCount; ++i) {
        const hwBodyDef* def = &model->links[i].body->def;
        for (int s = 0; s < def->shapeCount; ++s) {
            hwStatus status = FillObstacle(world, model, i, &def->shapes[s],
                                           &model->cableContact->obstacles->items[next++], error);
            if (status != HW_OK) return status;
        }
    }
    FillLaws(world, model, model->cableContact->obstacles);
    return HW_OK;
}

void hwModel_FreeObstacles(const hwAllocator* allocator, hwModel* model) {
    hwObstacles* obstacles = model->cableContact->obstacles;
    if (obstacles == NULL) return;
    for (int i = 0; i < obstacles->count; ++i) {
        hwMeshTree_Free(&obstacles->items[i].tree, allocator);
        hwHull_Free(&obstacles->items[i].hull, allocator);
    }
    hwRelease(allocator, obstacles);
    model->cableContact->obstacles = NULL;
}

int hwModel_CountTouches(const hwModel* model, int slot) {
    if (model->cableContact->obstacles == NULL) return 0;
    return TOUCHES_PER_ELEMENT * model->cables->slots[slot].model.nodeCapacity;
}

int hwModel_CountPatches(const hwModel* model) {
    int count = 0;
    for (int k = 0; k < model->cables->count && model->cableContact->obstacles != NULL; ++k) {
        count += PATCHES_PER_ELEMENT * model->cables->slots[k].model.nodeCapacity;
    }
    return count;
}

void hwWork_LayCableContacts(const hwModel* model, hwArena* arena, hwWork* work) {
    hwCableContacts* c = work->cableContact;
    int obstacles = model->cableContact->obstacles != NULL ? model->cableContact->obstacles->count : 0;
    c->capacity = hwModel_CountPatches(model);
    c->patches = HW_TAKE(arena, hwCablePatch, c->capacity);
    c->first = HW_TAKE(arena, int, model->cables->count + 1);
    bool meshes = false;
    for (int k = 0; k < obstacles; ++k) meshes = meshes || model->cableContact->obstacles->items[k].mesh;
    c->triangleCapacity = meshes ? TRIANGLES_PER_PATCH * c->capacity : 0;
    c->triangles = (hwVec3(*)[3])hwArena_Take(arena, (size_t)c->triangleCapacity, sizeof(hwVec3[3]));
    c->fields = HW_TAKE(arena, hwField, obstacles);
    c->boxes = HW_TAKE(arena, hwBox, obstacles);
    c->speed = HW_TAKE(arena, double, obstacles);
    c->near = HW_TAKE(arena, int, obstacles);
}

int hwModel_CountBorders(const hwModel* model) {
    int count = 0;
    for (int i = 0;
         i < model->forest.linkCount && model->cableContact->obstacles != NULL && count < HW_BORDERS; ++i) {
        count += model->links[i].active && model->links[i].body->def.shapeCount > 0;
    }
    return count;
}
