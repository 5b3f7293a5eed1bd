// Mirror: the telemetry of a real vehicle drives the first vehicle of a live world, and with it picture and tether (seed 003,
// section 6). From UDP, a telemetry log (.tlog), or a track (.csv, as `hawser compare --track` reads).
#ifndef HW_CONNECT_MIRROR_H
#define HW_CONNECT_MIRROR_H

#include "connect/connector.h"
#include "connect/udp.h"
#include "hawser/vehicle.h"

typedef struct hwMirrorDef {
    hwVehicleId vehicle;
    const char* path;    // of a log or track; null: UDP
    hwUdpAddress listen; // UDP
    bool hasOrigin;
    double latitude, longitude; // degrees: where the scene's origin is
} hwMirrorDef;

// Reads the text of --mirror, "udp:PORT", "udp:HOST:PORT" or a file's name, which stays the caller's. False with `error`.
bool hwMirrorDef_Parse(hwMirrorDef* def, const char* text, hwError* error);

// Null, and `error` says why.
hwConnector* hwCreateMirror(const hwWorld* world, const hwMirrorDef* def, hwError* error);

#endif
