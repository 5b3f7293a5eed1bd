// Vehicles with their pilots, thrusters, instruments and grippers.
#ifndef HW_PARTS_VEHICLES_VEHICLES_H
#define HW_PARTS_VEHICLES_VEHICLES_H

#include "world/world.h"
#include "vehicle/vehicle.h"

#define HW_VEHICLE_COOKIE 0x48570010

// A vehicle as added, beside its body.
typedef struct hwVehicleObject {
    hwVehicleDef def; // its body's def is a copy of the body object's
    hwVehicleId id;
    hwBodyId body;
} hwVehicleObject;

// A vehicle in the model.
typedef struct hwVehicleEntry {
    hwVehicleObject* object;
    hwVehicleModel model;
    int link;
    int input;     // first of its inputs, see hwVehicleInput
    int auxiliary; // first of its variables, see hwVehicleVariable
} hwVehicleEntry;

typedef struct hwVehiclesModel {
    int count;
    hwVehicleEntry* items;
} hwVehiclesModel;

typedef struct hwVehiclesWork {
    hwVehicleMotion* motions; // [vehicle]
    hwVehicleOutput* outputs; // [vehicle]
} hwVehiclesWork;

// gripper.c: what a vehicle's gripper holds, or a null id.
hwBodyId hwWorld_GetHeldBody(const hwWorld* world, int vehicle);

// mirror.c: adds the force that makes a vehicle follow the real one whose motion its inputs tell, if they do.
void hwWorld_FollowMirror(const hwWorld* world, const hwVehicleEntry* entry);

// vehicle.c: the cable that ends at the vehicle's point `tether`, and which end that is; false: there is none.
bool hwVehicle_FindTether(const hwWorld* world, const hwVehicleEntry* entry, int* slot, int* which);
// The turns counter; needs an evaluation.
double hwVehicle_ReadTurns(const hwWorld* world, int vehicle);

#endif
