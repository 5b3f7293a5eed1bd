// What a host asks of objects by handle: lists of them, whether a handle is valid, descriptions, the caller's own pointers.
#include "parts/forces/forces.h"
#include "parts/sheaves/sheaves.h"
#include "parts/vehicles/vehicles.h"
#include "parts/winches/winches.h"
#include "world/cable_slots.h"
#include "world/contact_rules.h"

#include <string.h>

// The next object of a pool from *at on, which moves on; its slot and generation make its id. False: there is none.
static bool NextObject(const hwPool* pool, int* at, uint32_t* index, uint32_t* generation) {
    while (*at < pool->slots && pool->items[*at] == NULL) *at += 1;
    if (*at >= pool->slots) return false;
    *index = (uint32_t)*at + 1;
    *generation = pool->generations[*at];
    *at += 1;
    return true;
}

// Worlds -----------------------------------------------------------------------------------------------------------------

const hwWorldDef* hwWorld_GetDef(const hwWorld* world) {
    return &world->def;
}

void* hwWorld_GetUserData(const hwWorld* world) {
    return world->def.userData;
}

void hwWorld_SetUserData(hwWorld* world, void* userData) {
    world->def.userData = userData;
}

const hwContactDef* hwWorld_GetContactDef(const hwWorld* world) {
    return &world->contact;
}

// Bodies and their shapes ------------------------------------------------------------------------------------------------

void* hwBody_GetUserData(const hwWorld* world, hwBodyId id) {
    const hwBodyObject* body = hwWorld_GetBody(world, id);
    return body != NULL ? body->def.userData : NULL;
}

bool hwBody_SetUserData(hwWorld* world, hwBodyId id, void* userData) {
    hwBodyObject* body = hwWorld_GetBody(world, id);
    if (body == NULL) return false;
    body->def.userData = userData;
    return true;
}

// The body's own copy of the shape, in its block.
static const hwShapeDef* GetShape(const hwWorld* world, hwBodyId id, int shape) {
    const hwBodyObject* body = hwWorld_GetBody(world, id);
    if (body == NULL || shape < 0 || shape >= body->def.shapeCount) return NULL;
    return &body->def.shapes[shape];
}

void* hwBody_GetShapeUserData(const hwWorld* world, hwBodyId id, int shape) {
    const hwShapeDef* def = GetShape(world, id, shape);
    return def != NULL ? def->userData : NULL;
}

bool hwBody_SetShapeUserData(hwWorld* world, hwBodyId id, int shape, void* userData) {
    const hwShapeDef* def = GetShape(world, id, shape);
    if (def == NULL) return false;
    hwShapeDef* own = hwBodyObject_Own(hwWorld_GetBody(world, id), def);
    own->userData = userData;
    return true;
}

hwMechanismId hwBody_GetMechanism(const hwWorld* world, hwBodyId id) {
    const hwBodyObject* body = hwWorld_GetBody(world, id);
    return body != NULL ? body->mechanism : (hwMechanismId){0, 0};
}

// Forces -----------------------------------------------------------------------------------------------------------------

static hwForceObject* GetForce(const hwWorld* world, hwForceId id) {
    return hwPool_Get(&world->forces, id.index, id.generation);
}

int hwWorld_GetForces(const hwWorld* world, int capacity, hwForceId* forces) {
    int count = 0;
    hwForceId id;
    for (int at = 0; NextObject(&world->forces, &at, &id.index, &id.generation); ++count) {
        if (count < capacity) forces[count] = id;
    }
    return count;
}

bool hwForce_IsValid(const hwWorld* world, hwForceId id) {
    return GetForce(world, id) != NULL;
}

const hwForceDef* hwForce_GetDef(const hwWorld* world, hwForceId id) {
    const hwForceObject* force = GetForce(world, id);
    return force != NULL ? &force->def : NULL;
}

void* hwForce_GetUserData(const hwWorld* world, hwForceId id) {
    const hwForceObject* force = GetForce(world, id);
    return force != NULL ? force->def.userData : NULL;
}

bool hwForce_SetUserData(hwWorld* world, hwForceId id, void* userData) {
    hwForceObject* force = GetForce(world, id);
    if (force == NULL) return false;
    force->def.userData = userData;
    return true;
}

// Mechanisms -------------------------------------------------------------------------------------------------------------

static hwMechanismObject* GetMechanism(const hwWorld* world, hwMechanismId id) {
    return hwPool_Get(&world->mechanisms, id.index, id.generation);
}

int hwWorld_GetMechanisms(const hwWorld* world, int capacity, hwMechanismId* mechanisms) {
    int count = 0;
    hwMechanismId id;
    for (int at = 0; NextObject(&world->mechanisms, &at, &id.index, &id.generation); ++count) {
        if (count < capacity) mechanisms[count] = id;
    }
    return count;
}

const char* hwMechanism_GetName(const hwWorld* world, hwMechanismId id) {
    const hwMechanismObject* mechanism = GetMechanism(world, id);
    return mechanism != NULL ? mechanism->name : "";
}

void* hwMechanism_GetUserData(const hwWorld* world, hwMechanismId id) {
    const hwMechanismObject* mechanism = GetMechanism(world, id);
    return mechanism != NULL ? mechanism->userData : NULL;
}

bool hwMechanism_SetUserData(hwWorld* world, hwMechanismId id, void* userData) {
    hwMechanismObject* mechanism = GetMechanism(world, id);
    if (mechanism == NULL) return false;
    mechanism->userData = userData;
    return true;
}

// A link's body is called "mechanism.link", its def only "link".
static hwBodyDef GetPartDef(const hwWorld* world, const hwMechanismObject* mechanism, hwBodyId id) {
    hwBodyDef def = hwWorld_GetBody(world, id)->def;
    def.name += strlen(mechanism->name) + 1;
    return def;
}

bool hwMechanism_GetDef(const hwWorld* world, hwMechanismId id, hwMechanismDef* def, int capacity,
                        hwLinkDef* links) {
    const hwMechanismObject* mechanism = GetMechanism(world, id);
    if (mechanism == NULL) return false;
    *def = hwDefaultMechanismDef();
    def->name = mechanism->name;
    def->base = mechanism->free ? HW_BASE_FREE : HW_IS_NULL(mechanism->base) ? HW_BASE_EARTH : HW_BASE_BODY;
    if (mechanism->free) {
        def->free = GetPartDef(world, mechanism, mechanism->base);
    } else {
        def->body = mechanism->base;
    }
    def->position = mechanism->place.r;
    def->attitude = hwQuatFromMat3(mechanism->place.R);
    def->tool = mechanism->tool;
    def->capacity = mechanism->capacity;
    def->userData = mechanism->userData;
    def->linkCount = mechanism->linkCount;
    def->links = links;
    for (int k = 0; k < mechanism->linkCount && k < capacity; ++k) {
        links[k] = hwWorld_GetBody(world, mechanism->links[k])->joint->def;
        links[k].body = GetPartDef(world, mechanism, mechanism->links[k]);
    }
    return true;
}

// Cables, winches, sheaves -----------------------------------------------------------------------------------------------

int hwWorld_GetCables(const hwWorld* world, int capacity, hwCableId* cables) {
    int count = 0;
    hwCableId id;
    for (int at = 0; NextObject(&world->cables, &at, &id.index, &id.generation);) {
        const hwCableObject* cable = world->cables.items[at - 1];
        // a part that no cut has made yet is only a place in memory
        bool part = !HW_IS_NULL(cable->whole);
        if (part && !(world->prepared && cable->slot >= 0 && hwWorld_HasCable(world, cable->slot))) continue;
        if (count < capacity) cables[count] = id;
        count += 1;
    }
    return count;
}

bool hwCable_IsValid(const hwWorld* world, hwCableId id) {
    return hwWorld_GetCable(world, id) != NULL;
}

const hwCableDef* hwCable_GetDef(const hwWorld* world, hwCableId id) {
    const hwCableObject* cable = hwWorld_GetCable(world, id);
    return cable != NULL ? &cable->def : NULL;
}

void* hwCable_GetUserData(const hwWorld* world, hwCableId id) {
    const hwCableObject* cable = hwWorld_GetCable(world, id);
    return cable != NULL ? cable->def.userData : NULL;
}

bool hwCable_SetUserData(hwWorld* world, hwCableId id, void* userData) {
    hwCableObject* cable = hwWorld_GetCable(world, id);
    if (cable == NULL) return false;
    cable->def.userData = userData;
    return true;
}

int hwWorld_GetWinches(const hwWorld* world, int capacity, hwWinchId* winches) {
    int count = 0;
    hwWinchId id;
    for (int at = 0; NextObject(&world->winches, &at, &id.index, &id.generation); ++count) {
        if (count < capacity) winches[count] = id;
    }
    return count;
}

bool hwWinch_IsValid(const hwWorld* world, hwWinchId id) {
    return hwWinches_Get(world, id) != NULL;
}

const hwWinchDef* hwWinch_GetDef(const hwWorld* world, hwWinchId id) {
    const hwWinchObject* winch = hwWinches_Get(world, id);
    return winch != NULL ? &winch->def : NULL;
}

void* hwWinch_GetUserData(const hwWorld* world, hwWinchId id) {
    const hwWinchObject* winch = hwWinches_Get(world, id);
    return winch != NULL ? winch->def.userData : NULL;
}

bool hwWinch_SetUserData(hwWorld* world, hwWinchId id, void* userData) {
    hwWinchObject* winch = hwWinches_Get(world, id);
    if (winch == NULL) return false;
    winch->def.userData = userData;
    return true;
}

static hwSheaveObject* GetSheave(const hwWorld* world, hwSheaveId id) {
    return hwPool_Get(&world->sheaves, id.index, id.generation);
}

int hwWorld_GetSheaves(const hwWorld* world, int capacity, hwSheaveId* sheaves) {
    int count = 0;
    hwSheaveId id;
    for (int at = 0; NextObject(&world->sheaves, &at, &id.index, &id.generation); ++count) {
        if (count < capacity) sheaves[count] = id;
    }
    return count;
}

bool hwSheave_IsValid(const hwWorld* world, hwSheaveId id) {
    return GetSheave(world, id) != NULL;
}

const hwSheaveDef* hwSheave_GetDef(const hwWorld* world, hwSheaveId id) {
    const hwSheaveObject* sheave = GetSheave(world, id);
    return sheave != NULL ? &sheave->def : NULL;
}

void* hwSheave_GetUserData(const hwWorld* world, hwSheaveId id) {
    const hwSheaveObject* sheave = GetSheave(world, id);
    return sheave != NULL ? sheave->def.userData : NULL;
}

bool hwSheave_SetUserData(hwWorld* world, hwSheaveId id, void* userData) {
    hwSheaveObject* sheave = GetSheave(world, id);
    if (sheave == NULL) return false;
    sheave->def.userData = userData;
    return true;
}

// Vehicles ---------------------------------------------------------------------------------------------------------------

static hwVehicleObject* GetVehicle(const hwWorld* world, hwVehicleId id) {
    return hwPool_Get(&world->vehicles, id.index, id.generation);
}

bool hwVehicle_IsValid(const hwWorld* world, hwVehicleId id) {
    return GetVehicle(world, id) != NULL;
}

void* hwVehicle_GetUserData(const hwWorld* world, hwVehicleId id) {
    const hwVehicleObject* vehicle = GetVehicle(world, id);
    return vehicle != NULL ? vehicle->def.userData : NULL;
}

bool hwVehicle_SetUserData(hwWorld* world, hwVehicleId id, void* userData) {
    hwVehicleObject* vehicle = GetVehicle(world, id);
    if (vehicle == NULL) return false;
    vehicle->def.userData = userData;
    return true;
}

// Forces on cables -------------------------------------------------------------------------------------------------------

static hwCableForceObject* GetCableForce(const hwWorld* world, hwCableForceId id) {
    return hwPool_Get(&world->cableForces, id.index, id.generation);
}

int hwWorld_GetCableForces(const hwWorld* world, int capacity, hwCableForceId* forces) {
    int count = 0;
    hwCableForceId id;
    for (int at = 0; NextObject(&world->cableForces, &at, &id.index, &id.generation); ++count) {
        if (count < capacity) forces[count] = id;
    }
    return count;
}

bool hwCableForce_IsValid(const hwWorld* world, hwCableForceId id) {
    return GetCableForce(world, id) != NULL;
}

const hwCableForceDef* hwCableForce_GetDef(const hwWorld* world, hwCableForceId id) {
    const hwCableForceObject* force = GetCableForce(world, id);
    return force != NULL ? &force->def : NULL;
}

void* hwCableForce_GetUserData(const hwWorld* world, hwCableForceId id) {
    const hwCableForceObject* force = GetCableForce(world, id);
    return force != NULL ? force->def.userData : NULL;
}

bool hwCableForce_SetUserData(hwWorld* world, hwCableForceId id, void* userData) {
    hwCableForceObject* force = GetCableForce(world, id);
    if (force == NULL) return false;
    force->def.userData = userData;
    return true;
}

hwStatus hwWorld_RemoveCableForce(hwWorld* world, hwCableForceId id, hwError* error) {
    hwClearError(error);
    if (GetCableForce(world, id) == NULL)
        return hwFail(error, HW_ERROR_ARGUMENT, NULL,
                      "the handle does not refer to a force on a cable of this world");
    hwRelease(&world->allocator, hwPool_Remove(&world->cableForces, id.index));
    hwWorld_Unprepare(world);
    return HW_OK;
}

// Materials --------------------------------------------------------------------------------------------------------------

static hwMaterialDef* GetMaterial(const hwWorld* world, hwMaterialId id) {
    return hwPool_Get(&world->materials, id.index, id.generation);
}

hwMaterialId hwWorld_FindMaterial(const hwWorld* world, const char* name) {
    hwMaterialId id, none = {0, 0};
    if (name == NULL) return none;
    for (int at = 0; NextObject(&world->materials, &at, &id.index, &id.generation);) {
        if (strcmp(GetMaterial(world, id)->name, name) == 0) return id;
    }
    return none;
}

int hwWorld_GetMaterials(const hwWorld* world, int capacity, hwMaterialId* materials) {
    int count = 0;
    hwMaterialId id;
    for (int at = 0; NextObject(&world->materials, &at, &id.index, &id.generation); ++count) {
        if (count < capacity) materials[count] = id;
    }
    return count;
}

bool hwMaterial_IsValid(const hwWorld* world, hwMaterialId id) {
    return GetMaterial(world, id) != NULL;
}

const hwMaterialDef* hwMaterial_GetDef(const hwWorld* world, hwMaterialId id) {
    return GetMaterial(world, id);
}

void* hwMaterial_GetUserData(const hwWorld* world, hwMaterialId id) {
    const hwMaterialDef* material = GetMaterial(world, id);
    return material != NULL ? material->userData : NULL;
}

bool hwMaterial_SetUserData(hwWorld* world, hwMaterialId id, void* userData) {
    hwMaterialDef* material = GetMaterial(world, id);
    if (material == NULL) return false;
    material->userData = userData;
    return true;
}
