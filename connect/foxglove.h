// A live stream for Foxglove and every client of its WebSocket protocol (foxglove.websocket.v1): the topics of topics.h.
#ifndef HW_CONNECT_FOXGLOVE_H
#define HW_CONNECT_FOXGLOVE_H

#include "connect/connector.h"
#include "connect/udp.h"
#include "hawser/scene.h"

typedef struct hwFoxgloveDef {
    hwUdpAddress listen; // address and port; the port comes back in the description when it is 0
    const char* name;    // of the server, for people
    const hwScene*
        scene; // that the world was made of: sonars of its vehicles become point clouds; null: none. Borrowed until Create returns
    double interval; // s of the clock between messages of a topic; 0: 1/30
} hwFoxgloveDef;

// Null and `error` when it cannot listen there.
hwConnector* hwCreateFoxglove(const hwWorld* world, const hwFoxgloveDef* def, hwError* error);

#endif
