// Instruments of scenes and vehicle files.
#ifndef HW_IO_SCENE_INSTRUMENTS_H
#define HW_IO_SCENE_INSTRUMENTS_H

#include "scene_model.h"

// Adds those of the scene. False with `error`.
bool hwScene_AddInstruments(const hwScene* scene, hwWorld* world, hwError* error);

// Adds those of a kind of vehicle to one of them.
bool hwVehicleType_AddInstruments(const struct hwVehicleType* type, hwWorld* world, hwBodyId body,
                                  hwError* error);

#endif
