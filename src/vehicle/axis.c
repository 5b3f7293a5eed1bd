#include "vehicle/axis.h"

double hwAxis_Condition(const hwAxisDef* axis, double x) {
    double size = hwFmin(fabs(x), 1.0);
    if (!(size > axis->deadZone)) return 0.0;
    double y = (size - axis->deadZone) / (1.0 - axis->deadZone);
    y = (1.0 - axis->expo) * y + axis->expo * y * y * y;
    y = hwFmin(axis->sensitivity * y, 1.0);
    return (x < 0.0) != axis->invert ? -y : y;
}
