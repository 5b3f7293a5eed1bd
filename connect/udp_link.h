// A datagram socket with the delay and the losses of a link between pilot and vehicle: acoustic, satellite, or a bad cable.
#ifndef HW_CONNECT_UDP_LINK_H
#define HW_CONNECT_UDP_LINK_H

#include "connect/udp.h"

#define HW_LINK_QUEUE 256 // datagrams under way in each direction; more are lost

typedef struct hwUdpLinkDef {
    double latency; // s, each way
    double loss;    // 0..1, of datagrams, each way
    uint64_t seed;  // of the losses
} hwUdpLinkDef;

typedef struct hwUdpLink hwUdpLink;

// Takes over the socket; null: no memory, and the socket is closed.
hwUdpLink* hwCreateUdpLink(int socket, const hwUdpLinkDef* def);
void hwDestroyUdpLink(hwUdpLink* link);

// The next datagram that has come through by `clock`, or -1: none.
long hwUdpLink_Receive(hwUdpLink* link, double clock, void* data, size_t size, hwUdpAddress* from);
// Sends, now or when its time has come; false: it could not be sent or queued. What the link loses counts as sent.
bool hwUdpLink_Send(hwUdpLink* link, double clock, const void* data, size_t size, const hwUdpAddress* to);
// Sends what is due.
void hwUdpLink_Update(hwUdpLink* link, double clock);
// Datagrams that came when the system's queue was full, as it has counted them.
uint32_t hwUdpLink_GetUnread(const hwUdpLink* link);
// Datagrams that the link has lost so far.
uint64_t hwUdpLink_GetLost(const hwUdpLink* link);

#endif
