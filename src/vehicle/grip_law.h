// What jaws do to a body between them: a spring and a damper in all six directions.
#ifndef HW_VEHICLE_GRIP_LAW_H
#define HW_VEHICLE_GRIP_LAW_H

#include "hawser/vehicle.h"

// Motion of a vehicle or of a held body.
typedef struct hwGripSide {
    hwVec3 position;       // m, of the origin
    hwQuat attitude;       // to the world
    hwVec3 velocity, rate; // m/s, of the origin, rad/s, world axes
} hwGripSide;

typedef struct hwGripForce {
    hwVec3 force, moment;       // N, N m on the body at the jaws; the opposite on the vehicle; world axes
    hwVec3 armVehicle, armBody; // m, from the origins to the jaws, world axes
    double k, c, kr, cr;        // N/m, N s/m, N m/rad, N m s/rad
    double energy, storing, dissipation; // J stored in the spring, its rate and what is lost, W
    double load;                         // N, force and what the moment makes of it at the jaws' length
} hwGripForce;

// `hold`: how the body lay in the vehicle when it was taken.
hwGripForce hwGrip_ComputeForce(const hwGripperDef* def, double mass, const hwGripSide* vehicle,
                                const hwGripSide* body, hwPose hold);

// The jaws' frame on the vehicle: x along them, y in which they close, origin between their tips.
hwPose hwGrip_GetJaws(const hwGripperDef* def);

// Whether jaws `opening` apart have just met what has these bounds in the jaws' frame.
bool hwGrip_Meets(const hwGripperDef* def, hwVec3 low, hwVec3 high, double opening);

#endif
