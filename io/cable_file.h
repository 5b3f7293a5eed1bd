// Files that describe a kind of cable: cables/*.yaml, and a section's `type`.
#ifndef HW_IO_CABLE_FILE_H
#define HW_IO_CABLE_FILE_H

#include "scene_model.h"
#include "schema.h"

typedef struct hwCableFile {
    hwPlace place;
    int version;
    const char *title, *source;
    hwSceneCableSection section; // all but length, elements, material and bounds of elements
} hwCableFile;

extern const hwSection hwSection_cableFile;

// Reads a cable by its name, or by its path when that ends in .yaml. Looks in a folder `cables` beside the scene's folder or
// above it (null: it has none), then among those that come with Hawser. What it takes lives in the store.
bool hwLoadCableFile(hwStore* store, const char* name, const char* folder, hwCableFile* file, hwError* error);

// Those that come with Hawser.
int hwCableFile_GetBuiltInCount(void);
const char* hwCableFile_GetBuiltIn(int index);

#endif
