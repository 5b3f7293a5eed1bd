// Options of connectors, which `serve` and `train` share.
#ifndef HW_CLI_CONNECT_OPTIONS_H
#define HW_CLI_CONNECT_OPTIONS_H

#include "connect/ardupilot.h"
#include "connect/foxglove.h"
#include "connect/mavlink_vehicle.h"
#include "connect/mirror.h"

typedef struct hwConnectOptions {
    bool ardupilot;
    hwArduPilotDef ardupilotDef;
    bool mavlink;
    hwMavVehicleDef mavlinkDef;
    bool foxglove;
    hwFoxgloveDef foxgloveDef;
    bool mirror;
    hwMirrorDef mirrorDef;
} hwConnectOptions;

// Reads the texts of --ardupilot, --free, --mavlink, --mirror, --origin and --link, each null where it was not given. False with
// a complaint.
bool hwConnectOptions_Parse(hwConnectOptions* options, const char* ardupilot, const char* free,
                            const char* mavlink, const char* mirror, const char* origin, const char* link);

// Reads the text of --foxglove, null where it was not given. After the others.
bool hwConnectOptions_ParseFoxglove(hwConnectOptions* options, const char* foxglove, const char* name);

// Makes the connectors that were asked for, for the first vehicle of the world; `scene` is what the world
// was made of, or null. Returns how many, -1 with `error`. Room for
// HW_MOST_CONNECTORS.
int hwConnectOptions_Create(const hwConnectOptions* options, const hwScene* scene, const hwWorld* world,
                            hwConnector** connectors, hwError* error);

#endif
