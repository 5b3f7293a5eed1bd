// Vehicles of a scene, for scene_world.c.
#ifndef HW_IO_SCENE_VEHICLES_H
#define HW_IO_SCENE_VEHICLES_H

#include "scene_model.h"

// Adds the scene's vehicles; `error` is not null and has the place of a mistake.
bool hwScene_AddVehicles(const hwScene* scene, hwWorld* world, hwError* error);

// The number that a word stands for when an event sets `input` to it; false when it stands for none.
bool hwScene_ReadWord(const hwScene* scene, const char* input, const char* word, double* value);

#endif
