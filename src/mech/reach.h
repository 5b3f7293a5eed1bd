// Inverse kinematics of a chain of joints: which rates of its joints move its tip as wanted.
#ifndef HW_MECH_REACH_H
#define HW_MECH_REACH_H

#include "hawser/math.h"

#include <stdbool.h>

#define HW_REACH_JOINTS 16 // of one chain

// A joint at the pose that the chain has, all in the frame of the chain's base.
typedef struct hwReachJoint {
    bool slides;      // along its axis, else it turns about it
    hwVec3 axis;      // unit
    hwVec3 origin;    // m, a point of the axis
    double q;         // rad or m
    double low, high; // its stops
    double rate;      // rad/s or m/s, at most
} hwReachJoint;

// What the tip shall do.
typedef struct hwReachWish {
    hwVec3 velocity; // m/s
    hwVec3 rate;     // rad/s
    bool turns;      // `rate` counts, zero too; else the tip's attitude is free
} hwReachWish;

// Rates of the joints, by damped least squares (Wampler 1986, equation 13): near poses in which the chain cannot move some way, the
// tip lags instead of joints racing. Joints that would pass a stop within `step` s are taken out and the others asked again; when
// one exceeds its rate, all slow down alike, so that the tip keeps its way.
void hwReach_Solve(int count, const hwReachJoint* joints, hwVec3 tip, const hwReachWish* wish, double step,
                   double* rates);

#endif
