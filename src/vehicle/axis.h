// Input conditioning: from a stick's position to the demand of an axis.
#ifndef HW_VEHICLE_AXIS_H
#define HW_VEHICLE_AXIS_H

#include "hawser/vehicle.h"

// Dead zone, then expo, then sensitivity and inversion; the result is in -1..1, odd in x and never falling with it.
double hwAxis_Condition(const hwAxisDef* axis, double x);

#endif
