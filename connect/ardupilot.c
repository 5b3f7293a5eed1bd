#define _GNU_SOURCE // close
#include "connect/ardupilot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_AT_ONCE 64      // datagrams looked at before the world goes on
#define SHORTEST_STEP 0.0001 // s, at most 10 kHz
#define LONGEST_STEP 0.02    // s; ArduPilot's own estimators need more than 50 Hz
#define PATIENCE 0.05        // s that a world paced by others waits for a peer that was there a moment ago
#define SILENCE 1.0          // s after which a peer counts as gone

// The connector --------------------------------------------------------------------------------------------------------

typedef struct hwArduPilot {
    hwConnector base;
    hwArduPilotDef def;
    int socket;                     // receives from any sender
    int line;                       // receives from the peer alone while it sends; -1: there is none
    int armed, bypass;              // inputs
    int commands[HW_MAX_THRUSTERS]; // inputs
    int servos[HW_MAX_THRUSTERS];   // output of each thruster from 0
    double signs[HW_MAX_THRUSTERS]; // 1 or -1
    int thrusterCount;
    int lights, tilt, gripper;   // inputs
    const hwVehicleDef* vehicle; // of the world
    bool known;                  // somebody has spoken
    hwUdpAddress peer;           // who spoke last
    uint32_t frame;              // the last one taken
    double stepTime;             // s, of the world at the last step
    double heard;                // clock at which it spoke
    bool owed;                   // an answer to it
    bool pushing;                // its last pulses act
    char answer[1024];           // the last one
    size_t answerSize;
    uint64_t packets, malformed, repeated, others, answers, unsent, lost;
} hwArduPilot;

static void Apply(hwArduPilot* a, const hwConnection* connection, const hwServoPacket* packet) {
    a->pushing = true;
    connection->setInput(connection->context, a->armed, 1.0);
    connection->setInput(connection->context, a->bypass, HW_BYPASS_ALLOCATION);
    for (int i = 0; i < a->thrusterCount; ++i) {
        double command =
            a->servos[i] < packet->count ? hwServo_GetCommand(packet->pulses[a->servos[i]]) : 0.0;
        connection->setInput(connection->context, a->commands[i], a->signs[i] * command);
    }
    const hwVehicleDef* def = a->vehicle;
    const struct {
        int servo, input;
        double low, high;
    } equipment[] = {
        {def->lightsServo, a->lights, 0.0, 1.0},
        {def->gripper.servo, a->gripper, 0.0, 1.0},
        {def->camera.servo, a->tilt, def->camera.tiltLow / HW_DEGREE, def->camera.tiltHigh / HW_DEGREE}};
    for (size_t i = 0; i < sizeof(equipment) / sizeof(equipment[0]); ++i) {
        int servo = equipment[i].servo - 1;
        double share =
            servo >= 0 && servo < packet->count ? hwServo_GetShare(packet->pulses[servo]) : (double)NAN;
        if (!isfinite(share) || equipment[i].input < 0) continue;
        connection->setInput(connection->context, equipment[i].input,
                             equipment[i].low + share * (equipment[i].high - equipment[i].low));
    }
}

// Speed controllers without pulses stand still: an autopilot that has left does not push for ever.
static void StopIfSilent(hwArduPilot* a, const hwConnection* connection) {
    if (!a->pushing || connection->clock - a->heard <= SILENCE) return;
    for (int i = 0; i < a->thrusterCount; ++i) connection->setInput(connection->context, a->commands[i], 0.0);
    a->pushing = false;
}

static void SendAnswer(hwArduPilot* a) {
    if (hwUdp_Send(a->socket, a->answer, a->answerSize, &a->peer)) {
        a->answers += 1;
    } else {
        a->unsent += 1;
    }
}

static void CloseLine(hwArduPilot* a) {
    if (a->line < 0) return;
    a->lost += hwUdp_GetLost(a->line);
    close(a->line);
    a->line = -1;
}

static void WaitForPeer(const hwArduPilot* a, double timeout) {
    hwUdp_Wait(a->line >= 0 ? a->line : a->socket, timeout);
}

// The next packet that asks for something new, if one has arrived. What is malformed is counted; a frame that comes again is
// answered as before and moves nothing. Two autopilots cannot fly one vehicle: while the first one sends, packets of others are dropped.
static bool Receive(hwArduPilot* a, const hwConnection* connection, hwServoPacket* packet) {
    unsigned char data[HW_UDP_LARGEST];
    hwUdpAddress from;
    if (a->line >= 0 && connection->clock - a->heard > SILENCE) CloseLine(a);
    for (int i = 0; i < MOST_AT_ONCE; ++i) {
        // the peer's first; then what others have sent, which is counted
        long size = a->line >= 0 ? hwUdp_Receive(a->line, data, sizeof(data), &from) : -1;
        if (size < 0) size = hwUdp_Receive(a->socket, data, sizeof(data), &from);
        if (size < 0) return false;
        if (!hwServoPacket_Read(packet, data, (size_t)size)) {
            a->malformed += 1;
            continue;
        }
        bool same = a->known && hwUdpAddress_IsSame(&from, &a->peer);
        if (a->known && !same && connection->clock - a->heard <= SILENCE) {
            a->others += 1;
            continue;
        }
        a->packets += 1;
        a->heard = connection->clock;
        if (same && packet->frame == a->frame) {
            a->repeated += 1;
            if (a->answerSize > 0 && !a->owed) SendAnswer(a);
            continue;
        }
        a->known = true;
        a->peer = from;
        a->frame = packet->frame;
        if (a->line < 0) a->line = hwUdp_OpenBeside(a->socket, &a->def.listen, &a->peer);
        return true;
    }
    return false;
}

static double Pace(hwConnector* connector, const hwConnection* connection, double timeout) {
    hwArduPilot* a = (hwArduPilot*)connector;
    hwServoPacket packet;
    if (!Receive(a, connection, &packet)) {
        WaitForPeer(a, timeout);
        if (!Receive(a, connection, &packet)) return 0.0;
    }
    Apply(a, connection, &packet);
    a->owed = true;
    double step = 1.0 / packet.rate;
    return step < SHORTEST_STEP ? SHORTEST_STEP : (step > LONGEST_STEP ? LONGEST_STEP : step);
}

static void AnswerWith(hwArduPilot* a, const hwNedState* ned) {
    a->answerSize = hwArduPilot_WriteState(ned, a->def.free, a->answer, sizeof(a->answer));
    a->owed = false;
    SendAnswer(a);
}

static void Answer(hwArduPilot* a, const hwConnection* connection) {
    hwNedState ned;
    if (!hwNedState_Read(&ned, connection->world, a->def.vehicle)) return;
    AnswerWith(a, &ned);
}

// The next packet, for which a world that others pace waits a little while its peer is there.
static bool Await(hwArduPilot* a, const hwConnection* connection, hwServoPacket* packet) {
    if (Receive(a, connection, packet)) return true;
    if (!a->known || connection->clock - a->heard > SILENCE) return false;
    WaitForPeer(a, PATIENCE);
    return Receive(a, connection, packet);
}

// The trainer takes 60 steps a second; ArduSub's loops need some hundred samples. Between two steps it gets the motion
// extrapolated, at its own rate; the pulses that it sends last act in the next step, which waits for them.
static void UpdateFollowing(hwArduPilot* a, const hwConnection* connection) {
    hwNedState ned;
    hwServoPacket packet;
    if (!hwNedState_Read(&ned, connection->world, a->def.vehicle)) return;
    double step = ned.time - a->stepTime;
    a->stepTime = ned.time;
    if (a->owed) AnswerWith(a, &ned);
    if (!(step > 0.0) || step > 0.1) return; // the first one, or a rewind
    double passed = 0.0;
    for (int i = 0; i < MOST_AT_ONCE && Await(a, connection, &packet); ++i) {
        Apply(a, connection, &packet);
        a->owed = true;
        passed += 1.0 / packet.rate;
        if (passed > step - 0.5 / packet.rate) return; // the next step answers
        hwNedState later = hwNedState_Extrapolate(&ned, passed);
        AnswerWith(a, &later);
    }
    StopIfSilent(a, connection);
}

static void Update(hwConnector* connector, const hwConnection* connection) {
    hwArduPilot* a = (hwArduPilot*)connector;
    if (a->def.follow) {
        UpdateFollowing(a, connection);
        return;
    }
    if (!a->def.free) {
        if (a->owed) Answer(a, connection);
        return;
    }
    // the newest pulses count; ArduSub does not wait
    hwServoPacket packet, newest;
    bool got = false;
    for (int i = 0; i < MOST_AT_ONCE && Receive(a, connection, &packet); ++i) {
        newest = packet;
        got = true;
    }
    if (got) Apply(a, connection, &newest);
    StopIfSilent(a, connection);
    if (a->known) Answer(a, connection);
}

static void Describe(const hwConnector* connector, char* text, size_t size) {
    const hwArduPilot* a = (const hwArduPilot*)connector;
    char at[80];
    hwUdpAddress_Print(&a->def.listen, at, sizeof(at));
    snprintf(text, size, "ArduPilot: waiting for ArduSub on UDP %s, %s", at,
             a->def.free ? "each by its own clock" : "in lock-step");
}

static void Report(const hwConnector* connector, char* text, size_t size) {
    const hwArduPilot* a = (const hwArduPilot*)connector;
    uint64_t lost = a->lost + hwUdp_GetLost(a->socket) + (a->line >= 0 ? hwUdp_GetLost(a->line) : 0);
    snprintf(
        text, size,
        "ArduPilot: %llu packets, %llu repeated, %llu malformed and ignored, %llu answers, %llu not sent, "
        "%llu of others ignored, %llu that no queue had room for",
        (unsigned long long)a->packets, (unsigned long long)a->repeated, (unsigned long long)a->malformed,
        (unsigned long long)a->answers, (unsigned long long)a->unsent, (unsigned long long)a->others,
        (unsigned long long)lost);
}

static void Destroy(hwConnector* connector) {
    hwArduPilot* a = (hwArduPilot*)connector;
    CloseLine(a);
    close(a->socket);
    free(a);
}

static const hwConnectorType g_lockStep = {"ardupilot", Pace, Update, Describe, Report, Destroy};
static const hwConnectorType g_free = {"ardupilot", NULL, Update, Describe, Report, Destroy};

hwConnector* hwCreateArduPilot(const hwWorld* world, const hwArduPilotDef* def, hwError* error) {
    const hwVehicleDef* vehicle = hwVehicle_GetDef(world, def->vehicle);
    if (vehicle == NULL) {
        memset(error, 0, sizeof(*error));
        error->status = HW_ERROR_ARGUMENT;
        snprintf(error->message, sizeof(error->message), "there is no vehicle for ArduSub to fly");
        return NULL;
    }
    hwArduPilot* a = calloc(1, sizeof(*a));
    if (a == NULL) {
        memset(error, 0, sizeof(*error));
        error->status = HW_ERROR_MEMORY;
        snprintf(error->message, sizeof(error->message), "there is not enough memory");
        return NULL;
    }
    a->line = -1;
    a->base.type = def->free || def->follow ? &g_free : &g_lockStep;
    a->def = *def;
    a->socket = hwUdp_Open(&a->def.listen, error);
    if (a->socket < 0) {
        free(a);
        return NULL;
    }
    const char* name = vehicle->body.name;
    a->armed = hwConnector_FindInput(world, name, "armed");
    a->bypass = hwConnector_FindInput(world, name, "bypass");
    a->vehicle = vehicle;
    a->lights = hwConnector_FindInput(world, name, "lights");
    a->tilt = hwConnector_FindInput(world, name, "camera.tilt_deg");
    a->gripper = hwConnector_FindInput(world, name, "gripper");
    a->thrusterCount = vehicle->thrusterCount;
    for (int i = 0; i < vehicle->thrusterCount; ++i) {
        char text[40];
        int servo = vehicle->thrusters[i].servo;
        snprintf(text, sizeof(text), "thruster[%d].command", i);
        a->commands[i] = hwConnector_FindInput(world, name, text);
        a->servos[i] = servo != 0 ? abs(servo) - 1 : i;
        a->signs[i] = servo < 0 ? -1.0 : 1.0;
    }
    return &a->base;
}
