// ArduPilot's JSON simulator interface (SIM_JSON.cpp): an unmodified ArduSub computes, the world moves.
//
// ArduSub sends the pulse widths of its outputs in a binary datagram to our port; each is answered with one line of JSON that
// holds what its sensors would feel. In lock-step the world takes one step of 1 / frame rate for each datagram and ArduSub's
// clock follows the timestamps; free, both run by their own clocks.
#ifndef HW_CONNECT_ARDUPILOT_H
#define HW_CONNECT_ARDUPILOT_H

#include "connect/connector.h"
#include "connect/ned.h"
#include "connect/udp.h"

#define HW_SERVO_OUTPUTS 32

typedef struct hwServoPacket {
    int count;                         // of outputs: 16 or 32
    int rate;                          // Hz, how often ArduSub would like to be called
    uint32_t frame;                    // number of the frame; the same one again when no answer came
    uint16_t pulses[HW_SERVO_OUTPUTS]; // us; 0: no pulse
} hwServoPacket;

// 40 bytes with magic 18458 or 72 with 29569, little-endian. False: it is something else.
bool hwServoPacket_Read(hwServoPacket* packet, const unsigned char* data, size_t size);

// Command of a thruster for a pulse: 1100..1900 us is -1..1, no pulse and what lies outside 800..2200 us is 0.
double hwServo_GetCommand(uint16_t pulse);

// Share of an equipment's range for a pulse: 1100..1900 us is 0..1; NaN for no pulse and what lies outside 800..2200 us.
double hwServo_GetShare(uint16_t pulse);

// The answer, with a line break before and after; returns its length. `free`: ArduSub is told to run by its own clock. Keys
// stand so that a parser which looks for the first place of a name finds the right one.
size_t hwArduPilot_WriteState(const hwNedState* ned, bool free, char* text, size_t size);

typedef struct hwArduPilotDef {
    hwUdpAddress listen;
    bool free;           // not in lock-step
    bool follow;         // in lock-step with a world that is paced by others: their steps wait for the peer
    hwVehicleId vehicle; // of the world
} hwArduPilotDef;

// Null, and `error` says why.
hwConnector* hwCreateArduPilot(const hwWorld* world, const hwArduPilotDef* def, hwError* error);

#endif
