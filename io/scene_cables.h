// Cables and winches of a scene: adding them to a world, with the forces on them and the events about them.
#ifndef HW_IO_SCENE_CABLES_H
#define HW_IO_SCENE_CABLES_H

#include "scene_model.h"

// Adds all cables and winches; what they hang on must be there. False and an error with its place on failure.
bool hwScene_AddCables(const hwScene* scene, hwWorld* world, hwError* error);

// Adds all watches of cables; cables must be there (scene_entanglement.c).
bool hwScene_AddWatches(const hwScene* scene, hwWorld* world, hwError* error);

// Adds a force of the scene that is on a cable. `handled` says whether it is.
bool hwScene_AddCableForce(const hwScene* scene, const hwSceneForce* force, hwWorld* world, bool* handled,
                           hwError* error);

// Adds what an event does to cables: detach, attach, cut.
bool hwScene_AddCableEvent(const hwScene* scene, const hwSceneEvent* event, hwWorld* world, hwError* error);

#endif
