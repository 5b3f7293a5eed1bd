// A world that runs without a page, reached by connectors.
#ifndef HW_CONNECT_WORLD_SERVER_H
#define HW_CONNECT_WORLD_SERVER_H

#include "connect/connector.h"

#include <signal.h>

#define HW_MOST_CONNECTORS 8

typedef struct hwWorldServerDef {
    hwWorld* world; // prepared; stays the caller's
    double step;    // s between changes of inputs, where no connector paces the world
    double speed;   // simulated s per s, likewise
    double until;   // s, simulated: where it ends; 0: when it is told to
    int count;
    hwConnector* const* connectors;
    volatile sig_atomic_t* stop; // set from a signal handler or another thread to end it
} hwWorldServerDef;

// Runs until told to stop: at the pace of the connector that has one, else against the clock. HW_OK, or why the world stopped.
hwStatus hwWorldServer_Run(const hwWorldServerDef* def, hwError* error);

#endif
