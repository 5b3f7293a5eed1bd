// What the files of the vehicle's endpoint share: mavlink_vehicle.c (link, messages that come in), mavlink_pilot.c (sticks,
// buttons, failsafe), mavlink_parameters.c, mavlink_telemetry.c.
#ifndef HW_CONNECT_MAVLINK_VEHICLE_INTERNAL_H
#define HW_CONNECT_MAVLINK_VEHICLE_INTERNAL_H

#include "connect/mavlink.h"
#include "connect/mavlink_vehicle.h"

#define MAV_SYSTEM 1    // of the vehicle
#define MAV_COMPONENT 1 // the autopilot
#define MAV_PEERS 8
#define MAV_BUTTONS 16
#define MAV_EVERYBODY (-1)

// Results of commands.
enum { RESULT_ACCEPTED = 0, RESULT_DENIED = 2, RESULT_UNSUPPORTED = 3 };

// What is sent regularly.
typedef enum StreamKind {
    STREAM_HEARTBEAT,
    STREAM_SYS_STATUS,
    STREAM_ATTITUDE,
    STREAM_ATTITUDE_QUATERNION,
    STREAM_LOCAL_POSITION,
    STREAM_GLOBAL_POSITION,
    STREAM_VFR_HUD,
    STREAM_PRESSURE,
    STREAM_DISTANCE,
    STREAM_SERVOS,
    STREAM_NAMED_VALUES,
    STREAM_COUNT
} StreamKind;

typedef struct MavPeer {
    hwUdpAddress address;
    double heard; // clock
    bool asked;   // given by --mavlink: it is sent to, whether it sends or not
    bool present;
} MavPeer;

// Inputs of the world, -1: none.
typedef struct MavInputs {
    int pilot[HW_AXIS_COUNT];
    int armed, mode, gain, lights, gripper, tilt, holdHeading, bypass;
    int axes[HW_AXIS_COUNT][4]; // dead zone, sensitivity, expo, inversion
} MavInputs;

typedef struct MavPilot {
    bool present;     // somebody steers
    double heard;     // clock
    unsigned buttons; // held
    double axes[HW_AXIS_COUNT];
    double trims[HW_AXIS_COUNT]; // held inputs
    bool holding;
    double timeout;                // s, FS_PILOT_TIMEOUT
    int action;                    // FS_PILOT_INPUT: 0 nothing, 1 neutral, 2 disarm
    int functions[MAV_BUTTONS][2]; // plain and with shift
    double lightSteps;
    bool failed; // the failsafe acted
} MavPilot;

typedef struct hwMavVehicle {
    hwConnector base;
    hwMavVehicleDef def;
    hwUdpLink* link;
    MavPeer peers[MAV_PEERS];
    uint8_t sequence;
    hwMavCounters counters;
    uint64_t sent, unsent, strangers; // strangers: datagrams for which there was no room among the peers
    const hwVehicleDef* vehicle;
    MavInputs inputs;
    MavPilot pilot;
    double intervals[STREAM_COUNT], next[STREAM_COUNT]; // s, clock; interval 0: off
    int nextParameter;                                  // to be sent; -1: none
    hwVehicleState state;                               // as of this update
    const hwConnection* connection;                     // of this update
} hwMavVehicle;

// mavlink_vehicle.c
// Sends to one peer, or to MAV_EVERYBODY.
void hwMavVehicle_Send(hwMavVehicle* v, hwMavFrame* frame, int peer);
void hwMavVehicle_Say(hwMavVehicle* v, int severity, const char* text);
bool hwMavVehicle_Set(hwMavVehicle* v, int input, double value);
void hwMavVehicle_Arm(hwMavVehicle* v, bool armed);
bool hwMavVehicle_SetMode(hwMavVehicle* v, uint32_t number);

// mavlink_pilot.c
void hwMavPilot_Reset(MavPilot* pilot);
void hwMavPilot_TakeManualControl(hwMavVehicle* v, const hwMavFrame* frame);
void hwMavPilot_TakeOverride(hwMavVehicle* v, const hwMavFrame* frame);
void hwMavPilot_Watch(hwMavVehicle* v);

// mavlink_parameters.c
int hwMavParameters_GetCount(const hwMavVehicle* v);
void hwMavParameters_Send(hwMavVehicle* v, int index, int peer);
void hwMavParameters_Read(hwMavVehicle* v, const hwMavFrame* frame, int peer);
void hwMavParameters_Set(hwMavVehicle* v, const hwMavFrame* frame, int peer);

// mavlink_telemetry.c
void hwMavTelemetry_Reset(hwMavVehicle* v);
void hwMavTelemetry_SendDue(hwMavVehicle* v);
// Sends one message now; false: it is none that is sent.
bool hwMavTelemetry_SendMessage(hwMavVehicle* v, uint32_t message, int peer);
// Sets its interval, us: -1 off, 0 as at the start. False as above.
bool hwMavTelemetry_SetInterval(hwMavVehicle* v, uint32_t message, double interval);
// us, -1: off; 0: not sent at all.
double hwMavTelemetry_GetInterval(const hwMavVehicle* v, uint32_t message);

#endif
