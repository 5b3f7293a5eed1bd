// Values set over what a scene file says: `bodies.load.mass=3000`.
#ifndef HW_IO_SCENE_SET_H
#define HW_IO_SCENE_SET_H

#include "yaml_tree.h"

// Sets one value in the tree. A step of the path is a key, the name of an object in a list, or its number from 0; keys
// that are not there yet are added, and what they mean is for the reader to judge. Returns the value's node, which has the
// place of the one it replaces or belongs to; null and `error` on failure.
const hwYaml* hwYaml_Set(hwStore* store, hwYaml* root, const char* assignment, hwError* error);

#endif
