// Where in a file an error of the core belongs: the field that it names is followed through the keys of the file.
#ifndef HW_IO_SCENE_PLACE_H
#define HW_IO_SCENE_PLACE_H

#include "scene_model.h"

// A field of a def that a file calls otherwise: "hydro.linearDrag" is `drag.linear` of a body. What is not in such a list
// has the same name in both, `addedMass` being `added_mass`. The first entry that fits is taken, with all that is inside of
// the field. Lists end with a null field.
typedef struct hwFieldKey {
    const char* field;
    const char* key;
} hwFieldKey;

extern const hwFieldKey hwBodyKeys[], hwLinkKeys[], hwCableKeys[], hwWinchKeys[], hwSheaveKeys[],
    hwMaterialKeys[], hwEnvironmentKeys[], hwForceKeys[], hwEventKeys[], hwVehicleKeys[], hwMechanismKeys[],
    hwLessonKeys[], hwPlainKeys[];

// Puts onto `error` the line and column of the key for its field, as deep as the file goes; without one, those of the
// section.
void hwPlaceField(const hwPlace* place, const hwFieldKey* keys, hwError* error);

// The value that a section gives for a key, or for key_deg; null: none.
const hwYaml* hwPlace_Find(const hwPlace* place, const char* key);

#endif
