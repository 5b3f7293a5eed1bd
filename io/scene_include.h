// A scene that builds on another one: `include: complex_area`.
#ifndef HW_IO_SCENE_INCLUDE_H
#define HW_IO_SCENE_INCLUDE_H

#include "yaml_tree.h"

// Reads the scene that `root` includes, if any, and puts what `root` says over it: mappings are merged key by key, lists of
// objects by their names, everything else is replaced. The key `include` is gone afterwards; `name` is what it named, or null.
// False and `error` on failure.
bool hwYaml_Include(hwStore* store, hwYaml* root, const char* folder, const char** name, hwError* error);

// A part that a vehicle's file includes, and where.
typedef struct hwIncludedPart {
    const char* name;
    int line, column;
    struct hwIncludedPart* next;
} hwIncludedPart;

// The same for parts of a vehicle: each mapping below `root` may include one, such as a thruster, a lamp or an arm; what the
// mapping says itself goes over it. Everything that comes from a part has the place of its `include`; `parts` lists them.
bool hwYaml_IncludeParts(hwStore* store, hwYaml* root, const char* folder, hwIncludedPart** parts,
                         hwError* error);

// The tree as YAML text that reads back to the same tree. The caller frees it; null: out of memory.
char* hwYaml_Write(const hwYaml* root);
// A value in one line, as `[1, 2, 3]`, likewise.
char* hwYaml_WriteValue(const hwYaml* value);

#endif
