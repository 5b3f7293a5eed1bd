// A vehicle's motion as autopilots and ground stations speak of it: north-east-down, and in the body forward-right-down.
#ifndef HW_CONNECT_NED_H
#define HW_CONNECT_NED_H

#include "hawser/vehicle.h"
#include "hawser/world.h"

// World axes x north, y west, z up and body axes x forward, y to port, z up are both half a turn about x away from these, so
// that vectors change the sign of y and z, and quaternions too. Height zero is the mean surface of the water.
typedef struct hwNedState {
    double time;         // s
    hwVec3 position;     // m, NED, of the body's origin; down is the depth
    hwVec3 velocity;     // m/s, NED, over ground
    hwVec3 acceleration; // m/s2, NED
    hwQuat attitude;     // FRD to NED
    double roll;         // rad, -pi..pi
    double pitch;        // rad
    double yaw;          // rad, -pi..pi
    hwVec3 rate;         // rad/s, FRD
    hwVec3
        specificForce; // m/s2, FRD: what an accelerometer at the origin feels; level and at rest (0, 0, -g)
    double depth;      // m
    double altitude;   // m above the bottom; NaN without one
} hwNedState;

// False: there is no such vehicle in the prepared world.
bool hwNedState_Read(hwNedState* ned, const hwWorld* world, hwVehicleId vehicle);

// Some milliseconds later, as if acceleration, rate and what is felt stayed as they are.
hwNedState hwNedState_Extrapolate(const hwNedState* ned, double seconds);

// A vector in one of the systems, in the other.
hwVec3 hwNed_Turn(hwVec3 v);

#endif
