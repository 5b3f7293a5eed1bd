// Messages from a page: text to a checked structure, or what is wrong with it. See docs/protocol.md.
#ifndef HW_SERVER_REQUEST_H
#define HW_SERVER_REQUEST_H

#include "apps/server/options.h"

#include <stddef.h>
#include <stdint.h>

#define REQUEST_MOST_BYTES 65536
#define REQUEST_MOST_DEPTH 16
#define REQUEST_MOST_NAMES 64
#define REQUEST_NAME 96

typedef enum hwWebRequestType {
    REQUEST_HELLO,
    REQUEST_CATALOG,
    REQUEST_START,
    REQUEST_STOP,
    REQUEST_OPEN,
    REQUEST_PILOT,
    REQUEST_COMMAND,
    REQUEST_TUNE,
    REQUEST_TETHER,
    REQUEST_SET,
    REQUEST_INPUTS,
    REQUEST_CURRENT,
    REQUEST_PAUSE,
    REQUEST_SPEED,
    REQUEST_STEP,
    REQUEST_SEEK,
    REQUEST_BRANCH,
    REQUEST_FRAMES,
    REQUEST_CHANNELS,
    REQUEST_PLOT,
    REQUEST_HISTORY,
    REQUEST_FLIGHTS,
    REQUEST_MARK,
    REQUEST_MARKS,
    REQUEST_PING,
    REQUEST_TYPES
} hwWebRequestType;

typedef enum hwWebOpenKind { OPEN_PRESET, OPEN_SCENE, OPEN_REPLAY, OPEN_WATCH } hwWebOpenKind;

typedef enum hwWebCommandName {
    COMMAND_ARM,
    COMMAND_MODE,
    COMMAND_LIGHTS,
    COMMAND_LIGHTS_STEP,
    COMMAND_GRIPPER,
    COMMAND_TILT,
    COMMAND_TILT_RATE,
    COMMAND_CENTER,
    COMMAND_ZOOM,
    COMMAND_ZOOM_RATE,
    COMMAND_GAIN,
    COMMAND_GAIN_STEP,
    COMMAND_HOLD_DEPTH,
    COMMAND_HOLD_HEADING,
    COMMAND_RESET_TURNS,
    COMMAND_FAIL_THRUSTER,
    COMMAND_REVERSE_THRUSTER,
    COMMAND_NAMES
} hwWebCommandName;

typedef enum hwWebTetherAction { TETHER_PAY_OUT, TETHER_HAUL_IN, TETHER_HOLD, TETHER_AUTO } hwWebTetherAction;

// One or more of a pilot axis's four settings; NaN: not given.
typedef struct hwWebTuneAxis {
    double values[4]; // dead zone, sensitivity, expo, inversion
} hwWebTuneAxis;

typedef struct hwWebRequest {
    hwWebRequestType type;
    int64_t id; // 0: none
    // hello
    int version;
    char token[160];
    bool resumes;
    char flight[64]; // also open
    char secret[64];
    // start
    hwWebFlightOptions options;
    // open
    hwWebOpenKind kind;
    char name[64];
    // pilot
    uint32_t seq;
    double axes[4];
    bool hold;
    // command
    hwWebCommandName command;
    int thruster;
    bool gripperStop;
    // tune
    hwWebTuneAxis tune[4];
    // tether
    hwWebTetherAction tether;
    // numbers of several: value, rate, speed, seconds, time, factor; switches
    double value, second;
    bool flag;
    // set, plot, history
    int count;
    char names[REQUEST_MOST_NAMES][REQUEST_NAME];
    double values[REQUEST_MOST_NAMES];
    double from, to;
    int points;
    // channels: filter; mark: text
    char text[256];
} hwWebRequest;

typedef struct hwWebRequestError {
    const char* code; // of the protocol
    char message[256];
} hwWebRequestError;

// Reads a message. `defaults` are the options that a start begins with. On failure returns false and fills `error`;
// request->id is set when it could be read.
bool hwWebRequest_Parse(const char* text, size_t size, const hwWebFlightOptions* defaults,
                        hwWebRequest* request, hwWebRequestError* error);

// What a message is called.
const char* hwWebRequestType_GetName(hwWebRequestType type);

#endif
