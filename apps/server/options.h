// What a pilot chooses before a flight.
#ifndef HW_SERVER_OPTIONS_H
#define HW_SERVER_OPTIONS_H

#include <jansson.h>
#include <stdbool.h>

typedef enum hwWebHandlerMode { HANDLER_HOLD, HANDLER_MANUAL, HANDLER_AUTO } hwWebHandlerMode;

typedef struct hwWebFlightOptions {
    char vehicle[64];
    char surroundings[64];
    char scene[64];                               // empty: surroundings
    double currentSpeed, currentDirection;        // m/s, rad
    double waveHeight, wavePeriod, waveDirection; // m, s, rad
    double visibility;                            // m
    bool tether;
    char tetherType[64];
    double tetherLength, tetherOut; // m
    hwWebHandlerMode handler;
    bool record;
    char title[128];
    char pilot[64];            // who flies it, for the logbook; empty: nobody is named
    char group[32], phase[32]; // of a study, or empty
} hwWebFlightOptions;

// As the protocol writes them.
json_t* hwWebFlightOptions_ToJson(const hwWebFlightOptions* options);

const char* hwWebHandlerMode_GetName(hwWebHandlerMode mode);

#endif
