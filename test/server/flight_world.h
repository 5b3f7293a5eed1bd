// The world of a flight, headless, and a pilot's hands on it.
#ifndef TEST_SERVER_FLIGHT_WORLD_H
#define TEST_SERVER_FLIGHT_WORLD_H

#include "support.h"

#include "apps/server/catalog.h"
#include "hawser/hawser.h"

static inline hwWorld* MakeFlight(const hwWebCatalog* catalog, const hwWebFlightOptions* options) {
    hwError error;
    char* text = hwWebCatalog_ComposeFlight(catalog, options);
    hwScene* scene = hwParseScene(text, strlen(text), "flight", NULL, &error);
    if (scene == NULL) fail_msg("%s", error.message);
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    if (world == NULL) fail_msg("%s", error.message);
    hwDestroyScene(scene);
    free(text);
    return world;
}

static inline void Set(hwWorld* world, const char* input, double value) {
    hwError error;
    if (hwWorld_SetInput(world, hwWorld_FindInput(world, input), value, &error) != HW_OK)
        fail_msg("%s", error.message);
}

static inline double Read(const hwWorld* world, const char* channel) {
    return hwWorld_ReadChannel(world, hwWorld_FindChannel(world, channel));
}

#endif
