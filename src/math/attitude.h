// Angular velocity and acceleration of a body whose roll, pitch and yaw (Z-Y'-X'') are functions of time.
#ifndef HW_MATH_ATTITUDE_H
#define HW_MATH_ATTITUDE_H

#include "hawser/math.h"

// Angular velocity in body axes.
static inline hwVec3 hwRateFromRpy(hwVec3 rpy, hwVec3 rate) {
    double cr, sr, cp, sp;
    hwSinAndCos(rpy.x, &sr, &cr);
    hwSinAndCos(rpy.y, &sp, &cp);
    return hwMakeVec3(rate.x - rate.z * sp, rate.y * cr + rate.z * cp * sr, -rate.y * sr + rate.z * cp * cr);
}

// Its rate of change: the derivative of the line above.
static inline hwVec3 hwRateAccelerationFromRpy(hwVec3 rpy, hwVec3 rate, hwVec3 acceleration) {
    double cr, sr, cp, sp;
    hwSinAndCos(rpy.x, &sr, &cr);
    hwSinAndCos(rpy.y, &sp, &cp);
    hwVec3 linear = hwRateFromRpy(rpy, acceleration);
    hwVec3 product = hwMakeVec3(
        -rate.z * rate.y * cp, -rate.y * rate.x * sr - rate.z * rate.y * sp * sr + rate.z * rate.x * cp * cr,
        -rate.y * rate.x * cr - rate.z * rate.y * sp * cr - rate.z * rate.x * cp * sr);
    return hwAdd(linear, product);
}

#endif
