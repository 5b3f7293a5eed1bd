#include "apps/cli/connect_options.h"

#include "apps/cli/cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool ParseOrigin(hwConnectOptions* options, const char* text) {
    char* end = NULL;
    double latitude = strtod(text, &end);
    bool good = end != text && *end == ',';
    const char* rest = good ? end + 1 : text;
    double longitude = strtod(rest, &end);
    good = good && end != rest && *end == 0 && fabs(latitude) < 90.0 && fabs(longitude) <= 180.0;
    if (!good) {
        hwCli_Complain("As in --origin 59.91,10.72: north and east are positive.",
                       "--origin must be a latitude and a longitude in degrees, not \"%s\".", text);
    }
    options->mavlinkDef.latitude = options->mirrorDef.latitude = latitude;
    options->mavlinkDef.longitude = options->mirrorDef.longitude = longitude;
    options->mavlinkDef.hasOrigin = options->mirrorDef.hasOrigin = good;
    return good;
}

// LATENCY or LATENCY,LOSS
static bool ParseLink(hwUdpLinkDef* link, const char* text) {
    char* end = NULL;
    link->latency = strtod(text, &end);
    bool good = end != text && link->latency >= 0.0 && link->latency <= 60.0;
    if (good && *end == ',') {
        const char* rest = end + 1;
        link->loss = strtod(rest, &end);
        good = end != rest && link->loss >= 0.0 && link->loss <= 1.0;
    }
    good = good && *end == 0;
    if (!good) {
        hwCli_Complain("As in --link 0.6,0.05: 0.6 s each way, one datagram of twenty lost.",
                       "--link must be a latency of 0 to 60 s and a loss of 0 to 1, not \"%s\".", text);
    }
    return good;
}

bool hwConnectOptions_Parse(hwConnectOptions* options, const char* ardupilot, const char* free,
                            const char* mavlink, const char* mirror, const char* origin, const char* link) {
    hwError error;
    memset(options, 0, sizeof(*options));
    options->ardupilot = ardupilot != NULL;
    // ArduSub sends MAVLink itself: ground stations cannot tell two senders of one vehicle apart
    if (ardupilot != NULL && mavlink != NULL) {
        hwCli_Complain("ArduSub speaks MAVLink itself: connect the ground station to it.",
                       "--ardupilot and --mavlink exclude each other.");
        return false;
    }
    options->mavlink = mavlink != NULL;
    options->ardupilotDef.free = free != NULL;
    if (free != NULL && ardupilot == NULL) {
        hwCli_Complain(NULL, "--free goes with --ardupilot.");
        return false;
    }
    options->mirror = mirror != NULL;
    if (mirror != NULL && (ardupilot != NULL || mavlink != NULL)) {
        hwCli_Complain("What a real vehicle does cannot be flown from here.",
                       "--mirror and --%s exclude each other.", ardupilot != NULL ? "ardupilot" : "mavlink");
        return false;
    }
    if (origin != NULL && mavlink == NULL && mirror == NULL) {
        hwCli_Complain(NULL, "--origin goes with --mavlink or --mirror.");
        return false;
    }
    if (link != NULL && mavlink == NULL) {
        hwCli_Complain(NULL, "--link goes with --mavlink.");
        return false;
    }
    if ((ardupilot != NULL &&
         !hwUdpAddress_Parse(&options->ardupilotDef.listen, ardupilot, "--ardupilot", &error)) ||
        (mavlink != NULL && !hwUdpAddress_Parse(&options->mavlinkDef.peer, mavlink, "--mavlink", &error)) ||
        (mirror != NULL && !hwMirrorDef_Parse(&options->mirrorDef, mirror, &error))) {
        hwCli_PrintError(NULL, &error);
        return false;
    }
    return (origin == NULL || ParseOrigin(options, origin)) &&
           (link == NULL || ParseLink(&options->mavlinkDef.link, link));
}

bool hwConnectOptions_ParseFoxglove(hwConnectOptions* options, const char* foxglove, const char* name) {
    hwError error;
    options->foxglove = foxglove != NULL;
    options->foxgloveDef.name = name;
    if (foxglove == NULL || hwUdpAddress_Parse(&options->foxgloveDef.listen, foxglove, "--foxglove", &error))
        return true;
    hwCli_PrintError(NULL, &error);
    return false;
}

int hwConnectOptions_Create(const hwConnectOptions* options, const hwScene* scene, const hwWorld* world,
                            hwConnector** connectors, hwError* error) {
    hwVehicleId vehicle = {0, 0};
    hwWorld_GetVehicles(world, 1, &vehicle);
    int count = 0;
    if (options->ardupilot) {
        hwArduPilotDef def = options->ardupilotDef;
        def.vehicle = vehicle;
        connectors[count] = hwCreateArduPilot(world, &def, error);
        if (connectors[count] == NULL) return -1;
        count += 1;
    }
    if (options->mavlink) {
        hwMavVehicleDef def = options->mavlinkDef;
        def.vehicle = vehicle;
        connectors[count] = hwCreateMavVehicle(world, &def, error);
        if (connectors[count] == NULL) return -1;
        count += 1;
    }
    if (options->mirror) {
        hwMirrorDef def = options->mirrorDef;
        def.vehicle = vehicle;
        connectors[count] = hwCreateMirror(world, &def, error);
        if (connectors[count] == NULL) return -1;
        count += 1;
    }
    if (options->foxglove) {
        hwFoxgloveDef def = options->foxgloveDef;
        def.scene = scene;
        connectors[count] = hwCreateFoxglove(world, &def, error);
        if (connectors[count] == NULL) return -1;
        count += 1;
    }
    return count;
}
