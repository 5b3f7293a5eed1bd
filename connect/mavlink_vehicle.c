#include "connect/mavlink_vehicle_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_AT_ONCE                                                                                         \
    1024 // datagrams looked at before the world goes on: a flood of them takes a millisecond of each step
#define FORGET 10.0 // s of silence after which a peer that was not asked for is forgotten
#define PARAMETERS_AT_ONCE 8

// Commands.
enum {
    COMMAND_CONDITION_YAW = 115,
    COMMAND_DO_SET_MODE = 176,
    COMMAND_DO_MOUNT_CONTROL = 205,
    COMMAND_DO_GRIPPER = 211,
    COMMAND_ARM = 400,
    COMMAND_GET_MESSAGE_INTERVAL = 510,
    COMMAND_SET_MESSAGE_INTERVAL = 511,
    COMMAND_REQUEST_MESSAGE = 512,
    COMMAND_REQUEST_CAPABILITIES = 520,
    COMMAND_GIMBAL_PITCHYAW = 1000
};

// ArduSub holds the heading too while it stabilises, as long as the pilot does not turn.
static const struct {
    uint32_t number;
    hwVehicleMode mode;
} g_modes[] = {{19, HW_MODE_MANUAL},   {0, HW_MODE_HEADING_HOLD}, {2, HW_MODE_HOLD},
               {21, HW_MODE_ALTITUDE}, {16, HW_MODE_STATION},     {3, HW_MODE_ROUTE}};

int hwMavMode_FromVehicle(hwVehicleMode mode) {
    switch (mode) {
    case HW_MODE_STABILIZE:
    case HW_MODE_HEADING_HOLD:
        return 0;
    case HW_MODE_DEPTH_HOLD:
    case HW_MODE_HOLD:
        return 2;
    case HW_MODE_ALTITUDE:
        return 21;
    case HW_MODE_STATION:
    case HW_MODE_HOME:
    case HW_MODE_UNWIND:
        return 16;
    case HW_MODE_ROUTE:
        return 3;
    default:
        return 19;
    }
}

bool hwMavMode_ToVehicle(uint32_t number, hwVehicleMode* mode) {
    for (size_t i = 0; i < sizeof(g_modes) / sizeof(g_modes[0]); ++i) {
        if (g_modes[i].number != number) continue;
        *mode = g_modes[i].mode;
        return true;
    }
    return false;
}

// Sending --------------------------------------------------------------------------------------------------------------

void hwMavVehicle_Send(hwMavVehicle* v, hwMavFrame* frame, int peer) {
    unsigned char data[HW_MAV_LARGEST];
    frame->system = MAV_SYSTEM;
    frame->component = MAV_COMPONENT;
    frame->sequence = v->sequence++;
    size_t size = hwMav_Write(frame, data);
    for (int i = 0; i < MAV_PEERS; ++i) {
        if (!v->peers[i].present || (peer != MAV_EVERYBODY && peer != i)) continue;
        if (hwUdpLink_Send(v->link, v->connection->clock, data, size, &v->peers[i].address)) {
            v->sent += 1;
        } else {
            v->unsent += 1;
        }
    }
}

void hwMavVehicle_Say(hwMavVehicle* v, int severity, const char* text) {
    hwMavFrame frame = {.message = HW_MAV_STATUSTEXT};
    hwMav_PutU8(&frame, 0, (unsigned)severity);
    hwMav_PutText(&frame, 1, 50, text);
    hwMavVehicle_Send(v, &frame, MAV_EVERYBODY);
}

static void Acknowledge(hwMavVehicle* v, unsigned command, unsigned result, const hwMavFrame* to, int peer) {
    hwMavFrame frame = {.message = HW_MAV_COMMAND_ACK};
    hwMav_PutU16(&frame, 0, command);
    hwMav_PutU8(&frame, 2, result);
    hwMav_PutU8(&frame, 8, to->system);
    hwMav_PutU8(&frame, 9, to->component);
    hwMavVehicle_Send(v, &frame, peer);
}

// Doing ----------------------------------------------------------------------------------------------------------------

bool hwMavVehicle_Set(hwMavVehicle* v, int input, double value) {
    return input >= 0 && v->connection->setInput(v->connection->context, input, value);
}

void hwMavVehicle_Arm(hwMavVehicle* v, bool armed) {
    if (v->state.armed == armed) return;
    if (armed) hwMavVehicle_Set(v, v->inputs.bypass, HW_BYPASS_NONE);
    if (!hwMavVehicle_Set(v, v->inputs.armed, armed ? 1.0 : 0.0)) return;
    v->state.armed = armed;
    hwMavVehicle_Say(v, 6, armed ? "Armed" : "Disarmed");
}

bool hwMavVehicle_SetMode(hwMavVehicle* v, uint32_t number) {
    hwVehicleMode mode;
    if (!hwMavMode_ToVehicle(number, &mode) || !hwMavVehicle_Set(v, v->inputs.mode, mode)) return false;
    v->state.mode = mode;
    return true;
}

static bool SetTilt(hwMavVehicle* v, double degrees) {
    double low = v->vehicle->camera.tiltLow / HW_DEGREE, high = v->vehicle->camera.tiltHigh / HW_DEGREE;
    if (!isfinite(degrees)) return false;
    return hwMavVehicle_Set(v, v->inputs.tilt, degrees < low ? low : (degrees > high ? high : degrees));
}

static void SendInterval(hwMavVehicle* v, uint32_t message, int peer) {
    hwMavFrame frame = {.message = HW_MAV_MESSAGE_INTERVAL};
    hwMav_PutI32(&frame, 0, (int32_t)hwMavTelemetry_GetInterval(v, message));
    hwMav_PutU16(&frame, 4, message);
    hwMavVehicle_Send(v, &frame, peer);
}

static unsigned TurnTo(hwMavVehicle* v, double degrees, bool relative) {
    if (!isfinite(degrees) || v->state.mode < HW_MODE_HEADING_HOLD || v->state.mode == HW_MODE_ROUTE)
        return RESULT_DENIED;
    double heading = degrees * HW_DEGREE + (relative ? v->state.heading : 0.0);
    return hwMavVehicle_Set(v, v->inputs.holdHeading, fmod(heading, 2.0 * HW_PI)) ? RESULT_ACCEPTED
                                                                                  : RESULT_DENIED;
}

static bool IsWhole(double value, double least, double most) {
    return value >= least && value <= most && value == floor(value);
}

static unsigned RunCommand(hwMavVehicle* v, unsigned command, const double p[7], int peer) {
    bool message = IsWhole(p[0], 0.0, 65535.0);
    switch (command) {
    case COMMAND_ARM:
        if (!IsWhole(p[0], 0.0, 1.0)) return RESULT_DENIED;
        hwMavVehicle_Arm(v, p[0] > 0.5);
        return RESULT_ACCEPTED;
    case COMMAND_DO_SET_MODE:
        if (!IsWhole(p[1], 0.0, 255.0) || !hwMavVehicle_SetMode(v, (uint32_t)p[1])) return RESULT_DENIED;
        return RESULT_ACCEPTED;
    case COMMAND_CONDITION_YAW:
        return TurnTo(v, p[3] > 0.5 && p[2] < 0.0 ? -p[0] : p[0], p[3] > 0.5);
    case COMMAND_DO_MOUNT_CONTROL:
    case COMMAND_GIMBAL_PITCHYAW:
        return SetTilt(v, p[0]) ? RESULT_ACCEPTED : RESULT_DENIED;
    case COMMAND_DO_GRIPPER:
        if (!v->vehicle->gripper.present) return RESULT_UNSUPPORTED;
        if (!IsWhole(p[1], 0.0, 1.0)) return RESULT_DENIED; // 0 lets go, 1 grabs
        return hwMavVehicle_Set(v, v->inputs.gripper, 1.0 - p[1]) ? RESULT_ACCEPTED : RESULT_DENIED;
    case COMMAND_SET_MESSAGE_INTERVAL:
        if (!message || !isfinite(p[1])) return RESULT_DENIED;
        return hwMavTelemetry_SetInterval(v, (uint32_t)p[0], p[1]) ? RESULT_ACCEPTED : RESULT_DENIED;
    case COMMAND_GET_MESSAGE_INTERVAL:
        if (!message) return RESULT_DENIED;
        SendInterval(v, (uint32_t)p[0], peer);
        return RESULT_ACCEPTED;
    case COMMAND_REQUEST_MESSAGE:
        if (!message) return RESULT_DENIED;
        return hwMavTelemetry_SendMessage(v, (uint32_t)p[0], peer) ? RESULT_ACCEPTED : RESULT_DENIED;
    case COMMAND_REQUEST_CAPABILITIES:
        hwMavTelemetry_SendMessage(v, HW_MAV_AUTOPILOT_VERSION, peer);
        return RESULT_ACCEPTED;
    default:
        return RESULT_UNSUPPORTED;
    }
}

// Messages that come in ------------------------------------------------------------------------------------------------

static bool IsForUs(unsigned system, unsigned component) {
    return (system == 0 || system == MAV_SYSTEM) && (component == 0 || component == MAV_COMPONENT);
}

static void TakeCommand(hwMavVehicle* v, const hwMavFrame* frame, int peer) {
    if (!IsForUs(hwMav_GetU8(frame, 30), hwMav_GetU8(frame, 31))) return;
    double p[7] = {0.0};
    bool whole = frame->message == HW_MAV_COMMAND_INT;
    for (int i = 0; i < 7; ++i) {
        if (!whole || i < 4) p[i] = hwMav_GetFloat(frame, 4 * i);
    }
    unsigned command = hwMav_GetU16(frame, 28);
    Acknowledge(v, command, RunCommand(v, command, p, peer), frame, peer);
}

static void AnswerTimesync(hwMavVehicle* v, const hwMavFrame* frame, int peer) {
    if (hwMav_GetU64(frame, 0) != 0) return; // an answer
    hwMavFrame answer = {.message = HW_MAV_TIMESYNC};
    hwMav_PutU64(&answer, 0, (uint64_t)(1e9 * v->connection->clock));
    hwMav_PutU64(&answer, 8, hwMav_GetU64(frame, 8));
    hwMav_PutU8(&answer, 16, frame->system);
    hwMav_PutU8(&answer, 17, frame->component);
    hwMavVehicle_Send(v, &answer, peer);
}

static void AnswerPing(hwMavVehicle* v, const hwMavFrame* frame, int peer) {
    if (hwMav_GetU8(frame, 12) != 0 || hwMav_GetU8(frame, 13) != 0) return; // an answer
    hwMavFrame answer = *frame;
    hwMav_PutU8(&answer, 12, frame->system);
    hwMav_PutU8(&answer, 13, frame->component);
    hwMavVehicle_Send(v, &answer, peer);
}

// There are no missions: a ground station that asks must not wait.
static void AnswerMissions(hwMavVehicle* v, const hwMavFrame* frame, int peer) {
    if (!IsForUs(hwMav_GetU8(frame, 0), hwMav_GetU8(frame, 1))) return;
    bool list = frame->message == HW_MAV_MISSION_REQUEST_LIST;
    hwMavFrame answer = {.message = list ? HW_MAV_MISSION_COUNT : HW_MAV_MISSION_ACK};
    int at = list ? 2 : 0;
    hwMav_PutU8(&answer, at, frame->system);
    hwMav_PutU8(&answer, at + 1, frame->component);
    hwMav_PutU8(&answer, list ? 4 : 3, hwMav_GetU8(frame, 2)); // type of the mission
    hwMavVehicle_Send(v, &answer, peer);
}

static void TakeFrame(hwMavVehicle* v, const hwMavFrame* frame, int peer) {
    switch (frame->message) {
    case HW_MAV_COMMAND_LONG:
    case HW_MAV_COMMAND_INT:
        TakeCommand(v, frame, peer);
        break;
    case HW_MAV_SET_MODE:
        if (!IsForUs(hwMav_GetU8(frame, 4), 0)) break;
        Acknowledge(v, HW_MAV_SET_MODE,
                    hwMavVehicle_SetMode(v, hwMav_GetU32(frame, 0)) ? RESULT_ACCEPTED : RESULT_DENIED, frame,
                    peer);
        break;
    case HW_MAV_MANUAL_CONTROL:
        if (IsForUs(hwMav_GetU8(frame, 10), 0)) hwMavPilot_TakeManualControl(v, frame);
        break;
    case HW_MAV_RC_CHANNELS_OVERRIDE:
        if (IsForUs(hwMav_GetU8(frame, 16), hwMav_GetU8(frame, 17))) hwMavPilot_TakeOverride(v, frame);
        break;
    case HW_MAV_PARAM_REQUEST_LIST:
        if (IsForUs(hwMav_GetU8(frame, 0), hwMav_GetU8(frame, 1))) v->nextParameter = 0;
        break;
    case HW_MAV_PARAM_REQUEST_READ:
        if (IsForUs(hwMav_GetU8(frame, 2), hwMav_GetU8(frame, 3))) hwMavParameters_Read(v, frame, peer);
        break;
    case HW_MAV_PARAM_SET:
        if (IsForUs(hwMav_GetU8(frame, 4), hwMav_GetU8(frame, 5))) hwMavParameters_Set(v, frame, peer);
        break;
    case HW_MAV_MISSION_REQUEST_LIST:
    case HW_MAV_MISSION_CLEAR_ALL:
        AnswerMissions(v, frame, peer);
        break;
    case HW_MAV_TIMESYNC:
        AnswerTimesync(v, frame, peer);
        break;
    case HW_MAV_PING:
        AnswerPing(v, frame, peer);
        break;
    default:
        break; // heartbeats of ground stations and what vehicles send
    }
}

// The peer's number; -1: there is no room for another.
static int FindPeer(hwMavVehicle* v, const hwUdpAddress* from) {
    int room = -1;
    for (int i = 0; i < MAV_PEERS; ++i) {
        MavPeer* peer = &v->peers[i];
        if (peer->present && hwUdpAddress_IsSame(&peer->address, from)) {
            peer->heard = v->connection->clock;
            return i;
        }
        if (!peer->present && room < 0) room = i;
    }
    if (room >= 0)
        v->peers[room] = (MavPeer){.address = *from, .heard = v->connection->clock, .present = true};
    return room;
}

static void Receive(hwMavVehicle* v) {
    unsigned char data[HW_UDP_LARGEST];
    hwUdpAddress from;
    for (int i = 0; i < MOST_AT_ONCE; ++i) {
        long size = hwUdpLink_Receive(v->link, v->connection->clock, data, sizeof(data), &from);
        if (size < 0) return;
        // Only who sends a good frame becomes a peer. A frame does not go on in the next datagram.
        size_t at = 0;
        int peer = -1;
        v->counters.malformed += size == 0;
        v->counters.astray = false;
        while (at < (size_t)size) {
            hwMavFrame frame;
            bool found;
            size_t used = hwMav_Read(data + at, (size_t)size - at, &frame, &found, &v->counters);
            if (!found) {
                v->counters.malformed += at + used < (size_t)size;
                break;
            }
            at += used;
            if (peer < 0) peer = FindPeer(v, &from);
            if (peer < 0) {
                v->strangers += 1;
                break;
            }
            TakeFrame(v, &frame, peer);
        }
    }
}

static void ForgetPeers(hwMavVehicle* v) {
    for (int i = 0; i < MAV_PEERS; ++i) {
        MavPeer* peer = &v->peers[i];
        if (peer->present && !peer->asked && v->connection->clock - peer->heard > FORGET)
            peer->present = false;
    }
}

static void SendParameters(hwMavVehicle* v) {
    int count = hwMavParameters_GetCount(v);
    for (int i = 0; i < PARAMETERS_AT_ONCE && v->nextParameter >= 0; ++i) {
        hwMavParameters_Send(v, v->nextParameter, MAV_EVERYBODY);
        v->nextParameter = v->nextParameter + 1 < count ? v->nextParameter + 1 : -1;
    }
}

// The connector --------------------------------------------------------------------------------------------------------

static void Update(hwConnector* connector, const hwConnection* connection) {
    hwMavVehicle* v = (hwMavVehicle*)connector;
    v->connection = connection;
    if (hwVehicle_GetState(connection->world, v->def.vehicle, &v->state, NULL) == HW_OK) {
        Receive(v);
        hwMavPilot_Watch(v);
        SendParameters(v);
        hwMavTelemetry_SendDue(v);
        ForgetPeers(v);
    }
    hwUdpLink_Update(v->link, connection->clock);
    v->connection = NULL;
}

static void Describe(const hwConnector* connector, char* text, size_t size) {
    const hwMavVehicle* v = (const hwMavVehicle*)connector;
    char at[80];
    hwUdpAddress_Print(&v->def.peer, at, sizeof(at));
    snprintf(text, size, "MAVLink: %s as system %d, to UDP %s", v->vehicle->body.name, MAV_SYSTEM, at);
}

static void Report(const hwConnector* connector, char* text, size_t size) {
    const hwMavVehicle* v = (const hwMavVehicle*)connector;
    snprintf(
        text, size,
        "MAVLink: %llu frames, %llu of unknown messages, %llu malformed and ignored, %llu sent, %llu not "
        "sent, %llu from strangers when there was no room, %lu that did not fit the queue",
        (unsigned long long)v->counters.frames, (unsigned long long)v->counters.unknown,
        (unsigned long long)v->counters.malformed, (unsigned long long)v->sent, (unsigned long long)v->unsent,
        (unsigned long long)v->strangers, (unsigned long)hwUdpLink_GetUnread(v->link));
}

static void Destroy(hwConnector* connector) {
    hwMavVehicle* v = (hwMavVehicle*)connector;
    hwDestroyUdpLink(v->link);
    free(v);
}

static void FindInputs(hwMavVehicle* v, const hwWorld* world) {
    static const char* const axes[HW_AXIS_COUNT] = {"surge", "sway", "heave", "yaw"};
    static const char* const parts[4] = {"dead_zone", "sensitivity", "expo", "invert"};
    const char* name = v->vehicle->body.name;
    MavInputs* inputs = &v->inputs;
    for (int i = 0; i < HW_AXIS_COUNT; ++i) {
        char text[48];
        snprintf(text, sizeof(text), "pilot.%s", axes[i]);
        inputs->pilot[i] = hwConnector_FindInput(world, name, text);
        for (int k = 0; k < 4; ++k) {
            snprintf(text, sizeof(text), "axis.%s.%s", axes[i], parts[k]);
            inputs->axes[i][k] = hwConnector_FindInput(world, name, text);
        }
    }
    inputs->armed = hwConnector_FindInput(world, name, "armed");
    inputs->mode = hwConnector_FindInput(world, name, "mode");
    inputs->gain = hwConnector_FindInput(world, name, "gain");
    inputs->lights = hwConnector_FindInput(world, name, "lights");
    inputs->gripper = hwConnector_FindInput(world, name, "gripper");
    inputs->tilt = hwConnector_FindInput(world, name, "camera.tilt_deg");
    inputs->holdHeading = hwConnector_FindInput(world, name, "hold.heading");
    inputs->bypass = hwConnector_FindInput(world, name, "bypass");
}

hwConnector* hwCreateMavVehicle(const hwWorld* world, const hwMavVehicleDef* def, hwError* error) {
    static const hwConnectorType type = {"mavlink", NULL, Update, Describe, Report, Destroy};
    const hwVehicleDef* vehicle = hwVehicle_GetDef(world, def->vehicle);
    hwMavVehicle* v = vehicle != NULL ? calloc(1, sizeof(*v)) : NULL;
    if (v == NULL) {
        memset(error, 0, sizeof(*error));
        error->status = vehicle == NULL ? HW_ERROR_ARGUMENT : HW_ERROR_MEMORY;
        snprintf(error->message, sizeof(error->message),
                 vehicle == NULL ? "there is no vehicle for a ground station to fly"
                                 : "there is not enough memory");
        return NULL;
    }
    v->base.type = &type;
    v->def = *def;
    int socket = hwUdp_OpenFor(&def->peer, error);
    v->link = socket >= 0 ? hwCreateUdpLink(socket, &def->link) : NULL;
    if (v->link == NULL) {
        if (socket >= 0) {
            memset(error, 0, sizeof(*error));
            error->status = HW_ERROR_MEMORY;
            snprintf(error->message, sizeof(error->message), "there is not enough memory");
        }
        free(v);
        return NULL;
    }
    v->vehicle = vehicle;
    v->nextParameter = -1;
    v->peers[0] = (MavPeer){.address = def->peer, .asked = true, .present = true};
    FindInputs(v, world);
    hwMavPilot_Reset(&v->pilot);
    hwMavTelemetry_Reset(v);
    return &v->base;
}
