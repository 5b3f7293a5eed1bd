// hawser serve: a live world without a page, with any set of connectors.
#define _POSIX_C_SOURCE 200809L
#include "apps/cli/cli.h"
#include "apps/cli/connect_options.h"
#include "apps/cli/dds_options.h"
#include "apps/cli/vehicle_operand.h"
#include "connect/world_server.h"
#include "hawser/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEP (1.0 / 60.0)     // s, as in the trainer
#define STEP_AUTOPILOT 0.0025 // s: an external autopilot that runs by its own clock needs 400 Hz

enum {
    OPTION_ARDUPILOT,
    OPTION_FREE,
    OPTION_MAVLINK,
    OPTION_MIRROR,
    OPTION_ORIGIN,
    OPTION_LINK,
    OPTION_FOXGLOVE,
    OPTION_DDS,
    OPTION_NAME,
    OPTION_PORTS,
    OPTION_ENDS,
    OPTION_SEND,
    OPTION_RECEIVE,
    OPTION_STEP,
    OPTION_KEEP,
    OPTION_NETWORK,
    OPTION_SPEED,
    OPTION_UNTIL,
    OPTION_SET
};

static const hwOption g_options[] = {
    {"ardupilot", 0, "[HOST:]PORT",
     "wait for ArduPilot's JSON simulator interface on this UDP port, in lock-step"},
    {"free", 0, NULL, "with --ardupilot or --dds: all run by their own clocks instead"},
    {"mavlink", 0, "HOST:PORT", "speak MAVLink 2 to a ground station at this UDP address"},
    {"mirror", 0, "udp:PORT|FILE",
     "a real vehicle's telemetry (MAVLink by UDP, .tlog, track) drives the first vehicle"},
    {"origin", 0, "LAT,LON", "with --mavlink, --mirror: where on the earth the scene's origin is, degrees"},
    {"link", 0, "S[,LOSS]", "with --mavlink: latency each way, s, and share of datagrams that are lost"},
    {"foxglove", 0, "[HOST:]PORT", "stream to Foxglove by WebSocket from this TCP port"},
    {"dds", 0, "DOMAIN", "topics for ROS 2 in this DDS domain, and links to other federates"},
    {"name", 0, "NAME", "with --dds: of this federate; default: the scene's file"},
    {"ports", 0, "BODY[@X:Y:Z][=LINK],...", "with --dds: points of bodies on which cables of others hang"},
    {"ends", 0, "CABLE.a|b[=LINK],...", "with --dds: ends of cables, on the earth here, on bodies of others"},
    {"send", 0, "CHANNEL[=LINK],...", "with --dds: channels that are inputs of others"},
    {"receive", 0, "INPUT[=LINK],...", "with --dds: inputs that are channels of others"},
    {"step", 0, "S", "with --dds: of a step; default: 0.001, without links 0.01"},
    {"keep", 0, "FILE", "with --dds: keep the state there, and go on from it after a restart"},
    {"network", 0, "NAME|ADDRESS", "with --dds: this network instead of loopback"},
    {"speed", 0, "N", "simulated seconds per second, where no autopilot paces it; default: 1"},
    {"until", 0, "S", "end at this time of the scene; default: Ctrl-C ends it"},
    HW_SET_OPTION,
    {0},
};

// A vehicle by itself: floating in open water over a flat bottom.
static const char g_sea[] = "hawser: 1\nname: %s in open water\nduration: 86400\n"
                            "environment:\n  water: {density: 1025}\n"
                            "  seabed: {depth: 50, stiffness: 2e5, damping: 2e4, friction: 0.6}\n"
                            "vehicles:\n  - {name: rov, model: '%s', position: [0, 0, -0.3]}\n";

// Null with a complaint; *status is the exit status then.
static hwScene* OpenScene(const hwArguments* arguments, int* status) {
    const char* name = arguments->operands[0];
    hwError error;
    hwScene* scene;
    if (!hwCli_IsBuiltInVehicle(name) && !hwCli_IsVehicleFile(name)) {
        scene = hwLoadSceneWith(name, arguments->setCount, arguments->sets, &error);
    } else if (arguments->setCount > 0) {
        hwCli_Complain("Write a scene with the vehicle in it, and what else there is to be.",
                       "--set goes with scenes, and \"%s\" is a vehicle.", name);
        *status = EXIT_USAGE;
        return NULL;
    } else if (strchr(name, '\'') != NULL) {
        hwCli_Complain(NULL, "The vehicle's path must not have a quotation mark in it: \"%s\".", name);
        *status = EXIT_USAGE;
        return NULL;
    } else {
        size_t size = sizeof(g_sea) + 2 * strlen(name);
        char* text = hwCli_Allocate(NULL, size);
        int length = snprintf(text, size, g_sea, hwCli_IsBuiltInVehicle(name) ? name : "a vehicle", name);
        scene = hwParseScene(text, (size_t)length, name, ".", &error);
        free(text);
    }
    if (scene == NULL) *status = hwCli_PrintError(name, &error);
    return scene;
}

static int RunWorld(const hwArguments* arguments, const hwConnectOptions* options, hwDdsOptions* dds,
                    double speed, double until, const hwScene* scene, hwWorld* world) {
    hwConnector* connectors[HW_MOST_CONNECTORS] = {NULL};
    hwError error;
    char text[400];
    int count = hwConnectOptions_Create(options, scene, world, connectors, &error);
    if (count >= 0 && dds->used) {
        dds->def.speed = speed;
        dds->def.scene = scene;
        connectors[count] = hwCreateDds(world, &dds->def, &error);
        count = connectors[count] != NULL ? count + 1 : -1;
    }
    int status = count < 0 ? hwCli_PrintError(NULL, &error) : EXIT_GOOD;
    for (int i = 0; i < count; ++i) {
        connectors[i]->type->describe(connectors[i], text, sizeof(text));
        printf("%s\n", text);
    }
    if (count >= 0) {
        printf("Ctrl-C ends it.\n");
        fflush(stdout);
        hwWorldServerDef def = {.world = world,
                                .step = options->ardupilot ? STEP_AUTOPILOT : STEP,
                                .speed = speed,
                                .until = until,
                                .count = count,
                                .connectors = connectors,
                                .stop = hwCli_CatchSignals()};
        if (hwWorldServer_Run(&def, &error) != HW_OK)
            status = hwCli_PrintError(arguments->operands[0], &error);
    }
    for (int i = 0; i < HW_MOST_CONNECTORS && connectors[i] != NULL; ++i) {
        if (count >= 0) {
            connectors[i]->type->report(connectors[i], text, sizeof(text));
            printf("%s\n", text);
        }
        connectors[i]->type->destroy(connectors[i]);
    }
    return status;
}

static int Serve(const hwArguments* arguments) {
    const char* const* values = arguments->values;
    hwConnectOptions options;
    hwDdsOptions dds;
    double speed = 1.0, until = 0.0;
    const hwDdsTexts texts = {.domain = values[OPTION_DDS],
                              .free = values[OPTION_FREE],
                              .name = values[OPTION_NAME],
                              .network = values[OPTION_NETWORK],
                              .keep = values[OPTION_KEEP],
                              .step = values[OPTION_STEP],
                              .ports = values[OPTION_PORTS],
                              .ends = values[OPTION_ENDS],
                              .send = values[OPTION_SEND],
                              .receive = values[OPTION_RECEIVE]};
    const char* free =
        values[OPTION_ARDUPILOT] == NULL && values[OPTION_DDS] != NULL ? NULL : values[OPTION_FREE];
    if (!hwConnectOptions_Parse(&options, values[OPTION_ARDUPILOT], free, values[OPTION_MAVLINK],
                                values[OPTION_MIRROR], values[OPTION_ORIGIN], values[OPTION_LINK]) ||
        !hwConnectOptions_ParseFoxglove(&options, values[OPTION_FOXGLOVE], arguments->operands[0]) ||
        !hwDdsOptions_Parse(&dds, &texts, arguments->operands[0]) ||
        (values[OPTION_SPEED] != NULL && !hwCli_ParsePositive("speed", values[OPTION_SPEED], &speed)) ||
        (values[OPTION_UNTIL] != NULL && !hwCli_ParsePositive("until", values[OPTION_UNTIL], &until)))
        return EXIT_USAGE;
    if (dds.used && options.ardupilot) {
        hwCli_Complain("Run the vehicle in a federate of its own.",
                       "--ardupilot and --dds exclude each other: each paces the world.");
        return EXIT_USAGE;
    }
    if (!options.ardupilot && !options.mavlink && !options.foxglove && !options.mirror && !dds.used) {
        hwCli_Complain("Give --ardupilot, --mavlink, --mirror, --foxglove or --dds.",
                       "Nobody could reach the world: there is no connector.");
        return EXIT_USAGE;
    }
    int status = EXIT_GOOD;
    hwScene* scene = OpenScene(arguments, &status);
    if (scene == NULL) return status;
    hwError error;
    hwWorldDef base = hwDefaultWorldDef();
    base.log = hwCli_Log;
    base.stop = hwCli_IsStopped;
    hwCli_CatchSignals();
    hwCli_KeepNothing(true);
    hwWorld* world = hwScene_CreateWorld(scene, &base, &error);
    hwCli_KeepNothing(false);
    bool good = world != NULL && hwWorld_BuildUp(world, &error) == HW_OK;
    status = good ? RunWorld(arguments, &options, &dds, speed, until, scene, world)
                  : hwCli_PrintError(arguments->operands[0], &error);
    hwDestroyWorld(world);
    hwDestroyScene(scene);
    return status;
}

const hwCommand hwCommand_Serve = {
    .name = "serve",
    .operands = "SCENE|VEHICLE",
    .minOperands = 1,
    .maxOperands = 1,
    .summary = "run a world for autopilots, ground stations, Foxglove, ROS 2 and other federates",
    .details =
        "Runs the scene, or the vehicle by itself in open water, for programs at the other end of UDP: "
        "ArduSub flies the\n"
        "first vehicle, or a ground station does with the vehicle's own autopilot. Everything listens "
        "on loopback\n"
        "unless another address is given. docs/clients.md has the recipes, docs/federates.md those for DDS.",
    .options = g_options,
    .run = Serve,
};
