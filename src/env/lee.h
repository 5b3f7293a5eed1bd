// The lee of obstacles: how much of the current is left behind them.
#ifndef HW_ENV_LEE_H
#define HW_ENV_LEE_H

#include "hawser/environment.h"

// What is left of the current U at a point, 0 to 1: the product over all obstacles.
double hwLee_GetShare(int count, const hwLeeDef* lees, hwVec3 current, hwVec3 point);

#endif
