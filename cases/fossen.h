// An independent second method for vehicles: Fossen's equations in north-east-down, with Euler angles and his matrices,
// integrated by the classical Runge-Kutta method. Shares no code with the simulator.
#ifndef HW_CASES_FOSSEN_H
#define HW_CASES_FOSSEN_H

#include "hawser/vehicle.h"

// x y z (north, east, down), roll pitch yaw, u v w p q r (forward, starboard, down), then each propeller's speed over its top
// speed.
#define HW_FOSSEN_SIZE (12 + HW_MAX_THRUSTERS)

typedef struct hwFossen {
    const hwVehicleDef*
        def; // its body: diagonal added mass and drag, com at the origin, buoyancy centre on the z axis
    double gravity, density;         // m/s2, kg/m3
    double current[3];               // m/s, north, east, down
    double wanted[HW_MAX_THRUSTERS]; // N, forces asked of the thrusters
    double state[HW_FOSSEN_SIZE];
} hwFossen;

// Forces of least sum of squares that give the wrench (body axes x forward, y port, z up), all six axes controlled.
void hwFossen_Allocate(hwFossen* fossen, const double wrench[6]);

// Advances by `duration` in `steps` steps.
void hwFossen_Run(hwFossen* fossen, double duration, int steps);

#endif
