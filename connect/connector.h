// A connector: one way by which another program reaches a world that runs. `hawser serve` and `hawser train` run any set of
// them beside each other; they know of connectors nothing but this. A new one is a file with a table of functions and a
// function that makes it.
#ifndef HW_CONNECT_CONNECTOR_H
#define HW_CONNECT_CONNECTOR_H

#include "hawser/world.h"

#include <stddef.h>

// What a connector is given whenever it is called. The world is between two steps: it may be read.
typedef struct hwConnection {
    hwWorld* world;
    double clock; // s, monotonic
    // Sets an input before the next step. An input that has this value already is left alone. False: it was refused.
    bool (*setInput)(void* context, int input, double value);
    void* context;
    hwError*
        error; // filled by a connector that cannot go on, which ends the world's run; may be null in update
} hwConnection;

typedef struct hwConnector hwConnector;

typedef struct hwConnectorType {
    const char* name;
    // Null, or: the connector says when the next step is taken and how long it is, s. Waits for its peer up to `timeout` s;
    // 0: not yet; below 0: never more, and the connection's error says why. Of several connectors of a world one may do this.
    double (*pace)(hwConnector* connector, const hwConnection* connection, double timeout);
    // After each step, and now and then while none is taken: reads what has arrived, sends what is due. Never waits, and
    // does no more than a bounded amount of work, however much has arrived.
    void (*update)(hwConnector* connector, const hwConnection* connection);
    // One line for people: where it listens or sends to; and what it has counted so far.
    void (*describe)(const hwConnector* connector, char* text, size_t size);
    void (*report)(const hwConnector* connector, char* text, size_t size);
    void (*destroy)(hwConnector* connector);
} hwConnectorType;

// Each kind of connector begins with this.
struct hwConnector {
    const hwConnectorType* type;
};

// Number of the input or channel `<object>.<name>`, -1: there is none.
int hwConnector_FindInput(const hwWorld* world, const char* object, const char* name);
int hwConnector_FindChannel(const hwWorld* world, const char* object, const char* name);

#endif
