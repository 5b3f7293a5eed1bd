// The autopilot's modes: force and moment that keep depth, heading and level attitude.
//
// Set points and integrals are first-order variables of the world's state. A mode's stick moves its set point at a rate:
// heave in the depth modes, yaw in the heading modes.
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
    HW_HOLD_COUNT
} hwHoldVariable;

// Motion as the autopilot sees it.
typedef struct hwHoldSense {
    double depth, sinkRate;      // m, m/s
    double heading, headingRate; // rad counted on, rad/s
    double roll, rollRate;       // rad, rad/s
    double pitch, pitchRate;     // rad, rad/s
} hwHoldSense;

// What it wants, north-east-down: force down, moments about the vertical (clockwise), roll and pitch.
typedef struct hwHoldDemand {
    double down;
    double yaw, roll, pitch;
} hwHoldDemand;

bool hwMode_HoldsLevel(hwVehicleMode mode);
bool hwMode_HoldsDepth(hwVehicleMode mode);
bool hwMode_HoldsHeading(hwVehicleMode mode);

// Evaluates the mode at the end of an implicit stage z = base + hd z' (hd = 0: z = base). `heave` and `yaw` are the pilot's
// axes, 0 where they act directly. Variables that the mode does not use stay as they are.
hwHoldDemand hwAutopilot_Evaluate(const hwAutopilotDef* def, hwVehicleMode mode, const hwHoldSense* sense,
                                  double heave, double yaw, const double* base, double hd, double* z,
                                  double* rates);

#endif
