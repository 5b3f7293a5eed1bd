// hawser train and hawser view: the web server with the page inside.
#define _XOPEN_SOURCE 700
#include "apps/cli/cli.h"
#include "apps/cli/connect_options.h"
#include "apps/server/listen.h"
#include "apps/server/server.h"
#include "hawser/protocol.h"

#include <stdlib.h>
#include <string.h>

enum {
    OPTION_PORT,
    OPTION_LISTEN,
    OPTION_TOKEN,
    OPTION_HOST,
    OPTION_FLIGHTS,
    OPTION_MAX_FLIGHTS,
    OPTION_CLOSE_IDLE,
    OPTION_IDLE,
    OPTION_ARDUPILOT,
    OPTION_MAVLINK,
    OPTION_MIRROR,
    OPTION_ORIGIN,
    OPTION_LINK,
    OPTION_INSTRUCTOR,
    OPTION_SET,
    OPTION_WATCH,
    OPTION_PROTOCOL
};

#define SERVER_OPTIONS                                                                                       \
    {"port", 0, "N", "listen on this port; default: the first free one from 8420"},                          \
        {"listen", 0, "ADDRESS", "listen on these addresses instead of 127.0.0.1 and ::1; needs --token"},   \
        {"token", 0, "T", "what a page must know to connect: 16 characters or more"},                        \
        {"host", 0, "NAME", "another name under which pages may call the server"},                           \
        {"flights", 0, "DIR", "folder of recordings; default: ~/.local/share/hawser/flights"},               \
        {"max-flights", 0, "N", "flights in the air at once; default: 16"},                                  \
        {"close-idle", 0, "S", "close a flight after so many seconds without input; default: 1800"},         \
        {"idle", 0, "S", "end after so many seconds without a page; default: never"},                        \
        {"ardupilot", 0, "[HOST:]PORT", "ArduSub flies the first flight through this UDP port"},             \
        {"mavlink", 0, "HOST:PORT", "the first flight speaks MAVLink 2 to this UDP address"},                \
        {"mirror", 0, "udp:PORT|FILE",                                                                       \
         "a real vehicle's telemetry (MAVLink by UDP, .tlog, track) drives the first flight"},               \
        {"origin", 0, "LAT,LON", "with --mavlink, --mirror: where on the earth the scene's origin is"},      \
        {"link", 0, "S[,LOSS]", "with --mavlink: latency each way, s, and share of datagrams lost"},         \
        {"instructor", 0, "T",                                                                               \
         "what an instructor's page must know: 16 characters or more; default: made up"},                    \
        HW_SET_OPTION

static const hwOption g_options[] = {SERVER_OPTIONS, {0}};
static const hwOption g_trainOptions[] = {
    SERVER_OPTIONS,
    {"watch", 0, NULL,
     "read the scene again whenever it is saved; the page shows its errors and the lesson's places"},
    {"protocol", 0, "FILE", "a study: groups, what they fly, and what they rate blind"},
    {0}};

static void TellUrl(const char* url, const char* instructor, void* context) {
    const hwCommand* command = context;
    printf("%s\n", url);
    if (command == &hwCommand_Train) {
        printf("Open this address in a browser to fly. Ctrl-C ends the server.\n");
        printf("For the instructor: %s\n", instructor);
    } else {
        printf("Open this address in a browser to look. Ctrl-C ends the server.\n");
    }
    fflush(stdout);
}

static bool ParseWhole(const char* option, const char* text, int low, int high, int* value) {
    char* end = NULL;
    long number = strtol(text, &end, 10);
    if (end != text && *end == 0 && number >= low && number <= high) {
        *value = (int)number;
        return true;
    }
    hwCli_Complain(NULL, "--%s must be a whole number from %d to %d, not \"%s\".", option, low, high, text);
    return false;
}

static bool FillDef(const hwArguments* arguments, hwWebServerDef* def) {
    const char* const* values = arguments->values;
    if (values[OPTION_PORT] != NULL && !ParseWhole("port", values[OPTION_PORT], 1, 65535, &def->port))
        return false;
    if (values[OPTION_MAX_FLIGHTS] != NULL &&
        !ParseWhole("max-flights", values[OPTION_MAX_FLIGHTS], 1, 1000, &def->maxFlights)) {
        return false;
    }
    int idle = 0, closeIdle = (int)def->flightIdle;
    if (values[OPTION_CLOSE_IDLE] != NULL &&
        !ParseWhole("close-idle", values[OPTION_CLOSE_IDLE], 1, 1000000, &closeIdle)) {
        return false;
    }
    def->flightIdle = closeIdle;
    if (values[OPTION_IDLE] != NULL && !ParseWhole("idle", values[OPTION_IDLE], 1, 1000000, &idle))
        return false;
    def->idle = idle;
    def->listen = values[OPTION_LISTEN];
    def->token = values[OPTION_TOKEN];
    def->host = values[OPTION_HOST];
    def->flights = values[OPTION_FLIGHTS];
    def->instructor = values[OPTION_INSTRUCTOR];
    if (def->instructor != NULL && (strlen(def->instructor) < 16 || strlen(def->instructor) > 120)) {
        hwCli_Complain("Make one with: head -c 18 /dev/urandom | base64",
                       "--instructor must have 16 to 120 characters.");
        return false;
    }
    if (def->token != NULL && strlen(def->token) < 16) {
        hwCli_Complain("Make one with: head -c 18 /dev/urandom | base64",
                       "--token must have 16 characters or more.");
        return false;
    }
    if (def->token != NULL && strlen(def->token) > 120) {
        hwCli_Complain(NULL, "--token must have at most 120 characters.");
        return false;
    }
    hwWebListeners listeners;
    hwError error;
    if (!hwWebListeners_Parse(&listeners, def->listen, &error)) {
        hwCli_PrintError(NULL, &error);
        return false;
    }
    if (def->token == NULL && !hwWebListeners_AreLoopback(&listeners)) {
        hwCli_Complain("Whoever reaches the port could fly: give --token with 16 characters or more.",
                       "--listen needs --token.");
        return false;
    }
    return true;
}

static bool IsScene(const char* path) {
    const char* dot = path != NULL ? strrchr(path, '.') : NULL;
    return dot != NULL && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

static int Connect(void* context, const hwScene* scene, const hwWorld* world, hwConnector** connectors,
                   hwError* error) {
    return hwConnectOptions_Create(context, scene, world, connectors, error);
}

static int Serve(const hwArguments* arguments, const hwCommand* command) {
    hwWebServerDef def = hwDefaultWebServerDef();
    const char* const* values = arguments->values;
    hwConnectOptions options;
    if (!FillDef(arguments, &def) ||
        !hwConnectOptions_Parse(&options, values[OPTION_ARDUPILOT], NULL, values[OPTION_MAVLINK],
                                values[OPTION_MIRROR], values[OPTION_ORIGIN], values[OPTION_LINK]))
        return EXIT_USAGE;
    options.ardupilotDef.follow = true; // the page's clock paces the world
    if (options.ardupilot || options.mavlink || options.mirror) {
        def.connect = Connect;
        def.connectContext = &options;
        // ArduSub's loops of the angular rates cross over at some 8 Hz: with 60 steps a second their delay lets them oscillate
        if (options.ardupilot) def.connectPace = 4;
    }
    def.view = command == &hwCommand_View;
    def.preset = arguments->count > 0 ? arguments->operands[0] : NULL;
    if (arguments->setCount > 0 && !IsScene(def.preset)) {
        hwCli_Complain(NULL, "--set goes with a scene.");
        return EXIT_USAGE;
    }
    def.watch = command == &hwCommand_Train && values[OPTION_WATCH] != NULL;
    if (def.watch && !IsScene(def.preset)) {
        hwCli_Complain(NULL, "--watch goes with a scene (.yaml).");
        return EXIT_USAGE;
    }
    def.setCount = arguments->setCount;
    def.sets = arguments->sets;
    def.stop = hwCli_CatchSignals();
    def.ready = TellUrl;
    def.context = (void*)(uintptr_t)command;
    hwError error;
    const char* study = command == &hwCommand_Train ? values[OPTION_PROTOCOL] : NULL;
    hwProtocol* protocol = study != NULL ? hwLoadProtocol(study, &error) : NULL;
    if (study != NULL && protocol == NULL) return hwCli_PrintError(study, &error);
    def.protocol = protocol;
    hwStatus status = hwWebServer_Run(&def, &error);
    hwDestroyProtocol(protocol);
    return status == HW_OK ? EXIT_GOOD : hwCli_PrintError(def.preset, &error);
}

static int Train(const hwArguments* arguments) {
    return Serve(arguments, &hwCommand_Train);
}

static int View(const hwArguments* arguments) {
    return Serve(arguments, &hwCommand_View);
}

const hwCommand hwCommand_Train = {
    .name = "train",
    .operands = "[SCENE]",
    .minOperands = 0,
    .maxOperands = 1,
    .summary = "fly an underwater vehicle in the browser",
    .details = "Serves a page on loopback and prints its address. With a scene: that one, flown by its first "
               "vehicle, or as\n"
               "surroundings when it has a section `trainer`. Flights are recorded and can be replayed, in "
               "the page or with\n"
               "\"hawser replay\".",
    .options = g_trainOptions,
    .run = Train,
};

const hwCommand hwCommand_View = {
    .name = "view",
    .operands = "SCENE|RESULTS",
    .minOperands = 1,
    .maxOperands = 1,
    .summary = "look at a scene or at results in the browser",
    .details = "A scene (.yaml) runs live; results (.h5, .csv or a folder with results.h5) are replayed.",
    .options = g_options,
    .run = View,
};
