#include "connect/ned.h"

#include <math.h>

hwVec3 hwNed_Turn(hwVec3 v) {
    return hwMakeVec3(v.x, 0.0 - v.y, 0.0 - v.z); // 0.0 -: no minus zero
}

bool hwNedState_Read(hwNedState* ned, const hwWorld* world, hwVehicleId vehicle) {
    hwBodyState body;
    hwVehicleState state;
    if (hwBody_GetState(world, hwVehicle_GetBody(world, vehicle), &body, NULL) != HW_OK ||
        hwVehicle_GetState(world, vehicle, &state, NULL) != HW_OK)
        return false;
    const hwEnvironmentDef* environment = hwWorld_GetEnvironment(world);
    ned->time = hwWorld_GetTime(world);
    ned->position = hwNed_Turn(hwSub(body.position, hwMakeVec3(0.0, 0.0, environment->surface)));
    ned->velocity = hwNed_Turn(body.velocity);
    ned->acceleration = hwNed_Turn(body.acceleration);
    ned->attitude = (hwQuat){body.attitude.w, body.attitude.x, -body.attitude.y, -body.attitude.z};
    ned->roll = state.roll;
    ned->pitch = state.pitch;
    ned->yaw = state.heading > HW_PI ? state.heading - 2.0 * HW_PI : state.heading;
    ned->rate = hwNed_Turn(body.rate);
    // f = R^T (a - g)
    hwVec3 felt = hwAdd(body.acceleration, hwMakeVec3(0.0, 0.0, environment->gravity));
    ned->specificForce = hwNed_Turn(hwMulTV(hwMat3FromQuat(body.attitude), felt));
    ned->depth = state.depth;
    ned->altitude = state.altitude;
    return true;
}

hwNedState hwNedState_Extrapolate(const hwNedState* ned, double seconds) {
    hwNedState later = *ned;
    later.time += seconds;
    later.position =
        hwMulAdd(hwMulAdd(ned->position, seconds, ned->velocity), 0.5 * seconds * seconds, ned->acceleration);
    later.velocity = hwMulAdd(ned->velocity, seconds, ned->acceleration);
    double angle = hwLength(ned->rate) * seconds;
    if (angle > 0.0) {
        hwVec3 axis = hwNormalize(ned->rate);
        double sine = sin(0.5 * angle), cosine = cos(0.5 * angle);
        hwQuat turn = {cosine, sine * axis.x, sine * axis.y, sine * axis.z};
        later.attitude = hwMulQuat(ned->attitude, turn);
    }
    return later;
}
