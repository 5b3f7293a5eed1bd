// The door: a thread of its own that takes connections and reads the heads of their requests. What is slow, malformed or
// too much ends here and takes no time from the thread that sends frames; what is good is handed over with the head unread.
#ifndef HW_SERVER_DOOR_H
#define HW_SERVER_DOOR_H

#include "apps/server/listen.h"

#include <stdint.h>

#define DOOR_MOST_WAITING 64 // connections whose head has not come yet
#define DOOR_MOST_OF_ONE 16  // of them from one address that is not loopback
#define DOOR_HEAD_TIME 5.0   // s in which the head must come
#define DOOR_LINGER_TIME 1.0 // s in which a refused client may read why

// Who is at the other end: an IPv4 address, or the network of an IPv6 address (its first 64 bits), which one machine owns.
typedef struct hwWebPeer {
    unsigned char bytes[16];
    bool loopback;
} hwWebPeer;

typedef struct hwWebArrival {
    int fd; // the receiver's to close
    bool webSocket;
    hwWebPeer peer;
} hwWebArrival;

// What the door has done, for tests and judging load.
typedef struct hwWebDoorCounters {
    uint64_t accepted; // connections
    uint64_t passed;   // handed over
    uint64_t refused;  // answered with a status
    uint64_t late;     // closed because the head did not come in time; refused when it had begun
    uint64_t pushed;   // closed because newer ones came
    int mostWaiting;   // at once
} hwWebDoorCounters;

typedef struct hwWebDoor hwWebDoor;

// Takes over the sockets of `listeners`. `arrived` is called in the door's thread when hwWebDoor_Take has something. Null: no
// memory or no thread.
hwWebDoor* hwWebDoor_Open(hwWebListeners* listeners, const char* host, void (*arrived)(void* context),
                          void* context);
void hwWebDoor_Close(hwWebDoor* door);

// The next good request; false: there is none now.
bool hwWebDoor_Take(hwWebDoor* door, hwWebArrival* arrival);
// Gives one back, to be refused with 503.
void hwWebDoor_Return(hwWebDoor* door, const hwWebArrival* arrival);
hwWebDoorCounters hwWebDoor_GetCounters(hwWebDoor* door);

bool hwWebPeer_IsSame(const hwWebPeer* a, const hwWebPeer* b);

#endif
