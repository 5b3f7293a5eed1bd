// The autopilot's modes: force and moment that keep depth, heading, level attitude, height above the bottom and place, or follow a
// route.
//
// Set points and integrals are first-order variables of the world's state. A mode's stick moves its set point at a rate:
// heave in the depth modes, yaw in the heading modes, surge and sway where the place is held. A route is followed by its length
// that is done, a first-order variable too: the place to be held goes along it, the more slowly the further it is ahead.
#ifndef HW_VEHICLE_AUTOPILOT_H
#define HW_VEHICLE_AUTOPILOT_H

#include "hawser/vehicle.h"

// Variables of the autopilot, in the order in which they depend on one another.
typedef enum hwHoldVariable {
    HW_HOLD_DEPTH,            // m, set point
    HW_HOLD_HEADING,          // rad, set point, counted on like the heading's integral
    HW_HOLD_DEPTH_INTEGRAL,   // N
    HW_HOLD_HEADING_INTEGRAL, // N m
    HW_HOLD_ROLL_INTEGRAL,    // N m
    HW_HOLD_PITCH_INTEGRAL,   // N m
    HW_HOLD_ALTITUDE,         // m, set point
    HW_HOLD_X,                // m, set point
    HW_HOLD_Y,                // m, set point
    HW_HOLD_X_INTEGRAL,       // N
    HW_HOLD_Y_INTEGRAL,       // N
    HW_HOLD_PROGRESS,         // m of the route
    HW_HOLD_BEGIN,            // m, x y z where the route begins
    HW_HOLD_LAST = HW_HOLD_BEGIN + 2,
    HW_HOLD_COUNT
} hwHoldVariable;

// Motion as the autopilot sees it.
typedef struct hwHoldSense {
    double depth, sinkRate;      // m, m/s
    double heading, headingRate; // rad counted on, rad/s
    double roll, rollRate;       // rad, rad/s
    double pitch, pitchRate;     // rad, rad/s
    hwVec3 position, velocity;   // m, m/s, world
    double altitude;             // m above the bottom; inf: there is none
} hwHoldSense;

// Its demand: force down and along the world's x and y, moments about the vertical (clockwise), roll and pitch.
typedef struct hwHoldDemand {
    double down, x, y;
    double yaw, roll, pitch;
} hwHoldDemand;

bool hwMode_HoldsLevel(hwVehicleMode mode);
bool hwMode_HoldsDepth(hwVehicleMode mode);
bool hwMode_HoldsHeading(hwVehicleMode mode);
bool hwMode_HoldsPlace(hwVehicleMode mode);

// A place on a route that begins at `begin`, by the length that is done; the way there, unit; returns its whole length, m.
double hwRoute_Find(int count, const hwVec3* route, hwVec3 begin, double length, hwVec3* place, hwVec3* way);

// Evaluates the mode at the end of an implicit stage z = base + hd z' (hd = 0: z = base). `axes` are the pilot's, times the
// gain. Variables that the mode does not use stay as they are.
hwHoldDemand hwAutopilot_Evaluate(const hwVehicleDef* vehicle, hwVehicleMode mode, const hwHoldSense* sense,
                                  const double axes[HW_AXIS_COUNT], const double* base, double hd, double* z,
                                  double* rates);

#endif
