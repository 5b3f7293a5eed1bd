// Discretisation errors from three meshes.
#include "hawser/elementary.h"
#include "hawser/statistics.h"

#include <math.h>

#define LEAST_ORDER 0.5 // observed orders outside are chance, not convergence
#define MOST_ORDER 6.0
#define SAFETY 1.25           // Roache 1994, of three meshes with an observed order
#define DISORDERLY_SAFETY 3.0 // of differences that do not shrink as powers do

hwConvergence hwFindConvergence(const double values[3], double ratio) {
    double first = values[0] - values[1], second = values[1] - values[2];
    hwConvergence out = {.limit = values[2], .order = (double)NAN};
    double size = hwFmax(fabs(values[0]), hwFmax(fabs(values[1]), fabs(values[2])));
    double rounding = 1e-13 * size;
    if (!isfinite(first) || !isfinite(second)) {
        out.limit = out.error = (double)NAN;
        return out;
    }
    if (fabs(first) <= rounding && fabs(second) <= rounding) return out; // nothing depends on the mesh
    double order = second != 0.0 ? hwLog(first / second) / hwLog(ratio) : (double)NAN;
    if (order >= LEAST_ORDER && order <= MOST_ORDER) {
        // f(h) = limit + c h^p: what is left behind the finest is the last difference over r^p - 1
        out.order = order;
        out.limit = values[2] - second / (hwPow(ratio, order) - 1.0);
        out.error = SAFETY * fabs(values[0] - out.limit);
    } else {
        out.error = DISORDERLY_SAFETY * hwFmax(fabs(first), hwFmax(fabs(second), fabs(first + second)));
    }
    return out;
}
