// Vehicles of a scene: their types, adding them to a world, and what events say about them in words.
#include "scene_vehicles.h"

#include "hawser/vehicle_type.h"
#include "scene_place.h"

#include <string.h>

int hwScene_GetVehicleCount(const hwScene* scene) {
    return scene->model.vehicles.count;
}

const char* hwScene_GetVehicleName(const hwScene* scene, int index) {
    if (index < 0 || index >= scene->model.vehicles.count) return NULL;
    return HW_ITEM(scene->model.vehicles, hwSceneVehicle, index)->name;
}

hwVehicleType* hwScene_LoadVehicleType(const hwScene* scene, int index, hwError* error) {
    if (index < 0 || index >= scene->model.vehicles.count) {
        hwSceneFail(error, HW_ERROR_ARGUMENT, 0, 0, "the scene has no vehicle number %d", index);
        return NULL;
    }
    const hwSceneVehicle* vehicle = HW_ITEM(scene->model.vehicles, hwSceneVehicle, index);
    return hwLoadVehicleType(vehicle->model, scene->folder, error);
}

// A mistake inside the vehicle's file is told with its place there, at the place of `model` in the scene.
static void PlaceError(const hwSceneVehicle* vehicle, hwError* error) {
    if (error->line > 0) {
        char text[sizeof(error->message)];
        snprintf(text, sizeof(text), "vehicle `%s`, line %d: %.200s", vehicle->model, error->line,
                 error->message);
        memcpy(error->message, text, sizeof(text));
    }
    hwPlaceField(&vehicle->place, hwVehicleKeys, error);
}

static bool AddVehicle(const hwScene* scene, int index, hwWorld* world, hwError* error) {
    const hwSceneVehicle* vehicle = HW_ITEM(scene->model.vehicles, hwSceneVehicle, index);
    hwVehicleType* type = hwScene_LoadVehicleType(scene, index, error);
    if (type == NULL) return false;
    hwVehicleDef def = hwVehicleType_GetDef(type);
    def.body.name = vehicle->name;
    def.body.position = vehicle->position;
    def.body.attitude = hwSceneAttitude_Get(&vehicle->attitude);
    def.body.velocity = vehicle->velocity;
    def.body.rate = vehicle->rate;
    def.armed = vehicle->armed;
    def.mode = (hwVehicleMode)vehicle->mode;
    def.routeCount = vehicle->route.count;
    def.route = vehicle->route.values;
    bool good = !HW_IS_NULL(hwVehicleType_Add(type, &def, world, error));
    hwDestroyVehicleType(type);
    return good;
}

bool hwScene_AddVehicles(const hwScene* scene, hwWorld* world, hwError* error) {
    for (int i = 0; i < scene->model.vehicles.count; i++) {
        if (AddVehicle(scene, i, world, error)) continue;
        PlaceError(HW_ITEM(scene->model.vehicles, hwSceneVehicle, i), error);
        return false;
    }
    return true;
}

bool hwScene_ReadWord(const hwScene* scene, const char* input, const char* word, double* value) {
    for (int i = 0; i < scene->model.vehicles.count; i++) {
        const char* name = HW_ITEM(scene->model.vehicles, hwSceneVehicle, i)->name;
        size_t length = strlen(name);
        if (strncmp(input, name, length) != 0 || strcmp(input + length, ".mode") != 0) continue;
        const hwChoice* mode = hwChoice_Find(hwVehicleModeChoices, word);
        if (mode == NULL) continue;
        *value = mode->value;
        return true;
    }
    return false;
}
