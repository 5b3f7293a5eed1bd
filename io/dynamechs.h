// Model files of DynaMechs (McMillan 1994-2001), versions 2.0.3, 2.1, 3.0 and 4.0: text in blocks, `#` for comments.
#ifndef HW_IO_DYNAMECHS_H
#define HW_IO_DYNAMECHS_H

#include "mech_text.h"

#define HW_DM_MAX_BYTES ((size_t)16 << 20)
#define HW_DM_MAX_LINKS 10000
#define HW_DM_MAX_MODELS 16

// A system of a .dm file.
typedef struct hwDmSystem {
    const char* name;
    hwVec3 position; // of the base, where the reference member is static
    hwVec3 rpy;
    int count, capacity;
    hwMechLink* links; // owned by the store
    bool wet;
} hwDmSystem;

typedef struct hwDmReader {
    hwStore* store;
    const char* input; // file name for messages
    hwLogFn* log;
    void* logContext;
    hwError* error;
    double density; // kg/m3 of the fluid, for the drag of cylinders
} hwDmReader;

// Parses the text of a .dm file. False with `error` on failure.
bool hwDm_Parse(const hwDmReader* reader, const char* text, size_t size, hwDmSystem* system);

// What the .cfg files say.
typedef struct hwDmConfig {
    double gravity; // downwards
    double density; // NaN: not given
    hwMechGround ground;
    const char* terrain;                  // file, null: none
    const char* environment;              // of a simulation file: the environment's
    const char* robots[HW_DM_MAX_MODELS]; // of a simulation file: the models'
    int robotCount;
    int terrainLine, environmentLine;
} hwDmConfig;

// Reads a simulation or environment file into `config`, on top of what is there.
bool hwDm_ParseConfig(const hwDmReader* reader, const char* text, size_t size, hwDmConfig* config);

#endif
