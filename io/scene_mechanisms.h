// Mechanisms of a scene: adding them to a world, and what events say about their joints in words.
#ifndef HW_IO_SCENE_MECHANISMS_H
#define HW_IO_SCENE_MECHANISMS_H

#include "scene_model.h"

// Adds all mechanisms; bodies and vehicles must be there. False and an error with its place on failure.
bool hwScene_AddMechanisms(const hwScene* scene, hwWorld* world, hwError* error);

// Adds the arms of a vehicle's file to its body, as `vehicle.arm`.
bool hwScene_AddArms(const hwItems* arms, hwBodyId vehicle, hwWorld* world, hwError* error);

// The value of `<mechanism>.<link>.mode` that a word stands for.
bool hwScene_ReadControlMode(const hwScene* scene, const char* input, const char* word, double* value);

#endif
