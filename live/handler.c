// The tether's handler.
#include "hawser/elementary.h"
#include "hawser/pilot.h"

#include <math.h>

#define EASE_TENSION 60.0 // N: more than a slack tether in a current has; a BlueROV2 pushes with 137
#define HAUL_TENSION 30.0 // N: what is hauled on more than this may be a snag
#define EASE_RATE 0.3     // m/s
#define MOST_RATE 1.0     // m/s

double hwHandler_GetLength(double straight, double waves) {
    return 1.1 * straight + 1.0 + 0.5 * waves;
}

double hwHandler_ChooseRate(const hwHandlerView* view) {
    double wanted = hwHandler_GetLength(view->straight, view->waves), off = wanted - view->length, rate = 0.0;
    // the handler does not run after each wave
    if (fabs(off) > 0.02 * wanted + 0.5 * view->waves) rate = hwClamp(0.5 * off, -MOST_RATE, MOST_RATE);
    if (view->tension > EASE_TENSION) rate = hwFmax(rate, EASE_RATE);
    if (view->tension > HAUL_TENSION) rate = hwFmax(rate, 0.0);
    return rate;
}

double hwHandler_LimitRate(const hwHandlerView* view, double rate) {
    double ahead = hwFmax(view->longest - view->length - view->interval * rate, 0.0);
    double behind = hwFmax(view->length - 1.0 + view->interval * rate, 0.0);
    rate = isfinite(rate) ? hwClamp(rate, -sqrt(2.0 * behind), sqrt(2.0 * ahead)) : 0.0;
    return 0.05 * trunc(rate / 0.05);
}
