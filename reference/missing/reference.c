// In place of reference.c in a library that was built without SUNDIALS.
#include "hawser/reference.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

hwStatus hwWorld_UseReference(hwWorld* world, hwReferenceMethod method, hwError* error) {
    (void)world;
    (void)method;
    if (error == NULL) return HW_ERROR_ARGUMENT;
    memset(error, 0, sizeof(*error));
    error->status = HW_ERROR_ARGUMENT;
    error->index = -1;
    error->time = (double)NAN;
    snprintf(error->message, sizeof(error->message),
             "there is no reference solver: this program was built without SUNDIALS");
    snprintf(error->hint, sizeof(error->hint),
             "take the solver `realtime`, or install libsundials-dev and build it again");
    return HW_ERROR_ARGUMENT;
}
