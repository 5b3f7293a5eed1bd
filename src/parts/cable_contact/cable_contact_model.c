// What cables may touch: the shapes of all bodies and links, prepared for queries, and the laws of each pair of materials.
#include "geom/shape_data.h"
#include "parts/cable_contact/cable_contact.h"

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

static hwStatus FillObstacle(const hwWorld* world, const hwModel* model, int link, const hwShapeDef* shape,
                             hwObstacle* out, hwError* error) {
    out->link = link;
    out->shape = shape;
    out->r = hwMat3FromQuat(shape->pose.q);
    out->mesh = shape->kind == HW_SHAPE_MESH;
    out->still = hwModel_IsStill(model, link);
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
static hwContactLaw MakeLaw(const hwModel* model, const hwMaterialDef* materials,
                            const hwCableSectionDef* section, const hwObstacle* obstacle) {
    int a = hwModel_FindMaterial(model, section->material);
    int b = hwModel_FindMaterial(model, obstacle->shape->material);
    double depth = section->diameter;
    if (obstacle->thickness > 0.0) depth = hwMin(depth, obstacle->thickness);
    return hwContactLaw_Make(&materials[b], depth, &materials[a], section->diameter);
}

static void FillLaws(hwWorld* world) {
    const hwObstacles* obstacles = world->model.cableContact->obstacles;
    for (int k = 0; k < world->model.cables->count; ++k) {
        const hwCableDef* def = &world->model.cables->slots[k].object->def;
        for (int s = 0; s < def->sectionCount; ++s) {
            hwContactLaw* laws = world->work->cableContact->laws + (obstacles->row[k] + s) * obstacles->count;
            for (int i = 0; i < obstacles->count; ++i) {
                laws[i] = MakeLaw(&world->model, world->work->rules->materials, &def->sections[s],
                                  &obstacles->items[i]);
            }
        }
    }
}

static void FillIgnored(const hwWorld* world, const hwModel* model, hwObstacles* obstacles) {
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
        }
        row += def->sectionCount;
    }
}

static hwObstacles* LayObstacles(const hwModel* model, int count, hwArena* arena) {
    hwObstacles* obstacles = HW_TAKE(arena, hwObstacles, 1);
    hwObstacle* items = HW_TAKE(arena, hwObstacle, count);
    int* row = HW_TAKE(arena, int, model->cables->count);
    bool* ignored = HW_TAKE(arena, bool, count * model->cables->count);
    bool* goesOn = HW_TAKE(arena, bool, model->cables->count);
    if (obstacles != NULL) *obstacles = (hwObstacles){count, items, row, ignored, goesOn};
    return obstacles;
}

static hwStatus BuildObstacles(const hwWorld* world, hwModel* model, hwError* error) {
    int count = CountShapes(model);
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
    FillIgnored(world, model, model->cableContact->obstacles);
    return HW_OK;
}

static void FreeObstacles(const hwAllocator* allocator, hwModel* model) {
    hwObstacles* obstacles = model->cableContact->obstacles;
    if (obstacles == NULL) return;
    for (int i = 0; i < obstacles->count; ++i) {
        hwMeshTree_Free(&obstacles->items[i].tree, allocator);
        hwHull_Free(&obstacles->items[i].hull, allocator);
    }
    hwRelease(allocator, obstacles);
    model->cableContact->obstacles = NULL;
}

static int CountTouches(const hwModel* model, int slot) {
    if (model->cableContact->obstacles == NULL) return 0;
    return TOUCHES_PER_ELEMENT * model->cables->slots[slot].model.nodeCapacity;
}

static int CountPatches(const hwModel* model) {
    int count = 0;
    for (int k = 0; k < model->cables->count && model->cableContact->obstacles != NULL; ++k) {
        count += PATCHES_PER_ELEMENT * model->cables->slots[k].model.nodeCapacity;
    }
    return count;
}

static void LayContacts(const hwModel* model, hwArena* arena, hwWork* work) {
    hwCableContacts* c = work->cableContact;
    int obstacles = model->cableContact->obstacles != NULL ? model->cableContact->obstacles->count : 0;
    c->capacity = CountPatches(model);
    c->first = HW_TAKE(arena, int, model->cables->count + 1);
    bool meshes = false;
    for (int k = 0; k < obstacles; ++k) meshes = meshes || model->cableContact->obstacles->items[k].mesh;
    c->triangleCapacity = meshes ? TRIANGLES_PER_PATCH * c->capacity : 0;
    c->triangles = (hwVec3(*)[3])hwArena_Take(arena, (size_t)c->triangleCapacity, sizeof(hwVec3[3]));
    c->fields = HW_TAKE(arena, hwField, obstacles);
    c->boxes = HW_TAKE(arena, hwBox, obstacles);
    c->speed = HW_TAKE(arena, double, obstacles);
    c->near = HW_TAKE(arena, int, obstacles);
    c->laws = HW_TAKE(arena, hwContactLaw, obstacles * CountSections(model));
}

static int CountBorders(const hwModel* model) {
    int count = 0;
    for (int i = 0;
         i < model->forest.linkCount && model->cableContact->obstacles != NULL && count < HW_BORDERS; ++i) {
        count += model->links[i].active && model->links[i].body->def.shapeCount > 0;
    }
    return count;
}

static hwStatus BuildModel(const hwWorld* world, hwModel* model, hwError* error) {
    hwStatus status = BuildObstacles(world, model, error);
    if (status != HW_OK || model->cableContact->obstacles == NULL) return status;
    for (int k = 0; k < model->cables->count; ++k) {
        model->cables->slots[k].touchRoom = CountTouches(model, k);
        model->cables->slots[k].obstacleCount = model->cableContact->obstacles->count;
    }
    model->cablesTouch = true;
    // each border with both ends and with the other borders
    int borders = CountBorders(model), each = borders > 0 ? 2 * borders + borders * (borders - 1) / 2 : 0;
    model->pairCapacity += model->cables->count * each;
    return HW_OK;
}

static bool HasObstacles(const hwModel* model) {
    return model->cableContact->obstacles != NULL;
}

static void LayWork(const hwModel* model, hwArena* arena, hwWork* work) {
    LayContacts(model, arena, work);
    work->cableContact->borders = HW_TAKE(arena, hwCableBorders, model->cables->count);
}

// Room for the most patches that there may be, of which few are in use, and for what each factorisation writes.
static void LayCaches(const hwModel* model, hwArena* arena, hwWork* work) {
    work->cableContact->patches = HW_TAKE(arena, hwCablePatch, CountPatches(model));
    bool any = CountBorders(model) > 0;
    for (int k = 0; k < model->cables->count && any; ++k) {
        int capacity = model->cables->slots[k].model.nodeCapacity;
        for (int b = 0; b < HW_BORDERS; ++b) {
            hwVec3* columns = HW_TAKE(arena, hwVec3, 6 * capacity);
            hwVec3* solved = HW_TAKE(arena, hwVec3, 6 * capacity);
            if (arena->base == NULL) continue;
            work->cableContact->borders[k].items[b].columns = columns;
            work->cableContact->borders[k].items[b].solved = solved;
        }
    }
}

// Where an obstacle of the model before is now; -1: it is gone.
static int FindAgain(const hwModel* old, const hwModel* model, int obstacle) {
    const hwObstacles* obstacles = model->cableContact->obstacles;
    const hwObstacle* was = &old->cableContact->obstacles->items[obstacle];
    for (int i = 0; i < obstacles->count; ++i) {
        const hwObstacle* is = &obstacles->items[i];
        if (is->shape == was->shape && model->links[is->link].body == old->links[was->link].body) return i;
    }
    return -1;
}

// What is remembered of contacts goes on where the nodes do: overlaps go on counting, and friction holds.
static void CarryTouches(const hwWorld* world, const hwModel* model, int slot, hwState* state) {
    const hwModel* old = &world->model;
    const hwCableSlot* cable = &model->cables->slots[slot];
    int from = cable->object->slot;
    if (!cable->carried || !cable->ops->hasNodes || !old->cables->slots[from].ops->hasNodes) return;
    const hwCableStore* was = &world->state.cables->stores[from];
    hwCableStore* is = &state->cables->stores[slot];
    if (*was->touchCount > cable->touchRoom) return;
    int count = 0;
    for (int i = 0; i < *was->touchCount; ++i) {
        int obstacle = FindAgain(old, model, was->touches[i].obstacle);
        if (obstacle < 0) continue;
        is->touches[count] = was->touches[i];
        is->touches[count++].obstacle = obstacle;
    }
    *is->touchCount = count;
    for (int i = 0; i < old->cableContact->obstacles->count; ++i) {
        int obstacle = FindAgain(old, model, i);
        if (obstacle >= 0) is->inside[obstacle] = was->inside[i];
    }
    model->cableContact->obstacles->goesOn[slot] = true;
}

static void Carry(const hwWorld* world, hwModel* model, hwState* state) {
    const hwObstacles* obstacles = model->cableContact->obstacles;
    if (world->model.block == NULL || obstacles == NULL || world->model.cableContact->obstacles == NULL)
        return;
    for (int i = 0; i < world->model.cableContact->obstacles->count; ++i) {
        int obstacle = FindAgain(&world->model, model, i);
        if (obstacle >= 0) obstacles->items[obstacle].known = true;
    }
    for (int k = 0; k < model->cables->count; ++k) CarryTouches(world, model, k, state);
}

static hwSpan GetPatches(const hwWorld* world) {
    const hwCableContacts* c = world->work->cableContact;
    return (hwSpan){c->patches, (size_t)c->count * sizeof(hwCablePatch)};
}

static hwStatus Start(hwWorld* world, hwError* error) {
    (void)error;
    if (world->model.cableContact->obstacles != NULL) hwCableContact_Start(world, &hwMode_running, false);
    return HW_OK;
}

static double Find(const hwWorld* world, const hwMode* mode, double ahead, bool lacking) {
    hwCableContacts* c = world->work->cableContact;
    if (!lacking || c->ahead < ahead) hwCableContact_Find(world, mode, ahead);
    return c->longest;
}

static hwStatus Finish(hwWorld* world, const hwMode* mode, double step, bool* changed, hwError* error) {
    (void)mode;
    (void)changed;
    (void)error;
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        if (hwWorld_HasNodes(world, slot)) hwCableContact_Remember(world, slot, step);
    }
    return HW_OK;
}

static void EndStatics(hwWorld* world, const hwMode* mode) {
    hwCableContact_Start(world, mode, true);
}

// The part that was cut off has begun within the same obstacles.
static void CutCable(hwWorld* world, int slot, int part) {
    memcpy(world->state.cables->stores[part].inside, world->state.cables->stores[slot].inside,
           (size_t)world->model.cableContact->obstacles->count);
}

static void ForgetContacts(hwWorld* world) {
    world->work->cableContact->ahead = 0.0;
}

static int GetTouchedLink(const hwWorld* world, int slot) {
    const hwCableBorders* borders = &world->work->cableContact->borders[slot];
    return borders->count > 0 ? borders->items[0].link : -1;
}

static const hwCableHooks hooks = {.touch = hwCableContact_Touch,
                                   .listPairs = hwCableContact_ListPairs,
                                   .getTouchedLink = GetTouchedLink,
                                   .factor = hwCableContact_Factor,
                                   .reduce = hwCableContact_Reduce,
                                   .substitute = hwCableContact_Substitute,
                                   .getContactWay = hwCableContact_GetWay,
                                   .measureTouch = hwCableContact_MeasureTouch,
                                   .touchesNode = hwCableContact_TouchesNode,
                                   .getWrap = hwCableContact_GetWrap,
                                   .getWrapOn = hwCableContact_GetWrapOn,
                                   .limitElements = hwCableContact_LimitElements,
                                   .isClear = hwCableContact_IsClear,
                                   .limitMove = hwCableContact_LimitMove,
                                   .cut = CutCable,
                                   .meshed = ForgetContacts};

// Whatever cables may touch and that may move: where they come to touch it is not asked.
static void KeepObstaclesAwake(const hwWorld* world, uint8_t* lively) {
    const hwObstacles* obstacles = world->model.cableContact->obstacles;
    for (int i = 0; i < obstacles->count; ++i) lively[obstacles->items[i].link] = 1;
}

const hwPart hwCableContactPart = {.name = "cable contact",
                                   .keepAwake = KeepObstaclesAwake,
                                   .model = HW_SLICE(hwModel, cableContact),
                                   .work = HW_SLICE(hwWork, cableContact),
                                   .cables = &hooks,
                                   .buildModel = BuildModel,
                                   .freeModel = FreeObstacles,
                                   .isPresent = HasObstacles,
                                   .layWork = LayWork,
                                   .layCaches = LayCaches,
                                   .getKept = GetPatches,
                                   .carry = Carry,
                                   .start = Start,
                                   .materialsChanged = FillLaws,
                                   .find = Find,
                                   .evaluate = hwCableContact_Place,
                                   .residual = hwCableContact_AddLoads,
                                   .checkStep = hwCableContact_Check,
                                   .audit = hwCableContact_Read,
                                   .finish = Finish,
                                   .countViews = CountPatches,
                                   .viewContacts = hwCableContact_View,
                                   .sumContacts = hwCableContact_Sum,
                                   .limitMove = hwCableContact_LimitMoves,
                                   .beginStatics = hwCableContact_Forget,
                                   .endStatics = EndStatics};
