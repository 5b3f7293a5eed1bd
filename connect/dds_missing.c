// In place of dds/ where Cyclone DDS was not there when the program was built.
#include "connect/dds.h"

#ifndef HAWSER_DDS
#include <stdio.h>
#include <string.h>

bool hwDds_IsAvailable(void) {
    return false;
}

hwConnector* hwCreateDds(hwWorld* world, const hwDdsDef* def, hwError* error) {
    (void)world;
    (void)def;
    memset(error, 0, sizeof(*error));
    error->status = HW_ERROR_ARGUMENT;
    snprintf(error->message, sizeof(error->message), "this program was built without Cyclone DDS");
    snprintf(error->hint, sizeof(error->hint),
             "install cyclonedds-dev and cyclonedds-tools, and configure and build it again");
    return NULL;
}
#endif
