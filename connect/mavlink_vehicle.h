// A vehicle of the world as ground stations see it: MAVLink 2 over UDP, with the vehicle's own autopilot behind it.
//
// It sends to the address given and answers every sender. It says what it is: a submarine with a generic autopilot. Modes
// have ArduSub's numbers, named values ArduSub's names, buttons ArduSub's functions.
#ifndef HW_CONNECT_MAVLINK_VEHICLE_H
#define HW_CONNECT_MAVLINK_VEHICLE_H

#include "connect/connector.h"
#include "connect/udp_link.h"
#include "hawser/vehicle.h"

typedef struct hwMavVehicleDef {
    hwUdpAddress peer;
    hwVehicleId vehicle;
    hwUdpLinkDef link;          // between pilot and vehicle
    bool hasOrigin;             // world position (0, 0) is at:
    double latitude, longitude; // deg
} hwMavVehicleDef;

// Null, and `error` says why.
hwConnector* hwCreateMavVehicle(const hwWorld* world, const hwMavVehicleDef* def, hwError* error);

// ArduSub's number of a mode; modes of ours that it does not tell apart have one number. And back; false: we have no such mode.
int hwMavMode_FromVehicle(hwVehicleMode mode);
bool hwMavMode_ToVehicle(uint32_t number, hwVehicleMode* mode);

#endif
