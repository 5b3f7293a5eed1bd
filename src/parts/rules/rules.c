// Materials, settings of contact, and pairs that never touch: the public calls, what Prepare makes of them, and switches
// while running.
#include "world/contact_rules.h"

#include "world/cable_slots.h"
#include "world/part.h"
#include "record/channels.h"

#include <math.h>
#include <stdio.h>
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
static hwStatus AddToPool(hwWorld* world, hwPool* pool, void* item, hwError* error) {
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
    return AddToPool(world, &world->materials, copy, error);
}

static hwStatus KeepPair(hwWorld* world, hwPool* pool, const char* a, const char* b, hwError* error) {
    hwClearError(error);
    if (a == NULL || b == NULL || a[0] == '\0' || b[0] == '\0') {
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "a pair of objects in contact needs two names");
    }
    size_t lengthA = strlen(a) + 1, lengthB = strlen(b) + 1;
    hwIgnoreObject* pair = hwAllocate(&world->allocator, sizeof(*pair) + lengthA + lengthB);
    if (pair != NULL) {
        pair->a = memcpy(pair + 1, a, lengthA);
        pair->b = memcpy((char*)(pair + 1) + lengthA, b, lengthB);
    }
    return AddToPool(world, pool, pair, error);
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
    if (def->overlaps < HW_OVERLAPS_ACCEPT || def->overlaps > HW_OVERLAPS_REFUSE) {
        return hwFailField(error, HW_ERROR_ARGUMENT, NULL, "overlaps",
                           "contact: there is no way number %d to treat `overlaps`", (int)def->overlaps);
    }
    world->contact = *def;
    hwWorld_Unprepare(world);
    return HW_OK;
}

static hwStatus CopyRules(hwWorld* branch, const hwWorld* world, hwError* error) {
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

static void LayRules(const hwWorld* world, hwArena* arena, hwModel* model) {
    model->rules->ignores = HW_TAKE(arena, hwThingPair, world->ignored.slots);
    model->rules->materialCount = 1;
    model->rules->materials = HW_TAKE(arena, hwMaterialDef, world->materials.slots + 1);
    if (model->rules->materials == NULL) return;
    model->rules->materials[0] = hwDefaultMaterialDef();
    for (int i = 0; i < world->materials.slots; ++i) {
        const hwMaterialDef* def = world->materials.items[i];
        model->rules->materials[model->rules->materialCount++] = *def;
        if (strcmp(def->name, "default") != 0) continue;
        model->rules->materials[0] = *def;
        model->rules->given = i + 1;
    }
}

static void LayRulesState(const hwModel* model, hwArena* arena, hwState* state) {
    bool any = model->bodiesTouch || hwModel_HasCables(model);
    state->rules->switches = HW_TAKE(arena, hwContactSwitch, any ? HW_CONTACT_SWITCHES : 0);
}

int hwModel_FindMaterial(const hwModel* model, const char* name) {
    if (name == NULL) return 0;
    for (int i = 1; i < model->rules->materialCount; ++i) {
        if (strcmp(model->rules->materials[i].name, name) == 0) return i;
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

static hwStatus CheckMaterials(const hwWorld* world, const hwModel* model, hwError* error) {
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

// Who may touch whom ----------------------------------------------------------------------------------------------------------

static bool FindThing(const hwWorld* world, const hwModel* model, const char* name, hwThing* thing) {
    if (strcmp(name, "seabed") == 0) {
        *thing = (hwThing){HW_THING_SEABED, 0};
        return true;
    }
    for (int i = 0; i < model->forest.linkCount; ++i) {
        if (strcmp(model->links[i].body->def.name, name) != 0) continue;
        *thing = (hwThing){HW_THING_LINK, i};
        return true;
    }
    for (int i = 0; i < world->mechanisms.slots; ++i) {
        const hwMechanismObject* mechanism = world->mechanisms.items[i];
        if (mechanism == NULL || strcmp(mechanism->name, name) != 0) continue;
        *thing = (hwThing){HW_THING_MECHANISM, i};
        return true;
    }
    for (int i = 0; i < model->cables->count; ++i) {
        if (strcmp(model->cables->slots[i].name, name) != 0) continue;
        *thing = (hwThing){HW_THING_CABLE, i};
        return true;
    }
    return false;
}

hwStatus hwWorld_FindThings(const hwWorld* world, const hwModel* model, const char* a, const char* b,
                            hwThingPair* pair, hwError* error) {
    const char* names[2] = {a, b};
    hwThing* things[2] = {&pair->a, &pair->b};
    for (int k = 0; k < 2; ++k) {
        if (FindThing(world, model, names[k], things[k])) continue;
        hwStatus status = hwFail(error, HW_ERROR_MODEL, names[k],
                                 "contact of `%s` and `%s`: no object has the name `%s`", a, b, names[k]);
        hwFail_Hint(error, "name a body, vehicle, mechanism, link, cable or seabed");
        return status;
    }
    return HW_OK;
}

static bool HasSeabed(const hwWorld* world) {
    return hwEnvironment_GetDef(world->environment)->seabed.kind != HW_SEABED_NONE;
}

// Whether it is the named thing or a part of it: a link of a mechanism, what was cut off a cable.
static bool IsPartOf(const hwWorld* world, const hwModel* model, hwThing part, hwThing named) {
    if (part.kind == named.kind && part.index == named.index) return true;
    if (named.kind == HW_THING_CABLE)
        return part.kind == HW_THING_CABLE && model->cables->slots[part.index].whole == named.index;
    if (named.kind != HW_THING_MECHANISM || part.kind != HW_THING_LINK) return false;
    const hwMechanismObject* mechanism = world->mechanisms.items[named.index];
    hwMechanismId own = model->links[part.index].body->mechanism;
    return mechanism != NULL && own.index == mechanism->id.index &&
           own.generation == mechanism->id.generation;
}

static bool PairMatches(const hwWorld* world, const hwModel* model, const hwThingPair* pair, hwThing a,
                        hwThing b) {
    return (IsPartOf(world, model, a, pair->a) && IsPartOf(world, model, b, pair->b)) ||
           (IsPartOf(world, model, b, pair->a) && IsPartOf(world, model, a, pair->b));
}

bool hwModel_IsIgnored(const hwWorld* world, const hwModel* model, hwThing a, hwThing b) {
    const hwRulesModel* rules = model->rules;
    for (int i = 0; i < rules->ignoreCount; ++i) {
        if (PairMatches(world, model, &rules->ignores[i], a, b)) return true;
    }
    return false;
}

bool hwWorld_IsSwitchedOff(const hwWorld* world, hwThing a, hwThing b) {
    const hwContactSwitch* switches = world->state.rules->switches;
    for (int i = 0; i < HW_CONTACT_SWITCHES && switches[i].off; ++i) {
        if (PairMatches(world, &world->model, &switches[i].pair, a, b)) return true;
    }
    return false;
}

bool hwWorld_MeetsBottom(const hwWorld* world, int slot) {
    if (!HasSeabed(world) || world->model.cables->slots[slot].offBottom) return false;
    if (!hwWorld_HasSwitches(world)) return true;
    hwThing cable = {HW_THING_CABLE, slot}, seabed = {HW_THING_SEABED, 0};
    return !hwWorld_IsSwitchedOff(world, cable, seabed);
}

static hwStatus CheckRules(const hwWorld* world, hwModel* model, hwError* error) {
    hwStatus checked = CheckMaterials(world, model, error);
    if (checked != HW_OK) return checked;
    hwRulesModel* rules = model->rules;
    for (int i = 0; i < world->watched.slots; ++i) {
        const hwIgnoreObject* pair = world->watched.items[i];
        hwThingPair known;
        hwStatus status = hwWorld_FindThings(world, model, pair->a, pair->b, &known, error);
        if (status != HW_OK) return status;
    }
    for (int i = 0; i < world->ignored.slots; ++i) {
        const hwIgnoreObject* pair = world->ignored.items[i];
        hwStatus status =
            hwWorld_FindThings(world, model, pair->a, pair->b, &rules->ignores[rules->ignoreCount], error);
        if (status != HW_OK) return status;
        rules->ignoreCount += 1;
    }
    for (int k = 0; k < model->cables->count; ++k) {
        hwThing cable = {HW_THING_CABLE, k}, seabed = {HW_THING_SEABED, 0};
        bool none = model->cables->slots[k].object->def.filter.mask == 0;
        model->cables->slots[k].offBottom = none || hwModel_IsIgnored(world, model, cable, seabed);
    }
    return HW_OK;
}

// What a thing of the old model is in the new one. False: it is gone.
static bool CarryThing(const hwModel* model, hwThing* thing) {
    if (thing->kind == HW_THING_LINK) {
        for (int i = 0; i < model->forest.linkCount; ++i) {
            if (model->links[i].body->link != thing->index) continue;
            thing->index = i;
            return true;
        }
        return false;
    }
    for (int i = 0; thing->kind == HW_THING_CABLE && i < model->cables->count; ++i) {
        if (model->cables->slots[i].object->slot != thing->index) continue;
        thing->index = i;
        return true;
    }
    return thing->kind != HW_THING_CABLE;
}

static void CarryRules(const hwWorld* world, hwModel* model, hwState* state) {
    if (world->model.block == NULL) return;
    if (!world->model.bodiesTouch && !hwModel_HasCables(&world->model)) return;
    if (!model->bodiesTouch && !hwModel_HasCables(model)) return;
    int count = 0;
    for (int i = 0; i < HW_CONTACT_SWITCHES && world->state.rules->switches[i].off; ++i) {
        hwContactSwitch carried = world->state.rules->switches[i];
        if (CarryThing(model, &carried.pair.a) && CarryThing(model, &carried.pair.b))
            state->rules->switches[count++] = carried;
    }
}

hwStatus hwWorld_SwitchContact(hwWorld* world, const char* a, const char* b, bool on, hwError* error) {
    hwClearError(error);
    hwStatus status = hwWorld_RequirePrepared(world, error);
    if (status != HW_OK) return status;
    if (a == NULL || b == NULL)
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "hwWorld_SwitchContact needs the names of two objects");
    hwThingPair pair = {{0, 0}, {0, 0}};
    status = hwWorld_FindThings(world, &world->model, a, b, &pair, error);
    if (status != HW_OK) return status;
    if (!world->model.bodiesTouch && !hwModel_HasCables(&world->model)) return HW_OK;
    // those in use come first
    hwContactSwitch* switches = world->state.rules->switches;
    int count = 0, at = -1;
    for (; count < HW_CONTACT_SWITCHES && switches[count].off; ++count) {
        const hwThingPair* other = &switches[count].pair;
        if (memcmp(other, &pair, sizeof(pair)) == 0 || (memcmp(&other->a, &pair.b, sizeof(hwThing)) == 0 &&
                                                        memcmp(&other->b, &pair.a, sizeof(hwThing)) == 0))
            at = count;
    }
    if (!on && at < 0 && count == HW_CONTACT_SWITCHES) {
        return hwFail(error, HW_ERROR_LIMIT, a, "no more than %d pairs can be switched off",
                      HW_CONTACT_SWITCHES);
    }
    if (!on && at < 0) switches[count] = (hwContactSwitch){.pair = pair, .off = 1};
    if (on && at >= 0) {
        switches[at] = switches[count - 1];
        memset(&switches[count - 1], 0, sizeof(hwContactSwitch));
    }
    double instant = 0.0;
    hwSleep_WakeAll(world);
    hwWorld_StateChanged(world);
    return hwWorld_PlanContacts(world, &hwMode_running, &instant, error);
}

bool hwWorld_HasSwitches(const hwWorld* world) {
    return world->state.rules->switches[0].off != 0;
}

// Reading --------------------------------------------------------------------------------------------------------------------

int hwMesh_FindTriangle(const hwMeshTree* tree, hwVec3 point) {
    hwMeshHit hit;
    return hwMesh_FindNearest(tree, point, point, HUGE_VAL, &hit) ? hit.triangle : -1;
}

int hwWorld_FindGroundTriangle(const hwWorld* world, hwVec3 point, double reach) {
    const hwTerrain* terrain = hwEnvironment_GetTerrain(world->environment);
    hwMeshHit hit;
    bool found = terrain != NULL && hwTerrain_FindNearest(terrain, point, point, reach, &hit);
    return found ? hit.triangle : -1;
}

// Contacts of all parts.
int hwWorld_GetContacts(const hwWorld* world, const hwContactView** contacts) {
    *contacts = NULL;
    if (!world->prepared) return 0;
    hwWorld_Refresh(world);
    hwContactView* views = world->work->rules->views;
    int count = 0;
    for (int i = HW_PART_COUNT - 1; i >= 0; --i) {
        if (hwPartsByLayout[i]->viewContacts != NULL)
            count += hwPartsByLayout[i]->viewContacts(world, views + count);
    }
    *contacts = views;
    return count;
}

void hwContactSum_Add(hwContactSum* sum, hwVec3 force, hwVec3 point, double elastic, double damping,
                      double volume, double depth) {
    sum->force = hwAdd(sum->force, force);
    sum->point = hwMulAdd(sum->point, volume, point);
    sum->elastic += elastic;
    sum->damping += damping;
    sum->volume += volume;
    sum->depth = hwFmax(sum->depth, depth);
    sum->count += 1.0;
}

enum {
    CONTACT_FORCE, // x, y, z
    CONTACT_POINT = CONTACT_FORCE + 3,
    CONTACT_ELASTIC = CONTACT_POINT + 3,
    CONTACT_DAMPING,
    CONTACT_VOLUME,
    CONTACT_DEPTH,
    CONTACT_COUNT
};

static double GetComponent(const hwContactSum* sum, int component) {
    switch (component) {
    case CONTACT_ELASTIC:
        return sum->elastic;
    case CONTACT_DAMPING:
        return sum->damping;
    case CONTACT_VOLUME:
        return sum->volume;
    case CONTACT_DEPTH:
        return sum->depth;
    case CONTACT_COUNT:
        return sum->count;
    default:
        break;
    }
    if (component < CONTACT_POINT) return hwVec3_GetComponent(sum->force, component - CONTACT_FORCE);
    double share = sum->volume > 0.0 ? 1.0 / sum->volume : 1.0;
    return hwVec3_GetComponent(hwScale(share, sum->point), component - CONTACT_POINT);
}

// Whether what a view names is the thing called `name`, a link of it, or was cut off it.
static bool IsCalled(const hwWorld* world, const char* thing, const char* name) {
    size_t length = strlen(name);
    if (strncmp(thing, name, length) == 0 && (thing[length] == '\0' || thing[length] == '.')) return true;
    for (int k = 0; k < world->model.cables->count; ++k) {
        const hwCableSlot* slot = &world->model.cables->slots[k];
        if (slot->whole >= 0 && strcmp(slot->name, thing) == 0)
            return strcmp(world->model.cables->slots[slot->whole].name, name) == 0;
    }
    return false;
}

static double ReadPair(const hwWorld* world, int watch, int component) {
    const hwIgnoreObject* pair = world->watched.items[watch];
    const hwContactView* views;
    int count = hwWorld_GetContacts(world, &views);
    hwContactSum sum = {0};
    for (int i = 0; i < count; ++i) {
        const hwContactView* v = &views[i];
        bool first = IsCalled(world, v->a, pair->a) && IsCalled(world, v->b, pair->b);
        if (!first && !(IsCalled(world, v->a, pair->b) && IsCalled(world, v->b, pair->a))) continue;
        hwContactSum_Add(&sum, first ? hwNeg(v->force) : v->force, v->point, v->elastic, v->damping,
                         v->volume, v->depth);
    }
    return GetComponent(&sum, component);
}

static double ReadContact(const hwWorld* world, int link, int component) {
    hwContactSum sum = {0};
    HW_EACH_PART(world, part, sumContacts) part->sumContacts(world, link, &sum);
    return GetComponent(&sum, component);
}

static void LayRulesWork(const hwModel* model, hwArena* arena, hwWork* work) {
    work->rules->materials = HW_TAKE(arena, hwMaterialDef, model->rules->materialCount);
}

static void LayViews(const hwModel* model, hwArena* arena, hwWork* work) {
    int views = 0;
    for (int i = 0; i < HW_PART_COUNT; ++i) {
        if (hwPartsByLayout[i]->countViews != NULL) views += hwPartsByLayout[i]->countViews(model);
    }
    work->rules->views = HW_TAKE(arena, hwContactView, views);
}

// The rows of a group of channels whose getter is `read`.
#define CONTACT_ROWS(read)                                                                                   \
    {                                                                                                        \
        {"force.x", "N", read, CONTACT_FORCE}, {"force.y", "N", read, CONTACT_FORCE + 1},                    \
            {"force.z", "N", read, CONTACT_FORCE + 2}, {"point.x", "m", read, CONTACT_POINT},                \
            {"point.y", "m", read, CONTACT_POINT + 1}, {"point.z", "m", read, CONTACT_POINT + 2},            \
            {"elastic", "N", read, CONTACT_ELASTIC}, {"damping", "N", read, CONTACT_DAMPING},                \
            {"volume", "m3", read, CONTACT_VOLUME}, {"depth", "m", read, CONTACT_DEPTH}, {                   \
            "count", "1", read, CONTACT_COUNT                                                                \
        }                                                                                                    \
    }

static const hwChannelRow contactRows[] = CONTACT_ROWS(ReadContact), pairRows[] = CONTACT_ROWS(ReadPair);

static void AddContactChannels(hwTableBuilder* builder, const hwWorld* world, const hwModel* model,
                               int link) {
    (void)world;
    const hwBodyObject* body = model->links[link].body;
    if (!(model->bodiesTouch || model->cablesTouch) || body->def.shapeCount == 0) return;
    char name[96];
    snprintf(name, sizeof(name), "%s.contact", body->def.name);
    hwTable_AddChannels(builder, name, HW_ROW_COUNT(contactRows), contactRows, link);
}

static void AddPairChannels(hwTableBuilder* builder, const hwWorld* world, const hwModel* model) {
    (void)model;
    for (int k = 0; k < world->watched.slots; ++k) {
        const hwIgnoreObject* pair = world->watched.items[k];
        char name[400];
        snprintf(name, sizeof(name), "%s.contact.%s", pair->a, pair->b);
        hwTable_AddChannels(builder, name, HW_ROW_COUNT(pairRows), pairRows, k);
    }
}

// Inputs of materials ----------------------------------------------------------------------------------------------------------

static hwStatus CheckPositive(const char* input, double value, hwError* error) {
    if (value >= 1e-300 && value <= 1e300) return HW_OK;
    return hwFail(error, HW_ERROR_ARGUMENT, NULL, "the input `%s` cannot be %g: it is positive", input,
                  value);
}

static hwStatus CheckNotNegative(const char* input, double value, hwError* error) {
    if (value >= 0.0 && value <= 1e300) return HW_OK;
    return hwFail(error, HW_ERROR_ARGUMENT, NULL, "the input `%s` cannot be %g: it is at least 0", input,
                  value);
}

static hwStatus CheckFriction(const char* input, double value, hwError* error) {
    if (value >= 0.0 && value <= 1e6) return HW_OK;
    return hwFail(error, HW_ERROR_ARGUMENT, NULL, "the input `%s` cannot be %g: it is 0 to 1e6", input,
                  value);
}

static const hwInputRow materialInputs[HW_MATERIAL_INPUTS] = {
    [HW_MATERIAL_YOUNG] = {"young", "Pa", CheckPositive},
    [HW_MATERIAL_DAMPING] = {"damping", "Pa s/m", CheckNotNegative},
    [HW_MATERIAL_FRICTION] = {"friction", "1", CheckFriction},
};

static void NameMaterial(const hwMaterialDef* def, size_t size, char* name) {
    snprintf(name, size, "materials.%s", def->name);
}

static void AddMaterialInputs(hwTableBuilder* builder, const hwModel* model) {
    char name[400];
    for (int i = 1; i < model->rules->materialCount; ++i) {
        NameMaterial(&model->rules->materials[i], sizeof(name), name);
        hwTable_AddInputs(builder, name, HW_MATERIAL_INPUTS, materialInputs);
    }
}

static void FindMaterialInputs(hwModel* model) {
    if (model->rules->materialCount < 2) return;
    char name[400], input[420];
    NameMaterial(&model->rules->materials[1], sizeof(name), name);
    snprintf(input, sizeof(input), "%s.%s", name, materialInputs[0].name);
    model->rules->input = hwNameTable_Find(&model->inputs, input);
}

static void StartMaterialInputs(const hwModel* model, double* inputs) {
    const hwRulesModel* rules = model->rules;
    for (int i = 1; i < rules->materialCount; ++i) {
        double* own = inputs + rules->input + (i - 1) * HW_MATERIAL_INPUTS;
        own[HW_MATERIAL_YOUNG] = rules->materials[i].young;
        own[HW_MATERIAL_DAMPING] = rules->materials[i].damping;
        own[HW_MATERIAL_FRICTION] = rules->materials[i].staticFriction;
    }
}

// Kinetic friction keeps its ratio to the static one.
static void ApplyInputs(hwMaterialDef* material, const double* inputs) {
    double given = material->staticFriction, now = inputs[HW_MATERIAL_FRICTION];
    material->young = inputs[HW_MATERIAL_YOUNG];
    material->damping = inputs[HW_MATERIAL_DAMPING];
    if (now == given) return;
    material->kineticFriction = given > 0.0 ? now * (material->kineticFriction / given) : now;
    material->staticFriction = now;
}

static void RefreshMaterials(hwWorld* world) {
    const hwRulesModel* rules = world->model.rules;
    hwMaterialDef* materials = world->work->rules->materials;
    for (int i = 0; i < rules->materialCount; ++i) {
        int from = i == 0 ? rules->given : i;
        materials[i] = rules->materials[i];
        if (from == 0) continue;
        ApplyInputs(&materials[i], world->state.inputs + rules->input + (from - 1) * HW_MATERIAL_INPUTS);
    }
    HW_EACH_PART(world, part, materialsChanged) part->materialsChanged(world);
}

static double SumStored(hwWorld* world) {
    hwEnergy energy = hwWorld_GetEnergy(world);
    return energy.kinetic + energy.potential + energy.elastic;
}

// What touches stores another energy in other materials: whoever changes them does the work.
static void MaterialInputChanged(hwWorld* world, int input) {
    const hwRulesModel* rules = world->model.rules;
    int count = (rules->materialCount - 1) * HW_MATERIAL_INPUTS;
    if (count == 0 || input < rules->input || input >= rules->input + count) return;
    hwSleep_WakeAll(world);
    double before = SumStored(world);
    RefreshMaterials(world);
    world->work->isCurrent = false;
    world->state.z[HW_AUX_WORK] += SumStored(world) - before;
}

const hwPart hwRulesPart = {.name = "rules",
                            .rests = true,
                            .aside = true,
                            .model = HW_SLICE(hwModel, rules),
                            .state = HW_SLICE(hwState, rules),
                            .work = HW_SLICE(hwWork, rules),
                            .copy = CopyRules,
                            .layModel = LayRules,
                            .checkModel = CheckRules,
                            .addLinkChannels = AddContactChannels,
                            .addChannels = AddPairChannels,
                            .addInputs = AddMaterialInputs,
                            .findInputs = FindMaterialInputs,
                            .startInputs = StartMaterialInputs,
                            .inputChanged = MaterialInputChanged,
                            .readInputs = RefreshMaterials,
                            .refresh = RefreshMaterials,
                            .layState = LayRulesState,
                            .layWork = LayRulesWork,
                            .layCaches = LayViews,
                            .carry = CarryRules};
