// hawser serve: a live world without a page, with any set of connectors.
#define _POSIX_C_SOURCE 200809L
#include "apps/cli/cli.h"
#include "apps/cli/connect_options.h"
#include "apps/cli/vehicle_operand.h"
#include "connect/world_server.h"
#include "hawser/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEP (1.0 / 60.0)     // s, as in the trainer
#define STEP_AUTOPILOT 0.0025 // s: an external autopilot that runs by its own clock wants 400 Hz

enum {
    OPTION_ARDUPILOT,
    OPTION_FREE,
    OPTION_MAVLINK,
    OPTION_ORIGIN,
    OPTION_LINK,
    OPTION_FOXGLOVE,
    OPTION_SPEED,
    OPTION_SET
};

static const hwOption g_options[] = {
    {"ardupilot", 0, "[HOST:]PORT",
     "wait for ArduPilot's JSON simulator interface on this UDP port, in lock-step"},
    {"free", 0, NULL, "with --ardupilot: both run by their own clocks instead"},
    {"mavlink", 0, "HOST:PORT", "speak MAVLink 2 to a ground station at this UDP address"},
    {"origin", 0, "LAT,LON", "with --mavlink: where on the earth the scene's origin is, degrees"},
    {"link", 0, "S[,LOSS]", "with --mavlink: latency each way, s, and share of datagrams that are lost"},
    {"foxglove", 0, "[HOST:]PORT", "stream to Foxglove by WebSocket from this TCP port"},
    {"speed", 0, "N", "simulated seconds per second, where no autopilot paces it; default: 1"},
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

static int RunWorld(const hwArguments* arguments, const hwConnectOptions* options, double speed,
                    hwWorld* world) {
    hwConnector* connectors[HW_MOST_CONNECTORS] = {NULL};
    hwError error;
    char text[400];
    int count = hwConnectOptions_Create(options, world, connectors, &error);
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
    double speed = 1.0;
    if (!hwConnectOptions_Parse(&options, values[OPTION_ARDUPILOT], values[OPTION_FREE],
                                values[OPTION_MAVLINK], values[OPTION_ORIGIN], values[OPTION_LINK]) ||
        !hwConnectOptions_ParseFoxglove(&options, values[OPTION_FOXGLOVE], arguments->operands[0]) ||
        (values[OPTION_SPEED] != NULL && !hwCli_ParsePositive("speed", values[OPTION_SPEED], &speed)))
        return EXIT_USAGE;
    if (!options.ardupilot && !options.mavlink && !options.foxglove) {
        hwCli_Complain("Give --ardupilot, --mavlink or --foxglove.",
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
    hwWorld* world = hwScene_CreateWorld(scene, &base, &error);
    status = world != NULL ? RunWorld(arguments, &options, speed, world)
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
    .summary = "run a world for autopilots, ground stations and Foxglove",
    .details =
        "Runs the scene, or the vehicle by itself in open water, for programs at the other end of UDP: "
        "ArduSub flies the\n"
        "first vehicle, or a ground station does with the vehicle's own autopilot. Everything listens "
        "on loopback\n"
        "unless another address is given. docs/clients.md has the recipes.",
    .options = g_options,
    .run = Serve,
};
