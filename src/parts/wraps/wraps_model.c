// What a cable that wraps may lie on: the shapes of all bodies but those that hold its ends.
#include "parts/wraps/wraps.h"

#include "contact/law.h"
#include "geom/shape_data.h"
#include "world/contact_rules.h"

static bool HoldsEnd(const hwWorld* world, const hwModel* model, const hwCableDef* def, int link) {
    for (int e = 0; e < 2; ++e) {
        if (def->ends[e].joint == HW_ATTACH_FREE || HW_IS_NULL(def->ends[e].body)) continue;
        const hwBodyObject* body = hwWorld_GetBody(world, def->ends[e].body);
        if (body != NULL && hwModel_FindLink(model, body) == link) return true;
    }
    return false;
}

// Fills what is given and returns how many there are.
static int ListObstacles(const hwWorld* world, const hwModel* model, int slot, hwWrapObstacle* obstacles,
                         hwTetherSolid* solids, double* friction) {
    const hwCableDef* def = &model->cables->slots[slot].object->def;
    const hwCableSectionDef* section = &def->sections[0];
    int count = 0, own = hwModel_FindMaterial(model, section->material);
    if (world->contact.off) return 0;
    for (int link = 0; link < model->forest.linkCount; ++link) {
        const hwBodyObject* body = model->links[link].body;
        hwThing cable = {HW_THING_CABLE, slot}, thing = {HW_THING_LINK, link};
        if (HoldsEnd(world, model, def, link) || hwModel_IsIgnored(world, model, cable, thing)) continue;
        for (int s = 0; s < body->def.shapeCount; ++s) {
            const hwShapeDef* shape = &body->def.shapes[s];
            if (!hwFilter_Allows(def->filter, shape->filter)) continue;
            if (obstacles != NULL) {
                int its = hwModel_FindMaterial(model, shape->material);
                const hwMaterialDef* materials = model->rules->materials;
                hwContactLaw law = hwContactLaw_Make(&materials[its < 0 ? 0 : its], section->diameter,
                                                     &materials[own < 0 ? 0 : own], section->diameter);
                obstacles[count] = (hwWrapObstacle){link, s, hwModel_IsStill(model, link)};
                solids[count] =
                    (hwTetherSolid){shape, {body->def.position, hwNormalizeQuat(body->def.attitude)}};
                friction[count] = law.staticFriction;
            }
            count += 1;
        }
    }
    return count;
}

static hwStatus BuildWrap(const hwWorld* world, const hwModel* model, int slot, hwWrap* wrap,
                          hwError* error) {
    wrap->slot = slot;
    wrap->count = ListObstacles(world, model, slot, NULL, NULL, NULL);
    hwTetherSolid* solids = NULL;
    hwArena arena = {0};
    for (int pass = 0; pass < 2; ++pass) {
        wrap->obstacles = HW_TAKE(&arena, hwWrapObstacle, wrap->count);
        wrap->friction = HW_TAKE(&arena, double, wrap->count);
        solids = HW_TAKE(&arena, hwTetherSolid, wrap->count);
        if (pass == 1) break;
        wrap->block = arena.base = hwAllocate(&world->allocator, arena.used + 1);
        if (arena.base == NULL) return hwFail_Memory(error, NULL);
        arena.used = 0;
    }
    ListObstacles(world, model, slot, wrap->obstacles, solids, wrap->friction);
    for (int i = 0; i < wrap->count; ++i) wrap->moves = wrap->moves || !wrap->obstacles[i].still;
    hwError own;
    wrap->space = hwCreateTetherSpace(wrap->count, solids, &world->allocator, error != NULL ? error : &own);
    if (wrap->space != NULL) return HW_OK;
    return error != NULL ? error->status : own.status;
}

hwStatus hwWraps_Build(const hwWorld* world, hwModel* model, hwError* error) {
    hwWrapsModel* own = model->wraps;
    int count = 0;
    for (int k = 0; k < model->cables->count; ++k) count += model->cables->slots[k].wraps;
    if (count == 0) return HW_OK;
    own->items = hwAllocate(&world->allocator, (size_t)count * sizeof(hwWrap));
    own->stores = hwAllocate(&world->allocator, (size_t)count * sizeof(hwWrapStore));
    if (own->items == NULL || own->stores == NULL) return hwFail_Memory(error, NULL);
    hwStatus status = HW_OK;
    for (int k = 0; k < model->cables->count && status == HW_OK; ++k) {
        if (model->cables->slots[k].wraps)
            status = BuildWrap(world, model, k, &own->items[own->count++], error);
    }
    return status;
}

void hwWraps_Free(const hwAllocator* allocator, hwModel* model) {
    hwWrapsModel* own = model->wraps;
    for (int i = 0; i < own->count; ++i) {
        hwDestroyTetherSpace(own->items[i].space);
        hwRelease(allocator, own->items[i].block);
    }
    hwRelease(allocator, own->items);
    hwRelease(allocator, own->stores);
    *own = (hwWrapsModel){0};
}
