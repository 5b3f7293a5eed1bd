// Materials, settings of contact, and pairs that never touch: the public calls, and what Prepare makes of them.
#include "world/world_internal.h"

#include <math.h>
#include <string.h>

// Defs ---------------------------------------------------------------------------------------------------------------------

hwMaterialDef hwDefaultMaterialDef(void) {
    hwMaterialDef def = {.young = 1e9,
                         .damping = 1e5,
                         .staticFriction = 0.3,
                         .kineticFriction = 0.3,
                         .velocity = 1e-3,
                         .rateExponent = 1.0,
                         .cookie = HW_MATERIAL_COOKIE};
    return def;
}

hwContactDef hwDefaultContactDef(void) {
    hwContactDef def = {.cables = true, .cookie = HW_CONTACT_COOKIE};
    return def;
}

static hwStatus CheckMaterial(const hwMaterialDef* def, hwError* error) {
    const struct {
        const char *field, *name;
        double value, least, most;
    } fields[] = {{"young", "young", def->young, 1e-300, 1e300},
                  {"damping", "damping", def->damping, 0.0, 1e300},
                  {"staticFriction", "static friction", def->staticFriction, 0.0, 1e6},
                  {"kineticFriction", "kinetic friction", def->kineticFriction, 0.0, def->staticFriction},
                  {"velocity", "velocity", def->velocity, 1e-300, 1e300},
                  {"rolling", "rolling", def->rolling, 0.0, 1e300},
                  {"spinning", "spinning", def->spinning, 0.0, 1e300},
                  {"rateExponent", "rate exponent", def->rateExponent, 0.1, 10.0},
                  {"hardening", "hardening", def->hardening, 0.0, 1e300},
                  {"stribeck", "stribeck", def->stribeck, 0.0, 1e300}};
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); ++i) {
        if (fields[i].value >= fields[i].least && fields[i].value <= fields[i].most) continue;
        hwStatus status =
            hwFailField(error, HW_ERROR_ARGUMENT, def->name, fields[i].field,
                        "%s: `%s` of the material cannot be %g", def->name, fields[i].name, fields[i].value);
        if (fields[i].value < fields[i].least) {
            hwFail_Hint(error, fields[i].least > 1e-300 ? "it is at least %g" : "it is positive",
                        fields[i].least);
        } else if (i == 3) {
            hwFail_Hint(error, "it is at most the static one, %g", def->staticFriction);
        }
        return status;
    }
    return HW_OK;
}

static bool HasMaterial(const hwWorld* world, const char* name) {
    for (int i = 0; i < world->materials.slots; ++i) {
        const hwMaterialDef* def = world->materials.items[i];
        if (def != NULL && strcmp(def->name, name) == 0) return true;
    }
    return false;
}

// Adds an object that was allocated for the pool; frees it when that fails.
static hwStatus Keep(hwWorld* world, hwPool* pool, void* item, hwError* error) {
    if (item == NULL || hwPool_Add(pool, &world->allocator, item) == 0) {
        hwRelease(&world->allocator, item);
        return hwFail_Memory(error, NULL);
    }
    hwWorld_Unprepare(world);
    return HW_OK;
}

hwStatus hwWorld_AddMaterial(hwWorld* world, const hwMaterialDef* def, hwError* error) {
    hwClearError(error);
    if (def == NULL || def->cookie != HW_MATERIAL_COOKIE) {
        return hwFail(error, HW_ERROR_ARGUMENT, NULL,
                      "the material def was not made by hwDefaultMaterialDef");
    }
    if (def->name == NULL || def->name[0] == '\0') {
        return hwFailField(error, HW_ERROR_ARGUMENT, NULL, "name", "every material needs a name");
    }
    if (def->model != HW_FRICTION_KARNOPP && def->model != HW_FRICTION_LUGRE) {
        return hwFailField(error, HW_ERROR_ARGUMENT, def->name, "model",
                           "%s: there is no friction model number %d", def->name, (int)def->model);
    }
    hwStatus status = CheckMaterial(def, error);
    if (status != HW_OK) return status;
    if (HasMaterial(world, def->name)) {
        return hwFailField(error, HW_ERROR_ARGUMENT, def->name, "name",
                           "there is already a material called `%s`", def->name);
    }
    size_t length = strlen(def->name) + 1;
    hwMaterialDef* copy = hwAllocate(&world->allocator, sizeof(*copy) + length);
    if (copy != NULL) {
        *copy = *def;
        copy->name = memcpy(copy + 1, def->name, length);
    }
    return Keep(world, &world->materials, copy, error);
}

static hwStatus KeepPair(hwWorld* world, hwPool* pool, const char* a, const char* b, hwError* error) {
    hwClearError(error);
    if (a == NULL || b == NULL || a[0] == '\0' || b[0] == '\0') {
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "a pair of contact needs two names");
    }
    size_t lengthA = strlen(a) + 1, lengthB = strlen(b) + 1;
    hwIgnoreObject* pair = hwAllocate(&world->allocator, sizeof(*pair) + lengthA + lengthB);
    if (pair != NULL) {
        pair->a = memcpy(pair + 1, a, lengthA);
        pair->b = memcpy((char*)(pair + 1) + lengthA, b, lengthB);
    }
    return Keep(world, pool, pair, error);
}

hwStatus hwWorld_IgnoreContact(hwWorld* world, const char* a, const char* b, hwError* error) {
    return KeepPair(world, &world->ignored, a, b, error);
}

hwStatus hwWorld_WatchContact(hwWorld* world, const char* a, const char* b, hwError* error) {
    return KeepPair(world, &world->watched, a, b, error);
}

hwStatus hwWorld_SetContact(hwWorld* world, const hwContactDef* def, hwError* error) {
    hwClearError(error);
    if (def == NULL || def->cookie != HW_CONTACT_COOKIE) {
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "the contact def was not made by hwDefaultContactDef");
    }
    if (def->reserve < 0) {
        return hwFailField(error, HW_ERROR_ARGUMENT, NULL, "reserve",
                           "contact: `reserve` must not be negative, it is %d", def->reserve);
    }
    world->contact = *def;
    hwWorld_Unprepare(world);
    return HW_OK;
}

hwStatus hwWorld_CopyContact(hwWorld* branch, const hwWorld* world, hwError* error) {
    hwStatus status = hwWorld_SetContact(branch, &world->contact, error);
    for (int i = 0; i < world->materials.slots && status == HW_OK; ++i) {
        status = hwWorld_AddMaterial(branch, world->materials.items[i], error);
    }
    for (int i = 0; i < world->ignored.slots && status == HW_OK; ++i) {
        const hwIgnoreObject* pair = world->ignored.items[i];
        status = hwWorld_IgnoreContact(branch, pair->a, pair->b, error);
    }
    for (int i = 0; i < world->watched.slots && status == HW_OK; ++i) {
        const hwIgnoreObject* pair = world->watched.items[i];
        status = hwWorld_WatchContact(branch, pair->a, pair->b, error);
    }
    return status;
}

// The model ----------------------------------------------------------------------------------------------------------------

void hwModel_LayMaterials(const hwWorld* world, hwArena* arena, hwModel* model) {
    model->materialCount = 1;
    model->materials = HW_TAKE(arena, hwMaterialDef, world->materials.slots + 1);
    if (model->materials == NULL) return;
    model->materials[0] = hwDefaultMaterialDef();
    for (int i = 0; i < world->materials.slots; ++i) {
        const hwMaterialDef* def = world->materials.items[i];
        model->materials[model->materialCount++] = *def;
        if (strcmp(def->name, "default") == 0) model->materials[0] = *def;
    }
}

int hwModel_FindMaterial(const hwModel* model, const char* name) {
    if (name == NULL) return 0;
    for (int i = 1; i < model->materialCount; ++i) {
        if (strcmp(model->materials[i].name, name) == 0) return i;
    }
    return -1;
}

static hwStatus FailMaterial(const char* object, const char* what, int index, const char* material,
                             hwError* error) {
    hwStatus status =
        hwFailField(error, HW_ERROR_MODEL, object,
                    strcmp(what, "shape") == 0 ? "shapes[].material" : "sections[].material",
                    "%s: %s %d is of `%s`, but there is no such material", object, what, index, material);
    hwFail_At(error, index, (double)NAN);
    hwFail_Hint(error, "add it by hwWorld_AddMaterial");
    return status;
}

hwStatus hwWorld_CheckMaterials(const hwWorld* world, const hwModel* model, hwError* error) {
    for (int i = 0; i < world->bodies.slots; ++i) {
        const hwBodyObject* body = world->bodies.items[i];
        for (int k = 0; body != NULL && k < body->def.shapeCount; ++k) {
            const char* material = body->def.shapes[k].material;
            if (hwModel_FindMaterial(model, material) < 0) {
                return FailMaterial(body->def.name, "shape", k, material, error);
            }
        }
    }
    for (int i = 0; i < world->cables.slots; ++i) {
        const hwCableObject* cable = world->cables.items[i];
        for (int k = 0; cable != NULL && k < cable->def.sectionCount; ++k) {
            const char* material = cable->def.sections[k].material;
            if (hwModel_FindMaterial(model, material) < 0) {
                return FailMaterial(cable->def.name, "section", k, material, error);
            }
        }
    }
    return HW_OK;
}
