// What the program asks of the server without running it.
#define _POSIX_C_SOURCE 200809L
#include "apps/server/server.h"

#include <stdio.h>
#include <stdlib.h>

hwWebServerDef hwDefaultWebServerDef(void) {
    hwWebServerDef def = {.maxFlights = 16, .seatTime = 15.0, .flightIdle = 1800.0};
    return def;
}

void hwWebServer_GetFlightsFolder(char* path, size_t size) {
    const char* data = getenv("XDG_DATA_HOME");
    const char* home = getenv("HOME");
    if (data != NULL && data[0] == '/') {
        snprintf(path, size, "%s/hawser/flights", data);
    } else if (home != NULL && home[0] == '/') {
        snprintf(path, size, "%s/.local/share/hawser/flights", home);
    } else {
        snprintf(path, size, "flights");
    }
}
