// What a server offers: vehicles, surroundings, tethers, scenes; and the scene of a flight made from a pilot's choice.
#ifndef HW_SERVER_CATALOG_H
#define HW_SERVER_CATALOG_H

#include "apps/server/options.h"
#include "hawser/scene.h"
#include "hawser/vehicle_type.h"

// A file made into an array by the build, see tools/embed_table.cmake.
typedef struct hwWebEmbeddedFile {
    const char* name;
    const unsigned char* bytes;
    size_t size;
} hwWebEmbeddedFile;

typedef struct hwWebTetherType {
    const char *name, *title, *color;
    double diameter, massPerLength, EA, EI, GJ; // m, kg/m, N, N m2, N m2
    double working, breaking;                   // N
    double shortest, longest, usual;            // m
} hwWebTetherType;

// A place to fly in, or any scene.
typedef struct hwWebCatalogScene {
    struct hwWebCatalogScene* older; // of a preset that was read again
    char name[64];
    char title[128];
    char summary[200];
    char* text;
    char folder[512];      // where its files are; empty: nowhere
    bool vehicles;         // it has its own
    bool lesson;           // it is one; then `summary` says why
    double par;            // s, of a lesson
    double pass;           // points, of a lesson
    hwTrainerInfo trainer; // strings are not kept
    char launchOn[64];
    double mostOut;  // m of tether out at the start, at most: more would lie on the bottom in a heap
    double straight; // m from launch to vehicle at the start
} hwWebCatalogScene;

typedef enum hwWebPresetKind {
    PRESET_NONE,
    PRESET_SURROUNDINGS,
    PRESET_SCENE,
    PRESET_RESULTS
} hwWebPresetKind;

typedef struct hwWebCatalog {
    int vehicleCount;
    hwVehicleType** vehicles;
    int surroundingCount;
    hwWebCatalogScene* surroundings;
    int sceneCount;
    hwWebCatalogScene* scenes;
    int lessonCount;
    hwWebCatalogScene* lessons; // in the order in which they are flown
    bool tethers;               // this build simulates cables
    hwWebPresetKind presetKind;
    hwWebCatalogScene preset;
    // The preset as it was read last, or null: it was read once. Those before stay: other threads may be reading them.
    _Atomic(hwWebCatalogScene*) newest;
    char presetPath[512]; // of results
    hwWebFlightOptions defaults;
} hwWebCatalog;

// Loads everything; `preset` is a scene or results file, or null. False and `error` when the preset cannot be read.
bool hwWebCatalog_Init(hwWebCatalog* catalog, const char* preset, hwError* error);
// The same with values set over what a scene says, see hwLoadSceneWith.
bool hwWebCatalog_InitWith(hwWebCatalog* catalog, const char* preset, int setCount, const char* const* sets,
                           hwError* error);
// Reads the scene of the preset again; what cannot be read leaves the one before. For the server's thread.
bool hwWebCatalog_ReadAgain(hwWebCatalog* catalog, const char* path, int setCount, const char* const* sets,
                            hwError* error);
void hwWebCatalog_Free(hwWebCatalog* catalog);

// The object that the protocol calls `catalog`.
json_t* hwWebCatalog_ToJson(const hwWebCatalog* catalog);

const hwWebTetherType* hwWebCatalog_FindTether(const char* name);

// Checks a pilot's choice; fills `message` and returns false when something is not there.
bool hwWebCatalog_CheckOptions(const hwWebCatalog* catalog, hwWebFlightOptions* options, char* message,
                               size_t size);

// The scene chosen: surroundings, a scene by name, or the preset. Null: none.
const hwWebCatalogScene* hwWebCatalog_FindScene(const hwWebCatalog* catalog,
                                                const hwWebFlightOptions* options);
const hwWebCatalogScene* hwWebCatalog_FindSceneByName(const hwWebCatalog* catalog, const char* name);

// Text of the scene of a flight, with vehicle and tether; the caller frees it. Null: out of memory.
char* hwWebCatalog_ComposeFlight(const hwWebCatalog* catalog, const hwWebFlightOptions* options);

#endif
