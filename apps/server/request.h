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
#define REQUEST_MOST_ANSWER 6000
#define REQUEST_MOST_SCRIPT 32000

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
    REQUEST_READ,
    REQUEST_FLIGHTS,
    REQUEST_MARK,
    REQUEST_MARKS,
    REQUEST_PING,
    REQUEST_DEBRIEF,
    REQUEST_LOGBOOK,
    // the crew
    REQUEST_JOIN,
    REQUEST_INVITE,
    REQUEST_HAND_OVER,
    REQUEST_TAKE,
    REQUEST_GIVE,
    REQUEST_SAY,
    REQUEST_COMMS,
    REQUEST_CLASS,
    // the instructor
    REQUEST_FAULT,
    REQUEST_VISIBILITY,
    REQUEST_NOTE,
    // probes
    REQUEST_ANSWER,
    // saved actions
    REQUEST_ACTION,
    // tether
    REQUEST_FORECAST,
    REQUEST_TWIN,
    // hints
    REQUEST_HINTS,
    // sonars
    REQUEST_SONAR,
    // arms
    REQUEST_MANIPULATE,
    // studies
    REQUEST_STUDY,
    REQUEST_RATE,
    REQUEST_TYPES
} hwWebRequestType;

typedef enum hwWebOpenKind {
    OPEN_PRESET,
    OPEN_SCENE,
    OPEN_REPLAY,
    OPEN_WATCH,
    OPEN_RESUME,
    OPEN_CLIP
} hwWebOpenKind;

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
    COMMAND_SONAR_RANGE,
    COMMAND_NAMES
} hwWebCommandName;

// Seats of a flight.
typedef enum hwWebRole {
    ROLE_PILOT,
    ROLE_HANDLER,
    ROLE_WINCH,
    ROLE_INSTRUCTOR,
    ROLE_OBSERVER,
    ROLE_COUNT
} hwWebRole;

// What one at a time has of a flight.
typedef enum hwWebControl {
    CONTROL_VEHICLE,   // sticks and commands
    CONTROL_TETHER,    // paying out and hauling in
    CONTROL_EQUIPMENT, // inputs of winches and cranes
    CONTROL_TIME,      // pause, speed, rewind
    CONTROL_TEACHING,  // faults, current, visibility, notes
    CONTROL_NONE,      // what anybody may ask for
    CONTROL_PILOT,     // what is the pilot's alone and cannot be taken
    CONTROL_COUNT
} hwWebControl;

// What an instructor breaks or mends.
typedef enum hwWebFaultKind {
    FAULT_THRUSTER,      // share of its thrust that is lost
    FAULT_LEAK,          // N of buoyancy that are lost
    FAULT_CAMERA,        // 1: no picture
    FAULT_VIDEO_DELAY,   // s
    FAULT_COMMAND_DELAY, // s
    FAULT_LOSS,          // share of stick messages that are lost
    FAULT_COMPASS,       // deg/min by which the shown heading drifts
    FAULT_LOAD_CELL,     // N added to the shown tension
    FAULT_KINDS
} hwWebFaultKind;

// Models of a second tether that is shown as a ghost: wrapping by friction with free spans of three shapes, or `pid`.
typedef enum hwWebTwinModel {
    TWIN_NONE,
    TWIN_WRAP_LINE,
    TWIN_WRAP_BENT,
    TWIN_WRAP_CATENARY,
    TWIN_PID,
    TWIN_MODELS
} hwWebTwinModel;
const char* hwWebTwinModel_GetName(hwWebTwinModel model);

typedef enum hwWebTetherAction { TETHER_PAY_OUT, TETHER_HAUL_IN, TETHER_HOLD, TETHER_AUTO } hwWebTetherAction;

// What is done about a saved action.
typedef enum hwWebActionVerb { ACTION_NOTE, ACTION_SAVE, ACTION_PLAY, ACTION_STOP } hwWebActionVerb;

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
    char name
        [64]; // of a scene; of the participant: study, rate, and the clips that are opened, `value` the pair, `second` which clip or
              // which was preferred
    // pilot
    uint32_t seq;
    double axes[4];
    bool hold;
    // command
    hwWebCommandName command;
    int thruster;
    int sonar; // also of the request of that name
    // manipulate; `values` are shares of the joints' rates or of the tip's, `second` the jaw's
    int arm;
    bool armByTip;
    bool gripperStop;
    // tune
    hwWebTuneAxis tune[4];
    // tether
    hwWebTetherAction tether;
    hwWebTwinModel twin;
    // numbers of several: value, rate, speed, seconds, time, factor; switches
    double value, second;
    bool flag;
    bool blank; // of `pause`: pages of others than instructors go blank
    // set, plot, history
    int count;
    char names[REQUEST_MOST_NAMES][REQUEST_NAME];
    double values[REQUEST_MOST_NAMES];
    double from, to;
    int points;
    // channels: filter; mark, say, note: text
    char text[256];
    // crew
    hwWebRole role;
    uint64_t member;
    hwWebControl control;
    char instructor[160]; // hello: the secret
    // fault; `value` is its size, `after` s until it happens
    hwWebFaultKind fault;
    double after;
    // action; `value`: m, how near the saved way is, `flag`: its places are the world's
    hwWebActionVerb action;
    char script[REQUEST_MOST_SCRIPT];
    // answer: JSON text
    char answer[REQUEST_MOST_ANSWER];
} hwWebRequest;

typedef struct hwWebRequestError {
    const char* code; // of the protocol
    char message[256];
} hwWebRequestError;

// Reads a message. `defaults` are the options that a start begins with. On failure returns false and fills `error`;
// request->id is set when it could be read.
bool hwWebRequest_Parse(const char* text, size_t size, const hwWebFlightOptions* defaults,
                        hwWebRequest* request, hwWebRequestError* error);

// What a message is called, and the words for seats, controls and faults.
const char* hwWebRequestType_GetName(hwWebRequestType type);
hwWebControl hwWebRequestType_GetControl(hwWebRequestType type); // whose it is, from the table of messages
const char* hwWebRole_GetName(hwWebRole role);
const char* hwWebControl_GetName(hwWebControl control);
const char* hwWebFaultKind_GetName(hwWebFaultKind kind);

#endif
