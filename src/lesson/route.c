#include "lesson/route.h"

#include "base/memory.h"
#include "hawser/elementary.h"
#include "hawser/lesson.h"

#include <math.h>

static double DistanceToSegment(hwVec3 a, hwVec3 b, hwVec3 p) {
    hwVec3 along = hwSub(b, a);
    double square = hwDot(along, along);
    double t = square > 0.0 ? hwDot(hwSub(p, a), along) / square : 0.0;
    return hwDistance(p, hwMulAdd(a, hwFmin(hwFmax(t, 0.0), 1.0), along));
}

double hwRoute_GetDistance(int count, const hwVec3* points, hwVec3 point) {
    double least = count == 1 ? hwDistance(points[0], point) : (double)INFINITY;
    for (int i = 0; i + 1 < count; ++i)
        least = hwFmin(least, DistanceToSegment(points[i], points[i + 1], point));
    return least;
}

int hwRoute_Resample(int count, const hwVec3* points, double spacing, int capacity, hwVec3* out) {
    if (count == 0 || capacity < 2) return 0;
    double length = 0.0;
    for (int i = 0; i + 1 < count; ++i) length += hwDistance(points[i], points[i + 1]);
    int pieces = (int)hwFmin(length / spacing + 1.0, (double)(capacity - 1));
    double each = length / pieces, passed = 0.0;
    out[0] = points[0];
    int made = 1;
    for (int i = 0; i + 1 < count && made < pieces; ++i) {
        double here = hwDistance(points[i], points[i + 1]);
        while (made < pieces && here > 0.0 && made * each <= passed + here) {
            double t = (made * each - passed) / here;
            out[made++] = hwMulAdd(points[i], t, hwSub(points[i + 1], points[i]));
        }
        passed += here;
    }
    out[made++] = points[count - 1];
    return made;
}

// Eiter and Mannila's recursion, row by row: the least over all ways of walking both lines of the greatest distance on it.
double hwFrechetDistance(int countA, const hwVec3* a, int countB, const hwVec3* b) {
    if (countA <= 0 || countB <= 0) return countA == countB ? 0.0 : (double)INFINITY;
    hwAllocator allocator = hwDefaultAllocator();
    double* row = hwAllocate(&allocator, (size_t)countB * sizeof(*row));
    if (row == NULL) return -1.0;
    for (int i = 0; i < countA; ++i) {
        double diagonal = 0.0; // of the row before, one to the left
        for (int k = 0; k < countB; ++k) {
            double distance = hwDistance(a[i], b[k]), reach = 0.0;
            if (i > 0 && k > 0) {
                reach = hwFmin(hwFmin(row[k], row[k - 1]), diagonal);
            } else if (i > 0) {
                reach = row[k];
            } else if (k > 0) {
                reach = row[k - 1];
            }
            diagonal = row[k];
            row[k] = hwFmax(distance, reach);
        }
    }
    double result = row[countB - 1];
    hwRelease(&allocator, row);
    return result;
}
