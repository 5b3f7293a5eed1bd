#include "vehicle/grip_law.h"

#include "hawser/elementary.h"

#include <math.h>

#define DAMPING 0.7   // of the held body's bounce in the jaws, relative to critical
#define FINGER 0.25   // height of the fingers over the opening
#define JUST_MET 0.05 // share of the opening that jaws may have passed since they met a body

hwGripForce hwGrip_ComputeForce(const hwGripperDef* def, double mass, const hwGripSide* vehicle,
                                const hwGripSide* body, hwPose hold) {
    hwGripForce law;
    hwVec3 local = hwInvRotate(hold.q, hwSub(def->position, hold.p)); // the jaws on the body
    law.armVehicle = hwRotate(vehicle->attitude, def->position);
    law.armBody = hwRotate(body->attitude, local);
    // gap and slip from the body's side to the jaws
    hwVec3 gap = hwSub(hwAdd(vehicle->position, law.armVehicle), hwAdd(body->position, law.armBody));
    hwVec3 slip = hwSub(hwAdd(vehicle->velocity, hwCross(vehicle->rate, law.armVehicle)),
                        hwAdd(body->velocity, hwCross(body->rate, law.armBody)));
    hwQuat wanted = hwMulQuat(vehicle->attitude, hold.q);
    hwVec3 turn = hwRotationVectorFromQuat(hwMulQuat(wanted, hwConjugate(body->attitude)));
    hwVec3 turning = hwSub(vehicle->rate, body->rate);
    law.k = def->stiffness;
    law.c = 2.0 * DAMPING * sqrt(law.k * mass);
    law.kr = law.k * def->length * def->length;
    law.cr = law.c * def->length * def->length;
    law.force = hwMulAdd(hwScale(law.k, gap), law.c, slip);
    law.moment = hwMulAdd(hwScale(law.kr, turn), law.cr, turning);
    law.energy = 0.5 * (law.k * hwLengthSquared(gap) + law.kr * hwLengthSquared(turn));
    law.storing = law.k * hwDot(gap, slip) + law.kr * hwDot(turn, turning);
    law.dissipation = law.c * hwLengthSquared(slip) + law.cr * hwLengthSquared(turning);
    law.load = hwLength(law.force) + hwLength(law.moment) / def->length;
    return law;
}

hwPose hwGrip_GetJaws(const hwGripperDef* def) {
    hwVec3 up = fabs(def->axis.z) < 0.9 ? hwMakeVec3(0.0, 0.0, 1.0) : hwMakeVec3(1.0, 0.0, 0.0);
    hwVec3 across = hwNormalize(hwCross(up, def->axis));
    hwMat3 R = {def->axis, across, hwCross(def->axis, across)};
    return (hwPose){def->position, hwQuatFromMat3(R)};
}

bool hwGrip_Meets(const hwGripperDef* def, hwVec3 low, hwVec3 high, double opening) {
    double width = high.y - low.y, finger = FINGER * def->opening;
    bool between = fabs(high.y + low.y) <= def->opening && low.x <= 0.0 && high.x >= -def->length &&
                   low.z <= 0.5 * finger && high.z >= -0.5 * finger;
    return between && width <= def->opening && width >= opening && width <= opening + JUST_MET * def->opening;
}
