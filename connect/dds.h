// A world on DDS, through Eclipse Cyclone DDS: federates of one world (federate.h), and topics that ROS 2 nodes see as their own.
#ifndef HW_CONNECT_DDS_H
#define HW_CONNECT_DDS_H

#include "connect/connector.h"
#include "connect/federate.h"
#include "hawser/scene.h"

typedef struct hwDdsDef {
    int domain;          // 0..232; ROS_DOMAIN_ID
    const char* name;    // of the federate: first part of its topics
    const char* network; // interface or address to use; null: loopback, or what CYCLONEDDS_URI says
    const char* keep;    // file for the state, every second of it; null: none
    const hwScene*
        scene; // that the world was made of: sonars of its vehicles have topics; null: none. Until Create returns
    double speed;           // simulated s per s; nobody goes faster than that
    hwFederateDef federate; // copied
    hwLogFn* log;           // told when others go and come
    void* logContext;
} hwDdsDef;

// False: this program was built without Cyclone DDS.
bool hwDds_IsAvailable(void);
// It paces the world and couples it. Null and `error`.
hwConnector* hwCreateDds(hwWorld* world, const hwDdsDef* def, hwError* error);

#endif
