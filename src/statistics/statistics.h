// What the files of this module share.
#ifndef HW_STATISTICS_STATISTICS_H
#define HW_STATISTICS_STATISTICS_H

#include "hawser/statistics.h"

// At least `least` values, all finite.
hwStatus hwSeries_Check(int64_t count, int64_t least, const double* values, hwError* error);

#endif
