#include "hawser/sonar_cloud.h"

#include "hawser/body.h"
#include "hawser/elementary.h"
#include "hawser/query.h"
#include "hawser/vehicle_type.h"
#include "results_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SWEPT 16 // beams of a scanning sonar in one cloud

typedef struct Sonar {
    char name[192], parent[128], own[64];
    hwVehicleSonarDef def; // with its body
    float threshold;
    double number; // of the last ping; NaN: none
    hwSonarCloud cloud;
    float* image;
    hwSonarPoint* points; // room for all bins of a ping, or of as many beams as are swept at once
} Sonar;

struct hwSonarClouds {
    int count;
    Sonar* items;
};

// Bins where nothing is are exponential about the floor, as far as there is speckle: one is above floor * ln N with the
// probability 1/N, so that of N bins one would be on the average; two floors more make it one ping in e^2 = 7.
static float FindThreshold(const hwSonarDef* def) {
    double bins = (double)def->beams * def->bins;
    return (float)(def->floor * (1.0 - def->speckle + def->speckle * (hwLog(bins) + 2.0)));
}

static bool AddSonar(hwSonarClouds* clouds, const char* vehicle, hwBodyId body,
                     const hwVehicleSonarDef* def) {
    Sonar* sonar = &clouds->items[clouds->count++];
    *sonar = (Sonar){.def = *def, .number = (double)NAN};
    snprintf(sonar->parent, sizeof(sonar->parent), "%s", vehicle);
    snprintf(sonar->own, sizeof(sonar->own), "%s", def->name);
    snprintf(sonar->name, sizeof(sonar->name), "%s.%s", sonar->parent, sonar->own);
    sonar->def.name = sonar->own;
    sonar->def.def.body = body;
    sonar->def.def.most = def->first;
    sonar->threshold = FindThreshold(&sonar->def.def);
    size_t bins = (size_t)sonar->def.def.beams * (size_t)sonar->def.def.bins;
    sonar->image = malloc(bins * sizeof(float));
    sonar->points = malloc((def->scanning ? MOST_SWEPT : 1) * bins * sizeof(hwSonarPoint));
    sonar->cloud = (hwSonarCloud){
        .mounting = {def->def.position, def->def.attitude},
        .rate = def->rate,
        .bin = (sonar->def.def.most - sonar->def.def.least) / sonar->def.def.bins,
        .time = (double)NAN,
        .pose = hwPose_identity,
        .points = sonar->points,
    };
    return sonar->image != NULL && sonar->points != NULL;
}

static hwStatus AddVehicle(hwSonarClouds* clouds, const hwScene* scene, int index, const hwWorld* world,
                           hwError* error) {
    const char* name = hwScene_GetVehicleName(scene, index);
    hwBodyId body = hwWorld_FindBody(world, name);
    if (HW_IS_NULL(body)) return HW_OK; // it was removed
    hwVehicleType* type = hwScene_LoadVehicleType(scene, index, error);
    if (type == NULL) return error != NULL ? error->status : HW_ERROR_FILE;
    const hwVehicleLook* look = hwVehicleType_GetLook(type);
    Sonar* items = realloc(clouds->items, (size_t)(clouds->count + look->sonarCount + 1) * sizeof(*items));
    bool good = items != NULL;
    if (good) clouds->items = items;
    for (int i = 0; good && i < look->sonarCount; ++i) good = AddSonar(clouds, name, body, &look->sonars[i]);
    hwDestroyVehicleType(type);
    return good ? HW_OK
                : hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory for the sonars of %s.",
                                name);
}

hwSonarClouds* hwCreateSonarClouds(const hwScene* scene, const hwWorld* world, hwError* error) {
    hwSonarClouds* clouds = calloc(1, sizeof(*clouds));
    if (clouds == NULL) {
        hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory for sonars.");
        return NULL;
    }
    for (int i = 0; i < hwScene_GetVehicleCount(scene); ++i) {
        if (AddVehicle(clouds, scene, i, world, error) == HW_OK) continue;
        hwDestroySonarClouds(clouds);
        return NULL;
    }
    return clouds;
}

void hwDestroySonarClouds(hwSonarClouds* clouds) {
    if (clouds == NULL) return;
    for (int i = 0; i < clouds->count; ++i) {
        free(clouds->items[i].image);
        free(clouds->items[i].points);
    }
    free(clouds->items);
    free(clouds);
}

int hwSonarClouds_GetCount(const hwSonarClouds* clouds) {
    return clouds->count;
}

hwSonarCloud hwSonarClouds_Get(const hwSonarClouds* clouds, int sonar) {
    if (sonar < 0 || sonar >= clouds->count) return (hwSonarCloud){0};
    hwSonarCloud cloud = clouds->items[sonar].cloud;
    cloud.name = clouds->items[sonar].name;
    cloud.parent = clouds->items[sonar].parent;
    return cloud;
}

static void AddPoints(Sonar* sonar) {
    const hwSonarDef* def = &sonar->def.def;
    int count = sonar->cloud.count;
    for (int beam = 0; beam < def->beams; ++beam) {
        double sine, cosine;
        hwSinAndCos(hwSonar_GetBearing(def, beam), &sine, &cosine);
        const float* bins = sonar->image + (size_t)beam * (size_t)def->bins;
        for (int i = 0; i < def->bins; ++i) {
            if (!(bins[i] > sonar->threshold)) continue;
            double range = hwSonar_GetRange(def, i);
            sonar->points[count++] =
                (hwSonarPoint){(float)(range * cosine), (float)(-range * sine), 0.0f, bins[i]};
        }
    }
    sonar->cloud.count = count;
}

hwStatus hwSonarClouds_Update(hwSonarClouds* clouds, int index, hwWorld* world, bool* fresh, hwError* error) {
    *fresh = false;
    if (index < 0 || index >= clouds->count)
        return hwResultsFail(error, HW_ERROR_ARGUMENT, "There is no sonar number %d.", index);
    Sonar* sonar = &clouds->items[index];
    double time = hwWorld_GetTime(world);
    // times of rows are not exact in binary: a ping is due a thousandth of its interval early
    double number = floor(time * sonar->def.rate + 1e-3);
    if (number == sonar->number) return HW_OK;
    double first = number;
    if (sonar->def.scanning && sonar->number < number)
        first = hwFmax(sonar->number + 1.0, number - (MOST_SWEPT - 1));
    sonar->number = number;
    hwBodyState body;
    hwStatus status = hwBody_GetState(world, sonar->def.def.body, &body, error);
    if (status == HW_OK) status = hwWorld_UpdateQueries(world, error);
    if (status != HW_OK) return status;
    sonar->cloud.count = 0;
    for (double ping = first; ping <= number; ping += 1.0) {
        if (sonar->def.scanning) sonar->def.def.bearing = hwVehicleSonar_GetBearing(&sonar->def, ping);
        status = hwWorld_PingSonar(world, &sonar->def.def, (uint64_t)ping, sonar->image, error);
        if (status != HW_OK) return status;
        AddPoints(sonar);
    }
    sonar->cloud.time = time;
    sonar->cloud.pose = hwMulPose((hwPose){body.position, body.attitude}, sonar->cloud.mounting);
    *fresh = true;
    return HW_OK;
}
