// Shared by writing and reading flights.
#ifndef HW_LIVE_FLIGHT_INTERNAL_H
#define HW_LIVE_FLIGHT_INTERNAL_H

#include "hawser/flight.h"

#include <jansson.h>
#include <stdio.h>

// Fills `error` when it is not null and returns `status`.
hwStatus hwLiveFail(hwError* error, hwStatus status, const char* text);

#endif
