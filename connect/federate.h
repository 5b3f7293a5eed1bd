// One world split over programs: what a federate tells the others and does with what they tell it. Knows no transport.
//
// A link joins two federates: a body's point (a port) here and a cable's end there, or a channel here and an input there. The
// port sends where its point has come to and what it has felt; the end sends what it will pull with and how much less that is
// for each metre per second that the point goes faster (its impedance), which the body's solver counts with
// (docs/numerics.md, Exchange by hand).
//
// In lock-step messages have numbers of steps and each step takes those with its own number, so that results do not depend on
// delays, losses, order or speed: a federate that has only ports steps first, those with ends then follow to where the ports have
// come to. A federate with both does not wait for its ends' new places, it foresees them. Free-running federates take what is
// newest.
#ifndef HW_CONNECT_FEDERATE_H
#define HW_CONNECT_FEDERATE_H

#include "hawser/world.h"

#define HW_FEDERATE_HISTORY 2048 // steps that senders keep, and receivers before their time
#define HW_MOST_COUPLINGS 64

typedef enum hwCouplingKind {
    HW_COUPLING_PORT,    // point of a body: sends motion, receives loads
    HW_COUPLING_END,     // end of a cable on the earth: sends loads, receives motion
    HW_COUPLING_SEND,    // channel: sends values, receives acknowledgements
    HW_COUPLING_RECEIVE, // input: receives values, acknowledges them
} hwCouplingKind;

// Motion of a body's point after `step` steps.
typedef struct hwPointMotion {
    hwVec3 position;
    hwQuat attitude;
    hwVec3 velocity, rate;    // m/s, rad/s, world axes
    hwVec3 impulse, momentum; // N s, N m s: what has been felt of the link since step 0
} hwPointMotion;

// What a cable's end pulls with, on average in the step after `step` steps: force - impedance (motion - reference).
typedef struct hwCableLoad {
    hwVec3 force, moment;   // N, N m, world axes
    double impedance[6][6]; // translation, then rotation
    hwVec3 velocity, rate;  // m/s, rad/s: the reference
} hwCableLoad;

typedef struct hwCouplingMessage {
    uint64_t session; // another one after each start of the sender
    uint64_t step;    // steps that the sender had taken
    double time;      // s, of its world
    union {
        hwPointMotion motion;
        hwCableLoad load;
        double value;
    };
} hwCouplingMessage;

typedef struct hwCouplingDef {
    hwCouplingKind kind;
    char object[96]; // body, cable, channel or input
    int end;         // of the cable
    hwVec3 at;       // m, body frame, of a port
    char name[96];   // of the link: the other side has the same
} hwCouplingDef;

typedef struct hwFederateDef {
    double interval; // s, of a step
    bool free;       // runs by its own clock
    int linkCount;
    const hwCouplingDef* links;
    uint64_t session;
} hwFederateDef;

// What has been counted since the start.
typedef struct hwFederateCounts {
    uint64_t received;  // messages
    uint64_t late;      // came after their step, or after a newer one
    uint64_t lost;      // numbers that have not come (free-running)
    uint64_t malformed; // no numbers, or impossible ones
    uint64_t restarts;  // of other federates
    uint64_t silences;  // of other federates that became silent (free-running)
} hwFederateCounts;

typedef struct hwFederate hwFederate;

// Reads "wire.a", "block", "block@0:0:-0.5", "wire.a.tension" or "winch.setpoint", each with or without "=NAME"; false with an
// error. `kind` says which is expected.
bool hwCouplingDef_Parse(hwCouplingDef* link, hwCouplingKind kind, const char* text, hwError* error);

// Null and `error` where the world has not what a link names. The world stays the caller's; hwFederate_Start comes next.
hwFederate* hwCreateFederate(hwWorld* world, const hwFederateDef* def, hwError* error);
void hwDestroyFederate(hwFederate* federate);

const hwCouplingDef* hwFederate_GetLink(const hwFederate* federate, int link);
int hwFederate_GetLinkCount(const hwFederate* federate);
uint64_t hwFederate_GetStep(const hwFederate* federate);
hwFederateCounts hwFederate_GetCounts(const hwFederate* federate);

// Hands over a message of a link, in any order, any number of times. `clock`: s, monotonic.
void hwFederate_Receive(hwFederate* federate, int link, const hwCouplingMessage* message, double clock);
// Whether everything is there that the next step needs. False: `missing` is a link that waits, or -1.
bool hwFederate_IsReady(hwFederate* federate, int* missing, hwError* error);
// Applies what was received; gives the length of the step that the world is to take. A failure is the world's.
hwStatus hwFederate_BeginStep(hwFederate* federate, double clock, double* interval, hwError* error);
// After the world's step: makes new messages.
hwStatus hwFederate_EndStep(hwFederate* federate, hwError* error);
// The message of a link of the step that was last finished, or of the one before. Null: none yet. A federate that has waited for
// long sends both again: the others are a step ahead or behind at most.
const hwCouplingMessage* hwFederate_GetMessage(const hwFederate* federate, int link);
const hwCouplingMessage* hwFederate_GetLastMessage(const hwFederate* federate, int link);
// The same, once: null if it was taken before. After each hwFederate_IsReady and hwFederate_EndStep.
const hwCouplingMessage* hwFederate_TakeMessage(hwFederate* federate, int link);

// State of the federate and its world, to go on from after it was killed. Written so that there is always a whole file.
hwStatus hwFederate_SaveFile(const hwFederate* federate, const char* path, hwError* error);
// HW_OK also when there is no file.
hwStatus hwFederate_LoadFile(hwFederate* federate, const char* path, bool* found, hwError* error);

#endif
