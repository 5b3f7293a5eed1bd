// Lines of points: how far from them, and how alike they are.
#ifndef HW_LESSON_ROUTE_H
#define HW_LESSON_ROUTE_H

#include "hawser/math.h"

// Distance from a point to a line through `count` points, m; infinite when there is none.
double hwRoute_GetDistance(int count, const hwVec3* points, hwVec3 point);

// Points at equal distances along a line: at most `capacity`, no nearer than `spacing`. Returns how many; the first and the
// last are those of the line.
int hwRoute_Resample(int count, const hwVec3* points, double spacing, int capacity, hwVec3* out);

#endif
