// The log of a step's events, inside a world.
#ifndef HW_API_STEP_EVENTS_H
#define HW_API_STEP_EVENTS_H

#include "hawser/step_events.h"

typedef struct hwEventLog hwEventLog;

// Events of one cable that is stepped apart, until all are merged; see world/islands.c.
#define HW_CABLE_EVENTS 32

typedef struct hwCableEvent {
    double time, value;
    hwStepEventKind kind;
    int end;
} hwCableEvent;

typedef struct hwCableEvents {
    int count, told;
    hwCableEvent items[HW_CABLE_EVENTS]; // further ones are lost
} hwCableEvents;

// All of these do nothing in a world that keeps no events.
void hwWorld_DropEventLog(hwWorld* world);
// After Prepare: room for the model. False: out of memory.
bool hwWorld_StartEventLog(hwWorld* world);
// At the start of hwWorld_Step.
void hwWorld_BeginStepEvents(hwWorld* world);
// The state was changed from outside: what touches then does not begin.
void hwWorld_ForgetStepEvents(hwWorld* world);
// After an accepted sub-step.
void hwWorld_LogContacts(hwWorld* world);
void hwWorld_LogCable(hwWorld* world, hwStepEventKind kind, int slot, int end, double value);
void hwWorld_LogWound(hwWorld* world, int slot, hwBodyId body, int feature, int number);

#endif
